//! What a server sent: its type, its encoding, and the text of it.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use planwright_core::page::PageUrl;
use planwright_core::{bounds, prompts};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};

use super::{causes, markdown};
use crate::walk::Stop;

/// What a server sent, as bytes.
pub(super) struct Body {
    bytes: Vec<u8>,
    /// Its media type, lower case; empty if the server named none.
    media: String,
    /// The encoding the server named.
    charset: Option<&'static Encoding>,
    /// There was more.
    cut: bool,
}

/// The text of a page.
pub(super) struct Text {
    pub(super) text: String,
    /// What it was, in words.
    pub(super) kind: String,
    /// What is not as it seems.
    pub(super) notes: Vec<String>,
}

/// How a media type is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Html,
    Plain,
}

/// The form of a media type; `None` if it is not text.
fn form(media: &str) -> Option<Form> {
    const PLAIN: &[&str] = &["json", "xml", "javascript", "ecmascript", "yaml", "x-yaml", "toml", "x-ndjson", "jsonl"];
    match media.split_once('/') {
        Some(("text", "html")) | Some(("application", "xhtml+xml")) => Some(Form::Html),
        Some(("text", _)) => Some(Form::Plain),
        Some(("application", kind)) if PLAIN.contains(&kind) || kind.ends_with("+json") || kind.ends_with("+xml") => {
            Some(Form::Plain)
        }
        Some(_) | None => None,
    }
}

/// Reads a body up to [`bounds::FETCH_BYTES`], if it is of a type that can be shown.
pub(super) async fn read(page: &PageUrl, mut response: Response) -> Result<Body, String> {
    let header =
        |name| response.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let (media, charset) = content_type(&header(CONTENT_TYPE).unwrap_or_default());
    let size = response.content_length().map_or("of unknown size".to_owned(), |size| format!("{size} bytes"));
    if !media.is_empty() && form(&media).is_none() {
        return Err(format!(
            "{page} is {media} ({size}); WebFetch reads text only: HTML, markdown, JSON and the like."
        ));
    }
    if let Some(coding) = header(CONTENT_ENCODING).filter(|coding| !coding.trim().eq_ignore_ascii_case("identity")) {
        return Err(format!("{page} came compressed ({}), which was not asked for, and was not read.", token(&coding)));
    }
    let mut body = Body { bytes: Vec::new(), media, charset, cut: false };
    while !body.cut {
        let piece = response.chunk().await;
        let piece =
            piece.map_err(|error| format!("{page} broke off after {} bytes: {}.", body.bytes.len(), causes(&error)))?;
        let Some(piece) = piece else { break };
        let room = bounds::FETCH_BYTES - body.bytes.len();
        body.cut = piece.len() > room;
        body.bytes.extend_from_slice(&piece[..piece.len().min(room)]);
    }
    Ok(body)
}

/// Media type and encoding of a `Content-Type`.
fn content_type(header: &str) -> (String, Option<&'static Encoding>) {
    let (media, parameters) = header.split_once(';').unwrap_or((header, ""));
    let label = parameters.split(';').filter_map(|parameter| parameter.split_once('=')).find_map(|(name, value)| {
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
    });
    let media = media.trim();
    (
        if media.is_empty() { String::new() } else { token(media) },
        label.and_then(|label| Encoding::for_label(label.as_bytes())),
    )
}

/// A word of a header in lower case, or that it is none: a server has no say outside its page.
fn token(word: &str) -> String {
    let plain = word.len() <= 100 && word.chars().all(|c| c.is_ascii_alphanumeric() || "/+-._".contains(c));
    if plain { word.to_ascii_lowercase() } else { "of an unreadable type".to_owned() }
}

impl Body {
    /// The text, HTML as markdown; the error is a clause.
    pub(super) fn text(self, stop: &Stop) -> Result<Text, String> {
        let mut notes = Vec::new();
        if self.cut {
            notes.push(prompts::page_cut_by_size(bounds::FETCH_BYTES));
        }
        let (text, lossy) = self.decoded();
        if text.contains('\0') {
            return Err("it is not text".to_owned());
        }
        if lossy {
            notes.push(prompts::page_lossy());
        }
        let form = form(&self.media).unwrap_or(if looks_like_html(&text) { Form::Html } else { Form::Plain });
        let text = match form {
            Form::Html => {
                let made = markdown::of(&text, stop)?;
                if made.cut {
                    notes.push(prompts::page_cut_by_shape());
                }
                Cow::Owned(made.text)
            }
            Form::Plain => text,
        };
        let media = if self.media.is_empty() { "of no named type" } else { &self.media };
        Ok(Text { text: text.into_owned(), kind: format!("{media}, {} bytes", self.bytes.len()), notes })
    }

    /// By byte-order mark, else as the server says, else as the page itself says, else as UTF-8, or
    /// else as browsers take what names no encoding.
    fn decoded(&self) -> (Cow<'_, str>, bool) {
        let unnamed = || match std::str::from_utf8(&self.bytes) {
            Err(error) if error.error_len().is_some() || !self.cut => WINDOWS_1252,
            Ok(_) | Err(_) => UTF_8,
        };
        let encoding = self.charset.or_else(|| named_within(&self.bytes)).unwrap_or_else(unnamed);
        let (text, _, lossy) = encoding.decode(&self.bytes);
        // The last character of what was cut may be half.
        (text, lossy && !self.cut)
    }
}

/// The encoding that a page names in its first kilobyte: `<meta charset=…>`, or the same in a
/// `content` or an XML declaration. It must be readable as ASCII up to there, so it is not UTF-16.
fn named_within(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    if !head.trim_start().starts_with('<') {
        return None;
    }
    let label = ["charset=", "encoding="].iter().find_map(|key| {
        let at = head.find(key)? + key.len();
        let label = head[at..].trim_start_matches(['"', '\'', ' ']);
        label.split(|c: char| !(c.is_ascii_alphanumeric() || "-_:.".contains(c))).next()
    })?;
    Encoding::for_label(label.as_bytes()).map(Encoding::output_encoding)
}

fn looks_like_html(text: &str) -> bool {
    let start = text.trim_start().get(..9).unwrap_or_default().to_ascii_lowercase();
    start.starts_with("<!doctype") || start.starts_with("<html")
}
