//! Screens drawn in a test, and whether a screen looks so.

use unicode_width::UnicodeWidthChar;

/// Whether rows are as drawn. In a drawing the common indentation means nothing; a row `⋮` stands for
/// any rows, also none; `‥` stands for any text within a row; `▮` is the cursor, if it is drawn at all.
pub fn fits(drawing: &str, rows: &[String]) -> bool {
    let drawn = dedented(drawing);
    let drawn: Vec<_> = drawn.iter().map(String::as_str).collect();
    let shown: Vec<_> = match drawing.contains('▮') {
        true => rows.to_vec(),
        false => rows.iter().map(|row| row.replace('▮', "").trim_end().to_owned()).collect(),
    };
    rows_fit(&drawn, &shown)
}

fn dedented(drawing: &str) -> Vec<String> {
    let lines: Vec<_> = drawing.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let lines = &lines[first.min(last)..last];
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    lines.iter().map(|line| line.get(common..).unwrap_or("").to_owned()).collect()
}

fn rows_fit(drawn: &[&str], rows: &[String]) -> bool {
    match drawn.split_first() {
        None => rows.iter().all(String::is_empty),
        Some((&"⋮", rest)) => (0..=rows.len()).any(|skipped| rows_fit(rest, &rows[skipped..])),
        Some((row, rest)) => {
            rows.split_first().is_some_and(|(shown, later)| row_fits(row, shown) && rows_fit(rest, later))
        }
    }
}

fn row_fits(drawn: &str, shown: &str) -> bool {
    let Some((start, rest)) = drawn.split_once('‥') else { return drawn == shown };
    let Some(mut left) = shown.strip_prefix(start) else { return false };
    let mut parts: Vec<_> = rest.split('‥').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(end)
}

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// The byte at which a column of a text begins.
pub fn bytes_of(text: &str, column: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        if used >= column && c.width().unwrap_or(0) > 0 {
            return at;
        }
        used += c.width().unwrap_or(0);
    }
    text.len()
}

#[test]
fn a_drawing_fits_what_it_shows_and_nothing_else() {
    let rows = ["› hi▮", "● Hello", "", "edited in 3 s (dim)"].map(str::to_owned);
    for drawing in ["\n  › hi▮\n  ● Hello\n\n  edited ‥ (dim)\n", "› hi\n⋮\nedited in ‥ s ‥", "⋮\n● Hello\n⋮", "⋮"]
    {
        assert!(fits(drawing, &rows), "{drawing}");
    }
    for drawing in ["› hi", "› h▮i\n⋮", "⋮\n● Hell\n⋮", "› hi\n● Hello\nedited ‥", "⋮\n  edited ‥ (dim"]
    {
        assert!(!fits(drawing, &rows), "{drawing}");
    }
}
