//! Leaving, being stopped and being ended: the terminal is given back as it was.

use rustix::termios::LocalModes;

use crate::ground::{Ground, call, say};
use crate::seat::Seat;

/// What is switched off at the end: kitty's keys, focus, bracketed paste; and the cursor is there.
const GIVEN_BACK: [&str; 5] = ["\x1b[<1u", "\x1b[>4;0m", "\x1b[?1004l", "\x1b[?2004l", "\x1b[?25h"];

fn is_given_back(seat: &Seat) {
    for bytes in GIVEN_BACK {
        assert!(seat.look(|glass| glass.has(bytes)), "{bytes:?} was not sent");
    }
    assert!(seat.look(|glass| !glass.screen().bracketed_paste() && !glass.screen().hide_cursor()));
    assert!(seat.modes().contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "the terminal is raw");
}

#[test]
fn ctrl_c_twice_leaves() {
    let ground = Ground::new();
    let seat = Seat::at(&ground, &ground.script(&[say("Hello.")]), &[]);
    seat.reads("›").types("hello\r").reads("Hello.");
    assert!(!seat.modes().contains(LocalModes::ICANON), "keys are read one by one");
    seat.types("\x03").reads("again to leave").types("\x03");
    assert_eq!(seat.over(), 0);
    is_given_back(&seat);
    // What was said stays; what was live is gone.
    seat.look(|glass| assert_eq!(glass.seen(), ["› hello", "● Hello.", "", "▮"]));
}

#[test]
fn a_sigterm_gives_the_terminal_back() {
    let ground = Ground::new();
    let seat = Seat::at(&ground, &ground.script(&[say("Hello.")]), &[]);
    seat.reads("›").types("draft").reads("› draft").signals("TERM");
    assert_eq!(seat.over(), 143);
    is_given_back(&seat);
}

#[test]
fn a_sigterm_at_the_desk_leaves_the_alternate_screen() {
    let ground = Ground::new();
    let turns = crate::ground::planned("# Plan\n\nDo it.\n");
    let seat = Seat::at(&ground, &ground.script(&turns), &["--permission-mode", "plan"]);
    seat.reads("›").types("go\r").is_asked("keep planning").signals("TERM");
    assert_eq!(seat.over(), 143);
    is_given_back(&seat);
    assert!(seat.look(|glass| !glass.screen().alternate_screen()));
    let log = ground.log();
    assert!(crate::ground::of_type(&log, "plan-decision").iter().all(|entry| entry["decision"] != "approved"));
}

#[test]
fn a_terminal_that_is_closed_ends_it() {
    let ground = Ground::new();
    ground.pipe("gate");
    let turns = [call("Bash", serde_json::json!({"command": "cat gate"})), say("Never said.")];
    let seat = Seat::at(&ground, &ground.script(&turns), &[]);
    seat.reads("›").types("go\r").reads("⏺ Bash(cat gate)").signals("HUP");
    assert_eq!(seat.over(), 129);
}

/// Ctrl+Z and `fg`, by a shell with job control.
#[test]
fn ctrl_z_stops_it_and_fg_goes_on() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hello.")]);
    let mut shell = std::process::Command::new("bash");
    shell.args(["--norc", "--noprofile", "-i"]);
    ground.place(&mut shell);
    // The shell's own line editor switches bracketed paste on, which is how it is seen here who has the terminal.
    let plain = ground.write("../inputrc", "set enable-bracketed-paste off\n");
    shell.env("INPUTRC", plain).env("PS1", "$ ").env("PROGRAM", env!("CARGO_BIN_EXE_planwright")).env("MODEL", &model);
    let seat = Seat::start(shell, (80, 24));
    seat.reads("$ ").types("\"$PROGRAM\" --model \"$MODEL\"\r").reads("default mode").types("draft").reads("› draft");
    seat.types("\x1a").reads("Stopped").until("the shell's own terminal", |glass| !glass.screen().bracketed_paste());
    seat.types("echo in the $((40+2))\r").reads("in the 42").types("fg\r").reads("› draft");
    seat.types(" on\r").reads("● Hello.").types("\x03").reads("again to leave").types("\x03");
    seat.until("the shell's own terminal", |glass| !glass.screen().bracketed_paste())
        .types("echo code $?\r")
        .reads("code 0")
        .types("exit\r");
    assert_eq!(seat.over(), 0);
}
