//! The wish that something stop, shared by whoever may wish it and whoever must obey.

use std::sync::Arc;

use tokio::sync::watch;

/// A switch that is thrown once. Clones are the same switch.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<watch::Sender<bool>>);

impl Cancel {
    /// A switch not thrown yet.
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Throws it. Throwing it again changes nothing.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was thrown.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is thrown.
    pub async fn cancelled(&self) {
        let mut switch = self.0.subscribe();
        // The sender lives in `self`, so waiting cannot fail.
        let _ = switch.wait_for(|thrown| *thrown).await;
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Self::new()
    }
}
