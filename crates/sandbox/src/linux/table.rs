//! Which folders get an overlay, so that nothing real can be written, connected to or locked.

use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

/// Everything that is mounted, by where.
#[derive(Debug)]
pub(crate) struct MountTable(Vec<(PathBuf, String)>);

/// Kinds of file system that hold no files of anybody's. They stay as they are, read-only.
const PSEUDO: &[&str] = &[
    "proc",
    "sysfs",
    "cgroup",
    "cgroup2",
    "devpts",
    "devtmpfs",
    "debugfs",
    "tracefs",
    "securityfs",
    "pstore",
    "bpf",
    "configfs",
    "mqueue",
    "hugetlbfs",
    "autofs",
    "fusectl",
    "binfmt_misc",
    "efivarfs",
    "nsfs",
    "rpc_pipefs",
    "selinuxfs",
];
/// Folders that a box has its own of, or that hold no files.
const OWN: &[&str] = &["/dev", "/proc", "/run", "/sys"];
/// How deep below a folder with mounts in it the search goes, and how many overlays there may be.
const DEPTH: usize = 12;
const OVERLAYS: usize = 200;

impl MountTable {
    /// Reads what is mounted now.
    pub(crate) fn read() -> io::Result<Self> {
        Ok(Self::parse(&std::fs::read("/proc/self/mountinfo")?))
    }

    fn parse(text: &[u8]) -> Self {
        let lines = text.split(|byte| *byte == b'\n');
        Self(lines.filter_map(Self::line).collect())
    }

    /// `36 35 98:0 /root /where rw,noatime shared:1 - ext4 /dev/sda rw`
    fn line(line: &[u8]) -> Option<(PathBuf, String)> {
        let mut fields = line.split(|byte| *byte == b' ');
        let place = unescaped(fields.nth(4)?);
        let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
        Some((place, String::from_utf8_lossy(kind).into_owned()))
    }

    fn has_below(&self, folder: &Path) -> bool {
        self.0.iter().any(|(place, _)| place != folder && place.starts_with(folder))
    }

    /// The kind of what is mounted exactly here; the last mount is on top.
    fn kind(&self, folder: &Path) -> Option<&str> {
        self.0.iter().rev().find(|(place, _)| place == folder).map(|(_, kind)| kind.as_str())
    }
}

/// Spaces and the like are written as three octal digits.
fn unescaped(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((first, others)) = rest.split_first() {
        let code = (*first == b'\\')
            .then(|| others.get(..3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        match code {
            Some(code) => {
                bytes.push(code);
                rest = &others[3..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// What is to be covered.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cover {
    /// Folders that get an overlay: whole trees without a mount in them.
    pub(crate) overlays: Vec<PathBuf>,
    /// Sockets and pipes in folders that cannot have one, because something is mounted below them.
    pub(crate) specials: Vec<PathBuf>,
}

impl Cover {
    /// All of the machine. A folder with mounts in it is taken apart: each of its folders gets its
    /// own overlay, and the files directly in it can only be read.
    pub(crate) fn of_machine(table: &MountTable) -> Self {
        let mut cover = Self::default();
        cover.take_apart(Path::new("/"), table, 0);
        cover
    }

    fn take_apart(&mut self, folder: &Path, table: &MountTable, depth: usize) {
        // What cannot be listed cannot be entered by the command either.
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_socket() || kind.is_fifo() {
                self.specials.push(path);
            } else if kind.is_dir() && !OWN.iter().any(|own| path == Path::new(own)) {
                self.take(path, table, depth);
            }
        }
    }

    fn take(&mut self, path: PathBuf, table: &MountTable, depth: usize) {
        if table.kind(&path).is_some_and(|kind| PSEUDO.contains(&kind)) {
        } else if table.has_below(&path) {
            if depth < DEPTH {
                self.take_apart(&path, table, depth + 1);
            }
        } else if self.overlays.len() < OVERLAYS && rustix::fs::access(&path, rustix::fs::Access::EXEC_OK).is_ok() {
            self.overlays.push(path);
        }
    }

    /// Whether what is written at the path goes into an overlay.
    pub(crate) fn covers(&self, path: &Path) -> bool {
        self.overlays.iter().any(|overlay| path.starts_with(overlay))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        let text =
            b"21 1 8:1 / / rw - ext4 /dev/sda rw\n22 21 0:4 / /a\\040b rw shared:1 master:2 - tmpfs t rw\nbroken\n";
        let table = MountTable::parse(text);
        assert_eq!(table.0, [("/".into(), "ext4".to_owned()), ("/a b".into(), "tmpfs".to_owned())]);
        assert!(table.has_below(Path::new("/")));
        assert!(!table.has_below(Path::new("/a b")));
        assert!(!table.has_below(Path::new("/a")));
        assert_eq!(table.kind(Path::new("/a b")), Some("tmpfs"));
    }

    #[test]
    fn a_folder_with_mounts_is_taken_apart() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["plain", "mixed/inner", "mixed/mount", "sys"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        let _socket = std::os::unix::net::UnixListener::bind(at("mixed/socket")).unwrap();
        std::os::unix::fs::symlink("plain", at("link")).unwrap();
        let table = MountTable(vec![(at("mixed/mount"), "ext4".to_owned()), (at("sys"), "sysfs".to_owned())]);
        let mut cover = Cover::default();
        cover.take_apart(folder.path(), &table, 0);
        cover.overlays.sort();
        assert_eq!(cover.overlays, [at("mixed/inner"), at("mixed/mount"), at("plain")]);
        assert_eq!(cover.specials, [at("mixed/socket")]);
        assert!(cover.covers(&at("mixed/inner/deep")) && !cover.covers(&at("mixed/file")));
    }
}
