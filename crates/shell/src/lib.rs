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
//!
//! A line is read by a strict grammar of its own ([`parts`] gives its commands). What is not
//! understood exactly is [`Verdict::Unknown`], never [`Verdict::ReadOnly`]. Each program is judged
//! by one row of a table ([`table`]), on the words that it would really be given.
//!
//! The verdict is about the line run by `bash --noprofile --norc` with a clean environment; a line
//! with `git` in it should be run in its [`neutralised`] form.

use std::ops::Range;

mod check;
mod finding;
mod judge;
mod names;
mod neutral;
mod options;
mod output;
mod parse;
mod parts;
mod programs;
mod syntax;
mod value;

pub use neutral::{Neutral, neutralised};
pub use parts::{Part, Unparsed, directories, parts, raw_words};
pub use programs::{Row, table};

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
///
/// The default says: the line starts in the user's own work tree, whose repository configuration
/// starts no programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The user's own read-only commands: exact, or a prefix ending in `*`. They widen a line that
    /// is one plain command from `Unknown` to `ReadOnly`, and nothing else.
    pub user_read_only: Vec<String>,
    /// Whether the repository's configuration or attributes can start a program on a `git` read
    /// (`core.fsmonitor`, hooks, filters, text conversion, external diffs, signature checks).
    pub repository_runs_programs: bool,
    /// The caller runs the line in its [`neutralised`] form, which switches off everything but
    /// filters and signature programs. Then `repository_runs_programs` need only speak of those.
    pub neutralised: bool,
    /// Directories, as written in the command ([`directories`] lists them), that the caller has
    /// resolved and found to be in the repository where the line starts. `git` after a `cd` to any
    /// other place is `Unknown`.
    pub same_repository: Vec<String>,
}

/// Judges one command line as bash would run it.
pub fn judge(command: &str, context: &Context) -> Verdict {
    let verdict = judge_allowing(command, context, &|_| false);
    if matches!(verdict, Verdict::Unknown(_))
        && let Ok(script) = parse::script(command)
        && parts::is_users_own(&script, command, context)
    {
        return Verdict::ReadOnly;
    }
    verdict
}

/// Judges a line some of whose commands are answered for by someone else: `allowed` picks them,
/// and all the rest of the line, redirections and what a `cd` means to a later `git` included, is
/// judged as ever.
///
/// ```
/// use planwright_shell::{Context, Verdict, judge_allowing};
/// let npm = |part: &planwright_shell::Part| part.words.starts_with(&["npm".into(), "test".into()]);
/// let verdict = |line: &str| judge_allowing(line, &Context::default(), &npm);
/// assert_eq!(verdict("cd web && npm test 2>&1 | tail"), Verdict::ReadOnly);
/// assert!(matches!(verdict("npm test > log"), Verdict::Mutating(_)));
/// assert!(matches!(verdict("npm test $(make)"), Verdict::Unknown(_)));
/// ```
pub fn judge_allowing(command: &str, context: &Context, allowed: &dyn Fn(&Part) -> bool) -> Verdict {
    // What will run is judged, so that a call which the rewriting did not reach is noticed.
    if context.neutralised
        && let Some((form, inserts)) = neutral::form(command)
    {
        return match whole(&form, context, allowed) {
            Verdict::ReadOnly => Verdict::ReadOnly,
            Verdict::Mutating(reason) => Verdict::Mutating(reason.moved_to(command, &inserts)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason.moved_to(command, &inserts)),
        };
    }
    whole(command, context, allowed)
}

fn whole(command: &str, context: &Context, allowed: &dyn Fn(&Part) -> bool) -> Verdict {
    let script = match parse::script(command) {
        Ok(script) => script,
        Err(fail) => return unparsed(command, &fail, context),
    };
    if script.items.is_empty() {
        return verdict(command, finding::Finding::unproved(&(0..command.len()), "there is no command"));
    }
    verdict(command, judge::Judge::allowing(context, command, allowed).line(&script))
}

impl Reason {
    /// The same about the line before it was rewritten.
    fn moved_to(self, command: &str, inserts: &[(usize, usize)]) -> Reason {
        let span = neutral::original(self.span.start, inserts)..neutral::original(self.span.end, inserts);
        Reason { word: command.get(span.clone()).unwrap_or_default().to_owned(), span, ..self }
    }
}

/// A line that is not understood is still called a write where what was read of it plainly is.
fn unparsed(command: &str, fail: &parse::Fail, context: &Context) -> Verdict {
    let before = &command[..fail.whole];
    if let Ok(script) = parse::script(before)
        && let found @ finding::Finding::Changes(_) = judge::Judge::new(context).line(&script)
    {
        return verdict(command, found);
    }
    let rest = &command[fail.whole..];
    let first = rest.split_ascii_whitespace().next().unwrap_or_default();
    if let Some(clause) = programs::plain_writer(first) {
        let at = fail.whole + rest.find(first).unwrap_or_default();
        return verdict(command, finding::Finding::changes(&(at..at + first.len()), format!("{first} {clause}")));
    }
    let end = command[fail.at..].find([' ', '\n', '\t']).map_or(command.len(), |length| fail.at + length);
    verdict(command, finding::Finding::unproved(&(fail.at..end), fail.message))
}

fn verdict(command: &str, finding: finding::Finding) -> Verdict {
    let reason = |trouble: finding::Trouble| Reason {
        word: command.get(trouble.span.clone()).unwrap_or_default().to_owned(),
        span: trouble.span,
        message: trouble.message,
        instead: trouble.instead,
    };
    match finding {
        finding::Finding::Reads => Verdict::ReadOnly,
        finding::Finding::Changes(trouble) => Verdict::Mutating(reason(trouble)),
        finding::Finding::Unproved(trouble) => Verdict::Unknown(reason(trouble)),
    }
}
