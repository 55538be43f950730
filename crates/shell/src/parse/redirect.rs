//! Redirections and here-documents.

use super::{Cursor, Parsed};
use crate::syntax::{Piece, Redirect, RedirectKind};

/// A here-document whose body has not been reached.
pub(super) struct Document {
    end: String,
    /// `<<-`: leading tabs are dropped.
    tabs: bool,
    /// The body is expanded unless a part of the delimiter was quoted.
    quoted: bool,
}

impl Cursor<'_> {
    /// The redirection that starts here, if one does.
    pub(super) fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        let start = self.at;
        let mut at = start;
        while self.bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        let rest = &self.bytes[at..];
        let operator = ["<<<", "<<-", "&>>", "<<", "<&", "<>", ">>", ">|", ">&", "&>", "<", ">"]
            .into_iter()
            .find(|operator| rest.starts_with(operator.as_bytes()));
        let Some(operator) = operator else {
            return self.named_descriptor().map(|()| None);
        };
        if operator.starts_with('&') && at > start {
            return Ok(None);
        }
        if matches!(operator, "<" | ">") && rest.get(1) == Some(&b'(') {
            if at > start {
                return Err(self.fail("a process substitution after a number"));
            }
            return Ok(None);
        }
        if at - start > 3 {
            return Err(self.fail("a descriptor with a large number"));
        }
        self.at = at + operator.len();
        let kind = match operator {
            "<<" | "<<-" => self.document(operator == "<<-")?,
            "<&" | ">&" => self.descriptor(operator)?,
            _ => {
                let word = self.target()?;
                match operator {
                    "<" => RedirectKind::From(word),
                    "<>" => RedirectKind::Both(word),
                    "<<<" => RedirectKind::Text(word),
                    _ => RedirectKind::To(word),
                }
            }
        };
        Ok(Some(Redirect { kind, span: start..self.at }))
    }

    /// `{name}>file` assigns a descriptor to a variable.
    fn named_descriptor(&self) -> Parsed<()> {
        if self.peek() == Some(b'{') {
            let name = self.bytes[self.at + 1..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || b"_[]".contains(byte))
                .count();
            let after = self.at + 1 + name;
            if name > 0
                && self.bytes.get(after) == Some(&b'}')
                && matches!(self.bytes.get(after + 1), Some(b'<' | b'>'))
            {
                return Err(self.fail("a descriptor kept in a variable"));
            }
        }
        Ok(())
    }

    fn target(&mut self) -> Parsed<crate::syntax::Word> {
        self.blanks()?;
        let Some(word) = self.word()? else {
            return Err(self.fail("a redirection without a target"));
        };
        let mut expanded = Vec::new();
        self.braces(word, &mut expanded)?;
        match (expanded.pop(), expanded.is_empty()) {
            (Some(word), true) => Ok(word),
            _ => Err(self.fail("a redirection with several targets")),
        }
    }

    /// After `>&` and `<&`: a number or `-` names no file; for `>&` any other word does.
    fn descriptor(&mut self, operator: &str) -> Parsed<RedirectKind> {
        let word = self.target()?;
        match word.bare() {
            Some("-") => Ok(RedirectKind::Descriptor),
            Some(number) if number.len() < 4 && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                Ok(RedirectKind::Descriptor)
            }
            Some(text) if operator == ">&" && !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                Ok(RedirectKind::To(word))
            }
            _ if operator == ">&" && word.pieces.iter().all(|piece| matches!(piece, Piece::Text { .. })) => {
                Ok(RedirectKind::To(word))
            }
            _ => Err(self.fail_at(word.span.start, "a descriptor that is not a plain number")),
        }
    }

    fn document(&mut self, tabs: bool) -> Parsed<RedirectKind> {
        self.blanks()?;
        let refuse = |cursor: &Self| Err(cursor.fail("a here-document with an unusual delimiter"));
        let Some(word) = self.word()? else {
            return refuse(self);
        };
        let (end, quoted) = match word.pieces.as_slice() {
            [Piece::Text { text, quoted }] => (text.clone(), *quoted),
            // An empty piece marks the opening double quote.
            [Piece::Text { text: empty, quoted: true }, Piece::Text { text, quoted: true }] if empty.is_empty() => {
                (text.clone(), true)
            }
            [Piece::Text { text: first, quoted: true }, Piece::Text { text: rest, quoted: false }]
                if first.len() == 1 && self.bytes[word.span.start] == b'\\' =>
            {
                (format!("{first}{rest}"), true)
            }
            _ => return refuse(self),
        };
        if end.is_empty() || !end.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)) {
            return refuse(self);
        }
        self.documents.push(Document { end, tabs, quoted });
        Ok(RedirectKind::Document)
    }

    /// Takes the bodies of the announced here-documents, just after a line end.
    pub(super) fn document_bodies(&mut self) -> Parsed<()> {
        for document in std::mem::take(&mut self.documents) {
            loop {
                if self.at >= self.bytes.len() {
                    return Err(self.fail("a here-document without an end"));
                }
                let length = self.bytes[self.at..].iter().position(|byte| *byte == b'\n');
                let end = length.map_or(self.bytes.len(), |length| self.at + length);
                let line = &self.text[self.at..end];
                let shown = if document.tabs { line.trim_start_matches('\t') } else { line };
                let last = shown == document.end;
                if !last && !document.quoted && line.contains(['$', '`', '\\']) {
                    return Err(self.fail("an expansion in a here-document"));
                }
                if line.contains(['\0', '\r']) {
                    return Err(self.fail("a control character"));
                }
                // The line end after the delimiter still separates commands.
                self.at = if last { end } else { (end + 1).min(self.bytes.len()) };
                if last {
                    break;
                }
            }
            if !self.bytes[self.at..].is_empty() {
                self.at += 1;
            }
        }
        Ok(())
    }
}
