//! The conversation: what is over is written once above, what moves stands in the live area.

use std::collections::VecDeque;
use std::time::Duration;

use planwright_core::bounds;
use planwright_core::call::{Todo, TodoStatus};
use planwright_core::dialogue::{AsideHeard, Notice, TurnEnd};
use planwright_core::mode::{Cause, Mode};
use planwright_core::say;
use planwright_core::text::{first_line, inert};
use ratatui_core::text::{Line, Span};

use super::diff;
use super::markdown::{self, Look};
use super::theme::Role;
use super::wrap::{Piece, rows, shortened};
use crate::words;

/// Rows of an answer that is still being written that are seen.
const TAIL_ROWS: usize = 12;
/// Bytes of it that are laid out for that: more than fill them on the widest screen.
const TAIL_BYTES: usize = 32 << 10;
/// Rows of a diff that are shown with the call that made it; the transcript has them all.
const DIFF_ROWS: usize = 30;
/// How long a sign of the spinner stands.
const SPIN: Duration = Duration::from_millis(120);
/// The signs of the spinner.
const SIGNS: [&str; 6] = ["·", "✢", "✳", "✻", "✳", "✢"];

/// One thing that was said or done.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// The user's words.
    User(String),
    /// The assistant's words, or a subagent's.
    Text {
        /// The subagent.
        agent: Option<String>,
        /// The words, as markdown.
        text: String,
        /// The words go on an answer whose beginning stands above.
        goes_on: bool,
    },
    /// A tool call and what it came to.
    Tool {
        /// The subagent.
        agent: Option<String>,
        /// The tool.
        tool: String,
        /// Its main argument.
        argument: String,
        /// The result.
        content: String,
        /// An error or a denial.
        is_error: bool,
        /// What it changed.
        diff: Option<String>,
        /// It ran, or wrote, in a scratch copy.
        scratch: bool,
    },
    /// A note was given to the model.
    Note(String),
    /// The mode changed.
    Mode(Mode, Mode),
    /// Words of the program.
    Said(String),
    /// Something to know.
    Warning(String),
    /// Something failed: cause and hint.
    Error(String, String),
}

/// A tool call that runs.
#[derive(Clone, Debug)]
struct Running {
    id: String,
    agent: Option<String>,
    tool: String,
    argument: String,
    since: Duration,
}

/// The conversation.
#[derive(Debug, Default)]
pub struct Conversation {
    /// All that was said and done, for the transcript.
    items: Vec<Item>,
    /// How many of them were handed out to be written.
    written: usize,
    /// The answer that arrives.
    arriving: String,
    /// Bytes of it that are items already.
    settled: usize,
    running: VecDeque<Running>,
    todos: Vec<Todo>,
    turn: Option<Duration>,
    /// What protects the user, as it was last said.
    protection: Option<String>,
}

impl Conversation {
    /// Everything so far.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Whether the model is at work.
    pub const fn working(&self) -> bool {
        self.turn.is_some()
    }

    /// The todo list.
    pub fn todos(&self) -> &[Todo] {
        &self.todos
    }

    /// Adds what the user said.
    pub fn user_said(&mut self, text: &str) {
        self.items.push(Item::User(text.to_owned()));
    }

    /// Takes a notice in. Questions are not its business.
    pub fn hear(&mut self, notice: &Notice, now: Duration) {
        match notice {
            Notice::TextDelta(more) => {
                self.arriving.push_str(more);
                self.settle_paragraphs();
            }
            Notice::Text { agent: None, text } => self.answered(text),
            Notice::Text { agent: Some(agent), text } => {
                self.items.push(Item::Text { agent: Some(agent.clone()), text: text.clone(), goes_on: false });
            }
            Notice::Again { agent, again } => {
                if agent.is_none() {
                    self.drop_arriving();
                }
                self.items.push(Item::Warning(words::again(again)));
            }
            Notice::Compacted { agent: None, trigger, tokens_before, tokens_after } => {
                self.items.push(Item::Said(words::compacted(*trigger, *tokens_before, *tokens_after)));
            }
            Notice::Attached { agent: None, attachment } => self.items.push(Item::Note(attachment.label())),
            Notice::Attached { agent: Some(_), .. } => {}
            Notice::ToolCalled { agent, id, tool, argument, input: _ } => {
                let (agent, id) = (agent.clone(), id.clone());
                let (tool, argument) = (tool.clone(), argument.clone());
                self.running.push_back(Running { id, agent, tool, argument, since: now });
            }
            Notice::ToolFinished { agent, id, tool, content, is_error, diff, scratch } => {
                let at = self.running.iter().position(|running| running.id == *id && running.agent == *agent);
                let argument = at.and_then(|at| self.running.remove(at)).map(|running| running.argument);
                self.items.push(Item::Tool {
                    agent: agent.clone(),
                    tool: tool.clone(),
                    argument: argument.unwrap_or_default(),
                    content: content.clone(),
                    is_error: *is_error,
                    diff: diff.clone(),
                    scratch: *scratch,
                });
            }
            Notice::ModeChanged { cause: Cause::Start, .. } => {}
            Notice::ModeChanged { from, to, cause: _ } => self.items.push(Item::Mode(*from, *to)),
            Notice::Protection(found) => {
                let text = say::protection_while_planning(found);
                if self.protection.as_ref() != Some(&text) {
                    self.items.push(Item::Said(text.clone()));
                    self.protection = Some(text);
                }
            }
            Notice::Said(text) | Notice::PlanShown { said: text, .. } => self.items.push(Item::Said(text.clone())),
            Notice::Warning { key: _, text } => self.items.push(Item::Warning(text.clone())),
            Notice::Error { cause, hint } => self.items.push(Item::Error(cause.clone(), hint.clone())),
            Notice::Todos(todos) => self.todos.clone_from(todos),
            Notice::TurnStarted => self.turn = Some(now),
            Notice::TurnEnded(TurnEnd { outcome, .. }) => {
                self.turn = None;
                self.drop_arriving();
                self.running.clear();
                self.items.extend(words::outcome(outcome).map(Item::Said));
            }
            Notice::Session { .. } => self.todos.clear(),
            Notice::Aside(_, AsideHeard::Answered(text)) => {
                self.items.push(Item::Text { agent: None, text: text.clone(), goes_on: false });
            }
            Notice::Aside(_, AsideHeard::Failed(why)) => self.items.push(Item::Warning(why.clone())),
            Notice::Aside(_, AsideHeard::Piece(_) | AsideHeard::Again) => {}
            // The face deals with these, or others show the same: a refusal is followed by its result.
            Notice::Answered { .. }
            | Notice::Compacted { agent: Some(_), .. }
            | Notice::AgentStarted { .. }
            | Notice::Refused { .. }
            | Notice::Plan { .. }
            | Notice::Asked(..)
            | Notice::Settled(_)
            | Notice::WishSettled(..)
            | Notice::OfferBack(_)
            | Notice::TakenUp
            | Notice::Idle => {}
        }
    }

    /// A whole answer: what of it did not stand above yet becomes an item.
    fn answered(&mut self, text: &str) {
        let settled = std::mem::take(&mut self.settled);
        let arriving = std::mem::take(&mut self.arriving);
        let goes_on = settled > 0 && text.get(..settled) == arriving.get(..settled);
        let rest = if goes_on { &text[settled..] } else { text };
        if !rest.trim().is_empty() {
            self.items.push(Item::Text { agent: None, text: rest.to_owned(), goes_on });
        }
    }

    /// What of an answer arrived and will not be completed is kept as it is.
    fn drop_arriving(&mut self) {
        let rest = self.arriving.split_off(self.settled.min(self.arriving.len()));
        let goes_on = std::mem::take(&mut self.settled) > 0;
        self.arriving.clear();
        if !rest.trim().is_empty() {
            self.items.push(Item::Text { agent: None, text: rest, goes_on });
        }
    }

    /// Paragraphs of the arriving answer that nothing can change any more become items.
    fn settle_paragraphs(&mut self) {
        let open = &self.arriving[self.settled..];
        let mut fenced = false;
        let (mut at, mut end) = (0, 0);
        for line in open.split_inclusive('\n') {
            if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
                fenced = !fenced;
            }
            at += line.len();
            if !fenced && line.trim().is_empty() && line.ends_with('\n') {
                end = at;
            }
        }
        if end > 0 && !open[..end].trim().is_empty() {
            let text = open[..end].to_owned();
            let goes_on = self.settled > 0;
            self.settled += end;
            self.items.push(Item::Text { agent: None, text, goes_on });
        }
    }

    /// The rows of what is over and was not written yet.
    pub fn take_finished(&mut self, look: Look<'_>) -> Vec<Line<'static>> {
        let new = &self.items[self.written..];
        let lines = new.iter().flat_map(|item| folded(item, look)).collect();
        self.written = self.items.len();
        lines
    }

    /// When the live rows look different by themselves: while the model works. Without motion, once a second.
    pub fn next_tick(&self, now: Duration, motion: bool) -> Option<Duration> {
        let since = self.turn?;
        let step = if motion { SPIN } else { Duration::from_secs(1) };
        let steps = (now.saturating_sub(since).as_nanos() / step.as_nanos()) + 1;
        Some(since + step * u32::try_from(steps).unwrap_or(u32::MAX))
    }

    /// What moves: the end of the answer that arrives, the calls that run, the spinner.
    pub fn live(&self, look: Look<'_>, now: Duration, motion: bool) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let open = &self.arriving[self.settled.min(self.arriving.len())..];
        if !open.trim().is_empty() {
            let text = tail(open);
            let goes_on = self.settled > 0 || text.len() < open.len();
            let text = Item::Text { agent: None, text, goes_on };
            let all = folded(&text, look);
            lines.extend_from_slice(&all[all.len().saturating_sub(TAIL_ROWS)..]);
        }
        for running in &self.running {
            let seconds = now.saturating_sub(running.since).as_secs();
            let time = if seconds >= 2 { format!(" {seconds} s") } else { String::new() };
            let call = called(running.agent.as_deref(), &running.tool, &running.argument);
            let call = shortened(&call, look.columns.saturating_sub(time.len() + 2));
            lines.push(Line::from(vec![
                Span::styled("⏺ ", look.theme.style(Role::Dim)),
                Span::raw(call),
                Span::styled(time, look.theme.style(Role::Dim)),
            ]));
        }
        if let Some(since) = self.turn {
            let elapsed = now.saturating_sub(since);
            let frame = (elapsed.as_nanos() / SPIN.as_nanos()) % (SIGNS.len() as u128);
            let sign = if motion { SIGNS[usize::try_from(frame).unwrap_or(0)] } else { SIGNS[0] };
            let words = words::working(elapsed.as_secs(), self.arriving.len() / 4);
            lines.push(Line::from(vec![
                Span::styled(format!("{sign} "), look.theme.style(Role::Sign)),
                Span::styled(shortened(&words, look.columns.saturating_sub(2)), look.theme.style(Role::Dim)),
            ]));
        }
        lines
    }

    /// The todo list, a row each.
    pub fn todo_rows(&self, look: Look<'_>) -> Vec<Line<'static>> {
        // A list that is done with goes when the turn does.
        let done = self.turn.is_none() && self.todos.iter().all(|todo| todo.status == TodoStatus::Completed);
        let todos = if done { &[][..] } else { &self.todos };
        todos
            .iter()
            .map(|todo| {
                let (sign, text, role) = match todo.status {
                    TodoStatus::Completed => ("☒ ", &todo.content, Role::Dim),
                    TodoStatus::InProgress => ("◐ ", &todo.active_form, Role::Strong),
                    TodoStatus::Pending => ("☐ ", &todo.content, Role::Text),
                };
                let text = shortened(&inert(text).replace('\n', " "), look.columns.saturating_sub(4));
                Line::from(vec![Span::raw("  "), Span::styled(format!("{sign}{text}"), look.theme.style(role))])
            })
            .collect()
    }
}

/// The end of a text, as far as its last rows need it: a frame costs the same however long the text is.
/// Within fenced code the fence comes along.
fn tail(text: &str) -> String {
    let Some(over) = text.len().checked_sub(TAIL_BYTES) else { return text.to_owned() };
    let line = text.as_bytes()[over..].iter().position(|byte| *byte == b'\n').map(|at| over + at + 1);
    let cut = line.unwrap_or_else(|| text.ceil_char_boundary(over));
    let fenced = |line: &&str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    let fences = text[..cut].lines().filter(fenced);
    let fence = fences.enumerate().last().filter(|(n, _)| n % 2 == 0).map(|(_, fence)| fence);
    fence.map_or_else(|| text[cut..].to_owned(), |fence| format!("{fence}\n{}", &text[cut..]))
}

fn called(agent: Option<&str>, tool: &str, argument: &str) -> String {
    let argument = first_line(&inert(argument), bounds::SUBJECT_CHARS);
    let agent = agent.map(|agent| format!("[{agent}] ")).unwrap_or_default();
    format!("{agent}{}({argument})", inert(tool))
}

/// An item as the scrollback has it: tool calls in one line, results in another.
pub fn folded(item: &Item, look: Look<'_>) -> Vec<Line<'static>> {
    shown(item, look, false)
}

/// An item with everything that is in it.
pub fn unfolded(item: &Item, look: Look<'_>) -> Vec<Line<'static>> {
    shown(item, look, true)
}

fn shown(item: &Item, look: Look<'_>, all: bool) -> Vec<Line<'static>> {
    let style = |role| look.theme.style(role);
    match item {
        Item::User(text) => marked("› ", Role::Sign, text, Role::Strong, look),
        Item::Text { agent, text, goes_on } => {
            let sign = if *goes_on { "  " } else { "● " };
            let name = agent.as_deref().map(|agent| format!("[{agent}] ")).unwrap_or_default();
            let inner = Look { columns: look.columns.saturating_sub(2).max(1), ..look };
            let mut lines: Vec<_> = markdown::render(&format!("{name}{text}"), inner)
                .into_iter()
                .enumerate()
                .map(|(n, row)| {
                    let sign = if n == 0 { Span::styled(sign, style(Role::Sign)) } else { Span::raw("  ") };
                    let mut spans = vec![sign];
                    spans.extend(row.line.spans);
                    Line::from(spans)
                })
                .collect();
            lines.push(Line::default());
            lines
        }
        Item::Tool { agent, tool, argument, content, is_error, diff, scratch } => {
            let (sign, role) = if *is_error { ("✘ ", Role::Error) } else { ("✔ ", Role::Success) };
            let place = if *scratch { words::IN_SCRATCH } else { "" };
            let head = called(agent.as_deref(), tool, argument);
            let mut lines = if all {
                marked(sign, role, &format!("{head}{place}"), Role::Text, look)
            } else {
                // What is cut is the call, never the word that nothing real changed.
                let head = shortened(&head, look.columns.saturating_sub(2 + place.len())) + place;
                vec![Line::from(vec![Span::styled(sign, style(role)), Span::raw(head)])]
            };
            lines.extend(result(content, *is_error, diff.as_deref(), look, all));
            lines
        }
        Item::Note(label) => marked("◇ ", Role::Dim, label, Role::Dim, look),
        Item::Mode(from, to) => marked("  ", Role::Dim, &words::mode_changed(*from, *to), Role::Mode(*to), look),
        Item::Said(text) => marked("  ", Role::Dim, text, Role::Text, look),
        Item::Warning(text) => marked("! ", Role::Warning, text, Role::Warning, look),
        Item::Error(cause, hint) => {
            let mut lines = marked("✘ ", Role::Error, &words::error(cause), Role::Error, look);
            if !hint.is_empty() {
                lines.extend(marked("  ", Role::Dim, hint, Role::Text, look));
            }
            lines
        }
    }
}

/// What a call came to.
fn result(content: &str, is_error: bool, diff: Option<&str>, look: Look<'_>, all: bool) -> Vec<Line<'static>> {
    let style = |role| look.theme.style(role);
    let indented = |line: Line<'static>| {
        let mut spans = vec![Span::raw("  ")];
        spans.extend(line.spans);
        Line::from(spans)
    };
    let inner = Look { columns: look.columns.saturating_sub(2).max(1), ..look };
    let mut lines = Vec::new();
    if let Some(diff) = diff {
        let rows = diff::render(diff, inner.columns, look.theme);
        let shown = if all { rows.len() } else { rows.len().min(DIFF_ROWS) };
        let hidden = rows.len() - shown;
        lines.extend(rows.into_iter().take(shown).map(|row| indented(row.line)));
        if hidden > 0 {
            lines.push(indented(Line::from(Span::styled(words::more_rows(hidden), style(Role::Dim)))));
        }
        if !all && !is_error {
            return lines;
        }
    }
    let role = if is_error { Role::Error } else { Role::Dim };
    if all || is_error {
        lines.extend(marked("  ", Role::Dim, content, role, look));
        return lines;
    }
    let text = inert(content);
    let more = text.lines().filter(|line| !line.trim().is_empty()).count().saturating_sub(1);
    let first = first_line(&text, bounds::LINE_CHARS);
    let first = if first.is_empty() { words::NO_OUTPUT.to_owned() } else { first };
    let tail = if more > 0 { format!(" {}", words::more_lines(more)) } else { String::new() };
    let room = look.columns.saturating_sub(4 + tail.chars().count());
    lines.push(Line::from(Span::styled(format!("  → {}{tail}", shortened(&first, room)), style(role))));
    lines
}

/// A text behind a sign, its other rows indented.
fn marked(sign: &'static str, sign_role: Role, text: &str, role: Role, look: Look<'_>) -> Vec<Line<'static>> {
    let first = [Span::styled(sign, look.theme.style(sign_role))];
    let text = inert(text);
    let piece = Piece::new(text.trim_end(), look.theme.style(role), 0);
    rows(&[piece], look.columns, &first, &[Span::raw("  ")]).into_iter().map(|row| row.line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_text_is_enough_and_keeps_its_fence() {
        assert_eq!(tail("short"), "short");
        let prose = "a line of words\n".repeat(10_000);
        let end = tail(&prose);
        assert!(end.len() <= TAIL_BYTES && prose.ends_with(&end) && end.starts_with("a line"));
        let code = format!("Look:\n\n```rust\n{prose}");
        assert!(tail(&code).starts_with("```rust\na line"));
        let closed = format!("```\nx\n```\n\n{prose}");
        assert!(tail(&closed).starts_with("a line"));
        let one = "日本語".repeat(20_000);
        assert!(one.ends_with(&tail(&one)) && tail(&one).len() <= TAIL_BYTES);
    }
}
