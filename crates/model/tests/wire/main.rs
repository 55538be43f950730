//! The wires of real providers: what is sent, what is understood, and what happens when the other
//! side misbehaves. Streams are files (`tests/streams`), trouble comes from a server on loopback.
//!
//! What providers are known to do (protocols.md section 4.5), and where it is held:
//!
//! | # | trap | held by |
//! | --- | --- | --- |
//! | 1 | comments, CRLF, unknown events, chunks inside a character | `sse`; `streams`: other line ends, any pieces |
//! | 2 | an error inside a 200 stream | `trouble`; `overloaded`, `error_in_stream`, `error_with_200` |
//! | 3 | a stream without its end | `streams`: cut after any event, at any byte; `trouble` |
//! | 4 | one of several calls has no result | `conversation` |
//! | 5 | thinking that is changed or moved | `body`: it goes back as it came; `thinking_and_calls` |
//! | 6 | text after results | `core::state` puts notes into results; `conversation`: results stand first |
//! | 7 | `pause_turn` | `unknown_things`; `conversation`: it goes back as it is |
//! | 8 | 429 and no word until when | `retry`, `trouble`: no loop |
//! | 9 | an empty input | `thinking_and_calls`; `conversation`: an input |
//! | 10 | id and name in the first delta only | `calls_by_index` |
//! | 11 | Ollama's silent window | `requests`: it is warned of once |
//! | 12 | all calls at index 0, inputs as objects | `calls_all_at_index_0`, `input_as_object` |
//! | 13 | names repeated, ids `null` | `name_repeated`, `null_ids`; `conversation`: ids are unique |
//! | 14 | `reasoning` or `reasoning_content` | `vllm/reasoning`, `deepseek/reasoning_and_a_call` |
//! | 15 | DeepSeek wants reasoning back | `requests` |
//! | 16 | OpenRouter's comments, errors, `reasoning_details` | `openrouter/*`; `requests`: an answer goes back |
//! | 17 | Gemini's signatures, STOP beside calls | `gemini/*`; `requests`: it gets its parts back |
//! | 18 | subsets of JSON schema | `schemas` |
//! | 19 | names of limits, what reasoning models refuse | `capabilities`, `requests` |
//! | 20 | a call written as text | `call_as_text`: it stays text |
//! | 21 | alphabets of names | `conversation`: ids and names, names come back |
//! | 22, 23 | a call or an end that plan mode does not take | the stories of `agent` |
//! | 24 | another provider in the middle | `switch`, `conversation` |

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
