//! What the store promises, shown on real files, real processes and real full disks.

#![allow(clippy::unwrap_used, reason = "in a test, to fail is to tell")]

mod disk;
mod home;
mod log;
mod plans;
mod sessions;
mod settings;
mod stage;
mod trust;
