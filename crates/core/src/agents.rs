//! Types of subagents: the built-in ones, and the user's own from files (plan-mode.md section 12).

use crate::prompts::AGENT_TYPES;

/// A type of subagent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentType {
    /// Its name, as `Agent` calls it.
    pub name: String,
    /// One line for the model that chooses.
    pub description: String,
    /// Read-only whatever the mode, and offered the read-only tools only.
    pub read_only: bool,
    /// The only tools it has, if that is limited.
    pub tools: Option<Vec<String>>,
    /// Its model, if another than the main one.
    pub model: Option<String>,
    /// Its own instructions.
    pub prompt: Option<String>,
}

/// The built-in types.
pub fn built_in() -> Vec<AgentType> {
    AGENT_TYPES
        .iter()
        .map(|(name, description)| AgentType {
            name: (*name).to_owned(),
            description: (*description).to_owned(),
            read_only: *name != "general-purpose",
            tools: None,
            model: None,
            prompt: None,
        })
        .collect()
}

/// Reads the file of a user's own type: a head between two `---` lines with `name`, `description`
/// and, if wanted, `tools` (names separated by commas) and `model`; below it the instructions.
/// `stem`: the file's name without its ending, the type's name if the head gives none.
///
/// # Errors
/// There is no head, or no description, or the name is a built-in one or not one word.
pub fn parse(text: &str, stem: &str) -> Result<AgentType, String> {
    let text = text.replace("\r\n", "\n");
    let rest =
        text.trim_start_matches('\u{FEFF}').strip_prefix("---\n").ok_or("it does not begin with a `---` line")?;
    let (head, prompt) = rest.split_once("\n---").ok_or("its head is not closed by a `---` line")?;
    let field = |key: &str| {
        head.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.trim() == key)
            .map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
            .filter(|value| !value.is_empty())
    };
    let name = field("name").unwrap_or_else(|| stem.to_owned());
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c)) {
        return Err(format!("its name `{name}` is not one word of letters, digits, `-`, `_` and `.`"));
    }
    if AGENT_TYPES.iter().any(|(built_in, _)| *built_in == name) {
        return Err(format!("`{name}` is a built-in type"));
    }
    let tools = field("tools").map(|list| {
        let list = list.trim_matches(['[', ']']);
        list.split(',')
            .map(|tool| tool.trim().trim_matches(['"', '\'']).to_owned())
            .filter(|tool| !tool.is_empty())
            .collect()
    });
    Ok(AgentType {
        description: field("description").ok_or("its head has no `description`")?,
        read_only: false,
        tools,
        model: field("model").filter(|model| model != "inherit"),
        prompt: Some(prompt.trim_start_matches('-').trim().to_owned()).filter(|prompt| !prompt.is_empty()),
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_users_own_type_is_read_from_its_file() {
        /// Name and number of tools, or a part of the error.
        type Want = Result<(&'static str, Option<usize>), &'static str>;
        let rows: &[(&str, Want)] = &[
            ("---\nname: tester\ndescription: runs tests\ntools: Read, Bash\n---\nRun them.", Ok(("tester", Some(2)))),
            ("---\r\ndescription: x\r\n---\r\nRun.", Ok(("stem", None))),
            ("no head", Err("does not begin")),
            ("---\ndescription: x\n", Err("not closed")),
            ("---\nname: a\n---\n", Err("no `description`")),
            ("---\nname: Explore\ndescription: x\n---\n", Err("built-in")),
            ("---\nname: ../evil\ndescription: x\n---\n", Err("not one word")),
        ];
        let wrong: Vec<_> = rows
            .iter()
            .filter(|(text, want)| match (parse(text, "stem"), want) {
                (Ok(got), Ok((name, tools))) => got.name != *name || got.tools.map(|tools| tools.len()) != *tools,
                (Err(got), Err(part)) => !got.contains(part),
                (Ok(_), Err(_)) | (Err(_), Ok(_)) => true,
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
