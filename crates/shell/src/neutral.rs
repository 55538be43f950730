//! How to run a line so that the settings of a repository start no programs.

use crate::judge::plain_text;
use crate::parse;
use crate::parts::each_simple;

/// A line with an environment in which `git` starts no monitor, hook, pager, external diff or text
/// conversion. Filters and signature programs cannot be switched off this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neutral {
    /// The line, with `--no-ext-diff --no-textconv` after sub-commands that show differences.
    pub command: String,
    /// What to set in its environment.
    pub environment: Vec<(String, String)>,
}

/// Settings that make `git` start nothing and write nothing on the side.
const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
    ("diff.autoRefreshIndex", "false"),
    ("log.showSignature", "false"),
    // A format with %G? in it asks a signature program: this one knows nothing.
    ("gpg.program", "false"),
    ("gpg.openpgp.program", "false"),
    ("gpg.x509.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("submodule.recurse", "false"),
    ("status.submoduleSummary", "false"),
    ("diff.submodule", "short"),
    ("protocol.allow", "never"),
];

/// Sub-commands that take both `--no-ext-diff` and `--no-textconv`.
const SHOW_DIFFERENCES: &[&str] =
    &["diff", "show", "log", "diff-tree", "diff-index", "diff-files", "whatchanged", "range-diff"];

/// The form of `command` in which the settings of a repository start no programs; `None` when
/// there is no `git` in it, or it is not understood.
///
/// ```
/// use planwright_shell::neutralised;
/// let form = neutralised("git diff HEAD~1 | head").expect("there is a git in it");
/// assert_eq!(form.command, "git diff --no-ext-diff --no-textconv HEAD~1 | head");
/// assert!(form.environment.contains(&("GIT_OPTIONAL_LOCKS".to_owned(), "0".to_owned())));
/// assert_eq!(neutralised("ls"), None);
/// ```
pub fn neutralised(command: &str) -> Option<Neutral> {
    let (command, _) = form(command)?;
    Some(Neutral { command, environment: environment() })
}

/// The rewritten line, and where how much was put in.
pub(crate) fn form(command: &str) -> Option<(String, Vec<(usize, usize)>)> {
    let script = parse::script(command).ok()?;
    let mut any = false;
    let mut inserts = Vec::new();
    each_simple(&script, &mut |simple, _| {
        let texts: Vec<Option<String>> = simple.words.iter().map(plain_text).collect();
        any |= texts.iter().flatten().any(|text| text.contains("git"));
        let Some(git) = program_at(&texts).filter(|at| texts[*at].as_deref() == Some("git")) else { return };
        let mut at = git + 1;
        while let Some(Some(text)) = texts.get(at)
            && text.starts_with('-')
        {
            at += if matches!(text.as_str(), "-c" | "-C") { 2 } else { 1 };
        }
        let words: Vec<Option<&str>> = texts.iter().skip(at).map(Option::as_deref).collect();
        if let Some((word, flags)) = missing_flags(&words) {
            inserts.push((simple.words[at + word].span.end, flags));
        }
    });
    if !any {
        return None;
    }
    inserts.sort_unstable();
    inserts.dedup();
    let mut line = command.to_owned();
    for (at, flags) in inserts.iter().rev() {
        line.insert_str(*at, flags);
    }
    Some((line, inserts.into_iter().map(|(at, flags)| (at, flags.len())).collect()))
}

/// The place in the line as given, for a place in the rewritten one.
pub(crate) fn original(at: usize, inserts: &[(usize, usize)]) -> usize {
    let mut before = 0;
    for (place, length) in inserts {
        if at <= place + before {
            break;
        }
        before += (*length).min(at - place - before);
    }
    at - before
}

/// Where the program stands that a simple command starts in the end, past wrappers.
fn program_at(words: &[Option<String>]) -> Option<usize> {
    let text = |at: usize| words.get(at).and_then(Option::as_deref);
    let mut at = 0;
    loop {
        let valued: &[&str] = match text(at)? {
            "command" | "builtin" => &[],
            "env" => &["-u", "--unset"],
            "nice" => &["-n"],
            "timeout" => &["-k", "-s"],
            "stdbuf" => &["-i", "-o", "-e"],
            "ionice" => &["-c", "-n"],
            "xargs" => &["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s"],
            "find" | "fd" | "fdfind" => {
                let starts = |word: &Option<String>| {
                    matches!(word.as_deref(), Some("-exec" | "-execdir" | "-x" | "--exec" | "-X"))
                };
                return words[at..]
                    .iter()
                    .position(starts)
                    .map(|found| at + found + 1)
                    .filter(|found| *found < words.len());
            }
            _ => return Some(at),
        };
        let duration = text(at) == Some("timeout");
        at += 1;
        while let Some(word) = text(at)
            && (word.starts_with('-') || word.contains('='))
        {
            at += if valued.contains(&word) { 2 } else { 1 };
        }
        at += usize::from(duration);
    }
}

/// After which of `words`, that begin with the sub-command, flags are missing, and which.
pub(crate) fn missing_flags(words: &[Option<&str>]) -> Option<(usize, &'static str)> {
    let (word, flags) = wanted_flags(words)?;
    let given = words.get(word + 1..).unwrap_or_default();
    let there = flags.split_ascii_whitespace().zip(given).filter(|(flag, word)| **word == Some(flag)).count();
    (there < flags.split_ascii_whitespace().count()).then_some((word, flags))
}

/// After which of `words` flags belong, and which.
fn wanted_flags(words: &[Option<&str>]) -> Option<(usize, &'static str)> {
    const BOTH: &str = " --no-ext-diff --no-textconv";
    let text = |at: usize| words.get(at).copied().flatten();
    let patch = words.iter().flatten().any(|word| {
        matches!(*word, "--patch" | "-u" | "--patch-with-stat" | "--patch-with-raw" | "--cc" | "-c")
            || word.starts_with("-p")
    });
    match (text(0)?, text(1)) {
        ("blame" | "annotate", _) => Some((0, " --no-textconv")),
        ("stash", Some("show")) => Some((1, BOTH)),
        ("stash", Some("list")) if patch => Some((1, BOTH)),
        ("reflog", Some("show")) if patch => Some((1, BOTH)),
        ("reflog", _) if patch => Some((0, BOTH)),
        (sub, _) => SHOW_DIFFERENCES.contains(&sub).then_some((0, BOTH)),
    }
}

fn environment() -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = [
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_PAGER", "cat"),
        ("PAGER", "cat"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ASKPASS", "true"),
        ("GIT_NO_LAZY_FETCH", "1"),
    ]
    .iter()
    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
    .collect();
    pairs.push(("GIT_CONFIG_COUNT".to_owned(), SETTINGS.len().to_string()));
    for (index, (name, value)) in SETTINGS.iter().enumerate() {
        pairs.push((format!("GIT_CONFIG_KEY_{index}"), (*name).to_owned()));
        pairs.push((format!("GIT_CONFIG_VALUE_{index}"), (*value).to_owned()));
    }
    pairs
}
