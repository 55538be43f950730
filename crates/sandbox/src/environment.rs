//! The environment a command is given.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::tier::Confinement;

/// Holds a value unique to one command: what is started by it inherits the mark, and is found by it
/// when it has left the process group.
pub(crate) const MARK: &str = "PLANWRIGHT_COMMAND";

/// Variables that make a fresh bash run or expand something nobody wrote in the command.
const SHELL_STATE: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "PS4",
    "CDPATH",
    "GLOBIGNORE",
    "BASH_XTRACEFD",
    "POSIXLY_CORRECT",
    "IFS",
    "EXECIGNORE",
];

/// Variables that make a program that only reads write a file or start another program.
const WRITERS: &[&str] = &[
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
    "GIT_TRACE_PACKET",
    "GIT_TRACE_SETUP",
    "GIT_TRACE_PERFORMANCE",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_EXEC_PATH",
    "GIT_CONFIG_PARAMETERS",
    "LD_DEBUG_OUTPUT",
    "LD_PROFILE",
    "LD_PRELOAD",
    "LD_AUDIT",
    "LESSOPEN",
    "LESSCLOSE",
    "RIPGREP_CONFIG_PATH",
    "GREP_OPTIONS",
    "MANPAGER",
    "BAT_PAGER",
    "BAT_CONFIG_PATH",
    "FZF_DEFAULT_COMMAND",
];

/// Settings that keep readers to reading: no pager, no lock file refreshed, no program started from
/// a repository's configuration.
const READ_ONLY: &[(&str, &str)] = &[
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_CONFIG_COUNT", "3"),
    ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
    ("GIT_CONFIG_VALUE_0", "false"),
    ("GIT_CONFIG_KEY_1", "core.hooksPath"),
    ("GIT_CONFIG_VALUE_1", "/dev/null"),
    ("GIT_CONFIG_KEY_2", "log.showSignature"),
    ("GIT_CONFIG_VALUE_2", "false"),
];

/// Variables that lead to programs outside. In a box they lead nowhere, and a program without them
/// says so sooner and better.
const WAYS_OUT: &[&str] = &[
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "DOCKER_HOST",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WSL_INTEROP",
    "TMUX",
    "NOTIFY_SOCKET",
];

/// Package managers that need not try the network to find that there is none.
const OFFLINE: &[(&str, &str)] = &[("CARGO_NET_OFFLINE", "true"), ("npm_config_offline", "true")];

/// What to change in the inherited environment: a value to set, or `None` to take the variable out.
pub(crate) fn changes(confinement: Confinement, mark: &str) -> Vec<(OsString, Option<OsString>)> {
    let unset = |name: &str| (OsString::from(name), None);
    let set = |(name, value): (&str, &str)| (OsString::from(name), Some(OsString::from(value)));
    let mut changes: Vec<_> = SHELL_STATE.iter().copied().map(unset).collect();
    let exported_functions = std::env::vars_os().map(|(name, _)| name);
    changes.extend(
        exported_functions.filter(|name| name.as_encoded_bytes().starts_with(b"BASH_FUNC_")).map(|name| (name, None)),
    );
    // Nobody is there to answer: fail at once instead of waiting.
    changes.push(set(("GIT_TERMINAL_PROMPT", "0")));
    changes.push(set((MARK, mark)));
    match confinement {
        Confinement::None => {}
        Confinement::Scratch | Confinement::ReadOnly => {
            changes.extend(
                std::env::vars_os().map(|(name, _)| name).filter(|name| held_back(name)).map(|name| (name, None)),
            );
        }
    }
    match confinement {
        Confinement::None => {}
        Confinement::Scratch => {
            changes.extend(WAYS_OUT.iter().copied().map(unset));
            changes.extend(OFFLINE.iter().copied().map(set));
        }
        Confinement::ReadOnly => {
            changes.extend(WAYS_OUT.iter().copied().map(unset));
            changes.extend(WRITERS.iter().copied().map(unset));
            changes.extend(READ_ONLY.iter().copied().map(set));
            changes.push((OsString::from("PATH"), std::env::var_os("PATH").map(|path| absolute_only(&path))));
        }
    }
    changes
}

/// What to change in the environment of a command that was proved to only read, where there are no
/// walls to run it behind.
pub fn reader_environment() -> Vec<(OsString, Option<OsString>)> {
    changes(Confinement::ReadOnly, "").into_iter().filter(|(name, _)| name != MARK).collect()
}

/// Variables that no reader needs: secrets, which its output would carry into the conversation, and
/// the trace files of git, of which every version knows more.
fn held_back(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let secret =
        ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_PASSWD", "_CREDENTIALS"].iter().any(|end| name.ends_with(end));
    secret || name.starts_with("GIT_TRACE")
}

/// A search path without its relative entries: a project must not be able to supply its own `ls`.
fn absolute_only(path: &OsStr) -> OsString {
    let entries = std::env::split_paths(path).filter(|entry| entry.is_absolute());
    // Entries come from a search path, so none of them holds the separator.
    std::env::join_paths(entries).unwrap_or_default()
}

/// Finds a program in the usual places, then in the absolute entries of the search path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let usual = ["/bin", "/usr/bin"].into_iter().map(|folder| Path::new(folder).join(program));
    usual.into_iter().find(|file| executable(file)).or_else(|| {
        let path = absolute_only(&std::env::var_os("PATH")?);
        first_executable(&path, OsStr::new(program))
    })
}

/// Finds a program on the search path.
pub(crate) fn find_on_path(program: &OsStr) -> Option<PathBuf> {
    first_executable(&std::env::var_os("PATH")?, program)
}

fn first_executable(path: &OsStr, program: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| executable(file))
}

fn executable(file: &Path) -> bool {
    file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}
