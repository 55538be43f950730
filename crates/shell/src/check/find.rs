//! `find`: its expression is a little language with actions.

use super::wrap::put_unknown;
use crate::finding::Finding;
use crate::judge::Judge;
use crate::value::{Arg, Tail};

/// Tests and actions without an argument.
const FLAGS: &[&str] = &[
    "-daystart",
    "-depth",
    "-d",
    "-empty",
    "-executable",
    "-false",
    "-follow",
    "-ignore_readdir_race",
    "-ls",
    "-mount",
    "-nogroup",
    "-noignore_readdir_race",
    "-noleaf",
    "-nouser",
    "-nowarn",
    "-print",
    "-print0",
    "-prune",
    "-quit",
    "-readable",
    "-true",
    "-warn",
    "-writable",
    "-xdev",
    "-a",
    "-and",
    "-o",
    "-or",
    "-not",
    "!",
    "(",
    ")",
    ",",
    "-help",
    "--help",
    "-version",
    "--version",
    "-x",
    "-E",
    "-X",
    "-s",
];

/// Tests and actions with one argument.
const VALUES: &[&str] = &[
    "-amin",
    "-anewer",
    "-atime",
    "-cmin",
    "-cnewer",
    "-context",
    "-ctime",
    "-fstype",
    "-gid",
    "-group",
    "-ilname",
    "-iname",
    "-inum",
    "-ipath",
    "-iregex",
    "-iwholename",
    "-links",
    "-lname",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mtime",
    "-name",
    "-newer",
    "-path",
    "-perm",
    "-printf",
    "-regex",
    "-regextype",
    "-samefile",
    "-size",
    "-type",
    "-uid",
    "-used",
    "-user",
    "-wholename",
    "-xtype",
];

pub(crate) fn find(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let words = &args[1..];
    let mut at = 0;
    // Leading options, then the places to start from.
    while let Some(text) = words.get(at).and_then(Arg::known) {
        match text {
            "-H" | "-L" | "-P" => at += 1,
            _ if text.len() > 2 && text.starts_with("-O") && text[2..].bytes().all(|b| b.is_ascii_digit()) => at += 1,
            "-D" => {
                return Finding::unproved(&words[at].span, "find -D is not on the list").and(actions(judge, words));
            }
            _ => break,
        }
    }
    while let Some(arg) = words.get(at) {
        if arg.text.is_empty() && arg.tail != Tail::Plain {
            return Finding::unproved(&arg.span, "an expansion could become an action of find")
                .and(actions(judge, words));
        }
        if arg.text.starts_with(['-', '(', ')', ',', '!']) {
            break;
        }
        at += 1;
    }
    let mut found = Finding::Reads;
    while let Some(arg) = words.get(at) {
        at += 1;
        let Some(text) = arg.known() else {
            found = found.and(Finding::unproved(&arg.span, "an expansion could become an action of find"));
            continue;
        };
        let takes = VALUES.contains(&text) || is_newer(text);
        if takes {
            match words.get(at) {
                Some(value) if !value.many => at += 1,
                _ => {
                    return found.and(Finding::unproved(&arg.span, format!("find {text} lacks a plain value")));
                }
            }
        } else if FLAGS.contains(&text) {
        } else {
            let (finding, used) = action(judge, text, arg, &words[at..]);
            found = found.and(finding);
            at += used;
        }
    }
    found
}

fn is_newer(text: &str) -> bool {
    text.strip_prefix("-newer").is_some_and(|kind| kind.len() == 2 && kind.bytes().all(|byte| b"aBcmt".contains(&byte)))
}

/// Judges an action and says how many words after it are its own.
fn action(judge: &mut Judge<'_>, text: &str, arg: &Arg, rest: &[Arg]) -> (Finding, usize) {
    match text {
        "-delete" => (Finding::changes(&arg.span, "find -delete removes files").instead("find … -print lists them"), 0),
        "-fprint" | "-fprint0" | "-fls" => (Finding::changes(&arg.span, format!("find {text} writes a file")), 1),
        "-fprintf" => (Finding::changes(&arg.span, "find -fprintf writes a file"), 2),
        "-exec" | "-execdir" => {
            let end = rest.iter().position(|word| word.known() == Some(";"));
            let plus = rest.windows(2).position(|pair| pair[0].known() == Some("{}") && pair[1].known() == Some("+"));
            let end = match (end, plus.map(|at| at + 1)) {
                (Some(end), Some(plus)) => end.min(plus),
                (Some(end), None) | (None, Some(end)) => end,
                (None, None) => {
                    return (Finding::unproved(&arg.span, format!("find {text} without its end")), 0);
                }
            };
            let mut inner = rest[..end].to_vec();
            if inner.is_empty() {
                return (Finding::unproved(&arg.span, format!("find {text} without a command")), end + 1);
            }
            let several = rest[end].known() == Some("+");
            for word in &mut inner {
                // What find puts here begins like the place it started from, never with a dash.
                let whole = word.known() == Some("{}");
                put_unknown(word, "{}", Tail::Plain);
                word.many |= several && whole;
            }
            let finding = if text == "-execdir" { judge.elsewhere(&inner) } else { judge.program(&inner) };
            (finding, end + 1)
        }
        _ => (Finding::unproved(&arg.span, format!("find {text} is not on the list of what only reads")), 0),
    }
}

/// Plain actions anywhere in an expression that is not understood.
fn actions(judge: &mut Judge<'_>, words: &[Arg]) -> Finding {
    let mut found = Finding::Reads;
    for (at, arg) in words.iter().enumerate() {
        if let Some(text @ ("-delete" | "-fprint" | "-fprint0" | "-fls" | "-fprintf" | "-exec" | "-execdir")) =
            arg.known()
            && let (finding @ Finding::Changes(_), _) = action(judge, text, arg, &words[at + 1..])
        {
            found = found.and(finding);
        }
    }
    found
}
