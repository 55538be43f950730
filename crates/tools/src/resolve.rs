//! The paths of a call, followed to what they name.

use std::collections::{HashSet, VecDeque};
use std::ffi::OsString;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use planwright_core::bounds;
use planwright_core::call::Call;
use planwright_core::permit::{Target, TargetKind};

/// Resolves every path of a call. `root` is the project root; relative paths start there, `~/` at
/// the home directory.
///
/// Of a command these are all words that could be paths, each once; their number is bounded by the
/// length of a command line. Never fails: what cannot be looked at stands as missing.
pub fn targets(root: &Path, call: &Call) -> Vec<Target> {
    targets_from(root, std::env::home_dir().as_deref(), call)
}

/// [`targets`] with the home directory given.
pub fn targets_from(root: &Path, home: Option<&Path>, call: &Call) -> Vec<Target> {
    let mut known = HashSet::new();
    let mut paths = call.paths();
    paths.retain(|path| known.insert(path.clone()));
    paths.into_iter().map(|named| target(root, home, named)).collect()
}

/// Resolves one path.
pub(crate) fn target(root: &Path, home: Option<&Path>, named: String) -> Target {
    let absolute = absolute(root, home, &named);
    let real = real(&absolute);
    let there = real.symlink_metadata().ok();
    Target {
        symlink: absolute.symlink_metadata().is_ok_and(|there| there.is_symlink()),
        kind: there.as_ref().map_or(TargetKind::Missing, kind),
        // A folder's count tells how many folders are in it.
        links: there.as_ref().map_or(0, |there| if there.is_dir() { 1 } else { there.nlink() }),
        identity: there.as_ref().map(|there| (there.dev(), there.ino())),
        named,
        absolute,
        real,
    }
}

fn kind(there: &Metadata) -> TargetKind {
    if there.is_file() {
        TargetKind::File
    } else if there.is_dir() {
        TargetKind::Folder
    } else {
        TargetKind::Other
    }
}

/// The path from the root of the file system, without `.` and doubled slashes; `..` stays, since
/// what it means depends on the links before it.
fn absolute(root: &Path, home: Option<&Path>, named: &str) -> PathBuf {
    let path = match (named.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => root.join(named),
    };
    path.components().collect()
}

/// One step of a path that is still to be taken.
enum Step {
    Root,
    Up,
    Down(OsString),
}

fn steps(path: &Path) -> Vec<Step> {
    path.components()
        .filter_map(|component| match component {
            Component::Prefix(_) | Component::RootDir => Some(Step::Root),
            Component::CurDir => None,
            Component::ParentDir => Some(Step::Up),
            Component::Normal(name) => Some(Step::Down(name.to_owned())),
        })
        .collect()
}

/// Follows every link of an absolute path, the last one too; `..` is taken after following. A name
/// that is not there, or may not be looked at, is taken as written.
fn real(absolute: &Path) -> PathBuf {
    let mut real = PathBuf::from("/");
    let mut links = 0;
    let mut ahead: VecDeque<Step> = steps(absolute).into();
    while let Some(step) = ahead.pop_front() {
        match step {
            Step::Root => real = PathBuf::from("/"),
            Step::Up => {
                real.pop();
            }
            Step::Down(name) => {
                real.push(name);
                if let Ok(link) = real.read_link() {
                    links += 1;
                    if links > bounds::SYMLINKS {
                        // A loop: nothing can be opened there, so its own name will do.
                        return absolute.to_path_buf();
                    }
                    real.pop();
                    for step in steps(&link).into_iter().rev() {
                        ahead.push_front(step);
                    }
                }
            }
        }
    }
    real
}
