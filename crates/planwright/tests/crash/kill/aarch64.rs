//! Registers of aarch64 at a system call (`syscall(2)`).

use nix::sys::ptrace;
use nix::unistd::Pid;

use super::Kind;

/// The number of the call a thread stands at, and its first three arguments. `None` if it is gone.
pub fn call(thread: Pid) -> Option<(i64, [u64; 3])> {
    let registers = ptrace::getregs(thread).ok()?.regs;
    Some((registers[8].cast_signed(), [registers[0], registers[1], registers[2]]))
}

/// Changes the third argument.
pub fn set_third(thread: Pid, value: u64) -> Option<()> {
    let mut registers = ptrace::getregs(thread).ok()?;
    registers.regs[2] = value;
    ptrace::setregs(thread, registers).ok()
}

/// This architecture has no system calls but those that every one has.
pub const CALLS: &[(i64, &str, Kind)] = &[];
