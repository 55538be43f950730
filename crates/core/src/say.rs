//! Every sentence of the session that a person is shown, in one place, so that it can be
//! translated. Words of line mode itself stand in the surfaces' own `words.rs`; words of errors
//! about files come with the store's errors.
//!
//! Sentences in `code` on the pages of the spec are pinned and stay as they are.

use std::path::Path;

use crate::context::{Shares, Window};
use crate::mode::Mode;
use crate::permit::Walls;
use crate::protection::Protection;
use crate::reply::{Spent, Usage};

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
/// The answer wanted an experiment applied that cannot be.
pub const EXPERIMENT_NOT_OFFERED: &str = "There is no experiment that can be applied here.";
/// What was tried in the scratch copy died with the process that kept it.
pub const EXPERIMENT_LOST: &str = "The experiment of this session is gone: its scratch copy lasts only as long as the program runs. No file was changed.";
/// The same, when it had been approved.
pub const EXPERIMENT_LOST_APPROVED: &str = "The experiment that was approved with the plan was not applied: the program ended before it was. No file was changed.";
/// Why the plan dialogue is shown again: the answer was none of its `modes`.
pub fn mode_not_offered(modes: &[Mode]) -> String {
    let modes: Vec<_> = modes.iter().map(|mode| mode.name()).collect();
    format!(
        "That mode is not on offer here. A plan is approved into {}; into bypassPermissions only where that was the mode \
         before planning, or the session allows it (--allow-bypass).",
        modes.join(" or ")
    )
}
/// A run ends in which something was tried and not applied. `choice`: where the plan dialogue has it.
pub fn experiment_ends(choice: usize) -> String {
    format!(
        "The experiment is gone with this run: what was tried in the scratch copy is in no file. To have it, approve the \
         plan in the session that tries it, where you are asked: choice {choice} of the plan dialogue applies it."
    )
}
/// `/undo` with nothing to take back.
pub const NOTHING_TO_UNDO: &str = "No experiment was applied in this session, or it is undone already.";
/// `/undo` while planning.
pub const UNDO_WHILE_PLANNING: &str =
    "While you plan no file is changed, not even back. Leave plan mode first (`/plan off`), then `/undo`.";
/// `/scratch` without a copy.
pub const NO_SCRATCH_COPY: &str =
    "There is no scratch copy: none is kept but while you plan, and from the first command in it.";
/// `/scratch`, and the copy is as the real files.
pub const SCRATCH_UNCHANGED: &str = "The scratch copy would change nothing so far.";
/// `/scratch clear` is done.
pub const SCRATCH_CLEARED: &str = "The scratch copy is thrown away with all that was done in it. The next command in one gets a new one. No file was changed.";
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
/// `/compact` was stopped.
pub const COMPACT_STOPPED: &str = "Stopped; nothing was compacted.";
/// The summary did not come.
pub const COMPACT_EMPTY: &str = "The model gave no summary";
/// The model would not write the summary.
pub const COMPACT_REFUSED: &str = "The model refused to summarize the conversation";
/// Even a shortened conversation does not fit.
pub const COMPACT_FULL: &str = "The conversation is too large for the model's window, even shortened";
/// What to do when there is no summary.
pub const NOTHING_COMPACTED: &str = "Nothing was compacted. Try again, or start over with /clear.";
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
/// An answer ended at its length limit.
pub const ANSWER_AT_LIMIT: &str =
    "The answer ended at the model's length limit and may not be whole; say \"go on\" to let it continue.";
/// A provider paused an answer again and again.
pub const PAUSED_TOO_OFTEN: &str = "the model's provider paused its answer too often";
/// The model would not answer.
pub const MODEL_REFUSED: &str = "the model refused to answer";
/// What to do about [`MODEL_REFUSED`].
pub const MODEL_REFUSED_HINT: &str =
    "Say it differently; if it goes on refusing, /clear starts a new conversation, or /model takes another model.";
/// What a model means that stops because its window is full.
pub const WINDOW_FULL: &str = "it stopped because its window is full";
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

/// The plan file was taken along with the home of the session.
pub fn plan_moved(path: &Path) -> String {
    format!("The plan file is {} now.", path.display())
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

/// The program ended while an experiment was applied.
pub fn experiment_cut_off(files: &str) -> String {
    format!(
        "The program ended while the experiment was being applied: some of these files may be changed: {files}. `/undo` \
         takes it back, however far it came."
    )
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

/// `/scratch`: what the copy would change, one line for each.
pub fn scratch_holds(changes: usize, lines: &str) -> String {
    let many = if changes == 1 { "" } else { "s" };
    format!("The scratch copy would make {changes} change{many} so far. `/scratch clear` throws it away.\n{lines}")
}

/// `/scratch` failed.
pub fn scratch_not_seen(why: &str) -> String {
    format!("The scratch copy cannot be looked at: {why} `/scratch clear` throws it away.")
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

/// `/model`, and whenever another model is asked than before.
pub fn model(id: &str) -> String {
    format!("model: {id}")
}

/// The model that is to do the work by a plan cannot be had.
pub fn model_unusable(spec: &str, why: &str) -> String {
    format!("The plan is not approved: the model `{spec}` cannot be had: {why}")
}

/// A server may cut what it is asked, and would not say so.
pub fn silent_window(tokens: u64, window: u64) -> String {
    format!(
        "This request has about {tokens} tokens. Ollama may read only the last {window} unless it is told otherwise: start \
         it with OLLAMA_CONTEXT_LENGTH=32768, or set `num_ctx` in a Modelfile."
    )
}

/// `/model` where planning has a model of its own; `now`: the one that is asked next.
pub fn models(now: &str, plan: &str, main: &str) -> String {
    format!("model: {now}\nwhile planning: {plan}\notherwise: {main}")
}

/// An automatic compaction failed.
pub fn not_compacted(cause: &str) -> String {
    format!("The conversation could not be compacted, and goes on as it is. {cause}.")
}

/// Another model answers for the rest of the turn.
pub fn falls_back(cause: &str, model: &str) -> String {
    format!("{cause}. {model} answers for the rest of this turn.")
}

/// A limit of requests was reached.
pub fn too_many_requests(limit: u32) -> String {
    format!("the turn was ended after {limit} model requests")
}

/// `/context`
pub fn context(model: &str, window: &Window, shares: &Shares, used: u64, auto: bool) -> String {
    let limited = window.tokens != u64::MAX;
    let share = |tokens: u64| match limited {
        true => format!("  {:>3} %", u128::from(tokens) * 100 / u128::from(window.tokens.max(1))),
        false => String::new(),
    };
    let row = |name: &str, tokens: u64| format!("{name:<14}{:>11}{}", grouped(tokens), share(tokens));
    let mut rows = vec![format!("model         {model}")];
    rows.push(match limited {
        true => row("window", window.tokens),
        false => "window        no limit".to_owned(),
    });
    rows.push(row("used", used));
    rows.push(row("  system", shares.system));
    rows.push(row("  tools", shares.tools));
    rows.push(row("  notes", shares.notes));
    rows.push(row("  talk", shares.conversation));
    if limited {
        rows.push(row("for the answer", window.reserve));
        rows.push(match auto {
            true => format!("At {} tokens the conversation is compacted by itself.", grouped(window.full_at)),
            false => "It is not compacted by itself (`compact.auto`); /compact makes room.".to_owned(),
        });
    }
    rows.join("\n")
}

/// `/cost`
pub fn cost(all: Usage, spent: &[Spent]) -> String {
    let tokens = |usage: Usage| {
        format!(
            "{} in, {} out, {} written to cache, {} read from cache",
            grouped(usage.input_tokens),
            grouped(usage.output_tokens),
            grouped(usage.cache_creation_input_tokens),
            grouped(usage.cache_read_input_tokens)
        )
    };
    let mut rows = vec![format!("tokens: {}", tokens(all))];
    for Spent { model, usage, usd } in spent {
        let cost = usd.map_or_else(|| "its price is not known".to_owned(), |usd| format!("{usd:.4} US dollars"));
        rows.push(format!("{model}: {}: {cost}", tokens(*usage)));
    }
    let known: Vec<_> = spent.iter().filter_map(|spent| spent.usd).collect();
    match (known.is_empty(), known.len() == spent.len()) {
        (true, _) => {}
        (false, true) => rows.push(format!("in all: {:.4} US dollars", known.iter().sum::<f64>())),
        (false, false) => rows.push(format!(
            "in all: {:.4} US dollars, and what the models without a known price cost",
            known.iter().sum::<f64>()
        )),
    }
    rows.join("\n")
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
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

/// A message to a headless run would have ended plan mode.
pub const KEPT_PLANNING: &str = "A message does not take a headless run out of plan mode";
/// What to do about it.
pub const KEPT_PLANNING_HINT: &str = "Answer its plan (`--resume ID --approve-plan`, `planwright plan approve`), or begin with another --permission-mode.";

/// Calls were cut at the output limit again and again.
pub const CUT_TOO_OFTEN: &str =
    "The model's calls were cut at its output limit several times in a row; none of them ran";
/// What to do about it.
pub const CUT_TOO_OFTEN_HINT: &str = "Ask for smaller steps, or use a model with a larger output limit.";
