//! What OpenAI's models can do, over either of its interfaces.

use planwright_core::reply::{Abilities, Price};

use super::{Capability, OutputField, Row, Thinking, answer_tokens, dollars};

const fn row(
    provider: &'static str,
    begins: &'static str,
    (context_tokens, output): (u64, u64),
    thinking: Thinking,
    price: Option<Price>,
) -> Row {
    let capability = Capability {
        abilities: Abilities { context_tokens, output_tokens: answer_tokens(output), price },
        thinking,
        output_field: OutputField::MaxCompletionTokens,
        ..Capability::UNKNOWN
    };
    Row { provider, begins, capability }
}

/// A level that nearly all models that think take. One that does not think refuses to be told.
const THINKS: Thinking = Thinking::Level("medium");
const PLAIN: Thinking = Thinking::Untold;
const GPT_4O: (u64, u64) = (128_000, 16_384);
const GPT_41: (u64, u64) = (1_047_576, 32_768);
const GPT_5: (u64, u64) = (400_000, 128_000);
const O: (u64, u64) = (200_000, 100_000);

/// A family whose price is not known here is taken to be no smaller than the one before it.
const fn rows(provider: &'static str) -> [Row; 19] {
    [
        row(provider, "gpt-4o", GPT_4O, PLAIN, dollars(2.5, 10.0, 2.5, 1.25)),
        row(provider, "gpt-4o-mini", GPT_4O, PLAIN, dollars(0.15, 0.6, 0.15, 0.075)),
        row(provider, "gpt-4.1", GPT_41, PLAIN, dollars(2.0, 8.0, 2.0, 0.5)),
        row(provider, "gpt-4.1-mini", GPT_41, PLAIN, dollars(0.4, 1.6, 0.4, 0.1)),
        row(provider, "gpt-4.1-nano", GPT_41, PLAIN, dollars(0.1, 0.4, 0.1, 0.025)),
        row(provider, "gpt-", GPT_5, THINKS, None),
        row(provider, "gpt-4", (8_192, 4_096), PLAIN, None),
        row(provider, "gpt-3", (16_385, 4_096), PLAIN, None),
        row(provider, "gpt-5", GPT_5, THINKS, dollars(1.25, 10.0, 1.25, 0.125)),
        row(provider, "gpt-5.", GPT_5, THINKS, None),
        row(provider, "gpt-5-mini", GPT_5, THINKS, dollars(0.25, 2.0, 0.25, 0.025)),
        row(provider, "gpt-5-nano", GPT_5, THINKS, dollars(0.05, 0.4, 0.05, 0.005)),
        row(provider, "gpt-5-pro", GPT_5, Thinking::Level("high"), None),
        row(provider, "gpt-5-chat", GPT_4O, PLAIN, None),
        row(provider, "gpt-5.1", GPT_5, THINKS, dollars(1.25, 10.0, 1.25, 0.125)),
        row(provider, "gpt-5.2", GPT_5, THINKS, dollars(1.75, 14.0, 1.75, 0.175)),
        row(provider, "o1", O, THINKS, None),
        row(provider, "o3", O, THINKS, dollars(2.0, 8.0, 2.0, 0.5)),
        row(provider, "o4-mini", O, THINKS, dollars(1.1, 4.4, 1.1, 0.275)),
    ]
}

/// Over Responses.
pub const ROWS: &[Row] = &rows("openai");
/// Over chat completions.
pub const CHAT_ROWS: &[Row] = &rows("openai-chat");
