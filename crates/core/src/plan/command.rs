//! Every row of `/plan` (plan-mode.md section 4).

use std::path::Path;

use super::OnDisk;
use crate::command::PlanCommand;
use crate::say::{NO_PLAN_YET, PLAN_IS_OFF, PLAN_OFF, PLAN_ON, current_plan, plan_unreadable};
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
    /// Show the plan, with these words where there are only words.
    Show {
        /// The plan, inert.
        plan: String,
        /// The words.
        said: String,
    },
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
        (false, Plain | Open) => vec![PlanEffect::Enter, say(PLAN_ON)],
        (false, Describe(text)) => vec![PlanEffect::Enter, say(PLAN_ON), PlanEffect::Prompt(text)],
        (false, Off) => vec![say(PLAN_IS_OFF)],
        (true, Off) => vec![PlanEffect::Leave, say(PLAN_OFF)],
        (true, Open) => match (path, plan) {
            (Some(_), OnDisk::Text(_) | OnDisk::Unreadable(_)) => vec![PlanEffect::Open],
            (None, _) | (_, OnDisk::Missing) => vec![no_plan()],
        },
        (true, Plain) => vec![view(path, plan, editor)],
        (true, Describe(text)) => vec![view(path, plan, editor), PlanEffect::OfferBack(text)],
    }
}

fn no_plan() -> PlanEffect {
    PlanEffect::Say(NO_PLAN_YET.to_owned())
}

fn view(path: Option<&Path>, plan: &OnDisk, editor: Option<&str>) -> PlanEffect {
    match (path, plan) {
        (Some(path), OnDisk::Unreadable(why)) => PlanEffect::Say(plan_unreadable(path, why)),
        (Some(path), OnDisk::Text(text)) if plan.plan().is_some() => {
            let plan = inert(text);
            PlanEffect::Show { said: current_plan(path, &plan, editor), plan }
        }
        (_, OnDisk::Missing | OnDisk::Text(_)) | (None, OnDisk::Unreadable(_)) => no_plan(),
    }
}
