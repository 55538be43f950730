//! In tmux, which draws what it was drawn: a terminal with rules of its own.

use std::process::Command;

use crate::ground::{Ground, planned, say};
use crate::seat::Seat;

/// A tmux of its own around the program, ended with the test.
struct Tmux {
    ground: Ground,
}

impl Tmux {
    fn command(&self) -> Command {
        let mut tmux = Command::new("tmux");
        self.ground.place(&mut tmux);
        tmux.env("LC_ALL", "C.UTF-8").env("TERM", "xterm-256color");
        tmux.arg("-S").arg(self.ground.beside("tmux.socket")).args(["-f", "/dev/null", "-u"]);
        tmux
    }

    fn seated(&self, turns: &[serde_json::Value], mode: &str) -> Seat {
        let mut tmux = self.command();
        tmux.args(["set", "-g", "status", "off", ";", "new-session"]);
        tmux.args([env!("CARGO_BIN_EXE_planwright"), "--model", &self.ground.script(turns), "--permission-mode", mode]);
        Seat::start(tmux, (80, 24))
    }

    fn history(&self) -> String {
        let shown = self.command().args(["capture-pane", "-p", "-S", "-"]).output().expect("tmux can be asked");
        String::from_utf8_lossy(&shown.stdout).into_owned()
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.command().arg("kill-server").output();
    }
}

#[test]
fn the_scrollback_is_tmuxs_own_and_holds_every_line_once() {
    let tmux = Tmux { ground: Ground::new() };
    let answer: String = (1..=60).map(|n| format!("- line {n} of the answer\n")).collect();
    let seat = tmux.seated(&[say(&answer)], "default");
    seat.reads("default mode").types("go\r").reads("line 60 of").types("draft").reads("› draft");
    for (columns, rows) in [(60, 20), (80, 24)] {
        seat.resizes(columns, rows).until("the whole screen again", |glass| {
            glass.seen().last().is_some_and(|row| row.starts_with("● default mode"))
                && glass.seen().len() == usize::from(rows)
        });
    }
    let history = tmux.history();
    for n in 1..=36 {
        assert_eq!(history.matches(&format!("line {n} of the answer")).count(), 1, "line {n}:\n{history}");
    }
    seat.types("\x03").types("\x03").reads("again to leave").types("\x03");
    assert_eq!(seat.over(), 0);
}

#[test]
fn the_desk_and_the_mode_key_work_in_tmux() {
    let tmux = Tmux { ground: Ground::new() };
    let turns = [planned("# Plan\n\nDo it.\n").to_vec(), vec![say("Sent back."), say("Yes.")]].concat();
    let seat = tmux.seated(&turns, "default");
    seat.reads("default mode").types("\x1b[Z").reads("accept edits on").types("\x1b[Z").reads("plan mode on");
    seat.types("go\r").is_asked("keep planning").types("\x1b").reads("Yes.").reads("plan mode on");
    seat.types("\x03").reads("again to leave").types("\x03");
    assert_eq!(seat.over(), 0);
}
