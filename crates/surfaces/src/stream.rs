//! The face of a program that drives a session over lines of JSON, in the shapes that agent clients
//! already speak (interfaces.md section 4): notices in, lines out; lines in, inputs out.

mod ask;
mod hooks;
mod message;
mod read;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;

use planwright_core::bounds;
use planwright_core::call::TOOLS;
use planwright_core::command::{self, COMMANDS};
use planwright_core::dialogue::{
    Answer, HookAnswer, HookQuestion, Input, Notice, Outcome, PlanQuestion, Question, QuestionId, TurnEnd, Wish, WishId,
};
use planwright_core::mode::Mode;
use planwright_core::reply::{Stop, Usage};
use planwright_core::request::Block;
use serde_json::{Map, Value, json};

use self::ask::Asker;
use self::hooks::{Hooks, Round};
use self::message::Partial;
use self::read::{Line, Prompt, Request};
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
    /// Tokens of the main thread's last request.
    context_tokens: u64,
    /// When the turn of now, or what the host said last, began.
    since_ms: u64,
    /// The host waits for a result.
    owed: bool,
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
            context_tokens: 0,
            since_ms: 0,
            owed: false,
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
            Notice::TextDelta(text) if self.options.partial => {
                let (ids, model) = (&mut self.ids, &self.options.model);
                step.lines = self.partial.text(text, model, || format!("msg_{}", ids()));
                step.lines = std::mem::take(&mut step.lines).into_iter().map(|event| stream_event(&event)).collect();
            }
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
            Notice::ToolFinished { agent, id, content, is_error, tool: _, diff: _ } => step.lines.push(json!({
                "type": "user",
                "message": message::tool_result(id, content, *is_error),
                "parent_tool_use_id": self.parent(agent.as_ref()),
            })),
            Notice::Refused { agent, id, tool, by, message, input: _ } => step.lines.push(json!({
                "type": "system", "subtype": "permission_denied", "tool_name": tool, "tool_use_id": id,
                "agent_id": agent, "decision_reason": by, "message": message,
            })),
            Notice::Compacted => step.lines.push(json!({
                "type": "system", "subtype": "compact_boundary",
                "compact_metadata": {"trigger": "manual", "pre_tokens": self.context_tokens},
            })),
            Notice::ModeChanged { from: _, to, cause: _ } => {
                self.mode = *to;
                // The mode that a session begins in is part of how it begins.
                if !self.session_id.is_empty() {
                    step.lines
                        .push(json!({"type": "system", "subtype": "status", "status": null, "permissionMode": to}));
                }
            }
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
            | Notice::Attached { .. }
            | Notice::Plan { .. }
            | Notice::Said(_)
            | Notice::Warning { .. }
            | Notice::Error { .. }
            | Notice::OfferBack(_)
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
                Err(why) => step.lines.push(refused(&id, &why)),
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

    /// Whether the host was told how what it said last ended.
    pub const fn settled_up(&self) -> bool {
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
        if main {
            self.context_tokens =
                usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
        }
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
            total_cost_usd: 0.0,
            tally: self.tally.clone(),
            plan,
            plan_file,
        };
        self.tally.next_turn();
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

    /// The host wants something.
    fn requested(&mut self, id: String, request: Request, step: &mut Step) {
        match request {
            Request::Initialize { hooks, without_effect } => {
                if !without_effect.is_empty() {
                    step.asides.push(words::without_effect(&without_effect));
                }
                if !hooks.is_empty() {
                    step.inputs.push(self.wish(Wish::HearCalls, None));
                }
                self.hooks = hooks;
                step.lines.push(granted(&id, self.abilities()));
            }
            Request::Interrupt => {
                step.inputs.push(Input::Interrupt);
                let waiting: Vec<_> = self.queue.iter().filter_map(|prompt| prompt.uuid.clone()).collect();
                step.lines.push(granted(&id, json!({"still_queued": waiting})));
            }
            Request::SetMode(mode) => {
                step.inputs.push(self.wish(Wish::SetMode(mode), Some((id, json!({"mode": mode})))));
            }
            Request::SetModel(model) => {
                let model = model.unwrap_or_else(|| self.options.model.clone());
                step.inputs.push(self.wish(Wish::SetModel(model), Some((id, json!({})))));
            }
            Request::McpStatus => step.lines.push(granted(&id, json!({"mcpServers": []}))),
        }
    }

    fn wish(&mut self, wish: Wish, answer: Option<(String, Value)>) -> Input {
        let id = WishId(self.next_wish);
        self.next_wish += 1;
        self.wishes.insert(id, answer);
        Input::Wish(id, wish)
    }

    fn wish_settled(&mut self, id: WishId, done: &Result<(), String>, step: &mut Step) {
        match (self.wishes.remove(&id).flatten(), done) {
            (Some((request, answer)), Ok(())) => step.lines.push(granted(&request, answer)),
            (Some((request, _)), Err(why)) => step.lines.push(refused(&request, why)),
            (None, Err(why)) => step.asides.push(words::wish_refused(why)),
            (None, Ok(())) => {}
        }
    }

    /// What a host may know before it says anything.
    fn abilities(&self) -> Value {
        let command = |row: &command::CommandRow| json!({"name": row.name, "description": row.description, "argumentHint": row.hint});
        json!({
            "commands": COMMANDS.iter().map(command).collect::<Vec<_>>(),
            "agents": self.options.agents.iter().map(|(name, what)| json!({"name": name, "description": what})).collect::<Vec<_>>(),
            "output_style": "default",
            "available_output_styles": ["default"],
            "models": [{"value": self.options.model, "displayName": self.options.model, "description": ""}],
            "account": {},
            "hooks_applied": true,
            "hook_on_failure_supported": true,
            "pending_permission_requests": [],
        })
    }

    /// A question of the session becomes a request to the host.
    fn asked(&mut self, id: QuestionId, question: &Question, step: &mut Step) {
        match question {
            Question::Hook(question) => return self.ask_hooks(id, question, step),
            Question::Editor(_) => {
                let answer = Answer::Edited(Err(words::HOST_HAS_NO_EDITOR.to_owned()));
                return step.inputs.push(Input::Answer(id, answer));
            }
            Question::Plan(PlanQuestion { note: Some(note), .. }) => {
                self.shown_again += 1;
                // A program may give the same answer for ever.
                if self.shown_again > bounds::PLAN_SHOWN_AGAIN {
                    return step.inputs.push(Input::Answer(id, Answer::Declined(note.clone())));
                }
            }
            Question::Plan(_) => self.shown_again = 0,
            Question::Permission(_) | Question::EnterPlan | Question::User(_) => {}
        }
        let agent = match question {
            Question::Permission(question) => question.agent.clone(),
            Question::Plan(_) | Question::EnterPlan | Question::User(_) | Question::Editor(_) | Question::Hook(_) => {
                None
            }
        };
        let asker = self.calls.get(&agent).cloned().unwrap_or_default();
        let Some(request) = ask::request(question, &asker) else { return };
        let question = Box::new(question.clone());
        step.lines.push(self.ask(request, Open::Permission { id, question, asker }));
    }

    fn ask_hooks(&mut self, id: QuestionId, question: &HookQuestion, step: &mut Step) {
        let about = self.hooks.about(&question.tool);
        if about.is_empty() {
            return step.inputs.push(Input::Answer(id, Answer::Hook(HookAnswer::default())));
        }
        self.rounds.insert(id, Round::new(about.len()));
        let cwd = self.options.cwd.display().to_string();
        for (callback, blocks_on_failure) in about {
            let request = hooks::request(&callback, question, &self.session_id, &cwd);
            step.lines.push(self.ask(request, Open::Hook { id, callback, blocks_on_failure }));
        }
    }

    fn ask(&mut self, request: Value, open: Open) -> Value {
        let id = (self.ids)();
        self.open.insert(id.clone(), open);
        json!({"type": "control_request", "request_id": id, "request": request})
    }

    /// The host answers. Answers to what is not open are passed over: late, doubled or unsolicited.
    fn answered_by_host(&mut self, id: &str, answer: Result<Map<String, Value>, String>, step: &mut Step) {
        match self.open.remove(id) {
            None => {}
            Some(Open::Permission { id, question, asker }) => {
                let said = ask::answer(&question, &asker, answer);
                step.asides.extend(said.aside);
                if let Some(wish) = said.wish {
                    step.inputs.push(self.wish(wish, None));
                }
                step.inputs.push(Input::Answer(id, said.answer));
                step.inputs.extend(said.interrupt.then_some(Input::Interrupt));
            }
            Some(Open::Hook { id, callback, blocks_on_failure }) => {
                let Some(round) = self.rounds.get_mut(&id) else { return };
                step.asides.extend(round.heard(&callback, blocks_on_failure, &answer));
                if round.open == 0
                    && let Some(round) = self.rounds.remove(&id)
                {
                    step.inputs.push(Input::Answer(id, Answer::Hook(round.answer)));
                    step.inputs.extend(round.stop.then_some(Input::Interrupt));
                }
            }
        }
    }

    /// A question was settled: a host that was asked and did not answer need not any more.
    fn settled(&mut self, settled: QuestionId, step: &mut Step) {
        self.rounds.remove(&settled);
        let about = |open: &Open| match open {
            Open::Permission { id, .. } | Open::Hook { id, .. } => *id == settled,
        };
        let over: Vec<_> = self.open.iter().filter(|(_, open)| about(open)).map(|(id, _)| id.clone()).collect();
        for id in over {
            self.open.remove(&id);
            step.lines.push(json!({"type": "control_cancel_request", "request_id": id}));
        }
    }
}

fn stream_event(event: &Value) -> Value {
    json!({"type": "stream_event", "event": event, "parent_tool_use_id": null})
}

fn granted(id: &str, response: Value) -> Value {
    json!({"type": "control_response", "response": {"subtype": "success", "request_id": id, "response": response}})
}

fn refused(id: &str, why: &str) -> Value {
    json!({"type": "control_response", "response": {"subtype": "error", "request_id": id, "error": why}})
}
