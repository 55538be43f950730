//! A streamed answer of chat completions, put together.

use planwright_core::reply::{Delta, Reply, Stop, Usage};
use planwright_core::request::{Block, Request};
use serde_json::{Map, Value, json};

use super::REASONING;
use super::calls::{self, PartCall};
use crate::conversation::{Ids, Names, closed, input};
use crate::dialect::Dialect;
use crate::sse::Event;
use crate::wire::{Address, Assembly};
use crate::{ModelError, failure};

/// An answer as far as it has come.
#[derive(Debug)]
pub struct Answer {
    names: Names,
    ids: Ids,
    model: String,
    returns_reasoning: bool,
    details_return: bool,
    warning: Option<String>,
    text: String,
    refused: bool,
    reasoning: String,
    details: Vec<Value>,
    calls: Vec<PartCall>,
    finish: Option<String>,
    usage: Usage,
}

impl Answer {
    /// The answer to a request, of which the user is warned.
    pub fn new(request: &Request, address: &Address, dialect: &Dialect, warning: Option<String>) -> Self {
        Self {
            names: Names::of(&request.tools),
            ids: Ids::of(request),
            model: address.id.clone(),
            returns_reasoning: address.capability.returns_reasoning,
            details_return: dialect.details,
            warning,
            text: String::new(),
            refused: false,
            reasoning: String::new(),
            details: Vec::new(),
            calls: Vec::new(),
            finish: None,
            usage: Usage::default(),
        }
    }

    /// Takes one chunk; yields what it adds for the user to read.
    fn chunk(&mut self, chunk: &Value) -> Result<String, ModelError> {
        let choice = &chunk["choices"][0];
        if let Some(error) = [&chunk["error"], &choice["error"]].into_iter().find(|error| !error.is_null()) {
            return Err(failure::streamed(error));
        }
        if chunk["usage"].is_object() {
            self.usage = usage(&chunk["usage"]);
        }
        if let Some(finish) = choice["finish_reason"].as_str().filter(|finish| !finish.is_empty()) {
            self.finish = Some(finish.to_owned());
        }
        // A server that does not stream sends the whole `message`.
        let delta = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
        self.reason(delta);
        delta["tool_calls"].as_array().into_iter().flatten().for_each(|piece| calls::take(&mut self.calls, piece));
        let mut more = text(&delta["content"]);
        if let Some(refusal) = delta["refusal"].as_str().filter(|refusal| !refusal.is_empty()) {
            self.refused = true;
            more += refusal;
        }
        self.text += &more;
        Ok(more)
    }

    /// vLLM and OpenRouter say `reasoning`, DeepSeek and llama.cpp `reasoning_content`.
    fn reason(&mut self, delta: &Value) {
        let text = delta["reasoning_content"].as_str().or_else(|| delta["reasoning"].as_str());
        self.reasoning += text.unwrap_or_default();
        delta["reasoning_details"].as_array().into_iter().flatten().for_each(|detail| self.detail(detail));
    }

    /// Pieces of one detail go together; whatever is not text of it stays as it came.
    fn detail(&mut self, detail: &Value) {
        let same = |last: &&mut Value| last["type"] == detail["type"] && last["index"] == detail["index"];
        let Some(last) = self.details.last_mut().filter(same).filter(|last| last["type"] != "reasoning.encrypted")
        else {
            return self.details.push(detail.clone());
        };
        for (field, value) in detail.as_object().into_iter().flatten() {
            match (field.as_str(), value) {
                (_, Value::Null) => {}
                ("text" | "summary", Value::String(more)) => {
                    let before = last[field].as_str().unwrap_or_default();
                    last[field] = json!(format!("{before}{more}"));
                }
                _ => last[field] = value.clone(),
            }
        }
    }

    /// The whole answer. Calls are what counts, not the reason to finish: Ollama says `stop` beside
    /// calls. An answer that was refused asks for nothing.
    fn whole(&mut self) -> Result<Reply, ModelError> {
        let stop = match self.finish.as_deref() {
            // An end mark without a reason to end may have been set by a gateway, in the middle of a call.
            None if self.calls.iter().any(|call| !closed(&call.arguments)) => return Err(ModelError::Cut),
            Some("error") => return Err(ModelError::provider(502, "the answer broke off with an error")),
            // DeepSeek has no room for it now.
            Some(overloaded @ "insufficient_system_resource") => return Err(ModelError::provider(503, overloaded)),
            Some("content_filter") => Stop::Refusal,
            _ if self.refused => Stop::Refusal,
            Some("length") => Stop::MaxTokens,
            _ if self.calls.is_empty() => Stop::EndTurn,
            _ => Stop::ToolUse,
        };
        let mut blocks = Vec::new();
        blocks.extend(self.opaque().map(|value| Block::Opaque { provider: self.model.clone(), value }));
        if !self.text.is_empty() {
            blocks.push(Block::Text { text: std::mem::take(&mut self.text) });
        }
        if stop != Stop::Refusal {
            for call in std::mem::take(&mut self.calls) {
                let name = self.names.ours(&call.name);
                blocks.extend(self.ids.call(call.id.as_deref(), name, input(&call.arguments)));
            }
        }
        Ok(Reply { blocks, stop, usage: self.usage })
    }

    /// What goes back to the model unread, if anything does.
    fn opaque(&mut self) -> Option<Value> {
        let (field, value) = if self.details_return && !self.details.is_empty() {
            ("reasoning_details", std::mem::take(&mut self.details).into())
        } else if self.reasoning.is_empty() {
            return None;
        } else if self.returns_reasoning {
            (REASONING, json!(self.reasoning))
        } else if self.details_return {
            ("reasoning", json!(self.reasoning))
        } else {
            return None;
        };
        Some(Value::Object(Map::from_iter([(field.to_owned(), value)])))
    }
}

impl Assembly for Answer {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, ModelError> {
        let data = event.data.trim();
        let mut deltas: Vec<_> = self.warning.take().map(Delta::Waiting).into_iter().collect();
        if data == "[DONE]" {
            deltas.push(Delta::Done(self.whole()?));
        } else if !data.is_empty() {
            let chunk = serde_json::from_str(data)
                .map_err(|error| ModelError::Malformed { message: format!("a chunk that is no JSON ({error})") })?;
            deltas.extend(Some(self.chunk(&chunk)?).filter(|text| !text.is_empty()).map(Delta::Text));
        }
        Ok(deltas)
    }

    fn end(&mut self) -> Result<Reply, ModelError> {
        if self.finish.is_some() { self.whole() } else { Err(ModelError::Cut) }
    }
}

/// The text of a message, which some servers send in parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

/// What an answer cost. The prompt's tokens hold those of the cache.
fn usage(usage: &Value) -> Usage {
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let details = &usage["prompt_tokens_details"];
    let read = count(&details["cached_tokens"]).max(count(&usage["prompt_cache_hit_tokens"]));
    let written = count(&details["cache_write_tokens"]);
    Usage {
        input_tokens: count(&usage["prompt_tokens"]).saturating_sub(read).saturating_sub(written),
        output_tokens: count(&usage["completion_tokens"]),
        cache_creation_input_tokens: written,
        cache_read_input_tokens: read,
    }
}
