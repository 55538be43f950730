//! The user's own types of subagents: `<config home>/agents/*.md` and, for a project,
//! `.planwright/agents/*.md`, which come first.

use std::fs;
use std::path::{Path, PathBuf};

use planwright_core::agents::{AgentType, parse};
use planwright_core::bounds;

use crate::home::Home;
use crate::place;
use crate::settings::SettingWarning;

/// The types of agents in files, and what is wrong with files that are none. Of two with the same
/// name the project's counts.
pub fn load(home: &Home, project_root: &Path) -> (Vec<AgentType>, Vec<SettingWarning>) {
    let (mut types, mut warnings): (Vec<AgentType>, Vec<_>) = (Vec::new(), Vec::new());
    for folder in [project_root.join(".planwright/agents"), home.root().join("agents")] {
        for file in pages(&folder) {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let read = place::small_text(&file, bounds::PAGE_BYTES).and_then(|text| parse(&text, &stem));
            match read {
                Ok(own) if types.iter().any(|other| other.name == own.name) => {}
                Ok(own) => types.push(own),
                Err(why) => {
                    let message = format!("this type of agent cannot be used: {why}");
                    warnings.push(SettingWarning { file: Some(file), line: None, message });
                }
            }
        }
    }
    (types, warnings)
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "md"))
        .collect();
    files.sort();
    files
}
