//! What a command showed in a scratch copy, and how a plan cites it.

use serde::{Deserialize, Serialize};

use crate::permit::Walls;

/// A command that ran in a scratch copy, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Counts from 1 in a session, its agents included; a plan cites it as `E1`.
    pub id: u32,
    /// The command line.
    pub command: String,
    /// The exit code; `None` if it did not end by itself.
    pub exit_code: Option<i32>,
    /// What it would have changed.
    pub would_change: WouldChange,
    /// What held it.
    pub tier: Walls,
    /// Hex digest of what it printed, as far as that was kept.
    pub sha256: String,
}

/// How much a command in a scratch copy would have changed, by where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WouldChange {
    /// Files of the project.
    pub project: u64,
    /// Files in the project that git ignores: build output.
    #[serde(default)]
    pub ignored: u64,
    /// Files elsewhere: caches, temporary files.
    #[serde(default)]
    pub elsewhere: u64,
    /// Files that the list had no room for.
    #[serde(default)]
    pub unlisted: u64,
}

impl WouldChange {
    /// All of them.
    pub const fn total(self) -> u64 {
        self.project + self.ignored + self.elsewhere + self.unlisted
    }
}

/// An id that a plan cites, with what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The number behind the `E`.
    pub id: u32,
    /// What was found out; `None` = there is no such evidence.
    pub evidence: Option<Evidence>,
}

/// What a plan cites, each once, in the order in which it is first cited.
pub fn citations(plan: &str, known: &[Evidence]) -> Vec<Citation> {
    let mut ids = Vec::new();
    for id in cited(plan) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let found = |id| known.iter().find(|evidence| evidence.id == id).cloned();
    ids.into_iter().take(crate::bounds::CITATIONS).map(|id| Citation { id, evidence: found(id) }).collect()
}

/// Numbers behind a capital `E` that begin and end as words do. A number is read as people write it:
/// no sign, no leading zero (`E05` is the code of an error).
fn cited(plan: &str) -> impl Iterator<Item = u32> + '_ {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    plan.split(move |c: char| !word(c)).filter_map(|word| {
        let digits = word.trim_end_matches(['.', '-']).strip_prefix('E')?;
        let plain = digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        digits.parse().ok().filter(|_| plain)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_found() {
        let evidence = |id| Evidence {
            id,
            command: format!("test {id}"),
            exit_code: Some(0),
            would_change: WouldChange::default(),
            tier: Walls::Scratch,
            sha256: String::new(),
        };
        let known = [evidence(1), evidence(3), evidence(12)];
        // the plan, the ids, and those that stand for nothing
        let rows: &[(&str, &[u32], &[u32])] = &[
            ("", &[], &[]),
            ("The tests fail (E3).", &[3], &[]),
            ("See E1, E3 and E12.", &[1, 3, 12], &[]),
            ("E3. Then E3 again, `E1`; **E12**", &[3, 1, 12], &[]),
            ("- evidence E9", &[9], &[9]),
            ("[E1][E2]", &[1, 2], &[2]),
            ("E1\nE3\r\n", &[1, 3], &[]),
            ("e3, E, E0, E03, EE3, E3a, aE3, E3_x, _E3", &[], &[]),
            ("E-3, E+3, E3.5, 1E3, src/E3/a.rs, E3.txt", &[], &[]),
            ("E99999999999999999999 E10000", &[], &[]),
            ("„E3“ – «E1»", &[3, 1], &[]),
        ];
        let wrong: Vec<_> = rows
            .iter()
            .filter_map(|(plan, ids, missing)| {
                let found = citations(plan, &known);
                let all: Vec<_> = found.iter().map(|citation| citation.id).collect();
                let none: Vec<_> = found.iter().filter(|c| c.evidence.is_none()).map(|c| c.id).collect();
                (all != *ids || none != *missing).then(|| format!("{plan:?}: {all:?}, unknown {none:?}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn they_are_bounded() {
        let plan: String = (1..2_000).map(|id| format!("E{id} ")).collect();
        assert_eq!(citations(&plan, &[]).len(), crate::bounds::CITATIONS);
    }
}
