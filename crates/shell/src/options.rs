//! Reads a program's options from the words it is given, by a table.
//!
//! A table is text, one entry per option: `-n` and `--name` are flags, a `:` after it means that a
//! value follows (glued or as the next word), `?` that a value may be glued on, `~` that the next
//! word is its value if there is one, `-#` any number (`head -20`).

use crate::finding::Finding;
use crate::syntax::Span;
use crate::value::{Arg, Tail};

/// The options and operands that a program may be given.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Options that only change what is read or printed.
    pub reads: &'static [&'static str],
    /// Options that write.
    pub writes: &'static str,
    /// Options that start a program, open a connection or cannot be followed.
    pub runs: &'static str,
    /// What else may be given.
    pub operands: Operands,
    /// How the program reads its words.
    pub style: Style,
}

/// What a program may be given beside its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Anything: they are read.
    Any,
    /// At most this many: a further one would be written.
    AtMost(usize),
}

/// How a program reads its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `-a -b`, `-ab`, `--long`, `--lo`, in any order.
    Gnu,
    /// The same, up to the first operand.
    First,
    /// `-long` and `--long`, never joined.
    Long,
    /// Like `Gnu`, but a value is always the next word, even within joined options.
    Apart,
}

/// An option that was found.
#[derive(Clone, Debug)]
pub(crate) struct Seen<'a> {
    pub name: &'a str,
    pub value: Option<Value<'a>>,
}

/// The value of an option: a piece of a word, or a word.
#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Glued { text: &'a str, tail: Tail },
    Word(&'a Arg),
}

impl Value<'_> {
    pub(crate) fn known(&self) -> Option<&str> {
        match self {
            Value::Glued { text, tail: Tail::None } => Some(text),
            Value::Glued { .. } => None,
            Value::Word(arg) => arg.known(),
        }
    }
}

/// The words of one call, sorted out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scanned<'a> {
    pub options: Vec<Seen<'a>>,
    pub operands: Vec<&'a Arg>,
    /// Index, among the words that were scanned, of the first operand.
    pub first: Option<usize>,
}

impl Scanned<'_> {
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|seen| names.contains(&seen.name))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Reads,
    Writes,
    Runs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arity {
    Flag,
    Value,
    Glued,
    NextIfAny,
}

/// One entry of a table, taken apart.
fn entry(text: &str) -> (&str, Arity) {
    match text.as_bytes().last() {
        Some(b':') => (&text[..text.len() - 1], Arity::Value),
        Some(b'?') if text.len() > 2 => (&text[..text.len() - 1], Arity::Glued),
        Some(b'~') => (&text[..text.len() - 1], Arity::NextIfAny),
        _ => (text, Arity::Flag),
    }
}

impl Options {
    fn entries(&self) -> impl Iterator<Item = (&'static str, Arity, Class)> {
        let reads = self.reads.iter().flat_map(|part| part.split_ascii_whitespace()).map(|text| (text, Class::Reads));
        let writes = self.writes.split_ascii_whitespace().map(|text| (text, Class::Writes));
        let runs = self.runs.split_ascii_whitespace().map(|text| (text, Class::Runs));
        // The troublesome first, so that they win where a table names an option twice.
        writes.chain(runs).chain(reads).map(|(text, class)| {
            let (name, arity) = entry(text);
            (name, arity, class)
        })
    }

    fn exact(&self, name: &str) -> Option<(&'static str, Arity, Class)> {
        self.entries().find(|(known, _, _)| *known == name)
    }

    /// A long option, maybe shortened.
    fn long(&self, name: &str) -> Result<(&'static str, Arity, Class), &'static str> {
        if let Some(found) = self.exact(name) {
            return Ok(found);
        }
        if self.style == Style::Long {
            return Err("is not on the list of its options");
        }
        let mut fitting = self.entries().filter(|(known, _, _)| known.len() > 3 && known.starts_with(name));
        match (fitting.next(), fitting.next()) {
            (Some(found), None) => Ok(found),
            (None, _) => Err("is not on the list of its options"),
            (Some(_), Some(_)) => Err("is short for several options"),
        }
    }

    /// Sorts out `words`, which do not include the program's name. `program` is for messages.
    pub(crate) fn scan<'a>(&self, program: &str, words: &'a [Arg]) -> Result<Scanned<'a>, Finding> {
        let mut scan = Scan { table: self, program, words, at: 0, found: Scanned::default() };
        scan.run()?;
        Ok(scan.found)
    }
}

struct Scan<'t, 'a> {
    table: &'t Options,
    program: &'t str,
    words: &'a [Arg],
    at: usize,
    found: Scanned<'a>,
}

impl<'a> Scan<'_, 'a> {
    fn run(&mut self) -> Result<(), Finding> {
        while let Some(arg) = self.words.get(self.at) {
            self.at += 1;
            if !arg.may_be_option() || arg.known() == Some("-") {
                self.operand(arg, self.at - 1);
                if self.table.style == Style::First {
                    break;
                }
                continue;
            }
            if !arg.text.starts_with('-') {
                let kind = if arg.many { "a pattern or expansion" } else { "an expansion" };
                return Err(Finding::unproved(&arg.span, format!("{kind} could become an option of {}", self.program)));
            }
            if arg.known() == Some("--") {
                break;
            }
            if arg.text.starts_with("--") || self.table.style == Style::Long {
                self.long(arg)?;
            } else {
                self.cluster(arg)?;
            }
        }
        let rest = self.at;
        for (index, arg) in self.words[rest..].iter().enumerate() {
            self.operand(arg, rest + index);
        }
        Ok(())
    }

    fn operand(&mut self, arg: &'a Arg, index: usize) {
        self.found.first.get_or_insert(index);
        self.found.operands.push(arg);
    }

    fn long(&mut self, arg: &'a Arg) -> Result<(), Finding> {
        let (name, glued) = match arg.text.split_once('=') {
            Some((name, value)) => (name, Some(Value::Glued { text: value, tail: arg.tail })),
            None if arg.known().is_none() => return Err(self.unknown_word(arg)),
            None => (arg.text.as_str(), None),
        };
        if arg.many {
            return Err(self.unknown_word(arg));
        }
        let (name, arity, class) = self
            .table
            .long(name)
            .or_else(|message| {
                // `--name` where the table has `-name`.
                let single = (self.table.style == Style::Long).then(|| name.strip_prefix('-')).flatten();
                single.and_then(|name| self.table.exact(name)).ok_or(message)
            })
            .map_err(|message| Finding::unproved(&arg.span, format!("{} {name} {message}", self.program)))?;
        self.check(name, class, &arg.span)?;
        let value = match (arity, glued) {
            (Arity::Flag, Some(_)) => {
                return Err(Finding::unproved(&arg.span, format!("{} {name} takes no value", self.program)));
            }
            (Arity::Value, None) => Some(Value::Word(self.value(name, &arg.span)?)),
            (Arity::NextIfAny, None) => self.value(name, &arg.span).ok().map(Value::Word),
            (_, glued) => glued,
        };
        self.found.options.push(Seen { name, value });
        Ok(())
    }

    fn cluster(&mut self, arg: &'a Arg) -> Result<(), Finding> {
        let text = arg.text.as_str();
        let mut at = 1;
        if arg.many {
            return Err(self.unknown_word(arg));
        }
        while let Some(c) = text[at..].chars().next() {
            if c.is_ascii_digit() && self.table.exact("-#").is_some() {
                at += text[at..].bytes().take_while(u8::is_ascii_digit).count();
                self.found.options.push(Seen { name: "-#", value: None });
                continue;
            }
            let mut name = [b'-', 0, 0, 0, 0];
            let length = c.encode_utf8(&mut name[1..]).len();
            let name = std::str::from_utf8(&name[..=length]).expect("a character after a dash");
            let Some((name, arity, class)) = self.table.exact(name) else {
                return Err(Finding::unproved(
                    &arg.span,
                    format!("{} {name} is not on the list of its options", self.program),
                ));
            };
            self.check(name, class, &arg.span)?;
            at += c.len_utf8();
            let rest = &text[at..];
            let glued = Value::Glued { text: rest, tail: arg.tail };
            if self.table.style == Style::Apart && arity != Arity::Flag && !rest.bytes().all(|b| b.is_ascii_digit()) {
                return Err(Finding::unproved(
                    &arg.span,
                    format!("{} {name} is joined with other options", self.program),
                ));
            }
            let value = match arity {
                Arity::Flag => {
                    self.found.options.push(Seen { name, value: None });
                    continue;
                }
                Arity::Glued => (!rest.is_empty() || arg.tail != Tail::None).then_some(glued),
                _ if !rest.is_empty() => Some(glued),
                // An expansion that may turn out empty would make the next word the value.
                _ if arg.tail != Tail::None => return Err(self.unknown_word(arg)),
                Arity::NextIfAny => self.value(name, &arg.span).ok().map(Value::Word),
                Arity::Value => Some(Value::Word(self.value(name, &arg.span)?)),
            };
            self.found.options.push(Seen { name, value });
            return Ok(());
        }
        if arg.tail != Tail::None {
            if self.table.exact("-#").is_some() && arg.tail == Tail::Digits {
                return Ok(());
            }
            return Err(self.unknown_word(arg));
        }
        Ok(())
    }

    /// The next word, as the value of `name`.
    fn value(&mut self, name: &str, span: &Span) -> Result<&'a Arg, Finding> {
        let Some(arg) = self.words.get(self.at) else {
            return Err(Finding::unproved(span, format!("{} {name} lacks its value", self.program)));
        };
        if arg.many {
            return Err(Finding::unproved(
                &arg.span,
                format!("it is not known what {} {name} will be given", self.program),
            ));
        }
        self.at += 1;
        Ok(arg)
    }

    fn unknown_word(&self, arg: &Arg) -> Finding {
        Finding::unproved(&arg.span, format!("an expansion takes part in an option of {}", self.program))
    }

    fn check(&self, name: &str, class: Class, span: &Span) -> Result<(), Finding> {
        match class {
            Class::Reads => Ok(()),
            Class::Writes => Err(Finding::changes(span, format!("{} {name} writes", self.program))),
            Class::Runs => Err(Finding::unproved(
                span,
                format!("{} {name} can start a program, reach the network or change something", self.program),
            )),
        }
    }
}

impl Options {
    /// Judges `words`, which do not include the program's name.
    pub(crate) fn judge<'a>(&self, program: &str, words: &'a [Arg]) -> Result<Scanned<'a>, Finding> {
        let scanned = self.scan(program, words)?;
        match self.operands {
            Operands::Any => {}
            Operands::AtMost(most) => {
                if let Some(arg) = scanned.operands.iter().find(|arg| arg.many) {
                    return Err(Finding::unproved(
                        &arg.span,
                        format!("it is not known how many operands {program} will get"),
                    ));
                }
                if let Some(arg) = scanned.operands.get(most) {
                    return Err(if most == 0 {
                        Finding::unproved(&arg.span, format!("{program} with an operand is not known to read only"))
                    } else {
                        Finding::changes(&arg.span, format!("{program} writes this operand"))
                    });
                }
            }
        }
        Ok(scanned)
    }
}
