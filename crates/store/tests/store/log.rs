//! A session log: torn lines, broken lines, unknown lines, two writers, many entries.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use planwright_core::mode::Mode;
use planwright_core::transcript::{Entry, Fact};
use planwright_store::Fault;
use planwright_store::log::{Log, Opened, read};
use proptest::prelude::*;
use uuid::Uuid;

use crate::stage::{Stage, again, another, decided, entry, mode, stage, started, submitted, user};

fn three(stage: &Stage) -> (Vec<Entry>, std::path::PathBuf) {
    let session = Uuid::from_u128(7);
    let entries =
        vec![started(1, session, &stage.project), mode(2, Mode::Default, Mode::Plan), user(3, "größer: 😀 \u{2028}\n")];
    let mut log = Log::create(&stage.home, &stage.project, session).unwrap();
    log.append(&entries).unwrap();
    (entries, log.path().to_owned())
}

#[test]
fn what_was_written_is_read_again_and_gone_on_with() {
    let stage = stage();
    let (mut entries, path) = three(&stage);
    for more in [submitted(4, 1), decided(5, 1)] {
        let Opened { mut log, entries: found, warnings, .. } = Log::open(&path).unwrap();
        assert_eq!((found, warnings), (entries.clone(), vec![]));
        log.append(std::slice::from_ref(&more)).unwrap();
        entries.push(more);
    }
    assert_eq!(read(&path).unwrap(), (entries, vec![]));
}

#[test]
fn every_line_begins_with_its_type_and_has_an_id_and_a_time() {
    let line = serde_json::to_string(&user(1, "hello")).unwrap();
    assert_eq!(
        line,
        r#"{"type":"user","text":"hello","uuid":"00000000-0000-0000-0000-000000000001","timestamp":"2027-01-15T08:00:00Z"}"#
    );
}

#[test]
fn a_last_line_torn_at_any_byte_is_dropped_and_the_next_append_is_whole() {
    let stage = stage();
    let (entries, path) = three(&stage);
    let whole = fs::read(&path).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let mut wrong = Vec::new();
    for length in last..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        // All but the newline is an entry in full; nothing of it is lost.
        let kept = if length >= whole.len() - 1 { 3 } else { 2 };
        let torn = length > last && kept == 2;
        let Opened { mut log, entries: found, warnings, .. } = Log::open(&path).unwrap();
        let mut expected = entries[..kept].to_vec();
        if found != expected || warnings.len() != usize::from(torn) {
            wrong.push(format!("cut at {length}: {} entries, {warnings:?}", found.len()));
        }
        expected.push(user(9, "next"));
        log.append(&expected[kept..]).unwrap();
        drop(log);
        if read(&path).unwrap() != (expected, vec![]) {
            wrong.push(format!("cut at {length}: the append after it is not whole"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_torn_last_line_stays_in_the_file_until_something_is_appended() {
    let stage = stage();
    let (_, path) = three(&stage);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"type\":\"us").unwrap();
    let before = fs::read(&path).unwrap();
    let opened = Log::open(&path).unwrap();
    assert_eq!(
        opened.warnings[0].to_string(),
        "line 4 of the session log: it is incomplete, as after a crash while it was written; dropped"
    );
    drop(opened);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_line_that_is_not_as_expected_is_kept_passed_over_and_told() {
    let change = r#""uuid":"00000000-0000-0000-0000-000000000009","timestamp":"2027-01-15T08:00:00Z""#;
    let table: &[(&[u8], &str, &str)] = &[
        // the line, the entry it reads as, the warning
        (b"{\"type\":\"us", "-", "EOF while parsing"),
        (b"not json", "-", "expected"),
        (b"[1]", "-", "not a JSON object"),
        (b"\xff\xfe", "-", "not UTF-8"),
        (b"\0\0\0\0", "-", "expected value"),
        (b"", "-", ""),
        (b"{}", "unknown", "type null that this version does not know"),
        (b"{\"type\":\"hologram\",\"x\":1}", "unknown", "type \"hologram\" that this version does not know"),
        (b"{\"type\":\"user\",\"text\":5}", "unknown", "type \"user\" that this version does not know"),
        (b"{\"type\":\"user\",\"text\":\"x\",\"new\":1,CHANGE}", "known", ""),
        (b"{\"type\":\"attachment\",\"attachment\":{\"type\":\"hint\"},CHANGE}", "known", ""),
        // F080: a mode of a newer version, of no version, and none at all
        (
            b"{\"type\":\"permission-mode\",\"from\":\"plan\",\"to\":\"bubble\",\"cause\":\"cycle\",CHANGE}",
            "default",
            "`bubble`",
        ),
        (b"{\"type\":\"permission-mode\",\"from\":\"plan\",\"to\":\"\",\"cause\":\"cycle\",CHANGE}", "default", "``"),
        (b"{\"type\":\"permission-mode\",\"from\":\"plan\",\"to\":7,\"cause\":\"cycle\",CHANGE}", "default", "`7`"),
        (b"{\"type\":\"permission-mode\",\"from\":\"plan\",\"cause\":\"whim\",CHANGE}", "default", "`null`"),
        (b"{\"type\":\"permission-mode\",\"from\":\"?\",\"to\":\"plan\",\"cause\":\"whim\",CHANGE}", "plan", ""),
    ];
    let mut wrong = Vec::new();
    for (line, reads_as, warning) in table {
        let stage = stage();
        let (mut expected, path) = three(&stage);
        let line = match std::str::from_utf8(line) {
            Ok(text) => text.replace("CHANGE", change).into_bytes(),
            Err(_) => line.to_vec(),
        };
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend([&line[..], b"\n"].concat());
        fs::write(&path, &bytes).unwrap();

        let Opened { mut log, entries, warnings, .. } = Log::open(&path).unwrap();
        let got = match entries.get(3).map(|entry| &entry.fact) {
            None => "-",
            Some(Fact::Unknown(_)) => "unknown",
            Some(Fact::PermissionMode(change)) => change.to.name(),
            Some(_) => "known",
        };
        let told = warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let told_well = if warning.is_empty() {
            told.is_empty()
        } else {
            warnings.len() == 1 && warnings[0].line == 4 && told.contains(warning)
        };
        let shown = String::from_utf8_lossy(&line).into_owned();
        if got != *reads_as || !told_well {
            wrong.push(format!("{shown}: reads as {got}, told: {told}"));
        }
        // Whatever it was, it stays, and the session goes on after it.
        expected.extend(entries.get(3).cloned());
        expected.push(user(10, "next"));
        log.append(&expected[expected.len() - 1..]).unwrap();
        if !fs::read(&path).unwrap().starts_with(&bytes) || read(&path).unwrap().0 != expected {
            wrong.push(format!("{shown}: not kept, or not gone on after"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_unknown_entry_copied_to_another_log_loses_nothing() {
    let lines = [
        r#"{"type":"hologram","x":{"y":[1]},"uuid":"00000000-0000-0000-0000-000000000009","timestamp":"2027-01-15T08:00:00Z"}"#,
        r#"{"type":"hologram","uuid":"not one","timestamp":12}"#,
    ];
    for line in lines {
        let (entry, _) = Entry::read(line).unwrap();
        assert_eq!(serde_json::to_string(&entry).unwrap(), line);
        assert_eq!(Entry::read(&serde_json::to_string(&entry).unwrap()).unwrap().0, entry);
    }
}

#[test]
fn the_id_and_the_time_are_found_wherever_they_stand() {
    let (id, time) = (Uuid::from_u128(9), "2027-01-15T08:00:00Z");
    let both = format!(r#""uuid":"{id}","timestamp":"{time}""#);
    let other = format!(r#""uuid":"{}","timestamp":"1970-01-01T00:00:00Z""#, Uuid::from_u128(1));
    let quoted = other.replace('"', "\\\"");
    let table = [
        format!(r#"{{"type":"user","text":"x",{both}}}"#),
        format!(r#"{{{both},"type":"user","text":"x"}}"#),
        format!(r#"{{"timestamp":"{time}","type":"user","uuid":"{id}","text":"x"}}"#),
        format!(r#"{{ "type": "user", "text": "x", "uuid": "{id}", "timestamp": "{time}" }}"#),
        format!(r#"{{{both},"type":"user","text":"x,{quoted}"}}"#),
        format!(r#"{{"type":"user","text":"x,{quoted}",{both}}}"#),
        format!(r#"{{{both},"type":"user","text":"x","new":{{"a":1,{other}}}}}"#),
    ];
    let mut wrong = Vec::new();
    for line in table {
        let (entry, warning) = Entry::read(&line).unwrap();
        let user = matches!(&entry.fact, Fact::User { text } if text.starts_with('x'));
        if (entry.uuid, entry.timestamp.to_string().as_str(), user, warning) != (id, time, true, None) {
            wrong.push(format!("{line}: {} {}", entry.uuid, entry.timestamp));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_log_with_a_fault_in_every_line_tells_of_some_and_counts_the_rest() {
    let stage = stage();
    let (_, path) = three(&stage);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(b"{\"type\":\"hologram\"}\n".repeat(500));
    bytes.extend(b"{\"torn");
    fs::write(&path, bytes).unwrap();
    let warnings = read(&path).unwrap().1;
    let last: Vec<String> = warnings[20..].iter().map(ToString::to_string).collect();
    assert_eq!(
        last,
        [
            "line 24 of the session log: 480 lines from here on are not as expected either",
            "line 504 of the session log: it is incomplete, as after a crash while it was written; dropped",
        ]
    );
}

#[test]
fn a_log_that_was_deleted_says_so_instead_of_writing_to_nowhere() {
    let stage = stage();
    let mut log = Log::create(&stage.home, &stage.project, Uuid::from_u128(1)).unwrap();
    fs::remove_file(log.path()).unwrap();
    let error = log.append(&[user(1, "x")]).unwrap_err();
    assert_eq!(error.fault, Fault::Missing);
    assert!(error.to_string().contains("was deleted while the session was open"), "{error}");
}

#[test]
fn a_session_can_be_made_once() {
    let stage = stage();
    let (_, path) = three(&stage);
    let before = fs::read(&path).unwrap();
    let error = Log::create(&stage.home, &stage.project, Uuid::from_u128(7)).unwrap_err();
    assert_eq!((error.fault, fs::read(&path).unwrap()), (Fault::Exists, before));
}

#[test]
fn two_handles_never_write_one_log() {
    let stage = stage();
    let (entries, path) = three(&stage);
    let first = Log::open(&path).unwrap();
    let error = Log::open(&path).unwrap_err();
    assert_eq!(error.fault, Fault::InUse);
    assert_eq!(
        error.to_string(),
        format!(
            "cannot open session 00000000-0000-0000-0000-000000000007 in {}: another Planwright has it open. \
             Close it there first; `planwright --resume 00000000-0000-0000-0000-000000000007 --fork-session` goes on in a copy.",
            path.display()
        )
    );
    // Looking needs no lock.
    assert_eq!(read(&path).unwrap().0, entries);
    drop(first);
    assert!(Log::open(&path).is_ok());
}

#[test]
fn two_processes_never_write_one_log() {
    const NAME: &str = "log::two_processes_never_write_one_log";
    if let Some(folder) = again() {
        let opened = Log::open(&fs::canonicalize(folder.join("log")).unwrap()).unwrap();
        std::io::stdout().write_all(b"\nholding\n").unwrap();
        // Until the other process closes our input, or is gone.
        std::io::stdin().read_line(&mut String::new()).unwrap();
        drop(opened);
        return;
    }
    let stage = stage();
    let (_, path) = three(&stage);
    std::os::unix::fs::symlink(&path, stage.folder.join("log")).unwrap();
    let mut other = another(NAME, &stage.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let output = BufReader::new(other.stdout.take().unwrap());
    assert!(output.lines().any(|line| line.unwrap() == "holding"), "the other process opened the log");
    assert_eq!(Log::open(&path).unwrap_err().fault, Fault::InUse);
    // A process that is killed lets go.
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(Log::open(&path).is_ok());
}

#[test]
fn a_subagents_log_lies_beside_its_sessions() {
    let stage = stage();
    let log = Log::create(&stage.home, &stage.project, Uuid::from_u128(7)).unwrap();
    let table = [("a1b2", "a1b2"), ("../../x", "------x"), ("", "-"), ("ä b", "--b")];
    for (id, name) in table {
        let mut child = log.subagent(id).unwrap();
        child.append(&[user(1, "look")]).unwrap();
        let expected = log.path().with_extension("").join("subagents").join(format!("{name}.jsonl"));
        assert_eq!(child.path(), expected, "{id}");
    }
}

#[test]
fn a_hundred_thousand_entries_come_back_as_they_were() {
    let stage = stage();
    let session = Uuid::from_u128(7);
    let mut log = Log::create(&stage.home, &stage.project, session).unwrap();
    let mut all = vec![started(0, session, &stage.project)];
    all.extend((1..100_000).map(|n| match n % 4 {
        0 => user(n, &format!("prompt {n}")),
        1 => entry(n, Fact::Reminder { text: "go on\n".repeat(20) }),
        2 => entry(n, Fact::Notice { key: "k".to_owned(), text: "t\u{0}\u{1b}[31m".to_owned() }),
        _ => entry(n, Fact::TurnEnded { plan_missing: n % 8 == 3 }),
    }));
    for batch in all.chunks(997) {
        log.append(batch).unwrap();
    }
    let path = log.path().to_owned();
    drop(log);
    let opened = Log::open(&path).unwrap();
    assert!(opened.entries == all && opened.warnings.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever bytes stand in a log, it opens, what is appended comes back last, and what stood
    /// there in whole lines still stands.
    #[test]
    fn any_bytes_can_be_opened_and_gone_on_with(bytes in proptest::collection::vec(
        prop_oneof![4 => any::<u8>(), 1 => Just(b'\n'), 1 => Just(b'{'), 1 => Just(b'}')], 0..200)
    ) {
        let stage = stage();
        let (_, path) = three(&stage);
        let mut whole = fs::read(&path).unwrap();
        whole.extend(&bytes);
        fs::write(&path, &whole).unwrap();
        let mut opened = Log::open(&path).unwrap();
        opened.entries.push(user(99, "last"));
        opened.log.append(&opened.entries[opened.entries.len() - 1..]).unwrap();
        prop_assert_eq!(read(&path).unwrap().0, opened.entries);
        let lines = whole.iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        prop_assert!(fs::read(&path).unwrap().starts_with(&whole[..lines]));
    }
}
