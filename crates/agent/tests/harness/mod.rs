//! Plays screenplays with the real session: real tools, log, plans and settings in a temporary
//! folder, and a scripted model. The format is `stories/README.md`.
//!
//! | file | holds |
//! | --- | --- |
//! | `screenplay` | a story, parsed |
//! | `line` | the short forms of a line: a model's turn, texts with escapes |
//! | `world` | the folder a story is played in, and the sessions in it |
//! | `files` | the files and pipes of a story, and what the log says |
//! | `recorded` | a model that keeps what it was asked |
//! | `play` | does what a story says, one line after the other |
//! | `answers` | an `answer>` line as the answer to an open question |
//! | `events` | what a session says, as lines of a story |
//! | `compare` | the lines of a story against what was heard |
//! | `checks` | `then` lines |
//! | `laws` | what holds in every story |
//! | `economy` | how much of each request the one before it had sent already |
//! | `prefixes` | every beginning of a log, resumed |

#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

mod answers;
mod checks;
mod compare;
mod economy;
mod events;
mod files;
mod laws;
mod line;
mod play;
mod prefixes;
mod recorded;
mod screenplay;
mod world;

pub use economy::{Sent, sent};
pub use play::{play, play_and_keep};
pub use prefixes::resume_everywhere;
pub use world::Ground;
