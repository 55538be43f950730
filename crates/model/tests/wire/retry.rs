//! Which failure is tried again, and when.

use std::time::Duration;

use planwright_model::ModelError;
use planwright_model::retry::Patience;
use planwright_model::wire::Failure;

use super::none_wrong;

fn failure(error: ModelError, after: Option<u64>) -> Failure {
    Failure { error, retry_after: after.map(Duration::from_secs) }
}

#[test]
fn tries() {
    let Patience { tries: all, tries_unsaid: few, tries_unreached, .. } = Patience::default();
    let status = |status| ModelError::provider(status, "x");
    let rows = [
        ("overloaded", status(529), None, all),
        ("internal", status(500), None, all),
        ("too many, until then", status(429), Some(20), all),
        ("too many, no word until when", status(429), None, few),
        ("too many, until tomorrow", status(429), Some(40_000), 1),
        ("down until tomorrow", status(503), Some(40_000), 1),
        ("a spend cap", ModelError::Provider { status: 429, message: "x".into(), retryable: false }, Some(1), 1),
        ("bad request", status(400), Some(1), 1),
        ("wrong key", status(401), None, 1),
        ("no money", status(402), None, 1),
        ("no such model", status(404), None, 1),
        ("cut", ModelError::Cut, None, all),
        ("stalled", ModelError::Stalled { seconds: 1 }, None, all),
        ("unreachable", ModelError::Unreachable { message: "x".into() }, None, tries_unreached),
        ("full", ModelError::ContextFull { message: "x".into() }, None, 1),
        ("malformed", ModelError::Malformed { message: "x".into() }, None, 1),
    ];
    let wrong: Vec<_> = rows
        .into_iter()
        .filter_map(|(name, error, after, tries)| {
            let got = Patience::default().tries(&failure(error, after));
            (got != tries).then(|| format!("{name}: {got} tries, not {tries}"))
        })
        .collect();
    none_wrong(&wrong);
}

#[test]
fn waits_double_and_have_an_end() {
    let cut = failure(ModelError::Cut, None);
    let waits = |chance| {
        let waits = (1..).map_while(|attempt| Patience::default().wait(&cut, attempt, chance));
        waits.map(|wait| wait.as_millis()).collect::<Vec<_>>()
    };
    assert_eq!(waits(1.0), [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000]);
    assert_eq!(waits(0.0), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000]);
}

#[test]
fn what_the_provider_asks_for_is_never_made_shorter() {
    let asked = failure(ModelError::provider(429, "x"), Some(60));
    for chance in [0.0, 0.5, 1.0] {
        let wait = Patience::default().wait(&asked, 1, chance).unwrap();
        assert!(wait >= Duration::from_secs(60) && wait < Duration::from_secs(61), "{wait:?}");
    }
}
