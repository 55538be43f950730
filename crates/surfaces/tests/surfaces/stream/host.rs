//! The control protocol: what a host wants and answers, and what it is asked.

use planwright_core::dialogue::{
    Answer, Grant, HookAnswer, HookQuestion, Input, Notice, Question, QuestionId, UserAnswer, Wish, WishId,
};
use planwright_core::mode::{Cause, Mode};
use planwright_core::permit::HookOpinion;
use planwright_core::rules::Behavior;
use planwright_surfaces::stream::{Step, StreamFace};
use serde_json::{Value, json};

use super::{called, idle, read};
use crate::check;
use crate::questions::{permission_question, plan_question, user_question};

const ID: QuestionId = QuestionId(7);

fn wants(request: &Value) -> Value {
    json!({"type": "control_request", "request_id": "r1", "request": request})
}

/// A face that was asked, and the request it made.
fn asked(call: &Notice, question: Question) -> (StreamFace, Value) {
    let mut face = idle();
    let _nothing = face.hear(call, 0);
    let step = face.hear(&Notice::Asked(ID, question), 0);
    let line = step.lines.first().expect("the host is asked").clone();
    (face, line)
}

fn answers(face: &mut StreamFace, request: &Value, response: &Value) -> Step {
    let inner = json!({"subtype": "success", "request_id": request["request_id"], "response": response});
    read(face, &json!({"type": "control_response", "response": inner}))
}

#[test]
fn what_a_host_wants_is_answered() {
    let error = |why: &str| format!("error {why}");
    let rows = [
        (json!({"subtype": "interrupt"}), "success", vec![Input::Interrupt]),
        (json!({"subtype": "mcp_status"}), "success", vec![]),
        (json!({"subtype": "initialize", "hooks": null}), "success", vec![]),
        (json!({"subtype": "initialize", "hooks": {"Stop": []}}), "success", vec![]),
        (
            json!({"subtype": "initialize", "hooks": {"PreToolUse": [{"matcher": "Bash", "hookCallbackIds": ["h"]}]}}),
            "success",
            vec![Input::Wish(WishId(0), Wish::HearCalls)],
        ),
        (
            json!({"subtype": "initialize", "hooks": {"Stop": [{"hookCallbackIds": ["h"]}]}}),
            "error hooks for `Stop` are not supported",
            vec![],
        ),
        (
            json!({"subtype": "initialize", "hooks": {"PreToolUse": [{"matcher": "^B[ao]sh$", "hookCallbackIds": ["h"]}]}}),
            "error the hook matcher `^B[ao]sh$` is not understood",
            vec![],
        ),
        (json!({"subtype": "set_permission_mode", "mode": "dontAsk"}), "error there is no mode `dontAsk`", vec![]),
        (json!({"subtype": "rewind_files"}), "error `rewind_files` is not supported", vec![]),
        (json!({}), "error it has no `subtype`", vec![]),
    ];
    check(rows.into_iter().map(|(request, wanted, inputs)| {
        let step = read(&mut idle(), &wants(&request));
        let response = &step.lines[0]["response"];
        let got = match response["error"].as_str() {
            Some(why) if error(why).starts_with(wanted) => wanted.to_owned(),
            Some(why) => error(why),
            None => response["subtype"].to_string().trim_matches('"').to_owned(),
        };
        assert_eq!((&response["request_id"], &step.inputs), (&json!("r1"), &inputs), "{request}");
        (request.to_string(), wanted.to_owned(), got)
    }));
}

/// A wish is answered when the session has dealt with it.
#[test]
fn wishes_are_answered_when_they_are_settled() {
    let rows = [
        (json!({"subtype": "set_permission_mode", "mode": "plan"}), Wish::SetMode(Mode::Plan), json!({"mode": "plan"})),
        (
            json!({"subtype": "set_permission_mode", "mode": "manual"}),
            Wish::SetMode(Mode::Default),
            json!({"mode": "default"}),
        ),
        (json!({"subtype": "set_model", "model": "a:b"}), Wish::SetModel("a:b".to_owned()), json!({})),
        (json!({"subtype": "set_model", "model": null}), Wish::SetModel("script:s".to_owned()), json!({})),
        (json!({"subtype": "set_model", "model": "default"}), Wish::SetModel("script:s".to_owned()), json!({})),
    ];
    for (request, wish, answer) in rows {
        let mut face = idle();
        let step = read(&mut face, &wants(&request));
        assert_eq!((step.lines.len(), &step.inputs[..]), (0, &[Input::Wish(WishId(0), wish)][..]), "{request}");
        let done = face.hear(&Notice::WishSettled(WishId(0), Ok(())), 0);
        assert_eq!(done.lines[0]["response"]["response"], answer, "{request}");
        let mut face = idle();
        let _wish = read(&mut face, &wants(&request));
        let refused = face.hear(&Notice::WishSettled(WishId(0), Err("no".to_owned())), 0);
        assert_eq!(refused.lines[0]["response"]["error"], json!("no"), "{request}");
    }
}

#[test]
fn a_permission_is_asked_of_the_host() {
    let mut question = permission_question();
    question.suggestion = Some("Bash(cargo test *)".to_owned());
    let (_, line) = asked(&called("Bash", json!({"command": "cargo test"})), Question::Permission(question));
    assert_eq!(
        line,
        json!({"type": "control_request", "request_id": "id2", "request": {
            "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "cargo test"}, "tool_use_id": "t1",
            "decision_reason": "the command is not known to be read-only",
            "permission_suggestions": [{"type": "addRules", "behavior": "allow", "destination": "session",
                "rules": [{"toolName": "Bash", "ruleContent": "cargo test *"}]}],
        }})
    );
    let mut question = permission_question();
    (question.tool, question.input) = ("Write".to_owned(), json!({"file_path": "/x"}));
    let (_, line) = asked(&called("Write", json!({"file_path": "/other"})), Question::Permission(question));
    let request = &line["request"];
    assert_eq!((&request["blocked_path"], &request["input"]), (&json!("/x"), &json!({"file_path": "/x"})));
}

#[test]
fn a_plan_is_asked_of_the_host() {
    let (_, line) = asked(&called("ExitPlanMode", json!({})), Question::Plan(plan_question()));
    let (request, plan) = (&line["request"], plan_question());
    assert_eq!(request["input"], json!({"plan": plan.plan, "planFilePath": plan.path}));
    assert_eq!((&request["tool_name"], &request["default_to_no"]), (&json!("ExitPlanMode"), &json!(true)));
    assert_eq!(
        request["permission_suggestions"],
        json!([{"type": "setMode", "mode": "acceptEdits", "destination": "session"}])
    );
}

/// What a host answers, and what the session hears of it.
fn heard(call: &Notice, question: &Question, rows: &[(Value, &str)]) {
    check(rows.iter().map(|(response, wanted)| {
        let (mut face, request) = asked(call, question.clone());
        let step = answers(&mut face, &request, response);
        let short = |input: &Input| match input {
            Input::Answer(ID, answer) => short(answer),
            Input::Wish(_, wish) => format!("{wish:?}"),
            other => format!("{other:?}"),
        };
        let mut got: Vec<_> = step.inputs.iter().map(short).collect();
        got.extend(step.asides.iter().map(|aside| format!("! {aside}")));
        let settled = face.hear(&Notice::Settled(ID), 0);
        assert!(settled.lines.is_empty(), "what was answered is not taken back");
        assert!(answers(&mut face, &request, response).inputs.is_empty(), "an answer counts once");
        (response.to_string(), (*wanted).to_owned(), got.join(" | "))
    }));
}

fn short(answer: &Answer) -> String {
    match answer {
        Answer::Granted(Grant { input, rules }) => {
            let rule = |(behavior, rule): &(Behavior, String)| format!(" {behavior:?} {rule}");
            let input = input.as_ref().map(|input| format!(" {input}")).unwrap_or_default();
            format!("granted{input}{}", rules.iter().map(rule).collect::<String>())
        }
        Answer::Plan { choice, feedback, edited, by, handoff: _ } => {
            let choice = choice.map_or("plain".to_owned(), planwright_core::dialogue::PlanChoice::name);
            format!(
                "{choice} {feedback}{}by {by}",
                edited.as_deref().map(|text| format!("edited {text:?} ")).unwrap_or_default()
            )
        }
        Answer::Declined(words) => format!("declined {words}"),
        Answer::EnterPlan(yes) => format!("enter {yes}"),
        Answer::User(answers) => {
            let one = |answer: &Option<UserAnswer>| match answer {
                None => "-".to_owned(),
                Some(UserAnswer { labels, own }) => format!("{labels:?}{}", own.as_deref().unwrap_or_default()),
            };
            answers.iter().map(one).collect::<Vec<_>>().join(" ")
        }
        Answer::Permission { .. } | Answer::Edited(_) | Answer::Hook(_) | Answer::Dismissed | Answer::Nobody => {
            format!("{answer:?}")
        }
    }
}

#[test]
fn answers_to_a_permission() {
    let input = json!({"command": "cargo test"});
    let with = |updates: Value| json!({"behavior": "allow", "updatedInput": input, "updatedPermissions": updates});
    let rules = |behavior: &str, destination: &str| {
        json!([{"type": "addRules", "behavior": behavior, "destination": destination,
                "rules": [{"toolName": "Bash", "ruleContent": "cargo *"}, {"toolName": "Read"}]}])
    };
    heard(
        &called("Bash", input.clone()),
        &Question::Permission(permission_question()),
        &[
            (json!({"behavior": "allow"}), "granted"),
            (json!({"behavior": "allow", "updatedInput": {"command": "cargo test"}}), "granted"),
            (json!({"behavior": "allow", "updatedInput": {"command": "ls"}}), r#"granted {"command":"ls"}"#),
            (with(rules("allow", "session")), "granted Allow Bash(cargo *) Allow Read"),
            (with(rules("deny", "session")), "granted Deny Bash(cargo *) Deny Read"),
            (
                with(rules("allow", "userSettings")),
                "granted Allow Bash(cargo *) Allow Read | ! warning: permission updates hold for this session only, and were not written to `userSettings`",
            ),
            (with(json!([{"type": "setMode", "mode": "plan", "destination": "session"}])), "SetMode(Plan) | granted"),
            (
                with(json!([{"type": "setMode", "mode": "wild"}])),
                "declined the answer about Bash could not be used, and counts as a no: there is no mode `wild`; the modes are default, acceptEdits, plan, auto, bypassPermissions | ! the answer about Bash could not be used, and counts as a no: there is no mode `wild`; the modes are default, acceptEdits, plan, auto, bypassPermissions",
            ),
            (
                with(json!([{"type": "removeRules", "rules": []}])),
                "declined the answer about Bash could not be used, and counts as a no: permission updates of type `removeRules` are not supported, only `addRules` and `setMode` | ! the answer about Bash could not be used, and counts as a no: permission updates of type `removeRules` are not supported, only `addRules` and `setMode`",
            ),
            (json!({"behavior": "deny", "message": "not now"}), "declined not now"),
            (json!({"behavior": "deny", "message": "stop", "interrupt": true}), "declined stop | Interrupt"),
            (
                json!({"behavior": "perhaps"}),
                "declined  | ! the answer about Bash could not be used, and counts as a no: its `behavior` is neither `allow` nor `deny`",
            ),
        ],
    );
}

/// A yes to some other call does not end plan mode on the side.
#[test]
fn only_the_answer_to_the_plan_brings_another_mode_while_planning() {
    let rows = [(Mode::Plan, "acceptEdits", false), (Mode::Plan, "plan", true), (Mode::Default, "acceptEdits", true)];
    for (now, mode, wanted) in rows {
        let mut face = idle();
        let changed = Notice::ModeChanged { from: Mode::Auto, to: now, cause: Cause::Command };
        let _status = face.hear(&changed, 0);
        let _nothing = face.hear(&called("Bash", json!({"command": "cargo test"})), 0);
        let step = face.hear(&Notice::Asked(ID, Question::Permission(permission_question())), 0);
        let update = json!([{"type": "setMode", "mode": mode}]);
        let step = answers(&mut face, &step.lines[0], &json!({"behavior": "allow", "updatedPermissions": update}));
        let wishes = step.inputs.iter().any(|input| matches!(input, Input::Wish(_, Wish::SetMode(_))));
        let granted = step.inputs.iter().any(|input| matches!(input, Input::Answer(ID, Answer::Granted(_))));
        assert_eq!((wishes, granted), (wanted, wanted), "{mode}: {:?}", step.inputs);
    }
}

#[test]
fn answers_to_a_plan() {
    let plan = plan_question();
    let shown = json!({"plan": plan.plan, "planFilePath": plan.path});
    let edited = json!({"plan": "# Mine\n", "planFilePath": plan.path});
    let mode = |mode: &str| json!([{"type": "setMode", "mode": mode, "destination": "session"}]);
    heard(
        &called("ExitPlanMode", json!({})),
        &Question::Plan(plan),
        &[
            (json!({"behavior": "allow"}), "plain by client"),
            (json!({"behavior": "allow", "message": "mind the callers, "}), "plain mind the callers, by client"),
            (json!({"behavior": "allow", "updatedInput": {}}), "plain by client"),
            (json!({"behavior": "allow", "updatedInput": shown}), "plain by client"),
            (
                json!({"behavior": "allow", "updatedInput": edited, "updatedPermissions": mode("acceptEdits")}),
                "approve:acceptEdits edited \"# Mine\\n\" by client",
            ),
            (json!({"behavior": "allow", "updatedPermissions": mode("default")}), "approve:default by client"),
            (json!({"behavior": "deny", "message": "more"}), "declined more"),
            (json!({"behavior": "deny", "message": "more", "interrupt": true}), "declined more | Interrupt"),
        ],
    );
}

#[test]
fn answers_to_the_other_questions() {
    heard(
        &called("EnterPlanMode", json!({})),
        &Question::EnterPlan,
        &[
            (json!({"behavior": "allow", "updatedInput": {}}), "enter true"),
            (json!({"behavior": "deny", "message": "just do it"}), "declined just do it"),
        ],
    );
    let questions = vec![user_question("Page size?", &["20", "50"], false), user_question("Where?", &["a", "b"], true)];
    let given = |answers: Value| json!({"behavior": "allow", "updatedInput": {"questions": [], "answers": answers}});
    heard(
        &called("AskUserQuestion", json!({"questions": []})),
        &Question::User(questions),
        &[
            (given(json!({"Page size?": "20", "Where?": "a, b"})), r#"["20"] ["a", "b"]"#),
            (given(json!({"Page size?": "30, please", "Where?": ["b"]})), r#"[]30, please ["b"]"#),
            (given(json!({"Where?": "a, c"})), "- []a, c"),
            (json!({"behavior": "allow"}), "- -"),
            (json!({"behavior": "deny", "message": "later"}), "declined later"),
        ],
    );
}

#[test]
fn a_host_that_fails_decides_nothing() {
    let (mut face, request) = asked(&called("Bash", json!({})), Question::Permission(permission_question()));
    let inner = json!({"subtype": "error", "request_id": request["request_id"], "error": "callback broke"});
    let step = read(&mut face, &json!({"type": "control_response", "response": inner}));
    assert_eq!(step.inputs, [Input::Answer(ID, Answer::Nobody)]);
    assert!(step.asides[0].contains("callback broke"), "{step:?}");
}

#[test]
fn a_question_settled_otherwise_is_taken_back() {
    let (mut face, request) = asked(&called("Bash", json!({})), Question::Permission(permission_question()));
    let step = face.hear(&Notice::Settled(ID), 0);
    assert_eq!(step.lines, [json!({"type": "control_cancel_request", "request_id": request["request_id"]})]);
    assert!(
        answers(&mut face, &request, &json!({"behavior": "allow"})).inputs.is_empty(),
        "late answers count nothing"
    );
}

/// A program may give the same unusable answer for ever.
#[test]
fn a_plan_is_shown_again_a_few_times_only() {
    let (mut face, _) = asked(&called("ExitPlanMode", json!({})), Question::Plan(plan_question()));
    let mut again = plan_question();
    again.note = Some("That mode is not on offer here.".to_owned());
    for _ in 0..3 {
        let step = face.hear(&Notice::Asked(ID, Question::Plan(again.clone())), 0);
        assert_eq!(step.lines[0]["request"]["decision_reason"], json!("That mode is not on offer here."));
    }
    let step = face.hear(&Notice::Asked(ID, Question::Plan(again.clone())), 0);
    assert_eq!(step.inputs, [Input::Answer(ID, Answer::Declined("That mode is not on offer here.".to_owned()))]);
    let step = face.hear(&Notice::Asked(ID, Question::Plan(plan_question())), 0);
    assert_eq!(step.lines.len(), 1, "another submission is asked about anew");
}

#[test]
fn an_editor_is_not_opened() {
    let step = idle().hear(&Notice::Asked(ID, Question::Editor("/p.md".into())), 0);
    assert!(matches!(&step.inputs[..], [Input::Answer(ID, Answer::Edited(Err(_)))]), "{step:?}");
}

fn hooked(matchers: Value) -> StreamFace {
    let mut face = idle();
    let step = read(&mut face, &wants(&json!({"subtype": "initialize", "hooks": {"PreToolUse": matchers}})));
    assert_eq!(step.lines[0]["response"]["response"]["hooks_applied"], json!(true));
    face
}

fn hook_question(tool: &str) -> Question {
    let (tool_use_id, tool) = ("t1".to_owned(), tool.to_owned());
    Question::Hook(HookQuestion { agent: None, tool_use_id, tool, input: json!({"x": 1}), mode: Mode::Plan })
}

#[test]
fn hooks_hear_of_the_calls_they_match() {
    let rows = [
        ("", "Read", true),
        ("*", "Read", true),
        ("Bash", "Bash", true),
        ("Bash", "BashOutput", false),
        ("Edit|Write", "Write", true),
        ("Edit, Write", "Write", true),
        ("Edit|Write", "NotebookEdit", false),
        ("mcp__.*", "mcp__s__t", true),
        ("Edit.*|Bash", "NotebookEdit", true),
        ("mcp__.*__write.*", "mcp__s__read", false),
    ];
    check(rows.map(|(matcher, tool, wanted)| {
        let mut face = hooked(json!([{"matcher": matcher, "hookCallbackIds": ["h"]}]));
        let step = face.hear(&Notice::Asked(ID, hook_question(tool)), 0);
        let unheard = step.inputs == [Input::Answer(ID, Answer::Hook(HookAnswer::default()))];
        assert_ne!(unheard, !step.lines.is_empty(), "either asked or answered: {step:?}");
        (format!("{matcher} {tool}"), wanted.to_string(), (!unheard).to_string())
    }));
    let mut face = hooked(json!([{"matcher": null, "hookCallbackIds": ["h"]}]));
    let step = face.hear(&Notice::Asked(ID, hook_question("Bash")), 0);
    assert_eq!(
        step.lines[0]["request"],
        json!({"subtype": "hook_callback", "callback_id": "h", "tool_use_id": "t1", "input": {
            "hook_event_name": "PreToolUse", "session_id": "s1", "transcript_path": "", "cwd": "/p",
            "permission_mode": "plan", "tool_name": "Bash", "tool_input": {"x": 1}, "tool_use_id": "t1",
        }})
    );
}

/// What two callbacks say, and what it comes to.
#[test]
fn the_strictest_hook_wins() {
    let said = |decision: &str| json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": "because"}});
    let deny = |hook: &str, reason: &str| Some(HookOpinion::Deny { hook: hook.to_owned(), reason: reason.to_owned() });
    let (nothing, allow) = (json!({}), Some(HookOpinion::Allow { hook: "a".to_owned() }));
    let changed = json!({"hookSpecificOutput": {"updatedInput": {"x": 2}}});
    let rows = [
        (nothing.clone(), nothing.clone(), None, None, false),
        (said("allow"), nothing.clone(), allow.clone(), None, false),
        (said("allow"), said("deny"), deny("b", "because"), None, false),
        (said("deny"), said("ask"), deny("a", "because"), None, false),
        (said("allow"), said("ask"), Some(HookOpinion::Ask { hook: "b".to_owned() }), None, false),
        (said("defer"), nothing.clone(), Some(HookOpinion::Ask { hook: "a".to_owned() }), None, false),
        (json!({"decision": "block", "reason": "old"}), nothing.clone(), deny("a", "old"), None, false),
        (json!({"decision": "approve"}), nothing.clone(), allow, None, false),
        (json!({"continue": false, "stopReason": "enough"}), nothing.clone(), deny("a", "enough"), None, true),
        (changed.clone(), nothing.clone(), None, Some(json!({"x": 2})), false),
        (nothing, changed, None, Some(json!({"x": 2})), false),
    ];
    for (first, second, opinion, input, stop) in rows {
        let mut face = hooked(json!([{"hookCallbackIds": ["a"]}, {"hookCallbackIds": ["b"]}]));
        let asked = face.hear(&Notice::Asked(ID, hook_question("Bash")), 0).lines;
        let half = answers(&mut face, &asked[0], &first);
        assert!(half.inputs.is_empty(), "both are waited for");
        let step = answers(&mut face, &asked[1], &second);
        let mut wanted = vec![Input::Answer(ID, Answer::Hook(HookAnswer { opinion, input }))];
        wanted.extend(stop.then_some(Input::Interrupt));
        assert_eq!(step.inputs, wanted, "{first} and {second}");
    }
}

#[test]
fn a_hook_that_fails_refuses_if_it_said_so() {
    for (on_failure, refuses) in
        [(json!(null), false), (json!("continue"), false), (json!("block"), true), (json!("odd"), true)]
    {
        let mut face = hooked(json!([{"hookCallbackIds": ["h"], "onFailure": on_failure}]));
        let asked = face.hear(&Notice::Asked(ID, hook_question("Bash")), 0).lines;
        let inner = json!({"subtype": "error", "request_id": asked[0]["request_id"], "error": "broke"});
        let step = read(&mut face, &json!({"type": "control_response", "response": inner}));
        let denied = matches!(
            &step.inputs[..],
            [Input::Answer(ID, Answer::Hook(HookAnswer { opinion: Some(HookOpinion::Deny { .. }), .. }))]
        );
        assert_eq!(denied, refuses, "{on_failure}: {step:?}");
        assert!(step.asides[0].contains("broke"), "it is told: {step:?}");
    }
}
