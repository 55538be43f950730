//! The whole face: who gets a key, what is seen, and what somebody must do. Pure: what the terminal
//! sends, what the session says and the time go in; rows and acts come out.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use planwright_core::command::{Command, PlanCommand};
use planwright_core::dialogue::{Answer, Input, Notice, PlanChoice, Question, QuestionId};
use planwright_core::mode::Mode;

use super::ask::Dialog;
use super::conversation::Conversation;
use super::desk::Desk;
use super::input::{InputLine, Typed};
use super::keys::{Code, Key, Sent};
use super::markdown::Highlight;
use super::part::{Act, Heard};
use super::screen::Size;
use super::scroll::{Scroll, Step};
use super::theme::Theme;
use super::transcript::Transcript;
use crate::words;

mod draw;

/// How long a question must have stood, and nobody typed, before keys are for it: what was on its way
/// when it came up is not an answer.
pub const ARMING: Duration = Duration::from_millis(300);
/// How soon a second Ctrl+C or Ctrl+D must come to leave.
const TWICE: Duration = Duration::from_millis(1_000);

/// How the face is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Its colours.
    pub theme: Theme,
    /// Whether things may move by themselves.
    pub motion: bool,
    /// Whether the conversation stands on the alternate screen, with a scroll of its own, rather than in
    /// the terminal's scrollback.
    pub alternate: bool,
}

/// A plan on the desk, and the question it is.
struct Review {
    /// `None`: it asks nothing, it is only read.
    id: Option<QuestionId>,
    desk: Desk,
    /// The plan went back with what was said of it: that is said, and does not lie on the next one.
    sent_back: bool,
}

/// The face.
pub struct Face {
    options: Options,
    code: Box<dyn Highlight>,
    conversation: Conversation,
    input: InputLine,
    mode: Mode,
    dialogs: VecDeque<Dialog>,
    review: Option<Review>,
    /// A desk whose answer was given: the same plan may come back (edited, or changed on disk).
    parked: Option<Desk>,
    /// The text that the user last decided about.
    reviewed: Option<String>,
    transcript: Option<Transcript>,
    /// On the alternate screen: where the reader is; `None` at the end, which is followed.
    back: Option<Scroll>,
    /// What was last seen of it.
    seen: Scroll,
    /// What was said while the model worked, and waits until it is done.
    queue: VecDeque<Input>,
    idle: bool,
    todos_shown: bool,
    focused: bool,
    /// The window's title says that somebody should look.
    titled: bool,
    /// When the question in front was first on the screen; `None`: it was not yet.
    shown: Option<Duration>,
    /// When a key last went into the input line.
    typed: Duration,
    /// A key that leaves if it comes again soon.
    leaving: Option<(Key, Duration)>,
    /// Something to say once, below the input line.
    hint: Option<String>,
    columns: usize,
}

impl Face {
    /// A face. `code` colours code.
    pub fn new(options: Options, code: Box<dyn Highlight>) -> Self {
        Self {
            options,
            code,
            conversation: Conversation::default(),
            input: InputLine::default(),
            mode: Mode::Default,
            dialogs: VecDeque::new(),
            review: None,
            parked: None,
            reviewed: None,
            transcript: None,
            back: None,
            seen: Scroll::default(),
            queue: VecDeque::new(),
            idle: false,
            todos_shown: true,
            focused: true,
            titled: false,
            shown: None,
            typed: Duration::ZERO,
            leaving: None,
            hint: None,
            columns: 80,
        }
    }

    /// The input line, to fill its history and its files.
    pub const fn input_line(&mut self) -> &mut InputLine {
        &mut self.input
    }

    /// The mode that is shown: the one that the session last said.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Deals with what the session says.
    pub fn hear(&mut self, notice: &Notice, now: Duration) -> Vec<Act> {
        self.conversation.hear(notice, now);
        match notice {
            Notice::Session { mode, .. } | Notice::ModeChanged { to: mode, .. } => {
                self.mode = *mode;
                Vec::new()
            }
            Notice::Asked(id, question) => self.asked(*id, question),
            Notice::PlanShown { path, plan, .. } => {
                self.read_plan(path, plan);
                Vec::new()
            }
            Notice::Settled(id) => {
                let front = self.dialogs.front().map(|dialog| dialog.id);
                self.dialogs.retain(|dialog| dialog.id != *id);
                if front == Some(*id) {
                    self.shown = None;
                }
                if let Some(review) = self.review.take_if(|review| review.id == Some(*id)) {
                    self.parked = (!review.sent_back).then_some(review.desk);
                    // What the desk covered is new to the reader.
                    self.shown = None;
                }
                Vec::new()
            }
            Notice::Aside(id, heard) => {
                if let Some(review) = self.review.as_mut().filter(|review| review.id == Some(*id)) {
                    review.desk.hear(heard);
                }
                Vec::new()
            }
            Notice::OfferBack(text) => {
                self.input.give_back(text);
                Vec::new()
            }
            Notice::TakenUp | Notice::TurnStarted => {
                self.idle = false;
                Vec::new()
            }
            Notice::TurnEnded(_) => {
                self.parked = None;
                self.notify(words::TURN_ENDED)
            }
            Notice::Idle => {
                self.idle = true;
                self.next_queued()
            }
            // The conversation shows these; nobody must do anything.
            Notice::TextDelta(_)
            | Notice::Text { .. }
            | Notice::Again { .. }
            | Notice::Attached { .. }
            | Notice::ToolCalled { .. }
            | Notice::ToolFinished { .. }
            | Notice::Protection(_)
            | Notice::Said(_)
            | Notice::Warning { .. }
            | Notice::Error { .. }
            | Notice::Todos(_)
            | Notice::Answered { .. }
            | Notice::Compacted { .. }
            | Notice::AgentStarted { .. }
            | Notice::Refused { .. }
            | Notice::Plan { .. }
            | Notice::WishSettled(..) => Vec::new(),
        }
    }

    /// Tells a person who looks elsewhere.
    fn notify(&mut self, text: &str) -> Vec<Act> {
        if self.focused {
            return Vec::new();
        }
        self.titled = true;
        vec![Act::Notify(text.to_owned()), Act::Title(text.to_owned())]
    }

    /// Lays a plan on the desk that asks nothing.
    fn read_plan(&mut self, path: &Path, plan: &str) {
        if self.review.is_none() {
            let question = words::plan_to_read(path, plan);
            self.review =
                Some(Review { id: None, desk: Desk::new(question, self.reviewed.as_deref()), sent_back: false });
            self.shown = None;
        }
    }

    /// Takes a plan off the desk that was only read. Comments on it are words that nobody lost.
    fn close_reading(&mut self) {
        if let Some(review) = self.review.take_if(|review| review.id.is_none()) {
            let comments = review.desk.remarks();
            if !comments.is_empty() {
                self.input.give_back(&comments);
            }
        }
    }

    fn asked(&mut self, id: QuestionId, question: &Question) -> Vec<Act> {
        self.transcript = None;
        self.close_reading();
        match question {
            // Nobody asked to be asked this.
            Question::Hook(_) => return vec![Act::Say(Input::Answer(id, Answer::Dismissed))],
            Question::Editor(path) => return vec![Act::EditFile(id, path.clone())],
            Question::Plan(question) => {
                let desk = match self.parked.take() {
                    Some(mut desk) if desk.question().path == question.path => {
                        desk.renew(question.clone());
                        desk
                    }
                    Some(_) | None => Desk::new(question.clone(), self.reviewed.as_deref()),
                };
                self.review = Some(Review { id: Some(id), desk, sent_back: false });
                self.shown = None;
            }
            Question::Permission(_) | Question::EnterPlan | Question::User(_) => {
                if self.dialogs.is_empty() && self.review.is_none() {
                    self.shown = None;
                }
                self.dialogs.extend(Dialog::new(id, question));
            }
        }
        self.notify(words::ASKED)
    }

    /// A frame is on a screen of this size: from now on a question in front can be read, if nothing covers it
    /// and its choices have room.
    pub fn frame_shown(&mut self, size: Size, now: Duration) {
        if self.transcript.is_none() && self.choices_seen(size) {
            self.shown.get_or_insert(now);
        } else {
            self.shown = None;
        }
    }

    fn next_queued(&mut self) -> Vec<Act> {
        match self.queue.pop_front() {
            Some(input) => {
                self.show_said(&input);
                self.idle = false;
                vec![Act::Say(input)]
            }
            None => Vec::new(),
        }
    }

    /// Several keys came at once. Words among them were typed or pasted without looking, so a question in
    /// front takes none of them: they go to the input line.
    pub fn brace(&mut self, sent: &[Sent], now: Duration) {
        let typed = |sent: &Sent| match sent {
            Sent::Key(key) => key.typed(),
            Sent::Paste(_) | Sent::Focus(_) | Sent::Background { .. } => None,
        };
        // A key that is held is one letter, many times.
        let mut letters = sent.iter().filter_map(typed);
        let several = letters.next().is_some_and(|first| letters.any(|letter| letter != first));
        let enter = sent.iter().any(|sent| matches!(sent, Sent::Key(Key { code: Code::Enter, .. })));
        let desk = self.review.is_some();
        let chooses = |letter| matches!(letter, '1'..='9') || (matches!(letter, 'y' | 'n') && !desk);
        let choice = sent.iter().filter_map(typed).any(chooses);
        let words = (several && (choice || enter)) || (enter && sent.iter().any(|sent| typed(sent).is_some()));
        let typing = match (&self.review, self.dialogs.front()) {
            (Some(review), _) => review.desk.typing(),
            (None, Some(dialog)) => dialog.typing(),
            (None, None) => true,
        };
        if !typing && words {
            self.typed = now;
        }
    }

    /// Deals with what the terminal sent.
    pub fn sent(&mut self, sent: Sent, now: Duration) -> Vec<Act> {
        match sent {
            Sent::Key(key) => self.key(key, now),
            Sent::Paste(text) => {
                self.paste(&text, now);
                Vec::new()
            }
            Sent::Focus(focused) => {
                self.focused = focused;
                if focused && std::mem::take(&mut self.titled) {
                    return vec![Act::Title(words::TITLE.to_owned())];
                }
                Vec::new()
            }
            Sent::Background { dark } => {
                if self.options.theme != Theme::Plain {
                    self.options.theme = if dark { Theme::Dark } else { Theme::Light };
                }
                Vec::new()
            }
        }
    }

    fn paste(&mut self, text: &str, now: Duration) {
        let waits = self.waits(now);
        if let Some(review) = self.review.as_mut().filter(|review| review.desk.typing() && !waits) {
            return review.desk.paste(text);
        }
        if let Some(dialog) = self.dialogs.front_mut().filter(|dialog| dialog.typing()) {
            return dialog.paste(text);
        }
        self.typed = now;
        self.input.paste(text);
    }

    fn key(&mut self, key: Key, now: Duration) -> Vec<Act> {
        self.hint = None;
        let leaving = self.leaving.take().filter(|(before, at)| *before == key && now < *at + TWICE);
        if key == Key::ctrl('l') {
            return vec![Act::Redraw];
        }
        if key == Key::ctrl('z') {
            return vec![Act::Suspend];
        }
        if let Some(transcript) = &mut self.transcript {
            if !transcript.key(key, self.conversation.items()) {
                self.transcript = None;
            }
            return Vec::new();
        }
        if let Some(acts) = self.review_key(key, now) {
            return acts;
        }
        if key == Key::shift(Code::Tab) {
            return vec![Act::Say(Input::CycleMode)];
        }
        if let Some(acts) = self.dialog_key(key, now) {
            return acts;
        }
        self.main_key(key, now, leaving.is_some())
    }

    /// A key for the desk; `None` if it is for somebody else.
    fn review_key(&mut self, key: Key, now: Duration) -> Option<Vec<Act>> {
        let waits = self.waits(now);
        let review = self.review.as_mut()?;
        if waits {
            return None;
        }
        if key == Key::ctrl('c') {
            // What was said of the plan was not sent: it is the user's next message, if they send it.
            let remarks = review.desk.remarks();
            if review.id.is_some() && !remarks.is_empty() && !std::mem::replace(&mut review.sent_back, true) {
                self.input.give_back(&remarks);
            }
            return Some(vec![Act::Say(Input::Interrupt)]);
        }
        let id = review.id;
        match (review.desk.key(key), id) {
            // On the desk a key that means nothing is not typed blindly into a line nobody sees.
            (Heard::Ignored | Heard::Taken, _) => Some(Vec::new()),
            (Heard::Answer(answer), None) => Some(self.read(answer)),
            (Heard::Answer(answer), Some(id)) => {
                review.sent_back = matches!(answer, Answer::Plan { choice: Some(PlanChoice::KeepPlanning), .. });
                if !matches!(answer, Answer::Plan { choice: Some(PlanChoice::Edit), .. }) {
                    self.reviewed = Some(review.desk.question().plan.clone());
                }
                Some(vec![Act::Say(Input::Answer(id, answer))])
            }
            // Where nothing waits it is a message like any other.
            (Heard::Ask(question), None) => Some(self.read(Answer::keep_planning(question, words::BY_USER))),
            (Heard::Ask(question), Some(id)) => {
                self.conversation.user_said(&question);
                Some(vec![Act::Say(Input::AskAside(id, question))])
            }
            (Heard::Act(act), _) => Some(vec![act]),
        }
    }

    /// A plan was read, and this was chosen: words about it are the user's next message, if they send it.
    fn read(&mut self, answer: Answer) -> Vec<Act> {
        let review = self.review.take();
        self.shown = None;
        let Answer::Plan { choice, feedback, .. } = answer else { return Vec::new() };
        if choice == Some(PlanChoice::Edit) {
            self.review = review;
            self.close_reading();
            return self.say(Input::Command(Command::Plan(PlanCommand::Open)));
        }
        if !feedback.is_empty() {
            self.input.give_back(&feedback);
        }
        Vec::new()
    }

    /// A key for the dialog in front; `None` if it is for somebody else.
    fn dialog_key(&mut self, key: Key, now: Duration) -> Option<Vec<Act>> {
        let waits = self.waits(now);
        let dialog = self.dialogs.front_mut()?;
        if waits || key == Key::ctrl('c') {
            return None;
        }
        let id = dialog.id;
        match dialog.key(key) {
            Heard::Ignored => None,
            Heard::Taken | Heard::Ask(_) => Some(Vec::new()),
            Heard::Answer(answer) => {
                self.dialogs.pop_front();
                self.shown = None;
                Some(vec![Act::Say(Input::Answer(id, answer))])
            }
            Heard::Act(act) => Some(vec![act]),
        }
    }

    /// A key that is for nobody in front.
    fn main_key(&mut self, key: Key, now: Duration, again: bool) -> Vec<Act> {
        match key {
            key if key == Key::ctrl('o') => self.transcript = Some(Transcript::new()),
            Key { code: Code::PageUp, .. } if self.options.alternate => self.look_back(Step::Pages(-1)),
            Key { code: Code::PageDown, .. } if self.options.alternate => self.look_back(Step::Pages(1)),
            Key { code: Code::Home, ctrl: true, .. } if self.options.alternate => self.back = Some(Scroll::default()),
            Key { code: Code::End, ctrl: true, .. } if self.options.alternate => self.back = None,
            key if key == Key::ctrl('t') => self.todos_shown = !self.todos_shown,
            key if key == Key::ctrl('g') && !self.input.busy() => return vec![Act::EditText(self.input.text())],
            key if key == Key::ctrl('c') => return self.interrupt(key, now, again),
            key if key == Key::ctrl('d') && self.input.is_empty() => return self.leave(key, now, again),
            Key { code: Code::Esc, .. } if !self.input.busy() => {
                if self.conversation.working() {
                    return vec![Act::Say(Input::Interrupt)];
                }
                if again {
                    self.input.clear();
                } else if !self.input.is_empty() {
                    self.leaving = Some((key, now));
                    self.hint = Some(words::ESC_AGAIN.to_owned());
                }
            }
            Key { code: Code::Up, .. } if self.input.is_empty() && !self.queue.is_empty() => self.take_queue_back(),
            key => return self.typed_key(key, now),
        }
        Vec::new()
    }

    fn look_back(&mut self, step: Step) {
        // Down from the end goes nowhere.
        if self.back.is_some() || step == Step::Pages(-1) {
            let mut place = self.back.unwrap_or(self.seen);
            place.step(step);
            self.back = Some(place);
        }
    }

    fn interrupt(&mut self, key: Key, now: Duration, again: bool) -> Vec<Act> {
        if self.conversation.working() || !self.dialogs.is_empty() {
            return vec![Act::Say(Input::Interrupt)];
        }
        if !self.input.is_empty() {
            self.input.clear();
            return Vec::new();
        }
        self.leave(key, now, again)
    }

    fn leave(&mut self, key: Key, now: Duration, again: bool) -> Vec<Act> {
        if again {
            return vec![Act::Leave];
        }
        self.leaving = Some((key, now));
        self.hint = Some(words::LEAVE_AGAIN.to_owned());
        Vec::new()
    }

    fn take_queue_back(&mut self) {
        let texts: Vec<_> = self.queue.drain(..).map(|input| said(&input)).collect();
        self.input.give_back(&texts.join("\n"));
    }

    fn typed_key(&mut self, key: Key, now: Duration) -> Vec<Act> {
        self.typed = now;
        match self.input.key(key, self.columns.saturating_sub(2)) {
            Typed::Ignored | Typed::Taken => Vec::new(),
            Typed::Wrong(why) => {
                self.hint = Some(why);
                Vec::new()
            }
            Typed::Done(text, input) => {
                let mut acts = vec![Act::Remember(text)];
                acts.extend(self.say(input));
                acts
            }
        }
    }

    /// Says something to the session: at once if it is for now, else when the model is done.
    pub fn say(&mut self, input: Input) -> Vec<Act> {
        let at_once = match &input {
            Input::Command(Command::Mode(_) | Command::Exit) => true,
            Input::Command(Command::Plan(plan)) => !matches!(plan, PlanCommand::Describe(_)),
            Input::CycleMode | Input::Answer(..) | Input::AskAside(..) | Input::StopAside => true,
            Input::Wish(..) | Input::Interrupt | Input::Gone | Input::Close => true,
            Input::Prompt(_) | Input::Shell(_) | Input::Command(_) => false,
        };
        if at_once || self.idle {
            self.show_said(&input);
            // A command may end at once; the session says when it is idle again.
            self.idle = false;
            return vec![Act::Say(input)];
        }
        self.queue.push_back(input);
        Vec::new()
    }

    fn show_said(&mut self, input: &Input) {
        let text = said(input);
        if !text.is_empty() {
            self.conversation.user_said(&text);
        }
    }

    /// The user's editor for a file is closed.
    pub fn editor_closed(&self, id: QuestionId, result: Result<(), String>) -> Vec<Act> {
        vec![Act::Say(Input::Answer(id, Answer::Edited(result)))]
    }

    /// The prompt as the user's editor left it.
    pub fn text_edited(&mut self, result: Result<String, String>) {
        match result {
            Ok(text) => self.input.set(text.trim_end_matches('\n')),
            Err(why) => self.hint = Some(words::editor_failed(&why)),
        }
    }

    /// When something looks different by itself. `None`: nothing moves. While somebody is asked, nothing does.
    pub fn next_tick(&self, now: Duration) -> Option<Duration> {
        if self.transcript.is_some() {
            return None;
        }
        if self.asks() {
            return self.armed().filter(|armed| *armed > now);
        }
        self.conversation.next_tick(now, self.options.motion)
    }

    /// Whether a question is in front.
    fn asks(&self) -> bool {
        self.review.is_some() || !self.dialogs.is_empty()
    }

    /// From when on keys are for the question in front: it was seen for a while, and the hands rested. What
    /// is typed into the input line goes on there until then.
    fn armed(&self) -> Option<Duration> {
        self.shown.map(|shown| shown.max(self.typed) + ARMING)
    }

    /// Whether there is a question in front, and keys are not for it yet.
    fn waits(&self, now: Duration) -> bool {
        self.asks() && self.armed().is_none_or(|armed| now < armed)
    }
}

/// What the user said, as they typed it.
fn said(input: &Input) -> String {
    match input {
        Input::Prompt(text) => text.clone(),
        Input::Shell(command) => format!("!{command}"),
        Input::Command(command) => words::command(command),
        Input::CycleMode | Input::Answer(..) | Input::AskAside(..) | Input::StopAside => String::new(),
        Input::Wish(..) | Input::Interrupt | Input::Gone | Input::Close => String::new(),
    }
}
