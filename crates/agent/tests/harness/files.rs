//! What lies in the folder of a story: its files, the pipes, and what the log says.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use planwright_core::transcript::{Entry, Fact};
use planwright_store::log;
use tokio::sync::oneshot;

/// A pipe that a command of the story writes to: shows when it began and when its last process is
/// gone, without looking for processes.
pub struct Pipe {
    /// Fires once something was written.
    pub begun: Option<oneshot::Receiver<()>>,
    /// Fires when nobody holds the other end any more.
    pub closed: Option<oneshot::Receiver<()>>,
}

impl Pipe {
    /// Makes it.
    pub fn new(path: &Path) -> Self {
        let made = rustix::fs::mknodat(
            rustix::fs::CWD,
            path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        );
        made.unwrap();
        let ((tell_begun, begun), (tell_closed, closed)) = (oneshot::channel(), oneshot::channel());
        let path = path.to_owned();
        // A thread of its own: opening a pipe waits for somebody to write.
        std::thread::spawn(move || {
            let mut pipe = fs::File::open(path).unwrap();
            let mut buffer = [0; 64];
            let _ = pipe.read(&mut buffer);
            let _ = tell_begun.send(());
            while pipe.read(&mut buffer).is_ok_and(|count| count > 0) {}
            let _ = tell_closed.send(());
        });
        Self { begun: Some(begun), closed: Some(closed) }
    }
}

/// Every regular file under a folder, links not followed.
pub fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.push((entry.path(), Vec::new()));
            found.extend(tree(&entry.path()));
        } else if kind.is_file() {
            found.push((entry.path(), fs::read(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}

/// The entries of a log.
pub fn entries(log: &Path) -> Vec<Entry> {
    log::read(log).map(|(entries, _)| entries).unwrap_or_default()
}

/// The plan files a log names, in order.
pub fn plan_files(log: &Path) -> Vec<PathBuf> {
    let path = |entry: Entry| match entry.fact {
        Fact::PlanSlug { path, .. } => Some(path),
        _ => None,
    };
    entries(log).into_iter().filter_map(path).collect()
}
