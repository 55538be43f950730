//! What a line means when no question is open, and beside an open one.

use planwright_core::command::{Command, PlanCommand};
use planwright_core::dialogue::{Input, Notice, Question, QuestionId};
use planwright_core::mode::Mode;
use planwright_surfaces::line::{LineFace, LineOptions};

use super::questions::plan_question;
use super::{check, face};

#[test]
fn without_a_question() {
    let given = |input: Input| format!("{:?}", [input]);
    let rows = [
        ("add retries", given(Input::Prompt("add retries".to_owned()))),
        ("1", given(Input::Prompt("1".to_owned()))),
        ("  spaced  \r\n", given(Input::Prompt("spaced".to_owned()))),
        ("", "[] ".to_owned()),
        (" \t\n", "[] ".to_owned()),
        ("/plan", given(Input::Command(Command::Plan(PlanCommand::Plain)))),
        ("/plan rework auth", given(Input::Command(Command::Plan(PlanCommand::Describe("rework auth".to_owned()))))),
        ("/mode acceptEdits", given(Input::Command(Command::Mode(Some(Mode::AcceptEdits))))),
        ("/src/a.rs is wrong", given(Input::Prompt("/src/a.rs is wrong".to_owned()))),
        ("!git status", given(Input::Shell("git status".to_owned()))),
        (
            "/paln",
            "[] error: There is no command `/paln`. Did you mean `/plan`? `/help` lists the commands.".to_owned(),
        ),
        (
            "/mode pln",
            "[] error: There is no mode `pln`. Did you mean `plan`? The modes are: default, acceptEdits, plan, \
          auto, bypassPermissions."
                .to_owned(),
        ),
        ("!", "[] error: there is no command after `!`. Write it there, for instance `!git status`.".to_owned()),
    ];
    check(rows.map(|(typed, wanted)| {
        let reading = face().read(typed);
        let got = if reading.inputs.is_empty() {
            format!("[] {}", reading.print.trim_end())
        } else {
            assert_eq!(reading.print, "");
            format!("{:?}", reading.inputs)
        };
        (typed.to_owned(), wanted, got)
    }));
}

#[test]
fn commands_work_while_a_question_is_open_and_leave_it_open() {
    let mut face = face();
    let _shown = face.hear(&Notice::Asked(QuestionId(1), Question::Plan(plan_question())));
    assert_eq!(face.read("/plan off").inputs, [Input::Command(Command::Plan(PlanCommand::Off))]);
    assert_eq!(face.read("!git diff").inputs, [Input::Shell("git diff".to_owned())]);
    let unknown = face.read("/paln");
    assert!(unknown.inputs.is_empty() && unknown.print.starts_with("error: "), "{unknown:?}");
    assert!(matches!(face.read("1").inputs[..], [Input::Answer(QuestionId(1), _)]));
}

#[test]
fn a_pipe_is_read_only_when_the_line_has_its_meaning() {
    let mut face = face();
    assert!(!face.ready(), "the session has not begun");
    let _nothing = face.hear(&Notice::Idle);
    assert!(face.ready());
    let _empty = face.read("");
    assert!(face.ready(), "an empty line changes nothing");
    let _prompt = face.read("add retries");
    assert!(!face.ready(), "the next line may answer a question that is still to come");
    let _nothing = face.hear(&Notice::TurnStarted);
    let _shown = face.hear(&Notice::Asked(QuestionId(1), Question::EnterPlan));
    assert!(face.ready());
    let _again = face.read("perhaps");
    assert!(face.ready(), "the question is still open");
    let _answer = face.read("1");
    assert!(!face.ready(), "the turn goes on");
    let _nothing = face.hear(&Notice::Settled(QuestionId(1)));
    assert!(!face.ready());
    let _nothing = face.hear(&Notice::Idle);
    assert!(face.ready());
}

#[test]
fn the_end_of_input_closes() {
    let mut face = face();
    let _shown = face.hear(&Notice::Asked(QuestionId(1), Question::Plan(plan_question())));
    let end = face.end();
    assert_eq!(end.inputs, [Input::Close], "the session itself gives the cautious answer");
    assert_eq!(end.print, "");
    assert!(!face.ready() && !face.asking(), "nothing is read after the end");
}

#[test]
fn an_echo_stands_before_what_the_line_came_to() {
    let mut face = LineFace::new(LineOptions { echo: true, color: false });
    assert_eq!(face.read("hi\u{1b}[2J\n").print, "› hi␛[2J\n");
    assert!(face.read("/paln").print.starts_with("› /paln\nerror: There is no command"));
    let _shown = face.hear(&Notice::Asked(QuestionId(1), Question::EnterPlan));
    assert_eq!(face.read("1").print, "› 1\n");
}
