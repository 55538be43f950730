//! A long session, and the conversation on the alternate screen.

use serde_json::{Value, json};

use crate::ground::{Ground, say};
use crate::seat::Seat;

/// Calls: each makes two messages, the call and its result.
const CALLS: usize = 2_500;

#[test]
fn a_session_of_5000_messages_is_typed_in_scrolled_and_searched() {
    let ground = Ground::new();
    let call = |n: usize| json!({"tools": [{"name": "Glob", "input": {"pattern": format!("nothing-{n}.*")}}]});
    let turns: Vec<Value> = (1..=CALLS).map(call).chain([say("That was all."), say("Still here.")]).collect();
    let limit = (CALLS + 10).to_string();
    let seat = Seat::at(&ground, &ground.script(&turns), &["--max-turns", &limit]);
    seat.reads("›").types("go\r").reads("That was all.");
    seat.types("and now\r").reads("Still here.");
    // Everything is in the transcript, and found there.
    seat.types("\x0f").reads("transcript").types("/").types("nothing-7.").types("\r").reads("✔ Glob(nothing-7.*)");
    seat.types("q").reads("Still here.").leaves();
}

#[test]
fn the_conversation_stands_on_the_alternate_screen_if_wanted() {
    let ground = Ground::new();
    let text: String = (1..=40).map(|n| format!("line {n}\n\n")).collect();
    let seat = Seat::sized(&ground, &ground.script(&[say(&text)]), &["--alternate-screen"], (60, 12));
    seat.reads("›").types("go\r").sees(
        "
        ⋮
          line 40
        ⋮
        › ▮
        ● default mode‥
        ",
    );
    seat.types("\x1b[5~").reads("… more below").types("\x1b[5~").types("\x1b[5~").types("\x1b[6~");
    seat.types("\x1b[1;5F").no_longer_reads("… more below").reads("line 40");
    seat.types("words").resizes(40, 10).reads("› words").reads("line 40");
    seat.types("\x15").leaves();
    let above = seat.look(|glass| glass.history());
    assert!(
        !above.iter().any(|line| line.contains("line 40")),
        "the terminal's own scrollback has none of it: {above:?}"
    );
}
