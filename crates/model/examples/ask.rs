//! Asks a real model and shows what comes: `cargo run -p planwright-model --example ask -- PROVIDER:NAME QUESTION`.
//!
//! The tools of a session are offered, and the model is asked twice, so that the whole way is seen:
//! the second time its calls are answered by refusals, or, if it made none, a call and its result
//! stand in the conversation as if it had. Nothing is run.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use futures_util::StreamExt;
use planwright_core::call::{TOOLS, Tool};
use planwright_core::reply::{Delta, Reply};
use planwright_core::request::{Block, Message, Request, ToolSpec, UserPart};
use planwright_model::Model;
use planwright_model::providers::{Access, model};
use planwright_model::retry::Patience;
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let [spec, question] = &words[..] else {
        return Err("write: ask PROVIDER:NAME QUESTION".into());
    };
    let access = Access {
        env: &|name| std::env::var(name).ok(),
        command: &|_| Arc::new(|| Box::pin(async { Err("a key from a command is not for this example".to_owned()) })),
        patience: Patience::default(),
    };
    let model = model(spec, &access)?;
    let mut request = Request {
        session_id: "ask".to_owned(),
        agent: None,
        system: "You answer in one short sentence.".into(),
        tools: TOOLS.iter().map(offered).collect(),
        messages: vec![user(UserPart::Text { text: question.clone() })],
        plan_file: None,
    };
    let first = answer(&*model, request.clone()).await?;
    request.messages.extend(going_on(first.blocks));
    let second = answer(&*model, request).await?;
    if second.blocks.is_empty() {
        return Err("the second answer is empty".into());
    }
    Ok(())
}

/// What follows the first answer.
fn going_on(mut blocks: Vec<Block>) -> [Arc<Message>; 2] {
    let mut results: Vec<_> = blocks.iter().filter_map(refused).collect();
    if results.is_empty() {
        let (id, name, input) = ("call_made_up".to_owned(), "Read".to_owned(), json!({ "file_path": "greeting.txt" }));
        blocks.push(Block::ToolUse { id: id.clone(), name, input });
        results.push(UserPart::ToolResult { tool_use_id: id, content: "1\tGood morning.".to_owned(), is_error: false });
    }
    results.push(UserPart::Text { text: "What came of it?".to_owned() });
    [Message::Assistant(blocks).into(), Message::User(results).into()]
}

/// Shows one answer as it comes.
async fn answer(model: &dyn Model, request: Request) -> Result<Reply, Box<dyn Error>> {
    let mut out = std::io::stdout();
    let mut stream = model.ask(request);
    while let Some(delta) = stream.next().await {
        match delta? {
            Delta::Text(text) => write!(out, "{text}")?,
            Delta::Waiting(why) => writeln!(out, "[{why}]")?,
            Delta::Again(again) => writeln!(out, "[again after {} ms: {}]", again.after_ms, again.cause)?,
            Delta::Done(reply) => {
                writeln!(out, "\n[{:?}, {:?}]", reply.stop, reply.usage)?;
                for block in &reply.blocks {
                    writeln!(out, "[{}]", serde_json::to_string(block)?)?;
                }
                return Ok(reply);
            }
        }
        out.flush()?;
    }
    Err("the stream ended without an answer".into())
}

fn offered(tool: &Tool) -> ToolSpec {
    ToolSpec { name: tool.name.to_owned(), description: format!("`{}`", tool.name), input_schema: tool.schema() }
}

fn user(part: UserPart) -> Arc<Message> {
    Message::User(vec![part]).into()
}

fn refused(block: &Block) -> Option<UserPart> {
    match block {
        Block::ToolUse { id, .. } => Some(UserPart::ToolResult {
            tool_use_id: id.clone(),
            content: "Nothing is run here.".to_owned(),
            is_error: true,
        }),
        Block::Text { .. } | Block::Opaque { .. } => None,
    }
}
