//! Questions in the live area: may this run, may the model plan, what do you want. Each is a list of
//! numbered choices; the cautious one is what Esc means.

use planwright_core::dialogue::{Answer, PermissionQuestion, Question, QuestionId};
use planwright_core::permit::Choice;
use planwright_core::text::inert;
use ratatui_core::text::{Line, Span};

use super::diff;
use super::editor::Editor;
use super::keys::{Code, Key};
use super::markdown::Look;
use super::part::Heard;
use super::theme::Role;
use super::wrap::{Piece, cut, rows};
use crate::words;

mod user;

use user::UserDialog;

/// Rows of a dialog, and where its cursor stands.
pub type Drawn = (Vec<Line<'static>>, Option<(usize, usize)>);

/// A question that is open.
pub struct Dialog {
    /// Which.
    pub id: QuestionId,
    asks: Asks,
}

enum Asks {
    Permission(Box<Permission>),
    EnterPlan { chosen: usize },
    User(UserDialog),
}

/// May this call run?
struct Permission {
    question: PermissionQuestion,
    chosen: usize,
    /// Words for the model that go along with the choice.
    comment: Editor,
    commenting: bool,
    scrolled: usize,
}

impl Dialog {
    /// The dialog for a question; `None` for those that are no dialog: plans, editors, and what only programs are asked.
    pub fn new(id: QuestionId, question: &Question) -> Option<Self> {
        let asks = match question {
            Question::Permission(question) => Asks::Permission(Box::new(Permission::new(question.clone()))),
            Question::EnterPlan => Asks::EnterPlan { chosen: 0 },
            Question::User(questions) => Asks::User(UserDialog::new(questions.clone())),
            Question::Plan(_) | Question::Editor(_) | Question::Hook(_) => return None,
        };
        Some(Self { id, asks })
    }

    /// What it is about, for a notification.
    pub fn title(&self) -> String {
        match &self.asks {
            Asks::Permission(asks) => words::permission_head(&asks.question.tool, asks.question.agent.as_deref()),
            Asks::EnterPlan { .. } => words::ENTER_PLAN.to_owned(),
            Asks::User(user) => user.title(),
        }
    }

    /// Whether words are being typed in it, so that a paste belongs to them.
    pub fn typing(&self) -> bool {
        match &self.asks {
            Asks::Permission(asks) => asks.commenting,
            Asks::EnterPlan { .. } => false,
            Asks::User(user) => user.typing(),
        }
    }

    /// Takes pasted text. It is never a choice.
    pub fn paste(&mut self, text: &str) {
        match &mut self.asks {
            Asks::Permission(asks) if asks.commenting => asks.comment.insert(text),
            Asks::Permission(_) | Asks::EnterPlan { .. } => {}
            Asks::User(user) => user.paste(text),
        }
    }

    /// Deals with a key.
    pub fn key(&mut self, key: Key) -> Heard {
        match &mut self.asks {
            Asks::Permission(asks) => asks.key(key),
            Asks::EnterPlan { chosen } => enter_key(chosen, key),
            Asks::User(user) => user.key(key),
        }
    }

    /// Whether its choices are seen in so many rows, and at least a row of what they are about.
    pub fn fits(&self, most: usize, look: Look<'_>) -> bool {
        match &self.asks {
            // A comment may grow: it was begun where they were seen.
            Asks::Permission(asks) => asks.commenting || !asks.comment.is_empty() || asks.foot(look).0.len() < most,
            // All of it is choices; a list that is longer moves with the highlight.
            Asks::EnterPlan { .. } | Asks::User(_) => most > words::ENTER_CHOICES.len(),
        }
    }

    /// Its rows, at most so many.
    pub fn draw(&self, most: usize, look: Look<'_>) -> Drawn {
        let (lines, cursor) = match &self.asks {
            Asks::Permission(asks) => asks.draw(most, look),
            Asks::EnterPlan { chosen } => {
                let mut lines = text(words::ENTER_PLAN, Role::Strong, look);
                lines.extend(choices(words::ENTER_CHOICES.map(str::to_owned).into_iter(), *chosen, look));
                (lines, None)
            }
            Asks::User(user) => user.draw(most, look),
        };
        // The end is what must be seen: the choices.
        let over = lines.len().saturating_sub(most);
        let lines = lines.into_iter().skip(over).map(|line| cut(line, look.columns)).collect();
        (lines, cursor.and_then(|(row, column)| Some((row.checked_sub(over)?, column))))
    }
}

fn enter_key(chosen: &mut usize, key: Key) -> Heard {
    match key {
        Key { code: Code::Esc, .. } | Key { code: Code::Char('2' | 'n'), ctrl: false, alt: false, .. } => {
            Heard::Answer(Answer::EnterPlan(false))
        }
        Key { code: Code::Char('1' | 'y'), ctrl: false, alt: false, .. } => Heard::Answer(Answer::EnterPlan(true)),
        Key { code: Code::Enter, .. } => Heard::Answer(Answer::EnterPlan(*chosen == 0)),
        Key { code: Code::Up | Code::Down, .. } => {
            *chosen = 1 - *chosen;
            Heard::Taken
        }
        _ => Heard::Ignored,
    }
}

impl Permission {
    fn new(question: PermissionQuestion) -> Self {
        // What cannot be taken back, and what no rule would allow, is not a matter of an Enter.
        let safe = question.choices.first() == Some(&Choice::Scratch) || question.suggestion.is_some();
        let no = question.choices.iter().position(|choice| *choice == Choice::No).unwrap_or(0);
        let chosen = if safe { 0 } else { no };
        Self { question, chosen, comment: Editor::default(), commenting: false, scrolled: 0 }
    }

    fn key(&mut self, key: Key) -> Heard {
        if self.commenting {
            match key {
                Key { code: Code::Enter, alt: false, shift: false, .. } => return self.choose(self.chosen),
                Key { code: Code::Enter, .. } => self.comment.insert("\n"),
                Key { code: Code::Esc | Code::Tab, .. } => self.commenting = false,
                key => _ = self.comment.key(key, 80),
            }
            return Heard::Taken;
        }
        let count = self.question.choices.len().max(1);
        match key {
            Key { code: Code::Char(digit @ '1'..='9'), ctrl: false, alt: false, .. } => {
                self.choose(digit as usize - '1' as usize)
            }
            Key { code: Code::Enter, .. } => self.choose(self.chosen),
            Key { code: Code::Esc, .. } => self.answer(Choice::No),
            Key { code: Code::Up, .. } => {
                self.chosen = (self.chosen + count - 1) % count;
                Heard::Taken
            }
            Key { code: Code::Down, .. } => {
                self.chosen = (self.chosen + 1) % count;
                Heard::Taken
            }
            Key { code: Code::Tab, shift: false, .. } => {
                self.commenting = true;
                Heard::Taken
            }
            Key { code: Code::PageDown, .. } => {
                self.scrolled += 5;
                Heard::Taken
            }
            Key { code: Code::PageUp, .. } => {
                self.scrolled = self.scrolled.saturating_sub(5);
                Heard::Taken
            }
            _ => Heard::Ignored,
        }
    }

    fn choose(&self, number: usize) -> Heard {
        self.question.choices.get(number).map_or(Heard::Ignored, |choice| self.answer(*choice))
    }

    fn answer(&self, choice: Choice) -> Heard {
        Heard::Answer(Answer::Permission { choice, comment: self.comment.text().trim().to_owned() })
    }

    fn draw(&self, most: usize, look: Look<'_>) -> Drawn {
        let question = &self.question;
        let mut head = text(&words::permission_head(&question.tool, question.agent.as_deref()), Role::Strong, look);
        if !question.reason.is_empty() {
            head.extend(text(&words::reason(&question.reason), Role::Dim, look));
        }
        let (foot, cursor) = self.foot(look);
        let mut body = text(
            question.subject.trim_end(),
            Role::Code,
            Look { columns: look.columns.saturating_sub(2).max(1), ..look },
        );
        if let Some(diff) = &question.diff {
            let shown = diff::render(diff, look.columns.saturating_sub(2).max(1), look.theme);
            body.extend(shown.into_iter().map(|row| row.line));
        }
        let room = most.saturating_sub(head.len() + foot.len() + 1).max(1);
        let mut lines = head;
        lines.extend(window(body, self.scrolled, room, look));
        let cursor = cursor.map(|(row, column)| (lines.len() + row, column));
        lines.extend(foot);
        (lines, cursor)
    }

    /// The choices, and the comment or the keys.
    fn foot(&self, look: Look<'_>) -> Drawn {
        let question = &self.question;
        let real = question.choices.contains(&Choice::Scratch) || question.tool == "Bash";
        let label = |choice: &Choice| words::permission_choice(*choice, real, question.suggestion.as_deref());
        let mut foot = choices(question.choices.iter().map(label), self.chosen, look);
        let mut cursor = None;
        if self.commenting || !self.comment.is_empty() {
            let shown = self.comment.shown(look.columns.saturating_sub(4));
            if self.commenting {
                cursor = Some((foot.len() + shown.cursor.0, shown.cursor.1 + 4));
            }
            for (n, row) in shown.rows.iter().enumerate() {
                let sign = if n == 0 { "  ✎ " } else { "    " };
                foot.push(Line::from(vec![Span::styled(sign, look.theme.style(Role::Sign)), Span::raw(inert(row))]));
            }
        } else {
            foot.extend(text(words::PERMISSION_HINT, Role::Dim, look));
        }
        (foot, cursor)
    }
}

/// A part of rows that do not all fit, and where in them it is.
fn window(body: Vec<Line<'static>>, scrolled: usize, room: usize, look: Look<'_>) -> Vec<Line<'static>> {
    let all = body.len();
    let first = scrolled.min(all.saturating_sub(room));
    let mut lines: Vec<_> = body
        .into_iter()
        .skip(first)
        .take(room)
        .map(|line| {
            let mut spans = vec![Span::raw("  ")];
            spans.extend(line.spans);
            Line::from(spans)
        })
        .collect();
    if all > room {
        lines.extend(text(&words::part_shown(first + 1, first + lines.len(), all), Role::Dim, look));
    }
    lines
}

/// A text in one role.
fn text(words: &str, role: Role, look: Look<'_>) -> Vec<Line<'static>> {
    let piece = Piece::new(inert(words), look.theme.style(role), 0);
    rows(&[piece], look.columns, &[], &[]).into_iter().map(|row| row.line).collect()
}

/// Numbered choices, the chosen one marked.
fn choices(labels: impl Iterator<Item = String>, chosen: usize, look: Look<'_>) -> Vec<Line<'static>> {
    labels.enumerate().flat_map(|(n, label)| choice(n, &label, "", n == chosen, look)).collect()
}

/// One numbered choice. `mark`: what stands before it, such as a box to tick.
fn choice(n: usize, label: &str, mark: &str, chosen: bool, look: Look<'_>) -> Vec<Line<'static>> {
    let sign = if chosen { "❯ " } else { "  " };
    let role = if chosen { Role::Strong } else { Role::Text };
    let first = [
        Span::styled(sign, look.theme.style(Role::Sign)),
        Span::styled(format!("{}. {mark}", n + 1), look.theme.style(role)),
    ];
    let piece = Piece::new(inert(label), look.theme.style(role), 0);
    rows(&[piece], look.columns, &first, &[Span::raw("     ")]).into_iter().map(|row| row.line).collect()
}
