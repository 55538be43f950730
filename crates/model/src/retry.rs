//! Whether a request is put again, and when. Pure: which failure, which try, and chance are
//! arguments.

use std::time::Duration;

use planwright_core::bounds;

use crate::ModelError;
use crate::wire::Failure;

/// How often and how long to try. A value, so that tests need not wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Tries at most, the first included.
    pub tries: u32,
    /// Tries at most where a provider says "too many requests" and not until when: it may be a cap
    /// on spending, which no waiting lifts.
    pub tries_unsaid: u32,
    /// Tries at most where the provider cannot be reached.
    pub tries_unreached: u32,
    /// The wait before the second try; it doubles from there.
    pub first: Duration,
    /// The longest wait of our own choosing.
    pub longest: Duration,
    /// The longest wait that a provider may ask for; beyond it, the user decides.
    pub longest_asked: Duration,
    /// The wait for an answer to begin.
    pub begin: Duration,
    /// The wait for the next bytes of an answer.
    pub stall: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            tries: bounds::MODEL_TRIES,
            tries_unsaid: bounds::MODEL_TRIES_UNSAID,
            tries_unreached: bounds::MODEL_TRIES_UNREACHED,
            first: Duration::from_millis(bounds::RETRY_MS),
            longest: Duration::from_millis(bounds::RETRY_MS_MAX),
            longest_asked: Duration::from_millis(bounds::RETRY_AFTER_MS_MAX),
            begin: Duration::from_millis(bounds::ANSWER_BEGINS_MS),
            stall: Duration::from_millis(bounds::ANSWER_STALLS_MS),
        }
    }
}

impl Patience {
    /// How many tries a request has that failed like this.
    pub fn tries(&self, failure: &Failure) -> u32 {
        let Failure { error, retry_after } = failure;
        let too_long = retry_after.is_some_and(|asked| asked > self.longest_asked);
        let most = match error {
            error if too_long || !error.retryable() => 1,
            ModelError::Provider { status: 429, .. } if retry_after.is_none() => self.tries_unsaid,
            ModelError::Unreachable { .. } => self.tries_unreached,
            _ => self.tries,
        };
        most.min(self.tries)
    }

    /// How long to wait after the try numbered `attempt` (from 1) failed; `None` to give up.
    /// `chance`, from 0 to 1, spreads clients that failed together: the wait is between half of
    /// what it would be and all of it. What a provider asks for is never made shorter.
    pub fn wait(&self, failure: &Failure, attempt: u32, chance: f64) -> Option<Duration> {
        if attempt >= self.tries(failure) {
            return None;
        }
        let doubled = self.first.saturating_mul(1_u32.checked_shl(attempt - 1).unwrap_or(u32::MAX)).min(self.longest);
        let spread = doubled.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0);
        Some(failure.retry_after.map_or(spread, |asked| asked + (doubled - spread) / 4))
    }
}
