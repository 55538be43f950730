//! The machine that `spec/gate.md` and `spec/rules.md` speak of: a reader of their tables, and the
//! files of the table "The machine" with a resolver that follows links as the real one does.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use planwright_core::call::{Call, McpCall, parse};
use planwright_core::permit::{Target, TargetKind};
use planwright_core::rules::{Behavior, Layer, Origin, Rules};

/// The folder that relative paths are relative to.
pub const CWD: &str = "/home/ann/repo";
/// The user's home.
pub const HOME: &str = "/home/ann";
/// The plan file, `P` in the tables.
pub const PLAN: &str = "/home/ann/.planwright/plans/quiet-amber-otter.md";

/// One row: its cells by the table's headings, and the heading of the section it stands in.
pub struct Row {
    pub section: String,
    pub line: usize,
    cells: BTreeMap<String, String>,
}

impl Row {
    pub fn has(&self, column: &str) -> bool {
        self.cells.contains_key(column)
    }

    /// The cell as written; empty if the table has no such column.
    pub fn cell(&self, column: &str) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }

    /// The code spans of a cell: the argument `P` made the plan file, `⏎` a newline.
    pub fn spans(&self, column: &str) -> Vec<String> {
        spans(self.cell(column))
    }
}

fn spans(cell: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = cell;
    while let Some(open) = rest.find('`') {
        let ticks = rest[open..].chars().take_while(|c| *c == '`').count();
        let fence = "`".repeat(ticks);
        let inside = &rest[open + ticks..];
        let close = inside.find(&fence).unwrap_or_else(|| panic!("a code span is not closed: {cell}"));
        let text = if ticks > 1 { inside[..close].trim() } else { &inside[..close] };
        let mut text = text.replace('⏎', "\n");
        for end in [")", "/", "."] {
            text = text.replace(&format!("(P{end}"), &format!("({PLAN}{end}"));
        }
        found.push(text);
        rest = &inside[close + ticks..];
    }
    found
}

/// Every row of every table of a page.
pub fn rows(page: &str) -> Vec<Row> {
    let (mut rows, mut section, mut heads) = (Vec::new(), String::new(), Vec::<String>::new());
    for (at, line) in page.lines().enumerate() {
        if let Some(title) = line.strip_prefix('#') {
            section = title.trim_matches(['#', ' ']).to_owned();
        }
        let Some(inner) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
            heads.clear();
            continue;
        };
        let cells: Vec<String> =
            inner.replace("\\|", "\u{1}").split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        if heads.is_empty() {
            heads = cells;
        } else if !cells.iter().all(|cell| cell.starts_with("---")) {
            assert_eq!(cells.len(), heads.len(), "line {} has another number of cells than its table", at + 1);
            let cells = heads.iter().cloned().zip(cells).collect();
            rows.push(Row { section: section.clone(), line: at + 1, cells });
        }
    }
    rows
}

/// The files of the machine.
pub struct Machine {
    things: BTreeMap<PathBuf, (TargetKind, u64)>,
    links: BTreeMap<PathBuf, PathBuf>,
}

impl Machine {
    /// Reads the table with the columns `path` and `what stands there`.
    pub fn read(page: &str) -> Self {
        let mut machine = Self { things: BTreeMap::new(), links: BTreeMap::new() };
        for row in rows(page).iter().filter(|row| row.has("what stands there")) {
            let what = row.cell("what stands there");
            for path in row.spans("path") {
                let path = absolute(&path);
                match what.split(' ').next().unwrap_or_default() {
                    "file" => drop(machine.things.insert(path, (TargetKind::File, 1))),
                    "file," => drop(machine.things.insert(path, (TargetKind::File, 2))),
                    "folder" => drop(machine.things.insert(path, (TargetKind::Folder, 2))),
                    "device" => drop(machine.things.insert(path, (TargetKind::Other, 1))),
                    "link" => drop(machine.links.insert(path, absolute(&row.spans("what stands there")[0]))),
                    other => panic!("line {}: what is `{other}`?", row.line),
                }
            }
        }
        assert!(!machine.things.is_empty() && !machine.links.is_empty(), "the page has no machine");
        machine
    }

    /// Resolves a path as the tools do before a verdict.
    pub fn target(&self, named: &str) -> Target {
        let full = absolute(named);
        let last = full.file_name().map(|name| self.real(full.parent().unwrap_or(&full)).join(name));
        let real = self.real(&full);
        let (kind, links) = self.things.get(&real).copied().unwrap_or((TargetKind::Missing, 0));
        Target {
            named: named.to_owned(),
            absolute: full.components().collect(),
            symlink: last.is_some_and(|last| self.links.contains_key(&last)),
            identity: None,
            real,
            kind,
            links,
        }
    }

    fn real(&self, path: &Path) -> PathBuf {
        let mut real = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => drop(real.pop()),
                Component::CurDir => {}
                part => {
                    real.push(part);
                    if let Some(to) = self.links.get(&real) {
                        real = self.real(to);
                    }
                }
            }
        }
        real
    }

    /// The call that `Tool(argument)` stands for, and its paths resolved.
    pub fn call(&self, text: &str) -> (Call, Vec<Target>) {
        let call = call(text);
        let targets = call.paths().iter().map(|path| self.target(path)).collect();
        (call, targets)
    }
}

fn absolute(path: &str) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => Path::new(HOME).join(rest),
        None => Path::new(CWD).join(path),
    }
}

/// `Tool(argument)`; for a tool of a server `mcp__SERVER__TOOL(hint trusted)`.
fn call(text: &str) -> Call {
    let (name, argument) = match text.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')').unwrap_or_else(|| panic!("`{text}` is no call"))),
        None => (text, ""),
    };
    if let Some((server, tool)) = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        return Call::Mcp(McpCall {
            server: server.to_owned(),
            tool: tool.to_owned(),
            input: serde_json::json!({}),
            read_only_hint: argument.contains("hint"),
            trusted: argument.contains("trusted") && !argument.contains("untrusted"),
        });
    }
    let input = match name {
        "Read" => serde_json::json!({"file_path": argument}),
        "Write" => serde_json::json!({"file_path": argument, "content": "x"}),
        "Edit" => serde_json::json!({"file_path": argument, "old_string": "a", "new_string": "b"}),
        "NotebookEdit" => serde_json::json!({"notebook_path": argument, "new_source": "x"}),
        "Glob" => serde_json::json!({"pattern": "*", "path": argument}),
        "Grep" => serde_json::json!({"pattern": "x", "path": argument}),
        "Bash" => match argument.strip_prefix("& ") {
            Some(command) => serde_json::json!({"command": command, "run_in_background": true}),
            None => serde_json::json!({"command": argument}),
        },
        "Agent" => serde_json::json!({"subagent_type": argument, "description": "d", "prompt": "p"}),
        "AskUserQuestion" => serde_json::json!({"questions": [{"question": "q?", "header": "q", "options": [
            {"label": "a", "description": "a"}, {"label": "b", "description": "b"}]}]}),
        "TodoWrite" => serde_json::json!({"todos": []}),
        "WebFetch" => serde_json::json!({"url": argument, "prompt": "p"}),
        _ => serde_json::json!({}),
    };
    parse(name, &input).unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

/// Where the rules of a layer stand.
pub fn origin(layer: Layer) -> Origin {
    let root = match layer {
        Layer::User => "/home/ann/.planwright",
        Layer::Managed => "/etc/planwright",
        Layer::CommandLine | Layer::Session | Layer::ProjectLocal | Layer::Project => CWD,
    };
    Origin { layer, root: root.into(), cwd: CWD.into(), home: HOME.into() }
}

/// The rules that code spans such as `allow Bash(npm run *)` stand for.
pub fn rules(spans: &[String], layer: Layer) -> Rules {
    let mut rules = Rules::default();
    for span in spans {
        let (list, text) = span.split_once(' ').unwrap_or_else(|| panic!("`{span}` is no rule with its list"));
        let behavior = match list {
            "allow" => Behavior::Allow,
            "ask" => Behavior::Ask,
            "deny" => Behavior::Deny,
            other => panic!("there is no list `{other}`"),
        };
        if let Some(error) = rules.add_text(behavior, text, &origin(layer)) {
            panic!("`{text}`: {}", error.message);
        }
    }
    rules
}

/// Fails with every wrong row at once.
pub fn report(checked: usize, at_least: usize, wrong: &[String]) {
    assert!(wrong.is_empty(), "{} of {checked} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked >= at_least, "only {checked} checks were read from the page");
}
