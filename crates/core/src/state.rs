//! The session as a fold over entries.
