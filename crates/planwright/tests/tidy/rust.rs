//! Rust text with comments, strings or tests taken out, and the paths in it. Every view keeps each
//! byte's place, so that what is found in a view is found in the file.

use std::ops::Range;

/// What becomes of string and character literals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Strings {
    Kept,
    Masked,
}

/// The text with comments, and perhaps literals, replaced by blanks.
pub fn mask(text: &str, strings: Strings) -> String {
    let bytes = text.as_bytes();
    let mut gone = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let (end, literal) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("/*") {
            (block_comment(rest), false)
        } else if let Some(end) = literal(rest, at.checked_sub(1).map(|before| bytes[before])) {
            (end, true)
        } else {
            let one = rest.chars().next().map_or(1, char::len_utf8);
            // Nothing begins but at one of these.
            at += one + rest[one..].find(['/', '"', '\'', 'r', 'b', 'c']).unwrap_or(rest.len() - one);
            continue;
        };
        if !literal || strings == Strings::Masked {
            gone.push(at..at + end);
        }
        at += end;
    }
    blank(text, &gone)
}

/// The text with these ranges replaced by blanks; lines stay lines.
pub fn blank(text: &str, ranges: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        bytes[range.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).expect("whole characters were replaced")
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// How long the literal is that begins here, if one does.
fn literal(text: &str, before: Option<u8>) -> Option<usize> {
    if let Some(inside) = text.strip_prefix('"') {
        return Some(1 + quoted(inside, '"'));
    }
    if before.is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte != b'_') {
        let raw = text.strip_prefix('b').or_else(|| text.strip_prefix('c')).unwrap_or(text);
        if let Some(raw) = raw.strip_prefix('r') {
            let hashes = raw.bytes().take_while(|&byte| byte == b'#').count();
            if let Some(inside) = raw[hashes..].strip_prefix('"') {
                let close = format!("\"{}", "#".repeat(hashes));
                let length = inside.find(&close).map_or(inside.len(), |end| end + close.len());
                return Some(text.len() - inside.len() + length);
            }
        }
    }
    let inside = text.strip_prefix('\'')?;
    let mut chars = inside.chars();
    match (chars.next()?, chars.next()?) {
        ('\\', _) => Some(1 + quoted(inside, '\'')),
        (one, '\'') => Some(2 + one.len_utf8()),
        // A lifetime.
        _ => None,
    }
}

/// How far it is to after the closing quote.
fn quoted(inside: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    inside.len()
}

/// Where the items are that only tests have (`bare`: without comments and strings).
pub fn tests(bare: &str) -> Vec<Range<usize>> {
    let mark = "#[cfg(test)]";
    bare.match_indices(mark).map(|(start, _)| start..start + mark.len() + item(&bare[start + mark.len()..])).collect()
}

/// How long the item is that begins here: to its `;`, or to the brace that closes it.
fn item(bare: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in bare.bytes().enumerate() {
        match byte {
            b';' if depth == 0 => return at + 1,
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    bare.len()
}

/// Every path, groups taken apart: `std::{fs, io::Read}` yields `std::fs` and `std::io::Read`.
pub fn paths(bare: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut path, mut start) = (String::new(), 0);
    let mut groups: Vec<String> = Vec::new();
    let mut at = 0;
    while at < bare.len() {
        let rest = &bare[at..];
        let word = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        if word > 0 {
            if !(path.is_empty() || path.ends_with("::")) {
                found.push((start, std::mem::take(&mut path)));
            }
            start = at;
            path += &rest[..word];
            at += word;
            continue;
        }
        let c = rest.chars().next().expect("there is a rest");
        if rest.starts_with("::") {
            path += "::";
            at += 1;
        } else if c == '{' && path.ends_with("::") {
            groups.push(path.clone());
        } else if c == ',' && !groups.is_empty() {
            found.push((start, std::mem::replace(&mut path, groups.last().cloned().unwrap_or_default())));
        } else if c == '}' && !groups.is_empty() {
            found.push((start, std::mem::take(&mut path)));
            groups.pop();
        } else if !c.is_whitespace() && !path.is_empty() {
            found.push((start, std::mem::take(&mut path)));
        }
        at += c.len_utf8();
    }
    found.push((start, path));
    found
}

/// Whether the segments of `wanted` stand in `path`, one after the other.
pub fn holds(path: &str, wanted: &str) -> bool {
    let (path, wanted): (Vec<_>, Vec<_>) = (path.split("::").collect(), wanted.split("::").collect());
    path.windows(wanted.len()).any(|part| part == wanted)
}
