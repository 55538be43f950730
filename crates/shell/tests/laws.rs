//! Laws that hold for every line: what is added to a line never makes it more read-only, quoting a
//! word never makes it less, and nothing takes the judge down or keeps it busy.

mod generate;
mod manual;

use generate::{Dice, Programs};
use planwright_shell::{Context, Verdict, directories, judge, judge_allowing, neutralised, parts, raw_words};
use proptest::prelude::*;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static PROGRAMS: LazyLock<Programs> = LazyLock::new(Programs::new);
static SEEDS: LazyLock<Vec<String>> = LazyLock::new(|| manual::rows().into_iter().map(|row| row.command).collect());

fn grade(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::ReadOnly => 0,
        Verdict::Unknown(_) => 1,
        Verdict::Mutating(_) => 2,
    }
}

fn judged(line: &str) -> Verdict {
    judge(line, &Context::default())
}

/// Lines of every kind: calls, compounds, mutations of the manual, and heaps of tokens.
fn lines() -> impl Strategy<Value = String> {
    (any::<u64>(), 0..4_u8).prop_map(|(seed, kind)| {
        let mut dice = Dice::new(seed);
        match kind {
            0 => generate::soup(&mut dice),
            1 => generate::grammar(&mut dice, 2),
            _ => generate::line(&mut dice, &PROGRAMS, &SEEDS),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn another_command_never_loosens(line in lines()) {
        let before = judged(&line);
        for more in ["; rm x", "\nrm x", " && rm x", " | rm x", "; make", "\nmake", "; ls", "\nls", " & make"] {
            let after = judged(&format!("{line}{more}"));
            // An unfinished line may be finished by what follows it, and a comment swallows it.
            let open = line.ends_with('\\') || parts(&line).map_or(true, |found| found.is_empty()) || ((line.contains('#') || line.contains("<<")) && !more.starts_with('\n'));
            if !open {
                prop_assert!(grade(&after) >= grade(&before), "{line:?} {before:?}, with {more:?} {after:?}");
                let harmless = more.ends_with("ls");
                prop_assert!(harmless || after != Verdict::ReadOnly, "{line:?} with {more:?} is read-only");
            }
        }
    }

    #[test]
    fn a_write_on_its_own_line_is_never_read_only(line in lines()) {
        // Not even where the line before is not understood, unless it joins the next or quotes it.
        let after = judged(&format!("{line}\nrm x"));
        let text = parts(&format!("{line}\nrm x")).unwrap_or_default();
        let stands_alone = text.iter().any(|part| part.words == ["rm", "x"]);
        prop_assert!(!stands_alone || matches!(after, Verdict::Mutating(_)), "{line:?} {after:?}");
    }

    #[test]
    fn a_redirection_to_a_file_never_loosens(line in lines()) {
        let before = judged(&line);
        for more in [" > out", " >> out", " 2>out", " &> out", " >|out", " <> out"] {
            let after = judged(&format!("{line}{more}"));
            if line.contains('#') || line.contains("<<") || line.ends_with('\\') || parts(&line).is_err() {
                continue;
            }
            prop_assert!(grade(&after) >= grade(&before), "{line:?} {before:?}, with {more:?} {after:?}");
            prop_assert!(after != Verdict::ReadOnly, "{line:?} with {more:?} is read-only");
        }
    }

    #[test]
    fn a_command_in_a_word_never_loosens(line in lines()) {
        for more in [" $(rm x)", " \"$(rm x)\"", " `rm x`", " \"a`rm x`\"", " <(rm x)", " ${x:-$(rm x)}", "$(rm x)"] {
            let after = judged(&format!("{line}{more}"));
            if line.contains('#') || line.ends_with(['\\', '$', '<', '>']) || parts(&line).is_err() {
                continue;
            }
            prop_assert!(after != Verdict::ReadOnly, "{line:?} with {more:?} is read-only");
        }
    }

    #[test]
    fn quoting_a_word_never_makes_it_less_read_only(seed: u64, at: prop::sample::Index) {
        let line = PROGRAMS.call(&mut Dice::new(seed));
        let plain = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"_./:@%+-".contains(&b));
        if line.contains(['\'', '"', '$', '(', '<', '`', '\\', '{']) {
            return Ok(());
        }
        let words: Vec<&str> = line.split(' ').collect();
        let at = at.index(words.len());
        if at == 0 || !plain(words[at]) || line.contains('=') && !words[0].bytes().all(|b| b.is_ascii_lowercase()) {
            return Ok(());
        }
        let before = judged(&line);
        for quote in ["'", "\""] {
            let mut quoted: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            quoted[at] = format!("{quote}{}{quote}", words[at]);
            let quoted = quoted.join(" ");
            prop_assert!(grade(&judged(&quoted)) <= grade(&before), "{line:?} {before:?}, {quoted:?} {:?}", judged(&quoted));
        }
    }

    #[test]
    fn the_users_own_commands_widen_one_plain_command_only(line in lines()) {
        let own = Context { user_read_only: vec!["*".to_owned()], ..Context::default() };
        let (before, after) = (judged(&line), judge(&line, &own));
        prop_assert!(!matches!(before, Verdict::Mutating(_)) || after == before, "{line:?}");
        if before != Verdict::ReadOnly && after == Verdict::ReadOnly {
            let found = parts(&line).map_err(|unparsed| TestCaseError::fail(format!("{line:?}: {unparsed}")))?;
            prop_assert_eq!(found.len(), 1, "{:?}", &line);
            prop_assert!(found[0].dynamic.is_empty() && found[0].globs.is_empty(), "{line:?}");
        }
    }

    #[test]
    fn allowing_nothing_changes_nothing(line in lines()) {
        let nothing = judge_allowing(&line, &Context::default(), &|_| false);
        prop_assert_eq!(nothing, judged(&line));
        let everything = judge_allowing(&line, &Context::default(), &|_| true);
        prop_assert_eq!(everything == Verdict::ReadOnly, parts(&line).is_ok_and(|found| !found.is_empty()) || judged(&line) == Verdict::ReadOnly);
    }

    #[test]
    fn hazards_never_loosen(line in lines()) {
        let hostile = Context { repository_runs_programs: true, ..Context::default() };
        let eased = Context { neutralised: true, ..hostile.clone() };
        prop_assert!(grade(&judge(&line, &hostile)) >= grade(&judge(&line, &eased)), "{line:?}");
        prop_assert!(grade(&judge(&line, &eased)) >= grade(&judged(&line)), "{line:?}");
    }

    #[test]
    fn a_neutralised_line_is_judged_alike(line in lines()) {
        if let Some(form) = neutralised(&line) {
            prop_assert_eq!(grade(&judged(&form.command)), grade(&judged(&line)), "{:?} {:?}", &line, &form.command);
        }
    }

    #[test]
    fn any_text_gets_a_verdict(text in "\\PC{0,80}") {
        touch_everything(&text);
    }

    #[test]
    fn any_bytes_get_a_verdict(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        touch_everything(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn signs_of_the_grammar_get_a_verdict(text in "[ \\n\t'\"\\\\$`(){}<>|&;#*?!=~,.0-9a-c-]{0,60}") {
        touch_everything(&text);
    }
}

fn touch_everything(text: &str) {
    let verdict = judged(text);
    if let Verdict::Mutating(reason) | Verdict::Unknown(reason) = verdict {
        assert_eq!(text.get(reason.span.clone()), Some(reason.word.as_str()), "{text:?}");
    }
    let _ = (parts(text), directories(text), neutralised(text), raw_words(text));
}

/// Texts that make a careless reader slow or deep.
fn monsters(length: usize) -> Vec<String> {
    let units = [
        "(",
        "$(",
        "\"$(",
        "{",
        "{a,b}",
        "{a,",
        "if ",
        "while ",
        "x=$(",
        "`",
        "'",
        "\"",
        "\\",
        "a ",
        "a;",
        "a|",
        "a&&",
        "\n",
        "<<E\n",
        "<<'E'\nE\n",
        "[[ ",
        "!",
        "$x",
        "\"$x\" ",
        "${x:-a}",
        "$((",
        "$((1+",
        "case x in x)",
        "for i in a b; do ",
        "cat <(",
        ">",
        "2>&1 ",
        "*",
        "a=b ",
        "#",
        "x=a;",
        "echo $x$x$x$x$x;",
        "find . -exec ",
        "xargs ",
        "env ",
        "timeout 1 ",
        "sh -c 'sh -c ",
        "-e s/a/b/ ",
        "echo {1..9}{1..9};",
        "x=$x$x;",
        "git log -n ",
        "awk ",
        "for x in a b c d; do echo $x$x$x$x; done;",
        "sed -n '",
        "é",
        "git diff $(git merge-base ",
        "\u{a0}",
    ];
    units.iter().map(|unit| unit.repeat(length / unit.len())).collect()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "how long it takes is the question")]
fn the_time_is_bounded() {
    // Were it not linear, the longest would take minutes.
    let length = if cfg!(debug_assertions) { 30_000 } else { 99_000 };
    for text in monsters(length) {
        let start = Instant::now();
        touch_everything(&text);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(4), "{:?}… took {took:?}", text.chars().take(40).collect::<String>());
    }
}

#[test]
fn too_long_a_line_is_unknown() {
    let line = format!("echo {}", "a ".repeat(60_000));
    assert!(matches!(judged(&line), Verdict::Unknown(_)));
}

#[test]
fn a_line_is_neutralised_where_git_is_the_program() {
    let form = |line: &str| neutralised(line).map(|form| form.command);
    let same = |line: &str| assert_eq!(form(line).as_deref(), Some(line));
    same("grep -rn git log");
    same("git status && git branch");
    same("cd git log");
    same("xargs -r grep git show");
    same("sh -c 'git log'");
    assert_eq!(form("ls"), None);
    let flags = "--no-ext-diff --no-textconv";
    assert_eq!(form("xargs -n 1 git show -s"), Some(format!("xargs -n 1 git show {flags} -s")));
    assert_eq!(form("timeout 5 git log -p"), Some(format!("timeout 5 git log {flags} -p")));
    assert_eq!(form("echo $(git --no-pager diff)"), Some(format!("echo $(git --no-pager diff {flags})")));
    assert_eq!(form("find . -exec git diff {} ';'"), Some(format!("find . -exec git diff {flags} {{}} ';'")));
    // Where it is not reached, the line is not proved.
    let eased = Context { neutralised: true, ..Context::default() };
    for line in ["sh -c 'git diff'", "xargs --max-args 1 git diff --", "awk '{ print | \"git log -p\" }'"] {
        assert!(matches!(judge(line, &eased), Verdict::Unknown(_)), "{line}");
    }
    for line in ["git diff", "git log -p | head", "timeout 5 git show", "sh -c 'git status'", "git blame x"] {
        assert_eq!(judge(line, &eased), Verdict::ReadOnly, "{line}");
    }
    let verdict = judge("git diff; git log -1 --output=x", &eased);
    assert!(matches!(&verdict, Verdict::Mutating(reason) if reason.word == "--output=x"), "{verdict:?}");
    assert_eq!(form("git blame x"), Some("git blame --no-textconv x".to_owned()));
}
