//! Proves that a shell command only reads, or says that it cannot.
//!
//! The crate is pure: text in, verdict out. It opens no file, starts no program and reads no
//! environment; facts about the machine that matter are handed in as a [`Context`].
//!
//! ```
//! use planwright_shell::{Context, Verdict, judge};
//! assert_eq!(judge("git status", &Context::default()), Verdict::ReadOnly);
//! assert!(matches!(judge("rm -r src", &Context::default()), Verdict::Mutating(_)));
//! assert!(matches!(judge("make", &Context::default()), Verdict::Unknown(_)));
//! ```

use std::ops::Range;

mod literal;
mod split;

pub use split::{Part, Unparsed, parts, raw_words};

/// What is known about a command before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The command only reads: running it changes nothing on the machine.
    ReadOnly,
    /// The command plainly changes something.
    Mutating(Reason),
    /// Nothing was proved.
    Unknown(Reason),
}

/// Why a verdict is not `ReadOnly`: the place that decided, in words for a person and a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Byte range in the command line.
    pub span: Range<usize>,
    /// The text at `span`.
    pub word: String,
    /// What the trouble is, as a clause (`rm removes files`).
    pub message: String,
    /// A way to get the same by reading only, where there is one.
    pub instead: Option<String>,
}

/// Facts about the place a command would run in, supplied by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The user's own read-only commands: exact, or a prefix ending in `*`.
    pub user_read_only: Vec<String>,
    /// Whether the repository's configuration or attributes can start a program on a `git` read.
    pub repository_runs_programs: bool,
}

/// Judges one command line as bash would run it.
pub fn judge(command: &str, context: &Context) -> Verdict {
    literal::judge(command, context)
}
