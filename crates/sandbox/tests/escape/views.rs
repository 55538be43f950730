//! The scratch copy: what it would change, what it keeps, and how the user's edits win.

use std::ffi::CString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use planwright_sandbox::{
    Cancel, Ended, Ending, ScratchView, Spec, changes_in_copy, read_in_copy, spawn, write_in_copy,
};

use crate::bubblewrap;
use crate::life::{fill, futures, line, look};
use crate::table::{Walls, differences, run_spec};

/// Given the project and a place for copies.
type Check = fn(&Path, &Path) -> Result<(), String>;

pub fn run(roots: &[PathBuf]) -> Vec<String> {
    let mut wrong = Vec::new();
    let (root, place) = (&roots[0], roots[1].join("views"));
    let checks: &[(&str, Check)] = &[
        ("changes", changes),
        ("everywhere", everywhere),
        ("kept", kept),
        ("the user wins", user_wins),
        ("hidden", hidden),
        ("one at a time", one_at_a_time),
        ("swept", swept),
        ("cleared", cleared),
        ("a link in the way", link_in_the_way),
        ("read and written", read_and_written),
        ("traps", traps),
        ("unlike the machine nothing", same),
    ];
    for (name, check) in checks {
        fill(root);
        if let Err(error) = check(root, &place) {
            wrong.push(format!("{name}: {error}"));
        }
        let left = std::fs::read_dir(&place).map_or(0, |entries| entries.count());
        if left > 0 {
            wrong.push(format!("{name}: {left} copies are left"));
        }
    }
    wrong
}

fn ended(spec: Spec) -> Result<Ended, String> {
    run_spec(spec).map_err(|error| error.to_string())
}

fn in_view(view: &ScratchView, root: &Path, text: &str) -> Result<Ended, String> {
    ended(Spec { view: Some(view.clone()), ..line(Walls::Scratch, root, text) })
}

fn new(place: &Path) -> Result<ScratchView, String> {
    ScratchView::new(place).map_err(|error| error.to_string())
}

fn expect<T: std::fmt::Debug + PartialEq>(what: &str, is: T, should: T) -> Result<(), String> {
    if is == should { Ok(()) } else { Err(format!("{what}: {is:?}, not {should:?}")) }
}

fn told(ended: &Ended, root: &Path) -> Vec<String> {
    let list = ended.changes.iter().flat_map(|changes| &changes.list);
    list.filter_map(|change| Some(format!("{} {change}", change.path.strip_prefix(root).ok()?.display()))).collect()
}

fn names(ended: &Ended, root: &Path) -> Vec<String> {
    let list = ended.changes.iter().flat_map(|changes| &changes.list);
    list.filter_map(|change| Some(change.path.strip_prefix(root).ok()?.display().to_string())).collect()
}

/// Gives a file an extended attribute, for which no program may be there.
pub fn mark(file: &str) -> ExitCode {
    let file = CString::new(file).unwrap();
    // SAFETY: both names end in a nul, and the value is as long as is said.
    let result = unsafe { libc::setxattr(file.as_ptr(), c"user.mark".as_ptr(), b"x".as_ptr().cast(), 1, 0) };
    if result == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn changes(root: &Path, place: &Path) -> Result<(), String> {
    for name in ["modify", "delete", "chmod", "touch", "to-folder", "rename", "untouched", "both", "marked"] {
        std::fs::write(root.join(name), "one\ntwo\n").unwrap();
    }
    for name in ["to-file", "gone", "again", "mode"] {
        std::fs::create_dir(root.join(name)).unwrap();
        std::fs::write(root.join(name).join("inner"), "x").unwrap();
    }
    for (name, mode) in [("both", 0o644), ("chmod", 0o644), ("mode", 0o755)] {
        std::fs::set_permissions(root.join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    std::os::unix::fs::symlink("one", root.join("link")).unwrap();
    let before = look(root);
    let script = "sed -i s/two/2/ modify; rm delete; chmod 600 chmod; touch -d @5 touch; rm to-folder; mkdir to-folder; \
                  mv rename renamed; cat untouched > /dev/null; touch -r untouched ref; chmod +r untouched; \
                  rm -r to-file; echo x > to-file; rm -r gone; rm -r again; mkdir again; echo y > again/other; \
                  ln -sf two link; mkfifo fifo; chmod 700 mode; ln modify hard; mkdir new; echo z > new/z; echo a > a; rm a; \
                  echo 3 >> both; chmod 755 both; echo x > run; chmod 755 run; ";
    let script = format!("{script} '{}' mark marked", std::env::current_exe().unwrap().display());
    // What bubblewrap keeps in memory cannot be looked at.
    let view = if bubblewrap::is_by() { Some(new(place)?) } else { None };
    let ended = ended(Spec { view, ..line(Walls::Scratch, root, &script) })?;
    expect("ending", (ended.ending, ended.output.text().as_str()), (Ending::Exited(0), ""))?;
    let wanted = [
        "again/inner deleted",
        "again/other created",
        "both changed, mode 644 -> 755",
        "chmod mode 644 -> 600",
        "delete deleted",
        "fifo created special file",
        "gone deleted folder",
        "hard created",
        "link changed link",
        "marked attributes",
        "mode mode 755 -> 700",
        "modify changed",
        "new created folder",
        "new/z created",
        "ref created",
        "rename deleted",
        "renamed created",
        "run created, mode 755",
        "to-file replaced folder by file",
        "to-folder replaced file by folder",
        "touch times",
    ];
    expect("changes", told(&ended, root), wanted.map(str::to_owned).to_vec())?;
    let diff = ended.changes.iter().flat_map(|changes| &changes.list).find(|change| change.path.ends_with("modify"));
    expect("diff", diff.and_then(|change| change.diff.as_deref()), Some("@@ -1,2 +1,2 @@\n one\n-two\n+2\n"))?;
    let changed = differences(&before, &look(root), false);
    expect("the real ones", changed, Vec::new())
}

/// Whoever the folders above belong to.
fn everywhere(root: &Path, place: &Path) -> Result<(), String> {
    for folder in [root, place.parent().unwrap()] {
        let ended = ended(line(Walls::Scratch, folder, "echo x > pw-new && cat pw-new"))?;
        expect("written", (ended.ending, ended.output.text().as_str()), (Ending::Exited(0), "x\n"))?;
        expect("real", folder.join("pw-new").exists(), false)?;
    }
    Ok(())
}

fn kept(root: &Path, place: &Path) -> Result<(), String> {
    let view = new(place)?;
    let one = in_view(
        &view,
        root,
        "echo 1 > built; rm write; mkdir deep; echo d > deep/d; echo t > $HOME/pw-kept; chmod 000 deep",
    )?;
    expect("first", (one.ending, one.output.text().as_str()), (Ending::Exited(0), ""))?;
    let two = in_view(
        &view,
        root,
        "cat built; cat $HOME/pw-kept; [ -e write ] || echo no write; chmod 700 deep; cat deep/d; echo 2 > second; rm $HOME/pw-kept",
    )?;
    expect("second", two.output.text().as_str(), "1\nt\nno write\nd\n")?;
    // Only what this one did.
    let changed = names(&two, root);
    // What bubblewrap starts may not look into a closed folder: it says so, and tells of it later.
    let by = bubblewrap::is_by();
    let wanted = if by { vec!["deep", "deep/d", "second"] } else { vec!["deep", "second"] };
    expect("changes of the second", changed, wanted.into_iter().map(str::to_owned).collect())?;
    let three = in_view(&view, root, "echo 3 >> built; mkdir -p locked/in; chmod 000 locked")?;
    let changed = names(&three, root);
    let wanted = if by { vec!["built", "locked"] } else { vec!["built", "locked", "locked/in"] };
    expect("changes of the third", changed, wanted.into_iter().map(str::to_owned).collect())?;
    let incomplete = [one, three].map(|ended| ended.changes.is_some_and(|changes| changes.incomplete));
    expect("incomplete", incomplete, [by; 2])?;
    let four = in_view(&view, root, "cat built")?;
    let itself = in_view(&view, root, &format!("ls -A '{}'/*", place.display()))?;
    expect("itself", itself.output.text().as_str(), "")?;
    expect("fourth", (four.output.text().as_str(), told(&four, root)), ("1\n3\n", Vec::new()))
}

fn user_wins(root: &Path, place: &Path) -> Result<(), String> {
    std::fs::write(root.join("other"), "other").unwrap();
    let view = new(place)?;
    in_view(
        &view,
        root,
        "echo box > write; echo box > new; rm other; rm -r folder; mkdir folder; echo box > folder/box; mkdir made; echo box > made/box",
    )?;
    let same = in_view(&view, root, "cat write new made/box; ls folder")?;
    expect("before", same.output.text().as_str(), "box\nbox\nbox\nbox\n")?;
    std::fs::write(root.join("write"), "user\n").unwrap();
    std::fs::write(root.join("new"), "user\n").unwrap();
    std::fs::write(root.join("other"), "user\n").unwrap();
    std::fs::write(root.join("folder/user"), "user\n").unwrap();
    std::fs::create_dir(root.join("made")).unwrap();
    std::fs::write(root.join("made/user"), "user\n").unwrap();
    let after = in_view(&view, root, "cat write new other; ls folder; ls made")?;
    expect("after", after.output.text().as_str(), "user\nuser\nuser\ninner\nuser\nbox\nuser\n")?;
    if after.notes.iter().any(|note| note.contains("given up")) { Ok(()) } else { Err(format!("{:?}", after.notes)) }
}

fn hidden(root: &Path, place: &Path) -> Result<(), String> {
    let state = place.parent().unwrap().join("state");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("secret"), "secret").unwrap();
    for walls in [Walls::Scratch, Walls::ReadOnly] {
        let text =
            format!("ls -A '{0}'; ( cat '{0}/secret'; echo x > '{0}/new' ) 2>/dev/null; echo end", state.display());
        let mut spec = line(walls, root, &text);
        spec.hidden = vec![state.clone(), state.join("nothing")];
        expect("hidden", ended(spec)?.output.text().as_str(), "end\n")?;
    }
    expect("secret", std::fs::read_dir(&state).unwrap().count(), 1)?;
    std::fs::remove_dir_all(&state).unwrap();
    Ok(())
}

fn one_at_a_time(root: &Path, place: &Path) -> Result<(), String> {
    let view = new(place)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let text =
        "[ -e busy ] && echo TWO; touch busy; n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; rm busy";
    runtime.block_on(async {
        let cancel = Cancel::new();
        let all =
            (0..20).map(|_| spawn(Spec { view: Some(view.clone()), ..line(Walls::Scratch, root, text) }, &cancel));
        for result in futures(all).await {
            let ended = result.map_err(|error| error.to_string())?;
            expect("one", (ended.ending, ended.output.text().as_str()), (Ending::Exited(0), ""))?;
        }
        Ok::<(), String>(())
    })?;
    // What waits for the last box to be gone runs on it, and holds the copy till then.
    drop(runtime);
    expect("count", in_view(&view, root, "cat count")?.output.text().as_str(), "20\n")
}

/// A crash leaves a copy; the next start removes it, and no other.
fn swept(root: &Path, place: &Path) -> Result<(), String> {
    let mine = new(place)?;
    in_view(&mine, root, "echo x > mine")?;
    // A process that makes one and dies without a word: a copy whose lock nobody holds.
    let dead = place.join("1-dead");
    std::fs::create_dir_all(dead.join("stage/u/x/deep")).unwrap();
    std::fs::write(dead.join("owner"), "").unwrap();
    let status =
        Command::new("chmod").arg("000").arg(dead.join("stage/u/x/deep")).stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
    expect("swept", ScratchView::sweep(place).map_err(|error| error.to_string())?, 1)?;
    expect("gone", dead.exists(), false)?;
    expect("nothing to sweep", ScratchView::sweep(&place.join("no")).map_err(|error| error.to_string())?, 0)?;
    expect("mine", in_view(&mine, root, "cat mine")?.output.text().as_str(), "x\n")
}

fn cleared(root: &Path, place: &Path) -> Result<(), String> {
    let view = new(place)?;
    in_view(&view, root, "echo x > mine")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(view.clear()).map_err(|error| error.to_string())?;
    drop(runtime);
    expect("cleared", in_view(&view, root, "cat mine 2>/dev/null; echo end")?.output.text().as_str(), "end\n")
}

/// A box that dies leaves stamps behind that are older than what is in the copy. A link that was put
/// in the place of a folder must not lead to the real one.
fn link_in_the_way(root: &Path, place: &Path) -> Result<(), String> {
    let view = new(place)?;
    std::fs::create_dir(root.join("other")).unwrap();
    std::fs::write(root.join("other/inner"), "real").unwrap();
    in_view(&view, root, "mkdir trap; echo x > trap/inner")?;
    // By the box's own process, which dies with all that is in it, so that nothing is noted.
    let text =
        format!("rm -r trap; ln -s '{}' trap; kill -9 $PPID; sleep 0.2; echo alive", root.join("other").display());
    let mut spec = Spec { view: Some(view.clone()), ..line(Walls::Scratch, root, &text) };
    spec.timeout = Some(std::time::Duration::from_millis(700));
    let cut = Spec { program: planwright_sandbox::Program::Line(format!("{text}; sleep 300")), ..spec };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        // Given up, so that the box is killed from outside.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(500), spawn(cut, &Cancel::new())).await;
    });
    drop(runtime);
    std::fs::create_dir(root.join("trap")).unwrap();
    std::fs::write(root.join("trap/inner"), "user").unwrap();
    let seen = in_view(&view, root, "cat trap/inner other/inner")?;
    expect("real", std::fs::read_to_string(root.join("other/inner")).unwrap_or_default().as_str(), "real")?;
    // The link, of which nothing was noted, stays in the copy.
    expect("seen", seen.output.text().as_str(), "realreal")
}

/// By the agent, for its own tools.
fn read_and_written(root: &Path, place: &Path) -> Result<(), String> {
    let view = new(place)?;
    in_view(&view, root, "echo box > write; printf 'a\\377b' > odd")?;
    let spec = Spec { view: Some(view.clone()), ..line(Walls::Scratch, root, "exit 1") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let told = |error: planwright_sandbox::SpawnError| error.to_string();
        let read = read_in_copy(&spec, &root.join("odd"), 100).await.map_err(told)?;
        expect("read", read.map_err(|error| error.kind()), Ok(b"a\xffb".to_vec()))?;
        let long = read_in_copy(&spec, &root.join("write"), 3).await.map_err(told)?;
        expect("too long", long.map_err(|error| error.kind()), Err(std::io::ErrorKind::FileTooLarge))?;
        let none = read_in_copy(&spec, &root.join("none"), 3).await.map_err(told)?;
        expect("not there", none.map_err(|error| error.kind()), Err(std::io::ErrorKind::NotFound))?;
        let changes = write_in_copy(&spec, &root.join("new/deep/file"), b"one\n").await.map_err(told)?;
        expect("changes", changes.map(|changes| changes.count()).map_err(|error| error.kind()), Ok(3))?;
        let all = changes_in_copy(&spec).await.map_err(told)?;
        let named = |name: &str| all.list.iter().filter(|change| change.path == root.join(name)).count();
        expect("all", (named("write"), named("odd"), named("new/deep/file"), all.incomplete), (1, 1, 1, false))?;
        Ok::<(), String>(())
    })?;
    drop(runtime);
    expect("outside", root.join("new").exists(), false)?;
    expect("seen", in_view(&view, root, "cat new/deep/file write")?.output.text().as_str(), "one\nbox\n")
}

/// What a command puts in the place of a file does not lead the agent's own tools astray.
fn traps(root: &Path, place: &Path) -> Result<(), String> {
    let view = new(place)?;
    in_view(&view, root, "rm write; ln -s folder/inner write; mkfifo pipe; mv folder away; ln -s away folder")?;
    let spec = Spec { view: Some(view.clone()), ..line(Walls::Scratch, root, "exit 1") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for name in ["write", "pipe", "folder/inner"] {
        let path = root.join(name);
        let read = runtime.block_on(read_in_copy(&spec, &path, 100)).map_err(|error| error.to_string())?;
        let written = runtime.block_on(write_in_copy(&spec, &path, b"x")).map_err(|error| error.to_string())?;
        expect(name, (read.is_err(), written.is_err()), (true, true))?;
    }
    Ok(())
}

/// What a command that only looks sees in a copy is what is there.
fn same(root: &Path, _: &Path) -> Result<(), String> {
    let text = "ls -lR --time-style=full-iso . | grep -v ^total; cat write; stat -c '%n %a %U %s %Y %i' folder/inner; umask; id -u; pwd; \
                echo $HOME; ls /usr/bin | wc -l; hostname 2>/dev/null || uname -n";
    let outside = ended(line(Walls::None, root, text))?;
    for walls in [Walls::Scratch, Walls::ReadOnly] {
        let inside = ended(line(walls, root, text))?;
        expect("same", inside.output.text(), outside.output.text())?;
    }
    Ok(())
}
