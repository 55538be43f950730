//! What a person types, outside turns: the session the user talks to.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use planwright_core::agents::AgentType;
use planwright_core::bounds;
use planwright_core::call::Call;
use planwright_core::command::{Command, PlanCommand};
use planwright_core::context;
use planwright_core::dialogue::{Answer, Input, Notice, Outcome, TurnEnd};
use planwright_core::mode::{Cause, Mode, Posture};
use planwright_core::permit;
use planwright_core::plan::{OnDisk, PlanEffect, plan_command};
use planwright_core::prompts::{self, Offer, SystemFacts};
use planwright_core::request::ToolSpec;
use planwright_core::say;
use planwright_core::state::{OpenCall, State};
use planwright_core::transcript::{Entry, Fact, SessionStarted};
use planwright_store::StoreError;
use planwright_store::log::Log;
use planwright_tools::Cancel;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

use crate::setup::{Models, Setup, Start};
use crate::thread::{Thread, Who};
use crate::turn::Stopped;

/// The session the user talks to.
pub struct Session {
    pub(crate) thread: Thread,
    pub(crate) start: Start,
    ended: Ended,
}

/// What is left when a session is over.
#[derive(Debug, Default)]
pub struct Ended {
    /// The session.
    pub session_id: String,
    /// How the last turn ended.
    pub last: Option<TurnEnd>,
    /// Why the run failed, if a turn of it did.
    pub failed: Option<String>,
    /// Its log.
    pub log: PathBuf,
    /// The plan that waits for an answer: its text and its file.
    pub pending: Option<(String, PathBuf)>,
    /// The session's plan as it is on disk, and its file.
    pub plan: Option<(String, PathBuf)>,
}

impl Session {
    /// A new session.
    ///
    /// # Errors
    /// Its log cannot be written.
    pub fn create(
        setup: Arc<Setup>,
        models: Models,
        log: Log,
        session_id: Uuid,
        start: Start,
        wires: (UnboundedReceiver<Input>, UnboundedSender<Notice>),
    ) -> Result<Self, StoreError> {
        let started = SessionStarted {
            session_id,
            cwd: setup.root.clone(),
            version: setup.version.to_owned(),
            forked_from: None,
            agent: None,
        };
        let mode = start.mode.unwrap_or(setup.settings.default_mode);
        let mut session =
            Self { thread: main_thread(setup, models, log, State::default(), wires), start, ended: Ended::default() };
        session.thread.record(vec![Fact::SessionStarted(started)])?;
        session.thread.go_to(mode, Cause::Start);
        Ok(session)
    }

    /// A session opened again: the fold of its entries, and nothing else. A mode asked for by flag
    /// wins over the one the log ends in. `copy`: go on in a copy of that
    /// id, whose new log is the one given; the entries may be of a session that is open elsewhere.
    ///
    /// # Errors
    /// The copy's log or plan cannot be written.
    pub fn resume(
        setup: Arc<Setup>,
        models: Models,
        log: Log,
        entries: &[Entry],
        start: Start,
        copy: Option<Uuid>,
        wires: (UnboundedReceiver<Input>, UnboundedSender<Notice>),
    ) -> Result<Self, StoreError> {
        let state = State::fold(entries.iter().map(|entry| &entry.fact));
        let mut thread = main_thread(setup, models, log, state, wires);
        if let Some(id) = copy {
            thread.fork_to(id, entries)?;
        }
        thread.reopened(start.mode_in_doubt);
        if let Some(mode) = start.mode {
            thread.go_to(mode, Cause::Resume);
        }
        if thread.state.turn_open() && thread.state.plan().pending().is_none() {
            thread.say(Notice::Said(say::TURN_CUT_OFF.to_owned()));
        }
        thread.recover_plan(entries);
        Ok(Self { thread, start, ended: Ended::default() })
    }

    /// Brings an answer for the plan that waits.
    pub fn bring(&mut self, answer: Answer) {
        self.start.plan_answer = Some(answer);
    }

    /// Settles the plan that waits by the answer that was brought, and goes no further: the next
    /// run goes on from there. Yields words for the user.
    ///
    /// # Errors
    /// No plan waits, or the log cannot be written.
    pub async fn settle_only(mut self) -> Result<String, String> {
        let answer = self.start.plan_answer.take().unwrap_or(Answer::Dismissed);
        let open = self.pending_call();
        let finished = match (open, self.thread.settle_from_outside(answer).await) {
            (Some(open), Ok(Ok(finished))) => {
                self.thread.finished(&open, finished).and_then(|()| self.thread.refuse_siblings())
            }
            (None, Ok(Ok(finished))) => self.thread.record(finished.facts),
            (_, Ok(Err(why))) => return Err(why),
            (_, Err(Stopped::Failed { cause, .. })) => return Err(cause),
            (_, Err(Stopped::Interrupted)) => return Err("interrupted".to_owned()),
        };
        finished.map_err(|error| error.to_string())?;
        self.thread.record_or_warn(vec![Fact::TurnEnded { plan_missing: false }]);
        let mode = self.thread.state.permissions().mode();
        Ok(say::recorded(mode.name(), &self.id()))
    }

    /// What the session's entries come to now.
    pub const fn state(&self) -> &State {
        &self.thread.state
    }

    /// Lives until the surface closes or the user leaves.
    pub async fn run(mut self) -> Ended {
        self.thread.publish_posture();
        self.announce();
        self.go_on_with_pending().await;
        loop {
            self.thread.interrupted = false;
            if self.thread.closing {
                break;
            }
            if self.thread.queue.is_empty() {
                self.thread.say(Notice::Idle);
            }
            let input = match self.thread.queue.pop_front() {
                Some(input) => input,
                None => self.thread.inputs.recv().await.unwrap_or(Input::Close),
            };
            if !self.hear(input).await {
                break;
            }
        }
        self.thread.setup.tools.end();
        self.thread.experiment_ends();
        self.thread.setup.tools.end_scratch();
        self.ended.session_id = self.id();
        self.ended.log = self.thread.log.path().to_owned();
        let path = self.thread.state.plan().path.clone();
        self.ended.plan = path.and_then(|path| Some((self.thread.plan_on_disk(&path).plan()?.to_owned(), path)));
        self.ended.pending = self.thread.state.plan().pending().map(|plan| (plan.text.clone(), plan.path.clone()));
        self.ended
    }

    pub(crate) fn id(&self) -> String {
        self.thread.state.session().map(|started| started.session_id.to_string()).unwrap_or_default()
    }

    pub(crate) fn announce(&self) {
        let mode = self.thread.state.permissions().mode();
        self.thread.say(Notice::Session { session_id: self.id(), mode });
    }

    /// Deals with one input. Yields whether the session goes on.
    async fn hear(&mut self, input: Input) -> bool {
        if let Input::Prompt(_) | Input::Command(_) | Input::Shell(_) | Input::CycleMode = &input {
            self.thread.say(Notice::TakenUp);
        }
        match input {
            Input::Prompt(text) => self.prompt(text).await,
            Input::Command(Command::Exit) | Input::Close => return false,
            Input::Command(command) => self.command(command).await,
            Input::Shell(command) => self.shell(command).await,
            Input::CycleMode => self.thread.cycle_mode(),
            Input::Wish(id, wish) => self.thread.fulfil(id, wish),
            Input::Gone => self.thread.gone = true,
            // An answer to nothing that is open, or a question about it: late, doubled or unsolicited.
            Input::Answer(..) | Input::AskAside(..) | Input::StopAside | Input::Interrupt => {}
        }
        true
    }

    /// A human turn. Words said while a plan waits that nobody here could be asked about are what
    /// should change in it.
    pub(crate) async fn prompt(&mut self, text: String) {
        if let Some(open) = self.pending_call() {
            return self.settle_and_go_on(&open, Some(Answer::keep_planning(text, "user"))).await;
        }
        if let Err(error) = self.thread.close_open_calls().and_then(|()| self.thread.record(vec![Fact::User { text }]))
        {
            self.failed(&error);
            return;
        }
        self.turn().await;
    }

    pub(crate) async fn turn(&mut self) {
        let end = self.thread.turn().await;
        if let Outcome::Failed(why) = &end.outcome {
            self.ended.failed.get_or_insert_with(|| why.clone());
        }
        self.thread.say(Notice::TurnEnded(end.clone()));
        self.ended.last = Some(end);
    }

    fn failed(&mut self, error: &StoreError) {
        let end = TurnEnd { outcome: Outcome::Failed(error.to_string()), ..TurnEnd::begun() };
        self.ended.failed.get_or_insert_with(|| error.to_string());
        self.thread.say(Notice::Error { cause: error.message(), hint: error.hint.clone() });
        self.ended.last = Some(end);
    }

    async fn command(&mut self, command: Command) {
        match command {
            Command::Plan(plan) => self.plan(plan).await,
            Command::Mode(None) => self.say(self.thread.mode_line()),
            Command::Mode(Some(mode)) => self.thread.set_mode(mode),
            Command::Model(None) => self.say(self.models_text()),
            Command::Model(Some(spec)) => self.set_model(&spec),
            Command::Clear => self.clear(),
            Command::Compact(keep) => self.compact(&keep).await,
            Command::Resume(None) => self.say(self.session_list()),
            Command::Resume(Some(id)) => self.switch_to(&id).await,
            Command::Fork => self.fork(),
            Command::Undo => self.undo().await,
            Command::Scratch(command) => self.scratch(command).await,
            Command::Permissions => self.say(self.permissions_text()),
            Command::Agents => self.say(crate::report::agents(&self.thread.setup.agents)),
            Command::Mcp => self.say(say::NO_TOOL_SERVERS.to_owned()),
            Command::Status => {
                let protection = crate::protect::in_words(self.thread.setup.tools.protection().await);
                self.say(self.status_text(&protection));
            }
            Command::Context => {
                let text = self.context_text().await;
                self.say(text);
            }
            Command::Cost => self.say(self.cost_text()),
            Command::Help => self.say(crate::report::help()),
            Command::Exit => {}
        }
    }

    pub(crate) fn say(&self, text: String) {
        self.thread.say(Notice::Said(text));
    }

    async fn plan(&mut self, command: PlanCommand) {
        if command == PlanCommand::Off && self.thread.kept_planning() {
            return;
        }
        let path = self.thread.state.plan().path.clone();
        let on_disk = path.as_deref().map_or(OnDisk::Missing, |path| self.thread.plan_on_disk(path));
        let planning = self.thread.state.permissions().planning();
        let effects = plan_command(planning, command, path.as_deref(), &on_disk, self.thread.setup.editor.as_deref());
        for effect in effects {
            match effect {
                PlanEffect::Enter => self.thread.go_to(Mode::Plan, Cause::Command),
                PlanEffect::Leave => self.thread.leave_plan_mode(Cause::Command),
                PlanEffect::Say(text) => self.say(text),
                PlanEffect::Show { plan, said } => {
                    let path = path.clone().unwrap_or_default();
                    self.thread.say(Notice::PlanShown { path, plan, said });
                }
                PlanEffect::OfferBack(text) => self.thread.say(Notice::OfferBack(text)),
                PlanEffect::Prompt(text) => Box::pin(self.prompt(text)).await,
                PlanEffect::Open => {
                    let path = path.clone().unwrap_or_default();
                    if let Err(said) = self.thread.edit_plan(&path).await {
                        self.say(said);
                    } else {
                        self.say(say::plan_opened(&path));
                        if let Err(error) = self.thread.snapshot_plan() {
                            self.failed(&error);
                        }
                    }
                }
            }
        }
    }

    /// `!cmd`: the user runs it; the model is told with the next request.
    async fn shell(&mut self, command: String) {
        let permit = permit::typed_by_user(command.clone());
        debug_assert!(matches!(permit.call(), Call::Bash(_)));
        let mut running = Box::pin(self.thread.setup.tools.run(permit, &self.thread.view(), &Cancel::new()));
        let outcome = loop {
            tokio::select! {
                outcome = &mut running => break outcome,
                input = self.thread.inputs.recv() => {
                    self.thread.meanwhile(input.unwrap_or(Input::Close));
                    if self.thread.interrupted {
                        self.say(say::STOPPED.to_owned());
                        return;
                    }
                }
            }
        };
        self.say(outcome.content.clone());
        let text = prompts::user_command(&command, &outcome.content);
        if let Err(error) =
            self.thread.close_open_calls().and_then(|()| self.thread.record(vec![Fact::Reminder { text }]))
        {
            self.failed(&error);
        }
    }

    /// The plan that waits, or the answer that was brought for it.
    pub(crate) async fn go_on_with_pending(&mut self) {
        let answer = self.start.plan_answer.take();
        match self.pending_call() {
            Some(open) => self.settle_and_go_on(&open, answer).await,
            // What was to be done by the plan must not be done without its approval.
            None if answer.is_some() => {
                self.thread.closing = true;
                let why = say::NO_PLAN_WAITS.to_owned();
                self.ended.failed.get_or_insert_with(|| why.clone());
                let hint = say::NO_PLAN_WAITS_HINT.to_owned();
                self.thread.say(Notice::Error { cause: why, hint });
            }
            None => {}
        }
    }

    /// The `ExitPlanMode` call whose plan waits for an answer.
    fn pending_call(&self) -> Option<OpenCall> {
        let waiting = &self.thread.state.plan().pending()?.tool_use_id;
        self.thread.state.open_calls().iter().find(|call| call.id == *waiting).cloned()
    }

    /// Settles the plan that waits, by an answer from outside or in the dialogue, and goes on with
    /// the turn it was submitted in.
    async fn settle_and_go_on(&mut self, open: &OpenCall, answer: Option<Answer>) {
        let finished = match answer {
            Some(answer) => match self.thread.settle_from_outside(answer).await {
                Ok(Ok(finished)) => Some(finished),
                Ok(Err(why)) => {
                    // Words that came along are not for a plan that is not approved, nor against it.
                    self.thread.closing = true;
                    self.ended.failed.get_or_insert_with(|| why.clone());
                    let hint = say::PLAN_STILL_WAITS.to_owned();
                    return self.thread.say(Notice::Error { cause: why, hint });
                }
                Err(stopped) => return self.stopped(stopped),
            },
            None => match self.thread.settle_pending(None).await {
                Ok(finished) => finished,
                Err(stopped) => return self.stopped(stopped),
            },
        };
        let Some(finished) = finished else { return };
        let goes_on = !self.thread.closing && !self.thread.interrupted;
        if let Err(error) = self.thread.finished(open, finished).and_then(|()| self.thread.refuse_siblings()) {
            return self.failed(&error);
        }
        if goes_on {
            self.turn().await;
        }
    }

    pub(crate) fn stopped(&mut self, stopped: Stopped) {
        if let Stopped::Failed { cause, hint } = stopped {
            self.ended.failed.get_or_insert_with(|| cause.clone());
            self.thread.say(Notice::Error { cause, hint });
        }
    }
}

/// A thread for the session the user talks to.
fn main_thread(
    setup: Arc<Setup>,
    models: Models,
    log: Log,
    state: State,
    (inputs, out): (UnboundedReceiver<Input>, UnboundedSender<Notice>),
) -> Thread {
    let (system, specs) = (system(&setup, None), specs(&setup, None));
    Thread {
        rules: Arc::new(setup.settings.rules.clone()),
        head_bytes: context::head_bytes(&system, &specs),
        system,
        specs,
        setup,
        models,
        who: Who::Main,
        state,
        log,
        unwritten: Vec::new(),
        inputs,
        out,
        queue: VecDeque::new(),
        children: HashMap::new(),
        ancestors: Vec::new(),
        posture: watch::Sender::new(Posture { mode: Mode::Default, read_only: false }),
        questions: Arc::new(AtomicU64::new(1)),
        evidence_ids: Arc::default(),
        instances: Arc::default(),
        script_failed: Arc::default(),
        room: Arc::new(Semaphore::new(bounds::AGENTS_AT_ONCE)),
        cancel: Cancel::new(),
        interrupted: false,
        plan_warning: None,
        closing: false,
        gone: false,
        heard_by_hooks: Arc::default(),
        refused: Vec::new(),
        asked_last: None,
        fallen_back: false,
    }
}

/// The system prompt: the same in every mode.
pub(crate) fn system(setup: &Setup, kind: Option<&AgentType>) -> Arc<str> {
    let facts = SystemFacts {
        cwd: &setup.root,
        platform: std::env::consts::OS,
        date: &setup.date,
        eagerness: setup.settings.plan.eagerness,
        instructions: setup.instructions.as_deref(),
        can_ask: setup.can_ask,
    };
    match kind {
        None => prompts::system(&facts).into(),
        Some(kind) => prompts::agent_system(&facts, &kind.name, kind.prompt.as_deref()).into(),
    }
}

/// The tools on offer: the same in every mode.
pub(crate) fn specs(setup: &Setup, kind: Option<&AgentType>) -> Arc<[ToolSpec]> {
    let offer = Offer {
        can_ask: setup.can_ask,
        channels: setup.channels,
        sub_agent: kind.is_some(),
        read_only_type: kind.is_some_and(|kind| kind.read_only),
        experiments: setup.settings.plan.experiments,
    };
    let types: Vec<_> = setup.agents.iter().map(|kind| (kind.name.as_str(), kind.description.as_str())).collect();
    let mut specs = prompts::tools_with_agents(offer, setup.settings.plan.eagerness, &types);
    if let Some(only) = kind.and_then(|kind| kind.tools.as_ref()) {
        specs.retain(|spec| only.contains(&spec.name));
    }
    specs.into()
}
