//! `EnterPlanMode`, `ExitPlanMode` and the plan dialogue: the wiring; the decisions are
//! `core::plan`'s.

use std::path::Path;

use planwright_core::dialogue::{Answer, Notice, PlanChoice, PlanQuestion, Question};
use planwright_core::mode::{Cause, Mode};
use planwright_core::plan::{self, Circumstances, OnDisk, Reply, Settled, Submission};
use planwright_core::prompts;
use planwright_core::state::OpenCall;
use planwright_core::transcript::Seen;
use planwright_store::StoreError;

use crate::batch::Finished;
use crate::thread::{Heard, Thread};
use crate::turn::Stopped;

/// An answer to the plan dialogue, boiled down.
enum Chosen {
    Settle(Reply, String),
    /// The user edited the plan in the surface: write it, then approve it.
    ApproveEdited { mode: Option<Mode>, text: String, by: String },
    Edit,
}

impl Thread {
    /// `EnterPlanMode` on the main thread (plan-mode.md section 9.1).
    pub(crate) async fn enter_plan_mode(&mut self) -> Result<Finished, Stopped> {
        if self.state.permissions().planning() {
            return Ok(Finished::ok(prompts::already_planning()));
        }
        if self.setup.settings.plan.confirm_enter {
            match self.put(Question::EnterPlan).await {
                Heard::Answer(Answer::EnterPlan(true)) => {}
                Heard::Answer(_) => return Ok(Finished::error(prompts::enter_refused_by_user(None))),
                Heard::Interrupted => return Ok(Finished::error(prompts::interrupted())),
            }
        }
        self.go_to(Mode::Plan, Cause::Model);
        Ok(Finished::ok(prompts::entered_plan_mode(self.setup.text.workflow)))
    }

    /// `ExitPlanMode` on the main thread: submit, then settle. `None`: nobody here can answer; the
    /// plan waits.
    pub(crate) async fn exit_plan_mode(&mut self, open: &OpenCall) -> Result<Option<Finished>, Stopped> {
        let path = self.plan_file()?;
        self.snapshot_plan()?;
        let on_disk = self.plan_on_disk(&path);
        let (last, revision) = (self.state.plan().submission.clone(), self.state.plan().revision());
        let fact = match plan::submit(self.state.permissions(), revision, &open.id, &self.circumstances(&path, &on_disk)) {
            Ok(fact) => fact,
            Err(message) => return Ok(Some(Finished::error(message))),
        };
        self.record(vec![fact])?;
        self.settle_pending(last.as_ref()).await
    }

    /// The dialogue about the submission that waits, until it is settled.
    pub(crate) async fn settle_pending(&mut self, last: Option<&Submission>) -> Result<Option<Finished>, Stopped> {
        let mut note = None;
        loop {
            let Some(submission) = self.state.plan().pending().cloned() else {
                return Ok(Some(Finished::error(prompts::result_lost())));
            };
            if !self.can_ask() {
                return Ok(None);
            }
            let shown = self.plan_on_disk(&submission.path);
            let question = self.question(&submission, last, &shown, note.take());
            let digest = question.sha256.clone();
            let chosen = match self.put(Question::Plan(question)).await {
                Heard::Answer(answer) => chosen(answer, &digest, self.closing),
                Heard::Interrupted => Chosen::Settle(Reply::Withdraw, "user".to_owned()),
            };
            match self.settle(&submission, chosen).await? {
                Ok(finished) => return Ok(Some(finished)),
                Err(why) => note = Some(why),
            }
        }
    }

    /// Settles a submission by an answer, or says why it must be shown again.
    async fn settle(&mut self, submission: &Submission, chosen: Chosen) -> Result<Result<Finished, String>, Stopped> {
        let (reply, by) = match chosen {
            Chosen::Edit => return Ok(Err(self.edit_plan(&submission.path).await)),
            Chosen::ApproveEdited { mode, text, by } => {
                if let Err(error) = self.setup.plans.write(&submission.path, &text) {
                    return Ok(Err(format!("The edited plan could not be saved: {error}")));
                }
                self.snapshot_plan()?;
                let shown = match self.plan_on_disk(&submission.path) {
                    OnDisk::Text(text) => plan::digest(&text),
                    OnDisk::Missing | OnDisk::Unreadable(_) => plan::digest(""),
                };
                (Reply::Approve { mode, shown }, by)
            }
            Chosen::Settle(reply, by) => (reply, by),
        };
        let on_disk = self.plan_on_disk(&submission.path);
        let feedback_given = matches!(reply, Reply::Keep { .. });
        let settled = plan::settle(
            self.state.permissions(),
            submission,
            reply,
            &by,
            &self.circumstances(&submission.path, &on_disk),
        );
        match settled {
            Settled::ShowAgain => Ok(Err("The plan on disk is not the one that was shown; this is what it says now.".to_owned())),
            Settled::NotOffered => Ok(Err("That mode is not on offer here.".to_owned())),
            Settled::Done { facts, mut result, is_error } => {
                self.snapshot_plan()?;
                self.record(facts)?;
                let mut seen = Vec::new();
                if let OnDisk::Text(text) = &on_disk {
                    // After an edit by the user the model must know the text it goes on with.
                    if feedback_given && plan::digest(text) != submission.sha256 {
                        result += &prompts::plan_changed_by_user(text);
                    }
                    seen = self.plan_seen(&submission.path)?;
                }
                Ok(Ok(Finished { content: result, is_error, seen, diff: None }))
            }
        }
    }

    /// The plan file as the model now knows it, for read-before-edit.
    fn plan_seen(&self, path: &Path) -> Result<Vec<Seen>, StoreError> {
        Ok(planwright_tools::seen(path).into_iter().collect())
    }

    fn question(&self, submission: &Submission, last: Option<&Submission>, shown: &OnDisk, note: Option<String>) -> PlanQuestion {
        let plan = match shown {
            OnDisk::Text(text) => text.clone(),
            OnDisk::Missing | OnDisk::Unreadable(_) => String::new(),
        };
        PlanQuestion {
            path: submission.path.clone(),
            revision: submission.revision,
            sha256: plan::digest(&plan),
            diff: last.and_then(|last| plan::diff(&last.text, &plan)),
            choices: plan::choices(self.state.permissions(), &self.setup.auto),
            plan,
            note,
        }
    }

    /// Lets the user edit the plan, and says how that went.
    pub(crate) async fn edit_plan(&mut self, path: &Path) -> String {
        let before = self.plan_on_disk(path);
        let failed = |why: &str| format!("Failed to open plan in editor: {why}");
        match self.put(Question::Editor(path.to_owned())).await {
            Heard::Answer(Answer::Edited(Ok(()))) => {}
            Heard::Answer(Answer::Edited(Err(why))) => {
                self.restore_if_lost(path, &before);
                return failed(&why);
            }
            Heard::Answer(_) | Heard::Interrupted => return failed("no editor answered"),
        }
        if self.restore_if_lost(path, &before) {
            return "The editor left no plan; the one from before is back.".to_owned();
        }
        if self.plan_on_disk(path) == before { "The plan is unchanged.".to_owned() } else { "The plan was edited.".to_owned() }
    }

    /// An editor that failed or deleted the file must not lose the plan.
    fn restore_if_lost(&self, path: &Path, before: &OnDisk) -> bool {
        let (OnDisk::Text(text), OnDisk::Missing) = (before, self.plan_on_disk(path)) else { return false };
        if let Err(error) = self.setup.plans.write(path, text) {
            self.say(Notice::Error { cause: format!("The plan could not be put back: {error}"), hint: error.hint });
        }
        true
    }

    pub(crate) fn circumstances<'a>(&'a self, path: &'a Path, plan: &'a OnDisk) -> Circumstances<'a> {
        Circumstances {
            path,
            plan,
            required: self.setup.settings.plan.required,
            length: self.setup.settings.plan.length,
            team: false,
            auto: &self.setup.auto,
            rules: &self.rules,
        }
    }

    /// Settles the plan that waits by an answer given from outside, without a dialogue
    /// (`--approve-plan`, `plan approve`, `plan reject`). The text that is approved is the one
    /// submitted, unless the answer brings an edited one.
    pub(crate) async fn settle_from_outside(&mut self, answer: Answer) -> Result<Result<Finished, String>, Stopped> {
        let Some(submission) = self.state.plan().pending().cloned() else {
            return Ok(Err("No plan waits for approval in this session.".to_owned()));
        };
        let chosen = chosen(answer, &submission.sha256, false);
        self.settle(&submission, chosen).await
    }
}

/// What an answer chooses. One that does not fit keeps planning.
fn chosen(answer: Answer, shown: &str, closing: bool) -> Chosen {
    let keep = |feedback: String, by: &str| Chosen::Settle(Reply::Keep { feedback }, by.to_owned());
    match answer {
        Answer::Plan { choice: Some(PlanChoice::KeepPlanning), feedback, by, .. } => keep(feedback, &by),
        Answer::Plan { choice: Some(PlanChoice::Edit), .. } => Chosen::Edit,
        Answer::Plan { choice, edited: Some(text), by, .. } => Chosen::ApproveEdited { mode: mode_of(choice), text, by },
        Answer::Plan { choice, edited: None, by, .. } => {
            Chosen::Settle(Reply::Approve { mode: mode_of(choice), shown: shown.to_owned() }, by)
        }
        Answer::Permission { .. } | Answer::EnterPlan(_) | Answer::User(_) | Answer::Edited(_) | Answer::Dismissed => {
            keep(String::new(), if closing { "end of input" } else { "user" })
        }
    }
}

const fn mode_of(choice: Option<PlanChoice>) -> Option<Mode> {
    match choice {
        Some(PlanChoice::Approve(mode)) => Some(mode),
        Some(PlanChoice::Edit | PlanChoice::KeepPlanning) | None => None,
    }
}
