//! One conversation: its state, its log, and its wires to the outside.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jiff::Timestamp;
use planwright_core::attach::Attachment;
use planwright_core::command::{Command, PlanCommand};
use planwright_core::dialogue::{Answer, Input, Notice, Question, QuestionId, Wish, WishId};
use planwright_core::mode::{self, Cause, Mode, Posture};
use planwright_core::permit::Refusal;
use planwright_core::plan::OnDisk;
use planwright_core::request::{AgentRef, ToolSpec};
use planwright_core::rules::{Layer, Origin, Rules};
use planwright_core::say;
use planwright_core::state::State;
use planwright_core::transcript::{Entry, Fact, Snapshot};
use planwright_store::StoreError;
use planwright_store::log::Log;
use planwright_store::plans::PlanRead;
use planwright_tools::Cancel;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::{Semaphore, watch};
use uuid::Uuid;

use crate::aside::Asides;
use crate::setup::{Models, Setup};

/// Who a thread belongs to.
#[derive(Clone, Debug)]
pub(crate) enum Who {
    /// The session the user talks to.
    Main,
    /// A subagent.
    Agent {
        /// Its id.
        id: String,
        /// Its type and number.
        agent: AgentRef,
        /// How deep: 1 = started by the main thread.
        depth: usize,
        /// Read-only to its end: by type, or born while its parent planned.
        read_only: bool,
    },
}

/// What came of a question.
pub(crate) enum Heard {
    /// An answer.
    Answer(Answer),
    /// Nobody is there to answer.
    Nobody,
    /// The user stopped the turn instead.
    Interrupted,
}

/// One conversation.
pub(crate) struct Thread {
    pub(crate) setup: Arc<Setup>,
    pub(crate) models: Models,
    pub(crate) who: Who,
    pub(crate) state: State,
    pub(crate) log: Log,
    /// What is in force but could not be written down yet.
    pub(crate) unwritten: Vec<Entry>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) system: Arc<str>,
    pub(crate) specs: Arc<[ToolSpec]>,
    /// Bytes of system prompt and tools.
    pub(crate) head_bytes: u64,
    pub(crate) inputs: UnboundedReceiver<Input>,
    pub(crate) out: UnboundedSender<Notice>,
    /// Said while a turn was running; dealt with after it.
    pub(crate) queue: VecDeque<Input>,
    /// Where the running subagents of this thread listen.
    pub(crate) children: HashMap<String, UnboundedSender<Input>>,
    /// How the threads above stand, nearest first.
    pub(crate) ancestors: Vec<watch::Receiver<Posture>>,
    pub(crate) posture: watch::Sender<Posture>,
    pub(crate) questions: Arc<AtomicU64>,
    /// The last id of evidence given in the session, in subagents too.
    pub(crate) evidence_ids: Arc<AtomicU32>,
    /// How many subagents of each type the session has started, those of subagents included.
    pub(crate) instances: Arc<Mutex<BTreeMap<String, usize>>>,
    /// A script failed, here or in a subagent: the run has failed, whatever else it comes to.
    pub(crate) script_failed: Arc<OnceLock<String>>,
    /// Room for subagents of the main thread; the others wait.
    pub(crate) room: Arc<Semaphore>,
    /// Stops the commands and searches of this turn.
    pub(crate) cancel: Cancel,
    /// The user stopped the turn.
    pub(crate) interrupted: bool,
    /// What was odd about the plan file when it was last looked at.
    pub(crate) plan_warning: Option<String>,
    /// The surface went away.
    pub(crate) closing: bool,
    /// Nobody answers any more; the turn goes on.
    pub(crate) gone: bool,
    /// The surface has hooks that want to hear of every call of the session.
    pub(crate) heard_by_hooks: Arc<AtomicBool>,
    /// What was refused in this turn.
    pub(crate) refused: Vec<Refusal>,
    /// The model that was asked last.
    pub(crate) asked_last: Option<String>,
    /// The model gave up in this turn, and the fallback answers for the rest of it.
    pub(crate) fallen_back: bool,
}

impl Thread {
    /// Writes facts down, then lets them take effect, then tells the surface.
    pub(crate) fn record(&mut self, facts: Vec<Fact>) -> Result<(), StoreError> {
        let new: Vec<_> = facts.into_iter().map(stamped).collect();
        self.append(&new)?;
        new.iter().for_each(|entry| self.take_effect(&entry.fact));
        Ok(())
    }

    /// Writes entries down, behind those that could not be written before.
    fn append(&mut self, new: &[Entry]) -> Result<(), StoreError> {
        if self.unwritten.is_empty() {
            return self.log.append(new);
        }
        self.log.append(&[&self.unwritten, new].concat())?;
        self.unwritten.clear();
        Ok(())
    }

    /// Like [`Self::record`], for a move the user must be able to make even when the log cannot be
    /// written (a full disk must not lock anybody into plan mode). Says so if it was not recorded;
    /// it is written with whatever can be written next.
    pub(crate) fn record_or_warn(&mut self, facts: Vec<Fact>) {
        let new: Vec<_> = facts.into_iter().map(stamped).collect();
        let written = self.append(&new);
        new.iter().for_each(|entry| self.take_effect(&entry.fact));
        if let Err(error) = written {
            self.unwritten.extend(new);
            self.say(Notice::Warning { key: "not-recorded", text: say::not_recorded(&error.to_string()) });
        }
    }

    fn take_effect(&mut self, fact: &Fact) {
        self.state.apply(fact);
        match fact {
            // A subagent only follows the thread above it; that one told of the change.
            Fact::PermissionMode(_) if !matches!(self.who, Who::Main) => {}
            Fact::PermissionMode(change) => {
                if change.to == Mode::Plan {
                    self.tell_of_running_work();
                    self.tell_of_protection();
                } else if change.from == Mode::Plan {
                    self.setup.tools.end_scratch();
                }
                self.say(Notice::ModeChanged { from: change.from, to: change.to, cause: change.cause });
                if let Some(reason) = &change.fallback {
                    let text = format!("plan exit → {} · {reason}", change.to);
                    self.say(Notice::Warning { key: "auto-mode-gate-plan-exit-fallback", text });
                }
            }
            Fact::Attachment { attachment } => {
                self.say(Notice::Attached { agent: self.agent_id(), attachment: attachment.clone() });
            }
            Fact::Protection(found) if self.state.permissions().planning() => {
                self.say(Notice::Protection(found.clone()));
            }
            Fact::Cleared {} => self.setup.tools.end_scratch(),
            Fact::Todos { todos } => self.say(Notice::Todos(todos.clone())),
            Fact::RuleAdded { .. } => self.rules = self.effective_rules(),
            Fact::AgentStarted { agent_id, tool_use_id, .. } => {
                self.say(Notice::AgentStarted { agent: agent_id.clone(), tool_use_id: tool_use_id.clone() });
            }
            Fact::PlanSubmitted { .. } | Fact::PlanDecision(_) => self.say_plan(fact),
            Fact::Notice { text, .. } => self.say(Notice::Warning { key: "session", text: text.clone() }),
            _ => {}
        }
        self.publish_posture();
    }

    /// Tells how the submitted plan stands after this fact.
    fn say_plan(&self, fact: &Fact) {
        let Some(submission) = &self.state.plan().submission else { return };
        let approved = match fact {
            Fact::PlanDecision(decision) => decision.text.as_ref(),
            _ => None,
        };
        let text = approved.unwrap_or(&submission.text).clone();
        self.say(Notice::Plan { path: submission.path.clone(), text, waits: submission.decision.is_none() });
    }

    /// What was permitted before plan mode and still runs is not stopped: the user is told of it.
    fn tell_of_running_work(&self) {
        let running = self.setup.tools.background();
        let commands: Vec<_> = running.iter().filter(|command| command.ending.is_none()).collect();
        for command in commands {
            let text = say::still_runs(command.id, &command.command);
            self.say(Notice::Warning { key: "still-runs", text });
        }
        if !self.children.is_empty() {
            self.say(Notice::Warning { key: "still-runs", text: say::AGENTS_STILL_RUN.to_owned() });
        }
    }

    /// Tells the agents below how this thread stands now.
    pub(crate) fn publish_posture(&self) {
        let now = Posture { mode: self.state.permissions().mode(), read_only: self.read_only() };
        self.posture.send_if_modified(|posture| std::mem::replace(posture, now) != now);
    }

    /// Rules of the settings and of this session's answers.
    pub(crate) fn effective_rules(&self) -> Arc<Rules> {
        let mut rules = self.setup.settings.rules.clone();
        let origin = Origin { layer: Layer::Session, ..self.setup.origin.clone() };
        for (behavior, text) in self.state.session_rules() {
            // Rules in a log were parsed before; one that cannot be any more fails closed.
            let _ = rules.add_text(*behavior, text, &origin);
        }
        Arc::new(rules)
    }

    /// Tells the surface. A surface that went away hears nothing.
    pub(crate) fn say(&self, notice: Notice) {
        let _ = self.out.send(notice);
    }

    /// The subagent's id; `None` for the main thread.
    pub(crate) fn agent_id(&self) -> Option<String> {
        match &self.who {
            Who::Main => None,
            Who::Agent { id, .. } => Some(id.clone()),
        }
    }

    /// Whether this thread may only read, whatever its mode: by type or birth, or because a thread
    /// above it plans or may only read.
    pub(crate) fn read_only(&self) -> bool {
        let born = match &self.who {
            Who::Main => false,
            Who::Agent { read_only, .. } => *read_only,
        };
        born || self.ancestors.iter().any(|above| above.borrow().only_reads())
    }

    /// A subagent is never looser than the threads above it: it takes on the main thread's mode of
    /// now. An agent between the two may be waiting, and not have followed yet.
    pub(crate) fn follow_parent(&mut self) -> Result<(), StoreError> {
        let Some(above) = self.ancestors.last().map(|above| above.borrow().mode) else { return Ok(()) };
        let change = mode::change(self.state.permissions(), above, Cause::Parent, &self.setup.auto, &self.rules);
        match change {
            Some(change) => self.record(vec![Fact::PermissionMode(change)]),
            None => Ok(()),
        }
    }

    /// Goes to a mode, through the one function that can.
    pub(crate) fn go_to(&mut self, to: Mode, cause: Cause) {
        let change = mode::change(self.state.permissions(), to, cause, &self.setup.auto, &self.rules);
        if let Some(change) = change {
            self.record_or_warn(vec![Fact::PermissionMode(change)]);
        }
    }

    /// The plan file of this thread, named when first needed.
    pub(crate) fn plan_file(&mut self) -> Result<PathBuf, StoreError> {
        if let Some(path) = &self.state.plan().path {
            return Ok(path.clone());
        }
        let slug = self.setup.plans.new_slug(self.setup.seed)?;
        let path = self.setup.plans.path(&slug);
        self.record(vec![Fact::PlanSlug { slug: slug.to_string(), path: path.clone() }])?;
        Ok(path)
    }

    /// The plan file as it is on disk now; what is odd about it is told to the user, once.
    pub(crate) fn plan_on_disk(&mut self, path: &Path) -> OnDisk {
        let (on_disk, warning) = match self.setup.plans.read(path) {
            PlanRead::None => (OnDisk::Missing, None),
            PlanRead::Text { text, warning, .. } => (OnDisk::Text(text), warning),
            PlanRead::Unreadable(why) => {
                let text = say::plan_file_unreadable(path, &why);
                (OnDisk::Unreadable(why), Some(text))
            }
        };
        if let Some(text) = warning.clone().filter(|_| warning != self.plan_warning) {
            self.say(Notice::Warning { key: "plan-file", text });
        }
        self.plan_warning = warning;
        on_disk
    }

    /// Keeps the plan in the log where the disk does not last.
    pub(crate) fn snapshot_plan(&mut self) -> Result<(), StoreError> {
        let Some(path) = self.state.plan().path.clone().filter(|_| self.setup.remote) else { return Ok(()) };
        let OnDisk::Text(content) = self.plan_on_disk(&path) else { return Ok(()) };
        if self.state.plan().snapshot.as_ref().is_some_and(|kept| kept.content == content && kept.path == path) {
            return Ok(());
        }
        self.record(vec![Fact::FileSnapshot { files: vec![Snapshot { key: "plan".to_owned(), path, content }] }])
    }

    /// The number of the next subagent of a type, in order in the whole session.
    pub(crate) fn next_instance(&self, agent_type: &str) -> usize {
        let mut instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
        let next = instances.entry(agent_type.to_owned()).or_default();
        // After a resume the log knows of those started before.
        let instance = (*next).max(self.state.agents().get(agent_type).copied().unwrap_or(0));
        *next = instance + 1;
        instance
    }

    /// Whether somebody can answer a question of this thread.
    pub(crate) fn can_ask(&self) -> bool {
        self.setup.can_ask && !self.closing && !self.gone
    }

    /// Puts a question to the user and waits for its answer. Everything else that is said
    /// meanwhile is dealt with; the end of the surface is the cautious answer.
    pub(crate) async fn put(&mut self, question: Question) -> Heard {
        // What was said before the question came up is no answer to it.
        while let Ok(input) = self.inputs.try_recv() {
            self.meanwhile(input);
        }
        if self.interrupted {
            return Heard::Interrupted;
        }
        if self.gone {
            return Heard::Nobody;
        }
        let id = QuestionId(self.questions.fetch_add(1, Ordering::Relaxed));
        let about_plan = matches!(question, Question::Plan(_));
        self.say(Notice::Asked(id, question));
        let mut asides = Asides::new(id);
        let heard = loop {
            let input = tokio::select! {
                input = self.inputs.recv() => input,
                said = asides.next() => {
                    self.aside_said(&mut asides, said);
                    continue;
                }
            };
            match input {
                Some(Input::Answer(settled, answer)) if settled == id => {
                    break if answer == Answer::Nobody { Heard::Nobody } else { Heard::Answer(answer) };
                }
                // Words typed while a plan waits are what should change in it.
                Some(Input::Prompt(feedback)) if about_plan => {
                    break Heard::Answer(Answer::keep_planning(feedback, "user"));
                }
                Some(Input::AskAside(about, question)) if about == id && about_plan => {
                    self.ask_aside(&mut asides, question);
                }
                // Whoever stops an answer has not decided about the plan.
                Some(Input::StopAside | Input::Interrupt) if asides.running() => self.stop_aside(&mut asides),
                Some(Input::Interrupt) => {
                    self.meanwhile(Input::Interrupt);
                    break Heard::Interrupted;
                }
                Some(Input::Close | Input::Command(Command::Exit)) | None => {
                    self.closing = true;
                    break Heard::Answer(Answer::Dismissed);
                }
                Some(Input::Gone) => {
                    self.meanwhile(Input::Gone);
                    break Heard::Nobody;
                }
                Some(other) => self.meanwhile(other),
            }
        };
        self.end_asides(asides);
        self.say(Notice::Settled(id));
        heard
    }

    /// Deals with what is said while a turn is running.
    pub(crate) fn meanwhile(&mut self, input: Input) {
        match input {
            Input::Answer(id, answer) => {
                for child in self.children.values() {
                    let _ = child.send(Input::Answer(id, answer.clone()));
                }
            }
            Input::Interrupt => {
                self.interrupted = true;
                self.tell_children(&Input::Interrupt);
            }
            Input::Gone => {
                self.gone = true;
                self.tell_children(&Input::Gone);
            }
            Input::Wish(id, wish) => self.fulfil(id, wish),
            Input::Close => {
                self.closing = true;
                self.interrupted = true;
                self.tell_children(&Input::Interrupt);
            }
            // A question about a plan that waits no more.
            Input::AskAside(..) | Input::StopAside => {}
            Input::CycleMode => self.cycle_mode(),
            Input::Command(Command::Mode(Some(mode))) => self.set_mode(mode),
            Input::Command(Command::Plan(PlanCommand::Off)) if self.state.permissions().planning() => {
                self.leave_plan_mode(Cause::Command);
            }
            Input::Command(Command::Plan(PlanCommand::Plain | PlanCommand::Open))
                if !self.state.permissions().planning() =>
            {
                self.go_to(Mode::Plan, Cause::Command);
                self.say(Notice::Said(say::PLAN_ON.to_owned()));
            }
            // Entered at once; the words are for the model when this turn is over.
            Input::Command(Command::Plan(PlanCommand::Describe(text))) if !self.state.permissions().planning() => {
                self.go_to(Mode::Plan, Cause::Command);
                self.say(Notice::Said(say::PLAN_ON.to_owned()));
                self.queue.push_back(Input::Prompt(text));
            }
            later @ (Input::Prompt(_) | Input::Command(_) | Input::Shell(_)) => {
                self.say(Notice::Said(say::AFTER_THIS.to_owned()));
                self.queue.push_back(later);
            }
        }
    }

    /// Does what the other side of a protocol wants, and tells it.
    pub(crate) fn fulfil(&mut self, id: WishId, wish: Wish) {
        let done = match wish {
            Wish::SetMode(to) => mode::may_set(to, &self.setup.auto).map(|()| self.go_to(to, Cause::Client)),
            Wish::SetModel(spec) => (self.setup.make_model)(&spec).map(|model| self.models.main = model),
            Wish::HearCalls => {
                self.heard_by_hooks.store(true, Ordering::Relaxed);
                Ok(())
            }
        };
        self.say(Notice::WishSettled(id, done));
    }

    fn tell_children(&self, input: &Input) {
        for child in self.children.values() {
            let _ = child.send(input.clone());
        }
    }

    /// The mode key.
    pub(crate) fn cycle_mode(&mut self) {
        let next = mode::next_in_cycle(self.state.permissions().mode(), &self.setup.auto);
        self.go_to(next, Cause::Cycle);
    }

    /// `/mode MODE`.
    pub(crate) fn set_mode(&mut self, to: Mode) {
        if to != Mode::Plan && self.kept_planning() {
            return;
        }
        match mode::may_set(to, &self.setup.auto) {
            Ok(()) => {
                self.go_to(to, Cause::Command);
                self.say(Notice::Said(self.mode_line()));
            }
            Err(why) => self.say(Notice::Said(why)),
        }
    }

    /// `/plan off`: back to the mode before, without an approval.
    pub(crate) fn leave_plan_mode(&mut self, cause: Cause) {
        if self.kept_planning() {
            return;
        }
        let before = self.state.permissions().pre_plan_mode().unwrap_or_default();
        self.go_to(before, cause);
    }

    /// Whether a run that nobody types into plans, so that words said to it do not end that. Says so.
    pub(crate) fn kept_planning(&self) -> bool {
        let kept = self.setup.relayed && self.state.permissions().planning();
        if kept {
            let (cause, hint) = (say::KEPT_PLANNING.to_owned(), say::KEPT_PLANNING_HINT.to_owned());
            self.say(Notice::Error { cause, hint });
        }
        kept
    }

    /// What `/mode` prints.
    pub(crate) fn mode_line(&self) -> String {
        mode::line(self.state.permissions().mode(), &self.setup.auto)
    }

    /// The note of how the plan stands, for a context that lost it.
    pub(crate) fn plan_reference(&mut self) -> Option<Fact> {
        let path = self.state.plan().path.clone()?;
        let OnDisk::Text(text) = self.plan_on_disk(&path) else { return None };
        if planwright_core::text::blank(&text) {
            return None;
        }
        let status = self.state.plan().status(&planwright_core::plan::digest(&text));
        Some(Fact::Attachment {
            attachment: Attachment::PlanFileReference { plan_file_path: path, plan_content: text, status },
        })
    }
}

/// Gives a fact its identity and time.
pub(crate) fn stamped(fact: Fact) -> Entry {
    Entry { uuid: Uuid::now_v7(), timestamp: Timestamp::now(), fact }
}
