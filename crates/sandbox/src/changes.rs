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
    /// What else about it would be other than it is. Of what is created, only what is out of the
    /// ordinary: permissions to run it.
    pub attributes: Vec<Attribute>,
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
    /// Only its attributes would be other ones.
    Attributes,
    /// Only its times would differ.
    Touched,
}

/// What is known of something beside its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// It would have other permissions.
    Mode {
        /// What they are; `None`: it is not there now.
        from: Option<u32>,
        /// What they would be.
        to: u32,
    },
    /// It would have another owner or another group.
    Owner,
    /// It would have other extended attributes: the user's own, access lists, or capabilities.
    Extended,
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
            writer.list(&change.attributes, |writer, attribute| {
                attribute.numbers().into_iter().for_each(|number| writer.number(number));
            });
            writer.option(change.diff.as_ref(), |writer, diff| writer.text(diff));
        });
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let omitted = reader.number()?;
        let incomplete = reader.number()? != 0;
        let list = reader.list(|reader| {
            let path = PathBuf::from(reader.text()?);
            let kind = ChangeKind::from_numbers(reader.number()?, reader.number()?, reader.number()?)?;
            let attributes = reader
                .list(|reader| Attribute::from_numbers([reader.number()?, reader.number()?, reader.number()?]))?;
            let diff = reader.option(Reader::text)?.and_then(|diff| diff.into_string().ok());
            Some(Change { path, kind, attributes, diff })
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
            Self::Attributes => (4, 0, 0),
            Self::Touched => (5, 0, 0),
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
            4 => Self::Attributes,
            5 => Self::Touched,
            _ => return None,
        })
    }
}

impl Attribute {
    fn numbers(self) -> [u64; 3] {
        match self {
            Self::Mode { from: Some(from), to } => [0, from.into(), to.into()],
            Self::Mode { from: None, to } => [1, 0, to.into()],
            Self::Owner => [2, 0, 0],
            Self::Extended => [3, 0, 0],
        }
    }

    fn from_numbers([tag, from, to]: [u64; 3]) -> Option<Self> {
        let number = |number: u64| u32::try_from(number).ok();
        Some(match tag {
            0 => Self::Mode { from: Some(number(from)?), to: number(to)? },
            1 => Self::Mode { from: None, to: number(to)? },
            2 => Self::Owner,
            3 => Self::Extended,
            _ => return None,
        })
    }
}

/// For people: what it would be, as `changed, mode 644 -> 755`. Without the path.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = (self.kind != ChangeKind::Attributes || self.attributes.is_empty()).then(|| self.kind.to_string());
        let attributes = self.attributes.iter().map(Attribute::to_string);
        f.write_str(&kind.into_iter().chain(attributes).collect::<Vec<_>>().join(", "))
    }
}

/// For people: one word, or two.
impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Created(kind) => write!(f, "created{kind}"),
            Self::Modified(kind) => write!(f, "changed{kind}"),
            Self::Deleted(kind) => write!(f, "deleted{kind}"),
            Self::Replaced { from, to } => {
                let named = |kind: Kind| if kind == Kind::File { " file".to_owned() } else { kind.to_string() };
                write!(f, "replaced{} by{}", named(*from), named(*to))
            }
            Self::Attributes => f.write_str("attributes"),
            Self::Touched => f.write_str("times"),
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode { from: Some(from), to } => write!(f, "mode {from:o} -> {to:o}"),
            Self::Mode { from: None, to } => write!(f, "mode {to:o}"),
            Self::Owner => f.write_str("owner"),
            Self::Extended => f.write_str("attributes"),
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
            ChangeKind::Attributes,
            ChangeKind::Touched,
        ];
        let attributes = [
            Attribute::Mode { from: Some(0o644), to: 0o4755 },
            Attribute::Mode { from: None, to: 0o755 },
            Attribute::Owner,
            Attribute::Extended,
        ];
        let change = |kind| Change {
            path: "/a b\n".into(),
            kind,
            attributes: attributes.to_vec(),
            diff: Some("-a\n+b\n".to_owned()),
        };
        let changes = Changes { list: kinds.map(change).to_vec(), omitted: 3, incomplete: true };
        let mut writer = Writer::default();
        changes.write(&mut writer);
        assert_eq!(Changes::read(&mut Reader(&writer.body())), Some(changes));
    }

    #[test]
    fn a_change_is_said_with_its_attributes() {
        let said = |kind, attributes: &[Attribute]| {
            Change { path: "/a".into(), kind, attributes: attributes.to_vec(), diff: None }.to_string()
        };
        let mode = Attribute::Mode { from: Some(0o644), to: 0o755 };
        assert_eq!(said(ChangeKind::Modified(Kind::File), &[]), "changed");
        assert_eq!(
            said(ChangeKind::Modified(Kind::File), &[mode, Attribute::Extended]),
            "changed, mode 644 -> 755, attributes"
        );
        assert_eq!(
            said(ChangeKind::Created(Kind::File), &[Attribute::Mode { from: None, to: 0o755 }]),
            "created, mode 755"
        );
        assert_eq!(said(ChangeKind::Attributes, &[mode, Attribute::Owner]), "mode 644 -> 755, owner");
    }
}
