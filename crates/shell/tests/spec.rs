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
