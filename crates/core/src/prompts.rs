//! Every sentence the model is shown. The words are in `prompts/*.md`; here they are chosen and
//! filled in.
//!
//! Nothing but notes ([`note`]) says which mode is on: system prompt and tool list are the same in
//! every mode, so that entering and leaving plan mode leaves a provider's cache warm.

use std::borrow::Cow;
use std::path::Path;

use crate::bounds::PLAN_SHOWN_BYTES;
use crate::settings::Eagerness;

mod notes;
mod offer;
mod page;
mod results;

pub use notes::note;
pub use offer::{AGENT_TYPES, Offer, tools, tools_with_agents};
pub use results::{
    WebPage, agent_model_unusable, agent_said_nothing, agent_unfinished, agents_too_deep, already_planning,
    approval_notes, approval_notes_again, aside, asked_while_reading, batch_refused, call_changed,
    changed_call_invalid, compact, enter_from_agent, enter_refused_by_user, entered_plan_mode, evidence,
    exited_without_plan, experiment_applied, experiment_cut_off, experiment_not_applied, experiment_not_undone,
    experiment_undone, go_on, grant_unusable, handed_over, hooks_unheard, interrupted, left_out,
    mode_changed_meanwhile, no_agent_type, no_plan, no_plan_teammate, no_result, not_in_plan_mode, not_offered,
    page_cut_by_shape, page_cut_by_size, page_lossy, plan_approved, plan_approved_agent, plan_awaits_lead,
    plan_being_read, plan_changed_by_user, plan_rejected, plan_too_long, plan_unanswered, plan_unreadable,
    private_host, question_skipped, questions_answered, questions_declined, questions_nobody, redirected, result_lost,
    result_shown, review_comment, review_replacement, summary, todos_updated, truncated_call, unsubmitted_plan,
    user_command, web_page,
};

use page::{disarm, fill, section};

const SYSTEM: &str = include_str!("prompts/system.md");
const AGENTS: &str = include_str!("prompts/agents.md");

/// What the system prompt says of the session. None of it changes while the session lasts.
#[derive(Clone, Copy, Debug)]
pub struct SystemFacts<'a> {
    /// The project root.
    pub cwd: &'a Path,
    /// The operating system.
    pub platform: &'a str,
    /// The day the session began.
    pub date: &'a str,
    /// `plan.eagerness`
    pub eagerness: Eagerness,
    /// The project's instructions file.
    pub instructions: Option<&'a str>,
    /// A person or a client can answer questions.
    pub can_ask: bool,
}

/// The system prompt of the main thread.
pub fn system(facts: &SystemFacts<'_>) -> String {
    let planning = match (facts.can_ask, facts.eagerness) {
        (false, _) => "planning alone",
        (true, Eagerness::Eager) => "planning eager",
        (true, Eagerness::Reserved) => "planning reserved",
    };
    let asking = if facts.can_ask { "asking" } else { "asking alone" };
    let main = fill(
        section(SYSTEM, "main"),
        &[
            ("planning", section(SYSTEM, planning)),
            ("asking", section(SYSTEM, asking)),
            ("cwd", &shown(facts.cwd)),
            ("platform", facts.platform),
            ("date", facts.date),
        ],
    );
    joined([Some(main), instructions(SYSTEM, facts.instructions)])
}

/// The system prompt of a subagent. `extra` is what the user's own definition of the type says; a
/// type that is not built in consists of it. `Explore` gets no project instructions.
pub fn agent_system(facts: &SystemFacts<'_>, agent_type: &str, extra: Option<&str>) -> String {
    let built_in = AGENT_TYPES.iter().any(|(name, _)| *name == agent_type);
    let common = fill(
        section(AGENTS, "common"),
        &[
            ("role", section(AGENTS, if built_in { agent_type } else { "custom" })),
            ("cwd", &shown(facts.cwd)),
            ("platform", facts.platform),
            ("date", facts.date),
        ],
    );
    let extra = extra.map(|text| fill(section(AGENTS, "extra"), &[("text", text.trim())]));
    let project = facts.instructions.filter(|_| agent_type != "Explore");
    joined([Some(common), instructions(AGENTS, project), extra])
}

fn instructions(page: &'static str, text: Option<&str>) -> Option<String> {
    let text = text.map(str::trim).filter(|text| !text.is_empty())?;
    Some(fill(section(page, "instructions"), &[("text", &disarm(text, "project-instructions"))]))
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// A path as the model reads it, and may give it back.
fn shown(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// A plan as it may be put into a conversation: at most [`PLAN_SHOWN_BYTES`], and the cut said with
/// the place where the rest is.
fn bounded_plan<'a>(plan: &'a str, place: &str) -> Cow<'a, str> {
    let plan = plan.trim_end();
    if plan.len() <= PLAN_SHOWN_BYTES {
        return Cow::Borrowed(plan);
    }
    let start = &plan[..plan.floor_char_boundary(PLAN_SHOWN_BYTES)];
    Cow::Owned(format!("{start}\n{}", results::cut(start.len(), plan.len(), place)))
}

#[cfg(test)]
mod tests;
