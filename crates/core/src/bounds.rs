//! Every limit, at one address.

/// Bytes of one tool result that reach the model; the rest is cut, and the cut is said.
pub const RESULT_BYTES: usize = 30_000;
/// Lines `Read` returns when no limit is given.
pub const READ_LINES: usize = 2_000;
/// Characters of one line that `Read` and `Grep` show.
pub const LINE_CHARS: usize = 2_000;
/// Bytes of a file that `Read`, `Edit` and `Grep` will open.
pub const FILE_BYTES: u64 = 64 << 20;
/// Paths that one `Glob` returns.
pub const GLOB_PATHS: usize = 1_000;
/// Lines that one `Grep` returns when no `head_limit` is given.
pub const GREP_LINES: usize = 1_000;
/// Bytes kept of what a command prints; the middle is cut.
pub const COMMAND_OUTPUT_BYTES: usize = 30_000;
/// Milliseconds a command may run when the call names no time-out.
pub const COMMAND_MS: u64 = 120_000;
/// The longest time-out a call may name, in milliseconds.
pub const COMMAND_MS_MAX: u64 = 600_000;
/// Bytes of a command line.
pub const COMMAND_LINE_BYTES: usize = 100_000;
/// Model requests in one turn before the turn is ended, when the user set no `--max-turns`.
pub const TURN_REQUESTS: u32 = 500;
/// How deep agents may start agents.
pub const AGENT_DEPTH: usize = 3;
/// Bytes of a plan that are read; a longer plan file is cut, and the cut is said.
pub const PLAN_BYTES: usize = 8 << 20;
/// Lines of a plan when `plan.length` is `cap`.
pub const PLAN_CAP_LINES: usize = 40;
/// Tries to find a slug that no file has yet.
pub const SLUG_TRIES: usize = 10;
/// Bytes of one line of a session log.
pub const LOG_LINE_BYTES: usize = 64 << 20;
/// Subagents that run at once; the others wait.
pub const AGENTS_AT_ONCE: usize = 10;
/// Bytes of a settings file that are read; a longer one is not used, and that is said.
pub const SETTINGS_BYTES: u64 = 4 << 20;
/// Characters of a folder's name made from a path; a longer one is cut and told apart by a digest.
pub const FOLDER_NAME_CHARS: usize = 200;
/// Characters of a session's first prompt that a list of sessions shows.
pub const SESSION_TITLE_CHARS: usize = 120;
