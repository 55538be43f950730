//! The input line: what is typed and pasted, the history, and what a finished text means.

use planwright_core::command;
use planwright_core::dialogue::Input as Said;

use super::complete::{Menu, menu};
use super::editor::{Editor, Shown};
use super::keys::{Code, Key};
use crate::words;

/// A longer paste is folded to a chip: characters, and lines.
const PASTE_CHARS: usize = 800;
/// Lines of a paste that is shown as it is.
const PASTE_LINES: usize = 2;
/// Texts that the history keeps.
pub const HISTORY: usize = 1_000;

/// What a key came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// Nothing here.
    Ignored,
    /// The line looks different.
    Taken,
    /// The text is finished: what it says, and what it means.
    Done(String, Said),
    /// It is finished and means nothing; why.
    Wrong(String),
}

/// The input line.
#[derive(Debug, Default)]
pub struct InputLine {
    editor: Editor,
    /// What the chips in the text stand for.
    pastes: Vec<String>,
    history: Vec<String>,
    /// The place in the history that is shown, and what was being typed before.
    recalled: Option<(usize, String)>,
    search: Option<Search>,
    menu: Option<Menu>,
    files: Vec<String>,
}

/// A search through the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Search {
    wanted: String,
    /// Where the text found stands in the history.
    found: Option<usize>,
    before: String,
}

impl InputLine {
    /// The history of earlier sessions, oldest first.
    pub fn set_history(&mut self, history: Vec<String>) {
        self.history = history;
    }

    /// The files that `@` offers.
    pub fn set_files(&mut self, files: Vec<String>) {
        self.files = files;
    }

    /// Whether nothing is typed.
    pub const fn is_empty(&self) -> bool {
        self.editor.is_empty()
    }

    /// Whether a menu or a search is open, which Esc closes.
    pub const fn busy(&self) -> bool {
        self.menu.is_some() || self.search.is_some()
    }

    /// The menu above the line.
    pub const fn menu(&self) -> Option<&Menu> {
        self.menu.as_ref()
    }

    /// The words of a search that is going on.
    pub fn searching(&self) -> Option<String> {
        let search = self.search.as_ref()?;
        let found = search.found.is_some() || search.wanted.is_empty();
        Some(words::history_search(&search.wanted, found))
    }

    /// The text with what the chips stand for.
    pub fn text(&self) -> String {
        self.unfold(self.editor.text())
    }

    /// Puts a text in.
    pub fn set(&mut self, text: &str) {
        self.editor.set(text);
        self.menu = None;
    }

    /// Puts a text before what is typed (taken back from the queue, or not sent).
    pub fn give_back(&mut self, text: &str) {
        let typed = self.editor.take();
        let joined = if typed.is_empty() { text.to_owned() } else { format!("{text}\n{typed}") };
        self.editor.set(&joined);
    }

    /// Empties the line. What was there can be had again with Up.
    pub fn clear(&mut self) {
        let text = self.text();
        self.remember(&text);
        self.reset();
    }

    /// The rows of the line, and the cursor in them.
    pub fn shown(&self, columns: usize) -> Shown {
        self.editor.shown(columns)
    }

    /// Takes pasted text: never a choice, never sent by its own newlines.
    pub fn paste(&mut self, pasted: &str) {
        let text: String = pasted
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .chars()
            .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
            .collect();
        let lines = text.lines().count();
        if text.chars().count() <= PASTE_CHARS && lines <= PASTE_LINES {
            self.editor.insert(&text);
        } else {
            self.pastes.push(text);
            self.editor.insert(&words::paste_chip(self.pastes.len(), lines));
        }
        self.complete();
    }

    /// Deals with a key.
    pub fn key(&mut self, key: Key, columns: usize) -> Typed {
        if self.search.is_some() {
            return self.search_key(key);
        }
        if let Some(typed) = self.menu_key(key) {
            return typed;
        }
        let newline = matches!(key, Key { code: Code::Enter, alt, shift, .. } if alt || shift) || key == Key::ctrl('j');
        match key {
            _ if newline => self.editor.insert("\n"),
            Key { code: Code::Enter, .. } if self.editor.before().ends_with('\\') => {
                self.editor.replace_before(1, "\n")
            }
            Key { code: Code::Enter, .. } => return self.finish(),
            key if key == Key::ctrl('r') => {
                self.search = Some(Search { before: self.editor.text().to_owned(), ..Search::default() });
                return Typed::Taken;
            }
            key if key == Key::ctrl('p') => return self.recall(false),
            key if key == Key::ctrl('n') => return self.recall(true),
            // At the beginning of an empty line it leaves, which is not ours to do.
            key if key == Key::ctrl('d') && self.is_empty() => return Typed::Ignored,
            Key { code: Code::Up, .. } if !self.editor.key(key, columns) => return self.recall(false),
            Key { code: Code::Down, .. } if !self.editor.key(key, columns) => return self.recall(true),
            Key { code: Code::Up | Code::Down, .. } => {}
            key if self.editor.key(key, columns) => {}
            _ => return Typed::Ignored,
        }
        self.complete();
        Typed::Taken
    }

    fn complete(&mut self) {
        self.menu = menu(self.editor.before(), &self.files);
    }

    /// A key while the menu is open, if it is one of the menu's.
    fn menu_key(&mut self, key: Key) -> Option<Typed> {
        let menu = self.menu.as_mut()?;
        let entries = menu.entries.len();
        match key {
            Key { code: Code::Up, .. } => menu.chosen = (menu.chosen + entries - 1) % entries,
            Key { code: Code::Down, .. } => menu.chosen = (menu.chosen + 1) % entries,
            Key { code: Code::Esc, .. } => self.menu = None,
            Key { code: Code::Tab, shift: false, .. } => self.take_entry(),
            Key { code: Code::Enter, alt: false, shift: false, .. } => {
                // A command that is typed out is meant, not completed.
                let typed = self.editor.text().trim();
                let whole = menu.entries.iter().any(|entry| entry.text.trim() == typed);
                if whole {
                    self.menu = None;
                    return None;
                }
                let command = typed.starts_with('/');
                self.take_entry();
                if command && !self.editor.text().ends_with(' ') {
                    return Some(self.finish());
                }
            }
            _ => return None,
        }
        Some(Typed::Taken)
    }

    fn take_entry(&mut self) {
        if let Some(Menu { replaces, mut entries, chosen }) = self.menu.take() {
            self.editor.replace_before(replaces, &entries.swap_remove(chosen).text);
        }
    }

    fn finish(&mut self) -> Typed {
        let text = self.text();
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Typed::Taken;
        }
        let said = match command::parse(trimmed) {
            Some(Ok(command)) => Said::Command(command),
            // What was typed stays, to be corrected.
            Some(Err(why)) => return Typed::Wrong(why),
            None => match trimmed.strip_prefix('!').map(str::trim) {
                Some("") => return Typed::Wrong(words::NO_SHELL_COMMAND.to_owned()),
                Some(shell) => Said::Shell(shell.to_owned()),
                None => Said::Prompt(text.trim_end().to_owned()),
            },
        };
        self.remember(&text);
        self.reset();
        Typed::Done(text, said)
    }

    fn reset(&mut self) {
        self.editor.take();
        self.pastes.clear();
        self.recalled = None;
        self.menu = None;
        self.search = None;
    }

    fn remember(&mut self, text: &str) {
        if !text.trim().is_empty() && self.history.last().is_none_or(|last| last != text) {
            self.history.push(text.to_owned());
        }
        let over = self.history.len().saturating_sub(HISTORY);
        self.history.drain(..over);
    }

    /// The text of the history before the one that is shown, or behind it.
    fn recall(&mut self, later: bool) -> Typed {
        let (at, draft) = match self.recalled.take() {
            Some(recalled) => recalled,
            None => (self.history.len(), self.text()),
        };
        let next = if later { at + 1 } else { at.wrapping_sub(1) };
        match self.history.get(next) {
            Some(text) => {
                self.editor.set(text);
                self.recalled = Some((next, draft));
            }
            None if later && at < self.history.len() => self.editor.set(&draft),
            None if at < self.history.len() => self.recalled = Some((at, draft)),
            None => return Typed::Ignored,
        }
        self.menu = None;
        Typed::Taken
    }

    fn search_key(&mut self, key: Key) -> Typed {
        let Some(mut search) = self.search.take() else { return Typed::Ignored };
        match key {
            Key { code: Code::Esc, .. } => {
                self.editor.set(&search.before);
                return Typed::Taken;
            }
            key if key == Key::ctrl('c') || key == Key::ctrl('g') => {
                self.editor.set(&search.before);
                return Typed::Taken;
            }
            Key { code: Code::Enter | Code::Tab | Code::Left | Code::Right, .. } => return Typed::Taken,
            key if key == Key::ctrl('r') => {
                let end = search.found.unwrap_or(self.history.len());
                search.found = self.find(&search.wanted, end).or(search.found);
            }
            Key { code: Code::Backspace, .. } => {
                search.wanted.pop();
                search.found = self.find(&search.wanted, self.history.len());
            }
            key => match key.typed() {
                Some(letter) => {
                    search.wanted.push(letter);
                    let end = search.found.map_or(self.history.len(), |found| found + 1);
                    search.found = self.find(&search.wanted, end);
                }
                None => {
                    self.search = Some(search);
                    return Typed::Ignored;
                }
            },
        }
        let text = search.found.and_then(|found| self.history.get(found)).unwrap_or(&search.before).clone();
        self.editor.set(&text);
        self.search = Some(search);
        Typed::Taken
    }

    /// The latest text of the history before a place that holds these words.
    fn find(&self, wanted: &str, end: usize) -> Option<usize> {
        let wanted = wanted.to_lowercase();
        let holds = |text: &String| !wanted.is_empty() && text.to_lowercase().contains(&wanted);
        self.history[..end.min(self.history.len())].iter().rposition(holds)
    }

    fn unfold(&self, text: &str) -> String {
        let mut whole = text.to_owned();
        for (n, paste) in (1..).zip(&self.pastes) {
            whole = whole.replace(&words::paste_chip(n, paste.lines().count()), paste);
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planwright_core::command::{Command, PlanCommand};

    fn press(line: &mut InputLine, keys: &str) -> Typed {
        let mut typed = Typed::Ignored;
        for name in keys.split(' ') {
            let key = match name {
                "enter" => Key::plain(Code::Enter),
                "alt-enter" => Key::alt(Code::Enter),
                "shift-enter" => Key::shift(Code::Enter),
                "ctrl-j" => Key::ctrl('j'),
                "ctrl-r" => Key::ctrl('r'),
                "esc" => Key::plain(Code::Esc),
                "tab" => Key::plain(Code::Tab),
                "up" => Key::plain(Code::Up),
                "down" => Key::plain(Code::Down),
                letters => {
                    letters.chars().for_each(|c| {
                        let c = if c == '_' { ' ' } else { c };
                        typed = line.key(Key::plain(Code::Char(c)), 40);
                    });
                    continue;
                }
            };
            typed = line.key(key, 40);
        }
        typed
    }

    fn prompt(text: &str) -> Typed {
        Typed::Done(text.to_owned(), Said::Prompt(text.to_owned()))
    }

    #[test]
    fn a_text_is_finished_by_enter_alone() {
        let mut line = InputLine::default();
        assert_eq!(
            press(&mut line, "one alt-enter two shift-enter three ctrl-j four\\ enter five enter"),
            prompt("one\ntwo\nthree\nfour\nfive")
        );
        assert_eq!(press(&mut line, "_ enter"), Typed::Taken);
        let mut line = InputLine::default();
        assert_eq!(
            press(&mut line, "!git_status enter"),
            Typed::Done("!git status".into(), Said::Shell("git status".into()))
        );
        assert_eq!(press(&mut line, "/path/like enter"), prompt("/path/like"));
        assert!(matches!(press(&mut line, "/plann_x enter"), Typed::Wrong(why) if why.contains("/plan")));
        assert_eq!(line.text(), "/plann x", "what was wrong stays to be corrected");
    }

    #[test]
    fn the_menu_completes_and_takes_commands() {
        let mut line = InputLine::default();
        let plan = |text: &str| Typed::Done(text.into(), Said::Command(Command::Plan(PlanCommand::Plain)));
        assert_eq!(press(&mut line, "/plan enter"), plan("/plan"));
        assert_eq!(press(&mut line, "/stat enter"), Typed::Done("/status".into(), Said::Command(Command::Status)));
        press(&mut line, "/pl tab");
        assert_eq!(line.text(), "/plan ");
        assert_eq!(press(&mut line, "enter"), plan("/plan "));
        line.set_files(vec!["docs/plan.md".into(), "my file.txt".into()]);
        press(&mut line, "see_@pl tab and_@my down enter");
        assert_eq!(line.text(), "see @docs/plan.md and @\"my file.txt\" ");
        assert!(!line.busy());
    }

    #[test]
    fn pastes_never_send_and_long_ones_fold() {
        let mut line = InputLine::default();
        line.paste("one\r\ntwo\x1b[31m\n");
        assert_eq!(line.text(), "one\ntwo[31m\n");
        line.clear();
        let long = "line\n".repeat(30);
        line.paste(&long);
        assert_eq!(line.shown(80).rows, ["[Pasted text #1, 30 lines]"]);
        assert_eq!(press(&mut line, "_ok enter"), prompt(format!("{long} ok").trim_end()));
        press(&mut line, "up");
        assert_eq!(line.text(), format!("{long} ok"), "the history has all of it");
    }

    #[test]
    fn the_history_goes_back_and_forth_and_is_searched() {
        let mut line = InputLine::default();
        line.set_history(vec!["fix the parser".into(), "add pagination".into()]);
        press(&mut line, "draft up");
        assert_eq!(line.text(), "add pagination");
        press(&mut line, "up up");
        assert_eq!(line.text(), "fix the parser");
        press(&mut line, "down down");
        assert_eq!(line.text(), "draft", "what was being typed is not lost");
        press(&mut line, "ctrl-r pa");
        assert_eq!(line.text(), "add pagination");
        press(&mut line, "ctrl-r");
        assert_eq!(line.text(), "fix the parser");
        press(&mut line, "esc");
        assert_eq!(line.text(), "draft");
        press(&mut line, "ctrl-r parser enter");
        assert_eq!(line.text(), "fix the parser");
        assert_eq!(press(&mut line, "enter"), prompt("fix the parser"));
    }
}
