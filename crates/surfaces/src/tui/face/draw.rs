//! How the face looks: what is over, what lives, the pages.

use std::time::Duration;

use planwright_core::text::inert;
use ratatui_core::text::{Line, Span};

use super::{Face, said};
use crate::tui::complete::Entry;
use crate::tui::conversation::folded;
use crate::tui::markdown::Look;
use crate::tui::part::Page;
use crate::tui::screen::{Live, Size};
use crate::tui::scroll::Scroll;
use crate::tui::theme::Role;
use crate::tui::wrap::{cut, shortened, width};
use crate::words;

/// Rows of the input line that are seen.
const INPUT_ROWS: usize = 8;
/// Columns that the words of a choice need to be told apart.
const LEAST_COLUMNS: usize = 20;

impl Face {
    /// What is over, to be written above.
    pub fn take_finished(&mut self, columns: usize) -> Vec<Line<'static>> {
        self.columns = columns;
        let Self { conversation, options, code, .. } = self;
        conversation.take_finished(Look { columns, theme: options.theme, code: &**code })
    }

    /// The page on the alternate screen, if one is open.
    pub fn page(&mut self, size: Size, now: Duration) -> Option<Page> {
        let waits = self.waits(now);
        let look = Look { columns: size.columns, theme: self.options.theme, code: &*self.code };
        if let Some(transcript) = &mut self.transcript {
            return Some(transcript.page(self.conversation.items(), size.rows, look));
        }
        if self.review.is_none() {
            return self.options.alternate.then(|| self.whole(size, now));
        }
        let mut page = self.review.as_mut()?.desk.page(size.rows, look);
        if waits {
            // The desk takes no key yet; what is typed is seen where it goes, in place of the last rows.
            let (row, column) = self.typed_row(look);
            page.rows.truncate(page.rows.len().saturating_sub(2));
            page.cursor = Some((page.rows.len(), column));
            page.rows.extend([row, waiting_line(look)]);
            page.rows.truncate(size.rows);
        }
        Some(page)
    }

    /// The conversation on the alternate screen: its end, or where the reader went back to, above what lives.
    fn whole(&mut self, size: Size, now: Duration) -> Page {
        self.columns = size.columns;
        let live = self.live(size, now);
        let room = size.rows.saturating_sub(live.rows.len());
        let look = Look { columns: size.columns, theme: self.options.theme, code: &*self.code };
        let mut place = self.back.unwrap_or_else(Scroll::at_end);
        let (mut rows, end) = place.rows(self.conversation.items(), room, look, folded);
        self.seen = place;
        self.back = self.back.is_some().then_some(place).filter(|_| !end);
        if let (Some(_), Some(last)) = (self.back, rows.last_mut()) {
            let hint = shortened(words::LOOKING_BACK, size.columns);
            *last = Line::from(Span::styled(hint, look.theme.style(Role::Dim)));
        }
        let cursor = live.cursor.map(|(row, column)| (room + row, column));
        rows.extend(live.rows);
        Page { rows: rows.into_iter().map(|line| cut(line, size.columns)).collect(), cursor }
    }

    /// Whether a screen of this size shows what keys choose from.
    pub(super) fn choices_seen(&self, size: Size) -> bool {
        let look = Look { columns: size.columns, theme: self.options.theme, code: &*self.code };
        let fits = match (&self.review, self.dialogs.front()) {
            (Some(review), _) => review.desk.fits(size.rows, look),
            // The input line and the mode stand below.
            (None, Some(dialog)) => dialog.fits(size.rows.saturating_sub(2), look),
            (None, None) => return true,
        };
        fits && size.columns >= LEAST_COLUMNS
    }

    /// The row of the input line that is typed in, and the column of the cursor.
    fn typed_row(&self, look: Look<'_>) -> (Line<'static>, usize) {
        let mut shown = self.input.shown(look.columns.saturating_sub(2));
        let text = shown.rows.swap_remove(shown.cursor.0);
        let sign = Span::styled("› ", look.theme.style(Role::Sign));
        (Line::from(vec![sign, Span::raw(inert(&text))]), shown.cursor.1 + 2)
    }

    /// What stands below everything that is over.
    pub fn live(&self, size: Size, now: Duration) -> Live {
        let look = Look { columns: size.columns, theme: self.options.theme, code: &*self.code };
        let mut foot = self.menu_rows(look);
        let shown = self.input.shown(size.columns.saturating_sub(2));
        let most = INPUT_ROWS.min((size.rows / 3).max(1));
        let first = (shown.cursor.0 + 1).saturating_sub(most);
        let mut cursor = (0, 0);
        for (n, row) in shown.rows.iter().enumerate().skip(first).take(most) {
            if n == shown.cursor.0 {
                cursor = (foot.len(), shown.cursor.1 + 2);
            }
            let sign = if n == 0 { "› " } else { "  " };
            foot.push(Line::from(vec![
                Span::styled(sign, look.theme.style(Role::Mode(self.mode))),
                Span::raw(inert(row)),
            ]));
        }
        foot.push(if self.waits(now) { waiting_line(look) } else { self.mode_line(look) });
        // While somebody is asked nothing else moves: the model waits too.
        let asked = !self.dialogs.is_empty();
        let mut rows = if asked { Vec::new() } else { self.conversation.live(look, now, self.options.motion) };
        if self.todos_shown {
            rows.extend(self.conversation.todo_rows(look));
        }
        rows.extend(self.queue.iter().map(|input| {
            let text = words::queued(&said(input).replace('\n', " "));
            Line::from(Span::styled(shortened(&inert(&text), size.columns), look.theme.style(Role::Dim)))
        }));
        let room = size.rows.saturating_sub(foot.len());
        let mut dialog_cursor = None;
        if let Some(dialog) = self.dialogs.front() {
            let (lines, cursor) = dialog.draw(room, look);
            let above = room.saturating_sub(lines.len());
            rows.drain(..rows.len().saturating_sub(above));
            dialog_cursor = cursor.map(|(row, column)| (rows.len() + row, column));
            rows.extend(lines);
        }
        rows.drain(..rows.len().saturating_sub(room));
        let cursor = dialog_cursor.unwrap_or((rows.len() + cursor.0, cursor.1));
        rows.extend(foot);
        Live { rows: rows.into_iter().map(|line| cut(line, size.columns)).collect(), cursor: Some(cursor) }
    }

    fn menu_rows(&self, look: Look<'_>) -> Vec<Line<'static>> {
        if let Some(search) = self.input.searching() {
            let text = shortened(&inert(&search), look.columns);
            return vec![Line::from(Span::styled(text, look.theme.style(Role::Dim)))];
        }
        let Some(menu) = self.input.menu() else { return Vec::new() };
        let widest = menu.entries.iter().map(|entry| width(&entry.text)).max().unwrap_or(0).min(look.columns / 2);
        let row = |(n, entry): (usize, &Entry)| {
            let (sign, role) = if n == menu.chosen { ("❯ ", Role::Strong) } else { ("  ", Role::Text) };
            let name = shortened(&inert(&entry.text), look.columns.saturating_sub(2));
            let gap = " ".repeat(widest.saturating_sub(width(&name)) + 2);
            let room = look.columns.saturating_sub(2 + width(&name) + gap.len());
            Line::from(vec![
                Span::styled(sign, look.theme.style(Role::Sign)),
                Span::styled(name, look.theme.style(role)),
                Span::styled(format!("{gap}{}", shortened(&inert(&entry.about), room)), look.theme.style(Role::Dim)),
            ])
        };
        menu.entries.iter().enumerate().map(row).collect()
    }

    /// The mode: sign, words and colour; or what is to be said once.
    fn mode_line(&self, look: Look<'_>) -> Line<'static> {
        if let Some(hint) = &self.hint {
            let text = shortened(&inert(hint).replace('\n', " "), look.columns);
            return Line::from(Span::styled(text, look.theme.style(Role::Warning)));
        }
        let mode = words::mode_sign(self.mode);
        let hint = shortened(words::CYCLE_HINT, look.columns.saturating_sub(width(&mode)));
        Line::from(vec![
            Span::styled(shortened(&mode, look.columns), look.theme.style(Role::Mode(self.mode))),
            Span::styled(hint, look.theme.style(Role::Dim)),
        ])
    }
}

/// Below the input line while keys are not for the question yet.
fn waiting_line(look: Look<'_>) -> Line<'static> {
    Line::from(Span::styled(shortened(words::KEYS_WAIT, look.columns), look.theme.style(Role::Warning)))
}
