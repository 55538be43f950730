//! Everything that a confined command could try, tried; the verdict is always taken from outside.
//!
//! Runs as root, and lets go of that for the part that an ordinary user makes. Where it is not started
//! by root it fails, unless `PLANWRIGHT_ESCAPE_AS_USER=1` says that half of it is enough.
//! A word as an argument runs only what has it in its name.
#![allow(unsafe_code, clippy::unwrap_used, clippy::print_stdout)]

mod attacks;
mod bubblewrap;
mod files;
mod kernel;
mod life;
mod prey;
mod programs;
mod server;
mod table;
mod tiers;
mod views;
mod work;
mod world;

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use prey::Prey;

/// A user that nobody is.
const USER: u32 = 47_110;
/// The user as whom the kernel shows everybody who is not known in a namespace.
const OVERFLOW: u32 = 65_534;

fn main() -> ExitCode {
    if let Some(code) = planwright_sandbox::boxed_main() {
        return code;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["attack", name] => attack(name),
        ["mark", file] => views::mark(file),
        ["victim", file] => world::victim(file),
        [kind @ ("agent" | "server"), walls, cwd, mark] => life::agent(kind, walls, cwd, mark),
        ["small-disk", root, small] => life::on_small_disk(root, small),
        ["tier", how, project] => tiers::told(how, project),
        ["suite", roots, filter @ ..] => suite(roots, filter),
        ["beside", user, roots, filter @ ..] => bubblewrap::beside(user, roots, filter),
        ["by-bubblewrap", roots, filter @ ..] => bubblewrap::suite(roots, filter),
        filter => both(filter),
    }
}

/// The hostile command.
fn attack(name: &str) -> ExitCode {
    let prey = Prey::from_environment();
    let attack = attacks::all().into_iter().find(|attack| attack.name == name).unwrap();
    match (attack.attempt)(&prey) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// As root, then as an ordinary user.
fn both(filter: &[&str]) -> ExitCode {
    // SAFETY: it takes no pointer.
    let root = unsafe { libc::geteuid() } == 0;
    let half = std::env::var_os("PLANWRIGHT_ESCAPE_AS_USER").is_some();
    assert!(root || half, "this needs root, for half of it; PLANWRIGHT_ESCAPE_AS_USER=1 runs the other half only");
    let own = tempfile::Builder::new().prefix("pw-escape-program-").tempdir().unwrap();
    std::fs::set_permissions(own.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = own.path().join("escape");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    // What an ordinary user could not read where it is.
    let packages = own.path().join("packages");
    bubblewrap::copy_all(Path::new(bubblewrap::PACKAGES), &packages);
    let mut good = true;
    for (user, name, only) in
        [(None, "root", None), (Some(USER), "an ordinary user", None), (Some(OVERFLOW), "nobody", Some("views"))]
    {
        if !root && user != Some(USER) {
            continue;
        }
        if only.is_some_and(|only| !filter.is_empty() && !filter.contains(&only)) {
            continue;
        }
        println!("\n== as {name}\n");
        let filter = only.as_ref().map_or(filter, std::slice::from_ref);
        let roots = Roots::make(user.filter(|_| root));
        let mut command = Command::new(&program);
        command.arg("suite").arg(std::env::join_paths(&roots.0).unwrap()).args(filter).env("HOME", &roots.0[1]);
        command
            .env("PW_HOME", std::env::var_os("HOME").unwrap_or_default())
            .env("PW_PACKAGES", &packages)
            .env_remove("XDG_RUNTIME_DIR")
            .current_dir("/");
        if let Some(user) = user.filter(|_| root) {
            command.uid(user).gid(user);
        }
        good &= command.status().unwrap().success();
    }
    if root {
        let (own, theirs) = (Roots::make(None), Roots::make_as("user", Some(USER)));
        good &= bubblewrap::both(&program, &[&own.0, &theirs.0], [None, Some(USER)], filter);
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Folders in different places of the machine, which are removed at the end.
struct Roots(Vec<PathBuf>);

impl Roots {
    fn make(user: Option<u32>) -> Self {
        Self::make_as("escape", user)
    }

    fn make_as(name: &str, user: Option<u32>) -> Self {
        let id = std::process::id();
        let mut roots = Vec::new();
        for place in ["/tmp", "/var/tmp", "/opt", "/srv", "/run", "/home"] {
            let folder = Path::new(place).join(format!("pw-{name}-{id}"));
            // An ordinary user can make them in some of these only.
            if std::fs::create_dir_all(&folder).is_ok() {
                if let Some(user) = user {
                    chown(&folder, Some(user), Some(user)).unwrap();
                }
                roots.push(folder);
            }
        }
        assert!(roots.len() >= 2);
        Self(roots)
    }
}

impl Drop for Roots {
    fn drop(&mut self) {
        self.0.iter().for_each(|root| world::remove(root));
    }
}

/// Given the folders, what was wrong.
type Part = fn(&[PathBuf]) -> Vec<String>;

/// All parts, as whoever this is.
fn suite(roots: &str, filter: &[&str]) -> ExitCode {
    let roots: Vec<PathBuf> = std::env::split_paths(roots).collect();
    let wanted = |name: &str| filter.is_empty() || filter.iter().any(|word| name.contains(word));
    let mut wrong = Vec::new();
    let parts: &[(&str, Part)] =
        &[("life", life::run), ("views", views::run), ("work", work::run), ("tiers", tiers::run)];
    for (name, part) in parts {
        if wanted(name) {
            let start = std::time::Instant::now();
            let found = part(&roots);
            println!("{name}: {} wrong, {:?}", found.len(), start.elapsed());
            wrong.extend(found);
        }
    }
    let attacks: Vec<attacks::Attack> = attacks::all()
        .into_iter()
        .filter(|attack| filter.is_empty() || wanted(attack.name) || wanted("attacks"))
        .collect();
    if !attacks.is_empty() {
        wrong.extend(table::run(&roots, &attacks, &table::ALL));
    }
    if wrong.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nwrong:\n{}", wrong.join("\n"));
    ExitCode::FAILURE
}
