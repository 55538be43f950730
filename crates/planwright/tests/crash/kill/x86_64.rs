//! Registers of x86-64 at a system call (`syscall(2)`).

use nix::libc;
use nix::sys::ptrace;
use nix::unistd::Pid;

use super::Kind;

/// The number of the call a thread stands at, and its first three arguments. `None` if it is gone.
pub fn call(thread: Pid) -> Option<(i64, [u64; 3])> {
    let registers = ptrace::getregs(thread).ok()?;
    Some((registers.orig_rax.cast_signed(), [registers.rdi, registers.rsi, registers.rdx]))
}

/// Changes the third argument.
pub fn set_third(thread: Pid, value: u64) -> Option<()> {
    let mut registers = ptrace::getregs(thread).ok()?;
    registers.rdx = value;
    ptrace::setregs(thread, registers).ok()
}

/// The system calls that only older architectures have.
pub const CALLS: &[(i64, &str, Kind)] = &[
    (libc::SYS_creat, "creat", Kind::Name),
    (libc::SYS_rename, "rename", Kind::Name),
    (libc::SYS_link, "link", Kind::Name),
    (libc::SYS_symlink, "symlink", Kind::Name),
    (libc::SYS_unlink, "unlink", Kind::Name),
    (libc::SYS_mkdir, "mkdir", Kind::Name),
    (libc::SYS_rmdir, "rmdir", Kind::Name),
    (libc::SYS_chmod, "chmod", Kind::Name),
];
