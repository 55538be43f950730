//! Starts processes, and confines them. No other crate starts one.
//!
//! | room | holds |
//! | --- | --- |
//! | [`Spec`], [`spawn`] | one command, run to its end: its output, and how it ended |
//! | [`Background`], [`spawn_background`] | one command left running |
//! | [`Server`], [`serve`] | one program that is spoken with |
//! | [`interactive`] | a program that is given the terminal (an editor) |
//! | [`Cancel`] | the wish that something stop |
//! | [`tier`] | what protects the user on this machine |
//!
//! Every command is the leader of a session of its own, so that it has no terminal to ask on. Its
//! standard input is empty, unless somebody speaks with it; its output is a pipe and never a file that it could change. When it ends,
//! is stopped or is given up (the future is dropped), all its processes die with it. Confined
//! commands are held by namespaces; of others, what has left both the process group and the mark in
//! the environment (`env -i setsid …`) escapes.
//!
//! # Confinement
//!
//! A confined command runs in a *box*: this program, started again (see [`boxed_main`], which the
//! program's `main` must call first), builds walls around it and reports how it went. There are no
//! walls that are built in part: if a step fails the command is not run, and never without them.
//! Which walls there can be is found out once, by [`probe`], and goes into each [`Spec`].
//!
//! | tier | [`Confinement::Scratch`] | [`Confinement::ReadOnly`] |
//! | --- | --- | --- |
//! | [`Tier::Scratch`] | namespaces, an overlay on every folder, Landlock, filter | namespaces, everything mounted read-only, Landlock, filter |
//! | [`Tier::ReadOnly`] | not run | Landlock and filter only |
//! | [`Tier::Unenforced`] | not run | not run |
//!
//! Where this program may not make namespaces (an AppArmor profile that only system programs have), the
//! system's bubblewrap makes them and the mounts, if it is root's, 0.11 or newer, and the same attack finds
//! that the walls hold; Landlock and filter are this program's, inside. What differs: a copy that is
//! thrown away has no list of changes, what is in folders that the command has closed to itself is not
//! looked at (both are [`Changes::incomplete`]), and an end of a command waits for the disk. For root the
//! walls do not hold: bubblewrap lends the machine's devices, whose mode root could change.
//!
//! What is known to go through all the same: in a read-only command, a message is taken out of a
//! named pipe by reading it; with Landlock and filter only, times of access change, the agent's own
//! folders ([`Spec::hidden`]) can be read, and a daemon that has shed its mark outlives a box that is
//! itself killed. From any box: what the kernel logs, disk and memory while it runs, and what a
//! network file system does on its server when it is read.
//!
//! A [`ScratchView`] is a scratch copy that is kept from command to command; [`read_in_copy`],
//! [`write_in_copy`] and [`changes_in_copy`] reach into it for the agent's own tools.

mod background;
mod boxed;
mod cancel;
mod changes;
mod copy;
mod environment;
mod group;
mod interactive;
#[cfg(target_os = "linux")]
mod linux;
mod notes;
mod output;
#[cfg_attr(target_os = "linux", path = "linux/platform.rs")]
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
mod platform;
mod policy;
mod probe;
mod remedy;
mod seatbelt;
mod spawn;
mod supervise;
mod tier;
mod view;
mod wire;

pub use background::{Background, Server, serve, spawn_background};
pub use boxed::{boxed_main, close_to_others, set_box};
pub use cancel::Cancel;
pub use changes::{Attribute, Change, ChangeKind, Changes, Kind};
pub use copy::{changes_in_copy, read_in_copy, write_in_copy};
pub use environment::reader_environment;
pub use interactive::interactive;
pub use output::Output;
pub use probe::{Protection, probe};
pub use spawn::{Ended, Ending, Program, Shell, SpawnError, Spec, spawn};
pub use tier::{Confinement, Tier, tier};
pub use view::ScratchView;
