//! `spec/laws.md`: the laws of plan mode, held against every world that can be reached.
//!
//! | file | holds |
//! | --- | --- |
//! | `driver`, `acts` | what the agent does, on top of core's own decisions, without IO |
//! | `events` | what may happen |
//! | `world` | the state of it all, and what tells two apart |
//! | `ghost` | what the laws remember of a log |
//! | `law` | the laws |
//! | `walk` | the walk, breadth first |
//! | `scope` | the walks: what is interleaved in each |
//! | `fault` | what a broken driver does wrong, to show that each law can fail |

#[path = "laws/acts.rs"]
mod acts;
#[path = "laws/driver.rs"]
mod driver;
#[path = "laws/events.rs"]
mod events;
#[path = "laws/fault.rs"]
mod fault;
#[path = "laws/ghost.rs"]
mod ghost;
#[path = "laws/law.rs"]
mod law;
mod machine;
#[path = "laws/rig.rs"]
mod rig;
#[path = "laws/scope.rs"]
mod scope;
#[path = "laws/walk.rs"]
mod walk;
#[path = "laws/world.rs"]
mod world;

use std::collections::BTreeSet;
use std::io::Write;

use fault::Fault;
use law::Law;
use machine::{Row, rows};
use scope::SCOPES;
use walk::{Scope, walk as walk_through};

const PAGE: &str = include_str!("../spec/laws.md");

/// The rows of the table with this column.
fn table(column: &str) -> Vec<Row> {
    rows(PAGE).into_iter().filter(|row| row.has(column)).collect()
}

fn scope(name: &str) -> &'static Scope {
    &SCOPES.iter().find(|(other, _)| *other == name).unwrap_or_else(|| panic!("there is no walk `{name}`")).1
}

/// Goes through a walk; every law holds, and it was as large as the page says.
fn holds(name: &str) {
    let row = table("worlds at least").into_iter().find(|row| row.cell("walk") == name).expect("the page has the walk");
    let at_least: usize = row.cell("worlds at least").replace(',', "").parse().expect("a number");
    let found = walk_through(scope(name), None);
    // Past the test harness, so that the numbers are seen without a flag.
    let _ = writeln!(
        std::io::stderr(),
        "laws, walk `{name}`: {} worlds, {} steps, the farthest {} steps away, {} whole logs read back",
        found.states,
        found.transitions,
        found.depth,
        found.refolds
    );
    if let Some((broken, trace)) = found.broken {
        panic!("the law `{}` is broken: {}\n  {}", broken.law.name(), broken.how, trace.join("\n  "));
    }
    assert!(found.states >= at_least, "only {} worlds were reached", found.states);
    assert!(found.transitions > found.states && found.refolds > 0);
}

#[test]
fn modes() {
    holds("modes");
}

#[test]
fn rules() {
    holds("rules");
}

#[test]
fn approval() {
    holds("approval");
}

#[test]
fn conversations() {
    holds("conversations");
}

#[test]
fn children() {
    holds("children");
}

#[test]
fn calls() {
    holds("calls");
}

#[test]
fn everything() {
    holds("everything");
}

/// A law that no driver can break would be no law: each broken driver is caught, and by the law
/// that is there for it.
#[test]
fn every_law_catches_the_driver_that_breaks_it() {
    let (mut wrong, mut broken) = (Vec::new(), BTreeSet::new());
    let rows = table("a driver that");
    for row in &rows {
        let (does, law) = (row.cell("a driver that"), row.cell("breaks"));
        let Some(fault) = Fault::ALL.iter().find(|fault| fault.name() == does) else {
            wrong.push(format!("line {}: no driver `{does}`", row.line));
            continue;
        };
        match walk_through(scope(row.cell("in the walk")), Some(*fault)).broken {
            Some((found, _)) if found.law.name() == law => drop(broken.insert(law)),
            Some((found, trace)) => {
                wrong.push(format!("{does}: caught by `{}`: {}\n    {trace:?}", found.law.name(), found.how));
            }
            None => wrong.push(format!("{does}: not caught")),
        }
    }
    let named = |fault: &&Fault| !rows.iter().any(|row| row.cell("a driver that") == fault.name());
    wrong.extend(Fault::ALL.iter().filter(named).map(|fault| format!("{} is not on the page", fault.name())));
    let unbroken = |law: &&Law| !broken.contains(law.name());
    wrong.extend(Law::ALL.iter().filter(unbroken).map(|law| format!("no driver breaks `{}`", law.name())));
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_page_names_every_law_and_every_walk() {
    let page =
        |column: &str, of: &str| -> Vec<String> { table(of).iter().map(|row| row.cell(column).to_owned()).collect() };
    assert_eq!(page("law", "demands"), Law::ALL.iter().map(|law| law.name()).collect::<Vec<_>>());
    assert_eq!(page("walk", "worlds at least"), SCOPES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}
