//! `Write`: a file's whole content, and how every tool saves a file.

use planwright_core::call::Write;
use planwright_core::permit::{Target, TargetKind};
use planwright_core::text::{self, Encoding};
use planwright_store::atomic::{self, Durability, NewFile};

use crate::bounded::count;
use crate::outcome::{Outcome, SessionView, seen};
use crate::{diff, open, textfile};

pub(crate) fn run(call: &Write, target: &Target, view: &SessionView) -> Result<Outcome, String> {
    let old = match target.kind {
        TargetKind::Missing => None,
        TargetKind::File | TargetKind::Folder | TargetKind::Other => {
            let bytes = open::bytes(target)?;
            let decoded = textfile::editable(&target.named, &bytes)?;
            if !text::blank(&decoded.text) {
                textfile::known(view, target, &bytes)?;
            }
            Some(decoded)
        }
    };
    let (encoding, old) = old.map_or((Encoding::Utf8, None), |old| (old.encoding, Some(old.text)));
    let new = match &old {
        Some(old) if textfile::all_crlf(old) => textfile::to_crlf(&call.content),
        _ => call.content.clone(),
    };
    let sha256 = save(target, &text::encode(&new, encoding), view)?;
    let what = if old.is_some() { "Overwrote" } else { "Created" };
    let lines = count(new.lines().count(), "line");
    Ok(Outcome {
        content: format!("{what} {} ({lines}).", target.named),
        is_error: false,
        seen: vec![seen(&target.real, sha256)],
        diff: Some(diff::unified(&target.named, old.as_deref().unwrap_or_default(), &new)),
    })
}

/// Puts `bytes` into the file that was judged, making its folders. Returns their digest.
///
/// # Errors
/// The system refuses; the file is as it was.
pub(crate) fn save(target: &Target, bytes: &[u8], view: &SessionView) -> Result<String, String> {
    let names_folder = target.named.ends_with('/') || target.named.ends_with("/.");
    let (Some(parent), Some(name), false) = (target.real.parent(), target.real.file_name(), names_folder) else {
        return Err(format!("{} names a folder, not a file.", target.named));
    };
    let folder = open::folder(parent)
        .map_err(|error| format!("{} cannot be written: the folder {}: {error}.", target.named, parent.display()))?;
    let (new, durability) = if view.plan_file.as_ref() == Some(&target.real) {
        (NewFile::Private, Durability::Synced)
    } else {
        (NewFile::Shared, Durability::Cached)
    };
    atomic::write(&folder.pinned.join(name), bytes, new, durability).map_err(|error| {
        let pinned = folder.pinned.display().to_string();
        error.to_string().replace(&pinned, &folder.real.display().to_string())
    })?;
    Ok(textfile::sha256(bytes))
}
