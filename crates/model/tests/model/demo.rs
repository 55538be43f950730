//! The demo's script fits the demo's project: every edit finds its text exactly once.

use std::collections::BTreeMap;
use std::path::Path;

use planwright_core::call::{self, Call};
use planwright_core::request::Block;
use planwright_model::Model;

use super::{ask, load, request, request_of};

/// What a model is asked in the demo, as far as its script can tell.
const MAIN_REQUESTS: usize = 11;

#[test]
fn every_call_is_valid_and_every_edit_fits() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../planwright/demo");
    let model = load(&demo.join("script.json")).without_expectations();
    let mut files =
        BTreeMap::from(["api/posts.py", "web/feed.py"].map(|name| {
            (format!("/project/{name}"), std::fs::read_to_string(demo.join("project").join(name)).unwrap())
        }));
    let before = files.clone();
    let (mut submitted, mut tools) = (0, Vec::new());
    for _ in 0..MAIN_REQUESTS {
        for call in calls(&model) {
            tools.push(call.tool_name());
            match call {
                Call::Write(write) => drop(files.insert(write.file_path, write.content)),
                Call::ExitPlanMode => submitted += 1,
                // The one that comes before any plan is refused.
                Call::Edit(edit) if submitted == 0 => assert_eq!(edit.file_path, "/project/api/posts.py"),
                Call::Edit(edit) => {
                    let text = files.get_mut(&edit.file_path).unwrap();
                    assert_eq!(text.matches(&edit.old_string).count(), 1, "{edit:?}");
                    *text = text.replace(&edit.old_string, &edit.new_string);
                }
                _ => {}
            }
            if submitted < 2 {
                let unchanged = before.iter().all(|(name, text)| files[name] == *text);
                assert!(unchanged, "a project file changes before the approval");
            }
        }
    }
    assert_eq!(submitted, 2, "one plan is sent back, one is approved: {tools:?}");
    assert!(files["/project/api/posts.py"].contains("page_size=None"), "{files:?}");
    assert!(files["/project/web/feed.py"].contains("def render_page"), "{files:?}");
    assert!(ask(&model, request("more")).is_err(), "the story has {MAIN_REQUESTS} requests");
}

#[test]
fn the_explorer_only_greps() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../planwright/demo");
    let model = load(&demo.join("script.json")).without_expectations();
    let reply = ask(&model, request_of("Explore", 0)).unwrap();
    let names = reply.blocks.iter().map(|block| match block {
        Block::ToolUse { name, .. } => name.as_str(),
        Block::Text { .. } | Block::Opaque { .. } => "text",
    });
    assert_eq!(names.collect::<Vec<_>>(), ["Grep"]);
}

fn calls(model: &impl Model) -> Vec<Call> {
    let reply = ask(model, request("go on")).unwrap();
    let call = |block: &Block| match block {
        Block::ToolUse { name, input, .. } => Some(call::parse(name, input).unwrap()),
        Block::Text { .. } | Block::Opaque { .. } => None,
    };
    reply.blocks.iter().filter_map(call).collect()
}
