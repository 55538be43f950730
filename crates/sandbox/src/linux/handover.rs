//! A box whose namespaces and mounts the system's bubblewrap makes. This program is on both sides of
//! it: outside it says what is to be mounted, and waits; inside it is the first process, and does all
//! that it does in a box of its own making.

use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::fs::{CWD, MemfdFlags, Mode, OFlags};
use rustix::process::{Pid, Signal, WaitOptions};

use super::failure::{Failure, Step as _};
use super::main::report;
use super::mounts::{self, Built, Face, Overlay, Plan, upper_name};
use super::sys::{self, Fork};
use super::{bubblewrap, init, refresh};
use crate::policy::{Policy, Report};
use crate::wire::{MESSAGE_LIMIT, Reader, Writer};

/// The private first argument of the side inside; the second is the number of a descriptor.
pub(crate) const ARGUMENT: &str = "__behind";
/// What the side inside says first, on standard error. Before it, that is bubblewrap's.
const BEGUN: u8 = 6;
/// Longest message of bubblewrap's that is told.
const COMPLAINT: u64 = 2_000;

/// Longest hand-over: a policy, and what is mounted.
const HAND_LIMIT: u64 = 2 * MESSAGE_LIMIT as u64;

/// The side outside: starts bubblewrap and waits for its end.
///
/// # Errors
/// The walls could not be built. Nothing has run.
pub(crate) fn begin(policy: &Policy, program: &Path, socket: &UnixStream, umask: Mode) -> Result<(), Failure> {
    let busy = policy.view.as_ref().map(|view| refresh::take(view)).transpose().step("lock of the scratch copy")?;
    let plan = Plan::of(policy)?;
    let mut hand = Hand { umask: umask.bits(), ..Hand::default() };
    let mut kept = Vec::new();
    if let Some(view) = &policy.view {
        let old = refresh::refresh(view).step("refresh of the scratch copy")?;
        let stage = mounts::folder(view).step("scratch folder")?;
        let stamps: Vec<_> = old.stamps.values().cloned().collect();
        refresh::remember(&stage, &stamps, old.used).step("refresh of the scratch copy")?;
        hand.dropped = old.dropped;
        hand.stage = Some(stage.as_raw_fd());
        kept.push(stage);
        for path in &plan.cover.overlays {
            let overlay = prepare(view, path, plan.keeps(path)).step("scratch folder")?;
            hand.overlays.push((path.clone(), overlay.lower.as_raw_fd(), overlay.upper.as_raw_fd(), overlay.kept));
            kept.extend([overlay.lower, overlay.upper]);
        }
    } else {
        hand.unseen = plan.cover.overlays.clone();
    }
    hand.writable = plan.writable(policy.walls);
    let own = rustix::fs::openat(CWD, "/proc/self/exe", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
        .step("this program")?;
    let (input, errors) =
        sys::duplicate(0).and_then(|input| Ok((input, sys::duplicate(2)?))).step("standard streams")?;
    (hand.input, hand.errors) = (input.as_raw_fd(), errors.as_raw_fd());
    let message = memory(&hand.message(policy)).step("hand-over")?;
    let list = memory(&joined(&bubblewrap::arguments(policy, &plan, policy.view.as_deref()))).step("hand-over")?;
    let number = |fd: &OwnedFd| fd.as_raw_fd().to_string();
    let inside = format!("/proc/self/fd/{}", own.as_raw_fd());
    let command = ["bwrap", "--args", &number(&list), "--", &inside, ARGUMENT, &number(&message)].map(str::to_owned);
    kept.extend([own, input, errors, message, list]);
    kept.extend(busy.map(OwnedFd::from));
    start(program, &command, kept, socket)
}

fn start(program: &Path, command: &[String], kept: Vec<OwnedFd>, socket: &UnixStream) -> Result<(), Failure> {
    let text = |bytes: &[u8]| CString::new(bytes).map_err(io::Error::from);
    let program = text(program.as_os_str().as_bytes()).step("bubblewrap")?;
    let argv: Vec<CString> =
        command.iter().map(|word| text(word.as_bytes())).collect::<Result<_, _>>().step("bubblewrap")?;
    let (said, saying) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).step("pipe")?;
    let (alive, ours) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).step("pipe")?;
    match sys::clone(0).step("fork")? {
        Fork::Child => {
            drop(ours);
            let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
            // A parent that died before that has closed its end.
            let orphan = rustix::event::poll(
                &mut [rustix::event::PollFd::new(&alive, rustix::event::PollFlags::IN)],
                Some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 }),
            ) != Ok(0);
            let handed = sys::redirect(socket.as_fd(), 0).and_then(|()| sys::redirect(saying.as_fd(), 2));
            let inherit = |fd: &OwnedFd| rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty()).is_ok();
            if !orphan && handed.is_ok() && kept.iter().all(inherit) {
                let error = sys::exec(&program, &argv, &[]);
                let _ = File::from(saying).write_all(error.to_string().as_bytes());
            }
            sys::exit(127)
        }
        Fork::Parent(child) => {
            drop((saying, alive, kept));
            (0..3).for_each(sys::close_standard);
            let heard = listen(said);
            let child = Pid::from_raw(child);
            while let Err(rustix::io::Errno::INTR) = rustix::process::waitpid(child, WaitOptions::empty()) {}
            drop(ours);
            heard
        }
    }
}

/// Waits until the side inside has begun, or bubblewrap has given up.
fn listen(said: OwnedFd) -> Result<(), Failure> {
    let mut text = Vec::new();
    for byte in io::BufReader::new(File::from(said)).take(COMPLAINT).bytes() {
        match byte {
            Ok(BEGUN) => return Ok(()),
            Ok(byte) => text.push(byte),
            Err(_) => break,
        }
    }
    let text = String::from_utf8_lossy(&text);
    let why = text.lines().next().map_or("it ended without a word", |line| line.trim_start_matches("bwrap: "));
    Err(Failure::new(&format!("bubblewrap: {why}"), 0))
}

/// Makes the folders of one overlay.
fn prepare(view: &Path, path: &Path, kept: bool) -> io::Result<Overlay> {
    let (upper, work) = (view.join("u").join(upper_name(path)), view.join("w").join(upper_name(path)));
    if !kept {
        refresh::remove(&upper)?;
    }
    // What the mount before left there.
    refresh::remove(&work)?;
    if !upper.exists() {
        mounts::make(&upper)?;
        Face::of(path).put_on(&upper)?;
    }
    mounts::make(&work)?;
    Ok(Overlay { path: path.to_path_buf(), lower: mounts::folder(path)?, upper: mounts::folder(&upper)?, kept })
}

fn joined(arguments: &[OsString]) -> Vec<u8> {
    arguments.iter().flat_map(|word| [word.as_bytes(), b"\0"].concat()).collect()
}

/// Bytes as an open file that has no name.
fn memory(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(rustix::fs::memfd_create("planwright-box", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}

/// What the side inside is told; open files by their numbers.
#[derive(Debug, Default, PartialEq, Eq)]
struct Hand {
    umask: u32,
    /// The command's own standard input and standard error; here others are in their places.
    input: RawFd,
    errors: RawFd,
    stage: Option<RawFd>,
    dropped: u64,
    writable: Vec<PathBuf>,
    /// Each with what is below, its upper, and whether it is kept.
    overlays: Vec<(PathBuf, RawFd, RawFd, bool)>,
    /// Overlays whose uppers only bubblewrap knows.
    unseen: Vec<PathBuf>,
}

fn number(fd: RawFd) -> u64 {
    u64::from(fd.cast_unsigned())
}

fn descriptor(reader: &mut Reader<'_>) -> Option<RawFd> {
    u32::try_from(reader.number()?).ok().map(u32::cast_signed)
}

impl Hand {
    fn message(&self, policy: &Policy) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.bytes(&policy.message()[8..]);
        writer.number(self.umask.into());
        writer.number(number(self.input));
        writer.number(number(self.errors));
        writer.option(self.stage.as_ref(), |writer, fd| writer.number(number(*fd)));
        writer.number(self.dropped);
        writer.list(&self.writable, |writer, path| writer.text(path));
        writer.list(&self.overlays, |writer, (path, lower, upper, kept)| {
            writer.text(path);
            [number(*lower), number(*upper), u64::from(*kept)].into_iter().for_each(|number| writer.number(number));
        });
        writer.list(&self.unseen, |writer, path| writer.text(path));
        writer.body()
    }

    fn read(body: &[u8]) -> Option<(Policy, Self)> {
        let mut reader = Reader(body);
        let policy = Policy::read(reader.bytes()?)?;
        let hand = Self {
            umask: reader.number()?.try_into().ok()?,
            input: descriptor(&mut reader)?,
            errors: descriptor(&mut reader)?,
            stage: reader.option(descriptor)?,
            dropped: reader.number()?,
            writable: reader.list(|reader| Some(reader.text()?.into()))?,
            overlays: reader.list(|reader| {
                Some((reader.text()?.into(), descriptor(reader)?, descriptor(reader)?, reader.number()? != 0))
            })?,
            unseen: reader.list(|reader| Some(reader.text()?.into()))?,
        };
        Some((policy, hand))
    }
}

/// The side inside, as the first process of bubblewrap's namespaces.
pub(crate) fn behind(message: RawFd) -> ExitCode {
    let Some((policy, hand, socket)) = take_over(message) else { return ExitCode::from(2) };
    if let Err(failure) = run(&policy, hand, &socket) {
        report(&socket, &Report::NoWalls { step: failure.step, errno: failure.errno });
    }
    ExitCode::SUCCESS
}

fn take_over(message: RawFd) -> Option<(Policy, Hand, UnixStream)> {
    // No program that is started from here gets any of them.
    sys::keep_from(3).ok()?;
    let mut body = Vec::new();
    // Cut, it is no message.
    File::from(sys::handed(message)?).take(HAND_LIMIT).read_to_end(&mut body).ok()?;
    let (policy, hand) = Hand::read(&body)?;
    let socket = UnixStream::from(sys::duplicate(0).ok()?);
    sys::redirect(sys::handed(hand.input)?.as_fd(), 0).ok()?;
    io::stderr().write_all(&[BEGUN]).ok()?;
    sys::redirect(sys::handed(hand.errors)?.as_fd(), 2).ok()?;
    Some((policy, hand, socket))
}

fn run(policy: &Policy, hand: Hand, socket: &UnixStream) -> Result<(), Failure> {
    let lost = || Failure::new("hand-over", libc::EBADF);
    // bubblewrap's init would be in between: nothing could then be ended for sure.
    if rustix::process::getpid() != Pid::INIT {
        return Err(Failure::new("first process", libc::ESRCH));
    }
    let stage = hand.stage.map(|fd| sys::handed(fd).ok_or_else(lost)).transpose()?;
    let old = stage
        .as_ref()
        .map(|stage| refresh::recall(Path::new(&format!("/proc/self/fd/{}", stage.as_raw_fd()))))
        .transpose()
        .step("scratch folder")?
        .map(|old| refresh::Old { dropped: hand.dropped, ..old });
    let mut overlays = Vec::new();
    for (path, lower, upper, kept) in hand.overlays {
        let (lower, upper) = sys::handed(lower).zip(sys::handed(upper)).ok_or_else(lost)?;
        overlays.push(Overlay { path, lower, upper, kept });
    }
    let unseen = hand.unseen.first().cloned();
    let covered = overlays.iter().map(|overlay| overlay.path.clone());
    let writable = hand.writable.into_iter().chain(covered).chain(hand.unseen).collect();
    let built = Built { overlays, writable, stage, unseen };
    init::run(policy, socket, Mode::from_raw_mode(hand.umask), old, Some(built))
}
