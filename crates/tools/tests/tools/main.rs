//! The tools on real files, each call judged before it runs.

#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

mod commands;
mod edits;
mod experiments;
mod ground;
mod notebooks;
mod pages;
mod races;
mod reads;
mod repositories;
mod resolving;
mod searches;
mod server;
