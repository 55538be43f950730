//! The notes due to the model this turn (plan-mode.md section 7).
//!
//! Notes are typed facts of the log. What is due is derived from a [`Ledger`] that is folded from
//! the same log, so a resumed, forked or compacted session says the right thing.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

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
    /// Auto mode is off.
    AutoModeExit {},
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
            Self::AutoModeExit {} => "auto_mode_exit".to_owned(),
            Self::Unknown => "unknown".to_owned(),
        }
    }
}

/// What the notes so far came to: a projection of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// Human turns since the last plan or re-entry note; `None` if there is no such note in the
    /// conversation since plan mode was last left.
    turns_since_note: Option<u32>,
    /// Requests since that note.
    requests_since_note: u32,
    /// Plan notes since plan mode was last left, or since the conversation that held them went.
    notes: u32,
    /// The model was given a plan note and no exit note since.
    told_planning: bool,
    /// An approval was the way out that the exit note is due for.
    approved: bool,
}

impl Ledger {
    /// The model was given a plan note and no exit note since: it believes that it is planning.
    pub const fn told_planning(&self) -> bool {
        self.told_planning
    }

    pub(crate) fn human_turn(&mut self) {
        self.turns_since_note = self.turns_since_note.map(|turns| turns.saturating_add(1));
    }

    pub(crate) fn request(&mut self) {
        self.requests_since_note = self.requests_since_note.saturating_add(1);
    }

    pub(crate) fn left_plan_mode(&mut self, approved: bool) {
        self.turns_since_note = None;
        self.notes = 0;
        self.approved = approved;
    }

    pub(crate) fn given(&mut self, attachment: &Attachment, permissions: &mut Permissions) {
        match attachment {
            Attachment::PlanMode { .. } => {
                self.turns_since_note = Some(0);
                self.requests_since_note = 0;
                self.notes = self.notes.saturating_add(1);
                self.told_planning = true;
            }
            Attachment::PlanModeReentry { .. } => {
                self.turns_since_note = Some(0);
                self.requests_since_note = 0;
                self.told_planning = true;
                permissions.reentry_note_given();
            }
            Attachment::PlanModeExit { .. } => {
                self.told_planning = false;
                permissions.exit_note_given();
            }
            Attachment::AutoModeExit {} => permissions.auto_exit_note_given(),
            Attachment::PlanFileReference { .. } | Attachment::Unknown => {}
        }
    }

    /// The conversation was replaced by a summary: a plan note in it is gone, the next is due at
    /// once and full; an exit note that was due stays due.
    pub(crate) fn compacted(&mut self) {
        self.turns_since_note = None;
        self.notes = 0;
    }

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
    /// Whether the notes are for a subagent that is read-only whatever the mode.
    pub sub_agent: bool,
}

/// The notes to give with the next request, in order.
pub fn due(ledger: &Ledger, permissions: &Permissions, now: Circumstances<'_>) -> Vec<Attachment> {
    let mut notes = Vec::new();
    let path = || now.plan_file.to_owned();
    if permissions.auto_exit_due() && !now.sub_agent {
        notes.push(Attachment::AutoModeExit {});
    }
    if !permissions.planning() && !now.sub_agent {
        if permissions.needs_plan_exit_attachment() && ledger.told_planning {
            notes.push(Attachment::PlanModeExit {
                plan_file_path: path(),
                plan_exists: now.plan_exists,
                approved: ledger.approved,
                mode: permissions.mode(),
            });
        }
        return notes;
    }
    if permissions.has_exited_plan_mode() && now.plan_exists && ledger.turns_since_note.is_none() {
        notes.push(Attachment::PlanModeReentry { plan_file_path: path() });
    }
    let reminder_type = match ledger.turns_since_note {
        None => Some(kind(ledger.notes + 1, now.reminders)),
        Some(turns) if turns >= now.reminders.turns.max(1) => Some(kind(ledger.notes + 1, now.reminders)),
        Some(_) => (now.reminders.requests > 0 && ledger.requests_since_note >= now.reminders.requests)
            .then_some(ReminderType::Sparse),
    };
    notes.extend(reminder_type.map(|reminder_type| Attachment::PlanMode {
        reminder_type,
        is_sub_agent: now.sub_agent,
        plan_file_path: path(),
        plan_exists: now.plan_exists,
        text: if reminder_type == ReminderType::Full { now.text } else { WorkflowText::default() },
    }));
    notes
}

/// The n-th note since the last exit is full when `n mod fullEvery = 1`; with `fullEvery` 1 or 0
/// every note is.
const fn kind(n: u32, reminders: &Reminders) -> ReminderType {
    if reminders.full_every <= 1 || n % reminders.full_every == 1 { ReminderType::Full } else { ReminderType::Sparse }
}

impl Default for WorkflowText {
    fn default() -> Self {
        Self {
            workflow: Workflow::Phases,
            length: crate::settings::PlanLength::Full,
            explore_agents: 3,
            plan_agents: 1,
        }
    }
}
