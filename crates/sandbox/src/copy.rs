//! Reaches into a scratch copy, for the agent's own tools.

use std::io;
use std::path::Path;

use crate::cancel::Cancel;
use crate::changes::Changes;
use crate::policy::Deed;
use crate::spawn::{Ending, Program, SpawnError, Spec, run_deed};
use crate::tier::Confinement;

/// A file as the scratch copy of `spec` has it (its program is not run). At most `limit` bytes. No link
/// in its path is followed: a command may have put it there.
///
/// # Errors
/// Outer: nothing could be done there. Inner: the file cannot be read there, or is longer.
pub async fn read_in_copy(spec: &Spec, path: &Path, limit: usize) -> Result<io::Result<Vec<u8>>, SpawnError> {
    let spec = Spec { output_limit: limit, ..in_copy(spec) };
    let ended = run_deed(spec, &Cancel::new(), Deed::Read(path.to_path_buf())).await?;
    Ok(outcome(ended.ending).and_then(|()| {
        let bytes = ended.output.bytes();
        if ended.output.total() > limit as u64 { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    }))
}

/// All that the scratch copy of `spec` would change on the machine (its program is not run).
///
/// # Errors
/// Nothing could be done there.
pub async fn changes_in_copy(spec: &Spec) -> Result<Changes, SpawnError> {
    let ended = run_deed(in_copy(spec), &Cancel::new(), Deed::Look).await?;
    Ok(ended.changes.unwrap_or_default())
}

/// Writes a file, and makes the folders that it is in, in the scratch copy of `spec` (its program is
/// not run). Returns what that would change.
///
/// # Errors
/// Outer: nothing could be done there. Inner: the file cannot be written there.
pub async fn write_in_copy(spec: &Spec, path: &Path, contents: &[u8]) -> Result<io::Result<Changes>, SpawnError> {
    let deed = Deed::Write(path.to_path_buf(), contents.to_vec());
    let ended = run_deed(in_copy(spec), &Cancel::new(), deed).await?;
    Ok(outcome(ended.ending).map(|()| ended.changes.unwrap_or_default()))
}

fn in_copy(spec: &Spec) -> Spec {
    // Never looked at, but for being there.
    let program = Program::Argv(vec!["/".into()]);
    Spec { program, confinement: Confinement::Scratch, ..spec.clone() }
}

fn outcome(ending: Ending) -> io::Result<()> {
    match ending {
        Ending::Exited(0) => Ok(()),
        Ending::Exited(errno) => Err(io::Error::from_raw_os_error(errno)),
        Ending::Signaled(_) | Ending::TimedOut | Ending::Cancelled => Err(io::ErrorKind::Interrupted.into()),
    }
}
