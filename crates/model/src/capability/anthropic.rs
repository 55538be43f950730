//! What Anthropic's models can do.

use planwright_core::bounds;
use planwright_core::reply::{Abilities, Price};

use super::{Capability, OutputField, Row, Thinking, dollars};

const BUDGET: Thinking = Thinking::Budget(bounds::THINKING_TOKENS);

const fn row(
    begins: &'static str,
    context_tokens: u64,
    output_tokens: u64,
    thinking: Thinking,
    price: Option<Price>,
) -> Row {
    let capability = Capability {
        abilities: Abilities { context_tokens, output_tokens, price },
        thinking,
        cache_marks: true,
        output_field: OutputField::MaxTokens,
        prefill: false,
        returns_reasoning: false,
    };
    Row { provider: "anthropic", begins, capability }
}

/// Names begin with the family; the row of a family alone is for versions that came later.
pub const ROWS: &[Row] = &[row("claude-", 200_000, 32_000, Thinking::Untold, None)];
