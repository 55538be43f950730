//! Which allow rules would skip the auto-mode classifier (plan-mode.md section 11): those under
//! which a model could run code of its own making.

use super::command::{CommandPattern, SHELLS, WRAPPERS, base_name, is_assignment};

/// Programs that run the code they are given.
const INTERPRETERS: &[&str] = &[
    "awk",
    "bun",
    "deno",
    "gawk",
    "ghci",
    "groovy",
    "irb",
    "jshell",
    "julia",
    "lua",
    "luajit",
    "mawk",
    "node",
    "nodejs",
    "osascript",
    "perl",
    "php",
    "pypy",
    "python",
    "R",
    "Rscript",
    "raku",
    "ruby",
    "scala",
    "tclsh",
    "ts-node",
    "tsx",
];

/// Programs that fetch or find a program by name and run it: a wildcard for that name covers all.
const RUNNERS: &[(&str, &[&str])] = &[
    ("bundle", &["exec"]),
    ("bunx", &[]),
    ("dotnet", &["run", "script"]),
    ("gem", &["exec"]),
    ("go", &["generate", "run"]),
    ("hatch", &["run"]),
    ("just", &[]),
    ("npm", &["exec", "explore", "run", "run-script", "x"]),
    ("npx", &[]),
    ("nx", &["run"]),
    ("pdm", &["run"]),
    ("pipenv", &["run"]),
    ("pipx", &["run"]),
    ("pnpm", &["dlx", "exec", "run", "x"]),
    ("pnpx", &[]),
    ("poetry", &["run"]),
    ("rake", &[]),
    ("task", &[]),
    ("turbo", &["run"]),
    ("uv", &["run", "tool"]),
    ("uvx", &[]),
    ("yarn", &["dlx", "exec", "node", "run"]),
];

/// Programs whose arguments, any of them, decide what code runs, here or on another machine.
const ANYWHERE: &[(&str, &[&str])] = &[
    ("cargo", &["r", "run"]),
    ("docker", &["compose", "container", "exec", "run"]),
    ("eval", &[]),
    ("find", &[]),
    ("gmake", &[]),
    ("kubectl", &["debug", "exec", "run"]),
    ("make", &[]),
    ("mosh", &[]),
    ("nerdctl", &["exec", "run"]),
    ("oc", &["debug", "exec", "rsh", "run"]),
    ("podman", &["container", "exec", "run"]),
    ("rsh", &[]),
    ("source", &[]),
    ("ssh", &[]),
    ("su", &[]),
    ("trap", &[]),
];

/// Whether an allow rule with this pattern is dangerous.
pub(super) fn dangerous(pattern: &CommandPattern) -> bool {
    if !pattern.wild() {
        return false;
    }
    let (text, new_word) = pattern.literal_start();
    let words: Vec<&str> = text.split_whitespace().collect();
    covers_any_code(&words, new_word)
}

/// `words` are what stands before the first wildcard; `new_word`: the wildcard begins a word, else
/// it ends the last of them.
fn covers_any_code(words: &[&str], new_word: bool) -> bool {
    let assignments = words.iter().take_while(|word| is_assignment(word)).count();
    let words = &words[assignments..];
    // A wildcard within an assignment (`A=*`) may stand for the assignment and a whole command.
    let Some(head) = words.first() else { return true };
    if WRAPPERS.contains(&base_name(head)) {
        // Which word is the program it starts is not worked out: each of them could be.
        return (0..words.len()).any(|at| runs_any_code(&words[at..], new_word));
    }
    runs_any_code(words, new_word)
}

fn runs_any_code(words: &[&str], new_word: bool) -> bool {
    let Some((head, rest)) = words.split_first() else { return true };
    // The wildcard ends the name of the program: it could be any that begins so.
    if rest.is_empty() && !new_word {
        return true;
    }
    let name = base_name(head);
    // What a wildcard is the end of is not known yet.
    let known = if new_word { rest } else { &rest[..rest.len() - 1] };
    let operand = known.iter().find(|word| !word.starts_with('-'));
    if let Some((_, subs)) = ANYWHERE.iter().find(|(program, _)| *program == name) {
        return operand.is_none_or(|sub| subs.is_empty() || subs.contains(sub));
    }
    if WRAPPERS.contains(&name) {
        return known.iter().all(|word| is_wrapper_argument(word));
    }
    let versioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if SHELLS.contains(&name) || INTERPRETERS.contains(&name) || INTERPRETERS.contains(&versioned) {
        return !names_its_program(known);
    }
    RUNNERS.iter().find(|(runner, _)| *runner == name).is_some_and(|(_, subs)| {
        let mut operands = known.iter().filter(|word| !word.starts_with('-'));
        match operands.next() {
            None => true,
            Some(sub) => subs.contains(sub) && operands.next().is_none(),
        }
    })
}

/// Whether an interpreter's arguments name what it runs: a word that is no option, nor could be an
/// option's value.
fn names_its_program(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        !word.starts_with('-') && (before == "-m" || !before.starts_with('-'))
    })
}

/// An option, an assignment or a number between a wrapper and the program it starts.
fn is_wrapper_argument(word: &str) -> bool {
    word.starts_with('-') || is_assignment(word) || word.starts_with(|c: char| c.is_ascii_digit())
}
