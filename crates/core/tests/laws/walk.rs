//! The walk: from every world that can be reached, every step that can be taken.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use planwright_core::mode::{Cause, Mode};
use planwright_core::state::State;
use planwright_core::transcript::{Entry, Fact, SessionStarted};

use crate::driver::Drive;
use crate::events::{Event, Open, Reply};
use crate::fault::Fault;
use crate::ghost::Ghost;
use crate::law::{Broken, Court, Law};
use crate::rig::{ROOT, Rig, Tool};
use crate::world::{About, Auto, Disk, Doing, Outside, Thread, World};

/// What may happen in a walk, and how far it goes.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The modes that the session may start in and be opened in.
    pub modes: &'static [Mode],
    /// The modes that `/mode` sets.
    pub sets: &'static [Mode],
    pub auto: &'static [Auto],
    pub bypass_allowed: bool,
    pub rules: &'static [usize],
    pub disks: &'static [Disk],
    /// What the main thread's model may answer, and what a subagent's.
    pub answers: &'static [&'static [Tool]],
    pub child_answers: &'static [&'static [Tool]],
    pub replies: &'static [Reply],
    /// Keys, commands and what happens to sessions.
    pub events: &'static [Event],
    pub opens: &'static [Open],
    /// Steps at most; `None`: until nothing new is found.
    pub depth: Option<u32>,
}

/// What a walk came to.
#[derive(Debug, Default)]
pub struct Found {
    pub states: usize,
    pub transitions: usize,
    /// The longest of the shortest ways to a world.
    pub depth: u32,
    /// Whole logs that were read back and folded from the first line.
    pub refolds: usize,
    pub broken: Option<(Broken, Vec<String>)>,
}

/// How a world was first reached: from which one, by which event, and after how many of its facts
/// the process was killed.
struct Way {
    from: usize,
    event: Event,
    killed_after: Option<usize>,
}

/// Every so many worlds the whole log is read back and folded.
const REFOLD_EVERY: usize = 500;

struct Walk<'a> {
    rig: &'a Rig,
    court: Court,
    /// Digests of the keys of all worlds reached.
    seen: HashSet<u64>,
    ways: Vec<Option<Way>>,
    starts: Vec<World>,
    frontier: VecDeque<(usize, u32, World)>,
    found: Found,
}

/// Walks. Stops at the first law that is broken.
pub fn walk(scope: &Scope, fault: Option<Fault>) -> Found {
    let rig = Rig::new(fault);
    let mut walk = Walk {
        rig: &rig,
        court: Court::default(),
        seen: HashSet::new(),
        ways: Vec::new(),
        starts: Vec::new(),
        frontier: VecDeque::new(),
        found: Found::default(),
    };
    for world in starts(scope, &rig) {
        walk.starts.push(world.clone());
        walk.reach(None, 0, world);
        walk.starts.truncate(walk.ways.len());
    }
    while let Some((at, depth, world)) = walk.frontier.pop_front() {
        walk.found.depth = walk.found.depth.max(depth);
        if walk.found.broken.is_some() || scope.depth.is_some_and(|limit| depth >= limit) {
            break;
        }
        for event in possible(&world, scope) {
            walk.step(at, depth, &world, event);
        }
    }
    walk.found.states = walk.seen.len();
    walk.found
}

impl Walk<'_> {
    fn step(&mut self, at: usize, depth: u32, world: &World, event: Event) {
        let mut drive = Drive::new(world.clone(), self.rig);
        drive.happen(event);
        self.found.transitions += 1;
        let broken = self.court.step(world, event, &drive);
        let Drive { world: after, crashes, .. } = drive;
        let way = |killed_after| Some(Way { from: at, event, killed_after });
        self.judge(broken, way(None));
        let facts = crashes.len();
        for (n, crashed) in crashes.into_iter().enumerate() {
            self.found.transitions += 1;
            self.reach(way(Some(n + 1)).filter(|_| n < facts), depth + 1, crashed);
        }
        self.reach(way(None), depth + 1, after);
    }

    fn judge(&mut self, broken: Vec<Broken>, way: Option<Way>) {
        if let (Some(first), None) = (broken.into_iter().next(), &self.found.broken) {
            let mut trace = self.trace(way.as_ref().map_or(0, |way| way.from));
            trace.extend(way.iter().map(Way::said));
            self.found.broken = Some((first, trace));
        }
    }

    /// A world was reached; if it is a new one, its laws are looked at and it is gone on from.
    fn reach(&mut self, way: Option<Way>, depth: u32, world: World) {
        let mut hasher = DefaultHasher::new();
        world.key(&self.rig.rules[world.outside.rules]).hash(&mut hasher);
        if !self.seen.insert(hasher.finish()) {
            return;
        }
        let at = self.ways.len();
        self.ways.push(way);
        let broken = self.court.world(&world, self.rig);
        if !broken.is_empty() && self.found.broken.is_none() {
            let trace = self.trace(at);
            self.found.broken = broken.into_iter().next().map(|first| (first, trace));
        }
        if at.is_multiple_of(REFOLD_EVERY) && self.found.broken.is_none() {
            self.refold(at, &world);
        }
        self.frontier.push_back((at, depth, world));
    }

    /// The ways to a world, first step first.
    fn path(&self, mut at: usize) -> (usize, Vec<&Way>) {
        let mut ways = Vec::new();
        while let Some(way) = &self.ways[at] {
            ways.push(way);
            at = way.from;
        }
        ways.reverse();
        (at, ways)
    }

    fn trace(&self, at: usize) -> Vec<String> {
        self.path(at).1.into_iter().map(Way::said).collect()
    }

    /// The whole log of a world, written as lines, read back, and folded from the first.
    fn refold(&mut self, at: usize, world: &World) {
        let (start, ways) = self.path(at);
        let mut replayed = self.starts[start].clone();
        let mut facts = start_facts(&replayed, self.rig);
        for way in ways {
            let mut drive = Drive::new(replayed, self.rig);
            drive.happen(way.event);
            let kept = way.killed_after.unwrap_or(drive.wrote.len());
            facts.extend(drive.wrote.drain(..kept));
            replayed = match way.killed_after {
                Some(n) => drive.crashes.swap_remove(n - 1),
                None => drive.world,
            };
        }
        let lines: Vec<String> = facts
            .into_iter()
            .map(|fact| {
                let entry = Entry { uuid: uuid::Uuid::nil(), timestamp: jiff::Timestamp::UNIX_EPOCH, fact };
                serde_json::to_string(&entry).expect("an entry is JSON")
            })
            .collect();
        let read: Vec<Fact> =
            lines.iter().map(|line| Entry::read(line).expect("what was written is read").0.fact).collect();
        let (folded, live) = (State::fold(&read), &world.main().state);
        self.found.refolds += 1;
        let parts = [
            ("permissions", folded.permissions() == live.permissions()),
            ("ledger", folded.ledger() == live.ledger()),
            ("plan", folded.plan() == live.plan()),
            ("messages", folded.messages() == live.messages()),
            ("open calls", folded.open_calls() == live.open_calls()),
            ("usage", folded.usage() == live.usage()),
            ("seen", folded.seen() == live.seen()),
            ("agents", folded.agents() == live.agents()),
        ];
        let other: Vec<_> = parts.iter().filter(|(_, same)| !same).map(|(part, _)| *part).collect();
        if !other.is_empty() {
            let how = format!("a whole log, read from the first line, yields other {}", other.join(", "));
            self.found.broken = Some((Broken { law: Law::Fold, how }, self.trace(at)));
        }
    }
}

impl Way {
    fn said(&self) -> String {
        match self.killed_after {
            Some(n) => format!("{:?}, killed after {n} facts", self.event),
            None => format!("{:?}", self.event),
        }
    }
}

/// Sessions just begun, one for each mode and each thing outside.
fn starts(scope: &Scope, rig: &Rig) -> Vec<World> {
    let mut worlds = Vec::new();
    for auto in scope.auto {
        for mode in scope.modes {
            let outside =
                Outside { auto: *auto, bypass_allowed: scope.bypass_allowed, rules: scope.rules[0], can_ask: true };
            let world = World {
                threads: vec![Thread::new(false, Ghost::default())],
                disk: Disk::Missing,
                outside,
                questions: 0,
            };
            let mut drive = Drive::new(world, rig);
            drive.record(0, [started()]);
            drive.go_to(0, *mode, Cause::Start);
            worlds.push(drive.world);
        }
    }
    worlds
}

fn started() -> Fact {
    Fact::SessionStarted(SessionStarted {
        session_id: uuid::Uuid::nil(),
        cwd: ROOT.into(),
        version: "1".to_owned(),
        forked_from: None,
        agent: None,
    })
}

/// The facts of a session just begun.
fn start_facts(start: &World, rig: &Rig) -> Vec<Fact> {
    let blank = World { threads: vec![Thread::new(false, Ghost::default())], ..*start };
    let mut drive = Drive::new(blank, rig);
    drive.record(0, [started()]);
    drive.go_to(0, start.main().state.permissions().mode(), Cause::Start);
    drive.wrote
}

/// What can happen in a world.
fn possible(world: &World, scope: &Scope) -> Vec<Event> {
    let main = world.main();
    let mut events = Vec::new();
    let outside = |events: &mut Vec<Event>| {
        events.extend(scope.disks.iter().filter(|disk| **disk != world.disk).map(|disk| Event::Disk(*disk)));
        events.extend(scope.auto.iter().filter(|auto| **auto != world.outside.auto).map(|auto| Event::Auto(*auto)));
    };
    outside(&mut events);
    if main.doing == Doing::Closed {
        let modes = scope.modes.iter().map(|mode| Open::InMode(*mode));
        events.extend(scope.opens.iter().copied().chain(modes).map(Event::Open));
        return events;
    }
    if main.planning() {
        events.extend(scope.rules.iter().filter(|rules| **rules != world.outside.rules).map(|n| Event::Rules(*n)));
    }
    let idle = main.doing == Doing::Idle;
    let asked = world.open_question();
    let may = |event: &&Event| match event {
        Event::Clear | Event::Compact | Event::Fork | Event::PlanWords => idle,
        Event::Say => idle || matches!(asked, Some(About::Plan { .. })),
        Event::Plan => idle || !main.planning(),
        Event::Interrupt => !idle,
        _ => true,
    };
    events.extend(scope.events.iter().filter(may));
    events.extend(scope.sets.iter().map(|mode| Event::SetMode(*mode)));
    let last = world.threads.len() - 1;
    if world.threads[last].doing == Doing::Asking {
        let answers = if last == 0 { scope.answers } else { scope.child_answers };
        events.extend(answers.iter().map(|tools| Event::Model(last, tools)));
    }
    let fits = |reply: &Reply| match (reply, asked) {
        (_, None) => false,
        (Reply::Enter(_), Some(About::Enter)) | (Reply::Once | Reply::No, Some(About::Permit(_))) => true,
        (Reply::Enter(_) | Reply::Once | Reply::No, Some(About::Plan { .. })) => false,
        (Reply::Dismiss, Some(_)) => true,
        (reply, Some(About::Plan { .. })) => !matches!(reply, Reply::Keep),
        (_, Some(About::Enter | About::Permit(_))) => false,
    };
    events.extend(scope.replies.iter().filter(|reply| fits(reply)).map(|reply| Event::Reply(*reply)));
    events.extend(scope.replies.iter().filter(|reply| reply.approves()).map(|reply| Event::Stray(*reply)));
    events
}
