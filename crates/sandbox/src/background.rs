//! One command left running, alone or spoken with.

use std::io;
use std::sync::{Arc, Mutex};

use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::cancel::Cancel;
use crate::group::Group;
use crate::output::Output;
use crate::spawn::{Ending, SpawnError, Spec, Talk, lock, start};

/// The exit code of a command that was found, and could not be run; as shells have it.
const NOT_RUN: i32 = 126;

/// A command that runs in the background. Dropping it kills the command and all its processes.
#[derive(Debug)]
pub struct Background {
    group: Arc<Group>,
    output: Arc<Mutex<Output>>,
    stop: Cancel,
    ending: watch::Receiver<Option<Ending>>,
    task: JoinHandle<()>,
}

/// Starts a command and returns at once, with its id (the process id of its leader) and a handle.
/// Must be called inside a tokio runtime.
///
/// # Errors
/// It could not be started. (That walls could not be built is known later: it then ends with 126,
/// and its output says why.)
pub fn spawn_background(spec: Spec) -> Result<(u32, Background), SpawnError> {
    background(spec, None)
}

fn background(spec: Spec, talk: Option<Talk>) -> Result<(u32, Background), SpawnError> {
    let running = start(&spec, talk)?;
    let group = Arc::clone(&running.group.0);
    let id = group.id();
    let output = Arc::new(Mutex::new(Output::new(spec.output_limit)));
    let stop = Cancel::new();
    let (told, ending) = watch::channel(None);
    let task = tokio::spawn({
        let (output, stop) = (Arc::clone(&output), stop.clone());
        async move {
            let ending = match running.supervise(&spec, &stop, &output).await {
                Ok(finish) => finish.ending,
                // Known only now that the caller has gone on; it is told in the command's place.
                Err(error) => {
                    lock(&output).push(format!("{error}\n").as_bytes());
                    Ending::Exited(NOT_RUN)
                }
            };
            told.send_replace(Some(ending));
        }
    });
    Ok((id, Background { group, output, stop, ending, task }))
}

/// A program that is spoken with for as long as it is needed, over its standard input and output (a
/// server of tools). Dropping it kills the program and all its processes.
#[derive(Debug)]
pub struct Server {
    /// What it reads. Dropping it is the end of its input.
    pub input: Sender,
    /// What it answers.
    pub output: Receiver,
    /// The program itself; its news is what it prints on standard error.
    pub process: Background,
}

/// Starts a program that is spoken with, confined as its spec says; it does not see what other commands
/// have written in a scratch copy. Must be called inside a tokio runtime.
///
/// # Errors
/// It could not be started; what is known later is told as of [`spawn_background`].
pub fn serve(spec: Spec) -> Result<Server, SpawnError> {
    let failed = |cause| SpawnError::System { program: "pipe".to_owned(), cause };
    let (input, to) = io::pipe().map_err(failed)?;
    let (from, output) = io::pipe().map_err(failed)?;
    let to = Sender::from_owned_fd(to.into()).map_err(failed)?;
    let from = Receiver::from_owned_fd(from.into()).map_err(failed)?;
    let (_, process) = background(spec, Some(Talk { input: input.into(), output: output.into() }))?;
    Ok(Server { input: to, output: from, process })
}

impl Background {
    /// What it has printed since this was last asked.
    pub fn news(&self) -> Output {
        lock(&self.output).take()
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        *self.ending.borrow()
    }

    /// Waits for its end.
    pub async fn ended(&self) -> Ending {
        let mut ending = self.ending.clone();
        match ending.wait_for(Option::is_some).await {
            Ok(ending) => ending.expect("waited until it was there"),
            // The task is gone without a word: its runtime was shut down, which kills the command.
            Err(_) => Ending::Cancelled,
        }
    }

    /// Asks it to end; it is killed after the grace. [`Self::ended`] waits for that.
    pub fn stop(&self) {
        self.stop.cancel();
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // At once, and not when the runtime next looks at the task: it may never look again.
        self.group.kill_unless_released();
        self.task.abort();
    }
}
