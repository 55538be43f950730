//! What a `$` begins.

use super::{Cursor, Parsed};
use crate::syntax::{Edit, Piece};

/// Characters of a pattern or default value inside `${…}` that can do nothing but be text.
fn tame(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_ .,:/*?@+=~%^#[]-".contains(&byte)
}

impl Cursor<'_> {
    pub(super) fn dollar(&mut self, quoted: bool) -> Parsed<Piece> {
        let start = self.at;
        self.at += 1;
        let variable = |name: &str| Piece::Variable { name: name.to_owned(), edit: Edit::None, quoted };
        match self.peek() {
            Some(b'(') if self.peek_at(1) == Some(b'(') => {
                self.at += 2;
                self.arithmetic(start)
            }
            Some(b'(') => {
                self.at += 1;
                Ok(Piece::Output { script: self.substitution()?, quoted })
            }
            Some(b'{') => {
                self.at += 1;
                self.parameter(quoted)
            }
            Some(b'[') => Err(self.fail_at(start, "old-style arithmetic")),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                let name = self.name().to_owned();
                if self.peek() == Some(b'[') {
                    // zsh reads a subscript here.
                    return Err(self.fail("a subscript after a variable"));
                }
                Ok(variable(&name))
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?$!-".contains(&byte) => {
                self.at += 1;
                Ok(variable(&self.text[self.at - 1..self.at]))
            }
            Some(b'\'') if !quoted => {
                self.at += 1;
                self.ansi(start)
            }
            Some(b'"') if !quoted => Err(self.fail_at(start, "a string to be translated")),
            Some(b'\\') if self.peek_at(1) == Some(b'\n') => Err(self.fail("a line joined inside a word")),
            Some(b'`') => Err(self.fail_at(start, "a dollar sign before backquotes")),
            Some(b'<') => Err(self.fail_at(start, "an expansion")),
            _ => Ok(Piece::Text { text: "$".to_owned(), quoted: true }),
        }
    }

    fn name(&mut self) -> &str {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// `$((…))` over whole numbers and variables; anything that assigns or indexes is refused.
    fn arithmetic(&mut self, start: usize) -> Parsed<Piece> {
        let refuse = |cursor: &Self| Err(cursor.fail_at(start, "arithmetic on more than numbers and plain variables"));
        let mut names = Vec::new();
        let mut open = 0_usize;
        loop {
            match self.peek() {
                Some(b')') if open == 0 => {
                    if self.peek_at(1) != Some(b')') {
                        return refuse(self);
                    }
                    self.at += 2;
                    return Ok(Piece::Arithmetic { names });
                }
                Some(b')') => {
                    open -= 1;
                    self.at += 1;
                }
                Some(b'(') => {
                    open += 1;
                    self.at += 1;
                }
                Some(b'+' | b'-') if self.peek_at(1) == self.peek() => return refuse(self),
                Some(b'=') => {
                    let before = self.bytes[self.at - 1];
                    let after = self.peek_at(1);
                    if !(matches!(before, b'=' | b'!')
                        || (matches!(before, b'<' | b'>') && self.bytes[self.at - 2] != before)
                        || after == Some(b'='))
                    {
                        return refuse(self);
                    }
                    self.at += 1;
                }
                Some(byte) if byte.is_ascii_digit() => {
                    let digits = self.name();
                    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                        return refuse(self);
                    }
                }
                Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let name = self.name().to_owned();
                    names.push(name);
                }
                Some(b'$') => {
                    self.at += 1;
                    let braced = self.take("{");
                    if !self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
                        return refuse(self);
                    }
                    let name = self.name().to_owned();
                    names.push(name);
                    if braced && !self.take("}") {
                        return refuse(self);
                    }
                }
                Some(byte) if b" +-*/%<>!&|^~?:".contains(&byte) => self.at += 1,
                _ => return refuse(self),
            }
        }
    }

    /// `${…}`, in the forms that only read a value.
    fn parameter(&mut self, quoted: bool) -> Parsed<Piece> {
        let start = self.at - 2;
        let length = self.peek() == Some(b'#') && self.peek_at(1) != Some(b'}');
        if length {
            self.at += 1;
        }
        let name = match self.peek() {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.name().to_owned(),
            Some(byte) if byte.is_ascii_digit() => self.name().to_owned(),
            Some(byte) if b"@*?#".contains(&byte) && self.peek_at(1) == Some(b'}') => {
                self.at += 1;
                char::from(byte).to_string()
            }
            _ => return Err(self.fail_at(start, "an expansion that is not known to be harmless")),
        };
        if name.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) && !name.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.fail_at(start, "an expansion that is not known to be harmless"));
        }
        let mut edit = Edit::None;
        if self.peek() == Some(b'[') {
            self.subscript(start)?;
            edit = Edit::Changed;
        }
        if length {
            edit = Edit::Length;
        } else if self.peek() != Some(b'}') {
            edit = self.edit(start)?;
        }
        if !self.take("}") {
            return Err(self.fail_at(start, "an expansion that is not known to be harmless"));
        }
        Ok(Piece::Variable { name, edit, quoted })
    }

    /// `[@]`, `[*]` or a number; every other subscript is evaluated.
    fn subscript(&mut self, start: usize) -> Parsed<()> {
        self.at += 1;
        if !(self.take("@") || self.take("*")) {
            self.take("-");
            let at = self.at;
            while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                self.at += 1;
            }
            if at == self.at {
                return Err(self.fail_at(start, "a subscript that is evaluated"));
            }
        }
        if !self.take("]") {
            return Err(self.fail_at(start, "a subscript that is evaluated"));
        }
        Ok(())
    }

    fn edit(&mut self, start: usize) -> Parsed<Edit> {
        let refuse = |cursor: &Self| Err(cursor.fail_at(start, "an expansion that is not known to be harmless"));
        for case in ["^^}", ",,}", "^}", ",}"] {
            if self.starts(case) {
                self.at += case.len() - 1;
                return Ok(Edit::Changed);
            }
        }
        for (sign, default) in [(":-", true), ("-", true), (":+", false), ("+", false)] {
            if self.take(sign) {
                let text = self.tame_text().to_owned();
                return Ok(if default { Edit::Default(text) } else { Edit::Alternate(text) });
            }
        }
        match self.peek() {
            Some(b'#' | b'%' | b'/') => {
                self.tame_text();
                Ok(Edit::Changed)
            }
            Some(b':') => {
                self.at += 1;
                while let Some(byte) = self.peek()
                    && (byte.is_ascii_digit() || b" :-".contains(&byte))
                {
                    self.at += 1;
                }
                Ok(Edit::Changed)
            }
            _ => refuse(self),
        }
    }

    fn tame_text(&mut self) -> &str {
        let start = self.at;
        while self.peek().is_some_and(tame) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// `$'…'`, decoded. An escaped quote is refused: a POSIX shell would end the string there.
    fn ansi(&mut self, start: usize) -> Parsed<Piece> {
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else {
                return Err(self.fail_at(start, "a quote is not closed"));
            };
            self.at += c.len_utf8();
            match c {
                '\'' => return Ok(Piece::Text { text, quoted: true }),
                '\\' => text.push(self.ansi_escape(start)?),
                '\n' if !self.documents.is_empty() => {
                    return Err(self.fail("a quoted line end on the line of a here-document"));
                }
                c if c.is_control() && c != '\n' && c != '\t' => {
                    return Err(self.fail("a control character"));
                }
                c => text.push(c),
            }
        }
    }

    fn ansi_escape(&mut self, start: usize) -> Parsed<char> {
        let refuse = |cursor: &Self| Err(cursor.fail_at(start, "an escape that is not decoded"));
        let Some(byte) = self.peek() else {
            return refuse(self);
        };
        self.at += 1;
        let (radix, most) = match byte {
            b'n' => return Ok('\n'),
            b't' => return Ok('\t'),
            b'r' => return Ok('\r'),
            b'a' => return Ok('\u{7}'),
            b'b' => return Ok('\u{8}'),
            b'f' => return Ok('\u{c}'),
            b'v' => return Ok('\u{b}'),
            b'e' | b'E' => return Ok('\u{1b}'),
            b'\\' => return Ok('\\'),
            b'"' => return Ok('"'),
            b'x' => (16, 2),
            b'u' => (16, 4),
            b'0'..=b'7' => {
                self.at -= 1;
                (8, 3)
            }
            _ => return refuse(self),
        };
        let from = self.at;
        while self.at - from < most && self.peek().is_some_and(|byte| char::from(byte).is_digit(radix)) {
            self.at += 1;
        }
        match u32::from_str_radix(&self.text[from..self.at], radix).ok().and_then(char::from_u32) {
            // Beyond ASCII the escape names a byte or depends on the locale; zero ends the string.
            Some(c) if c.is_ascii() && c != '\0' => Ok(c),
            _ => refuse(self),
        }
    }
}
