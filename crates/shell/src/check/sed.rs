//! `sed`: its script is read command by command.

use crate::finding::Finding;
use crate::judge::Judge;
use crate::options::{Operands, Options, Style};
use crate::syntax::Span;
use crate::value::{Arg, HOLE};

const SED: Options = Options {
    reads: &[
        "-n --quiet --silent -e: --expression: -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data",
        "-l: --line-length: --posix --debug --sandbox -b --binary --help --version --follow-symlinks -a",
    ],
    writes: "-i? --in-place? -I?",
    runs: "-f: --file:",
    operands: Operands::Any,
    style: Style::Gnu,
};

pub(crate) fn sed(_: &mut Judge<'_>, args: &[Arg]) -> Finding {
    let words = &args[1..];
    let scanned = match SED.judge("sed", words) {
        Ok(scanned) => scanned,
        Err(finding) => return finding.instead("sed without -i or -f prints the result"),
    };
    // Where -l takes no value, the next word is an option of its own.
    let lengths = scanned.options.iter().filter(|seen| matches!(seen.name, "-l" | "--line-length"));
    for seen in lengths {
        let number = seen.value.as_ref().and_then(|value| value.known());
        if !number.is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())) {
            return Finding::unproved(&args[0].span, "sed -l without a plain number");
        }
    }
    let mut script = String::new();
    let mut given = false;
    for seen in scanned.options.iter().filter(|seen| matches!(seen.name, "-e" | "--expression")) {
        let Some(text) = seen.value.as_ref().and_then(|value| value.known()) else {
            return Finding::unproved(&args[0].span, "the script of sed is not known before it runs");
        };
        script.push_str(text);
        script.push('\n');
        given = true;
    }
    let mut holes = false;
    let mut operands = scanned.operands.iter();
    let mut span = args[0].span.clone();
    if !given && !scanned.has(&["--help", "--version"]) {
        let Some(arg) = operands.next() else {
            return Finding::Reads;
        };
        let Some(text) = arg.known().or(arg.numbers.as_deref().filter(|_| !arg.many)) else {
            return Finding::unproved(&arg.span, "the script of sed is not known before it runs");
        };
        span = arg.span.clone();
        holes = arg.numbers.is_some();
        script.push_str(text);
    }
    // A number that is not known is nothing, or some number.
    if holes && let Err(trouble) = (Sed { rest: &script.replace(HOLE, "") }).run() {
        return trouble.told(&span);
    }
    let script = if holes { script.replace(HOLE, "7") } else { script };
    if let Err(trouble) = (Sed { rest: &script }).run() {
        return trouble.told(&span);
    }
    for arg in operands {
        let found = super::opened("sed", std::slice::from_ref(*arg));
        if !found.reads() {
            return found;
        }
    }
    Finding::Reads
}

enum Trouble {
    Writes,
    Unread,
}

impl Trouble {
    fn told(self, span: &Span) -> Finding {
        match self {
            Trouble::Writes => Finding::changes(span, "this sed script writes a file or starts a program"),
            Trouble::Unread => {
                Finding::unproved(span, "this sed script uses more than the commands known to read only")
            }
        }
    }
}

struct Sed<'a> {
    rest: &'a str,
}

impl Sed<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn skip(&mut self, chars: &[char]) {
        self.rest = self.rest.trim_start_matches(chars);
    }

    fn run(&mut self) -> Result<(), Trouble> {
        loop {
            self.skip(&[' ', '\t', '\n', ';']);
            let Some(c) = self.peek() else { return Ok(()) };
            if c == '#' {
                self.comment();
                continue;
            }
            self.address()?;
            self.skip(&[' ', '\t']);
            if self.peek() == Some(',') {
                self.bump();
                self.skip(&[' ', '\t']);
                self.address()?;
            }
            self.skip(&[' ', '\t']);
            while self.peek() == Some('!') {
                self.bump();
                self.skip(&[' ', '\t']);
            }
            self.command()?;
        }
    }

    fn comment(&mut self) {
        self.rest = self.rest.find('\n').map_or("", |at| &self.rest[at..]);
    }

    fn digits(&mut self) {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
    }

    fn address(&mut self) -> Result<(), Trouble> {
        match self.peek() {
            Some('0'..='9') => {
                self.digits();
                self.skip(&[' ', '\t']);
                if self.peek() == Some('~') {
                    self.bump();
                    self.skip(&[' ', '\t']);
                    self.digits();
                }
            }
            Some('+' | '~') => {
                self.bump();
                self.digits();
            }
            Some('$') => {
                self.bump();
            }
            Some('/') => {
                self.bump();
                self.pattern('/')?;
                self.skip(&['I', 'M']);
            }
            Some('\\') => {
                self.bump();
                let delimiter = self.bump().filter(|c| !matches!(c, '\n' | '\\')).ok_or(Trouble::Unread)?;
                self.pattern(delimiter)?;
                self.skip(&['I', 'M']);
            }
            _ => {}
        }
        Ok(())
    }

    /// Text up to an unescaped `delimiter`. Implementations differ on one inside brackets, so both
    /// ends must lead to the same commands; where they could not, the script is not read.
    fn pattern(&mut self, delimiter: char) -> Result<(), Trouble> {
        let mut bracket = false;
        let mut at_start = false;
        loop {
            let c = self.bump().ok_or(Trouble::Unread)?;
            match c {
                '\n' => return Err(Trouble::Unread),
                c if c == delimiter => {
                    if !bracket {
                        return Ok(());
                    }
                    // Read the other way the pattern would end here, in an open bracket: an error.
                    // What follows is then never run, so this reading alone counts.
                    if !matches!(delimiter, '/' | '|' | '#' | ',' | ':' | '@' | '%' | '!') {
                        return Err(Trouble::Unread);
                    }
                    at_start = false;
                }
                '\\' if !bracket => {
                    if self.bump().is_none_or(|c| c == '\n') {
                        return Err(Trouble::Unread);
                    }
                }
                // Inside brackets a backslash is a character, but not to every reader.
                '\\' => {
                    match self.peek() {
                        // Both readings go on behind an escaped delimiter.
                        Some(next) if next == delimiter => {
                            self.bump();
                        }
                        Some(next) if next != ']' && next != '\n' => {}
                        _ => return Err(Trouble::Unread),
                    }
                    at_start = false;
                }
                '[' if !bracket => {
                    bracket = true;
                    at_start = true;
                }
                '[' if matches!(self.peek(), Some('.' | '=' | ':')) => {
                    // A class: `[:alpha:]`.
                    let end = self.rest[1..].find(']').ok_or(Trouble::Unread)? + 1;
                    let class = &self.rest[1..end];
                    if !class.trim_end_matches(':').bytes().all(|byte| byte.is_ascii_alphabetic())
                        || !class.ends_with(':')
                    {
                        return Err(Trouble::Unread);
                    }
                    self.rest = &self.rest[end + 1..];
                    at_start = false;
                }
                '^' if at_start => {}
                ']' if bracket && !at_start => bracket = false,
                _ => at_start = false,
            }
        }
    }

    /// The replacement of `s`, or a half of `y`: no brackets here.
    fn replacement(&mut self, delimiter: char) -> Result<(), Trouble> {
        loop {
            match self.bump().ok_or(Trouble::Unread)? {
                c if c == delimiter => return Ok(()),
                '\\' => {
                    self.bump().ok_or(Trouble::Unread)?;
                }
                '\n' => return Err(Trouble::Unread),
                _ => {}
            }
        }
    }

    /// After a command: nothing more of it may follow.
    fn end(&mut self) -> Result<(), Trouble> {
        self.skip(&[' ', '\t']);
        match self.peek() {
            None | Some(';' | '\n' | '}' | '#') => Ok(()),
            Some(_) => Err(Trouble::Unread),
        }
    }

    fn command(&mut self) -> Result<(), Trouble> {
        match self.bump().ok_or(Trouble::Unread)? {
            '{' => Ok(()),
            '}' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => self.end(),
            'q' | 'Q' | 'l' | 'L' => {
                self.skip(&[' ', '\t']);
                self.digits();
                self.end()
            }
            's' => {
                let delimiter = self.delimiter()?;
                self.pattern(delimiter)?;
                self.replacement(delimiter)?;
                loop {
                    match self.peek() {
                        Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                            self.bump();
                        }
                        Some('w' | 'e') => return Err(Trouble::Writes),
                        _ => return self.end(),
                    }
                }
            }
            'y' => {
                let delimiter = self.delimiter()?;
                self.replacement(delimiter)?;
                self.replacement(delimiter)?;
                self.end()
            }
            ':' | 'b' | 't' | 'T' => {
                self.skip(&[' ', '\t']);
                self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
                self.end()
            }
            'a' | 'i' | 'c' => self.text(),
            'w' | 'W' | 'e' => Err(Trouble::Writes),
            _ => Err(Trouble::Unread),
        }
    }

    fn delimiter(&mut self) -> Result<char, Trouble> {
        self.bump().filter(|c| !matches!(c, '\n' | '\\' | '[' | ']') && c.is_ascii()).ok_or(Trouble::Unread)
    }

    /// The text of `a`, `i` and `c`: to the end of the line.
    fn text(&mut self) -> Result<(), Trouble> {
        self.skip(&[' ', '\t']);
        if self.rest.starts_with("\\\n") {
            self.rest = &self.rest[2..];
        }
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        if self.rest[..end].contains('\\') {
            return Err(Trouble::Unread);
        }
        self.rest = &self.rest[end..];
        Ok(())
    }
}
