//! How the two sides of a box speak: numbers and byte strings, each with its length before it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// Longest message that is read: a report of changes, or a policy with a very long command line.
pub(crate) const MESSAGE_LIMIT: usize = 64 << 20;

/// A message being written.
#[derive(Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn text(&mut self, text: impl AsRef<OsStr>) {
        self.bytes(text.as_ref().as_bytes());
    }

    pub(crate) fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        items.iter().for_each(|item| each(self, item));
    }

    pub(crate) fn option<T>(&mut self, item: Option<&T>, mut each: impl FnMut(&mut Self, &T)) {
        self.list(item.as_slice(), |writer, item| each(writer, item));
    }

    /// What was written.
    pub(crate) fn body(self) -> Vec<u8> {
        self.0
    }

    /// What was written, with its length before it.
    pub(crate) fn message(self) -> Vec<u8> {
        let mut message = (self.0.len() as u64).to_le_bytes().to_vec();
        message.extend_from_slice(&self.0);
        message
    }
}

/// A message being read. `None` from any of its methods: it is not what was expected.
#[derive(Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn text(&mut self) -> Option<OsString> {
        Some(OsString::from_vec(self.bytes()?.to_vec()))
    }

    pub(crate) fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        // An item has at least one byte, so a count beyond that is a lie, and is found out in time.
        (0..count).map(|_| each(self)).collect()
    }

    pub(crate) fn option<T>(&mut self, each: impl FnMut(&mut Self) -> Option<T>) -> Option<Option<T>> {
        Some(self.list(each)?.pop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut writer = Writer::default();
        writer.number(7);
        writer.text("caf\u{e9}");
        writer.list(&["a", "", "c"], |writer, item| writer.text(item));
        writer.option(None::<&u64>, |writer, number| writer.number(*number));
        let bytes = writer.body();
        let mut reader = Reader(&bytes);
        assert_eq!(reader.number(), Some(7));
        assert_eq!(reader.text(), Some("caf\u{e9}".into()));
        assert_eq!(reader.list(Reader::text), Some(vec!["a".into(), "".into(), "c".into()]));
        assert_eq!(reader.option(Reader::number), Some(None));
        assert_eq!(reader.number(), None);
        for cut in 0..bytes.len() {
            let mut reader = Reader(&bytes[..cut]);
            let whole = reader.number().and_then(|_| reader.text()).and_then(|_| reader.list(Reader::text));
            assert!(whole.is_none() || reader.number().is_none());
        }
    }
}
