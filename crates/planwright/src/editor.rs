//! The user's editor: `$VISUAL`, then `$EDITOR`, then a known one on the path.

use std::ffi::OsString;
use std::path::Path;

/// Editors by program, with their usual names, in the order in which they are looked for.
const KNOWN: &[(&str, &str, &[&str])] = &[
    ("code", "Visual Studio Code", &["--wait"]),
    ("cursor", "Cursor", &["--wait"]),
    ("zed", "Zed", &["--wait"]),
    ("subl", "Sublime Text", &["--wait"]),
    ("nvim", "Neovim", &[]),
    ("vim", "Vim", &[]),
    ("hx", "Helix", &[]),
    ("emacs", "Emacs", &[]),
    ("nano", "nano", &[]),
    ("micro", "micro", &[]),
    ("vi", "vi", &[]),
];

/// An editor that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Editor {
    argv: Vec<String>,
    /// Its usual name.
    pub name: String,
}

/// The user's editor. A value that cannot be split into words is taken as one program.
pub fn find(visual: Option<String>, editor: Option<String>) -> Option<Editor> {
    let set = [visual, editor].into_iter().flatten().find(|value| !value.trim().is_empty());
    if let Some(value) = set {
        let argv = shell_words::split(&value).ok().filter(|argv| !argv.is_empty()).unwrap_or_else(|| vec![value]);
        return Some(Editor { name: name_of(&argv[0]), argv });
    }
    // Only editors that give the terminal back when they are closed, or wait by an option.
    KNOWN.iter().find(|(program, _, _)| which::which(program).is_ok()).map(|(program, name, options)| Editor {
        argv: std::iter::once(*program).chain(options.iter().copied()).map(str::to_owned).collect(),
        name: (*name).to_owned(),
    })
}

fn name_of(program: &str) -> String {
    let base =
        Path::new(program).file_stem().map_or_else(|| program.to_owned(), |stem| stem.to_string_lossy().into_owned());
    KNOWN.iter().find(|(known, _, _)| *known == base).map_or(base, |(_, name, _)| (*name).to_owned())
}

impl Editor {
    /// Opens a file and waits until the editor is closed.
    ///
    /// # Errors
    /// It cannot be started, or ends with a failure.
    pub async fn open(&self, path: &Path, cwd: &Path) -> Result<(), String> {
        let mut argv: Vec<OsString> = self.argv.iter().map(OsString::from).collect();
        argv.push(path.as_os_str().to_owned());
        match planwright_sandbox::interactive(&argv, cwd).await {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{} ended with {status}", self.name)),
            Err(error) => Err(error.to_string()),
        }
    }
}
