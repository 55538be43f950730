//! How a command is confined, and what this machine can enforce.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How a command is to be confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confinement {
    /// Not at all: the work was approved.
    None,
    /// It may only read: the kernel refuses everything else.
    ReadOnly,
    /// In a throw-away view of the machine: it may write anywhere, and nothing of it is real.
    Scratch,
}

/// What protects the user on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Commands can run in a throw-away view, and read-only commands are held to reading.
    Scratch,
    /// Read-only commands are held to reading; there is no throw-away view.
    ReadOnly,
    /// Nothing is enforced by the kernel.
    Unenforced {
        /// Why, as a clause.
        reason: String,
    },
}

/// For people: one line.
impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scratch => f.write_str("sealed"),
            Self::ReadOnly => f.write_str("read-only"),
            Self::Unenforced { reason } => write!(f, "unenforced ({reason})"),
        }
    }
}

/// What protects the user on this machine, as [`crate::probe`] last found it in this program.
pub fn tier() -> Tier {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner).clone();
    found.unwrap_or_else(|| Tier::Unenforced { reason: "it has not been examined yet".to_owned() })
}

/// The system's program that makes the walls, if [`crate::probe`] found that this one may not.
pub(crate) fn bubblewrap() -> Option<PathBuf> {
    BUBBLEWRAP.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// What was found last.
static FOUND: Mutex<Option<Tier>> = Mutex::new(None);
static BUBBLEWRAP: Mutex<Option<PathBuf>> = Mutex::new(None);

pub(crate) fn found(tier: &Tier, bubblewrap: Option<&Path>) {
    *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(tier.clone());
    *BUBBLEWRAP.lock().unwrap_or_else(PoisonError::into_inner) = bubblewrap.map(Path::to_path_buf);
}
