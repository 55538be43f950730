//! What is typed, read by a thread of its own that can be told to stop: while an editor has the
//! terminal, its keys are not ours. (Standard input is shared with whoever started us, so it is not made
//! non-blocking; a thread waits until there is something to read, or until it is to stop.)

use std::io;
use std::os::fd::OwnedFd;
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Bytes read at a time.
const PIECE: usize = 4096;

/// The bytes that are typed.
pub struct Typed {
    pieces: UnboundedReceiver<Vec<u8>>,
    sender: UnboundedSender<Vec<u8>>,
    reader: Option<Reader>,
}

struct Reader {
    /// Closed, it tells the thread to stop.
    stop: OwnedFd,
    thread: JoinHandle<()>,
}

impl Typed {
    /// Begins to read.
    ///
    /// # Errors
    /// No pipe or no thread can be had.
    pub fn begin() -> io::Result<Self> {
        let (sender, pieces) = unbounded_channel();
        let mut typed = Self { pieces, sender, reader: None };
        typed.go_on()?;
        Ok(typed)
    }

    /// Reads again.
    ///
    /// # Errors
    /// As [`Typed::begin`].
    pub fn go_on(&mut self) -> io::Result<()> {
        if self.reader.is_some() {
            return Ok(());
        }
        let (stopped, stop) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let sender = self.sender.clone();
        let thread = std::thread::Builder::new().name("keys".to_owned()).spawn(move || read(&stopped, &sender))?;
        self.reader = Some(Reader { stop, thread });
        Ok(())
    }

    /// Reads nothing more; what was read already stays.
    pub fn stop(&mut self) {
        if let Some(Reader { stop, thread }) = self.reader.take() {
            drop(stop);
            let _ = thread.join();
        }
    }

    /// The next bytes; `None` when the terminal is gone.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        self.pieces.recv().await.filter(|piece| !piece.is_empty())
    }
}

impl Drop for Typed {
    fn drop(&mut self) {
        self.stop();
    }
}

fn read(stopped: &OwnedFd, sender: &UnboundedSender<Vec<u8>>) {
    let stdin = io::stdin();
    loop {
        let mut waited = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(stopped, PollFlags::IN)];
        match poll(&mut waited, None) {
            Ok(_) if !waited[1].revents().is_empty() => return,
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        let mut piece = vec![0; PIECE];
        // An empty piece says that the terminal is gone.
        let read = rustix::io::retry_on_intr(|| rustix::io::read(&stdin, &mut *piece)).unwrap_or(0);
        piece.truncate(read);
        if sender.send(piece).is_err() || read == 0 {
            return;
        }
    }
}
