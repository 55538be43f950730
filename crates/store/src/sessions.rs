//! Finding, listing, exporting and removing sessions.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use planwright_core::bounds;
use planwright_core::mode::Mode;
use planwright_core::text;
use planwright_core::transcript::{Entry, Fact};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::{Fault, StoreError};
use crate::home::Home;
use crate::lines::{self, Flow, Line};
use crate::log::{EXTENSION, LogWarning, lock, subagents_folder};

/// What a list of sessions shows of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    /// The session.
    pub id: Uuid,
    /// Its log.
    pub path: PathBuf,
    /// The project root, if the first entry says it.
    pub cwd: Option<PathBuf>,
    /// When the log was last written to.
    pub modified: Timestamp,
    /// The first line of the first prompt, cut to [`bounds::SESSION_TITLE_CHARS`].
    pub first_prompt: Option<String>,
    /// The mode it was left in.
    pub mode: Mode,
    /// Its plan file, if one was named since the conversation was last cleared.
    pub plan: Option<PathBuf>,
    /// The revision of a plan that waits for approval.
    pub pending_plan: Option<u32>,
}

/// The sessions of the project at `cwd`, the last used first. Logs that cannot be read are left out.
pub fn sessions(home: &Home, cwd: &Path) -> Vec<SessionSummary> {
    let mut found: Vec<_> = logs_in(&home.project_dir(cwd)).iter().filter_map(summary).collect();
    found.retain(|session| session.cwd.as_deref().is_none_or(|own| own == cwd));
    sorted(found)
}

/// The sessions of all projects, the last used first. Logs that cannot be read are left out.
pub fn all_sessions(home: &Home) -> Vec<SessionSummary> {
    sorted(all_logs(home).iter().filter_map(summary).collect())
}

/// The log of the session last used in the project at `cwd`, if there is one.
pub fn latest(home: &Home, cwd: &Path) -> Option<PathBuf> {
    let mut logs = logs_in(&home.project_dir(cwd));
    logs.sort_by_key(|log| std::cmp::Reverse(log.modified));
    logs.into_iter().find(|log| belongs(&log.path, cwd)).map(|log| log.path)
}

/// The log of the session whose id is, or begins with, `id`: one of the project at `cwd` if that is
/// given and has one, else of any project.
///
/// # Errors
/// There is none ([`Fault::Missing`]), or more than one; the message then lists them
/// ([`Fault::Ambiguous`]).
pub fn find(home: &Home, cwd: Option<&Path>, id: &str) -> Result<PathBuf, StoreError> {
    let wanted = id.trim().to_ascii_lowercase();
    let fits = |log: &LogFile| !wanted.is_empty() && log.id.to_string().starts_with(&wanted);
    let own = cwd.map(|cwd| {
        let mut logs = logs_in(&home.project_dir(cwd));
        logs.retain(|log| fits(log) && belongs(&log.path, cwd));
        logs
    });
    let mut found = match own {
        Some(own) if !own.is_empty() => own,
        _ => all_logs(home).into_iter().filter(fits).collect(),
    };
    let failed = |fault, cause: String, hint: String| {
        Err(StoreError { fault, what: format!("cannot find the session `{}`", id.trim()), path: None, cause, hint })
    };
    match found.len() {
        0 => failed(
            Fault::Missing,
            "no session's id is that or begins with it".to_owned(),
            "`planwright session list` shows the sessions there are.".to_owned(),
        ),
        1 => Ok(found.swap_remove(0).path),
        count => {
            found.sort_by_key(|log| std::cmp::Reverse(log.modified));
            let ids: Vec<String> = found.iter().take(bounds::SHOWN_CANDIDATES).map(|log| log.id.to_string()).collect();
            failed(
                Fault::Ambiguous,
                format!("{count} sessions' ids begin with that"),
                format!("Give more of the id: {}.", ids.join(", ")),
            )
        }
    }
}

/// Removes a session: its log and its subagents' logs. Its plan file stays. Yields the log's path.
///
/// # Errors
/// As for [`find`]; a Planwright has the session open ([`Fault::InUse`]); or the files cannot be removed.
pub fn remove(home: &Home, id: &str) -> Result<PathBuf, StoreError> {
    let path = find(home, None, id)?;
    let failed = |path: &Path, error: &io::Error| StoreError::io("remove the session", path, error);
    let file = OpenOptions::new().read(true).append(true).open(&path).map_err(|error| failed(&path, &error))?;
    lock(&file, &path)?;
    let beside = path.with_extension("");
    match fs::remove_dir_all(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&beside, &error)),
        _ => {}
    }
    fs::remove_file(&path).map_err(|error| failed(&path, &error))?;
    Ok(path)
}

/// A session as one JSON document, for other programs or to send to somebody: `entries` as they stand
/// in the log, `subagents` by id, `warnings`.
///
/// # Errors
/// A log cannot be read.
pub fn export(path: &Path) -> Result<String, StoreError> {
    let (entries, mut warnings) = crate::log::read(path)?;
    let mut subagents = serde_json::Map::new();
    for log in names_in(&subagents_folder(path)) {
        let (entries, more) = crate::log::read(&log)?;
        warnings.extend(more);
        let id = log.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        subagents.insert(id, json!(entries));
    }
    let session = path.file_stem().unwrap_or_default().to_string_lossy();
    let warnings: Vec<String> = warnings.iter().map(LogWarning::to_string).collect();
    let document: Value = json!({"session": session, "entries": entries, "subagents": subagents, "warnings": warnings});
    Ok(format!("{document:#}\n"))
}

struct LogFile {
    id: Uuid,
    path: PathBuf,
    modified: SystemTime,
}

/// The files in a folder whose names end as a log's does, in order.
fn names_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    paths.sort();
    paths
}

fn logs_in(folder: &Path) -> Vec<LogFile> {
    let log = |path: PathBuf| {
        let id = path.file_stem()?.to_str()?.parse().ok()?;
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
        Some(LogFile { id, path, modified })
    };
    names_in(folder).into_iter().filter_map(log).collect()
}

fn all_logs(home: &Home) -> Vec<LogFile> {
    let Ok(projects) = fs::read_dir(home.projects_dir()) else { return Vec::new() };
    projects.flatten().flat_map(|project| logs_in(&project.path())).collect()
}

fn sorted(mut sessions: Vec<SessionSummary>) -> Vec<SessionSummary> {
    sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then(a.id.cmp(&b.id)));
    sessions
}

/// Whether the log is of the project at `cwd`: two projects can share a folder of logs. A log whose
/// first entry is lost counts as its.
fn belongs(path: &Path, cwd: &Path) -> bool {
    let mut own = None;
    let Ok(file) = File::open(path) else { return false };
    let read = lines::for_each(file, |line| {
        own = entry(&line).and_then(|entry| match entry.fact {
            Fact::SessionStarted(started) => Some(started.cwd),
            _ => None,
        });
        Flow::Stop
    });
    read.is_ok() && own.is_none_or(|own| own == cwd)
}

fn entry(line: &Line<'_>) -> Option<Entry> {
    let text = std::str::from_utf8(line.bytes).ok()?;
    Entry::read(text).ok().map(|(entry, _)| entry)
}

/// The kinds of entries a summary is made of; all others are passed over without parsing them.
const TELLING: [&[u8]; 7] = [
    b"session-started\"",
    b"user\"",
    b"permission-mode\"",
    b"plan-slug\"",
    b"plan-submitted\"",
    b"plan-decision\"",
    b"cleared\"",
];

/// Whether a line may matter to a summary. Only a line that begins as ours do can be passed over by
/// its first bytes.
fn may_tell(line: &[u8]) -> bool {
    line.strip_prefix(b"{\"type\":\"").is_none_or(|rest| TELLING.iter().any(|kind| rest.starts_with(kind)))
}

fn summary(log: &LogFile) -> Option<SessionSummary> {
    let mut summary = SessionSummary {
        id: log.id,
        path: log.path.clone(),
        cwd: None,
        modified: Timestamp::try_from(log.modified).ok()?,
        first_prompt: None,
        mode: Mode::Default,
        plan: None,
        pending_plan: None,
    };
    lines::for_each(File::open(&log.path).ok()?, |line| {
        if may_tell(line.bytes)
            && let Some(entry) = entry(&line)
        {
            add(&mut summary, entry.fact);
        }
        Flow::Next
    })
    .ok()?;
    Some(summary)
}

fn add(summary: &mut SessionSummary, fact: Fact) {
    match fact {
        Fact::SessionStarted(started) => summary.cwd = Some(started.cwd),
        Fact::User { text } => {
            summary.first_prompt.get_or_insert_with(|| text::first_line(&text, bounds::SESSION_TITLE_CHARS));
        }
        Fact::PermissionMode(change) => {
            summary.mode = change.to;
            if change.to != change.from {
                summary.pending_plan = None;
            }
        }
        Fact::PlanSlug { path, .. } => summary.plan = Some(path),
        Fact::PlanSubmitted { revision, .. } => summary.pending_plan = Some(revision),
        Fact::PlanDecision(_) => summary.pending_plan = None,
        Fact::Cleared {} => {
            summary.plan = None;
            summary.pending_plan = None;
        }
        Fact::Assistant { .. }
        | Fact::Aside(_)
        | Fact::HandedOver { .. }
        | Fact::ToolResult { .. }
        | Fact::AutoSemantics { .. }
        | Fact::Attachment { .. }
        | Fact::PermissionDecision { .. }
        | Fact::RuleAdded { .. }
        | Fact::Protection(_)
        | Fact::Evidence(_)
        | Fact::FileSnapshot { .. }
        | Fact::Todos { .. }
        | Fact::AgentStarted { .. }
        | Fact::AgentEnded { .. }
        | Fact::Interrupted { .. }
        | Fact::TurnEnded { .. }
        | Fact::Compacted { .. }
        | Fact::Reminder { .. }
        | Fact::Experiment { .. }
        | Fact::ExperimentDropped { .. }
        | Fact::ExperimentApplied(_)
        | Fact::ExperimentUndone {}
        | Fact::Notice { .. }
        | Fact::Unknown(_) => {}
    }
}
