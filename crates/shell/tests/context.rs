//! What the caller knows, and what is asked of a line besides its verdict.

use planwright_shell::{Context, Verdict, directories, judge, judge_allowing, parts, raw_words};

fn reads(line: &str, context: &Context) -> bool {
    judge(line, context) == Verdict::ReadOnly
}

#[test]
fn git_is_judged_where_it_runs() {
    let here = Context { same_repository: vec!["/home/ann/project".into(), "src".into()], ..Context::default() };
    for line in [
        "cd /home/ann/project && git log",
        "cd /home/ann/project/ && git status | head",
        "cd src && git log",
        "git -C src log",
        "git -C /home/ann/project diff",
        "(cd vendor && ls); git log",
        "cd \"$(git rev-parse --show-toplevel)\" && git status",
        "cd . && git log",
    ] {
        assert!(reads(line, &here), "{line}: {:?}", judge(line, &here));
    }
    for line in [
        "cd vendor && git log",
        "cd src && cd src && git log",
        "cd /tmp && cd src && git log",
        "cd src && git -C src log",
        "cd && git log",
        "cd -P src && git log",
        "pushd src && popd && git log",
        "for d in src; do cd $d; git log; done",
        "cd src || true; cd .. ; git log",
        "cd \"$x\" && git log",
        "sh -c 'cd vendor; git log'",
        "cd vendor && sh -c 'git log'",
        "cd vendor && cargo --version",
        "command cd vendor; git log",
    ] {
        assert!(!reads(line, &here), "{line}");
    }
    assert_eq!(directories("cd a && git -C b log; (cd 'c d'; cd -)"), ["a", "b", "c d"]);
}

#[test]
fn a_hostile_repository_is_not_read_by_git_alone() {
    let hostile = Context { repository_runs_programs: true, ..Context::default() };
    let eased = Context { neutralised: true, ..hostile.clone() };
    for (line, bare, neutral) in [
        ("git status", false, false),
        ("git diff", false, false),
        ("git log -p", false, true),
        ("git show HEAD | head", false, true),
        ("git rev-parse HEAD", true, true),
        ("git branch -a", true, true),
        ("git ls-tree -r HEAD", true, true),
        ("git config --list", true, true),
        ("grep -rn git .", true, true),
    ] {
        assert_eq!(reads(line, &hostile), bare, "{line}");
        assert_eq!(reads(line, &eased), neutral, "{line}, neutralised");
    }
}

#[test]
fn the_users_own_commands_are_one_plain_command() {
    let own = Context {
        user_read_only: vec!["make check".into(), "npm run lint*".into(), "cargo *".into(), "rm*".into()],
        ..Context::default()
    };
    for line in [
        "make check",
        "  make   check ",
        "make 'check'",
        "npm run lint",
        "npm run lint -- --quiet",
        "npm run lint:css 2>&1",
        "cargo tree >/dev/null",
    ] {
        assert!(reads(line, &own), "{line}");
    }
    for line in [
        "make check; make check",
        "make check && rm x",
        "make check | sh",
        "make checks",
        "make",
        "npm run lint > log",
        "npm run lint $(rm x)",
        "npm run lint $x",
        "npm run lint *",
        "npm run lint {a,b}",
        "npm run lint & rm x",
        "PATH=. make check",
        "env make check",
        "(make check)",
        "! make check",
        "rm x",
        "cargo tree < x",
    ] {
        assert!(!reads(line, &own), "{line}");
    }
    assert!(matches!(judge("rm x", &own), Verdict::Mutating(_)));
}

#[test]
fn parts_are_the_commands_at_any_depth() {
    let words = |line: &str| parts(line).map(|found| found.into_iter().map(|part| part.words).collect::<Vec<_>>());
    let expect = |line: &str, wanted: &[&[&str]]| {
        let wanted: Vec<Vec<String>> =
            wanted.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()).collect();
        assert_eq!(words(line), Ok(wanted), "{line}");
    };
    expect("npm run x && npm test 2>&1 | tail", &[&["npm", "run", "x"], &["npm", "test"], &["tail"]]);
    expect("echo \"$(rm x)\" <(ls)", &[&["echo", "\"$(rm x)\"", "<(ls)"], &["rm", "x"], &["ls"]]);
    expect("if a; then (b 'c d'); fi", &[&["a"], &["b", "c d"]]);
    expect("FOO=1 npm run 'x y'", &[&["FOO=1", "npm", "run", "x y"]]);
    expect("for f in *.rs; do cat \"$f\"; done", &[&["cat", "\"$f\""]]);
    let found = parts("cat \"$f\" *.rs ~/x y").expect("it is understood");
    assert_eq!((found[0].dynamic.as_slice(), found[0].globs.as_slice()), ([1, 3].as_slice(), [2].as_slice()));
    for line in [
        "npm test > log",
        "x() { ls; }",
        "[[ -v 'a[$(rm x)]' ]] && ls",
        "for PATH in .; do ls; done",
        "echo $((x))",
        "ls <> f",
        "ls '",
    ] {
        assert!(parts(line).is_err(), "{line}");
    }
}

#[test]
fn what_is_allowed_elsewhere_does_not_open_the_rest() {
    let npm = |part: &planwright_shell::Part| part.words.first().is_some_and(|word| word == "npm");
    let verdict = |line: &str| judge_allowing(line, &Context::default(), &npm);
    for line in ["npm test", "npm run a && npm run b | tail -5", "cd web && npm test", "npm test; echo $?"] {
        assert_eq!(verdict(line), Verdict::ReadOnly, "{line}");
    }
    for line in [
        "npm test; make",
        "npm test > x",
        "npm test $(make)",
        "cd web && npm test && git log",
        "[[ -v x ]] && npm test",
    ] {
        assert!(verdict(line) != Verdict::ReadOnly, "{line}");
    }
}

#[test]
fn what_a_variable_holds_is_known_whoever_answers_for_it() {
    for line in ["x=1; echo $((x+1))", "x=1; y=2; echo $((x+y)) | cat"] {
        assert_eq!(judge_allowing(line, &Context::default(), &|_| true), Verdict::ReadOnly, "{line}");
    }
    assert!(judge_allowing("x=$(npm test); echo $((x+1))", &Context::default(), &|_| true) != Verdict::ReadOnly);
}

#[test]
fn raw_words_miss_nothing() {
    let words = raw_words("x=$(\"r\"m f);\\rm 'a b'\nr\\\nm g");
    assert_eq!(words.iter().filter(|word| *word == "rm").count(), 3, "{words:?}");
}
