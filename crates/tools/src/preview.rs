//! What a call would change, shown before the user is asked about it.

use std::path::Path;

use planwright_core::call::Call;
use planwright_core::permit::TargetKind;
use planwright_core::text;
use planwright_core::transcript::Seen;

use crate::run::Tools;
use crate::{diff, edit, open, textfile};

impl Tools {
    /// What a `Write` or `Edit` would change, as a unified diff; `None` for other calls, and where it
    /// cannot be told.
    pub fn preview(&self, call: &Call) -> Option<String> {
        let target = self.targets(call).into_iter().next()?;
        let old = match target.kind {
            TargetKind::Missing => String::new(),
            TargetKind::File => text::decode(&open::bytes(&target).ok()?).text,
            TargetKind::Folder | TargetKind::Other => return None,
        };
        let new = match call {
            Call::Write(write) => write.content.clone(),
            Call::Edit(edit) => edit::previewed(edit, &old)?,
            Call::Read(_)
            | Call::NotebookEdit(_)
            | Call::Glob(_)
            | Call::Grep(_)
            | Call::Bash(_)
            | Call::Agent(_)
            | Call::AskUserQuestion(_)
            | Call::TodoWrite(_)
            | Call::EnterPlanMode
            | Call::ExitPlanMode
            | Call::Mcp(_) => return None,
        };
        Some(diff::unified(&target.named, &old, &new))
    }
}

/// The entry that says the model knows a file as it is now; `None` if it cannot be read.
pub fn seen(path: &Path) -> Option<Seen> {
    let bytes = std::fs::read(path).ok()?;
    Some(Seen { path: path.to_owned(), sha256: textfile::sha256(&bytes) })
}
