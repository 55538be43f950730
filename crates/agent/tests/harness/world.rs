//! The folder a story is played in, and the sessions in it: wired as the program wires them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_agent::{Ended, Models, Session, Setup, Start};
use planwright_core::dialogue::{Answer, Input, Notice};
use planwright_core::mode::{AutoAccess, Mode};
use planwright_core::rules::{Layer, Origin};
use planwright_core::settings::Environment;
use planwright_model::Model;
use planwright_model::script::{Placeholders, ScriptModel};
use planwright_sandbox::{Cancel, Confinement, Program, Spec};
use planwright_store::home::Home;
use planwright_store::log::Log;
use planwright_store::plans::Plans;
use planwright_store::settings::{self, CommandLine, Loaded, Sources};
use planwright_tools::{Own, Tools, Web};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::files::{Pipe, tree};
use super::line::unescaped;
use super::recorded::Recorded;

/// Where a story is played: a folder with `project`, `home` (the config home) and `outside` in it.
pub struct Ground {
    /// The folder, a real path.
    pub folder: PathBuf,
    _keep: Option<tempfile::TempDir>,
}

impl Ground {
    /// A temporary folder.
    pub fn temporary() -> Self {
        let keep = tempfile::Builder::new().prefix("story-").tempdir().unwrap();
        Self { folder: keep.path().canonicalize().unwrap(), _keep: Some(keep) }
    }

    /// A folder that is there.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), _keep: None }
    }
}

/// How sessions are made here.
pub struct World {
    /// The project root.
    pub project: PathBuf,
    /// The config home.
    pub config: PathBuf,
    user_settings: Value,
    project_settings: Option<Value>,
    trusted: bool,
    /// How the next session is made.
    pub terms: Terms,
    /// Pipes, by name.
    pub pipes: HashMap<String, Pipe>,
    /// The models besides the main one, by name.
    pub others: HashMap<&'static str, Arc<Recorded>>,
    /// What the models can do and cost, as keys of their scripts.
    abilities: serde_json::Map<String, Value>,
    /// The project's files when the story began.
    pub begin: Vec<(PathBuf, Vec<u8>)>,
}

/// What can differ from one session to the next.
#[derive(Clone)]
pub struct Terms {
    mode: Option<Mode>,
    can_ask: bool,
    relayed: bool,
    channels: bool,
    remote: bool,
    fork: bool,
    bypass: bool,
    opted_in: bool,
    gate: Result<(), String>,
    editor: Option<String>,
    max_requests: Option<u32>,
    interview: Option<String>,
    answer: Option<Answer>,
    /// Where the names of plans come from: the same for two sessions, unless said otherwise.
    pub seed: u64,
}

/// A session that runs.
pub struct Running {
    /// To it.
    pub say: UnboundedSender<Input>,
    /// From it.
    pub hear: UnboundedReceiver<Notice>,
    /// Its task.
    pub task: JoinHandle<Ended>,
    /// Its log.
    pub log: PathBuf,
}

impl World {
    /// Makes the folder as the story has it.
    pub fn new(ground: &Ground, givens: &[(usize, String)]) -> Result<Self, String> {
        let (project, config) = (ground.folder.join("project"), ground.folder.join("home"));
        for folder in [&project, &config, &ground.folder.join("outside")] {
            fs::create_dir_all(folder).unwrap();
        }
        if givens.iter().any(|(_, given)| given == "config behind a link") {
            let real = ground.folder.join("elsewhere");
            fs::rename(&config, &real).unwrap();
            std::os::unix::fs::symlink(&real, &config).unwrap();
        }
        let terms = Terms {
            mode: None,
            can_ask: true,
            relayed: false,
            channels: false,
            remote: false,
            fork: false,
            bypass: false,
            opted_in: false,
            gate: Err("auto mode has no classifier in this version".to_owned()),
            editor: None,
            max_requests: None,
            interview: None,
            answer: None,
            seed: 7,
        };
        let mut world = Self {
            project,
            config,
            user_settings: json!({}),
            project_settings: None,
            trusted: false,
            terms,
            pipes: HashMap::new(),
            others: HashMap::new(),
            abilities: serde_json::Map::new(),
            begin: Vec::new(),
        };
        for (line, given) in givens {
            world.given(given).map_err(|why| format!("line {line}: {why}"))?;
        }
        if let Some(settings) = &world.project_settings {
            fs::create_dir_all(world.project.join(".planwright")).unwrap();
            fs::write(world.project.join(".planwright/settings.json"), settings.to_string()).unwrap();
        }
        fs::write(world.config.join("settings.json"), world.user_settings.to_string()).unwrap();
        world.begin = tree(&world.project);
        Ok(world)
    }

    /// The path a story names: in the project, unless absolute.
    pub fn path(&self, named: &str) -> PathBuf {
        self.project.join(named)
    }

    fn given(&mut self, given: &str) -> Result<(), String> {
        let (what, rest) = given.split_once(' ').unwrap_or((given, ""));
        let in_two = |at: &str| rest.split_once(at).ok_or_else(|| format!("`given {given}` needs a `{at}`"));
        match what {
            "file" => {
                let (path, text) = in_two(" = ")?;
                self.write(path, unescaped(text).as_bytes());
            }
            "bytes" => {
                let (path, hex) = in_two(" = ")?;
                self.write(path, &bytes(hex)?);
            }
            "link" => {
                let (path, target) = in_two(" -> ")?;
                std::os::unix::fs::symlink(target, self.path(path)).unwrap();
            }
            "folder" => fs::create_dir_all(self.path(rest)).unwrap(),
            "pipe" => {
                self.pipes.insert(rest.to_owned(), Pipe::new(&self.path(rest)));
            }
            "settings" => self.user_settings = object(rest)?,
            "allow" | "deny" | "ask" => {
                let list = &mut self.user_settings["permissions"][what];
                let rules = list.as_array().into_iter().flatten().cloned().chain([rest.into()]);
                *list = rules.collect::<Vec<Value>>().into();
            }
            "project" => {
                let settings = rest.strip_prefix("settings ").ok_or("`given project settings {…}`")?;
                self.project_settings = Some(object(settings)?);
            }
            "window" => self.ability("context_tokens", rest.strip_suffix(" tokens"))?,
            "answers" => self.ability("output_tokens", rest.strip_suffix(" tokens"))?,
            "price" => self.ability("price", Some(rest))?,
            "trusted" => self.trusted = true,
            "config" if rest == "behind a link" => {}
            // Made before the story begins, by whoever plays it.
            "disk" if rest == "of its own" => {}
            _ => self.terms.set(given)?,
        }
        Ok(())
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn ability(&mut self, key: &str, value: Option<&str>) -> Result<(), String> {
        let value = value.and_then(|value| serde_json::from_str(value).ok());
        self.abilities.insert(key.to_owned(), value.ok_or_else(|| format!("`{key}`: how much?"))?);
        Ok(())
    }

    /// A script as a model, by itself or beside another.
    pub fn model(&self, name: &str, script: &Value, beside: Option<&Recorded>) -> Recorded {
        let file = self.config.join(format!("../{name}.json"));
        let mut script = script.clone();
        script.as_object_mut().unwrap().extend(self.abilities.clone());
        fs::write(&file, script.to_string()).unwrap();
        let placeholders = Placeholders { cwd: self.project.clone(), home: self.config.clone() };
        let script = ScriptModel::load(&file, placeholders).unwrap();
        match beside {
            None => Recorded::new(script),
            Some(beside) => beside.beside(script),
        }
    }

    fn other(&self, name: &str) -> Option<Arc<dyn Model>> {
        self.others.get(name).map(|model| Arc::clone(model) as _)
    }

    fn loaded(&self, home: &Home) -> Loaded {
        settings::load(&Sources {
            home,
            project_root: &self.project,
            managed: Some(&self.config.join("../managed.json")),
            flag_file: None,
            command_line: CommandLine::default(),
            trusted: self.trusted,
            user_home: None,
        })
    }

    /// Begins a session, or goes on with the one in a log. What is odd about settings and log is
    /// said as warnings.
    pub fn session(&self, model: &Arc<Recorded>, reopened: Option<&Path>) -> Result<Running, String> {
        let home = Home::new(self.config.clone());
        let Loaded { settings, warnings, .. } = self.loaded(&home);
        let (plans, odd) = Plans::new(&home, &self.project, settings.plans_directory.as_deref());
        let (own, odd_agents) = planwright_store::agents::load(&home, &self.project);
        let ((say, inputs), (out, hear)) = (unbounded_channel(), unbounded_channel());
        for warning in warnings.iter().chain(&odd).chain(&odd_agents) {
            let _ = out.send(Notice::Warning { key: "settings", text: warning.to_string() });
        }
        model.tell(out.downgrade());
        let terms = self.terms.clone();
        let places = Own {
            hidden: vec![self.config.clone()],
            cache: home.protection_file(),
            scratch: home.scratch_dir(),
            secrets: Vec::new(),
        };
        let setup = Arc::new(Setup {
            text: settings.workflow_text(&Environment { interview: terms.interview, ..Environment::default() }),
            tools: Tools::guarded(&self.project, &settings.additional_directories, places)
                .reaching(Web { private_hosts: settings.private_hosts.clone(), ..Web::default() }),
            seed: terms.seed,
            root: self.project.clone(),
            home: home.clone(),
            version: "0",
            agents: planwright_core::agents::built_in().into_iter().chain(own).collect(),
            origin: self.origin(),
            auto: AutoAccess {
                opted_in: terms.opted_in,
                gate: terms.gate,
                while_planning: settings.plan.use_auto_mode,
                bypass_allowed: terms.bypass,
            },
            settings,
            plans,
            make_model: self.maker(),
            editor: terms.editor,
            relayed: terms.relayed,
            can_ask: terms.can_ask,
            channels: terms.channels,
            remote: terms.remote,
            max_requests: terms.max_requests,
            instructions: None,
            date: "2026-12-01".to_owned(),
        });
        let main = Arc::clone(model) as _;
        let [plan, explore, fallback] = ["plan", "explore", "fallback"].map(|name| self.other(name));
        let models = Models { main, plan, explore, fallback };
        let mut start = Start { mode: terms.mode, mode_in_doubt: false, plan_answer: terms.answer };
        let wires = (inputs, out.clone());
        let failed = |error: planwright_store::StoreError| error.to_string();
        let (log, session) = match reopened {
            None => {
                let id = Uuid::new_v4();
                let log = Log::create(&home, &self.project, id).map_err(failed)?;
                (log.path().to_owned(), Session::create(setup, models, log, id, start, wires).map_err(failed)?)
            }
            Some(path) => {
                let opened = Log::open(path).map_err(failed)?;
                for warning in &opened.warnings {
                    let _ = out.send(Notice::Warning { key: "log", text: warning.to_string() });
                }
                start.mode_in_doubt = opened.mode_in_doubt;
                let copy = terms.fork.then(Uuid::new_v4);
                let log = match copy {
                    Some(id) => Log::create(&home, &self.project, id).map_err(failed)?,
                    None => opened.log,
                };
                let session = Session::resume(setup, models, log, &opened.entries, start, copy, wires);
                (path.to_owned(), session.map_err(failed)?)
            }
        };
        Ok(Running { say, hear, task: tokio::spawn(session.run()), log })
    }

    fn maker(&self) -> Box<planwright_agent::ModelMaker> {
        let others = self.others.clone();
        Box::new(move |name| match others.get(name) {
            Some(model) => Ok(Arc::clone(model) as _),
            None => Err(format!("there is no model `{name}` in this story")),
        })
    }

    fn origin(&self) -> Origin {
        let (root, cwd) = (self.project.clone(), self.project.clone());
        Origin { layer: Layer::Session, root, cwd, home: self.config.clone() }
    }

    /// Runs a command line of the world around the program. Yields what it printed and whether it
    /// ended well.
    pub async fn run(&self, line: &str, argument: &Path, variables: &[(&str, &Path)]) -> (String, bool) {
        let words = ["sh", "-c", line, "story"].map(Into::into);
        let words = words.into_iter().chain([argument.as_os_str().to_owned()]).collect();
        let mut spec = Spec::new(Program::Argv(words), &self.project, Confinement::None);
        spec.env = variables.iter().map(|(name, value)| ((*name).into(), Some((*value).into()))).collect();
        let ended = planwright_sandbox::spawn(spec, &Cancel::new()).await.unwrap();
        (ended.output.text(), ended.ending.success())
    }

    /// The log of the session with this id.
    pub fn log_of(&self, session_id: &str) -> PathBuf {
        Home::new(self.config.clone()).project_dir(&self.project).join(format!("{session_id}.jsonl"))
    }
}

impl Terms {
    /// One of the words that say how a session is made.
    pub fn set(&mut self, term: &str) -> Result<(), String> {
        let (what, rest) = term.split_once(' ').unwrap_or((term, ""));
        match (what, rest) {
            ("mode", mode) => self.mode = Some(Mode::parse(mode).ok_or_else(|| format!("there is no mode `{mode}`"))?),
            ("nobody", "to ask") => self.can_ask = false,
            ("somebody", "to ask") => self.can_ask = true,
            ("relayed", "") => self.relayed = true,
            ("channels", "") => self.channels = true,
            ("remote", "") => self.remote = true,
            ("fork", "") => self.fork = true,
            ("bypass", "allowed") => self.bypass = true,
            ("bypass", "not allowed") => self.bypass = false,
            ("auto", "") => (self.opted_in, self.gate) = (true, Ok(())),
            ("interview", "") => self.interview = Some("1".to_owned()),
            ("editor", name) => self.editor = Some(name.to_owned()),
            ("auto", why) => match why.strip_prefix("gate closed: ") {
                Some(why) => self.gate = Err(why.to_owned()),
                None => return Err(format!("`{term}` is not understood")),
            },
            ("max", requests) => {
                let number = requests.strip_suffix(" requests").and_then(|n| n.parse().ok());
                self.max_requests = Some(number.ok_or_else(|| format!("`{term}` is not understood"))?);
            }
            _ => return Err(format!("`{term}` is not understood")),
        }
        Ok(())
    }

    /// Brings an answer for the plan that waits.
    pub fn bring(&mut self, answer: Answer) {
        self.answer = Some(answer);
    }

    /// What holds for one session only is over.
    pub fn used(&mut self) {
        (self.mode, self.fork, self.answer) = (None, false, None);
    }
}

fn object(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<_> = hex.split_whitespace().collect();
    digits.iter().map(|byte| u8::from_str_radix(byte, 16).map_err(|_| format!("`{byte}` is no byte"))).collect()
}
