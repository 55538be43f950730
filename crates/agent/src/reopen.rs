//! Resume, fork, `/compact` and clear (plan-mode.md section 14), and getting a lost plan back.

use planwright_core::dialogue::Notice;
use planwright_core::mode;
use planwright_core::plan::OnDisk;
use planwright_core::state::State;
use planwright_core::transcript::{Entry, Fact, SessionStarted, Trigger};
use planwright_core::{prompts, say};
use planwright_store::StoreError;
use planwright_store::log::{self, Log};
use planwright_store::plans::Slug;
use planwright_store::sessions;
use std::path::Path;
use uuid::Uuid;

use crate::compact::NotCompacted;
use crate::session::Session;
use crate::thread::Thread;

impl Thread {
    /// Every call has a result: those the last run left open get one that says what is known.
    pub(crate) fn close_open_calls(&mut self) -> Result<(), StoreError> {
        self.close_with(&prompts::result_lost())
    }

    /// The calls that stood beside an `ExitPlanMode` whose plan waited are refused, as they would
    /// have been at once.
    pub(crate) fn refuse_siblings(&mut self) -> Result<(), StoreError> {
        self.close_with(&prompts::batch_refused("ExitPlanMode"))
    }

    /// Gives every open call this result.
    pub(crate) fn close_with(&mut self, content: &str) -> Result<(), StoreError> {
        let facts = self.state.closing(content);
        if facts.is_empty() { Ok(()) } else { self.record(facts) }
    }

    /// What a session needs before it goes on from its log: the rules of its answers, the change of
    /// mode that a crash kept from being written after the approval that brings it, and auto
    /// semantics as the settings of now have them.
    /// A mode that may not be the one that was in force, and bypass where this process did not allow
    /// it, are not taken up again.
    pub(crate) fn reopened(&mut self, mode_in_doubt: bool) {
        self.rules = self.effective_rules();
        let due = self.state.half_done(&self.setup.auto, &self.rules);
        self.experiment_lost();
        self.experiment_cut_off();
        due.into_iter().for_each(|change| self.record_or_warn(vec![change]));
        let bypass = self.setup.auto.bypass_allowed;
        if let Some((change, why)) = mode::not_taken_up(self.state.permissions(), mode_in_doubt, bypass) {
            self.record_or_warn(vec![Fact::PermissionMode(change)]);
            self.say(Notice::Warning { key: "mode-not-taken-up", text: why.to_owned() });
        }
        let auto = mode::auto_while_planning(self.state.permissions(), &self.setup.auto, &self.rules);
        if let Some((active, stripped, exit_note)) = auto {
            self.record_or_warn(vec![Fact::AutoSemantics { active, stripped, exit_note }]);
        }
    }

    /// The whole home was taken elsewhere, the plan file with it: the plan is the one of the same name
    /// here. A submission that waits waits there too.
    fn plan_moved(&mut self, old: &Path) -> bool {
        let Some(slug) = self.state.plan().slug.clone() else { return false };
        let Some(here) = Slug::parse(&slug).map(|slug| self.setup.plans.path(&slug)) else { return false };
        let moved = here != old && self.plan_on_disk(&here).plan().is_some();
        if moved {
            self.say(Notice::Said(say::plan_moved(&here)));
            self.record_or_warn(self.state.forked(slug, here));
        }
        moved
    }

    /// The plan file is gone: locally that is said; on a disk that does not last it is put back
    /// from the log.
    pub(crate) fn recover_plan(&mut self, entries: &[Entry]) {
        let Some(path) = self.state.plan().path.clone() else { return };
        if self.plan_on_disk(&path) != OnDisk::Missing || self.plan_moved(&path) {
            return;
        }
        let Some((text, from)) = planwright_core::plan::recover(entries.iter().map(|entry| &entry.fact)) else {
            return;
        };
        if !self.setup.remote {
            let text = say::plan_gone(&path);
            self.say(Notice::Warning { key: "plan-lost", text });
            return;
        }
        match self.setup.plans.write(&path, &text) {
            Ok(()) => self.say(Notice::Said(say::plan_recovered(&path, from))),
            Err(error) => self.say(Notice::Error { cause: error.message(), hint: error.hint }),
        }
    }
}

impl Session {
    /// `/clear`: a new conversation and a new plan; the mode and the old plan's file stay.
    pub(crate) fn clear(&mut self) {
        let cleared = self.thread.close_open_calls().and_then(|()| self.thread.record(vec![Fact::Cleared {}]));
        match cleared {
            Ok(()) => self.say(say::CLEARED.to_owned()),
            Err(error) => self.thread.say(Notice::Error { cause: error.message(), hint: error.hint }),
        }
    }

    /// `/compact`: the conversation becomes a summary by the model; the plan travels along.
    pub(crate) async fn compact(&mut self, keep: &str) {
        if self.thread.state.messages().is_empty() {
            return self.say(say::NOTHING_TO_COMPACT.to_owned());
        }
        if self.thread.state.plan().pending().is_some() {
            return self.say(say::PLAN_STILL_WAITS.to_owned());
        }
        if let Err(error) = self.thread.close_open_calls() {
            return self.thread.say(Notice::Error { cause: error.message(), hint: error.hint });
        }
        match self.thread.compact(Trigger::Manual, keep, false).await {
            Ok(()) => {}
            Err(NotCompacted::Interrupted) => self.say(say::COMPACT_STOPPED.to_owned()),
            Err(NotCompacted::Failed { cause, hint }) => self.thread.say(Notice::Error { cause, hint }),
            Err(NotCompacted::Store(error)) => {
                self.thread.say(Notice::Error { cause: error.message(), hint: error.hint });
            }
        }
    }

    /// `/fork`: go on in a copy, with a plan file of its own.
    pub(crate) fn fork(&mut self) {
        let id = Uuid::new_v4();
        // What could not be written so far belongs to the copy too.
        let written = self.thread.record(Vec::new());
        let forked = written
            .and_then(|()| log::read(self.thread.log.path()))
            .and_then(|(entries, _)| self.thread.fork_into(id, &entries));
        match forked {
            Ok(()) => {
                self.say(say::forked(&id.to_string()));
                self.announce();
            }
            Err(error) => self.thread.say(Notice::Error { cause: error.message(), hint: error.hint }),
        }
    }

    /// `/resume ID`: this surface goes on with another session.
    pub(crate) async fn switch_to(&mut self, id: &str) {
        let opened = sessions::find(&self.thread.setup.home, Some(&self.thread.setup.root), id)
            .and_then(|path| Log::open(&path));
        match opened {
            Ok(opened) => {
                // The scratch copy is of the session that is left.
                self.thread.setup.tools.end_scratch();
                self.thread.state = State::fold(opened.entries.iter().map(|entry| &entry.fact));
                self.thread.log = opened.log;
                self.thread.unwritten.clear();
                self.thread.reopened(opened.mode_in_doubt);
                for warning in opened.warnings {
                    self.thread.say(Notice::Warning { key: "session-log", text: warning.to_string() });
                }
                self.thread.recover_plan(&opened.entries);
                self.announce();
                Box::pin(self.go_on_with_pending()).await;
            }
            Err(error) => self.thread.say(Notice::Error { cause: error.message(), hint: error.hint }),
        }
    }

    pub(crate) fn session_list(&self) -> String {
        let sessions = sessions::sessions(&self.thread.setup.home, &self.thread.setup.root);
        let rows: Vec<_> = sessions.iter().map(crate::report::session).collect();
        format!("{}\n\"/resume ID\" goes on with one.", rows.join("\n"))
    }
}

/// The entries of a fork: the same facts under a new session id.
pub(crate) fn copied_entries(id: Uuid, entries: &[Entry]) -> Vec<Entry> {
    entries
        .iter()
        .cloned()
        .map(|mut entry| {
            if let Fact::SessionStarted(SessionStarted { session_id, forked_from, .. }) = &mut entry.fact {
                *forked_from = Some(*session_id);
                *session_id = id;
            }
            entry
        })
        .collect()
}

impl Thread {
    /// Goes on in a copy of the session these entries make.
    pub(crate) fn fork_into(&mut self, id: Uuid, entries: &[Entry]) -> Result<(), StoreError> {
        self.log = Log::create(&self.setup.home, &self.setup.root, id)?;
        self.fork_to(id, entries)
    }

    /// The same, into this thread's own log, which is new.
    pub(crate) fn fork_to(&mut self, id: Uuid, entries: &[Entry]) -> Result<(), StoreError> {
        let copied = copied_entries(id, entries);
        self.log.append(&copied)?;
        self.state = State::fold(copied.iter().map(|entry| &entry.fact));
        self.fork_plan()
    }

    /// A fork gets a plan file of its own, with a copy of the plan in it. A submission that waits
    /// waits in the fork too, under the new path.
    pub(crate) fn fork_plan(&mut self) -> Result<(), StoreError> {
        let Some(old) = self.state.plan().path.clone() else { return Ok(()) };
        let on_disk = self.plan_on_disk(&old);
        let slug = self.setup.plans.new_slug(self.setup.seed.wrapping_add(1))?;
        let path = self.setup.plans.path(&slug);
        if let OnDisk::Text(text) = on_disk {
            self.setup.plans.write(&path, &text)?;
        }
        self.record(self.state.forked(slug.to_string(), path))
    }
}
