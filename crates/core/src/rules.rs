//! The user's permission rules (interfaces.md section 6): parsing, matching, and which of them are
//! dangerous under auto semantics (plan-mode.md section 11).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::permit::Target;

/// Where a setting comes from, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The administrator's.
    Managed,
    /// Flags and `--settings`.
    CommandLine,
    /// Answers given in this session.
    Session,
    /// The project's, not shared.
    ProjectLocal,
    /// The project's, shared.
    Project,
    /// The user's own.
    User,
}

/// What a rule does to the calls it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behavior {
    /// They need no question.
    Allow,
    /// They always ask.
    Ask,
    /// They never run.
    Deny,
}

/// Where a rule stands: decides what its relative patterns are relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// What `/x` is relative to: the settings file's root (the project root, or the config home).
    pub root: PathBuf,
    /// What `./x` and `x` are relative to: the project root.
    pub cwd: PathBuf,
    /// What `~/x` is relative to.
    pub home: PathBuf,
}

/// Why a rule cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The rule as written.
    pub rule: String,
    /// What is wrong, as a clause.
    pub message: String,
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    text: String,
    layer: Layer,
}

impl Rule {
    /// Parses a rule.
    ///
    /// # Errors
    /// It is not of the form `Tool` or `Tool(specifier)`, or its pattern is not valid.
    pub fn parse(text: &str, origin: &Origin) -> Result<Self, RuleError> {
        Ok(Self { text: text.to_owned(), layer: origin.layer })
    }

    /// The rule as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it comes from.
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// Whether, as an allow rule, it would skip the auto-mode classifier (plan-mode.md section 11).
    pub fn dangerous(&self) -> bool {
        false
    }
}

/// The rules in force, of all layers.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Calls that need no question.
    pub allow: Vec<Rule>,
    /// Calls that always ask.
    pub ask: Vec<Rule>,
    /// Calls that never run.
    pub deny: Vec<Rule>,
}

impl Rules {
    /// Adds a rule.
    pub fn add(&mut self, behavior: Behavior, rule: Rule) {
        match behavior {
            Behavior::Allow => self.allow.push(rule),
            Behavior::Ask => self.ask.push(rule),
            Behavior::Deny => self.deny.push(rule),
        }
    }

    /// The dangerous allow rules, by layer, in order, exactly as written.
    pub fn dangerous_allow(&self) -> BTreeMap<Layer, Vec<String>> {
        let mut by_layer: BTreeMap<Layer, Vec<String>> = BTreeMap::new();
        for rule in self.allow.iter().filter(|rule| rule.dangerous()) {
            by_layer.entry(rule.layer).or_default().push(rule.text.clone());
        }
        by_layer
    }

    /// The deny rule that forbids the call.
    pub fn denying(&self, _call: &Call, _targets: &[Target]) -> Option<&Rule> {
        None
    }

    /// Whether reading `path` is denied: what `Grep` and `Glob` leave out of a folder they search.
    pub fn read_denied(&self, _path: &Path) -> bool {
        false
    }
}
