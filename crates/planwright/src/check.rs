//! `planwright check`: what the shell judge says.

use std::io::BufRead;
use std::process::ExitCode;

use planwright_shell::{Context, Verdict, judge};
use serde_json::json;

use crate::failure::{Failure, out};
use crate::wiring::Place;

/// One command, one JSON string per input line, or the tables.
pub fn run(command: Option<String>, batch: bool, list: bool) -> Result<ExitCode, Failure> {
    if list {
        return tables();
    }
    let place = Place::here()?;
    let user_read_only = place.settings(&crate::args::RunArgs::default()).settings.read_only_commands;
    let verdict = |command: &str| {
        let facts = planwright_tools::repository::facts(&place.root, command);
        verdict(command, &Context { user_read_only: user_read_only.clone(), ..facts })
    };
    if let Some(command) = command {
        let (verdict, reason) = verdict(&command);
        out(&format!("{verdict}\t{reason}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if !batch {
        return Err(Failure::usage(
            "check needs a command",
            "planwright check 'git log | head', --batch with one JSON string per line, or --list.",
        ));
    }
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line =
            line.map_err(|error| Failure::run(format!("line {}: {error}", number + 1), "Input must be UTF-8."))?;
        if line.trim().is_empty() {
            continue;
        }
        let command: String = serde_json::from_str(&line).map_err(|error| {
            Failure::usage(format!("line {}: not a JSON string: {error}", number + 1), "Each line is one JSON string.")
        })?;
        let (verdict, reason) = verdict(&command);
        out(&format!("{}\n", json!({"command": command, "verdict": verdict, "reason": reason})))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn verdict(command: &str, context: &Context) -> (&'static str, String) {
    match judge(command, context) {
        Verdict::ReadOnly => ("read-only", "every part only reads".to_owned()),
        Verdict::Mutating(reason) => ("mutating", with_way_out(&reason)),
        Verdict::Unknown(reason) => ("unknown", with_way_out(&reason)),
    }
}

fn with_way_out(reason: &planwright_shell::Reason) -> String {
    let text = match &reason.instead {
        Some(instead) => format!("{} (to only read: {instead})", reason.message),
        None => reason.message.clone(),
    };
    text.replace(['\t', '\n'], " ")
}

/// Every program the judge knows, as documentation.
fn tables() -> Result<ExitCode, Failure> {
    out("Programs the judge knows. What is not on a row, or not understood, is `unknown`.\n\n")?;
    for row in planwright_shell::table() {
        out(&format!("{row}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
