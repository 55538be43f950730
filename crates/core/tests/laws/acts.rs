//! What a permitted call does, and the dialogue about a plan.

use planwright_core::call;
use planwright_core::mode::{Cause, Mode};
use planwright_core::permit::{Permit, Refusal};
use planwright_core::plan::{self, Approval, Chosen, Circumstances, Handoff, OnDisk, Reply, Settled, Submission};
use planwright_core::prompts;
use planwright_core::request::AgentRef;
use planwright_core::settings::{PlanLength, Workflow};
use planwright_core::transcript::{Decision, Fact, PlanDecision, Seen, SessionStarted};

use crate::driver::{Begun, DEPTH, Drive, Finished, Saw, finished};
use crate::fault::Fault;
use crate::ghost::Ghost;
use crate::rig::Tool;
use crate::world::{About, Disk, Doing, Thread};

impl Drive<'_> {
    /// The verdict on a call is written down; then it runs, or does not.
    pub fn decided(&mut self, at: usize, n: usize, tool: Tool, verdict: Result<Permit, Refusal>) -> Begun {
        let (id, name, _) = self.calls(at).swap_remove(n);
        let (verdict_name, reason, by) = match &verdict {
            Ok(permit) => ("allow", permit.reason().to_owned(), permit.by().to_owned()),
            Err(refusal) => ("deny", refusal.message.clone(), refusal.by.clone()),
        };
        let verdict_name = verdict_name.to_owned();
        let decision =
            Fact::PermissionDecision { tool: name, tool_use_id: id, verdict: verdict_name, reason, by: by.clone() };
        self.record(at, [decision]);
        if let Err(refusal) = verdict {
            return Begun::Finished(finished(refusal.message, true));
        }
        let names = self.calls(at);
        let beside_boundary = names.len() > 1
            && call::boundary([names[n].1.as_str()]).is_none()
            && call::boundary(names.iter().map(|(_, name, _)| name.as_str())).is_some();
        let only_reads = self.world.posture(at).only_reads();
        self.saw.push(Saw::Ran { tool, only_reads, by, beside_boundary });
        self.run(at, n, tool)
    }

    fn run(&mut self, at: usize, n: usize, tool: Tool) -> Begun {
        let done = |content: &str| Begun::Finished(finished(content.to_owned(), false));
        match tool {
            Tool::Read | Tool::Ls | Tool::Rm | Tool::Make | Tool::Python | Tool::WriteOther => done("done"),
            Tool::WritePlan if at > 0 => done("done"),
            Tool::WritePlan => {
                self.world.disk = if self.world.disk == Disk::A { Disk::B } else { Disk::A };
                let seen = self.plan_seen();
                Begun::Finished(Finished { seen, ..finished("written".to_owned(), false) })
            }
            Tool::General | Tool::Explore => self.start_child(at, n, tool),
            Tool::Enter => self.enter(at, n),
            Tool::Exit => self.exit(n),
            Tool::Ask => done(&prompts::questions_declined("")),
        }
    }

    fn plan_seen(&self) -> Vec<Seen> {
        let path = self.world.main().state.plan().path.clone();
        path.into_iter().map(|path| Seen { path, sha256: self.world.disk.digest() }).collect()
    }

    fn start_child(&mut self, at: usize, n: usize, tool: Tool) -> Begun {
        if at >= DEPTH {
            return Begun::Finished(finished("Agents cannot be nested deeper.".to_owned(), true));
        }
        let under = self.world.posture(at);
        let born_read_only = under.only_reads() && !self.rig.has(Fault::BornFree);
        let read_only = tool == Tool::Explore || born_read_only;
        let agent_type = if tool == Tool::Explore { "Explore" } else { "general-purpose" };
        let (tool_use_id, ..) = self.calls(at).swap_remove(n);
        let started = Fact::AgentStarted {
            agent_id: format!("a{at}"),
            agent_type: agent_type.to_owned(),
            instance: 0,
            tool_use_id,
            read_only,
        };
        self.record(at, [started]);
        self.thread(at).doing = Doing::Working { at: n };
        let ghost = Ghost { born_planning: under.only_reads(), ..Ghost::default() };
        self.world.threads.push(Thread::new(read_only, ghost));
        let child = at + 1;
        let plan = self.world.main().state.plan();
        let named = plan.slug.clone().map(|slug| {
            let path = plan.path.clone().unwrap_or_default().with_extension(format!("agent-{child}.md"));
            Fact::PlanSlug { slug, path }
        });
        let begun = Fact::SessionStarted(SessionStarted {
            session_id: uuid::Uuid::nil(),
            cwd: crate::rig::ROOT.into(),
            version: "1".to_owned(),
            forked_from: None,
            agent: Some(AgentRef { agent_type: agent_type.to_owned(), instance: 0 }),
        });
        self.record(child, [begun]);
        self.record(child, named);
        self.record(child, [Fact::User { text: "p".to_owned() }]);
        self.turn(child);
        Begun::Waits
    }

    /// `EnterPlanMode`.
    fn enter(&mut self, at: usize, n: usize) -> Begun {
        if self.world.threads[at].planning() {
            return Begun::Finished(finished(prompts::already_planning(), false));
        }
        self.put(at, n, About::Enter)
    }

    /// The user's answer to whether plan mode may come on; `None`: the turn was stopped.
    pub fn entered(&mut self, n: usize, yes: Option<bool>) {
        let content = match yes {
            Some(true) => {
                self.go_to(0, Mode::Plan, Cause::Model);
                finished(prompts::entered_plan_mode(Workflow::Phases), false)
            }
            Some(false) => finished(prompts::enter_refused_by_user(None), true),
            None => finished(prompts::interrupted(), true),
        };
        self.go_on(0, n, Begun::Finished(content));
    }

    fn circumstances<T>(&self, look: impl FnOnce(&Circumstances<'_>) -> T) -> T {
        let (plan, access, rules) = (self.world.disk.read(), self.world.outside.access(), self.rules());
        let path = self.world.main().state.plan().path.clone().unwrap_or_default();
        look(&Circumstances {
            path: &path,
            plan: &plan,
            required: true,
            length: PlanLength::Full,
            team: false,
            auto: &access,
            rules: &rules,
            experiment: false,
        })
    }

    /// `ExitPlanMode`.
    fn exit(&mut self, n: usize) -> Begun {
        self.plan_file();
        let (id, ..) = self.calls(0).swap_remove(n);
        let state = &self.world.main().state;
        let (permissions, revision) = (state.permissions().clone(), state.plan().revision());
        match self.circumstances(|now| plan::submit(&permissions, revision, &id, now)) {
            Ok(fact) => {
                self.record(0, [fact]);
                self.show_plan(n)
            }
            Err(message) => Begun::Finished(finished(message, true)),
        }
    }

    /// The dialogue about the plan that waits.
    pub fn show_plan(&mut self, n: usize) -> Begun {
        if !self.can_ask() {
            return Begun::PlanPending;
        }
        let shown = self.world.disk;
        self.put(0, n, About::Plan { shown })
    }

    /// What an answer to the dialogue comes to; `None`: it must be shown again.
    pub fn settle(&mut self, submission: &Submission, chosen: Chosen) -> Option<Finished> {
        let (reply, by) = match chosen {
            Chosen::Edit => return None,
            Chosen::ApproveEdited { approving, text, by } => {
                self.world.disk = Disk::of(&text);
                (Reply::Approve { approving, shown: self.world.disk.digest() }, by)
            }
            Chosen::Settle(reply, by) => (reply, by),
        };
        let reply = match reply {
            Reply::Approve { approving, .. } if self.rig.has(Fault::ShownForgotten) => {
                Reply::Approve { approving, shown: self.world.disk.digest() }
            }
            Reply::Approve { approving, shown }
                if self.rig.has(Fault::BeforeForgotten) && approving.approval == Approval::Back =>
            {
                Reply::Approve { approving: Approval::To(Mode::Default).into(), shown }
            }
            reply @ (Reply::Approve { .. } | Reply::Keep { .. } | Reply::Withdraw) => reply,
        };
        let feedback_given = matches!(reply, Reply::Keep { .. });
        let permissions = self.world.main().state.permissions().clone();
        match self.circumstances(|now| plan::settle(&permissions, submission, reply, &by, now)) {
            Settled::ShowAgain | Settled::NotOffered => None,
            Settled::Done { facts, mut result, is_error, apply: _ } => {
                let broken = self.rig.has(Fault::StrippedForever);
                for mut fact in facts {
                    if let (true, Fact::PermissionMode(change)) = (broken, &mut fact) {
                        change.stripped.clone_from(permissions.stripped_dangerous_rules());
                    }
                    self.record(0, [fact]);
                }
                if let (OnDisk::Text(text), true) = (self.world.disk.read(), feedback_given)
                    && plan::digest(&text) != submission.sha256
                {
                    result += &prompts::plan_changed_by_user(&text);
                }
                if self.rig.has(Fault::WordsLost) {
                    result = prompts::plan_rejected(None);
                }
                Some(Finished { seen: self.plan_seen(), ..finished(result, is_error) })
            }
        }
    }

    /// An answer to the dialogue that is open.
    pub fn plan_answered(&mut self, n: usize, chosen: Chosen) {
        let Some(submission) = self.world.main().state.plan().pending().cloned() else {
            return self.go_on(0, n, Begun::Finished(finished(prompts::result_lost(), true)));
        };
        let begun = match self.settle(&submission, chosen) {
            Some(finished) => Begun::Finished(finished),
            None => self.show_plan(n),
        };
        self.go_on(0, n, begun);
    }

    /// What only a broken driver does: a decision for the last submission, whether or not it waits.
    pub fn decide_again(&mut self) {
        let Some(last) = self.world.main().state.plan().submission.clone() else { return };
        let decision = PlanDecision {
            revision: last.revision,
            sha256: last.sha256,
            decision: Decision::Rejected,
            choice: "keep-planning".to_owned(),
            edited: false,
            feedback: None,
            by: "user".to_owned(),
            text: None,
            handoff: Handoff::default(),
        };
        self.record(0, [Fact::PlanDecision(decision)]);
    }

    /// The `ExitPlanMode` call whose plan waits.
    pub fn pending_call(&self) -> Option<usize> {
        let state = &self.world.main().state;
        let waiting = &state.plan().pending()?.tool_use_id;
        let open = state.open_calls().iter().any(|call| call.id == *waiting);
        self.calls(0).iter().position(|(id, ..)| id == waiting).filter(|_| open)
    }
}
