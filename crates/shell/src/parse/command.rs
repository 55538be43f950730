//! Lists, pipelines and the compound commands.

use super::{Cursor, Parsed};
use crate::syntax::{Assigned, Assignment, Chain, Command, Kind, Pipeline, Script, Simple, Word};

/// Words that open or close a construct when they stand where a command starts.
const RESERVED: &[&str] = &[
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "repeat", "foreach", "end", "select", "then", "time", "until", "while", "{", "}",
];

impl Cursor<'_> {
    /// Commands up to the end of the text, a `)`, a `;;` or one of `closers`, which stays unread.
    pub(super) fn list(&mut self, closers: &[&str]) -> Parsed<Script> {
        let mut script = Script::default();
        loop {
            self.blanks_and_lines()?;
            if self.depth == 0 {
                self.whole = self.at;
            }
            if self.peek().is_none() || self.peek() == Some(b')') || self.starts(";;") {
                break;
            }
            if self.reserved().is_some_and(|word| closers.contains(&word)) {
                break;
            }
            let mut chain = self.chain()?;
            self.blanks()?;
            match self.peek() {
                None | Some(b')' | b'\n') => {}
                Some(b';') if self.starts(";;") => {}
                Some(b';') => self.at += 1,
                Some(b'&') => {
                    self.at += 1;
                    chain.background = true;
                }
                Some(_) => return Err(self.fail("something stands where a command should end")),
            }
            script.items.push(chain);
        }
        if self.peek().is_none() && !self.documents.is_empty() {
            return Err(self.fail("a here-document without an end"));
        }
        Ok(script)
    }

    /// The reserved word that stands here, unread.
    fn reserved(&self) -> Option<&'static str> {
        let rest = &self.bytes[self.at..];
        RESERVED.iter().copied().find(|word| {
            rest.starts_with(word.as_bytes()) && rest.get(word.len()).is_none_or(|next| b" \t\n;&|()<>".contains(next))
        })
    }

    fn take_reserved(&mut self, word: &'static str) -> Parsed<()> {
        if self.reserved() != Some(word) {
            return Err(self.fail("a compound command is not complete"));
        }
        self.at += word.len();
        Ok(())
    }

    fn chain(&mut self) -> Parsed<Chain> {
        let mut pipelines = vec![self.pipeline()?];
        loop {
            self.blanks()?;
            if !(self.take("&&") || self.take("||")) {
                return Ok(Chain { pipelines, background: false });
            }
            self.blanks_and_lines()?;
            pipelines.push(self.pipeline()?);
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        if self.reserved() == Some("time") {
            self.at += 4;
            self.blanks()?;
            if self.starts("-p ") {
                self.at += 3;
            }
            self.blanks()?;
        }
        if self.reserved() == Some("!") {
            self.at += 1;
            if self.peek() == Some(b'(') {
                return Err(self.fail("an extended pattern"));
            }
            self.blanks()?;
        }
        let mut commands = vec![self.command()?];
        loop {
            self.blanks()?;
            if self.peek() != Some(b'|') || self.starts("||") {
                return Ok(Pipeline { commands });
            }
            self.at += if self.starts("|&") { 2 } else { 1 };
            self.blanks_and_lines()?;
            commands.push(self.command()?);
        }
    }

    fn command(&mut self) -> Parsed<Command> {
        let start = self.at;
        let kind = match self.reserved() {
            Some("{") => self.deeper(|cursor| cursor.group())?,
            Some("if") => self.deeper(|cursor| cursor.conditional())?,
            Some(word @ ("while" | "until")) => self.deeper(|cursor| cursor.repeat(word))?,
            Some("for") => self.deeper(|cursor| cursor.each())?,
            Some("case") => self.deeper(|cursor| cursor.case())?,
            Some("[[") => self.test()?,
            Some("coproc") => return Err(self.fail("a coprocess")),
            Some("function") => return Err(self.fail("a function definition")),
            Some(_) => return Err(self.fail("a reserved word where a command should start")),
            None if self.starts("((") => return Err(self.fail("an arithmetic command")),
            None if self.peek() == Some(b'(') => {
                self.at += 1;
                let script = self.deeper(|cursor| cursor.list(&[]))?;
                if !self.take(")") {
                    return Err(self.fail("a subshell is not closed"));
                }
                Kind::Subshell(script)
            }
            None => return self.simple(),
        };
        let mut redirects = Vec::new();
        loop {
            self.blanks()?;
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        Ok(Command { kind, redirects, span: start..self.at })
    }

    fn group(&mut self) -> Parsed<Kind> {
        self.at += 1;
        let script = self.list(&["}"])?;
        self.take_reserved("}")?;
        Ok(Kind::Group(script))
    }

    fn conditional(&mut self) -> Parsed<Kind> {
        self.at += 2;
        let mut arms = Vec::new();
        loop {
            let condition = self.list(&["then"])?;
            self.take_reserved("then")?;
            let body = self.list(&["elif", "else", "fi"])?;
            arms.push((condition, body));
            match self.reserved() {
                Some("elif") => self.at += 4,
                Some("else") => {
                    self.at += 4;
                    let otherwise = Some(self.list(&["fi"])?);
                    self.take_reserved("fi")?;
                    return Ok(Kind::If { arms, otherwise });
                }
                _ => {
                    self.take_reserved("fi")?;
                    return Ok(Kind::If { arms, otherwise: None });
                }
            }
        }
    }

    fn repeat(&mut self, word: &'static str) -> Parsed<Kind> {
        self.at += word.len();
        let condition = self.list(&["do"])?;
        let body = self.body()?;
        Ok(Kind::Loop { condition, body })
    }

    fn body(&mut self) -> Parsed<Script> {
        self.take_reserved("do")?;
        let body = self.list(&["done"])?;
        self.take_reserved("done")?;
        Ok(body)
    }

    fn each(&mut self) -> Parsed<Kind> {
        self.at += 3;
        self.blanks()?;
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.at += 1;
        }
        let name = self.text[start..self.at].to_owned();
        if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
            return Err(self.fail("a loop without a plain variable"));
        }
        if !matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b';')) {
            return Err(self.fail("a loop without a plain variable"));
        }
        self.blanks_and_lines()?;
        let mut words = None;
        if self.reserved() == Some("in") {
            self.at += 2;
            let found = words.insert(Vec::new());
            loop {
                self.blanks()?;
                match self.peek() {
                    None | Some(b';' | b'\n') => break,
                    Some(_) => match self.word()? {
                        Some(word) => self.braces(word, found)?,
                        None => {
                            return Err(self.fail("something that is no word in the list of a loop"));
                        }
                    },
                }
            }
        }
        self.blanks()?;
        if self.peek() == Some(b';') && !self.starts(";;") {
            self.at += 1;
        }
        self.blanks_and_lines()?;
        let body = self.body()?;
        Ok(Kind::For { name, words, body })
    }

    fn case(&mut self) -> Parsed<Kind> {
        self.at += 4;
        self.blanks()?;
        let Some(word) = self.word()? else {
            return Err(self.fail("a case without a word"));
        };
        self.blanks_and_lines()?;
        self.take_reserved("in")?;
        let mut arms = Vec::new();
        loop {
            self.blanks_and_lines()?;
            if self.reserved() == Some("esac") {
                self.at += 4;
                return Ok(Kind::Case { word, arms });
            }
            self.take("(");
            let mut patterns = Vec::new();
            loop {
                self.blanks()?;
                match self.word()? {
                    Some(pattern) => patterns.push(pattern),
                    None => return Err(self.fail("a case pattern that is no plain word")),
                }
                self.blanks()?;
                if self.take(")") {
                    break;
                }
                if self.starts("||") || !self.take("|") {
                    return Err(self.fail("a case pattern that is no plain word"));
                }
            }
            let body = self.list(&["esac"])?;
            arms.push((patterns, body));
            if !(self.take(";;&") || self.take(";;")) && self.reserved() != Some("esac") {
                return Err(self.fail("a case arm is not closed"));
            }
            self.take("&");
        }
    }

    /// `[[ … ]]`: words and operators alike are kept as words; what they mean is judged later.
    fn test(&mut self) -> Parsed<Kind> {
        self.at += 2;
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.blanks_and_lines()?;
            let start = self.at;
            if self.reserved() == Some("]]") {
                self.at += 2;
                return Ok(Kind::Test(words));
            }
            if self.take("&&") || self.take("||") || self.take("(") || self.take(")") {
                words.push(self.literal(start));
                continue;
            }
            match self.peek() {
                None | Some(b'<' | b'>' | b';' | b'&' | b'|') => {
                    return Err(self.fail("a comparison inside [[ ]]"));
                }
                Some(_) => match self.word()? {
                    Some(word) => words.push(word),
                    None => return Err(self.fail("something that is no word inside [[ ]]")),
                },
            }
        }
    }

    fn simple(&mut self) -> Parsed<Command> {
        let start = self.at;
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut end = start;
        loop {
            self.blanks()?;
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                end = self.at;
                continue;
            }
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => {
                    return Err(self.fail("a function definition or a list in parentheses"));
                }
                Some(_) => {}
            }
            if simple.words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                simple.assignments.push(assignment);
            } else {
                match self.word()? {
                    Some(word) => self.braces(word, &mut simple.words)?,
                    None => return Err(self.fail("something that is no word")),
                }
            }
            end = self.at;
        }
        if end == start {
            return Err(self.fail("a command is missing"));
        }
        Ok(Command { kind: Kind::Simple(simple), redirects, span: start..end })
    }

    /// `name=value`, where a command may start.
    fn assignment(&mut self) -> Parsed<Option<Assignment>> {
        let start = self.at;
        let mut at = start;
        while self.bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            at += 1;
        }
        if at == start || self.bytes[start].is_ascii_digit() {
            return Ok(None);
        }
        let name = self.text[start..at].to_owned();
        if self.bytes.get(at) == Some(&b'[') {
            // `a[i]=x`: the subscript is evaluated. Without a `=` later it is a word, and no
            // program of ours has such a name.
            return Err(self.fail("an assignment to an element"));
        }
        let append = self.bytes[at..].starts_with(b"+=");
        if !append && self.bytes.get(at) != Some(&b'=') {
            return Ok(None);
        }
        self.at = at + if append { 2 } else { 1 };
        let value = if self.take("(") {
            let mut words = Vec::new();
            loop {
                self.blanks_and_lines()?;
                if self.take(")") {
                    break;
                }
                if self.peek() == Some(b'[') {
                    return Err(self.fail("an assignment to an element"));
                }
                match self.word()? {
                    Some(word) => self.braces(word, &mut words)?,
                    None => return Err(self.fail("something that is no word in a list")),
                }
            }
            if !matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')')) {
                return Err(self.fail("text after a list"));
            }
            Assigned::Array(words)
        } else {
            let at = self.at;
            Assigned::Word(self.word()?.unwrap_or(Word { pieces: Vec::new(), span: at..at }))
        };
        Ok(Some(Assignment { name, append, value, span: start..self.at }))
    }
}
