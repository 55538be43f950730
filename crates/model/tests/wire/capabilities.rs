//! The table of models.

use planwright_core::bounds;
use planwright_core::reply::Usage;
use planwright_model::capability::{self, Capability, OutputField, Thinking};

use super::none_wrong;

#[test]
fn rows_are_found_by_the_longest_beginning() {
    let rows: &[(&str, u64, Thinking)] = &[
        ("claude-opus-5-5", 1_000_000, Thinking::Adaptive),
        ("claude-opus-5", 1_000_000, Thinking::Adaptive),
        ("claude-opus-4-5-20251101", 200_000, Thinking::Budget(bounds::THINKING_TOKENS)),
        ("claude-opus-4-20250514", 200_000, Thinking::Budget(bounds::THINKING_TOKENS)),
        ("claude-sonnet-4-6", 1_000_000, Thinking::Adaptive),
        ("claude-opus-9", 200_000, Thinking::Adaptive),
        ("claude-3-5-haiku-latest", 200_000, Thinking::Untold),
        ("claude-somebody-1", 200_000, Thinking::Untold),
        ("llama", 32_000, Thinking::Untold),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(name, context, thinking)| (*name, capability::of("anthropic", name), *context, *thinking))
        .filter(|(_, got, context, thinking)| got.abilities.context_tokens != *context || got.thinking != *thinking)
        .map(|(name, got, ..)| format!("{name}: {got:?}"))
        .collect();
    none_wrong(&wrong);
    assert_eq!(capability::of("nobody", "claude-opus-5"), Capability::UNKNOWN);
}

#[test]
fn models_of_others_are_known() {
    use OutputField::{MaxCompletionTokens, MaxTokens, Unsent};
    const MEDIUM: Thinking = Thinking::Level("medium");
    let rows = [
        ("openai", "gpt-5.2-2025-12-11", 400_000, MEDIUM, MaxCompletionTokens, false),
        ("openai", "gpt-5-chat-latest", 128_000, Thinking::Untold, MaxCompletionTokens, false),
        ("openai", "gpt-5-pro", 400_000, Thinking::Level("high"), MaxCompletionTokens, false),
        ("openai-chat", "gpt-4o-mini-2024-07-18", 128_000, Thinking::Untold, MaxCompletionTokens, false),
        ("openai-chat", "o4-mini", 200_000, MEDIUM, MaxCompletionTokens, false),
        ("openai", "ft:gpt-4.1:us::1", 32_000, Thinking::Untold, Unsent, false),
        ("gemini", "gemini-2.5-flash-preview", 1_048_576, Thinking::Untold, Unsent, false),
        ("gemini", "gemini-3.8-flash", 1_048_576, Thinking::Level("high"), Unsent, false),
        ("gemini", "gemini-flash-latest", 1_048_576, Thinking::Level("high"), Unsent, false),
        ("deepseek", "deepseek-reasoner", 128_000, Thinking::Untold, MaxTokens, true),
        ("openrouter", "anthropic/claude-opus-5-5", 200_000, Thinking::Untold, MaxTokens, false),
        ("openrouter", "somebody/something", 32_000, Thinking::Untold, Unsent, false),
        ("ollama", "qwen3:8b", 32_000, Thinking::Untold, Unsent, false),
    ];
    let mut wrong = Vec::new();
    for (provider, name, context, thinking, output_field, returns_reasoning) in rows {
        let got = capability::of(provider, name);
        let seen = (got.abilities.context_tokens, got.thinking, got.output_field, got.returns_reasoning);
        if seen != (context, thinking, output_field, returns_reasoning) {
            wrong.push(format!("{provider}:{name}: {seen:?}"));
        }
    }
    none_wrong(&wrong);
}

#[test]
fn no_row_says_what_cannot_be() {
    let mut wrong = Vec::new();
    let rows: Vec<_> = capability::rows().collect();
    for (at, row) in rows.iter().enumerate() {
        let Capability { abilities, thinking, .. } = row.capability;
        let mut say = |what: &str| wrong.push(format!("{} {}: {what}", row.provider, row.begins));
        if abilities.output_tokens >= abilities.context_tokens {
            say("an answer as large as the window");
        }
        if let Thinking::Budget(budget) = thinking
            && (u64::from(budget) >= abilities.output_tokens || budget < 1_024)
        {
            say("a budget of thinking that the provider refuses");
        }
        if let Some(price) = abilities.price
            && !(price.cache_read <= price.input && price.input <= price.output && price.cache_read > 0.0)
        {
            say("a price that is out of order");
        }
        if rows[..at].iter().any(|other| (other.provider, other.begins) == (row.provider, row.begins)) {
            say("twice");
        }
    }
    none_wrong(&wrong);
}

#[test]
fn a_price_is_for_a_million_tokens() {
    let price = capability::of("anthropic", "claude-opus-5-5").abilities.price.unwrap();
    let usage = Usage {
        input_tokens: 1_000,
        output_tokens: 2_000,
        cache_creation_input_tokens: 10_000,
        cache_read_input_tokens: 100_000,
    };
    let cost = 0.004 + 0.04 + 0.05 + 0.02;
    assert!((price.of(usage) - cost).abs() < 1e-9);
}
