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
}

impl Incoming {
    /// Nothing came yet.
    pub fn new(assembly: Box<dyn Assembly>) -> Self {
        Self { decoder: Decoder::default(), assembly, bytes: 0, done: false }
    }

    /// What the next bytes say. An error comes last: what the provider reports, or that it cannot be
    /// read.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<Delta, ModelError>> {
        let mut heard = Vec::new();
        if let Err(error) = self.take(bytes, &mut heard) {
            heard.push(Err(error));
        }
        heard
    }

    /// What it comes to, now that nothing follows: [`Delta::Done`], or [`ModelError::Cut`] if it is
    /// not whole, or what a last event reports.
    pub fn end(&mut self) -> Vec<Result<Delta, ModelError>> {
        let mut heard = Vec::new();
        if let Err(error) = self.close(&mut heard) {
            heard.push(Err(error));
        }
        heard
    }

    fn take(&mut self, bytes: &[u8], heard: &mut Vec<Result<Delta, ModelError>>) -> Result<(), ModelError> {
        let malformed = |message: String| ModelError::Malformed { message };
        self.bytes += bytes.len();
        if self.bytes > bounds::ANSWER_BYTES {
            return Err(malformed(format!("an answer of more than {} MB", bounds::ANSWER_BYTES >> 20)));
        }
        for event in self.decoder.push(bytes).map_err(|error| malformed(error.to_string()))? {
            if !self.done {
                let deltas = self.assembly.event(&event)?;
                self.done = matches!(deltas.last(), Some(Delta::Done(_)));
                heard.extend(deltas.into_iter().map(Ok));
            }
        }
        Ok(())
    }

    fn close(&mut self, heard: &mut Vec<Result<Delta, ModelError>>) -> Result<(), ModelError> {
        if let Some(event) = std::mem::take(&mut self.decoder).finish()
            && !self.done
        {
            let deltas = match self.assembly.event(&event) {
                // Half an event.
                Err(ModelError::Malformed { .. }) => return Err(ModelError::Cut),
                deltas => deltas?,
            };
            self.done = matches!(deltas.last(), Some(Delta::Done(_)));
            heard.extend(deltas.into_iter().map(Ok));
        }
        if !std::mem::replace(&mut self.done, true) {
            heard.push(Ok(Delta::Done(self.assembly.end()?)));
        }
        Ok(())
    }
}
