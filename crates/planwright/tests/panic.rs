//! A panic gives the terminal back before it says anything. The program has no key that panics, so this
//! test is a program too: it starts itself on a pseudo-terminal, takes the terminal as the interface
//! does, and panics there.
#![cfg(target_os = "linux")]

#[path = "tui/drawing.rs"]
#[allow(dead_code, reason = "the drawings are for the tests of the interface")]
mod drawing;
#[path = "cli/ground.rs"]
#[allow(dead_code, reason = "the ground is for all the tests of the program")]
mod ground;
#[path = "tui/seat.rs"]
#[allow(dead_code, reason = "the seat is for the tests of the interface")]
mod seat;
#[path = "../src/tui/terminal.rs"]
#[allow(dead_code, reason = "the panic comes before the first key")]
mod terminal;
#[path = "../src/tui/typed.rs"]
#[allow(dead_code, reason = "the panic comes before the first key")]
mod typed;

use std::process::Command;

use rustix::termios::LocalModes;

const HERE: &str = "--panic-here";

fn main() {
    if std::env::args().any(|argument| argument == HERE) {
        let _taken = terminal::Terminal::take().expect("standard input is a terminal");
        terminal::send("\x1b[?1049h\x1b[?25lThe desk").expect("the terminal is there");
        panic!("as it must");
    }
    let mut command = Command::new(std::env::current_exe().expect("a program has a name"));
    command.arg(HERE).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let seat = seat::Seat::start(command, (80, 24));
    assert_eq!(seat.over(), 101, "it panics");
    assert!(seat.modes().contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "the terminal is raw");
    seat.look(|glass| {
        let screen = glass.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste(), "not given back");
        let seen = glass.seen();
        assert!(seen.iter().any(|row| row.starts_with("as it must")), "it says why: {seen:#?}");
    });
}
