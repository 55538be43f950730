//! The scripted model, on real files: what is asked, and what comes back.

#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

use std::path::{Path, PathBuf};

use futures_util::{FutureExt, StreamExt};
use planwright_core::reply::{Delta, Reply};
use planwright_core::request::{AgentRef, Block, Message, Request, UserPart};
use planwright_model::script::{Placeholders, ScriptModel};
use planwright_model::{Model, ModelError, whole};

mod bad_scripts;
mod demo;
mod play;
mod position;
mod record;
mod request_log;

/// A folder with `script.json` in it.
fn script_file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.json");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn placeholders() -> Placeholders {
    Placeholders { cwd: "/project".into(), home: "/home/ann".into() }
}

fn load(path: &Path) -> ScriptModel {
    ScriptModel::load(path, placeholders()).unwrap()
}

/// A model that plays `text`. The file need not outlive the loading.
fn script(text: &str) -> ScriptModel {
    let (_folder, path) = script_file(text);
    load(&path)
}

/// A request of the main thread, with a plan file.
fn request(words: &str) -> Request {
    Request {
        session_id: "session-1".to_owned(),
        agent: None,
        system: "You plan first.".into(),
        tools: [].into(),
        messages: vec![Message::User(vec![UserPart::Text { text: words.to_owned() }]).into()],
        plan_file: Some("/home/ann/plans/quiet-amber-otter.md".into()),
    }
}

fn agent(agent_type: &str, instance: usize) -> AgentRef {
    AgentRef { agent_type: agent_type.to_owned(), instance }
}

fn request_of(agent_type: &str, instance: usize) -> Request {
    Request { agent: Some(agent(agent_type, instance)), ..request("look") }
}

/// The whole answer; scripts here need no waiting.
fn ask(model: &impl Model, request: Request) -> Result<Reply, ModelError> {
    whole(model.ask(request)).now_or_never().expect("a script without delay answers at once")
}

/// The text of the answer, or the error's words.
fn say(model: &impl Model, request: Request) -> String {
    match ask(model, request) {
        Ok(reply) => texts(&reply),
        Err(error) => error.cause(),
    }
}

fn texts(reply: &Reply) -> String {
    let text = |block: &Block| match block {
        Block::Text { text } => text.clone(),
        Block::ToolUse { id, name, input } => format!("[{id} {name} {input}]"),
        Block::Opaque { value, .. } => value.to_string(),
    };
    reply.blocks.iter().map(text).collect()
}

/// Every step of the stream.
fn steps(model: &impl Model, request: Request) -> Vec<Result<Delta, ModelError>> {
    model.ask(request).collect::<Vec<_>>().now_or_never().expect("a script without delay answers at once")
}

/// A path in the message of an error differs from run to run.
fn without_folder(message: &str) -> String {
    let Some(end) = message.find("/script.json") else { return message.to_owned() };
    let start = message[..end].rfind(' ').map_or(0, |at| at + 1);
    format!("{}script.json{}", &message[..start], &message[end + "/script.json".len()..])
}

/// Compares a table, and reports every wrong row at once.
fn check(rows: impl IntoIterator<Item = (String, String, String)>) {
    let wrong: Vec<_> = rows
        .into_iter()
        .filter(|(_, wanted, got)| wanted != got)
        .map(|(row, wanted, got)| format!("{row}\n  wanted: {wanted}\n  got:    {got}"))
        .collect();
    assert!(wrong.is_empty(), "{} wrong rows:\n{}", wrong.len(), wrong.join("\n"));
}
