//! A session cut off anywhere: every beginning of its log resumes rightly.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::dialogue::{Input, Question};
use planwright_core::mode::Mode;
use planwright_core::state::State;
use planwright_core::transcript::{Decision, Fact};
use serde_json::json;

use super::files::entries;
use super::laws;
use super::play::{Player, one_at_a_time};
use super::screenplay::{MAIN, Story};
use super::world::{Ground, World};

/// Resumes every beginning of the log that a story left on this ground: after each entry, and in
/// the middle of each. Yields how many there were, and what went wrong.
pub fn resume_everywhere(text: &str, ground: &Ground) -> (usize, Vec<String>) {
    let _one = one_at_a_time();
    let log = the_log(ground);
    let bytes = fs::read(&log).unwrap();
    let (mut cuts, mut start) = (Vec::new(), 0);
    for (end, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        // A log in which not even the first entry is whole is no session.
        if start > 0 {
            cuts.push(start + (end - start) / 2);
        }
        cuts.push(end + 1);
        start = end + 1;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut wrong = Vec::new();
    for cut in &cuts {
        fs::write(&log, &bytes[..*cut]).unwrap();
        let found = runtime.block_on(Box::pin(resume(text, ground, log.clone(), *cut as u64)));
        wrong.extend(found.into_iter().map(|why| format!("cut at byte {cut} of {}: {why}", bytes.len())));
    }
    runtime.shutdown_background();
    (cuts.len(), wrong)
}

fn the_log(ground: &Ground) -> PathBuf {
    let projects = fs::read_dir(ground.folder.join("home/projects")).unwrap().flatten();
    let mut logs = projects.flat_map(|project| fs::read_dir(project.path()).unwrap().flatten()).map(|file| file.path());
    logs.find(|path| path.extension().is_some_and(|extension| extension == "jsonl")).unwrap()
}

/// The session opens as the fold of what is there, shows a plan that waits and nothing else, goes
/// on when asked to, and the model is told of the mode that is on.
async fn resume(text: &str, ground: &Ground, log: PathBuf, seed: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    let before = State::fold(entries(&log).iter().map(|entry| &entry.fact));
    let (mode, waits) = (mode_due(&log), before.plan().pending().is_some());
    let mut world = World::new(ground, &Story::parse(text).unwrap().givens).unwrap();
    world.terms.used();
    world.terms.seed = seed;
    let model = Arc::new(world.model(MAIN, &json!({"turns": vec![json!({"text": "Going on."}); 4]}), None));
    let mut player = Player::new(world, model);
    if let Err(why) = player.begin(Some(log.clone())) {
        return vec![why];
    }
    wrong.extend(player.settle().await.err());
    if player.told != Some(mode) {
        wrong.push(format!("the log comes to {mode}, and {:?} is shown", player.told));
    }
    let shown = player.questions().iter().any(|question| matches!(question, Question::Plan(_)));
    if shown != waits || player.questions().len() > 1 {
        wrong.push(format!("a plan waits: {waits}; what is asked: {:?}", player.questions()));
    }
    if shown {
        wrong.extend(player.answer("keep planning: not like this").await.err());
        wrong.extend(player.settle().await.err());
    }
    player.say(Input::Prompt("go on".to_owned()));
    wrong.extend(player.settle().await.err());
    player.close().await;
    let after = State::fold(entries(&log).iter().map(|entry| &entry.fact));
    if after.permissions().mode() != mode {
        wrong.push(format!("the mode was {mode} and is {} now", after.permissions().mode()));
    }
    if after.ledger().told_planning() != after.permissions().planning() {
        let told = after.ledger().told_planning();
        wrong.push(format!("the mode is {mode}, and the model believes that it is planning: {told}"));
    }
    wrong.extend(laws::broken(&player));
    wrong
}

/// The mode that the log comes to. An approval counts from the moment it is written, also if the
/// change of mode that it brings was not.
fn mode_due(log: &Path) -> Mode {
    let (mut mode, mut before) = (Mode::default(), Mode::default());
    for entry in entries(log) {
        match entry.fact {
            Fact::PermissionMode(change) => (mode, before) = (change.to, change.pre_plan_mode.unwrap_or_default()),
            Fact::PlanDecision(decision) if decision.decision == Decision::Approved => {
                mode = decision.choice.strip_prefix("approve:").and_then(Mode::parse).unwrap_or(before);
            }
            _ => {}
        }
    }
    mode
}
