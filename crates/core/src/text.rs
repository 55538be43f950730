//! Encodings of files, and text made safe to show.

use serde::{Deserialize, Serialize};

/// How a text file stores its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-8 behind a byte-order mark.
    Utf8Bom,
    /// UTF-16, little end first, behind a byte-order mark.
    Utf16Le,
    /// UTF-16, big end first, behind a byte-order mark.
    Utf16Be,
}

/// A decoded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Its text, without the byte-order mark.
    pub text: String,
    /// How it was stored.
    pub encoding: Encoding,
    /// Some bytes could not be decoded and stand as U+FFFD: writing the text back would lose them.
    pub lossy: bool,
}

/// Decodes a file by its byte-order mark, else as UTF-8.
pub fn decode(bytes: &[u8]) -> Decoded {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16, encoding| {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut lossy = !rest.is_empty();
        let mut text: String = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
            .map(|unit| {
                unit.unwrap_or_else(|_| {
                    lossy = true;
                    char::REPLACEMENT_CHARACTER
                })
            })
            .collect();
        if !rest.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        Decoded { text, encoding, lossy }
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes, Encoding::Utf16Le),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes, Encoding::Utf16Be),
        _ => {
            let (rest, encoding) = match bytes {
                [0xEF, 0xBB, 0xBF, rest @ ..] => (rest, Encoding::Utf8Bom),
                _ => (bytes, Encoding::Utf8),
            };
            match std::str::from_utf8(rest) {
                Ok(text) => Decoded { text: text.to_owned(), encoding, lossy: false },
                Err(_) => Decoded { text: String::from_utf8_lossy(rest).into_owned(), encoding, lossy: true },
            }
        }
    }
}

/// Encodes text as [`decode`] found it.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    let utf16 =
        |mark: [u8; 2], unit: fn(u16) -> [u8; 2]| mark.into_iter().chain(text.encode_utf16().flat_map(unit)).collect();
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8Bom => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
        Encoding::Utf16Le => utf16([0xFF, 0xFE], u16::to_le_bytes),
        Encoding::Utf16Be => utf16([0xFE, 0xFF], u16::to_be_bytes),
    }
}

/// Whether there is nothing to read in it: white space, control and invisible characters only.
pub fn blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}'))
}

/// The text with everything that could move a terminal's cursor or reverse its reading order made
/// visible: control characters but newline and tab as their Unicode pictures, direction marks as
/// `<U+202E>`. A carriage return before a newline is dropped.
pub fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\u{0}'..='\u{1F}' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}')),
            '\u{7F}' => out.push('\u{2421}'),
            '\u{80}'..='\u{9F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{61C}' => {
                out.push_str(&format!("<U+{:04X}>", c as u32));
            }
            c => out.push(c),
        }
    }
    out
}

/// The first line of `text` that is not blank, cut to `limit` characters.
pub fn first_line(text: &str, limit: usize) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_end();
    match line.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
