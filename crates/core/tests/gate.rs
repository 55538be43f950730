//! `spec/gate.md`: each row of its tables, and the laws of the gate over every combination.

mod machine;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use machine::{CWD, Machine, PLAN, Row, report, rows, rules};
use planwright_core::call::Call;
use planwright_core::mode::{Cause, Mode, Permissions};
use planwright_core::permit::{
    Answered, Ask, Choice, CommandContext, Confinement, HookOpinion, Situation, Target, Verdict, Walls, judge,
    typed_by_user,
};
use planwright_core::rules::{Behavior, Layer, Rule, Rules};
use planwright_core::settings::PlanCommands;
use planwright_core::state::State;
use planwright_core::transcript::{Fact, ModeChange};

const PAGE: &str = include_str!("../spec/gate.md");

/// The permissions of a session that came to `mode` from `before`.
fn permissions(mode: Mode, before: Mode) -> Permissions {
    let change = |from, to| {
        Fact::PermissionMode(ModeChange {
            from,
            to,
            cause: Cause::Command,
            pre_plan_mode: (to == Mode::Plan).then_some(from),
            auto_active: to == Mode::Auto,
            stripped: std::collections::BTreeMap::new(),
            auto_exit_note: false,
            fallback: None,
        })
    };
    let state = State::fold([&change(Mode::Default, before), &change(before, mode)]);
    assert_eq!(state.permissions().mode(), mode);
    state.permissions().clone()
}

/// What the words behind a setting say of the machine.
fn walls(words: &str) -> Walls {
    match () {
        () if words.ends_with("scratch copies") => Walls::Scratch,
        () if words.ends_with("no walls") => Walls::None,
        () => Walls::ReadOnly,
    }
}

/// All that a call is judged by, owned.
struct Case {
    permissions: Permissions,
    read_only: bool,
    sub_agent: bool,
    rules: Arc<Rules>,
    plan_file: PathBuf,
    roots: Vec<PathBuf>,
    commands: PlanCommands,
    shell: CommandContext,
    walls: Walls,
    experiments: bool,
    hook: Option<HookOpinion>,
}

impl Case {
    fn new(mode: Mode, before: Mode) -> Self {
        Self {
            permissions: permissions(mode, before),
            read_only: false,
            sub_agent: false,
            rules: Arc::default(),
            plan_file: PLAN.into(),
            roots: vec![CWD.into(), "/opt/extra".into()],
            commands: PlanCommands::Ask,
            shell: CommandContext::default(),
            walls: Walls::ReadOnly,
            experiments: false,
            hook: None,
        }
    }

    fn again(&self) -> Self {
        Self {
            permissions: self.permissions.clone(),
            rules: Arc::clone(&self.rules),
            plan_file: self.plan_file.clone(),
            roots: self.roots.clone(),
            shell: self.shell.clone(),
            hook: self.hook.clone(),
            ..*self
        }
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            permissions: &self.permissions,
            read_only: self.read_only,
            sub_agent: self.sub_agent,
            rules: &self.rules,
            plan_file: &self.plan_file,
            roots: &self.roots,
            commands: self.commands,
            shell: &self.shell,
            walls: self.walls,
            experiments: self.experiments,
            hook: self.hook.as_ref(),
        }
    }

    fn judge(&self, (call, targets): (Call, Vec<Target>)) -> Verdict {
        judge(call, targets, &self.situation())
    }

    /// What a row says about who, under which rules and settings.
    fn with(mut self, row: &Row) -> Self {
        self.read_only = row.cell("who").starts_with("read-only");
        self.sub_agent = row.cell("who").ends_with("agent");
        self.rules = Arc::new(rules(&row.spans("rules"), Layer::Project));
        match row.cell("plan file") {
            "" | "`P`" => {}
            "none" => self.plan_file = PathBuf::new(),
            _ => self.plan_file = row.spans("plan file").remove(0).into(),
        }
        let settings = row.cell("settings");
        self.walls = walls(settings);
        self.commands = match settings.split(',').next().unwrap_or_default() {
            "scratch" => PlanCommands::Scratch,
            "deny" => PlanCommands::Deny,
            _ => PlanCommands::Ask,
        };
        self.shell.user_read_only = row.spans("settings");
        self.experiments = row.cell("experiments") == "on";
        self.hook = hook(row.cell("hook"));
        self
    }
}

fn hook(says: &str) -> Option<HookOpinion> {
    let hook = "guard".to_owned();
    match says {
        "" => None,
        "allow" => Some(HookOpinion::Allow { hook }),
        "ask" => Some(HookOpinion::Ask { hook }),
        "deny" => Some(HookOpinion::Deny { hook, reason: "not on a Friday".to_owned() }),
        other => panic!("what does a hook mean by `{other}`?"),
    }
}

/// The modes, each with the one before it, that a cell stands for.
fn modes(cell: &str) -> Vec<(Mode, Mode)> {
    let all = Mode::ALL;
    match cell {
        "" => vec![(Mode::Plan, Mode::Default)],
        "every" => all.map(|mode| (mode, Mode::Default)).to_vec(),
        "every but plan" => {
            all.into_iter().filter(|mode| *mode != Mode::Plan).map(|mode| (mode, Mode::Default)).collect()
        }
        "plan after every mode" => all.map(|before| (Mode::Plan, before)).to_vec(),
        names => names
            .split(", ")
            .map(|name| (Mode::parse(name).unwrap_or_else(|| panic!("there is no mode `{name}`")), Mode::Default))
            .collect(),
    }
}

fn choice(choice: Choice) -> &'static str {
    match choice {
        Choice::Scratch => "scratch",
        Choice::Once => "once",
        Choice::Always => "always",
        Choice::No => "no",
    }
}

fn confined(confinement: Confinement) -> &'static str {
    match confinement {
        Confinement::None => "run",
        Confinement::ReadOnly => "run read-only",
        Confinement::Scratch => "run scratch",
    }
}

/// A verdict in the words of the tables, who decided, and what was said.
fn told(verdict: &Verdict) -> (String, String, String) {
    match verdict {
        Verdict::Run(permit) => {
            (confined(permit.confinement()).to_owned(), permit.by().to_owned(), permit.reason().to_owned())
        }
        Verdict::Ask(ask) => {
            let choices: Vec<_> = ask.choices.iter().copied().map(choice).collect();
            (format!("ask {}", choices.join(" ")), ask.by(), ask.reason.clone())
        }
        Verdict::Refuse(refusal) => ("refuse".to_owned(), refusal.by.clone(), refusal.message.clone()),
    }
}

fn fits(is: &str, wanted: &str) -> bool {
    match wanted {
        "not run" => !is.starts_with("run"),
        "not refused" => is != "refuse",
        wanted => is == wanted,
    }
}

#[test]
fn calls_come_to_the_verdicts_of_the_spec() {
    let machine = Machine::read(PAGE);
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("verdict")) {
        for (mode, before) in modes(row.cell("mode")) {
            let case = Case::new(mode, before).with(row);
            for text in row.spans("call") {
                let (is, by, says) = told(&case.judge(machine.call(&text)));
                checked += 1;
                let right = fits(&is, row.cell("verdict"))
                    && (row.cell("by").is_empty() || by == row.cell("by"))
                    && says.contains(row.cell("says"));
                if !right {
                    wrong.push(format!("line {}: {mode} after {before}: {text}: {is}, by {by}: {says}", row.line));
                }
            }
        }
    }
    report(checked, 600, &wrong);
}

/// The question a call raises in a mode, if it raises one.
fn question(machine: &Machine, case: &Case, text: &str) -> Result<Box<Ask>, String> {
    match case.judge(machine.call(text)) {
        Verdict::Ask(ask) => Ok(ask),
        other => Err(told(&other).0),
    }
}

#[test]
fn always_adds_the_rule_of_the_spec_and_that_rule_is_enough() {
    let machine = Machine::read(PAGE);
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("suggestion")) {
        let text = &row.spans("call")[0];
        let wanted = row.spans("suggestion").pop();
        let mut case = Case::new(Mode::Default, Mode::Default);
        checked += 1;
        let ask = match question(&machine, &case, text) {
            Ok(ask) => ask,
            Err(is) => {
                wrong.push(format!("line {}: {text}: {is}", row.line));
                continue;
            }
        };
        if ask.suggestion != wanted || ask.choices.contains(&Choice::Always) != wanted.is_some() {
            wrong.push(format!("line {}: {text}: {:?}", row.line, ask.suggestion));
        }
        let Some(rule) = &ask.suggestion else { continue };
        let parsed = Rule::parse(rule, &machine::origin(Layer::Session)).unwrap();
        if parsed.dangerous() {
            wrong.push(format!("line {}: `{rule}` is dangerous", row.line));
        }
        let mut rules = Rules::default();
        rules.add(Behavior::Allow, parsed);
        case.rules = Arc::new(rules);
        let (is, by, _) = told(&case.judge(machine.call(text)));
        if (is.as_str(), by) != ("run", format!("rule {rule}")) {
            wrong.push(format!("line {}: with `{rule}` added, {text}: {is}", row.line));
        }
    }
    report(checked, 20, &wrong);
}

#[test]
fn answers_come_to_what_the_spec_says() {
    let machine = Machine::read(PAGE);
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("answer")) {
        let (mode, with) = row.cell("mode").split_once(", ").unwrap_or((row.cell("mode"), ""));
        let mut case = Case::new(Mode::parse(mode).unwrap(), Mode::Default);
        case.walls = walls(with);
        case.sub_agent = with == "agent";
        let ask = question(&machine, &case, &row.spans("call")[0]).expect("these calls are asked about");
        let answer = [Choice::Scratch, Choice::Once, Choice::Always, Choice::No]
            .into_iter()
            .find(|answer| choice(*answer) == row.cell("answer"));
        let come = match answer {
            Some(answer) => ask.answer(answer, row.cell("comment")),
            None => Err(ask.nobody()),
        };
        let (is, by, says) = match come {
            Ok(permit) => (confined(permit.confinement()), permit.by().to_owned(), permit.reason().to_owned()),
            Err(refusal) => ("refuse", refusal.by, refusal.message),
        };
        checked += 1;
        let by_right = by == if answer.is_some() { "user" } else { "nobody" };
        if is != row.cell("comes to") || !by_right || !says.contains(row.cell("says")) {
            wrong.push(format!("line {}: {is}, by {by}: {says}", row.line));
        }
    }
    report(checked, 16, &wrong);
}

/// A mode with the setting `plan.commands` behind it, where there are scratch copies.
fn with_scratch_copies(cell: &str) -> Case {
    let (mode, commands) = cell.split_once(", ").unwrap_or((cell, "ask"));
    let mode = Mode::parse(mode).expect("the cell begins with a mode");
    let mut case = Case::new(mode, Mode::Default);
    case.walls = Walls::Scratch;
    case.commands = match commands {
        "ask" => PlanCommands::Ask,
        "deny" => PlanCommands::Deny,
        "scratch" => PlanCommands::Scratch,
        other => panic!("what is `{other}`?"),
    };
    case
}

#[test]
fn answers_that_come_late_count_for_what_the_spec_says() {
    let machine = Machine::read(PAGE);
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("arrives in")) {
        let text = &row.spans("call")[0];
        let asked = question(&machine, &with_scratch_copies(row.cell("asked in")), text);
        let asked = asked.expect("these calls are asked about");
        let now = with_scratch_copies(row.cell("arrives in")).judge(machine.call(text));
        let answer = [Choice::Scratch, Choice::Once, Choice::Always, Choice::No]
            .into_iter()
            .find(|answer| choice(*answer) == row.cell("answered"))
            .expect("the answer is one of the four");
        let (is, says) = match asked.answer_by(now, answer, "") {
            Answered::Settled(Ok(permit)) => (confined(permit.confinement()).to_owned(), permit.reason().to_owned()),
            Answered::Settled(Err(refusal)) => ("refuse".to_owned(), refusal.message),
            Answered::Always(permit, rule) => (format!("always `{rule}`"), permit.reason().to_owned()),
            Answered::Again(ask) => {
                let (is, _, says) = told(&Verdict::Ask(ask));
                (is, says)
            }
        };
        checked += 1;
        if is != row.cell("counts for") || !says.contains(row.cell("says")) {
            wrong.push(format!("line {}: {is}: {says}", row.line));
        }
    }
    report(checked, 28, &wrong);
}

/// Over every combination: what arrives while the session plans never runs for real, unless the
/// gate itself had asked the very question that was answered.
#[test]
fn no_answer_from_before_opens_the_gate() {
    let machine = Machine::read(PAGE);
    let mut checked = 0;
    for before in [Mode::Default, Mode::AcceptEdits] {
        for commands in [PlanCommands::Ask, PlanCommands::Deny, PlanCommands::Scratch] {
            for walls in [Walls::Scratch, Walls::ReadOnly, Walls::None] {
                for text in CHANGES {
                    let Ok(_) = question(&machine, &Case::new(before, Mode::Default), text) else { continue };
                    for choice in [Choice::Scratch, Choice::Once, Choice::Always, Choice::No] {
                        let asked = question(&machine, &Case::new(before, Mode::Default), text).unwrap();
                        let now = Case { commands, walls, ..Case::new(Mode::Plan, before) };
                        let verdict = now.judge(machine.call(text));
                        // What no question stands before runs by itself, whatever was answered.
                        let unasked = matches!(&verdict, Verdict::Run(_));
                        match asked.answer_by(verdict, choice, "") {
                            Answered::Settled(Ok(permit)) if !unasked => {
                                assert_eq!(permit.confinement(), Confinement::Scratch, "{text} {choice:?}");
                            }
                            Answered::Always(..) => panic!("{text}: {choice:?} became a rule"),
                            Answered::Settled(_) | Answered::Again(_) => {}
                        }
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn what_the_user_types_runs() {
    let permit = typed_by_user("rm x".to_owned());
    assert_eq!((permit.confinement(), permit.by()), (Confinement::None, "user"));
    assert_eq!(permit.call().main_argument(), "rm x");
}

#[test]
fn a_permit_carries_the_call_its_paths_and_the_rules_it_was_judged_by() {
    let machine = Machine::read(PAGE);
    let mut case = Case::new(Mode::Default, Mode::Default);
    case.rules = Arc::new(rules(&["deny Read(.env)".to_owned()], Layer::Project));
    let Verdict::Run(permit) = case.judge(machine.call("Grep(src)")) else { panic!("a search runs") };
    assert_eq!(permit.call().tool_name(), "Grep");
    assert_eq!(permit.targets(), [machine.target("src")]);
    assert!(permit.rules().read_denied(Path::new("/home/ann/repo/src/.env")));
}

/// One call of each kind that changes something, and one that could.
const CHANGES: &[&str] = &[
    "Write(src/a.txt)",
    "Write(new.txt)",
    "Write(plan.md)",
    "Edit(src/a.txt)",
    "NotebookEdit(n.ipynb)",
    "Bash(rm f)",
    "Bash(mkdir d)",
    "Bash(& rm f)",
    "Bash(npm install)",
    "Bash(echo x > f)",
    "mcp__fs__write_file",
    "mcp__fs__write_file(hint)",
    "mcp__fs__write_file(trusted)",
];

/// One call of each kind that reads, or is the agent's own.
const OTHERS: &[&str] = &[
    "Read(src/a.txt)",
    "Glob(src)",
    "Grep(src)",
    "Bash(ls)",
    "TodoWrite",
    "Agent(general-purpose)",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "mcp__fs__read_file(hint trusted)",
];

const RULES: &[&[&str]] = &[
    &[],
    &["allow *"],
    &["allow Edit", "allow Write", "allow NotebookEdit", "allow Bash", "allow mcp__fs", "allow Edit(//**)"],
    &["allow Bash(rm f)", "allow Bash(npm install)", "allow Edit(/src/**)", "allow mcp__fs__write_file"],
    &["ask *", "allow *"],
];

/// Every combination of mode, mode before, agent, rules, hook, `plan.commands`, `plan.experiments` and
/// walls.
fn every_case(mut look: impl FnMut(&Case)) {
    let hooks = ["", "allow", "ask"];
    let span_lists = RULES.iter().map(|spans| spans.iter().map(|span| (*span).to_owned()).collect::<Vec<_>>());
    let rule_lists: Vec<_> = span_lists.map(|spans| Arc::new(rules(&spans, Layer::User))).collect();
    for (mode, before) in Mode::ALL.into_iter().flat_map(|mode| Mode::ALL.map(|before| (mode, before))) {
        for (read_only, sub_agent) in [(false, false), (false, true), (true, false), (true, true)] {
            for rules in &rule_lists {
                for (hook_says, commands, walls) in hooks.iter().flat_map(|hook| {
                    [PlanCommands::Ask, PlanCommands::Scratch, PlanCommands::Deny].into_iter().flat_map(
                        move |commands| {
                            [Walls::Scratch, Walls::ReadOnly, Walls::None].map(|walls| (hook, commands, walls))
                        },
                    )
                }) {
                    let mut case = Case::new(mode, before);
                    (case.read_only, case.sub_agent) = (read_only, sub_agent);
                    (case.commands, case.walls) = (commands, walls);
                    case.rules = Arc::clone(rules);
                    case.hook = hook(hook_says);
                    look(&case);
                    case.experiments = true;
                    look(&case);
                }
            }
        }
    }
}

/// Nothing that writes runs behind the gate but in a scratch copy; asked about, it is the user who
/// answers, each time, and what plainly changes something is not even asked about.
#[test]
fn behind_the_gate_nothing_changes_the_machine_unasked() {
    let machine = Machine::read(PAGE);
    let calls: Vec<_> = CHANGES.iter().map(|text| (text, machine.call(text))).collect();
    let mut checked = 0;
    every_case(|case| {
        if !case.permissions.planning() && !case.read_only {
            return;
        }
        for (text, call) in &calls {
            checked += 1;
            match case.judge(call.clone()) {
                Verdict::Run(permit) => assert_eq!(permit.confinement(), Confinement::Scratch, "{text} runs for real"),
                Verdict::Ask(ask) => {
                    assert!(!ask.choices.contains(&Choice::Always), "{text} could be allowed for good");
                    let plain = text.contains("rm f")
                        || text.contains("mkdir")
                        || !text.starts_with("Bash") && !text.starts_with("mcp");
                    assert!(!plain || !ask.choices.contains(&Choice::Once), "{text} is offered for real");
                    let by = ask.by();
                    assert!(by == "gate" || by.starts_with("rule") || by.starts_with("hook"), "{text} asked by {by}");
                    assert_eq!(ask.nobody().by, "nobody");
                }
                Verdict::Refuse(refusal) => assert_eq!(refusal.by, "gate", "{text}: {}", refusal.message),
            }
        }
    });
    assert!(checked > 10_000, "{checked} combinations");
}

/// Whatever else is in force, a deny rule and a hook's denial refuse.
#[test]
fn a_denial_wins_over_everything() {
    let machine = Machine::read(PAGE);
    let calls: Vec<_> = CHANGES.iter().chain(OTHERS).map(|text| (text, machine.call(text))).collect();
    let deny_all = rules(&["deny *".to_owned()], Layer::User).deny;
    every_case(|case| {
        for by in ["rule *", "hook guard"] {
            let mut denied = case.again();
            if by == "hook guard" {
                denied.hook = hook("deny");
            } else {
                denied.rules = Arc::new(Rules { deny: deny_all.clone(), ..Rules::clone(&case.rules) });
            }
            for (text, call) in &calls {
                match denied.judge(call.clone()) {
                    Verdict::Refuse(refusal) => assert_eq!(refusal.by, by, "{text}"),
                    Verdict::Run(_) | Verdict::Ask(_) => panic!("{text} is not refused by {by}"),
                }
            }
        }
    });
}

/// The calls that ask the user themselves never become anything else: they run into their own
/// dialogue, or are refused; no rule or hook answers for the user.
#[test]
fn dialogues_with_the_user_are_the_same_under_every_rule_hook_and_mode() {
    let machine = Machine::read(PAGE);
    every_case(|case| {
        for text in ["AskUserQuestion", "EnterPlanMode", "ExitPlanMode"] {
            let refused = case.sub_agent || (text == "ExitPlanMode" && !case.permissions.planning());
            let (is, by, _) = told(&case.judge(machine.call(text)));
            assert_eq!((is.as_str(), by.as_str()), (if refused { "refuse" } else { "run" }, "gate"), "{text}");
        }
    });
}

/// A read-only agent may do nothing that the thread which started it may not do unasked.
#[test]
fn a_child_is_never_looser_than_its_parent() {
    let machine = Machine::read(PAGE);
    let rank = |verdict: &Verdict| match verdict {
        Verdict::Refuse(_) => 0,
        Verdict::Ask(_) => 1,
        Verdict::Run(permit) => match permit.confinement() {
            Confinement::Scratch => 2,
            Confinement::ReadOnly => 3,
            Confinement::None => 4,
        },
    };
    let calls: Vec<_> = CHANGES.iter().chain(OTHERS).map(|text| (text, machine.call(text))).collect();
    every_case(|parent| {
        if parent.sub_agent {
            return;
        }
        let mut child = parent.again();
        child.sub_agent = true;
        child.read_only = parent.read_only || parent.permissions.planning();
        child.plan_file = PathBuf::new();
        for (text, call) in &calls {
            let (parents, childs) = (parent.judge(call.clone()), child.judge(call.clone()));
            assert!(rank(&childs) <= rank(&parents), "{text}: parent {parents:?}, child {childs:?}");
        }
    });
}
