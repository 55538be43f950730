//! An error for a person: a cause, a hint, and the exit code it leads to.

use std::io::Write;
use std::process::ExitCode;

use planwright_store::StoreError;

/// Why the program ends without having done what was asked.
#[derive(Debug)]
pub struct Failure {
    cause: String,
    hint: String,
    code: u8,
}

impl Failure {
    /// Wrong usage: exit code 2.
    pub fn usage(cause: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { cause: cause.into(), hint: hint.into(), code: 2 }
    }

    /// The run failed: exit code 1.
    pub fn run(cause: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { cause: cause.into(), hint: hint.into(), code: 1 }
    }

    /// Output could not be written.
    pub fn output(error: std::io::Error) -> Self {
        Self::run(format!("the output cannot be written: {error}"), "")
    }

    /// Tells standard error, and yields the exit code.
    pub fn report(&self) -> ExitCode {
        let mut text = format!("planwright: {}\n", self.cause);
        if !self.hint.is_empty() {
            text += &format!("  {}\n", self.hint);
        }
        let _ = std::io::stderr().write_all(text.as_bytes());
        ExitCode::from(self.code)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::run(error.message(), error.hint)
    }
}

/// Prints to standard output. A reader that went away (`| head`) is no error.
pub fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::output(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints to standard error; there is nobody to tell if that fails.
pub fn err(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
