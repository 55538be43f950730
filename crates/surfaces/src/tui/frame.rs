//! Frames: what the face shows becomes bytes, inline or on the alternate screen.

use std::fmt::Write;
use std::time::Duration;

use ratatui_core::text::Line;

use super::face::Face;
use super::screen::{Screen, Size, row};

/// To the alternate screen and back (DEC private mode 1049).
const ALTERNATE: (&str, &str) = ("\x1b[?1049h", "\x1b[?1049l");

/// What the terminal shows.
#[derive(Debug)]
pub struct Frames {
    screen: Screen,
    /// The page on the alternate screen.
    page: Option<Vec<Line<'static>>>,
    /// The alternate screen may show anything.
    anew: bool,
}

impl Frames {
    /// Frames for a terminal of this size.
    pub fn new(size: Size) -> Self {
        Self { screen: Screen::new(size), page: None, anew: false }
    }

    /// The terminal's size.
    pub const fn size(&self) -> Size {
        self.screen.size()
    }

    /// The terminal has another size.
    pub fn resize(&mut self, size: Size) {
        self.screen.resize(size);
        self.anew = true;
    }

    /// The terminal may show anything.
    pub const fn repaint(&mut self) {
        self.screen.repaint();
        self.anew = true;
    }

    /// The bytes of the next frame; empty if nothing looks different.
    pub fn draw(&mut self, face: &mut Face, now: Duration) -> String {
        let size = self.screen.size();
        let mut out = String::new();
        if let Some(page) = face.page(size, now) {
            if self.page.is_none() {
                out.push_str(ALTERNATE.0);
                self.anew = true;
            }
            let shown = self.page.take().unwrap_or_default();
            let before = if std::mem::take(&mut self.anew) { Vec::new() } else { shown };
            paint(&mut out, &before, &page.rows, page.cursor, size.columns);
            self.page = Some(page.rows);
            return out;
        }
        if self.page.take().is_some() {
            out.push_str(ALTERNATE.1);
        }
        let finished = face.take_finished(size.columns);
        out += &self.screen.draw(finished, face.live(size, now));
        out
    }

    /// Hands the terminal over as it was: for an editor, a stop, or the end. What is live is taken away.
    pub fn hand_over(&mut self) -> String {
        let mut out = String::new();
        if self.page.take().is_some() {
            out.push_str(ALTERNATE.1);
        }
        out += &self.screen.clear();
        out
    }
}

/// The rows of a page that changed, each at its place.
fn paint(
    out: &mut String,
    before: &[Line<'static>],
    rows: &[Line<'static>],
    cursor: Option<(usize, usize)>,
    columns: usize,
) {
    out.push_str("\x1b[?2026h\x1b[?25l");
    if before.len() != rows.len() {
        out.push_str("\x1b[2J");
    }
    for (n, line) in rows.iter().enumerate() {
        let same = before.len() == rows.len() && before.get(n) == Some(line);
        if !same {
            let _ = write!(out, "\x1b[{};1H", n + 1);
            row(out, line, columns);
            if line.width() < columns {
                out.push_str("\x1b[K");
            }
        }
    }
    if let Some((row, column)) = cursor {
        let _ = write!(out, "\x1b[{};{}H\x1b[?25h", row + 1, column + 1);
    }
    out.push_str("\x1b[?2026l");
}
