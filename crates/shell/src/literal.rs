//! A short closed list of literal commands: what counts until the judge proper is here.

use crate::{Context, Reason, Verdict, parts};

/// Commands whose every plain operand is only read. Options must be in the list beside the name.
const READERS: &[(&str, &[&str])] = &[
    ("cat", &["-n"]),
    ("grep", &["-n", "-r", "-rn", "-i", "-l", "-c"]),
    ("head", &[]),
    ("ls", &["-a", "-l", "-la", "-R", "-1"]),
    ("pwd", &[]),
    ("wc", &["-l", "-c", "-w"]),
];

/// Commands that are read-only exactly as written.
const EXACT: &[&str] = &["git log", "git log --oneline", "git log -1", "git status", "git branch --show-current"];

/// Programs that change files, or the machine, whatever their arguments.
const WRITERS: &[&str] = &[
    "chmod", "chown", "cp", "dd", "install", "ln", "mkdir", "mv", "rm", "rmdir", "shred", "tee", "touch", "truncate",
    "unlink",
];

/// `git` sub-commands that change the repository or the work tree.
const GIT_WRITERS: &[&str] = &[
    "add",
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "fetch",
    "gc",
    "init",
    "merge",
    "mv",
    "pull",
    "push",
    "rebase",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "switch",
];

pub(crate) fn judge(command: &str, context: &Context) -> Verdict {
    let reason = |word: &str, message: String| Reason {
        span: command.find(word).map_or(0..command.len(), |at| at..at + word.len()),
        word: word.to_owned(),
        message,
        instead: None,
    };
    if context.user_read_only.iter().any(|own| own == command) {
        return Verdict::ReadOnly;
    }
    let split = match parts(command) {
        Ok(split) => split,
        Err(unparsed) => {
            let head = command.split_whitespace().next().unwrap_or_default();
            if command.contains('>') && !command.contains(['\'', '"', '$', '`', '(']) {
                return Verdict::Mutating(reason(">", "the output goes to a file".to_owned()));
            }
            if WRITERS.contains(&head) {
                return Verdict::Mutating(reason(head, format!("{head} changes files")));
            }
            return Verdict::Unknown(reason(&command[unparsed.at..], unparsed.message));
        }
    };
    if split.is_empty() {
        return Verdict::Unknown(reason("", "there is no command".to_owned()));
    }
    let mut unknown = None;
    for part in &split {
        let (head, rest) = part.words.split_first().expect("a part has at least one word");
        if WRITERS.contains(&head.as_str()) {
            return Verdict::Mutating(reason(head, format!("{head} changes files")));
        }
        if head == "git" && rest.first().is_some_and(|sub| GIT_WRITERS.contains(&sub.as_str())) {
            return Verdict::Mutating(reason(
                &part.text,
                format!("git {} changes the repository or its files", rest[0]),
            ));
        }
        if head == "sed" && rest.iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place")) {
            return Verdict::Mutating(reason("sed", "sed -i rewrites its files".to_owned()));
        }
        let listed = READERS.iter().find(|(name, _)| name == head).is_some_and(|(_, options)| {
            part.globs.is_empty() && rest.iter().all(|word| !word.starts_with('-') || options.contains(&word.as_str()))
        });
        if !listed && !EXACT.contains(&part.words.join(" ").as_str()) {
            unknown.get_or_insert_with(|| {
                reason(head, format!("{head} is not on the list of commands known to read only"))
            });
        }
    }
    unknown.map_or(Verdict::ReadOnly, Verdict::Unknown)
}
