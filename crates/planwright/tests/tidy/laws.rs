//! Every law: what must not be, how to mend it, and samples that break and keep it.

use crate::find;
use crate::tables::EXCEPTIONS;
use crate::tree::{Finding, Tree};

/// A path and a text.
type Sample = (&'static str, &'static str);

/// One law.
pub struct Law {
    pub name: &'static str,
    pub says: &'static str,
    pub mend: &'static str,
    /// What breaks it, exceptions or not.
    pub see: fn(&Tree) -> Vec<Finding>,
    pub breaks: &'static [Sample],
    pub keeps: &'static [Sample],
}

impl Law {
    /// What breaks it.
    pub fn find(&self, tree: &Tree) -> Vec<Finding> {
        let excepted = |path: &str| EXCEPTIONS.iter().any(|but| but.law == self.name && but.path == path);
        (self.see)(tree).into_iter().filter(|finding| !excepted(&finding.path)).collect()
    }
}

/// All of them.
pub const LAWS: &[Law] = &[
    Law {
        name: "imports",
        says: "a crate imports only what the table allows",
        mend: "move the code to the room whose hazard it is, or argue for the arrow in ARCHITECTURE.md and `tables::IMPORTS`",
        see: find::imports,
        breaks: &[
            ("crates/core/Cargo.toml", "[dependencies]\nplanwright-store.workspace = true\n"),
            ("crates/surfaces/Cargo.toml", "[dev-dependencies]\nplanwright-agent.workspace = true\n"),
            ("crates/another/Cargo.toml", "[dependencies]\nplanwright-core.workspace = true\n"),
        ],
        keeps: &[
            ("crates/core/Cargo.toml", "[dependencies]\nplanwright-shell.workspace = true\nserde.workspace = true\n"),
            ("crates/planwright/Cargo.toml", "[dependencies]\nplanwright-agent.workspace = true\n"),
        ],
    },
    Law {
        name: "homes",
        says: "HTTP clients, kernel interfaces, terminals, servers and protocols stay where their hazard lives",
        mend: "give the room that owns the hazard a function with our own types, and call that",
        see: find::homes,
        breaks: &[
            ("crates/store/Cargo.toml", "[dependencies]\nreqwest.workspace = true\n"),
            ("crates/tools/src/read.rs", "fn get() -> reqwest::Response;\n"),
            ("crates/store/Cargo.toml", "[target.'cfg(unix)'.dependencies]\nlibc.workspace = true\n"),
            ("crates/surfaces/src/line.rs", "use ratatui::text::Line;\n"),
            ("crates/core/src/reply.rs", "fn ask() -> reqwest::Response;\n"),
        ],
        keeps: &[
            ("crates/model/Cargo.toml", "[dependencies]\nreqwest.workspace = true\nrustls = { workspace = true }\n"),
            ("crates/tools/Cargo.toml", "[dependencies]\nreqwest.workspace = true\n"),
            ("crates/tools/src/fetch/body.rs", "use reqwest::Response;\n"),
            ("crates/surfaces/Cargo.toml", "[dependencies]\nratatui.workspace = true\n"),
            ("crates/planwright/Cargo.toml", "[target.'cfg(unix)'.dev-dependencies]\nnix.workspace = true\n"),
            ("crates/surfaces/src/tui/draw.rs", "use ratatui::text::Line;\n"),
            ("crates/core/src/reply.rs", "/// Unlike `reqwest::Response`.\nuse serde_json::Value;\n"),
        ],
    },
    Law {
        name: "faces",
        says: "no face imports another, and no face has types of the program beside `core`'s",
        mend: "put what both need into a private module of `surfaces` that is no face, or into `core`",
        see: find::faces,
        breaks: &[
            ("crates/surfaces/src/print.rs", "use crate::line::LineFace;\n"),
            ("crates/surfaces/src/tui/keys.rs", "use crate::{print, words};\n"),
        ],
        keeps: &[
            ("crates/surfaces/src/print.rs", "use crate::words::plan_head;\n"),
            ("crates/surfaces/src/line/ask.rs", "use crate::line::Reading;\n"),
        ],
    },
    Law {
        name: "pure",
        says: "`core` and `shell` read no file, socket, clock or environment, start no thread, hold no lock",
        mend: "take the fact as an argument; the caller looks it up",
        see: find::pure,
        breaks: &[
            ("crates/core/src/state.rs", "use std::{collections::BTreeMap, fs};\n"),
            ("crates/core/src/state.rs", "fn now() -> Timestamp { jiff::Timestamp::now() }\n"),
            ("crates/shell/src/lib.rs", "fn home() { std::env::var(\"HOME\"); }\n"),
            ("crates/core/src/state.rs", "struct S(std::sync::Mutex<u8>);\n"),
        ],
        keeps: &[
            ("crates/core/src/state.rs", "//! Reads no `std::fs`.\nuse std::collections::BTreeMap;\n"),
            ("crates/core/src/state.rs", "const WHY: &str = \"std::env::var\";\n"),
            ("crates/core/src/state.rs", "#[cfg(test)]\nmod tests { fn f() { std::env::var(\"X\"); } }\n"),
            ("crates/store/src/log.rs", "use std::fs;\n"),
        ],
    },
    Law {
        name: "processes",
        says: "only `sandbox` starts processes, and only it may ever be `unsafe`",
        mend: "start it through `planwright_sandbox::spawn` or `interactive`",
        see: find::processes,
        breaks: &[
            ("crates/tools/src/bash.rs", "use std::process::{Command, Stdio};\n"),
            ("crates/planwright/src/editor.rs", "fn f() { tokio::process::Command::new(\"vi\"); }\n"),
            ("crates/tools/src/open.rs", "fn f() { unsafe { open() } }\n"),
        ],
        keeps: &[
            ("crates/sandbox/src/spawn.rs", "use tokio::process::{Child, Command};\n"),
            ("crates/planwright/src/main.rs", "use std::process::ExitCode;\nuse planwright_core::command::Command;\n"),
            ("crates/tools/tests/tools/stage.rs", "use std::process::Command;\n"),
        ],
    },
    Law {
        name: "network",
        says: "only `model` and the fetch tool open sockets",
        mend: "ask `model`; what is on the web is read by `WebFetch`, which checks where it connects to",
        see: find::network,
        breaks: &[
            ("crates/agent/src/turn.rs", "use tokio::net::TcpStream;\n"),
            ("crates/tools/src/bash.rs", "use std::net::IpAddr;\n"),
        ],
        keeps: &[
            ("crates/model/src/http.rs", "use std::net::SocketAddr;\n"),
            ("crates/tools/src/fetch.rs", "use std::net::IpAddr;\n"),
        ],
    },
    Law {
        name: "keys",
        says: "API keys are known to `model` and to the binary that hands them over; never to `State` or a log",
        mend: "pass a made `Model`, not what it was made with",
        see: find::keys,
        breaks: &[("crates/agent/src/setup.rs", "const KEY: &str = \"ANTHROPIC_API_KEY\";\n")],
        keeps: &[("crates/planwright/src/wiring.rs", "fn f() { env(\"ANTHROPIC_API_KEY\"); }\n")],
    },
    Law {
        name: "mode",
        says: "outside `core` nothing is decided by whether the mode is plan",
        mend: "let `core` decide and hand over the decision; if the loop must know, add a row with its reason to `EXCEPTIONS`",
        see: find::mode,
        breaks: &[
            ("crates/tools/src/write.rs", "fn f(m: Mode) -> bool { m == Mode::Plan }\n"),
            ("crates/tools/src/write.rs", "fn f(m: Mode) -> bool { matches!(m, Mode::Plan) }\n"),
            ("crates/surfaces/src/line.rs", "fn f(m: Mode) { if let Mode::Plan = m {} }\n"),
            ("crates/surfaces/src/line.rs", "fn f(m: Mode) { match m { Mode::Plan => {} _ => {} } }\n"),
            ("crates/surfaces/src/line.rs", "fn f(s: &State) -> bool { s.permissions().planning() }\n"),
        ],
        keeps: &[
            ("crates/core/src/mode.rs", "fn f(m: Mode) -> bool { m == Mode::Plan }\n"),
            ("crates/planwright/src/line.rs", "fn f() { session.go_to(Mode::Plan, Cause::Command); }\n"),
            (
                "crates/surfaces/src/words.rs",
                "fn f(m: Mode) { match m { Mode::Auto | Mode::Plan => {} Mode::Default => {} } }\n",
            ),
        ],
    },
    Law {
        name: "one door",
        says: "the mode is changed by `core::mode::change` alone, and only the agent's loop calls it",
        mend: "say an `Input`; in the loop, call `Thread::go_to`",
        see: find::one_door,
        breaks: &[
            ("crates/planwright/src/plans.rs", "fn f() { mode::change(now, to, cause, auto, rules); }\n"),
            ("crates/agent/src/reopen.rs", "fn f() { Fact::PermissionMode(ModeChange { from, to }); }\n"),
        ],
        keeps: &[
            ("crates/agent/src/planning.rs", "fn f() { self.go_to(Mode::Plan, Cause::Model); }\n"),
            ("crates/agent/src/thread.rs", "fn f() { mode::change(now, to, cause, auto, rules); }\n"),
        ],
    },
    Law {
        name: "permit",
        says: "a `Permit` is neither copied nor stored",
        mend: "take the derive off; who needs two permits asks twice",
        see: find::permit,
        breaks: &[("crates/core/src/permit/mod.rs", "#[derive(Clone, Debug)]\npub struct Permit {\n}\n")],
        keeps: &[("crates/core/src/permit/mod.rs", "#[derive(Debug)]\npub struct Permit {\n}\n")],
    },
    Law {
        name: "places",
        says: "only `store` knows where files live",
        mend: "ask `Home`, `Plans`, `Log` or `sessions` for the path",
        see: find::places,
        breaks: &[
            ("crates/planwright/src/plans.rs", "fn f() { home.join(\"plans\"); }\n"),
            ("crates/agent/src/child.rs", "fn f() { format!(\"{id}.jsonl\"); }\n"),
        ],
        keeps: &[
            ("crates/store/src/home.rs", "fn f() { self.root.join(\"plans\"); }\n"),
            ("crates/core/src/transcript.rs", "/// Its log is `subagents/<id>.jsonl`.\nfn f() {}\n"),
        ],
    },
    Law {
        name: "bounds",
        says: "no file is read whole unless something bounds it",
        mend: "`file.take(bounds::X + 1).read_to_end(..)`, and say what was cut",
        see: find::bounds,
        breaks: &[
            ("crates/tools/src/read.rs", "fn f() { std::fs::read_to_string(path) }\n"),
            ("crates/tools/src/read.rs", "fn f() { fs::read(path) }\n"),
            ("crates/tools/src/read.rs", "fn f() { file.read_to_end(&mut bytes) }\n"),
        ],
        keeps: &[("crates/tools/src/read.rs", "fn f() { file.take(LIMIT + 1)\n    .read_to_end(&mut bytes) }\n")],
    },
    Law {
        name: "printing",
        says: "nothing prints but the binary's `failure` room",
        mend: "return the text, or say a `Notice`",
        see: find::printing,
        breaks: &[("crates/store/src/log.rs", "fn f() { eprintln!(\"torn\"); }\n")],
        keeps: &[("crates/store/src/log.rs", "fn f() { writeln!(out, \"torn\"); }\n")],
    },
    Law {
        name: "unfinished",
        says: "nothing is unfinished, skipped, or waits by the clock",
        mend: "finish it; a test waits for what it waits for",
        see: find::unfinished,
        breaks: &[
            ("crates/core/src/state.rs", concat!("fn f() { to", "do!() }\n")),
            ("crates/core/tests/gate.rs", concat!("#[test]\n#[", "ignore]\nfn f() {}\n")),
            ("crates/core/tests/gate.rs", "fn f() { std::thread::sleep(SECOND); }\n"),
        ],
        keeps: &[("crates/core/src/state.rs", "/// Nothing `dbg!()` here.\nfn f() { todos(); }\n")],
    },
    Law {
        name: "reading",
        says: "a source says in its first line what it holds, and is at most 800 lines long",
        mend: "begin with `//!`; take a long file apart where its parts have names",
        see: find::reading,
        breaks: &[("crates/core/src/state.rs", "use std::fmt;\n")],
        keeps: &[("crates/core/src/state.rs", "//! The session.\n\nuse std::fmt;\n")],
    },
    Law {
        name: "names",
        says: "a type says what it is",
        mend: "name it by the noun of the trade; the glossary in ARCHITECTURE.md has ours",
        see: find::names,
        breaks: &[
            ("crates/agent/src/thread.rs", "pub struct SessionManager;\n"),
            ("crates/agent/src/thread.rs", "fn run_v2() {}\n"),
        ],
        keeps: &[("crates/agent/src/thread.rs", "/// No Manager.\npub struct Thread;\n")],
    },
    Law {
        name: "manifests",
        says: "versions stand in the workspace table only, and every crate takes the workspace's lints",
        mend: "`name.workspace = true`, and `[lints]` with `workspace = true`",
        see: find::manifests,
        breaks: &[
            ("crates/core/Cargo.toml", "[lints]\nworkspace = true\n[dependencies]\nserde = \"1\"\n"),
            ("crates/core/Cargo.toml", "[lints]\nworkspace = true\n[dependencies]\nx = { path = \"../x\" }\n"),
            ("crates/core/Cargo.toml", "[lints]\nworkspace = true\n[dependencies.serde]\nversion = \"1\"\n"),
            ("crates/core/Cargo.toml", "[dependencies]\nserde.workspace = true\n"),
        ],
        keeps: &[(
            "crates/core/Cargo.toml",
            "[lints]\nworkspace = true\n[dependencies]\nserde.workspace = true\nx = { workspace = true, features = [\"y\"] }\n",
        )],
    },
    Law {
        name: "used",
        says: "every dependency is used",
        mend: "take the line out of the manifest",
        see: find::used,
        breaks: &[
            ("crates/core/Cargo.toml", "[dependencies]\nserde_json.workspace = true\n"),
            ("Cargo.toml", "[workspace.dependencies]\nserde = \"1\"\n"),
        ],
        keeps: &[
            ("crates/core/Cargo.toml", "[dependencies]\n"),
            ("Cargo.toml", "[workspace.lints.rust]\na = \"deny\"\n"),
        ],
    },
    Law {
        name: "machines",
        says: "no file names a folder of one machine, or where one machine gets its packages",
        mend: "say it by what it is for, or make a temporary folder",
        see: find::machines,
        breaks: &[
            ("README.md", concat!("cd /wo", "rk/main\n")),
            (".ci/run", concat!("curl https://registry.", "npmjs.org/x\n")),
        ],
        keeps: &[("README.md", "cd planwright\ncargo add serde\n")],
    },
];
