//! `{a,b}` and `{1..3}`.

use super::{Cursor, Parsed};
use crate::syntax::{Piece, Word};

/// The most words that one word may become.
const MOST: usize = 64;
/// The most braces that are looked at in one word.
const MOST_LISTS: usize = 16;

impl Cursor<'_> {
    /// Appends what `word` becomes.
    pub(super) fn braces(&self, word: Word, into: &mut Vec<Word>) -> Parsed<()> {
        let unquoted = |piece: &Piece| matches!(piece, Piece::Text { text, quoted: false } if text.contains('{'));
        if !word.pieces.iter().any(unquoted) {
            into.push(word);
            return Ok(());
        }
        let span = word.span.clone();
        let texts = || {
            word.pieces.iter().filter_map(|piece| match piece {
                Piece::Text { text, quoted: false } => Some(text.as_str()),
                _ => None,
            })
        };
        if !texts().any(|text| text.contains(',') || text.contains("..")) {
            into.push(word);
            return Ok(());
        }
        if texts().map(|text| text.matches('{').count()).sum::<usize>() > MOST_LISTS {
            return Err(self.fail_at(span.start, "braces that make too many words"));
        }
        let mut done = vec![Vec::new()];
        let mut rest = split(word.pieces);
        rest.reverse();
        while let Some(piece) = rest.pop() {
            let Unit::Open = piece else {
                done.iter_mut().for_each(|pieces: &mut Vec<Unit>| pieces.push(piece.clone()));
                continue;
            };
            match self.brace_list(&mut rest, span.start)? {
                None => done.iter_mut().for_each(|pieces| pieces.push(Unit::Open)),
                Some(choices) => {
                    if done.len() * choices.len() > MOST {
                        return Err(self.fail_at(span.start, "braces that make too many words"));
                    }
                    done = done
                        .iter()
                        .flat_map(|before| {
                            choices.iter().map(move |choice| [before.as_slice(), choice.as_slice()].concat())
                        })
                        .collect();
                }
            }
        }
        for units in done {
            let pieces = join(units);
            // A word that is empty and without quotes is no word.
            if !pieces.is_empty() {
                into.push(Word { pieces, span: span.clone() });
            }
        }
        Ok(())
    }

    /// The alternatives of the group whose `{` was just taken; `None` if it stands for itself, and
    /// then `rest` is as before.
    fn brace_list(&self, rest: &mut Vec<Unit>, at: usize) -> Parsed<Option<Vec<Vec<Unit>>>> {
        let refuse = Err(self.fail_at(at, "braces that are not plainly a list"));
        let close = rest.iter().rposition(|unit| matches!(unit, Unit::Close));
        let Some(close) = close else {
            let listed = rest.iter().any(|unit| matches!(unit, Unit::Comma)) || dotted(rest);
            return if listed { refuse } else { Ok(None) };
        };
        let mut inner: Vec<Unit> = rest[close + 1..].iter().rev().cloned().collect();
        if inner.iter().any(|unit| matches!(unit, Unit::Open)) {
            return refuse;
        }
        if inner.iter().any(|unit| matches!(unit, Unit::Comma)) {
            rest.truncate(close);
            return Ok(Some(inner.split(|unit| matches!(unit, Unit::Comma)).map(<[Unit]>::to_vec).collect()));
        }
        if !dotted(&inner) {
            // `{}`, `@{0}`: but what follows could still pair with this brace.
            let later = rest[..close].iter().any(|unit| matches!(unit, Unit::Comma))
                && rest[..close].iter().any(|unit| matches!(unit, Unit::Close));
            return if later && !rest[..close].iter().any(|unit| matches!(unit, Unit::Open)) {
                refuse
            } else {
                Ok(None)
            };
        }
        let (Some(Unit::Piece(Piece::Text { text, quoted: false })), true) = (inner.pop(), inner.is_empty()) else {
            return refuse;
        };
        let number = |text: &str| text.parse::<i32>().ok().filter(|_| text.len() < 6 && !text.starts_with(['0', '+']));
        let (Some((Some(first), Some(last))), true) =
            (text.split_once("..").map(|(first, last)| (number(first), number(last))), text.is_ascii())
        else {
            return refuse;
        };
        if first.abs_diff(last) as usize >= MOST {
            return Err(self.fail_at(at, "braces that make too many words"));
        }
        rest.truncate(close);
        let step = if first <= last { 1 } else { -1 };
        let count = i32::try_from(first.abs_diff(last)).expect("the range is short");
        let text = |n: i32| Unit::Piece(Piece::Text { text: n.to_string(), quoted: false });
        Ok(Some((0..=count).map(|n| vec![text(first + n * step)]).collect()))
    }
}

/// A word cut at its unquoted braces and commas.
#[derive(Clone, Debug)]
enum Unit {
    Open,
    Close,
    Comma,
    Piece(Piece),
}

fn dotted(units: &[Unit]) -> bool {
    units.iter().any(|unit| matches!(unit, Unit::Piece(Piece::Text { text, quoted: false }) if text.contains("..")))
}

fn split(pieces: Vec<Piece>) -> Vec<Unit> {
    let mut units = Vec::new();
    for piece in pieces {
        let Piece::Text { text, quoted: false } = &piece else {
            units.push(Unit::Piece(piece));
            continue;
        };
        let mut plain = String::new();
        for c in text.chars() {
            let unit = match c {
                '{' => Unit::Open,
                '}' => Unit::Close,
                ',' => Unit::Comma,
                c => {
                    plain.push(c);
                    continue;
                }
            };
            if !plain.is_empty() {
                units.push(Unit::Piece(Piece::Text { text: std::mem::take(&mut plain), quoted: false }));
            }
            units.push(unit);
        }
        if !plain.is_empty() {
            units.push(Unit::Piece(Piece::Text { text: plain, quoted: false }));
        }
    }
    units
}

fn join(units: Vec<Unit>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for unit in units {
        let piece = match unit {
            Unit::Piece(piece) => piece,
            sign => {
                let text = match sign {
                    Unit::Open => "{",
                    Unit::Close => "}",
                    _ => ",",
                };
                Piece::Text { text: text.to_owned(), quoted: false }
            }
        };
        match (pieces.last_mut(), &piece) {
            (Some(Piece::Text { text: before, quoted: false }), Piece::Text { text, quoted: false }) => {
                before.push_str(text)
            }
            _ => pieces.push(piece),
        }
    }
    pieces
}
