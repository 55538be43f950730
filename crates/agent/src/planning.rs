//! `EnterPlanMode`, `ExitPlanMode` and the plan dialogue: the wiring; the decisions are
//! `core::plan`'s.

use std::path::Path;
use std::sync::Arc;

use planwright_core::dialogue::{Answer, Notice, PlanChoice, PlanQuestion, Question};
use planwright_core::experiment::Proposal;
use planwright_core::mode::{self, Cause, Mode};
use planwright_core::plan::{self, Approval, Chosen, Circumstances, OnDisk, Reply, Settled, Submission};
use planwright_core::state::OpenCall;
use planwright_core::transcript::{Fact, Seen};
use planwright_core::{prompts, say};
use planwright_model::Model;
use planwright_store::StoreError;

use crate::batch::Finished;
use crate::thread::{Heard, Thread};
use crate::turn::Stopped;

impl Thread {
    /// `EnterPlanMode` on the main thread (plan-mode.md section 9.1).
    pub(crate) async fn enter_plan_mode(&mut self) -> Result<Finished, Stopped> {
        if self.state.permissions().planning() {
            return Ok(Finished::ok(prompts::already_planning()));
        }
        if self.setup.settings.plan.confirm_enter {
            match self.put(Question::EnterPlan).await {
                Heard::Answer(Answer::EnterPlan(true)) => {}
                // The user entered it themselves meanwhile.
                Heard::Answer(_) if self.state.permissions().planning() => {
                    return Ok(Finished::ok(prompts::already_planning()));
                }
                Heard::Answer(Answer::Declined(words)) => {
                    return Ok(Finished::error(prompts::enter_refused_by_user(Some(&words))));
                }
                Heard::Answer(_) | Heard::Nobody => {
                    return Ok(Finished::error(prompts::enter_refused_by_user(None)));
                }
                Heard::Interrupted => return Ok(Finished::error(prompts::interrupted())),
            }
        }
        let change = mode::change(self.state.permissions(), Mode::Plan, Cause::Model, &self.setup.auto, &self.rules);
        let facts = change.into_iter().map(Fact::PermissionMode).collect();
        Ok(Finished { facts, ..Finished::ok(prompts::entered_plan_mode(self.setup.text.workflow)) })
    }

    /// `ExitPlanMode` on the main thread: submit, then settle. `None`: nobody here can answer; the
    /// plan waits.
    pub(crate) async fn exit_plan_mode(&mut self, open: &OpenCall) -> Result<Option<Finished>, Stopped> {
        let path = self.plan_file()?;
        self.snapshot_plan()?;
        let on_disk = self.plan_on_disk(&path);
        let (last, revision) = (self.state.plan().submission.clone(), self.state.plan().revision());
        let fact =
            match plan::submit(self.state.permissions(), revision, &open.id, &self.circumstances(&path, &on_disk)) {
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
            let proposal = self.proposal().await;
            let question = self.question(&submission, last, &shown, &proposal, note.take());
            let digest = question.sha256.clone();
            let chosen = match self.put(Question::Plan(question)).await {
                Heard::Answer(answer) => plan::chosen(answer, &digest, self.closing),
                // Whoever went away decided nothing: the plan waits.
                Heard::Nobody => return Ok(None),
                Heard::Interrupted => Chosen::Settle(Reply::Withdraw, "user".to_owned()),
            };
            // What was asked about it meanwhile belongs to it.
            let submission = self.state.plan().pending().cloned().unwrap_or(submission);
            match self.settle(&submission, chosen, &proposal).await? {
                Ok(finished) => return Ok(Some(finished)),
                Err(why) => note = Some(why),
            }
        }
    }

    /// Settles a submission by an answer, or says why it must be shown again.
    async fn settle(
        &mut self,
        submission: &Submission,
        chosen: Chosen,
        proposal: &Proposal,
    ) -> Result<Result<Finished, String>, Stopped> {
        let (reply, by) = match chosen {
            Chosen::Edit => {
                let (Ok(said) | Err(said)) = self.edit_plan(&submission.path).await;
                return Ok(Err(said));
            }
            Chosen::ApproveEdited { approving, text, by } => {
                if let Err(error) = self.setup.plans.write(&submission.path, &text) {
                    return Ok(Err(say::edited_plan_not_saved(&error.to_string())));
                }
                self.snapshot_plan()?;
                let shown = match self.plan_on_disk(&submission.path) {
                    OnDisk::Text(text) => plan::digest(&text),
                    OnDisk::Missing | OnDisk::Unreadable(_) => plan::digest(""),
                };
                (Reply::Approve { approving, shown }, by)
            }
            Chosen::Settle(reply, by) => (reply, by),
        };
        let on_disk = self.plan_on_disk(&submission.path);
        let feedback_given = matches!(reply, Reply::Keep { .. });
        let applies = matches!(&reply, Reply::Approve { approving, .. } if matches!(approving.approval, Approval::Apply(_)))
            && !appliable(proposal);
        let model = match self.model_for_work(&reply) {
            Ok(model) => model,
            Err(why) => return Ok(Err(why)),
        };
        let settled = plan::settle(
            self.state.permissions(),
            submission,
            reply,
            &by,
            &Circumstances { experiment: appliable(proposal), ..self.circumstances(&submission.path, &on_disk) },
        );
        match settled {
            Settled::ShowAgain => Ok(Err(say::PLAN_CHANGED.to_owned())),
            Settled::NotOffered => {
                if applies {
                    return Ok(Err(say::EXPERIMENT_NOT_OFFERED.to_owned()));
                }
                let choices = plan::choices(self.state.permissions(), &self.setup.auto, false);
                let modes = choices.into_iter().filter_map(|choice| match choice {
                    PlanChoice::Approve(mode) => Some(mode),
                    PlanChoice::ApproveApply(_) | PlanChoice::Edit | PlanChoice::KeepPlanning => None,
                });
                Ok(Err(say::mode_not_offered(&modes.collect::<Vec<_>>())))
            }
            Settled::Done { mut facts, mut result, is_error, apply } => {
                self.snapshot_plan()?;
                if let Some(model) = model.filter(|_| !is_error) {
                    self.models.main = model;
                }
                let mut seen = Vec::new();
                if let OnDisk::Text(text) = &on_disk {
                    // After an edit by the user the model must know the text it goes on with.
                    if feedback_given && plan::digest(text) != submission.sha256 {
                        result += &prompts::plan_changed_by_user(text);
                    }
                    seen = self.plan_seen(&submission.path)?;
                }
                if apply {
                    // The gate is open by what the log says, and by nothing else.
                    self.record(std::mem::take(&mut facts))?;
                    let (told, known) = self.apply_experiment(proposal).await?;
                    result += &told;
                    seen.extend(known);
                }
                Ok(Ok(Finished { content: result, is_error, seen, facts, ..Finished::default() }))
            }
        }
    }

    /// The model that an approval wants the work done with. One that cannot be had is found out before
    /// anything is approved.
    fn model_for_work(&self, reply: &Reply) -> Result<Option<Arc<dyn Model>>, String> {
        let Reply::Approve { approving, .. } = reply else { return Ok(None) };
        let Some(spec) = &approving.handoff.model else { return Ok(None) };
        (self.setup.make_model)(spec).map(Some).map_err(|why| say::model_unusable(spec, &why))
    }

    /// The plan file as the model now knows it, for read-before-edit.
    fn plan_seen(&self, path: &Path) -> Result<Vec<Seen>, StoreError> {
        Ok(planwright_tools::seen(path).into_iter().collect())
    }

    fn question(
        &self,
        submission: &Submission,
        last: Option<&Submission>,
        shown: &OnDisk,
        proposal: &Proposal,
        note: Option<String>,
    ) -> PlanQuestion {
        let plan = match shown {
            OnDisk::Text(text) => text.clone(),
            OnDisk::Missing | OnDisk::Unreadable(_) => String::new(),
        };
        PlanQuestion {
            tool_use_id: submission.tool_use_id.clone(),
            path: submission.path.clone(),
            revision: submission.revision,
            sha256: plan::digest(&plan),
            diff: last.and_then(|last| plan::diff(&last.text, &plan)),
            choices: plan::choices(self.state.permissions(), &self.setup.auto, appliable(proposal)),
            citations: plan::citations(&plan, self.state.evidence()),
            plan,
            note,
            experiment: proposal.shown(),
        }
    }

    /// Lets the user edit the plan, and says how that went.
    ///
    /// # Errors
    /// The editor could not be opened; the words are for the user.
    pub(crate) async fn edit_plan(&mut self, path: &Path) -> Result<String, String> {
        let before = self.plan_on_disk(path);
        // An editor would follow a link to a file that is no plan.
        if let OnDisk::Unreadable(why) = &before {
            return Err(say::editor_failed(why));
        }
        match self.put(Question::Editor(path.to_owned())).await {
            Heard::Answer(Answer::Edited(Ok(()))) => {}
            Heard::Answer(Answer::Edited(Err(why))) => {
                self.restore_if_lost(path, &before);
                return Err(say::editor_failed(&why));
            }
            Heard::Answer(_) | Heard::Nobody | Heard::Interrupted => {
                return Err(say::editor_failed(say::NO_EDITOR_ANSWERED));
            }
        }
        if self.restore_if_lost(path, &before) {
            return Ok(say::PLAN_RESTORED.to_owned());
        }
        let unchanged = self.plan_on_disk(path) == before;
        Ok(if unchanged { say::PLAN_UNCHANGED } else { say::PLAN_EDITED }.to_owned())
    }

    /// An editor that failed or deleted the file must not lose the plan.
    fn restore_if_lost(&mut self, path: &Path, before: &OnDisk) -> bool {
        let (OnDisk::Text(text), OnDisk::Missing) = (before, self.plan_on_disk(path)) else { return false };
        if let Err(error) = self.setup.plans.write(path, text) {
            self.say(Notice::Error { cause: say::plan_not_restored(&error.message()), hint: error.hint });
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
            experiment: false,
        }
    }

    /// Settles the plan that waits by an answer given from outside, without a dialogue
    /// (`--approve-plan`, `plan approve`, `plan reject`). The text that is approved is the one
    /// submitted, unless the answer brings an edited one.
    pub(crate) async fn settle_from_outside(&mut self, answer: Answer) -> Result<Result<Finished, String>, Stopped> {
        let Some(submission) = self.state.plan().pending().cloned() else {
            return Ok(Err(say::NO_PLAN_WAITS.to_owned()));
        };
        let chosen = plan::chosen(answer, &submission.sha256, false);
        // The copy was another process's, or is of another moment: nothing was shown of it.
        let settled = self.settle(&submission, chosen, &Proposal::default()).await?;
        Ok(settled.map_err(|why| if why == say::PLAN_CHANGED { say::PLAN_CHANGED_SINCE.to_owned() } else { why }))
    }
}

/// Whether an experiment can be applied as it was shown.
fn appliable(proposal: &Proposal) -> bool {
    proposal.shown().is_some_and(|shown| shown.trouble.is_none())
}
