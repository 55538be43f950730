//! Questions as `can_use_tool` requests, and what a host's answer means.

use planwright_core::call::UserQuestion;
use planwright_core::dialogue::{
    Answer, Grant, PermissionQuestion, PlanChoice, PlanQuestion, Question, UserAnswer, Wish,
};
use planwright_core::mode::Mode;
use planwright_core::plan::Handoff;
use planwright_core::rules::Behavior;
use serde_json::{Map, Value, json};

use super::read;
use crate::words;

/// The call that a question is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Asker {
    pub tool: String,
    pub tool_use_id: String,
    pub input: Value,
}

impl Asker {
    /// The call that submitted a plan.
    pub fn of_plan(plan: &PlanQuestion) -> Self {
        Self { tool: "ExitPlanMode".to_owned(), tool_use_id: plan.tool_use_id.clone(), input: Value::Null }
    }
}

/// The request that puts a question. `None` for questions that are no permission.
pub(super) fn request(question: &Question, asker: &Asker) -> Option<Value> {
    let mut request = json!({
        "subtype": "can_use_tool",
        "tool_name": asker.tool,
        "input": input(question, asker),
        "tool_use_id": asker.tool_use_id,
    });
    match question {
        Question::Permission(PermissionQuestion { agent, reason, suggestion, diff: _, subject: _, .. }) => {
            request["decision_reason"] = json!(reason);
            request["permission_suggestions"] = suggestion.iter().map(|rule| add_rule(rule)).collect();
            let path = ["file_path", "notebook_path"].into_iter().find_map(|name| request["input"].get(name).cloned());
            if let Some(path) = path {
                request["blocked_path"] = path;
            }
            if let Some(agent) = agent {
                request["agent_id"] = json!(agent);
            }
        }
        Question::Plan(PlanQuestion { choices, note, .. }) => {
            let modes = choices.iter().filter_map(|choice| match choice {
                PlanChoice::Approve(mode) => Some(mode),
                PlanChoice::ApproveApply(_) | PlanChoice::Edit | PlanChoice::KeepPlanning => None,
            });
            // One is suggested, so that a host that applies all suggestions means something.
            let set = |mode| json!({"type": "setMode", "mode": mode, "destination": "session"});
            request["permission_suggestions"] = modes.take(1).map(set).collect();
            request["decision_reason"] = json!(note.as_deref().unwrap_or(words::EXIT_PLAN));
            request["default_to_no"] = json!(true);
            request["requires_user_interaction"] = json!(true);
        }
        Question::EnterPlan => request["decision_reason"] = json!(words::ENTER_PLAN),
        Question::User(_) => request["requires_user_interaction"] = json!(true),
        Question::Editor(_) | Question::Hook(_) => return None,
    }
    Some(request)
}

/// The input that a question shows; the host may give another back.
pub(super) fn input(question: &Question, asker: &Asker) -> Value {
    match question {
        Question::Permission(question) => question.input.clone(),
        Question::Plan(question) => json!({"plan": question.plan, "planFilePath": question.path}),
        Question::EnterPlan | Question::User(_) | Question::Editor(_) | Question::Hook(_) => asker.input.clone(),
    }
}

fn add_rule(rule: &str) -> Value {
    let value = match rule.split_once('(') {
        Some((tool, rest)) => json!({"toolName": tool, "ruleContent": rest.strip_suffix(')').unwrap_or(rest)}),
        None => json!({"toolName": rule}),
    };
    json!({"type": "addRules", "rules": [value], "behavior": "allow", "destination": "session"})
}

/// What a host's answer means.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    /// Done first.
    pub wish: Option<Wish>,
    /// The answer.
    pub answer: Answer,
    /// The turn is to stop.
    pub interrupt: bool,
    /// What the host should be told.
    pub aside: Option<String>,
}

/// What the answer to a question means. One that is not understood, or asks for what cannot be done,
/// is a no.
pub(super) fn answer(
    question: &Question,
    asker: &Asker,
    now: Mode,
    answer: Result<Map<String, Value>, String>,
) -> Said {
    let no = |words: String, interrupt, aside| Said { wish: None, answer: Answer::Declined(words), interrupt, aside };
    let given = match answer {
        Ok(given) => given,
        // A host without anybody to ask says so by an error: that is no decision of anybody.
        Err(why) => {
            let aside = Some(words::host_failed(&asker.tool, &why));
            return Said { wish: None, answer: Answer::Nobody, interrupt: false, aside };
        }
    };
    match given.get("behavior").and_then(Value::as_str) {
        Some("allow") => allowed(question, asker, now, &given).unwrap_or_else(|why| {
            let why = words::answer_unusable(&asker.tool, &why);
            no(why.clone(), false, Some(why))
        }),
        Some("deny") => {
            let message = given.get("message").and_then(Value::as_str).unwrap_or_default();
            no(message.to_owned(), given.get("interrupt").and_then(Value::as_bool).unwrap_or(false), None)
        }
        Some(_) | None => {
            let why = words::answer_unusable(&asker.tool, words::NO_BEHAVIOR);
            no(String::new(), false, Some(why))
        }
    }
}

fn allowed(question: &Question, asker: &Asker, now: Mode, given: &Map<String, Value>) -> Result<Said, String> {
    let shown = input(question, asker);
    let input = given.get("updatedInput").filter(|input| input.is_object() && **input != shown);
    let Updates { mode, rules, aside } = updates(given.get("updatedPermissions"))?;
    let plan = |plan: &PlanQuestion| Answer::Plan {
        choice: mode.map(PlanChoice::Approve),
        feedback: given.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        edited: input
            .and_then(|input| input.get("plan")?.as_str())
            .filter(|text| *text != plan.plan)
            .map(str::to_owned),
        by: "client".to_owned(),
        handoff: Handoff::default(),
    };
    // Only the answer to its plan ends plan mode along with an answer.
    let plan_asked = matches!(question, Question::Plan(_));
    if !plan_asked && now == Mode::Plan && mode.is_some_and(|mode| mode != Mode::Plan) {
        return Err(words::MODE_WITH_THE_PLAN.to_owned());
    }
    let (answer, mode) = match question {
        Question::Permission(_) => (Answer::Granted(Grant { input: input.cloned(), rules }), mode),
        _ if !rules.is_empty() => return Err(words::RULES_NOT_HERE.to_owned()),
        Question::Plan(question) => (plan(question), None),
        Question::EnterPlan => (Answer::EnterPlan(true), mode),
        Question::User(questions) => (Answer::User(user(questions, input)), mode),
        Question::Editor(_) | Question::Hook(_) => (Answer::Dismissed, None),
    };
    Ok(Said { wish: mode.map(Wish::SetMode), answer, interrupt: false, aside })
}

/// Permission updates that came with an allow.
#[derive(Default)]
struct Updates {
    mode: Option<Mode>,
    rules: Vec<(Behavior, String)>,
    aside: Option<String>,
}

/// All of them count or none: one that is not understood may be what the others were to come with.
fn updates(value: Option<&Value>) -> Result<Updates, String> {
    let mut updates = Updates::default();
    for update in value.and_then(Value::as_array).into_iter().flatten() {
        let text = |name: &str| update.get(name).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "setMode" => {
                updates.mode = Some(read::mode(text("mode")).ok_or_else(|| words::no_mode(text("mode")))?);
            }
            "addRules" => {
                let behavior = match text("behavior") {
                    "allow" => Behavior::Allow,
                    "ask" => Behavior::Ask,
                    "deny" => Behavior::Deny,
                    other => return Err(words::no_behavior(other)),
                };
                for rule in update.get("rules").and_then(Value::as_array).into_iter().flatten() {
                    let tool = rule.get("toolName").and_then(Value::as_str).ok_or(words::RULE_WITHOUT_TOOL)?;
                    let content = rule.get("ruleContent").and_then(Value::as_str).filter(|content| !content.is_empty());
                    let whole = content.map_or_else(|| tool.to_owned(), |content| format!("{tool}({content})"));
                    updates.rules.push((behavior, whole));
                }
            }
            other => return Err(words::no_update(other)),
        }
        if !["", "session"].contains(&text("destination")) {
            updates.aside = Some(words::session_only(text("destination")));
        }
    }
    Ok(updates)
}

/// The answers that a host put into the input, by question.
fn user(questions: &[UserQuestion], input: Option<&Value>) -> Vec<Option<UserAnswer>> {
    let answers = input.and_then(|input| input.get("answers"));
    let of = |question: &UserQuestion| match answers?.get(&question.question)? {
        Value::String(text) => Some(labels(question, text)),
        Value::Array(list) => {
            let texts: Vec<_> = list.iter().filter_map(Value::as_str).collect();
            Some(labels(question, &texts.join(", ")))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    };
    questions.iter().map(of).collect()
}

/// Labels where the text is made of labels, the user's own words else.
fn labels(question: &UserQuestion, text: &str) -> UserAnswer {
    let known = |label: &str| question.options.iter().any(|option| option.label == label);
    let whole = vec![text.to_owned()];
    let parts: Vec<_> = text.split(", ").map(str::to_owned).collect();
    match (known(text), question.multi_select && parts.iter().all(|part| known(part))) {
        (true, _) => UserAnswer { labels: whole, own: None },
        (false, true) => UserAnswer { labels: parts, own: None },
        (false, false) => UserAnswer { labels: Vec::new(), own: Some(text.to_owned()) },
    }
}
