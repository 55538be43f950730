//! What a session says, as lines of a story.

use std::path::{Path, PathBuf};

use planwright_core::attach::{Attachment, PlanStatus};
use planwright_core::dialogue::{AsideHeard, Notice, Outcome, PlanChoice, Question};
use planwright_core::mode::Cause;
use planwright_core::permit::Choice;
use planwright_core::transcript::{Entry, Fact};

use super::files::entries;
use super::recorded::agent_lane;
use super::screenplay::Lane;

/// The line of a notice: whose, marker, words. `None` for what needs no line: the pieces of a text,
/// calls that begin, a turn that ends well.
pub fn line(notice: &Notice, log: &Path) -> Option<(Lane, &'static str, String)> {
    let main = |kind, text| Some((Lane::new(), kind, text));
    match notice {
        Notice::TextDelta(_) | Notice::Text { .. } | Notice::ToolCalled { .. } | Notice::Settled(_) => None,
        Notice::Todos(_) | Notice::Session { .. } | Notice::TurnStarted | Notice::Idle => None,
        Notice::TakenUp => None,
        // What they say is in the log, or comes with other lines.
        Notice::Answered { .. } | Notice::AgentStarted { .. } | Notice::Refused { .. } => None,
        Notice::Plan { .. } => None,
        Notice::WishSettled(_, Ok(())) => main("wish", "done".to_owned()),
        Notice::WishSettled(_, Err(why)) => main("wish", format!("refused: {why}")),
        Notice::Compacted { agent, trigger, .. } => {
            Some((lane(agent.as_deref(), log), "compacted", trigger.name().to_owned()))
        }
        // What the machine can enforce is the machine's: `then log has protection` looks for it.
        Notice::Protection(_) => None,
        Notice::Attached { agent, attachment } => Some((lane(agent.as_deref(), log), "note", note(attachment))),
        Notice::ToolFinished { agent, id, tool, content, is_error, diff: _, scratch: _ } => {
            let facts = agent.as_deref().map_or_else(|| entries(log), |agent| nested(agent, log));
            let status = match (is_error, permitted(id, &facts)) {
                (false, _) => "ok",
                (true, true) => "failed",
                (true, false) => "refused",
            };
            Some((lane(agent.as_deref(), log), "tool", format!("{tool} {status} {content}")))
        }
        // The mode a session starts in is given by the story itself.
        Notice::ModeChanged { cause: Cause::Start, .. } => None,
        Notice::ModeChanged { from, to, cause } => {
            let cause = serde_json::to_value(cause).unwrap();
            main("mode", format!("{from} -> {to} by {}", cause.as_str().unwrap_or_default()))
        }
        Notice::Said(text) | Notice::PlanShown { said: text, .. } => main("said", text.clone()),
        Notice::Again { agent, again } => Some((
            lane(agent.as_deref(), log),
            "again",
            format!("try {} of {}: {}", again.attempt, again.of, again.cause),
        )),
        Notice::Warning { key, text } => main("warn", format!("{key}: {text}")),
        Notice::Error { cause, hint } => main("error", format!("{cause} ({hint})")),
        Notice::OfferBack(text) => main("offer", text.clone()),
        Notice::Aside(_, AsideHeard::Piece(_) | AsideHeard::Again) => None,
        Notice::Aside(_, AsideHeard::Answered(text)) => main("aside", format!("answered {text}")),
        Notice::Aside(_, AsideHeard::Failed(why)) => main("aside", format!("failed {why}")),
        Notice::Asked(_, question) => {
            let agent = match question {
                Question::Permission(question) => question.agent.as_deref(),
                Question::Hook(question) => question.agent.as_deref(),
                Question::Plan(_) | Question::EnterPlan | Question::User(_) | Question::Editor(_) => None,
            };
            Some((lane(agent, log), "ask", ask(question)))
        }
        Notice::TurnEnded(end) => {
            let words = match &end.outcome {
                Outcome::Done => return None,
                Outcome::PlanPending => "plan pending".to_owned(),
                Outcome::PermissionMissing => "permission missing".to_owned(),
                Outcome::Interrupted => "interrupted".to_owned(),
                Outcome::Limit(why) => format!("limit: {why}"),
                Outcome::Failed(why) => format!("failed: {why}"),
            };
            main("end", words)
        }
    }
}

fn log_of(agent: &str, log: &Path) -> PathBuf {
    log.with_extension("").join("subagents").join(format!("{agent}.jsonl"))
}

/// Whose notice it is: the agent's own log says its type and number.
fn lane(agent: Option<&str>, log: &Path) -> Lane {
    let Some(id) = agent else { return Lane::new() };
    let own = nested(id, log);
    let started = own.first().map(|entry| &entry.fact);
    match started {
        Some(Fact::SessionStarted(started)) => {
            started.agent.as_ref().map_or_else(|| id.to_owned(), |agent| agent_lane(&agent.agent_type, agent.instance))
        }
        _ => id.to_owned(),
    }
}

/// The log of an agent, wherever below the session's it lies.
fn nested(id: &str, log: &Path) -> Vec<Entry> {
    let direct = log_of(id, log);
    if direct.exists() {
        return entries(&direct);
    }
    let folder = log.with_extension("").join("subagents");
    let logs = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    logs.filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .map(|path| nested(id, &path))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// Whether the log says that a call was let run.
fn permitted(id: &str, entries: &[Entry]) -> bool {
    entries.iter().any(|entry| match &entry.fact {
        Fact::PermissionDecision { tool_use_id, verdict, .. } => tool_use_id == id && verdict == "allow",
        _ => false,
    })
}

fn note(note: &Attachment) -> String {
    let exists = |exists: &bool| if *exists { "plan exists" } else { "no plan" };
    let more = match note {
        Attachment::PlanMode { plan_exists, .. } => exists(plan_exists).to_owned(),
        Attachment::PlanModeExit { approved, mode, .. } => {
            format!("{} {mode}", if *approved { "approved" } else { "unapproved" })
        }
        Attachment::PlanFileReference { status, .. } => match status {
            PlanStatus::Draft => "draft".to_owned(),
            PlanStatus::Submitted => "submitted".to_owned(),
            PlanStatus::Approved => "approved".to_owned(),
        },
        Attachment::CarriedOver { words, todos, files } => {
            let words = words.as_ref().map(|words| format!("words {words}"));
            let todos = (!todos.is_empty()).then(|| format!("{} todos", todos.len()));
            let files = (!files.is_empty()).then(|| {
                let files = files.iter().map(|file| file.display().to_string());
                format!("files {}", files.collect::<Vec<_>>().join(" "))
            });
            words.into_iter().chain(todos).chain(files).collect::<Vec<_>>().join(", ")
        }
        Attachment::PlanModeReentry { .. }
        | Attachment::ExperimentGone { .. }
        | Attachment::AutoModeExit {}
        | Attachment::Unknown => String::new(),
    };
    format!("{} {more}", note.label())
}

fn ask(question: &Question) -> String {
    match question {
        Question::Permission(question) => {
            let choices: Vec<_> = question.choices.iter().map(|choice| choice_name(*choice)).collect();
            let (tool, subject, reason) = (&question.tool, &question.subject, &question.reason);
            format!("permission {tool} {subject} ({}) {reason}", choices.join(", "))
        }
        Question::Plan(question) => {
            let choices: Vec<_> = question.choices.iter().map(|choice| plan_choice(*choice)).collect();
            let part = |name: &str, text: &Option<String>| {
                text.as_ref().map(|text| format!(" {name}: {text}")).unwrap_or_default()
            };
            let (again, changed) = (part("again", &question.note), part("changed", &question.diff));
            let cites = question.citations.iter().map(|citation| match &citation.evidence {
                Some(evidence) => format!(" cites: E{} {}", citation.id, evidence.command),
                None => format!(" cites: E{} unknown", citation.id),
            });
            let cites: String = cites.collect();
            let tried = question.experiment.as_ref().map(|tried| {
                let others = if tried.others.is_empty() {
                    String::new()
                } else {
                    format!(" others: {}", tried.others.join(", "))
                };
                format!(" experiment: {}{others}{}", tried.diff, part("trouble", &tried.trouble))
            });
            let tried = tried.unwrap_or_default();
            format!(
                "plan {} ({}) {}{again}{changed}{cites}{tried}",
                question.revision,
                choices.join(", "),
                question.plan
            )
        }
        Question::EnterPlan => "enter plan mode".to_owned(),
        Question::User(questions) => {
            let each = questions.iter().map(|question| {
                let labels: Vec<_> = question.options.iter().map(|option| option.label.as_str()).collect();
                format!("{} ({})", question.question, labels.join(", "))
            });
            format!("user {}", each.collect::<Vec<_>>().join(" "))
        }
        Question::Editor(path) => format!("editor {}", path.display()),
        Question::Hook(question) => format!("hook {} {} {}", question.tool, question.mode, question.input),
    }
}

/// How a choice of a permission question is called in stories.
pub const fn choice_name(choice: Choice) -> &'static str {
    match choice {
        Choice::Scratch => "scratch",
        Choice::Once => "once",
        Choice::Always => "always",
        Choice::No => "no",
    }
}

fn plan_choice(choice: PlanChoice) -> String {
    match choice {
        PlanChoice::Approve(mode) => mode.to_string(),
        PlanChoice::Edit => "edit".to_owned(),
        PlanChoice::KeepPlanning => "keep".to_owned(),
        PlanChoice::ApproveApply(mode) => format!("apply {mode}"),
    }
}
