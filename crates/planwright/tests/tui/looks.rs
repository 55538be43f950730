//! Colours, backgrounds, plain terminals, the focus of the window.

use crate::ground::{Ground, say};
use crate::seat::Seat;

fn seated(ground: &Ground, name: &str, value: &str) -> Seat {
    let model = ground.script(&[say("Hello **you**, `code`.\n\n```rust\nfn main() {}\n```\n")]);
    let mut command = ground.planwright(&["--model", &model]);
    command.env(name, value);
    Seat::start(command, (80, 24))
}

fn coloured(seat: &Seat) -> bool {
    seat.look(|glass| {
        let screen = glass.screen();
        let (rows, columns) = (screen.size().0.get(), screen.size().1.get());
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells
            .filter_map(|(row, column)| screen.cell(row, column))
            .any(|cell| cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default)
    })
}

#[test]
fn no_color_means_none() {
    let ground = Ground::new();
    let seat = seated(&ground, "NO_COLOR", "1");
    seat.reads("›").types("go\r").reads("fn main").reads("● default mode");
    assert!(!coloured(&seat));
    seat.leaves();
    let seat = seated(&ground, "NO_COLOR", "");
    seat.reads("›").types("go\r").reads("fn main").reads("● default mode");
    assert!(coloured(&seat), "an empty NO_COLOR asks for nothing (no-color.org)");
    seat.leaves();
}

#[test]
fn a_dumb_terminal_gets_lines() {
    let ground = Ground::new();
    let seat = seated(&ground, "TERM", "dumb");
    seat.reads("› ").types("go\r").reads("fn main").types("/exit\r");
    assert_eq!(seat.over(), 0);
    assert!(!seat.look(|glass| glass.has("\x1b")), "an escape was sent to a dumb terminal");
}

/// For who has the screen read aloud: menus by numbers, no boxes, nothing drawn twice.
#[test]
fn a_screen_reader_gets_lines() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hello.")]);
    for (flag, value) in [(Some("--screen-reader"), ""), (None, "1")] {
        let mut command = ground.planwright(&[&["--model", &*model], flag.as_slice()].concat());
        command.env("PLANWRIGHT_SCREEN_READER", value);
        let seat = Seat::start(command, (80, 24));
        seat.reads("› ").types("go\r").reads("Hello.").types("/exit\r");
        assert_eq!(seat.over(), 0);
        assert!(!seat.look(|glass| glass.has("\x1b[?2026h")), "a frame was drawn");
    }
}

/// The terminal is asked for its background once; its answer is no input, and chooses the colours.
#[test]
fn the_background_chooses_the_colours() {
    let ground = Ground::new();
    let colours = |answer: &str| {
        let seat = Seat::at(&ground, &ground.script(&[say("Hello.")]), &["--permission-mode", "plan"]);
        seat.is_sent("\x1b]11;?").reads("plan mode on").types(answer).types("x").sees("⋮\n› x▮\n⏸ plan mode on‥");
        let found = seat.look(|glass| {
            let row = u16::try_from(glass.cursor().0 + 1).expect("a screen is small");
            glass.screen().cell(row, 0).map(vt100::Cell::fgcolor)
        });
        seat.types("\x7f").leaves();
        found
    };
    let dark = colours("\x1b]11;rgb:1111/1111/2222\x1b\\");
    assert_ne!(dark, colours("\x1b]11;rgb:ffff/ffff/eeee\x07"));
    assert_eq!(dark, colours(""));
}

#[test]
fn who_looks_elsewhere_is_told() {
    let ground = Ground::new();
    let model = ground.script(&[say("One."), say("Two.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.is_sent("\x1b[?1004h").reads("›").types("go\r").reads("One.").reads("default mode");
    assert!(!seat.look(|glass| glass.has("\x1b]9;")), "told although they look");
    seat.types("\x1b[O").types("go\r").reads("Two.").is_sent("\x1b]9;Planwright is done.\x07");
    seat.is_sent("\x1b]2;Planwright is done.\x07").types("\x1b[I").is_sent("\x1b]2;planwright\x07").leaves();
}
