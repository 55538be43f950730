//! Questions as they are drawn, one at a time.

use planwright_core::call::{QuestionOption, UserQuestion};
use planwright_core::dialogue::{
    Answer, Input, Notice, PermissionQuestion, PlanChoice, PlanQuestion, Question, QuestionId, UserAnswer,
};
use planwright_core::mode::Mode;
use planwright_core::permit::{Choice, Walls};
use planwright_core::plan::{Citation, Evidence, WouldChange};

use super::face;

pub fn plan_question() -> PlanQuestion {
    PlanQuestion {
        tool_use_id: "t1".to_owned(),
        path: "/plans/quiet-amber-otter.md".into(),
        plan: "# Retries\n\n1. wait\n2. try again\n".to_owned(),
        revision: 1,
        sha256: "ab".to_owned(),
        diff: None,
        citations: Vec::new(),
        choices: vec![
            PlanChoice::Approve(Mode::AcceptEdits),
            PlanChoice::Approve(Mode::Default),
            PlanChoice::Edit,
            PlanChoice::KeepPlanning,
        ],
        note: None,
        experiment: None,
    }
}

pub fn permission_question() -> PermissionQuestion {
    PermissionQuestion {
        agent: None,
        tool: "Bash".to_owned(),
        subject: "cargo test".to_owned(),
        input: serde_json::json!({"command": "cargo test"}),
        diff: None,
        reason: "the command is not known to be read-only".to_owned(),
        choices: vec![Choice::Scratch, Choice::Once, Choice::No],
        suggestion: None,
    }
}

pub fn user_question(question: &str, options: &[&str], multi_select: bool) -> UserQuestion {
    let option = |label: &&str| QuestionOption {
        label: (*label).to_owned(),
        description: format!("means {label}"),
        preview: None,
    };
    UserQuestion {
        question: question.to_owned(),
        header: "Head".to_owned(),
        options: options.iter().map(option).collect(),
        multi_select,
    }
}

fn shown(question: Question) -> String {
    face().hear(&Notice::Asked(QuestionId(1), question))
}

#[test]
fn a_plan() {
    assert_eq!(
        shown(Question::Plan(plan_question())),
        "\
A plan is ready: /plans/quiet-amber-otter.md (revision 1)
Plan:
  # Retries

  1. wait
  2. try again
Exit plan mode?
  1. approve, edits accepted from here on (acceptEdits)
  2. approve, confirm each edit (default)
  3. edit the plan (EDITOR), then ask again
  4. keep planning, optionally with what should change
Answer with a number. Words without a number keep planning and tell the model what should change.
"
    );
}

#[test]
fn a_second_plan_shows_what_changed_and_the_way_back() {
    let question = PlanQuestion {
        revision: 2,
        diff: Some("-1. wait\n+1. wait longer".to_owned()),
        note: Some("The plan changed on disk while it was shown.".to_owned()),
        plan: "1. wait longer\u{1b}[2J\n\n9. approve\n".to_owned(),
        choices: vec![
            PlanChoice::Approve(Mode::BypassPermissions),
            PlanChoice::Approve(Mode::AcceptEdits),
            PlanChoice::Approve(Mode::Default),
            PlanChoice::Approve(Mode::Auto),
            PlanChoice::Edit,
            PlanChoice::KeepPlanning,
        ],
        ..plan_question()
    };
    let mut face = face();
    face.name_editor("Neovim");
    assert_eq!(
        face.hear(&Notice::Asked(QuestionId(1), Question::Plan(question.clone()))),
        "\
A plan is ready: /plans/quiet-amber-otter.md (revision 2)
The plan changed on disk while it was shown.
Changed since the last submission:
  -1. wait
  +1. wait longer
Plan:
  1. wait longer␛[2J

  9. approve
Exit plan mode?
  1. approve and go back to bypassPermissions
  2. approve, edits accepted from here on (acceptEdits)
  3. approve, confirm each edit (default)
  4. approve and continue in auto
  5. edit the plan (Neovim), then ask again
  6. keep planning, optionally with what should change
Answer with a number. Words without a number keep planning and tell the model what should change.
"
    );
    let from_auto =
        PlanQuestion { choices: vec![PlanChoice::Approve(Mode::Auto), PlanChoice::KeepPlanning], ..question };
    let screen = shown(Question::Plan(from_auto));
    assert!(screen.contains("  1. approve and go back to auto\n"), "{screen}");
}

#[test]
fn a_permission() {
    assert_eq!(
        shown(Question::Permission(permission_question())),
        "\
Allow Bash?
  cargo test
Why it asks: the command is not known to be read-only
  1. run in a scratch copy
  2. run for real, once
  3. no, and say why
Answer with a number, with words for the model after it if you like: `3 WHY`. Words alone are a no.
"
    );
    let edit = PermissionQuestion {
        agent: Some("general-purpose-1".to_owned()),
        tool: "Edit".to_owned(),
        subject: "src/a\u{1b}.txt".to_owned(),
        input: serde_json::Value::Null,
        diff: Some("-one\n+two".to_owned()),
        reason: String::new(),
        choices: vec![Choice::Once, Choice::Always, Choice::No],
        suggestion: Some("Edit(/src/**)".to_owned()),
    };
    assert_eq!(
        shown(Question::Permission(edit)),
        "\
Allow Edit for agent general-purpose-1?
  src/a␛.txt
  -one
  +two
  1. yes, once
  2. always, in this session: Edit(/src/**)
  3. no, and say why
Answer with a number, with words for the model after it if you like: `3 WHY`. Words alone are a no.
"
    );
}

#[test]
fn entering_plan_mode() {
    assert_eq!(
        shown(Question::EnterPlan),
        "\
Enter plan mode? The model wants to explore and plan before it changes anything.
  1. yes
  2. no
Answer with a number.
"
    );
}

#[test]
fn questions_of_one_call_come_one_after_another() {
    let mut pages = user_question("How many?\nReally", &["20", "50"], false);
    pages.options[1].preview = Some("page 1\npage 2".to_owned());
    let questions = vec![pages, user_question("Which?", &["a", "b", "c"], true)];
    let mut face = face();
    assert_eq!(
        face.hear(&Notice::Asked(QuestionId(4), Question::User(questions))),
        "\
Head (1 of 2): How many? Really
  1. 20: means 20
  2. 50: means 50
      page 1
      page 2
  3. an answer of your own: `3 WORDS`, or just the words
  0. skip this question
Answer with a number, own words after it if you like (`1 words`), or `0` to skip.
"
    );
    let first = face.read("2");
    assert!(first.inputs.is_empty(), "the call has one answer: {first:?}");
    assert_eq!(
        first.print,
        "\
Head (2 of 2): Which?
  1. a: means a
  2. b: means b
  3. c: means c
  4. an answer of your own: `4 WORDS`, or just the words
  0. skip this question
Answer with one or more numbers (`1,2` or `1 2`), own words after `;` (`1,2; words`), or `0` to skip.
"
    );
    let second = face.read("1,3; and d");
    let answers = vec![
        Some(UserAnswer { labels: vec!["50".to_owned()], own: None }),
        Some(UserAnswer { labels: vec!["a".to_owned(), "c".to_owned()], own: Some("and d".to_owned()) }),
    ];
    assert_eq!(second.inputs, [Input::Answer(QuestionId(4), Answer::User(answers))]);
}

#[test]
fn open_questions_queue_up() {
    let mut face = face();
    let ask = |id, tool: &str| {
        let question = PermissionQuestion { tool: tool.to_owned(), ..permission_question() };
        Notice::Asked(QuestionId(id), Question::Permission(question))
    };
    assert!(face.hear(&ask(1, "Bash")).starts_with("Allow Bash?"));
    assert_eq!(face.hear(&ask(2, "Edit")), "", "one question at a time");
    assert_eq!(face.hear(&ask(3, "Write")), "");
    let first = face.read("2");
    assert!(matches!(first.inputs[..], [Input::Answer(QuestionId(1), _)]), "{first:?}");
    assert!(first.print.starts_with("Allow Edit?"), "{}", first.print);
    assert!(face.asking() && face.ready(), "the next one is open at once");
    assert_eq!(face.hear(&Notice::Settled(QuestionId(1))), "", "we know: we answered it");
    let elsewhere = face.hear(&Notice::Settled(QuestionId(2)));
    assert!(elsewhere.starts_with("The question is no longer open.\nAllow Write?"), "{elsewhere}");
    assert_eq!(face.hear(&Notice::Settled(QuestionId(3))), "The question is no longer open.\n");
    assert_eq!(face.read("2").inputs, [Input::Prompt("2".to_owned())]);
}

#[test]
fn a_file_for_the_editor_is_left_to_whoever_has_the_terminal() {
    let mut face = face();
    let asked = face.hear(&Notice::Asked(QuestionId(7), Question::Editor("/plans/p.md".into())));
    assert_eq!(asked, "opening /plans/p.md (EDITOR)\n");
    assert_eq!(face.pending_editor(), Some((QuestionId(7), std::path::Path::new("/plans/p.md"))));
    assert!(!face.ready(), "no line is read while the editor is open");
    let closed = face.editor_closed(Err("exit code 1".to_owned()));
    assert_eq!(closed.inputs, [Input::Answer(QuestionId(7), Answer::Edited(Err("exit code 1".to_owned())))]);
    assert_eq!(face.pending_editor(), None);
    assert!(face.editor_closed(Ok(())).inputs.is_empty(), "nothing is answered twice");
}

/// What a plan cites is shown with the command and how it ended; what is not there is named.
#[test]
fn cited_evidence_stands_below_the_plan() {
    let evidence = |id, exit_code, project| Citation {
        id,
        evidence: Some(Evidence {
            id,
            command: "cargo test\n1. approve".to_owned(),
            exit_code,
            would_change: WouldChange { project, ..WouldChange::default() },
            tier: Walls::Scratch,
            sha256: String::new(),
        }),
    };
    let citations = vec![
        evidence(1, Some(101), 0),
        evidence(2, Some(0), 1),
        evidence(3, None, 4),
        Citation { id: 9, evidence: None },
    ];
    let shown =
        face().hear(&Notice::Asked(QuestionId(1), Question::Plan(PlanQuestion { citations, ..plan_question() })));
    let wanted = "What it cites, as it was run here:
  E1: `cargo test ⏎ 1. approve`, exit code 101
  E2: `cargo test ⏎ 1. approve`, exit code 0, would have changed 1 file of the project
  E3: `cargo test ⏎ 1. approve`, did not end by itself, would have changed 4 files of the project
  E9: cited, and there is no such evidence
Exit plan mode?";
    assert!(shown.contains(wanted), "{shown}");
}
