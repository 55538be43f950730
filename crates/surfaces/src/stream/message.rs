//! What is written, line by line: the shapes that agent clients read (interfaces.md section 4).

use planwright_core::mode::Mode;
use planwright_core::reply::{Again, Stop, Usage};
use planwright_core::request::Block;
use planwright_core::transcript::Trigger;
use serde_json::{Value, json};

use crate::run::stop_reason;

/// A whole answer of the model, in the shape of Anthropic's API.
pub(super) fn assistant(id: &str, model: &str, blocks: &[Block], stop: Stop, usage: Usage) -> Value {
    json!({
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks.iter().filter_map(block).collect::<Vec<_>>(),
        "stop_reason": stop_reason(stop),
        "stop_sequence": null,
        "usage": usage,
    })
}

/// A block as clients know it. What only its provider understands is left out, but for thinking.
fn block(block: &Block) -> Option<Value> {
    match block {
        Block::Text { text } => Some(json!({"type": "text", "text": text})),
        Block::ToolUse { id, name, input } => Some(json!({"type": "tool_use", "id": id, "name": name, "input": input})),
        Block::Opaque { provider: _, value } => {
            let kind = value.get("type").and_then(Value::as_str);
            let whole = kind == Some("redacted_thinking") || value.get("signature").is_some();
            (whole && kind.is_some_and(|kind| kind.ends_with("thinking"))).then(|| value.clone())
        }
    }
}

/// What a call came to.
pub(super) fn tool_result(id: &str, content: &str, is_error: bool, parent: Option<&String>) -> Value {
    let result = json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
    json!({"type": "user", "message": {"role": "user", "content": [result]}, "parent_tool_use_id": parent})
}

/// A call was refused.
pub(super) fn denied(agent: Option<&String>, id: &str, tool: &str, by: &str, message: &str) -> Value {
    json!({
        "type": "system",
        "subtype": "permission_denied",
        "tool_name": tool,
        "tool_use_id": id,
        "agent_id": agent,
        "decision_reason": by,
        "message": message,
    })
}

/// The conversation was replaced by a summary.
pub(super) fn compacted(trigger: Trigger, tokens_before: u64, tokens_after: u64) -> Value {
    let metadata = json!({"trigger": trigger.name(), "pre_tokens": tokens_before, "post_tokens": tokens_after});
    json!({"type": "system", "subtype": "compact_boundary", "compact_metadata": metadata})
}

/// The mode changed.
pub(super) fn status(mode: Mode) -> Value {
    json!({"type": "system", "subtype": "status", "status": null, "permissionMode": mode})
}

/// A request is put again.
pub(super) fn api_retry(again: &Again) -> Value {
    json!({
        "type": "system",
        "subtype": "api_retry",
        "attempt": again.attempt.saturating_sub(1),
        "max_retries": again.of.saturating_sub(1),
        "retry_delay_ms": again.after_ms,
        "error_status": null,
        "error": "unknown",
        "message": again.cause,
    })
}

/// An answer as it arrives, in the shape of Anthropic's events.
#[derive(Debug, Default)]
pub(super) struct Partial {
    /// The message that has begun: its id.
    begun: Option<String>,
}

impl Partial {
    /// The id of the message that has begun.
    pub fn id(&self) -> Option<&str> {
        self.begun.as_deref()
    }

    /// Drops what has begun: it is void.
    pub fn void(&mut self) {
        self.begun = None;
    }

    /// A piece of text.
    pub fn text(&mut self, text: &str, model: &str, new_id: impl FnOnce() -> String) -> Vec<Value> {
        let mut events = Vec::new();
        if self.begun.is_none() {
            let id = new_id();
            events.extend([message_start(&id, model), block_start(0, &json!({"type": "text", "text": ""}))]);
            self.begun = Some(id);
        }
        events.push(block_delta(0, &json!({"type": "text_delta", "text": text})));
        events
    }

    /// The rest of the events of a whole answer.
    pub fn rest(&mut self, id: &str, model: &str, blocks: &[Block], stop: Stop, usage: Usage) -> Vec<Value> {
        let shown: Vec<_> = blocks.iter().filter_map(block).collect();
        // Text that came by pieces is there already.
        let streamed = self.begun.take().is_some();
        let mut events = vec![if streamed { block_stop(0) } else { message_start(id, model) }];
        let mut index = usize::from(streamed);
        for block in shown.iter().filter(|block| !streamed || block["type"] != "text") {
            let (empty, delta) = match block["type"].as_str() {
                Some("tool_use") => (
                    json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}}),
                    json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}),
                ),
                Some("text") => {
                    (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": block["text"]}))
                }
                Some(_) | None => continue,
            };
            events.extend([block_start(index, &empty), block_delta(index, &delta), block_stop(index)]);
            index += 1;
        }
        events.push(json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason(stop), "stop_sequence": null},
            "usage": usage,
        }));
        events.push(json!({"type": "message_stop"}));
        events
    }
}

fn message_start(id: &str, model: &str) -> Value {
    let message = json!({
        "id": id, "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": Usage::default(),
    });
    json!({"type": "message_start", "message": message})
}

fn block_start(index: usize, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn block_delta(index: usize, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn block_stop(index: usize) -> Value {
    json!({"type": "content_block_stop", "index": index})
}
