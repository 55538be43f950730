//! What is told and kept of a command that ran in a scratch copy.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use planwright_core::bounds;
use planwright_core::plan::WouldChange;
use planwright_sandbox::{Change, ChangeKind, Changes, Ended, Ending, Kind};

use crate::bounded;
use crate::outcome::ScratchRun;
use crate::textfile;

/// Where a would-be change is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Project,
    Ignored,
    Elsewhere,
}

/// What a command in a scratch copy would have changed: in words for the model, and in numbers.
/// `None` if it did not run in one.
pub(crate) fn told(ended: &Ended, root: &Path) -> Option<(String, ScratchRun)> {
    let changes = ended.changes.as_ref()?;
    let mut listed = placed(changes, root);
    // The project's own files first: the list is cut at its end.
    listed.sort_by_key(|(place, _)| *place);
    let count = |of: Place| listed.iter().filter(|(place, _)| *place == of).count() as u64;
    let would_change = WouldChange {
        project: count(Place::Project),
        ignored: count(Place::Ignored),
        elsewhere: count(Place::Elsewhere),
        unlisted: changes.omitted,
    };
    let exit_code = match ended.ending {
        Ending::Exited(code) => Some(code),
        Ending::Signaled(_) | Ending::TimedOut | Ending::Cancelled => None,
    };
    let sha256 = textfile::sha256(ended.output.text().as_bytes());
    Some((words(changes, &listed, would_change), ScratchRun { exit_code, would_change, sha256 }))
}

fn words(changes: &Changes, listed: &[(Place, &Change)], count: WouldChange) -> String {
    let incomplete = if changes.incomplete { "; there may be more, which could not be looked at" } else { "" };
    if count.total() == 0 {
        return format!("[it ran in a scratch copy, and would have changed nothing{incomplete}]");
    }
    let files = bounded::count(usize::try_from(count.total()).unwrap_or(usize::MAX), "file");
    let parts = [
        (count.project, format!("of the project{}", kinds(listed))),
        (count.ignored, "of build output (ignored by git)".to_owned()),
        (count.elsewhere, "elsewhere (caches, temporary files)".to_owned()),
        (count.unlisted, "not looked at in detail".to_owned()),
    ];
    let parts: Vec<_> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, where_to)| format!("{count} {where_to}")).collect();
    let mut text =
        format!("[it ran in a scratch copy; would have changed {files}: {}; discarded{incomplete}]", parts.join(", "));
    for (_, change) in listed.iter().take(bounds::CHANGES_SHOWN) {
        text += &format!("\n  {} {}", change.kind, change.path.display());
    }
    let hidden = count.total().saturating_sub(listed.len().min(bounds::CHANGES_SHOWN) as u64);
    if hidden > 0 {
        text += &format!("\n  and {hidden} more");
    }
    text
}

/// How many of the project's files would have been made, changed, removed.
fn kinds(listed: &[(Place, &Change)]) -> String {
    let name = |kind: ChangeKind| match kind {
        ChangeKind::Created(_) => "created",
        ChangeKind::Modified(_) | ChangeKind::Replaced { .. } => "changed",
        ChangeKind::Deleted(_) => "deleted",
        ChangeKind::Mode { .. } | ChangeKind::Owner | ChangeKind::Touched => "other attributes",
    };
    let parts = ["created", "changed", "deleted", "other attributes"].map(|wanted| {
        let is = |(place, change): &&(Place, &Change)| *place == Place::Project && name(change.kind) == wanted;
        (listed.iter().filter(is).count(), wanted)
    });
    let parts: Vec<_> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn placed<'a>(changes: &'a Changes, root: &Path) -> Vec<(Place, &'a Change)> {
    let ignored = ignored_by(root);
    let place = |change: &Change| match change.path.strip_prefix(root) {
        Err(_) => Place::Elsewhere,
        Ok(inside) if ignored.matched_path_or_any_parents(inside, is_folder(change.kind)).is_ignore() => Place::Ignored,
        Ok(_) => Place::Project,
    };
    changes.list.iter().map(|change| (place(change), change)).collect()
}

/// What the project's own `.gitignore` names; one that cannot be read names nothing.
fn ignored_by(root: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(root);
    let _ = builder.add(root.join(".gitignore"));
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

const fn is_folder(kind: ChangeKind) -> bool {
    match kind {
        ChangeKind::Created(kind) | ChangeKind::Modified(kind) | ChangeKind::Deleted(kind) => {
            matches!(kind, Kind::Folder)
        }
        ChangeKind::Replaced { to, .. } => matches!(to, Kind::Folder),
        ChangeKind::Mode { .. } | ChangeKind::Owner | ChangeKind::Touched => false,
    }
}
