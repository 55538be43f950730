//! Experiments on real files: edited in the scratch copy, applied, and taken back.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::experiment::{Applied, Drafts, Proposal};
use planwright_core::mode::{AutoAccess, Cause, Mode, change};
use planwright_core::permit::{Permit, Walls};
use planwright_core::rules::Rules;
use planwright_core::settings::PlanCommands;
use planwright_core::state::State;
use planwright_core::transcript::Fact;
use planwright_tools::{NotDone, Own, Tier, Tools};
use serde_json::{Value, json};

use crate::ground::{Ground, no_temporary_files};

/// A project in which a session that plans may experiment.
struct Lab {
    ground: Ground,
    drafts: Drafts,
    _own: tempfile::TempDir,
}

impl Lab {
    async fn with(files: &[(&str, &str)]) -> Self {
        let mut ground = Ground::with(files);
        let own = tempfile::tempdir().unwrap();
        let folder = own.path().canonicalize().unwrap();
        let places = Own {
            hidden: Vec::new(),
            cache: folder.join("cache"),
            scratch: folder.join("scratch"),
            secrets: Vec::new(),
        };
        ground.tools = Tools::guarded(&ground.root, &[], places);
        assert_eq!(
            ground.tools.protection().await.tier,
            Tier::Scratch,
            "these tests need a machine with scratch copies"
        );
        ground.walls = Walls::Scratch;
        ground.commands = PlanCommands::Scratch;
        ground.experiments = true;
        ground.view.experiment = Some(Arc::default());
        go_to(&mut ground, Mode::Plan);
        Self { ground, drafts: Drafts::new(), _own: own }
    }

    /// A call that must succeed; what it edited in the copy is noted.
    async fn ok(&mut self, tool: &str, input: Value) -> String {
        let outcome = self.ground.call(tool, input.clone()).await;
        assert!(!outcome.is_error, "{tool} {input}: {}", outcome.content);
        self.drafts.extend(outcome.drafts.into_iter().map(|draft| (draft.path.clone(), draft)));
        self.ground.view.experiment = Some(Arc::new(self.drafts.clone()));
        outcome.content
    }

    async fn edit(&mut self, path: &str, old: &str, new: &str) {
        self.ok("Read", json!({"file_path": path})).await;
        self.ok("Edit", json!({"file_path": path, "old_string": old, "new_string": new})).await;
    }

    async fn proposal(&self) -> Proposal {
        self.ground.tools.proposal(&self.drafts).await.unwrap()
    }

    /// Plan mode is left by an approval.
    fn approved(&mut self) {
        go_to(&mut self.ground, Mode::AcceptEdits);
        self.ground.tools.end_scratch();
        self.ground.view.experiment = None;
    }

    fn permit(&self, path: &Path) -> Permit {
        self.ground.permit("Write", json!({"file_path": path, "content": ""}))
    }

    /// Approves and applies what is there to apply.
    fn apply(&self, proposal: &Proposal) -> Result<Applied, String> {
        let files = proposal.files.iter().map(|file| (self.permit(&file.path), file.clone()));
        let ready = self.ground.tools.may_apply(files.collect())?;
        let applied = proposal.applied(ready.folders().to_vec());
        match self.ground.tools.apply(ready, &self.ground.view) {
            Ok(()) => Ok(applied),
            Err(NotDone::Nothing(why) | NotDone::InPart(why)) => Err(why),
        }
    }

    fn undo(&self, applied: &Applied) -> Result<(), NotDone> {
        let permits = applied.files.iter().map(|file| self.permit(&file.path)).collect();
        self.ground.tools.undo(permits, applied, &self.ground.view)
    }
}

fn go_to(ground: &mut Ground, to: Mode) {
    let auto = AutoAccess { opted_in: false, gate: Err(String::new()), while_planning: false, bypass_allowed: false };
    let moved = change(&ground.permissions, to, Cause::Command, &auto, &Rules::default()).unwrap();
    ground.permissions = State::fold([&Fact::PermissionMode(moved)]).permissions().clone();
}

/// Path, mode, number of names, times of content and of the rest, bytes.
type Looks = (PathBuf, u32, u64, (i64, i64), (i64, i64), Vec<u8>);

/// Everything about every file of the project that an edit could change.
fn snapshot(root: &Path) -> Vec<Looks> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = path.symlink_metadata().unwrap();
            let bytes = if meta.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            let times = ((meta.mtime(), meta.mtime_nsec()), (meta.ctime(), meta.ctime_nsec()));
            found.push((path.clone(), meta.mode(), meta.nlink(), times.0, times.1, bytes));
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn an_experiment_touches_no_real_file_until_it_is_applied_and_can_be_taken_back() {
    let mut lab = Lab::with(&[("src/a.txt", "one\n"), ("run.sh", "echo one\n"), ("n.txt", "x\n")]).await;
    let root = lab.ground.root.clone();
    fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o751)).unwrap();
    fs::hard_link(root.join("n.txt"), root.join("other-name.txt")).unwrap();
    let before = snapshot(&root);
    lab.edit("src/a.txt", "one", "two").await;
    lab.edit("run.sh", "one", "two").await;
    lab.edit("n.txt", "x", "y").await;
    lab.ok("Write", json!({"file_path": "new/deep/b.txt", "content": "three\n"})).await;
    let read = lab.ok("Read", json!({"file_path": "new/deep/b.txt"})).await;
    assert!(read.contains("three") && read.contains("scratch copy"), "{read}");
    assert_eq!(snapshot(&root), before);

    let proposal = lab.proposal().await;
    assert_eq!((proposal.files.len(), &proposal.trouble, &proposal.others), (4, &None, &Vec::new()));
    assert_eq!(snapshot(&root), before);
    lab.approved();
    let applied = lab.apply(&proposal).unwrap();
    assert_eq!(lab.ground.get("src/a.txt"), "two\n");
    assert_eq!(lab.ground.get("new/deep/b.txt"), "three\n");
    assert_eq!(fs::metadata(root.join("run.sh")).unwrap().mode() & 0o7777, 0o751);
    assert_eq!((lab.ground.get("n.txt"), lab.ground.get("other-name.txt")), ("y\n".to_owned(), "x\n".to_owned()));
    no_temporary_files(&root);

    lab.undo(&applied).unwrap();
    let plain = |files: Vec<Looks>| {
        files.into_iter().map(|(path, mode, _, _, _, bytes)| (path, mode, bytes)).collect::<Vec<_>>()
    };
    assert_eq!(plain(snapshot(&root)), plain(before));
    // Once more: everything is as it is to be, so nothing is done.
    lab.undo(&applied).unwrap();
}

#[tokio::test]
async fn encodings_and_line_ends_are_kept() {
    // Bytes before, the text replaced and its replacement, bytes after.
    let rows: &[(&[u8], &str, &str, &[u8])] = &[
        (b"one\r\ntwo\r\n", "two", "2\n3", b"one\r\n2\r\n3\r\n"),
        (b"one\r\ntwo\nthree\r\n", "two", "2", b"one\r\n2\nthree\r\n"),
        (b"\xEF\xBB\xBFone\n", "one", "two", b"\xEF\xBB\xBFtwo\n"),
        (b"\xFF\xFEa\0\n\0", "a", "b", b"\xFF\xFEb\0\n\0"),
        (b"no newline", "no", "still no", b"still no newline"),
    ];
    let mut wrong = Vec::new();
    let mut lab = Lab::with(&[]).await;
    for (at, (before, old, new, _)) in rows.iter().enumerate() {
        let name = format!("{at}.txt");
        lab.ground.put(&name, before);
        lab.edit(&name, old, new).await;
    }
    let proposal = lab.proposal().await;
    lab.approved();
    let applied = lab.apply(&proposal).unwrap();
    for (at, (.., after)) in rows.iter().enumerate() {
        let is = fs::read(lab.ground.root.join(format!("{at}.txt"))).unwrap();
        if is != *after {
            wrong.push(format!("row {at}: {is:?}"));
        }
    }
    lab.undo(&applied).unwrap();
    for (at, (before, ..)) in rows.iter().enumerate() {
        let is = fs::read(lab.ground.root.join(format!("{at}.txt"))).unwrap();
        if is != *before {
            wrong.push(format!("row {at}, undone: {is:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn all_is_applied_or_nothing() {
    let mut lab = Lab::with(&[("a.txt", "one\n"), ("b.txt", "one\n"), ("c/d.txt", "one\n")]).await;
    let root = lab.ground.root.clone();
    for name in ["a.txt", "b.txt", "c/d.txt"] {
        lab.edit(name, "one", "two").await;
    }
    lab.ok("Write", json!({"file_path": "e.txt", "content": "new\n"})).await;
    let proposal = lab.proposal().await;
    lab.approved();
    let mut wrong = Vec::new();
    // What happens meanwhile, and to which file.
    let meanwhile: &[(&str, &dyn Fn())] = &[
        ("b.txt", &|| fs::write(root.join("b.txt"), "mine\n").unwrap()),
        ("c/d.txt", &|| fs::remove_file(root.join("c/d.txt")).unwrap()),
        ("e.txt", &|| fs::write(root.join("e.txt"), "mine\n").unwrap()),
        ("b.txt", &|| {
            fs::write(root.join("elsewhere"), "one\n").unwrap();
            fs::remove_file(root.join("b.txt")).unwrap();
            symlink("elsewhere", root.join("b.txt")).unwrap();
        }),
        ("a.txt", &|| {
            fs::remove_file(root.join("a.txt")).unwrap();
            fs::create_dir(root.join("a.txt")).unwrap();
        }),
    ];
    for (name, happens) in meanwhile {
        for file in ["a.txt", "b.txt", "c/d.txt"] {
            let _ = fs::remove_file(root.join(file));
            lab.ground.put(file, "one\n");
        }
        let _ = fs::remove_file(root.join("e.txt"));
        happens();
        let before = snapshot(&root);
        let come = lab.apply(&proposal);
        let said = |why: &String| why.contains(name) && !why.contains("internal error");
        if !come.as_ref().is_err_and(said) || snapshot(&root) != before {
            wrong.push(format!("{name}: {come:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_fails_half_way_is_put_back() {
    let mut lab = Lab::with(&[("a.txt", "one\n"), ("locked/b.txt", "one\n")]).await;
    let root = lab.ground.root.clone();
    lab.edit("a.txt", "one", "two").await;
    lab.ok("Write", json!({"file_path": "made/c.txt", "content": "new\n"})).await;
    lab.edit("locked/b.txt", "one", "two").await;
    let mut proposal = lab.proposal().await;
    lab.approved();
    // In order: the last cannot be written, by anybody: its name is longer than names may be.
    let mut impossible = proposal.files[1].clone();
    impossible.before = None;
    impossible.path = root.join("x".repeat(300));
    proposal.files.push(impossible);
    let come = lab.apply(&proposal);
    assert!(come.is_err(), "{come:?}");
    assert_eq!((lab.ground.get("a.txt"), lab.ground.get("locked/b.txt")), ("one\n".to_owned(), "one\n".to_owned()));
    assert!(!root.join("made").exists());
}

#[tokio::test]
async fn what_a_command_made_of_an_edit_is_not_applied() {
    let mut lab = Lab::with(&[("a.txt", "one\n")]).await;
    // Other text, and what a diff of texts does not show: other encodings of the text that was there.
    for made in [r"mine\n", r"\xff\xfeo\0n\0e\0\n\0", r"\xef\xbb\xbfone\n"] {
        lab.edit("a.txt", "one", "two").await;
        lab.ok("Bash", json!({"command": format!("printf '{made}' > a.txt")})).await;
        let proposal = lab.proposal().await;
        let trouble = proposal.shown().and_then(|shown| shown.trouble).unwrap_or_default();
        assert!(trouble.contains("a.txt was changed in the scratch copy by a command"), "{made}: {trouble}");
        lab.ok("Bash", json!({"command": "printf 'one\\n' > a.txt"})).await;
    }
    // Edited again with what the command made in view, it is the model's own.
    lab.edit("a.txt", "one", "two").await;
    lab.ok("Bash", json!({"command": "echo three >> a.txt"})).await;
    lab.edit("a.txt", "three", "four").await;
    let proposal = lab.proposal().await;
    assert_eq!((proposal.files[0].after.text.as_str(), &proposal.trouble), ("two\nfour\n", &None));
}

#[tokio::test]
async fn a_result_says_where_edits_were_not_seen() {
    let mut lab = Lab::with(&[("a.txt", "one\n")]).await;
    let mut wrong = Vec::new();
    for edited in [false, true] {
        if edited {
            lab.edit("a.txt", "one", "two").await;
        }
        for (input, sees) in [
            (json!({"command": "cat a.txt"}), false),
            (json!({"command": "cat a.txt; : > made"}), true),
            (json!({"command": "sleep 0; : > made", "run_in_background": true}), false),
        ] {
            let said = lab.ok("Bash", input.clone()).await;
            if said.contains("[it saw the real files, not your edits") != (edited && !sees) {
                wrong.push(format!("{edited} {input}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn nothing_is_undone_once_a_file_is_another() {
    let mut lab = Lab::with(&[("a.txt", "one\n"), ("b.txt", "one\n")]).await;
    lab.edit("a.txt", "one", "two").await;
    lab.edit("b.txt", "one", "two").await;
    let proposal = lab.proposal().await;
    lab.approved();
    let applied = lab.apply(&proposal).unwrap();
    lab.ground.put("b.txt", "mine\n");
    let NotDone::Nothing(why) = lab.undo(&applied).unwrap_err() else { panic!("something was done") };
    assert!(why.contains("b.txt was changed") && !why.contains("a.txt"), "{why}");
    assert_eq!((lab.ground.get("a.txt"), lab.ground.get("b.txt")), ("two\n".to_owned(), "mine\n".to_owned()));
    // Put back by hand in part: the rest is taken back.
    lab.ground.put("b.txt", "one\n");
    lab.undo(&applied).unwrap();
    assert_eq!((lab.ground.get("a.txt"), lab.ground.get("b.txt")), ("one\n".to_owned(), "one\n".to_owned()));
}

#[tokio::test]
async fn what_the_user_changes_wins_and_is_told() {
    let mut lab = Lab::with(&[("a.txt", "one\n"), ("gone.txt", "one\n")]).await;
    lab.edit("a.txt", "one", "two").await;
    lab.edit("gone.txt", "one", "two").await;
    lab.ground.put("a.txt", "mine and longer\n");
    let why = lab.ground.error("Edit", json!({"file_path": "a.txt", "old_string": "two", "new_string": "3"})).await;
    assert!(why.contains("has changed since") && why.contains("is gone"), "{why}");
    let read = lab.ok("Read", json!({"file_path": "a.txt"})).await;
    assert!(read.contains("mine and longer") && read.contains("is gone"), "{read}");
    let left: Vec<_> = lab.proposal().await.files.into_iter().map(|file| file.path).collect();
    assert_eq!(left, [lab.ground.root.join("gone.txt")]);
}

#[tokio::test]
async fn a_link_leads_to_the_file_and_stays_a_link() {
    let mut lab = Lab::with(&[("real.txt", "one\n")]).await;
    let root = lab.ground.root.clone();
    symlink("real.txt", root.join("link.txt")).unwrap();
    lab.edit("link.txt", "one", "two").await;
    let proposal = lab.proposal().await;
    assert_eq!(proposal.files[0].path, root.join("real.txt"));
    lab.approved();
    lab.apply(&proposal).unwrap();
    assert!(root.join("link.txt").symlink_metadata().unwrap().is_symlink());
    assert_eq!(lab.ground.get("real.txt"), "two\n");
}

#[tokio::test]
async fn a_notebook_is_tried_too() {
    let cell = r#"{"cells":[{"cell_type":"code","id":"a","source":"1","outputs":[],"metadata":{},"execution_count":null}],"metadata":{},"nbformat":4,"nbformat_minor":5}"#;
    let mut lab = Lab::with(&[("n.ipynb", cell)]).await;
    lab.ok("Read", json!({"file_path": "n.ipynb"})).await;
    lab.ok("NotebookEdit", json!({"notebook_path": "n.ipynb", "cell_id": "a", "new_source": "2"})).await;
    assert_eq!(lab.ground.get("n.ipynb"), cell);
    let proposal = lab.proposal().await;
    lab.approved();
    lab.apply(&proposal).unwrap();
    assert!(lab.ground.get("n.ipynb").contains(r#""2""#));
}

#[tokio::test]
async fn without_a_place_for_the_copy_nothing_is_edited() {
    let mut lab = Lab::with(&[("a.txt", "one\n")]).await;
    lab.ground.tools = Tools::new(&lab.ground.root, &[]);
    let why = lab.ground.error("Write", json!({"file_path": "b.txt", "content": "x"})).await;
    assert!(why.contains("no scratch copy"), "{why}");
    assert!(!lab.ground.root.join("b.txt").exists());
}
