//! Command patterns, and how they are held against a command line.

use planwright_shell::{Part, raw_words};

use super::line::Line;

/// Programs that start the program named in their arguments: a rule that forbids or asks looks
/// past them, and an allow rule with a wildcard behind them covers whatever they start.
pub(super) const WRAPPERS: &[&str] = &[
    "builtin", "busybox", "chroot", "command", "coproc", "doas", "entr", "env", "exec", "find", "flock", "ionice",
    "nice", "nohup", "parallel", "setsid", "stdbuf", "strace", "sudo", "time", "timeout", "unshare", "watch", "xargs",
];

/// Shells, and builtins that run text: what they are given may be a command line itself.
pub(super) const SHELLS: &[&str] =
    &["ash", "bash", "csh", "dash", "eval", "fish", "ksh", "mksh", "pwsh", "sh", "source", "su", "tcsh", "trap", "zsh"];

/// The specifier of a `Bash` rule.
#[derive(Clone, Debug)]
pub(super) struct CommandPattern {
    /// The literal texts between the wildcards.
    pieces: Vec<String>,
    /// It ended in ` *` (or `:*`): the last wildcard, with the space before it, may stand for
    /// nothing. `pieces` are then those of what comes before.
    arguments: bool,
}

impl CommandPattern {
    pub(super) fn parse(specifier: &str) -> Result<Self, String> {
        let specifier = specifier.trim();
        let (body, arguments) = match specifier.strip_suffix(":*").or_else(|| specifier.strip_suffix(" *")) {
            Some(body) => (body.trim_end(), true),
            None => (specifier, false),
        };
        if body.is_empty() {
            return Err("there is no command in it".to_owned());
        }
        let mut pieces = vec![String::new()];
        let mut chars = body.chars().peekable();
        while let Some(c) = chars.next() {
            let piece = pieces.last_mut().expect("there is always a piece");
            match c {
                '\\' if chars.peek() == Some(&'*') => piece.extend(chars.next()),
                '*' => pieces.push(String::new()),
                c => piece.push(c),
            }
        }
        Ok(Self { pieces, arguments })
    }

    /// The specifier that means exactly `command`.
    pub(super) fn exact_specifier(command: &str) -> String {
        command.replace('*', "\\*")
    }

    /// Whether there is a wildcard in it.
    pub(super) fn wild(&self) -> bool {
        self.arguments || self.pieces.len() > 1
    }

    /// The text before the first wildcard, and whether that wildcard begins a new word.
    pub(super) fn literal_start(&self) -> (&str, bool) {
        let text = self.pieces[0].as_str();
        (text, (self.pieces.len() == 1 && self.arguments) || text.ends_with(char::is_whitespace))
    }

    /// Whether it is `*` alone.
    pub(super) fn everything(&self) -> bool {
        self.pieces.len() > 1 && self.pieces.iter().all(String::is_empty)
    }

    /// Whether the whole of `text` fits.
    pub(super) fn matches(&self, text: &str) -> bool {
        let (first, rest) = self.pieces.split_first().expect("there is always a piece");
        let Some(mut text) = text.strip_prefix(first.as_str()) else { return false };
        let Some((last, middle)) = rest.split_last() else {
            return text.is_empty() || (self.arguments && text.starts_with(' '));
        };
        for piece in middle {
            let Some(at) = text.find(piece.as_str()) else { return false };
            text = &text[at + piece.len()..];
        }
        text.ends_with(last.as_str()) || (self.arguments && text.contains(&format!("{last} ")))
    }

    /// Whether some run of words within `text` (single spaces between words) fits: more than
    /// [`Self::matches`] ever says, on purpose.
    fn matches_within(&self, text: &str) -> bool {
        let (first, rest) = self.pieces.split_first().expect("there is always a piece");
        let begins = |at: usize| at == 0 || text[..at].ends_with([' ', '/']);
        let ends = |at: usize| at == text.len() || text[at..].starts_with(' ');
        let mut starts = text.match_indices(first.as_str()).map(|(at, _)| at).filter(|at| begins(*at));
        let Some((last, middle)) = rest.split_last() else {
            return starts.any(|at| ends(at + first.len()));
        };
        // A later start leaves less text for the rest, so the first start decides.
        let Some(mut at) = starts.next().map(|at| at + first.len()) else { return false };
        for piece in middle {
            let Some(found) = text[at..].find(piece.as_str()) else { return false };
            at += found + piece.len();
        }
        last.is_empty() || text[at..].match_indices(last.as_str()).any(|(found, _)| ends(at + found + last.len()))
    }

    /// Whether an allow rule with this pattern covers one part of a line.
    pub(super) fn allows(&self, part: &Part) -> bool {
        if !self.wild() {
            return self.matches(&part.text);
        }
        // A wildcard stands for words. It never covers what is more than a word: a redirection, or
        // a command within the command.
        let count = |text: &str, c: char| text.matches(c).count();
        let more_than_words = part.text.contains(['`', '\n'])
            || ["$(", "<(", ">(", "${"].iter().any(|open| part.text.contains(open))
            || ['<', '>']
                .iter()
                .any(|c| count(&part.text, *c) != part.words.iter().map(|w| count(w, *c)).sum::<usize>());
        if more_than_words {
            return false;
        }
        self.matches(&part.text)
            || (part.words.iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace))
                && self.matches(&part.words.join(" ")))
    }

    /// Whether a deny or ask rule with this pattern catches a command line: as it stands, in any of
    /// its parts, past assignments and wrappers, and wherever the line is not understood, anywhere
    /// in its text.
    pub(super) fn catches(&self, line: &Line<'_>) -> bool {
        if self.matches(line.command.trim()) {
            return true;
        }
        match line.parts() {
            Some(parts) => parts.iter().any(|part| self.catches_part(part)),
            None => self.matches_within(line.raw()),
        }
    }

    fn catches_part(&self, part: &Part) -> bool {
        if self.matches(&part.text) || self.matches(&part.words.join(" ")) {
            return true;
        }
        let words: Vec<_> = part.words.iter().skip_while(|word| is_assignment(word)).map(String::as_str).collect();
        let Some((head, rest)) = words.split_first() else { return false };
        let name = base_name(head);
        let plain = std::iter::once(name).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ");
        self.matches(&words.join(" "))
            || self.matches(&plain)
            || ((WRAPPERS.contains(&name) || SHELLS.contains(&name) || part.text.contains(['`', '$', '<', '>']))
                && self.matches_within(&raw_words(&part.text).join(" ")))
    }
}

/// `NAME=value` before a command.
pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.trim_end_matches('+').chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The name of a program without its folder.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
