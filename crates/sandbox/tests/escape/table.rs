//! Every attack behind every kind of walls, and without any; one table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use planwright_sandbox::{Cancel, Confinement, Ended, Program, SpawnError, Spec, Tier, spawn};

use crate::attacks::{Attack, Control};
use crate::world::{self, World};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walls {
    None,
    Filters,
    ReadOnly,
    Scratch,
}

pub const ALL: [Walls; 4] = [Walls::None, Walls::Filters, Walls::ReadOnly, Walls::Scratch];

/// What is known to go through, and is said in the documentation. Anything else is a leak, and so is
/// nothing where this says something.
const RESIDUE: &[(Walls, &str)] = &[
    // Without a mount namespace nothing can keep the kernel from noting that a file was read.
    (Walls::Filters, "time of access, by reading"),
    (Walls::Filters, "time of access, by listing"),
    (Walls::Filters, "time of access, by running"),
    // Reading a pipe takes away what is in it; only an overlay has its own.
    (Walls::Filters, "a message taken from a pipe"),
    (Walls::ReadOnly, "a message taken from a pipe"),
];

pub fn spec(walls: Walls, program: Program, cwd: &std::path::Path) -> Spec {
    let (confinement, tier) = match walls {
        Walls::None => (Confinement::None, Tier::Scratch),
        Walls::Filters => (Confinement::ReadOnly, Tier::ReadOnly),
        Walls::ReadOnly => (Confinement::ReadOnly, Tier::Scratch),
        Walls::Scratch => (Confinement::Scratch, Tier::Scratch),
    };
    Spec { tier, timeout: Some(Duration::from_secs(60)), ..Spec::new(program, cwd, confinement) }
}

/// Runs a command to its end.
pub fn run_spec(spec: Spec) -> Result<Ended, SpawnError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(spawn(spec, &Cancel::new()))
}

struct Verdict {
    leaks: Vec<String>,
    said: String,
}

pub fn run(roots: &[PathBuf], attacks: &[Attack], walls: &[Walls]) -> Vec<String> {
    // SAFETY: it takes no pointer.
    let root = unsafe { libc::geteuid() } == 0;
    let mut wrong = Vec::new();
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    println!("{:58}{:>9}{:>9}{:>11}{:>9}", "attack", "no walls", "filters", "read-only", "scratch");
    for (number, attack) in attacks.iter().enumerate() {
        let mut cells = Vec::new();
        for kind in ALL {
            if !walls.contains(&kind) || kind == Walls::None && attack.control == Control::Never {
                cells.push("-");
                continue;
            }
            let mark = format!("{}-{number}-{kind:?}", std::process::id());
            let verdict = attempt(roots, attack, kind, &mark);
            let leaked = !verdict.leaks.is_empty();
            let expected = match (kind, attack.control) {
                (Walls::None, Control::Leaks) => Some(true),
                (Walls::None, Control::RootLeaks) => root.then_some(true),
                (Walls::None, Control::Perhaps | Control::Never) => None,
                _ => Some(RESIDUE.contains(&(kind, attack.name))),
            };
            if expected.is_some_and(|expected| expected != leaked) {
                let short = |text: &str| text.chars().take(300).collect::<String>();
                let leaks: Vec<String> = verdict.leaks.iter().take(4).map(|leak| short(leak)).collect();
                wrong.push(format!("{} / {kind:?}: {} ({})", attack.name, leaks.join("; "), short(&verdict.said)));
            }
            cells.push(if leaked { "LEAK" } else { "ok" });
        }
        for (walls, cell) in ["no walls", "filters", "read-only", "scratch"].into_iter().zip(&cells) {
            *totals.entry(walls).or_default() += usize::from(*cell == "LEAK");
        }
        println!("{:58}{:>9}{:>9}{:>11}{:>9}", attack.name, cells[0], cells[1], cells[2], cells[3]);
    }
    println!("{} attacks; leaks: {totals:?}", attacks.len());
    wrong
}

fn attempt(roots: &[PathBuf], attack: &Attack, walls: Walls, mark: &str) -> Verdict {
    let mut world = World::new(roots, mark);
    let program = std::env::current_exe().unwrap();
    let argv = [program.into_os_string(), "attack".into(), attack.name.into()];
    let mut spec = spec(walls, Program::Argv(argv.to_vec()), &roots[0]);
    spec.env = world.prey.environment();
    let before = world.look();
    let over = AtomicBool::new(false);
    let lock = roots[0].join("lock");
    let watches_locks = attack.name.contains("lock") || attack.name.contains("lease");
    let (ended, locked) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut locked = false;
            while watches_locks && !over.load(Ordering::Relaxed) {
                locked |= world::is_locked(&lock);
                std::thread::sleep(Duration::from_millis(5));
            }
            locked
        });
        let ended = run_spec(spec);
        over.store(true, Ordering::Relaxed);
        (ended, watch.join().unwrap())
    });
    // Without walls what was started may take a moment to be there.
    if walls == Walls::None {
        std::thread::sleep(Duration::from_millis(20));
    }
    let after = world.look();
    let mut leaks = differences(&before, &after, walls == Walls::Filters && !attack.name.starts_with("time of access"));
    if locked {
        leaks.push("a lock was held".to_owned());
    }
    let said = match ended {
        Ok(ended) => {
            let said = format!("{:?} {}", ended.ending, ended.output.text());
            let breaches = said.lines().filter(|line| line.contains("BREACH"));
            leaks.extend(breaches.map(str::to_owned));
            said
        }
        Err(error) => {
            leaks.push(format!("it was not run: {error}"));
            String::new()
        }
    };
    clean(mark);
    Verdict { leaks, said }
}

/// What differs. Times of access are left out where nothing keeps them.
pub fn differences(
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
    without_atime: bool,
) -> Vec<String> {
    let told = |text: &String| {
        let mut words: Vec<&str> = text.split(' ').collect();
        if without_atime && let Some(place) = words.iter().position(|word| *word == "atime") {
            words.drain(place..=place + 1);
        }
        words.join(" ")
    };
    let mut found = Vec::new();
    for (name, was) in before {
        match after.get(name) {
            Some(is) if told(is) == told(was) => {}
            Some(is) => found.push(format!("{name}: {was} -> {is}")),
            None => found.push(format!("{name} is gone")),
        }
    }
    found.extend(after.keys().filter(|name| !before.contains_key(*name)).map(|name| format!("{name} is new")));
    found
}

/// Undoes what an attack without walls has left in places that are not the prey's.
fn clean(mark: &str) {
    for pid in world::survivors(mark) {
        // SAFETY: it takes no pointer; the process carries the mark of this run.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
    let name = format!("pw-{mark}");
    for folder in ["/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/usr", "/etc/cron.d"] {
        let _ = std::fs::remove_file(PathBuf::from(folder).join(&name));
    }
    for folder in ["/sys/fs/cgroup", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified"] {
        let _ = std::fs::remove_dir(PathBuf::from(folder).join(&name));
    }
}
