//! From a person's message to the model's last word.

use std::sync::Arc;

use futures_util::StreamExt;
use planwright_core::attach::{self, Attachment, Circumstances};
use planwright_core::bounds;
use planwright_core::dialogue::{Notice, Outcome, TurnEnd};
use planwright_core::reply::{Delta, Reply, Stop};
use planwright_core::request::{AgentRef, Block, Request};
use planwright_core::settings::WorkflowText;
use planwright_core::transcript::Fact;
use planwright_core::{prompts, say};
use planwright_model::{Model, ModelError};
use planwright_store::StoreError;
use planwright_tools::Cancel;

use crate::batch::BatchEnd;
use crate::thread::{Thread, Who};
use crate::trouble::Trouble;

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

/// An answer that did not come whole.
pub(crate) struct Unanswered {
    /// The model that was asked.
    pub(crate) model: String,
    /// What had come of its text.
    pub(crate) text: String,
    /// Why; `None` if the user stopped it.
    pub(crate) why: Option<ModelError>,
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
        self.fallen_back = false;
        let before = self.state.usage().clone();
        let mut end = TurnEnd::begun();
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
        (end.usage, end.spent) = self.spent_since(&before);
        if let (Some(why), Who::Main) = (self.script_failed.get(), &self.who)
            && end.outcome == Outcome::Done
        {
            end.outcome = Outcome::Failed(why.clone());
        }
        if end.outcome == Outcome::Done && self.refused.iter().any(|refused| refused.by == "nobody") {
            end.outcome = Outcome::PermissionMissing;
        }
        end
    }

    async fn rounds(&mut self, end: &mut TurnEnd) -> Result<Outcome, Stopped> {
        let mut reminded = false;
        let mut trouble = Trouble::default();
        loop {
            let limit = self.setup.max_requests.unwrap_or(bounds::TURN_REQUESTS);
            if end.requests >= limit {
                self.record(vec![Fact::TurnEnded { plan_missing: false }])?;
                return Ok(Outcome::Limit(say::too_many_requests(limit)));
            }
            self.hand_over().await?;
            self.follow_parent()?;
            self.learn_protection()?;
            // An answer that was paused is gone on with by the same conversation and nothing else.
            if !trouble.paused() {
                self.make_room(&mut trouble).await?;
                let text = self.workflow_text().await?;
                self.give_notes(text)?;
            }
            end.requests += 1;
            let reply = match self.ask_model().await? {
                Ok(reply) => reply,
                Err(unanswered) => {
                    self.unanswered(&mut trouble, unanswered, end).await?;
                    continue;
                }
            };
            if let Some(text) = text_of(&reply.blocks) {
                end.text = text;
            }
            if reply.stop == Stop::Refusal {
                return Err(self.refused_by_model()?);
            }
            let called = !self.state.open_calls().is_empty();
            if called {
                let cut = matches!(reply.stop, Stop::MaxTokens | Stop::ContextFull | Stop::Cut);
                match self.batch(cut).await? {
                    BatchEnd::GoOn if self.closing => return Err(Stopped::Interrupted),
                    BatchEnd::GoOn => {}
                    BatchEnd::Interrupted => return Err(Stopped::Interrupted),
                    BatchEnd::PlanPending => return Ok(Outcome::PlanPending),
                }
            }
            if self.goes_on(reply.stop, called, &mut trouble).await? || self.remind_of_plan(&end.text, &mut reminded)? {
                continue;
            }
            return Ok(Outcome::Done);
        }
    }

    /// What follows from why an answer ended, once its calls have their results. Yields whether the
    /// model is asked again.
    async fn goes_on(&mut self, stop: Stop, called: bool, trouble: &mut Trouble) -> Result<bool, Stopped> {
        match stop {
            Stop::ContextFull => {
                let error = ModelError::ContextFull { message: say::WINDOW_FULL.to_owned() };
                self.outgrown(trouble, &error).await?;
                return Ok(true);
            }
            Stop::Paused if !called => {
                trouble.pause()?;
                return Ok(true);
            }
            Stop::Cut if !called => {
                let (cause, hint) = (say::ANSWER_CUT.to_owned(), say::ANSWER_CUT_HINT.to_owned());
                return Err(Stopped::Failed { cause, hint });
            }
            Stop::MaxTokens if !called => {
                self.say(Notice::Warning { key: "length", text: say::ANSWER_AT_LIMIT.to_owned() });
            }
            Stop::MaxTokens => trouble.cut()?,
            Stop::EndTurn | Stop::ToolUse | Stop::Refusal | Stop::Paused | Stop::Cut => trouble.ran(),
        }
        trouble.over();
        Ok(called)
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
            _ if self.fallen_back => self.models.fallback.as_ref(),
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

    /// One request and its whole answer, written down.
    async fn ask_model(&mut self) -> Result<Result<Reply, Unanswered>, StoreError> {
        let model = self.model();
        self.tell_of_model(&model.id());
        let request = self.request();
        match self.listen(&model, request, true).await {
            Ok(reply) => {
                self.answered(&reply, model.id())?;
                Ok(Ok(reply))
            }
            Err(unanswered) => Ok(Err(unanswered)),
        }
    }

    /// Tells the user when another model is asked than before: at the begin and the end of planning,
    /// and when a turn that fell back is over.
    fn tell_of_model(&mut self, id: &str) {
        let before = self.asked_last.replace(id.to_owned());
        if let (Who::Main, false, Some(before)) = (&self.who, self.fallen_back, before)
            && before != id
        {
            self.say(Notice::Said(say::model(id)));
        }
    }

    /// Puts a request and waits for the whole answer, dealing with what is said meanwhile. `aloud`:
    /// the user hears it as it comes.
    pub(crate) async fn listen(
        &mut self,
        model: &Arc<dyn Model>,
        request: Request,
        aloud: bool,
    ) -> Result<Reply, Unanswered> {
        let mut stream = model.ask(request);
        let mut text = String::new();
        let mut listening = true;
        let why = loop {
            tokio::select! {
                delta = stream.next() => match delta {
                    Some(Ok(Delta::Text(more))) => {
                        text += &more;
                        if let (Who::Main, true) = (&self.who, aloud) {
                            self.say(Notice::TextDelta(more));
                        }
                    }
                    Some(Ok(Delta::Again(again))) => {
                        text.clear();
                        self.say(Notice::Again { agent: self.agent_id(), again });
                    }
                    Some(Ok(Delta::Waiting(why))) => self.say(Notice::Warning { key: "waiting", text: why }),
                    Some(Ok(Delta::Done(reply))) => return Ok(reply),
                    Some(Err(error)) => {
                        if let ModelError::Script { .. } = &error {
                            let _ = self.script_failed.set(error.to_string());
                        }
                        break Some(error);
                    }
                    None => break Some(ModelError::Cut),
                },
                input = self.inputs.recv(), if listening => {
                    match input {
                        Some(input) => self.meanwhile(input),
                        None => listening = false,
                    }
                    if self.interrupted {
                        break None;
                    }
                }
            }
        };
        Err(Unanswered { model: model.id(), text, why })
    }

    pub(crate) fn answered(&mut self, reply: &Reply, model: String) -> Result<(), StoreError> {
        let Reply { blocks, stop, usage } = reply.clone();
        self.record(vec![Fact::Assistant { blocks: blocks.clone(), stop, usage, model: model.clone() }])?;
        self.say(Notice::Answered { agent: self.agent_id(), model, blocks, stop, usage });
        if let Some(text) = text_of(&reply.blocks) {
            self.say(Notice::Text { agent: self.agent_id(), text });
        }
        Ok(())
    }
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
