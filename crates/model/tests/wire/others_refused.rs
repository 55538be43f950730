//! Errors of OpenAI, Gemini and servers like them, as they came with a status: what each means.

use std::time::Duration;

use jiff::Timestamp;
use planwright_model::ModelError;
use planwright_model::wire::{Failure, Refused};

use super::{none_wrong, wire};

fn refused(provider: &str, status: u16, body: &str) -> Failure {
    let now: Timestamp = "2026-11-30T20:00:00Z".parse().unwrap();
    wire(provider, "any", "http://x").refused(&Refused { status, headers: &[], body, now })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Means {
    Full,
    Later,
    Never,
}

use Means::{Full, Later, Never};

const ROWS: &[(&str, u16, &str, Means)] = &[
    // OpenAI
    (
        "openai-chat",
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        Full,
    ),
    (
        "openai",
        400,
        r#"{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#,
        Full,
    ),
    (
        "openai",
        400,
        r#"{"error":{"message":"Unknown parameter: 'x'.","type":"invalid_request_error","param":"x","code":"unknown_parameter"}}"#,
        Never,
    ),
    (
        "openai",
        401,
        r#"{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
        Never,
    ),
    (
        "openai",
        403,
        r#"{"error":{"message":"Country not supported","type":"request_forbidden","code":"unsupported_country_region_territory"}}"#,
        Never,
    ),
    (
        "openai",
        404,
        r#"{"error":{"message":"The model `x` does not exist.","type":"invalid_request_error","code":"model_not_found"}}"#,
        Never,
    ),
    (
        "openai",
        429,
        r#"{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
        Never,
    ),
    (
        "openai",
        429,
        r#"{"error":{"message":"Rate limit reached for gpt-5.2 on tokens per min (TPM).","type":"tokens","code":"rate_limit_exceeded"}}"#,
        Later,
    ),
    ("openai", 500, r#"{"error":{"message":"The server had an error.","type":"server_error","code":null}}"#, Later),
    ("openai", 503, "upstream connect error", Later),
    // Gemini
    (
        "gemini",
        400,
        r#"{"error":{"code":400,"message":"The input token count (1204000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}"#,
        Full,
    ),
    (
        "gemini",
        400,
        r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
        Never,
    ),
    ("gemini", 403, r#"{"error":{"code":403,"message":"Permission denied","status":"PERMISSION_DENIED"}}"#, Never),
    ("gemini", 404, r#"{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}"#, Never),
    (
        "gemini",
        429,
        r#"{"error":{"code":429,"message":"Quota exceeded for requests per minute","status":"RESOURCE_EXHAUSTED"}}"#,
        Later,
    ),
    ("gemini", 503, r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#, Later),
    // The servers
    (
        "llamacpp",
        400,
        r#"{"error":{"code":400,"message":"request (9013 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_ctx":8192}}"#,
        Full,
    ),
    ("llamacpp", 503, r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#, Later),
    (
        "llamacpp",
        500,
        r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
        Later,
    ),
    // As llama-cpp-python 0.3.36 answered here.
    (
        "compatible",
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9031 tokens (9031 in the messages, None in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        Full,
    ),
    (
        "vllm",
        400,
        r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400}"#,
        Full,
    ),
    (
        "vllm",
        404,
        r#"{"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","param":null,"code":404}"#,
        Never,
    ),
    (
        "ollama",
        404,
        r#"{"error":{"message":"model \"x\" not found, try pulling it first","type":"api_error","param":null,"code":null}}"#,
        Never,
    ),
    (
        "ollama",
        400,
        r#"{"error":{"message":"x does not support tools","type":"api_error","param":null,"code":null}}"#,
        Never,
    ),
    (
        "deepseek",
        402,
        r#"{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
        Never,
    ),
    (
        "deepseek",
        400,
        r#"{"error":{"message":"This model's maximum context length is 131072 tokens.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
        Full,
    ),
    ("openrouter", 402, r#"{"error":{"code":402,"message":"Insufficient credits"}}"#, Never),
    (
        "openrouter",
        400,
        r#"{"error":{"code":400,"message":"Provider returned error","metadata":{"raw":"{\"type\":\"error\",\"error\":{\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}}"}}}"#,
        Full,
    ),
    (
        "openrouter",
        429,
        r#"{"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"slow down"}}}"#,
        Later,
    ),
    ("openrouter", 502, "<html>bad gateway</html>", Later),
];

#[test]
fn errors_mean() {
    let mut wrong = Vec::new();
    for (provider, status, body, expected) in ROWS {
        let error = refused(provider, *status, body).error;
        let means = match &error {
            ModelError::ContextFull { .. } => Full,
            error if error.retryable() => Later,
            _ => Never,
        };
        if means != *expected {
            wrong.push(format!("{provider} {status} {body}\n  wanted: {expected:?}\n  got:    {means:?}, {error}"));
        }
    }
    none_wrong(&wrong);
}

#[test]
fn an_error_is_told_in_the_providers_words() {
    let rows = [
        ("gemini", r#"[{"error":{"message":"API key not valid."}}]"#, "API key not valid."),
        ("ollama", r#"{"error":"no such model"}"#, "no such model"),
        ("compatible", r#"{"detail":"Not Found"}"#, "Not Found"),
        (
            "openrouter",
            r#"{"error":{"message":"Provider returned error","metadata":{"raw":"slow"}}}"#,
            "Provider returned error: slow",
        ),
        ("openai", "  plain words\n", "plain words"),
        ("openai", r#"{"error":{"code":"x"}}"#, r#"{"error":{"code":"x"}}"#),
    ];
    let mut wrong = Vec::new();
    for (provider, body, expected) in rows {
        let ModelError::Provider { message, .. } = refused(provider, 400, body).error else { panic!("{body}") };
        if message != expected {
            wrong.push(format!("{body}\n  wanted: {expected}\n  got:    {message}"));
        }
    }
    none_wrong(&wrong);
}

#[test]
fn gemini_says_in_the_body_how_long_to_wait() {
    let body = r#"{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}"#;
    assert_eq!(refused("gemini", 429, body).retry_after, Some(Duration::from_millis(34_500)));
    assert_eq!(refused("gemini", 429, &body.replace("34.5s", "-1s")).retry_after, None);
}
