//! Every law: what must not be, how to mend it, and samples that break and keep it.

use crate::rust::{holds, paths};
use crate::tables::{EMPTY_NAMES, EXCEPTIONS, HOMES, HOSTS, IMPORTS, IMPURE, MACHINE_PATHS, PLACES};
use crate::tree::{File, Finding, Tree, dependencies};

/// A path and a text.
type Sample = (&'static str, &'static str);

/// One law.
pub struct Law {
    pub name: &'static str,
    pub says: &'static str,
    pub mend: &'static str,
    see: fn(&Tree) -> Vec<Finding>,
    pub breaks: &'static [Sample],
    pub keeps: &'static [Sample],
}
