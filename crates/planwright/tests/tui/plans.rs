//! Plans on the desk: long and huge ones, changed on disk, read at any time, commented, sent back.

use serde_json::{Value, json};

use crate::ground::{Ground, call, of_type, planned, say};
use crate::seat::Seat;

fn long(lines: usize, words: &str) -> String {
    let lines: String = (1..lines).map(|n| format!("- step {n}: {words}\n")).collect();
    format!("# A long plan\n{lines}")
}

/// A session that plans, with this plan on the desk.
fn on_the_desk(ground: &Ground, plan: &str, rest: &[Value], cells: (u16, u16)) -> Seat {
    let model = ground.script(&[&planned(plan), rest].concat());
    let seat = Seat::sized(ground, &model, &["--permission-mode", "plan"], cells);
    seat.reads("›").types("go\r").is_asked("keep");
    seat
}

#[test]
fn every_line_of_a_plan_of_2000_lines_is_reached() {
    let ground = Ground::new();
    let seat = on_the_desk(&ground, &long(2_000, "nothing"), &[say("Well."), say("Yes.")], (80, 24));
    seat.types("G").sees(
        "
        Plan ‥.md · revision 1 ‥ 2000/2000 100%
        ⋮
          1999 • step 1998: nothing
        ▸ 2000 • step 1999: nothing
        ────────────────────────────────────────────────────────────────────────────────
        h context: [keep] compact fresh · m model: as it is
         1 approve, accept edits  2 approve, confirm edits  3 edit [4 keep planning]
        ↑↓ read · ‥
        ",
    );
    seat.types("/").reads("Find:").types("step 777:").types("\r").reads("▸  778 • step 777: nothing");
    seat.types("\x1b").reads("Yes.").leaves();
}

#[test]
fn a_plan_of_3_mb_opens_scrolls_and_is_sent_back() {
    let ground = Ground::new();
    let plan = long(30_000, &"many words ".repeat(9));
    assert!(plan.len() > 3_000_000);
    let seat = on_the_desk(&ground, &plan, &[say("Well."), say("Yes.")], (80, 24));
    seat.types("G").reads("step 29999").types("g").reads("step 1:");
    seat.types("\x1b").reads("Yes.").leaves();
}

/// F054, F055: what is approved is what is on disk, and it is seen first.
#[test]
fn a_plan_that_changed_on_disk_is_shown_before_it_counts() {
    let ground = Ground::new();
    let seat = on_the_desk(&ground, "# Plan\n\nUse A.\n", &[say("Done.")], (80, 24));
    std::fs::write(ground.plan_path(), "# Plan\n\nUse B.\n").expect("the plan can be written");
    seat.types("1").is_asked("Use B.").types("1").reads("Done.").reads("accept edits on");
    let log = ground.log();
    let decisions: Vec<_> = of_type(&log, "plan-decision").iter().map(|entry| entry["decision"].clone()).collect();
    assert_eq!(decisions, ["approved"]);
    assert!(serde_json::to_string(&log).expect("JSON").contains("Use B."));
    seat.leaves();
}

#[test]
fn comments_on_lines_and_suggestions_go_back_with_the_plan() {
    let ground = Ground::new();
    let plan = "# Plan\n\n- change the parser\n- change the lexer\n";
    let seat = on_the_desk(&ground, plan, &[say("I see."), say("Yes.")], (80, 24));
    seat.types("j").types("j").types("c").reads("Comment on line 3").types("keep its tests").types("\r");
    seat.sees(
        "
        Plan ‥.md · revision 1 · 1 comment ‥
             1 # Plan

        ▸    3 • change the parser
               ✎ line 3: keep its tests
             4 • change the lexer
        ⋮
        ",
    );
    seat.types("\x1b").reads("Yes.");
    let log = serde_json::to_string(&ground.log()).expect("JSON");
    assert!(log.contains("keep its tests") && log.contains("change the parser"), "{log}");
    seat.leaves();
}

/// `/plan` while planning says what it must, and lays the plan on the desk to be read; comments on it
/// become the next message, which the user sends or not.
#[test]
fn the_plan_is_read_at_any_time() {
    let ground = Ground::new();
    let write = call("Write", json!({"file_path": "{plan_file}", "content": "# Plan\n\n- change the parser\n"}));
    let model = ground.script(&[write, say("It grows."), say("Yes.")]);
    let seat = Seat::at(&ground, &model, &["--permission-mode", "plan"]);
    seat.reads("›").types("go\r").reads("Yes.").types("/plan\r").is_asked("keep planning").sees(
        "
        Plan ‥.md · as it is now ‥
        ▸    1 # Plan

             3 • change the parser
        ⋮
        ────────────────────────────────────────────────────────────────────────────────
         1 edit [2 keep planning]
        ⋮
        ",
    );
    seat.types("j").types("j").types("c").reads("Comment on line 3").types("why?").types("\r").reads("✎ line 3: why?");
    seat.types("\x1b").reads("Current Plan").reads("why?").reads("plan mode on");
    assert!(of_type(&ground.log(), "plan-submitted").is_empty());
    // The comments stand in the input line, not sent.
    seat.types("\x03").sees("⋮\n› ▮\n⏸ plan mode on (shift+tab to cycle)").leaves();
}

/// What is on the clipboard then, by OSC 52.
#[test]
fn a_line_of_the_plan_is_copied() {
    let ground = Ground::new();
    let seat = on_the_desk(&ground, "# Plan\n\nUse A.\n", &[say("Well."), say("Yes.")], (80, 24));
    seat.types("j").types("j").types("y").reads("copied: line 3").is_sent("\x1b]52;c;VXNlIEEu\x07");
    seat.types("\x1b").reads("Yes.").leaves();
}

/// Asking settles nothing; the approval that follows takes a fresh context along, and says so in the log.
#[test]
fn the_model_is_asked_about_a_plan_that_then_begins_afresh() {
    let ground = Ground::new();
    let fresh =
        json!({"expect": {"contains": ["The work begins here"], "not_contains": ["a long story"]}, "text": "Done."});
    let rest = [say("Because **A** is there."), fresh];
    let model = ground.script(&[planned("# Plan\n\nUse A.\n").as_slice(), &rest].concat());
    let seat = Seat::sized(&ground, &model, &["--permission-mode", "plan"], (80, 24));
    seat.reads("›").types("a long story\r").is_asked("keep");
    seat.types("j").types("j").types("a").reads("Ask the model about line 3").types("why A?").types("\r").sees(
        "
        Plan ‥.md · revision 1 ‥ your questions
        ? line 3: why A?

        Because A is there.
        ⋮
        h context: [keep] compact fresh · m model: as it is
        ⋮
        ",
    );
    assert!(of_type(&ground.log(), "plan-decision").is_empty());
    seat.types("\x1b").reads("▸    3 Use A.").types("h").types("h").reads("keep compact [fresh]");
    seat.types("1").reads("Done.").reads("accept edits on");
    let log = ground.log();
    assert_eq!(of_type(&log, "aside")[0]["answer"], "Because **A** is there.");
    assert_eq!(of_type(&log, "plan-decision")[0]["handoff"]["context"], "fresh");
    assert_eq!(of_type(&log, "handed-over").len(), 1);
    seat.leaves();
}
