//! `planwright -p`: what is printed, and every exit code.

use serde_json::{Value, json};

use crate::ground::{Ended, Ground, Running, call, in_order, of_type, planned, say};

/// A run of `-p "do it"` on a script, and what is expected of it.
struct Row {
    case: &'static str,
    flags: &'static [&'static str],
    turns: Vec<Value>,
    code: i32,
    /// The whole of standard output.
    out: &'static str,
    /// Pieces of standard error, in order; none = nothing is said.
    err: &'static [&'static str],
}

fn rows() -> Vec<Row> {
    let row = |case, flags, turns, code, out, err| Row { case, flags, turns, code, out, err };
    vec![
        row("an answer", &[], vec![say("The answer.")], 0, "The answer.\n", &[]),
        row("two lines", &[], vec![say("One.\n\nTwo.\n")], 0, "One.\n\nTwo.\n", &[]),
        row(
            "only the last words are the answer",
            &[],
            vec![json!({"text": "Looking.", "tools": [{"name": "Glob", "input": {"pattern": "*"}}]}), say("Empty.")],
            0,
            "Empty.\n",
            &[],
        ),
        row(
            "an edit that a flag allows",
            &["--allowed-tools", "Write"],
            vec![call("Write", json!({"file_path": "{cwd}/a.txt", "content": "a\n"})), say("Written.")],
            0,
            "Written.\n",
            &[],
        ),
        row(
            "an edit in acceptEdits",
            &["--permission-mode", "acceptEdits"],
            vec![call("Write", json!({"file_path": "{cwd}/a.txt", "content": "a\n"})), say("Written.")],
            0,
            "Written.\n",
            &[],
        ),
        row(
            "a script that expects something else",
            &[],
            vec![json!({"expect": {"contains": ["a phrase nobody said"]}, "text": "Never."})],
            1,
            "",
            &["error: ", "request 1 of the main thread", "a phrase nobody said"],
        ),
        row("a script that runs out", &[], vec![], 1, "", &["error: ", "request 1", "ran out"]),
        row("a provider that fails", &[], vec![json!({"error": {"status": 529}})], 1, "", &["error: ", "529"]),
        row(
            "an answer that is cut",
            &[],
            vec![json!({"text": "Half an answer", "error": {"cut_after": 4}})],
            1,
            "Half\n",
            &["error: ", "cut off"],
        ),
        row(
            "a plan waits",
            &["--permission-mode", "plan"],
            planned("# Plan\n\nDo it.\n").to_vec(),
            3,
            "# Plan\n\nDo it.\n",
            &[
                "waits for approval",
                "--approve-plan --model script:",
                "plan approve ",
                " --model script:",
                "plan reject",
            ],
        ),
        row(
            "planning ends in prose",
            &["--permission-mode", "plan"],
            vec![say("The sky is blue.")],
            0,
            "The sky is blue.\n",
            &["No plan was submitted"],
        ),
        row(
            "a command nobody can allow",
            &[],
            vec![call("Bash", json!({"command": "make all"})), say("I could not.")],
            4,
            "I could not.\n",
            &["nobody could be asked", "Bash", "make all"],
        ),
        row(
            "what a rule denies needs no permission",
            &["--disallowed-tools", "Bash(make *)"],
            vec![call("Bash", json!({"command": "make all"})), say("It is denied.")],
            0,
            "It is denied.\n",
            &[],
        ),
        row(
            "a question nobody can answer",
            &[],
            vec![
                call(
                    "AskUserQuestion",
                    json!({"questions": [{"question": "A or B?", "header": "Pick", "options": [
                    {"label": "A", "description": "a"}, {"label": "B", "description": "b"}], "multiSelect": false}]}),
                ),
                say("I take A."),
            ],
            0,
            "I take A.\n",
            &[],
        ),
        row(
            "a command where everything may run",
            &["--dangerously-skip-permissions"],
            vec![call("Bash", json!({"command": "touch made && echo made it"})), say("It is made.")],
            0,
            "It is made.\n",
            &[],
        ),
        row(
            "a deny rule holds where everything may run",
            &["--dangerously-skip-permissions", "--disallowed-tools", "Bash(touch:*)"],
            vec![
                call("Bash", json!({"command": "touch made && echo made it"})),
                json!({"expect": {"not_contains": ["\nmade it"]}, "text": "It is not made."}),
            ],
            0,
            "It is not made.\n",
            &[],
        ),
        row(
            "a limit",
            &["--max-turns", "1"],
            vec![json!({"text": "Looking.", "tools": [{"name": "Glob", "input": {"pattern": "*"}}]}), say("Never.")],
            5,
            "Looking.\n",
            &["stopped: ", "1 model request"],
        ),
    ]
}

#[test]
fn what_a_run_comes_to() {
    let mut wrong = Vec::new();
    for row in rows() {
        let ground = Ground::new();
        let model = ground.script(&row.turns);
        let args: Vec<&str> = ["-p", "do it", "--model", &model].into_iter().chain(row.flags.iter().copied()).collect();
        let ended = ground.run(&args, "");
        let quiet = !row.err.is_empty() || ended.err.is_empty();
        let told = std::panic::catch_unwind(|| in_order(&ended.err, row.err)).is_ok();
        if ended.code != row.code || ended.out != row.out || !quiet || !told {
            wrong.push(format!("== {}: expected {} and {:?}\n{}", row.case, row.code, row.out, ended.all()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The result object of a run.
fn result(ended: &Ended) -> Value {
    assert_eq!(ended.out.lines().count(), 1, "one object on one line: {}", ended.all());
    serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {}", ended.all()))
}

#[test]
fn the_result_object_of_a_done_run() {
    let ground = Ground::new();
    let model = ground.script(&[call("Glob", json!({"pattern": "*"})), say("Done.")]);
    let ended = ground.run(&["-p", "do it", "--model", &model, "--output-format", "json"], "").exits(0);
    let mut result = result(&ended);
    assert!(result["duration_ms"].is_u64(), "{result}");
    assert_eq!(result["session_id"], ground.id());
    for varying in ["duration_ms", "duration_api_ms", "session_id", "usage", "modelUsage"] {
        result.as_object_mut().expect("an object").shift_remove(varying);
    }
    let expected = json!({
        "type": "result", "subtype": "success", "is_error": false, "num_turns": 2, "result": "Done.",
        "errors": [], "stop_reason": "end_turn", "total_cost_usd": 0.0, "permission_denials": [], "plan": null,
        "plan_file": null,
    });
    assert_eq!(result, expected);
}

/// The price stands in the result, and another model answers when the first gives up.
#[test]
fn what_a_run_cost_and_who_answered() {
    let ground = Ground::new();
    let priced = |turns: Value| json!({"price": {"input": 2, "output": 10}, "turns": turns});
    let usage = json!({"input_tokens": 1_000_000, "output_tokens": 1_000});
    let look = json!({"tools": [{"name": "Glob", "input": {"pattern": "*"}}], "usage": usage});
    let main = ground.whole_script(&priced(json!([look, {"error": {"status": 503}}])));
    let other = ground.whole_script(&priced(json!([{"text": "Done.", "usage": {"output_tokens": 100_000}}])));
    let args = ["-p", "do it", "--model", &main, "--fallback-model", &other, "--output-format", "json"];
    let ended = ground.run(&args, "").exits(0).warns(&["503", "answers for the rest of this turn"]);
    let result = result(&ended);
    assert_eq!((&result["result"], &result["num_turns"]), (&json!("Done."), &json!(3)));
    assert_eq!(result["total_cost_usd"], json!(3.01));
    assert_eq!(result["usage"]["output_tokens"], json!(101_000));

    ground.write("../home/settings.json", &json!({"fallbackModel": "script:/nowhere.json"}).to_string());
    ground.run(&["-p", "do it", "--model", &main], "").exits(2).warns(&["/nowhere.json"]);
}

#[test]
fn the_result_object_of_every_other_ending() {
    let look = || call("Glob", json!({"pattern": "*"}));
    let rows: [(&[&str], Vec<Value>, i32, &str); 5] = [
        (&["--permission-mode", "plan"], planned("# Plan\n").to_vec(), 3, "plan_pending"),
        (&[], vec![], 1, "error_during_execution"),
        (&["--max-turns", "1"], vec![look()], 5, "error_max_turns"),
        (&[], vec![call("Bash", json!({"command": "make all"})), say("No.")], 4, "error_permission_missing"),
        (&[], vec![say("Yes.")], 0, "success"),
    ];
    for (flags, turns, code, subtype) in rows {
        let ground = Ground::new();
        let model = ground.script(&turns);
        let args = ["-p", "do it", "--model", &model, "--output-format", "json"];
        let ended = ground.run(&[&args, flags].concat(), "").exits(code);
        let result = result(&ended);
        assert_eq!(
            (&result["subtype"], &result["is_error"]),
            (&json!(subtype), &json!(subtype.starts_with("error_"))),
            "{}",
            ended.all()
        );
        assert!(result["result"].as_str().is_some_and(|text| !text.is_empty() || code == 5), "{}", ended.all());
        match subtype {
            "plan_pending" => {
                assert_eq!(result["result"], "# Plan\n");
                assert_eq!(result["plan"], "# Plan\n");
                assert_eq!(result["plan_file"], ground.plan_path().display().to_string());
            }
            "error_permission_missing" => {
                let denial = &result["permission_denials"][0];
                assert_eq!(
                    (&denial["tool_name"], &denial["tool_input"]),
                    (&json!("Bash"), &json!({"command": "make all"}))
                );
                assert!(denial["tool_use_id"].is_string());
            }
            _ => {}
        }
    }
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_is_wrong() {
    let ground = Ground::new();
    let good = ground.script(&[say("Never.")]);
    let broken =
        ground.write("../broken.json", "{\n  \"turns\": [\n    {\"txt\": \"typo\"}\n  ]\n}\n").display().to_string();
    let cut = ground.write("../cut.json", "{\"turns\": [\n").display().to_string();
    let (broken, cut) = (format!("script:{broken}"), format!("script:{cut}"));
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("no prompt", &["-p", "--model", &good], &["-p needs a prompt"]),
        ("no model", &["-p", "hello"], &["no model is set", "--model"]),
        ("a model that is none", &["-p", "hello", "--model", "nonsense"], &["`nonsense`", "PROVIDER:NAME"]),
        ("a provider that is none", &["-p", "hello", "--model", "nobody:x"], &["`nobody`"]),
        ("a script that is not there", &["-p", "x", "--model", "script:gone.json"], &["gone.json", "cannot be read"]),
        ("a script with a typo", &["-p", "x", "--model", &broken], &["broken.json:3:", "txt", "`text`"]),
        ("a script that is cut", &["-p", "x", "--model", &cut], &["cut.json:2:", "malformed JSON"]),
        ("the same in line mode", &["--model", &broken], &["broken.json:3:", "txt"]),
        ("a mode that is none", &["-p", "x", "--permission-mode", "plann"], &["plann", "acceptEdits"]),
        ("a flag that is none", &["--prnt"], &["--prnt", "--print"]),
        (
            "bypass without leave",
            &["-p", "x", "--model", &good, "--permission-mode", "bypassPermissions"],
            &["--allow-bypass"],
        ),
        ("an approval of nothing", &["-p", "--model", &good, "--approve-plan"], &["--resume ID"]),
        ("an approval into a mode that is none", &["--resume", "x", "--approve-plan=planning"], &["planning"]),
        ("a slash command that is none", &["-p", "/plna", "--model", &good], &["/plna", "/plan"]),
        (
            "a session that is none",
            &["-p", "x", "--model", &good, "--resume", "deadbeef"],
            &["deadbeef", "session list"],
        ),
        ("a command behind a flag", &["--model", &good, "doctor"], &["`doctor` is a command", "planwright doctor"]),
        ("two words of one", &["--settings", "{}", "plan", "list"], &["`plan` is a command", "planwright plan"]),
        ("the same, headless", &["-p", "trust"], &["`trust` is a command", "-- trust"]),
        ("a command line in pieces", &["check", "ls", "-la"], &["one command line", "check 'ls -la'"]),
        (
            "a shell line as a program",
            &["scratch", "--", "echo a > b"],
            &["no program `echo a > b`", "sh -c 'echo a > b'"],
        ),
        (
            "an edited plan without an approval",
            &["-p", "x", "--model", &good, "--plan-file", "p.md"],
            &["--approve-plan"],
        ),
        ("no session to continue", &["-p", "x", "--model", &good, "--continue"], &["no session to continue"]),
        ("a session id that is none", &["-p", "x", "--model", &good, "--session-id", "7"], &["--session-id"]),
    ];
    let mut wrong = Vec::new();
    for (case, args, err) in rows {
        let ended = ground.run(args, "");
        let told = std::panic::catch_unwind(|| in_order(&ended.err, err)).is_ok();
        if ended.code != 2 || !told || !ended.out.is_empty() {
            wrong.push(format!("== {case}: expected 2 and {err:?}\n{}", ended.all()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ground.ids().is_empty(), "none of them began a session: {:?}", ground.ids());
}

#[test]
fn the_model_is_named_by_flag_then_environment_then_settings() {
    let ground = Ground::new();
    let [flag, variable, setting] =
        ["By flag.", "By environment.", "By settings."].map(|text| ground.script(&[say(text)]));
    ground.write("../home/settings.json", &json!({"model": setting}).to_string());
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = ground.planwright(&[&["-p", "hello"], args].concat());
        command.envs(variables.iter().copied());
        Running::start(command).end().exits(0).out
    };
    let named = [("PLANWRIGHT_MODEL", variable.as_str())];
    assert_eq!(run(&["--model", &flag], &named), "By flag.\n");
    assert_eq!(run(&[], &named), "By environment.\n");
    assert_eq!(run(&[], &[]), "By settings.\n");
}

#[test]
fn another_model_plans_if_one_is_named() {
    let ground = Ground::new();
    let planner = ground.script(&planned("# By the planner\n"));
    let worker = ground.script(&[say("By the worker.")]);
    let models = ["--model", &worker, "--plan-model", &planner];
    ground.run(&[&["-p", "plan it", "--permission-mode", "plan"], &models[..]].concat(), "").exits(3);
    let args = ["-p", "--continue", "--approve-plan"];
    ground.run(&[&args, &models[..]].concat(), "").exits(0).says(&["By the worker."]);
}

#[test]
fn more_folders_and_settings_come_by_flag() {
    let ground = Ground::new();
    let other = ground.write("../other/notes.txt", "old\n");
    let edit = |path: &std::path::Path| {
        vec![
            call("Read", json!({"file_path": path})),
            call("Edit", json!({"file_path": path, "old_string": "old", "new_string": "new"})),
            say("Edited."),
        ]
    };
    let run = |flags: &[&str]| {
        let model = ground.script(&edit(&other));
        let args = ["-p", "edit it", "--permission-mode", "acceptEdits", "--model", &model];
        ground.run(&[&args, flags].concat(), "")
    };
    let folder = ground.beside("other").display().to_string();
    run(&[]).exits(4);
    let settings = ground.write("../denies.json", "{\"permissions\": {\"deny\": [\"Edit\"]}}").display().to_string();
    run(&["--add-dir", &folder, "--settings", &settings]).exits(0);
    assert_eq!(std::fs::read_to_string(&other).expect("it is there"), "old\n", "denied by the settings file");
    run(&["--add-dir", &folder]).exits(0);
    assert_eq!(std::fs::read_to_string(&other).expect("it is there"), "new\n");
}

#[test]
fn what_a_project_allows_counts_once_its_folder_is_trusted() {
    let ground = Ground::new();
    ground.write(".planwright/settings.json", "{\"permissions\": {\"allow\": [\"Bash(touch:*)\"]}}\n");
    let run = || {
        let model = ground.script(&[call("Bash", json!({"command": "touch made"})), say("Tried.")]);
        ground.run(&["-p", "make it", "--model", &model], "")
    };
    run().exits(4).warns(&["warning: ", "settings.json", "not trusted"]);
    assert!(!ground.project().join("made").exists());
    ground.run(&["trust"], "").exits(0).says(&["Trusted", &ground.project().display().to_string()]);
    let ended = run().exits(0);
    assert_eq!(ended.err, "");
    assert!(ground.project().join("made").exists());
}

/// `default` is looser than what the user set.
#[test]
fn a_project_that_is_not_trusted_does_not_undo_the_users_plan_mode() {
    let ground = Ground::new();
    ground.write("../home/settings.json", "{\"permissions\": {\"defaultMode\": \"plan\"}}\n");
    ground.write(".planwright/settings.json", "{\"permissions\": {\"defaultMode\": \"default\"}}\n");
    let model = ground.script(&[]);
    let ended = ground.run(&["--model", &model], "/exit\n").exits(0).says(&["(mode plan)"]);
    in_order(&ended.err, &["warning: ", "not trusted", "permissions.defaultMode"]);
    ground.run(&["trust"], "").exits(0);
    ground.run(&["--model", &model], "/exit\n").exits(0).says(&["(mode default)"]);
}

#[test]
fn a_home_that_cannot_be_used_is_named() {
    let ground = Ground::new();
    let model = ground.script(&[say("Never.")]);
    let file = ground.write("../a-file", "").join("home");
    let mut command = ground.planwright(&["-p", "hello", "--model", &model]);
    command.env("PLANWRIGHT_HOME", &file);
    let path = file.display().to_string();
    let ended = Running::start(command).end().exits(1).warns(&[&path, "a file, not a folder"]);
    assert!(!ended.err.contains("panicked"), "{}", ended.all());
}

#[test]
fn piped_text_stands_below_the_prompt() {
    let ground = Ground::new();
    let model =
        ground.script(&[json!({"expect": {"contains": ["explain this\n\nerror[E0499]"]}, "text": "Twice borrowed."})]);
    ground.run(&["-p", "explain this", "--model", &model], "error[E0499]\n").exits(0).says(&["Twice borrowed."]);
    let model = ground.script(&[json!({"expect": {"contains": ["only piped"]}, "text": "Read."})]);
    ground.run(&["-p", "--model", &model], "only piped\n").exits(0).says(&["Read."]);
}

/// A pipe that was only inherited, as from a service or a test runner, holds nothing up.
#[test]
fn an_input_that_never_speaks_is_not_waited_for() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hi.")]);
    let ended = ground.start(&["-p", "hello", "--model", &model]).over().exits(0);
    assert_eq!(ended.out, "Hi.\n");
}

#[test]
fn a_run_started_in_plan_never_leaves_it_by_itself() {
    let ground = Ground::new();
    let [write, submit] = planned("# Plan\n");
    let model = ground.script(&[
        call("Write", json!({"file_path": "{cwd}/a.txt", "content": "too early"})),
        write,
        submit,
        say("Never."),
    ]);
    // Neither a bypass nor a rule that allows everything opens the gate.
    let flags = ["--permission-mode", "plan", "--allow-bypass", "--allowed-tools", "Write", "Edit", "Bash"];
    let args = ["-p", "do it", "--model", &model];
    ground.run(&[&args[..], &flags[..]].concat(), "").exits(3).says(&["# Plan"]);
    assert!(!ground.project().join("a.txt").exists());
    let entries = ground.log();
    let modes: Vec<_> = of_type(&entries, "permission-mode").iter().map(|entry| entry["to"].clone()).collect();
    assert_eq!(modes, ["plan"]);
    let denied: Vec<_> =
        of_type(&entries, "permission-decision").into_iter().filter(|entry| entry["verdict"] == "deny").collect();
    assert_eq!(denied.len(), 1, "{denied:?}");
    assert_eq!(denied[0]["by"], "gate");
}

#[test]
fn a_slash_command_is_a_prompt_too() {
    let ground = Ground::new();
    let mut turns = vec![json!({"expect": {"contains": ["rework auth"]}, "tools": []})];
    turns[0]["tools"] = planned("# Auth\n")[0]["tools"].clone();
    turns.push(planned("")[1].clone());
    let model = ground.script(&turns);
    ground.run(&["-p", "/plan rework auth", "--model", &model], "").exits(3).says(&["# Auth"]);
    ground.run(&["-p", "/help", "--model", &model], "").exits(0);
}

#[test]
fn signals_stop_a_run() {
    for (signal, code, subtype) in [("INT", 130, "error_interrupted"), ("TERM", 143, "error_interrupted")] {
        let ground = Ground::new();
        let model = ground.script(&[json!({"text": "Too late.", "delay_ms": 600_000})]);
        // The words on standard error come right before the model is asked.
        let args = ["-p", "/plan take your time", "--model", &model, "--output-format", "json"];
        let ended = ground.start(&args).shut().wait_for("Enabled plan mode").signal(signal).over().exits(code);
        assert_eq!(result(&ended)["subtype"], subtype, "{}", ended.all());
        let entries = ground.log();
        assert_eq!(of_type(&entries, "interrupted").len(), 1, "the log says that the turn was stopped");
        ground.run(&["session", "show"], "").exits(0).says(&["take your time", "interrupted"]);
    }
}

#[test]
fn requests_are_logged_on_wish() {
    let ground = Ground::new();
    let model = ground.script(&[call("Glob", json!({"pattern": "*"})), say("Done.")]);
    let folder = ground.beside("requests");
    let folder = folder.to_str().expect("the path is text");
    ground.run(&["-p", "do it", "--model", &model, "--log-requests", folder], "").exits(0);
    let files = crate::ground::files(&ground.beside("requests"));
    assert_eq!(files.len(), 2, "one file for each request: {files:?}");
    for file in files {
        let text = std::fs::read_to_string(ground.beside("requests").join(&file)).expect("it can be read");
        let request: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(request.to_string().contains("do it"), "{request}");
    }
}
