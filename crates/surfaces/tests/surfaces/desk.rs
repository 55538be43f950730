//! The review desk: keys in, pages and answers out. Pages are drawn as they are seen, the cursor as `▮`.

use std::path::PathBuf;
use std::time::Duration;

use planwright_core::dialogue::{Answer, AsideHeard, Input, Notice, PlanChoice, PlanQuestion, Question, QuestionId};
use planwright_core::mode::Mode;
use planwright_core::plan::{self, Context, Handoff};
use planwright_surfaces::tui::desk::Desk;
use planwright_surfaces::tui::face::{ARMING, Face, Options};
use planwright_surfaces::tui::keys::{Code, Key, Sent};
use planwright_surfaces::tui::markdown::{Look, PlainCode};
use planwright_surfaces::tui::part::{Act, Heard};
use planwright_surfaces::tui::screen::Size;
use planwright_surfaces::tui::theme::Theme;

const PLAN: &str = "# Pagination\n\nCallers get **all** posts by default.\n\n## Steps\n\n1. Change `list_posts`\n2. Test it\n\n## Risks\n\nNone known.\n";

fn question(text: &str) -> PlanQuestion {
    PlanQuestion {
        tool_use_id: String::new(),
        path: PathBuf::from("/home/me/plans/quiet-amber-otter.md"),
        plan: text.to_owned(),
        revision: 2,
        sha256: plan::digest(text),
        diff: plan::diff("# Pagination\n\nCallers get some posts.\n", text),
        choices: vec![
            PlanChoice::Approve(Mode::AcceptEdits),
            PlanChoice::Approve(Mode::Default),
            PlanChoice::Edit,
            PlanChoice::KeepPlanning,
        ],
        note: None,
        citations: Vec::new(),
        experiment: None,
    }
}

fn look(columns: usize) -> Look<'static> {
    Look { columns, theme: Theme::Plain, code: &PlainCode }
}

fn seen(desk: &mut Desk, columns: usize, rows: usize) -> Vec<String> {
    let page = desk.page(rows, look(columns));
    assert_eq!(page.rows.len(), rows, "a page is as large as the screen");
    let mut lines: Vec<String> = page
        .rows
        .iter()
        .map(|line| {
            assert!(line.width() <= columns, "a row is no wider than the screen: {line}");
            line.spans.iter().map(|span| span.content.as_ref()).collect::<String>().trim_end().to_owned()
        })
        .collect();
    if let Some((row, column)) = page.cursor {
        let line = &mut lines[row];
        let at = line.char_indices().map(|(at, _)| at).chain([line.len()]).nth(column).unwrap_or(line.len());
        line.insert(at, '▮');
    }
    lines
}

/// Presses keys by their names; the last thing heard.
fn press(desk: &mut Desk, keys: &str) -> Heard {
    let mut heard = Heard::Ignored;
    for name in keys.split(' ') {
        let key = match name {
            "enter" => Key::plain(Code::Enter),
            "alt-enter" => Key::alt(Code::Enter),
            "esc" => Key::plain(Code::Esc),
            "down" => Key::plain(Code::Down),
            "up" => Key::plain(Code::Up),
            "end" => Key::plain(Code::End),
            "pgdn" => Key::plain(Code::PageDown),
            "tab" => Key::plain(Code::Tab),
            "ctrl-c" => Key::ctrl('c'),
            "space" => Key::plain(Code::Char(' ')),
            "ctrl-g" => Key::ctrl('g'),
            "ctrl-u" => Key::ctrl('u'),
            letters => {
                for letter in letters.chars() {
                    heard = desk.key(Key::plain(Code::Char(letter)));
                }
                continue;
            }
        };
        heard = desk.key(key);
    }
    heard
}

fn answer(choice: PlanChoice, feedback: &str, edited: Option<&str>) -> Heard {
    handed(choice, feedback, edited, Handoff::default())
}

fn handed(choice: PlanChoice, feedback: &str, edited: Option<&str>, handoff: Handoff) -> Heard {
    let (feedback, edited) = (feedback.to_owned(), edited.map(str::to_owned));
    Heard::Answer(Answer::Plan { choice: Some(choice), feedback, edited, by: "user".to_owned(), handoff })
}

#[test]
fn the_desk_at_64_by_20() {
    let mut desk = Desk::new(question(PLAN), None);
    assert_eq!(
        seen(&mut desk, 64, 20),
        [
            "Plan quiet-amber-otter.md · revision 2                   1/12 8%",
            "▸    1 # Pagination",
            "",
            "     3 Callers get all posts by default.",
            "",
            "     5 ## Steps",
            "",
            "     7 1. Change list_posts",
            "     8 2. Test it",
            "",
            "    10 ## Risks",
            "",
            "    12 None known.",
            "",
            "",
            "────────────────────────────────────────────────────────────────",
            "h context: [keep] compact fresh · m model: as it is",
            " 1 approve, accept edits  2 approve, confirm edits  3 edit",
            "[4 keep planning]",
            "↑↓ read · c comment · s suggest · a ask · d changes · e edit · …",
        ]
    );
}

#[test]
fn the_desk_at_40_by_10_shows_every_line_and_the_choices() {
    let mut desk = Desk::new(question(PLAN), None);
    let first = seen(&mut desk, 40, 10);
    assert_eq!(
        first,
        [
            "Plan quiet-amber-otter.md · rev… 1/12 8%",
            "▸ # Pagination",
            "",
            "  Callers get all posts by default.",
            "",
            "  ## Steps",
            "",
            "  1. Change list_posts",
            " 1 approve+edits  2 approve  3 edit",
            "[4 keep]",
        ]
    );
    let mut lines = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let page = seen(&mut desk, 40, 10);
        assert!(page[8].starts_with(" 1 approve") && page[9].starts_with("[4 keep]"), "{page:?}");
        lines.extend(page);
        press(&mut desk, "down");
    }
    for wanted in ["# Pagination", "Callers", "Steps", "1. Change", "2. Test it", "Risks", "None known."] {
        assert!(lines.iter().any(|line| line.contains(wanted)), "{wanted} is reachable");
    }
}

#[test]
fn comments_go_back_with_the_lines_they_are_about() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "down down c which callers? enter G v up up c none? alt-enter really? enter");
    let page = seen(&mut desk, 64, 21);
    assert_eq!(page[0], "Plan quiet-amber-otter.md · revision 2 · 2 comments    11/14 78%");
    assert_eq!(page[4], "       ✎ line 3: whichcallers?");
    assert_eq!(page[12..16], ["", "    12 None known.", "       ✎ lines 10 to 12: none?", "         really?"]);
    assert_eq!(
        press(&mut desk, "4 Close. enter"),
        answer(
            PlanChoice::KeepPlanning,
            "Close.\n\nOn line 3 of the plan:\n> Callers get **all** posts by default.\nwhichcallers?\n\n\
             On lines 10 to 12 of the plan:\n> ## Risks\n>\n> None known.\nnone?\nreally?",
            None
        )
    );
}

/// A row without a line of its own belongs to the block before it, as it does when sections fold.
#[test]
fn a_blank_row_is_commented_as_the_block_before_it() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "down c why? enter");
    assert_eq!(desk.comments()[0].first..=desk.comments()[0].last, 1..=1);
    press(&mut desk, "G up s");
    assert!(desk.typing(), "what is typed now is no choice");
    // Another width leaves the reader where they were.
    press(&mut desk, "esc");
    assert!(seen(&mut desk, 50, 20).contains(&"▸ ## Risks".to_owned()));
}

#[test]
fn words_that_esc_puts_away_come_back() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "down down c which esc");
    assert!(desk.comments().is_empty());
    let page = seen(&mut desk, 64, 20);
    assert!(page.iter().any(|row| row.starts_with("Put away")), "{page:#?}");
    press(&mut desk, "G c other enter g down down c ever enter");
    let feedback = plan::feedback("", desk.comments(), PLAN);
    assert!(feedback.contains("\nwhichever") && feedback.contains("\nother"), "{feedback}");
    // They came back once.
    press(&mut desk, "g down down c new enter");
    assert!(plan::feedback("", desk.comments(), PLAN).contains("\nnew"));
}

#[test]
fn an_approval_takes_suggestions_over_and_brings_comments_along() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "G s ctrl-u Two. enter up up c ok enter");
    let edited = PLAN.replace("None known.", "Two.");
    assert_eq!(
        press(&mut desk, "1"),
        answer(PlanChoice::Approve(Mode::AcceptEdits), "On line 10 of the plan:\n> ## Risks\nok", Some(&edited))
    );
    // A comment is taken back.
    press(&mut desk, "x G x");
    assert_eq!(press(&mut desk, "2"), answer(PlanChoice::Approve(Mode::Default), "", None));
}

#[test]
fn enter_alone_never_approves() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    assert_eq!(press(&mut desk, "enter"), Heard::Taken);
    assert!(desk.typing(), "it asks what should change");
    assert_eq!(press(&mut desk, "enter"), answer(PlanChoice::KeepPlanning, "", None));
    let mut desk = Desk::new(question(PLAN), None);
    assert_eq!(press(&mut desk, "esc"), answer(PlanChoice::KeepPlanning, "", None));
    assert_eq!(press(&mut desk, "tab enter"), answer(PlanChoice::Approve(Mode::AcceptEdits), "", None));
    assert_eq!(press(&mut desk, "e"), answer(PlanChoice::Edit, "", None));
    assert_eq!(press(&mut desk, "ctrl-g"), answer(PlanChoice::Edit, "", None));
    assert_eq!(press(&mut desk, "9"), Heard::Ignored);
    assert_eq!(press(&mut desk, "y"), Heard::Ignored);
}

#[test]
fn digits_and_pastes_are_text_while_words_are_typed() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "c");
    press(&mut desk, "12");
    desk.paste("1\n2");
    assert_eq!(press(&mut desk, "enter"), Heard::Taken);
    assert_eq!(desk.comments().len(), 1);
    desk.paste("1");
    assert_eq!(desk.comments().len(), 1, "a paste chooses nothing");
}

#[test]
fn sections_fold() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "down down down down space");
    let page = seen(&mut desk, 64, 20);
    assert_eq!(page[5..8], ["▸    5 ## Steps ⋯", "", "    10 ## Risks"]);
    press(&mut desk, "space");
    assert_eq!(seen(&mut desk, 64, 20)[7], "     7 1. Change list_posts");
    press(&mut desk, "Z");
    let page = seen(&mut desk, 64, 20);
    assert!(
        page.contains(&"    10 ## Risks ⋯".to_owned()) && !page.iter().any(|line| line.contains("None known")),
        "{page:#?}"
    );
}

#[test]
fn changes_are_shown_and_left_again() {
    let mut desk = Desk::new(question(PLAN), Some(&PLAN.replace("None known", "Many")));
    seen(&mut desk, 64, 20);
    press(&mut desk, "d");
    let page = seen(&mut desk, 64, 20);
    assert!(page[0].ends_with("changes since the last submission"), "{}", page[0]);
    assert_eq!(page[3], " 3 - Callers get some posts.");
    press(&mut desk, "d");
    let page = seen(&mut desk, 64, 20);
    assert!(page[0].ends_with("changes since your last review"), "{}", page[0]);
    assert!(page.iter().any(|line| line.starts_with("12 + None known.")), "{page:#?}");
    press(&mut desk, "d");
    assert_eq!(seen(&mut desk, 64, 20)[1], "▸    1 # Pagination");
    press(&mut desk, "?");
    assert!(seen(&mut desk, 64, 20)[1].starts_with("1 … 9"));
}

#[test]
fn words_are_found() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "/ known enter");
    assert_eq!(seen(&mut desk, 64, 20)[12], "▸   12 None known.");
    press(&mut desk, "/ nowhere enter");
    assert!(seen(&mut desk, 64, 20).contains(&"not found: nowhere".to_owned()));
}

#[test]
fn comments_stay_with_their_lines_when_the_plan_changes() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "G c hm enter");
    desk.renew(PlanQuestion {
        note: Some("The plan changed.".to_owned()),
        ..question(&format!("New first line\n\n{PLAN}"))
    });
    let page = seen(&mut desk, 64, 20);
    assert!(page.contains(&"The plan changed.".to_owned()));
    press(&mut desk, "G");
    let page = seen(&mut desk, 64, 20);
    assert!(page.contains(&"▸      ✎ line 14: hm".to_owned()), "{page:#?}");
}

#[test]
fn a_huge_plan_is_read_to_its_end() {
    let long: String = (1..=2_000).map(|n| format!("{n}. step number {n}\n")).collect();
    let mut desk = Desk::new(question(&long), None);
    seen(&mut desk, 80, 24);
    press(&mut desk, "end");
    assert!(seen(&mut desk, 80, 24).iter().any(|line| line.contains("step number 2000")));
    let huge = "A paragraph of a plan, with words in it.\n\n".repeat(75_000);
    assert!(huge.len() > 3_000_000);
    let mut desk = Desk::new(question(&huge), None);
    seen(&mut desk, 80, 24);
    press(&mut desk, "end c end? enter");
    assert!(seen(&mut desk, 80, 24).iter().any(|line| line.contains("✎ line 149999: end?")));
    // Resized in the middle of it, the reader is where they were.
    let page = seen(&mut desk, 40, 10);
    assert!(page.iter().any(|line| line.starts_with("▸")), "{page:#?}");
}

#[test]
fn any_screen_will_do() {
    let mut desk = Desk::new(question("日本語の計画 👩‍👩‍👧‍👦\n\n| a | b |\n|---|---|\n| 日本 | x |\n"), None);
    for (columns, rows) in [(1, 1), (2, 3), (7, 5), (200, 3), (40, 60), (13, 14)] {
        seen(&mut desk, columns, rows);
        press(&mut desk, "c");
        seen(&mut desk, columns, rows);
        press(&mut desk, "esc d");
        seen(&mut desk, columns, rows);
        press(&mut desk, "q");
    }
}

#[test]
fn a_comment_on_the_whole_plan_goes_along_with_any_answer() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "C in");
    press(&mut desk, "space steps enter");
    let page = seen(&mut desk, 64, 20);
    assert_eq!(page[0], "Plan quiet-amber-otter.md · revision 2 · 1 comment       1/13 7%");
    assert_eq!(page[1..3], ["▸      ✎ in steps", "     1 # Pagination"]);
    assert_eq!(press(&mut desk, "1"), answer(PlanChoice::Approve(Mode::AcceptEdits), "in steps", None));
    press(&mut desk, "G c ok? enter");
    let words = "in steps\n\nOn line 12 of the plan:\n> None known.\nok?";
    assert_eq!(press(&mut desk, "2"), answer(PlanChoice::Approve(Mode::Default), words, None));
    assert_eq!(
        press(&mut desk, "4 no enter"),
        answer(PlanChoice::KeepPlanning, &words.replace("in steps", "in steps\n\nno"), None)
    );
    press(&mut desk, "g x G x x");
    assert_eq!(press(&mut desk, "1"), answer(PlanChoice::Approve(Mode::AcceptEdits), "", None));
}

#[test]
fn the_hand_off_is_chosen_before_the_approval() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "h");
    assert_eq!(seen(&mut desk, 64, 20)[16], "h context: keep [compact] fresh · m model: as it is");
    press(&mut desk, "h m a:model enter");
    assert_eq!(
        seen(&mut desk, 40, 10)[6..],
        ["h context: keep compact [fresh] · m", "  model: a:model", " 1 approve+edits  2 approve  3 edit", "[4 keep]"]
    );
    let handoff = Handoff { context: Context::Fresh, model: Some("a:model".to_owned()) };
    let approve = PlanChoice::Approve(Mode::AcceptEdits);
    assert_eq!(press(&mut desk, "1"), handed(approve, "", None, handoff.clone()));
    // It is for an approval alone, and stays as it was chosen when the plan is shown again.
    assert_eq!(press(&mut desk, "4 enter"), answer(PlanChoice::KeepPlanning, "", None));
    desk.renew(PlanQuestion { note: Some("The model cannot be had.".to_owned()), ..question(PLAN) });
    assert!(seen(&mut desk, 64, 20).contains(&"The model cannot be had.".to_owned()));
    assert_eq!(press(&mut desk, "1"), handed(approve, "", None, handoff));
    press(&mut desk, "h m ctrl-u enter");
    assert_eq!(press(&mut desk, "1"), answer(approve, "", None));
}

#[test]
fn questions_are_asked_and_their_answers_read() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    assert_eq!(
        press(&mut desk, "down down a why? enter"),
        Heard::Ask("On line 3 of the plan:\n> Callers get **all** posts by default.\nwhy?".to_owned())
    );
    desk.hear(&AsideHeard::Piece("They are **us".to_owned()));
    let page = seen(&mut desk, 64, 20);
    assert!(page[0].ends_with("your questions"), "{}", page[0]);
    assert_eq!(page[1..5], ["? line 3: why?", "", "They are **us", "…"]);
    assert!(page[15..].iter().any(|line| line.contains("[4 keep planning]")), "the choices are seen: {page:#?}");
    // Esc stops the answer, and only then goes back.
    assert_eq!(press(&mut desk, "esc"), Heard::Act(Act::Say(Input::StopAside)));
    desk.hear(&AsideHeard::Failed("Stopped.".to_owned()));
    assert_eq!(seen(&mut desk, 64, 20)[4], "Stopped.");
    assert_eq!(press(&mut desk, "a and"), Heard::Taken);
    assert!(matches!(press(&mut desk, "enter"), Heard::Ask(_)));
    desk.hear(&AsideHeard::Piece("Half".to_owned()));
    desk.hear(&AsideHeard::Again);
    desk.hear(&AsideHeard::Answered("Whole.".to_owned()));
    let page = seen(&mut desk, 64, 20);
    assert_eq!(page[1..7], ["? line 3: and", "", "Whole.", "", "? line 3: why?", ""]);
    press(&mut desk, "esc");
    let page = seen(&mut desk, 64, 20);
    assert_eq!(page[3], "▸    3 Callers get all posts by default.");
    // An answer that comes while the plan is read is announced; it is shown by a key.
    press(&mut desk, "a so? enter A");
    desk.hear(&AsideHeard::Answered("So.".to_owned()));
    assert!(seen(&mut desk, 64, 20).contains(&"Your question is answered: A shows it.".to_owned()));
    press(&mut desk, "A");
    assert_eq!(seen(&mut desk, 64, 20)[1..4], ["? line 3: so?", "", "So."]);
    assert_eq!(press(&mut desk, "1"), answer(PlanChoice::Approve(Mode::AcceptEdits), "", None));
}

#[test]
fn headings_are_jumped_to() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "o");
    assert_eq!(seen(&mut desk, 64, 20)[1..4], ["❯ Pagination", "    Steps", "    Risks"]);
    press(&mut desk, "down j j");
    assert_eq!(seen(&mut desk, 40, 4)[1], "❯   Risks", "the chosen one is seen on a small screen");
    press(&mut desk, "enter");
    assert_eq!(seen(&mut desk, 64, 20)[10], "▸   10 ## Risks");
    press(&mut desk, "o up enter");
    assert_eq!(seen(&mut desk, 64, 20)[5], "▸    5 ## Steps");
    let mut flat = Desk::new(question("Just do it.\n"), None);
    press(&mut flat, "o");
    assert!(seen(&mut flat, 64, 20).contains(&"This plan has no headings.".to_owned()));
}

/// A face with a plan in front, and the time at which its keys are armed.
fn face(id: u64) -> (Face, Duration) {
    let mut face = Face::new(Options { theme: Theme::Plain, motion: false, alternate: false }, Box::new(PlainCode));
    face.hear(&Notice::Asked(QuestionId(id), Question::Plan(question(PLAN))), Duration::ZERO);
    (face, ARMING)
}

fn on_screen(face: &mut Face, now: Duration) -> Vec<String> {
    let page = face.page(Size { columns: 64, rows: 20 }, now).expect("a desk is open");
    face.frame_shown(Size::new(64, 20), now);
    page.rows.iter().map(|row| row.to_string().trim_end().to_owned()).collect()
}

fn keys(face: &mut Face, now: Duration, letters: &str) -> Vec<Act> {
    let key = |c| if c == '⏎' { Key::plain(Code::Enter) } else { Key::plain(Code::Char(c)) };
    letters.chars().flat_map(|letter| face.sent(Sent::Key(key(letter)), now)).collect()
}

/// What was said with a plan that went back is said: it neither goes along again nor changes the next plan.
#[test]
fn comments_that_were_sent_do_not_lie_on_the_next_plan() {
    let (mut face, now) = face(1);
    on_screen(&mut face, Duration::ZERO);
    keys(&mut face, now, "cwhy⏎");
    assert_eq!(keys(&mut face, now, "4⏎").len(), 1, "it goes back");
    face.hear(&Notice::Settled(QuestionId(1)), now);
    face.hear(&Notice::Asked(QuestionId(2), Question::Plan(question(PLAN))), now);
    let page = on_screen(&mut face, now);
    assert!(!page.iter().any(|row| row.contains("why") || row.contains("1 comment")), "{page:#?}");
}

/// Ctrl+C at the desk, and a question that comes up while a plan is read, lose no words.
#[test]
fn remarks_that_were_not_sent_go_to_the_input_line() {
    let remarks = "All.\n\nOn line 1 of the plan:\n> # Pagination\nwhy";
    let (mut face, now) = face(1);
    on_screen(&mut face, Duration::ZERO);
    keys(&mut face, now, "CAll.⏎gcwhy⏎");
    for _ in 0..2 {
        let acts = face.sent(Sent::Key(Key::ctrl('c')), now);
        assert_eq!(acts, [Act::Say(Input::Interrupt)]);
        assert_eq!(face.input_line().text(), remarks);
    }
    let mut face = Face::new(Options { theme: Theme::Plain, motion: false, alternate: false }, Box::new(PlainCode));
    let shown = Notice::PlanShown { path: PathBuf::from("/p.md"), plan: PLAN.to_owned(), said: String::new() };
    face.hear(&shown, Duration::ZERO);
    on_screen(&mut face, Duration::ZERO);
    keys(&mut face, now, "CAll.⏎jcwhy⏎");
    face.hear(&Notice::Asked(QuestionId(2), Question::EnterPlan), now);
    assert_eq!(face.input_line().text(), remarks);
}

#[test]
fn a_suggestion_for_lines_that_are_gone_replaces_nothing() {
    let mut desk = Desk::new(question(PLAN), None);
    seen(&mut desk, 64, 20);
    press(&mut desk, "G s ctrl-u Two. enter");
    let changed = PLAN.replace("None known.", "Many.");
    desk.renew(question(&changed));
    seen(&mut desk, 64, 20);
    let Heard::Answer(Answer::Plan { edited, feedback, .. }) = press(&mut desk, "1") else { panic!("it is approved") };
    assert_eq!(edited, None);
    assert!(feedback.ends_with("\nTwo."), "{feedback}");
}

/// The plan on disk changed while it was read: it is laid out anew, and nothing that was typed is lost.
#[test]
fn a_plan_that_changed_on_disk_comes_back_with_the_comments() {
    let (mut face, now) = face(1);
    on_screen(&mut face, Duration::ZERO);
    keys(&mut face, now, "Gcsure?⏎h");
    let [Act::Say(Input::Answer(QuestionId(1), Answer::Plan { feedback, .. }))] = &keys(&mut face, now, "1")[..] else {
        panic!("the answer is said")
    };
    assert!(feedback.contains("line 12") && feedback.contains("sure?"), "{feedback}");
    face.hear(&Notice::Settled(QuestionId(1)), now);
    let changed = format!("First this.\n\n{PLAN}");
    let note = Some("The plan on disk is not the one that was shown; this is what it says now.".to_owned());
    face.hear(&Notice::Asked(QuestionId(2), Question::Plan(PlanQuestion { note, ..question(&changed) })), now);
    on_screen(&mut face, now);
    let now = now + ARMING;
    let page = on_screen(&mut face, now);
    assert!(page.iter().any(|line| line.starts_with("The plan on disk is not the one")), "{page:#?}");
    assert!(page.contains(&"h context: keep [compact] fresh · m model: as it is".to_owned()), "{page:#?}");
    assert!(keys(&mut face, now, "G").is_empty());
    assert!(on_screen(&mut face, now).iter().any(|line| line.contains("✎ line 14: sure?")));
}

/// Asking says the question to the session under the plan's own question, and the answer comes back to it.
#[test]
fn a_question_goes_to_the_session_and_the_answer_to_the_desk() {
    let (mut face, now) = face(7);
    on_screen(&mut face, Duration::ZERO);
    let asked = "On line 1 of the plan:\n> # Pagination\nwhy?".to_owned();
    assert_eq!(keys(&mut face, now, "awhy?⏎"), [Act::Say(Input::AskAside(QuestionId(7), asked))]);
    face.hear(&Notice::Aside(QuestionId(6), AsideHeard::Answered("Not for this.".to_owned())), now);
    face.hear(&Notice::Aside(QuestionId(7), AsideHeard::Answered("Because.".to_owned())), now);
    let page = on_screen(&mut face, now);
    assert_eq!(page[1..4], ["? line 1: why?", "", "Because."]);
    assert_eq!(face.sent(Sent::Key(Key::ctrl('c')), now), [Act::Say(Input::Interrupt)]);
}
