//! The hand-off: with what conversation and model the work by an approved plan begins.

use planwright_core::dialogue::Notice;
use planwright_core::plan::Context;
use planwright_core::transcript::{Fact, Trigger};
use planwright_core::{prompts, say};

use crate::compact::NotCompacted;
use crate::thread::Thread;
use crate::turn::Stopped;

impl Thread {
    /// Does with the conversation what was chosen with the approval, before the model is asked again. What
    /// is due is read from the log, so that a session cut off in between does it when it goes on.
    pub(crate) async fn hand_over(&mut self) -> Result<(), Stopped> {
        match self.state.hand_over() {
            None | Some((Context::Keep, _)) => Ok(()),
            Some((Context::Fresh, result)) => {
                let text = prompts::handed_over(result);
                self.record(vec![Fact::HandedOver { text }])?;
                self.say(Notice::Said(say::HANDED_OVER.to_owned()));
                Ok(())
            }
            Some((Context::Compact, _)) => match self.compact(Trigger::Manual, say::KEEP_FOR_THE_WORK, false).await {
                Ok(()) => {
                    let notes = self.state.plan().submission.as_ref().and_then(|approved| approved.notes.as_deref());
                    let notes = notes.map(|notes| Fact::Reminder { text: prompts::approval_notes_again(notes) });
                    self.record(notes.into_iter().collect())?;
                    Ok(())
                }
                Err(NotCompacted::Interrupted) => Err(Stopped::Interrupted),
                Err(NotCompacted::Store(error)) => Err(error.into()),
                // The work does not depend on it.
                Err(NotCompacted::Failed { cause, hint }) => {
                    self.say(Notice::Error { cause, hint });
                    Ok(())
                }
            },
        }
    }
}
