//! Real commands: what they print, how they end, and that nothing of them is left.
#![allow(clippy::unwrap_used, reason = "a test may panic; clippy knows only functions marked as tests")]

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use planwright_sandbox::{
    Cancel, Confinement, Ended, Ending, Program, Shell, SpawnError, Spec, Tier, interactive, spawn, spawn_background,
    tier,
};

/// Long enough for any step on a busy machine; no test waits for it to pass.
const LONG: Duration = Duration::from_secs(120);

fn line(line: &str) -> Spec {
    Spec {
        timeout: Some(LONG),
        grace: Duration::from_millis(200),
        output_limit: 4_000,
        ..Spec::new(Program::Line(line.to_owned()), &std::env::temp_dir(), Confinement::None)
    }
}

async fn run(spec: Spec) -> Ended {
    spawn(spec, &Cancel::new()).await.unwrap()
}

/// Whether the process runs. A zombie does not.
fn alive(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']))
}

/// Waits until the condition holds, giving way to the runtime meanwhile.
async fn until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < LONG, "{what}: it never came");
        tokio::task::yield_now().await;
    }
}

/// Process ids written one per line into a file, once `count` of them are there.
fn pids(file: &Path, count: usize) -> Option<Vec<u32>> {
    let text = std::fs::read_to_string(file).ok()?;
    let pids: Vec<u32> = text.lines().filter_map(|line| line.parse().ok()).collect();
    (pids.len() == count && text.ends_with('\n')).then_some(pids)
}

/// A command that starts a child, a child that ignores SIGTERM, and one in a session of its own,
/// writes all their process ids to `$PIDS`, and waits.
const FAMILY: &str = "sleep 1000 & echo $! >> $PIDS
    (trap '' TERM; echo $BASHPID >> $PIDS; while :; do sleep 1000; done) &
    setsid bash -c 'echo $$ >> $PIDS; sleep 1000; :' &
    echo $$ >> $PIDS; wait";

fn family(folder: &Path) -> (Spec, std::path::PathBuf) {
    let file = folder.join("pids");
    let mut spec = line(FAMILY);
    spec.env.push(("PIDS".into(), Some(file.clone().into())));
    (spec, file)
}

#[tokio::test]
async fn endings() {
    // line, output, ending
    let rows: &[(&str, &str, Ending)] = &[
        ("echo hi", "hi\n", Ending::Exited(0)),
        ("echo a; echo b >&2; echo c; echo d >&2", "a\nb\nc\nd\n", Ending::Exited(0)),
        ("exit 7", "", Ending::Exited(7)),
        ("kill -9 $$", "", Ending::Signaled(9)),
        ("cat", "", Ending::Exited(0)),
        ("printf 'caf\\351'", "caf\u{FFFD}", Ending::Exited(0)),
        ("-x 2>/dev/null", "", Ending::Exited(127)),
        ("[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo no terminal", "no terminal\n", Ending::Exited(0)),
        ("(exec 3</dev/tty) 2>/dev/null || echo nobody to ask", "nobody to ask\n", Ending::Exited(0)),
        ("[ -p /dev/stdout ] && [ -p /dev/stderr ] && echo pipes", "pipes\n", Ending::Exited(0)),
        ("shopt -q login_shell || echo plain", "plain\n", Ending::Exited(0)),
    ];
    let mut wrong = Vec::new();
    for (command, output, ending) in rows {
        let ended = run(line(command)).await;
        if (ended.output.text().as_str(), ended.ending, ended.shell) != (*output, *ending, Shell::Bash) {
            wrong.push(format!("{command}: {:?} {:?}", ended.output.text(), ended.ending));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn folder_environment_and_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap();
    let mut spec = line("");
    spec.program = Program::Argv(["printf", "%s|", "a b", "$HOME"].map(OsString::from).to_vec());
    assert_eq!(run(spec).await.output.text(), "a b|$HOME|");

    let mut spec = line("pwd; echo $GREETING; echo ${HOME-unset}");
    spec.cwd = real.clone();
    spec.env = vec![("GREETING".into(), Some("hello".into())), ("HOME".into(), None)];
    assert_eq!(run(spec).await.output.text(), format!("{}\nhello\nunset\n", real.display()));
}

#[cfg(feature = "before-main")]
#[tokio::test]
async fn a_read_only_command_cannot_be_made_to_write_by_the_environment() {
    let mut spec = line("echo $GIT_OPTIONAL_LOCKS $GIT_PAGER; echo ${GIT_TRACE-none}; git config core.hooksPath");
    spec.confinement = Confinement::ReadOnly;
    assert_eq!(run(spec).await.output.text(), "0 cat\nnone\n/dev/null\n");
}

#[cfg(feature = "before-main")]
#[tokio::test]
async fn any_program_can_be_its_own_box() {
    let mut spec = line("echo x > new && cat new");
    spec.confinement = Confinement::Scratch;
    let ended = run(spec).await;
    assert_eq!((ended.ending, ended.output.text().as_str()), (Ending::Exited(0), "x\n"));
    assert_eq!(ended.changes.unwrap().count(), 1);
}

/// The program of these tests has a `main` that is not ours, and so is no box.
#[cfg(not(feature = "before-main"))]
#[tokio::test]
async fn without_a_box_nothing_confined_is_run() {
    for confinement in [Confinement::ReadOnly, Confinement::Scratch] {
        let folder = tempfile::tempdir().unwrap();
        let spec = Spec { confinement, cwd: folder.path().to_path_buf(), ..line("touch ran") };
        let error = spawn(spec.clone(), &Cancel::new()).await.unwrap_err();
        assert!(matches!(&error, SpawnError::NotAvailable { reason } if reason.contains("boxed_main")), "{error}");
        assert!(matches!(spawn_background(spec), Err(SpawnError::NotAvailable { .. })));
        assert!(!folder.path().join("ran").exists());
    }
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let mut nowhere = line("true");
    nowhere.cwd = "/no/such/folder".into();
    let scratch = Spec {
        confinement: Confinement::Scratch,
        tier: Tier::Unenforced { reason: "no reason".to_owned() },
        ..line("true")
    };
    let mut nothing = line("");
    nothing.program = Program::Argv(Vec::new());
    let mut unknown = line("");
    unknown.program = Program::Argv(vec!["no-such-program-at-all".into()]);
    let cancel = Cancel::new();
    assert!(matches!(spawn(nowhere, &cancel).await, Err(SpawnError::NoFolder(_))));
    assert!(matches!(spawn(scratch.clone(), &cancel).await, Err(SpawnError::NotAvailable { .. })));
    assert!(matches!(spawn_background(scratch), Err(SpawnError::NotAvailable { .. })));
    assert!(matches!(spawn(nothing, &cancel).await, Err(SpawnError::Empty)));
    assert!(matches!(spawn(unknown, &cancel).await, Err(SpawnError::System { .. })));
    assert!(matches!(tier(), Tier::Unenforced { reason } if !reason.is_empty()));
}

/// The kernel's own count of the most memory this process ever had, in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_hundred_megabytes_take_no_memory() {
    let before = peak_memory();
    let ended = run(line("head -c 100000000 /dev/zero | tr '\\0' x; echo end")).await;
    assert_eq!(ended.output.total(), 100_000_004);
    assert_eq!(ended.output.cut(), 100_000_004 - 4_000);
    let text = ended.output.text();
    assert!(text.starts_with("xxxx") && text.ends_with("xend\n"), "{text}");
    assert!(text.contains("bytes cut here"), "{text}");
    assert!(peak_memory() - before < 50_000, "{} KiB more", peak_memory() - before);
}

#[tokio::test]
async fn time_out_kills_everything() {
    let folder = tempfile::tempdir().unwrap();
    let (mut spec, file) = family(folder.path());
    spec.timeout = Some(Duration::from_secs(3));
    let ended = run(spec).await;
    assert_eq!(ended.ending, Ending::TimedOut);
    assert!(!ended.output_open);
    let pids = pids(&file, 4).expect("the family had three seconds to start");
    until("all are dead", || !pids.iter().any(|pid| alive(*pid))).await;
}

#[tokio::test]
async fn an_endless_stream_times_out() {
    let mut spec = line("yes");
    spec.timeout = Some(Duration::from_millis(300));
    let ended = run(spec).await;
    assert_eq!(ended.ending, Ending::TimedOut);
    assert!(ended.output.total() > 4_000);
}

#[tokio::test]
async fn a_command_may_end_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = Cancel::new();
    let mut spec = line("trap 'echo tidied; exit 0' TERM; touch ready; while :; do sleep 0.05; done");
    spec.cwd = folder.path().to_path_buf();
    spec.grace = LONG;
    let stop = async {
        until("it is ready", || folder.path().join("ready").exists()).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(spawn(spec, &cancel), stop);
    let ended = ended.unwrap();
    // The shell may say that its child was ended too.
    let text = ended.output.text().replace("Terminated\n", "");
    assert_eq!((ended.ending, text.as_str()), (Ending::Cancelled, "tidied\n"));
}

#[tokio::test]
async fn cancelling_kills_everything() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, file) = family(folder.path());
    let cancel = Cancel::new();
    let stop = async {
        until("the family is there", || pids(&file, 4).is_some()).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(spawn(spec, &cancel), stop);
    assert_eq!(ended.unwrap().ending, Ending::Cancelled);
    let pids = pids(&file, 4).unwrap();
    until("all are dead", || !pids.iter().any(|pid| alive(*pid))).await;
}

#[tokio::test]
async fn giving_up_kills_everything() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, file) = family(folder.path());
    let cancel = Cancel::new();
    tokio::select! {
        _ = spawn(spec, &cancel) => panic!("it waits for ever"),
        () = until("the family is there", || pids(&file, 4).is_some()) => {}
    }
    let pids = pids(&file, 4).unwrap();
    until("all are dead", || !pids.iter().any(|pid| alive(*pid))).await;
}

#[tokio::test]
async fn what_a_command_leaves_running_dies_with_it() {
    let ended = run(line("sleep 1000 & echo $!")).await;
    assert_eq!((ended.ending, ended.left_running), (Ending::Exited(0), true));
    let pid = ended.output.text().trim().parse().unwrap();
    until("it is dead", || !alive(pid)).await;
    assert!(!run(line("true")).await.left_running);
}

#[tokio::test]
async fn a_daemon_does_not_hold_up_the_result() {
    let ended = run(line("setsid sleep 1000 & echo $!")).await;
    assert_eq!(ended.ending, Ending::Exited(0));
    let pid: u32 = ended.output.text().trim().parse().unwrap();
    // Either it had left the group in time, and holds the output open, or it died with the group.
    if ended.output_open {
        assert!(alive(pid));
        run(line(&format!("kill {pid}"))).await;
    }
    until("it is dead", || !alive(pid)).await;
}

#[tokio::test]
async fn background() {
    let mut spec = line("echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3");
    let folder = tempfile::tempdir().unwrap();
    spec.cwd = folder.path().to_path_buf();
    spec.timeout = None;
    let (id, background) = spawn_background(spec).unwrap();
    let mut seen = String::new();
    let start = Instant::now();
    while seen != "one\n" {
        assert!(start.elapsed() < LONG, "{seen:?}");
        seen.push_str(&background.news().text());
        tokio::task::yield_now().await;
    }
    assert!(alive(id));
    assert_eq!(background.ending(), None);
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert_eq!(background.ended().await, Ending::Exited(3));
    assert_eq!(background.news().text(), "two\n");
    assert_eq!(background.news().text(), "");
}

#[tokio::test]
async fn background_is_stopped_or_dropped() {
    for stop in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let (spec, file) = family(folder.path());
        let (id, background) = spawn_background(spec).unwrap();
        until("the family is there", || pids(&file, 4).is_some()).await;
        let pids = pids(&file, 4).unwrap();
        assert!(pids.contains(&id));
        if stop {
            background.stop();
            assert_eq!(background.ended().await, Ending::Cancelled);
        }
        drop(background);
        until("all are dead", || !pids.iter().any(|pid| alive(*pid))).await;
    }
}

#[test]
fn background_dies_with_the_runtime() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, file) = family(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let background = runtime.block_on(async {
        let (_, background) = spawn_background(spec).unwrap();
        until("the family is there", || pids(&file, 4).is_some()).await;
        background
    });
    let pids = pids(&file, 4).unwrap();
    drop(runtime);
    let start = Instant::now();
    while pids.iter().any(|pid| alive(*pid)) {
        assert!(start.elapsed() < LONG, "still alive");
        std::thread::yield_now();
    }
    drop(background);
}

#[tokio::test]
async fn a_program_with_the_terminal() {
    let argv = ["sh", "-c", "[ -z \"$PLANWRIGHT_COMMAND\" ] && exit 3"].map(OsString::from);
    let status = interactive(&argv, &std::env::temp_dir()).await.unwrap();
    assert_eq!(status.code(), Some(3));
    let nothing = interactive(&[], Path::new("/")).await;
    assert!(matches!(nothing, Err(SpawnError::Empty)));
    let unknown = interactive(&["no-such-editor".into()], Path::new("/")).await;
    assert!(matches!(unknown, Err(SpawnError::System { program, .. }) if program == "no-such-editor"));
    let nowhere = interactive(&["true".into()], Path::new("/no/such/folder")).await;
    assert!(matches!(nowhere, Err(SpawnError::NoFolder(_))));
}
