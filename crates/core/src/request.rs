//! What a model is asked, whatever the provider.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One piece of what the assistant said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Text for the user.
    Text {
        /// The text.
        text: String,
    },
    /// A tool call.
    ToolUse {
        /// The provider's or our own id of the call, unique in the session.
        id: String,
        /// The tool's name as the model wrote it.
        name: String,
        /// The input as the model wrote it.
        input: Value,
    },
    /// A block only its provider understands (thinking, signatures), sent back byte for byte.
    Opaque {
        /// The provider whose block it is.
        provider: String,
        /// The block.
        value: Value,
    },
}

/// One piece of what the model is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum UserPart {
    /// What a tool call came to. All results stand before any text.
    ToolResult {
        /// The call.
        tool_use_id: String,
        /// The result.
        content: String,
        /// Whether it is an error or a denial.
        is_error: bool,
    },
    /// A person's words, or a note.
    Text {
        /// The text.
        text: String,
    },
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", content = "content", rename_all = "snake_case")]
pub enum Message {
    /// To the model.
    User(Vec<UserPart>),
    /// From the model.
    Assistant(Vec<Block>),
}

/// One tool as offered to the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON schema of its input.
    pub input_schema: Value,
}

/// Who asks: the main thread, or the n-th subagent of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AgentRef {
    /// The subagent's type.
    pub agent_type: String,
    /// Which one of that type in this session, from 0.
    pub instance: usize,
}

/// One request to a model. Cheap to clone: the parts are shared.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// The session.
    pub session_id: String,
    /// The subagent that asks; `None` for the main thread.
    pub agent: Option<AgentRef>,
    /// The system prompt, the same in every mode.
    pub system: Arc<str>,
    /// The tools, the same in every mode.
    pub tools: Arc<[ToolSpec]>,
    /// The conversation.
    pub messages: Vec<Arc<Message>>,
    /// The plan file of whoever asks, once it has a name: for the scripted model's placeholder and
    /// the request log; never sent to a provider.
    pub plan_file: Option<PathBuf>,
}

impl Request {
    /// The whole request as text, as a reader of it sees it: system prompt, tools, and every
    /// message's words, calls and results in order.
    pub fn as_text(&self) -> String {
        let mut text = String::from(&*self.system);
        for tool in self.tools.iter() {
            text += &format!("\n\n{}: {}\n{}", tool.name, tool.description, tool.input_schema);
        }
        for message in &self.messages {
            match &**message {
                Message::User(parts) => parts.iter().for_each(|part| match part {
                    UserPart::ToolResult { content, .. } => text += &format!("\n\n{content}"),
                    UserPart::Text { text: words } => text += &format!("\n\n{words}"),
                }),
                Message::Assistant(blocks) => blocks.iter().for_each(|block| match block {
                    Block::Text { text: words } => text += &format!("\n\n{words}"),
                    Block::ToolUse { name, input, .. } => text += &format!("\n\n{name} {input}"),
                    Block::Opaque { value, .. } => text += &format!("\n\n{value}"),
                }),
            }
        }
        text
    }
}
