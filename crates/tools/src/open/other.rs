//! Opening without following links, where only the last component can be guarded.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Folders opened only to be searched.
pub(super) const SEARCH: OFlags = OFlags::RDONLY;

/// Opens a path whose last component is not a link.
pub(super) fn open(real: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    rustix::fs::open(real, flags, Mode::empty())
}

/// A path that leads to the open folder: its own.
pub(super) fn pinned(_folder: &OwnedFd, real: &Path) -> PathBuf {
    real.to_path_buf()
}
