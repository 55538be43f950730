//! Records answers as a script.

use std::collections::BTreeMap;

use planwright_core::reply::Reply;
use planwright_core::request::{AgentRef, Block, Request};
use serde_json::{Map, Value, json};

use super::Placeholders;
use super::file::End;

/// Collects answers, in the order in which they came, and yields the script that plays them.
///
/// Paths and ids that differ from run to run are recorded as placeholders. There is no way to write
/// a placeholder's name literally, so an answer that itself says `{cwd}` is played with the folder.
#[derive(Debug)]
pub struct Recorder {
    placeholders: Placeholders,
    turns: Vec<Value>,
    agents: BTreeMap<String, Vec<Vec<Value>>>,
}

impl Recorder {
    /// An empty script.
    pub const fn new(placeholders: Placeholders) -> Self {
        Self { placeholders, turns: Vec::new(), agents: BTreeMap::new() }
    }

    /// Adds the answer to a request. Blocks that only a provider understands are left out.
    pub fn heard(&mut self, request: &Request, reply: &Reply) {
        let turn = self.turn(request, reply);
        match &request.agent {
            None => self.turns.push(turn),
            Some(AgentRef { agent_type, instance }) => {
                let lists = self.agents.entry(agent_type.clone()).or_default();
                lists.resize(lists.len().max(instance + 1), Vec::new());
                lists[*instance].push(turn);
            }
        }
    }

    /// The script so far, as JSON to read.
    pub fn script(&self) -> String {
        let script = json!({"turns": self.turns, "agents": self.agents});
        format!("{script:#}\n")
    }

    fn turn(&self, request: &Request, reply: &Reply) -> Value {
        let (mut texts, mut tools) = (Vec::new(), Vec::new());
        for block in &reply.blocks {
            match block {
                Block::Text { text } => texts.push(self.generalize(request, text)),
                Block::ToolUse { name, input, .. } => {
                    tools.push(json!({"name": name, "input": self.generalize_value(request, input)}));
                }
                Block::Opaque { .. } => {}
            }
        }
        let mut turn = Map::new();
        if !texts.is_empty() {
            turn.insert("text".to_owned(), texts.join("\n\n").into());
        }
        if !tools.is_empty() {
            turn.insert("tools".to_owned(), tools.into());
        }
        if let Some(stop) = End::name(reply.stop) {
            turn.insert("stop".to_owned(), stop.into());
        }
        Value::Object(turn)
    }

    /// Puts placeholders in, the longest value first: the plan file may lie in the home folder.
    fn generalize(&self, request: &Request, text: &str) -> String {
        let shown = |path: &std::path::Path| path.display().to_string();
        let mut values = vec![
            (shown(&self.placeholders.cwd), "{cwd}"),
            (shown(&self.placeholders.home), "{home}"),
            (request.session_id.clone(), "{session_id}"),
        ];
        values.extend(request.plan_file.as_deref().map(|path| (shown(path), "{plan_file}")));
        values.retain(|(value, _)| value.len() > 1);
        values.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        values.iter().fold(text.to_owned(), |text, (value, name)| text.replace(value, name))
    }

    fn generalize_value(&self, request: &Request, value: &Value) -> Value {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
            Value::String(text) => self.generalize(request, text).into(),
            Value::Array(list) => list.iter().map(|value| self.generalize_value(request, value)).collect(),
            Value::Object(object) => {
                object.iter().map(|(key, value)| (key.clone(), self.generalize_value(request, value))).collect()
            }
        }
    }
}
