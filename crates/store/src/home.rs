//! The config home: what lies where in it (interfaces.md section 7).
//!
//! Files are made 0600 and folders 0700, whatever the umask says; what is there already keeps the
//! permissions its owner gave it.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use planwright_core::bounds;
use sha2::{Digest, Sha256};

use crate::error::{Fault, StoreError};
use crate::place;

/// The permissions of a file only its owner may read.
pub(crate) const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_FOLDER: u32 = 0o700;

/// The config home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// The home at `root`; nothing is read or made.
    pub const fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The home that the environment names: `planwright_home` (the value of `PLANWRIGHT_HOME`; empty
    /// counts as unset), else `.planwright` in `user_home`. The path is made absolute, so that a later
    /// change of the working folder changes nothing.
    ///
    /// # Errors
    /// Neither is known.
    pub fn from_env(planwright_home: Option<OsString>, user_home: Option<PathBuf>) -> Result<Self, StoreError> {
        let named = planwright_home.filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = match (named, user_home) {
            // A `~` arrives here unexpanded from files of variables that no shell has read.
            (Some(root), Some(user)) => root.strip_prefix("~").map(|rest| user.join(rest)).unwrap_or(root),
            (Some(root), None) => root,
            (None, Some(user)) => user.join(".planwright"),
            (None, None) => {
                return Err(StoreError {
                    fault: Fault::Missing,
                    what: "cannot find the config home".to_owned(),
                    path: None,
                    cause: "neither PLANWRIGHT_HOME nor a home folder is set".to_owned(),
                    hint: "Set PLANWRIGHT_HOME to a folder where sessions, plans and settings may be kept.".to_owned(),
                });
            }
        };
        let root = std::path::absolute(&root).map_err(|error| StoreError::io("find the config home", &root, &error))?;
        Ok(Self { root })
    }

    /// Its folder, absolute.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The user's settings.
    pub fn settings_file(&self) -> PathBuf {
        self.root.join("settings.json")
    }

    /// Where plan files go when `plansDirectory` names no other place.
    pub fn plans_dir(&self) -> PathBuf {
        self.root.join("plans")
    }

    /// One file for each slug that a session has taken.
    pub(crate) fn slugs_dir(&self) -> PathBuf {
        self.plans_dir().join(".slugs")
    }

    /// The folders the user trusts.
    pub(crate) fn trusted_file(&self) -> PathBuf {
        self.root.join("trusted.json")
    }

    /// The file that remembers what this machine can enforce.
    pub fn protection_file(&self) -> PathBuf {
        self.root.join("protection")
    }

    /// The folder of the scratch copies in which commands work while planning.
    pub fn scratch_dir(&self) -> PathBuf {
        self.root.join("scratch")
    }

    /// Where the projects' session logs lie.
    pub fn projects_dir(&self) -> PathBuf {
        self.root.join("projects")
    }

    /// Where the session logs of the project at `cwd` lie. Two paths can share a folder (`/a/b` and
    /// `/a-b`); the first entry of a log tells whose it is.
    pub fn project_dir(&self, cwd: &Path) -> PathBuf {
        let mut name: String = cwd
            .to_string_lossy()
            .chars()
            .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
            .collect();
        if name.len() > bounds::FOLDER_NAME_CHARS {
            let digest = Sha256::digest(cwd.as_os_str().as_bytes());
            name.truncate(bounds::FOLDER_NAME_CHARS);
            name.push('-');
            name.extend(digest.iter().take(8).map(|byte| format!("{byte:02x}")));
        }
        self.projects_dir().join(name)
    }
}

/// Makes a folder and those above it, each 0700; what is there already is left as it is.
///
/// # Errors
/// As the operating system says; the path named is the folder that could not be made.
pub(crate) fn make_private_folder(folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() {
        return Ok(());
    }
    // A link to a folder that is not there yet: make that one.
    let real = place::real(folder).map_err(|error| StoreError::io("make the folder", folder, &error))?;
    make_folders(&real)
}

fn make_folders(folder: &Path) -> Result<(), StoreError> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        make_folders(above)?;
    }
    let made = match DirBuilder::new().mode(PRIVATE_FOLDER).create(folder) {
        // The umask can only have taken permissions away; give them back.
        Ok(()) => fs::set_permissions(folder, Permissions::from_mode(PRIVATE_FOLDER)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) => Err(error),
    };
    made.map_err(|error| StoreError::io("make the folder", folder, &error))
}

/// Opens a new file, 0600, for appending.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).read(true).create_new(true).mode(PRIVATE_FILE).open(path)?;
    file.set_permissions(Permissions::from_mode(PRIVATE_FILE))?;
    Ok(file)
}
