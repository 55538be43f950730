//! What Gemini's models can do.

use planwright_core::reply::{Abilities, Price};

use super::{Capability, Row, Thinking, answer_tokens, dollars};

const fn row(begins: &'static str, thinking: Thinking, price: Option<Price>) -> Row {
    let abilities = Abilities { context_tokens: 1_048_576, output_tokens: answer_tokens(65_536), price };
    Row { provider: "gemini", begins, capability: Capability { abilities, thinking, ..Capability::UNKNOWN } }
}

/// The level is Gemini's own default from version 3 on; such models demand their signatures back.
const THINKS: Thinking = Thinking::Level("high");
const PLAIN: Thinking = Thinking::Untold;

/// Prices are those of prompts up to 200 000 tokens.
pub const ROWS: &[Row] = &[
    row("gemini-", THINKS, None),
    row("gemini-1", PLAIN, None),
    row("gemini-2", PLAIN, None),
    row("gemini-2.5-pro", PLAIN, dollars(1.25, 10.0, 1.25, 0.125)),
    row("gemini-2.5-flash", PLAIN, dollars(0.3, 2.5, 0.3, 0.03)),
    row("gemini-2.5-flash-lite", PLAIN, dollars(0.1, 0.4, 0.1, 0.01)),
    row("gemini-3-pro", THINKS, dollars(2.0, 12.0, 2.0, 0.2)),
    row("gemini-3-flash", THINKS, dollars(0.5, 3.0, 0.5, 0.05)),
    row("gemini-3.1-pro", THINKS, dollars(2.0, 12.0, 2.0, 0.2)),
];
