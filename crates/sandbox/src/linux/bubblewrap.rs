//! The system's bubblewrap, for machines that let it make namespaces and not this program: whether it
//! can be trusted, whether it is new enough, and what it is told.

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::mounts::{Face, Plan, RUN_FILES, RUN_LINKS, upper_name};
use crate::policy::{Policy, Walls};

/// Where it may be. Never the search path: a project could put one there.
const PLACES: &[&str] = &["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];
/// The first version that can make overlays.
const FLOOR: (u32, u32) = (0, 11);
/// Bytes that a private `/run` may hold.
const RUN_BYTES: u64 = 64 << 20;

/// The program, if there is one that only root could have put there.
///
/// # Errors
/// There is none; as a clause.
pub(crate) fn find() -> Result<PathBuf, String> {
    let Some(place) = PLACES.iter().map(Path::new).find(|place| place.exists()) else {
        return Err("there is no bubblewrap in the system's folders".to_owned());
    };
    let file = place.canonicalize().map_err(|error| format!("{}: {error}", place.display()))?;
    trusted(&file).map(|()| file)
}

/// What a result of the probe depends on: which file is there.
pub(crate) fn key() -> String {
    let of = |place: &&str| {
        let meta = std::fs::metadata(place).ok()?;
        Some(format!("{} {} {} {}", meta.ino(), meta.len(), meta.ctime(), meta.mode()))
    };
    PLACES.iter().filter_map(of).collect::<Vec<_>>().join(" ")
}

fn trusted(file: &Path) -> Result<(), String> {
    let no = |why: &str| Err(format!("{} is not used: {why}", file.display()));
    let Ok(meta) = std::fs::metadata(file) else { return no("it cannot be looked at") };
    if meta.mode() & 0o6000 != 0 {
        return no("it has a set-user-id bit, and makes no overlays");
    }
    let loose = |path: &Path| {
        let Ok(meta) = std::fs::symlink_metadata(path) else { return true };
        // In a folder with the sticky bit nobody else can replace what is root's.
        let open = meta.mode() & 0o022 != 0 && !(meta.is_dir() && meta.mode() & 0o1000 != 0);
        meta.uid() != 0 || open
    };
    match file.ancestors().find(|path| loose(path)) {
        Some(path) => no(&format!("others than root can write {}", path.display())),
        None => Ok(()),
    }
}

/// Whether what `bwrap --version` says is new enough.
///
/// # Errors
/// It is not; as a clause.
pub(crate) fn new_enough(said: &str) -> Result<(), String> {
    let version = said.trim().strip_prefix("bubblewrap ").unwrap_or_default();
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) if (major, minor) >= FLOOR => Ok(()),
        (Some(_), Some(_)) => Err(format!("bubblewrap {version} makes no overlays; 0.11 or newer does")),
        _ => Err("the version of bubblewrap cannot be told".to_owned()),
    }
}

/// The arguments, but for the program to start. `stage` is where the uppers are, if they are kept.
pub(crate) fn arguments(policy: &Policy, plan: &Plan, stage: Option<&Path>) -> Vec<OsString> {
    let mut all = List::default();
    // `--unshare-all` alone goes on without a user namespace.
    all.words(&["--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--new-session", "--die-with-parent"]);
    all.words(&["--as-pid-1", "--clearenv", "--argv0", "planwright-box", "--ro-bind", "/", "/"]);
    for place in &plan.temporary {
        all.tmpfs("1777", policy.scratch_bytes, place);
    }
    for path in &plan.cover.overlays {
        all.words(&["--overlay-src"]).path(path);
        match stage {
            Some(stage) => {
                let name = upper_name(path);
                all.words(&["--overlay"]).path(&stage.join("u").join(&name)).path(&stage.join("w").join(&name));
                all.path(path);
            }
            None => {
                all.words(&["--tmp-overlay"]).path(path);
                all.words(&["--chmod", &format!("{:04o}", Face::of(path).mode())]).path(path);
            }
        }
    }
    all.words(&["--dev", "/dev"]).tmpfs("1777", policy.scratch_bytes, Path::new("/dev/shm"));
    if policy.walls == Walls::Scratch {
        all.run(policy);
    }
    // As root, `/proc/sys` could be written even without any capability.
    all.words(&["--proc", "/proc", "--remount-ro", "/proc", "--remount-ro", "/dev"]);
    for special in &plan.cover.specials {
        all.words(&["--ro-bind", "/dev/null"]).path(special);
    }
    for hidden in &policy.hidden {
        match std::fs::metadata(hidden) {
            Ok(meta) if meta.is_dir() => {
                all.tmpfs("0555", 4096, hidden).words(&["--remount-ro"]).path(hidden);
            }
            Ok(_) => {
                all.words(&["--ro-bind", "/dev/null"]).path(hidden);
            }
            // What is not there need not be hidden. What cannot be looked at cannot be seen inside.
            Err(_) => {}
        }
    }
    all.0
}

#[derive(Default)]
struct List(Vec<OsString>);

impl List {
    fn words(&mut self, words: &[&str]) -> &mut Self {
        self.0.extend(words.iter().map(OsString::from));
        self
    }

    fn path(&mut self, path: &Path) -> &mut Self {
        self.0.push(path.into());
        self
    }

    fn tmpfs(&mut self, mode: &str, bytes: u64, place: &Path) -> &mut Self {
        self.words(&["--perms", mode, "--size", &bytes.to_string(), "--tmpfs"]).path(place)
    }

    /// A private `/run`, with what other paths lead through.
    fn run(&mut self, policy: &Policy) {
        self.tmpfs("0755", RUN_BYTES, Path::new("/run"));
        for link in RUN_LINKS {
            if let Ok(target) = std::fs::read_link(link) {
                self.words(&["--symlink"]).path(&target).words(&[link]);
            }
        }
        for file in RUN_FILES {
            self.words(&["--ro-bind-try", file, file]);
        }
        self.words(&["--perms", "0777", "--dir", "/run/lock"]);
        let runtime = policy.env.iter().find(|(name, _)| name == "XDG_RUNTIME_DIR").map(|(_, value)| Path::new(value));
        if let Some(runtime) = runtime.filter(|runtime| runtime.starts_with("/run") && *runtime != Path::new("/run")) {
            self.words(&["--perms", "0700", "--dir"]).path(runtime);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Cover;
    use super::*;
    use crate::policy::Deed;

    #[test]
    fn only_a_version_with_overlays_will_do() {
        let rows = [
            ("bubblewrap 0.8.0\n", Some("0.8.0 makes no overlays")),
            ("bubblewrap 0.9.0", Some("0.9.0 makes no overlays")),
            ("bubblewrap 0.10.0", Some("0.10.0 makes no overlays")),
            ("bubblewrap 0.11.0\n", None),
            ("bubblewrap 0.11.1", None),
            ("bubblewrap 0.12", None),
            ("bubblewrap 1.0.0", None),
            ("bubblewrap", Some("cannot be told")),
            ("bwrap 0.11.0", Some("cannot be told")),
            ("", Some("cannot be told")),
        ];
        for (said, refused) in rows {
            match (new_enough(said), refused) {
                (Ok(()), None) => {}
                (Err(reason), Some(part)) if reason.contains(part) => {}
                (result, _) => panic!("{said:?}: {result:?}"),
            }
        }
    }

    fn told(walls: Walls, stage: Option<&Path>) -> String {
        let policy = Policy {
            walls,
            argv: Vec::new(),
            env: vec![("XDG_RUNTIME_DIR".into(), "/run/user/7".into())],
            cwd: "/no/work".into(),
            hidden: vec!["/dev".into(), "/dev/zero".into(), "/no/such".into()],
            view: None,
            scratch_bytes: 9,
            bubblewrap: None,
            input: false,
            deed: Deed::Command,
        };
        let mut plan = Plan { temporary: Vec::new(), cover: Cover::default(), work: Vec::new() };
        if walls == Walls::Scratch {
            plan.cover.overlays = vec!["/no/work".into()];
            plan.cover.specials = vec!["/no/socket".into()];
            plan.temporary = vec!["/tmp".into()];
        }
        let all = arguments(&policy, &plan, stage);
        let text = all.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        text.replace(" --", "\n--")
    }

    const BASE: &str = "--unshare-all\n--unshare-user\n--cap-drop ALL\n--new-session\n--die-with-parent\n--as-pid-1\n\
                        --clearenv\n--argv0 planwright-box\n--ro-bind / /\n";
    const DEV: &str = "--dev /dev\n--perms 1777\n--size 9\n--tmpfs /dev/shm\n";
    const PROC: &str = "--proc /proc\n--remount-ro /proc\n--remount-ro /dev\n";
    const HIDDEN: &str = "--perms 0555\n--size 4096\n--tmpfs /dev\n--remount-ro /dev\n--ro-bind /dev/null /dev/zero";

    #[test]
    fn a_read_only_box_has_nothing_to_write() {
        assert_eq!(told(Walls::ReadOnly, None), [BASE, DEV, PROC, HIDDEN].concat());
    }

    #[test]
    fn a_scratch_copy_has_overlays_its_own_run_and_no_sockets() {
        let run = "--perms 0755\n--size 67108864\n--tmpfs /run\n";
        let end = "--perms 0777\n--dir /run/lock\n--perms 0700\n--dir /run/user/7\n";
        let socket = "--ro-bind /dev/null /no/socket\n";
        let temporary = "--perms 1777\n--size 9\n--tmpfs /tmp\n";
        let kept = "--overlay-src /no/work\n--overlay /s/u/_2fno_2fwork /s/w/_2fno_2fwork /no/work\n";
        let passing = "--overlay-src /no/work\n--tmp-overlay /no/work\n--chmod 0755 /no/work\n";
        for (stage, overlay) in [(Some(Path::new("/s")), kept), (None, passing)] {
            let said = told(Walls::Scratch, stage);
            // Between these stands what this machine has in `/run`.
            assert!(said.starts_with(&[BASE, temporary, overlay, DEV, run].concat()), "{said}");
            assert!(said.ends_with(&[end, PROC, socket, HIDDEN].concat()), "{said}");
        }
    }
}
