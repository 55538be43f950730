//! What walls cost, in one run, free and behind each kind of walls: a command that does nothing (median,
//! least, and 95th of 100, of 200 each), a search through 20,000 files, a second `cargo test`, and memory.
//! Taken in turns, so that load falls on all alike.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use planwright_sandbox::{Cancel, Confinement, Program, ScratchView, Spec, Tier, spawn, spawn_background};

const ROUNDS: usize = 200;
/// Rounds of what takes longer.
const FEW: usize = 9;
const FILES: usize = 20_000;

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
    let kinds = Kinds::of(project.path(), &view);
    kinds.table("nothing", ROUNDS, Program::Argv(vec![OsString::from("/bin/true")])).await;
    fill(project.path());
    kinds.table("grep, 20,000 files", FEW, Program::Line("grep -rc needle . | tail -1".to_owned())).await;
    package(project.path());
    let test = format!("'{}' test -q --offline", env!("CARGO"));
    for (_, spec) in kinds.0.iter().filter(|(name, _)| matches!(*name, "plain" | "scratch, kept")) {
        // The first one builds.
        spent(spec, &Program::Line(test.clone())).await;
    }
    let warm = Kinds(kinds.0.iter().filter(|(name, _)| matches!(*name, "plain" | "scratch, kept")).cloned().collect());
    warm.table("second cargo test", FEW, Program::Line(test)).await;
    for (name, spec) in &kinds.0 {
        memory(name, spec).await;
    }
}

/// How a command can be run.
struct Kinds(Vec<(&'static str, Spec)>);

impl Kinds {
    fn of(project: &Path, view: &ScratchView) -> Self {
        let spec = |confinement, tier, view: Option<&ScratchView>| Spec {
            tier,
            view: view.cloned(),
            ..Spec::new(Program::Line(String::new()), project, confinement)
        };
        Self(vec![
            ("plain", spec(Confinement::None, Tier::Scratch, None)),
            ("filters only", spec(Confinement::ReadOnly, Tier::ReadOnly, None)),
            ("read-only", spec(Confinement::ReadOnly, Tier::Scratch, None)),
            ("scratch, thrown away", spec(Confinement::Scratch, Tier::Scratch, None)),
            ("scratch, kept", spec(Confinement::Scratch, Tier::Scratch, Some(view))),
        ])
    }

    async fn table(&self, what: &str, rounds: usize, program: Program) {
        let mut times = vec![Vec::new(); self.0.len()];
        for _ in 0..rounds {
            for ((_, spec), times) in self.0.iter().zip(&mut times) {
                times.push(spent(spec, &program).await);
            }
        }
        println!("\n{what:24}{:>9}{:>9}{:>9}   ms, of {rounds}", "median", "least", "p95");
        for ((name, _), times) in self.0.iter().zip(&mut times) {
            times.sort();
            let at = |place: usize| milliseconds(times[place]);
            println!("{name:24}{:9.2}{:9.2}{:9.2}", at(rounds / 2), at(0), at(rounds * 95 / 100));
        }
    }
}

async fn spent(spec: &Spec, program: &Program) -> Duration {
    let start = Instant::now();
    let ended = spawn(Spec { program: program.clone(), ..spec.clone() }, &Cancel::new()).await.unwrap();
    assert!(ended.ending.success(), "{ended:?}");
    start.elapsed()
}

fn fill(project: &Path) {
    for number in 0..FILES {
        let folder = project.join(format!("{}", number / 200));
        if number % 200 == 0 {
            std::fs::create_dir(&folder).unwrap();
        }
        std::fs::write(folder.join(format!("{number}")), "some line of hay\n".repeat(200)).unwrap();
    }
}

fn package(project: &Path) {
    std::fs::create_dir(project.join("src")).unwrap();
    let manifest = "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(project.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(project.join("src/lib.rs"), "#[test]\nfn it_works() {}\n").unwrap();
}

/// The most memory that the processes of a box ever had, each; pages that they share count in each.
async fn memory(name: &str, spec: &Spec) {
    let line = Program::Line("exec sleep 30".to_owned());
    let (pid, running) = spawn_background(Spec { program: line, ..spec.clone() }).unwrap();
    let mut chain = vec![pid];
    while !is_sleep(*chain.last().unwrap()) {
        tokio::task::yield_now().await;
        chain = descent(pid);
    }
    let own: Vec<String> = chain[..chain.len() - 1].iter().map(|pid| format!("{} kB", peak(*pid))).collect();
    println!("{name:24}peak of its processes, without the command: {}", own.join(", "));
    running.stop();
    running.ended().await;
}

fn is_sleep(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name == "sleep\n")
}

fn descent(mut pid: u32) -> Vec<u32> {
    let mut chain = vec![pid];
    let first = |pid| {
        let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
        list.split_whitespace().next()?.parse().ok()
    };
    while let Some(child) = first(pid) {
        pid = child;
        chain.push(pid);
    }
    chain
}

fn peak(pid: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).unwrap_or("?").to_owned()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
