//! The result object of `-p`.

use planwright_core::dialogue::Outcome;
use planwright_core::reply::Usage;
use planwright_surfaces::print::{Denial, Run, exit_code, result_json, subtype};
use serde_json::json;

use super::check;

fn run(outcome: Outcome) -> Run {
    Run {
        outcome,
        result: String::new(),
        session_id: "s1".to_owned(),
        num_turns: 3,
        duration_ms: 1500,
        total_cost_usd: 0.0,
        usage: Usage { input_tokens: 10, output_tokens: 2, ..Usage::default() },
        permission_denials: Vec::new(),
        plan: None,
        plan_file: None,
    }
}

#[test]
fn a_pending_plan() {
    let denial =
        Denial { tool_name: "Edit".to_owned(), tool_use_id: "t1".to_owned(), tool_input: json!({"file_path": "a"}) };
    let run = Run {
        result: "# Plan".to_owned(),
        permission_denials: vec![denial],
        plan: Some("# Plan".to_owned()),
        plan_file: Some("/plans/p.md".into()),
        ..run(Outcome::PlanPending)
    };
    assert_eq!(
        result_json(&run),
        json!({
            "type": "result", "subtype": "plan_pending", "is_error": false, "num_turns": 3, "duration_ms": 1500,
            "result": "# Plan", "session_id": "s1", "total_cost_usd": 0.0,
            "usage": {"input_tokens": 10, "output_tokens": 2, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
            "permission_denials": [{"tool_name": "Edit", "tool_use_id": "t1", "tool_input": {"file_path": "a"}}],
            "plan": "# Plan", "plan_file": "/plans/p.md"
        })
    );
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
