//! Runs a program and kills it at its n-th system call that changes anything, counted over all of its
//! threads.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

#[cfg_attr(target_arch = "x86_64", path = "kill/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "kill/aarch64.rs")]
mod registers;

/// When to kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Which call, from 1.
    pub call: usize,
    /// Not before the call, but after half of what it writes, if it writes to a file.
    pub torn: bool,
}

/// A system call that changes something.
#[derive(Clone, Debug)]
pub struct Call {
    /// What and where, for a person.
    pub what: String,
    /// It writes more than one byte to a file.
    pub to_file: bool,
}

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    /// As asked, at this call.
    Killed(Call),
    /// By itself.
    Ended {
        /// The exit code.
        code: i32,
        /// Its calls, in order.
        calls: Vec<Call>,
    },
}

/// A run that is over.
pub struct Traced {
    pub outcome: Outcome,
    /// Output and errors.
    pub said: String,
}

/// Runs `command` with `input`, and kills it at the call that is named.
pub fn run(command: &Command, at: Option<At>, input: &str) -> Traced {
    // The shell waits for a line, so that it is traced before it becomes the program.
    let mut shell = Command::new("sh");
    shell.args(["-c", "read go && exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.current_dir(command.get_current_dir().expect("it runs somewhere"));
    let mut child = shell
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell can be started");
    let said = [reader(child.stdout.take()), reader(child.stderr.take())];
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id is an i32"));
    let options = Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_TRACEEXEC;
    ptrace::seize(pid, options | Options::PTRACE_O_EXITKILL)
        .expect("this test must be allowed to trace what it starts");
    ptrace::interrupt(pid).expect("what is traced can be interrupted");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(format!("go\n{input}").as_bytes()).expect("a pipe holds that much");
    drop(stdin);
    let outcome = Tracer { pid, at, program: false, calls: Vec::new(), tearing: HashMap::new() }.follow();
    // The tracer has waited for it, so that nothing is left to wait for.
    let _ = child.wait();
    Traced { outcome, said: said.map(|said| said.join().expect("output can be read")).concat() }
}

fn reader(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    let mut from = from.expect("it is piped");
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

struct Tracer {
    pid: Pid,
    at: Option<At>,
    /// The shell has become the program.
    program: bool,
    calls: Vec<Call>,
    /// Threads inside a write that was cut to its half.
    tearing: HashMap<Pid, Call>,
}

impl Tracer {
    fn follow(mut self) -> Outcome {
        let mut killed = None;
        loop {
            // Only what this thread traces: other threads of the test trace processes of their own.
            let status = waitpid(None, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD));
            let (thread, signal) = match status.expect("what is traced can be waited for") {
                WaitStatus::Exited(thread, code) if thread == self.pid => {
                    return killed.map_or(Outcome::Ended { code, calls: self.calls }, Outcome::Killed);
                }
                WaitStatus::Signaled(thread, signal, _) if thread == self.pid => {
                    return Outcome::Killed(killed.unwrap_or_else(|| panic!("{signal} came from somewhere else")));
                }
                WaitStatus::PtraceSyscall(thread) => {
                    if let Some(call) = self.stopped_at_a_call(thread) {
                        killed = Some(call);
                        kill(self.pid, Signal::SIGKILL).expect("a child can be killed");
                    }
                    (thread, None)
                }
                WaitStatus::PtraceEvent(thread, _, event) => {
                    self.program |= event == libc::PTRACE_EVENT_EXEC;
                    (thread, None)
                }
                WaitStatus::Stopped(thread, signal) => (thread, Some(signal)),
                WaitStatus::Exited(..)
                | WaitStatus::Signaled(..)
                | WaitStatus::Continued(_)
                | WaitStatus::StillAlive => continue,
            };
            match ptrace::syscall(thread, signal) {
                // It was killed in the meantime.
                Ok(()) | Err(Errno::ESRCH) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// A thread stands before or after a system call. Yields the call at which to kill.
    fn stopped_at_a_call(&mut self, thread: Pid) -> Option<Call> {
        if !self.program {
            return None;
        }
        let entering = ptrace::syscall_info(thread).ok()?.op == libc::PTRACE_SYSCALL_INFO_ENTRY;
        if !entering {
            return self.tearing.remove(&thread);
        }
        let (number, arguments) = registers::call(thread)?;
        let call = self.changing(number, arguments)?;
        self.calls.push(call.clone());
        let at = self.at.filter(|at| at.call == self.calls.len())?;
        if at.torn && call.to_file {
            registers::set_third(thread, arguments[2] / 2)?;
            self.tearing.insert(thread, call);
            return None;
        }
        Some(call)
    }

    /// The call, if it changes anything.
    fn changing(&self, number: i64, [first, _, third]: [u64; 3]) -> Option<Call> {
        let (name, kind) =
            CALLS.iter().chain(registers::CALLS).find(|(known, _, _)| *known == number).map(|row| (row.1, row.2))?;
        let open = || fs::read_link(PathBuf::from(format!("/proc/{}/fd/{first}", self.pid))).unwrap_or_default();
        let (place, to_file) = match kind {
            Kind::Name => (PathBuf::new(), false),
            Kind::Create if third & libc::O_CREAT as u64 == 0 => return None,
            Kind::Create => (PathBuf::new(), false),
            Kind::Write => {
                let place = open();
                // What threads tell one another is no change to anything.
                if place.starts_with("anon_inode:[eventfd]") || place.to_string_lossy().starts_with("socket:") {
                    return None;
                }
                let to_file = place.is_absolute() && third > 1;
                (place, to_file)
            }
            Kind::File => (open(), false),
        };
        Some(Call { what: format!("{name} {}", place.display()), to_file })
    }
}

/// What a system call changes, and so what its arguments mean.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Names in folders.
    Name,
    /// A file that may not be there yet: the third argument holds the flags.
    Create,
    /// The content of the open file that is the first argument; the third is how much.
    Write,
    /// The open file that is the first argument.
    File,
}

/// The system calls that change something, on every architecture.
const CALLS: &[(i64, &str, Kind)] = &[
    (libc::SYS_write, "write", Kind::Write),
    (libc::SYS_pwrite64, "pwrite64", Kind::Write),
    (libc::SYS_writev, "writev", Kind::File),
    (libc::SYS_pwritev, "pwritev", Kind::File),
    (libc::SYS_pwritev2, "pwritev2", Kind::File),
    (libc::SYS_sendfile, "sendfile", Kind::File),
    (libc::SYS_copy_file_range, "copy_file_range", Kind::Name),
    (libc::SYS_ftruncate, "ftruncate", Kind::File),
    (libc::SYS_fallocate, "fallocate", Kind::File),
    (libc::SYS_fsync, "fsync", Kind::File),
    (libc::SYS_fdatasync, "fdatasync", Kind::File),
    (libc::SYS_fchmod, "fchmod", Kind::File),
    (libc::SYS_fchmodat, "fchmodat", Kind::Name),
    (libc::SYS_openat, "openat", Kind::Create),
    (libc::SYS_renameat, "renameat", Kind::Name),
    (libc::SYS_renameat2, "renameat2", Kind::Name),
    (libc::SYS_linkat, "linkat", Kind::Name),
    (libc::SYS_symlinkat, "symlinkat", Kind::Name),
    (libc::SYS_unlinkat, "unlinkat", Kind::Name),
    (libc::SYS_mkdirat, "mkdirat", Kind::Name),
];
