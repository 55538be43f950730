//! The story of the demo, by keys: plan mode is entered, a question answered, an edit denied, the plan
//! sent back with what should change, approved, and carried out.

use serde_json::{Value, json};

use crate::ground::{Ground, of_type};
use crate::seat::Seat;

/// The demo's project and its model's script.
fn demo() -> (Ground, String) {
    let ground = Ground::new();
    let demo = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("demo");
    for file in ["api/posts.py", "web/feed.py", "tests/test_feed.py"] {
        let text = std::fs::read_to_string(demo.join("project").join(file)).expect("the demo has this file");
        ground.write(file, &text);
    }
    let script = std::fs::read_to_string(demo.join("script.json")).expect("the demo has a script");
    let script: Value = serde_json::from_str(&script).expect("the script is JSON");
    let model = ground.whole_script(&script);
    (ground, model)
}

#[test]
fn the_story_of_the_demo_by_keys() {
    let (ground, model) = demo();
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("/plan add pagination to list_posts, do not break existing callers\r");
    seat.is_asked("How many posts");
    eprintln!("{}\n=====", seat.look(|g| g.seen().join("\n")));
    seat.types("1").is_asked("Plan ");
    eprintln!("{}\n=====", seat.look(|g| g.seen().join("\n")));
    seat.types("4").reads("What should change?").types("existing callers must get all posts");
    eprintln!("{}\n=====", seat.look(|g| g.seen().join("\n")));
    seat.types("\r").is_asked("revision 2");
    eprintln!("{}\n=====", seat.look(|g| g.seen().join("\n")));
    seat.types("d").reads("last submission");
    eprintln!("{}\n=====", seat.look(|g| g.seen().join("\n")));
    seat.types("1").reads("accept edits on");
    seat.reads("list_posts gives pages");
    eprintln!("{}\n=====", seat.look(|g| g.history().join("\n")));
    seat.leaves();
    let _ = json!({});
    assert!(!of_type(&ground.log(), "plan-approved").is_empty());
}
