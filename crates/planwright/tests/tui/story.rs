//! The story of the demo, by keys: plan mode is entered, a question answered, an edit denied, the plan
//! sent back with what should change, approved, and carried out.

use serde_json::Value;

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
    seat.reads("›").types("/plan add pagination to list_posts, do not break existing callers").sees(
        "
        › /plan add pagination to list_posts, do not break existing callers▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types("\r").is_asked("How many posts").sees(
        "
        ⋮
        ● First I look for everyone who calls list_posts.
        ⋮
        ✔ [‥] Grep(list_posts)
          → api/posts.py:4:def list_posts(posts): (+2 lines)
        ● [‥] list_posts is defined in api/posts.py. One caller: web/feed.py, in
          render_feed; it passes only the posts and shows whatever comes back, so it
          expects every post. tests/test_feed.py checks that.
        ⋮
        ✔ Agent(Explore)
          → list_posts is defined in api/posts.py. One caller: web/feed.py, in render_f…
        ● There is one caller, the feed. One thing only you can decide.
        ⋮
        How many posts belong on a page?
        ❯ 1. 20 (recommended)
             fits a screen or two
          2. 50
             fewer pages, slower to read
          3. (your own words)
        number or enter: choose · esc: decline
        › ▮
        ⏸ plan mode on (shift+tab to cycle)
        ",
    );
    // The question is answered; an edit is denied; the plan comes up on the desk.
    seat.types("1").is_asked("keep planning").sees(
        "
        Plan ‥.md · revision 1 ‥
        ▸    1 # Pagination for list_posts

             3 ## Why

             4 The feed grows, and nobody can ask for a part of it. Wanted: pages of 20
               posts.

             6 ## What changes
             7 • api/posts.py: list_posts(posts, page=1, page_size=20) returns one page.
             8 • web/feed.py: a new render_page(posts, page) shows one page.

            10 Existing callers keep working by default: they do not pass the new
               arguments.

            12 ## Reused

            13 list_posts keeps its filter and order; a page is a slice of what it
               returns today.

        ────────────────────────────────────────────────────────────────────────────────
        h context: [keep] compact fresh · m model: as it is
         1 approve, accept edits  2 approve, confirm edits  3 edit [4 keep planning]
        ↑↓ read · c comment · s suggest · a ask · d changes · ‥
        ",
    );
    seat.types("4").reads("What should change?").types("existing callers must get all posts").sees(
        "
        ⋮
        ────────────────────────────────────────────────────────────────────────────────
        What should change? (enter sends it, empty is fine; esc goes back)
        › existing callers must get all posts▮
        h context: [keep] compact fresh · m model: as it is
         1 approve, accept edits  2 approve, confirm edits  3 edit  4 keep planning
        enter: done · alt+enter or ctrl+j: new line · esc: back
        ",
    );
    seat.types("\r").is_asked("revision 2").types("d").sees(
        "
        Plan ‥.md · revision 2 ‥ changes since the last submission
        ⋮
        10 - Existing callers keep working by default: they do not pass the new
             arguments.
        11 + Existing callers must get all posts: they pass no page size, so nothing
             changes for them.
        ⋮
         1 approve, accept edits  2 approve, confirm edits  3 edit [4 keep planning]
        ⋮
        ",
    );
    assert!(!ground.read("api/posts.py").contains("page_size"), "nothing is changed before the approval");
    seat.types("1").reads("shows pages of 20").sees(
        "
        ⋮
        ● list_posts returns a page when it is given a page size, and every post
          otherwise. render_feed is as before; render_page shows pages of 20. python3 -m
          unittest runs both.

        › ▮
        ⏵⏵ accept edits on (shift+tab to cycle)
        ",
    );
    let all = seat.look(|glass| glass.history().join("\n"));
    let told = [
        "✘ Edit(",
        "plan mode is active; only the plan file",
        "✘ ExitPlanMode()",
        "existing callers must get all posts",
        "mode: plan -> acceptEdits",
        "✔ ExitPlanMode()",
        "✔ Edit(",
    ];
    crate::ground::in_order(&all, &told);
    for once in ["● First I look", "✔ Agent(Explore)", "● I look at the result."] {
        assert_eq!(all.matches(once).count(), 1, "`{once}` stands once in:\n{all}");
    }
    assert!(ground.read("api/posts.py").contains("page_size"));
    seat.leaves();
    let decisions: Vec<_> = of_type(&ground.log(), "plan-decision").iter().map(|it| it["decision"].clone()).collect();
    assert_eq!(decisions, ["rejected", "approved"]);
}
