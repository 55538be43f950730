//! The user's editor has the terminal, and gives it back: for the prompt, and for the plan (field case
//! F059). Each editor is a script; what it does to the file is its name.

use crate::ground::{Ground, planned, say};
use crate::seat::Seat;

/// What an editor may do, what of "draft" is left, and what is said about it.
const EDITORS: [(&str, &str, &str, &str); 5] = [
    ("unchanged", ":", "draft", ""),
    ("changed", "printf '%s and more' \"$(cat \"$1\")\" >\"$1\"", "draft and more", ""),
    ("replaced", "echo 'quite new' >\"$1.tmp\" && mv \"$1.tmp\" \"$1\"", "quite new", ""),
    ("failed", "exit 3", "draft", "ended with"),
    ("deleted", "rm \"$1\"", "draft", "could not be used"),
];

fn with_editor(ground: &Ground, body: &str) -> String {
    // An editor finds a terminal as it was: lines are edited by the kernel, and echoed.
    let script = format!("stty -a </dev/tty | grep -q ' icanon' || exit 9\n{body}\n");
    format!("sh {}", ground.write("../editor.sh", &script).display())
}

fn seated(ground: &Ground, model: &str, args: &[&str], editor: &str) -> Seat {
    let mut command = ground.planwright(&[&["--model", model], args].concat());
    command.env("EDITOR", editor);
    Seat::start(command, (80, 24))
}

#[test]
fn the_prompt_goes_through_the_editor() {
    for (name, body, left, said) in EDITORS {
        let ground = Ground::new();
        let model = ground.script(&[say("Heard.")]);
        let seat = seated(&ground, &model, &[], &with_editor(&ground, body));
        seat.reads("›").types("draft").reads("› draft").types("\x07");
        seat.until(&format!("{name}: {left}, {said}"), |glass| {
            let rows = glass.seen();
            rows.iter().any(|row| row.replace('▮', "").trim_end() == format!("› {left}"))
                && rows.iter().any(|row| row.contains(if said.is_empty() { "default mode" } else { said }))
                && glass.screen().bracketed_paste()
        });
        seat.types("\r").reads("Heard.").leaves();
    }
}

#[test]
fn the_plan_goes_through_the_editor() {
    let left = |name: &str| match name {
        "changed" => "draft and more",
        "replaced" => "quite new",
        _ => "draft",
    };
    for (name, body, _, _) in EDITORS {
        let ground = Ground::new();
        let model = ground.script(&[planned("draft\n").to_vec(), vec![say("Sent back."), say("Yes.")]].concat());
        let seat = seated(&ground, &model, &["--permission-mode", "plan"], &with_editor(&ground, body));
        seat.reads("›").types("go\r").is_asked("keep planning").types("e");
        // The desk is left and comes back; whatever the editor did, it asks again.
        seat.until(&format!("{name}: the desk again"), |glass| {
            let alternate = glass.sent.windows(8).filter(|window| window == b"\x1b[?1049h").count();
            alternate >= 2 && glass.screen().alternate_screen()
        });
        seat.is_asked("keep planning").reads(left(name)).types("\x1b").reads("Yes.");
        seat.leaves();
    }
}
