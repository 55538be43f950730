//! What is told and kept of a command that ran in a scratch copy.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use planwright_core::bounds;
use planwright_core::experiment::Drafts;
use planwright_core::plan::WouldChange;
use planwright_core::text;
use planwright_sandbox::{Attribute, Change, ChangeKind, Changes, Ended, Ending, Kind, Spec};

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

/// Said of a command in the background, which is not waited for.
pub(crate) const IN_BACKGROUND: &str = "\n[it runs in a scratch copy of its own, which does not have what other commands \
     left in theirs and is thrown away when it ends; what it would have changed is not told, and it is no evidence. To \
     learn that, run it in the foreground]";

/// How long a scratch copy lasts.
#[derive(Clone, Copy)]
pub(crate) enum Copy {
    /// For one command.
    OneOff,
    /// Until planning ends.
    Kept,
}

impl Copy {
    pub(crate) const fn of(spec: &Spec) -> Self {
        if spec.view.is_some() { Self::Kept } else { Self::OneOff }
    }

    const fn fate(self) -> &'static str {
        match self {
            Self::OneOff => "discarded",
            Self::Kept => "kept for the commands after it until planning ends, then discarded",
        }
    }
}

/// What a command in a scratch copy would have changed: in words for the model, and in numbers.
/// `None` if it did not run in one.
pub(crate) fn told(ended: &Ended, root: &Path, copy: Copy) -> Option<(String, ScratchRun)> {
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
    Some((words(changes, (&listed, would_change), copy), ScratchRun { exit_code, would_change, sha256 }))
}

/// What a scratch copy would change so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// How many would-be changes there are.
    pub count: usize,
    /// A line for each, the project's own first, as far as there is room.
    pub lines: String,
}

/// All that the commands of a session left in its copy.
pub(crate) fn held(changes: &Changes, root: &Path) -> Held {
    let mut listed = placed(changes, root);
    listed.sort_by_key(|(place, _)| *place);
    let count = usize::try_from(changes.count()).unwrap_or(usize::MAX);
    let mut lines: Vec<String> = listed.iter().take(bounds::CHANGES_SHOWN).map(|(_, change)| line(change)).collect();
    if count > lines.len() {
        lines.push(format!("  and {} more", count - lines.len()));
    }
    if changes.incomplete {
        lines.push("  and perhaps more, which could not be looked at".to_owned());
    }
    Held { count, lines: lines.join("\n") }
}

/// What commands left in the copy, without the folders and what only has other times. Of a file that was
/// edited there, what an edit does not do: an experiment applies contents.
pub(crate) fn others(changes: &Changes, drafts: &Drafts) -> Vec<String> {
    let telling = |attributes: &[Attribute]| {
        attributes.iter().any(|attribute| match attribute {
            Attribute::Mode { .. } | Attribute::Extended => true,
            Attribute::Owner => false,
        })
    };
    let matters = |change: &Change| match change.kind {
        ChangeKind::Created(Kind::Folder) | ChangeKind::Touched => false,
        ChangeKind::Attributes => telling(&change.attributes),
        ChangeKind::Created(Kind::File | Kind::Link | Kind::Special)
        | ChangeKind::Modified(_)
        | ChangeKind::Deleted(_)
        | ChangeKind::Replaced { .. } => !drafts.contains_key(&change.path) || telling(&change.attributes),
    };
    let told = |change: &Change| {
        let kind = if drafts.contains_key(&change.path) { ChangeKind::Attributes } else { change.kind };
        Change { kind, diff: None, ..change.clone() }
    };
    let all: Vec<_> = changes.list.iter().filter(|change| matters(change)).map(told).collect();
    let mut lines: Vec<_> = all
        .iter()
        .take(bounds::EXPERIMENT_OTHERS)
        .map(|change| format!("{change} {}", change.path.display()))
        .collect();
    let more = (all.len() - lines.len()) as u64 + changes.omitted;
    if more > 0 {
        lines.push(format!("and {}", bounded::count(usize::try_from(more).unwrap_or(usize::MAX), "more")));
    }
    if changes.incomplete {
        lines.push("and perhaps more, which could not be looked at".to_owned());
    }
    lines
}

fn line(change: &Change) -> String {
    format!("  {change} {}", text::inert(&change.path.to_string_lossy()))
}

fn words(changes: &Changes, (listed, count): (&[(Place, &Change)], WouldChange), copy: Copy) -> String {
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
    let (parts, fate) = (parts.join(", "), copy.fate());
    let mut text = format!("[it ran in a scratch copy; would have changed {files}: {parts}; {fate}{incomplete}]");
    for (_, change) in listed.iter().take(bounds::CHANGES_SHOWN) {
        text += &format!("\n{}", line(change));
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
        ChangeKind::Attributes | ChangeKind::Touched => "other attributes",
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
        ChangeKind::Attributes | ChangeKind::Touched => false,
    }
}
