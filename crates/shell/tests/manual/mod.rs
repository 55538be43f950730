//! Reads the command lines of `spec/*.md`.
//!
//! A fenced block is labelled `reads`, `writes`, `unknown` or `refused` (not read-only, either way).
//! Each line in it is one command line; ⏎ stands for a line end, ⇥ for a tab, ⟨000b⟩ for the
//! character with that number, and what follows `  ← ` is a remark.

#![allow(dead_code, reason = "each test uses its own part")]

/// One line of the manual.
pub struct Row {
    pub file: String,
    pub line: usize,
    pub command: String,
    pub label: String,
}

/// Every line of every block, in order.
pub fn rows() -> Vec<Row> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the manual is beside the sources")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    let mut rows = Vec::new();
    for path in files {
        let file = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("the manual is text");
        let mut label: Option<String> = None;
        for (number, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), &label) {
                (Some(_), Some(_)) => label = None,
                (Some(name), None) => label = Some(name.to_owned()),
                (None, Some(name)) if ["reads", "writes", "unknown", "refused"].contains(&name.as_str()) => {
                    let shown = line.split("  ← ").next().unwrap_or_default();
                    rows.push(Row {
                        file: file.clone(),
                        line: number + 1,
                        command: decode(shown),
                        label: name.clone(),
                    });
                }
                (None, _) => {}
            }
        }
    }
    rows
}

fn decode(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '⏎' => text.push('\n'),
            '⇥' => text.push('\t'),
            '⟨' => {
                let (number, after) = rest.split_once('⟩').expect("⟨ has its ⟩");
                text.push(u32::from_str_radix(number, 16).ok().and_then(char::from_u32).expect("a character's number"));
                rest = after;
            }
            c => text.push(c),
        }
    }
    text
}
