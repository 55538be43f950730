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
/// Bytes of a plan; a longer plan file is not read, and that is said.
pub const PLAN_BYTES: usize = 8 << 20;
/// How often a plan is shown again to a program whose answer could not be used, before it counts as a
/// no.
pub const PLAN_SHOWN_AGAIN: u32 = 3;
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
/// Bytes of a plan that are put into a conversation (with an approval, after a compaction); the
/// rest is cut, and the cut is said.
pub const PLAN_SHOWN_BYTES: usize = 100_000;
/// Bytes of a model script.
pub const SCRIPT_BYTES: u64 = 64 << 20;
/// Characters of a plan's slug that is read from a log.
pub const SLUG_CHARS: usize = 100;
/// Symlinks followed before a path counts as a loop; the kernel's own limit on Linux (`path_resolution(7)`).
pub const SYMLINKS: usize = 40;
/// Characters of a wrong value that a warning about settings shows.
pub const SHOWN_VALUE_CHARS: usize = 60;
/// Candidates that a message about an ambiguous name lists.
pub const SHOWN_CANDIDATES: usize = 10;
/// Warnings about one session log that are told one by one.
pub const LOG_WARNINGS: usize = 20;
/// Folders that one command line is thought to go to, when its words are held against path rules.
pub const FOLDERS_ENTERED: usize = 8;
/// Names in a folder that a missing one is compared with, to suggest what was meant.
pub const NAMES_COMPARED: usize = 1_000;
/// Files and folders that one `Glob` or `Grep` looks at.
pub const SEARCH_ENTRIES: usize = 1_000_000;
/// Milliseconds a command has to end in order, once it is asked to, before it is killed.
pub const COMMAND_GRACE_MS: u64 = 2_000;
/// Commands that run in the background at once.
pub const BACKGROUND_COMMANDS: usize = 20;
/// Bytes kept of what a background command prints between two looks at it.
pub const BACKGROUND_OUTPUT_BYTES: usize = 8_000;
/// Milliseconds spent on making a diff fine-grained; after that it becomes coarser.
pub const DIFF_MS: u64 = 200;
/// Lines that an `Edit` compares with a text it did not find, to show the most similar one.
pub const LINES_COMPARED: usize = 2_000;
/// Lines of a file shown after a change.
pub const SNIPPET_LINES: usize = 30;
/// Bytes of one output of a notebook cell that `Read` shows.
pub const CELL_OUTPUT_BYTES: usize = 2_000;
/// Characters of a rule that a permission question offers to add.
pub const SUGGESTION_CHARS: usize = 200;
/// Characters of a call's main argument that a refusal repeats.
pub const SUBJECT_CHARS: usize = 200;

/// Bytes of a page that is put into a prompt as it is: a project's instructions, a type of agent.
pub const PAGE_BYTES: u64 = 100_000;
/// Bytes of piped input that are added to a prompt.
pub const PIPED_BYTES: u64 = 10 << 20;
/// Bytes of a repository's configuration file that are looked at.
pub const GIT_CONFIG_BYTES: u64 = 1 << 20;

/// Bytes that are taken for one token where nobody counted them. Prose and code have 3 to 4 to a token;
/// the lower number finds a window full rather early than late.
pub const BYTES_PER_TOKEN: u64 = 3;
/// Tokens of a model's window that are kept free for its answer, at most.
pub const ANSWER_RESERVE_TOKENS: u64 = 20_000;
/// One part in so many of a model's window is left for what an estimate of its tokens may miss.
pub const ESTIMATE_SLACK_SHARE: u64 = 20;
/// One part in so many of a model's window is the least that a summary must be able to free.
pub const COMPACTION_GAIN_SHARE: u64 = 8;
/// Bytes that are left of each long text when a conversation that does not fit is shortened.
pub const SHORTENED_TEXT_BYTES: usize = 400;
/// Files whose names travel along when a conversation is compacted.
pub const FILES_CARRIED: usize = 20;
/// Bytes of the user's last message that travel along when a conversation is compacted.
pub const WORDS_CARRIED_BYTES: usize = 10_000;
/// Times in a row that an answer may be paused by its provider and gone on with.
pub const PAUSES: u32 = 10;
/// Milliseconds that a provider has to count the tokens of a request for `/context`.
pub const TOKEN_COUNT_MS: u64 = 5_000;
/// Pieces of evidence that a plan's dialogue lists.
pub const CITATIONS: usize = 50;
/// Bytes of a result kept free for the id of its evidence.
pub const EVIDENCE_LINE_BYTES: usize = 100;

/// Bytes of a page's address.
pub const URL_BYTES: usize = 2_000;
/// Bytes of a page that `WebFetch` takes from a server; the rest is left there, and that is said.
pub const FETCH_BYTES: usize = 2 << 20;
/// Bytes of a page's text that `WebFetch` shows; the rest is cut, and the cut is said.
pub const PAGE_SHOWN_BYTES: usize = 24_000;
/// Milliseconds a `WebFetch` may take, redirects and conversion included.
pub const FETCH_MS: u64 = 30_000;
/// Redirects that one `WebFetch` follows.
pub const REDIRECTS: usize = 5;
/// Elements within elements of a page that are turned into text; what is deeper is left out.
pub const PAGE_DEPTH: usize = 128;
/// Elements and texts of a page that are turned into text; the rest is left out, and that is said.
pub const PAGE_NODES: usize = 50_000;
/// Characters of a `WebFetch`'s prompt that its result repeats.
pub const FETCH_PROMPT_CHARS: usize = 500;

/// Bytes of all names of a file's extended attributes that are kept when it is replaced; Linux has no longer list.
pub const ATTRIBUTE_NAMES: usize = 64 << 10;
/// Bytes of one extended attribute that is kept when a file is replaced; Linux has no longer one.
pub const ATTRIBUTE_VALUE: usize = 64 << 10;
/// Bytes of files, as they are and as they would be, that an experiment may take to be applied: they
/// are kept in the session log.
pub const EXPERIMENT_BYTES: usize = 8 << 20;
/// Bytes of an experiment's diff that can be shown for approval; a longer one cannot be applied,
/// since nobody could have read it.
pub const EXPERIMENT_SHOWN_BYTES: usize = 200_000;
/// What commands changed in the scratch copy beside an experiment: names that are listed.
pub const EXPERIMENT_OTHERS: usize = 20;

/// Would-be changes of a command in a scratch copy that its result lists.
pub const CHANGES_SHOWN: usize = 50;

/// Bytes of a question about a plan, and of its answer, that the model is told again later; the rest
/// is cut, and the cut is said.
pub const ASIDE_SHOWN_BYTES: usize = 4_000;

/// Bytes of code that are coloured in one text; what follows is plain. Colouring costs about 4 µs a
/// byte, and a text is laid out between two keys.
pub const CODE_BYTES: usize = 64 << 10;
/// Bytes of a line of code that is coloured; a longer one is plain.
pub const CODE_LINE_BYTES: usize = 1_000;

/// Bytes of a project's history of typed texts.
pub const HISTORY_BYTES: u64 = 2 << 20;
/// Typed texts that a project's history gives back.
pub const HISTORY_TEXTS: usize = 1_000;
/// Files of a project that `@` offers.
pub const FILES_OFFERED: usize = 20_000;

/// Bytes of one event of a model's answer, and of one of its lines.
pub const EVENT_BYTES: usize = 32 << 20;
/// Bytes of a whole answer of a model, as its provider sends it.
pub const ANSWER_BYTES: usize = 256 << 20;
/// Bytes of a provider's error that are read.
pub const ERROR_BODY_BYTES: usize = 64 << 10;
/// Characters of a provider's error that a person is shown.
pub const ERROR_SHOWN_CHARS: usize = 600;
/// Tries of one request, the first included.
pub const MODEL_TRIES: u32 = 8;
/// Tries where a provider says that there are too many requests, and not until when.
pub const MODEL_TRIES_UNSAID: u32 = 2;
/// Tries where a provider cannot be reached: it may not be there at all.
pub const MODEL_TRIES_UNREACHED: u32 = 4;
/// Milliseconds before the second try of a request; they double from there.
pub const RETRY_MS: u64 = 1_000;
/// The longest wait between two tries of our own choosing, in milliseconds.
pub const RETRY_MS_MAX: u64 = 32_000;
/// The longest wait that a provider may ask for before the user is asked instead, in milliseconds.
pub const RETRY_AFTER_MS_MAX: u64 = 300_000;
/// Milliseconds that a command has to print a key: a person may have to allow it.
pub const KEY_COMMAND_MS: u64 = 120_000;
/// Bytes that a command may print as a key.
pub const KEY_BYTES: usize = 16 << 10;
/// Milliseconds to reach a provider.
pub const CONNECT_MS: u64 = 20_000;
/// Milliseconds until an answer begins: a model on a small machine reads a long prompt slowly.
pub const ANSWER_BEGINS_MS: u64 = 600_000;
/// Milliseconds without a byte, after which an answer has stalled: a model may think in silence.
pub const ANSWER_STALLS_MS: u64 = 300_000;
/// Tokens that an answer may have, thinking included, whatever more its model could write.
pub const ANSWER_TOKENS: u64 = 64_000;
/// Tokens that a model whose thinking is budgeted may think with.
pub const THINKING_TOKENS: u32 = 8_000;
/// Parts of a tool's schema that are sent; what lies beyond them is left open.
pub const SCHEMA_NODES: usize = 2_000;
/// How deep they may stand in each other.
pub const SCHEMA_DEPTH: usize = 64;
/// Bytes of a provider's id of a call; a longer one is replaced by one of our own.
pub const CALL_ID_BYTES: usize = 256;

/// Answers in a row whose calls are cut at the output limit, before the turn is ended.
pub const CUT_ANSWERS: u32 = 4;
