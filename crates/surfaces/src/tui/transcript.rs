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
                    self.find_next(items, true);
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
            Key { code: Code::Home | Code::Char('g'), .. } => self.place.go_to(0),
            Key { code: Code::End | Code::Char('G'), .. } => self.place.step(Step::End),
            Key { code: Code::Char('}'), .. } => _ = self.jump(items, true, |item| matches!(item, Item::User(_))),
            Key { code: Code::Char('{'), .. } => _ = self.jump(items, false, |item| matches!(item, Item::User(_))),
            Key { code: Code::Char('/'), .. } => self.typing = Some(Editor::default()),
            Key { code: Code::Char('n'), .. } => self.find_next(items, true),
            Key { code: Code::Char('N'), .. } => self.find_next(items, false),
            _ => {}
        }
        true
    }

    fn find_next(&mut self, items: &[Item], forward: bool) {
        let wanted = self.find.to_lowercase();
        if wanted.is_empty() {
            return;
        }
        let holds = |item: &Item| text_of(item).to_lowercase().contains(&wanted);
        if self.jump(items, forward, holds) {
            return;
        }
        // Round the end, to where the search began at the latest.
        let round = if forward { items.iter().position(holds) } else { items.iter().rposition(holds) };
        match round {
            Some(item) => self.place.go_to(item),
            None => self.note = Some(words::not_found(&self.find)),
        }
    }

    /// Goes to the next item, or the one before, that is wanted.
    fn jump(&mut self, items: &[Item], forward: bool, wanted: impl Fn(&Item) -> bool) -> bool {
        let here = self.place.item().min(items.len());
        let next = if forward {
            items.iter().enumerate().skip(here + 1).find(|(_, item)| wanted(item)).map(|(n, _)| n)
        } else {
            items[..here].iter().rposition(wanted)
        };
        if let Some(next) = next {
            self.place.go_to(next);
        }
        next.is_some()
    }

    /// The page, exactly as large as the screen.
    pub fn page(&mut self, items: &[Item], rows: usize, look: Look<'_>) -> Page {
        let room = rows.saturating_sub(1);
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
