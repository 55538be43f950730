//! A seat at a terminal: the program on a pseudo-terminal of its own, a real emulator (`vt100`) that
//! reads what it draws, and hands that type bytes. Whoever sits here waits for what is to be seen, and
//! never for a time.
//!
//! The pseudo-terminal is the kernel's, by `nix`, which these tests have anyway; `setsid --ctty` makes it
//! the controlling one. (The crate `portable-pty` does the same with ten crates more, and a second `nix`.)

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::drawing;
use crate::ground::{Ground, PATIENCE, code};

/// What is read while a question takes no keys yet.
const KEYS_WAIT: &str = "what you type goes here";

/// What the terminal shows, and all that was sent to it.
pub struct Glass {
    parser: vt100::Parser,
    /// Every byte that the program sent.
    pub sent: Vec<u8>,
    over: bool,
}

/// A program on a terminal.
pub struct Seat {
    child: Mutex<Child>,
    master: File,
    glass: Arc<(Mutex<Glass>, Condvar)>,
}

fn some(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).expect("a terminal has cells")
}

fn size(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

impl Seat {
    /// The program with a script for its model, on a terminal of 80 columns and 24 rows.
    pub fn at(ground: &Ground, model: &str, args: &[&str]) -> Self {
        Self::sized(ground, model, args, (80, 24))
    }

    /// The same on a terminal of another size.
    pub fn sized(ground: &Ground, model: &str, args: &[&str], cells: (u16, u16)) -> Self {
        Self::start(ground.planwright(&[&["--model", model], args].concat()), cells)
    }

    /// Any command on a terminal of this size: columns, rows.
    pub fn start(command: Command, (columns, rows): (u16, u16)) -> Self {
        let terminal = nix::pty::openpty(None, None).expect("a terminal can be made");
        tcsetwinsize(&terminal.master, size(columns, rows)).expect("a terminal has a size");
        let ours = || terminal.slave.try_clone().expect("a descriptor can be copied");
        let mut seated = Command::new("setsid");
        seated.arg("--ctty").arg(command.get_program()).args(command.get_args());
        seated.env_clear().env("TERM", "xterm-256color");
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                seated.env(name, value);
            }
        }
        if let Some(folder) = command.get_current_dir() {
            seated.current_dir(folder);
        }
        let child = seated
            .stdin(Stdio::from(ours()))
            .stdout(Stdio::from(ours()))
            .stderr(Stdio::from(ours()))
            .spawn()
            .expect("the program can be started");
        drop(seated);
        drop(terminal.slave);
        let master = File::from(terminal.master);
        let parser = vt100::Parser::new(some(rows), some(columns), 10_000);
        let glass = Arc::new((Mutex::new(Glass { parser, sent: Vec::new(), over: false }), Condvar::new()));
        let (from, to) = (master.try_clone().expect("a descriptor can be copied"), Arc::clone(&glass));
        std::thread::spawn(move || watch(from, &to));
        Self { child: Mutex::new(child), master, glass }
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn glass(&self) -> MutexGuard<'_, Glass> {
        self.glass.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits until the terminal is as wanted.
    #[track_caller]
    pub fn until(&self, wanted: &str, is: impl Fn(&Glass) -> bool) -> &Self {
        let end = Instant::now() + PATIENCE;
        let mut glass = self.glass();
        // Half a frame is not looked at: a terminal that knows synchronized output does not show it either.
        while glass.last_of(&["\x1b[?2026h", "\x1b[?2026l"]) == Some(0) || !is(&glass) {
            let left = end.saturating_duration_since(Instant::now());
            let dead = glass.over;
            assert!(!left.is_zero() && !dead, "wanted:\n{wanted}\nover: {dead}; seen:\n{}", glass.seen().join("\n"));
            glass = match self.glass.1.wait_timeout(glass, left.min(Duration::from_secs(1))) {
                Ok((glass, _)) => glass,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        drop(glass);
        self
    }

    /// Waits until the screen looks like this drawing (see [`drawing::fits`]).
    #[track_caller]
    pub fn sees(&self, drawing: &str) -> &Self {
        self.until(drawing, |glass| drawing::fits(drawing, &glass.seen()))
    }

    /// Waits until these words stand on the screen.
    #[track_caller]
    pub fn reads(&self, words: &str) -> &Self {
        self.until(words, |glass| glass.seen().iter().any(|row| row.contains(words)))
    }

    /// Waits until these words stand on the screen no more.
    #[track_caller]
    pub fn no_longer_reads(&self, words: &str) -> &Self {
        self.until(&format!("no `{words}`"), |glass| !glass.seen().iter().any(|row| row.contains(words)))
    }

    /// Waits until a question with these words is there, and takes keys.
    #[track_caller]
    pub fn is_asked(&self, words: &str) -> &Self {
        self.until(&format!("`{words}`, and it takes keys"), |glass| {
            let seen = glass.seen().join("\n");
            seen.contains(words) && !seen.contains(KEYS_WAIT)
        })
    }

    /// Waits until it was said so many times that a question takes no keys yet. (Whether it still stands
    /// on the screen is a matter of time.)
    #[track_caller]
    pub fn is_braced(&self, times: usize) -> &Self {
        self.until(&format!("`{KEYS_WAIT}` for the {times}. time"), |glass| {
            glass.sent.windows(KEYS_WAIT.len()).filter(|window| *window == KEYS_WAIT.as_bytes()).count() >= times
        })
    }

    /// Waits until the program sent these bytes.
    #[track_caller]
    pub fn is_sent(&self, bytes: &str) -> &Self {
        self.until(bytes, |glass| glass.has(bytes))
    }

    /// Types.
    #[track_caller]
    pub fn types(&self, bytes: &str) -> &Self {
        (&self.master).write_all(bytes.as_bytes()).expect("the terminal takes bytes");
        self
    }

    /// The window is made larger or smaller.
    pub fn resizes(&self, columns: u16, rows: u16) -> &Self {
        self.glass().parser.screen_mut().set_size(some(rows), some(columns));
        tcsetwinsize(&self.master, size(columns, rows)).expect("a terminal has a size");
        self
    }

    /// Sends a signal by name (`TERM`).
    pub fn signals(&self, name: &str) -> &Self {
        let sent = Command::new("kill").args([format!("-{name}"), self.child().id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "the signal can be sent");
        self
    }

    /// How the terminal treats what is typed.
    pub fn modes(&self) -> LocalModes {
        tcgetattr(&self.master).expect("a terminal has modes").local_modes
    }

    /// Looks at the terminal now.
    pub fn look<T>(&self, at: impl FnOnce(&mut Glass) -> T) -> T {
        at(&mut self.glass())
    }

    /// Waits until the program is over: its exit code.
    #[track_caller]
    pub fn over(&self) -> i32 {
        let end = Instant::now() + PATIENCE;
        let mut glass = self.glass();
        while !glass.over {
            assert!(Instant::now() < end, "it goes on; seen:\n{}", glass.seen().join("\n"));
            glass = match self.glass.1.wait_timeout(glass, Duration::from_secs(1)) {
                Ok((glass, _)) => glass,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        drop(glass);
        code(self.child().wait().expect("it can be waited for"))
    }

    /// Leaves: Ctrl+C twice.
    #[track_caller]
    pub fn leaves(&self) {
        self.types("\x03").reads("again to leave").types("\x03");
        assert_eq!(self.over(), 0, "{}", self.look(|glass| glass.seen().join("\n")));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _ = self.child().kill();
        let _ = self.child().wait();
    }
}

impl Glass {
    /// The rows that are seen, without empty ones at the end; the cursor is drawn as `▮` if it is shown.
    pub fn seen(&self) -> Vec<String> {
        let screen = self.parser.screen();
        let mut rows: Vec<_> = screen.rows(0, screen.size().1.get()).collect();
        if !screen.hide_cursor() {
            let (row, column) = self.cursor();
            let whole = &mut rows[row];
            // An emulator drops blanks at the end of a row.
            while drawing::width(whole) < column {
                whole.push(' ');
            }
            whole.insert(drawing::bytes_of(whole, column), '▮');
        }
        while rows.last().is_some_and(|row| row.trim_end().is_empty()) {
            rows.pop();
        }
        rows.into_iter().map(|row| row.trim_end().to_owned()).collect()
    }

    /// Where the cursor stands: row and column, from 0.
    pub fn cursor(&self) -> (usize, usize) {
        let (row, column) = self.parser.screen().cursor_position();
        (row.into(), column.into())
    }

    /// Whether the program sent these bytes.
    pub fn has(&self, bytes: &str) -> bool {
        self.sent.windows(bytes.len()).any(|window| window == bytes.as_bytes())
    }

    /// Which of these was sent last.
    pub fn last_of(&self, bytes: &[&str]) -> Option<usize> {
        let place = |bytes: &&str| self.sent.windows(bytes.len()).rposition(|window| window == bytes.as_bytes());
        let places: Vec<_> = bytes.iter().map(place).collect();
        let latest = places.iter().flatten().max()?;
        places.iter().position(|place| place.as_ref() == Some(latest))
    }

    /// The emulator's screen.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// What scrolled away and what is seen, a row each.
    pub fn history(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        self.parser.screen_mut().set_scrollback(usize::MAX);
        let mut above = self.parser.screen().scrollback();
        while above > 0 {
            self.parser.screen_mut().set_scrollback(above);
            all.extend(self.parser.screen().rows(0, 500).next());
            above -= 1;
        }
        self.parser.screen_mut().set_scrollback(0);
        all.extend(self.seen());
        all
    }
}

/// Reads what the program sends, until the terminal has nobody who could.
fn watch(mut from: File, to: &(Mutex<Glass>, Condvar)) {
    let mut piece = vec![0; 65_536];
    loop {
        let read = from.read(&mut piece).unwrap_or(0);
        let mut glass = to.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        glass.parser.process(&piece[..read]);
        glass.sent.extend(&piece[..read]);
        glass.over = read == 0;
        to.1.notify_all();
        if read == 0 {
            return;
        }
    }
}
