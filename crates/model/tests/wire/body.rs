//! What is sent, for a person to read: `tests/bodies/*.json` hold the whole body of a request.

use std::fs;
use std::path::Path;

use planwright_core::request::{Message, UserPart};
use serde_json::{Value, json};

use super::{anthropic, call, none_wrong, opaque, request, result, said, text_part, user};

/// A session that went through everything: thinking, parallel calls, an error, another provider, an
/// answer that was cut, empty texts, calls that nobody answered.
fn eventful() -> Vec<Message> {
    let thought = json!({"type": "thinking", "thinking": "Two files.\n", "signature": "EqQB+/=="});
    let hidden = json!({"type": "redacted_thinking", "data": "EmwKAhgB"});
    vec![
        user("Read a and b."),
        Message::Assistant(vec![
            opaque("anthropic:claude-opus-5-5", thought),
            opaque("anthropic:claude-opus-5-5", hidden),
            said(""),
            said("I read both."),
            call("toolu_01", "Read", json!({"file_path": "a", "limit": 10})),
            call("toolu_02", "Read", json!({"file_path": "b"})),
        ]),
        Message::User(vec![
            UserPart::ToolResult { tool_use_id: "toolu_02".into(), content: "No such file.".into(), is_error: true },
            text_part("Said while you worked."),
            result("toolu_01", "alpha"),
        ]),
        Message::Assistant(vec![
            opaque("gemini:gemini-3-pro", json!({"thoughtSignature": "abc"})),
            call("functions.search:0", "mcp.docs/search", json!({"query": "x"})),
        ]),
        Message::User(vec![result("functions.search:0", " ")]),
        Message::Assistant(vec![said("The answer is")]),
        Message::Assistant(vec![call("toolu_03", "Read", Value::String("{\"file_path\": ".into()))]),
        Message::User(vec![text_part("  \n"), text_part("Go on with b.")]),
        Message::User(vec![text_part("And c.")]),
    ]
}

#[test]
fn bodies_are_what_stands_in_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bodies");
    let mut wrong = Vec::new();
    for (file, wire) in [
        ("anthropic-adaptive.json", anthropic("claude-opus-5-5", "http://localhost")),
        ("anthropic-budget.json", anthropic("claude-haiku-4-5", "http://localhost")),
    ] {
        let outgoing = wire.outgoing(&request(eventful()));
        let body: Value = serde_json::from_str(&outgoing.body).unwrap();
        let sent = format!("{}\n", serde_json::to_string_pretty(&body).unwrap());
        if fs::read_to_string(folder.join(file)).unwrap_or_default() != sent {
            wrong.push(format!("{file} is not what is sent:\n{sent}"));
        }
    }
    none_wrong(&wrong);
}

#[test]
fn an_address_is_put_together() {
    let wire = anthropic("claude-opus-5-5", "http://localhost:1/gate");
    let asked = request(vec![user("Hello.")]);
    assert_eq!(wire.outgoing(&asked).url, "http://localhost:1/gate/v1/messages");
    assert_eq!(wire.outgoing(&asked).headers, [("anthropic-version", "2023-06-01".to_owned())]);
    let count = wire.count(&asked).unwrap();
    assert_eq!(count.url, "http://localhost:1/gate/v1/messages/count_tokens");
    assert_eq!(wire.counted(&json!({"input_tokens": 14})), Some(14));
}

/// The provider counts the same conversation; it refuses what only an answer needs.
#[test]
fn a_count_is_of_the_same_conversation() {
    let wire = anthropic("claude-opus-5-5", "http://localhost");
    let asked = request(eventful());
    let mut answer: Value = serde_json::from_str(&wire.outgoing(&asked).body).unwrap();
    let count: Value = serde_json::from_str(&wire.count(&asked).unwrap().body).unwrap();
    let object = answer.as_object_mut().unwrap();
    object.shift_remove("max_tokens");
    object.shift_remove("stream");
    assert_eq!(answer, count);
}

/// Byte for byte: what the model thought goes back in the same words, and in its place.
#[test]
fn thinking_goes_back_as_it_came() {
    let raw =
        r#"{"type":"thinking","thinking":"é \"漢\" \\ \/ \n\t","signature":"a+/=","new_field":{"z":1,"a":[1.50,2e3]}}"#;
    let value: Value = serde_json::from_str(raw).unwrap();
    let own = opaque("anthropic:claude-opus-5-5", value.clone());
    let asked = request(vec![user("Go."), Message::Assistant(vec![own, said("Yes.")]), user("On.")]);
    let body: Value = serde_json::from_str(&anthropic("claude-opus-5-5", "http://x").outgoing(&asked).body).unwrap();
    assert_eq!(body["messages"][1]["content"][0], value);
    let other: Value = serde_json::from_str(&anthropic("claude-sonnet-5-5", "http://x").outgoing(&asked).body).unwrap();
    assert_eq!(other["messages"][1]["content"], json!([{"type": "text", "text": "Yes."}]));
}

/// With a budget, a turn that another model began must be ended without thinking; the next one thinks.
#[test]
fn a_budget_of_thinking_is_left_out_where_it_would_be_refused() {
    let thinks = |messages| {
        let body = anthropic("claude-haiku-4-5", "http://x").outgoing(&request(messages)).body;
        serde_json::from_str::<Value>(&body).unwrap().get("thinking").is_some()
    };
    let own = || opaque("anthropic:claude-haiku-4-5", json!({"type": "thinking", "thinking": "", "signature": "s"}));
    let foreign = || opaque("anthropic:claude-opus-5-5", json!({"type": "thinking", "thinking": "", "signature": "s"}));
    let calls = |thought| Message::Assistant(vec![thought, call("c1", "Read", json!({}))]);
    let results = || Message::User(vec![result("c1", "x")]);
    assert!(thinks(vec![user("Go.")]));
    assert!(thinks(vec![user("Go."), calls(own()), results()]));
    assert!(thinks(vec![
        user("Go."),
        calls(own()),
        results(),
        Message::Assistant(vec![call("c2", "Read", json!({}))]),
        Message::User(vec![result("c2", "x")])
    ]));
    assert!(!thinks(vec![user("Go."), calls(foreign()), results()]));
    assert!(thinks(vec![user("Go."), calls(foreign()), results(), Message::Assistant(vec![said("So.")]), user("On.")]));
}
