//! What holds commands: the walls this machine can build, and the scratch copy of a plan session.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use planwright_sandbox::{Protection, ScratchView, Spec, Tier, probe};
use tokio::sync::OnceCell;

/// The agent's own places, which commands are not to see or to fill.
#[derive(Clone, Debug)]
pub struct Own {
    /// Folders that a confined command does not see: the config home.
    pub hidden: Vec<PathBuf>,
    /// The file that remembers what this machine can enforce.
    pub cache: PathBuf,
    /// The folder in which scratch copies are kept.
    pub scratch: PathBuf,
    /// Variables that no command is given: the keys of models, which a command could print.
    pub secrets: Vec<&'static str>,
}

/// The guard of one session. What the machine can enforce is found out when the first command needs it.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    own: Option<Own>,
    found: OnceCell<Protection>,
    view: Mutex<Option<ScratchView>>,
}

impl Guard {
    pub(crate) fn new(own: Own) -> Self {
        Self { own: Some(own), ..Self::default() }
    }

    /// What protects the user here.
    pub(crate) async fn protection(&self, root: &Path) -> &Protection {
        self.found
            .get_or_init(|| async {
                let Some(own) = &self.own else { return probe(root, None).await };
                // What cannot be swept now is at the next start.
                let _ = ScratchView::sweep(&own.scratch);
                probe(root, Some(&own.cache)).await
            })
            .await
    }

    /// What is taken out of the environment of every command.
    pub(crate) fn withheld(&self) -> impl Iterator<Item = (OsString, Option<OsString>)> + '_ {
        self.own.iter().flat_map(|own| own.secrets.iter().map(|name| (OsString::from(name), None)))
    }

    /// The same, if it is known by now.
    pub(crate) fn known(&self) -> Option<&Protection> {
        self.found.get()
    }

    /// Puts a command behind the walls that there are. `scratch`: it is to work in the session's
    /// scratch copy, which is made when first needed.
    ///
    /// # Errors
    /// The scratch copy cannot be made; nothing has run.
    pub(crate) async fn wall(&self, spec: &mut Spec, root: &Path, scratch: bool) -> Result<(), String> {
        spec.tier = self.protection(root).await.tier.clone();
        spec.hidden = self.own.as_ref().map(|own| own.hidden.clone()).unwrap_or_default();
        let Some(own) = self.own.as_ref().filter(|_| scratch && spec.tier == Tier::Scratch) else { return Ok(()) };
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        if view.is_none() {
            let made = ScratchView::new(&own.scratch);
            *view = Some(
                made.map_err(|error| format!("no scratch copy can be made in {}: {error}", own.scratch.display()))?,
            );
        }
        spec.view.clone_from(&view);
        Ok(())
    }

    /// Whether anything may have been written in the scratch copy.
    pub(crate) fn has_copy(&self) -> bool {
        self.view.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Throws the scratch copy away.
    pub(crate) fn end_scratch(&self) {
        *self.view.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
