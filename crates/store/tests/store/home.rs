//! The config home: where it is, what its folders are called, who may read it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use planwright_store::log::Log;
use planwright_store::plans::Plans;
use planwright_store::{Fault, Home, place, trust};
use uuid::Uuid;

use crate::stage::{again, another, stage, succeeded, user};

#[test]
fn the_home_is_where_the_environment_says() {
    let table = [
        (Some("/p"), Some("/u"), Some("/p")),
        (Some("/p"), None, Some("/p")),
        (Some("~/p"), Some("/u"), Some("/u/p")),
        (Some("~"), Some("/u"), Some("/u/")),
        (Some(""), Some("/u"), Some("/u/.planwright")),
        (None, Some("/u"), Some("/u/.planwright")),
        (Some(""), None, None),
        (None, None, None),
    ];
    for (named, user, expected) in table {
        let home = Home::from_env(named.map(OsString::from), user.map(PathBuf::from));
        match (home, expected) {
            (Ok(home), Some(expected)) => assert_eq!(home.root(), Path::new(expected)),
            (Err(error), None) => assert_eq!(error.fault, Fault::Missing, "{error}"),
            (home, _) => panic!("{named:?} {user:?}: {home:?}"),
        }
    }
    let relative = Home::from_env(Some("p".into()), None).unwrap();
    assert!(relative.root().is_absolute());
}

#[test]
fn a_projects_folder_is_named_for_its_path() {
    let home = Home::new("/h".into());
    let name = |cwd: &str| home.project_dir(Path::new(cwd)).file_name().unwrap().to_str().unwrap().to_owned();
    let long = |end: &str| format!("/{}{end}", "very-long/".repeat(40));
    assert_eq!(name("/srv/my_app v2"), "-srv-my-app-v2");
    assert_eq!(name("/größe"), "-gr--e");
    assert_eq!(name("/"), "-");
    assert_eq!((name(&long("a")).len(), &name(&long("a"))[..11]), (217, "-very-long-"));
    assert_ne!(name(&long("a")), name(&long("b")), "cut names differ still");
}

#[test]
fn what_is_made_is_private_whatever_the_umask() {
    const NAME: &str = "home::what_is_made_is_private_whatever_the_umask";
    let Some(folder) = again() else {
        let stage = stage();
        for umask in ["000", "022", "777"] {
            let folder = stage.folder.join(umask);
            fs::create_dir(&folder).unwrap();
            // The umask belongs to the whole process, so each has one of its own, started by a shell.
            let inner = another(NAME, &folder);
            let script = format!("umask {umask}; exec \"$@\"");
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &script, "sh"]).arg(inner.get_program()).args(inner.get_args());
            shell.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
            succeeded(&shell.output().unwrap());
        }
        return;
    };
    let home = Home::new(folder.join("above/home"));
    let mut log = Log::create(&home, &folder, Uuid::from_u128(1)).unwrap();
    log.append(&[user(1, "x")]).unwrap();
    log.subagent("a1").unwrap();
    let (plans, _) = Plans::new(&home, &folder, None);
    let slug = plans.new_slug(1).unwrap();
    plans.write(&plans.path(&slug), "plan").unwrap();
    trust::trust(&home, &folder).unwrap();
    let mut open = Vec::new();
    let mut seen = 0;
    let mut waiting = vec![folder.join("above")];
    while let Some(path) = waiting.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        if metadata.mode() & 0o7777 != expected {
            open.push(format!("{:o} {}", metadata.mode(), path.display()));
        }
        seen += 1;
        if metadata.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|file| file.unwrap().path()));
        }
    }
    assert!(open.is_empty() && seen > 10, "{seen} seen, {open:#?}");
}

#[test]
fn a_real_path_is_found_also_where_nothing_is_yet() {
    let stage = stage();
    let at = |path: &str| stage.folder.join(path);
    fs::create_dir_all(at("a/b")).unwrap();
    fs::write(at("a/file"), "").unwrap();
    for (target, link) in [("a/b", "to-b"), ("not/yet", "to-nothing"), ("loop-2", "loop-1"), ("loop-1", "loop-2")] {
        std::os::unix::fs::symlink(at(target), at(link)).unwrap();
    }
    let table = [
        ("a/b", Some("a/b")),
        ("a/./b/../b/new/x.md", Some("a/b/new/x.md")),
        ("to-b/x", Some("a/b/x")),
        ("to-b/../x", Some("a/x")),
        ("new/../a/b", Some("a/b")),
        ("to-nothing/x", Some("not/yet/x")),
        ("loop-1/x", None),
        ("a/file/x", None),
    ];
    let mut wrong = Vec::new();
    for (path, expected) in table {
        let found = place::real(&at(path));
        if found.as_ref().ok() != expected.map(at).as_ref() {
            wrong.push(format!("{path}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
