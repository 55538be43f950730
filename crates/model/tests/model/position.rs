//! A resumed session goes on where the same script stopped.

use planwright_model::Model;

use super::{agent, check, load, request, request_of, say, script_file};

const STORY: &str = r#"{
  "turns": [{"text": "1"}, {"error": {"status": 529}}, {"text": "2"}, {"tools": [{"name": "X"}]}, {"error": {"status": 500}}],
  "agents": {"Explore": [[{"text": "e1"}, {"tools": [{"name": "Y"}]}], [{"text": "f1"}]], "My agent": [{"tools": [{"name": "Z"}]}]}
}"#;

#[test]
fn the_log_says_where_to_go_on() {
    let (_folder, path) = script_file(STORY);
    let busy = "The model's provider answered 529: the script says so";
    let rows = [
        (0, "1"),
        // The failed turn gave no answer, so it is played again.
        (1, busy),
        (2, "[toolu_# X {}]"),
        // Played to its end: from the start again.
        (3, "1"),
        (5, "[toolu_#_lap2 X {}]"),
        (6, "1"),
    ];
    check(rows.map(|(answers, wanted)| {
        let model = load(&path);
        model.set_position(answers, []);
        let digest = model.id().rsplit_once('@').unwrap().1.to_owned();
        let got = say(&model, request("go on")).replace(&format!("{digest}_4_1"), "#");
        (format!("{answers} answers in the log"), wanted.to_owned(), got)
    }));
}

#[test]
fn agents_go_on_too() {
    let (_folder, path) = script_file(STORY);
    let model = load(&path);
    let digest = model.id().rsplit_once('@').unwrap().1.to_owned();
    model.set_position(1, [(agent("Explore", 0), 1)]);
    assert_eq!(say(&model, request_of("Explore", 0)), format!("[toolu_{digest}_2_1_Explore0 Y {{}}]"));
    assert_eq!(say(&model, request_of("Explore", 1)), "f1");
    assert_eq!(say(&model, request_of("My agent", 0)), format!("[toolu_{digest}_1_1_My-agent0 Z {{}}]"));
}

#[test]
fn a_script_that_starts_over_starts_its_agents_over() {
    let (_folder, path) = script_file(STORY);
    let model = load(&path);
    model.set_position(3, [(agent("Explore", 0), 2), (agent("Explore", 1), 1)]);
    assert_eq!(say(&model, request_of("Explore", 2)), "e1");
    assert_eq!(say(&model, request_of("Explore", 3)), "f1");
}

#[test]
fn no_two_calls_of_a_session_share_an_id() {
    let (_folder, path) = script_file(STORY);
    let mut ids = Vec::new();
    for answers in [2, 5, 8] {
        let model = load(&path);
        model.set_position(answers, []);
        ids.push(say(&model, request("a")));
    }
    let model = load(&path);
    ids.extend([0, 1, 2].map(|instance| say(&model, request_of("My agent", instance))));
    let (_folder, path) = script_file(&STORY.replace("500", "503"));
    let other = load(&path);
    other.set_position(2, []);
    ids.push(say(&other, request("a")));
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "{ids:?}");
}

#[test]
fn a_script_without_answers_stays_at_its_start() {
    let (_folder, path) = script_file(r#"{"turns": []}"#);
    let model = load(&path);
    model.set_position(7, []);
    assert!(say(&model, request("a")).contains("request 1 of the main thread: the script ran out"));
}
