//! Real paths, also of files that are not there yet.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Symlinks followed before a path counts as a loop; the kernel's own limit on Linux (`path_resolution(7)`).
const LINKS: usize = 40;

/// The real path: absolute, links followed, `.` and `..` removed as the kernel would, that is after
/// following links. Parts that are not there yet are kept as written.
///
/// # Errors
/// A part cannot be looked at, or a file stands where a folder must be.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    resolve(&std::path::absolute(path)?, LINKS)
}

fn resolve(path: &Path, links: usize) -> io::Result<PathBuf> {
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => real.push(part),
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            Component::Normal(name) => {
                let next = real.join(name);
                real = match fs::canonicalize(&next) {
                    Ok(found) => found,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(&next) {
                        // A link to a place that is not there yet.
                        Ok(_) if links == 0 => return Err(io::Error::other("too many symbolic links")),
                        Ok(target) => resolve(&real.join(target), links - 1)?,
                        Err(_) => next,
                    },
                    Err(error) => return Err(error),
                };
            }
        }
    }
    Ok(real)
}
