//! The words that plans are named with: `quiet-amber-otter`.
//!
//! Three lists of more than 250 words each, lower-case ASCII letters only: some twenty million names
//! that are fit for any file system and can be said over a telephone.

const QUALITIES: &str = include_str!("words/qualities.txt");
const MATERIALS: &str = include_str!("words/materials.txt");
const CREATURES: &str = include_str!("words/creatures.txt");

/// Three random words.
pub(crate) fn three(random: &mut fastrand::Rng) -> String {
    [QUALITIES, MATERIALS, CREATURES].map(|list| one(list, random)).join("-")
}

fn one(list: &'static str, random: &mut fastrand::Rng) -> &'static str {
    let words: Vec<&str> = list.split_whitespace().collect();
    words[random.usize(..words.len())]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_lists_hold_many_plain_words_each_once() {
        for list in [QUALITIES, MATERIALS, CREATURES] {
            let words: Vec<&str> = list.split_whitespace().collect();
            let distinct: BTreeSet<&str> = words.iter().copied().collect();
            let odd: Vec<_> = words.iter().filter(|word| !word.bytes().all(|b| b.is_ascii_lowercase())).collect();
            assert!(distinct.len() == words.len() && words.len() > 250, "{} of {}", distinct.len(), words.len());
            assert!(odd.is_empty(), "{odd:?}");
        }
    }
}
