//! Words: quotes, escapes and plain text.

use super::{Cursor, Parsed};
use crate::syntax::{Piece, Word};

impl Cursor<'_> {
    /// The text from `start` to here as a literal word.
    pub(super) fn literal(&self, start: usize) -> Word {
        Word {
            pieces: vec![Piece::Text { text: self.text[start..self.at].to_owned(), quoted: false }],
            span: start..self.at,
        }
    }

    /// The word that starts here, if one does.
    pub(super) fn word(&mut self) -> Parsed<Option<Word>> {
        let start = self.at;
        let mut pieces = Vec::new();
        loop {
            match self.peek() {
                None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')') => break,
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => {
                    if self.peek() == Some(b'>') {
                        return Err(self.fail("a process substitution that is written to"));
                    }
                    if !pieces.is_empty() {
                        return Err(self.fail("a process substitution inside a word"));
                    }
                    self.at += 2;
                    pieces.push(Piece::Process { script: self.substitution()? });
                    if self.peek().is_some_and(|next| !b" \t\n;&|)".contains(&next)) {
                        return Err(self.fail("a process substitution inside a word"));
                    }
                }
                Some(b'<' | b'>') => break,
                Some(b'\'') => {
                    self.at += 1;
                    let text = self.until_quote()?;
                    pieces.push(Piece::Text { text, quoted: true });
                }
                Some(b'"') => {
                    self.at += 1;
                    self.double_quotes(&mut pieces)?;
                }
                Some(b'\\') => {
                    let text = self.escaped()?.to_string();
                    pieces.push(Piece::Text { text, quoted: true });
                }
                Some(b'$') => {
                    let piece = self.dollar(false)?;
                    pieces.push(piece);
                }
                Some(b'`') => {
                    let piece = self.backquotes(false)?;
                    pieces.push(piece);
                }
                Some(_) => {
                    let text = self.plain()?;
                    pieces.push(Piece::Text { text, quoted: false });
                }
            }
        }
        if self.at == start {
            return Ok(None);
        }
        self.check_tilde(&pieces, start)?;
        Ok(Some(Word { pieces, span: start..self.at }))
    }

    /// Bytes that mean themselves, or are patterns or braces.
    fn plain(&mut self) -> Parsed<String> {
        let start = self.at;
        while let Some(byte) = self.peek()
            && !b" \t\n;&|()<>'\"\\$`".contains(&byte)
        {
            if byte < b' ' || byte == 0x7f {
                return Err(self.fail("a control character"));
            }
            if byte >= 0x80 {
                let next = self.text[self.at..].chars().next().expect("the cursor stands on a character");
                // In some locales these separate words.
                if next.is_whitespace() || next.is_control() || ('\u{200b}'..='\u{200f}').contains(&next) {
                    return Err(self.fail("a blank or control character beyond ASCII"));
                }
                self.at += next.len_utf8();
            } else {
                self.at += 1;
            }
        }
        Ok(self.text[start..self.at].to_owned())
    }

    fn escaped(&mut self) -> Parsed<char> {
        match self.text[self.at + 1..].chars().next() {
            None => Err(self.fail("a backslash at the end")),
            Some('\n') => Err(self.fail("a line joined inside a word")),
            Some(c) if c.is_control() || (c.is_whitespace() && c != ' ') => {
                Err(self.fail("an escaped control character"))
            }
            Some(c) => {
                self.at += 1 + c.len_utf8();
                Ok(c)
            }
        }
    }

    /// Text to the next single quote, which is taken too.
    pub(super) fn until_quote(&mut self) -> Parsed<String> {
        let start = self.at;
        while let Some(byte) = self.peek() {
            if byte == b'\'' {
                self.at += 1;
                return Ok(self.text[start..self.at - 1].to_owned());
            }
            self.check_quoted(byte)?;
            self.at += 1;
        }
        Err(self.fail_at(start, "a quote is not closed"))
    }

    fn check_quoted(&self, byte: u8) -> Parsed<()> {
        match byte {
            b'\n' if !self.documents.is_empty() => Err(self.fail("a quoted line end on the line of a here-document")),
            b'\n' | b'\t' => Ok(()),
            byte if byte < b' ' || byte == 0x7f => Err(self.fail("a control character")),
            _ => Ok(()),
        }
    }

    fn double_quotes(&mut self, pieces: &mut Vec<Piece>) -> Parsed<()> {
        let open = self.at - 1;
        let mut text = String::new();
        let mut start = self.at;
        // An empty pair of quotes still makes a word.
        pieces.push(Piece::Text { text: String::new(), quoted: true });
        loop {
            match self.peek() {
                None => return Err(self.fail_at(open, "a quote is not closed")),
                Some(b'"') => {
                    text.push_str(&self.text[start..self.at]);
                    self.at += 1;
                    if !text.is_empty() {
                        pieces.push(Piece::Text { text, quoted: true });
                    }
                    return Ok(());
                }
                Some(b'\\') => {
                    let next = self.peek_at(1);
                    match next {
                        Some(b'\n') => return Err(self.fail("a line joined inside quotes")),
                        Some(next @ (b'$' | b'`' | b'"' | b'\\')) => {
                            text.push_str(&self.text[start..self.at]);
                            text.push(char::from(next));
                            self.at += 2;
                            start = self.at;
                        }
                        Some(next) => {
                            self.check_quoted(next)?;
                            self.at += 1;
                        }
                        None => return Err(self.fail_at(open, "a quote is not closed")),
                    }
                }
                Some(byte @ (b'$' | b'`')) => {
                    text.push_str(&self.text[start..self.at]);
                    if !text.is_empty() {
                        pieces.push(Piece::Text { text: std::mem::take(&mut text), quoted: true });
                    }
                    let piece = if byte == b'$' { self.dollar(true)? } else { self.backquotes(true)? };
                    pieces.push(piece);
                    start = self.at;
                }
                Some(byte) => {
                    self.check_quoted(byte)?;
                    self.at += 1;
                }
            }
        }
    }

    /// `` `…` `` around text so plain that its escapes cannot matter.
    fn backquotes(&mut self, quoted: bool) -> Parsed<Piece> {
        let open = self.at;
        let Some(length) = self.bytes[open + 1..].iter().position(|byte| *byte == b'`') else {
            return Err(self.fail("backquotes are not closed"));
        };
        let inner = &self.text[open + 1..open + 1 + length];
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b" _./:=^@%+,|-".contains(&byte);
        if !inner.bytes().all(plain) || inner.trim().is_empty() {
            return Err(self.fail("backquotes around more than plain words"));
        }
        if !self.documents.is_empty() {
            return Err(self.fail("a substitution on the line of a here-document"));
        }
        let mut cursor = Cursor {
            text: &self.text[..open + 1 + length],
            bytes: &self.bytes[..open + 1 + length],
            at: open + 1,
            depth: self.depth,
            whole: self.whole,
            documents: Vec::new(),
        };
        let script = cursor.deeper(|cursor| cursor.list(&[]))?;
        if cursor.at != cursor.text.len() {
            return Err(cursor.fail("something stands where a command should end"));
        }
        self.at = open + length + 2;
        Ok(Piece::Output { script, quoted })
    }

    /// `~` and `~name` begin a path; other forms have meanings of their own in zsh.
    fn check_tilde(&self, pieces: &[Piece], start: usize) -> Parsed<()> {
        if let Some(Piece::Text { text, quoted: false }) = pieces.first()
            && let Some(rest) = text.strip_prefix('~')
        {
            let user = rest.split('/').next().unwrap_or_default();
            if !user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)) {
                return Err(self.fail_at(start, "a tilde before something that is no path"));
            }
        }
        Ok(())
    }
}
