//! Records what a model answers as a script that plays it again (`--record FILE`).

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use planwright_core::reply::{Abilities, Delta};
use planwright_core::request::Request;

use crate::script::{Placeholders, Recorder};
use crate::{Model, ReplyStream, TokenCount};

/// A model whose whole answers are recorded. The file is written anew after each of them, so it is
/// a script of all that was answered whenever the session ends. Only the user may read it.
#[derive(Debug)]
pub struct Recording<M> {
    model: M,
    file: PathBuf,
    recorder: Arc<Mutex<Recorder>>,
}

impl<M: Model> Recording<M> {
    /// Wraps a model.
    pub fn new(model: M, file: &Path, placeholders: Placeholders) -> Self {
        Self { model, file: file.to_owned(), recorder: Arc::new(Mutex::new(Recorder::new(placeholders))) }
    }
}

impl<M: Model> Model for Recording<M> {
    fn id(&self) -> String {
        self.model.id()
    }

    fn ask(&self, request: Request) -> ReplyStream {
        let (recorder, file) = (Arc::clone(&self.recorder), self.file.clone());
        let answers = self.model.ask(request.clone());
        Box::pin(answers.flat_map(move |delta| {
            let mut deltas = Vec::new();
            if let Ok(Delta::Done(reply)) = &delta {
                let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
                recorder.heard(&request, reply);
                if let Err(error) = write(&file, &recorder.script()) {
                    let text = format!("The answers could not be recorded to {}: {error}", file.display());
                    deltas.push(Ok(Delta::Waiting(text)));
                }
            }
            deltas.push(delta);
            futures_util::stream::iter(deltas)
        }))
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

fn write(file: &Path, script: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(file)?.write_all(script.as_bytes())
}
