//! Makes a session out of arguments, environment and files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use planwright_agent::{Models, Session, Setup, Start};
use planwright_core::agents::AgentType;
use planwright_core::bounds;
use planwright_core::dialogue::{Answer, Input, Notice, PlanChoice};
use planwright_core::mode::{AutoAccess, Mode, may_set};
use planwright_core::rules::{Layer, Origin};
use planwright_core::settings::{Environment, Settings};
use planwright_core::transcript::{Entry, Fact};
use planwright_model::providers::{self, Access};
use planwright_model::retry::Patience;
use planwright_model::script::{Placeholders, ScriptModel};
use planwright_model::{Logged, Model, Recording};
use planwright_store::home::Home;
use planwright_store::log::{self, Log, Opened};
use planwright_store::plans::Plans;
use planwright_store::settings::{self, CommandLine, Loaded, SetBy, SettingWarning, Sources};
use planwright_store::{place, sessions, trust};
use planwright_tools::{Own, Tools, Web};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use uuid::Uuid;

use crate::args::{Approval, ClientArgs, RunArgs, rules};
use crate::editor::{self, Editor};
use crate::failure::{Failure, err};
use crate::keys;

/// Where a process runs: read once.
pub struct Place {
    /// The config home.
    pub home: Home,
    /// The project root, a real path.
    pub root: PathBuf,
    /// The user's home folder.
    pub user_home: Option<PathBuf>,
}

/// The name of the instruction files that a project may hold, in the order of preference.
const INSTRUCTIONS: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// A variable of the environment that says something.
pub fn env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

impl Place {
    /// The place this process runs in.
    pub fn here() -> Result<Self, Failure> {
        let root = std::env::current_dir().and_then(|cwd| cwd.canonicalize()).map_err(|error| {
            Failure::run(format!("the current folder cannot be used: {error}"), "Change to a folder that exists.")
        })?;
        let user_home = std::env::home_dir();
        let home = Home::from_env(std::env::var_os("PLANWRIGHT_HOME"), user_home.clone())?;
        Ok(Self { home, root, user_home })
    }

    /// A place made for a demo: its own project, its own home.
    pub fn at(home: PathBuf, root: PathBuf) -> Result<Self, Failure> {
        let user_home = std::env::home_dir();
        let home = Home::from_env(Some(home.into()), user_home.clone())?;
        Ok(Self { home, root, user_home })
    }

    /// The settings in force here.
    pub fn settings(&self, args: &RunArgs) -> Loaded {
        let (flag_text, flag_file) = match args.settings.as_deref() {
            Some(text) if text.trim_start().starts_with('{') => (Some(text.to_owned()), None),
            other => (None, other.map(Path::new)),
        };
        settings::load(&Sources {
            home: &self.home,
            project_root: &self.root,
            managed: None,
            flag_file,
            command_line: CommandLine {
                allowed_tools: rules(&args.allowed_tools),
                disallowed_tools: args.disallowed(),
                add_dirs: args.add_dir.iter().map(|dir| dir.display().to_string()).collect(),
                settings: flag_text,
                only: args.client.setting_sources.as_ref().map(|sources| sources.0.clone()),
            },
            trusted: trust::is_trusted(&self.home, &self.root),
            user_home: self.user_home.as_deref(),
        })
    }

    /// Where plans go, and what is wrong with the setting that says so.
    pub fn plans(
        &self,
        settings: &Settings,
        origins: &BTreeMap<&'static str, Vec<SetBy>>,
    ) -> (Plans, Option<SettingWarning>) {
        let (plans, warning) = Plans::new(&self.home, &self.root, settings.plans_directory.as_deref());
        let set_by = origins.get("plansDirectory").and_then(|set| set.last());
        let warning = warning.map(|warning| SettingWarning {
            file: set_by.and_then(|set| set.file.clone()),
            line: set_by.and_then(|set| set.line),
            ..warning
        });
        (plans, warning)
    }

    /// The tools of a session here.
    pub fn tools(&self, settings: &Settings) -> Tools {
        let own = Own {
            hidden: vec![self.home.root().to_owned()],
            cache: self.home.protection_file(),
            scratch: self.home.scratch_dir(),
            secrets: providers::keys().collect(),
        };
        let web = Web { private_hosts: settings.private_hosts.clone(), ..Web::default() };
        Tools::guarded(&self.root, &settings.additional_directories, own).reaching(web)
    }

    /// What rules of this session are relative to.
    fn origin(&self) -> Origin {
        Origin {
            layer: Layer::Session,
            root: self.root.clone(),
            cwd: self.root.clone(),
            home: self.user_home.clone().unwrap_or_default(),
        }
    }

    /// The project's own instructions to the model, and those that came by flag; what is wrong with
    /// them is a warning.
    fn instructions(&self, client: &ClientArgs, warnings: &mut Vec<String>) -> Option<String> {
        let file = INSTRUCTIONS.iter().map(|name| self.root.join(name)).find(|file| file.exists());
        let project = file.and_then(|file| {
            place::small_text(&file, bounds::PAGE_BYTES)
                .map_err(|why| warnings.push(format!("{}: not given to the model: {why}", file.display())))
                .ok()
        });
        let all: Vec<_> = project.as_deref().into_iter().chain(client.instructions()).collect();
        (!all.is_empty()).then(|| all.join("\n\n"))
    }
}

/// A session that can be run, and its wires.
pub struct Wired {
    /// The session.
    pub session: Session,
    /// What the surface says.
    pub say: UnboundedSender<Input>,
    /// What the surface hears.
    pub hear: UnboundedReceiver<Notice>,
    /// The user's editor.
    pub editor: Option<Editor>,
    /// The main model's name, as it was asked for.
    pub model: String,
    /// The same, if it came by flag and so is not set the next time.
    pub model_flag: Option<String>,
    /// The types of subagents.
    pub agents: Vec<AgentType>,
    /// What is odd about settings and log.
    pub warnings: Vec<String>,
}

/// Who answers questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// A person, or a script of answers.
    Somebody,
    /// Nobody.
    Nobody,
}

/// Makes the session that the arguments ask for.
pub fn wire(place: &Place, args: &RunArgs, answers: Answers) -> Result<Wired, Failure> {
    wire_with(place, args, answers, None)
}

/// The same, with a model of the caller's instead of the one that arguments and settings name.
pub fn wire_with(
    place: &Place,
    args: &RunArgs,
    answers: Answers,
    model: Option<Arc<dyn Model>>,
) -> Result<Wired, Failure> {
    let Here { mut settings, plans, agents, mut warnings } = Here::find(place, args)?;
    let auto = AutoAccess {
        opted_in: settings.auto_opt_in,
        gate: Err("it has no classifier in this version".to_owned()),
        while_planning: settings.plan.use_auto_mode,
        bypass_allowed: args.allow_bypass || args.dangerously_skip_permissions,
    };
    let mode = starting_mode(args, &auto, &mut settings, &mut warnings)?;
    let plan_answer = plan_answer(args)?;
    let opened = open_log(place, args)?;
    let mode_in_doubt = opened.as_ref().is_some_and(|opened| opened.mode_in_doubt);
    let start = Start { mode, mode_in_doubt, plan_answer };
    let maker = maker(place, args);
    let models = match model {
        Some(main) => Models { main, plan: None, explore: None, fallback: None },
        None => models(&maker, args, &settings, opened.as_ref().map_or(&[], |opened| opened.entries.as_slice()))?,
    };
    let editor = editor::find(env("VISUAL"), env("EDITOR"));
    let instructions = place.instructions(&args.client, &mut warnings);
    let model = args.model.clone().or_else(|| settings.model.clone()).unwrap_or_default();
    let model_flag = args.model.clone().filter(|model| env("PLANWRIGHT_MODEL").as_ref() != Some(model));
    let kinds = agents.clone();
    let setup = Arc::new(Setup {
        text: settings.workflow_text(&environment()),
        tools: place.tools(&settings),
        seed: Uuid::new_v4().as_u64_pair().0,
        root: place.root.clone(),
        home: place.home.clone(),
        version: env!("CARGO_PKG_VERSION"),
        settings,
        agents,
        origin: place.origin(),
        auto,
        plans,
        make_model: maker,
        editor: editor.as_ref().map(|editor| editor.name.clone()),
        relayed: args.print,
        can_ask: answers == Answers::Somebody,
        channels: false,
        remote: env("PLANWRIGHT_REMOTE").as_deref() == Some("1"),
        max_requests: args.max_turns,
        instructions,
        date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
    });
    let ((say, inputs), (out, hear)) = (unbounded_channel(), unbounded_channel());
    let wires = (inputs, out);
    let session = match opened {
        // Made last: wrong usage leaves no session behind.
        None => begin(setup, models, new_log(place, args)?, start, wires)?,
        Some(Reopened { log, entries, warnings: odd, .. }) => {
            warnings.extend(odd);
            if entries.is_empty() {
                // Killed before its first entry was written: it begins now.
                begin(setup, models, log, start, wires)?
            } else {
                let copy = args.fork_session.then(|| log.session_id());
                Session::resume(setup, models, log, &entries, start, copy, wires)?
            }
        }
    };
    Ok(Wired { session, say, hear, editor, model, model_flag, agents: kinds, warnings })
}

/// What files say about a session here.
struct Here {
    settings: Settings,
    plans: Plans,
    agents: Vec<AgentType>,
    warnings: Vec<String>,
}

impl Here {
    fn find(place: &Place, args: &RunArgs) -> Result<Self, Failure> {
        let Loaded { settings, mut warnings, origins, .. } = place.settings(args);
        let (plans, warning) = place.plans(&settings, &origins);
        warnings.extend(warning);
        let (own, odd) = planwright_store::agents::load(&place.home, &place.root);
        warnings.extend(odd);
        let agents = planwright_core::agents::built_in().into_iter().chain(own).collect();
        let warnings = warnings.iter().map(ToString::to_string).chain(args.client.checked()?).collect();
        Ok(Self { settings, plans, agents, warnings })
    }
}

/// The mode that the flags ask for. One that cannot be had is wrong usage; in the settings it is a
/// warning, and `default` instead.
fn starting_mode(
    args: &RunArgs,
    auto: &AutoAccess,
    settings: &mut Settings,
    warnings: &mut Vec<String>,
) -> Result<Option<Mode>, Failure> {
    if let Err(why) = may_set(settings.default_mode, auto) {
        warnings.push(format!("permissions.defaultMode: {why} The session starts in `default`."));
        settings.default_mode = Mode::Default;
    }
    let mode = args.permission_mode.or(args.dangerously_skip_permissions.then_some(Mode::BypassPermissions));
    mode.map(|mode| may_set(mode, auto)).transpose().map_err(|why| Failure::usage(why, ""))?;
    Ok(mode)
}

type Wires = (UnboundedReceiver<Input>, UnboundedSender<Notice>);

fn begin(setup: Arc<Setup>, models: Models, log: Log, start: Start, wires: Wires) -> Result<Session, Failure> {
    let id = log.session_id();
    Ok(Session::create(setup, models, log, id, start, wires)?)
}

fn environment() -> Environment {
    Environment {
        explore_agents: env("PLANWRIGHT_EXPLORE_AGENTS"),
        plan_agents: env("PLANWRIGHT_PLAN_AGENTS"),
        interview: env("PLANWRIGHT_INTERVIEW"),
    }
}

/// Says what is odd, before anything else is said.
pub fn warn(warnings: &[String]) {
    warnings.iter().for_each(|warning| err(&format!("warning: {warning}\n")));
}

fn new_log(place: &Place, args: &RunArgs) -> Result<Log, Failure> {
    Ok(Log::create(&place.home, &place.root, args.session_id.unwrap_or_else(Uuid::new_v4))?)
}

/// A session's log that is gone on with.
struct Reopened {
    log: Log,
    entries: Vec<Entry>,
    warnings: Vec<String>,
    mode_in_doubt: bool,
}

/// The log that `--continue` or `--resume` names.
fn open_log(place: &Place, args: &RunArgs) -> Result<Option<Reopened>, Failure> {
    let path = match (&args.resume, args.continue_last) {
        (None, false) if args.fork_session => {
            return Err(Failure::usage(
                "--fork-session needs a session to copy",
                "Name one with --resume ID, or take the last one with --continue.",
            ));
        }
        (None, false) => return Ok(None),
        (None, true) if args.approve_plan.is_some() => {
            let id = crate::waiting::only(place, "planwright --resume ID --approve-plan")?;
            sessions::find(&place.home, Some(&place.root), &id)?
        }
        (None, true) => sessions::latest(&place.home, &place.root).ok_or_else(|| {
            Failure::usage("there is no session to continue in this project", "Start one: planwright PROMPT")
        })?,
        (Some(id), _) if id.is_empty() => {
            let rows: Vec<_> =
                sessions::sessions(&place.home, &place.root).iter().map(planwright_agent::session_row).collect();
            let list = if rows.is_empty() { "There are none in this project.".to_owned() } else { rows.join("\n  ") };
            return Err(Failure::usage("--resume needs the id of a session", list));
        }
        (Some(id), _) => sessions::find(&place.home, Some(&place.root), id)
            .or_else(|_| sessions::find(&place.home, None, id))
            .map_err(|error| Failure::usage(error.message(), error.hint))?,
    };
    if args.fork_session {
        // Only read: the session may be open elsewhere.
        let (entries, warnings) = log::read(&path)?;
        let mode_in_doubt = !warnings.is_empty();
        let warnings = warnings.iter().map(ToString::to_string).collect();
        return Ok(Some(Reopened { log: new_log(place, args)?, entries, warnings, mode_in_doubt }));
    }
    let opened = Log::open(&path)?;
    let warnings = opened.warnings.iter().map(ToString::to_string).collect();
    let Opened { log, entries, mode_in_doubt, .. } = opened;
    Ok(Some(Reopened { log, entries, warnings, mode_in_doubt }))
}

/// The answer that `--approve-plan` brings.
fn plan_answer(args: &RunArgs) -> Result<Option<Answer>, Failure> {
    let Some(Approval(mode)) = args.approve_plan else {
        return match args.plan_file {
            None => Ok(None),
            Some(_) => Err(Failure::usage(
                "--plan-file is the text that an approval approves, and nothing is approved here",
                "Add --approve-plan, or: planwright plan approve ID --plan-file EDITED",
            )),
        };
    };
    if args.resume.is_none() && !args.continue_last {
        return Err(Failure::usage(
            "--approve-plan answers a plan that waits",
            "Name its session: --resume ID --approve-plan",
        ));
    }
    let edited = match &args.plan_file {
        None => None,
        Some(path) => Some(place::small_text(path, bounds::PLAN_BYTES as u64).map_err(|error| {
            Failure::usage(format!("the edited plan {} cannot be read: {error}", path.display()), "Name a text file.")
        })?),
    };
    Ok(Some(Answer::Plan {
        choice: mode.map(PlanChoice::Approve),
        feedback: args.plan_notes.clone().unwrap_or_default(),
        edited,
        by: "command line".to_owned(),
        handoff: planwright_core::plan::Handoff::default(),
    }))
}

type Maker = Box<dyn Fn(&str) -> Result<Arc<dyn Model>, String> + Send + Sync>;

/// Turns a model's name into a model.
fn maker(place: &Place, args: &RunArgs) -> Maker {
    let placeholders = Placeholders { cwd: place.root.clone(), home: place.user_home.clone().unwrap_or_default() };
    let (log_requests, record) = (args.log_requests.clone(), args.record.clone());
    Box::new(move |spec| {
        let model: Arc<dyn Model> = match spec.split_once(':') {
            Some(("script", file)) => {
                Arc::new(ScriptModel::load(Path::new(file), placeholders.clone()).map_err(|error| error.to_string())?)
            }
            Some(_) | None => {
                let command = |line: &str| keys::printed_by(line, &placeholders.home);
                let access = Access { env: &env, command: &command, patience: Patience::default() };
                providers::model(spec, &access).map_err(|error| error.to_string())?
            }
        };
        let model: Arc<dyn Model> = match &record {
            Some(file) => Arc::new(Recording::new(model, file, placeholders.clone())),
            None => model,
        };
        Ok(match &log_requests {
            Some(folder) => Arc::new(
                Logged::new(model, folder)
                    .map_err(|error| format!("requests cannot be logged to {}: {error}", folder.display()))?,
            ),
            None => model,
        })
    })
}

fn models(maker: &Maker, args: &RunArgs, settings: &Settings, entries: &[Entry]) -> Result<Models, Failure> {
    let make = |spec: &str| {
        let hint = match spec.split_once(':') {
            Some(("script", _)) => "Correct the script, or the path after `script:`.",
            Some(_) | None => {
                "`planwright --help` lists the providers with their variables; `planwright demo` needs none."
            }
        };
        let model = maker(spec).map_err(|why| Failure::usage(why, hint))?;
        model.resumed(answers_of(&model.id(), entries));
        Ok::<_, Failure>(model)
    };
    let main = args.model.as_deref().or(settings.model.as_deref()).ok_or_else(|| {
        let had = entries.iter().rev().find_map(|entry| match &entry.fact {
            Fact::Assistant { model, .. } => Some(format!("This session had `{model}`. ")),
            _ => None,
        });
        Failure::usage(
            "no model is set",
            format!(
                "{}Name one with --model (as in --model anthropic:claude-sonnet-5-5), PLANWRIGHT_MODEL or the setting \
                 `model`; `planwright demo` needs none.",
                had.unwrap_or_default()
            ),
        )
    })?;
    let optional = |spec: Option<&str>| spec.map(make).transpose();
    Ok(Models {
        main: make(main)?,
        plan: optional(args.plan_model.as_deref().or(settings.plan_model.as_deref()))?,
        explore: optional(settings.explore_model.as_deref())?,
        fallback: optional(args.fallback_model.as_deref().or(settings.fallback_model.as_deref()))?,
    })
}

/// How many whole answers of this model a session's log holds, on the main thread.
fn answers_of(model: &str, entries: &[Entry]) -> usize {
    entries
        .iter()
        .filter(|entry| match &entry.fact {
            Fact::Assistant { model: by, stop, .. } => by == model && *stop != planwright_core::reply::Stop::Cut,
            Fact::Compacted { model: by, .. } => by == model,
            Fact::Aside(aside) => aside.model == model && aside.stop != planwright_core::reply::Stop::Cut,
            _ => false,
        })
        .count()
}

/// Settles the plan that waits in the session `args` name, and goes no further. Yields words for
/// the user.
pub async fn settle(place: &Place, args: &RunArgs, answer: Option<Answer>) -> Result<String, Failure> {
    let mut wired = wire_with(place, args, Answers::Nobody, Some(Arc::new(NoModel)))?;
    warn(&wired.warnings);
    if let Some(answer) = answer {
        wired.session.bring(answer);
    }
    wired.session.settle_only().await.map_err(|why| Failure::run(why, ""))
}

/// Stands where no model is asked.
struct NoModel;

impl Model for NoModel {
    fn id(&self) -> String {
        "none".to_owned()
    }

    fn ask(&self, _request: planwright_core::request::Request) -> planwright_model::ReplyStream {
        Box::pin(futures_util::stream::once(async { Err(planwright_model::ModelError::Cut) }))
    }
}
