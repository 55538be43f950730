//! What went wrong with a file, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The kinds of faults that a caller may want to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// No space is left, or a quota is used up.
    DiskFull,
    /// The file system is mounted read-only.
    ReadOnly,
    /// The permissions do not allow it.
    Denied,
    /// It is not there.
    Missing,
    /// It is there already.
    Exists,
    /// Another Planwright has it open.
    InUse,
    /// More than one thing fits.
    Ambiguous,
    /// What stands at the place is not something that may be written (a link, a folder).
    Refused,
    /// Anything else.
    Other,
}

/// A fault for a person to read: what could not be done, where, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError {
    /// The kind.
    pub fault: Fault,
    /// What could not be done: `cannot write the plan`.
    pub what: String,
    /// Where.
    pub path: Option<PathBuf>,
    /// Why, as a clause.
    pub cause: String,
    /// What to do, as a sentence.
    pub hint: String,
}

impl StoreError {
    /// A fault the operating system reported while something was done to `path`. `doing` is a verb
    /// and its object: `write the plan`.
    pub fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        let (fault, cause, hint) = match error.kind() {
            Kind::StorageFull => {
                (Fault::DiskFull, "no space is left on the disk", "Free some space there and try again.")
            }
            Kind::QuotaExceeded => {
                (Fault::DiskFull, "your disk quota is used up", "Free some space there and try again.")
            }
            Kind::ReadOnlyFilesystem => (
                Fault::ReadOnly,
                "the file system is read-only",
                "Mount it writable, or use another folder (PLANWRIGHT_HOME moves settings, sessions and plans).",
            ),
            Kind::PermissionDenied => (
                Fault::Denied,
                "permission denied",
                "Check the owner and the permissions of the file and of its folder.",
            ),
            Kind::NotFound => (Fault::Missing, "there is no such file or folder", "Check the path."),
            Kind::AlreadyExists => (Fault::Exists, "it is there already", "Move it away, or use another name."),
            Kind::IsADirectory => (Fault::Refused, "it is a folder", "Move it away, or use another name."),
            Kind::NotADirectory => (
                Fault::Refused,
                "a part of the path is a file, not a folder",
                "Move that file away, or check the path.",
            ),
            _ => {
                return Self {
                    fault: Fault::Other,
                    what: format!("cannot {doing}"),
                    path: Some(path.to_owned()),
                    cause: error.to_string(),
                    hint: "Check the disk and the path, and try again.".to_owned(),
                };
            }
        };
        Self::new(fault, doing, path, cause, hint)
    }

    pub(crate) fn new(fault: Fault, doing: &str, path: &Path, cause: &str, hint: &str) -> Self {
        Self {
            fault,
            what: format!("cannot {doing}"),
            path: Some(path.to_owned()),
            cause: cause.to_owned(),
            hint: hint.to_owned(),
        }
    }
}

impl StoreError {
    /// What, where and why, without the hint: for those who show the hint by itself.
    pub fn message(&self) -> String {
        let path = self.path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default();
        format!("{}{path}: {}", self.what, self.cause)
    }
}

/// The message and the hint.
impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.message(), self.hint)
    }
}

impl std::error::Error for StoreError {}
