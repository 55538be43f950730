//! What is known of a file beside its contents: permissions, owner, extended attributes.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::changes::Attribute;

/// Longest list of names of extended attributes, and longest value, that is looked at.
const LONGEST: usize = 4 << 10;
/// Extended attributes that somebody may have set, by the beginnings of their names.
const TOLD: &[&[u8]] = &[b"user.", b"system.posix_acl_", b"security.capability"];
/// What an overlay marks its own files with.
const MARKS: &[u8] = b"user.overlay.";

/// What would be other than it is.
pub(crate) fn changed(above: (&Path, &Metadata), below: (&Path, &Metadata)) -> Vec<Attribute> {
    let ((upper, above), (lower, below)) = (above, below);
    let (from, to) = (below.mode() & 0o7777, above.mode() & 0o7777);
    let mode = (from != to).then_some(Attribute::Mode { from: Some(from), to });
    let owner = ((above.uid(), above.gid()) != (below.uid(), below.gid())).then_some(Attribute::Owner);
    // What cannot be looked at on either side is not claimed to differ.
    let differs = extended(upper).zip(extended(lower)).is_some_and(|(above, below)| above != below);
    mode.into_iter().chain(owner).chain(differs.then_some(Attribute::Extended)).collect()
}

/// What is out of the ordinary in a new file: that it may be run, or runs as somebody else.
pub(crate) fn of_new(above: &Metadata) -> Option<Attribute> {
    let to = above.mode() & 0o7777;
    (to & 0o7111 != 0).then_some(Attribute::Mode { from: None, to })
}

fn extended(path: &Path) -> Option<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut names = [0; LONGEST];
    let length = match rustix::fs::llistxattr(path, &mut names[..]) {
        Ok(length) => length,
        // A file system without any.
        Err(rustix::io::Errno::NOTSUP) => 0,
        Err(_) => return None,
    };
    let told = |name: &&[u8]| TOLD.iter().any(|told| name.starts_with(told)) && !name.starts_with(MARKS);
    names[..length]
        .split(|byte| *byte == 0)
        .filter(told)
        .map(|name| Some((name.to_vec(), value(path, name)?)))
        .collect()
}

fn value(path: &Path, name: &[u8]) -> Option<Vec<u8>> {
    let mut value = [0; LONGEST];
    let length = rustix::fs::lgetxattr(path, name, &mut value[..]).ok()?;
    Some(value[..length].to_vec())
}
