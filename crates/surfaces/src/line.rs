//! Line mode: one event, one line (interfaces.md section 2). A state machine without IO.
//!
//! Only the program begins a line at the left margin with a marker: every further line of a text
//! that a model or a file wrote is indented, and made inert, so that it cannot pass for an event.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use planwright_core::bounds::LINE_CHARS;
use planwright_core::command;
use planwright_core::dialogue::{Answer, AsideHeard, Input, Notice, Question, QuestionId, TurnEnd};
use planwright_core::permit::Walls;
use planwright_core::say;
use planwright_core::text::{first_line, inert};

mod ask;

use crate::words;
use ask::{Asking, Heard};

/// How the face looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineOptions {
    /// Repeat each input line behind `›`.
    pub echo: bool,
    /// Color the markers.
    pub color: bool,
}

/// What a line came to.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Reading {
    /// What to hand on.
    pub inputs: Vec<Input>,
    /// What to print: whole lines, or nothing.
    pub print: String,
}

/// The state of line mode: which questions are open, and whether the last line is dealt with.
#[derive(Debug)]
pub struct LineFace {
    options: LineOptions,
    editor: String,
    idle: bool,
    open: VecDeque<(QuestionId, Asking)>,
    editors: VecDeque<(QuestionId, PathBuf)>,
    /// What the user was told protects them.
    protection: Option<Walls>,
}

/// A marker and its color (SGR).
type Marker = (&'static str, u8);
const ECHO: Marker = ("›", 2);
const NOTE: Marker = ("◇", 35);
const TEXT: Marker = ("●", 36);
const CALL: Marker = ("⏺", 34);
const DONE: Marker = ("✔", 32);
const FAILED: Marker = ("✘", 31);

impl LineFace {
    /// A face that has heard nothing yet.
    pub fn new(options: LineOptions) -> Self {
        Self {
            options,
            editor: "EDITOR".to_owned(),
            idle: false,
            open: VecDeque::new(),
            editors: VecDeque::new(),
            protection: None,
        }
    }

    /// Names the user's editor, for the choice to edit a plan.
    pub fn name_editor(&mut self, name: &str) {
        self.editor = flat(name);
    }

    /// Whether the next input line would be understood rightly now: all that was typed is dealt
    /// with, or a question is open. Lines of a pipe must not be read ahead, or an answer is taken
    /// for a message. The first [`Notice::Idle`] makes a face ready.
    pub fn ready(&self) -> bool {
        self.editors.is_empty() && (self.idle || self.asking())
    }

    /// Whether a question is open that a line would answer.
    pub fn asking(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether all that was typed is dealt with, and no question is open.
    pub fn idle(&self) -> bool {
        self.idle && self.open.is_empty() && self.editors.is_empty()
    }

    /// A file to open in the user's editor; then [`LineFace::editor_closed`].
    pub fn pending_editor(&self) -> Option<(QuestionId, &Path)> {
        self.editors.front().map(|(id, path)| (*id, path.as_path()))
    }

    /// The editor for the pending file was closed, or could not be run.
    pub fn editor_closed(&mut self, result: Result<(), String>) -> Reading {
        let answer = |(id, _)| given(Input::Answer(id, Answer::Edited(result)));
        self.editors.pop_front().map(answer).unwrap_or_default()
    }

    /// What to print for a notice: whole lines, or nothing.
    pub fn hear(&mut self, notice: &Notice) -> String {
        match notice {
            Notice::TextDelta(_) => String::new(),
            Notice::Text { agent, text } => self.text(agent.as_deref(), text),
            Notice::Again { agent: _, again } => line(&hanging(&words::again(again))),
            Notice::Compacted { agent: None, trigger, tokens_before, tokens_after } => {
                line(&words::compacted(*trigger, *tokens_before, *tokens_after))
            }
            Notice::Compacted { agent: Some(_), .. } => String::new(),
            Notice::Attached { agent, attachment } => self.event(agent.as_deref(), NOTE, &attachment.label()),
            Notice::ToolCalled { agent, tool, argument, id: _, input: _ } => {
                let call = format!("{}({})", flat(tool), shortened(argument));
                self.event(agent.as_deref(), CALL, &call)
            }
            Notice::ToolFinished { agent, tool, content, is_error, scratch, id: _, diff: _ } => {
                let line = first_line(&inert(content), LINE_CHARS);
                let line = if line.is_empty() { words::NO_OUTPUT } else { &line };
                let marker = if *is_error { FAILED } else { DONE };
                let place = if *scratch { words::IN_SCRATCH } else { "" };
                self.event(agent.as_deref(), marker, &format!("{}{place} -> {line}", flat(tool)))
            }
            Notice::ModeChanged { from, to, cause: _ } => line(&words::mode_changed(*from, *to)),
            Notice::Protection(found) => {
                // Told once, and again when it is another.
                let told = self.protection.replace(found.tier) == Some(found.tier);
                if told { String::new() } else { line(&flat(&say::protection_while_planning(found))) }
            }
            Notice::Said(text) | Notice::PlanShown { said: text, .. } => line(&inert(text)),
            Notice::Warning { key: _, text } => line(&format!("warning: {}", hanging(text))),
            Notice::Error { cause, hint } => line(&format!("error: {}\n{}", hanging(cause), indented(hint))),
            Notice::Aside(_, AsideHeard::Answered(text)) => self.text(None, text),
            Notice::Aside(_, AsideHeard::Failed(why)) => line(&flat(why)),
            Notice::Aside(_, AsideHeard::Piece(_) | AsideHeard::Again) => String::new(),
            Notice::Asked(id, question) => self.asked(*id, question),
            Notice::Settled(id) => self.settled(*id),
            Notice::OfferBack(text) => line(&words::offered_back(&flat(text))),
            Notice::Todos(todos) => line(&flat(&words::todos(todos))),
            Notice::Session { session_id, mode } => line(&words::session(session_id, *mode)),
            // What a person reads of these comes with other notices.
            Notice::Answered { .. }
            | Notice::AgentStarted { .. }
            | Notice::Refused { .. }
            | Notice::Plan { .. }
            | Notice::WishSettled(..)
            | Notice::TakenUp
            | Notice::TurnStarted => String::new(),
            Notice::TurnEnded(TurnEnd { outcome, .. }) => {
                words::outcome(outcome).map(|words| line(&hanging(&words))).unwrap_or_default()
            }
            Notice::Idle => {
                self.idle = true;
                String::new()
            }
        }
    }

    /// What an input line means now.
    pub fn read(&mut self, typed: &str) -> Reading {
        let typed = typed.trim_end_matches(['\n', '\r']);
        let mut reading = self.meaning(typed.trim());
        self.idle &= reading.inputs.is_empty();
        if self.options.echo {
            reading.print.insert_str(0, &self.event(None, ECHO, &flat(typed)));
        }
        reading
    }

    /// What the end of input means: open questions get the cautious answer, and the session ends.
    pub fn end(&mut self) -> Reading {
        self.open.clear();
        self.editors.clear();
        self.idle = false;
        Reading { inputs: vec![Input::Close], print: String::new() }
    }

    fn meaning(&mut self, typed: &str) -> Reading {
        if let Some(parsed) = command::parse(typed) {
            return match parsed {
                Ok(command) => given(Input::Command(command)),
                Err(why) => printed(&format!("error: {}", hanging(&why))),
            };
        }
        if let Some(shell) = typed.strip_prefix('!') {
            return match shell.trim() {
                "" => printed(words::NO_SHELL_COMMAND),
                shell => given(Input::Shell(shell.to_owned())),
            };
        }
        match self.open.pop_front() {
            Some((id, asking)) => self.answer(id, asking, typed),
            None if typed.is_empty() => Reading::default(),
            None => given(Input::Prompt(typed.to_owned())),
        }
    }

    fn answer(&mut self, id: QuestionId, mut asking: Asking, typed: &str) -> Reading {
        match asking.answer(typed) {
            Heard::Answer(answer) => Reading { inputs: vec![Input::Answer(id, answer)], print: self.front() },
            Heard::Next => {
                let print = asking.show(&self.editor);
                self.open.push_front((id, asking));
                Reading { inputs: Vec::new(), print }
            }
            Heard::Again(why) => {
                let print = format!("{}{}", line(&flat(&why)), asking.choices(&self.editor));
                self.open.push_front((id, asking));
                Reading { inputs: Vec::new(), print }
            }
        }
    }

    fn asked(&mut self, id: QuestionId, question: &Question) -> String {
        match Asking::new(question) {
            Ok(asking) => {
                self.open.push_back((id, asking));
                if self.open.len() == 1 { self.front() } else { String::new() }
            }
            // No hook was brought here, so none is asked.
            Err(None) => String::new(),
            Err(Some(path)) => {
                self.editors.push_back((id, path.to_owned()));
                line(&flat(&words::opening(path, &self.editor)))
            }
        }
    }

    /// The question that the next line answers.
    fn front(&self) -> String {
        self.open.front().map(|(_, asking)| asking.show(&self.editor)).unwrap_or_default()
    }

    fn settled(&mut self, id: QuestionId) -> String {
        self.editors.retain(|(open, _)| *open != id);
        let was_shown = self.open.front().is_some_and(|(open, _)| *open == id);
        self.open.retain(|(open, _)| *open != id);
        if was_shown { line(words::SETTLED) + &self.front() } else { String::new() }
    }

    /// One line: whose event, marker, words.
    fn event(&self, agent: Option<&str>, (marker, color): Marker, words: &str) -> String {
        let whose = agent.map(|agent| format!("[{}] ", flat(agent))).unwrap_or_default();
        if self.options.color {
            line(&format!("{whose}\x1b[{color}m{marker}\x1b[0m {words}"))
        } else {
            line(&format!("{whose}{marker} {words}"))
        }
    }

    fn text(&self, agent: Option<&str>, text: &str) -> String {
        if text.trim().is_empty() {
            return String::new();
        }
        self.event(agent, TEXT, &hanging(text.trim()))
    }
}

fn given(input: Input) -> Reading {
    Reading { inputs: vec![input], print: String::new() }
}

fn printed(words: &str) -> Reading {
    Reading { inputs: Vec::new(), print: line(words) }
}

fn line(words: &str) -> String {
    format!("{}\n", words.trim_end())
}

/// On one line, and inert.
fn flat(text: &str) -> String {
    inert(text).replace('\n', " ")
}

/// The first line, inert, with a sign if there is more.
fn shortened(text: &str) -> String {
    let text = inert(text);
    let first = first_line(&text, LINE_CHARS);
    if text.trim().lines().count() > 1 && !first.ends_with('…') { format!("{first} …") } else { first }
}

/// Inert, with every line but the first indented.
fn hanging(text: &str) -> String {
    indented(text).trim_start().to_owned()
}

/// Inert, with every line indented.
fn indented(text: &str) -> String {
    let indent = |line: &str| if line.trim().is_empty() { String::new() } else { format!("  {line}") };
    inert(text).trim_end().lines().map(indent).collect::<Vec<_>>().join("\n")
}
