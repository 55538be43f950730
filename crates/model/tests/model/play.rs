//! One turn answers one request.

use futures_util::{FutureExt, StreamExt};
use planwright_core::reply::{Delta, Reply, Stop};
use planwright_core::request::Block;
use planwright_model::{Model, ModelError, whole};

use super::{ask, check, request, request_of, say, script, script_file, steps, texts, without_folder};

#[test]
fn text_comes_in_pieces_and_then_the_whole_answer() {
    let model =
        script(r#"{"turns": [{"text": "grüß dich", "tools": [{"name": "Read", "input": {"file_path": "a"}}]}]}"#);
    let steps: Vec<_> = steps(&model, request("hi")).into_iter().map(Result::unwrap).collect();
    let Some((Delta::Done(reply), pieces)) = steps.split_last() else { panic!("not done: {steps:?}") };
    assert_eq!(pieces, ["grü", "ß d", "ich"].map(|piece| Delta::Text(piece.to_owned())));
    assert_eq!(reply.stop, Stop::ToolUse);
    assert!(texts(reply).starts_with("grüß dich[toolu_"), "{}", texts(reply));
}

#[test]
fn an_answer_without_calls_ends_the_turn() {
    let model = script(r#"{"turns": [{"text": "Done."}, {}]}"#);
    assert_eq!(ask(&model, request("hi")).unwrap().stop, Stop::EndTurn);
    assert_eq!(steps(&model, request("hi")).len(), 1, "an empty turn is an empty answer");
}

#[test]
fn several_calls_stand_in_one_answer_each_with_its_own_id() {
    let (_folder, path) = script_file(
        r#"{"turns": [{"tools": [{"name": "ExitPlanMode"}, {"name": "Glob", "input": {"pattern": "*"}}]}]}"#,
    );
    let model = super::load(&path);
    let digest = model.id().rsplit_once('@').unwrap().1.to_owned();
    assert_eq!(model.id(), format!("script:{}@{digest}", path.display()));
    assert_eq!(digest.len(), 8);
    assert_eq!(
        say(&model, request("hi")),
        format!(r#"[toolu_{digest}_1_1 ExitPlanMode {{}}][toolu_{digest}_1_2 Glob {{"pattern":"*"}}]"#)
    );
}

#[test]
fn placeholders_are_filled_in_once_and_everywhere() {
    let rows = [
        ("{cwd}/a and {home}", "/project/a and /home/ann"),
        ("{plan_file} of {session_id}", "/home/ann/plans/quiet-amber-otter.md of session-1"),
        ("{cwd}{cwd}", "/project/project"),
        ("{other} {} { cwd} {cwd", "{other} {} { cwd} {cwd"),
        ("{{cwd}}", "{/project}"),
        ("f\"{post['date']}\" {cwd}", "f\"{post['date']}\" /project"),
    ];
    check(rows.map(|(text, wanted)| {
        let turn = serde_json::json!({"turns": [{"text": text}]});
        (text.to_owned(), wanted.to_owned(), say(&script(&turn.to_string()), request("hi")))
    }));
    let nested = script(r#"{"turns": [{"tools": [{"name": "X", "input": {"a": [{"b": "{cwd}"}], "n": 1}}]}]}"#);
    assert!(say(&nested, request("hi")).ends_with(r#"X {"a":[{"b":"/project"}],"n":1}]"#));
    let mut tricky = request("hi");
    tricky.session_id = "{cwd}".to_owned();
    assert_eq!(say(&script(r#"{"turns": [{"text": "{session_id}"}]}"#), tricky), "{cwd}", "one pass");
}

#[test]
fn a_plan_file_that_has_no_name_yet_is_an_error() {
    let model = script(r#"{"turns": [{"text": "{plan_file}"}]}"#);
    let mut early = request("hi");
    early.plan_file = None;
    assert_eq!(
        without_folder(&say(&model, early)),
        "The model script script.json failed at request 1 of the main thread: `{plan_file}` has no value: the session \
         has no plan file yet"
    );
}

#[test]
fn expectations_look_at_the_whole_request() {
    let rows = [
        (r#"{"contains": ["hello", "You plan first."]}"#, "ok"),
        (r#"{"contains": ["{session_id}"]}"#, "the request does not contain `session-1`"),
        (
            r#"{"contains": ["good", "bye"], "not_contains": ["hello", "plan"]}"#,
            "the request does not contain `good`; the request does not contain `bye`; the request contains `hello`; the \
          request contains `plan`",
        ),
        (r#"{"not_contains": ["good"]}"#, "ok"),
        ("{}", "ok"),
    ];
    check(rows.map(|(expect, wanted)| {
        let model = script(&format!(r#"{{"turns": [{{"text": "ok", "expect": {expect}}}]}}"#));
        let got = say(&model, request("hello"));
        let bare = got.rsplit_once("of the main thread: ").map_or(got.as_str(), |(_, reason)| reason);
        (expect.to_owned(), wanted.to_owned(), bare.to_owned())
    }));
    let lenient = script(r#"{"turns": [{"text": "ok", "expect": {"contains": ["never"]}}]}"#).without_expectations();
    assert_eq!(say(&lenient, request("hello")), "ok");
}

#[test]
fn a_script_that_runs_out_says_where() {
    let model = script(
        r#"{"turns": [{"text": "one"}], "agents": {"Explore": [[{"text": "first"}], []], "Plan": [{"text": "p"}]}}"#,
    );
    let played = [
        (request("a"), "one"),
        (
            request("b"),
            "The model script script.json failed at request 2 of the main thread: the script ran out: it has 1 turns here",
        ),
        (
            request("c"),
            "The model script script.json failed at request 2 of the main thread: the script ran out: it has 1 turns here",
        ),
        (request_of("Explore", 0), "first"),
        (
            request_of("Explore", 0),
            "The model script script.json failed at request 2 of `Explore` agent 1: the script ran out: it has 1 turns here",
        ),
        (
            request_of("Explore", 1),
            "The model script script.json failed at request 1 of `Explore` agent 2: the script ran out: it has 0 turns here",
        ),
        (
            request_of("Explore", 2),
            "The model script script.json failed at request 1 of `Explore` agent 3: `agents.Explore` has only 2 lists of turns",
        ),
        (
            request_of("general-purpose", 0),
            "The model script script.json failed at request 1 of `general-purpose` agent 1: the script has no `agents.general-purpose`",
        ),
        (request_of("Plan", 0), "p"),
        (request_of("Plan", 1), "p"),
    ];
    check(played.map(|(request, wanted)| {
        let row = format!("{:?}", request.agent);
        (row, wanted.to_owned(), without_folder(&say(&model, request)))
    }));
}

#[test]
fn agents_that_run_side_by_side_play_their_own_turns() {
    let model = script(r#"{"turns": [], "agents": {"Explore": [{"text": "a"}, {"text": "b"}]}}"#);
    let order = [0, 1, 1, 0].map(|instance| say(&model, request_of("Explore", instance)));
    assert_eq!(order, ["a", "a", "b", "b"]);
}

#[test]
fn a_failing_provider_is_played_too() {
    let model = script(
        r#"{"turns": [{"error": {"status": 529}}, {"error": {"status": 401}}, {"text": "abcdef", "tools": [{"name": "X"}], "error": {"cut_after": 4}}, {"text": "ab", "error": {"cut_after": 0}}, {"text": "ok"}]}"#,
    );
    let busy = ask(&model, request("a")).unwrap_err();
    assert!(busy.retryable(), "{busy}");
    assert_eq!(busy.cause(), "The model's provider answered 529: the script says so");
    assert!(!ask(&model, request("a")).unwrap_err().retryable());
    let cut = steps(&model, request("a"));
    assert_eq!(cut, ["ab", "cd"].map(|piece| Ok(Delta::Text(piece.to_owned()))), "the stream just ends");
    assert_eq!(ask(&model, request("a")), Err(ModelError::Cut));
    assert_eq!(say(&model, request("a")), "ok", "a failure uses its turn up, so that a retry meets the next");
}

#[test]
fn an_answer_ends_and_costs_as_the_script_says() {
    let model = script(
        r#"{"context_tokens": 9000, "price": {"input": 3, "output": 15}, "turns": [
            {"text": "a", "stop": "max_tokens", "usage": {"input_tokens": 5, "output_tokens": 6}},
            {"text": "b", "stop": "pause_turn"}, {"stop": "refusal"}, {"stop": "context_full"},
            {"opaque": [{"t": 1}], "text": "c", "tools": [{"name": "X", "input": "{broken"}]},
            {"error": {"context_full": true}}]}"#,
    );
    let abilities = model.abilities();
    assert_eq!((abilities.context_tokens, abilities.price.map(|price| price.output)), (9_000, Some(15.0)));
    assert_eq!(script(r#"{"turns": []}"#).abilities().context_tokens, u64::MAX);
    let first = ask(&model, request("a")).unwrap();
    assert_eq!((first.stop, first.usage.input_tokens, first.usage.output_tokens), (Stop::MaxTokens, 5, 6));
    let stops = [(); 3].map(|()| ask(&model, request("a")).unwrap().stop);
    assert_eq!(stops, [Stop::Paused, Stop::Refusal, Stop::ContextFull]);
    let Reply { blocks, stop, .. } = ask(&model, request("a")).unwrap();
    let [Block::Opaque { provider, .. }, Block::Text { .. }, Block::ToolUse { input, .. }] = &blocks[..] else {
        panic!("{blocks:?}");
    };
    assert_eq!((stop, provider == &model.id(), input.as_str()), (Stop::ToolUse, true, Some("{broken")));
    assert!(matches!(ask(&model, request("a")), Err(ModelError::ContextFull { .. })));
}

#[test]
fn an_answer_that_breaks_off_comes_again_whole() {
    let model = script(r#"{"turns": [{"text": "abcdef", "again": {"after": 2, "wait_ms": 1}}]}"#);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let steps: Vec<_> = runtime.block_on(model.ask(request("a")).map(Result::unwrap).collect());
    let at = steps.iter().position(|step| matches!(step, Delta::Again(again) if again.after_ms == 1)).unwrap();
    let text = |steps: &[Delta]| -> String {
        steps.iter().filter_map(|step| if let Delta::Text(text) = step { Some(text.as_str()) } else { None }).collect()
    };
    assert_eq!((text(&steps[..at]), text(&steps[at..])), ("ab".to_owned(), "abcdef".to_owned()));
    assert!(matches!(steps.last(), Some(Delta::Done(_))));
}

#[tokio::test]
async fn a_slow_answer_can_be_waited_for_or_dropped() {
    let model = script(r#"{"turns": [{"text": "never", "delay_ms": 3600000}, {"text": "soon", "delay_ms": 1}]}"#);
    let mut hour = model.ask(request("a"));
    assert_eq!(hour.next().now_or_never(), None, "nothing comes before the delay is over");
    drop(hour);
    assert_eq!(texts(&whole(model.ask(request("a"))).await.unwrap()), "soon");
}
