//! Linux: namespaces, overlays, Landlock, and a system call filter.

mod attack;
mod attributes;
pub(crate) mod bubblewrap;
mod caps;
mod command;
mod failure;
mod filter;
mod filter_table;
mod handover;
mod init;
mod landlock;
pub(crate) mod main;
mod mounts;
pub(crate) mod refresh;
mod space;
pub(crate) mod sys;
pub(crate) mod table;
mod walk;
