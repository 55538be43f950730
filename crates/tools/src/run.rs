//! Runs a permitted call.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::bounds;
use planwright_core::call::Call;
use planwright_core::permit::{Confinement, Permit, Target};
use planwright_sandbox::Cancel;

use crate::bash::{self, BackgroundCommand, Running};
use crate::outcome::{Outcome, SessionView};
use crate::walk::{Stop, StopOnDrop};
use crate::{bounded, edit, glob, grep, notebook, open, read, resolve, write};

/// The tools of one session. Clones are the same tools; when the last is dropped, commands left in
/// the background are killed.
#[derive(Clone, Debug)]
pub struct Tools(Arc<Place>);

#[derive(Debug)]
struct Place {
    root: PathBuf,
    home: Option<PathBuf>,
    running: Running,
}

/// What a cancelled or dropped call came to.
const INTERRUPTED: &str = "The user interrupted the call.";

impl Tools {
    /// Tools that work in `root`, the real path of the project root: relative paths and commands
    /// start there.
    pub fn new(root: &Path) -> Self {
        Self::with_home(root, std::env::home_dir())
    }

    /// [`Self::new`] with the home directory given.
    pub fn with_home(root: &Path, home: Option<PathBuf>) -> Self {
        Self(Arc::new(Place { root: root.to_path_buf(), home, running: Running::default() }))
    }

    /// Resolves the paths of a call, to be judged. The only IO that happens before a verdict.
    pub fn targets(&self, call: &Call) -> Vec<Target> {
        resolve::targets_from(&self.0.root, self.0.home.as_deref(), call)
    }

    /// Runs a call. The permit is used up.
    ///
    /// Everything that can go wrong is an outcome the model can read. Reading and searching happen
    /// on other threads, so that calls run side by side on one. Dropping the future, or throwing
    /// `cancel`, stops a command with all its processes and a search where it is; a file that is
    /// being written is written whole.
    ///
    /// The agent's own tools (todo list, questions, subagents, plan mode) and MCP tools are not run
    /// here: for them the outcome is an error.
    pub fn run(&self, permit: Permit, view: &SessionView, cancel: &Cancel) -> impl Future<Output = Outcome> + Send + use<> {
        let (place, view, cancel) = (Arc::clone(&self.0), view.clone(), cancel.clone());
        async move {
            let outcome = place.run(Arc::new(permit), view, &cancel).await.unwrap_or_else(Outcome::error);
            Outcome { content: bounded::middle(outcome.content, bounds::RESULT_BYTES), ..outcome }
        }
    }

    /// The commands that run in the background, and those that have ended and were not told of yet.
    pub fn background(&self) -> Vec<BackgroundCommand> {
        self.0.running.list()
    }

    /// Kills the commands that run in the background.
    pub fn end(&self) {
        self.0.running.end();
    }
}

impl Place {
    async fn run(self: &Arc<Self>, permit: Arc<Permit>, view: SessionView, cancel: &Cancel) -> Result<Outcome, String> {
        if cancel.is_cancelled() {
            return Err(INTERRUPTED.to_owned());
        }
        match permit.call() {
            Call::Bash(call) => {
                open::unchanged(&self.root, self.home.as_deref(), &permit)?;
                bash::run(call, permit.confinement(), &self.root, &self.running, cancel).await
            }
            Call::Read(_) | Call::Glob(_) | Call::Grep(_) => {
                let work = self.in_background(permit, view);
                tokio::select! {
                    biased;
                    outcome = work => outcome,
                    () = cancel.cancelled() => Err(INTERRUPTED.to_owned()),
                }
            }
            Call::Write(_) | Call::Edit(_) | Call::NotebookEdit(_) => match permit.confinement() {
                Confinement::None | Confinement::ReadOnly => self.in_background(permit, view).await,
                Confinement::Scratch => Err("A file cannot be written in a scratch copy; nothing was done.".to_owned()),
            },
            Call::Agent(_)
            | Call::AskUserQuestion(_)
            | Call::TodoWrite(_)
            | Call::EnterPlanMode
            | Call::ExitPlanMode
            | Call::Mcp(_) => {
                Err(format!("internal error: {} is not run by the file tools", permit.call().tool_name()))
            }
        }
    }

    /// Does the work on a thread where it may wait for the disk.
    async fn in_background(self: &Arc<Self>, permit: Arc<Permit>, view: SessionView) -> Result<Outcome, String> {
        let (place, stop) = (Arc::clone(self), Stop::default());
        let _stop = StopOnDrop(stop.clone());
        tokio::task::spawn_blocking(move || place.work(&permit, &view, &stop))
            .await
            .unwrap_or_else(|error| Err(format!("internal error: the tool failed: {error}")))
    }

    fn work(&self, permit: &Arc<Permit>, view: &SessionView, stop: &Stop) -> Result<Outcome, String> {
        open::unchanged(&self.root, self.home.as_deref(), permit)?;
        let target = open::only_target(permit)?;
        match permit.call() {
            Call::Read(call) => read::run(call, target),
            Call::Write(call) => write::run(call, target, view),
            Call::Edit(call) => edit::run(call, target, view),
            Call::NotebookEdit(call) => notebook::run(call, target, view),
            Call::Glob(call) => glob::run(call, permit, target, &self.root, stop),
            Call::Grep(call) => grep::run(call, permit, target, &self.root, stop),
            Call::Bash(_)
            | Call::Agent(_)
            | Call::AskUserQuestion(_)
            | Call::TodoWrite(_)
            | Call::EnterPlanMode
            | Call::ExitPlanMode
            | Call::Mcp(_) => Err("internal error: not a file tool".to_owned()),
        }
    }
}
