//! What models can do behind servers that speak OpenAI's chat completions. Few are known: a window
//! of 32 000 tokens is assumed of the others, and a smaller one could not hold a plan session.

use planwright_core::reply::Abilities;

use super::{Capability, OutputField, Row, answer_tokens};

const fn row(provider: &'static str, begins: &'static str, context_tokens: u64, output: u64) -> Row {
    let abilities = Abilities { context_tokens, output_tokens: answer_tokens(output), price: None };
    let capability = Capability { abilities, output_field: OutputField::MaxTokens, ..Capability::UNKNOWN };
    Row { provider, begins, capability }
}

/// Wants its thoughts back beside its calls.
const fn returns_reasoning(row: Row) -> Row {
    Row { capability: Capability { returns_reasoning: true, ..row.capability }, ..row }
}

/// Without a row a server's own limit of the output holds: none is sent.
pub const ROWS: &[Row] = &[
    returns_reasoning(row("deepseek", "", 128_000, 8_192)),
    row("openrouter", "anthropic/claude", 200_000, 32_000),
    row("openrouter", "openai/gpt-5", 400_000, 128_000),
    row("openrouter", "openai/gpt-4.1", 1_047_576, 32_768),
    row("openrouter", "google/gemini", 1_048_576, 65_536),
    row("openrouter", "deepseek/", 128_000, 8_192),
];
