//! A model behind HTTP: sends, waits, reads, tries again. The only place with sockets and keys; what
//! is said over them is the wire's.
//!
//! What holds here for every provider: nothing is sent before the answer is first polled; dropping
//! the answer ends the request, also while it waits for the next try; a redirect is never followed,
//! so a key goes to one host only; what a provider says reaches nobody with the key in it, or
//! longer than a person reads.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::stream;
use jiff::Timestamp;
use planwright_core::bounds;
use planwright_core::reply::{Abilities, Again, Delta};
use planwright_core::request::Request;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::sync::Mutex;

use crate::incoming::Incoming;
use crate::key::{Key, KeySource};
use crate::providers;
use crate::retry::Patience;
use crate::wire::{Credential, Failure, Outgoing, Refused, Wire};
use crate::{Model, ModelError, ReplyStream, TokenCount};

/// A model behind HTTP.
#[derive(Clone)]
pub struct Remote(Arc<Line>);

/// What a request goes over.
struct Line {
    wire: Arc<dyn Wire>,
    source: KeySource,
    /// The key that a command printed last.
    printed: Mutex<Option<Key>>,
    patience: Patience,
    client: OnceLock<Client>,
}

impl Remote {
    /// A model that speaks over `wire`.
    pub fn new(wire: Arc<dyn Wire>, key: KeySource, patience: Patience) -> Self {
        let (printed, client) = (Mutex::default(), OnceLock::new());
        Self(Arc::new(Line { wire, source: key, printed, patience, client }))
    }

    /// Whether this is a URL that requests can go to.
    pub fn can_reach(base_url: &str) -> bool {
        Url::parse(base_url).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    }
}

impl Model for Remote {
    fn id(&self) -> String {
        self.0.wire.address().id.clone()
    }

    fn ask(&self, request: Request) -> ReplyStream {
        let asking =
            Asking { line: Arc::clone(&self.0), request, attempt: 1, ready: VecDeque::new(), state: State::Send };
        Box::pin(stream::unfold(asking, |mut asking| async move {
            let delta = asking.next().await?;
            Some((delta, asking))
        }))
    }

    fn abilities(&self) -> Abilities {
        self.0.wire.address().capability.abilities
    }

    fn count(&self, request: &Request) -> Option<TokenCount> {
        let outgoing = self.0.wire.count(request)?;
        let line = Arc::clone(&self.0);
        Some(Box::pin(async move { line.count(outgoing).await }))
    }
}

/// One request on its way to an answer.
struct Asking {
    line: Arc<Line>,
    request: Request,
    /// Which try this is, from 1.
    attempt: u32,
    /// What is known and not yet told.
    ready: VecDeque<Result<Delta, Failure>>,
    state: State,
}

enum State {
    Send,
    Wait(Duration),
    Read(Box<Reading>),
    Over,
}

impl Asking {
    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            match self.ready.pop_front() {
                Some(Ok(delta)) => {
                    if let Delta::Done(_) = delta {
                        self.state = State::Over;
                    }
                    return Some(Ok(delta));
                }
                Some(Err(failure)) => return Some(self.again(failure).await),
                None => {}
            }
            match &mut self.state {
                State::Over => return None,
                State::Wait(wait) => {
                    tokio::time::sleep(*wait).await;
                    self.state = State::Send;
                }
                State::Send => match self.line.open(&self.request).await {
                    Ok(reading) => self.state = State::Read(Box::new(reading)),
                    Err(failure) => self.ready.push_back(Err(failure)),
                },
                State::Read(reading) => {
                    let heard = reading.more(self.line.patience.stall).await;
                    self.ready.extend(heard.into_iter().map(|delta| delta.map_err(Failure::from)));
                }
            }
        }
    }

    /// What follows a failed try: another one, or the error.
    async fn again(&mut self, failure: Failure) -> Result<Delta, ModelError> {
        let Failure { error, retry_after } = failure;
        let too_long = retry_after.filter(|asked| *asked > self.line.patience.longest_asked);
        let error = self.line.tell(error).await.reworded(|message| match too_long {
            Some(asked) => format!("{message} (it asks to wait {} s)", asked.as_secs()),
            None => message.to_owned(),
        });
        let failure = Failure { error, retry_after };
        let Some(wait) = self.line.patience.wait(&failure, self.attempt, fastrand::f64()) else {
            self.state = State::Over;
            return Err(failure.error);
        };
        self.attempt += 1;
        self.state = State::Wait(wait);
        Ok(Delta::Again(Again {
            attempt: self.attempt,
            of: self.line.patience.tries(&failure),
            after_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
            cause: failure.error.cause(),
        }))
    }
}

/// An answer that is being read.
struct Reading {
    response: Response,
    incoming: Incoming,
}

impl Reading {
    /// What the next bytes say.
    async fn more(&mut self, stall: Duration) -> Vec<Result<Delta, ModelError>> {
        match tokio::time::timeout(stall, self.response.chunk()).await {
            Ok(Ok(Some(bytes))) => self.incoming.push(&bytes),
            // A connection that broke and one that was closed too early are the same to the reader.
            Ok(Ok(None) | Err(_)) => self.incoming.end(),
            Err(_) => vec![Err(ModelError::Stalled { seconds: stall.as_secs() })],
        }
    }
}

impl Line {
    /// Sends a request and waits for the answer to begin.
    async fn open(&self, request: &Request) -> Result<Reading, Failure> {
        let mut response = self.send(&self.wire.outgoing(request)).await?;
        if kind(&response).starts_with("text/html") {
            let message = format!(
                "{} answered with a page for people (HTML) instead of a stream of events",
                place(&self.wire.address().base_url)
            );
            return Err(ModelError::Malformed { message }.into());
        }
        if kind(&response).starts_with("application/json") {
            return Err(self.refused(&mut response).await);
        }
        Ok(Reading { response, incoming: Incoming::new(self.wire.assembly(request)) })
    }

    async fn count(&self, outgoing: Outgoing) -> Result<u64, ModelError> {
        let told = async {
            let mut response = self.send(&outgoing).await.map_err(|failure| failure.error)?;
            let body = beginning(&mut response, self.patience.stall).await;
            let count = serde_json::from_str(&body).ok().and_then(|answer| self.wire.counted(&answer));
            count.ok_or(ModelError::Malformed { message: body })
        };
        match told.await {
            Ok(count) => Ok(count),
            Err(error) => Err(self.tell(error).await),
        }
    }

    /// Sends what is to be sent; an answer that is no success is a failure. A key that a command
    /// printed and the provider refuses is asked for once more: it may have run out.
    async fn send(&self, outgoing: &Outgoing) -> Result<Response, Failure> {
        let mut renewed = false;
        loop {
            let mut response = self.put(outgoing).await?;
            let status = response.status();
            if status.is_success() {
                return Ok(response);
            }
            if status == StatusCode::UNAUTHORIZED
                && matches!(self.source, KeySource::Command(_))
                && !std::mem::replace(&mut renewed, true)
            {
                *self.printed.lock().await = None;
                continue;
            }
            return Err(self.refused(&mut response).await);
        }
    }

    /// What an answer means that is no stream of events.
    async fn refused(&self, response: &mut Response) -> Failure {
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers: Vec<_> =
            response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
        let body = beginning(response, self.patience.stall).await;
        let status = response.status();
        let refused = Refused { status: status.as_u16(), headers: &headers, body: &body, now: Timestamp::now() };
        if status.is_redirection() { moved(&refused) } else { self.wire.refused(&refused) }
    }

    async fn put(&self, outgoing: &Outgoing) -> Result<Response, Failure> {
        let unreachable = |message: String| Failure::from(ModelError::Unreachable { message });
        let client = self.client().map_err(unreachable)?;
        let request =
            client.post(&outgoing.url).headers(self.headers(outgoing).await?).body(outgoing.body.clone()).send();
        let begin = self.patience.begin;
        match tokio::time::timeout(begin, request).await {
            Err(_) => Err(ModelError::Stalled { seconds: begin.as_secs() }.into()),
            Ok(Err(error)) => {
                let address = self.wire.address();
                let refused = error.is_connect();
                let cause = format!("{}: {}", place(&address.base_url), causes(&error.without_url()));
                Err(unreachable(match providers::local(&address.id).filter(|_| refused) {
                    Some(variable) => format!("{cause} (start its server, or say with {variable} where it is)"),
                    None => cause,
                }))
            }
            Ok(Ok(response)) => Ok(response),
        }
    }

    async fn headers(&self, outgoing: &Outgoing) -> Result<HeaderMap, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in &outgoing.headers {
            let value = HeaderValue::from_str(value)
                .map_err(|error| ModelError::Malformed { message: format!("header {name}: {error}") })?;
            headers.insert(HeaderName::from_static(name), value);
        }
        if let Some(key) = self.key().await? {
            let (name, value) = match self.wire.credential() {
                Credential::Header(name) => (HeaderName::from_static(name), key.reveal().to_owned()),
                Credential::Bearer => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
            };
            let mut value = HeaderValue::from_str(&value).expect("a key holds what can stand in a header");
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(headers)
    }

    async fn key(&self) -> Result<Option<Key>, ModelError> {
        match &self.source {
            KeySource::Known(key) => Ok(Some(key.clone())),
            KeySource::Nothing => Ok(None),
            KeySource::Command(fetch) => {
                let mut printed = self.printed.lock().await;
                if printed.is_none() {
                    let failed = |message| ModelError::KeyCommand { message };
                    let key = Key::new(&fetch().await.map_err(failed)?);
                    *printed = Some(key.ok_or_else(|| failed("it printed what is no key".to_owned()))?);
                }
                Ok(printed.clone())
            }
        }
    }

    /// The client, made when it is first needed: it reads the machine's certificates.
    fn client(&self) -> Result<&Client, String> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        // Another client of the process may have been first; it is the same provider then.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_millis(bounds::CONNECT_MS))
            .user_agent(concat!("planwright/", env!("CARGO_PKG_VERSION")));
        if Url::parse(&self.wire.address().base_url).is_ok_and(|url| on_this_machine(&url)) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| causes(&error))?;
        Ok(self.client.get_or_init(|| client))
    }

    /// An error as it may be told.
    async fn tell(&self, error: ModelError) -> ModelError {
        let printed = self.printed.lock().await.clone();
        let key = match &self.source {
            KeySource::Known(key) => Some(key.clone()),
            KeySource::Command(_) => printed,
            KeySource::Nothing => None,
        };
        error.reworded(|message| shown(&key.map_or_else(|| message.to_owned(), |key| key.redact(message))))
    }
}

/// What a success is: a stream of events, or a page or an object instead.
fn kind(response: &Response) -> &str {
    response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default()
}

/// A base URL for people, without a user and a password in it.
fn place(base_url: &str) -> String {
    Url::parse(base_url).map_or_else(
        |_| base_url.to_owned(),
        |url| format!("{}{}", url.origin().ascii_serialization(), url.path().trim_end_matches('/')),
    )
}

/// A redirect: followed by nobody, as it would take the key along.
fn moved(refused: &Refused<'_>) -> Failure {
    let to = refused.header("location").and_then(|to| Url::parse(to).ok());
    let to = to.and_then(|url| url.host_str().map(|host| format!(" to {host}"))).unwrap_or_default();
    let message = format!("it redirects{to}; redirects are not followed, set the base URL to the right address");
    ModelError::Provider { status: refused.status, message, retryable: false }.into()
}

/// The beginning of a body, as text.
async fn beginning(response: &mut Response, stall: Duration) -> String {
    let mut body = Vec::new();
    while body.len() < bounds::ERROR_BODY_BYTES {
        let Ok(Ok(Some(bytes))) = tokio::time::timeout(stall, response.chunk()).await else { break };
        body.extend_from_slice(&bytes);
    }
    body.truncate(bounds::ERROR_BODY_BYTES);
    String::from_utf8_lossy(&body).into_owned()
}

/// A message of somebody else, for one line of a terminal.
fn shown(message: &str) -> String {
    let mut words = message.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.by_ref().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(bounds::ERROR_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn on_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// An error with its causes: the first one of `reqwest` says little.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    text
}
