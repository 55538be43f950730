//! A model that keeps what it was asked.

use std::sync::{Arc, Mutex, PoisonError};

use planwright_core::dialogue::Notice;
use planwright_core::reply::Abilities;
use planwright_core::request::Request;
use planwright_model::script::ScriptModel;
use planwright_model::{Model, ReplyStream};
use tokio::sync::mpsc::WeakUnboundedSender;

use super::screenplay::Lane;

/// The key of the notice that stands for a request among the other notices, so that their order is
/// known. Its text is the request's index.
pub const REQUEST: &str = "story-request";

/// The scripted model, and all that it was asked.
pub struct Recorded {
    script: ScriptModel,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    requests: Vec<Request>,
    out: Option<WeakUnboundedSender<Notice>>,
}

impl Recorded {
    /// Nothing was asked yet.
    pub fn new(script: ScriptModel) -> Self {
        Self { script, kept: Arc::default() }
    }

    /// Another model; what it is asked is kept with the rest.
    pub fn beside(&self, script: ScriptModel) -> Self {
        Self { script, kept: Arc::clone(&self.kept) }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests are told of here from now on.
    pub fn tell(&self, out: WeakUnboundedSender<Notice>) {
        self.kept().out = Some(out);
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.kept().requests.clone()
    }

    /// The request with this index.
    pub fn request(&self, index: usize) -> Request {
        self.kept().requests[index].clone()
    }
}

/// Whose request it is.
pub fn lane_of(request: &Request) -> Lane {
    request.agent.as_ref().map(|agent| agent_lane(&agent.agent_type, agent.instance)).unwrap_or_default()
}

/// The lane of the agent with this type and number, from 0.
pub fn agent_lane(agent_type: &str, instance: usize) -> Lane {
    if instance == 0 { agent_type.to_owned() } else { format!("{agent_type} {}", instance + 1) }
}

impl Model for Recorded {
    fn id(&self) -> String {
        self.script.id()
    }

    fn ask(&self, request: Request) -> ReplyStream {
        let mut kept = self.kept();
        if let Some(out) = kept.out.as_ref().and_then(WeakUnboundedSender::upgrade) {
            let text = kept.requests.len().to_string();
            let _ = out.send(Notice::Warning { key: REQUEST, text });
        }
        kept.requests.push(request.clone());
        drop(kept);
        self.script.ask(request)
    }

    fn abilities(&self) -> Abilities {
        self.script.abilities()
    }
}
