//! Keeps a scratch copy fresh: what the user has changed meanwhile wins over what a command wrote.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::walk::Stamps;
use crate::wire::{Reader, Writer};

/// The lock that says that a box has the scratch folder, next to it.
pub(crate) const BUSY: &str = "busy";
/// Where the stamps are kept, in the scratch folder.
const STAMPS: &str = "stamps";

/// How often, and how far apart, a lock is tried for.
const TRIES: usize = 1_000;
const PAUSE: Duration = Duration::from_millis(5);

/// Enough of a file's metadata to see that it has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Below {
    mtime: (i64, i64),
    ctime: (i64, i64),
    size: u64,
    inode: u64,
}

impl Below {
    /// No file is like this.
    pub(crate) const NEVER: Self = Self { mtime: (-1, -1), ctime: (-1, -1), size: u64::MAX, inode: 0 };

    pub(crate) fn of(meta: &Metadata) -> Self {
        Self {
            mtime: (meta.mtime(), meta.mtime_nsec()),
            ctime: (meta.ctime(), meta.ctime_nsec()),
            size: meta.len(),
            inode: meta.ino(),
        }
    }

    fn write(&self, writer: &mut Writer) {
        for number in [self.mtime.0, self.mtime.1, self.ctime.0, self.ctime.1] {
            writer.number(number.cast_unsigned());
        }
        writer.number(self.size);
        writer.number(self.inode);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut signed = || reader.number().map(u64::cast_signed);
        let (mtime, ctime) = ((signed()?, signed()?), (signed()?, signed()?));
        Some(Self { mtime, ctime, size: reader.number()?, inode: reader.number()? })
    }
}

/// One entry of an upper, and what was below it when it was made.
#[derive(Clone, Debug)]
pub(crate) struct Stamp {
    /// Where it is in the scratch folder.
    pub(crate) upper: PathBuf,
    /// What it stands for.
    pub(crate) real: PathBuf,
    /// What it was like after the last command; `None` for a deletion.
    pub(crate) above: Option<Below>,
    /// What was below; `None`: nothing.
    pub(crate) below: Option<Below>,
    /// It is a folder.
    pub(crate) folder: bool,
}

/// What is known from the commands before.
#[derive(Debug, Default)]
pub(crate) struct Old {
    pub(crate) stamps: Stamps,
    /// Bytes that the uppers took.
    pub(crate) used: u64,
    /// How many entries were given up now.
    pub(crate) dropped: u64,
}

/// Waits until no other box has this scratch folder, and keeps others waiting as long as the result
/// lives: until this process, and with it everything in the box, is gone. An agent that comes after a
/// crash looks at the same lock before it clears away.
pub(crate) fn take(view: &Path) -> io::Result<File> {
    let lock = view.with_file_name(BUSY);
    // For reading: with anything open for writing the real tree could not be made read-only.
    let lock = File::open(lock)?;
    // The box before may be about to end. Not waited for in the kernel: this process must not be held
    // up for ever.
    for _ in 0..TRIES {
        match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(lock),
            Err(Errno::WOULDBLOCK | Errno::INTR) => std::thread::sleep(PAUSE),
            Err(error) => return Err(error.into()),
        }
    }
    Err(Errno::BUSY.into())
}

/// Removes an entry of the scratch folder, without following any link on the way: a command may have
/// put one there, to make this remove something real.
fn remove_in(view: &OwnedFd, entry: &Path) -> io::Result<()> {
    let (Some(folder), Some(name)) = (entry.parent(), entry.file_name()) else { return Ok(()) };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    match rustix::fs::openat2(view, folder, flags, Mode::empty(), resolve) {
        Ok(folder) => remove(&PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())).join(name)),
        // It is not there any more, or it is something else.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// What was noted after the command before.
pub(crate) fn recall(view: &Path) -> io::Result<Old> {
    match std::fs::read(view.join(STAMPS)) {
        Ok(bytes) => read(&bytes).ok_or_else(|| io::Error::from_raw_os_error(libc::EBADMSG)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Old::default()),
        Err(error) => Err(error),
    }
}

/// Gives up what the user has changed since. Must run before anything is mounted.
pub(crate) fn refresh(view: &Path) -> io::Result<Old> {
    let mut old = recall(view)?;
    let folder = super::mounts::folder(view)?;
    let mut dropped = Vec::new();
    for (upper, stamp) in &old.stamps {
        let now = std::fs::symlink_metadata(&stamp.real).ok();
        let stale = match (&now, stamp.folder && stamp.below.is_none()) {
            // A folder that was not there: one of the user's by that name joins it.
            (Some(now), true) => !now.is_dir(),
            _ => now.as_ref().map(Below::of) != stamp.below,
        };
        if stale {
            remove_in(&folder, upper)?;
            dropped.push(upper.clone());
        }
    }
    for upper in &dropped {
        old.stamps.remove(upper);
        old.dropped += 1;
    }
    Ok(old)
}

/// Notes what the uppers are made of, for the next command.
pub(crate) fn remember(stage: &OwnedFd, stamps: &[Stamp], used: u64) -> io::Result<()> {
    let mut writer = Writer::default();
    writer.number(used);
    writer.list(stamps, |writer, stamp| {
        writer.text(&stamp.upper);
        writer.text(&stamp.real);
        writer.option(stamp.above.as_ref(), |writer, above| above.write(writer));
        writer.option(stamp.below.as_ref(), |writer, below| below.write(writer));
        writer.number(u64::from(stamp.folder));
    });
    let place = PathBuf::from(format!("/proc/self/fd/{}", stage.as_raw_fd()));
    std::fs::write(place.join("stamps.new"), writer.body())?;
    std::fs::rename(place.join("stamps.new"), place.join(STAMPS))
}

/// Gives up all that the uppers hold.
pub(crate) fn forget(stage: &OwnedFd) {
    let place = PathBuf::from(format!("/proc/self/fd/{}", stage.as_raw_fd()));
    for name in ["stamps.new", STAMPS, "u"] {
        // What cannot be removed stays as it would have without this.
        let _ = remove(&place.join(name));
    }
}

fn read(bytes: &[u8]) -> Option<Old> {
    let mut reader = Reader(bytes);
    let used = reader.number()?;
    let stamps = reader.list(|reader| {
        let stamp = Stamp {
            upper: reader.text()?.into(),
            real: reader.text()?.into(),
            above: reader.option(Below::read)?,
            below: reader.option(Below::read)?,
            folder: reader.number()? != 0,
        };
        Some((stamp.upper.clone(), stamp))
    })?;
    Some(Old { stamps: stamps.into_iter().collect(), used, dropped: 0 })
}

/// Removes a file or a whole folder, whatever its mode. What is gone already is fine.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let meta = match std::fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        Err(error) => return Err(error),
    };
    if !meta.is_dir() {
        return std::fs::remove_file(path);
    }
    if meta.mode() & 0o700 != 0o700 {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    for entry in std::fs::read_dir(path)? {
        remove(&entry?.path())?;
    }
    std::fs::remove_dir(path)
}
