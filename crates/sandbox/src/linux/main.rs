//! The box program: this program, started again with a private first argument.
//!
//! ```text
//! agent ── socket (policy in, report out; its end means "die"), pipe (the command's output)
//!  └─ box           waits, and nothing else; it dies, all dies
//!      └─ init      first process of the namespaces: builds the walls, watches, looks at what changed
//!          └─ command
//! ```

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};
use rustix::process::{Pid, Signal, WaitOptions};

use super::failure::{Failure, Step as _};
use super::sys::{self, Fork};
use super::{handover, init};
use crate::boxed::{ARGUMENT, HELLO};
use crate::policy::{Policy, Report, Walls};
use crate::wire::MESSAGE_LIMIT;

/// Every kind of namespace there is, but for the clock.
const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Runs the box if this program was started as one.
pub(crate) fn boxed_main() -> Option<ExitCode> {
    let arguments: Vec<_> = std::env::args_os().skip(1).map(OsStringExt::into_vec).collect();
    part(&arguments.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// Plays the part that the arguments name.
fn part(arguments: &[&[u8]]) -> Option<ExitCode> {
    match arguments {
        [first] if *first == ARGUMENT.as_bytes() => Some(run()),
        [first, message] if *first == handover::ARGUMENT.as_bytes() => {
            std::str::from_utf8(message).ok()?.parse().ok().map(handover::behind)
        }
        _ => None,
    }
}

/// The same, before there is a `main`.
#[cfg(feature = "before-main")]
pub(crate) fn before_main() {
    // The arguments are not yet known to the standard library of every platform.
    let Ok(arguments) = std::fs::read("/proc/self/cmdline") else { return };
    let arguments = arguments.strip_suffix(b"\0").unwrap_or(&arguments);
    let arguments: Vec<&[u8]> = arguments.split(|byte| *byte == 0).skip(1).collect();
    crate::boxed::arm();
    if part(&arguments).is_some() {
        sys::exit(0);
    }
}

fn run() -> ExitCode {
    let Some(mut socket) = take_over() else { return ExitCode::from(2) };
    if socket.write_all(HELLO).is_err() {
        return ExitCode::from(2);
    }
    let Some(policy) = receive(&mut socket) else { return ExitCode::from(2) };
    if let Err(failure) = begin(&policy, &socket) {
        report(&socket, &Report::NoWalls { step: failure.step, errno: failure.errno });
    }
    ExitCode::SUCCESS
}

/// Takes the socket from standard input and puts an empty pipe in its place; keeps nothing else that
/// was inherited.
fn take_over() -> Option<UnixStream> {
    sys::close_from(3).ok()?;
    let socket = UnixStream::from(sys::duplicate(0).ok()?);
    let (empty, _) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).ok()?;
    sys::redirect(empty.as_fd(), 0).ok()?;
    // A session of its own: no terminal to ask on, and one group.
    let _ = rustix::process::setsid();
    // Should memory run out, this goes first.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    Some(socket)
}

fn receive(socket: &mut UnixStream) -> Option<Policy> {
    let mut length = [0; 8];
    socket.read_exact(&mut length).ok()?;
    let length = usize::try_from(u64::from_le_bytes(length)).ok().filter(|length| *length <= MESSAGE_LIMIT)?;
    let mut body = vec![0; length];
    socket.read_exact(&mut body).ok()?;
    Policy::read(&body)
}

/// Puts the standard input that follows the policy in the place of the empty one.
fn receive_input(socket: &UnixStream) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut along = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    rustix::net::recvmsg(socket, &mut [io::IoSliceMut::new(&mut byte)], &mut along, RecvFlags::CMSG_CLOEXEC)?;
    let input = along.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut files) => files.next(),
        _ => None,
    });
    sys::redirect(input.ok_or(io::ErrorKind::UnexpectedEof)?.as_fd(), 0)
}

/// Tells the agent. If it is gone there is nobody to tell.
pub(crate) fn report(mut socket: &UnixStream, report: &Report) {
    let _ = socket.write_all(&report.message());
}

fn begin(policy: &Policy, socket: &UnixStream) -> Result<(), Failure> {
    if policy.input {
        receive_input(socket).step("standard input")?;
    }
    let umask = rustix::process::umask(rustix::fs::Mode::empty());
    if policy.walls == Walls::Filters {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid())).step("subreaper")?;
        return init::watch(policy, socket, umask);
    }
    if let Some(program) = &policy.bubblewrap {
        return handover::begin(policy, program, socket, umask);
    }
    let (ready, go) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).step("pipe")?;
    let identities = Identities::of_this_process().step("identities")?;
    match sys::clone(NAMESPACES).step("namespaces")? {
        Fork::Child => {
            drop(go);
            if wait_for(ready)
                && let Err(failure) = init::watch(policy, socket, umask)
            {
                report(socket, &Report::NoWalls { step: failure.step, errno: failure.errno });
            }
            sys::exit(0);
        }
        Fork::Parent(child) => {
            drop(ready);
            let mapped = identities.give(child).step("identities");
            if mapped.is_ok() {
                let _ = std::fs::File::from(go).write_all(b"!");
            } else {
                drop(go);
            }
            // The command's output ends with the command, not with this process.
            (0..3).for_each(sys::close_standard);
            let child = Pid::from_raw(child);
            if mapped.is_err()
                && let Some(child) = child
            {
                let _ = rustix::process::kill_process(child, Signal::KILL);
            }
            while let Err(rustix::io::Errno::INTR) = rustix::process::waitpid(child, WaitOptions::empty()) {}
            mapped
        }
    }
}

/// Waits until the parent says go. If it dies, this process does.
fn wait_for(ready: OwnedFd) -> bool {
    // First, so that a parent that dies before is noticed by the pipe and one that dies after by this.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).is_ok()
        && std::fs::File::from(ready).read_exact(&mut [0]).is_ok()
}

/// Which users and groups are known in the new user namespace, each as itself. Never as root: it
/// would keep its capabilities when it starts a program.
struct Identities {
    users: String,
    groups: String,
    all: bool,
}

impl Identities {
    fn of_this_process() -> io::Result<Self> {
        if rustix::process::geteuid().is_root() {
            let same = |file: &str| -> io::Result<String> {
                let map = std::fs::read_to_string(file)?;
                let line = |line: &str| {
                    let mut fields = line.split_whitespace();
                    let (inside, _, count) = (fields.next()?, fields.next()?, fields.next()?);
                    Some(format!("{inside} {inside} {count}\n"))
                };
                Ok(map.lines().filter_map(line).collect())
            };
            return Ok(Self { users: same("/proc/self/uid_map")?, groups: same("/proc/self/gid_map")?, all: true });
        }
        let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        Ok(Self { users: format!("{user} {user} 1\n"), groups: format!("{group} {group} 1\n"), all: false })
    }

    fn give(&self, child: i32) -> io::Result<()> {
        let write = |file: &str, text: &str| {
            std::fs::write(format!("/proc/{child}/{file}"), OsStr::new(text).as_encoded_bytes())
        };
        if !self.all {
            // Without this an ordinary user may not name a group.
            write("setgroups", "deny")?;
        }
        write("uid_map", &self.users)?;
        write("gid_map", &self.groups)
    }
}
