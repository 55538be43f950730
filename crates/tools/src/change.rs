//! A change of one file, worked out and not yet made: what it would look like, and making it.

use planwright_core::call::Call;
use planwright_core::permit::{Target, TargetKind};
use planwright_core::text::{self, Encoding};
use planwright_store::atomic::{self, Durability, NewFile};

use crate::outcome::{Outcome, SessionView, seen};
use crate::{diff, edit, notebook, open, textfile, write};

/// A file's text before and after.
pub(crate) struct Change {
    /// The text now; `None` if there is no file.
    pub(crate) old: Option<String>,
    /// The text to be.
    pub(crate) new: String,
    /// How it is stored.
    pub(crate) encoding: Encoding,
    /// What the model is told when it is done.
    pub(crate) done: String,
}

/// Where a file's bytes come from.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// The real file.
    Disk,
    /// The file as the scratch copy has it; `None`: it has none.
    Copy(Option<&'a [u8]>),
}

impl Source<'_> {
    /// Whether there is anything at the path.
    pub(crate) fn is_there(self, target: &Target) -> bool {
        match self {
            Self::Disk => target.kind != TargetKind::Missing,
            Self::Copy(bytes) => bytes.is_some(),
        }
    }

    /// # Errors
    /// It cannot be read.
    pub(crate) fn bytes(self, target: &Target) -> Result<Vec<u8>, String> {
        match self {
            Self::Disk => open::bytes(target),
            Self::Copy(Some(bytes)) => Ok(bytes.to_vec()),
            Self::Copy(None) if target.kind == TargetKind::Missing => open::bytes(target),
            Self::Copy(None) => Err(format!("{} is not there in the scratch copy.", target.named)),
        }
    }
}

/// Whether the model must know the file before it may change it.
#[derive(Clone, Copy)]
pub(crate) enum ReadFirst<'a> {
    /// It must, as this session has it.
    Yes(&'a SessionView),
    /// It need not: the change is only shown to the user.
    No,
}

impl ReadFirst<'_> {
    /// # Errors
    /// The model does not know the file as it is.
    pub(crate) fn check(self, target: &Target, bytes: &[u8]) -> Result<(), String> {
        match self {
            Self::Yes(view) => textfile::known(view, target, bytes),
            Self::No => Ok(()),
        }
    }
}

/// Works out the change that a call asks for; `None` if the call changes no file.
///
/// # Errors
/// It cannot be made.
pub(crate) fn of(
    call: &Call,
    target: &Target,
    source: Source<'_>,
    read_first: ReadFirst<'_>,
) -> Result<Option<Change>, String> {
    match call {
        Call::Write(call) => write::change(call, target, source, read_first).map(Some),
        Call::Edit(call) => edit::change(call, target, source, read_first).map(Some),
        Call::NotebookEdit(call) => notebook::change(call, target, source, read_first).map(Some),
        Call::Read(_)
        | Call::Glob(_)
        | Call::Grep(_)
        | Call::Bash(_)
        | Call::Agent(_)
        | Call::AskUserQuestion(_)
        | Call::TodoWrite(_)
        | Call::EnterPlanMode
        | Call::ExitPlanMode
        | Call::WebFetch(_)
        | Call::Mcp(_) => Ok(None),
    }
}

impl Change {
    /// The change as a unified diff.
    pub(crate) fn diff(&self, target: &Target) -> String {
        diff::unified(&target.named, self.old.as_deref().unwrap_or_default(), &self.new)
    }

    /// The file's bytes after it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        text::encode(&self.new, self.encoding)
    }

    /// Makes it, and the folders the file needs.
    ///
    /// # Errors
    /// The system refuses; the file is as it was.
    pub(crate) fn make(self, target: &Target, view: &SessionView) -> Result<Outcome, String> {
        let bytes = self.bytes();
        let names_folder = target.named.ends_with('/') || target.named.ends_with("/.");
        let (Some(parent), Some(name), false) = (target.real.parent(), target.real.file_name(), names_folder) else {
            return Err(format!("{} names a folder, not a file.", target.named));
        };
        let folder = open::folder(parent).map_err(|error| {
            format!("{} cannot be written: the folder {}: {error}.", target.named, parent.display())
        })?;
        let (new, durability) = if view.plan_file.as_ref() == Some(&target.real) {
            (NewFile::Private, Durability::Synced)
        } else {
            (NewFile::Shared, Durability::Cached)
        };
        atomic::write(&folder.pinned.join(name), &bytes, new, durability).map_err(|error| {
            let pinned = folder.pinned.display().to_string();
            error.to_string().replace(&pinned, &folder.real.display().to_string())
        })?;
        Ok(Outcome {
            diff: Some(self.diff(target)),
            content: self.done,
            is_error: false,
            seen: vec![seen(&target.real, &bytes)],
            scratch: None,
            drafts: Vec::new(),
        })
    }
}
