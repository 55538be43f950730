//! The rule that "always" would add: as narrow as is useful, and never one that lets a model run
//! code of its own making.

use planwright_shell::{Verdict as Shell, parts};

use super::{Situation, Target, shell_verdict};
use crate::bounds::SUGGESTION_CHARS;
use crate::call::Call;
use crate::rules::{command_rule, edit_rule, host_rule};

/// Commands whose first two words say what they do, so that a rule for them and any arguments is no
/// more than the user has in mind.
const PREFIXES: &[(&str, &[&str])] = &[
    ("cargo", &["build", "check", "clippy", "doc", "fmt", "test"]),
    ("git", &["add", "commit", "stash", "switch", "tag"]),
    ("go", &["build", "fmt", "test", "vet"]),
    ("npm", &["ci", "install", "test"]),
    ("pip", &["install"]),
    ("pnpm", &["install", "test"]),
    ("uv", &["pip", "sync"]),
    ("yarn", &["add", "install", "test"]),
];

/// Commands that run a named script: the third word says which.
const SCRIPTS: &[(&str, &str)] = &[("npm", "run"), ("pnpm", "run"), ("yarn", "run")];

/// The rule that would answer the question, if there is one that is narrow enough to offer.
pub(super) fn rule(call: &Call, targets: &[Target], situation: &Situation<'_>) -> Option<String> {
    let rule = match call {
        Call::Bash(bash) => command(&bash.command, situation)?,
        Call::Write(_) | Call::Edit(_) | Call::NotebookEdit(_) => match targets {
            // A rule must fit both names of a file; one that names the link only would not.
            [target] if target.absolute == target.real => edit_rule(&target.real)?,
            _ => return None,
        },
        Call::WebFetch(fetch) => host_rule(fetch.url.host()),
        Call::Mcp(mcp) => format!("mcp__{}__{}", mcp.server, mcp.tool),
        Call::Read(_)
        | Call::Glob(_)
        | Call::Grep(_)
        | Call::Agent(_)
        | Call::AskUserQuestion(_)
        | Call::TodoWrite(_)
        | Call::EnterPlanMode
        | Call::ExitPlanMode => return None,
    };
    (rule.chars().count() <= SUGGESTION_CHARS).then_some(rule)
}

fn command(command: &str, situation: &Situation<'_>) -> Option<String> {
    let reads = |text: &str| shell_verdict(text, situation) == Shell::ReadOnly;
    let split = parts(command).unwrap_or_default();
    let open: Vec<_> = split.iter().filter(|part| !reads(&part.text)).collect();
    match open.as_slice() {
        [part] if split.len() == 1 => prefix(&part.words).or_else(|| command_rule(command)),
        _ => command_rule(command),
    }
}

fn prefix(words: &[String]) -> Option<String> {
    let [head, sub, rest @ ..] = words else { return None };
    if PREFIXES.iter().any(|(program, subs)| program == head && subs.contains(&sub.as_str())) {
        return Some(format!("Bash({head} {sub} *)"));
    }
    let script = rest.first()?;
    let plain = !script.starts_with('-') && script.chars().all(|c| c.is_ascii_alphanumeric() || "-_:.".contains(c));
    (plain && SCRIPTS.contains(&(head.as_str(), sub.as_str()))).then(|| format!("Bash({head} {sub} {script} *)"))
}
