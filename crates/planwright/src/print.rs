//! Headless: run, print the answer, exit. Nobody is there to be asked.

use std::io::{IsTerminal, Read};
use std::process::ExitCode;
use std::time::Instant;

use planwright_agent::Ended;
use planwright_core::dialogue::{Input, Notice, Outcome, TurnEnd};
use planwright_core::{bounds, command};
use planwright_surfaces::print::aside;
use planwright_surfaces::run::{Run, Tally, exit_code, result_json};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::args::{InputFormat, OutputFormat, RunArgs};
use crate::failure::{Failure, err, out};
use crate::line::Signals;
use crate::stream;
use crate::wiring::{Answers, Place, Wired, warn, wire};

/// `planwright -p PROMPT`
pub async fn run(prompt: Option<String>, args: RunArgs) -> Result<ExitCode, Failure> {
    args.streams()?;
    if args.input_format == InputFormat::StreamJson {
        return stream::run(prompt, args).await;
    }
    let prompt = with_piped(prompt)?;
    if prompt.is_none() && args.approve_plan.is_none() {
        return Err(Failure::usage("-p needs a prompt", "Give one as an argument or on standard input."));
    }
    if args.output_format == OutputFormat::StreamJson {
        return stream::run(prompt, args).await;
    }
    let input = prompt.map(input).transpose()?;
    let place = Place::here()?;
    let wired = wire(&place, &args, Answers::Nobody)?;
    go(wired, input, args.output_format).await
}

/// Runs a session without a surface, to its end.
pub async fn go(wired: Wired, mut input: Option<Input>, format: OutputFormat) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    warn(&wired.warnings);
    let Wired { session, say, mut hear, model_flag, .. } = wired;
    let session = tokio::spawn(session.run());
    let mut signals = Signals::new()?;
    let mut tally = Tally::default();
    let mut last = None;
    let mut ended_by = None;
    loop {
        tokio::select! {
            notice = hear.recv() => {
                let Some(notice) = notice else { break };
                tally.hear(&notice, millis(started));
                err(&aside(&notice));
                if notice == Notice::Idle {
                    let _ = say.send(input.take().unwrap_or(Input::Close));
                }
                if let Notice::TurnEnded(end) = notice {
                    last = Some(end);
                }
            }
            code = signals.next(&say, false) => {
                input = None;
                ended_by = ended_by.or(code);
            }
        }
    }
    let ended = session.await.map_err(|error| Failure::run(format!("the session broke off: {error}"), ""))?;
    let run = summed_up(&ended, last.or_else(|| ended.last.clone()), tally, started);
    report(&run, format, model_flag.as_deref())?;
    Ok(ended_by.unwrap_or_else(|| ExitCode::from(exit_code(&run.outcome))))
}

fn input(prompt: String) -> Result<Input, Failure> {
    match command::parse(&prompt) {
        Some(Ok(command)) => Ok(Input::Command(command)),
        Some(Err(why)) => Err(Failure::usage(why, "")),
        None => Ok(Input::Prompt(prompt)),
    }
}

/// Whether something comes from standard input, or its end, before long. A pipe that was only inherited
/// and never speaks is not waited for when there is a prompt.
fn speaks(stdin: &std::io::Stdin) -> bool {
    let mut wait = [PollFd::new(stdin, PollFlags::IN)];
    let limit = Timespec { tv_sec: 0, tv_nsec: 300_000_000 };
    poll(&mut wait, Some(&limit)).is_ok_and(|ready| ready > 0)
}

/// The prompt, with what was piped in below it.
fn with_piped(prompt: Option<String>) -> Result<Option<String>, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() || (prompt.is_some() && !speaks(&stdin)) {
        return Ok(prompt);
    }
    let mut piped = Vec::new();
    // A closed or broken standard input holds nothing; that is no reason not to run.
    let _ = stdin.lock().take(bounds::PIPED_BYTES + 1).read_to_end(&mut piped);
    if piped.len() as u64 > bounds::PIPED_BYTES {
        return Err(Failure::usage("more than 10 MB were piped in", "Put them in a file and name it in the prompt."));
    }
    let piped = String::from_utf8_lossy(&piped).trim_end().to_owned();
    Ok(match (prompt, piped.is_empty()) {
        (prompt, true) => prompt,
        (Some(prompt), false) => Some(format!("{prompt}\n\n{piped}")),
        (None, false) => Some(piped),
    })
}

/// Milliseconds since a moment.
pub fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// What a run came to.
pub fn summed_up(ended: &Ended, last: Option<TurnEnd>, tally: Tally, started: Instant) -> Run {
    let pending = ended.pending.clone();
    let (outcome, text) = match (last, &pending) {
        (Some(TurnEnd { outcome: Outcome::Done | Outcome::PermissionMissing, .. }) | None, Some((plan, _))) => {
            (Outcome::PlanPending, plan.clone())
        }
        (Some(TurnEnd { outcome: Outcome::PlanPending, .. }), Some((plan, _))) => (Outcome::PlanPending, plan.clone()),
        (Some(TurnEnd { outcome: Outcome::Done, .. }) | None, None) if ended.failed.is_some() => {
            (Outcome::Failed(ended.failed.clone().unwrap_or_default()), String::new())
        }
        (Some(end), _) => (end.outcome, end.text),
        (None, None) => (Outcome::Done, String::new()),
    };
    let (plan, plan_file) = pending.or_else(|| ended.plan.clone()).unzip();
    Run {
        outcome,
        result: text,
        session_id: ended.session_id.clone(),
        duration_ms: millis(started),
        tally,
        plan,
        plan_file,
    }
}

fn report(run: &Run, format: OutputFormat, model: Option<&str>) -> Result<(), Failure> {
    match format {
        OutputFormat::Json | OutputFormat::StreamJson => out(&format!("{}\n", result_json(run)))?,
        // A run that gave no answer prints none, not even an empty line.
        OutputFormat::Text if run.result.is_empty() => {}
        OutputFormat::Text => out(&format!("{}\n", run.result.trim_end()))?,
    }
    say_how_it_ended(run, model);
    Ok(())
}

/// Tells a person what a run came to, where there is something to do about it. `model`: the one that came
/// by flag, which the next command needs again.
pub fn say_how_it_ended(run: &Run, model: Option<&str>) {
    let with = model.map(|model| format!(" --model {}", shell_words::quote(model))).unwrap_or_default();
    match &run.outcome {
        Outcome::PlanPending => err(&format!(
            "A plan is ready and waits for approval: {}\n  approve: planwright --resume {id} --approve-plan{with}   (or: planwright plan approve {id}{with})\n  \
             keep planning: planwright plan reject {id} WHAT SHOULD CHANGE\n",
            run.plan_file.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
            id = run.session_id,
        )),
        Outcome::PermissionMissing => {
            for denial in &run.tally.denials {
                err(&format!("refused, since nobody could be asked: {} {}\n", denial.tool_name, denial.tool_input));
            }
        }
        Outcome::Limit(why) => err(&format!("stopped: {why}\n")),
        Outcome::Done | Outcome::Failed(_) | Outcome::Interrupted => {}
    }
}
