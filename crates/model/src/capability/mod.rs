//! What models can do: data, one row for a family of names. A model that no row knows gets cautious
//! defaults. Facts and prices as the providers' documentation had them in November 2026.

use planwright_core::bounds;
use planwright_core::reply::{Abilities, Price};

mod anthropic;
mod gemini;
mod openai;
mod servers;

/// How a model is told to think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// It is told nothing: it cannot think, or does as it likes.
    Untold,
    /// It decides how much (Anthropic `adaptive`).
    Adaptive,
    /// It has so many tokens for it (Anthropic `enabled`, Gemini `thinkingBudget`).
    Budget(u32),
    /// It is given a level in the provider's words (OpenAI `reasoning_effort`, Gemini `thinkingLevel`).
    Level(&'static str),
}

/// How an OpenAI-compatible server wants the output limit named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputField {
    /// `max_tokens`
    MaxTokens,
    /// `max_completion_tokens`
    MaxCompletionTokens,
    /// None is sent: the server's own limit is better than a guess.
    Unsent,
}

/// What one model can do, as far as its wire must know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capability {
    /// What the loop must know.
    pub abilities: Abilities,
    /// How it is told to think.
    pub thinking: Thinking,
    /// Whether marks for the prompt cache are sent (Anthropic `cache_control`); other providers
    /// cache by themselves.
    pub cache_marks: bool,
    /// How the output limit is named.
    pub output_field: OutputField,
    /// What it thought must be sent back beside its tool calls, even if it is empty (DeepSeek
    /// `reasoning_content`).
    pub returns_reasoning: bool,
}

impl Capability {
    /// What is assumed of a model that no row knows.
    pub const UNKNOWN: Self = Self {
        abilities: Abilities { context_tokens: 32_000, output_tokens: 4_096, price: None },
        thinking: Thinking::Untold,
        cache_marks: false,
        output_field: OutputField::Unsent,
        returns_reasoning: false,
    };
}

/// One row: the models whose names begin so.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The provider, as in `provider:name`.
    pub provider: &'static str,
    /// How the name begins. Of several rows that fit, the longest beginning counts.
    pub begins: &'static str,
    /// What they can do.
    pub capability: Capability,
}

/// The rows of every provider.
const TABLES: &[&[Row]] = &[anthropic::ROWS, openai::ROWS, openai::CHAT_ROWS, gemini::ROWS, servers::ROWS];

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().copied().flatten()
}

/// What a model can do.
pub fn of(provider: &str, name: &str) -> Capability {
    rows()
        .filter(|row| row.provider == provider && name.starts_with(row.begins))
        .max_by_key(|row| row.begins.len())
        .map_or(Capability::UNKNOWN, |row| row.capability)
}

/// US dollars for a million tokens: read, written, written to the cache, read from the cache.
const fn dollars(input: f64, output: f64, cache_write: f64, cache_read: f64) -> Option<Price> {
    Some(Price { input, output, cache_write, cache_read })
}

/// What a model may write of what it could.
const fn answer_tokens(could: u64) -> u64 {
    if could < bounds::ANSWER_TOKENS { could } else { bounds::ANSWER_TOKENS }
}
