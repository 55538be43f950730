//! A command line, taken apart once for all the rules that are held against it.

use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use planwright_shell::{Context, Part, Verdict, parts, raw_words};

use super::path::clean;
use crate::bounds::FOLDERS_ENTERED;
use crate::permit::{Target, TargetKind};

/// A command line. What only some rules need is made when the first of them needs it.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// As it stands.
    pub(super) command: &'a str,
    /// The paths of the call, resolved.
    targets: &'a [Target],
    parts: OnceCell<Option<Vec<Part>>>,
    raw: OnceCell<String>,
    verdict: OnceCell<Verdict>,
    paths: RefCell<Vec<Rc<Paths>>>,
}

/// The paths that the words of a line could mean, seen from one project and one home.
#[derive(Debug)]
pub(super) struct Paths {
    cwd: PathBuf,
    home: PathBuf,
    /// The paths of the call under both of their names, and each word as a path; and whether it
    /// could be a folder. Each once.
    pub(super) named: Vec<(PathBuf, bool)>,
    /// The words that the shell would expand, as path patterns.
    pub(super) expanded: Vec<PathBuf>,
    /// The line goes to more folders than were looked at.
    pub(super) too_many: bool,
}

impl<'a> Line<'a> {
    /// Nothing is looked at yet.
    pub(super) const fn new(command: &'a str, targets: &'a [Target]) -> Self {
        Self {
            command,
            targets,
            parts: OnceCell::new(),
            raw: OnceCell::new(),
            verdict: OnceCell::new(),
            paths: RefCell::new(Vec::new()),
        }
    }

    /// Its parts; `None` if it is not understood.
    pub(super) fn parts(&self) -> Option<&[Part]> {
        self.parts.get_or_init(|| parts(self.command).ok()).as_deref()
    }

    /// Its raw words, with single spaces between them.
    pub(super) fn raw(&self) -> &str {
        self.raw.get_or_init(|| raw_words(self.command).join(" "))
    }

    /// What the shell judge says, without the user's own read-only commands.
    pub(super) fn verdict(&self) -> &Verdict {
        self.verdict.get_or_init(|| planwright_shell::judge(self.command, &Context::default()))
    }

    /// What its words could mean to a rule that stands in the project at `cwd`.
    pub(super) fn paths(&self, cwd: &Path, home: &Path) -> Rc<Paths> {
        if let Some(made) = self.paths.borrow().iter().find(|made| made.cwd == cwd && made.home == home) {
            return Rc::clone(made);
        }
        let made = Rc::new(self.make_paths(cwd, home));
        self.paths.borrow_mut().push(Rc::clone(&made));
        made
    }

    fn make_paths(&self, cwd: &Path, home: &Path) -> Paths {
        let words = self.words_that_may_name();
        let mut bases = folders_entered(&words, cwd, home);
        let too_many = bases.len() > FOLDERS_ENTERED;
        bases.truncate(FOLDERS_ENTERED);
        let from_all = |word: &String| bases.iter().map(|base| absolute(word, base, home)).collect::<Vec<_>>();
        let file = |word: &String| self.targets.iter().any(|at| at.named == *word && at.kind == TargetKind::File);
        let targets = self.targets.iter().flat_map(|target| {
            let folder = target.kind != TargetKind::File;
            [(clean(&target.absolute), folder), (target.real.clone(), folder)]
        });
        let words = words.iter().flat_map(|word| from_all(word).into_iter().map(|path| (path, !file(word))));
        let mut once = HashSet::new();
        let mut named: Vec<_> = targets.chain(words).collect();
        named.retain(|path| once.insert(path.clone()));
        let expanded = self.expanded_words().iter().flat_map(from_all).collect();
        Paths { cwd: cwd.to_owned(), home: home.to_owned(), named, expanded, too_many }
    }

    /// Every text in it that could be a path: its words, quoted ones whole, and what is glued to an
    /// option, an `@` (`curl -d @FILE`) or a `:` (`git show HEAD:FILE`).
    fn words_that_may_name(&self) -> Vec<String> {
        let mut words = raw_words(self.command);
        words.extend(self.parts().unwrap_or_default().iter().flat_map(|part| part.words.iter().cloned()));
        let glued = |word: &String| {
            let option = word.strip_prefix('-').and_then(|rest| rest.get(1..));
            let list = word.strip_prefix('@').or_else(|| word.split_once(':').map(|(_, rest)| rest));
            let both = [option, list].into_iter().flatten();
            both.filter(|rest| !rest.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        let more: Vec<_> = words.iter().flat_map(glued).collect();
        words.extend(more);
        words
    }

    /// The words that the shell would expand as patterns.
    fn expanded_words(&self) -> Vec<String> {
        match self.parts() {
            Some(parts) => {
                parts.iter().flat_map(|part| part.globs.iter().filter_map(|at| part.words.get(*at)).cloned()).collect()
            }
            None => raw_words(self.command).into_iter().filter(|word| word.contains(['*', '?', '['])).collect(),
        }
    }
}

/// The folders a line's relative paths could be relative to: the project, and wherever it goes.
fn folders_entered(words: &[String], cwd: &Path, home: &Path) -> Vec<PathBuf> {
    let entered = words
        .windows(2)
        .filter(|pair| matches!(pair[0].as_str(), "cd" | "pushd" | "-C" | "--directory"))
        .map(|pair| absolute(&pair[1], cwd, home));
    std::iter::once(cwd.to_owned()).chain(entered).collect()
}

/// A path as it is written, made absolute by name only.
pub(super) fn absolute(path: &str, base: &Path, home: &Path) -> PathBuf {
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => clean(&home.join(rest.trim_start_matches('/'))),
        Some(_) | None => clean(&base.join(path)),
    }
}
