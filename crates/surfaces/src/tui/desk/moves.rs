//! Moving through a plan: rows, sections, words, comments, headings.

use super::{Desk, Place, View, page};
use crate::tui::keys::{Code, Key};
use crate::tui::part::Heard;
use crate::words;

impl Desk {
    pub(super) fn move_by(&mut self, by: isize) -> Heard {
        self.go_to(self.at.saturating_add_signed(by))
    }

    pub(super) fn go_to(&mut self, place: usize) -> Heard {
        self.at = place.min(self.body.len().saturating_sub(1));
        Heard::Taken
    }

    /// Folds the section that the reader is in, or unfolds it.
    pub(super) fn fold(&mut self) -> Heard {
        let Some((line, _)) = self.lines() else { return Heard::Ignored };
        let heading = page::headings(&self.question.plan).into_iter().rfind(|(at, _)| *at <= line);
        let Some((heading, _)) = heading else { return Heard::Ignored };
        if !self.folded.remove(&heading) {
            self.folded.insert(heading);
        }
        self.lay_body();
        self.go_to_line(heading);
        Heard::Taken
    }

    pub(super) fn fold_all(&mut self) -> Heard {
        let headings = page::headings(&self.question.plan);
        if self.folded.is_empty() {
            // The title stays open: it holds everything.
            let top = headings.iter().map(|(_, level)| *level).min().unwrap_or(1);
            let several = headings.iter().filter(|(_, level)| *level == top).count() > 1;
            self.folded.extend(headings.iter().filter(|(_, level)| several || *level > top).map(|(line, _)| *line));
        } else {
            self.folded.clear();
        }
        self.lay_body();
        Heard::Taken
    }

    pub(super) fn go_to_line(&mut self, line: usize) {
        let at = |place: &Place| matches!(place, Place::Plan(row) if self.rows[*row].source >= line);
        self.at = self.body.iter().position(at).unwrap_or(self.at);
    }

    pub(super) fn find_next(&mut self, forward: bool) -> Heard {
        let wanted = self.find.to_lowercase();
        if wanted.is_empty() {
            return Heard::Taken;
        }
        let found = |place: &usize| match self.body[*place] {
            Place::Plan(row) => self.rows[row].text().to_lowercase().contains(&wanted),
            Place::General | Place::Comment(_) => false,
        };
        let behind = (self.at + 1)..self.body.len();
        let before = 0..self.at.min(self.body.len());
        let place =
            if forward { behind.chain(before).find(found) } else { before.rev().chain(behind.rev()).find(found) };
        match place {
            Some(place) => self.at = place,
            None => self.note = Some(words::not_found(&self.find)),
        }
        Heard::Taken
    }

    pub(super) fn next_comment(&mut self, forward: bool) -> Heard {
        let comment = |place: &usize| matches!(self.body[*place], Place::General | Place::Comment(_));
        let place =
            if forward { ((self.at + 1)..self.body.len()).find(comment) } else { (0..self.at).rev().find(comment) };
        self.at = place.unwrap_or(self.at);
        Heard::Taken
    }

    /// Opens the list of headings at the one that the reader is under.
    pub(super) fn outline(&mut self) -> Heard {
        let line = self.lines().map_or(1, |(first, _)| first);
        let headings = page::headings(&self.question.plan);
        if headings.is_empty() {
            self.note = Some(words::NO_HEADINGS.to_owned());
            return Heard::Taken;
        }
        self.scrolled = headings.iter().rposition(|(at, _)| *at <= line).unwrap_or(0);
        self.view = View::Outline;
        Heard::Taken
    }

    /// A key in the list of headings. `None`: it means here what it means elsewhere.
    pub(super) fn outline_key(&mut self, key: Key) -> Option<Heard> {
        let headings = page::headings(&self.question.plan);
        match key.code {
            Code::Down | Code::Char('j') => self.scrolled = (self.scrolled + 1).min(headings.len().saturating_sub(1)),
            Code::Char('o') => self.view = View::Plan,
            Code::Enter => {
                if let Some((line, _)) = headings.get(self.scrolled) {
                    self.go_to_line(*line);
                }
                self.view = View::Plan;
            }
            _ => return None,
        }
        Some(Heard::Taken)
    }
}
