//! Entries: one fact that happened, as the session log holds it.
//!
//! The log is the only truth. Field and type names are pinned by the interfaces page, section 7.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use uuid::Uuid;

use crate::attach::Attachment;
use crate::experiment::{Applied, Draft};
use crate::mode::{Cause, Mode};
use crate::plan::{Aside, Evidence, Handoff};
use crate::protection::Protection;
use crate::reply::{Stop, Usage};
use crate::request::Block;
use crate::rules::{Behavior, Layer};

/// One line of the session log. Written with `type` first, so that a reader who looks for a few
/// kinds can pass over the other lines without parsing them.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Identifies the entry.
    pub uuid: Uuid,
    /// When it was written.
    pub timestamp: Timestamp,
    /// What happened.
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
    /// What protects the user on this machine was found out, or is another now.
    Protection(Protection),
    /// A command ran in a scratch copy.
    Evidence(Evidence),
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
    /// The user asked about the plan that waits, and the model answered.
    Aside(Aside),
    /// The work by an approved plan began in a conversation of its own: what was said before is no more
    /// part of it.
    HandedOver {
        /// What it begins with.
        text: String,
    },
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
    /// A subagent is done.
    AgentEnded {
        /// Its id.
        agent_id: String,
        /// What it and its own agents cost, by model.
        #[serde(default)]
        usage: BTreeMap<String, Usage>,
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
        /// The model that wrote it.
        #[serde(default)]
        model: String,
        /// What it cost.
        #[serde(default)]
        usage: Usage,
        /// Who wanted it.
        #[serde(default)]
        trigger: Trigger,
        /// Tokens of the conversation before, as far as known.
        #[serde(default)]
        tokens_before: u64,
    },
    /// The conversation up to here was dropped.
    Cleared {},
    /// Words of the program to the model that are no note about modes (a reminder that no plan was
    /// submitted, the output of a `!command`).
    Reminder {
        /// The words.
        text: String,
    },
    /// The model changed files in the scratch copy, to try a change (`plan.experiments`).
    Experiment {
        /// The files, as they are there now.
        files: Vec<Draft>,
    },
    /// What was tried is gone, and was not applied.
    ExperimentDropped {
        /// Why.
        reason: String,
    },
    /// What was tried is applied to the real files. Written before they are: after a crash it can be
    /// undone, however far it came.
    ExperimentApplied(Applied),
    /// What was applied last is undone.
    ExperimentUndone {},
    /// Something a person should know happened (a warning, a recovery).
    Notice {
        /// A stable key.
        key: String,
        /// The words.
        text: String,
    },
    /// An entry of a kind this version does not know: kept, and ignored. Read and written by
    /// [`Entry`] only; to let serde try it last would make every other line three times as slow.
    #[serde(skip)]
    Unknown(Value),
}

/// Who wanted a conversation compacted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// The user, by `/compact`.
    #[default]
    Manual,
    /// The program: the model's window was full, or as good as full.
    Auto,
}

impl Trigger {
    /// The name in logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Auto => "auto",
        }
    }
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
    #[serde(default)]
    pub from: Mode,
    /// The mode now. A line that names none reads as `default`, with a warning: to ignore the line
    /// would leave a looser mode in force.
    #[serde(default)]
    pub to: Mode,
    /// What caused it.
    #[serde(default)]
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
    /// What the user wants changed; with an approval, their notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Who decided.
    pub by: String,
    /// The text approved, when it differs from the one submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// With what conversation and model the work goes on.
    #[serde(default, skip_serializing_if = "Handoff::is_plain")]
    pub handoff: Handoff,
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
        // Two passes over the text are cheaper than one through a tree of values.
        let envelope = Envelope::at_end(line).or_else(|| serde_json::from_str(line).ok());
        let fact: Result<Fact, _> = serde_json::from_str(line);
        if let (Some(Envelope { uuid, timestamp }), Ok(fact)) = (envelope, fact) {
            let warning = matches!(fact, Fact::PermissionMode(_)).then(|| unknown_mode(line)).flatten();
            return Ok((Self { uuid, timestamp, fact }, warning));
        }
        match serde_json::from_str(line).map_err(|error| error.to_string())? {
            Value::Object(object) => {
                let warning = unknown_kind(&object);
                Ok((Self::unknown(object), Some(warning)))
            }
            _ => Err("the line is not a JSON object".to_owned()),
        }
    }

    fn unknown(mut object: serde_json::Map<String, Value>) -> Self {
        // A field that cannot be read stays in the value, so that nothing is lost on rewriting.
        let uuid = object.get("uuid").and_then(Value::as_str).and_then(|id| id.parse().ok());
        let timestamp = object.get("timestamp").and_then(Value::as_str).and_then(|t| t.parse().ok());
        uuid.is_some().then(|| object.shift_remove("uuid"));
        timestamp.is_some().then(|| object.shift_remove("timestamp"));
        Self {
            uuid: uuid.unwrap_or(Uuid::nil()),
            timestamp: timestamp.unwrap_or(Timestamp::UNIX_EPOCH),
            fact: Fact::Unknown(Value::Object(object)),
        }
    }
}

/// What every line has.
#[derive(Deserialize)]
struct Envelope {
    uuid: Uuid,
    timestamp: Timestamp,
}

impl Envelope {
    /// The envelope of a line that ends as ours do, without a pass over the rest. In JSON a quote
    /// after a comma begins a string, so what looks like the last two keys of the line is just that,
    /// if the line is JSON at all.
    fn at_end(line: &str) -> Option<Self> {
        let (line, timestamp) = line.strip_suffix("\"}")?.rsplit_once("\",\"timestamp\":\"")?;
        let (_, uuid) = line.rsplit_once(",\"uuid\":\"")?;
        Some(Self { uuid: uuid.parse().ok()?, timestamp: timestamp.parse().ok()? })
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Line<'a> {
            #[serde(flatten)]
            fact: &'a Fact,
            uuid: Uuid,
            timestamp: Timestamp,
        }
        let Fact::Unknown(Value::Object(object)) = &self.fact else {
            return Line { fact: &self.fact, uuid: self.uuid, timestamp: self.timestamp }.serialize(serializer);
        };
        let mut line = serializer.serialize_map(None)?;
        object.iter().try_for_each(|(key, value)| line.serialize_entry(key, value))?;
        if !object.contains_key("uuid") {
            line.serialize_entry("uuid", &self.uuid)?;
        }
        if !object.contains_key("timestamp") {
            line.serialize_entry("timestamp", &self.timestamp)?;
        }
        line.end()
    }
}

/// As [`Entry::read`], without its warnings.
impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let line = Value::deserialize(deserializer)?.to_string();
        Self::read(&line).map(|(entry, _)| entry).map_err(serde::de::Error::custom)
    }
}

/// The warning for a change to a mode that this version does not know.
fn unknown_mode(line: &str) -> Option<LineWarning> {
    #[derive(Deserialize)]
    struct Change {
        #[serde(default)]
        to: Value,
    }
    let Change { to } = serde_json::from_str(line).ok()?;
    let name = to.as_str().map_or_else(|| to.to_string(), str::to_owned);
    Mode::parse(&name)
        .is_none()
        .then(|| LineWarning { message: format!("unknown permission mode `{name}`, read as `default`") })
}

fn unknown_kind(object: &serde_json::Map<String, Value>) -> LineWarning {
    let kind = object.get("type").unwrap_or(&Value::Null);
    LineWarning { message: format!("an entry of type {kind} that this version does not know; kept and ignored") }
}
