//! The session: what folding its entries yields. There is no other way to come by a [`State`], so
//! a live session and a resumed one cannot differ.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::attach::{Attachment, Ledger, PlanStatus};
use crate::bounds;
use crate::call::Todo;
use crate::context::{self, Tally};
use crate::dialogue::PlanChoice;
use crate::experiment::Experiment;
use crate::mode::{self, AutoAccess, Cause, Mode, Permissions};
use crate::plan::{Context, Evidence, Handoff, Submission, digest};
use crate::prompts;
use crate::protection::Protection;
use crate::reply::Usage;
use crate::request::{Block, Message, UserPart};
use crate::rules::{Behavior, Rules};
use crate::transcript::{Decision, Fact, PlanDecision, SessionStarted, Snapshot};

/// A tool call of the last answer that has no result yet.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenCall {
    /// Its id.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The input as the model wrote it.
    pub input: Value,
}

/// The session's plan, so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanState {
    /// The slug.
    pub slug: Option<String>,
    /// The plan file.
    pub path: Option<PathBuf>,
    /// The last submission.
    pub submission: Option<Submission>,
    /// The last copy kept in the log.
    pub snapshot: Option<Snapshot>,
    /// An approval is in the log, and the change to this mode that it brings is not.
    approved_to: Option<Mode>,
    /// What is to become of the conversation by the approval, before the model is asked again.
    context: Context,
}

impl PlanState {
    /// The submission that waits for an answer.
    pub fn pending(&self) -> Option<&Submission> {
        self.submission.as_ref().filter(|submission| submission.decision.is_none())
    }

    /// Revisions so far.
    pub fn revision(&self) -> u32 {
        self.submission.as_ref().map_or(0, |submission| submission.revision)
    }

    /// How a plan whose text is `digest` stands.
    pub fn status(&self, digest: &str) -> PlanStatus {
        match &self.submission {
            Some(Submission { decision: None, .. }) => PlanStatus::Submitted,
            Some(Submission { decision: Some(Decision::Approved), sha256, .. }) if sha256 == digest => {
                PlanStatus::Approved
            }
            Some(Submission { decision: Some(_), .. }) | None => PlanStatus::Draft,
        }
    }
}

/// A session.
#[derive(Clone, Debug, Default)]
pub struct State {
    session: Option<SessionStarted>,
    permissions: Permissions,
    ledger: Ledger,
    messages: Vec<Arc<Message>>,
    open_calls: Vec<OpenCall>,
    plan: PlanState,
    todos: Vec<Todo>,
    seen: Arc<HashMap<PathBuf, String>>,
    /// Files read or changed last, the latest last; at most [`bounds::FILES_CARRIED`].
    touched: Vec<PathBuf>,
    tally: Tally,
    asked: String,
    session_rules: Vec<(Behavior, String)>,
    protection: Option<Protection>,
    evidence: Vec<Evidence>,
    experiment: Experiment,
    usage: BTreeMap<String, Usage>,
    answers: BTreeMap<String, usize>,
    agents: BTreeMap<String, usize>,
    turn_open: bool,
    plan_reminded: bool,
    plan_touched: bool,
}

impl State {
    /// The session that these facts make.
    pub fn fold<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Self {
        let mut state = Self::default();
        facts.into_iter().for_each(|fact| state.apply(fact));
        state
    }

    /// Folds one more fact in.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::SessionStarted(started) => self.session = Some(started.clone()),
            Fact::User { text } => {
                self.permissions.human_turn();
                self.ledger.human_turn();
                self.push(UserPart::Text { text: text.clone() });
                self.asked = context::ends(text, bounds::WORDS_CARRIED_BYTES);
                self.turn_open = true;
                self.plan_touched = false;
            }
            Fact::Assistant { blocks, usage, model, stop: _ } => self.answered(blocks, *usage, model),
            Fact::ToolResult { tool_use_id, content, is_error, seen, tool } => {
                if tool == "EnterPlanMode" && !is_error {
                    // The result itself says that plan mode is on: leaving it must be told.
                    self.ledger.told_by_result();
                }
                self.open_calls.retain(|call| call.id != *tool_use_id);
                self.experiment.settled();
                let seen_plan = |path: &PathBuf| Some(path) == self.plan.path.as_ref();
                let writes = matches!(tool.as_str(), "Write" | "Edit");
                self.plan_touched |= !is_error && writes && seen.iter().any(|seen| seen_plan(&seen.path));
                seen.iter().for_each(|seen| self.touched(&seen.path));
                if !seen.is_empty() {
                    let known = Arc::make_mut(&mut self.seen);
                    known.extend(seen.iter().map(|seen| (seen.path.clone(), seen.sha256.clone())));
                }
                self.push(UserPart::ToolResult {
                    tool_use_id: tool_use_id.clone(),
                    content: content.clone(),
                    is_error: *is_error,
                });
            }
            Fact::PermissionMode(change) => {
                let was_planning = self.permissions.planning();
                self.permissions.apply(change);
                self.plan.approved_to = None;
                if was_planning && !self.permissions.planning() {
                    self.ledger.left_plan_mode(change.cause == Cause::Approval);
                    self.plan_reminded = false;
                    self.experiment.copy_gone();
                }
            }
            Fact::AutoSemantics { active, stripped, exit_note } => {
                self.permissions.apply_auto(*active, stripped, *exit_note);
            }
            Fact::Attachment { attachment } => self.note(attachment),
            Fact::Interrupted { .. } => self.turn_open = false,
            Fact::PermissionDecision { .. } | Fact::Notice { .. } | Fact::Unknown(_) => {}
            Fact::Protection(protection) => self.protection = Some(protection.clone()),
            Fact::Evidence(evidence) => self.evidence.push(evidence.clone()),
            Fact::RuleAdded { behavior, rule } => self.session_rules.push((*behavior, rule.clone())),
            Fact::PlanSlug { slug, path } => {
                if self.plan.path.is_some() {
                    // A fork: the model must be told of the new file at once.
                    self.ledger.compacted();
                }
                // The copy in a fork is known as well as what it was copied from.
                if let Some(known) = self.plan.path.as_ref().and_then(|old| self.seen.get(old)).cloned() {
                    Arc::make_mut(&mut self.seen).insert(path.clone(), known);
                }
                let approved_to = self.plan.approved_to;
                let (slug, path) = (Some(slug.clone()), Some(path.clone()));
                self.plan = PlanState { slug, path, approved_to, ..PlanState::default() };
            }
            Fact::PlanSubmitted { revision, sha256, path, text, tool_use_id } => {
                self.plan_reminded = false;
                self.plan.submission = Some(Submission {
                    revision: *revision,
                    sha256: sha256.clone(),
                    path: path.clone(),
                    text: text.clone(),
                    tool_use_id: tool_use_id.clone(),
                    decision: None,
                    asides: Vec::new(),
                    notes: None,
                });
            }
            Fact::Aside(aside) => {
                self.used(&aside.model, aside.usage);
                *self.answers.entry(aside.model.clone()).or_default() += 1;
                if let Some(submission) = &mut self.plan.submission {
                    submission.asides.push(aside.clone());
                }
            }
            Fact::HandedOver { text } => self.handed_over(text),
            Fact::PlanDecision(decided) => self.decided(decided),
            Fact::FileSnapshot { files } => {
                if let Some(plan) = files.iter().rfind(|file| file.key == "plan") {
                    self.plan.snapshot = Some(plan.clone());
                }
            }
            Fact::Todos { todos } => self.todos.clone_from(todos),
            Fact::AgentStarted { agent_type, .. } => *self.agents.entry(agent_type.clone()).or_default() += 1,
            Fact::TurnEnded { plan_missing } => {
                self.turn_open = false;
                self.plan_reminded |= plan_missing;
            }
            Fact::AgentEnded { usage, .. } => usage.iter().for_each(|(model, usage)| self.used(model, *usage)),
            // What is known of files stays: a digest says that a file is as the model saw it, which
            // is what read-before-edit asks for, and an edit must still quote the text it replaces.
            Fact::Compacted { summary, model, usage, trigger: _, tokens_before: _ } => {
                self.used(model, *usage);
                *self.answers.entry(model.clone()).or_default() += 1;
                self.messages.clear();
                self.open_calls.clear();
                self.ledger.compacted();
                self.plan.context = Context::Keep;
                self.tally.replaced();
                self.push(UserPart::Text { text: prompts::summary(summary) });
            }
            Fact::Experiment { files } if self.permissions.planning() => self.experiment.edited(files),
            // Its copy went away while the edit ran.
            Fact::Experiment { .. } => {}
            Fact::ExperimentDropped { .. } => self.experiment.dropped(),
            Fact::ExperimentApplied(applied) => self.experiment.applies(applied),
            Fact::ExperimentUndone {} => self.experiment.undone(),
            Fact::Cleared {} => self.cleared(),
            Fact::Reminder { text } => self.push(UserPart::Text { text: text.clone() }),
        }
    }

    fn answered(&mut self, blocks: &[Block], usage: Usage, model: &str) {
        self.permissions.request();
        self.ledger.request();
        self.plan.context = Context::Keep;
        self.used(model, usage);
        self.tally.answered(blocks, usage);
        *self.answers.entry(model.to_owned()).or_default() += 1;
        self.open_calls = blocks
            .iter()
            .filter_map(|block| match block {
                Block::ToolUse { id, name, input } => {
                    Some(OpenCall { id: id.clone(), name: name.clone(), input: input.clone() })
                }
                Block::Text { .. } | Block::Opaque { .. } => None,
            })
            .collect();
        if !blocks.is_empty() {
            self.messages.push(Arc::new(Message::Assistant(blocks.to_vec())));
        }
    }

    fn used(&mut self, model: &str, usage: Usage) {
        *self.usage.entry(model.to_owned()).or_default() += usage;
    }

    fn touched(&mut self, path: &Path) {
        self.touched.retain(|touched| touched != path);
        self.touched.push(path.to_owned());
        let over = self.touched.len().saturating_sub(bounds::FILES_CARRIED);
        self.touched.drain(..over);
    }

    /// Where a note stands in the conversation: with the tool result it follows, so that no text
    /// comes after tool results (it can make a model end its turn); else beside the user's words.
    fn note(&mut self, attachment: &Attachment) {
        self.ledger.given(attachment, &mut self.permissions);
        if let Attachment::ExperimentGone { .. } = attachment {
            self.experiment.told();
        }
        let text = prompts::note(attachment);
        self.tally.noted(text.len());
        if let Some(Message::User(parts)) = self.messages.last_mut().map(Arc::make_mut)
            && let Some(UserPart::ToolResult { content, .. }) = parts.last_mut()
        {
            *content += "\n\n";
            *content += &text;
        } else {
            self.part(UserPart::Text { text });
        }
    }

    fn push(&mut self, part: UserPart) {
        match &part {
            UserPart::ToolResult { content: text, .. } | UserPart::Text { text } => self.tally.said(text.len()),
        }
        self.part(part);
    }

    fn part(&mut self, part: UserPart) {
        match self.messages.last_mut().map(Arc::make_mut) {
            Some(Message::User(parts)) => parts.push(part),
            Some(Message::Assistant(_)) | None => self.messages.push(Arc::new(Message::User(vec![part]))),
        }
    }

    fn decided(&mut self, decided: &PlanDecision) {
        if let Some(submission) = &mut self.plan.submission
            && submission.revision == decided.revision
            && submission.decision.is_none()
            // An approval is of one text: the one submitted, or the edited one it brings along.
            && decided.text.as_ref().map_or_else(|| submission.sha256.clone(), |text| digest(text)) == decided.sha256
        {
            submission.decision = Some(decided.decision);
            if decided.decision == Decision::Approved && self.permissions.planning() {
                let choice = PlanChoice::approving(&decided.choice);
                if let Some(PlanChoice::ApproveApply(_)) = choice {
                    self.experiment.approved();
                }
                self.plan.approved_to = choice.and_then(PlanChoice::mode).or(self.permissions.pre_plan_mode());
                self.plan.context = decided.handoff.context;
                submission.notes.clone_from(&decided.feedback);
            }
            if let Some(text) = &decided.text {
                submission.text.clone_from(text);
                submission.sha256.clone_from(&decided.sha256);
            }
        }
    }

    /// Words that were said since the approval stand in the new conversation too.
    fn handed_over(&mut self, text: &str) {
        let last = self.messages.pop();
        self.messages.clear();
        self.open_calls.clear();
        self.ledger.compacted();
        self.tally.replaced();
        self.plan.context = Context::Keep;
        // Nothing is known of the files any more but the plan, which is told.
        let plan = self.plan.path.clone();
        Arc::make_mut(&mut self.seen).retain(|path, _| Some(path) == plan.as_ref());
        self.touched.clear();
        self.push(UserPart::Text { text: text.to_owned() });
        if let Some(Message::User(parts)) = last.as_deref() {
            let words = parts.iter().filter(|part| matches!(part, UserPart::Text { .. }));
            words.cloned().for_each(|part| self.push(part));
        }
    }

    fn cleared(&mut self) {
        self.messages.clear();
        self.open_calls.clear();
        self.ledger.cleared();
        self.permissions.cleared();
        self.plan = PlanState::default();
        self.todos.clear();
        self.seen = Arc::default();
        self.touched.clear();
        self.tally.replaced();
        self.asked.clear();
        self.experiment.cleared();
        self.turn_open = false;
        self.plan_reminded = false;
    }

    /// What a crash kept from being written: the change of mode that an approval in the log brings.
    /// Due when a session is opened again, before anything else.
    pub fn half_done(&self, auto: &AutoAccess, rules: &Rules) -> Option<Fact> {
        let to = self.plan.approved_to.filter(|_| self.permissions.planning())?;
        mode::change(&self.permissions, to, Cause::Approval, auto, rules).map(Fact::PermissionMode)
    }

    /// What closes all that the last answer left open, so that the conversation can go on without it:
    /// a plan that waits is withdrawn, and every call that has no result gets this one.
    pub fn closing(&self, result: &str) -> Vec<Fact> {
        let withdrawn = self.plan.pending().map(|pending| {
            Fact::PlanDecision(PlanDecision {
                revision: pending.revision,
                sha256: pending.sha256.clone(),
                decision: Decision::Withdrawn,
                choice: "superseded".to_owned(),
                edited: false,
                feedback: None,
                by: "user".to_owned(),
                text: None,
                handoff: Handoff::default(),
            })
        });
        let results = self.open_calls.iter().map(|open| Fact::ToolResult {
            tool_use_id: open.id.clone(),
            tool: open.name.clone(),
            content: result.to_owned(),
            is_error: true,
            seen: Vec::new(),
        });
        withdrawn.into_iter().chain(results).collect()
    }

    /// What is to become of the conversation before the model is asked again, by the approval whose
    /// result it holds; with that result.
    pub fn hand_over(&self) -> Option<(Context, &str)> {
        let approved = self.plan.submission.as_ref()?;
        let Some(Message::User(parts)) = self.messages.last().map(|message| &**message) else { return None };
        let result = parts.iter().find_map(|part| match part {
            UserPart::ToolResult { tool_use_id, content, is_error: false } if *tool_use_id == approved.tool_use_id => {
                Some(content.as_str())
            }
            UserPart::ToolResult { .. } | UserPart::Text { .. } => None,
        })?;
        (self.plan.context != Context::Keep).then_some((self.plan.context, result))
    }

    /// What must travel along, besides the plan, when the conversation is replaced by its summary.
    pub fn carried_over(&self) -> Option<Attachment> {
        let words = Some(self.asked.clone()).filter(|_| self.turn_open);
        let plan = self.plan.path.as_ref();
        let files: Vec<_> = self.touched.iter().rev().filter(|path| Some(*path) != plan).cloned().collect();
        let anything = words.is_some() || !self.todos.is_empty() || !files.is_empty();
        anything.then(|| Attachment::CarriedOver { words, todos: self.todos.clone(), files })
    }

    /// What gives a fork its own plan file. A plan that waits for approval waits in the fork too.
    pub fn forked(&self, slug: String, path: PathBuf) -> Vec<Fact> {
        let pending = self.plan.pending().map(|pending| Fact::PlanSubmitted {
            revision: pending.revision + 1,
            sha256: pending.sha256.clone(),
            path: path.clone(),
            text: pending.text.clone(),
            tool_use_id: pending.tool_use_id.clone(),
        });
        std::iter::once(Fact::PlanSlug { slug, path: path.clone() }).chain(pending).collect()
    }

    /// The first entry.
    pub const fn session(&self) -> Option<&SessionStarted> {
        self.session.as_ref()
    }
    /// Mode, and all that goes with it.
    pub const fn permissions(&self) -> &Permissions {
        &self.permissions
    }
    /// What the model was told about modes.
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }
    /// The conversation since it was last compacted or cleared.
    pub fn messages(&self) -> &[Arc<Message>] {
        &self.messages
    }
    /// Calls of the last answer that have no result yet, in order.
    pub fn open_calls(&self) -> &[OpenCall] {
        &self.open_calls
    }
    /// The plan.
    pub const fn plan(&self) -> &PlanState {
        &self.plan
    }
    /// The todo list.
    pub fn todos(&self) -> &[Todo] {
        &self.todos
    }
    /// Digests of the files whose content the model knows, by real path.
    pub const fn seen(&self) -> &Arc<HashMap<PathBuf, String>> {
        &self.seen
    }
    /// Whether the model knows this content of this file.
    pub fn has_seen(&self, path: &Path, sha256: &str) -> bool {
        self.seen.get(path).is_some_and(|seen| seen == sha256)
    }
    /// Rules the user added by answers.
    pub fn session_rules(&self) -> &[(Behavior, String)] {
        &self.session_rules
    }
    /// What protects the user, as it was last found out.
    pub const fn protection(&self) -> Option<&Protection> {
        self.protection.as_ref()
    }
    /// What commands showed in scratch copies.
    pub fn evidence(&self) -> &[Evidence] {
        &self.evidence
    }
    /// What the model tried in the scratch copy, and what of it was applied.
    pub const fn experiment(&self) -> &Experiment {
        &self.experiment
    }
    /// Tokens so far, by model, those of subagents and summaries included.
    pub const fn usage(&self) -> &BTreeMap<String, Usage> {
        &self.usage
    }
    /// What the conversation comes to.
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }
    /// How many answers this model has given in the session.
    pub fn answers_of(&self, model: &str) -> usize {
        self.answers.get(model).copied().unwrap_or(0)
    }
    /// How many subagents of each type were started.
    pub const fn agents(&self) -> &BTreeMap<String, usize> {
        &self.agents
    }
    /// A turn was begun and not ended: the session was cut off in it.
    pub const fn turn_open(&self) -> bool {
        self.turn_open
    }
    /// The model was reminded in this stay in plan mode that it submitted no plan.
    pub const fn plan_reminded(&self) -> bool {
        self.plan_reminded
    }
    /// The plan file was written in this turn.
    pub const fn plan_touched(&self) -> bool {
        self.plan_touched
    }
}
