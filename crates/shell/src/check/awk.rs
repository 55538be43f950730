//! `awk`: its program may compute and print, and nothing else.

use crate::finding::Finding;
use crate::judge::Judge;
use crate::options::{Operands, Options, Style};
use crate::value::Arg;

const AWK: Options = Options {
    reads: &[
        "-F: --field-separator: -v: --assign: -S --sandbox -P --posix -t -V --version --re-interval -r -b -c -n -O",
    ],
    writes: "",
    runs: "-f: --file: -E: --exec: -i: --include: -l: --load: -o? --pretty-print? -p? --profile? -d? --dump-variables? -D? --debug? -e: --source: -W:",
    operands: Operands::Any,
    style: Style::First,
};

pub(crate) fn awk(judge: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let scanned = match AWK.judge("awk", &args[1..]) {
        Ok(scanned) => scanned,
        Err(finding) => return finding,
    };
    let Some((program, files)) = scanned.operands.split_first() else {
        return if scanned.has(&["-V", "--version"]) {
            Finding::Reads
        } else {
            Finding::unproved(&args[0].span, "awk without a program in view")
        };
    };
    let Some(text) = program.known() else {
        return Finding::unproved(&program.span, "the program of awk is not known before it runs");
    };
    let mut reader = Awk { text, at: 0, before: Before::Start, open: 0, print: None, commands: Vec::new() };
    if let Err(trouble) = reader.run() {
        return match trouble {
            Trouble::Writes(what) => Finding::changes(&program.span, what),
            Trouble::Unread(what) => Finding::unproved(&program.span, what),
        };
    }
    for command in &reader.commands {
        let found = judge.inner(command, &program.span);
        if !found.reads() {
            return found;
        }
    }
    for file in files {
        let found = super::opened("awk", std::slice::from_ref(*file));
        if !found.reads() {
            return found;
        }
    }
    Finding::Reads
}

enum Trouble {
    Writes(&'static str),
    Unread(&'static str),
}

/// What stands before, which decides whether a `/` divides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    Operand,
    /// `)`, after which a `/` may be either.
    Closed,
    Operator,
}

struct Awk<'a> {
    text: &'a str,
    at: usize,
    before: Before,
    open: usize,
    /// The depth of brackets at which a `print` stands that is not over.
    print: Option<usize>,
    /// The commands that it pipes to.
    commands: Vec<String>,
}

impl Awk<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) -> Result<(), Trouble> {
        while self.at < self.text.len() {
            let byte = self.byte(0);
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' | b';' | b'{' | b'}' => {
                    // A line end after a comma or operator ends nothing.
                    let goes_on = byte == b'\n' && (self.before == Before::Operator || self.open > 0);
                    if !goes_on {
                        self.print = None;
                    }
                    self.step(1, if goes_on { self.before } else { Before::Start });
                }
                b'#' => self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at),
                b'"' => self.string()?,
                b'/' => self.slash()?,
                b'(' | b'[' => {
                    self.open += 1;
                    self.step(1, Before::Operator);
                }
                b')' | b']' => {
                    self.open = self.open.saturating_sub(1);
                    self.step(1, if byte == b')' { Before::Closed } else { Before::Operand });
                }
                b'|' if self.byte(1) == b'|' => self.step(2, Before::Operator),
                b'|' => self.pipe()?,
                b'>' => self.greater()?,
                b'@' => {
                    return Err(Trouble::Unread("this awk program loads or calls something that is not in view"));
                }
                // Between words only: some awks would join the halves of one.
                b'\\' if self.byte(1) == b'\n' && self.text[..self.at].ends_with([' ', '\t']) => self.at += 2,
                b'\\' => return Err(Trouble::Unread("this awk program is not understood")),
                b'+' | b'-' if self.byte(1) == byte => {
                    // After `x++` a slash divides, after `++` before a name none can stand.
                    let before = self.before;
                    self.step(2, if before == Before::Operand { Before::Operand } else { Before::Operator });
                }
                byte if byte.is_ascii_alphabetic() || byte == b'_' => self.name()?,
                byte if byte.is_ascii_digit() || byte == b'.' => {
                    while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'.' {
                        self.at += 1;
                    }
                    self.before = Before::Operand;
                }
                byte if b"!~&=<*%^?:,+-$".contains(&byte) => self.step(1, Before::Operator),
                _ => return Err(Trouble::Unread("this awk program is not understood")),
            }
        }
        Ok(())
    }

    fn step(&mut self, length: usize, before: Before) {
        self.at += length;
        self.before = before;
    }

    fn string(&mut self) -> Result<(), Trouble> {
        self.at += 1;
        loop {
            match self.byte(0) {
                b'"' => break,
                0 | b'\n' => return Err(Trouble::Unread("this awk program is not understood")),
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.step(1, Before::Operand);
        Ok(())
    }

    fn slash(&mut self) -> Result<(), Trouble> {
        match self.before {
            Before::Operand => self.step(1, Before::Operator),
            // Without another slash it cannot begin a pattern.
            Before::Closed if !self.text[self.at + 1..].contains('/') => self.step(1, Before::Operator),
            Before::Closed => {
                return Err(Trouble::Unread("a slash in this awk program may divide or begin a pattern"));
            }
            Before::Start | Before::Operator => {
                self.at += 1;
                let mut bracket = false;
                loop {
                    match self.byte(0) {
                        // Some awks end the pattern at a slash in brackets and some do not.
                        b'/' if bracket => {
                            return Err(Trouble::Unread("a slash in brackets, which awks read in two ways"));
                        }
                        b'/' => break,
                        0 | b'\n' => {
                            return Err(Trouble::Unread("this awk program is not understood"));
                        }
                        b'\\' => self.at += 2,
                        byte => {
                            match byte {
                                b'[' if bracket => {
                                    // `[:alpha:]`.
                                    let rest = &self.text[self.at + 1..];
                                    let class = rest.strip_prefix(':').and_then(|rest| rest.split_once(":]"));
                                    let Some((name, _)) =
                                        class.filter(|(name, _)| name.bytes().all(|b| b.is_ascii_alphabetic()))
                                    else {
                                        return Err(Trouble::Unread("this awk program is not understood"));
                                    };
                                    self.at += name.len() + 3;
                                }
                                b'[' => {
                                    bracket = true;
                                    let first = self.text[self.at + 1..].trim_start_matches('^');
                                    if first.starts_with(']') {
                                        return Err(Trouble::Unread("this awk program is not understood"));
                                    }
                                }
                                b']' => bracket = false,
                                _ => {}
                            }
                            self.at += 1;
                        }
                    }
                }
                self.step(1, Before::Operand);
            }
        }
        Ok(())
    }

    fn greater(&mut self) -> Result<(), Trouble> {
        let printing = self.print.is_some_and(|depth| self.open <= depth);
        if !printing {
            let length = if self.byte(1) == b'=' { 2 } else { 1 };
            if self.byte(1) == b'>' {
                return Err(Trouble::Unread("this awk program is not understood"));
            }
            self.step(length, Before::Operator);
            return Ok(());
        }
        let rest = self.text[self.at + 1..].trim_start_matches([' ', '\t', '>']);
        for shown in ["\"/dev/stderr\"", "\"/dev/stdout\"", "\"/dev/null\""] {
            if let Some(after) = rest.strip_prefix(shown)
                && matches!(after.trim_start_matches([' ', '\t']).chars().next(), None | Some(';' | '}' | '\n'))
            {
                self.at = self.text.len() - after.len();
                self.before = Before::Operand;
                return Ok(());
            }
        }
        Err(Trouble::Writes("this awk program prints to a file"))
    }

    /// `print … | "command"`, with the command as it stands.
    fn pipe(&mut self) -> Result<(), Trouble> {
        let refuse = Err(Trouble::Unread("this awk program pipes to or from a command"));
        let printing = self.print.is_some_and(|depth| self.open <= depth);
        let rest = self.text[self.at + 1..].trim_start_matches([' ', '\t']);
        let Some((command, after)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else {
            return refuse;
        };
        let ends = matches!(after.trim_start_matches([' ', '\t']).chars().next(), None | Some(';' | '}' | '\n'));
        if !printing || !ends || command.contains(['\\', '\n']) {
            return refuse;
        }
        self.commands.push(command.to_owned());
        self.at = self.text.len() - after.len();
        self.before = Before::Operand;
        Ok(())
    }

    fn name(&mut self) -> Result<(), Trouble> {
        let start = self.at;
        while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' {
            self.at += 1;
        }
        self.before = Before::Operand;
        match &self.text[start..self.at] {
            "system" => return Err(Trouble::Unread("this awk program starts a command")),
            "getline" => {
                return Err(Trouble::Unread("this awk program reads from a file or command of its own choice"));
            }
            "print" | "printf" => {
                self.print = Some(self.open);
                self.before = Before::Operator;
            }
            "in" | "return" | "else" | "do" | "case" | "exit" => self.before = Before::Operator,
            _ => {}
        }
        Ok(())
    }
}
