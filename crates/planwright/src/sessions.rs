//! `planwright session …`

use std::path::PathBuf;
use std::process::ExitCode;

use planwright_core::experiment::named;
use planwright_core::request::Block;
use planwright_core::text::inert;
use planwright_core::transcript::{Entry, Fact};
use planwright_store::{log, sessions};

use crate::args::SessionCmd;
use crate::failure::{Failure, err, out};
use crate::wiring::Place;

/// Runs it.
pub fn run(command: SessionCmd) -> Result<ExitCode, Failure> {
    let place = Place::here()?;
    match command {
        SessionCmd::List => {
            let all = sessions::sessions(&place.home, &place.root);
            if all.is_empty() {
                err("There are no sessions in this project.\n");
            }
            for session in &all {
                out(&format!("{}\n", planwright_agent::session_row(session)))?;
            }
        }
        SessionCmd::Show { id } => {
            let (entries, warnings) = log::read(&find(&place, id.as_deref())?)?;
            warnings.iter().for_each(|warning| err(&format!("warning: {warning}\n")));
            for entry in &entries {
                if let Some(line) = shown(entry) {
                    out(&format!("{line}\n"))?;
                }
            }
        }
        SessionCmd::Export { id } => out(&sessions::export(&find(&place, id.as_deref())?)?)?,
        SessionCmd::Rm { id } => {
            let path = sessions::remove(&place.home, &id)?;
            out(&format!("Deleted {}\n", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The log of a session of this project.
pub fn find(place: &Place, id: Option<&str>) -> Result<PathBuf, Failure> {
    match id {
        Some(id) => {
            Ok(sessions::find(&place.home, Some(&place.root), id).or_else(|_| sessions::find(&place.home, None, id))?)
        }
        None => sessions::latest(&place.home, &place.root)
            .ok_or_else(|| Failure::run("there are no sessions in this project", "planwright PROMPT starts one.")),
    }
}

/// What says most about a call: as line mode shows it, or the whole input of one that is not valid.
fn main_argument(tool: &str, input: &serde_json::Value) -> String {
    planwright_core::call::parse(tool, input).map_or_else(|_| input.to_string(), |call| call.main_argument().to_owned())
}

/// An entry for reading; `None` for bookkeeping.
fn shown(entry: &Entry) -> Option<String> {
    let line = match &entry.fact {
        Fact::User { text } => format!("› {text}"),
        Fact::Assistant { blocks, .. } => {
            let said: Vec<_> = blocks
                .iter()
                .filter_map(|block| match block {
                    Block::Text { text } => Some(format!("● {text}")),
                    Block::ToolUse { name, input, .. } => Some(format!("⏺ {name}({})", main_argument(name, input))),
                    Block::Opaque { .. } => None,
                })
                .collect();
            said.join("\n")
        }
        Fact::ToolResult { tool, content, is_error, .. } => {
            format!("{} {tool} -> {content}", if *is_error { '✘' } else { '✔' })
        }
        Fact::PermissionMode(change) => format!("mode: {} -> {}", change.from, change.to),
        Fact::Attachment { attachment } => format!("◇ {}", attachment.label()),
        Fact::PlanSubmitted { revision, path, .. } => format!("plan {revision} submitted: {}", path.display()),
        Fact::PlanDecision(decision) => {
            let feedback = decision.feedback.as_deref().map(|words| format!(": {words}")).unwrap_or_default();
            format!("plan {} {:?} by {}{feedback}", decision.revision, decision.decision, decision.by)
        }
        Fact::Aside(aside) => format!("asked about plan {}: {}\n● {}", aside.revision, aside.question, aside.answer),
        Fact::HandedOver { .. } => "a new conversation, from the approved plan".to_owned(),
        Fact::Compacted { summary, .. } => format!("compacted: {summary}"),
        Fact::ExperimentDropped { reason } => format!("experiment dropped: {reason}"),
        Fact::ExperimentApplied(applied) => {
            format!("experiment applied: {}", named(applied.files.iter().map(|file| file.path.as_path())))
        }
        Fact::ExperimentUndone {} => "experiment undone".to_owned(),
        Fact::Cleared {} => "cleared".to_owned(),
        Fact::Interrupted { reason } => format!("interrupted: {reason}"),
        Fact::Notice { text, .. } => format!("notice: {text}"),
        Fact::SessionStarted(_)
        | Fact::AutoSemantics { .. }
        | Fact::PermissionDecision { .. }
        | Fact::RuleAdded { .. }
        | Fact::Protection(_)
        | Fact::Evidence(_)
        | Fact::PlanSlug { .. }
        | Fact::FileSnapshot { .. }
        | Fact::Todos { .. }
        | Fact::AgentStarted { .. }
        | Fact::AgentEnded { .. }
        | Fact::TurnEnded { .. }
        | Fact::Experiment { .. }
        | Fact::Reminder { .. }
        | Fact::Unknown(_) => return None,
    };
    Some(inert(&line))
}
