//! What a model answers, whatever the provider.

use serde::{Deserialize, Serialize};

use crate::request::Block;

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It has said what it had to say.
    EndTurn,
    /// It waits for tool results.
    ToolUse,
    /// It was cut at its output limit: a last tool call may be half and must not run.
    MaxTokens,
    /// It refused.
    Refusal,
    /// The stream ended without saying why.
    Cut,
}

/// Tokens a request cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens read, without those below.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens written to the provider's prompt cache.
    pub cache_creation_input_tokens: u64,
    /// Tokens read from the provider's prompt cache.
    pub cache_read_input_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cache_creation_input_tokens += other.cache_creation_input_tokens;
        self.cache_read_input_tokens += other.cache_read_input_tokens;
    }
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What it said and asks for, in order.
    pub blocks: Vec<Block>,
    /// Why it stopped.
    pub stop: Stop,
    /// What it cost.
    pub usage: Usage,
}

/// One step of an answer as it arrives.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// Something the user may like to know while waiting (a retry, a slow provider).
    Waiting(String),
    /// The answer is complete; nothing follows.
    Done(Reply),
}
