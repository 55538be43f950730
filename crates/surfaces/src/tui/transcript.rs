//! The transcript: everything that was said and done, unfolded, on a page of its own. Only the rows
//! that are seen are laid out, so that a long session costs no more than a short one.

use planwright_core::text::inert;
use ratatui_core::text::{Line, Span};

use super::conversation::{Item, unfolded};
use super::editor::Editor;
use super::keys::{Code, Key};
use super::markdown::Look;
use super::part::Page;
use super::theme::Role;
use super::wrap::{cut, shortened};
use crate::words;

/// The transcript, opened.
#[derive(Debug, Default)]
pub struct Transcript {
    /// The item and its row that stand at the top.
    top: (usize, usize),
    /// How far to move before the next page is drawn; rows of a page are only known then.
    step: Step,
    find: String,
    typing: Option<Editor>,
    note: Option<String>,
}

/// A movement that is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    #[default]
    None,
    Rows(isize),
    Pages(isize),
    End,
    Find {
        forward: bool,
    },
}

impl Transcript {
    /// Opened at its end.
    pub fn new() -> Self {
        Self { step: Step::End, ..Self::default() }
    }

    /// Deals with a key. Yields whether it stays open.
    pub fn key(&mut self, key: Key, items: &[Item]) -> bool {
        self.note = None;
        if let Some(mut editor) = self.typing.take() {
            match key {
                Key { code: Code::Esc, .. } => {}
                Key { code: Code::Enter, .. } => {
                    editor.text().trim().clone_into(&mut self.find);
                    self.step = Step::Find { forward: true };
                }
                key => {
                    editor.key(key, 80);
                    self.typing = Some(editor);
                }
            }
            return true;
        }
        match key {
            Key { code: Code::Esc | Code::Char('q'), .. } => return false,
            key if key == Key::ctrl('o') || key == Key::ctrl('c') => return false,
            Key { code: Code::Down | Code::Char('j'), .. } => self.step = Step::Rows(1),
            Key { code: Code::Up | Code::Char('k'), .. } => self.step = Step::Rows(-1),
            Key { code: Code::PageDown | Code::Char(' '), .. } => self.step = Step::Pages(1),
            Key { code: Code::PageUp | Code::Char('b'), .. } => self.step = Step::Pages(-1),
            Key { code: Code::Home | Code::Char('g'), .. } => self.top = (0, 0),
            Key { code: Code::End | Code::Char('G'), .. } => self.step = Step::End,
            Key { code: Code::Char('}'), .. } => self.jump(items, true, |item| matches!(item, Item::User(_))),
            Key { code: Code::Char('{'), .. } => self.jump(items, false, |item| matches!(item, Item::User(_))),
            Key { code: Code::Char('/'), .. } => self.typing = Some(Editor::default()),
            Key { code: Code::Char('n'), .. } => self.step = Step::Find { forward: true },
            Key { code: Code::Char('N'), .. } => self.step = Step::Find { forward: false },
            _ => {}
        }
        true
    }

    /// Goes to the next row that has the words, from the end on to the beginning and the other way round.
    fn search(&mut self, forward: bool, items: &[Item], look: Look<'_>) {
        let wanted = self.find.to_lowercase();
        let Some(last) = items.len().checked_sub(1).filter(|_| !wanted.is_empty()) else { return };
        let (here, at) = (self.top.0.min(last), self.top.1);
        for away in 0..=items.len() {
            let n = (here + if forward { away } else { items.len() - away }) % items.len();
            let mut rows = rows_with(&items[n], &wanted, look).into_iter();
            let row = match (away, forward) {
                (0, true) => rows.find(|row| *row > at),
                (0, false) => rows.rfind(|row| *row < at),
                (_, true) => rows.next(),
                (_, false) => rows.next_back(),
            };
            if let Some(row) = row {
                self.top = (n, row);
                return;
            }
        }
        self.note = Some(words::not_found(&self.find));
    }

    /// Goes to the next item, or the one before, that is wanted.
    fn jump(&mut self, items: &[Item], forward: bool, wanted: impl Fn(&Item) -> bool) {
        let here = self.top.0;
        let next = if forward {
            items.iter().enumerate().skip(here + 1).find(|(_, item)| wanted(item)).map(|(n, _)| n)
        } else {
            items[..here.min(items.len())].iter().rposition(wanted)
        };
        if let Some(next) = next {
            self.top = (next, 0);
        }
    }

    /// The page, exactly as large as the screen.
    pub fn page(&mut self, items: &[Item], rows: usize, look: Look<'_>) -> Page {
        let room = rows.saturating_sub(1);
        match std::mem::take(&mut self.step) {
            Step::None => {}
            Step::Rows(by) => self.scroll(by, items, look),
            Step::Pages(by) => {
                let page = isize::try_from(room.saturating_sub(1).max(1)).unwrap_or(isize::MAX);
                self.scroll(by.saturating_mul(page), items, look);
            }
            Step::Find { forward } => self.search(forward, items, look),
            Step::End => {
                self.top = (items.len(), 0);
                self.scroll(-isize::try_from(room).unwrap_or(isize::MAX), items, look);
            }
        }
        let mut lines = Vec::new();
        for (n, item) in items.iter().enumerate().skip(self.top.0) {
            let skip = if n == self.top.0 { self.top.1 } else { 0 };
            lines.extend(unfolded(item, look).into_iter().skip(skip));
            if lines.len() >= room {
                break;
            }
        }
        lines.resize(room, Line::default());
        lines.push(self.foot(items.len(), look));
        lines.truncate(rows);
        let cursor =
            self.typing.as_ref().map(|editor| (rows.saturating_sub(1), editor.shown(look.columns).cursor.1 + 1));
        Page { rows: lines.into_iter().map(|line| cut(line, look.columns)).collect(), cursor }
    }

    fn foot(&self, items: usize, look: Look<'_>) -> Line<'static> {
        let (text, role) = match (&self.typing, &self.note) {
            (Some(editor), _) => (format!("/{}", inert(editor.text())), Role::Text),
            (None, Some(note)) => (inert(note), Role::Warning),
            (None, None) => (words::transcript_hint((self.top.0 + 1).min(items), items), Role::Dim),
        };
        Line::from(Span::styled(shortened(&text, look.columns), look.theme.style(role)))
    }

    /// Moves by rows, as far as there are any.
    fn scroll(&mut self, by: isize, items: &[Item], look: Look<'_>) {
        let height = |n: usize| items.get(n).map_or(0, |item| unfolded(item, look).len());
        let (mut item, mut row) = (self.top.0.min(items.len()), self.top.1);
        let mut left = by.unsigned_abs();
        while left > 0 {
            if by > 0 {
                let below = height(item).saturating_sub(row);
                if left < below {
                    row += left;
                    break;
                }
                if item + 1 >= items.len() {
                    row += below.saturating_sub(1);
                    break;
                }
                left -= below;
                (item, row) = (item + 1, 0);
            } else {
                if left <= row {
                    row -= left;
                    break;
                }
                left -= row;
                row = 0;
                if item == 0 {
                    break;
                }
                item -= 1;
                row = height(item);
            }
        }
        self.top = (item, row);
    }
}

/// The rows of an item that have the words. Only an item that may have them is laid out.
fn rows_with(item: &Item, wanted: &str, look: Look<'_>) -> Vec<usize> {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let changed = matches!(item, Item::Tool { diff: Some(diff), .. } if has(diff));
    if !changed && !has(&text_of(item)) {
        return Vec::new();
    }
    let laid = unfolded(item, look);
    let rows: Vec<_> = (0..laid.len()).filter(|row| has(&laid[*row].to_string())).collect();
    // Words that a row breaks in two, or that markup hides, are somewhere in it.
    if rows.is_empty() { vec![0] } else { rows }
}

fn text_of(item: &Item) -> String {
    match item {
        Item::User(text) | Item::Text { text, .. } | Item::Note(text) | Item::Said(text) | Item::Warning(text) => {
            text.clone()
        }
        Item::Tool { tool, argument, content, .. } => format!("{tool} {argument} {content}"),
        Item::Mode(from, to) => words::mode_changed(*from, *to),
        Item::Error(cause, hint) => format!("{cause} {hint}"),
    }
}
