//! A place in the conversation that can be moved. Only the rows that are seen are laid out, so that a
//! long session costs no more than a short one.

use ratatui_core::text::Line;

use super::conversation::Item;
use super::markdown::Look;

/// How an item is laid out: folded or with everything that is in it.
pub type Laid = fn(&Item, Look<'_>) -> Vec<Line<'static>>;

/// A movement that is due; rows of a page are only known when one is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// None.
    #[default]
    None,
    /// By rows.
    Rows(isize),
    /// By pages.
    Pages(isize),
    /// To the end.
    End,
}

/// What stands at the top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scroll {
    /// The item, and its row.
    top: (usize, usize),
    step: Step,
}

impl Scroll {
    /// At the end.
    pub const fn at_end() -> Self {
        Self { top: (0, 0), step: Step::End }
    }

    /// The item at the top.
    pub const fn item(&self) -> usize {
        self.top.0
    }

    /// Moves when the next page is drawn.
    pub const fn step(&mut self, step: Step) {
        self.step = step;
    }

    /// The item at the top, and which of its rows.
    pub const fn top(&self) -> (usize, usize) {
        self.top
    }

    /// Puts a row of an item at the top.
    pub const fn go_to(&mut self, top: (usize, usize)) {
        self.top = top;
    }

    /// So many rows from the top on, and whether they show the end.
    pub fn rows(&mut self, items: &[Item], room: usize, look: Look<'_>, laid: Laid) -> (Vec<Line<'static>>, bool) {
        let page = |rows: usize| isize::try_from(rows).unwrap_or(isize::MAX);
        match std::mem::take(&mut self.step) {
            Step::None => {}
            Step::Rows(by) => self.scroll(by, items, look, laid),
            Step::Pages(by) => {
                self.scroll(by.saturating_mul(page(room.saturating_sub(1).max(1))), items, look, laid);
            }
            Step::End => {
                self.top = (items.len(), 0);
                self.scroll(-page(room), items, look, laid);
            }
        }
        let mut lines = Vec::new();
        let mut shown = 0;
        for (n, item) in items.iter().enumerate().skip(self.top.0) {
            let skip = if n == self.top.0 { self.top.1 } else { 0 };
            lines.extend(laid(item, look).into_iter().skip(skip));
            shown = n + 1;
            if lines.len() >= room {
                break;
            }
        }
        let end = shown >= items.len() && lines.len() <= room;
        lines.resize(room, Line::default());
        (lines, end)
    }

    /// Moves by rows, as far as there are any.
    fn scroll(&mut self, by: isize, items: &[Item], look: Look<'_>, laid: Laid) {
        let height = |n: usize| items.get(n).map_or(0, |item| laid(item, look).len());
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
