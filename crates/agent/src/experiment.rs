//! Experiments: what the model tried in the scratch copy is shown with the plan, applied with the
//! approval, and taken back with `/undo`. The values are `core::experiment`'s, the files `tools`'.

use std::path::Path;

use planwright_core::call::{Call, Write};
use planwright_core::dialogue::Notice;
use planwright_core::experiment::{self, Applied, Content, Proposal, named};
use planwright_core::permit::{Choice, Permit, Verdict, Walls};
use planwright_core::plan;
use planwright_core::settings::WorkflowText;
use planwright_core::transcript::{Fact, Seen};
use planwright_core::{prompts, say};
use planwright_store::StoreError;
use planwright_tools::NotDone;

use crate::session::Session;
use crate::thread::{Thread, Who};

impl Thread {
    /// Whether this thread may try changes in the scratch copy now, where there can be one.
    pub(crate) fn experimenting(&self) -> bool {
        let sub_agent = !matches!(self.who, Who::Main);
        experiment::open(self.state.permissions(), self.setup.settings.plan.experiments, sub_agent)
    }

    /// The workflow text of this session on this machine.
    pub(crate) async fn workflow_text(&mut self) -> Result<WorkflowText, StoreError> {
        let text = self.setup.text;
        let possible = self.experimenting() && self.walls().await? == Walls::Scratch;
        Ok(WorkflowText { experiments: text.experiments && possible, ..text })
    }

    /// What the experiment comes to now.
    pub(crate) async fn proposal(&self) -> Proposal {
        let found = self.setup.tools.proposal(self.state.experiment().drafts()).await;
        found.unwrap_or_else(|why| Proposal { trouble: Some(why), ..Proposal::default() })
    }

    /// Applies what was shown: all of it, or nothing. Yields what the model reads of it, and what it
    /// knows of the files from now on.
    pub(crate) async fn apply_experiment(&mut self, proposal: &Proposal) -> Result<(String, Vec<Seen>), StoreError> {
        let files = named(proposal.files.iter().map(|file| file.path.as_path()));
        let writes = proposal.files.iter().map(|file| write(&file.path, Some(&file.after)));
        let permits = self.permits(writes.collect()).await?;
        let ready = permits.and_then(|permits| {
            self.setup.tools.may_apply(permits.into_iter().zip(proposal.files.iter().cloned()).collect())
        });
        let ready = match ready {
            Ok(ready) => ready,
            Err(why) => return Ok((self.not_applied(&why)?, Vec::new())),
        };
        // First the way back, then the files.
        self.record(vec![Fact::ExperimentApplied(proposal.applied(ready.folders().to_vec()))])?;
        match self.setup.tools.apply(ready, &self.view()) {
            Ok(()) => {
                self.tell(say::experiment_applied(&files));
                let seen = |file: &experiment::Proposed| Seen { path: file.path.clone(), sha256: file.after.sha256() };
                Ok((prompts::experiment_applied(&files), proposal.files.iter().map(seen).collect()))
            }
            Err(NotDone::Nothing(why)) => {
                self.record(vec![Fact::ExperimentUndone {}])?;
                Ok((self.not_applied(&why)?, Vec::new()))
            }
            Err(NotDone::InPart(why)) => {
                self.tell(say::experiment_not_undone(&why, &files));
                Ok((prompts::experiment_not_undone(&why, &files), Vec::new()))
            }
        }
    }

    fn not_applied(&mut self, why: &str) -> Result<String, StoreError> {
        self.record(vec![Fact::ExperimentDropped { reason: why.to_owned() }])?;
        self.tell(say::experiment_not_applied(why));
        Ok(prompts::experiment_not_applied(why))
    }

    /// Permits for what the user has just asked for, having seen it: that answers whatever a mode, a
    /// rule or a hook would ask. What is refused stays refused; the inner error says what, in a clause.
    async fn permits(&mut self, calls: Vec<Call>) -> Result<Result<Vec<Permit>, String>, StoreError> {
        let mut permits = Vec::new();
        let mut refused = Vec::new();
        for call in calls {
            let answered = match self.judge(call, None).await? {
                Verdict::Run(permit) => Ok(permit),
                Verdict::Ask(ask) => ask.answer(Choice::Once, ""),
                Verdict::Refuse(refusal) => Err(refusal),
            };
            match answered {
                Ok(permit) => permits.push(permit),
                Err(refusal) => refused.push(refusal.message.trim_end_matches('.').to_owned()),
            }
        }
        Ok(if refused.is_empty() { Ok(permits) } else { Err(refused.join("; ")) })
    }

    /// A session is opened that may have ended while an experiment was applied: the user and the model
    /// are told, once.
    pub(crate) fn experiment_cut_off(&mut self) {
        let Some(applied) = self.state.experiment().cut_off() else { return };
        let files = named(applied.files.iter().map(|file| file.path.as_path()));
        self.record_or_warn(self.state.closing(&prompts::experiment_cut_off(&files)));
        self.tell(say::experiment_cut_off(&files));
    }

    /// A session is opened: the copy in which it experimented is gone with the process that kept it.
    pub(crate) fn experiment_lost(&mut self) {
        let experiment = self.state.experiment();
        let text = match (experiment.due(), experiment.drafts().is_empty()) {
            (true, _) => say::EXPERIMENT_LOST_APPROVED,
            (false, false) => say::EXPERIMENT_LOST,
            (false, true) => return,
        };
        self.record_or_warn(vec![Fact::ExperimentDropped { reason: "the session was opened again".to_owned() }]);
        self.tell(text.to_owned());
    }

    /// The run is over, and the copy goes with it: said where something was tried in it.
    pub(crate) fn experiment_ends(&self) {
        if !self.state.experiment().drafts().is_empty() {
            let choices = plan::choices(self.state.permissions(), &self.setup.auto, true);
            self.say(Notice::Warning { key: "experiment", text: say::experiment_ends(choices.len()) });
        }
    }

    fn tell(&self, text: String) {
        self.say(Notice::Said(text));
    }
}

impl Session {
    /// `/undo`: the files of the experiment that was applied last become what they were before.
    pub(crate) async fn undo(&mut self) {
        let state = &self.thread.state;
        let applied = match state.experiment().to_undo(state.permissions()) {
            Ok(applied) => applied.clone(),
            Err(why) => return self.say(why.to_owned()),
        };
        if let Err(error) = self.take_back(&applied).await {
            self.thread.say(Notice::Error { cause: error.message(), hint: error.hint });
        }
    }

    async fn take_back(&mut self, applied: &Applied) -> Result<(), StoreError> {
        let files = named(applied.files.iter().map(|file| file.path.as_path()));
        let writes = applied.files.iter().map(|file| write(&file.path, file.before.as_ref())).collect();
        let permits = match self.thread.permits(writes).await? {
            Ok(permits) => permits,
            Err(why) => {
                self.say(say::experiment_kept(&why));
                return Ok(());
            }
        };
        match self.thread.setup.tools.undo(permits, applied, &self.thread.view()) {
            Ok(()) => {
                self.thread.close_open_calls()?;
                let text = prompts::experiment_undone(&files);
                self.thread.record(vec![Fact::ExperimentUndone {}, Fact::Reminder { text }])?;
                self.say(say::experiment_undone(&files));
            }
            Err(NotDone::Nothing(why)) => self.say(say::experiment_kept(&why)),
            Err(NotDone::InPart(why)) => self.say(say::experiment_not_undone(&why, &files)),
        }
        Ok(())
    }
}

/// The call that stands for putting this content there. (To take away a file that was not there is
/// permitted as to write nothing into it.)
fn write(path: &Path, content: Option<&Content>) -> Call {
    Call::Write(Write {
        file_path: path.display().to_string(),
        content: content.map(|content| content.text.clone()).unwrap_or_default(),
    })
}
