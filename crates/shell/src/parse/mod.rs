//! A strict reader of the shell's grammar: what it does not understand exactly, it refuses.
//!
//! One pass, one cursor, no going back over a substitution, so the time is linear in the text.
//! Two rules keep it honest: a byte that bash could read differently in some locale, mode or
//! position is refused, and so is every construct whose effect depends on values.

mod brace;
mod command;
mod dollar;
mod redirect;
mod word;

use crate::syntax::Script;

/// The longest text that is looked at.
pub(crate) const LONGEST: usize = 100_000;
/// How deep commands may stand inside one another.
pub(crate) const DEEPEST: usize = 40;

/// The first thing that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fail {
    pub at: usize,
    pub message: &'static str,
    /// Everything before this offset was read as whole commands.
    pub whole: usize,
}

pub(crate) type Parsed<T> = Result<T, Fail>;

/// Reads a whole command line.
pub(crate) fn script(text: &str) -> Parsed<Script> {
    if text.len() > LONGEST {
        return Err(Fail { at: 0, message: "the command is too long to be judged", whole: 0 });
    }
    let mut cursor = Cursor { text, bytes: text.as_bytes(), at: 0, depth: 0, whole: 0, documents: Vec::new() };
    let script = cursor.list(&[])?;
    if cursor.at < text.len() {
        return Err(cursor.fail("something stands where a command should end"));
    }
    Ok(script)
}

struct Cursor<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    whole: usize,
    /// Here-documents announced on this line, whose bodies start at the next one.
    documents: Vec<redirect::Document>,
}

impl Cursor<'_> {
    fn fail(&self, message: &'static str) -> Fail {
        self.fail_at(self.at, message)
    }

    fn fail_at(&self, at: usize, message: &'static str) -> Fail {
        Fail { at: at.min(self.text.len()), message, whole: self.whole }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn starts(&self, text: &str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.starts(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// One level deeper, for as long as `read` runs.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(self.fail("commands are nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The commands of a substitution, up to and with its `)`.
    fn substitution(&mut self) -> Parsed<Script> {
        if !self.documents.is_empty() {
            return Err(self.fail("a substitution on the line of a here-document"));
        }
        let script = self.deeper(|cursor| cursor.list(&[]))?;
        if !self.documents.is_empty() {
            return Err(self.fail("a here-document that does not end inside its substitution"));
        }
        if !self.take(")") {
            return Err(self.fail("a substitution is not closed"));
        }
        Ok(script)
    }

    /// Skips spaces, tabs, comments and joined lines, but no line end.
    fn blanks(&mut self) -> Parsed<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                // Only between words: inside one, bash would join the halves.
                Some(b'\\') if self.peek_at(1) == Some(b'\n') && self.after_blank() => {
                    // With the line end trimmed away, this would be a word.
                    if self.at + 2 == self.bytes.len() {
                        return Err(self.fail("a backslash at the end"));
                    }
                    self.at += 2;
                }
                Some(b'#') if self.at_token_start() => {
                    while let Some(byte) = self.peek()
                        && byte != b'\n'
                    {
                        if byte < b' ' && byte != b'\t' {
                            return Err(self.fail("a control character"));
                        }
                        self.at += 1;
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether the byte before is a blank, so that a joined line joins no word or operator.
    fn after_blank(&self) -> bool {
        matches!(self.at.checked_sub(1).map(|before| self.bytes[before]), None | Some(b' ' | b'\t' | b'\n'))
    }

    fn at_token_start(&self) -> bool {
        self.at == 0 || b" \t\n;&|()<>`".contains(&self.bytes[self.at - 1])
    }

    /// Takes one line end and the here-documents that start after it.
    fn line_end(&mut self) -> Parsed<bool> {
        if self.peek() != Some(b'\n') {
            return Ok(false);
        }
        self.at += 1;
        self.document_bodies()?;
        Ok(true)
    }

    fn blanks_and_lines(&mut self) -> Parsed<()> {
        loop {
            self.blanks()?;
            if !self.line_end()? {
                return Ok(());
            }
        }
    }
}
