//! A unified diff as rows: line numbers, `+` and `-` beside the colours, and the words that changed
//! within a line.

use planwright_core::bounds;
use planwright_core::text::inert;
use ratatui_core::style::Style;
use ratatui_core::text::Span;
use similar::{ChangeTag, TextDiff};

use super::theme::{Role, Theme};
use super::wrap::{Piece, Row, rows};

/// Lines of one block of changes whose words are compared; a longer block is shown by lines.
const WORDS_COMPARED: usize = 200;

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// A line that says where: between two hunks.
    Gap,
    Same(usize, String),
    Removed(usize, String),
    Added(usize, String),
    /// Anything else, such as a note that something was cut.
    Note(String),
}

/// Lays a unified diff out. Its file header is left out: whoever shows it names the file.
pub fn render(diff: &str, columns: usize, theme: Theme) -> Vec<Row> {
    let lines = parse(&inert(diff));
    let digits = lines.iter().map(|line| number(line).to_string().len()).max().unwrap_or(1);
    let page = Page { columns, theme, digits };
    let mut shown = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let removed = run(&lines[at..], |line| matches!(line, Line::Removed(..)));
        let added = run(&lines[at + removed..], |line| matches!(line, Line::Added(..)));
        if removed + added == 0 {
            shown.extend(page.single(&lines[at], at > 0));
            at += 1;
        } else {
            shown.extend(page.changed(&lines[at..at + removed], &lines[at + removed..at + removed + added]));
            at += removed + added;
        }
    }
    shown
}

/// How many lines were added and removed.
pub fn counts(diff: &str) -> (usize, usize) {
    let lines = parse(diff);
    let count = |wanted: fn(&Line) -> bool| lines.iter().filter(|line| wanted(line)).count();
    (count(|line| matches!(line, Line::Added(..))), count(|line| matches!(line, Line::Removed(..))))
}

fn run(lines: &[Line], wanted: impl Fn(&Line) -> bool) -> usize {
    lines.iter().take_while(|line| wanted(line)).count()
}

const fn number(line: &Line) -> usize {
    match line {
        Line::Same(number, _) | Line::Removed(number, _) | Line::Added(number, _) => *number,
        Line::Gap | Line::Note(_) => 0,
    }
}

/// The lines of a unified diff (GNU diffutils, "Detailed Description of Unified Format"). Files are named
/// where there are several.
fn parse(diff: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut old, mut new) = (0..0, 0..0);
    let several = diff.lines().filter(|line| line.starts_with("+++ ")).count() > 1;
    let mut first = true;
    for text in diff.lines() {
        if old.is_empty() && new.is_empty() {
            if let Some((from, to)) = hunk(text) {
                if !first {
                    lines.push(Line::Gap);
                }
                (old, new, first) = (from, to, false);
            } else if let Some(name) = text.strip_prefix("+++ ") {
                first = true;
                lines.extend(several.then(|| Line::Note(name.to_owned())));
            } else if !text.starts_with("--- ") && !text.starts_with('\\') {
                lines.push(Line::Note(text.to_owned()));
            }
            continue;
        }
        match text.split_at_checked(1) {
            Some(("-", rest)) => lines.push(Line::Removed(old.next().unwrap_or_default(), rest.to_owned())),
            Some(("+", rest)) => lines.push(Line::Added(new.next().unwrap_or_default(), rest.to_owned())),
            Some((" ", rest)) => {
                old.next();
                lines.push(Line::Same(new.next().unwrap_or_default(), rest.to_owned()));
            }
            None => {
                old.next();
                lines.push(Line::Same(new.next().unwrap_or_default(), String::new()));
            }
            Some(("\\", _)) => {}
            Some(_) => lines.push(Line::Note(text.to_owned())),
        }
    }
    lines
}

type Lines = std::ops::Range<usize>;

/// The lines that a hunk's header names: `@@ -OLD[,N] +NEW[,N] @@`.
fn hunk(text: &str) -> Option<(Lines, Lines)> {
    let (ranges, _) = text.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let lines = |range: &str| {
        let (first, count) = range.split_once(',').unwrap_or((range, "1"));
        let first: usize = first.parse().ok()?;
        Some(first..first.checked_add(count.parse().ok()?)?)
    };
    Some((lines(old)?, lines(new)?))
}

struct Page {
    columns: usize,
    theme: Theme,
    digits: usize,
}

impl Page {
    fn single(&self, line: &Line, inside: bool) -> Vec<Row> {
        match line {
            Line::Gap if inside => self.laid(None, ' ', vec![("⋯".to_owned(), Role::Dim)]),
            Line::Gap => Vec::new(),
            Line::Same(number, text) => self.laid(Some(*number), ' ', vec![(text.clone(), Role::Text)]),
            Line::Removed(number, text) => self.laid(Some(*number), '-', vec![(text.clone(), Role::Removed)]),
            Line::Added(number, text) => self.laid(Some(*number), '+', vec![(text.clone(), Role::Added)]),
            Line::Note(text) => self.laid(None, ' ', vec![(text.clone(), Role::Dim)]),
        }
    }

    /// A block of changes: lines that stand across from each other are compared word by word.
    fn changed(&self, removed: &[Line], added: &[Line]) -> Vec<Row> {
        if removed.len() != added.len() || removed.len() > WORDS_COMPARED {
            return removed.iter().chain(added).flat_map(|line| self.single(line, true)).collect();
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (old, new) in removed.iter().zip(added) {
            let (Line::Removed(old_number, old), Line::Added(new_number, new)) = (old, new) else { continue };
            let (old, new) = words(old, new);
            before.extend(self.laid(Some(*old_number), '-', old));
            after.extend(self.laid(Some(*new_number), '+', new));
        }
        before.extend(after);
        before
    }

    fn laid(&self, number: Option<usize>, sign: char, words: Vec<(String, Role)>) -> Vec<Row> {
        let digits = self.digits;
        let number_text = number.map_or(" ".repeat(digits), |number| format!("{number:>digits$}"));
        let role = match sign {
            '-' => Role::Removed,
            '+' => Role::Added,
            _ => Role::Dim,
        };
        let first = [
            Span::styled(format!("{number_text} "), self.theme.style(Role::Dim)),
            Span::styled(format!("{sign} "), self.theme.style(role)),
        ];
        let rest = [Span::raw(" ".repeat(digits + 3))];
        let source = number.unwrap_or(0);
        let pieces: Vec<_> =
            words.into_iter().map(|(text, role)| Piece::new(text, self.theme.style(role), source)).collect();
        let pieces = if pieces.is_empty() { vec![Piece::new("", Style::new(), source)] } else { pieces };
        rows(&pieces, self.columns, &first, &rest)
    }
}

type Words = Vec<(String, Role)>;

/// The words of two lines, with those that differ marked.
fn words(old: &str, new: &str) -> (Words, Words) {
    let diff = TextDiff::configure().timeout(std::time::Duration::from_millis(bounds::DIFF_MS)).diff_words(old, new);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for change in diff.iter_all_changes() {
        let text = change.value().to_owned();
        match change.tag() {
            ChangeTag::Equal => {
                before.push((text.clone(), Role::Removed));
                after.push((text, Role::Added));
            }
            ChangeTag::Delete => before.push((text, Role::RemovedWords)),
            ChangeTag::Insert => after.push((text, Role::AddedWords)),
        }
    }
    (before, after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui_core::style::Modifier;

    const DIFF: &str = "--- a.py\n+++ a.py\n@@ -9,2 +9,3 @@\n def f():\n-    return all posts\n+    return some posts\n+    # done\n@@ -30 +31 @@\n-x\n+y\n";

    fn shown(diff: &str, columns: usize) -> String {
        render(diff, columns, Theme::Plain).iter().map(|row| row.text().trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn a_diff_has_numbers_and_signs() {
        assert_eq!(
            shown(DIFF, 40),
            " 9   def f():\n10 -     return all posts\n10 +     return some posts\n11 +     # done\n     ⋯\n30 - x\n31 + y\n"
        );
        assert_eq!(counts(DIFF), (3, 2));
        assert_eq!(
            shown("--- a\n+++ a\n@@ -1,2 +1 @@\n--- x\n ++ y\n--- b\n+++ b\n@@ -0,0 +1 @@\n+z\n", 40),
            "    a\n1 - -- x\n1   ++ y\n    b\n1 + z\n"
        );
        assert_eq!(shown("", 40), "");
        assert_eq!(shown("[cut]\n", 40), "    [cut]\n");
        assert_eq!(
            shown("@@ -1 +1 @@\n-日本語日本\n+日本語日本\u{1b}\n", 10),
            "1 - 日本語\n    日本\n1 + 日本語\n    日本␛\n"
        );
    }

    #[test]
    fn words_that_changed_are_marked() {
        let rows = render("@@ -1 +1 @@\n-return all posts\n+return some posts\n", 40, Theme::Plain);
        let marked = |row: &Row| -> Vec<String> {
            let spans = row.line.spans.iter();
            spans
                .filter(|span| span.style.add_modifier.contains(Modifier::UNDERLINED))
                .map(|s| s.content.to_string())
                .collect()
        };
        assert_eq!(marked(&rows[0]), ["all"]);
        assert_eq!(marked(&rows[1]), ["some"]);
    }
}
