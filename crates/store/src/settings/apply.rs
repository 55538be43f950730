//! Checked values become settings.

use std::path::{Path, PathBuf};

use planwright_core::mode::Mode;
use planwright_core::page::PrivateHost;
use planwright_core::rules::{Behavior, Origin};
use planwright_core::settings::{CompactSettings, PlanSettings, Reminders, Settings};
use serde::de::DeserializeOwned;

use super::file::{Given, Value};
use super::{Loaded, SetBy, SettingWarning};

/// Puts a value in force, over those of weaker layers.
pub(super) fn apply(given: Given, origin: &Origin, set_by: &SetBy, loaded: &mut Loaded) {
    let Given { key, value, .. } = given;
    let set_by = SetBy { value: value.shown(), ..set_by.clone() };
    match value {
        Value::Texts(texts) => {
            for (text, line) in texts {
                if let Err(message) = apply_text(key.path, &text, origin, &mut loaded.settings) {
                    let (file, line) = (set_by.file.clone(), (line > 0).then_some(line));
                    loaded.warnings.push(SettingWarning { file, line, message });
                }
            }
        }
        Value::Object(object) if object.as_object().is_some_and(|object| !object.is_empty()) => {
            let message = format!("`{}` is set, but this version does nothing with it", key.path);
            let (file, line) = (set_by.file.clone(), set_by.line);
            loaded.warnings.push(SettingWarning { file, line, message });
            loaded.objects.entry(key.path).or_default().push((origin.layer, object));
        }
        Value::Object(object) => loaded.objects.entry(key.path).or_default().push((origin.layer, object)),
        value @ (Value::Unset | Value::Bool(_) | Value::Number(_) | Value::Text(_)) => {
            apply_one(key.path, &value, &mut loaded.settings);
        }
    }
    loaded.origins.entry(key.path).or_default().push(set_by);
}

/// Adds one text of a list, or says what is wrong with it and what holds instead.
fn apply_text(path: &str, text: &str, origin: &Origin, settings: &mut Settings) -> Result<(), String> {
    let mut rule = |behavior| match settings.rules.add_text(behavior, text, origin) {
        None => Ok(()),
        Some(error) => Err(format!("the rule `{}` in `{path}`: {}", error.rule, error.message)),
    };
    match path {
        "permissions.allow" => return rule(Behavior::Allow),
        "permissions.ask" => return rule(Behavior::Ask),
        "permissions.deny" => return rule(Behavior::Deny),
        "permissions.additionalDirectories" => {
            settings.additional_directories.push(absolute(text, origin)?);
        }
        "webFetch.allowPrivateHosts" => {
            let host = PrivateHost::parse(text);
            settings.private_hosts.push(host.map_err(|why| format!("`{text}` in `{path}`: {why}; it is not used"))?);
        }
        "plan.readOnlyCommands" => settings.read_only_commands.push(text.to_owned()),
        _ => unreachable!("`{path}` is a list in the table of keys, and has a line here"),
    }
    Ok(())
}

fn absolute(text: &str, origin: &Origin) -> Result<PathBuf, String> {
    if text.trim().is_empty() || text.contains('\0') {
        return Err("a folder's name is empty or holds a NUL byte; it is not used".to_owned());
    }
    let path = match text.strip_prefix('~') {
        Some(rest) if (rest.is_empty() || rest.starts_with('/')) && origin.home != Path::new("") => {
            origin.home.join(rest.trim_start_matches('/'))
        }
        _ => origin.cwd.join(text),
    };
    std::path::absolute(path).map_err(|error| format!("the folder `{text}`: {error}; it is not used"))
}

/// Sets one value.
fn apply_one(path: &str, value: &Value, settings: &mut Settings) {
    let plan = &mut settings.plan;
    let reminders = &mut settings.reminders;
    match path {
        "permissions.defaultMode" => settings.default_mode = text(value).and_then(Mode::parse).unwrap_or_default(),
        "plansDirectory" => settings.plans_directory = text(value).map(str::to_owned),
        "plan.workflow" => plan.workflow = word(value).unwrap_or_default(),
        "plan.length" => plan.length = word(value).unwrap_or_default(),
        "plan.eagerness" => plan.eagerness = word(value).unwrap_or_default(),
        "plan.commands" => plan.commands = word(value).unwrap_or_default(),
        "plan.required" => plan.required = flag(value, PlanSettings::default().required),
        "plan.confirmEnter" => plan.confirm_enter = flag(value, PlanSettings::default().confirm_enter),
        "plan.useAutoMode" => plan.use_auto_mode = flag(value, PlanSettings::default().use_auto_mode),
        "plan.experiments" => plan.experiments = flag(value, PlanSettings::default().experiments),
        "plan.planAgents" => plan.plan_agents = number(value).and_then(|number| u8::try_from(number).ok()),
        "reminders.turns" => reminders.turns = number(value).unwrap_or(Reminders::default().turns),
        "reminders.fullEvery" => reminders.full_every = number(value).unwrap_or(Reminders::default().full_every),
        "reminders.requests" => reminders.requests = number(value).unwrap_or(Reminders::default().requests),
        "autoMode.optIn" => settings.auto_opt_in = flag(value, false),
        "model" => settings.model = text(value).map(str::to_owned),
        "planModel" => settings.plan_model = text(value).map(str::to_owned),
        "exploreModel" => settings.explore_model = text(value).map(str::to_owned),
        "fallbackModel" => settings.fallback_model = text(value).map(str::to_owned),
        "compact.auto" => settings.compact.auto = flag(value, CompactSettings::default().auto),
        "accountTier" => settings.account_tier = word(value),
        _ => unreachable!("`{path}` is in the table of keys, and has a line here"),
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Unset | Value::Bool(_) | Value::Number(_) | Value::Texts(_) | Value::Object(_) => None,
    }
}

fn number(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Unset | Value::Bool(_) | Value::Text(_) | Value::Texts(_) | Value::Object(_) => None,
    }
}

fn flag(value: &Value, default: bool) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        Value::Unset | Value::Number(_) | Value::Text(_) | Value::Texts(_) | Value::Object(_) => default,
    }
}

/// A word of a closed list; the enum names its words for serde.
fn word<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(text(value)?.into()).ok()
}

#[cfg(test)]
mod tests {
    use planwright_core::rules::Layer;
    use planwright_core::settings::{KEYS, Kind};

    use super::*;

    #[test]
    fn every_key_of_the_table_can_be_set() {
        let origin = Origin { layer: Layer::User, root: "/r".into(), cwd: "/r".into(), home: "/h".into() };
        let set_by = SetBy { layer: Layer::User, file: None, line: None, value: serde_json::Value::Null };
        for key in KEYS {
            let value = match key.kind {
                Kind::Bool => Value::Bool(true),
                Kind::Number(low, _) => Value::Number(low),
                Kind::Text => Value::Text("x".to_owned()),
                Kind::Word(words) => Value::Text(words[0].to_owned()),
                Kind::Texts => Value::Texts(vec![("Read".to_owned(), 1)]),
                Kind::Open => Value::Object(serde_json::json!({})),
            };
            let mut loaded = Loaded::default();
            apply(Given { key, line: 1, value }, &origin, &set_by, &mut loaded);
            assert!(loaded.warnings.is_empty() && loaded.origins.contains_key(key.path), "{}", key.path);
        }
    }

    #[test]
    fn every_word_of_the_table_is_a_word_of_its_enum() {
        let mut settings = Settings::default();
        let mut unknown = Vec::new();
        for key in KEYS {
            let Kind::Word(words) = key.kind else { continue };
            for word in words {
                apply_one(key.path, &Value::Text((*word).to_owned()), &mut settings);
                let plan = serde_json::json!([
                    settings.default_mode,
                    settings.plan.workflow,
                    settings.plan.length,
                    settings.plan.eagerness,
                    settings.plan.commands,
                    settings.account_tier,
                ]);
                if !plan.as_array().is_some_and(|values| values.contains(&(*word).into())) {
                    unknown.push(format!("{} = {word}", key.path));
                }
            }
        }
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
