//! Slash commands: one table, and a line parsed by it.

use crate::call::nearest;
use crate::mode::Mode;

/// A slash command, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `/plan`
    Plan(PlanCommand),
    /// `/mode [MODE]`
    Mode(Option<Mode>),
    /// `/model [SPEC]`
    Model(Option<String>),
    /// `/clear`
    Clear,
    /// `/compact [WHAT TO KEEP]`
    Compact(String),
    /// `/resume [ID]`
    Resume(Option<String>),
    /// `/fork`
    Fork,
    /// `/undo`
    Undo,
    /// `/scratch`
    Scratch(ScratchCommand),
    /// `/permissions`
    Permissions,
    /// `/agents`
    Agents,
    /// `/mcp`
    Mcp,
    /// `/status`
    Status,
    /// `/context`
    Context,
    /// `/cost`
    Cost,
    /// `/help`
    Help,
    /// `/exit`
    Exit,
}

/// What `/plan` was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanCommand {
    /// Nothing.
    Plain,
    /// `open`
    Open,
    /// `off`
    Off,
    /// A description.
    Describe(String),
}

/// What `/scratch` was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScratchCommand {
    /// Nothing.
    Show,
    /// `clear`
    Clear,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    /// The name, without `/`.
    pub name: &'static str,
    /// What it takes.
    pub hint: &'static str,
    /// What it does.
    pub description: &'static str,
    parse: fn(&str) -> Result<Command, String>,
}

const fn row(
    name: &'static str,
    hint: &'static str,
    description: &'static str,
    parse: fn(&str) -> Result<Command, String>,
) -> CommandRow {
    CommandRow { name, hint, description, parse }
}

fn optional(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn mode(text: &str) -> Result<Command, String> {
    if text.is_empty() {
        return Ok(Command::Mode(None));
    }
    let names: Vec<_> = Mode::ALL.iter().map(|mode| mode.name()).collect();
    Mode::parse(text).map(|mode| Command::Mode(Some(mode))).ok_or_else(|| {
        let near = nearest(text, &names).map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        format!("There is no mode `{text}`.{near} The modes are: {}.", names.join(", "))
    })
}

fn scratch(text: &str) -> Result<Command, String> {
    match text {
        "" => Ok(Command::Scratch(ScratchCommand::Show)),
        "clear" => Ok(Command::Scratch(ScratchCommand::Clear)),
        other => Err(format!("`/scratch` takes nothing or `clear`, not `{other}`.")),
    }
}

/// Every slash command.
pub const COMMANDS: &[CommandRow] = &[
    row("plan", "[open|<description>]", "Enable plan mode or view the current session plan", |text| {
        Ok(Command::Plan(match text {
            "" => PlanCommand::Plain,
            "open" => PlanCommand::Open,
            "off" => PlanCommand::Off,
            text => PlanCommand::Describe(text.to_owned()),
        }))
    }),
    row("mode", "[MODE]", "Show or set the permission mode", mode),
    row("model", "[SPEC]", "Show or set the model", |text| Ok(Command::Model(optional(text)))),
    row("clear", "", "Start a new conversation; files and mode stay", |_| Ok(Command::Clear)),
    row("compact", "[WHAT TO KEEP]", "Replace the conversation by a summary", |text| {
        Ok(Command::Compact(text.to_owned()))
    }),
    row("resume", "[ID]", "List sessions, or go on with one", |text| Ok(Command::Resume(optional(text)))),
    row("fork", "", "Go on in a copy of this session, with its own plan", |_| Ok(Command::Fork)),
    row("scratch", "[clear]", "Show what the scratch copy would change so far, or begin it anew", scratch),
    row("undo", "", "Take back the experiment that was applied last", |_| Ok(Command::Undo)),
    row("permissions", "", "Show the permission rules and where each comes from", |_| Ok(Command::Permissions)),
    row("agents", "", "Show the types of subagents", |_| Ok(Command::Agents)),
    row("mcp", "", "Show the tool servers", |_| Ok(Command::Mcp)),
    row("status", "", "Show session, mode, model, plan and what protects you", |_| Ok(Command::Status)),
    row("context", "", "Show what fills the model's window, and when it is compacted", |_| Ok(Command::Context)),
    row("cost", "", "Show the tokens this session has used, and what they cost", |_| Ok(Command::Cost)),
    row("help", "", "Show this list", |_| Ok(Command::Help)),
    row("exit", "", "Leave", |_| Ok(Command::Exit)),
];

/// Parses a line that begins with `/`. `None` if it is no command but text (`/path/like`).
///
/// # Errors
/// There is no such command, or its argument is not valid; the words name the nearest match.
pub fn parse(line: &str) -> Option<Result<Command, String>> {
    let rest = line.strip_prefix('/')?;
    let (name, argument) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if name.contains('/') {
        return None;
    }
    let Some(row) = COMMANDS.iter().find(|row| row.name == name) else {
        let names: Vec<_> = COMMANDS.iter().map(|row| row.name).collect();
        let near = nearest(name, &names).map(|near| format!(" Did you mean `/{near}`?")).unwrap_or_default();
        return Some(Err(format!("There is no command `/{name}`.{near} `/help` lists the commands.")));
    };
    Some((row.parse)(argument.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scratch_takes() {
        let parsed = |line| parse(line).expect("a command");
        assert_eq!(parsed("/scratch"), Ok(Command::Scratch(ScratchCommand::Show)));
        assert_eq!(parsed("/scratch  clear "), Ok(Command::Scratch(ScratchCommand::Clear)));
        assert_eq!(parsed("/scratch all"), Err("`/scratch` takes nothing or `clear`, not `all`.".to_owned()));
    }
}
