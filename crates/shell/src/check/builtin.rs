//! Builtins of the shell, and small programs with a grammar of their own.

use crate::finding::Finding;
use crate::judge::Judge;
use crate::names;
use crate::options::{Operands, Options, Style};
use crate::value::{Arg, Tail};

/// `cd`, `pushd`, `popd`: only the shell moves. Where to is kept by the walk.
pub(crate) fn cd(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let name = &args[0].text;
    for arg in &args[1..] {
        let known = arg.known().unwrap_or_default();
        if arg.may_be_option()
            && !matches!(known, "-" | "-P" | "-L" | "--" | "-n")
            && name == "cd"
            && arg.text.starts_with('-')
        {
            return Finding::unproved(&arg.span, format!("{name} with this option is not on the list"));
        }
    }
    Finding::Reads
}

/// `read`, `mapfile`, `readarray`: set variables of the shell, by plain names.
pub(crate) fn read(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    const READ: Options = Options {
        reads: &["-r -s -e -a: -d: -n: -N: -p: -t: -u: -i:"],
        writes: "",
        runs: "",
        operands: Operands::Any,
        style: Style::First,
    };
    const MAPFILE: Options = Options {
        reads: &["-t -d: -n: -O: -s: -u:"],
        writes: "",
        runs: "-C: -c:",
        operands: Operands::Any,
        style: Style::First,
    };
    let name = args[0].text.as_str();
    let table = if name == "read" { READ } else { MAPFILE };
    let scanned = match table.judge(name, &args[1..]) {
        Ok(scanned) => scanned,
        Err(finding) => return finding,
    };
    let array = super::value_of(&scanned, "-a").map(|text| (text, &args[0].span));
    let names = scanned.operands.iter().map(|arg| (arg.known().unwrap_or_default(), &arg.span));
    for (text, span) in names.chain(array) {
        let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if text == "_" || text == "REPLY" {
            continue;
        }
        if !plain || !names::plain(text) {
            return Finding::unproved(span, format!("{name} into something that is no plain variable"));
        }
    }
    Finding::Reads
}

/// `printf`: `-v` and `%n` evaluate a variable's name.
pub(crate) fn printf(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let mut words = &args[1..];
    if words.first().and_then(Arg::known) == Some("--") {
        words = &words[1..];
    }
    let Some(format) = words.first() else {
        return Finding::Reads;
    };
    if format.text.starts_with('-') && format.text.len() > 1 {
        return Finding::unproved(&format.span, "printf with an option");
    }
    let Some(text) = format.known() else {
        if words.len() == 1 && !format.many && format.tail != Tail::Any && format.tail != Tail::Name {
            return Finding::Reads;
        }
        return Finding::unproved(&format.span, "the format of printf is not known before it runs");
    };
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #0'.*hlLqjzt$".contains(c));
        if rest.starts_with('n') {
            return Finding::unproved(&format.span, "%n makes printf assign to a variable named by its argument");
        }
        if let Some(after) = rest.strip_prefix('%') {
            rest = after;
        }
    }
    Finding::Reads
}

/// `tee` to nothing but the terminal.
pub(crate) fn tee(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    for arg in &args[1..] {
        match arg.known() {
            Some("/dev/null" | "/dev/stdout" | "/dev/stderr" | "-a" | "-i" | "-p" | "--append" | "--") => {}
            _ => {
                return Finding::changes(&arg.span, "tee writes the files it is given").instead("leave tee out");
            }
        }
    }
    Finding::Reads
}

/// `dd`: a copy, wherever it comes from.
pub(crate) fn dd(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    match args[1..].iter().find(|arg| arg.text.starts_with("of=") && arg.known() != Some("of=/dev/null")) {
        Some(arg) => Finding::changes(&arg.span, "dd writes its output file"),
        None => Finding::unproved(&args[0].span, "dd can move tapes and read devices")
            .instead("head -c, tail -c or xxd -s -l"),
    }
}

/// `date`: an operand that is no format sets the clock.
pub(crate) fn date(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    const DATE: Options = Options {
        reads: &[
            "-d: --date: -f: --file: -I? --iso-8601? -r: --reference: -R --rfc-email --rfc-3339: --resolution -u --utc --universal --debug --help --version -j",
        ],
        writes: "-s: --set:",
        runs: "-v: -z: -n",
        operands: Operands::Any,
        style: Style::Gnu,
    };
    let scanned = match DATE.judge("date", &args[1..]) {
        Ok(scanned) => scanned,
        Err(finding) => return finding,
    };
    match scanned.operands.iter().find(|arg| arg.many || !arg.text.starts_with('+')) {
        Some(arg)
            if arg.known().is_some_and(|text| {
                !text.is_empty()
                    && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
                    && text.contains(|c: char| c.is_ascii_digit())
            }) =>
        {
            Finding::changes(&arg.span, "date sets the clock to its operand")
        }
        Some(arg) => Finding::unproved(&arg.span, "an operand of date that is no format sets the clock"),
        None => super::opened("date", &args[1..]),
    }
}

const UNARY: &[&str] = &[
    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-G", "-h", "-k", "-L", "-n", "-N", "-o", "-O", "-p", "-r", "-s", "-S",
    "-t", "-u", "-w", "-x", "-z",
];
const BINARY: &[&str] = &["=", "==", "!=", "-nt", "-ot", "-ef"];
const NUMERIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// `test` and `[`: nothing but plain forms, so that no expansion becomes an operator.
pub(crate) fn test(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let mut words = &args[1..];
    if args[0].text == "[" {
        match words.split_last() {
            Some((last, rest)) if last.known() == Some("]") => words = rest,
            _ => return Finding::unproved(&args[0].span, "[ without its ]"),
        }
    }
    if let Some(arg) = words.iter().find(|arg| arg.many && !arg.is_number()) {
        return Finding::unproved(&arg.span, "an expansion could become an operator of the test");
    }
    words
        .split(|arg| matches!(arg.known(), Some("-a" | "-o")))
        .fold(Finding::Reads, |found, clause| found.and(clause_of_test(clause, &args[0])))
}

fn clause_of_test(clause: &[Arg], head: &Arg) -> Finding {
    let clause = match clause.split_first() {
        Some((first, rest)) if first.known() == Some("!") && !rest.is_empty() => rest,
        _ => clause,
    };
    match clause {
        [] | [_] => Finding::Reads,
        [operator, _] if operator.known().is_some_and(|text| UNARY.contains(&text)) => Finding::Reads,
        [_, operator, _] if operator.known().is_some_and(|text| BINARY.contains(&text)) => Finding::Reads,
        [left, operator, right] if operator.known().is_some_and(|text| NUMERIC.contains(&text)) => {
            if left.is_number() && right.is_number() {
                Finding::Reads
            } else {
                Finding::unproved(
                    &operator.span,
                    "some shells evaluate these texts as arithmetic, which can run commands",
                )
            }
        }
        _ => Finding::unproved(&head.span, "this test is not in a form that is known to be harmless"),
    }
}

/// `xxd` looks at the first letter of an option only, and joins none.
pub(crate) fn xxd(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    const NAMES: &[&str] = &["cols", "groupsize", "group", "len", "name", "offset", "seek", "skip"];
    let words = &args[1..];
    let mut at = 0;
    let mut files = 0;
    let mut options = true;
    while let Some(arg) = words.get(at) {
        at += 1;
        if !options || !arg.may_be_option() || arg.known() == Some("-") {
            files += if arg.many { 2 } else { 1 };
            if files > 1 {
                return Finding::changes(&arg.span, "xxd writes its second file").instead("xxd with one file prints");
            }
            continue;
        }
        let Some(text) = arg.known() else {
            return Finding::unproved(&arg.span, "an expansion could become an option of xxd");
        };
        let name = text.trim_start_matches('-');
        let rest = name.get(1..).unwrap_or_default();
        match name.chars().next() {
            None => options = false,
            Some('a' | 'b' | 'C' | 'd' | 'e' | 'E' | 'h' | 'i' | 'p' | 'r' | 'u' | 'v') => {}
            Some('c' | 'g' | 'l' | 'o' | 's') => {
                let separate = rest.is_empty() || NAMES.contains(&name);
                match words.get(at) {
                    Some(value) if separate && !value.many => at += 1,
                    _ if !separate && rest.bytes().all(|b| b.is_ascii_hexdigit() || b"x+-".contains(&b)) => {}
                    _ => return Finding::unproved(&arg.span, "this option of xxd is not understood"),
                }
            }
            Some(_) => return Finding::unproved(&arg.span, "this option of xxd is not on the list"),
        }
    }
    super::opened("xxd", words)
}

/// `jq` only reads; some programs of the same kind edit in place.
pub(crate) fn jq(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    match args[1..].iter().find(|arg| matches!(arg.known(), Some("-i" | "--in-place" | "--inplace"))) {
        Some(arg) => Finding::unproved(&arg.span, "this option edits in place, where it exists"),
        None => super::opened("jq", &args[1..]),
    }
}
