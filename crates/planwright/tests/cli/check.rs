//! The commands that only say something: `check`, `doctor`, `completions`, `man`, and the help.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::ground::{Ground, Running, in_order};

#[test]
fn one_command_is_judged_in_one_line() {
    let ground = Ground::new();
    for (command, verdict) in [
        ("ls", "read-only"),
        ("git log", "read-only"),
        ("rm notes.txt", "mutating"),
        ("echo x > notes.txt", "mutating"),
        ("git commit -m x", "mutating"),
        ("npm install", "unknown"),
        ("./build", "unknown"),
    ] {
        let ended = ground.run(&["check", command], "").exits(0);
        let (said, reason) = ended.out.trim_end().split_once('\t').expect("a verdict, a tab, the reason");
        assert_eq!(said, verdict, "{command}: {reason}");
        assert!(!reason.is_empty() && ended.out.lines().count() == 1, "{command}: {}", ended.all());
    }
    ground.run::<&str>(&["check"], "").exits(2).warns(&["check needs a command", "--batch"]);
}

#[test]
fn a_batch_is_judged_line_by_line() {
    let ground = Ground::new();
    let ended = ground.run(&["check", "--batch"], "\"ls\"\n\n\"rm \\\"a b\\\"\"\n\"a\\nb\"\n").exits(0);
    let lines: Vec<Value> = ended.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let commands: Vec<_> = lines.iter().map(|line| line["command"].clone()).collect();
    assert_eq!(commands, ["ls", "rm \"a b\"", "a\nb"]);
    let verdicts: Vec<_> = lines.iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!(verdicts, ["read-only", "mutating", "unknown"]);
    assert!(lines.iter().all(|line| line["reason"].as_str().is_some_and(|reason| !reason.is_empty())));

    let ended = ground.run(&["check", "--batch"], "\"ls\"\nls\n\"ls\"\n").exits(2);
    assert_eq!(ended.out.lines().count(), 1, "what stands before the bad line is judged: {}", ended.all());
    in_order(&ended.err, &["line 2", "not a JSON string"]);
}

#[test]
fn the_help_names_the_exit_codes_and_the_demo() {
    let ground = Ground::new();
    // The help is wrapped to the width of the terminal.
    let help = ground.run(&["--help"], "").exits(0).out.split_whitespace().collect::<Vec<_>>().join(" ");
    in_order(&help, &["planwright demo", "Exit codes: 0 done", "130 interrupted", "143 terminated"]);
    ground.run(&["--version"], "").exits(0).says(&["planwright ", env!("CARGO_PKG_VERSION")]);
}

#[test]
fn completions_and_the_manual_page_are_printed() {
    let ground = Ground::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        ground.run(&["completions", shell], "").exits(0).says(&["planwright"]);
    }
    ground.run(&["completions", "tcsh"], "").exits(2).warns(&["tcsh", "bash"]);
    ground.run(&["man"], "").exits(0).says(&[".TH planwright", "SYNOPSIS"]);
}

#[test]
fn the_doctor_says_which_setting_came_from_where() {
    let ground = Ground::new();
    ground.write("../home/settings.json", "{\n  // mine\n  \"reminders\": {\"turns\": 7}\n}\n");
    let ended = ground.run(&["doctor"], "").exits(0);
    let home = ground.home().display().to_string();
    in_order(&ended.out, &["protection", &home, "trusted     no", "settings:", "plansDirectory"]);
    assert!(ended.out.contains(&format!("{home}/settings.json:3")), "{}", ended.all());
    ground.run(&["doctor"], "").exits(0).says(&["model       none is set"]);
    for (variable, key) in [("X", "ANTHROPIC_API_KEY is NOT set"), ("ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY is set")] {
        let mut doctor = ground.planwright(&["doctor", "--settings", "{\"model\": \"anthropic:m\"}"]);
        doctor.env(variable, "sk-secret");
        let ended = Running::start(doctor).end().exits(0).says(&["anthropic:m; ", key]);
        assert!(!ended.all().contains("sk-secret"), "{}", ended.all());
    }
    let schema: Value = serde_json::from_str(&ground.run(&["doctor", "--schema"], "").exits(0).out).expect("JSON");
    assert!(schema["properties"]["plansDirectory"].is_object(), "{schema}");
}

/// A reader that goes away after the first line, as `head -1` does.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let ground = Ground::new();
    for args in [&["completions", "bash"][..], &["man"], &["doctor"], &["doctor", "--schema"], &["--help"]] {
        let mut child =
            ground.planwright(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{args:?}: {}", output.status);
    }
    let mut command = ground.planwright(&["check", "--batch"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("it is piped");
    let mut said = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut first = String::new();
    use std::io::Write;
    writeln!(input, "\"ls\"").expect("it listens");
    said.read_line(&mut first).expect("it answers");
    drop(said);
    // It may stop listening at any line from here on.
    let _ = (0..1000).try_for_each(|_| writeln!(input, "\"ls\""));
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
