//! A streamed answer of Gemini, put together.
//!
//! Arguments come whole, so every call that came is whole. Some versions say why they stopped on
//! every chunk, so an answer is over only when its stream is.

use planwright_core::reply::{Delta, Reply, Stop, Usage};
use planwright_core::request::{Block, Request};
use serde_json::{Value, json};

use crate::conversation::{Ids, Names, wire_name};
use crate::sse::Event;
use crate::wire::{Address, Assembly};
use crate::{ModelError, failure};

/// The name of a call of which not even the name could be read.
const UNREADABLE: &str = "malformed_function_call";

/// An answer as far as it has come.
#[derive(Debug)]
pub struct Answer {
    names: Names,
    ids: Ids,
    /// The tools' names on the wire.
    tools: Vec<String>,
    model: String,
    blocks: Vec<Block>,
    /// The last block is a text that more text belongs to.
    open: bool,
    finish: Option<String>,
    finish_message: String,
    blocked: bool,
    usage: Usage,
}

impl Answer {
    /// The answer to a request.
    pub fn new(request: &Request, address: &Address) -> Self {
        Self {
            names: Names::of(&request.tools),
            ids: Ids::of(request),
            tools: request.tools.iter().map(|tool| wire_name(&tool.name).into_owned()).collect(),
            model: address.id.clone(),
            blocks: Vec::new(),
            open: false,
            finish: None,
            finish_message: String::new(),
            blocked: false,
            usage: Usage::default(),
        }
    }

    /// Takes one chunk; yields what it adds for the user to read.
    fn chunk(&mut self, chunk: &Value) -> Result<String, ModelError> {
        if !chunk["error"].is_null() {
            return Err(failure::streamed(&chunk["error"]));
        }
        if chunk["usageMetadata"].is_object() {
            self.usage = usage(&chunk["usageMetadata"]);
        }
        self.blocked |= !chunk["promptFeedback"]["blockReason"].is_null();
        let candidate = &chunk["candidates"][0];
        if let Some(finish) = candidate["finishReason"].as_str() {
            self.finish = Some(finish.to_owned());
        }
        self.finish_message += candidate["finishMessage"].as_str().unwrap_or_default();
        let mut more = String::new();
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            self.part(part, &mut more);
        }
        Ok(more)
    }

    fn part(&mut self, part: &Value, more: &mut String) {
        let signed = !part["thoughtSignature"].is_null();
        let text = part["text"].as_str();
        if part["functionCall"].is_object() {
            self.call(part, signed);
        } else if part["thought"] == true || text == Some("") {
            // What was thought is not shown, and goes back only if it is signed.
            if signed {
                self.keep(part.clone());
            }
        } else if let Some(text) = text {
            more.push_str(text);
            if signed {
                let mut rest = part.clone();
                rest.as_object_mut().and_then(|rest| rest.shift_remove("text"));
                self.keep(rest);
            }
            match self.blocks.last_mut().filter(|_| self.open) {
                Some(Block::Text { text: before }) => before.push_str(text),
                Some(Block::ToolUse { .. } | Block::Opaque { .. }) | None => {
                    self.blocks.push(Block::Text { text: text.to_owned() });
                }
            }
            self.open = !signed;
        }
    }

    fn call(&mut self, part: &Value, signed: bool) {
        let call = &part["functionCall"];
        let name = self.names.ours(call["name"].as_str().unwrap_or_default());
        let input = if call["args"].is_null() { json!({}) } else { call["args"].clone() };
        let Some(block) = self.ids.call(call["id"].as_str(), name, input) else { return };
        if signed {
            let mut rest = part.clone();
            rest["functionCall"].as_object_mut().and_then(|call| call.shift_remove("args"));
            self.keep(rest);
        }
        self.blocks.push(block);
        self.open = false;
    }

    fn keep(&mut self, value: Value) {
        self.blocks.push(Block::Opaque { provider: self.model.clone(), value });
        self.open = false;
    }

    /// A call that Gemini itself could not read becomes one that no tool takes, so that the model is
    /// told and calls again.
    fn unreadable(&mut self) {
        let said = std::mem::take(&mut self.finish_message);
        let tool =
            self.tools.iter().find(|tool| said.contains(&format!("{tool}(")) || said.contains(&format!("\"{tool}\"")));
        let name = tool.map_or_else(|| UNREADABLE.to_owned(), |tool| self.names.ours(tool));
        self.blocks.extend(self.ids.call(None, name, Value::String(said)));
    }

    /// The whole answer. `STOP` is said beside calls too.
    fn whole(&mut self, finish: &str) -> Reply {
        let stop = match finish {
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
                self.unreadable();
                Stop::ToolUse
            }
            "MAX_TOKENS" => Stop::MaxTokens,
            "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => Stop::Refusal,
            _ if self.blocks.iter().any(|block| matches!(block, Block::ToolUse { .. })) => Stop::ToolUse,
            _ => Stop::EndTurn,
        };
        let mut blocks = std::mem::take(&mut self.blocks);
        if stop == Stop::Refusal {
            blocks.retain(|block| matches!(block, Block::Text { .. }));
        }
        Reply { blocks, stop, usage: self.usage }
    }
}

impl Assembly for Answer {
    fn event(&mut self, event: &Event) -> Result<Vec<Delta>, ModelError> {
        let data = event.data.trim();
        if data.is_empty() {
            return Ok(Vec::new());
        }
        let chunk = serde_json::from_str(data)
            .map_err(|error| ModelError::Malformed { message: format!("a chunk that is no JSON ({error})") })?;
        let more = Some(self.chunk(&chunk)?).filter(|more| !more.is_empty());
        Ok(more.map(Delta::Text).into_iter().collect())
    }

    fn end(&mut self) -> Result<Reply, ModelError> {
        match self.finish.take() {
            Some(finish) => Ok(self.whole(&finish)),
            // The prompt itself was blocked: there is no candidate.
            None if self.blocked => Ok(Reply { blocks: Vec::new(), stop: Stop::Refusal, usage: self.usage }),
            None => Err(ModelError::Cut),
        }
    }
}

/// What an answer cost. The prompt's tokens hold those of the cache; thinking is written too.
fn usage(usage: &Value) -> Usage {
    let count = |field: &str| usage[field].as_u64().unwrap_or(0);
    let read = count("cachedContentTokenCount");
    Usage {
        input_tokens: count("promptTokenCount").saturating_sub(read).saturating_add(count("toolUsePromptTokenCount")),
        output_tokens: count("candidatesTokenCount").saturating_add(count("thoughtsTokenCount")),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: read,
    }
}
