//! `Grep`: text in files.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::sync::Arc;

use grep_matcher::{LineTerminator, Matcher as _};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};
use ignore::types::{Types, TypesBuilder};
use planwright_core::bounds;
use planwright_core::call::{Grep, OutputMode, nearest};
use planwright_core::permit::{Permit, Target, TargetKind};
use rustix::io::Errno;

use crate::bounded::{self, count};
use crate::open;
use crate::outcome::Outcome;
use crate::walk::{self, Cut, Next, Pattern, Stop};

/// Bytes of a result left free for the notes at its end.
const NOTES: usize = 400;

pub(crate) fn run(
    call: &Grep,
    permit: &Arc<Permit>,
    target: &Target,
    root: &Path,
    stop: &Stop,
) -> Result<Outcome, String> {
    match target.kind {
        TargetKind::Folder | TargetKind::File => {}
        TargetKind::Other => return Err(format!("{} is neither a file nor a folder.", target.named)),
        TargetKind::Missing => return Err(format!("There is no file or folder {}.", target.named)),
    }
    let matcher = matcher(call)?;
    let glob = call.glob.as_deref().map(Pattern::new).transpose()?;
    let types = call.file_type.as_deref().map(types).transpose()?;
    let mut searcher = searcher(call);
    let mut results = Results::new(call);
    let hidden = glob.as_ref().is_some_and(|glob| glob.hidden);
    let cut = walk::files(permit, target, hidden, stop, |path, relative| {
        let wanted = glob.as_ref().is_none_or(|glob| glob.matches(relative))
            && types.as_ref().is_none_or(|types| types.matched(path, false).is_whitelist());
        if !wanted {
            return Next::Go;
        }
        results.file(&mut searcher, &matcher, path, &walk::shown(root, path));
        if results.full { Next::Enough } else { Next::Go }
    });
    if cut == Some(Cut::Stopped) {
        return Err("The search was interrupted.".to_owned());
    }
    Ok(Outcome::text(results.finished(call, target, cut)))
}

fn matcher(call: &Grep) -> Result<RegexMatcher, String> {
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(call.ignore_case.unwrap_or(false)).multi_line(true).crlf(true);
    if call.multiline {
        builder.crlf(false).dot_matches_new_line(true);
    }
    builder.build(&call.pattern).map_err(|error| {
        format!(
            "The pattern is not a valid regular expression: {error}\nTo search for the characters themselves, put a \
             backslash before each of . * + ? ( ) [ ] {{ }} | ^ $ \\"
        )
    })
}

fn types(wanted: &str) -> Result<Types, String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let known: Vec<String> = builder.definitions().iter().map(|definition| definition.name().to_owned()).collect();
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    builder.select(wanted).build().map_err(|_| {
        let near = nearest(wanted, &names).map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        format!("There is no file type `{wanted}`.{near} `glob` selects files by any pattern.")
    })
}

fn searcher(call: &Grep) -> Searcher {
    let context = call.context.unwrap_or(0);
    let (before, after) = match call.output_mode {
        OutputMode::Content => (call.before.unwrap_or(context), call.after.unwrap_or(context)),
        OutputMode::FilesWithMatches | OutputMode::Count => (0, 0),
    };
    SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .line_number(true)
        .multi_line(call.multiline)
        // As the matcher is built: `$` matches before a carriage return too, line by line.
        .line_terminator(if call.multiline { LineTerminator::byte(b'\n') } else { LineTerminator::crlf() })
        .before_context(before.min(bounds::GREP_LINES))
        .after_context(after.min(bounds::GREP_LINES))
        .heap_limit(usize::try_from(bounds::FILE_BYTES).ok())
        .build()
}

/// What has been found so far.
struct Results {
    mode: OutputMode,
    numbers: bool,
    limit: usize,
    text: String,
    /// Lines or paths in `text`.
    lines: usize,
    /// No more fits.
    full: bool,
    /// Files with a match.
    files: usize,
    matches: usize,
    /// Files that could not be searched to their end, and why not.
    skipped: Vec<String>,
    binary: usize,
}

impl Results {
    fn new(call: &Grep) -> Self {
        Self {
            mode: call.output_mode,
            numbers: call.line_numbers.unwrap_or(true),
            limit: call.head_limit.filter(|limit| *limit > 0).unwrap_or(bounds::GREP_LINES),
            text: String::new(),
            lines: 0,
            full: false,
            files: 0,
            matches: 0,
            skipped: Vec::new(),
            binary: 0,
        }
    }

    fn file(&mut self, searcher: &mut Searcher, matcher: &RegexMatcher, path: &Path, shown: &str) {
        let file = match open::plain(path) {
            Ok(file) => file,
            // A link, or gone meanwhile.
            Err(error) if matches!(Errno::from_io_error(&error), Some(Errno::LOOP | Errno::NOENT)) => return,
            Err(error) => return self.skip(shown, &error.to_string()),
        };
        match file.metadata() {
            Ok(there) if !there.is_file() => return,
            Ok(there) if there.len() > bounds::FILE_BYTES => return self.skip(shown, "it is too large"),
            Ok(_) => {}
            Err(error) => return self.skip(shown, &error.to_string()),
        }
        let mut one = OneFile { results: self, matcher, shown, matches: 0, binary: false };
        let searched = searcher.search_file(matcher, &file, &mut one);
        let (matches, binary) = (one.matches, one.binary);
        self.binary += usize::from(binary);
        if let Err(error) = searched {
            self.skip(shown, &error.to_string());
        }
        if matches == 0 || self.full {
            return;
        }
        self.files += 1;
        self.matches += matches;
        match self.mode {
            OutputMode::Content => {}
            OutputMode::FilesWithMatches => self.line(shown),
            OutputMode::Count => self.line(&format!("{shown}:{matches}")),
        }
    }

    fn skip(&mut self, shown: &str, why: &str) {
        self.skipped.push(format!("{shown}: {why}"));
    }

    /// Adds a line, unless no more fit.
    fn line(&mut self, line: &str) {
        self.full |= self.lines == self.limit || self.text.len() + line.len() + NOTES > bounds::RESULT_BYTES;
        if !self.full {
            let _ = writeln!(self.text, "{line}");
            self.lines += 1;
        }
    }

    fn finished(self, call: &Grep, target: &Target, cut: Option<Cut>) -> String {
        let mut notes = Vec::new();
        let unit = match self.mode {
            OutputMode::Content => "lines",
            OutputMode::FilesWithMatches | OutputMode::Count => "files",
        };
        match cut {
            Some(Cut::Enough) => {
                notes.push(format!("[there is more; these are the first {} {unit}. Narrow the search.]", self.lines));
            }
            Some(Cut::Entries) => notes.push(format!(
                "[the search ended after {} files and folders. Narrow it with `path` or `glob`.]",
                bounds::SEARCH_ENTRIES
            )),
            Some(Cut::Stopped) | None => {}
        }
        if let Some(first) = self.skipped.first() {
            let files = count(self.skipped.len(), "file");
            let first = bounded::line(first, 150);
            notes.push(format!("[{files} could not be searched; the first is {first}]"));
        }
        if self.mode == OutputMode::Count && self.files > 1 && cut.is_none() {
            notes.push(format!("[{} matches in {} files]", self.matches, self.files));
        }
        if self.text.is_empty() && cut.is_none() {
            let pattern = bounded::line(&call.pattern, 200);
            notes.insert(0, format!("No matches for `{pattern}` in {}.", target.named));
            if target.kind == TargetKind::File && self.binary > 0 {
                notes.push("[it is a binary file, which is not searched]".to_owned());
            }
        }
        self.text + &notes.join("\n")
    }
}

/// Takes in the matches of one file.
struct OneFile<'a> {
    results: &'a mut Results,
    matcher: &'a RegexMatcher,
    shown: &'a str,
    matches: usize,
    binary: bool,
}

impl OneFile<'_> {
    fn show(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) {
        for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let text = String::from_utf8_lossy(line);
            let text = excerpt(self.matcher, text.trim_end_matches(['\r', '\n']));
            let line = match number {
                Some(number) if self.results.numbers => {
                    format!("{}{mark}{}{mark}{text}", self.shown, number + at as u64)
                }
                _ => format!("{}{mark}{text}", self.shown),
            };
            self.results.line(&line);
        }
    }
}

/// A line, or the part of a long one that starts a little before its match.
fn excerpt(matcher: &RegexMatcher, line: &str) -> String {
    const BEFORE: usize = 200;
    if line.len() <= bounds::LINE_CHARS {
        return line.to_owned();
    }
    let start = matcher.find(line.as_bytes()).ok().flatten().map_or(0, |found| found.start());
    match line.floor_char_boundary(start.saturating_sub(BEFORE)) {
        0 => bounded::line(line, bounds::LINE_CHARS),
        from => format!("[{from} bytes] …{}", bounded::line(&line[from..], bounds::LINE_CHARS)),
    }
}

impl Sink for OneFile<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        match self.results.mode {
            OutputMode::Content => {
                self.matches += 1;
                self.show(found.line_number(), ':', found.bytes());
                Ok(!self.results.full)
            }
            OutputMode::FilesWithMatches => {
                self.matches = 1;
                // A NUL further on would make it binary, which is not worth reading on for.
                Ok(false)
            }
            OutputMode::Count => {
                self.matches += 1;
                Ok(true)
            }
        }
    }

    fn context(&mut self, _searcher: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        self.show(context.line_number(), '-', context.bytes());
        Ok(!self.results.full)
    }

    fn context_break(&mut self, _searcher: &Searcher) -> Result<bool, io::Error> {
        self.results.line("--");
        Ok(!self.results.full)
    }

    fn finish(&mut self, _searcher: &Searcher, finish: &SinkFinish) -> Result<(), io::Error> {
        self.binary = finish.binary_byte_offset().is_some();
        Ok(())
    }
}
