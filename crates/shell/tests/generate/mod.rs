//! Makes command lines from the table, the grammar and mutations of the manual.

#![allow(dead_code, reason = "each test uses its own part")]

use planwright_shell::table;

/// A small generator of numbers: the same seed gives the same lines.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    /// Whether a chance of one in `times` came up.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these words.
    pub fn word(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Words that mean something to some program: files of the world, names that look like options,
/// little programs, revisions.
const OPERANDS: &[&str] = &[
    "a.txt",
    "b.txt",
    "notes.txt",
    "src",
    "src/lib.rs",
    "data.json",
    "README.md",
    ".",
    "..",
    "docs",
    "plain.tar",
    "a.gz",
    "a.zip",
    "nosuch",
    "new",
    "out/x",
    "HEAD",
    "HEAD~1",
    "main",
    "v1",
    "feature",
    "HEAD:a.txt",
    "*",
    "*.txt",
    "src/*",
    "-",
    "--",
    "-x",
    "-o",
    "-i",
    "w",
    "'1p'",
    "'s/a/b/'",
    "'s/a/b/w new'",
    "'w new'",
    "'e touch new'",
    "'{print}'",
    "'{print > \"new\"}'",
    "'BEGIN{system(\"touch new\")}'",
    "'a b'",
    "\"x y\"",
    "5",
    "-5",
    "+5",
    "1,3",
    "/dev/null",
    "/etc/hostname",
    "{}",
    "\\;",
    "+",
    "fn",
    "alpha",
    "'.'",
    "'.items[]'",
    "-delete",
    "-exec",
    "touch",
    "rm",
    "-print",
    "x=y",
    "of=new",
    "if=a.txt",
    "+%s",
    "2001-01-01",
    "user.name",
    "alias.x",
    "origin",
    "list",
    "show",
    "add",
    "-name",
    "-type",
    "f",
    "'*.txt'",
    "$HOME",
    "$x",
    "\"$x\"",
    "$(cat a.txt)",
    "\"$(cat opts)\"",
    "$(echo -o new)",
    "~",
    "{a,b}.txt",
    "{-o,new}",
    "<(cat a.txt)",
    "\"$PWD\"/a.txt",
    "${x:-y}",
    "$((1+2))",
    "--output=new",
    "-onew",
    "--out=new",
    "-w",
    "new.gz",
];

const JOINTS: &[&str] = &[" | ", " && ", " || ", "; ", "\n", " |& ", " & "];
const TAILS: &[&str] = &[
    " | head",
    " | wc -l",
    " 2>&1",
    " 2>/dev/null",
    " > /dev/null",
    " < a.txt",
    " | sort | uniq -c",
    " | xargs cat",
    " | xargs -n1 echo",
    " | xargs",
    " >&2",
    " | tee /dev/stderr",
    " <<< hi",
    " <<'E'\nw new\nE",
    " | while read -r x; do echo \"$x\"; done",
    " > new",
    " >> a.txt",
    " 2> new",
    " | xargs sort",
    " | xargs -I{} grep x {}",
    " | xargs git log",
    " | sh",
    " | sed -n 1p",
    " | awk '{print $1}'",
    " </dev/null",
    " &>/dev/null",
    " &> new",
    " >& new",
    " >| new",
    " <> new",
    " | cat -",
    " | sort -o new",
    " | uniq - new",
];
const WRAPPERS: &[&str] = &[
    "timeout 5 ",
    "nice ",
    "nice -n 5 ",
    "env ",
    "env LC_ALL=C ",
    "command ",
    "LC_ALL=C ",
    "! ",
    "time ",
    "stdbuf -oL ",
    "env -i ",
    "TZ=UTC ",
    "\\",
    "xargs -a notes.txt ",
    "xargs -a opts ",
    "find . -maxdepth 1 -name a.txt -exec ",
    "command -v ",
    "builtin ",
    "sh -c ",
    "x=1 ",
    "PAGER=cat ",
];

/// The options of each program, as the table prints them.
pub struct Programs {
    /// The call, all its options, and those that write.
    rows: Vec<(String, Vec<String>, Vec<String>)>,
}

impl Programs {
    pub fn new() -> Programs {
        let mut rows = Vec::new();
        for row in table() {
            let shown = row.to_string();
            let mut heads: Vec<String> = row.names.split(' ').map(str::to_owned).collect();
            let mut options: Vec<String> = Vec::new();
            let mut writing: Vec<String> = Vec::new();
            for line in shown.lines().skip(1) {
                if let Some((path, _)) = line.trim().split_once(" — ") {
                    flush(&mut rows, &heads, &mut options, &mut writing);
                    heads = row.names.split(' ').map(|name| format!("{name} {path}")).collect();
                } else if let Some(forms) = line.trim().strip_prefix("reads only as: ") {
                    options.extend(
                        forms.split(" | ").map(|form| form.replace('…', "a.txt").replace("(without words)", "")),
                    );
                } else if let Some((kind, listed)) = line.split_once(": ")
                    && (kind.contains(" with") || kind.contains("reads"))
                {
                    options.extend(listed.split(' ').map(str::to_owned));
                    if kind.contains("writes") {
                        writing.extend(listed.split(' ').map(str::to_owned));
                    }
                }
            }
            flush(&mut rows, &heads, &mut options, &mut writing);
        }
        Programs { rows }
    }

    /// Every option of every program beside every way that the same program has to write: were the
    /// number of an option's values wrong in the table, one of these would.
    pub fn probes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (head, options, writing) in &self.rows {
            let mut writes: Vec<String> = Vec::new();
            for entry in writing.iter().take(6) {
                let name = entry.trim_end_matches([':', '?', '~']);
                if name.starts_with("--") {
                    writes.extend([format!("{name}=new"), format!("{name} new"), name.to_owned()]);
                } else {
                    writes.extend([format!("{name} new"), format!("{name}new"), name.to_owned()]);
                }
            }
            for entry in options {
                let name = entry.trim_end_matches([':', '?', '~']);
                if !name.starts_with('-') {
                    continue;
                }
                for write in &writes {
                    lines.push(format!("{head} {name} {write} a.txt"));
                    lines.push(format!("{head} {name} -- {write} a.txt"));
                    lines.push(format!("{head} {name} 1 {write} a.txt"));
                    if name.len() == 2 && write.len() > 1 && write.starts_with('-') && !write.starts_with("--") {
                        lines.push(format!("{head} {name}{} a.txt", &write[1..]));
                    }
                }
                if head.starts_with("uniq") || head.starts_with("xxd") {
                    lines.push(format!("{head} {name} a.txt new"));
                    lines.push(format!("{head} {name} 1 a.txt new"));
                }
            }
        }
        lines
    }

    /// A program with some of its options and some operands.
    pub fn call(&self, dice: &mut Dice) -> String {
        let (head, options, _) = dice.pick(&self.rows);
        let mut line = head.clone();
        for _ in 0..dice.below(4) {
            if !options.is_empty() && !dice.one_in(3) {
                line.push(' ');
                line.push_str(&option(dice, options));
            }
            if dice.one_in(2) {
                line.push(' ');
                line.push_str(dice.word(OPERANDS));
            }
        }
        if dice.one_in(2) {
            line.push(' ');
            line.push_str(dice.word(OPERANDS));
        }
        line
    }
}

fn flush(
    rows: &mut Vec<(String, Vec<String>, Vec<String>)>,
    heads: &[String],
    options: &mut Vec<String>,
    writing: &mut Vec<String>,
) {
    let (options, writing) = (std::mem::take(options), std::mem::take(writing));
    rows.extend(heads.iter().map(|head| (head.clone(), options.clone(), writing.clone())));
}

/// One option of a table entry, spelled in one of the ways it can be.
fn option(dice: &mut Dice, options: &[String]) -> String {
    let entry = dice.pick(options).clone();
    let name = entry.trim_end_matches([':', '?', '~']).to_owned();
    if name == "-#" {
        return format!("-{}", dice.below(20));
    }
    if entry.len() == name.len() {
        let short = name.len() == 2 && name.starts_with('-');
        return match dice.below(8) {
            // Joined with another one.
            0 if short => {
                let other = dice.pick(options).trim_end_matches([':', '?', '~']).to_owned();
                if other.len() == 2 { format!("{name}{}", &other[1..]) } else { name }
            }
            1 if name.len() > 5 => name[..name.len() - 1 - dice.below(2)].to_owned(),
            _ => name,
        };
    }
    let value = dice.word(OPERANDS);
    match dice.below(3) {
        0 => format!("{name} {value}"),
        1 if name.starts_with("--") => format!("{name}={value}"),
        _ if name.starts_with("--") => name,
        _ => format!("{name}{value}"),
    }
}

/// One line: a call, several joined, or a line of the manual with something changed.
pub fn line(dice: &mut Dice, programs: &Programs, seeds: &[String]) -> String {
    let mut text = match dice.below(10) {
        0..4 => programs.call(dice),
        4 => format!("{}{}", dice.word(WRAPPERS), programs.call(dice)),
        5 => format!("{}{}{}", programs.call(dice), dice.word(JOINTS), dice.pick(seeds)),
        6 => splice(dice, seeds),
        _ => change(dice, seeds),
    };
    if dice.one_in(4) {
        text.push_str(dice.word(TAILS));
    }
    match dice.below(24) {
        0 => text = format!("{}{text}", dice.word(WRAPPERS)),
        1 => text = format!("({text})"),
        2 => text = format!("{{ {text}; }}"),
        3 => text = format!("for x in {} {}; do {text}; done", dice.word(OPERANDS), dice.word(OPERANDS)),
        4 => text = format!("x={}; {text}", dice.word(OPERANDS)),
        5 => text = format!("if {text}; then echo y; fi"),
        6 => text = format!("echo \"$({text})\""),
        7 => text = format!("cd src; {text}"),
        8 => text = format!("sh -c '{}'", text.replace('\'', "'\\''")),
        _ => {}
    }
    text
}

/// The words of one line followed by those of another.
fn splice(dice: &mut Dice, seeds: &[String]) -> String {
    let (first, second) = (dice.pick(seeds), dice.pick(seeds));
    let cut = |dice: &mut Dice, text: &str| {
        let gaps: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        if gaps.is_empty() { text.len() } else { *dice.pick(&gaps) }
    };
    let (left, right) = (cut(dice, first), cut(dice, second));
    format!("{}{}", &first[..left], &second[right.min(second.len())..])
}

/// A line with one or two words or characters changed.
fn change(dice: &mut Dice, seeds: &[String]) -> String {
    let mut text = dice.pick(seeds).clone();
    for _ in 0..=dice.below(2) {
        let gaps: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        let at = if gaps.is_empty() { text.len() } else { *dice.pick(&gaps) };
        let odd = [
            "'", "\"", "\\", "$", "`", "{", "}", "*", "?", ";", "&", "|", ">", "<", "(", ")", "#", "-", "=", "!", "~",
            "\n", "[", "]", ",",
        ];
        match dice.below(7) {
            0 => text.insert_str(at, &format!(" {}", dice.word(OPERANDS))),
            1 => text.insert_str(at, dice.word(TAILS)),
            2 => {
                let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                let place = *dice.pick(&places);
                text.insert_str(place, dice.word(&odd));
            }
            3 => {
                let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
                if !places.is_empty() {
                    let place = *dice.pick(&places);
                    text.remove(place);
                }
            }
            4 => {
                let end = text[at..]
                    .trim_start()
                    .find(' ')
                    .map_or(text.len(), |length| text.len() - text[at..].trim_start().len() + length);
                text.replace_range(at..end.max(at), &format!(" {}", dice.word(OPERANDS)));
            }
            5 => text.insert_str(at, " -"),
            _ => {
                let end = text[at..]
                    .trim_start()
                    .find(' ')
                    .map_or(text.len(), |length| text.len() - text[at..].trim_start().len() + length);
                let word = text[at..end.max(at)].to_owned();
                text.insert_str(at, &word);
            }
        }
    }
    text
}

const TOKENS: &[&str] = &[
    "c1",
    "c2",
    "c3",
    "x",
    "y",
    "-a",
    " ",
    " ",
    " ",
    " ",
    " ",
    "\n",
    ";",
    "; ",
    "&&",
    "||",
    "|",
    "&",
    "|&",
    "(",
    ")",
    "{ ",
    "; }",
    "'",
    "'q r'",
    "\"",
    "\"d e\"",
    "\\",
    "\\\n",
    "$",
    "$x",
    "${x}",
    "${x:-c1}",
    "$(c1)",
    "$(c1 a; c2)",
    "`c1`",
    "<(c1)",
    ">",
    "<",
    "2>&1",
    ">/dev/null",
    "</dev/null",
    "<<E\nb\nE\n",
    "<<'E'\n$(c3)\nE\n",
    "<<-E\n\tb\n\tE\n",
    "<<<",
    "if ",
    "then ",
    "; then ",
    "; fi",
    "else ",
    "elif ",
    "while ",
    "; do ",
    "; done",
    "do ",
    "done",
    "for i in ",
    "case x in ",
    "x) ",
    ";;",
    "esac",
    "[[ ",
    " ]]",
    "[ ",
    " ]",
    "! ",
    "time ",
    "function f ",
    "coproc ",
    "{a,b}",
    "{",
    "}",
    ",",
    "..",
    "{1..3}",
    "*",
    "?",
    "[a]",
    "~",
    "#",
    " #",
    "=",
    "x=1 ",
    "a=(b c)",
    "$'a\\tb'",
    "$'\\x41'",
    "$\"",
    "$((",
    "))",
    "$((1+2))",
    "((",
    "1",
    "-eq",
    "==",
    "=~",
    "\"$(c2)\"",
    "\"$x\"",
    "\"`c3`\"",
    "é",
    "\u{a0}",
    "\r",
    "\t",
    "%",
    "^",
    "@",
    "+(",
    "!(",
    "${",
    "[@]",
    "${#x}",
    "${x%a}",
    "${x/a/b}",
    "eval ",
    "exec ",
    "<&",
    ">&",
    "2>",
    "0",
    "in ",
    "E\n",
    "\nE\n",
    "<<E",
    "<<\\E",
    "<<\"E\"",
];

/// Tokens of the grammar in any order.
pub fn soup(dice: &mut Dice) -> String {
    let length = 1 + dice.below(9);
    (0..length).map(|_| dice.word(TOKENS)).collect()
}

/// A piece of grammar that is mostly right.
pub fn grammar(dice: &mut Dice, depth: usize) -> String {
    let words = [
        "c1",
        "c2 a",
        "c3 'b c' \"d\"",
        "c1 \\;x",
        "c2 {a,b}c",
        "c1 $'x\\ty'",
        "c3 \"a\\\"b\" 'it'\\''s'",
        "c2 2>&1",
        "c1 </dev/null",
        "c1 <<E\nb\nE\n",
        "c2 <<< c3",
        "[ c1 ]",
        "[[ a == b ]]",
        "x=c1",
        "c1 # c2",
        "c1 a#b",
        "c2 a\\ b",
        "c1 ''",
        "c2 \"\"",
        "c3 {1..3}",
        "c1 @{0}",
        "c2 a{b}c",
        "c1 {,x}",
        "c2 x{a,'b,c'}y",
        "c1 --opt={a,b}",
    ];
    if depth == 0 {
        return dice.word(&words).to_owned();
    }
    let mut inner = || grammar(dice, depth - 1);
    let (a, b) = (inner(), inner());
    match dice.below(16) {
        0 => format!("{a}; {b}"),
        1 => format!("{a} && {b}"),
        2 => format!("{a} || {b}"),
        3 => format!("{a} | {b}"),
        4 => format!("{a}\n{b}"),
        5 => format!("({a}; {b})"),
        6 => format!("{{ {a}; {b}; }}"),
        7 => format!("if {a}; then {b}; fi"),
        8 => format!("for i in 1 2; do {a}; {b}; done"),
        9 => format!("case x in x) {a};; *) {b};; esac"),
        10 => format!("c3 \"$({a})\" $({b})"),
        11 => format!("! {a}"),
        12 => format!("{a} & {b}"),
        13 => format!("c1 <({a}); {b}"),
        14 => format!("x=$({a}); {b}"),
        _ => format!("if {a}; then {b}; elif {a}; then c1; else {b}; fi"),
    }
}
