//! Files and folders opened by their real path, no link followed, and compared with what was
//! judged.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use planwright_core::bounds;
use planwright_core::call::{Call, nearest};
use planwright_core::permit::{Permit, Target, TargetKind};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

#[cfg(target_os = "linux")]
use linux::{SEARCH, open, pinned};
#[cfg(not(target_os = "linux"))]
use other::{SEARCH, open, pinned};

use crate::resolve;

/// Resolves the permit's paths again. Of a command's words it matters what they lead to, which is
/// what rules are about; the one path of a file tool must name the very file that was judged.
///
/// # Errors
/// One of them no longer names what was judged.
pub(crate) fn unchanged(root: &Path, home: Option<&Path>, permit: &Permit) -> Result<(), String> {
    let is_command = matches!(permit.call(), Call::Bash(_));
    for judged in permit.targets() {
        let now = resolve::target(root, home, judged.named.clone());
        let same = if is_command { now.real == judged.real } else { now == *judged };
        if !same {
            return Err(format!(
                "{} changed between the permission check and its use: it was {}, and is now {}. Nothing was done. \
                 If this is expected, make the call again.",
                judged.named,
                described(judged),
                described(&now),
            ));
        }
    }
    Ok(())
}

fn described(target: &Target) -> String {
    let what = match target.kind {
        TargetKind::File => "the file",
        TargetKind::Folder => "the folder",
        TargetKind::Other => "the device, pipe or socket",
        TargetKind::Missing => "not there:",
    };
    format!("{what} {}", target.real.display())
}

/// The one path of a call to a file tool.
///
/// # Errors
/// The permit was made without resolving the call's path.
pub(crate) fn only_target(permit: &Permit) -> Result<&Target, String> {
    match permit.targets() {
        [target] => Ok(target),
        targets => Err(format!("internal error: the call was judged with {} paths instead of one", targets.len())),
    }
}

/// Opens a file for reading.
///
/// # Errors
/// It is not a regular file, is not the one that was judged, or cannot be read.
pub(crate) fn file(target: &Target) -> Result<File, String> {
    match target.kind {
        TargetKind::File => {}
        TargetKind::Folder => {
            return Err(format!("{} is a folder. Use Glob to list the files in it.", target.named));
        }
        TargetKind::Other => return Err(format!("{} is a device, pipe or socket, not a file.", target.named)),
        TargetKind::Missing => return Err(missing(target)),
    }
    if target.named.ends_with('/') {
        return Err(format!("{} ends in a slash, which names a folder, but a file is there.", target.named));
    }
    let file = plain(&target.real).map_err(|error| format!("{} cannot be read: {error}.", target.named))?;
    let there = file.metadata().map_err(|error| format!("{} cannot be read: {error}.", target.named))?;
    if !there.is_file() || target.identity != Some((there.dev(), there.ino())) {
        return Err(format!("{} changed between the permission check and its use. Nothing was done.", target.named));
    }
    Ok(file)
}

/// Opens a path that holds no links for reading. Never waits, whatever stands there.
pub(crate) fn plain(real: &Path) -> io::Result<File> {
    // A pipe would make opening it wait for a writer, a terminal could become ours.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    Ok(open(real, flags)?.into())
}

/// Reads a file that was judged.
///
/// # Errors
/// As [`file`], or it is larger than can be worked on.
pub(crate) fn bytes(target: &Target) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    file(target)?
        .take(bounds::FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("{} cannot be read: {error}.", target.named))?;
    if bytes.len() as u64 > bounds::FILE_BYTES {
        return Err(format!(
            "{} is larger than {} MiB. Use Grep to find the part you need, or a command that reads a part of it.",
            target.named,
            bounds::FILE_BYTES >> 20
        ));
    }
    Ok(bytes)
}

fn missing(target: &Target) -> String {
    let folder = target.real.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return format!("{} is not there, and neither is the folder {}.", target.named, folder.display());
    }
    let names: Vec<String> = folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .take(bounds::NAMES_COMPARED)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let wanted = target.real.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&wanted, &names) {
        Some(near) => format!("{} is not there. Did you mean {}?", target.named, folder.join(near).display()),
        None => format!("{} is not there. Use Glob to find the file.", target.named),
    }
}

/// A folder held open, so that a file can be put into it whatever happens to the names above it.
pub(crate) struct Folder {
    // Keeps `pinned` meaning this folder.
    _open: OwnedFd,
    /// Leads to the folder.
    pub(crate) pinned: PathBuf,
    /// The folder's real path, for messages.
    pub(crate) real: PathBuf,
}

/// Opens a folder by its real path and makes what is missing of it.
///
/// # Errors
/// The system refuses, or a link has come to stand in the path.
pub(crate) fn folder(real: &Path) -> io::Result<Folder> {
    let flags = SEARCH | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut missing: Vec<OsString> = Vec::new();
    let mut at = real;
    let mut fd = loop {
        match open(at, flags) {
            Err(Errno::NOENT) => {
                missing.extend(at.file_name().map(Into::into));
                at = at.parent().ok_or(Errno::NOENT)?;
            }
            opened => break opened?,
        }
    };
    for name in missing.iter().rev() {
        match rustix::fs::mkdirat(&fd, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        fd = rustix::fs::openat(&fd, name, flags, Mode::empty())?;
    }
    let pinned = pinned(&fd, real);
    Ok(Folder { _open: fd, pinned, real: real.to_path_buf() })
}
