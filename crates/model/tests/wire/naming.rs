//! `PROVIDER:NAME` made into a model.

use planwright_model::providers::{Access, PROVIDERS, documentation, model};
use planwright_model::retry::Patience;

use super::none_wrong;

fn named(spec: &str, variables: &[(&str, &str)]) -> Result<String, String> {
    let env = |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
    let access = Access {
        env: &env,
        command: &|command| {
            let printed = command.to_owned();
            std::sync::Arc::new(move || Box::pin(std::future::ready(Ok(printed.clone()))))
        },
        patience: Patience::default(),
    };
    model(spec, &access).map(|model| model.id()).map_err(|error| error.to_string())
}

/// A name, variables, and the model's id or a part of what is said.
type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], Result<&'a str, &'a str>);

#[test]
fn names() {
    const KEY: (&str, &str) = ("ANTHROPIC_API_KEY", "sk-1");
    let rows: &[Row<'_>] = &[
        ("anthropic:claude-opus-5-5", &[KEY], Ok("anthropic:claude-opus-5-5")),
        ("anthropic:claude-opus-5-5", &[("ANTHROPIC_API_KEY_COMMAND", "pass show x")], Ok("anthropic:claude-opus-5-5")),
        ("anthropic:claude-opus-5-5", &[], Err("No API key is set for `anthropic`. Set ANTHROPIC_API_KEY")),
        ("anthropic:claude-opus-5-5", &[("ANTHROPIC_API_KEY", " ")], Err("No API key is set for `anthropic`")),
        ("anthropic:claude-opus-5-5", &[("ANTHROPIC_API_KEY", "a b")], Err("The key holds what no key can hold.")),
        ("anthropic:x", &[KEY, ("ANTHROPIC_BASE_URL", "http://localhost:8080/")], Ok("anthropic:x")),
        ("anthropic:x", &[KEY, ("ANTHROPIC_BASE_URL", "localhost")], Err("ANTHROPIC_BASE_URL is no URL")),
        ("anthropic:x", &[KEY, ("ANTHROPIC_BASE_URL", "file:///etc")], Err("ANTHROPIC_BASE_URL is no URL")),
        // A password in an address is a key too.
        (
            "anthropic:x",
            &[KEY, ("ANTHROPIC_BASE_URL", "ftp://me:secret@host")],
            Err("ANTHROPIC_BASE_URL is no URL of http or https: `host`"),
        ),
        ("anthropic:", &[KEY], Err("`anthropic:` names no model; write for instance `anthropic:claude-")),
        ("claude-opus-5-5", &[KEY], Err("`claude-opus-5-5` does not name a model; write it as PROVIDER:NAME")),
        ("ollama:qwen3:8b", &[], Ok("ollama:qwen3:8b")),
        ("openrouter:openai/gpt-5.2", &[("OPENROUTER_API_KEY", "sk-2")], Ok("openrouter:openai/gpt-5.2")),
        ("gemini:gemini-3-pro-preview", &[KEY], Err("Set GEMINI_API_KEY")),
        ("nobody:x", &[KEY], Err("there is no provider `nobody`; there are `anthropic`, ")),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|(spec, variables, expected)| {
            let got = named(spec, variables);
            let fits = match (expected, &got) {
                (Ok(id), Ok(got)) => id == got,
                (Err(part), Err(got)) => got.contains(part),
                (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
            };
            (!fits).then(|| format!("{spec} with {variables:?}: {got:?}"))
        })
        .collect();
    none_wrong(&wrong);
}

#[test]
fn the_table_documents_itself() {
    let page = documentation();
    let missing: Vec<_> = PROVIDERS
        .iter()
        .flat_map(|provider| [provider.name, provider.key_from, provider.base_url_from])
        .filter(|word| !page.contains(word))
        .map(str::to_owned)
        .collect();
    none_wrong(&missing);
}
