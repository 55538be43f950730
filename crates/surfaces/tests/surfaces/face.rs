//! Who gets a key, moment by moment: bytes and times in, answers out (field cases F049, F052, F109). What
//! the same looks like on a terminal is tried in `planwright/tests/tui`.

use std::path::PathBuf;
use std::time::Duration;

use planwright_core::call::{QuestionOption, UserQuestion};
use planwright_core::dialogue::{
    Answer, Input, Notice, PermissionQuestion, PlanChoice, PlanQuestion, Question, QuestionId,
};
use planwright_core::mode::Mode;
use planwright_core::permit::Choice;
use planwright_surfaces::tui::face::{Face, Options};
use planwright_surfaces::tui::frame::Frames;
use planwright_surfaces::tui::keys::Keys;
use planwright_surfaces::tui::markdown::PlainCode;
use planwright_surfaces::tui::part::Act;
use planwright_surfaces::tui::screen::Size;
use planwright_surfaces::tui::theme::Theme;

const fn at(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// The face and what is around it in the program: frames, and the bytes of keys.
struct Seat {
    face: Face,
    frames: Frames,
    keys: Keys,
}

impl Seat {
    fn new() -> Self {
        let face = Face::new(Options { theme: Theme::Plain, motion: true, alternate: false }, Box::new(PlainCode));
        Self { face, frames: Frames::new(Size::new(80, 24)), keys: Keys::default() }
    }

    fn hears(&mut self, notice: &Notice, now: Duration) {
        self.face.hear(notice, now);
    }

    fn shows(&mut self, now: Duration) {
        self.frames.draw(&mut self.face, now);
        self.face.frame_shown(self.frames.size(), now);
    }

    /// Types bytes that come in one piece, and yields the answers that were given.
    fn types(&mut self, bytes: &str, now: Duration) -> Vec<Answer> {
        let mut sent = self.keys.take(bytes.as_bytes());
        sent.extend(self.keys.settle());
        self.face.brace(&sent, now);
        let acts: Vec<_> = sent.into_iter().flat_map(|sent| self.face.sent(sent, now)).collect();
        self.shows(now);
        let answer = |act| match act {
            Act::Say(Input::Answer(_, answer)) => Some(answer),
            _ => None,
        };
        acts.into_iter().filter_map(answer).collect()
    }

    fn typed(&mut self) -> String {
        self.face.input_line().text()
    }
}

fn questions() -> Vec<Question> {
    let option = |label: &str| QuestionOption { label: label.to_owned(), description: String::new(), preview: None };
    vec![
        Question::Permission(PermissionQuestion {
            agent: None,
            tool: "Bash".to_owned(),
            subject: "make".to_owned(),
            input: serde_json::Value::Null,
            diff: None,
            reason: String::new(),
            choices: vec![Choice::Once, Choice::No],
            suggestion: Some("Bash(make)".to_owned()),
        }),
        Question::EnterPlan,
        Question::User(vec![UserQuestion {
            question: "Which?".to_owned(),
            header: "Which".to_owned(),
            options: vec![option("a"), option("b")],
            multi_select: false,
        }]),
        Question::Plan(PlanQuestion {
            tool_use_id: String::new(),
            path: PathBuf::from("/plans/p.md"),
            plan: "# Plan\n\nDo it.\n".to_owned(),
            revision: 1,
            sha256: String::new(),
            diff: None,
            citations: Vec::new(),
            choices: vec![PlanChoice::Approve(Mode::AcceptEdits), PlanChoice::KeepPlanning],
            note: None,
            experiment: None,
        }),
    ]
}

fn asked(question: &Question, now: Duration) -> Seat {
    let mut seat = Seat::new();
    seat.hears(&Notice::TurnStarted, Duration::ZERO);
    seat.hears(&Notice::Asked(QuestionId(1), question.clone()), now);
    seat.shows(now);
    seat
}

#[test]
fn a_sentence_that_goes_on_while_the_question_comes_up_is_no_answer() {
    for question in questions() {
        let mut seat = Seat::new();
        seat.hears(&Notice::TurnStarted, Duration::ZERO);
        for (n, letter) in "1 more thing, say 1 or 2".char_indices() {
            // Half of the letters are there already.
            let now = at(1_000 + 40 * u64::try_from(n).expect("few letters"));
            if n == 2 {
                seat.hears(&Notice::Asked(QuestionId(1), question.clone()), now);
                seat.shows(now);
            }
            assert_eq!(seat.types(&letter.to_string(), now), [], "{question:?} after {n} letters");
        }
        assert_eq!(seat.types("\r", at(2_000)), []);
        assert_eq!(seat.typed(), "", "it waits in the queue");
        seat.types("\x1b[A", at(2_020));
        assert_eq!(seat.typed(), "1 more thing, say 1 or 2");
    }
}

#[test]
fn keys_are_for_a_question_when_it_was_seen_for_a_while() {
    for question in questions() {
        for (key, now, answers) in
            [("1", 1_299, 0), ("1", 1_300, 1), ("\r", 1_299, 0), ("\x1b[200~1\r\x1b[201~", 9_000, 0)]
        {
            let mut seat = asked(&question, at(1_000));
            assert_eq!(seat.types(key, at(now)).len(), answers, "{key:?} at {now}: {question:?}");
        }
        // Each letter that goes to the input line lets the question wait again.
        let mut seat = asked(&question, at(1_000));
        assert_eq!(seat.types("x", at(1_200)), []);
        assert_eq!(seat.types("1", at(1_499)), []);
        assert_eq!(seat.types("1", at(1_798)), []);
        assert_eq!(seat.types("1", at(2_098)).len(), 1, "{question:?}");
        assert_eq!(seat.typed(), "x11");
    }
}

/// A question that nobody saw yet takes no key, however long its frame takes.
#[test]
fn a_question_that_is_not_on_the_screen_takes_no_key() {
    for question in questions() {
        let mut seat = Seat::new();
        seat.hears(&Notice::TurnStarted, Duration::ZERO);
        seat.hears(&Notice::Asked(QuestionId(1), question.clone()), at(1_000));
        assert_eq!(seat.types("1", at(9_000)), [], "{question:?}");
        assert_eq!(seat.types("1", at(9_301)).len(), 1, "{question:?}");
    }
}

/// The next question is new to the reader, whatever they did with the one before.
#[test]
fn the_next_question_waits_anew() {
    for question in questions() {
        let mut seat = asked(&questions()[0], at(1_000));
        seat.hears(&Notice::Asked(QuestionId(2), question.clone()), at(1_100));
        seat.shows(at(1_100));
        assert_eq!(seat.types("1", at(2_000)).len(), 1);
        if matches!(question, Question::Plan(_)) {
            continue;
        }
        assert_eq!(seat.types("1", at(2_200)), [], "{question:?}");
        assert_eq!(seat.types("1", at(2_500)).len(), 1, "{question:?}");
    }
}

/// A question that the desk covered is new to the reader when the plan is decided.
#[test]
fn what_the_desk_covered_waits_anew() {
    let [covered @ .., plan] = &questions()[..] else { panic!("there are questions") };
    for question in covered {
        let mut seat = asked(plan, at(1_000));
        seat.hears(&Notice::Asked(QuestionId(2), question.clone()), at(1_100));
        seat.shows(at(1_100));
        assert_eq!(seat.types("1", at(2_000)).len(), 1, "the plan is approved");
        seat.hears(&Notice::Settled(QuestionId(1)), at(2_050));
        seat.shows(at(2_050));
        assert_eq!(seat.types("1", at(2_100)), [], "{question:?}");
        assert_eq!(seat.types("1", at(2_500)).len(), 1, "{question:?}");
    }
}

/// Behind the transcript nobody sees that another question came to the front.
#[test]
fn what_the_transcript_covered_waits_anew() {
    let mut seat = asked(&questions()[0], at(1_000));
    seat.hears(&Notice::Asked(QuestionId(2), questions()[1].clone()), at(1_100));
    seat.shows(at(1_100));
    assert_eq!(seat.types("\x0f", at(2_000)), [], "Ctrl+O");
    seat.hears(&Notice::Settled(QuestionId(1)), at(2_100));
    seat.shows(at(2_100));
    assert_eq!(seat.types("q", at(3_000)), []);
    assert_eq!(seat.types("1", at(3_100)), []);
    assert_eq!(seat.types("1", at(3_500)).len(), 1);
}

/// Words are found in a long answer too, and before the end at which the transcript opens.
#[test]
fn words_are_found_anywhere_in_the_transcript() {
    let mut seat = Seat::new();
    let text: Vec<_> = (1..=90).map(|n| format!("para {n}.")).collect();
    seat.hears(&Notice::Text { agent: None, text: text.join("\n\n") }, at(0));
    seat.hears(&Notice::Said("the end".to_owned()), at(0));
    seat.shows(at(0));
    seat.types("\x0f", at(1_000));
    for (keys, first, last) in [
        ("/para 7.\r", "  para 7.", "transcript"),
        ("n", "  para 7.", "transcript"),
        ("/para 9\r", "  para 9.", "transcript"),
        ("n", "  para 90.", "transcript"),
        ("N", "  para 9.", "transcript"),
        ("/nowhere\r", "  para 9.", "not found: nowhere"),
    ] {
        seat.types(keys, at(2_000));
        let page = seat.face.page(Size::new(80, 24), at(2_000)).expect("the transcript is open");
        assert_eq!(page.rows[0].to_string(), first, "{keys:?}");
        assert!(page.rows[23].to_string().starts_with(last), "{keys:?}: {}", page.rows[23]);
    }
}

/// Nobody chooses from what a screen has no room for.
#[test]
fn choices_that_have_no_room_take_no_key() {
    for question in questions() {
        for (columns, rows) in [(1, 1), (10, 3), (19, 4)] {
            let mut seat = asked(&question, at(1_000));
            seat.frames.resize(Size::new(columns, rows));
            seat.shows(at(2_000));
            assert_eq!(seat.types("1", at(3_000)), [], "{question:?} at {columns}×{rows}");
            assert_eq!(seat.typed(), "1");
            seat.frames.resize(Size::new(80, 24));
            seat.shows(at(4_000));
            assert_eq!(seat.types("1", at(4_200)), [], "{question:?}: it was just seen");
            assert_eq!(seat.types("1", at(4_600)).len(), 1, "{question:?}");
        }
    }
}

/// A piece of bytes with a sentence in it is no choice, even when keys are for the question; a key that
/// is held, and keys that only read, are what they are.
#[test]
fn words_in_one_piece_choose_nothing() {
    for question in questions() {
        for burst in ["1 more thing", "1\r", "yes 1\r", "a1"] {
            let mut seat = asked(&question, at(1_000));
            assert_eq!(seat.types(burst, at(5_000)), [], "{burst:?}: {question:?}");
        }
        let mut seat = asked(&question, at(1_000));
        assert_eq!(seat.types("\x1b[B\x1b[A", at(5_000)), []);
        assert_eq!(seat.types("1", at(5_001)).len(), 1, "{question:?}");
    }
}

/// Nothing moves while somebody is asked, when the keys are for the question, and when nothing goes on.
#[test]
fn what_does_not_move_wakes_nobody() {
    let mut seat = Seat::new();
    seat.hears(&Notice::Idle, Duration::ZERO);
    assert_eq!(seat.face.next_tick(at(1)), None);
    seat.hears(&Notice::TurnStarted, at(1_000));
    assert_eq!(seat.face.next_tick(at(1_000)), Some(at(1_120)));
    for question in questions() {
        let seat = asked(&question, at(1_000));
        assert_eq!(seat.face.next_tick(at(1_000)), Some(at(1_300)));
        assert_eq!(seat.face.next_tick(at(1_300)), None);
    }
}
