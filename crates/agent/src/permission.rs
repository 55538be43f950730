//! The verdict on a call: hooks are heard, `core` judges, the user is asked if need be.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use planwright_core::call::{self, Call};
use planwright_core::dialogue::{Answer, Grant, HookAnswer, HookQuestion, Notice, PermissionQuestion, Question};
use planwright_core::permit::{
    self, Ask, Choice, CommandContext, HookOpinion, Permit, Refusal, Situation, Verdict, Walls,
};
use planwright_core::prompts;
use planwright_core::rules::{Behavior, Layer, Origin, Rule};
use planwright_core::state::OpenCall;
use planwright_core::transcript::Fact;
use planwright_store::StoreError;
use planwright_tools::{SessionView, Tier};
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

    async fn judge(&mut self, call: Call, hook: Option<&HookOpinion>) -> Result<Verdict, StoreError> {
        let planning = self.state.permissions().planning();
        let plan_file = match (&self.who, &self.state.plan().path) {
            (Who::Main, _) if planning => self.plan_file()?,
            (_, Some(path)) => path.clone(),
            (_, None) => PathBuf::new(),
        };
        // What the machine can enforce is found out when a command first needs it.
        let walls = match call {
            Call::Bash(_) => walls(&self.setup.tools.protection().await.tier),
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
                hook,
            },
        ))
    }

    /// Asks the user. The answer is judged again at the moment it arrives: plan mode switched on
    /// while the question was open refuses what it would refuse.
    async fn ask_permission(
        &mut self,
        open: &OpenCall,
        wanted: Wanted,
        ask: Ask,
    ) -> Result<Result<Permit, Refusal>, Stopped> {
        if !self.can_ask() {
            return Ok(Err(ask.nobody()));
        }
        let question = Question::Permission(PermissionQuestion {
            agent: self.agent_id(),
            tool: open.name.clone(),
            subject: subject(&wanted.call),
            input: wanted.input.clone(),
            diff: self.setup.tools.preview(&wanted.call),
            reason: ask.reason.clone(),
            choices: ask.choices.clone(),
            suggestion: ask.suggestion.clone(),
        });
        let (choice, comment) = match self.put(question).await {
            Heard::Answer(Answer::Permission { choice, comment }) => (choice, comment),
            Heard::Answer(Answer::Granted(grant)) => return self.granted(open, wanted, grant).await,
            Heard::Answer(Answer::Declined(words)) => (Choice::No, words),
            Heard::Answer(_) => (Choice::No, String::new()),
            Heard::Nobody => return Ok(Err(ask.nobody())),
            Heard::Interrupted => {
                return Ok(Err(Refusal { message: prompts::interrupted(), by: "user".to_owned() }));
            }
        };
        // Judged by the state of now: an answer counts for what it may answer now.
        let ask = match self.judge(wanted.call, wanted.opinion.as_ref()).await? {
            Verdict::Refuse(refusal) => return Ok(Err(refusal)),
            Verdict::Ask(now) => *now,
            Verdict::Run(permit) if choice == Choice::Once || choice == Choice::Always => return Ok(Ok(permit)),
            Verdict::Run(_) => ask,
        };
        let suggestion = ask.suggestion.clone();
        let permit = ask.answer(choice, &comment);
        if let (Ok(_), Choice::Always, Some(rule)) = (&permit, choice, suggestion) {
            self.record(vec![Fact::RuleAdded { behavior: Behavior::Allow, rule }])?;
        }
        Ok(permit)
    }

    /// A yes with more than a yes: the rules are added, and the call as it was changed is judged by
    /// them like any other; what it would ask is answered. All of it counts, or nothing does.
    async fn granted(
        &mut self,
        open: &OpenCall,
        wanted: Wanted,
        grant: Grant,
    ) -> Result<Result<Permit, Refusal>, Stopped> {
        let by_user = |message| Refusal { message, by: "user".to_owned() };
        let call = match grant.input.as_ref().map(|input| call::parse(&open.name, input)) {
            None => wanted.call,
            Some(Ok(changed)) => changed,
            Some(Err(why)) => return Ok(Err(by_user(prompts::changed_call_invalid(&open.name, &why)))),
        };
        let origin = Origin { layer: Layer::Session, ..self.setup.origin.clone() };
        if let Some(error) = grant.rules.iter().find_map(|(_, rule)| Rule::parse(rule, &origin).err()) {
            let why = format!("the rule `{}`: {}", error.rule, error.message);
            return Ok(Err(by_user(prompts::grant_unusable(&open.name, &why))));
        }
        // Judged before the new rules: they are for the calls to come, this one was allowed itself.
        let permit = match self.judge(call, wanted.opinion.as_ref()).await? {
            Verdict::Refuse(refusal) => Err(refusal),
            Verdict::Run(permit) => Ok(permit),
            Verdict::Ask(ask) => {
                let yes = ask.plain_yes();
                ask.answer(yes, "")
            }
        };
        let added = grant.rules.into_iter().map(|(behavior, rule)| Fact::RuleAdded { behavior, rule });
        self.record(added.collect())?;
        Ok(permit)
    }

    /// What the tools must know of the session.
    pub(crate) fn view(&self) -> SessionView {
        SessionView { seen: std::sync::Arc::clone(self.state.seen()), plan_file: self.state.plan().path.clone() }
    }
}

/// What a question is about: the exact command, path or input.
fn subject(call: &Call) -> String {
    match call {
        Call::Bash(bash) if bash.run_in_background => format!("{}  (in the background)", bash.command),
        _ => call.main_argument().to_owned(),
    }
}

/// What the judge must know of a tier.
const fn walls(tier: &Tier) -> Walls {
    match tier {
        Tier::Scratch => Walls::Scratch,
        Tier::ReadOnly => Walls::ReadOnly,
        Tier::Unenforced { .. } => Walls::None,
    }
}
