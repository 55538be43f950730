//! The system calls that no safe wrapper offers. All of this crate's `unsafe` is in this file.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};
use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};

/// Which side of a fork one is on.
pub(crate) enum Fork {
    /// The child.
    Child,
    /// The parent, with the child's process id.
    Parent(i32),
}

fn checked(result: c_long) -> io::Result<c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Forks into new namespaces (`CLONE_NEW…` flags). Only for a process with one thread: the child
/// may then do all that its parent may.
pub(crate) fn clone(namespaces: c_int) -> io::Result<Fork> {
    let flags = c_long::from(namespaces | libc::SIGCHLD);
    // SAFETY: without CLONE_VM the child has a copy of this address space, as after fork; no stack,
    // no thread pointer and no id addresses are passed. The caller has one thread, so that no lock
    // can be held by a thread that the child lacks.
    let child = checked(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    Ok(if child == 0 { Fork::Child } else { Fork::Parent(c_int::try_from(child).unwrap_or(c_int::MAX)) })
}

/// Ends this process at once; nothing is flushed and no destructor runs.
pub(crate) fn exit(code: c_int) -> ! {
    // SAFETY: it takes no pointer and does not return.
    unsafe { libc::_exit(code) }
}

/// Becomes another program. Returns only if that failed.
pub(crate) fn exec(program: &CStr, argv: &[CString], env: &[CString]) -> io::Error {
    let pointers = |strings: &[CString]| -> Vec<*const c_char> {
        strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
    };
    let (argv, env) = (pointers(argv), pointers(env));
    // SAFETY: both arrays end with a null pointer, and their strings outlive the call.
    unsafe { libc::execve(program.as_ptr(), argv.as_ptr(), env.as_ptr()) };
    io::Error::last_os_error()
}

/// Closes every descriptor from `first` on.
pub(crate) fn close_from(first: RawFd) -> io::Result<()> {
    // SAFETY: the caller owns this process: nothing in it uses a descriptor of that range any more.
    let closed = checked(unsafe { libc::syscall(libc::SYS_close_range, first, c_int::MAX, 0) });
    match closed {
        Ok(_) => Ok(()),
        Err(_) => {
            // Kernels before 5.9.
            let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(65_536);
            for fd in first..c_int::try_from(limit.min(1 << 20)).unwrap_or(65_536) {
                // SAFETY: as above.
                unsafe { libc::close(fd) };
            }
            Ok(())
        }
    }
}

/// Keeps every descriptor from `first` on from new programs.
pub(crate) fn keep_from(first: RawFd) -> io::Result<()> {
    const CLOSE_ON_EXEC: c_int = 4;
    // SAFETY: it takes no pointer, and closes nothing now.
    checked(unsafe { libc::syscall(libc::SYS_close_range, first, c_int::MAX, CLOSE_ON_EXEC) }).map(drop)
}

/// A descriptor that was handed over by its number; `None`, if it is not open or a standard one.
pub(crate) fn handed(fd: RawFd) -> Option<OwnedFd> {
    // SAFETY: a number that is no open descriptor is an error, nothing worse.
    let open = fd > 2 && unsafe { libc::fcntl(fd, libc::F_GETFD) } >= 0;
    // SAFETY: it is open, was made for this, and each is asked for once.
    open.then(|| unsafe { OwnedFd::from_raw_fd(fd) })
}

/// A copy of the descriptor, numbered 3 or more, that a new program does not get.
pub(crate) fn duplicate(fd: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: a number that is no open descriptor is an error, nothing worse.
    let copy = checked(c_long::from(unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 3) }))?;
    // SAFETY: the descriptor has just been made and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(c_int::try_from(copy).unwrap_or(-1)) })
}

/// Makes `to` (0, 1 or 2) the same as `from`.
pub(crate) fn redirect(from: BorrowedFd<'_>, to: RawFd) -> io::Result<()> {
    // SAFETY: it takes no pointer; standard descriptors are owned by nobody.
    checked(c_long::from(unsafe { libc::dup2(from.as_raw_fd(), to) })).map(drop)
}

/// Closes a standard descriptor (0, 1 or 2).
pub(crate) fn close_standard(fd: RawFd) {
    // SAFETY: standard descriptors are owned by nobody.
    unsafe { libc::close(fd) };
}

#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns_fd: u64,
}

/// Mount cannot be written through.
pub(crate) const RDONLY: u64 = 0x1;
/// Set-user-id bits do nothing.
pub(crate) const NOSUID: u64 = 0x2;
/// Device nodes do nothing.
pub(crate) const NODEV: u64 = 0x4;

/// Sets attributes of a mount and, if asked, of everything mounted below it.
pub(crate) fn mount_setattr(tree: BorrowedFd<'_>, set: u64, recursive: bool) -> io::Result<()> {
    let attr = MountAttr { set, clear: 0, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is a C string and the structure has the size that is passed.
    checked(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attr,
            size_of::<MountAttr>(),
        )
    })
    .map(drop)
}

#[repr(C)]
struct RulesetAttr {
    fs: u64,
    net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneathAttr {
    allowed: u64,
    parent: c_int,
}

const LANDLOCK_CREATE_RULESET: c_long = 444;
const LANDLOCK_ADD_RULE: c_long = 445;
const LANDLOCK_RESTRICT_SELF: c_long = 446;

/// The version of Landlock that this kernel speaks.
pub(crate) fn landlock_abi() -> io::Result<u32> {
    // SAFETY: with this flag the pointer must be null and the size 0.
    let abi = checked(unsafe { libc::syscall(LANDLOCK_CREATE_RULESET, std::ptr::null::<c_void>(), 0, 1) })?;
    Ok(u32::try_from(abi).unwrap_or(0))
}

/// A new rule set that handles the given rights.
pub(crate) fn landlock_ruleset(abi: u32, fs: u64, net: u64, scoped: u64) -> io::Result<OwnedFd> {
    let attr = RulesetAttr { fs, net, scoped };
    let size = match abi {
        0..4 => 8,
        4..6 => 16,
        _ => 24,
    };
    // SAFETY: the structure is at least as long as the size that is passed.
    let fd = checked(unsafe { libc::syscall(LANDLOCK_CREATE_RULESET, &raw const attr, size, 0) })?;
    // SAFETY: the descriptor has just been made and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(c_int::try_from(fd).unwrap_or(-1)) })
}

/// Allows rights at and below a file or folder.
pub(crate) fn landlock_allow(ruleset: BorrowedFd<'_>, below: BorrowedFd<'_>, rights: u64) -> io::Result<()> {
    let attr = PathBeneathAttr { allowed: rights, parent: below.as_raw_fd() };
    // SAFETY: rule type 1 takes this structure.
    checked(unsafe { libc::syscall(LANDLOCK_ADD_RULE, ruleset.as_raw_fd(), 1, &raw const attr, 0) }).map(drop)
}

/// Holds this process and its children to a rule set, for good.
pub(crate) fn landlock_restrict(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: it takes no pointer.
    checked(unsafe { libc::syscall(LANDLOCK_RESTRICT_SELF, ruleset.as_raw_fd(), 0) }).map(drop)
}

/// Installs a system call filter in this process and its children, for good.
pub(crate) fn seccomp(filter: &[libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?,
        filter: filter.as_ptr().cast_mut(),
    };
    // SAFETY: the program points to as many instructions as it says; the kernel copies and checks
    // them and does not write to them.
    checked(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) }).map(drop)
}

/// Leaves the session keyring that was inherited for a new one. Where the kernel has no keyrings
/// there is none to leave.
pub(crate) fn leave_keyring() -> io::Result<()> {
    const JOIN_SESSION_KEYRING: c_long = 1;
    // SAFETY: a null name asks for a keyring without one.
    let joined =
        checked(unsafe { libc::syscall(libc::SYS_keyctl, JOIN_SESSION_KEYRING, std::ptr::null::<c_char>(), 0, 0, 0) });
    match joined {
        Err(error) if error.raw_os_error() != Some(libc::ENOSYS) => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Brings up the loopback interface of this network namespace.
pub(crate) fn loopback_up() -> io::Result<()> {
    // SAFETY: it takes no pointer.
    let fd = checked(c_long::from(unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) }))?;
    // SAFETY: the descriptor has just been made and nobody else has it.
    let socket = unsafe { OwnedFd::from_raw_fd(c_int::try_from(fd).unwrap_or(-1)) };
    // SAFETY: all zeroes is a valid value of this plain C structure.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = c_char::try_from(*from).unwrap_or_default();
    }
    request.ifr_ifru.ifru_flags = i16::try_from(libc::IFF_UP | libc::IFF_RUNNING).unwrap_or_default();
    // SAFETY: this request takes a pointer to that structure.
    checked(c_long::from(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) })).map(drop)
}

/// Kills every process of this process namespace but its first, which must be the caller.
pub(crate) fn kill_namespace() {
    // Anywhere else this would kill all that the user runs.
    if rustix::process::getpid() == rustix::process::Pid::INIT {
        // SAFETY: it takes no pointer.
        unsafe { libc::kill(-1, libc::SIGKILL) };
    }
}

/// All signals as they are for a new program: default dispositions, nothing blocked.
pub(crate) fn default_signals() {
    for signal in 1..=64 {
        // SAFETY: signals that cannot be set are an error and nothing worse; no handler is installed.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: all zeroes is a valid signal set, which is then emptied; the pointers are to locals.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// A descriptor that can be read when a child has ended; the signal that would tell is blocked.
pub(crate) fn children_ended() -> io::Result<OwnedFd> {
    // SAFETY: all zeroes is a valid signal set; the pointers are to locals.
    let fd = unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
        libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    };
    let fd = checked(c_long::from(fd))?;
    // SAFETY: the descriptor has just been made and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(c_int::try_from(fd).unwrap_or(-1)) })
}

/// Runs before `main`, in every program that links this crate with the feature `before-main`.
#[cfg(feature = "before-main")]
#[used]
// SAFETY: the section holds pointers to functions of this signature (its arguments may be ignored);
// the function does nothing unless the program was started as a box, and then does not return.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn before_main() {
        super::main::before_main();
    }
    before_main
};
