//! A program that closes itself to others: its memory and first environment hold API keys.
#![cfg(target_os = "linux")]

use std::process::Command;

use rustix::process::{DumpableBehavior, dumpable_behavior, getuid};

#[test]
fn nobody_looks_into_a_closed_process() {
    planwright_sandbox::close_to_others();
    assert_eq!(dumpable_behavior(), Ok(DumpableBehavior::NotDumpable));
    let environ = format!("/proc/{}/environ", std::process::id());
    let read = Command::new("cat").arg(&environ).output().expect("cat can be started");
    // Root reads everything there is; nobody else does.
    assert_eq!(read.status.success(), getuid().is_root(), "{environ}: {}", String::from_utf8_lossy(&read.stderr));
}
