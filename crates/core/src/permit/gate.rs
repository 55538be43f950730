//! The gate itself: what may happen while the session plans, or the agent is read-only
//! (the table of plan-mode.md section 6).

use std::path::Path;

use planwright_shell::{Reason, Verdict as Shell};

use super::modes::ordinary_file_of_the_project;
use super::{
    Cause, Choice, Confinement, Refusal, Ruling, Situation, Target, TargetKind, Walls, asked_for, modes, shell_verdict,
    words,
};
use crate::call::{Bash, Call, McpCall};
use crate::experiment;
use crate::settings::PlanCommands;

pub(super) fn judge(call: &Call, targets: &[Target], situation: &Situation<'_>) -> Ruling {
    let ruling = match call {
        Call::Read(_) | Call::Glob(_) | Call::Grep(_) => pass("it only reads"),
        Call::TodoWrite(_) => pass("the agent's own state"),
        Call::Agent(_) => pass("what it starts is read-only too"),
        Call::AskUserQuestion(_) | Call::EnterPlanMode | Call::ExitPlanMode => pass("it asks the user itself"),
        Call::Write(_) | Call::Edit(_) => match plan_file(targets, situation.plan_file) {
            // Not even a rule or a hook that asks stands in its way: the plan is what this phase is for.
            Ok(()) => return pass("the plan file"),
            Err(Some(trouble)) => refuse(words::not_the_plan(call, situation, Some(trouble))),
            Err(None) => tried(call, targets, situation),
        },
        // A GET changes nothing here, so the gate lets it pass; but the address goes out, so it is judged
        // as outside: a rule, a hook or the user says yes.
        Call::WebFetch(_) => return modes::judge(call, targets, situation),
        Call::NotebookEdit(_) => tried(call, targets, situation),
        Call::Bash(bash) => command(bash, situation),
        Call::Mcp(mcp) => server_tool(mcp, situation),
    };
    match (ruling, asked_for(call, targets, situation)) {
        (Ruling::Run { confinement, .. }, Some((cause, reason))) => {
            let choices = match confinement {
                Confinement::Scratch => vec![Choice::Scratch, Choice::No],
                Confinement::None | Confinement::ReadOnly => vec![Choice::Once, Choice::No],
            };
            Ruling::Ask { confinement, cause, choices, reason, suggestion: None }
        }
        (ruling, _) => ruling,
    }
}

fn pass(reason: &str) -> Ruling {
    Ruling::Run { confinement: Confinement::None, reason: reason.to_owned(), by: "gate".to_owned() }
}

fn refuse(message: String) -> Ruling {
    Ruling::Refuse(Refusal { message, by: "gate".to_owned() })
}

/// Whether what is written is the plan file and nothing else. The error says what is wrong with it
/// if it is the plan's path all the same.
fn plan_file(targets: &[Target], plan: &Path) -> Result<(), Option<&'static str>> {
    let [target] = targets else { return Err(None) };
    if plan.as_os_str().is_empty() || target.real != plan {
        return Err(None);
    }
    if target.symlink || target.absolute.file_name() != plan.file_name() {
        return Err(Some("this is a link to it; name the file itself"));
    }
    if target.named.ends_with('/') || target.named.ends_with("/.") {
        return Err(Some("a path that ends in a slash is a folder"));
    }
    match target.kind {
        TargetKind::File if target.links > 1 => {
            Err(Some("the file there has other names elsewhere (hard links) and writing it would change them"))
        }
        TargetKind::File | TargetKind::Missing => Ok(()),
        TargetKind::Folder => Err(Some("a folder stands there")),
        TargetKind::Other => Err(Some("what stands there is not a regular file")),
    }
}

/// An edit of anything but the plan: in the session's scratch copy, if the user wants experiments and
/// there can be one. Not by agents: what they would leave in the copy would be the main thread's to
/// answer for. Only ordinary files of the project, which could be applied later.
fn tried(call: &Call, targets: &[Target], situation: &Situation<'_>) -> Ruling {
    let open = experiment::open(situation.permissions, situation.experiments, situation.sub_agent);
    let refused = |trouble: Option<&str>| refuse(words::not_the_plan(call, situation, trouble));
    let ([target], true) = (targets, open && !situation.read_only) else { return refused(None) };
    match situation.walls {
        Walls::Scratch => {}
        Walls::ReadOnly | Walls::None => return refused(Some(words::NO_EXPERIMENTS_HERE)),
    }
    if target.real == situation.plan_file {
        return refused(Some("the plan file is no part of an experiment"));
    }
    match (ordinary_file_of_the_project(target, situation.roots), target.kind) {
        (Err(why), _) => refused(Some(&format!("an experiment is for ordinary files of the project, and {why}"))),
        (Ok(()), TargetKind::Folder | TargetKind::Other) => refused(Some("what stands there is not a regular file")),
        (Ok(()), TargetKind::File | TargetKind::Missing) => Ruling::Run {
            confinement: Confinement::Scratch,
            reason: "in the scratch copy, by the setting `plan.experiments`".to_owned(),
            by: "gate".to_owned(),
        },
    }
}

/// A command; in the background or not is the same.
fn command(bash: &Bash, situation: &Situation<'_>) -> Ruling {
    let scratch = || Ruling::Run {
        confinement: Confinement::Scratch,
        reason: "in a scratch copy, by the setting `plan.commands`".to_owned(),
        by: "gate".to_owned(),
    };
    let by_setting = situation.commands == PlanCommands::Scratch && situation.walls == Walls::Scratch;
    match shell_verdict(&bash.command, situation) {
        Shell::ReadOnly if situation.walls == Walls::None => Ruling::Ask {
            confinement: Confinement::None,
            cause: Cause::Gate(words::way_out(situation)),
            choices: vec![Choice::Once, Choice::No],
            reason: "it is judged to only read, but nothing on this machine would hold it to that".to_owned(),
            suggestion: None,
        },
        Shell::ReadOnly => Ruling::Run {
            confinement: Confinement::ReadOnly,
            reason: "the command only reads".to_owned(),
            by: "gate".to_owned(),
        },
        Shell::Mutating(_) | Shell::Unknown(_) if by_setting => scratch(),
        Shell::Mutating(reason) => refuse(words::mutating(bash, &reason, situation)),
        Shell::Unknown(reason) => unknown_command(bash, &reason, situation),
    }
}

fn unknown_command(bash: &Bash, reason: &Reason, situation: &Situation<'_>) -> Ruling {
    match situation.commands {
        PlanCommands::Deny => refuse(words::unproven(bash, reason, situation)),
        // `scratch` where no scratch copy can be had falls back to asking.
        PlanCommands::Ask | PlanCommands::Scratch => {
            let mut choices = vec![Choice::Once, Choice::No];
            if situation.walls == Walls::Scratch {
                choices.insert(0, Choice::Scratch);
            }
            Ruling::Ask {
                confinement: Confinement::None,
                cause: Cause::Gate(words::way_out(situation)),
                choices,
                reason: format!("it is not known to only read: {}", reason.message),
                suggestion: None,
            }
        }
    }
}

/// A tool of a server: the server's word that it only reads counts if the user trusts the server.
fn server_tool(mcp: &McpCall, situation: &Situation<'_>) -> Ruling {
    if mcp.trusted && mcp.read_only_hint {
        return pass("a trusted server says that it only reads");
    }
    let reason = if mcp.read_only_hint {
        format!("the server `{}` says that it only reads, but the server is not trusted", mcp.server)
    } else {
        format!("the server `{}` does not say that it only reads", mcp.server)
    };
    Ruling::Ask {
        confinement: Confinement::None,
        cause: Cause::Gate(words::way_out(situation)),
        choices: vec![Choice::Once, Choice::No],
        reason,
        suggestion: None,
    }
}
