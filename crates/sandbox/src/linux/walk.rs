//! What a command would have changed: the uppers, compared with what is below them.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::attributes;
use super::mounts::{Overlay, upper_name};
use super::refresh::{Below, Old, Stamp};
use crate::changes::{Attribute, Change, ChangeKind, Changes, Kind};

/// Most entries of a list of changes.
const LIST: usize = 2_000;
/// Most entries that are looked at.
const ENTRIES: usize = 300_000;
/// Longest file whose difference is shown, and how much of differences there may be in all.
const DIFF_FILE: u64 = 256 << 10;
const DIFF_ALL: usize = 256 << 10;
const DIFF_ONE: usize = 24 << 10;

/// When a command began. Stamps of files may be a tick (some milliseconds) behind this clock, so that
/// a change in the first tick counts as before; the other way round, what the agent itself wrote just
/// before its command would count as the user's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(i64, i64);

impl Moment {
    pub(crate) fn now() -> Self {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
        Self(now.tv_sec, now.tv_nsec)
    }

    /// Whether the metadata changed since.
    fn is_before(self, meta: &Metadata) -> bool {
        (self.0, self.1) < (meta.ctime(), meta.ctime_nsec())
    }
}

/// Which changes a walk tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Those of the command that has just ended.
    New,
    /// Those of the commands before, too.
    All,
}

/// A walk through the uppers.
pub(crate) struct Walk<'a> {
    began: Moment,
    told: Told,
    /// What is known from the commands before; nothing, for a copy that is thrown away.
    old: Option<&'a Old>,
    changes: Changes,
    stamps: Vec<Stamp>,
    seen: usize,
    used: u64,
    diffs_left: usize,
}

/// Where the walk is: the same place in the upper, below it, on the machine, and in the stamps.
struct Place<'a> {
    upper: PathBuf,
    lower: Option<PathBuf>,
    real: &'a Path,
    stamp: PathBuf,
    /// What is below does not show through.
    opaque: bool,
}

impl<'a> Walk<'a> {
    pub(crate) fn since(began: Moment, old: Option<&'a Old>, told: Told) -> Self {
        let changes = Changes::default();
        Self { began, told, old, changes, stamps: Vec::new(), seen: 0, used: 0, diffs_left: DIFF_ALL }
    }

    /// Goes through one overlay.
    pub(crate) fn overlay(&mut self, overlay: &Overlay) {
        let by_fd = |fd: &std::os::fd::OwnedFd| PathBuf::from(format!("/proc/self/fd/{}", fd.as_raw_fd()));
        let old = if overlay.kept { self.old } else { self.old.take() };
        self.folder(&Place {
            upper: by_fd(&overlay.upper),
            lower: Some(by_fd(&overlay.lower)),
            real: &overlay.path,
            stamp: Path::new("u").join(upper_name(&overlay.path)),
            opaque: false,
        });
        self.old = old;
    }

    /// Something could not be looked at or remembered.
    pub(crate) fn incomplete(&mut self) {
        self.changes.incomplete = true;
    }

    /// For the next command: what the uppers were made of.
    pub(crate) fn stamps(&self) -> &[Stamp] {
        &self.stamps
    }

    /// Bytes that the uppers take.
    pub(crate) const fn used(&self) -> u64 {
        self.used
    }

    /// What was found.
    pub(crate) fn changes(mut self) -> Changes {
        self.changes.list.sort_by(|a, b| a.path.cmp(&b.path));
        self.changes
    }

    fn folder(&mut self, place: &Place<'_>) {
        let Ok(entries) = std::fs::read_dir(&place.upper) else { return self.incomplete() };
        let mut names = HashSet::new();
        for entry in entries.flatten() {
            self.seen += 1;
            if self.seen > ENTRIES {
                return self.incomplete();
            }
            let name = entry.file_name();
            self.entry(place, &name);
            if place.opaque {
                names.insert(name);
            }
        }
        // Below an opaque folder, what is not there again is gone.
        if let (true, Some(lower)) = (place.opaque, &place.lower) {
            let Ok(below) = listed(lower) else { return self.incomplete() };
            for gone in below.into_iter().filter(|name| !names.contains(name)) {
                if let Ok(meta) = std::fs::symlink_metadata(lower.join(&gone)) {
                    let is_new = self.is_new(&place.stamp, None);
                    self.add(is_new, &place.real.join(gone), ChangeKind::Deleted(kind(&meta)).into());
                }
            }
        }
    }

    fn entry(&mut self, place: &Place<'_>, name: &OsString) {
        let upper = place.upper.join(name);
        let lower = place.lower.as_ref().map(|lower| lower.join(name));
        let real = place.real.join(name);
        let stamp = place.stamp.join(name);
        let Ok(above) = std::fs::symlink_metadata(&upper) else { return self.incomplete() };
        let below = lower.as_ref().and_then(|lower| std::fs::symlink_metadata(lower).ok());
        if self.old.is_some() {
            self.used += above.blocks() * 512;
        }

        if is_whiteout(&above) {
            let is_new = self.is_new(&stamp, None);
            self.stamp(&stamp, &real, None, below.as_ref());
            if let Some(below) = &below {
                self.add(is_new, &real, ChangeKind::Deleted(kind(below)).into());
            }
            return;
        }
        let is_new = self.is_new(&stamp, Some(&above));
        if above.is_dir() {
            let opaque = place.opaque || is_opaque(&upper);
            if opaque || !below.as_ref().is_some_and(Metadata::is_dir) {
                self.stamp(&stamp, &real, Some(&above), below.as_ref());
            }
            let both = lower.as_deref().zip(below.as_ref());
            if let Some(found) = is_new.then(|| folder_change((&upper, &above), both)).flatten() {
                self.add(is_new, &real, found);
            }
            let lower = below.is_some_and(|below| below.is_dir()).then_some(lower).flatten();
            return self.folder(&Place { upper, lower, real: &real, stamp, opaque });
        }
        self.stamp(&stamp, &real, Some(&above), below.as_ref());
        if !is_new {
            return;
        }
        let found = file_change((&upper, &above), lower.as_deref().zip(below.as_ref()));
        if let Some(mut found) = found {
            if let ChangeKind::Created(Kind::File) | ChangeKind::Modified(Kind::File) = found.kind {
                let before = below.filter(Metadata::is_file).and(lower);
                found.diff = self.diff(before.as_deref(), &upper);
            }
            self.add(is_new, &real, found);
        }
    }

    /// Whether it is to be told of: it was not like this before the command, or all is.
    fn is_new(&self, stamp: &Path, above: Option<&Metadata>) -> bool {
        self.told == Told::All
            || self.old.is_none_or(|old| old.stamps.get(stamp).is_none_or(|old| old.above != above.map(Below::of)))
    }

    fn stamp(&mut self, upper: &Path, real: &Path, above: Option<&Metadata>, below: Option<&Metadata>) {
        let Some(old) = self.old else { return };
        let below = match old.stamps.get(upper) {
            Some(known) => known.below,
            // The user has changed it while the command ran: given up at the next.
            None if below.is_some_and(|below| self.began.is_before(below)) => Some(Below::NEVER),
            None => below.map(Below::of),
        };
        self.stamps.push(Stamp {
            upper: upper.to_path_buf(),
            real: real.to_path_buf(),
            above: above.map(Below::of),
            below,
            folder: above.is_some_and(Metadata::is_dir),
        });
    }

    fn add(&mut self, is_new: bool, path: &Path, found: Found) {
        if !is_new {
        } else if self.changes.list.len() < LIST {
            let Found { kind, attributes, diff } = found;
            self.changes.list.push(Change { path: path.to_path_buf(), kind, attributes, diff });
        } else {
            self.changes.omitted += 1;
        }
    }

    fn diff(&mut self, before: Option<&Path>, after: &Path) -> Option<String> {
        if self.diffs_left == 0 {
            return None;
        }
        let before = before.map_or_else(|| Some(String::new()), text)?;
        let after = text(after)?;
        let difference = similar::TextDiff::configure().timeout(Duration::from_millis(200)).diff_lines(&before, &after);
        let mut diff = difference.unified_diff().context_radius(3).to_string();
        let limit = DIFF_ONE.min(self.diffs_left);
        if diff.len() > limit {
            let mut cut = limit;
            while !diff.is_char_boundary(cut) {
                cut -= 1;
            }
            diff.truncate(cut);
            diff.push_str("\n[cut]\n");
        }
        self.diffs_left = self.diffs_left.saturating_sub(diff.len());
        Some(diff)
    }
}

/// A change without its path.
struct Found {
    kind: ChangeKind,
    attributes: Vec<Attribute>,
    diff: Option<String>,
}

impl From<ChangeKind> for Found {
    fn from(kind: ChangeKind) -> Self {
        Self { kind, attributes: Vec::new(), diff: None }
    }
}

fn folder_change(above: (&Path, &Metadata), below: Option<(&Path, &Metadata)>) -> Option<Found> {
    match below {
        None => Some(ChangeKind::Created(Kind::Folder).into()),
        Some((_, below)) if !below.is_dir() => {
            Some(ChangeKind::Replaced { from: kind(below), to: Kind::Folder }.into())
        }
        Some(below) => only(attributes::changed(above, below)),
    }
}

fn file_change(above: (&Path, &Metadata), below: Option<(&Path, &Metadata)>) -> Option<Found> {
    let (upper, meta) = above;
    let to = kind(meta);
    let Some((lower, old)) = below else {
        let attributes = attributes::of_new(meta).filter(|_| to == Kind::File).into_iter().collect();
        return Some(Found { attributes, ..ChangeKind::Created(to).into() });
    };
    let from = kind(old);
    if from != to {
        return Some(ChangeKind::Replaced { from, to }.into());
    }
    let attributes = attributes::changed(above, (lower, old));
    let same = match to {
        Kind::File => meta.len() == old.len() && same_contents(upper, lower).unwrap_or(false),
        Kind::Link => std::fs::read_link(upper).ok() == std::fs::read_link(lower).ok(),
        Kind::Folder | Kind::Special => true,
    };
    if !same {
        return Some(Found { attributes, ..ChangeKind::Modified(to).into() });
    }
    only(attributes).or_else(|| {
        let times = |meta: &Metadata| (meta.mtime(), meta.mtime_nsec());
        (times(meta) != times(old) && to == Kind::File).then(|| ChangeKind::Touched.into())
    })
}

/// Nothing but attributes, if any.
fn only(attributes: Vec<Attribute>) -> Option<Found> {
    (!attributes.is_empty()).then(|| Found { attributes, ..ChangeKind::Attributes.into() })
}

fn kind(meta: &Metadata) -> Kind {
    let kind = meta.file_type();
    if kind.is_file() {
        Kind::File
    } else if kind.is_dir() {
        Kind::Folder
    } else if kind.is_symlink() {
        Kind::Link
    } else {
        Kind::Special
    }
}

/// How an overlay marks a deletion: a character device of number 0.
fn is_whiteout(meta: &Metadata) -> bool {
    meta.file_type().is_char_device() && meta.rdev() == 0
}

fn is_opaque(folder: &Path) -> bool {
    let mut value = [0; 8];
    rustix::fs::lgetxattr(folder, "user.overlay.opaque", &mut value[..]).is_ok_and(|length| value[..length] == *b"y")
}

/// A regular file, opened so that neither a link nor a pipe put in its place can lead astray, and so
/// that looking at it does not change its time of access. Whose file that would change is not looked at:
/// where bubblewrap has made the walls, what is below is the real one.
fn open(path: &Path) -> io::Result<std::fs::File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC | libc::O_NOATIME;
    std::fs::File::options().read(true).custom_flags(flags).open(path)
}

/// The names in a folder, looked at in the same way.
fn listed(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::new(open(folder)?)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsString::from_vec(name.to_vec()));
        }
    }
    Ok(names)
}

fn same_contents(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (open(a)?, open(b)?);
    let (mut here, mut there) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    loop {
        let read = a.read(&mut here)?;
        if read == 0 {
            return Ok(b.read(&mut there)? == 0);
        }
        b.read_exact(&mut there[..read])?;
        if here[..read] != there[..read] {
            return Ok(false);
        }
    }
}

/// The contents, if they are text and not too long.
fn text(path: &Path) -> Option<String> {
    let file = open(path).ok()?;
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.len() > DIFF_FILE {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(DIFF_FILE).read_to_end(&mut bytes).ok()?;
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// By where they are in the scratch folder.
pub(crate) type Stamps = BTreeMap<PathBuf, Stamp>;
