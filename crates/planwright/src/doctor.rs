//! `planwright doctor`: what protects you here, and which settings are in force.

use std::path::PathBuf;
use std::process::ExitCode;

use planwright_model::providers::PROVIDERS;
use planwright_store::settings::KEYS;
use planwright_store::trust as trusted;

use crate::args::RunArgs;
use crate::failure::{Failure, out};
use crate::wiring::{Place, env};

/// Prints it.
pub async fn run(schema: bool, settings: Option<String>) -> Result<ExitCode, Failure> {
    if schema {
        let schema =
            serde_json::to_string_pretty(&planwright_store::settings::schema()).expect("a JSON value can be printed");
        out(&format!("{schema}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let place = Place::here()?;
    let loaded = place.settings(&RunArgs { settings, ..RunArgs::default() });
    // Examined anew: the doctor does not trust what was found another day.
    let protection = planwright_sandbox::probe(&place.root, None).await;
    let mut rows = vec![
        format!("version     {}", env!("CARGO_PKG_VERSION")),
        format!("protection  {}", protection.tier),
        format!("model       {}", model(loaded.settings.model.as_deref())),
        format!("config home {}", place.home.root().display()),
        format!("project     {}", place.root.display()),
        format!(
            "trusted     {}",
            if trusted::is_trusted(&place.home, &place.root) { "yes" } else { "no (planwright trust)" }
        ),
        String::new(),
        "settings:".to_owned(),
    ];
    for key in KEYS {
        let origins = loaded.origins.get(key.path);
        let from = origins.map_or_else(
            || format!("default {}", key.default),
            |origins| {
                let places: Vec<_> = origins
                    .iter()
                    .map(|set| match (&set.file, set.line) {
                        (Some(file), Some(line)) => format!("{}   {}:{line}", set.value, file.display()),
                        (Some(file), None) => format!("{}   {}", set.value, file.display()),
                        (None, _) => format!("{}   command line", set.value),
                    })
                    .collect();
                places.join(&format!("\n  {:<36}", ""))
            },
        );
        rows.push(format!("  {:<36}{from}", key.path));
    }
    if let Some(program) = &protection.bubblewrap {
        rows.insert(
            2,
            format!("            by {}, for this program may not make namespaces itself", program.display()),
        );
    }
    if let Some(reason) = &protection.reason {
        rows.insert(2, format!("            {reason}"));
    }
    if let Some(remedy) = &protection.remedy {
        rows.insert(3, format!("            {remedy}"));
    }
    rows.push(String::new());
    rows.push("protection, examined:".to_owned());
    rows.extend(protection.evidence.iter().map(|line| format!("  {line}")));
    let (_, odd) = place.plans(&loaded.settings, &loaded.origins);
    rows.extend(loaded.warnings.iter().chain(&odd).map(|warning| format!("warning: {warning}")));
    out(&format!("{}\n", rows.join("\n")))?;
    Ok(ExitCode::SUCCESS)
}

/// The model a session here would have, and whether its key is set; never the key.
fn model(setting: Option<&str>) -> String {
    let Some(spec) = env("PLANWRIGHT_MODEL").or_else(|| setting.map(str::to_owned)) else {
        return "none is set: PLANWRIGHT_MODEL, the setting `model`, or --model".to_owned();
    };
    let name = spec.split(':').next().unwrap_or_default();
    let Some(provider) = PROVIDERS.iter().find(|provider| provider.name == name) else { return spec };
    let command = format!("{}_COMMAND", provider.key_from);
    let key = match (env(provider.key_from), env(&command), provider.key_hint) {
        (Some(_), _, _) => format!("{} is set", provider.key_from),
        (None, Some(_), _) => format!("its key comes from {command}"),
        (None, None, Some(_)) => format!("{} is NOT set", provider.key_from),
        (None, None, None) => "it needs no key".to_owned(),
    };
    format!("{spec}; {key}")
}

/// `planwright trust [DIR]`
pub fn trust(dir: Option<PathBuf>) -> Result<ExitCode, Failure> {
    let place = Place::here()?;
    let folder = match dir {
        Some(dir) => dir
            .canonicalize()
            .map_err(|error| Failure::usage(format!("{}: {error}", dir.display()), "Name a folder that exists."))?,
        None => place.root,
    };
    trusted::trust(&place.home, &folder)?;
    out(&format!(
        "Trusted: {}. What in its settings loosens permissions takes effect from the next session on.\n",
        folder.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
