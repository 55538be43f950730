//! A text that is typed: several lines, readline's keys, and a cursor that moves by grapheme. (A
//! kept widget was weighed: it moves by `char`, so that an emoji of several would be cut in two.)

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::keys::{Code, Key};

/// Changes that can be undone.
const UNDO: usize = 100;

/// A text being typed.
#[derive(Clone, Debug, Default)]
pub struct Editor {
    text: String,
    /// Offset of the cursor, between two graphemes.
    at: usize,
    /// What was cut last (Ctrl+Y gives it back).
    cut: String,
    undo: Vec<(String, usize)>,
    /// The column that moving up and down keeps to.
    column: Option<usize>,
}

/// One row of the text as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The rows.
    pub rows: Vec<String>,
    /// Row and column of the cursor.
    pub cursor: (usize, usize),
}

impl Editor {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing is typed.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text before the cursor.
    pub fn before(&self) -> &str {
        &self.text[..self.at]
    }

    /// Puts a text in place of what is there, with the cursor at its end.
    pub fn set(&mut self, text: &str) {
        self.remember();
        self.text = text.to_owned();
        self.at = self.text.len();
        self.column = None;
    }

    /// Takes the text out.
    pub fn take(&mut self) -> String {
        self.at = 0;
        self.column = None;
        self.undo.clear();
        std::mem::take(&mut self.text)
    }

    /// Types a text at the cursor.
    pub fn insert(&mut self, text: &str) {
        self.remember();
        self.text.insert_str(self.at, text);
        self.at += text.len();
        // What was typed may have joined a grapheme before or behind it.
        self.at = self.boundary(self.at);
        self.column = None;
    }

    /// Puts `text` in place of the `bytes` before the cursor.
    pub fn replace_before(&mut self, bytes: usize, text: &str) {
        self.remember();
        let start = self.at.saturating_sub(bytes);
        self.text.replace_range(start..self.at, text);
        self.at = start + text.len();
        self.column = None;
    }

    /// Deals with a key that edits. Yields whether it did: Up in the first row and Down in the last
    /// one mean nothing here.
    pub fn key(&mut self, key: Key, columns: usize) -> bool {
        let up_or_down = matches!(key.code, Code::Up | Code::Down);
        if !up_or_down {
            self.column = None;
        }
        match (key.code, key.ctrl, key.alt) {
            (Code::Char(c), false, false) => self.insert(c.encode_utf8(&mut [0; 4])),
            (Code::Char('a'), true, false) | (Code::Home, false, _) => self.at = self.line_start(),
            (Code::Char('e'), true, false) | (Code::End, false, _) => self.at = self.line_end(),
            (Code::Home, true, _) => self.at = 0,
            (Code::End, true, _) => self.at = self.text.len(),
            (Code::Char('b'), true, false) | (Code::Left, false, false) => self.at = self.left(),
            (Code::Char('f'), true, false) | (Code::Right, false, false) => self.at = self.right(),
            (Code::Char('b'), false, true) | (Code::Left, _, _) => self.at = self.word_left(),
            (Code::Char('f'), false, true) | (Code::Right, _, _) => self.at = self.word_right(),
            (Code::Char('h'), true, false) | (Code::Backspace, false, false) => self.remove(self.left(), self.at),
            (Code::Char('d'), true, false) | (Code::Delete, _, false) => self.remove(self.at, self.right()),
            (Code::Char('w'), true, false) | (Code::Backspace, _, _) => self.cut(self.word_left(), self.at),
            (Code::Char('d'), false, true) | (Code::Delete, _, true) => self.cut(self.at, self.word_right()),
            (Code::Char('k'), true, false) => match self.line_end() {
                end if end == self.at => self.cut(self.at, self.right()),
                end => self.cut(self.at, end),
            },
            (Code::Char('u'), true, false) => self.cut(self.line_start(), self.at),
            (Code::Char('y'), true, false) => self.insert(&self.cut.clone()),
            (Code::Char('_' | '7'), true, false) => self.undo(),
            (Code::Up, false, false) => return self.vertical(columns, false),
            (Code::Down, false, false) => return self.vertical(columns, true),
            _ => return false,
        }
        true
    }

    /// The text in rows of so many columns, and where its cursor stands.
    pub fn shown(&self, columns: usize) -> Shown {
        let (rows, places) = self.laid_out(columns);
        let cursor = places.iter().find(|place| place.offset >= self.at).map_or((0, 0), |place| place.cell);
        Shown { rows, cursor }
    }

    /// The rows, and the cell of every place a cursor can be in. The last column is left free for it.
    fn laid_out(&self, columns: usize) -> (Vec<String>, Vec<Place>) {
        let room = columns.max(2) - 1;
        let (mut rows, mut places) = (vec![String::new()], Vec::new());
        let mut used = 0;
        for (offset, grapheme) in self.text.grapheme_indices(true) {
            if matches!(grapheme, "\n" | "\r\n") {
                places.push(Place { offset, cell: (rows.len() - 1, used) });
                rows.push(String::new());
                used = 0;
                continue;
            }
            let (shown, wide) = if grapheme == "\t" { ("    ", 4) } else { (grapheme, grapheme.width()) };
            if used + wide > room && used > 0 {
                rows.push(String::new());
                used = 0;
            }
            places.push(Place { offset, cell: (rows.len() - 1, used) });
            if let Some(row) = rows.last_mut() {
                row.push_str(shown);
            }
            used += wide;
        }
        places.push(Place { offset: self.text.len(), cell: (rows.len() - 1, used) });
        (rows, places)
    }

    fn remember(&mut self) {
        if self.undo.last().is_none_or(|(text, _)| *text != self.text) {
            self.undo.push((self.text.clone(), self.at));
        }
        if self.undo.len() > UNDO {
            self.undo.remove(0);
        }
    }

    fn undo(&mut self) {
        if let Some((text, at)) = self.undo.pop() {
            (self.text, self.at) = (text, at);
        }
    }

    fn remove(&mut self, start: usize, end: usize) {
        if start < end {
            self.remember();
            self.text.replace_range(start..end, "");
            self.at = self.boundary(start);
        }
    }

    fn cut(&mut self, start: usize, end: usize) {
        if start < end {
            self.text[start..end].clone_into(&mut self.cut);
            self.remove(start, end);
        }
    }

    /// The first place between two graphemes at or behind an offset.
    fn boundary(&self, offset: usize) -> usize {
        self.text.grapheme_indices(true).map(|(at, _)| at).find(|at| *at >= offset).unwrap_or(self.text.len())
    }

    fn left(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn right(&self) -> usize {
        self.text[self.at..].graphemes(true).next().map_or(self.at, |grapheme| self.at + grapheme.len())
    }

    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |at| self.at + at)
    }

    fn word_left(&self) -> usize {
        self.text[..self.at].unicode_word_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn word_right(&self) -> usize {
        let behind = &self.text[self.at..];
        behind.unicode_word_indices().next().map_or(self.text.len(), |(at, word)| self.at + at + word.len())
    }

    /// Moves to the row above or below, as near to the column as it goes.
    fn vertical(&mut self, columns: usize, down: bool) -> bool {
        let (rows, places) = self.laid_out(columns);
        let Some(here) = places.iter().find(|place| place.offset >= self.at) else { return false };
        let (row, column) = here.cell;
        let column = *self.column.get_or_insert(column);
        let target = if down { row + 1 } else { row.wrapping_sub(1) };
        if target >= rows.len() {
            return false;
        }
        let mut there = places.iter().filter(|place| place.cell.0 == target);
        let first = there.clone().next();
        let best = there.rfind(|place| place.cell.1 <= column).or(first);
        self.at = best.map_or(self.at, |place| place.offset);
        true
    }
}

/// A place the cursor can be in.
struct Place {
    offset: usize,
    /// Row and column.
    cell: (usize, usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with the cursor as `|`, after keys named as a person would.
    fn typed(start: &str, keys: &str) -> String {
        let mut editor = Editor::default();
        let (before, behind) = start.split_once('|').unwrap_or((start, ""));
        editor.text = format!("{before}{behind}");
        editor.at = before.len();
        for name in keys.split(' ').filter(|name| !name.is_empty()) {
            let key = match name {
                "left" => Key::plain(Code::Left),
                "right" => Key::plain(Code::Right),
                "up" => Key::plain(Code::Up),
                "down" => Key::plain(Code::Down),
                "home" => Key::plain(Code::Home),
                "end" => Key::plain(Code::End),
                "bs" => Key::plain(Code::Backspace),
                "del" => Key::plain(Code::Delete),
                _ => match name.split_once('-') {
                    Some(("C", letter)) => Key::ctrl(letter.chars().next().unwrap()),
                    Some(("M", "bs")) => Key::alt(Code::Backspace),
                    Some(("M", letter)) => Key::alt(Code::Char(letter.chars().next().unwrap())),
                    _ => Key::plain(Code::Char(name.chars().next().unwrap())),
                },
            };
            editor.key(key, 11);
        }
        let (before, behind) = editor.text.split_at(editor.at);
        format!("{before}|{behind}")
    }

    #[test]
    fn the_keys_of_readline() {
        let table = [
            ("", "a b c", "abc|"),
            ("abc|", "left x", "abx|c"),
            ("abc|", "bs bs", "a|"),
            ("|abc", "del", "|bc"),
            ("one two|", "C-a x", "x|one two"),
            ("|one two", "C-e x", "one twox|"),
            ("one two|", "M-b", "one |two"),
            ("|one two", "M-f", "one| two"),
            ("one two|", "C-w", "one |"),
            ("one two|", "M-bs C-y C-y", "one twotwo|"),
            ("one| two", "C-k", "one|"),
            ("one| two", "C-k C-a C-y", " two|one"),
            ("one\ntwo|", "C-u", "one\n|"),
            ("one|\ntwo", "C-k", "one|two"),
            ("one|", "C-w C-_", "one|"),
            ("👩‍👩‍👧‍👦x|", "left bs", "|x"),
            ("e\u{301}|", "bs", "|"),
            ("日本|", "left", "日|本"),
            ("one\ntwo three|", "up", "one|\ntwo three"),
            ("one\ntwo three|", "up down", "one\ntwo three|"),
            ("12345678901234|", "up", "1234|5678901234"),
            ("日本語\nab|", "up", "日|本語\nab"),
            ("|one", "up", "|one"),
        ];
        let wrong: Vec<_> = table
            .iter()
            .map(|(start, keys, wanted)| (start, keys, wanted, typed(start, keys)))
            .filter(|(_, _, wanted, got)| *wanted != got)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn rows_leave_room_for_the_cursor() {
        let mut editor = Editor::default();
        editor.set("1234567890 日本語日本語");
        let shown = editor.shown(11);
        assert_eq!(shown.rows, ["1234567890", " 日本語日", "本語"]);
        assert_eq!(shown.cursor, (2, 4));
        editor.set("1234567890");
        assert_eq!(editor.shown(11).cursor, (0, 10));
        editor.set("a\n");
        assert_eq!(editor.shown(11).cursor, (1, 0));
    }
}
