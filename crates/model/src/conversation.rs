//! A request's conversation as every provider wants it, before a wire writes it down. Pure, and
//! without copies of texts: it is made anew for each request of a long session.
//!
//! What holds for every yield of [`turns`], whatever the session went through:
//! - it begins with a user's turn, and user and assistant take turns, but for an assistant's turn
//!   that its provider paused ([`Rules::goes_on`]);
//! - every call is answered in the turn right after it, results first, then texts; a call without a
//!   result is answered in our words, a result without a call is left out;
//! - ids and names fit every provider's alphabet; the same id or name is always written the same;
//! - opaque blocks of other models are gone; empty texts and empty turns are gone;
//! - an assistant's turn that nobody answered (it was cut) is followed by words of ours, so that no
//!   request is a prefill;
//! - a conversation that grows keeps what it began with, as prompt caches need.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use planwright_core::request::{Block, Message, Request, ToolSpec, UserPart};
use planwright_core::{bounds, prompts};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// One turn of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn<'a> {
    /// To the model.
    User {
        /// What the calls of the turn before came to, in the order of the calls.
        results: Vec<CallResult<'a>>,
        /// Words, in order; none is empty.
        texts: Vec<&'a str>,
    },
    /// From the model; not empty.
    Assistant(Vec<Part<'a>>),
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult<'a> {
    /// The call's id, as written in its [`Part::Call`].
    pub id: Cow<'a, str>,
    /// The tool's name, as written in its [`Part::Call`].
    pub name: Cow<'a, str>,
    /// The result.
    pub content: &'a str,
    /// Whether it is an error or a denial.
    pub is_error: bool,
}

/// One piece of what the model said.
#[derive(Clone, Debug, PartialEq)]
pub enum Part<'a> {
    /// Text; not empty.
    Text(&'a str),
    /// A tool call.
    Call {
        /// Its id, in every provider's alphabet.
        id: Cow<'a, str>,
        /// The tool's name, in every provider's alphabet.
        name: Cow<'a, str>,
        /// The input; always an object ([`object`]).
        input: Cow<'a, Value>,
    },
    /// A block of this model, as it came.
    Opaque(&'a Value),
}

/// What differs between wires.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The model's id: the opaque blocks of others are left out.
    pub own: &'a str,
    /// Whether an assistant's turn goes on by itself when it is sent again (Anthropic
    /// `pause_turn`), so that no words of ours may follow it.
    pub goes_on: fn(&[Part<'_>]) -> bool,
}

/// The conversation of a request.
pub fn turns<'a>(request: &'a Request, rules: Rules<'_>) -> Vec<Turn<'a>> {
    let mut script = Script {
        turns: Vec::with_capacity(request.messages.len() + 1),
        goes_on: rules.goes_on,
        no_result: prompts::no_result(),
    };
    for message in &request.messages {
        match &**message {
            Message::User(parts) => script.user(parts),
            Message::Assistant(blocks) => {
                let parts: Vec<_> = blocks.iter().filter_map(|block| part(block, rules.own)).collect();
                // What only held another model's thinking says nothing.
                if !parts.is_empty() {
                    script.close();
                    script.turns.push(Turn::Assistant(parts));
                }
            }
        }
    }
    script.close();
    script.turns
}

fn part<'a>(block: &'a Block, own: &str) -> Option<Part<'a>> {
    match block {
        Block::Text { text } => (!text.trim().is_empty()).then_some(Part::Text(text)),
        Block::ToolUse { id, name, input } => {
            Some(Part::Call { id: wire_id(id), name: wire_name(name), input: object(input) })
        }
        Block::Opaque { provider, value } => (provider == own).then_some(Part::Opaque(value)),
    }
}

/// The turns so far.
struct Script<'a> {
    turns: Vec<Turn<'a>>,
    goes_on: fn(&[Part<'_>]) -> bool,
    no_result: &'static str,
}

impl<'a> Script<'a> {
    /// Adds what the user says to the turn that is open, or opens one.
    fn user(&mut self, parts: &'a [UserPart]) {
        if let Some(Turn::Assistant(_)) | None = self.turns.last() {
            let results = self.unanswered();
            self.turns.push(Turn::User { results, texts: Vec::new() });
        }
        let Some(Turn::User { results, texts }) = self.turns.last_mut() else { return };
        for part in parts {
            match part {
                UserPart::ToolResult { tool_use_id, content, is_error } => {
                    let id = wire_id(tool_use_id);
                    if let Some(result) = results.iter_mut().find(|result| result.id == id) {
                        (result.content, result.is_error) = (content, *is_error);
                    }
                }
                UserPart::Text { text } if text.trim().is_empty() => {}
                UserPart::Text { text } => texts.push(text),
            }
        }
        if results.is_empty() && texts.is_empty() {
            self.turns.pop();
        }
    }

    /// The results that the last turn waits for, until they are known.
    fn unanswered(&self) -> Vec<CallResult<'a>> {
        let Some(Turn::Assistant(parts)) = self.turns.last() else { return Vec::new() };
        let calls = parts.iter().filter_map(|part| match part {
            Part::Call { id, name, .. } => {
                Some(CallResult { id: id.clone(), name: name.clone(), content: self.no_result, is_error: true })
            }
            Part::Text(_) | Part::Opaque(_) => None,
        });
        calls.collect()
    }

    /// Closes an assistant's turn that no user's turn followed, and opens a conversation that no
    /// user began.
    fn close(&mut self) {
        let goes_on = match self.turns.last() {
            Some(Turn::User { .. }) => true,
            Some(Turn::Assistant(parts)) => (self.goes_on)(parts),
            None => false,
        };
        if !goes_on {
            let results = self.unanswered();
            let texts = if results.is_empty() { vec![prompts::go_on()] } else { Vec::new() };
            self.turns.push(Turn::User { results, texts });
        }
    }
}

/// An input as providers take it back: an object. What a model wrote that is none (it is kept as a
/// string, and answered by an error) is wrapped, so that the model sees what it did.
pub fn object(input: &Value) -> Cow<'_, Value> {
    if input.is_object() { Cow::Borrowed(input) } else { Cow::Owned(json!({ "not_an_object": input })) }
}

/// The input that a model wrote, once it is whole: nothing means `{}`, an object inside a string is
/// that object (some servers encode twice), and what is no JSON is kept as a string, which no tool
/// takes: the model is told, and calls again.
pub fn input(text: &str) -> Value {
    if text.trim().is_empty() {
        return json!({});
    }
    match serde_json::from_str(text) {
        Ok(Value::Null) => json!({}),
        Ok(Value::String(inner)) => match serde_json::from_str(&inner) {
            Ok(object @ Value::Object(_)) => object,
            Ok(_) | Err(_) => Value::String(inner),
        },
        Ok(value) => value,
        Err(_) => Value::String(text.to_owned()),
    }
}

/// Whether the input of a call shows by itself that it is whole: its object is closed.
pub fn closed(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(_)))
}

/// The longest id and name that every provider takes.
const ID_CHARS: usize = 40;
const NAME_CHARS: usize = 64;

/// An id in the alphabet of every provider: itself, or else a digest of it.
pub fn wire_id(id: &str) -> Cow<'_, str> {
    if !id.is_empty() && id.len() <= ID_CHARS && id.bytes().all(plain) {
        Cow::Borrowed(id)
    } else {
        Cow::Owned(format!("call_{}", digest(id, 12)))
    }
}

/// A tool's name in the alphabet of every provider: itself, or else what fits of it and a digest.
pub fn wire_name(name: &str) -> Cow<'_, str> {
    let first = name.as_bytes().first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
    if first && name.len() <= NAME_CHARS && name.bytes().all(plain) {
        return Cow::Borrowed(name);
    }
    let fits = name.chars().map(|c| if c.is_ascii() && plain(c as u8) { c } else { '_' });
    let fits: String = fits.take(NAME_CHARS - 12).collect();
    Cow::Owned(format!("t_{fits}_{}", digest(name, 4)))
}

const fn plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn digest(text: &str, bytes: usize) -> String {
    Sha256::digest(text.as_bytes()).iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}

/// The names of tools, from the wire back to ours.
#[derive(Clone, Debug, Default)]
pub struct Names(HashMap<String, String>);

impl Names {
    /// The names of the tools of a request that are written differently on the wire.
    pub fn of(tools: &[ToolSpec]) -> Self {
        let differ = tools.iter().filter_map(|tool| match wire_name(&tool.name) {
            Cow::Borrowed(_) => None,
            Cow::Owned(wire) => Some((wire, tool.name.clone())),
        });
        Self(differ.collect())
    }

    /// Our name of a tool; one that nobody offered stays as the model wrote it.
    pub fn ours(&self, wire: &str) -> String {
        self.0.get(wire).map_or(wire, String::as_str).to_owned()
    }
}

/// Gives every call an id that is unique in its session, as some providers do not.
///
/// The provider's own id is kept if it is new. Servers leave it out, send `null` or "" (llama.cpp),
/// or count from 0 in every answer; then one is made from who asks, how long the conversation is,
/// its newest message and the call's place in the answer: the same answer to the same request has
/// the same ids again, and other agents, and answers after a compaction, have others.
#[derive(Clone, Debug)]
pub struct Ids {
    taken: HashSet<String>,
    /// Who asks, and what.
    seed: String,
    /// Ids given so far.
    given: usize,
    /// The calls of the answer that have an id of the provider's: id, name and input.
    named: Vec<(String, String, Value)>,
}

impl Ids {
    /// The ids that the session has used.
    pub fn of(request: &Request) -> Self {
        let blocks = request.messages.iter().flat_map(|message| match &**message {
            Message::Assistant(blocks) => blocks.as_slice(),
            Message::User(_) => &[],
        });
        let ids = blocks.filter_map(|block| match block {
            Block::ToolUse { id, .. } => Some(id.clone()),
            Block::Text { .. } | Block::Opaque { .. } => None,
        });
        let asked = (&request.session_id, &request.agent, request.messages.len(), request.messages.last());
        let seed = serde_json::to_string(&asked).expect("a request is plain data");
        Self { taken: ids.collect(), seed: digest(&seed, 12), given: 0, named: Vec::new() }
    }

    /// A whole call of the answer as a block; `offered` is the provider's id. `None` if it is the same
    /// call again, by id, name and input: gateways repeat one, and no tool may run twice for that.
    pub fn call(&mut self, offered: Option<&str>, name: String, input: Value) -> Option<Block> {
        if let Some(id) = offered.filter(|id| !id.is_empty()) {
            let call = (id.to_owned(), name.clone(), input.clone());
            if self.named.contains(&call) {
                return None;
            }
            self.named.push(call);
        }
        Some(Block::ToolUse { id: self.unique(offered), name, input })
    }

    /// The provider's id if it gave one that is new; else one that is made up.
    pub fn unique(&mut self, offered: Option<&str>) -> String {
        let offered = offered.filter(|id| !id.is_empty() && id.len() <= bounds::CALL_ID_BYTES).map(str::to_owned);
        let place = self.given;
        let made = (0..).map(|again| format!("call_{}", digest(&format!("{} {place} {again}", self.seed), 12)));
        let id = offered.into_iter().chain(made).find(|id| !self.taken.contains(id));
        let id = id.expect("one of endlessly many ids is free");
        self.given += 1;
        self.taken.insert(id.clone());
        id
    }
}
