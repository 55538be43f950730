//! How a session stands with an experiment, over every short order of what can happen to one.

use planwright_core::attach::Attachment;
use planwright_core::experiment::{Applied, AppliedFile, Content, Draft, Proposal, Proposed};
use planwright_core::mode::{AutoAccess, Cause, Mode, change};
use planwright_core::rules::Rules;
use planwright_core::state::State;
use planwright_core::transcript::{Decision, Entry, Fact, PlanDecision};

const FILE: &str = "/p/a.txt";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Plan,
    Leave,
    Edit,
    Submit,
    ApproveApply,
    Applied,
    Dropped,
    Undone,
    Told,
    Cleared,
}

const EVENTS: [Event; 10] = [
    Event::Plan,
    Event::Leave,
    Event::Edit,
    Event::Submit,
    Event::ApproveApply,
    Event::Applied,
    Event::Dropped,
    Event::Undone,
    Event::Told,
    Event::Cleared,
];

fn fact(event: Event, state: &State) -> Option<Fact> {
    let auto = AutoAccess { opted_in: false, gate: Err(String::new()), while_planning: false, bypass_allowed: false };
    let go = |to| change(state.permissions(), to, Cause::Command, &auto, &Rules::default()).map(Fact::PermissionMode);
    Some(match event {
        Event::Plan => return go(Mode::Plan),
        Event::Leave => return go(Mode::Default),
        Event::Edit => {
            Fact::Experiment { files: vec![Draft { path: FILE.into(), base: None, sha256: "a".to_owned() }] }
        }
        Event::Submit => Fact::PlanSubmitted {
            revision: state.plan().revision() + 1,
            sha256: planwright_core::plan::digest("x"),
            path: "/plan.md".into(),
            text: "x".to_owned(),
            tool_use_id: "t".to_owned(),
        },
        Event::ApproveApply => Fact::PlanDecision(PlanDecision {
            revision: state.plan().pending()?.revision,
            sha256: planwright_core::plan::digest("x"),
            decision: Decision::Approved,
            choice: "approve-apply:acceptEdits".to_owned(),
            edited: false,
            feedback: None,
            by: "user".to_owned(),
            text: None,
            handoff: planwright_core::plan::Handoff::default(),
        }),
        Event::Applied => Fact::ExperimentApplied(Applied {
            files: vec![AppliedFile { path: FILE.into(), before: None, sha256: "a".to_owned() }],
            folders: Vec::new(),
        }),
        Event::Dropped => Fact::ExperimentDropped { reason: "r".to_owned() },
        Event::Undone => Fact::ExperimentUndone {},
        Event::Told => Fact::Attachment { attachment: Attachment::ExperimentGone { files: vec![FILE.into()] } },
        Event::Cleared => Fact::Cleared {},
    })
}

/// Every order of up to five events.
fn walk(state: &State, left: usize, path: &mut Vec<Event>, wrong: &mut Vec<String>, seen: &mut usize) {
    let look = |state: &State| {
        let experiment = state.experiment();
        (
            experiment.drafts().len(),
            experiment.gone().len(),
            experiment.due(),
            experiment.to_undo(state.permissions()).is_ok(),
        )
    };
    let (drafts, gone, due, _) = look(state);
    for event in EVENTS {
        let Some(fact) = fact(event, state) else { continue };
        // What is folded is what is read back of a line.
        let entry = Entry { uuid: uuid::Uuid::nil(), timestamp: jiff::Timestamp::UNIX_EPOCH, fact };
        let line = serde_json::to_string(&entry).expect("an entry is JSON");
        let (read, warning) = Entry::read(&line).expect("what was written is read");
        assert!(read == entry && warning.is_none(), "{line}");
        let mut next = state.clone();
        next.apply(&read.fact);
        path.push(event);
        *seen += 1;
        let now = look(&next);
        let planning = next.permissions().planning();
        let mut law = |holds: bool, says: &str| {
            if !holds {
                wrong.push(format!("{path:?}: {says}: {now:?}"));
            }
        };
        law(planning || now.0 == 0, "there is an experiment outside plan mode");
        law(!(now.3 && planning), "something can be undone while planning");
        match event {
            Event::Leave | Event::Dropped => {
                law(now.0 == 0 && now.1 >= usize::from(drafts + gone > 0), "a loss is not told")
            }
            Event::Told | Event::Cleared => law(now.1 == 0, "it is told twice"),
            Event::Edit => law((now.0 > 0) == planning, "an edit counts in plan mode, and only there"),
            Event::Applied => law(!now.2 && (planning || now.3) && (planning || now.1 == 0), "applied"),
            Event::Undone => law(!now.3, "it can be undone twice"),
            Event::Plan | Event::Submit => law(now.2 == due && now.1 == gone, "nothing happens to the experiment"),
            Event::ApproveApply => law(now.0 == drafts, "an approval by itself applies nothing"),
        }
        if left > 1 {
            walk(&next, left - 1, path, wrong, seen);
        }
        path.pop();
    }
}

#[test]
fn an_experiment_lives_in_plan_mode_and_its_loss_is_told_once() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    walk(&State::default(), 5, &mut Vec::new(), &mut wrong, &mut seen);
    wrong.truncate(10);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 10_000, "{seen} steps");
}

#[test]
fn what_cannot_be_shown_whole_or_kept_is_not_offered() {
    let content = |text: String| Content { text, encoding: planwright_core::text::Encoding::Utf8 };
    let file = |after: String| Proposed {
        path: FILE.into(),
        before: Some(content("one\n".to_owned())),
        after: content(after),
    };
    let shown = |files| Proposal { files, ..Proposal::default() }.shown();
    assert_eq!(shown(Vec::new()), None);
    let small = shown(vec![file("two\n".to_owned())]).unwrap();
    assert_eq!(small.trouble, None);
    assert!(small.diff.contains("-one\n+two"), "{}", small.diff);
    let large = shown(vec![file("two\n".repeat(100_000))]).unwrap();
    assert!(large.trouble.unwrap().contains("cannot be shown whole"));
    let kept = "x".repeat(planwright_core::bounds::EXPERIMENT_BYTES) + "\n";
    let huge = Proposed { before: Some(content(kept.clone() + "one\n")), ..file(kept + "two\n") };
    let huge = shown(vec![huge]).unwrap();
    assert!(huge.trouble.is_some());
}

#[test]
fn a_content_stands_for_its_bytes_or_is_none() {
    for bytes in [&b"a\r\nb"[..], b"\xEF\xBB\xBFa", b"\xFF\xFEa\0", b"\xFE\xFF\0a", b""] {
        assert_eq!(Content::of(bytes).unwrap().bytes(), bytes);
    }
    for bytes in [&b"a\0b"[..], b"\xFFa", b"\xFF\xFEa", b"\xFF\xFE\x00\xD8"] {
        assert_eq!(Content::of(bytes), None, "{bytes:?}");
    }
}
