//! The gate: judges a call before it runs, and makes the permits without which nothing runs
//! (plan-mode.md section 6).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::call::Call;
use crate::mode::Permissions;
use crate::rules::Rules;
use crate::settings::PlanCommands;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Neither (device, socket, pipe).
    Other,
    /// Nothing yet.
    Missing,
}

/// A path of a call, resolved before the verdict: the only IO that happens before one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As the model wrote it.
    pub named: String,
    /// Made absolute and cleaned of `.`, without following links.
    pub absolute: PathBuf,
    /// The real path: links followed, `..` removed; of a missing file, the real parent with the
    /// name added.
    pub real: PathBuf,
    /// What is there.
    pub kind: TargetKind,
    /// How many names the file has.
    pub links: u64,
    /// Device and inode, when something is there.
    pub identity: Option<(u64, u64)>,
    /// The last component of `absolute` is itself a symbolic link (dangling ones too). Links among
    /// the folders before it do not count.
    pub symlink: bool,
}

/// What a hook said to a call (an input here; hooks run elsewhere).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookOpinion {
    /// It would let the call run.
    Allow {
        /// The hook's name.
        hook: String,
    },
    /// It refuses.
    Deny {
        /// The hook's name.
        hook: String,
        /// Why.
        reason: String,
    },
    /// It wants the user asked.
    Ask {
        /// The hook's name.
        hook: String,
    },
}

/// How what runs is confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confinement {
    /// Approved work: not confined.
    None,
    /// It may only read.
    ReadOnly,
    /// It runs in a scratch view; nothing reaches the machine.
    Scratch,
}

/// All that a verdict depends on besides the call.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Mode and auto semantics.
    pub permissions: &'a Permissions,
    /// The agent is read-only, whatever the mode: by type, by birth, or because a parent plans.
    pub read_only: bool,
    /// The agent is a subagent.
    pub sub_agent: bool,
    /// The rules in force, session answers included.
    pub rules: &'a Arc<Rules>,
    /// The real path of the plan file this agent may write.
    pub plan_file: &'a Path,
    /// Real paths of the project root and additional directories.
    pub roots: &'a [PathBuf],
    /// `plan.commands`
    pub commands: PlanCommands,
    /// `plan.readOnlyCommands`
    pub read_only_commands: &'a [String],
    /// Whether a scratch view can be had.
    pub scratch: bool,
    /// What a hook said.
    pub hook: Option<&'a HookOpinion>,
}

/// The right to run one call, once. It cannot be made outside this room, copied or stored.
///
/// ```compile_fail
/// // A permit cannot be forged: its fields are private, and there is no constructor.
/// let permit = planwright_core::permit::Permit { call: planwright_core::call::Call::ExitPlanMode };
/// ```
#[derive(Debug)]
pub struct Permit {
    call: Call,
    targets: Vec<Target>,
    confinement: Confinement,
    rules: Arc<Rules>,
    reason: String,
    by: String,
}

impl Permit {
    /// The call that may run.
    pub const fn call(&self) -> &Call {
        &self.call
    }
    /// Its paths, as they were when it was judged; the run is refused if they changed.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }
    /// How it is confined.
    pub const fn confinement(&self) -> Confinement {
        self.confinement
    }
    /// The rules in force when it was judged: searches leave out what may not be read.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
    /// Why it may run.
    pub fn reason(&self) -> &str {
        &self.reason
    }
    /// Who decided.
    pub fn by(&self) -> &str {
        &self.by
    }
}

/// What a call came to.
#[derive(Debug)]
pub enum Verdict {
    /// It runs.
    Run(Permit),
    /// The user decides.
    Ask(Box<Ask>),
    /// It does not run.
    Refuse(Refusal),
}

/// A refusal, in words that tell the model what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the model reads.
    pub message: String,
    /// Who decided: `gate`, `rule RULE`, `hook NAME`, `user`, `nobody`.
    pub by: String,
}

/// A choice the user has at a permission question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Run it in a scratch copy.
    Scratch,
    /// Run it for real, once.
    Once,
    /// Run it, and add the suggested rule.
    Always,
    /// Do not run it.
    No,
}

/// A call that the user must decide on.
#[derive(Debug)]
pub struct Ask {
    permit: Permit,
    /// What may be answered, in order; the first is what the user most likely wants, `No` is last.
    pub choices: Vec<Choice>,
    /// Why it asks.
    pub reason: String,
    /// The rule that `Always` would add.
    pub suggestion: Option<String>,
}

impl Ask {
    /// The call in question.
    pub const fn call(&self) -> &Call {
        &self.permit.call
    }

    /// Turns the answer into a permit, or into a refusal with the user's reason in it.
    ///
    /// # Errors
    /// The user said no, or chose what was not on offer.
    pub fn answer(self, choice: Choice, comment: &str) -> Result<Permit, Refusal> {
        let _ = comment;
        if !self.choices.contains(&choice) || choice == Choice::No {
            return Err(Refusal { message: "The user said no.".to_owned(), by: "user".to_owned() });
        }
        Ok(self.permit)
    }

    /// The call when there is nobody to ask.
    pub fn nobody(self) -> Refusal {
        Refusal { message: "There is nobody to ask.".to_owned(), by: "nobody".to_owned() }
    }
}

/// Judges a call.
pub fn judge(call: Call, targets: Vec<Target>, situation: &Situation<'_>) -> Verdict {
    let permit = Permit {
        call,
        targets,
        confinement: Confinement::None,
        rules: Arc::clone(situation.rules),
        reason: String::new(),
        by: String::new(),
    };
    Verdict::Run(permit)
}

/// A command the user typed themselves (`!cmd`): no rule or mode stands in its way.
pub fn typed_by_user(command: String) -> Permit {
    Permit {
        call: Call::Bash(crate::call::Bash { command, timeout: None, description: None, run_in_background: false }),
        targets: Vec::new(),
        confinement: Confinement::None,
        rules: Arc::default(),
        reason: "the user typed it".to_owned(),
        by: "user".to_owned(),
    }
}
