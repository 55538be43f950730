//! Opening without following links, on Linux.

use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

/// Folders opened only to be searched: listing them may not be permitted, and is not needed.
pub(super) const SEARCH: OFlags = OFlags::PATH;

/// Opens a path in which no component is a link.
pub(super) fn open(real: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let strict = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match rustix::fs::openat2(CWD, real, flags, Mode::empty(), strict) {
        // Before Linux 5.6, or filtered away in an old container: the last component at least.
        Err(Errno::NOSYS | Errno::PERM) => rustix::fs::open(real, flags, Mode::empty()),
        opened => opened,
    }
}

/// A path that leads to the open folder, wherever it is moved and whatever takes its name.
pub(super) fn pinned(folder: &OwnedFd, real: &Path) -> PathBuf {
    let pinned = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
    if pinned.exists() { pinned } else { real.to_path_buf() }
}
