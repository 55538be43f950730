//! What protects the user on this machine, as a session found it out: for its log, and for people.

use serde::{Deserialize, Serialize};

use crate::permit::Walls;

/// What protects the user, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    /// What can be enforced.
    pub tier: Walls,
    /// Why it is not more, as a clause; `None` for the highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the user could do to get more, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// One line per kind of walls that was tried: what came of it.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// The release of the kernel that was tried.
    #[serde(default)]
    pub kernel: String,
}

impl Protection {
    /// Why it is not more, in brackets behind other words.
    pub(crate) fn because(&self) -> String {
        self.reason.as_deref().filter(|why| !why.is_empty()).map(|why| format!(" ({why})")).unwrap_or_default()
    }
}
