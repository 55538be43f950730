//! Births and deaths: whatever is killed, nothing is left, and nothing has changed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use planwright_sandbox::{Cancel, Ended, Ending, Program, ScratchView, Spec, spawn, spawn_background};

use crate::table::{Walls, differences, run_spec, spec};
use crate::world::{files, survivors};
use crate::{bubblewrap, server, tiers};

const LONG: Duration = Duration::from_secs(60);

pub fn run(roots: &[PathBuf]) -> Vec<String> {
    let mut wrong = Vec::new();
    let root = &roots[0];
    fill(root);
    let before = look(root);
    let mut check = |name: &str, result: Result<(), String>| {
        if let Err(error) = result {
            wrong.push(format!("{name}: {error}"));
        }
        let changed = differences(&before, &look(root), false);
        if !changed.is_empty() {
            wrong.push(format!("{name}: {}", changed.join("; ")));
        }
    };
    for walls in [Walls::Scratch, Walls::ReadOnly, Walls::Filters] {
        for victim in ["agent", "box", "init", "command"] {
            // Without namespaces there is no init; and without the box nobody is left who could find a
            // daemon that carries no mark.
            if walls != Walls::Filters || !matches!(victim, "init" | "box") {
                check(&format!("kill -9 of the {victim}, {walls:?}"), killed(root, walls, victim, "agent"));
                check(&format!("kill -9 of a server's {victim}, {walls:?}"), killed(root, walls, victim, "server"));
            }
        }
        check(&format!("ends, {walls:?}"), ends(root, walls));
        check(&format!("a server, {walls:?}"), server::run(root, walls));
    }
    check("fifty at once", fifty(root));
    check("a copy in memory that is full", full_memory(root));
    check("a copy on a disk that is full", full_disk(root, &roots[1]));
    check("a disk that is full", small_disk(root, &roots[1]));
    check("a program that is not there", missing(root));
    check("names that are odd", odd(root, &roots[1]));
    wrong
}

pub fn fill(root: &Path) {
    for entry in std::fs::read_dir(root).unwrap() {
        crate::world::remove(&entry.unwrap().path());
    }
    std::fs::write(root.join("write"), "as it was\n").unwrap();
    std::fs::create_dir(root.join("folder")).unwrap();
    std::fs::write(root.join("folder/inner"), "as it was\n").unwrap();
}

pub fn look(root: &Path) -> BTreeMap<String, String> {
    let mut seen = BTreeMap::new();
    files(root, &mut seen);
    seen.insert("mounts".to_owned(), std::fs::read_to_string("/proc/self/mountinfo").unwrap());
    seen
}

pub fn line(walls: Walls, root: &Path, text: &str) -> Spec {
    spec(walls, Program::Line(text.to_owned()), root)
}

/// An agent that runs one command, or speaks with one program, for being killed.
pub fn agent(kind: &str, walls: &str, cwd: &str, mark: &str) -> ExitCode {
    let walls = match walls {
        "Scratch" => Walls::Scratch,
        "ReadOnly" => Walls::ReadOnly,
        _ => Walls::Filters,
    };
    let mut spec = line(
        walls,
        Path::new(cwd),
        "echo x > write; (setsid sleep 300 &) ; (env -i setsid sh -c 'while :; do sleep 1; done' PW_ESCAPE=$PW_ESCAPE &) ; sleep 300; :",
    );
    spec.env = vec![("PW_ESCAPE".into(), Some(mark.into()))];
    if bubblewrap::is_by() {
        bubblewrap::found(Path::new(cwd));
    }
    if kind == "server" {
        server::hold(spec);
    } else {
        println!("{:?}", run_spec(spec));
    }
    ExitCode::SUCCESS
}

/// The children of a process.
fn children(parent: i32) -> Vec<i32> {
    let table = std::fs::read_dir("/proc").unwrap();
    table
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().nth(1) == Some(&parent.to_string())
        })
        .collect()
}

fn alive(pid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']))
}

pub fn until(what: &str, condition: impl Fn() -> bool) -> Result<(), String> {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > LONG {
            return Err(format!("{what}: it never came"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn killed(root: &Path, walls: Walls, victim: &str, kind: &str) -> Result<(), String> {
    let mark = format!("life-{}-{walls:?}-{victim}-{kind}", std::process::id());
    let mut agent: Child = Command::new("/proc/self/exe")
        .args([kind, &format!("{walls:?}"), root.to_str().unwrap(), &mark])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = i32::try_from(agent.id()).unwrap();
    let gone = killed_in(pid, walls, victim, &mark);
    let left = survivors(&mark);
    for pid in &left {
        // SAFETY: it takes no pointer; the process carries the mark of this run.
        unsafe { libc::kill(*pid, libc::SIGKILL) };
    }
    let _ = agent.kill();
    let _ = agent.wait();
    gone.map_err(|error| format!("{error}; {left:?} are left"))
}

fn killed_in(pid: i32, walls: Walls, victim: &str, mark: &str) -> Result<(), String> {
    // The shell, two daemons and what they started.
    until("the command is there", || survivors(mark).len() >= 4)?;
    let chain = |mut pid: i32, steps: usize| {
        for _ in 0..steps {
            pid = *children(pid).first()?;
        }
        Some(pid)
    };
    let depth = match walls {
        Walls::None | Walls::Filters => 2,
        // Between the box and the first process there is bubblewrap.
        Walls::ReadOnly | Walls::Scratch => 3 + usize::from(bubblewrap::is_by()),
    };
    let all: Vec<i32> = (1..=depth).filter_map(|steps| chain(pid, steps)).collect();
    let target = match victim {
        "agent" => pid,
        "box" => all[0],
        "init" => all[depth - 2],
        _ => all[depth - 1],
    };
    // SAFETY: it takes no pointer; the process is one of those just started.
    unsafe { libc::kill(target, libc::SIGKILL) };
    until("all are dead", || survivors(mark).is_empty() && !all.iter().any(|pid| alive(*pid)))
}

pub fn expect(what: &str, is: impl std::fmt::Debug + PartialEq, should: impl std::fmt::Debug) -> Result<(), String> {
    if format!("{is:?}") == format!("{should:?}") { Ok(()) } else { Err(format!("{what}: {is:?}, not {should:?}")) }
}

fn ended(spec: Spec) -> Result<Ended, String> {
    run_spec(spec).map_err(|error| error.to_string())
}

fn ends(root: &Path, walls: Walls) -> Result<(), String> {
    let run = |text: &str| ended(line(walls, root, text));
    expect("code", run("exit 7")?.ending, Ending::Exited(7))?;
    expect("signal", run("kill -9 $$")?.ending, Ending::Signaled(9))?;
    expect("output", run("echo a; echo b >&2; echo c")?.output.text(), "a\nb\nc\n")?;
    expect("input", run("cat; [ -t 0 ] || [ -t 1 ] || echo no terminal")?.output.text(), "no terminal\n")?;
    expect("pipes", run("[ -p /dev/stdin ] && [ -p /dev/stdout ] && echo pipes")?.output.text(), "pipes\n")?;
    expect("flood", run("head -c 30000000 /dev/zero")?.output.total(), 30_000_000)?;
    let left = run("sleep 300 & echo done")?;
    expect(
        "left running",
        (left.output.text().as_str(), left.left_running, left.output_open),
        ("done\n", true, false),
    )?;
    let timed = Spec {
        timeout: Some(Duration::from_millis(600)),
        grace: Duration::from_millis(100),
        ..line(walls, root, "trap '' TERM; sleep 300; sleep 300")
    };
    expect("time", ended(timed)?.ending, Ending::TimedOut)?;
    let orderly = Spec {
        timeout: Some(Duration::from_secs(2)),
        ..line(walls, root, "trap 'echo tidied; exit 0' TERM; while :; do sleep 0.02; done")
    };
    let orderly = ended(orderly)?;
    // The shell may say that its child was ended too.
    let text = orderly.output.text().replace("Terminated\n", "");
    expect("in order", (orderly.ending, text), (Ending::TimedOut, "tidied\n"))?;
    given_up(root, walls)?;
    background(root, walls)
}

/// The future is dropped.
fn given_up(root: &Path, walls: Walls) -> Result<(), String> {
    let mark = format!("given-up-{}-{walls:?}", std::process::id());
    let mut spec = line(walls, root, "setsid sleep 300 & sleep 300");
    spec.env = vec![("PW_ESCAPE".into(), Some(mark.clone().into()))];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let cancel = Cancel::new();
    runtime.block_on(async {
        tokio::select! {
            _ = spawn(spec, &cancel) => Err("it ended".to_owned()),
            () = async { while survivors(&mark).len() < 2 { tokio::time::sleep(Duration::from_millis(5)).await; } } => Ok(()),
        }
    })?;
    until("all are dead", || survivors(&mark).is_empty())
}

fn background(root: &Path, walls: Walls) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (_, one) = spawn_background(line(walls, root, "echo one; exit 3")).map_err(|error| error.to_string())?;
        expect("background", (one.ended().await, one.news().text()), (Ending::Exited(3), "one\n"))?;
        let mark = format!("background-{}-{walls:?}", std::process::id());
        let mut spec = line(walls, root, "setsid sleep 300 & sleep 300");
        spec.env = vec![("PW_ESCAPE".into(), Some(mark.clone().into()))];
        for stop in [true, false] {
            let (_, two) = spawn_background(spec.clone()).map_err(|error| error.to_string())?;
            while survivors(&mark).len() < 2 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            if stop {
                two.stop();
                expect("stopped", two.ended().await, Ending::Cancelled)?;
            }
            drop(two);
            until("all are dead", || survivors(&mark).is_empty())?;
        }
        Ok(())
    })
}

fn fifty(root: &Path) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let cancel = Cancel::new();
        let one =
            || spawn(line(Walls::Scratch, root, "echo x >> write; rm -r folder; wc -l < write; ls | wc -l"), &cancel);
        let all = (0..50).map(|_| one());
        for result in futures(all).await {
            let ended = result.map_err(|error| error.to_string())?;
            expect("one of fifty", (ended.ending, ended.output.text()), (Ending::Exited(0), "2\n1\n"))?;
        }
        Ok(())
    })
}

/// All at once, to their ends.
pub async fn futures<T, F: Future<Output = T>>(all: impl Iterator<Item = F>) -> Vec<T> {
    let mut waiting: Vec<_> = all.map(Box::pin).collect();
    let mut done: Vec<Option<T>> = waiting.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (future, done) in waiting.iter_mut().zip(&mut done) {
            if done.is_none()
                && let std::task::Poll::Ready(value) = future.as_mut().poll(context)
            {
                *done = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

fn full_memory(root: &Path) -> Result<(), String> {
    let text = "for i in 1 2 3 4; do head -c 4000000 /dev/zero > big$i || exit 1; done; sleep 300";
    let ended = ended(Spec { scratch_bytes: 8 << 20, ..line(Walls::Scratch, root, text) })?;
    // Memory that bubblewrap has mounted has no limit of its own: who goes beyond it is ended.
    let ending = if bubblewrap::is_by() { Ending::Signaled(9) } else { Ending::Exited(1) };
    expect("full", (ended.ending, ended.notes.len()), (ending, 1))
}

fn full_disk(root: &Path, place: &Path) -> Result<(), String> {
    let view = ScratchView::new(&place.join("views")).map_err(|error| error.to_string())?;
    let fill = "i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero > big$i || exit 1; sleep 0.05; done";
    let in_view = |text: &str| {
        ended(Spec { scratch_bytes: 30 << 20, view: Some(view.clone()), ..line(Walls::Scratch, root, text) })
    };
    killed_as_full(&in_view(fill)?, "holds more than it may")?;
    // The next works all the same, and can make room.
    expect("next", in_view("rm big*; echo x > new; cat new")?.output.text(), "x\n")
}

fn killed_as_full(ended: &Ended, why: &str) -> Result<(), String> {
    if ended.ending == Ending::Signaled(9) && ended.notes.iter().any(|note| note.contains(why)) {
        Ok(())
    } else {
        Err(format!("{:?} {:?} {}", ended.ending, ended.notes, ended.output.text()))
    }
}

/// A disk of 8 MiB, which only root can make.
fn small_disk(root: &Path, place: &Path) -> Result<(), String> {
    // SAFETY: it takes no pointer.
    if unsafe { libc::geteuid() } != 0 || bubblewrap::is_by() {
        return Ok(());
    }
    let program = std::env::current_exe().unwrap();
    let small = place.join("small");
    std::fs::create_dir_all(&small).unwrap();
    let output = Command::new(program).arg("small-disk").args([root, &small]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    expect("nothing is left", std::fs::read_dir(&small).unwrap().count(), 0)?;
    if output.status.success() { Ok(()) } else { Err(said) }
}

/// In a mount namespace of its own: a copy on a disk that is really full.
pub fn on_small_disk(root: &str, small: &str) -> ExitCode {
    let root = Path::new(root);
    tiers::own_mounts();
    bubblewrap::mount("tmpfs", small, "tmpfs", 0, "size=8m,mode=0700");
    let before = look(root);
    match filled(root, Path::new(small)) {
        Ok(()) if differences(&before, &look(root), false).is_empty() => ExitCode::SUCCESS,
        result => {
            println!("{result:?} {:?}", differences(&before, &look(root), false));
            ExitCode::FAILURE
        }
    }
}

fn filled(root: &Path, small: &Path) -> Result<(), String> {
    let view = ScratchView::new(&small.join("views")).map_err(|error| error.to_string())?;
    let in_view = |text: &str| ended(Spec { view: Some(view.clone()), ..line(Walls::Scratch, root, text) });
    // It is told by the kernel, and ends by itself.
    let told = in_view("echo x > write; head -c 20000000 /dev/zero > big")?;
    expect("told", told.ending, Ending::Exited(1))?;
    if !told.notes.iter().any(|note| note.contains("space ran out")) {
        return Err(format!("{:?} {}", told.notes, told.output.text()));
    }
    // There was no room left to note what was written, so all of it was given up.
    expect("incomplete", told.changes.map(|changes| changes.incomplete), Some(true))?;
    let next = in_view("cat write; [ -e big ] || echo gone; echo y > new; cat new")?;
    expect("next", (next.ending, next.output.text()), (Ending::Exited(0), "as it was\ngone\ny\n"))?;
    // It does not care, and is ended.
    killed_as_full(&in_view("head -c 20000000 /dev/zero > big; sleep 300")?, "almost full")?;
    expect("last", in_view("rm -f big; cat write")?.output.text(), "as it was\n")?;
    drop(view);
    expect("left", std::fs::read_dir(small.join("views")).unwrap().count(), 0)
}

fn missing(root: &Path) -> Result<(), String> {
    for walls in [Walls::Scratch, Walls::ReadOnly, Walls::Filters] {
        let error = run_spec(spec(walls, Program::Argv(vec!["/no/such/program".into()]), root)).err();
        let told = error.map(|error| error.to_string()).unwrap_or_default();
        if !told.contains("cannot start `/no/such/program`") {
            return Err(told);
        }
    }
    Ok(())
}

fn odd(root: &Path, place: &Path) -> Result<(), String> {
    for name in ["a b", "a,b:c\\d", "new\nline", "-dash", "caf\u{e9} \u{1f600}", "quote'\"$HOME`x`"] {
        let folder = root.join("folder").join(name);
        let script = "d=$1; mkdir -p \"$d\" && echo x > \"$d/$2\" && cat \"$d/$2\"";
        let argv = ["/bin/sh", "-c", script, "sh"].map(OsString::from).into_iter();
        let argv = argv.chain([folder.clone().into(), name.into()]).collect();
        let place = place.join("views");
        let view = if bubblewrap::is_by() { ScratchView::new(&place).map(Some) } else { Ok(None) };
        let view = view.map_err(|error| error.to_string())?;
        let ended = ended(Spec { view, ..spec(Walls::Scratch, Program::Argv(argv), root) })?;
        expect(name, (ended.ending, ended.output.text()), (Ending::Exited(0), "x\n"))?;
        let changes = ended.changes.unwrap_or_default();
        expect(
            name,
            changes.list.iter().map(|change| change.path.clone()).collect::<Vec<_>>(),
            [folder.clone(), folder.join(name)],
        )?;
    }
    Ok(())
}
