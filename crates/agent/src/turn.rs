//! From a person's message to the model's last word.

use std::sync::Arc;

use futures_util::StreamExt;
use planwright_core::attach::{self, Attachment, Circumstances};
use planwright_core::bounds;
use planwright_core::dialogue::{Notice, Outcome, TurnEnd};
use planwright_core::reply::{Delta, Reply, Stop, Usage};
use planwright_core::request::{AgentRef, Block, Request};
use planwright_core::settings::WorkflowText;
use planwright_core::transcript::Fact;
use planwright_core::{prompts, say};
use planwright_model::{Model, ModelError};
use planwright_store::StoreError;
use planwright_tools::Cancel;

use crate::batch::BatchEnd;
use crate::thread::{Thread, Who};

/// Why a turn cannot go on.
pub(crate) enum Stopped {
    /// The user stopped it, or the surface went away.
    Interrupted,
    /// It failed; the words are for the user.
    Failed {
        /// What and why.
        cause: String,
        /// What to do.
        hint: String,
    },
}

impl From<StoreError> for Stopped {
    fn from(error: StoreError) -> Self {
        Self::Failed { cause: error.message(), hint: error.hint }
    }
}

impl Thread {
    /// Asks the model and runs what it asks for, until it asks for nothing.
    pub(crate) async fn turn(&mut self) -> TurnEnd {
        self.interrupted = false;
        self.cancel = Cancel::new();
        self.refused.clear();
        let mut end = TurnEnd { outcome: Outcome::Done, text: String::new(), requests: 0, usage: Usage::default() };
        if let Who::Main = self.who {
            self.say(Notice::TurnStarted);
        }
        end.outcome = match self.rounds(&mut end).await {
            Ok(outcome) => outcome,
            Err(Stopped::Interrupted) => {
                let reason = if self.closing { "the surface went away" } else { "stopped by the user" };
                self.record_or_warn(vec![Fact::Interrupted { reason: reason.to_owned() }]);
                Outcome::Interrupted
            }
            Err(Stopped::Failed { cause, hint }) => {
                self.record_or_warn(vec![Fact::TurnEnded { plan_missing: false }]);
                self.say(Notice::Error { cause: cause.clone(), hint });
                Outcome::Failed(cause)
            }
        };
        self.interrupted = false;
        if let (Some(why), Who::Main) = (self.script_failed.get(), &self.who)
            && end.outcome == Outcome::Done
        {
            end.outcome = Outcome::Failed(why.clone());
        }
        if end.outcome == Outcome::Done && self.refused.iter().any(|refused| refused.refusal.by == "nobody") {
            end.outcome = Outcome::PermissionMissing;
        }
        end
    }

    async fn rounds(&mut self, end: &mut TurnEnd) -> Result<Outcome, Stopped> {
        let mut reminded = false;
        loop {
            let limit = self.setup.max_requests.unwrap_or(bounds::TURN_REQUESTS);
            if end.requests >= limit {
                self.record(vec![Fact::TurnEnded { plan_missing: false }])?;
                return Ok(Outcome::Limit(say::too_many_requests(limit)));
            }
            self.hand_over().await?;
            self.follow_parent()?;
            self.learn_protection()?;
            let text = self.workflow_text().await?;
            self.give_notes(text)?;
            end.requests += 1;
            let reply = self.ask_model().await?;
            end.usage += reply.usage;
            if let Some(text) = text_of(&reply.blocks) {
                end.text = text;
            }
            let cut = matches!(reply.stop, Stop::Cut);
            if self.state.open_calls().is_empty() {
                if cut {
                    return Err(Stopped::Failed {
                        cause: say::ANSWER_CUT.to_owned(),
                        hint: say::ANSWER_CUT_HINT.to_owned(),
                    });
                }
                if self.remind_of_plan(&end.text, &mut reminded)? {
                    continue;
                }
                return Ok(Outcome::Done);
            }
            match self.batch(matches!(reply.stop, Stop::MaxTokens)).await? {
                BatchEnd::GoOn if self.closing => return Err(Stopped::Interrupted),
                BatchEnd::GoOn => {}
                BatchEnd::Interrupted => return Err(Stopped::Interrupted),
                BatchEnd::PlanPending => return Ok(Outcome::PlanPending),
            }
        }
    }

    /// The turn ended in prose while planning: the model is reminded once of how a turn ends, at
    /// once if it wrote a plan or speaks of one, else with the next request; and the user is told.
    /// Yields whether the turn goes on.
    fn remind_of_plan(&mut self, text: &str, reminded: &mut bool) -> Result<bool, Stopped> {
        let main_plans = matches!(self.who, Who::Main) && self.state.permissions().planning();
        if !main_plans {
            self.record(vec![Fact::TurnEnded { plan_missing: false }])?;
            return Ok(false);
        }
        let path = self.plan_file()?;
        let first = !*reminded && !self.state.plan_reminded();
        if !*reminded && (self.state.plan_touched() || (first && speaks_of_a_plan(text))) {
            *reminded = true;
            self.record(vec![Fact::Reminder { text: prompts::unsubmitted_plan(&path) }])?;
            return Ok(true);
        }
        self.record(vec![Fact::TurnEnded { plan_missing: true }])?;
        self.say(Notice::Said(say::NO_PLAN_SUBMITTED.to_owned()));
        Ok(false)
    }

    /// Gives the model the notes that are due, so that they stand in the request that follows.
    fn give_notes(&mut self, text: WorkflowText) -> Result<(), StoreError> {
        let files = self.state.experiment().gone().to_vec();
        if !files.is_empty() {
            self.record(vec![Fact::Attachment { attachment: Attachment::ExperimentGone { files } }])?;
        }
        let planning = self.state.permissions().planning();
        let read_only = self.read_only();
        let sub_agent = !matches!(self.who, Who::Main);
        if !planning
            && !read_only
            && !self.state.permissions().needs_plan_exit_attachment()
            && !self.state.permissions().auto_exit_due()
        {
            return Ok(());
        }
        let path = match (&self.who, &self.state.plan().path) {
            (Who::Main, _) if planning => self.plan_file()?,
            (_, Some(path)) => path.clone(),
            (_, None) => std::path::PathBuf::new(),
        };
        let plan_exists = !path.as_os_str().is_empty() && self.plan_on_disk(&path).plan().is_some();
        let due = attach::due(
            self.state.ledger(),
            self.state.permissions(),
            Circumstances {
                plan_file: &path,
                plan_exists,
                reminders: &self.setup.settings.reminders,
                text,
                sub_agent,
                read_only,
            },
        );
        self.record(due.into_iter().map(|attachment| Fact::Attachment { attachment }).collect())
    }

    /// The model for the next request.
    pub(crate) fn model(&self) -> Arc<dyn Model> {
        let special = match &self.who {
            Who::Main if self.state.permissions().planning() => self.models.plan.as_ref(),
            Who::Main => None,
            Who::Agent { agent, .. } if agent.agent_type == "Explore" => self.models.explore.as_ref(),
            Who::Agent { .. } => None,
        };
        Arc::clone(special.unwrap_or(&self.models.main))
    }

    /// The request as it stands.
    pub(crate) fn request(&self) -> Request {
        Request {
            session_id: self.state.session().map(|started| started.session_id.to_string()).unwrap_or_default(),
            agent: self.agent_ref(),
            system: Arc::clone(&self.system),
            tools: Arc::clone(&self.specs),
            messages: self.state.messages().to_vec(),
            plan_file: self.state.plan().path.clone(),
        }
    }

    fn agent_ref(&self) -> Option<AgentRef> {
        match &self.who {
            Who::Main => None,
            Who::Agent { agent, .. } => Some(agent.clone()),
        }
    }

    /// One request and its whole answer, written down. A stream that ends early keeps its text and
    /// loses its calls: a half call never runs.
    async fn ask_model(&mut self) -> Result<Reply, Stopped> {
        let model = self.model();
        let (id, mut stream) = (model.id(), model.ask(self.request()));
        let mut text = String::new();
        let mut listening = true;
        let outcome = loop {
            tokio::select! {
                delta = stream.next() => match delta {
                    Some(Ok(Delta::Text(more))) => {
                        if let Who::Main = self.who {
                            self.say(Notice::TextDelta(more.clone()));
                        }
                        text += &more;
                    }
                    Some(Ok(Delta::Again(again))) => {
                        text.clear();
                        self.say(Notice::Again { agent: self.agent_id(), again });
                    }
                    Some(Ok(Delta::Waiting(why))) => self.say(Notice::Warning { key: "waiting", text: why }),
                    Some(Ok(Delta::Done(reply))) => break Ok(reply),
                    Some(Err(error)) => {
                        if let ModelError::Script { .. } = &error {
                            let _ = self.script_failed.set(error.to_string());
                        }
                        break Err(Stopped::Failed { cause: error.to_string(), hint: error.hint().to_owned() });
                    }
                    None => break Ok(partial(std::mem::take(&mut text))),
                },
                input = self.inputs.recv(), if listening => {
                    match input {
                        Some(input) => self.meanwhile(input),
                        None => listening = false,
                    }
                    if self.interrupted {
                        break Err(Stopped::Interrupted);
                    }
                }
            }
        };
        drop(stream);
        let reply = match outcome {
            Ok(reply) => reply,
            Err(stopped) => {
                if !text.is_empty() {
                    self.answered(&partial(text), id)?;
                }
                return Err(stopped);
            }
        };
        self.answered(&reply, id)?;
        Ok(reply)
    }

    fn answered(&mut self, reply: &Reply, model: String) -> Result<(), StoreError> {
        self.record(vec![Fact::Assistant {
            blocks: reply.blocks.clone(),
            stop: reply.stop,
            usage: reply.usage,
            model,
        }])?;
        if let Some(text) = text_of(&reply.blocks) {
            self.say(Notice::Text { agent: self.agent_id(), text });
        }
        Ok(())
    }
}

/// What arrived of an answer that was cut: its text, and no calls.
fn partial(text: String) -> Reply {
    let blocks = if text.is_empty() { Vec::new() } else { vec![Block::Text { text }] };
    Reply { blocks, stop: Stop::Cut, usage: Usage::default() }
}

/// The words of an answer.
pub(crate) fn text_of(blocks: &[Block]) -> Option<String> {
    let texts: Vec<_> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text { text } if !text.trim().is_empty() => Some(text.as_str()),
            Block::Text { .. } | Block::ToolUse { .. } | Block::Opaque { .. } => None,
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Whether an answer reads like a plan or a request to approve one, rather than like an answer to
/// a question of the user. Only decides how soon the one reminder comes.
fn speaks_of_a_plan(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| ["plan", "approve", "approval", "proceed", "implement"].contains(&word.to_lowercase().as_str()))
}
