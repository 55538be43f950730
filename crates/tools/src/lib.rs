//! Acts on the user's files, and reads the web, given a permit.
//!
//! | room | holds |
//! | --- | --- |
//! | [`resolve`] | the paths of a call, followed to what they name: the only IO before a verdict |
//! | [`repository`] | what the repository around the project does to `git` commands |
//! | [`Tools`] | runs a call that was permitted, and consumes the permit |
//!
//! Between the verdict and the run a path may come to name something else. [`Tools::run`] resolves
//! the permit's paths again and refuses when anything changed; it then opens files by their real
//! path, following no link at all, and compares what it opened with what was judged.

mod bash;
mod bounded;
mod change;
mod diff;
mod edit;
mod experiment;
mod fetch;
mod glob;
mod grep;
mod guard;
mod notebook;
mod open;
mod outcome;
mod read;
pub mod repository;
pub mod resolve;
mod run;
mod scratch;
mod textfile;
mod walk;
mod write;

pub use bash::BackgroundCommand;
pub use experiment::NotDone;
pub use fetch::Web;
pub use guard::Own;
pub use outcome::{Outcome, ScratchRun, SessionView};
pub use planwright_sandbox::{Cancel, Protection, Tier};
pub use run::{Ready, Tools, seen};
pub use scratch::Held;
