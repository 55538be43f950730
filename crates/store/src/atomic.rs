//! A file replaced as a whole, or not at all.
//!
//! The new content goes to a temporary file in the same folder, which then takes the file's name.
//! Whoever looks, and whenever the machine stops, there is the old file or the new one.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use planwright_core::bounds;
use rustix::fs::{Access, Gid, Uid, XattrFlags};

use crate::error::{Fault, StoreError};
use crate::home::PRIVATE_FILE;

/// What the temporary files' names begin with. One may be left behind by a kill.
pub const TEMPORARY_PREFIX: &str = ".planwright-";

/// What must be true when [`write()`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The content and its name survive a power cut.
    Synced,
    /// They survive the end of this process. What a power cut leaves is still the old file or the
    /// new one on file systems that order a rename after the data (ext4, btrfs, APFS).
    Cached,
}

/// The permissions of a file that is not there yet; one that is there keeps its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFile {
    /// 0600, whatever the umask.
    Private,
    /// 0666 less the umask, as any editor would make it.
    Shared,
}

/// Replaces the file at `path`, or makes it. The folder must be there. Permissions, and as far as
/// possible the owner and the extended attributes (access lists among them), are kept; other hard links to the old file keep the old content. A symlink at
/// `path` is refused rather than followed: the caller resolves ([`crate::place::real`]) and decides.
///
/// # Errors
/// Nothing was changed. The error names the path and what to do.
pub fn write(path: &Path, bytes: &[u8], new: NewFile, durability: Durability) -> Result<(), StoreError> {
    let failed = |error: &io::Error| StoreError::io("write", path, error);
    let old = match fs::symlink_metadata(path) {
        Ok(old) => Some(replaceable(path, old)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(&error)),
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mode = match new {
        NewFile::Private => PRIVATE_FILE,
        NewFile::Shared => 0o666,
    };
    let mut temporary = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .suffix(".tmp")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)
        .map_err(|error| failed(&plain(error)))?;
    temporary.write_all(bytes).map_err(|error| failed(&plain(error)))?;
    match (&old, new) {
        (Some(old), _) => {
            keep_owner_and_mode(temporary.as_file(), old).map(|()| keep_attributes(temporary.as_file(), path))
        }
        (None, NewFile::Private) => temporary.as_file().set_permissions(Permissions::from_mode(PRIVATE_FILE)),
        (None, NewFile::Shared) => Ok(()),
    }
    .map_err(|error| failed(&error))?;
    if durability == Durability::Synced {
        temporary.as_file().sync_all().map_err(|error| failed(&error))?;
    }
    temporary.persist(path).map_err(|error| failed(&error.error))?;
    if durability == Durability::Synced {
        sync_folder(folder).map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// A file may be replaced if it could have been written: a rename asks only for the folder's
/// permission, and must not be a way around the file's own.
fn replaceable(path: &Path, old: Metadata) -> Result<Metadata, StoreError> {
    let refused = |cause, hint| Err(StoreError::new(Fault::Refused, "write", path, cause, hint));
    if old.is_symlink() {
        return refused("a symbolic link stands there", "Name the file that the link points to.");
    }
    if old.is_dir() {
        return refused("it is a folder", "Use another name.");
    }
    if !old.is_file() {
        return refused("it is not a regular file", "Use another name.");
    }
    rustix::fs::access(path, Access::WRITE_OK).map_err(|error| StoreError::io("write", path, &error.into()))?;
    Ok(old)
}

fn keep_owner_and_mode(file: &File, old: &Metadata) -> io::Result<()> {
    let now = file.metadata()?;
    let mut mode = old.mode() & 0o7777;
    if (now.uid(), now.gid()) != (old.uid(), old.gid()) {
        let owner = (now.uid() != old.uid()).then(|| Uid::from_raw(old.uid()));
        let group = (now.gid() != old.gid()).then(|| Gid::from_raw(old.gid()));
        if rustix::fs::fchown(file, owner, group).is_err() {
            // Set-id bits must not pass to another owner.
            mode &= 0o777;
        }
    }
    // Last, because a change of owner clears bits of the mode.
    file.set_permissions(Permissions::from_mode(mode))
}

/// Copies the extended attributes, as far as the system lets this user: what cannot be read or set here
/// (a label of the system's own) is what the system gives a new file.
fn keep_attributes(file: &File, old: &Path) {
    let mut names = vec![0; bounds::ATTRIBUTE_NAMES];
    let Ok(length) = rustix::fs::llistxattr(old, &mut names[..]) else { return };
    let mut value = vec![0; bounds::ATTRIBUTE_VALUE];
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        if let Ok(length) = rustix::fs::lgetxattr(old, name, &mut value[..]) {
            let _ = rustix::fs::fsetxattr(file, name, &value[..length], XattrFlags::empty());
        }
    }
}

/// Makes the names in a folder survive a power cut.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems cannot sync a folder, and need not.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}

/// The error without the temporary file's name, which would only puzzle.
fn plain(error: io::Error) -> io::Error {
    error.raw_os_error().map_or(error.kind().into(), io::Error::from_raw_os_error)
}
