//! The terminal interface's loop: keys, notices, signals and the time to the face; its rows to the
//! terminal; its acts done.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use planwright_core::bounds;
use planwright_core::dialogue::{Input, Notice};
use planwright_store::history;
use planwright_surfaces::tui::code::Grammars;
use planwright_surfaces::tui::face::{Face, Options};
use planwright_surfaces::tui::frame::Frames;
use planwright_surfaces::tui::keys::Keys;
use planwright_surfaces::tui::manners;
use planwright_surfaces::tui::part::Act;
use planwright_surfaces::tui::theme::Theme;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::UnboundedSender;

use crate::args::RunArgs;
use crate::editor::Editor;
use crate::failure::Failure;
use crate::line::{Signals, exit_code};
use crate::wiring::{Answers, Place, Wired, wire};

mod terminal;
mod typed;

use terminal::Terminal;

/// How long half of a key is waited for: an Esc alone is a key too.
const HALF_KEY: Duration = Duration::from_millis(25);
/// The shortest time between two frames that nobody typed for.
const FRAME: Duration = Duration::from_millis(16);

/// Whether there is a terminal that can be drawn on, and a person who wants that.
pub fn wanted(args: &RunArgs) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb && !args.line && !args.screen_reader
}

fn options(args: &RunArgs) -> Options {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Options {
        theme: if plain { Theme::Plain } else { Theme::Dark },
        motion: !args.reduced_motion,
        alternate: args.alternate_screen,
    }
}

/// `planwright [PROMPT]` on a terminal.
pub async fn run(prompt: Option<String>, args: RunArgs) -> Result<ExitCode, Failure> {
    let place = Place::here()?;
    let wired = wire(&place, &args, Answers::Somebody)?;
    let lost =
        |error: io::Error| Failure::run(format!("the terminal cannot be used: {error}"), "Try `planwright --line`.");
    let terminal = Terminal::take().map_err(lost)?;
    let mut face = Face::new(options(&args), Box::new(Grammars::default()));
    face.input_line().set_history(history::load(&place.home, &place.root));
    let Wired { session, say, mut hear, editor, warnings, .. } = wired;
    let began = Instant::now();
    for warning in warnings {
        face.hear(&Notice::Warning { key: "settings", text: warning }, Duration::ZERO);
    }
    let session = tokio::spawn(session.run());
    let mut desk = Loop {
        frames: Frames::new(terminal::size()),
        keys: Keys::default(),
        terminal,
        face,
        say,
        editor,
        place: &place,
        began,
        drawn: Duration::ZERO,
        dirty: true,
        leaving: false,
        files: None,
    };
    desk.look_for_files();
    if let Some(prompt) = prompt.filter(|prompt| !prompt.trim().is_empty()) {
        desk.first(&prompt);
    }
    let code = desk.live(&mut hear).await.map_err(lost)?;
    let ended = session.await.map_err(|error| Failure::run(format!("the session broke off: {error}"), ""))?;
    drop(desk);
    Ok(code.unwrap_or_else(|| exit_code(&ended)))
}

/// The files of the project that `@` offers: those git would not ignore.
fn files(root: &std::path::Path) -> Vec<String> {
    ignore::WalkBuilder::new(root)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.depth() > 0)
        .filter_map(|entry| {
            let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let name = entry.path().strip_prefix(root).ok()?.to_str()?.to_owned();
            Some(if folder { name + "/" } else { name })
        })
        .take(bounds::FILES_OFFERED)
        .collect()
}

struct Loop<'a> {
    terminal: Terminal,
    frames: Frames,
    keys: Keys,
    face: Face,
    say: UnboundedSender<Input>,
    editor: Option<Editor>,
    place: &'a Place,
    began: Instant,
    /// When the last frame was drawn.
    drawn: Duration,
    /// Something may look different.
    dirty: bool,
    leaving: bool,
    /// The files of the project, while they are looked for.
    files: Option<tokio::task::JoinHandle<Vec<String>>>,
}

impl Loop<'_> {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// A turn may have made files that the next prompt names.
    fn look_for_files(&mut self) {
        if self.files.is_none() {
            let root = self.place.root.clone();
            self.files = Some(tokio::task::spawn_blocking(move || files(&root)));
        }
    }

    /// What the command line asks for.
    fn first(&mut self, prompt: &str) {
        let input = match planwright_core::command::parse(prompt) {
            Some(Ok(command)) => Input::Command(command),
            Some(Err(_)) | None => Input::Prompt(prompt.to_owned()),
        };
        for act in self.face.say(input) {
            if let Act::Say(input) = act {
                let _ = self.say.send(input);
            }
        }
    }

    /// Lives until the session is over.
    async fn live(&mut self, hear: &mut tokio::sync::mpsc::UnboundedReceiver<Notice>) -> io::Result<Option<ExitCode>> {
        let mut signals = Signals::new().map_err(|_| io::Error::other("signals cannot be heard"))?;
        let mut resized = signal(SignalKind::window_change())?;
        let mut ended_by = None;
        loop {
            if self.dirty && self.now() >= self.drawn + FRAME {
                self.draw()?;
            }
            let now = self.now();
            let wake = if self.dirty { Some(self.drawn + FRAME) } else { self.face.next_tick(self.drawn) };
            let half_key = self.keys.waiting();
            tokio::select! {
                biased;
                typed = self.terminal.typed() => {
                    let Some(bytes) = typed else {
                        // The terminal is gone: nobody can answer any more.
                        let _ = self.say.send(Input::Close);
                        return Ok(Some(ExitCode::from(129)));
                    };
                    let sent = self.keys.take(&bytes);
                    self.deal_with(sent).await?;
                }
                () = tokio::time::sleep(HALF_KEY), if half_key => {
                    let sent = self.keys.settle();
                    self.deal_with(sent).await?;
                }
                notice = hear.recv() => {
                    let Some(notice) = notice else { return self.end().map(|()| ended_by) };
                    self.heard(&notice).await?;
                    // Whatever else was said meanwhile belongs into the same frame.
                    while let Ok(notice) = hear.try_recv() {
                        self.heard(&notice).await?;
                    }
                }
                _ = resized.recv() => {
                    // Also when the size is what it was: between, the terminal had another one and may have cut its rows.
                    self.frames.resize(terminal::size());
                    self.frames.repaint();
                    self.dirty = true;
                }
                code = signals.next(&self.say, false) => ended_by = ended_by.or(code),
                found = async { self.files.as_mut().expect("asked only while they are looked for").await }, if self.files.is_some() => {
                    self.files = None;
                    self.face.input_line().set_files(found.unwrap_or_default());
                }
                () = tokio::time::sleep(wake.unwrap_or_default().saturating_sub(now)), if wake.is_some() => self.dirty = true,
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let now = self.now();
        terminal::send(&self.frames.draw(&mut self.face, now))?;
        (self.drawn, self.dirty) = (now, false);
        // A long plan takes its time to lay out; only now it can be read.
        let seen = self.now();
        self.face.frame_shown(self.frames.size(), seen);
        Ok(())
    }

    async fn heard(&mut self, notice: &Notice) -> io::Result<()> {
        self.dirty = true;
        if matches!(notice, Notice::TurnEnded(_)) {
            self.look_for_files();
        }
        let acts = self.face.hear(notice, self.now());
        self.act(acts).await
    }

    async fn deal_with(&mut self, sent: Vec<planwright_surfaces::tui::keys::Sent>) -> io::Result<()> {
        self.face.brace(&sent, self.now());
        for sent in sent {
            let acts = self.face.sent(sent, self.now());
            self.act(acts).await?;
        }
        // What a person typed is seen at once.
        self.draw()
    }

    async fn act(&mut self, acts: Vec<Act>) -> io::Result<()> {
        for act in acts {
            match act {
                Act::Say(input) => _ = self.say.send(input),
                Act::EditFile(id, path) => {
                    let closed = self.edit(&path).await?;
                    for act in self.face.editor_closed(id, closed) {
                        if let Act::Say(input) = act {
                            let _ = self.say.send(input);
                        }
                    }
                }
                Act::EditText(text) => {
                    let edited = self.edit_text(&text).await?;
                    self.face.text_edited(edited);
                }
                Act::Remember(text) => _ = history::add(&self.place.home, &self.place.root, &text),
                Act::Copy(text) => terminal::send_out(&manners::copy(&text))?,
                Act::Notify(text) => terminal::send_out(&manners::notify(&text))?,
                Act::Title(text) => terminal::send(&manners::title(&text))?,
                Act::Suspend => self.suspend()?,
                Act::Redraw => self.frames.repaint(),
                Act::Leave if self.leaving => _ = self.say.send(Input::Close),
                Act::Leave => {
                    self.leaving = true;
                    let _ = self.say.send(Input::Close);
                }
            }
            self.dirty = true;
        }
        Ok(())
    }

    /// The user's editor has the terminal until it is closed.
    async fn edit(&mut self, path: &std::path::Path) -> io::Result<Result<(), String>> {
        let Some(editor) = self.editor.clone() else {
            return Ok(Err("no editor is set; set VISUAL or EDITOR".to_owned()));
        };
        terminal::send(&self.frames.hand_over())?;
        self.terminal.give_up()?;
        let closed = editor.open(path, &self.place.root).await;
        self.terminal.take_back()?;
        self.frames.resize(terminal::size());
        self.frames.repaint();
        Ok(closed)
    }

    async fn edit_text(&mut self, text: &str) -> io::Result<Result<String, String>> {
        let file = tempfile::Builder::new().prefix("planwright-prompt-").suffix(".md").tempfile()?;
        std::fs::write(file.path(), text)?;
        if let Err(why) = self.edit(file.path()).await? {
            return Ok(Err(why));
        }
        Ok(planwright_store::place::small_text(file.path(), bounds::PIPED_BYTES))
    }

    /// Stops like any program on Ctrl+Z, and goes on when the shell says so.
    fn suspend(&mut self) -> io::Result<()> {
        terminal::send(&self.frames.hand_over())?;
        self.terminal.give_up()?;
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP);
        self.terminal.take_back()?;
        self.frames.resize(terminal::size());
        self.frames.repaint();
        Ok(())
    }

    /// The last rows, and no live area.
    fn end(&mut self) -> io::Result<()> {
        self.draw()?;
        terminal::send(&self.frames.hand_over())
    }
}
