//! What each mode does with a call outside the gate: ask rules, bypass, allow rules, the mode's own
//! defaults, the user.

use std::path::{Path, PathBuf};

use planwright_shell::{Part, Verdict as Shell, parts};

use super::{
    Cause, Choice, Confinement, HookOpinion, Ruling, Situation, Target, TargetKind, asked_for, shell_verdict, suggest,
};
use crate::call::Call;
use crate::mode::Mode;

pub(super) fn judge(call: &Call, targets: &[Target], situation: &Situation<'_>) -> Ruling {
    if let Some((cause, reason)) = asked_for(call, targets, situation) {
        let confinement = unasked(call, targets, situation).map_or(Confinement::None, |(confinement, _)| confinement);
        return Ruling::Ask { confinement, cause, choices: vec![Choice::Once, Choice::No], reason, suggestion: None };
    }
    let permissions = situation.permissions;
    if permissions.mode() == Mode::BypassPermissions {
        return run(Confinement::None, "the mode is bypassPermissions", "mode".to_owned());
    }
    let reads = |part: &str| shell_verdict(part, situation) == Shell::ReadOnly;
    if let Some(rule) = situation.rules.allowing(call, targets, permissions.auto_active(), &reads) {
        return run(Confinement::None, "a rule allows it", format!("rule {}", rule.text()));
    }
    let reason = match unasked(call, targets, situation) {
        Ok((confinement, reason)) => return run(confinement, reason, "mode".to_owned()),
        Err(reason) => reason,
    };
    if let Some(HookOpinion::Allow { hook }) = situation.hook {
        return run(Confinement::None, "a hook allows it", format!("hook {hook}"));
    }
    let suggestion = suggest::rule(call, targets, situation);
    let mut choices = vec![Choice::Once, Choice::No];
    if suggestion.is_some() {
        choices.insert(1, Choice::Always);
    }
    Ruling::Ask { confinement: Confinement::None, cause: Cause::Mode, choices, reason, suggestion }
}

fn run(confinement: Confinement, reason: &str, by: String) -> Ruling {
    Ruling::Run { confinement, reason: reason.to_owned(), by }
}

/// What the mode runs without asking, and why; the error is why it asks.
fn unasked(call: &Call, targets: &[Target], situation: &Situation<'_>) -> Result<(Confinement, &'static str), String> {
    match call {
        Call::Read(_) | Call::Glob(_) | Call::Grep(_) => Ok((Confinement::None, "it only reads")),
        Call::TodoWrite(_) => Ok((Confinement::None, "the agent's own state")),
        Call::Agent(_) => Ok((Confinement::None, "what the agent does is judged call by call")),
        Call::AskUserQuestion(_) | Call::EnterPlanMode | Call::ExitPlanMode => {
            Ok((Confinement::None, "it asks the user itself"))
        }
        Call::Mcp(mcp) if mcp.trusted && mcp.read_only_hint => {
            Ok((Confinement::None, "a trusted server says that it only reads"))
        }
        Call::WebFetch(fetch) => Err(format!("the address goes out to {}", fetch.url.host())),
        Call::Mcp(mcp) => Err(format!("it is a tool of the server `{}`", mcp.server)),
        Call::Bash(bash) => match shell_verdict(&bash.command, situation) {
            Shell::ReadOnly => Ok((Confinement::ReadOnly, "the command only reads")),
            Shell::Mutating(_) | Shell::Unknown(_)
                if accepts_edits(situation) && plain_file_work(&bash.command, targets, situation) =>
            {
                Ok((Confinement::None, "it only arranges files of the project"))
            }
            Shell::Mutating(reason) => Err(reason.message),
            Shell::Unknown(reason) => Err(format!("it is not known to only read: {}", reason.message)),
        },
        Call::Write(_) | Call::Edit(_) | Call::NotebookEdit(_) => edit(targets, situation),
    }
}

/// Whether the mode accepts edits. `auto` has its classifier for them; until there is one, it asks.
fn accepts_edits(situation: &Situation<'_>) -> bool {
    match situation.permissions.mode() {
        Mode::AcceptEdits => true,
        Mode::Default | Mode::Plan | Mode::Auto | Mode::BypassPermissions => false,
    }
}

fn edit(targets: &[Target], situation: &Situation<'_>) -> Result<(Confinement, &'static str), String> {
    let [target] = targets else { return Err("where it would write is not known".to_owned()) };
    if !accepts_edits(situation) {
        return Err("it changes a file".to_owned());
    }
    ordinary_file_of_the_project(target, situation.roots)?;
    match target.kind {
        TargetKind::File | TargetKind::Missing => Ok((Confinement::None, "edits of the project are accepted")),
        TargetKind::Folder | TargetKind::Other => Err("what stands there is not a regular file".to_owned()),
    }
}

/// The error is why `acceptEdits` does not cover the path.
pub(super) fn ordinary_file_of_the_project(target: &Target, roots: &[PathBuf]) -> Result<(), String> {
    // By components: `/repo-evil` is not in `/repo`.
    let Some(root) = roots.iter().find(|root| target.real.starts_with(root)) else {
        return Err(format!("{} is outside the project", target.real.display()));
    };
    let inside = target.real.strip_prefix(root).unwrap_or(&target.real);
    match protected(inside).or_else(|| target.absolute.file_name().and_then(|name| protected(Path::new(name)))) {
        Some(why) => Err(format!("{} is protected: {why}", target.real.display())),
        None => Ok(()),
    }
}

/// Folders and files that decide what other programs run or what this one may do: editing one is
/// never taken for ordinary work.
const PROTECTED: &[(&str, &[&str])] = &[
    ("git runs programs named there", &[".git", ".gitconfig", ".gitmodules", ".husky"]),
    ("this program's own settings and rules are there", &[".planwright", ".mcp.json"]),
    (
        "shells run it when they start",
        &[
            ".bash_aliases",
            ".bash_login",
            ".bash_logout",
            ".bash_profile",
            ".bashrc",
            ".cshrc",
            ".kshrc",
            ".login",
            ".profile",
            ".tcshrc",
            ".zlogin",
            ".zlogout",
            ".zprofile",
            ".zshenv",
            ".zshrc",
        ],
    ),
    ("it is run when a shell enters the folder", &[".envrc", ".mise.toml", ".tool-versions"]),
    (
        "it decides where packages and programs come from",
        &[".cargo", ".npmrc", ".pip", ".pypirc", ".yarnrc", ".yarnrc.yml"],
    ),
    ("editors run programs named there", &[".devcontainer", ".exrc", ".idea", ".nvimrc", ".vimrc", ".vscode"]),
    ("keys and passwords are there", &[".aws", ".gnupg", ".netrc", ".ssh"]),
    ("terminals run programs named there", &[".inputrc", ".ripgreprc", ".screenrc", ".tmux.conf"]),
];

/// Why a path (relative to the project) is protected: because of any name in it, whatever its case.
fn protected(path: &Path) -> Option<&'static str> {
    let is = |name: &str| path.components().any(|part| part.as_os_str().eq_ignore_ascii_case(name));
    PROTECTED.iter().find(|(_, names)| names.iter().any(|name| is(name))).map(|(why, _)| *why)
}

/// Commands that only arrange files, with the options under which that stays so.
const FILE_COMMANDS: &[(&str, &[&str])] = &[
    ("cp", &["-a", "-n", "-p", "-r", "-R", "-v"]),
    ("mkdir", &["-p", "-pv", "-v", "-vp"]),
    ("mv", &["-n", "-v"]),
    ("touch", &["-a", "-c", "-m"]),
];

/// Whether a line does nothing but arrange ordinary files of the project (`acceptEdits`).
fn plain_file_work(command: &str, targets: &[Target], situation: &Situation<'_>) -> bool {
    let Ok(parts) = parts(command) else { return false };
    let head = |part: &Part| part.words.first().cloned().unwrap_or_default();
    // After a `cd`, or once something was moved or copied, paths need not mean what they meant when
    // they were resolved.
    let moves = parts.iter().any(|part| matches!(head(part).as_str(), "cp" | "mv"));
    let changes = parts.iter().filter(|part| FILE_COMMANDS.iter().any(|(name, _)| *name == head(part))).count();
    (changes == 1 || !moves)
        && parts.iter().all(|part| {
            let goes = matches!(head(part).as_str(), "cd" | "pushd" | "popd");
            arranges(part, targets, situation.roots)
                || (!goes && shell_verdict(&part.text, situation) == Shell::ReadOnly)
        })
}

fn arranges(part: &Part, targets: &[Target], roots: &[PathBuf]) -> bool {
    let Some((head, rest)) = part.words.split_first() else { return false };
    let Some((_, options)) = FILE_COMMANDS.iter().find(|(name, _)| name == head) else { return false };
    // What could hold more than plain words is not plain.
    if !part.globs.is_empty() || part.text.contains(['>', '<', '$', '`', '\n', '~', '{']) {
        return false;
    }
    let (flags, operands): (Vec<_>, Vec<_>) = rest.iter().partition(|word| word.starts_with('-'));
    let resolved: Option<Vec<&Target>> =
        operands.iter().map(|word| targets.iter().find(|target| target.named == **word)).collect();
    let Some(resolved) = resolved else { return false };
    flags.iter().all(|flag| options.contains(&flag.as_str()))
        && !resolved.is_empty()
        && !operands.iter().any(|word| word.ends_with("/.") || word.ends_with("/.."))
        && resolved.iter().all(|target| ordinary_file_of_the_project(target, roots).is_ok())
        && (head != "cp" || copies_to_a_known_place(&resolved))
}

/// `cp x FOLDER` writes to `FOLDER/x`, through a link if one stands there: that path was not
/// resolved.
fn copies_to_a_known_place(operands: &[&Target]) -> bool {
    operands.last().is_some_and(|target| matches!(target.kind, TargetKind::File | TargetKind::Missing))
}
