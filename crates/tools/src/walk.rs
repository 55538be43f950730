//! The files that a search looks at.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};
use planwright_core::bounds;
use planwright_core::permit::{Permit, Target, TargetKind};

/// Set when nobody wants the result any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Sets a [`Stop`] when the future that waits for the result is dropped.
pub(crate) struct StopOnDrop(pub(crate) Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// A pattern for paths: without a slash it is for file names in any folder, else for the path from
/// the folder searched. A leading `!` turns it round.
#[derive(Debug)]
pub(crate) struct Pattern {
    matcher: GlobMatcher,
    names_only: bool,
    turned: bool,
    /// It names something hidden, so that hidden files are looked at.
    pub(crate) hidden: bool,
}

impl Pattern {
    /// # Errors
    /// The pattern is not valid, or leaves the folder searched.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let (turned, pattern) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let pattern = pattern.trim_start_matches("./");
        if pattern.starts_with(['/', '~']) || pattern.split('/').any(|part| part == "..") {
            return Err(format!(
                "The pattern `{text}` leads out of the folder that is searched. Give the folder as `path`, and a \
                 pattern relative to it."
            ));
        }
        let matcher = GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| format!("The pattern `{text}` is not valid: {}.", error.kind()))?
            .compile_matcher();
        let hidden = pattern.split(['/', ',', '{']).any(|part| part.starts_with('.'));
        Ok(Self { matcher, names_only: !pattern.contains('/'), turned, hidden })
    }

    pub(crate) fn matches(&self, relative: &Path) -> bool {
        let subject = if self.names_only { relative.file_name().map(Path::new) } else { Some(relative) };
        subject.is_some_and(|subject| self.matcher.is_match(subject)) != self.turned
    }
}

/// A search that ended before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The visitor had enough.
    Enough,
    /// There were too many files.
    Entries,
    /// Nobody wants the result any more.
    Stopped,
}

/// What the visitor says to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Go,
    Enough,
}

/// Visits the files below a folder, by path, each with its path from the folder; or the one file
/// that the target is. What `.gitignore` files name is left out, inside a repository or not; so are
/// hidden files unless wanted, `.git`, and what may not be read. Links are listed, not followed.
pub(crate) fn files(
    permit: &Arc<Permit>,
    target: &Target,
    hidden: bool,
    stop: &Stop,
    mut visit: impl FnMut(&Path, &Path) -> Next,
) -> Option<Cut> {
    if target.kind == TargetKind::File {
        let name = target.real.file_name().map(PathBuf::from).unwrap_or_default();
        return (visit(&target.real, &name) == Next::Enough).then_some(Cut::Enough);
    }
    let mut walk = WalkBuilder::new(&target.real);
    walk.hidden(!hidden).require_git(false).follow_links(false).sort_by_file_name(Ord::cmp).filter_entry({
        let permit = Arc::clone(permit);
        move |entry| wanted(entry, &permit)
    });
    for (count, entry) in walk.build().enumerate() {
        if stop.is_set() {
            return Some(Cut::Stopped);
        }
        if count == bounds::SEARCH_ENTRIES {
            return Some(Cut::Entries);
        }
        // A folder that cannot be listed is left out, as if it were ignored.
        let Ok(entry) = entry else { continue };
        if entry.file_type().is_none_or(|kind| kind.is_dir()) {
            continue;
        }
        let Ok(relative) = entry.path().strip_prefix(&target.real) else { continue };
        if visit(entry.path(), relative) == Next::Enough {
            return Some(Cut::Enough);
        }
    }
    None
}

fn wanted(entry: &DirEntry, permit: &Permit) -> bool {
    entry.depth() == 0 || (entry.file_name() != ".git" && !permit.rules().read_denied(entry.path()))
}

/// A path as results show it: from the project root where it is inside.
pub(crate) fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
