//! A run or turn that is over: what it came to, as an object and as an exit code (interfaces.md
//! sections 1 and 4). Shared by the faces of programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use planwright_core::dialogue::{Notice, Outcome, TurnEnd};
use planwright_core::reply::{Spent, Stop, Usage};
use serde_json::{Value, json};

/// What was heard of a run, or of one turn of it, so far. Times are milliseconds since any one
/// moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Model requests of the main thread, in turns that are over.
    pub num_turns: u32,
    /// Tokens of turns that are over, agents and summaries included.
    pub usage: Usage,
    /// The same by model, with what it cost in US dollars as far as that is known.
    pub spent: BTreeMap<String, (Usage, Option<f64>)>,
    /// Why the model last stopped, on the main thread.
    pub stop: Option<Stop>,
    /// Milliseconds that the main thread waited for the model.
    pub duration_api_ms: u64,
    /// Calls that were refused.
    pub denials: Vec<Denial>,
    /// What failed.
    pub errors: Vec<String>,
    /// Words of the program.
    pub said: Vec<String>,
    /// The last plan submitted or approved: its file, its text, and whether it waits.
    pub plan: Option<(PathBuf, String, bool)>,
    waiting_since: Option<u64>,
}

impl Tally {
    /// Takes a notice into account.
    pub fn hear(&mut self, notice: &Notice, now_ms: u64) {
        match notice {
            Notice::TurnStarted | Notice::ToolFinished { agent: None, .. } => self.waiting_since = Some(now_ms),
            Notice::ToolCalled { agent: None, .. } => self.waiting_since = None,
            Notice::Answered { agent: None, stop, model: _, usage: _, blocks: _ } => {
                self.stop = Some(*stop);
                self.duration_api_ms += self.waiting_since.take().map_or(0, |since| now_ms.saturating_sub(since));
                // A request may follow at once, when the program itself has something to add.
                self.waiting_since = Some(now_ms);
            }
            Notice::Refused { id, tool, input, agent: _, by: _, message: _ } => self.denials.push(Denial {
                tool_name: tool.clone(),
                tool_use_id: id.clone(),
                tool_input: input.clone(),
            }),
            Notice::Plan { path, text, waits } => self.plan = Some((path.clone(), text.clone(), *waits)),
            Notice::Error { cause, hint: _ } => self.errors.push(cause.clone()),
            Notice::Said(text) | Notice::PlanShown { said: text, .. } => self.said.push(text.clone()),
            Notice::TurnEnded(TurnEnd { requests, usage, spent, outcome: _, text: _ }) => {
                self.num_turns += requests;
                self.usage += *usage;
                for Spent { model, usage, usd } in spent {
                    let by_model = self.spent.entry(model.clone()).or_insert((Usage::default(), Some(0.0)));
                    by_model.0 += *usage;
                    // Not known in all if a part is not.
                    by_model.1 = by_model.1.zip(*usd).map(|(all, more)| all + more);
                }
            }
            Notice::TextDelta(_)
            | Notice::Text { .. }
            | Notice::Answered { agent: Some(_), .. }
            | Notice::Again { .. }
            | Notice::Attached { .. }
            | Notice::AgentStarted { .. }
            | Notice::ToolCalled { .. }
            | Notice::ToolFinished { .. }
            | Notice::Compacted { .. }
            | Notice::ModeChanged { .. }
            | Notice::Protection(_)
            | Notice::Warning { .. }
            | Notice::Asked(..)
            | Notice::Aside(..)
            | Notice::Settled(_)
            | Notice::WishSettled(..)
            | Notice::OfferBack(_)
            | Notice::Todos(_)
            | Notice::Session { .. }
            | Notice::TakenUp
            | Notice::Idle => {}
        }
    }

    /// The next turn begins: what is counted by turn begins anew; the plan, and what is counted by
    /// model, stay.
    pub fn next_turn(&mut self) {
        let Self { spent, plan, .. } = std::mem::take(self);
        *self = Self { spent, plan, ..Self::default() };
    }
}

/// A run that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The final answer; the plan, if one waits for approval.
    pub result: String,
    /// The session.
    pub session_id: String,
    /// Milliseconds from start to end.
    pub duration_ms: u64,
    /// What was counted.
    pub tally: Tally,
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

/// Why a model stopped, as Anthropic's API names it; `None` if nobody said.
pub const fn stop_reason(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::EndTurn => Some("end_turn"),
        Stop::ToolUse => Some("tool_use"),
        Stop::MaxTokens => Some("max_tokens"),
        Stop::Refusal => Some("refusal"),
        Stop::Paused => Some("pause_turn"),
        Stop::ContextFull => Some("model_context_window_exceeded"),
        Stop::Cut => None,
    }
}

/// The result object. Where a run gave no answer, `result` says why.
pub fn result_json(run: &Run) -> Value {
    let subtype = subtype(&run.outcome);
    let is_error = subtype.starts_with("error_");
    let why = match &run.outcome {
        Outcome::Limit(why) | Outcome::Failed(why) => Some(why),
        Outcome::Done | Outcome::PlanPending | Outcome::PermissionMissing | Outcome::Interrupted => None,
    };
    let mut errors = run.tally.errors.clone();
    errors.extend(why.filter(|why| !run.tally.errors.contains(why)).cloned());
    let denial = |denial: &Denial| json!({"tool_name": denial.tool_name, "tool_use_id": denial.tool_use_id, "tool_input": denial.tool_input});
    json!({
        "type": "result",
        "subtype": subtype,
        "is_error": is_error,
        "num_turns": run.tally.num_turns,
        "duration_ms": run.duration_ms,
        "duration_api_ms": run.tally.duration_api_ms,
        "result": why.filter(|_| run.result.is_empty()).unwrap_or(&run.result),
        "errors": if is_error { errors } else { Vec::new() },
        "stop_reason": run.tally.stop.and_then(stop_reason),
        "session_id": run.session_id,
        "total_cost_usd": run.tally.spent.values().try_fold(0.0, |all, (_, usd)| Some(all + (*usd)?)),
        "usage": run.tally.usage,
        "modelUsage": run.tally.spent.iter().map(|(model, (usage, usd))| (model.clone(), by_model(*usage, *usd))).collect::<serde_json::Map<_, _>>(),
        "permission_denials": run.tally.denials.iter().map(denial).collect::<Vec<_>>(),
        "plan": run.plan,
        "plan_file": run.plan_file,
    })
}

fn by_model(usage: Usage, usd: Option<f64>) -> Value {
    json!({
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "cacheReadInputTokens": usage.cache_read_input_tokens,
        "cacheCreationInputTokens": usage.cache_creation_input_tokens,
        "costUSD": usd,
    })
}
