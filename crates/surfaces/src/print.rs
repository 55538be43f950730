//! What `planwright -p` prints and returns (interfaces.md section 4).

use std::path::PathBuf;

use planwright_core::dialogue::Outcome;
use planwright_core::reply::Usage;
use serde_json::{Value, json};

pub use crate::words::compacted;

/// A run that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The final answer; the plan, if one waits for approval.
    pub result: String,
    /// The session.
    pub session_id: String,
    /// Model requests of the main thread.
    pub num_turns: u32,
    /// Milliseconds from start to end.
    pub duration_ms: u64,
    /// What it cost, in US dollars.
    pub total_cost_usd: f64,
    /// Tokens.
    pub usage: Usage,
    /// Calls that were refused.
    pub permission_denials: Vec<Denial>,
    /// The plan of the session, if there is one.
    pub plan: Option<String>,
    /// Its file.
    pub plan_file: Option<PathBuf>,
}

/// A call that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Denial {
    /// The tool.
    pub tool_name: String,
    /// The call.
    pub tool_use_id: String,
    /// Its input.
    pub tool_input: Value,
}

/// The stable name of an outcome. Names that begin with `error_` are errors.
pub const fn subtype(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "success",
        Outcome::PlanPending => "plan_pending",
        Outcome::PermissionMissing => "error_permission_missing",
        Outcome::Interrupted => "error_interrupted",
        Outcome::Limit(_) => "error_max_turns",
        Outcome::Failed(_) => "error_during_execution",
    }
}

/// The exit code of a run (interfaces.md section 1).
pub const fn exit_code(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Done => 0,
        Outcome::Failed(_) => 1,
        Outcome::PlanPending => 3,
        Outcome::PermissionMissing => 4,
        Outcome::Limit(_) => 5,
        Outcome::Interrupted => 130,
    }
}

/// The result object. Where a run gave no answer, `result` says why.
pub fn result_json(run: &Run) -> Value {
    let subtype = subtype(&run.outcome);
    let result = match &run.outcome {
        Outcome::Limit(why) | Outcome::Failed(why) if run.result.is_empty() => why,
        Outcome::Limit(_)
        | Outcome::Failed(_)
        | Outcome::Done
        | Outcome::PlanPending
        | Outcome::PermissionMissing
        | Outcome::Interrupted => &run.result,
    };
    let denial = |denial: &Denial| json!({"tool_name": denial.tool_name, "tool_use_id": denial.tool_use_id, "tool_input": denial.tool_input});
    json!({
        "type": "result",
        "subtype": subtype,
        "is_error": subtype.starts_with("error_"),
        "num_turns": run.num_turns,
        "duration_ms": run.duration_ms,
        "result": result,
        "session_id": run.session_id,
        "total_cost_usd": run.total_cost_usd,
        "usage": run.usage,
        "permission_denials": run.permission_denials.iter().map(denial).collect::<Vec<_>>(),
        "plan": run.plan,
        "plan_file": run.plan_file,
    })
}
