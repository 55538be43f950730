//! Settings: layers, warnings, trust, and the schema.

use std::fs;
use std::path::{Path, PathBuf};

use planwright_core::mode::Mode;
use planwright_core::rules::Layer;
use planwright_core::settings::{KEYS, PlanLength, Settings};
use planwright_store::settings::{CommandLine, Loaded, Sources, load, schema};

use crate::stage::{Stage, stage, table};

const SPEC: &str = include_str!("../../spec/settings.md");

struct Setup {
    stage: Stage,
    trusted: bool,
    command_line: CommandLine,
    flag_file: bool,
}

impl Setup {
    fn new() -> Self {
        Self { stage: stage(), trusted: false, command_line: CommandLine::default(), flag_file: false }
    }

    fn file(&self, layer: &str) -> PathBuf {
        match layer {
            "user" => self.stage.home.settings_file(),
            "project" => self.stage.project.join(".planwright/settings.json"),
            "local" => self.stage.project.join(".planwright/settings.local.json"),
            other => self.stage.folder.join(other),
        }
    }

    fn write(&self, layer: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.file(layer).parent().unwrap()).unwrap();
        fs::write(self.file(layer), text).unwrap();
    }

    fn load(&self) -> Loaded {
        load(&Sources {
            home: &self.stage.home,
            project_root: &self.stage.project,
            managed: Some(&self.file("managed")),
            flag_file: self.flag_file.then(|| self.file("flag")).as_deref(),
            command_line: self.command_line.clone(),
            trusted: self.trusted,
            user_home: Some(&self.stage.folder.join("user")),
        })
    }
}

/// What is in force and not a default, as the tables say it.
fn in_force(loaded: &Loaded) -> String {
    let Settings {
        rules,
        default_mode,
        additional_directories,
        plan,
        model,
        auto_opt_in,
        private_hosts,
        fallback_model,
        compact,
        ..
    } = &loaded.settings;
    let mut all = Vec::new();
    for (name, rules) in [("allow", &rules.allow), ("deny", &rules.deny), ("ask", &rules.ask)] {
        all.extend(rules.iter().map(|rule| format!("{name} {}", rule.text())));
    }
    all.extend((*default_mode != Mode::Default).then(|| format!("mode {default_mode}")));
    all.extend(additional_directories.iter().map(|folder| format!("folder {}", folder.display())));
    all.extend(model.iter().map(|model| format!("model {model}")));
    all.extend((!plan.required).then(|| "required false".to_owned()));
    all.extend((plan.length == PlanLength::Cap).then(|| "length cap".to_owned()));
    all.extend(plan.experiments.then(|| "experiments".to_owned()));
    all.extend(plan.plan_agents.map(|agents| format!("planAgents {agents}")));
    all.extend(fallback_model.iter().map(|model| format!("fallback {model}")));
    all.extend((!compact.auto).then(|| "no automatic compaction".to_owned()));
    all.extend(private_hosts.iter().map(|host| format!("private host {host}")));
    all.extend(auto_opt_in.then(|| "opt-in".to_owned()));
    all.extend(loaded.objects.keys().map(|key| (*key).to_owned()));
    all.join(", ")
}

fn check_table(heading: &str, layer: &str, trusted: bool) {
    let mut wrong = Vec::new();
    for row in table(SPEC, heading) {
        let setup = Setup { trusted, ..Setup::new() };
        match &*row[0] {
            "(missing)" => {}
            "(a folder)" => fs::create_dir_all(setup.file(layer)).unwrap(),
            "``" => setup.write(layer, ""),
            text => setup.write(layer, text.replace('⏎', "\n")),
        }
        let loaded = setup.load();
        let told: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        let place = format!("{}:", setup.file(layer).display());
        let told_well = match &*row[1] {
            "" => told.is_empty(),
            expected => {
                let expected = expected.split_once(": ").filter(|(line, _)| line.bytes().all(|b| b.is_ascii_digit()));
                let (line, parts) = expected.unwrap_or(("", row[1].as_str()));
                let place = if line.is_empty() { place } else { format!("{place}{line}:") };
                told.len() == 1
                    && told[0].starts_with(&format!("{place} "))
                    && parts.split(" // ").all(|part| told[0].contains(part))
            }
        };
        let expected = row[2].replace("{tmp}", setup.stage.folder.to_str().unwrap());
        if !told_well || in_force(&loaded) != expected {
            wrong.push(format!("{}\n  told: {told:?}\n  in force: {}", row[0], in_force(&loaded)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_users_own_settings() {
    check_table("In the user's own settings", "user", false);
}

#[test]
fn the_settings_of_a_folder_that_is_not_trusted() {
    for layer in ["project", "local"] {
        check_table("In the settings of a folder that is not trusted", layer, false);
    }
}

#[test]
fn the_settings_of_a_folder_that_is_trusted() {
    for layer in ["project", "local"] {
        check_table("In the settings of a folder that is trusted", layer, true);
    }
}

#[test]
fn of_a_single_value_the_highest_layer_wins_and_lists_are_joined() {
    let layers = ["user", "project", "local", "flag", "managed"];
    let ranks = [Layer::User, Layer::Project, Layer::ProjectLocal, Layer::CommandLine, Layer::Managed];
    for highest in 0..layers.len() {
        let setup = Setup { flag_file: true, ..Setup::new() };
        setup.write("flag", "{}");
        for layer in &layers[..=highest] {
            let rule = format!("Read(./{layer})");
            setup.write(layer, serde_json::json!({"model": layer, "permissions": {"deny": [rule]}}).to_string());
        }
        let loaded = setup.load();
        assert_eq!(loaded.settings.model.as_deref(), Some(layers[highest]));
        let deny: Vec<&str> = loaded.settings.rules.deny.iter().map(|rule| rule.text()).collect();
        let expected: Vec<String> = layers[..=highest].iter().map(|layer| format!("Read(./{layer})")).collect();
        assert_eq!(deny, expected);
        let set_by: Vec<Layer> = loaded.origins["model"].iter().map(|set_by| set_by.layer).collect();
        assert_eq!(set_by, ranks[..=highest]);
        let last = loaded.origins["model"].last().unwrap();
        assert_eq!((last.file.as_deref(), last.line), (Some(&*setup.file(layers[highest])), Some(1)));
        assert_eq!(loaded.warnings, []);
    }
}

#[test]
fn null_hides_what_a_lower_layer_sets() {
    let setup = Setup::new();
    setup.write("user", r#"{"model": "m", "plansDirectory": "docs"}"#);
    setup.write("managed", r#"{"model": null, "plansDirectory": null}"#);
    let settings = setup.load().settings;
    assert_eq!((settings.model, settings.plans_directory), (None, None));
}

#[test]
fn flags_are_settings_of_the_command_line() {
    let text = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let setup = Setup {
        command_line: CommandLine {
            allowed_tools: text(&["Read", "Bash(git log:*)", "Bash("]),
            disallowed_tools: text(&["WebFetch"]),
            add_dirs: text(&["../lib"]),
            ..CommandLine::default()
        },
        flag_file: true,
        ..Setup::new()
    };
    let loaded = setup.load();
    let project = setup.stage.project.display();
    assert_eq!(in_force(&loaded), format!("allow Read, allow Bash(git log:*), deny WebFetch, folder {project}/../lib"));
    assert!(loaded.settings.rules.allow.iter().all(|rule| rule.layer() == Layer::CommandLine));
    let told: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    // The file of --settings is not there; that is told. The broken rule stands in no file.
    assert!(told.len() == 2 && told[0].contains("cannot be read"), "{told:#?}");
    assert!(told[1].starts_with("the rule `Bash(` in `permissions.allow`:"), "{told:#?}");
}

#[test]
fn settings_can_come_as_the_text_of_a_flag() {
    let text = |text: &str| CommandLine { settings: Some(text.to_owned()), ..CommandLine::default() };
    let setup =
        Setup { command_line: text(r#"{"model": "m", "permissions": {"deny": ["Edit(/src/**)"]}}"#), ..Setup::new() };
    setup.write("user", r#"{"model": "n"}"#);
    let loaded = setup.load();
    assert_eq!((in_force(&loaded), loaded.warnings), ("deny Edit(/src/**), model m".to_owned(), vec![]));
    assert_eq!(loaded.origins["model"].last().map(|set| set.layer), Some(Layer::CommandLine));
    let broken = Setup { command_line: text(r#"{"model": }"#), ..Setup::new() };
    let told = broken.load().warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(told.starts_with("--settings:1: the settings are not valid JSON"), "{told}");
}

#[test]
fn only_the_layers_that_a_flag_leaves_are_read_and_those_above_the_flags() {
    let only = |layers: &[Layer]| CommandLine { only: Some(layers.to_vec()), ..CommandLine::default() };
    let rows: [(&[Layer], &str); 3] = [
        (&[], "deny Read(/managed)"),
        (&[Layer::Project], "deny Read(/project), deny Read(/managed)"),
        (&[Layer::User, Layer::ProjectLocal], "deny Read(/user), deny Read(/local), deny Read(/managed)"),
    ];
    for (layers, wanted) in rows {
        let setup = Setup { command_line: only(layers), ..Setup::new() };
        for layer in ["user", "project", "local", "managed"] {
            setup.write(layer, format!(r#"{{"permissions": {{"deny": ["Read(/{layer})"]}}}}"#));
        }
        assert_eq!(in_force(&setup.load()), wanted, "{layers:?}");
    }
}

#[test]
fn the_users_settings_stay_the_users_in_the_users_home_folder() {
    let stage = stage();
    let home = planwright_store::Home::new(stage.project.join(".planwright"));
    fs::create_dir(home.root()).unwrap();
    fs::write(home.settings_file(), r#"{"permissions": {"allow": ["Bash"], "deny": ["Read(/x)"]}}"#).unwrap();
    let loaded = load(&Sources {
        home: &home,
        project_root: &stage.project,
        managed: Some(Path::new("/nowhere")),
        flag_file: None,
        command_line: CommandLine::default(),
        trusted: false,
        user_home: None,
    });
    assert_eq!((in_force(&loaded), loaded.warnings), ("allow Bash, deny Read(/x)".to_owned(), vec![]));
}

#[test]
fn a_file_in_another_encoding_is_read_and_one_that_is_too_long_is_not() {
    let setup = Setup::new();
    let utf16: Vec<u8> = "\u{FEFF}{\"model\": \"ä\"}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [utf16, "\u{FEFF}{\"model\": \"ä\"}".into()] {
        setup.write("user", bytes);
        assert_eq!(in_force(&setup.load()), "model ä");
    }
    setup.write("user", format!("{{\"model\": \"m\"}}{}", " ".repeat(5 << 20)));
    let loaded = setup.load();
    assert!(in_force(&loaded).is_empty() && loaded.warnings[0].message.contains("longer than 4194304 bytes"));
}

#[test]
fn nesting_without_end_is_a_warning_and_no_crash() {
    let setup = Setup::new();
    for open in ["[", "{\"hooks\":"] {
        setup.write("user", open.repeat(100_000));
        assert_eq!(setup.load().warnings.len(), 1);
    }
}

#[test]
fn the_schema_knows_every_key_and_nothing_else() {
    let schema = schema();
    for key in KEYS {
        let parts: Vec<&str> = key.path.split('.').collect();
        let pointer = format!("/properties/{}", parts.join("/properties/"));
        let found = schema.pointer(&pointer).unwrap_or_else(|| panic!("{}", key.path));
        assert_eq!(found["description"], key.doc);
        assert_eq!(
            found["default"].to_string(),
            serde_json::from_str::<serde_json::Value>(key.default).unwrap().to_string()
        );
    }
    assert_eq!(schema.pointer("/properties/plan/additionalProperties"), Some(&false.into()));
    assert_eq!(schema.pointer("/properties/plan/properties/planAgents/maximum"), Some(&10.into()));
    assert_eq!(schema.pointer("/properties/accountTier/enum/5"), Some(&serde_json::Value::Null));
}
