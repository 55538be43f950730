//! `spec/modes.md`: each row of its tables.

mod machine;

use std::path::Path;

use machine::{Row, origin, report, rows};
use planwright_core::attach::{Attachment, ReminderType};
use planwright_core::command::{self, Command};
use planwright_core::dialogue::PlanChoice;
use planwright_core::mode::{self, AutoAccess, Cause, Mode};
use planwright_core::plan::{
    self, Approval, Circumstances, OnDisk, PlanEffect, Reply, Settled, choices, plan_command, settle, submit,
};
use planwright_core::reply::{Stop, Usage};
use planwright_core::rules::{Behavior, Layer, Rules};
use planwright_core::settings::{PlanLength, WorkflowText};
use planwright_core::state::State;
use planwright_core::transcript::{Entry, Fact};

const PAGE: &str = include_str!("../spec/modes.md");
const PATH: &str = "/home/ann/.planwright/plans/quiet-amber-otter.md";
const PLAN: &str = "1. do it\n";
/// The modes that `X` stands for.
const X: [Mode; 4] = [Mode::Default, Mode::AcceptEdits, Mode::Auto, Mode::BypassPermissions];

fn access(auto: &str, bypass_allowed: bool) -> AutoAccess {
    let gate = if auto == "shut" { Err("the administrator closed it".to_owned()) } else { Ok(()) };
    let (opted_in, while_planning) = match auto {
        "never" => (false, true),
        "not in plan" | "not-in-plan" => (true, false),
        "shut" | "open" | "no bypass" => (true, true),
        other => panic!("how is auto mode `{other}`?"),
    };
    AutoAccess { opted_in, gate, while_planning, bypass_allowed: bypass_allowed && auto != "no bypass" }
}

fn mode(name: &str) -> Mode {
    Mode::parse(name).unwrap_or_else(|| panic!("there is no mode `{name}`"))
}

/// A session, as far as modes go.
struct Session {
    state: State,
    auto: AutoAccess,
    rules: Rules,
    /// What the last event wrote.
    wrote: Vec<Fact>,
    not_on_offer: bool,
    /// An experiment is shown with the plan, and can be applied.
    experiment: bool,
}

impl Session {
    fn new(auto: &str) -> Self {
        let mut rules = Rules::default();
        for (layer, rule) in
            [(Layer::User, "Bash(python:*)"), (Layer::User, "Bash(git log:*)"), (Layer::Project, "Agent")]
        {
            assert_eq!(rules.add_text(Behavior::Allow, rule, &origin(layer)), None);
        }
        let auto = access(auto, true);
        Self { state: State::default(), auto, rules, wrote: Vec::new(), not_on_offer: false, experiment: false }
    }

    /// Writes a fact; what takes effect is what is read back of its line.
    fn write(&mut self, fact: Fact) {
        let entry = Entry { uuid: uuid::Uuid::nil(), timestamp: jiff::Timestamp::UNIX_EPOCH, fact };
        let line = serde_json::to_string(&entry).expect("an entry is JSON");
        let (read, warning) = Entry::read(&line).expect("what was written is read");
        assert_eq!((&read, warning), (&entry, None));
        self.state.apply(&read.fact);
        self.wrote.push(read.fact);
    }

    fn go_to(&mut self, to: Mode, cause: Cause) {
        let change = mode::change(self.state.permissions(), to, cause, &self.auto, &self.rules);
        change.into_iter().for_each(|change| self.write(Fact::PermissionMode(change)));
    }

    fn outside_changed(&mut self) {
        let switched = mode::auto_while_planning(self.state.permissions(), &self.auto, &self.rules);
        if let Some((active, stripped, exit_note)) = switched {
            self.write(Fact::AutoSemantics { active, stripped, exit_note });
        }
    }

    fn circumstances<T>(&self, look: impl FnOnce(&Circumstances<'_>) -> T) -> T {
        look(&Circumstances {
            path: Path::new(PATH),
            plan: &OnDisk::Text(PLAN.to_owned()),
            required: true,
            length: PlanLength::Full,
            team: false,
            auto: &self.auto,
            rules: &self.rules,
            experiment: self.experiment,
        })
    }

    fn settle(&mut self, reply: Reply) {
        let submission = self.state.plan().pending().expect("`submit` stands before the answer").clone();
        let now = self.state.permissions().clone();
        match self.circumstances(|circumstances| settle(&now, &submission, reply, "user", circumstances)) {
            Settled::Done { facts, .. } => facts.into_iter().for_each(|fact| self.write(fact)),
            Settled::NotOffered => self.not_on_offer = true,
            Settled::ShowAgain => panic!("what is on disk was shown"),
        }
    }

    fn play(&mut self, event: &str) {
        self.wrote.clear();
        let (event, value) = event.split_once('=').unwrap_or((event, ""));
        match event {
            "start" => self.go_to(mode(value), Cause::Start),
            "tab" => self.go_to(mode::next_in_cycle(self.state.permissions().mode(), &self.auto), Cause::Cycle),
            "plan" => {
                self.go_to(Mode::Plan, Cause::Command);
            }
            "/mode" => self.go_to(mode(value), Cause::Command),
            "enter" => self.go_to(Mode::Plan, Cause::Model),
            "client" => self.go_to(mode(value), Cause::Client),
            "resume" => self.go_to(mode(value), Cause::Resume),
            "off" => {
                if let Some(before) = self.state.permissions().pre_plan_mode() {
                    self.go_to(before, Cause::Command);
                }
            }
            "turn" => {
                self.write(Fact::User { text: "go on".to_owned() });
                let stop = Stop::EndTurn;
                let (blocks, usage, model) = (Vec::new(), Usage::default(), "m".to_owned());
                self.write(Fact::Assistant { blocks, stop, usage, model });
            }
            "submit" => {
                let now = self.state.permissions().clone();
                let fact = self.circumstances(|circumstances| submit(&now, 0, "c1", circumstances));
                self.write(fact.expect("there is a plan"));
            }
            "approve" => {
                let approval = if value.is_empty() { Approval::Back } else { Approval::To(mode(value)) };
                self.settle(Reply::Approve { approving: approval.into(), shown: plan::digest(PLAN) });
            }
            "experiment" => self.experiment = true,
            "apply" => {
                self.settle(Reply::Approve {
                    approving: Approval::Apply(mode(value)).into(),
                    shown: plan::digest(PLAN),
                });
            }
            "keep" => self.settle(Reply::Keep { feedback: String::new() }),
            "auto" => {
                self.auto = access(value, self.auto.bypass_allowed);
                self.outside_changed();
            }
            "rule" => {
                assert_eq!(self.rules.add_text(Behavior::Allow, "Bash(node *)", &origin(Layer::User)), None);
                self.outside_changed();
            }
            other => panic!("what is the event `{other}`?"),
        }
    }

    /// What the row's column `also` says, in its order.
    fn also(&self) -> Vec<String> {
        let now = self.state.permissions();
        let mut also = Vec::new();
        let mut say = |so: bool, what: &str| {
            if so {
                also.push(what.to_owned());
            }
        };
        say(self.not_on_offer, "not on offer");
        say(self.wrote.is_empty(), "nothing written");
        say(now.needs_plan_exit_attachment(), "exit note due");
        say(now.auto_exit_due(), "auto exit note due");
        say(now.auto_active(), "auto on");
        let stripped = now.stripped_dangerous_rules();
        say(!stripped.is_empty() && *stripped == self.rules.dangerous_allow(), "stripped");
        say(stripped.values().flatten().any(|rule| rule == "Bash(node *)"), "stripped again");
        for fact in &self.wrote {
            if let Fact::PermissionMode(change) = fact {
                say(change.fallback.is_some(), &format!("fallback {}", change.fallback.as_deref().unwrap_or("")));
            }
        }
        also
    }
}

/// Plays a row's script, and says what differs.
fn play(row: &Row, x: Mode) -> Option<String> {
    let script = row.spans("script").join(" ").replace("=X", &format!("={x}"));
    let mut session = Session::new(row.cell("auto"));
    for word in script.split_whitespace() {
        let (event, times) = word.split_once('×').unwrap_or((word, "1"));
        (0..times.parse().expect("a number of times")).for_each(|_| session.play(event));
    }
    let own = |cell: &str| row.cell(cell).replace('X', x.name());
    let now = session.state.permissions();
    let before = now.pre_plan_mode().map_or("", Mode::name);
    let mut also = session.also();
    if script_stands_for_many(row) {
        // What depends on the mode that `X` stands for is in the tables that name it.
        also.retain(|what| own("also").contains(what.as_str()));
    }
    let is = format!("{} | {before} | {}", now.mode(), also.join(", "));
    let should = format!("{} | {} | {}", own("mode"), own("goes back to"), own("also"));
    let sorted = |text: &str| {
        let mut parts: Vec<_> = text.split([',', '|']).map(|part| part.trim().to_owned()).collect();
        parts[2..].sort();
        parts
    };
    (sorted(&is) != sorted(&should)).then(|| format!("line {}: {script}\n    page: {should}\n    code: {is}", row.line))
}

fn script_stands_for_many(row: &Row) -> bool {
    row.cell("script").contains("=X")
}

#[test]
fn scripts_come_to_what_the_page_says() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("script")) {
        let all = if script_stands_for_many(row) { &X[..] } else { &X[..1] };
        for x in all {
            checked += 1;
            wrong.extend(play(row, *x));
        }
    }
    report(checked, 130, &wrong);
}

#[test]
fn the_cycle_and_setting_by_name_are_as_the_page_says() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("bypass")) {
        let auto = access(row.cell("auto"), row.cell("bypass") == "yes");
        let (is, should) = if row.has("cycle") {
            let cycle: Vec<_> = mode::cycle(&auto).into_iter().map(Mode::name).collect();
            (cycle.join(" → "), row.cell("cycle"))
        } else if row.has("answer") {
            let may = mode::may_set(mode(row.cell("`/mode`")), &auto);
            (may.err().unwrap_or_else(|| "yes".to_owned()), row.cell("answer"))
        } else {
            (mode::line(mode(row.cell("mode")), &auto), row.cell("`/mode` prints"))
        };
        checked += 1;
        if is != should {
            wrong.push(format!("line {}: {is}", row.line));
        }
    }
    report(checked, 18, &wrong);
}

#[test]
fn the_dialogue_offers_what_the_page_says() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("choices")) {
        let mut session = Session::new(row.cell("auto"));
        session.play(&format!("start={}", row.cell("before")));
        session.play("plan");
        let on_offer = choices(session.state.permissions(), &session.auto, row.cell("experiment") == "yes");
        let is: Vec<_> = on_offer.into_iter().map(PlanChoice::name).collect();
        checked += 1;
        if is.join(" ") != row.cell("choices") {
            wrong.push(format!("line {}: {}", row.line, is.join(" ")));
        }
    }
    report(checked, 8, &wrong);
}

fn effect(effect: PlanEffect) -> String {
    match effect {
        PlanEffect::Enter => "enter".to_owned(),
        PlanEffect::Leave => "leave".to_owned(),
        PlanEffect::Say(text) | PlanEffect::Show { said: text, plan: _ } => {
            format!("say: {}", text.replace(PATH, "PATH").replace('\n', "⏎"))
        }
        PlanEffect::Prompt(text) => format!("ask: {text}"),
        PlanEffect::Open => "open".to_owned(),
        PlanEffect::OfferBack(text) => format!("back to the input line: {text}"),
    }
}

#[test]
fn plan_does_what_the_page_says() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("effect")) {
        let input = row.spans("input").remove(0);
        let Some(Ok(Command::Plan(command))) = command::parse(&input) else { panic!("`{input}` is no /plan") };
        let plan = match row.cell("plan file") {
            "no" => OnDisk::Missing,
            "yes" => OnDisk::Text(PLAN.to_owned()),
            "blank" => OnDisk::Text(" \n".to_owned()),
            "broken" => OnDisk::Unreadable("it is a folder".to_owned()),
            other => panic!("what is a plan file `{other}`?"),
        };
        let path = (plan != OnDisk::Missing).then_some(Path::new(PATH));
        let editor = (row.cell("editor") == "yes").then_some("Neovim");
        let effects = plan_command(row.cell("planning") == "yes", command, path, &plan, editor);
        let is = effects.into_iter().map(effect).collect::<Vec<_>>().join("; ");
        checked += 1;
        if is != row.cell("effect") {
            wrong.push(format!("line {}: {input}\n    page: {}\n    code: {is}", row.line, row.cell("effect")));
        }
    }
    report(checked, 18, &wrong);
}

/// F002: for every way into plan mode one answer to the question which mode is on: the state, the
/// note that is due, the gate and the dialogue.
#[test]
fn whatever_the_way_in_all_agree_that_the_session_plans() {
    let ways = [
        "start=plan",
        "start=acceptEdits plan",
        "start=acceptEdits tab",
        "start=acceptEdits enter",
        "start=acceptEdits /mode=plan",
        "start=acceptEdits client=plan",
        "start=acceptEdits resume=plan",
    ];
    for way in ways {
        let mut session = Session::new("open");
        way.split(' ').for_each(|event| session.play(event));
        assert!(session.state.permissions().planning(), "{way}");
        let circumstances = planwright_core::attach::Circumstances {
            plan_file: Path::new(PATH),
            plan_exists: false,
            reminders: &Default::default(),
            text: WorkflowText::default(),
            sub_agent: false,
            read_only: false,
        };
        let due = planwright_core::attach::due(session.state.ledger(), session.state.permissions(), circumstances);
        let full = |note: &Attachment| {
            matches!(note, Attachment::PlanMode { reminder_type: ReminderType::Full, is_sub_agent: false, .. })
        };
        assert!(matches!(due.as_slice(), [note] if full(note)), "{way}: {due:?}");
        session.play("submit");
        assert!(session.state.plan().pending().is_some(), "{way}");
    }
}
