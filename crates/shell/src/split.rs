//! Splits a command line into its simple commands, for permission rules.

use std::fmt;

/// One simple command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The source text, trimmed.
    pub text: String,
    /// The words as the program would receive them, quotes removed. A word that holds an unquoted
    /// `*`, `?` or `[` is listed in `globs` by its index.
    pub words: Vec<String>,
    /// Indices of words that the shell would expand as patterns.
    pub globs: Vec<usize>,
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

/// The simple commands of `command`, in order, or the first thing that is not understood.
///
/// Strict on purpose: expansions, redirections, groups and everything else whose effect is not
/// plain from the text are refused.
pub fn parts(command: &str) -> Result<Vec<Part>, Unparsed> {
    let refuse = |at: usize, message: &str| Err(Unparsed { at, message: message.to_owned() });
    let (mut found, mut start) = (Vec::new(), 0);
    let (mut words, mut globs, mut word) = (Vec::new(), Vec::new(), None::<String>);
    let mut glob = false;
    let mut chars = command.char_indices().peekable();
    macro_rules! end_word {
        () => {
            if let Some(done) = word.take() {
                if std::mem::take(&mut glob) {
                    globs.push(words.len());
                }
                words.push(done);
            }
        };
    }
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' | '\t' => end_word!(),
            '\n' | ';' | '&' | '|' => {
                end_word!();
                if let Some((_, next)) = chars.peek().copied()
                    && ((c == '&' && next == '&') || (c == '|' && (next == '|' || next == '&')))
                {
                    chars.next();
                }
                if !words.is_empty() {
                    found.push(Part {
                        text: command[start..at].trim().to_owned(),
                        words: std::mem::take(&mut words),
                        globs: std::mem::take(&mut globs),
                    });
                }
                start = chars.peek().map_or(command.len(), |(next, _)| *next);
            }
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some((_, '\'')) => break,
                        Some((_, c)) => word.push(c),
                        None => return refuse(at, "a quote is not closed"),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some((_, '"')) => break,
                        Some((at, '$' | '`' | '\\' | '!')) => {
                            return refuse(at, "an expansion inside double quotes");
                        }
                        Some((_, c)) => word.push(c),
                        None => return refuse(at, "a quote is not closed"),
                    }
                }
            }
            '$' | '`' => return refuse(at, "an expansion"),
            '<' | '>' => return refuse(at, "a redirection"),
            '(' | ')' | '{' | '}' => return refuse(at, "a group or expansion"),
            '\\' => return refuse(at, "a backslash"),
            '#' if word.is_none() => return refuse(at, "a comment"),
            '~' if word.is_none() => return refuse(at, "a tilde"),
            '!' => return refuse(at, "an exclamation mark"),
            c if c.is_control() => return refuse(at, "a control character"),
            c => {
                glob |= matches!(c, '*' | '?' | '[');
                word.get_or_insert_default().push(c);
            }
        }
    }
    end_word!();
    if !words.is_empty() {
        found.push(Part { text: command[start..].trim().to_owned(), words, globs });
    }
    Ok(found)
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
