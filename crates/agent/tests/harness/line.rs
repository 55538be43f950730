//! The short forms of a line.

use serde_json::{Value, json};

/// `\n`, `\t`, `\e`, `\0` and `\\`; any other backslash stays.
pub fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escape = chars.peek().filter(|_| c == '\\').and_then(|next| match next {
            'n' => Some('\n'),
            't' => Some('\t'),
            'e' => Some('\u{1b}'),
            '0' => Some('\0'),
            '\\' => Some('\\'),
            _ => None,
        });
        out.push(escape.unwrap_or(c));
        if escape.is_some() {
            chars.next();
        }
    }
    out
}

/// On one line, white space joined.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether `pattern` is the beginning of `text`, up to the end of a word; `…` leaves something out.
pub fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (flat(pattern), flat(text));
    let mut pieces = pattern.split('…').map(str::trim);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let word = |c: char| c.is_alphanumeric() || c == '_';
    if first.ends_with(word) && rest.starts_with(word) {
        return false;
    }
    pieces.all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// A model's turn: how it goes, and `text WORDS`, calls, or both, apart by `∥`.
pub fn turn(mut options: &[&str], text: &str) -> Result<Value, String> {
    let mut turn = json!({});
    while !options.is_empty() {
        options = match options {
            ["after", ms, "ms", more @ ..] => {
                turn["delay_ms"] = number(ms)?.into();
                more
            }
            ["fails", "full", more @ ..] => {
                turn["error"] = json!({"context_full": true});
                more
            }
            ["fails", status, more @ ..] => {
                turn["error"] = json!({"status": number(status)?});
                more
            }
            ["cut", characters, more @ ..] => {
                turn["error"] = json!({"cut_after": number(characters)?});
                more
            }
            ["again", characters, "after", ms, "ms", more @ ..] => {
                turn["again"] = json!({"after": number(characters)?, "wait_ms": number(ms)?});
                more
            }
            ["stops", why, more @ ..] => {
                turn["stop"] = (*why).into();
                more
            }
            ["reads", tokens, "writes", out, more @ ..] => {
                turn["usage"] = json!({"input_tokens": number(tokens)?, "output_tokens": number(out)?});
                more
            }
            ["thinks", thought, more @ ..] => {
                turn["opaque"] = json!([{"thought": thought}]);
                more
            }
            other => return Err(format!("a model cannot do this: {}", other.join(" "))),
        };
    }
    let mut calls = Vec::new();
    for item in text.split(" ∥ ").map(str::trim) {
        match item.strip_prefix("text ") {
            Some(words) => turn["text"] = unescaped(words).into(),
            None if item.is_empty() => {}
            None => calls.push(call(item)?),
        }
    }
    if !calls.is_empty() {
        turn["tools"] = calls.into();
    }
    Ok(turn)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

fn call(text: &str) -> Result<Value, String> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim();
    if let Ok(input @ Value::Object(_)) = serde_json::from_str(rest) {
        return Ok(json!({"name": name, "input": input}));
    }
    if let Some(broken) = rest.strip_prefix("malformed ") {
        return Ok(json!({"name": name, "input": broken}));
    }
    let in_two = |at: &str| rest.split_once(at).ok_or_else(|| format!("`{text}` needs a `{at}`"));
    let input = match name {
        "Read" => json!({"file_path": rest}),
        "Write" => {
            let (path, content) =
                in_two(" = ").or_else(|_| rest.strip_suffix(" =").map(|path| (path, "")).ok_or(text))?;
            json!({"file_path": path, "content": unescaped(content)})
        }
        "Edit" => {
            let (path, change) = in_two(": ")?;
            let change = change.split_once(" -> ").or_else(|| Some((change.strip_suffix(" ->")?, "")));
            let (old, new) = change.ok_or_else(|| format!("`{text}` needs a ` -> `"))?;
            json!({"file_path": path, "old_string": unescaped(old), "new_string": unescaped(new)})
        }
        "Bash" => json!({"command": unescaped(rest)}),
        "Grep" | "Glob" => json!({"pattern": rest}),
        "Agent" => {
            let (agent, prompt) = in_two(": ")?;
            json!({"subagent_type": agent, "description": "a task", "prompt": prompt})
        }
        "AskUserQuestion" => json!({"questions": rest.split(" ; ").map(question).collect::<Result<Vec<_>, _>>()?}),
        "TodoWrite" => {
            let todo = |what: &str| json!({"content": what, "activeForm": what, "status": "pending"});
            json!({"todos": rest.split(", ").map(todo).collect::<Vec<_>>()})
        }
        _ if rest.is_empty() => json!({}),
        _ => return Err(format!("write the input of `{text}` as a JSON object")),
    };
    Ok(json!({"name": name, "input": input}))
}

/// `[several:] QUESTION? LABEL / LABEL`
fn question(text: &str) -> Result<Value, String> {
    let (several, text) = text.strip_prefix("several:").map_or((false, text), |rest| (true, rest.trim()));
    let (question, labels) = text.split_once('?').ok_or_else(|| format!("`{text}` has no question mark"))?;
    let option = |label: &str| json!({"label": label.trim(), "description": ""});
    let options: Vec<_> = labels.split(" / ").map(option).collect();
    Ok(json!({"question": format!("{question}?"), "header": "Q", "options": options, "multiSelect": several}))
}
