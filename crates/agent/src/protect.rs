//! What protects the user here: found out, written down, told; and what commands showed behind it.

use std::sync::atomic::Ordering;

use planwright_core::call::{self, Call};
use planwright_core::command::ScratchCommand;
use planwright_core::dialogue::Notice;
use planwright_core::permit::Walls;
use planwright_core::plan::Evidence;
use planwright_core::protection::Protection;
use planwright_core::say;
use planwright_core::state::OpenCall;
use planwright_core::transcript::Fact;
use planwright_store::StoreError;
use planwright_tools::{self as tools, ScratchRun, Tier};

use crate::session::Session;
use crate::thread::{Thread, Who};

impl Thread {
    /// What holds a command here; found out when first needed.
    pub(crate) async fn walls(&mut self) -> Result<Walls, StoreError> {
        let found = self.setup.tools.protection().await.clone();
        self.learn_protection()?;
        Ok(walls(&found.tier))
    }

    /// Writes down what protects the user, once it is known and if it is other than what the log says: a
    /// session can be gone on with on another machine.
    pub(crate) fn learn_protection(&mut self) -> Result<(), StoreError> {
        let Some(found) = self.setup.tools.known_protection().map(in_words) else { return Ok(()) };
        // An agent's log is read beside its session's.
        if !matches!(self.who, Who::Main) || self.state.protection() == Some(&found) {
            return Ok(());
        }
        self.record(vec![Fact::Protection(found)])
    }

    /// Planning began: what protects the user is told, at once or as soon as it is found out. Nothing waits
    /// for it.
    pub(crate) fn tell_of_protection(&self) {
        if let Some(known) = self.setup.tools.known_protection() {
            return self.say(Notice::Protection(in_words(known)));
        }
        let found = self.setup.tools.foresee_protection();
        let out = self.out.downgrade();
        tokio::spawn(async move {
            let found = in_words(&found.await);
            // A surface that went away hears nothing.
            if let Some(out) = out.upgrade() {
                let _ = out.send(Notice::Protection(found));
            }
        });
    }

    /// What a command in a scratch copy showed, with the session's next id.
    pub(crate) fn evidence(&self, open: &OpenCall, run: ScratchRun) -> Evidence {
        self.reserve_evidence();
        let command = match call::parse(&open.name, &open.input) {
            Ok(Call::Bash(bash)) => bash.command,
            Ok(other) => other.main_argument().to_owned(),
            Err(_) => open.name.clone(),
        };
        Evidence {
            id: self.evidence_ids.fetch_add(1, Ordering::Relaxed) + 1,
            command,
            exit_code: run.exit_code,
            would_change: run.would_change,
            tier: Walls::Scratch,
            sha256: run.sha256,
        }
    }

    /// Ids that the log has are not given again.
    pub(crate) fn reserve_evidence(&self) {
        let known = self.state.evidence().iter().map(|evidence| evidence.id).max();
        self.evidence_ids.fetch_max(known.unwrap_or(0), Ordering::Relaxed);
    }
}

impl Session {
    /// `/scratch`: what the scratch copy would change so far; or it is thrown away, and planning goes on.
    pub(crate) async fn scratch(&mut self, command: ScratchCommand) {
        match command {
            ScratchCommand::Show => self.say(self.scratch_text().await),
            ScratchCommand::Clear if !self.thread.setup.tools.has_scratch() => {
                self.say(say::NO_SCRATCH_COPY.to_owned());
            }
            // Its answer may want applied what is in the copy.
            ScratchCommand::Clear if self.thread.state.plan().pending().is_some() => {
                self.say(say::PLAN_STILL_WAITS.to_owned());
            }
            ScratchCommand::Clear => match self.thread.clear_scratch() {
                Ok(()) => self.say(say::SCRATCH_CLEARED.to_owned()),
                Err(error) => self.thread.say(Notice::Error { cause: error.message(), hint: error.hint }),
            },
        }
    }

    async fn scratch_text(&self) -> String {
        match self.thread.setup.tools.scratch_holds().await {
            Ok(None) => say::NO_SCRATCH_COPY.to_owned(),
            Ok(Some(held)) if held.lines.is_empty() => say::SCRATCH_UNCHANGED.to_owned(),
            Ok(Some(held)) => say::scratch_holds(held.count, &held.lines),
            Err(why) => say::scratch_not_seen(&why),
        }
    }
}

impl Thread {
    /// What was edited in the copy goes with it, which the model is told by the log.
    fn clear_scratch(&mut self) -> Result<(), StoreError> {
        if !self.state.experiment().drafts().is_empty() {
            let reason = "the user threw the scratch copy away".to_owned();
            self.record(vec![Fact::ExperimentDropped { reason }])?;
        }
        self.setup.tools.end_scratch();
        Ok(())
    }
}

/// What the judge must know of a tier.
const fn walls(tier: &Tier) -> Walls {
    match tier {
        Tier::Scratch => Walls::Scratch,
        Tier::ReadOnly => Walls::ReadOnly,
        Tier::Unenforced { .. } => Walls::None,
    }
}

/// What was found, as it is written down.
pub(crate) fn in_words(found: &tools::Protection) -> Protection {
    Protection {
        tier: walls(&found.tier),
        reason: found.reason.clone(),
        remedy: found.remedy.clone(),
        evidence: found.evidence.clone(),
        kernel: found.kernel.clone(),
    }
}
