//! The last steps before the command: limits, identity, and the two locks, the filter last.

use std::ffi::{CString, OsString};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::process::{Resource, Rlimit};
use rustix::thread::CapabilitySet;

use super::failure::{Failure, Step as _};
use super::mounts::Built;
use super::{attack, caps, filter, landlock, sys};
use crate::policy::{Deed, Policy, Report, Walls};

/// The step whose failure means that the program cannot be started.
const START: &str = "start";
/// Most processes in a box.
const PROCESSES: u64 = 8192;

/// What root may do where it only reads.
const READING: CapabilitySet = CapabilitySet::DAC_OVERRIDE.union(CapabilitySet::DAC_READ_SEARCH);

pub(crate) struct Start<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) built: Option<&'a Built>,
    pub(crate) umask: Mode,
}

/// Becomes the command. If that fails, says so into the pipe and ends.
pub(crate) fn become_it(start: &Start<'_>, told: OwnedFd) -> ! {
    let failure = match (confine(start), &start.policy.deed) {
        (Ok(()), Deed::Command) => Failure::new(START, exec(start.policy).raw_os_error().unwrap_or(libc::EIO)),
        (Ok(()), deed) => {
            drop(told);
            let done = match deed {
                Deed::Canary(canary) => attack::run(canary),
                Deed::Read(path) => print(path),
                Deed::Write(path, contents) => write(path, contents),
                Deed::Command | Deed::Look => Ok(()),
            };
            // The error number is the exit code; those that files give are small enough.
            sys::exit(done.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO)))
        }
        (Err(failure), _) => failure,
    };
    let message = format!("{} {}", failure.errno, failure.step);
    let _ = std::fs::File::from(told).write_all(message.as_bytes());
    sys::exit(127)
}

/// What went wrong in [`become_it`]; nothing, if the command was started.
pub(crate) fn failure(pipe: OwnedFd) -> Option<Report> {
    let mut message = String::new();
    // What cannot be read was not said.
    let _ = std::fs::File::from(pipe).read_to_string(&mut message);
    let (errno, step) = message.split_once(' ')?;
    let errno = errno.parse().unwrap_or_default();
    Some(match step {
        START => Report::NoProgram { errno },
        step => Report::NoWalls { step: step.to_owned(), errno },
    })
}

fn confine(start: &Start<'_>) -> Result<(), Failure> {
    let policy = start.policy;
    // A session and a group of its own, which can be signalled without its parent.
    rustix::process::setsid().step("session")?;
    sys::default_signals();
    rustix::process::umask(start.umask);
    limits(policy).step("limits")?;
    sys::leave_keyring().step("keyring")?;
    rustix::process::chdir(&policy.cwd).step("working folder")?;
    let root = rustix::process::geteuid().is_root();
    let allowed = match policy.walls {
        Walls::Scratch if root => caps::FILES,
        Walls::ReadOnly if root => READING,
        Walls::Scratch | Walls::ReadOnly | Walls::Filters => CapabilitySet::empty(),
    };
    caps::hold(allowed, allowed).step("capabilities")?;
    rustix::thread::set_no_new_privs(true).step("no new privileges")?;
    let abi = landlock::version().step("Landlock")?;
    let writable: Vec<&Path> =
        start.built.map_or_else(Vec::new, |built| built.writable.iter().map(PathBuf::as_path).collect());
    let scratch = policy.walls == Walls::Scratch;
    landlock::restrict(
        abi,
        &landlock::Rules { writable: &writable, network: scratch, devices_hidden: start.built.is_some() },
    )
    .step("Landlock")?;
    let code = match policy.walls {
        Walls::Scratch => filter::scratch(),
        Walls::ReadOnly => filter::read_only(true),
        Walls::Filters => filter::read_only(landlock::scopes_signals(abi)),
    };
    sys::seccomp(&code).step("system call filter")
}

fn print(path: &Path) -> io::Result<()> {
    let mut out = io::stdout();
    // A command may have put a link or a pipe there.
    let file = plain(path, OFlags::RDONLY)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    io::copy(&mut &file, &mut out)?;
    out.flush()
}

fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = plain(path, OFlags::WRONLY | OFlags::CREATE)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    file.set_len(0)?;
    file.write_all(contents)
}

/// Opens a path that holds no links, and never waits for what stands there.
fn plain(path: &Path, flags: OFlags) -> io::Result<std::fs::File> {
    let flags = flags | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mode = if flags.contains(OFlags::CREATE) { Mode::from_raw_mode(0o666) } else { Mode::empty() };
    Ok(rustix::fs::openat2(rustix::fs::CWD, path, flags, mode, ResolveFlags::NO_SYMLINKS)?.into())
}

fn limits(policy: &Policy) -> rustix::io::Result<()> {
    let lower = |resource, limit: u64| {
        let maximum = rustix::process::getrlimit(resource).maximum;
        let limit = Some(maximum.map_or(limit, |maximum| maximum.min(limit)));
        rustix::process::setrlimit(resource, Rlimit { current: limit, maximum: limit })
    };
    // 1 and not 0: with 1 the kernel does not hand a core to a program outside either.
    lower(Resource::Core, 1)?;
    if policy.walls == Walls::Scratch {
        lower(Resource::Fsize, policy.scratch_bytes)?;
    }
    if policy.walls != Walls::Filters {
        // Counted per user namespace; without one it would count all that the user runs.
        lower(Resource::Nproc, PROCESSES)?;
    }
    Ok(())
}

fn exec(policy: &Policy) -> io::Error {
    match exec_as(policy) {
        Ok(error) | Err(error) => error,
    }
}

fn exec_as(policy: &Policy) -> io::Result<io::Error> {
    let text = |text: &OsString| CString::new(text.as_bytes()).map_err(io::Error::from);
    let mut argv: Vec<CString> = policy.argv.iter().map(text).collect::<io::Result<_>>()?;
    let pair = |(name, value): &(OsString, OsString)| CString::new([name.as_bytes(), b"=", value.as_bytes()].concat());
    let env: Vec<CString> = policy.env.iter().map(pair).collect::<Result<_, _>>()?;
    let program = argv.first().ok_or_else(|| io::Error::from_raw_os_error(libc::ENOENT))?.clone();
    let error = sys::exec(&program, &argv, &env);
    if error.raw_os_error() == Some(libc::ENOEXEC) {
        // A script without a first line, as `execvp` has it.
        argv.insert(0, c"/bin/sh".to_owned());
        return Ok(sys::exec(c"/bin/sh", &argv, &env));
    }
    Ok(error)
}
