//! What stands still while worlds change: rules, calls with their paths, the lines read so far; and
//! the one thing that a deliberately broken driver does wrong.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::call::{self, Call};
use planwright_core::permit::{Target, TargetKind};
use planwright_core::request::Block;
use planwright_core::rules::{Behavior, Layer, Origin, Rules};
use planwright_core::transcript::{Entry, Fact};
use serde_json::{Value, json};

use crate::fault::Fault;

pub const ROOT: &str = "/repo";
/// The plan files that one session after another gets.
pub const PLANS: [&str; 2] =
    ["/home/.planwright/plans/quiet-amber-otter.md", "/home/.planwright/plans/still-blue-heron.md"];

/// A call that a model may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tool {
    Read,
    WritePlan,
    WriteOther,
    /// A command that only reads.
    Ls,
    /// One that plainly changes something.
    Rm,
    /// One of which nothing is known.
    Make,
    /// One that only a dangerous rule allows.
    Python,
    General,
    Explore,
    Enter,
    Exit,
    Ask,
}

impl Tool {
    pub const ALL: [Self; 12] = [
        Self::Read,
        Self::WritePlan,
        Self::WriteOther,
        Self::Ls,
        Self::Rm,
        Self::Make,
        Self::Python,
        Self::General,
        Self::Explore,
        Self::Enter,
        Self::Exit,
        Self::Ask,
    ];

    /// What may happen to it, unasked, while the thread may only read.
    pub const fn harmless(self) -> bool {
        match self {
            Self::Read
            | Self::WritePlan
            | Self::Ls
            | Self::General
            | Self::Explore
            | Self::Enter
            | Self::Exit
            | Self::Ask => true,
            Self::WriteOther | Self::Rm | Self::Make | Self::Python => false,
        }
    }

    /// What a person may allow meanwhile.
    pub const fn may_be_asked(self) -> bool {
        match self {
            Self::Make | Self::Python => true,
            Self::WriteOther | Self::Rm => false,
            Self::Read
            | Self::WritePlan
            | Self::Ls
            | Self::General
            | Self::Explore
            | Self::Enter
            | Self::Exit
            | Self::Ask => true,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::WritePlan | Self::WriteOther => "Write",
            Self::Ls | Self::Rm | Self::Make | Self::Python => "Bash",
            Self::General | Self::Explore => "Agent",
            Self::Enter => "EnterPlanMode",
            Self::Exit => "ExitPlanMode",
            Self::Ask => "AskUserQuestion",
        }
    }

    fn input(self, plan: &Path) -> Value {
        let command = |text: &str| json!({"command": text});
        let agent = |kind: &str| json!({"subagent_type": kind, "description": "d", "prompt": "p"});
        match self {
            Self::Read => json!({"file_path": "/repo/a.txt"}),
            Self::WritePlan => json!({"file_path": plan, "content": "x"}),
            Self::WriteOther => json!({"file_path": "/repo/a.txt", "content": "x"}),
            Self::Ls => command("ls"),
            Self::Rm => command("rm a.txt"),
            Self::Make => command("make"),
            Self::Python => command("python x.py"),
            Self::General => agent("general-purpose"),
            Self::Explore => agent("Explore"),
            Self::Enter | Self::Exit => json!({}),
            Self::Ask => json!({"questions": [{"question": "q?", "header": "q", "options": [
                {"label": "a", "description": "a"}, {"label": "b", "description": "b"}]}]}),
        }
    }

    pub fn block(self, plan: &Path, id: String) -> Block {
        Block::ToolUse { id, name: self.name().to_owned(), input: self.input(plan) }
    }

    pub fn call(self, plan: &Path) -> (Call, Vec<Target>) {
        let call = call::parse(self.name(), &self.input(plan)).expect("the walk's calls are valid");
        let targets = call.paths().iter().map(|path| target(path)).collect();
        (call, targets)
    }

    /// The tool that a call in the log is.
    pub fn of(name: &str, input: &Value) -> Self {
        let is = |tool: &Self| tool.name() == name && (*tool == Self::WritePlan || tool.input(Path::new("")) == *input);
        let order = |tool: &&Self| **tool != Self::WritePlan;
        Self::ALL.iter().filter(order).chain([&Self::WritePlan]).copied().find(is).expect("a call of the walk")
    }
}

fn target(named: &str) -> Target {
    let real = if named.starts_with('/') { PathBuf::from(named) } else { Path::new(ROOT).join(named) };
    Target {
        named: named.to_owned(),
        absolute: real.clone(),
        real,
        kind: TargetKind::File,
        links: 1,
        identity: None,
        symlink: false,
    }
}

/// What stands still.
pub struct Rig {
    pub rules: [Arc<Rules>; 2],
    pub fault: Option<Fault>,
    lines: RefCell<HashMap<String, Fact>>,
}

impl Rig {
    pub fn new(fault: Option<Fault>) -> Self {
        let origin = |layer| Origin { layer, root: ROOT.into(), cwd: ROOT.into(), home: "/home".into() };
        let rules = |texts: &[(Layer, &str)]| {
            let mut rules = Rules::default();
            for (layer, text) in texts {
                assert_eq!(rules.add_text(Behavior::Allow, text, &origin(*layer)), None);
            }
            Arc::new(rules)
        };
        let few = rules(&[(Layer::User, "Bash(python:*)"), (Layer::Project, "Agent"), (Layer::User, "Bash(make)")]);
        let all = rules(&[
            (Layer::User, "*"),
            (Layer::User, "Edit"),
            (Layer::Project, "Bash"),
            (Layer::User, "Bash(python:*)"),
        ]);
        Self { rules: [few, all], fault, lines: RefCell::default() }
    }

    pub fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// The fact as a log keeps it: written as a line, and read back.
    pub fn through_the_log(&self, fact: &Fact) -> Fact {
        let entry = Entry { uuid: uuid::Uuid::nil(), timestamp: jiff::Timestamp::UNIX_EPOCH, fact: fact.clone() };
        let line = serde_json::to_string(&entry).expect("an entry is JSON");
        if let Some(read) = self.lines.borrow().get(&line) {
            return read.clone();
        }
        let (read, warning) = Entry::read(&line).expect("what was written is read");
        assert_eq!(warning, None, "{line}");
        self.lines.borrow_mut().insert(line, read.fact.clone());
        read.fact
    }
}
