//! Settings files, layer by layer (interfaces.md section 6).
//!
//! What there is to set, and what it takes, stands in one table, [`KEYS`]. A file that is not as the
//! table says yields warnings; it never stops the program, and never loosens a permission.

mod apply;
mod file;
mod schema;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use planwright_core::rules::{Layer, Origin};
use planwright_core::settings::{Settings, Trust};
use serde_json::Value;

use crate::home::Home;
use file::Given;

pub use planwright_core::settings::KEYS;
pub use schema::schema;

/// The administrator's settings on this machine, unless [`Sources::managed`] names another file.
pub const MANAGED_FILE: &str = "/etc/planwright/settings.json";

/// Where settings come from.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    /// The config home: the user's settings.
    pub home: &'a Home,
    /// The project root: its settings, shared and local.
    pub project_root: &'a Path,
    /// The administrator's settings; [`MANAGED_FILE`] if `None`.
    pub managed: Option<&'a Path>,
    /// The file that `--settings` names.
    pub flag_file: Option<&'a Path>,
    /// The other flags.
    pub command_line: CommandLine,
    /// Whether the user trusts the project's folder ([`crate::trust`]).
    pub trusted: bool,
    /// What `~/` means; without it such paths are taken as written.
    pub user_home: Option<&'a Path>,
}

/// Flags that are settings.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// `--allowed-tools`, one rule each.
    pub allowed_tools: Vec<String>,
    /// `--disallowed-tools`, one rule each.
    pub disallowed_tools: Vec<String>,
    /// `--add-dir`
    pub add_dirs: Vec<String>,
    /// The text of `--settings`, when it is no file.
    pub settings: Option<String>,
    /// Of the files below the flags, only those of these layers; `None` = all.
    pub only: Option<Vec<Layer>>,
}

/// Something in the settings that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingWarning {
    /// The file; `None` for a flag, or where only the value is known.
    pub file: Option<PathBuf>,
    /// The line in it, from 1.
    pub line: Option<usize>,
    /// What is wrong, and what holds instead.
    pub message: String,
}

impl fmt::Display for SettingWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
        }
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        if self.file.is_some() {
            f.write_str(" ")?;
        }
        f.write_str(&self.message)
    }
}

/// Where a value in force was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetBy {
    /// The layer.
    pub layer: Layer,
    /// The file; `None` for a flag.
    pub file: Option<PathBuf>,
    /// The line in it, from 1.
    pub line: Option<usize>,
    /// The value, as JSON.
    pub value: Value,
}

/// The settings in force, and how they came about.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The values.
    pub settings: Settings,
    /// What is wrong in the files.
    pub warnings: Vec<SettingWarning>,
    /// For each key that is set, who set it, the weakest first. Of a single value the last one is in
    /// force; lists are joined.
    pub origins: BTreeMap<&'static str, Vec<SetBy>>,
    /// The values of keys that other rooms read (`hooks`, `mcpServers`), by layer, the weakest first.
    pub objects: BTreeMap<&'static str, Vec<(Layer, Value)>>,
}

/// Reads all layers.
pub fn load(sources: &Sources<'_>) -> Loaded {
    let mut loaded = Loaded::default();
    for layer in layers(sources) {
        layer.load(sources, &mut loaded);
    }
    flags(sources, &mut loaded);
    let managed = sources.managed.unwrap_or(Path::new(MANAGED_FILE));
    Source { layer: Layer::Managed, file: managed.to_owned(), root: folder_of(managed), text: None, must_exist: false }
        .load(sources, &mut loaded);
    loaded
}

/// One settings file.
struct Source {
    layer: Layer,
    file: PathBuf,
    /// What stands in it, where that came otherwise.
    text: Option<String>,
    /// What `/x` in a rule is relative to.
    root: PathBuf,
    must_exist: bool,
}

/// The files below the flags, from the weakest to the strongest.
fn layers(sources: &Sources<'_>) -> Vec<Source> {
    let project = sources.project_root.to_owned();
    let own = project.join(".planwright");
    let user = sources.home.settings_file();
    let shared = own.join("settings.json");
    // In the user's home folder the project's file can be the user's own: it is then the user's.
    let same = fs::canonicalize(&shared).is_ok_and(|shared| fs::canonicalize(&user).is_ok_and(|user| user == shared));
    let source = |layer, file, root| Source { layer, file, text: None, root, must_exist: false };
    let mut all = vec![source(Layer::User, user, sources.home.root().to_owned())];
    if !same {
        all.push(source(Layer::Project, shared, project.clone()));
    }
    all.push(source(Layer::ProjectLocal, own.join("settings.local.json"), project.clone()));
    if let Some(only) = &sources.command_line.only {
        all.retain(|source| only.contains(&source.layer));
    }
    all.extend(
        sources.command_line.settings.clone().map(|text| Source {
            text: Some(text),
            ..source(Layer::CommandLine, PathBuf::from("--settings"), project)
        }),
    );
    all.extend(sources.flag_file.map(|file| Source {
        layer: Layer::CommandLine,
        file: file.to_owned(),
        text: None,
        root: folder_of(file),
        must_exist: true,
    }));
    all
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().map_or_else(PathBuf::new, Path::to_owned)
}

impl Source {
    fn load(&self, sources: &Sources<'_>, loaded: &mut Loaded) {
        let contents = match &self.text {
            Some(text) => file::parse(&self.file, text),
            None => file::read(&self.file, self.must_exist),
        };
        loaded.warnings.extend(contents.warnings);
        let mut untrusted = Vec::new();
        for given in contents.given {
            match self.admits(&given, sources.trusted) {
                Admission::Yes => self.apply(given, sources, loaded),
                Admission::OnceTrusted => untrusted.push(given),
                Admission::Never(why) => loaded.warnings.push(self.warning(Some(given.line), why)),
            }
        }
        if !untrusted.is_empty() {
            loaded.warnings.push(self.warning(Some(untrusted[0].line), left_out(&untrusted)));
        }
    }

    fn apply(&self, given: Given, sources: &Sources<'_>, loaded: &mut Loaded) {
        let origin = Origin {
            layer: self.layer,
            root: self.root.clone(),
            cwd: sources.project_root.to_owned(),
            home: sources.user_home.map_or_else(PathBuf::new, Path::to_owned),
        };
        let set_by = SetBy {
            layer: self.layer,
            file: Some(self.file.clone()),
            line: Some(given.line),
            value: given.value.shown(),
        };
        apply::apply(given, &origin, &set_by, loaded);
    }

    /// Whether a value counts when it comes from this file.
    fn admits(&self, given: &Given, trusted: bool) -> Admission {
        let of_project = match self.layer {
            Layer::Project | Layer::ProjectLocal => true,
            Layer::Managed | Layer::CommandLine | Layer::Session | Layer::User => false,
        };
        if !of_project {
            return Admission::Yes;
        }
        if given.key.path == "permissions.defaultMode" {
            return match given.text() {
                None | Some("plan") => Admission::Yes,
                Some("default" | "acceptEdits") if trusted => Admission::Yes,
                // `default` may be looser than what the user set.
                Some("default" | "acceptEdits") => Admission::OnceTrusted,
                Some(mode) => Admission::Never(format!(
                    "`permissions.defaultMode` cannot be `{mode}` in a project's settings; it is not used. \
                     Set it in your own settings if you want it"
                )),
            };
        }
        match given.key.trust {
            Trust::Any => Admission::Yes,
            Trust::TrustedFolder if trusted => Admission::Yes,
            Trust::TrustedFolder => Admission::OnceTrusted,
            Trust::NotProject => Admission::Never(format!(
                "`{}` has no effect in a project's settings; set it in your own settings",
                given.key.path
            )),
        }
    }

    fn warning(&self, line: Option<usize>, message: String) -> SettingWarning {
        SettingWarning { file: Some(self.file.clone()), line, message }
    }
}

enum Admission {
    Yes,
    OnceTrusted,
    Never(String),
}

fn left_out(untrusted: &[Given]) -> String {
    let each = |given: &Given| match given.count() {
        Some(count) => format!("`{}` ({count})", given.key.path),
        None => format!("`{}`", given.key.path),
    };
    let all: Vec<String> = untrusted.iter().map(each).collect();
    format!(
        "this folder is not trusted, so these settings of it are not in force: {}. Read the file; if you know \
         who wrote it, `planwright trust` in the folder puts them in force",
        all.join(", ")
    )
}

fn flags(sources: &Sources<'_>, loaded: &mut Loaded) {
    let origin = Origin {
        layer: Layer::CommandLine,
        root: sources.project_root.to_owned(),
        cwd: sources.project_root.to_owned(),
        home: sources.user_home.map_or_else(PathBuf::new, Path::to_owned),
    };
    let set_by = SetBy { layer: Layer::CommandLine, file: None, line: None, value: Value::Null };
    let flags = &sources.command_line;
    for (path, texts) in [
        ("permissions.allow", &flags.allowed_tools),
        ("permissions.deny", &flags.disallowed_tools),
        ("permissions.additionalDirectories", &flags.add_dirs),
    ] {
        if !texts.is_empty() {
            apply::apply(Given::texts(path, texts), &origin, &set_by, loaded);
        }
    }
}
