//! A session that changes its provider: what each wire makes of what the others left.

use std::collections::HashSet;

use planwright_core::request::{Block, Message, Request};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{OTHERS, call, none_wrong, opaque, request, result, said, text_part, user, wire};

/// What a model keeps for itself, with a mark to find it by.
fn secret(provider: &str) -> Value {
    let mark = format!("secret of {provider}");
    match provider {
        "openai" => json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": mark}),
        "gemini" => json!({"functionCall": {"name": "Read"}, "thoughtSignature": mark}),
        "deepseek" => json!({"reasoning_content": mark}),
        "openrouter" => json!({"reasoning_details": [{"type": "reasoning.text", "text": mark}]}),
        _ => json!({"type": "thinking", "thinking": "", "signature": mark}),
    }
}

/// Who returns what its models kept.
const RETURN: [&str; 4] = ["openai", "gemini", "deepseek", "openrouter"];

/// A session in which each provider had its turn.
fn relay() -> Request {
    let others = OTHERS.iter().chain(&[("anthropic", "claude-opus-5-5")]);
    let messages = others.enumerate().flat_map(|(turn, (provider, model))| {
        // An id as this provider makes it: some fit no other.
        let ids = ["call_a", "functions.Read:0", "chatcmpl-tool-0123456789abcdef0123456789abcdef", "a b", "ü"];
        let id = format!("{}{turn}", ids[turn % ids.len()]);
        [
            user("Look."),
            Message::Assistant(vec![
                opaque(&format!("{provider}:{model}"), secret(provider)),
                call(&id, "Read", json!({"file_path": "a"})),
            ]),
            Message::User(vec![result(&id, "…"), text_part("Go on.")]),
        ]
    });
    request(messages.collect())
}

#[test]
fn every_model_gets_its_own_thoughts_and_no_others() {
    let request = relay();
    let mut wrong = Vec::new();
    for (provider, model) in OTHERS {
        let body = wire(provider, model, "http://localhost").outgoing(&request).body;
        for (other, _) in OTHERS.iter().chain(&[("anthropic", "")]) {
            let sent = body.contains(&format!("secret of {other}\""));
            let expected = *other == provider && RETURN.contains(&provider);
            if sent != expected {
                wrong.push(format!("{provider} is sent the secret of {other}: {sent}"));
            }
        }
        wrong.extend(broken(provider, &serde_json::from_str(&body).unwrap()).map(|why| format!("{provider}: {why}")));
    }
    none_wrong(&wrong);
}

/// What a provider would refuse in a body.
fn broken(provider: &str, body: &Value) -> Option<String> {
    match provider {
        "openai" => broken_items(body["input"].as_array().unwrap()),
        "gemini" => broken_contents(body["contents"].as_array().unwrap()),
        _ => broken_messages(body["messages"].as_array().unwrap()),
    }
}

fn fits(text: &Value, chars: usize) -> bool {
    let text = text.as_str().unwrap_or_default();
    (1..=chars).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

fn broken_messages(messages: &[Value]) -> Option<String> {
    let mut waiting: Vec<&Value> = Vec::new();
    let mut last = &Value::Null;
    for message in &messages[1..] {
        let role = &message["role"];
        if role == "tool" {
            if waiting.is_empty() || waiting.remove(0) != &message["tool_call_id"] {
                return Some(format!("a result without its call: {message}"));
            }
        } else if !waiting.is_empty() || (role == last && role != "tool") {
            return Some(format!("out of turn: {message}"));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            let object = serde_json::from_str::<Value>(arguments).is_ok_and(|arguments| arguments.is_object());
            if !fits(&call["id"], 40) || !fits(&call["function"]["name"], 64) || !object {
                return Some(format!("the call {call}"));
            }
            waiting.push(&call["id"]);
        }
        if !message["content"].is_string() {
            return Some(format!("no text in {message}"));
        }
        last = role;
    }
    (last == "assistant" || !waiting.is_empty()).then(|| "the last word is not the user's".to_owned())
}

fn broken_items(items: &[Value]) -> Option<String> {
    let mut open = HashSet::new();
    let mut thought = false;
    for item in items {
        let id = item["call_id"].as_str().unwrap_or_default().to_owned();
        match item["type"].as_str().unwrap() {
            "function_call_output" if !open.remove(&id) => return Some(format!("a result without its call: {item}")),
            "function_call" if !fits(&item["call_id"], 64) || !fits(&item["name"], 64) || !open.insert(id) => {
                return Some(format!("the call {item}"));
            }
            "message" if item["role"] == "user" && (thought || !open.is_empty()) => {
                return Some(format!("out of turn: {item}"));
            }
            _ => {}
        }
        thought = item["type"] == "reasoning";
    }
    (thought || !open.is_empty()).then(|| "something is left open".to_owned())
}

fn broken_contents(contents: &[Value]) -> Option<String> {
    let mut waiting: Vec<Value> = Vec::new();
    for content in contents {
        let parts = content["parts"].as_array().unwrap();
        let answers: Vec<_> = parts.iter().filter(|part| part["functionResponse"].is_object()).collect();
        let same = |part: &&Value, id: &Value| part["functionResponse"]["id"] == *id;
        if answers.len() != waiting.len() || !answers.iter().zip(&waiting).all(|(part, id)| same(part, id)) {
            return Some(format!("the calls {waiting:?} are not answered by {content}"));
        }
        let calls: Vec<_> = parts.iter().map(|part| &part["functionCall"]).filter(|call| call.is_object()).collect();
        if let Some(call) = calls.iter().find(|call| !fits(&call["name"], 64) || !call["args"].is_object()) {
            return Some(format!("the call {call}"));
        }
        let first = parts.iter().find(|part| part["functionCall"].is_object());
        if first.is_some_and(|part| !part["thoughtSignature"].is_string()) || parts.is_empty() {
            return Some(format!("nothing, or no signature, in {content}"));
        }
        waiting = calls.iter().map(|call| call["id"].clone()).collect();
    }
    (!waiting.is_empty()).then(|| "a call is left open".to_owned())
}

fn blocks() -> impl Strategy<Value = Block> {
    let names = prop::sample::select(vec!["Read", "mcp.docs/search", "", "9 lives", "Ä"]);
    let inputs = prop::sample::select(vec![json!({}), json!({"a": 1}), json!("half {"), json!([1]), Value::Null]);
    let owners = prop::sample::select(OTHERS.to_vec());
    prop_oneof![
        prop::sample::select(vec!["", " ", "Well."]).prop_map(said),
        ("[a-c]{0,2}", names, inputs).prop_map(|(id, name, input)| call(&id, name, input)),
        owners.prop_map(|(provider, model)| opaque(&format!("{provider}:{model}"), secret(provider))),
    ]
}

fn messages() -> impl Strategy<Value = Message> {
    let parts = prop_oneof![
        "[a-c]{0,2}".prop_map(|id| result(&id, "…")),
        prop::sample::select(vec!["", "Go on."]).prop_map(text_part),
    ];
    prop_oneof![
        prop::collection::vec(blocks(), 0..4).prop_map(unique),
        prop::collection::vec(parts, 0..4).prop_map(Message::User),
    ]
}

/// No answer has the same id twice: [`planwright_model::conversation::Ids`] sees to it.
fn unique(mut blocks: Vec<Block>) -> Message {
    let mut seen = HashSet::new();
    blocks.retain(|block| match block {
        Block::ToolUse { id, .. } => seen.insert(id.clone()),
        Block::Text { .. } | Block::Opaque { .. } => true,
    });
    Message::Assistant(blocks)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a session went through, no provider is sent what it would refuse.
    #[test]
    fn every_conversation_is_one_that_each_provider_takes(messages in prop::collection::vec(messages(), 0..8)) {
        let request = request(messages);
        for (provider, model) in OTHERS {
            let body = wire(provider, model, "http://localhost").outgoing(&request).body;
            prop_assert_eq!(broken(provider, &serde_json::from_str(&body).unwrap()), None, "{} {}", provider, body);
        }
    }
}
