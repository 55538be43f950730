//! A rule's text, parsed; and what stands in for one that cannot be.

use super::command::CommandPattern;
use super::path::{PathPattern, clean};
use super::{Matcher, Origin, Rule, RuleError};
use crate::call::{TOOLS, nearest};
use crate::page::host;

/// Tools whose calls name paths: their specifier is a path pattern.
const FILE_TOOLS: &[&str] = &["Read", "Write", "Edit", "NotebookEdit", "Glob", "Grep"];

/// The name that rules know a tool by, if there is such a tool.
fn known(name: &str) -> Option<&'static str> {
    names().into_iter().find(|known| *known == name)
}

fn names() -> Vec<&'static str> {
    TOOLS.iter().map(|tool| tool.name).collect()
}

pub(super) fn parse(text: &str, origin: &Origin) -> Result<Rule, RuleError> {
    let error = |message: String| RuleError { rule: text.to_owned(), message };
    let (name, specifier) = split(text).map_err(error)?;
    let matcher = match specifier {
        None => bare(name),
        Some(specifier) => specified(name, specifier, origin),
    };
    Ok(rule(text, origin, matcher.map_err(error)?))
}

/// What a broken rule falls back to where a missing rule would loosen something: the tool it most
/// likely names, with its specifier if that can be read, else as a whole; `None` if no tool is like
/// it at all.
pub(super) fn widened(text: &str, origin: &Origin) -> Option<Rule> {
    let start = text.find('(').unwrap_or(text.len());
    let name = text[..start].trim();
    let name = known(name).or_else(|| nearest(name, &names()))?;
    let specifier = text[start..].trim().trim_start_matches('(').trim_end_matches(')').trim();
    let narrow = (!specifier.is_empty()).then(|| specified(name, specifier, origin).ok()).flatten();
    let (matcher, read_as) = match narrow {
        Some(matcher) => (matcher, format!("{name}({specifier})")),
        None => (bare(name).ok()?, name.to_owned()),
    };
    Some(Rule { read_as: Some(read_as), ..rule(text, origin, matcher) })
}

fn rule(text: &str, origin: &Origin, matcher: Matcher) -> Rule {
    let (cwd, home) = (clean(&origin.cwd), clean(&origin.home));
    Rule { text: text.to_owned(), read_as: None, layer: origin.layer, matcher, cwd, home }
}

fn split(text: &str) -> Result<(&str, Option<&str>), String> {
    let text = text.trim();
    let Some((name, rest)) = text.split_once('(') else {
        return if text.is_empty() { Err("it is empty".to_owned()) } else { Ok((text, None)) };
    };
    let Some(specifier) = rest.strip_suffix(')') else {
        return Err("the parenthesis is not closed at its end".to_owned());
    };
    if specifier.trim().is_empty() {
        return Err(format!("there is nothing between the parentheses; to mean every call, write `{}`", name.trim()));
    }
    Ok((name.trim(), Some(specifier)))
}

fn bare(name: &str) -> Result<Matcher, String> {
    if name == "*" {
        return Ok(Matcher::Everything);
    }
    if let Some(rest) = name.strip_prefix("mcp__") {
        return if rest.trim_matches('_').is_empty() {
            Err("it names no server: write `mcp__SERVER` or `mcp__SERVER__TOOL`".to_owned())
        } else {
            Ok(Matcher::Mcp(name.to_owned()))
        };
    }
    known(name).map(Matcher::Tool).ok_or_else(|| unknown(name))
}

fn specified(name: &str, specifier: &str, origin: &Origin) -> Result<Matcher, String> {
    if name.starts_with("mcp__") || name == "*" {
        return Err(format!("`{name}` takes nothing in parentheses"));
    }
    let tool = known(name).ok_or_else(|| unknown(name))?;
    match tool {
        "Bash" => CommandPattern::parse(specifier).map(Matcher::Command),
        "Agent" if specifier.trim() == "*" => Ok(Matcher::Tool(tool)),
        "Agent" => Ok(Matcher::Agent(specifier.trim().to_owned())),
        "WebFetch" => match specifier.trim().strip_prefix("domain:").map(str::trim) {
            Some("*") => Ok(Matcher::Tool(tool)),
            Some(named) => domain(named).map(Matcher::Host),
            None => Err(DOMAIN.to_owned()),
        },
        _ if FILE_TOOLS.contains(&tool) => {
            PathPattern::parse(specifier.trim(), origin).map(|pattern| Matcher::Path(tool, pattern))
        }
        _ => Err(format!("`{name}` takes nothing in parentheses")),
    }
}

const DOMAIN: &str = "write the host as in `WebFetch(domain:example.org)`";

/// The host of a rule, in the form that addresses have: lower case, punycode.
fn domain(named: &str) -> Result<String, String> {
    let named = named.strip_prefix("*.").unwrap_or(named).trim_end_matches('.');
    host(named).ok_or_else(|| DOMAIN.to_owned())
}

fn unknown(name: &str) -> String {
    let names = names();
    match nearest(name, &names) {
        Some(near) => format!("there is no tool named `{name}`; did you mean `{near}`?"),
        None => format!("there is no tool named `{name}`; the tools are {}", names.join(", ")),
    }
}
