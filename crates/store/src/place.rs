//! Real paths, also of files that are not there yet.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use planwright_core::bounds;

/// The real path: absolute, links followed, `.` and `..` removed as the kernel would, that is after
/// following links. Parts that are not there yet are kept as written.
///
/// # Errors
/// A part cannot be looked at, or a file stands where a folder must be.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    resolve(&std::path::absolute(path)?, bounds::SYMLINKS)
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

/// A text file of at most `limit` bytes.
///
/// # Errors
/// It cannot be read, is longer, or is not UTF-8; why, as a clause.
pub fn small_text(path: &Path, limit: u64) -> Result<String, String> {
    String::from_utf8(small_file(path, limit)?).map_err(|_| "it is not UTF-8 text".to_owned())
}

/// A file of at most `limit` bytes.
///
/// # Errors
/// It cannot be read, is no regular file, or is longer; why, as a clause.
pub fn small_file(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    // Opening a pipe would wait for a writer.
    if !fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    fs::File::open(path)
        .and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Err(format!("it is longer than {limit} bytes"));
    }
    Ok(bytes)
}
