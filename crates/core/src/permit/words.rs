//! What a model reads when a call does not run: what happened, and what to do instead.

use planwright_shell::Reason;

use super::{Ask, Cause, Choice, Situation};
use crate::call::{Bash, Call};
use crate::text::first_line;

/// Why a call runs that the user wants in a scratch copy.
pub(super) const IN_SCRATCH: &str = "the user had it run in a scratch copy";
/// `EnterPlanMode` in a subagent.
pub(super) const ENTER_IN_AGENT: &str = "EnterPlanMode tool cannot be used in agent contexts";
/// `ExitPlanMode` in a subagent.
pub(super) const EXIT_IN_AGENT: &str = "ExitPlanMode cannot be used by a subagent: the plan is handed over by the main thread. End with your findings as your answer.";
/// `AskUserQuestion` in a subagent.
pub(super) const ASK_IN_AGENT: &str = "AskUserQuestion cannot be used by a subagent: only the main thread talks to the user. Put the open question into your answer.";
/// `ExitPlanMode` when there is no plan mode to exit.
pub(super) const EXIT_OUTSIDE_PLAN: &str = "You are not in plan mode. This tool is only for exiting plan mode after writing a plan. If your plan was already approved, continue with implementation.";

/// Experiments are wanted, and there is no scratch copy to make them in.
pub(super) const NO_EXPERIMENTS_HERE: &str = "the setting `plan.experiments` is on, but this machine cannot make the scratch copy that experiments need; `planwright doctor` says why";

/// The call in a few words: `Bash(npm install)`.
fn named(call: &Call) -> String {
    let argument = first_line(call.main_argument(), crate::bounds::SUBJECT_CHARS);
    if argument.is_empty() { format!("`{}`", call.tool_name()) } else { format!("`{}({argument})`", call.tool_name()) }
}

/// Why nothing may change now, and the way out.
pub(super) fn way_out(situation: &Situation<'_>) -> String {
    if !situation.sub_agent && situation.permissions.planning() {
        return format!(
            "plan mode is active; only the plan file {} may be written. Finish the plan and call ExitPlanMode to ask the user for approval",
            situation.plan_file.display()
        );
    }
    let only = if situation.plan_file.as_os_str().is_empty() {
        "it may not change anything".to_owned()
    } else {
        format!("the only file it may write is {}", situation.plan_file.display())
    };
    format!(
        "this agent is read-only: {only}. Go on with reading, searching and read-only commands, and say in your answer what should be changed"
    )
}

/// A write to anything but the plan.
pub(super) fn not_the_plan(call: &Call, situation: &Situation<'_>, trouble: Option<&str>) -> String {
    let trouble = trouble.map(|trouble| format!(": {trouble}")).unwrap_or_default();
    format!("{}. ({} was not run{trouble}.)", way_out(situation), named(call))
}

/// A command that plainly changes something.
pub(super) fn mutating(bash: &Bash, reason: &Reason, situation: &Situation<'_>) -> String {
    format!("{}. (The command was not run: {}.{})", way_out(situation), because(bash, reason), instead(reason))
}

/// A command of which nothing is proven, where the setting says not to ask.
pub(super) fn unproven(bash: &Bash, reason: &Reason, situation: &Situation<'_>) -> String {
    format!(
        "{}. (The command was not run: it is not known to only read, and the setting `plan.commands` is `deny`. {}.{})",
        way_out(situation),
        because(bash, reason),
        instead(reason)
    )
}

fn because(bash: &Bash, reason: &Reason) -> String {
    let word = first_line(&reason.word, crate::bounds::SUBJECT_CHARS);
    if word.is_empty() || word == bash.command || reason.message.starts_with(&word) {
        reason.message.clone()
    } else {
        format!("`{word}`: {}", reason.message)
    }
}

fn instead(reason: &Reason) -> String {
    reason.instead.as_ref().map(|way| format!(" By reading only: {way}.")).unwrap_or_default()
}

pub(super) fn denied_by_rule(call: &Call, rule: &str) -> String {
    format!(
        "{} was not run: the user's permission rule `{rule}` denies it. Do not try to reach the same another way; do without it, or tell the user what it is needed for.",
        named(call)
    )
}

pub(super) fn denied_by_hook(call: &Call, hook: &str, reason: &str) -> String {
    let reason = if reason.trim().is_empty() { "it gave no reason" } else { reason.trim() };
    format!("{} was not run: the hook `{hook}` refused it: {reason}", named(call))
}

pub(super) fn user_said_no(call: &Call, comment: &str) -> String {
    match comment.trim() {
        "" => format!(
            "{} was not run: the user said no, without a reason. Go another way, or ask what they would rather have.",
            named(call)
        ),
        comment => format!("{} was not run: the user said no. Their reason: {comment}", named(call)),
    }
}

pub(super) fn not_on_offer(call: &Call) -> String {
    format!("{} was not run: the answer was not one of those on offer, and so counts as a no.", named(call))
}

/// A question with nobody to ask.
pub(super) fn nobody(ask: &Ask) -> String {
    let call = named(&ask.permit.call);
    let how = match &ask.cause {
        Cause::Rule(_) | Cause::Hook(_) => {
            "Only a person can give it: run this interactively, or change the rule or hook that asks.".to_owned()
        }
        Cause::Gate(way_out) => {
            let scratch = match ask.choices.contains(&Choice::Scratch) {
                true => " With the setting `plan.commands` = `scratch` such commands run in a scratch copy.",
                false => "",
            };
            format!("No rule, hook or other mode gives it: {way_out}.{scratch}")
        }
        Cause::Mode => {
            let rule = match &ask.suggestion {
                Some(rule) => format!("an allow rule such as `{rule}`"),
                None => "an allow rule".to_owned(),
            };
            format!(
                "It can be given by {rule} (`permissions.allow` in the settings, or `--allowed-tools`), or by another mode (`--permission-mode`). Do without it, or say in your answer that it is missing."
            )
        }
    };
    format!("{call} needs a permission, and there is nobody to give it: {}. {how}", ask.reason)
}
