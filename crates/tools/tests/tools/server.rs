//! A web server on loopback, written by hand: it answers each path with the bytes it was given.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use planwright_core::page::PrivateHost;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What is sent for a path.
#[derive(Clone)]
pub enum Sent {
    /// These bytes, and the connection is closed.
    Whole(Vec<u8>),
    /// These bytes, and nothing more: the connection stays open.
    Stalls(Vec<u8>),
}

pub struct Server {
    pub port: u16,
    /// The heads of the requests that came.
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// A server that knows these paths, and closes the connection on any other.
    pub async fn with(paths: impl IntoIterator<Item = (&'static str, Sent)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let paths: Arc<HashMap<_, _>> = Arc::new(paths.into_iter().collect());
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let noted = Arc::clone(&heads);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&paths), Arc::clone(&noted)));
            }
        });
        Self { port, heads }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    /// It, as the user would name it in the setting.
    pub fn allowed(&self) -> PrivateHost {
        PrivateHost::parse(&format!("127.0.0.1:{}", self.port)).unwrap()
    }
}

async fn answer(mut stream: TcpStream, paths: Arc<HashMap<&'static str, Sent>>, heads: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else { return };
        head.push(byte);
        // The start of a TLS handshake, which is not spoken here.
        if head == [0x16] {
            return drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await);
        }
    }
    let head = String::from_utf8(head).unwrap();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    heads.lock().unwrap().push(head);
    // The client may have gone: it takes no more than it wants.
    match paths.get(path.as_str()) {
        Some(Sent::Whole(bytes)) => drop(stream.write_all(bytes).await),
        Some(Sent::Stalls(bytes)) => {
            let _ = stream.write_all(bytes).await;
            let _ = stream.read_u8().await;
        }
        None => {}
    }
}

/// A response with these headers (apart by `|`) and this body.
pub fn page(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Sent {
    let body = body.as_ref();
    let headers: String = headers.split('|').filter(|h| !h.is_empty()).map(|h| format!("{h}\r\n")).collect();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    Sent::Whole([head.as_bytes(), body].concat())
}

/// An HTML page in UTF-8.
pub fn html(body: &str) -> Sent {
    page("200 OK", "Content-Type: text/html; charset=utf-8", body)
}

/// A redirect.
pub fn redirect(to: &str) -> Sent {
    page("302 Found", &format!("Location: {to}"), "")
}
