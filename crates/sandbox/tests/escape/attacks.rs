//! The table of attacks.

use crate::prey::Prey;
use crate::{files, kernel, programs};

pub type Attempt = fn(&Prey) -> std::io::Result<()>;

/// What the same attempt does without walls; without that, a wall that holds proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// It has an effect.
    Leaks,
    /// It has one if root makes it; as an ordinary user it has none.
    RootLeaks,
    /// It may have none, for a reason that lies in the machine (a missing feature, a setting).
    Perhaps,
    /// It would harm the machine, and is not made.
    Never,
}

pub struct Attack {
    pub name: &'static str,
    pub control: Control,
    pub attempt: Attempt,
}

/// All of them.
pub fn all() -> Vec<Attack> {
    [files::ATTACKS, programs::ATTACKS, kernel::ATTACKS]
        .into_iter()
        .flatten()
        .map(|(name, control, attempt)| Attack { name, control: *control, attempt: *attempt })
        .collect()
}

/// A row of a table.
pub type Row = (&'static str, Control, Attempt);

/// Tells those outside that something succeeded whose effect they could not see, or would not want.
pub fn breach(what: &str) {
    println!("BREACH {what}");
}
