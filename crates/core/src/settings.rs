//! Settings: the values in force, and the one table that reads, checks and documents them
//! (interfaces.md section 6). Reading files is the store's; this room only knows values.

use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mode::Mode;
use crate::page::PrivateHost;
use crate::rules::Rules;

/// Which workflow a full note describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Workflow {
    /// Five phases.
    #[default]
    Phases,
    /// Pair planning.
    Interview,
}

/// How long a plan should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanLength {
    /// The control.
    #[default]
    Full,
    /// Lighter.
    Trim,
    /// Little background.
    Cut,
    /// A hard limit of [`crate::bounds::PLAN_CAP_LINES`] lines.
    Cap,
}

/// When the model should enter plan mode by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Eagerness {
    /// For anything but small, clear work.
    #[default]
    Eager,
    /// Only when the approach is really unclear.
    Reserved,
}

/// What happens while planning to a command that is neither known to read nor known to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanCommands {
    /// The user is asked.
    #[default]
    Ask,
    /// It runs in a scratch copy.
    Scratch,
    /// It is refused.
    Deny,
}

/// What kind of account pays; only the number of `Plan` agents depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccountTier {
    /// A free account.
    Free,
    /// A personal account.
    Pro,
    /// A large personal account.
    Max,
    /// A team's account.
    Team,
    /// A company's account.
    Enterprise,
}

/// How often a plan note is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reminders {
    /// Human turns between two notes.
    pub turns: u32,
    /// Every how many notes one is full.
    pub full_every: u32,
    /// Requests between two notes in a long tool loop; 0 = none.
    pub requests: u32,
}

impl Default for Reminders {
    fn default() -> Self {
        Self { turns: 5, full_every: 5, requests: 0 }
    }
}

/// All that the workflow text of a full note depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WorkflowText {
    /// Which workflow.
    pub workflow: Workflow,
    /// The length variant of the phase that writes the plan.
    pub length: PlanLength,
    /// `Explore` agents at most in parallel (N1).
    pub explore_agents: u8,
    /// `Plan` agents at most (N2).
    pub plan_agents: u8,
    /// Changes can be tried in the scratch copy (`plan.experiments`, where there is one).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub experiments: bool,
}

/// The `plan` settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanSettings {
    /// `plan.workflow`
    pub workflow: Workflow,
    /// `plan.length`
    pub length: PlanLength,
    /// `plan.eagerness`
    pub eagerness: Eagerness,
    /// `plan.commands`
    pub commands: PlanCommands,
    /// `plan.required`: approving without a plan is not possible.
    pub required: bool,
    /// `plan.confirmEnter`: the user is asked before the model enters plan mode.
    pub confirm_enter: bool,
    /// `plan.useAutoMode`
    pub use_auto_mode: bool,
    /// `plan.planAgents`, 1 to 10.
    pub plan_agents: Option<u8>,
    /// `plan.experiments`: while planning, files may be edited in the scratch copy.
    pub experiments: bool,
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            workflow: Workflow::default(),
            length: PlanLength::default(),
            eagerness: Eagerness::default(),
            commands: PlanCommands::default(),
            required: true,
            confirm_enter: true,
            use_auto_mode: true,
            plan_agents: None,
            experiments: false,
        }
    }
}

/// `compact`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactSettings {
    /// `compact.auto`: a conversation that fills the model's window is compacted by itself.
    pub auto: bool,
}

impl Default for CompactSettings {
    fn default() -> Self {
        Self { auto: true }
    }
}

/// The settings in force: all layers joined.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The permission rules of all layers.
    pub rules: Rules,
    /// `permissions.defaultMode`
    pub default_mode: Mode,
    /// `permissions.additionalDirectories`, absolute.
    pub additional_directories: Vec<PathBuf>,
    /// `plansDirectory` as written, with the layer it came from.
    pub plans_directory: Option<String>,
    /// `plan`
    pub plan: PlanSettings,
    /// `plan.readOnlyCommands`: the user's own read-only commands, never from a project's files
    /// unless the folder is trusted.
    pub read_only_commands: Vec<String>,
    /// `reminders`
    pub reminders: Reminders,
    /// `model`
    pub model: Option<String>,
    /// `planModel`
    pub plan_model: Option<String>,
    /// `exploreModel`
    pub explore_model: Option<String>,
    /// `fallbackModel`
    pub fallback_model: Option<String>,
    /// `compact.auto`
    pub compact: CompactSettings,
    /// `accountTier`
    pub account_tier: Option<AccountTier>,
    /// `webFetch.allowPrivateHosts`: hosts of the user's own network that `WebFetch` may reach.
    pub private_hosts: Vec<PrivateHost>,
    /// `autoMode.optIn`: the user wants auto mode; only from user or managed settings.
    pub auto_opt_in: bool,
}

/// The environment variables that settings depend on, read once by the binary.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `PLANWRIGHT_EXPLORE_AGENTS`
    pub explore_agents: Option<String>,
    /// `PLANWRIGHT_PLAN_AGENTS`
    pub plan_agents: Option<String>,
    /// `PLANWRIGHT_INTERVIEW`
    pub interview: Option<String>,
}

impl Settings {
    /// What the workflow text depends on (plan-mode.md section 8): N1, N2, workflow and length.
    pub fn workflow_text(&self, environment: &Environment) -> WorkflowText {
        let agents = |text: &Option<String>| {
            text.as_deref().and_then(|n| n.trim().parse::<u8>().ok()).filter(|n| (1..=10).contains(n))
        };
        let tier = match self.account_tier {
            Some(AccountTier::Max | AccountTier::Team | AccountTier::Enterprise) => 3,
            Some(AccountTier::Free | AccountTier::Pro) | None => 1,
        };
        let workflow = match environment.interview.as_deref() {
            Some("1") => Workflow::Interview,
            Some("0") => Workflow::Phases,
            _ => self.plan.workflow,
        };
        WorkflowText {
            workflow,
            length: self.plan.length,
            explore_agents: agents(&environment.explore_agents).unwrap_or(3),
            plan_agents: agents(&environment.plan_agents).or(self.plan.plan_agents).unwrap_or(tier),
            experiments: self.plan.experiments,
        }
    }
}

/// What kind of value a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`
    Bool,
    /// A whole number in a range.
    Number(u32, u32),
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of texts; lists of all layers are joined.
    Texts,
    /// An object whose keys are not ours to check.
    Open,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => write!(f, "true or false"),
            Self::Number(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Text => write!(f, "a string"),
            Self::Word(words) => {
                write!(f, "one of {}", words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", "))
            }
            Self::Texts => write!(f, "a list of strings"),
            Self::Open => write!(f, "an object"),
        }
    }
}

/// Who may set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Any layer.
    Any,
    /// In a project's files it counts only once the user has trusted the folder.
    TrustedFolder,
    /// Never from a project's files: it would let a repository loosen its own guard.
    NotProject,
}

/// One setting: the table that checks, applies and documents.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Dotted path.
    pub path: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Who may set it.
    pub trust: Trust,
    /// The value in force when nothing is set, as JSON.
    pub default: &'static str,
    /// What it is for, one line.
    pub doc: &'static str,
}

const MODES: &[&str] = &["default", "acceptEdits", "plan", "auto", "bypassPermissions"];

const fn key(path: &'static str, kind: Kind, trust: Trust, default: &'static str, doc: &'static str) -> Key {
    Key { path, kind, trust, default, doc }
}

/// Every setting.
pub const KEYS: &[Key] = &[
    key("permissions.allow", Kind::Texts, Trust::TrustedFolder, "[]", "rules for calls that need no question"),
    key("permissions.deny", Kind::Texts, Trust::Any, "[]", "rules for calls that never run"),
    key("permissions.ask", Kind::Texts, Trust::Any, "[]", "rules for calls that always ask"),
    key(
        "permissions.defaultMode",
        Kind::Word(MODES),
        Trust::Any,
        "\"default\"",
        "the mode a session starts in; from a project's files only `default` and `plan` count",
    ),
    key(
        "permissions.additionalDirectories",
        Kind::Texts,
        Trust::TrustedFolder,
        "[]",
        "folders that count as part of the project",
    ),
    key(
        "plansDirectory",
        Kind::Text,
        Trust::Any,
        "\"plans\"",
        "where plan files go: the project root or a folder inside it; unset = the config home's plans",
    ),
    key(
        "plan.workflow",
        Kind::Word(&["phases", "interview"]),
        Trust::Any,
        "\"phases\"",
        "five phases, or pair planning by questions",
    ),
    key(
        "plan.length",
        Kind::Word(&["full", "trim", "cut", "cap"]),
        Trust::Any,
        "\"full\"",
        "how long a plan should be; cap = at most 40 lines, checked",
    ),
    key(
        "plan.eagerness",
        Kind::Word(&["eager", "reserved"]),
        Trust::Any,
        "\"eager\"",
        "when the model should enter plan mode by itself",
    ),
    key(
        "plan.commands",
        Kind::Word(&["ask", "scratch", "deny"]),
        Trust::Any,
        "\"ask\"",
        "what happens while planning to a command not known to read only",
    ),
    key("plan.required", Kind::Bool, Trust::Any, "true", "leaving by ExitPlanMode needs a written plan"),
    key("plan.confirmEnter", Kind::Bool, Trust::Any, "true", "ask before the model enters plan mode"),
    key(
        "plan.useAutoMode",
        Kind::Bool,
        Trust::Any,
        "true",
        "use auto mode's judgement while planning, where auto mode is available",
    ),
    key(
        "plan.experiments",
        Kind::Bool,
        Trust::TrustedFolder,
        "false",
        "while planning, try changes in the scratch copy; they can be applied with the approval",
    ),
    key("plan.planAgents", Kind::Number(1, 10), Trust::Any, "null", "how many Plan agents at most"),
    key(
        "plan.readOnlyCommands",
        Kind::Texts,
        Trust::TrustedFolder,
        "[]",
        "your own commands that only read: exact, or a prefix ending in *",
    ),
    key("reminders.turns", Kind::Number(1, 1000), Trust::Any, "5", "human turns between two plan notes"),
    key("reminders.fullEvery", Kind::Number(1, 1000), Trust::Any, "5", "every how many plan notes one is full"),
    key(
        "reminders.requests",
        Kind::Number(0, 100_000),
        Trust::Any,
        "0",
        "requests between two plan notes in a long tool loop; 0 = none",
    ),
    key(
        "webFetch.allowPrivateHosts",
        Kind::Texts,
        Trust::TrustedFolder,
        "[]",
        "hosts of your own network that WebFetch may reach, as `localhost:3000`",
    ),
    key("autoMode.optIn", Kind::Bool, Trust::NotProject, "false", "auto mode may be used"),
    key("model", Kind::Text, Trust::Any, "null", "the model: provider:name, or script:file"),
    key("planModel", Kind::Text, Trust::Any, "null", "the model while planning"),
    key("exploreModel", Kind::Text, Trust::Any, "null", "the model of Explore agents"),
    key(
        "fallbackModel",
        Kind::Text,
        Trust::Any,
        "null",
        "the model for the rest of a turn when the other one gives up",
    ),
    key(
        "compact.auto",
        Kind::Bool,
        Trust::Any,
        "true",
        "summarize a conversation before it outgrows the model's window",
    ),
    key(
        "accountTier",
        Kind::Word(&["free", "pro", "max", "team", "enterprise"]),
        Trust::Any,
        "null",
        "the kind of account; decides how many Plan agents",
    ),
    key("hooks", Kind::Open, Trust::TrustedFolder, "{}", "programs to run at events"),
    key("mcpServers", Kind::Open, Trust::TrustedFolder, "{}", "tool servers"),
];
