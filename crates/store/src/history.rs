//! What the user typed in a project, for the input line of later sessions: one JSON string a line,
//! appended. Losing some of it is no loss of work, so nothing is synced and nothing is an error.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use planwright_core::bounds;

use crate::home::{Home, PRIVATE_FILE, make_private_folder};
use crate::place::small_text;

fn file(home: &Home, project: &Path) -> PathBuf {
    home.project_dir(project).join("history")
}

/// The last texts typed in a project, oldest first. Lines that cannot be read are left out.
pub fn load(home: &Home, project: &Path) -> Vec<String> {
    let Ok(text) = small_text(&file(home, project), bounds::HISTORY_BYTES) else { return Vec::new() };
    let texts: Vec<String> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let over = texts.len().saturating_sub(bounds::HISTORY_TEXTS);
    texts.into_iter().skip(over).collect()
}

/// Adds a text. A file that has grown too long is begun anew with its last texts.
///
/// # Errors
/// The file cannot be written.
pub fn add(home: &Home, project: &Path, text: &str) -> io::Result<()> {
    let path = file(home, project);
    make_private_folder(&home.project_dir(project)).map_err(|error| io::Error::other(error.message()))?;
    let line = serde_json::to_string(text)? + "\n";
    let length = std::fs::metadata(&path).map_or(0, |meta| meta.len());
    if length + line.len() as u64 > bounds::HISTORY_BYTES {
        let mut kept: String = load(home, project)
            .iter()
            .rev()
            .take(bounds::HISTORY_TEXTS / 2)
            .rev()
            .filter_map(|text| serde_json::to_string(text).ok())
            .map(|line| line + "\n")
            .collect();
        kept += &line;
        let replaced = crate::atomic::write(
            &path,
            kept.as_bytes(),
            crate::atomic::NewFile::Private,
            crate::atomic::Durability::Cached,
        );
        return replaced.map_err(|error| io::Error::other(error.message()));
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(PRIVATE_FILE);
    options.open(path)?.write_all(line.as_bytes())
}
