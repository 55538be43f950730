//! The model's own questions: one or several, one answer or many, always room for words of one's own.

use std::collections::BTreeSet;

use planwright_core::call::UserQuestion;
use planwright_core::dialogue::{Answer, UserAnswer};
use planwright_core::text::inert;
use ratatui_core::text::{Line, Span};

use super::{Drawn, choice, text};
use crate::tui::editor::Editor;
use crate::tui::keys::{Code, Key};
use crate::tui::markdown::Look;
use crate::tui::part::Heard;
use crate::tui::theme::Role;
use crate::tui::wrap::{Piece, rows, width};
use crate::words;

/// Columns from which on a preview stands beside the options.
const BESIDE: usize = 80;

/// The questions of one call.
pub(super) struct UserDialog {
    questions: Vec<UserQuestion>,
    given: Vec<Given>,
    at: usize,
}

/// How far one question is answered.
#[derive(Default)]
struct Given {
    /// The option that is marked; the one after the last is the own answer.
    marked: usize,
    picked: BTreeSet<usize>,
    /// Words of one's own. They stay, wherever the mark goes.
    own: Editor,
}

impl UserDialog {
    pub(super) fn new(questions: Vec<UserQuestion>) -> Self {
        let given = questions.iter().map(|_| Given::default()).collect();
        Self { questions, given, at: 0 }
    }

    pub(super) fn title(&self) -> String {
        self.questions.first().map(|question| question.question.clone()).unwrap_or_default()
    }

    /// Whether the own answer is marked: letters and digits are text then.
    pub(super) fn typing(&self) -> bool {
        let here = self.questions.get(self.at).zip(self.given.get(self.at));
        here.is_some_and(|(question, given)| given.marked == question.options.len())
    }

    pub(super) fn paste(&mut self, pasted: &str) {
        if self.typing()
            && let Some(given) = self.given.get_mut(self.at)
        {
            given.own.insert(pasted);
        }
    }

    pub(super) fn key(&mut self, key: Key) -> Heard {
        let typing = self.typing();
        let (Some(question), Some(given)) = (self.questions.get(self.at), self.given.get_mut(self.at)) else {
            return Heard::Answer(Answer::Dismissed);
        };
        let places = question.options.len() + 1;
        match key {
            Key { code: Code::Esc, .. } => return Heard::Answer(Answer::Dismissed),
            Key { code: Code::Up, .. } => given.marked = (given.marked + places - 1) % places,
            Key { code: Code::Down, .. } => given.marked = (given.marked + 1) % places,
            Key { code: Code::Tab, shift, .. } => {
                self.turn_to(if shift { self.at.wrapping_sub(1) } else { self.at + 1 })
            }
            Key { code: Code::Enter, alt: false, shift: false, .. } => return self.enter(),
            Key { code: Code::Enter, .. } if typing => given.own.insert("\n"),
            key if typing => _ = given.own.key(key, 80),
            Key { code: Code::Left, .. } => self.turn_to(self.at.wrapping_sub(1)),
            Key { code: Code::Right, .. } => self.turn_to(self.at + 1),
            Key { code: Code::Char(' '), ctrl: false, .. } => self.pick(None),
            Key { code: Code::Char(digit @ '1'..='9'), ctrl: false, alt: false, .. } => {
                let option = digit as usize - '1' as usize;
                if option >= places {
                    return Heard::Ignored;
                }
                given.marked = option;
                if option + 1 == places {
                    return Heard::Taken;
                }
                if !question.multi_select {
                    return self.enter();
                }
                self.pick(Some(option));
            }
            _ => return Heard::Ignored,
        }
        Heard::Taken
    }

    fn turn_to(&mut self, question: usize) {
        if question < self.questions.len() {
            self.at = question;
        }
    }

    /// Ticks an option, or takes the tick away.
    fn pick(&mut self, option: Option<usize>) {
        let (question, given) = (&self.questions[self.at], &mut self.given[self.at]);
        let option = option.unwrap_or(given.marked);
        if option >= question.options.len() {
            return;
        }
        if given.picked.remove(&option) {
            return;
        }
        if !question.multi_select {
            given.picked.clear();
        }
        given.picked.insert(option);
    }

    /// Enter: the marked option is the answer of a question with one; then the next question, or the end.
    fn enter(&mut self) -> Heard {
        let (question, given) = (&self.questions[self.at], &mut self.given[self.at]);
        if !question.multi_select {
            given.picked.clear();
            if given.marked < question.options.len() {
                given.picked.insert(given.marked);
            }
        }
        if self.at + 1 < self.questions.len() {
            self.at += 1;
            return Heard::Taken;
        }
        Heard::Answer(Answer::User(self.answers()))
    }

    fn answers(&self) -> Vec<Option<UserAnswer>> {
        let answer = |(question, given): (&UserQuestion, &Given)| {
            let labels: Vec<_> = given.picked.iter().map(|option| question.options[*option].label.clone()).collect();
            let own = Some(given.own.text().trim().to_owned()).filter(|own| !own.is_empty());
            (!labels.is_empty() || own.is_some()).then_some(UserAnswer { labels, own })
        };
        self.questions.iter().zip(&self.given).map(answer).collect()
    }

    pub(super) fn draw(&self, most: usize, look: Look<'_>) -> Drawn {
        let (Some(question), Some(given)) = (self.questions.get(self.at), self.given.get(self.at)) else {
            return (Vec::new(), None);
        };
        let mut lines = Vec::new();
        if self.questions.len() > 1 {
            lines.push(self.tabs(look));
        }
        lines.extend(text(&question.question, Role::Strong, look));
        let head = lines.len();
        let own = self.own_rows(given, question.options.len(), look);
        let hint = text(words::user_hint(question.multi_select, self.questions.len() > 1), Role::Dim, look);
        let options: Vec<Vec<_>> =
            question.options.iter().enumerate().map(|(n, _)| option_rows(question, given, n, look)).collect();
        // On a small screen the options around the mark are seen.
        let room = most.saturating_sub(head + own.0.len() + hint.len());
        let mut first = 0;
        while first < given.marked
            && options[first..].iter().take(given.marked + 1 - first).map(Vec::len).sum::<usize>() > room
        {
            first += 1;
        }
        let mut listed: Vec<Line<'static>> = options.into_iter().skip(first).flatten().take(room.max(1)).collect();
        let preview = question.options.get(given.marked).and_then(|option| option.preview.as_deref());
        if let Some(preview) = preview {
            listed = with_preview(listed, preview, room, look);
        }
        lines.extend(listed);
        let cursor = own.1.map(|(row, column)| (lines.len() + row, column));
        lines.extend(own.0);
        lines.extend(hint);
        (lines, cursor)
    }

    /// The questions by their headers; what is answered is ticked.
    fn tabs(&self, look: Look<'_>) -> Line<'static> {
        let answers = self.answers();
        let mut spans = Vec::new();
        for (n, (question, answer)) in self.questions.iter().zip(answers).enumerate() {
            let tick = if answer.is_some() { "☒" } else { "☐" };
            let label = format!("{tick} {}", inert(&question.header).replace('\n', " "));
            let here = n == self.at;
            let label = if here { format!("[{label}]") } else { format!(" {label} ") };
            spans.push(Span::styled(label, look.theme.style(if here { Role::Chosen } else { Role::Dim })));
        }
        Line::from(spans)
    }

    fn own_rows(&self, given: &Given, number: usize, look: Look<'_>) -> Drawn {
        let marked = given.marked == number;
        let mut lines = Vec::new();
        let mut cursor = None;
        let shown = given.own.shown(look.columns.saturating_sub(5));
        for (n, row) in shown.rows.iter().enumerate() {
            let row = if given.own.is_empty() && !marked { words::OWN_ANSWER.to_owned() } else { inert(row) };
            let label =
                if n == 0 { choice(number, &row, "", marked, look) } else { vec![Line::from(format!("     {row}"))] };
            if marked && n == shown.cursor.0 {
                cursor = Some((lines.len(), shown.cursor.1 + 5));
            }
            lines.extend(label);
        }
        (lines, cursor)
    }
}

fn option_rows(question: &UserQuestion, given: &Given, n: usize, look: Look<'_>) -> Vec<Line<'static>> {
    let option = &question.options[n];
    let mark = match (question.multi_select, given.picked.contains(&n)) {
        (true, true) => "[x] ",
        (true, false) => "[ ] ",
        (false, true) => "✔ ",
        (false, false) => "",
    };
    let columns = if option_preview(question) && look.columns >= BESIDE { look.columns / 2 } else { look.columns };
    let look = Look { columns, ..look };
    let mut lines = choice(n, &option.label, mark, given.marked == n, look);
    if !option.description.is_empty() {
        let piece = Piece::new(inert(&option.description), look.theme.style(Role::Dim), 0);
        let indent = [Span::raw("     ")];
        lines.extend(rows(&[piece], columns, &indent, &indent).into_iter().map(|row| row.line));
    }
    lines
}

fn option_preview(question: &UserQuestion) -> bool {
    question.options.iter().any(|option| option.preview.is_some())
}

/// A preview beside the options where there is room, else below them.
fn with_preview(mut listed: Vec<Line<'static>>, preview: &str, room: usize, look: Look<'_>) -> Vec<Line<'static>> {
    let style = look.theme.style(Role::Code);
    let columns = if look.columns >= BESIDE {
        look.columns - look.columns / 2 - 3
    } else {
        look.columns.saturating_sub(4).max(1)
    };
    let shown: Vec<_> = rows(&[Piece::new(inert(preview), style, 0)], columns, &[], &[]);
    if look.columns < BESIDE {
        let left = room.saturating_sub(listed.len());
        listed.extend(shown.into_iter().take(left).map(|row| {
            let mut spans = vec![Span::styled("  │ ", look.theme.style(Role::Dim))];
            spans.extend(row.line.spans);
            Line::from(spans)
        }));
        return listed;
    }
    let height = listed.len().max(shown.len().min(room));
    listed.resize(height, Line::default());
    for (line, row) in listed.iter_mut().zip(shown) {
        let used: usize = line.spans.iter().map(|span| width(&span.content)).sum();
        line.spans.push(Span::raw(" ".repeat((look.columns / 2).saturating_sub(used))));
        line.spans.push(Span::styled(" │ ", look.theme.style(Role::Dim)));
        line.spans.extend(row.line.spans);
    }
    listed
}
