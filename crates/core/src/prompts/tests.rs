//! No section is missing, and none is left over.

use super::*;
use crate::call::TOOLS;

#[test]
fn every_tool_has_a_description_and_every_description_a_tool() {
    let mut told: Vec<_> = page::sections(include_str!("tools.md")).map(|(name, _)| name).collect();
    told.retain(|name| !name.starts_with("when "));
    assert_eq!(told, TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>());
}

#[test]
fn every_type_of_agent_has_a_section() {
    for (name, _) in AGENT_TYPES {
        assert!(!section(AGENTS, name).is_empty(), "{name}");
    }
}

/// A section is named in the source as a string, so one that is named nowhere is dead prose.
#[test]
fn no_section_is_left_over() {
    let source =
        [include_str!("../prompts.rs"), include_str!("notes.rs"), include_str!("offer.rs"), include_str!("results.rs")]
            .concat();
    let pages = [
        include_str!("system.md"),
        include_str!("agents.md"),
        include_str!("tools.md"),
        include_str!("workflow.md"),
        include_str!("notes.md"),
        include_str!("results.md"),
    ];
    let is_tool = |name: &str| TOOLS.iter().any(|tool| tool.name == name);
    let unused: Vec<_> = pages
        .into_iter()
        .flat_map(page::sections)
        .map(|(name, _)| name)
        .filter(|name| !is_tool(name) && !source.contains(&format!("\"{name}\"")))
        .collect();
    assert_eq!(unused, Vec::<&str>::new());
}

#[test]
fn no_section_is_empty_or_named_twice_on_a_page() {
    for page in [SYSTEM, AGENTS, include_str!("notes.md"), include_str!("results.md"), include_str!("workflow.md")] {
        let names: Vec<_> = page::sections(page).map(|(name, _)| name).collect();
        for (at, (name, body)) in page::sections(page).enumerate() {
            assert!(!body.is_empty(), "{name} is empty");
            assert!(!names[at + 1..].contains(&name), "{name} stands twice");
        }
    }
}
