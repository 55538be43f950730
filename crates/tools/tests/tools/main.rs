//! The tools on real files, each call judged before it runs.

mod commands;
mod edits;
mod ground;
mod notebooks;
mod races;
mod reads;
mod resolving;
mod searches;
