//! How much of each request the one before it had sent already.

use planwright_core::request::{Message, Request, UserPart};
use serde_json::json;

/// One request of the main thread.
pub struct Sent {
    /// The human turn it belongs to, from 1.
    pub turn: usize,
    /// Its bytes, as provider-neutral JSON: system prompt, tools, messages.
    pub bytes: usize,
    /// Bytes that its beginning has in common with the request before it.
    pub repeated: usize,
    /// Bytes of the request before it, up to the end of its last message.
    pub before: usize,
}

/// What was sent, request by request. A human turn begins with words that are no note.
pub fn sent(requests: &[Request]) -> Vec<Sent> {
    let (mut sent, mut last) = (Vec::new(), String::new());
    for request in requests.iter().filter(|request| request.agent.is_none()) {
        let body = body(request);
        let repeated = body.bytes().zip(last.bytes()).take_while(|(one, other)| one == other).count();
        let before = last.len().saturating_sub("]}".len());
        sent.push(Sent { turn: human_turns(request), bytes: body.len(), repeated, before });
        last = body;
    }
    sent
}

fn body(request: &Request) -> String {
    // The keys in the order in which caches read them.
    let [system, tools, messages] = [json!(request.system), json!(request.tools), json!(request.messages)];
    format!("{{\"system\":{system},\"tools\":{tools},\"messages\":{messages}}}")
}

fn human_turns(request: &Request) -> usize {
    let spoken = |part: &UserPart| matches!(part, UserPart::Text { text } if !text.starts_with("<planwright-note"));
    let said = |message: &Message| match message {
        Message::User(parts) => parts.iter().any(spoken),
        Message::Assistant(_) => false,
    };
    request.messages.iter().filter(|message| said(message)).count()
}
