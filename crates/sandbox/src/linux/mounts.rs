//! Builds what a boxed command sees of the file system, in its own mount namespace.
//!
//! Everything is made read-only first, in place; overlays and private file systems are then put on
//! top. Nothing is ever made on the real tree: a place to mount on either is there or is inside of
//! something private.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, CWD, Mode, OFlags};
use rustix::mount::{FsMountFlags, FsOpenFlags, MountAttrFlags, MountFlags, MoveMountFlags, OpenTreeFlags};

use super::failure::{Failure, Step as _};
use super::table::{Cover, MountTable};
use super::{refresh, sys};
use crate::policy::{Policy, Walls};

/// Device nodes that do no harm.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty"];
/// Links in `/run` that other paths lead through.
pub(crate) const RUN_LINKS: &[&str] = &["/run/current-system", "/run/opengl-driver", "/run/booted-system"];
/// Small files in `/run` that other paths lead to.
pub(crate) const RUN_FILES: &[&str] = &["/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf"];
/// Where uppers are reached while the walls are built; the private `/dev` then hides it.
const STAGE: &str = "/dev";
/// The same for uppers in memory, of folders in which a kept copy keeps nothing.
const PASSING: &str = "/sys";

/// A folder that can be written in the box only.
pub(crate) struct Overlay {
    pub(crate) path: PathBuf,
    /// The real folder.
    pub(crate) lower: OwnedFd,
    /// What was written.
    pub(crate) upper: OwnedFd,
    /// What was written is there for the next command.
    pub(crate) kept: bool,
}

/// What was built.
pub(crate) struct Built {
    pub(crate) overlays: Vec<Overlay>,
    /// Sockets of the network namespace and the like are not here: only folders to write in.
    pub(crate) writable: Vec<PathBuf>,
    /// The folder that holds the uppers.
    pub(crate) stage: Option<OwnedFd>,
    /// One of the overlays whose uppers cannot be looked at; all of them share one memory.
    pub(crate) unseen: Option<PathBuf>,
}

/// What is to be mounted where.
pub(crate) struct Plan {
    pub(crate) cover: Cover,
    /// Folders for temporary files that get private, empty ones in their place.
    pub(crate) temporary: Vec<PathBuf>,
    /// Where the work, the user's own files and temporary files are.
    pub(crate) work: Vec<PathBuf>,
}

impl Plan {
    pub(crate) fn of(policy: &Policy) -> Result<Self, Failure> {
        let scratch = policy.walls == Walls::Scratch;
        let table = MountTable::read().step("mount table")?;
        let mut cover = if scratch { Cover::of_machine(&table) } else { Cover::default() };
        let temporary = if scratch { cover.without_temporary(&policy.cwd) } else { Vec::new() };
        if scratch && !cover.covers(&policy.cwd) {
            return Err(Failure::new("overlay on the working folder", libc::EXDEV));
        }
        let home = home(policy).and_then(|home| home.canonicalize().ok());
        let work = [Some(policy.cwd.clone()), home, Some("/tmp".into()), Some("/var/tmp".into())];
        let work: Vec<PathBuf> = work.into_iter().flatten().collect();
        if scratch {
            cover.root_at(&work);
        }
        Ok(Self { cover, temporary, work })
    }

    /// Whether a kept copy keeps what is written below this folder: where the work, the user's own
    /// files and temporary files are. The rest is given up with each command.
    pub(crate) fn keeps(&self, folder: &Path) -> bool {
        self.work.iter().any(|place| place.starts_with(folder) || folder.starts_with(place))
    }

    /// The folders in which the command may write, but for the overlays.
    pub(crate) fn writable(&self, walls: Walls) -> Vec<PathBuf> {
        let mut writable: Vec<PathBuf> = vec!["/dev/shm".into(), "/dev/pts".into()];
        if walls == Walls::Scratch {
            writable.push("/run".into());
            writable.extend(self.temporary.iter().cloned());
        }
        writable
    }
}

/// Builds it all. Must run as the first process of new mount and process namespaces.
pub(crate) fn build(policy: &Policy) -> Result<Built, Failure> {
    let scratch = policy.walls == Walls::Scratch;
    // Nothing that is mounted outside from now on may appear inside.
    rustix::mount::mount_change("/", recursive_private()).step("private mounts")?;
    let plan = Plan::of(policy)?;
    let Plan { cover, temporary, .. } = &plan;
    let faces: Vec<Face> = cover.overlays.iter().map(|path| Face::of(path)).collect();
    let devices: Vec<(&str, OwnedFd)> = DEVICES
        .iter()
        .filter_map(|name| Some((*name, open_tree(&Path::new("/dev").join(name), false).ok()?)))
        .collect();
    for (_, device) in &devices {
        sys::mount_setattr(device.as_fd(), sys::RDONLY | sys::NOSUID, false).step("devices read-only")?;
    }
    let run = Run::remembered();
    let stage = match (&policy.view, scratch) {
        (_, false) => None,
        (Some(view), true) => Some(open_tree(view, false).step("scratch folder")?),
        (None, true) => Some(tmpfs("0700", policy.scratch_bytes).step("scratch memory")?),
    };

    let root = folder(Path::new("/")).step("root folder")?;
    sys::mount_setattr(root.as_fd(), sys::RDONLY | sys::NOSUID | sys::NODEV, true).step("read-only base")?;

    let mut overlays = Vec::new();
    if let Some(stage) = &stage {
        attach(stage.as_fd(), Path::new(STAGE)).step("scratch stage")?;
        let sys = open_tree(Path::new("/sys"), true).step("/sys")?;
        if policy.view.is_some() {
            attach(tmpfs("0700", policy.scratch_bytes).step("scratch memory")?.as_fd(), Path::new(PASSING))
                .step("scratch memory")?;
        }
        let lowers: Vec<io::Result<OwnedFd>> = cover.overlays.iter().map(|path| folder(path)).collect();
        for place in temporary {
            attach(tmpfs("1777", policy.scratch_bytes).step("private /tmp")?.as_fd(), place).step("private /tmp")?;
        }
        for ((path, face), lower) in cover.overlays.iter().zip(&faces).zip(lowers) {
            // What is not kept is written in memory, because an upper on a disk costs time.
            let kept = policy.view.is_some() && plan.keeps(path);
            let stage = if policy.view.is_none() || kept { STAGE } else { PASSING };
            match lower.and_then(|lower| overlay(path, lower, face, Path::new(stage))) {
                Ok(overlay) => overlays.push(Overlay { kept, ..overlay }),
                // A file system that cannot be overlaid stays read-only; but not where the work is.
                Err(error) if policy.cwd.starts_with(path) => return Err(error).step("overlay on the working folder"),
                Err(_) => {}
            }
        }
        if policy.view.is_some() {
            attach(sys.as_fd(), Path::new("/sys")).step("/sys")?;
        }
    }
    let stage = stage.map(|_| folder(Path::new(STAGE))).transpose().step("scratch stage")?;
    private_dev(&devices, policy.scratch_bytes)?;
    if scratch {
        run.renew(policy).step("private /run")?;
    }
    let proc = process_files().step("private /proc")?;
    for special in &cover.specials {
        attach(open_tree(Path::new("/dev/null"), false).step("sockets")?.as_fd(), special).step("sockets")?;
    }
    for path in &policy.hidden {
        hide(path).step("hidden folder")?;
    }
    sys::mount_setattr(proc.as_fd(), sys::RDONLY, false).step("private /proc")?;
    let mut writable = plan.writable(policy.walls);
    writable.extend(overlays.iter().map(|overlay| overlay.path.clone()));
    Ok(Built { overlays, writable, stage, unseen: None })
}

fn recursive_private() -> rustix::mount::MountPropagationFlags {
    rustix::mount::MountPropagationFlags::PRIVATE | rustix::mount::MountPropagationFlags::REC
}

/// How the root of an overlay should look: as the real folder does to this user.
pub(crate) struct Face {
    mode: u32,
    uid: u32,
    gid: u32,
    times: Option<rustix::fs::Timestamps>,
}

impl Face {
    pub(crate) fn of(path: &Path) -> Self {
        let Ok(meta) = std::fs::metadata(path) else { return Self { mode: 0o755, uid: 0, gid: 0, times: None } };
        let me = rustix::process::getuid().as_raw();
        let mut mode = meta.mode() & 0o7777;
        if me != 0 && meta.uid() != me {
            // The upper folder will be this user's own: give its owner what this user may do.
            let may = |access| u32::from(rustix::fs::access(path, access).is_ok());
            let own = may(Access::READ_OK) << 2 | may(Access::WRITE_OK) << 1 | may(Access::EXEC_OK);
            mode = mode & 0o1077 | own << 6;
        }
        let time = |seconds, nanoseconds| rustix::fs::Timespec { tv_sec: seconds, tv_nsec: nanoseconds };
        let times = Some(rustix::fs::Timestamps {
            last_access: time(meta.atime(), meta.atime_nsec()),
            last_modification: time(meta.mtime(), meta.mtime_nsec()),
        });
        Self { mode, uid: meta.uid(), gid: meta.gid(), times }
    }

    /// The permissions.
    pub(crate) const fn mode(&self) -> u32 {
        self.mode
    }

    pub(crate) fn put_on(&self, upper: &Path) -> io::Result<()> {
        // Refused where the owner is not known in this namespace; then it stays this user's.
        let _ = std::os::unix::fs::lchown(upper, Some(self.uid), Some(self.gid));
        std::fs::set_permissions(upper, std::fs::Permissions::from_mode(self.mode))?;
        if let Some(times) = &self.times {
            rustix::fs::utimensat(CWD, upper, times, rustix::fs::AtFlags::empty())?;
        }
        Ok(())
    }
}

/// The user's home folder, as the command is told.
fn home(policy: &Policy) -> Option<&Path> {
    policy.env.iter().find(|(name, _)| name == "HOME").map(|(_, value)| Path::new(value))
}

/// Puts an overlay on a folder.
fn overlay(path: &Path, lower: OwnedFd, face: &Face, stage: &Path) -> io::Result<Overlay> {
    let name = upper_name(path);
    let upper = stage.join("u").join(&name);
    let work = stage.join("w").join(&name);
    // There already, unless it is in a private folder for temporary files.
    make(path)?;
    if !upper.exists() {
        make(&upper)?;
        face.put_on(&upper)?;
    }
    make(&work)?;
    // Left by the command before, to say that nothing was written through to the disk. Nothing need be:
    // a scratch copy is not there to outlive a crash, and without this every end of a command would
    // wait for all of the disk's writes.
    refresh::remove(&work.join("work/incompat"))?;
    let data = format!("lowerdir=.,upperdir={},workdir={},userxattr,volatile", upper.display(), work.display());
    // The folder by its descriptor and `.`: no character of its name can be taken for an option.
    rustix::process::fchdir(&lower)?;
    rustix::mount::mount(
        "overlay",
        path,
        "overlay",
        MountFlags::NOSUID | MountFlags::NODEV,
        CString::new(data)?.as_c_str(),
    )?;
    rustix::process::chdir("/")?;
    let upper = folder(&upper)?;
    Ok(Overlay { path: path.to_path_buf(), lower, upper, kept: false })
}

/// A file name that stands for a path and holds nothing special.
pub(crate) fn upper_name(path: &Path) -> String {
    let mut name = String::new();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => name.push(char::from(*byte)),
            other => name.push_str(&format!("_{other:02x}")),
        }
    }
    if name.len() > 200 {
        // Longer than a file name may be: a number that is as good as unique for it.
        let sum = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        name = format!("{}.{sum:016x}", &name[name.len() - 100..]);
    }
    name
}

fn private_dev(devices: &[(&str, OwnedFd)], scratch_bytes: u64) -> Result<(), Failure> {
    let dev = Path::new("/dev");
    attach(tmpfs("0755", 1 << 20).step("private /dev")?.as_fd(), dev).step("private /dev")?;
    for (name, device) in devices {
        let place = dev.join(name);
        std::fs::File::create(&place).step("devices")?;
        attach(device.as_fd(), &place).step("devices")?;
    }
    let links = [
        ("/proc/self/fd", "fd"),
        ("/proc/self/fd/0", "stdin"),
        ("/proc/self/fd/1", "stdout"),
        ("/proc/self/fd/2", "stderr"),
        ("pts/ptmx", "ptmx"),
    ];
    for (target, name) in links {
        std::os::unix::fs::symlink(target, dev.join(name)).step("devices")?;
    }
    for name in ["pts", "shm"] {
        make(&dev.join(name)).step("devices")?;
    }
    let terminals = [("ptmxmode", "0666"), ("mode", "0620")];
    let terminals =
        file_system("devpts", &terminals, MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NOEXEC);
    attach(terminals.step("terminals")?.as_fd(), &dev.join("pts")).step("terminals")?;
    attach(tmpfs("1777", scratch_bytes).step("shared memory")?.as_fd(), &dev.join("shm")).step("shared memory")?;
    let dev = folder(dev).step("private /dev")?;
    sys::mount_setattr(dev.as_fd(), sys::RDONLY, false).step("private /dev")
}

/// What of `/run` a private one must have again.
struct Run {
    links: Vec<(&'static str, PathBuf)>,
    files: Vec<(&'static str, Vec<u8>)>,
}

impl Run {
    fn remembered() -> Self {
        let links = RUN_LINKS.iter().filter_map(|link| Some((*link, std::fs::read_link(link).ok()?)));
        let files = RUN_FILES.iter().filter_map(|file| Some((*file, std::fs::read(file).ok()?)));
        Self { links: links.collect(), files: files.collect() }
    }

    fn renew(&self, policy: &Policy) -> io::Result<()> {
        attach(tmpfs("0755", 64 << 20)?.as_fd(), Path::new("/run"))?;
        for (link, target) in &self.links {
            std::os::unix::fs::symlink(target, link)?;
        }
        for (file, contents) in &self.files {
            make_all(Path::new(file).parent().unwrap_or(Path::new("/run")), 0o755)?;
            std::fs::write(file, contents)?;
        }
        make_all(Path::new("/run/lock"), 0o777)?;
        let runtime = policy.env.iter().find(|(name, _)| name == "XDG_RUNTIME_DIR").map(|(_, value)| Path::new(value));
        match runtime {
            Some(runtime) if runtime.starts_with("/run") => make_all(runtime, 0o700),
            Some(_) | None => Ok(()),
        }
    }
}

/// A file system of this process namespace's processes.
fn process_files() -> io::Result<OwnedFd> {
    let attributes =
        MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    let proc = file_system("proc", &[], attributes)?;
    attach(proc.as_fd(), Path::new("/proc"))?;
    Ok(proc)
}

/// Takes a file or folder out of sight. What is not there need not be hidden.
fn hide(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => {
            let empty = tmpfs("0555", 4096)?;
            sys::mount_setattr(empty.as_fd(), sys::RDONLY, false)?;
            attach(empty.as_fd(), path)
        }
        Ok(_) => attach(open_tree(Path::new("/dev/null"), false)?.as_fd(), path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn tmpfs(mode: &str, bytes: u64) -> io::Result<OwnedFd> {
    let size = bytes.to_string();
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    file_system("tmpfs", &[("mode", mode), ("size", &size)], attributes)
}

fn file_system(kind: &str, options: &[(&str, &str)], attributes: MountAttrFlags) -> io::Result<OwnedFd> {
    let context = rustix::mount::fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (name, value) in options {
        rustix::mount::fsconfig_set_string(context.as_fd(), *name, *value)?;
    }
    rustix::mount::fsconfig_create(context.as_fd())?;
    Ok(rustix::mount::fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

fn open_tree(path: &Path, recursive: bool) -> io::Result<OwnedFd> {
    let mut flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    if recursive {
        flags |= OpenTreeFlags::AT_RECURSIVE;
    }
    Ok(rustix::mount::open_tree(CWD, path, flags)?)
}

fn attach(tree: impl AsFd, place: &Path) -> io::Result<()> {
    Ok(rustix::mount::move_mount(tree.as_fd(), "", CWD, place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// A folder as a place, which holds also when something is mounted on it later.
pub(crate) fn folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(CWD, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

pub(crate) fn make(folder: &Path) -> io::Result<()> {
    match std::fs::DirBuilder::new().mode(0o755).recursive(true).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn make_all(folder: &Path, mode: u32) -> io::Result<()> {
    make(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode))
}
