//! What the rest of the crate asks of Linux.

pub(crate) use crate::linux::main::boxed_main;
pub(crate) use crate::linux::refresh::remove;
