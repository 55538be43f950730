//! Programs that start another one, named in their words.

use crate::finding::Finding;
use crate::judge::Judge;
use crate::names;
use crate::options::{Operands, Options, Style};
use crate::programs;
use crate::value::{Arg, Tail};

const fn first(reads: &'static [&'static str], runs: &'static str) -> Options {
    Options { reads, writes: "", runs, operands: Operands::Any, style: Style::First }
}

const ENV: Options = first(
    &["-i --ignore-environment -0 --null -u: --unset: -v --debug"],
    "-S: --split-string: -C: --chdir: -P: -a: --argv0: --block-signal? --default-signal? --ignore-signal? --list-signal-handling",
);
const TIMEOUT: Options =
    first(&["-k: --kill-after: -s: --signal: --foreground --preserve-status -v --verbose -f -p"], "");
const NICE: Options = first(&["-n: --adjustment: -#"], "");
const STDBUF: Options = first(&["-i: -o: -e: --input: --output: --error:"], "");
const IONICE: Options = first(&["-c: -n: -t --class: --classdata: --ignore"], "-p: -P: -u: --pid: --pgid: --uid:");

/// `nice`, `timeout`, `stdbuf`, `ionice`: the command inside is what counts.
pub(crate) fn wrapper(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let name = args[0].text.as_str();
    let (table, skip) = match name {
        "timeout" | "gtimeout" => (TIMEOUT, 1),
        "nice" => (NICE, 0),
        "stdbuf" => (STDBUF, 0),
        _ => (IONICE, 0),
    };
    let words = &args[1..];
    let scanned = match table.scan(name, words) {
        Ok(scanned) => scanned,
        Err(finding) => return inner_write(judge, words).and(finding),
    };
    let Some(at) = scanned.first.map(|at| at + skip).filter(|at| *at < words.len()) else {
        return Finding::unproved(&args[0].span, format!("{name} without a command"));
    };
    if words[..at].iter().any(|arg| arg.many) {
        return Finding::unproved(&args[0].span, format!("it is not known which word of {name} is the command"));
    }
    if skip == 1 && !words[at - 1].text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Finding::unproved(&words[at - 1].span, "timeout without a plain duration");
    }
    judge.program(&words[at..])
}

/// `env`: settings that only change language or colours, then a command.
pub(crate) fn env(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let words = &args[1..];
    let scanned = match ENV.scan("env", words) {
        Ok(scanned) => scanned,
        Err(finding) => return inner_write(judge, words).and(finding),
    };
    let mut at = scanned.first.unwrap_or(words.len());
    let mut found = Finding::Reads;
    while let Some(arg) = words.get(at)
        && let Some((name, value)) = arg.text.split_once('=')
    {
        if arg.known().is_none() || !names::harmless_setting(name, value) {
            found = found.and(Finding::unproved(
                &arg.span,
                format!("{name} in the environment can change what the command does"),
            ));
        }
        at += 1;
    }
    match words.get(at) {
        Some(arg) if arg.known().is_none() => {
            found.and(Finding::unproved(&arg.span, "the name of the program is not known before it runs"))
        }
        // The builtins of the shell are not what env would start.
        // Without its environment a neutralised git is none.
        Some(_)
            if scanned.has(&["-i", "--ignore-environment", "-u", "--unset"])
                || words[..at].iter().any(|arg| arg.text == "-") =>
        {
            found.and(judge.elsewhere(&words[at..]))
        }
        Some(_) => found.and(judge.program(&words[at..])),
        None => found,
    }
}

/// `command` and `builtin`.
pub(crate) fn command(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let words = &args[1..];
    match words.first().map(Arg::known) {
        None => Finding::Reads,
        Some(Some("-v" | "-V")) => Finding::Reads,
        Some(Some("--")) if words.len() > 1 => judge.program(&words[1..]),
        Some(Some(text)) if !text.starts_with('-') => judge.program(words),
        _ => inner_write(judge, words).and(Finding::unproved(&words[0].span, "this option is not on the list")),
    }
}

/// `sudo` and its like: never proved; a write inside is a write.
pub(crate) fn sudo(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let name = &args[0].text;
    inner_write(judge, &args[1..])
        .and(Finding::unproved(&args[0].span, format!("{name} starts the command in another way or as another user")))
}

/// The write that stands plainly after options that were not understood.
fn inner_write(judge: &mut Judge<'_>, words: &[Arg]) -> Finding {
    let start = words.iter().position(|arg| arg.known().is_some_and(|text| programs::find(text).is_some()));
    match start.map(|at| judge.program(&words[at..])) {
        Some(found @ Finding::Changes(_)) => found,
        _ => Finding::Reads,
    }
}

/// `bash`, `sh`: a script given as one known word is judged like a line.
pub(crate) fn shell(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let name = &args[0].text;
    // After the script come its own arguments, which it sees as `$1` and so on.
    if let [_, option, script, ..] = args
        && option.known() == Some("-c")
        && let Some(text) = script.known()
    {
        return judge.inner(text, &script.span);
    }
    let words: Option<Vec<&str>> = args[1..].iter().map(Arg::known).collect();
    match words.as_deref() {
        Some(["--version"]) => Finding::Reads,
        Some(["-n", file]) if !file.starts_with(['-', '+']) => Finding::Reads,
        _ => Finding::unproved(&args[0].span, format!("{name} runs commands that are not in view")),
    }
}

const XARGS: Options = first(
    &[
        "-0 --null -a: --arg-file: -d: --delimiter: -E: -I: -L: --max-lines? -n: --max-args: -P: --max-procs: -r --no-run-if-empty",
        "-s: --max-chars: -t --verbose -x --exit --show-limits",
    ],
    "-p --interactive -o --open-tty -i? -e? -l? --eof? --replace? --process-slot-var:",
);

/// `xargs`: the command gets words that nobody knows.
pub(crate) fn xargs(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let words = &args[1..];
    let scanned = match XARGS.scan("xargs", words) {
        Ok(scanned) => scanned,
        Err(finding) => return inner_write(judge, words).and(finding),
    };
    let Some(at) = scanned.first else {
        return Finding::Reads;
    };
    let mark = scanned
        .options
        .iter()
        .rev()
        .find(|seen| seen.name == "-I")
        .map(|seen| seen.value.as_ref().and_then(|value| value.known()));
    let mut inner: Vec<Arg> = words[at..].to_vec();
    match mark {
        None => {
            let span = inner[0].span.clone();
            inner.push(Arg::open("", Tail::Any, true, span));
        }
        Some(Some(mark)) if !mark.is_empty() => inner.iter_mut().for_each(|arg| put_unknown(arg, mark, Tail::Any)),
        Some(_) => return Finding::unproved(&args[0].span, "it is not known what xargs replaces"),
    }
    judge.program(&inner)
}

/// Replaces `mark` in `arg` by something unknown.
pub(crate) fn put_unknown(arg: &mut Arg, mark: &str, tail: Tail) {
    if arg.numbers.as_ref().is_some_and(|text| text.contains(mark)) {
        arg.numbers = None;
    }
    if let Some(at) = arg.text.find(mark) {
        let rest = !arg.text[at + mark.len()..].is_empty();
        arg.text.truncate(at);
        arg.tail = if rest && tail != Tail::Plain { Tail::Any } else { tail };
    } else if arg.tail != Tail::None {
        arg.text.clear();
        arg.tail = Tail::Any;
    }
}

/// `fd`: with `-x` and `-X` it starts a command on what it finds.
pub(crate) fn fd(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let name = args[0].text.as_str();
    let words = &args[1..];
    let starts = |arg: &Arg| matches!(arg.known(), Some("-x" | "--exec" | "-X" | "--exec-batch"));
    let at = words.iter().position(starts).unwrap_or(words.len());
    // Were the `-x` the value of the option before it, that option would lack it here.
    if let Err(finding) = programs::FD.judge(name, &words[..at]) {
        return finding;
    }
    let Some(command) = words.get(at + 1..) else { return Finding::Reads };
    let end = command.iter().position(|arg| arg.known() == Some(";")).unwrap_or(command.len());
    let mut inner = command[..end].to_vec();
    if inner.is_empty() || command.len() > end + 1 {
        return Finding::unproved(&words[at].span, format!("it is not known what {name} starts"));
    }
    for arg in &mut inner {
        if arg.text.contains('{') {
            put_unknown(arg, "{", Tail::Any);
        }
    }
    let span = words[at].span.clone();
    inner.push(Arg::open("", Tail::Any, true, span));
    judge.program(&inner)
}
