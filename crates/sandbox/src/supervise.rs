//! Watches a command to its end, free or in a box.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::Mutex;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdout;

use crate::boxed::{self, Heard, Line};
use crate::cancel::Cancel;
use crate::notes;
use crate::output::Output;
use crate::policy::{Report, order};
use crate::spawn::{Ending, Finish, Running, SpawnError, Spec, lock};

/// How long a box has, once told to kill the command, to do so and to report.
const LAST_PATIENCE: Duration = Duration::from_secs(10);
/// SIGKILL.
const KILLED: i32 = 9;

impl Running {
    /// Watches the command to its end, whatever ends it, and takes in what it prints.
    ///
    /// # Errors
    /// It was to be confined and could not be, or its program could not be started there. Nothing
    /// has run.
    pub(crate) async fn supervise(
        self,
        spec: &Spec,
        cancel: &Cancel,
        output: &Mutex<Output>,
    ) -> Result<Finish, SpawnError> {
        if self.line.is_some() {
            self.supervise_box(spec, cancel, output).await
        } else {
            Ok(self.supervise_free(spec, cancel, output).await)
        }
    }

    async fn supervise_free(mut self, spec: &Spec, cancel: &Cancel, output: &Mutex<Output>) -> Finish {
        let mut reading = Reading { pump: Box::pin(pump(self.pipe, output)), at_end: false };
        let timeout = passed(spec.timeout);
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
        Finish { ending, left_running, output_open, changes: None, notes: Vec::new() }
    }

    async fn supervise_box(
        mut self,
        spec: &Spec,
        cancel: &Cancel,
        output: &Mutex<Output>,
    ) -> Result<Finish, SpawnError> {
        let mut line = self.line.take().expect("only called with a line");
        let mut reading = Reading { pump: Box::pin(pump(self.pipe, output)), at_end: false };
        // If the box is gone already, listening will tell.
        let _ = reading.beside(line.begin()).await;
        let Line { mut from, mut to, .. } = line;
        let mut report = Box::pin(boxed::listen(&mut from));
        let timeout = passed(spec.timeout);
        let stopped = reading
            .beside(async {
                tokio::select! {
                    biased;
                    heard = &mut report => Ok(heard),
                    () = cancel.cancelled() => Err(Ending::Cancelled),
                    () = timeout => Err(Ending::TimedOut),
                }
            })
            .await;
        let (heard, stopped) = match stopped {
            Ok(heard) => (heard, None),
            Err(ending) => {
                let mut heard = Heard::Killed;
                for (order, patience) in [(order::TERMINATE, spec.grace), (order::KILL, LAST_PATIENCE)] {
                    let _ = to.write_all(&[order]).await;
                    if let Ok(said) = reading.beside(tokio::time::timeout(patience, &mut report)).await {
                        heard = said;
                        break;
                    }
                }
                (heard, Some(ending))
            }
        };
        if matches!(heard, Heard::Killed | Heard::NoBox) {
            self.group.0.kill();
        }
        // The box has nothing left to do but to end; what waits for it need not hold up the result.
        self.group.0.killed();
        let (mut child, turn) = (self.child, self.turn);
        tokio::spawn(async move {
            let _ = child.wait().await;
            drop((turn, to));
        });
        let output_open = reading.finish(spec.grace).await;
        finish(heard, stopped, output_open, &self.program)
    }
}

/// What the report of a box comes to.
fn finish(heard: Heard, stopped: Option<Ending>, output_open: bool, program: &str) -> Result<Finish, SpawnError> {
    let mut finish = Finish {
        ending: stopped.unwrap_or(Ending::Signaled(KILLED)),
        left_running: false,
        output_open,
        changes: None,
        notes: Vec::new(),
    };
    match heard {
        Heard::Report(Report::Ended { code, signal, left_running, full, changes, refreshed }) => {
            finish.ending = match (stopped, code, signal) {
                (Some(stopped), ..) => stopped,
                (None, Some(code), _) => Ending::Exited(code),
                (None, None, signal) => Ending::Signaled(signal.unwrap_or_default()),
            };
            finish.left_running = left_running;
            finish.changes = changes;
            finish.notes.extend(full.map(notes::full));
            if refreshed > 0 {
                finish.notes.push(notes::refreshed(refreshed));
            }
        }
        Heard::Report(Report::NoWalls { step, errno }) => {
            let cause = if errno == 0 { String::new() } else { format!(": {}", io::Error::from_raw_os_error(errno)) };
            return Err(SpawnError::NotAvailable { reason: step + &cause });
        }
        Heard::Report(Report::NoProgram { errno }) => {
            let cause = io::Error::from_raw_os_error(errno);
            return Err(SpawnError::System { program: program.to_owned(), cause });
        }
        Heard::Killed => finish.notes.push(notes::killed()),
        Heard::NoBox if stopped.is_some() => {}
        Heard::NoBox => return Err(boxed::not_available("the box program did not start, or is another version")),
    }
    Ok(finish)
}

async fn passed(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
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
