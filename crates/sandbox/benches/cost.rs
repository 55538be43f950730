//! What walls cost: a command that does nothing, free and behind each kind of walls, in one run.
//! Median, least, and 95th of 100, of 200 each; taken in turns, so that load falls on all alike.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use planwright_sandbox::{Cancel, Confinement, Program, ScratchView, Spec, Tier, spawn};

const ROUNDS: usize = 200;

fn main() -> ExitCode {
    if let Some(code) = planwright_sandbox::boxed_main() {
        return code;
    }
    if std::env::args().any(|argument| argument == "--test") {
        // `cargo test --benches` asks only whether it would run.
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(run());
    ExitCode::SUCCESS
}

async fn run() {
    let project = tempfile::tempdir().unwrap();
    let place = tempfile::tempdir().unwrap();
    let view = ScratchView::new(place.path()).unwrap();
    let spec = |confinement, tier, view: Option<ScratchView>| Spec {
        tier,
        view,
        ..Spec::new(Program::Argv(vec![OsString::from("/bin/true")]), project.path(), confinement)
    };
    let kinds = [
        ("plain", spec(Confinement::None, Tier::Scratch, None)),
        ("filters only", spec(Confinement::ReadOnly, Tier::ReadOnly, None)),
        ("read-only", spec(Confinement::ReadOnly, Tier::Scratch, None)),
        ("scratch, thrown away", spec(Confinement::Scratch, Tier::Scratch, None)),
        ("scratch, kept", spec(Confinement::Scratch, Tier::Scratch, Some(view.clone()))),
    ];
    let mut times = vec![Vec::new(); kinds.len()];
    for _ in 0..ROUNDS {
        for ((_, spec), times) in kinds.iter().zip(&mut times) {
            let start = Instant::now();
            let ended = spawn(spec.clone(), &Cancel::new()).await.unwrap();
            times.push(start.elapsed());
            assert!(ended.ending.success(), "{ended:?}");
        }
    }
    println!("{:24}{:>9}{:>9}{:>9}   ms", "walls", "median", "least", "p95");
    for ((name, _), times) in kinds.iter().zip(&mut times) {
        times.sort();
        let at = |place: usize| milliseconds(times[place]);
        println!("{name:24}{:9.2}{:9.2}{:9.2}", at(ROUNDS / 2), at(0), at(ROUNDS * 95 / 100));
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
