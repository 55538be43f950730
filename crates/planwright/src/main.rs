//! Wires the rooms together: arguments, environment, exit codes.

mod args;
mod check;
mod demo;
mod doctor;
mod editor;
mod failure;
mod line;
mod plans;
mod print;
mod sessions;
mod wiring;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Sub};
use failure::Failure;

fn main() -> ExitCode {
    // Output to a closed pipe ends quietly, as for any other command of the shell.
    let cli = Cli::parse();
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
        None if cli.run.print => print::run(cli.prompt, cli.run).await,
        None => line::run(cli.prompt, cli.run).await,
        Some(Sub::Demo { yes }) => demo::run(yes).await,
        Some(Sub::Plan(command)) => plans::run(command).await,
        Some(Sub::Session(command)) => sessions::run(command),
        Some(Sub::Check { command, batch }) => check::run(command, batch),
        Some(Sub::Doctor { schema }) => doctor::run(schema),
        Some(Sub::Trust { dir }) => doctor::trust(dir),
        Some(Sub::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "planwright", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
        Some(Sub::Man) => {
            clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout()).map_err(Failure::output)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
