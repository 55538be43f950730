//! Faces people and programs. A face turns [`planwright_core::dialogue::Notice`]s into what is shown
//! and what is typed into [`planwright_core::dialogue::Input`]s; it decides nothing and does no IO.
//!
//! | room | faces |
//! | --- | --- |
//! | [`mod@line`] | a person or a pipe, line by line |
//! | [`mod@print`] | a program that runs `planwright -p` |
//! | [`mod@stream`] | a program that drives a session over lines of JSON |
//!
//! [`mod@run`] is what the two for programs share: what a run came to.

pub mod line;
pub mod print;
pub mod run;
pub mod stream;
pub mod tui;
mod words;
