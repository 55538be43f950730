//! Things a terminal does for a program beside showing rows.

use planwright_core::text::inert;

/// Puts a text on the clipboard, also over SSH (OSC 52).
pub fn copy(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", base64(text.as_bytes()))
}

/// Rings, and shows a notification where the terminal has them (OSC 9).
pub fn notify(text: &str) -> String {
    format!("\x07\x1b]9;{}\x07", inert(text).replace('\n', " "))
}

/// The same for the terminal around tmux, which hands on only what is wrapped (its option
/// `allow-passthrough`); alone it keeps such bytes, or uses them itself.
pub fn through_tmux(bytes: &str) -> String {
    format!("{bytes}\x1bPtmux;{}\x1b\\", bytes.replace('\x1b', "\x1b\x1b"))
}

/// Names the window (OSC 2).
pub fn title(text: &str) -> String {
    format!("\x1b]2;{}\x07", inert(text).replace('\n', " "))
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().enumerate().fold(0_u32, |group, (n, byte)| group | u32::from(*byte) << (16 - 8 * n));
        for n in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * n) & 63) as usize];
            out.push(if n <= chunk.len() { letter.into() } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clipboard_gets_base64() {
        for (text, wanted) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(copy(text), format!("\x1b]52;c;{wanted}\x07"));
        }
        assert_eq!(through_tmux("\x1b]9;a\x07"), "\x1b]9;a\x07\x1bPtmux;\x1b\x1b]9;a\x07\x1b\\");
        assert_eq!(notify("a\x1b]0;b\nc"), "\x07\x1b]9;a␛]0;b c\x07");
    }
}
