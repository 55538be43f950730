//! What a session is made of: everything that comes from outside, handed in once.

use std::path::PathBuf;
use std::sync::Arc;

use planwright_core::agents::AgentType;
use planwright_core::dialogue::Answer;
use planwright_core::mode::{AutoAccess, Mode};
use planwright_core::rules::Origin;
use planwright_core::settings::{Settings, WorkflowText};
use planwright_model::Model;
use planwright_store::home::Home;
use planwright_store::plans::Plans;
use planwright_tools::Tools;

/// Turns a model's name (`provider:name`, `script:file`) into a model.
pub type ModelMaker = dyn Fn(&str) -> Result<Arc<dyn Model>, String> + Send + Sync;

/// The models of a session.
#[derive(Clone)]
pub struct Models {
    /// The main one.
    pub main: Arc<dyn Model>,
    /// The one used while planning, if another.
    pub plan: Option<Arc<dyn Model>>,
    /// The one of `Explore` agents, if another.
    pub explore: Option<Arc<dyn Model>>,
    /// The one that answers for the rest of a turn when the other gives up, if any.
    pub fallback: Option<Arc<dyn Model>>,
}

/// What a session is made of.
pub struct Setup {
    /// Where files live.
    pub home: Home,
    /// The project root, a real path.
    pub root: PathBuf,
    /// The program's version.
    pub version: &'static str,
    /// Settings in force.
    pub settings: Settings,
    /// Where session rules are relative to.
    pub origin: Origin,
    /// What full notes say of the workflow.
    pub text: WorkflowText,
    /// The types of subagents.
    pub agents: Vec<AgentType>,
    /// Auto mode.
    pub auto: AutoAccess,
    /// Plan files.
    pub plans: Plans,
    /// The tools.
    pub tools: Tools,
    /// Tells plan names of one session from those of another.
    pub seed: u64,
    /// Makes a model from its name, for `/model`.
    pub make_model: Box<ModelMaker>,
    /// The user's editor, by its usual name.
    pub editor: Option<String>,
    /// What is said comes from a program or a pipe, not from a person at this session: words of it do not
    /// take a run out of plan mode.
    pub relayed: bool,
    /// Somebody can answer questions.
    pub can_ask: bool,
    /// The session is driven from a chat channel that cannot carry an approval.
    pub channels: bool,
    /// The disk does not last: plans are kept in the log.
    pub remote: bool,
    /// Requests at most in one turn.
    pub max_requests: Option<u32>,
    /// The project's own instructions to the model.
    pub instructions: Option<String>,
    /// Today's date, for the system prompt.
    pub date: String,
}

/// How a session begins.
pub struct Start {
    /// The mode asked for by flag; wins over what a resumed session was in.
    pub mode: Option<Mode>,
    /// The log lost a line that may have made the mode stricter.
    pub mode_in_doubt: bool,
    /// The answer to the plan that waits, given from outside (`--approve-plan`).
    pub plan_answer: Option<Answer>,
}
