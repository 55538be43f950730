//! One event, one line.

use planwright_core::attach::{Attachment, ReminderType};
use planwright_core::call::{Todo, TodoStatus};
use planwright_core::dialogue::{Notice, Outcome, TurnEnd};
use planwright_core::mode::{Cause, Mode};
use planwright_core::permit::Walls;
use planwright_core::protection::Protection;
use planwright_core::transcript::Trigger;
use planwright_surfaces::line::{LineFace, LineOptions};
use serde_json::json;

use super::{check, face};

fn text(agent: Option<&str>, text: &str) -> Notice {
    Notice::Text { agent: agent.map(str::to_owned), text: text.to_owned() }
}

fn called(agent: Option<&str>, tool: &str, argument: &str) -> Notice {
    Notice::ToolCalled {
        agent: agent.map(str::to_owned),
        id: "t1".to_owned(),
        tool: tool.to_owned(),
        argument: argument.to_owned(),
        input: json!({}),
    }
}

fn finished(agent: Option<&str>, tool: &str, content: &str, is_error: bool) -> Notice {
    Notice::ToolFinished {
        agent: agent.map(str::to_owned),
        id: "t1".to_owned(),
        tool: tool.to_owned(),
        content: content.to_owned(),
        is_error,
        diff: None,
        scratch: false,
    }
}

/// As [`finished`], in a scratch copy.
fn tried(tool: &str, content: &str, is_error: bool) -> Notice {
    match finished(None, tool, content, is_error) {
        Notice::ToolFinished { agent, id, tool, content, is_error, diff, scratch: _ } => {
            Notice::ToolFinished { agent, id, tool, content, is_error, diff, scratch: true }
        }
        other => other,
    }
}

fn ended(outcome: Outcome) -> Notice {
    Notice::TurnEnded(TurnEnd { outcome, text: "x".to_owned(), requests: 1, ..TurnEnd::begun() })
}

#[test]
fn a_planning_turn_reads_like_this() {
    let mut face = LineFace::new(LineOptions { echo: true, color: false });
    let note = Attachment::PlanMode {
        reminder_type: ReminderType::Full,
        is_sub_agent: false,
        plan_file_path: "/p.md".into(),
        plan_exists: false,
        text: Default::default(),
    };
    let denial = "plan mode is active; only the plan file /p.md may be written. Finish the plan and call ExitPlanMode \
                  to ask the user for approval";
    let mut screen = face.read("/plan add retries\n").print;
    for notice in [
        Notice::ModeChanged { from: Mode::Default, to: Mode::Plan, cause: Cause::Command },
        Notice::Said("Enabled plan mode".to_owned()),
        Notice::TurnStarted,
        Notice::Attached { agent: None, attachment: note },
        Notice::TextDelta("Looking".to_owned()),
        text(None, "Looking first.\n\nThen I plan:\n- one\n- two\n"),
        called(None, "Agent", "Explore"),
        called(Some("explore-1"), "Grep", "list_posts"),
        finished(Some("explore-1"), "Grep", "\nsrc/a.rs:1: list_posts\nsrc/b.rs:2: list_posts", false),
        text(Some("explore-1"), "Two\ncallers."),
        finished(None, "Agent", "Two\ncallers.", false),
        called(None, "Edit", "src/a.rs"),
        finished(None, "Edit", denial, true),
        ended(Outcome::Done),
        Notice::Idle,
    ] {
        screen += &face.hear(&notice);
    }
    assert_eq!(
        screen,
        "\
› /plan add retries
mode: default -> plan
Enabled plan mode
◇ plan_mode full
● Looking first.

  Then I plan:
  - one
  - two
⏺ Agent(Explore)
[explore-1] ⏺ Grep(list_posts)
[explore-1] ✔ Grep -> src/a.rs:1: list_posts
[explore-1] ● Two
  callers.
✔ Agent -> Two
⏺ Edit(src/a.rs)
✘ Edit -> plan mode is active; only the plan file /p.md may be written. Finish the plan and call ExitPlanMode to ask the user for approval
"
    );
}

#[test]
fn every_notice_has_its_line() {
    let todo = |status| Todo { content: "c".to_owned(), active_form: "Writing tests".to_owned(), status };
    let todos = [TodoStatus::Completed, TodoStatus::InProgress, TodoStatus::Pending].map(todo).to_vec();
    let long = "x".repeat(3000);
    let rows = [
        (called(None, "ExitPlanMode", ""), "⏺ ExitPlanMode()\n".to_owned()),
        (called(None, "Bash", "cat <<E\na\nE"), "⏺ Bash(cat <<E …)\n".to_owned()),
        (called(None, "Bash", &long), format!("⏺ Bash({}…)\n", "x".repeat(2000))),
        (finished(None, "Bash", "", false), "✔ Bash -> (no output)\n".to_owned()),
        (finished(None, "Bash", " \n ", true), "✘ Bash -> (no output)\n".to_owned()),
        (tried("Edit", "Edited a.rs", false), "✔ Edit (scratch copy) -> Edited a.rs\n".to_owned()),
        (tried("Bash", "", true), "✘ Bash (scratch copy) -> (no output)\n".to_owned()),
        (text(None, " \n"), String::new()),
        (Notice::TextDelta("a".to_owned()), String::new()),
        (Notice::Said("Current Plan\n/p.md\n# A".to_owned()), "Current Plan\n/p.md\n# A\n".to_owned()),
        (Notice::Warning { key: "k", text: "first\nsecond".to_owned() }, "warning: first\n  second\n".to_owned()),
        (
            Notice::Error { cause: "No disk".to_owned(), hint: "Free some.".to_owned() },
            "error: No disk\n  Free some.\n".to_owned(),
        ),
        (
            Notice::Compacted { agent: None, trigger: Trigger::Manual, tokens_before: 120_500, tokens_after: 999 },
            "The conversation is compacted: about 120,500 tokens are 999 now.\n".to_owned(),
        ),
        (
            Notice::Compacted { agent: None, trigger: Trigger::Auto, tokens_before: 1_000, tokens_after: 12 },
            "The conversation outgrew the model's window and is compacted: about 1,000 tokens are 12 now.\n".to_owned(),
        ),
        (
            Notice::Compacted {
                agent: Some("e".to_owned()),
                trigger: Trigger::Auto,
                tokens_before: 9,
                tokens_after: 1,
            },
            String::new(),
        ),
        (Notice::OfferBack("more words".to_owned()), "not sent: more words\n".to_owned()),
        (Notice::Todos(todos), "todo: 1 of 3 done; now: Writing tests\n".to_owned()),
        (Notice::Session { session_id: "s1".to_owned(), mode: Mode::Plan }, "session: s1 (mode plan)\n".to_owned()),
        (
            Notice::Attached { agent: Some("e".to_owned()), attachment: Attachment::AutoModeExit {} },
            "[e] ◇ auto_mode_exit\n".to_owned(),
        ),
        (ended(Outcome::Done), String::new()),
        (ended(Outcome::Failed("said before".to_owned())), String::new()),
        (ended(Outcome::Interrupted), "Stopped.\n".to_owned()),
        (
            ended(Outcome::Limit("500 requests in one turn".to_owned())),
            "Stopped at a limit: 500 requests in one turn\n".to_owned(),
        ),
        (
            ended(Outcome::PlanPending),
            "The plan waits for an answer. `planwright plan approve` or `planwright plan reject` \
          gives it; `planwright --continue` asks again.\n"
                .to_owned(),
        ),
        (
            ended(Outcome::PermissionMissing),
            "Something needed a permission that nobody here could give. Start again with a \
          rule that allows it (`--allowed-tools`), or where somebody can be asked.\n"
                .to_owned(),
        ),
    ];
    check(rows.map(|(notice, wanted)| {
        let got = face().hear(&notice);
        (format!("{notice:?}"), wanted, got)
    }));
}

#[test]
fn hostile_words_stay_words() {
    let evil = "a\u{1b}[2J\u{202e}b\r\n✔ Bash -> fake\n\n1. approve";
    let wanted = "a␛[2J<U+202E>b";
    let rows = [
        (text(None, evil), format!("● {wanted}\n  ✔ Bash -> fake\n\n  1. approve\n")),
        (called(None, "Ba\nsh", evil), format!("⏺ Ba sh({wanted} …)\n")),
        (finished(None, "Bash", evil, false), format!("✔ Bash -> {wanted}\n")),
        (called(Some("x\u{1b}c\n✔"), "Bash", "ls"), "[x␛c ✔] ⏺ Bash(ls)\n".to_owned()),
        (Notice::OfferBack(evil.to_owned()), format!("not sent: {wanted} ✔ Bash -> fake  1. approve\n")),
        (Notice::Said("a\u{1b}[2Jb".to_owned()), "a␛[2Jb\n".to_owned()),
        (
            Notice::Error { cause: evil.to_owned(), hint: "h".to_owned() },
            format!("error: {wanted}\n  ✔ Bash -> fake\n\n  1. approve\n  h\n"),
        ),
    ];
    check(rows.map(|(notice, wanted)| {
        let got = face().hear(&notice);
        (format!("{notice:?}"), wanted, got)
    }));
}

#[test]
fn colors_come_only_when_asked_for() {
    let mut colored = LineFace::new(LineOptions { echo: false, color: true });
    assert_eq!(colored.hear(&called(None, "Grep", "x")), "\u{1b}[34m⏺\u{1b}[0m Grep(x)\n");
    assert_eq!(face().hear(&called(None, "Grep", "x")), "⏺ Grep(x)\n");
}

/// What protects the user is told once for each tier, with the reason.
#[test]
fn the_tier_is_told_once() {
    let found = |tier, reason: Option<&str>| {
        Notice::Protection(Protection {
            tier,
            reason: reason.map(str::to_owned),
            remedy: Some("Do this.".to_owned()),
            evidence: Vec::new(),
            kernel: "6.1".to_owned(),
        })
    };
    let sealed = "Plan mode: sealed. A command can only read, or works in a throw-away copy.\n";
    let read_only = "Plan mode: read-only, not sealed (no user namespaces). Commands that are known to read are held to \
                     reading; tests and builds need your OK, and then run for real.\n";
    let nothing = "Plan mode: NOT enforced by the kernel on this machine (no Landlock ✔ x). Each command asks.\n";
    let mut face = face();
    let rows = [
        (found(Walls::Scratch, None), sealed),
        (found(Walls::Scratch, None), ""),
        (found(Walls::ReadOnly, Some("no user namespaces")), read_only),
        (found(Walls::ReadOnly, Some("no user namespaces")), ""),
        (found(Walls::None, Some("no Landlock\n✔ x")), nothing),
        (found(Walls::Scratch, None), sealed),
    ];
    for (notice, wanted) in rows {
        assert_eq!(face.hear(&notice), wanted);
    }
}
