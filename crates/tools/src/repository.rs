//! What the repository around the project does to `git` commands: a fact of the disk that the judge
//! of commands, which is pure, is given.

use std::path::{Path, PathBuf};

use planwright_core::bounds;
use planwright_core::permit::{CommandContext, directories};
use planwright_store::place;

/// Sections of a repository's configuration by which a `git` command that only reads starts a
/// program even in its neutralised form: content filters, signature programs, and files whose
/// content is not looked at here (gitconfig(1), gitattributes(5)).
const SECTIONS: [&str; 4] = ["filter", "gpg", "include", "includeif"];

/// The facts about `command`, run in `root`. The user's own read-only commands are the caller's to
/// add.
pub fn facts(root: &Path, command: &str) -> CommandContext {
    if !command.contains("git") {
        return CommandContext { neutralised: true, ..CommandContext::default() };
    }
    let own = repository(root);
    let same = |directory: &String| {
        let place = if directory.starts_with('~') { return false } else { root.join(directory) };
        own.is_some() && place.canonicalize().is_ok_and(|place| repository(&place) == own)
    };
    CommandContext {
        user_read_only: Vec::new(),
        repository_runs_programs: own.as_deref().is_some_and(runs_programs),
        // `Bash` runs what was proved to only read in its neutralised form.
        neutralised: true,
        same_repository: directories(command).into_iter().filter(same).collect(),
    }
}

/// The git directory of the repository that `folder` is in, as a real path.
fn repository(folder: &Path) -> Option<PathBuf> {
    let found = folder.ancestors().map(|above| above.join(".git")).find(|git| git.symlink_metadata().is_ok())?;
    if found.is_dir() {
        return found.canonicalize().ok();
    }
    // A work tree or submodule: a file that names the directory (gitrepository-layout(5)).
    let text = text(&found)?;
    let named = text.strip_prefix("gitdir:")?.trim();
    found.parent()?.join(named).canonicalize().ok()
}

/// Whether the configuration of a repository can start a program. What cannot be read can.
fn runs_programs(git: &Path) -> bool {
    if nests(git) {
        return true;
    }
    let common = match text(&git.join("commondir")) {
        Some(named) => git.join(named.trim()),
        None => git.to_owned(),
    };
    [common.join("config"), git.join("config"), git.join("config.worktree")].iter().any(|file| match text(file) {
        Some(text) => hazardous(&text),
        None => file.symlink_metadata().is_ok(),
    })
}

/// The mode of an entry that stands for another repository (gitformat-index(5)), as it is stored.
const GITLINK: [u8; 4] = 0o160_000_u32.to_be_bytes();

/// Whether the repository has others in it: `git status` and `git diff` start git in each of them, with
/// that one's configuration and without the settings that neutralise ours. What cannot be read may.
fn nests(git: &Path) -> bool {
    let index = git.join("index");
    if git.join("modules").exists() || shares_its_index(git) {
        return true;
    }
    match place::small_file(&index, bounds::FILE_BYTES) {
        // Looked for anywhere: a file of just that length is taken for one, and asked about.
        Ok(bytes) => bytes.windows(GITLINK.len()).any(|window| window == GITLINK),
        Err(_) => index.symlink_metadata().is_ok(),
    }
}

/// Whether entries of the index are kept in a second file (`core.splitIndex`).
fn shares_its_index(git: &Path) -> bool {
    let Ok(entries) = git.read_dir() else { return true };
    entries.flatten().any(|entry| entry.file_name().as_encoded_bytes().starts_with(b"sharedindex."))
}

/// Whether a configuration file has one of the [`SECTIONS`].
fn hazardous(config: &str) -> bool {
    let section = |line: &str| {
        let name = line.trim_start().strip_prefix('[')?;
        let name: String = name.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        Some(name.to_ascii_lowercase())
    };
    // A header may follow another on its line, so every `[` begins one.
    config.match_indices('[').filter_map(|(at, _)| section(&config[at..])).any(|name| SECTIONS.contains(&name.as_str()))
}

/// A small text file; `None` if it is not there, too large or not text.
fn text(file: &Path) -> Option<String> {
    place::small_text(file, bounds::GIT_CONFIG_BYTES).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_configuration_that_starts_programs_is_seen() {
        let rows = [
            ("[core]\n\tbare = false\n", false),
            ("[remote \"origin\"]\n\turl = x\n[branch \"filter\"]\n\tremote = origin\n", false),
            ("[filter \"lfs\"]\n\tclean = git-lfs clean\n", true),
            ("[core]\n  [FILTER \"x\"] clean = evil\n", true),
            ("[core] bare = false [include] path = ../evil\n", true),
            ("[includeIf \"gitdir:~/x\"]\npath = y\n", true),
            ("[gpg]\n\tprogram = evil\n", true),
            ("[gpg \"ssh\"]\n\tprogram = evil\n", true),
        ];
        let wrong: Vec<_> = rows.iter().filter(|(text, want)| hazardous(text) != *want).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn the_repository_of_a_place_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/.git")).unwrap();
        fs::create_dir_all(root.join("a/src")).unwrap();
        fs::create_dir_all(root.join("a/.git/worktrees/w")).unwrap();
        fs::create_dir_all(root.join("w")).unwrap();
        fs::write(root.join("a/.git/config"), "[core]\n").unwrap();
        fs::write(root.join("a/.git/worktrees/w/commondir"), "../..\n").unwrap();
        fs::write(root.join("w/.git"), format!("gitdir: {}\n", root.join("a/.git/worktrees/w").display())).unwrap();
        let same = |command: &str| facts(&root.join("a"), command).same_repository;
        assert_eq!(same("cd src && git log"), ["src"]);
        assert_eq!(same("cd ../w && git log"), Vec::<String>::new());
        assert_eq!(same("git -C . log"), ["."]);
        assert!(!facts(&root, "git log").repository_runs_programs);
        assert!(!facts(&root.join("w"), "git log").repository_runs_programs);
        fs::write(root.join("a/.git/config"), "[filter \"x\"]\nclean = y\n").unwrap();
        assert!(facts(&root.join("a"), "git log").repository_runs_programs);
        assert!(facts(&root.join("w"), "git log").repository_runs_programs);
        assert!(!facts(&root.join("a"), "ls").repository_runs_programs);
    }
}
