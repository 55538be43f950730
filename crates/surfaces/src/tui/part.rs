//! What the parts of the face have in common.

use std::path::PathBuf;

use planwright_core::dialogue::{Answer, Input, QuestionId};
use ratatui_core::text::Line;

/// What a part made of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// It means nothing here; the next part may look.
    Ignored,
    /// It was used; something may look different.
    Taken,
    /// It answers the question of this part.
    Answer(Answer),
    /// It is a question to the model about what this part shows.
    Ask(String),
    /// Somebody must do something.
    Act(Act),
}

/// What the loop around the face must do.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Tell the session.
    Say(Input),
    /// Open the user's editor on a file, then tell [`super::face::Face::editor_closed`].
    EditFile(QuestionId, PathBuf),
    /// Open the user's editor on a text, then tell [`super::face::Face::text_edited`].
    EditText(String),
    /// Keep a text in the history of this project.
    Remember(String),
    /// Put a text on the clipboard.
    Copy(String),
    /// Ring: somebody should look (only when the window has no focus).
    Notify(String),
    /// Name the window.
    Title(String),
    /// Stop the process until the shell continues it (Ctrl+Z).
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Leave.
    Leave,
}

/// A page on the alternate screen: exactly as many rows as the screen has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Its rows.
    pub rows: Vec<Line<'static>>,
    /// Where the cursor stands: row and column from 0.
    pub cursor: Option<(usize, usize)>,
}
