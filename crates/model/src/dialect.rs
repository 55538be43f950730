//! How servers that speak OpenAI's chat completions differ: one value each. What differs between
//! models (the field of the output limit, reasoning that must go back) is a model's capability.

/// What one server does its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The role of the system prompt.
    pub system: &'static str,
    /// Whether `parallel_tool_calls` is asked for: where it is off by itself.
    pub parallel: bool,
    /// Whether reasoning goes back as it came: `reasoning_details`, or else `reasoning`.
    pub details: bool,
    /// The window that the server gives a model unless it is told otherwise, in tokens: what is
    /// longer is cut at its beginning, and nothing is said.
    pub silent_window: Option<u64>,
}

/// vLLM, LM Studio and whatever nobody knows: what all servers take.
pub const PLAIN: Dialect = Dialect { system: "system", parallel: false, details: false, silent_window: None };

/// OpenAI itself. Its reasoning models take the system prompt as `developer`, and some of them refuse
/// `parallel_tool_calls`; several calls are its default.
pub const OPENAI: Dialect = Dialect { system: "developer", ..PLAIN };

/// llama.cpp: several calls in one answer only if asked for, and started with `--jinja`.
pub const LLAMA_CPP: Dialect = Dialect { parallel: true, ..PLAIN };

/// Ollama. Its OpenAI interface has no way to ask for a window (`num_ctx` is ignored).
pub const OLLAMA: Dialect = Dialect { silent_window: Some(4_096), ..PLAIN };

/// OpenRouter.
pub const OPEN_ROUTER: Dialect = Dialect { details: true, ..PLAIN };
