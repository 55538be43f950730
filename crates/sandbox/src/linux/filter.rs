//! The system call filter: what a confined command may not ask of the kernel.
//!
//! It refuses with an error number and never kills, because a kill is written to the kernel's log.
//! Programs of another architecture (32-bit) are refused every call.

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, c_long};
use libc::{SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO, sock_filter};

use super::filter_table as table;

/// When a call is refused.
#[derive(Clone, Copy, Debug)]
pub(crate) enum When {
    /// Always.
    Always,
    /// When the argument has one of these bits.
    Bits(u8, u32),
    /// When the argument is one of these.
    Is(u8, &'static [u32]),
    /// When the argument, under the mask, is none of these.
    IsNot(u8, u32, &'static [u32]),
}

/// One refusal: the call, when, and the error number (0: the call seems to succeed and does nothing).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal(pub(crate) c_long, pub(crate) When, pub(crate) i32);

#[cfg(target_arch = "x86_64")]
const ARCH: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCH: u32 = 0xc000_00b7;

const NR: u32 = 0;
const ARCH_OFFSET: u32 = 4;
/// Where the low half of an argument is, on a little-endian machine.
const fn argument(index: u8) -> u32 {
    16 + 8 * index as u32
}

/// The filter for a scratch copy.
pub(crate) fn scratch() -> Vec<sock_filter> {
    assemble(&[table::MACHINE])
}

/// The filter for a command that may only read. Without a signal scope the command may not signal.
pub(crate) fn read_only(signals_scoped: bool) -> Vec<sock_filter> {
    let signals: &[Refusal] = if signals_scoped { &[] } else { table::SIGNALS };
    assemble(&[table::MACHINE, table::WRITES, table::OTHERS, signals])
}

fn assemble(tables: &[&[Refusal]]) -> Vec<sock_filter> {
    let mut code = vec![
        load(ARCH_OFFSET),
        jump(BPF_JEQ, ARCH, 1, 0),
        refuse(libc::ENOSYS),
        load(NR),
        // The x32 way into a 64-bit kernel, whose numbers are not those below.
        jump(BPF_JGE, 0x4000_0000, 0, 1),
        refuse(libc::ENOSYS),
    ];
    for Refusal(call, when, errno) in tables.iter().copied().flatten() {
        let call = u32::try_from(*call).unwrap_or(u32::MAX);
        match when {
            When::Always => code.extend([jump(BPF_JEQ, call, 0, 1), refuse(*errno)]),
            When::Bits(index, bits) => guarded(&mut code, call, *index, u32::MAX, |body| {
                body.extend([jump(BPF_JSET, *bits, 0, 1), refuse(*errno)]);
            }),
            When::Is(index, values) => guarded(&mut code, call, *index, u32::MAX, |body| {
                for value in *values {
                    body.extend([jump(BPF_JEQ, *value, 0, 1), refuse(*errno)]);
                }
            }),
            When::IsNot(index, mask, values) => guarded(&mut code, call, *index, *mask, |body| {
                // Each value that is fine jumps behind the refusal that ends the list.
                for (place, value) in values.iter().enumerate() {
                    let behind = u8::try_from(values.len() - place).unwrap_or(u8::MAX);
                    body.push(jump(BPF_JEQ, *value, behind, 0));
                }
                body.push(refuse(*errno));
            }),
        }
    }
    code.push(ret(SECCOMP_RET_ALLOW));
    code
}

/// Adds instructions that are run for this call only, with the argument loaded.
fn guarded(code: &mut Vec<sock_filter>, call: u32, index: u8, mask: u32, body: impl FnOnce(&mut Vec<sock_filter>)) {
    let mut block = vec![load(argument(index))];
    if mask != u32::MAX {
        block.push(statement(libc::BPF_ALU | libc::BPF_AND | BPF_K, mask));
    }
    body(&mut block);
    block.push(load(NR));
    code.push(jump(BPF_JEQ, call, 0, u8::try_from(block.len()).expect("no list in the table is that long")));
    code.append(&mut block);
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: u16::try_from(code).unwrap_or_default(), jt: 0, jf: 0, k }
}

fn load(offset: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, offset)
}

fn jump(test: u32, k: u32, yes: u8, no: u8) -> sock_filter {
    sock_filter { jt: yes, jf: no, ..statement(BPF_JMP | test | BPF_K, k) }
}

fn ret(verdict: u32) -> sock_filter {
    statement(BPF_RET | BPF_K, verdict)
}

fn refuse(errno: i32) -> sock_filter {
    ret(SECCOMP_RET_ERRNO | errno.cast_unsigned() & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says to a call, by running it as the kernel would.
    fn verdict(code: &[sock_filter], arch: u32, nr: u32, args: [u64; 6]) -> u32 {
        let mut data = Vec::new();
        data.extend(nr.to_ne_bytes());
        data.extend(arch.to_ne_bytes());
        data.extend(0u64.to_ne_bytes());
        args.iter().for_each(|arg| data.extend(arg.to_ne_bytes()));
        let (mut at, mut a) = (0usize, 0u32);
        loop {
            let sock_filter { code: op, jt, jf, k } = code[at];
            at += 1;
            let op = u32::from(op);
            if op == BPF_LD | BPF_W | BPF_ABS {
                let k = k as usize;
                a = u32::from_ne_bytes(data[k..k + 4].try_into().unwrap());
            } else if op == libc::BPF_ALU | libc::BPF_AND | BPF_K {
                a &= k;
            } else if op == BPF_RET | BPF_K {
                return k;
            } else {
                let yes = match op & 0xf0 {
                    test if test == BPF_JEQ => a == k,
                    test if test == BPF_JGE => a >= k,
                    test if test == BPF_JSET => a & k != 0,
                    other => panic!("{other}"),
                };
                at += usize::from(if yes { jt } else { jf });
            }
        }
    }

    #[test]
    fn verdicts() {
        let (scratch, read) = (scratch(), read_only(true));
        let no = |errno: i32| SECCOMP_RET_ERRNO | errno.cast_unsigned();
        let yes = SECCOMP_RET_ALLOW;
        let a = |at: usize, value: u64| {
            let mut args = [0; 6];
            args[at] = value;
            args
        };
        // call, arguments, scratch, read-only
        let rows: &[(c_long, [u64; 6], u32, u32)] = &[
            (libc::SYS_read, [0; 6], yes, yes),
            (libc::SYS_mount, [0; 6], no(libc::EPERM), no(libc::EPERM)),
            (libc::SYS_clone, a(0, 17), yes, yes),
            (libc::SYS_clone, a(0, 0x1000_0011), no(libc::EPERM), no(libc::EPERM)),
            (libc::SYS_clone3, [0; 6], no(libc::ENOSYS), no(libc::ENOSYS)),
            (libc::SYS_socket, a(0, 2), yes, no(libc::EACCES)),
            (libc::SYS_socket, a(0, 40), no(libc::EAFNOSUPPORT), no(libc::EAFNOSUPPORT)),
            (libc::SYS_socket, a(0, 1 << 32 | 40), no(libc::EAFNOSUPPORT), no(libc::EAFNOSUPPORT)),
            (libc::SYS_ioctl, a(1, 0x5412), no(libc::EPERM), no(libc::EPERM)),
            (libc::SYS_ioctl, a(1, 1 << 32 | 0x5412), no(libc::EPERM), no(libc::EPERM)),
            (libc::SYS_ioctl, a(1, 0x5401), yes, yes),
            (libc::SYS_ioctl, a(1, 0x4008_6602), yes, no(libc::ENOTTY)),
            (libc::SYS_flock, [0; 6], yes, no(0)),
            (libc::SYS_fcntl, a(1, 6), yes, no(0)),
            (libc::SYS_fcntl, a(1, 3), yes, yes),
            (libc::SYS_fchmodat, [0; 6], yes, no(libc::EROFS)),
            (libc::SYS_socketpair, [1, 1 | 0x80000, 0, 0, 0, 0], yes, yes),
            (libc::SYS_socketpair, [1, 2, 0, 0, 0, 0], yes, no(libc::EACCES)),
            (libc::SYS_prlimit64, a(0, 0), yes, yes),
            (libc::SYS_prlimit64, a(0, 9), yes, no(libc::EPERM)),
            (libc::SYS_kill, a(0, 9), yes, yes),
            (libc::SYS_getpid, [0; 6], yes, yes),
        ];
        let mut wrong = Vec::new();
        for (call, args, in_scratch, in_read) in rows {
            let nr = u32::try_from(*call).unwrap();
            let got = (verdict(&scratch, ARCH, nr, *args), verdict(&read, ARCH, nr, *args));
            if got != (*in_scratch, *in_read) {
                wrong.push(format!("{call} {args:?}: {got:x?}"));
            }
            assert_eq!(verdict(&scratch, 0x4000_0003, nr, *args), no(libc::ENOSYS));
            assert_eq!(verdict(&read, ARCH, nr | 0x4000_0000, *args), no(libc::ENOSYS));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let kill = u32::try_from(libc::SYS_kill).unwrap();
        assert_eq!(verdict(&read_only(false), ARCH, kill, [0; 6]), no(libc::EPERM));
    }
}
