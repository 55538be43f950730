//! The face of a program that drives a session over lines of JSON, in the shapes that agent clients
//! already speak (interfaces.md section 4): notices in, lines out; lines in, inputs out.

mod ask;
mod hooks;
mod host;
mod message;
mod read;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;

use planwright_core::bounds;
use planwright_core::call::TOOLS;
use planwright_core::command::{self, COMMANDS};
use planwright_core::dialogue::{Input, Notice, Outcome, Question, QuestionId, TurnEnd, WishId};
use planwright_core::mode::Mode;
use planwright_core::reply::{Stop, Usage};
use planwright_core::request::Block;
use serde_json::{Value, json};

use self::ask::Asker;
use self::hooks::{Hooks, Round};
use self::message::Partial;
use self::read::{Line, Prompt};
use crate::run::{Run, Tally, result_json};
use crate::words;

/// How the lines are to be, and what the face must know of the program.
#[derive(Clone, Debug, Default)]
pub struct StreamOptions {
    /// Say also what arrives of an answer before it is whole.
    pub partial: bool,
    /// Repeat the messages of the host.
    pub replay: bool,
    /// The project root.
    pub cwd: PathBuf,
    /// The model's name, as it was asked for.
    pub model: String,
    /// The types of subagents, each with what it is for.
    pub agents: Vec<(String, String)>,
    /// The program's version.
    pub version: &'static str,
}

/// What follows from a notice or a line.
#[derive(Debug, Default)]
pub struct Step {
    /// Lines to write, each one JSON object.
    pub lines: Vec<Value>,
    /// Inputs for the session.
    pub inputs: Vec<Input>,
    /// Words for standard error.
    pub asides: Vec<String>,
}

/// Makes ids that nobody has used before.
pub type Ids = Box<dyn FnMut() -> String + Send>;

/// What of the session is asked of the host.
#[derive(Debug)]
enum Open {
    /// May this call run, and the like.
    Permission { id: QuestionId, question: Box<Question>, asker: Asker },
    /// What does this callback say?
    Hook { id: QuestionId, callback: String, blocks_on_failure: bool },
}

/// Turns notices into lines, and lines into inputs.
pub struct StreamFace {
    options: StreamOptions,
    ids: Ids,
    session_id: String,
    mode: Mode,
    /// Which call started a subagent.
    parents: HashMap<String, String>,
    /// The last call of each thread: what it asks is about that call.
    calls: HashMap<Option<String>, Asker>,
    partial: Partial,
    tally: Tally,
    /// When the turn of now, or what the host said last, began.
    since_ms: u64,
    /// The host waits for a result.
    owed: bool,
    /// The outcome in the last result.
    told: Option<Outcome>,
    /// What the host said, one by one when the session is idle.
    queue: VecDeque<Prompt>,
    idle: bool,
    /// What was handed on last is not taken up yet: the session may still say that it was idle before.
    handed_on: bool,
    ended: bool,
    lines_read: u64,
    /// Open requests to the host, by their ids.
    open: BTreeMap<String, Open>,
    hooks: Hooks,
    rounds: HashMap<QuestionId, Round>,
    /// Requests of the host that the session is dealing with, and what to answer when it did.
    wishes: HashMap<WishId, Option<(String, Value)>>,
    next_wish: u64,
    /// How often the plan that waits was shown again.
    shown_again: u32,
}

impl StreamFace {
    /// A face at the beginning of a session.
    pub fn new(options: StreamOptions, ids: Ids) -> Self {
        Self {
            options,
            ids,
            session_id: String::new(),
            mode: Mode::Default,
            parents: HashMap::new(),
            calls: HashMap::new(),
            partial: Partial::default(),
            tally: Tally::default(),
            since_ms: 0,
            owed: false,
            told: None,
            queue: VecDeque::new(),
            idle: false,
            handed_on: false,
            ended: false,
            lines_read: 0,
            open: BTreeMap::new(),
            hooks: Hooks::default(),
            rounds: HashMap::new(),
            wishes: HashMap::new(),
            next_wish: 0,
            shown_again: 0,
        }
    }

    /// What follows from a notice. `now_ms`: milliseconds since any one moment.
    pub fn hear(&mut self, notice: &Notice, now_ms: u64) -> Step {
        self.tally.hear(notice, now_ms);
        let mut step = Step::default();
        match notice {
            Notice::Session { session_id, mode } => {
                (self.session_id, self.mode) = (session_id.clone(), *mode);
                step.lines.push(self.init());
            }
            Notice::TextDelta(text) if self.options.partial => step.lines = self.arrived(text),
            Notice::Answered { agent, model, blocks, stop, usage } => {
                step.lines = self.answered(agent.as_ref(), model, blocks, *stop, *usage);
            }
            Notice::Again { agent: _, again } => {
                self.partial.void();
                step.lines.push(message::api_retry(again));
            }
            Notice::AgentStarted { agent, tool_use_id } => {
                self.parents.insert(agent.clone(), tool_use_id.clone());
            }
            Notice::ToolCalled { agent, id, tool, input, argument: _ } => {
                let asker = Asker { tool: tool.clone(), tool_use_id: id.clone(), input: input.clone() };
                self.calls.insert(agent.clone(), asker);
            }
            Notice::ToolFinished { agent, id, content, is_error, tool: _, diff: _, scratch: _ } => {
                step.lines.push(message::tool_result(id, content, *is_error, self.parent(agent.as_ref())));
            }
            Notice::Refused { agent, id, tool, by, message, input: _ } => {
                step.lines.push(message::denied(agent.as_ref(), id, tool, by, message));
            }
            Notice::Compacted { agent: None, trigger, tokens_before, tokens_after } => {
                step.lines.push(message::compacted(*trigger, *tokens_before, *tokens_after));
            }
            Notice::ModeChanged { from: _, to, cause: _ } => step.lines.extend(self.mode_changed(*to)),
            Notice::Asked(id, question) => self.asked(*id, question, &mut step),
            Notice::Settled(id) => self.settled(*id, &mut step),
            Notice::WishSettled(id, done) => self.wish_settled(*id, done, &mut step),
            Notice::TakenUp => self.handed_on = false,
            Notice::TurnStarted => (self.owed, self.idle) = (true, false),
            Notice::TurnEnded(end) => {
                let (outcome, text) = self.outcome(end);
                step.lines.push(self.result(outcome, text, now_ms));
            }
            Notice::Idle => self.rest(now_ms, &mut step),
            Notice::TextDelta(_)
            | Notice::Text { .. }
            | Notice::Compacted { agent: Some(_), .. }
            | Notice::Attached { .. }
            | Notice::Plan { .. }
            | Notice::Protection(_)
            | Notice::Said(_)
            | Notice::PlanShown { .. }
            | Notice::Warning { .. }
            | Notice::Error { .. }
            | Notice::OfferBack(_)
            | Notice::Aside(..)
            | Notice::Todos(_) => {}
        }
        self.signed(step)
    }

    /// What follows from a line of the host; `None` = one that was too long to be read.
    pub fn read(&mut self, text: Option<&str>, now_ms: u64) -> Step {
        self.lines_read += 1;
        let mut step = Step::default();
        let too_long = || format!("it is longer than {} bytes", bounds::PIPED_BYTES);
        match text.map_or_else(|| Err(too_long()), read::line) {
            Ok(Line::Nothing) => {}
            Ok(Line::Prompt(prompt)) => self.prompt(prompt, now_ms, &mut step),
            Ok(Line::Request { id, request }) => match request {
                Ok(request) => self.requested(id, request, &mut step),
                Err(why) => step.lines.push(host::refused(&id, &why)),
            },
            Ok(Line::Response { id, answer }) => self.answered_by_host(&id, answer, &mut step),
            Err(why) => step.asides.push(words::bad_line(self.lines_read, &why)),
        }
        self.signed(step)
    }

    /// What follows from a prompt that came otherwise than by a line.
    pub fn say(&mut self, text: String, now_ms: u64) -> Step {
        let message = json!({"role": "user", "content": text});
        let mut step = Step::default();
        self.prompt(Prompt { text, verbatim: false, uuid: None, message }, now_ms, &mut step);
        self.signed(step)
    }

    /// The host says nothing more: nobody answers from here on, and what it said is dealt with.
    pub fn end(&mut self) -> Step {
        let mut step = Step::default();
        if !self.ended {
            self.ended = true;
            step.inputs.push(Input::Gone);
            self.leave(&mut step);
        }
        step
    }

    /// The program is to stop: what the host said and was not begun is dropped.
    pub fn stop(&mut self) -> Step {
        self.queue.clear();
        self.end()
    }

    /// How what the host said last ended, as it was told; `None` if it was told nothing yet.
    pub const fn told(&self) -> Option<&Outcome> {
        if self.owed { None } else { self.told.as_ref() }
    }

    /// Whether the host waits for nothing.
    pub const fn quiet(&self) -> bool {
        !self.owed
    }

    fn leave(&self, step: &mut Step) {
        if self.ended && self.idle && self.queue.is_empty() {
            step.inputs.push(Input::Close);
        }
    }

    /// Gives every line the session and an id of its own.
    fn signed(&mut self, mut step: Step) -> Step {
        for line in &mut step.lines {
            let Some(object) = line.as_object_mut() else { continue };
            if object.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("control_")) {
                continue;
            }
            object.insert("session_id".to_owned(), json!(self.session_id));
            object.entry("uuid").or_insert_with(|| json!((self.ids)()));
        }
        step
    }

    fn init(&self) -> Value {
        json!({
            "type": "system",
            "subtype": "init",
            "cwd": self.options.cwd,
            "tools": TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>(),
            "mcp_servers": [],
            "model": self.options.model,
            "permissionMode": self.mode,
            "slash_commands": COMMANDS.iter().map(|row| row.name).collect::<Vec<_>>(),
            "agents": self.options.agents.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "apiKeySource": "none",
            // The field by which clients ask for the version of what they talk to.
            "claude_code_version": self.options.version,
            "output_style": "default",
            "skills": [],
            "plugins": [],
        })
    }

    /// A piece of text of the main thread.
    fn arrived(&mut self, text: &str) -> Vec<Value> {
        let (ids, model) = (&mut self.ids, &self.options.model);
        let events = self.partial.text(text, model, || format!("msg_{}", ids()));
        events.iter().map(stream_event).collect()
    }

    /// The mode that a session begins in is part of how it begins, and no change.
    fn mode_changed(&mut self, to: Mode) -> Option<Value> {
        self.mode = to;
        (!self.session_id.is_empty()).then(|| message::status(to))
    }

    fn parent(&self, agent: Option<&String>) -> Option<&String> {
        agent.and_then(|agent| self.parents.get(agent))
    }

    fn answered(
        &mut self,
        agent: Option<&String>,
        model: &str,
        blocks: &[Block],
        stop: Stop,
        usage: Usage,
    ) -> Vec<Value> {
        let main = agent.is_none();
        let begun = self.partial.id().filter(|_| main).map(str::to_owned);
        let id = begun.unwrap_or_else(|| format!("msg_{}", (self.ids)()));
        let whole = json!({
            "type": "assistant",
            "message": message::assistant(&id, model, blocks, stop, usage),
            "parent_tool_use_id": self.parent(agent),
        });
        let mut lines = Vec::new();
        if main && self.options.partial {
            let events = self.partial.rest(&id, model, blocks, stop, usage);
            lines.extend(events.iter().map(stream_event));
        }
        lines.push(whole);
        lines
    }

    /// How a turn ended, as the host is told: a plan that waits is its result.
    fn outcome(&self, end: &TurnEnd) -> (Outcome, String) {
        match (&end.outcome, &self.tally.plan) {
            (Outcome::PlanPending, Some((_, plan, true))) => (Outcome::PlanPending, plan.clone()),
            _ => (end.outcome.clone(), end.text.clone()),
        }
    }

    fn result(&mut self, outcome: Outcome, text: String, now_ms: u64) -> Value {
        let (plan_file, plan) = self.tally.plan.clone().map(|(path, plan, _)| (path, plan)).unzip();
        let run = Run {
            outcome,
            result: text,
            session_id: self.session_id.clone(),
            duration_ms: now_ms.saturating_sub(self.since_ms),
            tally: self.tally.clone(),
            plan,
            plan_file,
        };
        self.tally.next_turn();
        self.told = Some(run.outcome.clone());
        self.owed = false;
        self.since_ms = now_ms;
        result_json(&run)
    }

    /// The session is idle: the host gets its result if it was no turn that it wanted, and the next
    /// of what it said is begun.
    fn rest(&mut self, now_ms: u64, step: &mut Step) {
        if self.handed_on {
            return;
        }
        self.idle = true;
        if self.owed {
            let text = self.tally.said.join("\n");
            let outcome = match self.tally.errors.last() {
                Some(why) => Outcome::Failed(why.clone()),
                None => Outcome::Done,
            };
            step.lines.push(self.result(outcome, text, now_ms));
        }
        self.next(now_ms, step);
        self.leave(step);
    }

    fn prompt(&mut self, prompt: Prompt, now_ms: u64, step: &mut Step) {
        self.queue.push_back(prompt);
        self.next(now_ms, step);
    }

    fn next(&mut self, now_ms: u64, step: &mut Step) {
        while self.idle {
            let Some(prompt) = self.queue.pop_front() else { return };
            self.since_ms = now_ms;
            if self.options.replay {
                let uuid = prompt.uuid.clone().unwrap_or_else(|| (self.ids)());
                step.lines.push(json!({
                    "type": "user", "message": prompt.message, "parent_tool_use_id": null,
                    "isReplay": true, "uuid": uuid,
                }));
            }
            let parsed = if prompt.verbatim { None } else { command::parse(&prompt.text) };
            let input = match parsed {
                None => Input::Prompt(prompt.text),
                Some(Ok(command)) => Input::Command(command),
                Some(Err(why)) => {
                    step.lines.push(self.result(Outcome::Failed(why), String::new(), now_ms));
                    continue;
                }
            };
            (self.owed, self.idle, self.handed_on) = (true, false, true);
            step.inputs.push(input);
        }
    }
}

fn stream_event(event: &Value) -> Value {
    json!({"type": "stream_event", "event": event, "parent_tool_use_id": null})
}
