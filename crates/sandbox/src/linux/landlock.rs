//! Landlock: a second lock on the same doors. Once it holds, no mount can be changed any more.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags};

use super::sys;

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
/// Removing and making things, renames across folders, truncation.
const CHANGE_DIR: u64 = 0x3ff0;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;
const RESOLVE_UNIX: u64 = 1 << 16;
const READ: u64 = EXECUTE | READ_FILE | READ_DIR;

/// Devices that do no harm, and what may be done with them.
const DEVICES: &[(&str, u64)] = &[
    ("/dev/null", READ_FILE | WRITE_FILE),
    ("/dev/zero", READ_FILE | WRITE_FILE),
    ("/dev/full", READ_FILE | WRITE_FILE),
    ("/dev/random", READ_FILE),
    ("/dev/urandom", READ_FILE),
];

/// The oldest version that can refuse a truncation, without which it keeps no promise.
const FLOOR: u32 = 3;
/// The first version that can keep signals and abstract sockets inside.
const SCOPES: u32 = 6;

/// Which rights a kernel of this version knows.
const fn known(abi: u32) -> u64 {
    let known = READ | WRITE_FILE | CHANGE_DIR | TRUNCATE;
    match abi {
        0..5 => known,
        5..9 => known | IOCTL_DEV,
        _ => known | IOCTL_DEV | RESOLVE_UNIX,
    }
}

/// What the command may do where.
pub(crate) struct Rules<'a> {
    /// Everything may be done below these.
    pub(crate) writable: &'a [&'a Path],
    /// Whether TCP may be used (where the network is cut off anyway).
    pub(crate) network: bool,
    /// Whether `/dev` is a private one. If not, the machine's devices may not even be read: reading a
    /// terminal takes away what its user types.
    pub(crate) devices_hidden: bool,
}

/// The version of Landlock here.
///
/// # Errors
/// There is none, or one that is too old.
pub(crate) fn version() -> io::Result<u32> {
    let abi = sys::landlock_abi()?;
    if abi < FLOOR { Err(io::Error::from_raw_os_error(libc::EOPNOTSUPP)) } else { Ok(abi) }
}

/// Whether this version keeps signals inside.
pub(crate) const fn scopes_signals(abi: u32) -> bool {
    abi >= SCOPES
}

/// Holds this process, and all that it starts, to the rules.
pub(crate) fn restrict(abi: u32, rules: &Rules<'_>) -> io::Result<()> {
    let net = if abi >= 4 && !rules.network { 0b11 } else { 0 };
    let scoped = if scopes_signals(abi) { 0b11 } else { 0 };
    let ruleset = sys::landlock_ruleset(abi, known(abi), net, scoped)?;
    let root = open(Path::new("/"))?;
    sys::landlock_allow(ruleset.as_fd(), root.as_fd(), if rules.devices_hidden { READ } else { READ_DIR })?;
    if !rules.devices_hidden {
        for entry in std::fs::read_dir("/")?.flatten().filter(|entry| entry.file_name() != "dev") {
            let rights = if entry.file_type()?.is_dir() { READ } else { EXECUTE | READ_FILE };
            // A link that leads nowhere gives no right to anything.
            if let Ok(entry) = open(&entry.path()) {
                sys::landlock_allow(ruleset.as_fd(), entry.as_fd(), rights)?;
            }
        }
    }
    for path in rules.writable {
        match open(path) {
            Ok(path) => sys::landlock_allow(ruleset.as_fd(), path.as_fd(), known(abi))?,
            // Removed outside meanwhile, and with it what was mounted on it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    for (device, rights) in DEVICES {
        // A machine without one of them has nothing to allow.
        if let Ok(device) = open(Path::new(device)) {
            sys::landlock_allow(ruleset.as_fd(), device.as_fd(), *rights)?;
        }
    }
    sys::landlock_restrict(ruleset.as_fd())
}

fn open(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}
