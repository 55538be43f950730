//! Experiments: changes that the model tries in the scratch copy while it plans (`plan.experiments`),
//! what is shown of them for approval, and what was applied.
//!
//! The real files stay as they are until the user approves the plan *and* the experiment. Only what
//! the file tools changed is ever applied; what commands left behind in the copy is listed beside it.
//! The copy lives as long as the process: an experiment that is still there when a session is opened
//! again is gone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::bounds;
use crate::mode::Permissions;
use crate::say;
use crate::text::{self, Encoding};

/// Whether changes may be tried now, where there can be a scratch copy: `wanted` is the setting. Only
/// while planning, and only by the main thread.
pub fn open(permissions: &Permissions, wanted: bool, sub_agent: bool) -> bool {
    wanted && !sub_agent && permissions.planning()
}

/// A file that was edited in the scratch copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The real path.
    pub path: PathBuf,
    /// Hex sha256 of the real file when it was first edited in the copy; `None`: there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Hex sha256 of the file as it is in the copy.
    pub sha256: String,
}

/// The files of an experiment, by real path.
pub type Drafts = BTreeMap<PathBuf, Draft>;

/// A text file's whole content, from which its bytes can be made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Its text.
    pub text: String,
    /// How it is stored.
    #[serde(default)]
    pub encoding: Encoding,
}

impl Content {
    /// The content of these bytes; `None` if they are no text that could be written back unchanged.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let decoded = text::decode(bytes);
        let content = Self { text: decoded.text, encoding: decoded.encoding };
        (!decoded.lossy && !content.text.contains('\0') && content.bytes() == bytes).then_some(content)
    }

    /// The bytes it stands for.
    pub fn bytes(&self) -> Vec<u8> {
        text::encode(&self.text, self.encoding)
    }

    /// Hex sha256 of the bytes.
    pub fn sha256(&self) -> String {
        Sha256::digest(self.bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A file that would be changed by applying an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The real path.
    pub path: PathBuf,
    /// The real file; `None`: there is none.
    pub before: Option<Content>,
    /// The file as it is in the copy.
    pub after: Content,
}

impl Proposed {
    /// The change as a unified diff.
    fn diff(&self) -> String {
        let before = self.before.as_ref().map(|content| content.text.as_str()).unwrap_or_default();
        let path = self.path.display();
        let head = if self.before.is_some() { format!("--- {path}") } else { "--- (new file)".to_owned() };
        let body = crate::plan::diff(before, &self.after.text).unwrap_or_default();
        format!("{head}\n+++ {path}\n{body}")
    }
}

/// All that an experiment comes to: read from the copy once, shown, and applied as it was shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// What would be changed, in order of path.
    pub files: Vec<Proposed>,
    /// What commands changed in the copy beside it, each in a line. None of it is applied.
    pub others: Vec<String>,
    /// Why it cannot be applied, if it cannot.
    pub trouble: Option<String>,
}

impl Proposal {
    /// What the plan dialogue shows of it; `None` if there is nothing to show.
    pub fn shown(&self) -> Option<Shown> {
        if self.files.is_empty() && self.trouble.is_none() {
            return None;
        }
        let diff: String = self.files.iter().map(Proposed::diff).collect();
        let kept: usize = self
            .files
            .iter()
            .flat_map(|file| file.before.iter().chain([&file.after]))
            .map(|content| content.text.len())
            .sum();
        let trouble = match &self.trouble {
            Some(trouble) => Some(trouble.clone()),
            None if diff.len() > bounds::EXPERIMENT_SHOWN_BYTES => Some(format!(
                "its diff has {} bytes, and what cannot be shown whole (up to {}) is not applied",
                diff.len(),
                bounds::EXPERIMENT_SHOWN_BYTES
            )),
            None if kept > bounds::EXPERIMENT_BYTES => Some(format!(
                "its files take {kept} bytes, more than the {} that are kept to undo it",
                bounds::EXPERIMENT_BYTES
            )),
            None => None,
        };
        let cut = diff.floor_char_boundary(bounds::EXPERIMENT_SHOWN_BYTES);
        Some(Shown { diff: diff[..cut].to_owned(), others: self.others.clone(), trouble })
    }

    /// The fact that it is applied; `folders` are those that have to be made for it.
    pub fn applied(&self, folders: Vec<PathBuf>) -> Applied {
        let file = |file: &Proposed| AppliedFile {
            path: file.path.clone(),
            before: file.before.clone(),
            sha256: file.after.sha256(),
        };
        Applied { files: self.files.iter().map(file).collect(), folders }
    }
}

/// An experiment as the plan dialogue shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What would be changed, as unified diffs: whole, unless there is `trouble`.
    pub diff: String,
    /// What commands changed in the copy beside it, which is not applied.
    pub others: Vec<String>,
    /// Why it cannot be applied; `None`: it can.
    pub trouble: Option<String>,
}

/// What was applied, with all that is needed to take it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// The files.
    pub files: Vec<AppliedFile>,
    /// The folders that were made for them, outer ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<PathBuf>,
}

/// A file that was changed by applying an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedFile {
    /// The real path.
    pub path: PathBuf,
    /// The file before; `None`: there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Content>,
    /// Hex sha256 of the file after.
    pub sha256: String,
}

/// How a session stands with experiments: a projection of its log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Experiment {
    drafts: Arc<Drafts>,
    gone: Vec<PathBuf>,
    due: bool,
    applied: Option<Applied>,
    /// What came of applying it is not in the log.
    applying: bool,
}

impl Experiment {
    /// The files that the model edited in the scratch copy in this stay in plan mode.
    pub const fn drafts(&self) -> &Arc<Drafts> {
        &self.drafts
    }
    /// Files that were edited in a copy that is gone, of which the model was not told yet.
    pub fn gone(&self) -> &[PathBuf] {
        &self.gone
    }
    /// It was approved to be applied, and that neither happened nor was given up.
    pub const fn due(&self) -> bool {
        self.due
    }

    /// What was being applied when the log ends: none of its files, some or all may be changed.
    pub const fn cut_off(&self) -> Option<&Applied> {
        if self.applying { self.applied.as_ref() } else { None }
    }

    /// What `/undo` takes back.
    ///
    /// # Errors
    /// Nothing now; the words are for the user.
    pub fn to_undo(&self, permissions: &Permissions) -> Result<&Applied, &'static str> {
        match &self.applied {
            None => Err(say::NOTHING_TO_UNDO),
            Some(_) if permissions.planning() => Err(say::UNDO_WHILE_PLANNING),
            Some(applied) => Ok(applied),
        }
    }

    /// Files were edited in the copy.
    pub(crate) fn edited(&mut self, files: &[Draft]) {
        Arc::make_mut(&mut self.drafts).extend(files.iter().map(|draft| (draft.path.clone(), draft.clone())));
    }
    /// It was approved, to be applied.
    pub(crate) const fn approved(&mut self) {
        self.due = true;
    }
    /// The copy is gone, with all that was in it.
    pub(crate) fn copy_gone(&mut self) {
        self.gone.extend(std::mem::take(&mut self.drafts).keys().cloned());
    }
    /// It is not applied, and never will be.
    pub(crate) fn dropped(&mut self) {
        self.copy_gone();
        self.due = false;
    }
    /// It is applied.
    pub(crate) fn applies(&mut self, applied: &Applied) {
        self.due = false;
        self.gone.retain(|path| !applied.files.iter().any(|file| file.path == *path));
        self.applied = Some(applied.clone());
        self.applying = true;
    }
    /// What came of the call that applied it is known.
    pub(crate) const fn settled(&mut self) {
        self.applying = false;
    }
    /// What was applied is taken back.
    pub(crate) fn undone(&mut self) {
        self.applied = None;
        self.applying = false;
    }
    /// The model knows what is gone.
    pub(crate) fn told(&mut self) {
        self.gone.clear();
    }
    /// The conversation is gone. What was applied stays applied, and can still be taken back.
    pub(crate) fn cleared(&mut self) {
        *self = Self { applied: self.applied.take(), ..Self::default() };
    }
}

/// Names in a list for people: at most [`bounds::SHOWN_CANDIDATES`], and how many more there are.
pub fn named<'p>(paths: impl IntoIterator<Item = &'p Path>) -> String {
    let names: Vec<_> = paths.into_iter().map(|path| path.display().to_string()).collect();
    let more = names.len().saturating_sub(bounds::SHOWN_CANDIDATES);
    let shown = names[..names.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
