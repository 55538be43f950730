//! Writes every request to a folder, for debugging (`--log-requests DIR`).

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use futures_util::{StreamExt, stream};
use planwright_core::reply::{Abilities, Delta};
use planwright_core::request::Request;

use crate::{Model, ReplyStream, TokenCount};

/// A model whose every request is written to a folder before it is put: `0001.json`, …, and
/// `0002-Explore-0.json` for the first `Explore` subagent. The numbers are in the order of asking
/// and go on after those already there, so several models and sessions can share a folder. What is
/// written is the provider-neutral request; it holds what the user's files hold, so only the user
/// may read it.
#[derive(Debug)]
pub struct Logged<M> {
    model: M,
    folder: PathBuf,
    /// Held while a number is found and taken.
    numbering: Mutex<()>,
}

impl<M: Model> Logged<M> {
    /// Wraps a model.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub fn new(model: M, folder: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        last_number(folder)?;
        Ok(Self { model, folder: folder.to_owned(), numbering: Mutex::new(()) })
    }

    fn write(&self, request: &Request) -> Result<(), String> {
        let failed =
            |error: io::Error| format!("The request could not be logged to {}: {error}", self.folder.display());
        let text = serde_json::to_string_pretty(request).map_err(|error| failed(error.into()))?;
        let agent = request.agent.as_ref().map(|agent| {
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
            format!("-{}-{}", agent.agent_type.chars().map(plain).collect::<String>(), agent.instance)
        });
        let _numbering = self.numbering.lock().unwrap_or_else(PoisonError::into_inner);
        let number = last_number(&self.folder).map_err(failed)? + 1;
        let path = self.folder.join(format!("{number:04}{}.json", agent.unwrap_or_default()));
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)
            .and_then(|mut file| file.write_all(format!("{text}\n").as_bytes()))
            .map_err(failed)
    }
}

/// The highest number of a logged request in the folder, or 0.
fn last_number(folder: &Path) -> io::Result<usize> {
    let mut last = 0;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        let digits = name.find(|c: char| !c.is_ascii_digit()).map_or(&*name, |end| &name[..end]);
        if name.ends_with(".json") {
            last = last.max(digits.parse().unwrap_or(0));
        }
    }
    Ok(last)
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

    fn abilities(&self) -> Abilities {
        self.model.abilities()
    }

    fn count(&self, request: &Request) -> Option<TokenCount> {
        self.model.count(request)
    }

    fn resumed(&self, answers: usize) {
        self.model.resumed(answers);
    }
}
