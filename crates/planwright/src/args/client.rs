//! Flags that agent clients pass and that mean nothing here, or not all they mean elsewhere. None is
//! passed over in silence: what has no effect is warned of, and what would loosen or tighten a run if
//! it were passed over is refused.

use clap::Args;
use planwright_core::rules::Layer;

use crate::failure::Failure;

/// Flags of agent clients.
#[derive(Args, Clone, Debug, Default)]
pub struct ClientArgs {
    /// Accepted; lines of JSON say everything anyway.
    #[arg(long, hide = true)]
    pub verbose: bool,
    /// Instructions to the model, beside the project's.
    #[arg(long, value_name = "TEXT", hide = true)]
    pub append_system_prompt: Option<String>,
    /// The same; Planwright's own prompt stays, since planning depends on it.
    #[arg(long, value_name = "TEXT", hide = true)]
    pub system_prompt: Option<String>,
    /// Which settings files are read: `user`, `project`, `local`.
    #[arg(long, value_name = "NAMES", hide = true, value_parser = setting_sources)]
    pub setting_sources: Option<SettingSources>,
    /// The tools that may be used at all.
    #[arg(long, value_name = "NAMES", hide = true)]
    pub tools: Option<String>,
    #[arg(long, hide = true)]
    strict_mcp_config: bool,
    #[arg(long, hide = true)]
    mcp_config: Vec<String>,
    #[arg(long, hide = true)]
    effort: Option<String>,
    #[arg(long, hide = true)]
    betas: Option<String>,
    #[arg(long, hide = true)]
    thinking: Option<String>,
    #[arg(long, hide = true)]
    thinking_display: Option<String>,
    #[arg(long, hide = true)]
    max_thinking_tokens: Option<String>,
    #[arg(long, hide = true)]
    include_hook_events: bool,
    #[arg(long, hide = true)]
    session_mirror: bool,
    #[arg(long, hide = true)]
    debug: bool,
    #[arg(long, hide = true)]
    debug_to_stderr: bool,
    #[arg(long, hide = true)]
    debug_file: Option<String>,
    #[arg(long, hide = true)]
    max_budget_usd: Option<String>,
    #[arg(long, hide = true)]
    task_budget: Option<String>,
    #[arg(long, hide = true)]
    json_schema: Option<String>,
    #[arg(long, hide = true)]
    system_prompt_file: Option<String>,
    #[arg(long, hide = true)]
    agent: Option<String>,
    #[arg(long, hide = true)]
    agents: Option<String>,
    #[arg(long, hide = true)]
    plugin_dir: Vec<String>,
    #[arg(long, hide = true)]
    managed_settings: Option<String>,
    #[arg(long, hide = true)]
    no_session_persistence: bool,
    #[arg(long, hide = true)]
    resume_session_at: Option<String>,
    #[arg(long, hide = true)]
    resume_drops_turn: Option<String>,
}

/// The layers of settings files that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingSources(pub Vec<Layer>);

fn setting_sources(names: &str) -> Result<SettingSources, String> {
    let layer = |name: &str| match name {
        "user" => Ok(Layer::User),
        "project" => Ok(Layer::Project),
        "local" => Ok(Layer::ProjectLocal),
        _ => Err(format!("there are no settings called `{name}`; there are user, project and local")),
    };
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(layer).collect::<Result<_, _>>().map(SettingSources)
}

/// What becomes of a flag.
enum Effect {
    /// Warned of: the run only has less to offer.
    Nothing,
    /// Wrong usage, and why.
    Refused(&'static str),
}

impl ClientArgs {
    /// What to warn of.
    ///
    /// # Errors
    /// A flag was given that cannot be honoured and must not be passed over.
    pub fn checked(&self) -> Result<Vec<String>, Failure> {
        use Effect::{Nothing, Refused};
        let given = |value: &Option<String>| value.as_ref().is_some_and(|value| !value.is_empty());
        let rows = [
            ("--mcp-config", !self.mcp_config.is_empty(), Nothing),
            ("--effort", given(&self.effort), Nothing),
            ("--betas", given(&self.betas), Nothing),
            ("--thinking", given(&self.thinking), Nothing),
            ("--thinking-display", given(&self.thinking_display), Nothing),
            ("--max-thinking-tokens", given(&self.max_thinking_tokens), Nothing),
            ("--include-hook-events", self.include_hook_events, Nothing),
            ("--session-mirror", self.session_mirror, Nothing),
            ("--debug", self.debug || self.debug_to_stderr, Nothing),
            ("--debug-file", given(&self.debug_file), Nothing),
            ("--max-budget-usd", given(&self.max_budget_usd), Refused("the run would have no such limit")),
            ("--task-budget", given(&self.task_budget), Refused("the run would have no such limit")),
            ("--json-schema", given(&self.json_schema), Refused("the answer would have another form")),
            ("--system-prompt-file", given(&self.system_prompt_file), Refused("use --append-system-prompt TEXT")),
            ("--agent", given(&self.agent), Refused("the agent's limits would not hold")),
            ("--agents", given(&self.agents), Refused("the agents' limits would not hold")),
            ("--plugin-dir", !self.plugin_dir.is_empty(), Refused("the plugin's hooks would not run")),
            ("--managed-settings", given(&self.managed_settings), Refused("its rules would not be in force")),
            ("--no-session-persistence", self.no_session_persistence, Refused("every session has a log here")),
            ("--resume-session-at", given(&self.resume_session_at), Refused("the whole session would be resumed")),
            ("--resume-drops-turn", given(&self.resume_drops_turn), Refused("the whole session would be resumed")),
        ];
        let mut warnings = Vec::new();
        for (flag, given, effect) in rows {
            match effect {
                Nothing if given => warnings.push(format!("{flag} has no effect here")),
                Refused(why) if given => {
                    return Err(Failure::usage(format!("{flag} is not supported: {why}"), "Leave it out."));
                }
                Nothing | Refused(_) => {}
            }
        }
        // Nothing to be strict about: no tool server is ever connected.
        let _ = (self.strict_mcp_config, self.verbose);
        if given(&self.system_prompt) {
            warnings.push("--system-prompt is added to the system prompt, and does not replace it".to_owned());
        }
        Ok(warnings)
    }

    /// Instructions to the model that came by flag.
    pub fn instructions(&self) -> Vec<&str> {
        [&self.system_prompt, &self.append_system_prompt]
            .into_iter()
            .filter_map(|text| text.as_deref().filter(|text| !text.trim().is_empty()))
            .collect()
    }
}
