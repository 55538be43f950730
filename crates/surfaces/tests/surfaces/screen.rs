//! What a terminal shows after the bytes of the inline screen. The terminal is `vt100`, a real
//! emulator; screens are drawn here as they are seen.

use std::num::NonZero;

use planwright_surfaces::tui::screen::{Live, Screen, Size};
use ratatui_core::text::Line;

fn some(n: u16) -> NonZero<u16> {
    NonZero::new(n).expect("a terminal has cells")
}

/// A terminal, what was on it before, and our screen on it.
struct Terminal {
    parser: vt100::Parser,
    screen: Screen,
}

impl Terminal {
    fn new(columns: u16, rows: u16, before: &[&str]) -> Self {
        let mut parser = vt100::Parser::new(some(rows), some(columns), 10_000);
        for line in before {
            parser.process(format!("{line}\r\n").as_bytes());
        }
        Self { parser, screen: Screen::new(Size::new(columns.into(), rows.into())) }
    }

    fn draw(&mut self, finished: &[&str], live: &[&str], cursor: (usize, usize)) -> usize {
        let lines = |texts: &[&str]| texts.iter().map(|text| Line::from((*text).to_owned())).collect();
        let bytes = self.screen.draw(lines(finished), Live { rows: lines(live), cursor: Some(cursor) });
        self.parser.process(bytes.as_bytes());
        bytes.len()
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.screen_mut().set_size(some(rows), some(columns));
        self.screen.resize(Size::new(columns.into(), rows.into()));
    }

    /// The rows that are seen, without empty ones at the end; the cursor is drawn as `▮`.
    fn seen(&self) -> Vec<String> {
        let screen = self.parser.screen();
        let (row, column) = screen.cursor_position();
        let mut rows: Vec<_> = screen.rows(0, screen.size().1.get()).collect();
        let under: String = screen.rows(column, 200).nth(row.into()).unwrap_or_default();
        let at = rows[usize::from(row)].len() - under.len();
        rows[usize::from(row)].insert(at, '▮');
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    /// All that scrolled away, and what is seen, a line each.
    fn history(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        self.parser.screen_mut().set_scrollback(usize::MAX);
        let mut above = self.parser.screen().scrollback();
        while above > 0 {
            self.parser.screen_mut().set_scrollback(above);
            all.push(self.parser.screen().rows(0, 200).next().unwrap_or_default());
            above -= 1;
        }
        self.parser.screen_mut().set_scrollback(0);
        all.extend(self.parser.screen().rows(0, 200));
        all
    }
}

#[test]
fn finished_rows_are_written_above_a_live_area() {
    let mut terminal = Terminal::new(20, 6, &["$ planwright"]);
    terminal.draw(&[], &["› ", "plan mode"], (0, 2));
    assert_eq!(terminal.seen(), ["$ planwright", "› ▮", "plan mode"]);
    terminal.draw(&["● hello"], &["› hi", "plan mode"], (0, 4));
    assert_eq!(terminal.seen(), ["$ planwright", "● hello", "› hi▮", "plan mode"]);
    terminal.draw(&[], &["› hi", "  there", "plan mode"], (1, 7));
    assert_eq!(terminal.seen(), ["$ planwright", "● hello", "› hi", "  there▮", "plan mode"]);
    terminal.draw(&["● one", "● two"], &["› ", "plan mode"], (0, 2));
    assert_eq!(terminal.seen(), ["$ planwright", "● hello", "● one", "● two", "› ▮", "plan mode"]);
    terminal.draw(&["● three"], &["› ", "plan mode"], (0, 2));
    assert_eq!(terminal.seen(), ["● hello", "● one", "● two", "● three", "› ▮", "plan mode"]);
    assert_eq!(terminal.history()[0], "$ planwright");
}

#[test]
fn nothing_is_sent_when_nothing_moves_and_little_when_little_does() {
    let mut terminal = Terminal::new(40, 10, &[]);
    terminal.draw(&["● hello"], &["* working 1 s", "› ", "default"], (1, 2));
    assert_eq!(terminal.draw(&[], &["* working 1 s", "› ", "default"], (1, 2)), 0);
    assert!(terminal.draw(&[], &["* working 2 s", "› ", "default"], (1, 2)) < 80);
    assert_eq!(terminal.seen(), ["● hello", "* working 2 s", "› ▮", "default"]);
}

#[test]
fn a_live_area_shrinks_without_leaving_rows_behind() {
    let mut terminal = Terminal::new(20, 6, &[]);
    terminal.draw(&[], &["1", "2", "3", "4", "5"], (4, 1));
    terminal.draw(&[], &["1", "2"], (1, 1));
    assert_eq!(terminal.seen(), ["1", "2▮"]);
    terminal.draw(&[], &["x"], (0, 1));
    assert_eq!(terminal.seen(), ["x▮"]);
    // More rows than the screen has: the last ones are seen.
    terminal.draw(&[], &["1", "2", "3", "4", "5", "6", "7", "8"], (7, 1));
    assert_eq!(terminal.seen(), ["3", "4", "5", "6", "7", "8▮"]);
    terminal.draw(&[], &["x"], (0, 1));
    assert_eq!(terminal.seen(), ["x▮"]);
}

#[test]
fn a_resize_paints_the_screen_from_what_was_written_last() {
    let mut terminal = Terminal::new(20, 6, &["$ planwright"]);
    terminal.draw(&["● a line of 18 col"], &["› hi", "default"], (0, 4));
    terminal.resize(10, 6);
    terminal.draw(&[], &["› hi", "default"], (0, 4));
    assert_eq!(terminal.seen(), ["● a line o", "f 18 col", "› hi▮", "default"]);
    assert!(terminal.history().iter().any(|line| line.starts_with("$ planwrig")), "{:?}", terminal.history());
    terminal.resize(30, 3);
    terminal.draw(&[], &["› hi", "default"], (0, 4));
    assert_eq!(terminal.seen(), ["● a line of 18 col", "› hi▮", "default"]);
    terminal.draw(&["● more"], &["› hi", "default"], (0, 4));
    assert_eq!(terminal.seen(), ["● more", "› hi▮", "default"]);
}

#[test]
fn a_storm_of_sizes_ends_with_the_right_screen() {
    let mut terminal = Terminal::new(80, 24, &["$ planwright"]);
    for n in 0..40 {
        terminal.draw(&[&format!("● line {n} 日本語")], &["› 日本", "default"], (0, 6));
    }
    for n in 0_u16..60 {
        terminal.resize(1 + n * 7 % 90, 1 + n * 5 % 30);
        terminal.draw(&[], &["› 日本", "default"], (0, 6));
    }
    terminal.resize(30, 5);
    terminal.draw(&[], &["› 日本", "default"], (0, 6));
    assert_eq!(terminal.seen(), ["● line 37 日本語", "● line 38 日本語", "● line 39 日本語", "› 日本▮", "default"]);
}

#[test]
fn wide_rows_and_controls_cannot_break_the_screen() {
    let mut terminal = Terminal::new(6, 4, &[]);
    terminal.draw(&["日本語日本語", "\u{1b}[2Jx"], &["abcdefghij"], (0, 9));
    assert_eq!(terminal.seen(), ["日本語", "[2Jx", "abcde▮f"]);
}

#[test]
fn leaving_keeps_what_is_there_and_clearing_takes_it_away() {
    let mut terminal = Terminal::new(20, 6, &[]);
    terminal.draw(&["● done"], &["› ", "default"], (0, 2));
    let bytes = terminal.screen.clear();
    terminal.parser.process(bytes.as_bytes());
    assert_eq!(terminal.seen(), ["● done", "▮"]);
    terminal.draw(&[], &["› ", "default"], (0, 2));
    let bytes = terminal.screen.leave();
    terminal.parser.process(bytes.as_bytes());
    assert_eq!(terminal.seen(), ["● done", "› ", "default", "▮"]);
}
