//! Comments on lines of a plan, and where they stand in what is seen of it.

use planwright_core::plan::{Comment, Remark};

use super::{Desk, Place, page};
use crate::tui::part::Heard;

impl Desk {
    pub(super) fn comment(&mut self, comment: Comment) {
        self.comments.push(comment);
        self.comments.sort_by_key(|comment| (comment.last, comment.first));
        self.mark = None;
        self.lay_body();
    }

    /// The lines of the plan that are marked, or the one the reader is at.
    pub(super) fn lines(&self) -> Option<(usize, usize)> {
        let line = |place: usize| match self.body.get(place)? {
            Place::Plan(row) => self.rows.get(*row).map(|row| row.source),
            Place::General => Some(1),
            Place::Comment(comment) => self.comments.get(*comment).map(|comment| comment.last),
        };
        let ends = [self.mark.unwrap_or(self.at), self.at];
        let lines = ends.iter().filter_map(|place| line(*place)).filter(|line| *line > 0);
        match (lines.clone().min(), lines.max()) {
            (Some(first), Some(last)) => Some((first, last)),
            (None, _) | (_, None) => self.line_near().map(|line| (line, line)),
        }
    }

    /// The line that a row without one belongs to: a blank row, the rule of a table.
    fn line_near(&self) -> Option<usize> {
        let Place::Plan(row) = *self.body.get(self.at)? else { return None };
        let (before, behind) = self.rows.split_at_checked(row)?;
        before.iter().rev().chain(behind).map(|row| row.source).find(|line| *line > 0)
    }

    pub(super) fn source(&self, first: usize, last: usize) -> String {
        let comment = Comment { first, last, remark: Remark::Words(String::new()) };
        comment.quote(&self.question.plan).join("\n")
    }

    pub(super) fn delete_comment(&mut self) -> Heard {
        let here = match self.body.get(self.at) {
            Some(Place::General) => {
                self.general.clear();
                self.lay_body();
                return Heard::Taken;
            }
            Some(Place::Comment(comment)) => Some(*comment),
            Some(Place::Plan(row)) => {
                let line = self.rows.get(*row).map_or(0, |row| row.source);
                self.comments.iter().rposition(|comment| (comment.first..=comment.last).contains(&line))
            }
            None => None,
        };
        let Some(comment) = here else { return Heard::Ignored };
        self.comments.remove(comment);
        self.lay_body();
        Heard::Taken
    }

    /// What is seen: what is not folded away, and comments behind the last of their lines.
    pub(super) fn lay_body(&mut self) {
        let hidden = page::hidden(&self.question.plan, &self.folded);
        self.body.clear();
        self.body.extend((!self.general.is_empty()).then_some(Place::General));
        let mut next = 0;
        let mut before = 0;
        for (n, row) in self.rows.iter().enumerate() {
            let line = if row.source == 0 { before } else { row.source };
            let behind = if row.source == 0 { before + 1 } else { row.source };
            while self.comments.get(next).is_some_and(|comment| comment.last < behind) {
                self.body.push(Place::Comment(next));
                next += 1;
            }
            before = line;
            // A blank row between blocks belongs to the block before it.
            if !hidden.iter().any(|range| range.contains(&line)) {
                self.body.push(Place::Plan(n));
            }
        }
        self.body.extend((next..self.comments.len()).map(Place::Comment));
        self.at = self.at.min(self.body.len().saturating_sub(1));
    }
}
