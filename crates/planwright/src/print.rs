//! Headless: run, print the answer, exit. Nobody is there to be asked.

use std::io::{IsTerminal, Read};
use std::process::ExitCode;
use std::time::Instant;

use planwright_agent::Ended;
use planwright_core::dialogue::{Input, Notice, Outcome, TurnEnd};
use planwright_core::permit::Walls;
use planwright_core::reply::Usage;
use planwright_core::text::inert;
use planwright_core::{bounds, command, say};
use planwright_surfaces::print::{Denial, Run, exit_code, result_json};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::args::{OutputFormat, RunArgs};
use crate::failure::{Failure, err, out};
use crate::line::Signals;
use crate::wiring::{Answers, Place, Wired, warn, wire};

/// `planwright -p PROMPT`
pub async fn run(prompt: Option<String>, args: RunArgs) -> Result<ExitCode, Failure> {
    let prompt = with_piped(prompt)?;
    if prompt.is_none() && args.approve_plan.is_none() {
        return Err(Failure::usage("-p needs a prompt", "Give one as an argument or on standard input."));
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
    let Wired { session, say, mut hear, .. } = wired;
    let session = tokio::spawn(session.run());
    let mut signals = Signals::new()?;
    let (mut turns, mut requests, mut usage) = (Vec::new(), 0, Usage::default());
    let mut ended_by = None;
    loop {
        tokio::select! {
            notice = hear.recv() => match notice {
                Some(Notice::Idle) => {
                    let next = input.take().unwrap_or(Input::Close);
                    let _ = say.send(next);
                }
                Some(Notice::TurnEnded(end)) => {
                    requests += end.requests;
                    usage += end.usage;
                    turns.push(end);
                }
                Some(notice) => err(&aside(&notice)),
                None => break,
            },
            code = signals.next(&say, false) => {
                input = None;
                ended_by = ended_by.or(code);
            }
        }
    }
    let ended = session.await.map_err(|error| Failure::run(format!("the session broke off: {error}"), ""))?;
    let last = turns.pop().or_else(|| ended.last.clone());
    let run = summed_up(&ended, last, requests, usage, started);
    report(&run, format)?;
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

/// What a notice says on standard error: only what a person must know.
fn aside(notice: &Notice) -> String {
    match notice {
        Notice::Warning { text, .. } => format!("warning: {text}\n"),
        Notice::Error { cause, hint } => format!("error: {cause}\n  {hint}\n"),
        // Of what is as it should be, nothing is said.
        Notice::Protection(found) if found.tier != Walls::Scratch => {
            format!("{}\n", inert(&say::protection_while_planning(found)))
        }
        Notice::Said(text) | Notice::PlanShown { said: text, .. } => format!("{text}\n"),
        _ => String::new(),
    }
}

fn summed_up(ended: &Ended, last: Option<TurnEnd>, num_turns: u32, usage: Usage, started: Instant) -> Run {
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
    let (plan, plan_file) = pending.unzip();
    Run {
        outcome,
        result: text,
        session_id: ended.session_id.clone(),
        num_turns,
        duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        total_cost_usd: 0.0,
        usage,
        permission_denials: ended
            .refused
            .iter()
            .map(|refused| Denial {
                tool_name: refused.tool.clone(),
                tool_use_id: refused.tool_use_id.clone(),
                tool_input: refused.input.clone(),
            })
            .collect(),
        plan: plan.or_else(|| ended.plan.as_ref().map(|(plan, _)| plan.clone())),
        plan_file: plan_file.or_else(|| ended.plan.as_ref().map(|(_, path)| path.clone())),
    }
}

fn report(run: &Run, format: OutputFormat) -> Result<(), Failure> {
    match format {
        OutputFormat::Json => out(&format!("{}\n", result_json(run)))?,
        // A run that gave no answer prints none, not even an empty line.
        OutputFormat::Text if run.result.is_empty() => {}
        OutputFormat::Text => out(&format!("{}\n", run.result.trim_end()))?,
    }
    match &run.outcome {
        Outcome::PlanPending => err(&format!(
            "A plan is ready and waits for approval: {}\n  approve: planwright --resume {id} --approve-plan   (or: planwright plan approve {id})\n  \
             keep planning: planwright plan reject --session {id} WHAT SHOULD CHANGE\n",
            run.plan_file.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
            id = run.session_id,
        )),
        Outcome::PermissionMissing => {
            for denial in &run.permission_denials {
                err(&format!("refused, since nobody could be asked: {} {}\n", denial.tool_name, denial.tool_input));
            }
        }
        Outcome::Limit(why) => err(&format!("stopped: {why}\n")),
        Outcome::Done | Outcome::Failed(_) | Outcome::Interrupted => {}
    }
    Ok(())
}
