//! Headless, in lines of JSON: standard input to the stream face, the stream face to standard output.

use std::process::ExitCode;
use std::time::Instant;

use planwright_core::bounds;
use planwright_core::dialogue::{Input, Notice, Outcome};
use planwright_surfaces::print::aside;
use planwright_surfaces::run::{Tally, exit_code, result_json};
use planwright_surfaces::stream::{Step, StreamFace, StreamOptions};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader, Stdin};
use tokio::sync::mpsc::UnboundedSender;
use uuid::Uuid;

use crate::args::{InputFormat, RunArgs};
use crate::failure::{Failure, err, out};
use crate::line::Signals;
use crate::print::{millis, say_how_it_ended, summed_up};
use crate::wiring::{Answers, Place, Wired, warn, wire};

/// `planwright -p --output-format stream-json`, with or without lines as input.
pub async fn run(prompt: Option<String>, args: RunArgs) -> Result<ExitCode, Failure> {
    let place = Place::here()?;
    let answers = if args.permission_prompt_tool.is_some() { Answers::Somebody } else { Answers::Nobody };
    let wired = wire(&place, &args, answers)?;
    let options = StreamOptions {
        partial: args.include_partial_messages,
        replay: args.replay_user_messages,
        cwd: place.root.clone(),
        model: wired.model.clone(),
        agents: wired.agents.iter().map(|kind| (kind.name.clone(), kind.description.clone())).collect(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let lines = (args.input_format == InputFormat::StreamJson).then(|| BufReader::new(tokio::io::stdin()));
    let face = StreamFace::new(options, Box::new(|| Uuid::new_v4().to_string()));
    drive(wired, face, lines, prompt).await
}

async fn drive(
    wired: Wired,
    mut face: StreamFace,
    mut lines: Option<BufReader<Stdin>>,
    prompt: Option<String>,
) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    warn(&wired.warnings);
    let Wired { session, say, mut hear, model_flag, .. } = wired;
    let session = tokio::spawn(session.run());
    let mut signals = Signals::new()?;
    let (mut tally, mut last, mut ended_by) = (Tally::default(), None, None);
    if let Some(prompt) = prompt {
        hand_on(face.say(prompt, 0), &say)?;
    }
    if lines.is_none() {
        hand_on(face.end(), &say)?;
    }
    let mut line = Reading::default();
    loop {
        tokio::select! {
            notice = hear.recv() => {
                let Some(notice) = notice else { break };
                err(&aside(&notice));
                tally.hear(&notice, millis(started));
                hand_on(face.hear(&notice, millis(started)), &say)?;
                if let Notice::TurnEnded(end) = notice {
                    last = Some(end);
                }
            }
            read = line.next(&mut lines) => {
                let step = match read {
                    Some(text) => face.read(text.as_deref(), millis(started)),
                    None => {
                        lines = None;
                        face.end()
                    }
                };
                hand_on(step, &say)?;
            }
            code = signals.next(&say, false) => {
                ended_by = ended_by.or(code).or(Some(ExitCode::from(130)));
                lines = None;
                hand_on(face.stop(), &say)?;
            }
        }
    }
    let ended = session.await.map_err(|error| Failure::run(format!("the session broke off: {error}"), ""))?;
    let run = summed_up(&ended, last.or_else(|| ended.last.clone()), tally, started);
    // Whoever reads the lines waits for a result, also of a run that came to no turn.
    let outcome = match (face.told(), &run.outcome) {
        // A session in which nothing was said comes to nothing.
        (None, Outcome::Done) if face.quiet() => &Outcome::Done,
        (None, outcome) => {
            out(&format!("{}\n", result_json(&run)))?;
            outcome
        }
        (Some(told), Outcome::Done) => told,
        (Some(_), outcome) => outcome,
    };
    say_how_it_ended(&run, model_flag.as_deref());
    let code = match outcome {
        // Without a signal it was the host that stopped its own turn, which is no failure of the run.
        Outcome::Interrupted => 0,
        outcome @ (Outcome::Done
        | Outcome::PlanPending
        | Outcome::PermissionMissing
        | Outcome::Limit(_)
        | Outcome::Failed(_)) => exit_code(outcome),
    };
    Ok(ended_by.unwrap_or_else(|| ExitCode::from(code)))
}

/// Writes the lines, and hands the inputs on.
fn hand_on(step: Step, say: &UnboundedSender<Input>) -> Result<(), Failure> {
    for line in &step.lines {
        out(&format!("{line}\n"))?;
    }
    for words in &step.asides {
        err(&format!("{words}\n"));
    }
    for input in step.inputs {
        // A session that is over hears nothing.
        let _ = say.send(input);
    }
    Ok(())
}

/// A line that is being read. Dropping the future loses nothing of it.
#[derive(Default)]
struct Reading {
    bytes: Vec<u8>,
    /// It is longer than a line may be; the rest of it is passed over.
    too_long: bool,
}

impl Reading {
    /// The next line; inside, `None` = it was too long. `None` = the end. Without lines it waits for
    /// ever.
    async fn next<R: AsyncBufRead + Unpin>(&mut self, from: &mut Option<R>) -> Option<Option<String>> {
        let Some(from) = from else { return std::future::pending().await };
        loop {
            let more = from.fill_buf().await.ok()?.to_vec();
            if more.is_empty() {
                let cut = std::mem::take(&mut self.bytes);
                return (!cut.is_empty() || self.too_long).then(|| self.whole(cut));
            }
            let end = more.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(more.len(), |at| at + 1);
            from.consume(used);
            if !self.too_long {
                self.bytes.extend_from_slice(&more[..end.unwrap_or(used)]);
            }
            if self.bytes.len() as u64 > bounds::PIPED_BYTES {
                self.too_long = true;
                self.bytes.clear();
            }
            if end.is_some() {
                let line = std::mem::take(&mut self.bytes);
                return Some(self.whole(line));
            }
        }
    }

    fn whole(&mut self, line: Vec<u8>) -> Option<String> {
        let too_long = std::mem::take(&mut self.too_long);
        (!too_long).then(|| String::from_utf8_lossy(&line).into_owned())
    }
}
