//! Does what a story says, one line after the other.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use planwright_core::command::{self, Command};
use planwright_core::dialogue::{Answer, AsideHeard, Input, Notice, Question, QuestionId, Wish, WishId};
use planwright_core::mode::Mode;
use planwright_core::request::{Message, Request, UserPart};
use planwright_core::say;

use super::compare::{Heard, compare};
use super::files::plan_files;
use super::recorded::{REQUEST, Recorded, lane_of};
use super::screenplay::{Act, Beat, DONE, Lane, MAIN, Story, Then, Trigger};
use super::world::{Ground, Running, World};
use super::{answers, checks, events, laws};

/// How long one line of a story may take before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(40);

/// A story being played.
pub struct Player {
    pub world: World,
    pub model: Arc<Recorded>,
    /// The session that is played with; earlier ones that still run.
    pub session: Option<Running>,
    pub others: Vec<Running>,
    /// The log of the session.
    pub log: PathBuf,
    /// Which conversation each request belongs to: changes when what was said is replaced.
    pub eras: Vec<usize>,
    /// The mode as last told.
    pub told: Option<Mode>,
    /// The program was killed and not started again.
    pub cut_off: bool,
    era: usize,
    turns: BTreeMap<Lane, usize>,
    heard: BTreeMap<Lane, Vec<Heard>>,
    notices: Vec<Notice>,
    /// Notices before this one are over for `during`.
    cursor: usize,
    open: VecDeque<(QuestionId, Question)>,
    settled: Option<(QuestionId, Question)>,
    idle: bool,
}

/// One story at a time in this process: a process that is just being started holds the files of all
/// stories for a moment, and with them the locks on their logs.
static ONE: Mutex<()> = Mutex::new(());

/// Waits for the turn of this story.
pub fn one_at_a_time() -> MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plays a story, and lists every line of it that is wrong.
pub fn play(text: &str, ground: &Ground) -> Vec<String> {
    play_and_keep(text, ground).0
}

/// The same, with all that the models were asked.
pub fn play_and_keep(text: &str, ground: &Ground) -> (Vec<String>, Vec<Request>) {
    let _one = one_at_a_time();
    let mut story = match Story::parse(text) {
        Ok(story) => story,
        Err(wrong) => return (wrong, Vec::new()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let played = runtime.block_on(Box::pin(perform(&mut story, ground)));
    runtime.shutdown_background();
    played
}

async fn perform(story: &mut Story, ground: &Ground) -> (Vec<String>, Vec<Request>) {
    let folder = |text: &str| {
        let name = |name: &str| ground.folder.join(name).display().to_string();
        text.replace("{config}", &name("home")).replace("{outside}", &name("outside"))
    };
    story.givens.iter_mut().for_each(|(_, given)| *given = folder(given).replace("{cwd}", "."));
    let script = |model: &str| serde_json::from_str(&folder(&story.script(model).to_string())).unwrap();
    let mut world = match World::new(ground, &story.givens) {
        Ok(world) => world,
        Err(why) => return (vec![why], Vec::new()),
    };
    let model = Arc::new(world.model(MAIN, &script(MAIN), None));
    for name in story.other_models() {
        let other = world.model(name, &script(name), Some(&model));
        world.others.insert(name, Arc::new(other));
    }
    let mut player = Player::new(world, model);
    let mut wrong = Vec::new();
    if let Err(why) = player.begin(None) {
        return (vec![why], Vec::new());
    }
    for beat in &story.beats {
        if let Err(whys) = player.beat(beat).await {
            wrong.extend(whys.into_iter().map(|why| format!("line {:<4} {why}", beat.line)));
            if player.session.is_none() || !matches!(beat.act, Act::Then) {
                wrong.push(format!("line {:<4} the story cannot go on from here", beat.line));
                break;
            }
        }
    }
    if let Err(why) = player.settle().await {
        wrong.push(why);
    }
    player.close().await;
    player.heard(story, &mut wrong);
    wrong.extend(laws::broken(&player));
    (wrong, player.model.requests())
}

impl Player {
    /// Nothing has happened yet.
    pub fn new(world: World, model: Arc<Recorded>) -> Self {
        Self {
            world,
            model,
            session: None,
            others: Vec::new(),
            log: PathBuf::new(),
            eras: Vec::new(),
            told: None,
            cut_off: false,
            era: 0,
            turns: BTreeMap::new(),
            heard: BTreeMap::new(),
            notices: Vec::new(),
            cursor: 0,
            open: VecDeque::new(),
            settled: None,
            idle: false,
        }
    }

    /// The open questions, the first put first.
    pub fn questions(&self) -> Vec<Question> {
        self.open.iter().map(|(_, question)| question.clone()).collect()
    }

    /// Begins a session, or goes on with the one in a log.
    pub fn begin(&mut self, reopened: Option<PathBuf>) -> Result<(), String> {
        let running = self.world.session(&self.model, reopened.as_deref())?;
        self.log.clone_from(&running.log);
        self.session = Some(running);
        (self.idle, self.settled, self.cut_off) = (false, None, false);
        self.open.clear();
        self.world.terms.used();
        Ok(())
    }

    async fn beat(&mut self, beat: &Beat) -> Result<(), Vec<String>> {
        let one = |why: String| vec![why];
        if let Act::During(trigger) = &beat.act {
            self.wait_for(trigger).await.map_err(one)?;
            if !beat.text.is_empty() {
                self.say(input(&self.filled(&beat.text)).map_err(one)?);
            }
            return Ok(());
        }
        self.settle().await.map_err(one)?;
        if let Act::Then = beat.act {
            return checks::check(self, &beat.text).await.map_err(one);
        }
        self.done(beat);
        self.cursor = self.notices.len();
        self.act(beat).await.map_err(one)
    }

    async fn act(&mut self, beat: &Beat) -> Result<(), String> {
        let text = self.filled(&beat.text);
        match &beat.act {
            Act::User => {
                self.say(input(&text)?);
                self.step_back().await;
            }
            Act::Answer => self.answer(&text).await?,
            Act::Asks(then) => self.asks(&text, *then).await?,
            Act::Late => {
                let (id, question) = self.settled.clone().ok_or("no question was settled yet")?;
                self.say(Input::Answer(id, answers::answer(&question, &text)?));
                self.step_back().await;
            }
            Act::Stray => {
                self.say(Input::Answer(QuestionId(u64::MAX), answers::plan(&text)?));
                self.step_back().await;
            }
            Act::World => {
                let plan = plan_files(&self.log).pop().unwrap_or_default();
                let variables = [("P", &*plan), ("CONFIG", &*self.world.config), ("LOG", &*self.log)];
                let (said, well) = self.world.run(&text, &plan, &variables).await;
                if !well {
                    return Err(format!("the command failed: {said}"));
                }
            }
            Act::Reopen => {
                self.close().await;
                self.terms(&text)?;
                let log = self.log.clone();
                self.begin(Some(log))?;
            }
            Act::Kill => {
                let running = self.session.take().ok_or("no session runs")?;
                running.task.abort();
                let _ = running.task.await;
                self.open.clear();
                self.cut_off = true;
            }
            Act::Another => {
                self.others.extend(self.session.take());
                self.terms(&text)?;
                self.begin(None)?;
            }
            Act::During(_) | Act::Then => {}
        }
        Ok(())
    }

    /// How the next session is made, and what answer it is brought.
    fn terms(&mut self, text: &str) -> Result<(), String> {
        text.split(", ").filter(|term| !term.is_empty()).try_for_each(|term| match answers::plan(term) {
            Ok(answer) => {
                self.world.terms.bring(answer);
                Ok(())
            }
            Err(_) => self.world.terms.set(term),
        })
    }

    /// Answers the question that was put first.
    pub async fn answer(&mut self, text: &str) -> Result<(), String> {
        let Some((id, question)) = self.open.front().cloned() else {
            return Err("there is no question to answer".to_owned());
        };
        let answer = match (&question, text.strip_prefix("runs: ")) {
            (Question::Editor(path), Some(command)) => {
                let (said, well) = self.world.run(command, path, &[]).await;
                Answer::Edited(if well { Ok(()) } else { Err(format!("the editor failed: {}", said.trim())) })
            }
            _ => answers::answer(&question, text)?,
        };
        self.open.pop_front();
        self.settled = Some((id, question));
        self.say(Input::Answer(id, answer));
        Ok(())
    }

    /// Asks about the plan that waits.
    async fn asks(&mut self, text: &str, then: Then) -> Result<(), String> {
        let Some((id, Question::Plan(_))) = self.open.front() else { return Err("no plan waits".to_owned()) };
        let from = self.notices.len();
        self.say(Input::AskAside(*id, text.to_owned()));
        let asked = |notice: &Notice| matches!(notice, Notice::Warning { key: REQUEST, .. });
        self.hear_until(from, asked).await?;
        match then {
            Then::Waits => {}
            Then::Stops => self.say(Input::StopAside),
            Then::Interrupts => self.say(Input::Interrupt),
            Then::GoesOn => return Ok(()),
        }
        let over =
            |notice: &Notice| matches!(notice, Notice::Aside(_, AsideHeard::Answered(_) | AsideHeard::Failed(_)));
        self.hear_until(from, over).await
    }

    async fn hear_until(&mut self, from: usize, wanted: impl Fn(&Notice) -> bool) -> Result<(), String> {
        while !self.notices[from..].iter().any(&wanted) {
            if self.session.is_none() {
                return Err("the session is over".to_owned());
            }
            self.next().await?;
        }
        Ok(())
    }

    /// Says something to the session.
    pub fn say(&mut self, input: Input) {
        self.idle = false;
        if let Some(running) = &self.session {
            let _ = running.say.send(input);
        }
    }

    /// Lets the session deal with what was said while a question is open, which ends nothing that
    /// could be waited for: on this runtime a task that can run does so when another steps back.
    async fn step_back(&mut self) {
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
        while let Some(notice) = self.session.as_mut().and_then(|running| running.hear.try_recv().ok()) {
            self.hear(notice);
        }
    }

    /// Waits until the session has dealt with everything, asks something, or is over.
    pub async fn settle(&mut self) -> Result<(), String> {
        while !self.idle && self.open.is_empty() && self.session.is_some() {
            self.next().await?;
        }
        Ok(())
    }

    async fn wait_for(&mut self, trigger: &Trigger) -> Result<(), String> {
        if let Trigger::Pipe(name) = trigger {
            let begun = self.world.pipes.get_mut(name).and_then(|pipe| pipe.begun.take());
            let begun = begun.ok_or("there is no such pipe, or it was waited for before")?;
            tokio::time::timeout(PATIENCE, begun).await.map_err(|_| "nothing was written to the pipe")?.unwrap();
            return Ok(());
        }
        loop {
            while let Some(notice) = self.notices.get(self.cursor) {
                self.cursor += 1;
                if self.is(notice, trigger) {
                    return Ok(());
                }
            }
            if self.idle || !self.open.is_empty() || self.session.is_none() {
                return Err("this did not happen".to_owned());
            }
            self.next().await?;
        }
    }

    fn is(&self, notice: &Notice, trigger: &Trigger) -> bool {
        match (notice, trigger) {
            (Notice::TextDelta(_), Trigger::Text) | (Notice::Again { .. }, Trigger::Again) => true,
            (Notice::ToolCalled { tool, .. }, Trigger::Called(wanted)) => tool == wanted,
            (Notice::Warning { key: REQUEST, text }, Trigger::Request(lane)) => {
                lane_of(&self.model.request(text.parse().unwrap())) == *lane
            }
            _ => false,
        }
    }

    /// Hears one more notice, or the end of the session.
    async fn next(&mut self) -> Result<(), String> {
        let Some(running) = &mut self.session else { return Ok(()) };
        let heard = tokio::time::timeout(PATIENCE, async {
            tokio::select! {
                biased;
                notice = running.hear.recv() => notice,
                ended = &mut running.task => {
                    ended.unwrap();
                    None
                }
            }
        });
        match heard.await.map_err(|_| "nothing was heard for a long time; the session is stuck".to_owned())? {
            Some(notice) => self.hear(notice),
            None => self.over(),
        }
        Ok(())
    }

    /// The session has ended: hears what it said last.
    fn over(&mut self) {
        let Some(mut running) = self.session.take() else { return };
        while let Ok(notice) = running.hear.try_recv() {
            self.hear(notice);
        }
        self.open.clear();
    }

    /// Closes every session, and hears what they say last.
    pub async fn close(&mut self) {
        for running in self.others.drain(..).chain(self.session.take()).collect::<Vec<_>>() {
            let _ = running.say.send(Input::Close);
            self.session = Some(running);
            self.idle = false;
            while self.session.is_some() {
                if self.next().await.is_err() {
                    self.session = None;
                }
            }
        }
    }

    fn hear(&mut self, notice: Notice) {
        match &notice {
            Notice::Idle => self.idle = true,
            Notice::Asked(id, question) => self.open.push_back((*id, question.clone())),
            Notice::Settled(id) => self.open.retain(|(open, _)| open != id),
            Notice::Session { session_id, mode } => {
                self.log = self.world.log_of(session_id);
                self.told = Some(*mode);
                self.era += 1;
            }
            Notice::ModeChanged { to, .. } => self.told = Some(*to),
            Notice::Said(said) if said.starts_with("The conversation is cleared") || said == say::HANDED_OVER => {
                self.era += 1
            }
            Notice::Compacted { .. } => self.era += 1,
            Notice::Warning { key: REQUEST, text } => self.asked(text.parse().unwrap()),
            _ => {}
        }
        if let Some((lane, kind, text)) = events::line(&notice, &self.log)
            && !matches!(notice, Notice::Warning { key: REQUEST, .. })
        {
            let text = self.named(&text);
            self.heard.entry(lane).or_default().push(Heard { kind, text, number: 0 });
        }
        self.notices.push(notice);
    }

    fn asked(&mut self, index: usize) {
        let request = self.model.request(index);
        let lane = lane_of(&request);
        if let Some(words) = reminder(&request) {
            let heard = Heard { kind: "reminded", text: self.named(&words), number: 0 };
            self.heard.entry(lane.clone()).or_default().push(heard);
        }
        let turn = self.turns.entry(lane.clone()).or_default();
        let heard = Heard { kind: "model", text: format!("(request {})", *turn + 1), number: *turn };
        *turn += 1;
        self.heard.entry(lane).or_default().push(heard);
        self.eras.push(self.era);
    }

    fn done(&mut self, beat: &Beat) {
        let heard = Heard { kind: DONE, text: beat.text.clone(), number: beat.line };
        self.heard.entry(Lane::new()).or_default().push(heard);
    }

    fn heard(&self, story: &Story, wrong: &mut Vec<String>) {
        let mut lanes: Vec<_> = story.expected.keys().chain(self.heard.keys()).collect();
        lanes.sort();
        lanes.dedup();
        for lane in lanes {
            let expected = story.expected.get(lane).map(Vec::as_slice).unwrap_or_default();
            let mut heard = self.heard.get(lane).cloned().unwrap_or_default();
            for heard in heard.iter_mut().filter(|heard| heard.kind == "model") {
                if let Some(line) = story.turn_line(lane, heard.number) {
                    heard.text.clone_from(&line.text);
                }
            }
            wrong.extend(compare(lane, expected, &heard));
        }
    }

    /// Names of paths in a text put in place of the paths.
    pub fn named(&self, text: &str) -> String {
        let mut names: Vec<(String, String)> = Vec::new();
        let plans = plan_files(&self.log);
        for (at, plan) in plans.iter().enumerate() {
            let name =
                if at + 1 == plans.len() { "{plan_file}".to_owned() } else { format!("{{plan_file {}}}", at + 1) };
            names.push((plan.display().to_string(), name));
        }
        names.push((self.world.project.display().to_string(), "{cwd}".to_owned()));
        names.push((self.world.config.display().to_string(), "{config}".to_owned()));
        names.push((self.world.config.with_file_name("outside").display().to_string(), "{outside}".to_owned()));
        names.into_iter().fold(text.to_owned(), |text, (path, name)| text.replace(&path, &name))
    }

    /// The paths in place of their names.
    pub fn filled(&self, text: &str) -> String {
        let plans = plan_files(&self.log);
        let shown = |path: &std::path::Path| path.display().to_string();
        let mut text = text
            .replace("{cwd}", &shown(&self.world.project))
            .replace("{config}", &shown(&self.world.config))
            .replace("{outside}", &shown(&self.world.config.with_file_name("outside")));
        for (at, plan) in plans.iter().enumerate() {
            text = text.replace(&format!("{{plan_file {}}}", at + 1), &shown(plan));
        }
        plans.last().map_or(text.clone(), |plan| text.replace("{plan_file}", &shown(plan)))
    }
}

/// The words of the program that a request ends with.
fn reminder(request: &Request) -> Option<String> {
    let Message::User(parts) = &**request.messages.last()? else { return None };
    let UserPart::Text { text } = parts.last()? else { return None };
    text.strip_prefix("<planwright-note kind=\"reminder\">").map(|words| words.trim().to_owned())
}

/// What the user types, as line mode takes it; `<…>` are keys.
fn input(text: &str) -> Result<Input, String> {
    match text {
        "<shift+tab>" => return Ok(Input::CycleMode),
        "<ctrl-c>" => return Ok(Input::Interrupt),
        "<end of input>" => return Ok(Input::Close),
        "<nobody answers>" => return Ok(Input::Gone),
        "<hooks>" => return Ok(Input::Wish(WishId(0), Wish::HearCalls)),
        _ => {}
    }
    if let Some(mode) = text.strip_prefix("<client mode ").and_then(|rest| Mode::parse(rest.strip_suffix('>')?)) {
        return Ok(Input::Wish(WishId(0), Wish::SetMode(mode)));
    }
    if let Some(model) = text.strip_prefix("<client model ").and_then(|rest| rest.strip_suffix('>')) {
        return Ok(Input::Wish(WishId(0), Wish::SetModel(model.to_owned())));
    }
    if let Some(line) = text.strip_prefix('!') {
        return Ok(Input::Shell(line.to_owned()));
    }
    match command::parse(text) {
        Some(Ok(Command::Exit)) => Ok(Input::Close),
        Some(Ok(command)) => Ok(Input::Command(command)),
        Some(Err(why)) => Err(why),
        None => Ok(Input::Prompt(super::line::unescaped(text))),
    }
}
