//! One command, run to its end.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::Pid;
use thiserror::Error;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout, Command};

use crate::cancel::Cancel;
use crate::environment;
use crate::group::{Group, KillOnDrop};
use crate::output::Output;
use crate::tier::Confinement;

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
}

impl Spec {
    /// A command that may run for ever, is killed two seconds after it was asked to end, and of
    /// whose output 30,000 bytes are kept.
    pub fn new(program: Program, cwd: &Path, confinement: Confinement) -> Self {
        Self {
            program,
            cwd: cwd.to_path_buf(),
            env: Vec::new(),
            timeout: None,
            grace: Duration::from_secs(2),
            output_limit: 30_000,
            confinement,
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
}

/// Why a command could not be started. Nothing has run.
#[derive(Debug, Error)]
pub enum SpawnError {
    /// The confinement asked for cannot be had here.
    #[error("cannot run it in a scratch copy: {reason}")]
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
    let running = start(&spec)?;
    let output = Arc::new(Mutex::new(Output::new(spec.output_limit)));
    let shell = running.shell;
    let finish = running.supervise(&spec, cancel, &output).await;
    let output = lock(&output).take();
    Ok(Ended {
        output,
        ending: finish.ending,
        shell,
        left_running: finish.left_running,
        output_open: finish.output_open,
    })
}

/// A command that has been started.
pub(crate) struct Running {
    child: Child,
    pub(crate) group: KillOnDrop,
    pipe: ChildStdout,
    pub(crate) shell: Shell,
}

/// What watching a command came to.
pub(crate) struct Finish {
    pub(crate) ending: Ending,
    left_running: bool,
    output_open: bool,
}

/// Starts a command. It is killed when the result is dropped.
pub(crate) fn start(spec: &Spec) -> Result<Running, SpawnError> {
    match spec.confinement {
        Confinement::None | Confinement::ReadOnly => {}
        Confinement::Scratch => {
            let reason = "this version of Planwright has no scratch copies yet".to_owned();
            return Err(SpawnError::NotAvailable { reason });
        }
    }
    if !spec.cwd.is_dir() {
        return Err(SpawnError::NoFolder(spec.cwd.clone()));
    }
    let (argv, shell) = argv(&spec.program)?;
    let program = argv.first().ok_or(SpawnError::Empty)?.to_string_lossy().into_owned();
    let failed = |cause| SpawnError::System { program: program.clone(), cause };

    let mark = new_mark();
    // One pipe for both streams keeps the order in which they were written.
    let (reader, writer) = io::pipe().map_err(failed)?;
    let mut command = in_session_of_its_own(argv);
    command
        .current_dir(&spec.cwd)
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(failed)?)
        .stderr(writer)
        .kill_on_drop(true);
    for (name, value) in environment::changes(spec.confinement, &mark).iter().chain(&spec.env) {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let child = command.spawn().map_err(failed)?;
    let pid =
        child.id().and_then(|pid| Pid::from_raw(pid.cast_signed())).expect("a child not yet waited for has a pid");
    let group = KillOnDrop(Arc::new(Group::new(pid, mark)));
    // `command` holds the writing ends: with them open the reader would never see the end.
    drop(command);
    let pipe = ChildStdout::from_std(OwnedFd::from(reader).into()).map_err(failed)?;
    Ok(Running { child, group, pipe, shell })
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

impl Running {
    /// Watches the command to its end, whatever ends it, and takes in what it prints.
    pub(crate) async fn supervise(mut self, spec: &Spec, cancel: &Cancel, output: &Mutex<Output>) -> Finish {
        let mut reading = Reading { pump: Box::pin(pump(self.pipe, output)), at_end: false };
        let timeout = async {
            match spec.timeout {
                Some(timeout) => tokio::time::sleep(timeout).await,
                None => std::future::pending().await,
            }
        };
        let stopped = reading
            .beside(async {
                tokio::select! {
                    biased;
                    status = self.child.wait() => Stopped::Itself(status),
                    () = cancel.cancelled() => Stopped::Here(Ending::Cancelled),
                    () = timeout => Stopped::Here(Ending::TimedOut),
                }
            })
            .await;
        let (ending, left_running) = match stopped {
            Stopped::Itself(status) => (ending(status), self.group.0.release()),
            Stopped::Here(ending) => {
                self.group.0.terminate();
                let _ = reading.beside(tokio::time::timeout(spec.grace, self.child.wait())).await;
                self.group.0.kill();
                let _ = reading.beside(self.child.wait()).await;
                self.group.0.killed();
                (ending, false)
            }
        };
        let output_open = reading.finish(spec.grace).await;
        Finish { ending, left_running, output_open }
    }
}

/// What stopped a command.
enum Stopped {
    Itself(io::Result<ExitStatus>),
    Here(Ending),
}

fn ending(status: io::Result<ExitStatus>) -> Ending {
    match status {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => Ending::Exited(code),
            (None, signal) => Ending::Signaled(signal.unwrap_or_default()),
        },
        // Someone else has reaped it: it is gone, and how is not known.
        Err(_) => Ending::Exited(-1),
    }
}

/// The output being read while something else is waited for.
struct Reading<P> {
    pump: Pin<Box<P>>,
    at_end: bool,
}

impl<P: Future<Output = ()>> Reading<P> {
    async fn beside<T>(&mut self, wait: impl Future<Output = T>) -> T {
        tokio::pin!(wait);
        loop {
            tokio::select! {
                biased;
                value = &mut wait => return value,
                () = &mut self.pump, if !self.at_end => self.at_end = true,
            }
        }
    }

    /// Reads what is left. Whether the output is still open after `patience`.
    async fn finish(mut self, patience: Duration) -> bool {
        if !self.at_end {
            self.at_end = tokio::time::timeout(patience, &mut self.pump).await.is_ok();
        }
        !self.at_end
    }
}

/// Takes in what is printed, to the end.
async fn pump(mut pipe: ChildStdout, output: &Mutex<Output>) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read) = pipe.read(&mut buffer).await
        && read > 0
    {
        lock(output).push(&buffer[..read]);
    }
}

/// Pushing to an output cannot panic half-way, so a poisoned lock is still good.
pub(crate) fn lock(output: &Mutex<Output>) -> MutexGuard<'_, Output> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}
