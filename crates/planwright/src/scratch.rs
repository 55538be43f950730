//! `planwright scratch -- CMD`: runs a command in a scratch copy of the machine, and lists what it
//! would have changed.

use std::ffi::OsString;
use std::process::ExitCode;

use planwright_core::text::inert;
use planwright_sandbox::{Cancel, Changes, Confinement, Ending, Program, Spec, Tier};

use crate::failure::{Failure, err, out};
use crate::wiring::Place;

/// Runs it. The exit code is the command's own; its output comes first, then what would have changed.
pub async fn run(argv: Vec<OsString>) -> Result<ExitCode, Failure> {
    let place = Place::here()?;
    if let [line] = argv.as_slice()
        && line.to_string_lossy().contains(char::is_whitespace)
        && which::which(line).is_err()
    {
        let line = line.to_string_lossy();
        return Err(Failure::usage(
            format!("there is no program `{line}`"),
            format!("For a line of the shell: planwright scratch -- sh -c {}", shell_words::quote(&line)),
        ));
    }
    let protection = planwright_sandbox::probe(&place.root, Some(&place.home.protection_file())).await;
    if protection.tier != Tier::Scratch {
        let reason = protection.reason.unwrap_or_else(|| protection.tier.to_string());
        return Err(Failure::run(
            format!("no scratch copy can be had here: {reason}"),
            protection.remedy.unwrap_or_default(),
        ));
    }
    let spec = Spec {
        tier: protection.tier,
        hidden: vec![place.home.root().to_owned()],
        ..Spec::new(Program::Argv(argv), &place.root, Confinement::Scratch)
    };
    let ended =
        planwright_sandbox::spawn(spec, &Cancel::new()).await.map_err(|error| Failure::run(error.to_string(), ""))?;
    out(&ended.output.text())?;
    ended.notes.iter().for_each(|note| err(&format!("note: {note}\n")));
    err(&ended.changes.as_ref().map(listed).unwrap_or_default());
    Ok(match ended.ending {
        Ending::Exited(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
        Ending::Signaled(signal) => ExitCode::from(u8::try_from(128 + signal).unwrap_or(1)),
        Ending::TimedOut | Ending::Cancelled => ExitCode::FAILURE,
    })
}

fn listed(changes: &Changes) -> String {
    if changes.is_empty() {
        return "It would have changed nothing.\n".to_owned();
    }
    let mut text = format!("It would have changed {} (discarded):\n", changes.count());
    for change in &changes.list {
        text += &format!("  {change} {}\n", inert(&change.path.to_string_lossy()));
        for line in change.diff.iter().flat_map(|diff| diff.lines()) {
            text += &format!("      {}\n", inert(line));
        }
    }
    if changes.omitted > 0 {
        text += &format!("  and {} more\n", changes.omitted);
    }
    if changes.incomplete {
        text += "  and perhaps more, which could not be looked at\n";
    }
    text
}
