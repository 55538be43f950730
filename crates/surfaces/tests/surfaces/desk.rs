//! The review desk: keys in, pages and answers out. Pages are drawn as they are seen, the cursor as `▮`.

use std::path::PathBuf;

use planwright_core::dialogue::{Answer, PlanChoice, PlanQuestion};
use planwright_core::mode::Mode;
use planwright_core::plan;
use planwright_surfaces::tui::desk::Desk;
use planwright_surfaces::tui::keys::{Code, Key};
use planwright_surfaces::tui::markdown::{Look, PlainCode};
use planwright_surfaces::tui::part::Heard;
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
    let (feedback, edited) = (feedback.to_owned(), edited.map(str::to_owned));
    Heard::Answer(Answer::Plan { choice: Some(choice), feedback, edited, by: "user".to_owned() })
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
            "",
            "────────────────────────────────────────────────────────────────",
            " 1 approve, accept edits  2 approve, confirm edits  3 edit",
            "[4 keep planning]",
            "↑↓ read · c comment · s suggest · d changes · e edit · esc keep…",
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
    let page = seen(&mut desk, 64, 20);
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
