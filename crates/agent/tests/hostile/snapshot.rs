//! What a folder holds, as seen from outside: everything of a file but when it was last read.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// One name: what can be told apart about it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    /// Kind and permission bits.
    mode: u32,
    owner: (u32, u32),
    /// Names of the same file elsewhere show as another number of links.
    inode: u64,
    links: u64,
    size: u64,
    /// Seconds and nanoseconds of the last change of the content, and of anything.
    changed: [(i64, i64); 2],
    /// Hash of the bytes, or of the target of a symbolic link.
    content: u64,
}

/// Every name below some folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot(BTreeMap<PathBuf, Item>);

impl Snapshot {
    /// Looks at the folders; symbolic links are not followed.
    pub fn of(folders: &[&Path]) -> Self {
        let mut snapshot = Self::default();
        folders.iter().for_each(|folder| snapshot.take(folder));
        snapshot
    }

    fn take(&mut self, path: &Path) {
        let about = fs::symlink_metadata(path).unwrap();
        let mut hasher = DefaultHasher::new();
        if about.is_symlink() {
            fs::read_link(path).unwrap().as_os_str().as_bytes().hash(&mut hasher);
        } else if about.is_file() {
            fs::read(path).unwrap().hash(&mut hasher);
        }
        let item = Item {
            mode: about.mode(),
            owner: (about.uid(), about.gid()),
            inode: about.ino(),
            links: about.nlink(),
            size: about.size(),
            changed: [(about.mtime(), about.mtime_nsec()), (about.ctime(), about.ctime_nsec())],
            content: hasher.finish(),
        };
        self.0.insert(path.to_owned(), item);
        if about.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                self.take(&entry.unwrap().path());
            }
        }
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What is otherwise in `after`, a line each.
    pub fn differences(&self, after: &Self) -> Vec<String> {
        let gone = self.0.keys().filter(|path| !after.0.contains_key(*path));
        let gone = gone.map(|path| format!("gone: {}", path.display()));
        let rest = after.0.iter().filter_map(|(path, now)| match self.0.get(path) {
            None => Some(format!("new: {}", path.display())),
            Some(was) if was != now => Some(format!("changed: {}\n  was {was:?}\n  is  {now:?}", path.display())),
            Some(_) => None,
        });
        gone.chain(rest).collect()
    }
}
