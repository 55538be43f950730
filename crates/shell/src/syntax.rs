//! The part of the shell's grammar that is understood: a tree with a span on everything.

use std::ops::Range;

/// Bytes of the command line.
pub(crate) type Span = Range<usize>;

/// Commands in a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub items: Vec<Chain>,
}

/// Pipelines joined by `&&` and `||`.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub pipelines: Vec<Pipeline>,
    pub background: bool,
}

/// Commands joined by `|`.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline {
    pub commands: Vec<Command>,
}

/// One command with the redirections that follow it.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub kind: Kind,
    pub redirects: Vec<Redirect>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Simple(Simple),
    Group(Script),
    Subshell(Script),
    If { arms: Vec<(Script, Script)>, otherwise: Option<Script> },
    Loop { condition: Script, body: Script },
    For { name: String, words: Option<Vec<Word>>, body: Script },
    Case { word: Word, arms: Vec<(Vec<Word>, Script)> },
    Test(Vec<Word>),
}

/// Assignments, then a program and its words. Either may be missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simple {
    pub assignments: Vec<Assignment>,
    pub words: Vec<Word>,
}

#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub name: String,
    pub append: bool,
    pub value: Assigned,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Assigned {
    Word(Word),
    Array(Vec<Word>),
}

#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub pieces: Vec<Piece>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Literal text. Unquoted text may hold `*`, `?` and `[`, and a leading `~`.
    Text { text: String, quoted: bool },
    /// `$name` and the harmless forms of `${name…}`.
    Variable { name: String, edit: Edit, quoted: bool },
    /// `$(…)`.
    Output { script: Script, quoted: bool },
    /// `<(…)`.
    Process { script: Script },
    /// `$((…))`: the variables that it reads.
    Arithmetic { names: Vec<String> },
}

/// What `${name…}` does to the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Nothing: the value as it is.
    None,
    /// `${name:-text}`.
    Default(String),
    /// `${name:+text}`.
    Alternate(String),
    /// `${#name}`.
    Length,
    /// A cut or replacement: the result is not followed.
    Changed,
}

#[derive(Clone, Debug)]
pub(crate) struct Redirect {
    pub kind: RedirectKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum RedirectKind {
    /// `< word`.
    From(Word),
    /// `> word`, `>> word`, `>| word`, `&> word`.
    To(Word),
    /// `<> word`: opens for both and creates the file.
    Both(Word),
    /// `2>&1`, `>&-` and the like: no file is opened.
    Descriptor,
    /// `<<< word`.
    Text(Word),
    /// A here-document whose body is taken as it stands.
    Document,
}

impl Word {
    /// The text, when nothing in the word is expanded or quoted.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Text { text, quoted: false }] => Some(text),
            _ => None,
        }
    }
}
