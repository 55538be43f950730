//! The laws: what is held against every step and every world.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use planwright_core::attach::Attachment;
use planwright_core::mode::{Cause, Mode, Permissions, Posture};
use planwright_core::permit::Verdict;
use planwright_core::transcript::{Decision, Fact, ModeChange, PlanDecision};

use crate::driver::{Drive, Saw};
use crate::events::{Event, Open, Reply, WORDS};
use crate::rig::{Rig, Tool};
use crate::world::{About, Outside, World, state_key};

macro_rules! laws {
    ($($law:ident = $name:literal,)+) => {
        /// A law; `spec/laws.md` says what it demands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Law {
            $($law,)+
        }

        impl Law {
            pub const ALL: &[Self] = &[$(Self::$law),+];

            /// The name it has on the page.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$law => $name,)+
                }
            }
        }
    };
}

laws! {
    Gate = "the gate",
    WaysOut = "ways out",
    Approval = "approval",
    OneDecision = "one decision",
    Whole = "whole approvals",
    Before = "the mode before",
    ExitNote = "exit note",
    Told = "told",
    Child = "children",
    Fold = "the fold",
    Stripped = "stripped rules",
    Bypass = "no auto under bypass",
    Boundary = "boundaries",
    Results = "results",
    Words = "words",
}

/// A law that does not hold, and how.
#[derive(Debug)]
pub struct Broken {
    pub law: Law,
    pub how: String,
}

/// All that a verdict of a thread depends on here.
type Stand = (Permissions, Posture, usize);

/// Holds the laws; remembers what was looked at already.
#[derive(Default)]
pub struct Court {
    gates: RefCell<HashSet<Stand>>,
    children: RefCell<HashSet<(Stand, Stand, Outside)>>,
}

impl Court {
    /// The laws about a step from `before`, by `event`.
    pub fn step(&self, before: &World, event: Event, step: &Drive<'_>) -> Vec<Broken> {
        let mut broken = Vec::new();
        let mut breaks = |law, how: String| broken.push(Broken { law, how });
        seen(step, &mut breaks);
        facts(before, event, step, &mut breaks);
        let said = match event {
            Event::Say => true,
            Event::PlanWords => !before.main().planning(),
            Event::Reply(Reply::Keep) => matches!(before.open_question(), Some(About::Plan { .. })),
            _ => false,
        };
        let heard = |fact: &Fact| match fact {
            Fact::User { text } => text.contains(WORDS),
            Fact::ToolResult { content, .. } => content.contains(WORDS),
            _ => false,
        };
        if said && !step.wrote.iter().any(heard) {
            breaks(Law::Words, "the user's words did not reach the conversation".to_owned());
        }
        for thread in &step.world.threads {
            let key = |state| state_key(state, step.world.outside, &step.rules());
            if !Arc::ptr_eq(&thread.state, &thread.kept) && key(&thread.state) != key(&thread.kept) {
                breaks(Law::Fold, "the log does not yield the live state".to_owned());
            }
        }
        broken
    }

    /// The laws about a world.
    pub fn world(&self, world: &World, rig: &Rig) -> Vec<Broken> {
        let mut broken = Vec::new();
        let mut breaks = |law, how: String| broken.push(Broken { law, how });
        modes(world, rig, &mut breaks);
        for at in 0..world.threads.len() {
            self.gate(world, rig, at, &mut breaks);
            if at > 0 {
                self.child(world, rig, at, &mut breaks);
            }
        }
        broken
    }

    fn stand(world: &World, at: usize) -> Stand {
        (world.threads[at].state.permissions().clone(), world.posture(at), at.min(1))
    }

    /// Every call, under every set of rules, for a thread that may only read.
    fn gate(&self, world: &World, rig: &Rig, at: usize, breaks: &mut impl FnMut(Law, String)) {
        if !world.posture(at).only_reads() || !self.gates.borrow_mut().insert(Self::stand(world, at)) {
            return;
        }
        for rules in 0..rig.rules.len() {
            let mut drive = Drive::new(world.clone(), rig);
            drive.world.outside.rules = rules;
            for tool in Tool::ALL {
                let wrong = match drive.judge(at, tool) {
                    Verdict::Run(_) => !tool.harmless(),
                    Verdict::Ask(_) => !tool.may_be_asked(),
                    Verdict::Refuse(_) => at == 0 && tool.harmless() && tool != Tool::Exit,
                };
                if wrong {
                    breaks(Law::Gate, format!("{tool:?} of thread {at} under rules {rules}"));
                }
            }
        }
    }

    /// What an agent may do, every thread above it may do.
    fn child(&self, world: &World, rig: &Rig, at: usize, breaks: &mut impl FnMut(Law, String)) {
        let own = Self::stand(world, at);
        if world.threads[at].ghost.born_planning && !own.1.read_only {
            breaks(Law::Child, format!("thread {at} was born while planning and may write"));
        }
        for above in 0..at {
            if !self.children.borrow_mut().insert((own.clone(), Self::stand(world, above), world.outside)) {
                continue;
            }
            let mut drive = Drive::new(world.clone(), rig);
            (1..=at).for_each(|at| drive.follow(at));
            for tool in AGENT_TOOLS {
                if rank(&drive.judge(at, tool)) > rank(&drive.judge(above, tool)) {
                    breaks(Law::Child, format!("thread {at} is freer than thread {above}: {tool:?}"));
                }
            }
        }
    }
}

const AGENT_TOOLS: [Tool; 8] =
    [Tool::Read, Tool::WriteOther, Tool::Ls, Tool::Rm, Tool::Make, Tool::Python, Tool::Enter, Tool::Exit];

const fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Refuse(_) => 0,
        Verdict::Ask(_) => 1,
        Verdict::Run(_) => 2,
    }
}

fn seen(step: &Drive<'_>, breaks: &mut impl FnMut(Law, String)) {
    for saw in &step.saw {
        match saw {
            Saw::Request { thread, believes, only_reads, open } => {
                if *believes && !only_reads {
                    breaks(Law::ExitNote, format!("thread {thread} asks a model that thinks it may only read"));
                }
                if *only_reads && !believes {
                    breaks(Law::Told, format!("thread {thread} asks a model that thinks it may write"));
                }
                if *open > 0 {
                    breaks(Law::Results, format!("{open} calls of thread {thread} have no result"));
                }
            }
            Saw::Ran { tool, only_reads, by, beside_boundary } => {
                let answered = by == "user" && tool.may_be_asked();
                if *only_reads && !tool.harmless() && !answered {
                    breaks(Law::Gate, format!("{tool:?} ran, by {by}"));
                }
                if *beside_boundary {
                    breaks(Law::Boundary, format!("{tool:?} ran beside a boundary"));
                }
            }
            Saw::ReadAsAnother(fact) => breaks(Law::Fold, format!("not read back as written: {fact:?}")),
        }
    }
}

/// The laws about what was written, in order.
fn facts(before: &World, event: Event, step: &Drive<'_>, breaks: &mut impl FnMut(Law, String)) {
    let state = &before.main().state;
    let mut mode = state.permissions().mode();
    let mut believes = before.main().ghost.believes;
    let mut pending = state.plan().pending().map(|pending| (pending.revision, pending.sha256.clone()));
    for fact in &step.wrote {
        match fact {
            Fact::PermissionMode(change) => {
                if mode == Mode::Plan && change.to != Mode::Plan {
                    way_out(before, event, change, breaks);
                }
                mode = change.to;
            }
            Fact::Attachment { attachment: Attachment::PlanModeExit { .. } } => {
                if mode == Mode::Plan || !believes {
                    breaks(Law::ExitNote, format!("an exit note in {mode}, the model planning: {believes}"));
                }
                believes = false;
            }
            Fact::Attachment { attachment: Attachment::PlanMode { .. } | Attachment::PlanModeReentry { .. } } => {
                if mode != Mode::Plan {
                    breaks(Law::Told, format!("a plan note in {mode}"));
                }
                believes = true;
            }
            Fact::ToolResult { tool, is_error: false, .. } if tool == "EnterPlanMode" => believes = true,
            Fact::PlanSubmitted { revision, sha256, .. } => pending = Some((*revision, sha256.clone())),
            Fact::PlanSlug { .. } | Fact::Cleared {} => pending = None,
            Fact::PlanDecision(decided) => {
                if pending.as_ref().is_none_or(|(revision, _)| *revision != decided.revision) {
                    breaks(Law::OneDecision, format!("revision {} was not waiting", decided.revision));
                }
                if decided.decision == Decision::Approved {
                    approval(before, event, step, decided, breaks);
                }
                pending = None;
            }
            _ => {}
        }
    }
}

/// Whether an event is an approval, and with which mode.
fn approving(event: Event) -> Option<Option<Mode>> {
    match event {
        Event::Reply(Reply::Approve(mode)) | Event::Open(Open::Answering(Reply::Approve(mode))) => Some(mode),
        Event::Reply(Reply::ApproveEdited(_)) | Event::Open(Open::Answering(Reply::ApproveEdited(_))) => Some(None),
        _ => None,
    }
}

fn way_out(before: &World, event: Event, change: &ModeChange, breaks: &mut impl FnMut(Law, String)) {
    let main = before.main();
    let carried_out = main.ghost.approved.filter(|_| matches!(event, Event::Open(_)));
    let listed = match change.cause {
        Cause::Cycle => event == Event::Cycle,
        Cause::Command => matches!(event, Event::SetMode(_) | Event::PlanOff),
        Cause::Approval => approving(event).is_some() || carried_out.is_some(),
        Cause::Resume => matches!(event, Event::Open(Open::InMode(_))),
        Cause::Start | Cause::Model | Cause::Client | Cause::Teammate | Cause::Parent | Cause::Other => false,
    };
    if !listed {
        breaks(Law::WaysOut, format!("{event:?} left plan mode by {:?}", change.cause));
    }
    let expected = match (event, approving(event)) {
        _ if carried_out.is_some() => carried_out,
        (_, Some(Some(mode))) => Some(mode),
        (Event::PlanOff, _) | (_, Some(None)) => main.ghost.before,
        _ => None,
    };
    let to = |mode: Mode| {
        if mode == Mode::Auto && !before.outside.access().available() { Mode::Default } else { mode }
    };
    if expected.is_some_and(|mode| to(mode) != change.to) {
        breaks(Law::Before, format!("{event:?} went to {} and not to {expected:?}", change.to));
    }
}

fn approval(
    before: &World,
    event: Event,
    step: &Drive<'_>,
    decided: &PlanDecision,
    breaks: &mut impl FnMut(Law, String),
) {
    let pending = before.main().state.plan().pending();
    let shown = match (event, before.open_question()) {
        (Event::Reply(Reply::Approve(_)), Some(About::Plan { shown })) => Some(shown.digest()),
        (Event::Reply(Reply::ApproveEdited(text)), Some(About::Plan { .. })) => Some(text.digest()),
        (Event::Open(Open::Answering(Reply::Approve(_))), _) => pending.map(|pending| pending.sha256.clone()),
        (Event::Open(Open::Answering(Reply::ApproveEdited(text))), _) => Some(text.digest()),
        _ => None,
    };
    match shown {
        None => breaks(Law::Approval, format!("{event:?} approved a plan")),
        Some(shown) if shown != decided.sha256 => breaks(Law::Approval, "another text than the one shown".to_owned()),
        Some(_) if step.world.disk.digest() != decided.sha256 => {
            breaks(Law::Approval, "another text than the one on disk".to_owned());
        }
        Some(_) => {}
    }
}

/// The laws about the main thread's modes.
fn modes(world: &World, rig: &Rig, breaks: &mut impl FnMut(Law, String)) {
    let main = world.main();
    let now = main.state.permissions();
    let live = main.doing != crate::world::Doing::Closed;
    if now.pre_plan_mode() != main.ghost.before {
        breaks(Law::Before, format!("{:?} is remembered, not {:?}", now.pre_plan_mode(), main.ghost.before));
    }
    if live && main.ghost.approved.is_some() && now.planning() {
        breaks(Law::Whole, "approved, and still planning".to_owned());
    }
    let under_bypass = now.pre_plan_mode() == Some(Mode::BypassPermissions);
    if now.planning() && under_bypass && now.auto_active() {
        breaks(Law::Bypass, "auto is on".to_owned());
    }
    let rules = &rig.rules[world.outside.rules];
    let active = match now.mode() {
        Mode::Auto => true,
        Mode::Plan => world.outside.access().during_plan() && !under_bypass,
        Mode::Default | Mode::AcceptEdits | Mode::BypassPermissions => false,
    };
    // While there is no process nobody follows what changes outside.
    if live && now.auto_active() != active && !under_bypass {
        breaks(Law::Stripped, format!("auto in {}: {}", now.mode(), now.auto_active()));
    }
    let stripped = if now.auto_active() { rules.dangerous_allow() } else { Default::default() };
    if live && *now.stripped_dangerous_rules() != stripped {
        breaks(Law::Stripped, format!("out of force: {:?}", now.stripped_dangerous_rules()));
    }
    if live && world.outside.rules == 0 && !now.planning() && now.mode() != Mode::BypassPermissions {
        let ran = matches!(Drive::new(world.clone(), rig).judge(0, Tool::Python), Verdict::Run(_));
        if ran == now.auto_active() {
            breaks(Law::Stripped, "the rule for python is not as it was".to_owned());
        }
    }
}
