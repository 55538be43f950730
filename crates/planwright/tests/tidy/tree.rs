//! The files of the project.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::rust;

/// A text file, with the views of it that the laws read.
pub struct File {
    /// From the project's root, with `/`.
    pub path: String,
    /// As it stands.
    pub text: String,
    /// Rust without comments and tests; strings stand.
    pub code: String,
    /// Rust without comments, strings and tests.
    pub bare: String,
    /// Rust without comments and strings; tests stand.
    pub whole: String,
    /// The paths in `bare`, and where each begins.
    pub paths: Vec<(usize, String)>,
}

impl File {
    fn new(path: String, text: String) -> Self {
        let (mut code, mut bare, mut whole) = (String::new(), String::new(), String::new());
        if path.ends_with(".rs") {
            whole = rust::mask(&text, rust::Strings::Masked);
            let tests = rust::tests(&whole);
            bare = rust::blank(&whole, &tests);
            code = rust::blank(&rust::mask(&text, rust::Strings::Kept), &tests);
        }
        let paths = rust::paths(&bare);
        Self { path, text, code, bare, whole, paths }
    }

    /// The crate's folder name, if the file belongs to one.
    pub fn room(&self) -> Option<&str> {
        self.path.strip_prefix("crates/").and_then(|rest| rest.split('/').next())
    }

    /// A source that ships: under `src`, and no test module.
    pub fn ships(&self) -> bool {
        let in_src = self.path.starts_with("crates/") && self.path.contains("/src/") && self.path.ends_with(".rs");
        in_src && !self.path.ends_with("/tests.rs") && !self.path.contains("/tests/")
    }

    /// Something at a byte of this file.
    pub fn at(&self, byte: usize, what: impl Into<String>) -> Finding {
        let line = 1 + self.text.as_bytes()[..byte].iter().filter(|&&byte| byte == b'\n').count();
        Finding { path: self.path.clone(), line, what: what.into() }
    }
}

/// Something that must not be.
pub struct Finding {
    /// The file.
    pub path: String,
    line: usize,
    what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// The project.
pub struct Tree {
    /// Its text files, by path.
    pub files: Vec<File>,
}

impl Tree {
    /// The one this test belongs to.
    pub fn read() -> Self {
        let root =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the crate stands in a project");
        let mut paths = Vec::new();
        walk(&root, &mut paths);
        paths.sort();
        let files = paths.into_iter().filter_map(|path| {
            let name = path.strip_prefix(&root).expect("the walk began at the root").to_str()?.replace('\\', "/");
            // What is not UTF-8 is no text.
            Some(File::new(name, std::fs::read_to_string(&path).ok()?))
        });
        Self { files: files.collect() }
    }

    /// One of a single file, for samples.
    pub fn of(path: &str, text: &str) -> Self {
        Self { files: vec![File::new(path.to_owned(), text.to_owned())] }
    }

    /// Sources that ship, with their room.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().filter(|file| file.ships()).filter_map(|file| Some((file.room()?, file)))
    }

    /// Manifests of our crates, with their room. A fuzz target is a workspace of its own, for another
    /// compiler, and no part of what is built or shipped.
    pub fn manifests(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files
            .iter()
            .filter(|file| file.path.ends_with("/Cargo.toml") && !file.path.ends_with("/fuzz/Cargo.toml"))
            .filter_map(|file| Some((file.room()?, file)))
    }
}

/// Every file below a folder, but for what git does not keep.
fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the project can be read").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_symlink() || name == ".git" || name == "target" || name == "node_modules" {
            continue;
        }
        if path.is_dir() { walk(&path, paths) } else { paths.push(path) }
    }
}

/// One dependency, as a manifest names it.
pub struct Dependency<'a> {
    /// Where its line begins.
    pub at: usize,
    /// The package.
    pub name: &'a str,
    /// The rest of the line.
    pub rest: &'a str,
    /// Whether only tests have it.
    pub dev: bool,
}

/// The dependencies of all kinds that a manifest names.
pub fn dependencies(manifest: &str) -> Vec<Dependency<'_>> {
    let (mut section, mut at, mut found) = ("", 0, Vec::new());
    for line in manifest.split_inclusive('\n') {
        let name = line.find(|c: char| c != '-' && c != '_' && !c.is_alphanumeric()).unwrap_or(line.len());
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end().trim_end_matches(']');
        } else if section.ends_with("dependencies") && name > 0 {
            let (name, rest) = (&line[..name], line[name..].trim_end());
            found.push(Dependency { at, name, rest, dev: section.ends_with("dev-dependencies") });
        }
        at += line.len();
    }
    found
}
