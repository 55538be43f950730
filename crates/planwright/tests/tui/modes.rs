//! Shift+Tab: every row of the mode cycle, in every encoding of the key, also while the model works
//! (protocols.md 3.9, field cases F002, F109, F115).

use serde_json::json;

use crate::ground::{Ground, call, say};
use crate::seat::Seat;

/// The encodings of Shift+Tab: the terminal's own, kitty's, and that of xterm's modifyOtherKeys.
const SHIFT_TAB: [(&str, &str); 3] = [("raw", "\x1b[Z"), ("kitty", "\x1b[9;2u"), ("modifyOtherKeys", "\x1b[27;2;9~")];

#[test]
fn the_key_goes_through_every_mode_in_every_encoding() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hello.")]);
    let seat = Seat::at(&ground, &model, &["--allow-bypass"]);
    for (name, key) in SHIFT_TAB {
        seat.reads("● default mode: asks before changes");
        for mode in ["⏵⏵ accept edits on", "⏸ plan mode on", "⚠ bypass permissions on", "● default mode"] {
            seat.types(key).until(&format!("{name}: {mode}"), |glass| {
                glass.seen().last().is_some_and(|row| row.starts_with(mode))
            });
        }
    }
    seat.sees(
        "
        ⋮
          mode: bypassPermissions -> default
        › ▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.leaves();
}

/// The next call is judged by the mode of now, whatever the mode was when the turn began.
#[test]
fn the_key_counts_at_once_while_the_model_works() {
    for (name, key) in SHIFT_TAB {
        let ground = Ground::new();
        ground.write("a.txt", "one\n");
        let gate = ground.pipe("gate");
        let edit = json!({"file_path": "{cwd}/a.txt", "old_string": "one", "new_string": "two"});
        let model = ground.script(&[
            json!({"tools": [{"name": "Read", "input": {"file_path": "{cwd}/a.txt"}},
                             {"name": "Bash", "input": {"command": "cat gate"}}]}),
            call("Edit", edit),
            say("So I only plan."),
            say("And wait."),
        ]);
        let seat = Seat::at(&ground, &model, &["--permission-mode", "acceptEdits"]);
        seat.reads("accept edits on").types("change it\r").reads("⏺ Bash(cat gate)");
        seat.types(key).reads("plan mode on");
        std::fs::write(&gate, "open\n").expect("the gate can be opened");
        seat.reads("And wait.").sees(
            "
            ⋮
            ✔ Bash(cat gate)
            ⋮
            ✘ Edit(‥a.txt)
            ⋮
            ● So I only plan.
            ⋮
            › ▮
            ⏸ plan mode on (shift+tab to cycle)
            ",
        );
        assert_eq!(ground.read("a.txt"), "one\n", "{name}");
        seat.leaves();
    }
}

/// F109: keys that mean nothing do not leave plan mode.
#[test]
fn keys_that_mean_nothing_leave_the_mode_alone() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hello.")]);
    let seat = Seat::at(&ground, &model, &["--permission-mode", "plan"]);
    seat.reads("plan mode on");
    for key in ["\x7f", "\x1b", "\x1b\x1b", "\x1b[D", "\x1b[27;5;9~", "\x08", "\x1b[3~"] {
        seat.types(key);
    }
    // What is typed next is seen when all of it was dealt with.
    seat.types("x").sees(
        "
        ⋮
        › x▮
        ⏸ plan mode on (shift+tab to cycle)
        ",
    );
    seat.types("\x7f").leaves();
}
