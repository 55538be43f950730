//! What the rest of the crate asks of Linux.

pub(crate) use crate::linux::main::boxed_main;
pub(crate) use crate::linux::refresh::{BUSY, remove};

pub(crate) use crate::linux::bubblewrap::{
    find as find_bubblewrap, key as bubblewrap_key, new_enough as new_bubblewrap,
};

/// Whether what is written in the folder would go into an overlay.
pub(crate) fn covers(folder: &std::path::Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    crate::linux::table::MountTable::read()
        .is_ok_and(|table| crate::linux::table::Cover::of_machine(&table).covers(&folder))
}
