//! What was heard can be played again.

use planwright_model::script::Recorder;

use super::{ask, placeholders, request, request_of, script, texts};

#[test]
fn a_recorded_script_plays_the_same() {
    let story = r#"{"turns": [{"text": "Looking at {cwd}/a.", "tools": [{"name": "Read", "input": {"file_path": "{cwd}/a", "more": [1, "{plan_file}"]}}]}, {"text": "Done in {session_id}, {home}.", "stop": "max_tokens"}],
        "agents": {"Explore": [[{"text": "e0"}, {"text": "e0 again"}], [{"text": "e1"}]]}}"#;
    let asked =
        [request("a"), request_of("Explore", 1), request_of("Explore", 0), request("b"), request_of("Explore", 0)];
    let first = script(story);
    let mut recorder = Recorder::new(placeholders());
    let mut heard = Vec::new();
    for request in asked.clone() {
        let reply = ask(&first, request.clone()).unwrap();
        recorder.heard(&request, &reply);
        heard.push(texts(&reply));
    }
    let recorded = recorder.script();
    let wanted: serde_json::Value = serde_json::from_str(story).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&recorded).unwrap(), wanted);
    assert!(!recorded.contains("/home/ann"), "{recorded}");
    let again = script(story);
    let replayed = asked.map(|request| texts(&ask(&again, request).unwrap()));
    assert_eq!(replayed.to_vec(), heard);
}
