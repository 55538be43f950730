//! Line mode: standard input to the line face, the line face to standard output.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use planwright_agent::Ended;
use planwright_core::command::Command;
use planwright_core::dialogue::{Input, Notice, Outcome};
use planwright_core::text::inert;
use planwright_surfaces::line::{LineFace, LineOptions, Reading};
use tokio::io::{AsyncBufReadExt, BufReader, Split, Stdin};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::args::RunArgs;
use crate::failure::{Failure, out};
use crate::wiring::{Answers, Place, Wired, warn, wire};

/// How long after a question came up a line on a terminal is taken for one that was already on its
/// way, and so not for the answer.
const IN_FLIGHT: Duration = Duration::from_millis(300);

/// Where typed lines come from.
pub enum Typed {
    /// Standard input that is not a terminal: a line is read when it is known what it would mean.
    Pipe(Split<BufReader<Stdin>>),
    /// A terminal: a line is read when it is typed, so that one typed before a question came up
    /// cannot answer it.
    Terminal(Split<BufReader<Stdin>>),
    /// A list, for the demo.
    List(VecDeque<String>),
}

impl Typed {
    /// Standard input.
    pub fn stdin() -> Self {
        let lines = BufReader::new(tokio::io::stdin()).split(b'\n');
        if std::io::stdin().is_terminal() { Self::Terminal(lines) } else { Self::Pipe(lines) }
    }

    const fn terminal(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    async fn next(&mut self) -> Option<String> {
        match self {
            Self::Pipe(lines) | Self::Terminal(lines) => {
                let line = lines.next_segment().await.ok().flatten()?;
                Some(String::from_utf8_lossy(&line).into_owned())
            }
            Self::List(lines) => lines.pop_front(),
        }
    }
}

/// `planwright [PROMPT]` where there is no TUI.
pub async fn run(prompt: Option<String>, args: RunArgs) -> Result<ExitCode, Failure> {
    let place = Place::here()?;
    let wired = wire(&place, &args, Answers::Somebody)?;
    warn(&wired.warnings);
    let options = LineOptions { echo: args.echo, color: colored() };
    let (ended, code) = converse(wired, &place, options, Typed::stdin(), prompt).await?;
    Ok(code.unwrap_or_else(|| exit_code(&ended)))
}

/// Colors only on a terminal, and not where they are not wanted.
pub fn colored() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !unwanted && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A session that was talked to ends well unless a turn of it failed.
pub fn exit_code(ended: &Ended) -> ExitCode {
    if ended.failed.is_some() {
        return ExitCode::from(1);
    }
    match ended.last.as_ref().map(|end| &end.outcome) {
        Some(Outcome::Failed(_)) => ExitCode::from(1),
        Some(Outcome::Limit(_)) => ExitCode::from(5),
        Some(Outcome::Done | Outcome::PlanPending | Outcome::PermissionMissing | Outcome::Interrupted) | None => {
            ExitCode::SUCCESS
        }
    }
}

/// Talks until the session is over.
pub async fn converse(
    wired: Wired,
    place: &Place,
    options: LineOptions,
    mut typed: Typed,
    prompt: Option<String>,
) -> Result<(Ended, Option<ExitCode>), Failure> {
    let Wired { session, say, mut hear, editor, .. } = wired;
    let mut face = LineFace::new(options);
    if let Some(editor) = &editor {
        face.name_editor(&editor.name);
    }
    let mut session = tokio::spawn(session.run());
    let mut first = prompt;
    let mut signals = Signals::new()?;
    let (mut asked, mut ended) = (None::<Instant>, false);
    loop {
        // A line is only read when it is known what it would mean: the session is idle or asks.
        let ready = face.ready() && !ended;
        tokio::select! {
            biased;
            notice = hear.recv() => {
                let Some(notice) = notice else { break };
                out(&face.hear(&notice))?;
                match &notice {
                    Notice::Asked(..) => asked = Some(Instant::now()),
                    Notice::Idle if typed.terminal() && first.is_none() => out("› ")?,
                    _ => {}
                }
                if let Some((_, path)) = face.pending_editor() {
                    let path = path.to_owned();
                    let closed = match &editor {
                        Some(editor) => editor.open(&path, &place.root).await,
                        None => Err("no editor is set; set VISUAL or EDITOR".to_owned()),
                    };
                    hand_on(face.editor_closed(closed), &say)?;
                }
            }
            code = signals.next(&say, ready && face.idle()) => {
                if let Some(code) = code {
                    session.abort();
                    return Ok((Ended::default(), Some(code)));
                }
            }
            () = std::future::ready(()), if ready && first.is_some() => {
                hand_on(face.read(&first.take().unwrap_or_default()), &say)?;
            }
            line = typed.next(), if (ready || typed.terminal()) && !ended => match line {
                // An empty line means nothing, unless a question is open.
                Some(line) if line.trim().is_empty() && !face.asking() => {}
                Some(line) if typed.terminal() && !ready => {
                    // Typed while the model works, so it answers nothing: a command, or a message for
                    // after the turn.
                    match line.starts_with(['/', '!']) {
                        true => hand_on(face.read(&line), &say)?,
                        false => _ = say.send(Input::Prompt(line)),
                    }
                }
                Some(line) if typed.terminal() && face.asking() && asked.is_some_and(|at| at.elapsed() < IN_FLIGHT) => {
                    out(&format!("(typed before the question was there, and not taken for its answer: {})\n", inert(&line)))?;
                }
                Some(line) => {
                    hand_on(face.read(&line), &say)?;
                    // Another question may have come to the front: it is new to the reader too.
                    asked = face.asking().then(Instant::now).or(asked);
                }
                None => {
                    ended = true;
                    hand_on(face.end(), &say)?;
                }
            },
        }
    }
    let ended = (&mut session).await.map_err(|error| Failure::run(format!("the session broke off: {error}"), ""))?;
    Ok((ended, None))
}

/// Prints, and hands the inputs on.
fn hand_on(reading: Reading, say: &tokio::sync::mpsc::UnboundedSender<Input>) -> Result<(), Failure> {
    out(&reading.print)?;
    for input in reading.inputs {
        // A session that is over hears nothing.
        let _ = say.send(input);
    }
    Ok(())
}

/// Ctrl-C stops the turn; when nothing runs, it leaves. SIGTERM leaves, and so does a terminal that
/// is closed (SIGHUP).
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    /// Listens.
    pub fn new() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(|error| Failure::run(format!("signals cannot be heard: {error}"), ""));
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup: listen(SignalKind::hangup())?,
        })
    }

    /// The next signal, passed on to the session; an exit code if the process is to end now.
    pub async fn next(&mut self, say: &tokio::sync::mpsc::UnboundedSender<Input>, idle: bool) -> Option<ExitCode> {
        tokio::select! {
            _ = self.interrupt.recv() => {
                if idle {
                    let _ = say.send(Input::Command(Command::Exit));
                    return Some(ExitCode::from(130));
                }
                let _ = say.send(Input::Interrupt);
                None
            }
            _ = self.terminate.recv() => {
                leave(say);
                Some(ExitCode::from(143))
            }
            _ = self.hangup.recv() => {
                leave(say);
                Some(ExitCode::from(129))
            }
        }
    }
}

/// Ends a session that somebody else wants ended: what is asked just now is decided by nobody, so that
/// a plan waits on.
fn leave(say: &tokio::sync::mpsc::UnboundedSender<Input>) {
    for input in [Input::Gone, Input::Close] {
        // A session that is over hears nothing.
        let _ = say.send(input);
    }
}
