//! Compaction: the conversation becomes a summary by the model, and the plan travels along (plan-mode.md
//! section 14).

use std::sync::Arc;

use futures_util::StreamExt;
use planwright_core::dialogue::Input;
use planwright_core::reply::Delta;
use planwright_core::request::{Message, UserPart};
use planwright_core::transcript::Fact;
use planwright_core::{prompts, say};
use planwright_store::StoreError;

use crate::thread::Thread;
use crate::turn::text_of;

/// Why the conversation was not compacted. It is as it was.
pub(crate) enum NotCompacted {
    /// The user stopped it, or the surface went away.
    Interrupted,
    /// The model gave no summary.
    Failed {
        /// Why.
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

impl NotCompacted {
    fn because(cause: &str) -> Self {
        Self::Failed { cause: cause.to_owned(), hint: say::NOTHING_COMPACTED.to_owned() }
    }
}

impl Thread {
    /// Replaces the conversation by its summary. Every call must have its result. `keep`: what the
    /// summary is to hold above all.
    pub(crate) async fn compact(&mut self, keep: &str) -> Result<(), NotCompacted> {
        let mut request = self.request();
        let ask = UserPart::Text { text: prompts::compact(Some(keep).filter(|keep| !keep.is_empty())) };
        match request.messages.last_mut().map(Arc::make_mut) {
            Some(Message::User(parts)) => parts.push(ask),
            Some(Message::Assistant(_)) | None => request.messages.push(Arc::new(Message::User(vec![ask]))),
        }
        let model = Arc::clone(&self.models.main);
        let mut stream = model.ask(request);
        let reply = loop {
            tokio::select! {
                delta = stream.next() => match delta {
                    Some(Ok(Delta::Done(reply))) => break reply,
                    Some(Ok(Delta::Text(_) | Delta::Waiting(_) | Delta::Again(_))) => {}
                    Some(Err(error)) => {
                        return Err(NotCompacted::Failed { cause: error.to_string(), hint: error.hint().to_owned() });
                    }
                    None => return Err(NotCompacted::because(say::COMPACT_CUT)),
                },
                input = self.inputs.recv() => {
                    self.meanwhile(input.unwrap_or(Input::Close));
                    if self.interrupted {
                        return Err(NotCompacted::Interrupted);
                    }
                }
            }
        };
        let summary = text_of(&reply.blocks).ok_or_else(|| NotCompacted::because(say::COMPACT_EMPTY))?;
        let mut facts = vec![Fact::Compacted { summary, model: model.id(), usage: reply.usage }];
        facts.extend(self.plan_reference());
        Ok(self.record(facts)?)
    }
}
