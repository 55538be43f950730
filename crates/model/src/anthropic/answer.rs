//! An answer, put together from its events.

use planwright_core::reply::{Delta, Reply, Stop, Usage};
use planwright_core::request::{Block, Request};
use serde::Deserialize;
use serde_json::Value;

use super::sort;
use crate::ModelError;
use crate::conversation::{Ids, Names, closed, input};
use crate::sse::Event;
use crate::wire::{Address, Assembly, Sort};

/// An answer so far.
pub(super) struct Answer {
    own: String,
    names: Names,
    ids: Ids,
    pieces: Vec<Piece>,
    stop: Option<Stop>,
    usage: Usage,
}

/// One block so far.
struct Piece {
    index: u64,
    /// Its end has come: nothing is added to it.
    whole: bool,
    kind: Kind,
}

enum Kind {
    Text(String),
    Call {
        /// The provider's id, if it gave one.
        id: Option<String>,
        name: String,
        json: String,
    },
    /// A block to be sent back as it is; `json` is the input of a tool that the provider runs.
    Opaque {
        value: Value,
        json: String,
    },
}

/// What an event says, as far as it is known here. Fields that are missing, `null` or new harm nothing.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Said {
    MessageStart {
        message: Started,
    },
    ContentBlockStart {
        index: u64,
        content_block: Value,
    },
    ContentBlockDelta {
        index: u64,
        delta: More,
    },
    ContentBlockStop {
        index: u64,
    },
    MessageDelta {
        #[serde(default)]
        delta: Stopped,
        #[serde(default)]
        usage: Option<Tokens>,
    },
    MessageStop,
    Error {
        error: Wrong,
    },
    /// `ping`, and what is not known yet.
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
struct Started {
    #[serde(default)]
    usage: Option<Tokens>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum More {
    TextDelta {
        text: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    ThinkingDelta {
        thinking: String,
    },
    SignatureDelta {
        signature: String,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Default, Deserialize)]
struct Stopped {
    #[serde(default)]
    stop_reason: Option<String>,
}

/// Counts are cumulative, and those that are not repeated stay. One that is no count is passed over:
/// no answer is lost for what it cost.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input_tokens: Value,
    output_tokens: Value,
    cache_creation_input_tokens: Value,
    cache_read_input_tokens: Value,
}

#[derive(Deserialize)]
struct Wrong {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    message: String,
}

impl Answer {
    pub(super) fn new(address: &Address, request: &Request) -> Self {
        Self {
            own: address.id.clone(),
            names: Names::of(&request.tools),
            ids: Ids::of(request),
            pieces: Vec::new(),
            stop: None,
            usage: Usage::default(),
        }
    }

    fn started(&mut self, index: u64, block: Value) -> Vec<Delta> {
        let field = |name: &str| block.get(name).and_then(Value::as_str);
        let mut text = String::new();
        let kind = match field("type") {
            Some("text") => {
                text = field("text").unwrap_or_default().to_owned();
                Kind::Text(text.clone())
            }
            Some("tool_use") => Kind::Call {
                id: field("id").map(str::to_owned),
                name: self.names.ours(field("name").unwrap_or_default()),
                // The input that stands here is a placeholder; a gateway may put a whole one.
                json: block.get("input").filter(|input| !nothing(input)).map(Value::to_string).unwrap_or_default(),
            },
            _ => Kind::Opaque { value: block, json: String::new() },
        };
        self.pieces.push(Piece { index, whole: false, kind });
        shown(text)
    }

    fn more(&mut self, index: u64, delta: More) -> Vec<Delta> {
        let Some(piece) = self.pieces.iter_mut().rev().find(|piece| piece.index == index && !piece.whole) else {
            return Vec::new();
        };
        match (&mut piece.kind, delta) {
            (Kind::Text(text), More::TextDelta { text: more }) => {
                text.push_str(&more);
                return shown(more);
            }
            (Kind::Call { json, .. } | Kind::Opaque { json, .. }, More::InputJsonDelta { partial_json }) => {
                json.push_str(&partial_json);
            }
            (Kind::Opaque { value, .. }, More::ThinkingDelta { thinking }) => append(value, "thinking", &thinking),
            (Kind::Opaque { value, .. }, More::SignatureDelta { signature }) => append(value, "signature", &signature),
            (Kind::Text(_) | Kind::Call { .. } | Kind::Opaque { .. }, _) => {}
        }
        Vec::new()
    }

    fn count(&mut self, tokens: &Tokens) {
        let usage = &mut self.usage;
        for (count, new) in [
            (&mut usage.input_tokens, &tokens.input_tokens),
            (&mut usage.output_tokens, &tokens.output_tokens),
            (&mut usage.cache_creation_input_tokens, &tokens.cache_creation_input_tokens),
            (&mut usage.cache_read_input_tokens, &tokens.cache_read_input_tokens),
        ] {
            *count = new.as_u64().unwrap_or(*count);
        }
    }

    /// Whether a call has neither its end nor an input that shows it to be whole. Where the answer says
    /// that it was broken off, no call of it runs, and that is no fault of the stream.
    fn half(&self) -> bool {
        let broken_off = matches!(self.stop, Some(Stop::MaxTokens | Stop::ContextFull | Stop::Refusal));
        let half = |piece: &Piece| !piece.whole && matches!(&piece.kind, Kind::Call { json, .. } if !closed(json));
        !broken_off && self.pieces.iter().any(half)
    }

    fn reply(&mut self) -> Reply {
        let blocks: Vec<_> = std::mem::take(&mut self.pieces)
            .into_iter()
            .filter_map(|piece| match piece.kind {
                Kind::Text(text) => (!text.is_empty()).then_some(Block::Text { text }),
                Kind::Call { id, name, json } => self.ids.call(id.as_deref(), name, input(&json)),
                Kind::Opaque { value, json } => opaque(value, &json, &self.own),
            })
            .collect();
        let calls = blocks.iter().any(|block| matches!(block, Block::ToolUse { .. }));
        let stop = self.stop.unwrap_or(if calls { Stop::ToolUse } else { Stop::EndTurn });
        Reply { blocks, stop, usage: self.usage }
    }
}

impl Assembly for Answer {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, ModelError> {
        match serde_json::from_str(&event.data).or_else(|error| strange(&event.data, &error))? {
            // The message that was begun has not ended: a gateway asked once more behind our back.
            Said::MessageStart { .. } if !self.pieces.is_empty() => return Err(ModelError::Cut),
            Said::MessageStart { message } => self.count(&message.usage.unwrap_or_default()),
            Said::ContentBlockStart { index, content_block } => return Ok(self.started(index, content_block)),
            Said::ContentBlockDelta { index, delta } => return Ok(self.more(index, delta)),
            Said::ContentBlockStop { index } => {
                self.pieces.iter_mut().filter(|piece| piece.index == index).for_each(|piece| piece.whole = true);
            }
            Said::MessageDelta { delta, usage } => {
                self.count(&usage.unwrap_or_default());
                self.stop = delta.stop_reason.as_deref().map(stop).or(self.stop);
            }
            Said::MessageStop if self.half() => return Err(ModelError::Cut),
            Said::MessageStop => return Ok(vec![Delta::Done(self.reply())]),
            Said::Error { error } => return Err(wrong(error)),
            Said::Unknown => {}
        }
        Ok(Vec::new())
    }

    fn end(&mut self) -> Result<Reply, ModelError> {
        if self.stop.is_some() && self.pieces.iter().all(|piece| piece.whole) {
            Ok(self.reply())
        } else {
            Err(ModelError::Cut)
        }
    }
}

/// An event that the provider itself would not send, but that gateways in front of it do: the end
/// mark of another protocol, an error without its type.
fn strange(data: &str, error: &serde_json::Error) -> Result<Said, ModelError> {
    let malformed = || ModelError::Malformed { message: error.to_string() };
    if data.trim() == "[DONE]" {
        return Ok(Said::Unknown);
    }
    let mut value: Value = serde_json::from_str(data).map_err(|_| malformed())?;
    if value.get("type").is_some() {
        return Err(malformed());
    }
    let error = value.get_mut("error").map(Value::take).map(serde_json::from_value);
    Ok(error.and_then(Result::ok).map_or(Said::Unknown, |error| Said::Error { error }))
}

fn nothing(input: &Value) -> bool {
    input.is_null() || input.as_object().is_some_and(serde_json::Map::is_empty)
}

fn shown(text: String) -> Vec<Delta> {
    if text.is_empty() { Vec::new() } else { vec![Delta::Text(text)] }
}

fn append(value: &mut Value, field: &str, more: &str) {
    match value.get_mut(field) {
        Some(Value::String(text)) => text.push_str(more),
        Some(_) | None => {
            if let Some(object) = value.as_object_mut() {
                object.insert(field.to_owned(), Value::String(more.to_owned()));
            }
        }
    }
}

/// A block to be sent back. Thinking that was cut has no signature, and would be refused.
fn opaque(mut value: Value, json: &str, own: &str) -> Option<Block> {
    let unsigned = || value.get("signature").and_then(Value::as_str).is_none_or(str::is_empty);
    if value.get("type").and_then(Value::as_str) == Some("thinking") && unsigned() {
        return None;
    }
    if !json.is_empty()
        && let Some(object) = value.as_object_mut()
    {
        object.insert("input".to_owned(), input(json));
    }
    Some(Block::Opaque { provider: own.to_owned(), value })
}

fn stop(reason: &str) -> Stop {
    match reason {
        "tool_use" => Stop::ToolUse,
        "max_tokens" => Stop::MaxTokens,
        "pause_turn" => Stop::Paused,
        "refusal" => Stop::Refusal,
        "model_context_window_exceeded" => Stop::ContextFull,
        // `end_turn`, `stop_sequence`, and reasons that are not known yet.
        _ => Stop::EndTurn,
    }
}

/// An error inside a stream, as the same one outside of it.
fn wrong(Wrong { kind, message }: Wrong) -> ModelError {
    let status = match kind.as_str() {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        // `api_error`, and errors that are not known yet.
        _ => 500,
    };
    match sort(&message) {
        Sort::ContextFull => ModelError::ContextFull { message },
        Sort::Final => ModelError::Provider { status, message, retryable: false },
        Sort::Plain => ModelError::provider(status, message),
    }
}
