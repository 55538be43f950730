//! The tools a model may call: one table, and a call parsed into types.
//!
//! Names and inputs are pinned by interfaces.md section 5. Schemas are strict: an unknown field is
//! an error that the model can read.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::page::PageUrl;

/// `Read`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// The file; absolute, or relative to the project root.
    pub file_path: String,
    /// First line to read, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// How many lines to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// `Write`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// The file; it is created, with its folders, or overwritten.
    pub file_path: String,
    /// Its whole new content.
    pub content: String,
}

/// `Edit`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The file.
    pub file_path: String,
    /// The text to replace, exactly as it stands in the file.
    pub old_string: String,
    /// What to put in its place.
    pub new_string: String,
    /// Replace every occurrence; otherwise `old_string` must occur once.
    #[serde(default)]
    pub replace_all: bool,
}

/// What a `NotebookEdit` does to a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EditMode {
    /// Replace its source.
    #[default]
    Replace,
    /// Insert a new cell after it, or first if no cell is named.
    Insert,
    /// Remove it.
    Delete,
}

/// What a notebook cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CellType {
    /// Code.
    Code,
    /// Text.
    Markdown,
}

/// `NotebookEdit`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotebookEdit {
    /// The notebook.
    pub notebook_path: String,
    /// The cell: its id, or its number from 0 where cells have no ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell_id: Option<String>,
    /// The cell's new source.
    pub new_source: String,
    /// The cell's type; needed for an insertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell_type: Option<CellType>,
    /// What to do.
    #[serde(default)]
    pub edit_mode: EditMode,
}

/// `Glob`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Glob {
    /// The pattern, for instance `src/**/*.rs`.
    pub pattern: String,
    /// The folder to search; the project root when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// What a `Grep` returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputMode {
    /// Matching lines.
    Content,
    /// Paths of files with a match.
    #[default]
    FilesWithMatches,
    /// Matches per file.
    Count,
}

/// `Grep`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grep {
    /// A regular expression.
    pub pattern: String,
    /// The file or folder to search; the project root when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Only files that match this pattern, for instance `*.py`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glob: Option<String>,
    /// Only files of this type, for instance `rust`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub file_type: Option<String>,
    /// What to return.
    #[serde(default)]
    pub output_mode: OutputMode,
    /// Show line numbers (content mode); on unless false.
    #[serde(default, rename = "-n", skip_serializing_if = "Option::is_none")]
    pub line_numbers: Option<bool>,
    /// Ignore case.
    #[serde(default, rename = "-i", skip_serializing_if = "Option::is_none")]
    pub ignore_case: Option<bool>,
    /// Lines to show after a match.
    #[serde(default, rename = "-A", skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// Lines to show before a match.
    #[serde(default, rename = "-B", skip_serializing_if = "Option::is_none")]
    pub before: Option<usize>,
    /// Lines to show around a match.
    #[serde(default, rename = "-C", skip_serializing_if = "Option::is_none")]
    pub context: Option<usize>,
    /// How many lines or paths to return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_limit: Option<usize>,
    /// Let the pattern match across lines.
    #[serde(default)]
    pub multiline: bool,
}

/// `Bash`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bash {
    /// The command line.
    pub command: String,
    /// Milliseconds it may run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// What it does, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Return at once and let it run.
    #[serde(default)]
    pub run_in_background: bool,
}

/// `Agent`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The type of agent.
    pub subagent_type: String,
    /// What it is to do, in a few words.
    pub description: String,
    /// The whole task: the agent sees nothing else.
    pub prompt: String,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Todo {
    /// What.
    pub content: String,
    /// The same in the present continuous, for display while it is done.
    #[serde(rename = "activeForm")]
    pub active_form: String,
    /// How it stands.
    pub status: TodoStatus,
}

/// How a thing to do stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// Being done.
    InProgress,
    /// Done.
    Completed,
}

/// `TodoWrite`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TodoWrite {
    /// The whole list.
    pub todos: Vec<Todo>,
}

/// One answer on offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionOption {
    /// One to five words.
    pub label: String,
    /// What choosing it means.
    pub description: String,
    /// A sketch or sample to look at beside the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}

/// One question to the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserQuestion {
    /// The question.
    pub question: String,
    /// One or two words for it.
    pub header: String,
    /// Two to four answers on offer; the user can always give another.
    #[schemars(length(min = 2, max = 4))]
    pub options: Vec<QuestionOption>,
    /// Whether several answers can be chosen.
    #[serde(default, rename = "multiSelect")]
    pub multi_select: bool,
}

/// `AskUserQuestion`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskUserQuestion {
    /// One to four questions.
    #[schemars(length(min = 1, max = 4))]
    pub questions: Vec<UserQuestion>,
}

/// `WebFetch`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebFetch {
    /// The page: an http or https address.
    #[schemars(with = "String")]
    pub url: PageUrl,
    /// What you want to know from it.
    pub prompt: String,
}

/// The input of a tool that takes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// A tool of an MCP server, as the server describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpCall {
    /// The server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// The input.
    pub input: Value,
    /// The server's `readOnlyHint`.
    pub read_only_hint: bool,
    /// Whether the user trusts the server, so that its hints count.
    pub trusted: bool,
}

/// A tool call, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Read a file.
    Read(Read),
    /// Create or overwrite a file.
    Write(Write),
    /// Change a file.
    Edit(Edit),
    /// Change a notebook.
    NotebookEdit(NotebookEdit),
    /// Find files by name.
    Glob(Glob),
    /// Find text in files.
    Grep(Grep),
    /// Run a command.
    Bash(Bash),
    /// Start a subagent.
    Agent(Agent),
    /// Ask the user.
    AskUserQuestion(AskUserQuestion),
    /// Keep the todo list.
    TodoWrite(TodoWrite),
    /// Read a page on the web.
    WebFetch(WebFetch),
    /// Enter plan mode.
    EnterPlanMode,
    /// Submit the plan.
    ExitPlanMode,
    /// A tool of an MCP server.
    Mcp(McpCall),
}

/// What a tool touches: decides which rows of the gate apply to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads the user's files.
    Read,
    /// Writes the user's files.
    Write,
    /// Runs a command.
    Command,
    /// Reads from the web: nothing changes, but the address goes out.
    Web,
    /// The agent's own state.
    Own,
    /// Asks the user.
    Question,
    /// Starts a subagent.
    Agent,
    /// A boundary of plan mode.
    Boundary,
}

/// One row of the tool table.
#[derive(Clone, Copy)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it touches.
    pub access: Access,
    /// Calls of it may run side by side.
    pub concurrency_safe: bool,
    /// Offered to subagents.
    pub for_subagents: bool,
    /// Offered to read-only subagent types.
    pub for_read_only: bool,
    schema: fn() -> Value,
    parse: fn(&Value) -> Result<Call, String>,
}

macro_rules! tool {
    ($name:ident($input:ty), $access:ident, $safe:literal, $sub:literal, $ro:literal) => {
        Tool {
            name: stringify!($name),
            access: Access::$access,
            concurrency_safe: $safe,
            for_subagents: $sub,
            for_read_only: $ro,
            schema: schema::<$input>,
            parse: |input| strict::<$input>(input).map(Call::$name),
        }
    };
    ($name:ident, $access:ident, $safe:literal, $sub:literal, $ro:literal) => {
        Tool {
            name: stringify!($name),
            access: Access::$access,
            concurrency_safe: $safe,
            for_subagents: $sub,
            for_read_only: $ro,
            schema: schema::<Nothing>,
            parse: |input| strict::<Nothing>(input).map(|Nothing {}| Call::$name),
        }
    };
}

/// Every built-in tool, in the order in which they are offered.
///
/// Columns: what it touches, whether calls run side by side, whether subagents have it, whether
/// read-only subagent types have it (plan-mode.md section 12).
pub const TOOLS: &[Tool] = &[
    tool!(Read(Read), Read, true, true, true),
    tool!(Write(Write), Write, false, true, false),
    tool!(Edit(Edit), Write, false, true, false),
    tool!(NotebookEdit(NotebookEdit), Write, false, true, false),
    tool!(Glob(Glob), Read, true, true, true),
    tool!(Grep(Grep), Read, true, true, true),
    tool!(Bash(Bash), Command, false, true, true),
    tool!(Agent(Agent), Agent, true, true, false),
    tool!(AskUserQuestion(AskUserQuestion), Question, false, false, false),
    tool!(TodoWrite(TodoWrite), Own, false, true, true),
    tool!(WebFetch(WebFetch), Web, true, true, true),
    tool!(EnterPlanMode, Boundary, true, false, false),
    tool!(ExitPlanMode, Boundary, false, false, false),
];

/// The row of a tool.
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// JSON schema of the input.
    pub fn schema(&self) -> Value {
        (self.schema)()
    }
}

fn schema<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("description");
        object.entry("properties").or_insert_with(|| serde_json::json!({}));
        object.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    schema
}

fn strict<T: DeserializeOwned>(input: &Value) -> Result<T, String> {
    if !input.is_object() {
        return Err("it must be an object".to_owned());
    }
    serde_path_to_error::deserialize(input).map_err(|error| {
        let path = error.path().to_string();
        if path == "." { error.inner().to_string() } else { format!("`{path}`: {}", error.inner()) }
    })
}

/// Parses a call, or says what is wrong in words the model can act on.
///
/// # Errors
/// The tool is unknown, or the input does not fit its schema.
pub fn parse(name: &str, input: &Value) -> Result<Call, String> {
    let Some(tool) = tool(name) else {
        let names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
        let near = nearest(name, &names).map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        return Err(format!("There is no tool named `{name}`.{near} The tools are: {}.", names.join(", ")));
    };
    let invalid = |why: String| format!("The input of `{name}` is not valid: {why}. Correct it and call again.");
    // Arguments that are no JSON come as the text that the model wrote (`planwright_model::conversation::input`).
    if let Some(Err(why)) = input.as_str().map(serde_json::from_str::<Value>) {
        return Err(invalid(format!("it must be an object, and is no JSON: {why}")));
    }
    let call = (tool.parse)(input).map_err(|error| invalid(error.to_string()))?;
    check(&call).map_err(invalid)?;
    Ok(call)
}

/// Which of the calls of one answer is a boundary of plan mode: it runs alone, and the others are
/// refused with a reason (plan-mode.md section 10.1).
pub fn boundary<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<usize> {
    names.into_iter().position(|name| tool(name).is_some_and(|tool| tool.access == Access::Boundary))
}

/// Rules that a schema does not express to every provider.
fn check(call: &Call) -> Result<(), String> {
    let path_ok = |path: &str| {
        if path.is_empty() {
            Err("the path is empty".to_owned())
        } else if path.contains('\0') {
            Err("the path holds a NUL byte".to_owned())
        } else {
            Ok(())
        }
    };
    match call {
        Call::Read(Read { file_path, .. }) | Call::Write(Write { file_path, .. }) => path_ok(file_path),
        Call::Edit(Edit { file_path, old_string, new_string, .. }) => {
            path_ok(file_path)?;
            if old_string == new_string { Err("`old_string` and `new_string` are the same".to_owned()) } else { Ok(()) }
        }
        Call::NotebookEdit(NotebookEdit { notebook_path, .. }) => path_ok(notebook_path),
        Call::Glob(Glob { path, .. }) | Call::Grep(Grep { path, .. }) => path.as_deref().map_or(Ok(()), path_ok),
        Call::Bash(Bash { command, .. }) => {
            if command.trim().is_empty() {
                Err("`command` is empty".to_owned())
            } else if command.len() > crate::bounds::COMMAND_LINE_BYTES {
                Err(format!("`command` is longer than {} bytes", crate::bounds::COMMAND_LINE_BYTES))
            } else if command.contains('\0') {
                Err("`command` holds a NUL byte".to_owned())
            } else {
                Ok(())
            }
        }
        Call::AskUserQuestion(AskUserQuestion { questions }) => {
            if !(1..=4).contains(&questions.len()) {
                return Err(format!("one to four questions can be asked in one call, not {}", questions.len()));
            }
            match questions.iter().find(|q| !(2..=4).contains(&q.options.len())) {
                Some(q) => Err(format!(
                    "the question \"{}\" has {} options; it needs two to four",
                    q.question,
                    q.options.len()
                )),
                None => Ok(()),
            }
        }
        Call::Agent(_)
        | Call::TodoWrite(_)
        | Call::WebFetch(_)
        | Call::EnterPlanMode
        | Call::ExitPlanMode
        | Call::Mcp(_) => Ok(()),
    }
}

impl Call {
    /// The tool's name as rules and models know it.
    pub fn tool_name(&self) -> String {
        match self {
            Self::Read(_) => "Read",
            Self::Write(_) => "Write",
            Self::Edit(_) => "Edit",
            Self::NotebookEdit(_) => "NotebookEdit",
            Self::Glob(_) => "Glob",
            Self::Grep(_) => "Grep",
            Self::Bash(_) => "Bash",
            Self::Agent(_) => "Agent",
            Self::AskUserQuestion(_) => "AskUserQuestion",
            Self::TodoWrite(_) => "TodoWrite",
            Self::WebFetch(_) => "WebFetch",
            Self::EnterPlanMode => "EnterPlanMode",
            Self::ExitPlanMode => "ExitPlanMode",
            Self::Mcp(call) => return format!("mcp__{}__{}", call.server, call.tool),
        }
        .to_owned()
    }

    /// The argument that says most about the call, for display.
    pub fn main_argument(&self) -> &str {
        match self {
            Self::Read(Read { file_path, .. })
            | Self::Write(Write { file_path, .. })
            | Self::Edit(Edit { file_path, .. }) => file_path,
            Self::NotebookEdit(NotebookEdit { notebook_path, .. }) => notebook_path,
            Self::Glob(Glob { pattern, .. }) | Self::Grep(Grep { pattern, .. }) => pattern,
            Self::Bash(Bash { command, .. }) => command,
            Self::Agent(Agent { subagent_type, .. }) => subagent_type,
            Self::AskUserQuestion(AskUserQuestion { questions }) => questions.first().map_or("", |q| &q.question),
            Self::WebFetch(WebFetch { url, .. }) => url.as_str(),
            Self::TodoWrite(_) | Self::EnterPlanMode | Self::ExitPlanMode => "",
            Self::Mcp(call) => &call.tool,
        }
    }

    /// Paths the call names, as written: what must be resolved before it can be judged. For a
    /// command these are the words that could be paths.
    pub fn paths(&self) -> Vec<String> {
        match self {
            Self::Read(Read { file_path, .. })
            | Self::Write(Write { file_path, .. })
            | Self::Edit(Edit { file_path, .. }) => {
                vec![file_path.clone()]
            }
            Self::NotebookEdit(NotebookEdit { notebook_path, .. }) => vec![notebook_path.clone()],
            Self::Glob(Glob { path, .. }) | Self::Grep(Grep { path, .. }) => {
                vec![path.clone().unwrap_or_else(|| ".".to_owned())]
            }
            Self::Bash(Bash { command, .. }) => planwright_shell::raw_words(command),
            Self::Agent(_)
            | Self::AskUserQuestion(_)
            | Self::TodoWrite(_)
            | Self::WebFetch(_)
            | Self::EnterPlanMode
            | Self::ExitPlanMode
            | Self::Mcp(_) => Vec::new(),
        }
    }

    /// Whether calls of this kind may run side by side.
    pub fn concurrency_safe(&self) -> bool {
        match self {
            Self::Mcp(call) => call.read_only_hint && call.trusted,
            _ => tool(&self.tool_name()).is_some_and(|tool| tool.concurrency_safe),
        }
    }
}

/// The one of `names` that is most like `name`, if any is like it at all.
pub fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let likeness = |other: &str| {
        let other = other.to_lowercase();
        let diff = similar::TextDiff::from_chars(wanted.as_str(), other.as_str());
        (diff.ratio() * 100.0) as u32
    };
    names
        .iter()
        .map(|other| (likeness(other), *other))
        .filter(|(like, _)| *like >= 60)
        .max_by_key(|(like, _)| *like)
        .map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// serde would take an array for the fields of a struct, in order.
    #[test]
    fn the_input_of_a_call_is_an_object() {
        let rows = [json!([]), json!(["a.txt", "text"]), json!(["touch x"]), json!("touch x"), json!(1), json!(null)];
        let mut wrong = Vec::new();
        for tool in TOOLS {
            for input in &rows {
                match parse(tool.name, input) {
                    Err(why) if why.contains("it must be an object") => {}
                    other => wrong.push(format!("{} {input}: {other:?}", tool.name)),
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// A model may write half of an object, or lose a quote; it is told where.
    #[test]
    fn an_input_that_is_no_json_is_told_so() {
        let why = parse("Read", &json!(r#"{"file_path": "a.txt", "#)).unwrap_err();
        assert_eq!(
            why,
            "The input of `Read` is not valid: it must be an object, and is no JSON: EOF while parsing a value at line 1 \
             column 23. Correct it and call again."
        );
    }
}
