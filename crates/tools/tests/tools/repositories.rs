//! A repository whose configuration starts programs: commands that only read start none of them.

use std::path::Path;
use std::process::Command;

use planwright_core::permit::Confinement;

use crate::ground::Ground;

/// Settings and attributes by which `git` starts a program on a plain read. `EVIL` makes a mark.
const HOSTILE: &[(&str, &str)] = &[
    ("core.fsmonitor", "EVIL"),
    ("core.hooksPath", "hooks"),
    ("core.pager", "EVIL"),
    ("pager.log", "EVIL"),
    ("diff.external", "EVIL"),
    ("diff.evil.textconv", "EVIL"),
    ("diff.evil.command", "EVIL"),
    ("core.sshCommand", "EVIL"),
    ("core.editor", "EVIL"),
    ("core.askPass", "EVIL"),
    ("alias.l", "!EVIL"),
];

/// Reads that a model runs all day.
const READS: &[&str] = &[
    "git status",
    "git status --short",
    "git diff",
    "git diff --stat",
    "git diff HEAD~1",
    "git log -p -2",
    "git log --oneline | head -3",
    "git show HEAD",
    "git blame a.txt",
    "git grep -n two",
    "git ls-files",
    "cd . && git diff && git log -1",
    "git -c color.ui=never diff",
];

fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=u", "-c", "user.email=u@example.org", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .current_dir(root)
        .output()
        .unwrap();
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A project with two commits and an open change, and a program that leaves `mark` behind.
fn project() -> Ground {
    let mut ground = Ground::with(&[("a.txt", "one\n"), (".gitattributes", "*.txt diff=evil filter=evil\n")]);
    let root = ground.root.clone();
    git(&root, &["init", "-q"]);
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "first"]);
    ground.put("a.txt", "one\ntwo\n");
    git(&root, &["commit", "-qam", "second"]);
    ground.put("a.txt", "one\ntwo\nthree\n");
    let evil = root.join(".git/evil");
    ground.put(".git/evil", format!("#!/bin/sh\ntouch '{}'\ncat \"$@\" 2>/dev/null\n", mark(&root).display()));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&evil, mode).unwrap();
    ground.read_only = true;
    ground
}

fn mark(root: &Path) -> std::path::PathBuf {
    root.parent().unwrap().join("mark")
}

fn hostile(ground: &Ground, settings: &[(&str, &str)]) {
    let evil = ground.root.join(".git/evil");
    for (name, value) in settings {
        git(&ground.root, &["config", name, &value.replace("EVIL", evil.to_str().unwrap())]);
    }
}

#[tokio::test]
async fn reads_start_nothing_that_a_repository_names() {
    let mut ground = project();
    hostile(&ground, HOSTILE);
    let mut wrong = Vec::new();
    for command in READS {
        let outcome = ground.call("Bash", serde_json::json!({"command": command})).await;
        if outcome.is_error {
            wrong.push(format!("{command}: did not run: {}", outcome.content));
        }
        if mark(&ground.root).exists() {
            wrong.push(format!("{command}: a program of the repository ran"));
            std::fs::remove_file(mark(&ground.root)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The same repository, without us: the settings do what they are feared for.
    Command::new("git").arg("diff").current_dir(&ground.root).output().unwrap();
    assert!(mark(&ground.root).exists(), "the repository is not as hostile as it should be");
}

/// A format that a repository sets asks for signatures, and those are checked by a program it names.
#[tokio::test]
async fn reads_check_no_signatures() {
    let mut ground = project();
    let root = ground.root.clone();
    sign_head(&root);
    let programs = ["gpg.program", "gpg.openpgp.program", "gpg.x509.program", "gpg.ssh.program"];
    hostile(&ground, &programs.map(|name| (name, "EVIL")));
    hostile(&ground, &[("format.pretty", "%G? %s")]);
    let mut wrong = Vec::new();
    for (command, proved) in [
        ("git log", true),
        ("git log -p -1", true),
        ("git show HEAD", true),
        ("git log | head -3", true),
        // A signature that is asked for by name.
        ("git log -1 --format='%G?'", false),
        ("git show -s --pretty=%GS", false),
        ("git log --show-signature", false),
    ] {
        let permit = ground.permit("Bash", serde_json::json!({"command": command}));
        if (permit.confinement() == Confinement::ReadOnly) != proved {
            wrong.push(format!("{command}: {}", permit.reason()));
        }
        if !proved {
            continue;
        }
        let outcome = ground.run(permit).await;
        if outcome.is_error || !outcome.content.contains("second") {
            wrong.push(format!("{command}: did not run: {}", outcome.content));
        }
        if mark(&root).exists() {
            wrong.push(format!("{command}: a program of the repository ran"));
            std::fs::remove_file(mark(&root)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Command::new("git").arg("log").current_dir(&root).output().unwrap();
    assert!(mark(&root).exists(), "the repository is not as hostile as it should be");
}

/// Puts a commit with a signature on top: the last one, with a header that `git` takes for one.
fn sign_head(root: &Path) {
    let out = |arguments: &[&str]| {
        let done = Command::new("git").args(arguments).current_dir(root).output().unwrap();
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let commit = out(&["cat-file", "commit", "HEAD"]);
    let (head, message) = commit.split_once("\n\n").unwrap();
    let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAAB\n -----END PGP SIGNATURE-----";
    let file = root.parent().unwrap().join("commit");
    std::fs::write(&file, format!("{head}\n{signature}\n\n{message}")).unwrap();
    let signed = out(&["hash-object", "-t", "commit", "-w", file.to_str().unwrap()]);
    out(&["update-ref", "HEAD", signed.trim()]);
}

/// A repository in the project, known to it or not as a submodule, is read with its own configuration.
#[test]
fn a_project_with_another_repository_in_it_is_not_known_to_be_only_read() {
    let ground = project();
    let sub = ground.root.join("sub");
    ground.put("sub/f", "one\n");
    git(&sub, &["init", "-q"]);
    git(&sub, &["add", "."]);
    git(&sub, &["commit", "-qm", "inner"]);
    let proved = |command: &str| {
        let permit = ground.permit("Bash", serde_json::json!({"command": command}));
        permit.confinement() == Confinement::ReadOnly
    };
    assert!(proved("git status"), "it is not in the index yet");
    git(&ground.root, &["add", "sub"]);
    let evil = ground.root.join(".git/evil");
    git(&sub, &["config", "filter.evil.clean", evil.to_str().unwrap()]);
    ground.put("sub/.git/info/attributes", "* filter=evil\n");
    for (command, only_reads) in [("git status", false), ("git diff", false), ("git log --oneline", true)] {
        assert_eq!(proved(command), only_reads, "{command}");
    }
    // The same without us: the inner filter runs, and the settings that neutralise do not stop it.
    ground.put("sub/f", "two\n");
    let settings = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "core.fsmonitor"), ("GIT_CONFIG_VALUE_0", "false")];
    Command::new("git").arg("status").envs(settings).current_dir(&ground.root).output().unwrap();
    assert!(mark(&ground.root).exists(), "the inner repository is not as hostile as it should be");
}

/// A content filter cannot be switched off: what would run it is not known to only read there.
#[test]
fn reads_that_would_run_a_filter_are_not_known_to_only_read() {
    let ground = project();
    hostile(&ground, &[("filter.evil.clean", "EVIL"), ("filter.evil.smudge", "EVIL")]);
    for (command, runs) in
        [("git status", false), ("git diff", false), ("git log --oneline", true), ("git rev-parse HEAD", true)]
    {
        let permit = ground.permit("Bash", serde_json::json!({"command": command}));
        // What is not proved is asked about, and then runs as it stands.
        let proved = permit.confinement() == Confinement::ReadOnly;
        assert_eq!(proved, runs, "{command}: {}", permit.reason());
    }
}
