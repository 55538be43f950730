//! Errors with a status: what each means, and what is said about the next try.

use std::time::Duration;

use jiff::Timestamp;
use planwright_model::ModelError;
use planwright_model::wire::{Failure, Refused};

use super::{anthropic, none_wrong};

fn refused(status: u16, headers: &[(&str, &str)], body: &str) -> Failure {
    let headers: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let now: Timestamp = "2026-11-30T20:00:00Z".parse().unwrap();
    anthropic("claude-opus-5-5", "http://x").refused(&Refused { status, headers: &headers, body, now })
}

fn error(kind: &str, message: &str) -> String {
    format!("{{\"type\":\"error\",\"error\":{{\"type\":\"{kind}\",\"message\":\"{message}\"}}}}")
}

#[test]
fn which_errors_pass_by_themselves() {
    let never = [
        (400, "invalid_request_error", "messages: at least one message is required"),
        (400, "invalid_request_error", "You have reached your specified API usage limits."),
        (401, "authentication_error", "invalid x-api-key"),
        (402, "billing_error", "Payment required"),
        (403, "permission_error", "not allowed"),
        (404, "not_found_error", "model: x"),
        (429, "rate_limit_error", "You have reached your specified workspace API usage limits."),
    ];
    let later = [
        (408, "timeout_error", "timeout"),
        (409, "conflict_error", "conflict"),
        (429, "rate_limit_error", "too many"),
        (500, "api_error", "internal"),
        (502, "", "bad gateway"),
        (503, "", "unavailable"),
        (504, "timeout_error", "timeout"),
        (529, "overloaded_error", "Overloaded"),
    ];
    let rows = never.iter().map(|row| (row, false)).chain(later.iter().map(|row| (row, true)));
    let wrong: Vec<_> = rows
        .filter_map(|((status, kind, message), retryable)| {
            let got = refused(*status, &[], &error(kind, message)).error;
            let expected = ModelError::Provider { status: *status, message: (*message).to_owned(), retryable };
            (got != expected).then(|| format!("{got:?}"))
        })
        .collect();
    none_wrong(&wrong);
}

#[test]
fn a_full_window_is_known() {
    for (status, message) in [
        (400, "prompt is too long: 210000 tokens > 200000 maximum"),
        (400, "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000"),
        (413, "Request exceeds the maximum size"),
    ] {
        let got = refused(status, &[], &error("invalid_request_error", message)).error;
        assert_eq!(got, ModelError::ContextFull { message: message.to_owned() });
    }
}

/// Headers, the wait they ask for, and whether there is a next try.
type Row<'a> = (&'a [(&'a str, &'a str)], Option<Duration>, bool);

#[test]
fn what_the_provider_says_about_the_next_try() {
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let rows: &[Row<'_>] = &[
        (&[], None, true),
        (&[("retry-after", "7")], seconds(7), true),
        (&[("retry-after", " 0 ")], seconds(0), true),
        (&[("retry-after", "Mon, 30 Nov 2026 20:00:30 GMT")], seconds(30), true),
        (&[("retry-after", "Mon, 30 Nov 2026 19:00:00 GMT")], seconds(0), true),
        (&[("retry-after", "soon")], None, true),
        (&[("retry-after", "-5")], None, true),
        (&[("retry-after", "1e300")], None, true),
        (&[("retry-after-ms", "1500"), ("retry-after", "2")], Some(Duration::from_millis(1500)), true),
        (&[("x-should-retry", "false"), ("retry-after", "7")], seconds(7), false),
        (&[("x-should-retry", "true")], None, true),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|(headers, after, retryable)| {
            let got = refused(429, headers, &error("rate_limit_error", "slow down"));
            let fits = got.retry_after == *after && got.error.retryable() == *retryable;
            (!fits).then(|| format!("{headers:?}: {got:?}"))
        })
        .collect();
    none_wrong(&wrong);
}

#[test]
fn messages_are_found_in_bodies_of_any_shape() {
    let rows = [
        (error("x", "plain"), "plain"),
        ("{\"error\":\"a word\"}".to_owned(), "a word"),
        ("{\"message\":\"bare\"}".to_owned(), "bare"),
        ("{\"detail\":\"Not Found\"}".to_owned(), "Not Found"),
        ("[{\"error\":{\"message\":\"in a list\"}}]".to_owned(), "in a list"),
        ("<html>502 Bad Gateway</html>".to_owned(), "<html>502 Bad Gateway</html>"),
        ("{\"error\":{\"code\":7}}".to_owned(), "{\"error\":{\"code\":7}}"),
        (String::new(), ""),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|(body, expected)| {
            let got = refused(500, &[], body).error;
            (got != ModelError::provider(500, *expected)).then(|| format!("{body}: {got:?}"))
        })
        .collect();
    none_wrong(&wrong);
}

#[test]
fn the_request_is_named_for_those_who_ask_the_provider() {
    let got = refused(500, &[("request-id", "req_01")], &error("api_error", "internal")).error;
    assert_eq!(got, ModelError::provider(500, "internal (request req_01)"));
}
