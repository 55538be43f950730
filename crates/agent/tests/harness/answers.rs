//! An `answer>` line as the answer to an open question.

use planwright_core::dialogue::{Answer, Grant, HookAnswer, PlanChoice, Question, UserAnswer};
use planwright_core::mode::Mode;
use planwright_core::permit::{Choice, HookOpinion};
use planwright_core::plan::{Context, Handoff};
use planwright_core::rules::Behavior;

use super::events::choice_name;
use super::line::unescaped;

/// What an answer says. `None`: the editor has to be run first.
pub fn answer(question: &Question, text: &str) -> Result<Answer, String> {
    match (question, text) {
        (_, "dismiss") => return Ok(Answer::Dismissed),
        (_, "nobody") => return Ok(Answer::Nobody),
        // An answer of another kind: what a confused client could send.
        (Question::EnterPlan, "misfit") => return Ok(Answer::User(Vec::new())),
        (_, "misfit") => return Ok(Answer::EnterPlan(true)),
        _ => {}
    }
    if let Some(words) = text.strip_prefix("declined: ") {
        return Ok(Answer::Declined(words.to_owned()));
    }
    match question {
        Question::EnterPlan => match text {
            "yes" => Ok(Answer::EnterPlan(true)),
            "no" => Ok(Answer::EnterPlan(false)),
            _ => Err("yes or no?".to_owned()),
        },
        Question::Permission(_) => match text.strip_prefix("granted") {
            Some(rest) => granted(rest.trim()),
            None => permission(text),
        },
        Question::Hook(_) => hook(text),
        Question::Plan(_) => plan(text),
        Question::User(_) => Ok(Answer::User(text.split(" | ").map(user).collect())),
        Question::Editor(_) => match text.strip_prefix("no editor: ") {
            Some(why) => Ok(Answer::Edited(Err(why.to_owned()))),
            None => Err("`runs: COMMAND` or `no editor: WHY`?".to_owned()),
        },
    }
}

fn permission(text: &str) -> Result<Answer, String> {
    let (name, comment) = text.split_once(": ").unwrap_or((text, ""));
    let all = [Choice::Scratch, Choice::Once, Choice::Always, Choice::No];
    let choice = all.into_iter().find(|choice| choice_name(*choice) == name).ok_or("there is no such choice")?;
    Ok(Answer::Permission { choice, comment: comment.to_owned() })
}

/// `granted [RULE, RULE] [{INPUT}]`; a rule that is no allow rule begins with `deny ` or `ask `.
fn granted(text: &str) -> Result<Answer, String> {
    let (rules, input) = with_input(text)?;
    let rule = |rule: &str| match rule.split_once(' ') {
        Some(("deny", rule)) => (Behavior::Deny, rule.to_owned()),
        Some(("ask", rule)) => (Behavior::Ask, rule.to_owned()),
        _ => (Behavior::Allow, rule.to_owned()),
    };
    let rules = rules.split(", ").map(str::trim).filter(|text| !text.is_empty()).map(rule).collect();
    Ok(Answer::Granted(Grant { input, rules }))
}

/// `nothing`, `allow`, `ask` or `deny WHY`, and `{INPUT}`
fn hook(text: &str) -> Result<Answer, String> {
    let (words, input) = with_input(text)?;
    let name = || "guard".to_owned();
    let opinion = match words.trim().split_once(' ').unwrap_or((words.trim(), "")) {
        ("nothing", _) => None,
        ("allow", _) => Some(HookOpinion::Allow { hook: name() }),
        ("ask", _) => Some(HookOpinion::Ask { hook: name() }),
        ("deny", why) => Some(HookOpinion::Deny { hook: name(), reason: why.to_owned() }),
        (other, _) => return Err(format!("a hook does not say `{other}`")),
    };
    Ok(Answer::Hook(HookAnswer { opinion, input }))
}

/// Words, and a JSON object behind them.
fn with_input(text: &str) -> Result<(&str, Option<serde_json::Value>), String> {
    match text.find('{') {
        None => Ok((text, None)),
        Some(at) => {
            let input = serde_json::from_str(&text[at..]).map_err(|error| format!("no JSON: {error}"))?;
            Ok((&text[..at], Some(input)))
        }
    }
}

/// `approve [MODE] [context: C] [model: M] [notes: TEXT] [edited: TEXT]`, `apply MODE`, `edit`,
/// `keep planning[: FEEDBACK]`
pub fn plan(text: &str) -> Result<Answer, String> {
    let (rest, edited) = match text.split_once(" edited: ") {
        Some((rest, edited)) => (rest, Some(unescaped(edited))),
        None => (text, None),
    };
    let (rest, notes) = rest.split_once(" notes: ").unwrap_or((rest, ""));
    let (rest, model) = match rest.split_once(" model: ") {
        Some((rest, model)) => (rest, Some(model.to_owned())),
        None => (rest, None),
    };
    let (rest, context) = rest.split_once(" context: ").unwrap_or((rest, "keep"));
    let context = Context::ALL.into_iter().find(|known| known.name() == context).ok_or("there is no such context")?;
    let (choice, feedback) = match rest.split_once(' ').unwrap_or((rest, "")) {
        ("approve", "") => (None, notes),
        ("approve", mode) => (Some(PlanChoice::Approve(Mode::parse(mode).ok_or("there is no such mode")?)), notes),
        ("apply", mode) => (Some(PlanChoice::ApproveApply(Mode::parse(mode).ok_or("there is no such mode")?)), notes),
        ("edit", "") => (Some(PlanChoice::Edit), ""),
        ("keep", "planning") => (Some(PlanChoice::KeepPlanning), ""),
        ("keep", rest) if rest.starts_with("planning: ") => {
            (Some(PlanChoice::KeepPlanning), rest.trim_start_matches("planning: "))
        }
        _ => return Err(format!("`{rest}` is no answer to a plan")),
    };
    Ok(Answer::Plan {
        choice,
        feedback: feedback.to_owned(),
        edited,
        by: "user".to_owned(),
        handoff: Handoff { context, model },
    })
}

/// `LABEL & LABEL + own words`, or `skip`
fn user(text: &str) -> Option<UserAnswer> {
    if text.trim() == "skip" {
        return None;
    }
    let (labels, own) = match text.split_once('+') {
        Some((labels, own)) => (labels, Some(unescaped(own.trim()))),
        None => (text, None),
    };
    let labels = labels.split('&').map(str::trim).filter(|label| !label.is_empty()).map(str::to_owned);
    Some(UserAnswer { labels: labels.collect(), own })
}
