//! What was asked about a plan, and what the model says of it.

use planwright_core::dialogue::AsideHeard;
use planwright_core::plan::{Comment, Remark};
use planwright_core::text::inert;
use ratatui_core::text::{Line, Span};

use crate::tui::markdown::{self, Look};
use crate::tui::theme::Role;
use crate::tui::wrap::{Piece, rows};
use crate::words;

/// A question about lines of the plan.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The lines and the words.
    question: String,
    /// What was said so far.
    said: String,
    state: State,
}

/// How far an answer is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Coming,
    Whole,
    /// It ended before that, and why.
    Failed(String),
}

impl Asked {
    /// A question that is on its way.
    pub(super) fn new(asked: &Comment) -> Self {
        let (Remark::Words(words) | Remark::Replace(words)) = &asked.remark;
        let question = format!("{}: {words}", words::lines(asked.first, asked.last));
        Self { question, said: String::new(), state: State::Coming }
    }
}

/// Whether an answer is still to come.
pub(super) fn coming(asked: &[Asked]) -> bool {
    asked.iter().any(|asked| asked.state == State::Coming)
}

/// Takes what is heard to the first question that has no whole answer. Yields whether that one is over now.
pub(super) fn hear(asked: &mut [Asked], heard: &AsideHeard) -> bool {
    let Some(asked) = asked.iter_mut().find(|asked| asked.state == State::Coming) else { return false };
    match heard {
        AsideHeard::Piece(more) => asked.said += more,
        AsideHeard::Again => asked.said.clear(),
        AsideHeard::Answered(text) => {
            text.clone_into(&mut asked.said);
            asked.state = State::Whole;
        }
        AsideHeard::Failed(why) => asked.state = State::Failed(why.clone()),
    }
    asked.state != State::Coming
}

/// The questions with their answers, the latest first.
pub(super) fn shown(asked: &[Asked], look: Look<'_>) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for asked in asked.iter().rev() {
        let sign = [Span::styled("? ", look.theme.style(Role::Sign))];
        let question = Piece::new(inert(&asked.question), look.theme.style(Role::Strong), 0);
        lines.extend(rows(&[question], look.columns, &sign, &[Span::raw("  ")]).into_iter().map(|row| row.line));
        lines.push(Line::default());
        lines.extend(markdown::render(&asked.said, look).into_iter().map(|row| row.line));
        let end = match &asked.state {
            State::Coming => Some((words::ANSWER_COMING, Role::Dim)),
            State::Whole => None,
            State::Failed(why) => Some((why.as_str(), Role::Warning)),
        };
        if let Some((words, role)) = end {
            let piece = Piece::new(inert(words), look.theme.style(role), 0);
            lines.extend(rows(&[piece], look.columns, &[], &[]).into_iter().map(|row| row.line));
        }
        lines.push(Line::default());
    }
    lines
}
