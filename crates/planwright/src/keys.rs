//! Runs the command that prints an API key.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use planwright_core::bounds;
use planwright_model::key::Fetch;
use planwright_sandbox::{Cancel, Confinement, Ending, Program, Spec, spawn};

/// What runs this command line and yields what it prints. It is the user's own command, from the
/// environment, so it is not confined; it runs in the user's home, where no project can stand in for
/// a program. What it says on standard error is left out: only the key is wanted.
pub fn printed_by(line: &str, home: &Path) -> Fetch {
    let spec = Spec {
        timeout: Some(Duration::from_millis(bounds::KEY_COMMAND_MS)),
        output_limit: bounds::KEY_BYTES,
        ..Spec::new(Program::Line(format!("exec 2>/dev/null\n{line}")), home, Confinement::None)
    };
    Arc::new(move || {
        let spec = spec.clone();
        Box::pin(async move {
            let ended = spawn(spec, &Cancel::new()).await.map_err(|error| error.to_string())?;
            match ended.ending {
                Ending::Exited(0) => Ok(ended.output.text()),
                Ending::Exited(code) => Err(format!("it ended with exit code {code}")),
                Ending::Signaled(signal) => Err(format!("signal {signal} ended it")),
                Ending::TimedOut => Err(format!("it took longer than {} s", bounds::KEY_COMMAND_MS / 1_000)),
                Ending::Cancelled => Err("it was stopped".to_owned()),
            }
        })
    })
}
