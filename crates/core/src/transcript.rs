//! Entries: one fact that happened, as the session log holds it.
//!
//! The log is the only truth. Field and type names are pinned by the interfaces page, section 7.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::attach::Attachment;
use crate::mode::{Cause, Mode};
use crate::reply::{Stop, Usage};
use crate::request::Block;
use crate::rules::{Behavior, Layer};

/// One line of the session log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Identifies the entry.
    pub uuid: Uuid,
    /// When it was written.
    pub timestamp: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub fact: Fact,
}

/// What happened. Serialised with `type` = the kebab-case name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Fact {
    /// The session began. Always the first entry.
    SessionStarted(SessionStarted),
    /// A person's message. A human turn.
    User {
        /// What they typed.
        text: String,
    },
    /// The model answered.
    Assistant {
        /// What it said and asked for.
        blocks: Vec<Block>,
        /// Why it stopped.
        stop: Stop,
        /// What it cost.
        #[serde(default)]
        usage: Usage,
        /// Which model ([`crate::request::Request`] was put to it).
        model: String,
    },
    /// What one tool call came to, as the model is told.
    ToolResult {
        /// The call.
        tool_use_id: String,
        /// The tool.
        tool: String,
        /// The text the model reads.
        content: String,
        /// Whether it is an error or a denial.
        #[serde(default)]
        is_error: bool,
        /// Files whose content the model knows from this call.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        seen: Vec<Seen>,
    },
    /// The permission mode changed.
    PermissionMode(ModeChange),
    /// Auto semantics were switched while planning (plan-mode.md section 11).
    AutoSemantics {
        /// Whether they are on now.
        active: bool,
        /// The allow rules out of force now, by layer.
        #[serde(default)]
        stripped: BTreeMap<Layer, Vec<String>>,
        /// Whether the model must be told that auto mode ended.
        #[serde(default)]
        exit_note: bool,
    },
    /// A note was given to the model.
    Attachment {
        /// The note.
        attachment: Attachment,
    },
    /// A tool call was judged.
    PermissionDecision {
        /// The tool.
        tool: String,
        /// The call.
        tool_use_id: String,
        /// `allow`, `ask` or `deny`.
        verdict: String,
        /// Why.
        reason: String,
        /// Who decided: `gate`, `rule`, `mode`, `user`, `hook NAME`, `nobody`.
        by: String,
    },
    /// A permission rule was added for this session, or saved at the user's wish.
    RuleAdded {
        /// What the rule does.
        behavior: Behavior,
        /// The rule's text.
        rule: String,
    },
    /// The session's plan file was named.
    PlanSlug {
        /// The slug.
        slug: String,
        /// The plan file.
        path: PathBuf,
    },
    /// The plan was submitted for approval.
    PlanSubmitted {
        /// Counts from 1 in a session.
        revision: u32,
        /// Hex digest of the text.
        sha256: String,
        /// The plan file.
        path: PathBuf,
        /// The text that was submitted.
        #[serde(default)]
        text: String,
        /// The `ExitPlanMode` call that submitted it.
        #[serde(default)]
        tool_use_id: String,
    },
    /// A submission was decided.
    PlanDecision(PlanDecision),
    /// Files kept in the log, for machines whose disk is not (plan-mode.md section 14).
    #[serde(rename = "file_snapshot")]
    FileSnapshot {
        /// The files.
        files: Vec<Snapshot>,
    },
    /// The todo list changed.
    Todos {
        /// The whole list.
        todos: Vec<crate::call::Todo>,
    },
    /// A subagent was started.
    AgentStarted {
        /// Its id; its log is `subagents/<id>.jsonl`.
        agent_id: String,
        /// Its type.
        agent_type: String,
        /// Which one of that type in this session, from 0.
        instance: usize,
        /// The call that started it.
        tool_use_id: String,
        /// Whether it is read-only to its end.
        read_only: bool,
    },
    /// The user or the program stopped the turn.
    Interrupted {
        /// Why.
        reason: String,
    },
    /// A turn is over.
    TurnEnded {
        /// Whether the user was told that no plan was submitted.
        #[serde(default)]
        plan_missing: bool,
    },
    /// The conversation up to here was replaced by a summary.
    Compacted {
        /// The summary.
        summary: String,
    },
    /// The conversation up to here was dropped.
    Cleared {},
    /// Words of the program to the model that are no note about modes (a reminder that no plan was
    /// submitted, the output of a `!command`).
    Reminder {
        /// The words.
        text: String,
    },
    /// Something a person should know happened (a warning, a recovery).
    Notice {
        /// A stable key.
        key: String,
        /// The words.
        text: String,
    },
    /// An entry of a kind this version does not know: kept, and ignored.
    #[serde(untagged)]
    Unknown(Value),
}

/// The first entry of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionStarted {
    /// The session.
    pub session_id: Uuid,
    /// The project root.
    pub cwd: PathBuf,
    /// The program's version.
    pub version: String,
    /// The session this one is a fork of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<Uuid>,
    /// The subagent whose log this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<crate::request::AgentRef>,
}

/// The permission mode changed: the move, and all that it left in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeChange {
    /// The mode before.
    pub from: Mode,
    /// The mode now.
    pub to: Mode,
    /// What caused it.
    pub cause: Cause,
    /// The mode to go back to, while planning.
    #[serde(default)]
    pub pre_plan_mode: Option<Mode>,
    /// Whether auto semantics are in force now.
    #[serde(default)]
    pub auto_active: bool,
    /// The allow rules out of force now, by layer.
    #[serde(default)]
    pub stripped: BTreeMap<Layer, Vec<String>>,
    /// Whether the model must be told that auto mode ended.
    #[serde(default)]
    pub auto_exit_note: bool,
    /// Why another mode than the one asked for came on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// A submission was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanDecision {
    /// The submission.
    pub revision: u32,
    /// Hex digest of the text that was shown.
    pub sha256: String,
    /// What was decided.
    pub decision: Decision,
    /// The choice taken, by its stable name.
    pub choice: String,
    /// Whether the user edited the plan before approving.
    #[serde(default)]
    pub edited: bool,
    /// What the user wants changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Who decided.
    pub by: String,
    /// The text approved, when it differs from the one submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The outcome of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The work may start.
    Approved,
    /// Keep planning.
    Rejected,
    /// The request went away without a decision (interrupt, cleared); still planning.
    Withdrawn,
}

/// One file kept in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// What it is: `plan`.
    pub key: String,
    /// Where it was.
    pub path: PathBuf,
    /// Its text.
    pub content: String,
}

/// A file as the model last saw it, for read-before-edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The real path.
    pub path: PathBuf,
    /// Hex sha256 of the whole content.
    pub sha256: String,
}

/// A line of a session log that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineWarning {
    /// What is wrong, as a clause.
    pub message: String,
}

impl Entry {
    /// Reads one line of a log. A line that is JSON but not an entry this version knows is kept as
    /// [`Fact::Unknown`]; an unknown mode reads as `default`; both with a warning.
    ///
    /// # Errors
    /// The line is not a JSON object.
    pub fn read(line: &str) -> Result<(Self, Option<LineWarning>), String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if !value.is_object() {
            return Err("the line is not a JSON object".to_owned());
        }
        let unknown_mode = (value["type"] == "permission-mode")
            .then(|| value["to"].as_str().map_or_else(|| value["to"].to_string(), str::to_owned))
            .filter(|to| Mode::parse(to).is_none())
            .map(|to| LineWarning { message: format!("unknown permission mode `{to}`, read as `default`") });
        match serde_json::from_value::<Self>(value.clone()) {
            Ok(entry) => {
                let warning = unknown_mode.or_else(|| match &entry.fact {
                    Fact::Unknown(value) => Some(unknown_kind(value)),
                    _ => None,
                });
                Ok((entry, warning))
            }
            Err(_) => {
                let warning = Some(unknown_kind(&value));
                let timestamp =
                    value["timestamp"].as_str().and_then(|t| t.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH);
                let uuid = value["uuid"].as_str().and_then(|id| id.parse().ok()).unwrap_or(Uuid::nil());
                Ok((Self { uuid, timestamp, fact: Fact::Unknown(value) }, warning))
            }
        }
    }
}

fn unknown_kind(value: &Value) -> LineWarning {
    LineWarning {
        message: format!("an entry of type {} that this version does not know; kept and ignored", value["type"]),
    }
}
