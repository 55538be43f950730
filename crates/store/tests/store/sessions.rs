//! Sessions found, listed, exported and removed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use planwright_core::mode::Mode;
use planwright_core::transcript::{Entry, Fact};
use planwright_store::log::Log;
use planwright_store::sessions::{all_sessions, export, find, latest, remove, sessions};
use planwright_store::{Fault, Home};
use uuid::Uuid;

use crate::stage::{decided, entry, mode, stage, started, submitted, user};

/// A session with an id of `first` and zeros, last used `age` seconds ago.
fn session(home: &Home, cwd: &Path, first: u128, age: u64, more: &[Entry]) -> PathBuf {
    let id = Uuid::from_u128(first << 96);
    let mut log = Log::create(home, cwd, id).unwrap();
    log.append(&[started(1, id, cwd)]).unwrap();
    log.append(more).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 - age);
    File::options().append(true).open(log.path()).unwrap().set_modified(time).unwrap();
    log.path().to_owned()
}

#[test]
fn a_summary_says_what_the_session_was_about_and_how_it_stands() {
    let plan = entry(3, Fact::PlanSlug { slug: "a-b-c".to_owned(), path: "/p/a-b-c.md".into() });
    let planning = mode(4, Mode::AcceptEdits, Mode::Plan);
    let cleared = entry(9, Fact::Cleared {});
    let prompt = user(2, "\n  \n add pagination\nto all lists");
    let table: Vec<(&str, Vec<Entry>, &str)> = vec![
        ("empty", vec![], "- default - -"),
        ("prompt", vec![prompt.clone(), user(3, "second")], " add pagination default - -"),
        ("plan", vec![prompt.clone(), plan.clone(), planning.clone()], " add pagination plan /p/a-b-c.md -"),
        ("pending", vec![plan.clone(), planning.clone(), submitted(5, 1)], "- plan /p/a-b-c.md 1"),
        ("rejected", vec![planning.clone(), submitted(5, 1), decided(6, 1)], "- plan - -"),
        ("again", vec![planning.clone(), submitted(5, 1), decided(6, 1), submitted(7, 2)], "- plan - 2"),
        ("left", vec![planning.clone(), submitted(5, 1), mode(6, Mode::Plan, Mode::Default)], "- default - -"),
        ("cleared", vec![plan, planning, submitted(5, 1), cleared], "- plan - -"),
    ];
    let mut wrong = Vec::new();
    for (name, entries, expected) in table {
        let stage = stage();
        session(&stage.home, &stage.project, 1, 0, &entries);
        let all = sessions(&stage.home, &stage.project);
        let got = all.iter().map(|session| {
            let or = |text: Option<String>| text.unwrap_or("-".to_owned());
            let plan = session.plan.as_ref().map(|path| path.display().to_string());
            let pending = session.pending_plan.map(|revision| revision.to_string());
            format!("{} {} {} {}", or(session.first_prompt.clone()), session.mode, or(plan), or(pending))
        });
        let got: Vec<String> = got.collect();
        if got != [expected] {
            wrong.push(format!("{name}: {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_log_whose_lines_begin_otherwise_is_summed_up_as_well() {
    let stage = stage();
    let path = session(&stage.home, &stage.project, 1, 0, &[]);
    let text = fs::read_to_string(&path).unwrap();
    let more = r#"{"uuid":"00000000-0000-0000-0000-000000000002","timestamp":"2027-01-15T08:00:00Z","type":"user","text":"hi"}"#;
    fs::write(&path, format!("{text}{more}\n")).unwrap();
    assert_eq!(sessions(&stage.home, &stage.project)[0].first_prompt.as_deref(), Some("hi"));
}

#[test]
fn a_project_sees_its_own_sessions_the_last_used_first() {
    let stage = stage();
    // Both have the same folder of logs.
    let (own, other) = (stage.folder.join("a-b"), stage.folder.join("a.b"));
    let old = session(&stage.home, &own, 1, 30, &[]);
    let new = session(&stage.home, &own, 2, 10, &[]);
    let others = session(&stage.home, &other, 3, 0, &[]);
    assert_eq!(old.parent(), others.parent());
    let paths = |sessions: Vec<planwright_store::sessions::SessionSummary>| -> Vec<PathBuf> {
        sessions.into_iter().map(|session| session.path).collect()
    };
    assert_eq!(paths(sessions(&stage.home, &own)), [new.clone(), old.clone()]);
    assert_eq!(paths(all_sessions(&stage.home)), [others.clone(), new.clone(), old]);
    assert_eq!(latest(&stage.home, &own), Some(new));
    assert_eq!(latest(&stage.home, &other), Some(others));
    assert_eq!(latest(&stage.home, &stage.folder), None);
    assert_eq!(sessions(&stage.home, &stage.folder), []);
}

#[test]
fn a_session_is_found_by_the_beginning_of_its_id() {
    let stage = stage();
    let (own, other) = (stage.folder.join("own"), stage.folder.join("other"));
    let one = session(&stage.home, &own, 0xabc1_0000, 0, &[]);
    let two = session(&stage.home, &own, 0xabd2_0000, 1, &[]);
    let far = session(&stage.home, &other, 0xabc3_0000, 2, &[]);
    let table: [(Option<&Path>, &str, Result<&Path, Fault>); 10] = [
        (Some(&own), "abc1", Ok(&one)),
        (Some(&own), "ABC1", Ok(&one)),
        (Some(&own), " abc10000-0000-0000-0000-000000000000 ", Ok(&one)),
        // Of its own project first, then of any.
        (Some(&own), "abc", Ok(&one)),
        (Some(&own), "abc3", Ok(&far)),
        (Some(&own), "ab", Err(Fault::Ambiguous)),
        (Some(&own), "abd", Ok(&two)),
        (None, "abc", Err(Fault::Ambiguous)),
        (None, "fff", Err(Fault::Missing)),
        (None, "", Err(Fault::Missing)),
    ];
    let mut wrong = Vec::new();
    for (cwd, id, expected) in table {
        let found = find(&stage.home, cwd, id);
        if found.as_deref().map_err(|error| error.fault) != expected {
            wrong.push(format!("{id}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        find(&stage.home, None, "abc").unwrap_err().to_string(),
        "cannot find the session `abc`: 2 sessions' ids begin with that. Give more of the id: \
         abc10000-0000-0000-0000-000000000000, abc30000-0000-0000-0000-000000000000."
    );
    assert_eq!(
        find(&stage.home, None, "fff").unwrap_err().to_string(),
        "cannot find the session `fff`: no session's id is that or begins with it. \
         `planwright session list` shows the sessions there are."
    );
}

#[test]
fn a_session_is_removed_with_its_subagents_unless_it_is_open() {
    let stage = stage();
    let path = session(&stage.home, &stage.project, 1, 0, &[]);
    let opened = Log::open(&path).unwrap();
    opened.log.subagent("a1").unwrap();
    assert_eq!(remove(&stage.home, "00000001").unwrap_err().fault, Fault::InUse);
    assert!(path.exists());
    drop(opened);
    assert_eq!(remove(&stage.home, "00000001").unwrap(), path);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
    assert_eq!(remove(&stage.home, "00000001").unwrap_err().fault, Fault::Missing);
}

#[test]
fn an_export_holds_the_whole_session() {
    let stage = stage();
    let path = session(&stage.home, &stage.project, 1, 0, &[user(2, "hello")]);
    let mut child = Log::open(&path).unwrap().log.subagent("a1").unwrap();
    child.append(&[user(3, "look")]).unwrap();
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"type\":\"hologram\",\"x\":1}\n");
    fs::write(&path, &text).unwrap();
    let document: serde_json::Value = serde_json::from_str(&export(&path).unwrap()).unwrap();
    assert_eq!(document["session"], "00000001-0000-0000-0000-000000000000");
    assert_eq!(document["entries"][1]["text"], "hello");
    assert_eq!(document["entries"][2]["type"], "hologram");
    assert_eq!(document["subagents"]["a1"][0]["text"], "look");
    assert_eq!(document["warnings"].as_array().map(Vec::len), Some(1));
}
