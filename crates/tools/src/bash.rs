//! `Bash`: a command, through the sandbox.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use planwright_core::bounds;
use planwright_core::call::Bash;
use planwright_core::permit::{Confinement, Permit};
use planwright_core::text;
use planwright_sandbox::{self as sandbox, Background, Cancel, Ended, Ending, Output, Program, Shell, Spec, Tier};

use crate::bounded;
use crate::guard::Guard;
use crate::outcome::{Outcome, SessionView};
use crate::scratch::{self, Copy};

/// A command that runs in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackgroundCommand {
    /// Its process id.
    pub id: u32,
    /// The command line.
    pub command: String,
    /// How it ended, if it has.
    pub ending: Option<Ending>,
}

/// The commands that run in the background. Dropped, it kills them.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<Vec<(BackgroundCommand, Background)>>);

/// Runs the command and waits for its end, or leaves it running in the background.
pub(crate) async fn run(
    call: &Bash,
    permit: &Permit,
    (root, view): (&Path, &SessionView),
    (guard, running): (&Guard, &Running),
    cancel: &Cancel,
) -> Result<Outcome, String> {
    let mut spec = spec(call, permit, root);
    spec.env.extend(guard.withheld());
    if permit.confinement() != Confinement::None {
        guard.wall(&mut spec, root, permit.confinement() == Confinement::Scratch && !view.one_off).await?;
    }
    // Where nothing can be enforced, what was proved to only read runs on the strength of the proof.
    if let (Tier::Unenforced { .. }, sandbox::Confinement::ReadOnly) = (&spec.tier, spec.confinement) {
        spec.env.splice(0..0, sandbox::reader_environment());
        spec.confinement = sandbox::Confinement::None;
    }
    if call.run_in_background {
        spec.timeout = call.timeout.map(limited);
        spec.output_limit = bounds::BACKGROUND_OUTPUT_BYTES;
        return running.start(call, spec);
    }
    let (timeout, copy) = (spec.timeout, Copy::of(&spec));
    let ended = sandbox::spawn(spec, cancel).await.map_err(|error| format!("{error}."))?;
    let outcome = told(&ended, timeout, (root, copy));
    let news = running.news();
    let room = bounds::RESULT_BYTES.saturating_sub(news.len());
    Ok(Outcome { content: bounded::middle(outcome.content, room) + &news, ..outcome })
}

fn spec(call: &Bash, permit: &Permit, root: &Path) -> Spec {
    // The form that was judged is the form that runs.
    let (line, env) = match permit.neutral() {
        Some(neutral) => {
            let set = |(name, value): &(String, String)| (name.into(), Some(value.into()));
            (neutral.command.clone(), neutral.environment.iter().map(set).collect())
        }
        None => (call.command.clone(), Vec::new()),
    };
    let confinement = match permit.confinement() {
        Confinement::None => sandbox::Confinement::None,
        Confinement::ReadOnly => sandbox::Confinement::ReadOnly,
        Confinement::Scratch => sandbox::Confinement::Scratch,
    };
    Spec {
        env,
        timeout: Some(limited(call.timeout.unwrap_or(bounds::COMMAND_MS))),
        grace: Duration::from_millis(bounds::COMMAND_GRACE_MS),
        output_limit: bounds::COMMAND_OUTPUT_BYTES,
        ..Spec::new(Program::Line(line), root, confinement)
    }
}

fn limited(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.min(bounds::COMMAND_MS_MAX))
}

/// The result of a command that has ended: what it printed, then what else there is to know.
fn told(ended: &Ended, timeout: Option<Duration>, (root, copy): (&Path, Copy)) -> Outcome {
    let mut notes = Vec::new();
    match ended.ending {
        Ending::Exited(0) => {}
        Ending::TimedOut => notes.push(format!(
            "[it was ended after {} ms; a longer `timeout` can be given, up to {} ms]",
            timeout.unwrap_or_default().as_millis(),
            bounds::COMMAND_MS_MAX
        )),
        ending @ (Ending::Exited(_) | Ending::Signaled(_) | Ending::Cancelled) => {
            notes.push(format!("[{}]", ending_words(ending)));
        }
    }
    if ended.left_running {
        notes.push("[what it left running was ended; use `run_in_background` to keep a command]".to_owned());
    }
    if ended.output_open {
        notes.push("[a process that it started goes on; what that prints is not shown]".to_owned());
    }
    let (changed, scratch) = scratch::told(ended, root, copy).unzip();
    notes.extend(changed);
    // Stopped half-way, it shows nothing.
    let scratch = scratch.filter(|_| ended.ending != Ending::Cancelled);
    notes.extend(ended.notes.iter().map(|note| format!("[{note}]")));
    match ended.shell {
        Shell::Sh => notes.push("[bash was not found; it was run by sh]".to_owned()),
        Shell::Bash | Shell::Direct => {}
    }
    let mut content = ended.output.text();
    if content.is_empty() && notes.is_empty() {
        content.push_str("[no output]");
    } else if !content.is_empty() && !content.ends_with('\n') && !notes.is_empty() {
        content.push('\n');
    }
    content.push_str(&notes.join("\n"));
    Outcome { content, is_error: ended.ending != Ending::Exited(0), scratch, ..Outcome::default() }
}

fn ending_words(ending: Ending) -> String {
    match ending {
        Ending::Exited(code) => format!("exit code {code}"),
        Ending::Signaled(signal) => format!("killed by signal {signal}"),
        Ending::TimedOut => "out of time".to_owned(),
        Ending::Cancelled => "interrupted by the user".to_owned(),
    }
}

impl Running {
    fn start(&self, call: &Bash, spec: Spec) -> Result<Outcome, String> {
        let mut commands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let alive = commands.iter().filter(|(_, background)| background.ending().is_none()).count();
        if alive >= bounds::BACKGROUND_COMMANDS {
            return Err(format!("{alive} commands already run in the background; end one first."));
        }
        let scratch = match spec.confinement {
            sandbox::Confinement::Scratch => scratch::IN_BACKGROUND,
            sandbox::Confinement::None | sandbox::Confinement::ReadOnly => "",
        };
        let (id, background) = sandbox::spawn_background(spec).map_err(|error| format!("{error}."))?;
        commands.push((BackgroundCommand { id, command: call.command.clone(), ending: None }, background));
        Ok(Outcome::text(format!(
            "Started in the background as process {id}. What it prints, and how it ends, comes with the results of \
             later Bash calls. `kill {id}` ends it; it ends with the session in any case.{scratch}"
        )))
    }

    /// What has happened in the background since this was last asked; nothing, if nothing has.
    /// Commands that have ended are told of once, then forgotten.
    fn news(&self) -> String {
        let mut commands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut news = String::new();
        commands.retain(|(command, background)| {
            // Asked before the output, so that nothing printed before the end is left out.
            let ending = background.ending();
            let output = background.news();
            if ending.is_some() || output.total() > 0 {
                news.push_str(&told_of(command, ending, &output));
            }
            ending.is_none()
        });
        bounded::middle(news, bounds::RESULT_BYTES / 2)
    }

    pub(crate) fn list(&self) -> Vec<BackgroundCommand> {
        let commands = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = |(command, background): &(BackgroundCommand, Background)| BackgroundCommand {
            ending: background.ending(),
            ..command.clone()
        };
        commands.iter().map(now).collect()
    }

    pub(crate) fn end(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn told_of(command: &BackgroundCommand, ending: Option<Ending>, output: &Output) -> String {
    let state = ending.map_or_else(|| "still runs".to_owned(), |ending| format!("has ended: {}", ending_words(ending)));
    let line = text::first_line(&command.command, 80);
    let printed = match output.total() {
        0 => String::new(),
        _ => format!("; new output:\n{}", output.text().trim_end()),
    };
    format!("\n[background process {} (`{line}`) {state}{printed}]", command.id)
}
