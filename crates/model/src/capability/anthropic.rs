//! What Anthropic's models can do.

use planwright_core::bounds;
use planwright_core::reply::{Abilities, Price};

use super::{Capability, OutputField, Row, Thinking, dollars};

const ADAPTIVE: Thinking = Thinking::Adaptive;
const BUDGET: Thinking = Thinking::Budget(bounds::THINKING_TOKENS);

/// In thousands of tokens. An answer may have less than the model could write.
const fn row(begins: &'static str, context: u64, output: u64, thinking: Thinking, price: Option<Price>) -> Row {
    let output = output * 1_000;
    let output_tokens = if output < bounds::ANSWER_TOKENS { output } else { bounds::ANSWER_TOKENS };
    let capability = Capability {
        abilities: Abilities { context_tokens: context * 1_000, output_tokens, price },
        thinking,
        cache_marks: true,
        output_field: OutputField::MaxTokens,
        returns_reasoning: false,
    };
    Row { provider: "anthropic", begins, capability }
}

/// A family without a version stands for versions that came later: their price is not known. The
/// price of `haiku-5-5` depends on a request's length.
pub const ROWS: &[Row] = &[
    row("claude-", 200, 32, Thinking::Untold, None),
    row("claude-fable-", 200, 64, ADAPTIVE, None),
    row("claude-fable-5", 1_000, 128, ADAPTIVE, dollars(10.0, 50.0, 12.5, 1.0)),
    row("claude-fable-5-1", 1_000, 128, ADAPTIVE, dollars(10.0, 50.0, 12.5, 0.25)),
    row("claude-fable-5-2", 1_000, 128, ADAPTIVE, None),
    row("claude-mythos-", 200, 64, ADAPTIVE, None),
    row("claude-mythos-5", 1_000, 128, ADAPTIVE, dollars(10.0, 50.0, 12.5, 1.0)),
    row("claude-mythos-5-1", 1_000, 128, ADAPTIVE, dollars(10.0, 50.0, 12.5, 0.25)),
    row("claude-opus-", 200, 64, ADAPTIVE, None),
    row("claude-opus-5", 1_000, 128, ADAPTIVE, dollars(5.0, 25.0, 6.25, 0.5)),
    row("claude-opus-5-5", 1_000, 128, ADAPTIVE, dollars(4.0, 20.0, 5.0, 0.2)),
    row("claude-opus-4", 200, 32, BUDGET, dollars(15.0, 75.0, 18.75, 1.5)),
    row("claude-opus-4-5", 200, 64, BUDGET, dollars(5.0, 25.0, 6.25, 0.5)),
    row("claude-opus-4-6", 1_000, 128, ADAPTIVE, dollars(5.0, 25.0, 6.25, 0.5)),
    row("claude-opus-4-7", 1_000, 128, ADAPTIVE, dollars(5.0, 25.0, 6.25, 0.5)),
    row("claude-opus-4-8", 1_000, 128, ADAPTIVE, dollars(5.0, 25.0, 6.25, 0.5)),
    row("claude-sonnet-", 200, 64, ADAPTIVE, None),
    row("claude-sonnet-5", 1_000, 128, ADAPTIVE, dollars(2.0, 10.0, 2.5, 0.2)),
    row("claude-sonnet-5-5", 1_000, 128, ADAPTIVE, dollars(2.0, 10.0, 2.5, 0.1)),
    row("claude-sonnet-4", 200, 64, BUDGET, dollars(3.0, 15.0, 3.75, 0.3)),
    row("claude-sonnet-4-6", 1_000, 64, ADAPTIVE, dollars(3.0, 15.0, 3.75, 0.3)),
    row("claude-haiku-", 200, 64, ADAPTIVE, None),
    row("claude-haiku-5-5", 1_000, 128, ADAPTIVE, None),
    row("claude-haiku-4-5", 200, 64, BUDGET, dollars(1.0, 5.0, 1.25, 0.1)),
    row("claude-3-7-sonnet", 200, 64, BUDGET, dollars(3.0, 15.0, 3.75, 0.3)),
    row("claude-3-5-", 200, 8, Thinking::Untold, None),
    row("claude-3-", 200, 4, Thinking::Untold, None),
];
