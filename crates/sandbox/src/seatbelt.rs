//! The profile that will confine commands on macOS. **Untested**: written from the documentation and
//! held by tests as text only; nothing runs with it yet.
//!
//! macOS has no overlays: a scratch copy there will be a clone of the project (`clonefile`), which
//! alone may be written. Profiles do not nest; in one already, nothing can be enforced.
#![cfg_attr(not(test), allow(dead_code))]

use std::fmt::Write as _;
use std::path::Path;

/// What every profile begins with. What is not allowed is denied: files, sockets, the services through
/// which programs are started elsewhere (Apple events, `launchd`), signals to others.
const BASE: &str = "(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read*)
(allow file-ioctl (literal \"/dev/null\") (literal \"/dev/tty\"))
(allow file-write-data (literal \"/dev/null\") (literal \"/dev/zero\"))
(allow mach-lookup
  (global-name \"com.apple.system.opendirectoryd.libinfo\")
  (global-name \"com.apple.system.logger\")
  (global-name \"com.apple.trustd.agent\"))
(deny network*)
(deny appleevent-send)
(deny file-read* file-write* (subpath \"/private/var/run\"))
";

/// A profile in which only these folders can be written, and these cannot be seen.
pub(crate) fn profile(writable: &[&Path], hidden: &[&Path]) -> Option<String> {
    let mut profile = BASE.to_owned();
    for folder in writable {
        // Writing into a text cannot fail.
        let _ = writeln!(profile, "(allow file-write* (subpath {}))", quoted(folder)?);
    }
    // The last rule that matches is the one that counts.
    for folder in hidden {
        let _ = writeln!(profile, "(deny file-read* file-write* (subpath {}))", quoted(folder)?);
    }
    Some(profile)
}

/// A path as the profile's language has it; `None` if it cannot be said there.
fn quoted(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    if !path.is_absolute() || text.chars().any(char::is_control) {
        return None;
    }
    Some(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_denied_first() {
        let profile = profile(&[], &[]).unwrap();
        assert!(profile.starts_with("(version 1)\n(deny default)\n"));
        assert!(profile.contains("(deny network*)") && !profile.contains("no-sandbox"));
        assert!(!profile.contains("file-write*") || !profile.contains("(allow file-write*"));
        assert_eq!(profile.matches('(').count(), profile.matches(')').count());
    }

    #[test]
    fn folders_are_named_and_quoted() {
        let profile = profile(&[Path::new("/a \"b\\c")], &[Path::new("/state")]).unwrap();
        let write = profile.find("(allow file-write* (subpath \"/a \\\"b\\\\c\"))").unwrap();
        let hide = profile.find("(deny file-read* file-write* (subpath \"/state\"))").unwrap();
        assert!(write < hide);
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        for path in ["relative", "/new\nline"] {
            assert_eq!(profile(&[Path::new(path)], &[]), None);
        }
    }
}
