//! Resume, fork, compact and clear (plan-mode.md section 14), and getting a lost plan back.

use futures_util::StreamExt;
use planwright_core::dialogue::{Input, Notice};
use planwright_core::plan::OnDisk;
use planwright_core::prompts;
use planwright_core::reply::Delta;
use planwright_core::request::{Message, UserPart};
use planwright_core::state::State;
use planwright_core::transcript::{Entry, Fact, SessionStarted};
use planwright_store::StoreError;
use planwright_store::log::{self, Log};
use planwright_store::sessions;
use std::sync::Arc;
use uuid::Uuid;

use crate::session::Session;
use crate::thread::Thread;
use crate::turn::text_of;

impl Thread {
    /// Every call has a result: those the last run left open get one that says what is known.
    pub(crate) fn close_open_calls(&mut self) -> Result<(), StoreError> {
        let boundary = self.state.open_calls().iter().any(|call| call.name == "ExitPlanMode");
        let mut facts = Vec::new();
        if let Some(pending) = self.state.plan().pending() {
            // The request went away with the conversation that held it.
            facts.push(Fact::PlanDecision(planwright_core::transcript::PlanDecision {
                revision: pending.revision,
                sha256: pending.sha256.clone(),
                decision: planwright_core::transcript::Decision::Withdrawn,
                choice: "superseded".to_owned(),
                edited: false,
                feedback: None,
                by: "user".to_owned(),
                text: None,
            }));
        }
        facts.extend(self.state.open_calls().iter().map(|open| Fact::ToolResult {
            tool_use_id: open.id.clone(),
            tool: open.name.clone(),
            content: if boundary && open.name != "ExitPlanMode" { prompts::batch_refused("ExitPlanMode") } else { prompts::result_lost() },
            is_error: true,
            seen: Vec::new(),
        }));
        if facts.is_empty() { Ok(()) } else { self.record(facts) }
    }

    /// The plan file is gone: locally that is said; on a disk that does not last it is put back
    /// from the log.
    pub(crate) fn recover_plan(&mut self, entries: &[Entry]) {
        let Some(path) = self.state.plan().path.clone() else { return };
        if self.plan_on_disk(&path) != OnDisk::Missing {
            return;
        }
        let Some((text, from)) = planwright_core::plan::recover(entries.iter().map(|entry| &entry.fact)) else { return };
        if !self.setup.remote {
            let text = format!(
                "The plan file {} is gone. Its last text is in the session log: `planwright plan show` prints it.",
                path.display()
            );
            self.say(Notice::Warning { key: "plan-lost", text });
            return;
        }
        match self.setup.plans.write(&path, &text) {
            Ok(()) => self.say(Notice::Said(format!("The plan file was put back from {from}: {}", path.display()))),
            Err(error) => self.say(Notice::Error { cause: error.to_string(), hint: error.hint }),
        }
    }
}

impl Session {
    /// `/clear`: a new conversation and a new plan; the mode and the old plan's file stay.
    pub(crate) fn clear(&mut self) {
        let cleared = self.thread.close_open_calls().and_then(|()| self.thread.record(vec![Fact::Cleared {}]));
        match cleared {
            Ok(()) => self.say("The conversation is cleared. The next plan gets a file of its own.".to_owned()),
            Err(error) => self.thread.say(Notice::Error { cause: error.to_string(), hint: error.hint }),
        }
    }

    /// `/compact`: the conversation becomes a summary by the model; the plan travels along.
    pub(crate) async fn compact(&mut self, keep: &str) {
        if self.thread.state.messages().is_empty() {
            return self.say("There is nothing to compact.".to_owned());
        }
        if let Err(error) = self.thread.close_open_calls() {
            return self.thread.say(Notice::Error { cause: error.to_string(), hint: error.hint });
        }
        let mut request = self.thread.request();
        let ask = UserPart::Text { text: prompts::compact(Some(keep).filter(|keep| !keep.is_empty())) };
        match request.messages.last_mut().map(Arc::make_mut) {
            Some(Message::User(parts)) => parts.push(ask),
            Some(Message::Assistant(_)) | None => request.messages.push(Arc::new(Message::User(vec![ask]))),
        }
        let model = Arc::clone(&self.thread.models.main);
        let mut stream = model.ask(request);
        let reply = loop {
            tokio::select! {
                delta = stream.next() => match delta {
                    Some(Ok(Delta::Done(reply))) => break reply,
                    Some(Ok(Delta::Text(_) | Delta::Waiting(_))) => {}
                    Some(Err(error)) => return self.thread.say(Notice::Error { cause: error.to_string(), hint: error.hint().to_owned() }),
                    None => return self.say("The summary was cut off; nothing was compacted.".to_owned()),
                },
                input = self.thread.inputs.recv() => {
                    self.thread.meanwhile(input.unwrap_or(Input::Close));
                    if self.thread.interrupted {
                        return self.say("Stopped; nothing was compacted.".to_owned());
                    }
                }
            }
        };
        let Some(summary) = text_of(&reply.blocks) else {
            return self.say("The model gave no summary; nothing was compacted.".to_owned());
        };
        let mut facts = vec![Fact::Compacted { summary, model: model.id(), usage: reply.usage }];
        facts.extend(self.thread.plan_reference());
        match self.thread.record(facts) {
            Ok(()) => self.say("The conversation is compacted.".to_owned()),
            Err(error) => self.thread.say(Notice::Error { cause: error.to_string(), hint: error.hint }),
        }
    }

    /// `/fork`: go on in a copy, with a plan file of its own.
    pub(crate) fn fork(&mut self) {
        let id = Uuid::new_v4();
        let forked = log::read(self.thread.log.path()).and_then(|(entries, _)| self.thread.fork_into(id, &entries));
        match forked {
            Ok(()) => {
                self.say(format!("This is a fork now: session {id}."));
                self.announce();
            }
            Err(error) => self.thread.say(Notice::Error { cause: error.to_string(), hint: error.hint }),
        }
    }

    /// `/resume ID`: this surface goes on with another session.
    pub(crate) async fn switch_to(&mut self, id: &str) {
        let opened = sessions::find(&self.thread.setup.home, Some(&self.thread.setup.root), id)
            .and_then(|path| Log::open(&path));
        match opened {
            Ok(opened) => {
                self.thread.state = State::fold(opened.entries.iter().map(|entry| &entry.fact));
                self.thread.log = opened.log;
                self.thread.rules = self.thread.effective_rules();
                for warning in opened.warnings {
                    self.thread.say(Notice::Warning { key: "session-log", text: warning.to_string() });
                }
                self.thread.recover_plan(&opened.entries);
                self.announce();
                Box::pin(self.go_on_with_pending()).await;
            }
            Err(error) => self.thread.say(Notice::Error { cause: error.to_string(), hint: error.hint }),
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
        let mut log = Log::create(&self.setup.home, &self.setup.root, id)?;
        let copied = copied_entries(id, entries);
        log.append(&copied)?;
        self.log = log;
        self.state = State::fold(copied.iter().map(|entry| &entry.fact));
        self.fork_plan()
    }

    /// A fork gets a plan file of its own, with a copy of the plan in it. A submission that waits
    /// waits in the fork too, under the new path.
    pub(crate) fn fork_plan(&mut self) -> Result<(), StoreError> {
        let Some(old) = self.state.plan().path.clone() else { return Ok(()) };
        let pending = self.state.plan().pending().cloned();
        let on_disk = self.plan_on_disk(&old);
        let slug = self.setup.plans.new_slug(self.setup.seed.wrapping_add(1))?;
        let path = self.setup.plans.path(&slug);
        if let OnDisk::Text(text) = on_disk {
            self.setup.plans.write(&path, &text)?;
        }
        let mut facts = vec![Fact::PlanSlug { slug: slug.to_string(), path: path.clone() }];
        facts.extend(pending.map(|pending| Fact::PlanSubmitted {
            revision: pending.revision + 1,
            sha256: pending.sha256,
            path,
            text: pending.text,
            tool_use_id: pending.tool_use_id,
        }));
        self.record(facts)
    }
}
