//! The command line, parsed once.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use planwright_core::call::TOOLS;
use planwright_core::mode::Mode;
use planwright_model::providers::documentation;

use crate::failure::Failure;

mod client;

pub use client::ClientArgs;

/// A coding agent for the terminal that plans first, and proves it.
///
/// In plan mode the model may read everything, run what only reads, ask you, and write one plan
/// file. Nothing else on the machine changes until you approve the plan.
#[derive(Debug, Parser)]
#[command(
    name = "planwright",
    version,
    disable_version_flag = true,
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true
)]
#[command(after_help = "Try it without a key or a network:  planwright demo\n\
    Exit codes: 0 done · 1 the run failed · 2 wrong usage · 3 a plan is ready and waits for approval · \
    4 something needed a permission that nobody could give · 5 a limit was reached · 130 interrupted · 143 terminated")]
pub struct Cli {
    /// What to do; without it Planwright waits for your words.
    pub prompt: Option<String>,
    /// How to run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Something else than talking.
    #[command(subcommand)]
    pub command: Option<Sub>,
    /// Print the version.
    #[arg(short = 'V', short_alias = 'v', long, action = ArgAction::Version)]
    version: Option<bool>,
}

/// Flags of a run.
#[derive(Args, Clone, Debug, Default)]
pub struct RunArgs {
    /// Headless: run, print the answer, exit.
    #[arg(short = 'p', long)]
    pub print: bool,
    /// The model as PROVIDER:NAME, for instance `anthropic:claude-sonnet-5-5`, or `script:FILE`.
    #[arg(long, value_name = "SPEC", env = "PLANWRIGHT_MODEL", long_help = documentation())]
    pub model: Option<String>,
    /// The model while the mode is `plan`.
    #[arg(long, value_name = "SPEC")]
    pub plan_model: Option<String>,
    /// The model that answers for the rest of a turn when the other gives up.
    #[arg(long, value_name = "SPEC")]
    pub fallback_model: Option<String>,
    /// The mode to start in; in headless runs also a ceiling.
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub permission_mode: Option<Mode>,
    /// Let the session use bypassPermissions.
    #[arg(long, alias = "allow-dangerously-skip-permissions")]
    pub allow_bypass: bool,
    /// Start in bypassPermissions.
    #[arg(long)]
    pub dangerously_skip_permissions: bool,
    /// Go on with the last session of this project.
    #[arg(short = 'c', long = "continue", conflicts_with = "resume")]
    pub continue_last: bool,
    /// Go on with a session; without ID, say which there are.
    #[arg(short = 'r', long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    pub resume: Option<String>,
    /// With --resume or --continue: go on in a copy.
    #[arg(long)]
    pub fork_session: bool,
    /// The id of the new session.
    #[arg(long, value_name = "UUID")]
    pub session_id: Option<uuid::Uuid>,
    /// What to print in headless runs.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: OutputFormat,
    /// What to read in headless runs; `stream-json` (lines of JSON from a program) implies -p.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub input_format: InputFormat,
    /// With stream-json: say also what arrives of an answer before it is whole.
    #[arg(long)]
    pub include_partial_messages: bool,
    /// With stream-json: repeat the messages that were read.
    #[arg(long)]
    pub replay_user_messages: bool,
    /// Whom to ask for permission: `stdio` = the program that reads and writes the lines of JSON.
    #[arg(long, value_name = "NAME")]
    pub permission_prompt_tool: Option<PromptTool>,
    /// With --resume: approve the plan that waits, and go on; MODE defaults to the mode before.
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = approval)]
    pub approve_plan: Option<Approval>,
    /// With --approve-plan: approve this text instead.
    #[arg(long, value_name = "EDITED")]
    pub plan_file: Option<PathBuf>,
    /// With --approve-plan: notes for the work, which the model reads with the approval.
    #[arg(long, value_name = "WORDS", requires = "approve_plan")]
    pub plan_notes: Option<String>,
    /// Rules for calls that need no question.
    #[arg(long, value_name = "RULES", num_args = 1.., alias = "allowedTools")]
    pub allowed_tools: Vec<String>,
    /// Rules for calls that never run.
    #[arg(long, value_name = "RULES", num_args = 1.., alias = "disallowedTools")]
    pub disallowed_tools: Vec<String>,
    /// A folder that counts as part of the project.
    #[arg(long, value_name = "DIR")]
    pub add_dir: Vec<PathBuf>,
    /// One more settings file, or its text.
    #[arg(long, value_name = "FILE")]
    pub settings: Option<String>,
    /// Model requests at most in one turn.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_turns: Option<u32>,
    /// Write every model request as one JSON file.
    #[arg(long, value_name = "DIR")]
    pub log_requests: Option<PathBuf>,
    /// Write what the model answers as a script that plays it again.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Line mode, also on a terminal.
    #[arg(long)]
    pub line: bool,
    /// Line mode, for screen readers: questions are numbered menus, and nothing is drawn twice.
    #[arg(long, env = "PLANWRIGHT_SCREEN_READER", value_parser = clap::builder::FalseyValueParser::new())]
    pub screen_reader: bool,
    /// Nothing moves by itself on the screen but a clock, once a second.
    #[arg(long, env = "PLANWRIGHT_REDUCED_MOTION", value_parser = clap::builder::FalseyValueParser::new())]
    pub reduced_motion: bool,
    /// The conversation on the alternate screen, with a scroll of its own, and not in the terminal's scrollback.
    #[arg(long, env = "PLANWRIGHT_ALTERNATE_SCREEN", value_parser = clap::builder::FalseyValueParser::new())]
    pub alternate_screen: bool,
    /// Line mode: repeat what was typed.
    #[arg(long)]
    pub echo: bool,
    /// Flags that agent clients pass.
    #[command(flatten)]
    pub client: ClientArgs,
}

impl RunArgs {
    /// Whether the run is headless.
    pub fn headless(&self) -> bool {
        self.print || self.input_format == InputFormat::StreamJson
    }

    /// Checks the flags that only make sense together.
    ///
    /// # Errors
    /// One of them stands alone.
    pub fn streams(&self) -> Result<(), Failure> {
        let (reads, writes) =
            (self.input_format == InputFormat::StreamJson, self.output_format == OutputFormat::StreamJson);
        let rows = [
            (reads && !writes, "--input-format stream-json", "--output-format stream-json"),
            (self.permission_prompt_tool.is_some() && !reads, "--permission-prompt-tool", "--input-format stream-json"),
            (self.replay_user_messages && !reads, "--replay-user-messages", "--input-format stream-json"),
            (self.include_partial_messages && !writes, "--include-partial-messages", "--output-format stream-json"),
        ];
        match rows.into_iter().find(|(alone, ..)| *alone) {
            Some((_, flag, needs)) => Err(Failure::usage(format!("{flag} needs {needs}"), "")),
            None => Ok(()),
        }
    }

    /// Rules of `--disallowed-tools`, and what `--tools` leaves out. The tools by which plan mode is
    /// entered and left do nothing by themselves, and a session that could not leave it is a trap.
    pub fn disallowed(&self) -> Vec<String> {
        let mut disallowed = rules(&self.disallowed_tools);
        if let Some(tools) = self.client.tools.as_deref().filter(|tools| *tools != "default") {
            let named: Vec<_> = tools.split(',').map(str::trim).collect();
            let left_out = TOOLS.iter().map(|tool| tool.name).filter(|name| !named.contains(name));
            let left_out = left_out.filter(|name| !["EnterPlanMode", "ExitPlanMode"].contains(name));
            disallowed.extend(left_out.map(str::to_owned));
        }
        disallowed
    }
}

/// Who is asked for permission in a headless run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PromptTool {
    /// The program at the other end of standard input and output.
    Stdio,
}

/// `--approve-plan[=MODE]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval(pub Option<Mode>);

/// What a headless run prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// The final answer.
    #[default]
    Text,
    /// One result object.
    Json,
    /// One JSON object per line, as it happens.
    StreamJson,
}

/// What a headless run reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InputFormat {
    /// The rest of the prompt.
    #[default]
    Text,
    /// One JSON object per line: messages, answers, requests.
    StreamJson,
}

/// The other commands.
#[derive(Debug, Subcommand)]
pub enum Sub {
    /// Play the pagination story on a throw-away copy: no key, no network.
    Demo {
        /// Use the story's own answers, also on a terminal.
        #[arg(long)]
        yes: bool,
    },
    /// Plans of this project.
    #[command(subcommand)]
    Plan(PlanCmd),
    /// Sessions of this project.
    #[command(subcommand)]
    Session(SessionCmd),
    /// Say whether a shell command only reads.
    Check {
        /// The command line.
        command: Option<String>,
        /// One JSON string per input line, one JSON object per output line.
        #[arg(long, conflicts_with_all = ["command", "list"])]
        batch: bool,
        /// Print the tables: every program known, and what of it only reads.
        #[arg(long, conflicts_with = "command")]
        list: bool,
    },
    /// Run a command in a throw-away copy of the machine, and list what it would have changed.
    Scratch {
        /// The command and its arguments.
        #[arg(last = true, required = true, value_name = "CMD")]
        command: Vec<std::ffi::OsString>,
    },
    /// Show what protects you on this machine, and which settings are in force.
    Doctor {
        /// Print the JSON Schema of the settings files.
        #[arg(long)]
        schema: bool,
        /// One more settings file, or its text.
        #[arg(long, value_name = "FILE")]
        settings: Option<String>,
    },
    /// Trust this folder: what in its settings loosens permissions takes effect.
    Trust {
        /// The folder; this one if absent.
        dir: Option<PathBuf>,
    },
    /// Print the completions of a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}

/// `planwright plan …`
#[derive(Debug, Subcommand)]
pub enum PlanCmd {
    /// List the plans of this project.
    List,
    /// Print a plan.
    Show(Which),
    /// Print the path of a plan file.
    Path(Which),
    /// Show what changed between two submissions.
    Diff {
        /// The session; the last one with a plan if absent.
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// The older revision; the one before the last if absent.
        from: Option<u32>,
        /// The newer revision; the last if absent.
        to: Option<u32>,
    },
    /// Approve the plan that waits, and go on by it.
    Approve {
        /// The session, or the plan's slug; may be absent if only one can be meant.
        session: Option<String>,
        /// The mode to go on in; the mode before if absent.
        #[arg(long, value_name = "MODE", value_parser = mode)]
        mode: Option<Mode>,
        /// Approve this text instead.
        #[arg(long, value_name = "EDITED")]
        plan_file: Option<PathBuf>,
        /// Notes for the work, which the model reads with the approval.
        #[arg(long, value_name = "WORDS")]
        notes: Option<String>,
        /// Only record the approval; `planwright --resume` goes on later.
        #[arg(long)]
        record_only: bool,
        /// The model to go on with.
        #[arg(long, value_name = "SPEC", env = "PLANWRIGHT_MODEL")]
        model: Option<String>,
    },
    /// Keep planning: send the plan that waits back, with what should change.
    Reject {
        /// The session, or the plan's slug; may be absent if only one can be meant.
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// What should change; the session may stand before it.
        #[arg(value_name = "[SESSION] FEEDBACK")]
        words: Vec<String>,
    },
}

/// Which plan.
#[derive(Args, Debug)]
pub struct Which {
    /// A session id or a plan's slug; the last one with a plan if absent.
    pub which: Option<String>,
}

/// `planwright session …`
#[derive(Debug, Subcommand)]
pub enum SessionCmd {
    /// List the sessions of this project.
    List,
    /// Print a session for reading.
    Show {
        /// The session; the last one if absent.
        id: Option<String>,
    },
    /// Print a session as one JSON document: its entries, and those of its subagents.
    Export {
        /// The session; the last one if absent.
        id: Option<String>,
    },
    /// Delete a session.
    Rm {
        /// The session.
        id: String,
    },
}

fn mode(text: &str) -> Result<Mode, String> {
    Mode::parse(text).ok_or_else(|| format!("the modes are {}", Mode::ALL.map(Mode::name).join(", ")))
}

fn approval(text: &str) -> Result<Approval, String> {
    if text.is_empty() { Ok(Approval(None)) } else { mode(text).map(|mode| Approval(Some(mode))) }
}

/// Rules of a flag: given one by one, or in one argument separated by commas or blanks outside of
/// parentheses.
pub fn rules(given: &[String]) -> Vec<String> {
    let mut rules = Vec::new();
    for text in given {
        let (mut depth, mut rule) = (0_usize, String::new());
        for c in text.chars() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && (c == ',' || c.is_whitespace()) {
                rules.push(std::mem::take(&mut rule));
            } else {
                rule.push(c);
            }
        }
        rules.push(rule);
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}
