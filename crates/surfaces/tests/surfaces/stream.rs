//! Lines of JSON: notices in, lines out; a host's messages in, inputs out.

mod host;

use planwright_core::dialogue::{Input, Notice, Outcome, TurnEnd};
use planwright_core::mode::{Cause, Mode};
use planwright_core::reply::{Again, Spent, Stop, Usage};
use planwright_core::request::Block;
use planwright_core::transcript::Trigger;
use planwright_surfaces::stream::{Step, StreamFace, StreamOptions};
use serde_json::{Value, json};

use super::check;

fn options() -> StreamOptions {
    StreamOptions { cwd: "/p".into(), model: "script:s".to_owned(), version: "1.2.3", ..StreamOptions::default() }
}

fn face_with(options: StreamOptions) -> StreamFace {
    let mut count = 0;
    let ids = Box::new(move || {
        count += 1;
        format!("id{count}")
    });
    let mut face = StreamFace::new(options, ids);
    let step = face.hear(&Notice::Session { session_id: "s1".to_owned(), mode: Mode::Plan }, 0);
    assert_eq!(step.lines.len(), 1, "a session begins with one line");
    face
}

/// A face of a session that waits for words.
fn idle() -> StreamFace {
    let mut face = face_with(options());
    let step = face.hear(&Notice::Idle, 0);
    assert!(step.lines.is_empty() && step.inputs.is_empty());
    face
}

fn read(face: &mut StreamFace, line: &Value) -> Step {
    face.read(Some(&line.to_string()), 0)
}

/// A step without the ids that every line has.
fn lines(step: &Step) -> Vec<Value> {
    let bare = |line: &Value| {
        let mut line = line.clone();
        if let Some(object) = line.as_object_mut() {
            object.remove("uuid");
            object.remove("session_id");
        }
        line
    };
    step.lines.iter().map(bare).collect()
}

fn user(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": null, "session_id": ""})
}

fn called(tool: &str, input: Value) -> Notice {
    Notice::ToolCalled { agent: None, id: "t1".to_owned(), tool: tool.to_owned(), argument: String::new(), input }
}

#[test]
fn a_session_begins_with_what_it_is() {
    let mut face = StreamFace::new(options(), Box::new(|| "u".to_owned()));
    let step = face.hear(&Notice::Session { session_id: "s1".to_owned(), mode: Mode::Plan }, 0);
    let line = &step.lines[0];
    for (field, wanted) in [
        ("type", json!("system")),
        ("subtype", json!("init")),
        ("cwd", json!("/p")),
        ("session_id", json!("s1")),
        ("uuid", json!("u")),
        ("model", json!("script:s")),
        ("permissionMode", json!("plan")),
        ("mcp_servers", json!([])),
        ("claude_code_version", json!("1.2.3")),
    ] {
        assert_eq!(line[field], wanted, "{field}");
    }
    let names = |field: &str| line[field].as_array().expect("a list").clone();
    assert!(names("tools").contains(&json!("ExitPlanMode")) && names("slash_commands").contains(&json!("plan")));
}

#[test]
fn every_notice_has_its_line_or_none() {
    let tokens = Usage { input_tokens: 5, output_tokens: 1, ..Usage::default() };
    let call = Block::ToolUse { id: "t1".to_owned(), name: "Read".to_owned(), input: json!({"file_path": "a"}) };
    let opaque = |value| Block::Opaque { provider: "p".to_owned(), value };
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "sig"});
    let blocks = vec![
        opaque(thinking.clone()),
        opaque(json!({"type": "reasoning", "encrypted_content": "x"})),
        Block::Text { text: "Looking.".to_owned() },
        call,
    ];
    let agent = || Some("a1".to_owned());
    let again = Again { attempt: 2, of: 10, after_ms: 1500, cause: "busy".to_owned() };
    let rows: Vec<(Notice, Vec<Value>)> = vec![
        (Notice::TextDelta("Look".to_owned()), vec![]),
        (
            Notice::Answered { agent: None, model: "m".to_owned(), blocks, stop: Stop::ToolUse, usage: tokens },
            vec![json!({"type": "assistant", "parent_tool_use_id": null, "message": {
                "id": "msg_id2", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
                "stop_sequence": null, "usage": tokens, "content": [
                    thinking,
                    {"type": "text", "text": "Looking."},
                    {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a"}},
                ],
            }})],
        ),
        (
            Notice::ToolFinished {
                agent: None,
                id: "t1".to_owned(),
                tool: "Read".to_owned(),
                content: "one".to_owned(),
                is_error: false,
                diff: None,
                scratch: true,
            },
            vec![json!({"type": "user", "parent_tool_use_id": null, "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "one", "is_error": false}]}})],
        ),
        (Notice::AgentStarted { agent: "a1".to_owned(), tool_use_id: "t9".to_owned() }, vec![]),
        (
            Notice::ToolFinished {
                agent: agent(),
                id: "t2".to_owned(),
                tool: "Bash".to_owned(),
                content: "no".to_owned(),
                is_error: true,
                diff: None,
                scratch: false,
            },
            vec![json!({"type": "user", "parent_tool_use_id": "t9", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t2", "content": "no", "is_error": true}]}})],
        ),
        (
            Notice::Refused {
                agent: agent(),
                id: "t2".to_owned(),
                tool: "Bash".to_owned(),
                input: json!({}),
                by: "gate".to_owned(),
                message: "no".to_owned(),
            },
            vec![json!({"type": "system", "subtype": "permission_denied", "tool_name": "Bash", "tool_use_id": "t2",
                "agent_id": "a1", "decision_reason": "gate", "message": "no"})],
        ),
        (
            Notice::Again { agent: None, again },
            vec![
                json!({"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 9, "retry_delay_ms": 1500,
                "error_status": null, "error": "unknown", "message": "busy"}),
            ],
        ),
        (
            Notice::ModeChanged { from: Mode::Plan, to: Mode::AcceptEdits, cause: Cause::Approval },
            vec![json!({"type": "system", "subtype": "status", "status": null, "permissionMode": "acceptEdits"})],
        ),
        (
            Notice::Compacted { agent: None, trigger: Trigger::Auto, tokens_before: 900, tokens_after: 20 },
            vec![json!({"type": "system", "subtype": "compact_boundary",
                "compact_metadata": {"trigger": "auto", "pre_tokens": 900, "post_tokens": 20}})],
        ),
        (Notice::Said("words".to_owned()), vec![]),
    ];
    let mut face = face_with(options());
    check(rows.into_iter().map(|(notice, wanted)| {
        let got = lines(&face.hear(&notice, 0));
        let shown = if got == wanted { json!(wanted) } else { json!(got) };
        (format!("{notice:?}"), json!(wanted).to_string(), shown.to_string())
    }));
}

/// The kinds of events, and what the pieces come to.
#[test]
fn an_answer_as_it_arrives() {
    let mut face = face_with(StreamOptions { partial: true, ..options() });
    let mut events = Vec::new();
    let mut hear = |notice: Notice| events.extend(lines(&face.hear(&notice, 0)));
    hear(Notice::TextDelta("void".to_owned()));
    hear(Notice::Again { agent: None, again: Again { attempt: 2, of: 3, after_ms: 1, cause: "cut".to_owned() } });
    hear(Notice::TextDelta("Lo".to_owned()));
    hear(Notice::TextDelta("ok".to_owned()));
    let blocks = vec![
        Block::Text { text: "Look".to_owned() },
        Block::ToolUse { id: "t1".to_owned(), name: "Read".to_owned(), input: json!({"file_path": "a"}) },
    ];
    let (model, usage) = ("m".to_owned(), Usage::default());
    hear(Notice::Answered { agent: None, model, blocks, stop: Stop::ToolUse, usage });
    let said: Vec<_> = events
        .iter()
        .map(|line| {
            let event = &line["event"];
            let index = event["index"].as_u64().map(|index| index.to_string()).unwrap_or_default();
            let delta = event["delta"]["text"].as_str().or_else(|| event["delta"]["partial_json"].as_str());
            let kind = event["type"].as_str().or_else(|| line["type"].as_str()).unwrap_or_default();
            let id = line["message"]["id"].as_str().or_else(|| event["message"]["id"].as_str()).unwrap_or_default();
            [kind, &index, delta.unwrap_or_default(), id].join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .collect();
    let wanted = [
        "message_start msg_id2",
        "content_block_start 0",
        "content_block_delta 0 void",
        "system",
        "message_start msg_id7",
        "content_block_start 0",
        "content_block_delta 0 Lo",
        "content_block_delta 0 ok",
        "content_block_stop 0",
        "content_block_start 1",
        "content_block_delta 1 {\"file_path\":\"a\"}",
        "content_block_stop 1",
        "message_delta",
        "message_stop",
        "assistant msg_id7",
    ];
    assert_eq!(said, wanted, "{events:#?}");
}

#[test]
fn a_turn_ends_with_its_result() {
    let mut face = idle();
    let step = face.read(Some(&user("go").to_string()), 100);
    assert_eq!(step.inputs, [Input::Prompt("go".to_owned())]);
    let usage = Usage { input_tokens: 5, output_tokens: 1, ..Usage::default() };
    let answered = |stop| Notice::Answered { agent: None, model: "m".to_owned(), blocks: Vec::new(), stop, usage };
    let heard = [
        (Notice::TakenUp, 100),
        (Notice::TurnStarted, 100),
        (answered(Stop::ToolUse), 300),
        (called("ExitPlanMode", json!({})), 310),
        (Notice::Plan { path: "/plans/p.md".into(), text: "# P".to_owned(), waits: true }, 320),
    ];
    for (notice, now) in heard {
        let _lines = face.hear(&notice, now);
    }
    let end = TurnEnd {
        outcome: Outcome::PlanPending,
        text: "There.".to_owned(),
        requests: 1,
        usage,
        spent: vec![Spent { model: "m".to_owned(), usage, usd: Some(0.5) }],
    };
    let result = lines(&face.hear(&Notice::TurnEnded(end), 400)).pop().expect("a result");
    for (field, wanted) in [
        ("subtype", json!("plan_pending")),
        ("result", json!("# P")),
        ("plan", json!("# P")),
        ("plan_file", json!("/plans/p.md")),
        ("num_turns", json!(1)),
        ("duration_ms", json!(300)),
        ("duration_api_ms", json!(200)),
        ("stop_reason", json!("tool_use")),
    ] {
        assert_eq!(result[field], wanted, "{field}");
    }
    assert!(face.hear(&Notice::Idle, 500).lines.is_empty(), "one result for one message");
    // The next turn is counted by itself, and the models' tokens on and on.
    let _prompt = face.read(Some(&user("again").to_string()), 600);
    let _taken_up = face.hear(&Notice::TakenUp, 600);
    let _begun = (face.hear(&Notice::TurnStarted, 600), face.hear(&answered(Stop::EndTurn), 650));
    let end = TurnEnd {
        outcome: Outcome::Done,
        text: "Done.".to_owned(),
        requests: 1,
        usage,
        spent: vec![Spent { model: "m".to_owned(), usage, usd: Some(0.5) }],
    };
    let result = lines(&face.hear(&Notice::TurnEnded(end), 700)).pop().expect("a result");
    assert_eq!((&result["num_turns"], &result["result"]), (&json!(1), &json!("Done.")));
    assert_eq!(result["modelUsage"]["m"]["inputTokens"], json!(10));
    assert_eq!((&result["usage"]["input_tokens"], &result["total_cost_usd"]), (&json!(5), &json!(1.0)));
}

/// Messages wait for their turn; a command that comes to no turn has a result too.
#[test]
fn what_the_host_says_is_dealt_with_one_by_one() {
    let mut face = face_with(StreamOptions { replay: true, ..options() });
    let blocks = json!({"type": "user", "uuid": "u1", "message": {"role": "user", "content": [
        {"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}});
    assert!(read(&mut face, &blocks).inputs.is_empty(), "the session has not begun");
    assert!(read(&mut face, &user("/status")).inputs.is_empty());
    let verbatim = json!({"type": "user", "client_composed": true, "message": {"role": "user", "content": "/status"}});
    assert!(read(&mut face, &verbatim).inputs.is_empty());
    assert!(read(&mut face, &user("/statsu")).inputs.is_empty());
    let step = face.hear(&Notice::Idle, 0);
    assert_eq!(step.inputs, [Input::Prompt("one\n\ntwo".to_owned())]);
    assert_eq!((&step.lines[0]["uuid"], &step.lines[0]["isReplay"]), (&json!("u1"), &json!(true)));
    // What else was said may make the session idle again before it takes the message up.
    let early = face.hear(&Notice::Idle, 0);
    assert!(early.lines.is_empty() && early.inputs.is_empty(), "{early:?}");
    let _taken_up = face.hear(&Notice::TakenUp, 0);
    let end = TurnEnd { outcome: Outcome::Done, text: "ok".to_owned(), ..TurnEnd::begun() };
    let _result = face.hear(&Notice::TurnEnded(end.clone()), 0);
    let step = face.hear(&Notice::Idle, 0);
    assert_eq!(step.inputs, [Input::Command(planwright_core::command::Command::Status)]);
    let _taken_up = face.hear(&Notice::TakenUp, 0);
    let _words = face.hear(&Notice::Said("session s1".to_owned()), 0);
    let step = face.hear(&Notice::Idle, 0);
    assert_eq!((&step.lines[0]["type"], &step.lines[0]["result"]), (&json!("result"), &json!("session s1")));
    assert_eq!(step.inputs, [Input::Prompt("/status".to_owned())]);
    let _taken_up = face.hear(&Notice::TakenUp, 0);
    let _result = face.hear(&Notice::TurnEnded(end), 0);
    let step = face.hear(&Notice::Idle, 0);
    assert!(step.inputs.is_empty());
    let result = step.lines.last().expect("a result");
    assert_eq!(result["subtype"], "error_during_execution");
    assert!(result["errors"][0].as_str().is_some_and(|why| why.contains("/status")), "{result}");
    // The end of input: the session is told that nobody answers, and ends when it is idle.
    assert_eq!(face.end().inputs, [Input::Gone, Input::Close]);
    assert!(face.end().inputs.is_empty());
}

/// A line that breaks off anywhere is told of, and nothing follows from it.
#[test]
fn half_a_line_is_no_line() {
    let hooks = json!({"PreToolUse": [{"matcher": "Bash", "hookCallbackIds": ["h"]}]});
    let wanted = json!({"subtype": "initialize", "hooks": hooks});
    for line in [user("go ünd"), json!({"type": "control_request", "request_id": "r1", "request": wanted})] {
        let line = line.to_string();
        for cut in (1..line.len()).filter(|cut| line.is_char_boundary(*cut)) {
            let step = idle().read(Some(&line[..cut]), 0);
            assert!(step.inputs.is_empty() && step.lines.is_empty() && step.asides.len() == 1, "{cut}: {step:?}");
        }
        assert!(idle().read(Some(&line), 0).asides.is_empty());
    }
}

#[test]
fn lines_that_are_not_understood_are_named_and_passed_over() {
    let rows = [
        ("", ""),
        ("   ", ""),
        ("{\"type\": \"keep_alive\"}", ""),
        ("{\"type\": \"something_new\", \"x\": 1}", ""),
        ("{\"type\": \"control_cancel_request\", \"request_id\": \"x\"}", ""),
        ("{\"type\": \"control_response\", \"response\": {\"subtype\": \"success\", \"request_id\": \"unknown\"}}", ""),
        ("no json", "line 7 of the input was passed over: it is not JSON"),
        ("[1]", "line 8 of the input was passed over: it is not a JSON object"),
        ("{\"a\": 1}", "line 9 of the input was passed over: it has no `type`"),
        ("{\"type\": \"user\"}", "line 10 of the input was passed over: it has no `message`"),
        (
            "{\"type\": \"user\", \"message\": {\"content\": \" \"}}",
            "line 11 of the input was passed over: its message is empty",
        ),
        (
            "{\"type\": \"user\", \"message\": {\"content\": [{\"type\": \"image\"}]}}",
            "line 12 of the input was passed over: its message holds a block of type `image`",
        ),
        (
            "{\"type\": \"control_request\", \"request_id\": \"r\"}",
            "line 13 of the input was passed over: it has no `request`",
        ),
        ("{\"type\": \"control_response\"}", "line 14 of the input was passed over: it has no `response`"),
    ];
    let mut face = idle();
    check(rows.map(|(line, wanted)| {
        let step = face.read(Some(line), 0);
        let said = step.asides.join(" ");
        let fits = step.inputs.is_empty()
            && step.lines.is_empty()
            && said.contains(wanted)
            && said.is_empty() == wanted.is_empty();
        (line.to_owned(), wanted.to_owned(), if fits { wanted.to_owned() } else { format!("{step:?}") })
    }));
    let step = face.read(None, 0);
    assert!(step.asides[0].contains("line 15") && step.asides[0].contains("longer"), "{step:?}");
}
