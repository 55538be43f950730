//! The terminal interface as a person has it: the real program on a real pseudo-terminal, read by a
//! terminal emulator, against the scripted model. Screens are drawn as they are seen.
#![cfg(target_os = "linux")]

#[path = "../cli/ground.rs"]
#[allow(dead_code, reason = "the ground is for all the tests of the program")]
mod ground;

mod drawing;
mod seat;

mod story;
