//! How much of a model's window a conversation takes, when it must be made smaller, and how.
//!
//! A provider says what the last request came to; what was said since, and all of it where it said
//! nothing, is estimated by bytes.

use std::sync::Arc;

use serde_json::Value;

use crate::bounds;
use crate::prompts;
use crate::reply::{Abilities, Usage};
use crate::request::{Block, Message, Request, ToolSpec, UserPart};

/// What the conversation comes to: a projection of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of all messages.
    bytes: u64,
    /// Bytes of the notes among them.
    notes: u64,
    /// Tokens of system prompt, tools and messages as the last answer's provider counted them, and
    /// the bytes of the messages then.
    counted: Option<(u64, u64)>,
    /// Bytes that were there before the first answer: a summary would not make them fewer.
    before: Option<u64>,
}

impl Tally {
    /// Bytes of all messages.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Something was said to the model.
    pub(crate) const fn said(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
    }

    /// A note was given to the model.
    pub(crate) const fn noted(&mut self, bytes: usize) {
        self.said(bytes);
        self.notes += bytes as u64;
    }

    /// The model answered.
    pub(crate) fn answered(&mut self, blocks: &[Block], usage: Usage) {
        self.before.get_or_insert(self.bytes);
        self.bytes += blocks.iter().map(block_bytes).sum::<u64>();
        let read = usage.read();
        if read > 0 {
            self.counted = Some((read.saturating_add(usage.output_tokens), self.bytes));
        }
    }

    /// The conversation is gone.
    pub(crate) fn replaced(&mut self) {
        *self = Self::default();
    }

    /// Tokens of a request with this conversation, below a system prompt and tools of `head` bytes.
    pub fn tokens(&self, head: u64) -> u64 {
        match self.counted {
            Some((tokens, then)) => tokens.saturating_add(estimated(self.bytes.saturating_sub(then))),
            None => estimated(head + self.bytes),
        }
    }

    /// The same of a conversation that takes the place of `before`, in the measure that counted that one:
    /// two measures beside each other would say nothing.
    pub fn tokens_instead_of(&self, before: &Self, head: u64) -> u64 {
        let share = u128::from(before.tokens(head)) * u128::from(head + self.bytes);
        u64::try_from(share / u128::from((head + before.bytes).max(1))).unwrap_or(u64::MAX)
    }

    /// The model has answered in this conversation, so that there is something to summarize.
    pub const fn answered_before(&self) -> bool {
        self.before.is_some()
    }

    /// Tokens that a summary could free, of a request below `head` bytes.
    fn gain(&self, head: u64) -> u64 {
        self.before.map_or(0, |before| self.tokens(head).saturating_sub(estimated(head + before)))
    }
}

/// Tokens that so many bytes are taken for.
const fn estimated(bytes: u64) -> u64 {
    bytes.div_ceil(bounds::BYTES_PER_TOKEN)
}

/// How a model's window is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Tokens of request and answer together; `u64::MAX` = no limit.
    pub tokens: u64,
    /// Tokens kept free for the answer.
    pub reserve: u64,
    /// From so many tokens on the conversation is compacted before the next request.
    pub full_at: u64,
}

impl Window {
    /// The window of a model. An answer is kept room for, but no more than a quarter of the window; and
    /// a little is left for what the estimate may miss.
    pub fn of(abilities: &Abilities) -> Self {
        let tokens = abilities.context_tokens;
        let reserve = abilities.output_tokens.min(bounds::ANSWER_RESERVE_TOKENS).min(tokens / 4);
        let full_at = tokens - reserve - tokens / bounds::ESTIMATE_SLACK_SHARE;
        Self { tokens, reserve, full_at }
    }

    /// The window is as good as full, and a summary would free enough of it to be worth a request.
    pub fn compaction_due(&self, tally: &Tally, head: u64) -> bool {
        tally.tokens(head) >= self.full_at && tally.gain(head) >= self.tokens / bounds::COMPACTION_GAIN_SHARE
    }
}

/// What of a request takes how many tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// The system prompt.
    pub system: u64,
    /// The tools on offer.
    pub tools: u64,
    /// Notes of the program.
    pub notes: u64,
    /// All else that was said.
    pub conversation: u64,
}

impl Shares {
    /// The parts of a request that comes to `tokens`, by their bytes. They add up to `tokens`.
    pub fn of(tokens: u64, request: &Request, tally: &Tally) -> Self {
        let (system, tools) = (request.system.len() as u64, tools_bytes(&request.tools));
        let all = (system + tools + tally.bytes).max(1);
        let share = |bytes: u64| u64::try_from(u128::from(tokens) * u128::from(bytes) / u128::from(all)).unwrap_or(0);
        let (system, tools, notes) = (share(system), share(tools), share(tally.notes));
        Self { system, tools, notes, conversation: tokens.saturating_sub(system + tools + notes) }
    }
}

/// Bytes of a request besides its messages.
pub fn head_bytes(system: &str, tools: &[ToolSpec]) -> u64 {
    system.len() as u64 + tools_bytes(tools)
}

fn tools_bytes(tools: &[ToolSpec]) -> u64 {
    let bytes = |spec: &ToolSpec| spec.name.len() + spec.description.len() + spec.input_schema.to_string().len();
    tools.iter().map(bytes).sum::<usize>() as u64
}

fn block_bytes(block: &Block) -> u64 {
    (match block {
        Block::Text { text } => text.len(),
        Block::ToolUse { name, input, .. } => name.len() + input.to_string().len(),
        Block::Opaque { value, .. } => value.to_string().len(),
    }) as u64
}

fn message_bytes(message: &Message) -> u64 {
    match message {
        Message::Assistant(blocks) => blocks.iter().map(block_bytes).sum(),
        Message::User(parts) => parts
            .iter()
            .map(|part| match part {
                UserPart::ToolResult { content: text, .. } | UserPart::Text { text } => text.len() as u64,
            })
            .sum(),
    }
}

/// A conversation that does not fit, made at most `bytes` long so that a summary of it can still be
/// asked for: bulk is left out of its messages, the oldest first. Every call keeps its result. Where
/// even that is not enough, it is as short as this can make it.
pub fn shortened(messages: &[Arc<Message>], bytes: u64) -> Vec<Arc<Message>> {
    let mut left: u64 = messages.iter().map(|message| message_bytes(message)).sum();
    messages
        .iter()
        .map(|message| {
            if left <= bytes {
                return Arc::clone(message);
            }
            let shorter = without_bulk(message);
            left = left.saturating_sub(message_bytes(message).saturating_sub(message_bytes(&shorter)));
            Arc::new(shorter)
        })
        .collect()
}

/// A message with the middle of every long text in it left out. Blocks that only a provider
/// understands cannot be shortened, and are left out whole.
fn without_bulk(message: &Message) -> Message {
    match message {
        Message::User(parts) => Message::User(
            parts
                .iter()
                .map(|part| match part {
                    UserPart::ToolResult { tool_use_id, content, is_error } => UserPart::ToolResult {
                        tool_use_id: tool_use_id.clone(),
                        content: short(content),
                        is_error: *is_error,
                    },
                    UserPart::Text { text } => UserPart::Text { text: short(text) },
                })
                .collect(),
        ),
        Message::Assistant(blocks) => Message::Assistant(
            blocks
                .iter()
                .map(|block| match block {
                    Block::Text { text } => Block::Text { text: short(text) },
                    Block::ToolUse { id, name, input } => {
                        Block::ToolUse { id: id.clone(), name: name.clone(), input: value_ends(input) }
                    }
                    Block::Opaque { .. } => Block::Text {
                        text: prompts::left_out(usize::try_from(block_bytes(block)).unwrap_or(usize::MAX)),
                    },
                })
                .collect(),
        ),
    }
}

fn value_ends(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::String(text) => Value::String(short(text)),
        Value::Array(list) => list.iter().map(value_ends).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), value_ends(value))).collect(),
    }
}

fn short(text: &str) -> String {
    ends(text, bounds::SHORTENED_TEXT_BYTES)
}

/// A text of at most about `bytes`: its two ends, and how much is left out between them.
pub fn ends(text: &str, bytes: usize) -> String {
    let end = bytes / 2;
    if text.len() <= bytes {
        return text.to_owned();
    }
    let (start, rest) = text.split_at(text.floor_char_boundary(end));
    let tail = &rest[rest.ceil_char_boundary(rest.len() - end)..];
    format!("{start}{}{tail}", prompts::left_out(rest.len() - tail.len()))
}
