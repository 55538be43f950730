//! The script file: what stands in it, and where it is wrong.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use planwright_core::bounds::SCRIPT_BYTES;
use planwright_core::call::nearest;
use planwright_core::reply::{Stop, Usage};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Why a script cannot be played. Its `Display` is `FILE:LINE:COLUMN: REASON`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ScriptError {
    /// The script's file.
    pub file: PathBuf,
    /// Line and column, from 1, of what is wrong in it; `None` if it could not be read at all.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.reason)
    }
}

impl ScriptError {
    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self.place {
            Some(_) => "Correct the script there and start again.",
            None => "Check the path after `script:`.",
        }
    }
}

/// A whole script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Script {
    /// Answers to the main thread, in order.
    #[serde(deserialize_with = "objects")]
    pub turns: Vec<Turn>,
    /// Answers to subagents, by type.
    #[serde(default)]
    pub agents: BTreeMap<String, AgentScript>,
    /// Tokens of the model's window; none = no limit.
    #[serde(default)]
    pub context_tokens: Option<u64>,
    /// Tokens an answer may have.
    #[serde(default)]
    pub output_tokens: Option<u64>,
    /// What tokens cost.
    #[serde(default)]
    pub price: Option<PriceList>,
}

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub(super) struct PriceList {
    pub input: f64,
    pub output: f64,
    pub cache_write: f64,
    pub cache_read: f64,
}

/// The answer to one request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Turn {
    #[serde(default)]
    pub text: String,
    #[serde(default, deserialize_with = "objects")]
    pub tools: Vec<ToolCall>,
    #[serde(default, deserialize_with = "object")]
    pub expect: Expectation,
    #[serde(default)]
    pub delay_ms: u64,
    #[serde(default)]
    pub error: Option<Failure>,
    /// Why the answer ends, if not because it is whole.
    #[serde(default)]
    pub stop: Option<End>,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// Blocks that only this model understands; they stand before the text.
    #[serde(default)]
    pub opaque: Vec<Value>,
    /// The answer breaks off first, and comes whole when it is asked for again.
    #[serde(default)]
    pub again: Option<Retry>,
}

/// Why an answer ends that is not whole.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case", expecting = "one of `max_tokens`, `pause_turn`, `refusal`, `context_full`")]
pub(super) enum End {
    /// At its length limit.
    MaxTokens,
    /// Paused by the provider.
    PauseTurn,
    /// The model refuses.
    Refusal,
    /// The model's window is full.
    ContextFull,
}

impl End {
    /// The same for every provider.
    pub const fn stop(self) -> Stop {
        match self {
            Self::MaxTokens => Stop::MaxTokens,
            Self::PauseTurn => Stop::Paused,
            Self::Refusal => Stop::Refusal,
            Self::ContextFull => Stop::ContextFull,
        }
    }

    /// How a script names why an answer ended; `None` if that follows from the rest of it.
    pub const fn name(stop: Stop) -> Option<&'static str> {
        match stop {
            Stop::MaxTokens => Some("max_tokens"),
            Stop::Paused => Some("pause_turn"),
            Stop::Refusal => Some("refusal"),
            Stop::ContextFull => Some("context_full"),
            Stop::EndTurn | Stop::ToolUse | Stop::Cut => None,
        }
    }
}

/// How often and when an answer breaks off before it comes whole.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Retry {
    /// Characters of text before it breaks off.
    #[serde(default)]
    pub after: usize,
    /// Milliseconds until it is asked for again.
    #[serde(default)]
    pub wait_ms: u64,
}

/// One tool call of an answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct ToolCall {
    pub name: String,
    #[serde(default = "no_input")]
    pub input: Value,
}

fn no_input() -> Value {
    Value::Object(serde_json::Map::new())
}

/// What the request must and must not contain.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Expectation {
    #[serde(default)]
    pub contains: Vec<String>,
    #[serde(default)]
    pub not_contains: Vec<String>,
}

/// How a provider fails.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case", expecting = "an object as in {\"status\": 529}")]
pub(super) enum Failure {
    /// It answers with this HTTP status.
    Status(u16),
    /// Its stream ends after so many characters of text.
    CutAfter(usize),
    /// The request is larger than its window.
    ContextFull(#[serde(deserialize_with = "yes")] ()),
}

/// `true`, and nothing else.
fn yes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    bool::deserialize(deserializer)?.then_some(()).ok_or_else(|| serde::de::Error::custom("it is `true`, or not there"))
}

/// What the subagents of one type answer.
#[derive(Debug)]
pub(super) enum AgentScript {
    /// Every one of them the same.
    Same(Vec<Turn>),
    /// The n-th of them the n-th.
    Each(Vec<Vec<Turn>>),
}

/// A JSON object, and nothing else: serde's derived structs take lists as well.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OnlyMap<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OnlyMap<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_map(OnlyMap(PhantomData))
    }
}

fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Object::deserialize(deserializer).map(|Object(value)| value)
}

fn objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(Vec::<Object<T>>::deserialize(deserializer)?.into_iter().map(|Object(value)| value).collect())
}

/// Written by hand because an untagged enum would lose line, column and reason of an error inside.
impl<'de> Deserialize<'de> for AgentScript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lists;
        impl<'de> Visitor<'de> for Lists {
            type Value = AgentScript;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of turns, or a list of lists of turns")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<AgentScript, A::Error> {
                let (mut same, mut each) = (Vec::new(), Vec::new());
                while let Some(element) = list.next_element()? {
                    match element {
                        Element::Turn(turn) => same.push(turn),
                        Element::Turns(turns) => each.push(turns),
                    }
                    if !same.is_empty() && !each.is_empty() {
                        return Err(serde::de::Error::custom("turns and lists of turns are mixed in one list"));
                    }
                }
                Ok(if each.is_empty() { AgentScript::Same(same) } else { AgentScript::Each(each) })
            }
        }
        deserializer.deserialize_seq(Lists)
    }
}

enum Element {
    Turn(Turn),
    Turns(Vec<Turn>),
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Element;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a turn, or a list of turns")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Element, A::Error> {
                Turn::deserialize(MapAccessDeserializer::new(map)).map(Element::Turn)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Element, A::Error> {
                objects(SeqAccessDeserializer::new(list)).map(Element::Turns)
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

/// Reads a script file.
pub(super) fn read(path: &Path) -> Result<(Vec<u8>, Script), ScriptError> {
    let unreadable = |reason: String| ScriptError { file: path.to_owned(), place: None, reason };
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(SCRIPT_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(format!("the script cannot be read: {error}")))?;
    if bytes.len() as u64 > SCRIPT_BYTES {
        return Err(unreadable(format!("the script is larger than {SCRIPT_BYTES} bytes")));
    }
    let script = parse(&bytes).map_err(|(place, reason)| ScriptError { file: path.to_owned(), place, reason })?;
    Ok((bytes, script))
}

type Fault = (Option<(usize, usize)>, String);

fn parse(bytes: &[u8]) -> Result<Script, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line_start = good.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        (Some((line, good.len() - line_start + 1)), "the script is not UTF-8 here".to_owned())
    })?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut json = serde_json::Deserializer::from_str(text);
    let Object(script) = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        fault(error.inner(), (path != "." && path != "?").then_some(path))
    })?;
    json.end().map_err(|error| fault(&error, None))?;
    Ok(script)
}

fn fault(error: &serde_json::Error, path: Option<String>) -> Fault {
    let whole = error.to_string();
    let bare = whole.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())).unwrap_or(&whole);
    let at = path.map(|path| format!("`{path}`: ")).unwrap_or_default();
    let kind = if error.is_data() { "" } else { "malformed JSON: " };
    (Some((error.line(), error.column().max(1))), format!("{at}{kind}{bare}{}", did_you_mean(bare)))
}

/// The nearest known name, when the fault is an unknown one. Serde gives it only as words: the
/// unknown name first, then the known ones, each between backticks.
fn did_you_mean(message: &str) -> String {
    if !message.starts_with("unknown ") {
        return String::new();
    }
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = names.next().unwrap_or_default();
    let known: Vec<_> = names.collect();
    nearest(unknown, &known).map(|near| format!(". Did you mean `{near}`?")).unwrap_or_default()
}
