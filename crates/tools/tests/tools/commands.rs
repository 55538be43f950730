//! `Bash`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use planwright_core::bounds;
use planwright_core::mode::Permissions;
use planwright_core::permit::{CommandContext, Confinement, Situation, Verdict, Walls, judge};
use planwright_core::settings::PlanCommands;
use planwright_sandbox::Ending;
use planwright_tools::Cancel;
use planwright_tools::{Own, Tier, Tools};
use serde_json::json;

use crate::ground::{Ground, lacks};

const LONG: Duration = Duration::from_secs(120);

fn alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']))
}

async fn until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < LONG, "{what}: it never came");
        tokio::task::yield_now().await;
    }
}

fn pid_in(file: &Path) -> Option<u32> {
    std::fs::read_to_string(file).ok()?.strip_suffix('\n')?.parse().ok()
}

#[tokio::test]
async fn results() {
    let mut ground = Ground::with(&[("src/a.txt", "one\n")]);
    let root = ground.root.display().to_string();
    // input, is it an error, result
    let rows = [
        (json!({"command": "cat src/a.txt"}), false, "one\n".to_owned()),
        (json!({"command": "true"}), false, "[no output]".to_owned()),
        (json!({"command": "cd src; pwd"}), false, format!("{root}/src\n")),
        (json!({"command": "pwd"}), false, format!("{root}\n")),
        (json!({"command": "echo no >&2; exit 3"}), true, "no\n[exit code 3]".to_owned()),
        (json!({"command": "printf no; exit 3"}), true, "no\n[exit code 3]".to_owned()),
        (json!({"command": "kill -9 $$"}), true, "[killed by signal 9]".to_owned()),
        (json!({"command": "printf 'caf\\351'"}), false, "caf\u{FFFD}".to_owned()),
        (
            json!({"command": "sleep 1000", "timeout": 100}),
            true,
            "[it was ended after 100 ms; a longer `timeout` can be given, up to 600000 ms]".to_owned(),
        ),
        (
            json!({"command": "sleep 1000 & echo started"}),
            false,
            "started\n[what it left running was ended; use `run_in_background` to keep a command]".to_owned(),
        ),
    ];
    let mut wrong = Vec::new();
    for (input, is_error, wanted) in rows {
        let outcome = ground.call("Bash", input.clone()).await;
        if (outcome.is_error, &outcome.content) != (is_error, &wanted) {
            wrong.push(format!("{input}: {outcome:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn output_is_bounded() {
    let mut ground = Ground::new();
    let shown = ground.ok("Bash", json!({"command": "echo start; yes | head -c 100000000; echo end"})).await;
    assert!(shown.starts_with("start\ny\n") && shown.ends_with("y\nend\n"), "{}", &shown[..100]);
    assert!(shown.contains("bytes cut here"));
    assert!(shown.len() > bounds::COMMAND_OUTPUT_BYTES - 1_000);
}

#[tokio::test]
async fn cancelling_kills_the_command() {
    let mut ground = Ground::new();
    let permit = ground.permit("Bash", json!({"command": "sleep 1000 & echo $! > pid; wait"}));
    let (cancel, file) = (Cancel::new(), ground.root.join("pid"));
    let run = ground.tools.run(permit, &ground.view, &cancel);
    let stop = async {
        until("it runs", || pid_in(&file).is_some()).await;
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(run, stop);
    assert!(outcome.is_error && outcome.content.contains("interrupted by the user"), "{outcome:?}");
    let pid = pid_in(&file).unwrap();
    until("it is dead", || !alive(pid)).await;

    std::fs::remove_file(&file).unwrap();
    let permit = ground.permit("Bash", json!({"command": "sleep 1000 & echo $! > pid; wait"}));
    let run = tokio::spawn(ground.tools.run(permit, &ground.view, &Cancel::new()));
    until("it runs", || pid_in(&file).is_some()).await;
    run.abort();
    let pid = pid_in(&file).unwrap();
    until("it is dead", || !alive(pid)).await;
    // The tools are still good.
    assert_eq!(ground.ok("Bash", json!({"command": "echo on"})).await, "on\n");
}

#[tokio::test]
async fn background() {
    let mut ground = Ground::new();
    let command = "echo ready; until [ -e go ]; do sleep 0.02; done; echo gone; exit 4";
    let started = ground.ok("Bash", json!({"command": command, "run_in_background": true})).await;
    let running = ground.tools.background();
    assert_eq!((running.len(), running[0].command.as_str(), running[0].ending), (1, command, None));
    let id = running[0].id;
    let mut wrong: Vec<_> =
        lacks("started", &started, &[&format!("process {id}"), "later Bash calls"]).into_iter().collect();
    assert!(alive(id));

    let mut told = String::new();
    let start = Instant::now();
    while told.is_empty() {
        assert!(start.elapsed() < LONG);
        let shown = ground.ok("Bash", json!({"command": "echo other"})).await;
        told = shown.strip_prefix("other\n").unwrap().to_owned();
    }
    wrong.extend(lacks("running", &told, &[&format!("background process {id}"), "still runs", "new output:\nready]"]));

    ground.put("go", "");
    until("it has ended", || ground.tools.background()[0].ending == Some(Ending::Exited(4))).await;
    let told = ground.ok("Bash", json!({"command": "echo other"})).await;
    wrong.extend(lacks("ended", &told, &["has ended: exit code 4; new output:\ngone]"]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(ground.ok("Bash", json!({"command": "echo other"})).await, "other\n");
    assert!(ground.tools.background().is_empty());
}

#[tokio::test]
async fn background_ends_with_the_session() {
    let mut ground = Ground::new();
    let start = json!({"command": "sleep 1000", "run_in_background": true});
    ground.ok("Bash", start.clone()).await;
    let first = ground.tools.background()[0].id;
    ground.tools.end();
    until("ended", || !alive(first)).await;
    ground.ok("Bash", start).await;
    let second = ground.tools.background()[0].id;
    assert!(alive(second));
    drop(ground);
    until("dropped", || !alive(second)).await;
}

#[tokio::test]
async fn background_is_bounded() {
    let mut ground = Ground::new();
    let start = json!({"command": "sleep 1000", "run_in_background": true});
    for _ in 0..bounds::BACKGROUND_COMMANDS {
        ground.ok("Bash", start.clone()).await;
    }
    assert!(ground.error("Bash", start).await.contains("already run in the background"));
}

/// F012: a deny rule for reading holds for commands, links to the file included.
#[tokio::test]
async fn deny_rules_hold() {
    let mut ground = Ground::with(&[(".env", "secret\n"), ("a.txt", "one\n")]);
    std::os::unix::fs::symlink(".env", ground.root.join("innocent")).unwrap();
    ground.deny("Read(./.env)");
    let parse = |tool: &str, input| planwright_core::call::parse(tool, &input).unwrap();
    for call in [
        parse("Bash", json!({"command": "cat .env"})),
        parse("Bash", json!({"command": "cat innocent"})),
        parse("Read", json!({"file_path": ".env"})),
        parse("Read", json!({"file_path": "innocent"})),
        parse("Grep", json!({"pattern": "s", "path": ".env"})),
    ] {
        assert!(ground.judge(call.clone()).is_err(), "{call:?}");
    }
    assert_eq!(ground.ok("Grep", json!({"pattern": "secret", "glob": ".*"})).await, "No matches for `secret` in ..");
    assert_eq!(ground.ok("Bash", json!({"command": "cat a.txt"})).await, "one\n");
}

/// A scratch copy was promised, and cannot be made when the command comes: it is not run elsewhere.
#[tokio::test]
async fn what_cannot_be_confined_is_not_run() {
    let ground = Ground::with(&[("in-the-way", "a file\n")]);
    let own = Own {
        hidden: Vec::new(),
        cache: ground.root.join("cache"),
        scratch: ground.root.join("in-the-way"),
        secrets: Vec::new(),
    };
    let tools = Tools::guarded(&ground.root, &[], own);
    assert_eq!(tools.protection().await.tier, Tier::Scratch, "the tests need a machine with scratch copies");
    let call = planwright_core::call::parse("Bash", &json!({"command": "touch made"})).unwrap();
    let (permissions, shell, rules) = (Permissions::default(), CommandContext::default(), Arc::default());
    let verdict = judge(
        call,
        Vec::new(),
        &Situation {
            permissions: &permissions,
            read_only: true,
            sub_agent: false,
            rules: &rules,
            plan_file: Path::new(""),
            roots: tools.roots(),
            commands: PlanCommands::Scratch,
            shell: &shell,
            experiments: false,
            walls: Walls::Scratch,
            hook: None,
        },
    );
    let Verdict::Run(permit) = verdict else { panic!("{verdict:?}") };
    assert_eq!(permit.confinement(), Confinement::Scratch);
    let outcome = tools.run(permit, &ground.view, &Cancel::new()).await;
    assert!(outcome.is_error && outcome.content.starts_with("no scratch copy can be made in"), "{}", outcome.content);
    assert!(!ground.root.join("made").exists() && outcome.scratch.is_none());
}
