//! The notes due to the model this turn (plan-mode.md section 7).
//!
//! Notes are typed facts of the log. What is due is derived from a [`Ledger`] that is folded from
//! the same log, so a resumed, forked or compacted session says the right thing.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::call::Todo;
use crate::mode::{Mode, Permissions};
use crate::settings::{Reminders, Workflow, WorkflowText};

/// How much a plan note says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReminderType {
    /// The rules and the workflow.
    Full,
    /// One or two lines.
    Sparse,
}

/// How a plan left before a `plan_mode_exit` note stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// Never submitted.
    Draft,
    /// Submitted, not decided.
    Submitted,
    /// Approved.
    Approved,
}

/// A typed note to the model; rendered by [`crate::prompts::note`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Attachment {
    /// Plan mode is on.
    PlanMode {
        /// How much it says.
        reminder_type: ReminderType,
        /// Whether it is for a subagent.
        is_sub_agent: bool,
        /// The plan file.
        plan_file_path: PathBuf,
        /// Whether the file is there.
        plan_exists: bool,
        /// Which workflow text a full note carries. Kept with the note, so that what was sent can
        /// be rendered again byte for byte whatever the settings say later.
        #[serde(default)]
        text: WorkflowText,
    },
    /// Plan mode is on again and a plan exists from before.
    PlanModeReentry {
        /// The plan file.
        plan_file_path: PathBuf,
    },
    /// Plan mode is off.
    PlanModeExit {
        /// The plan file.
        plan_file_path: PathBuf,
        /// Whether the file is there.
        plan_exists: bool,
        /// Whether the plan was approved.
        #[serde(default)]
        approved: bool,
        /// The mode that is on now.
        #[serde(default)]
        mode: Mode,
        /// Whether it is for a subagent.
        #[serde(default)]
        is_sub_agent: bool,
    },
    /// The plan, after the conversation that held it was compacted.
    PlanFileReference {
        /// The plan file.
        plan_file_path: PathBuf,
        /// Its text.
        plan_content: String,
        /// How it stands.
        #[serde(default = "draft")]
        status: PlanStatus,
    },
    /// What else travels along when a conversation is replaced by its summary.
    CarriedOver {
        /// The user's last words, cut if long, if the model is at work on them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
        /// The todo list.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        todos: Vec<Todo>,
        /// Files that the model read or changed, the latest first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<PathBuf>,
    },
    /// Auto mode is off.
    AutoModeExit {},
    /// What was tried in the scratch copy is gone, and was not applied.
    ExperimentGone {
        /// The files that were edited there.
        files: Vec<PathBuf>,
    },
    /// A note a newer version knows.
    #[serde(other)]
    Unknown,
}

const fn draft() -> PlanStatus {
    PlanStatus::Draft
}

impl Attachment {
    /// The kind, as line mode shows it after `◇`.
    pub fn label(&self) -> String {
        match self {
            Self::PlanMode { reminder_type: ReminderType::Full, .. } => "plan_mode full".to_owned(),
            Self::PlanMode { reminder_type: ReminderType::Sparse, .. } => "plan_mode sparse".to_owned(),
            Self::PlanModeReentry { .. } => "plan_mode_reentry".to_owned(),
            Self::PlanModeExit { .. } => "plan_mode_exit".to_owned(),
            Self::PlanFileReference { .. } => "plan_file_reference".to_owned(),
            Self::CarriedOver { .. } => "carried_over".to_owned(),
            Self::AutoModeExit {} => "auto_mode_exit".to_owned(),
            Self::ExperimentGone { .. } => "experiment_gone".to_owned(),
            Self::Unknown => "unknown".to_owned(),
        }
    }
}

/// What the notes so far came to: a projection of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// The nearest plan or re-entry note in the conversation since plan mode was last left; `None`
    /// if there is none, or a compaction dropped it.
    nearest: Option<Nearest>,
    /// Plan notes since the last full one; `None` if there is no full one in the conversation since
    /// plan mode was last left.
    since_full: Option<u32>,
    /// A plan or re-entry note was given since plan mode was last left, whether or not the
    /// conversation still holds it.
    noted: bool,
    /// The model was given a plan note and no exit note since.
    told_planning: bool,
    /// An approval was the way out that the exit note is due for.
    approved: bool,
}

/// How far the conversation has gone since the nearest note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Nearest {
    /// Human turns since.
    turns: u32,
    /// Requests since, in the present human turn.
    requests: u32,
}

impl Ledger {
    /// The model was given a plan note and no exit note since: it believes that it is planning.
    pub const fn told_planning(&self) -> bool {
        self.told_planning
    }

    /// The same ledger, its counters cut where more makes no difference to what is due: so cut, the
    /// ledgers of all sessions are finitely many, and a walk over them ends.
    #[must_use]
    pub fn cut(&self, reminders: &Reminders) -> Self {
        let nearest = self.nearest.map(|nearest| Nearest {
            turns: nearest.turns.min(reminders.turns.max(1)),
            requests: nearest.requests.min(reminders.requests),
        });
        let since_full = self.since_full.map(|notes| notes.min(reminders.full_every));
        Self { nearest, since_full, ..self.clone() }
    }

    /// A person's message was sent. Tool loops are counted within one human turn.
    pub(crate) fn human_turn(&mut self) {
        if let Some(nearest) = &mut self.nearest {
            *nearest = Nearest { turns: nearest.turns.saturating_add(1), requests: 0 };
        }
    }

    /// A request was made.
    pub(crate) fn request(&mut self) {
        if let Some(nearest) = &mut self.nearest {
            nearest.requests = nearest.requests.saturating_add(1);
        }
    }

    /// Plan mode was left. Passing through it without a note changes nothing: an approval that the
    /// model has not been told of yet stays one.
    pub(crate) fn left_plan_mode(&mut self, approved: bool) {
        self.approved = approved || (self.approved && !self.noted);
        self.nearest = None;
        self.since_full = None;
        self.noted = false;
    }

    /// A note was given.
    pub(crate) fn given(&mut self, attachment: &Attachment, permissions: &mut Permissions) {
        match attachment {
            Attachment::PlanMode { reminder_type, .. } => {
                self.since_full = match reminder_type {
                    ReminderType::Full => Some(0),
                    ReminderType::Sparse => self.since_full.map(|notes| notes.saturating_add(1)),
                };
                self.planning_note();
            }
            Attachment::PlanModeReentry { .. } => {
                self.planning_note();
                permissions.reentry_note_given();
            }
            Attachment::PlanModeExit { .. } => {
                self.told_planning = false;
                self.approved = false;
                permissions.exit_note_given();
            }
            Attachment::AutoModeExit {} => permissions.auto_exit_note_given(),
            Attachment::PlanFileReference { .. }
            | Attachment::CarriedOver { .. }
            | Attachment::ExperimentGone { .. }
            | Attachment::Unknown => {}
        }
    }

    /// The result of `EnterPlanMode` told the model that it is planning; the note is still due.
    pub(crate) fn told_by_result(&mut self) {
        self.told_planning = true;
    }

    fn planning_note(&mut self) {
        self.nearest = Some(Nearest::default());
        self.noted = true;
        self.told_planning = true;
        self.approved = false;
    }

    /// The conversation was replaced by a summary: a plan note in it is gone, the next is due at
    /// once and full; an exit note that was due stays due.
    pub(crate) fn compacted(&mut self) {
        self.nearest = None;
        self.since_full = None;
    }

    /// The conversation is gone, and with it all that the model was told.
    pub(crate) fn cleared(&mut self) {
        *self = Self::default();
    }
}

/// What the next request depends on besides the log.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The plan file.
    pub plan_file: &'a Path,
    /// Whether it is there (and not empty of meaning).
    pub plan_exists: bool,
    /// The cadence.
    pub reminders: &'a Reminders,
    /// The workflow text for full notes.
    pub text: WorkflowText,
    /// Whether the notes are for a subagent.
    pub sub_agent: bool,
    /// Whether the agent is read-only whatever its mode: by type, by birth, or because one above
    /// it plans.
    pub read_only: bool,
}

/// The notes to give with the next request, in order. The last one states the mode as it is.
pub fn due(ledger: &Ledger, permissions: &Permissions, now: Circumstances<'_>) -> Vec<Attachment> {
    let mut notes = Vec::new();
    if permissions.auto_exit_due() {
        notes.push(Attachment::AutoModeExit {});
    }
    if permissions.planning() || now.read_only {
        notes.extend(reentry_due(ledger, permissions, &now));
        notes.extend(plan_mode_due(ledger, &now));
    } else {
        notes.extend(exit_due(ledger, permissions, &now));
    }
    notes
}

/// Only for the main thread, and only before the first plan note since plan mode was last left: a plan written after that note is
/// not one from before.
fn reentry_due(ledger: &Ledger, permissions: &Permissions, now: &Circumstances<'_>) -> Option<Attachment> {
    let due = permissions.has_exited_plan_mode() && now.plan_exists && !ledger.noted && !now.sub_agent;
    due.then(|| Attachment::PlanModeReentry { plan_file_path: now.plan_file.to_owned() })
}

fn plan_mode_due(ledger: &Ledger, now: &Circumstances<'_>) -> Option<Attachment> {
    let reminder_type = match ledger.nearest {
        None => ledger.next_kind(now.reminders),
        Some(nearest) if nearest.turns >= now.reminders.turns.max(1) => ledger.next_kind(now.reminders),
        Some(nearest) if now.reminders.requests > 0 && nearest.requests >= now.reminders.requests => {
            ReminderType::Sparse
        }
        Some(_) => return None,
    };
    Some(Attachment::PlanMode {
        reminder_type,
        is_sub_agent: now.sub_agent,
        plan_file_path: now.plan_file.to_owned(),
        plan_exists: now.plan_exists,
        text: if reminder_type == ReminderType::Full { now.text } else { WorkflowText::default() },
    })
}

fn exit_due(ledger: &Ledger, permissions: &Permissions, now: &Circumstances<'_>) -> Option<Attachment> {
    let due = permissions.needs_plan_exit_attachment() && ledger.told_planning;
    due.then(|| Attachment::PlanModeExit {
        plan_file_path: now.plan_file.to_owned(),
        plan_exists: now.plan_exists,
        approved: ledger.approved,
        mode: permissions.mode(),
        is_sub_agent: now.sub_agent,
    })
}

impl Ledger {
    /// The n-th note since the last exit is full when `n mod fullEvery = 1`. Counted from the last
    /// full note, so that the sparse ones of a long tool loop can never take a full one's place.
    const fn next_kind(&self, reminders: &Reminders) -> ReminderType {
        match self.since_full {
            Some(notes) if notes.saturating_add(1) < reminders.full_every => ReminderType::Sparse,
            Some(_) | None => ReminderType::Full,
        }
    }
}

impl Default for WorkflowText {
    fn default() -> Self {
        Self {
            workflow: Workflow::Phases,
            length: crate::settings::PlanLength::Full,
            explore_agents: 3,
            plan_agents: 1,
            experiments: false,
        }
    }
}

#[cfg(test)]
mod tests;
