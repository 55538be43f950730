//! Finds out what this machine can enforce, by attacking it from inside of a box and looking from
//! outside. Lists of features are never asked: they have lied before.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

use rustix::fs::FlockOperation;
use tokio::process::{Child, Command};

use crate::cancel::Cancel;
use crate::output::Output;
use crate::policy::{Canary, DEVICE, Deed, Policy, Walls};
use crate::remedy;
use crate::spawn::{self, Program, Spec, lock};
use crate::tier::{self, Confinement, Tier};
use crate::view::{ScratchView, Turn};

/// What protects the user here, and how that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protection {
    /// What can be enforced.
    pub tier: Tier,
    /// Why it is not more, as a clause; nothing for the highest.
    pub reason: Option<String>,
    /// What the user could do to get more, as a sentence. Nothing of it is ever done by itself.
    pub remedy: Option<String>,
    /// One line per kind of walls that was tried: what came of it.
    pub evidence: Vec<String>,
    /// The release of the kernel that was tried; empty where it does not say.
    pub kernel: String,
    /// The system's program that makes the walls, where this one may not.
    pub bubblewrap: Option<PathBuf>,
}

/// The longest that one canary run may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Files that are in the canary's folder; the attack has one attempt for each.
const FILES: &[&str] = &["write", "chmod", "touch", "truncate", "delete", "rename", "link", "lock", "full/inner"];
/// Attempts that must work in a scratch copy, or it is none.
const WORK: &[&str] = &["write", "create", "chmod", "touch", "truncate", "delete", "rename", "link", "refill"];
/// Attempts that must fail even when nothing can be seen from outside.
const NEVER: &[&str] = &["sysctl", "sysrq"];

/// Finds out what this machine can enforce for work in `project`, strongest first. The result is
/// remembered in the file `cache`, if one is given, until the machine is started anew or anything
/// else that matters has changed.
///
/// To be called once, when a session starts; the tier then goes into each [`Spec`]. If a box cannot
/// be built later, call it again without the cache.
pub async fn probe(project: &Path, cache: Option<&Path>) -> Protection {
    let key = key();
    let known = cache.and_then(|cache| remembered(cache, &key));
    let mut protection = match known {
        Some(known) => known,
        None => {
            let found = examine().await;
            if let Some(cache) = cache {
                // Not to be remembered costs a moment at the next start, and nothing else.
                let _ = remember(cache, &key, &found);
            }
            found
        }
    };
    if protection.tier == Tier::Scratch && !crate::platform::covers(project) {
        protection.tier = Tier::ReadOnly;
        protection.reason =
            Some("the project folder has something mounted in it, or is where no overlay can be".to_owned());
        protection.remedy = None;
    }
    tier::found(&protection.tier, protection.bubblewrap.as_deref());
    if protection.tier == Tier::Scratch
        && let Some(reason) = unwritable(project).await
    {
        protection.evidence.push(format!("{}: {reason}", project.display()));
        protection.tier = Tier::ReadOnly;
        protection.reason = Some(reason);
        tier::found(&protection.tier, protection.bubblewrap.as_deref());
    }
    protection
}

/// Why nothing can be written in a scratch copy of this very project, although its user can write in it.
/// An overlay cannot copy what belongs to somebody who is not known in the box.
async fn unwritable(project: &Path) -> Option<String> {
    let mine = rustix::fs::access(project, rustix::fs::Access::WRITE_OK).is_ok();
    if !mine {
        return None;
    }
    let spec =
        Spec { timeout: Some(PATIENCE), ..Spec::new(Program::Argv(vec!["/".into()]), project, Confinement::Scratch) };
    let file = project.join(format!(".planwright-canary-{}", std::process::id()));
    match crate::copy::write_in_copy(&spec, &file, b"written").await {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(format!("nothing can be written in a scratch copy of the project folder: {error}")),
        Err(error) => Some(error.to_string()),
    }
}

async fn examine() -> Protection {
    let mut evidence = Vec::new();
    let own = [Trial::of(Walls::Scratch), Trial::of(Walls::ReadOnly)];
    let Err(why) = hold(&own, &mut evidence).await else {
        return Protection {
            tier: Tier::Scratch,
            reason: None,
            remedy: None,
            evidence,
            kernel: kernel(),
            bubblewrap: None,
        };
    };
    if matches!(why, Fault::NotBuilt(_))
        && let Some(bubblewrap) = by_bubblewrap(&mut evidence).await
    {
        return Protection {
            tier: Tier::Scratch,
            reason: None,
            remedy: None,
            evidence,
            kernel: kernel(),
            bubblewrap: Some(bubblewrap),
        };
    }
    let held = hold(&[Trial::of(Walls::Filters)], &mut evidence).await.is_ok();
    let (remedy, reason) = (remedy::to(&why), why.to_string());
    let tier = if held { Tier::ReadOnly } else { Tier::Unenforced { reason: reason.clone() } };
    Protection { tier, reason: Some(reason), remedy, evidence, kernel: kernel(), bubblewrap: None }
}

/// The system's bubblewrap, if walls that it has made hold.
async fn by_bubblewrap(evidence: &mut Vec<String>) -> Option<PathBuf> {
    let usable = match crate::platform::find_bubblewrap() {
        Ok(program) => {
            version(&program).await.and_then(|said| crate::platform::new_bubblewrap(&said)).map(|()| program)
        }
        Err(reason) => Err(reason),
    };
    let program = match usable {
        Ok(program) => program,
        Err(reason) => {
            evidence.push(format!("bubblewrap: {reason}"));
            return None;
        }
    };
    let by = |walls, kept| Trial { walls, kept, bubblewrap: Some(program.clone()) };
    let all = [by(Walls::Scratch, true), by(Walls::Scratch, false), by(Walls::ReadOnly, false)];
    hold(&all, evidence).await.is_ok().then_some(program)
}

/// What a program says to `--version`.
async fn version(program: &Path) -> Result<String, String> {
    let mut command = Command::new(program);
    command.arg("--version").env_clear().current_dir("/").stdin(Stdio::null()).kill_on_drop(true);
    match tokio::time::timeout(PATIENCE, command.output()).await {
        Ok(Ok(output)) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(Err(error)) => Err(format!("{}: {error}", program.display())),
        Err(_) => Err(format!("{} does not say its version", program.display())),
    }
}

/// What was wrong with some walls.
#[derive(Debug)]
pub(crate) enum Fault {
    /// They could not be built.
    NotBuilt(String),
    /// They let something through, or nothing could work behind them.
    Failed(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotBuilt(reason) => f.write_str(reason),
            Self::Failed(what) => write!(f, "the trial run failed: {what}"),
        }
    }
}

/// Walls that are tried.
struct Trial {
    walls: Walls,
    /// With a scratch copy that is kept.
    kept: bool,
    bubblewrap: Option<PathBuf>,
}

impl Trial {
    const fn of(walls: Walls) -> Self {
        Self { walls, kept: false, bubblewrap: None }
    }
}

impl std::fmt::Display for Trial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}{}", self.walls, if self.kept { ", kept" } else { "" })?;
        self.bubblewrap.as_ref().map_or(Ok(()), |program| write!(f, " by {}", program.display()))
    }
}

async fn hold(all: &[Trial], evidence: &mut Vec<String>) -> Result<(), Fault> {
    for trial in all {
        let result = canary(trial).await;
        evidence.push(match &result {
            Ok(()) => format!("{trial}: held"),
            Err(fault) => format!("{trial}: {fault}"),
        });
        result?;
    }
    Ok(())
}

/// One canary run.
async fn canary(trial: &Trial) -> Result<(), Fault> {
    let walls = trial.walls;
    let outside = |error: io::Error| Fault::Failed(format!("it could not be prepared: {error}"));
    let mut prey = Prey::new().map_err(outside)?;
    let view = match trial.kept {
        true => Some(ScratchView::new(&prey.copies()).map_err(outside)?),
        false => None,
    };
    let turn = match &view {
        Some(view) => Some(view.turn().await.map_err(|error| Fault::Failed(error.to_string()))?),
        None => None,
    };
    let policy = Policy {
        walls,
        argv: Vec::new(),
        env: Vec::new(),
        cwd: prey.folder.clone(),
        hidden: turn.iter().map(Turn::folder).collect(),
        view: turn.as_ref().map(Turn::place),
        scratch_bytes: 16 << 20,
        bubblewrap: trial.bubblewrap.clone(),
        input: false,
        deed: Deed::Canary(prey.canary()),
    };
    let confinement = if walls == Walls::Scratch { Confinement::Scratch } else { Confinement::ReadOnly };
    let spec =
        Spec { timeout: Some(PATIENCE), ..Spec::new(Program::Argv(vec!["canary".into()]), &prey.folder, confinement) };
    let output = Mutex::new(Output::new(1 << 16));
    let running = spawn::start_box(&policy).map_err(|error| Fault::NotBuilt(error.to_string()))?;
    let cancel = Cancel::new();
    let ended = running.supervise(&spec, &cancel, &output);
    tokio::pin!(ended);
    let mut locked = false;
    let finish = loop {
        tokio::select! {
            finish = &mut ended => break finish,
            () = tokio::time::sleep(Duration::from_millis(3)) => locked |= prey.is_locked(),
        }
    };
    let finish = finish.map_err(|error| Fault::NotBuilt(error.to_string()))?;
    if trial.kept && finish.changes.as_ref().is_none_or(|changes| changes.is_empty() || changes.incomplete) {
        return Err(Fault::Failed("what it would have changed cannot be seen".to_owned()));
    }
    let said = attempts(&lock(&output).take().text());
    prey.judge(walls, locked, &said)?;
    if finish.ending.success() { Ok(()) } else { Err(Fault::Failed(format!("it ended with {:?}", finish.ending))) }
}

fn attempts(text: &str) -> BTreeMap<String, i32> {
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, errno)| Some((name.to_owned(), errno.parse().ok()?)))
        .collect()
}

/// What a canary run attacks.
struct Prey {
    folder: PathBuf,
    unix: UnixListener,
    abstracted: UnixListener,
    name: String,
    tcp: TcpListener,
    udp: UdpSocket,
    process: Child,
    before: Vec<String>,
}

impl Prey {
    fn new() -> io::Result<Self> {
        let started = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let name = format!("planwright-canary-{}-{started:x}", std::process::id());
        let folder = std::env::temp_dir().canonicalize()?.join(&name);
        std::fs::create_dir(&folder)?;
        let made = Self::in_folder(&folder, name);
        if made.is_err() {
            let _ = std::fs::remove_dir_all(&folder);
        }
        made
    }

    fn in_folder(folder: &Path, name: String) -> io::Result<Self> {
        std::fs::create_dir(folder.join("full"))?;
        for file in FILES {
            std::fs::write(folder.join(file), "as it was\n")?;
        }
        let unix = UnixListener::bind(folder.join("socket"))?;
        let abstracted = abstract_listener(&name)?;
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        let udp = UdpSocket::bind("127.0.0.1:0")?;
        for result in [
            unix.set_nonblocking(true),
            abstracted.set_nonblocking(true),
            tcp.set_nonblocking(true),
            udp.set_nonblocking(true),
        ] {
            result?;
        }
        // Ends when we do, however that is: its input is ours to hold open.
        let process = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let before = seen(folder)?;
        Ok(Self { folder: folder.to_path_buf(), unix, abstracted, name, tcp, udp, process, before })
    }

    /// A place for scratch copies, next to what is attacked.
    fn copies(&self) -> PathBuf {
        self.folder.with_extension("copies")
    }

    fn canary(&self) -> Canary {
        Canary {
            folder: self.folder.clone(),
            tcp: self.tcp.local_addr().map_or(0, |at| at.port()),
            udp: self.udp.local_addr().map_or(0, |at| at.port()),
            socket: self.name.clone(),
            pid: self.process.id().unwrap_or(0),
        }
    }

    fn is_locked(&self) -> bool {
        let Ok(file) = File::open(self.folder.join("lock")) else { return true };
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_err()
    }

    /// What of the attack can be seen from outside, and whether it could work at all.
    fn judge(&mut self, walls: Walls, locked: bool, said: &BTreeMap<String, i32>) -> Result<(), Fault> {
        let failed = |what: String| Err(Fault::Failed(what));
        let mut leaks: Vec<&str> = Vec::new();
        if seen(&self.folder).ok().as_ref() != Some(&self.before) {
            leaks.push("files or devices were changed");
        }
        if self.unix.accept().is_ok() || self.abstracted.accept().is_ok() {
            leaks.push("a socket was reached");
        }
        if self.tcp.accept().is_ok() || self.udp.recv(&mut [0]).is_ok() {
            leaks.push("the network was reached");
        }
        if !matches!(self.process.try_wait(), Ok(None)) {
            leaks.push("a process was killed");
        }
        if locked {
            leaks.push("a file was locked");
        }
        if NEVER.iter().any(|name| said.get(*name) == Some(&0)) {
            leaks.push("the kernel's settings could be written");
        }
        if !leaks.is_empty() {
            return failed(leaks.join(", "));
        }
        if !said.contains_key("lock") {
            return failed("it did not get to its end".to_owned());
        }
        let useless = WORK.iter().find(|name| said.get(**name) != Some(&0));
        match (walls, useless) {
            (Walls::Scratch, Some(name)) => {
                let errno = said.get(*name).copied().unwrap_or_default();
                failed(format!(
                    "nothing could be written in the copy ({name}: {})",
                    io::Error::from_raw_os_error(errno)
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Prey {
    fn drop(&mut self) {
        // In the temporary folder; what cannot be removed goes with it.
        let _ = std::fs::remove_dir_all(&self.folder);
        let _ = crate::platform::remove(&self.copies());
    }
}

#[cfg(target_os = "linux")]
fn abstract_listener(name: &str) -> io::Result<UnixListener> {
    use std::os::linux::net::SocketAddrExt as _;
    UnixListener::bind_addr(&std::os::unix::net::SocketAddr::from_abstract_name(name)?)
}

#[cfg(not(target_os = "linux"))]
fn abstract_listener(_: &str) -> io::Result<UnixListener> {
    Err(io::ErrorKind::Unsupported.into())
}

/// What a canary run must not change.
fn seen(folder: &Path) -> io::Result<Vec<String>> {
    let mut all = snapshot(folder)?;
    let device = std::fs::metadata(DEVICE)?;
    all.push(format!("{DEVICE} {:o} {}.{}", device.mode(), device.ctime(), device.ctime_nsec()));
    Ok(all)
}

/// All there is to know about the files in a folder, but for the times at which they were read.
fn snapshot(folder: &Path) -> io::Result<Vec<String>> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let meta = std::fs::symlink_metadata(&path)?;
            let contents = if meta.is_file() { std::fs::read(&path)? } else { Vec::new() };
            all.push(format!(
                "{} {:o} {} {} {}.{} {}.{} {} {contents:?}",
                path.display(),
                meta.mode(),
                meta.ino(),
                meta.nlink(),
                meta.mtime(),
                meta.mtime_nsec(),
                meta.ctime(),
                meta.ctime_nsec(),
                meta.uid(),
            ));
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    all.sort();
    Ok(all)
}

/// The release of the kernel.
fn kernel() -> String {
    std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned()
}

/// All that a result depends on, in one line: the machine since its start, the kernel, the user, this
/// program, and what has been taken from it.
fn key() -> String {
    let text = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let link = |file: &str| std::fs::read_link(file).map(|to| to.display().to_string()).unwrap_or_default();
    let status = text("/proc/self/status");
    let bounds = status.lines().filter(|line| {
        ["Uid:", "Gid:", "Groups:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp"]
            .iter()
            .any(|name| line.starts_with(name))
    });
    let program = std::env::current_exe()
        .and_then(std::fs::metadata)
        .map(|meta| format!("{} {} {}", meta.len(), meta.mtime(), meta.mtime_nsec()))
        .unwrap_or_default();
    let settings = [
        "/proc/sys/kernel/random/boot_id",
        "/proc/version",
        "/proc/sys/user/max_user_namespaces",
        "/proc/sys/user/max_mnt_namespaces",
        "/proc/sys/kernel/unprivileged_userns_clone",
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "/proc/self/attr/current",
    ]
    .map(text);
    let spaces = ["user", "mnt", "pid", "net"].map(|name| link(&format!("/proc/self/ns/{name}")));
    let bubblewrap = crate::platform::bubblewrap_key();
    let all = [env!("CARGO_PKG_VERSION"), &program, &settings.concat(), &spaces.concat(), &bubblewrap].join(" ");
    bounds.fold(all, |all, line| all + " " + line).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cache: the key, then the tier, then what else is known, one per line. A scratch tier stands with
/// the program that makes the walls, if that is another.
fn remember(cache: &Path, key: &str, found: &Protection) -> io::Result<()> {
    let (tier, reason) = match &found.tier {
        Tier::Scratch => ("scratch", None),
        Tier::ReadOnly => ("read-only", found.reason.as_ref()),
        // Whatever it was may have been put right; it is not remembered.
        Tier::Unenforced { .. } => return Ok(()),
    };
    let one_line = |text: Option<&String>| text.map_or_else(String::new, |text| text.replace('\n', " "));
    let tier = match &found.bubblewrap {
        Some(program) => format!("{tier} {}", program.display()),
        None => tier.to_owned(),
    };
    let mut lines = vec![key.to_owned(), tier, one_line(reason), one_line(found.remedy.as_ref())];
    lines.extend(found.evidence.iter().map(|line| one_line(Some(line))));
    let new = cache.with_extension(format!("new-{}", std::process::id()));
    File::create(&new)?.write_all(lines.join("\n").as_bytes())?;
    std::fs::rename(new, cache)
}

fn remembered(cache: &Path, key: &str) -> Option<Protection> {
    let text = std::fs::read_to_string(cache).ok()?;
    let mut lines = text.lines();
    if lines.next()? != key {
        return None;
    }
    let (tier, bubblewrap) = match lines.next()? {
        "scratch" => (Tier::Scratch, None),
        "read-only" => (Tier::ReadOnly, None),
        other => {
            let program = PathBuf::from(other.strip_prefix("scratch ")?);
            // Looked at again: the cache is a file of the user's.
            crate::platform::find_bubblewrap().is_ok_and(|found| found == program).then_some(())?;
            (Tier::Scratch, Some(program))
        }
    };
    let mut optional = || lines.next().map(str::to_owned).filter(|line| !line.is_empty());
    let (reason, remedy) = (optional(), optional());
    Some(Protection {
        tier,
        reason,
        remedy,
        evidence: lines.map(str::to_owned).collect(),
        kernel: kernel(),
        bubblewrap,
    })
}
