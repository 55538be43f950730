//! The tier, on machines that allow less and less.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use planwright_sandbox::{Ending, Protection, Tier, probe};

use crate::life::line;
use crate::table::{Walls, run_spec};

pub fn run(roots: &[PathBuf]) -> Vec<String> {
    let project = roots[0].to_str().unwrap();
    let mut wrong = Vec::new();
    // how the machine is, the tier, part of the reason
    let rows = [
        ("as it is", "sealed", ""),
        ("no user namespaces", "read-only", "namespaces"),
        ("no namespaces by filter", "read-only", "namespaces"),
        ("no mounts by filter", "read-only", "mounts"),
        ("masked /proc", "read-only", "/proc"),
        ("in Landlock", "read-only", "mounts"),
        ("in a scratch copy", "read-only", "namespaces"),
        ("in a read-only box", "unenforced", ""),
        ("no Landlock and no namespaces", "unenforced", ""),
        ("mount in the project", "read-only", "mounted"),
        ("no way to write in the copy", "read-only", "in a scratch copy of the project folder"),
    ];
    for (how, tier, reason) in rows {
        let said = match how {
            "in a scratch copy" => nested(Walls::Scratch, project),
            "in a read-only box" => nested(Walls::ReadOnly, project),
            _ => {
                let output = Command::new("/proc/self/exe").args(["tier", how, project]).output().unwrap();
                String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
            }
        };
        let first = said.lines().next().unwrap_or_default();
        println!("  {how}: {first}");
        let good = first.starts_with(tier) && first.contains(reason) && said.contains("as told");
        if !good {
            wrong.push(format!("{how}: {said}"));
        }
    }
    if let Err(error) = cached(&roots[1], Path::new(project)) {
        wrong.push(format!("cache: {error}"));
    }
    wrong
}

fn nested(walls: Walls, project: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let text = format!("'{}' tier 'as it is' '{project}'", program.display());
    run_spec(line(walls, Path::new(project), &text)).map_or_else(|error| error.to_string(), |ended| ended.output.text())
}

fn examined(project: &Path, cache: Option<&Path>) -> Protection {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(probe(project, cache))
}

/// Takes something from this process, finds the tier, says it, and looks whether commands are held to
/// it.
pub fn told(how: &str, project: &str) -> ExitCode {
    restrict(how, project);
    let project = Path::new(project);
    let protection = examined(project, None);
    println!("{}; {}", protection.tier, protection.reason.clone().unwrap_or_default());
    println!("{:?}", protection.evidence);
    println!("{:?}", protection.remedy);
    let run = |walls| {
        run_spec(planwright_sandbox::Spec {
            tier: protection.tier.clone(),
            ..line(walls, project, "echo x > pw-told; true")
        })
    };
    let ran = |walls| run(walls).is_ok_and(|ended| ended.ending == Ending::Exited(0));
    let (scratch, read) = (ran(Walls::Scratch), ran(Walls::ReadOnly));
    let held = !project.join("pw-told").exists();
    let told = match protection.tier {
        Tier::Scratch => scratch && read,
        Tier::ReadOnly => !scratch && read,
        Tier::Unenforced { .. } => !scratch && !read,
    };
    println!("{}", if told && held { "as told" } else { "NOT as told" });
    println!("{scratch} {read} {held} {:?} {:?}", run(Walls::Scratch).err(), run(Walls::ReadOnly).err());
    ExitCode::SUCCESS
}

pub fn restrict(how: &str, project: &str) {
    match how {
        "no user namespaces" => {
            own_namespaces(libc::CLONE_NEWUSER);
            std::fs::write("/proc/sys/user/max_user_namespaces", "0").unwrap();
        }
        "no namespaces by filter" => {
            filter(&[libc::SYS_unshare, libc::SYS_setns, libc::SYS_mount], &[(libc::SYS_clone, 0x7e02_0000)]);
        }
        "no mounts by filter" => {
            filter(
                &[libc::SYS_mount, libc::SYS_umount2, libc::SYS_open_tree, libc::SYS_move_mount, libc::SYS_fsopen],
                &[],
            );
        }
        // What bubblewrap does not use, and a box of our own does.
        "no new mounts" => {
            let [open, set] = [libc::SYS_open_tree, libc::SYS_mount_setattr];
            filter(&[open, set, libc::SYS_move_mount, libc::SYS_fsopen, libc::SYS_fsmount], &[]);
        }
        "masked /proc" => {
            own_namespaces(libc::CLONE_NEWUSER | libc::CLONE_NEWNS);
            mount(c"/dev/null", c"/proc/cpuinfo");
        }
        "mount in the project" => {
            own_namespaces(libc::CLONE_NEWUSER | libc::CLONE_NEWNS);
            let inner = Path::new(project).join("folder");
            std::fs::create_dir_all(&inner).unwrap();
            let inner = std::ffi::CString::new(inner.to_str().unwrap()).unwrap();
            mount(&inner, &inner);
        }
        // The trial run does without, and what the agent itself writes in a copy does not.
        "no way to write in the copy" => filter(&[libc::SYS_openat2], &[]),
        "in Landlock" => landlock(),
        "no Landlock and no namespaces" => filter(&[444, 445, 446], &[(libc::SYS_clone, 0x7e02_0000)]),
        _ => {}
    }
}

/// A mount namespace of this program's own, as root.
pub fn own_mounts() {
    // SAFETY: it takes no pointer.
    assert_eq!(unsafe { libc::unshare(libc::CLONE_NEWNS) }, 0);
    crate::bubblewrap::mount("none", "/", "none", libc::MS_REC | libc::MS_PRIVATE, "");
}

fn own_namespaces(flags: i32) {
    // SAFETY: none of them takes a pointer.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    assert_eq!(unsafe { libc::unshare(flags) }, 0);
    std::fs::write("/proc/self/setgroups", "deny").unwrap();
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1")).unwrap();
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1")).unwrap();
}

fn mount(what: &std::ffi::CStr, at: &std::ffi::CStr) {
    // SAFETY: C strings that outlive the call.
    let mounted = unsafe { libc::mount(what.as_ptr(), at.as_ptr(), std::ptr::null(), libc::MS_BIND, std::ptr::null()) };
    assert_eq!(mounted, 0, "{}", std::io::Error::last_os_error());
}

/// Refuses some calls always, and some when their first argument has one of these bits.
fn filter(always: &[i64], bits: &[(i64, u32)]) {
    let instruction = |code: u16, jt: u8, jf: u8, k: u32| libc::sock_filter { code, jt, jf, k };
    let refuse = instruction(6, 0, 0, 0x0005_0001);
    let mut code = vec![instruction(0x20, 0, 0, 0)];
    for call in always {
        code.extend([instruction(0x15, 0, 1, u32::try_from(*call).unwrap()), refuse]);
    }
    for (call, mask) in bits {
        code.extend([
            instruction(0x15, 0, 4, u32::try_from(*call).unwrap()),
            instruction(0x20, 0, 0, 16),
            instruction(0x45, 0, 1, *mask),
            refuse,
            instruction(0x20, 0, 0, 0),
        ]);
    }
    code.push(instruction(6, 0, 0, 0x7fff_0000));
    let program = libc::sock_fprog { len: code.len().try_into().unwrap(), filter: code.as_mut_ptr() };
    // SAFETY: a program of as many instructions as it says.
    unsafe {
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        assert_eq!(libc::syscall(libc::SYS_seccomp, 1, 0, &raw const program), 0);
    }
}

/// A domain that forbids nothing but devices: mounts are refused in any.
fn landlock() {
    let attr = [1u64 << 6, 0, 0];
    // SAFETY: a structure as long as is said.
    unsafe {
        let ruleset = libc::syscall(444, attr.as_ptr(), 8, 0);
        assert!(ruleset >= 0);
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        assert_eq!(libc::syscall(446, ruleset, 0), 0);
    }
}

fn cached(place: &Path, project: &Path) -> Result<(), String> {
    let cache = place.join("tier");
    let first = examined(project, Some(&cache));
    let text = std::fs::read_to_string(&cache).map_err(|error| error.to_string())?;
    // Told from one that was examined by a word that no examination says.
    std::fs::write(&cache, text.replace("held", "remembered")).unwrap();
    let second = examined(project, Some(&cache));
    if second.tier != first.tier || !second.evidence.iter().all(|line| line.contains("remembered")) {
        return Err(format!("{second:?}"));
    }
    std::fs::write(&cache, format!("other {text}")).unwrap();
    let third = examined(project, Some(&cache));
    if third == first { Ok(()) } else { Err(format!("{third:?}")) }
}
