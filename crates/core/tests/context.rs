//! `spec/context.md`: what is used of a window, when it is compacted, and what is left of a
//! conversation that does not fit.

mod machine;

use std::sync::Arc;

use machine::{Row, report, rows};
use planwright_core::attach::Attachment;
use planwright_core::bounds::{FILES_CARRIED, SHORTENED_TEXT_BYTES};
use planwright_core::context::{Shares, Window, shortened};
use planwright_core::prompts;
use planwright_core::reply::{Abilities, Stop, Usage};
use planwright_core::request::{Block, Message, Request, ToolSpec, UserPart};
use planwright_core::state::State;
use planwright_core::transcript::{Fact, Seen, Trigger};
use proptest::prelude::*;
use serde_json::json;

const PAGE: &str = include_str!("../spec/context.md");

fn number(row: &Row, column: &str) -> u64 {
    let cell = row.cell(column);
    cell.parse().unwrap_or_else(|_| panic!("line {}: `{cell}` in `{column}` is no number", row.line))
}

fn answer(bytes: usize, usage: Usage) -> Fact {
    let blocks = vec![Block::Text { text: "x".repeat(bytes) }];
    Fact::Assistant { blocks, stop: Stop::EndTurn, usage, model: "m".to_owned() }
}

fn user(bytes: usize) -> Fact {
    Fact::User { text: "x".repeat(bytes) }
}

/// The session in which as many bytes were said as `talk` says.
fn session(talk: &str, counted: Option<u64>) -> State {
    let parts: Vec<usize> = talk.split([' ', '+', '-']).filter_map(|part| part.parse().ok()).collect();
    let mut facts = vec![user(parts[0])];
    if let [_, answered, since] = parts[..] {
        // What a provider counts is spread over three fields.
        let third = counted.unwrap_or(0) / 3;
        let usage = Usage {
            input_tokens: third,
            cache_read_input_tokens: third,
            output_tokens: counted.map_or(7, |counted| counted - 2 * third),
            cache_creation_input_tokens: 0,
        };
        facts.push(answer(answered, usage));
        facts.push(user(since));
    }
    State::fold(&facts)
}

/// A provider may say any number: what is added up has an end, and the session goes on.
#[test]
fn false_counts_add_up_to_the_largest_there_is() {
    let most = u64::MAX;
    let usage = Usage {
        input_tokens: most,
        output_tokens: most,
        cache_creation_input_tokens: most,
        cache_read_input_tokens: most,
    };
    let state = State::fold(&[user(1), answer(1, usage), user(1), answer(1, usage), user(1)]);
    assert_eq!(state.usage().get("m"), Some(&usage));
    assert_eq!(state.tally().tokens(1), most);
}

#[test]
fn a_window_is_full_when_the_spec_says_so() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for row in rows(PAGE).iter().filter(|row| row.has("full at")) {
        checked += 1;
        let limit = Some(row.cell("window")).filter(|cell| *cell != "none").map_or(u64::MAX, |_| number(row, "window"));
        let abilities = Abilities { context_tokens: limit, output_tokens: number(row, "answer"), price: None };
        let state = session(row.cell("talk"), row.cell("counted").parse().ok());
        let (window, head) = (Window::of(&abilities), number(row, "head"));
        let (used, due) = (state.tally().tokens(head), window.compaction_due(state.tally(), head));
        let full_at = if limit == u64::MAX { "never".to_owned() } else { window.full_at.to_string() };
        let is = format!("{used} {full_at} {}", if due { "yes" } else { "no" });
        let wanted = format!("{} {} {}", row.cell("used"), row.cell("full at"), row.cell("compacted"));
        if is != wanted {
            wrong.push(format!("line {}: wanted {wanted}, is {is}", row.line));
        }
    }
    report(checked, 20, &wrong);
}

/// After a compaction only what is there now counts, and what was carried over makes no other due.
#[test]
fn a_compacted_conversation_begins_anew() {
    let compacted = Fact::Compacted {
        summary: "s".repeat(3_000),
        model: "m".to_owned(),
        usage: Usage { input_tokens: 190_000, ..Usage::default() },
        trigger: Trigger::Auto,
        tokens_before: 190_000,
    };
    let counted = Usage { input_tokens: 190_000, ..Usage::default() };
    let state = State::fold(&[user(10), answer(10, counted), compacted]);
    let tokens = state.tally().tokens(12_000);
    assert!((5_000..5_100).contains(&tokens), "{tokens}");
    let small = Abilities { context_tokens: 6_000, output_tokens: 1_000, price: None };
    assert!(!Window::of(&small).compaction_due(state.tally(), 12_000));
    assert_eq!(state.usage()["m"].input_tokens, 380_000, "what was spent stays spent");
}

#[test]
fn the_shares_add_up_and_notes_are_told_apart() {
    let note = Attachment::AutoModeExit {};
    let text = prompts::note(&note);
    let state = State::fold(&[user(900), Fact::Attachment { attachment: note }, answer(100, Usage::default())]);
    let tool = ToolSpec { name: "T".to_owned(), description: "d".repeat(197), input_schema: json!({}) };
    let request = Request {
        session_id: String::new(),
        agent: None,
        system: "s".repeat(300).into(),
        tools: [tool].into(),
        messages: state.messages().to_vec(),
        plan_file: None,
    };
    let all = 300 + 200 + 1_000 + text.len() as u64;
    let Shares { system, tools, notes, conversation } = Shares::of(all, &request, state.tally());
    assert_eq!((system, tools, notes, conversation), (300, 200, text.len() as u64, 1_000));
    let Shares { system, tools, notes, conversation } = Shares::of(10 * all + 7, &request, state.tally());
    assert_eq!(system + tools + notes + conversation, 10 * all + 7);
}

/// What the model is told of files is bounded, the latest first, and without the plan.
#[test]
fn the_files_in_play_are_the_latest() {
    let touched = |n: usize| Fact::ToolResult {
        tool_use_id: "t".to_owned(),
        tool: "Read".to_owned(),
        content: String::new(),
        is_error: false,
        seen: vec![Seen { path: format!("/p/{n}").into(), sha256: "d".to_owned() }],
    };
    let facts: Vec<_> = (0..100).chain([90, 95]).map(touched).collect();
    let Some(Attachment::CarriedOver { files, words: None, todos }) = State::fold(&facts).carried_over() else {
        panic!("files are carried over");
    };
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    assert_eq!(names[..4], ["/p/95", "/p/90", "/p/99", "/p/98"]);
    assert!(names.len() == FILES_CARRIED && todos.is_empty(), "{names:?}");
    assert_eq!(State::fold(&[user(3), Fact::TurnEnded { plan_missing: false }]).carried_over(), None);
}

fn text() -> impl Strategy<Value = String> {
    (0..5usize, "[aé漢]").prop_map(|(size, c)| c.repeat([0, 3, 150, 500, 3_000][size]))
}

fn message() -> impl Strategy<Value = Vec<Message>> {
    (text(), text(), text(), any::<bool>()).prop_map(|(said, input, content, opaque)| {
        let mut blocks = vec![Block::Text { text: said }];
        if opaque {
            blocks.insert(0, Block::Opaque { provider: "p".to_owned(), value: json!({"signature": "s"}) });
        }
        blocks.push(Block::ToolUse { id: "id".to_owned(), name: "Write".to_owned(), input: json!({"c": [input]}) });
        let result = UserPart::ToolResult { tool_use_id: "id".to_owned(), content, is_error: false };
        vec![Message::Assistant(blocks), Message::User(vec![result])]
    })
}

fn bytes(messages: &[Arc<Message>]) -> usize {
    serde_json::to_string(messages).map_or(0, |text| text.len())
}

proptest! {
    /// Whatever is left out: roles, calls and results stay, what is short stays whole, and a message
    /// behind the first one that was left as it is was left as it is too.
    #[test]
    fn a_shortened_conversation_keeps_its_shape(all in prop::collection::vec(message(), 0..8), limit in 0..40_000u64) {
        let messages: Vec<_> = all.into_iter().flatten().map(Arc::new).collect();
        let shorter = shortened(&messages, limit);
        prop_assert_eq!(messages.len(), shorter.len());
        let mut whole = false;
        for (before, after) in messages.iter().zip(&shorter) {
            whole |= Arc::ptr_eq(before, after);
            prop_assert_eq!(whole, Arc::ptr_eq(before, after));
            match (&**before, &**after) {
                (Message::Assistant(before), Message::Assistant(after)) => {
                    prop_assert_eq!(before.len(), after.len());
                    let Some(Block::ToolUse { id, name, .. }) = after.last() else {
                        return Err(TestCaseError::fail("a call is gone"));
                    };
                    prop_assert_eq!((id.as_str(), name.as_str()), ("id", "Write"));
                }
                (Message::User(_), Message::User(after)) => {
                    let [UserPart::ToolResult { tool_use_id, content, .. }] = &after[..] else {
                        return Err(TestCaseError::fail("a result is gone"));
                    };
                    prop_assert_eq!(tool_use_id, "id");
                    prop_assert!(whole || content.len() < SHORTENED_TEXT_BYTES + 60);
                }
                _ => return Err(TestCaseError::fail("another role")),
            }
        }
        prop_assert!(bytes(&shorter) <= bytes(&messages) + 60 * messages.len());
        prop_assert_eq!(shortened(&messages, u64::MAX).iter().zip(&messages).filter(|(a, b)| Arc::ptr_eq(a, b)).count(), messages.len());
    }
}
