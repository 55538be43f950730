//! The body of a request. What never changes in a session stands first, the messages last.

use std::borrow::Cow;

use planwright_core::request::{Request, ToolSpec};
use serde::Serialize;
use serde_json::Value;

use super::marks::{self, Place};
use super::paused;
use crate::capability::Thinking;
use crate::conversation::{CallResult, Part, Rules, Turn, turns, wire_name};
use crate::wire::Address;

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ThinkingField>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<UserBlock<'a>>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ThinkingField {
    Adaptive,
    Enabled { budget_tokens: u32 },
}

#[derive(Serialize)]
struct Tool<'a> {
    name: Cow<'a, str>,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Mark>,
}

/// A mark for the prompt cache; the cache lives for five minutes from its last use.
#[derive(Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Mark {
    Ephemeral,
}

#[derive(Serialize)]
#[serde(tag = "role", content = "content", rename_all = "snake_case")]
enum Message<'a> {
    User(Vec<UserBlock<'a>>),
    Assistant(Vec<AssistantBlock<'a>>),
}

#[derive(Serialize)]
struct UserBlock<'a> {
    #[serde(flatten)]
    said: Said<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Mark>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Said<'a> {
    Text {
        text: &'a str,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        /// Left out if there is nothing: an empty text is refused.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum AssistantBlock<'a> {
    Own(OwnBlock<'a>),
    Opaque(&'a Value),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OwnBlock<'a> {
    Text { text: &'a str },
    ToolUse { id: Cow<'a, str>, name: Cow<'a, str>, input: Cow<'a, Value> },
}

impl<'a> Body<'a> {
    /// Asks for an answer.
    pub(super) fn answer(address: &'a Address, request: &'a Request) -> Self {
        let max_tokens = Some(address.capability.abilities.output_tokens);
        Self { max_tokens, stream: Some(true), ..Self::count(address, request) }
    }

    /// Asks for the count of tokens: the same without what an answer needs.
    pub(super) fn count(address: &'a Address, request: &'a Request) -> Self {
        let turns = turns(request, Rules { own: &address.id, goes_on: paused });
        let mark = address.capability.cache_marks.then_some(Mark::Ephemeral);
        let places = if mark.is_some() { marks::places(&turns) } else { Vec::new() };
        let mut tools: Vec<_> = request.tools.iter().map(tool).collect();
        let mut system = Vec::new();
        if !request.system.trim().is_empty() {
            system.push(UserBlock { said: Said::Text { text: &request.system }, cache_control: mark });
        } else if let Some(last) = tools.last_mut() {
            last.cache_control = mark;
        }
        Self {
            model: &address.name,
            max_tokens: None,
            stream: None,
            thinking: thinking(address.capability.thinking, &turns),
            tools,
            system,
            messages: turns.into_iter().enumerate().map(|(at, turn)| message(at, turn, &places)).collect(),
        }
    }
}

fn tool(tool: &ToolSpec) -> Tool<'_> {
    Tool {
        name: wire_name(&tool.name),
        description: &tool.description,
        input_schema: &tool.input_schema,
        cache_control: None,
    }
}

/// How the model is to think. With a budget, an answer that is not finished (its calls are being
/// answered) must have begun with the model's own thinking; another model may have begun it, and
/// then this one goes on without.
fn thinking(style: Thinking, turns: &[Turn<'_>]) -> Option<ThinkingField> {
    match style {
        Thinking::Untold | Thinking::Level(_) => None,
        Thinking::Adaptive => Some(ThinkingField::Adaptive),
        Thinking::Budget(budget_tokens) => {
            let asked = turns.iter().rposition(|turn| match turn {
                Turn::User { texts, .. } => !texts.is_empty(),
                Turn::Assistant(_) => false,
            });
            let begun = turns.iter().skip(asked.unwrap_or_default()).find_map(|turn| match turn {
                Turn::Assistant(parts) => parts.first(),
                Turn::User { .. } => None,
            });
            match begun {
                Some(Part::Opaque(_)) | None => Some(ThinkingField::Enabled { budget_tokens }),
                Some(Part::Text(_) | Part::Call { .. }) => None,
            }
        }
    }
}

fn message<'a>(at: usize, turn: Turn<'a>, places: &[Place]) -> Message<'a> {
    match turn {
        Turn::User { results, texts } => {
            let said = results.into_iter().map(result).chain(texts.into_iter().map(|text| Said::Text { text }));
            let blocks = said.enumerate().map(|(block, said)| {
                let marked = places.contains(&Place { turn: at, block });
                UserBlock { said, cache_control: marked.then_some(Mark::Ephemeral) }
            });
            Message::User(blocks.collect())
        }
        Turn::Assistant(parts) => Message::Assistant(parts.into_iter().map(block).collect()),
    }
}

fn result(result: CallResult<'_>) -> Said<'_> {
    let CallResult { id, content, is_error, name: _ } = result;
    let content = (!content.trim().is_empty()).then_some(content);
    Said::ToolResult { tool_use_id: id, content, is_error }
}

fn block(part: Part<'_>) -> AssistantBlock<'_> {
    match part {
        Part::Text(text) => AssistantBlock::Own(OwnBlock::Text { text }),
        Part::Call { id, name, input } => AssistantBlock::Own(OwnBlock::ToolUse { id, name, input }),
        Part::Opaque(value) => AssistantBlock::Opaque(value),
    }
}
