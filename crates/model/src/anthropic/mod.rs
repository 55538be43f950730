//! Anthropic Messages (protocols.md section 4.1).

use planwright_core::request::Request;
use serde_json::Value;

use crate::conversation::Part;
use crate::wire::{Address, Assembly, Credential, Failure, Outgoing, Refused, Sort, Wire};

mod answer;
mod body;
pub mod marks;

use answer::Answer;
use body::Body;

/// The version of the interface that is spoken here.
const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// The wire.
#[derive(Clone, Debug)]
pub struct Anthropic {
    address: Address,
}

impl Anthropic {
    /// Speaks to this model.
    pub const fn new(address: Address) -> Self {
        Self { address }
    }

    fn to(&self, path: &str, body: &Body<'_>) -> Outgoing {
        Outgoing {
            url: format!("{}{path}", self.address.base_url),
            headers: vec![(VERSION.0, VERSION.1.to_owned())],
            body: serde_json::to_string(body).expect("a body has string keys only"),
        }
    }
}

impl Wire for Anthropic {
    fn address(&self) -> &Address {
        &self.address
    }

    fn credential(&self) -> Credential {
        Credential::Header("x-api-key")
    }

    fn outgoing(&self, request: &Request) -> Outgoing {
        self.to("/v1/messages", &Body::answer(&self.address, request))
    }

    fn assembly(&self, request: &Request) -> Box<dyn Assembly> {
        Box::new(Answer::new(&self.address, request))
    }

    fn refused(&self, refused: &Refused<'_>) -> Failure {
        let said = refused.message();
        let sort = if refused.status == 413 { Sort::ContextFull } else { sort(&said) };
        let message = match refused.header("request-id") {
            Some(id) => format!("{said} (request {id})"),
            None => said,
        };
        refused.failure(message, sort)
    }

    fn count(&self, request: &Request) -> Option<Outgoing> {
        Some(self.to("/v1/messages/count_tokens", &Body::count(&self.address, request)))
    }

    fn counted(&self, answer: &Value) -> Option<u64> {
        answer.get("input_tokens")?.as_u64()
    }
}

/// What an error message means beyond its status. Older models refuse a prompt that is too long with
/// a plain 400; a spend limit that the user set comes as a 400 or a 429.
fn sort(message: &str) -> Sort {
    const FULL: [&str; 2] = ["prompt is too long", "exceed context limit"];
    const SPENT: [&str; 2] = ["API usage limits", "credit balance is too low"];
    if FULL.iter().any(|words| message.contains(words)) {
        Sort::ContextFull
    } else if SPENT.iter().any(|words| message.contains(words)) {
        Sort::Final
    } else {
        Sort::Plain
    }
}

/// Whether an assistant's turn that ends a request is gone on with: it waits for a tool that the
/// provider runs itself.
fn paused(parts: &[Part<'_>]) -> bool {
    parts.iter().any(|part| match part {
        Part::Opaque(value) => {
            value.get("type").and_then(Value::as_str).is_some_and(|kind| kind.ends_with("_tool_use"))
        }
        Part::Text(_) | Part::Call { .. } => false,
    })
}
