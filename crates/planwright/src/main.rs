//! Wires the rooms together: arguments, environment, exit codes.

mod args;
mod check;
mod demo;
mod doctor;
mod editor;
mod failure;
mod keys;
mod line;
mod plans;
mod print;
mod scratch;
mod sessions;
mod stream;
mod tui;
mod usage;
mod waiting;
mod wiring;

use std::process::ExitCode;

use clap::CommandFactory;

use args::{Cli, Sub};
use failure::{Failure, out};

fn main() -> ExitCode {
    // Started again as the walls around a command, the program does that and nothing else.
    if let Some(code) = planwright_sandbox::boxed_main() {
        return code;
    }
    planwright_sandbox::close_to_others();
    let cli = match usage::parsed(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(cli) => cli,
        Err(failure) => return failure.report(),
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Failure::run(format!("the runtime cannot be started: {error}"), "").report(),
    };
    let code = runtime.block_on(run(cli)).unwrap_or_else(|failure| failure.report());
    // A thread may still wait for a line of standard input; nothing of it matters any more.
    runtime.shutdown_background();
    code
}

async fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        None if cli.run.headless() => print::run(cli.prompt, cli.run).await,
        None if tui::wanted(&cli.run) => tui::run(cli.prompt, cli.run).await,
        None => line::run(cli.prompt, cli.run).await,
        Some(Sub::Demo { yes }) => demo::run(yes).await,
        Some(Sub::Plan(command)) => plans::run(command).await,
        Some(Sub::Session(command)) => sessions::run(command),
        Some(Sub::Check { command, batch, list }) => check::run(command, batch, list),
        Some(Sub::Scratch { command }) => scratch::run(command).await,
        Some(Sub::Doctor { schema, settings }) => doctor::run(schema, settings).await,
        Some(Sub::Trust { dir }) => doctor::trust(dir),
        Some(Sub::Completions { shell }) => {
            // Through memory: written straight to a closed pipe, it would panic.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "planwright", &mut script);
            out(&String::from_utf8_lossy(&script))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Sub::Man) => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(Failure::output)?;
            out(&String::from_utf8_lossy(&page))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
