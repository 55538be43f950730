//! The table of models.

use planwright_core::bounds;
use planwright_core::reply::Usage;
use planwright_model::capability::{self, Capability, Thinking};

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
