//! What the rest of the crate asks of Linux.

pub(crate) use crate::linux::main::boxed_main;
pub(crate) use crate::linux::refresh::{BUSY, remove};

pub(crate) use crate::linux::bubblewrap::{
    find as find_bubblewrap, key as bubblewrap_key, new_enough as new_bubblewrap,
};

/// See [`crate::close_to_others`].
pub(crate) fn close_to_others() {
    // The kernel knows the request since 2.4 and grants it to everybody.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// Whether what is written in the folder would go into an overlay.
pub(crate) fn covers(folder: &std::path::Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    crate::linux::table::MountTable::read()
        .is_ok_and(|table| crate::linux::table::Cover::of_machine(&table).covers(&folder))
}
