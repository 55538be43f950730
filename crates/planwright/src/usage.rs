//! Wrong usage that the parser of arguments would take for something else, or say too little about.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::args::Cli;
use crate::failure::Failure;

/// Parses the command line. Where the parser itself has the words for what is wrong, it ends the program.
///
/// # Errors
/// What would be a prompt is a command behind a flag, or a shell command was not quoted.
pub fn parsed(args: &[OsString]) -> Result<Cli, Failure> {
    let misplaced = misplaced(args);
    match Cli::try_parse_from(args) {
        Ok(cli) => match misplaced {
            Some((_, command)) if cli.prompt.as_deref() == Some(&command) => Err(command_first(&command)),
            Some(_) | None => Ok(cli),
        },
        Err(error) => {
            let given = |at: usize| args.get(at).and_then(|arg| arg.to_str());
            let unknown = match (error.kind(), error.get(ContextKind::InvalidArg)) {
                (ErrorKind::UnknownArgument, Some(ContextValue::String(unknown))) => Some(unknown.as_str()),
                _ => None,
            };
            // Its own command (`plan approve`) is taken for one of the program's that comes too late.
            let too_late = error.get(ContextKind::InvalidSubcommand).is_some();
            match (misplaced, unknown) {
                (Some((at, command)), _) if too_late || (unknown.is_some() && given(at + 1) == unknown) => {
                    Err(command_first(&command))
                }
                (Some(_) | None, Some(unknown)) if given(1) == Some("check") => Err(Failure::usage(
                    format!("check takes one command line, and `{unknown}` stands outside of it"),
                    "Quote it: planwright check 'ls -la'",
                )),
                (Some(_) | None, Some(_) | None) => error.exit(),
            }
        }
    }
}

/// The name of a command that stands behind something else, and where. What comes after `--` is a prompt.
fn misplaced(args: &[OsString]) -> Option<(usize, String)> {
    let cli = Cli::command();
    let is_command = |word: &str| word == "help" || cli.get_subcommands().any(|command| command.get_name() == word);
    let words = args.iter().map(|arg| arg.to_str().unwrap_or_default());
    let mut before = words.enumerate().skip(2).take_while(|(_, word)| *word != "--");
    before.find(|(_, word)| is_command(word)).map(|(at, word)| (at, word.to_owned()))
}

fn command_first(command: &str) -> Failure {
    Failure::usage(
        format!("`{command}` is a command, and stands behind a flag"),
        format!("Write the command first: planwright {command} … As a prompt: planwright … -- {command}"),
    )
}
