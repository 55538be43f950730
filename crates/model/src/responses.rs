//! OpenAI's Responses API.
//!
//! Nothing is kept at OpenAI (`store: false`): what a model thought comes encrypted, is kept as an
//! opaque block, and goes back in its place between the calls and messages it belongs to.

use planwright_core::prompts;
use planwright_core::request::{Request, ToolSpec};
use serde_json::{Value, json};

use crate::capability::Thinking;
use crate::conversation::{Part, Rules, Turn, turns, wire_name};
use crate::failure;
use crate::schema::{Subset, converted};
use crate::wire::{Address, Assembly, Credential, Failure, Outgoing, Refused, Wire};

mod answer;

use answer::Answer;

/// The Responses API for one model.
#[derive(Debug)]
pub struct Responses {
    address: Address,
}

impl Responses {
    /// For the model at the address.
    pub const fn new(address: Address) -> Self {
        Self { address }
    }

    fn body(&self, request: &Request) -> Value {
        let capability = &self.address.capability;
        let mut body = json!({
            "model": self.address.name,
            "stream": true,
            "store": false,
            "max_output_tokens": capability.abilities.output_tokens,
            "prompt_cache_key": request.session_id,
        });
        // A model that does not think refuses both fields.
        if let Thinking::Level(effort) = capability.thinking {
            body["reasoning"] = json!({ "effort": effort });
            body["include"] = json!(["reasoning.encrypted_content"]);
        }
        body["instructions"] = json!(*request.system);
        if !request.tools.is_empty() {
            body["tools"] = request.tools.iter().map(offered).collect();
        }
        let mut input = Vec::new();
        for turn in turns(request, Rules { own: &self.address.id, goes_on: |_| false }) {
            match turn {
                Turn::User { results, texts } => {
                    input.extend(results.iter().map(|result| {
                        let output = prompts::result_shown(result.content, result.is_error);
                        json!({ "type": "function_call_output", "call_id": result.id, "output": output })
                    }));
                    if !texts.is_empty() {
                        let content: Vec<_> =
                            texts.iter().map(|text| json!({ "type": "input_text", "text": text })).collect();
                        input.push(json!({ "type": "message", "role": "user", "content": content }));
                    }
                }
                Turn::Assistant(parts) => said(&mut input, &parts),
            }
        }
        body["input"] = input.into();
        body
    }
}

fn offered(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": wire_name(&tool.name),
        "description": tool.description,
        "parameters": converted(&tool.input_schema, Subset::JsonSchema),
        // The default is strict, which makes every optional field required.
        "strict": false,
    })
}

/// The items of one answer. What was thought counts only before what came of it: OpenAI refuses a
/// reasoning item that nothing follows.
fn said(input: &mut Vec<Value>, parts: &[Part<'_>]) {
    let end = parts.iter().rposition(|part| !matches!(part, Part::Opaque(_))).map_or(0, |last| last + 1);
    let mut phase = None;
    for part in &parts[..end] {
        match part {
            Part::Opaque(item) if item["type"] == "message" => phase = Some(&item["phase"]),
            Part::Opaque(item) => input.push((*item).clone()),
            Part::Text(text) => {
                let content = json!([{ "type": "output_text", "text": text }]);
                let mut message = json!({ "type": "message", "role": "assistant", "content": content });
                if let Some(phase) = phase.take() {
                    message["phase"] = phase.clone();
                }
                input.push(message);
            }
            Part::Call { id, name, input: arguments } => {
                let arguments = arguments.to_string();
                input.push(json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments }));
            }
        }
    }
}

impl Wire for Responses {
    fn address(&self) -> &Address {
        &self.address
    }

    fn credential(&self) -> Credential {
        Credential::Bearer
    }

    fn outgoing(&self, request: &Request) -> Outgoing {
        let url = format!("{}/responses", self.address.base_url);
        Outgoing { url, headers: Vec::new(), body: self.body(request).to_string() }
    }

    fn assembly(&self, request: &Request) -> Box<dyn Assembly> {
        Box::new(Answer::new(request, &self.address))
    }

    fn refused(&self, refused: &Refused<'_>) -> Failure {
        failure::refused(refused)
    }
}
