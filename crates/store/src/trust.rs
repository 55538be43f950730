//! The folders the user trusts: whose settings may loosen permissions and start programs.
//!
//! A folder is trusted by its real path, alone: not with the folders in it, which may be checkouts
//! of other people's work.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atomic::{self, Durability, NewFile};
use crate::error::{Fault, StoreError};
use crate::home::{Home, PRIVATE_FILE, make_private_folder};
use crate::place;

#[derive(Default, Deserialize, Serialize)]
struct Trusted {
    folders: Vec<PathBuf>,
}

/// Whether the user trusts the folder. If in doubt (the list is broken, the folder is gone): no.
pub fn is_trusted(home: &Home, folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    read(&home.trusted_file()).is_ok_and(|trusted| trusted.folders.contains(&folder))
}

/// Trusts a folder from now on.
///
/// # Errors
/// The folder is not there, or the list cannot be read or written. A broken list is not overwritten.
pub fn trust(home: &Home, folder: &Path) -> Result<(), StoreError> {
    let doing = "trust the folder";
    let folder = fs::canonicalize(folder).map_err(|error| StoreError::io(doing, folder, &error))?;
    if folder.to_str().is_none() {
        let (cause, hint) = ("its path is not UTF-8", "Rename it.");
        return Err(StoreError::new(Fault::Refused, doing, &folder, cause, hint));
    }
    make_private_folder(home.root())?;
    let list = home.trusted_file();
    let failed = |error: &io::Error| StoreError::io("write the list of trusted folders", &list, error);
    // Two Planwrights may add a folder at once; each must see the other's.
    let lock = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(PRIVATE_FILE)
        .open(list.with_extension("lock"))
        .map_err(|error| failed(&error))?;
    lock.set_permissions(Permissions::from_mode(PRIVATE_FILE)).map_err(|error| failed(&error))?;
    lock.lock().map_err(|error| failed(&error))?;
    let mut trusted = read(&list).map_err(|error| failed(&error))?;
    if trusted.folders.contains(&folder) {
        return Ok(());
    }
    trusted.folders.push(folder);
    let text = serde_json::to_vec_pretty(&trusted).map_err(|error| failed(&error.into()))?;
    // The list may be a link into a folder of dotfiles; write where it leads.
    let target = place::real(&list).map_err(|error| failed(&error))?;
    atomic::write(&target, &text, NewFile::Private, Durability::Synced)
}

fn read(list: &Path) -> io::Result<Trusted> {
    match fs::read(list) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Trusted::default()),
        Err(error) => Err(error),
    }
}
