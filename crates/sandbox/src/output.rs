//! What a command printed, in bounded memory: the first and the last of it.

use std::collections::VecDeque;

/// The head and the tail of a stream of bytes, and how long it was.
#[derive(Clone, Debug)]
pub struct Output {
    head_limit: usize,
    tail_limit: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Output {
    /// Keeps at most `limit` bytes: the first half and the last half of what does not fit.
    pub fn new(limit: usize) -> Self {
        let head_limit = limit / 2;
        Self { head_limit, tail_limit: limit - head_limit, head: Vec::new(), tail: VecDeque::new(), total: 0 }
    }

    /// Takes in the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(self.tail_limit)..];
        let overflow = (self.tail.len() + rest.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..overflow);
        self.tail.extend(rest);
    }

    /// What was kept, as it was printed.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.head.iter().chain(&self.tail).copied().collect()
    }

    /// Bytes that were printed.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Bytes that were printed and not kept.
    pub fn cut(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// The text, with a line in the middle that says what was cut. Bytes that are not UTF-8 stand as
    /// U+FFFD.
    pub fn text(&self) -> String {
        let (front, back) = self.tail.as_slices();
        match self.cut() {
            0 => String::from_utf8_lossy(&[&self.head, front, back].concat()).into_owned(),
            cut => format!(
                "{}\n[… {cut} of {} bytes cut here …]\n{}",
                String::from_utf8_lossy(whole_chars(&self.head)),
                self.total,
                String::from_utf8_lossy(&after_partial_char(&[front, back].concat())),
            ),
        }
    }

    /// Gives out what was kept, and starts anew with the same limit.
    pub fn take(&mut self) -> Self {
        let limit = self.head_limit + self.tail_limit;
        std::mem::replace(self, Self::new(limit))
    }
}

/// `bytes` without a character that the cut left incomplete at the end.
fn whole_chars(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// `bytes` without the continuation bytes of a character that the cut left incomplete at the start.
fn after_partial_char(bytes: &[u8]) -> Vec<u8> {
    let partial = bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    bytes[partial..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// limit, pieces pushed, text
    #[test]
    fn head_and_tail() {
        let rows: &[(usize, &[&str], &str)] = &[
            (8, &[], ""),
            (8, &["abc", "def"], "abcdef"),
            (8, &["abcd", "efgh"], "abcdefgh"),
            (8, &["abcd", "efghi"], "abcd\n[… 1 of 9 bytes cut here …]\nfghi"),
            (8, &["abcdefghijklmnop"], "abcd\n[… 8 of 16 bytes cut here …]\nmnop"),
            (8, &["abc", "défghijklmnop"], "abcd\n[… 9 of 17 bytes cut here …]\nmnop"),
            (6, &["aaé", "bbbb", "éa"], "aa\n[… 5 of 11 bytes cut here …]\néa"),
            (3, &["abcdé"], "a\n[… 3 of 6 bytes cut here …]\né"),
            (5, &["ab", "cdefé€"], "ab\n[… 6 of 11 bytes cut here …]\n€"),
        ];
        let wrong: Vec<_> = rows
            .iter()
            .filter_map(|(limit, pieces, text)| {
                let mut output = Output::new(*limit);
                pieces.iter().for_each(|piece| output.push(piece.as_bytes()));
                (output.text() != *text).then(|| format!("{limit} {pieces:?}: {:?}, not {text:?}", output.text()))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn taking_starts_anew() {
        let mut output = Output::new(4);
        output.push(b"abcdef");
        assert_eq!(output.take().total(), 6);
        output.push(b"xy");
        assert_eq!((output.text().as_str(), output.total(), output.cut()), ("xy", 2, 0));
    }
}
