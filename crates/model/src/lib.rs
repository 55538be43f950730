//! Asks a model: one trait for every provider, and the scripted model that plays a file.
//!
//! | room | holds |
//! | --- | --- |
//! | [`providers`] | `PROVIDER:NAME` made into a model; the table of providers |
//! | [`capability`] | what models can do: data |
//! | [`wire`] | what a provider's protocol must say |
//! | [`anthropic`], [`openai`], [`responses`], [`gemini`] | one protocol each |
//! | [`dialect`] | how servers differ that speak OpenAI's chat completions: data |
//! | [`schema`] | a tool's schema in the subset that a provider takes |
//! | [`conversation`] | a request's conversation as every provider wants it |
//! | [`sse`], [`incoming`] | server-sent events; an answer on its way in |
//! | [`remote`] | the sockets: sends, reads, tries again, and hides the key |
//! | [`retry`], [`key`] | when to try again; where keys come from |
//! | [`script`] | the model that plays a file |
//! | [`Recording`], [`Logged`] | what is put around any model |

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt};
use planwright_core::reply::{Abilities, Delta, Reply};
use planwright_core::request::Request;

pub mod anthropic;
pub mod capability;
pub mod conversation;
pub mod dialect;
mod error;
mod failure;
pub mod gemini;
pub mod incoming;
pub mod key;
pub mod openai;
pub mod providers;
mod recording;
pub mod remote;
mod request_log;
pub mod responses;
pub mod retry;
pub mod schema;
pub mod script;
pub mod sse;
pub mod wire;

pub use error::ModelError;
pub use recording::Recording;
pub use remote::Remote;
pub use request_log::Logged;

/// An answer as it arrives: text, then [`Delta::Done`]. A stream that ends without `Done` was cut.
/// [`Delta::Again`] voids what came before it.
/// Dropping it cancels the request.
pub type ReplyStream = Pin<Box<dyn Stream<Item = Result<Delta, ModelError>> + Send>>;

/// An answer to [`Model::count`].
pub type TokenCount = Pin<Box<dyn Future<Output = Result<u64, ModelError>> + Send>>;

/// Something that answers requests.
pub trait Model: Send + Sync {
    /// What the log calls it: `provider:name`, or `script:file@digest`.
    fn id(&self) -> String;

    /// Puts a request. Nothing is sent before the stream is first polled, unless the
    /// implementation says so.
    fn ask(&self, request: Request) -> ReplyStream;

    /// What it can do and costs.
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }

    /// How many tokens the provider says that a request has; `None` where it cannot be asked.
    fn count(&self, _request: &Request) -> Option<TokenCount> {
        None
    }

    /// A session is gone on with in which this model (same [`Model::id`]) has given so many answers
    /// on the main thread. Only a script, which has a position, cares.
    fn resumed(&self, _answers: usize) {}
}

impl<M: Model + ?Sized> Model for Arc<M> {
    fn id(&self) -> String {
        (**self).id()
    }

    fn ask(&self, request: Request) -> ReplyStream {
        (**self).ask(request)
    }

    fn abilities(&self) -> Abilities {
        (**self).abilities()
    }

    fn count(&self, request: &Request) -> Option<TokenCount> {
        (**self).count(request)
    }

    fn resumed(&self, answers: usize) {
        (**self).resumed(answers);
    }
}

/// Waits for the whole answer.
///
/// # Errors
/// What the stream reports, or [`ModelError::Cut`] if it ends without an answer.
pub async fn whole(mut stream: ReplyStream) -> Result<Reply, ModelError> {
    while let Some(delta) = stream.next().await {
        match delta? {
            Delta::Done(reply) => return Ok(reply),
            Delta::Text(_) | Delta::Waiting(_) | Delta::Again(_) => {}
        }
    }
    Err(ModelError::Cut)
}
