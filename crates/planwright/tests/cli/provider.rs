//! A real provider's protocol under the whole program, from a server on loopback: a session runs, and
//! the key is sent to the provider and stands nowhere else.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;

use serde_json::{Value, json};

use crate::ground::{Ended, Ground, Running, of_type};

const KEY: &str = "sk-ant-the-secret-of-the-test";

/// What the server heard: heads in lower case, and bodies.
type Heard = Vec<(String, String)>;

/// Answers one request after another with these blocks; yields its URL, and what it will have heard.
fn provider(answers: Vec<Value>) -> (String, thread::JoinHandle<Heard>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("it has an address"));
    let serving = thread::spawn(move || {
        answers.iter().map(|answer| serve(listener.accept().expect("it is asked").0, answer)).collect()
    });
    (url, serving)
}

fn serve(connection: TcpStream, answer: &Value) -> (String, String) {
    let mut reader = BufReader::new(connection);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).expect("a head is text");
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.expect("a body has a length")];
    reader.read_exact(&mut body).expect("the body comes");
    let body = String::from_utf8(body).expect("the body is text");
    // What a model would take from the note that names the plan file.
    let plan = body.split('`').find(|word| word.ends_with(".md")).unwrap_or_default();
    let answer = serde_json::from_str(&answer.to_string().replace("{plan_file}", plan)).expect("it is JSON still");
    let mut connection = reader.into_inner();
    write!(
        connection,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{}",
        stream(&answer)
    )
    .expect("the answer is taken");
    (head, body)
}

/// The stream of an answer of one block.
fn stream(block: &Value) -> String {
    let calls = block["type"] == "tool_use";
    let delta = if calls {
        json!({"type": "input_json_delta", "partial_json": block["input"].to_string()})
    } else {
        json!({"type": "text_delta", "text": block["text"]})
    };
    let mut begun = block.clone();
    for later in ["input", "text"].into_iter().filter(|field| block.get(field).is_some()) {
        begun[later] = if calls { json!({}) } else { json!("") };
    }
    let stop = if calls { "tool_use" } else { "end_turn" };
    [
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 100}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": begun}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 10}}),
        json!({"type": "message_stop"}),
    ]
    .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("it has a type")))
    .concat()
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn run(ground: &Ground, variables: &[(&str, &str)], flags: &[&str]) -> Ended {
    let args = ["-p", "do it", "--model", "anthropic:claude-opus-5-5"];
    let mut command = ground.planwright(&[&args, flags].concat());
    command.envs(variables.iter().copied());
    Running::start(command).end()
}

/// Every file below a folder that holds these words.
fn holding(folder: &Path, words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, words));
        } else if fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(words)) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn a_session_with_a_provider_keeps_its_key_secret() {
    let command = "echo key=$ANTHROPIC_API_KEY; env";
    let call = json!({"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {"command": command}});
    let (url, serving) = provider(vec![call, text("Done.")]);
    let ground = Ground::new();
    let (requests, script) = (ground.beside("requests"), ground.beside("recorded.json"));
    let flags = [
        "--dangerously-skip-permissions",
        "--log-requests",
        requests.to_str().expect("a path is text"),
        "--record",
        script.to_str().expect("a path is text"),
    ];
    let ended = run(&ground, &[("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", &url)], &flags).exits(0);
    assert_eq!(ended.out, "Done.\n", "{}", ended.all());
    let heard = serving.join().expect("the server ends");
    for (head, body) in &heard {
        assert!(head.starts_with("post /v1/messages http/1.1\r\n"), "{head}");
        assert!(head.contains(&format!("x-api-key: {KEY}\r\n")), "{head}");
        assert!(!body.contains(KEY), "the key is in a body");
    }
    let second: Value = serde_json::from_str(&heard[1].1).expect("a body is JSON");
    let result = &second["messages"][2]["content"][0];
    assert_eq!(result["tool_use_id"], "toolu_01");
    assert!(result["content"].as_str().is_some_and(|text| text.starts_with("key=\n")), "{result}");
    assert!(script.exists() && requests.join("0002.json").exists());
    assert_eq!(holding(&ground.beside(""), KEY), Vec::<String>::new(), "files with the key in them");
    let answers = of_type(&ground.log(), "assistant").iter().map(|entry| entry["model"].clone()).collect::<Vec<_>>();
    assert_eq!(answers, ["anthropic:claude-opus-5-5", "anthropic:claude-opus-5-5"]);
}

#[test]
fn a_key_can_come_from_a_command() {
    let (url, serving) = provider(vec![text("Yes.")]);
    let ground = Ground::new();
    let command = format!("echo a warning >&2; echo {KEY}");
    let variables = [("ANTHROPIC_API_KEY_COMMAND", &*command), ("ANTHROPIC_BASE_URL", &url)];
    let ended = run(&ground, &variables, &[]).exits(0);
    assert_eq!(ended.out, "Yes.\n", "{}", ended.all());
    let heard = serving.join().expect("the server ends");
    assert!(heard[0].0.contains(&format!("x-api-key: {KEY}\r\n")), "{}", heard[0].0);
    assert_eq!(holding(&ground.home(), KEY), Vec::<String>::new());
}

#[test]
fn a_key_that_cannot_be_had_is_told_before_and_after() {
    let ground = Ground::new();
    let ended = run(&ground, &[], &[]).exits(2);
    assert!(ended.err.contains("No API key is set for `anthropic`. Set ANTHROPIC_API_KEY"), "{}", ended.all());
    let ended = run(&ground, &[("ANTHROPIC_API_KEY_COMMAND", "exit 3")], &[]).exits(1);
    assert!(
        ended.err.contains("The command that prints the API key failed: it ended with exit code 3"),
        "{}",
        ended.all()
    );
}

/// A request as the provider caches it: the bytes up to the end of the last message, without marks;
/// and how many marks there are.
fn cached(body: &str) -> (String, usize) {
    const MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;
    let text = body.replace(MARK, "");
    let text = text.strip_suffix("]}]}").expect("the messages stand last");
    (text.to_owned(), body.matches(MARK).count())
}

/// Thirty requests through plan mode and out of it: every byte of a request stands at the beginning
/// of the next one, so a cache by prefix reads all of it. And the part that no user wrote is small.
#[test]
fn every_request_begins_with_the_one_before() {
    /// Bytes of system prompt, tools and the full note.
    const OURS: usize = 24 << 10;
    let call = |number: usize, name: &str, input: Value| json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": name, "input": input});
    let look = |number| call(number, "Glob", json!({"pattern": format!("*{number}")}));
    let mut answers: Vec<_> = (0..10).map(look).collect();
    answers.push(call(10, "Write", json!({"file_path": "{plan_file}", "content": "# Plan\n\nLook again.\n"})));
    answers.push(call(11, "ExitPlanMode", json!({})));
    answers.extend((12..24).map(look));
    answers.extend((24..30).map(|number| text(&format!("Answer {number}."))));
    let (url, serving) = provider(answers);
    let ground = Ground::new();
    let mut command = ground.planwright(&["--model", "anthropic:claude-opus-5-5"]);
    command.envs([("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", &url)]);
    let typed = format!("/plan look around\n2\n{}/plan again\n/exit\n", "and?\n".repeat(4));
    let ended = Running::start(command).say(&typed).end().exits(0);
    let heard = serving.join().expect("the server ends");
    assert_eq!(heard.len(), 30, "{}", ended.all());
    let requests: Vec<_> = heard.iter().map(|(_, body)| cached(body)).collect();
    for (number, pair) in requests.windows(2).enumerate() {
        let same = pair[0].0.bytes().zip(pair[1].0.bytes()).take_while(|(before, now)| before == now).count();
        let differs = || format!("request {}: {}", number + 2, &pair[1].0[same..pair[1].0.len().min(same + 200)]);
        assert_eq!(same, pair[0].0.len(), "{}", differs());
        assert!((2..=4).contains(&pair[1].1), "request {} has {} marks", number + 2, pair[1].1);
    }
    let first = requests[0].0.len();
    assert!(first < OURS, "the first request has {first} bytes");
}

/// A server of the user's own that does not run: where it was looked for, and which variable moves it.
#[test]
fn a_server_that_does_not_run_is_named() {
    let ground = Ground::new();
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port is free");
    let mut command = ground.planwright(&["-p", "hello", "--model", "ollama:m"]);
    command.env("OLLAMA_BASE_URL", format!("http://user:secret@{free}/v1"));
    let running = Running::start(command).wait_for("Asking again");
    let ended = running.signal("INT").over();
    let place = format!("http://{free}/v1: ");
    crate::ground::in_order(&ended.err, &["could not be reached", &place, "start its server", "OLLAMA_BASE_URL"]);
    assert!(!ended.all().contains("secret"), "{}", ended.all());
}
