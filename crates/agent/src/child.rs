//! Subagents: the same thread and the same loop, with a log of their own and no more rights than
//! the thread that started them.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use planwright_core::bounds;
use planwright_core::call::Agent;
use planwright_core::dialogue::Outcome;
use planwright_core::prompts;
use planwright_core::request::AgentRef;
use planwright_core::state::{OpenCall, State};
use planwright_core::transcript::{Fact, SessionStarted};
use planwright_store::plans::Slug;
use planwright_tools::Cancel;
use tokio::sync::{mpsc, watch};
use uuid::Uuid;

use crate::batch::Finished;
use crate::thread::{Posture, Thread, Who};
use crate::turn::Stopped;

/// A subagent at work.
pub(crate) type Running = Pin<Box<dyn Future<Output = Finished> + Send>>;

/// The built-in types, with a line for the model that chooses.
pub(crate) const TYPES: &[(&str, &str)] = &[
    ("Explore", "reads and searches the code and reports what it found; read-only"),
    ("Plan", "an architect: weighs ways to do a task and returns steps and critical files; read-only"),
    ("general-purpose", "does a whole task by itself with every tool; read-only while you plan"),
];

impl Thread {
    /// Starts a subagent; the inner error is for the model.
    pub(crate) fn start_child(&mut self, open: &OpenCall, agent: Agent) -> Result<Result<Running, String>, Stopped> {
        let Agent { subagent_type: agent_type, description: _, prompt } = agent;
        if !TYPES.iter().any(|(name, _)| *name == agent_type) {
            let names: Vec<_> = TYPES.iter().map(|(name, _)| *name).collect();
            return Ok(Err(format!("There is no agent type `{agent_type}`. The types are: {}.", names.join(", "))));
        }
        let depth = 1 + match &self.who {
            Who::Main => 0,
            Who::Agent { depth, .. } => *depth,
        };
        if depth > bounds::AGENT_DEPTH {
            return Ok(Err(format!("Agents cannot be nested deeper than {}; do this part yourself.", bounds::AGENT_DEPTH)));
        }
        let id = Uuid::new_v4().simple().to_string()[..8].to_owned();
        let read_only_type = agent_type != "general-purpose";
        let read_only = read_only_type || self.read_only() || self.state.permissions().planning();
        let instance = self.state.agents().get(&agent_type).copied().unwrap_or(0);
        self.record(vec![Fact::AgentStarted {
            agent_id: id.clone(),
            agent_type: agent_type.clone(),
            instance,
            tool_use_id: open.id.clone(),
            read_only,
        }])?;
        let log = self.log.subagent(&id)?;
        let (to_child, inputs) = mpsc::unbounded_channel();
        self.children.insert(open.id.clone(), to_child);
        let agent = AgentRef { agent_type: agent_type.clone(), instance };
        let mut child = Self {
            setup: Arc::clone(&self.setup),
            models: self.models.clone(),
            who: Who::Agent { id: id.clone(), agent: agent.clone(), depth, read_only },
            state: State::default(),
            log,
            rules: Arc::clone(&self.rules),
            system: crate::session::system(&self.setup, Some(&agent_type)),
            specs: crate::session::specs(&self.setup, Some(read_only_type)),
            inputs,
            out: self.out.clone(),
            queue: VecDeque::new(),
            children: HashMap::new(),
            ancestors: std::iter::once(self.posture.subscribe()).chain(self.ancestors.iter().cloned()).collect(),
            posture: watch::Sender::new(Posture { mode: self.state.permissions().mode(), read_only }),
            questions: Arc::clone(&self.questions),
            script_failed: Arc::clone(&self.script_failed),
            cancel: Cancel::new(),
            interrupted: false,
            closing: false,
            missing: Vec::new(),
        };
        let plan_path = match self.state.plan().slug.as_deref() {
            Some(slug) => Slug::parse(slug).map(|parsed| (slug.to_owned(), self.setup.plans.agent_path(&parsed, &id))),
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
        begin.extend(self.state.session_rules().iter().map(|(behavior, rule)| Fact::RuleAdded { behavior: *behavior, rule: rule.clone() }));
        begin.push(Fact::User { text: prompt });
        child.record(begin)?;
        Ok(Ok(Box::pin(async move { child.work(&agent_type).await })))
    }

    /// A subagent's whole life: one turn, whose last words are the result.
    async fn work(mut self, agent_type: &str) -> Finished {
        let end = self.turn().await;
        let text = if end.text.trim().is_empty() { "(the agent said nothing)".to_owned() } else { end.text };
        match end.outcome {
            Outcome::Done | Outcome::PermissionMissing | Outcome::PlanPending => Finished::ok(text),
            Outcome::Interrupted => Finished::error(prompts::interrupted()),
            Outcome::Limit(why) | Outcome::Failed(why) => {
                Finished::error(format!("The {agent_type} agent did not finish: {why}. Its last words: {text}"))
            }
        }
    }
}
