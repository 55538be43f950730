//! Dialogs of the live area: keys in, rows and answers out, drawn as they are seen.

use planwright_core::call::{QuestionOption, UserQuestion};
use planwright_core::dialogue::{Answer, PermissionQuestion, Question, QuestionId, UserAnswer};
use planwright_core::permit::Choice;
use planwright_surfaces::tui::ask::Dialog;
use planwright_surfaces::tui::keys::{Code, Key};
use planwright_surfaces::tui::markdown::{Look, PlainCode};
use planwright_surfaces::tui::part::Heard;
use planwright_surfaces::tui::theme::Theme;

fn dialog(question: &Question) -> Dialog {
    Dialog::new(QuestionId(1), question).expect("a dialog")
}

fn seen(dialog: &Dialog, columns: usize, rows: usize) -> Vec<String> {
    let (lines, _) = dialog.draw(rows, Look { columns, theme: Theme::Plain, code: &PlainCode });
    assert!(lines.len() <= rows && lines.iter().all(|line| line.width() <= columns), "{lines:#?}");
    lines
        .iter()
        .map(|line| line.spans.iter().map(|span| span.content.as_ref()).collect::<String>().trim_end().to_owned())
        .collect()
}

fn press(dialog: &mut Dialog, keys: &str) -> Heard {
    let mut heard = Heard::Ignored;
    for name in keys.split(' ') {
        let code = match name {
            "enter" => Code::Enter,
            "esc" => Code::Esc,
            "up" => Code::Up,
            "down" => Code::Down,
            "tab" => Code::Tab,
            "space" => Code::Char(' '),
            "pgdn" => Code::PageDown,
            letters => {
                letters.chars().for_each(|letter| heard = dialog.key(Key::plain(Code::Char(letter))));
                continue;
            }
        };
        heard = dialog.key(Key::plain(code));
    }
    heard
}

fn permission(choices: &[Choice], suggestion: Option<&str>) -> Question {
    Question::Permission(PermissionQuestion {
        agent: None,
        tool: "Bash".to_owned(),
        subject: "cargo test --all".to_owned(),
        input: serde_json::Value::Null,
        diff: None,
        reason: "it is not known to only read".to_owned(),
        choices: choices.to_vec(),
        suggestion: suggestion.map(str::to_owned),
    })
}

fn permitted(choice: Choice, comment: &str) -> Heard {
    Heard::Answer(Answer::Permission { choice, comment: comment.to_owned() })
}

#[test]
fn a_permission_shows_the_command_the_reason_and_the_rule() {
    let question = permission(&[Choice::Once, Choice::Always, Choice::No], Some("Bash(cargo test *)"));
    let mut asked = dialog(&question);
    assert_eq!(
        seen(&asked, 60, 20),
        [
            "Allow Bash?",
            "Why it asks: it is not known to only read",
            "  cargo test --all",
            "❯ 1. run for real, once",
            "  2. always, in this session: Bash(cargo test *)",
            "  3. no, and say why",
            "number or enter · tab adds a comment · esc: no",
        ]
    );
    assert_eq!(press(&mut asked, "enter"), permitted(Choice::Once, ""));
    assert_eq!(press(&mut asked, "2"), permitted(Choice::Always, ""));
    assert_eq!(press(&mut asked, "esc"), permitted(Choice::No, ""));
    assert_eq!(press(&mut asked, "y"), Heard::Ignored);
    assert_eq!(press(&mut asked, "9"), Heard::Ignored);
}

#[test]
fn what_no_rule_would_allow_is_no_matter_of_an_enter() {
    let mut risky = dialog(&permission(&[Choice::Once, Choice::No], None));
    assert_eq!(press(&mut risky, "enter"), permitted(Choice::No, ""));
    let mut safe = dialog(&permission(&[Choice::Scratch, Choice::Once, Choice::No], None));
    assert_eq!(press(&mut safe, "enter"), permitted(Choice::Scratch, ""));
}

#[test]
fn digits_are_text_in_a_comment_which_goes_along() {
    let mut asked = dialog(&permission(&[Choice::Once, Choice::No], None));
    assert_eq!(press(&mut asked, "tab 12"), Heard::Taken);
    asked.paste("!");
    assert_eq!(seen(&asked, 60, 20)[5], "  ✎ 12!");
    assert_eq!(press(&mut asked, "enter"), permitted(Choice::No, "12!"));
    assert_eq!(press(&mut asked, "esc 1"), permitted(Choice::Once, "12!"));
}

#[test]
fn a_long_command_is_read_to_its_end_on_a_small_screen() {
    let mut question = permission(&[Choice::Once, Choice::No], None);
    if let Question::Permission(question) = &mut question {
        question.subject = (1..=30).map(|n| format!("line {n}\n")).collect();
    }
    let mut asked = dialog(&question);
    let first = seen(&asked, 40, 10);
    assert_eq!(
        first,
        [
            "Allow Bash?",
            "Why it asks: it is not known to only",
            "read",
            "  line 1",
            "  line 2",
            "rows 1 to 2 of 30 (pgup, pgdn)",
            "  1. run for real, once",
            "❯ 2. no, and say why",
            "number or enter · tab adds a comment ·",
            "esc: no"
        ]
    );
    press(&mut asked, "pgdn pgdn pgdn pgdn pgdn pgdn");
    assert!(seen(&asked, 40, 10).contains(&"  line 30".to_owned()));
}

fn options(labels: &[&str]) -> Vec<QuestionOption> {
    let option = |label: &&str| QuestionOption {
        label: (*label).to_owned(),
        description: format!("it is {label}"),
        preview: None,
    };
    labels.iter().map(option).collect()
}

fn user(questions: &[(&str, &[&str], bool)]) -> Question {
    let question = |(header, labels, multi_select): &(&str, &[&str], bool)| UserQuestion {
        question: format!("Which {header}?"),
        header: (*header).to_owned(),
        options: options(labels),
        multi_select: *multi_select,
    };
    Question::User(questions.iter().map(question).collect())
}

fn answered(answers: &[Option<(&[&str], Option<&str>)>]) -> Heard {
    let answer = |answer: &Option<(&[&str], Option<&str>)>| {
        answer.map(|(labels, own)| UserAnswer {
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            own: own.map(str::to_owned),
        })
    };
    Heard::Answer(Answer::User(answers.iter().map(answer).collect()))
}

#[test]
fn one_question_is_answered_by_a_number_or_own_words() {
    let question = user(&[("page size", &["20", "50"], false)]);
    let mut asked = dialog(&question);
    assert_eq!(
        seen(&asked, 60, 20),
        [
            "Which page size?",
            "❯ 1. 20",
            "     it is 20",
            "  2. 50",
            "     it is 50",
            "  3. (your own words)",
            "number or enter: choose · esc: decline",
        ]
    );
    assert_eq!(press(&mut asked, "2"), answered(&[Some((&["50"], None))]));
    let mut asked = dialog(&question);
    assert_eq!(press(&mut asked, "3 12 enter"), answered(&[Some((&[], Some("12")))]));
    // The words stay when the mark goes elsewhere, and go along.
    assert_eq!(press(&mut asked, "up"), Heard::Taken);
    assert!(seen(&asked, 60, 20).contains(&"  3. 12".to_owned()));
    assert_eq!(press(&mut asked, "enter"), answered(&[Some((&["50"], Some("12")))]));
    assert_eq!(press(&mut asked, "esc"), Heard::Answer(Answer::Dismissed));
}

#[test]
fn several_questions_and_several_answers() {
    let question = user(&[("size", &["20", "50"], false), ("files", &["a", "b", "c"], true)]);
    let mut asked = dialog(&question);
    assert_eq!(seen(&asked, 60, 20)[0], "[☐ size] ☐ files");
    assert_eq!(press(&mut asked, "1"), Heard::Taken);
    assert_eq!(seen(&asked, 60, 20)[..3], [" ☒ size [☐ files]", "Which files?", "❯ 1. [ ] a"]);
    press(&mut asked, "3 1 3 3");
    assert_eq!(seen(&asked, 60, 20)[6], "❯ 3. [x] c");
    assert_eq!(press(&mut asked, "enter"), answered(&[Some((&["20"], None)), Some((&["a", "c"], None))]));
    // Skipped ones are marked as such.
    let mut asked = dialog(&question);
    press(&mut asked, "tab");
    assert_eq!(press(&mut asked, "enter"), answered(&[None, None]));
}

#[test]
fn a_preview_stands_beside_its_option() {
    let mut question = user(&[("layout", &["rows", "columns"], false)]);
    if let Question::User(questions) = &mut question {
        questions[0].options[1].preview = Some("a | b\nc | d".to_owned());
    }
    let mut asked = dialog(&question);
    press(&mut asked, "down");
    let wide = seen(&asked, 80, 20);
    assert!(wide[1].ends_with("│ a | b") && wide[2].ends_with("│ c | d"), "{wide:#?}");
    assert!(seen(&asked, 40, 20).contains(&"  │ a | b".to_owned()));
}

#[test]
fn entering_plan_mode_is_a_yes_or_a_no() {
    for (keys, yes) in [("1", true), ("2", false), ("esc", false), ("enter", true), ("down enter", false), ("n", false)]
    {
        assert_eq!(press(&mut dialog(&Question::EnterPlan), keys), Heard::Answer(Answer::EnterPlan(yes)), "{keys}");
    }
}

#[test]
fn any_screen_will_do() {
    let questions = [
        permission(&[Choice::Scratch, Choice::Once, Choice::No], None),
        user(&[("日本", &["一", "二", "三", "四"], true), ("b", &["x", "y"], false)]),
        Question::EnterPlan,
    ];
    for question in &questions {
        for (columns, rows) in [(1, 1), (2, 3), (7, 5), (200, 3), (40, 10)] {
            let mut asked = dialog(question);
            seen(&asked, columns, rows);
            press(&mut asked, "down down down tab");
            seen(&asked, columns, rows);
        }
    }
}
