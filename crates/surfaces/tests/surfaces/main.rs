//! Notices in, screen out, drawn inline; lines in, inputs out, as tables.

use planwright_surfaces::line::{LineFace, LineOptions};

mod alternate;
mod answers;
mod desk;
mod dialogs;
mod events;
mod face;
mod input;
mod print;
mod questions;
mod screen;
mod stream;

fn face() -> LineFace {
    LineFace::new(LineOptions::default())
}

/// Compares a table, and reports every wrong row at once.
fn check(rows: impl IntoIterator<Item = (String, String, String)>) {
    let wrong: Vec<_> = rows
        .into_iter()
        .filter(|(_, wanted, got)| wanted != got)
        .map(|(row, wanted, got)| format!("{row}\n  wanted: {wanted}\n  got:    {got}"))
        .collect();
    assert!(wrong.is_empty(), "{} wrong rows:\n{}", wrong.len(), wrong.join("\n"));
}
