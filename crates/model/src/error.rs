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
    /// The request is larger than the model's window.
    ContextFull {
        /// What the provider said.
        message: String,
    },
    /// The provider could not be reached, or the connection broke before an answer began.
    Unreachable {
        /// What went wrong.
        message: String,
    },
    /// Nothing came for too long.
    Stalled {
        /// Seconds waited.
        seconds: u64,
    },
    /// The provider sent what cannot be read.
    Malformed {
        /// What is wrong with it.
        message: String,
    },
    /// No API key is set.
    NoKey {
        /// The provider.
        provider: String,
        /// Where one may be set.
        hint: &'static str,
    },
    /// The command that prints the API key printed none.
    KeyCommand {
        /// Why, as a clause.
        message: String,
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
            Self::Unreachable { .. } | Self::Stalled { .. } | Self::Cut => true,
            Self::Script { .. }
            | Self::ContextFull { .. }
            | Self::Malformed { .. }
            | Self::NoKey { .. }
            | Self::KeyCommand { .. } => false,
        }
    }

    /// The same with what somebody else said in it reworded.
    pub(crate) fn reworded(mut self, reword: impl FnOnce(&str) -> String) -> Self {
        match &mut self {
            Self::Provider { message, .. }
            | Self::ContextFull { message }
            | Self::Unreachable { message }
            | Self::Malformed { message } => *message = reword(message),
            Self::Script { .. } | Self::Stalled { .. } | Self::NoKey { .. } | Self::KeyCommand { .. } | Self::Cut => {}
        }
        self
    }

    /// What happened, as a sentence without its full stop.
    pub fn cause(&self) -> String {
        match self {
            Self::Script { file, request, message } => {
                format!("The model script {} failed at {request}: {message}", file.display())
            }
            Self::Provider { status, message, .. } => format!("The model's provider answered {status}: {message}"),
            Self::ContextFull { message } => format!("The conversation is larger than the model's window: {message}"),
            Self::Unreachable { message } => format!("The model's provider could not be reached: {message}"),
            Self::Stalled { seconds } => format!("The model's provider sent nothing for {seconds} s"),
            Self::Malformed { message } => format!("The model's provider sent what cannot be read: {message}"),
            Self::NoKey { provider, .. } => format!("No API key is set for `{provider}`"),
            Self::KeyCommand { message } => format!("The command that prints the API key failed: {message}"),
            Self::Cut => "The model's answer was cut off before its end".to_owned(),
        }
    }

    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Script { .. } => "Correct the script, or start a new session to play it from its beginning.",
            Self::Provider { retryable: true, .. } => "Wait a little and send the message again.",
            Self::Provider { status: 401 | 403, .. } => "Check the API key and what it may use, then try again.",
            Self::Provider { status: 404, .. } => "Check the model's name and the base URL, then try again.",
            Self::Provider { status: 402 | 429, .. } => "Check the account's limits and balance with the provider.",
            Self::Provider { .. } => "Check the model's name and the settings of its provider, then try again.",
            Self::ContextFull { .. } => "Use /compact to make room, or a model with a larger window.",
            Self::Malformed { .. } => "Check that the base URL names the right service, then send the message again.",
            Self::NoKey { hint, .. } => hint,
            Self::KeyCommand { .. } => "Run the command by itself to see why; it must print the key and nothing else.",
            Self::Unreachable { .. } | Self::Stalled { .. } | Self::Cut => {
                "Check the connection and send the message again."
            }
        }
    }
}
