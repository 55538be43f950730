//! `Glob` and `Grep`.

use std::os::unix::fs::symlink;

use planwright_core::bounds;
use serde_json::{Value, json};

use crate::ground::{Ground, lacks};

fn project() -> Ground {
    let ground = Ground::with(&[
        (".gitignore", "target/\n*.log\n"),
        ("src/main.rs", "fn main() {\n    list_posts();\n}\n"),
        ("src/lib.rs", "pub fn list_posts() {}\n// List_Posts\n"),
        ("src/deep/x.py", "list_posts\r\n"),
        ("src/deep/.gitignore", "ignored.py\n"),
        ("src/deep/ignored.py", "list_posts\n"),
        ("target/out.rs", "list_posts\n"),
        ("run.log", "list_posts\n"),
        (".hidden/h.rs", "list_posts\n"),
        (".env", "KEY=list_posts\n"),
        (".git/config", "list_posts\n"),
        ("secrets/key.rs", "list_posts\n"),
        ("README.md", "# Posts\n"),
    ]);
    ground.put("data.bin", b"list_posts\0\n");
    symlink("src/main.rs", ground.root.join("link.rs")).unwrap();
    symlink("/etc", ground.root.join("etc")).unwrap();
    ground
}

async fn table(ground: &mut Ground, tool: &str, rows: &[(Value, &str)]) {
    let mut wrong = Vec::new();
    for (input, wanted) in rows {
        let outcome = ground.call(tool, input.clone()).await;
        if outcome.is_error || outcome.content.trim_end() != *wanted {
            wrong.push(format!("{input}: {:?}, not {wanted:?}", outcome.content));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn glob() {
    let mut ground = project();
    ground.deny("Read(./secrets/**)");
    let deep = ground.root.join("src/deep").display().to_string();
    table(
        &mut ground,
        "Glob",
        &[
            (json!({"pattern": "**/*.rs"}), "link.rs\nsrc/lib.rs\nsrc/main.rs"),
            (json!({"pattern": "*.rs"}), "link.rs\nsrc/lib.rs\nsrc/main.rs"),
            (json!({"pattern": "./src/*.rs"}), "src/lib.rs\nsrc/main.rs"),
            (json!({"pattern": "src/*"}), "src/lib.rs\nsrc/main.rs"),
            (json!({"pattern": "*.{md,py}"}), "README.md\nsrc/deep/x.py"),
            (json!({"pattern": "*", "path": "src/deep"}), "src/deep/x.py"),
            (json!({"pattern": "*.py", "path": deep}), "src/deep/x.py"),
            (json!({"pattern": ".env"}), ".env"),
            (json!({"pattern": ".hidden/**"}), ".hidden/h.rs"),
            (json!({"pattern": "*", "path": ".hidden"}), ".hidden/h.rs"),
            (json!({"pattern": "*.log"}), "No files match `*.log` in . (ignored and hidden files are not searched)."),
            (json!({"pattern": ".git/*"}), "No files match `.git/*` in . (ignored and hidden files are not searched)."),
            (json!({"pattern": "key.rs"}), "No files match `key.rs` in . (ignored and hidden files are not searched)."),
        ],
    )
    .await;
    let mut wrong = Vec::new();
    for (input, parts) in [
        (json!({"pattern": "a{b"}), &["not valid"] as &[&str]),
        (json!({"pattern": "../*"}), &["leads out", "path"]),
        (json!({"pattern": "/etc/*"}), &["leads out"]),
        (json!({"pattern": "*", "path": "none"}), &["no folder none"]),
        (json!({"pattern": "*", "path": "README.md"}), &["not a folder", "Read"]),
    ] {
        let message = ground.error("Glob", input.clone()).await;
        wrong.extend(lacks(&input.to_string(), &message, parts));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn grep() {
    let mut ground = project();
    ground.deny("Read(./secrets/**)");
    table(
        &mut ground,
        "Grep",
        &[
            (json!({"pattern": "list_posts"}), "src/deep/x.py\nsrc/lib.rs\nsrc/main.rs"),
            (json!({"pattern": "list_posts", "type": "py"}), "src/deep/x.py"),
            (json!({"pattern": "list_posts", "glob": "*.rs"}), "src/lib.rs\nsrc/main.rs"),
            (json!({"pattern": "list_posts", "glob": "!*.rs"}), "src/deep/x.py"),
            (
                json!({"pattern": "list_posts", "glob": "src/*.rs", "-i": true, "output_mode": "count"}),
                "src/lib.rs:2\nsrc/main.rs:1\n[3 matches in 2 files]",
            ),
            (
                json!({"pattern": "list_posts", "output_mode": "content"}),
                "src/deep/x.py:1:list_posts\nsrc/lib.rs:1:pub fn list_posts() {}\nsrc/main.rs:2:    list_posts();",
            ),
            (json!({"pattern": "list_posts$", "output_mode": "content"}), "src/deep/x.py:1:list_posts"),
            (
                json!({"pattern": "posts", "path": "src/main.rs", "output_mode": "content", "-n": false}),
                "src/main.rs:    list_posts();",
            ),
            (
                json!({"pattern": "posts", "path": "src/main.rs", "output_mode": "content", "-B": 1}),
                "src/main.rs-1-fn main() {\nsrc/main.rs:2:    list_posts();",
            ),
            (
                json!({"pattern": "posts", "path": "src/main.rs", "output_mode": "content", "-A": 1}),
                "src/main.rs:2:    list_posts();\nsrc/main.rs-3-}",
            ),
            (
                json!({"pattern": "posts", "path": "src/main.rs", "output_mode": "content", "-C": 1}),
                "src/main.rs-1-fn main() {\nsrc/main.rs:2:    list_posts();\nsrc/main.rs-3-}",
            ),
            (
                json!({"pattern": "main.*list", "path": "src/main.rs", "output_mode": "content", "multiline": true}),
                "src/main.rs:1:fn main() {\nsrc/main.rs:2:    list_posts();",
            ),
            (json!({"pattern": "main.*list", "path": "src/main.rs"}), "No matches for `main.*list` in src/main.rs."),
            (
                json!({"pattern": "list_posts", "head_limit": 1}),
                "src/deep/x.py\n[there is more; these are the first 1 files. Narrow the search.]",
            ),
            (json!({"pattern": "list_posts", "head_limit": 3}), "src/deep/x.py\nsrc/lib.rs\nsrc/main.rs"),
            (json!({"pattern": "KEY"}), "No matches for `KEY` in .."),
            (json!({"pattern": "KEY", "path": ".env"}), ".env"),
            (json!({"pattern": "KEY", "glob": ".env"}), ".env"),
            (json!({"pattern": "list_posts", "path": "run.log"}), "run.log"),
            (
                json!({"pattern": "list", "path": "data.bin"}),
                "No matches for `list` in data.bin.\n[it is a binary file, which is not searched]",
            ),
        ],
    )
    .await;
    let mut wrong = Vec::new();
    for (input, parts) in [
        (json!({"pattern": "fn main("}), &["not a valid regular expression", "unclosed group", "backslash"] as &[&str]),
        (json!({"pattern": "x", "type": "pyton"}), &["no file type `pyton`", "`python`"]),
        (json!({"pattern": "x", "glob": "a{b"}), &["not valid"]),
        (json!({"pattern": "x", "path": "none"}), &["no file or folder none"]),
        (json!({"pattern": "x", "path": "/dev/null"}), &["neither a file nor a folder"]),
    ] {
        let message = ground.error("Grep", input.clone()).await;
        wrong.extend(lacks(&input.to_string(), &message, parts));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn encodings() {
    let mut ground = Ground::new();
    let utf16: Vec<u8> = "\u{FEFF}größe\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    ground.put("wide.txt", utf16);
    ground.put("latin.txt", b"gr\xF6\xDFe needle\n");
    let found = ground.ok("Grep", json!({"pattern": "größe|needle", "output_mode": "content"})).await;
    assert_eq!(found, "latin.txt:1:gr\u{FFFD}\u{FFFD}e needle\nwide.txt:1:größe\n");
}

#[tokio::test]
async fn bounds_hold() {
    let mut ground = Ground::new();
    for n in 0..bounds::GLOB_PATHS + 5 {
        ground.put(&format!("f{n:04}"), "needle\n");
    }
    let found = ground.ok("Glob", json!({"pattern": "f*"})).await;
    assert_eq!(found.lines().count(), bounds::GLOB_PATHS + 1);
    assert!(found.ends_with("these are the first 1000 by path. Narrow the pattern.]"), "{found}");

    ground.put("f0000", "needle\n".repeat(100_000));
    let found = ground.ok("Grep", json!({"pattern": "needle", "output_mode": "content"})).await;
    assert!(found.contains("there is more; these are the first 1000 lines"), "{}", &found[found.len() - 200..]);
    let found =
        ground.ok("Grep", json!({"pattern": "needle", "output_mode": "content", "head_limit": 1_000_000})).await;
    assert!(found.len() > bounds::RESULT_BYTES - 1_000 && found.contains("there is more"), "{}", found.len());

    ground.put("long", format!("{}middle{}\n", "a".repeat(10_000), "b".repeat(10_000)));
    let found = ground.ok("Grep", json!({"pattern": "middle", "output_mode": "content", "path": "long"})).await;
    assert!(found.starts_with("long:1:[9800 bytes] …aaa") && found.contains("middlebbb"), "{found}");
    assert!(found.contains("more characters]") && found.len() < 3 * bounds::LINE_CHARS, "{found}");

    let huge = std::fs::File::create(ground.root.join("huge")).unwrap();
    huge.set_len(bounds::FILE_BYTES + 1).unwrap();
    let found = ground.ok("Grep", json!({"pattern": "x", "path": "huge"})).await;
    assert!(found.contains("1 file could not be searched; the first is huge: it is too large"), "{found}");
}

#[tokio::test]
async fn denied_folders_are_not_walked() {
    let mut ground = project();
    ground.deny("Read(./src/**)");
    let found = ground.ok("Grep", json!({"pattern": "list_posts"})).await;
    assert_eq!(found, "secrets/key.rs\n");
}
