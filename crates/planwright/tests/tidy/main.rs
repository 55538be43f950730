//! The absences of ARCHITECTURE.md, held by reading manifests and sources.
//!
//! | file | holds |
//! | --- | --- |
//! | `laws` | every law: what must not be, how to mend it, samples that break and keep it |
//! | `find` | how each law looks for what breaks it |
//! | `tables` | what the laws go by: who imports whom, who may use what, the exceptions and their reasons |
//! | `tree` | the files of the project |
//! | `rust` | Rust text with comments, strings or tests taken out; the paths in it |
//!
//! It reads text, not types: it is a fence, not a proof. What can be a type error is one (a `Permit`
//! cannot be forged), and what clippy can see is left to clippy (`crates/core/clippy.toml`).

mod find;
mod laws;
mod rust;
mod tables;
mod tree;

use std::sync::LazyLock;

use laws::LAWS;
use tree::Tree;

static TREE: LazyLock<Tree> = LazyLock::new(Tree::read);

/// All that is wrong, at once, with where and how to mend it.
#[test]
fn the_tree_keeps_every_law() {
    assert!(TREE.files.len() > 100, "only {} files were found: is this the project?", TREE.files.len());
    let report: String = LAWS
        .iter()
        .map(|law| (law, law.find(&TREE)))
        .filter(|(_, findings)| !findings.is_empty())
        .map(|(law, findings)| {
            let lines: String = findings.iter().map(|finding| format!("  {finding}\n")).collect();
            format!("\n{}: {}\n{lines}  -> {}\n", law.name, law.says, law.mend)
        })
        .collect();
    assert!(report.is_empty(), "{report}");
}

/// A law that nothing can break holds nothing: each has samples that break it, and twins that do not.
#[test]
fn every_law_can_be_broken_and_kept() {
    let mut wrong = String::new();
    for law in LAWS {
        assert!(!law.breaks.is_empty() && !law.keeps.is_empty(), "{} needs samples of both kinds", law.name);
        for &(path, text) in law.breaks {
            if law.find(&Tree::of(path, text)).is_empty() {
                wrong += &format!("\n{} finds nothing in {path}: {text}", law.name);
            }
        }
        for &(path, text) in law.keeps {
            for finding in law.find(&Tree::of(path, text)) {
                wrong += &format!("\n{} objects to {path}: {text}\n  {finding}", law.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// An exception that nothing needs any more is a hole.
#[test]
fn every_exception_is_needed() {
    let idle: Vec<_> = tables::EXCEPTIONS
        .iter()
        .filter(|but| {
            let law = LAWS.iter().find(|law| law.name == but.law).expect("an exception names a law");
            !(law.see)(&TREE).iter().any(|finding| finding.path == but.path)
        })
        .map(|but| format!("{} in {}: {}", but.law, but.path, but.why))
        .collect();
    assert!(idle.is_empty(), "take these rows out of `tables::EXCEPTIONS`: {idle:#?}");
}
