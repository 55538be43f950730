//! `planwright plan …`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use planwright_core::dialogue::Answer;
use planwright_core::plan::diff;
use planwright_core::state::State;
use planwright_core::text::inert;
use planwright_core::transcript::{Decision, Entry, Fact};
use planwright_store::plans::PlanRead;
use planwright_store::{log, sessions};

use crate::args::{Approval, OutputFormat, PlanCmd, RunArgs};
use crate::failure::{Failure, err, out};
use crate::wiring::{Answers, Place, wire};

/// The plan of one session.
struct SessionPlan {
    id: String,
    entries: Vec<Entry>,
    state: State,
}

/// Runs it.
pub async fn run(command: PlanCmd) -> Result<ExitCode, Failure> {
    let place = Place::here()?;
    match command {
        PlanCmd::List => list(&place),
        PlanCmd::Show(which) => show(&place, which.which.as_deref()),
        PlanCmd::Path(which) => {
            let plan = find(&place, which.which.as_deref())?;
            out(&format!("{}\n", plan.path().display()))?;
            Ok(ExitCode::SUCCESS)
        }
        PlanCmd::Diff { session, from, to } => differences(&place, session.as_deref(), from, to),
        PlanCmd::Approve { session, mode, plan_file, notes, record_only, model } => {
            let id = waiting(&place, session.as_deref(), "planwright plan approve ID")?;
            let args = RunArgs {
                resume: Some(id),
                approve_plan: Some(Approval(mode)),
                plan_file,
                plan_notes: notes,
                model: model.or_else(|| record_only.then(|| "none:none".to_owned())),
                ..RunArgs::default()
            };
            decide(&place, &args, None, record_only).await
        }
        PlanCmd::Reject { session, mut words } => {
            let session =
                session.or_else(|| words.first().is_some_and(|word| names_one(&place, word)).then(|| words.remove(0)));
            let id = waiting(&place, session.as_deref(), "planwright plan reject ID WHAT SHOULD CHANGE")?;
            let answer = Answer::keep_planning(words.join(" "), "command line");
            let args = RunArgs { resume: Some(id), ..RunArgs::default() };
            decide(&place, &args, Some(answer), true).await
        }
    }
}

/// Settles the plan that waits; then goes on by it, or only records it.
async fn decide(place: &Place, args: &RunArgs, answer: Option<Answer>, record_only: bool) -> Result<ExitCode, Failure> {
    if !record_only {
        return crate::print::go(wire(place, args, Answers::Nobody)?, None, OutputFormat::Text).await;
    }
    let settled = crate::wiring::settle(place, args, answer).await?;
    out(&format!("{settled}\n"))?;
    Ok(ExitCode::SUCCESS)
}

impl SessionPlan {
    fn path(&self) -> PathBuf {
        self.state.plan().path.clone().unwrap_or_default()
    }

    fn status(&self) -> String {
        match &self.state.plan().submission {
            None => "draft".to_owned(),
            Some(plan) => match plan.decision {
                None => format!("revision {} waits for approval", plan.revision),
                Some(Decision::Approved) => format!("revision {} approved", plan.revision),
                Some(Decision::Rejected) => format!("revision {} sent back", plan.revision),
                Some(Decision::Withdrawn) => format!("revision {} withdrawn", plan.revision),
            },
        }
    }
}

/// The plans of this project's sessions, the last used first.
fn all(place: &Place) -> Vec<SessionPlan> {
    let all = sessions::sessions(&place.home, &place.root);
    all.iter().filter(|session| session.plan.is_some()).filter_map(|session| open(&session.path).ok()).collect()
}

fn open(path: &Path) -> Result<SessionPlan, Failure> {
    let (entries, _) = log::read(path)?;
    let state = State::fold(entries.iter().map(|entry| &entry.fact));
    let id = state.session().map(|started| started.session_id.to_string()).unwrap_or_default();
    Ok(SessionPlan { id, entries, state })
}

const HINT: &str = "`planwright plan list` shows the plans of this project.";

/// The plan of a session id or slug, or the last one.
fn find(place: &Place, which: Option<&str>) -> Result<SessionPlan, Failure> {
    let Some(which) = which else {
        return all(place).into_iter().next().ok_or_else(|| Failure::run("there is no plan in this project yet", HINT));
    };
    let plan = match by_slug(place, which) {
        Some(plan) => plan,
        None => open(&crate::sessions::find(place, Some(which))?)?,
    };
    if plan.state.plan().path.is_none() {
        return Err(Failure::run(format!("session {} has no plan", plan.id), HINT));
    }
    Ok(plan)
}

fn by_slug(place: &Place, slug: &str) -> Option<SessionPlan> {
    all(place).into_iter().find(|plan| plan.state.plan().slug.as_deref() == Some(slug))
}

/// The session whose plan an answer is for: the one named, by id or slug, or the only one that can be
/// meant.
fn waiting(place: &Place, which: Option<&str>, name: &str) -> Result<String, Failure> {
    let Some(which) = which else { return crate::waiting::only(place, name) };
    let plan = find(place, Some(which))?;
    if plan.state.plan().pending().is_none() {
        return Err(Failure::run(format!("no plan waits for approval in session {}", plan.id), HINT));
    }
    Ok(plan.id)
}

/// Whether the first word of what should change names a plan: it is a slug, or the id of a session, or
/// so much of one that no word is meant.
fn names_one(place: &Place, word: &str) -> bool {
    let is_id = word.parse::<uuid::Uuid>().is_ok();
    let is_part = word.len() >= 8 && word.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    is_id || (is_part && crate::sessions::find(place, Some(word)).is_ok()) || by_slug(place, word).is_some()
}

fn list(place: &Place) -> Result<ExitCode, Failure> {
    let plans = all(place);
    if plans.is_empty() {
        err("There are no plans in this project.\n");
    }
    for plan in plans {
        let slug = plan.state.plan().slug.clone().unwrap_or_default();
        out(&format!("{slug:<32}{:<32}{}\n", plan.status(), plan.id))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(place: &Place, which: Option<&str>) -> Result<ExitCode, Failure> {
    let plan = find(place, which)?;
    let settings = place.settings(&RunArgs::default());
    let (plans, _) = place.plans(&settings.settings, &settings.origins);
    let (text, from) = match plans.read(&plan.path()) {
        PlanRead::Text { text, .. } => (text, "on disk"),
        PlanRead::None | PlanRead::Unreadable(_) => {
            let kept = planwright_core::plan::recover(plan.entries.iter().map(|entry| &entry.fact));
            (
                kept.ok_or_else(|| Failure::run(format!("nothing was written to {} yet", plan.path().display()), ""))?
                    .0,
                "from the session log",
            )
        }
    };
    err(&format!("{} ({}, {from})\n", plan.path().display(), plan.status()));
    out(&format!("{}\n", inert(&text).trim_end()))?;
    Ok(ExitCode::SUCCESS)
}

fn differences(place: &Place, session: Option<&str>, from: Option<u32>, to: Option<u32>) -> Result<ExitCode, Failure> {
    let plan = find(place, session)?;
    let submissions: Vec<_> = plan
        .entries
        .iter()
        .filter_map(|entry| match &entry.fact {
            Fact::PlanSubmitted { revision, text, .. } => Some((*revision, text.as_str())),
            _ => None,
        })
        .collect();
    let last = submissions
        .last()
        .map(|(revision, _)| *revision)
        .ok_or_else(|| Failure::run("no plan was submitted yet", ""))?;
    let to = to.unwrap_or(last);
    let from = from.unwrap_or_else(|| to.saturating_sub(1));
    let text = |revision: u32| match submissions.iter().find(|(other, _)| *other == revision) {
        Some((_, text)) => Ok(*text),
        None if revision == 0 => Ok(""),
        None => Err(Failure::usage(format!("there is no revision {revision}"), format!("There are 1 to {last}."))),
    };
    match diff(text(from)?, text(to)?) {
        Some(diff) => out(&inert(&format!("--- revision {from}\n+++ revision {to}\n{diff}")))?,
        None => err(&format!("Revisions {from} and {to} are the same.\n")),
    }
    Ok(ExitCode::SUCCESS)
}
