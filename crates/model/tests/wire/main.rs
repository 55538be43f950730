//! The wires of real providers: what is sent, what is understood, and what happens when the other
//! side misbehaves. Streams are files (`tests/streams`), trouble comes from a server on loopback.

#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

use std::sync::Arc;

use planwright_core::reply::{Delta, Reply, Usage};
use planwright_core::request::{Block, Message, Request, ToolSpec, UserPart};
use planwright_model::ModelError;
use planwright_model::anthropic::Anthropic;
use planwright_model::capability;
use planwright_model::providers::PROVIDERS;
use planwright_model::wire::{Address, Wire};
use serde_json::{Value, json};

mod body;
mod capabilities;
mod conversation;
mod keys;
mod marks;
mod naming;
mod others_refused;
mod refused;
mod requests;
mod retry;
mod schemas;
mod server;
mod sse;
mod streams;
mod switch;
mod trouble;

/// Every wire there is, with the folder of its streams.
fn wires(base_url: &str) -> Vec<(&'static str, Arc<dyn Wire>)> {
    let mut wires = vec![("anthropic", anthropic("claude-opus-5-5", base_url))];
    wires.extend(OTHERS.map(|(provider, name)| (provider, wire(provider, name, base_url))));
    wires
}

/// The other providers that have streams, each with a model.
const OTHERS: [(&str, &str); 9] = [
    ("openai", "gpt-5.2"),
    ("openai-chat", "gpt-4.1"),
    ("gemini", "gemini-3-pro-preview"),
    ("openrouter", "anthropic/claude-sonnet-4.6"),
    ("deepseek", "deepseek-chat"),
    ("ollama", "qwen3:8b"),
    ("llamacpp", "any"),
    ("vllm", "Qwen/Qwen3-32B"),
    ("compatible", "local-model"),
];

/// The wire of a provider, as its row of the table makes it.
fn wire(provider: &str, name: &str, base_url: &str) -> Arc<dyn Wire> {
    let row = PROVIDERS.iter().find(|row| row.name == provider).unwrap();
    (row.wire)(address(provider, name, base_url))
}

fn anthropic(name: &str, base_url: &str) -> Arc<dyn Wire> {
    Arc::new(Anthropic::new(address("anthropic", name, base_url)))
}

fn address(provider: &str, name: &str, base_url: &str) -> Address {
    Address {
        id: format!("{provider}:{name}"),
        name: name.to_owned(),
        base_url: base_url.to_owned(),
        capability: capability::of(provider, name),
    }
}

fn user(text: &str) -> Message {
    Message::User(vec![text_part(text)])
}

fn text_part(text: &str) -> UserPart {
    UserPart::Text { text: text.to_owned() }
}

fn result(id: &str, content: &str) -> UserPart {
    UserPart::ToolResult { tool_use_id: id.to_owned(), content: content.to_owned(), is_error: false }
}

fn said(text: &str) -> Block {
    Block::Text { text: text.to_owned() }
}

fn call(id: &str, name: &str, input: Value) -> Block {
    Block::ToolUse { id: id.to_owned(), name: name.to_owned(), input }
}

fn opaque(provider: &str, value: Value) -> Block {
    Block::Opaque { provider: provider.to_owned(), value }
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("What {name} does."),
        input_schema: json!({"type": "object", "properties": {}, "additionalProperties": false}),
    }
}

fn request(messages: Vec<Message>) -> Request {
    Request {
        session_id: "session-1".to_owned(),
        agent: None,
        system: "You plan first.".into(),
        tools: [tool("Read"), tool("mcp.docs/search")].into(),
        messages: messages.into_iter().map(Arc::new).collect(),
        plan_file: None,
    }
}

/// A delta as a line of an expectation.
fn line(delta: &Result<Delta, ModelError>) -> String {
    match delta {
        Ok(Delta::Text(text)) => format!("text> {text:?}\n"),
        Ok(Delta::Waiting(why)) => format!("waiting> {why}\n"),
        Ok(Delta::Again(again)) => format!("again> {}/{}: {}\n", again.attempt, again.of, again.cause),
        Ok(Delta::Done(reply)) => lines_of(reply),
        Err(error) => format!("error> {error}\n"),
    }
}

fn lines_of(Reply { blocks, stop, usage }: &Reply) -> String {
    let mut lines = String::new();
    for block in blocks {
        lines += &match block {
            Block::Text { text } => format!("  says {text:?}\n"),
            Block::ToolUse { id, name, input } => format!("  calls {name} {input} as {id}\n"),
            Block::Opaque { provider, value } => format!("  keeps {value} of {provider}\n"),
        };
    }
    let Usage { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
    format!(
        "done> {stop:?}, read {input_tokens}+{cache_read_input_tokens} cached, wrote {output_tokens}, cached \
         {cache_creation_input_tokens}\n{lines}"
    )
}

/// All wrong rows at once.
fn none_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
