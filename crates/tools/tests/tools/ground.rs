//! A project in a temporary folder, and a session in which every question is answered with yes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::call::{self, Call};
use planwright_core::mode::Permissions;
use planwright_core::permit::{self, Choice, Permit, Refusal, Situation, Verdict, Walls};
use planwright_core::rules::{Behavior, Layer, Origin, Rule, Rules};
use planwright_core::settings::PlanCommands;
use planwright_tools::{Cancel, Outcome, SessionView, Tools};
use serde_json::Value;
use tempfile::TempDir;

pub struct Ground {
    _folder: TempDir,
    /// The real path of the project root.
    pub root: PathBuf,
    pub tools: Tools,
    pub view: SessionView,
    pub rules: Arc<Rules>,
    pub plan_file: PathBuf,
    /// The mode, and all that goes with it.
    pub permissions: Permissions,
    /// `plan.experiments`
    pub experiments: bool,
    /// `plan.commands`
    pub commands: PlanCommands,
    /// What the machine can hold commands with.
    pub walls: Walls,
    /// The agent is read-only, as while planning.
    pub read_only: bool,
}

impl Ground {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir(&root).unwrap();
        Self {
            _folder: folder,
            tools: Tools::new(&root, &[]),
            root,
            view: SessionView::default(),
            rules: Arc::default(),
            plan_file: PathBuf::new(),
            permissions: Permissions::default(),
            experiments: false,
            commands: PlanCommands::Ask,
            walls: Walls::ReadOnly,
            read_only: false,
        }
    }

    /// A project with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let ground = Self::new();
        for (path, content) in files {
            ground.put(path, content);
        }
        ground
    }

    pub fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn get(&self, path: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.root.join(path)).unwrap()).into_owned()
    }

    pub fn deny(&mut self, rule: &str) {
        let origin = Origin {
            layer: Layer::User,
            root: self.root.clone(),
            cwd: self.root.clone(),
            home: PathBuf::from("/home/u"),
        };
        let rule = Rule::parse(rule, &origin).unwrap();
        Arc::make_mut(&mut self.rules).add(Behavior::Deny, rule);
    }

    pub fn judge(&self, call: Call) -> Result<Permit, Refusal> {
        let targets = self.tools.targets(&call);
        let shell = self.tools.command_context(&call);
        let situation = Situation {
            permissions: &self.permissions,
            read_only: self.read_only,
            sub_agent: false,
            rules: &self.rules,
            plan_file: &self.plan_file,
            roots: std::slice::from_ref(&self.root),
            commands: self.commands,
            shell: &shell,
            walls: self.walls,
            experiments: self.experiments,
            hook: None,
        };
        match permit::judge(call, targets, &situation) {
            Verdict::Run(permit) => Ok(permit),
            Verdict::Ask(ask) => ask.answer(Choice::Once, ""),
            Verdict::Refuse(refusal) => Err(refusal),
        }
    }

    /// A permit for a call as a model writes it.
    pub fn permit(&self, tool: &str, input: Value) -> Permit {
        self.judge(call::parse(tool, &input).unwrap()).unwrap()
    }

    pub async fn run(&mut self, permit: Permit) -> Outcome {
        let outcome = self.tools.run(permit, &self.view, &Cancel::new()).await;
        let known = Arc::make_mut(&mut self.view.seen);
        known.extend(outcome.seen.iter().map(|seen| (seen.path.clone(), seen.sha256.clone())));
        assert!(outcome.content.len() <= planwright_core::bounds::RESULT_BYTES, "{} bytes", outcome.content.len());
        outcome
    }

    /// Judges a call and runs it.
    pub async fn call(&mut self, tool: &str, input: Value) -> Outcome {
        let permit = self.permit(tool, input);
        self.run(permit).await
    }

    /// The result of a call that must succeed.
    pub async fn ok(&mut self, tool: &str, input: Value) -> String {
        let outcome = self.call(tool, input.clone()).await;
        assert!(!outcome.is_error, "{tool} {input}: {}", outcome.content);
        outcome.content
    }

    /// The message of a call that must fail.
    pub async fn error(&mut self, tool: &str, input: Value) -> String {
        let outcome = self.call(tool, input.clone()).await;
        assert!(outcome.is_error, "{tool} {input}: {}", outcome.content);
        assert!(outcome.seen.is_empty() && outcome.diff.is_none());
        outcome.content
    }
}

/// Whether a text holds all of `parts`; a message for the table if not.
pub fn lacks(what: &str, text: &str, parts: &[&str]) -> Option<String> {
    let missing: Vec<_> = parts.iter().filter(|part| !text.contains(*part)).collect();
    (!missing.is_empty()).then(|| format!("{what}: no {missing:?} in {text:?}"))
}

pub fn no_temporary_files(folder: &Path) {
    let left: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().starts_with(".planwright-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
