//! Attacks on other programs: sockets, signals, memory, priorities, shared things, and staying alive.

use std::ffi::CString;
use std::io::{self, Write as _};
use std::net::{TcpStream, UdpSocket};
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::attacks::Control::{Leaks, Never, Perhaps, RootLeaks};
use crate::attacks::{Row, breach};
use crate::files::done;
use crate::prey::{Prey, sysv};

pub const ATTACKS: &[Row] = &[
    ("sockets in every folder", Leaks, |prey| {
        prey.roots.iter().map(|root| UnixStream::connect(root.join("stream")).map(drop)).fold(Ok(()), io::Result::and)
    }),
    ("datagrams to every folder", Leaks, |prey| {
        let socket = UnixDatagram::unbound()?;
        for root in &prey.roots {
            let _ = socket.send_to(b"x", root.join("datagram"));
        }
        Ok(())
    }),
    ("datagrams from a pair of sockets", Leaks, |prey| {
        let (socket, _other) = UnixDatagram::pair()?;
        for root in &prey.roots {
            let _ = socket.send_to(b"x", root.join("datagram"));
        }
        Ok(())
    }),
    ("a socket through /proc/self/fd", Leaks, |prey| {
        let folder = std::fs::File::open(&prey.roots[0])?;
        UnixStream::connect(format!("/proc/self/fd/{}/stream", folder.as_raw_fd())).map(drop)
    }),
    ("a socket, by a link to it", Leaks, |prey| {
        let link = prey.file("to-stream");
        std::os::unix::fs::symlink("stream", &link)?;
        UnixStream::connect(link).map(drop)
    }),
    ("a socket, renamed first", Leaks, |prey| {
        std::fs::rename(prey.file("stream"), prey.file("renamed"))?;
        UnixStream::connect(prey.file("renamed")).map(drop)
    }),
    ("an abstract socket", Leaks, |prey| {
        let name = SocketAddr::from_abstract_name(format!("planwright-escape-{}", prey.mark))?;
        UnixStream::connect_addr(&name).map(drop)
    }),
    ("an abstract datagram", Leaks, |prey| {
        let name = SocketAddr::from_abstract_name(format!("planwright-escape-{}-d", prey.mark))?;
        UnixDatagram::unbound()?.send_to_addr(b"x", &name).map(drop)
    }),
    ("tcp", Leaks, |prey| TcpStream::connect(("127.0.0.1", prey.tcp)).map(drop)),
    ("udp", Leaks, |prey| UdpSocket::bind("0.0.0.0:0")?.send_to(b"x", ("127.0.0.1", prey.udp)).map(drop)),
    ("other kinds of sockets", Perhaps, |_| {
        // vsock, packet, can, xdp, alg, bluetooth, tipc: none of them is held by a network namespace,
        // or each is a way into the kernel.
        for family in [40, 17, 29, 44, 38, 31, 30] {
            for kind in [libc::SOCK_STREAM, libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET] {
                // SAFETY: it takes no pointer.
                if unsafe { libc::socket(family, kind, 0) } >= 0 {
                    breach("a socket of another family");
                }
            }
        }
        Ok(())
    }),
    ("raw packets", Perhaps, |_| {
        // SAFETY: it takes no pointer.
        if unsafe { libc::socket(libc::AF_INET, libc::SOCK_RAW, 255) } >= 0 {
            breach("a raw socket");
        }
        Ok(())
    }),
    ("kill", Leaks, |prey| done(unsafe { libc::kill(prey.victim, libc::SIGKILL) }.into())),
    ("stop", Leaks, |prey| done(unsafe { libc::kill(prey.victim, libc::SIGSTOP) }.into())),
    ("kill one's parent and its parent", Perhaps, |_| {
        // SAFETY: it takes no pointer. Outside, the parent is the judge: it is asked with no signal.
        let parent = unsafe { libc::getppid() };
        if parent > 1 && unsafe { libc::kill(parent, 0) } == 0 {
            breach("the parent can be signalled");
        }
        Ok(())
    }),
    ("kill by a process descriptor", Leaks, |prey| {
        let fd = pidfd(prey)?;
        // SAFETY: a null pointer means no more than the number.
        done(unsafe { libc::syscall(libc::SYS_pidfd_send_signal, fd.as_raw_fd(), libc::SIGKILL, 0, 0) })
    }),
    ("kill one thread", Leaks, |prey| {
        // SAFETY: it takes no pointer.
        done(unsafe { libc::syscall(libc::SYS_tkill, prey.victim, libc::SIGKILL) })
    }),
    ("a queued signal", Leaks, |prey| {
        let value = libc::sigval { sival_ptr: std::ptr::null_mut() };
        // SAFETY: the value is not used as a pointer.
        done(unsafe { libc::sigqueue(prey.victim, libc::SIGTERM, value) }.into())
    }),
    ("a signal by being the owner of a pipe", Leaks, |prey| {
        let (reader, mut writer) = io::pipe()?;
        let fd = reader.as_raw_fd();
        // SAFETY: none of them takes a pointer.
        unsafe {
            done(libc::fcntl(fd, libc::F_SETOWN, prey.victim).into())?;
            done(libc::fcntl(fd, 10, libc::SIGTERM).into())?;
            done(libc::fcntl(fd, libc::F_SETFL, libc::O_ASYNC | libc::O_NONBLOCK).into())?;
        }
        writer.write_all(b"x")
    }),
    ("attach as a debugger", Leaks, |prey| {
        // SAFETY: it takes no pointer that matters.
        done(unsafe { libc::ptrace(libc::PTRACE_ATTACH, prey.victim, 0, 0) })?;
        std::thread::sleep(std::time::Duration::from_millis(50));
        // Not let go of: those outside are to see it stopped. It would go on when this process ends.
        // SAFETY: as above.
        unsafe { libc::ptrace(libc::PTRACE_DETACH, prey.victim, 0, libc::SIGSTOP) };
        Ok(())
    }),
    ("memory, by its file", Leaks, |prey| {
        let file = std::fs::OpenOptions::new().write(true).open(format!("/proc/{}/mem", prey.victim))?;
        file.write_all_at(b"poisoned", prey.address)
    }),
    ("memory, by a call", Leaks, |prey| {
        let local = libc::iovec { iov_base: c"poisoned".as_ptr().cast_mut().cast(), iov_len: 8 };
        let remote = libc::iovec { iov_base: prey.address as *mut libc::c_void, iov_len: 8 };
        // SAFETY: the local part is eight bytes long; the remote part is not dereferenced here.
        done(unsafe { libc::process_vm_writev(prey.victim, &raw const local, 1, &raw const remote, 1, 0) } as i64)
    }),
    ("a descriptor of another process", Leaks, |prey| {
        let process = pidfd(prey)?;
        for fd in 3..10 {
            // SAFETY: it takes no pointer; a descriptor that is made belongs to nobody else.
            let stolen = unsafe { libc::syscall(libc::SYS_pidfd_getfd, process.as_raw_fd(), fd, 0) };
            if stolen >= 0 {
                let mut file = unsafe { std::fs::File::from_raw_fd(RawFd::try_from(stolen).unwrap()) };
                let _ = file.write_all(b"stolen");
            }
        }
        Ok(())
    }),
    ("limits of another process", Leaks, |prey| {
        let limit = libc::rlimit { rlim_cur: 77, rlim_max: 77 };
        // SAFETY: a structure that outlives the call.
        done(unsafe { libc::prlimit(prey.victim, libc::RLIMIT_NOFILE, &raw const limit, std::ptr::null_mut()) }.into())
    }),
    ("priority of another process", Leaks, |prey| {
        // SAFETY: it takes no pointer.
        done(unsafe { libc::setpriority(libc::PRIO_PROCESS, prey.victim.try_into().unwrap(), 15) }.into())
    }),
    ("processors of another process", Leaks, |prey| {
        // SAFETY: a structure that outlives the call.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(0, &mut set);
            done(libc::sched_setaffinity(prey.victim, size_of_val(&set), &raw const set).into())
        }
    }),
    ("scheduling of another process", Leaks, |prey| {
        let parameter = libc::sched_param { sched_priority: 0 };
        // SAFETY: a structure that outlives the call.
        done(unsafe { libc::sched_setscheduler(prey.victim, libc::SCHED_BATCH, &raw const parameter) }.into())
    }),
    ("disk priority of another process", Leaks, |prey| {
        // SAFETY: it takes no pointer.
        done(unsafe { libc::syscall(libc::SYS_ioprio_set, 1, prey.victim, 3 << 13) })
    }),
    ("memory score of another process", Leaks, |prey| {
        std::fs::write(format!("/proc/{}/oom_score_adj", prey.victim), "500")
    }),
    ("shared memory: written", Leaks, |prey| {
        // SAFETY: the segment has 4096 bytes, and the address is checked.
        unsafe {
            let at = libc::shmat(prey.shm, std::ptr::null(), 0);
            if at as isize == -1 {
                return Err(io::Error::last_os_error());
            }
            at.cast::<u8>().write(42);
        }
        Ok(())
    }),
    ("shared memory: made", Leaks, |prey| {
        // SAFETY: it takes no pointer.
        done(unsafe { libc::shmget(sysv::key(&prey.mark) ^ 2, 4096, libc::IPC_CREAT | 0o600) }.into())
    }),
    ("shared memory: removed", Leaks, |prey| {
        sysv::remove(prey.shm);
        Ok(())
    }),
    ("a message queue", Leaks, |prey| {
        let name = CString::new(format!("/pw-{}", prey.mark)).unwrap();
        // SAFETY: a C string that outlives the call; null attributes are the default ones.
        done(
            unsafe {
                libc::mq_open(name.as_ptr(), libc::O_CREAT | libc::O_RDWR, 0o600, std::ptr::null_mut::<libc::mq_attr>())
            }
            .into(),
        )
    }),
    ("named shared memory", Perhaps, |prey| {
        let name = CString::new(format!("/pw-{}", prey.mark)).unwrap();
        // SAFETY: a C string that outlives the call.
        done(unsafe { libc::shm_open(name.as_ptr(), libc::O_CREAT | libc::O_RDWR, 0o600) }.into())
    }),
    ("a key in the session's keyring", Never, |prey| key(prey, -3)),
    ("a key in the user's keyring", Never, |prey| key(prey, -4)),
    ("io_uring", Perhaps, |_| {
        let mut parameters = [0u8; 120];
        // SAFETY: a buffer as long as the structure.
        if unsafe { libc::syscall(libc::SYS_io_uring_setup, 4, parameters.as_mut_ptr()) } >= 0 {
            breach("io_uring");
        }
        Ok(())
    }),
    ("typing on a terminal", Perhaps, |prey| {
        let terminal = std::fs::OpenOptions::new().read(true).write(true).open(&prey.terminal)?;
        // SAFETY: this request takes a pointer to a byte.
        done(unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSTI, c"x".as_ptr()) }.into())
    }),
    ("writing on a terminal", Leaks, |prey| {
        std::fs::OpenOptions::new().write(true).open(&prey.terminal)?.write_all(b"x")
    }),
    ("typing on its own terminal", Perhaps, |_| {
        let terminal = std::fs::File::open("/dev/tty")?;
        breach("there is a terminal");
        // SAFETY: this request takes a pointer to a byte.
        done(unsafe { libc::ioctl(terminal.as_raw_fd(), libc::TIOCSTI, c"x".as_ptr()) }.into())
    }),
    ("a child that stays", Perhaps, |_| {
        Command::new("sleep").arg("300").stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop)
    }),
    ("a daemon that stays", Leaks, |_| {
        Command::new("setsid")
            .args(["-f", "sleep", "300"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map(settle)
    }),
    ("a daemon without a mark", Leaks, |prey| {
        // Told by its arguments, for its environment is empty.
        let mark = format!("PW_ESCAPE={}", prey.mark);
        Command::new("setsid")
            .args(["-f", "sh", "-c", "while :; do sleep 1; done", &mark])
            .env_clear()
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map(settle)
    }),
    ("many daemons, quickly", Leaks, |_| {
        Command::new("sh")
            .args([
                "-c",
                "for i in 1 2 3 4 5 6 7 8 9 10; do setsid sh -c 'sleep 300 & setsid sleep 300 & exec sleep 300' & done",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map(settle)
    }),
    ("root's program that writes a file", Perhaps, |prey| {
        // Set-user-id programs there are everywhere; none of them may gain anything.
        for program in ["/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount"] {
            let _ = Command::new(program).arg("--help").output();
        }
        let status = std::fs::read_to_string("/proc/self/status")?;
        let _ = prey;
        if status.contains("NoNewPrivs:\t0") {
            breach("new privileges can be had");
        }
        Ok(())
    }),
    ("a scheduled job", RootLeaks, |prey| {
        // crond and atd read these; here only the file counts.
        let _ = std::fs::write(format!("/etc/cron.d/pw-{}", prey.mark), "");
        let file = Path::new("/run").join(format!("pw-{}", prey.mark));
        std::fs::write(file, "")
    }),
    ("the box's own processes", Perhaps, |_| {
        for entry in std::fs::read_dir("/proc")?.flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            let itself = i32::try_from(std::process::id()).unwrap();
            if pid == 1 && pid != itself && in_box() {
                for file in ["mem", "environ", "root/etc", "cwd/.", "fd/3", "map_files"] {
                    let path = entry.path().join(file);
                    let read = std::fs::File::open(&path).and_then(|file| file.read_at(&mut [0], 0)).is_ok();
                    let listed =
                        std::fs::read_dir(&path).is_ok_and(|mut all| all.next().is_some_and(|entry| entry.is_ok()));
                    if read || listed {
                        breach(&format!("{}", path.display()));
                    }
                }
                // SAFETY: it takes no pointer that matters.
                if unsafe { libc::ptrace(libc::PTRACE_ATTACH, pid, 0, 0) } == 0 {
                    breach("the first process can be traced");
                }
                // SAFETY: it takes no pointer. From inside it has no effect on the first process.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
        }
        Ok(())
    }),
];

/// Gives daemons the time to leave their group, which is ended with the command.
fn settle(_: std::process::ExitStatus) {
    std::thread::sleep(std::time::Duration::from_millis(150));
}

/// Whether the first process here is a box's.
fn in_box() -> bool {
    std::fs::read("/proc/1/cmdline").is_ok_and(|line| line.starts_with(b"planwright-box"))
}

fn pidfd(prey: &Prey) -> io::Result<OwnedFd> {
    // SAFETY: it takes no pointer; the descriptor that is made belongs to nobody else.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, prey.victim, 0);
        done(fd)?;
        Ok(OwnedFd::from_raw_fd(RawFd::try_from(fd).unwrap()))
    }
}

fn key(prey: &Prey, ring: i64) -> io::Result<()> {
    let name = CString::new(format!("planwright-escape-{}", prey.mark)).unwrap();
    // SAFETY: C strings and a buffer that outlive the call.
    done(unsafe { libc::syscall(libc::SYS_add_key, c"user".as_ptr(), name.as_ptr(), c"x".as_ptr(), 1, ring) })
}
