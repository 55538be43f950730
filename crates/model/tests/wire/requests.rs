//! What is sent, as files a person can read (`tests/requests/PROVIDER.json`), and what holds for the
//! bodies of every wire.

use std::fs;
use std::path::Path;

use planwright_core::reply::Delta;
use planwright_core::request::{Block, Message, Request, UserPart};
use planwright_model::incoming::Incoming;
use serde_json::{Value, json};

use super::{OTHERS, call, none_wrong, opaque, request, result, said, text_part, user, wire};

/// What each provider has its models keep for themselves, in front of the call or text it is about.
fn kept(provider: &str) -> Option<Value> {
    Some(match provider {
        "openai" => json!({"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "ZW5j"}),
        "gemini" => json!({"functionCall": {"name": "Read", "id": "call_a"}, "thoughtSignature": "c2ln"}),
        "deepseek" => json!({"reasoning_content": "I must look."}),
        "openrouter" => {
            json!({"reasoning_details": [{"type": "reasoning.text", "text": "Look.", "signature": "c2ln"}]})
        }
        _ => return None,
    })
}

/// A conversation with all that can be in one.
pub fn conversation(provider: &str, model: &str) -> Vec<Message> {
    let id = format!("{provider}:{model}");
    let kept = kept(provider).map(|value| opaque(&id, value));
    let looks = kept.into_iter().chain([
        call("call_a", "Read", json!({"file_path": "a"})),
        call("chatcmpl-tool-0123456789abcdef0123456789abcdef", "mcp.docs/search", Value::String("{\"q\":".to_owned())),
    ]);
    let failed = UserPart::ToolResult {
        tool_use_id: "chatcmpl-tool-0123456789abcdef0123456789abcdef".to_owned(),
        content: "The input is not valid.".to_owned(),
        is_error: true,
    };
    vec![
        user("Plan it."),
        Message::Assistant([said("I look.")].into_iter().chain(looks).collect()),
        Message::User(vec![result("call_a", "1\tone"), failed, text_part("A note.")]),
        Message::Assistant(vec![said("Done.")]),
        Message::User(vec![text_part("And now?"), text_part("Another note.")]),
    ]
}

fn body(provider: &str, model: &str, request: &Request) -> Value {
    serde_json::from_str(&wire(provider, model, "http://localhost").outgoing(request).body).unwrap()
}

#[test]
fn bodies_are_as_in_their_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/requests");
    let mut wrong = Vec::new();
    for (provider, model) in OTHERS {
        let outgoing = wire(provider, model, "http://localhost").outgoing(&request(conversation(provider, model)));
        let body: Value = serde_json::from_str(&outgoing.body).unwrap();
        let sent = format!("POST {}\n\n{body:#}\n", outgoing.url);
        let file = folder.join(format!("{provider}.json"));
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if sent != expected {
            wrong.push(format!("--- {}\n{sent}", file.display()));
        }
    }
    none_wrong(&wrong);
}

/// Providers cache by prefix: all but the end of the body stays as it was when a turn is added.
#[test]
fn a_longer_conversation_begins_with_the_bytes_of_the_shorter() {
    let mut wrong = Vec::new();
    for (provider, model) in OTHERS {
        let wire = wire(provider, model, "http://localhost");
        let all = conversation(provider, model);
        let long = wire.outgoing(&request(all.clone())).body;
        for turns in [1, 3] {
            let short = wire.outgoing(&request(all[..turns].to_vec())).body;
            let stem = short.strip_suffix("]}").unwrap();
            if !long.starts_with(stem) {
                wrong.push(format!("{provider} after {turns} messages"));
            }
        }
    }
    none_wrong(&wrong);
}

/// DeepSeek answers 400 to a call without `reasoning_content`, also to one that another model made.
#[test]
fn deepseek_has_reasoning_beside_every_call_and_nowhere_else() {
    let look = |id: &str| Message::Assistant(vec![call(id, "Read", json!({}))]);
    let messages = vec![
        user("Look."),
        look("call_a"),
        Message::User(vec![result("call_a", "…")]),
        Message::Assistant(vec![
            opaque("deepseek:deepseek-chat", json!({"reasoning_content": "It is there."})),
            said("There."),
        ]),
        user("Again."),
    ];
    let body = body("deepseek", "deepseek-chat", &request(messages));
    let fields: Vec<_> =
        body["messages"].as_array().unwrap().iter().map(|message| &message["reasoning_content"]).collect();
    assert_eq!(json!(fields), json!([null, null, "", null, null, null]));
}

/// Ollama cuts what is longer than its window and says nothing, so we do: once, when it begins.
#[test]
fn ollama_is_warned_of_once() {
    let long = Request { system: "word ".repeat(4_000).into(), ..request(vec![user("Plan it.")]) };
    let going_on = Request { messages: request(conversation("ollama", "qwen3:8b")).messages, ..long.clone() };
    let short = request(vec![user("Plan it.")]);
    let chunk = b"data: {\"choices\":[{\"delta\":{\"content\":\"Well\"}}]}\n\n";
    let warnings = |provider: &str, request: &Request| {
        let mut incoming = Incoming::new(wire(provider, "any", "http://localhost").assembly(request));
        let heard = [incoming.push(chunk), incoming.push(chunk)].concat();
        heard.iter().filter(|delta| matches!(delta, Ok(Delta::Waiting(_)))).count()
    };
    let counts = [
        warnings("ollama", &long),
        warnings("ollama", &going_on),
        warnings("ollama", &short),
        warnings("llamacpp", &long),
    ];
    assert_eq!(counts, [1, 0, 0, 0]);
}

/// A signature goes back on the part it came on, whether that is a text, a call or nothing.
#[test]
fn gemini_gets_its_parts_back() {
    let own = |value| opaque("gemini:gemini-3-pro-preview", value);
    let rows = [
        (vec![said("A")], json!([{"text": "A"}])),
        (
            vec![said("A"), own(json!({"thoughtSignature": "s"})), said("B")],
            json!([{"text": "A"}, {"thoughtSignature": "s", "text": "B"}]),
        ),
        (
            vec![said("A"), own(json!({"text": "", "thoughtSignature": "s"}))],
            json!([{"text": "A"}, {"text": "", "thoughtSignature": "s"}]),
        ),
        (
            vec![
                own(json!({"functionCall": {"name": "Read", "id": "c1"}, "thoughtSignature": "s"})),
                call("c1", "Read", json!({"file_path": "a"})),
                call("c2", "Read", json!({"file_path": "b"})),
            ],
            json!([
                {"functionCall": {"id": "c1", "name": "Read", "args": {"file_path": "a"}}, "thoughtSignature": "s"},
                {"functionCall": {"id": "c2", "name": "Read", "args": {"file_path": "b"}}},
            ]),
        ),
        (
            vec![call("c1", "Read", json!({})), call("c2", "Read", json!({}))],
            json!([
                {"functionCall": {"id": "c1", "name": "Read", "args": {}}, "thoughtSignature": "skip_thought_signature_validator"},
                {"functionCall": {"id": "c2", "name": "Read", "args": {}}},
            ]),
        ),
        // The call it was on is gone.
        (
            vec![own(json!({"functionCall": {"name": "Read"}, "thoughtSignature": "s"})), said("A")],
            json!([{"text": "A"}]),
        ),
    ];
    let mut wrong = Vec::new();
    for (blocks, expected) in rows {
        let messages = vec![user("Look."), Message::Assistant(blocks.clone()), user("And?")];
        let sent = body("gemini", "gemini-3-pro-preview", &request(messages))["contents"][1]["parts"].clone();
        if sent != expected {
            wrong.push(format!("{blocks:?}\n  wanted: {expected}\n  got:    {sent}"));
        }
    }
    none_wrong(&wrong);
}

/// Gemini before version 3 knows no signatures.
#[test]
fn an_older_gemini_is_told_of_no_signatures() {
    let messages = request(conversation("gemini", "gemini-3-pro-preview")).messages;
    let sent = body("gemini", "gemini-2.5-pro", &Request { messages, ..request(Vec::new()) }).to_string();
    assert!(!sent.contains("thoughtSignature"), "{sent}");
}

/// OpenAI refuses a thought that nothing follows.
#[test]
fn responses_leave_out_a_last_thought() {
    let thought = opaque("openai:gpt-5.2", json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "x"}));
    let messages = vec![
        user("Look."),
        Message::Assistant(vec![thought.clone(), said("A"), thought.clone()]),
        user("And?"),
        Message::Assistant(vec![thought]),
        user("Well?"),
    ];
    let body = body("openai", "gpt-5.2", &request(messages));
    let kinds: Vec<_> = body["input"].as_array().unwrap().iter().map(|item| &item["type"]).collect();
    assert_eq!(json!(kinds), json!(["message", "reasoning", "message", "message", "message"]));
}

/// A model that does not think refuses the fields of one that does.
#[test]
fn thinking_is_asked_of_models_that_think() {
    let asked = |model: &str| body("openai", model, &request(vec![user("Look.")]))["include"].clone();
    assert_eq!(asked("gpt-5.2"), json!(["reasoning.encrypted_content"]));
    assert_eq!(asked("gpt-4.1"), Value::Null);
}

/// The answer of one request is what the next one sends back: nothing of it is lost on the way.
#[test]
fn an_answer_goes_back_as_it_came() {
    let rows = [
        ("gemini", "gemini-3-pro-preview", "parallel_calls_first_signed", "\"thoughtSignature\":\"c2ln\""),
        ("gemini", "gemini-3-pro-preview", "signed_text", "\"thoughtSignature\":\"ZW5k\""),
        ("openai", "gpt-5.2", "reasoning_and_calls", "\"encrypted_content\":\"ZW5j\""),
        ("openai", "gpt-5.2", "phases", "\"phase\":\"commentary\""),
        ("openrouter", "anthropic/claude-sonnet-4.6", "reasoning_details", "\"signature\":\"c2ln\""),
        ("openrouter", "anthropic/claude-sonnet-4.6", "reasoning_as_text", "\"reasoning\":\"Hm.\""),
        ("deepseek", "deepseek-chat", "reasoning_and_a_call", "\"reasoning_content\":\"I must look.\""),
    ];
    let mut wrong = Vec::new();
    for (provider, model, stream, mark) in rows {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/streams/{provider}/{stream}.sse"));
        let asked = request(vec![user("Look.")]);
        let wire = wire(provider, model, "http://localhost");
        let mut incoming = Incoming::new(wire.assembly(&asked));
        let heard = [incoming.push(&fs::read(file).unwrap()), incoming.end()].concat();
        let Some(Ok(Delta::Done(reply))) = heard.into_iter().next_back() else { panic!("{stream} has no end") };
        let ids: Vec<_> = reply.blocks.iter().filter_map(id).collect();
        let results = ids.iter().map(|id| result(id, "…")).chain([text_part("Go on.")]).collect();
        let next = request(vec![user("Look."), Message::Assistant(reply.blocks), Message::User(results)]);
        let sent = wire.outgoing(&next).body;
        if !sent.contains(mark) {
            wrong.push(format!("{provider} {stream} lost {mark}: {sent}"));
        }
    }
    none_wrong(&wrong);
}

fn id(block: &Block) -> Option<String> {
    match block {
        Block::ToolUse { id, .. } => Some(id.clone()),
        Block::Text { .. } | Block::Opaque { .. } => None,
    }
}
