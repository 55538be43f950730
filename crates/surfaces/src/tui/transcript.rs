//! The transcript: everything that was said and done, unfolded, on a page of its own.

use planwright_core::text::inert;
use ratatui_core::text::{Line, Span};

use super::conversation::{Item, unfolded};
use super::editor::Editor;
use super::keys::{Code, Key};
use super::markdown::Look;
use super::part::Page;
use super::scroll::{Scroll, Step};
use super::theme::Role;
use super::wrap::{cut, shortened};
use crate::words;

/// The transcript, opened.
#[derive(Debug, Default)]
pub struct Transcript {
    place: Scroll,
    find: String,
    /// A search that is due, and whether it goes forward; rows are only known when a page is drawn.
    finding: Option<bool>,
    typing: Option<Editor>,
    note: Option<String>,
}

impl Transcript {
    /// Opened at its end.
    pub fn new() -> Self {
        Self { place: Scroll::at_end(), ..Self::default() }
    }

    /// Deals with a key. Yields whether it stays open.
    pub fn key(&mut self, key: Key, items: &[Item]) -> bool {
        self.note = None;
        if let Some(mut editor) = self.typing.take() {
            match key {
                Key { code: Code::Esc, .. } => {}
                Key { code: Code::Enter, .. } => {
                    editor.text().trim().clone_into(&mut self.find);
                    self.finding = Some(true);
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
            Key { code: Code::Down | Code::Char('j'), .. } => self.place.step(Step::Rows(1)),
            Key { code: Code::Up | Code::Char('k'), .. } => self.place.step(Step::Rows(-1)),
            Key { code: Code::PageDown | Code::Char(' '), .. } => self.place.step(Step::Pages(1)),
            Key { code: Code::PageUp | Code::Char('b'), .. } => self.place.step(Step::Pages(-1)),
            Key { code: Code::Home | Code::Char('g'), .. } => self.place.go_to((0, 0)),
            Key { code: Code::End | Code::Char('G'), .. } => self.place.step(Step::End),
            Key { code: Code::Char('}'), .. } => self.jump(items, true, |item| matches!(item, Item::User(_))),
            Key { code: Code::Char('{'), .. } => self.jump(items, false, |item| matches!(item, Item::User(_))),
            Key { code: Code::Char('/'), .. } => self.typing = Some(Editor::default()),
            Key { code: Code::Char('n'), .. } => self.finding = Some(true),
            Key { code: Code::Char('N'), .. } => self.finding = Some(false),
            _ => {}
        }
        true
    }

    /// Goes to the next row that has the words, from the end on to the beginning and the other way round.
    fn search(&mut self, forward: bool, items: &[Item], look: Look<'_>) {
        let wanted = self.find.to_lowercase();
        let Some(last) = items.len().checked_sub(1).filter(|_| !wanted.is_empty()) else { return };
        let (here, at) = self.place.top();
        let here = here.min(last);
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
                self.place.go_to((n, row));
                return;
            }
        }
        self.note = Some(words::not_found(&self.find));
    }

    /// Goes to the next item, or the one before, that is wanted.
    fn jump(&mut self, items: &[Item], forward: bool, wanted: impl Fn(&Item) -> bool) {
        let here = self.place.item().min(items.len());
        let next = if forward {
            items.iter().enumerate().skip(here + 1).find(|(_, item)| wanted(item)).map(|(n, _)| n)
        } else {
            items[..here].iter().rposition(wanted)
        };
        if let Some(next) = next {
            self.place.go_to((next, 0));
        }
    }

    /// The page, exactly as large as the screen.
    pub fn page(&mut self, items: &[Item], rows: usize, look: Look<'_>) -> Page {
        let room = rows.saturating_sub(1);
        if let Some(forward) = self.finding.take() {
            self.search(forward, items, look);
        }
        let (mut lines, _) = self.place.rows(items, room, look, unfolded);
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
            (None, None) => (words::transcript_hint((self.place.item() + 1).min(items), items), Role::Dim),
        };
        Line::from(Span::styled(shortened(&text, look.columns), look.theme.style(role)))
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
