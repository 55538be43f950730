//! The terminal itself: raw while we draw on it, and given back as it was whatever happens.

use std::io::{self, Write};
use std::sync::Mutex;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

use planwright_surfaces::tui::manners;
use planwright_surfaces::tui::screen::Size;

use super::typed::Typed;

/// Asked of the terminal when we begin: bracketed paste, focus, keys that can be told apart (kitty's
/// flags pushed; else xterm's `modifyOtherKeys`), and the colour of the background. The window's title is
/// put aside (XTWINOPS 22).
const BEGIN: &str = "\x1b[22;0t\x1b[?2004h\x1b[?1004h\x1b[>1u\x1b[>4;1m\x1b]11;?\x1b\\";
/// All of it taken back, the cursor shown, and synchronized output ended.
const END: &str = "\x1b[?2026l\x1b[>4;0m\x1b[<1u\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[0m\x1b[23;0t";
/// The alternate screen is left too, if a panic happens there.
const RESCUE: &str = "\x1b[?1049l";

/// How the terminal was before us, for as long as it is not so.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// The terminal, ours until it is dropped.
pub struct Terminal {
    typed: Typed,
}

impl Terminal {
    /// Takes the terminal.
    ///
    /// # Errors
    /// Standard input is no terminal.
    pub fn take() -> io::Result<Self> {
        rescue_on_panic();
        raw()?;
        send(BEGIN)?;
        Ok(Self { typed: Typed::begin()? })
    }

    /// Gives the terminal to somebody else for a while.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn give_up(&mut self) -> io::Result<()> {
        self.typed.stop();
        send(END)?;
        cooked();
        Ok(())
    }

    /// Takes it back.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn take_back(&mut self) -> io::Result<()> {
        raw()?;
        send(BEGIN)?;
        self.typed.go_on()
    }

    /// The next bytes that were typed; `None` when the terminal is gone.
    pub async fn typed(&mut self) -> Option<Vec<u8>> {
        self.typed.next().await
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // What is typed from here on is for whoever reads next.
        self.typed.stop();
        let _ = send(END);
        cooked();
    }
}

/// Its size now.
pub fn size() -> Size {
    match tcgetwinsize(io::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size::new(size.ws_col.into(), size.ws_row.into()),
        Ok(_) | Err(_) => Size::new(80, 24),
    }
}

/// Sends bytes to the terminal at once.
///
/// # Errors
/// The terminal is gone.
pub fn send(bytes: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes.as_bytes())?;
    out.flush()
}

/// Sends bytes to the terminal that the person sits at, also if tmux is between.
///
/// # Errors
/// The terminal is gone.
pub fn send_out(bytes: &str) -> io::Result<()> {
    match std::env::var_os("TMUX") {
        Some(_) => send(&manners::through_tmux(bytes)),
        None => send(bytes),
    }
}

fn raw() -> io::Result<()> {
    let before = tcgetattr(io::stdin())?;
    let mut raw = before.clone();
    raw.make_raw();
    let mut kept = BEFORE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    kept.get_or_insert(before);
    tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
    Ok(())
}

/// The terminal's modes as they were.
fn cooked() {
    let before = BEFORE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    if let Some(before) = before {
        // What was typed ahead is for whoever reads next.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
    }
}

/// A panic gives the terminal back before it says anything.
fn rescue_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let ours = BEFORE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).is_some();
            if ours {
                let _ = send(RESCUE);
                let _ = send(END);
                cooked();
            }
            hook(panic);
        }));
    });
}
