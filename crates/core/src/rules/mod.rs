//! The user's permission rules (interfaces.md section 6): parsing, matching, and which of them are
//! dangerous under auto semantics (plan-mode.md section 11).
//!
//! Allow rules and the others are matched by opposite habits. An allow rule must cover all of a
//! call: every path of it, under the name it was given and under its real one, and every part of a
//! command line. A deny or ask rule catches a call that it meets anywhere: either name of a path,
//! any part of a line, and the mere text of a line that is not understood. The manual, each line of
//! it a test, is `spec/rules.md`.

mod command;
mod danger;
mod line;
mod parse;
mod path;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use planwright_shell::parts;
use serde::{Deserialize, Serialize};

use self::command::CommandPattern;
use self::line::Line;
use self::path::PathPattern;
use crate::call::{Access, Call, McpCall, tool};
use crate::permit::{Target, TargetKind};

pub(crate) use self::path::clean;

/// Where a setting comes from, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The administrator's.
    Managed,
    /// Flags and `--settings`.
    CommandLine,
    /// Answers given in this session.
    Session,
    /// The project's, not shared.
    ProjectLocal,
    /// The project's, shared.
    Project,
    /// The user's own.
    User,
}

impl Layer {
    /// Where its rules stand, for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Managed => "the administrator's settings",
            Self::CommandLine => "command line",
            Self::Session => "this session",
            Self::ProjectLocal => "project settings, local",
            Self::Project => "project settings",
            Self::User => "your settings",
        }
    }
}

/// What a rule does to the calls it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behavior {
    /// They need no question.
    Allow,
    /// They always ask.
    Ask,
    /// They never run.
    Deny,
}

/// Where a rule stands: decides what its relative patterns are relative to. All paths are absolute
/// and real (links followed), or an allow rule would not fit the real path of what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// What `/x` is relative to: the settings file's root (the project root, or the config home).
    pub root: PathBuf,
    /// What `./x` and `x` are relative to: the project root.
    pub cwd: PathBuf,
    /// What `~/x` is relative to.
    pub home: PathBuf,
}

/// Why a rule cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The rule as written.
    pub rule: String,
    /// What is wrong, as a clause.
    pub message: String,
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    text: String,
    /// What stands in for `text`, which cannot be read.
    read_as: Option<String>,
    layer: Layer,
    matcher: Matcher,
    cwd: PathBuf,
    home: PathBuf,
}

/// Which calls a rule is about.
#[derive(Clone, Debug)]
enum Matcher {
    /// `*`
    Everything,
    /// `Tool`
    Tool(&'static str),
    /// `Read(PATTERN)` and the other tools that name paths.
    Path(&'static str, PathPattern),
    /// `Bash(PATTERN)`
    Command(CommandPattern),
    /// `WebFetch(domain:HOST)`
    Host(String),
    /// `mcp__…`
    Mcp(String),
    /// `Agent(TYPE)`
    Agent(String),
}

impl Rule {
    /// Parses a rule.
    ///
    /// # Errors
    /// It is not of the form `Tool` or `Tool(specifier)`, it names no tool (the message has the
    /// nearest), or its pattern is not valid. A rule that would loosen is then left out; for one
    /// that would tighten, see [`Rules::add_text`].
    pub fn parse(text: &str, origin: &Origin) -> Result<Self, RuleError> {
        parse::parse(text, origin)
    }

    /// What stands in for a rule that cannot be read, as a rule.
    pub fn read_as(&self) -> Option<&str> {
        self.read_as.as_deref()
    }

    /// The rule as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it comes from.
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// Whether, as an allow rule, it would skip the auto-mode classifier (plan-mode.md section 11).
    pub fn dangerous(&self) -> bool {
        match &self.matcher {
            Matcher::Everything | Matcher::Tool("Bash" | "Agent") => true,
            Matcher::Command(pattern) => danger::dangerous(pattern),
            Matcher::Tool(_) | Matcher::Path(..) | Matcher::Host(_) | Matcher::Mcp(_) | Matcher::Agent(_) => false,
        }
    }

    /// Whether it is about the call as a whole, whatever the call's paths and command.
    fn covers_kind(&self, call: &Call) -> bool {
        match &self.matcher {
            Matcher::Everything => true,
            Matcher::Tool(name) => covers_tool(name, call),
            Matcher::Agent(own) => matches!(call, Call::Agent(agent) if agent.subagent_type == *own),
            Matcher::Mcp(own) => matches!(call, Call::Mcp(call) if covers_mcp(own, call)),
            Matcher::Command(pattern) => matches!(call, Call::Bash(_)) && pattern.everything(),
            Matcher::Host(own) => matches!(call, Call::WebFetch(fetch) if covers_host(own, fetch.url.host())),
            Matcher::Path(..) => false,
        }
    }

    /// As an allow rule: whether it covers all of a call that is not a command.
    fn allows(&self, call: &Call, targets: &[Target]) -> bool {
        match &self.matcher {
            Matcher::Path(name, pattern) => {
                covers_tool(name, call)
                    && !targets.is_empty()
                    && targets.iter().all(|target| {
                        let folder = target.kind == TargetKind::Folder;
                        pattern.matches(&clean(&target.absolute), folder) && pattern.matches(&target.real, folder)
                    })
            }
            Matcher::Everything
            | Matcher::Tool(_)
            | Matcher::Command(_)
            | Matcher::Host(_)
            | Matcher::Mcp(_)
            | Matcher::Agent(_) => self.covers_kind(call),
        }
    }

    /// As a deny or ask rule: whether it catches the call. `line`: the call's command line.
    fn catches(&self, call: &Call, line: Option<&Line<'_>>, targets: &[Target], behavior: Behavior) -> Catch {
        let certain = |caught: bool| if caught { Catch::Certain } else { Catch::No };
        match (&self.matcher, line) {
            (Matcher::Path(name, pattern), Some(line)) => self.catches_words(name, pattern, line),
            (Matcher::Command(pattern), Some(line)) => certain(pattern.catches(line)),
            (Matcher::Path(name, pattern), None) => certain(
                (covers_tool(name, call) || bars_editing(name, call, behavior))
                    && (targets.iter().any(|target| meets(pattern, target))
                        || call.paths().iter().any(|path| self.names(pattern, path, targets))),
            ),
            (Matcher::Tool(name), _) => certain(covers_tool(name, call) || bars_editing(name, call, behavior)),
            (Matcher::Everything | Matcher::Command(_) | Matcher::Host(_) | Matcher::Mcp(_) | Matcher::Agent(_), _) => {
                certain(self.covers_kind(call))
            }
        }
    }

    /// Whether a path rule catches a command line by the words in it.
    fn catches_words(&self, name: &str, pattern: &PathPattern, line: &Line<'_>) -> Catch {
        let read = name == "Read";
        // What a rule about editing forbids is to change the file: reading it is fine.
        let certain = match (read, name == "Edit") {
            (true, _) => Catch::Certain,
            (false, true) => match line.verdict() {
                planwright_shell::Verdict::ReadOnly => return Catch::No,
                planwright_shell::Verdict::Mutating(_) => Catch::Certain,
                planwright_shell::Verdict::Unknown(_) => Catch::Perhaps,
            },
            (false, false) => return Catch::No,
        };
        if matches!(pattern, PathPattern::Any) {
            return Catch::No;
        }
        let paths = line.paths(&self.cwd, &self.home);
        if paths.named.iter().any(|(path, folder)| pattern.matches(path, *folder)) {
            return certain;
        }
        let hidden = line.command.contains("dotglob");
        let perhaps = paths.too_many || paths.expanded.iter().any(|word| pattern.may_match(word, hidden));
        if perhaps { Catch::Perhaps } else { Catch::No }
    }

    /// Whether `path` as it is written is meant, whatever was made of it when it was resolved.
    fn names(&self, pattern: &PathPattern, path: &str, targets: &[Target]) -> bool {
        let folder = !targets.iter().any(|target| target.named == path && target.kind == TargetKind::File);
        pattern.matches(&line::absolute(path, &self.cwd, &self.home), folder)
    }
}

/// Whether a deny or ask rule catches a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Catch {
    No,
    /// What the call does is not known well enough to say: it must not run unasked.
    Perhaps,
    Certain,
}

/// The command line of a call that has one.
fn line_of<'a>(call: &'a Call, targets: &'a [Target]) -> Option<Line<'a>> {
    match call {
        Call::Bash(bash) => Some(Line::new(&bash.command, targets)),
        Call::Read(_)
        | Call::Write(_)
        | Call::Edit(_)
        | Call::NotebookEdit(_)
        | Call::Glob(_)
        | Call::Grep(_)
        | Call::Agent(_)
        | Call::TodoWrite(_)
        | Call::WebFetch(_)
        | Call::AskUserQuestion(_)
        | Call::EnterPlanMode
        | Call::ExitPlanMode
        | Call::Mcp(_) => None,
    }
}

fn meets(pattern: &PathPattern, target: &Target) -> bool {
    let folder = target.kind != TargetKind::File;
    pattern.matches(&clean(&target.absolute), folder) || pattern.matches(&target.real, folder)
}

/// `Read` is about searching too, `Edit` about every tool that changes a file.
fn covers_tool(name: &str, call: &Call) -> bool {
    let own = call.tool_name();
    match name {
        "Read" => tool(&own).is_some_and(|tool| tool.access == Access::Read),
        "Edit" => tool(&own).is_some_and(|tool| tool.access == Access::Write),
        name => name == own,
    }
}

/// What must not be read must not be edited either: the result of an edit shows what was there.
fn bars_editing(name: &str, call: &Call, behavior: Behavior) -> bool {
    behavior == Behavior::Deny && name == "Read" && covers_tool("Edit", call)
}

/// The host that a rule names, or one below it.
fn covers_host(own: &str, host: &str) -> bool {
    let host = host.trim_end_matches('.');
    host.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// `mcp__SERVER`, `mcp__SERVER__TOOL`; a `*` at the end stands for any ending.
fn covers_mcp(own: &str, call: &McpCall) -> bool {
    let (server, full) = (format!("mcp__{}", call.server), format!("mcp__{}__{}", call.server, call.tool));
    match own.strip_suffix('*') {
        Some(start) => full.starts_with(start),
        None => own == server || own == full,
    }
}

/// The rules in force, of all layers.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Calls that need no question.
    pub allow: Vec<Rule>,
    /// Calls that always ask.
    pub ask: Vec<Rule>,
    /// Calls that never run.
    pub deny: Vec<Rule>,
}

/// The rule because of which a call must be asked about.
#[derive(Clone, Copy, Debug)]
pub enum Asking<'r> {
    /// One that asks.
    AskRule(&'r Rule),
    /// One that denies, if the call turns out to be what it names.
    DenyRule(&'r Rule),
}

impl Rules {
    /// Adds a rule.
    pub fn add(&mut self, behavior: Behavior, rule: Rule) {
        match behavior {
            Behavior::Allow => self.allow.push(rule),
            Behavior::Ask => self.ask.push(rule),
            Behavior::Deny => self.deny.push(rule),
        }
    }

    /// Parses a rule and adds it. A broken rule fails closed: an allow rule is left out; in place of
    /// a deny or ask rule stands the tool it most likely names, with its specifier if that can be
    /// read, else as a whole. The error says what is wrong and what was done.
    pub fn add_text(&mut self, behavior: Behavior, text: &str, origin: &Origin) -> Option<RuleError> {
        let mut error = match Rule::parse(text, origin) {
            Ok(rule) => {
                self.add(behavior, rule);
                return None;
            }
            Err(error) => error,
        };
        let stand_in = match behavior {
            Behavior::Allow => None,
            Behavior::Ask | Behavior::Deny => parse::widened(text, origin),
        };
        error.message += &match &stand_in {
            Some(rule) => {
                let every =
                    if rule.covers_all_of_its_tool() { ", so it holds for every call of that tool" } else { "" };
                format!("; until it is corrected it is read as `{}`{every}", rule.read_as().unwrap_or_default())
            }
            None => "; it is left out".to_owned(),
        };
        if let Some(rule) = stand_in {
            self.add(behavior, rule);
        }
        Some(error)
    }

    /// The dangerous allow rules, by layer, in order, exactly as written.
    pub fn dangerous_allow(&self) -> BTreeMap<Layer, Vec<String>> {
        let mut by_layer: BTreeMap<Layer, Vec<String>> = BTreeMap::new();
        for rule in self.allow.iter().filter(|rule| rule.dangerous()) {
            by_layer.entry(rule.layer).or_default().push(rule.text.clone());
        }
        by_layer
    }

    /// The deny rule that forbids the call.
    pub fn denying(&self, call: &Call, targets: &[Target]) -> Option<&Rule> {
        let line = line_of(call, targets);
        self.deny.iter().find(|rule| rule.catches(call, line.as_ref(), targets, Behavior::Deny) == Catch::Certain)
    }

    /// The rule because of which the call must be asked about: an ask rule that catches it, or a
    /// deny rule of which only running it would tell.
    pub fn asking(&self, call: &Call, targets: &[Target]) -> Option<Asking<'_>> {
        let line = line_of(call, targets);
        let caught = |rule: &Rule, behavior| rule.catches(call, line.as_ref(), targets, behavior);
        let asks = |rule: &&Rule| caught(rule, Behavior::Ask) != Catch::No;
        let may_be_denied = |rule: &&Rule| caught(rule, Behavior::Deny) == Catch::Perhaps;
        let ask = self.ask.iter().find(asks).map(Asking::AskRule);
        ask.or_else(|| self.deny.iter().find(may_be_denied).map(Asking::DenyRule))
    }

    /// The allow rule by which the call needs no question (of a compound command, the first of
    /// them). `auto`: dangerous rules do not count. `reads`: whether a part of a command line is
    /// proven to read only, so that it needs no rule.
    pub fn allowing(&self, call: &Call, targets: &[Target], auto: bool, reads: &dyn Fn(&str) -> bool) -> Option<&Rule> {
        let mut counted = self.allow.iter().filter(|rule| !(auto && rule.dangerous()));
        match call {
            Call::Bash(bash) => {
                let counted: Vec<_> = counted.collect();
                covering_line(&counted, call, &bash.command, reads)
            }
            // No rule answers in the user's place.
            Call::AskUserQuestion(_) | Call::EnterPlanMode | Call::ExitPlanMode => None,
            Call::Read(_)
            | Call::Write(_)
            | Call::Edit(_)
            | Call::NotebookEdit(_)
            | Call::Glob(_)
            | Call::Grep(_)
            | Call::Agent(_)
            | Call::TodoWrite(_)
            | Call::WebFetch(_)
            | Call::Mcp(_) => counted.find(|rule| rule.allows(call, targets)),
        }
    }

    /// Whether reading `path` (absolute) is denied: what `Grep` and `Glob` leave out of a folder
    /// they search.
    pub fn read_denied(&self, path: &Path) -> bool {
        self.deny.iter().any(|rule| match &rule.matcher {
            Matcher::Everything | Matcher::Tool("Read") => true,
            Matcher::Path("Read", pattern) => pattern.matches(path, true),
            Matcher::Tool(_)
            | Matcher::Path(..)
            | Matcher::Command(_)
            | Matcher::Host(_)
            | Matcher::Mcp(_)
            | Matcher::Agent(_) => false,
        })
    }
}

impl Rule {
    fn covers_all_of_its_tool(&self) -> bool {
        match &self.matcher {
            Matcher::Everything | Matcher::Tool(_) => true,
            Matcher::Command(pattern) => pattern.everything(),
            Matcher::Path(..) | Matcher::Host(_) | Matcher::Mcp(_) | Matcher::Agent(_) => false,
        }
    }
}

/// The first of the rules that together cover every part of a line which is not proven to read.
fn covering_line<'a>(rules: &[&'a Rule], call: &Call, command: &str, reads: &dyn Fn(&str) -> bool) -> Option<&'a Rule> {
    let exactly = |rule: &&&Rule| match &rule.matcher {
        Matcher::Command(pattern) => !pattern.wild() && pattern.matches(command.trim()),
        _ => false,
    };
    if let Some(rule) = rules.iter().find(|rule| rule.covers_kind(call)).or_else(|| rules.iter().find(exactly)) {
        return Some(rule);
    }
    let mut first = None;
    for part in parts(command).ok()? {
        let covers = |rule: &&&Rule| matches!(&rule.matcher, Matcher::Command(pattern) if pattern.allows(&part));
        match rules.iter().find(covers) {
            Some(rule) => {
                first.get_or_insert(*rule);
            }
            None if reads(&part.text) => {}
            None => return None,
        }
    }
    first
}

/// The text of a rule that covers exactly `path`, for any tool that edits it.
pub(crate) fn edit_rule(path: &Path) -> Option<String> {
    path.to_str()
        .filter(|path| !path.contains(char::is_control))
        .map(|path| format!("Edit({})", path::exact_specifier(path)))
}

/// The text of a rule that covers the pages of `host`.
pub(crate) fn host_rule(host: &str) -> String {
    format!("WebFetch(domain:{})", host.trim_end_matches('.'))
}

/// The text of a rule that covers exactly `command`.
pub(crate) fn command_rule(command: &str) -> Option<String> {
    let command = command.trim();
    (!command.contains(char::is_control)).then(|| format!("Bash({})", CommandPattern::exact_specifier(command)))
}
