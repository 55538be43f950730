//! The hand-off: with what conversation and model the work goes on once a plan is approved
//! (plan-mode.md section 10).

use serde::{Deserialize, Serialize};

/// What becomes of the conversation that led to an approved plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Context {
    /// It goes on as it is.
    #[default]
    Keep,
    /// It is replaced by a summary; the plan travels along.
    Compact,
    /// The work begins from the approved plan alone.
    Fresh,
}

impl Context {
    /// All of them, in the order of the key that goes through them.
    pub const ALL: [Self; 3] = [Self::Keep, Self::Compact, Self::Fresh];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Compact => "compact",
            Self::Fresh => "fresh",
        }
    }

    /// The next one, round and round.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Keep => Self::Compact,
            Self::Compact => Self::Fresh,
            Self::Fresh => Self::Keep,
        }
    }
}

/// How the work is handed over with an approval.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Handoff {
    /// What becomes of the conversation.
    #[serde(default)]
    pub context: Context,
    /// The model that does the work, by its name; `None` = the one it would be anyway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Handoff {
    /// Nothing is other than without it.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}
