//! Keys that are on their way when a question comes up choose nothing, and what was typed is not lost
//! (field cases F034, F049, F052, F092, F095, F109).
//!
//! What is "on its way" is sent in one piece with the Enter that starts the turn: the program has it
//! before the model is even asked. How long the hands must rest is tried key by key, with the time as an
//! argument, in `surfaces/tests`.

use serde_json::{Value, json};

use crate::ground::{Ground, call, of_type, planned, say};
use crate::seat::Seat;

/// What may be in flight, and what of it then stands in the input line or waits in the queue.
const FLIGHTS: [(&str, &str); 6] = [
    ("y", "› y"),
    ("1", "› 1"),
    ("1 more thing", "› 1 more thing"),
    ("1 more thing\r", "1 more thing"),
    ("\x1b[200~1\r2\r\x1b[201~", "› 1"),
    ("yes please\x1b[200~ no\x1b[201~", "› yes please no"),
];

/// A question of each kind: what asks it, what is then read, and what must not have happened.
fn questions() -> Vec<(&'static str, Vec<Value>, &'static str)> {
    let question = json!({"question": "Which colour?", "header": "Colour", "multiSelect": false,
                          "options": [{"label": "red", "description": ""}, {"label": "blue", "description": ""}]});
    vec![
        ("default", vec![call("Bash", json!({"command": "touch made"}))], "Allow Bash?"),
        ("default", vec![call("EnterPlanMode", json!({}))], "Enter plan mode?"),
        ("plan", vec![call("AskUserQuestion", json!({"questions": [question]}))], "Which colour?"),
        ("plan", planned("# Plan\n\nDo it.\n").to_vec(), "keep planning"),
    ]
}

#[test]
fn what_is_in_flight_when_a_question_comes_up_is_no_answer() {
    for (mode, turns, asked) in questions() {
        for (flight, kept) in FLIGHTS {
            let ground = Ground::new();
            let model = ground.script(&[turns.clone(), vec![say("I go on."), say("And on.")]].concat());
            let seat = Seat::at(&ground, &model, &["--permission-mode", mode]);
            seat.reads("›").types(&format!("go\r{flight}")).is_asked(asked);
            let results = of_type(&ground.log(), "tool-result").len();
            assert_eq!(results, turns.len() - 1, "{asked} was answered by {flight:?}");
            assert!(!ground.project().join("made").exists(), "{asked} was answered by {flight:?}");
            // Esc is the cautious answer; what was typed is there.
            seat.types("\x1b").reads("I go on.").until(&format!("{asked}, {flight:?}: {kept}"), |glass| {
                glass.seen().iter().any(|row| row.replace('▮', "").contains(kept))
            });
            assert!(!ground.project().join("made").exists(), "{asked}: Esc is no yes");
            drop(seat);
        }
    }
}

/// The words of a sentence that come in one piece, as a paste does where terminals do not mark it.
#[test]
fn a_burst_of_words_at_an_open_question_is_no_choice() {
    for (mode, turns, asked) in questions() {
        let ground = Ground::new();
        let model = ground.script(&[turns, vec![say("I go on."), say("And on."), say("To the end.")]].concat());
        let seat = Seat::at(&ground, &model, &["--permission-mode", mode]);
        seat.reads("›").types("go\r").is_asked(asked).is_braced(1);
        seat.types("1 more thing\r");
        match asked {
            // The desk hides the queue; but it says again that it takes no keys.
            "keep planning" => seat.is_braced(2),
            _ => seat.reads("queued: 1 more thing"),
        };
        seat.is_asked(asked);
        seat.types("\x1b").reads("I go on.").reads("› 1 more thing").reads("And on.").no_longer_reads("esc to");
        assert!(!ground.project().join("made").exists(), "{asked} was answered by a sentence");
        seat.leaves();
    }
}

#[test]
fn words_typed_under_an_open_permission_go_to_the_input_line() {
    let ground = Ground::new();
    let model = ground.script(&[call("Bash", json!({"command": "touch made"})), say("Then not.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("go\r").is_asked("Allow Bash?");
    seat.sees(
        "
        › go
        Allow Bash?
        Why it asks: ‥
        ⋮
          touch made
        ⋮
        ❯ ‥
        ⋮
        number or enter · tab adds a comment · esc: no
        › ▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types("x").is_braced(2).sees(
        "
        ⋮
        number or enter · tab adds a comment · esc: no
        › x▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types("\x7f").is_braced(3).is_asked("Allow Bash?").types("\x1b").reads("Then not.");
    assert!(!ground.project().join("made").exists());
    seat.leaves();
}

/// F034: Ctrl+C at the desk stops the turn, and approves nothing; the same plan can be submitted again.
#[test]
fn an_interrupt_at_the_desk_approves_nothing() {
    let ground = Ground::new();
    let again = call("ExitPlanMode", json!({}));
    let model =
        ground.script(&[planned("# Plan\n\nDo it.\n").to_vec(), vec![again, say("Sent back."), say("Yes.")]].concat());
    let seat = Seat::at(&ground, &model, &["--permission-mode", "plan"]);
    seat.reads("›").types("go\r").is_asked("keep planning");
    seat.types("\x03").sees(
        "
        ⋮
        › ▮
        ⏸ plan mode on (shift+tab to cycle)
        ",
    );
    seat.types("wait\r").is_asked("keep planning").types("\x1b").reads("Sent back.").reads("plan mode on");
    assert!(of_type(&ground.log(), "plan-decision").iter().all(|entry| entry["decision"] != "approved"));
    seat.leaves();
}

/// F095: one's own words are not lost when the mark moves.
#[test]
fn own_words_survive_the_mark() {
    let ground = Ground::new();
    let question = json!({"question": "Which colour?", "header": "Colour", "multiSelect": false,
                          "options": [{"label": "red", "description": ""}, {"label": "blue", "description": ""}]});
    let model = ground.script(&[call("AskUserQuestion", json!({"questions": [question]})), say("Good.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("go\r").is_asked("Which colour?");
    // The third row is for words of one's own.
    seat.types("\x1b[B").types("\x1b[B").reads("❯ 3.").types("neither of them").sees(
        "
        ⋮
        Which colour?
          1. red
          2. blue
        ❯ 3. neither of them▮
        ⋮
        ",
    );
    seat.types("\x1b[A").types("\r").reads("Good.");
    let log = serde_json::to_string(&ground.log()).expect("a log is JSON");
    assert!(log.contains("neither of them"), "{log}");
    seat.leaves();
}
