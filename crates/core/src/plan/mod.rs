//! The plan: what `/plan` shows, submission and approval (plan-mode.md sections 4, 9.2 and 10).
//!
//! | file | holds |
//! | --- | --- |
//! | `approval` | submitting a plan, the choices of the dialogue, settling an answer |
//! | `handoff` | with what conversation and model the work goes on |
//! | `aside` | questions about a plan that waits, which decide nothing |
//! | `command` | every row of `/plan` |
//! | `review` | comments on lines of a plan, and what they say to the model |
//! | `evidence` | what commands showed in a scratch copy, and how a plan cites it |
//! | `recovery` | getting the plan back from the log |

mod approval;
mod aside;
mod command;
mod evidence;
mod handoff;
mod recovery;
mod review;

pub use approval::{
    Approval, Approving, Chosen, Circumstances, Reply, Settled, Submission, choices, chosen, settle, submit,
};
pub use aside::{Aside, asked_aside};
pub use command::{PlanEffect, plan_command};
pub use evidence::{Citation, Evidence, WouldChange, citations};
pub use handoff::{Context, Handoff};
pub use recovery::recover;
pub use review::{Comment, Remark, apply, feedback};

use sha2::{Digest, Sha256};

/// Hex sha256 of a text: how a submission is named.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What changed between two texts, as a unified diff; `None` if nothing did.
pub fn diff(before: &str, after: &str) -> Option<String> {
    (before != after).then(|| {
        similar::TextDiff::configure()
            .algorithm(similar::Algorithm::Patience)
            .timeout(std::time::Duration::from_millis(500))
            .diff_lines(before, after)
            .unified_diff()
            .context_radius(3)
            .to_string()
    })
}

/// A plan file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnDisk {
    /// There is no plan file.
    Missing,
    /// The text.
    Text(String),
    /// It cannot be read, and why.
    Unreadable(String),
}

impl OnDisk {
    /// The plan, if there is anything to read in it.
    pub fn plan(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !crate::text::blank(text) => Some(text),
            Self::Text(_) | Self::Missing | Self::Unreadable(_) => None,
        }
    }
}
