//! Paths as models write them, and what they lead to.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use planwright_core::call::{self, Bash, Call};
use planwright_core::permit::Target;
use planwright_core::permit::TargetKind::{self, File, Folder, Missing, Other};
use planwright_tools::resolve::{targets, targets_from};
use serde_json::json;

use crate::ground::Ground;

fn one(root: &Path, home: &Path, path: &str) -> Target {
    let call = call::parse("Read", &json!({"file_path": path})).unwrap();
    let mut targets = targets_from(root, Some(home), &call);
    assert_eq!(targets.len(), 1);
    targets.remove(0)
}

#[test]
fn spellings() {
    let ground = Ground::with(&[("src/a.txt", "a"), ("src/b c/ä.txt", "b"), ("home/.cfg/x", "x")]);
    let root = &ground.root;
    let home = root.join("home");
    symlink("src", root.join("folder-link")).unwrap();
    symlink("src/a.txt", root.join("file-link")).unwrap();
    symlink("nowhere/at-all", root.join("dangling")).unwrap();
    symlink("loop-b", root.join("loop-a")).unwrap();
    symlink("loop-a", root.join("loop-b")).unwrap();
    symlink(root.join("src/b c"), root.join("absolute-link")).unwrap();
    symlink("folder-link/../src", root.join("winding")).unwrap();
    fs::hard_link(root.join("src/a.txt"), root.join("hard")).unwrap();
    let root_text = root.display();

    // as written, real path below the root, kind, is itself a link, names
    let rows: &[(&str, &str, TargetKind, bool, u64)] = &[
        ("src/a.txt", "src/a.txt", File, false, 2),
        (&format!("{root_text}/src/a.txt"), "src/a.txt", File, false, 2),
        ("./src//a.txt", "src/a.txt", File, false, 2),
        (&format!("/{root_text}//src/./a.txt"), "src/a.txt", File, false, 2),
        ("src/../src/a.txt", "src/a.txt", File, false, 2),
        ("src/a.txt/", "src/a.txt", File, false, 2),
        ("src/b c/ä.txt", "src/b c/ä.txt", File, false, 1),
        ("hard", "hard", File, false, 2),
        (".", "", Folder, false, 1),
        ("src/", "src", Folder, false, 1),
        ("folder-link/a.txt", "src/a.txt", File, false, 2),
        ("file-link", "src/a.txt", File, true, 2),
        ("absolute-link/ä.txt", "src/b c/ä.txt", File, false, 1),
        ("winding/a.txt", "src/a.txt", File, false, 2),
        // Up from where the link leads, not from where it stands.
        ("absolute-link/../a.txt", "src/a.txt", File, false, 2),
        ("absolute-link/..", "src", Folder, false, 1),
        ("folder-link/new/deep.txt", "src/new/deep.txt", Missing, false, 0),
        ("none/../src/a.txt", "src/a.txt", File, false, 2),
        ("none/./x/../y", "none/y", Missing, false, 0),
        ("src/a.txt/x", "src/a.txt/x", Missing, false, 0),
        ("dangling", "nowhere/at-all", Missing, true, 0),
        ("loop-a", "loop-a", Other, true, 1),
        ("~/.cfg/x", "home/.cfg/x", File, false, 1),
        ("~//.cfg/x", "home/.cfg/x", File, false, 1),
        ("~", "home", Folder, false, 1),
        ("~other/x", "~other/x", Missing, false, 0),
        ("src/~", "src/~", Missing, false, 0),
        (&"x/".repeat(3_000), &"x/".repeat(3_000), Missing, false, 0),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|(named, real, kind, symlink, links)| {
            let target = one(root, &home, named);
            let found = (&target.real, target.kind, target.symlink, target.links);
            let wanted = (&root.join(real), *kind, *symlink, *links);
            (found != wanted || target.named != *named || target.identity.is_some() != (*kind != Missing))
                .then(|| format!("{named}: {target:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(one(root, &home, "../../../../../../../../../../..").real, Path::new("/"));
    assert_eq!(one(root, &home, "./a/../b").absolute, root.join("a/../b"));
    assert_eq!(one(root, &home, "hard").identity, one(root, &home, "src/a.txt").identity);
    assert_eq!(one(root, &home, "/dev/null").kind, Other);
}

#[test]
fn words_of_a_command() {
    let ground = Ground::with(&[(".env", "secret"), ("src/a.txt", "a")]);
    symlink(".env", ground.root.join("harmless")).unwrap();
    let command = "cat ./harmless src/a.txt \"$(cat .env)\" --file=.env; ls src; ls src > 'out put'";
    let call =
        Call::Bash(Bash { command: command.to_owned(), timeout: None, description: None, run_in_background: false });
    let targets = targets(&ground.root, &call);
    let real: Vec<_> = targets.iter().map(|target| target.real.clone()).collect();
    for path in [".env", "src/a.txt", "src"] {
        assert!(real.contains(&ground.root.join(path)), "{path}: {real:?}");
    }
    let named: Vec<_> = targets.iter().filter(|target| target.named == "src").collect();
    assert_eq!(named.len(), 1, "each word once");
}

/// The longest command line there may be, all of different words, is resolved without trouble.
#[test]
fn many_words() {
    let words: Vec<String> = (0..planwright_core::bounds::COMMAND_LINE_BYTES / 6).map(|n| format!("{n:05}")).collect();
    let call =
        Call::Bash(Bash { command: words.join(" "), timeout: None, description: None, run_in_background: false });
    let ground = Ground::new();
    assert_eq!(targets(&ground.root, &call).len(), words.len());
}
