//! A line that a host writes, parsed once.

use planwright_core::mode::Mode;
use serde_json::{Map, Value};

use super::hooks::{Hooks, Matcher};
use crate::words;

/// A line of input.
#[derive(Debug)]
pub(super) enum Line {
    /// A message to the model, or a slash command.
    Prompt(Prompt),
    /// The host wants something.
    Request {
        /// What its answer names.
        id: String,
        /// What it wants, or why that cannot be had.
        request: Result<Request, String>,
    },
    /// The host answers something that was asked of it.
    Response {
        /// What it answers.
        id: String,
        /// The answer, or why there is none.
        answer: Result<Map<String, Value>, String>,
    },
    /// Nothing to do: an empty line, a sign of life, a kind that is not known here.
    Nothing,
}

/// A message to the model, or a slash command.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prompt {
    pub text: String,
    /// The text is for the model as it stands, also if it looks like a command.
    pub verbatim: bool,
    /// What the host calls it.
    pub uuid: Option<String>,
    /// As the host wrote it, to be repeated.
    pub message: Value,
}

/// What a host may want.
#[derive(Debug)]
pub(super) enum Request {
    /// Begin: here are my hooks; what can you do? With what of it has no effect here.
    Initialize { hooks: Hooks, without_effect: Vec<String> },
    /// Stop the turn.
    Interrupt,
    /// Another mode.
    SetMode(Mode),
    /// Another model; `None` = the first one.
    SetModel(Option<String>),
    /// Which tool servers are connected?
    McpStatus,
}

/// Fields of `initialize` that ask for what is not built in. None of them loosens or tightens what
/// may run, so they are passed over, and that is said.
const WITHOUT_EFFECT: [&str; 6] =
    ["agents", "appendSystemPrompt", "jsonSchema", "planModeInstructions", "sdkMcpServers", "systemPrompt"];

/// Parses a line.
///
/// # Errors
/// It is no JSON object, or a known kind of message without what it must have; a clause.
pub(super) fn line(text: &str) -> Result<Line, String> {
    if text.trim().is_empty() {
        return Ok(Line::Nothing);
    }
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let Value::Object(object) = value else { return Err("it is not a JSON object".to_owned()) };
    match object.get("type").and_then(Value::as_str) {
        None => Err("it has no `type`".to_owned()),
        Some("user") => prompt(&object).map(Line::Prompt),
        Some("control_request") => {
            let inner = object.get("request").and_then(Value::as_object).ok_or("it has no `request`")?;
            Ok(Line::Request { id: text_of(&object, "request_id")?, request: request(inner) })
        }
        Some("control_response") => {
            let inner = object.get("response").and_then(Value::as_object).ok_or("it has no `response`")?;
            Ok(Line::Response { id: text_of(inner, "request_id")?, answer: response(inner) })
        }
        Some(_) => Ok(Line::Nothing),
    }
}

fn text_of(object: &Map<String, Value>, name: &str) -> Result<String, String> {
    object.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| format!("it has no `{name}`"))
}

fn prompt(object: &Map<String, Value>) -> Result<Prompt, String> {
    let message = object.get("message").ok_or("it has no `message`")?;
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let texts: Result<Vec<_>, _> = blocks.iter().map(block).collect();
            texts?.join("\n\n")
        }
        Some(_) | None => return Err("its `message` has no `content`".to_owned()),
    };
    if text.trim().is_empty() {
        return Err("its message is empty".to_owned());
    }
    Ok(Prompt {
        text,
        verbatim: object.get("client_composed").and_then(Value::as_bool).unwrap_or(false),
        uuid: object.get("uuid").and_then(Value::as_str).map(str::to_owned),
        message: message.clone(),
    })
}

fn block(block: &Value) -> Result<String, String> {
    match (block.get("type").and_then(Value::as_str), block.get("text").and_then(Value::as_str)) {
        (Some("text"), Some(text)) => Ok(text.to_owned()),
        (Some(kind), _) => Err(format!("its message holds a block of type `{kind}`, and only text can be read")),
        (None, _) => Err("its message holds a block without a type".to_owned()),
    }
}

fn request(inner: &Map<String, Value>) -> Result<Request, String> {
    let subtype = text_of(inner, "subtype")?;
    match subtype.as_str() {
        "initialize" => {
            let asked = |name: &&&str| inner.get(**name).is_some_and(|value| !blank(value));
            Ok(Request::Initialize {
                hooks: hooks(inner.get("hooks"))?,
                without_effect: WITHOUT_EFFECT.iter().filter(asked).map(|name| (*name).to_owned()).collect(),
            })
        }
        "interrupt" => Ok(Request::Interrupt),
        "set_permission_mode" => {
            let name = text_of(inner, "mode")?;
            mode(&name).map(Request::SetMode).ok_or_else(|| words::no_mode(&name))
        }
        "set_model" => {
            let model = inner.get("model").and_then(Value::as_str);
            Ok(Request::SetModel(model.filter(|model| *model != "default").map(str::to_owned)))
        }
        "mcp_status" => Ok(Request::McpStatus),
        _ => Err(words::no_request(&subtype)),
    }
}

/// A mode by the name that hosts know it by.
pub(super) fn mode(name: &str) -> Option<Mode> {
    if name == "manual" { Some(Mode::Default) } else { Mode::parse(name) }
}

fn blank(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.iter().all(blank),
        Value::Object(object) => object.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

fn hooks(value: Option<&Value>) -> Result<Hooks, String> {
    let mut matchers = Vec::new();
    let Some(Value::Object(events)) = value else { return Ok(Hooks::default()) };
    for (event, list) in events {
        let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
        // A hook that never runs could be the one that was to refuse.
        if event != "PreToolUse" && !list.is_empty() {
            return Err(words::no_hook_event(event));
        }
        for matcher in list {
            matchers.push(Matcher::read(matcher)?);
        }
    }
    Ok(Hooks { matchers })
}

fn response(inner: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    match inner.get("subtype").and_then(Value::as_str) {
        Some("success") => Ok(inner.get("response").and_then(Value::as_object).cloned().unwrap_or_default()),
        _ => Err(inner.get("error").and_then(Value::as_str).unwrap_or("it gave no reason").to_owned()),
    }
}
