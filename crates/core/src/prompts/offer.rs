//! Which tools are offered, and how they are described.

use super::page::{fill, section};
use crate::call::{TOOLS, Tool};
use crate::request::ToolSpec;
use crate::settings::Eagerness;

const PAGE: &str = include_str!("tools.md");

/// The built-in types of agents: name, and what each is for.
pub const AGENT_TYPES: &[(&str, &str)] = &[
    ("Explore", "finds its way around the code; read-only"),
    ("Plan", "an architect: designs a change from the background you give it; read-only"),
    ("general-purpose", "any task, all tools"),
];

/// What decides which tools a conversation is offered. None of it changes with the mode, so the
/// list stays the same from the first request to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// A person or a client can answer questions.
    pub can_ask: bool,
    /// The session is driven from a chat channel that cannot carry an approval.
    pub channels: bool,
    /// It is for a subagent.
    pub sub_agent: bool,
    /// It is for a read-only type of subagent.
    pub read_only_type: bool,
    /// `plan.experiments`
    pub experiments: bool,
}

impl Offer {
    /// Whether a row of the tool table is offered.
    ///
    /// | tool | offered |
    /// | --- | --- |
    /// | `EnterPlanMode` | to the main thread, if someone can answer and no channel drives the session: a way in without a way out is a trap |
    /// | `ExitPlanMode` | to the main thread, unless a channel drives the session; with nobody to ask too: the plan is then pending |
    /// | `AskUserQuestion` | to the main thread, if someone can answer |
    /// | the others | to subagents and read-only types as the table says |
    pub fn includes(self, tool: &Tool) -> bool {
        let audience = (!self.sub_agent || tool.for_subagents) && (!self.read_only_type || tool.for_read_only);
        audience
            && match tool.name {
                "EnterPlanMode" => self.can_ask && !self.channels,
                "ExitPlanMode" => !self.channels,
                "AskUserQuestion" => self.can_ask,
                _ => true,
            }
    }
}

/// The tools on offer with the built-in types of agents, in the order of [`TOOLS`].
pub fn tools(offer: Offer, eagerness: Eagerness) -> Vec<ToolSpec> {
    tools_with_agents(offer, eagerness, AGENT_TYPES)
}

/// The tools on offer when there are these types of agents (name, one line).
pub fn tools_with_agents(offer: Offer, eagerness: Eagerness, agent_types: &[(&str, &str)]) -> Vec<ToolSpec> {
    TOOLS
        .iter()
        .filter(|tool| offer.includes(tool))
        .map(|tool| ToolSpec {
            name: tool.name.to_owned(),
            description: description(tool.name, offer, eagerness, agent_types),
            input_schema: tool.schema(),
        })
        .collect()
}

fn description(name: &str, offer: Offer, eagerness: Eagerness, agent_types: &[(&str, &str)]) -> String {
    let template = section(PAGE, name);
    match name {
        "Agent" => {
            let types: Vec<_> = agent_types.iter().map(|(name, line)| format!("- {name}: {line}")).collect();
            fill(template, &[("types", &types.join("\n"))])
        }
        "EnterPlanMode" => {
            let when = match eagerness {
                Eagerness::Eager => "when eager",
                Eagerness::Reserved => "when reserved",
            };
            fill(template, &[("when", section(PAGE, when))])
        }
        "Edit" | "Write" | "NotebookEdit" if offer.experiments && !offer.sub_agent => {
            format!("{} {}", fill(template, &[]), section(PAGE, "when experimenting"))
        }
        _ => fill(template, &[]),
    }
}
