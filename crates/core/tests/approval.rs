//! `spec/approval.md`: each row of its tables.

mod machine;

use std::path::Path;

use machine::{Row, report, rows};
use planwright_core::dialogue::{Answer, PlanChoice};
use planwright_core::mode::{self, AutoAccess, Cause, Mode};
use planwright_core::plan::{
    self, Aside, Chosen, Circumstances, Context, Handoff, OnDisk, Reply, Settled, chosen, settle, submit,
};
use planwright_core::reply::{Stop, Usage};
use planwright_core::request::{Block, Message, UserPart};
use planwright_core::rules::Rules;
use planwright_core::settings::PlanLength;
use planwright_core::state::State;
use planwright_core::transcript::{Entry, Fact, PlanDecision, Trigger};

const PAGE: &str = include_str!("../spec/approval.md");
const PLAN: &str = "1. do it";
const CALL: &str = "c1";

/// A session whose plan waits.
struct Session {
    state: State,
    disk: OnDisk,
    auto: AutoAccess,
    rules: Rules,
}

impl Session {
    fn waiting() -> Self {
        let auto = AutoAccess { opted_in: false, gate: Ok(()), while_planning: false, bypass_allowed: false };
        let mut session =
            Self { state: State::default(), disk: OnDisk::Text(PLAN.to_owned()), auto, rules: Rules::default() };
        session.go_to(Mode::Plan);
        session.write(Fact::User { text: "a long story".to_owned() });
        let call =
            Block::ToolUse { id: CALL.to_owned(), name: "ExitPlanMode".to_owned(), input: serde_json::json!({}) };
        session.answer(vec![call]);
        let now = session.state.permissions().clone();
        let submitted = session.circumstances(|now_is| submit(&now, 0, CALL, now_is));
        session.write(submitted.expect("there is a plan"));
        session
    }

    /// What takes effect is what is read back of its line.
    fn write(&mut self, fact: Fact) {
        let entry = Entry { uuid: uuid::Uuid::nil(), timestamp: jiff::Timestamp::UNIX_EPOCH, fact };
        let line = serde_json::to_string(&entry).expect("an entry is JSON");
        let (read, warning) = Entry::read(&line).expect("what was written is read");
        assert_eq!((&read, warning), (&entry, None));
        self.state.apply(&read.fact);
    }

    fn go_to(&mut self, to: Mode) {
        let change = mode::change(self.state.permissions(), to, Cause::Command, &self.auto, &self.rules);
        change.into_iter().for_each(|change| self.write(Fact::PermissionMode(change)));
    }

    fn answer(&mut self, blocks: Vec<Block>) {
        self.write(Fact::Assistant { blocks, stop: Stop::EndTurn, usage: Usage::default(), model: "m".to_owned() });
    }

    fn circumstances<T>(&self, look: impl FnOnce(&Circumstances<'_>) -> T) -> T {
        look(&Circumstances {
            path: Path::new("/p.md"),
            plan: &self.disk,
            required: true,
            length: PlanLength::Full,
            team: false,
            auto: &self.auto,
            rules: &self.rules,
            experiment: false,
        })
    }

    fn asked(&mut self, row: &Row) {
        for asked in row.cell("asked").split(" ; ").filter(|asked| !asked.is_empty()) {
            let (question, answer) = asked.split_once(" = ").expect("QUESTION = ANSWER");
            let (question, answer, model) = (question.to_owned(), answer.to_owned(), "m".to_owned());
            let (stop, usage) = (Stop::EndTurn, Usage { input_tokens: 1, ..Usage::default() });
            self.write(Fact::Aside(Aside { revision: 1, question, answer, stop, model, usage }));
        }
    }

    /// Settles the plan as the loop does. Yields the decision and what the model reads.
    fn settle(&mut self, row: &Row) -> (PlanDecision, String) {
        let shown = plan::digest(PLAN);
        let context = Context::ALL.into_iter().find(|context| context.name() == row.cell("context"));
        let model = Some(row.cell("model").to_owned()).filter(|model| !model.is_empty());
        let choice = match row.cell("answer") {
            "keep" => PlanChoice::KeepPlanning,
            _ => PlanChoice::Approve(Mode::AcceptEdits),
        };
        let answer = Answer::Plan {
            choice: Some(choice),
            feedback: row.cell("words").to_owned(),
            edited: Some(row.cell("edited").to_owned()).filter(|text| !text.is_empty()),
            by: "user".to_owned(),
            handoff: Handoff { context: context.unwrap_or_default(), model },
        };
        let reply = match chosen(answer, &shown, false) {
            _ if row.cell("answer") == "withdraw" => Reply::Withdraw,
            Chosen::Settle(reply, _) => reply,
            Chosen::ApproveEdited { approving, text, by: _ } => {
                self.disk = OnDisk::Text(text.clone());
                Reply::Approve { approving, shown: plan::digest(&text) }
            }
            Chosen::Edit => panic!("no row edits"),
        };
        let submission = self.state.plan().pending().expect("it waits").clone();
        let now = self.state.permissions().clone();
        let settled = self.circumstances(|is| settle(&now, &submission, reply, "user", is));
        let Settled::Done { facts, result, .. } = settled else { panic!("it is decided: {settled:?}") };
        let decision = facts.iter().find_map(|fact| match fact {
            Fact::PlanDecision(decision) => Some(decision.clone()),
            _ => None,
        });
        facts.into_iter().for_each(|fact| self.write(fact));
        (decision.expect("a decision is written"), result)
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn words_with_an_answer_reach_the_log_and_the_model() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("words kept")) {
        let mut session = Session::waiting();
        session.asked(row);
        if row.cell("left") == "yes" {
            session.go_to(Mode::Default);
        }
        let (decision, result) = session.settle(row);
        let decided = serde_json::to_value(decision.decision).expect("a decision is JSON");
        let is = (decided.as_str().unwrap_or_default(), decision.feedback.as_deref().unwrap_or_default());
        let reads = row.spans("the model reads").remove(0);
        checked += 1;
        if is != (row.cell("decision"), row.cell("words kept")) || !folded(&result).contains(&reads) {
            wrong.push(format!("line {}: {is:?}\n{result}", row.line));
        }
        let asked = row.cell("asked").matches(" = ").count();
        if session.state.usage()["m"].input_tokens != asked as u64 || session.state.answers_of("m") != 1 + asked {
            wrong.push(format!("line {}: {:?} is counted", row.line, session.state.usage()));
        }
    }
    report(checked, 12, &wrong);
}

#[test]
fn a_hand_off_is_due_until_it_is_done() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("due")) {
        let mut session = Session::waiting();
        let (decision, result) = session.settle(row);
        for then in row.cell("then").split(' ') {
            session.then(then, &result);
        }
        let due = session.state.hand_over().map_or("", |(context, told)| {
            assert_eq!(told, result, "the hand-off knows what the approval came to");
            context.name()
        });
        let Handoff { context, model } = &decision.handoff;
        let kept = format!("{} {}", context.name(), model.as_deref().unwrap_or_default());
        let kept = if decision.handoff.is_plain() { "" } else { kept.trim() };
        checked += 1;
        if (kept, due) != (row.cell("kept"), row.cell("due")) {
            wrong.push(format!("line {}: kept {kept}, due {due}", row.line));
        }
    }
    report(checked, 11, &wrong);
}

impl Session {
    fn then(&mut self, what: &str, result: &str) {
        match what {
            "nothing" => {}
            "result" => self.write(Fact::ToolResult {
                tool_use_id: CALL.to_owned(),
                tool: "ExitPlanMode".to_owned(),
                content: result.to_owned(),
                is_error: false,
                seen: Vec::new(),
            }),
            "handed-over" => self.write(Fact::HandedOver { text: "the plan".to_owned() }),
            "compacted" => {
                let (summary, model, usage) = ("short".to_owned(), "m".to_owned(), Usage::default());
                self.write(Fact::Compacted { summary, model, usage, trigger: Trigger::Manual, tokens_before: 0 });
            }
            "answer" => self.answer(Vec::new()),
            "cleared" => self.write(Fact::Cleared {}),
            other => panic!("what is `{other}`?"),
        }
    }
}

/// The conversation after a fresh hand-off: the words it begins with, and what was said since the approval.
#[test]
fn a_fresh_context_holds_the_plan_and_what_was_said_since() {
    let mut session = Session::waiting();
    let row = &rows(PAGE).into_iter().find(|row| row.cell("context") == "fresh").expect("there is such a row");
    let (_, result) = session.settle(row);
    session.then("result", &result);
    session.write(Fact::User { text: "go on".to_owned() });
    session.then("handed-over", &result);
    let text = |text: &str| UserPart::Text { text: text.to_owned() };
    let messages: Vec<_> = session.state.messages().iter().map(|message| (**message).clone()).collect();
    assert_eq!(messages, [Message::User(vec![text("the plan"), text("go on")])]);
    assert_eq!(session.state.plan().status(&plan::digest(PLAN)), planwright_core::attach::PlanStatus::Approved);
}
