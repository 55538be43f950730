//! Every story in `stories/`, played with the real session. The format is `stories/README.md`.

#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

use harness::{Ground, Sent, play, play_and_keep, resume_everywhere, sent};
use std::path::{Path, PathBuf};

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

fn story(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    std::fs::read_to_string(folder.join(format!("{name}.story"))).unwrap()
}

/// Row I1, cut off anywhere: the log of a story, cut after each entry and in the middle of each, is
/// a session that opens rightly.
#[test]
fn a_session_cut_off_anywhere_resumes() {
    let (mut count, mut wrong) = (0, Vec::new());
    for name in [
        "J1-pagination",
        "I1-compact-after-exit",
        "I1-clear",
        "F030-child-follows-parent",
        "F034-interrupted-approval",
        "aside",
        "handoff-fresh",
        "compact-by-itself",
        "trouble-window-full-in-an-answer",
    ] {
        let (text, ground) = (story(name), Ground::temporary());
        wrong.extend(play(&text, &ground));
        let (cuts, found) = resume_everywhere(&text, &ground);
        count += cuts;
        wrong.extend(found.into_iter().map(|why| format!("{name}: {why}")));
    }
    println!("{count} cuts");
    assert!(count > 200 && wrong.is_empty(), "{} of {count} cuts:\n{}", wrong.len(), wrong.join("\n"));
}

/// Thirty turns through plan mode and out: all that was sent is sent again as it was, and only the
/// newest is new, so that a provider's cache stays warm. Prints how much that is.
#[test]
fn what_was_sent_is_sent_again_as_it_was() {
    let (wrong, requests) = play_and_keep(&story("economy-30-turns"), &Ground::temporary());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let sent = sent(&requests);
    println!("{:>4} {:>8} {:>9} {:>6} {:>6}", "turn", "bytes", "repeated", "share", "new");
    for (at, Sent { turn, bytes, repeated, before }) in sent.iter().enumerate() {
        if sent.get(at + 1).is_none_or(|next| next.turn != *turn) {
            let share =
                100.0 * f64::from(u32::try_from(*repeated).unwrap()) / f64::from(u32::try_from(*bytes).unwrap());
            println!("{turn:>4} {bytes:>8} {repeated:>9} {share:>5.1}% {:>6}", bytes - repeated);
        }
        assert!(repeated >= before, "request {} repeats {repeated} of {before} bytes", at + 1);
    }
    let all = |of: fn(&Sent) -> usize| sent.iter().skip(1).map(of).sum::<usize>();
    println!("{} requests, {} bytes, {} of them repeated", sent.len(), all(|s| s.bytes), all(|s| s.repeated));
    assert_eq!(sent.last().map(|last| last.turn), Some(30));
    assert!(all(|s| s.repeated) * 100 >= all(|s| s.bytes) * 95);
}

/// The harness finds what is wrong: each of these stories is not how it goes. A harness that let
/// them pass would let anything pass.
#[test]
fn a_wrong_story_is_found() {
    let rows = [
        ("a line that is not heard", "user> hi\nmodel> text Hi.\nsaid> something", "line 3    - said> something"),
        ("a thing that no line is for", "user> /plan", "after 1   + mode> default -> plan by command"),
        ("other words", "user> /plan\nmode> default -> plan by command\nsaid> Entered", "line 3    - said> Entered"),
        ("half a word", "user> /plan\nmode> default -> plan by command\nsaid> Enable", "line 3    - said> Enable"),
        ("another order", "user> /plan\nsaid> Enabled plan mode\nmode> default -> plan by command", "after"),
        (
            "a turn that is not asked for",
            "user> /plan\nmode> default -> plan by command\nsaid> Enabled\nmodel> text x",
            "line 4    - model> text x",
        ),
        ("a request without a turn", "user> hi", "after 1   + model> (request 1)"),
        ("an answer to nothing", "user> hi\nmodel> text Hi.\nanswer> once", "line 3    there is no question to answer"),
        (
            "a question that no line is for",
            "user> hi\nmodel> EnterPlanMode\nanswer> no\ntool> EnterPlanMode failed\nmodel> text x",
            "+ ask> enter plan mode",
        ),
        (
            "a question left open",
            "user> hi\nmodel> EnterPlanMode\nask> enter plan mode",
            "+ tool> EnterPlanMode failed",
        ),
        (
            "a refusal that ran",
            "given mode acceptEdits\nuser> hi\nmodel> Write a = x\ntool> Write refused\nmodel> text x",
            "line 4    - tool> Write refused",
        ),
        ("another file", "given file a = x\nuser> hi\nmodel> text x\nthen file a = y", "line 4    a is \"x\""),
        ("a file that is there", "given file a = x\nuser> hi\nmodel> text x\nthen no file a", "line 4    a is there"),
        ("another mode", "user> hi\nmodel> text x\nthen mode plan", "wanted `plan`, is `default`"),
        ("a log without it", "user> hi\nmodel> text x\nthen log has cleared", "the log has 0 such lines"),
        ("a request without it", "user> hi\nmodel> text x\nthen request 1 contains ho ho", "does not contain `ho ho`"),
        ("a request with it", "user> hi\nmodel> text x\nthen request 1 lacks hi", "contains `hi`"),
        (
            "something changed",
            "given mode acceptEdits\nuser> hi\nmodel> Write a = x\ntool> Write ok\nmodel> text x\nthen nothing changed",
            "changed",
        ),
        (
            "a trigger that never comes",
            "user> hi\nmodel> text x\nduring Bash> <ctrl-c>",
            "line 3    this did not happen",
        ),
        (
            "no line of a story",
            "user> hi\nmodel> text x\nthen so be it\nwhatever",
            "line 4: this is no line of a story",
        ),
        ("no such marker", "user> hi\nverdict> fine", "line 2: there is no such marker"),
        ("nothing at all", "# only words", "the story does nothing"),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|(what, text, report)| {
            let lines = play(text, &Ground::temporary()).join("\n");
            (!lines.contains(report)).then(|| format!("{what}: wanted `{report}` in:\n{lines}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
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
    assert!(
        wrong.is_empty(),
        "{bad} of {all} stories went otherwise (- written, + heard):\n\n{}\n",
        wrong.join("\n\n")
    );
}
