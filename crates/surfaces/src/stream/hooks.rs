//! Hooks of a host: which of its callbacks want to hear of a call, and what their answers come to.

use planwright_core::dialogue::{HookAnswer, HookQuestion};
use planwright_core::permit::HookOpinion;
use serde_json::{Map, Value, json};

use crate::words;

/// The callbacks that want to hear of calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Hooks {
    pub matchers: Vec<Matcher>,
}

/// Callbacks that want to hear of calls of some tools.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matcher {
    tools: Tools,
    callbacks: Vec<String>,
    /// A callback that fails refuses.
    blocks_on_failure: bool,
}

/// Which tools.
#[derive(Clone, Debug, PartialEq)]
enum Tools {
    All,
    /// These.
    Named(Vec<String>),
    /// Those whose name holds the pieces of one of these, in order.
    Holding(Vec<Vec<String>>),
}

impl Matcher {
    /// # Errors
    /// It names tools in a way that is not understood: it could be meant to catch more.
    pub fn read(value: &Value) -> Result<Self, String> {
        let callbacks = value.get("hookCallbackIds").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Ok(Self {
            tools: Tools::read(value.get("matcher").and_then(Value::as_str).unwrap_or_default())?,
            callbacks: callbacks.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            blocks_on_failure: value.get("onFailure").is_some_and(|what| !what.is_null() && what != "continue"),
        })
    }
}

impl Tools {
    fn read(matcher: &str) -> Result<Self, String> {
        let plain = |c: char| c.is_alphanumeric() || "_- ,|".contains(c);
        if matcher.is_empty() || matcher == "*" {
            Ok(Self::All)
        } else if matcher.chars().all(plain) {
            let names = matcher.split(['|', ',']).map(|name| name.trim().to_owned());
            Ok(Self::Named(names.filter(|name| !name.is_empty()).collect()))
        } else if matcher.replace(".*", "").chars().all(|c| plain(c) && !" ,".contains(c)) {
            let pieces = |one: &str| one.split(".*").map(str::to_owned).collect();
            Ok(Self::Holding(matcher.split('|').map(pieces).collect()))
        } else {
            Err(words::no_hook_matcher(matcher))
        }
    }

    fn hold(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.iter().any(|name| name == tool),
            Self::Holding(all) => all.iter().any(|pieces| {
                let mut rest = Some(tool);
                for piece in pieces {
                    rest = rest.and_then(|rest| rest.split_once(piece.as_str())).map(|(_, rest)| rest);
                }
                rest.is_some()
            }),
        }
    }
}

impl Hooks {
    pub fn is_empty(&self) -> bool {
        self.matchers.is_empty()
    }

    /// The callbacks to ask about a call of this tool, each with whether its failure refuses.
    pub fn about(&self, tool: &str) -> Vec<(String, bool)> {
        let matching = self.matchers.iter().filter(|matcher| matcher.tools.hold(tool));
        matching
            .flat_map(|matcher| matcher.callbacks.iter().map(|id| (id.clone(), matcher.blocks_on_failure)))
            .collect()
    }
}

/// What a callback is asked.
pub(super) fn request(callback: &str, question: &HookQuestion, session_id: &str, cwd: &str) -> Value {
    let HookQuestion { agent, tool_use_id, tool, input, mode } = question;
    let mut heard = json!({
        "hook_event_name": "PreToolUse",
        "session_id": session_id,
        "transcript_path": "",
        "cwd": cwd,
        "permission_mode": mode,
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": tool_use_id,
    });
    if let Some(agent) = agent {
        heard["agent_id"] = json!(agent);
    }
    json!({"subtype": "hook_callback", "callback_id": callback, "input": heard, "tool_use_id": tool_use_id})
}

/// The callbacks that were asked about one call, and what they said.
#[derive(Debug)]
pub(super) struct Round {
    /// How many have not answered yet.
    pub open: usize,
    /// What they came to so far.
    pub answer: HookAnswer,
    /// One of them wants the turn stopped.
    pub stop: bool,
}

impl Round {
    pub fn new(open: usize) -> Self {
        Self { open, answer: HookAnswer::default(), stop: false }
    }

    /// Takes an answer in. Yields what the host should be told of it.
    pub fn heard(
        &mut self,
        callback: &str,
        blocks_on_failure: bool,
        answer: &Result<Map<String, Value>, String>,
    ) -> Option<String> {
        self.open = self.open.saturating_sub(1);
        let (opinion, input, said) = match answer {
            Ok(output) => {
                self.stop |= output.get("continue").and_then(Value::as_bool) == Some(false);
                let (opinion, input) = opinion(callback, output);
                (opinion, input, None)
            }
            Err(why) => {
                let said = words::hook_failed(callback, why);
                let deny = HookOpinion::Deny { hook: callback.to_owned(), reason: said.clone() };
                (blocks_on_failure.then_some(deny), None, Some(said))
            }
        };
        if rank(opinion.as_ref()) > rank(self.answer.opinion.as_ref()) {
            self.answer.opinion = opinion;
        }
        self.answer.input = input.or(self.answer.input.take());
        said
    }
}

/// The strictest wins.
const fn rank(opinion: Option<&HookOpinion>) -> u8 {
    match opinion {
        None => 0,
        Some(HookOpinion::Allow { .. }) => 1,
        Some(HookOpinion::Ask { .. }) => 2,
        Some(HookOpinion::Deny { .. }) => 3,
    }
}

/// What one callback's output says: the newer form, or the older `decision`. A decision that is not
/// known asks.
fn opinion(callback: &str, output: &Map<String, Value>) -> (Option<HookOpinion>, Option<Value>) {
    let hook = callback.to_owned();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    if output.get("continue").and_then(Value::as_bool) == Some(false) {
        return (Some(HookOpinion::Deny { hook, reason: text(output.get("stopReason")) }), None);
    }
    let specific = output.get("hookSpecificOutput").and_then(Value::as_object);
    let said = specific.and_then(|specific| specific.get("permissionDecision")).or_else(|| output.get("decision"));
    let reason =
        specific.and_then(|specific| specific.get("permissionDecisionReason")).or_else(|| output.get("reason"));
    let opinion = match said.and_then(Value::as_str) {
        None => None,
        Some("allow" | "approve") => Some(HookOpinion::Allow { hook }),
        Some("deny" | "block") => Some(HookOpinion::Deny { hook, reason: text(reason) }),
        Some(_) => Some(HookOpinion::Ask { hook }),
    };
    (opinion, specific.and_then(|specific| specific.get("updatedInput")).cloned())
}
