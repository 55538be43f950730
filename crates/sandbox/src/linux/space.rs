//! How much a scratch copy takes where nothing limits it: on a disk, which knows no limit per folder, and
//! in memory that bubblewrap has mounted. So it is looked at.

use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::policy::Full;

/// What is left for everyone else on the disk.
const RESERVE: u64 = 256 << 20;

/// The space of one scratch copy.
pub(crate) struct Space {
    place: PathBuf,
    limit: u64,
    /// What it took, and what was free, when it was last measured.
    used: u64,
    free: u64,
    /// Nobody else writes there.
    private: bool,
}

impl Space {
    /// Of the scratch folder, which took so much before.
    pub(crate) fn of(stage: &OwnedFd, used: u64, limit: u64) -> Option<Self> {
        let place = PathBuf::from(format!("/proc/self/fd/{}", stage.as_raw_fd()));
        let free = free(&place)?;
        Some(Self { place, limit, used, free, private: false })
    }

    /// Of a scratch copy in memory, through one of its overlays.
    pub(crate) fn of_memory(overlay: &Path, limit: u64) -> Option<Self> {
        let free = free(overlay)?;
        Some(Self { place: overlay.to_path_buf(), limit, used: 0, free, private: true })
    }

    /// Which space has run out, if one has. Counts only when so much has gone from the disk that it
    /// could.
    pub(crate) fn used_up(&mut self) -> Option<Full> {
        let free = free(&self.place)?;
        if !self.private && free < RESERVE && free < self.free {
            return Some(Full::Disk);
        }
        if self.used + self.free.saturating_sub(free) <= self.limit {
            return None;
        }
        if !self.private {
            self.used = used(&self.place.join("u"));
            self.free = free;
        }
        (self.private || self.used > self.limit).then_some(Full::Copy)
    }
}

fn free(place: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(place).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

fn used(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?)))
        .map(|(path, meta)| meta.blocks() * 512 + if meta.is_dir() { used(&path) } else { 0 })
        .sum()
}
