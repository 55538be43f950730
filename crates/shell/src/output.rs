//! What can be said about the output of a few well-known commands.

use crate::syntax::{Kind, Script};
use crate::value::{Arg, Tail, Use, Value, Variables, expand};

/// The shape of what `script` prints.
pub(crate) fn shape(script: &Script, variables: &Variables) -> Value {
    last_command(script, variables).and_then(|words| known(&words)).unwrap_or(Value::of(Tail::Any))
}

/// The words of the last command of the only pipeline, which alone prints.
fn last_command(script: &Script, variables: &Variables) -> Option<Vec<Arg>> {
    let [chain] = script.items.as_slice() else {
        return None;
    };
    let [pipeline] = chain.pipelines.as_slice() else {
        return None;
    };
    let command = pipeline.commands.last()?;
    let Kind::Simple(simple) = &command.kind else {
        return None;
    };
    if !simple.assignments.is_empty() {
        return None;
    }
    let mut words = Vec::new();
    for word in &simple.words {
        match expand(word, variables, Use::Argument).as_slice() {
            [arg] => words.push(arg.clone()),
            _ => return None,
        }
    }
    let redirected = |kind: &crate::syntax::RedirectKind| matches!(kind, crate::syntax::RedirectKind::Descriptor);
    // `2>&1` would put error texts into the output.
    if command.redirects.iter().any(|redirect| redirected(&redirect.kind)) {
        return None;
    }
    Some(words)
}

fn known(words: &[Arg]) -> Option<Value> {
    let name = words.first()?.known()?;
    let rest = &words[1..];
    let texts: Option<Vec<&str>> = rest.iter().map(Arg::known).collect();
    let exact = |list: &[&str]| texts.as_deref() == Some(list);
    match name {
        // With an operand it prints the name too.
        "wc" if exact(&["-l"]) || exact(&["-c"]) || exact(&["-w"]) || exact(&["-m"]) => Some(Value::of(Tail::Digits)),
        "seq"
            if (1..=3).contains(&rest.len())
                && texts.iter().flatten().all(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
                && texts.is_some() =>
        {
            Some(Value::of(Tail::Digits))
        }
        "nproc" if rest.is_empty() => Some(Value::of(Tail::Digits)),
        "date" if exact(&["+%s"]) || exact(&["+%Y"]) => Some(Value::of(Tail::Digits)),
        "pwd" => Some(Value { text: "/".to_owned(), tail: Tail::Any }),
        "git" => git(rest),
        _ => None,
    }
}

/// Commands that print object names, or the words they were given.
fn git(words: &[Arg]) -> Option<Value> {
    let (sub, rest) = words.split_first()?;
    let object = Some(Value::of(Tail::Plain));
    let option = |arg: &Arg, options: &[&str]| {
        arg.known().is_some_and(|text| {
            options.iter().any(|option| text == *option || (option.ends_with('=') && text.starts_with(option)))
        })
    };
    let all = |options: &[&str]| {
        rest.iter().all(|arg| {
            let plain = match arg.tail {
                Tail::None => !arg.many && !arg.text.starts_with('-') && !arg.text.contains(char::is_whitespace),
                tail => arg.text.is_empty() && matches!(tail, Tail::Plain | Tail::Digits),
            };
            plain || option(arg, options)
        })
    };
    match sub.known()? {
        "merge-base" if all(&["--all", "--octopus", "--fork-point"]) => object,
        "rev-parse" if rest.len() == 1 && option(&rest[0], &["--show-toplevel", "--absolute-git-dir"]) => {
            Some(Value { text: "/".to_owned(), tail: Tail::Any })
        }
        "rev-parse" if all(&["--verify", "--quiet", "-q", "--short", "--short="]) => object,
        "rev-list"
            if all(&[
                "--max-count=",
                "-n1",
                "-1",
                "-2",
                "-3",
                "-5",
                "-10",
                "--all",
                "--no-merges",
                "--first-parent",
                "--reverse",
                "--max-parents=",
                "--count",
            ]) =>
        {
            object
        }
        "log"
            if all(&[
                "--format=%H",
                "--format=%h",
                "--pretty=%H",
                "--pretty=%h",
                "--pretty=format:%H",
                "--pretty=format:%h",
                "-1",
                "-n1",
                "-2",
                "-3",
                "-5",
                "-10",
                "--reverse",
            ]) && rest.iter().any(|arg| {
                option(
                    arg,
                    &[
                        "--format=%H",
                        "--format=%h",
                        "--pretty=%H",
                        "--pretty=%h",
                        "--pretty=format:%H",
                        "--pretty=format:%h",
                    ],
                )
            }) =>
        {
            object
        }
        _ => None,
    }
}
