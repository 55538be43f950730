//! The inline screen: finished rows are written once and become the terminal's own scrollback; below
//! them stands a live area that is drawn anew when it changes. Pure: a frame goes in, bytes come out.
//!
//! Everything is relative to the cursor, which always stands in the live area, so that nobody must
//! ask the terminal where it is. Only after a resize the screen is painted as a whole, from the
//! last rows that were written: a terminal may have reflowed them, cut them, or neither.

use std::collections::VecDeque;
use std::fmt::Write;

use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::text::Line;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Begins and ends synchronized output (DEC private mode 2026): a terminal that knows it shows a
/// frame at once, one that does not ignores it.
const SYNC: (&str, &str) = ("\x1b[?2026h", "\x1b[?2026l");

/// Columns and rows of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns, at least 1.
    pub columns: usize,
    /// Rows, at least 1.
    pub rows: usize,
}

impl Size {
    /// A size; a terminal that says it has none has one cell.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self { columns: columns.max(1), rows: rows.max(1) }
    }
}

/// The live area of one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// Its rows, none wider than the screen; the last ones are shown if there are too many.
    pub rows: Vec<Line<'static>>,
    /// Where the cursor stands: row and column from 0. `None` hides it at the end of the last row.
    pub cursor: Option<(usize, usize)>,
}

/// What is on the screen.
#[derive(Debug)]
pub struct Screen {
    size: Size,
    live: Live,
    /// The row of the live area that the terminal's cursor is in.
    at: usize,
    /// The last rows written above, at most a screen of them.
    written: VecDeque<Line<'static>>,
    /// Nothing on the screen was there before us.
    ours: bool,
    /// Paint all of it next time.
    anew: bool,
}

impl Screen {
    /// An empty screen below whatever the terminal shows. Its cursor stands at the start of a row.
    pub fn new(size: Size) -> Self {
        let live = Live { rows: vec![Line::default()], cursor: Some((0, 0)) };
        Self { size, live, at: 0, written: VecDeque::new(), ours: false, anew: false }
    }

    /// Its size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The terminal has another size now.
    pub fn resize(&mut self, size: Size) {
        if size != self.size {
            self.size = size;
            self.anew = true;
        }
    }

    /// The terminal may show anything now (after an editor, or Ctrl+L).
    pub const fn repaint(&mut self) {
        self.anew = true;
    }

    /// Writes `finished` above, and draws the live area: the bytes for the terminal.
    pub fn draw(&mut self, finished: Vec<Line<'static>>, mut live: Live) -> String {
        self.bound(&mut live);
        if finished.is_empty() && !self.anew && live == self.live {
            return String::new();
        }
        let mut out = String::from(SYNC.0);
        out.push_str("\x1b[?25l");
        self.remember(&finished);
        if self.anew {
            self.paint_all(&mut out, &live);
        } else if finished.is_empty() {
            self.paint_changes(&mut out, &live);
        } else {
            up(&mut out, self.at);
            out.push_str("\r\x1b[J");
            for line in &finished {
                row(&mut out, line, self.size.columns);
                out.push_str("\r\n");
            }
            self.paint_live(&mut out, &live, 0);
        }
        self.settle(&mut out, live);
        out.push_str(SYNC.1);
        out
    }

    /// Leaves the live area behind as it is, with the cursor on a fresh row below it.
    pub fn leave(&mut self) -> String {
        let mut out = String::new();
        down(&mut out, self.live.rows.len().saturating_sub(1).saturating_sub(self.at));
        out.push_str("\r\n\x1b[?25h");
        *self = Self::new(self.size);
        out
    }

    /// Takes the live area away; what comes next stands in its place.
    pub fn clear(&mut self) -> String {
        let mut out = String::new();
        up(&mut out, self.at);
        out.push_str("\r\x1b[J\x1b[?25h");
        self.live = Live { rows: vec![Line::default()], cursor: Some((0, 0)) };
        self.at = 0;
        out
    }

    /// At least one row, at most a screen of them, and the cursor inside.
    fn bound(&self, live: &mut Live) {
        let over = live.rows.len().saturating_sub(self.size.rows);
        live.rows.drain(..over);
        if live.rows.is_empty() {
            live.rows.push(Line::default());
        }
        let (last_row, last_column) = (live.rows.len() - 1, self.size.columns - 1);
        live.cursor =
            live.cursor.map(|(row, column)| (row.saturating_sub(over).min(last_row), column.min(last_column)));
    }

    fn remember(&mut self, finished: &[Line<'static>]) {
        self.written.extend(finished.iter().cloned());
        // Rows may break in two when the screen becomes narrow, so a screen of them is always enough.
        while self.written.len() > self.size.rows.max(100) {
            self.written.pop_front();
        }
        self.ours |= self.written.len() >= self.size.rows;
    }

    /// Only the rows that changed.
    fn paint_changes(&self, out: &mut String, live: &Live) {
        let same = live.rows.iter().zip(&self.live.rows).take_while(|(new, old)| new == old).count();
        if live.rows.len() != self.live.rows.len() {
            // From the first row that differs on.
            let first = same.min(self.live.rows.len() - 1).min(live.rows.len() - 1);
            move_rows(out, self.at, first);
            out.push_str("\r\x1b[J");
            self.paint_live(out, live, first);
            return;
        }
        let mut at = self.at;
        for (n, (new, old)) in live.rows.iter().zip(&self.live.rows).enumerate().skip(same) {
            if new != old {
                move_rows(out, at, n);
                out.push('\r');
                row(out, new, self.size.columns);
                if new.width() < self.size.columns {
                    out.push_str("\x1b[K");
                }
                at = n;
            }
        }
        move_rows(out, at, live.rows.len() - 1);
    }

    /// The rows of the live area from `first` on; the cursor is where the first of them belongs.
    fn paint_live(&self, out: &mut String, live: &Live, first: usize) {
        for (n, line) in live.rows.iter().enumerate().skip(first) {
            if n > first {
                out.push_str("\r\n");
            }
            row(out, line, self.size.columns);
        }
    }

    /// The whole screen, from what was written last. What stood there before us goes to the scrollback.
    fn paint_all(&mut self, out: &mut String, live: &Live) {
        if !self.ours {
            out.push_str(&"\r\n".repeat(self.size.rows));
            self.ours = true;
        }
        out.push_str("\x1b[H\x1b[J");
        let room = self.size.rows - live.rows.len();
        let broken: Vec<_> = self.written.iter().flat_map(|line| broken(line, self.size.columns)).collect();
        for line in &broken[broken.len().saturating_sub(room)..] {
            row(out, line, self.size.columns);
            out.push_str("\r\n");
        }
        self.paint_live(out, live, 0);
        self.anew = false;
    }

    /// Puts the cursor where it belongs; it stands in the last row of the live area now.
    fn settle(&mut self, out: &mut String, live: Live) {
        let last = live.rows.len() - 1;
        let (row, column) = live.cursor.unwrap_or((last, 0));
        up(out, last - row);
        out.push('\r');
        if column > 0 {
            let _ = write!(out, "\x1b[{column}C");
        }
        if live.cursor.is_some() {
            out.push_str("\x1b[?25h");
        }
        self.at = row;
        self.live = live;
    }
}

fn up(out: &mut String, rows: usize) {
    if rows > 0 {
        let _ = write!(out, "\x1b[{rows}A");
    }
}

fn down(out: &mut String, rows: usize) {
    if rows > 0 {
        let _ = write!(out, "\x1b[{rows}B");
    }
}

fn move_rows(out: &mut String, from: usize, to: usize) {
    up(out, from.saturating_sub(to));
    down(out, to.saturating_sub(from));
}

/// A row as a terminal breaks it that is narrower.
fn broken(line: &Line<'static>, columns: usize) -> Vec<Line<'static>> {
    if line.width() <= columns {
        return vec![line.clone()];
    }
    let mut lines = vec![Line::default()];
    let mut used = 0;
    for span in &line.spans {
        for grapheme in span.content.graphemes(true) {
            let wide = grapheme.width();
            if used + wide > columns && used > 0 {
                lines.push(Line::default());
                used = 0;
            }
            used += wide;
            if let Some(last) = lines.last_mut() {
                let style = span.style;
                match last.spans.last_mut().filter(|before| before.style == style) {
                    Some(before) => before.content.to_mut().push_str(grapheme),
                    None => last.push_span(ratatui_core::text::Span::styled(grapheme.to_owned(), style)),
                }
            }
        }
    }
    lines
}

/// Writes a line, cut at the edge of the screen.
pub(crate) fn row(out: &mut String, line: &Line<'static>, columns: usize) {
    let mut used = 0;
    for span in &line.spans {
        let style = line.style.patch(span.style);
        let codes = sgr(style);
        if !codes.is_empty() {
            let _ = write!(out, "\x1b[{codes}m");
        }
        for grapheme in span.content.graphemes(true) {
            let wide = grapheme.width();
            // Control characters were made visible long before; one that was not must not act here.
            if used + wide > columns || grapheme.chars().any(char::is_control) {
                continue;
            }
            out.push_str(grapheme);
            used += wide;
        }
        if !codes.is_empty() {
            out.push_str("\x1b[0m");
        }
    }
}

/// The numbers of Select Graphic Rendition (ECMA-48, 8.3.117) for a style.
fn sgr(style: Style) -> String {
    let modifiers = [
        (Modifier::BOLD, "1"),
        (Modifier::DIM, "2"),
        (Modifier::ITALIC, "3"),
        (Modifier::UNDERLINED, "4"),
        (Modifier::REVERSED, "7"),
        (Modifier::CROSSED_OUT, "9"),
    ];
    let mut codes: Vec<_> = modifiers
        .iter()
        .filter(|(modifier, _)| style.add_modifier.contains(*modifier))
        .map(|(_, code)| (*code).to_owned())
        .collect();
    codes.extend(style.fg.and_then(|colour| colour_code(colour, 30)));
    codes.extend(style.bg.and_then(|colour| colour_code(colour, 40)));
    codes.join(";")
}

/// The number of a colour; `base` is 30 for letters and 40 for what is behind them.
fn colour_code(colour: Color, base: u8) -> Option<String> {
    let bright = base + 60;
    let code = match colour {
        Color::Reset => return None,
        Color::Black => base,
        Color::Red => base + 1,
        Color::Green => base + 2,
        Color::Yellow => base + 3,
        Color::Blue => base + 4,
        Color::Magenta => base + 5,
        Color::Cyan => base + 6,
        Color::Gray => base + 7,
        Color::DarkGray => bright,
        Color::LightRed => bright + 1,
        Color::LightGreen => bright + 2,
        Color::LightYellow => bright + 3,
        Color::LightBlue => bright + 4,
        Color::LightMagenta => bright + 5,
        Color::LightCyan => bright + 6,
        Color::White => bright + 7,
        Color::Indexed(n) => return Some(format!("{};5;{n}", base + 8)),
        Color::Rgb(r, g, b) => return Some(format!("{};2;{r};{g};{b}", base + 8)),
    };
    Some(code.to_string())
}
