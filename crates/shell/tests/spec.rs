//! Runs every line of `spec/*.md` and reports all that are judged otherwise, at once.

mod manual;

use manual::Row;
use planwright_shell::{Context, Verdict, judge};

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::ReadOnly => "reads",
        Verdict::Mutating(_) => "writes",
        Verdict::Unknown(_) => "unknown",
    }
}

#[test]
fn every_line_of_the_manual_is_judged_as_it_says() {
    let rows = manual::rows();
    assert!(rows.len() > 1000, "the manual is not found");
    let mut wrong = Vec::new();
    for Row { file, line, command, label } in &rows {
        let verdict = judge(command, &Context::default());
        let right = match label.as_str() {
            "refused" => verdict != Verdict::ReadOnly,
            label => name(&verdict) == label,
        };
        if !right {
            wrong.push(format!("{file}:{line}: {command:?} should be {label}, is {verdict:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong lines\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_reason_points_at_its_place() {
    let mut wrong = Vec::new();
    for Row { file, line, command, .. } in &manual::rows() {
        if let Verdict::Mutating(reason) | Verdict::Unknown(reason) = judge(command, &Context::default()) {
            let fits = command.get(reason.span.clone()) == Some(reason.word.as_str());
            if !fits || reason.message.is_empty() {
                wrong.push(format!("{file}:{line}: {command:?}: {reason:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_refusal_says_what_the_manual_says() {
    let text = include_str!("../spec/reasons.md");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        let [command, word, message, rest @ ..] = cells.as_slice() else { panic!("a short row: {line}") };
        let instead = rest.first().copied().filter(|cell| !cell.is_empty());
        rows += 1;
        match judge(&command.replace('⏎', "\n"), &Context::default()) {
            Verdict::Mutating(reason) | Verdict::Unknown(reason)
                if reason.word == *word && reason.message == *message && reason.instead.as_deref() == instead => {}
            verdict => wrong.push(format!("{line}\n  is {verdict:?}")),
        }
    }
    assert!(rows > 10 && wrong.is_empty(), "{} wrong rows\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_table_documents_every_program_once() {
    let mut seen = std::collections::HashSet::new();
    for row in planwright_shell::table() {
        let shown = row.to_string();
        assert!(shown.lines().count() > 1 && !row.does.is_empty(), "{shown}");
        for name in row.names.split_ascii_whitespace() {
            assert!(seen.insert(name), "{name} has two rows");
        }
    }
    assert!(seen.len() > 300, "{} programs", seen.len());
}
