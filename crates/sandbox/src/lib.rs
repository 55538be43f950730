//! Starts processes, and confines them. No other crate starts one.
//!
//! | room | holds |
//! | --- | --- |
//! | [`Spec`], [`spawn`] | one command, run to its end: its output, and how it ended |
//! | [`Background`], [`spawn_background`] | one command left running |
//! | [`interactive`] | a program that is given the terminal (an editor) |
//! | [`Cancel`] | the wish that something stop |
//! | [`tier`] | what protects the user on this machine |
//!
//! Every command is the leader of a process group of its own, and of a session of its own where the
//! `setsid` program is installed, so that it has no terminal to ask on. Its standard input is empty;
//! its output is a pipe and never a file that it could change. When it ends, is stopped or is given
//! up (the future is dropped), the group dies with it; when it is stopped or given up, so does
//! everything that left the group but still carries its mark in the environment. What has escaped
//! from both (`env -i setsid …`) can only be held by a process namespace, which
//! [`Confinement`] does not give yet.

mod background;
mod cancel;
mod environment;
mod group;
mod interactive;
mod output;
mod spawn;
mod tier;

pub use background::{Background, spawn_background};
pub use cancel::Cancel;
pub use interactive::interactive;
pub use output::Output;
pub use spawn::{Ended, Ending, Program, Shell, SpawnError, Spec, spawn};
pub use tier::{Confinement, Tier, tier};
