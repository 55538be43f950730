//! Notes as text. A note's text depends on the note alone, so what was sent once is rendered the
//! same for ever.

use std::path::{Path, PathBuf};

use super::page::{disarm, fill, section};
use super::{bounded_plan, shown};
use crate::attach::{Attachment, PlanStatus, ReminderType};
use crate::bounds::PLAN_CAP_LINES;
use crate::call::{Todo, TodoStatus};
use crate::experiment;
use crate::settings::{PlanLength, Workflow, WorkflowText};

const NOTES: &str = include_str!("notes.md");
const WORKFLOW: &str = include_str!("workflow.md");
/// The tag of the blocks that the program types.
const TAG: &str = "planwright-note";

/// A note as the model reads it: one `<planwright-note kind="…">` block. The kind is
/// [`Attachment::label`].
pub fn note(attachment: &Attachment) -> String {
    block(&attachment.label(), &body(attachment))
}

/// Words of the program in a block of their own; nothing in `text` can close it.
pub(super) fn block(kind: &str, text: &str) -> String {
    format!("<{TAG} kind=\"{kind}\">\n{}\n</{TAG}>", disarm(text, TAG))
}

fn body(attachment: &Attachment) -> String {
    match attachment {
        Attachment::PlanMode { reminder_type, is_sub_agent, plan_file_path, plan_exists, text } => {
            plan_mode(*reminder_type, *is_sub_agent, plan_file_path, *plan_exists, *text)
        }
        Attachment::PlanModeReentry { plan_file_path } => say("reentry", &[("path", &shown(plan_file_path))]),
        Attachment::PlanModeExit { plan_file_path, plan_exists, approved, mode, is_sub_agent } => {
            let path = shown(plan_file_path);
            let plan = match (is_sub_agent, approved, plan_exists) {
                (true, _, _) => say("exit subagent", &[]),
                (false, true, true) => say("exit approved", &[("path", &path)]),
                (false, true, false) => say("exit approved without plan", &[("path", &path)]),
                (false, false, true) => say("exit unapproved", &[("path", &path)]),
                (false, false, false) => say("exit unapproved without plan", &[("path", &path)]),
            };
            say("exit", &[("mode", mode.name()), ("plan", &plan)])
        }
        Attachment::PlanFileReference { plan_file_path, plan_content, status } => {
            let status = match status {
                PlanStatus::Draft => "reference draft",
                PlanStatus::Submitted => "reference submitted",
                PlanStatus::Approved => "reference approved",
            };
            let values = [
                ("path", &*shown(plan_file_path)),
                ("status", section(NOTES, status)),
                ("plan", &bounded_plan(plan_content, &shown(plan_file_path))),
            ];
            say("reference", &values)
        }
        Attachment::CarriedOver { words, todos, files } => carried_over(words.as_deref(), todos, files),
        Attachment::AutoModeExit {} => say("auto_mode_exit", &[]),
        Attachment::ExperimentGone { files } => {
            say("experiment_gone", &[("files", &experiment::named(files.iter().map(PathBuf::as_path)))])
        }
        Attachment::Unknown => say("unknown", &[]),
    }
}

fn say(name: &str, values: &[(&str, &str)]) -> String {
    fill(section(NOTES, name), values)
}

fn plan_mode(kind: ReminderType, sub_agent: bool, path: &Path, exists: bool, text: WorkflowText) -> String {
    let path = &*shown(path);
    match (kind, sub_agent) {
        (ReminderType::Full, false) => {
            let file = section(NOTES, if exists { "file exists" } else { "file missing" });
            let experiments = match text.experiments {
                true => format!("\n\n{}", section(NOTES, "experiments")),
                false => String::new(),
            };
            let values = [("path", path), ("file", file), ("experiments", &experiments), ("workflow", &workflow(text))];
            say("full", &values)
        }
        (ReminderType::Sparse, false) => say("sparse", &[("path", path)]),
        (ReminderType::Full, true) => say("full subagent", &[("path", path)]),
        (ReminderType::Sparse, true) => say("sparse subagent", &[("path", path)]),
    }
}

fn carried_over(words: Option<&str>, todos: &[Todo], files: &[PathBuf]) -> String {
    let todo = |todo: &Todo| {
        let sign = match todo.status {
            TodoStatus::Pending => "[ ]",
            TodoStatus::InProgress => "[>]",
            TodoStatus::Completed => "[x]",
        };
        format!("{sign} {}", todo.content)
    };
    let listed = |lines: Vec<String>| (!lines.is_empty()).then(|| lines.join("\n"));
    let parts = [
        words.map(|words| say("carried words", &[("words", words)])),
        listed(todos.iter().map(todo).collect()).map(|todos| say("carried todos", &[("todos", &todos)])),
        listed(files.iter().map(|path| shown(path).into_owned()).collect())
            .map(|files| say("carried files", &[("files", &files)])),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// The workflow part of a full note.
fn workflow(text: WorkflowText) -> String {
    let page = |name: &str| section(WORKFLOW, name);
    let length = match text.length {
        PlanLength::Full => page("length full").to_owned(),
        PlanLength::Trim => page("length trim").to_owned(),
        PlanLength::Cut => page("length cut").to_owned(),
        PlanLength::Cap => fill(page("length cap"), &[("lines", &PLAN_CAP_LINES.to_string())]),
    };
    let (length, approval) = (("length", &*length), ("approval", page("approval")));
    let evidence = ("evidence", page("evidence"));
    match text.workflow {
        Workflow::Phases => {
            let explore = at_most(text.explore_agents, page("explore one"), page("explore many"));
            let design = at_most(text.plan_agents, page("design one"), page("design many"));
            fill(page("phases"), &[("explore", &explore), ("design", &design), length, evidence, approval])
        }
        Workflow::Interview => fill(page("interview"), &[length, evidence, approval]),
    }
}

fn at_most(n: u8, one: &str, many: &str) -> String {
    if n <= 1 { one.to_owned() } else { fill(many, &[("n", &n.to_string())]) }
}
