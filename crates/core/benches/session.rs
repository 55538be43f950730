//! How long the pure part of a tool turn takes: folding, the notes that are due, the request, the
//! verdict; in a session of 500 turns, so that whatever grows with the session is seen.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use planwright_core::attach::{self, Circumstances};
use planwright_core::call::{self, Call};
use planwright_core::mode::{Cause, Mode};
use planwright_core::permit::{CommandContext, Situation, Target, TargetKind, Walls, judge};
use planwright_core::prompts::{self, Offer, SystemFacts};
use planwright_core::reply::{Stop, Usage};
use planwright_core::request::{Block, Request, ToolSpec};
use planwright_core::rules::{Behavior, Layer, Origin, Rule, Rules};
use planwright_core::settings::{Eagerness, PlanCommands, Reminders, WorkflowText};
use planwright_core::state::State;
use planwright_core::transcript::{Fact, ModeChange};
use serde_json::json;

const TURNS: usize = 500;
const ROOT: &str = "/home/user/project";
const PLAN: &str = "/home/user/.planwright/plans/quiet-amber-otter.md";

/// The session enters plan mode, and then has a human turn for every five tool turns.
fn facts() -> Vec<Fact> {
    let change = ModeChange {
        from: Mode::Default,
        to: Mode::Plan,
        cause: Cause::Command,
        pre_plan_mode: Some(Mode::Default),
        auto_active: false,
        stripped: BTreeMap::new(),
        auto_exit_note: false,
        fallback: None,
    };
    let mut facts = vec![Fact::PermissionMode(change)];
    facts.extend((0..TURNS).flat_map(turn));
    facts
}

fn turn(n: usize) -> Vec<Fact> {
    let id = format!("toolu_{n:020}");
    let mut facts = Vec::new();
    if n.is_multiple_of(5) {
        facts.push(Fact::User { text: "now do the same for the other callers, and run the tests".to_owned() });
    }
    facts.push(Fact::Assistant {
        blocks: vec![
            Block::Text { text: "Let me look at the callers first.".to_owned() },
            Block::ToolUse { id: id.clone(), name: "Grep".to_owned(), input: json!({"pattern": "list_posts\\("}) },
        ],
        stop: Stop::ToolUse,
        usage: Usage::default(),
        model: "a-model".to_owned(),
    });
    facts.push(Fact::PermissionDecision {
        tool: "Grep".to_owned(),
        tool_use_id: id.clone(),
        verdict: "allow".to_owned(),
        reason: "it only reads".to_owned(),
        by: "gate".to_owned(),
    });
    facts.push(Fact::ToolResult {
        tool_use_id: id,
        tool: "Grep".to_owned(),
        content: "web/feed.py:12:    posts = list_posts(all_posts)\n".repeat(8),
        is_error: false,
        seen: Vec::new(),
    });
    facts
}

fn fold(criterion: &mut Criterion) {
    let facts = facts();
    let mut group = criterion.benchmark_group("session of 500 turns");
    group.bench_function("fold it", |bencher| bencher.iter(|| State::fold(black_box(&facts)).messages().len()));

    let state = State::fold(&facts);
    let one_more = turn(TURNS + 1);
    group.bench_function("fold one more turn in", |bencher| {
        let more = |mut state: State| {
            one_more.iter().for_each(|fact| state.apply(fact));
            state
        };
        bencher.iter_batched(|| state.clone(), more, criterion::BatchSize::SmallInput);
    });

    let about = SystemFacts {
        cwd: Path::new(ROOT),
        platform: "linux",
        date: "2026-01-01",
        eagerness: Eagerness::default(),
        instructions: None,
        can_ask: true,
    };
    let system: Arc<str> = prompts::system(&about).into();
    let offer = Offer { can_ask: true, channels: false, sub_agent: false, read_only_type: false, experiments: false };
    let tools: Arc<[ToolSpec]> = prompts::tools_with_agents(offer, Eagerness::default(), &[]).into();
    group.bench_function("the notes that are due", |bencher| bencher.iter(|| due(black_box(&state))));
    group.bench_function("build the request of turn 500", |bencher| {
        bencher.iter(|| {
            let notes = due(&state);
            let request = Request {
                session_id: "01234567-89ab-4def-8123-456789abcdef".to_owned(),
                agent: None,
                system: Arc::clone(&system),
                tools: Arc::clone(&tools),
                messages: state.messages().to_vec(),
                plan_file: Some(PLAN.into()),
            };
            (notes, request)
        });
    });
    group.finish();
}

fn due(state: &State) -> usize {
    let reminders = Reminders::default();
    let now = Circumstances {
        plan_file: Path::new(PLAN),
        plan_exists: true,
        reminders: &reminders,
        text: WorkflowText::default(),
        sub_agent: false,
        read_only: false,
    };
    attach::due(state.ledger(), state.permissions(), now).len()
}

fn verdicts(criterion: &mut Criterion) {
    let state = State::fold(&facts());
    let rules = Arc::new(fifty_rules());
    let roots = [PathBuf::from(ROOT)];
    let situation = Situation {
        permissions: state.permissions(),
        read_only: false,
        sub_agent: false,
        rules: &rules,
        plan_file: Path::new(PLAN),
        roots: &roots,
        commands: PlanCommands::Ask,
        shell: &CommandContext::default(),
        walls: Walls::ReadOnly,
        experiments: false,
        hook: None,
    };
    let mut group = criterion.benchmark_group("judge, under 50 rules, while planning");
    for (name, tool, input) in [
        ("a read", "Read", json!({"file_path": "src/main.rs"})),
        ("an edit", "Edit", json!({"file_path": "src/main.rs", "old_string": "a", "new_string": "b"})),
        (
            "a command",
            "Bash",
            json!({"command": "grep -rn 'list_posts(' web | sort | uniq -c && git log --oneline -5"}),
        ),
    ] {
        let call = call::parse(tool, &input).expect("the call is well-formed");
        group.bench_function(name, |bencher| {
            let given = || (call.clone(), targets(&call));
            bencher.iter_batched(
                given,
                |(call, targets)| judge(call, targets, &situation),
                criterion::BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

fn targets(call: &Call) -> Vec<Target> {
    match call {
        Call::Read(_) | Call::Edit(_) => {
            let path = Path::new(ROOT).join("src/main.rs");
            vec![Target {
                named: "src/main.rs".to_owned(),
                absolute: path.clone(),
                real: path,
                kind: TargetKind::File,
                links: 1,
                identity: Some((1, 2)),
                symlink: false,
            }]
        }
        _ => Vec::new(),
    }
}

fn fifty_rules() -> Rules {
    let origin = Origin {
        layer: Layer::User,
        root: "/home/user/.planwright".into(),
        cwd: ROOT.into(),
        home: "/home/user".into(),
    };
    let mut rules = Rules::default();
    for n in 0..10 {
        for (behavior, text) in [
            (Behavior::Allow, format!("Bash(npm run task{n}:*)")),
            (Behavior::Allow, format!("Edit(/src/generated{n}/**)")),
            (Behavior::Ask, format!("Bash(git push origin{n} *)")),
            (Behavior::Deny, format!("Read(./secrets{n}/**)")),
            (Behavior::Deny, format!("Edit(//etc/conf{n}/*.toml)")),
        ] {
            rules.add(behavior, Rule::parse(&text, &origin).expect("the rule is well-formed"));
        }
    }
    rules
}

criterion_group!(benches, fold, verdicts);
criterion_main!(benches);
