//! A command's processes: its process group, and what left the group with the command's mark.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;
use rustix::process::{Pid, Signal};

use crate::environment::MARK;

/// How often the process table is searched again for processes born while it was searched.
const SWEEPS: usize = 20;

/// All processes of one command.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Pid,
    mark: String,
    released: AtomicBool,
}

impl Group {
    pub(crate) const fn new(leader: Pid, mark: String) -> Self {
        Self { leader, mark, released: AtomicBool::new(false) }
    }

    /// The leader's process id.
    pub(crate) const fn id(&self) -> u32 {
        self.leader.as_raw_nonzero().get().cast_unsigned()
    }

    /// Asks the group to end. A stopped process is woken, or it could not.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    /// Kills the group and everything that carries the mark. Nothing to kill is fine: that is what
    /// was wanted.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
        for _ in 0..SWEEPS {
            let strays = marked(&self.mark);
            if strays.is_empty() {
                return;
            }
            for stray in strays {
                let _ = rustix::process::kill_process(stray, Signal::KILL);
            }
        }
    }

    /// The leader has ended by itself: ends what it left in its group, and says whether there was
    /// anything. What left the group did so on purpose (a daemon) and is let be.
    pub(crate) fn release(&self) -> bool {
        self.released.store(true, Ordering::Relaxed);
        // The leader is gone, but its number cannot be given to another group while one of this
        // group is alive, and is not given again at once when none is.
        rustix::process::kill_process_group(self.leader, Signal::KILL).is_ok()
    }

    /// The leader has been killed and reaped: nothing is left to do.
    pub(crate) fn killed(&self) {
        self.released.store(true, Ordering::Relaxed);
    }

    /// Kills everything unless the command has ended. May be called from anywhere, at any time.
    pub(crate) fn kill_unless_released(&self) {
        if !self.released.swap(true, Ordering::Relaxed) {
            self.kill();
        }
    }

    fn signal(&self, signal: Signal) {
        if rustix::process::kill_process_group(self.leader, signal) == Err(Errno::SRCH) {
            // The leader may not have made its group yet.
            let _ = rustix::process::kill_process(self.leader, signal);
        }
    }
}

/// Kills the processes when it is dropped, unless the command has ended.
#[derive(Debug)]
pub(crate) struct KillOnDrop(pub(crate) Arc<Group>);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.kill_unless_released();
    }
}

/// Living processes that carry the mark. Empty where there is no `/proc`.
fn marked(mark: &str) -> Vec<Pid> {
    let entry = format!("{MARK}={mark}");
    let Ok(table) = std::fs::read_dir("/proc") else { return Vec::new() };
    table
        .flatten()
        .filter_map(|process| process.file_name().to_str()?.parse().ok().and_then(Pid::from_raw))
        .filter(|pid| {
            // A zombie's environment reads as empty; another user's cannot be read.
            std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero()))
                .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes()))
        })
        .collect()
}
