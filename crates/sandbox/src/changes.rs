//! What a command in a scratch copy would have changed.

use std::fmt;
use std::path::PathBuf;

use crate::wire::{Reader, Writer};

/// What would have changed on the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// One entry per file, folder or link, in order of path; of a folder that would have been
    /// deleted, only the folder.
    pub list: Vec<Change>,
    /// How many more there are that the list, which is bounded, does not hold.
    pub omitted: u64,
    /// Part of what was written could not be looked at, so that the list may lack something.
    pub incomplete: bool,
}

/// One would-be change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What would have changed.
    pub path: PathBuf,
    /// How.
    pub kind: ChangeKind,
    /// The difference, where both sides are text and it is not too long.
    pub diff: Option<String>,
}

/// How something would have changed. A rename is a deletion and a creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It is not there now.
    Created(Kind),
    /// It has other contents or, a link, another target.
    Modified(Kind),
    /// It would be gone.
    Deleted(Kind),
    /// It would be something else.
    Replaced {
        /// What it is.
        from: Kind,
        /// What it would be.
        to: Kind,
    },
    /// It would have other permissions.
    Mode {
        /// What they are.
        from: u32,
        /// What they would be.
        to: u32,
    },
    /// It would have another owner or another group.
    Owner,
    /// Only its times would differ.
    Touched,
}

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

impl Changes {
    /// Whether nothing would have changed.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.omitted == 0
    }

    /// How many would-be changes there are.
    pub fn count(&self) -> u64 {
        self.list.len() as u64 + self.omitted
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.number(self.omitted);
        writer.number(u64::from(self.incomplete));
        writer.list(&self.list, |writer, change| {
            writer.text(&change.path);
            let (tag, from, to) = change.kind.numbers();
            [tag, from, to].into_iter().for_each(|number| writer.number(number));
            writer.option(change.diff.as_ref(), |writer, diff| writer.text(diff));
        });
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let omitted = reader.number()?;
        let incomplete = reader.number()? != 0;
        let list = reader.list(|reader| {
            let path = PathBuf::from(reader.text()?);
            let kind = ChangeKind::from_numbers(reader.number()?, reader.number()?, reader.number()?)?;
            let diff = reader.option(Reader::text)?.and_then(|diff| diff.into_string().ok());
            Some(Change { path, kind, diff })
        })?;
        Some(Self { list, omitted, incomplete })
    }
}

impl ChangeKind {
    fn numbers(self) -> (u64, u64, u64) {
        let kind = |kind| match kind {
            Kind::File => 0,
            Kind::Folder => 1,
            Kind::Link => 2,
            Kind::Special => 3,
        };
        match self {
            Self::Created(what) => (0, kind(what), 0),
            Self::Modified(what) => (1, kind(what), 0),
            Self::Deleted(what) => (2, kind(what), 0),
            Self::Replaced { from, to } => (3, kind(from), kind(to)),
            Self::Mode { from, to } => (4, u64::from(from), u64::from(to)),
            Self::Owner => (5, 0, 0),
            Self::Touched => (6, 0, 0),
        }
    }

    fn from_numbers(tag: u64, from: u64, to: u64) -> Option<Self> {
        let kind = |number| match number {
            0 => Some(Kind::File),
            1 => Some(Kind::Folder),
            2 => Some(Kind::Link),
            3 => Some(Kind::Special),
            _ => None,
        };
        Some(match tag {
            0 => Self::Created(kind(from)?),
            1 => Self::Modified(kind(from)?),
            2 => Self::Deleted(kind(from)?),
            3 => Self::Replaced { from: kind(from)?, to: kind(to)? },
            4 => Self::Mode { from: u32::try_from(from).ok()?, to: u32::try_from(to).ok()? },
            5 => Self::Owner,
            6 => Self::Touched,
            _ => return None,
        })
    }
}

/// For people: one word, or two.
impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Created(kind) => write!(f, "created{kind}"),
            Self::Modified(kind) => write!(f, "changed{kind}"),
            Self::Deleted(kind) => write!(f, "deleted{kind}"),
            Self::Replaced { from, to } => write!(f, "replaced{from} by{to}"),
            Self::Mode { from, to } => write!(f, "mode {from:o} -> {to:o}"),
            Self::Owner => f.write_str("owner"),
            Self::Touched => f.write_str("times"),
        }
    }
}

/// A file is what one expects, so it is not named.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Folder => f.write_str(" folder"),
            Self::Link => f.write_str(" link"),
            Self::Special => f.write_str(" special file"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_survive_the_wire() {
        let kinds = [
            ChangeKind::Created(Kind::File),
            ChangeKind::Modified(Kind::Link),
            ChangeKind::Deleted(Kind::Folder),
            ChangeKind::Replaced { from: Kind::File, to: Kind::Special },
            ChangeKind::Mode { from: 0o644, to: 0o4755 },
            ChangeKind::Owner,
            ChangeKind::Touched,
        ];
        let change = |kind| Change { path: "/a b\n".into(), kind, diff: Some("-a\n+b\n".to_owned()) };
        let changes = Changes { list: kinds.map(change).to_vec(), omitted: 3, incomplete: true };
        let mut writer = Writer::default();
        changes.write(&mut writer);
        assert_eq!(Changes::read(&mut Reader(&writer.body())), Some(changes));
    }
}
