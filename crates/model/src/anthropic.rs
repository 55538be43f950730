//! Anthropic Messages.

use planwright_core::reply::{Delta, Reply};
use planwright_core::request::Request;

use crate::ModelError;
use crate::sse::Event;
use crate::wire::{Address, Assembly, Credential, Failure, Outgoing, Refused, Sort, Wire};

/// The wire.
pub struct Anthropic {
    address: Address,
}

impl Anthropic {
    /// Speaks to this model.
    pub fn new(address: Address) -> Self {
        Self { address }
    }
}

impl Wire for Anthropic {
    fn address(&self) -> &Address {
        &self.address
    }
    fn credential(&self) -> Credential {
        Credential::Header("x-api-key")
    }
    fn outgoing(&self, _request: &Request) -> Outgoing {
        Outgoing { url: format!("{}/v1/messages", self.address.base_url), headers: Vec::new(), body: String::new() }
    }
    fn assembly(&self, _request: &Request) -> Box<dyn Assembly> {
        Box::new(Answer)
    }
    fn refused(&self, refused: &Refused<'_>) -> Failure {
        refused.failure(refused.message(), Sort::Plain)
    }
}

struct Answer;

impl Assembly for Answer {
    fn event(&mut self, _event: &Event) -> Result<Vec<Delta>, ModelError> {
        Ok(Vec::new())
    }
    fn end(&mut self) -> Result<Reply, ModelError> {
        Err(ModelError::Cut)
    }
}
