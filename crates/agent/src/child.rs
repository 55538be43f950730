//! Subagents: the same thread and the same loop, with a log of their own and no more rights than
//! the thread that started them.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use planwright_core::agents::AgentType;
use planwright_core::bounds;
use planwright_core::call::Agent;
use planwright_core::context;
use planwright_core::dialogue::Outcome;
use planwright_core::mode::Posture;
use planwright_core::prompts;
use planwright_core::request::AgentRef;
use planwright_core::state::{OpenCall, State};
use planwright_core::transcript::{Fact, SessionStarted};
use planwright_store::plans::Slug;
use planwright_tools::Cancel;
use tokio::sync::{mpsc, watch};
use uuid::Uuid;

use crate::batch::Finished;
use crate::setup::Models;
use crate::thread::{Thread, Who};
use crate::turn::Stopped;

/// A subagent at work.
pub(crate) type Running = Pin<Box<dyn Future<Output = Finished> + Send>>;

impl Thread {
    /// Starts a subagent; the inner error is for the model.
    pub(crate) fn start_child(&mut self, open: &OpenCall, agent: Agent) -> Result<Result<Running, String>, Stopped> {
        let Agent { subagent_type: agent_type, description: _, prompt } = agent;
        let Some(kind) = self.setup.agents.iter().find(|kind| kind.name == agent_type).cloned() else {
            let names: Vec<_> = self.setup.agents.iter().map(|kind| kind.name.as_str()).collect();
            return Ok(Err(prompts::no_agent_type(&agent_type, &names)));
        };
        let models = match self.models_of(&kind) {
            Ok(models) => models,
            Err(why) => return Ok(Err(prompts::agent_model_unusable(&agent_type, &why))),
        };
        let depth = 1 + match &self.who {
            Who::Main => 0,
            Who::Agent { depth, .. } => *depth,
        };
        if depth > bounds::AGENT_DEPTH {
            return Ok(Err(prompts::agents_too_deep()));
        }
        let id = Uuid::new_v4().simple().to_string()[..8].to_owned();
        let born_under = Posture { mode: self.state.permissions().mode(), read_only: self.read_only() };
        let read_only = kind.read_only || born_under.only_reads();
        let instance = self.next_instance(&agent_type);
        self.record(vec![Fact::AgentStarted {
            agent_id: id.clone(),
            agent_type: agent_type.clone(),
            instance,
            tool_use_id: open.id.clone(),
            read_only,
        }])?;
        self.reserve_evidence();
        let log = self.log.subagent(&id)?;
        let (to_child, inputs) = mpsc::unbounded_channel();
        self.children.insert(open.id.clone(), to_child);
        let system = crate::session::system(&self.setup, Some(&kind));
        let specs = crate::session::specs(&self.setup, Some(&kind));
        let agent = AgentRef { agent_type: agent_type.clone(), instance };
        let mut child = Self {
            setup: Arc::clone(&self.setup),
            models,
            who: Who::Agent { id: id.clone(), agent: agent.clone(), depth, read_only },
            state: State::default(),
            log,
            unwritten: Vec::new(),
            rules: Arc::clone(&self.rules),
            head_bytes: context::head_bytes(&system, &specs),
            system,
            specs,
            inputs,
            out: self.out.clone(),
            queue: VecDeque::new(),
            children: HashMap::new(),
            ancestors: std::iter::once(self.posture.subscribe()).chain(self.ancestors.iter().cloned()).collect(),
            posture: watch::Sender::new(Posture { read_only, ..born_under }),
            questions: Arc::clone(&self.questions),
            evidence_ids: Arc::clone(&self.evidence_ids),
            instances: Arc::clone(&self.instances),
            script_failed: Arc::clone(&self.script_failed),
            room: Arc::clone(&self.room),
            cancel: Cancel::new(),
            interrupted: false,
            plan_warning: None,
            closing: false,
            gone: self.gone,
            heard_by_hooks: Arc::clone(&self.heard_by_hooks),
            refused: Vec::new(),
            asked_last: None,
            fallen_back: false,
        };
        child.record(self.first_facts(&id, agent, prompt))?;
        Ok(Ok(Box::pin(async move { child.work(&id, &agent_type).await })))
    }

    /// What a subagent's log begins with: who it is, its plan file, what the user allowed so far, its task.
    fn first_facts(&self, id: &str, agent: AgentRef, prompt: String) -> Vec<Fact> {
        let plan_path = match self.state.plan().slug.as_deref() {
            Some(slug) => Slug::parse(slug).map(|parsed| (slug.to_owned(), self.setup.plans.agent_path(&parsed, id))),
            None => None,
        };
        let mut begin = vec![Fact::SessionStarted(SessionStarted {
            session_id: self.state.session().map_or_else(Uuid::nil, |started| started.session_id),
            cwd: self.setup.root.clone(),
            version: self.setup.version.to_owned(),
            forked_from: None,
            agent: Some(agent),
        })];
        begin.extend(plan_path.map(|(slug, path)| Fact::PlanSlug { slug, path }));
        begin.extend(
            self.state
                .session_rules()
                .iter()
                .map(|(behavior, rule)| Fact::RuleAdded { behavior: *behavior, rule: rule.clone() }),
        );
        begin.push(Fact::User { text: prompt });
        begin
    }

    /// The models of a type that names one of its own.
    fn models_of(&self, kind: &AgentType) -> Result<Models, String> {
        match &kind.model {
            None => Ok(self.models.clone()),
            Some(spec) => {
                let fallback = self.models.fallback.clone();
                Ok(Models { main: (self.setup.make_model)(spec)?, plan: None, explore: None, fallback })
            }
        }
    }

    /// A subagent's whole life: one turn, whose last words are the result. What the user allowed
    /// "always" in it holds for the session, and goes to the thread above with the result; so does what its
    /// commands showed.
    async fn work(mut self, id: &str, agent_type: &str) -> Finished {
        let inherited = self.state.session_rules().len();
        // Only the first level waits: an agent that waits for its own agents holds its place.
        let first_level = self.ancestors.len() == 1;
        let room = Arc::clone(&self.room);
        let _place = if first_level { room.acquire().await.ok() } else { None };
        let end = self.turn().await;
        let text = if end.text.trim().is_empty() { prompts::agent_said_nothing() } else { end.text };
        let finished = match end.outcome {
            Outcome::Done | Outcome::PermissionMissing | Outcome::PlanPending => Finished::ok(text),
            Outcome::Interrupted => Finished::error(prompts::interrupted()),
            Outcome::Limit(why) | Outcome::Failed(why) => {
                Finished::error(prompts::agent_unfinished(agent_type, &why, &text))
            }
        };
        let allowed = self.state.session_rules().iter().skip(inherited);
        let rules = allowed.map(|(behavior, rule)| Fact::RuleAdded { behavior: *behavior, rule: rule.clone() });
        let evidence = self.state.evidence().iter().cloned().map(Fact::Evidence);
        let ended = Fact::AgentEnded { agent_id: id.to_owned(), usage: self.state.usage().clone() };
        Finished { facts: rules.chain(evidence).chain([ended]).collect(), refused: self.refused, ..finished }
    }
}
