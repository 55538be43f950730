//! When no answer came, or not a whole one: room is made, another model is asked, or the turn ends
//! with words for the user. Whatever a provider does, what was said is kept, and no half call runs.

use planwright_core::bounds;
use planwright_core::dialogue::{Notice, TurnEnd};
use planwright_core::reply::{Again, Reply, Stop, Usage};
use planwright_core::request::Block;
use planwright_core::transcript::Trigger;
use planwright_core::{prompts, say};
use planwright_model::ModelError;
use planwright_store::StoreError;

use crate::compact::NotCompacted;
use crate::thread::Thread;
use crate::turn::{Stopped, Unanswered};

/// What went wrong in this turn so far.
#[derive(Debug, Default)]
pub(crate) struct Trouble {
    /// Answers in a row that their provider paused.
    pauses: u32,
    /// Answers in a row whose calls were cut at the output limit.
    cut: u32,
    /// The conversation was compacted because it did not fit, and no answer came since.
    room_made: bool,
    /// An automatic compaction failed: it is not tried again in this turn.
    compaction_failed: bool,
}

impl Trouble {
    /// The last answer was paused: the same conversation goes out again, and nothing comes between.
    pub(crate) const fn paused(&self) -> bool {
        self.pauses > 0
    }

    /// A whole answer came.
    pub(crate) const fn over(&mut self) {
        self.pauses = 0;
        self.room_made = false;
    }

    /// The calls of an answer were cut at its limit, and did not run. A model that does so again and again
    /// will not stop by itself.
    pub(crate) fn cut(&mut self) -> Result<(), Stopped> {
        self.cut += 1;
        if self.cut >= bounds::CUT_ANSWERS {
            return Err(failed(say::CUT_TOO_OFTEN, say::CUT_TOO_OFTEN_HINT));
        }
        Ok(())
    }

    /// A call ran.
    pub(crate) const fn ran(&mut self) {
        self.cut = 0;
    }

    /// The provider paused an answer.
    pub(crate) fn pause(&mut self) -> Result<(), Stopped> {
        self.pauses += 1;
        if self.pauses > bounds::PAUSES {
            return Err(failed(say::PAUSED_TOO_OFTEN, say::ANSWER_CUT_HINT));
        }
        Ok(())
    }
}

fn failed(cause: &str, hint: &str) -> Stopped {
    Stopped::Failed { cause: cause.to_owned(), hint: hint.to_owned() }
}

fn failed_by(error: &ModelError) -> Stopped {
    match error {
        ModelError::Cut => failed(say::ANSWER_CUT, say::ANSWER_CUT_HINT),
        ModelError::Script { .. }
        | ModelError::Provider { .. }
        | ModelError::ContextFull { .. }
        | ModelError::Unreachable { .. }
        | ModelError::Stalled { .. }
        | ModelError::Malformed { .. }
        | ModelError::NoKey { .. }
        | ModelError::KeyCommand { .. } => failed(&error.cause(), error.hint()),
    }
}

impl Thread {
    /// Compacts the conversation before it outgrows the model's window. One that fails is told, and
    /// the turn goes on as long as the model takes it.
    pub(crate) async fn make_room(&mut self, trouble: &mut Trouble) -> Result<(), Stopped> {
        if trouble.compaction_failed || !self.compaction_due() {
            return Ok(());
        }
        self.compact_by_itself(trouble, false).await.map(drop)
    }

    /// Yields whether it was compacted.
    async fn compact_by_itself(&mut self, trouble: &mut Trouble, full: bool) -> Result<bool, Stopped> {
        match self.compact(Trigger::Auto, "", full).await {
            Ok(()) => {
                trouble.pauses = 0;
                Ok(true)
            }
            Err(NotCompacted::Interrupted) => Err(Stopped::Interrupted),
            Err(NotCompacted::Store(error)) => Err(error.into()),
            Err(NotCompacted::Failed { cause, hint: _ }) => {
                trouble.compaction_failed = true;
                self.say(Notice::Warning { key: "compaction", text: say::not_compacted(&cause) });
                Ok(false)
            }
        }
    }

    /// The model says that the conversation does not fit: it is compacted once, and the model asked
    /// once more.
    pub(crate) async fn outgrown(&mut self, trouble: &mut Trouble, error: &ModelError) -> Result<(), Stopped> {
        let may = self.setup.settings.compact.auto && !trouble.room_made && self.state.tally().answered_before();
        trouble.room_made = true;
        if may && self.compact_by_itself(trouble, true).await? { Ok(()) } else { Err(failed_by(error)) }
    }

    /// No whole answer came. Yields if the turn goes on with another request.
    pub(crate) async fn unanswered(
        &mut self,
        trouble: &mut Trouble,
        what: Unanswered,
        end: &mut TurnEnd,
    ) -> Result<(), Stopped> {
        let Unanswered { model, text, why } = what;
        let Some(error) = why else {
            self.keep(text, model, end)?;
            return Err(Stopped::Interrupted);
        };
        if let ModelError::ContextFull { .. } = &error {
            self.keep(text, model, end)?;
            return self.outgrown(trouble, &error).await;
        }
        let fallback = self.models.fallback.as_ref().filter(|_| !self.fallen_back && error.retryable());
        let Some(fallback) = fallback.map(|fallback| fallback.id()).filter(|fallback| *fallback != model) else {
            self.keep(text, model, end)?;
            return Err(failed_by(&error));
        };
        self.fallen_back = true;
        if !text.is_empty() {
            let again = Again { attempt: 2, of: 2, after_ms: 0, cause: error.cause() };
            self.say(Notice::Again { agent: self.agent_id(), again });
        }
        self.say(Notice::Warning { key: "fallback", text: say::falls_back(&error.cause(), &fallback) });
        Ok(())
    }

    /// What arrived of an answer that broke off: its text, and no calls.
    fn keep(&mut self, text: String, model: String, end: &mut TurnEnd) -> Result<(), StoreError> {
        if text.is_empty() {
            return Ok(());
        }
        end.text.clone_from(&text);
        let reply = Reply { blocks: vec![Block::Text { text }], stop: Stop::Cut, usage: Usage::default() };
        self.answered(&reply, model)
    }

    /// The model refused to answer: nothing of the answer runs.
    pub(crate) fn refused_by_model(&mut self) -> Result<Stopped, StoreError> {
        self.close_with(&prompts::interrupted())?;
        Ok(failed(say::MODEL_REFUSED, say::MODEL_REFUSED_HINT))
    }
}
