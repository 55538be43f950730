//! The decoder, row by row (WHATWG HTML section 9.2, and what servers do to it).

use planwright_core::bounds;
use planwright_model::sse::{Decoder, TooLong};
use proptest::prelude::*;

use super::none_wrong;

fn decoded<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
    let mut decoder = Decoder::default();
    let mut events: Vec<_> = pieces.into_iter().flat_map(|piece| decoder.push(piece).unwrap()).collect();
    events.extend(decoder.finish());
    events.into_iter().map(|event| event.data).collect()
}

#[test]
fn rows() {
    let rows: &[(&str, &str, &[&str])] = &[
        ("nothing", "", &[]),
        ("one event", "data: a\n\n", &["a"]),
        ("no space after the colon", "data:a\n\n", &["a"]),
        ("only the first space goes", "data:  a\n\n", &[" a"]),
        ("a colon in the value", "data: a: b\n\n", &["a: b"]),
        ("several lines of data", "data: a\ndata: b\n\n", &["a\nb"]),
        ("an empty line of data", "data\ndata:\n\n", &["\n"]),
        ("a name and other fields", "event: x\nid: 1\nretry: 5\nfoo: bar\nfoo\ndata: a\n\n", &["a"]),
        ("a name alone is no event", "event: ping\n\ndata: a\n\n", &["a"]),
        ("comments", ": hello\n\n:\ndata: a\n: b\n\n", &["a"]),
        ("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]),
        ("CR", "data: a\r\rdata: b\r\r", &["a", "b"]),
        ("a mixture", "data: a\r\n\ndata: b\r\r\ndata: c\n\r", &["a", "b", "c"]),
        ("a byte order mark", "\u{feff}data: a\n\n", &["a"]),
        ("a byte order mark later is text", "data: a\n\n\u{feff}data: b\n\n", &["a"]),
        ("the last empty line is missing", "data: a\n\ndata: b\n", &["a", "b"]),
        ("the last line is not ended", "data: a\n\ndata: b", &["a", "b"]),
        ("a NUL and other controls", "data: a\0b\u{b}c\n\n", &["a\0b\u{b}c"]),
        ("line separators of Unicode end no line", "data: a\u{2028}b\u{85}c\n\n", &["a\u{2028}b\u{85}c"]),
    ];
    let mut wrong = Vec::new();
    for (name, text, expected) in rows {
        for (how, got) in [("whole", decoded([text.as_bytes()])), ("by bytes", decoded(text.as_bytes().chunks(1)))] {
            if got != *expected {
                wrong.push(format!("{name}, {how}: {got:?}, not {expected:?}"));
            }
        }
    }
    none_wrong(&wrong);
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    assert_eq!(decoded([&b"data: a\xffb\n\n"[..]]), ["a\u{fffd}b"]);
}

#[test]
fn an_endless_line_is_an_error() {
    let mut decoder = Decoder::default();
    let part = vec![b'x'; 1 << 20];
    let parts = bounds::EVENT_BYTES / part.len();
    for _ in 0..parts {
        assert_eq!(decoder.push(&part), Ok(Vec::new()));
    }
    assert_eq!(decoder.push(&part), Err(TooLong));
}

#[test]
fn an_endless_event_is_an_error() {
    let mut decoder = Decoder::default();
    let line = [b"data: ".as_slice(), &vec![b'x'; 1 << 20], b"\n"].concat();
    let lines = bounds::EVENT_BYTES >> 20;
    let ended = (0..=lines).find_map(|_| decoder.push(&line).err());
    assert_eq!(ended, Some(TooLong));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Chunk borders do not matter, whatever the bytes are.
    #[test]
    fn any_bytes_in_any_pieces_are_the_same_events(
        text in "(data|event|id|:|x)?[: ]{0,2}[a-c漢\u{feff}]{0,3}(\r|\n|\r\n){0,3}((data)?:? ?[a-c]{0,3}(\r|\n|\r\n){0,3}){0,8}",
        cut in proptest::collection::vec(any::<bool>(), 0..200),
    ) {
        let bytes = text.as_bytes();
        let mut pieces = vec![Vec::new()];
        for (at, byte) in bytes.iter().enumerate() {
            if cut.get(at).copied().unwrap_or(false) {
                pieces.push(Vec::new());
            }
            pieces.last_mut().expect("there is one").push(*byte);
        }
        prop_assert_eq!(decoded(pieces.iter().map(Vec::as_slice)), decoded([bytes]));
    }
}
