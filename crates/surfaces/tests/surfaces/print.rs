//! What `-p` says on standard error, and its result object.

use planwright_core::dialogue::{Notice, Outcome, TurnEnd};
use planwright_core::reply::{Again, Spent, Stop, Usage};
use planwright_surfaces::print::aside;
use planwright_surfaces::run::{Denial, Run, Tally, exit_code, result_json, subtype};
use serde_json::json;

use super::check;

const TOKENS: Usage =
    Usage { input_tokens: 10, output_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

fn tally() -> Tally {
    let mut tally = Tally::default();
    (tally.num_turns, tally.usage, tally.duration_api_ms) = (3, TOKENS, 700);
    tally.spent.insert("m".to_owned(), (TOKENS, Some(0.25)));
    tally.stop = Some(Stop::EndTurn);
    tally
}

fn run(outcome: Outcome) -> Run {
    Run {
        outcome,
        result: String::new(),
        session_id: "s1".to_owned(),
        duration_ms: 1500,
        tally: tally(),
        plan: None,
        plan_file: None,
    }
}

#[test]
fn a_pending_plan() {
    let denial =
        Denial { tool_name: "Edit".to_owned(), tool_use_id: "t1".to_owned(), tool_input: json!({"file_path": "a"}) };
    let mut tally = tally();
    tally.denials.push(denial);
    let run = Run {
        result: "# Plan".to_owned(),
        tally,
        plan: Some("# Plan".to_owned()),
        plan_file: Some("/plans/p.md".into()),
        ..run(Outcome::PlanPending)
    };
    assert_eq!(
        result_json(&run),
        json!({
            "type": "result", "subtype": "plan_pending", "is_error": false, "num_turns": 3, "duration_ms": 1500,
            "duration_api_ms": 700, "errors": [], "stop_reason": "end_turn", "result": "# Plan", "session_id": "s1", "total_cost_usd": 0.25,
            "usage": {"input_tokens": 10, "output_tokens": 2, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
            "modelUsage": {"m": {
                "inputTokens": 10, "outputTokens": 2, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0, "costUSD": 0.25
            }},
            "permission_denials": [{"tool_name": "Edit", "tool_use_id": "t1", "tool_input": {"file_path": "a"}}],
            "plan": "# Plan", "plan_file": "/plans/p.md"
        })
    );
}

/// Nothing spent is no dollars; what a model without a known price spent is not known, nor is the sum.
#[test]
fn a_price_that_is_not_known_is_no_number() {
    let spent = |usd: Option<f64>| {
        Notice::TurnEnded(TurnEnd {
            spent: vec![
                Spent { model: "m".to_owned(), usage: TOKENS, usd: Some(0.5) },
                Spent { model: "x".to_owned(), usage: TOKENS, usd },
            ],
            ..TurnEnd::begun()
        })
    };
    let rows: [(&str, &[Notice], &str); 4] = [
        ("nothing", &[], "0.0 null null"),
        ("two turns", &[spent(Some(0.25)), spent(Some(0.25))], "1.5 1.0 0.5"),
        ("no price", &[spent(None)], "null 0.5 null"),
        ("a price for some", &[spent(Some(0.25)), spent(None), spent(Some(0.25))], "null 1.5 null"),
    ];
    check(rows.map(|(what, notices, wanted)| {
        let mut tally = Tally::default();
        notices.iter().for_each(|notice| tally.hear(notice, 0));
        let json = result_json(&Run { tally, ..run(Outcome::Done) });
        let by_model = &json["modelUsage"];
        let got = format!("{} {} {}", json["total_cost_usd"], by_model["m"]["costUSD"], by_model["x"]["costUSD"]);
        (what.to_owned(), wanted.to_owned(), got)
    }));
}

#[test]
fn every_outcome_has_a_name_a_code_and_a_result() {
    let rows = [
        (Outcome::Done, "success false 0 \"\""),
        (Outcome::PlanPending, "plan_pending false 3 \"\""),
        (Outcome::PermissionMissing, "error_permission_missing true 4 \"\""),
        (Outcome::Interrupted, "error_interrupted true 130 \"\""),
        (Outcome::Limit("500 requests".to_owned()), "error_max_turns true 5 \"500 requests\""),
        (Outcome::Failed("no model".to_owned()), "error_during_execution true 1 \"no model\""),
    ];
    check(rows.map(|(outcome, wanted)| {
        let json = result_json(&run(outcome.clone()));
        let got = format!("{} {} {} {}", subtype(&outcome), json["is_error"], exit_code(&outcome), json["result"]);
        (format!("{outcome:?}"), wanted.to_owned(), got)
    }));
    let partial = Run { result: "half an answer".to_owned(), ..run(Outcome::Failed("no model".to_owned())) };
    assert_eq!(result_json(&partial)["result"], "half an answer", "what was said is not replaced");
    assert!(result_json(&partial)["plan"].is_null());
}

#[test]
fn an_error_is_told_once_and_only_of_a_run_that_failed() {
    let mut failed = tally();
    failed.errors = vec!["no model".to_owned(), "no disk".to_owned()];
    let rows = [
        (Outcome::Failed("no model".to_owned()), failed.clone(), json!(["no model", "no disk"])),
        (Outcome::Limit("500 requests".to_owned()), tally(), json!(["500 requests"])),
        (Outcome::Done, failed, json!([])),
    ];
    check(rows.map(|(outcome, tally, wanted)| {
        let json = result_json(&Run { tally, ..run(outcome.clone()) });
        (format!("{outcome:?}"), wanted.to_string(), json["errors"].to_string())
    }));
}

#[test]
fn aside_is_only_what_a_person_must_know() {
    let again = Again { attempt: 2, of: 10, after_ms: 1500, cause: "the server is busy".to_owned() };
    let rows = [
        (Notice::Warning { key: "k", text: "odd".to_owned() }, "warning: odd\n"),
        (Notice::Error { cause: "no disk".to_owned(), hint: "free some".to_owned() }, "error: no disk\n  free some\n"),
        (Notice::Said("Compacted.".to_owned()), "Compacted.\n"),
        (Notice::Again { agent: None, again }, "the server is busy. Asking again in 1.5 s (try 2 of 10).\n"),
        (Notice::Text { agent: None, text: "an answer".to_owned() }, ""),
        (Notice::Idle, ""),
    ];
    check(rows.map(|(notice, wanted)| (format!("{notice:?}"), wanted.to_owned(), aside(&notice))));
}
