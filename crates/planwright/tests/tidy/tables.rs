//! What the laws go by.

/// Which of our crates each crate may import. A crate is a hazard, so an arrow says who may be
/// exposed to what; `*` is all of them.
pub const IMPORTS: &[(&str, &[&str])] = &[
    ("shell", &[]),
    ("core", &["shell"]),
    ("sandbox", &[]),
    // `store` only for `atomic::write`: a file is replaced as a whole in one way only.
    ("tools", &["core", "sandbox", "store"]),
    ("model", &["core"]),
    ("store", &["core"]),
    // `sandbox` only in its tests, whose programs must be boxes themselves.
    ("agent", &["core", "sandbox", "tools", "model", "store"]),
    ("surfaces", &["core"]),
    ("planwright", &["*"]),
];

/// The tool that reads the web, below `crates/`: a file and a folder.
pub const FETCH: &str = "tools/src/fetch";

/// Other people's crates that stay where their hazard lives: the package (a `*` at its end stands
/// for anything), and where under `crates/` it may be used.
pub const HOMES: &[(&str, &[&str])] = &[
    // HTTP clients, and what speaks TLS for them: the model's room, and the one tool that reads the web.
    ("reqwest", &["model", FETCH]),
    ("hyper*", &["model"]),
    ("ureq", &["model"]),
    ("curl", &["model"]),
    ("rustls*", &["model", FETCH]),
    // The kernel.
    ("libc", &["sandbox"]),
    ("nix", &["sandbox"]),
    ("landlock", &["sandbox"]),
    ("seccompiler", &["sandbox"]),
    ("process-wrap", &["sandbox"]),
    // Each face has its own types, and no other face sees them.
    ("ratatui*", &["surfaces/src/tui"]),
    ("termina", &["surfaces/src/tui"]),
    ("syntect", &["surfaces/src/tui"]),
    ("two-face", &["surfaces/src/tui"]),
    ("axum*", &["surfaces/src/web"]),
    ("agent-client-protocol*", &["surfaces/src/acp"]),
    // Only a program has a command line, and errors that nobody tells apart.
    ("clap*", &["planwright"]),
    ("anyhow", &["planwright"]),
    ("tracing-subscriber", &["planwright"]),
];

/// What `core` and `shell` never do.
pub const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
    "ZonedDateTime::now",
    "Uuid::new_v4",
    "Uuid::now_v7",
    "Mutex",
    "RwLock",
    "tokio",
    "rustix",
];

/// Parts of paths that only the store knows.
pub const PLACES: &[&str] = &[
    "\".planwright\"",
    "\"projects\"",
    "\"plans\"",
    "\"subagents\"",
    ".jsonl\"",
    "\"settings.json\"",
    "\"trusted.json\"",
];

/// Words that say nothing about the thing they name.
pub const EMPTY_NAMES: &[&str] = &["Manager", "Handler", "Service", "Helper", "Util", "Utils"];

/// Where packages come from is the machine's to say. (Written apart, so that the law does not find
/// itself.)
pub const HOSTS: &[&str] = &[
    concat!("static.", "crates.io"),
    concat!("index.", "crates.io"),
    concat!("registry.", "npmjs.org"),
    concat!("files.", "pythonhosted.org"),
    concat!("pypi", ".org/simple"),
    concat!("deb.", "debian.org"),
    concat!("proxy.", "golang.org"),
];

/// What is not done, or not run. (Written apart, as above.)
pub const UNFINISHED: &[&str] = &[concat!("to", "do!"), concat!("unimple", "mented!"), "dbg!", concat!("#[", "ignore")];

/// Lines a source may have.
pub const LINES: usize = 800;

/// All that a `Permit` derives.
pub const DERIVES_OF_PERMIT: &str = "#[derive(Debug)]";

/// Folders of one machine. (Written apart, as above.)
pub const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/fa", "rm/")];

/// A place where a law does not hold, and why that is right.
pub struct Exception {
    /// The law.
    pub law: &'static str,
    /// The file.
    pub path: &'static str,
    /// Why.
    pub why: &'static str,
}

const fn but(law: &'static str, path: &'static str, why: &'static str) -> Exception {
    Exception { law, path, why }
}

/// Every exception.
pub const EXCEPTIONS: &[Exception] = &[
    but("mode", "crates/agent/src/permission.rs", "the plan file is named before a call is judged while planning"),
    but("mode", "crates/agent/src/planning.rs", "EnterPlanMode twice is a no-op with words of its own"),
    but("mode", "crates/agent/src/session.rs", "hands the fact to `core::plan::plan_command`, which decides"),
    but("mode", "crates/agent/src/thread.rs", "a thread under a planning one is read-only; `/plan` while a turn runs"),
    but("mode", "crates/agent/src/turn.rs", "the plan model; the plan file is named before the notes that name it"),
    but("mode", "crates/surfaces/src/stream/ask.rs", "a host's answer to anything but the plan cannot leave plan mode"),
    but("mode", "crates/surfaces/src/tui/theme.rs", "each mode has a colour; nothing is decided by it"),
    but("mode", "crates/surfaces/src/words.rs", "each mode has words; nothing is decided by them"),
    but("places", "crates/core/src/permit/modes.rs", "an edit of the program's own settings is never unasked"),
    but("bounds", "crates/sandbox/src/group.rs", "/proc/PID/environ is bounded by the kernel"),
    but("network", "crates/sandbox/src/boxed.rs", "a socket pair between the program and its box"),
    but("network", "crates/sandbox/src/linux/init.rs", "the box's end of that pair"),
    but("network", "crates/sandbox/src/background.rs", "pipes, which tokio keeps there"),
    but("network", "crates/sandbox/src/linux/handover.rs", "the box's end of that pair, handed on through bubblewrap"),
    but("network", "crates/sandbox/src/linux/main.rs", "the box's end of that pair"),
    but("network", "crates/sandbox/src/linux/attack.rs", "the canary tries to reach sockets, and must fail"),
    but("network", "crates/sandbox/src/probe.rs", "the sockets that the canary tries to reach"),
    but("bounds", "crates/sandbox/src/linux/command.rs", "one message of our own box, through a pipe"),
    but("bounds", "crates/sandbox/src/linux/init.rs", "/proc/PID/task/TID/children is the kernel's"),
    but(
        "bounds",
        "crates/sandbox/src/linux/main.rs",
        "/proc/self: the command line and the id maps are bounded by the kernel",
    ),
    but(
        "bounds",
        "crates/sandbox/src/linux/mounts.rs",
        "resolver files that the machine's own programs read whole as well",
    ),
    but("bounds", "crates/sandbox/src/linux/refresh.rs", "the stamps of a scratch copy, which its box wrote itself"),
    but("bounds", "crates/sandbox/src/linux/table.rs", "/proc/self/mountinfo is the kernel's"),
    but(
        "bounds",
        "crates/sandbox/src/probe.rs",
        "/proc, the canary's own files, and the remembered tier, which the program wrote itself",
    ),
    but("bounds", "crates/sandbox/src/remedy.rs", "settings of the kernel in /proc/sys"),
    but("unfinished", "crates/sandbox/tests/escape/files.rs", "that nothing happens can only be seen by waiting"),
    but("unfinished", "crates/sandbox/tests/escape/life.rs", "that nothing happens can only be seen by waiting"),
    but("unfinished", "crates/sandbox/tests/escape/programs.rs", "that nothing happens can only be seen by waiting"),
    but("unfinished", "crates/sandbox/tests/escape/table.rs", "that nothing happens can only be seen by waiting"),
    but("bounds", "crates/store/src/plans.rs", "a slug's file, which the store wrote itself"),
    but("bounds", "crates/store/src/trust.rs", "the list of trusted folders, which the store wrote itself"),
];
