//! `Write`: a file's whole content.

use planwright_core::call::Write;
use planwright_core::permit::Target;
use planwright_core::text::{self, Encoding};

use crate::bounded::count;
use crate::change::{Change, ReadFirst, Source};
use crate::textfile;

pub(crate) fn change(
    call: &Write,
    target: &Target,
    source: Source<'_>,
    read_first: ReadFirst<'_>,
) -> Result<Change, String> {
    let old = match source.is_there(target) {
        false => None,
        true => {
            let bytes = source.bytes(target)?;
            let decoded = textfile::editable(&target.named, &bytes)?;
            if !text::blank(&decoded.text) {
                read_first.check(target, &bytes)?;
            }
            Some(decoded)
        }
    };
    let (encoding, old) = old.map_or((Encoding::Utf8, None), |old| (old.encoding, Some(old.text)));
    let new = match &old {
        Some(old) if textfile::all_crlf(old) => textfile::to_crlf(&call.content),
        _ => call.content.clone(),
    };
    let what = if old.is_some() { "Overwrote" } else { "Created" };
    let done = format!("{what} {} ({}).", target.named, count(new.lines().count(), "line"));
    Ok(Change { old, new, encoding, done })
}
