//! A program that is given the terminal.

use std::ffi::OsString;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use tokio::process::Command;

use crate::spawn::SpawnError;

/// Runs `argv` with the terminal (standard input, output and error inherited) and waits for its end.
///
/// The caller must have left raw mode before, and must not read the terminal meanwhile. The program
/// stays in the caller's process group, so the terminal's keys (Ctrl-C) reach both.
///
/// # Errors
/// The program could not be started. Its exit status is not an error here.
pub async fn interactive(argv: &[OsString], cwd: &Path) -> Result<ExitStatus, SpawnError> {
    let (program, arguments) = argv.split_first().ok_or(SpawnError::Empty)?;
    if !cwd.is_dir() {
        return Err(SpawnError::NoFolder(cwd.to_path_buf()));
    }
    Command::new(program)
        .args(arguments)
        .current_dir(cwd)
        .stdin(Stdio::inherit())
        .stdout(Stdio::inherit())
        .stderr(Stdio::inherit())
        .status()
        .await
        .map_err(|cause| SpawnError::System { program: program.to_string_lossy().into_owned(), cause })
}
