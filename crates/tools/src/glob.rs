//! `Glob`: files by name.

use std::path::Path;
use std::sync::Arc;

use planwright_core::bounds;
use planwright_core::call::Glob;
use planwright_core::permit::{Permit, Target, TargetKind};

use crate::bounded;
use crate::outcome::Outcome;
use crate::walk::{self, Cut, Next, Pattern, Stop};

pub(crate) fn run(
    call: &Glob,
    permit: &Arc<Permit>,
    target: &Target,
    root: &Path,
    stop: &Stop,
) -> Result<Outcome, String> {
    match target.kind {
        TargetKind::Folder => {}
        TargetKind::File | TargetKind::Other => {
            return Err(format!("{} is not a folder. Use Read for a file.", target.named));
        }
        TargetKind::Missing => return Err(format!("There is no folder {}.", target.named)),
    }
    let pattern = Pattern::new(&call.pattern)?;
    let mut found = Vec::new();
    let mut bytes = 0;
    let cut = walk::files(permit, target, pattern.hidden, stop, |path, relative| {
        if !pattern.matches(relative) {
            return Next::Go;
        }
        let shown = walk::shown(root, path);
        bytes += shown.len() + 1;
        if found.len() == bounds::GLOB_PATHS || bytes + 200 > bounds::RESULT_BYTES {
            return Next::Enough;
        }
        found.push(shown);
        Next::Go
    });
    let note = match cut {
        None => None,
        Some(Cut::Enough) => {
            Some(format!("[more files match; these are the first {} by path. Narrow the pattern.]", found.len()))
        }
        Some(Cut::Entries) => Some(format!(
            "[the search ended after {} files and folders. Narrow it with `path`.]",
            bounds::SEARCH_ENTRIES
        )),
        Some(Cut::Stopped) => return Err("The search was interrupted.".to_owned()),
    };
    if found.is_empty() && note.is_none() {
        return Ok(Outcome::text(format!(
            "No files match `{}` in {} (ignored and hidden files are not searched).",
            bounded::line(&call.pattern, bounds::LINE_CHARS),
            target.named
        )));
    }
    found.extend(note);
    Ok(Outcome::text(found.join("\n")))
}
