//! Which providers there are: `PROVIDER:NAME` made into a model. One table, which prints its own
//! documentation.

use std::sync::Arc;

use crate::anthropic::Anthropic;
use crate::gemini::Gemini;
use crate::key::{Fetch, Key, KeySource};
use crate::openai::Chat;
use crate::remote::Remote;
use crate::responses::Responses;
use crate::retry::Patience;
use crate::wire::{Address, Wire};
use crate::{Model, ModelError, capability, dialect};

/// One row.
pub struct Provider {
    /// What stands before the colon.
    pub name: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// Where its interface begins, if its variable names no other place.
    pub base_url: &'static str,
    /// The variable that names another place (as the provider's own tools read it).
    pub base_url_from: &'static str,
    /// The variable that holds the key. `KEY_FROM_COMMAND` (the same name and `_COMMAND`) holds a
    /// command that prints it.
    pub key_from: &'static str,
    /// Where a key may be set, if there must be one. A provider that answers without is sent one all
    /// the same if it is set.
    pub key_hint: Option<&'static str>,
    /// A model to show in examples.
    pub example: &'static str,
    /// Makes its wire.
    pub wire: fn(Address) -> Arc<dyn Wire>,
}

/// Every provider.
pub const PROVIDERS: &[Provider] = &[
    Provider {
        name: "anthropic",
        title: "Anthropic Messages",
        base_url: "https://api.anthropic.com",
        base_url_from: "ANTHROPIC_BASE_URL",
        key_from: "ANTHROPIC_API_KEY",
        key_hint: Some("Set ANTHROPIC_API_KEY, or ANTHROPIC_API_KEY_COMMAND to a command that prints the key."),
        example: "claude-sonnet-5-5",
        wire: |address| Arc::new(Anthropic::new(address)),
    },
    Provider {
        name: "openai",
        title: "OpenAI Responses",
        base_url: OPENAI,
        base_url_from: "OPENAI_BASE_URL",
        key_from: "OPENAI_API_KEY",
        key_hint: Some("Set OPENAI_API_KEY, or OPENAI_API_KEY_COMMAND to a command that prints the key."),
        example: "gpt-5.2",
        wire: |address| Arc::new(Responses::new(address)),
    },
    Provider {
        name: "openai-chat",
        title: "OpenAI chat completions",
        base_url: OPENAI,
        base_url_from: "OPENAI_BASE_URL",
        key_from: "OPENAI_API_KEY",
        key_hint: Some("Set OPENAI_API_KEY, or OPENAI_API_KEY_COMMAND to a command that prints the key."),
        example: "gpt-4.1",
        wire: |address| Arc::new(Chat::new(address, &dialect::OPENAI)),
    },
    Provider {
        name: "gemini",
        title: "Gemini generateContent",
        base_url: "https://generativelanguage.googleapis.com",
        base_url_from: "GOOGLE_GEMINI_BASE_URL",
        key_from: "GEMINI_API_KEY",
        key_hint: Some("Set GEMINI_API_KEY, or GEMINI_API_KEY_COMMAND to a command that prints the key."),
        example: "gemini-3-pro-preview",
        wire: |address| Arc::new(Gemini::new(address)),
    },
    Provider {
        name: "openrouter",
        title: "OpenRouter, chat completions",
        base_url: "https://openrouter.ai/api/v1",
        base_url_from: "OPENROUTER_BASE_URL",
        key_from: "OPENROUTER_API_KEY",
        key_hint: Some("Set OPENROUTER_API_KEY, or OPENROUTER_API_KEY_COMMAND to a command that prints the key."),
        example: "anthropic/claude-sonnet-4.6",
        wire: |address| Arc::new(Chat::new(address, &dialect::OPEN_ROUTER)),
    },
    Provider {
        name: "deepseek",
        title: "DeepSeek, chat completions",
        base_url: "https://api.deepseek.com",
        base_url_from: "DEEPSEEK_BASE_URL",
        key_from: "DEEPSEEK_API_KEY",
        key_hint: Some("Set DEEPSEEK_API_KEY, or DEEPSEEK_API_KEY_COMMAND to a command that prints the key."),
        example: "deepseek-chat",
        wire: |address| Arc::new(Chat::new(address, &dialect::PLAIN)),
    },
    Provider {
        name: "ollama",
        title: "Ollama, chat completions",
        base_url: "http://127.0.0.1:11434/v1",
        base_url_from: "OLLAMA_BASE_URL",
        key_from: "OLLAMA_API_KEY",
        key_hint: None,
        example: "qwen3:8b",
        wire: |address| Arc::new(Chat::new(address, &dialect::OLLAMA)),
    },
    Provider {
        name: "llamacpp",
        title: "llama.cpp (`llama-server --jinja`), chat completions",
        base_url: "http://127.0.0.1:8080/v1",
        base_url_from: "LLAMACPP_BASE_URL",
        key_from: "LLAMACPP_API_KEY",
        key_hint: None,
        example: "any",
        wire: |address| Arc::new(Chat::new(address, &dialect::LLAMA_CPP)),
    },
    Provider {
        name: "vllm",
        title: "vLLM (`--enable-auto-tool-choice`), chat completions",
        base_url: "http://127.0.0.1:8000/v1",
        base_url_from: "VLLM_BASE_URL",
        key_from: "VLLM_API_KEY",
        key_hint: None,
        example: "Qwen/Qwen3-32B",
        wire: |address| Arc::new(Chat::new(address, &dialect::PLAIN)),
    },
    Provider {
        name: "compatible",
        title: "any other server of chat completions",
        base_url: "http://127.0.0.1:1234/v1",
        base_url_from: "COMPATIBLE_BASE_URL",
        key_from: "COMPATIBLE_API_KEY",
        key_hint: None,
        example: "local-model",
        wire: |address| Arc::new(Chat::new(address, &dialect::PLAIN)),
    },
];

/// Where OpenAI is.
const OPENAI: &str = "https://api.openai.com/v1";

/// What the binary knows of the world.
pub struct Access<'a> {
    /// A variable of the environment; an empty one is none.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// What runs a command line and yields what it prints.
    pub command: &'a dyn Fn(&str) -> Fetch,
    /// How long to try.
    pub patience: Patience,
}

/// Why a name is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoModel {
    /// It has no colon.
    #[error("`{0}` does not name a model; write it as PROVIDER:NAME, for instance {example}", example = example())]
    NoProvider(String),
    /// Nobody knows the provider.
    #[error("there is no provider `{0}`; there are {names}", names = names())]
    UnknownProvider(String),
    /// The model has no name.
    #[error("`{0}:` names no model; write for instance `{0}:{1}`")]
    NoName(&'static str, &'static str),
    /// The base URL cannot be used.
    #[error("{variable} is no URL of http or https: `{value}`")]
    BaseUrl {
        /// The variable it is from.
        variable: &'static str,
        /// What it holds, without a user and password.
        value: String,
    },
    /// The key cannot be used, or there is none.
    #[error("{}. {}", .0.cause(), .0.hint())]
    Key(ModelError),
}

/// The model that `spec` names.
///
/// # Errors
/// It names none, or its provider's variables are not as they must be.
pub fn model(spec: &str, access: &Access<'_>) -> Result<Arc<dyn Model>, NoModel> {
    let (provider, name) = spec.split_once(':').ok_or_else(|| NoModel::NoProvider(spec.to_owned()))?;
    let provider = PROVIDERS
        .iter()
        .find(|row| row.name == provider)
        .ok_or_else(|| NoModel::UnknownProvider(provider.to_owned()))?;
    if name.is_empty() {
        return Err(NoModel::NoName(provider.name, provider.example));
    }
    let set = |variable: &str| (access.env)(variable).filter(|value| !value.trim().is_empty());
    let base_url = set(provider.base_url_from).unwrap_or_else(|| provider.base_url.to_owned());
    let base_url = base_url.trim().trim_end_matches('/').to_owned();
    if !Remote::can_reach(&base_url) {
        // A user and password in it are a key too.
        let shown = base_url.rsplit_once('@').map_or(&*base_url, |(_, host)| host).to_owned();
        return Err(NoModel::BaseUrl { variable: provider.base_url_from, value: shown });
    }
    let no_key = |hint| NoModel::Key(ModelError::NoKey { provider: provider.name.to_owned(), hint });
    let key = match (set(provider.key_from), set(&format!("{}_COMMAND", provider.key_from))) {
        (Some(key), _) => {
            KeySource::Known(Key::new(&key).ok_or_else(|| no_key("The key holds what no key can hold."))?)
        }
        (None, Some(command)) => KeySource::Command((access.command)(&command)),
        (None, None) => match provider.key_hint {
            Some(hint) => return Err(no_key(hint)),
            None => KeySource::Nothing,
        },
    };
    let address = Address {
        id: spec.to_owned(),
        name: name.to_owned(),
        base_url,
        capability: capability::of(provider.name, name),
    };
    Ok(Arc::new(Remote::new((provider.wire)(address), key, access.patience)))
}

/// The variables that hold keys: no command of a model is given them.
pub fn keys() -> impl Iterator<Item = &'static str> {
    PROVIDERS.iter().map(|provider| provider.key_from)
}

fn names() -> String {
    let names: Vec<_> = PROVIDERS.iter().map(|provider| format!("`{}`", provider.name)).collect();
    format!("{}, and `script` for a file that is played", names.join(", "))
}

fn example() -> String {
    PROVIDERS.first().map(|provider| format!("{}:{}", provider.name, provider.example)).unwrap_or_default()
}

/// The table in words, for `--help` and the manual page.
pub fn documentation() -> String {
    let mut page = String::from(
        "The model as PROVIDER:NAME, or script:FILE for a script. NAME is the provider's own name of the model. A key comes \
         from its variable, or from the command in the same variable with _COMMAND at its end; no command of the model \
         is given it.",
    );
    for Provider { name, title, base_url, base_url_from, key_from, key_hint, example, .. } in PROVIDERS {
        let key = if key_hint.is_some() { "" } else { " if it wants one" };
        page += &format!("\n\n{name}:{example}\n  {title}; {key_from}{key}; {base_url_from}, else {base_url}");
    }
    page
}

/// The variable that says where the server of this model is, if it is one on the user's machine.
pub fn local(id: &str) -> Option<&'static str> {
    let (name, _) = id.split_once(':')?;
    let provider = PROVIDERS.iter().find(|provider| provider.name == name)?;
    provider.base_url.starts_with("http://127.0.0.1").then_some(provider.base_url_from)
}
