//! Acceptance J1: `planwright demo` (interfaces.md section 8), point by point, on what it prints and
//! on the files it leaves.

#[path = "cli/ground.rs"]
#[allow(dead_code, reason = "the ground is for all the tests of the program")]
mod ground;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ground::{Ended, Ground, Running, files, in_order, of_type};
use serde_json::Value;

/// A story that was played, and where it left its files.
struct Story {
    ground: Ground,
    out: String,
    project: PathBuf,
    plan: PathBuf,
    log: PathBuf,
}

/// Plays the demo. `HOME` and the XDG folders point to a folder that is empty; `PLANWRIGHT_HOME` to
/// one that is not there.
fn play(args: &[&str]) -> Story {
    let ground = Ground::new();
    let user = ground.beside("user");
    let mut command = ground.planwright(args);
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env(name, user.join(name));
    }
    let Ended { out, .. } = Running::start(command).end().exits(0);
    let path = |label: &str| {
        let line = out.lines().rev().find(|line| line.starts_with(label));
        let line = line.unwrap_or_else(|| panic!("no line begins with `{label}`:\n{out}"));
        PathBuf::from(line[label.len()..].trim())
    };
    let (project, plan, log) = (path("project "), path("plan "), path("session log "));
    Story { ground, project, plan, log, out }
}

impl Story {
    fn entries(&self) -> Vec<Value> {
        let log = fs::read_to_string(&self.log).expect("the log can be read");
        log.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }
}

#[test]
fn the_pagination_story_as_it_is_told() {
    let story = play(&["demo"]);
    let plan = story.plan.display().to_string();
    in_order(
        &story.out,
        &[
            // 1. plan mode, full note
            "› /plan add pagination to list_posts, do not break existing callers\n",
            "mode: default -> plan\n",
            "Enabled plan mode\n",
            "◇ plan_mode full\n",
            // 2. an Explore agent greps; one question; the answer
            "⏺ Agent(Explore)\n",
            "⏺ Grep(list_posts)\n",
            "✔ Grep -> ",
            "✔ Agent -> ",
            "⏺ AskUserQuestion",
            "How many posts belong on a page?",
            "1. 20 (recommended)",
            "2. 50",
            "› 1\n",
            "✔ AskUserQuestion -> Your questions have been answered: \"How many posts belong on a page?\"=\"20 (recommended)\"",
            // 3. an early edit is denied, with the plan's path and the way out
            "⏺ Edit(",
            &format!(
                "✘ Edit -> plan mode is active; only the plan file {plan} may be written. Finish the plan and call \
             ExitPlanMode to ask the user for approval"
            ),
            // 4. the plan, submitted
            "⏺ Write(",
            "✔ Write -> ",
            "⏺ ExitPlanMode(",
            "(revision 1)",
            "Existing callers keep working by default",
            "Exit plan mode?\n",
            // 5. sent back, changed, submitted again
            "› existing callers must get all posts\n",
            "✘ ExitPlanMode -> ",
            "⏺ Edit(",
            "✔ Edit -> ",
            "⏺ ExitPlanMode(",
            "(revision 2)",
            "Changed since the last submission:\n",
            "Existing callers must get all posts",
            // 6. approved with acceptEdits; exit note; edits
            "Exit plan mode?\n",
            "› 1\n",
            "mode: plan -> acceptEdits\n",
            "✔ ExitPlanMode -> User has approved your plan. You can now start coding.",
            "◇ plan_mode_exit\n",
            "⏺ Edit(",
            "✔ Edit -> ",
            "⏺ Edit(",
            "✔ Edit -> ",
            // 7. the mode, and the demo's own test
            "› /mode\n",
            "permission mode: acceptEdits (cycle: ",
            "$ python3 -m unittest\n",
            "The project's own test passes.\n",
            // the end
            "project ",
            "plan ",
            "session log ",
            "Nothing else on this machine was touched.\n",
        ],
    );
    // Between the approval and the end nothing is asked and nothing refused.
    let after = story.out.split_once("mode: plan -> acceptEdits").expect("it was approved").1;
    for unwanted in ["Allow ", "Answer with a number", "✘", "error:"] {
        assert!(!after.contains(unwanted), "`{unwanted}` after the approval:\n{after}");
    }
    assert_eq!(story.out.matches("◇ plan_mode_exit").count(), 1, "{}", story.out);
}

#[test]
fn the_files_it_leaves_say_the_same() {
    let story = play(&["demo", "--yes"]);
    let entries = story.entries();
    let modes: Vec<_> =
        of_type(&entries, "permission-mode").iter().map(|entry| (text(entry, "to"), text(entry, "cause"))).collect();
    assert_eq!(modes, [("plan", "command"), ("acceptEdits", "approval")]);

    let notes: Vec<_> =
        of_type(&entries, "attachment").iter().map(|entry| text(&entry["attachment"], "type")).collect();
    assert_eq!(notes, ["plan_mode", "plan_mode_exit"]);

    let submitted = of_type(&entries, "plan-submitted");
    assert_eq!(submitted.len(), 2);
    assert_ne!(submitted[0]["sha256"], submitted[1]["sha256"]);
    assert!(submitted.iter().all(|entry| text(entry, "path") == story.plan.display().to_string()));

    let decided = of_type(&entries, "plan-decision");
    assert_eq!(decided.len(), 2);
    assert_eq!(text(decided[0], "decision"), "rejected");
    assert_eq!(text(decided[0], "feedback"), "existing callers must get all posts");
    assert_eq!(text(decided[1], "decision"), "approved");
    assert_eq!(decided[1]["sha256"], submitted[1]["sha256"], "what was approved is what was submitted last");

    // Before the approval only the plan file was permitted to be written; after it nobody was asked.
    let approved_at = entries.iter().position(|entry| entry["decision"] == "approved").expect("it was approved");
    let edits = |entries: &[Value], verdict: &str| -> Vec<String> {
        let verdicts = of_type(entries, "permission-decision").into_iter();
        let edits =
            verdicts.filter(|entry| ["Edit", "Write"].contains(&text(entry, "tool")) && entry["verdict"] == verdict);
        edits.map(|entry| text(entry, "by").to_owned()).collect()
    };
    assert_eq!(edits(&entries[..approved_at], "deny"), ["gate"]);
    assert_eq!(edits(&entries[..approved_at], "allow"), ["gate"; 3], "the plan: written once, edited twice");
    assert_eq!(edits(&entries[approved_at..], "allow"), ["mode"; 2]);
    assert!(edits(&entries[approved_at..], "deny").is_empty());

    let plan = fs::read_to_string(&story.plan).expect("the plan is where it says");
    assert!(plan.contains("Existing callers must get all posts"), "{plan}");
    assert!(!plan.contains("keep working by default"), "{plan}");
}

#[test]
fn both_callers_are_right_in_the_end() {
    let story = play(&["demo", "--yes"]);
    let python = |program: &str| {
        let output = Command::new("python3").args(["-B", "-c", program]).current_dir(&story.project).output();
        let output = output.expect("this test needs python3: install it");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    let old = "from tests import POSTS; from web.feed import render_feed; print(len(render_feed(POSTS).splitlines()))";
    assert_eq!(python(old), "45", "the caller that was there first still gets every post");
    let new = "from tests import POSTS; from web.feed import render_page; \
               print([len(render_page(POSTS, n).splitlines()) for n in (1, 2, 3, 4)])";
    assert_eq!(python(new), "[20, 20, 5, 0]", "the new caller gets pages of twenty");
}

#[test]
fn nothing_else_is_touched() {
    let story = play(&["demo"]);
    for folder in ["user", "project"] {
        assert_eq!(files(&story.ground.beside(folder)), <Vec<PathBuf>>::new(), "{folder} is as it was: empty");
    }
    assert!(!story.ground.home().exists(), "the user's own config home is not made");
    let made: Vec<_> = fs::read_dir(story.ground.beside("tmp")).expect("it is there").flatten().collect();
    assert_eq!(made.len(), 1, "one folder, and only it: {made:?}");
    let folder = made[0].path().canonicalize().expect("it is there");
    for left in [&story.project, &story.plan, &story.log] {
        assert!(left.canonicalize().is_ok_and(|left| left.starts_with(&folder)), "{} is in it", left.display());
    }
    let project = files(&story.project);
    let expected = [
        "README.md",
        "api/posts.py",
        "tests/__init__.py",
        "tests/test_feed.py",
        "tests/test_pagination.py",
        "web/feed.py",
    ];
    assert_eq!(project, expected.map(Path::new), "the project holds what was shipped, and no more");
}

#[track_caller]
fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap_or_else(|| panic!("`{field}` is no text in {entry}"))
}
