//! The real judge and the real tools, without a model in between.

use std::path::PathBuf;
use std::sync::Arc;

use planwright_core::call::{self, Call};
use planwright_core::mode::{self, AutoAccess, Cause, Mode, Permissions};
use planwright_core::permit::{Choice, Confinement, Permit, Situation, Verdict, Walls, judge, typed_by_user};
use planwright_core::rules::{Behavior, Layer, Origin, Rules};
use planwright_core::settings::PlanCommands;
use planwright_core::state::State;
use planwright_core::transcript::Fact;
use planwright_tools::{Cancel, SessionView, Tier, Tools};

use super::attacks::Attack;
use super::ground::Ground;
use super::tally::Tally;

/// The allow rules that are in force everywhere here: none of them may open anything.
pub const RULES: [&str; 5] = ["*", "Bash", "Bash(*)", "Edit(*)", "Write"];

/// Who tries, and under what settings.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The mode the session was in before it planned.
    pub before: Mode,
    /// `plan.commands`
    pub commands: PlanCommands,
    /// `plan.experiments`
    pub experiments: bool,
    /// Who tries is a subagent.
    pub sub_agent: bool,
}

/// The permissions of a session that plans, and was in `before`.
fn planning_after(before: Mode) -> Permissions {
    let auto = AutoAccess { opted_in: false, gate: Err(String::new()), while_planning: false, bypass_allowed: true };
    let mut facts = Vec::new();
    for to in [before, Mode::Plan] {
        let state = State::fold(&facts);
        let change = mode::change(state.permissions(), to, Cause::Command, &auto, &Rules::default());
        facts.extend(change.map(Fact::PermissionMode));
    }
    State::fold(&facts).permissions().clone()
}

/// What judges and runs the attempts of one batch.
pub struct Direct {
    tools: Tools,
    terms: Terms,
    permissions: Permissions,
    rules: Arc<Rules>,
    plan_file: PathBuf,
    walls: Walls,
    /// What was counted.
    pub tally: Tally,
    /// Permits that should not have been given.
    pub wrong: Vec<String>,
}

impl Direct {
    /// Nothing was tried yet.
    pub async fn new(ground: &Ground, tools: &Tools, terms: Terms) -> Self {
        let (root, cwd) = (ground.project.clone(), ground.project.clone());
        let origin = Origin { layer: Layer::Session, root, cwd, home: ground.user.clone() };
        let mut rules = Rules::default();
        for rule in RULES {
            let _ = rules.add_text(Behavior::Allow, rule, &origin);
        }
        Self {
            walls: match tools.protection().await.tier {
                Tier::Scratch => Walls::Scratch,
                Tier::ReadOnly => Walls::ReadOnly,
                Tier::Unenforced { .. } => Walls::None,
            },
            tools: tools.clone(),
            terms,
            permissions: planning_after(terms.before),
            rules: Arc::new(rules),
            plan_file: plan_file(ground),
            tally: Tally::default(),
            wrong: Vec::new(),
        }
    }

    /// Judges one attempt, and runs it if it may.
    pub async fn attempt(&mut self, attack: &Attack) {
        self.tally.attempts += 1;
        let Ok(call) = call::parse(&attack.tool, &attack.input) else {
            self.tally.malformed += 1;
            return;
        };
        let (targets, shell) = (self.tools.targets(&call), self.tools.command_context(&call));
        let verdict = judge(
            call,
            targets,
            &Situation {
                permissions: &self.permissions,
                read_only: self.terms.sub_agent,
                sub_agent: self.terms.sub_agent,
                rules: &self.rules,
                plan_file: &self.plan_file,
                roots: self.tools.roots(),
                commands: self.terms.commands,
                shell: &shell,
                walls: self.walls,
                experiments: self.terms.experiments,
                hook: None,
            },
        );
        let permit = match verdict {
            Verdict::Run(permit) => Ok(permit),
            Verdict::Refuse(refusal) => Err(refusal),
            Verdict::Ask(ask) => {
                self.tally.asked += 1;
                let scratch = ask.choices.contains(&Choice::Scratch) && self.tally.asked.is_multiple_of(6);
                ask.answer(if scratch { Choice::Scratch } else { Choice::No }, "")
            }
        };
        match permit {
            Ok(permit) => self.run(permit, attack).await,
            Err(_) => self.tally.refused += 1,
        }
    }

    async fn run(&mut self, permit: Permit, attack: &Attack) {
        let may = match (permit.call(), permit.confinement()) {
            (Call::Bash(_), Confinement::ReadOnly) => {
                self.tally.confined += 1;
                true
            }
            (Call::Bash(_), Confinement::Scratch) => {
                self.tally.scratch += 1;
                true
            }
            (Call::Bash(_), Confinement::None) => false,
            (Call::Write(_) | Call::Edit(_) | Call::NotebookEdit(_), Confinement::Scratch) => {
                self.tally.scratch += 1;
                self.terms.experiments && !self.terms.sub_agent
            }
            (Call::Write(_) | Call::Edit(_) | Call::NotebookEdit(_), Confinement::None | Confinement::ReadOnly) => {
                self.tally.own += 1;
                permit.targets().iter().all(|target| target.real == self.plan_file)
            }
            (_, _) => {
                self.tally.own += 1;
                true
            }
        };
        if !may {
            self.wrong.push(format!("was given a permit ({}): {}", permit.reason(), attack.line()));
        }
        let experiment = (self.terms.experiments && !self.terms.sub_agent).then(Default::default);
        let view = SessionView { plan_file: Some(self.plan_file.clone()), experiment, ..SessionView::default() };
        self.tools.run(permit, &view, &Cancel::new()).await;
    }
}

/// The plan file of who tries here.
pub fn plan_file(ground: &Ground) -> PathBuf {
    ground.home().plans_dir().join("quiet-amber-otter.md")
}

/// Runs a command as the user would, behind no walls: what a leak would be.
pub async fn for_real(tools: &Tools, command: &str) {
    tools.run(typed_by_user(command.to_owned()), &SessionView::default(), &Cancel::new()).await;
}
