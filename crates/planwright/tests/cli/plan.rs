//! `planwright plan …` and `--approve-plan`: a plan that waits is answered from another process.

use serde_json::{Value, json};

use crate::ground::{Ground, Running, call, in_order, of_type, planned, say};

const PLAN: &str = "# Greet the world\n\n1. Change `greeting.txt`.\n";

/// A project in which a run has planned and waits, and the model that goes on from there: it writes
/// the greeting.
fn waiting() -> (Ground, String) {
    let ground = Ground::new();
    let model = ground.script(&[
        call("Write", json!({"file_path": "{plan_file}", "content": PLAN})),
        call("ExitPlanMode", json!({})),
        json!({
            "expect": {"contains": ["User has approved your plan", "## Exited Plan Mode"]},
            "tools": [{"name": "Write", "input": {"file_path": "{cwd}/greeting.txt", "content": "Hello, world\n"}}]
        }),
        say("The world is greeted."),
    ]);
    ground.run(&["-p", "--permission-mode", "plan", "--model", &model, "greet the world"], "").exits(3);
    (ground, model)
}

fn decisions(ground: &Ground) -> Vec<Value> {
    of_type(&ground.log(), "plan-decision").into_iter().cloned().collect()
}

fn mode(ground: &Ground) -> Value {
    of_type(&ground.log(), "permission-mode").last().map(|entry| entry["to"].clone()).expect("the mode changed")
}

#[test]
fn every_way_to_approve_goes_on_from_there() {
    let ways: &[(&str, &[&str])] = &[
        ("headless", &["-p", "--resume", "ID", "--approve-plan=acceptEdits", "--model", "MODEL"]),
        ("in line mode", &["--resume", "ID", "--approve-plan=acceptEdits", "--model", "MODEL"]),
        ("the last session", &["-p", "--continue", "--approve-plan=acceptEdits", "--model", "MODEL"]),
        ("plan approve", &["plan", "approve", "ID", "--mode", "acceptEdits", "--model", "MODEL"]),
        ("plan approve, the one that waits", &["plan", "approve", "--mode", "acceptEdits", "--model", "MODEL"]),
    ];
    for (way, args) in ways {
        let (ground, model) = waiting();
        let id = ground.id();
        let args: Vec<&str> = args
            .iter()
            .map(|arg| match *arg {
                "ID" => &id,
                "MODEL" => &model,
                arg => arg,
            })
            .collect();
        let ended = ground.run(&args, "");
        assert_eq!(ended.code, 0, "{way}: {}", ended.all());
        in_order(&ended.out, &["The world is greeted."]);
        assert_eq!(ground.read("greeting.txt"), "Hello, world\n", "{way}");
        assert_eq!(mode(&ground), "acceptEdits", "{way}");
        let decisions = decisions(&ground);
        assert_eq!(decisions.len(), 1, "{way}: {decisions:?}");
        assert_eq!((&decisions[0]["decision"], &decisions[0]["edited"]), (&json!("approved"), &json!(false)), "{way}");
        assert_eq!(decisions[0]["by"], "command line", "{way}");
    }
}

#[test]
fn a_plain_approval_goes_back_to_the_mode_before() {
    // Before planning the mode was `default`, in which an edit asks, and nobody is there.
    let (ground, model) = waiting();
    ground.run(&["-p", "--resume", &ground.id(), "--approve-plan", "--model", &model], "").exits(4);
    assert_eq!(mode(&ground), "default");
    assert!(!ground.project().join("greeting.txt").exists());
}

#[test]
fn an_edited_plan_is_what_is_approved() {
    for way in ["--resume", "approve"] {
        let (ground, _) = waiting();
        let edited = ground.write("../edited.md", "# Greet only me\n").display().to_string();
        let model = ground.script(&[json!({
            "expect": {"contains": ["## Approved Plan (edited by user):\n", "# Greet only me"]}, "text": "As you wish."
        })]);
        let id = ground.id();
        let ended = match way {
            "approve" => ground.run(&["plan", "approve", &id, "--plan-file", &edited, "--model", &model], ""),
            _ => ground.run(&["-p", "--resume", &id, "--approve-plan", "--plan-file", &edited, "--model", &model], ""),
        };
        ended.exits(0).says(&["As you wish."]);
        assert_eq!(ground.plan(), "# Greet only me\n");
        let decision = decisions(&ground).remove(0);
        assert_eq!((&decision["edited"], &decision["text"]), (&json!(true), &json!("# Greet only me\n")));
    }
}

/// Sessions and plans are taken to another machine, where the home lies elsewhere and the old one is
/// not.
#[test]
fn a_plan_that_waits_goes_on_in_a_copy_of_the_home() {
    for edited in [false, true] {
        let (ground, model) = waiting();
        let id = ground.id();
        std::fs::rename(ground.home(), ground.beside("moved")).expect("a folder can be moved");
        let text = ground.write("../edited.md", "# Greet everybody\n").display().to_string();
        let mut command = ground.planwright(&["-p", "--resume", &id, "--approve-plan=acceptEdits", "--model", &model]);
        if edited {
            command.args(["--plan-file", &text]);
        }
        command.env("PLANWRIGHT_HOME", ground.beside("moved"));
        Running::start(command).end().exits(0).says(&["The world is greeted."]);
        assert_eq!(ground.read("greeting.txt"), "Hello, world\n");
        assert!(!ground.home().exists(), "nothing is written where the home was");
    }
}

#[test]
fn notes_go_along_with_an_approval() {
    for way in ["--resume", "approve"] {
        let (ground, _) = waiting();
        let model = ground.script(&[json!({
            "expect": {"contains": ["## Notes from the user with the approval:\nmind the callers"]}, "text": "I will."
        })]);
        let id = ground.id();
        let notes = "mind the callers";
        let ended = match way {
            "approve" => ground.run(&["plan", "approve", &id, "--notes", notes, "--model", &model], ""),
            _ => ground.run(&["-p", "--resume", &id, "--approve-plan", "--plan-notes", notes, "--model", &model], ""),
        };
        ended.exits(0).says(&["I will."]);
        assert_eq!(decisions(&ground).remove(0)["feedback"], notes);
    }
    let (ground, model) = waiting();
    ground.run(&["-p", "--resume", &ground.id(), "--plan-notes", "x", "--model", &model], "").exits(2);
}

#[test]
fn an_edited_plan_is_taken_whole_or_not_at_all() {
    let (ground, model) = waiting();
    let id = ground.id();
    let missing = ground.beside("gone.md");
    let long = ground.write("../long.md", &"- one more step\n".repeat(600_000));
    let binary = ground.beside("binary.md");
    std::fs::write(&binary, b"# Plan \xff\xfe\xfd").expect("a file can be written");
    for (path, why) in [(missing, "No such file"), (long, "longer than"), (binary, "not UTF-8")] {
        let path = path.display().to_string();
        let args = ["plan", "approve", &id, "--plan-file", &path, "--model", &model];
        ground.run(&args, "").exits(2).warns(&["edited plan", &path, why]);
    }
    assert!(decisions(&ground).is_empty(), "it still waits");
}

#[test]
fn an_approval_can_only_be_recorded_and_gone_on_from_later() {
    let (ground, model) = waiting();
    let id = ground.id();
    let ended = ground.run(&["plan", "approve", &id, "--mode", "acceptEdits", "--record-only"], "").exits(0);
    in_order(&ended.out, &["acceptEdits", "--resume", &id]);
    assert_eq!(mode(&ground), "acceptEdits");
    assert!(!ground.project().join("greeting.txt").exists(), "nothing was gone on with");
    ground.run(&["-p", "go on", "--resume", &id, "--model", &model], "").exits(0).says(&["The world is greeted."]);
    assert_eq!(ground.read("greeting.txt"), "Hello, world\n");
}

#[test]
fn a_rejection_carries_what_should_change() {
    let (ground, _) = waiting();
    let id = ground.id();
    ground.run(&["plan", "reject", "--session", &id, "greet", "in", "French"], "").exits(0).says(&["plan"]);
    let decision = decisions(&ground).remove(0);
    assert_eq!((&decision["decision"], &decision["feedback"]), (&json!("rejected"), &json!("greet in French")));
    assert_eq!(mode(&ground), "plan");
    let model = ground.script(&[
        json!({
            "expect": {"contains": ["Their feedback:", "greet in French"], "not_contains": ["has approved"]},
            "tools": [{"name": "Edit", "input": {"file_path": "{plan_file}", "old_string": "Greet the world", "new_string": "Saluer le monde"}}]
        }),
        call("ExitPlanMode", json!({})),
    ]);
    ground.run(&["-p", "go on", "--resume", &id, "--model", &model], "").exits(3).says(&["# Saluer le monde"]);

    let diff = ground.run(&["plan", "diff"], "").exits(0);
    in_order(&diff.out, &["--- revision 1\n+++ revision 2\n", "-# Greet the world\n", "+# Saluer le monde\n"]);
    ground.run(&["plan", "diff", "0", "1"], "").exits(0).says(&["+++ revision 1\n", "+# Greet the world\n"]);
    ground.run(&["plan", "diff", "1", "7"], "").exits(2).warns(&["no revision 7", "1 to 2"]);
    ground.run(&["plan", "list"], "").exits(0).says(&["revision 2 waits for approval", &id]);
}

/// The session stands before the words, as with `plan approve`, or behind `--session`.
#[test]
fn a_rejection_names_its_session_in_every_way() {
    for way in ["by flag", "by id", "by so much of it", "by name", "not at all"] {
        let (ground, _) = waiting();
        let (id, path) = (ground.id(), ground.plan_path());
        let slug = path.file_stem().and_then(|stem| stem.to_str()).expect("a plan has a name").to_owned();
        let named: &[&str] = match way {
            "by flag" => &["--session", &id],
            "by id" => &[&id],
            "by so much of it" => &[&id[..8]],
            "by name" => &[&slug],
            _ => &[],
        };
        ground.run(&[&["plan", "reject"], named, &["in", "French"]].concat(), "").exits(0);
        assert_eq!(decisions(&ground)[0]["feedback"], "in French", "{way}");
    }
}

/// An answer that names no session never goes to one that was not meant.
#[test]
fn an_answer_without_a_session_takes_no_other_one() {
    let answers: [(&[&str], &str); 3] = [
        (&["plan", "approve", "--record-only"], "planwright plan approve ID"),
        (&["plan", "reject", "not so"], "planwright plan reject ID WHAT SHOULD CHANGE"),
        (
            &["-p", "--continue", "--approve-plan", "--model", "script:none.json"],
            "planwright --resume ID --approve-plan",
        ),
    ];
    // One waits, and it is the last session's: that one is named before it is answered.
    let (ground, _) = waiting();
    let id = ground.id();
    ground.run(answers[0].0, "").exits(0).warns(&[
        "The plan that waits: ",
        &id,
        "revision 1",
        "just now",
        "\"greet the world\"",
    ]);

    // One waits, but another session was used since.
    let (ground, _) = waiting();
    let id = ground.id();
    let other = ground.script(&[say("Hi.")]);
    ground.run(&["-p", "--model", &other, "hello"], "").exits(0);
    for (args, way) in answers {
        ground.run(args, "").exits(2).warns(&["an older one has", &id, "revision 1", "\"greet the world\"", way]);
    }

    // Two wait.
    let again = ground.script(&planned("# Another\n"));
    ground.run(&["-p", "--permission-mode", "plan", "--model", &again, "do another thing"], "").exits(3);
    for (args, way) in answers {
        let ended = ground.run(args, "").exits(2);
        let ended = ended.warns(&["2 plans wait", "\"do another thing\"", "\"greet the world\"", way]);
        assert!(!ended.out.contains("recorded"), "{}", ended.all());
    }
    for id in ground.ids() {
        assert!(of_type(&ground.log_of(&id), "plan-decision").is_empty(), "it still waits");
    }
}

#[test]
fn plans_are_shown_by_session_and_by_name() {
    let (ground, _) = waiting();
    let (id, path) = (ground.id(), ground.plan_path());
    let slug = path.file_stem().and_then(|stem| stem.to_str()).expect("a plan has a name").to_owned();
    ground.run(&["plan", "list"], "").exits(0).says(&[&slug, "revision 1 waits for approval", &id]);
    for which in [None, Some(id.as_str()), Some(&id[..8]), Some(&slug)] {
        let with = |verb| ["plan", verb].into_iter().chain(which).collect::<Vec<_>>();
        assert_eq!(ground.run(&with("path"), "").exits(0).out, format!("{}\n", path.display()), "{which:?}");
        assert_eq!(ground.run(&with("show"), "").exits(0).out, PLAN, "{which:?}");
    }
    // A plan that was lost is in the log.
    std::fs::remove_file(&path).expect("the plan can be removed");
    ground.run(&["plan", "show"], "").exits(0).says(&[PLAN]).warns(&["from the session log"]);
}

#[test]
fn what_is_settled_or_not_there_cannot_be_answered() {
    let ground = Ground::new();
    ground.run(&["plan", "list"], "").exits(0).warns(&["no plans"]);
    for verb in ["show", "path", "diff"] {
        ground.run(&["plan", verb], "").exits(1).warns(&["there is no plan", "plan list"]);
    }
    for args in [&["plan", "approve"][..], &["plan", "reject", "why not"]] {
        ground.run(args, "").exits(1).warns(&["no plan waits", "plan list"]);
    }

    let (ground, model) = waiting();
    let id = ground.id();
    ground.run(&["plan", "approve", &id, "--record-only"], "").exits(0);
    ground.run(&["plan", "approve", &id, "--model", &model], "").exits(1).warns(&["no plan waits", &id]);
    ground.run(&["plan", "reject", "--session", &id, "no"], "").exits(1).warns(&["no plan waits"]);
    ground.run(&["plan", "reject", &id, "no"], "").exits(1).warns(&["no plan waits", &id]);
    assert_eq!(decisions(&ground).len(), 1, "a settled request stays settled");
    ground.run(&["plan", "show", "nothing-like-it"], "").exits(1).warns(&["nothing-like-it"]);
}

#[test]
fn a_plan_that_changed_on_disk_is_not_approved_unseen() {
    let (ground, model) = waiting();
    std::fs::write(ground.plan_path(), "# Something else\n").expect("the plan can be written");
    let id = ground.id();
    let ended = ground.run(&["-p", "--resume", &id, "--approve-plan=acceptEdits", "--model", &model], "");
    ended.exits(3).warns(&["was changed since it was submitted"]);
    let ended = ground.run(&["plan", "approve", &id, "--record-only"], "");
    assert_ne!(ended.code, 0, "{}", ended.all());
    assert!(decisions(&ground).is_empty(), "it still waits");
    assert_eq!(mode(&ground), "plan");
}

/// What came along with an approval that cannot be given is not done, and is not an answer either.
#[test]
fn words_beside_an_approval_that_fails_are_not_used() {
    for headless in [&["-p"][..], &[]] {
        let approve = |ground: &Ground, model: &str| {
            let args = ["--continue", "--approve-plan=acceptEdits", "--model", model, "do it"];
            ground.run(&[headless, &args].concat(), "")
        };
        // No plan waits.
        let ground = Ground::new();
        let edit = call("Write", json!({"file_path": "{cwd}/greeting.txt", "content": "Hello\n"}));
        let model = ground.script(&[say("Hi."), edit, say("Done.")]);
        ground.run(&["-p", "--permission-mode", "acceptEdits", "--model", &model, "hello"], "").exits(0);
        approve(&ground, &model).exits(1).warns(&["no plan waits"]);
        assert!(!ground.project().join("greeting.txt").exists(), "{headless:?}");
        assert_eq!(of_type(&ground.log(), "user").len(), 1, "{headless:?}: the words were used");

        // The plan that waits is another one now.
        let (ground, model) = waiting();
        std::fs::write(ground.plan_path(), "# Something else\n").expect("the plan can be written");
        approve(&ground, &model).exits(if headless.is_empty() { 1 } else { 3 });
        assert_eq!(decisions(&ground), Vec::<Value>::new(), "{headless:?}: it still waits");
        assert!(!ground.project().join("greeting.txt").exists(), "{headless:?}");
    }
}

#[test]
fn a_plan_that_waits_is_asked_again_by_a_resumed_session() {
    let (ground, model) = waiting();
    let ended = ground.run(&["--resume", &ground.id(), "--model", &model, "--echo"], "1\n/mode\n/exit\n").exits(0);
    in_order(
        &ended.out,
        &[
            "(mode plan)\n",
            "(revision 1)\n",
            "# Greet the world\n",
            "Exit plan mode?\n",
            "› 1\n",
            "mode: plan -> acceptEdits\n",
            "✔ ExitPlanMode -> User has approved your plan.",
            "● The world is greeted.\n",
            "permission mode: acceptEdits",
        ],
    );
}
