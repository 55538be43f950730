//! Gemini's `generateContent`.
//!
//! A part of an answer may carry a signature of what was thought, which must go back on the same
//! part. So an opaque block stands right before the call or text it belongs to and holds the rest of
//! that part: all but the text or the call's arguments, which the block itself has. `parts` puts
//! the two together again. A part without words stands whole in an opaque block.
//!
//! A conversation that another model began has calls without signatures; the model is told so by
//! the value that Google documents for that.

use planwright_core::request::{Request, ToolSpec};
use serde_json::{Value, json};

use crate::capability::Thinking;
use crate::conversation::{CallResult, Part, Rules, Turn, turns, wire_name};
use crate::failure;
use crate::schema::{Subset, converted};
use crate::wire::{Address, Assembly, Credential, Failure, Outgoing, Refused, Wire};

mod answer;

use answer::Answer;

/// Stands for the signature of a call that another model made.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// `generateContent` for one model.
#[derive(Debug)]
pub struct Gemini {
    address: Address,
}

impl Gemini {
    /// For the model at the address.
    pub const fn new(address: Address) -> Self {
        Self { address }
    }

    /// Models that are given a level of thinking (Gemini 3 and later) refuse calls without
    /// signatures.
    const fn demands_signatures(&self) -> bool {
        matches!(self.address.capability.thinking, Thinking::Level(_))
    }

    fn body(&self, request: &Request) -> Value {
        let capability = &self.address.capability;
        let mut body = json!({ "systemInstruction": { "parts": [{ "text": *request.system }] } });
        if !request.tools.is_empty() {
            let offered: Vec<_> = request.tools.iter().map(offered).collect();
            body["tools"] = json!([{ "functionDeclarations": offered }]);
        }
        body["generationConfig"] = json!({ "maxOutputTokens": capability.abilities.output_tokens });
        match capability.thinking {
            Thinking::Untold | Thinking::Adaptive => {}
            Thinking::Budget(tokens) => {
                body["generationConfig"]["thinkingConfig"] = json!({ "thinkingBudget": tokens });
            }
            Thinking::Level(level) => body["generationConfig"]["thinkingConfig"] = json!({ "thinkingLevel": level }),
        }
        let mut contents = Vec::new();
        for turn in turns(request, Rules { own: &self.address.id, goes_on: |_| false }) {
            match turn {
                // The answers of calls are a content of their own, with as many parts as calls.
                Turn::User { results, texts } => {
                    let results: Vec<_> = results.iter().map(answered).collect();
                    let texts: Vec<_> = texts.iter().map(|text| json!({ "text": text })).collect();
                    let both = [results, texts].into_iter().filter(|parts| !parts.is_empty());
                    contents.extend(both.map(|parts| json!({ "role": "user", "parts": parts })));
                }
                Turn::Assistant(said) => {
                    let parts = parts(&said, self.demands_signatures());
                    if !parts.is_empty() {
                        contents.push(json!({ "role": "model", "parts": parts }));
                    }
                }
            }
        }
        body["contents"] = contents.into();
        body
    }
}

fn offered(tool: &ToolSpec) -> Value {
    let parameters = converted(&tool.input_schema, Subset::OpenApi);
    let mut offered = json!({ "name": wire_name(&tool.name), "description": tool.description });
    // An object without properties is refused.
    if parameters["properties"].as_object().is_some_and(|properties| !properties.is_empty()) {
        offered["parameters"] = parameters;
    }
    offered
}

fn answered(result: &CallResult<'_>) -> Value {
    let field = if result.is_error { "error" } else { "output" };
    json!({ "functionResponse": { "id": result.id, "name": result.name, "response": { field: result.content } } })
}

/// What the model said, each part with what came on it.
fn parts(said: &[Part<'_>], demands_signatures: bool) -> Vec<Value> {
    let mut parts = Vec::with_capacity(said.len());
    let mut kept: Option<&Value> = None;
    let mut unsigned = demands_signatures;
    for part in said {
        match part {
            Part::Opaque(whole) if whole["text"].is_string() => parts.push((*whole).clone()),
            Part::Opaque(rest) => kept = Some(rest),
            Part::Text(text) => {
                let rest = kept.take().filter(|rest| rest["functionCall"].is_null());
                parts.push(with(rest, "text", json!(text)));
            }
            Part::Call { id, name, input } => {
                let rest = kept.take().filter(|rest| rest["functionCall"].is_object());
                let mut part = with(rest, "functionCall", json!({ "id": id, "name": name, "args": input }));
                // Of calls side by side only the first is signed.
                if std::mem::take(&mut unsigned) && part["thoughtSignature"].is_null() {
                    part["thoughtSignature"] = json!(NO_SIGNATURE);
                }
                parts.push(part);
            }
        }
    }
    parts
}

/// A part, of what the block says and what else came on it.
fn with(rest: Option<&Value>, field: &str, value: Value) -> Value {
    let mut part = rest.cloned().unwrap_or_else(|| json!({}));
    part[field] = value;
    part
}

impl Wire for Gemini {
    fn address(&self) -> &Address {
        &self.address
    }

    fn credential(&self) -> Credential {
        Credential::Header("x-goog-api-key")
    }

    fn outgoing(&self, request: &Request) -> Outgoing {
        let Address { base_url, name, .. } = &self.address;
        let url = format!("{base_url}/v1beta/models/{name}:streamGenerateContent?alt=sse");
        Outgoing { url, headers: Vec::new(), body: self.body(request).to_string() }
    }

    fn assembly(&self, request: &Request) -> Box<dyn Assembly> {
        Box::new(Answer::new(request, &self.address))
    }

    fn refused(&self, refused: &Refused<'_>) -> Failure {
        failure::refused(refused)
    }

    fn count(&self, request: &Request) -> Option<Outgoing> {
        let Address { base_url, name, .. } = &self.address;
        let mut body = self.body(request);
        body["model"] = json!(format!("models/{name}"));
        let body = json!({ "generateContentRequest": body }).to_string();
        Some(Outgoing { url: format!("{base_url}/v1beta/models/{name}:countTokens"), headers: Vec::new(), body })
    }

    fn counted(&self, answer: &Value) -> Option<u64> {
        answer["totalTokens"].as_u64()
    }
}
