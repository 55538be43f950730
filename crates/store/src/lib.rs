//! Remembers. This crate alone knows where files live; it owns durability, and the danger of other
//! writers.
//!
//! | room | holds |
//! | --- | --- |
//! | [`home`] | the config home: what lies where in it |
//! | [`history`] | what was typed in a project |
//! | [`atomic`] | a file replaced as a whole, or not at all |
//! | [`place`] | real paths, also of files that are not there yet |
//! | [`log`] | session logs: one writer, whole lines, written before they take effect |
//! | [`sessions`] | finding, listing, exporting and removing sessions |
//! | [`plans`] | plan files and their names |
//! | [`settings`] | settings files, layer by layer |
//! | [`trust`] | the folders the user trusts |
//! | [`error`] | what went wrong with a file, and what to do about it |

pub mod agents;
pub mod atomic;
pub mod error;
pub mod history;
pub mod home;
mod lines;
pub mod log;
pub mod place;
pub mod plans;
pub mod sessions;
pub mod settings;
pub mod trust;
mod words;

pub use error::{Fault, StoreError};
pub use home::Home;
