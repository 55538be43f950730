//! What changed, for the user, and what it looks like now, for the model.

use std::fmt::Write as _;
use std::time::Duration;

use planwright_core::bounds;
use similar::{Algorithm, TextDiff};

use crate::bounded;

/// A unified diff with three lines of context. Line ends are not compared.
pub(crate) fn unified(name: &str, old: &str, new: &str) -> String {
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .timeout(Duration::from_millis(bounds::DIFF_MS))
        .diff_lines(old.as_str(), new.as_str());
    let text = diff.unified_diff().context_radius(3).header(name, name).to_string();
    bounded::middle(text, bounds::RESULT_BYTES)
}

/// The lines from a bit before byte `from` to a bit after byte `to`, numbered.
pub(crate) fn snippet(text: &str, from: usize, to: usize) -> String {
    const AROUND: usize = 3;
    let line_of = |at: usize| text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
    let (first, last) = (line_of(from).saturating_sub(AROUND), line_of(to) + AROUND);
    let mut out = String::new();
    let lines = text.lines().enumerate().skip(first).take(last + 1 - first);
    for (shown, (number, line)) in lines.enumerate() {
        if shown == bounds::SNIPPET_LINES {
            let _ = writeln!(out, "[… to line {}]", last + 1);
            break;
        }
        let _ = writeln!(out, "{}→{}", number + 1, bounded::line(line, bounds::LINE_CHARS));
    }
    out
}
