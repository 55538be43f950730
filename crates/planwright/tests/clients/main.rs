//! Clients that nobody here wrote, against this program: the Python package `claude-agent-sdk` and the
//! npm package `@anthropic-ai/claude-agent-sdk`. `client.py` and `client.mjs` do the same with each; what they saw, and
//! what stands on the disk, must be the same too.

#[allow(dead_code, reason = "the ground is for all the tests of the program")]
#[path = "../cli/ground.rs"]
mod ground;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use ground::{Ground, Running, call, of_type, planned, say};

/// A client.
#[derive(Clone, Copy, Debug)]
enum Client {
    Python,
    Node,
}

impl Client {
    const ALL: [Self; 2] = [Self::Python, Self::Node];

    /// The client's program, to be run on this ground.
    fn command(self, ground: &Ground, case: &str) -> Command {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
        let (program, source, variable, library) = match self {
            Self::Python => ("python3", "client.py", "PYTHONPATH", installed().join("python")),
            Self::Node => (
                "node",
                "client.mjs",
                "SDK",
                installed().join("node/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs"),
            ),
        };
        assert!(
            library.exists(),
            "{} is not there: run scripts/clients, which installs the clients",
            library.display()
        );
        let mut command = Command::new(program);
        ground.place(&mut command);
        command
            .env(variable, library)
            .env("PLANWRIGHT", env!("CARGO_BIN_EXE_planwright"))
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command.arg(here.join(source)).arg(case);
        command
    }

    /// Runs a case, and yields what the client saw.
    fn sees(self, ground: &Ground, case: &str, model: &str, other: &str) -> Value {
        let mut command = self.command(ground, case);
        command.env("MODEL", model).env("OTHER", other);
        let ended = Running::start(command).end();
        assert_eq!(ended.code, 0, "{self:?}: {}", ended.all());
        serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{self:?}: {error}: {}", ended.all()))
    }
}

/// Where `scripts/clients` puts them: beside what cargo builds.
fn installed() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in the target folder").join("clients")
}

#[test]
fn a_query() {
    for client in Client::ALL {
        let ground = Ground::new();
        ground.write("a.txt", "one\n");
        let turns = [
            json!({"text": "Looking.", "tools": [{"name": "Read", "input": {"file_path": "a.txt"}}]}),
            say("One line."),
        ];
        let seen = client.sees(&ground, "query", &ground.script(&turns), "");
        assert_eq!(seen["kinds"], json!(["system init", "assistant", "user", "assistant", "result"]), "{client:?}");
        assert_eq!((&seen["text"], &seen["pieces"]), (&json!(["Looking.", "One line."]), &json!("Looking.One line.")));
        assert_eq!(
            seen["results"],
            json!([{"subtype": "success", "result": "One line.", "is_error": false, "num_turns": 2, "session_id": ground.id()}])
        );
    }
}

#[test]
fn a_plan_is_sent_back_then_edited_and_approved() {
    const FIRST: &str = "# Pages\n\n1. Cut the list.\n";
    const SECOND: &str = "# Pages\n\n1. Cut the list if asked to.\n2. Leave the callers.\n";
    for client in Client::ALL {
        let ground = Ground::new();
        ground.write("posts.py", "def list_posts(posts):\n    return posts\n");
        let [write, submit] = planned(FIRST);
        let turns = [
            // Too early: the gate holds, whatever the client would say.
            call("Write", json!({"file_path": "{cwd}/posts.py", "content": "broken"})),
            write,
            submit.clone(),
            json!({"expect": {"contains": ["existing callers must get all posts"]},
                   "tools": [{"name": "Write", "input": {"file_path": "{plan_file}", "content": SECOND}}]}),
            submit,
            json!({"expect": {"contains": ["## Approved Plan (edited by user)", "3. Run the tests."]},
                   "tools": [{"name": "Read", "input": {"file_path": "posts.py"}}]}),
            call("Edit", json!({"file_path": "posts.py", "old_string": "(posts)", "new_string": "(posts, page=None)"})),
            say("Pages are there."),
        ];
        let seen = client.sees(&ground, "plan", &ground.script(&turns), "");
        let file = ground.plan_path();
        let asked: Vec<_> = seen["asked"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| [&one["tool"], &one["plan"], &one["file"]])
            .collect();
        let (tool, file) = (json!("ExitPlanMode"), json!(file));
        assert_eq!(asked, [[&tool, &json!(FIRST), &file], [&tool, &json!(SECOND), &file]], "{client:?}");
        assert_eq!(seen["modes"], json!(["plan", "acceptEdits"]), "{client:?}");
        assert_eq!(seen["results"][0]["result"], "Pages are there.", "{client:?}");
        // On the disk.
        assert_eq!(ground.read("posts.py"), "def list_posts(posts, page=None):\n    return posts\n");
        let approved = format!("{SECOND}\n3. Run the tests.\n");
        assert_eq!(ground.plan(), approved);
        let entries = ground.log();
        let decisions = of_type(&entries, "plan-decision");
        assert_eq!(decisions.len(), 2, "{client:?}");
        assert_eq!(
            (&decisions[0]["decision"], &decisions[0]["feedback"]),
            (&json!("rejected"), &json!("existing callers must get all posts"))
        );
        assert_eq!(
            [
                &decisions[1]["decision"],
                &decisions[1]["edited"],
                &decisions[1]["text"],
                &decisions[1]["by"],
                &decisions[1]["choice"]
            ],
            [&json!("approved"), &json!(true), &json!(approved), &json!("client"), &json!("approve:acceptEdits")]
        );
        let modes: Vec<_> =
            of_type(&entries, "permission-mode").iter().map(|change| [&change["to"], &change["cause"]]).collect();
        assert_eq!(modes, [[&json!("plan"), &json!("start")], [&json!("acceptEdits"), &json!("approval")]]);
        let first = of_type(&entries, "permission-decision")[0];
        assert_eq!(
            (&first["tool"], &first["verdict"], &first["by"]),
            (&json!("Write"), &json!("deny"), &json!("gate"))
        );
    }
}

#[test]
fn mode_and_model_are_changed_and_a_turn_is_stopped() {
    for client in Client::ALL {
        let ground = Ground::new();
        let other = ground.script(&[json!({"text": "Too late.", "delay_ms": 600_000})]);
        let seen = client.sees(&ground, "control", &ground.script(&[say("One.")]), &other);
        assert_eq!(seen["modes"], json!(["default", "plan"]), "{client:?}");
        assert!(seen["refused"].as_str().is_some_and(|why| why.contains("--allow-bypass")), "{client:?}: {seen}");
        assert!(seen["commands"].as_array().is_some_and(|names| names.contains(&json!("plan"))), "{client:?}: {seen}");
        let results: Vec<_> =
            seen["results"].as_array().expect("a list").iter().map(|one| one["subtype"].clone()).collect();
        assert_eq!(results, ["success", "error_interrupted"], "{client:?}");
        let entries = ground.log();
        let mode = of_type(&entries, "permission-mode").last().copied().expect("it changed");
        assert_eq!((&mode["to"], &mode["cause"]), (&json!("plan"), &json!("client")), "{client:?}");
        assert_eq!(of_type(&entries, "interrupted").len(), 1, "{client:?}");
        assert!(!seen["text"].to_string().contains("Too late."), "{client:?}");
    }
}

#[test]
fn a_hook_refuses_a_call() {
    for client in Client::ALL {
        let ground = Ground::new();
        ground.write("secret.txt", "s3cret\n");
        ground.write("open.txt", "open\n");
        let read = |file: &str| call("Read", json!({"file_path": file}));
        let turns = [
            read("secret.txt"),
            json!({"expect": {"contains": ["that one is secret"], "not_contains": ["s3cret"]}, "tools": read("open.txt")["tools"]}),
            call("Glob", json!({"pattern": "*"})),
            say("Read."),
        ];
        let seen = client.sees(&ground, "hooks", &ground.script(&turns), "");
        let heard: Vec<_> =
            seen["heard"].as_array().expect("a list").iter().map(|one| one["input"]["file_path"].clone()).collect();
        assert_eq!(heard, ["secret.txt", "open.txt"], "{client:?}: what it does not match it does not hear");
        assert_eq!(seen["results"][0]["result"], "Read.", "{client:?}");
        let entries = ground.log();
        let first = of_type(&entries, "permission-decision")[0];
        assert_eq!((&first["verdict"], &first["by"]), (&json!("deny"), &json!("hook hook_0")), "{client:?}");
    }
}

#[test]
fn a_question_is_answered_and_a_suggested_rule_holds() {
    for client in Client::ALL {
        let ground = Ground::new();
        let question = json!({"question": "Page size?", "header": "Size", "multiSelect": false, "options": [
            {"label": "20", "description": "few"}, {"label": "50", "description": "many"}]});
        let turns = [
            call("AskUserQuestion", json!({"questions": [question]})),
            json!({"expect": {"contains": ["\"Page size?\"=\"50\""]}, "tools": [{"name": "Bash", "input": {"command": "npm run nothing"}}]}),
            call("Bash", json!({"command": "npm run nothing --silent"})),
            say("Done."),
        ];
        let seen = client.sees(&ground, "questions", &ground.script(&turns), "");
        let asked = json!([{"tool": "AskUserQuestion", "suggestions": 0}, {"tool": "Bash", "suggestions": 1}]);
        assert_eq!(seen["asked"], asked, "{client:?}: the rule answers the second time");
        assert_eq!(seen["results"][0]["result"], "Done.", "{client:?}");
        let rules = ground.log();
        assert_eq!(of_type(&rules, "rule-added")[0]["rule"], "Bash(npm run nothing *)", "{client:?}");
    }
}
