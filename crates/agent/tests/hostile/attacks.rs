//! The page of attacks, read.

use serde_json::{Value, json};

use super::ground::Ground;

/// Milliseconds that a command may run: those that wait for something wait for nothing.
pub const TIMEOUT: u64 = 500;

/// One tool call, and what it tries.
#[derive(Clone, Debug)]
pub struct Attack {
    /// The tool, as the model names it.
    pub tool: String,
    /// Its input. `{plan_file}` still stands for the plan.
    pub input: Value,
}

impl Attack {
    /// A command.
    pub fn bash(command: &str) -> Self {
        Self { tool: "Bash".to_owned(), input: json!({"command": command, "timeout": TIMEOUT}) }
    }

    /// The call with the plan's path in it.
    #[must_use]
    pub fn aimed(&self, plan_file: &str) -> Self {
        let text = self.input.to_string().replace("{plan_file}", plan_file);
        Self { tool: self.tool.clone(), input: serde_json::from_str(&text).unwrap() }
    }

    /// The call in one line, for a report.
    pub fn line(&self) -> String {
        format!("{} {}", self.tool, self.input)
    }
}

/// Every attack of the page, with the names of this ground filled in.
pub fn written(ground: &Ground) -> Vec<Attack> {
    let page = ground.filled(include_str!("attacks.md"));
    let (mut attacks, mut inside) = (Vec::new(), false);
    for line in page.lines() {
        match line {
            "```attacks" => inside = true,
            "```" => inside = false,
            _ if inside => {
                let (call, _what_it_tries) = line.split_once("  ← ").expect("an attack says what it tries");
                attacks.push(attack(&call.replace('⏎', "\n")));
            }
            _ => {}
        }
    }
    attacks
}

fn attack(line: &str) -> Attack {
    let (tool, rest) = line.split_once(' ').unwrap_or((line, "{}"));
    if let Ok(input @ Value::Object(_)) = serde_json::from_str(rest) {
        return Attack { tool: tool.to_owned(), input };
    }
    let in_two = |text: &str, at: &str| {
        let (a, b) = text.split_once(at).unwrap_or_else(|| panic!("`{line}` needs a `{at}`"));
        (a.to_owned(), b.to_owned())
    };
    let (tool, input) = match tool {
        "Bash" => return Attack::bash(rest),
        "Bash&" => ("Bash", json!({"command": rest, "run_in_background": true, "timeout": TIMEOUT})),
        "Read" => (tool, json!({"file_path": rest})),
        "Write" => {
            let (path, content) = in_two(rest, " = ");
            (tool, json!({"file_path": path, "content": content}))
        }
        "Edit" => {
            let (path, change) = in_two(rest, ": ");
            let (old, new) = in_two(&change, " -> ");
            (tool, json!({"file_path": path, "old_string": old, "new_string": new}))
        }
        other => panic!("write the input of `{other}` as JSON: {line}"),
    };
    Attack { tool: tool.to_owned(), input }
}
