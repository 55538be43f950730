//! The table of programs: one row each, which is also its documentation.

mod cloud;
mod dev;
mod files;
mod git;
mod search;
mod shell;
mod system;
mod text;
mod writers;

use crate::finding::Finding;
use crate::judge::Judge;
use crate::options::{Operands, Options, Style};
use crate::value::Arg;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// One program, or several that are judged alike.
#[derive(Debug)]
pub struct Row {
    /// The names, separated by spaces.
    pub names: &'static str,
    /// What it does, as a clause.
    pub does: &'static str,
    pub(crate) rule: Rule,
}

pub(crate) type Check = fn(&mut Judge<'_>, &[Arg]) -> Finding;

/// How a program is judged.
#[derive(Debug)]
pub(crate) enum Rule {
    /// It reads whatever it is given: no option writes or starts anything.
    Always,
    /// The same, and its operands are not opened.
    Names,
    /// It reads with these options and operands.
    Options(Options),
    /// It reads when called in exactly one of these ways (`…` is one plain word).
    Exact(&'static [&'static str]),
    /// The same, and it obeys files of the directory it runs in.
    Tool(&'static [&'static str]),
    /// It reads with these sub-commands; `writes` lists those that plainly change something.
    Subs { subs: &'static [Sub], writes: &'static str },
    /// Its words are a language of their own, or name another command.
    Checked { check: Check, takes: &'static str },
    /// It changes something.
    Writes { clause: &'static str, instead: &'static str },
    /// It may do anything.
    Unprovable { clause: &'static str, instead: &'static str },
}

/// A sub-command that reads.
#[derive(Debug)]
pub(crate) struct Sub {
    pub path: &'static str,
    pub does: &'static str,
    pub options: Options,
}

pub(crate) use git::SUBCOMMANDS as GIT;
pub(crate) use search::FD;

const fn row(names: &'static str, does: &'static str, rule: Rule) -> Row {
    Row { names, does, rule }
}

/// Options and any operands.
const fn options(reads: &'static [&'static str], writes: &'static str, runs: &'static str) -> Rule {
    Rule::Options(Options { reads, writes, runs, operands: Operands::Any, style: Style::Gnu })
}

/// Options and at most so many operands.
const fn at_most(most: usize, reads: &'static [&'static str], writes: &'static str, runs: &'static str) -> Rule {
    Rule::Options(Options { reads, writes, runs, operands: Operands::AtMost(most), style: Style::Gnu })
}

const fn sub(path: &'static str, does: &'static str, reads: &'static [&'static str]) -> Sub {
    Sub { path, does, options: Options { reads, writes: "", runs: "", operands: Operands::Any, style: Style::Gnu } }
}

const fn writes(names: &'static str, clause: &'static str, instead: &'static str) -> Row {
    Row { names, does: clause, rule: Rule::Writes { clause, instead } }
}

const fn unprovable(names: &'static str, clause: &'static str, instead: &'static str) -> Row {
    Row { names, does: clause, rule: Rule::Unprovable { clause, instead } }
}

const fn checked(names: &'static str, does: &'static str, check: Check, takes: &'static str) -> Row {
    Row { names, does, rule: Rule::Checked { check, takes } }
}

const FAMILIES: &[&[Row]] =
    &[shell::ROWS, files::ROWS, text::ROWS, search::ROWS, dev::ROWS, system::ROWS, cloud::ROWS, writers::ROWS];

static BY_NAME: LazyLock<HashMap<&'static str, &'static Row>> =
    LazyLock::new(|| table().flat_map(|row| row.names.split_ascii_whitespace().map(move |name| (name, row))).collect());

/// Every row, for `--list` and for documentation.
pub fn table() -> impl Iterator<Item = &'static Row> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

pub(crate) fn find(name: &str) -> Option<&'static Row> {
    BY_NAME.get(name).copied()
}

/// The clause of a program that changes something whatever its arguments.
pub(crate) fn plain_writer(name: &str) -> Option<&'static str> {
    match find(name)?.rule {
        Rule::Writes { clause, .. } => Some(clause),
        _ => None,
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.names, self.does)?;
        match &self.rule {
            Rule::Always | Rule::Names => write!(f, "\n  reads only, with any option"),
            Rule::Options(options) => write!(f, "\n{}", Shown(options)),
            Rule::Exact(forms) | Rule::Tool(forms) => {
                write!(f, "\n  reads only as: ")?;
                for (index, form) in forms.iter().enumerate() {
                    let shown = if form.is_empty() { "(without words)" } else { form };
                    write!(f, "{}{shown}", if index == 0 { "" } else { " | " })?;
                }
                Ok(())
            }
            Rule::Subs { subs, writes } => {
                for sub in *subs {
                    write!(f, "\n  {} — {}\n{}", sub.path, sub.does, Shown(&sub.options))?;
                }
                if !writes.is_empty() {
                    write!(f, "\n  changes something: {writes}")?;
                }
                Ok(())
            }
            Rule::Checked { takes, .. } => {
                write!(f, "\n  {takes}")?;
                if self.names == "git" {
                    for sub in GIT {
                        write!(f, "\n  {} — {}\n{}", sub.path, sub.does, Shown(&sub.options))?;
                    }
                }
                Ok(())
            }
            Rule::Writes { instead, .. } | Rule::Unprovable { instead, .. } => {
                let kind = if matches!(self.rule, Rule::Writes { .. }) { "never read-only" } else { "not provable" };
                write!(f, "\n  {kind}")?;
                if instead.is_empty() { Ok(()) } else { write!(f, "; instead: {instead}") }
            }
        }
    }
}

/// A table of options as text.
struct Shown<'a>(&'a Options);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |text: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let reads =
            self.0.reads.iter().map(|part| words(part)).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        write!(f, "    reads with: {}", if reads.is_empty() { "no option" } else { &reads })?;
        if !self.0.writes.is_empty() {
            write!(f, "\n    writes with: {}", words(self.0.writes))?;
        }
        if !self.0.runs.is_empty() {
            write!(f, "\n    not provable with: {}", words(self.0.runs))?;
        }
        match self.0.operands {
            Operands::Any => Ok(()),
            Operands::AtMost(most) => write!(f, "\n    operands: at most {most}"),
        }
    }
}
