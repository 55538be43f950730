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
    /// The provider paused a long answer: the same conversation, sent again, goes on with it.
    Paused,
    /// The conversation does not fit into the model's window any more.
    ContextFull,
    /// The stream ended without saying why.
    Cut,
}

/// Tokens a request cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, expecting = "an object")]
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

impl Usage {
    /// Tokens read in all. Here and wherever counts are added: a provider may say any number, and a
    /// false one is no reason to stop.
    pub const fn read(self) -> u64 {
        self.input_tokens.saturating_add(self.cache_creation_input_tokens).saturating_add(self.cache_read_input_tokens)
    }

    /// What was used since `before`, an earlier sum of the same.
    #[must_use]
    pub const fn since(self, before: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_sub(before.input_tokens),
            output_tokens: self.output_tokens.saturating_sub(before.output_tokens),
            cache_creation_input_tokens: self
                .cache_creation_input_tokens
                .saturating_sub(before.cache_creation_input_tokens),
            cache_read_input_tokens: self.cache_read_input_tokens.saturating_sub(before.cache_read_input_tokens),
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        let add = |sum: &mut u64, count| *sum = sum.saturating_add(count);
        add(&mut self.input_tokens, other.input_tokens);
        add(&mut self.output_tokens, other.output_tokens);
        add(&mut self.cache_creation_input_tokens, other.cache_creation_input_tokens);
        add(&mut self.cache_read_input_tokens, other.cache_read_input_tokens);
    }
}

/// What one model cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Spent {
    /// The model.
    pub model: String,
    /// Its tokens.
    pub usage: Usage,
    /// US dollars, if its price is known.
    pub usd: Option<f64>,
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
    /// Something the user may like to know while waiting.
    Waiting(String),
    /// All of this answer so far is void: the request is put again.
    Again(Again),
    /// The answer is complete; nothing follows.
    Done(Reply),
}

/// Why and when a request is put again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// Which try the next one is, from 2.
    pub attempt: u32,
    /// Tries at most.
    pub of: u32,
    /// Milliseconds until then.
    pub after_ms: u64,
    /// What went wrong, as a sentence without its full stop.
    pub cause: String,
}

/// What a model can do and costs, as far as the loop must know. What a provider alone must know
/// (how it thinks, how its cache is marked) stays in the `model` crate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abilities {
    /// Tokens that a request and its answer may have together; `u64::MAX` = no limit.
    pub context_tokens: u64,
    /// Tokens that an answer may have.
    pub output_tokens: u64,
    /// What its tokens cost, if that is known.
    pub price: Option<Price>,
}

impl Default for Abilities {
    /// What is assumed of a model nobody knows: too little rather than too much.
    fn default() -> Self {
        Self { context_tokens: 32_000, output_tokens: 4_096, price: None }
    }
}

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Written to the prompt cache.
    pub cache_write: f64,
    /// Read from the prompt cache.
    pub cache_read: f64,
}

impl Price {
    /// What these tokens cost, in US dollars.
    pub fn of(&self, usage: Usage) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a true count is far below 2^52")]
        let part = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        part(usage.input_tokens, self.input)
            + part(usage.output_tokens, self.output)
            + part(usage.cache_creation_input_tokens, self.cache_write)
            + part(usage.cache_read_input_tokens, self.cache_read)
    }
}
