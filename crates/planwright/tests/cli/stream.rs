//! `stream-json` in and out, and the control protocol, as a program drives them. What each line looks
//! like is shown in `surfaces`; here it is what comes of them.

use std::fs;

use serde_json::{Value, json};

use crate::ground::{Ended, Ground, Running, call, in_order, of_type, planned, say};

const FLAGS: [&str; 4] = ["--output-format", "stream-json", "--input-format", "stream-json"];
const ASKING: [&str; 2] = ["--permission-prompt-tool", "stdio"];

/// Starts a session that is driven by lines, with more flags.
fn start(ground: &Ground, model: &str, more: &[&str]) -> Running {
    ground.start(&[&FLAGS[..], &["--model", model], more].concat())
}

fn user(text: &str) -> String {
    line(&json!({"type": "user", "message": {"role": "user", "content": text}}))
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn wants(id: &str, request: &Value) -> String {
    line(&json!({"type": "control_request", "request_id": id, "request": request}))
}

/// Every line of its output. There is nothing else in it.
#[track_caller]
fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// Waits until it asks, and yields what.
#[track_caller]
fn asked(running: Running) -> (Running, Value) {
    let running = running.wait_for("can_use_tool");
    let request = lines(&running.out).pop().expect("it asks");
    (running, request)
}

fn answers(request: &Value, response: &Value) -> String {
    let inner = json!({"subtype": "success", "request_id": request["request_id"], "response": response});
    line(&json!({"type": "control_response", "response": inner}))
}

fn results(ended: &Ended) -> Vec<Value> {
    lines(&ended.out).into_iter().filter(|line| line["type"] == "result").collect()
}

fn kinds(ended: &Ended) -> Vec<String> {
    let kind = |line: &Value| match line["subtype"].as_str() {
        Some(subtype) => format!("{} {subtype}", line["type"].as_str().unwrap_or_default()),
        None => line["type"].as_str().unwrap_or_default().to_owned(),
    };
    lines(&ended.out).iter().map(kind).collect()
}

#[test]
fn a_prompt_as_an_argument_is_answered_in_lines() {
    let ground = Ground::new();
    let model = ground.script(&[call("Glob", json!({"pattern": "*"})), say("Done.")]);
    let args = ["-p", "look", "--model", &model, "--output-format", "stream-json", "--verbose"];
    let ended = ground.run(&args, "").exits(0);
    assert_eq!(kinds(&ended), ["system init", "assistant", "user", "assistant", "result success"]);
    let all = lines(&ended.out);
    let ids: std::collections::BTreeSet<_> = all.iter().map(|line| line["uuid"].to_string()).collect();
    assert_eq!(ids.len(), all.len(), "every line has an id of its own");
    assert!(all.iter().all(|line| line["session_id"] == ground.id().as_str()));
    assert_eq!((&all[4]["result"], &all[4]["num_turns"]), (&json!("Done."), &json!(2)));
}

#[test]
fn messages_are_answered_one_by_one() {
    let ground = Ground::new();
    let model = ground.script(&[say("One."), say("Two.")]);
    let ended = start(&ground, &model, &[]).say(&user("first")).say("\n").say(&user("second")).end().exits(0);
    let answers: Vec<_> = results(&ended).iter().map(|result| result["result"].clone()).collect();
    assert_eq!(answers, ["One.", "Two."]);
    assert_eq!(kinds(&ended).iter().filter(|kind| *kind == "system init").count(), 1);
}

#[test]
fn a_line_that_is_not_understood_ends_nothing() {
    let ground = Ground::new();
    let model = ground.script(&[say("One.")]);
    let running = start(&ground, &model, &[]).say("no json\n{\"type\": \"new_kind\"}\n{\"type\": \"keep_alive\"}\n");
    let ended = running.say(&user("first")).say("{\"type\": \"user\"}\n").end().exits(0);
    in_order(&ended.err, &["line 1 of the input was passed over", "line 5 of the input was passed over"]);
    assert_eq!(results(&ended).len(), 1);
}

#[test]
fn a_line_without_end_is_passed_over() {
    let ground = Ground::new();
    let model = ground.script(&[say("One.")]);
    let long = "x".repeat(11 << 20);
    let input = ground.typed(&format!("{long}\n{}{long}", user("first")));
    let mut command = ground.planwright(&[&FLAGS[..], &["--model", &model]].concat());
    command.stdin(input);
    let output = command.output().expect("the program can be started");
    let told = String::from_utf8_lossy(&output.stderr);
    in_order(&told, &["line 1 of the input was passed over: it is longer than", "line 3 of the input"]);
    assert!(told.len() < 1000 && String::from_utf8_lossy(&output.stdout).contains("One."), "{told}");
}

#[test]
fn an_empty_input_is_a_session_without_a_turn() {
    let ground = Ground::new();
    let model = ground.script(&[]);
    let ended = start(&ground, &model, &[]).end().exits(0);
    assert_eq!(kinds(&ended), ["system init"]);
}

#[test]
fn a_run_that_fails_says_so_in_its_result() {
    let ground = Ground::new();
    let model = ground.script(&[]);
    let ended = start(&ground, &model, &[]).say(&user("go")).end().exits(1);
    let result = results(&ended).remove(0);
    assert_eq!((&result["subtype"], &result["is_error"]), (&json!("error_during_execution"), &json!(true)));
    assert!(result["errors"].to_string().contains("ran out"), "{result}");
}

#[test]
fn what_comes_to_no_turn_has_a_result_too() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hi.")]);
    let run = |args: &[&str]| {
        let all = [args, &["--model", &model, "--output-format", "stream-json"]].concat();
        ground.run(&all, "")
    };
    let rows: [(&[&str], i32, &str); 2] =
        [(&["-p", "/help"], 0, "success"), (&["-p", "/hepl"], 1, "error_during_execution")];
    for (args, code, subtype) in rows {
        let ended = run(args).exits(code);
        let results = results(&ended);
        assert_eq!((results.len(), &results[0]["subtype"]), (1, &json!(subtype)), "{}", ended.all());
    }
    let id = ground.ids().pop().expect("a session began");
    let ended = run(&["-p", "--resume", &id, "--approve-plan"]).exits(1);
    assert!(results(&ended)[0]["errors"].to_string().contains("No plan waits"), "{}", ended.all());
}

#[test]
fn nobody_to_ask_is_a_denial() {
    let ground = Ground::new();
    let model = ground.script(&[call("Bash", json!({"command": "touch x"})), say("I could not.")]);
    let ended = start(&ground, &model, &[]).say(&user("go")).end().exits(4);
    let result = results(&ended).remove(0);
    assert_eq!(result["subtype"], "error_permission_missing");
    assert_eq!(result["permission_denials"][0]["tool_input"], json!({"command": "touch x"}));
    assert!(kinds(&ended).contains(&"system permission_denied".to_owned()));
}

#[test]
fn a_plan_with_nobody_to_ask_is_the_result() {
    let ground = Ground::new();
    let model = ground.script(&planned("# Plan\n"));
    let ended = start(&ground, &model, &["--permission-mode", "plan"]).say(&user("go")).end().exits(3);
    let result = results(&ended).remove(0);
    assert_eq!((&result["subtype"], &result["result"]), (&json!("plan_pending"), &json!("# Plan\n")));
    assert_eq!(result["plan_file"], json!(ground.plan_path()));
    in_order(&ended.err, &["waits for approval", "--approve-plan"]);
}

#[test]
fn permissions_are_asked_of_the_host() {
    let ground = Ground::new();
    let turns = [
        call("Bash", json!({"command": "touch x"})),
        call("Bash", json!({"command": "touch y"})),
        call("Bash", json!({"command": "mkdir d"})),
        say("Done."),
    ];
    let (running, request) = asked(start(&ground, &ground.script(&turns), &ASKING).say(&user("go")));
    let inner = &request["request"];
    assert_eq!((&inner["tool_name"], &inner["input"]), (&json!("Bash"), &json!({"command": "touch x"})));
    let rules = json!([{"type": "addRules", "behavior": "allow", "destination": "session",
                        "rules": [{"toolName": "Bash", "ruleContent": "touch *"}]}]);
    let (running, request) =
        asked(running.say(&answers(&request, &json!({"behavior": "allow", "updatedPermissions": rules}))));
    // The second one is allowed by the new rule; this is the third.
    assert_eq!(request["request"]["input"], json!({"command": "mkdir d"}));
    let running = running.say(&answers(&request, &json!({"behavior": "deny", "message": "no folders"})));
    let ended = running.wait_for("\"result\"").end().exits(0);
    assert!(ground.project().join("x").exists() && ground.project().join("y").exists());
    assert!(!ground.project().join("d").exists());
    assert!(ended.out.contains("no folders"), "the model is told why");
}

/// A plain yes while planning runs a command where it cannot reach the machine.
#[test]
fn a_yes_while_planning_does_not_reach_the_project() {
    let ground = Ground::new();
    ground.write("thing.sh", "touch made\n");
    let turns = [call("Bash", json!({"command": "sh thing.sh"})), say("Looked.")];
    let flags = [&ASKING[..], &["--permission-mode", "plan"]].concat();
    let (running, request) = asked(start(&ground, &ground.script(&turns), &flags).say(&user("go")));
    running.say(&answers(&request, &json!({"behavior": "allow"}))).wait_for("\"result\"").end();
    let scratch = of_type(&ground.log(), "permission-decision")
        .iter()
        .any(|entry| entry["reason"].as_str().is_some_and(|reason| reason.contains("scratch copy")));
    assert_eq!(
        scratch,
        !ground.project().join("made").exists(),
        "where there is no scratch copy, once is all there is"
    );
}

#[test]
fn a_plan_is_rejected_then_edited_and_approved() {
    let ground = Ground::new();
    let [write, submit] = planned("# Plan\n\n1. Greet.\n");
    let turns = [
        write,
        submit.clone(),
        json!({"expect": {"contains": ["say whom"]}, "tools": [{"name": "Write", "input": {"file_path": "{plan_file}", "content": "# Plan\n\n1. Greet the world.\n"}}]}),
        submit,
        json!({"expect": {"contains": ["## Approved Plan (edited by user)", "Greet everybody"]},
               "tools": [{"name": "Write", "input": {"file_path": "{cwd}/greeting.txt", "content": "Hello\n"}}]}),
        say("Greeted."),
    ];
    let flags = [&ASKING[..], &["--permission-mode", "plan"]].concat();
    let (running, first) = asked(start(&ground, &ground.script(&turns), &flags).say(&user("greet")));
    assert_eq!(first["request"]["tool_name"], "ExitPlanMode");
    assert_eq!(first["request"]["input"]["plan"], "# Plan\n\n1. Greet.\n");
    assert_eq!(first["request"]["input"]["planFilePath"], json!(ground.plan_path()));
    let (running, second) = asked(running.say(&answers(&first, &json!({"behavior": "deny", "message": "say whom"}))));
    assert_eq!(second["request"]["input"]["plan"], "# Plan\n\n1. Greet the world.\n");
    assert_ne!(second["request_id"], first["request_id"]);
    let approve = json!({"behavior": "allow",
        "updatedInput": {"plan": "# Plan\n\n1. Greet everybody.\n"},
        "updatedPermissions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]});
    // A late answer to the first is no answer to the second.
    let running = running.say(&answers(&first, &json!({"behavior": "allow"}))).say(&answers(&second, &approve));
    let ended = running.wait_for("\"result\"").end().exits(0);
    assert_eq!(ground.read("greeting.txt"), "Hello\n");
    assert_eq!(ground.plan(), "# Plan\n\n1. Greet everybody.\n");
    let entries = ground.log();
    let decisions: Vec<_> = of_type(&entries, "plan-decision")
        .iter()
        .map(|entry| [&entry["decision"], &entry["edited"], &entry["by"], &entry["feedback"]].map(Value::clone))
        .collect();
    assert_eq!(
        decisions,
        [
            [json!("rejected"), json!(false), json!("user"), json!("say whom")],
            [json!("approved"), json!(true), json!("client"), json!(null)],
        ]
    );
    let status: Vec<_> = lines(&ended.out).into_iter().filter(|line| line["subtype"] == "status").collect();
    assert_eq!(status.last().map(|line| line["permissionMode"].clone()), Some(json!("acceptEdits")));
}

/// A mode that may not be had does not come with an approval, and asking does not go on for ever.
#[test]
fn a_mode_that_is_not_on_offer_is_asked_about_again_and_then_is_a_no() {
    let ground = Ground::new();
    let turns = [planned("# Plan\n").to_vec(), vec![say("Then not."), say("Still not.")]].concat();
    let flags = [&ASKING[..], &["--permission-mode", "plan"]].concat();
    let bypass = json!({"behavior": "allow", "updatedPermissions": [{"type": "setMode", "mode": "bypassPermissions"}]});
    let (mut running, mut request) = asked(start(&ground, &ground.script(&turns), &flags).say(&user("go")));
    for _ in 0..3 {
        (running, request) = asked(running.say(&answers(&request, &bypass)));
        in_order(
            request["request"]["decision_reason"].as_str().unwrap_or_default(),
            &["That mode is not on offer here.", "acceptEdits or default"],
        );
    }
    running.say(&answers(&request, &bypass)).wait_for("\"result\"").end().exits(0);
    let entries = ground.log();
    assert_eq!(of_type(&entries, "permission-mode").len(), 1, "it never left plan mode");
    in_order(
        of_type(&entries, "plan-decision")[0]["feedback"].as_str().unwrap_or_default(),
        &["That mode is not on offer here.", "acceptEdits or default"],
    );
}

#[test]
fn a_no_can_stop_the_turn() {
    let ground = Ground::new();
    let [write, submit] = planned("# Plan\n");
    let flags = [&ASKING[..], &["--permission-mode", "plan"]].concat();
    let model = ground.script(&[write, submit, say("Never said.")]);
    let (running, request) = asked(start(&ground, &model, &flags).say(&user("go")));
    let no = json!({"behavior": "deny", "message": "stop here", "interrupt": true});
    let ended = running.say(&answers(&request, &no)).wait_for("\"result\"").end().exits(0);
    assert_eq!(results(&ended)[0]["subtype"], "error_interrupted");
    assert!(!ended.out.contains("Never said."), "the model was not asked again: {}", ended.out);
    let entries = ground.log();
    let decision = of_type(&entries, "plan-decision")[0];
    assert_eq!((&decision["decision"], &decision["feedback"]), (&json!("rejected"), &json!("stop here")));
    assert_eq!(of_type(&entries, "permission-mode").last().expect("it started so")["to"], "plan");
}

#[test]
fn the_end_of_input_at_a_question_is_a_no_and_at_a_plan_nothing() {
    let ground = Ground::new();
    let turns = [call("Bash", json!({"command": "touch x"})), say("I could not.")];
    let (running, request) = asked(start(&ground, &ground.script(&turns), &ASKING).say(&user("go")));
    let ended = running.end().exits(4);
    assert_eq!(results(&ended)[0]["result"], "I could not.", "the turn goes on");
    let cancel = json!({"type": "control_cancel_request", "request_id": request["request_id"]});
    assert!(lines(&ended.out).contains(&cancel), "{}", ended.out);
    assert!(!ground.project().join("x").exists());

    let ground = Ground::new();
    let flags = [&ASKING[..], &["--permission-mode", "plan"]].concat();
    let (running, _) = asked(start(&ground, &ground.script(&planned("# Plan\n")), &flags).say(&user("go")));
    let ended = running.end().exits(3);
    assert_eq!(results(&ended)[0]["subtype"], "plan_pending");
    assert!(of_type(&ground.log(), "plan-decision").is_empty(), "nothing was decided");
}

#[test]
fn questions_of_the_model_are_asked_of_the_host() {
    let ground = Ground::new();
    let question = json!({"question": "Page size?", "header": "Size", "multiSelect": false, "options": [
        {"label": "20", "description": "few"}, {"label": "50", "description": "many"}]});
    let turns = [
        call("AskUserQuestion", json!({"questions": [question]})),
        json!({"expect": {"contains": ["\"Page size?\"=\"50\""]}, "tools": [{"name": "EnterPlanMode", "input": {}}]}),
        json!({"expect": {"contains": ["They said: just do it"]}, "text": "Done."}),
    ];
    let (running, request) = asked(start(&ground, &ground.script(&turns), &ASKING).say(&user("go")));
    let input = json!({"questions": request["request"]["input"]["questions"], "answers": {"Page size?": "50"}});
    let (running, request) =
        asked(running.say(&answers(&request, &json!({"behavior": "allow", "updatedInput": input}))));
    assert_eq!(request["request"]["tool_name"], "EnterPlanMode");
    let running = running.say(&answers(&request, &json!({"behavior": "deny", "message": "just do it"})));
    running.wait_for("\"result\"").end().exits(0);
}

#[test]
fn a_host_changes_mode_and_model_and_stops_a_turn() {
    let ground = Ground::new();
    let other = ground.script(&[json!({"text": "From the other one.", "delay_ms": 600_000})]);
    let model = ground.script(&[say("One.")]);
    let running = start(&ground, &model, &[]).say(&wants("i", &json!({"subtype": "initialize"}))).wait_for("\"i\"");
    let running = running.say(&user("first")).wait_for("\"result\"");
    let running = running.say(&wants("m", &json!({"subtype": "set_permission_mode", "mode": "plan"})));
    let running = running
        .wait_for("\"m\"")
        .say(&wants("b", &json!({"subtype": "set_permission_mode", "mode": "bypassPermissions"})));
    let running = running.wait_for("\"b\"").say(&wants("s", &json!({"subtype": "set_model", "model": other})));
    let running = running.wait_for("\"s\"").say(&wants("x", &json!({"subtype": "set_model", "model": "nowhere"})));
    let running = running.wait_for("\"x\"").say(&wants("u", &json!({"subtype": "do_magic"}))).wait_for("\"u\"");
    let folder = ground.beside("unused");
    assert!(!folder.exists());
    let running = running.say(&user("second")).say(&wants("o", &json!({"subtype": "interrupt"}))).wait_for("\"o\"");
    let ended = running.wait_for("error_interrupted").end().exits(0);
    let response = |id: &str| {
        let all = lines(&ended.out);
        let found = all.iter().find(|line| line["response"]["request_id"] == id).map(|line| line["response"].clone());
        found.unwrap_or_else(|| panic!("no answer to {id}"))
    };
    assert_eq!(response("m")["response"], json!({"mode": "plan"}));
    for (id, why) in [("b", "--allow-bypass"), ("x", "does not name a model"), ("u", "`do_magic` is not supported")] {
        assert!(response(id)["error"].as_str().is_some_and(|error| error.contains(why)), "{}", response(id));
    }
    assert!(response("i")["response"]["commands"].as_array().is_some_and(|commands| commands.len() > 5));
    let modes = ground.log();
    let modes: Vec<_> =
        of_type(&modes, "permission-mode").iter().map(|e| (e["to"].clone(), e["cause"].clone())).collect();
    assert_eq!(modes.last(), Some(&(json!("plan"), json!("client"))));
}

#[test]
fn hooks_of_a_host_are_heard() {
    let ground = Ground::new();
    let turns = [call("Read", json!({"file_path": "a.txt"})), call("Glob", json!({"pattern": "*"})), say("Done.")];
    ground.write("a.txt", "one\n");
    let hooks =
        json!({"subtype": "initialize", "hooks": {"PreToolUse": [{"matcher": "Read", "hookCallbackIds": ["hook_0"]}]}});
    let running = start(&ground, &ground.script(&turns), &[]).say(&wants("i", &hooks)).wait_for("\"i\"");
    let running = running.say(&user("go")).wait_for("hook_callback");
    let request = lines(&running.out).pop().expect("it asks");
    assert_eq!(request["request"]["input"]["tool_input"], json!({"file_path": "a.txt"}));
    let deny = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "secret"}});
    let ended = running.say(&answers(&request, &deny)).wait_for("\"result\"").end().exits(0);
    assert_eq!(ended.out.matches("hook_callback").count(), 1, "the other call is none of its business");
    assert!(ended.out.contains("secret"), "the model is told why");
    let refused = json!({"subtype": "initialize", "hooks": {"Stop": [{"hookCallbackIds": ["hook_0"]}]}});
    let running = start(&ground, &ground.script(&[]), &[]).say(&wants("i", &refused));
    running.wait_for("hooks for `Stop` are not supported").end().exits(0);
}

#[test]
fn agents_say_whose_they_are() {
    let ground = Ground::new();
    let model = ground.whole_script(&json!({
        "turns": [call("Agent", json!({"subagent_type": "Explore", "description": "look", "prompt": "look"})), say("Done.")],
        "agents": {"Explore": [call("Glob", json!({"pattern": "*"})), say("Nothing.")]},
    }));
    let ended = start(&ground, &model, &[]).say(&user("go")).end().exits(0);
    let all = lines(&ended.out);
    let parent = all[1]["message"]["content"][0]["id"].clone();
    let parents: Vec<_> = all.iter().map(|line| line["parent_tool_use_id"].clone()).collect();
    let none = Value::Null;
    assert_eq!(parents, [&none, &none, &parent, &parent, &parent, &none, &none, &none].map(Value::clone));
}

#[test]
fn an_agents_call_is_asked_about_as_the_agents() {
    let ground = Ground::new();
    let model = ground.whole_script(&json!({
        "turns": [call("Agent", json!({"subagent_type": "general-purpose", "description": "do", "prompt": "do"})), say("Done.")],
        "agents": {"general-purpose": [call("Bash", json!({"command": "touch x"})), say("Made.")]},
    }));
    let (running, request) = asked(start(&ground, &model, &ASKING).say(&user("go")));
    assert!(request["request"]["agent_id"].is_string(), "{request}");
    assert_eq!(request["request"]["input"], json!({"command": "touch x"}));
    running.say(&answers(&request, &json!({"behavior": "allow"}))).wait_for("\"result\"").end().exits(0);
    assert!(ground.project().join("x").exists());
}

#[test]
fn a_plan_that_waits_is_asked_about_when_the_session_is_opened_again() {
    let ground = Ground::new();
    let [write, submit] = planned("# Plan\n");
    let model = ground.script(&[write, submit, say("On it.")]);
    start(&ground, &model, &["--permission-mode", "plan"]).say(&user("go")).end().exits(3);
    let id = ground.id();
    let flags = [&ASKING[..], &["--resume", &id]].concat();
    let (running, request) = asked(start(&ground, &model, &flags));
    let submitted = of_type(&ground.log(), "plan-submitted")[0]["tool_use_id"].clone();
    let inner = &request["request"];
    assert_eq!((&inner["tool_use_id"], &inner["input"]["plan"]), (&submitted, &json!("# Plan\n")));
    let ended = running.say(&answers(&request, &json!({"behavior": "allow"}))).wait_for("\"result\"").end().exits(0);
    assert_eq!(results(&ended)[0]["result"], "On it.");
    let entries = ground.log();
    // Without a mode it is the one before.
    assert_eq!(of_type(&entries, "permission-mode").last().expect("it left")["to"], "default");
}

#[test]
fn an_answer_can_be_seen_as_it_arrives() {
    let ground = Ground::new();
    let model = ground.script(&[say("A few words.")]);
    let ended = start(&ground, &model, &["--include-partial-messages"]).say(&user("go")).end().exits(0);
    let pieces: String = lines(&ended.out)
        .iter()
        .filter_map(|line| line["event"]["delta"]["text"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(pieces, "A few words.");
}

#[test]
fn signals_end_a_session() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let ground = Ground::new();
        let model = ground.script(&[json!({"text": "Too late.", "delay_ms": 600_000})]);
        let flags = ["--replay-user-messages"];
        let running = start(&ground, &model, &flags).say(&user("take your time")).wait_for("isReplay");
        let ended = running.signal(signal).over().exits(code);
        assert_eq!(results(&ended)[0]["subtype"], "error_interrupted", "{}", ended.all());
        // Where no turn runs there is nothing to stop.
        let running = start(&ground, &ground.script(&[]), &[]).wait_for("init").signal(signal);
        assert!(results(&running.over().exits(code)).is_empty());
    }
}

/// Who ends the program decides nothing, and neither does a host that fails: the plan waits on.
#[test]
fn a_plan_waits_on_when_the_program_is_ended_or_the_host_fails() {
    let broken = |request: &Value| {
        let inner = json!({"subtype": "error", "request_id": request["request_id"], "error": "no callback"});
        line(&json!({"type": "control_response", "response": inner}))
    };
    for (signal, code) in [(Some("TERM"), 143), (Some("HUP"), 129), (None, 3)] {
        let ground = Ground::new();
        let flags = [&ASKING[..], &["--permission-mode", "plan"]].concat();
        let model = ground.script(&[&planned("# Plan\n")[..], &[say("Done.")]].concat());
        let (running, request) = asked(start(&ground, &model, &flags).say(&user("go")));
        let ended = match signal {
            Some(signal) => running.signal(signal).over(),
            None => running.say(&broken(&request)).end(),
        };
        assert_eq!(results(&ended.exits(code))[0]["subtype"], "plan_pending");
        assert!(of_type(&ground.log(), "plan-decision").is_empty(), "nothing was decided");
        let approved = ground.run(&["-p", "--model", &model, "--resume", &ground.id(), "--approve-plan"], "").exits(0);
        assert_eq!(approved.out, "Done.\n");
    }
}

/// A reader that went away is no error.
#[test]
fn a_reader_that_went_away_is_no_error() {
    let ground = Ground::new();
    let model = ground.script(&[say("One."), say("Two.")]);
    let input = ground.typed(&(user("first") + &user("second")));
    let program = env!("CARGO_BIN_EXE_planwright");
    let mut shell = std::process::Command::new("bash");
    ground.place(&mut shell);
    shell.args(["-c", r#""$0" "$@" | head -n 1; exit "${PIPESTATUS[0]}""#, program]).args(FLAGS);
    shell.args(["--model", &model]).stdin(input);
    let output = shell.output().expect("a shell can be started");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn flags_that_do_not_fit_together_are_wrong_usage() {
    let ground = Ground::new();
    let model = ground.script(&[]);
    let rows: [(&[&str], &str); 9] = [
        (&["--input-format", "stream-json"], "needs --output-format stream-json"),
        (&["-p", "x", "--permission-prompt-tool", "stdio"], "needs --input-format stream-json"),
        (&["-p", "x", "--permission-prompt-tool", "mcp__a__b"], "possible values: stdio"),
        (&["-p", "x", "--include-partial-messages"], "needs --output-format stream-json"),
        (&["-p", "x", "--replay-user-messages"], "needs --input-format stream-json"),
        (&["-p", "x", "--max-budget-usd", "1"], "--max-budget-usd is not supported"),
        (&["-p", "x", "--no-session-persistence"], "--no-session-persistence is not supported"),
        (&["-p", "x", "--plugin-dir", "p"], "--plugin-dir is not supported"),
        (&["-p", "x", "--setting-sources", "mine"], "no settings called `mine`"),
    ];
    for (flags, why) in rows {
        ground.run(&[flags, &["--model", &model]].concat(), "").exits(2).warns(&[why]);
    }
    assert!(ground.ids().is_empty(), "wrong usage leaves no session behind");
}

#[test]
fn flags_without_effect_are_warned_of_and_the_others_hold() {
    let ground = Ground::new();
    fs::create_dir_all(ground.home()).expect("a folder can be made");
    ground.write("../home/settings.json", "{\"permissions\": {\"allow\": [\"Bash(touch *)\"]}}");
    let run = |flags: &[&str], turns: &[Value]| {
        let model = ground.script(turns);
        ground.run(&[&["-p", "go", "--model", &model], flags].concat(), "")
    };
    let touch = |file: &str| [call("Bash", json!({"command": format!("touch {file}")})), say("Tried.")];
    run(&["--effort", "high", "--debug"], &[say("Hi.")])
        .exits(0)
        .warns(&["--effort has no effect here", "--debug has no effect here"]);
    let told = json!({"expect": {"contains": ["Speak French."]}, "text": "Oui."});
    run(&["--append-system-prompt", "Speak French."], &[told]).exits(0).says(&["Oui."]);
    run(&[], &touch("a")).exits(0);
    run(&["--setting-sources", "project"], &touch("b")).exits(4);
    run(&["--settings", "{\"permissions\": {\"deny\": [\"Bash\"]}}"], &touch("c")).exits(0);
    run(&["--tools", "Read,Glob"], &touch("d")).exits(0);
    let made: Vec<_> = ["a", "b", "c", "d"].into_iter().filter(|file| ground.project().join(file).exists()).collect();
    assert_eq!(made, ["a"]);
    assert!(ground.run(&["-v"], "").exits(0).out.starts_with("planwright "));
}
