//! Scores the judge against lists of command lines: `score unsafe.tsv readonly.tsv`.
//!
//! A list has a header and tab-separated columns `id`, `command` (the body of a JSON string), a
//! note, and a class.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use planwright_shell::{Context, Verdict, judge};
use std::collections::BTreeMap;

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("cannot read {path}");
            std::process::exit(1);
        };
        score(&path, &text);
    }
}

fn score(path: &str, text: &str) {
    let mut classes: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let context = Context::default();
    for line in text.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(id), Some(command), _, Some(class)) =
            (columns.next(), columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let command = unescape(command);
        let verdict = judge(&command, &context);
        let (slot, shown) = match &verdict {
            Verdict::ReadOnly => (0, "READS".to_owned()),
            Verdict::Unknown(reason) => (1, format!("unknown: {} [{}]", reason.message, reason.word)),
            Verdict::Mutating(reason) => (2, format!("WRITES: {} [{}]", reason.message, reason.word)),
        };
        classes.entry(class.to_owned()).or_default()[slot] += 1;
        println!("{id}\t{class}\t{}\t{shown}", command.escape_debug());
    }
    eprintln!("{path}");
    for (class, [reads, unknown, writes]) in &classes {
        let total = reads + unknown + writes;
        eprintln!(
            "  {class:24} {reads:4} read-only  {unknown:4} unknown  {writes:4} mutating  {:5.1} %",
            100.0 * *reads as f64 / total as f64
        );
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                out.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
            }
            Some(c) => out.push(c),
            None => {}
        }
    }
    out
}
