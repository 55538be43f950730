//! The simple commands of a line, for permission rules.

use crate::Context;
use crate::finding::Finding;
use crate::judge::Judge;
use crate::parse::{self, Fail};
use crate::syntax::{Assigned, Assignment, Command, Kind, Piece, RedirectKind, Script, Simple, Span, Word};
use std::fmt;

/// One simple command of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The source text, trimmed.
    pub text: String,
    /// The words as the program would receive them, quotes removed. Assignments before the command
    /// come first, as `name=value`. A word that holds an unquoted `*`, `?` or `[` is listed in
    /// `globs` by its index, one that is only known when it runs in `dynamic`.
    pub words: Vec<String>,
    /// Indices of words that the shell would expand as patterns.
    pub globs: Vec<usize>,
    /// Indices of words that hold an expansion; their text in `words` is the source text.
    pub dynamic: Vec<usize>,
}

/// Why a line could not be split with certainty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unparsed {
    /// Byte offset of the first thing not understood.
    pub at: usize,
    /// What it is, as a clause.
    pub message: String,
}

impl fmt::Display for Unparsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.at)
    }
}

impl From<Fail> for Unparsed {
    fn from(fail: Fail) -> Unparsed {
        Unparsed { at: fail.at, message: fail.message.to_owned() }
    }
}

/// The simple commands of `command`, in order and at any depth, substitutions included; or the
/// first thing that is not understood. What does something although it is no command is refused
/// too, since no rule about commands speaks of it: a redirection to a file, a loop over `PATH`, a
/// test or arithmetic that evaluates the text of a variable.
pub fn parts(command: &str) -> Result<Vec<Part>, Unparsed> {
    let script = parse::script(command)?;
    if let Finding::Changes(trouble) | Finding::Unproved(trouble) = besides_commands(&script, command) {
        return Err(Unparsed { at: trouble.span.start, message: trouble.message });
    }
    let mut found = Vec::new();
    each_simple(&script, &mut |simple, span| {
        if let Some(part) = part(simple, span, command) {
            found.push(part);
        }
    });
    Ok(found)
}

pub(crate) fn part(simple: &Simple, span: &Span, command: &str) -> Option<Part> {
    let mut part = Part { text: command[span.clone()].trim().to_owned(), ..Part::default() };
    for assignment in &simple.assignments {
        let (text, known) = match &assignment.value {
            Assigned::Word(word) => static_text(word).map_or((None, false), |text| (Some(text), true)),
            Assigned::Array(_) => (None, false),
        };
        if !known {
            part.dynamic.push(part.words.len());
        }
        let source = || command[assignment.span.clone()].to_owned();
        part.words.push(text.map_or_else(source, |text| format!("{}={text}", assignment.name)));
    }
    for word in &simple.words {
        if word.bare() != Some("[")
            && word
                .pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Text { text, quoted: false } if text.contains(['*', '?', '['])))
        {
            part.globs.push(part.words.len());
        }
        match static_text(word) {
            Some(text) => part.words.push(text),
            None => {
                part.dynamic.push(part.words.len());
                part.words.push(command[word.span.clone()].to_owned());
            }
        }
    }
    (!part.words.is_empty()).then_some(part)
}

/// What a line does besides starting commands.
fn besides_commands(script: &Script, command: &str) -> Finding {
    Judge::allowing(&Context::default(), command, &|_| true).line(script)
}

/// The text of a word that holds no expansion.
fn static_text(word: &Word) -> Option<String> {
    if let Some(Piece::Text { text, quoted: false }) = word.pieces.first()
        && text.starts_with('~')
    {
        return None;
    }
    crate::judge::plain_text(word)
}

/// Calls `see` with every simple command, at any depth.
pub(crate) fn each_simple<'s>(script: &'s Script, see: &mut dyn FnMut(&'s Simple, &'s Span)) {
    for command in script.items.iter().flat_map(|chain| &chain.pipelines).flat_map(|pipeline| &pipeline.commands) {
        each_in_command(command, see);
    }
}

fn each_in_command<'s>(command: &'s Command, see: &mut dyn FnMut(&'s Simple, &'s Span)) {
    let mut words: Vec<&'s Word> = Vec::new();
    match &command.kind {
        Kind::Simple(simple) => {
            see(simple, &command.span);
            for Assignment { value, .. } in &simple.assignments {
                match value {
                    Assigned::Word(word) => words.push(word),
                    Assigned::Array(list) => words.extend(list),
                }
            }
            words.extend(&simple.words);
        }
        Kind::Group(script) | Kind::Subshell(script) => each_simple(script, see),
        Kind::If { arms, otherwise } => {
            for (condition, body) in arms {
                each_simple(condition, see);
                each_simple(body, see);
            }
            otherwise.iter().for_each(|script| each_simple(script, see));
        }
        Kind::Loop { condition, body } => {
            each_simple(condition, see);
            each_simple(body, see);
        }
        Kind::For { words: list, body, .. } => {
            list.iter().flatten().for_each(|word| each_in_word(word, see));
            each_simple(body, see);
        }
        Kind::Case { word, arms } => {
            each_in_word(word, see);
            for (patterns, body) in arms {
                patterns.iter().for_each(|word| each_in_word(word, see));
                each_simple(body, see);
            }
        }
        Kind::Test(list) => words.extend(list),
    }
    for redirect in &command.redirects {
        match &redirect.kind {
            RedirectKind::From(word) | RedirectKind::To(word) | RedirectKind::Both(word) | RedirectKind::Text(word) => {
                words.push(word)
            }
            RedirectKind::Descriptor | RedirectKind::Document => {}
        }
    }
    words.into_iter().for_each(|word| each_in_word(word, see));
}

fn each_in_word<'s>(word: &'s Word, see: &mut dyn FnMut(&'s Simple, &'s Span)) {
    for piece in &word.pieces {
        if let Piece::Output { script, .. } | Piece::Process { script } = piece {
            each_simple(script, see);
        }
    }
}

/// The directories that `cd`, `pushd` and `git -C` of the line name, for the caller to resolve (see
/// [`Context::same_repository`]).
pub fn directories(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(script) = parse::script(command) {
        each_simple(&script, &mut |simple, _| {
            let texts: Vec<Option<String>> = simple.words.iter().map(static_text).collect();
            match texts.first().and_then(Option::as_deref) {
                Some("cd" | "pushd") => found.extend(texts.into_iter().skip(1).flatten()),
                Some("git") => {
                    let after = texts.iter().position(|text| text.as_deref() == Some("-C"));
                    found.extend(after.and_then(|at| texts.get(at + 1).cloned().flatten()));
                }
                _ => {}
            }
        });
    }
    found.retain(|directory| !directory.starts_with('-'));
    found
}

/// Whether the whole line is one plain command on the user's own list.
pub(crate) fn is_users_own(script: &Script, command: &str, context: &Context) -> bool {
    if context.user_read_only.is_empty() {
        return false;
    }
    let [chain] = script.items.as_slice() else {
        return false;
    };
    let ([pipeline], false) = (chain.pipelines.as_slice(), chain.background) else {
        return false;
    };
    let [Command { kind: Kind::Simple(simple), redirects, span }] = pipeline.commands.as_slice() else {
        return false;
    };
    if !besides_commands(script, command).reads()
        || redirects.iter().any(|redirect| !matches!(redirect.kind, RedirectKind::Descriptor | RedirectKind::To(_)))
        || !simple.assignments.is_empty()
    {
        return false;
    }
    // `!`, `time` and a comment stand outside the command.
    if !command[..span.start].trim().is_empty() || !command[span.end..].trim().is_empty() {
        return false;
    }
    // A brace list or joined line is not plain either.
    let source_words = command[span.clone()].contains(['{', '\\', '\n']);
    let Some(part) = part(simple, span, command) else {
        return false;
    };
    if source_words || !part.dynamic.is_empty() || !part.globs.is_empty() {
        return false;
    }
    let joined = part.words.join(" ");
    context.user_read_only.iter().any(|own| match own.strip_suffix('*') {
        Some(prefix) => joined.starts_with(prefix) || joined == prefix.trim_end(),
        None => joined == own.trim(),
    })
}

/// Every run of text in `command` that could be a word of some command in it: an
/// over-approximation, for deny rules. Quotes and backslashes are dropped, operators separate.
pub fn raw_words(command: &str) -> Vec<String> {
    command
        .replace("\\\n", "")
        .split(|c: char| c.is_whitespace() || ";&|<>(){}`$=".contains(c))
        .map(|word| word.replace(['\'', '"', '\\'], ""))
        .filter(|word| !word.is_empty())
        .collect()
}
