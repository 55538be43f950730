//! Full, read-only and forbidden disks, each a real one in a mount namespace of its own; and a file
//! replaced as a whole.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use planwright_core::mode::Mode;
use planwright_store::atomic::{self, Durability, NewFile, TEMPORARY_PREFIX};
use planwright_store::log::{Log, read};
use planwright_store::plans::{PlanRead, Plans};
use planwright_store::{Fault, Home, trust};
use rustix::fs::XattrFlags;
use uuid::Uuid;

use crate::stage::{again, mode, on_a_disk_of_its_own, stage, user};

/// A disk of 256 kB.
const SMALL: &str = "mount -t tmpfs -o size=256k none \"$1\"";
/// A disk with a home, a project and a plan on it, then made read-only.
const READ_ONLY: &str = "mount -t tmpfs none \"$1\"; mkdir -p \"$1/home/plans\" \"$1/project/plans\"
    echo old > \"$1/home/plans/a-b-c.md\"; mount -o remount,ro \"$1\"";

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_full_disk_in_the_middle_of_an_append_leaves_whole_lines_and_can_be_gone_on_from() {
    let Some(disk) = again() else {
        return on_a_disk_of_its_own(
            "disk::a_full_disk_in_the_middle_of_an_append_leaves_whole_lines_and_can_be_gone_on_from",
            SMALL,
            &stage().folder,
        );
    };
    let home = Home::new(disk.join("home"));
    let ballast = disk.join("ballast");
    fs::write(&ballast, vec![0; 64 << 10]).unwrap();
    let mut log = Log::create(&home, &disk, Uuid::from_u128(1)).unwrap();
    let mut written = Vec::new();
    let error = loop {
        let batch: Vec<_> = (0..3).map(|n| user(written.len() as u128 + n, &"words ".repeat(400))).collect();
        match log.append(&batch) {
            Ok(()) => written.extend(batch),
            Err(error) => break error,
        }
    };
    assert_eq!(error.fault, Fault::DiskFull);
    let path = log.path().to_owned();
    assert_eq!(
        error.to_string(),
        format!(
            "cannot write the session log {}: no space is left on the disk. Free some space there and try again.",
            path.display()
        )
    );
    assert_eq!(read(&path).unwrap(), (written.clone(), vec![]), "what was acknowledged, no more, no less");

    // Once there is room, the same log goes on; so does one opened anew.
    fs::remove_file(&ballast).unwrap();
    for open_again in [false, true] {
        if open_again {
            drop(log);
            log = Log::open(&path).unwrap().log;
        }
        let next = mode(written.len() as u128, Mode::Default, Mode::Plan);
        log.append(std::slice::from_ref(&next)).unwrap();
        written.push(next);
        assert_eq!(read(&path).unwrap(), (written.clone(), vec![]));
    }
}

#[test]
fn a_full_disk_leaves_the_old_plan_and_no_litter() {
    let Some(disk) = again() else {
        return on_a_disk_of_its_own("disk::a_full_disk_leaves_the_old_plan_and_no_litter", SMALL, &stage().folder);
    };
    let (plans, _) = Plans::new(&Home::new(disk.join("home")), &disk, None);
    let slug = plans.new_slug(1).unwrap();
    let path = plans.path(&slug);
    plans.write(&path, "old").unwrap();
    let error = plans.write(&path, &"new ".repeat(100_000)).unwrap_err();
    assert_eq!(error.fault, Fault::DiskFull);
    assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(plans.folder()), [".slugs".to_owned(), format!("{slug}.md")]);
}

#[test]
fn a_read_only_home_says_so_and_can_still_be_read() {
    let Some(disk) = again() else {
        return on_a_disk_of_its_own(
            "disk::a_read_only_home_says_so_and_can_still_be_read",
            READ_ONLY,
            &stage().folder,
        );
    };
    let (home, project) = (Home::new(disk.join("home")), disk.join("project"));
    let (plans, warning) = Plans::new(&home, &project, Some("plans"));
    assert!(
        warning.as_ref().is_some_and(|warning| warning.message.contains("project/plans cannot be written: Read-only")),
        "{warning:?}"
    );
    let plan = plans.folder().join("a-b-c.md");
    assert!(matches!(plans.read(&plan), PlanRead::Text { text, .. } if text == "old\n"));
    for (what, error) in [
        ("log", Log::create(&home, &project, Uuid::from_u128(1)).unwrap_err()),
        ("slug", plans.new_slug(1).unwrap_err()),
        ("plan", plans.write(&plan, "new").unwrap_err()),
        ("trust", trust::trust(&home, &project).unwrap_err()),
    ] {
        let text = error.to_string();
        assert_eq!(error.fault, Fault::ReadOnly, "{what}: {text}");
        assert!(text.contains(disk.to_str().unwrap()) && text.contains("PLANWRIGHT_HOME"), "{what}: {text}");
    }
}

#[test]
fn an_atomic_write_keeps_the_mode_and_gives_a_new_file_the_one_asked_for() {
    let stage = stage();
    let file = stage.folder.join("file");
    let mut wrong = Vec::new();
    for (before, new, after) in [
        (Some(0o644), NewFile::Private, 0o644),
        (Some(0o755), NewFile::Private, 0o755),
        (Some(0o600), NewFile::Shared, 0o600),
        (Some(0o640), NewFile::Shared, 0o640),
        (None, NewFile::Private, 0o600),
    ] {
        let _ = fs::remove_file(&file);
        if let Some(mode) = before {
            fs::write(&file, "old, and longer").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        }
        atomic::write(&file, b"new", new, Durability::Cached).unwrap();
        let mode = file.metadata().unwrap().mode() & 0o7777;
        if mode != after || fs::read(&file).unwrap() != b"new" {
            wrong.push(format!("{before:?} {new:?}: {mode:o}"));
        }
    }
    // A new shared file is like any other new file.
    let (any, shared) = (stage.folder.join("any"), stage.folder.join("shared"));
    fs::write(&any, "").unwrap();
    atomic::write(&shared, b"", NewFile::Shared, Durability::Synced).unwrap();
    assert_eq!(any.metadata().unwrap().mode(), shared.metadata().unwrap().mode());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(names(&stage.folder).iter().all(|name| !name.starts_with(TEMPORARY_PREFIX)));
}

#[test]
fn an_atomic_write_keeps_the_extended_attributes() {
    let stage = stage();
    let file = stage.folder.join("file");
    fs::write(&file, "old").unwrap();
    let names = ["user.origin", "user.empty", "user.long"];
    let values = [&b"a page\0of the web"[..], b"", &[7; 2_000]];
    for (name, value) in names.iter().zip(values) {
        rustix::fs::setxattr(&file, *name, value, XattrFlags::CREATE).unwrap();
    }
    atomic::write(&file, b"new", NewFile::Shared, Durability::Cached).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"new");
    for (name, value) in names.iter().zip(values) {
        let mut kept = [0; 4_000];
        let length = rustix::fs::getxattr(&file, *name, &mut kept[..]).unwrap();
        assert_eq!(&kept[..length], value, "{name}");
    }
}

#[test]
fn an_atomic_write_replaces_nothing_but_a_file() {
    let stage = stage();
    let at = |name: &str| stage.folder.join(name);
    fs::write(at("file"), "old").unwrap();
    fs::create_dir(at("folder")).unwrap();
    symlink(at("file"), at("link")).unwrap();
    symlink(at("nowhere"), at("dangling")).unwrap();
    let table = [
        ("folder", Fault::Refused, "it is a folder"),
        ("link", Fault::Refused, "a symbolic link stands there"),
        ("dangling", Fault::Refused, "a symbolic link stands there"),
        ("missing/file", Fault::Missing, "there is no such file or folder"),
        ("file/x", Fault::Refused, "a part of the path is a file"),
    ];
    let before = names(&stage.folder);
    let mut wrong = Vec::new();
    for (name, fault, cause) in table {
        let error = atomic::write(&at(name), b"new", NewFile::Private, Durability::Synced).unwrap_err();
        if error.fault != fault || !error.to_string().contains(cause) {
            wrong.push(error.to_string());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!((names(&stage.folder), fs::read_to_string(at("file")).unwrap()), (before, "old".to_owned()));
}

#[test]
fn an_atomic_write_leaves_other_hard_links_with_the_old_content() {
    let stage = stage();
    let (file, other) = (stage.folder.join("file"), stage.folder.join("other"));
    fs::write(&file, "old").unwrap();
    fs::hard_link(&file, &other).unwrap();
    atomic::write(&file, b"new", NewFile::Private, Durability::Synced).unwrap();
    assert_eq!((fs::read(&file).unwrap(), fs::read(&other).unwrap()), (b"new".to_vec(), b"old".to_vec()));
}
