//! The input line: pastes, several lines, the history, files, the queue, Esc.

use serde_json::json;

use crate::ground::{Ground, call, say};
use crate::seat::Seat;

#[test]
fn a_paste_never_sends() {
    let ground = Ground::new();
    let model = ground.script(&[say("Heard.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("\x1b[200~one\r\ntwo\x1b]0;x\x07\x1b[201~").sees(
        "
        › one
          two]0;x▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types("\x03").types(&format!("\x1b[200~{}\x1b[201~ see above", "a line\r".repeat(50)));
    seat.sees("› [Pasted text #1, 50 lines] see above▮\n● default mode: asks before changes (shift+tab to cycle)");
    seat.types("\r").reads("Heard.");
    let log = serde_json::to_string(&ground.log()).expect("JSON");
    assert!(log.contains(&format!("{} see above", "a line\\n".repeat(50))), "{log}");
    seat.leaves();
}

#[test]
fn newlines_by_every_key_that_makes_one() {
    let ground = Ground::new();
    let model = ground.script(&[say("Heard.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("a\x1b\rb\x1b[13;2uc\x1b[27;2;13~d\ne\\\rf").sees(
        "
        › a
          b
          c
          d
          e
          f▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types("\r").reads("Heard.").leaves();
}

#[test]
fn the_history_is_the_projects_own() {
    let ground = Ground::new();
    let model = ground.script(&[say("Heard.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("fix the parser\r").reads("Heard.").leaves();
    let seat = Seat::at(&ground, &ground.script(&[say("Heard.")]), &[]);
    seat.reads("›").types("\x1b[A").reads("› fix the parser").types("\x03").no_longer_reads("fix the parser");
    seat.types("\x12").reads("search the history:").types("pars").reads("› fix the parser").types("\r");
    seat.no_longer_reads("search the history").types("\x03").leaves();
    ground.write("../other/a.txt", "");
    let mut elsewhere = ground.planwright(&["--model", &ground.script(&[say("Heard.")])]);
    elsewhere.current_dir(ground.beside("other"));
    let seat = Seat::start(elsewhere, (80, 24));
    seat.reads("›").types("\x1b[A").types("x").sees("› x▮\n● default mode: asks before changes (shift+tab to cycle)");
    seat.types("\x7f").leaves();
}

/// A file that a turn makes can be named in the next prompt.
#[test]
fn files_are_offered_and_new_ones_too() {
    let ground = Ground::new();
    ground.write("src/lexer.rs", "");
    let write = call("Write", json!({"file_path": "{cwd}/src/parser.rs", "content": "x\n"}));
    let model = ground.script(&[write, say("Made.")]);
    let seat = Seat::at(&ground, &model, &["--permission-mode", "acceptEdits"]);
    seat.reads("›").types("see @lex").reads("❯ ").types("\t").reads("› see @src/lexer.rs").types("\x03");
    seat.types("go\r").reads("Made.").types("and @pars").reads("❯ ").types("\t").reads("› and @src/parser.rs");
    seat.types("\x03").leaves();
}

#[test]
fn what_is_said_meanwhile_waits_and_can_be_taken_back() {
    let ground = Ground::new();
    let gate = ground.pipe("gate");
    let model = ground.script(&[call("Bash", json!({"command": "cat gate"})), say("First."), say("Second.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("go\r").reads("⏺ Bash(cat gate)").types("and then\r").sees(
        "
        › go
        ⏺ Bash(cat gate)‥
        ‥ esc to interrupt‥
        queued: and then (↑ takes it back)
        › ▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types("\x1b[A").no_longer_reads("queued:").reads("› and then").types("\r").reads("queued: and then");
    std::fs::write(gate, "open\n").expect("the gate can be opened");
    seat.reads("Second.").leaves();
}

#[test]
fn esc_interrupts_and_what_the_user_runs_is_shown() {
    let ground = Ground::new();
    ground.pipe("gate");
    let model = ground.script(&[call("Bash", json!({"command": "cat gate"})), say("Not reached.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("go\r").reads("⏺ Bash(cat gate)").types("\x1b").no_longer_reads("esc to interrupt");
    seat.types("!echo by hand\r").sees(
        "
        ⋮
        › !echo by hand
          by hand
        ⋮
        › ▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.leaves();
}

#[test]
fn an_error_has_a_cause_and_a_hint() {
    let ground = Ground::new();
    let seat = Seat::at(&ground, &ground.script(&[]), &[]);
    seat.reads("›").types("go\r").sees(
        "
        › go
        ✘ error: The model script ‥
        ⋮
          Correct the script, or start a new session to play it from its beginning.
        › ▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types("\x03").reads("again to leave").types("\x03");
    assert_eq!(seat.over(), 1, "the last turn failed");
}
