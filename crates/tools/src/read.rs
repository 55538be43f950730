//! `Read`: a file, with line numbers.

use std::fmt::Write as _;

use planwright_core::bounds;
use planwright_core::call::Read;
use planwright_core::permit::Target;
use planwright_core::text::{self, Decoded};

use crate::bounded::{self, count};
use crate::change::Source;
use crate::outcome::{Outcome, seen};
use crate::{notebook, textfile};

/// Bytes of a result left free for the notes at its end.
const NOTES: usize = 600;

pub(crate) fn run(call: &Read, target: &Target, source: Source<'_>) -> Result<Outcome, String> {
    let bytes = source.bytes(target)?;
    if textfile::binary(&bytes) {
        return Err(format!("{} is a binary file ({} bytes); Read shows text only.", target.named, bytes.len()));
    }
    let decoded = text::decode(&bytes);
    let cells = if target.real.extension().is_some_and(|ext| ext == "ipynb") {
        notebook::shown(&decoded.text).ok()
    } else {
        None
    };
    let content = match cells {
        Some(cells) => numbered(&cells, call, &decoded, Numbers::Off),
        None => numbered(&decoded.text, call, &decoded, Numbers::On),
    };
    Ok(Outcome { content, seen: vec![seen(&target.real, &bytes)], ..Outcome::default() })
}

#[derive(Clone, Copy)]
enum Numbers {
    On,
    Off,
}

/// The lines asked for, and notes on what is not as it seems.
fn numbered(text: &str, call: &Read, decoded: &Decoded, numbers: Numbers) -> String {
    if text.is_empty() {
        return "[the file is empty]".to_owned();
    }
    let total = text.lines().count();
    let first = call.offset.unwrap_or(1).max(1);
    let wanted = call.limit.unwrap_or(bounds::READ_LINES);
    let mut out = String::new();
    let mut next = first;
    for line in text.lines().skip(first - 1).take(wanted) {
        let line = bounded::line(line, bounds::LINE_CHARS);
        if out.len() + line.len() + NOTES > bounds::RESULT_BYTES {
            break;
        }
        let _ = match numbers {
            Numbers::On => writeln!(out, "{next}→{line}"),
            Numbers::Off => writeln!(out, "{line}"),
        };
        next += 1;
    }
    if first > total {
        let _ = writeln!(out, "[the file has {}; there is no line {first}]", count(total, "line"));
    } else if next <= total {
        let _ = writeln!(out, "[lines {first} to {} of {total}; read on with offset {next}]", next - 1);
    }
    if decoded.lossy {
        out.push_str(
            "[some bytes are not valid in this encoding and are shown as U+FFFD; the file cannot be edited as it is]\n",
        );
    }
    out
}
