//! The terminal interface as a person has it: the real program on a real pseudo-terminal, read by a
//! terminal emulator, against the scripted model. Screens are drawn as they are seen (see
//! [`drawing::fits`]); nothing waits for a time, only for what is to be seen.
#![cfg(target_os = "linux")]

#[path = "../cli/ground.rs"]
#[allow(dead_code, reason = "the ground is for all the tests of the program")]
mod ground;

mod drawing;
mod seat;

mod editor;
mod flight;
mod input;
mod leaving;
mod long;
mod looks;
mod modes;
mod plans;
mod sizes;
mod story;
mod tmux;
