//! `Edit`: one text in a file replaced by another.

use std::ops::Range;

use planwright_core::bounds;
use planwright_core::call::{Edit, Write};
use planwright_core::permit::Target;

use crate::bounded::{self, count};
use crate::change::{Change, ReadFirst, Source};
use crate::{diff, textfile, write};

pub(crate) fn change(
    call: &Edit,
    target: &Target,
    source: Source<'_>,
    read_first: ReadFirst<'_>,
) -> Result<Change, String> {
    if target.real.extension().is_some_and(|ext| ext == "ipynb") {
        return Err(format!("{} is a notebook. Use NotebookEdit to change its cells.", target.named));
    }
    if call.old_string.is_empty() {
        return fill(call, target, source, read_first);
    }
    let bytes = source.bytes(target)?;
    read_first.check(target, &bytes)?;
    let decoded = textfile::editable(&target.named, &bytes)?;
    let lines = Lines::new(&decoded.text);
    let old = call.old_string.replace("\r\n", "\n");
    let found: Vec<Range<usize>> = lines.text.match_indices(&old).map(|(at, _)| at..at + old.len()).collect();
    match found.as_slice() {
        [] => return Err(not_found(&target.named, &lines.text, &old)),
        [_, _, ..] if !call.replace_all => return Err(ambiguous(&target.named, &lines.text, &found)),
        _ => {}
    }
    let changed = lines.replaced(&found, &call.new_string);
    if changed.text == decoded.text {
        return Err("The edit would change nothing: the two texts differ only in their line ends.".to_owned());
    }
    let done = format!(
        "Edited {} ({}). It now reads:\n{}",
        target.named,
        count(found.len(), "replacement"),
        diff::snippet(&changed.text, changed.first.start, changed.first.end)
    );
    Ok(Change { old: Some(decoded.text), new: changed.text, encoding: decoded.encoding, done })
}

/// An empty `old_string` stands for an empty file.
fn fill(call: &Edit, target: &Target, source: Source<'_>, read_first: ReadFirst<'_>) -> Result<Change, String> {
    if source.is_there(target) && !source.bytes(target)?.is_empty() {
        return Err(format!(
            "`old_string` is empty, which is only possible for a file that is new or empty, and {} is not. Name the \
             text to replace.",
            target.named
        ));
    }
    let whole = Write { file_path: call.file_path.clone(), content: call.new_string.clone() };
    write::change(&whole, target, source, read_first)
}

/// A text with its line ends made plain, so that a model that writes `\n` finds its text in any
/// file, and the way back to the text as it was.
struct Lines<'a> {
    raw: &'a str,
    text: String,
    /// Where, in `text`, the newlines are that had a carriage return before them.
    crlf: Vec<usize>,
}

/// A text after its replacements.
struct Changed {
    text: String,
    /// What stands for the first replacement.
    first: Range<usize>,
}

impl<'a> Lines<'a> {
    fn new(raw: &'a str) -> Self {
        let crlf = raw.match_indices("\r\n").enumerate().map(|(before, (at, _))| at - before).collect();
        Self { raw, text: raw.replace("\r\n", "\n"), crlf }
    }

    /// The place in the raw text of a place in the plain one: before the carriage return, if it is
    /// at a line's end.
    fn raw(&self, at: usize) -> usize {
        at + self.crlf.partition_point(|newline| *newline < at)
    }

    /// Whether new lines put in the place of `range` end as on Windows: as the lines replaced do,
    /// else as most lines do.
    fn ends_in_crlf(&self, range: &Range<usize>) -> bool {
        let replaced = self.text[range.clone()].matches('\n').count();
        let (of, crlf) = if replaced > 0 {
            let within = |at: usize| self.crlf.partition_point(|newline| *newline < at);
            (replaced, within(range.end) - within(range.start))
        } else {
            (self.text.matches('\n').count(), self.crlf.len())
        };
        crlf * 2 > of
    }

    fn replaced(&self, ranges: &[Range<usize>], new: &str) -> Changed {
        let mut text = String::with_capacity(self.raw.len());
        let (mut done, mut first) = (0, None);
        for range in ranges {
            text.push_str(&self.raw[done..self.raw(range.start)]);
            let start = text.len();
            match self.ends_in_crlf(range) {
                true => text.push_str(&textfile::to_crlf(new)),
                false => text.push_str(new),
            }
            first.get_or_insert(start..text.len());
            done = self.raw(range.end);
        }
        text.push_str(&self.raw[done..]);
        Changed { text, first: first.unwrap_or_default() }
    }
}

fn line_number(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1
}

fn ambiguous(named: &str, text: &str, found: &[Range<usize>]) -> String {
    const LISTED: usize = 10;
    let numbers: Vec<String> =
        found.iter().take(LISTED).map(|range| line_number(text, range.start).to_string()).collect();
    let more = if found.len() > LISTED { ", …" } else { "" };
    format!(
        "`old_string` occurs {} times in {named}, at lines {}{more}. Give more of the lines around it so that it \
         occurs once, or set `replace_all`. Nothing was changed.",
        found.len(),
        numbers.join(", ")
    )
}

/// Says what there is instead: the same line with other white space, or the most similar one.
fn not_found(named: &str, text: &str, old: &str) -> String {
    let wanted = old.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let lines = || text.lines().enumerate().take(bounds::LINES_COMPARED);
    let same = lines().find(|(_, line)| line.trim() == wanted);
    let (hint, line) = match same {
        Some(line) => ("A line like its first one, white space aside, is", Some(line)),
        None => ("The line most like its first one is", most_like(wanted, lines())),
    };
    let near = line.map_or_else(String::new, |(number, line)| {
        format!(" {hint} line {}:\n{}\n", number + 1, bounded::line(line, bounds::LINE_CHARS))
    });
    format!(
        "`old_string` was not found in {named}; nothing was changed. It must be exactly as in the file, white space \
         included, without line numbers.{near}"
    )
}

fn most_like<'t>(wanted: &str, lines: impl Iterator<Item = (usize, &'t str)>) -> Option<(usize, &'t str)> {
    /// Longer lines are not compared: it would take too long.
    const COMPARED_BYTES: usize = 400;
    let mut best = None;
    let mut likeness = 0.5;
    for (number, line) in lines.filter(|(_, line)| line.len() <= COMPARED_BYTES) {
        let ratio = similar::TextDiff::from_chars(wanted, line.trim()).ratio();
        if ratio > likeness {
            (best, likeness) = (Some((number, line)), ratio);
        }
    }
    best.filter(|_| wanted.len() <= COMPARED_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// file, old, new, file after
    #[test]
    fn line_ends_are_kept() {
        let rows = [
            ("a\nb\nc\n", "b", "x\ny", "a\nx\ny\nc\n"),
            ("a\r\nb\r\nc\r\n", "b", "x\ny", "a\r\nx\r\ny\r\nc\r\n"),
            ("a\r\nb\r\nc\r\n", "a\nb\n", "x\n", "x\r\nc\r\n"),
            ("a\r\nb\r\nc\r\n", "a\r\nb", "x", "x\r\nc\r\n"),
            ("a\r\nb", "\nb", "\nc", "a\r\nc"),
            ("a\nb\r\nc\n", "b\nc", "x\ny", "a\nx\r\ny\n"),
            ("a\nb\nc\r\n", "b", "x\ny", "a\nx\ny\nc\r\n"),
            ("a\nb\nc\r\n", "c\n", "x\ny\n", "a\nb\nx\r\ny\r\n"),
            ("a\rb\r\n", "a\rb", "c", "c\r\n"),
            ("aXbXc", "X", "--", "a--b--c"),
            ("é\r\né\r\n", "é", "ü\n", "ü\r\n\r\nü\r\n\r\n"),
        ];
        let wrong: Vec<_> = rows
            .iter()
            .filter_map(|(raw, old, new, after)| {
                let lines = Lines::new(raw);
                let old = old.replace("\r\n", "\n");
                let found: Vec<_> = lines.text.match_indices(&old).map(|(at, _)| at..at + old.len()).collect();
                let text = lines.replaced(&found, new).text;
                (text != *after).then(|| format!("{raw:?} {old:?} -> {new:?}: {text:?}, not {after:?}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
