//! A provider on loopback: real connections, and answers byte by byte as a test wants them.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// One answer: what is written, piece by piece, and what happens then.
#[derive(Clone, Debug)]
pub struct Reply {
    pieces: Vec<Vec<u8>>,
    /// The connection stays open until the other side closes it.
    hangs: bool,
}

impl Reply {
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { pieces: vec![bytes.into()], hangs: false }
    }

    /// A stream that ends with the connection.
    pub fn stream(body: &str) -> Self {
        Self::raw(format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{body}"))
    }

    /// A stream of one text.
    pub fn text(text: &str) -> Self {
        Self::stream(&answer(text))
    }

    pub fn status(status: u16, body: &str) -> Self {
        Self::with_headers(status, &[], body)
    }

    pub fn with_headers(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        Self::raw(format!(
            "HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        ))
    }

    pub fn then_hangs(self) -> Self {
        Self { hangs: true, ..self }
    }

    /// The same bytes, one in each write.
    pub fn byte_by_byte(self) -> Self {
        Self { pieces: self.pieces.concat().chunks(1).map(<[u8]>::to_vec).collect(), ..self }
    }
}

/// The events of a whole answer that is one text.
pub fn answer(text: &str) -> String {
    let event = |data: serde_json::Value| format!("data: {data}\n\n");
    [
        serde_json::json!({"type": "message_start", "message": {"usage": {"input_tokens": 1}}}),
        serde_json::json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        serde_json::json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        serde_json::json!({"type": "content_block_stop", "index": 0}),
        serde_json::json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}),
        serde_json::json!({"type": "message_stop"}),
    ]
    .map(event)
    .concat()
}

/// A server that gives one answer to each connection, in order; after the last it is gone.
pub struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
    closed: UnboundedReceiver<()>,
}

impl Server {
    pub async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::default();
        let (closing, closed) = unbounded_channel();
        tokio::spawn(serve(listener, replies, Arc::clone(&requests), closing));
        Self { url, requests, closed }
    }

    /// What was asked so far: heads and bodies.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until the other side closes a connection that hangs.
    pub async fn left_alone(&mut self) {
        self.closed.recv().await.expect("the server waits for it");
    }
}

async fn serve(
    listener: TcpListener,
    replies: Vec<Reply>,
    requests: Arc<Mutex<Vec<String>>>,
    closing: UnboundedSender<()>,
) {
    for reply in replies {
        let (mut connection, _) = listener.accept().await.unwrap();
        let request = read(&mut connection).await;
        requests.lock().unwrap().push(request);
        for piece in &reply.pieces {
            // The other side may have heard enough.
            if connection.write_all(piece).await.is_err() || connection.flush().await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        if reply.hangs {
            let closing = closing.clone();
            tokio::spawn(async move {
                while !matches!(connection.read(&mut [0; 64]).await, Ok(0) | Err(_)) {}
                // Nobody may wait for it.
                let _ = closing.send(());
            });
        } else {
            let _ = connection.shutdown().await;
        }
    }
}

/// How a greeting by TLS begins.
const TLS: u8 = 0x16;

/// Reads a request to the end of its body, or as much of a greeting by TLS as has come.
async fn read(connection: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if bytes.first() == Some(&TLS) {
            return text;
        }
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        let mut chunk = vec![0; 65_536];
        let read = connection.read(&mut chunk).await.unwrap();
        assert!(read > 0, "a request was cut: {text}");
        bytes.extend_from_slice(&chunk[..read]);
    }
}
