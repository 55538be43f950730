//! The lines of a log, one at a time, in bounded memory.

use std::io::{self, BufRead, BufReader, Read};

use planwright_core::bounds;

/// Bytes read from the disk at once.
const CHUNK: usize = 256 << 10;

/// One line, without its newline.
pub(crate) struct Line<'a> {
    /// Counts from 1.
    pub number: usize,
    /// Where it begins in the file.
    pub start: u64,
    /// What it holds; empty if it is too long.
    pub bytes: &'a [u8],
    /// Whether a newline ends it. Only the last line of a file can lack one.
    pub whole: bool,
    /// It is longer than [`bounds::LOG_LINE_BYTES`].
    pub too_long: bool,
}

/// Shows every line to `each`, until it says stop.
pub(crate) fn for_each(file: impl Read, mut each: impl FnMut(Line<'_>) -> Flow) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let mut bytes = Vec::new();
    let (mut number, mut start) = (0, 0_u64);
    loop {
        bytes.clear();
        let limit = bounds::LOG_LINE_BYTES as u64 + 1;
        let mut length = reader.by_ref().take(limit).read_until(b'\n', &mut bytes)? as u64;
        if length == 0 {
            return Ok(());
        }
        number += 1;
        let mut whole = bytes.pop_if(|last| *last == b'\n').is_some();
        let too_long = !whole && length == limit;
        if too_long {
            bytes = Vec::new();
            let rest = reader.skip_until(b'\n')? as u64;
            length += rest;
            // What is too long is passed over; whether a newline ends it no longer matters.
            whole = true;
        }
        let line = Line { number, start, bytes: &bytes, whole, too_long };
        if each(line) == Flow::Stop {
            return Ok(());
        }
        start += length;
    }
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Next,
    Stop,
}
