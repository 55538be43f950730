//! What the store promises, shown on real files, real processes and real full disks.

mod disk;
mod home;
mod log;
mod plans;
mod sessions;
mod settings;
mod stage;
mod trust;
