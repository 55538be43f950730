//! What was counted.

use std::fmt;
use std::ops::AddAssign;

/// How many attempts there were, and what became of them. One that was asked about is counted
/// there, and again where the answer led.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls that the model made.
    pub attempts: usize,
    /// Calls that were not well formed.
    pub malformed: usize,
    /// Calls that did not run, whoever refused.
    pub refused: usize,
    /// Calls that a person would have to decide on.
    pub asked: usize,
    /// Commands that ran where they can only read. In a session, also those that were left to run in
    /// the background of a scratch copy.
    pub confined: usize,
    /// Commands that ran in a scratch copy.
    pub scratch: usize,
    /// The rest: reading, searching, the plan file, the agent's own state, agents, and what stood beside
    /// a hand-over in one answer and so was not looked at.
    pub own: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.attempts += other.attempts;
        self.malformed += other.malformed;
        self.refused += other.refused;
        self.asked += other.asked;
        self.confined += other.confined;
        self.scratch += other.scratch;
        self.own += other.own;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { attempts, malformed, refused, asked, confined, scratch, own } = self;
        write!(f, "{attempts} attempts: {refused} refused, {malformed} malformed, {asked} asked, ")?;
        write!(f, "{confined} ran confined, {scratch} ran in scratch, {own} others")
    }
}
