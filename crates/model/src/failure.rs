//! What an error means that OpenAI, Gemini or a server like them sends: too large, final, or worth
//! another try.

use std::time::Duration;

use serde_json::Value;

use crate::ModelError;
use crate::wire::{Failure, Refused, Sort};

/// Codes, types and wordings by which they say that a request is larger than the window.
const FULL: [&str; 11] = [
    "context_length_exceeded",    // OpenAI, DeepSeek
    "exceed_context_size_error",  // llama.cpp
    "maximum context length",     // OpenAI, vLLM, OpenRouter, DeepSeek, llama-cpp-python
    "available context size",     // llama.cpp
    "exceeds the context window", // OpenAI Responses
    "exceed context window",      // llama-cpp-python
    "exceeds the context length", // Ollama
    "context length exceeded",    // LM Studio
    "input token count",          // Gemini: "... exceeds the maximum number of tokens allowed"
    "prompt is too long",         // Anthropic behind OpenRouter
    "input is too long",          // Bedrock behind OpenRouter
];

/// Codes and types of errors that stay until a person does something.
const FINAL: [&str; 5] =
    ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "invalid_api_key", "model_not_found"];

/// The status that an error has outside of a stream, by its code or type.
const STATUS: [(&str, u16); 13] = [
    ("rate_limit", 429),
    ("too_many_requests", 429),
    ("resource_exhausted", 429),
    ("insufficient_quota", 429),
    ("overloaded", 503),
    ("unavailable", 503),
    ("invalid_prompt", 400),
    ("invalid_request", 400),
    ("invalid_argument", 400),
    ("context_length", 400),
    ("authentication", 401),
    ("permission", 403),
    ("not_found", 404),
];

/// An answer with another status than success.
pub fn refused(refused: &Refused<'_>) -> Failure {
    let error = refused.error().unwrap_or(Value::Null);
    let said = Said::read(&error, refused.body);
    let mut failure = refused.failure(said.message.as_str(), said.sort(refused.status));
    failure.retry_after = failure.retry_after.or_else(|| delay(&error));
    failure
}

/// The error inside a stream whose status was success.
pub fn streamed(error: &Value) -> ModelError {
    let said = Said::read(error, &error.to_string());
    let numbered = error["code"].as_u64().and_then(|code| u16::try_from(code).ok()).filter(|code| *code >= 400);
    let guessed = STATUS.iter().find(|(name, _)| said.named.contains(name)).map(|(_, status)| *status);
    let status = numbered.or(guessed).unwrap_or(500);
    match said.sort(status) {
        Sort::Plain => ModelError::provider(status, said.message),
        Sort::ContextFull => ModelError::ContextFull { message: said.message },
        Sort::Final => ModelError::Provider { status, message: said.message, retryable: false },
    }
}

/// How long Gemini asks to wait: `{"@type": "…RetryInfo", "retryDelay": "34s"}`.
fn delay(error: &Value) -> Option<Duration> {
    let details = error["details"].as_array()?;
    let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

/// What an error says.
struct Said {
    /// Its code, type and status, in lower case.
    named: String,
    /// Its message.
    message: String,
}

impl Said {
    fn read(error: &Value, raw: &str) -> Self {
        let word = |field: &str| error[field].as_str().unwrap_or_default();
        let named = format!("{} {} {}", word("code"), word("type"), word("status")).to_lowercase();
        let message = [&error["message"], &error["detail"], error].into_iter().find_map(Value::as_str);
        let message = message.unwrap_or_else(|| raw.trim());
        // OpenRouter's own message says only that the provider behind it failed.
        let message = match error["metadata"]["raw"].as_str() {
            Some(behind) => format!("{message}: {behind}"),
            None => message.to_owned(),
        };
        Self { named, message }
    }

    fn sort(&self, status: u16) -> Sort {
        let words = self.message.to_lowercase();
        // A 429 with such words is about tokens per minute, and passes. llama.cpp answered 500.
        let about_request = matches!(status, 400..=428 | 430..=499 | 500);
        if about_request && FULL.iter().any(|mark| self.named.contains(mark) || words.contains(mark)) {
            Sort::ContextFull
        } else if FINAL.iter().any(|mark| self.named.contains(mark)) {
            Sort::Final
        } else {
            Sort::Plain
        }
    }
}
