//! Which folders get an overlay, so that nothing real can be written, connected to or locked.

use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
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
/// Folders that every program may count on being able to write in.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp"];
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

/// The number by which the kernel shows a user or a group that has none in a namespace.
fn overflow(of: &str) -> u32 {
    let number = std::fs::read_to_string(format!("/proc/sys/kernel/overflow{of}"));
    number.ok().and_then(|number| number.trim().parse().ok()).unwrap_or(65_534)
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

    /// The folders for temporary files that cannot have an overlay, because somebody has mounted
    /// something in them. They get private, empty ones instead; of what is in them only the folder
    /// with the work keeps its overlay.
    pub(crate) fn without_temporary(&mut self, work: &Path) -> Vec<PathBuf> {
        let places = TEMPORARY.iter().map(Path::new);
        let uncovered: Vec<PathBuf> =
            places.filter(|place| place.is_dir() && !self.covers(place)).map(Path::to_path_buf).collect();
        let inside = |path: &Path| uncovered.iter().any(|place| path.starts_with(place));
        self.overlays.retain(|overlay| !inside(overlay) || work.starts_with(overlay));
        self.specials.retain(|special| !inside(special));
        uncovered
    }

    /// Adds overlays so that an ordinary user can write in these places. An overlay copies the folders
    /// on the way to what is written, and cannot copy one whose owner is not known in the box; such a
    /// folder must be the root of an overlay itself.
    pub(crate) fn root_at(&mut self, places: &[PathBuf]) {
        let me = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
        if me.0 == 0 {
            return;
        }
        // In the box, whoever is not known there has these; with one of them nothing can be told apart,
        // and the places must be roots themselves.
        let nobody = (overflow("uid"), overflow("gid"));
        let unclear = me.0 == nobody.0 || me.1 == nobody.1;
        let foreign = |folder: &&Path| {
            std::fs::metadata(folder).is_ok_and(|meta| meta.is_dir() && (unclear || (meta.uid(), meta.gid()) != me))
        };
        for place in places {
            let Some(outer) = self
                .overlays
                .iter()
                .filter(|overlay| place.starts_with(overlay))
                .max_by_key(|path| path.as_os_str().len())
            else {
                continue;
            };
            let way = place.ancestors().take_while(|folder| folder != outer);
            if let Some(folder) = way.into_iter().find(foreign) {
                self.overlays.push(folder.to_path_buf());
            }
        }
        // What is put on top later hides what is below it.
        self.overlays.sort();
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

    #[test]
    fn temporary_folders_that_cannot_be_covered_are_private() {
        let paths = ["/tmp/a", "/tmp/made", "/var", "/home"].map(PathBuf::from);
        let mut cover = Cover { overlays: paths.to_vec(), specials: vec!["/tmp/socket".into(), "/mnt/socket".into()] };
        assert_eq!(cover.without_temporary(Path::new("/tmp/made/deep")), [PathBuf::from("/tmp")]);
        assert_eq!(cover.overlays, ["/tmp/made", "/var", "/home"].map(PathBuf::from));
        assert_eq!(cover.specials, [PathBuf::from("/mnt/socket")]);
    }
}
