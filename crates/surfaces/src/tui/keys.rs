//! Bytes of a terminal as keys, pastes and answers. `termina` parses them; here its events become
//! ours, and one more encoding of keys is understood: that of xterm's `modifyOtherKeys`.

use termina::escape::osc::Osc;
use termina::event::{KeyCode, KeyEvent, KeyEventKind, Modifiers};
use termina::{Event, Parser};

/// A key, whatever way it was encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which.
    pub code: Code,
    /// With Ctrl.
    pub ctrl: bool,
    /// With Alt (Meta, Option).
    pub alt: bool,
    /// With Shift. Never set for a character, which is another one then.
    pub shift: bool,
}

/// Which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A character. With Ctrl, the lower-case letter.
    Char(char),
    /// Enter.
    Enter,
    /// Tab.
    Tab,
    /// Escape.
    Esc,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Left.
    Left,
    /// Right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Any other; means nothing to us.
    Other,
}

impl Key {
    /// The key alone.
    pub const fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// With Ctrl.
    pub const fn ctrl(letter: char) -> Self {
        Self { code: Code::Char(letter), ctrl: true, alt: false, shift: false }
    }

    /// With Alt.
    pub const fn alt(code: Code) -> Self {
        Self { code, ctrl: false, alt: true, shift: false }
    }

    /// With Shift.
    pub const fn shift(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: true }
    }

    /// The character it types, if it types one.
    pub const fn typed(self) -> Option<char> {
        match self {
            Self { code: Code::Char(c), ctrl: false, alt: false, .. } => Some(c),
            _ => None,
        }
    }
}

/// Something the terminal sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A key was pressed (or is held).
    Key(Key),
    /// Text was pasted (bracketed paste), as it came.
    Paste(String),
    /// The window has the focus, or lost it.
    Focus(bool),
    /// An answer to the question for the background's colour: whether it is dark.
    Background {
        /// Whether it is dark.
        dark: bool,
    },
}

/// Turns bytes into what they mean.
#[derive(Default)]
pub struct Keys {
    parser: Parser,
    /// The beginning of what may become a key in the encoding of `modifyOtherKeys`.
    held: Vec<u8>,
    /// An Esc stood before a sequence: some terminals say so that Alt is held.
    alt: bool,
    /// What is understood, and was not asked for yet.
    sent: Vec<Sent>,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").field("held", &self.held).finish_non_exhaustive()
    }
}

impl Keys {
    /// Takes bytes. The last ones may be half of something; [`Keys::settle`] says that nothing follows.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Sent> {
        for byte in bytes {
            self.held.push(*byte);
            self.take_escapes();
            match other_key(&self.held) {
                Other::Maybe => {}
                Other::Key { code, modifiers } => {
                    self.held.clear();
                    self.parser.parse(format!("\x1b[{code};{modifiers}u").as_bytes(), true);
                }
                Other::No => self.pass_on(),
            }
            self.understand();
        }
        std::mem::take(&mut self.sent)
    }

    /// Whether bytes wait for more: an Esc may be a key or the beginning of one.
    pub const fn waiting(&self) -> bool {
        !self.held.is_empty()
    }

    /// Nothing followed for a while: what waits is all there is.
    pub fn settle(&mut self) -> Vec<Sent> {
        for byte in std::mem::take(&mut self.held) {
            // Esc after Esc is two keys; anything else is the rest of something.
            self.parser.parse(&[byte], byte != 0x1B);
            self.understand();
        }
        self.parser.parse(&[], false);
        self.understand();
        std::mem::take(&mut self.sent)
    }

    /// Two Escs may begin a key with Alt; of three the first is a key by itself, and so it is of two that
    /// begin nothing.
    fn take_escapes(&mut self) {
        match &*self.held {
            [0x1B, 0x1B] => {}
            [0x1B, 0x1B, b'[' | b'O'] => {
                self.held.remove(0);
                self.alt = true;
            }
            [0x1B, 0x1B, _] => {
                self.held.remove(0);
                self.parser.parse(&[0x1B], false);
                self.understand();
            }
            _ => {}
        }
    }

    /// Hands on what is held, but for an Esc at its end, which may begin something.
    fn pass_on(&mut self) {
        let keep = usize::from(self.held.last() == Some(&0x1B) && self.held.len() > 1);
        let held = std::mem::take(&mut self.held);
        let (now, later) = held.split_at(held.len() - keep);
        self.parser.parse(now, true);
        self.held.extend(later);
    }

    fn understand(&mut self) {
        while let Some(event) = self.parser.pop() {
            let mut sent = meaning(event);
            if let (Some(Sent::Key(key)), true) = (&mut sent, std::mem::take(&mut self.alt)) {
                key.alt = true;
            }
            self.sent.extend(sent);
        }
    }
}

/// What bytes are in the encoding of `modifyOtherKeys`: `CSI 27 ; MODIFIERS ; CODE ~`
/// (XTerm Control Sequences, "modifyOtherKeys").
enum Other {
    No,
    Maybe,
    Key { code: u32, modifiers: u32 },
}

fn other_key(bytes: &[u8]) -> Other {
    const START: &[u8] = b"\x1b[27;";
    // Some terminals say so for Shift+Tab, with the modifiers of a cursor key.
    const BACK_TAB: &[u8] = b"\x1b[1;2Z";
    if bytes == b"\x1b\x1b" {
        return Other::Maybe;
    }
    if bytes == BACK_TAB {
        return Other::Key { code: 9, modifiers: 2 };
    }
    if BACK_TAB.starts_with(bytes) {
        return Other::Maybe;
    }
    let Some(rest) = bytes.strip_prefix(START) else {
        return if START.starts_with(bytes) { Other::Maybe } else { Other::No };
    };
    let Ok(rest) = std::str::from_utf8(rest) else { return Other::No };
    if rest.len() > 16 || !rest.chars().all(|c| c.is_ascii_digit() || c == ';' || c == '~') {
        return Other::No;
    }
    match rest.strip_suffix('~') {
        None => Other::Maybe,
        Some(rest) => match rest.split_once(';').map(|(modifiers, code)| (modifiers.parse(), code.parse())) {
            Some((Ok(modifiers), Ok(code))) => Other::Key { code, modifiers },
            Some(_) | None => Other::No,
        },
    }
}

fn meaning(event: Event) -> Option<Sent> {
    match event {
        Event::Key(key) => key_of(key).map(Sent::Key),
        Event::Paste(text) => Some(Sent::Paste(text)),
        Event::FocusIn => Some(Sent::Focus(true)),
        Event::FocusOut => Some(Sent::Focus(false)),
        Event::Osc(osc) => dark(&osc).map(|dark| Sent::Background { dark }),
        Event::Mouse(_) | Event::WindowResized(_) | Event::Csi(_) | Event::Dcs(_) => None,
    }
}

fn key_of(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let has = |modifiers| event.modifiers.intersects(modifiers);
    let (ctrl, alt) = (has(Modifiers::CONTROL), has(Modifiers::ALT | Modifiers::META));
    let mut shift = has(Modifiers::SHIFT);
    let code = match event.code {
        KeyCode::Char(c) if ctrl => Code::Char(c.to_ascii_lowercase()),
        // Kitty's encoding sends the key and Shift; what is meant is the character.
        KeyCode::Char(c) if shift && c.is_lowercase() => Code::Char(c.to_uppercase().next().unwrap_or(c)),
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => {
            shift = true;
            Code::Tab
        }
        KeyCode::Escape => Code::Esc,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        _ => Code::Other,
    };
    if matches!(code, Code::Char(_)) {
        shift = false;
    }
    Some(Key { code, ctrl, alt, shift })
}

/// Whether the colour in an answer to OSC 11 is dark.
fn dark(osc: &Osc<'static>) -> Option<bool> {
    let text = osc.to_string();
    let (_, colour) = text.split_once("rgb:")?;
    let part = |part: &str| {
        let digits: String = part.chars().take_while(char::is_ascii_hexdigit).collect();
        let value = u32::from_str_radix(&digits, 16).ok()?;
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        (most > 0).then(|| value * 1000 / most)
    };
    let mut parts = colour.split('/').map(part);
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    // Luma by ITU-R BT.601.
    Some(299 * red + 587 * green + 114 * blue < 500 * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Sent> {
        let mut keys = Keys::default();
        let mut sent = keys.take(bytes);
        sent.extend(keys.settle());
        sent
    }

    /// The same, a byte at a time.
    fn one_by_one(bytes: &[u8]) -> Vec<Sent> {
        let mut keys = Keys::default();
        let mut sent: Vec<_> = bytes.iter().flat_map(|byte| keys.take(&[*byte])).collect();
        sent.extend(keys.settle());
        sent
    }

    #[test]
    fn every_encoding_of_a_key_is_that_key() {
        let shift_tab = Key::shift(Code::Tab);
        let table: &[(&[u8], Key)] = &[
            (b"\x1b[Z", shift_tab),
            (b"\x1b[9;2u", shift_tab),
            (b"\x1b[27;2;9~", shift_tab),
            (b"\x1b[1;2Z", shift_tab),
            (b"\r", Key::plain(Code::Enter)),
            (b"\x1b[13;2u", Key::shift(Code::Enter)),
            (b"\x1b[27;2;13~", Key::shift(Code::Enter)),
            (b"\x1b\r", Key::alt(Code::Enter)),
            (b"\x1b[13;3u", Key::alt(Code::Enter)),
            (b"\n", Key::ctrl('j')),
            (b"\x1b[106;5u", Key::ctrl('j')),
            (b"\x03", Key::ctrl('c')),
            (b"\x1b[99;5u", Key::ctrl('c')),
            (b"\x1b[27;5;99~", Key::ctrl('c')),
            (b"\x1b", Key::plain(Code::Esc)),
            (b"\x1b[27u", Key::plain(Code::Esc)),
            (b"\x1b[A", Key::plain(Code::Up)),
            (b"\x1bOA", Key::plain(Code::Up)),
            (b"a", Key::plain(Code::Char('a'))),
            (b"A", Key::plain(Code::Char('A'))),
            (b"\x1b[97;2u", Key::plain(Code::Char('A'))),
            (b"\x1bb", Key::alt(Code::Char('b'))),
            (b"\x1b\x1b[D", Key::alt(Code::Left)),
            (b"\x1b\x1bOC", Key::alt(Code::Right)),
            ("日".as_bytes(), Key::plain(Code::Char('日'))),
            (b"\x7f", Key::plain(Code::Backspace)),
            (b"\x1b[3~", Key::plain(Code::Delete)),
            (b"\x1b[5~", Key::plain(Code::PageUp)),
        ];
        for (bytes, key) in table {
            let shown = String::from_utf8_lossy(bytes).escape_debug().to_string();
            assert_eq!(keys(bytes), [Sent::Key(*key)], "{shown}");
            assert_eq!(one_by_one(bytes), [Sent::Key(*key)], "{shown}, a byte at a time");
        }
    }

    #[test]
    fn every_esc_is_one() {
        let esc = || Sent::Key(Key::plain(Code::Esc));
        let letter = |letter| Sent::Key(Key::plain(Code::Char(letter)));
        for (bytes, wanted) in [
            (&b"\x1b\x1b"[..], vec![esc(), esc()]),
            (b"\x1b\x1b\x1b", vec![esc(), esc(), esc()]),
            (b"\x1b\x1b\x1b\x1b[D", vec![esc(), esc(), Sent::Key(Key::alt(Code::Left))]),
            (b"\x1b\x1bx", vec![esc(), Sent::Key(Key::alt(Code::Char('x')))]),
            (b"\x1b\x1b[Dx", vec![Sent::Key(Key::alt(Code::Left)), letter('x')]),
        ] {
            let shown = String::from_utf8_lossy(bytes).escape_debug().to_string();
            assert_eq!(keys(bytes), wanted, "{shown}");
            assert_eq!(one_by_one(bytes), wanted, "{shown}, a byte at a time");
        }
    }

    #[test]
    fn pastes_and_answers_are_told_from_keys() {
        assert_eq!(keys(b"\x1b[200~a\nb\x1b[201~"), [Sent::Paste("a\nb".to_owned())]);
        assert_eq!(one_by_one(b"\x1b[200~a\nb\x1b[201~"), [Sent::Paste("a\nb".to_owned())]);
        assert_eq!(keys(b"\x1b[I\x1b[O"), [Sent::Focus(true), Sent::Focus(false)]);
        assert_eq!(keys(b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"), [Sent::Background { dark: true }]);
        assert_eq!(keys(b"\x1b]11;rgb:ff/ff/ee\x07"), [Sent::Background { dark: false }]);
        assert_eq!(keys(b"\x1b[97;1:3u"), []);
    }

    #[test]
    fn nonsense_is_no_key_and_does_no_harm() {
        for bytes in [&b"\x1b[27;99999999999;9~x"[..], b"\x1b[27;2;x", b"\xff\xfe", b"\x1b[27;", b"\x1b[<0;1;1M"] {
            let _ = keys(bytes);
            let _ = one_by_one(bytes);
        }
    }
}
