//! What a path names is changed between the verdict and the run.

use std::fs;
use std::os::unix::fs::symlink;

use planwright_core::permit::Permit;
use serde_json::json;

use crate::ground::Ground;

type Swap = fn(&Ground);

/// Everything outside what the call names, before and after.
fn outside(ground: &Ground) -> (String, bool) {
    (ground.get("outside/secret.txt"), ground.root.join("outside/new.txt").exists())
}

#[tokio::test]
async fn a_swap_is_refused() {
    let swaps: &[(&str, Swap)] = &[
        ("file becomes a link", |ground| {
            fs::remove_file(ground.root.join("src/a.txt")).unwrap();
            symlink("../outside/secret.txt", ground.root.join("src/a.txt")).unwrap();
        }),
        ("folder becomes a link", |ground| {
            fs::rename(ground.root.join("src"), ground.root.join("moved")).unwrap();
            symlink("outside", ground.root.join("src")).unwrap();
        }),
        ("another file", |ground| {
            ground.put("other", "one\n");
            fs::rename(ground.root.join("other"), ground.root.join("src/a.txt")).unwrap();
        }),
        ("a second name", |ground| {
            fs::hard_link(ground.root.join("src/a.txt"), ground.root.join("second")).unwrap();
        }),
        ("file becomes a folder", |ground| {
            fs::remove_file(ground.root.join("src/a.txt")).unwrap();
            fs::create_dir(ground.root.join("src/a.txt")).unwrap();
        }),
        ("file goes away", |ground| fs::remove_file(ground.root.join("src/a.txt")).unwrap()),
    ];
    let mut wrong = Vec::new();
    for (what, swap) in swaps {
        for (tool, input) in [
            ("Read", json!({"file_path": "src/a.txt"})),
            ("Edit", json!({"file_path": "src/a.txt", "old_string": "one", "new_string": "two"})),
            ("Write", json!({"file_path": "src/a.txt", "content": "two"})),
        ] {
            let mut ground = Ground::with(&[("src/a.txt", "one\n"), ("outside/secret.txt", "one\n")]);
            ground.ok("Read", json!({"file_path": "src/a.txt"})).await;
            let before = outside(&ground);
            let permit = ground.permit(tool, input);
            swap(&ground);
            let outcome = ground.run(permit).await;
            if !outcome.is_error || !outcome.content.contains("changed between") || outside(&ground) != before {
                wrong.push(format!("{what}, {tool}: {outcome:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn something_appears_where_nothing_was() {
    let appear: &[(&str, Swap)] = &[
        ("a file", |ground| ground.put("src/new.txt", "")),
        ("a link", |ground| symlink("../outside/new.txt", ground.root.join("src/new.txt")).unwrap()),
    ];
    for (what, appear) in appear {
        let mut ground = Ground::with(&[("src/a.txt", "one\n"), ("outside/secret.txt", "one\n")]);
        let permit: Permit = ground.permit("Write", json!({"file_path": "src/new.txt", "content": "x"}));
        appear(&ground);
        let outcome = ground.run(permit).await;
        assert!(outcome.is_error, "{what}: {outcome:?}");
        assert_eq!(outside(&ground), ("one\n".to_owned(), false), "{what}");
    }
}

#[tokio::test]
async fn a_command_or_a_search_is_not_led_elsewhere() {
    for (tool, input) in [
        ("Bash", json!({"command": "cat src/a.txt"})),
        ("Grep", json!({"pattern": ".", "path": "src", "output_mode": "content"})),
        ("Glob", json!({"pattern": "*", "path": "src"})),
    ] {
        let mut ground = Ground::with(&[("src/a.txt", "one\n"), ("outside/a.txt", "secret\n")]);
        let permit = ground.permit(tool, input);
        fs::rename(ground.root.join("src"), ground.root.join("moved")).unwrap();
        symlink("outside", ground.root.join("src")).unwrap();
        let outcome = ground.run(permit).await;
        assert!(outcome.is_error && !outcome.content.contains("secret"), "{tool}: {outcome:?}");
    }
}
