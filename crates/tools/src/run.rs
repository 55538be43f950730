//! Runs a permitted call.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::bounds;
use planwright_core::call::Call;
use planwright_core::experiment::{Applied, Drafts, Proposal, Proposed};
use planwright_core::permit::{CommandContext, Confinement, Permit, Target};
use planwright_core::transcript::Seen;
use planwright_sandbox::{Cancel, Protection};

use crate::bash::{self, BackgroundCommand, Running};
use crate::change::{ReadFirst, Source};
use crate::experiment::{self, NotDone, Put};
use crate::fetch::Web;
use crate::guard::{Guard, Own};
use crate::outcome::{Outcome, SessionView};
use crate::scratch::{self, Held};
use crate::walk::{Stop, StopOnDrop};
use crate::{bounded, change, fetch, glob, grep, open, outcome, read, repository, resolve};

/// The tools of one session. Clones are the same tools; when the last is dropped, commands left in
/// the background are killed.
#[derive(Clone, Debug)]
pub struct Tools(Arc<Place>);

#[derive(Debug)]
struct Place {
    root: PathBuf,
    /// The root, and the folders that count as part of the project.
    roots: Vec<PathBuf>,
    home: Option<PathBuf>,
    guard: Guard,
    web: Web,
    running: Running,
}

/// An experiment that can be applied: every file was looked at, none is changed yet.
pub struct Ready {
    files: Vec<Put>,
    folders: Vec<PathBuf>,
}

impl Ready {
    /// The folders that will be made, outer ones first.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }
}

/// What a cancelled or dropped call came to.
const INTERRUPTED: &str = "The user interrupted the call.";

impl Tools {
    /// Tools that work in `root`, the real path of the project root: relative paths and commands
    /// start there. `additional` are folders that count as part of the project.
    pub fn new(root: &Path, additional: &[PathBuf]) -> Self {
        Self::with(root, additional, Guard::default())
    }

    /// The same, with places of the agent's own that commands are not to see.
    pub fn guarded(root: &Path, additional: &[PathBuf], own: Own) -> Self {
        Self::with(root, additional, Guard::new(own))
    }

    fn with(root: &Path, additional: &[PathBuf], guard: Guard) -> Self {
        let home = std::env::home_dir();
        let real = |folder: &PathBuf| resolve::target(root, home.as_deref(), folder.display().to_string()).real;
        let roots = std::iter::once(root.to_path_buf()).chain(additional.iter().map(real)).collect();
        Self(Arc::new(Place {
            root: root.to_path_buf(),
            roots,
            home,
            guard,
            web: Web::default(),
            running: Running::default(),
        }))
    }

    /// The same, with what `WebFetch` may do said.
    ///
    /// # Panics
    /// The tools are in use already.
    #[must_use]
    pub fn reaching(mut self, web: Web) -> Self {
        Arc::get_mut(&mut self.0).expect("tools are made ready before they are shared").web = web;
        self
    }

    /// Real paths of the project root and the additional folders.
    pub fn roots(&self) -> &[PathBuf] {
        &self.0.roots
    }

    /// What protects the user on this machine; found out when it is first asked for.
    pub async fn protection(&self) -> &Protection {
        self.0.guard.protection(&self.0.root).await
    }

    /// The same, if it is known by now.
    pub fn known_protection(&self) -> Option<&Protection> {
        self.0.guard.known()
    }

    /// Finds out what protects the user ahead of need. The first time on a machine it takes a trial run.
    pub fn foresee_protection(&self) -> impl Future<Output = Protection> + Send + use<> {
        let place = Arc::clone(&self.0);
        async move { place.guard.protection(&place.root).await.clone() }
    }

    /// What the scratch copy would change so far; `None`: there is none.
    ///
    /// # Errors
    /// It cannot be looked at.
    pub async fn scratch_holds(&self) -> Result<Option<Held>, String> {
        let changes = experiment::all_changes((&self.0.guard, &self.0.root)).await?;
        Ok(changes.map(|changes| scratch::held(&changes, &self.0.root)))
    }

    /// Whether there is a scratch copy, in which something may have been done.
    pub fn has_scratch(&self) -> bool {
        self.0.guard.has_copy()
    }

    /// Throws away the scratch copy in which commands worked.
    pub fn end_scratch(&self) {
        self.0.guard.end_scratch();
    }

    /// Resolves the paths of a call, to be judged. The only IO that happens before a verdict.
    pub fn targets(&self, call: &Call) -> Vec<Target> {
        resolve::targets_from(&self.0.root, self.0.home.as_deref(), call)
    }

    /// What the judge of commands must know of the place a call would run in, but for the user's own
    /// read-only commands.
    pub fn command_context(&self, call: &Call) -> CommandContext {
        if let Call::Bash(bash) = call {
            repository::facts(&self.0.root, &bash.command)
        } else {
            CommandContext::default()
        }
    }

    /// The change that a call would make, as a unified diff to show the user with a question; `None`
    /// if it would make none. Reads the file, changes nothing.
    pub fn preview(&self, call: &Call) -> Option<String> {
        let targets = self.targets(call);
        let [target] = targets.as_slice() else { return None };
        let change = change::of(call, target, Source::Disk, ReadFirst::No).ok().flatten()?;
        Some(change.diff(target))
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
    pub fn run(
        &self,
        permit: Permit,
        view: &SessionView,
        cancel: &Cancel,
    ) -> impl Future<Output = Outcome> + Send + use<> {
        let (place, view, cancel) = (Arc::clone(&self.0), view.clone(), cancel.clone());
        async move {
            let outcome = place.run(Arc::new(permit), view, &cancel).await.unwrap_or_else(Outcome::error);
            // The id of the evidence comes behind it.
            let free = if outcome.scratch.is_some() { bounds::EVIDENCE_LINE_BYTES } else { 0 };
            Outcome { content: bounded::middle(outcome.content, bounds::RESULT_BYTES - free), ..outcome }
        }
    }

    /// What the files edited in the scratch copy come to now, to be shown with the plan. Changes nothing.
    ///
    /// # Errors
    /// The copy cannot be looked at.
    pub async fn proposal(&self, drafts: &Drafts) -> Result<Proposal, String> {
        experiment::proposal(drafts, (&self.0.guard, &self.0.root)).await
    }

    /// The folders that would have to be made to apply this, outer ones first; checks that every file
    /// is as it was when it was copied.
    ///
    /// # Errors
    /// Which files are not, in a clause.
    pub fn may_apply(&self, files: Vec<(Permit, Proposed)>) -> Result<Ready, String> {
        let folders = experiment::missing_folders(files.iter().map(|(_, file)| file.path.as_path()));
        let files: Vec<_> = files.into_iter().map(|(permit, file)| Put::applying(permit, file)).collect();
        experiment::check(&files)?;
        Ok(Ready { files, folders })
    }

    /// Applies all of it, or nothing. The permits are used up.
    ///
    /// # Errors
    /// A file is no longer as it was, or cannot be written.
    pub fn apply(&self, ready: Ready, view: &SessionView) -> Result<(), NotDone> {
        experiment::apply(&ready.files, &ready.folders, (&self.0.root, self.0.home.as_deref()), view)
    }

    /// Takes back what was applied: every file that is still as it was applied becomes what it was
    /// before. A permit to write a file that was not there before is one to remove it.
    ///
    /// # Errors
    /// A file was changed since, and nothing is done; or one cannot be written.
    pub fn undo(&self, permits: Vec<Permit>, applied: &Applied, view: &SessionView) -> Result<(), NotDone> {
        let files = permits.into_iter().zip(applied.files.iter().cloned());
        let files = files.map(|(permit, file)| Put::undoing(permit, file)).collect();
        experiment::undo(files, applied, (&self.0.root, self.0.home.as_deref()), view)
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
                let ran = bash::run(call, &permit, (&self.root, &view), (&self.guard, &self.running), cancel).await?;
                Ok(match permit.confinement() {
                    Confinement::Scratch if !call.run_in_background => ran,
                    Confinement::None | Confinement::ReadOnly | Confinement::Scratch => {
                        of_real_files(ran, &view, RAN_ON_REAL_FILES)
                    }
                })
            }
            Call::Read(call) if let Some(drafts) = view.experiment.clone() => {
                open::unchanged(&self.root, self.home.as_deref(), &permit)?;
                let target = open::only_target(&permit)?;
                tokio::select! {
                    biased;
                    outcome = experiment::read(call, target, &view, (&self.guard, &self.root), &drafts) => outcome,
                    () = cancel.cancelled() => Err(INTERRUPTED.to_owned()),
                }
            }
            Call::Read(_) | Call::Glob(_) | Call::Grep(_) => {
                let work = self.in_background(permit, view);
                tokio::select! {
                    biased;
                    outcome = work => outcome,
                    () = cancel.cancelled() => Err(INTERRUPTED.to_owned()),
                }
            }
            Call::WebFetch(call) => {
                let stop = StopOnDrop(Stop::default());
                tokio::select! {
                    biased;
                    outcome = fetch::run(call, &self.web, &stop.0) => outcome,
                    () = cancel.cancelled() => Err(INTERRUPTED.to_owned()),
                }
            }
            Call::Write(_) | Call::Edit(_) | Call::NotebookEdit(_) => match permit.confinement() {
                Confinement::None | Confinement::ReadOnly => self.in_background(permit, view).await,
                Confinement::Scratch => {
                    open::unchanged(&self.root, self.home.as_deref(), &permit)?;
                    tokio::select! {
                        biased;
                        outcome = experiment::edit(&permit, &view, (&self.guard, &self.root)) => outcome,
                        () = cancel.cancelled() => Err(INTERRUPTED.to_owned()),
                    }
                }
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
            Call::Read(call) => read::run(call, target, Source::Disk),
            Call::Glob(call) => glob::run(call, permit, target, &self.root, stop)
                .map(|found| of_real_files(found, view, REAL_FILES_SEARCHED)),
            Call::Grep(call) => grep::run(call, permit, target, &self.root, stop)
                .map(|found| of_real_files(found, view, REAL_FILES_SEARCHED)),
            call => match change::of(call, target, Source::Disk, ReadFirst::Yes(view))? {
                Some(change) => change.make(target, view),
                None => Err("internal error: not a file tool".to_owned()),
            },
        }
    }
}

const REAL_FILES_SEARCHED: &str = "[the real files were searched, not the scratch copy]";
const RAN_ON_REAL_FILES: &str =
    "[it saw the real files, not your edits: only commands in the foreground that do more than read see those]";

/// Says of a result that what was edited in the scratch copy was not seen, if anything was.
fn of_real_files(found: Outcome, view: &SessionView, note: &str) -> Outcome {
    match &view.experiment {
        Some(drafts) if !drafts.is_empty() => {
            let content = format!("{}\n{note}", found.content.trim_end());
            Outcome { content, ..found }
        }
        Some(_) | None => found,
    }
}

/// The file at `path`, which the model is about to be told the whole of; `None` if it cannot be
/// read. `path` is followed to its real path.
pub fn seen(path: &Path) -> Option<Seen> {
    let target = resolve::target(Path::new("/"), None, path.to_str()?.to_owned());
    let bytes = open::bytes(&target).ok()?;
    Some(outcome::seen(&target.real, &bytes))
}
