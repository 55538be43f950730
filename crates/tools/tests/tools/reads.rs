//! `Read`.

use std::os::unix::fs::symlink;

use planwright_core::bounds;
use serde_json::json;

use crate::ground::{Ground, lacks};

#[tokio::test]
async fn what_is_shown() {
    let mut ground = Ground::new();
    let utf16: Vec<u8> = "\u{FEFF}wide\r\ntext".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16_be: Vec<u8> = "\u{FEFF}wide".encode_utf16().flat_map(u16::to_be_bytes).collect();
    // content, input besides the path, result
    let rows: &[(&[u8], serde_json::Value, &str)] = &[
        (b"one\ntwo\n", json!({}), "1→one\n2→two\n"),
        (b"one\ntwo", json!({}), "1→one\n2→two\n"),
        (b"one\n\n\ntwo\n", json!({}), "1→one\n2→\n3→\n4→two\n"),
        (b"one\r\ntwo\r\n", json!({}), "1→one\n2→two\n"),
        (b"\xEF\xBB\xBFone", json!({}), "1→one\n"),
        (&utf16, json!({}), "1→wide\n2→text\n"),
        (&utf16_be, json!({}), "1→wide\n"),
        (b"", json!({}), "[the file is empty]"),
        (b"a\nb\nc\nd\n", json!({"offset": 2, "limit": 2}), "2→b\n3→c\n[lines 2 to 3 of 4; read on with offset 4]\n"),
        (b"a\nb\nc\nd\n", json!({"offset": 3}), "3→c\n4→d\n"),
        (b"a\nb\n", json!({"offset": 0, "limit": 1}), "1→a\n[lines 1 to 1 of 2; read on with offset 2]\n"),
        (b"a\nb\n", json!({"offset": 9}), "[the file has 2 lines; there is no line 9]\n"),
        (
            b"caf\xE9\n",
            json!({}),
            "1→caf\u{FFFD}\n[some bytes are not valid in this encoding and are shown as U+FFFD; the file cannot be \
             edited as it is]\n",
        ),
    ];
    let mut wrong = Vec::new();
    for (content, input, wanted) in rows {
        ground.put("f", content);
        let mut input = input.clone();
        input["file_path"] = json!("f");
        let outcome = ground.call("Read", input).await;
        if outcome.is_error || outcome.content != *wanted || outcome.seen.len() != 1 {
            wrong.push(format!("{:?}: {:?}, not {wanted:?}", String::from_utf8_lossy(content), outcome.content));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_cannot_be_shown() {
    let mut ground = Ground::with(&[("src/parser.rs", "x"), ("bin", "MZ\0\0"), ("secret", "s")]);
    symlink("loop", ground.root.join("loop")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        ground.root.join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    // path, what the message holds
    let rows: &[(&str, &[&str])] = &[
        ("src", &["folder", "Glob"]),
        ("src/parser.rx", &["not there", "parser.rs"]),
        ("src/zzz", &["not there", "Glob"]),
        ("none/x", &["not there", "the folder"]),
        ("bin", &["binary file (4 bytes)"]),
        ("bin/", &["slash"]),
        ("pipe", &["device, pipe or socket"]),
        ("/dev/zero", &["device, pipe or socket"]),
        ("loop", &["device, pipe or socket"]),
        ("src/parser.rs/x", &["not there"]),
    ];
    let mut wrong = Vec::new();
    for (path, parts) in rows {
        let message = ground.error("Read", json!({"file_path": path})).await;
        wrong.extend(lacks(path, &message, parts));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn bounds_hold() {
    let mut ground = Ground::new();
    ground.put("many", "x\n".repeat(5_000));
    let shown = ground.ok("Read", json!({"file_path": "many"})).await;
    assert!(shown.ends_with("2000→x\n[lines 1 to 2000 of 5000; read on with offset 2001]\n"), "{shown}");

    ground.put("long", format!("{}\nend\n", "é".repeat(50_000)));
    let shown = ground.ok("Read", json!({"file_path": "long"})).await;
    assert!(shown.contains("… [48000 more characters]\n2→end\n"), "{shown}");

    ground.put("wide", format!("{}\n", "w".repeat(1_000)).repeat(100));
    let shown = ground.ok("Read", json!({"file_path": "wide", "limit": 100_000})).await;
    assert!(shown.len() > bounds::RESULT_BYTES - 2_000 && shown.contains("read on with offset 30"), "{}", shown.len());

    let huge = std::fs::File::create(ground.root.join("huge")).unwrap();
    huge.set_len(bounds::FILE_BYTES + 1).unwrap();
    assert!(ground.error("Read", json!({"file_path": "huge"})).await.contains("larger than 64 MiB"));
}

#[tokio::test]
async fn reads_run_side_by_side() {
    let ground = Ground::with(&[("a", "1"), ("b", "2"), ("c", "3")]);
    let cancel = planwright_tools::Cancel::new();
    let run = |file: &str| {
        let permit = ground.permit("Read", json!({"file_path": file}));
        tokio::spawn(ground.tools.run(permit, &ground.view, &cancel))
    };
    let (a, b, c) = tokio::join!(run("a"), run("b"), run("c"));
    let all = [a, b, c].map(|outcome| outcome.unwrap().content);
    assert_eq!(all, ["1→1\n", "1→2\n", "1→3\n"]);
}

#[tokio::test]
async fn a_cancelled_call_says_so() {
    let ground = Ground::with(&[("a", "1")]);
    let cancel = planwright_tools::Cancel::new();
    cancel.cancel();
    for (tool, input) in [
        ("Read", json!({"file_path": "a"})),
        ("Write", json!({"file_path": "new", "content": "x"})),
        ("Bash", json!({"command": "touch made"})),
    ] {
        let permit = ground.permit(tool, input);
        let outcome = ground.tools.run(permit, &ground.view, &cancel).await;
        assert!(outcome.is_error && outcome.content.contains("interrupted"), "{}", outcome.content);
    }
    assert!(!ground.root.join("new").exists() && !ground.root.join("made").exists());
}

#[tokio::test]
async fn tools_of_the_agent_are_not_run_here() {
    let mut ground = Ground::new();
    for (tool, input) in [
        ("TodoWrite", json!({"todos": []})),
        ("EnterPlanMode", json!({})),
        ("Agent", json!({"subagent_type": "Explore", "description": "d", "prompt": "p"})),
    ] {
        assert!(ground.error(tool, input).await.contains("internal error"));
    }
}
