//! What the canary run tries from inside. Whether it had an effect is judged from outside; what it
//! prints tells only whether the command could work at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::net::{TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, Timestamps};
use rustix::process::{Pid, Signal};

use crate::policy::{Canary, DEVICE};

/// How long locks and connections are held, for those outside to see them.
const HOLD: Duration = Duration::from_millis(30);

/// Tries everything, and prints a line for each: its name and the error number, or 0.
pub(crate) fn run(canary: &Canary) -> io::Result<()> {
    let file = |name: &str| canary.folder.join(name);
    let mut out = io::stdout();
    let mut say = |name: &str, result: io::Result<()>| {
        let errno = result.err().map_or(0, |error| error.raw_os_error().unwrap_or(-1));
        // Nobody to tell means nobody to judge.
        let _ = writeln!(out, "{name} {errno}");
    };
    // Writing.
    say("write", append(&file("write")));
    say("create", File::create(file("created")).map(drop));
    say("chmod", std::fs::set_permissions(file("chmod"), std::fs::Permissions::from_mode(0o777)));
    say("touch", touch(&file("touch")));
    say("truncate", OpenOptions::new().write(true).truncate(true).open(file("truncate")).map(drop));
    say("delete", std::fs::remove_file(file("delete")));
    say("rename", std::fs::rename(file("rename"), file("renamed")));
    say("link", std::fs::hard_link(file("link"), file("linked")));
    say("refill", refill(&file("full")));
    say("device", std::fs::metadata(DEVICE).and_then(|meta| std::fs::set_permissions(DEVICE, meta.permissions())));
    // Other programs.
    say("unix", UnixStream::connect(file("socket")).map(drop));
    say(
        "abstract",
        SocketAddr::from_abstract_name(&canary.socket).and_then(|at| UnixStream::connect_addr(&at)).map(drop),
    );
    say("tcp", TcpStream::connect(("127.0.0.1", canary.tcp)).map(drop));
    say("udp", datagram(canary.udp));
    say("kill", kill(canary.pid));
    // The kernel.
    say("sysctl", open_for_writing("/proc/sys/kernel/core_pattern"));
    say("sysrq", open_for_writing("/proc/sysrq-trigger"));
    let lock = File::open(file("lock")).and_then(|file| {
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        Ok(file)
    });
    std::thread::sleep(HOLD);
    say("lock", lock.map(drop));
    Ok(())
}

fn append(path: &Path) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(b"written")
}

fn touch(path: &Path) -> io::Result<()> {
    let zero = rustix::fs::Timespec { tv_sec: 0, tv_nsec: 0 };
    let times = Timestamps { last_access: zero, last_modification: zero };
    Ok(rustix::fs::utimensat(rustix::fs::CWD, path, &times, rustix::fs::AtFlags::empty())?)
}

/// A folder that was deleted and made again must be empty.
fn refill(folder: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(folder)?;
    std::fs::create_dir(folder)?;
    match std::fs::read_dir(folder)?.next() {
        Some(_) => Err(io::Error::from_raw_os_error(libc::ENOTEMPTY)),
        None => Ok(()),
    }
}

fn datagram(port: u16) -> io::Result<()> {
    UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", ("127.0.0.1", port)).map(drop)
}

fn kill(pid: u32) -> io::Result<()> {
    let pid = Pid::from_raw(pid.cast_signed()).ok_or_else(|| io::Error::from_raw_os_error(libc::ESRCH))?;
    Ok(rustix::process::kill_process(pid, Signal::KILL)?)
}

fn open_for_writing(path: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(path).map(drop)
}
