//! `spec/rules.md`: each row of its tables, and what a rule must never do.

mod machine;

use machine::{Machine, origin, report, rows, rules};
use planwright_core::call::Call;
use planwright_core::permit::Target;
use planwright_core::rules::{Behavior, Layer, Rule, Rules};
use planwright_shell::{Context, Verdict};

const PAGE: &str = include_str!("../spec/rules.md");

fn reads(part: &str) -> bool {
    planwright_shell::judge(part, &Context::default()) == Verdict::ReadOnly
}

/// What the rules, all of one list, say to a call: `yes`, `no` or `perhaps`.
fn covered(rules: &Rules, call: &Call, targets: &[Target]) -> &'static str {
    let asks = rules.asking(call, targets).is_some();
    if !rules.deny.is_empty() {
        return match rules.denying(call, targets) {
            Some(_) => "yes",
            None if asks => "perhaps",
            None => "no",
        };
    }
    let covered = if rules.ask.is_empty() { rules.allowing(call, targets, false, &reads).is_some() } else { asks };
    if covered { "yes" } else { "no" }
}

#[test]
fn rules_cover_what_the_spec_says() {
    let machine = Machine::read(PAGE);
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("calls")) {
        let layer = if row.cell("layer") == "user" { Layer::User } else { Layer::Project };
        let rules = rules(&row.spans("rule"), layer);
        for text in row.spans("calls") {
            let (call, targets) = machine.call(&text);
            let is = covered(&rules, &call, &targets);
            checked += 1;
            if is != row.cell("covered") {
                wrong.push(format!("line {}: {} and {text}: {is}", row.line, row.cell("rule")));
            }
        }
    }
    report(checked, 300, &wrong);
}

#[test]
fn searches_leave_out_what_may_not_be_read() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("left out")) {
        let rules = rules(&row.spans("rule"), Layer::Project);
        for path in row.spans("path") {
            checked += 1;
            if rules.read_denied(path.as_ref()) != (row.cell("left out") == "yes") {
                wrong.push(format!("line {}: {} and {path}", row.line, row.cell("rule")));
            }
        }
    }
    report(checked, 10, &wrong);
}

#[test]
fn hosts_are_covered_with_what_is_below_them() {
    let machine = Machine::read(PAGE);
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("host")) {
        let rules = rules(&row.spans("rule"), Layer::Project);
        for host in row.spans("host") {
            checked += 1;
            let (call, targets) = machine.call(&format!("WebFetch(https://{host}/a)"));
            let covering =
                rules.allowing(&call, &targets, false, &|_| false).or_else(|| rules.denying(&call, &targets));
            if covering.is_some() != (row.cell("covered") == "yes") {
                wrong.push(format!("line {}: {} and {host}", row.line, row.cell("rule")));
            }
        }
    }
    report(checked, 20, &wrong);
}

#[test]
fn a_broken_rule_is_said_and_never_widens() {
    let machine = Machine::read(PAGE);
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("denied all the same")) {
        let text = &row.spans("rule")[0];
        let mut rules = Rules::default();
        checked += 1;
        match rules.add_text(Behavior::Allow, text, &origin(Layer::Project)) {
            Some(error) if error.message.contains(row.cell("says")) && error.rule == *text => {}
            other => wrong.push(format!("line {}: `{text}` as allow: {other:?}", row.line)),
        }
        if !rules.allow.is_empty() {
            wrong.push(format!("line {}: `{text}` is an allow rule all the same", row.line));
        }
        rules.add_text(Behavior::Deny, text, &origin(Layer::Project));
        let denied = row.spans("denied all the same");
        if rules.deny.is_empty() != row.cell("denied all the same").is_empty() {
            wrong.push(format!("line {}: `{text}` left {} deny rules", row.line, rules.deny.len()));
        }
        for call in denied {
            let (call, targets) = machine.call(&call);
            if rules.denying(&call, &targets).is_none_or(|rule| rule.text() != text) {
                wrong.push(format!("line {}: `{text}` does not deny {call:?}", row.line));
            }
        }
    }
    report(checked, 16, &wrong);
}

#[test]
fn dangerous_rules_are_the_ones_the_spec_names() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(PAGE).iter().filter(|row| row.has("dangerous")) {
        for text in row.spans("rule") {
            checked += 1;
            match Rule::parse(&text, &origin(Layer::User)) {
                Ok(rule) if rule.dangerous() == (row.cell("dangerous") == "yes") => {}
                other => wrong.push(format!("line {}: `{text}`: {other:?}", row.line)),
            }
        }
    }
    report(checked, 90, &wrong);
}

#[test]
fn dangerous_rules_are_listed_by_layer_as_written_and_do_not_count_under_auto() {
    let mut rules = Rules::default();
    for (layer, text) in
        [(Layer::User, "Bash( python:* )"), (Layer::Project, "Bash"), (Layer::User, "Bash(ls)"), (Layer::User, "Agent")]
    {
        rules.add(Behavior::Allow, Rule::parse(text, &origin(layer)).unwrap());
    }
    let listed: Vec<_> = rules.dangerous_allow().into_iter().collect();
    assert_eq!(
        listed,
        [
            (Layer::Project, vec!["Bash".to_owned()]),
            (Layer::User, vec!["Bash( python:* )".to_owned(), "Agent".to_owned()]),
        ]
    );
    let machine = Machine::read(PAGE);
    for (text, without_auto, with_auto) in [
        ("Bash(python x.py)", true, false),
        ("Bash(make)", true, false),
        ("Agent(Plan)", true, false),
        ("Bash(ls)", true, true),
    ] {
        let (call, targets) = machine.call(text);
        assert_eq!(rules.allowing(&call, &targets, false, &reads).is_some(), without_auto, "{text}");
        assert_eq!(rules.allowing(&call, &targets, true, &reads).is_some(), with_auto, "{text} under auto");
    }
}

/// The matcher panics on paths outside its root, and patterns with many stars must not take
/// forever: neither may be reached from a rule.
#[test]
fn no_rule_can_be_made_to_panic_or_to_hang() {
    let machine = Machine::read(PAGE);
    let stars = format!("Bash({}x)", "a*".repeat(200));
    let words = "rm a ".repeat(10_000);
    for (rule, call) in [
        ("Read(//x)", "Read(/)".to_owned()),
        ("Read(/x)", "Read(/)".to_owned()),
        ("Read(./)", "Read(.)".to_owned()),
        ("Read(~)", "Read(/home)".to_owned()),
        ("Read(//)", "Read(/)".to_owned()),
        ("Read(../../../../../../x)", "Read(/x)".to_owned()),
        (stars.as_str(), format!("Bash({})", "a".repeat(50_000))),
        ("Bash(rm *a*b*c*)", format!("Bash(env {words})")),
        ("Bash(rm *a*b*c*)", format!("Bash($x {words})")),
        ("Read(a*/b*/**/c*)", format!("Bash(cat {})", "a*/".repeat(2_000))),
        (
            "Bash(env env env env env env env env env env env env env env env env env env env env *)",
            "Bash(ls)".to_owned(),
        ),
    ] {
        let rule = Rule::parse(rule, &origin(Layer::Project)).unwrap();
        let (call, targets) = machine.call(&call);
        let _ = rule.dangerous();
        let rules = Rules { allow: vec![rule.clone()], ask: vec![rule.clone()], deny: vec![rule] };
        let _ = (rules.denying(&call, &targets), rules.asking(&call, &targets));
        let _ = (rules.allowing(&call, &targets, true, &reads), rules.read_denied("/".as_ref()));
    }
}
