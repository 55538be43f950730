//! Every story in `stories/`, played with the real session. The format is `stories/README.md`.

#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use harness::{Ground, play};

mod harness;

/// Stories played at once.
const AT_ONCE: usize = 4;

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

/// Plays each story, several at a time, and reports every wrong line of all of them.
#[test]
fn every_story_goes_as_it_is_written() {
    let (stories, next, wrong) = (stories(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(story) = stories.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = story.file_name().unwrap().to_string_lossy().into_owned();
                    let text = std::fs::read_to_string(story).unwrap();
                    let lines = play(&text, &Ground::temporary());
                    if !lines.is_empty() {
                        wrong.lock().unwrap().push(format!("{name}\n    {}", lines.join("\n    ")));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    let (bad, all) = (wrong.len(), stories.len());
    println!("{all} stories");
    assert!(wrong.is_empty(), "{bad} of {all} stories went otherwise (- written, + heard):\n\n{}\n", wrong.join("\n\n"));
}
