//! `planwright check`: what the shell judge says.

use std::io::BufRead;
use std::process::ExitCode;

use planwright_shell::{Context, Verdict, judge};
use serde_json::json;

use crate::failure::{Failure, out};
use crate::wiring::Place;

/// One command, or one JSON string per input line.
pub fn run(command: Option<String>, batch: bool) -> Result<ExitCode, Failure> {
    let context = Context {
        user_read_only: Place::here()
            .map(|place| place.settings(&crate::args::RunArgs::default()).settings.read_only_commands)
            .unwrap_or_default(),
        ..Context::default()
    };
    if let Some(command) = command {
        let (verdict, reason) = verdict(&command, &context);
        out(&format!("{verdict}\t{reason}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if !batch {
        return Err(Failure::usage(
            "check needs a command",
            "planwright check 'git log | head', or --batch with one JSON string per line.",
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
        let (verdict, reason) = verdict(&command, &context);
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
