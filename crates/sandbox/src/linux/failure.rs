//! A step of building the walls that failed.

use std::io;

/// Which step, and the system's error number.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) step: String,
    pub(crate) errno: i32,
}

impl Failure {
    pub(crate) fn new(step: &str, errno: i32) -> Self {
        Self { step: step.to_owned(), errno }
    }
}

/// Names the step that a result belongs to.
pub(crate) trait Step<T> {
    /// With the step's name in the error.
    fn step(self, step: &str) -> Result<T, Failure>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: &str) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(step, error.into().raw_os_error().unwrap_or_default()))
    }
}
