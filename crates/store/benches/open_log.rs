//! How long a session of 100,000 entries takes to open, and to be told about in a list.
//!
//! The entries are those of a long working session: one part in ten is a prompt, an answer, a tool
//! result of a few hundred bytes, a verdict, and so on.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use planwright_core::attach::{Attachment, ReminderType};
use planwright_core::reply::{Stop, Usage};
use planwright_core::request::Block;
use planwright_core::settings::WorkflowText;
use planwright_core::transcript::{Entry, Fact, SessionStarted};
use planwright_store::Home;
use planwright_store::log::Log;
use uuid::Uuid;

const ENTRIES: usize = 100_000;

fn fact(n: usize, cwd: &Path) -> Fact {
    let id = format!("toolu_{n:020}");
    match n % 10 {
        _ if n == 0 => Fact::SessionStarted(SessionStarted {
            session_id: Uuid::nil(),
            cwd: cwd.to_owned(),
            version: "1".to_owned(),
            forked_from: None,
            agent: None,
        }),
        0 => Fact::User { text: "now do the same for the other callers, and run the tests".to_owned() },
        1 => Fact::Attachment {
            attachment: Attachment::PlanMode {
                reminder_type: ReminderType::Sparse,
                is_sub_agent: false,
                plan_file_path: "/home/user/.planwright/plans/quiet-amber-otter.md".into(),
                plan_exists: true,
                text: WorkflowText::default(),
            },
        },
        2 | 5 | 8 => Fact::Assistant {
            blocks: vec![
                Block::Text { text: "Let me look at the callers first.".to_owned() },
                Block::ToolUse {
                    id,
                    name: "Grep".to_owned(),
                    input: serde_json::json!({"pattern": "list_posts\\(", "path": "src", "output_mode": "content"}),
                },
            ],
            stop: Stop::EndTurn,
            usage: Usage::default(),
            model: "a-model".to_owned(),
        },
        3 | 6 | 9 => Fact::PermissionDecision {
            tool: "Grep".to_owned(),
            tool_use_id: id,
            verdict: "allow".to_owned(),
            reason: "it only reads".to_owned(),
            by: "mode".to_owned(),
        },
        _ => Fact::ToolResult {
            tool_use_id: id,
            tool: "Grep".to_owned(),
            content: "web/feed.py:12:    posts = list_posts(all_posts)\n".repeat(8),
            is_error: false,
            seen: Vec::new(),
        },
    }
}

fn open(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let home = Home::new(folder.path().join("home"));
    let mut log = Log::create(&home, folder.path(), Uuid::nil()).expect("a log can be made");
    let timestamp = Timestamp::from_second(1_800_000_000).expect("a time");
    for batch in 0..ENTRIES / 1000 {
        let entries: Vec<Entry> = (batch * 1000..(batch + 1) * 1000)
            .map(|n| Entry { uuid: Uuid::from_u128(n as u128), timestamp, fact: fact(n, folder.path()) })
            .collect();
        log.append(&entries).expect("a log can be written");
    }
    let path = log.path().to_owned();
    drop(log);

    let mut group = criterion.benchmark_group("log of 100,000 entries");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    group.bench_function("open", |bencher| {
        // What becomes of the entries later is not part of opening.
        bencher.iter_with_large_drop(|| {
            let opened = Log::open(black_box(&path)).expect("the log can be opened");
            assert_eq!(opened.entries.len(), ENTRIES);
            opened
        });
    });
    group.bench_function("summary", |bencher| {
        bencher.iter(|| planwright_store::sessions::sessions(black_box(&home), folder.path()).len());
    });
    group.finish();
}

criterion_group!(benches, open);
criterion_main!(benches);
