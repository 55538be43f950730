//! The scripted model: plays a file, without a network (interfaces.md section 3).
//!
//! Who asks decides what is played: the main thread has one list of turns, subagents have theirs by
//! type. A turn is used up when it is asked for, also if its stream is then dropped, and a turn with
//! an `error` is used up by failing.
//!
//! | in the script | means |
//! | --- | --- |
//! | `context_tokens`, `output_tokens`, `price` beside `turns` | what the model can do and costs; without them it has no limit and no known price |
//! | `error`: `{"status": N}`, `{"cut_after": N}`, `{"context_full": true}` | the provider fails so |
//! | `stop`: `"max_tokens"`, `"pause_turn"`, `"refusal"`, `"context_full"` | why the answer ends |
//! | `usage`: `{"input_tokens": N, …}` | what it cost |
//! | `again`: `{"after": N, "wait_ms": N}` | it breaks off after N characters, and comes whole when asked for again |
//! | `opaque`: `[…]` | blocks that only this model understands |
//! | an `input` that is a string | arguments that are no JSON, as the model wrote them |

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use planwright_core::reply::{Abilities, Again, Delta, Price, Reply, Stop};
use planwright_core::request::{AgentRef, Block, Request};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Model, ModelError, ReplyStream};

mod file;
mod recorder;

pub use file::ScriptError;
pub use recorder::Recorder;

use file::{AgentScript, End, Failure, PriceList, Retry, Script, Turn};

/// Into how many pieces a text is cut to be streamed.
const PIECES: usize = 3;

/// What `{cwd}` and `{home}` stand for. `{plan_file}` and `{session_id}` come with each request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholders {
    /// The project root.
    pub cwd: PathBuf,
    /// The user's home folder.
    pub home: PathBuf,
}

/// A model that plays a script.
#[derive(Debug)]
pub struct ScriptModel {
    file: PathBuf,
    /// First 8 hex digits of the sha256 of the file.
    digest: String,
    script: Script,
    placeholders: Placeholders,
    expectations: bool,
    position: Mutex<Position>,
}

/// The next turn of everyone who has asked.
#[derive(Debug, Default)]
struct Position {
    main: usize,
    agents: HashMap<AgentRef, usize>,
    /// How often the main thread has played the whole script before.
    lap: usize,
}

impl ScriptModel {
    /// Reads a script.
    ///
    /// # Errors
    /// The file cannot be read or is no script; the error says where and why.
    pub fn load(path: &Path, placeholders: Placeholders) -> Result<Self, ScriptError> {
        let (bytes, script) = file::read(path)?;
        let digest = Sha256::digest(&bytes).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let (file, position) = (path.to_owned(), Mutex::default());
        Ok(Self { file, digest, script, placeholders, expectations: true, position })
    }

    /// The same script with every `expect` left out: for a demo in which a person may answer
    /// otherwise than the story does.
    #[must_use]
    pub fn without_expectations(self) -> Self {
        Self { expectations: false, ..self }
    }

    /// Goes on where a session stopped, given how many whole answers of this script (same
    /// [`Model::id`], not cut) its log holds: of the main thread, and of each subagent. Turns with
    /// an `error` give no such answer and are not counted. A script that was played to its end
    /// starts over; in a later lap lists of lists begin again as well.
    pub fn set_position(&self, main_answers: usize, agents: impl IntoIterator<Item = (AgentRef, usize)>) {
        let answering = self.script.turns.iter().filter(|turn| turn.error.is_none()).count();
        let lap = main_answers.checked_div(answering).unwrap_or(0);
        let main = after(&self.script.turns, main_answers.checked_rem(answering).unwrap_or(0));
        let agents = agents
            .into_iter()
            .map(|(agent, answers)| {
                let at = self.turns(Some(&agent), lap).map_or(0, |turns| after(turns, answers));
                (agent, at)
            })
            .collect();
        *self.position.lock().unwrap_or_else(PoisonError::into_inner) = Position { main, agents, lap };
    }

    /// The turns that `agent` plays.
    fn turns(&self, agent: Option<&AgentRef>, lap: usize) -> Result<&[Turn], String> {
        let Some(AgentRef { agent_type, instance }) = agent else {
            return Ok(&self.script.turns);
        };
        match self.script.agents.get(agent_type) {
            None => Err(format!("the script has no `agents.{agent_type}`")),
            Some(AgentScript::Same(turns)) => Ok(turns),
            Some(AgentScript::Each(lists)) => {
                let n = if lap > 0 { instance % lists.len() } else { *instance };
                let reason = || format!("`agents.{agent_type}` has only {} lists of turns", lists.len());
                lists.get(n).map(Vec::as_slice).ok_or_else(reason)
            }
        }
    }

    /// Uses up the next turn of whoever asks: the turn, its number from 0, and the lap.
    fn take(&self, agent: Option<&AgentRef>) -> Result<(&Turn, usize, usize), ModelError> {
        let mut position = self.position.lock().unwrap_or_else(PoisonError::into_inner);
        let lap = position.lap;
        let next = match agent {
            None => &mut position.main,
            Some(agent) => position.agents.entry(agent.clone()).or_default(),
        };
        let number = *next;
        let turns = self.turns(agent, lap).map_err(|reason| self.error(agent, number, reason))?;
        let ran_out = || self.error(agent, number, format!("the script ran out: it has {} turns here", turns.len()));
        let turn = turns.get(number).ok_or_else(ran_out)?;
        *next += 1;
        Ok((turn, number, lap))
    }

    fn error(&self, agent: Option<&AgentRef>, number: usize, message: String) -> ModelError {
        let who = match agent {
            None => "the main thread".to_owned(),
            Some(AgentRef { agent_type, instance }) => format!("`{agent_type}` agent {}", instance + 1),
        };
        ModelError::Script { file: self.file.clone(), request: format!("request {} of {who}", number + 1), message }
    }

    fn check(&self, turn: &Turn, request: &Request, places: &Places<'_>) -> Result<(), String> {
        let expect = &turn.expect;
        if !self.expectations || (expect.contains.is_empty() && expect.not_contains.is_empty()) {
            return Ok(());
        }
        let text = request.as_text();
        let mut broken = Vec::new();
        for phrase in places.fill_all(&expect.contains)? {
            if !text.contains(&phrase) {
                broken.push(format!("the request does not contain `{phrase}`"));
            }
        }
        for phrase in places.fill_all(&expect.not_contains)? {
            if text.contains(&phrase) {
                broken.push(format!("the request contains `{phrase}`"));
            }
        }
        if broken.is_empty() { Ok(()) } else { Err(broken.join("; ")) }
    }

    /// The answer of a turn.
    fn reply(
        &self,
        turn: &Turn,
        agent: Option<&AgentRef>,
        number: usize,
        lap: usize,
        places: &Places<'_>,
    ) -> Result<Reply, String> {
        let opaque = |value: &Value| Block::Opaque { provider: self.id(), value: value.clone() };
        let mut blocks: Vec<_> = turn.opaque.iter().map(opaque).collect();
        let text = places.fill(&turn.text)?;
        if !text.is_empty() {
            blocks.push(Block::Text { text });
        }
        for (k, call) in turn.tools.iter().enumerate() {
            let id = self.call_id(agent, number, k, lap);
            blocks.push(Block::ToolUse { id, name: places.fill(&call.name)?, input: places.fill_value(&call.input)? });
        }
        let whole = if turn.tools.is_empty() { Stop::EndTurn } else { Stop::ToolUse };
        Ok(Reply { blocks, stop: turn.stop.map_or(whole, End::stop), usage: turn.usage })
    }

    /// An id that no other call of the session has, and that a replay gives again: which script,
    /// whose turn, which turn, which call; and the lap, if the script started over. Made of the
    /// characters that providers admit, should the session go on with another model.
    fn call_id(&self, agent: Option<&AgentRef>, number: usize, k: usize, lap: usize) -> String {
        let mut id = format!("toolu_{}_{}_{}", self.digest, number + 1, k + 1);
        if let Some(AgentRef { agent_type, instance }) = agent {
            let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
            id += &format!("_{}{instance}", agent_type.chars().map(plain).collect::<String>());
        }
        if lap > 0 {
            id += &format!("_lap{}", lap + 1);
        }
        id
    }

    /// What the stream will do.
    fn steps(&self, request: &Request) -> Vec<Step> {
        let agent = request.agent.as_ref();
        let (turn, number, lap) = match self.take(agent) {
            Ok(taken) => taken,
            Err(error) => return vec![Step::Say(Err(error))],
        };
        let places = Places { placeholders: &self.placeholders, request };
        let checked = self.check(turn, request, &places);
        let mut steps = vec![Step::Wait(Duration::from_millis(turn.delay_ms))];
        let reply = match checked.and_then(|()| self.reply(turn, agent, number, lap, &places)) {
            Ok(reply) => reply,
            Err(message) => {
                steps.push(Step::Say(Err(self.error(agent, number, message))));
                return steps;
            }
        };
        let texts = reply.blocks.iter().find_map(|block| match block {
            Block::Text { text } => Some(text.clone()),
            Block::ToolUse { .. } | Block::Opaque { .. } => None,
        });
        let text = texts.unwrap_or_default();
        let begin = |characters: usize| said(&text.chars().take(characters).collect::<String>());
        if let Some(Retry { after, wait_ms }) = turn.again {
            let cause = "The script says so".to_owned();
            steps.extend(begin(after));
            steps.push(Step::Say(Ok(Delta::Again(Again { attempt: 2, of: 2, after_ms: wait_ms, cause }))));
            steps.push(Step::Wait(Duration::from_millis(wait_ms)));
        }
        match turn.error {
            Some(Failure::Status(status)) => {
                steps.push(Step::Say(Err(ModelError::provider(status, "the script says so"))));
            }
            Some(Failure::ContextFull(())) => {
                steps.push(Step::Say(Err(ModelError::ContextFull { message: "the script says so".to_owned() })));
            }
            Some(Failure::CutAfter(characters)) => steps.extend(begin(characters)),
            None => {
                steps.extend(said(&text));
                steps.push(Step::Say(Ok(Delta::Done(reply))));
            }
        }
        steps
    }
}

/// One thing a stream does.
enum Step {
    /// It yields this.
    Say(Result<Delta, ModelError>),
    /// Nothing comes for so long.
    Wait(Duration),
}

impl Model for ScriptModel {
    fn id(&self) -> String {
        format!("script:{}@{}", self.file.display(), self.digest)
    }

    /// Uses up the turn at once; the stream only plays it.
    fn ask(&self, request: Request) -> ReplyStream {
        Box::pin(stream::iter(self.steps(&request)).filter_map(async |step| match step {
            Step::Say(delta) => Some(delta),
            Step::Wait(time) => {
                if !time.is_zero() {
                    tokio::time::sleep(time).await;
                }
                None
            }
        }))
    }

    /// As the script says; without a word of it there is no limit.
    fn abilities(&self) -> Abilities {
        let price = self.script.price.map(|PriceList { input, output, cache_write, cache_read }| Price {
            input,
            output,
            cache_write,
            cache_read,
        });
        Abilities {
            context_tokens: self.script.context_tokens.unwrap_or(u64::MAX),
            output_tokens: self.script.output_tokens.unwrap_or(Abilities::default().output_tokens),
            price,
        }
    }

    fn resumed(&self, answers: usize) {
        self.set_position(answers, []);
    }
}

/// The position after `answers` turns that answer.
fn after(turns: &[Turn], answers: usize) -> usize {
    let mut answering = turns.iter().enumerate().filter(|(_, turn)| turn.error.is_none());
    match answers {
        0 => 0,
        n => answering.nth(n - 1).map_or(turns.len(), |(at, _)| at + 1),
    }
}

/// A text, said in a few pieces.
fn said(text: &str) -> Vec<Step> {
    let characters: Vec<char> = text.chars().collect();
    let size = characters.len().div_ceil(PIECES).max(1);
    characters.chunks(size).map(|piece| Step::Say(Ok(Delta::Text(piece.iter().collect())))).collect()
}

/// What the placeholders stand for in the answer to one request.
struct Places<'a> {
    placeholders: &'a Placeholders,
    request: &'a Request,
}

impl Places<'_> {
    /// The text with every placeholder filled in, in one pass: what is filled in is not looked at
    /// again, and braces around any other word stay.
    fn fill(&self, text: &str) -> Result<String, String> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            rest = &rest[open..];
            let name = rest.find('}').map_or("", |close| &rest[..=close]);
            match self.value(name)? {
                Some(value) => {
                    out.push_str(&value);
                    rest = &rest[name.len()..];
                }
                None => {
                    out.push('{');
                    rest = &rest[1..];
                }
            }
        }
        out.push_str(rest);
        Ok(out)
    }

    fn value(&self, name: &str) -> Result<Option<String>, String> {
        Ok(Some(match name {
            "{cwd}" => self.placeholders.cwd.display().to_string(),
            "{home}" => self.placeholders.home.display().to_string(),
            "{session_id}" => self.request.session_id.clone(),
            "{plan_file}" => match &self.request.plan_file {
                Some(path) => path.display().to_string(),
                None => return Err("`{plan_file}` has no value: the session has no plan file yet".to_owned()),
            },
            _ => return Ok(None),
        }))
    }

    fn fill_all(&self, texts: &[String]) -> Result<Vec<String>, String> {
        texts.iter().map(|text| self.fill(text)).collect()
    }

    fn fill_value(&self, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
            Value::String(text) => Value::String(self.fill(text)?),
            Value::Array(list) => Value::Array(list.iter().map(|v| self.fill_value(v)).collect::<Result<_, _>>()?),
            Value::Object(object) => {
                let filled = object.iter().map(|(key, v)| Ok((self.fill(key)?, self.fill_value(v)?)));
                Value::Object(filled.collect::<Result<_, String>>()?)
            }
        })
    }
}
