//! What tests share: entries, tables, processes of their own, and disks of their own.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jiff::Timestamp;
use planwright_core::mode::{Cause, Mode};
use planwright_core::transcript::{Decision, Entry, Fact, ModeChange, PlanDecision, SessionStarted};
use planwright_store::Home;
use tempfile::TempDir;
use uuid::Uuid;

/// A temporary folder with a config home and a project in it, both real paths.
pub struct Stage {
    pub folder: PathBuf,
    pub home: Home,
    pub project: PathBuf,
    _keep: TempDir,
}

pub fn stage() -> Stage {
    let keep = TempDir::new().unwrap();
    let folder = keep.path().canonicalize().unwrap();
    let project = folder.join("project");
    std::fs::create_dir(&project).unwrap();
    Stage { home: Home::new(folder.join("home")), project, folder, _keep: keep }
}

pub fn entry(n: u128, fact: Fact) -> Entry {
    Entry { uuid: Uuid::from_u128(n), timestamp: Timestamp::from_second(1_800_000_000).unwrap(), fact }
}

pub fn user(n: u128, text: &str) -> Entry {
    entry(n, Fact::User { text: text.to_owned() })
}

pub fn started(n: u128, session: Uuid, cwd: &Path) -> Entry {
    let cwd = cwd.to_owned();
    let version = "1".to_owned();
    let started = SessionStarted { session_id: session, cwd, version, forked_from: None, agent: None };
    entry(n, Fact::SessionStarted(started))
}

pub fn mode(n: u128, from: Mode, to: Mode) -> Entry {
    let change = ModeChange {
        from,
        to,
        cause: Cause::Command,
        pre_plan_mode: (to == Mode::Plan).then_some(from),
        auto_active: false,
        stripped: Default::default(),
        auto_exit_note: false,
        fallback: None,
    };
    entry(n, Fact::PermissionMode(change))
}

pub fn submitted(n: u128, revision: u32) -> Entry {
    let (sha256, path, text) = ("0".repeat(64), PathBuf::from("/p.md"), "the plan".to_owned());
    entry(n, Fact::PlanSubmitted { revision, sha256, path, text, tool_use_id: String::new() })
}

pub fn decided(n: u128, revision: u32) -> Entry {
    let decision = PlanDecision {
        revision,
        sha256: "0".repeat(64),
        decision: Decision::Rejected,
        choice: "keep-planning".to_owned(),
        edited: false,
        feedback: Some("smaller".to_owned()),
        by: "user".to_owned(),
        text: None,
        handoff: planwright_core::plan::Handoff::default(),
    };
    entry(n, Fact::PlanDecision(decision))
}

/// What tells a test that it runs again, in a process of its own, and where.
const AGAIN: &str = "PLANWRIGHT_STORE_TEST_FOLDER";

/// The folder to work in, if this test runs again in a process of its own.
pub fn again() -> Option<PathBuf> {
    env::var_os(AGAIN).map(PathBuf::from)
}

/// A process that runs the test of that name again, with `folder` to work in.
pub fn another(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "--nocapture", test]).env(AGAIN, folder);
    command
}

/// Runs the test of that name again in a mount namespace of its own, after `mount` (a shell script;
/// `$1` is the folder). A machine that cannot do this fails the test: it would prove nothing.
pub fn on_a_disk_of_its_own(test: &str, mount: &str, folder: &Path) {
    let mut command = Command::new("unshare");
    if !is_root() {
        command.arg("--map-root-user");
    }
    let script = format!("set -e\n{mount}\nshift; exec \"$@\"");
    command.args(["--mount", "sh", "-c", &script, "sh"]).arg(folder).arg(env::current_exe().unwrap()).args([
        "--exact",
        "--nocapture",
        test,
    ]);
    let output = command.env(AGAIN, folder).output().expect("`unshare` (util-linux) is needed for this test");
    succeeded(&output);
}

fn is_root() -> bool {
    // The owner of a file just made is who we are.
    use std::os::unix::fs::MetadataExt;
    TempDir::new().unwrap().path().metadata().unwrap().uid() == 0
}

/// Fails with all that the process printed, unless it ran exactly one test, and well.
pub fn succeeded(output: &Output) {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let text = format!("{out}\n{err}");
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// The rows of the table under the heading `## HEADING` of a page, cell by cell; `|` in a cell is
/// written `\|`.
pub fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let section = page.split("\n## ").find(|section| section.starts_with(heading)).expect("the heading is there");
    let section = section.split("\n## ").next().unwrap();
    let rows: Vec<Vec<String>> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| {
            let cells = line.replace("\\|", "\u{1}");
            cells.trim_matches('|').split('|').map(|cell| plain(cell.trim()).replace('\u{1}', "|")).collect()
        })
        .collect();
    assert!(!rows.is_empty(), "no rows under {heading}");
    rows
}

/// A cell without the code quotes around it.
fn plain(cell: &str) -> String {
    match cell.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        Some(inner) if !inner.contains('`') => inner.to_owned(),
        _ => cell.to_owned(),
    }
}
