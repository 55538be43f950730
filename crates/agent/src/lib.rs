//! Runs the loop: asks the model, has its calls judged, runs what is permitted, and writes down
//! every fact before it takes effect.
//!
//! | file | holds |
//! | --- | --- |
//! | `setup` | what a session is made of, handed in by the binary |
//! | `thread` | one conversation: state, log, and the wires to the outside |
//! | `turn` | from a person's message to the model's last word |
//! | `trouble` | what follows when no whole answer came |
//! | `account` | tokens, dollars and models: `/context`, `/cost`, `/model` |
//! | `batch` | the tool calls of one answer |
//! | `aside` | questions about a plan that waits |
//! | `handoff` | with what conversation and model the work by a plan begins |
//! | `permission` | the verdict on one call, hooks and the user asked |
//! | `planning` | `EnterPlanMode`, `ExitPlanMode` and the plan dialogue |
//! | `compact` | the conversation becomes a summary, when asked to and when it is due |
//! | `protect` | what protects the user here, and what commands showed in scratch copies |
//! | `experiment` | what was tried in the scratch copy: shown, applied, taken back |
//! | `child` | subagents |
//! | `session` | what a person types, outside turns |
//! | `reopen` | resume, fork, clear and the recovery of plans |
//! | `report` | what `/status`, `/help` and the like say |
//!
//! The main thread and every subagent are the same `thread::Thread`; there is no second loop.

mod account;
mod aside;
mod batch;
mod child;
mod compact;
mod experiment;
mod handoff;
mod permission;
mod planning;
mod protect;
mod reopen;
mod report;
mod session;
mod setup;
mod thread;
mod trouble;
mod turn;

pub use report::session as session_row;
pub use session::{Ended, Session};
pub use setup::{ModelMaker, Models, Setup, Start};
