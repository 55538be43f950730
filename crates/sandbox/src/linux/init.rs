//! The first process in the box: builds the walls, starts the command, watches it, and looks at what
//! it would have changed.

use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions, WaitStatus};
use rustix::thread::CapabilitySet;

use super::command::{self, Start};
use super::failure::{Failure, Step as _};
use super::main::report;
use super::mounts::{self, Built};
use super::space::Space;
use super::sys::{self, Fork};
use super::{caps, refresh, walk};
use crate::policy::{Deed, Full, Policy, Report, Walls, order};

/// How often the size of a scratch copy on a disk is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// What this process needs for looking at files of any mode, and for ending processes of any user.
const KEPT: CapabilitySet = CapabilitySet::DAC_OVERRIDE
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::KILL);

/// Does it all, and reports.
///
/// # Errors
/// The walls could not be built. Nothing has run.
pub(crate) fn watch(policy: &Policy, socket: &UnixStream, umask: Mode) -> Result<(), Failure> {
    let namespaces = policy.walls != Walls::Filters;
    // Held until this process is gone.
    let _busy = policy.view.as_ref().map(|view| refresh::take(view)).transpose().step("lock of the scratch copy")?;
    let old =
        policy.view.as_ref().map(|view| refresh::refresh(view)).transpose().step("refresh of the scratch copy")?;
    let built = if namespaces {
        sys::loopback_up().step("loopback")?;
        Some(mounts::build(policy)?)
    } else {
        None
    };
    run(policy, socket, umask, old, built)
}

/// The same, behind walls that are built.
pub(crate) fn run(
    policy: &Policy,
    socket: &UnixStream,
    umask: Mode,
    old: Option<refresh::Old>,
    built: Option<Built>,
) -> Result<(), Failure> {
    let namespaces = policy.walls != Walls::Filters;
    let began = walk::Moment::now();
    let children = sys::children_ended().step("signals")?;
    let (failed, told) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).step("pipe")?;
    // Before the command exists: it must never be able to look into this process.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).step("not dumpable")?;
    let main = match sys::clone(0).step("fork")? {
        Fork::Child => {
            drop(failed);
            let start = Start { policy, built: built.as_ref(), umask };
            command::become_it(&start, told)
        }
        Fork::Parent(pid) => Pid::from_raw(pid).ok_or_else(|| Failure::new("fork", libc::ESRCH))?,
    };
    drop(told);
    (0..3).for_each(sys::close_standard);
    caps::hold(KEPT, KEPT).step("capabilities")?;
    if namespaces {
        // Taking capabilities away may have taken this away.
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).step("death signal")?;
    }
    if let Some(failure) = command::failure(failed) {
        report(socket, &failure);
        return Ok(());
    }
    let stage = built.as_ref().and_then(|built| built.stage.as_ref());
    let space = match (stage.zip(old.as_ref()), built.as_ref().and_then(|built| built.unseen.as_ref())) {
        (Some((stage, old)), _) => Space::of(stage, old.used, policy.scratch_bytes),
        (None, Some(unseen)) => Space::of_memory(unseen, policy.scratch_bytes),
        (None, None) => None,
    };
    let watch = Watch { main, namespaces, children, socket, space };
    let Some(end) = watch.until_the_end() else { return Ok(()) };
    let (code, signal) = (end.status.exit_status(), end.status.terminating_signal());
    let changes = built.as_ref().filter(|_| policy.walls == Walls::Scratch).map(|built| {
        let told = if policy.deed == Deed::Look { walk::Told::All } else { walk::Told::New };
        look(old.as_ref(), built, began, told)
    });
    let refreshed = old.map_or(0, |old| old.dropped);
    report(socket, &Report::Ended { code, signal, left_running: end.left_running, full: end.full, changes, refreshed });
    Ok(())
}

/// What would have changed; and, for a copy that is kept, what it was made of.
fn look(old: Option<&refresh::Old>, built: &Built, began: walk::Moment, told: walk::Told) -> crate::changes::Changes {
    let mut found = walk::Walk::since(began, old, told);
    for overlay in &built.overlays {
        found.overlay(overlay);
    }
    if built.unseen.is_some() {
        found.incomplete();
    }
    if let (Some(_), Some(stage)) = (old, &built.stage)
        && refresh::remember(stage, found.stamps(), found.used()).is_err()
    {
        // The disk is full, most likely. What is not noted could hide what the user does later.
        refresh::forget(stage);
        found.incomplete();
    }
    found.changes()
}

struct Watch<'a> {
    main: Pid,
    namespaces: bool,
    children: OwnedFd,
    socket: &'a UnixStream,
    space: Option<Space>,
}

struct End {
    status: WaitStatus,
    left_running: bool,
    full: Option<Full>,
}

impl Watch<'_> {
    /// Waits for the command's end and ends what it left. `None`: the agent is gone, and so is
    /// everything here.
    fn until_the_end(mut self) -> Option<End> {
        let mut full = None;
        let mut killed = false;
        loop {
            if let Some(status) = self.reap_until_main() {
                let left_running = self.end_all();
                return Some(End { status, left_running: left_running && !killed, full });
            }
            let (child, orders) = self.wait().ok()?;
            if child {
                let _ = rustix::io::read(&self.children, &mut [0; 128]);
            }
            match orders.then(|| self.order()) {
                Some(Some(order::TERMINATE)) => self.signal_all(Signal::TERM),
                Some(Some(order::KILL)) => {
                    killed = true;
                    self.kill_all();
                }
                Some(_) => {
                    self.end_all();
                    return None;
                }
                None => {}
            }
            if let Some(what) = self.space.as_mut().and_then(Space::used_up) {
                full = Some(what);
                self.kill_all();
            }
        }
    }

    fn wait(&self) -> io::Result<(bool, bool)> {
        let mut polled = [PollFd::new(&self.children, PollFlags::IN), PollFd::new(self.socket, PollFlags::IN)];
        let timeout = self.space.as_ref().map(|_| Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() });
        match rustix::event::poll(&mut polled, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok((!polled[0].revents().is_empty(), !polled[1].revents().is_empty()))
    }

    fn order(&self) -> Option<u8> {
        let mut byte = [0];
        let mut socket = self.socket;
        match socket.read(&mut byte) {
            Ok(1) => Some(byte[0]),
            _ => None,
        }
    }

    /// Takes in all children that have ended; the status of the command, once it is among them.
    fn reap_until_main(&self) -> Option<WaitStatus> {
        while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
            if pid == self.main {
                return Some(status);
            }
        }
        None
    }

    fn signal_all(&self, signal: Signal) {
        for signal in [signal, Signal::CONT] {
            // The command leads its own session and group; what has left the group is not asked.
            let _ = rustix::process::kill_process_group(self.main, signal);
        }
    }

    fn kill_all(&self) {
        if self.namespaces {
            sys::kill_namespace();
        } else {
            descendants::kill();
        }
    }

    /// Kills what is left and waits until it is gone. Whether there was anything.
    fn end_all(&self) -> bool {
        let mut any = false;
        let patience = Instant::now() + Duration::from_secs(5);
        loop {
            self.kill_all();
            // In a process namespace the first kill reaches all, so that waiting for them ends.
            let options = if self.namespaces { WaitOptions::empty() } else { WaitOptions::NOHANG };
            match rustix::process::wait(options) {
                Ok(Some((pid, status))) => {
                    any |= pid != self.main && status.terminating_signal() == Some(libc::SIGKILL)
                }
                Ok(None) if Instant::now() > patience => return true,
                Ok(None) => pause(self.children.as_fd()),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return any,
            }
        }
    }
}

/// Gives way until a child has ended, or a moment has passed.
fn pause(children: BorrowedFd<'_>) {
    let moment = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };
    let _ = rustix::event::poll(&mut [PollFd::new(&children, PollFlags::IN)], Some(&moment));
}

/// The descendants of this process, where no namespace holds them. Orphans become its children.
mod descendants {
    use rustix::process::{Pid, Signal};

    pub(super) fn kill() {
        let mut parents = vec![rustix::process::getpid()];
        while let Some(parent) = parents.pop() {
            for child in children(parent) {
                let _ = rustix::process::kill_process(child, Signal::KILL);
                parents.push(child);
            }
        }
    }

    fn children(parent: Pid) -> Vec<Pid> {
        let parent = parent.as_raw_nonzero();
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{parent}/task")) else { return Vec::new() };
        let lists = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        lists
            .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>())
            .filter_map(Pid::from_raw)
            .collect()
    }
}
