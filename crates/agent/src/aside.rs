//! Questions about a plan that waits: each is a request of its own beside the conversation. It offers what
//! the conversation offers, so that what was sent before is sent again, but no call in its answer is run.

use std::collections::VecDeque;

use futures_util::StreamExt;
use planwright_core::dialogue::{AsideHeard, Notice, QuestionId};
use planwright_core::plan::{Aside, asked_aside};
use planwright_core::reply::{Delta, Reply, Stop, Usage};
use planwright_core::request::Request;
use planwright_core::say;
use planwright_core::transcript::Fact;
use planwright_model::{ModelError, ReplyStream};

use crate::thread::Thread;
use crate::turn::text_of;

/// The questions about one plan: one is being answered, the others wait.
pub(crate) struct Asides {
    about: QuestionId,
    running: Option<Running>,
    waiting: VecDeque<String>,
}

/// A question that is being answered.
struct Running {
    question: String,
    model: String,
    stream: ReplyStream,
    text: String,
}

/// What the model said of a question.
pub(crate) type Said = Option<Result<Delta, ModelError>>;

impl Asides {
    /// Nothing was asked yet.
    pub(crate) const fn new(about: QuestionId) -> Self {
        Self { about, running: None, waiting: VecDeque::new() }
    }

    /// Whether the model is answering.
    pub(crate) const fn running(&self) -> bool {
        self.running.is_some()
    }

    /// What the model says next; never, while it answers nothing.
    pub(crate) async fn next(&mut self) -> Said {
        match &mut self.running {
            Some(running) => running.stream.next().await,
            None => std::future::pending().await,
        }
    }
}

impl Thread {
    /// Asks at once, or behind the question that is being answered.
    pub(crate) fn ask_aside(&mut self, asides: &mut Asides, question: String) {
        if asides.running() {
            return asides.waiting.push_back(question);
        }
        let model = self.model();
        let before = self.state.plan().pending().map(|pending| pending.asides.as_slice()).unwrap_or_default();
        let messages = asked_aside(self.state.messages(), self.state.open_calls(), before, &question);
        let stream = model.ask(Request { messages, ..self.request() });
        asides.running = Some(Running { question, model: model.id(), stream, text: String::new() });
    }

    /// Deals with what the model says.
    pub(crate) fn aside_said(&mut self, asides: &mut Asides, said: Said) {
        let Some(running) = &mut asides.running else { return };
        match said {
            Some(Ok(Delta::Text(more))) => {
                running.text += &more;
                self.say(Notice::Aside(asides.about, AsideHeard::Piece(more)));
            }
            Some(Ok(Delta::Again(_))) => {
                running.text.clear();
                self.say(Notice::Aside(asides.about, AsideHeard::Again));
            }
            Some(Ok(Delta::Waiting(why))) => self.say(Notice::Warning { key: "waiting", text: why }),
            Some(Ok(Delta::Done(reply))) => {
                let text = text_of(&reply.blocks);
                let heard = match &text {
                    Some(text) => AsideHeard::Answered(text.clone()),
                    None => AsideHeard::Failed(say::ASIDE_WITHOUT_WORDS.to_owned()),
                };
                self.aside_over(asides, reply, text.unwrap_or_default(), heard);
            }
            Some(Err(error)) => {
                if let ModelError::Script { .. } = &error {
                    let _ = self.script_failed.set(error.to_string());
                }
                self.aside_cut(asides, error.to_string());
            }
            None => self.aside_cut(asides, say::ANSWER_CUT.to_owned()),
        }
    }

    /// The user wants no answer any more, nor those to the questions behind it.
    pub(crate) fn stop_aside(&mut self, asides: &mut Asides) {
        let waiting = std::mem::take(&mut asides.waiting);
        self.aside_cut(asides, say::ASIDE_STOPPED.to_owned());
        for _ in waiting {
            self.say(Notice::Aside(asides.about, AsideHeard::Failed(say::ASIDE_STOPPED.to_owned())));
        }
    }

    /// The plan is decided: what arrived of an answer is kept.
    pub(crate) fn end_asides(&mut self, mut asides: Asides) {
        self.stop_aside(&mut asides);
    }

    /// What arrived of an answer that did not come whole.
    fn aside_cut(&mut self, asides: &mut Asides, why: String) {
        let Some(text) = asides.running.as_mut().map(|running| std::mem::take(&mut running.text)) else { return };
        let cut = Reply { blocks: Vec::new(), stop: Stop::Cut, usage: Usage::default() };
        self.aside_over(asides, cut, text, AsideHeard::Failed(why));
    }

    /// Writes down what was said, if anything was or it cost something; and goes on with the next question.
    fn aside_over(&mut self, asides: &mut Asides, reply: Reply, answer: String, heard: AsideHeard) {
        let Some(Running { question, model, .. }) = asides.running.take() else { return };
        let revision = self.state.plan().revision();
        let Reply { stop, usage, .. } = reply;
        if stop != Stop::Cut || !answer.is_empty() {
            self.record_or_warn(vec![Fact::Aside(Aside { revision, question, answer, stop, model, usage })]);
        }
        self.say(Notice::Aside(asides.about, heard));
        if let Some(next) = asides.waiting.pop_front() {
            self.ask_aside(asides, next);
        }
    }
}
