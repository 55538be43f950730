//! Text files: what may be edited, and what the model must have seen first.

use planwright_core::permit::Target;
use planwright_core::text::{self, Decoded, Encoding};
use sha2::{Digest as _, Sha256};

use crate::outcome::SessionView;

/// How many bytes are looked at to tell text from other data.
const PROBE: usize = 8 << 10;

/// Hex digest of a file's content.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the content is not text. UTF-16 is text only behind a byte-order mark.
pub(crate) fn binary(bytes: &[u8]) -> bool {
    !matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) && bytes[..bytes.len().min(PROBE)].contains(&0)
}

/// The text of a file that is to be changed.
///
/// # Errors
/// Writing the text back would lose bytes that could not be decoded.
pub(crate) fn editable(named: &str, bytes: &[u8]) -> Result<Decoded, String> {
    if binary(bytes) {
        return Err(format!("{named} is a binary file ({} bytes); it was not changed.", bytes.len()));
    }
    let decoded = text::decode(bytes);
    if decoded.lossy {
        return Err(format!(
            "{named} holds bytes that are not valid {} (it may be Latin-1), and writing it would lose them; it was \
             not changed. Convert it first, for instance with iconv.",
            match decoded.encoding {
                Encoding::Utf8 | Encoding::Utf8Bom => "UTF-8",
                Encoding::Utf16Le | Encoding::Utf16Be => "UTF-16",
            }
        ));
    }
    Ok(decoded)
}

/// Read-before-edit: the model knows the file as it is now.
///
/// # Errors
/// It never saw the file, or saw another content.
pub(crate) fn known(view: &SessionView, target: &Target, bytes: &[u8]) -> Result<(), String> {
    match view.seen.get(&target.real) {
        Some(seen) if *seen == sha256(bytes) => Ok(()),
        Some(_) => Err(format!(
            "{} has changed since it was last read (by the user or by a command). Read it again, then change it.",
            target.named
        )),
        None => Err(format!("{} has not been read in this session. Read it first, then change it.", target.named)),
    }
}

/// Whether every line ends with a carriage return and a newline.
pub(crate) fn all_crlf(text: &str) -> bool {
    let newlines = text.matches('\n').count();
    newlines > 0 && text.matches("\r\n").count() == newlines
}

/// The text with every line end as a carriage return and a newline.
pub(crate) fn to_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}
