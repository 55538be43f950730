//! Platforms where commands cannot be confined yet. See `seatbelt` for what macOS will use.

use std::process::ExitCode;

/// No program is a box here.
pub(crate) fn boxed_main() -> Option<ExitCode> {
    None
}

/// There is no such request here.
pub(crate) const fn close_to_others() {}

/// The lock that says that a box has a scratch copy.
pub(crate) const BUSY: &str = "busy";

/// Removes a file or a whole folder.
pub(crate) fn remove(path: &std::path::Path) -> std::io::Result<()> {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

/// There is no bubblewrap.
pub(crate) fn find_bubblewrap() -> Result<std::path::PathBuf, String> {
    Err("bubblewrap is for Linux".to_owned())
}

/// No version of it would do.
pub(crate) fn new_bubblewrap(_: &str) -> Result<(), String> {
    Err("bubblewrap is for Linux".to_owned())
}

/// Nothing depends on it.
pub(crate) const fn bubblewrap_key() -> String {
    String::new()
}

/// Nothing is covered here.
pub(crate) fn covers(_: &std::path::Path) -> bool {
    false
}
