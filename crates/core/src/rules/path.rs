//! Path patterns: gitignore style, with four anchors.

use std::path::{Component, Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Origin;

/// Which paths a rule is about.
#[derive(Clone, Debug)]
pub(super) enum PathPattern {
    /// Every path.
    Any,
    /// A folder itself, and all that is in it.
    Under(PathBuf),
    /// What a gitignore line matches below a folder.
    Line {
        root: PathBuf,
        /// The line, for [`PathPattern::may_match`].
        line: String,
        glob: Box<Gitignore>,
    },
}

impl PathPattern {
    /// Parses the specifier of a path rule; the error is a clause.
    pub(super) fn parse(specifier: &str, origin: &Origin) -> Result<Self, String> {
        if specifier == "*" {
            return Ok(Self::Any);
        }
        if specifier.starts_with('!') {
            return Err("a rule cannot be turned round with `!`; write it under another list instead".to_owned());
        }
        let (mut root, mut rest, mut anchored) = if let Some(rest) = specifier.strip_prefix("//") {
            (PathBuf::from("/"), rest, true)
        } else if let Some(rest) = specifier.strip_prefix('/') {
            (origin.root.clone(), rest, true)
        } else if specifier == "~" || specifier.starts_with("~/") {
            (origin.home.clone(), specifier[1..].trim_start_matches('/'), true)
        } else if specifier.starts_with('~') {
            return Err("only `~/`, the home of whoever runs this, is known".to_owned());
        } else {
            (origin.cwd.clone(), specifier, false)
        };
        loop {
            if rest == "." || rest.starts_with("./") {
                rest = rest[1..].trim_start_matches('/');
            } else if rest == ".." || rest.starts_with("../") {
                root.pop();
                rest = rest[2..].trim_start_matches('/');
            } else {
                break;
            }
            anchored = true;
        }
        if rest.is_empty() {
            return Ok(Self::Under(clean(&root)));
        }
        if rest.split('/').any(|name| matches!(name, "." | "..")) {
            return Err("`.` and `..` can only stand at the start of a path".to_owned());
        }
        let line = match (anchored, rest.starts_with('#')) {
            (true, _) => format!("/{rest}"),
            (false, true) => format!("\\{rest}"),
            (false, false) => rest.to_owned(),
        };
        // The matcher gets paths that are relative to `root` already: given others, it panics.
        let mut builder = GitignoreBuilder::new("");
        builder.allow_unclosed_class(false);
        let added = builder.add_line(None, &line).map(|_| ());
        let glob =
            added.and_then(|()| builder.build()).map_err(|error| format!("its pattern is not valid: {error}"))?;
        if glob.is_empty() {
            return Err("its pattern matches nothing".to_owned());
        }
        Ok(Self::Line { root: clean(&root), line, glob: Box::new(glob) })
    }

    /// Whether `path` (absolute), or a folder it is in, is meant.
    pub(super) fn matches(&self, path: &Path, folder: bool) -> bool {
        match self {
            Self::Any => true,
            Self::Under(root) => path.starts_with(root),
            Self::Line { root, glob, .. } => match path.strip_prefix(root) {
                Ok(rest) if rest.as_os_str().is_empty() => false,
                Ok(rest) => glob.matched_path_or_any_parents(rest, folder).is_ignore(),
                Err(_) => false,
            },
        }
    }

    /// Whether the shell pattern `word` (made absolute) could expand to a path that is meant.
    /// `hidden`: its wildcards match leading dots too.
    pub(super) fn may_match(&self, word: &Path, hidden: bool) -> bool {
        let (root, line) = match self {
            Self::Any => return true,
            Self::Under(root) => (root, "/"),
            Self::Line { root, line, .. } => (root, line.as_str()),
        };
        let names = |path: &Path| -> Vec<String> {
            path.components()
                .filter(|part| matches!(part, Component::Normal(_)))
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect()
        };
        let mut meant: Vec<(String, bool)> = names(root).into_iter().map(|name| (name, false)).collect();
        if !line.trim_end_matches('/').contains('/') {
            meant.push(("**".to_owned(), true));
        }
        meant.extend(line.split('/').filter(|name| !name.is_empty()).map(|name| (name.to_owned(), true)));
        overlap(&names(word), &meant, hidden)
    }
}

/// `path` with `.` and `..` resolved by name only. Links may make the real path another one: that
/// one is judged as well.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                cleaned.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => cleaned.push(part),
        }
    }
    cleaned
}

/// The specifier that means exactly `path`, however it is named.
pub(super) fn exact_specifier(path: &str) -> String {
    let mut specifier = String::from("/");
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' | '#' | ' ') {
            specifier.push('\\');
        }
        specifier.push(c);
    }
    specifier
}

/// Whether some path fits the shell pattern `word` and stands at or below what `meant` fits; a name
/// of `meant` is a pattern if its flag is set, and `**` then is any number of folders.
fn overlap(word: &[String], meant: &[(String, bool)], hidden: bool) -> bool {
    // reach[j]: the names of `word` so far can be used up by the first j names of `meant`.
    let many = |j: usize| meant[j].1 && meant[j].0 == "**";
    let skip = |reach: &mut Vec<bool>| {
        for j in 0..meant.len() {
            if reach[j] && many(j) {
                reach[j + 1] = true;
            }
        }
    };
    let mut reach = vec![false; meant.len() + 1];
    reach[0] = true;
    skip(&mut reach);
    for name in word {
        let mut next = vec![false; meant.len() + 1];
        let globstar = name == "**";
        for j in 0..=meant.len() {
            if !reach[j] {
                continue;
            }
            // Below a path that is meant, everything is.
            if j == meant.len() {
                return true;
            }
            if globstar {
                // It may stand for any number of folders: whatever follows can be reached.
                return true;
            }
            if many(j) {
                next[j] = true;
                next[j + 1] = true;
            } else if names_overlap(name, &meant[j], hidden) {
                next[j + 1] = true;
            }
        }
        skip(&mut next);
        reach = next;
    }
    reach[meant.len()]
}

/// One character, or run of them, of a pattern for a single name.
#[derive(Clone, Copy, PartialEq)]
enum Token {
    Char(char),
    One,
    Many,
}

fn tokens(pattern: &str, is_pattern: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '*' if is_pattern => Token::Many,
            '?' if is_pattern => Token::One,
            '\\' if is_pattern => chars.next().map_or(Token::Many, Token::Char),
            // What stands in classes and alternatives is not looked at: anything could.
            '[' if is_pattern => {
                tokens.push(Token::Many);
                break;
            }
            '{' if is_pattern => {
                tokens.push(Token::Many);
                break;
            }
            c => Token::Char(c),
        });
    }
    tokens
}

/// Whether some name fits both patterns.
fn names_overlap(word: &str, (meant, is_pattern): &(String, bool), hidden: bool) -> bool {
    if !hidden && word.starts_with(['*', '?', '[']) && meant.starts_with('.') {
        return false;
    }
    let (left, right) = (tokens(word, true), tokens(meant, *is_pattern));
    // row[j]: left[..i] and right[..j] have a name in common.
    let mut row = vec![false; right.len() + 1];
    row[0] = true;
    for j in 0..right.len() {
        row[j + 1] = row[j] && right[j] == Token::Many;
    }
    for token in left {
        let mut next = vec![false; right.len() + 1];
        next[0] = row[0] && token == Token::Many;
        for j in 0..right.len() {
            next[j + 1] = match (token, right[j]) {
                (Token::Many, _) => row[j + 1] || next[j],
                (_, Token::Many) => row[j + 1] || next[j],
                (Token::Char(a), Token::Char(b)) => a == b && row[j],
                (Token::One, Token::Char(_) | Token::One) | (Token::Char(_), Token::One) => row[j],
            };
        }
        row = next;
    }
    row[right.len()]
}
