//! `spec/notes.md`, "When a note is given": each row of its tables is played against the ledger and
//! the permissions, folded as the session folds them.

use std::path::Path;

use super::*;
use crate::mode::{AutoAccess, Cause, auto_while_planning, change};
use crate::rules::Rules;
use crate::transcript::ModeChange;

const SPEC: &str = include_str!("../../spec/notes.md");

/// What the log would hold, as far as notes depend on it.
#[derive(Clone)]
enum Happened {
    HumanTurn,
    Request,
    Given(Attachment),
    Mode(ModeChange),
    AutoOff,
    Compacted,
    Cleared,
}

/// A session, as far as notes depend on it.
#[derive(Clone)]
struct Session {
    log: Vec<Happened>,
    ledger: Ledger,
    permissions: Permissions,
    plan_exists: bool,
    turn: u32,
    reminders: Reminders,
    sub_agent: bool,
    read_only: bool,
    auto: AutoAccess,
    notes: Vec<String>,
}

impl Session {
    fn new(settings: &str) -> Self {
        let mut session = Self {
            log: Vec::new(),
            ledger: Ledger::default(),
            permissions: Permissions::default(),
            plan_exists: false,
            turn: 0,
            reminders: Reminders::default(),
            sub_agent: false,
            read_only: false,
            auto: AutoAccess { opted_in: false, gate: Ok(()), while_planning: true, bypass_allowed: false },
            notes: Vec::new(),
        };
        for setting in settings.split_whitespace() {
            match setting.split_once('=') {
                Some(("turns", n)) => session.reminders.turns = n.parse().expect("turns is a number"),
                Some(("every", n)) => session.reminders.full_every = n.parse().expect("every is a number"),
                Some(("requests", n)) => session.reminders.requests = n.parse().expect("requests is a number"),
                None if setting == "subagent" => session.sub_agent = true,
                None if setting == "read-only" => session.read_only = true,
                None if setting == "auto" => {
                    session.auto.opted_in = true;
                    session.change(Mode::Auto, Cause::Start);
                }
                _ => panic!("unknown setting `{setting}`"),
            }
        }
        session
    }

    fn happen(&mut self, happened: Happened) {
        apply(&mut self.ledger, &mut self.permissions, &happened);
        self.log.push(happened);
    }

    fn change(&mut self, to: Mode, cause: Cause) {
        if let Some(change) = change(&self.permissions, to, cause, &self.auto, &Rules::default()) {
            self.happen(Happened::Mode(change));
        }
    }

    fn request(&mut self) {
        let reminders = self.reminders;
        let circumstances = Circumstances {
            plan_file: Path::new("/plans/quiet-amber-otter.md"),
            plan_exists: self.plan_exists,
            reminders: &reminders,
            text: WorkflowText::default(),
            sub_agent: self.sub_agent,
            read_only: self.read_only,
        };
        for attachment in due(&self.ledger, &self.permissions, circumstances) {
            self.notes.push(format!("{}@{}", name(&attachment), self.turn));
            self.happen(Happened::Given(attachment));
        }
        let again = due(&self.ledger, &self.permissions, circumstances);
        assert!(again.is_empty(), "what was just given is due again: {again:?}");
        self.happen(Happened::Request);
    }

    fn play(&mut self, event: &str) {
        match event {
            "turn" => {
                self.turn += 1;
                self.happen(Happened::HumanTurn);
                self.request();
            }
            "tools" => self.request(),
            "enter" => self.change(Mode::Plan, Cause::Command),
            "leave" => {
                self.change(self.permissions.pre_plan_mode().expect("`leave` stands in plan mode"), Cause::Command)
            }
            "approve" => self.change(Mode::AcceptEdits, Cause::Approval),
            "plan" => self.plan_exists = true,
            "auto-closes" => {
                self.auto.gate = Err("closed".to_owned());
                let moved = auto_while_planning(&self.permissions, &self.auto, &Rules::default());
                assert_eq!(moved.map(|(active, _, note)| (active, note)), Some((false, true)));
                self.happen(Happened::AutoOff);
            }
            "compact" => self.happen(Happened::Compacted),
            "clear" => {
                self.plan_exists = false;
                self.happen(Happened::Cleared);
            }
            "resume" => {
                (self.ledger, self.permissions) = Default::default();
                self.log.iter().for_each(|happened| apply(&mut self.ledger, &mut self.permissions, happened));
            }
            _ => panic!("unknown event `{event}`"),
        }
    }
}

/// As the session folds its log.
fn apply(ledger: &mut Ledger, permissions: &mut Permissions, happened: &Happened) {
    match happened {
        Happened::HumanTurn => {
            ledger.human_turn();
            permissions.human_turn();
        }
        Happened::Request => {
            permissions.request();
            ledger.request();
        }
        Happened::Given(attachment) => ledger.given(attachment, permissions),
        Happened::Mode(change) => {
            permissions.apply(change);
            if change.from == Mode::Plan {
                ledger.left_plan_mode(change.cause == Cause::Approval);
            }
        }
        Happened::AutoOff => permissions.apply_auto(false, &std::collections::BTreeMap::new(), true),
        Happened::Compacted => ledger.compacted(),
        Happened::Cleared => {
            ledger.cleared();
            permissions.cleared();
        }
    }
}

fn name(attachment: &Attachment) -> &'static str {
    match attachment {
        Attachment::PlanMode { reminder_type: ReminderType::Full, .. } => "full",
        Attachment::PlanMode { reminder_type: ReminderType::Sparse, .. } => "sparse",
        Attachment::PlanModeReentry { .. } => "reentry",
        Attachment::PlanModeExit { approved: false, .. } => "exit",
        Attachment::PlanModeExit { approved: true, .. } => "exit-approved",
        Attachment::AutoModeExit {} => "auto-exit",
        Attachment::PlanFileReference { .. }
        | Attachment::CarriedOver { .. }
        | Attachment::ExperimentGone { .. }
        | Attachment::Unknown => "unexpected",
    }
}

/// Rows of the tables with three columns: script, settings, notes.
fn rows() -> Vec<[&'static str; 3]> {
    SPEC.lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|line| line.split('|').map(str::trim).collect::<Vec<_>>())
        .filter_map(|cells| <[&str; 3]>::try_from(cells).ok())
        .filter(|[script, ..]| *script != "script" && !script.starts_with("---"))
        .collect()
}

#[test]
fn notes_are_given_as_the_spec_says() {
    let rows = rows();
    assert_eq!(rows.len(), 58, "the tables of spec/notes.md are not read whole");
    let mut wrong = Vec::new();
    for [script, settings, expected] in rows {
        let mut session = Session::new(settings);
        for word in script.split_whitespace() {
            let (event, times) = word.split_once('×').unwrap_or((word, "1"));
            (0..times.parse().expect("`×` stands before a number")).for_each(|_| session.play(event));
        }
        let notes = if session.notes.is_empty() { "none".to_owned() } else { session.notes.join(" ") };
        if notes != expected {
            wrong.push(format!("{script} [{settings}]\n    spec: {expected}\n    code: {notes}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every script of up to six events. After each request the model believes what is so; a plan note
/// comes only while planning and an exit note only when not; and a resume changes nothing.
#[test]
fn what_the_model_was_told_and_the_mode_never_disagree() {
    fn walk(session: &Session, depth: u32, script: &mut Vec<&'static str>, scripts: &mut u32) {
        *scripts += 1;
        if depth == 0 {
            return;
        }
        let way = if session.permissions.planning() { &["leave", "approve"][..] } else { &["enter"][..] };
        for event in ["turn", "tools", "plan", "compact", "clear", "resume"].iter().chain(way) {
            let mut next = session.clone();
            next.play(event);
            script.push(event);
            check(session, &next, script);
            walk(&next, depth - 1, script, scripts);
            script.pop();
        }
    }
    fn check(before: &Session, after: &Session, script: &[&str]) {
        let given = after.notes[before.notes.len()..].join(" ");
        let planning = after.permissions.planning();
        let requested = matches!(script.last(), Some(&("turn" | "tools")));
        if requested {
            assert_eq!(after.ledger.told_planning(), planning, "{script:?} gave {given}");
        }
        assert!(requested || given.is_empty(), "{script:?} gave {given}");
        assert!(
            planning || !["full", "sparse", "reentry"].iter().any(|n| given.contains(n)),
            "{script:?} gave {given}"
        );
        assert!(!planning || !given.contains("exit"), "{script:?} gave {given}");
        assert_eq!(given.contains("exit"), requested && before.ledger.told_planning() && !planning, "{script:?}");
        if script.last() == Some(&"resume") {
            assert_eq!((&before.ledger, &before.permissions), (&after.ledger, &after.permissions), "{script:?}");
        }
    }
    let mut scripts = 0;
    walk(&Session::new(""), 6, &mut Vec::new(), &mut scripts);
    println!("{scripts} scripts");
    assert!(scripts > 100_000, "{scripts}");
}

/// The note says whether the plan is there, and names the mode that is on.
#[test]
fn notes_carry_the_facts_of_their_moment() {
    let mut session = Session::new("turns=1 every=1");
    ["enter", "turn", "plan", "turn", "approve", "turn"].iter().for_each(|event| session.play(event));
    let given: Vec<_> = session
        .log
        .iter()
        .filter_map(|happened| match happened {
            Happened::Given(Attachment::PlanMode { plan_exists, .. }) => Some((*plan_exists, None)),
            Happened::Given(Attachment::PlanModeExit { plan_exists, mode, .. }) => Some((*plan_exists, Some(*mode))),
            _ => None,
        })
        .collect();
    assert_eq!(given, [(false, None), (true, None), (true, Some(Mode::AcceptEdits))]);
}

#[test]
fn a_note_survives_the_log_byte_for_byte() {
    let text = WorkflowText { workflow: Workflow::Interview, explore_agents: 7, ..WorkflowText::default() };
    let path = || "/plans/a.md".into();
    let notes = [
        Attachment::PlanMode {
            reminder_type: ReminderType::Full,
            is_sub_agent: false,
            plan_file_path: path(),
            plan_exists: true,
            text,
        },
        Attachment::PlanModeReentry { plan_file_path: path() },
        Attachment::PlanModeExit {
            plan_file_path: path(),
            plan_exists: true,
            approved: true,
            mode: Mode::Auto,
            is_sub_agent: true,
        },
        Attachment::PlanFileReference {
            plan_file_path: path(),
            plan_content: "# Plan\n".to_owned(),
            status: PlanStatus::Approved,
        },
        Attachment::AutoModeExit {},
    ];
    for note in notes {
        let json = serde_json::to_string(&note).expect("a note is JSON");
        let read: Attachment = serde_json::from_str(&json).expect("and reads back");
        assert_eq!(crate::prompts::note(&read), crate::prompts::note(&note), "{json}");
    }
}

#[test]
fn a_note_of_an_older_or_newer_log_reads() {
    let rows = [
        (
            r#"{"type":"plan_mode","reminder_type":"sparse","is_sub_agent":false,"plan_file_path":"/p","plan_exists":true}"#,
            "plan_mode sparse",
        ),
        (r#"{"type":"plan_mode_exit","plan_file_path":"/p","plan_exists":true}"#, "plan_mode_exit"),
        (r#"{"type":"plan_file_reference","plan_file_path":"/p","plan_content":"x"}"#, "plan_file_reference"),
        (r#"{"type":"auto_mode_exit"}"#, "auto_mode_exit"),
        (r#"{"type":"from_the_future","x":1}"#, "unknown"),
    ];
    for (json, label) in rows {
        let note: Attachment = serde_json::from_str(json).expect(json);
        assert_eq!(note.label(), label, "{json}");
    }
}
