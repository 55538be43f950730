//! What the laws remember of a log besides the state: derived from the facts alone, by rules of
//! their own, so that the fold is held against something else than itself.

use planwright_core::attach::Attachment;
use planwright_core::mode::{Cause, Mode};
use planwright_core::state::State;
use planwright_core::transcript::{Decision, Fact};

/// What is remembered of one conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ghost {
    /// The last mode that was more than passed through: set by name, or on when words were sent.
    pub settled: Mode,
    /// While planning, the mode to come back to.
    pub before: Option<Mode>,
    /// The model was told that it may only read, and not that this is over.
    pub believes: bool,
    /// An approval is in the log, and the change to the mode that it names is not.
    pub approved: Option<Mode>,
    /// Whoever started this agent might only read then.
    pub born_planning: bool,
}

impl Ghost {
    /// Takes in a fact; `before` is the state that it met.
    pub fn take(&mut self, fact: &Fact, before: &State) {
        let mode = before.permissions().mode();
        match fact {
            Fact::User { .. } if mode != Mode::Plan => self.settled = mode,
            Fact::PermissionMode(change) => {
                self.approved = None;
                match change.to {
                    Mode::Plan if mode != Mode::Plan => {
                        self.before = Some(if change.cause == Cause::Cycle { self.settled } else { mode });
                    }
                    Mode::Plan => {}
                    Mode::Default | Mode::AcceptEdits | Mode::Auto | Mode::BypassPermissions => {
                        self.before = None;
                        if change.cause != Cause::Cycle {
                            self.settled = change.to;
                        }
                    }
                }
            }
            Fact::PlanDecision(decided) if decided.decision == Decision::Approved => {
                let name = decided.choice.strip_prefix("approve:");
                self.approved = name.map_or(self.before, Mode::parse);
            }
            Fact::Attachment { attachment: Attachment::PlanMode { .. } | Attachment::PlanModeReentry { .. } } => {
                self.believes = true;
            }
            Fact::Attachment { attachment: Attachment::PlanModeExit { .. } } => self.believes = false,
            Fact::ToolResult { tool, is_error: false, .. } if tool == "EnterPlanMode" => self.believes = true,
            Fact::Cleared {} => self.believes = false,
            _ => {}
        }
    }
}
