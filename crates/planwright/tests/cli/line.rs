//! Line mode: standard input is not a terminal.

use serde_json::{Value, json};

use crate::ground::{Ended, Ground, PATIENCE, Running, call, in_order, of_type, planned, say};

/// The output with what differs from run to run replaced by its name.
fn plain(ground: &Ground, ended: &Ended) -> String {
    let mut text = ended.out.replace(&ground.id(), "ID");
    if let Some(named) = of_type(&ground.log(), "plan-slug").last() {
        text = text.replace(named["path"].as_str().expect("a path is text"), "PLAN");
    }
    // What protects the user is told when it is found out, in the background.
    let told = |line: &&str| !line.starts_with("Plan mode: ");
    let text: String = text.split_inclusive('\n').filter(told).collect();
    text.replace(&ground.project().display().to_string(), "PROJECT")
}

/// Also in a new user's first session, before a command needed to know.
#[test]
fn what_protects_the_user_is_told_in_the_first_session() {
    let ground = Ground::new();
    let model = ground.script(&[]);
    let running = ground.start(&["--model", &model]).say("/plan\n").wait_for("Plan mode: ");
    running.say("/exit\n").end().exits(0);
}

#[test]
fn one_event_one_line() {
    let ground = Ground::new();
    ground.write("src/a.txt", "alpha\nbeta\n");
    let [write, submit] = planned("# Plan\n\nChange it.\n");
    let model = ground.script(&[
        json!({"text": "I look.\nThen I plan.", "tools": [
            {"name": "Grep", "input": {"pattern": "alpha", "output_mode": "content"}},
            {"name": "Read", "input": {"file_path": "{cwd}/src/a.txt"}},
        ]}),
        call("Edit", json!({"file_path": "{cwd}/src/a.txt", "old_string": "alpha", "new_string": "gamma"})),
        write,
        submit,
        json!({"tools": [{"name": "Edit", "input": {"file_path": "{cwd}/src/a.txt", "old_string": "alpha", "new_string": "gamma"}}]}),
        say("Done."),
    ]);
    let typed = "/plan change it\n2\n1\n/mode\n/exit\n";
    let ended = ground.run(&["--model", &model, "--echo"], typed).exits(0);
    let expected = "\
session: ID (mode default)
› /plan change it
mode: default -> plan
Enabled plan mode
◇ plan_mode full
● I look.
  Then I plan.
⏺ Grep(alpha)
⏺ Read(PROJECT/src/a.txt)
✔ Grep -> src/a.txt:1:alpha
✔ Read -> 1→alpha
⏺ Edit(PROJECT/src/a.txt)
✘ Edit -> plan mode is active; only the plan file PLAN may be written. Finish the plan and call ExitPlanMode to ask the \
user for approval. (`Edit(PROJECT/src/a.txt)` was not run.)
⏺ Write(PLAN)
✔ Write -> Created PLAN (3 lines).
⏺ ExitPlanMode()
A plan is ready: PLAN (revision 1)
Plan:
  # Plan

  Change it.
Exit plan mode?
  1. approve, edits accepted from here on (acceptEdits)
  2. approve, confirm each edit (default)
  3. edit the plan (EDITOR), then ask again
  4. keep planning, optionally with what should change
Answer with a number. Words without a number keep planning and tell the model what should change.
› 2
mode: plan -> default
✔ ExitPlanMode -> User has approved your plan. You can now start coding. Start with updating your todo list if applicable
◇ plan_mode_exit
⏺ Edit(PROJECT/src/a.txt)
Allow Edit?
  PROJECT/src/a.txt
";
    let mut said = plain(&ground, &ended);
    // The choice names the editor that this machine has.
    let from = said.find("edit the plan (").expect("the plan can be edited") + "edit the plan (".len();
    let to = from + said[from..].find("), then").expect("an editor is named");
    said.replace_range(from..to, "EDITOR");
    assert_eq!(said.get(..expected.len()), Some(expected), "{said}");
    in_order(
        &said[expected.len()..],
        &[
            "-alpha",
            "+gamma",
            "Answer with a number",
            "› 1\n",
            "✔ Edit -> ",
            "● Done.\n",
            "› /mode\npermission mode: default (cycle: default → acceptEdits → plan)\n",
            "› /exit\n",
        ],
    );
    assert!(!ended.out.contains('\x1b'), "no colors where no terminal is");
    assert_eq!(ground.read("src/a.txt"), "gamma\nbeta\n");
}

#[test]
fn without_echo_the_input_is_not_repeated() {
    let ground = Ground::new();
    let model = ground.script(&[say("Hi.")]);
    let ended = ground.run(&["--model", &model], "hello\n").exits(0);
    assert_eq!(plain(&ground, &ended), "session: ID (mode default)\n● Hi.\n");
    // A prompt among the arguments is the first line.
    let ended = ground.run(&["--model", &model, "hello"], "/exit\n").exits(0);
    in_order(&ended.out, &["● Hi.\n"]);
}

#[test]
fn an_unknown_slash_command_is_an_error_and_never_sent() {
    let ground = Ground::new();
    // The script has no turns: anything sent to the model fails the run.
    let model = ground.script(&[]);
    for (typed, near) in [("/plna", "/plan"), ("/exti", "/exit"), ("/moed plan", "/mode")] {
        let ended = ground.run(&["--model", &model], &format!("{typed}\n")).exits(0);
        let word = typed.split(' ').next().unwrap_or_default();
        in_order(&ended.out, &["error: ", word, near]);
    }
}

#[test]
fn the_slash_commands_answer_without_the_model() {
    let ground = Ground::new();
    let model = ground.script(&[]);
    for (typed, pieces) in [
        ("/help", &["/plan", "/mode", "/exit", "!COMMAND"][..]),
        ("/mode", &["permission mode: default (cycle: default → acceptEdits → plan)"]),
        ("/mode acceptEdits", &["mode: default -> acceptEdits", "permission mode: acceptEdits"]),
        ("/mode plan\n/mode", &["mode: default -> plan", "permission mode: plan"]),
        ("/mode auto", &["Auto mode cannot be used"]),
        ("/mode bypassPermissions", &["--allow-bypass"]),
        ("/plan", &["mode: default -> plan\n", "Enabled plan mode\n"]),
        ("/plan open", &["Enabled plan mode\n"]),
        ("/plan\n/plan", &["Enabled plan mode\n", "Already in plan mode. No plan written yet.\n"]),
        ("/plan\n/plan off\n/mode", &["mode: default -> plan", "mode: plan -> default", "permission mode: default"]),
        ("/status", &["session", "mode", "default", "model", "script:"]),
        ("/permissions", &["no permission rules"]),
        ("/agents", &["Explore", "Plan", "general-purpose"]),
        ("/cost", &["tokens: 0 in"]),
        ("/context", &["model", "script:", "window", "no limit", "used", "system", "tools", "notes", "talk"]),
        ("/model", &["model: script:"]),
        ("/model nonsense", &["nonsense", "PROVIDER:NAME"]),
        ("/clear", &["cleared"]),
        ("/compact", &["nothing to compact"]),
        ("/fork", &["fork", "session: "]),
        ("!echo it works", &["it works"]),
        ("!", &["error: there is no command"]),
    ] {
        let ended = ground.run(&["--model", &model], &format!("{typed}\n/exit\n"));
        assert_eq!(ended.code, 0, "{typed}: {}", ended.all());
        let told = std::panic::catch_unwind(|| in_order(&ended.out, pieces));
        assert!(told.is_ok(), "{typed}: {}", ended.all());
    }
}

#[test]
fn the_plan_is_shown_and_opened_on_request() {
    // Prose after a plan was written is answered with a reminder, so the model speaks twice.
    let turns = [planned("# Plan\n").to_vec(), vec![say("I wait."), say("I still wait.")]].concat();
    let run = |editor: &str, typed: &str| {
        let ground = Ground::new();
        let model = ground.script(&turns);
        let mut command = ground.planwright(&["--model", &model]);
        command.env("EDITOR", editor);
        let typed = format!("/plan make it\n4 not yet\n{typed}\n/exit\n");
        (Running::start(command).say(&typed).end(), ground)
    };
    let (ended, ground) = run("vim", "/plan");
    let path = ground.plan_path().display().to_string();
    in_order(&ended.exits(0).out, &["Current Plan\n", &path, "# Plan\n", "\"/plan open\" to edit this plan in Vim\n"]);
    // Words are not lost.
    let (ended, _) = run("vim", "/plan and another thing");
    in_order(&ended.exits(0).out, &["Current Plan\n", "not sent: and another thing\n"]);
    // The editor runs on the path, with its own arguments.
    let (ended, ground) = run("sed -i s/Plan/Edited/", "/plan open");
    let path = ground.plan_path().display().to_string();
    in_order(&ended.exits(0).out, &[&format!("Opened plan in editor: {path}\n")]);
    assert_eq!(ground.plan(), "# Edited\n");
    let (ended, ground) = run("false", "/plan open");
    in_order(&ended.exits(0).out, &["Failed to open plan in editor: "]);
    assert_eq!(ground.plan(), "# Plan\n");
}

/// End of input at a question: the cautious answer, then the session ends.
#[test]
fn the_end_of_input_answers_every_question_cautiously() {
    let question = json!({"questions": [{"question": "A or B?", "header": "Pick", "options": [
        {"label": "A", "description": "a"}, {"label": "B", "description": "b"}], "multiSelect": false}]});
    let rows: [(&str, Vec<Value>, &str, &str); 5] = [
        ("a command", vec![call("Bash", json!({"command": "touch made"}))], "go", "Allow Bash?"),
        ("an edit", vec![call("Write", json!({"file_path": "{cwd}/made", "content": "x"}))], "go", "Allow Write?"),
        ("plan mode", vec![call("EnterPlanMode", json!({}))], "go", "Enter plan mode?"),
        ("a question of the model", vec![call("AskUserQuestion", question)], "go", "Pick: A or B?"),
        ("a plan", planned("# Plan\n").to_vec(), "/plan go", "Exit plan mode?"),
    ];
    for (case, turns, typed, asked) in rows {
        let ground = Ground::new();
        // Nothing more is asked of the model: its script has no more turns.
        let model = ground.script(&turns);
        let ended = ground.run(&["--model", &model], &format!("{typed}\n")).exits(0);
        in_order(&ended.out, &[asked, "✘ "]);
        assert!(!ground.project().join("made").exists(), "{case}");
        let entries = ground.log();
        let results = of_type(&entries, "tool-result");
        assert_eq!(results.last().expect("the call has a result")["is_error"], true, "{case}");
        let planning = case == "a plan";
        let modes: Vec<_> = of_type(&entries, "permission-mode").iter().map(|entry| entry["to"].clone()).collect();
        assert_eq!(modes, if planning { vec![json!("plan")] } else { vec![] }, "{case}");
        let approved = of_type(&entries, "plan-decision").iter().any(|entry| entry["decision"] == "approved");
        assert!(!approved, "{case}");
    }
}

#[test]
fn an_interrupt_stops_the_turn_and_then_leaves() {
    let ground = Ground::new();
    let model = ground.script(&[
        call("Glob", json!({"pattern": "*"})),
        json!({"text": "Too late.", "delay_ms": 600_000}),
        say("Here I am."),
    ]);
    let running =
        ground.start(&["--model", &model]).say("look\n").wait_for("✔ Glob").signal("INT").wait_for("Stopped.");
    let running = running.say("still there?\n").wait_for("● Here I am.");
    // Nothing runs now: the next one leaves, also while the input is open.
    running.say("/status\n").wait_for("protection").signal("INT").over().exits(130);
    let entries = ground.log();
    assert_eq!(of_type(&entries, "interrupted").len(), 1);
    assert!(!entries.iter().any(|entry| entry.to_string().contains("Too late.")));
}

#[test]
fn an_interrupt_at_the_plan_dialogue_approves_nothing() {
    let ground = Ground::new();
    let model = ground.script(&planned("# Plan\n"));
    let ended = ground.start(&["--model", &model]).say("/plan go\n").wait_for("Answer with a number");
    ended.signal("INT").wait_for("Stopped.").say("/mode\n").wait_for("permission mode: plan").end().exits(0);
    let entries = ground.log();
    assert!(of_type(&entries, "plan-decision").iter().all(|entry| entry["decision"] != "approved"));
}

#[test]
fn sigterm_leaves_and_the_plan_goes_on_waiting() {
    let ground = Ground::new();
    let model = ground.script(&[planned("# Plan\n").to_vec(), vec![say("Go.")]].concat());
    let running = ground.start(&["--model", &model]).say("/plan go\n").wait_for("Answer with a number");
    running.signal("TERM").over().exits(143);
    let ended = ground.run(&["--continue", "--model", &model], "1\n").exits(0);
    in_order(&ended.out, &["(mode plan)", "Exit plan mode?", "mode: plan -> acceptEdits", "● Go."]);
}

/// A terminal that is closed ends the program, and with it what it runs in the background.
#[test]
fn a_hangup_leaves_and_ends_commands_in_the_background() {
    use std::io::{BufRead, BufReader, Read};
    let ground = Ground::new();
    let pipe = ground.pipe("pipe");
    let (to, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(std::fs::File::open(pipe).expect("a pipe can be read"));
        let (mut begun, mut rest) = (String::new(), String::new());
        let _ = pipe.read_line(&mut begun);
        let _ = to.send(begun);
        // Ends when no process holds the other side.
        let _ = pipe.read_to_string(&mut rest);
        let _ = to.send(rest + "closed");
    });
    let command = "exec 3>pipe; echo begun >&3; exec sleep 600";
    let model = ground.script(&[call("Bash", json!({"command": command, "run_in_background": true})), say("It runs.")]);
    let running = ground.start(&["--model", &model, "--allowed-tools", "Bash"]).say("go\n").wait_for("● It runs.");
    assert_eq!(heard.recv_timeout(PATIENCE).as_deref(), Ok("begun\n"));
    running.signal("HUP").over().exits(129);
    assert_eq!(heard.recv_timeout(PATIENCE).as_deref(), Ok("closed"), "the command still runs");
}

/// On a terminal a command typed while the model works is a command at once, and no message.
#[test]
fn a_mode_typed_while_the_model_works_takes_effect() {
    let ground = Ground::new();
    let pipe = ground.pipe("pipe");
    let model = ground.script(&[
        call("Bash", json!({"command": "cat pipe"})),
        call("Write", json!({"file_path": "{cwd}/a.txt", "content": "x"})),
        say("Done."),
    ]);
    let command =
        ground.planwright(&["--model", &model, "--permission-mode", "acceptEdits", "--allowed-tools", "Bash"]);
    let running = Running::start_on_a_terminal(command).say("go\n").wait_for("⏺ Bash(cat pipe)");
    let running = running.say("/mode plan\n").wait_for("mode: acceptEdits -> plan");
    // Only now can the command end.
    std::fs::write(pipe, "on\n").expect("a pipe can be written");
    let ended = running.wait_for("● Done.").say("/exit\n").over().exits(0);
    in_order(&ended.out, &["mode: acceptEdits -> plan", "✔ Bash", "✘ Write -> plan mode is active"]);
    assert!(!ground.project().join("a.txt").exists());
    let entries = ground.log();
    let said: Vec<_> = of_type(&entries, "user").iter().map(|entry| entry["text"].clone()).collect();
    assert_eq!(said, ["go"], "{}", ended.all());
}

#[test]
fn a_failed_turn_is_told_and_remembered_in_the_exit_code() {
    let ground = Ground::new();
    let model = ground.script(&[json!({"error": {"status": 500}}), say("Better now.")]);
    ground.run(&["--model", &model], "hello\nagain\n/exit\n").exits(1).says(&["error: ", "500", "● Better now."]);
}

#[test]
fn settings_that_are_wrong_are_warned_of_with_file_and_line() {
    let ground = Ground::new();
    let file = ground.write(
        "../home/settings.json",
        "{\n  \"permissions\": {\"alow\": [\"Bash\"]},\n  \"plan\": {\n    \"required\": \"yes\"\n  }\n}\n",
    );
    ground.write(".planwright/settings.json", "{\"plansDirectory\": \"../elsewhere\"}\n");
    let model = ground.script(&[say("Hi.")]);
    let ended = ground.run(&["--model", &model], "hello\n/exit\n").exits(0);
    let at = |line: usize| format!("{}:{line}", file.display());
    for pieces in [
        &["warning: ", &at(2), "alow", "`permissions.allow`"][..],
        &["warning: ", &at(4), "plan.required"],
        &["warning: ", "`plansDirectory`", "../elsewhere", "outside the project"],
    ] {
        in_order(&ended.err, pieces);
    }
    in_order(&ended.out, &["● Hi."]);
}

#[test]
fn the_projects_own_instructions_are_given_to_the_model_within_bounds() {
    let ground = Ground::new();
    let model = ground.script(&[json!({"expect": {"contains": ["Tabs, never spaces."]}, "text": "Hi."})]);
    ground.write("CLAUDE.md", "Second choice.\n");
    ground.write("AGENTS.md", "Tabs, never spaces.\n");
    let ended = ground.run(&["-p", "hello", "--model", &model], "").exits(0);
    assert_eq!(ended.err, "");
    ground.write("AGENTS.md", &"Tabs, never spaces.\n".repeat(20_000));
    let model = ground.script(&[json!({"expect": {"not_contains": ["Tabs, never spaces."]}, "text": "Hi."})]);
    ground.run(&["-p", "hello", "--model", &model], "").exits(0).warns(&[
        "warning: ",
        "AGENTS.md",
        "not given to the model",
    ]);
}

/// A pipe where a file is expected is not waited for.
#[test]
fn pipes_in_the_place_of_files_are_passed_over() {
    for place in ["AGENTS.md", ".planwright/settings.json", "../home/settings.json"] {
        let ground = Ground::new();
        ground.pipe(place);
        let model = ground.script(&[say("Hi.")]);
        let ended = ground.run(&["-p", "hello", "--model", &model], "").exits(0);
        in_order(&ended.err, &["warning: ", place.trim_start_matches("../"), "it is not a regular file"]);
        assert_eq!(ended.out, "Hi.\n", "{place}");
    }
}

/// A reader that goes away, as `head -1` does: the session goes on to its end, quietly.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let ground = Ground::new();
    let model = ground.script(&[say("One."), say("Two.")]);
    let mut command = ground.planwright(&["--model", &model]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut first = String::new();
    let mut said = BufReader::new(child.stdout.take().expect("it is piped"));
    said.read_line(&mut first).expect("it speaks");
    drop(said);
    let mut input = child.stdin.take().expect("it is piped");
    let _ = input.write_all(b"hello\nagain\n");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(of_type(&ground.log(), "user").len(), 2);
}

/// What it says in line mode where standard output is a terminal.
fn on_a_terminal(variables: &[(&str, &str)]) -> String {
    use std::fs::File;
    use std::io::Read;
    let ground = Ground::new();
    let model = ground.script(&[say("Hi.")]);
    let terminal = nix::pty::openpty(None, None).expect("a terminal can be made");
    let mut command = ground.planwright(&["--model", &model, "--echo"]);
    command.envs(variables.iter().copied()).stdin(ground.typed("hello\n")).stdout(terminal.slave);
    let mut child = command.spawn().expect("it starts");
    // The other side of the terminal is closed when the program is, and only then.
    drop(command);
    let mut said = Vec::new();
    let mut from = File::from(terminal.master);
    let mut piece = [0; 4096];
    while let Ok(bytes @ 1..) = from.read(&mut piece) {
        said.extend_from_slice(&piece[..bytes]);
    }
    assert!(child.wait().is_ok_and(|status| status.success()));
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn colors_only_where_they_are_wanted() {
    for (variables, colored) in [
        (&[("TERM", "xterm")][..], true),
        (&[("TERM", "xterm"), ("NO_COLOR", "1")], false),
        // As https://no-color.org has it, only a value that is not empty counts.
        (&[("TERM", "xterm"), ("NO_COLOR", "")], true),
        (&[("TERM", "dumb")], false),
    ] {
        let said = on_a_terminal(variables);
        in_order(&said, &["›", "hello", "●", "Hi."]);
        assert_eq!(said.contains("\x1b["), colored, "{variables:?}: {said:?}");
    }
}
