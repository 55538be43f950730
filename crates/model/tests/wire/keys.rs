//! A key is sent to its provider, and shows nowhere else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use planwright_model::key::{Fetch, Key, KeySource};
use planwright_model::{Model, Remote};

use super::server::{Reply, Server};
use super::trouble::{heard, patience};
use super::{anthropic, request, user};

const SECRET: &str = "sk-ant-api03-secret";

#[test]
fn a_key_has_no_way_out_but_a_header() {
    let key = Key::new(&format!(" {SECRET}\n")).unwrap();
    assert_eq!(format!("{key:?} {:?}", KeySource::Known(key.clone())), "[key] Known");
    assert_eq!(key.redact(&format!("bad key {SECRET}, {SECRET}")), "bad key [key], [key]");
    assert_eq!(Key::new("x").unwrap().redact("an example"), "an example");
    for no_key in ["", " \n", "two words", "wörter", "a\u{7}b"] {
        assert_eq!(Key::new(no_key), None, "{no_key:?}");
    }
}

#[tokio::test]
async fn a_provider_that_repeats_the_key_is_not_repeated() {
    let body = format!("{{\"error\":{{\"message\":\"invalid x-api-key: {SECRET}\"}}}}");
    let server = Server::start(vec![Reply::status(401, &body)]).await;
    let model =
        Remote::new(anthropic("claude-opus-5-5", &server.url), KeySource::Known(Key::new(SECRET).unwrap()), patience());
    let heard = heard(&model, request(vec![user("go")])).await;
    assert_eq!(heard, "error> The model's provider answered 401: invalid x-api-key: [key]\n");
    let asked = server.requests();
    assert!(asked[0].contains(&format!("x-api-key: {SECRET}")), "{}", asked[0]);
}

/// A base URL may hold a password; an error does not name the URL.
#[tokio::test]
async fn an_address_with_a_password_is_not_told() {
    let model = Remote::new(
        anthropic("claude-opus-5-5", "http://ann:hunter2@localhost:1"),
        KeySource::Nothing,
        planwright_model::retry::Patience { tries: 1, ..patience() },
    );
    let heard = heard(&model, request(vec![user("go")])).await;
    assert!(heard.starts_with("error> The model's provider could not be reached: "), "{heard}");
    assert!(!heard.contains("hunter2"), "{heard}");
}

fn counted(keys: &'static [&'static str]) -> (Fetch, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let fetch: Fetch = Arc::new(move || {
        let call = counter.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move { keys.get(call).map(|key| (*key).to_owned()).ok_or_else(|| "no more".to_owned()) })
    });
    (fetch, calls)
}

#[tokio::test]
async fn a_command_is_asked_when_needed_and_when_its_key_is_refused() {
    let refused = || Reply::status(401, "{\"error\":{\"message\":\"expired\"}}");
    let server = Server::start(vec![Reply::text("one"), refused(), Reply::text("two")]).await;
    let (fetch, calls) = counted(&["key-one\n", "key-two"]);
    let model = Remote::new(anthropic("claude-opus-5-5", &server.url), KeySource::Command(fetch), patience());
    assert_eq!(calls.load(Ordering::Relaxed), 0, "nothing is asked before it is needed");
    for expected in ["one", "two"] {
        let heard = heard(&model, request(vec![user("go")])).await;
        assert!(heard.contains(&format!("says {expected:?}")), "{heard}");
    }
    let keys: Vec<_> = server.requests().iter().map(|head| head.contains("key-two")).collect();
    assert_eq!(keys, [false, false, true]);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_command_without_a_key_is_told() {
    let (fetch, _) = counted(&[""]);
    let model = Remote::new(anthropic("claude-opus-5-5", "http://localhost:1"), KeySource::Command(fetch), patience());
    let heard = heard(&model, request(vec![user("go")])).await;
    assert_eq!(heard, "error> The command that prints the API key failed: it printed what is no key\n");
    assert_eq!(model.id(), "anthropic:claude-opus-5-5");
}
