//! OpenAI's chat completions, as OpenAI and the servers that copied it speak them.
//!
//! The body puts what never changes first and the conversation last, so that a growing session
//! repeats all but its newest message. A call printed as text in the answer stays text: it is
//! never run.

use planwright_core::request::{Request, ToolSpec};
use planwright_core::{prompts, say};
use serde_json::{Map, Value, json};

use crate::capability::OutputField;
use crate::conversation::{Part, Rules, Turn, turns, wire_name};
use crate::dialect::Dialect;
use crate::failure;
use crate::schema::{Subset, converted};
use crate::wire::{Address, Assembly, Credential, Failure, Outgoing, Refused, Wire};

mod answer;
mod calls;

use answer::Answer;

/// The field by which DeepSeek and others want back what the model thought.
const REASONING: &str = "reasoning_content";

/// Chat completions for one model.
#[derive(Debug)]
pub struct Chat {
    address: Address,
    dialect: &'static Dialect,
}

impl Chat {
    /// For the model at the address, on a server with this dialect.
    pub const fn new(address: Address, dialect: &'static Dialect) -> Self {
        Self { address, dialect }
    }

    /// The body of a request.
    fn body(&self, request: &Request) -> Value {
        let mut body = json!({
            "model": self.address.name,
            "stream": true,
            "stream_options": { "include_usage": true },
        });
        let capability = &self.address.capability;
        match capability.output_field {
            OutputField::MaxTokens => body["max_tokens"] = json!(capability.abilities.output_tokens),
            OutputField::MaxCompletionTokens => {
                body["max_completion_tokens"] = json!(capability.abilities.output_tokens);
            }
            OutputField::Unsent => {}
        }
        if !request.tools.is_empty() {
            if self.dialect.parallel {
                body["parallel_tool_calls"] = json!(true);
            }
            body["tools"] = request.tools.iter().map(offered).collect();
        }
        let mut messages = vec![json!({ "role": self.dialect.system, "content": *request.system })];
        for turn in turns(request, Rules { own: &self.address.id, goes_on: |_| false }) {
            match turn {
                Turn::User { results, texts } => {
                    messages.extend(results.iter().map(|result| {
                        let content = prompts::result_shown(result.content, result.is_error);
                        json!({ "role": "tool", "tool_call_id": result.id, "content": content })
                    }));
                    if !texts.is_empty() {
                        user(&mut messages, texts.join("\n\n"));
                    }
                }
                Turn::Assistant(parts) => messages.extend(self.said(&parts)),
            }
        }
        body["messages"] = messages.into();
        body
    }

    /// What the model said; nothing if it only thought, as an empty message is refused. The content
    /// is never `null`: templates print that.
    fn said(&self, parts: &[Part<'_>]) -> Option<Value> {
        let (mut content, mut calls, mut reasoning) = (String::new(), Vec::new(), Map::new());
        for part in parts {
            match part {
                Part::Text(text) => content += text,
                Part::Call { id, name, input } => {
                    let function = json!({ "name": name, "arguments": input.to_string() });
                    calls.push(json!({ "id": id, "type": "function", "function": function }));
                }
                Part::Opaque(value) => reasoning.extend(value.as_object().cloned().unwrap_or_default()),
            }
        }
        if content.is_empty() && calls.is_empty() {
            return None;
        }
        let mut message = json!({ "role": "assistant", "content": content });
        if self.address.capability.returns_reasoning && !calls.is_empty() {
            message[REASONING] = reasoning.remove(REASONING).unwrap_or_else(|| json!(""));
        }
        if self.dialect.details {
            reasoning.into_iter().for_each(|(field, value)| message[field.as_str()] = value);
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        Some(message)
    }

    /// What the user should know of this request: said once, with the first one of a conversation.
    fn warning(&self, request: &Request) -> Option<String> {
        let window = self.dialect.silent_window?;
        if request.agent.is_some() || request.messages.len() > 1 {
            return None;
        }
        // About four characters to a token.
        let tokens = u64::try_from(request.as_text().len() / 4).unwrap_or(u64::MAX);
        (tokens > window).then(|| say::silent_window(tokens, window))
    }
}

/// Adds what the user says. Templates of local models refuse two messages of the same role.
fn user(messages: &mut Vec<Value>, text: String) {
    match messages.last_mut().filter(|last| last["role"] == "user") {
        Some(last) => last["content"] = json!(format!("{}\n\n{text}", last["content"].as_str().unwrap_or_default())),
        None => messages.push(json!({ "role": "user", "content": text })),
    }
}

fn offered(tool: &ToolSpec) -> Value {
    let parameters = converted(&tool.input_schema, Subset::JsonSchema);
    let name = wire_name(&tool.name);
    json!({ "type": "function", "function": { "name": name, "description": tool.description, "parameters": parameters } })
}

impl Wire for Chat {
    fn address(&self) -> &Address {
        &self.address
    }

    fn credential(&self) -> Credential {
        Credential::Bearer
    }

    fn outgoing(&self, request: &Request) -> Outgoing {
        let url = format!("{}/chat/completions", self.address.base_url);
        Outgoing { url, headers: Vec::new(), body: self.body(request).to_string() }
    }

    fn assembly(&self, request: &Request) -> Box<dyn Assembly> {
        Box::new(Answer::new(request, &self.address, self.dialect, self.warning(request)))
    }

    fn refused(&self, refused: &Refused<'_>) -> Failure {
        failure::refused(refused)
    }
}
