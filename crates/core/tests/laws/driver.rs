//! What the agent does, without files, processes and waiting: every step from one moment at which
//! it waits for somebody to the next. All that is decided, core decides; this only calls it in the
//! order in which `crates/agent` does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::attach::{self, Attachment};
use planwright_core::call;
use planwright_core::mode::{self, Cause, Mode, Permissions};
use planwright_core::permit::{self, Choice, CommandContext, Refusal, Situation, Verdict, Walls};

use planwright_core::prompts::{self, Offer};
use planwright_core::reply::{Stop, Usage};
use planwright_core::request::{Block, Message};
use planwright_core::rules::Rules;
use planwright_core::settings::{PlanCommands, Reminders, WorkflowText};
use planwright_core::transcript::{Fact, Seen};

use crate::fault::Fault;
use crate::rig::{PLANS, ROOT, Rig, Tool};
use crate::world::{About, Asked, Doing, Thread, World};

/// Requests of one turn; the agent has a bound too.
const REQUESTS: u8 = 2;
/// How deep agents start agents.
pub const DEPTH: usize = 2;
pub const REMINDERS: Reminders = Reminders { turns: 2, full_every: 2, requests: 0 };

/// Something that laws look at and that no fact tells.
#[derive(Clone, Debug)]
pub enum Saw {
    /// A request went out.
    Request { thread: usize, believes: bool, only_reads: bool, open: usize },
    /// A call ran.
    Ran { tool: Tool, only_reads: bool, by: String, beside_boundary: bool },
    /// A fact was read back as another one.
    ReadAsAnother(Fact),
}

/// What becomes of a call.
pub enum Begun {
    Finished(Finished),
    /// The thread waits.
    Waits,
    /// A plan waits, and nobody is there.
    PlanPending,
}

/// What a call came to.
pub struct Finished {
    pub content: String,
    pub is_error: bool,
    pub seen: Vec<Seen>,
}

pub fn finished(content: String, is_error: bool) -> Finished {
    Finished { content, is_error, seen: Vec::new() }
}

/// One step.
pub struct Drive<'a> {
    pub world: World,
    pub rig: &'a Rig,
    /// The facts of the main thread, in order.
    pub wrote: Vec<Fact>,
    pub saw: Vec<Saw>,
    /// What a crash after each of those facts would leave.
    pub crashes: Vec<World>,
    pub closing: bool,
    pub interrupted: bool,
}

impl<'a> Drive<'a> {
    pub fn new(world: World, rig: &'a Rig) -> Self {
        Self { world, rig, wrote: Vec::new(), saw: Vec::new(), crashes: Vec::new(), closing: false, interrupted: false }
    }

    pub fn thread(&mut self, at: usize) -> &mut Thread {
        &mut self.world.threads[at]
    }

    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rig.rules[self.world.outside.rules])
    }

    /// Facts are written down, then take effect.
    pub fn record(&mut self, at: usize, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            let read = self.rig.through_the_log(&fact);
            let unwritten = self.rig.has(Fault::Unwritten) && matches!(fact, Fact::PermissionMode(_));
            let thread = self.thread(at);
            thread.ghost.take(&fact, &thread.state);
            // The same fact makes the same state of the same state: it is worked out once.
            let same = Arc::ptr_eq(&thread.state, &thread.kept) && read == fact && !unwritten;
            if same {
                // Let go of one of the two, so that the other need not be copied.
                thread.kept = Arc::default();
            }
            Arc::make_mut(&mut thread.state).apply(&fact);
            if same {
                thread.kept = Arc::clone(&thread.state);
            } else if !unwritten {
                Arc::make_mut(&mut thread.kept).apply(&read);
            }
            if read != fact {
                self.saw.push(Saw::ReadAsAnother(fact.clone()));
            }
            if at == 0 {
                self.wrote.push(fact);
                let crashed = self.crashed();
                self.crashes.push(crashed);
            }
        }
    }

    /// What is left when the process is killed now.
    pub fn crashed(&self) -> World {
        let main = self.world.main();
        let thread = Thread {
            state: Arc::clone(&main.kept),
            kept: Arc::clone(&main.kept),
            doing: Doing::Closed,
            requests: 0,
            reminded: false,
            read_only: false,
            ghost: main.ghost.clone(),
        };
        World { threads: vec![thread], ..self.world }
    }

    pub fn can_ask(&self) -> bool {
        self.world.outside.can_ask && !self.closing
    }

    /// Goes to a mode, through the one function that can.
    pub fn go_to(&mut self, at: usize, to: Mode, cause: Cause) {
        let (access, rules) = (self.world.outside.access(), self.rules());
        let now = self.world.threads[at].state.permissions();
        let settles = if self.rig.has(Fault::PassedThrough) { Cause::Command } else { cause };
        let Some(mut change) = mode::change(now, to, settles, &access, &rules) else { return };
        change.cause = cause;
        if self.rig.has(Fault::AutoUnderBypass) && change.pre_plan_mode == Some(Mode::BypassPermissions) {
            change.auto_active |= access.during_plan();
        }
        if self.rig.has(Fault::StrippedForever) && !change.auto_active {
            change.stripped.clone_from(now.stripped_dangerous_rules());
        }
        self.record(at, [Fact::PermissionMode(change)]);
    }

    /// Settings, or what auto mode depends on, changed.
    pub fn outside_changed(&mut self) {
        let (access, rules) = (self.world.outside.access(), self.rules());
        let now = self.world.main().state.permissions();
        let again = self.rig.has(Fault::NotStrippedAgain) && now.auto_active() && access.during_plan();
        if let Some((active, stripped, exit_note)) = mode::auto_while_planning(now, &access, &rules)
            && !again
        {
            self.record(0, [Fact::AutoSemantics { active, stripped, exit_note }]);
        }
    }

    /// `/plan off`.
    pub fn leave(&mut self, cause: Cause) {
        let before = self.world.main().state.permissions().pre_plan_mode().unwrap_or_default();
        let to = if self.rig.has(Fault::BeforeForgotten) { Mode::Default } else { before };
        self.go_to(0, to, cause);
    }

    /// A subagent takes on the mode of the main thread.
    pub fn follow(&mut self, at: usize) {
        let frozen =
            self.rig.has(Fault::ChildFrozen) && self.world.threads[at].state.permissions().mode() != Mode::Default;
        if at > 0 && !frozen {
            let above = self.world.main().state.permissions().mode();
            self.go_to(at, above, Cause::Parent);
        }
    }

    /// The plan file of the main thread, named when first needed.
    pub fn plan_file(&mut self) -> PathBuf {
        if let Some(path) = &self.world.main().state.plan().path {
            return path.clone();
        }
        self.record(0, [Fact::PlanSlug { slug: "quiet-amber-otter".to_owned(), path: PLANS[0].into() }]);
        PLANS[0].into()
    }

    /// The plan file of a thread, if it has one.
    fn named_plan(&mut self, at: usize) -> PathBuf {
        if at == 0 && self.world.main().planning() {
            return self.plan_file();
        }
        self.world.threads[at].state.plan().path.clone().unwrap_or_default()
    }

    /// A turn, from its first request.
    pub fn turn(&mut self, at: usize) {
        self.thread(at).requests = 0;
        self.thread(at).reminded = false;
        self.round(at);
    }

    fn round(&mut self, at: usize) {
        if self.world.threads[at].requests >= REQUESTS {
            self.record(at, [Fact::TurnEnded { plan_missing: false }]);
            return self.turn_over(at);
        }
        self.follow(at);
        let late = self.rig.has(Fault::NotesLate);
        if !late {
            self.give_notes(at);
        }
        self.thread(at).requests += 1;
        self.thread(at).doing = Doing::Asking;
        let thread = &self.world.threads[at];
        self.saw.push(Saw::Request {
            thread: at,
            believes: thread.ghost.believes,
            only_reads: self.world.posture(at).only_reads(),
            open: thread.state.open_calls().len(),
        });
        if late {
            self.give_notes(at);
        }
    }

    fn give_notes(&mut self, at: usize) {
        let (planning, read_only) = (self.world.threads[at].planning(), self.world.posture(at).read_only);
        let now = self.world.threads[at].state.permissions();
        if !planning && !read_only && !now.needs_plan_exit_attachment() && !now.auto_exit_due() {
            return;
        }
        let path = self.named_plan(at);
        let thread = &self.world.threads[at];
        let plan_exists = at == 0 && !path.as_os_str().is_empty() && self.world.disk.read().plan().is_some();
        let mut due = attach::due(
            thread.state.ledger(),
            thread.state.permissions(),
            attach::Circumstances {
                plan_file: &path,
                plan_exists,
                reminders: &REMINDERS,
                text: WorkflowText::default(),
                sub_agent: at > 0,
                read_only,
            },
        );
        let is_exit = |note: &Attachment| matches!(note, Attachment::PlanModeExit { .. });
        if self.rig.has(Fault::ExitNoteDropped) {
            due.retain(|note| !is_exit(note));
        }
        if self.rig.has(Fault::EnterUntold) && thread.requests > 0 {
            due.clear();
        }
        if self.rig.has(Fault::ExitNoteAgain) && due.iter().any(is_exit) {
            due.extend_from_within(..);
        }
        self.record(at, due.into_iter().map(|attachment| Fact::Attachment { attachment }));
    }

    /// The turn of a thread ended in order.
    fn turn_over(&mut self, at: usize) {
        if at == 0 {
            self.thread(0).doing = if self.closing { Doing::Closed } else { Doing::Idle };
            return;
        }
        // Its result goes to the thread that started it.
        self.world.threads.truncate(at);
        let Doing::Working { at: call } = self.world.threads[at - 1].doing else {
            panic!("nobody waits for the agent")
        };
        self.finish(at - 1, call, finished("found it".to_owned(), false));
        self.batch(at - 1, call + 1);
    }

    /// The model of a thread answered.
    pub fn answered(&mut self, at: usize, tools: &[Tool]) {
        let plan = self.world.threads[at].state.plan().path.clone().unwrap_or_else(|| PLANS[0].into());
        let answers = self.world.threads[at].state.answers_of("m");
        let id = |n: usize| format!("t{at} a{answers} c{n}");
        let mut blocks: Vec<_> = tools.iter().enumerate().map(|(n, tool)| tool.block(&plan, id(n))).collect();
        if blocks.is_empty() {
            blocks.push(Block::Text { text: "Here is my plan.".to_owned() });
        }
        let stop = if tools.is_empty() { Stop::EndTurn } else { Stop::ToolUse };
        self.record(at, [Fact::Assistant { blocks, stop, usage: Usage::default(), model: "m".to_owned() }]);
        if tools.is_empty() { self.prose(at) } else { self.batch(at, 0) }
    }

    /// The turn ends in prose: while planning the model is reminded once that it submitted nothing.
    fn prose(&mut self, at: usize) {
        let state = &self.world.threads[at].state;
        if at > 0 || !state.permissions().planning() {
            self.record(at, [Fact::TurnEnded { plan_missing: false }]);
            return self.turn_over(at);
        }
        if !self.world.main().reminded && (state.plan_touched() || !state.plan_reminded()) {
            let path = self.plan_file();
            self.thread(0).reminded = true;
            self.record(0, [Fact::Reminder { text: prompts::unsubmitted_plan(&path) }]);
            return self.round(0);
        }
        self.record(0, [Fact::TurnEnded { plan_missing: true }]);
        self.turn_over(0);
    }

    /// The calls of the last answer, with or without results.
    pub fn calls(&self, at: usize) -> Vec<(String, String, serde_json::Value)> {
        let last = self.world.threads[at].state.messages().iter().rev().find_map(|message| match &**message {
            Message::Assistant(blocks) => Some(blocks),
            Message::User(_) => None,
        });
        let calls = last.into_iter().flatten().filter_map(|block| match block {
            Block::ToolUse { id, name, input } => Some((id.clone(), name.clone(), input.clone())),
            Block::Text { .. } | Block::Opaque { .. } => None,
        });
        calls.collect()
    }

    /// The calls of the last answer, from one of them on, in order.
    pub fn batch(&mut self, at: usize, from: usize) {
        let calls = self.calls(at);
        let boundary = call::boundary(calls.iter().map(|(_, name, _)| name.as_str()));
        let boundary = boundary.filter(|_| !self.rig.has(Fault::SiblingsRun));
        for n in from..calls.len() {
            let begun = match boundary {
                _ if self.interrupted => Begun::Finished(finished(prompts::interrupted(), true)),
                Some(boundary) if boundary != n => {
                    Begun::Finished(finished(prompts::batch_refused(&calls[boundary].1), true))
                }
                Some(_) | None => self.begin(at, n),
            };
            match begun {
                Begun::Finished(finished) => self.finish(at, n, finished),
                Begun::Waits => return,
                Begun::PlanPending => return self.thread(0).doing = Doing::Idle,
            }
        }
        if self.interrupted || self.closing { self.stopped(at) } else { self.round(at) }
    }

    /// The turn of a thread was stopped.
    pub fn stopped(&mut self, at: usize) {
        self.record(at, [Fact::Interrupted { reason: "stopped by the user".to_owned() }]);
        if at == 0 {
            self.thread(0).doing = if self.closing { Doing::Closed } else { Doing::Idle };
        }
    }

    pub fn finish(&mut self, at: usize, n: usize, Finished { content, is_error, seen }: Finished) {
        let (tool_use_id, tool, _) = self.calls(at).swap_remove(n);
        if self.rig.has(Fault::CallsLeftOpen) && tool == "ExitPlanMode" {
            return;
        }
        self.record(at, [Fact::ToolResult { tool_use_id, tool, content, is_error, seen }]);
    }

    /// The verdict of now on a call.
    pub fn judge(&mut self, at: usize, tool: Tool) -> Verdict {
        let plan = self.named_plan(at);
        self.judge_as(at, tool, &plan, &self.standing(at))
    }

    fn judge_as(&self, at: usize, tool: Tool, plan: &Path, now: &Asked) -> Verdict {
        let none = Permissions::default();
        let forgotten = self.rig.has(Fault::GateForgotten) && tool != Tool::Exit;
        let (call, targets) = tool.call(if plan.as_os_str().is_empty() { Path::new(PLANS[0]) } else { plan });
        permit::judge(
            call,
            targets,
            &Situation {
                permissions: if forgotten { &none } else { &now.permissions },
                read_only: now.read_only && !forgotten,
                sub_agent: at > 0,
                rules: &self.rig.rules[now.rules],
                plan_file: plan,
                roots: &[ROOT.into()],
                commands: PlanCommands::Ask,
                shell: &CommandContext::default(),
                walls: Walls::ReadOnly,
                experiments: false,
                hook: None,
            },
        )
    }

    fn begin(&mut self, at: usize, n: usize) -> Begun {
        let (_, name, input) = self.calls(at).swap_remove(n);
        let tool = Tool::of(&name, &input);
        self.follow(at);
        let offer = Offer {
            can_ask: self.world.outside.can_ask,
            channels: false,
            sub_agent: at > 0,
            read_only_type: false,
            experiments: false,
        };
        let offered = call::tool(&name).is_some_and(|row| offer.includes(row));
        match self.judge(at, tool) {
            Verdict::Run(permit) if offered => self.decided(at, n, tool, Ok(permit)),
            Verdict::Run(_) => {
                let message = format!("`{name}` is not available here.");
                self.decided(at, n, tool, Err(Refusal { message, by: "gate".to_owned() }))
            }
            Verdict::Refuse(refusal) => self.decided(at, n, tool, Err(refusal)),
            Verdict::Ask(ask) if !self.can_ask() => self.decided(at, n, tool, Err(ask.nobody())),
            Verdict::Ask(_) => {
                let asked = self.standing(at);
                self.put(at, n, About::Permit(Box::new(asked)))
            }
        }
    }

    /// What a verdict of now depends on.
    fn standing(&self, at: usize) -> Asked {
        Asked {
            permissions: self.world.threads[at].state.permissions().clone(),
            read_only: self.world.posture(at).read_only,
            rules: self.world.outside.rules,
        }
    }

    pub fn put(&mut self, at: usize, n: usize, about: About) -> Begun {
        self.world.questions += 1;
        self.thread(at).doing = Doing::Deciding { at: n, about };
        Begun::Waits
    }

    /// An answer to a question about a permission, judged again at the moment it arrives.
    pub fn permitted(&mut self, at: usize, n: usize, asked: &Asked, choice: Option<Choice>) {
        let (_, name, input) = self.calls(at).swap_remove(n);
        let tool = Tool::of(&name, &input);
        let plan = self.world.threads[at].state.plan().path.clone().unwrap_or_default();
        let Verdict::Ask(ask) = self.judge_as(at, tool, &plan, asked) else { panic!("{tool:?} was asked about") };
        let verdict = match (choice, self.judge(at, tool)) {
            (None, _) => Err(Refusal { message: prompts::interrupted(), by: "user".to_owned() }),
            (Some(_), Verdict::Refuse(refusal)) if !self.rig.has(Fault::OldAnswerCounts) => Err(refusal),
            (Some(choice), _) => ask.answer(choice, ""),
        };
        let begun = self.decided(at, n, tool, verdict);
        self.go_on(at, n, begun);
    }

    /// What a call came to after the thread waited for it; then the calls after it.
    pub fn go_on(&mut self, at: usize, n: usize, begun: Begun) {
        match begun {
            Begun::Finished(finished) => {
                self.finish(at, n, finished);
                self.batch(at, n + 1);
            }
            Begun::Waits => {}
            Begun::PlanPending => self.thread(0).doing = Doing::Idle,
        }
    }
}
