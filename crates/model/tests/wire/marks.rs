//! The prompt cache's marks: over any growing session each request finds what the one before wrote.

use std::sync::Arc;

use planwright_core::request::{Message, Request};
use planwright_model::anthropic::marks::LOOK_BACK;
use planwright_model::wire::Wire;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{anthropic, call, opaque, request, result, said, text_part};

/// What happens between two requests.
#[derive(Clone, Debug)]
enum Step {
    /// The model answers with so many blocks and calls; all calls are answered, and so many texts
    /// follow.
    Answered { words: usize, calls: usize, texts: usize },
    /// The request failed, and so many things were said.
    Failed { texts: usize },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..4_usize, 0..60_usize, 1..4_usize).prop_map(|(words, calls, texts)| Step::Answered { words, calls, texts }),
        (0..2 * LOOK_BACK).prop_map(|texts| Step::Failed { texts }),
    ]
}

fn grow(messages: &mut Vec<Message>, step: &Step, number: usize) {
    match step {
        Step::Answered { words, calls, texts } => {
            let id = |at| format!("call_{number}_{at}");
            let thought = json!({"type": "thinking", "thinking": "", "signature": "s"});
            let mut blocks = vec![opaque("anthropic:claude-opus-5-5", thought), opaque("openai:x", json!({}))];
            blocks.extend((0..*words).map(|_| said("word")));
            blocks.extend((0..*calls).map(|at| call(&id(at), "Read", json!({"at": at}))));
            messages.push(Message::Assistant(blocks));
            let mut parts: Vec<_> = (0..*calls).map(|at| result(&id(at), "done")).collect();
            parts.extend((0..*texts).map(|at| text_part(&format!("text {number} {at}"))));
            messages.push(Message::User(parts));
        }
        Step::Failed { texts } => {
            let Some(Message::User(parts)) = messages.last_mut() else { panic!("a request ends with the user") };
            parts.extend((0..*texts).map(|at| text_part(&format!("more {number} {at}"))));
        }
    }
}

/// The blocks of a request as the provider sees them, without their marks, and where the marks are.
fn blocks(request: &Request) -> (Vec<String>, Vec<usize>) {
    let wire: Arc<dyn Wire> = anthropic("claude-opus-5-5", "http://localhost");
    let body: Value = serde_json::from_str(&wire.outgoing(request).body).unwrap();
    let (mut blocks, mut marks) = (Vec::new(), Vec::new());
    let parts = ["tools", "system"].into_iter().flat_map(|part| body[part].as_array().cloned().unwrap_or_default());
    let messages = body["messages"].as_array().unwrap().iter();
    let said = messages.flat_map(|message| message["content"].as_array().unwrap().clone());
    for mut block in parts.chain(said) {
        if block.as_object_mut().unwrap().shift_remove("cache_control").is_some() {
            marks.push(blocks.len());
        }
        blocks.push(block.to_string());
    }
    (blocks, marks)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_growing_session_reads_all_that_it_wrote(steps in proptest::collection::vec(step(), 1..12)) {
        let mut messages = vec![Message::User(vec![text_part("first")])];
        let (mut known, mut written) = blocks(&request(messages.clone()));
        for (number, step) in steps.iter().enumerate() {
            grow(&mut messages, step, number);
            let (now, marks) = blocks(&request(messages.clone()));
            prop_assert!(marks.len() <= 4, "{} marks", marks.len());
            prop_assert!(now.starts_with(&known), "what was sent has changed");
            let last = *written.last().expect("there is a mark");
            let found = marks.iter().any(|mark| (last..last + LOOK_BACK).contains(mark));
            prop_assert!(found, "{:?}: the mark {} is not found from {:?}", step, last, marks);
            prop_assert_eq!(marks.last(), Some(&(now.len() - 1)), "the newest block is not marked");
            (known, written) = (now, marks);
        }
    }
}

#[test]
fn tools_and_system_have_a_mark_of_their_own() {
    let asked = request(vec![Message::User(vec![text_part("first")])]);
    assert_eq!(blocks(&asked).1, [2, 3], "two tools, the system, and the first words");
    let without_system = Request { system: "".into(), ..asked };
    assert_eq!(blocks(&without_system).1, [1, 2], "the last tool, and the first words");
}
