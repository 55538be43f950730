//! Plan files: where they go, what they are called, how they are read and written.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Stdio;

use planwright_core::bounds;
use planwright_core::text::Encoding;
use planwright_store::plans::{PlanRead, Plans, Slug};
use planwright_store::settings::{CommandLine, Sources, load};
use planwright_store::{Fault, Home};

use crate::stage::{Stage, again, another, stage, table};

const SPEC: &str = include_str!("../../spec/plans-directory.md");

fn plans(stage: &Stage) -> Plans {
    Plans::new(&stage.home, &stage.project, None).0
}

/// The project of the page's table, in a stage of its own.
fn project_of_the_table() -> Stage {
    let stage = stage();
    let at = |path: &str| stage.folder.join(path);
    fs::create_dir_all(at("project/docs/deep")).unwrap();
    fs::create_dir_all(at("project-evil")).unwrap();
    fs::create_dir_all(at("elsewhere")).unwrap();
    fs::write(at("project/notes.txt"), "").unwrap();
    symlink(at("elsewhere"), at("project/link-out")).unwrap();
    symlink(at("project/docs"), at("project/link-in")).unwrap();
    stage
}

/// B3, F069
#[test]
fn plans_directory_is_inside_the_project_or_told_and_not_used_whoever_sets_it() {
    let mut wrong = Vec::new();
    for layer in ["user", "project", "local", "flag", "managed"] {
        for row in table(SPEC, "The table") {
            let stage = project_of_the_table();
            let [setting, place, why] = [0, 1, 2].map(|n| row[n].replace("{tmp}", stage.folder.to_str().unwrap()));
            let setting = if setting == "(empty)" { String::new() } else { setting };
            let file = match layer {
                "user" => stage.home.settings_file(),
                "project" => stage.project.join(".planwright/settings.json"),
                "local" => stage.project.join(".planwright/settings.local.json"),
                layer => stage.folder.join(layer),
            };
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, serde_json::json!({"plansDirectory": setting}).to_string()).unwrap();
            let loaded = load(&Sources {
                home: &stage.home,
                project_root: &stage.project,
                managed: Some(&stage.folder.join("managed")),
                flag_file: (layer == "flag").then_some(&file),
                command_line: CommandLine::default(),
                trusted: false,
                user_home: None,
            });
            let (plans, warning) = Plans::new(&stage.home, &stage.project, loaded.settings.plans_directory.as_deref());
            let told = warning.map(|warning| warning.message).unwrap_or_default();
            let expected = if place == "default" { stage.home.plans_dir() } else { stage.folder.join(&place) };
            let told_well =
                if why.is_empty() { told.is_empty() } else { told.contains("`plansDirectory`") && told.contains(&why) };
            if plans.folder() != expected || !told_well || !loaded.warnings.is_empty() {
                wrong.push(format!("{layer}: {setting}: {}, {told}, {:?}", plans.folder().display(), loaded.warnings));
            }
            if !expected.starts_with(stage.folder.join("project")) && expected.exists() {
                wrong.push(format!("{layer}: {setting}: a folder was made before it was needed"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_folder_is_made_when_the_first_plan_is_written() {
    let stage = stage();
    let (plans, _) = Plans::new(&stage.home, &stage.project, Some("docs/plans"));
    let path = plans.path(&plans.new_slug(1).unwrap());
    assert!(!stage.project.join("docs").exists());
    assert_eq!(plans.read(&path), PlanRead::None);
    plans.write(&path, "x").unwrap();
    assert!(path.starts_with(stage.project.join("docs/plans")) && path.exists());
}

#[test]
fn a_folder_that_becomes_a_link_later_is_not_written_through() {
    let stage = stage();
    let (plans, _) = Plans::new(&stage.home, &stage.project, Some("plans"));
    let path = plans.path(&plans.new_slug(1).unwrap());
    symlink(&stage.folder, stage.project.join("plans")).unwrap();
    let error = plans.write(&path, "x").unwrap_err();
    assert_eq!(error.fault, Fault::Refused, "{error}");
    assert!(!stage.folder.join(path.file_name().unwrap()).exists());
}

/// B1
#[test]
fn a_slug_is_three_words_new_each_time_and_makes_no_plan() {
    let stage = stage();
    let plans = plans(&stage);
    let slugs: BTreeSet<Slug> = (0..200).map(|seed| plans.new_slug(seed).unwrap()).collect();
    assert_eq!(slugs.len(), 200);
    for slug in &slugs {
        assert_eq!(slug.as_str().split('-').count(), 3, "{slug}");
        assert_eq!(Slug::parse(slug.as_str()).as_ref(), Some(slug));
        assert_eq!(plans.read(&plans.path(slug)), PlanRead::None);
        assert_eq!(plans.path(slug), plans.path(slug));
    }
}

/// B1: also where the plans of two sessions go to different folders.
#[test]
fn two_sessions_with_the_same_idea_get_two_slugs() {
    let stage = stage();
    let (here, there) = (plans(&stage), Plans::new(&stage.home, &stage.project, Some("plans")).0);
    let slugs: BTreeSet<Slug> = (0..10).map(|n| [&here, &there][n % 2].new_slug(7).unwrap()).collect();
    assert_eq!(slugs.len(), 10);
    let error = here.new_slug(7).unwrap_err();
    assert_eq!(error.fault, Fault::Exists);
    assert!(error.to_string().contains("10 random names in a row are taken"), "{error}");
}

#[test]
fn a_slug_is_not_taken_where_a_file_stands_already() {
    let other = stage();
    let first = plans(&other).new_slug(7).unwrap();
    let stage = stage();
    let plans = plans(&stage);
    fs::create_dir_all(plans.folder()).unwrap();
    symlink("/nowhere", plans.path(&first)).unwrap();
    assert_ne!(plans.new_slug(7).unwrap(), first);
}

/// F070
#[test]
fn two_processes_with_the_same_seed_get_two_slugs() {
    const NAME: &str = "plans::two_processes_with_the_same_seed_get_two_slugs";
    if let Some(folder) = again() {
        let plans = Plans::new(&Home::new(folder.join("home")), &folder.join("project"), None).0;
        let slug = plans.new_slug(7).unwrap();
        plans.write(&plans.path(&slug), &format!("plan of {}", std::process::id())).unwrap();
        return;
    }
    let stage = stage();
    let start = |_| another(NAME, &stage.folder).stdout(Stdio::null()).spawn().unwrap();
    let processes: Vec<_> = (0..8).map(start).collect();
    let mut expected: Vec<String> = processes.iter().map(|process| format!("plan of {}", process.id())).collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let mut texts: Vec<String> =
        plans(&stage).list().iter().map(|plan| fs::read_to_string(&plan.path).unwrap()).collect();
    texts.sort();
    expected.sort();
    assert_eq!(texts, expected);
}

#[test]
fn a_slug_from_a_log_is_fit_to_be_a_name_or_is_none() {
    let table = [
        ("quiet-amber-otter", true),
        ("a-2", true),
        ("", false),
        ("../x", false),
        ("a/b", false),
        (".slugs", false),
        ("a\0b", false),
        ("A-B", false),
        ("é", false),
    ];
    for (text, fit) in table {
        assert_eq!(Slug::parse(text).is_some(), fit, "{text}");
    }
    assert!(Slug::parse(&"a".repeat(101)).is_none());
}

/// B2
#[test]
fn a_subagents_plan_has_a_name_of_its_own() {
    let stage = stage();
    let plans = plans(&stage);
    let slug = Slug::parse("quiet-amber-otter").unwrap();
    let name = |id: &str| plans.agent_path(&slug, id).strip_prefix(plans.folder()).unwrap().display().to_string();
    assert_eq!(name("a1b2"), "quiet-amber-otter-agent-a1b2.md");
    assert_eq!(name("../../x"), "quiet-amber-otter-agent-------x.md");
}

/// F065: the home, or the folder in it, is a link into a folder of dotfiles, with any name.
#[test]
fn a_home_behind_a_link_has_its_plans_at_the_real_place() {
    let table =
        [("home", "elsewhere/dot files ä", ""), ("home/plans", "elsewhere/plans", ""), ("home", "later", "dangling")];
    for (link, target, kind) in table {
        let stage = stage();
        let (link, target) = (stage.folder.join(link), stage.folder.join(target));
        if kind != "dangling" {
            fs::create_dir_all(&target).unwrap();
        }
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(&target, &link).unwrap();
        let plans = plans(&stage);
        let path = plans.path(&plans.new_slug(1).unwrap());
        assert!(path.starts_with(&target), "{}", path.display());
        assert_eq!(plans.read(&path), PlanRead::None);
        plans.write(&path, "one").unwrap();
        plans.write(&path, "two").unwrap();
        assert!(matches!(plans.read(&path), PlanRead::Text { text, .. } if text == "two"));
        assert_eq!(fs::canonicalize(&path).unwrap(), path);
    }
}

/// B4, F060
#[test]
fn a_plan_is_read_as_what_it_is() {
    let text = |text: &str, encoding| PlanRead::Text { text: text.to_owned(), encoding, warning: None };
    let lossy = "some bytes of the plan file are not text and are shown as \u{FFFD}".to_owned();
    let table: Vec<(&[u8], PlanRead)> = vec![
        (b"", text("", Encoding::Utf8)),
        (b" \n\t", text(" \n\t", Encoding::Utf8)),
        (b"# Plan\r\n", text("# Plan\r\n", Encoding::Utf8)),
        (b"\xEF\xBB\xBFplan", text("plan", Encoding::Utf8Bom)),
        (b"\xFF\xFE\x20\x00", text(" ", Encoding::Utf16Le)),
        (b"\xFE\xFF\x00p\x00\xE4", text("p\u{e4}", Encoding::Utf16Be)),
        (b"a\0b\x1b[2J", text("a\0b\x1b[2J", Encoding::Utf8)),
        (
            b"gr\xFC\xDFe",
            PlanRead::Text { text: "gr\u{FFFD}\u{FFFD}e".to_owned(), encoding: Encoding::Utf8, warning: Some(lossy) },
        ),
    ];
    let stage = stage();
    let plans = plans(&stage);
    let path = plans.path(&plans.new_slug(1).unwrap());
    let mut wrong = Vec::new();
    for (bytes, expected) in table {
        fs::write(&path, bytes).unwrap();
        let read = plans.read(&path);
        if read != expected {
            wrong.push(format!("{bytes:?}: {read:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_plan_that_is_too_long_is_not_read_in_part() {
    let stage = stage();
    let plans = plans(&stage);
    let path = plans.path(&plans.new_slug(1).unwrap());
    fs::write(&path, "x".repeat(bounds::PLAN_BYTES)).unwrap();
    assert!(matches!(plans.read(&path), PlanRead::Text { warning: None, .. }));
    fs::write(&path, "x".repeat(bounds::PLAN_BYTES + 1)).unwrap();
    let PlanRead::Unreadable(why) = plans.read(&path) else { panic!("it was read") };
    assert_eq!(why, "it is longer than 8388608 bytes");
}

/// B4
#[test]
fn what_is_no_file_is_no_plan_and_says_why() {
    let stage = stage();
    let plans = plans(&stage);
    let path = plans.path(&plans.new_slug(1).unwrap());
    let target = stage.folder.join("target");
    fs::write(&target, "secret").unwrap();
    type Make<'a> = &'a dyn Fn(&Path);
    let table: [(Make, &str); 5] = [
        (&|path| fs::hard_link(&target, path).unwrap(), "it has other names elsewhere (hard links)"),
        (&|path| fs::create_dir(path).unwrap(), "it is a folder"),
        (&|path| symlink(&target, path).unwrap(), "a symbolic link stands at its place"),
        (&|path| symlink("/nowhere", path).unwrap(), "a symbolic link stands at its place"),
        (
            &|path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
            "it is not a regular file",
        ),
    ];
    for (make, why) in table {
        make(&path);
        assert_eq!(plans.read(&path), PlanRead::Unreadable(why.to_owned()));
        assert_eq!(plans.write(&path, "new").unwrap_err().fault, Fault::Refused, "{why}");
        fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).unwrap();
    }
    assert_eq!(fs::read_to_string(&target).unwrap(), "secret");
    // A part of the path that is a file: nothing can be said to be missing there.
    assert!(matches!(plans.read(&target.join("x.md")), PlanRead::Unreadable(_)));
}

#[test]
fn a_hard_link_to_a_source_file_is_not_written() {
    let stage = stage();
    let plans = plans(&stage);
    let path = plans.path(&plans.new_slug(1).unwrap());
    let source = stage.project.join("main.rs");
    fs::write(&source, "fn main() {}").unwrap();
    fs::hard_link(&source, &path).unwrap();
    let error = plans.write(&path, "new").unwrap_err();
    assert!(error.fault == Fault::Refused && error.to_string().contains("hard link"), "{error}");
    assert_eq!(fs::read_to_string(&source).unwrap(), "fn main() {}");
}

#[test]
fn a_plan_keeps_its_encoding_line_ends_and_permissions() {
    let table: [(&[u8], &str, &[u8]); 9] = [
        (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n"),
        (b"a\r\nb\r\n", "x\r\ny\n", b"x\r\ny\r\n"),
        (b"a\nb\n", "x\r\ny\r\n", b"x\ny\n"),
        (b"a\r\nb\n", "x\r\ny\n", b"x\r\ny\n"),
        (b"", "x\r\ny\n", b"x\r\ny\n"),
        (b"\xEF\xBB\xBFa", "x", b"\xEF\xBB\xBFx"),
        (b"\xFF\xFEa\0\r\0\n\0", "x\n", b"\xFF\xFEx\0\r\0\n\0"),
        (b"\xFE\xFF\0a", "x", b"\xFE\xFF\0x"),
        (b"gr\xFC\xDFe", "gr\u{fc}\u{df}e", "gr\u{fc}\u{df}e".as_bytes()),
    ];
    let stage = stage();
    let plans = plans(&stage);
    let path = plans.path(&plans.new_slug(1).unwrap());
    let mut wrong = Vec::new();
    for (before, text, after) in table {
        fs::write(&path, before).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        plans.write(&path, text).unwrap();
        let (bytes, mode) = (fs::read(&path).unwrap(), path.metadata().unwrap().mode() & 0o777);
        if bytes != after || mode != 0o644 {
            wrong.push(format!("{before:?} + {text:?}: {bytes:?} {mode:o}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// F064: only the folder itself holds plans, however the path is spelled.
#[test]
fn nothing_outside_the_folder_is_written() {
    let stage = stage();
    let plans = plans(&stage);
    plans.write(&plans.folder().join("a.md"), "x").unwrap();
    let folder = plans.folder().to_str().unwrap();
    for path in [
        format!("{folder}/../a.md"),
        format!("{folder}/../../project/a.txt"),
        format!("{folder}-evil/a.md"),
        format!("{folder}/sub/a.md"),
        format!("{folder}/.."),
        folder.to_owned(),
        "a.md".to_owned(),
        String::new(),
    ] {
        let error = plans.write(Path::new(&path), "x").unwrap_err();
        assert_eq!(error.fault, Fault::Refused, "{path}");
    }
}

#[test]
fn a_project_lists_its_own_plans() {
    let stage = stage();
    let other = stage.folder.join("other");
    fs::create_dir(&other).unwrap();
    let (own, others) = (plans(&stage), Plans::new(&stage.home, &other, None).0);
    let write = |plans: &Plans, seed| {
        let slug = plans.new_slug(seed).unwrap();
        plans.write(&plans.path(&slug), "x").unwrap();
        plans.write(&plans.agent_path(&slug, "a1"), "x").unwrap();
        slug.to_string()
    };
    let (mine, theirs) = (write(&own, 1), write(&others, 2));
    own.write(&own.folder().join("by-hand.md"), "x").unwrap();
    fs::write(own.folder().join("not-a-plan.txt"), "x").unwrap();
    let names = |plans: &Plans| plans.list().into_iter().map(|plan| plan.name).collect::<BTreeSet<_>>();
    let expected = |slug: &str| BTreeSet::from([slug.to_owned(), format!("{slug}-agent-a1"), "by-hand".to_owned()]);
    assert_eq!((names(&own), names(&others)), (expected(&mine), expected(&theirs)));
}
