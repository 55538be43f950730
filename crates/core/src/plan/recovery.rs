//! Getting the plan back from the log, where the disk did not last (plan-mode.md section 14).

use crate::attach::Attachment;
use crate::request::Block;
use crate::transcript::Fact;

/// The plan as the log last holds it, and from where, in this order: the latest snapshot, the plan
/// in the latest `ExitPlanMode` call, a plan in a user message that carries one, a reference note.
pub fn recover<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Option<(String, &'static str)> {
    let mut found: [Option<(String, &'static str)>; 4] = [None, None, None, None];
    for fact in facts {
        match fact {
            Fact::FileSnapshot { files } => {
                if let Some(plan) = files.iter().rfind(|file| file.key == "plan") {
                    found[0] = Some((plan.content.clone(), "a snapshot"));
                }
            }
            Fact::PlanSubmitted { text, .. } if !text.is_empty() => {
                found[1] = Some((text.clone(), "the last submission"));
            }
            Fact::PlanDecision(decision) => {
                if let Some(text) = &decision.text {
                    found[1] = Some((text.clone(), "the last submission"));
                }
            }
            Fact::Assistant { blocks, .. } => {
                if let Some(text) = blocks.iter().rev().find_map(called_with_plan) {
                    found[1] = Some((text, "the last submission"));
                }
            }
            Fact::User { text } => {
                if let Some(plan) = carried(text) {
                    found[2] = Some((plan, "a message that carries it"));
                }
            }
            Fact::Attachment { attachment: Attachment::PlanFileReference { plan_content, .. } } => {
                found[3] = Some((plan_content.clone(), "a note that quotes it"));
            }
            // A new plan begins: what came before belongs to another file.
            Fact::Cleared {} => found = [None, None, None, None],
            _ => {}
        }
    }
    found.into_iter().flatten().next()
}

/// The plan that a front end passed in with an `ExitPlanMode` call.
fn called_with_plan(block: &Block) -> Option<String> {
    match block {
        Block::ToolUse { name, input, .. } if name == "ExitPlanMode" => input["plan"].as_str().map(str::to_owned),
        Block::ToolUse { .. } | Block::Text { .. } | Block::Opaque { .. } => None,
    }
}

/// The plan in a user message: all that follows the heading under which an approved plan travels.
fn carried(text: &str) -> Option<String> {
    let at = text.find("## Approved Plan")?;
    let (_, plan) = text[at..].split_once('\n')?;
    Some(plan.trim_start().to_owned()).filter(|plan| !plan.is_empty())
}
