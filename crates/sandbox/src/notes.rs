//! Says what a command's failure may owe to its walls, so that nobody plans around them.

use crate::output::Output;
use crate::policy::Full;
use crate::spawn::{Ending, Spec};
use crate::tier::Confinement;

/// What a failure looks like, where, and what it is.
struct Artefact {
    signs: &'static [&'static str],
    scratch: Option<&'static str>,
    read_only: Option<&'static str>,
}

const NO_NETWORK: &str = "there is no network here, only loopback: this failure may be the isolation, not the project";

const NOT_NATIVE: &str = "32-bit programs are ended by SIGSYS here (\"Bad system call\"): this failure may be the isolation, not the project";

/// What a shell reports of a command that SIGSYS ended.
const SIGSYS_CODE: i32 = 128 + SIGSYS;
/// The number of SIGSYS on Linux.
const SIGSYS: i32 = 31;

const ARTEFACTS: &[Artefact] = &[
    Artefact {
        signs: &["Invalid cross-device link", "EXDEV", "cross-device"],
        scratch: Some("renaming an existing folder gives EXDEV in a scratch copy (mv works); outside it would not"),
        read_only: None,
    },
    Artefact {
        signs: &["Read-only file system", "EROFS", "ReadOnlyFilesystem"],
        scratch: Some("this place cannot be written in the scratch copy; outside it may be possible"),
        read_only: Some("this command was run read-only: it could not write anything"),
    },
    Artefact {
        signs: &["Permission denied", "EACCES", "Operation not permitted", "EPERM"],
        scratch: None,
        read_only: Some("this command was run read-only: writing, sockets and signals to other programs were refused"),
    },
    Artefact {
        signs: &["Value too large for defined data type", "EOVERFLOW"],
        scratch: Some(
            "files of another user or group cannot be written in a scratch copy (EOVERFLOW); outside it may be possible",
        ),
        read_only: None,
    },
    Artefact {
        signs: &[
            "Connection refused",
            "ECONNREFUSED",
            "Network is unreachable",
            "ENETUNREACH",
            "Temporary failure in name resolution",
            "Could not resolve host",
            "Could not connect",
            "ENOTFOUND",
            "EHOSTUNREACH",
            "No route to host",
            "Cannot connect to the Docker daemon",
            "getaddrinfo",
            "EAI_AGAIN",
            "Name or service not known",
        ],
        scratch: Some(NO_NETWORK),
        read_only: Some(NO_NETWORK),
    },
    Artefact {
        signs: &["No space left on device", "ENOSPC", "File too large", "EFBIG"],
        scratch: Some(
            "the scratch copy's space ran out (what it may hold, or the disk that it is kept on); nothing of the project was changed",
        ),
        read_only: None,
    },
    Artefact { signs: &["Bad system call", "SIGSYS"], scratch: Some(NOT_NATIVE), read_only: Some(NOT_NATIVE) },
    Artefact {
        signs: &["Function not implemented", "ENOSYS", "io_uring"],
        scratch: Some("io_uring, keyrings and new namespaces are refused in a scratch copy"),
        read_only: Some("io_uring, keyrings, shared memory and new namespaces are refused to a read-only command"),
    },
];

/// Notes on a command that failed. One that succeeded needs none.
pub(crate) fn on(spec: &Spec, ending: Ending, output: &Output) -> Vec<String> {
    let confinement = spec.confinement;
    if ending.success() || confinement == Confinement::None {
        return Vec::new();
    }
    let text = output.text();
    let by_sigsys = matches!(ending, Ending::Signaled(SIGSYS) | Ending::Exited(SIGSYS_CODE));
    ARTEFACTS
        .iter()
        .filter(|artefact| {
            let by_signal = by_sigsys && artefact.signs.contains(&"SIGSYS");
            by_signal || artefact.signs.iter().any(|sign| text.contains(sign))
        })
        .filter_map(|artefact| match confinement {
            Confinement::None => None,
            Confinement::ReadOnly => artefact.read_only,
            Confinement::Scratch => artefact.scratch,
        })
        .map(str::to_owned)
        .collect()
}

/// There was no more space.
pub(crate) fn full(full: Full) -> String {
    let text = match full {
        Full::Copy => "it was ended because the scratch copy holds more than it may; the machine's disk is not full",
        Full::Disk => {
            "it was ended because the disk on which the scratch copy is kept is almost full: free some space there; \
             nothing of the project was changed"
        }
    };
    text.to_owned()
}

/// Some of what was written was given up.
pub(crate) fn refreshed(count: u64) -> String {
    format!(
        "{count} {} that earlier commands had written in the scratch copy {} given up, because the real one has changed",
        if count == 1 { "file" } else { "files" },
        if count == 1 { "was" } else { "were" }
    )
}

/// The box went away without a word.
pub(crate) fn killed() -> String {
    "it was killed from outside, with the box that it ran in".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use std::path::Path;

    #[test]
    fn failures_are_explained() {
        // confinement, ending, output, how many notes
        let rows = [
            (Confinement::Scratch, Ending::Exited(1), "OSError: [Errno 18] Invalid cross-device link", 1),
            (Confinement::Scratch, Ending::Exited(0), "Invalid cross-device link", 0),
            (Confinement::None, Ending::Exited(1), "Invalid cross-device link", 0),
            (Confinement::ReadOnly, Ending::Exited(1), "touch: x: Read-only file system", 1),
            (Confinement::Scratch, Ending::Exited(1), "connect ECONNREFUSED 127.0.0.1:5432", 1),
            (Confinement::Scratch, Ending::Exited(1), "mv: EROFS: read-only", 1),
            (Confinement::Scratch, Ending::Exited(1), "cp: Read-only file system", 1),
            (Confinement::Scratch, Ending::Exited(1), "cp: Value too large for defined data type", 1),
            (Confinement::ReadOnly, Ending::Exited(1), "cp: Value too large for defined data type", 0),
            (Confinement::Scratch, Ending::Exited(6), "curl: (6) Could not resolve host: x", 1),
            (Confinement::ReadOnly, Ending::Exited(6), "curl: (6) Could not resolve host: x", 1),
            (Confinement::Scratch, Ending::Exited(1), "Network is unreachable", 1),
            (Confinement::Scratch, Ending::Exited(1), "Cannot connect to the Docker daemon at unix:///x", 1),
            (Confinement::Scratch, Ending::Exited(1), "No space left on device", 1),
            (Confinement::Scratch, Ending::Exited(1), "io_uring_setup: Operation not permitted", 1),
            (Confinement::ReadOnly, Ending::Exited(1), "sh: Permission denied", 1),
            (Confinement::Scratch, Ending::Exited(1), "sh: Permission denied", 0),
            (Confinement::Scratch, Ending::Signaled(31), "", 1),
            (Confinement::ReadOnly, Ending::Exited(159), "", 1),
            (Confinement::Scratch, Ending::Exited(159), "Bad system call (core dumped)", 1),
            (Confinement::Scratch, Ending::Signaled(9), "", 0),
            (Confinement::Scratch, Ending::Exited(1), "Invalid cross-device link; Connection refused", 2),
            (Confinement::None, Ending::Signaled(31), "Bad system call", 0),
            (Confinement::Scratch, Ending::Exited(1), "assertion failed", 0),
        ];
        let wrong: Vec<String> = rows
            .into_iter()
            .filter_map(|(confinement, ending, text, count)| {
                let spec = Spec::new(Program::Line(String::new()), Path::new("/"), confinement);
                let mut output = Output::new(1000);
                output.push(text.as_bytes());
                let notes = on(&spec, ending, &output);
                (notes.len() != count).then(|| format!("{text}: {notes:?}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
