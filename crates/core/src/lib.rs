//! Decides. Everything Planwright may do, says and remembers is settled here, in values: this
//! crate reads no file, no clock and no environment, starts no thread and holds no lock.
//!
//! | room | holds |
//! | --- | --- |
//! | [`mode`] | permission modes and every legal move between them |
//! | [`plan`] | the plan: document, revisions, submission and approval |
//! | [`experiment`] | changes tried in the scratch copy while planning |
//! | [`call`] | the tools a model may call; a call parsed into types |
//! | [`page`] | addresses of pages on the web |
//! | [`rules`] | the user's permission rules |
//! | [`permit`] | the gate: judges a call, makes permits |
//! | [`protection`] | what protects the user on this machine |
//! | [`agents`] | types of subagents |
//! | [`attach`] | the notes due to the model |
//! | [`context`] | how much of a model's window the conversation takes; compaction |
//! | [`transcript`] | entries: one fact that happened, as the session log holds it |
//! | [`state`] | the session, a fold over entries |
//! | [`request`], [`reply`] | what a model is asked and answers, whatever the provider |
//! | [`dialogue`] | what a surface may say and hear |
//! | [`command`] | slash commands |
//! | [`settings`] | settings, one table |
//! | [`prompts`] | every sentence the model is shown |
//! | [`say`] | every sentence a person is shown |
//! | [`text`] | encodings of files, and text made safe to show |
//! | [`bounds`] | every limit |

pub mod agents;
pub mod attach;
pub mod bounds;
pub mod call;
pub mod command;
pub mod context;
pub mod dialogue;
pub mod experiment;
pub mod mode;
pub mod page;
pub mod permit;
pub mod plan;
pub mod prompts;
pub mod protection;
pub mod reply;
pub mod request;
pub mod rules;
pub mod say;
pub mod settings;
pub mod state;
pub mod text;
pub mod transcript;
