//! What a provider's protocol must say. A wire is pure: it turns a neutral request into the text of
//! an HTTP request, and the events of the answer into deltas. It knows neither sockets nor keys
//! nor time; [`crate::Remote`] has those, and retries.
//!
//! To add a protocol: one file with a [`Wire`] and an [`Assembly`], its rows in
//! [`crate::providers`] and in [`crate::capability`], its streams in `tests/streams`.
//! [`crate::conversation`] has done what every provider wants done before a wire sees a message.

use std::time::Duration;

use jiff::Timestamp;
use planwright_core::reply::{Delta, Reply};
use planwright_core::request::Request;
use serde_json::Value;

use crate::ModelError;
use crate::capability::Capability;
use crate::sse::Event;

/// The model that a wire speaks to: where it is, what it is called, what it can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    /// What the log calls it, and what marks its opaque blocks as its own: `anthropic:NAME`.
    pub id: String,
    /// The name that the provider knows.
    pub name: String,
    /// Where its interface begins, without a slash at the end: `https://api.anthropic.com`.
    pub base_url: String,
    /// What it can do.
    pub capability: Capability,
}

/// How a key is shown to the provider. The key itself is put in by [`crate::Remote`], so that no
/// wire can let it slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A header that holds the key alone: `x-api-key`.
    Header(&'static str),
    /// `authorization: Bearer KEY`.
    Bearer,
}

/// The HTTP request to make: a `POST` with a JSON body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The URL.
    pub url: String,
    /// Headers beside those of the key and the content type. Names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The body: JSON.
    pub body: String,
}

/// A provider's protocol, for one model.
pub trait Wire: Send + Sync {
    /// The model it speaks to.
    fn address(&self) -> &Address;

    /// How the key is shown.
    fn credential(&self) -> Credential;

    /// The request that puts this one, with a streamed answer. The same request always gives the
    /// same bytes, and a conversation that grew begins with the bytes it had: providers cache by
    /// prefix.
    fn outgoing(&self, request: &Request) -> Outgoing;

    /// A new assembly, for the answer to this request. Made anew for every try.
    fn assembly(&self, request: &Request) -> Box<dyn Assembly>;

    /// What an answer with another status than 2xx means. Most of it is the same for all:
    /// [`Refused::failure`]; a wire finds the message in the body and knows the provider's words
    /// for a full window and for what does not pass by waiting (spend caps).
    fn refused(&self, refused: &Refused<'_>) -> Failure;

    /// The request that counts the tokens of this one, if the provider can.
    fn count(&self, _request: &Request) -> Option<Outgoing> {
        None
    }

    /// The count in the answer to [`Wire::count`].
    fn counted(&self, _answer: &Value) -> Option<u64> {
        None
    }
}

/// An answer that is being put together from its events.
///
/// Laws (tests/model hold every assembly to them): nothing panics, whatever the events; a tool call
/// is part of the reply only if it is whole; ids are unique in the session
/// ([`crate::conversation::Ids`]) and names are our own ([`crate::conversation::Names`]); unknown
/// events, fields and kinds of block are passed over or kept, never an error.
pub trait Assembly: Send {
    /// Takes the next event. Yields text as it comes, and [`Delta::Done`] as the last one when the
    /// provider has said that the answer is complete; nothing is read after that.
    ///
    /// # Errors
    /// The event is an error of the provider ([`ModelError::Provider`] with the status that the
    /// same error has outside of a stream), or cannot be read ([`ModelError::Malformed`]).
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, ModelError>;

    /// The stream is over and [`Delta::Done`] was not yielded. An answer that is whole all the same
    /// (it has said why it stopped, only the terminator is missing) is the reply.
    ///
    /// # Errors
    /// [`ModelError::Cut`] if it is not whole.
    fn end(&mut self) -> Result<Reply, ModelError>;
}

/// An answer that is no stream of events.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// The HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: &'a [(String, String)],
    /// The beginning of the body, as text ([`planwright_core::bounds::ERROR_BODY_BYTES`]).
    pub body: &'a str,
    /// When it came.
    pub now: Timestamp,
}

/// Why a try failed, and what the provider said about the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The error.
    pub error: ModelError,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self { error, retry_after: None }
    }
}

/// What a wire recognised in an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Nothing: the status decides.
    Plain,
    /// The conversation is larger than the model's window.
    ContextFull,
    /// It does not pass by waiting, whatever the status says: a spend cap, an empty account.
    Final,
}

impl Refused<'_> {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The error in a body of the shape that nearly all providers use (`{"error": {…}}`, or the
    /// error alone, or a list of one such object).
    pub fn error(&self) -> Option<Value> {
        let mut value: Value = serde_json::from_str(self.body).ok()?;
        if let Some(first) = value.get_mut(0) {
            value = first.take();
        }
        Some(value.get_mut("error").map(Value::take).unwrap_or(value))
    }

    /// What the provider says, in the words that are there: the error's message, else the body.
    pub fn message(&self) -> String {
        let error = self.error();
        let error = error.as_ref();
        let said =
            error.and_then(|error| error.get("message").or_else(|| error.get("detail")).unwrap_or(error).as_str());
        said.unwrap_or(self.body).to_owned()
    }

    /// The failure, from the status and the headers that all providers share: `retry-after` (in
    /// seconds or as a date), `retry-after-ms`, `x-should-retry`.
    pub fn failure(&self, message: impl Into<String>, sort: Sort) -> Failure {
        let (message, status) = (message.into(), self.status);
        let error = match sort {
            Sort::ContextFull => return ModelError::ContextFull { message }.into(),
            Sort::Final => ModelError::Provider { status, message, retryable: false },
            Sort::Plain => match self.header("x-should-retry") {
                Some("true") => ModelError::Provider { status, message, retryable: true },
                Some("false") => ModelError::Provider { status, message, retryable: false },
                _ => ModelError::provider(status, message),
            },
        };
        Failure { error, retry_after: self.retry_after() }
    }

    fn retry_after(&self) -> Option<Duration> {
        let number = |name| self.header(name).and_then(|value| value.trim().parse::<f64>().ok());
        if let Some(ms) = number("retry-after-ms") {
            return Duration::try_from_secs_f64(ms / 1000.0).ok();
        }
        if let Some(seconds) = number("retry-after") {
            return Duration::try_from_secs_f64(seconds).ok();
        }
        let date = jiff::fmt::rfc2822::parse(self.header("retry-after")?).ok()?.timestamp();
        // A date that is over is no reason to wait.
        Some(Duration::try_from(date.duration_since(self.now)).unwrap_or_default())
    }
}
