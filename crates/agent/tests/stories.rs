//! Every story in `stories/`, played with the real session. The format is `stories/README.md`.

#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

use std::path::{Path, PathBuf};
use harness::{Ground, play};

mod harness;

fn stories() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    let mut stories: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    stories.retain(|path| path.extension().is_some_and(|extension| extension == "story"));
    // `STORY=F00 cargo test …` plays those whose names have it.
    let only = std::env::var("STORY").unwrap_or_default();
    stories.retain(|path| path.file_name().unwrap().to_string_lossy().contains(&only));
    stories.sort();
    assert!(!stories.is_empty(), "there are no stories");
    stories
}

/// Plays each story, and reports every wrong line of all of them.
#[test]
fn every_story_goes_as_it_is_written() {
    let stories = stories();
    let mut wrong = Vec::new();
    for story in &stories {
        let text = std::fs::read_to_string(story).unwrap();
        let lines = play(&text, &Ground::temporary());
        if !lines.is_empty() {
            wrong.push(format!("{}\n    {}", story.file_name().unwrap().to_string_lossy(), lines.join("\n    ")));
        }
    }
    let (bad, all) = (wrong.len(), stories.len());
    println!("{all} stories");
    assert!(wrong.is_empty(), "{bad} of {all} stories went otherwise (- written, + heard):\n\n{}\n", wrong.join("\n\n"));
}
