//! The verdict on a call: hooks are heard, `core` judges, the user is asked if need be.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use planwright_core::call::{self, Call};
use planwright_core::dialogue::{Answer, Grant, HookAnswer, HookQuestion, Notice, PermissionQuestion, Question};
use planwright_core::permit::{
    self, Answered, Ask, Choice, CommandContext, HookOpinion, Permit, Refusal, Situation, Verdict, Walls,
};
use planwright_core::prompts;
use planwright_core::rules::{Behavior, Layer, Origin, Rule};
use planwright_core::state::OpenCall;
use planwright_core::transcript::Fact;
use planwright_store::StoreError;
use planwright_tools::SessionView;
use serde_json::Value;

use crate::thread::{Heard, Thread, Who};
use crate::turn::Stopped;

/// A call as hooks left it.
struct Wanted {
    call: Call,
    input: Value,
    /// What the hooks think of it.
    opinion: Option<HookOpinion>,
}

impl Thread {
    /// The verdict on a call, hooks and the user asked if need be, written down before anything runs.
    pub(crate) async fn permit(&mut self, open: &OpenCall, call: Call) -> Result<Result<Permit, Refusal>, Stopped> {
        self.follow_parent()?;
        let verdict = match self.hear_hooks(open, call).await {
            Ok(heard) => match self.judge(heard.call.clone(), heard.opinion.as_ref()).await? {
                Verdict::Run(permit) => self.offered(open).map(|()| permit),
                Verdict::Refuse(refusal) => Err(refusal),
                Verdict::Ask(ask) => self.ask_permission(open, heard, *ask).await?,
            },
            Err(refusal) => Err(refusal),
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
            self.refused(open, refusal);
        }
        Ok(verdict)
    }

    fn refused(&mut self, open: &OpenCall, refusal: &Refusal) {
        self.say(Notice::Refused {
            agent: self.agent_id(),
            id: open.id.clone(),
            tool: open.name.clone(),
            input: open.input.clone(),
            by: refusal.by.clone(),
            message: refusal.message.clone(),
        });
        self.refused.push(refusal.clone());
    }

    /// A tool that this thread was not offered does not run, whatever the verdict.
    fn offered(&self, open: &OpenCall) -> Result<(), Refusal> {
        if self.specs.iter().any(|spec| spec.name == open.name) {
            return Ok(());
        }
        let names: Vec<_> = self.specs.iter().map(|spec| spec.name.as_str()).collect();
        Err(Refusal { message: prompts::not_offered(&open.name, &names), by: "gate".to_owned() })
    }

    /// The call as the surface's hooks want it, and what they think of it. Hooks that cannot be heard
    /// any more refuse: they may be there to refuse.
    async fn hear_hooks(&mut self, open: &OpenCall, call: Call) -> Result<Wanted, Refusal> {
        let unchanged = Wanted { call, input: open.input.clone(), opinion: None };
        if !self.heard_by_hooks.load(Ordering::Relaxed) {
            return Ok(unchanged);
        }
        let question = Question::Hook(HookQuestion {
            agent: self.agent_id(),
            tool_use_id: open.id.clone(),
            tool: open.name.clone(),
            input: open.input.clone(),
            mode: self.state.permissions().mode(),
        });
        let by_hook = |message| Refusal { message, by: "hook".to_owned() };
        let HookAnswer { opinion, input } = match self.put(question).await {
            Heard::Answer(Answer::Hook(answer)) => answer,
            Heard::Answer(_) | Heard::Nobody => return Err(by_hook(prompts::hooks_unheard(&open.name))),
            Heard::Interrupted => return Err(Refusal { message: prompts::interrupted(), by: "user".to_owned() }),
        };
        match input {
            None => Ok(Wanted { opinion, ..unchanged }),
            Some(input) => match call::parse(&open.name, &input) {
                Ok(call) => Ok(Wanted { call, input, opinion }),
                Err(why) => Err(by_hook(prompts::changed_call_invalid(&open.name, &why))),
            },
        }
    }

    pub(crate) async fn judge(&mut self, call: Call, hook: Option<&HookOpinion>) -> Result<Verdict, StoreError> {
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
                hook,
            },
        ))
    }

    /// Asks the user. The answer is held against the verdict of the moment it arrives: it may have to
    /// be asked again, when plan mode was switched on while the question was open.
    async fn ask_permission(
        &mut self,
        open: &OpenCall,
        mut wanted: Wanted,
        mut ask: Ask,
    ) -> Result<Result<Permit, Refusal>, Stopped> {
        loop {
            if !self.can_ask() {
                return Ok(Err(ask.nobody()));
            }
            let no = |words| (Choice::No, words, Vec::new());
            let (choice, comment, rules) = match self.put(self.permission_question(open, &wanted, &ask)).await {
                Heard::Answer(Answer::Permission { choice, comment }) => (choice, comment, Vec::new()),
                Heard::Answer(Answer::Granted(grant)) => match self.granted(open, &mut wanted, grant) {
                    Ok(rules) => (ask.plain_yes(), String::new(), rules),
                    Err(message) => return Ok(Err(Refusal { message, by: "user".to_owned() })),
                },
                Heard::Answer(Answer::Declined(words)) => no(words),
                Heard::Answer(_) => no(String::new()),
                Heard::Nobody => return Ok(Err(ask.nobody())),
                Heard::Interrupted => {
                    return Ok(Err(Refusal { message: prompts::interrupted(), by: "user".to_owned() }));
                }
            };
            let now = self.judge(wanted.call.clone(), wanted.opinion.as_ref()).await?;
            match ask.answer_by(now, choice, &comment) {
                Answered::Settled(settled) => {
                    if settled.is_ok() && !rules.is_empty() {
                        self.record(rules)?;
                    }
                    return Ok(settled);
                }
                Answered::Always(permit, rule) => {
                    self.record(vec![Fact::RuleAdded { behavior: Behavior::Allow, rule }])?;
                    return Ok(Ok(permit));
                }
                Answered::Again(now) => ask = *now,
            }
        }
    }

    fn permission_question(&self, open: &OpenCall, wanted: &Wanted, ask: &Ask) -> Question {
        Question::Permission(PermissionQuestion {
            agent: self.agent_id(),
            tool: open.name.clone(),
            subject: subject(&wanted.call),
            input: wanted.input.clone(),
            diff: self.setup.tools.preview(&wanted.call),
            reason: ask.reason.clone(),
            choices: ask.choices.clone(),
            suggestion: ask.suggestion.clone(),
        })
    }

    /// What comes with a yes that is more than a yes: the call as it is to run, and the rules to add if
    /// it may. The error is for the model.
    fn granted(&self, open: &OpenCall, wanted: &mut Wanted, grant: Grant) -> Result<Vec<Fact>, String> {
        let origin = Origin { layer: Layer::Session, ..self.setup.origin.clone() };
        if let Some(error) = grant.rules.iter().find_map(|(_, rule)| Rule::parse(rule, &origin).err()) {
            let why = format!("the rule `{}`: {}", error.rule, error.message);
            return Err(prompts::grant_unusable(&open.name, &why));
        }
        if let Some(input) = grant.input {
            let parsed = call::parse(&open.name, &input);
            wanted.call = parsed.map_err(|why| prompts::changed_call_invalid(&open.name, &why))?;
            wanted.input = input;
        }
        Ok(grant.rules.into_iter().map(|(behavior, rule)| Fact::RuleAdded { behavior, rule }).collect())
    }

    /// What the tools must know of the session.
    pub(crate) fn view(&self) -> SessionView {
        SessionView {
            one_off: !self.state.permissions().planning(),
            seen: std::sync::Arc::clone(self.state.seen()),
            experiment: self.experimenting().then(|| std::sync::Arc::clone(self.state.experiment().drafts())),
            plan_file: self.state.plan().path.clone(),
        }
    }
}

/// What a question is about: the exact command, path or input.
fn subject(call: &Call) -> String {
    match call {
        Call::Bash(bash) if bash.run_in_background => format!("{}  (in the background)", bash.command),
        _ => call.main_argument().to_owned(),
    }
}
