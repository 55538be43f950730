//! The calls of one streamed answer, put together from their pieces.
//!
//! OpenAI names a call once and goes on with it by its index. Others put every call at index 0
//! (Ollama), leave the index or the id out, repeat the name (llama.cpp), or send the arguments
//! whole, as text or as an object.

use serde_json::Value;

/// A call as far as it has come.
#[derive(Debug, Default)]
pub struct PartCall {
    slot: u64,
    /// The server's id, if it gave one.
    pub id: Option<String>,
    /// The tool's name on the wire.
    pub name: String,
    /// The input, as text.
    pub arguments: String,
}

/// Takes one element of `delta.tool_calls`.
pub fn take(calls: &mut Vec<PartCall>, piece: &Value) {
    let slot = piece["index"].as_u64().unwrap_or(0);
    let id = piece["id"].as_str().filter(|id| !id.is_empty());
    let function = &piece["function"];
    let name = function["name"].as_str().filter(|name| !name.is_empty());
    let arguments = match &function["arguments"] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        whole => whole.to_string(),
    };
    let open =
        calls.iter_mut().rev().find(|call| call.slot == slot).filter(|call| !call.ended_by(id, name, &arguments));
    let call = match open {
        Some(call) => call,
        None => {
            calls.push(PartCall { slot, ..PartCall::default() });
            calls.last_mut().expect("one was pushed")
        }
    };
    if call.id.is_none() {
        call.id = id.map(str::to_owned);
    }
    if call.name.is_empty() {
        call.name = name.unwrap_or_default().to_owned();
    }
    call.arguments += &arguments;
}

impl PartCall {
    /// Whether a piece at the same index begins another call: by its id, or, where ids are missing,
    /// by a name that does not merely repeat this call's.
    fn ended_by(&self, id: Option<&str>, name: Option<&str>, arguments: &str) -> bool {
        match (self.id.as_deref(), id) {
            (Some(own), Some(other)) => own != other,
            (Some(_), None) | (None, Some(_) | None) => match name {
                None => false,
                Some(_) if self.name.is_empty() => false,
                Some(name) if name != self.name => true,
                Some(_) => {
                    arguments.trim_start().starts_with('{') && serde_json::from_str::<Value>(&self.arguments).is_ok()
                }
            },
        }
    }
}
