//! Server-sent events, decoded from bytes as they come (WHATWG HTML, section 9.2). Pure.
//!
//! What the providers do to it (protocols.md, trap 1): chunks end inside a UTF-8 character or
//! between CR and LF, comments keep the line open, unknown fields appear. Bytes are cut into lines
//! before they are text, so no chunk border can matter.

use planwright_core::bounds;

/// One event: the `data` lines joined by line feeds. The event's name is left out: every provider
/// repeats it inside the data, and some send only there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The data.
    pub data: String,
}

/// An event of more than [`bounds::EVENT_BYTES`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event has more than {} MB", bounds::EVENT_BYTES >> 20)]
pub struct TooLong;

/// Decodes one stream.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The line that is not ended yet, without its end.
    line: Vec<u8>,
    /// The data of the event that is not ended yet; `None` before its first `data` line.
    data: Option<String>,
    /// The last byte was CR: an LF that follows belongs to it.
    after_cr: bool,
    /// The first line, which may begin with a byte order mark, is over.
    begun: bool,
}

impl Decoder {
    /// Takes the next bytes and yields the events that they complete.
    ///
    /// # Errors
    /// A line, or the data of an event, is longer than [`bounds::EVENT_BYTES`].
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        if std::mem::take(&mut self.after_cr) && !bytes.is_empty() {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        } else if bytes.is_empty() {
            return Ok(events);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
            self.grow(&bytes[..end])?;
            let cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if cr {
                self.after_cr = bytes.is_empty();
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
            events.extend(self.line_ended()?);
        }
        self.grow(bytes)?;
        Ok(events)
    }

    /// The stream is over. Yields what the missing last empty line would have completed: some
    /// servers forget it. The data may be half, if the stream was cut; as it is JSON, that shows.
    pub fn finish(mut self) -> Option<Event> {
        let last = if self.line.is_empty() { None } else { self.line_ended().ok()? };
        last.or_else(|| self.data.take().map(|data| Event { data }))
    }

    fn grow(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + bytes.len() > bounds::EVENT_BYTES {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn line_ended(&mut self) -> Result<Option<Event>, TooLong> {
        let line = std::mem::take(&mut self.line);
        let line = if std::mem::replace(&mut self.begun, true) {
            &line[..]
        } else {
            line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line)
        };
        if line.is_empty() {
            return Ok(self.data.take().map(|data| Event { data }));
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            // A comment.
            Some(0) => return Ok(None),
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &b""[..]),
        };
        if field == b"data" {
            let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
            match &mut self.data {
                None => self.data = Some(value.into_owned()),
                Some(data) if data.len() + value.len() >= bounds::EVENT_BYTES => return Err(TooLong),
                Some(data) => {
                    data.push('\n');
                    data.push_str(&value);
                }
            }
        }
        Ok(None)
    }
}
