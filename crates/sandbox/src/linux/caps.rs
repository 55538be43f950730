//! Capabilities: taken away, and not to be had again.

use rustix::io::{Errno, Result};
use rustix::thread::{CapabilitySet, CapabilitySets};

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
            // Without the right to: there is nothing to lose, for it has no capability at all.
            Err(Errno::PERM) if rustix::thread::capabilities(None)?.permitted.is_empty() => break,
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
