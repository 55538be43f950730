//! Terminals of all sizes, and sizes that change: nothing is lost, nothing is written twice (field cases
//! of families B and J).

use crate::ground::{Ground, planned, say};
use crate::seat::Seat;

const STORM: [(u16, u16); 9] = [(79, 24), (40, 10), (120, 50), (20, 6), (1, 1), (200, 5), (33, 33), (10, 40), (80, 24)];

#[test]
fn a_storm_of_sizes_loses_and_repeats_nothing() {
    let ground = Ground::new();
    let answer: String = (1..=30).map(|n| format!("- line {n} of the answer\n")).collect();
    let model = ground.script(&[say(&answer), say("Still here.")]);
    let seat = Seat::at(&ground, &model, &[]);
    seat.reads("›").types("go\r").reads("line 30").types("draft");
    for (columns, rows) in STORM {
        seat.resizes(columns, rows);
    }
    seat.sees(
        "
        ⋮
          • line 29 of the answer
          • line 30 of the answer

        › draft▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.types(" two\r").reads("Still here.").sees(
        "
        ⋮
          • line 30 of the answer

        › draft two
        ● Still here.

        › ▮
        ● default mode: asks before changes (shift+tab to cycle)
        ",
    );
    seat.leaves();
}

#[test]
fn the_desk_lives_through_a_storm_of_sizes() {
    let ground = Ground::new();
    let plan: String = (1..=100).map(|n| format!("{n}. step number {n}\n")).collect();
    let model = ground.script(&[planned(&plan).to_vec(), vec![say("Well."), say("Yes.")]].concat());
    let seat = Seat::at(&ground, &model, &["--permission-mode", "plan"]);
    seat.reads("›").types("go\r").is_asked("keep planning").types("/").reads("Find:").types("number 50").types("\r");
    seat.reads("▸   50 ");
    for (columns, rows) in STORM {
        seat.resizes(columns, rows);
    }
    seat.sees(
        "
        Plan ‥.md · revision 1 ‥
        ⋮
        ▸   50 50. step number 50
        ⋮
        ────────────────────────────────────────────────────────────────────────────────
        h context: [keep] compact fresh · m model: as it is
         1 approve, accept edits  2 approve, confirm edits  3 edit [4 keep planning]
        ⋮
        ",
    );
    seat.resizes(40, 10).sees(
        "
        Plan ‥
        ⋮
        ▸ 50. step number 50
        ⋮
         1 approve+edits  2 approve  3 edit
        [4 keep]
        ",
    );
    seat.types("\x1b").reads("Yes.").leaves();
}

#[test]
fn it_works_on_40_columns_and_10_rows() {
    let ground = Ground::new();
    let model = ground.script(&[say("An answer of more than forty columns is broken at its words.")]);
    let seat = Seat::sized(&ground, &model, &[], (40, 10));
    seat.reads("›").types("a prompt that is longer than the forty columns are wide").sees(
        "
        › a prompt that is longer than the fort
          y columns are wide▮
        ● default mode: asks before changes (sh…
        ",
    );
    seat.types("\r").reads("its words.").sees(
        "
        › a prompt that is longer than the forty
          columns are wide
        ● An answer of more than forty columns
          is broken at its words.

        › ▮
        ● default mode: asks before changes (sh…
        ",
    );
    seat.leaves();
}

/// Wide letters and clusters: the cursor stands in the cell behind them, where an input method writes.
#[test]
fn wide_letters_are_two_cells_wide() {
    let ground = Ground::new();
    let plan = "# 計画\n\n- 日本語の行 👍 が続く\n";
    let model = ground.script(&[planned(plan).to_vec(), vec![say("はい。"), say("Yes.")]].concat());
    let seat = Seat::at(&ground, &model, &["--permission-mode", "plan"]);
    seat.reads("›").types("日本語").sees("⋮\n› 日本語▮\n⏸ plan mode on (shift+tab to cycle)");
    assert_eq!(seat.look(|glass| glass.cursor().1), 2 + 6);
    seat.types("\x1b[D").until("a letter back", |glass| glass.cursor().1 == 2 + 4);
    seat.types("e\u{301}👍🏽").until("two clusters on", |glass| glass.cursor().1 == 2 + 4 + 1 + 2);
    seat.types("\x7f\x7f").sees("⋮\n› 日本▮語\n⏸ plan mode on (shift+tab to cycle)");
    seat.types("\r").is_asked("keep planning").sees(
        "
        Plan ‥.md · revision 1 ‥
        ▸    1 # 計画

             3 • 日本語の行 👍 が続く
        ⋮
        ",
    );
    seat.types("\x1b").reads("Yes.").leaves();
}
