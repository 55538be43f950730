//! The scratch copy of one plan session: kept between commands, thrown away at the end.

use std::fs::File;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::FlockOperation;
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::platform;
use crate::spawn::SpawnError;

/// The file that says who owns a scratch copy, by a lock that dies with its owner.
const OWNER: &str = "owner";
/// What the commands may fill, in the folder of a scratch copy.
const STAGE: &str = "stage";

/// A scratch copy that is kept between commands, so that a second build finds what the first made.
/// Clones are the same copy. It is thrown away when the last clone is dropped, and, after a crash,
/// by the next [`ScratchView::sweep`].
///
/// What the user changes on the machine meanwhile wins: before each command, what commands wrote in
/// place of files that have changed since is given up.
#[derive(Clone, Debug)]
pub struct ScratchView(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    /// Locked as long as this program lives.
    _owner: File,
    /// One command at a time: an overlay's upper must never be in two mounts.
    turn: Arc<Mutex<()>>,
}

/// Being the one command that uses a scratch copy.
#[derive(Debug)]
pub(crate) struct Turn {
    view: ScratchView,
    _guard: OwnedMutexGuard<()>,
}

impl Turn {
    /// The whole of it, which no command is to see.
    pub(crate) fn folder(&self) -> PathBuf {
        self.view.0.folder.clone()
    }

    /// Where the commands' writes are kept.
    pub(crate) fn place(&self) -> PathBuf {
        self.view.0.folder.join(STAGE)
    }
}

impl ScratchView {
    /// A new, empty one in a new folder of `place`, which should be on the project's disk and must be
    /// the agent's own ([`crate::Spec::hidden`] should name it, or a folder that it is in).
    ///
    /// # Errors
    /// The folder cannot be made there.
    pub fn new(place: &Path) -> io::Result<Self> {
        private(place)?;
        let started = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let folder = place.join(format!("{}-{started:x}", std::process::id()));
        private(&folder)?;
        let owner = File::options().write(true).create_new(true).open(folder.join(OWNER))?;
        rustix::fs::flock(&owner, FlockOperation::NonBlockingLockExclusive)?;
        File::create_new(folder.join(platform::BUSY))?;
        private(&folder.join(STAGE))?;
        Ok(Self(Arc::new(Inner { folder, _owner: owner, turn: Arc::default() })))
    }

    /// Throws away the scratch copies in `place` whose owners are gone; returns how many. To be
    /// called when a session starts.
    ///
    /// # Errors
    /// One could not be removed.
    pub fn sweep(place: &Path) -> io::Result<usize> {
        let entries = match std::fs::read_dir(place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            entries => entries?,
        };
        let mut swept = 0;
        for entry in entries {
            let folder = entry?.path();
            // Its owner may have died before it could say so, or be just about to.
            let owner = locked(&folder.join(OWNER));
            let abandoned = match &owner {
                Ok(owner) => owner.is_some(),
                Err(_) => older_than_a_minute(&folder),
            };
            // A box of an owner that has just died may take a moment to follow; nothing is removed
            // while it could still put something else in its place.
            let busy = locked(&folder.join(platform::BUSY));
            if abandoned && !matches!(busy, Ok(None)) {
                platform::remove(&folder)?;
                swept += 1;
            }
        }
        Ok(swept)
    }

    /// Gives up all that the commands have written. Waits for the one that runs.
    ///
    /// # Errors
    /// It could not be removed.
    pub async fn clear(&self) -> io::Result<()> {
        let turn = self.turn().await.map_err(io::Error::other)?;
        platform::remove(&turn.place())?;
        private(&turn.place())
    }

    /// Waits until no other command uses it.
    pub(crate) async fn turn(&self) -> Result<Turn, SpawnError> {
        let guard = Arc::clone(&self.0.turn).lock_owned().await;
        Ok(Turn { view: self.clone(), _guard: guard })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // What cannot be removed now is at the next start.
        let _ = platform::remove(&self.folder);
    }
}

/// The file with its lock; `None` if somebody else has it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    Ok(rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(file))
}

/// Makes a folder that nobody else may enter; one that is there is fine.
fn private(folder: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn older_than_a_minute(folder: &Path) -> bool {
    let age = std::fs::symlink_metadata(folder).and_then(|meta| meta.modified()).map(|time| time.elapsed());
    matches!(age, Ok(Ok(age)) if age.as_secs() > 60)
}
