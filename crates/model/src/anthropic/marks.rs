//! Where the prompt cache is marked.
//!
//! The provider caches what ends at a mark, and looks for what it has cached at each mark and at the
//! [`LOOK_BACK`] blocks before it. A request has at most four marks. One stands after tools and
//! system, which never change. The other three move with the conversation, so that each request
//! reads from the cache all that the request before it wrote there:
//!
//! - the end of the last user's turn: it is what the next request will read;
//! - the end of the user's turn before it, which was the end of the request before: found whatever
//!   the model did since, be it forty parallel calls;
//! - one look-back before the end, if the last turn is that long: a turn grows without an answer when
//!   a request failed or was interrupted and more was said.
//!
//! So what the request before wrote is found if since then the model answered once, with any number
//! of blocks, or the turn grew by fewer than `2 * LOOK_BACK` blocks.

use std::ops::Range;

use crate::conversation::Turn;

/// How many blocks the provider looks at, from a mark backwards, the marked one included.
pub const LOOK_BACK: usize = 20;

/// A block of a user's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The turn.
    pub turn: usize,
    /// The block in it.
    pub block: usize,
}

/// The places of the moving marks, in order.
pub fn places(turns: &[Turn<'_>]) -> Vec<Place> {
    let ends: Vec<_> =
        turns.iter().enumerate().rev().filter_map(|(turn, said)| Some((turn, blocks(said)?.end))).take(2).collect();
    let mut places: Vec<_> = ends.iter().map(|(turn, end)| Place { turn: *turn, block: end - 1 }).collect();
    if let Some((turn, end)) = ends.first()
        && let Some(block) = (end - 1).checked_sub(LOOK_BACK)
    {
        places.push(Place { turn: *turn, block });
    }
    places.sort_unstable();
    places
}

/// The blocks of a user's turn; there is at least one.
fn blocks(turn: &Turn<'_>) -> Option<Range<usize>> {
    match turn {
        Turn::User { results, texts } => Some(0..results.len() + texts.len()),
        Turn::Assistant(_) => None,
    }
}
