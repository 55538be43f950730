//! How long a verdict takes: a day's lines, the lines that must be refused, and the worst cases.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use planwright_shell::{Context, judge, parts};
use std::hint::black_box;

#[path = "../tests/manual/mod.rs"]
mod manual;

fn lines(c: &mut Criterion) {
    let rows = manual::rows();
    let context = Context::default();
    let mut group = c.benchmark_group("manual");
    for (name, wanted) in [("reads", true), ("refused", false)] {
        let lines: Vec<&str> =
            rows.iter().filter(|row| (row.label == "reads") == wanted).map(|row| row.command.as_str()).collect();
        group.throughput(Throughput::Elements(lines.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| lines.iter().for_each(|line| drop(black_box(judge(black_box(line), &context)))));
        });
    }
    group.finish();
}

fn single(c: &mut Criterion) {
    let context = Context::default();
    let mut group = c.benchmark_group("line");
    for (name, line) in [
        ("short", "ls -la"),
        ("pipe", "git log --oneline --graph --all -20 | head -50"),
        (
            "long",
            "for f in src/*.rs; do echo \"== $f\"; grep -n 'fn ' \"$f\" | sort -t: -k2 -n | head -5; done 2>/dev/null",
        ),
    ] {
        group.bench_function(name, |b| b.iter(|| judge(black_box(line), &context)));
        group.bench_function(format!("{name}, parts"), |b| b.iter(|| parts(black_box(line))));
    }
    group.finish();
}

fn worst(c: &mut Criterion) {
    let context = Context::default();
    let mut group = c.benchmark_group("100 kB");
    group.sample_size(10);
    for (name, unit) in
        [("commands", "a;"), ("words", "a "), ("finds", "find . -exec "), ("substitutions", "echo $(a);")]
    {
        let text = unit.repeat(99_000 / unit.len());
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| judge(black_box(&text), &context)));
    }
    group.finish();
}

criterion_group!(benches, lines, single, worst);
criterion_main!(benches);
