//! Every sentence the faces say themselves.

use std::path::Path;

use planwright_core::bounds::SUBJECT_CHARS;
use planwright_core::call::{Todo, TodoStatus};
use planwright_core::command::{Command, PlanCommand, ScratchCommand};
use planwright_core::dialogue::{Outcome, PlanChoice, PlanQuestion};
use planwright_core::mode::Mode;
use planwright_core::permit::Choice;
use planwright_core::plan::{Citation, Context, Handoff};
use planwright_core::reply::Again;
use planwright_core::say::grouped;
use planwright_core::text::first_line;
use planwright_core::transcript::Trigger;

/// Asks for the approval of a plan (plan-mode.md section 9.2).
pub const EXIT_PLAN: &str = "Exit plan mode?";
/// Asks whether the model may enter plan mode.
pub const ENTER_PLAN: &str = "Enter plan mode? The model wants to explore and plan before it changes anything.";
/// The choices at [`ENTER_PLAN`].
pub const ENTER_CHOICES: [&str; 2] = ["yes", "no"];
/// Stands above what changed in a plan.
pub const PLAN_CHANGES: &str = "Changed since the last submission:";
/// Stands above a plan.
pub const PLAN: &str = "Plan:";
/// Stands above the evidence that a plan cites.
pub const CITED: &str = "What it cites, as it was run here:";
/// Stands above the diff of an experiment.
pub const EXPERIMENT: &str = "Tried in the scratch copy; no real file is changed yet:";
/// Stands above what commands left in the scratch copy.
pub const EXPERIMENT_OTHERS: &str = "Also changed there by commands, and never applied:";
/// How the plan dialogue is answered.
pub const PLAN_ANSWER: &str =
    "Answer with a number. Words without a number keep planning and tell the model what should change.";
/// How a yes-or-no question is answered.
pub const ENTER_ANSWER: &str = "Answer with a number.";
/// An answer with nothing in it.
pub const NOTHING: &str = "That line is empty.";
/// A yes that does not say to which choice.
pub const WHICH: &str = "Say which choice with its number.";
/// A number with words where the choice takes none, so that the number may be part of a sentence.
pub const ENTER_WORDS: &str = "This question takes a number and no more.";
/// Several choices where one is wanted.
pub const ONE_ONLY: &str = "Choose one.";
/// The choice to skip a question.
pub const SKIP: &str = "skip this question";
/// A `!` without a command.
pub const NO_SHELL_COMMAND: &str = "error: there is no command after `!`. Write it there, for instance `!git status`.";
/// A question was answered somewhere else.
pub const SETTLED: &str = "The question is no longer open.";
/// A result without a word in it.
pub const NO_OUTPUT: &str = "(no output)";
/// Stands behind a tool that ran, or wrote, in a scratch copy.
pub const IN_SCRATCH: &str = " (scratch copy)";

/// A request is put again.
pub fn again(again: &Again) -> String {
    let Again { attempt, of, after_ms, cause } = again;
    let tenths = after_ms.div_ceil(100);
    format!("{cause}. Asking again in {}.{} s (try {attempt} of {of}).", tenths / 10, tenths % 10)
}

/// The conversation was replaced by its summary.
pub fn compacted(trigger: Trigger, before: u64, after: u64) -> String {
    let (before, after) = (grouped(before), grouped(after));
    match trigger {
        Trigger::Manual => format!("The conversation is compacted: about {before} tokens are {after} now."),
        Trigger::Auto => format!(
            "The conversation outgrew the model's window and is compacted: about {before} tokens are {after} now."
        ),
    }
}

/// The head of the plan dialogue.
pub fn plan_head(path: &Path, revision: u32) -> String {
    format!("A plan is ready: {} (revision {revision})", path.display())
}

/// One piece of evidence that a plan cites, or that there is none.
pub fn citation(citation: &Citation) -> String {
    let Some(evidence) = &citation.evidence else {
        return format!("E{}: cited, and there is no such evidence", citation.id);
    };
    let ended =
        evidence.exit_code.map_or_else(|| "did not end by itself".to_owned(), |code| format!("exit code {code}"));
    let project = match evidence.would_change.project {
        0 => String::new(),
        1 => ", would have changed 1 file of the project".to_owned(),
        many => format!(", would have changed {many} files of the project"),
    };
    // The whole of it, as far as there is room: a second line may be what matters.
    let command = first_line(&evidence.command.replace('\n', " ⏎ "), SUBJECT_CHARS);
    format!("E{}: `{command}`, {ended}{project}", citation.id)
}

/// A choice of the plan dialogue. `first`: it stands first, so it leads back to the mode before.
pub fn plan_choice(choice: PlanChoice, first: bool, editor: &str) -> String {
    match choice {
        PlanChoice::Approve(Mode::AcceptEdits) => "approve, edits accepted from here on (acceptEdits)".to_owned(),
        PlanChoice::Approve(Mode::Default) => "approve, confirm each edit (default)".to_owned(),
        PlanChoice::Approve(Mode::Auto) if !first => "approve and continue in auto".to_owned(),
        PlanChoice::Approve(mode @ (Mode::Auto | Mode::BypassPermissions | Mode::Plan)) => {
            format!("approve and go back to {mode}")
        }
        PlanChoice::Edit => format!("edit the plan ({editor}), then ask again"),
        PlanChoice::ApproveApply(mode) => {
            format!("approve and apply the experiment as shown, then go on in {mode} (`/undo` takes it back)")
        }
        PlanChoice::KeepPlanning => "keep planning, optionally with what should change".to_owned(),
    }
}

/// Why an experiment is not on offer.
pub fn experiment_trouble(why: &str) -> String {
    format!("The experiment cannot be applied: {why}.")
}

/// What stands between the number of a choice that approves and notes for the model.
pub const WITH: &str = "with:";

/// Words after the number of a choice: the number may have begun a sentence. `notes`: the words, where the
/// choice takes some.
pub fn plan_words(number: usize, keep: usize, words: &str, notes: Option<&str>) -> String {
    let notes = notes.map(|notes| notes.strip_prefix(WITH).unwrap_or(notes).trim()).filter(|notes| !notes.is_empty());
    let notes = notes.map(|notes| format!(", with these words as notes `{number} {WITH} {notes}`")).unwrap_or_default();
    format!(
        "Nothing was chosen: choice {number} takes no words. To choose it, answer `{number}`{notes}; to keep planning with \
         these words, answer `{keep} {words}`."
    )
}

/// The head of a permission question.
pub fn permission_head(tool: &str, agent: Option<&str>) -> String {
    match agent {
        Some(agent) => format!("Allow {tool} for agent {agent}?"),
        None => format!("Allow {tool}?"),
    }
}

/// Why it is asked.
pub fn reason(reason: &str) -> String {
    format!("Why it asks: {reason}")
}

/// A choice of a permission question. `real`: say that it is for real, as opposed to a scratch copy.
pub fn permission_choice(choice: Choice, real: bool, rule: Option<&str>) -> String {
    match choice {
        Choice::Scratch => "run in a scratch copy".to_owned(),
        Choice::Once if real => "run for real, once".to_owned(),
        Choice::Once => "yes, once".to_owned(),
        // Where it is kept: in the session's log, and nowhere else.
        Choice::Always => rule.map_or_else(|| "always".to_owned(), |rule| format!("always, in this session: {rule}")),
        Choice::No => "no, and say why".to_owned(),
    }
}

/// How a permission question is answered. `no`: the number of the no.
pub fn permission_answer(no: usize) -> String {
    format!("Answer with a number, with words for the model after it if you like: `{no} WHY`. Words alone are a no.")
}

/// The head of a question of the model.
pub fn question_head(number: usize, of: usize, header: &str, question: &str) -> String {
    if of == 1 { format!("{header}: {question}") } else { format!("{header} ({number} of {of}): {question}") }
}

/// The choice of an own answer.
pub fn own_answer(number: usize) -> String {
    format!("an answer of your own: `{number} WORDS`, or just the words")
}

/// How a question of the model is answered.
pub const fn question_answer(multi_select: bool) -> &'static str {
    if multi_select {
        "Answer with one or more numbers (`1,2` or `1 2`), own words after `;` (`1,2; words`), or `0` to skip."
    } else {
        "Answer with a number, own words after it if you like (`1 words`), or `0` to skip."
    }
}

/// The number of the own answer without the answer.
pub fn own_answer_missing(number: usize) -> String {
    format!("Write your answer after the number: `{number} WORDS`.")
}

/// A number that is not on offer. `words`: how to give the line as words instead.
pub fn out_of_range(number: &str, first: usize, last: usize, words: Option<String>) -> String {
    let instead = words.map(|line| format!(" To give it as words: `{line}`.")).unwrap_or_default();
    format!("There is no choice {number}: the choices are {first} to {last}.{instead}")
}

/// The model is at work.
pub fn working(seconds: u64, tokens: usize) -> String {
    let tokens = if tokens > 0 { format!(" · about {tokens} tokens") } else { String::new() };
    format!("working, {seconds} s{tokens} · esc to interrupt")
}

/// Rows that are not shown here.
pub fn more_rows(rows: usize) -> String {
    format!("… {rows} more rows (ctrl+o shows everything)")
}

/// Lines that are not shown here.
pub fn more_lines(lines: usize) -> String {
    format!("(+{lines} lines)")
}

/// Something failed.
pub fn error(cause: &str) -> String {
    format!("error: {cause}")
}

/// A change of mode.
pub fn mode_changed(from: Mode, to: Mode) -> String {
    format!("mode: {from} -> {to}")
}

/// The session is another one.
pub fn session(id: &str, mode: Mode) -> String {
    format!("session: {id} (mode {mode})")
}

/// Typed words that were not used.
pub fn offered_back(text: &str) -> String {
    format!("not sent: {text}")
}

/// A file is about to be opened.
pub fn opening(path: &Path, editor: &str) -> String {
    format!("opening {} ({editor})", path.display())
}

/// The todo list in a line.
pub fn todos(todos: &[Todo]) -> String {
    let done = todos.iter().filter(|todo| todo.status == TodoStatus::Completed).count();
    let now = todos.iter().find(|todo| todo.status == TodoStatus::InProgress);
    let now = now.map(|todo| format!("; now: {}", todo.active_form)).unwrap_or_default();
    format!("todo: {done} of {} done{now}", todos.len())
}

/// How a turn ended, when it did not simply end. A failure was said as an error before.
pub fn outcome(outcome: &Outcome) -> Option<String> {
    Some(match outcome {
        Outcome::Done | Outcome::Failed(_) => return None,
        Outcome::PlanPending => "The plan waits for an answer. `planwright plan approve` or `planwright plan reject` \
                                 gives it; `planwright --continue` asks again."
            .to_owned(),
        Outcome::PermissionMissing => "Something needed a permission that nobody here could give. Start again with a \
                                       rule that allows it (`--allowed-tools`), or where somebody can be asked."
            .to_owned(),
        Outcome::Interrupted => "Stopped.".to_owned(),
        Outcome::Limit(why) => format!("Stopped at a limit: {why}"),
    })
}

/// Who answers at a terminal, for the log.
pub const BY_USER: &str = "user";
/// Esc closed a line with words in it.
pub const PUT_AWAY: &str = "Put away: the same key here brings your words back.";
/// There is nothing to compare a plan with.
pub const NOTHING_CHANGED: &str = "Nothing to compare: this is the first text of this plan.";
/// The view of what changed since the last submission.
pub const SINCE_SUBMISSION: &str = "changes since the last submission";
/// The view of what changed since the last review.
pub const SINCE_REVIEW: &str = "changes since your last review";
/// The view of what was asked about the plan.
pub const ASKED_ASIDE: &str = "your questions";
/// The view of the headings.
pub const OUTLINE: &str = "headings";
/// There are no headings to go to.
pub const NO_HEADINGS: &str = "This plan has no headings.";
/// An answer came while something else was looked at.
pub const ANSWERED: &str = "Your question is answered: A shows it.";
/// An answer is on its way.
pub const ANSWER_COMING: &str = "…";
/// Below the view of questions.
pub const ASKED_HINT: &str = "↑↓ read · a ask on · esc: stops the answer, then back · nothing is decided by asking";
/// Below the view of headings.
pub const OUTLINE_HINT: &str = "↑↓ choose · enter: go there · esc: back";
/// Above a comment on the whole plan being typed.
pub const COMMENT_ON_ALL: &str = "Comment on the whole plan (empty takes it back):";
/// Above the name of a model being typed.
pub const MODEL_FOR_WORK: &str = "Model for the work, as PROVIDER:NAME (empty: as it is):";
/// The view of the keys.
pub const DESK_KEYS: &str = "keys";
/// Stands behind a heading whose section is folded away.
pub const FOLDED: &str = " ⋯";
/// Above the words that keep planning.
pub const WHAT_SHOULD_CHANGE: &str = "What should change? (enter sends it, empty is fine; esc goes back)";
/// Above the words to look for.
pub const FIND: &str = "Find:";
/// Below the desk while words are typed.
pub const TYPING_HINT: &str = "enter: done · alt+enter or ctrl+j: new line · esc: back";
/// Below the desk.
pub const DESK_HINT: &str =
    "↑↓ read · c comment · s suggest · a ask · d changes · e edit · esc keeps planning · ? keys";
/// The keys of the desk.
pub const DESK_KEY_TABLE: &[(&str, &str)] = &[
    ("1 … 9", "take that choice"),
    ("tab, enter", "move between the choices, take the marked one"),
    ("esc", "keep planning, with your comments"),
    ("↑ ↓ j k", "a row up or down"),
    ("pgup pgdn", "a page up or down"),
    ("g G", "the beginning, the end"),
    ("space", "fold or unfold the section"),
    ("Z", "fold or unfold every section"),
    ("v", "begin a range of lines"),
    ("c", "comment on the line or the range"),
    ("C", "comment on the whole plan"),
    ("s", "suggest another text for it"),
    ("a", "ask the model about it; the plan waits on"),
    ("A", "your questions and the answers"),
    ("x", "take back the comment"),
    ("[ ]", "the comment before, the next one"),
    ("d", "what changed since the last submission and your last review; what was tried, and what is cited"),
    ("y", "copy the line or the range"),
    ("e, ctrl+g", "edit the plan in your editor"),
    ("h", "what becomes of the conversation with an approval: kept, compacted, or begun afresh from the plan"),
    ("m", "the model for the work"),
    ("o", "the headings"),
    ("/ n N", "find, the next, the one before"),
];

/// Where the reader is in a plan.
pub fn desk_place(row: usize, rows: usize, percent: usize) -> String {
    format!("{row}/{rows} {percent}%")
}

/// The head of the desk.
pub fn desk_head(name: &str, revision: u32, comments: usize) -> String {
    let comments = match comments {
        0 => String::new(),
        1 => " · 1 comment".to_owned(),
        n => format!(" · {n} comments"),
    };
    let revision = if revision == 0 { "as it is now".to_owned() } else { format!("revision {revision}") };
    format!("Plan {name} · {revision}{comments}")
}

/// A choice of the desk. `wide`: there is room for all its words.
pub fn desk_choice(choice: PlanChoice, wide: bool) -> String {
    match choice {
        PlanChoice::Approve(Mode::AcceptEdits) if wide => "approve, accept edits".to_owned(),
        PlanChoice::Approve(Mode::AcceptEdits) => "approve+edits".to_owned(),
        PlanChoice::Approve(Mode::Default) if wide => "approve, confirm edits".to_owned(),
        PlanChoice::Approve(Mode::Default) => "approve".to_owned(),
        PlanChoice::Approve(mode @ (Mode::Auto | Mode::BypassPermissions | Mode::Plan)) => format!("approve, {mode}"),
        PlanChoice::ApproveApply(_) if wide => "approve, apply the experiment".to_owned(),
        PlanChoice::ApproveApply(_) => "approve+apply".to_owned(),
        PlanChoice::Edit => "edit".to_owned(),
        PlanChoice::KeepPlanning if wide => "keep planning".to_owned(),
        PlanChoice::KeepPlanning => "keep".to_owned(),
    }
}

/// With what conversation and model the work goes on; the chosen one in brackets.
pub fn handoff(handoff: &Handoff) -> String {
    let name = |context: Context| {
        if context == handoff.context { format!("[{}]", context.name()) } else { context.name().to_owned() }
    };
    let model = handoff.model.as_deref().unwrap_or("as it is");
    format!("h context: {} · m model: {}", Context::ALL.map(name).join(" "), model)
}

/// Above a question to the model being typed.
pub fn question_about(lines: &str) -> String {
    format!("Ask the model about {lines}:")
}

/// Names lines of a plan.
pub fn lines(first: usize, last: usize) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first} to {last}") }
}

/// A comment that takes lines out.
pub fn take_out(lines: &str) -> String {
    format!("{lines}: take this out")
}

/// A comment that puts another text in place of lines.
pub fn instead(lines: &str, text: &str) -> String {
    format!("{lines}, instead:\n{text}")
}

/// Above a comment being typed.
pub fn comment_on(lines: &str) -> String {
    format!("Comment on {lines}:")
}

/// Above a replacement being typed.
pub fn replacement_for(lines: &str) -> String {
    format!("Instead of {lines} (empty takes it out):")
}

/// Lines were put on the clipboard.
pub fn copied(first: usize, last: usize) -> String {
    format!("copied: {}", lines(first, last))
}

/// Nothing was found.
pub fn not_found(text: &str) -> String {
    format!("not found: {text}")
}

/// Stands for a paste that is folded. Unique by its number.
pub fn paste_chip(number: usize, lines: usize) -> String {
    format!("[Pasted text #{number}, {lines} lines]")
}

/// A search through the history.
pub fn history_search(wanted: &str, found: bool) -> String {
    let sign = if found { "" } else { " (not found)" };
    format!("search the history: {wanted}{sign}")
}

/// The window's title.
pub const TITLE: &str = "planwright";
/// A question came up, and keys are not for it yet: they may have been on their way.
pub const KEYS_WAIT: &str = "what you type goes here, not to the question yet";
/// Below a permission question.
pub const PERMISSION_HINT: &str = "number or enter · tab adds a comment · esc: no";
/// Where an answer of one's own is typed.
pub const OWN_ANSWER: &str = "(your own words)";

/// Below a question of the model.
pub const fn user_hint(multi_select: bool, several: bool) -> &'static str {
    match (multi_select, several) {
        (true, true) => "space or number: tick · enter: on · tab: next question · esc: decline",
        (true, false) => "space or number: tick · enter: done · esc: decline",
        (false, true) => "number or enter: choose · tab: next question · esc: decline",
        (false, false) => "number or enter: choose · esc: decline",
    }
}

/// Which rows of something longer are shown.
pub fn part_shown(first: usize, last: usize, of: usize) -> String {
    format!("rows {first} to {last} of {of} (pgup, pgdn)")
}

/// A plan that asks nothing: it is read, and words about it go to the input line.
pub fn plan_to_read(path: &Path, plan: &str) -> PlanQuestion {
    PlanQuestion {
        tool_use_id: String::new(),
        path: path.to_owned(),
        plan: plan.to_owned(),
        revision: 0,
        sha256: String::new(),
        diff: None,
        citations: Vec::new(),
        choices: vec![PlanChoice::Edit, PlanChoice::KeepPlanning],
        note: None,
        experiment: None,
    }
}

/// A turn is over, for a notification.
pub const TURN_ENDED: &str = "Planwright is done.";
/// Something is asked, for a notification.
pub const ASKED: &str = "Planwright asks you something.";
/// A second Esc clears the line.
pub const ESC_AGAIN: &str = "esc again clears the line (↑ brings it back)";
/// A second key leaves.
pub const LEAVE_AGAIN: &str = "again to leave";
/// How the mode is changed.
pub const CYCLE_HINT: &str = " (shift+tab to cycle)";

/// The mode with its sign.
pub fn mode_sign(mode: Mode) -> String {
    match mode {
        Mode::Default => "● default mode: asks before changes",
        Mode::AcceptEdits => "⏵⏵ accept edits on",
        Mode::Plan => "⏸ plan mode on",
        Mode::Auto => "⏵⏵ auto mode on",
        Mode::BypassPermissions => "⚠ bypass permissions on",
    }
    .to_owned()
}

/// Something that waits until the model is done.
pub fn queued(text: &str) -> String {
    format!("queued: {text} (↑ takes it back)")
}

/// The user's editor could not be used.
pub fn editor_failed(why: &str) -> String {
    format!("The editor could not be used: {why}")
}

/// Below the transcript.
pub fn transcript_hint(at: usize, of: usize) -> String {
    format!("transcript {at}/{of} · ↑↓ pgup pgdn · {{ }} prompts · / find · q closes")
}

/// A slash command as it was typed.
pub fn command(command: &Command) -> String {
    let with = |name: &str, words: &str| format!("/{name} {words}").trim_end().to_owned();
    match command {
        Command::Plan(PlanCommand::Plain) => with("plan", ""),
        Command::Plan(PlanCommand::Open) => with("plan", "open"),
        Command::Plan(PlanCommand::Off) => with("plan", "off"),
        Command::Plan(PlanCommand::Describe(text)) => with("plan", text),
        Command::Mode(mode) => with("mode", mode.map_or("", Mode::name)),
        Command::Model(spec) => with("model", spec.as_deref().unwrap_or_default()),
        Command::Clear => with("clear", ""),
        Command::Compact(keep) => with("compact", keep),
        Command::Resume(id) => with("resume", id.as_deref().unwrap_or_default()),
        Command::Fork => with("fork", ""),
        Command::Undo => with("undo", ""),
        Command::Scratch(ScratchCommand::Show) => with("scratch", ""),
        Command::Scratch(ScratchCommand::Clear) => with("scratch", "clear"),
        Command::Permissions => with("permissions", ""),
        Command::Agents => with("agents", ""),
        Command::Mcp => with("mcp", ""),
        Command::Status => with("status", ""),
        Command::Context => with("context", ""),
        Command::Cost => with("cost", ""),
        Command::Help => with("help", ""),
        Command::Exit => with("exit", ""),
    }
}

/// An answer of a host that is neither yes nor no.
pub const NO_BEHAVIOR: &str = "its `behavior` is neither `allow` nor `deny`";
/// A permission update with a rule that names no tool.
pub const RULE_WITHOUT_TOOL: &str = "a rule in it has no `toolName`";
/// Rules came with the answer to something that is no permission.
pub const RULES_NOT_HERE: &str = "rules can only be added with a permission";
/// A host is asked to open an editor.
pub const HOST_HAS_NO_EDITOR: &str = "this session is driven by a program, which opens no editor";

/// A line of a host is not understood.
pub fn bad_line(number: u64, why: &str) -> String {
    format!("error: line {number} of the input was passed over: {why}")
}

/// A mode that does not exist.
pub fn no_mode(name: &str) -> String {
    format!("there is no mode `{name}`; the modes are {}", Mode::ALL.map(Mode::name).join(", "))
}

/// A request that hosts cannot make here.
pub fn no_request(subtype: &str) -> String {
    format!("`{subtype}` is not supported")
}

/// A hook for something that hooks do not hear of here.
pub fn no_hook_event(event: &str) -> String {
    format!("hooks for `{event}` are not supported, only for `PreToolUse`; remove them, or they would silently not run")
}

/// A hook's matcher that is not understood.
pub fn no_hook_matcher(matcher: &str) -> String {
    format!("the hook matcher `{matcher}` is not understood; name tools separated by `|`, with `.*` for anything")
}

/// A callback gave no answer.
pub fn hook_failed(callback: &str, why: &str) -> String {
    format!("the hook `{callback}` failed: {why}")
}

/// A host could not answer.
pub fn host_failed(tool: &str, why: &str) -> String {
    format!("warning: the host could not answer about {tool}, so that nobody was asked: {why}")
}

/// An answer of a host that cannot be used.
pub fn answer_unusable(tool: &str, why: &str) -> String {
    format!("the answer about {tool} could not be used, and counts as a no: {why}")
}

/// A permission update that cannot be made.
pub fn no_update(kind: &str) -> String {
    format!("permission updates of type `{kind}` are not supported, only `addRules` and `setMode`")
}

/// A rule that does nothing known.
pub fn no_behavior(behavior: &str) -> String {
    format!("a rule can `allow`, `ask` or `deny`, not `{behavior}`")
}

/// A permission update was to be kept.
pub fn session_only(destination: &str) -> String {
    format!("warning: permission updates hold for this session only, and were not written to `{destination}`")
}

/// A wish that came with an answer was not fulfilled.
pub fn wish_refused(why: &str) -> String {
    format!("warning: {why}")
}

/// Parts of what a host asked for at the beginning are not built in.
pub fn without_effect(names: &[String]) -> String {
    format!("warning: the host asked for what has no effect here: {}", names.join(", "))
}

/// A host's yes to some call would have ended plan mode.
pub const MODE_WITH_THE_PLAN: &str = "while planning, only the answer to `ExitPlanMode` can bring another mode";

/// Stands below a conversation that was scrolled back.
pub const LOOKING_BACK: &str = "… more below (pgdn, ctrl+end)";
