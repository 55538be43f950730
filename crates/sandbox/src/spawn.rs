//! One command, run to its end.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Pid;
use thiserror::Error;
use tokio::process::{Child, ChildStdout, Command};

use crate::boxed::{self, Line};
use crate::cancel::Cancel;
use crate::changes::Changes;
use crate::group::{Group, KillOnDrop};
use crate::output::Output;
use crate::policy::{Deed, Policy, Walls};
use crate::tier::{Confinement, Tier};
use crate::view::{ScratchView, Turn};
use crate::{environment, notes, tier};

/// What is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A command line for the shell.
    Line(String),
    /// A program and its arguments; no shell. The program is looked up as `execvp` does.
    Argv(Vec<OsString>),
}

/// A command, and the bounds it runs in.
#[derive(Clone, Debug)]
pub struct Spec {
    /// What to run.
    pub program: Program,
    /// The folder to run it in.
    pub cwd: PathBuf,
    /// Variables to set or, with `None`, to take out of the inherited environment.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// How long it may run; for ever when absent.
    pub timeout: Option<Duration>,
    /// How long it has, once asked to end, before it is killed; also how long its output may stay
    /// open after it has ended.
    pub grace: Duration,
    /// Bytes of its output to keep.
    pub output_limit: usize,
    /// How it is confined.
    pub confinement: Confinement,
    /// What this machine can enforce, as found by [`crate::probe`]. It decides which walls a confined
    /// command gets; if they cannot be built, the command is not run.
    pub tier: Tier,
    /// Files and folders that a confined command is not to see: the agent's own.
    pub hidden: Vec<PathBuf>,
    /// The scratch copy that a [`Confinement::Scratch`] command works in; a new one that is thrown
    /// away when absent, and for commands in the background.
    pub view: Option<ScratchView>,
    /// Bytes that a scratch copy may hold. A new one is held in memory.
    pub scratch_bytes: u64,
}

impl Spec {
    /// A command that may run for ever, is killed two seconds after it was asked to end, and of
    /// whose output 30,000 bytes are kept. If it is confined, behind the strongest walls, and a
    /// scratch copy may hold 2 GiB.
    pub fn new(program: Program, cwd: &Path, confinement: Confinement) -> Self {
        Self {
            program,
            cwd: cwd.to_path_buf(),
            env: Vec::new(),
            timeout: None,
            grace: Duration::from_secs(2),
            output_limit: 30_000,
            confinement,
            tier: Tier::Scratch,
            hidden: Vec::new(),
            view: None,
            scratch_bytes: 2 << 30,
        }
    }
}

/// The shell that ran a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// bash.
    Bash,
    /// sh, because no bash was found.
    Sh,
    /// None: the program was started directly.
    Direct,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that did not come from here.
    Signaled(i32),
    /// It ran out of time and was ended.
    TimedOut,
    /// It was cancelled and was ended.
    Cancelled,
}

impl Ending {
    /// Whether it ended by itself and reported success.
    pub const fn success(self) -> bool {
        matches!(self, Self::Exited(0))
    }
}

/// A command that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// What it printed, standard output and standard error in the order in which they were written.
    pub output: Output,
    /// How it ended.
    pub ending: Ending,
    /// What ran it.
    pub shell: Shell,
    /// It ended by itself and had left processes running in its group; they were killed.
    pub left_running: bool,
    /// A process that left the group still holds the output open; what it prints is not read.
    pub output_open: bool,
    /// What it would have changed, if it ran in a scratch copy: of a copy that is kept, only what
    /// this command changed.
    pub changes: Option<Changes>,
    /// What the walls may have done to it, in sentences for whoever reads its output.
    pub notes: Vec<String>,
}

/// Why a command could not be started. Nothing has run.
#[derive(Debug, Error)]
pub enum SpawnError {
    /// The confinement asked for cannot be had here.
    #[error("it was not run, because it cannot be confined here: {reason}")]
    NotAvailable {
        /// Why, as a clause.
        reason: String,
    },
    /// The folder to run it in is not there.
    #[error("cannot run it in {}: there is no such folder", .0.display())]
    NoFolder(PathBuf),
    /// No shell was found.
    #[error("cannot run it: neither bash nor sh was found in /bin, /usr/bin or on the search path")]
    NoShell,
    /// There is no program to run.
    #[error("cannot run it: the command is empty")]
    Empty,
    /// The system refused.
    #[error("cannot start `{program}`: {cause}")]
    System {
        /// The program.
        program: String,
        /// The system's reason.
        cause: io::Error,
    },
}

/// Runs a command to its end.
///
/// Dropping the future kills the command and all its processes at once; throwing `cancel` asks them
/// to end, and kills them after the grace.
///
/// # Errors
/// It could not be started. How it ended is never an error.
pub async fn spawn(spec: Spec, cancel: &Cancel) -> Result<Ended, SpawnError> {
    run_deed(spec, cancel, Deed::Command).await
}

/// What is done behind the walls, to its end.
pub(crate) async fn run_deed(spec: Spec, cancel: &Cancel, deed: Deed) -> Result<Ended, SpawnError> {
    let turn = match (&spec.view, spec.confinement) {
        (Some(view), Confinement::Scratch) => tokio::select! {
            turn = view.turn() => Some(turn?),
            () = cancel.cancelled() => return Ok(Ended::cancelled(&spec)),
        },
        _ => None,
    };
    let running = start_deed(&spec, turn, deed, None)?;
    let output = Arc::new(Mutex::new(Output::new(spec.output_limit)));
    let shell = running.shell;
    let finish = running.supervise(&spec, cancel, &output).await?;
    let output = lock(&output).take();
    let mut notes = finish.notes;
    notes.extend(notes::on(&spec, finish.ending, &output));
    Ok(Ended {
        output,
        ending: finish.ending,
        shell,
        left_running: finish.left_running,
        output_open: finish.output_open,
        changes: finish.changes,
        notes,
    })
}

impl Ended {
    /// Cancelled before its turn came.
    fn cancelled(spec: &Spec) -> Self {
        Self {
            output: Output::new(spec.output_limit),
            ending: Ending::Cancelled,
            shell: Shell::Direct,
            left_running: false,
            output_open: false,
            changes: None,
            notes: Vec::new(),
        }
    }
}

/// A command that has been started.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) group: KillOnDrop,
    pub(crate) pipe: ChildStdout,
    pub(crate) shell: Shell,
    /// Of a confined command: the line to its box.
    pub(crate) line: Option<Line>,
    /// Held until the scratch copy may be used by the next.
    pub(crate) turn: Option<Turn>,
    /// Its name.
    pub(crate) program: String,
}

/// What watching a command came to.
pub(crate) struct Finish {
    pub(crate) ending: Ending,
    pub(crate) left_running: bool,
    pub(crate) output_open: bool,
    pub(crate) changes: Option<Changes>,
    pub(crate) notes: Vec<String>,
}

/// What a command reads and what it answers on, if somebody speaks with it. Its standard error is then
/// all that is taken in as its output.
pub(crate) struct Talk {
    pub(crate) input: OwnedFd,
    pub(crate) output: OwnedFd,
}

/// Starts a command. It is killed when the result is dropped.
pub(crate) fn start(spec: &Spec, talk: Option<Talk>) -> Result<Running, SpawnError> {
    start_deed(spec, None, Deed::Command, talk)
}

/// The same, but for what is done behind the walls.
fn start_deed(spec: &Spec, turn: Option<Turn>, deed: Deed, talk: Option<Talk>) -> Result<Running, SpawnError> {
    if !spec.cwd.is_dir() {
        return Err(SpawnError::NoFolder(spec.cwd.clone()));
    }
    let (argv, shell) = argv(&spec.program)?;
    let program = argv.first().ok_or(SpawnError::Empty)?.to_string_lossy().into_owned();
    let failed = |cause| SpawnError::System { program: program.clone(), cause };

    let (input, answers) = talk.map_or((None, None), |talk| (Some(talk.input), Some(talk.output)));
    let mark = new_mark();
    let mut changes = environment::changes(spec.confinement, &mark);
    let (command, line) = match walls(spec)? {
        None => {
            let mut command = in_session_of_its_own(argv);
            command.current_dir(&spec.cwd).stdin(input.map_or_else(Stdio::null, Stdio::from)).kill_on_drop(true);
            for (name, value) in changes.iter().chain(&spec.env) {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
            (command, None)
        }
        Some(walls) => {
            if walls == Walls::ReadOnly {
                // The only place that can be written, and private.
                changes.push(("TMPDIR".into(), Some("/dev/shm".into())));
            }
            changes.extend(spec.env.iter().cloned());
            let policy = Policy {
                walls,
                argv: found(argv)?,
                env: boxed::environment(&changes),
                cwd: spec.cwd.canonicalize().map_err(failed)?,
                // A copy is not to be seen in itself: it would be an overlay's upper below the overlay.
                hidden: spec.hidden.iter().cloned().chain(turn.as_ref().map(Turn::folder)).collect(),
                view: turn.as_ref().map(|turn| turn.place()),
                scratch_bytes: spec.scratch_bytes,
                bubblewrap: tier::bubblewrap(),
                input: input.is_some(),
                deed,
            };
            let (command, line) = boxed::command(&policy, input)?;
            (command, Some(line))
        }
    };
    let (child, group, pipe) = launch(command, mark, answers).map_err(failed)?;
    Ok(Running { child, group, pipe, shell, line, turn, program })
}

/// Starts a box with a policy as it is.
pub(crate) fn start_box(policy: &Policy) -> Result<Running, SpawnError> {
    let program = "canary".to_owned();
    let (command, line) = boxed::command(policy, None)?;
    let (child, group, pipe) =
        launch(command, new_mark(), None).map_err(|cause| SpawnError::System { program: program.clone(), cause })?;
    Ok(Running { child, group, pipe, shell: Shell::Direct, line: Some(line), turn: None, program })
}

fn launch(
    mut command: Command,
    mark: String,
    answers: Option<OwnedFd>,
) -> io::Result<(Child, KillOnDrop, ChildStdout)> {
    // One pipe for both streams keeps the order in which they were written.
    let (reader, writer) = io::pipe()?;
    let output = match answers {
        Some(answers) => answers,
        None => writer.try_clone()?.into(),
    };
    command.stdout(output).stderr(writer);
    let child = command.spawn()?;
    let pid =
        child.id().and_then(|pid| Pid::from_raw(pid.cast_signed())).expect("a child not yet waited for has a pid");
    let group = KillOnDrop(Arc::new(Group::new(pid, mark)));
    // `command` holds the writing ends: with them open the reader would never see the end.
    drop(command);
    let pipe = ChildStdout::from_std(OwnedFd::from(reader).into())?;
    Ok((child, group, pipe))
}

/// Which walls the command gets; `None` for none.
fn walls(spec: &Spec) -> Result<Option<Walls>, SpawnError> {
    match (spec.confinement, &spec.tier) {
        (Confinement::None, _) => Ok(None),
        (Confinement::Scratch, Tier::Scratch) => Ok(Some(Walls::Scratch)),
        (Confinement::ReadOnly, Tier::Scratch) => Ok(Some(Walls::ReadOnly)),
        (Confinement::ReadOnly, Tier::ReadOnly) => Ok(Some(Walls::Filters)),
        (Confinement::Scratch, Tier::ReadOnly) => {
            Err(boxed::not_available("this machine gives no scratch copies, only read-only commands"))
        }
        (Confinement::Scratch | Confinement::ReadOnly, Tier::Unenforced { reason }) => {
            Err(SpawnError::NotAvailable { reason: reason.clone() })
        }
    }
}

/// The command with its program's whole path.
fn found(mut argv: Vec<OsString>) -> Result<Vec<OsString>, SpawnError> {
    let program = argv.first_mut().ok_or(SpawnError::Empty)?;
    if !program.as_encoded_bytes().contains(&b'/')
        && let Some(path) = environment::find_on_path(program)
    {
        *program = path.into_os_string();
    }
    Ok(argv)
}

fn argv(program: &Program) -> Result<(Vec<OsString>, Shell), SpawnError> {
    match program {
        Program::Argv(argv) => {
            let program = argv.first().ok_or(SpawnError::Empty)?;
            // Known before it is started, because `setsid` would only tell by an exit code.
            if !program.as_encoded_bytes().contains(&b'/') && environment::find_on_path(program).is_none() {
                let cause = io::Error::new(io::ErrorKind::NotFound, "it is not on the search path");
                return Err(SpawnError::System { program: program.to_string_lossy().into_owned(), cause });
            }
            Ok((argv.clone(), Shell::Direct))
        }
        Program::Line(line) => {
            let (shell, options, kind): (_, &[&str], _) = if let Some(bash) = environment::find("bash") {
                (bash, &["--noprofile", "--norc", "-c", "--"], Shell::Bash)
            } else if let Some(sh) = environment::find("sh") {
                (sh, &["-c", "--"], Shell::Sh)
            } else {
                return Err(SpawnError::NoShell);
            };
            let mut argv = vec![shell.into_os_string()];
            argv.extend(options.iter().map(OsString::from));
            argv.push(line.into());
            Ok((argv, kind))
        }
    }
}

/// The command as the leader of a new session or, where there is no `setsid` program, of a new
/// process group. (The system call itself could only be made between fork and exec, with `unsafe`.)
fn in_session_of_its_own(argv: Vec<OsString>) -> Command {
    let mut argv = argv.into_iter();
    match environment::find("setsid") {
        // Not in a group of its own yet, so that `setsid` need not fork and the pid stays.
        Some(setsid) => {
            let mut command = Command::new(setsid);
            command.arg("--").args(argv);
            command
        }
        None => {
            let mut command = Command::new(argv.next().unwrap_or_default());
            command.args(argv).process_group(0);
            command
        }
    }
}

fn new_mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let started = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
    format!("{}-{}-{started:x}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Pushing to an output cannot panic half-way, so a poisoned lock is still good.
pub(crate) fn lock(output: &Mutex<Output>) -> MutexGuard<'_, Output> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}
