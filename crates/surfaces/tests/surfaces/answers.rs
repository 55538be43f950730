//! Every form of answer to every kind of question.

use planwright_core::dialogue::{Answer, Input, Notice, PlanChoice, Question, QuestionId};
use planwright_core::mode::Mode;
use planwright_core::permit::Choice;

use super::questions::{permission_question, plan_question, user_question};
use super::{check, face};

/// What a line came to: the answer in short, or the first line of what is said instead.
fn answer(question: &Question, typed: &str) -> String {
    let mut face = face();
    let _shown = face.hear(&Notice::Asked(QuestionId(1), question.clone()));
    let reading = face.read(typed);
    match &reading.inputs[..] {
        [Input::Answer(QuestionId(1), answer)] => {
            assert_eq!(reading.print, "", "an answered question is silent");
            short(answer)
        }
        [] => {
            assert!(face.ready(), "a question that was not answered is still open");
            assert!(reading.print.lines().count() > 2, "the choices are shown again: {}", reading.print);
            format!("? {}", reading.print.lines().next().unwrap_or_default())
        }
        other => format!("{other:?}"),
    }
}

fn short(answer: &Answer) -> String {
    match answer {
        Answer::Permission { choice, comment } => format!("{choice:?}({comment})"),
        Answer::Plan { choice, feedback, edited: None, by, handoff } if by == "user" && handoff.is_plain() => {
            format!("{}({feedback})", choice.map_or("none".to_owned(), PlanChoice::name))
        }
        Answer::EnterPlan(yes) => yes.to_string(),
        Answer::User(answers) => match &answers[..] {
            [None] => "skipped".to_owned(),
            [Some(answer)] => format!("{:?} {:?}", answer.labels, answer.own.as_deref().unwrap_or("-")),
            more => format!("{more:?}"),
        },
        other @ (Answer::Plan { .. }
        | Answer::Granted(_)
        | Answer::Edited(_)
        | Answer::Hook(_)
        | Answer::Declined(_)
        | Answer::Dismissed
        | Answer::Nobody) => format!("{other:?}"),
    }
}

fn table(question: Question, rows: &[(&str, &str)]) {
    check(rows.iter().map(|(typed, wanted)| (format!("`{typed}`"), (*wanted).to_owned(), answer(&question, typed))));
}

#[test]
fn at_the_plan_dialogue() {
    let rows = [
        ("1", "approve:acceptEdits()"),
        (" 2 \n", "approve:default()"),
        ("3", "edit()"),
        ("4", "keep-planning()"),
        ("4 handle errors too", "keep-planning(handle errors too)"),
        ("4   two  spaces", "keep-planning(two  spaces)"),
        // Words alone are what should change.
        ("handle errors too", "keep-planning(handle errors too)"),
        ("no", "keep-planning(no)"),
        ("1. wait longer", "keep-planning(1. wait longer)"),
        ("/src/a.rs is missing", "keep-planning(/src/a.rs is missing)"),
        // What could be meant otherwise approves nothing.
        (
            "1 more thing",
            "? Nothing was chosen: choice 1 takes no words. To choose it, answer `1`, with these words as notes \
             `1 with: more thing`; to keep planning with these words, answer `4 1 more thing`.",
        ),
        ("1 with: mind the callers", "approve:acceptEdits(mind the callers)"),
        ("2 with:mind the callers", "approve:default(mind the callers)"),
        (
            "1 with:",
            "? Nothing was chosen: choice 1 takes no words. To choose it, answer `1`; to keep planning with these \
             words, answer `4 1 with:`.",
        ),
        ("with: this", "keep-planning(with: this)"),
        (
            "3 things are wrong",
            "? Nothing was chosen: choice 3 takes no words. To choose it, answer `3`; to keep planning \
          with these words, answer `4 3 things are wrong`.",
        ),
        ("yes", "? Say which choice with its number."),
        ("OK!", "? Say which choice with its number."),
        ("", "? That line is empty."),
        ("0", "? There is no choice 0: the choices are 1 to 4."),
        ("5", "? There is no choice 5: the choices are 1 to 4."),
        ("20 per page", "keep-planning(20 per page)"),
        ("99999999999999999999999", "? There is no choice 99999999999999999999999: the choices are 1 to 4."),
        ("-1", "keep-planning(-1)"),
        ("٢", "keep-planning(٢)"),
        ("\u{1b}[A1", "keep-planning(\u{1b}[A1)"),
    ];
    table(Question::Plan(plan_question()), &rows);
}

#[test]
fn at_a_permission_question() {
    let rows = [
        ("1", "Scratch()"),
        ("2", "Once()"),
        ("2 but only this time", "Once(but only this time)"),
        ("3", "No()"),
        ("3 use the small test", "No(use the small test)"),
        ("use the small test", "No(use the small test)"),
        ("no", "No()"),
        ("n", "No()"),
        ("y", "? Say which choice with its number."),
        ("", "? That line is empty."),
        ("4", "? There is no choice 4: the choices are 1 to 3."),
        ("0 please", "? There is no choice 0: the choices are 1 to 3."),
    ];
    table(Question::Permission(permission_question()), &rows);
    let mut always = permission_question();
    always.choices = vec![Choice::Once, Choice::Always, Choice::No];
    table(Question::Permission(always), &[("2", "Always()"), ("3 no", "No(no)")]);
}

#[test]
fn at_the_question_to_enter_plan_mode() {
    let rows = [
        ("1", "true"),
        ("2", "false"),
        ("yes", "true"),
        ("N", "false"),
        ("maybe", "? This question takes a number and no more."),
        ("1 but be quick", "? This question takes a number and no more."),
        ("3", "? There is no choice 3: the choices are 1 to 2."),
        ("", "? That line is empty."),
    ];
    table(Question::EnterPlan, &rows);
}

#[test]
fn at_a_question_with_one_answer() {
    let rows = [
        ("1", r#"["20 (recommended)"] "-""#),
        ("2 for now", r#"["50"] "for now""#),
        ("2 3 apples", r#"["50"] "3 apples""#),
        ("3 it depends, \"really\"; yes", r#"[] "it depends, \"really\"; yes""#),
        ("3 30", r#"[] "30""#),
        ("it depends", r#"[] "it depends""#),
        ("yes", r#"[] "yes""#),
        ("20 (Recommended)", r#"["20 (recommended)"] "-""#),
        ("50", r#"["50"] "-""#),
        ("0", "skipped"),
        ("Skip", "skipped"),
        ("3", "? Write your answer after the number: `3 WORDS`."),
        ("1,2", "? Choose one."),
        ("4", "? There is no choice 4: the choices are 0 to 3."),
        ("30 per page", "? There is no choice 30: the choices are 0 to 3. To give it as words: `3 30 per page`."),
        ("3 30 per page", r#"[] "30 per page""#),
        ("", "? That line is empty."),
    ];
    table(Question::User(vec![user_question("How many?", &["20 (recommended)", "50"], false)]), &rows);
}

#[test]
fn at_a_question_with_several_answers() {
    let rows = [
        ("2", r#"["b"] "-""#),
        ("1,3", r#"["a", "c"] "-""#),
        ("1 3", r#"["a", "c"] "-""#),
        ("3, 1 , 1", r#"["c", "a"] "-""#),
        ("1,3; why not, \"d\"; or e?", r#"["a", "c"] "why not, \"d\"; or e?""#),
        ("1 3 why not b?", r#"["a", "c"] "why not b?""#),
        ("1;", r#"["a"] "-""#),
        ("; 30 of them", r#"[] "30 of them""#),
        ("4 none of these", r#"[] "none of these""#),
        ("none of these", r#"[] "none of these""#),
        ("b", r#"["b"] "-""#),
        ("0", "skipped"),
        ("1,4", "? Write your answer after the number: `4 WORDS`."),
        (";", "? Write your answer after the number: `4 WORDS`."),
        ("1,0", "? There is no choice 0: the choices are 0 to 4."),
        ("1,9", "? There is no choice 9: the choices are 0 to 4."),
        ("30 of them", "? There is no choice 30: the choices are 0 to 4. To give it as words: `; 30 of them`."),
        ("", "? That line is empty."),
    ];
    table(Question::User(vec![user_question("Which?", &["a", "b", "c"], true)]), &rows);
}

#[test]
fn no_line_approves_a_plan_but_a_bare_number_of_an_approval() {
    let question = plan_question();
    let approvals = question.choices.iter().filter(|choice| matches!(choice, PlanChoice::Approve(_))).count();
    assert_eq!(approvals, 2, "the table below knows two: {:?}", [Mode::AcceptEdits, Mode::Default]);
    let parts =
        ["", "0", "1", "2", "3", "4", "5", "y", "yes", "approve", " ", ".", ")", ",", ";", "\t", "x", "+", "01", "-"];
    let mut approving = Vec::new();
    for first in parts {
        for second in parts {
            for third in parts {
                let typed = format!("{first}{second}{third}");
                if answer(&Question::Plan(question.clone()), &typed).starts_with("approve:") {
                    approving.push(typed);
                }
            }
        }
    }
    let odd: Vec<_> =
        approving.iter().filter(|typed| !["1", "2"].contains(&typed.trim().trim_start_matches('0'))).collect();
    assert!(!approving.is_empty() && odd.is_empty(), "{odd:?}");
}
