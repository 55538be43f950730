//! `Write` and `Edit`.

use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;

use crate::ground::{Ground, lacks, no_temporary_files};

fn utf16(text: &str) -> Vec<u8> {
    format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The file after a call, or what the message holds.
type Wanted = Result<&'static str, &'static [&'static str]>;

#[tokio::test]
async fn edits() {
    // file, old, new, all, wanted
    let rows: &[(&str, &str, &str, bool, Wanted)] = &[
        ("one\ntwo\n", "two", "2", false, Ok("one\n2\n")),
        ("one\ntwo\n", "one\ntwo\n", "", false, Ok("")),
        ("x x x", "x", "y", true, Ok("y y y")),
        ("x x\nx", "x", "y", false, Err(&["3 times", "lines 1, 1, 2", "replace_all"])),
        ("one\r\ntwo\r\n", "one\ntwo", "1\n2\n3", false, Ok("1\r\n2\r\n3\r\n")),
        ("  one\n", "one two", "2", false, Err(&["not found", "line 1", "  one"])),
        (
            "\tone(two)\n",
            "    one(two)\n",
            "2",
            false,
            Err(&["not found", "white space aside", "line 1", "\tone(two)"]),
        ),
        ("fn alpha() {}\nfn beta() {}\n", "fn betta() {}", "2", false, Err(&["line 2", "fn beta() {}"])),
        ("abc", "xyz", "2", false, Err(&["not found"])),
        ("abc", "", "x", false, Err(&["empty"])),
        ("", "", "x\n", false, Ok("x\n")),
        ("a\r\n", "a\n", "a\r\n", false, Err(&["change nothing"])),
        ("aXbXc", "X", "", true, Ok("abc")),
    ];
    let mut wrong = Vec::new();
    for (before, old, new, all, wanted) in rows {
        let mut ground = Ground::with(&[("f", before)]);
        ground.ok("Read", json!({"file_path": "f"})).await;
        let input = json!({"file_path": "f", "old_string": old, "new_string": new, "replace_all": all});
        let outcome = ground.call("Edit", input).await;
        match wanted {
            Ok(after) => {
                if outcome.is_error || ground.get("f") != *after || outcome.diff.is_none() || outcome.seen.len() != 1 {
                    wrong.push(format!("{before:?}: {:?} {:?}", ground.get("f"), outcome));
                }
            }
            Err(parts) => {
                wrong.extend(lacks(before, &outcome.content, parts));
                if !outcome.is_error || ground.get("f") != *before {
                    wrong.push(format!("{before:?}: {:?} {outcome:?}", ground.get("f")));
                }
            }
        }
        no_temporary_files(&ground.root);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_result_shows_the_place_and_the_diff() {
    let text: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let mut ground = Ground::with(&[("f", &text)]);
    ground.ok("Read", json!({"file_path": "f"})).await;
    let input = json!({"file_path": "f", "old_string": "line 10\n", "new_string": "ten\nten and a half\n"});
    let outcome = ground.call("Edit", input).await;
    assert_eq!(
        outcome.content,
        "Edited f (1 replacement). It now reads:\n7→line 7\n8→line 8\n9→line 9\n10→ten\n11→ten and a half\n12→line \
         11\n13→line 12\n14→line 13\n15→line 14\n"
    );
    assert_eq!(
        outcome.diff.unwrap(),
        "--- f\n+++ f\n@@ -7,7 +7,8 @@\n line 7\n line 8\n line 9\n-line 10\n+ten\n+ten and a half\n line 11\n line \
         12\n line 13\n"
    );
}

#[tokio::test]
async fn a_preview_changes_nothing() {
    let ground = Ground::with(&[("f", "one\n")]);
    let call = |tool, input| planwright_core::call::parse(tool, &input).unwrap();
    let edit = call("Edit", json!({"file_path": "f", "old_string": "one", "new_string": "two"}));
    assert!(ground.tools.preview(&edit).unwrap().contains("-one\n+two\n"));
    let write = call("Write", json!({"file_path": "new", "content": "x\n"}));
    assert!(ground.tools.preview(&write).unwrap().contains("+x\n"));
    let impossible = call("Edit", json!({"file_path": "f", "old_string": "three", "new_string": "two"}));
    assert_eq!(ground.tools.preview(&impossible), None);
    assert_eq!(ground.tools.preview(&call("Bash", json!({"command": "ls"}))), None);
    assert_eq!(ground.get("f"), "one\n");
    assert!(!ground.root.join("new").exists());
}

/// F062: what was read stays read, what was written counts as read, what changed must be read again.
#[tokio::test]
async fn read_before_edit() {
    let mut ground = Ground::with(&[("a.txt", "one\n"), ("blank", " \n\t\n"), ("b.txt", "x\n")]);
    let edit = |old: &str, new: &str| json!({"file_path": "a.txt", "old_string": old, "new_string": new});
    let write = |path: &str| json!({"file_path": path, "content": "new\n"});

    assert!(ground.error("Edit", edit("one", "two")).await.contains("Read it first"));
    assert!(ground.error("Write", write("a.txt")).await.contains("Read it first"));
    assert_eq!(ground.get("a.txt"), "one\n");

    ground.ok("Read", json!({"file_path": "a.txt"})).await;
    ground.ok("Edit", edit("one", "two")).await;
    ground.ok("Edit", edit("two", "three")).await;
    ground.ok("Write", write("a.txt")).await;
    ground.ok("Edit", edit("new", "newer")).await;

    ground.put("a.txt", "the user's\n");
    assert!(ground.error("Edit", edit("user", "model")).await.contains("Read it again"));
    assert!(ground.error("Write", write("a.txt")).await.contains("Read it again"));
    assert_eq!(ground.get("a.txt"), "the user's\n");
    ground.ok("Read", json!({"file_path": "a.txt", "limit": 1})).await;
    ground.ok("Write", write("a.txt")).await;

    ground.ok("Write", write("created.txt")).await;
    ground.ok("Edit", json!({"file_path": "created.txt", "old_string": "new", "new_string": "old"})).await;
    ground.ok("Write", write("blank")).await;
    // Read by another name, the same file.
    symlink("b.txt", ground.root.join("link")).unwrap();
    ground.ok("Read", json!({"file_path": "./link"})).await;
    ground.ok("Write", write("b.txt")).await;
    // What the agent told the model without a Read.
    ground.put("b.txt", "told\n");
    let told = planwright_tools::seen(&ground.root.join("b.txt")).unwrap();
    Arc::make_mut(&mut ground.view.seen).insert(told.path, told.sha256);
    ground.ok("Write", write("b.txt")).await;
}

#[tokio::test]
async fn encodings() {
    let bom = "\u{FEFF}";
    // what, file, tool input besides the path, file after (`None`: refused and unchanged)
    let edit = |old: &str, new: &str| ("Edit", json!({"old_string": old, "new_string": new}));
    let write = |content: &str| ("Write", json!({"content": content}));
    type Row = (&'static str, Vec<u8>, (&'static str, serde_json::Value), Option<Vec<u8>>);
    let rows: Vec<Row> = vec![
        ("bom", format!("{bom}a").into(), edit("a", "b"), Some(format!("{bom}b").into())),
        ("bom, written", format!("{bom}a").into(), write("b"), Some(format!("{bom}b").into())),
        ("utf-16", utf16("ä\r\nb\r\n"), edit("ä\nb", "ö\nc"), Some(utf16("ö\r\nc\r\n"))),
        ("utf-16, written", utf16("a"), write("ß𝄞"), Some(utf16("ß𝄞"))),
        ("crlf, written", "a\r\nb\r\n".into(), write("x\ny\n"), Some("x\r\ny\r\n".into())),
        ("mixed, written", "a\r\nb\n".into(), write("x\ny\n"), Some("x\ny\n".into())),
        ("escapes", "\u{1b}[31ma\u{202e}b".into(), edit("a\u{202e}", "c"), Some("\u{1b}[31mcb".into())),
        ("latin-1", b"caf\xE9".to_vec(), edit("caf", "x"), None),
        ("latin-1, written", b"caf\xE9".to_vec(), write("x"), None),
        ("half a utf-16 unit", [utf16("ab"), vec![0]].concat(), edit("a", "x"), None),
        ("a lone surrogate", [utf16("ab"), vec![0, 0xD8]].concat(), edit("a", "x"), None),
    ];
    let mut wrong = Vec::new();
    for (what, before, (tool, mut input), after) in rows {
        let mut ground = Ground::new();
        ground.put("f", &before);
        ground.ok("Read", json!({"file_path": "f"})).await;
        input["file_path"] = json!("f");
        let outcome = ground.call(tool, input).await;
        let now = fs::read(ground.root.join("f")).unwrap();
        if now != *after.as_ref().unwrap_or(&before) || outcome.is_error != after.is_none() {
            wrong.push(format!("{what}: {now:?} {outcome:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    let mut ground = Ground::new();
    ground.put("f", b"a\0b");
    assert!(ground.error("Write", json!({"file_path": "f", "content": "x"})).await.contains("binary"));
    assert_eq!(ground.get("f"), "a\0b");
}

#[tokio::test]
async fn files_are_made_and_keep_their_mode() {
    let mut ground = Ground::with(&[("run.sh", "echo\n"), ("sealed", "x\n")]);
    fs::set_permissions(ground.root.join("run.sh"), Permissions::from_mode(0o751)).unwrap();
    ground.ok("Read", json!({"file_path": "run.sh"})).await;
    ground.ok("Edit", json!({"file_path": "run.sh", "old_string": "echo", "new_string": "ls"})).await;
    let mode = |path: &str| fs::metadata(ground.root.join(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("run.sh"), 0o751);

    let outcome = ground.call("Write", json!({"file_path": "new/deep/er.txt", "content": "a\nb\n"})).await;
    assert_eq!(outcome.content, "Created new/deep/er.txt (2 lines).");
    assert_eq!(ground.get("new/deep/er.txt"), "a\nb\n");
    assert!(ground.error("Write", json!({"file_path": "new/x/", "content": "x"})).await.contains("names a folder"));
    assert!(!ground.root.join("new/x").exists());
    assert!(ground.error("Write", json!({"file_path": "new", "content": "x"})).await.contains("folder"));
    let message = ground.error("Write", json!({"file_path": "run.sh/x", "content": "x"})).await;
    assert!(message.contains("cannot be written") && !message.contains("/proc/"), "{message}");
}

#[tokio::test]
async fn links_are_followed_and_stay() {
    let mut ground = Ground::with(&[("real/a.txt", "one\n")]);
    symlink("real", ground.root.join("folder")).unwrap();
    symlink("real/a.txt", ground.root.join("file")).unwrap();
    symlink("real/new.txt", ground.root.join("dangling")).unwrap();
    ground.ok("Read", json!({"file_path": "folder/a.txt"})).await;
    ground.ok("Edit", json!({"file_path": "file", "old_string": "one", "new_string": "two"})).await;
    ground.ok("Write", json!({"file_path": "dangling", "content": "new\n"})).await;
    assert_eq!((ground.get("real/a.txt").as_str(), ground.get("real/new.txt").as_str()), ("two\n", "new\n"));
    assert!(fs::symlink_metadata(ground.root.join("file")).unwrap().is_symlink());
    assert!(fs::symlink_metadata(ground.root.join("dangling")).unwrap().is_symlink());
}

/// Section 5 of plan-mode.md: the plan file is private; a hard link there is refused.
#[tokio::test]
async fn the_plan_file() {
    let mut ground = Ground::with(&[("src/a.txt", "one\n")]);
    let plan = ground.root.join("plans/quiet-otter.md");
    fs::create_dir(ground.root.join("plans")).unwrap();
    ground.read_only = true;
    ground.plan_file.clone_from(&plan);
    ground.view.plan_file = Some(plan.clone());
    let write = || json!({"file_path": "plans/../plans//quiet-otter.md", "content": "# Plan\n"});

    ground.ok("Write", write()).await;
    assert_eq!(fs::metadata(&plan).unwrap().permissions().mode() & 0o777, 0o600);
    let call = |path: &str| planwright_core::call::parse("Write", &json!({"file_path": path, "content": "x"})).unwrap();
    assert!(ground.judge(call("src/a.txt")).is_err());
    assert!(ground.judge(call("plans/other.md")).is_err());

    fs::remove_file(&plan).unwrap();
    fs::hard_link(ground.root.join("src/a.txt"), &plan).unwrap();
    assert!(ground.judge(call("plans/quiet-otter.md")).is_err());

    // The hard link comes after the verdict.
    fs::remove_file(&plan).unwrap();
    fs::write(&plan, "").unwrap();
    let permit = ground.permit("Write", write());
    let seed = ground.root.join("plans/seed");
    fs::hard_link(&plan, &seed).unwrap();
    let outcome = ground.run(permit).await;
    assert!(outcome.is_error, "{}", outcome.content);
    assert_eq!(fs::read_to_string(&seed).unwrap(), "");
    assert_eq!(ground.get("src/a.txt"), "one\n");
}

/// A reader in a loop sees the old text or the new one, never a part.
#[tokio::test]
async fn writes_are_atomic() {
    let text = |n: usize| format!("{n} ").repeat(50_000);
    let mut ground = Ground::with(&[("f", &text(0))]);
    ground.ok("Read", json!({"file_path": "f", "limit": 1})).await;
    let (path, done, seen) = (ground.root.join("f"), Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let reader = std::thread::spawn({
        let (done, seen) = (Arc::clone(&done), Arc::clone(&seen));
        move || {
            let mut texts = HashSet::new();
            while !done.load(Ordering::Relaxed) {
                let now = fs::read_to_string(&path).unwrap();
                let first: usize = now.split(' ').next().expect("never empty").parse().unwrap();
                assert!(now == text(first), "torn at {first}");
                texts.insert(first);
                seen.store(texts.len(), Ordering::Relaxed);
            }
        }
    });
    let mut wrong = Vec::new();
    for n in 1.. {
        let outcome = ground.call("Write", json!({"file_path": "f", "content": text(n)})).await;
        wrong.extend(outcome.is_error.then_some(outcome.content));
        if reader.is_finished() || (n > 50 && seen.load(Ordering::Relaxed) > 5) {
            break;
        }
    }
    done.store(true, Ordering::Relaxed);
    reader.join().unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
}
