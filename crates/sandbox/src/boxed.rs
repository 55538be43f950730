//! The agent's side of a box: starting it, telling it what to do, hearing how it went.

use std::ffi::{OsStr, OsString};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream as Socket;
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::Command;

use crate::policy::{Policy, Report};
use crate::spawn::SpawnError;
use crate::wire::MESSAGE_LIMIT;

/// The private first argument that makes a program a box.
pub(crate) const ARGUMENT: &str = "__box";
/// The first thing that a box says; another version of it says something else.
pub(crate) const HELLO: &[u8; 8] = b"pw-box-1";

/// Whether this program, started again, would be a box.
static ARMED: AtomicBool = AtomicBool::new(false);
/// Another program that is the box.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Must be the first call of `main`: if this program was started as the box of a command, it does
/// that work and returns the exit code to end with.
///
/// The box is this very program, started again through `/proc/self/exe`, so that nothing needs to be
/// installed and no version can differ. A program that confines commands without having called this
/// gets [`SpawnError::NotAvailable`]. For programs whose `main` is not theirs to write (the test
/// programs of other crates) there are two ways: the cargo feature `before-main` of this crate as a
/// development dependency, with which every program is its own box; or [`set_box`].
pub fn boxed_main() -> Option<ExitCode> {
    let code = crate::platform::boxed_main();
    arm();
    code
}

/// Closes this process to the other programs of the user: from here on none of them reads its memory, or
/// the environment it began with, where the API keys are (`/proc/PID/environ`); nor does a command that it
/// starts. Programs that it starts are not closed themselves. Linux only; elsewhere nothing happens.
pub fn close_to_others() {
    crate::platform::close_to_others();
}

/// Names the program that is the box, instead of this one. Only the first call counts; it returns
/// whether this was it.
pub fn set_box(program: PathBuf) -> bool {
    PROGRAM.set(program).is_ok()
}

pub(crate) fn arm() {
    ARMED.store(true, Ordering::Relaxed);
}

fn program() -> Result<PathBuf, SpawnError> {
    match PROGRAM.get() {
        Some(program) => Ok(program.clone()),
        None if ARMED.load(Ordering::Relaxed) => Ok("/proc/self/exe".into()),
        None => Err(not_available("this program cannot start itself as a box (its main does not call boxed_main)")),
    }
}

pub(crate) fn not_available(reason: &str) -> SpawnError {
    SpawnError::NotAvailable { reason: reason.to_owned() }
}

/// The command that starts a box, and the line to it. `input` is for what runs in it, if the policy says
/// that there is one.
pub(crate) fn command(policy: &Policy, input: Option<OwnedFd>) -> Result<(Command, Line), SpawnError> {
    let program = program()?;
    let failed = |cause| SpawnError::System { program: program.to_string_lossy().into_owned(), cause };
    let (ours, theirs) = Socket::pair().map_err(failed)?;
    ours.set_nonblocking(true).map_err(failed)?;
    let stream = UnixStream::from_std(ours).map_err(failed)?;
    let (from, to) = stream.into_split();
    let mut command = Command::new(&program);
    command
        .arg0("planwright-box")
        .arg(ARGUMENT)
        // What the command is given goes through the socket; the box itself needs nothing.
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(OwnedFd::from(theirs)));
    Ok((command, Line { from, to, policy: policy.message(), input }))
}

/// The line to a box. Dropping it kills everything in the box.
pub(crate) struct Line {
    pub(crate) from: OwnedReadHalf,
    pub(crate) to: OwnedWriteHalf,
    policy: Vec<u8>,
    input: Option<OwnedFd>,
}

impl Line {
    /// Tells the box what to do.
    pub(crate) async fn begin(&mut self) -> io::Result<()> {
        self.to.write_all(&self.policy).await?;
        let Some(input) = self.input.take() else { return Ok(()) };
        let stream: &UnixStream = self.to.as_ref();
        stream.async_io(Interest::WRITABLE, || hand_over(stream, &input)).await
    }
}

/// Sends an open file along with a byte, which is what it needs.
fn hand_over(stream: &UnixStream, file: &OwnedFd) -> io::Result<()> {
    let files = [file.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut along = SendAncillaryBuffer::new(&mut space);
    along.push(SendAncillaryMessage::ScmRights(&files));
    rustix::net::sendmsg(stream, &[io::IoSlice::new(b"f")], &mut along, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// What a box had to say.
#[derive(Debug)]
pub(crate) enum Heard {
    /// Its report.
    Report(Report),
    /// Nothing: it was killed.
    Killed,
    /// What was started is no box.
    NoBox,
}

/// Waits for the report of a box.
pub(crate) async fn listen(from: &mut OwnedReadHalf) -> Heard {
    let mut hello = [0; HELLO.len()];
    if from.read_exact(&mut hello).await.is_err() || hello != *HELLO {
        return Heard::NoBox;
    }
    body(from).await.and_then(|body| Report::read(&body)).map_or(Heard::Killed, Heard::Report)
}

async fn body(from: &mut OwnedReadHalf) -> Option<Vec<u8>> {
    let length = usize::try_from(from.read_u64_le().await.ok()?).ok()?;
    let mut body = Vec::new();
    from.take(length.min(MESSAGE_LIMIT) as u64).read_to_end(&mut body).await.ok()?;
    (body.len() == length).then_some(body)
}

/// The environment of this program with some changes.
pub(crate) fn environment(changes: &[(OsString, Option<OsString>)]) -> Vec<(OsString, OsString)> {
    let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    for (name, value) in changes {
        env.retain(|(known, _)| known.as_os_str() != OsStr::new(name));
        env.extend(value.clone().map(|value| (name.clone(), value)));
    }
    env
}
