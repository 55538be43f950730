//! Judges every line of a file: ⏎ stands for a line end and ⇥ for a tab.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use planwright_shell::{Context, Verdict, judge};

fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("cannot read {path}");
        std::process::exit(1);
    };
    for line in text.lines() {
        match judge(&line.replace('⏎', "\n").replace('⇥', "\t"), &Context::default()) {
            Verdict::ReadOnly => println!("reads\t{line}"),
            Verdict::Unknown(reason) => println!("unknown\t{line}\t{} [{}]", reason.message, reason.word),
            Verdict::Mutating(reason) => println!("WRITES\t{line}\t{} [{}]", reason.message, reason.word),
        }
    }
}
