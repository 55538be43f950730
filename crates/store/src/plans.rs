//! Plan files and their names (plan-mode.md section 5).

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use planwright_core::bounds;
use planwright_core::text::{self, Decoded, Encoding};
use rustix::fs::{Access, OFlags};

use crate::atomic::{self, Durability, NewFile};
use crate::error::{Fault, StoreError};
use crate::home::{Home, create_private_file, make_private_folder};
use crate::log::path_safe;
use crate::settings::SettingWarning;
use crate::{place, words};

/// Where the plans of a project go. Found once; the answer is remembered.
#[derive(Clone, Debug)]
pub struct Plans {
    folder: PathBuf,
    slugs: PathBuf,
    project: PathBuf,
    shared: bool,
}

/// The name of a session's plan: lower-case words and digits, joined by `-`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slug(String);

/// A plan file, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanRead {
    /// There is no such file: no plan.
    None,
    /// The plan.
    Text {
        /// Its text, without a byte-order mark.
        text: String,
        /// How the file stores it.
        encoding: Encoding,
        /// What a person should know: undecodable bytes, a cut.
        warning: Option<String>,
    },
    /// Something is there that cannot be read as a plan; why, as a clause.
    Unreadable(String),
}

/// A plan file in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanFile {
    /// Its name without `.md`.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
    /// When it was last changed.
    pub modified: Timestamp,
}

impl Slug {
    /// The slug, if it is fit to be a file's name: what a log holds may have been written by anybody.
    pub fn parse(text: &str) -> Option<Self> {
        let fit = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        ((1..=bounds::SLUG_CHARS).contains(&text.len()) && text.bytes().all(fit)).then(|| Self(text.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Plans {
    /// Where the plans of the project at `project_root` go: `plansDirectory` if it is given and good,
    /// else the home's plans folder; if it is given and not good, with a warning that says why. Nothing
    /// is made.
    pub fn new(home: &Home, project_root: &Path, plans_directory: Option<&str>) -> (Self, Option<SettingWarning>) {
        let chosen = plans_directory.map(|setting| (setting, inside(project_root, setting)));
        let (folder, warning) = match chosen {
            None => (None, None),
            Some((_, Ok(folder))) => (Some(folder), None),
            Some((setting, Err(why))) => {
                let message = format!(
                    "`plansDirectory` {}: {why}; plans go to {} instead",
                    serde_json::Value::from(setting),
                    home.plans_dir().display()
                );
                (None, Some(SettingWarning { file: None, line: None, message }))
            }
        };
        // If the home cannot be looked at, the first write says so.
        let default = place::real(&home.plans_dir()).unwrap_or_else(|_| home.plans_dir());
        let plans = Self {
            shared: folder.is_none(),
            folder: folder.unwrap_or(default),
            slugs: home.slugs_dir(),
            project: place::real(project_root).unwrap_or_else(|_| project_root.to_owned()),
        };
        (plans, warning)
    }

    /// The folder, as a real path. It may not be there yet.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names a new plan: a slug that no session on this machine has taken and no file has. No plan file
    /// is made. The same seed yields the same names in the same order, so take one that differs from
    /// session to session.
    ///
    /// # Errors
    /// The slug cannot be noted in the home, or [`bounds::SLUG_TRIES`] in a row were taken.
    pub fn new_slug(&self, seed: u64) -> Result<Slug, StoreError> {
        const DOING: &str = "name a new plan in";
        make_private_folder(&self.slugs)?;
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..bounds::SLUG_TRIES {
            let slug = Slug(words::three(&mut random));
            // Making this file is what decides between two sessions that have the same idea.
            let note = self.slugs.join(&slug.0);
            match create_private_file(&note).and_then(|mut note| note.write_all(self.project.as_os_str().as_bytes())) {
                Ok(()) if fs::symlink_metadata(self.path(&slug)).is_err() => return Ok(slug),
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::io(DOING, &note, &error)),
            }
        }
        let cause = format!("{} random names in a row are taken", bounds::SLUG_TRIES);
        Err(StoreError::new(Fault::Exists, DOING, &self.folder, &cause, "Try again, or remove old plans there."))
    }

    /// The session's plan file: a real path, also before the file is there.
    pub fn path(&self, slug: &Slug) -> PathBuf {
        self.folder.join(format!("{slug}.md"))
    }

    /// A subagent's plan file, beside the session's. Characters of the id that are not ASCII letters,
    /// digits, `-` or `_` become `-`.
    pub fn agent_path(&self, slug: &Slug, agent_id: &str) -> PathBuf {
        self.folder.join(format!("{slug}-agent-{}.md", path_safe(agent_id)))
    }

    /// Reads a plan file; one longer than [`bounds::PLAN_BYTES`] is not read. A link at the place is not followed:
    /// the plan's identity is its real path.
    pub fn read(&self, path: &Path) -> PlanRead {
        match read_bytes(path) {
            Ok(None) => PlanRead::None,
            Ok(Some(bytes)) => decoded(&bytes),
            Err(why) => PlanRead::Unreadable(why),
        }
    }

    /// Writes a plan file as a whole; its folder is made if need be. A file that is there keeps its
    /// permissions, its encoding, and its line ends where they are all of one kind.
    ///
    /// # Errors
    /// The plan before is still there. Refused are a place outside the plans' folder, a folder that has
    /// become a link, and at the file's place a link, a hard link to another file, or a folder.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), StoreError> {
        const DOING: &str = "write the plan";
        let refused = |cause: &str, hint: &str| Err(StoreError::new(Fault::Refused, DOING, path, cause, hint));
        if path.parent() != Some(&*self.folder) || path.file_name().is_none() {
            return refused("it is not in the folder for plans", "Use a name in that folder.");
        }
        make_private_folder(&self.folder)?;
        if fs::canonicalize(&self.folder).ok().as_ref() != Some(&self.folder) {
            return refused("its folder was replaced by a link", "Put the folder back, or start again.");
        }
        match fs::symlink_metadata(path) {
            Ok(old) if old.is_file() && old.nlink() > 1 => {
                return refused("it is a hard link to another file", "Remove the file; that leaves the other one.");
            }
            // Links and folders are refused by the write itself.
            Ok(_) | Err(_) => {}
        }
        let bytes = match read_bytes(path) {
            Ok(Some(old)) => as_before(text, &old),
            Ok(None) | Err(_) => text.as_bytes().to_vec(),
        };
        atomic::write(path, &bytes, NewFile::Private, Durability::Synced)
    }

    /// The plan files of this project, the last changed first. In the folder that projects share, a
    /// file that another project's session was named for is left out.
    pub fn list(&self) -> Vec<PlanFile> {
        let Ok(files) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut plans: Vec<PlanFile> = files.flatten().filter_map(|file| self.plan_file(&file.path())).collect();
        plans.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.name.cmp(&b.name)));
        plans
    }

    fn plan_file(&self, path: &Path) -> Option<PlanFile> {
        let name = path.file_name()?.to_str()?.strip_suffix(".md")?.to_owned();
        let metadata = fs::symlink_metadata(path).ok().filter(|metadata| metadata.is_file())?;
        let slug = name.split_once("-agent-").map_or(&*name, |(slug, _)| slug);
        let others = self.shared
            && fs::read(self.slugs.join(slug)).is_ok_and(|project| project != self.project.as_os_str().as_bytes());
        let modified = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok())?;
        (!others).then(|| PlanFile { name, path: path.to_owned(), modified })
    }
}

/// The folder that `plansDirectory` names, as a real path: the project root itself or inside it, a
/// folder or not there yet, and one that can be written. Else why not, as a clause.
fn inside(project_root: &Path, setting: &str) -> Result<PathBuf, String> {
    if setting.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    if setting.contains('\0') {
        return Err("it holds a NUL byte".to_owned());
    }
    if setting == "~" || setting.starts_with("~/") {
        return Err("`~` is not expanded here; write a path inside the project".to_owned());
    }
    let unusable = |error: io::Error| format!("it cannot be used: {error}");
    let root = place::real(project_root).map_err(unusable)?;
    let folder = place::real(&root.join(setting)).map_err(unusable)?;
    if !folder.starts_with(&root) {
        return Err(format!("it leads to {}, outside the project {}", folder.display(), root.display()));
    }
    let there = folder.ancestors().find(|part| fs::symlink_metadata(part).is_ok()).unwrap_or(&root);
    if !there.is_dir() {
        return Err(format!("{} is a file, not a folder", there.display()));
    }
    rustix::fs::access(there, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| format!("{} cannot be written: {}", there.display(), io::Error::from(error)))?;
    Ok(folder)
}

/// The bytes of a plan file, at most one more than [`bounds::PLAN_BYTES`]; `None` if it is not there;
/// else why it cannot be read, as a clause.
fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => return Err("a symbolic link stands at its place".to_owned()),
        Ok(found) if found.is_dir() => return Err("it is a folder".to_owned()),
        Ok(found) if !found.is_file() => return Err("it is not a regular file".to_owned()),
        Ok(found) if found.nlink() > 1 => {
            return Err("it has other names elsewhere (hard links)".to_owned());
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    }
    // What stands there may have changed since: follow no link, wait for no pipe.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let read = |file: File| {
        let mut bytes = Vec::new();
        file.take(bounds::PLAN_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match opened.and_then(read) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn decoded(bytes: &[u8]) -> PlanRead {
    // A part of a plan must not stand for the whole: what is not shown would be approved.
    if bytes.len() > bounds::PLAN_BYTES {
        return PlanRead::Unreadable(format!("it is longer than {} bytes", bounds::PLAN_BYTES));
    }
    let Decoded { text, encoding, lossy } = text::decode(bytes);
    let warning = lossy.then(|| "some bytes of the plan file are not text and are shown as \u{FFFD}".to_owned());
    PlanRead::Text { text, encoding, warning }
}

/// The text in the encoding and with the line ends of the file before.
fn as_before(text: &str, old: &[u8]) -> Vec<u8> {
    let Decoded { text: before, encoding, lossy } = text::decode(old);
    let (all, windows) = (before.matches('\n').count(), before.matches("\r\n").count());
    let text = match (windows, all) {
        (_, 0) => text.to_owned(),
        (0, _) => text.replace("\r\n", "\n"),
        (windows, all) if windows == all => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        _ => text.to_owned(),
    };
    // A file in an encoding of its own is not taken as a model.
    text::encode(&text, if lossy { Encoding::Utf8 } else { encoding })
}
