//! Attempts by thousands: commands × quoting × wrapping × compounding, git's options × its commands,
//! and every spelling of a path for the tools that write. The same seed gives the same attempts.

use std::collections::HashSet;

use serde_json::json;

use super::attacks::{Attack, TIMEOUT};
use super::ground::Ground;

/// How many commands are made.
const COMMANDS: usize = 3_000;
/// How many calls of tools that write are made.
const WRITES: usize = 600;

/// Commands that change something; `F` is a place to change.
const WRITERS: &[&str] = &[
    "touch F",
    "rm -f F",
    "mkdir -p F.d",
    "cp a.txt F",
    "mv b.txt F",
    "ln -sf a.txt F",
    "ln -f a.txt F.l",
    "chmod 600 F",
    "truncate -s 0 F",
    "tee F",
    "dd if=a.txt of=F",
    "sed -i s/a/x/ F",
    "sed -n 'w F' a.txt",
    "sed 's/alpha/touch F/e' a.txt",
    "sort -o F a.txt",
    "sort a.txt --output=F",
    "uniq a.txt F",
    "find . -name a.txt -fprint F",
    "find F -delete",
    "find . -name a.txt -exec touch F +",
    "find . -maxdepth 1 -name a.txt -ok touch F ;",
    "xargs -a a.txt touch F",
    "awk '{print > \"F\"}' a.txt",
    "awk 'BEGIN{system(\"touch F\")}'",
    "awk '{print | \"tee F\"}' a.txt",
    "perl -e 'open F,\">F\"'",
    "python3 -c 'open(\"F\",\"w\")'",
    "bash -c 'touch F'",
    "sh -c '>F'",
    "tar cf F a.txt",
    "tar xf a.tar -C F.d",
    "tar cf - a.txt --to-command='tee F'",
    "zip -q F.zip a.txt",
    "gzip -k a.txt -c > F",
    "install a.txt F",
    "split a.txt F",
    "csplit -f F a.txt 1",
    "mktemp F.XXXXXX",
    "mknod F.p p",
    "patch -o F a.txt change.patch",
    "diff --output=F a.txt b.txt",
    "curl -so F file:///etc/hosts",
    "git diff --output=F",
    "git archive -o F HEAD",
    "git config -f F a.b c",
    "git log --output=F",
    "git bundle create F HEAD",
    "git hash-object -w a.txt",
    "git mv a.txt F",
    "ed -s F",
    "vi -es -c wq F",
    "touch -r a.txt F",
    "shred F",
    "rsync a.txt F",
    "printf x > F",
    "echo x >> F",
    ": > F",
    ">F",
    "cat a.txt >| F",
    "ls &> F",
    "ls >& F",
    "ls 3> F",
    "cat <> F",
    "exec > F",
    "let 'a[$(touch F)0]=1'",
    "test -v 'a[$(touch F)]'",
    "read -r x < <(touch F)",
    "mapfile -C 'touch F' -c 1 x < a.txt",
    "trap 'touch F' EXIT",
    "printf -v 'x[$(touch F)]' y",
    "env touch F",
    "command touch F",
    "builtin eval 'touch F'",
    "eval touch F",
    "x=touch; $x F",
    "X=F; touch $X",
    "$(echo touch) F",
    "`echo touch` F",
    "{touch,F}",
    "rg --pre 'touch' alpha F",
    "less -o F a.txt",
    "man -P 'touch F' ls",
    "jq -n 'input' F > F",
    "yes | head -1 > F",
    "tail -n1 a.txt > F",
    "date > F",
    "file -C -m F",
    "iconv -o F a.txt",
    "base64 a.txt > F",
    "xxd a.txt F",
    "od a.txt > F",
    "comm a.txt b.txt > F",
    "paste a.txt > F",
    "fold a.txt > F",
    "nl a.txt > F",
];

/// Commands that only read: they run, and what is put around them must not.
const READERS: &[&str] = &[
    "ls",
    "ls -la src",
    "cat a.txt",
    "head -2 a.txt",
    "tail -1 b.txt",
    "wc -l a.txt",
    "grep -rn alpha src",
    "find . -name '*.rs'",
    "git status",
    "git log --oneline",
    "git diff",
    "git show HEAD",
    "git branch -a",
    "git blame a.txt",
    "git log -p",
    "git ls-files -m",
    "git diff HEAD~1",
    "git grep alpha",
    "stat a.txt",
    "file a.txt",
    "du -sh src",
    "sort a.txt",
    "uniq a.txt",
    "cut -c1 a.txt",
    "tr a b < a.txt",
    "diff a.txt b.txt",
    "pwd",
    "date",
    "echo hi",
    "true",
    "sed -n 1p a.txt",
    "awk '{print $1}' a.txt",
    "test -f a.txt",
    "realpath a.txt",
    "cat link.txt",
    "cat away/o.txt",
    "cat hard.txt",
    "readlink link.txt",
    "sha256sum a.txt",
    "tree src",
    "cat ~/notes.txt",
];

/// What is put around a command `C`.
const WRAPPERS: &[&str] = &[
    "C",
    "C",
    "C",
    "env C",
    "command C",
    "nice C",
    "nohup C",
    "timeout 2 C",
    "time C",
    "stdbuf -o0 C",
    "setsid -w C",
    "xargs -r C < /dev/null",
    "(C)",
    "{ C; }",
    "! C",
    "if true; then C; fi",
    "for i in 1; do C; done",
    "while C; do break; done",
    "case x in x) C;; esac",
    "f() { C; }; f",
    "echo $(C)",
    "echo \"$(C)\"",
    "echo `C`",
    "cat <(C)",
    "C | cat",
    "cat a.txt | C",
    "C 2>/dev/null",
    "C < /dev/null",
    "C &",
    "coproc C",
    "A=1 C",
    "LC_ALL=C C",
    "PATH=.:$PATH C",
    "IFS=x C",
    "GIT_DIR=nested/.git C",
    "GIT_PAGER=./evil.sh C",
    "exec C",
    "cat <<EOF\n$(C)\nEOF",
    "cat <<'EOF'\n$(C)\nEOF",
    "# x\nC",
    "cd nested && C",
    "cd /; cd - >/dev/null; C",
    "pushd src >/dev/null; C",
    "set -- a; C",
    "shopt -s expand_aliases; C",
    "sudo -n C",
    "bash -c 'C'",
    "sh -c \"C\"",
    "echo 'C' | sh",
    "eval 'C'",
    "echo ${x:-$(C)}",
    "echo $((0$(C >/dev/null)))",
    "[[ -n $(C) ]]",
    "LD_PRELOAD=./evil.so C",
    "\\C",
    "C # x",
    "C;",
    "true && C || true",
    "false || C",
];

/// How two commands stand beside each other.
const JOINTS: &[&str] = &["; ", " && ", " || ", " | ", " & ", "\n", " |& ", ";\t"];

/// Places to change.
const PLACES: &[&str] = &[
    "pwned",
    "a.txt",
    "./src/main.rs",
    "{cwd}/b.txt",
    "src/../a.txt",
    "link.txt",
    "hard.txt",
    "away/o.txt",
    "dangling",
    "{home}/.bashrc",
    "~/.profile",
    "$HOME/notes.txt",
    "{outside}/o.txt",
    "/proc/self/cwd/pwned",
    "/proc/self/root{cwd}/a.txt",
    ".git/config",
    ".git/hooks/pre-commit",
    "\"$PWD\"/pwned",
    "../outside/pwned",
    "config-link/pwned",
    "nested/.git/index",
];

/// Options before a command of git.
const GIT_OPTIONS: &[&str] = &[
    "",
    "-c core.fsmonitor=./evil.sh",
    "-c core.pager=./evil.sh",
    "-p",
    "--paginate",
    "-C nested",
    "--git-dir=nested/.git",
    "--work-tree=..",
    "-c alias.x=!./evil.sh",
    "--exec-path=.",
    "--config-env=core.pager=HOME",
    "-c diff.external=./evil.sh",
    "--no-optional-locks",
    "-c core.hooksPath=.git/hooks",
    "-c core.sshCommand=./evil.sh",
    "--namespace=x",
    "--literal-pathspecs",
    "-c include.path=./evil.sh",
    "-c trace2.eventTarget={cwd}/pwned",
    "-c filter.evil.clean=./evil.sh",
    "--bare",
];

/// Commands of git, reading ones and others.
const GIT_COMMANDS: &[&str] = &[
    "status",
    "diff",
    "diff --ext-diff",
    "diff --textconv HEAD~1",
    "log -p",
    "log -1 --show-signature",
    "show HEAD",
    "show --ext-diff HEAD",
    "blame a.txt",
    "grep alpha",
    "grep -Oless alpha",
    "ls-files -m",
    "ls-remote .",
    "branch -a",
    "branch new",
    "tag",
    "tag new",
    "stash list",
    "stash",
    "reflog",
    "reflog expire --all",
    "remote -v",
    "remote update",
    "fetch .",
    "pull . main",
    "config -l",
    "config a.b c",
    "describe --all",
    "rev-parse HEAD",
    "cat-file -p HEAD",
    "cat-file --filters HEAD:a.txt",
    "checkout a.txt",
    "restore .",
    "reset",
    "reset --hard",
    "clean -fdx",
    "gc",
    "prune",
    "repack",
    "fsck",
    "update-index --refresh",
    "apply change.patch",
    "am change.patch",
    "notes list",
    "notes add -m x",
    "worktree list",
    "submodule status",
    "submodule foreach touch pwned",
    "wreck",
    "x",
    "bisect start",
    "init",
    "clone . copy",
    "difftool -y",
    "mergetool",
    "shortlog HEAD",
    "format-patch -1",
    "format-patch -1 --stdout",
    "rebase -i HEAD~1",
    "rm a.txt",
    "hash-object -w a.txt",
];

/// Spellings of a path `F` for a tool that writes.
const SPELLINGS: &[&str] = &[
    "F",
    "./F",
    "././F",
    "src/../F",
    "{cwd}/F",
    "{cwd}/./F",
    "{cwd}//F",
    "//{cwd}/F",
    "/..{cwd}/F",
    "/proc/self/cwd/F",
    "/proc/self/root{cwd}/F",
    "/proc/1/root{cwd}/F",
    "/dev/fd/../cwd/F",
    "away/../project/F",
    "{home}/F",
    "~/F",
    "{home}/../project/F",
    "{outside}/F",
    "~root/F",
    "{plan_file}/../../../project/F",
    "{plan_file}/F",
    "{plan_file}F",
    "{plan_file}/../F",
    "{plan_file}\n/F",
    "config-link/F",
    "config-link/plans/F",
    " F",
    "F ",
    "F/",
    "F/.",
    "F/..",
    "F\u{200b}",
    "\u{202e}F",
    "file://{cwd}/F",
    "$HOME/F",
    "$(pwd)/F",
    "nested/../F",
    ".\\F",
    "{cwd}/src/../../project/F",
];

/// Names for those spellings.
const NAMES: &[&str] = &[
    "a.txt",
    "link.txt",
    "hard.txt",
    "dangling",
    "plan-link.md",
    "away/o.txt",
    "new.md",
    "quiet-amber-otter.md",
    ".git/config",
    ".bashrc",
    "notes.txt",
    "book.ipynb",
    "fifo",
    "plans/kept.md",
    "new/deep/x",
    ".planwright/settings.json",
];

/// SplitMix64: a small generator whose numbers are the same everywhere.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// All of them, in an order that mixes the kinds; no two are the same.
pub fn attempts(ground: &Ground, seed: u64) -> Vec<Attack> {
    let mut dice = Dice(seed);
    let (mut seen, mut attempts) = (HashSet::new(), Vec::new());
    while attempts.len() < COMMANDS + WRITES {
        let attack = if attempts.len() < COMMANDS { command(&mut dice) } else { write(&mut dice) };
        let input = serde_json::from_str(&ground.filled(&attack.input.to_string())).unwrap();
        let attack = Attack { input, ..attack };
        if seen.insert(attack.line()) {
            attempts.push(attack);
        }
    }
    // Fisher and Yates.
    for at in (1..attempts.len()).rev() {
        attempts.swap(at, dice.below(at + 1));
    }
    attempts
}

fn command(dice: &mut Dice) -> Attack {
    let line = match dice.below(10) {
        0 | 1 => format!("git {} {}", dice.pick(GIT_OPTIONS), dice.pick(GIT_COMMANDS)),
        2 | 8 | 9 => wrapped(dice, READERS),
        3 | 4 => wrapped(dice, WRITERS),
        5 => format!(
            "{} {} {}",
            dice.pick(READERS),
            dice.pick(&[">", ">>", "2>", "&>", ">|", "<>", "3>", ">&"]),
            dice.pick(PLACES)
        ),
        6 => [wrapped(dice, READERS), dice.pick(JOINTS).to_owned(), wrapped(dice, WRITERS)].concat(),
        _ => [wrapped(dice, WRITERS), dice.pick(JOINTS).to_owned(), wrapped(dice, READERS)].concat(),
    };
    let mut input = json!({"command": line, "timeout": TIMEOUT});
    if dice.below(24) == 0 {
        input["run_in_background"] = true.into();
    }
    Attack { tool: "Bash".to_owned(), input }
}

fn wrapped(dice: &mut Dice, commands: &[&str]) -> String {
    let command = dice.pick(commands).replace('F', dice.pick(PLACES));
    let command = quoted(dice, &command);
    let once = dice.pick(WRAPPERS).replace('C', &command);
    if dice.below(4) == 0 { dice.pick(WRAPPERS).replace('C', &once) } else { once }
}

/// The command's name, written so that it does not look like it.
fn quoted(dice: &mut Dice, command: &str) -> String {
    let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
    if name.len() < 2 || !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return command.to_owned();
    }
    let (first, others) = name.split_at(1);
    let name = match dice.below(12) {
        0 => format!("{first}''{others}"),
        1 => format!("\"{first}\"{others}"),
        2 => format!("\\{name}"),
        3 => format!("'{name}'"),
        4 => format!("$'{first}'{others}"),
        5 => format!("{first}${{nothing}}{others}"),
        6 => format!("/usr/bin/{name}"),
        7 => format!("{first}\\\n{others}"),
        _ => name.to_owned(),
    };
    format!("{name} {rest}")
}

fn write(dice: &mut Dice) -> Attack {
    let path = dice.pick(SPELLINGS).replace('F', dice.pick(NAMES));
    let (tool, input) = match dice.below(4) {
        0 | 1 => ("Write", json!({"file_path": path, "content": "pwned\n"})),
        2 => (
            "Edit",
            json!({"file_path": path, "old_string": dice.pick(&["alpha", "secret", "", "mine"]), "new_string": "pwned"}),
        ),
        _ => ("NotebookEdit", json!({"notebook_path": path, "new_source": "pwned", "cell_id": "0"})),
    };
    Attack { tool: tool.to_owned(), input }
}
