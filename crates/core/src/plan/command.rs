//! Every row of `/plan` (plan-mode.md section 4).

use std::path::Path;

use super::OnDisk;
use crate::command::PlanCommand;
use crate::text::inert;

/// What `/plan` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanEffect {
    /// Enter plan mode.
    Enter,
    /// Leave it, to the mode before.
    Leave,
    /// Say this to the user.
    Say(String),
    /// Put this to the model: a human turn.
    Prompt(String),
    /// Open the plan file in the user's editor.
    Open,
    /// Give these words back to the input line.
    OfferBack(String),
}

/// What `/plan` does, in order.
pub fn plan_command(
    planning: bool,
    command: PlanCommand,
    path: Option<&Path>,
    plan: &OnDisk,
    editor: Option<&str>,
) -> Vec<PlanEffect> {
    use PlanCommand::{Describe, Off, Open, Plain};
    let say = |text: &str| PlanEffect::Say(text.to_owned());
    match (planning, command) {
        (false, Plain | Open) => vec![PlanEffect::Enter, say("Enabled plan mode")],
        (false, Describe(text)) => vec![PlanEffect::Enter, say("Enabled plan mode"), PlanEffect::Prompt(text)],
        (false, Off) => vec![say("Plan mode is off.")],
        (true, Off) => vec![PlanEffect::Leave, say("Disabled plan mode. The plan was not approved.")],
        (true, Open) => match (path, plan) {
            (Some(_), OnDisk::Text(_) | OnDisk::Unreadable(_)) => vec![PlanEffect::Open],
            (None, _) | (_, OnDisk::Missing) => vec![no_plan()],
        },
        (true, Plain) => vec![view(path, plan, editor)],
        (true, Describe(text)) => vec![view(path, plan, editor), PlanEffect::OfferBack(text)],
    }
}

fn no_plan() -> PlanEffect {
    PlanEffect::Say("Already in plan mode. No plan written yet.".to_owned())
}

fn view(path: Option<&Path>, plan: &OnDisk, editor: Option<&str>) -> PlanEffect {
    match (path, plan) {
        (Some(path), OnDisk::Unreadable(why)) => PlanEffect::Say(format!(
            "Already in plan mode. The plan file {} cannot be read: {why}",
            path.display()
        )),
        (Some(path), OnDisk::Text(text)) if plan.plan().is_some() => {
            let mut said = format!("Current Plan\n{}\n\n{}", path.display(), inert(text).trim_end());
            if let Some(editor) = editor {
                said += &format!("\n\n\"/plan open\" to edit this plan in {editor}");
            }
            PlanEffect::Say(said)
        }
        (_, OnDisk::Missing | OnDisk::Text(_)) | (None, OnDisk::Unreadable(_)) => no_plan(),
    }
}
