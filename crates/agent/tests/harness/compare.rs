//! The lines of a story against what was heard, lane by lane.

use super::line::fits;
use super::screenplay::{DONE, Expected};

/// One thing that was heard, or done.
#[derive(Clone, Debug)]
pub struct Heard {
    /// The marker.
    pub kind: &'static str,
    /// The words.
    pub text: String,
    /// For a model's turn its number in the lane, for what was done its line.
    pub number: usize,
}

/// Characters of one line in a report.
const SHOWN: usize = 220;

/// What differs: lines of the story that were not heard (`-`), and what was heard that no line of
/// the story is for (`+`).
pub fn compare(lane: &str, expected: &[Expected], heard: &[Heard]) -> Vec<String> {
    let fit = |at: usize, of: usize| -> bool {
        let (wanted, heard) = (&expected[at], &heard[of]);
        wanted.kind == heard.kind
            && match wanted.kind {
                DONE => wanted.line == heard.number,
                "model" => wanted.turn == heard.number,
                _ => fits(&wanted.text, &heard.text),
            }
    };
    // The longest way through both that keeps their order.
    let mut best = vec![vec![0usize; heard.len() + 1]; expected.len() + 1];
    for at in (0..expected.len()).rev() {
        for of in (0..heard.len()).rev() {
            let skip = best[at + 1][of].max(best[at][of + 1]);
            best[at][of] = if fit(at, of) { skip.max(best[at + 1][of + 1] + 1) } else { skip };
        }
    }
    let whose = if lane.is_empty() { String::new() } else { format!("{lane} ") };
    let mut wrong = Vec::new();
    let (mut at, mut of, mut line) = (0, 0, 0);
    while at < expected.len() || of < heard.len() {
        if at < expected.len() && of < heard.len() && fit(at, of) && best[at][of] == best[at + 1][of + 1] + 1 {
            line = expected[at].line;
            (at, of) = (at + 1, of + 1);
        } else if of == heard.len() || (at < expected.len() && best[at + 1][of] >= best[at][of + 1]) {
            let Expected { line: number, kind, text, .. } = &expected[at];
            line = *number;
            wrong.push(format!("line {number:<4} - {}", shown(&whose, kind, text)));
            at += 1;
        } else {
            wrong.push(format!("after {line:<3} + {}", shown(&whose, heard[of].kind, &heard[of].text)));
            of += 1;
        }
    }
    wrong
}

fn shown(whose: &str, kind: &str, text: &str) -> String {
    let text = super::line::flat(text);
    let cut = text.char_indices().nth(SHOWN).map_or(text.clone(), |(at, _)| format!("{}…", &text[..at]));
    if kind == DONE { cut } else { format!("{whose}{kind}> {cut}") }
}
