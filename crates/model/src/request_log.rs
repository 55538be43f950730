//! Writes every request to a folder, for debugging (`--log-requests DIR`).

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{StreamExt, stream};
use planwright_core::reply::Delta;
use planwright_core::request::Request;

use crate::{Model, ReplyStream};

/// A model whose every request is written to a folder before it is put: `0001.json`, …, and
/// `0002-Explore-0.json` for the first `Explore` subagent. The numbers are in the order of asking
/// and go on after those already there. What is written is the provider-neutral request; it holds
/// what the user's files hold, so only the user may read it.
#[derive(Debug)]
pub struct Logged<M> {
    model: M,
    folder: PathBuf,
    next: AtomicUsize,
}

impl<M: Model> Logged<M> {
    /// Wraps a model.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub fn new(model: M, folder: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let mut last = 0;
        for entry in fs::read_dir(folder)? {
            last = last.max(number(&entry?.file_name().to_string_lossy()).unwrap_or(0));
        }
        Ok(Self { model, folder: folder.to_owned(), next: AtomicUsize::new(last + 1) })
    }

    fn write(&self, request: &Request) -> Result<(), String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let agent = request.agent.as_ref().map(|agent| {
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
            format!("-{}-{}", agent.agent_type.chars().map(plain).collect::<String>(), agent.instance)
        });
        let path = self.folder.join(format!("{number:04}{}.json", agent.unwrap_or_default()));
        serde_json::to_string_pretty(request)
            .map_err(io::Error::from)
            .and_then(|text| {
                let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
                file.write_all(text.as_bytes())?;
                file.write_all(b"\n")
            })
            .map_err(|error| format!("The request could not be logged to {}: {error}", path.display()))
    }
}

/// The number in the name of a logged request.
fn number(name: &str) -> Option<usize> {
    let digits = name.split(|c: char| !c.is_ascii_digit()).next()?;
    name.ends_with(".json").then(|| digits.parse().ok()).flatten()
}

impl<M: Model> Model for Logged<M> {
    fn id(&self) -> String {
        self.model.id()
    }

    /// A request that cannot be logged is put all the same; the stream says so first.
    fn ask(&self, request: Request) -> ReplyStream {
        match self.write(&request) {
            Ok(()) => self.model.ask(request),
            Err(why) => Box::pin(stream::iter([Ok(Delta::Waiting(why))]).chain(self.model.ask(request))),
        }
    }
}
