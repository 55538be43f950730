//! Questions as numbered lists, and what a line typed at one means.
//!
//! A line that could be meant otherwise never approves anything: it is asked again.

use std::path::Path;

use planwright_core::call::UserQuestion;
use planwright_core::dialogue::{Answer, PermissionQuestion, PlanChoice, PlanQuestion, Question, UserAnswer};
use planwright_core::experiment::Shown;
use planwright_core::permit::Choice;
use planwright_core::plan::Handoff;

use super::{flat, indented, line};
use crate::words;

/// An open question.
#[derive(Debug)]
pub(super) enum Asking {
    Permission(PermissionQuestion),
    Plan(PlanQuestion),
    EnterPlan,
    User {
        questions: Vec<UserQuestion>,
        /// Those given so far: the next question is the one at this index.
        answers: Vec<Option<UserAnswer>>,
    },
}

/// What a line came to.
pub(super) enum Heard {
    Answer(Answer),
    /// Understood; the same call has another question.
    Next,
    /// Not understood, and why.
    Again(String),
}

impl Asking {
    /// `Err` holds the file to open, if that is what is wanted; else nothing is asked of a person.
    pub fn new(question: &Question) -> Result<Self, Option<&Path>> {
        Ok(match question {
            Question::Permission(question) => Self::Permission(question.clone()),
            Question::Plan(question) => Self::Plan(question.clone()),
            Question::EnterPlan => Self::EnterPlan,
            Question::User(questions) => Self::User { questions: questions.clone(), answers: Vec::new() },
            Question::Editor(path) => return Err(Some(path)),
            Question::Hook(_) => return Err(None),
        })
    }

    /// The whole question.
    pub fn show(&self, editor: &str) -> String {
        let head = match self {
            Self::Permission(question) => permission(question),
            Self::Plan(question) => plan(question),
            Self::EnterPlan => line(words::ENTER_PLAN),
            Self::User { questions, answers } => {
                let (of, at) = (questions.len(), answers.len());
                let head = |q: &UserQuestion| line(&flat(&words::question_head(at + 1, of, &q.header, &q.question)));
                questions.get(at).map(head).unwrap_or_default()
            }
        };
        head + &self.choices(editor)
    }

    /// The numbered list, and how to answer.
    pub fn choices(&self, editor: &str) -> String {
        match self {
            Self::Permission(question) => {
                let list = numbered(permission_labels(question));
                list + &line(&words::permission_answer(question.choices.len()))
            }
            Self::Plan(question) => {
                let label = |(at, choice): (usize, &PlanChoice)| words::plan_choice(*choice, at == 0, editor);
                let list = numbered(question.choices.iter().enumerate().map(label));
                list + &line(words::PLAN_ANSWER)
            }
            Self::EnterPlan => numbered(words::ENTER_CHOICES.map(str::to_owned)) + &line(words::ENTER_ANSWER),
            Self::User { questions, answers } => questions.get(answers.len()).map(user_choices).unwrap_or_default(),
        }
    }

    /// What a line means.
    pub fn answer(&mut self, typed: &str) -> Heard {
        match self {
            Self::Permission(question) => answer_permission(question, typed),
            Self::Plan(question) => answer_plan(question, typed),
            Self::EnterPlan => answer_enter(typed),
            Self::User { questions, answers } => {
                let Some(question) = questions.get(answers.len()) else {
                    return Heard::Answer(Answer::User(std::mem::take(answers)));
                };
                match answer_user(question, typed) {
                    Ok(answer) => answers.push(answer),
                    Err(why) => return Heard::Again(why),
                }
                if answers.len() < questions.len() {
                    return Heard::Next;
                }
                Heard::Answer(Answer::User(std::mem::take(answers)))
            }
        }
    }
}

fn numbered(labels: impl IntoIterator<Item = String>) -> String {
    labels.into_iter().enumerate().map(|(at, label)| line(&format!("  {}. {}", at + 1, flat(&label)))).collect()
}

fn permission(question: &PermissionQuestion) -> String {
    let head = flat(&words::permission_head(&question.tool, question.agent.as_deref()));
    let mut shown = line(&head) + &line(&indented(&question.subject));
    if let Some(diff) = &question.diff {
        shown += &line(&indented(diff));
    }
    if !question.reason.is_empty() {
        shown += &line(&flat(&words::reason(&question.reason)));
    }
    shown
}

fn permission_labels(question: &PermissionQuestion) -> impl Iterator<Item = String> {
    let real = question.choices.contains(&Choice::Scratch) || question.tool == "Bash";
    let label = move |choice: &Choice| words::permission_choice(*choice, real, question.suggestion.as_deref());
    question.choices.iter().map(label)
}

fn plan(question: &PlanQuestion) -> String {
    let mut shown = line(&flat(&words::plan_head(&question.path, question.revision)));
    if let Some(note) = &question.note {
        shown += &line(&flat(note));
    }
    if let Some(diff) = &question.diff {
        shown += &(line(words::PLAN_CHANGES) + &line(&indented(diff)));
    }
    shown += &(line(words::PLAN) + &line(&indented(&question.plan)));
    if !question.citations.is_empty() {
        shown += &line(words::CITED);
        for citation in &question.citations {
            shown += &line(&format!("  {}", flat(&words::citation(citation))));
        }
    }
    if let Some(tried) = &question.experiment {
        shown += &experiment(tried);
    }
    shown + &line(words::EXIT_PLAN)
}

fn experiment(tried: &Shown) -> String {
    let mut shown = line(words::EXPERIMENT) + &line(&indented(&tried.diff));
    if !tried.others.is_empty() {
        shown += &(line(words::EXPERIMENT_OTHERS) + &line(&indented(&tried.others.join("\n"))));
    }
    if let Some(why) = &tried.trouble {
        shown += &line(&flat(&words::experiment_trouble(why)));
    }
    shown
}

fn user_choices(question: &UserQuestion) -> String {
    let mut shown = String::new();
    for (at, option) in question.options.iter().enumerate() {
        let means = if option.description.is_empty() { String::new() } else { format!(": {}", option.description) };
        shown += &line(&format!("  {}. {}", at + 1, flat(&(option.label.clone() + &means))));
        if let Some(preview) = &option.preview {
            shown += &line(&indented(&indented(&indented(preview))));
        }
    }
    let own = question.options.len() + 1;
    shown += &line(&format!("  {own}. {}", words::own_answer(own)));
    shown += &line(&format!("  0. {}", words::SKIP));
    shown + &line(words::question_answer(question.multi_select))
}

/// A typed line, taken apart.
enum Typed<'a> {
    Nothing,
    /// A number on offer, as an index, and the words after it.
    Choice(usize, &'a str),
    /// A number not on offer, as typed.
    Beyond(&'a str),
    /// No number at its beginning.
    Words(&'a str),
}

/// Takes a line apart; `count` choices are on offer, from 1.
fn take_apart(typed: &str, count: usize) -> Typed<'_> {
    let (word, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    if typed.is_empty() {
        Typed::Nothing
    } else if !is_number(word) {
        Typed::Words(typed)
    } else {
        // A number too long to count with is beyond every list.
        let number = word.parse().unwrap_or(usize::MAX);
        if (1..=count).contains(&number) { Typed::Choice(number - 1, rest.trim()) } else { Typed::Beyond(word) }
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A yes that does not say to what.
fn bare_yes(words: &str) -> bool {
    ["y", "yes", "ok", "okay", "approve"].contains(&words.to_lowercase().trim_end_matches(['.', '!']))
}

fn answer_permission(question: &PermissionQuestion, typed: &str) -> Heard {
    let count = question.choices.len();
    let settled = |choice, comment: &str| Heard::Answer(Answer::Permission { choice, comment: comment.to_owned() });
    match take_apart(typed, count) {
        Typed::Nothing => Heard::Again(words::NOTHING.to_owned()),
        Typed::Choice(at, comment) => settled(question.choices[at], comment),
        Typed::Beyond(number) => Heard::Again(words::out_of_range(number, 1, count, None)),
        Typed::Words(said) if bare_yes(said) => Heard::Again(words::WHICH.to_owned()),
        Typed::Words("n" | "no" | "N" | "No" | "NO") => settled(Choice::No, ""),
        Typed::Words(why) => settled(Choice::No, why),
    }
}

fn answer_plan(question: &PlanQuestion, typed: &str) -> Heard {
    let count = question.choices.len();
    let keep =
        question.choices.iter().position(|choice| *choice == PlanChoice::KeepPlanning).map_or(count, |at| at + 1);
    let settled = |choice, feedback: &str| {
        let (choice, feedback) = (Some(choice), feedback.to_owned());
        let (by, handoff) = ("user".to_owned(), Handoff::default());
        Heard::Answer(Answer::Plan { choice, feedback, edited: None, by, handoff })
    };
    match take_apart(typed, count) {
        Typed::Nothing => Heard::Again(words::NOTHING.to_owned()),
        Typed::Choice(at, said) => match question.choices[at] {
            PlanChoice::KeepPlanning => settled(PlanChoice::KeepPlanning, said),
            choice @ (PlanChoice::Approve(_) | PlanChoice::ApproveApply(_) | PlanChoice::Edit) if said.is_empty() => {
                settled(choice, "")
            }
            // "1 more thing" must not approve; nobody begins a sentence with "1 with:".
            choice @ (PlanChoice::Approve(_) | PlanChoice::ApproveApply(_)) => match said.strip_prefix(words::WITH) {
                Some(notes) if !notes.trim().is_empty() => settled(choice, notes.trim()),
                Some(_) | None => Heard::Again(words::plan_words(at + 1, keep, typed, Some(said))),
            },
            PlanChoice::Edit => Heard::Again(words::plan_words(at + 1, keep, typed, None)),
        },
        Typed::Beyond(number) if number == typed => Heard::Again(words::out_of_range(number, 1, count, None)),
        // Words that begin with a number that is no choice ("10 posts are too few").
        Typed::Beyond(_) => settled(PlanChoice::KeepPlanning, typed),
        Typed::Words(said) if bare_yes(said) => Heard::Again(words::WHICH.to_owned()),
        Typed::Words(feedback) => settled(PlanChoice::KeepPlanning, feedback),
    }
}

/// How to give a line that begins with a number as words: behind the number of the choice that
/// takes them. `None` if it is nothing but the number.
fn instead(typed: &str, number: &str, takes_words: usize) -> Option<String> {
    (typed != number).then(|| format!("{takes_words} {typed}"))
}

fn answer_enter(typed: &str) -> Heard {
    let count = words::ENTER_CHOICES.len();
    match take_apart(typed, count) {
        Typed::Nothing => Heard::Again(words::NOTHING.to_owned()),
        Typed::Choice(at, "") => Heard::Answer(Answer::EnterPlan(at == 0)),
        Typed::Choice(..) => Heard::Again(words::ENTER_WORDS.to_owned()),
        Typed::Beyond(number) => Heard::Again(words::out_of_range(number, 1, count, None)),
        Typed::Words(said) => match said.to_lowercase().as_str() {
            "y" | "yes" => Heard::Answer(Answer::EnterPlan(true)),
            "n" | "no" => Heard::Answer(Answer::EnterPlan(false)),
            _ => Heard::Again(words::ENTER_WORDS.to_owned()),
        },
    }
}

/// The answer to one question of the model, or why the line is none. `None` = skipped.
fn answer_user(question: &UserQuestion, typed: &str) -> Result<Option<UserAnswer>, String> {
    let own = question.options.len() + 1;
    if typed.is_empty() {
        return Err(words::NOTHING.to_owned());
    }
    if typed == "0" || typed.eq_ignore_ascii_case("skip") {
        return Ok(None);
    }
    let (numbers, said) = leading_numbers(typed, question.multi_select);
    let beyond = |number: &&&str| !number.parse().is_ok_and(|n: usize| (1..=own).contains(&n));
    if numbers.is_empty() || numbers.iter().any(|number| beyond(&number)) {
        // The label itself, typed out, is that choice.
        if let Some(option) = question.options.iter().find(|option| option.label.eq_ignore_ascii_case(typed)) {
            return Ok(Some(UserAnswer { labels: vec![option.label.clone()], own: None }));
        }
    }
    if let Some(number) = numbers.iter().find(beyond) {
        let instead = if question.multi_select { Some(format!("; {typed}")) } else { instead(typed, number, own) };
        return Err(words::out_of_range(number, 0, own, instead.filter(|_| !said.is_empty())));
    }
    let mut labels: Vec<String> = Vec::new();
    let mut wants_own = false;
    for at in numbers.iter().filter_map(|number| number.parse::<usize>().ok()) {
        match question.options.get(at - 1) {
            Some(option) if !labels.contains(&option.label) => labels.push(option.label.clone()),
            Some(_) => {}
            None => wants_own = true,
        }
    }
    if said.is_empty() && (wants_own || labels.is_empty()) {
        return Err(words::own_answer_missing(own));
    }
    if !question.multi_select && numbers.len() > 1 {
        return Err(words::ONE_ONLY.to_owned());
    }
    Ok(Some(UserAnswer { labels, own: (!said.is_empty()).then(|| said.to_owned()) }))
}

/// The numbers at the beginning of a line, and the words after them. Where several can be chosen
/// they stand apart by spaces or commas, and a `;` ends them; elsewhere only the first word counts,
/// so that `2 3 apples` is choice 2 with own words.
fn leading_numbers(typed: &str, several: bool) -> (Vec<&str>, &str) {
    let mut numbers = Vec::new();
    let mut rest = typed;
    loop {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let after = after.trim_start();
        if !is_number(word) {
            let ended = several || !numbers.is_empty();
            return (numbers, rest.strip_prefix(';').filter(|_| ended).unwrap_or(rest).trim());
        }
        numbers.push(word);
        rest = after.strip_prefix(',').map_or(after, str::trim_start);
        if !several && rest == after {
            return (numbers, rest);
        }
    }
}
