//! Every sentence of the session that a person is shown, in one place, so that it can be
//! translated. Words of line mode itself stand in the surfaces' own `words.rs`; words of errors
//! about files come with the store's errors.
//!
//! Sentences in `code` on the pages of the spec are pinned and stay as they are.

use std::path::Path;

use crate::permit::Walls;
use crate::protection::Protection;

/// `/plan` entered plan mode (pinned).
pub const PLAN_ON: &str = "Enabled plan mode";
/// `/plan off` when plan mode is not on.
pub const PLAN_IS_OFF: &str = "Plan mode is off.";
/// `/plan off` left plan mode.
pub const PLAN_OFF: &str = "Disabled plan mode. The plan was not approved.";
/// `/plan` while planning, without a plan (pinned).
pub const NO_PLAN_YET: &str = "Already in plan mode. No plan written yet.";
/// A turn in plan mode ended without a submission.
pub const NO_PLAN_SUBMITTED: &str = "No plan was submitted; plan mode stays on.";
/// An answer came for a plan, and none waits.
pub const NO_PLAN_WAITS: &str = "No plan waits for approval in this session.";
/// What to do about [`NO_PLAN_WAITS`].
pub const NO_PLAN_WAITS_HINT: &str = "`planwright plan list` shows the plans of this project.";
/// An answer for the plan that waits could not be used.
pub const PLAN_STILL_WAITS: &str = "The plan still waits for an answer.";
/// Why the plan dialogue is shown again: the text is another one now.
pub const PLAN_CHANGED: &str = "The plan on disk is not the one that was shown; this is what it says now.";
/// A plan is approved without a dialogue, and its text is not the one submitted.
pub const PLAN_CHANGED_SINCE: &str = "The plan file was changed since it was submitted. Read it (`planwright plan show`), then \
     approve that text: add `--plan-file` with its path (`planwright plan path`).";
/// Why the plan dialogue is shown again: the answer was none of its choices.
pub const MODE_NOT_OFFERED: &str = "That mode is not on offer here.";
/// The answer wanted an experiment applied that cannot be.
pub const EXPERIMENT_NOT_OFFERED: &str = "There is no experiment that can be applied here.";
/// What was tried in the scratch copy died with the process that kept it.
pub const EXPERIMENT_LOST: &str = "The experiment of this session is gone: its scratch copy lasts only as long as the program runs. No file was changed.";
/// The same, when it had been approved.
pub const EXPERIMENT_LOST_APPROVED: &str = "The experiment that was approved with the plan was not applied: the program ended before it was. No file was changed.";
/// `/undo` with nothing to take back.
pub const NOTHING_TO_UNDO: &str = "No experiment was applied in this session, or it is undone already.";
/// `/undo` while planning.
pub const UNDO_WHILE_PLANNING: &str =
    "While you plan no file is changed, not even back. Leave plan mode first (`/plan off`), then `/undo`.";
/// The user's editor was closed, and the plan is as it was.
pub const PLAN_UNCHANGED: &str = "The plan is unchanged.";
/// The user's editor was closed, and the plan is another.
pub const PLAN_EDITED: &str = "The plan was edited.";
/// The user's editor removed the plan.
pub const PLAN_RESTORED: &str = "The editor left no plan; the one from before is back.";
/// The surface has no editor to open.
pub const NO_EDITOR_ANSWERED: &str = "no editor answered";
/// `/clear` is done.
pub const CLEARED: &str = "The conversation is cleared. The next plan gets a file of its own.";
/// `/compact` of nothing.
pub const NOTHING_TO_COMPACT: &str = "There is nothing to compact.";
/// `/compact` is done.
pub const COMPACTED: &str = "The conversation is compacted.";
/// `/compact` was stopped.
pub const COMPACT_STOPPED: &str = "Stopped; nothing was compacted.";
/// The summary did not come whole.
pub const COMPACT_CUT: &str = "The summary was cut off";
/// The summary did not come.
pub const COMPACT_EMPTY: &str = "The model gave no summary";
/// What it means that there is no summary.
pub const NOTHING_COMPACTED: &str = "nothing was compacted; the conversation is as it was";
/// The work by an approved plan begins in a conversation of its own.
pub const HANDED_OVER: &str = "A fresh conversation begins, from the approved plan alone.";
/// What a summary is to hold when the work by an approved plan begins with it.
pub const KEEP_FOR_THE_WORK: &str =
    "what was learned that the work by the approved plan needs; the plan itself travels along";
/// The answer to a question about a plan had no words in it.
pub const ASIDE_WITHOUT_WORDS: &str = "The model answered without words.";
/// The answer to a question about a plan was stopped.
pub const ASIDE_STOPPED: &str = "Stopped.";
/// `/mcp` without servers.
pub const NO_TOOL_SERVERS: &str = "No tool servers are connected.";
/// `/permissions` without rules.
pub const NO_RULES: &str = "There are no permission rules.";
/// Above the rules that auto mode takes out of force.
pub const STRIPPED_RULES: &str = "While auto mode is used, dangerous allow rules are out of force:";
/// The session was cut off in a turn.
pub const TURN_CUT_OFF: &str = "The last turn was cut off; say \"go on\" to let the model continue.";
/// A session in bypassPermissions is gone on with by a process that did not allow it.
pub const BYPASS_NOT_TAKEN_UP: &str =
    "bypassPermissions is not taken up again: allow it with --allow-bypass. The mode is `default` instead.";
/// A session whose log lost a line.
pub const MODE_IN_DOUBT: &str =
    "The session log is damaged and may have lost a change of mode; the mode is `default`, to be safe.";
/// The model's answer was cut off.
pub const ANSWER_CUT: &str = "the model's answer was cut off";
/// What to do about [`ANSWER_CUT`].
pub const ANSWER_CUT_HINT: &str = "what it said is kept; say \"go on\" to let it continue";
/// Agents that were started before plan mode are at work.
pub const AGENTS_STILL_RUN: &str =
    "Agents are at work: what they were permitted and have begun is finished; from here on they only read.";
/// Something typed while the model works is dealt with when it is done.
pub const AFTER_THIS: &str = "(after this turn)";
/// A `!command` was stopped.
pub const STOPPED: &str = "stopped";

/// `/plan` while planning, with a plan: its head (pinned), path and text.
pub fn current_plan(path: &Path, text: &str, editor: Option<&str>) -> String {
    let edit = editor.map(|name| format!("\n\n\"/plan open\" to edit this plan in {name}")).unwrap_or_default();
    format!("Current Plan\n{}\n\n{}{edit}", path.display(), text.trim_end())
}

/// `/plan` while planning, with something that cannot be read at the plan's place.
pub fn plan_unreadable(path: &Path, why: &str) -> String {
    format!("Already in plan mode. {}", plan_file_unreadable(path, why))
}

/// The plan file cannot be read.
pub fn plan_file_unreadable(path: &Path, why: &str) -> String {
    format!("The plan file {} cannot be read: {why}", path.display())
}

/// `/plan open` worked (pinned).
pub fn plan_opened(path: &Path) -> String {
    format!("Opened plan in editor: {}", path.display())
}

/// The user's editor could not be opened (pinned).
pub fn editor_failed(why: &str) -> String {
    format!("Failed to open plan in editor: {why}")
}

/// A plan edited in the surface could not be saved.
pub fn edited_plan_not_saved(why: &str) -> String {
    format!("The edited plan could not be saved: {why}")
}

/// A plan that an editor removed could not be put back.
pub fn plan_not_restored(why: &str) -> String {
    format!("The plan could not be put back: {why}")
}

/// The plan file is gone, on a machine whose disk lasts.
pub fn plan_gone(path: &Path) -> String {
    format!(
        "The plan file {} is gone. Its last text is in the session log: `planwright plan show` prints it.",
        path.display()
    )
}

/// The plan file was put back from the log.
pub fn plan_recovered(path: &Path, from: &str) -> String {
    format!("The plan file was put back from {from}: {}", path.display())
}

/// `/fork` is done.
pub fn forked(session: &str) -> String {
    format!("This is a fork now: session {session}.")
}

/// A plan was decided without going on.
pub fn recorded(mode: &str, session: &str) -> String {
    format!("Recorded; the mode is {mode}. `planwright --resume {session} -p \"go on\"` goes on from here.")
}

/// An experiment was applied.
pub fn experiment_applied(files: &str) -> String {
    format!("The experiment was applied: {files}. `/undo` takes it back.")
}

/// An experiment could not be applied.
pub fn experiment_not_applied(why: &str) -> String {
    format!("The plan is approved, but the experiment was not applied: {why}. No file was changed.")
}

/// An experiment is applied in part.
pub fn experiment_not_undone(why: &str, files: &str) -> String {
    format!(
        "The experiment was applied in part, and taking it back failed: {why}. Look at: {files}. `/undo` tries again."
    )
}

/// `/undo` is done.
pub fn experiment_undone(files: &str) -> String {
    format!("The experiment is taken back: {files}.")
}

/// `/undo` changed nothing.
pub fn experiment_kept(why: &str) -> String {
    format!("Nothing was undone: {why}.")
}

/// A change holds although it could not be written.
pub fn not_recorded(why: &str) -> String {
    format!("This holds now, but is not in the session log yet: {why}")
}

/// A command begun in the background before plan mode still runs.
pub fn still_runs(id: u32, command: &str) -> String {
    format!(
        "Begun before plan mode, and not stopped by it: `{}` (process {id}; `!kill {id}` ends it).",
        crate::text::first_line(&crate::text::inert(command), 80)
    )
}

/// `/model`
pub fn model(id: &str) -> String {
    format!("model: {id}")
}

/// The model that is to do the work by a plan cannot be had.
pub fn model_unusable(spec: &str, why: &str) -> String {
    format!("The plan is not approved: the model `{spec}` cannot be had: {why}")
}

/// A limit of requests was reached.
pub fn too_many_requests(limit: u32) -> String {
    format!("the turn was ended after {limit} model requests")
}

/// What holds commands while the session plans, in a line.
pub fn protection_while_planning(found: &Protection) -> String {
    let because = found.because();
    match found.tier {
        Walls::Scratch => "Plan mode: sealed. A command can only read, or works in a throw-away copy.".to_owned(),
        Walls::ReadOnly => format!(
            "Plan mode: read-only, not sealed{because}. Commands that are known to read are held to reading; tests and \
             builds need your OK, and then run for real."
        ),
        Walls::None => format!("Plan mode: NOT enforced by the kernel on this machine{because}. Each command asks."),
    }
}

/// What holds commands, in rows: the tier with its reason, then how to get more.
pub fn protection_rows(found: &Protection) -> Vec<String> {
    let tier = match found.tier {
        Walls::Scratch => "sealed",
        Walls::ReadOnly => "read-only, not sealed",
        Walls::None => "not enforced",
    };
    std::iter::once(format!("{tier}{}", found.because())).chain(found.remedy.clone()).collect()
}
