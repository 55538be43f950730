//! The terminal itself: raw while we draw on it, and given back as it was whatever happens.

use std::io::{self, Write};
use std::sync::Mutex;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

use planwright_surfaces::tui::screen::Size;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Asked of the terminal when we begin: bracketed paste, focus, keys that can be told apart (kitty's
/// flags pushed; else xterm's `modifyOtherKeys`), and the colour of the background.
const BEGIN: &str = "\x1b[?2004h\x1b[?1004h\x1b[>1u\x1b[>4;1m\x1b]11;?\x1b\\";
/// All of it taken back, the cursor shown, and synchronized output ended.
const END: &str = "\x1b[?2026l\x1b[>4;0m\x1b[<1u\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[0m";
/// The alternate screen is left too, if a panic happens there.
const RESCUE: &str = "\x1b[?1049l";

/// How the terminal was before us, for as long as it is not so.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// The terminal, ours until it is dropped.
pub struct Terminal {
    input: AsyncFd<io::Stdin>,
}

impl Terminal {
    /// Takes the terminal.
    ///
    /// # Errors
    /// Standard input is no terminal, or it cannot be watched.
    pub fn take() -> io::Result<Self> {
        let input = AsyncFd::register_with_interest(io::stdin(), Interest::READABLE)?;
        rescue_on_panic();
        raw()?;
        send(BEGIN)?;
        Ok(Self { input })
    }

    /// Gives the terminal to somebody else for a while.
    pub fn give_up(&self) -> io::Result<()> {
        send(END)?;
        cooked();
        Ok(())
    }

    /// Takes it back.
    pub fn take_back(&self) -> io::Result<()> {
        raw()?;
        send(BEGIN)
    }

    /// The next bytes that were typed; none at the end of input.
    ///
    /// # Errors
    /// The terminal is gone.
    pub async fn typed(&self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.input.readable().await?;
        // The terminal is no non-blocking file (others share it), so it is read only when there is something.
        let read = rustix::io::retry_on_intr(|| rustix::io::read(self.input.get_ref(), &mut *bytes));
        ready.clear_ready();
        Ok(read?)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
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
