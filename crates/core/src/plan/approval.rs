//! Submitting a plan, the choices of the dialogue, and settling an answer (plan-mode.md sections
//! 9.2 and 10).

use std::path::PathBuf;

use super::{Aside, Handoff, OnDisk, digest};
use crate::dialogue::{Answer, PlanChoice};
use crate::mode::{AutoAccess, Cause, Mode, Permissions, change};
use crate::prompts;
use crate::rules::Rules;
use crate::settings::PlanLength;
use crate::transcript::{Decision, Fact, PlanDecision};

/// The last submission of a session: a projection of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// Counts from 1.
    pub revision: u32,
    /// Digest of the text submitted.
    pub sha256: String,
    /// The plan file.
    pub path: PathBuf,
    /// The text submitted.
    pub text: String,
    /// The call that submitted it.
    pub tool_use_id: String,
    /// What was decided; `None` = it waits.
    pub decision: Option<Decision>,
    /// What the user asked about it while it waited.
    pub asides: Vec<Aside>,
    /// The user's notes with the approval.
    pub notes: Option<String>,
}

/// What submitting and settling depend on besides the state.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The plan file.
    pub path: &'a std::path::Path,
    /// The plan file as it is now.
    pub plan: &'a OnDisk,
    /// `plan.required`
    pub required: bool,
    /// `plan.length`
    pub length: PlanLength,
    /// Whether the model has tools to give work to others.
    pub team: bool,
    /// Whether auto mode can be had.
    pub auto: &'a AutoAccess,
    /// The rules in force.
    pub rules: &'a Rules,
    /// The experiment that was shown can be applied.
    pub experiment: bool,
}

/// `ExitPlanMode` up to the dialogue: the submission to write to the log, or what the model reads.
///
/// # Errors
/// The session is not planning, or there is no plan that could be shown.
pub fn submit(
    permissions: &Permissions,
    last_revision: u32,
    tool_use_id: &str,
    now: &Circumstances<'_>,
) -> Result<Fact, String> {
    if !permissions.planning() {
        return Err(prompts::not_in_plan_mode());
    }
    let text = match (now.plan, now.plan.plan()) {
        (OnDisk::Unreadable(why), _) => return Err(prompts::plan_unreadable(now.path, why)),
        (_, Some(text)) => text.to_owned(),
        (OnDisk::Missing | OnDisk::Text(_), None) if now.required => return Err(prompts::no_plan(now.path)),
        (OnDisk::Missing | OnDisk::Text(_), None) => String::new(),
    };
    let lines = text.trim_end().lines().count();
    if now.length == PlanLength::Cap && lines > crate::bounds::PLAN_CAP_LINES {
        return Err(prompts::plan_too_long(lines, now.path));
    }
    Ok(Fact::PlanSubmitted {
        revision: last_revision + 1,
        sha256: digest(&text),
        path: now.path.to_owned(),
        text,
        tool_use_id: tool_use_id.to_owned(),
    })
}

/// The choices of the dialogue, in order (plan-mode.md section 10.1). With an `experiment` that can be
/// applied there is one more, which stands last, so that the others keep their numbers.
pub fn choices(permissions: &Permissions, auto: &AutoAccess, experiment: bool) -> Vec<PlanChoice> {
    let before = permissions.pre_plan_mode().unwrap_or_default();
    let back = match before {
        Mode::BypassPermissions => Some(before),
        Mode::Auto if auto.available() => Some(before),
        Mode::Auto | Mode::Default | Mode::AcceptEdits | Mode::Plan => None,
    };
    let mut choices: Vec<_> = back.into_iter().map(PlanChoice::Approve).collect();
    choices.extend([PlanChoice::Approve(Mode::AcceptEdits), PlanChoice::Approve(Mode::Default)]);
    if auto.available() && back != Some(Mode::Auto) {
        choices.push(PlanChoice::Approve(Mode::Auto));
    }
    choices.extend([PlanChoice::Edit, PlanChoice::KeepPlanning]);
    // Who just had edits made wants no question about each of the next.
    choices.extend(experiment.then(|| PlanChoice::ApproveApply(back.unwrap_or(Mode::AcceptEdits))));
    choices
}

/// How a plan is approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Approval {
    /// Back to the mode before.
    Back,
    /// This mode from here on.
    To(Mode),
    /// This mode from here on, and the experiment that was shown is applied.
    Apply(Mode),
}

impl Approval {
    /// What a choice of the dialogue approves; no choice is a plain approval.
    const fn of(choice: Option<PlanChoice>) -> Self {
        match choice {
            Some(PlanChoice::Approve(mode)) => Self::To(mode),
            Some(PlanChoice::ApproveApply(mode)) => Self::Apply(mode),
            Some(PlanChoice::Edit | PlanChoice::KeepPlanning) | None => Self::Back,
        }
    }

    /// The stable name, as the log keeps it.
    fn name(self) -> String {
        match self {
            Self::Back => "approve".to_owned(),
            Self::To(mode) => PlanChoice::Approve(mode).name(),
            Self::Apply(mode) => PlanChoice::ApproveApply(mode).name(),
        }
    }
}

/// An approval, with all that is said along with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approving {
    /// How.
    pub approval: Approval,
    /// The user's notes, for the model.
    pub notes: String,
    /// With what conversation and model the work goes on.
    pub handoff: Handoff,
}

impl From<Approval> for Approving {
    fn from(approval: Approval) -> Self {
        Self { approval, notes: String::new(), handoff: Handoff::default() }
    }
}

/// An answer that settles a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Approve the text that was shown.
    Approve {
        /// How.
        approving: Approving,
        /// Digest of the text that was shown.
        shown: String,
    },
    /// Keep planning.
    Keep {
        /// What should change.
        feedback: String,
    },
    /// The request went away: interrupted, or its surface was lost.
    Withdraw,
}

/// What an answer to the dialogue chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// This settles it; with who decided.
    Settle(Reply, String),
    /// The user edited the plan in the surface: it is written, then approved.
    ApproveEdited {
        /// How.
        approving: Approving,
        /// The plan as edited.
        text: String,
        /// Who decided.
        by: String,
    },
    /// The user wants to edit the plan in an editor and then be asked again.
    Edit,
}

/// What an answer chooses, `shown` being the digest of the text that its question showed. One that
/// does not fit keeps planning. `closing`: the surface went away.
pub fn chosen(answer: Answer, shown: &str, closing: bool) -> Chosen {
    let keep = |feedback: String, by: &str| Chosen::Settle(Reply::Keep { feedback }, by.to_owned());
    match answer {
        Answer::Plan { choice: Some(PlanChoice::KeepPlanning), feedback, by, .. } => keep(feedback, &by),
        Answer::Plan { choice: Some(PlanChoice::Edit), .. } => Chosen::Edit,
        Answer::Plan { choice, feedback, edited, by, handoff } => {
            let approving = Approving { approval: Approval::of(choice), notes: feedback, handoff };
            match edited {
                Some(text) => Chosen::ApproveEdited { approving, text, by },
                None => Chosen::Settle(Reply::Approve { approving, shown: shown.to_owned() }, by),
            }
        }
        Answer::Declined(words) => keep(words, "user"),
        Answer::Permission { .. }
        | Answer::Granted(_)
        | Answer::EnterPlan(_)
        | Answer::User(_)
        | Answer::Edited(_)
        | Answer::Hook(_)
        | Answer::Dismissed
        | Answer::Nobody => keep(String::new(), if closing { "end of input" } else { "user" }),
    }
}

/// What an answer came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// These facts are to be written, and the model reads this result.
    Done {
        /// In order.
        facts: Vec<Fact>,
        /// What the model reads.
        result: String,
        /// Whether it reads it as an error.
        is_error: bool,
        /// Once the facts are written, the experiment that was shown is applied.
        apply: bool,
    },
    /// Nothing is decided: the text on disk is not the one that was shown.
    ShowAgain,
    /// Nothing is decided: the answer is not one that was on offer.
    NotOffered,
}

/// Settles the submission that waits. Pure: the facts say all that changes. What the user asked about
/// the plan is told with the result: the model answered it, and nothing else in the conversation says so.
pub fn settle(
    permissions: &Permissions,
    submission: &Submission,
    reply: Reply,
    by: &str,
    now: &Circumstances<'_>,
) -> Settled {
    let mut settled = decide(permissions, submission, reply, by, now);
    if let Settled::Done { result, .. } = &mut settled {
        *result += &prompts::asked_while_reading(&submission.asides);
    }
    settled
}

fn decide(
    permissions: &Permissions,
    submission: &Submission,
    reply: Reply,
    by: &str,
    now: &Circumstances<'_>,
) -> Settled {
    let decided = |decision, choice: String, sha256: &str| PlanDecision {
        revision: submission.revision,
        sha256: sha256.to_owned(),
        decision,
        choice,
        edited: false,
        feedback: None,
        by: by.to_owned(),
        text: None,
        handoff: Handoff::default(),
    };
    if !permissions.planning() {
        let feedback = match &reply {
            Reply::Keep { feedback: words } | Reply::Approve { approving: Approving { notes: words, .. }, .. } => {
                spoken(words)
            }
            Reply::Withdraw => None,
        };
        // What the user said is for the model, whatever became of the plan.
        let result = prompts::mode_changed_meanwhile(permissions.mode(), feedback.as_deref());
        let fact =
            PlanDecision { feedback, ..decided(Decision::Withdrawn, "mode-changed".to_owned(), &submission.sha256) };
        return Settled::Done { facts: vec![Fact::PlanDecision(fact)], result, is_error: true, apply: false };
    }
    match reply {
        Reply::Withdraw => Settled::Done {
            facts: vec![Fact::PlanDecision(decided(Decision::Withdrawn, "withdrawn".to_owned(), &submission.sha256))],
            result: prompts::interrupted(),
            is_error: true,
            apply: false,
        },
        Reply::Keep { feedback } => {
            let feedback = spoken(&feedback);
            let result = prompts::plan_rejected(feedback.as_deref());
            let decision = PlanDecision {
                feedback,
                ..decided(Decision::Rejected, PlanChoice::KeepPlanning.name(), &submission.sha256)
            };
            Settled::Done { facts: vec![Fact::PlanDecision(decision)], result, is_error: true, apply: false }
        }
        Reply::Approve { approving, shown } => approve(permissions, submission, approving, &shown, now, decided),
    }
}

/// A person's words, if there are any.
fn spoken(words: &str) -> Option<String> {
    Some(words.trim().to_owned()).filter(|words| !words.is_empty())
}

fn approve(
    permissions: &Permissions,
    submission: &Submission,
    approving: Approving,
    shown: &str,
    now: &Circumstances<'_>,
    decided: impl Fn(Decision, String, &str) -> PlanDecision,
) -> Settled {
    let Approving { approval, notes, handoff } = approving;
    let before = permissions.pre_plan_mode().unwrap_or_default();
    let (to, apply) = match approval {
        Approval::Back => (before, false),
        Approval::To(mode) => (mode, false),
        Approval::Apply(mode) => (mode, true),
    };
    let mode_offered = match to {
        // Auto asked for and not to be had any more: approved, in `default` and with a notice.
        Mode::Default | Mode::AcceptEdits | Mode::Auto => true,
        Mode::BypassPermissions => before == Mode::BypassPermissions || now.auto.bypass_allowed,
        Mode::Plan => false,
    };
    if !mode_offered || (apply && !now.experiment) {
        return Settled::NotOffered;
    }
    let text = match now.plan {
        OnDisk::Text(text) => text.as_str(),
        OnDisk::Missing => "",
        // What cannot be read was not shown.
        OnDisk::Unreadable(_) => return Settled::ShowAgain,
    };
    if digest(text) != shown || (now.required && now.plan.plan().is_none()) {
        return Settled::ShowAgain;
    }
    let edited = *shown != *submission.sha256;
    let mut decision = decided(Decision::Approved, approval.name(), shown);
    decision.edited = edited;
    decision.text = edited.then(|| text.to_owned());
    decision.feedback = spoken(&notes);
    decision.handoff = handoff;
    let notes = prompts::approval_notes(decision.feedback.as_deref());
    let mut facts = vec![Fact::PlanDecision(decision)];
    facts.extend(change(permissions, to, Cause::Approval, now.auto, now.rules).map(Fact::PermissionMode));
    let result = if crate::text::blank(text) {
        prompts::exited_without_plan()
    } else {
        prompts::plan_approved(now.path, text, edited, now.team)
    };
    Settled::Done { facts, result: result + &notes, is_error: false, apply }
}
