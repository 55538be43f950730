//! Capabilities: taken away, and not to be had again.

use rustix::io::{Errno, Result};
use rustix::thread::{CapabilitySet, CapabilitySets};

/// What root may do to files in a scratch copy, as outside: baselines would be wrong otherwise. None
/// of these has power over mounts, devices or other users' processes.
pub(crate) const FILES: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID);

/// Whether no program that is started could get more than that.
fn is_nothing_but_files() -> Result<bool> {
    if !rustix::process::geteuid().is_root() {
        return Ok(rustix::thread::capabilities(None)?.permitted.is_empty());
    }
    for bit in 0..64 {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        match rustix::thread::capability_is_in_bounding_set(capability) {
            Ok(true) if !FILES.contains(capability) => return Ok(false),
            Ok(_) => {}
            Err(Errno::INVAL) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Holds this process to some capabilities, and all that it starts to others.
pub(crate) fn hold(own: CapabilitySet, of_children: CapabilitySet) -> Result<()> {
    for bit in 0..64 {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if of_children.contains(capability) {
            continue;
        }
        match rustix::thread::remove_capability_from_bounding_set(capability) {
            Ok(()) => {}
            // Beyond the last one that this kernel knows.
            Err(Errno::INVAL) => break,
            // Without the right to. An ordinary user has nothing to lose; root may have it back with the
            // next program, but in a box of ours nothing that reaches further than to files.
            Err(Errno::PERM) if is_nothing_but_files()? => break,
            Err(error) => return Err(error),
        }
    }
    match rustix::thread::clear_ambient_capability_set() {
        // Kernels before 4.3.
        Err(Errno::INVAL) | Ok(()) => {}
        Err(error) => return Err(error),
    }
    let now = rustix::thread::capabilities(None)?;
    let kept = own & now.permitted;
    rustix::thread::set_capabilities(
        None,
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() },
    )
}
