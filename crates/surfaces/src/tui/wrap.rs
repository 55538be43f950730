//! Words laid into rows, by grapheme and display width (UAX #29, UAX #11). Text that has no blanks
//! (CJK) breaks between any two wide graphemes; a word wider than a row breaks where the row ends.

use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How wide a tab is.
const TAB: usize = 4;

/// A piece of text in one style, and where in its source it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, without control characters but newline and tab.
    pub text: String,
    /// Its look.
    pub style: Style,
    /// The line of the source it begins in, from 1.
    pub line: usize,
}

impl Piece {
    /// A piece.
    pub fn new(text: impl Into<String>, style: Style, line: usize) -> Self {
        Self { text: text.into(), style, line }
    }
}

/// A row of the screen, and the line of the source that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it shows.
    pub line: Line<'static>,
    /// The line of the source, from 1; 0 where there is none.
    pub source: usize,
}

impl Row {
    /// Its text, without looks.
    pub fn text(&self) -> String {
        self.line.spans.iter().map(|span| span.content.as_ref()).collect()
    }
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text cut to so many columns, with an ellipsis if something is cut.
pub fn shortened(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        let wide = grapheme.width();
        if used + wide + 1 > columns {
            break;
        }
        short.push_str(grapheme);
        used += wide;
    }
    if columns > 0 {
        short.push('…');
    }
    short
}

/// The line without what does not fit into so many columns.
pub fn cut(line: Line<'static>, columns: usize) -> Line<'static> {
    if line.width() <= columns {
        return line;
    }
    let mut room = columns;
    let mut spans = Vec::new();
    for span in line.spans {
        let fits: String = span
            .content
            .graphemes(true)
            .take_while(|grapheme| {
                let fits = grapheme.width() <= room;
                room = if fits { room - grapheme.width() } else { 0 };
                fits
            })
            .collect();
        spans.push(Span::styled(fits, span.style));
    }
    Line { spans, ..Line::default() }
}

/// One grapheme of a paragraph.
struct Cell<'a> {
    text: &'a str,
    width: usize,
    style: Style,
    source: usize,
}

/// Lays pieces into rows of `columns`. `first` and `rest` stand before the first and every other row.
/// A newline in a piece ends its row. At least one row comes out.
pub fn rows(pieces: &[Piece], columns: usize, first: &[Span<'static>], rest: &[Span<'static>]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut line = Vec::new();
    let mut source = 0;
    for piece in pieces {
        source = piece.line;
        for (n, part) in piece.text.split('\n').enumerate() {
            if n > 0 {
                flow(&line, source, columns, (first, rest), &mut rows);
                line.clear();
                source += 1;
            }
            line.extend(part.graphemes(true).map(|text| {
                let width = if text == "\t" { TAB } else { text.width() };
                Cell { text, width, style: piece.style, source }
            }));
        }
    }
    flow(&line, source, columns, (first, rest), &mut rows);
    rows
}

/// Lays one line of text into rows. `source` is its line, should it be empty.
fn flow(
    cells: &[Cell<'_>],
    source: usize,
    columns: usize,
    indents: (&[Span<'static>], &[Span<'static>]),
    rows: &mut Vec<Row>,
) {
    let indent = |row: usize| if row == 0 { indents.0 } else { indents.1 };
    let room = |row: usize| {
        let taken: usize = indent(row).iter().map(|span| span.content.width()).sum();
        columns.saturating_sub(taken).max(1)
    };
    let mut start = 0;
    loop {
        let row = rows.len();
        let (end, next) = fit(cells, start, room(row));
        rows.push(laid(&cells[start..end], source, indent(row)));
        if next >= cells.len() {
            return;
        }
        start = next;
    }
}

/// Where the row that begins at `start` ends, and where the next one begins.
fn fit(cells: &[Cell<'_>], start: usize, room: usize) -> (usize, usize) {
    let mut used = 0;
    let mut at = start;
    while at < cells.len() && used + cells[at].width <= room {
        used += cells[at].width;
        at += 1;
    }
    if at == cells.len() {
        return (at, at);
    }
    let blank = |n: usize| cells[n].text == " ";
    // A blank that does not fit ends the row by itself.
    let mut end = at;
    if !blank(at) {
        let breaks = |n: usize| n > start && (blank(n - 1) || cells[n].width > 1 || cells[n - 1].width > 1);
        end = (start + 1..=at).rev().find(|n| breaks(*n)).unwrap_or(at.max(start + 1));
        // Only the indent of the row stands before that blank: the word itself is broken.
        if cells[start..end].iter().all(|cell| cell.text == " ") {
            end = at.max(start + 1);
        }
    }
    let mut next = end;
    while next < cells.len() && blank(next) {
        next += 1;
    }
    while end > start + 1 && blank(end - 1) {
        end -= 1;
    }
    (end, next)
}

/// A row of these cells behind an indent.
fn laid(cells: &[Cell<'_>], source: usize, indent: &[Span<'static>]) -> Row {
    let mut spans = indent.to_vec();
    let mut run = String::new();
    for (n, cell) in cells.iter().enumerate() {
        match cell.text {
            "\t" => run.push_str(&" ".repeat(TAB)),
            text => run.push_str(text),
        }
        if cells.get(n + 1).is_none_or(|next| next.style != cell.style) {
            spans.push(Span::styled(std::mem::take(&mut run), cell.style));
        }
    }
    Row { line: Line::from(spans), source: cells.first().map_or(source, |cell| cell.source) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(text: &str, columns: usize) -> Vec<String> {
        rows(&[Piece::new(text, Style::new(), 1)], columns, &[], &[]).iter().map(Row::text).collect()
    }

    #[test]
    fn text_is_laid_into_rows() {
        let table: &[(&str, usize, &[&str])] = &[
            ("", 10, &[""]),
            ("one two", 10, &["one two"]),
            ("one two three", 8, &["one two", "three"]),
            ("one two", 3, &["one", "two"]),
            ("one  two", 4, &["one", "two"]),
            ("incomprehensibly", 6, &["incomp", "rehens", "ibly"]),
            ("a incomprehensibly", 6, &["a", "incomp", "rehens", "ibly"]),
            ("one\ntwo", 10, &["one", "two"]),
            ("one\n\ntwo", 10, &["one", "", "two"]),
            ("日本語の文章", 5, &["日本", "語の", "文章"]),
            ("plan 日本語 ok", 9, &["plan 日本", "語 ok"]),
            ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦 x", 4, &["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "x"]),
            ("    indented words here", 12, &["    indented", "words here"]),
            ("日", 1, &["日"]),
            ("\tx", 10, &["    x"]),
        ];
        for (text, columns, expected) in table {
            assert_eq!(laid_out(text, *columns), *expected, "{text:?} in {columns}");
        }
    }

    #[test]
    fn rows_say_which_line_they_show() {
        let all = rows(&[Piece::new("one two\nthree", Style::new(), 7)], 3, &[], &[]);
        let shown: Vec<_> = all.iter().map(|row| (row.text(), row.source)).collect();
        assert_eq!(
            shown,
            [("one".into(), 7), ("two".into(), 7), ("thr".into(), 8), ("ee".into(), 8)] as [(String, usize); 4]
        );
    }

    #[test]
    fn texts_are_shortened_by_columns() {
        for (text, columns, expected) in
            [("short", 5, "short"), ("shorter", 5, "shor…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("x", 0, "")]
        {
            assert_eq!(shortened(text, columns), expected);
        }
    }
}
