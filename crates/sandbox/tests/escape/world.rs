//! What the attacks are aimed at, and how it looks from outside. Whatever differs afterwards is a leak.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::prey::{Prey, sysv};

/// The prey, seen from its side.
pub struct World {
    pub prey: Prey,
    streams: Vec<(String, UnixListener)>,
    datagrams: Vec<(String, UnixDatagram)>,
    tcp: TcpListener,
    udp: UdpSocket,
    fifos: Vec<(String, File)>,
    victim: Child,
    terminal: File,
    /// Open for every program that does not close what it inherits.
    _inherited: Vec<OwnedFd>,
}

impl World {
    /// Fills empty folders with prey.
    pub fn new(roots: &[PathBuf], mark: &str) -> Self {
        let mut streams = Vec::new();
        let mut datagrams = Vec::new();
        let mut fifos = Vec::new();
        for root in roots {
            for entry in std::fs::read_dir(root).unwrap() {
                remove(&entry.unwrap().path());
            }
            for name in
                ["write", "read", "chmod", "delete", "rename", "link", "xattr", "lock", "mmap", "odd \n'\"\\,:=name"]
            {
                std::fs::write(root.join(name), format!("{name}, as it was\n")).unwrap();
            }
            for folder in ["folder", "empty"] {
                std::fs::create_dir(root.join(folder)).unwrap();
            }
            std::fs::write(root.join("folder/inner"), "inner, as it was\n").unwrap();
            std::os::unix::fs::symlink("write", root.join("symlink")).unwrap();
            setxattr(&root.join("xattr"), c"user.kept", b"value");
            std::fs::set_permissions(root.join("chmod"), std::fs::Permissions::from_mode(0o640)).unwrap();
            let name = root.display().to_string();
            let stream = UnixListener::bind(root.join("stream")).unwrap();
            stream.set_nonblocking(true).unwrap();
            streams.push((name.clone(), stream));
            let datagram = UnixDatagram::bind(root.join("datagram")).unwrap();
            datagram.set_nonblocking(true).unwrap();
            datagrams.push((name.clone(), datagram));
            fifos.push((name.clone(), fifo(&root.join("fifo"))));
            let mut full = fifo(&root.join("full-fifo"));
            full.write_all(b"x").unwrap();
            fifos.push((format!("{name}, full"), full));
        }
        let name = format!("planwright-escape-{mark}");
        let stream = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        stream.set_nonblocking(true).unwrap();
        streams.push(("abstract".to_owned(), stream));
        let datagram = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(format!("{name}-d")).unwrap()).unwrap();
        datagram.set_nonblocking(true).unwrap();
        datagrams.push(("abstract".to_owned(), datagram));
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        udp.set_nonblocking(true).unwrap();

        let (terminal, terminal_name) = terminal();
        let mut victim = Command::new("/proc/self/exe")
            .args(["victim", &roots[0].join("write").display().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let address = said(&mut victim);
        let inherited = vec![
            inheritable(&roots[0].join("write"), libc::O_RDWR),
            inheritable(&roots[0].join("read"), libc::O_RDONLY),
            inheritable(&roots[0].join("folder"), libc::O_RDONLY | libc::O_DIRECTORY),
        ];
        let prey = Prey {
            roots: roots.to_vec(),
            mark: mark.to_owned(),
            tcp: tcp.local_addr().unwrap().port(),
            udp: udp.local_addr().unwrap().port(),
            victim: i32::try_from(victim.id()).unwrap(),
            address: u64::from_str_radix(address.trim(), 16).unwrap(),
            terminal: terminal_name,
            shm: sysv::make(mark),
        };
        Self { prey, streams, datagrams, tcp, udp, fifos, victim, terminal, _inherited: inherited }
    }

    /// Everything that there is to see.
    pub fn look(&mut self) -> BTreeMap<String, String> {
        let mut seen = BTreeMap::new();
        for root in &self.prey.roots {
            files(root, &mut seen);
        }
        for (name, listener) in &self.streams {
            seen.insert(format!("stream {name}"), format!("{}", listener.accept().is_ok()));
        }
        for (name, socket) in &self.datagrams {
            seen.insert(format!("datagram {name}"), format!("{}", socket.recv(&mut [0; 8]).is_ok()));
        }
        seen.insert("tcp".to_owned(), format!("{}", self.tcp.accept().is_ok()));
        seen.insert("udp".to_owned(), format!("{}", self.udp.recv(&mut [0; 8]).is_ok()));
        // Asked and not read: reading would be seen in the pipe's own times.
        for (name, pipe) in &self.fifos {
            let waiting = rustix::io::ioctl_fionread(pipe).unwrap();
            seen.insert(format!("in pipe {name}"), waiting.to_string());
        }
        seen.insert("terminal".to_owned(), format!("{}", self.terminal.read(&mut [0; 64]).unwrap_or(0)));
        self.victim(&mut seen);
        machine(&self.prey, &mut seen);
        seen
    }

    fn victim(&mut self, seen: &mut BTreeMap<String, String>) {
        let pid = self.victim.id();
        let of = |file: &str| std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let stat = of("stat");
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let state = fields.first().copied().unwrap_or("gone");
        // Running or sleeping is the same; stopped, traced or dead is not.
        seen.insert(
            "victim state".to_owned(),
            if "RSD".contains(state) { "alive".to_owned() } else { state.to_owned() },
        );
        let at = |place: usize| fields.get(place).copied().unwrap_or_default().to_owned();
        seen.insert("victim nice".to_owned(), at(16));
        seen.insert("victim policy".to_owned(), at(38));
        seen.insert("victim limits".to_owned(), of("limits"));
        seen.insert("victim oom".to_owned(), of("oom_score_adj"));
        let status = of("status");
        let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
        seen.insert("victim affinity".to_owned(), line("Cpus_allowed:"));
        seen.insert("victim signals".to_owned(), line("ShdPnd:") + &line("SigPnd:"));
        // SAFETY: it takes no pointer.
        let io = unsafe { libc::syscall(libc::SYS_ioprio_get, 1, pid) };
        seen.insert("victim io priority".to_owned(), io.to_string());
        let mut word = [0; 8];
        let read = File::open(format!("/proc/{pid}/mem"))
            .and_then(|file| std::os::unix::fs::FileExt::read_exact_at(&file, &mut word, self.prey.address));
        seen.insert("victim memory".to_owned(), format!("{read:?} {word:?}"));
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
        sysv::remove(self.prey.shm);
    }
}

/// Whether anybody outside is kept from a lock on the file.
pub fn is_locked(path: &Path) -> bool {
    // Without waiting: with a lease on it, opening it for writing would.
    let open = File::options().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(path);
    let file = match open {
        Ok(file) => file,
        Err(error) => return error.kind() == std::io::ErrorKind::WouldBlock,
    };
    // SAFETY: a descriptor and a structure that outlive the calls.
    unsafe {
        let mut region: libc::flock = std::mem::zeroed();
        region.l_type = libc::F_WRLCK as libc::c_short;
        let region_locked = libc::fcntl(file.as_raw_fd(), libc::F_GETLK, &raw mut region) == 0
            && region.l_type != libc::F_UNLCK as libc::c_short;
        region_locked || libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) != 0
    }
}

/// What is not in a file, and is nobody's in particular.
fn machine(prey: &Prey, seen: &mut BTreeMap<String, String>) {
    let text = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    for file in [
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/hostname",
        "/proc/sys/kernel/domainname",
        "/proc/sys/kernel/sysrq",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sys/vm/swappiness",
        "/proc/self/mountinfo",
        "/proc/swaps",
        "/proc/modules",
        "/sys/kernel/mm/transparent_hugepage/enabled",
    ] {
        seen.insert(file.to_owned(), text(file));
    }
    let marked = |file: &str| text(file).lines().filter(|line| line.contains("planwright-escape")).count();
    seen.insert("keys".to_owned(), marked("/proc/keys").to_string());
    seen.insert("shm".to_owned(), sysv::contents(prey.shm));
    seen.insert("shm segments".to_owned(), sysv::count(prey));
    seen.insert("semaphores".to_owned(), text("/proc/sysvipc/sem").lines().count().to_string());
    seen.insert("message queues".to_owned(), text("/proc/sysvipc/msg").lines().count().to_string());
    seen.insert("posix queue".to_owned(), posix_queue(&prey.mark).to_string());
    // Only what this run makes: others may run beside it.
    let own = format!("pw-{}", prey.mark);
    for folder in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/pids", "/dev", "/run", "/dev/shm", "/"] {
        let names = std::fs::read_dir(folder).map(|entries| {
            entries.flatten().filter(|entry| entry.file_name().as_bytes().starts_with(own.as_bytes())).count()
        });
        seen.insert(format!("names in {folder}"), format!("{:?}", names.unwrap_or(0)));
    }
    for device in ["/dev/null", "/dev/zero"] {
        let meta = std::fs::metadata(device).unwrap();
        seen.insert(device.to_owned(), format!("{:o} {} {}", meta.mode(), meta.uid(), meta.ctime()));
    }
    seen.insert("processes".to_owned(), survivors(&prey.mark).len().to_string());
}

/// Processes that carry the mark, in their environment or their arguments.
pub fn survivors(mark: &str) -> Vec<i32> {
    let mark = format!("PW_ESCAPE={mark}");
    let Ok(table) = std::fs::read_dir("/proc") else { return Vec::new() };
    table
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            ["environ", "cmdline"].iter().any(|file| {
                std::fs::read(format!("/proc/{pid}/{file}"))
                    .is_ok_and(|text| text.split(|byte| *byte == 0).any(|part| part == mark.as_bytes()))
            })
        })
        .collect()
}

fn posix_queue(mark: &str) -> bool {
    let name = CString::new(format!("/pw-{mark}")).unwrap();
    // SAFETY: a C string that outlives the calls.
    unsafe {
        let queue = libc::mq_open(name.as_ptr(), libc::O_RDONLY);
        if queue >= 0 {
            libc::close(queue);
            libc::mq_unlink(name.as_ptr());
        }
        queue >= 0
    }
}

/// All metadata of all files, read so that reading changes none of it.
pub fn files(root: &Path, seen: &mut BTreeMap<String, String>) {
    let meta = std::fs::symlink_metadata(root).unwrap();
    seen.insert(format!("{root:?}"), described(root, &meta));
    if !meta.is_dir() {
        return;
    }
    let folder = File::options().read(true).custom_flags(libc::O_NOATIME | libc::O_DIRECTORY).open(root).unwrap();
    for entry in rustix::fs::Dir::new(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            files(&root.join(std::ffi::OsStr::from_bytes(name)), seen);
        }
    }
}

fn described(path: &Path, meta: &std::fs::Metadata) -> String {
    let contents = if meta.is_file() {
        let mut text = Vec::new();
        File::options().read(true).custom_flags(libc::O_NOATIME).open(path).unwrap().read_to_end(&mut text).unwrap();
        format!(
            "{} {:?}",
            text.len(),
            text.iter().fold(7u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)))
        )
    } else if meta.is_symlink() {
        format!("{:?}", std::fs::read_link(path))
    } else {
        String::new()
    };
    // Reading a link to describe it changes its own time of access.
    let atime = if meta.is_symlink() { 0 } else { meta.atime() * 1_000_000_000 + meta.atime_nsec() };
    format!(
        "mode {:o} owner {}:{} links {} inode {} size {} mtime {}.{} ctime {}.{} atime {atime} xattrs {} contents {contents}",
        meta.mode(),
        meta.uid(),
        meta.gid(),
        meta.nlink(),
        meta.ino(),
        meta.len(),
        meta.mtime(),
        meta.mtime_nsec(),
        meta.ctime(),
        meta.ctime_nsec(),
        xattrs(path),
    )
}

fn xattrs(path: &Path) -> String {
    let mut names = vec![0; 4096];
    let Ok(length) = rustix::fs::llistxattr(path, &mut names[..]) else { return String::new() };
    let names = &names[..length];
    let mut all = String::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; 4096];
        let length = rustix::fs::lgetxattr(path, name, &mut value[..]).unwrap_or(0);
        all.push_str(&format!("{}={:?};", String::from_utf8_lossy(name), &value[..length]));
    }
    all
}

fn setxattr(path: &Path, name: &CStr, value: &[u8]) {
    // Not every file system has them (tmpfs before 6.6); then there is nothing to see either.
    let _ = rustix::fs::setxattr(path, name, value, rustix::fs::XattrFlags::empty());
}

fn fifo(path: &Path) -> File {
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string that outlives the call.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    File::options().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(path).unwrap()
}

fn inheritable(path: &Path, flags: i32) -> OwnedFd {
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string that outlives the call, and a descriptor that nobody else has.
    unsafe {
        let fd = libc::open(name.as_ptr(), flags);
        assert!(fd >= 0);
        OwnedFd::from_raw_fd(fd)
    }
}

/// A terminal: what is written on its other side can be read here.
fn terminal() -> (File, String) {
    // SAFETY: descriptors that are checked, and a name that is copied at once.
    unsafe {
        let master = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_NONBLOCK | libc::O_CLOEXEC);
        assert!(master >= 0 && libc::grantpt(master) == 0 && libc::unlockpt(master) == 0);
        let name = CStr::from_ptr(libc::ptsname(master)).to_str().unwrap().to_owned();
        (File::from_raw_fd(master), name)
    }
}

fn said(child: &mut Child) -> String {
    let mut line = Vec::new();
    let mut byte = [0];
    let out = child.stdout.as_mut().unwrap();
    while out.read(&mut byte).unwrap() == 1 && byte != *b"\n" {
        line.push(byte[0]);
    }
    String::from_utf8(line).unwrap()
}

/// A process to be attacked: it has a file open for writing, and a word in its memory.
pub fn victim(file: &str) -> ! {
    let _file = File::options().read(true).write(true).open(file).unwrap();
    let word = Box::leak(Box::new(*b"original"));
    println!("{:x}", std::ptr::from_mut(word) as usize);
    // Ends with its parent, which holds the other side.
    let _ = std::io::stdin().read(&mut [0]);
    std::process::exit(0);
}

/// Removes anything, whatever its mode.
pub fn remove(path: &Path) {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return };
    if meta.is_dir() {
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700));
        for entry in std::fs::read_dir(path).unwrap() {
            remove(&entry.unwrap().path());
        }
        std::fs::remove_dir(path).unwrap();
    } else {
        if meta.is_file()
            && let Ok(file) = File::open(path)
        {
            // An attack may have made it immutable, in a control run.
            let flags: libc::c_long = 0;
            // SAFETY: this request takes a pointer to a long.
            unsafe { libc::ioctl(file.as_raw_fd(), 0x4008_6602, &raw const flags) };
        }
        std::fs::remove_file(path).unwrap();
    }
}
