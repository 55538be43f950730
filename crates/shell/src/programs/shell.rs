//! Builtins of the shell, and programs that start other programs.

use super::{Row, Rule, checked, options, row, unprovable};
use crate::check;

pub(super) const ROWS: &[Row] = &[
    row(
        "echo true false : pwd break continue",
        "prints, or does nothing",
        Rule::Names,
    ),
    row(
        "exit return",
        "ends the shell",
        Rule::Exact(&["", "0", "1", "2", "…"]),
    ),
    checked(
        "printf",
        "prints by a format",
        check::printf,
        "a known format without %n; not -v",
    ),
    checked(
        "test [",
        "tests files and texts",
        check::test,
        "plain forms joined by -a and -o; not -v; numbers only where they are known to be numbers",
    ),
    checked(
        "cd pushd popd",
        "moves the shell",
        check::cd,
        "any directory; git after it only where the caller answers for the place",
    ),
    row(
        "dirs",
        "lists the directory stack",
        Rule::Exact(&["", "-v", "-p", "-l"]),
    ),
    checked(
        "read mapfile readarray",
        "reads lines into variables",
        check::read,
        "plain variables that mean nothing to the shell",
    ),
    row(
        "set",
        "sets options of the shell",
        Rule::Exact(&[
            "-e",
            "-u",
            "-f",
            "-eu",
            "-ue",
            "-x",
            "+x",
            "+e",
            "+u",
            "-o pipefail",
            "+o pipefail",
            "-o errexit",
            "-o nounset",
            "-eo pipefail",
            "-euo pipefail",
            "-uo pipefail",
            "-exo pipefail",
            "-euxo pipefail",
            "-o",
            "-ex",
            "-eux",
        ]),
    ),
    row(
        "shift wait times jobs",
        "waits, or shows jobs",
        Rule::Exact(&["", "-l", "-p", "-r"]),
    ),
    row(
        "umask",
        "shows the mask of new files",
        Rule::Exact(&["", "-S", "-p"]),
    ),
    row(
        "ulimit",
        "shows limits",
        Rule::Exact(&["", "-a", "-n", "-s", "-u", "-Sa", "-Ha", "-Sn", "-Hn"]),
    ),
    row("alias", "lists aliases", Rule::Exact(&["", "-p"])),
    row("type which whereis", "says what a name means", Rule::Names),
    row(
        "declare typeset",
        "shows variables",
        Rule::Exact(&["-p", "-F", "-f"]),
    ),
    row(
        "history",
        "shows past lines",
        Rule::Exact(&["", "5", "10", "20", "50", "100"]),
    ),
    row("help", "explains builtins", Rule::Names),
    row("shopt", "shows options", Rule::Exact(&["", "-p"])),
    row(
        "getopts let unset export readonly local",
        "changes variables of the shell",
        Rule::Unprovable {
            clause: "changes variables in a way that is not followed",
            instead: "",
        },
    ),
    unprovable(
        "eval source . trap enable complete compgen compopt bind fc unalias disown suspend logout caller",
        "runs or prepares commands that are not in view",
        "",
    ),
    checked(
        "command builtin",
        "runs a program or builtin",
        check::command,
        "-v, -V, or a command that reads only",
    ),
    checked(
        "env",
        "runs a program with other settings",
        check::env,
        "settings of language and colour, then a command that reads only",
    ),
    checked(
        "nice timeout gtimeout stdbuf ionice",
        "runs a program under limits",
        check::wrapper,
        "a command that reads only",
    ),
    checked(
        "xargs",
        "runs a program on words from its input",
        check::xargs,
        "a command that reads only, whatever further words it gets",
    ),
    checked(
        "bash sh dash",
        "runs a script",
        check::shell,
        "-c with a known script that reads only; -n; --version",
    ),
    checked(
        "sudo doas exec nohup setsid chrt taskset watch flock setarch linux32 linux64 runuser su busybox toybox unshare nsenter chroot strace ltrace perf script parallel prlimit time systemd-run dbus-run-session caffeinate ssh-agent fakeroot proot firejail entr chronic noglob nocorrect",
        "runs a program in another way",
        check::sudo,
        "never proved",
    ),
    row("sleep", "waits", options(&[""], "", "")),
];
