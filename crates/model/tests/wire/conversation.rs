//! The conversation that every wire writes down: what holds for it, whatever the session went through.

use std::borrow::Cow;
use std::collections::HashSet;

use planwright_core::prompts;
use planwright_core::request::{AgentRef, Block, Message, Request, UserPart};
use planwright_model::conversation::{Ids, Names, Part, Rules, Turn, input, turns, wire_id, wire_name};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{call, none_wrong, opaque, request, result, said, text_part, tool, user};

const OWN: &str = "anthropic:claude-opus-5-5";

fn never(_: &[Part<'_>]) -> bool {
    false
}

fn written(messages: Vec<Message>) -> Vec<String> {
    let request = request(messages);
    turns(&request, Rules { own: OWN, goes_on: never }).iter().map(shown).collect()
}

fn shown(turn: &Turn<'_>) -> String {
    match turn {
        Turn::User { results, texts } => {
            let results = results.iter().map(|result| {
                let sort = if result.is_error { "error" } else { "result" };
                format!("{sort} of {} {}: {}", result.name, result.id, result.content)
            });
            format!(
                "user: {}",
                results.chain(texts.iter().map(|text| (*text).to_owned())).collect::<Vec<_>>().join(" | ")
            )
        }
        Turn::Assistant(parts) => {
            let parts = parts.iter().map(|part| match part {
                Part::Text(text) => (*text).to_owned(),
                Part::Call { id, name, input } => format!("{name} {id} {input}"),
                Part::Opaque(value) => value.to_string(),
            });
            format!("assistant: {}", parts.collect::<Vec<_>>().join(" | "))
        }
    }
}

#[test]
fn results_stand_first_and_in_the_order_of_the_calls() {
    let calls = vec![call("a", "Read", json!({})), call("b", "Read", json!({}))];
    let heard = Message::User(vec![text_part("said meanwhile"), result("b", "two"), result("a", "one")]);
    assert_eq!(
        written(vec![user("go"), Message::Assistant(calls), heard]),
        [
            "user: go",
            "assistant: Read a {} | Read b {}",
            "user: result of Read a: one | result of Read b: two | said meanwhile"
        ]
    );
}

/// Trap 4: a call without a result is refused by the provider, and so is a result without a call.
#[test]
fn every_call_is_answered_once_and_nothing_else_is() {
    let calls = vec![call("a", "Read", json!({})), call("b", "Read", json!({}))];
    let none = prompts::no_result();
    assert_eq!(
        written(vec![user("go"), Message::Assistant(calls), Message::User(vec![result("b", "two"), result("z", "?")])]),
        [
            "user: go".to_owned(),
            "assistant: Read a {} | Read b {}".to_owned(),
            format!("user: error of Read a: {none} | result of Read b: two")
        ]
    );
}

#[test]
fn an_answer_that_was_cut_is_never_the_last_word() {
    let cut = || Message::Assistant(vec![said("The ans")]);
    let go_on = prompts::go_on();
    assert_eq!(written(vec![user("go"), cut()]).last().unwrap(), &format!("user: {go_on}"));
    assert_eq!(
        written(vec![user("go"), cut(), Message::Assistant(vec![said("wer.")]), user("ok")]),
        [
            "user: go".to_owned(),
            "assistant: The ans".into(),
            format!("user: {go_on}"),
            "assistant: wer.".into(),
            "user: ok".into()
        ]
    );
}

#[test]
fn a_call_that_is_the_last_word_is_answered() {
    let asked = written(vec![user("go"), Message::Assistant(vec![call("a", "Read", json!({}))])]);
    assert_eq!(asked.last().unwrap(), &format!("user: error of Read a: {}", prompts::no_result()));
}

/// Trap 24: what another model thought is not shown to this one.
#[test]
fn what_other_models_thought_is_left_out() {
    let thought = |provider| opaque(provider, json!({"t": provider}));
    let mixed = Message::Assistant(vec![thought("openai:gpt"), thought(OWN), said("hm")]);
    let foreign = Message::Assistant(vec![thought("openai:gpt")]);
    assert_eq!(
        written(vec![user("go"), mixed, user("on"), foreign, user("and")]),
        ["user: go", "assistant: {\"t\":\"anthropic:claude-opus-5-5\"} | hm", "user: on | and"]
    );
}

#[test]
fn a_conversation_begins_with_the_user() {
    let begun = written(vec![Message::Assistant(vec![said("hello")]), user("go")]);
    assert_eq!(begun, [format!("user: {}", prompts::go_on()), "assistant: hello".into(), "user: go".into()]);
    assert_eq!(written(Vec::new()), [format!("user: {}", prompts::go_on())]);
}

/// Trap 7: an answer that its provider paused is sent back as it is.
#[test]
fn a_paused_answer_goes_back_as_it_is() {
    let request = request(vec![user("go"), Message::Assistant(vec![opaque(OWN, json!({"type": "server_tool_use"}))])]);
    let paused = |parts: &[Part<'_>]| matches!(parts, [Part::Opaque(_)]);
    assert!(matches!(turns(&request, Rules { own: OWN, goes_on: paused }).last(), Some(Turn::Assistant(_))));
}

/// Traps 21 and 24: ids and names of any provider, in the alphabet of all.
#[test]
fn ids_and_names_fit_every_alphabet() {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let mut wrong = Vec::new();
    for odd in ["", "a b", "functions.Read:0", "mcp.docs/search", "ü", "9lives", "-x", &"x".repeat(200), "call_|fc_"] {
        let (id, name) = (wire_id(odd), wire_name(odd));
        if !plain(&id) || id.is_empty() || id.len() > 40 {
            wrong.push(format!("id {odd:?}: {id}"));
        }
        let first = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        if !plain(&name) || !first || name.len() > 64 {
            wrong.push(format!("name {odd:?}: {name}"));
        }
        if wire_id(&id) != id || wire_name(&name) != name {
            wrong.push(format!("{odd:?}: not the same when written twice"));
        }
    }
    none_wrong(&wrong);
    assert!(matches!(wire_id("toolu_01A-b"), Cow::Borrowed(_)));
    assert!(matches!(wire_name("mcp__docs__search"), Cow::Borrowed(_)));
    assert_ne!(wire_name(&"x".repeat(65)), wire_name(&"x".repeat(66)));
    assert_eq!(wire_name("mcp.docs/search"), "t_mcp_docs_search_f0a80154");
}

#[test]
fn names_come_back_as_ours() {
    let names = Names::of(&[tool("Read"), tool("mcp.docs/search")]);
    assert_eq!(names.ours("Read"), "Read");
    assert_eq!(names.ours(&wire_name("mcp.docs/search")), "mcp.docs/search");
    assert_eq!(names.ours("Reed"), "Reed", "a tool that nobody offered keeps its name, and the model is told");
}

/// The same answer to the same request has the same ids again, so that a script replays it.
#[test]
fn ids_are_unique_in_the_session() {
    let asked = request(vec![user("go"), Message::Assistant(vec![call("call_1", "Read", json!({}))])]);
    let long = "x".repeat(1_000);
    let given = [Some("a"), Some("a"), None, Some(""), Some("call_1"), Some(&long), Some("call_5")];
    let unique = |asked: &Request| {
        let mut ids = Ids::of(asked);
        given.map(|id| ids.unique(id))
    };
    let first = unique(&asked);
    assert_eq!([&first[0], &first[6]], ["a", "call_5"], "a new id stays");
    let others = [
        Request { agent: Some(AgentRef { agent_type: "Explore".into(), instance: 0 }), ..asked.clone() },
        request(vec![user("go"), Message::Assistant(vec![call("call_1", "Read", json!({"limit": 1}))])]),
        request(vec![user("a summary"), Message::Assistant(vec![call("call_1", "Read", json!({}))]), user("go on")]),
    ];
    let made: HashSet<_> = others.iter().chain([&asked]).flat_map(|asked| unique(asked)[1..6].to_vec()).collect();
    assert_eq!(made.len(), 20, "of four requests, none has an id of another: {made:?}");
    assert!(made.iter().all(|id| wire_id(id) == *id), "made ids fit every provider: {made:?}");
    assert_eq!(unique(&asked), first, "the same answer to the same request has the same ids");
}

#[test]
fn an_input_is_what_the_model_wrote() {
    assert_eq!(input(""), json!({}));
    assert_eq!(input(" \n"), json!({}));
    assert_eq!(input("{\"a\": 1}"), json!({"a": 1}));
    assert_eq!(input("[1]"), json!([1]), "no object, and the model is told");
    assert_eq!(input("{\"a\": "), Value::String("{\"a\": ".into()));
    assert_eq!(input("null"), json!({}));
    assert_eq!(input(r#""{\"a\": 1}""#), json!({"a": 1}), "encoded twice");
    assert_eq!(input(r#""a""#), json!("a"), "a text is no object");
}

fn any_block() -> impl Strategy<Value = Block> {
    prop_oneof![
        "[ab ]{0,3}".prop_map(|text| said(&text)),
        ("[a-d.]{0,2}", "[A-C/]{0,2}").prop_map(|(id, name)| call(&id, &name, json!({"x": id}))),
        "[a-d]{0,2}".prop_map(|id| call(&id, "Read", Value::String("{".into()))),
        Just(opaque(OWN, json!({"type": "thinking"}))),
        Just(opaque("gemini:x", json!({"type": "thinking"}))),
    ]
}

fn any_part() -> impl Strategy<Value = UserPart> {
    prop_oneof!["[ab ]{0,3}".prop_map(|text| text_part(&text)), "[a-d.]{0,2}".prop_map(|id| result(&id, "done"))]
}

fn any_message() -> impl Strategy<Value = Message> {
    prop_oneof![
        proptest::collection::vec(any_block(), 0..6).prop_map(Message::Assistant),
        proptest::collection::vec(any_part(), 0..6).prop_map(Message::User),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// What a provider would refuse is never written, whatever stands in a session.
    #[test]
    fn any_session_is_a_conversation_that_providers_take(messages in proptest::collection::vec(any_message(), 0..12)) {
        let request = request(messages);
        let turns = turns(&request, Rules { own: OWN, goes_on: never });
        let of_user = |turn: Option<&Turn<'_>>| matches!(turn, Some(Turn::User { .. }));
        prop_assert!(of_user(turns.first()) && of_user(turns.last()));
        for pair in turns.windows(2) {
            match pair {
                [Turn::Assistant(parts), Turn::User { results, .. }] => {
                    let calls = parts.iter().filter_map(|part| match part {
                        Part::Call { id, input, .. } => Some((id, input.is_object())),
                        Part::Text(_) | Part::Opaque(_) => None,
                    });
                    let (ids, objects): (Vec<_>, Vec<_>) = calls.unzip();
                    prop_assert!(objects.into_iter().all(|object| object));
                    prop_assert_eq!(ids, results.iter().map(|result| &result.id).collect::<Vec<_>>());
                    prop_assert!(!parts.is_empty());
                }
                [Turn::User { results, texts }, Turn::Assistant(_)] => {
                    prop_assert!(!results.is_empty() || !texts.is_empty());
                    prop_assert!(texts.iter().all(|text| !text.trim().is_empty()));
                }
                _ => prop_assert!(false, "two turns of the same side"),
            }
        }
    }
}
