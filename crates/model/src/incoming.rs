//! An answer on its way in: bytes to events to deltas. Pure; [`crate::Remote`] feeds it.

use planwright_core::bounds;
use planwright_core::reply::Delta;

use crate::ModelError;
use crate::sse::Decoder;
use crate::wire::Assembly;

/// An answer on its way in. Yields [`Delta::Done`] last and once; what comes after is not looked at.
pub struct Incoming {
    decoder: Decoder,
    assembly: Box<dyn Assembly>,
    bytes: usize,
    done: bool,
    /// What went wrong after the deltas that were yielded last.
    failed: Option<ModelError>,
}

impl Incoming {
    /// Nothing came yet.
    pub fn new(assembly: Box<dyn Assembly>) -> Self {
        Self { decoder: Decoder::default(), assembly, bytes: 0, done: false, failed: None }
    }

    /// What went wrong right after the deltas that were yielded last, so that they are not lost
    /// where both came in the same bytes. Looked at before more bytes are waited for.
    pub const fn failed(&mut self) -> Option<ModelError> {
        self.failed.take()
    }

    /// What the next bytes say.
    ///
    /// # Errors
    /// What the provider reports, or that it cannot be read.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, ModelError> {
        if let Some(error) = self.failed() {
            return Err(error);
        }
        let malformed = |message: String| ModelError::Malformed { message };
        self.bytes += bytes.len();
        if self.bytes > bounds::ANSWER_BYTES {
            return Err(malformed(format!("an answer of more than {} MB", bounds::ANSWER_BYTES >> 20)));
        }
        let events = self.decoder.push(bytes).map_err(|error| malformed(error.to_string()))?;
        let mut deltas = Vec::new();
        for event in &events {
            if self.done {
                break;
            }
            match self.assembly.event(event) {
                Ok(more) => deltas.extend(more),
                Err(error) if deltas.is_empty() => return Err(error),
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
            self.done = matches!(deltas.last(), Some(Delta::Done(_)));
        }
        Ok(deltas)
    }

    /// What it comes to, now that nothing follows.
    ///
    /// # Errors
    /// [`ModelError::Cut`] if it is not whole; or what a last event reports.
    pub fn end(&mut self) -> Result<Vec<Delta>, ModelError> {
        if self.done {
            return Ok(Vec::new());
        }
        if let Some(error) = self.failed() {
            return Err(error);
        }
        let mut deltas = Vec::new();
        if let Some(event) = std::mem::take(&mut self.decoder).finish() {
            match self.assembly.event(&event) {
                Ok(more) => deltas = more,
                // Half an event.
                Err(ModelError::Malformed { .. }) => return Err(ModelError::Cut),
                Err(error) => return Err(error),
            }
        }
        self.done = true;
        if !matches!(deltas.last(), Some(Delta::Done(_))) {
            deltas.push(Delta::Done(self.assembly.end()?));
        }
        Ok(deltas)
    }
}
