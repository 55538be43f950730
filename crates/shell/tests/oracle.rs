//! Holds the judge against a real shell.
//!
//! One test runs lines that were judged read-only in a throw-away world, without network and with
//! everything outside the world read-only, and looks for any change: names, contents, modes, times.
//! The other lets bash try to run the lines that [`parts`] accepts, where no program exists, and
//! compares what it tried to run with what was found.
//!
//! This is the only file of the crate that starts processes. `PLANWRIGHT_ORACLE_LINES` sets how
//! many lines are judged (thousands a second) and `PLANWRIGHT_ORACLE_SEED` which.

#![allow(clippy::disallowed_methods, reason = "the oracle is a world to look at, and bash")]

mod generate;
mod manual;

use generate::{Dice, Programs};
use planwright_shell::{Context, Verdict, judge, neutralised, parts};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What is on the disk: by path, everything that a change would show in.
type Tree = BTreeMap<PathBuf, (u32, u64, i64, i64, i64, i64, u64)>;

fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut open = vec![root.to_owned()];
    while let Some(path) = open.pop() {
        let facts = fs::symlink_metadata(&path).expect("the world can be looked at");
        if facts.is_dir() {
            open.extend(
                fs::read_dir(&path).expect("the world can be read").map(|entry| entry.expect("an entry").path()),
            );
        }
        // Programs may keep a file in the temporary folder for a moment.
        let times = if path.ends_with("tmp") {
            (0, 0, 0, 0)
        } else {
            (facts.mtime(), facts.mtime_nsec(), facts.ctime(), facts.ctime_nsec())
        };
        found.insert(path, (facts.mode(), facts.size(), times.0, times.1, times.2, times.3, facts.ino()));
    }
    found
}

/// A folder with a small repository, and names that look like options.
struct World {
    root: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let root = tempfile::tempdir().expect("a temporary folder");
        let world = World { root };
        let repo = world.repo();
        for folder in ["src", "docs", "hostile", "../home", "../tmp"] {
            fs::create_dir_all(repo.join(folder)).expect("a folder");
        }
        let write = |name: &str, text: &str| fs::write(repo.join(name), text).expect("a file");
        write("a.txt", "alpha\nbeta\n-delete\n");
        write("b.txt", "beta\n");
        write("notes.txt", "-o new\ntouch new\n; rm a.txt\n");
        write("opts", "--output=new\n-onew\n");
        write("data.json", "{\"items\":[{\"tag\":\"-d\"}]}\n");
        write("README.md", "# world\n$(touch new)\n");
        write("src/lib.rs", "fn alpha() {}\n");
        write("docs/guide.md", "guide\n");
        write("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\n");
        write("package.json", "{\"name\":\"x\",\"version\":\"1.0.0\"}\n");
        write("data.csv", "a,b,c\n1,2,3\n");
        write("config.yaml", "server:\n  port: 1\n");
        write("app.log", "ERROR x\nINFO y\n");
        write("cmds.txt", "touch new\n");
        write("-onew", "x\n");
        write("--output=new", "x\n");
        write("-i", "x\n");
        write("-delete", "x\n");
        write("hostile/-fnew", "x\n");
        write("hostile/--pre=sh", "touch new\n");
        write("evil.sh", "#!/bin/sh\ntouch new\n");
        fs::set_permissions(repo.join("evil.sh"), fs::Permissions::from_mode(0o755)).expect("a mode");
        symlink("a.txt", repo.join("link")).expect("a link");
        world.set_up(&[
            "git init -q -b main . && git add -A && git commit -qm one && git tag v1 && echo more >> b.txt && git commit -qam two",
            "git branch feature HEAD~1 && git stash list && echo x >> a.txt && git stash -q && echo dirty >> src/lib.rs && echo new > untracked.txt",
            "git remote add origin ./nowhere && git notes add -m note HEAD",
            "tar cf plain.tar a.txt src && gzip -c a.txt > a.gz; tar czf archive.tar.gz a.txt; true",
            "git status >/dev/null; sleep 0.1; git update-index -q --refresh; true",
        ]);
        world
    }

    fn repo(&self) -> PathBuf {
        self.root.path().join("repo")
    }

    fn set_up(&self, lines: &[&str]) {
        for line in lines {
            let status =
                self.command("bash").args(["--noprofile", "--norc", "-c", line]).status().expect("bash can be started");
            assert!(status.success(), "the world cannot be built: {line}");
        }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.repo()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", self.root.path().join("home"));
        command
            .env("TMPDIR", self.root.path().join("tmp"))
            .env("LANG", "C.UTF-8")
            .env("TERM", "dumb")
            .env("XDG_RUNTIME_DIR", self.root.path().join("tmp"));
        for (name, value) in [("AUTHOR", "a"), ("COMMITTER", "c")] {
            command.env(format!("GIT_{name}_NAME"), value).env(format!("GIT_{name}_EMAIL"), "x@y.z");
        }
        command
    }

    /// Runs `lines` one after the other: no network, nothing outside the world writable.
    fn run(&self, lines: &[String]) {
        let scripts = tempfile::tempdir().expect("a temporary folder");
        for (index, line) in lines.iter().enumerate() {
            fs::write(scripts.path().join(format!("{index:06}")), line).expect("a script");
        }
        let frame = r#"
            mount --bind "$1" "$1" && mount -o remount,ro,bind / && mount -o remount,rw,bind "$1" || exit 99
            cd "$1/repo" || exit 98
            shopt -u patsub_replacement
            for script in "$2"/*; do
                line=$(cat "$script"; echo x)
                timeout -k 1 4 bash --noprofile --norc -c "${line%x}" </dev/null >/dev/null 2>&1
            done
            exit 0
        "#;
        let mut command = self.command("unshare");
        command.args([
            "--net",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--propagation",
            "private",
            "bash",
            "--noprofile",
            "--norc",
            "-c",
            frame,
            "frame",
        ]);
        command.arg(self.root.path()).arg(scripts.path());
        for (name, value) in neutralised("git status").expect("there is a git in it").environment {
            command.env(name, value);
        }
        let status = command.status().expect("unshare can be started");
        assert!(
            status.success(),
            "a world without network could not be made ({status}): this test needs the rights for it"
        );
    }
}

fn installed(line: &str) -> bool {
    let name = line.split(' ').next().unwrap_or_default();
    ["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|folder| Path::new(folder).join(name).exists())
}

/// Lines that only wait would take the time of all others.
fn waits(line: &str) -> bool {
    [
        "sleep",
        "yes",
        "top",
        "--follow",
        "watch",
        "journalctl",
        "dmesg",
        "vmstat",
        "zero",
        "random",
        "stats",
        "docker",
        "kubectl",
        "gh ",
    ]
    .iter()
    .any(|word| line.contains(word))
        || (line.contains("tail") && line.contains(['f', 'F']))
}

#[test]
fn what_is_judged_read_only_changes_nothing() {
    let wanted = number("PLANWRIGHT_ORACLE_LINES", 40_000);
    let mut dice = Dice::new(number("PLANWRIGHT_ORACLE_SEED", 1) as u64);
    let programs = Programs::new();
    let rows = manual::rows();
    let seeds: Vec<String> = rows.iter().map(|row| row.command.clone()).collect();
    let known: HashSet<String> = seeds.iter().cloned().collect();
    let of_the_manual = rows.iter().filter(|row| row.label == "reads" && !waits(&row.command));
    let part = number("PLANWRIGHT_ORACLE_MANUAL", 3).max(1);
    let first = dice.below(part);
    let mut lines: Vec<String> = of_the_manual.map(|row| row.command.clone()).skip(first).step_by(part).collect();
    let mut seen: HashSet<String> = HashSet::new();
    // Some of the probes each time; all of them in a long run.
    let every = number("PLANWRIGHT_ORACLE_PROBES", 40).max(1);
    let start = dice.below(every);
    for line in programs.probes().into_iter().skip(start).step_by(every) {
        if installed(&line) && judge(&line, &Context::default()) == Verdict::ReadOnly && seen.insert(line.clone()) {
            lines.push(line);
        }
    }
    let most = lines.len() + number("PLANWRIGHT_ORACLE_RUNS", 300);
    let mut judged = 0;
    while judged < wanted && lines.len() < most {
        let line = generate::line(&mut dice, &programs, &seeds);
        judged += 1;
        if !known.contains(&line)
            && !waits(&line)
            && !line.contains('\0')
            && judge(&line, &Context::default()) == Verdict::ReadOnly
            && seen.insert(line.clone())
        {
            lines.push(line);
        }
    }
    let lines: Vec<String> =
        lines.into_iter().map(|line| neutralised(&line).map_or(line, |form| form.command)).collect();
    println!("{judged} lines judged, {} of them run", lines.len());
    let mut finds = Vec::new();
    let mut world = World::new();
    // The world itself is held to account first: it notices a write, and there is no network.
    for (line, changes) in [
        ("touch new", true),
        ("chmod 600 a.txt", true),
        ("ls", false),
        ("exec 3<>/dev/tcp/192.0.2.1/80 && touch new", false),
    ] {
        let before = tree(world.root.path());
        world.run(&[line.to_owned()]);
        assert_eq!(before != tree(world.root.path()), changes, "{line}");
    }
    world = World::new();
    for batch in lines.chunks(60) {
        let before = tree(world.root.path());
        world.run(batch);
        if before == tree(world.root.path()) {
            continue;
        }
        for line in batch {
            world = World::new();
            let before = tree(world.root.path());
            world.run(std::slice::from_ref(line));
            let after = tree(world.root.path());
            if before != after {
                let changed: Vec<_> = after
                    .iter()
                    .filter(|(path, facts)| before.get(*path) != Some(facts))
                    .map(|(path, _)| path.clone())
                    .collect();
                finds.push(format!("{line:?} changed {changed:?}"));
            }
        }
        world = World::new();
    }
    assert!(finds.is_empty(), "{} finds\n{}", finds.len(), finds.join("\n"));
}

/// Settings and attributes through which a repository can name programs, filters apart.
const HOSTILE: &[&str] = &[
    "git config core.fsmonitor ./evil.sh && git config diff.external ./evil.sh && git config core.pager ./evil.sh",
    "git config diff.x.textconv ./evil.sh && git config diff.x.command ./evil.sh && git config gpg.program ./evil.sh",
    "git config log.showSignature true && git config core.hooksPath hooks && git config core.sshCommand ./evil.sh",
    "git config pager.log ./evil.sh && git config core.editor ./evil.sh && git config core.askPass ./evil.sh",
    "git config diff.y.command ./evil.sh && git config diff.y.textconv ./evil.sh && git config sequence.editor ./evil.sh",
    "mkdir hooks; for name in post-index-change pre-auto-gc reference-transaction post-checkout fsmonitor-watchman; do cp evil.sh hooks/$name; done",
    "printf '*.txt diff=x\\n*.rs diff=y\\n*.md diff=y\\n' > .git/info/attributes; echo more >> b.txt; echo more >> README.md; git --version",
];

#[test]
fn a_neutralised_line_starts_nothing_that_the_repository_names() {
    let filters = [
        "git config filter.z.clean ./evil.sh && git config filter.z.smudge ./evil.sh && echo '*.txt filter=z' >> .git/info/attributes",
    ];
    let mut dice = Dice::new(number("PLANWRIGHT_ORACLE_SEED", 1) as u64);
    for (with_filters, setting) in [(false, HOSTILE.to_vec()), (true, [HOSTILE, &filters].concat())] {
        let context = Context { repository_runs_programs: with_filters, neutralised: true, ..Context::default() };
        let mut lines: Vec<(String, String)> = manual::rows()
            .into_iter()
            .filter(|row| row.command.contains("git ") && judge(&row.command, &context) == Verdict::ReadOnly)
            .filter_map(|row| neutralised(&row.command).map(|form| (row.command, form.command)))
            .collect();
        let most = number("PLANWRIGHT_ORACLE_HOSTILE", 150);
        while lines.len() > most {
            let at = dice.below(lines.len());
            lines.swap_remove(at);
        }
        let mut world = World::new();
        world.set_up(&setting);
        // The repository is as hostile as it is meant to be.
        let before = tree(world.root.path());
        world.set_up(&["git diff >/dev/null 2>&1; git status >/dev/null 2>&1; true"]);
        assert!(before != tree(world.root.path()), "nothing was started even without care");
        world = World::new();
        world.set_up(&setting);
        let mut finds = Vec::new();
        for (line, form) in &lines {
            let before = tree(world.root.path());
            world.run(std::slice::from_ref(form));
            if before != tree(world.root.path()) {
                finds.push(format!("{line:?} as {form:?}"));
                world = World::new();
                world.set_up(&setting);
            }
        }
        println!("{} lines in a hostile repository", lines.len());
        assert!(finds.is_empty(), "{} finds (filters: {with_filters})\n{}", finds.len(), finds.join("\n"));
    }
}

/// What bash tries to run, where no program exists and every builtin is switched off.
const LISTENER: &str = r#"
    command_not_found_handle() {
        printf '%s\037' $'\036' "$@" $'\035' >> "$log"
        return $answer
    }
    cd "$1/empty"
    for file in "$1"/*.line; do
        log=${file%.line}.log line=$(<"$file")
        for answer in 0 1; do
            (
                ulimit -t 1
                PATH=/nonexistent
                for name in $(compgen -b); do
                    case $name in enable|printf|return|eval) ;; *) enable -n "$name" ;; esac
                done
                enable -n enable
                eval "$line"
            )
        done
    done
"#;

#[test]
fn bash_runs_no_command_that_was_not_found() {
    let wanted = number("PLANWRIGHT_ORACLE_SCRIPTS", 1_000);
    let mut dice = Dice::new(number("PLANWRIGHT_ORACLE_SEED", 1) as u64 ^ 77);
    let seeds: Vec<String> = manual::rows().into_iter().map(|row| row.command).collect();
    let programs = Programs::new();
    let mut lines: Vec<String> = Vec::new();
    let mut tried = 0;
    while lines.len() < wanted && tried < wanted * 200 {
        tried += 1;
        let line = match dice.below(6) {
            0..3 => generate::soup(&mut dice),
            3 => generate::grammar(&mut dice, 1 + tried % 3),
            4 => format!("{}{}", generate::grammar(&mut dice, 1), generate::soup(&mut dice)),
            _ => generate::line(&mut dice, &programs, &seeds),
        };
        if !line.contains('\0')
            && !line.contains("eval")
            && !line.contains("printf")
            && parts(&line).is_ok_and(|found| !found.is_empty())
        {
            lines.push(line);
        }
    }
    println!("{tried} lines tried, {} of them accepted", lines.len());
    let mut wrong = Vec::new();
    // The listener itself is held to account first.
    assert!(!listen(&["c1 a; ls $(c2)".to_owned()]).iter().any(|_| true));
    assert!(!was_found("c1 a", &["c2"]) && !was_found("c1 a", &["c1", "b"]) && was_found("c1 a", &["c1", "a"]));
    for batch in lines.chunks(100) {
        wrong.extend(listen(batch));
    }
    assert!(wrong.is_empty(), "{} lines\n{}", wrong.len(), wrong.join("\n"));
}

/// The lines of `batch` in which bash ran something else than what was found.
fn listen(batch: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("empty")).expect("a folder");
    for (index, line) in batch.iter().enumerate() {
        fs::write(at(&format!("{index:04}.line")), line).expect("a line");
    }
    let status = Command::new("timeout")
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("HOME", at("empty"))
        .args(["-k", "1", "60", "bash", "--noprofile", "--norc", "-c", LISTENER, "listener"])
        .arg(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("bash can be started");
    assert!(status.code().is_some(), "the listener was ended: {status}");
    let mut wrong = Vec::new();
    for (index, line) in batch.iter().enumerate() {
        let log = fs::read(at(&format!("{index:04}.log"))).unwrap_or_default();
        // A record that was cut off, because its shell was ended, has no end mark.
        let text = String::from_utf8_lossy(&log);
        for (run, _) in text.split("\u{1e}\u{1f}").filter_map(|record| record.split_once("\u{1d}\u{1f}")) {
            let words: Vec<&str> = run.split_terminator('\u{1f}').collect();
            if !was_found(line, &words) {
                wrong.push(format!(
                    "{line:?} ran {words:?}, found {:?}",
                    parts(line).map(|found| found.into_iter().map(|part| part.words).collect::<Vec<_>>())
                ));
                break;
            }
        }
    }
    wrong
}

/// Whether some part of `line` stands for the command with these words.
fn was_found(line: &str, ran: &[&str]) -> bool {
    let Ok(found) = parts(line) else { return false };
    let assigns = |word: &str| {
        word.split_once('=').is_some_and(|(name, _)| {
            let name = name.trim_end_matches('+');
            !name.is_empty()
                && !name.as_bytes()[0].is_ascii_digit()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
    };
    found.iter().any(|part| {
        let most = part.words.iter().take_while(|word| assigns(word)).count();
        // A quoted word that looks like an assignment is none.
        (0..=most).any(|skipped| {
            let words = &part.words[skipped..];
            let open =
                |index: usize| part.dynamic.contains(&(index + skipped)) || part.globs.contains(&(index + skipped));
            if (0..words.len()).any(open) {
                // The name at least, where that is known; an expansion that comes to nothing makes
                // the next word the name.
                return words.is_empty() || open(0) || ran.first().copied() == words.first().map(String::as_str);
            }
            words.iter().map(String::as_str).eq(ran.iter().copied())
        })
    })
}
