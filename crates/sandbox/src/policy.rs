//! What a box is told, and what it reports.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::changes::Changes;
use crate::wire::{Reader, Writer};

/// How strong the walls are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walls {
    /// Namespaces, and overlays to write on.
    Scratch,
    /// Namespaces; nothing can be written.
    ReadOnly,
    /// No namespaces: only Landlock and the system call filter.
    Filters,
}

/// Everything a box needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) walls: Walls,
    pub(crate) argv: Vec<OsString>,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) cwd: PathBuf,
    /// Folders and files that are not to be seen.
    pub(crate) hidden: Vec<PathBuf>,
    /// Where the scratch copy keeps what is written, between commands.
    pub(crate) view: Option<PathBuf>,
    /// Most that a scratch copy may hold.
    pub(crate) scratch_bytes: u64,
    /// The system's program that makes the namespaces and the mounts, where this one may not.
    pub(crate) bubblewrap: Option<PathBuf>,
    /// A descriptor follows, which is the command's standard input. Without, that is empty.
    pub(crate) input: bool,
    /// What is done behind the walls.
    pub(crate) deed: Deed,
}

/// What is done behind the walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// The command is run.
    Command,
    /// These are attacked.
    Canary(Canary),
    /// A file is copied to standard output.
    Read(PathBuf),
    /// A file, and the folders that it is in, are made.
    Write(PathBuf, Vec<u8>),
    /// Nothing is done; all that the commands before would have changed is reported.
    Look,
}

/// A device that a canary run gives the mode that it has; this can be seen outside by its times.
pub(crate) const DEVICE: &str = "/dev/null";

/// What a canary run attacks: all of it is outside, made for this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Canary {
    /// A folder with files and a socket in it.
    pub(crate) folder: PathBuf,
    /// A port on which someone listens.
    pub(crate) tcp: u16,
    /// A port to which a datagram can be sent.
    pub(crate) udp: u16,
    /// The name of an abstract socket.
    pub(crate) socket: String,
    /// A process.
    pub(crate) pid: u32,
}

/// What an agent may tell a box while the command runs. The end of the stream means: die.
pub(crate) mod order {
    /// Ask the command to end.
    pub(crate) const TERMINATE: u8 = b'T';
    /// Kill it, and report.
    pub(crate) const KILL: u8 = b'K';
}

/// Which space ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// What a scratch copy may take.
    Copy,
    /// The disk on which it is kept.
    Disk,
}

/// What a box reports: once, at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// The walls could not be built. Nothing has run.
    NoWalls {
        /// The step that failed.
        step: String,
        /// The system's error number, or 0.
        errno: i32,
    },
    /// The program could not be started. Nothing has run.
    NoProgram {
        /// The system's error number.
        errno: i32,
    },
    /// The command has ended, and nothing of it is left.
    Ended {
        /// Its exit code, unless a signal ended it.
        code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
        /// It had left processes running.
        left_running: bool,
        /// It was killed because there was no more space for what it wrote.
        full: Option<Full>,
        /// What it would have changed.
        changes: Option<Changes>,
        /// Files of the scratch copy given up because the real ones have changed.
        refreshed: u64,
    },
}

impl Policy {
    pub(crate) fn message(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.number(match self.walls {
            Walls::Scratch => 0,
            Walls::ReadOnly => 1,
            Walls::Filters => 2,
        });
        writer.list(&self.argv, |writer, argument| writer.text(argument));
        writer.list(&self.env, |writer, (name, value)| {
            writer.text(name);
            writer.text(value);
        });
        writer.text(&self.cwd);
        writer.list(&self.hidden, |writer, path| writer.text(path));
        writer.option(self.view.as_ref(), |writer, path| writer.text(path));
        writer.number(self.scratch_bytes);
        writer.option(self.bubblewrap.as_ref(), |writer, path| writer.text(path));
        writer.number(u64::from(self.input));
        self.deed.write(&mut writer);
        writer.message()
    }

    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let mut reader = Reader(body);
        Some(Self {
            walls: match reader.number()? {
                0 => Walls::Scratch,
                1 => Walls::ReadOnly,
                2 => Walls::Filters,
                _ => return None,
            },
            argv: reader.list(Reader::text)?,
            env: reader.list(|reader| Some((reader.text()?, reader.text()?)))?,
            cwd: reader.text()?.into(),
            hidden: reader.list(|reader| Some(reader.text()?.into()))?,
            view: reader.option(|reader| Some(reader.text()?.into()))?,
            scratch_bytes: reader.number()?,
            bubblewrap: reader.option(|reader| Some(reader.text()?.into()))?,
            input: reader.number()? != 0,
            deed: Deed::read(&mut reader)?,
        })
    }
}

impl Deed {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Command => writer.number(0),
            Self::Canary(canary) => {
                writer.number(1);
                writer.text(&canary.folder);
                writer.text(&canary.socket);
                [u64::from(canary.tcp), u64::from(canary.udp), u64::from(canary.pid)]
                    .into_iter()
                    .for_each(|number| writer.number(number));
            }
            Self::Read(path) => {
                writer.number(2);
                writer.text(path);
            }
            Self::Write(path, contents) => {
                writer.number(3);
                writer.text(path);
                writer.bytes(contents);
            }
            Self::Look => writer.number(4),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(match reader.number()? {
            0 => Self::Command,
            1 => Self::Canary(Canary {
                folder: reader.text()?.into(),
                socket: reader.text()?.into_string().ok()?,
                tcp: reader.number()?.try_into().ok()?,
                udp: reader.number()?.try_into().ok()?,
                pid: reader.number()?.try_into().ok()?,
            }),
            2 => Self::Read(reader.text()?.into()),
            3 => Self::Write(reader.text()?.into(), reader.bytes()?.to_vec()),
            4 => Self::Look,
            _ => return None,
        })
    }
}

impl Report {
    pub(crate) fn message(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let signed = |number: &i32| u64::from(number.cast_unsigned());
        match self {
            Self::NoWalls { step, errno } => {
                writer.number(0);
                writer.text(step);
                writer.number(signed(errno));
            }
            Self::NoProgram { errno } => {
                writer.number(1);
                writer.number(signed(errno));
            }
            Self::Ended { code, signal, left_running, full, changes, refreshed } => {
                writer.number(2);
                writer.option(code.as_ref(), |writer, code| writer.number(signed(code)));
                writer.option(signal.as_ref(), |writer, signal| writer.number(signed(signal)));
                writer.number(u64::from(*left_running));
                writer.option(full.as_ref(), |writer, full| {
                    writer.number(match full {
                        Full::Copy => 0,
                        Full::Disk => 1,
                    });
                });
                writer.option(changes.as_ref(), |writer, changes| changes.write(writer));
                writer.number(*refreshed);
            }
        }
        writer.message()
    }

    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let mut reader = Reader(body);
        let signed = |number: u64| u32::try_from(number).ok().map(u32::cast_signed);
        Some(match reader.number()? {
            0 => Self::NoWalls { step: reader.text()?.into_string().ok()?, errno: signed(reader.number()?)? },
            1 => Self::NoProgram { errno: signed(reader.number()?)? },
            2 => Self::Ended {
                code: reader.option(|reader| signed(reader.number()?))?,
                signal: reader.option(|reader| signed(reader.number()?))?,
                left_running: reader.number()? != 0,
                full: reader.option(|reader| match reader.number()? {
                    0 => Some(Full::Copy),
                    1 => Some(Full::Disk),
                    _ => None,
                })?,
                changes: reader.option(Changes::read)?,
                refreshed: reader.number()?,
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_and_reports_survive_the_wire() {
        let policy = Policy {
            walls: Walls::ReadOnly,
            argv: vec!["ls".into(), String::new().into()],
            env: vec![("A".into(), "b=c".into())],
            cwd: "/".into(),
            hidden: vec!["/x".into()],
            view: Some("/y".into()),
            scratch_bytes: 9,
            bubblewrap: Some("/usr/bin/bwrap".into()),
            input: true,
            deed: Deed::Command,
        };
        let canary = Canary { folder: "/c".into(), tcp: 1, udp: 2, socket: "s".to_owned(), pid: 3 };
        for deed in [
            Deed::Command,
            Deed::Canary(canary),
            Deed::Read("/r".into()),
            Deed::Write("/w".into(), b"contents".to_vec()),
            Deed::Look,
        ] {
            let policy = Policy { deed, ..policy.clone() };
            assert_eq!(Policy::read(&policy.message()[8..]), Some(policy));
        }
        let ended = |code, signal, full| Report::Ended {
            code,
            signal,
            left_running: true,
            full,
            changes: Some(Changes::default()),
            refreshed: 2,
        };
        for report in [
            Report::NoWalls { step: "x".to_owned(), errno: 1 },
            Report::NoProgram { errno: 2 },
            ended(Some(-1), None, None),
            ended(None, Some(9), Some(Full::Copy)),
            ended(None, Some(9), Some(Full::Disk)),
        ] {
            assert_eq!(Report::read(&report.message()[8..]), Some(report));
        }
    }
}
