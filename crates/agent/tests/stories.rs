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

/// What a story of which this is a line is played on: a small disk that holds the config home.
const OWN_DISK: &str = "given disk of its own";
/// Tells the test that plays such a story which one, and where.
const STORY_FILE: &str = "PLANWRIGHT_STORY_FILE";
const STORY_FOLDER: &str = "PLANWRIGHT_STORY_FOLDER";

/// Plays a story in a process and a mount namespace of its own, so that its disk can be filled or
/// made read-only. A machine that cannot do this fails the test: it would prove nothing.
fn on_a_disk_of_its_own(story: &Path) -> Vec<String> {
    let ground = Ground::temporary();
    std::fs::create_dir_all(ground.folder.join("home")).unwrap();
    let mount = "set -e; mount -t tmpfs -o size=256k,mode=700 tmpfs \"$1/home\"; shift; exec \"$@\"";
    let mut command = std::process::Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        command.arg("--map-root-user");
    }
    command.args(["--mount", "sh", "-c", mount, "sh"]).arg(&ground.folder).arg(std::env::current_exe().unwrap());
    command.args(["--exact", "a_story_on_a_disk_of_its_own", "--nocapture"]);
    let output = command.env(STORY_FILE, story).env(STORY_FOLDER, &ground.folder).output();
    let output = output.expect("`unshare` (util-linux) is needed for this story");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("WRONG ")).map(str::to_owned).collect();
    match (output.status.success() && text.contains("1 passed"), lines.is_empty()) {
        (true, _) => Vec::new(),
        (false, false) => lines,
        (false, true) => vec![format!("it could not be played: {text}")],
    }
}

/// The other half of [`on_a_disk_of_its_own`]; by itself it plays nothing.
#[test]
fn a_story_on_a_disk_of_its_own() {
    let (Some(story), Some(folder)) = (std::env::var_os(STORY_FILE), std::env::var_os(STORY_FOLDER)) else { return };
    let lines = play(&std::fs::read_to_string(story).unwrap(), &Ground::at(Path::new(&folder)));
    lines.iter().flat_map(|line| line.lines()).for_each(|line| println!("WRONG {line}"));
    assert!(lines.is_empty());
}

/// Plays each story, and reports every wrong line of all of them.
#[test]
fn every_story_goes_as_it_is_written() {
    let stories = stories();
    let mut wrong = Vec::new();
    for story in &stories {
        let text = std::fs::read_to_string(story).unwrap();
        let own_disk = text.lines().any(|line| line == OWN_DISK);
        let lines = if own_disk { on_a_disk_of_its_own(story) } else { play(&text, &Ground::temporary()) };
        if !lines.is_empty() {
            wrong.push(format!("{}\n    {}", story.file_name().unwrap().to_string_lossy(), lines.join("\n    ")));
        }
    }
    let (bad, all) = (wrong.len(), stories.len());
    println!("{all} stories");
    assert!(wrong.is_empty(), "{bad} of {all} stories went otherwise (- written, + heard):\n\n{}\n", wrong.join("\n\n"));
}
