//! `--log-requests`: every request as a file.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use planwright_core::reply::Delta;
use planwright_model::{Logged, Model};

use super::{request, request_of, say, script, steps};

const STORY: &str = r#"{"turns": [{"text": "1"}, {"text": "2"}], "agents": {"Explore": [{"text": "e"}]}}"#;

fn names(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_request_is_one_file_and_a_second_run_goes_on_counting() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("deep/log");
    let model = Logged::new(script(STORY), &log).unwrap();
    assert_eq!(say(&model, request("first")), "1");
    assert_eq!(say(&model, request_of("Explore", 0)), "e");
    let second = Logged::new(script(STORY), &log).unwrap();
    assert_eq!(say(&second, request("again")), "1");
    assert_eq!(say(&model, request("second")), "2", "two models may share a folder");
    assert_eq!(names(&log), ["0001.json", "0002-Explore-0.json", "0003.json", "0004.json"]);
    assert!(model.id().starts_with("script:"), "{}", model.id());

    let text = std::fs::read_to_string(log.join("0001.json")).unwrap();
    assert_eq!(
        text,
        r#"{
  "session_id": "session-1",
  "agent": null,
  "system": "You plan first.",
  "tools": [],
  "messages": [
    {
      "role": "user",
      "content": [
        {
          "type": "text",
          "text": "first"
        }
      ]
    }
  ],
  "plan_file": "/home/ann/plans/quiet-amber-otter.md"
}
"#
    );
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&log), mode(&log.join("0001.json"))), (0o700, 0o600), "only the user may read it");
}

#[test]
fn a_request_that_cannot_be_logged_is_put_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let model = Logged::new(script(STORY), &log).unwrap();
    std::fs::remove_dir(&log).unwrap();
    let steps = steps(&model, request("first"));
    let Some(Ok(Delta::Waiting(why))) = steps.first() else { panic!("not said: {steps:?}") };
    assert!(why.starts_with(&format!("The request could not be logged to {}: ", log.display())));
    assert!(matches!(steps.last(), Some(Ok(Delta::Done(_)))), "{steps:?}");
}

#[test]
fn a_resumed_session_goes_on_behind_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let model: Arc<dyn Model> = Arc::new(Logged::new(script(STORY), folder.path()).unwrap());
    model.resumed(1);
    assert_eq!(say(&model, request("go on")), "2");
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(Logged::new(script(STORY), &file).is_err());
}
