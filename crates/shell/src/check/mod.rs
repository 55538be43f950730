//! Judges one program with the words it will be given.

mod archive;
mod awk;
mod builtin;
mod find;
mod git;
mod sed;
mod wrap;

use crate::finding::Finding;
use crate::judge::{Judge, Place, remote_share, strange_path};
use crate::options::Scanned;
use crate::programs::{self, Row, Rule, Sub};
use crate::value::Arg;

pub(crate) use archive::{compressor, tar, unzip};
pub(crate) use awk::awk;
pub(crate) use builtin::{cd, date, dd, jq, printf, read, tee, test, xxd};
pub(crate) use find::find;
pub(crate) use git::git;
pub(crate) use sed::sed;
pub(crate) use wrap::{command, env, fd, shell, sudo, wrapper, xargs};

/// Judges `args`, of which the first is the program.
pub(crate) fn program(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let head = &args[0];
    let Some(name) = head.known() else {
        return Finding::unproved(&head.span, "the name of the program is not known before it runs");
    };
    if name.contains('/') {
        let last = name.rsplit('/').next().unwrap_or_default();
        return match programs::plain_writer(last) {
            Some(clause) => Finding::changes(&head.span, format!("{name} {clause}")),
            None => Finding::unproved(&head.span, "a program named by its path is not on the list"),
        };
    }
    let Some(row) = programs::find(name) else {
        return Finding::unproved(&head.span, format!("{name} is not on the list of programs known to read only"));
    };
    apply(judge, row, name, args)
}

fn apply(judge: &mut Judge<'_>, row: &'static Row, name: &str, args: &[Arg]) -> Finding {
    let head = &args[0];
    let words = &args[1..];
    match &row.rule {
        Rule::Always => opened(name, words),
        Rule::Names => shares(name, words),
        Rule::Options(options) => match options.judge(name, words) {
            Ok(_) => opened(name, words),
            Err(finding) => finding,
        },
        Rule::Exact(forms) => exact(forms, name, args),
        Rule::Tool(forms) => exact(forms, name, args).and(at_home(judge, name, head)),
        // The toolchain that go runs as is named in files of the directory.
        Rule::Subs { subs, writes } if name == "go" => {
            subcommand(subs, writes, name, args).and(at_home(judge, name, head))
        }
        Rule::Subs { subs, writes } => subcommand(subs, writes, name, args),
        Rule::Checked { check, .. } => check(judge, args).and(match name {
            "cd" | "pushd" | "test" | "[" | "find" => shares(name, words),
            _ => Finding::Reads,
        }),
        Rule::Writes { clause, instead } => {
            if let [only] = words
                && matches!(only.known(), Some("--help" | "--version"))
            {
                return Finding::unproved(&head.span, format!("{name} {clause}"));
            }
            Finding::changes(&head.span, format!("{name} {clause}")).instead(instead)
        }
        Rule::Unprovable { clause, instead } => {
            Finding::unproved(&head.span, format!("{name} {clause}")).instead(instead)
        }
    }
}

/// Shares of other machines among the names that a program looks at.
fn shares(name: &str, words: &[Arg]) -> Finding {
    let text = matches!(name, "echo" | "expr" | ":" | "true" | "false");
    match words.iter().find(|arg| !text && remote_share(&arg.text)) {
        Some(arg) => Finding::unproved(&arg.span, format!("{name} would ask another machine")),
        None => Finding::Reads,
    }
}

/// Devices and connections among the operands of a program that opens them.
pub(crate) fn opened(name: &str, words: &[Arg]) -> Finding {
    match words.iter().find(|arg| strange_path(&arg.text) && !arg.text.starts_with("/dev/fd/")) {
        Some(arg) => Finding::unproved(&arg.span, format!("{name} would read a device or a connection")),
        None => Finding::Reads,
    }
}

/// Exactly one of the listed ways to call the program.
fn exact(forms: &[&str], name: &str, args: &[Arg]) -> Finding {
    let words: Option<Vec<&str>> = args[1..].iter().map(Arg::known).collect();
    let listed = words.is_some_and(|words| {
        forms.iter().any(|form| {
            let mut form = form.split_ascii_whitespace();
            words.iter().all(|word| {
                form.next()
                    .is_some_and(|want| want == *word || (want == "…" && !word.starts_with('-') && !word.contains('=')))
            }) && form.next().is_none()
        })
    });
    if !listed {
        return Finding::unproved(&args[0].span, format!("{name} is only known to read as: {}", shown(name, forms)));
    }
    Finding::Reads
}

fn at_home(judge: &Judge<'_>, name: &str, head: &Arg) -> Finding {
    if judge.place() == Place::Elsewhere {
        return Finding::unproved(&head.span, format!("{name} obeys files of the directory it runs in"));
    }
    Finding::Reads
}

fn shown(name: &str, forms: &[&str]) -> String {
    let few =
        forms.iter().take(3).map(|form| format!("{name} {form}").trim_end().to_owned()).collect::<Vec<_>>().join(", ");
    if forms.len() > 3 { few + " and the like" } else { few }
}

/// A program with sub-commands, each with its own options.
fn subcommand(subs: &'static [Sub], writes: &str, name: &str, args: &[Arg]) -> Finding {
    let words = &args[1..];
    let fits = |sub: &&Sub| {
        let path: Vec<&str> = sub.path.split_ascii_whitespace().collect();
        words.len() >= path.len() && path.iter().zip(words).all(|(want, arg)| arg.known() == Some(want))
    };
    let best = subs.iter().filter(fits).max_by_key(|sub| sub.path.len());
    if let Some(sub) = best {
        let length = sub.path.split_ascii_whitespace().count();
        return match sub.options.judge(&format!("{name} {}", sub.path), &words[length..]) {
            Ok(_) => Finding::Reads,
            Err(finding) => finding,
        };
    }
    let given: Vec<&str> = words.iter().map_while(Arg::known).take(2).collect();
    let joined = given.join(" ");
    let plainly = writes
        .split(',')
        .map(str::trim)
        .any(|write| !write.is_empty() && (write == joined || given.first() == Some(&write)));
    let message = format!("{name} {joined} ");
    if plainly {
        return Finding::changes(&args[0].span, message + "changes something");
    }
    Finding::unproved(&args[0].span, message.trim_end().to_owned() + " is not on the list of what only reads")
}

/// Whether an option of `scanned` has a value that is known and one of `values`.
pub(crate) fn value_of<'s>(scanned: &'s Scanned<'_>, name: &str) -> Option<&'s str> {
    scanned.options.iter().rev().find(|seen| seen.name == name).and_then(|seen| seen.value.as_ref()?.known())
}
