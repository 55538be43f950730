//! A story, parsed: what is given, what is done, and what must be heard.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::line;

/// Who acts: empty for the main thread, `Explore` for the first agent of that type, `Explore 2` for
/// the second.
pub type Lane = String;

/// A story.
#[derive(Debug, Default)]
pub struct Story {
    /// What is given, with line numbers.
    pub givens: Vec<(usize, String)>,
    /// What is done and checked, in order.
    pub beats: Vec<Beat>,
    /// The turns of each model, of everyone who asks it, for its script.
    turns: BTreeMap<(String, Lane), Vec<Value>>,
    /// How many turns of a model each lane has, whichever model it asks.
    asked: BTreeMap<Lane, usize>,
    /// What must be heard, lane by lane. What is done stands in the main lane too.
    pub expected: BTreeMap<Lane, Vec<Expected>>,
}

/// One thing done or checked.
#[derive(Clone, Debug)]
pub struct Beat {
    /// Where it stands.
    pub line: usize,
    /// What it is.
    pub act: Act,
    /// What is done, or to what.
    pub text: String,
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Words, a command or a key of the user.
    User,
    /// The user answers the open question.
    Answer,
    /// The user asks about the plan that waits.
    Asks(Then),
    /// The user answers the question settled last, again.
    Late,
    /// Somebody answers a question that was never put.
    Stray,
    /// The user says something while something happens.
    During(Trigger),
    /// Something happens around the program.
    World,
    /// The session is closed and opened again.
    Reopen,
    /// The program is killed.
    Kill,
    /// A second session begins beside the first.
    Another,
    /// Something is checked.
    Then,
}

/// What the user does once the model is asked about a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Waits for its answer.
    Waits,
    /// Wants no answer any more.
    Stops,
    /// Presses the key that stops a turn.
    Interrupts,
    /// Goes on.
    GoesOn,
}

/// What the user waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A request by this lane.
    Request(Lane),
    /// The first piece of the assistant's text.
    Text,
    /// A request that will be put again.
    Again,
    /// A process has written to this pipe.
    Pipe(String),
    /// This tool was called.
    Called(String),
}

/// One line that must be heard.
#[derive(Clone, Debug)]
pub struct Expected {
    /// Where it stands.
    pub line: usize,
    /// The marker.
    pub kind: &'static str,
    /// How what is heard must begin; the whole for what is done.
    pub text: String,
    /// For `model`, which turn of its lane it is, from 0.
    pub turn: usize,
}

/// The markers of lines that are heard.
const HEARD: &[&str] = &[
    "model",
    "tool",
    "ask",
    "note",
    "mode",
    "said",
    "warn",
    "error",
    "offer",
    "end",
    "reminded",
    "again",
    "compacted",
    "wish",
    "aside",
];
/// The model that is asked unless another is named.
pub const MAIN: &str = "main";
/// The others: the one while planning, the one of `Explore` agents, the one when another gives up, and
/// one that only `/model other` takes.
const MODELS: &[&str] = &["plan", "explore", "fallback", "other"];
/// The kind of a line that is done.
pub const DONE: &str = "done";

impl Story {
    /// Parses a story, or lists everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let mut story = Self::default();
        let mut wrong = Vec::new();
        let lines: Vec<_> = text.lines().map(str::trim).enumerate().map(|(at, line)| (at + 1, line)).collect();
        for block in lines.chunk_by(|(_, a), (_, b)| times(a).0 > 1 && times(a).0 == times(b).0) {
            for _ in 0..times(block[0].1).0 {
                for (number, line) in block {
                    if let Err(why) = story.take(*number, times(line).1) {
                        wrong.push(format!("line {number}: {why}"));
                    }
                }
            }
        }
        if story.beats.is_empty() {
            wrong.push("the story does nothing".to_owned());
        }
        if wrong.is_empty() { Ok(story) } else { Err(wrong) }
    }

    fn take(&mut self, number: usize, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if let Some(given) = line.strip_prefix("given ") {
            if !self.beats.is_empty() || !self.expected.is_empty() {
                return Err("what is given stands before what happens".to_owned());
            }
            self.givens.push((number, given.trim().to_owned()));
            return Ok(());
        }
        if let Some(check) = line.strip_prefix("then ") {
            self.beats.push(Beat { line: number, act: Act::Then, text: check.trim().to_owned() });
            return Ok(());
        }
        let (head, rest) = line.split_once('>').ok_or("this is no line of a story")?;
        let words: Vec<_> = head.split_whitespace().collect();
        match act(&words)? {
            Some(act) => self.done(number, act, rest.trim(), line),
            None => self.heard(number, &words, rest.trim()),
        }
    }

    fn done(&mut self, number: usize, act: Act, text: &str, line: &str) -> Result<(), String> {
        if !matches!(act, Act::During(_)) {
            let done = Expected { line: number, kind: DONE, text: line.to_owned(), turn: 0 };
            self.expected.entry(Lane::new()).or_default().push(done);
        }
        self.beats.push(Beat { line: number, act, text: text.to_owned() });
        Ok(())
    }

    fn heard(&mut self, number: usize, words: &[&str], text: &str) -> Result<(), String> {
        let at = words.iter().position(|word| HEARD.contains(word)).ok_or("there is no such marker")?;
        let kind = HEARD.iter().find(|kind| **kind == words[at]).copied().unwrap_or_default();
        let (lane, options) = (lane(&words[..at])?, &words[at + 1..]);
        if kind != "model" && !options.is_empty() {
            return Err(format!("`{}` is not understood", options.join(" ")));
        }
        let mut turn = 0;
        if kind == "model" {
            let (model, options) = match options {
                [name, more @ ..] if MODELS.contains(name) => (*name, more),
                options => (MAIN, options),
            };
            let asked = self.asked.entry(lane.clone()).or_default();
            turn = *asked;
            *asked += 1;
            let turns = self.turns.entry((model.to_owned(), lane.clone())).or_default();
            turns.push(line::turn(options, text)?);
        }
        let expected = Expected { line: number, kind, text: text.to_owned(), turn };
        self.expected.entry(lane).or_default().push(expected);
        Ok(())
    }

    /// The models besides the main one.
    pub fn other_models(&self) -> impl Iterator<Item = &'static str> {
        MODELS.iter().copied().filter(|name| self.turns.keys().any(|(model, _)| model == name))
    }

    /// The script that a model plays.
    pub fn script(&self, model: &str) -> Value {
        let mut agents: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        let mut main = Vec::new();
        for ((_, lane), turns) in self.turns.iter().filter(|((of, _), _)| of == model) {
            if lane.is_empty() {
                main.clone_from(turns);
                continue;
            }
            let (name, number) = lane.split_once(' ').unwrap_or((lane, "1"));
            let number: usize = number.parse().unwrap();
            let lists = agents.entry(name).or_default();
            lists.resize(lists.len().max(number), json!([]));
            lists[number - 1] = json!(turns);
        }
        json!({"turns": main, "agents": agents})
    }

    /// The line of a model's turn.
    pub fn turn_line(&self, lane: &str, turn: usize) -> Option<&Expected> {
        self.expected.get(lane)?.iter().find(|line| line.kind == "model" && line.turn == turn)
    }
}

/// How often a line is there (`50x tool> …`; lines one after the other with the same number repeat as
/// a block), and the line without it.
fn times(line: &str) -> (usize, &str) {
    let counted = line.split_once("x ").and_then(|(count, rest)| Some((count.parse().ok()?, rest)));
    counted.unwrap_or((1, line))
}

fn act(words: &[&str]) -> Result<Option<Act>, String> {
    Ok(Some(match words {
        ["user"] => Act::User,
        ["answer"] => Act::Answer,
        ["asks"] => Act::Asks(Then::Waits),
        ["asks", "and", "stops"] => Act::Asks(Then::Stops),
        ["asks", "and", "interrupts"] => Act::Asks(Then::Interrupts),
        ["asks", "and", "goes", "on"] => Act::Asks(Then::GoesOn),
        ["late"] => Act::Late,
        ["stray"] => Act::Stray,
        ["world"] => Act::World,
        ["reopen"] => Act::Reopen,
        ["kill"] => Act::Kill,
        ["another"] => Act::Another,
        ["during", "again"] => Act::During(Trigger::Again),
        ["during", "text"] => Act::During(Trigger::Text),
        ["during", "pipe", name] => Act::During(Trigger::Pipe((*name).to_owned())),
        ["during", before @ .., "request"] => Act::During(Trigger::Request(lane(before)?)),
        ["during", tool] => Act::During(Trigger::Called((*tool).to_owned())),
        _ => return Ok(None),
    }))
}

/// `main`, `TYPE` or `TYPE N`.
pub fn lane(words: &[&str]) -> Result<Lane, String> {
    match words {
        [] | ["main"] => Ok(Lane::new()),
        [name] | [name, "1"] => Ok((*name).to_owned()),
        [name, number] if number.parse::<usize>().is_ok_and(|n| n > 1) => Ok(format!("{name} {number}")),
        other => Err(format!("`{}` names no agent", other.join(" "))),
    }
}
