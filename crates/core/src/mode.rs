//! Permission modes, and every legal move between them (plan-mode.md sections 3 and 11).
//!
//! [`change`] is the one function through which a mode ever changes. It is pure: it takes the
//! state, the wish and the circumstances, and yields the [`ModeChange`] to write to the log, which
//! `Permissions::apply` then folds in.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::{Layer, Rules};
use crate::say;
use crate::transcript::ModeChange;

/// What the session may do without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Reads and read-only commands run; the rest asks.
    #[default]
    Default,
    /// Also edits inside the project.
    AcceptEdits,
    /// Reads, read-only commands, edits of the plan file.
    Plan,
    /// What the auto-mode classifier approves.
    Auto,
    /// Everything but what a deny rule names.
    BypassPermissions,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 5] = [Self::Default, Self::AcceptEdits, Self::Plan, Self::Auto, Self::BypassPermissions];

    /// The name users and files know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
            Self::Auto => "auto",
            Self::BypassPermissions => "bypassPermissions",
        }
    }

    /// The mode of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// An unknown mode reads as `default`, never as something looser ([`crate::transcript::Entry::read`]
/// warns of it).
impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(value.as_str().and_then(Self::parse).unwrap_or_default())
    }
}

/// What caused a change of mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The mode the session was started in (flag or settings).
    Start,
    /// The mode key (Shift+Tab).
    Cycle,
    /// A slash command.
    Command,
    /// The model, by `EnterPlanMode`.
    Model,
    /// An approved plan.
    Approval,
    /// The other side of a protocol (SDK, editor, browser).
    Client,
    /// The session was opened again with another mode asked for.
    Resume,
    /// The plan of a teammate that planned of its own accord.
    Teammate,
    /// The agent that started this one changed its mode.
    Parent,
    /// A cause a newer version knows.
    #[default]
    #[serde(other)]
    Other,
}

impl Cause {
    /// Whether a mode that comes on by this cause is one the user has settled on, rather than one
    /// merely passed through.
    const fn settles(self) -> bool {
        !matches!(self, Self::Cycle)
    }
}

/// Whether auto mode can be had: facts from outside, never stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AutoAccess {
    /// The user has opted in.
    pub opted_in: bool,
    /// `Err` holds the reason why the auto gate is closed.
    pub gate: Result<(), String>,
    /// The setting `plan.useAutoMode`.
    pub while_planning: bool,
    /// Whether the session was started with bypass allowed.
    pub bypass_allowed: bool,
}

impl AutoAccess {
    /// Auto mode can be entered.
    pub const fn available(&self) -> bool {
        self.opted_in && self.gate.is_ok()
    }

    /// Auto semantics are used during planning (plan-mode.md section 3).
    pub const fn during_plan(&self) -> bool {
        self.available() && self.while_planning
    }

    /// Why auto mode cannot be entered.
    pub fn why_not(&self) -> Option<&str> {
        match (&self.gate, self.opted_in) {
            (Err(reason), _) => Some(reason),
            (Ok(()), false) => Some("auto mode is not opted in to"),
            (Ok(()), true) => None,
        }
    }
}

/// The part of the session state that is about permissions: a projection of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Permissions {
    mode: Mode,
    pre_plan: Option<Mode>,
    settled: Mode,
    auto_active: bool,
    stripped: BTreeMap<Layer, Vec<String>>,
    needs_exit_note: bool,
    has_exited: bool,
    auto_exit_due: bool,
    auto_used: bool,
}

impl Permissions {
    /// The mode in force.
    pub const fn mode(&self) -> Mode {
        self.mode
    }
    /// The mode to go back to; `None` outside plan mode.
    pub const fn pre_plan_mode(&self) -> Option<Mode> {
        self.pre_plan
    }
    /// Whether the session is planning.
    pub const fn planning(&self) -> bool {
        matches!(self.mode, Mode::Plan)
    }
    /// Whether auto semantics are in force.
    pub const fn auto_active(&self) -> bool {
        self.auto_active
    }
    /// Allow rules out of force while auto semantics are active, by layer.
    pub const fn stripped_dangerous_rules(&self) -> &BTreeMap<Layer, Vec<String>> {
        &self.stripped
    }
    /// Plan mode was left and the model has not been told.
    pub const fn needs_plan_exit_attachment(&self) -> bool {
        self.needs_exit_note
    }
    /// Plan mode was left at least once since the last re-entry note.
    pub const fn has_exited_plan_mode(&self) -> bool {
        self.has_exited
    }
    /// The model must be told that auto mode ended.
    pub const fn auto_exit_due(&self) -> bool {
        self.auto_exit_due
    }

    /// Folds a change in.
    pub(crate) fn apply(&mut self, change: &ModeChange) {
        let was_planning = self.planning();
        // A move that does not begin where the session stands is not one it made (a log put together
        // by hand): it may tighten, never loosen.
        let fits = change.from == self.mode || matches!(change.to, Mode::Plan | Mode::Default);
        self.mode = if fits { change.to } else { Mode::Default };
        self.pre_plan = match change.to {
            // A log written by hand or by another version may lack the field; the mode before is
            // then the one to go back to, and never plan itself.
            Mode::Plan => {
                change.pre_plan_mode.or((change.from != Mode::Plan).then_some(change.from)).or(Some(Mode::Default))
            }
            _ => None,
        };
        self.auto_active = change.auto_active;
        self.stripped.clone_from(&change.stripped);
        self.auto_note(change.auto_active, change.auto_exit_note);
        if change.to != Mode::Plan && change.cause.settles() {
            self.settled = self.mode;
        }
        self.plan_transition(was_planning);
    }

    /// `handle_plan_mode_transition`: a quick toggle never yields contradicting notes.
    fn plan_transition(&mut self, was_planning: bool) {
        match (was_planning, self.planning()) {
            (false, true) => self.needs_exit_note = false,
            (true, false) => {
                self.needs_exit_note = true;
                self.has_exited = true;
            }
            (true, true) | (false, false) => {}
        }
    }

    pub(crate) fn apply_auto(&mut self, active: bool, stripped: &BTreeMap<Layer, Vec<String>>, exit_note: bool) {
        self.auto_active = active;
        self.stripped.clone_from(stripped);
        self.auto_note(active, exit_note);
    }

    /// The model is told that auto mode ended, unless it ended before a request was made in it.
    fn auto_note(&mut self, active: bool, exit_note: bool) {
        self.auto_exit_due = !active && (self.auto_exit_due || (exit_note && self.auto_used));
        self.auto_used &= active;
    }

    /// A request was answered in the mode of now.
    pub(crate) fn request(&mut self) {
        self.auto_used |= self.auto_active;
    }

    /// A human turn was sent: the mode in force is the one to remember.
    pub(crate) fn human_turn(&mut self) {
        if self.mode != Mode::Plan {
            self.settled = self.mode;
        }
    }

    pub(crate) fn exit_note_given(&mut self) {
        self.needs_exit_note = false;
    }

    pub(crate) fn reentry_note_given(&mut self) {
        self.has_exited = false;
    }

    pub(crate) fn auto_exit_note_given(&mut self) {
        self.auto_exit_due = false;
    }

    /// `/clear`: the mode stays, what was due to the old conversation goes.
    pub(crate) fn cleared(&mut self) {
        self.needs_exit_note = false;
        self.has_exited = false;
        self.auto_exit_due = false;
    }
}

/// The one way to change the mode: what to write to the log, or `None` if nothing changes.
///
/// If auto mode is asked for and cannot be had, `default` comes on and the change says why
/// (plan-mode.md section 10.2); callers that would rather refuse ask [`AutoAccess::available`]
/// first.
pub fn change(now: &Permissions, to: Mode, cause: Cause, auto: &AutoAccess, rules: &Rules) -> Option<ModeChange> {
    // A subagent is in the mode above it, whatever became of the gate meanwhile: in `default` the
    // rules that auto mode takes out of force would be back.
    let unavailable = to == Mode::Auto && cause != Cause::Parent && !auto.available();
    let fallback = unavailable.then(|| auto.why_not().unwrap_or_default().to_owned());
    let to = if fallback.is_some() { Mode::Default } else { to };
    if to == now.mode {
        return None;
    }
    let (auto_active, pre_plan_mode) = match to {
        Mode::Plan => {
            let before = remembered(now, cause);
            (prepare_context_for_plan_mode(before, auto), Some(before))
        }
        Mode::Auto => (true, None),
        Mode::Default | Mode::AcceptEdits | Mode::BypassPermissions => (false, None),
    };
    Some(ModeChange {
        from: now.mode,
        to,
        cause,
        pre_plan_mode,
        auto_active,
        stripped: if auto_active { rules.dangerous_allow() } else { BTreeMap::new() },
        auto_exit_note: now.auto_active && !auto_active,
        fallback,
    })
}

/// Whether auto semantics are in force once plan mode is entered from `before`
/// (the table of plan-mode.md section 3).
const fn prepare_context_for_plan_mode(before: Mode, auto: &AutoAccess) -> bool {
    match before {
        Mode::Auto | Mode::Default | Mode::AcceptEdits => auto.during_plan(),
        Mode::BypassPermissions | Mode::Plan => false,
    }
}

/// The mode to go back to: the one in force when the last human turn was sent, not one merely
/// passed through while cycling.
const fn remembered(now: &Permissions, cause: Cause) -> Mode {
    match cause {
        Cause::Cycle => now.settled,
        _ => now.mode,
    }
}

/// What a reopened session does not take up again, as a change to write and the words for it: a mode
/// that edits without asking, when the log lost a line that may have ended it; and bypass, now or as
/// the mode to go back to, when it was not allowed to this process.
pub fn not_taken_up(now: &Permissions, in_doubt: bool, bypass_allowed: bool) -> Option<(ModeChange, &'static str)> {
    let bypass = |mode| mode == Mode::BypassPermissions && !bypass_allowed;
    let loose = matches!(now.mode, Mode::AcceptEdits | Mode::Auto | Mode::BypassPermissions);
    let (to, pre_plan_mode, why) = match now.pre_plan {
        Some(before) if bypass(before) => (now.mode, Some(Mode::Default), say::BYPASS_NOT_TAKEN_UP),
        _ if bypass(now.mode) => (Mode::Default, None, say::BYPASS_NOT_TAKEN_UP),
        _ if in_doubt && loose => (Mode::Default, None, say::MODE_IN_DOUBT),
        _ => return None,
    };
    let change = ModeChange {
        from: now.mode,
        to,
        cause: Cause::Resume,
        pre_plan_mode,
        auto_active: now.auto_active && to == Mode::Plan,
        stripped: if to == Mode::Plan { now.stripped.clone() } else { BTreeMap::new() },
        auto_exit_note: now.auto_active && to != Mode::Plan,
        fallback: None,
    };
    Some((change, why))
}

/// `transition_plan_auto_mode`: settings changed while planning. Yields whether auto semantics are
/// on, the rules out of force, and whether an exit note is due; `None` if nothing is to be done.
pub fn auto_while_planning(
    now: &Permissions,
    auto: &AutoAccess,
    rules: &Rules,
) -> Option<(bool, BTreeMap<Layer, Vec<String>>, bool)> {
    if !now.planning() || now.pre_plan == Some(Mode::BypassPermissions) {
        return None;
    }
    match (auto.during_plan(), now.auto_active) {
        (true, had) => {
            let stripped = rules.dangerous_allow();
            (!had || stripped != now.stripped).then_some((true, stripped, false))
        }
        (false, true) => Some((false, BTreeMap::new(), true)),
        (false, false) => None,
    }
}

/// Whether the user may set a mode by name (`/mode X`).
///
/// # Errors
/// Why not, in words for the user.
pub fn may_set(to: Mode, auto: &AutoAccess) -> Result<(), String> {
    match to {
        Mode::Auto => auto.why_not().map_or(Ok(()), |why| Err(format!("Auto mode cannot be used: {why}."))),
        Mode::BypassPermissions if !auto.bypass_allowed => {
            Err("bypassPermissions can only be used in a session started with --allow-bypass.".to_owned())
        }
        Mode::BypassPermissions | Mode::Default | Mode::AcceptEdits | Mode::Plan => Ok(()),
    }
}

/// How a thread stands, for the agents it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Posture {
    /// Its mode.
    pub mode: Mode,
    /// Whether it may only read, whatever its mode.
    pub read_only: bool,
}

impl Posture {
    /// Whether the thread may only read now, and with it every agent below it; one that is born now
    /// is read-only to its end.
    pub const fn only_reads(self) -> bool {
        self.read_only || matches!(self.mode, Mode::Plan)
    }
}

/// The modes Shift+Tab goes through, in order.
pub fn cycle(auto: &AutoAccess) -> Vec<Mode> {
    let mut modes = vec![Mode::Default, Mode::AcceptEdits, Mode::Plan];
    if auto.available() {
        modes.push(Mode::Auto);
    }
    if auto.bypass_allowed {
        modes.push(Mode::BypassPermissions);
    }
    modes
}

/// What `/mode` prints.
pub fn line(now: Mode, auto: &AutoAccess) -> String {
    let names: Vec<_> = cycle(auto).into_iter().map(Mode::name).collect();
    format!("permission mode: {now} (cycle: {})", names.join(" → "))
}

/// The mode after `mode` in the cycle; a mode that is not in it is followed by `default`.
pub fn next_in_cycle(mode: Mode, auto: &AutoAccess) -> Mode {
    let modes = cycle(auto);
    let at = modes.iter().position(|other| *other == mode);
    at.map_or(Mode::Default, |at| modes[(at + 1) % modes.len()])
}
