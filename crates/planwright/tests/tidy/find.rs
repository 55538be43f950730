//! How each law looks for what breaks it.

use crate::rust::holds;
use crate::tables::{
    DERIVES_OF_PERMIT, EMPTY_NAMES, FETCH, HOMES, HOSTS, IMPORTS, IMPURE, LINES, MACHINE_PATHS, PLACES, UNFINISHED,
};
use crate::tree::{File, Finding, Tree, dependencies};

pub fn imports(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (room, file) in tree.manifests() {
        let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == room) else {
            findings.push(file.at(0, format!("the crate `{room}` is not in the table")));
            continue;
        };
        for dependency in dependencies(&file.text) {
            let Some(ours) = dependency.name.strip_prefix("planwright-") else { continue };
            if !allowed.contains(&"*") && !allowed.contains(&ours) {
                findings.push(file.at(dependency.at, format!("`{room}` may not import `{ours}`")));
            }
        }
    }
    findings
}

pub fn homes(tree: &Tree) -> Vec<Finding> {
    let home_of = |name: &str| {
        let name = name.replace('_', "-");
        HOMES.iter().find(|(package, _)| match package.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *package,
        })
    };
    let mut findings = Vec::new();
    for (room, file) in tree.manifests() {
        for dependency in dependencies(&file.text).iter().filter(|dependency| !dependency.dev) {
            if let Some((_, homes)) = home_of(dependency.name)
                && !homes.iter().any(|home| home.split('/').next() == Some(room))
            {
                let homes = homes.join(", ");
                findings.push(file.at(dependency.at, format!("`{}` belongs to crates/{homes}", dependency.name)));
            }
        }
    }
    for (_, file) in tree.sources() {
        for (at, path) in &file.paths {
            if let Some((first, _)) = path.split_once("::")
                && let Some((_, homes)) = home_of(first)
                && !homes.iter().any(|home| file.path.starts_with(&format!("crates/{home}")))
            {
                findings.push(file.at(*at, format!("`{path}` belongs to crates/{}", homes.join(", "))));
            }
        }
    }
    findings
}

/// The face a file of `surfaces` belongs to: the first name below `src`.
fn face(file: &File) -> Option<&str> {
    file.path.strip_prefix("crates/surfaces/src/")?.split(['/', '.']).next()
}

pub fn faces(tree: &Tree) -> Vec<Finding> {
    const FACES: [&str; 6] = ["line", "print", "stream", "tui", "web", "acp"];
    each_path(tree, |_, file, path| {
        let own = face(file)?;
        let (first, rest) = path.split_once("::")?;
        let other = rest.split("::").next().filter(|other| FACES.contains(other) && *other != own)?;
        (first == "crate" && FACES.contains(&own)).then(|| format!("`{own}` imports the face `{other}`"))
    })
}

pub fn pure(tree: &Tree) -> Vec<Finding> {
    each_path(tree, |room, _, path| {
        let found = IMPURE.iter().find(|impure| holds(path, impure))?;
        ["core", "shell"].contains(&room).then(|| format!("`{found}` in `{room}`"))
    })
}

pub fn processes(tree: &Tree) -> Vec<Finding> {
    each_path(tree, |room, _, path| {
        let found = ["process::Command", "unsafe"].into_iter().find(|wanted| holds(path, wanted))?;
        (room != "sandbox").then(|| format!("`{found}` in `{room}`"))
    })
}

pub fn network(tree: &Tree) -> Vec<Finding> {
    each_path(tree, |room, file, path| {
        let found = ["std::net", "tokio::net", "UnixStream"].into_iter().find(|wanted| holds(path, wanted))?;
        let may = room == "model" || file.path.starts_with(&format!("crates/{FETCH}"));
        (!may).then(|| format!("`{found}` in `{room}`"))
    })
}

pub fn keys(tree: &Tree) -> Vec<Finding> {
    let knows = ["model", "planwright"];
    let sources = tree.sources().filter(|(room, _)| !knows.contains(room));
    sources.flat_map(|(_, file)| each(file, &file.code, &["_API_KEY"])).collect()
}

pub fn mode(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file) in tree.sources().filter(|(room, _)| *room != "core") {
        for (at, _) in file.bare.match_indices("Mode::Plan") {
            let before = file.bare[..at].trim_end();
            let after = file.bare[at + "Mode::Plan".len()..].trim_start();
            // One of several modes in a pattern is no question about plan mode.
            let alone = !before.ends_with('|') && !after.starts_with('|');
            let compared =
                before.ends_with("==") || before.ends_with("!=") || after.starts_with("==") || after.starts_with("!=");
            let matched = after.starts_with("=>") || after.starts_with("if ") || before.ends_with("let");
            let in_matches =
                before.ends_with(',') && before.rfind("matches!(").is_some_and(|start| !before[start..].contains(')'));
            if alone && (compared || matched || in_matches) {
                findings.push(file.at(at, "decides by `Mode::Plan`"));
            }
        }
        findings.extend(each(file, &file.bare, &[".planning()"]));
    }
    findings
}

pub fn one_door(tree: &Tree) -> Vec<Finding> {
    let mut findings = each_path(tree, |room, _, path| {
        (!["core", "agent"].contains(&room) && holds(path, "mode::change")).then(|| "calls `mode::change`".to_owned())
    });
    for (_, file) in tree.sources().filter(|(room, _)| *room != "core") {
        findings.extend(each(file, &file.bare, &["ModeChange {"]));
    }
    findings
}

pub fn permit(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file) in tree.sources() {
        for (at, _) in file.bare.match_indices("pub struct Permit ") {
            let attributes = file.bare[..at].trim_end().rsplit(['}', ';']).next().unwrap_or_default().trim();
            if attributes != DERIVES_OF_PERMIT {
                findings.push(file.at(at, format!("`Permit` has {attributes:?}, not {DERIVES_OF_PERMIT:?}")));
            }
        }
    }
    findings
}

pub fn places(tree: &Tree) -> Vec<Finding> {
    tree.sources().filter(|(room, _)| *room != "store").flat_map(|(_, file)| each(file, &file.code, PLACES)).collect()
}

pub fn bounds(tree: &Tree) -> Vec<Finding> {
    /// How far above a read its `take` may stand, in lines.
    const NEAR: usize = 6;
    let mut findings = Vec::new();
    for (_, file) in tree.sources() {
        for needle in ["fs::read(", "read_to_string(", "read_to_end("] {
            for (at, _) in file.bare.match_indices(needle) {
                let taken = needle != "fs::read("
                    && file.bare[..at].lines().rev().take(NEAR).any(|line| line.contains("take("));
                if !taken {
                    findings.push(file.at(at, format!("`{needle}…)` without a bound")));
                }
            }
        }
    }
    findings
}

pub fn printing(tree: &Tree) -> Vec<Finding> {
    let macros = ["println!", "eprintln!", "print!", "eprint!"];
    tree.sources().flat_map(|(_, file)| each(file, &file.bare, &macros)).collect()
}

pub fn unfinished(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        findings.extend(each(file, &file.whole, UNFINISHED));
        if file.path.contains("/tests/") {
            findings.extend(each(file, &file.whole, &["thread::sleep(", "time::sleep("]));
        }
    }
    findings
}

pub fn reading(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.path.ends_with(".rs")) {
        let lines = file.text.lines().count();
        if lines > LINES {
            findings.push(file.at(0, format!("{lines} lines")));
        }
        if !file.text.starts_with("//!") {
            findings.push(file.at(0, "does not begin with what it holds"));
        }
    }
    findings
}

pub fn names(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        for word in ["struct ", "enum ", "trait ", "mod ", "fn ", "type "] {
            for (at, _) in file.whole.match_indices(word) {
                let name = file.whole[at + word.len()..]
                    .split(|c: char| c != '_' && !c.is_alphanumeric())
                    .next()
                    .unwrap_or_default();
                let empty = EMPTY_NAMES.iter().any(|empty| name.ends_with(empty) || name == empty.to_lowercase());
                if empty || name.ends_with("_v2") {
                    findings.push(file.at(at, format!("`{name}`")));
                }
            }
        }
    }
    findings
}

pub fn manifests(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file) in tree.manifests() {
        for dependency in dependencies(&file.text) {
            let rest = dependency.rest.replace(' ', "");
            if rest != ".workspace=true" && !rest.starts_with("={workspace=true") {
                findings.push(
                    file.at(dependency.at, format!("`{}` does not come from the workspace table", dependency.name)),
                );
            }
        }
        findings.extend(each(file, &file.text, &["[dependencies.", "[dev-dependencies.", "[build-dependencies."]));
        if !file.text.contains("[lints]\nworkspace = true") {
            findings.push(file.at(0, "takes none of the workspace's lints"));
        }
    }
    findings
}

pub fn used(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for manifest in tree.files.iter().filter(|file| file.path.ends_with("Cargo.toml")) {
        let folder = manifest.path.trim_end_matches("Cargo.toml");
        for dependency in dependencies(&manifest.text) {
            let module = dependency.name.replace('-', "_");
            let named = |file: &File| {
                let source = file.path.starts_with(folder) && file.path.ends_with(".rs");
                source && !each(file, &file.whole, &[&format!("{module}::"), &format!("{module};")]).is_empty()
            };
            if !tree.files.iter().any(named) {
                findings.push(manifest.at(dependency.at, format!("`{}` is used nowhere", dependency.name)));
            }
        }
    }
    findings
}

pub fn machines(tree: &Tree) -> Vec<Finding> {
    let words: Vec<_> = MACHINE_PATHS.iter().chain(HOSTS).copied().collect();
    tree.files.iter().flat_map(|file| each(file, &file.text, &words)).collect()
}

/// Where these words stand in a view of a file, not in the middle of a longer word.
fn each(file: &File, view: &str, words: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for word in words {
        let begins_a_word = word.starts_with(char::is_alphabetic);
        for (at, _) in view.match_indices(word) {
            let inside = begins_a_word && view[..at].ends_with(|c: char| c == '_' || c.is_alphanumeric());
            if !inside {
                findings.push(file.at(at, format!("`{word}`")));
            }
        }
    }
    findings
}

/// What `judge` objects to among the paths of shipped sources.
fn each_path(tree: &Tree, judge: impl Fn(&str, &File, &str) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (room, file) in tree.sources() {
        for (at, path) in &file.paths {
            findings.extend(judge(room, file, path).map(|what| file.at(*at, what)));
        }
    }
    findings
}
