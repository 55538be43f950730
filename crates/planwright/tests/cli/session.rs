//! Sessions: begun, gone on with, copied, listed, removed; and two processes on one.

use std::fs;
use std::io::Write;

use serde_json::{Value, json};

use crate::ground::{Ground, call, in_order, of_type, planned, say};

#[test]
fn a_session_goes_on_by_id_by_its_beginning_and_as_the_last_one() {
    let ground = Ground::new();
    let answers: Vec<Value> = ["One.", "Two.", "Three.", "Four."].map(say).to_vec();
    let model = ground.script(&answers);
    ground.run(&["-p", "first", "--model", &model], "").exits(0).says(&["One."]);
    let id = ground.id();
    ground.run(&["-p", "second", "--model", &model, "--continue"], "").exits(0).says(&["Two."]);
    ground.run(&["-p", "third", "--model", &model, "-r", &id], "").exits(0).says(&["Three."]);
    ground.run(&["-p", "fourth", "--model", &model, "--resume", &id[..8]], "").exits(0).says(&["Four."]);
    let prompts: Vec<_> = of_type(&ground.log(), "user").iter().map(|entry| entry["text"].clone()).collect();
    assert_eq!(prompts, ["first", "second", "third", "fourth"], "one session holds them all");
    // Without an id the sessions are listed: that is no way to run.
    ground.run(&["-p", "x", "--model", &model, "--resume"], "").exits(2).warns(&["needs the id", &id, "first"]);
}

#[test]
fn a_session_can_be_given_its_id() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hi.")]);
    let id = "01234567-89ab-4def-8123-456789abcdef";
    ground.run(&["-p", "hello", "--model", &model, "--session-id", id], "").exits(0);
    assert_eq!(ground.id(), id);
    let before = fs::read(&ground.logs()[0]).expect("the log can be read");
    ground.run(&["-p", "hello", "--model", &model, "--session-id", id], "").exits(1).warns(&[id, "there already"]);
    assert_eq!(fs::read(&ground.logs()[0]).expect("the log can be read"), before, "the first session is as it was");
}

#[test]
fn a_fork_has_a_plan_of_its_own() {
    let ground = Ground::new();
    let model = ground.script(&planned("# Plan\n"));
    ground.run(&["-p", "plan it", "--permission-mode", "plan", "--model", &model], "").exits(3);
    let (first, plan) = (ground.id(), ground.plan_path());
    let before = ground.log();
    let other = ground.script(&[
        json!({
            "expect": {"contains": ["plan it", "Their feedback:", "in one step"]},
            "tools": [{"name": "Edit", "input": {"file_path": "{plan_file}", "old_string": "# Plan", "new_string": "# Fork"}}]
        }),
        call("ExitPlanMode", json!({})),
    ]);
    // The plan that waits waits in the fork too; words at it are what should change.
    let args = ["--resume", &first, "--fork-session", "--model", &other];
    ground.run(&args, "in one step\n4\n/exit\n").exits(1).says(&["(mode plan)", "Exit plan mode?", "# Fork"]);
    let ids = ground.ids();
    assert_eq!(ids.len(), 2, "{ids:?}");
    let fork = ids.iter().find(|id| **id != first).expect("there are two");
    assert_eq!(ground.log_of(&first), before, "the first session is as it was");
    assert_eq!(fs::read_to_string(&plan).expect("it is there"), "# Plan\n");
    let entries = ground.log_of(fork);
    assert_eq!((&entries[0]["session_id"], &entries[0]["forked_from"]), (&json!(fork), &json!(first)));
    let copy = of_type(&entries, "plan-slug").last().map(|entry| entry["path"].clone()).expect("the plan has a name");
    let copy = copy.as_str().expect("a path is text").to_owned();
    assert_ne!(copy, plan.display().to_string());
    assert_eq!(fs::read_to_string(copy).expect("it is there"), "# Fork\n");
}

#[test]
fn a_mode_asked_for_wins_over_the_one_the_log_ends_in() {
    let ground = Ground::new();
    let model = ground.script(&planned("# Plan\n"));
    ground.run(&["-p", "plan it", "--permission-mode", "plan", "--model", &model], "").exits(3);
    let id = ground.id();
    // Left without an approval: the next request says so, and says which mode is on.
    let other = ground.script(&[json!({
        "expect": {"contains": ["## Exited Plan Mode", "acceptEdits"], "not_contains": ["has approved"]}, "text": "I see."
    })]);
    let args = ["-p", "never mind the plan", "--resume", &id, "--permission-mode", "acceptEdits", "--model", &other];
    ground.run(&args, "").exits(0).says(&["I see."]);
    let entries = ground.log();
    let last = of_type(&entries, "permission-mode").last().copied().cloned().expect("the mode changed");
    assert_eq!((&last["from"], &last["to"], &last["cause"]), (&json!("plan"), &json!("acceptEdits"), &json!("resume")));
    assert!(of_type(&entries, "plan-decision").iter().all(|entry| entry["decision"] != "approved"));

    // Without the flag the mode comes back as it was.
    let model = ground.script(&[say("Still here.")]);
    ground
        .run(&["--resume", &id, "--model", &model], "/mode\n/exit\n")
        .exits(0)
        .says(&["(mode acceptEdits)", "permission mode: acceptEdits"]);
}

#[test]
fn sessions_are_listed_shown_exported_and_removed() {
    let ground = Ground::new();
    ground.run(&["session", "list"], "").exits(0).warns(&["no sessions"]);
    for verb in ["show", "export"] {
        ground.run(&["session", verb], "").exits(1).warns(&["no sessions"]);
    }
    let model = ground.script(&[call("Glob", json!({"pattern": "*.rs"})), say("None.")]);
    ground.run(&["-p", "which Rust files?", "--model", &model], "").exits(0);
    let id = ground.id();
    ground.run(&["session", "list"], "").exits(0).says(&[&id, "default", "which Rust files?"]);
    for args in [&["session", "show"][..], &["session", "show", &id], &["session", "show", &id[..6]]] {
        ground.run(args, "").exits(0).says(&["› which Rust files?", "⏺ Glob(", "✔ Glob -> ", "● None."]);
    }
    let exported: Value =
        serde_json::from_str(&ground.run(&["session", "export", &id], "").exits(0).out).expect("JSON");
    assert_eq!(exported["session"], id);
    assert_eq!(exported["entries"], json!(ground.log()), "an export holds the entries as they stand in the log");

    ground.run(&["session", "rm", "nothing"], "").exits(1).warns(&["nothing", "session list"]);
    ground.run(&["session", "rm", &id], "").exits(0).says(&[&id]);
    assert!(ground.ids().is_empty());
}

#[test]
fn two_processes_on_one_session_keep_out_of_each_others_way() {
    let ground = Ground::new();
    let model = ground.script(&[say("One."), say("Two.")]);
    let first = ground.start(&["--model", &model]).say("hello\n").wait_for("● One.");
    let id = ground.id();
    let clear = ["open session", &id, "another Planwright has it open", "--fork-session"];
    ground.run(&["-p", "x", "--resume", &id, "--model", &model], "").exits(1).warns(&clear);
    ground.run(&["session", "rm", &id], "").exits(1).warns(&["another Planwright has it open"]);
    // To look at it is no disturbance.
    ground.run(&["session", "show", &id], "").exits(0).says(&["● One."]);
    ground.run(&["session", "list"], "").exits(0).says(&[&id]);
    first.say("again\n").wait_for("● Two.").end().exits(0);
    ground.run(&["session", "rm", &id], "").exits(0);
}

#[test]
fn a_log_of_a_newer_version_or_cut_short_opens_with_a_warning() {
    let ground = Ground::new();
    let model = ground.script(&[say("One."), say("Two.")]);
    ground.run(&["-p", "first", "--permission-mode", "acceptEdits", "--model", &model], "").exits(0);
    let mut log = fs::OpenOptions::new().append(true).open(&ground.logs()[0]).expect("the log can be written");
    let stamp = "\"uuid\":\"01a22daa-d7be-76d4-bf15-4c41bcdf5f8a\",\"timestamp\":\"2027-01-01T00:00:00Z\"";
    writeln!(log, "{{\"type\":\"hologram\",\"depth\":3,{stamp}}}").expect("it can be written");
    writeln!(
        log,
        "{{\"type\":\"permission-mode\",\"from\":\"acceptEdits\",\"to\":\"telepathic\",\"cause\":\"command\",{stamp}}}"
    )
    .expect("it can be written");
    write!(log, "{{\"type\":\"user\",\"te").expect("it can be written");
    drop(log);
    let ended = ground.run(&["--continue", "--model", &model], "/mode\nsecond\n/exit\n").exits(0);
    in_order(&ended.out, &["(mode default)", "permission mode: default", "● Two."]);
    in_order(&ended.err, &["hologram", "telepathic", "incomplete"]);
    ground.run(&["session", "show"], "").exits(0).says(&["› first", "› second", "● Two."]);
}
