//! Questions about a plan that waits: the model answers them, and nothing is decided by it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::prompts;
use crate::reply::{Stop, Usage};
use crate::request::{Message, UserPart};
use crate::state::OpenCall;

/// A question that the user asked about a plan while it waited, and what the model said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aside {
    /// The submission that waited.
    pub revision: u32,
    /// What the user asked.
    pub question: String,
    /// What the model said.
    pub answer: String,
    /// Why it stopped.
    pub stop: Stop,
    /// The model.
    pub model: String,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
}

/// The conversation with such a question at its end. The calls that are open are answered in this copy
/// alone, by the word that the plan is still being read; `before`: what was asked about it so far.
pub fn asked_aside(
    messages: &[Arc<Message>],
    open: &[OpenCall],
    before: &[Aside],
    question: &str,
) -> Vec<Arc<Message>> {
    let result = |call: &OpenCall| UserPart::ToolResult {
        tool_use_id: call.id.clone(),
        content: prompts::plan_being_read(),
        is_error: false,
    };
    let words = UserPart::Text { text: prompts::aside(before, question) };
    let parts = open.iter().map(result).chain([words]);
    let mut messages = messages.to_vec();
    match messages.last_mut().map(Arc::make_mut) {
        Some(Message::User(last)) => last.extend(parts),
        Some(Message::Assistant(_)) | None => messages.push(Arc::new(Message::User(parts.collect()))),
    }
    messages
}
