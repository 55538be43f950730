//! Session logs: one writer, whole lines, written before they take effect.
//!
//! A log is only ever appended to, one write for each batch of entries. What a crash can leave is a
//! last line without its end; it is dropped on opening. What a full disk leaves of a batch is taken
//! back at once. A lock on the file keeps a second Planwright out.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use planwright_core::bounds;
use planwright_core::transcript::{Entry, Fact};
use uuid::Uuid;

use crate::atomic::sync_folder;
use crate::error::{Fault, StoreError};
use crate::home::{Home, create_private_file, make_private_folder};
use crate::lines::{self, Flow, Line};

/// The ending of a log's file name.
pub(crate) const EXTENSION: &str = "jsonl";

/// A session log open for appending. The lock is held until it is dropped.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
    tail: Tail,
    /// The name of a new log survives a power cut only once these folders are synced.
    unsynced: Vec<PathBuf>,
}

/// What the end of a file needs before a line may follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tail {
    /// The length to cut it to: what follows is part of a line.
    cut: Option<u64>,
    /// The last line is whole, but for its newline.
    newline_due: bool,
}

/// A log as it was found.
#[derive(Debug)]
pub struct Opened {
    /// The log, ready to be appended to.
    pub log: Log,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// What is not as expected in it.
    pub warnings: Vec<LogWarning>,
    /// A line was lost that may have been a move to a stricter mode: the mode the entries end in may
    /// be looser than the one that was in force. A torn last line does not count: it took no effect.
    pub mode_in_doubt: bool,
}

/// Something in a log that is not as expected. It never keeps the log from being opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogWarning {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what was done about it, as a clause.
    pub message: String,
}

impl fmt::Display for LogWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the session log: {}", self.line, self.message)
    }
}

impl Log {
    /// Makes the log of a new session in the project at `cwd`, empty.
    ///
    /// # Errors
    /// The file or its folders cannot be made, or there is such a session already.
    pub fn create(home: &Home, cwd: &Path, session_id: Uuid) -> Result<Self, StoreError> {
        let folder = home.project_dir(cwd);
        let above = [home.root().to_owned(), home.projects_dir()];
        Self::create_at(folder.join(format!("{session_id}.{EXTENSION}")), &above)
    }

    /// Makes the log of a subagent, `<session uuid>/subagents/<agent id>.jsonl` beside the session's,
    /// empty. Characters of the id that are not ASCII letters, digits, `-` or `_` become `-`.
    ///
    /// # Errors
    /// As for [`Log::create`].
    pub fn subagent(&self, agent_id: &str) -> Result<Self, StoreError> {
        let folder = subagents_folder(&self.path);
        let above: Vec<PathBuf> = folder.ancestors().skip(1).take(2).map(Path::to_owned).collect();
        Self::create_at(folder.join(format!("{}.{EXTENSION}", path_safe(agent_id))), &above)
    }

    fn create_at(path: PathBuf, above: &[PathBuf]) -> Result<Self, StoreError> {
        let failed = |error: &io::Error| StoreError::io("make the session log", &path, error);
        let folder = path.parent().expect("a log lies in a folder");
        make_private_folder(folder)?;
        let file = create_private_file(&path).map_err(|error| failed(&error))?;
        lock(&file, &path)?;
        let unsynced = std::iter::once(folder.to_owned()).chain(above.iter().cloned()).collect();
        Ok(Self { file, path, tail: Tail::default(), unsynced })
    }

    /// Opens a log to go on with its session. A torn last line is dropped, with a warning; the file is
    /// cut there when the next entries are appended. A broken line before the last is kept in the file
    /// and passed over, with a warning; so is an entry that this version does not know.
    ///
    /// # Errors
    /// The file cannot be opened for writing, or another Planwright has it open ([`Fault::InUse`]).
    pub fn open(path: &Path) -> Result<Opened, StoreError> {
        let failed = |error: &io::Error| StoreError::io("open the session log", path, error);
        let file = OpenOptions::new().read(true).append(true).open(path).map_err(|error| failed(&error))?;
        lock(&file, path)?;
        let reading = read_entries(&file).map_err(|error| failed(&error))?;
        let log = Self { file, path: path.to_owned(), tail: reading.tail, unsynced: Vec::new() };
        let warnings = reading.warnings();
        Ok(Opened { log, entries: reading.entries, warnings, mode_in_doubt: reading.mode_in_doubt })
    }

    /// The session that the file is named for; nil for a subagent's log, which is not.
    pub fn session_id(&self) -> Uuid {
        self.path.file_stem().and_then(|stem| stem.to_str()).and_then(|id| id.parse().ok()).unwrap_or(Uuid::nil())
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes entries, in one write of whole lines, and returns once they are in the file; entries
    /// that must survive a power cut are synced to the disk first. Only then may they take effect.
    ///
    /// # Errors
    /// Nothing was appended: what a full disk left of the lines is cut off again. The log can be
    /// appended to later, when the fault is gone.
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), StoreError> {
        const DOING: &str = "write the session log";
        let mut bytes = if self.tail.newline_due { vec![b'\n'] } else { Vec::new() };
        for entry in entries {
            let before = bytes.len();
            serde_json::to_writer(&mut bytes, entry)
                .map_err(|error| StoreError::io(DOING, &self.path, &error.into()))?;
            if bytes.len() - before > bounds::LOG_LINE_BYTES {
                let cause = format!("an entry is longer than {} bytes", bounds::LOG_LINE_BYTES);
                let hint = "Nothing was written; ask for less at once.";
                return Err(StoreError::new(Fault::Refused, DOING, &self.path, &cause, hint));
            }
            bytes.push(b'\n');
        }
        if entries.is_empty() {
            return Ok(());
        }
        let metadata = self.file.metadata().map_err(|error| StoreError::io(DOING, &self.path, &error))?;
        if metadata.nlink() == 0 {
            let cause = "the file was deleted while the session was open";
            let hint = "What happens from here on cannot be kept; start a new session.";
            return Err(StoreError::new(Fault::Missing, DOING, &self.path, cause, hint));
        }
        let end = self.tail.cut.unwrap_or(metadata.len());
        let sync = entries.iter().any(|entry| must_be_synced(&entry.fact));
        self.append_bytes(&bytes, sync).map_err(|error| {
            self.tail.cut = self.file.set_len(end).is_err().then_some(end);
            StoreError::io(DOING, &self.path, &error)
        })?;
        self.tail = Tail::default();
        Ok(())
    }

    fn append_bytes(&mut self, bytes: &[u8], sync: bool) -> io::Result<()> {
        if let Some(good) = self.tail.cut {
            self.file.set_len(good)?;
        }
        self.file.write_all(bytes)?;
        if !sync {
            return Ok(());
        }
        self.file.sync_data()?;
        while let Some(folder) = self.unsynced.last() {
            sync_folder(folder)?;
            self.unsynced.pop();
        }
        Ok(())
    }
}

/// The entries of a log, without taking its lock: for looking at a session that may be running.
///
/// # Errors
/// The file cannot be read.
pub fn read(path: &Path) -> Result<(Vec<Entry>, Vec<LogWarning>), StoreError> {
    let failed = |error: &io::Error| StoreError::io("read the session log", path, error);
    let file = File::open(path).map_err(|error| failed(&error))?;
    let reading = read_entries(&file).map_err(|error| failed(&error))?;
    let warnings = reading.warnings();
    Ok((reading.entries, warnings))
}

/// Where the subagents' logs of the session at `log` lie.
pub(crate) fn subagents_folder(log: &Path) -> PathBuf {
    const NAME: &str = "subagents";
    match log.parent() {
        // An agent's own agents: the logs of all of a session's agents lie side by side.
        Some(folder) if folder.file_name().is_some_and(|name| name == NAME) => folder.to_owned(),
        Some(_) | None => log.with_extension("").join(NAME),
    }
}

/// An id made fit to be part of a file name; never empty.
pub(crate) fn path_safe(id: &str) -> String {
    if id.is_empty() {
        return "-".to_owned();
    }
    let safe = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => character,
        _ => '-',
    };
    id.chars().map(safe).collect()
}

/// Tries to take a lock, some milliseconds apart: a process that was just started still holds the
/// lock of a log closed meanwhile, until it becomes the program it is to be (flock(2), fork(2)).
const LOCK_TRIES: u32 = 20;

/// Takes the lock for writing, which lasts as long as the file is open.
pub(crate) fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    let session = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut tried = file.try_lock();
    for _ in 1..LOCK_TRIES {
        let Err(TryLockError::WouldBlock) = tried else { break };
        std::thread::sleep(std::time::Duration::from_millis(5));
        tried = file.try_lock();
    }
    match tried {
        // Between opening and locking, the file may have been removed.
        Ok(()) if fs::symlink_metadata(path).is_ok() => Ok(()),
        Ok(()) => Err(StoreError::io("open the session log", path, &io::ErrorKind::NotFound.into())),
        Err(TryLockError::WouldBlock) => Err(StoreError::new(
            Fault::InUse,
            &format!("open session {session} in"),
            path,
            "another Planwright has it open",
            &format!("Close it there first; `planwright --resume {session} --fork-session` goes on in a copy."),
        )),
        Err(TryLockError::Error(error)) => Err(StoreError::io("lock the session log", path, &error)),
    }
}

/// Entries that a power cut must not take back: what the user decided, what was put to them, what
/// loosened or tightened the session, and what undoing needs.
const fn must_be_synced(fact: &Fact) -> bool {
    match fact {
        Fact::PermissionMode(_)
        | Fact::PlanSubmitted { .. }
        | Fact::PlanDecision(_)
        | Fact::FileSnapshot { .. }
        | Fact::ExperimentApplied(_) => true,
        Fact::SessionStarted(_)
        | Fact::User { .. }
        | Fact::Assistant { .. }
        | Fact::ToolResult { .. }
        | Fact::AutoSemantics { .. }
        | Fact::Attachment { .. }
        | Fact::PermissionDecision { .. }
        | Fact::RuleAdded { .. }
        | Fact::Protection(_)
        | Fact::Evidence(_)
        | Fact::PlanSlug { .. }
        | Fact::Aside(_)
        | Fact::HandedOver { .. }
        | Fact::Todos { .. }
        | Fact::AgentStarted { .. }
        | Fact::AgentEnded { .. }
        | Fact::Interrupted { .. }
        | Fact::TurnEnded { .. }
        | Fact::Compacted { .. }
        | Fact::Cleared {}
        | Fact::Reminder { .. }
        | Fact::Experiment { .. }
        | Fact::ExperimentDropped { .. }
        | Fact::ExperimentUndone {}
        | Fact::Notice { .. }
        | Fact::Unknown(_) => false,
    }
}

/// Whether an entry that could not be read was one about the mode.
fn about_the_mode(fact: &Fact) -> bool {
    let Fact::Unknown(value) = fact else { return false };
    value["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("permission-mode"))
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    entries: Vec<Entry>,
    warnings: Vec<LogWarning>,
    /// Lines with a fault that are not told one by one: the first, and how many.
    untold: Option<(usize, usize)>,
    /// The number of the last line, if it is torn.
    torn: Option<usize>,
    mode_in_doubt: bool,
    tail: Tail,
}

fn read_entries(file: &File) -> io::Result<Reading> {
    let mut reading = Reading::default();
    lines::for_each(file, |line| {
        reading.take(&line);
        Flow::Next
    })?;
    Ok(reading)
}

impl Reading {
    fn take(&mut self, line: &Line<'_>) {
        match parse(line) {
            Ok(Some((entry, warning))) => {
                self.mode_in_doubt |= about_the_mode(&entry.fact);
                self.entries.push(entry);
                self.tail.newline_due = !line.whole;
                if let Some(warning) = warning {
                    self.warn(line.number, warning);
                }
            }
            Err(why) if line.whole => {
                self.mode_in_doubt = true;
                self.warn(line.number, format!("{why}; passed over"));
            }
            Ok(None) if line.whole => {}
            Ok(None) => self.tail.cut = Some(line.start),
            Err(_) => {
                self.tail.cut = Some(line.start);
                self.torn = Some(line.number);
            }
        }
    }

    /// A log with a fault in every line must not drown the screen.
    fn warn(&mut self, line: usize, message: String) {
        if self.warnings.len() < bounds::LOG_WARNINGS {
            self.warnings.push(LogWarning { line, message });
        } else {
            let (first, count) = self.untold.unwrap_or((line, 0));
            self.untold = Some((first, count + 1));
        }
    }

    fn warnings(&self) -> Vec<LogWarning> {
        let untold = self.untold.map(|(line, count)| LogWarning {
            line,
            message: format!("{count} lines from here on are not as expected either"),
        });
        let torn = self.torn.map(|line| LogWarning {
            line,
            message: "it is incomplete, as after a crash while it was written; dropped".to_owned(),
        });
        self.warnings.iter().cloned().chain(untold).chain(torn).collect()
    }
}

/// The entry a line holds; `None` if the line is blank.
fn parse(line: &Line<'_>) -> Result<Option<(Entry, Option<String>)>, String> {
    if line.too_long {
        return Err(format!("it is longer than {} bytes", bounds::LOG_LINE_BYTES));
    }
    let text = std::str::from_utf8(line.bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let (entry, warning) = Entry::read(text)?;
    Ok(Some((entry, warning.map(|warning| warning.message))))
}
