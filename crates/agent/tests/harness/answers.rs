//! An `answer>` line as the answer to an open question.

use planwright_core::dialogue::{Answer, PlanChoice, Question, UserAnswer};
use planwright_core::mode::Mode;
use planwright_core::permit::Choice;
use planwright_core::plan::{Context, Handoff};

use super::events::choice_name;
use super::line::unescaped;

/// What an answer says. `None`: the editor has to be run first.
pub fn answer(question: &Question, text: &str) -> Result<Answer, String> {
    match (question, text) {
        (_, "dismiss") => return Ok(Answer::Dismissed),
        // An answer of another kind: what a confused client could send.
        (Question::EnterPlan, "misfit") => return Ok(Answer::User(Vec::new())),
        (_, "misfit") => return Ok(Answer::EnterPlan(true)),
        _ => {}
    }
    match question {
        Question::EnterPlan => match text {
            "yes" => Ok(Answer::EnterPlan(true)),
            "no" => Ok(Answer::EnterPlan(false)),
            _ => Err("yes or no?".to_owned()),
        },
        Question::Permission(_) => permission(text),
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
