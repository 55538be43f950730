//! A crash at every write (plan-mode.md section 14).
//!
//! A scripted session is killed (SIGKILL) before each system call by which it changes anything, and
//! in the middle of each write to a file. Then the plan must be a text that was once written, old or
//! new; the log must open; and the session, resumed, must be in the right mode, must ask again what
//! was not answered, and must come to the same end as one that was never killed.
//!
//! The program has no hook for this: the test traces it as a debugger would, which also finds a
//! write that the program has in a thread of its own. (`strace --inject` counts each thread by
//! itself, and so never stops at the writes of a thread that has fewer than another.)
#![cfg(target_os = "linux")]

#[path = "../cli/ground.rs"]
#[allow(dead_code, reason = "the ground is for all the tests of the program")]
mod ground;

mod kill;
mod story;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use kill::{At, Outcome};
use story::Beginning;

/// The least number of kills that counts as "at every write": a change that makes the stories
/// shorter must not go unnoticed.
const LEAST: usize = 200;

/// The points at which a session that begins so is killed.
fn points(beginning: Beginning) -> Vec<(Beginning, At)> {
    let whole = story::run(beginning, None);
    let Outcome::Ended { code: 0, calls } = &whole.traced.outcome else {
        panic!("the story does not end well by itself: {:?}\n{}", whole.traced.outcome, whole.traced.said);
    };
    assert_eq!(whole.end(), story::expected_end(), "{}", whole.traced.said);
    // Threads may come to their calls in another order, so a few calls more are tried than were seen.
    let before = (1..=calls.len() + 10).map(|call| At { call, torn: false });
    let within = (1..).zip(calls).filter(|(_, call)| call.to_file).map(|(call, _)| At { call, torn: true });
    before.chain(within).map(|at| (beginning, at)).collect()
}

#[test]
fn a_kill_at_any_write_loses_nothing_and_passes_nothing() {
    let points = [points(Beginning::Fresh), points(Beginning::Resumed)].concat();
    let (next, kills) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (wrong, seen) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4)) {
            scope.spawn(|| {
                while let Some(point) = points.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let run = story::run(point.0, Some(point.1));
                    if let Outcome::Killed { .. } = &run.traced.outcome {
                        kills.fetch_add(1, Ordering::Relaxed);
                    }
                    match run.check() {
                        Ok(phase) => *seen.lock().expect("no thread panicked").entry(phase).or_insert(0) += 1,
                        Err(why) => wrong.lock().expect("no thread panicked").push(format!("{point:?}: {why}")),
                    }
                }
            });
        }
    });
    let (kills, wrong) = (kills.into_inner(), wrong.into_inner().expect("no thread panicked"));
    let seen: BTreeMap<&str, usize> = seen.into_inner().expect("no thread panicked");
    let torn = points.iter().filter(|(_, at)| at.torn).count();
    // Past the test's own capture: the number is wanted also where the test passes.
    let mut said = std::io::stderr().lock();
    let _ =
        writeln!(said, "{kills} kills, {torn} of them in the middle of a write to a file; where they fell: {seen:?}");
    assert!(wrong.is_empty(), "{} of {kills} kills came to a wrong end:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(kills >= LEAST, "only {kills} kills; the stories must write at least {LEAST} times");
    for phase in story::PHASES {
        assert!(seen.contains_key(phase), "no kill fell into the phase `{phase}`: {seen:?}");
    }
}
