//! What is known about a word before it runs: the argument, or the beginning of it.

use crate::syntax::{Edit, Piece, Span, Word};
use std::collections::HashMap;

/// The most alternatives that are followed for one word or variable.
const MOST: usize = 24;

/// What may follow the part of a value that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tail {
    /// Nothing: the value is known.
    None,
    /// Digits, maybe none.
    Digits,
    /// A whole number, maybe negative.
    Number,
    /// Text of which no field begins with `-`.
    Plain,
    /// The rest of a relative path that a pattern found: no `/` at its beginning.
    Name,
    /// Anything.
    Any,
}

/// One possible value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub text: String,
    pub tail: Tail,
}

impl Value {
    pub(crate) fn exact(text: impl Into<String>) -> Value {
        Value { text: text.into(), tail: Tail::None }
    }

    pub(crate) fn of(tail: Tail) -> Value {
        Value { text: String::new(), tail }
    }
}

/// Stands for a number that is not known.
pub(crate) const HOLE: char = '\u{1}';

/// One argument as a program will get it, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arg {
    pub text: String,
    pub tail: Tail,
    /// It may become any number of arguments, each as described.
    pub many: bool,
    /// The whole text where only numbers in it are not known, with [`HOLE`] for each of them.
    pub numbers: Option<String>,
    pub span: Span,
}

impl Arg {
    pub(crate) fn exact(text: impl Into<String>, span: Span) -> Arg {
        Arg { text: text.into(), tail: Tail::None, many: false, numbers: None, span }
    }

    /// Something of which only the beginning is known.
    pub(crate) fn open(text: impl Into<String>, tail: Tail, many: bool, span: Span) -> Arg {
        Arg { text: text.into(), tail, many, numbers: None, span }
    }

    /// The whole text, when it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        (self.tail == Tail::None && !self.many).then_some(self.text.as_str())
    }

    /// Whether it could begin with `-`.
    pub(crate) fn may_be_option(&self) -> bool {
        if self.text.is_empty() {
            matches!(self.tail, Tail::Any | Tail::Name | Tail::Number)
        } else {
            self.text.starts_with('-')
        }
    }

    /// Whether it is a whole number for certain.
    pub(crate) fn is_number(&self) -> bool {
        let digits = self.text.strip_prefix('-').unwrap_or(&self.text);
        // Digits alone are one number or, where a program failed, none.
        (!self.many || self.tail == Tail::Digits && self.text.is_empty())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && match self.tail {
                Tail::None => !digits.is_empty(),
                Tail::Digits => true,
                Tail::Number => digits.is_empty(),
                _ => false,
            }
    }
}

/// The variables whose values are followed. One that is not here has a value nobody knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variables(HashMap<String, Vec<Value>>);

impl Variables {
    pub(crate) fn set(&mut self, name: &str, mut values: Vec<Value>) {
        values.dedup();
        if values.len() > MOST || values.iter().any(|value| *value == Value::of(Tail::Any)) {
            self.0.remove(name);
        } else {
            self.0.insert(name.to_owned(), values);
        }
    }

    pub(crate) fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// What holds after either of two ways.
    pub(crate) fn join(&mut self, other: &Variables) {
        self.0.retain(|name, values| match other.0.get(name) {
            Some(more) => {
                for value in more {
                    if !values.contains(value) {
                        values.push(value.clone());
                    }
                }
                values.len() <= MOST
            }
            None => false,
        });
    }

    pub(crate) fn get(&self, name: &str) -> Vec<Value> {
        if let Some(values) = self.0.get(name) {
            return values.clone();
        }
        match name {
            // bash sets these itself, to absolute paths.
            "HOME" | "PWD" => vec![Value { text: "/".to_owned(), tail: Tail::Any }],
            "?" | "#" | "$" | "!" | "UID" | "EUID" | "PPID" | "LINENO" | "SECONDS" | "RANDOM" => {
                vec![Value::of(Tail::Digits)]
            }
            _ => vec![Value::of(Tail::Any)],
        }
    }

    pub(crate) fn is_number(&self, name: &str) -> bool {
        self.get(name).iter().all(|value| match value.tail {
            Tail::None => !value.text.is_empty() && value.text.bytes().all(|byte| byte.is_ascii_digit()),
            Tail::Digits => value.text.bytes().all(|byte| byte.is_ascii_digit()),
            Tail::Number => value.text.is_empty(),
            _ => false,
        })
    }
}

/// How a word is used, which decides whether it is split and matched against file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A word of a command.
    Argument,
    /// The right side of an assignment, a redirection's text, a word of `[[ ]]` or `case`.
    Text,
}

/// The ways `word` can turn out.
pub(crate) fn expand(word: &Word, variables: &Variables, usage: Use) -> Vec<Arg> {
    if word.bare() == Some("[") {
        // The command, not a pattern.
        return vec![Arg::exact("[", word.span.clone())];
    }
    let mut ways = vec![Building::default()];
    for (index, piece) in word.pieces.iter().enumerate() {
        let (values, quoted) = piece_values(piece, variables, index == 0);
        if ways.len() * values.len() > MOST {
            let many = usage == Use::Argument;
            return vec![Arg::open("", Tail::Any, many, word.span.clone())];
        }
        let pattern = usage == Use::Argument && !quoted;
        ways = ways
            .iter()
            .flat_map(|way| values.iter().map(move |value| way.clone().then(value, piece, pattern)))
            .collect();
    }
    ways.into_iter().map(|way| way.finish(word.span.clone())).collect()
}

/// The values of one piece, and whether it is protected from splitting and patterns.
fn piece_values(piece: &Piece, variables: &Variables, first: bool) -> (Vec<Value>, bool) {
    match piece {
        Piece::Text { text, quoted } => {
            if first && !quoted && text.starts_with('~') {
                return (vec![Value { text: "/".to_owned(), tail: Tail::Any }], true);
            }
            (vec![Value::exact(text.clone())], *quoted)
        }
        Piece::Variable { name, edit, quoted } => {
            let values = match edit {
                Edit::None => variables.get(name),
                Edit::Length => vec![Value::of(Tail::Digits)],
                Edit::Default(text) => [variables.get(name), vec![Value::exact(text.clone())]].concat(),
                Edit::Alternate(text) => vec![Value::exact(text.clone()), Value::exact("")],
                Edit::Changed => vec![Value::of(Tail::Any)],
            };
            (values, *quoted && name != "@")
        }
        Piece::Output { script, quoted } => (vec![crate::output::shape(script, variables)], *quoted),
        Piece::Process { .. } => (vec![Value { text: "/dev/fd/".to_owned(), tail: Tail::Digits }], true),
        Piece::Arithmetic { .. } => (vec![Value::of(Tail::Number)], true),
    }
}

/// An argument while its pieces are put together.
#[derive(Clone, Debug)]
struct Building {
    text: String,
    tail: Tail,
    many: bool,
    numbers: Option<String>,
}

impl Default for Building {
    fn default() -> Self {
        Building { text: String::new(), tail: Tail::None, many: false, numbers: Some(String::new()) }
    }
}

impl Building {
    fn then(mut self, value: &Value, piece: &Piece, pattern: bool) -> Building {
        let literal = matches!(piece, Piece::Text { .. });
        self.number(value, pattern && (!literal || value.text.contains(['*', '?', '['])));
        if pattern && !literal && !self.single_field(value) {
            // It is split: of the first field the beginning is known, of the others nothing.
            let plain = matches!(value.tail, Tail::Plain | Tail::Digits) && value.text.is_empty();
            self.many = true;
            if !(plain && self.text.is_empty() && self.tail == Tail::None) {
                self.text.clear();
                self.tail = Tail::Any;
                return self;
            }
            self.tail = value.tail;
            return self;
        }
        if self.tail == Tail::None {
            match value.text.find(['*', '?', '[']).filter(|_| pattern) {
                Some(at) => {
                    self.text.push_str(&value.text[..at]);
                    self.many = true;
                    self.tail = if self.text.is_empty() { Tail::Name } else { Tail::Any };
                }
                None => {
                    self.text.push_str(&value.text);
                    self.tail = value.tail;
                }
            }
        } else {
            self.more(value, pattern);
        }
        self
    }

    /// Keeps the whole text as long as only numbers are missing.
    fn number(&mut self, value: &Value, split: bool) {
        let hole = matches!(value.tail, Tail::Digits | Tail::Number);
        match &mut self.numbers {
            Some(shown) if !split && (hole || value.tail == Tail::None) && !value.text.contains(HOLE) => {
                shown.push_str(&value.text);
                shown.extend(hole.then_some(HOLE));
            }
            numbers => *numbers = None,
        }
    }

    /// Text after a part that is not known.
    fn more(&mut self, value: &Value, pattern: bool) {
        if pattern && value.text.contains(['*', '?', '[']) {
            self.many = true;
            self.tail = if self.tail == Tail::Name { Tail::Name } else { Tail::Any };
            return;
        }
        if value.text.is_empty() && value.tail == Tail::None {
            return;
        }
        self.tail = match self.tail {
            Tail::Digits if value.tail == Tail::Digits && value.text.is_empty() => Tail::Digits,
            // The part before may be empty, so the beginning is what comes now.
            Tail::Digits | Tail::Plain
                if self.text.is_empty()
                    && !value.text.starts_with('-')
                    && (!value.text.is_empty() || matches!(value.tail, Tail::Digits | Tail::Plain)) =>
            {
                Tail::Plain
            }
            Tail::Name => Tail::Name,
            _ => Tail::Any,
        };
    }

    /// Whether an unquoted expansion stays one field and is no pattern.
    fn single_field(&self, value: &Value) -> bool {
        let plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./:,@%+=-^~#".contains(&byte));
        match value.tail {
            Tail::None => !value.text.is_empty() && plain(&value.text),
            Tail::Number => value.text.is_empty(),
            _ => false,
        }
    }

    fn finish(self, span: Span) -> Arg {
        let numbers = self.numbers.filter(|shown| self.tail != Tail::None && shown.contains(HOLE));
        Arg { text: self.text, tail: self.tail, many: self.many, numbers, span }
    }
}
