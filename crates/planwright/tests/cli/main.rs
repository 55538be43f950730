//! The command, as people and scripts use it (interfaces.md sections 1, 2 and 4). Each test runs the
//! program on ground of its own.

#[allow(dead_code, reason = "the ground is for all the tests of the program")]
mod ground;

mod check;
mod line;
mod plan;
mod print;
mod provider;
mod session;
mod stream;
