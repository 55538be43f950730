//! What a surface may say and hear. A surface knows nothing else of the program.

use std::path::PathBuf;

use serde_json::Value;

use crate::attach::Attachment;
use crate::call::{Todo, UserQuestion};
use crate::command::Command;
use crate::experiment::Shown;
use crate::mode::{Cause, Mode};
use crate::permit::{Choice, HookOpinion};
use crate::plan::{Citation, Handoff};
use crate::protection::Protection;
use crate::reply::{Again, Spent, Stop, Usage};
use crate::request::Block;
use crate::rules::Behavior;
use crate::transcript::Trigger;

/// Identifies one question. Each is settled once; answers to settled or unknown ones are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuestionId(pub u64);

/// Identifies one wish, by a number that the surface gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WishId(pub u64);

/// What the other side of a protocol wants done at once, also while a turn runs, and wants to be
/// told of: each is answered by one [`Notice::WishSettled`].
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Another mode.
    SetMode(Mode),
    /// Another model, from the next request on.
    SetModel(String),
    /// Ask [`Question::Hook`] before a call is judged.
    HearCalls,
}

/// What a surface says.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A message to the model: a human turn.
    Prompt(String),
    /// A slash command, parsed.
    Command(Command),
    /// A command the user runs themselves (`!cmd`).
    Shell(String),
    /// The mode key.
    CycleMode,
    /// An answer.
    Answer(QuestionId, Answer),
    /// A question to the model about the plan that waits for this answer. It decides nothing.
    AskAside(QuestionId, String),
    /// Stop answering such a question. The plan waits on.
    StopAside,
    /// Do this, and say whether it was done.
    Wish(WishId, Wish),
    /// Stop the turn, children too.
    Interrupt,
    /// Nobody answers from here on: open questions get the cautious answer, a plan waits, and the
    /// turn goes on.
    Gone,
    /// The surface is going away: open questions get the cautious answer, then the session ends.
    Close,
}

/// What a surface hears.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A piece of the assistant's text as it arrives (main thread only).
    TextDelta(String),
    /// The assistant's text, whole.
    Text {
        /// The subagent that speaks; `None` for the main thread.
        agent: Option<String>,
        /// What it said.
        text: String,
    },
    /// A whole answer of the model, as it was written down.
    Answered {
        /// The subagent that asked.
        agent: Option<String>,
        /// The model.
        model: String,
        /// What it said and asks for.
        blocks: Vec<Block>,
        /// Why it stopped.
        stop: Stop,
        /// What it cost.
        usage: Usage,
    },
    /// What was said of the answer so far is void: the request is put again.
    Again {
        /// The subagent that asks.
        agent: Option<String>,
        /// Why and when.
        again: Again,
    },
    /// The conversation was replaced by a summary.
    Compacted {
        /// The subagent whose conversation it was.
        agent: Option<String>,
        /// Who wanted it.
        trigger: Trigger,
        /// Tokens of the conversation before, as far as known.
        tokens_before: u64,
        /// Tokens of it now, estimated.
        tokens_after: u64,
    },
    /// A note was given to the model.
    Attached {
        /// The subagent it was given to.
        agent: Option<String>,
        /// The note.
        attachment: Attachment,
    },
    /// A subagent begins.
    AgentStarted {
        /// Its id.
        agent: String,
        /// The call that started it.
        tool_use_id: String,
    },
    /// A tool call begins. Until its result or the thread's next call, what the thread asks is about
    /// this call.
    ToolCalled {
        /// The subagent that calls.
        agent: Option<String>,
        /// The call.
        id: String,
        /// The tool.
        tool: String,
        /// Its main argument.
        argument: String,
        /// The whole input.
        input: Value,
    },
    /// A tool call ended.
    ToolFinished {
        /// The subagent that called.
        agent: Option<String>,
        /// The call.
        id: String,
        /// The tool.
        tool: String,
        /// The result, as the model reads it.
        content: String,
        /// Whether it is an error or a denial.
        is_error: bool,
        /// For an edit, what it changed.
        diff: Option<String>,
        /// It ran, or wrote, in a scratch copy: nothing real changed.
        scratch: bool,
    },
    /// A call was refused; its result follows.
    Refused {
        /// The subagent that called.
        agent: Option<String>,
        /// The call.
        id: String,
        /// The tool.
        tool: String,
        /// The whole input.
        input: Value,
        /// Who decided, as in [`crate::permit::Refusal`].
        by: String,
        /// What the model reads.
        message: String,
    },
    /// A plan was submitted, or its answer came.
    Plan {
        /// The plan file.
        path: PathBuf,
        /// The text submitted, or approved.
        text: String,
        /// Whether it waits for an answer.
        waits: bool,
    },
    /// The mode changed.
    ModeChanged {
        /// Before.
        from: Mode,
        /// Now.
        to: Mode,
        /// Why.
        cause: Cause,
    },
    /// What protects the user while the session plans. Said when it is known, and when planning begins; the
    /// same may be said again.
    Protection(Protection),
    /// Words of the program to the user.
    Said(String),
    /// The plan as it is on disk, because the user wants to see it.
    PlanShown {
        /// Its file.
        path: PathBuf,
        /// Its text.
        plan: String,
        /// The program's words, with the plan in them.
        said: String,
    },
    /// Something to know that is not as it should be.
    Warning {
        /// A stable key.
        key: &'static str,
        /// The words.
        text: String,
    },
    /// Something failed.
    Error {
        /// What and why.
        cause: String,
        /// What to do about it.
        hint: String,
    },
    /// A question is open.
    Asked(QuestionId, Question),
    /// A question is no longer open.
    Settled(QuestionId),
    /// What came of [`Input::AskAside`]. Questions are answered one after the other, in order.
    Aside(QuestionId, AsideHeard),
    /// A wish was fulfilled, or why not, in words for the user.
    WishSettled(WishId, Result<(), String>),
    /// Words the user typed that were not used: back to the input line.
    OfferBack(String),
    /// The todo list changed.
    Todos(Vec<Todo>),
    /// The session is another one now (start, `/clear`, `/resume`, `/fork`).
    Session {
        /// Its id.
        session_id: String,
        /// Its mode.
        mode: Mode,
    },
    /// A message, command or key that was said is taken up; the next [`Notice::Idle`] is said when it is
    /// dealt with.
    TakenUp,
    /// A turn began: the model is at work.
    TurnStarted,
    /// A turn is over.
    TurnEnded(TurnEnd),
    /// All that was said is dealt with: the surface may take the next input.
    Idle,
}

/// What is heard of a question about a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AsideHeard {
    /// A piece of the answer as it arrives.
    Piece(String),
    /// What was said of the answer so far is void: the question is put again.
    Again,
    /// The whole answer.
    Answered(String),
    /// There is no whole answer, and why.
    Failed(String),
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnEnd {
    /// Why.
    pub outcome: Outcome,
    /// The last text of the assistant.
    pub text: String,
    /// Requests made in the turn; those for summaries are not counted.
    pub requests: u32,
    /// Tokens of the turn, those of subagents and summaries included.
    pub usage: Usage,
    /// The same by model, with what it cost.
    pub spent: Vec<Spent>,
}

impl TurnEnd {
    /// A turn of which nothing has happened yet.
    pub fn begun() -> Self {
        let (text, usage, spent) = (String::new(), Usage::default(), Vec::new());
        Self { outcome: Outcome::Done, text, requests: 0, usage, spent }
    }
}

/// Why a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The model was done.
    Done,
    /// A submitted plan waits for its answer, which nobody here could give.
    PlanPending,
    /// The model was done, but something it wanted needed a permission that nobody could give.
    PermissionMissing,
    /// The user stopped it.
    Interrupted,
    /// A limit was reached.
    Limit(String),
    /// It failed.
    Failed(String),
}

/// A question to the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// May this call run?
    Permission(PermissionQuestion),
    /// May the work start, by this plan?
    Plan(PlanQuestion),
    /// May the model enter plan mode?
    EnterPlan,
    /// Questions of the model.
    User(Vec<UserQuestion>),
    /// Please open this file in the user's editor, and say when it is closed.
    Editor(PathBuf),
    /// What do the surface's hooks say to this call? Only asked after [`Wish::HearCalls`].
    Hook(HookQuestion),
}

/// A call that hooks may have an opinion on.
#[derive(Clone, Debug, PartialEq)]
pub struct HookQuestion {
    /// The subagent that calls.
    pub agent: Option<String>,
    /// The call.
    pub tool_use_id: String,
    /// The tool.
    pub tool: String,
    /// The whole input.
    pub input: Value,
    /// The mode of now.
    pub mode: Mode,
}

/// May this call run?
#[derive(Clone, Debug, PartialEq)]
pub struct PermissionQuestion {
    /// The subagent that wants it.
    pub agent: Option<String>,
    /// The tool.
    pub tool: String,
    /// The exact command, path or input.
    pub subject: String,
    /// The whole input of the call in question; a hook may have changed it.
    pub input: Value,
    /// For an edit, what it would change.
    pub diff: Option<String>,
    /// Why it asks.
    pub reason: String,
    /// What may be answered.
    pub choices: Vec<Choice>,
    /// The rule that `Always` would add.
    pub suggestion: Option<String>,
}

/// May the work start, by this plan?
#[derive(Clone, Debug, PartialEq)]
pub struct PlanQuestion {
    /// The call that submitted it.
    pub tool_use_id: String,
    /// The plan file.
    pub path: PathBuf,
    /// The plan, as it is on disk.
    pub plan: String,
    /// Which submission this is, from 1.
    pub revision: u32,
    /// Digest of the text shown.
    pub sha256: String,
    /// What changed since the last submission.
    pub diff: Option<String>,
    /// The evidence that the plan cites.
    pub citations: Vec<Citation>,
    /// What may be answered, in order.
    pub choices: Vec<PlanChoice>,
    /// Why it is shown again, if it is.
    pub note: Option<String>,
    /// What was tried in the scratch copy, if anything was.
    pub experiment: Option<Shown>,
}

/// A choice at the plan dialogue (plan-mode.md section 10.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanChoice {
    /// Approve; this mode from here on.
    Approve(Mode),
    /// Edit the plan, then ask again.
    Edit,
    /// Keep planning.
    KeepPlanning,
    /// Approve; this mode from here on, and what was tried in the scratch copy is applied at once.
    ApproveApply(Mode),
}

/// How the names of choices that approve begin; the mode follows.
const APPROVE: &str = "approve:";
const APPLY: &str = "approve-apply:";

impl PlanChoice {
    /// The choice that approves by this name, if it names one.
    pub fn approving(name: &str) -> Option<Self> {
        let mode = |start| name.strip_prefix(start).and_then(Mode::parse);
        mode(APPROVE).map(Self::Approve).or_else(|| mode(APPLY).map(Self::ApproveApply))
    }

    /// The stable name, as the log keeps it.
    pub fn name(self) -> String {
        match self {
            Self::Approve(mode) => format!("{APPROVE}{mode}"),
            Self::Edit => "edit".to_owned(),
            Self::KeepPlanning => "keep-planning".to_owned(),
            Self::ApproveApply(mode) => format!("{APPLY}{mode}"),
        }
    }

    /// The mode it asks for.
    pub const fn mode(self) -> Option<Mode> {
        match self {
            Self::Approve(mode) | Self::ApproveApply(mode) => Some(mode),
            Self::Edit | Self::KeepPlanning => None,
        }
    }
}

/// An answer to a question. One that does not fit its question counts as [`Answer::Dismissed`].
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// To [`Question::Permission`].
    Permission {
        /// What was chosen.
        choice: Choice,
        /// The user's words, for the model.
        comment: String,
    },
    /// To [`Question::Permission`]: a yes without a choice ([`crate::permit::Ask::plain_yes`]), perhaps
    /// with the call changed, or with rules that are to hold from here on.
    Granted(Grant),
    /// To [`Question::Plan`].
    Plan {
        /// What was chosen; `None` = a plain approval, which restores the mode before.
        choice: Option<PlanChoice>,
        /// What should change; with an approval, notes for the work.
        feedback: String,
        /// The plan as the user edited it in the surface.
        edited: Option<String>,
        /// Who answered, for the log.
        by: String,
        /// With an approval: with what conversation and model the work goes on.
        handoff: Handoff,
    },
    /// To [`Question::EnterPlan`].
    EnterPlan(bool),
    /// To [`Question::User`]: one answer for each question, `None` = skipped.
    User(Vec<Option<UserAnswer>>),
    /// To [`Question::Editor`].
    Edited(Result<(), String>),
    /// To [`Question::Hook`].
    Hook(HookAnswer),
    /// To any question: no, with the user's words for the model.
    Declined(String),
    /// The cautious answer to anything: no, keep planning, declined.
    Dismissed,
    /// The surface could not put the question to anybody: nothing is decided, and a plan waits on.
    Nobody,
}

impl Answer {
    /// Keep planning, with what should change.
    pub fn keep_planning(feedback: String, by: &str) -> Self {
        let choice = Some(PlanChoice::KeepPlanning);
        Self::Plan { choice, feedback, edited: None, by: by.to_owned(), handoff: Handoff::default() }
    }
}

/// A yes to a call, with more than a yes. All of it counts, or nothing does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grant {
    /// The input to run it with instead; it is judged anew.
    pub input: Option<Value>,
    /// Rules for the rest of the session.
    pub rules: Vec<(Behavior, String)>,
}

/// What hooks say to a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookAnswer {
    /// What they think of it, if they do.
    pub opinion: Option<HookOpinion>,
    /// The input to judge and run it with instead.
    pub input: Option<Value>,
}

/// The answer to one question of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserAnswer {
    /// Labels of the options chosen.
    pub labels: Vec<String>,
    /// The user's own words, exactly.
    pub own: Option<String>,
}

impl UserAnswer {
    /// The answer as the model reads it: the labels, then the user's own words, exactly.
    pub fn as_text(&self) -> String {
        self.labels.iter().chain(&self.own).map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}
