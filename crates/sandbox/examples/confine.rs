//! Runs one command line confined: `confine scratch 'touch x'`, `confine read-only 'ls'`.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use planwright_sandbox::{Cancel, Confinement, Program, Spec, Tier, spawn};

fn main() -> ExitCode {
    if let Some(code) = planwright_sandbox::boxed_main() {
        return code;
    }
    let mut arguments = std::env::args().skip(1);
    let (Some(how), Some(line)) = (arguments.next(), arguments.next()) else {
        println!("usage: confine none|read-only|filters|scratch LINE");
        return ExitCode::from(2);
    };
    let (confinement, tier) = match how.as_str() {
        "none" => (Confinement::None, Tier::Scratch),
        "read-only" => (Confinement::ReadOnly, Tier::Scratch),
        "filters" => (Confinement::ReadOnly, Tier::ReadOnly),
        _ => (Confinement::Scratch, Tier::Scratch),
    };
    let cwd = std::env::current_dir().expect("there is a working folder");
    let spec = Spec { tier, ..Spec::new(Program::Line(line), &cwd, confinement) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be built");
    match runtime.block_on(spawn(spec, &Cancel::new())) {
        Ok(ended) => {
            println!("{}", ended.output.text());
            println!("{:?}, left running: {}, {:?}", ended.ending, ended.left_running, ended.notes);
            for change in ended.changes.into_iter().flat_map(|changes| changes.list) {
                println!("{} {}", change.kind, change.path.display());
                println!("{}", change.diff.unwrap_or_default());
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
