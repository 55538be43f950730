//! Compaction: the conversation becomes a summary by the model, and what must not be lost travels
//! along (plan-mode.md section 14).
//!
//! It happens between two answers only, when every call has its result. What goes wrong with it
//! changes nothing: the conversation stays as it is.

use std::sync::Arc;

use planwright_core::bounds;
use planwright_core::context::{self, Window};
use planwright_core::dialogue::Notice;
use planwright_core::reply::{Reply, Stop};
use planwright_core::request::{Message, Request, UserPart};
use planwright_core::transcript::{Fact, Trigger};
use planwright_core::{prompts, say};
use planwright_model::{Model, ModelError};
use planwright_store::StoreError;

use crate::thread::Thread;
use crate::turn::{Unanswered, text_of};

/// Why the conversation was not compacted.
pub(crate) enum NotCompacted {
    /// The user stopped it, or the surface went away.
    Interrupted,
    /// The model gave no summary.
    Failed {
        /// Why, as a sentence without its full stop.
        cause: String,
        /// What to do.
        hint: String,
    },
    /// The log cannot be written.
    Store(StoreError),
}

impl From<StoreError> for NotCompacted {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ModelError> for NotCompacted {
    fn from(error: ModelError) -> Self {
        Self::Failed { cause: error.cause(), hint: error.hint().to_owned() }
    }
}

impl NotCompacted {
    fn because(cause: &str) -> Self {
        Self::Failed { cause: cause.to_owned(), hint: say::NOTHING_COMPACTED.to_owned() }
    }
}

impl Thread {
    /// Whether the conversation must be made smaller before the next request.
    pub(crate) fn compaction_due(&self) -> bool {
        let window = Window::of(&self.model().abilities());
        self.setup.settings.compact.auto && window.compaction_due(self.state.tally(), self.head_bytes)
    }

    /// Replaces the conversation by its summary. `full`: the model has refused it for its length. Then,
    /// and where it is known not to fit, the summary is asked for from a shortened one; and once more
    /// so if the model says that the whole does not fit.
    pub(crate) async fn compact(&mut self, trigger: Trigger, keep: &str, full: bool) -> Result<(), NotCompacted> {
        let before = *self.state.tally();
        let tokens_before = before.tokens(self.head_bytes);
        let model = self.model();
        let full = full || tokens_before >= Window::of(&model.abilities()).tokens;
        let reply = match self.summary(&model, keep, full).await? {
            Ok(Reply { stop: Stop::ContextFull, .. }) | Err(ModelError::ContextFull { .. }) if !full => {
                self.summary(&model, keep, true).await?
            }
            other => other,
        }?;
        match reply.stop {
            Stop::EndTurn | Stop::ToolUse | Stop::MaxTokens | Stop::Paused => {}
            Stop::Refusal => return Err(NotCompacted::because(say::COMPACT_REFUSED)),
            Stop::ContextFull => return Err(NotCompacted::because(say::COMPACT_FULL)),
            Stop::Cut => return Err(ModelError::Cut.into()),
        }
        let summary = text_of(&reply.blocks).ok_or_else(|| NotCompacted::because(say::COMPACT_EMPTY))?;
        let carried_over = self.state.carried_over().map(|attachment| Fact::Attachment { attachment });
        let mut facts =
            vec![Fact::Compacted { summary, model: model.id(), usage: reply.usage, trigger, tokens_before }];
        facts.extend(self.plan_reference());
        facts.extend(carried_over);
        self.record(facts)?;
        let tokens_after = self.state.tally().tokens_instead_of(&before, self.head_bytes);
        self.say(Notice::Compacted { agent: self.agent_id(), trigger, tokens_before, tokens_after });
        Ok(())
    }

    /// The model's answer to the request for a summary.
    async fn summary(
        &mut self,
        model: &Arc<dyn Model>,
        keep: &str,
        shortened: bool,
    ) -> Result<Result<Reply, ModelError>, NotCompacted> {
        let request = self.summary_request(keep, shortened);
        match self.listen(model, request, false).await {
            Ok(reply) => Ok(Ok(reply)),
            Err(Unanswered { why: Some(error), .. }) => Ok(Err(error)),
            Err(Unanswered { why: None, .. }) => Err(NotCompacted::Interrupted),
        }
    }

    fn summary_request(&self, keep: &str, shortened: bool) -> Request {
        let mut request = self.request();
        if shortened {
            // How the model counts is not known, only that this was too much for it.
            let room = Window::of(&self.model().abilities()).full_at.saturating_mul(bounds::BYTES_PER_TOKEN);
            let most = self.state.tally().bytes().min(room.saturating_sub(self.head_bytes));
            request.messages = context::shortened(&request.messages, most / 2);
        }
        let ask = UserPart::Text { text: prompts::compact(Some(keep).filter(|keep| !keep.is_empty())) };
        match request.messages.last_mut().map(Arc::make_mut) {
            Some(Message::User(parts)) => parts.push(ask),
            Some(Message::Assistant(_)) | None => request.messages.push(Arc::new(Message::User(vec![ask]))),
        }
        request
    }
}
