//! The world of the walk: the session and the agents below it, the plan file, and what is outside.

use std::sync::Arc;

use planwright_core::attach::Ledger;
use planwright_core::mode::{AutoAccess, Mode, Permissions, Posture};
use planwright_core::plan::{OnDisk, digest};
use planwright_core::state::State;
use planwright_core::transcript::{Decision, Fact};

use crate::driver::REMINDERS;
use crate::ghost::Ghost;

/// What the plan file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Disk {
    Missing,
    Blank,
    A,
    B,
}

impl Disk {
    pub fn text(self) -> &'static str {
        match self {
            Self::Missing => "",
            Self::Blank => " \n",
            Self::A => "# Plan\n1. a\n",
            Self::B => "# Plan\n1. b\n",
        }
    }

    pub fn read(self) -> OnDisk {
        match self {
            Self::Missing => OnDisk::Missing,
            Self::Blank | Self::A | Self::B => OnDisk::Text(self.text().to_owned()),
        }
    }

    /// The digest of what the dialogue shows of it.
    pub fn digest(self) -> String {
        digest(self.text())
    }

    pub fn of(text: &str) -> Self {
        [Self::Missing, Self::Blank, Self::A, Self::B]
            .into_iter()
            .find(|disk| disk.text() == text)
            .expect("a known text")
    }
}

/// Whether auto mode can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Auto {
    /// The user has not opted in.
    Never,
    /// Opted in, and the gate is closed.
    Shut,
    /// To be had, and not used while planning.
    NotInPlan,
    /// To be had, and used while planning.
    Open,
}

/// What no thread decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outside {
    pub auto: Auto,
    pub bypass_allowed: bool,
    /// Which of the rig's rules are in force.
    pub rules: usize,
    /// Whether somebody can answer questions.
    pub can_ask: bool,
}

impl Outside {
    pub fn access(self) -> AutoAccess {
        let gate = if self.auto == Auto::Shut { Err("the gate is closed".to_owned()) } else { Ok(()) };
        AutoAccess {
            opted_in: self.auto != Auto::Never,
            gate,
            while_planning: self.auto != Auto::NotInPlan,
            bypass_allowed: self.bypass_allowed,
        }
    }
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// There is no process.
    Closed,
    /// For the user.
    Idle,
    /// For the model.
    Asking,
    /// For the answer to a question about the call `at`.
    Deciding { at: usize, about: About },
    /// For the agent that the call `at` started.
    Working { at: usize },
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum About {
    Enter,
    Plan {
        shown: Disk,
    },
    /// Asked when things stood like this.
    Permit(Box<Asked>),
}

/// What a question about a permission was asked under.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    pub permissions: Permissions,
    pub read_only: bool,
    pub rules: usize,
}

/// One conversation.
#[derive(Clone, Debug)]
pub struct Thread {
    pub state: Arc<State>,
    /// What the lines of the log, read back, come to; the same one, as long as every fact was read
    /// back as it was written.
    pub kept: Arc<State>,
    pub doing: Doing,
    /// Requests of this turn.
    pub requests: u8,
    /// The model was reminded in this turn that it submitted no plan.
    pub reminded: bool,
    /// Read-only to its end; never for the main thread.
    pub read_only: bool,
    pub ghost: Ghost,
}

impl Thread {
    pub fn new(read_only: bool, ghost: Ghost) -> Self {
        let state = Arc::<State>::default();
        Self { kept: Arc::clone(&state), state, doing: Doing::Idle, requests: 0, reminded: false, read_only, ghost }
    }

    pub fn planning(&self) -> bool {
        self.state.permissions().planning()
    }
}

/// Everything.
#[derive(Clone, Debug)]
pub struct World {
    /// The main thread, then the agent it started, then the one that started.
    pub threads: Vec<Thread>,
    pub disk: Disk,
    pub outside: Outside,
    /// Questions put so far: each has a number of its own.
    pub questions: u64,
}

impl World {
    pub fn main(&self) -> &Thread {
        &self.threads[0]
    }

    /// How the thread stands, for the agents below it.
    pub fn posture(&self, at: usize) -> Posture {
        let thread = &self.threads[at];
        let read_only = thread.read_only || (0..at).any(|above| self.posture(above).only_reads());
        Posture { mode: thread.state.permissions().mode(), read_only }
    }

    /// The thread that put the question that is open.
    pub fn deciding(&self) -> Option<usize> {
        self.threads.iter().position(|thread| matches!(thread.doing, Doing::Deciding { .. }))
    }

    pub fn open_question(&self) -> Option<&About> {
        self.threads.iter().find_map(|thread| match &thread.doing {
            Doing::Deciding { about, .. } => Some(about),
            Doing::Closed | Doing::Idle | Doing::Asking | Doing::Working { .. } => None,
        })
    }
}

/// What tells worlds apart. Numbers that only count up (revisions, ids of calls and questions) and
/// the words of the conversation are left out: nothing is decided by them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    threads: Vec<ThreadKey>,
    disk: Disk,
    outside: Outside,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ThreadKey {
    state: StateKey,
    doing: Doing,
    requests: u8,
    reminded: bool,
    read_only: bool,
    ghost: Ghost,
}

/// What tells states apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StateKey {
    permissions: Permissions,
    ledger: Ledger,
    named: bool,
    submission: Option<(Disk, Option<Decision>)>,
    half_done: Option<Mode>,
    /// The calls without a result, and which of them submitted the plan that waits.
    open: Vec<String>,
    pending: Option<usize>,
    empty: bool,
    flags: [bool; 3],
}

pub fn state_key(state: &State, outside: Outside, rules: &planwright_core::rules::Rules) -> StateKey {
    let plan = state.plan();
    let half_done = match state.half_done(&outside.access(), rules) {
        Some(Fact::PermissionMode(change)) => Some(change.to),
        _ => None,
    };
    StateKey {
        permissions: state.permissions().clone(),
        ledger: state.ledger().cut(&REMINDERS),
        named: plan.path.is_some(),
        submission: plan.submission.as_ref().map(|submission| (Disk::of(&submission.text), submission.decision)),
        half_done,
        open: state.open_calls().iter().map(|open| format!("{} {}", open.name, open.input)).collect(),
        pending: plan
            .pending()
            .and_then(|pending| state.open_calls().iter().position(|open| open.id == pending.tool_use_id)),
        empty: state.messages().is_empty(),
        flags: [state.turn_open(), state.plan_reminded(), state.plan_touched()],
    }
}

impl World {
    pub fn key(&self, rules: &planwright_core::rules::Rules) -> Key {
        let thread = |thread: &Thread| ThreadKey {
            state: state_key(&thread.state, self.outside, rules),
            doing: thread.doing.clone(),
            requests: thread.requests,
            reminded: thread.reminded,
            read_only: thread.read_only,
            ghost: thread.ghost.clone(),
        };
        Key { threads: self.threads.iter().map(thread).collect(), disk: self.disk, outside: self.outside }
    }
}
