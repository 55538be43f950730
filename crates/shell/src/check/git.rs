//! `git`: each sub-command with its own options, from the repository that the caller knows.

use crate::finding::Finding;
use crate::judge::{Judge, Place};
use crate::options::Scanned;
use crate::programs::{GIT, Sub};
use crate::value::Arg;

/// Sub-commands that change the repository, its files, or another repository.
const WRITERS: &[&str] = &[
    "add",
    "am",
    "apply",
    "bisect",
    "checkout",
    "checkout-index",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "commit-graph",
    "commit-tree",
    "fast-import",
    "fetch",
    "fetch-pack",
    "filter-branch",
    "format-patch",
    "gc",
    "init",
    "maintenance",
    "merge",
    "merge-file",
    "merge-index",
    "mktag",
    "mktree",
    "multi-pack-index",
    "mv",
    "notes",
    "pack-objects",
    "pack-refs",
    "prune",
    "prune-packed",
    "pull",
    "push",
    "quiltimport",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "replace",
    "reset",
    "restore",
    "revert",
    "rm",
    "send-pack",
    "sparse-checkout",
    "stash",
    "submodule",
    "switch",
    "symbolic-ref",
    "unpack-objects",
    "update-index",
    "update-ref",
    "update-server-info",
    "worktree",
    "write-tree",
];

/// What could start a program when the repository's configuration says so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Hazard {
    /// Nothing.
    None,
    /// Signature checks, text conversion and external diffs.
    Shows,
    /// Also the file monitor, filters and hooks, since the work tree is compared.
    Compares,
}

fn hazard(path: &str) -> Hazard {
    match path {
        "status" | "diff" | "diff-files" | "diff-index" | "ls-files" | "grep" | "blame" | "annotate" | "describe"
        | "hash-object" | "stash show" | "submodule" | "submodule status" | "apply" => Hazard::Compares,
        "log" | "show" | "diff-tree" | "range-diff" | "reflog" | "shortlog" | "stash list" | "whatchanged"
        | "cat-file" | "show-branch" | "cherry" | "rev-list" => Hazard::Shows,
        _ => Hazard::None,
    }
}

pub(crate) fn git(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let mut words = &args[1..];
    let mut found = Finding::Reads;
    // Options before the sub-command.
    while let Some(arg) = words.first()
        && (arg.text.starts_with('-') || arg.known().is_none())
    {
        let value = words.get(1).and_then(Arg::known);
        let used = match (arg.known(), value) {
            (
                Some(
                    "--no-pager"
                    | "-P"
                    | "--no-optional-locks"
                    | "--literal-pathspecs"
                    | "--glob-pathspecs"
                    | "--noglob-pathspecs"
                    | "--icase-pathspecs"
                    | "--no-replace-objects"
                    | "--no-lazy-fetch"
                    | "--no-advice",
                ),
                _,
            ) => 1,
            (Some("--version" | "-v"), _) if words.len() == 1 => return found,
            (Some("-c"), Some(setting)) if harmless_setting(setting) => 2,
            (Some("-C"), Some(directory)) if judge.is_same_repository(directory) => 2,
            (Some("--git-dir=.git"), _) if judge.place() != Place::Elsewhere => 1,
            (Some("-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env" | "--attr-source"), _) => {
                found = found.and(Finding::unproved(
                    &arg.span,
                    format!("git {} can point at other settings or another repository", arg.text),
                ));
                2
            }
            _ => {
                found = found.and(Finding::unproved(&arg.span, "this option of git is not on the list"));
                1
            }
        };
        words = words.get(used..).unwrap_or_default();
    }
    if words.is_empty() {
        return found;
    }
    found.and(subcommand(judge, words))
}

/// Settings given with `-c` that only change how the output looks.
fn harmless_setting(setting: &str) -> bool {
    let Some((name, value)) = setting.split_once('=') else {
        return false;
    };
    let name = name.to_ascii_lowercase();
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:%, ".contains(&byte));
    if name == "core.pager" || name.starts_with("pager.") {
        return matches!(value, "cat" | "" | "false");
    }
    match name.as_str() {
        "core.fsmonitor" | "log.showsignature" => value == "false",
        "core.quotepath"
        | "core.abbrev"
        | "log.date"
        | "log.decorate"
        | "log.follow"
        | "diff.renames"
        | "diff.algorithm"
        | "diff.context"
        | "diff.noprefix"
        | "diff.mnemonicprefix"
        | "diff.colormoved"
        | "diff.renamelimit"
        | "diff.statgraphwidth"
        | "status.short"
        | "status.branch"
        | "status.showuntrackedfiles"
        | "status.relativepaths"
        | "status.renames"
        | "grep.linenumber"
        | "grep.column"
        | "grep.patterntype"
        | "i18n.logoutputencoding"
        | "merge.renamelimit"
        | "diff.submodule"
        | "diff.wserrorhighlight"
        | "diff.interhunkcontext" => plain,
        _ => plain && (name.starts_with("color.") || name.starts_with("advice.") || name.starts_with("column.")),
    }
}

fn subcommand(judge: &Judge<'_>, words: &[Arg]) -> Finding {
    let head = &words[0];
    let Some(name) = head.known() else {
        return Finding::unproved(&head.span, "the sub-command of git is not known before it runs");
    };
    let fits = |sub: &&Sub| {
        let mut path = sub.path.split_ascii_whitespace();
        path.next() == Some(name)
            && path.enumerate().all(|(at, want)| words.get(at + 1).and_then(Arg::known) == Some(want))
    };
    let Some(sub) = GIT.iter().filter(fits).max_by_key(|sub| sub.path.len()) else {
        return unlisted(name, words);
    };
    let rest = &words[sub.path.split_ascii_whitespace().count()..];
    let program = format!("git {}", sub.path);
    let scanned = match sub.options.judge(&program, rest) {
        Ok(scanned) => scanned,
        Err(finding) if matches!(sub.path, "remote" | "submodule" | "archive --list") => {
            return finding.and(unlisted(name, words));
        }
        Err(finding) => {
            return finding.and(
                special(sub.path, &Scanned { operands: rest.iter().collect(), ..Scanned::default() }, head)
                    .only_changes(),
            );
        }
    };
    let known: Vec<Option<&str>> = words.iter().map(Arg::known).collect();
    if judge.context.neutralised && crate::neutral::missing_flags(&known).is_some() {
        return Finding::unproved(
            &head.span,
            "this git is not reached by the rewriting that keeps it from starting programs",
        );
    }
    signature(&scanned, head)
        .and(special(sub.path, &scanned, head))
        .and(super::opened(&program, rest))
        .and(place(judge, sub.path, head))
}

/// `%G…` and `%(signature)` start the signature program.
fn signature(scanned: &Scanned<'_>, head: &Arg) -> Finding {
    for seen in &scanned.options {
        if seen.name == "--diff-merges" {
            let value = seen.value.as_ref().and_then(|value| value.known());
            if value.is_none_or(|value| value.starts_with('r')) {
                return Finding::unproved(&head.span, "this keeps objects in the repository while it runs");
            }
        }
        if !matches!(seen.name, "--format" | "--pretty" | "--sort") {
            continue;
        }
        let harmless = match &seen.value {
            None => true,
            Some(value) => value.known().is_some_and(|text| !text.contains("%G") && !text.contains("signature")),
        };
        if !harmless {
            return Finding::unproved(&head.span, "this format checks signatures, which starts a program");
        }
    }
    Finding::Reads
}

fn place(judge: &Judge<'_>, path: &str, head: &Arg) -> Finding {
    let hazard = hazard(path);
    if path == "version" || path == "help" {
        return Finding::Reads;
    }
    if judge.place() == Place::Elsewhere {
        return Finding::unproved(
            &head.span,
            "git obeys the settings of the repository it runs in, and which one that is is not known here",
        )
        .instead("run it without cd, from the directory you are in");
    }
    let context = judge.context;
    let dangerous = if context.neutralised { hazard == Hazard::Compares } else { hazard != Hazard::None };
    if context.repository_runs_programs && dangerous {
        return Finding::unproved(&head.span, "the settings of this repository can make this start a program");
    }
    Finding::Reads
}

/// Sub-commands that are not on the list of readers, in this form.
fn unlisted(name: &str, words: &[Arg]) -> Finding {
    let head = &words[0];
    let dry = words[1..]
        .iter()
        .any(|arg| matches!(arg.known(), Some("-n" | "--dry-run" | "--check" | "--stat" | "--help" | "-h")));
    let second = words.get(1).and_then(Arg::known).unwrap_or_default();
    let reading = matches!(
        (name, second),
        ("submodule", "status" | "summary" | "")
            | ("remote", "show")
            | ("bisect", "log" | "view" | "visualize")
            | ("sparse-checkout", "list")
            | ("notes", "list" | "show")
    );
    if WRITERS.contains(&name) && !dry && !reading {
        let way = match name {
            "checkout" | "restore" | "reset" | "switch" => "git show <commit>:<file> prints another version",
            "stash" => "git stash list and git stash show only read",
            "fetch" | "pull" => "git log and git branch -r show what was fetched before",
            _ => "",
        };
        return Finding::changes(&head.span, format!("git {name} changes the repository or its files")).instead(way);
    }
    Finding::unproved(&head.span, format!("git {name} in this form is not on the list of what only reads"))
}

/// Rules that options alone do not tell.
fn special(path: &str, scanned: &Scanned<'_>, head: &Arg) -> Finding {
    let operands = &scanned.operands;
    let several = operands.iter().any(|arg| arg.many);
    let changes = |what: &str| Finding::changes(&head.span, what.to_owned());
    let listing = ["--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "-l", "--list"];
    match path {
        "branch" if !operands.is_empty() && !scanned.has(&listing) => {
            changes("git branch with a name makes a branch").instead("git branch --list <pattern>")
        }
        "tag" if !operands.is_empty() && !scanned.has(&listing) && !scanned.has(&["-n"]) => {
            changes("git tag with a name makes a tag").instead("git tag --list <pattern>")
        }
        "apply" if !scanned.has(&["--stat", "--numstat", "--summary", "--check"]) => {
            changes("git apply changes files").instead("git apply --stat describes the patch, --check tries it")
        }
        // These take the `--` away before git log or git diff sees the rest.
        "stash list" | "stash show" if operands.iter().any(|arg| arg.may_be_option()) => {
            Finding::unproved(&head.span, "a word after -- could still become an option here")
        }
        "config" => config(scanned, head),
        "symbolic-ref" if operands.len() > 1 || several => {
            changes("git symbolic-ref with two names points the first at the second")
        }
        "reflog" => match operands.first().map(|arg| arg.known()) {
            Some(Some("expire" | "delete" | "drop" | "write")) => changes("this drops or writes entries of the reflog"),
            Some(None) => Finding::unproved(&head.span, "it is not known what git reflog does here"),
            _ => Finding::Reads,
        },
        "rev-parse" if scanned.has(&["--parseopt"]) => {
            Finding::unproved(&head.span, "git rev-parse --parseopt is not on the list")
        }
        "remote" => Finding::Reads,
        _ => Finding::Reads,
    }
}

fn config(scanned: &Scanned<'_>, head: &Arg) -> Finding {
    let operands = &scanned.operands;
    if operands.iter().any(|arg| arg.many) {
        return Finding::unproved(&head.span, "it is not known how many words git config gets");
    }
    if let Some(arg) = operands.iter().find(|arg| arg.text.starts_with('-')) {
        return Finding::unproved(&arg.span, "whether this is an option or a value depends on the version of git");
    }
    let first = operands.first().and_then(|arg| arg.known());
    let reading = scanned.has(&["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list"]);
    match first {
        _ if reading => Finding::Reads,
        Some("set" | "unset" | "rename-section" | "remove-section" | "edit") => {
            Finding::changes(&head.span, "git config changes a setting")
        }
        _ if operands.len() == 1 => Finding::Reads,
        None if operands.is_empty() => Finding::unproved(&head.span, "git config without a name"),
        _ => {
            Finding::changes(&head.span, "git config with a value changes a setting").instead("git config --get <name>")
        }
    }
}

impl Finding {
    /// Keeps a plain change; anything less says nothing here.
    fn only_changes(self) -> Finding {
        if matches!(self, Finding::Changes(_)) { self } else { Finding::Reads }
    }
}
