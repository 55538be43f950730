//! A provider that misbehaves, over real connections: for each trouble the right end, nothing lost,
//! nothing told twice.

use std::time::Duration;

use futures_util::StreamExt;
use planwright_core::bounds;
use planwright_core::reply::Delta;
use planwright_core::request::Request;
use planwright_model::key::{Key, KeySource};
use planwright_model::retry::Patience;
use planwright_model::{Model, ModelError, Remote};

use super::server::{Reply, Server, answer};
use super::{anthropic, line, none_wrong, request, user};

/// Tries soon, and waits long enough for a busy machine.
pub fn patience() -> Patience {
    Patience {
        tries: 3,
        tries_unsaid: 2,
        tries_unreached: 3,
        first: Duration::from_millis(1),
        longest: Duration::from_millis(2),
        longest_asked: Duration::from_secs(5),
        begin: Duration::from_secs(60),
        stall: Duration::from_secs(60),
    }
}

fn model(url: &str, patience: Patience) -> Remote {
    Remote::new(anthropic("claude-opus-5-5", url), KeySource::Known(Key::new("sk-test").unwrap()), patience)
}

/// All that a model says to a request.
pub async fn heard(model: &Remote, request: Request) -> String {
    model.ask(request).map(|delta| line(&delta)).collect().await
}

const DONE: &str = "done> EndTurn, read 1+0 cached, wrote 2, cached 0\n  says \"hello\"\n";

/// The events of an answer up to some of them.
fn beginning(events: usize) -> String {
    answer("hello").split_inclusive("\n\n").take(events).collect()
}

fn json_error(message: &str) -> String {
    format!("{{\"type\":\"error\",\"error\":{{\"type\":\"x\",\"message\":\"{message}\"}}}}")
}

#[tokio::test]
async fn trouble_and_its_end() {
    let good = || Reply::text("hello");
    let hello = format!("text> \"hello\"\n{DONE}");
    let cut = "The model's answer was cut off before its end";
    let error_event = |kind: &str| {
        format!("{}data: {{\"type\":\"error\",\"error\":{{\"type\":\"{kind}\",\"message\":\"Oh\"}}}}\n\n", beginning(3))
    };
    let chunked =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n40\r\ndata: {\"ty";
    let rows: Vec<(&str, Vec<Reply>, String)> = vec![
        ("all is well", vec![good()], hello.clone()),
        ("byte by byte", vec![good().byte_by_byte()], hello.clone()),
        (
            "more after the end, and no close",
            vec![Reply::stream(&format!("{}data: x\n\n", answer("hello"))).then_hangs()],
            hello.clone(),
        ),
        ("cut before anything", vec![Reply::stream(""), good()], format!("again> 2/3: {cut}\n{hello}")),
        (
            "cut in the text, twice",
            vec![Reply::stream(&beginning(3)), Reply::stream(&beginning(4)), good()],
            format!("text> \"hello\"\nagain> 2/3: {cut}\ntext> \"hello\"\nagain> 3/3: {cut}\n{hello}"),
        ),
        (
            "cut every time",
            vec![Reply::stream(&beginning(3)), Reply::stream(""), Reply::stream(&beginning(3))],
            format!("text> \"hello\"\nagain> 2/3: {cut}\nagain> 3/3: {cut}\ntext> \"hello\"\nerror> {cut}\n"),
        ),
        ("a broken chunk", vec![Reply::raw(chunked), good()], format!("again> 2/3: {cut}\n{hello}")),
        (
            "overloaded inside the stream",
            vec![Reply::stream(&error_event("overloaded_error")), good()],
            format!("text> \"hello\"\nagain> 2/3: The model's provider answered 529: Oh\n{hello}"),
        ),
        (
            "a bad request inside the stream",
            vec![Reply::stream(&error_event("invalid_request_error"))],
            "text> \"hello\"\nerror> The model's provider answered 400: Oh\n".to_owned(),
        ),
        (
            "overloaded before the stream",
            vec![Reply::status(529, &json_error("Overloaded")), good()],
            format!("again> 2/3: The model's provider answered 529: Overloaded\n{hello}"),
        ),
        (
            "too many, and when",
            vec![Reply::with_headers(429, &[("retry-after", "0")], &json_error("slow")), good()],
            format!("again> 2/3: The model's provider answered 429: slow\n{hello}"),
        ),
        (
            "too many, and not when: no loop",
            vec![Reply::status(429, &json_error("cap")), Reply::status(429, &json_error("cap"))],
            "again> 2/2: The model's provider answered 429: cap\nerror> The model's provider answered 429: cap\n"
                .to_owned(),
        ),
        (
            "too many, until tomorrow",
            vec![Reply::with_headers(429, &[("retry-after", "50000")], &json_error("cap"))],
            "error> The model's provider answered 429: cap (it asks to wait 50000 s)\n".to_owned(),
        ),
        (
            "a wrong key",
            vec![Reply::status(401, &json_error("no"))],
            "error> The model's provider answered 401: no\n".to_owned(),
        ),
        (
            "a full window",
            vec![Reply::status(400, &json_error("prompt is too long: 2 > 1"))],
            "error> The conversation is larger than the model's window: prompt is too long: 2 > 1\n".to_owned(),
        ),
        (
            "an object instead of a stream",
            vec![Reply::with_headers(200, &[("content-type", "application/json")], &json_error("odd"))],
            "error> The model's provider answered 200: odd\n".to_owned(),
        ),
        (
            "a page instead of a stream",
            vec![Reply::with_headers(200, &[("content-type", "text/html; charset=utf-8")], "<h1>Log\r\nin\u{7}</h1>")],
            "error> The model's provider sent what cannot be read: URL answered with a page for people (HTML) instead of \
             a stream of events\n"
                .to_owned(),
        ),
        (
            "garbage in the stream",
            vec![Reply::stream("data: \u{1}\n\n")],
            "error> The model's provider sent what cannot be read: expected value at line 1 column 1\n".to_owned(),
        ),
        ("no HTTP", vec![Reply::raw("SSH-2.0-OpenSSH_9.2\r\n"); 3], String::new()),
    ];
    let mut wrong = Vec::new();
    for (name, replies, expected) in rows {
        let asked = replies.len();
        let server = Server::start(replies).await;
        let heard = heard(&model(&server.url, patience()), request(vec![user("go")])).await.replace(&server.url, "URL");
        // How a client says that it heard no HTTP is its own affair.
        let fits = if expected.is_empty() {
            heard.contains("\nerror> The model's provider could not be reached: ")
        } else {
            heard == expected
        };
        if !fits || server.requests().len() != asked {
            wrong.push(format!(
                "{name}: {} requests\n--- expected\n{expected}--- heard\n{heard}",
                server.requests().len()
            ));
        }
    }
    none_wrong(&wrong);
}

#[tokio::test]
async fn an_error_of_many_bytes_is_shown_in_few() {
    let server = Server::start(vec![Reply::status(400, &"x ".repeat(5 << 20))]).await;
    let heard = heard(&model(&server.url, patience()), request(vec![user("go")])).await;
    assert!(heard.chars().count() < bounds::ERROR_SHOWN_CHARS + 100, "{} characters", heard.chars().count());
    assert!(heard.ends_with("…\n"), "{heard}");
}

/// A key goes to one host: where a redirect leads is said, and not followed.
#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Server::start(vec![Reply::text("stolen")]).await;
    for status in [301, 302, 307, 308] {
        let to = format!("{}/v1/messages", elsewhere.url.replace("127.0.0.1", "localhost"));
        let server = Server::start(vec![Reply::with_headers(status, &[("location", &to)], "")]).await;
        let heard = heard(&model(&server.url, patience()), request(vec![user("go")])).await;
        assert!(
            heard.starts_with(&format!("error> The model's provider answered {status}: it redirects to localhost")),
            "{heard}"
        );
    }
    assert_eq!(elsewhere.requests(), Vec::<String>::new());
}

/// TLS is there: a server that does not speak it is understood as that.
#[tokio::test]
async fn a_server_without_tls_is_not_trusted_with_a_request() {
    let server = Server::start(vec![Reply::raw("HTTP/1.1 400 Bad Request\r\n\r\n"); 3]).await;
    let url = server.url.replace("http:", "https:");
    let heard = heard(&model(&url, patience()), request(vec![user("go")])).await;
    assert!(heard.contains("corrupt message"), "{heard}");
    assert!(server.requests().iter().all(|sent| !sent.contains("sk-test")), "nothing was sent in the clear");
}

#[tokio::test]
async fn a_stream_that_stalls_is_an_error() {
    let server = Server::start(vec![Reply::stream(&beginning(3)).then_hangs()]).await;
    let impatient = Patience { tries: 1, stall: Duration::from_millis(50), ..patience() };
    let last = model(&server.url, impatient).ask(request(vec![user("go")])).collect::<Vec<_>>().await.pop();
    assert_eq!(last, Some(Err(ModelError::Stalled { seconds: 0 })));
}

#[tokio::test]
async fn an_answer_that_never_begins_is_an_error() {
    let server = Server::start(vec![Reply::raw("").then_hangs()]).await;
    let impatient = Patience { tries: 1, begin: Duration::from_millis(50), ..patience() };
    let heard = heard(&model(&server.url, impatient), request(vec![user("go")])).await;
    assert_eq!(heard, "error> The model's provider sent nothing for 0 s\n");
}

/// Interrupted in the middle of an answer: the connection is closed, so the provider stops too.
#[tokio::test]
async fn a_dropped_answer_ends_the_request() {
    let mut server = Server::start(vec![Reply::stream(&beginning(3)).then_hangs()]).await;
    let mut answer = model(&server.url, patience()).ask(request(vec![user("go")]));
    assert_eq!(answer.next().await, Some(Ok(Delta::Text("hello".to_owned()))));
    drop(answer);
    server.left_alone().await;
}

/// Interrupted while it waits for the next try: there is none.
#[tokio::test]
async fn a_dropped_wait_is_the_last_try() {
    let server = Server::start(vec![Reply::stream("")]).await;
    let slow = Patience { first: Duration::from_secs(3_600), longest: Duration::from_secs(3_600), ..patience() };
    let mut answer = model(&server.url, slow).ask(request(vec![user("go")]));
    assert!(matches!(answer.next().await, Some(Ok(Delta::Again(_)))));
    assert!(futures_util::FutureExt::now_or_never(answer.next()).is_none(), "it waits");
    drop(answer);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn nothing_is_sent_before_the_answer_is_polled() {
    let server = Server::start(vec![Reply::text("hello")]).await;
    let answer = model(&server.url, patience()).ask(request(vec![user("go")]));
    assert_eq!(server.requests().len(), 0);
    assert_eq!(planwright_model::whole(answer).await.map(|reply| reply.usage.output_tokens), Ok(2));
}

#[tokio::test]
async fn the_same_request_is_sent_at_every_try() {
    let server = Server::start(vec![Reply::stream(""), Reply::status(500, "{}"), Reply::text("hello")]).await;
    heard(&model(&server.url, patience()), request(vec![user("go")])).await;
    let requests = server.requests();
    assert!(requests[0].starts_with("POST /v1/messages HTTP/1.1\r\n"), "{}", requests[0]);
    assert_eq!(requests, vec![requests[0].clone(); 3]);
}

#[tokio::test]
async fn tokens_are_counted_by_the_provider() {
    let count = Reply::with_headers(200, &[("content-type", "application/json")], "{\"input_tokens\": 2095}");
    let server = Server::start(vec![count, Reply::status(429, &json_error("slow"))]).await;
    let model = model(&server.url, patience());
    let asked = request(vec![user("go")]);
    assert_eq!(model.count(&asked).unwrap().await, Ok(2095));
    assert!(server.requests()[0].starts_with("POST /v1/messages/count_tokens HTTP/1.1\r\n"));
    assert_eq!(model.count(&asked).unwrap().await, Err(ModelError::provider(429, "slow")));
}
