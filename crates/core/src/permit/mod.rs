//! The gate: judges a call before it runs, and makes the permits without which nothing runs
//! (plan-mode.md section 6).
//!
//! A call is judged in this order, and what comes earlier wins:
//!
//! 1. a deny rule refuses; so does a hook
//! 2. the gate, if the session plans or the agent is read-only: it refuses, asks, or lets pass.
//!    No allow rule, no hook's allow and no bypass comes before it or can answer what it asks
//! 3. an ask rule asks; so does a hook
//! 4. bypass, then allow rules, then what the mode runs without asking
//! 5. a hook's allow, then the user
//!
//! `AskUserQuestion`, `EnterPlanMode` and `ExitPlanMode` have dialogues of their own: for them
//! [`Verdict::Run`] means that the dialogue comes up, and only a person answers it.
//!
//! The manual, each line of it a test, is `spec/gate.md`.

mod gate;
mod later;
mod modes;
mod suggest;
mod words;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use later::Answered;
pub use planwright_shell::{Context as CommandContext, Neutral, directories};
use serde::{Deserialize, Serialize};

use crate::call::{Bash, Call};
use crate::mode::Permissions;
use crate::rules::{Asking, Rules};
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

/// What this machine can hold a command with, as it was found out by trying: the tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Walls {
    /// Commands can run in a scratch copy, and read-only ones are held to reading.
    Scratch,
    /// Read-only commands are held to reading.
    ReadOnly,
    /// Nothing: what was judged to only read is asked about while planning.
    #[serde(rename = "unenforced")]
    None,
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
    /// The real path of the plan file this agent may write; empty if it has none.
    pub plan_file: &'a Path,
    /// Real paths of the project root and additional directories.
    pub roots: &'a [PathBuf],
    /// `plan.commands`
    pub commands: PlanCommands,
    /// What the judge of commands must know: the user's own read-only commands, and the repository
    /// around the project.
    pub shell: &'a CommandContext,
    /// What would hold a command.
    pub walls: Walls,
    /// `plan.experiments`
    pub experiments: bool,
    /// What a hook said.
    pub hook: Option<&'a HookOpinion>,
}

/// The right to run one call, once. It cannot be made outside this room, copied or stored.
///
/// It cannot be forged: its fields are private, and there is no constructor.
///
/// ```compile_fail,E0451
/// # use planwright_core::call::Call;
/// # use planwright_core::permit::{Confinement, Permit, Situation, Verdict, judge};
/// fn run(permit: Permit) {}
/// fn caller(call: Call, situation: &Situation<'_>) {
///     run(Permit {
///         call,
///         targets: Vec::new(),
///         confinement: Confinement::None,
///         neutral: None,
///         rules: situation.rules.clone(),
///         reason: String::new(),
///         by: String::new(),
///     });
/// }
/// ```
///
/// The same through the judge compiles:
///
/// ```
/// # use planwright_core::call::Call;
/// # use planwright_core::permit::{Confinement, Permit, Situation, Verdict, judge};
/// fn run(permit: Permit) {}
/// fn caller(call: Call, situation: &Situation<'_>) {
///     if let Verdict::Run(permit) = judge(call, Vec::new(), situation) {
///         run(permit);
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Permit {
    call: Box<Call>,
    targets: Vec<Target>,
    confinement: Confinement,
    neutral: Option<Neutral>,
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
    /// The line and environment to run instead of a command as written; `None` = as written.
    pub const fn neutral(&self) -> Option<&Neutral> {
        self.neutral.as_ref()
    }
    /// The rules in force when it was judged: searches leave out what may not be read.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
    /// Why it may run.
    pub fn reason(&self) -> &str {
        &self.reason
    }
    /// Who decided: `gate`, `rule RULE`, `mode`, `user`, `hook NAME`.
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
    cause: Cause,
    /// What may be answered, in order; the first is what the user most likely wants, `No` is last.
    pub choices: Vec<Choice>,
    /// Why it asks.
    pub reason: String,
    /// The rule that `Always` would add.
    pub suggestion: Option<String>,
}

/// What raised a question: decides what else could have answered it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// The gate: only a person can. With the way out for the model.
    Gate(String),
    /// This rule: only a person can.
    Rule(String),
    /// This hook: only a person can.
    Hook(String),
    /// The mode does not run it unasked: a hook can, a rule, another mode.
    Mode,
}

impl Ask {
    /// The call in question.
    pub const fn call(&self) -> &Call {
        &self.permit.call
    }

    /// Who raised the question, for the log: `gate`, `rule RULE`, `hook NAME` or `mode`.
    pub fn by(&self) -> String {
        match &self.cause {
            Cause::Gate(_) => "gate".to_owned(),
            Cause::Rule(rule) => format!("rule {rule}"),
            Cause::Hook(hook) => format!("hook {hook}"),
            Cause::Mode => "mode".to_owned(),
        }
    }

    /// What a yes without a choice means: of the choices that run the call, the one that reaches
    /// least. A program that answers for the user knows yes and no only.
    pub fn plain_yes(&self) -> Choice {
        if self.choices.contains(&Choice::Scratch) { Choice::Scratch } else { Choice::Once }
    }

    /// Turns the answer into a permit, or into a refusal with the user's reason in it. After
    /// [`Choice::Always`] the caller adds [`Ask::suggestion`] to the session's rules.
    ///
    /// # Errors
    /// The user said no, or chose what was not on offer.
    pub fn answer(self, choice: Choice, comment: &str) -> Result<Permit, Refusal> {
        let by = "user".to_owned();
        if !self.choices.contains(&choice) {
            return Err(Refusal { message: words::not_on_offer(&self.permit.call), by });
        }
        let (confinement, reason) = match choice {
            Choice::Scratch => (Confinement::Scratch, words::IN_SCRATCH),
            Choice::Once => (self.permit.confinement, "the user allowed it once"),
            Choice::Always => (self.permit.confinement, "the user allowed it from here on"),
            Choice::No => return Err(Refusal { message: words::user_said_no(&self.permit.call, comment), by }),
        };
        let neutral = self.permit.neutral.filter(|_| confinement == Confinement::ReadOnly);
        Ok(Permit { confinement, neutral, reason: reason.to_owned(), by, ..self.permit })
    }

    /// The call when there is nobody to ask: the refusal names the permission that was needed, and
    /// how it can be given.
    pub fn nobody(self) -> Refusal {
        Refusal { message: words::nobody(&self), by: "nobody".to_owned() }
    }
}

/// What a stage of the judgement came to; the call and its paths are added by [`judge`].
enum Ruling {
    Run { confinement: Confinement, reason: String, by: String },
    Ask { confinement: Confinement, cause: Cause, choices: Vec<Choice>, reason: String, suggestion: Option<String> },
    Refuse(Refusal),
}

/// Judges a call. Its input has been validated, and `targets` are its paths ([`Call::paths`]),
/// resolved.
pub fn judge(call: Call, targets: Vec<Target>, situation: &Situation<'_>) -> Verdict {
    let ruling = match denied(&call, &targets, situation) {
        Some(refusal) => Ruling::Refuse(refusal),
        None => match own_dialogue(&call, situation) {
            Some(ruling) => ruling,
            None if situation.permissions.planning() || situation.read_only => gate::judge(&call, &targets, situation),
            None => modes::judge(&call, &targets, situation),
        },
    };
    let permit = |confinement, reason, by| Permit {
        neutral: neutral_form(&call, confinement),
        call: Box::new(call),
        targets,
        confinement,
        rules: Arc::clone(situation.rules),
        reason,
        by,
    };
    match ruling {
        Ruling::Run { confinement, reason, by } => Verdict::Run(permit(confinement, reason, by)),
        Ruling::Ask { confinement, cause, choices, reason, suggestion } => Verdict::Ask(Box::new(Ask {
            permit: permit(confinement, String::new(), String::new()),
            cause,
            choices,
            reason,
            suggestion,
        })),
        Ruling::Refuse(refusal) => Verdict::Refuse(refusal),
    }
}

/// What wins over everything.
fn denied(call: &Call, targets: &[Target], situation: &Situation<'_>) -> Option<Refusal> {
    if let Some(rule) = situation.rules.denying(call, targets) {
        return Some(Refusal {
            message: words::denied_by_rule(call, rule.text()),
            by: format!("rule {}", rule.text()),
        });
    }
    match situation.hook {
        Some(HookOpinion::Deny { hook, reason }) => {
            Some(Refusal { message: words::denied_by_hook(call, hook, reason), by: format!("hook {hook}") })
        }
        Some(HookOpinion::Allow { .. } | HookOpinion::Ask { .. }) | None => None,
    }
}

/// The calls that are a dialogue with the user themselves, and the main thread's alone.
fn own_dialogue(call: &Call, situation: &Situation<'_>) -> Option<Ruling> {
    let refuse = |message: &str| Some(Ruling::Refuse(Refusal { message: message.to_owned(), by: "gate".to_owned() }));
    let message = match call {
        Call::EnterPlanMode => words::ENTER_IN_AGENT,
        Call::ExitPlanMode => words::EXIT_IN_AGENT,
        Call::AskUserQuestion(_) => words::ASK_IN_AGENT,
        Call::Read(_)
        | Call::Write(_)
        | Call::Edit(_)
        | Call::NotebookEdit(_)
        | Call::Glob(_)
        | Call::Grep(_)
        | Call::Bash(_)
        | Call::Agent(_)
        | Call::TodoWrite(_)
        | Call::WebFetch(_)
        | Call::Mcp(_) => return None,
    };
    if situation.sub_agent {
        return refuse(message);
    }
    if *call == Call::ExitPlanMode && !situation.permissions.planning() {
        return refuse(words::EXIT_OUTSIDE_PLAN);
    }
    Some(Ruling::Run {
        confinement: Confinement::None,
        reason: "it asks the user itself".to_owned(),
        by: "gate".to_owned(),
    })
}

/// The question that a rule or a hook raises, whatever the mode would do.
fn asked_for(call: &Call, targets: &[Target], situation: &Situation<'_>) -> Option<(Cause, String)> {
    if let Some(asking) = situation.rules.asking(call, targets) {
        let (rule, why) = match asking {
            Asking::AskRule(rule) => (rule, "asks for it"),
            Asking::DenyRule(rule) => (rule, "may forbid it: only running it would tell"),
        };
        return Some((Cause::Rule(rule.text().to_owned()), format!("the rule `{}` {why}", rule.text())));
    }
    match situation.hook {
        Some(HookOpinion::Ask { hook }) => {
            Some((Cause::Hook(hook.clone()), format!("the hook `{hook}` wants you to decide")))
        }
        Some(HookOpinion::Allow { .. } | HookOpinion::Deny { .. }) | None => None,
    }
}

/// What the shell judge says to a command, with the user's own read-only commands known.
fn shell_verdict(command: &str, situation: &Situation<'_>) -> planwright_shell::Verdict {
    planwright_shell::judge(command, situation.shell)
}

/// The form in which a command that was proved to only read is to run, so that the configuration of
/// a repository starts no program: the judge speaks of that form.
fn neutral_form(call: &Call, confinement: Confinement) -> Option<Neutral> {
    if let (Call::Bash(bash), Confinement::ReadOnly) = (call, confinement) {
        planwright_shell::neutralised(&bash.command)
    } else {
        None
    }
}

/// A command the user typed themselves (`!cmd`): no rule or mode stands in its way.
pub fn typed_by_user(command: String) -> Permit {
    Permit {
        call: Box::new(Call::Bash(Bash { command, timeout: None, description: None, run_in_background: false })),
        targets: Vec::new(),
        confinement: Confinement::None,
        neutral: None,
        rules: Arc::default(),
        reason: "the user typed it".to_owned(),
        by: "user".to_owned(),
    }
}
