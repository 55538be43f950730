//! Why no answer came.

use std::path::PathBuf;

/// Why no answer came. Its `Display` is [`ModelError::cause`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.cause())]
pub enum ModelError {
    /// The script has no answer to this request, or expected another one.
    Script {
        /// The script's file.
        file: PathBuf,
        /// Which request, in words: `request 3 of the main thread`.
        request: String,
        /// What is wrong.
        message: String,
    },
    /// The provider answered with an error.
    Provider {
        /// The HTTP status.
        status: u16,
        /// What the provider said.
        message: String,
        /// The same request may succeed later.
        retryable: bool,
    },
    /// The stream ended in the middle of the answer.
    Cut,
}

impl ModelError {
    /// A provider's error; which of them pass by themselves is decided here, for every provider.
    pub fn provider(status: u16, message: impl Into<String>) -> Self {
        let retryable = matches!(status, 408 | 409 | 429 | 500..=599);
        Self::Provider { status, message: message.into(), retryable }
    }

    /// Whether the same request may succeed later.
    pub const fn retryable(&self) -> bool {
        match self {
            Self::Provider { retryable, .. } => *retryable,
            Self::Script { .. } | Self::Cut => false,
        }
    }

    /// What happened, as a sentence without its full stop.
    pub fn cause(&self) -> String {
        match self {
            Self::Script { file, request, message } => {
                format!("The model script {} failed at {request}: {message}", file.display())
            }
            Self::Provider { status, message, .. } => format!("The model's provider answered {status}: {message}"),
            Self::Cut => "The model's answer was cut off before its end".to_owned(),
        }
    }

    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Script { .. } => "Correct the script, or start a new session to play it from its beginning.",
            Self::Provider { retryable: true, .. } => "Wait a little and send the message again.",
            Self::Provider { retryable: false, .. } => "Check the model's name and the API key, then try again.",
            Self::Cut => "Check the connection and send the message again.",
        }
    }
}
