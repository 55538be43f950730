//! The program's own time for a tool turn: request, answer, verdict, tool, log, notices. A scripted
//! model answers at once and reads a file in each of 200 turns, so nothing is waited for but the
//! program itself and the disk.
//!
//! `200 tool turns` is the time of all of them. `client time` is the time from the end of one answer
//! to the next request, at the beginning and at the end of such a session: it must not grow with it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use futures_util::StreamExt;
use planwright_agent::{Models, Session, Setup, Start};
use planwright_core::dialogue::{Input, Notice};
use planwright_core::mode::{AutoAccess, Mode};
use planwright_core::reply::{Abilities, Delta};
use planwright_core::request::Request;
use planwright_core::rules::{Layer, Origin};
use planwright_core::settings::{Environment, Settings};
use planwright_model::script::{Placeholders, ScriptModel};
use planwright_model::{Model, ReplyStream};
use planwright_store::home::Home;
use planwright_store::log::Log;
use planwright_store::plans::Plans;
use planwright_tools::Tools;
use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;
use uuid::Uuid;

const TURNS: u32 = 200;

fn setup(folder: &Path, home: &Home) -> Setup {
    let settings = Settings::default();
    let environment = Environment::default();
    Setup {
        home: home.clone(),
        root: folder.to_owned(),
        version: "bench",
        text: settings.workflow_text(&environment),
        origin: Origin {
            layer: Layer::Session,
            root: folder.to_owned(),
            cwd: folder.to_owned(),
            home: folder.to_owned(),
        },
        agents: planwright_core::agents::built_in(),
        auto: AutoAccess {
            opted_in: false,
            gate: Err("not here".to_owned()),
            while_planning: false,
            bypass_allowed: false,
        },
        plans: Plans::new(home, folder, None).0,
        tools: Tools::new(folder, &[]),
        seed: Uuid::new_v4().as_u64_pair().0,
        make_model: Box::new(|_| Err("not here".to_owned())),
        editor: None,
        relayed: false,
        can_ask: true,
        channels: false,
        remote: false,
        max_requests: None,
        instructions: None,
        date: "2026-01-01".to_owned(),
        settings,
    }
}

/// The scripted model, and when it was asked and had answered.
struct Timed {
    script: ScriptModel,
    times: Arc<Mutex<Times>>,
}

/// When the last answer ended, and how long after each answer the next request came.
#[derive(Default)]
struct Times {
    ended: Option<Instant>,
    between: Vec<Duration>,
}

impl Model for Timed {
    fn id(&self) -> String {
        self.script.id()
    }

    fn abilities(&self) -> Abilities {
        self.script.abilities()
    }

    fn ask(&self, request: Request) -> ReplyStream {
        let now = Instant::now();
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let between = times.ended.map(|ended| now.duration_since(ended));
        times.between.extend(between);
        let times = Arc::clone(&self.times);
        Box::pin(self.script.ask(request).inspect(move |delta| {
            if let Ok(Delta::Done(_)) = delta {
                times.lock().unwrap_or_else(PoisonError::into_inner).ended = Some(Instant::now());
            }
        }))
    }
}

/// Plays a session of 200 tool turns and one that speaks; yields the time from the prompt to its end,
/// and the times between an answer and the next request.
async fn play(folder: &Path, home: &Home, script: &Path, mode: Mode) -> (Duration, Vec<Duration>) {
    let placeholders = Placeholders { cwd: folder.to_owned(), home: folder.to_owned() };
    let times = Arc::default();
    let script = ScriptModel::load(script, placeholders).expect("the script is well-formed");
    let model = Arc::new(Timed { script, times: Arc::clone(&times) });
    let models = Models { main: model, plan: None, explore: None, fallback: None };
    let id = Uuid::new_v4();
    let log = Log::create(home, folder, id).expect("a log can be made");
    let ((say, inputs), (out, mut hear)) = (unbounded_channel(), unbounded_channel());
    let start = Start { mode: Some(mode), mode_in_doubt: false, plan_answer: None };
    let setup = Arc::new(setup(folder, home));
    let session = Session::create(setup, models, log, id, start, (inputs, out)).expect("a session can be made");
    let begun = Instant::now();
    let running = tokio::spawn(session.run());
    say.send(Input::Prompt("read them".to_owned())).expect("the session listens");
    let mut requests = 0;
    while let Some(notice) = hear.recv().await {
        if let Notice::TurnEnded(end) = notice {
            requests = end.requests;
            break;
        }
    }
    let took = begun.elapsed();
    assert_eq!(requests, TURNS + 1, "every turn was played");
    say.send(Input::Close).expect("the session listens");
    running.await.expect("the session ends");
    let between = std::mem::take(&mut times.lock().unwrap_or_else(PoisonError::into_inner).between);
    (took, between)
}

/// The middle one of the eleven times around a turn.
fn around(between: &[Duration], turn: usize) -> Duration {
    let mut times = between[turn - 6..turn + 5].to_vec();
    times.sort();
    times[5]
}

fn tool_turns(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = folder.path().canonicalize().expect("it is there");
    let home = Home::new(folder.join("home"));
    std::fs::write(folder.join("a.rs"), "fn main() {\n    println!(\"hello\");\n}\n".repeat(50))
        .expect("it can be written");
    let read = json!({"tools": [{"name": "Read", "input": {"file_path": "{cwd}/a.rs"}}]});
    let mut turns = vec![read; TURNS as usize];
    turns.push(json!({"text": "Done."}));
    let script = folder.join("script.json");
    std::fs::write(&script, json!({"turns": turns}).to_string()).expect("it can be written");

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    let mut group = criterion.benchmark_group("200 tool turns");
    // The throughput is in turns: the time of one is the time shown divided by 200.
    group.throughput(Throughput::Elements(TURNS.into())).sample_size(10).measurement_time(Duration::from_secs(8));
    for mode in [Mode::Default, Mode::Plan] {
        group.bench_function(mode.name(), |bencher| {
            bencher.iter_custom(|times| {
                (0..times).map(|_| runtime.block_on(play(&folder, &home, &script, mode)).0).sum::<Duration>()
            });
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("client time");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).measurement_time(Duration::from_secs(8));
    for turn in [10, 50, 100, 150, 190] {
        group.bench_function(format!("turn {turn}"), |bencher| {
            bencher.iter_custom(|times| {
                let session = |_| around(&runtime.block_on(play(&folder, &home, &script, Mode::Default)).1, turn);
                (0..times).map(session).sum::<Duration>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, tool_turns);
criterion_main!(benches);
