//! Recorded shapes of streams, and what they come to: `tests/streams/PROVIDER/NAME.sse` beside
//! `NAME.deltas`. What holds for one stream holds for it split, ended and cut anywhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_core::reply::{Delta, Reply};
use planwright_core::request::{Message, Request};
use planwright_model::ModelError;
use planwright_model::incoming::Incoming;
use planwright_model::wire::Wire;
use proptest::prelude::*;
use serde_json::json;

use super::{call, line, none_wrong, request, result, user, wires};

/// A stream with its wire.
#[derive(Clone)]
pub struct Stream {
    wire: Arc<dyn Wire>,
    file: PathBuf,
    bytes: Vec<u8>,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file.display())
    }
}

pub fn streams() -> Vec<Stream> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams");
    let mut streams = Vec::new();
    for (provider, wire) in wires("http://localhost") {
        for entry in fs::read_dir(folder.join(provider)).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_some_and(|end| end == "sse") {
                streams.push(Stream { wire: Arc::clone(&wire), bytes: fs::read(&file).unwrap(), file });
            }
        }
    }
    streams.sort_by(|a, b| a.file.cmp(&b.file));
    streams
}

/// The request that the streams answer: one id is used up.
fn asked() -> Request {
    request(vec![
        user("Look."),
        Message::Assistant(vec![call("toolu_used", "Read", json!({}))]),
        Message::User(vec![result("toolu_used", "…")]),
    ])
}

/// What comes of a stream that arrives in these pieces.
fn heard<'a>(wire: &Arc<dyn Wire>, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Result<Delta, ModelError>> {
    let mut incoming = Incoming::new(wire.assembly(&asked()));
    let mut heard = Vec::new();
    for piece in pieces {
        heard.extend(incoming.push(piece));
        if let Some(Err(_)) = heard.last() {
            return heard;
        }
    }
    heard.extend(incoming.end());
    heard
}

fn whole(stream: &Stream) -> Vec<Result<Delta, ModelError>> {
    heard(&stream.wire, [&stream.bytes[..]])
}

fn text_of(heard: &[Result<Delta, ModelError>]) -> String {
    let texts = heard.iter().filter_map(|delta| match delta {
        Ok(Delta::Text(text)) => Some(text.as_str()),
        Ok(Delta::Waiting(_) | Delta::Again(_) | Delta::Done(_)) | Err(_) => None,
    });
    texts.collect()
}

fn reply_of(heard: &[Result<Delta, ModelError>]) -> Option<&Reply> {
    match heard.last() {
        Some(Ok(Delta::Done(reply))) => Some(reply),
        Some(Ok(Delta::Text(_) | Delta::Waiting(_) | Delta::Again(_)) | Err(_)) | None => None,
    }
}

#[test]
fn every_stream_comes_to_what_stands_beside_it() {
    let mut wrong = Vec::new();
    for stream in streams() {
        let expected = fs::read_to_string(stream.file.with_extension("deltas")).unwrap_or_default();
        let heard: String = whole(&stream).iter().map(line).collect();
        if heard != expected {
            wrong.push(format!("{stream:?}\n--- expected\n{expected}--- heard\n{heard}"));
        }
    }
    none_wrong(&wrong);
}

#[test]
fn line_ends_and_comments_change_nothing() {
    let mut wrong = Vec::new();
    for stream in streams() {
        let text = String::from_utf8(stream.bytes.clone()).unwrap();
        for (how, other) in [
            ("CRLF", text.replace('\n', "\r\n")),
            ("CR", text.replace('\n', "\r")),
            ("byte order mark", format!("\u{feff}{text}")),
            ("comments", text.replace("\n\n", "\n: PROCESSING\n\n: PROCESSING\n\n")),
        ] {
            if heard(&stream.wire, [other.as_bytes()]) != whole(&stream) {
                wrong.push(format!("{stream:?} with {how}"));
            }
        }
    }
    none_wrong(&wrong);
}

/// The trap table's third row, for every place where a connection can break between events.
#[test]
fn a_stream_cut_after_any_event_is_whole_or_cut() {
    let mut wrong = Vec::new();
    for stream in streams() {
        let all = whole(&stream);
        let text = String::from_utf8(stream.bytes.clone()).unwrap();
        for (end, _) in text.match_indices("\n\n") {
            let heard = heard(&stream.wire, [&stream.bytes[..end + 2]]);
            wrong.extend(broken(&all, &heard).map(|why| format!("{stream:?} cut at {end}: {why}")));
        }
    }
    none_wrong(&wrong);
}

/// What is wrong with what was heard of a stream that was cut.
fn broken(all: &[Result<Delta, ModelError>], heard: &[Result<Delta, ModelError>]) -> Option<String> {
    if !text_of(all).starts_with(&text_of(heard)) {
        return Some(format!("the text {:?}", text_of(heard)));
    }
    match heard.last() {
        Some(Ok(Delta::Done(reply))) => match reply_of(all) {
            // Only counts may come after the end is known.
            Some(whole) if whole.blocks == reply.blocks && whole.stop == reply.stop => None,
            Some(_) | None => Some(format!("a reply {reply:?}")),
        },
        Some(Err(ModelError::Cut)) => None,
        Some(Err(_)) if all.last() == heard.last() => None,
        other => Some(format!("ends with {other:?}")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_in_any_pieces_says_the_same(
        stream in proptest::sample::select(streams()),
        mut at in proptest::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let mut rest = &stream.bytes[..];
        let mut pieces = Vec::new();
        for index in at.drain(..) {
            let (piece, more) = rest.split_at(index.index(rest.len().clamp(1, 60)).min(rest.len()));
            pieces.push(piece);
            rest = more;
        }
        pieces.push(rest);
        prop_assert_eq!(heard(&stream.wire, pieces), whole(&stream));
    }

    #[test]
    fn a_stream_byte_by_byte_says_the_same(stream in proptest::sample::select(streams())) {
        prop_assert_eq!(heard(&stream.wire, stream.bytes.chunks(1)), whole(&stream));
    }

    #[test]
    fn a_stream_cut_at_any_byte_is_whole_or_cut(
        stream in proptest::sample::select(streams()),
        at in any::<prop::sample::Index>(),
    ) {
        let end = at.index(stream.bytes.len() + 1);
        let heard = heard(&stream.wire, [&stream.bytes[..end]]);
        prop_assert_eq!(broken(&whole(&stream), &heard), None);
    }

    /// One byte of a stream is another: no panic, and an end.
    #[test]
    fn a_stream_with_a_wrong_byte_has_an_end(
        stream in proptest::sample::select(streams()),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = stream.bytes.clone();
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let heard = heard(&stream.wire, [&bytes[..]]);
        prop_assert!(matches!(heard.last(), Some(Err(_) | Ok(Delta::Done(_)))));
    }

    #[test]
    fn garbage_has_an_end(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        for (_, wire) in wires("http://localhost") {
            let heard = heard(&wire, [&bytes[..]]);
            prop_assert!(matches!(heard.last(), Some(Err(_))), "{:?}", heard);
        }
    }
}

/// 10 MB of text in small events: all of it arrives, once.
#[test]
fn ten_megabytes_of_text_arrive() {
    let mut wrong = Vec::new();
    for stream in streams().iter().filter(|stream| stream.file.file_stem().is_some_and(|name| name == "text")) {
        let text = String::from_utf8(stream.bytes.clone()).unwrap();
        let event = text.split_inclusive("\n\n").find(|event| event.contains("Hello")).unwrap();
        let long = event.replace("Hello", &"0123456789".repeat(1_000));
        let many = text.replacen(event, &long.repeat(1_000), 1);
        let heard = heard(&stream.wire, many.as_bytes().chunks(16_384));
        if text_of(&heard).len() < 10_000_000 || reply_of(&heard).is_none() {
            wrong.push(format!("{stream:?}: {} bytes", text_of(&heard).len()));
        }
    }
    none_wrong(&wrong);
}
