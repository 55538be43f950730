//! The tool calls of one answer: judged one by one, run side by side where that is safe, their
//! results written down in the order of the calls.

use planwright_core::call::{self, Call};
use planwright_core::dialogue::{Answer, Notice, Question};
use planwright_core::permit::Refusal;
use planwright_core::prompts;
use planwright_core::state::OpenCall;
use planwright_core::transcript::{Fact, Seen};
use planwright_store::StoreError;
use planwright_tools::{Outcome, ScratchRun};
use tokio::task::JoinSet;

use crate::thread::{Heard, Thread};
use crate::turn::Stopped;

/// How the calls of an answer ended.
pub(crate) enum BatchEnd {
    /// Every call has its result.
    GoOn,
    /// The user stopped the turn; every call has its result.
    Interrupted,
    /// A submitted plan waits, and nobody here can answer; its call has no result yet.
    PlanPending,
}

/// What a call came to.
#[derive(Debug, Default)]
pub(crate) struct Finished {
    pub(crate) content: String,
    pub(crate) is_error: bool,
    pub(crate) seen: Vec<Seen>,
    pub(crate) diff: Option<String>,
    /// What happened by the call, to be written down with its result in one stroke: after a crash
    /// either both are known or neither.
    pub(crate) facts: Vec<Fact>,
    /// Calls of a subagent that were refused.
    pub(crate) refused: Vec<Refusal>,
    /// What a command in a scratch copy showed.
    pub(crate) scratch: Option<ScratchRun>,
}

impl Finished {
    pub(crate) fn ok(content: impl Into<String>) -> Self {
        Self { content: content.into(), ..Self::default() }
    }

    pub(crate) fn error(content: impl Into<String>) -> Self {
        Self { content: content.into(), is_error: true, ..Self::default() }
    }

    /// With words before the result, where the call that ran is another than the model wrote: it does
    /// not know then what a file it wrote holds.
    fn told(self, changed: Option<String>) -> Self {
        match changed {
            None => self,
            Some(words) => Self { content: format!("{words}\n\n{}", self.content), seen: Vec::new(), ..self },
        }
    }
}

impl From<Outcome> for Finished {
    fn from(outcome: Outcome) -> Self {
        let Outcome { content, is_error, seen, diff, scratch, drafts } = outcome;
        let facts = if drafts.is_empty() { Vec::new() } else { vec![Fact::Experiment { files: drafts }] };
        Self { content, is_error, seen, diff, scratch, facts, ..Self::default() }
    }
}

/// What happens with a call after it was judged.
enum Begun {
    /// It is done.
    Finished(Finished),
    /// It is running beside others.
    Running,
    /// A plan waits.
    PlanPending,
}

impl Thread {
    /// Runs the open calls of the last answer. `cut`: the answer was cut at the output limit, so
    /// that nothing of it may run.
    pub(crate) async fn batch(&mut self, cut: bool) -> Result<BatchEnd, Stopped> {
        let calls = self.state.open_calls().to_vec();
        let boundary = call::boundary(calls.iter().map(|call| call.name.as_str()));
        let mut at = 0;
        while at < calls.len() {
            let side_by_side = if cut || boundary.is_some() { 1 } else { self.side_by_side(&calls[at..]) };
            let group = &calls[at..at + side_by_side];
            let refused = match boundary {
                _ if self.interrupted => Some(prompts::interrupted()),
                _ if cut => Some(prompts::truncated_call()),
                Some(boundary) if boundary != at => Some(prompts::batch_refused(&calls[boundary].name)),
                Some(_) | None => None,
            };
            match refused {
                Some(message) => {
                    self.called(&group[0]);
                    self.finished(&group[0], Finished::error(message))?;
                }
                None => {
                    if let BatchEnd::PlanPending = self.group(group).await? {
                        return Ok(BatchEnd::PlanPending);
                    }
                }
            }
            at += side_by_side;
        }
        // What was said with the last answer (stop, besides no) comes before the next request.
        while let Ok(input) = self.inputs.try_recv() {
            self.meanwhile(input);
        }
        Ok(if self.interrupted { BatchEnd::Interrupted } else { BatchEnd::GoOn })
    }

    /// How many of the calls at the front may run side by side (at least one).
    fn side_by_side(&self, calls: &[OpenCall]) -> usize {
        let safe = |open: &OpenCall| call::parse(&open.name, &open.input).is_ok_and(|call| call.concurrency_safe());
        calls.iter().take_while(|call| safe(call)).count().max(1)
    }

    /// Judges and runs calls that may run side by side; their results are written in order.
    async fn group(&mut self, calls: &[OpenCall]) -> Result<BatchEnd, Stopped> {
        let mut running = JoinSet::new();
        let mut results: Vec<Option<Finished>> = Vec::new();
        for (index, open) in calls.iter().enumerate() {
            self.called(open);
            let begun = if self.interrupted {
                Begun::Finished(Finished::error(prompts::interrupted()))
            } else {
                self.begin(index, open, &mut running).await?
            };
            match begun {
                Begun::Finished(finished) => results.push(Some(finished)),
                Begun::Running => results.push(None),
                Begun::PlanPending => return Ok(BatchEnd::PlanPending),
            }
        }
        let mut written = 0;
        loop {
            while let Some(finished) = results.get_mut(written).and_then(Option::take) {
                self.finished(&calls[written], finished)?;
                written += 1;
            }
            if written == calls.len() {
                return Ok(BatchEnd::GoOn);
            }
            self.one_more(calls, &mut running, &mut results).await;
        }
    }

    /// Waits until one more running call is done, dealing with what is said meanwhile.
    async fn one_more(
        &mut self,
        calls: &[OpenCall],
        running: &mut JoinSet<(usize, Finished)>,
        results: &mut [Option<Finished>],
    ) {
        let mut listening = !self.closing;
        loop {
            tokio::select! {
                done = running.join_next() => {
                    match done {
                        Some(Ok((index, finished))) => results[index] = Some(finished),
                        // Stopped by an interrupt, or it panicked: every call that has no result gets one.
                        Some(Err(_)) | None => self.give_up(calls, running, results),
                    }
                    return;
                }
                input = self.inputs.recv(), if listening => {
                    match input {
                        Some(input) => self.meanwhile(input),
                        None => listening = false,
                    }
                    // Subagents stop by themselves and say how far they got; commands and searches are stopped
                    // here; a file that is being written is written whole.
                    if self.interrupted {
                        self.cancel.cancel();
                    }
                }
            }
        }
    }

    fn give_up(&self, calls: &[OpenCall], running: &mut JoinSet<(usize, Finished)>, results: &mut [Option<Finished>]) {
        if !running.is_empty() {
            return;
        }
        for (open, result) in calls.iter().zip(results) {
            if self.state.open_calls().iter().any(|call| call.id == open.id) && result.is_none() {
                *result = Some(Finished::error(prompts::interrupted()));
            }
        }
    }

    /// Judges one call, and begins it if it may run.
    async fn begin(
        &mut self,
        index: usize,
        open: &OpenCall,
        running: &mut JoinSet<(usize, Finished)>,
    ) -> Result<Begun, Stopped> {
        let call = match call::parse(&open.name, &open.input) {
            Ok(call) => call,
            Err(message) => return Ok(Begun::Finished(Finished::error(message))),
        };
        let permit = match self.permit(open, call.clone()).await? {
            Ok(permit) => permit,
            Err(refusal) => return Ok(Begun::Finished(Finished::error(refusal.message))),
        };
        // The model knows the call as it wrote it, and must hear that another ran.
        let changed =
            (*permit.call() != call).then(|| prompts::call_changed(&open.name, permit.call().main_argument()));
        match permit.call().clone() {
            Call::EnterPlanMode => Ok(Begun::Finished(self.enter_plan_mode().await?)),
            Call::ExitPlanMode => {
                let finished = self.exit_plan_mode(open).await?;
                Ok(finished.map_or(Begun::PlanPending, Begun::Finished))
            }
            Call::AskUserQuestion(ask) => Ok(Begun::Finished(self.ask_user(ask).await)),
            Call::TodoWrite(write) => {
                let (done, all) = (
                    write.todos.iter().filter(|todo| todo.status == call::TodoStatus::Completed).count(),
                    write.todos.len(),
                );
                self.record(vec![Fact::Todos { todos: write.todos }])?;
                Ok(Begun::Finished(Finished::ok(prompts::todos_updated(done, all))))
            }
            Call::Agent(agent) => match self.start_child(open, agent)? {
                Ok(child) => {
                    running.spawn(async move { (index, child.await) });
                    Ok(Begun::Running)
                }
                Err(message) => Ok(Begun::Finished(Finished::error(message))),
            },
            Call::Read(_)
            | Call::Write(_)
            | Call::Edit(_)
            | Call::NotebookEdit(_)
            | Call::Glob(_)
            | Call::Grep(_)
            | Call::Bash(_)
            | Call::WebFetch(_)
            | Call::Mcp(_) => {
                let done = self.setup.tools.run(permit, &self.view(), &self.cancel);
                running.spawn(async move { (index, Finished::from(done.await).told(changed)) });
                Ok(Begun::Running)
            }
        }
    }

    async fn ask_user(&mut self, ask: call::AskUserQuestion) -> Finished {
        if !self.can_ask() {
            return Finished::error(prompts::questions_nobody());
        }
        let questions: Vec<_> = ask.questions.iter().map(|question| question.question.clone()).collect();
        match self.put(Question::User(ask.questions)).await {
            Heard::Answer(Answer::User(answers)) => {
                let texts: Vec<_> = answers.into_iter().map(|answer| answer.map(|answer| answer.as_text())).collect();
                if texts.iter().flatten().all(String::is_empty) {
                    return Finished::error(prompts::questions_declined(""));
                }
                let answered: Vec<(String, String)> = questions
                    .into_iter()
                    .zip(texts.into_iter().map(|text| text.unwrap_or_else(prompts::question_skipped)))
                    .collect();
                Finished::ok(prompts::questions_answered(&answered))
            }
            Heard::Answer(Answer::Declined(words)) => Finished::error(prompts::questions_declined(&words)),
            Heard::Answer(_) => Finished::error(prompts::questions_declined("")),
            Heard::Nobody => Finished::error(prompts::questions_nobody()),
            Heard::Interrupted => Finished::error(prompts::interrupted()),
        }
    }

    /// Tells the surface that a call begins.
    fn called(&self, open: &OpenCall) {
        let argument = call::parse(&open.name, &open.input).map_or_else(
            |_| {
                open.input
                    .as_object()
                    .and_then(|input| input.values().find_map(|v| v.as_str()))
                    .unwrap_or_default()
                    .to_owned()
            },
            |call| call.main_argument().to_owned(),
        );
        self.say(Notice::ToolCalled {
            agent: self.agent_id(),
            id: open.id.clone(),
            tool: open.name.clone(),
            argument,
            input: open.input.clone(),
        });
    }

    /// Writes a result down, and tells the surface.
    pub(crate) fn finished(&mut self, open: &OpenCall, finished: Finished) -> Result<(), StoreError> {
        self.children.remove(&open.id);
        let Finished { mut content, is_error, seen, diff, mut facts, refused, scratch: run } = finished;
        let scratch = run.is_some() || facts.iter().any(|fact| matches!(fact, Fact::Experiment { .. }));
        if let Some(run) = run {
            let evidence = self.evidence(open, run);
            content += &prompts::evidence(evidence.id);
            facts.push(Fact::Evidence(evidence));
        }
        self.refused.extend(refused);
        let touched_plan = !is_error
            && matches!(open.name.as_str(), "Write" | "Edit")
            && seen.iter().any(|seen| Some(&seen.path) == self.state.plan().path.as_ref());
        facts.push(Fact::ToolResult {
            tool_use_id: open.id.clone(),
            tool: open.name.clone(),
            content: content.clone(),
            is_error,
            seen,
        });
        self.record(facts)?;
        self.say(Notice::ToolFinished {
            agent: self.agent_id(),
            id: open.id.clone(),
            tool: open.name.clone(),
            content,
            is_error,
            diff,
            scratch,
        });
        if touched_plan { self.snapshot_plan() } else { Ok(()) }
    }
}
