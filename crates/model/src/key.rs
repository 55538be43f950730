//! API keys: where one comes from, and that it never shows.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A key. It can be sent, and taken out of texts; it has no other way out.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(Arc<str>);

/// Bytes of the shortest key that could be a secret.
const SECRET_BYTES: usize = 8;

/// What stands where a key stood.
const HIDDEN: &str = "[key]";

impl Key {
    /// A key, from what the environment or a command says; space around it is not part of it.
    /// `None` if there is nothing, or what cannot stand in a header.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| Self(text.into()))
    }

    /// The key itself, for a header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without the key: providers repeat keys in errors. What is too short to be a secret (a
    /// local server is content with `x`) is left, or words would be torn.
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() < SECRET_BYTES { text.to_owned() } else { text.replace(&*self.0, HIDDEN) }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// What a helper command prints, or why it could not be run, in words without the output.
pub type Fetched = Pin<Box<dyn Future<Output = Result<String, String>> + Send>>;

/// Runs the user's helper command. The binary gives it: `model` starts no processes.
pub type Fetch = Arc<dyn Fn() -> Fetched + Send + Sync>;

/// Where the key of a provider comes from.
#[derive(Clone)]
pub enum KeySource {
    /// It is known.
    Known(Key),
    /// A helper command prints it; it is asked when a key is first needed, and again when the
    /// provider refuses the key.
    Command(Fetch),
    /// The provider needs none, as those on this machine.
    Nothing,
}

impl fmt::Debug for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Known(_) => "Known",
            Self::Command(_) => "Command",
            Self::Nothing => "Nothing",
        })
    }
}
