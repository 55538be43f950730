//! The tool calls of one answer: judged one by one, run side by side where that is safe, their
//! results written down in the order of the calls.

use std::path::PathBuf;

use planwright_core::call::{self, Call};
use planwright_core::dialogue::{Answer, Notice, PermissionQuestion, Question};
use planwright_core::permit::{
    self, Answered, Ask, Choice, CommandContext, Permit, Refusal, Situation, Verdict, Walls,
};
use planwright_core::prompts;
use planwright_core::rules::Behavior;
use planwright_core::state::OpenCall;
use planwright_core::transcript::{Fact, Seen};
use planwright_store::StoreError;
use planwright_tools::{Outcome, ScratchRun, SessionView};
use tokio::task::JoinSet;

use crate::thread::{Heard, Refused, Thread, Who};
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
    pub(crate) refused: Vec<Refused>,
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
        let permit = match self.permit(open, call).await? {
            Ok(permit) => permit,
            Err(refusal) => return Ok(Begun::Finished(Finished::error(refusal.message))),
        };
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
                running.spawn(async move { (index, done.await.into()) });
                Ok(Begun::Running)
            }
        }
    }

    /// The verdict on a call, the user asked if need be, written down before anything runs.
    async fn permit(&mut self, open: &OpenCall, call: Call) -> Result<Result<Permit, Refusal>, Stopped> {
        self.follow_parent()?;
        let verdict = match self.judge(call.clone()).await? {
            Verdict::Run(permit) => self.offered(open).map(|()| permit),
            Verdict::Refuse(refusal) => Err(refusal),
            Verdict::Ask(ask) => self.ask_permission(open, call, *ask).await?,
        };
        let (verdict_name, reason, by) = match &verdict {
            Ok(permit) => ("allow", permit.reason().to_owned(), permit.by().to_owned()),
            Err(refusal) => ("deny", refusal.message.clone(), refusal.by.clone()),
        };
        self.record(vec![Fact::PermissionDecision {
            tool: open.name.clone(),
            tool_use_id: open.id.clone(),
            verdict: verdict_name.to_owned(),
            reason,
            by,
        }])?;
        if let Err(refusal) = &verdict {
            self.refused.push(Refused {
                tool: open.name.clone(),
                tool_use_id: open.id.clone(),
                input: open.input.clone(),
                refusal: refusal.clone(),
            });
        }
        Ok(verdict)
    }

    /// A tool that this thread was not offered does not run, whatever the verdict.
    fn offered(&self, open: &OpenCall) -> Result<(), Refusal> {
        if self.specs.iter().any(|spec| spec.name == open.name) {
            return Ok(());
        }
        let names: Vec<_> = self.specs.iter().map(|spec| spec.name.as_str()).collect();
        Err(Refusal { message: prompts::not_offered(&open.name, &names), by: "gate".to_owned() })
    }

    /// What the tools must know of the session.
    pub(crate) fn view(&self) -> SessionView {
        SessionView {
            seen: std::sync::Arc::clone(self.state.seen()),
            experiment: self.experimenting().then(|| std::sync::Arc::clone(self.state.experiment().drafts())),
            plan_file: self.state.plan().path.clone(),
        }
    }

    pub(crate) async fn judge(&mut self, call: Call) -> Result<Verdict, StoreError> {
        let planning = self.state.permissions().planning();
        let plan_file = match (&self.who, &self.state.plan().path) {
            (Who::Main, _) if planning => self.plan_file()?,
            (_, Some(path)) => path.clone(),
            (_, None) => PathBuf::new(),
        };
        // What the machine can enforce is found out when a command first needs it.
        let walls = match call {
            Call::Bash(_) => self.walls().await?,
            Call::Write(_) | Call::Edit(_) | Call::NotebookEdit(_) if self.experimenting() => self.walls().await?,
            _ => Walls::None,
        };
        let targets = self.setup.tools.targets(&call);
        let user_read_only = self.setup.settings.read_only_commands.clone();
        let shell = CommandContext { user_read_only, ..self.setup.tools.command_context(&call) };
        Ok(permit::judge(
            call,
            targets,
            &Situation {
                permissions: self.state.permissions(),
                read_only: self.read_only(),
                sub_agent: !matches!(self.who, Who::Main),
                rules: &self.rules,
                plan_file: &plan_file,
                roots: self.setup.tools.roots(),
                commands: self.setup.settings.plan.commands,
                shell: &shell,
                walls,
                experiments: self.setup.settings.plan.experiments,
                hook: None,
            },
        ))
    }

    /// Asks the user. The answer is held against the verdict of the moment it arrives: it may have to
    /// be asked again, when plan mode was switched on while the question was open.
    async fn ask_permission(
        &mut self,
        open: &OpenCall,
        call: Call,
        mut ask: Ask,
    ) -> Result<Result<Permit, Refusal>, Stopped> {
        loop {
            if !self.can_ask() {
                return Ok(Err(ask.nobody()));
            }
            let (choice, comment) = match self.put(self.permission_question(open, &call, &ask)).await {
                Heard::Answer(Answer::Permission { choice, comment }) => (choice, comment),
                Heard::Answer(_) => (Choice::No, String::new()),
                Heard::Interrupted => {
                    return Ok(Err(Refusal { message: prompts::interrupted(), by: "user".to_owned() }));
                }
            };
            let now = self.judge(call.clone()).await?;
            match ask.answer_by(now, choice, &comment) {
                Answered::Settled(settled) => return Ok(settled),
                Answered::Always(permit, rule) => {
                    self.record(vec![Fact::RuleAdded { behavior: Behavior::Allow, rule }])?;
                    return Ok(Ok(permit));
                }
                Answered::Again(now) => ask = *now,
            }
        }
    }

    fn permission_question(&self, open: &OpenCall, call: &Call, ask: &Ask) -> Question {
        Question::Permission(PermissionQuestion {
            agent: self.agent_id(),
            tool: open.name.clone(),
            subject: subject(call),
            diff: self.setup.tools.preview(call),
            reason: ask.reason.clone(),
            choices: ask.choices.clone(),
            suggestion: ask.suggestion.clone(),
        })
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
                    return Finished::error(prompts::questions_declined());
                }
                let answered: Vec<(String, String)> = questions
                    .into_iter()
                    .zip(texts.into_iter().map(|text| text.unwrap_or_else(prompts::question_skipped)))
                    .collect();
                Finished::ok(prompts::questions_answered(&answered))
            }
            Heard::Answer(_) => Finished::error(prompts::questions_declined()),
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
        let Finished { mut content, is_error, seen, diff, mut facts, refused, scratch } = finished;
        if let Some(run) = scratch {
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
        });
        if touched_plan { self.snapshot_plan() } else { Ok(()) }
    }
}

/// What a question is about: the exact command, path or input.
fn subject(call: &Call) -> String {
    match call {
        Call::Bash(bash) if bash.run_in_background => format!("{}  (in the background)", bash.command),
        _ => call.main_argument().to_owned(),
    }
}
