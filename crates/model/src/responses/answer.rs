//! A streamed answer of the Responses API, put together.
//!
//! An item counts when it is done: then it comes whole, whatever its pieces were. The pieces of
//! text are only shown. The number of an event in its sequence is not looked at.

use std::collections::BTreeMap;

use planwright_core::reply::{Delta, Reply, Stop, Usage};
use planwright_core::request::{Block, Request};
use serde_json::{Value, json};

use crate::conversation::{Ids, Names, input};
use crate::sse::Event;
use crate::wire::{Address, Assembly};
use crate::{ModelError, failure};

/// An answer as far as it has come.
#[derive(Debug)]
pub struct Answer {
    names: Names,
    ids: Ids,
    model: String,
    /// Whole items, by their place.
    items: BTreeMap<u64, Value>,
}

impl Answer {
    /// The answer to a request.
    pub fn new(request: &Request, address: &Address) -> Self {
        Self {
            names: Names::of(&request.tools),
            ids: Ids::of(request),
            model: address.id.clone(),
            items: BTreeMap::new(),
        }
    }

    /// The whole answer, from the response that ends it.
    fn whole(&mut self, response: &Value) -> Reply {
        // Some servers leave out what they have sent, others send it only here, or count its places anew.
        for (place, item) in (0..).zip(response["output"].as_array().into_iter().flatten()) {
            if !self.items.values().any(|sent| sent == item) {
                self.items.entry(place).or_insert_with(|| item.clone());
            }
        }
        let mut content = Content::default();
        for item in std::mem::take(&mut self.items).into_values() {
            self.item(&mut content, item);
        }
        let incomplete = response["incomplete_details"]["reason"].as_str();
        let stop = match incomplete {
            Some("content_filter") => Stop::Refusal,
            _ if content.refused => Stop::Refusal,
            Some(_) => Stop::MaxTokens,
            None if response["status"] == "incomplete" => Stop::MaxTokens,
            None if content.calls => Stop::ToolUse,
            None => Stop::EndTurn,
        };
        if stop == Stop::Refusal {
            content.blocks.retain(|block| !matches!(block, Block::ToolUse { .. }));
        }
        Reply { blocks: content.blocks, stop, usage: usage(&response["usage"]) }
    }

    /// Adds a whole item to the answer.
    fn item(&mut self, content: &mut Content, item: Value) {
        match item["type"].as_str() {
            Some("message") => {
                if !item["phase"].is_null() {
                    let value = json!({ "type": "message", "phase": item["phase"] });
                    content.blocks.push(Block::Opaque { provider: self.model.clone(), value });
                }
                let parts = item["content"].as_array().into_iter().flatten();
                let mut text = String::new();
                for part in parts {
                    content.refused |= part["type"] == "refusal";
                    text += part["text"].as_str().or_else(|| part["refusal"].as_str()).unwrap_or_default();
                }
                if !text.is_empty() {
                    content.blocks.push(Block::Text { text });
                }
            }
            // One that was cut at the output limit is not whole.
            Some("function_call") if item["status"] == "incomplete" => {}
            Some("function_call") => {
                let name = self.names.ours(item["name"].as_str().unwrap_or_default());
                let input = match &item["arguments"] {
                    Value::String(text) => input(text),
                    whole => input(&whole.to_string()),
                };
                content.blocks.extend(self.ids.call(item["call_id"].as_str(), name, input));
                content.calls = true;
            }
            Some("reasoning") => {
                content.blocks.push(Block::Opaque { provider: self.model.clone(), value: item });
            }
            // Tools that run at OpenAI; none is offered.
            Some(_) | None => {}
        }
    }
}

/// What the items of an answer come to.
#[derive(Default)]
struct Content {
    blocks: Vec<Block>,
    calls: bool,
    refused: bool,
}

impl Assembly for Answer {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, ModelError> {
        let data = event.data.trim();
        if data.is_empty() || data == "[DONE]" {
            return Ok(Vec::new());
        }
        let event: Value = serde_json::from_str(data)
            .map_err(|error| ModelError::Malformed { message: format!("an event that is no JSON ({error})") })?;
        Ok(match event["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" | "response.refusal.delta" => {
                let text = event["delta"].as_str().filter(|text| !text.is_empty());
                text.map(|text| Delta::Text(text.to_owned())).into_iter().collect()
            }
            "response.output_item.done" => {
                let next = self.items.last_key_value().map_or(0, |(last, _)| last + 1);
                let place = event["output_index"].as_u64().unwrap_or(next);
                self.items.insert(place, event["item"].clone());
                Vec::new()
            }
            // Whatever the event is called: what failed is no answer.
            kind if kind == "response.failed" || event["response"]["status"] == "failed" => {
                return Err(failure::streamed(&event["response"]["error"]));
            }
            "response.completed" | "response.incomplete" => vec![Delta::Done(self.whole(&event["response"]))],
            "error" if event["error"].is_object() => return Err(failure::streamed(&event["error"])),
            "error" => return Err(failure::streamed(&event)),
            _ if event["error"].is_object() && event["type"].is_null() => {
                return Err(failure::streamed(&event["error"]));
            }
            _ => Vec::new(),
        })
    }

    fn end(&mut self) -> Result<Reply, ModelError> {
        Err(ModelError::Cut)
    }
}

/// What an answer cost. The input's tokens hold those of the cache.
fn usage(usage: &Value) -> Usage {
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let read = count(&usage["input_tokens_details"]["cached_tokens"]);
    Usage {
        input_tokens: count(&usage["input_tokens"]).saturating_sub(read),
        output_tokens: count(&usage["output_tokens"]),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: read,
    }
}
