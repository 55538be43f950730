//! What goes into a tool besides the call, and what comes out.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::experiment::{Draft, Drafts};
use planwright_core::plan::WouldChange;
use planwright_core::transcript::Seen;

use crate::textfile;

/// What a tool must know of the session. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct SessionView {
    /// Hex sha256 of each file as the model last saw it, by real path.
    pub seen: Arc<HashMap<PathBuf, String>>,
    /// The files that this session edited in its scratch copy; `None`: it makes no experiments now.
    pub experiment: Option<Arc<Drafts>>,
    /// The session does not plan: a command in a scratch copy gets one of its own, for once.
    pub one_off: bool,
    /// The real path of the plan file: it is kept private, and survives a power cut.
    pub plan_file: Option<PathBuf>,
}

/// What a call came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What the model reads; at most [`planwright_core::bounds::RESULT_BYTES`] long.
    pub content: String,
    /// The call failed.
    pub is_error: bool,
    /// Files whose whole content is what the model now knows.
    pub seen: Vec<Seen>,
    /// What changed in a file, as a unified diff for the user.
    pub diff: Option<String>,
    /// Files that were edited in the scratch copy, and not for real.
    pub drafts: Vec<Draft>,
    /// Of a command that ran in a scratch copy, what a plan can cite.
    pub scratch: Option<ScratchRun>,
}

/// What is kept of a command that ran in a scratch copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScratchRun {
    /// The exit code; `None` if it did not end by itself.
    pub exit_code: Option<i32>,
    /// How much it would have changed.
    pub would_change: WouldChange,
    /// Hex digest of what it printed, as far as that was kept.
    pub sha256: String,
}

impl Outcome {
    /// A success that only has something to say.
    pub(crate) fn text(content: String) -> Self {
        Self { content, ..Self::default() }
    }

    /// A failure, in words the model can act on.
    pub(crate) fn error(content: impl Into<String>) -> Self {
        Self { content: content.into(), is_error: true, ..Self::default() }
    }
}

/// The entry that says the model knows a file's content.
pub(crate) fn seen(path: &Path, bytes: &[u8]) -> Seen {
    Seen { path: path.to_path_buf(), sha256: textfile::sha256(bytes) }
}
