//! What may happen in a world, and what it comes to.

use std::sync::Arc;

use planwright_core::command::PlanCommand;
use planwright_core::dialogue::{Answer, PlanChoice};
use planwright_core::mode::{self, Cause, Mode};
use planwright_core::permit::Choice;
use planwright_core::plan::{self, Chosen, Handoff, PlanEffect, plan_command};
use planwright_core::prompts;
use planwright_core::transcript::Fact;

use crate::driver::{Begun, Drive, finished};
use crate::fault::Fault;
use crate::rig::{PLANS, Tool};
use crate::world::{About, Auto, Disk, Doing, Thread};

/// The user's own words, as they must reach the model.
pub const WORDS: &str = "please mind the callers";

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    Approve(Option<Mode>),
    /// Approve a text that was edited in the surface.
    ApproveEdited(Disk),
    /// Edit in an editor, which leaves this.
    Edit(Disk),
    Keep,
    Dismiss,
    Enter(bool),
    Once,
    No,
}

impl Reply {
    pub fn approves(self) -> bool {
        match self {
            Self::Approve(_) | Self::ApproveEdited(_) => true,
            Self::Edit(_) | Self::Keep | Self::Dismiss | Self::Enter(_) | Self::Once | Self::No => false,
        }
    }

    fn answer(self, feedback: &str) -> Answer {
        let plan = |choice, edited: Option<Disk>| Answer::Plan {
            choice,
            feedback: feedback.to_owned(),
            edited: edited.map(|text| text.text().to_owned()),
            by: "user".to_owned(),
            handoff: Handoff::default(),
        };
        match self {
            Self::Approve(mode) => plan(mode.map(PlanChoice::Approve), None),
            Self::ApproveEdited(text) => plan(None, Some(text)),
            Self::Edit(_) => plan(Some(PlanChoice::Edit), None),
            Self::Keep => plan(Some(PlanChoice::KeepPlanning), None),
            Self::Dismiss => Answer::Dismissed,
            Self::Enter(yes) => Answer::EnterPlan(yes),
            Self::Once => Answer::Permission { choice: Choice::Once, comment: String::new() },
            Self::No => Answer::Permission { choice: Choice::No, comment: String::new() },
        }
    }
}

/// How a session is opened again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Open {
    Plainly,
    InMode(Mode),
    AsFork,
    /// With an answer for the plan that waits.
    Answering(Reply),
    /// With nobody to ask.
    Headless,
}

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    Cycle,
    SetMode(Mode),
    Plan,
    PlanWords,
    PlanOff,
    Clear,
    Compact,
    Fork,
    /// A message to the model.
    Say,
    Interrupt,
    Close,
    /// The model of a thread makes these calls; none = it ends its turn in prose.
    Model(usize, &'static [Tool]),
    /// An answer to the question that is open.
    Reply(Reply),
    /// An answer to a question that is not open (late, doubled, never asked).
    Stray(Reply),
    /// Somebody else writes the plan file.
    Disk(Disk),
    Auto(Auto),
    Rules(usize),
    Kill,
    Open(Open),
}

impl Drive<'_> {
    /// Takes the step.
    pub fn happen(&mut self, event: Event) {
        match event {
            Event::Cycle => {
                let next = mode::next_in_cycle(self.mode(), &self.world.outside.access());
                self.go_to(0, next, Cause::Cycle);
            }
            Event::SetMode(to) => {
                if mode::may_set(to, &self.world.outside.access()).is_ok() {
                    self.go_to(0, to, Cause::Command);
                }
            }
            Event::Plan => self.plan(PlanCommand::Plain),
            Event::PlanWords => self.plan(PlanCommand::Describe(WORDS.to_owned())),
            Event::PlanOff => self.plan(PlanCommand::Off),
            Event::Say => self.say(),
            Event::Clear => self.clear(),
            Event::Compact => self.compact(),
            Event::Fork => self.fork(),
            Event::Interrupt => self.interrupt(),
            Event::Close => {
                self.closing = true;
                self.close();
            }
            Event::Model(at, tools) => self.answered(at, tools),
            Event::Reply(reply) => self.reply(reply),
            Event::Stray(reply) => self.stray(reply),
            Event::Disk(disk) => self.world.disk = disk,
            Event::Auto(auto) => {
                self.world.outside.auto = auto;
                self.outside_changed();
            }
            Event::Rules(rules) => {
                self.world.outside.rules = rules;
                self.outside_changed();
            }
            Event::Kill => self.world = self.crashed(),
            Event::Open(open) => self.open(open),
        }
    }

    fn mode(&self) -> Mode {
        self.world.main().state.permissions().mode()
    }

    fn plan(&mut self, command: PlanCommand) {
        let path = self.world.main().state.plan().path.clone();
        let effects =
            plan_command(self.world.main().planning(), command, path.as_deref(), &self.world.disk.read(), None);
        for effect in effects {
            match effect {
                PlanEffect::Enter => self.go_to(0, Mode::Plan, Cause::Command),
                PlanEffect::Leave => self.leave(Cause::Command),
                PlanEffect::Prompt(_) => self.say(),
                PlanEffect::Say(_) | PlanEffect::Show { .. } | PlanEffect::OfferBack(_) | PlanEffect::Open => {}
            }
        }
    }

    /// A human turn; feedback, if a plan waits.
    fn say(&mut self) {
        if let Some(About::Plan { .. }) = self.world.open_question() {
            return self.reply(Reply::Keep);
        }
        if let Some(n) = self.pending_call() {
            return self.answered_from_outside(n, Reply::Keep);
        }
        self.close_calls();
        self.record(0, [Fact::User { text: WORDS.to_owned() }]);
        self.turn(0);
    }

    fn close_calls(&mut self) {
        let facts = self.world.main().state.closing(&prompts::result_lost());
        self.record(0, facts);
    }

    fn clear(&mut self) {
        self.close_calls();
        self.record(0, [Fact::Cleared {}]);
        self.world.disk = Disk::Missing;
    }

    fn compact(&mut self) {
        self.close_calls();
        let summary = "we looked".to_owned();
        self.record(
            0,
            [Fact::Compacted {
                summary,
                model: "m".to_owned(),
                usage: Default::default(),
                trigger: Default::default(),
                tokens_before: 0,
            }],
        );
    }

    fn fork(&mut self) {
        let Some(old) = self.world.main().state.plan().path.clone() else { return };
        let path = PLANS[usize::from(old.as_os_str() == PLANS[0])];
        let facts = self.world.main().state.forked("still-blue-heron".to_owned(), path.into());
        self.record(0, facts);
    }

    /// Ctrl-C: the turn ends, and with it the agents below.
    fn interrupt(&mut self) {
        self.interrupted = true;
        if self.rig.has(Fault::InterruptLeaves) && matches!(self.world.open_question(), Some(About::Plan { .. })) {
            self.leave(Cause::Command);
        }
        while self.world.threads.len() > 1 {
            let below = self.world.threads.len() - 1;
            self.stopped(below);
            self.world.threads.pop();
            let Doing::Working { at: n } = self.world.threads[below - 1].doing else {
                panic!("nobody waits for the agent")
            };
            if below - 1 == 0 {
                return self.go_on(0, n, Begun::Finished(finished(prompts::interrupted(), true)));
            }
            self.finish(below - 1, n, finished(prompts::interrupted(), true));
        }
        match self.world.main().doing.clone() {
            Doing::Deciding { at, about } => match about {
                About::Enter => self.entered(at, None),
                About::Plan { .. } => {
                    self.plan_answered(at, Chosen::Settle(plan::Reply::Withdraw, "user".to_owned()));
                }
                About::Permit(asked) => self.permitted(0, at, &asked, None),
            },
            Doing::Asking => self.stopped(0),
            Doing::Idle | Doing::Closed | Doing::Working { .. } => {}
        }
    }

    /// The surface goes away: a question gets the cautious answer.
    fn close(&mut self) {
        if self.world.deciding() == Some(0) {
            self.reply(Reply::Dismiss);
        } else {
            self.interrupt();
        }
        let main = &mut self.world.threads[0];
        main.doing = Doing::Closed;
        (main.requests, main.reminded) = (0, false);
    }

    fn reply(&mut self, reply: Reply) {
        let Some(at) = self.world.deciding() else { return };
        let Doing::Deciding { at: n, about } = self.world.threads[at].doing.clone() else { return };
        match about {
            About::Enter => self.entered(n, Some(reply == Reply::Enter(true))),
            About::Permit(asked) => {
                let choice = if reply == Reply::Once { Choice::Once } else { Choice::No };
                self.permitted(at, n, &asked, Some(choice));
            }
            About::Plan { shown } => {
                let reply = match reply {
                    Reply::Dismiss if self.rig.has(Fault::MisfitApproves) => Reply::Approve(None),
                    reply => reply,
                };
                if let Reply::Edit(disk) = reply {
                    self.world.disk = disk;
                }
                let chosen = plan::chosen(reply.answer(WORDS), &shown.digest(), self.closing);
                self.plan_answered(n, chosen);
            }
        }
    }

    /// An answer to a question that is not open changes nothing.
    fn stray(&mut self, reply: Reply) {
        if self.rig.has(Fault::DecidesTwice) {
            self.decide_again();
        }
        let last = self.world.main().state.plan().submission.clone();
        let unasked = self.world.main().planning() && self.world.deciding().is_none();
        if let (Some(submission), true, true) = (last, unasked, self.rig.has(Fault::UnsolicitedCounts)) {
            let chosen = plan::chosen(reply.answer(""), &self.world.disk.digest(), false);
            self.settle(&submission, chosen);
        }
    }

    /// An answer without a dialogue, for the plan that waits.
    fn answered_from_outside(&mut self, n: usize, reply: Reply) {
        let Some(submission) = self.world.main().state.plan().pending().cloned() else { return };
        let chosen = plan::chosen(reply.answer(WORDS), &submission.sha256, false);
        if let Some(finished) = self.settle(&submission, chosen) {
            self.finish(0, n, finished);
            let refused = self.world.main().state.closing(&prompts::batch_refused("ExitPlanMode"));
            self.record(0, refused);
            self.turn(0);
        }
    }

    /// The session is opened again: the fold of its log, and nothing else.
    fn open(&mut self, open: Open) {
        let main: &mut Thread = self.thread(0);
        main.state = Arc::clone(&main.kept);
        main.doing = Doing::Idle;
        self.world.outside.can_ask = open != Open::Headless;
        if open == Open::AsFork {
            self.fork();
        }
        let due = self.world.main().state.half_done(&self.world.outside.access(), &self.rules());
        if !self.rig.has(Fault::HalfApproved) {
            self.record(0, due);
        }
        self.outside_changed();
        if let Open::InMode(mode) = open {
            self.go_to(0, mode, Cause::Resume);
        }
        match (self.pending_call(), open) {
            (Some(n), Open::Answering(reply)) => self.answered_from_outside(n, reply),
            (Some(n), _) => {
                let begun = self.show_plan(n);
                self.go_on(0, n, begun);
            }
            (None, _) => {}
        }
    }
}
