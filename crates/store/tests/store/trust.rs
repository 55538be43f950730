//! Trusted folders.

use std::fs;
use std::os::unix::fs::symlink;

use planwright_store::trust::{is_trusted, trust};

use crate::stage::stage;

#[test]
fn a_folder_is_trusted_alone_and_by_its_real_path() {
    let stage = stage();
    let (child, link) = (stage.project.join("vendor"), stage.folder.join("link"));
    fs::create_dir(&child).unwrap();
    symlink(&stage.project, &link).unwrap();
    assert!(!is_trusted(&stage.home, &stage.project));
    trust(&stage.home, &link).unwrap();
    trust(&stage.home, &link).unwrap();
    let all = [&stage.project, &link, &child, &stage.folder, &stage.folder.join("gone")];
    assert_eq!(all.map(|folder| is_trusted(&stage.home, folder)), [true, true, false, false, false]);
    assert!(!is_trusted(&stage.home, &stage.folder.join("project-evil")));
}

#[test]
fn a_broken_list_trusts_nothing_and_is_not_overwritten() {
    let stage = stage();
    trust(&stage.home, &stage.project).unwrap();
    let list = stage.home.root().join("trusted.json");
    fs::write(&list, "{\"folders\": [").unwrap();
    assert!(!is_trusted(&stage.home, &stage.project));
    let error = trust(&stage.home, &stage.folder).unwrap_err();
    assert!(error.to_string().contains("trusted.json"), "{error}");
    assert_eq!(fs::read_to_string(&list).unwrap(), "{\"folders\": [");
}
