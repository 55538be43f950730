//! The terminal face: a conversation above an input line, and the review desk for plans.
//!
//! | room | holds |
//! | --- | --- |
//! | [`part`] | what the parts have in common |
//! | [`screen`] | the inline screen: frames become bytes |
//! | [`scroll`] | a place in the conversation that can be moved |
//! | [`theme`] | what a role looks like: dark, light, and without colour |
//! | [`transcript`] | everything, on a page |
//! | [`wrap`] | words laid into rows, by grapheme and display width |
//! | [`ask`] | questions in the live area |
//! | [`code`] | code in colours, by grammar |
//! | [`complete`] | what a word may become |
//! | [`conversation`] | what was said and done, and what moves |
//! | [`desk`] | the review desk |
//! | [`diff`] | diffs as rows |
//! | [`editor`] | a text being typed: readline's keys, by grapheme |
//! | [`face`] | the whole: who gets a key, what is seen |
//! | [`frame`] | what is seen, as bytes |
//! | [`input`] | the input line: typing, pasting, history |
//! | [`keys`] | bytes of a terminal as keys, pastes and answers |
//! | [`manners`] | clipboard, notifications, the title |
//! | [`markdown`] | markdown as rows, each with the line of its source |

pub mod ask;
pub mod code;
pub mod complete;
pub mod conversation;
pub mod desk;
pub mod diff;
pub mod editor;
pub mod face;
pub mod frame;
pub mod input;
pub mod keys;
pub mod manners;
pub mod markdown;
pub mod part;
pub mod screen;
pub mod scroll;
pub mod theme;
pub mod transcript;
pub mod wrap;
