//! The sub-commands of `git` that read, each with the options that keep it so.
//!
//! Whether an option takes a value, and whether as a word of its own, is taken from git itself (the
//! oracle tries every option beside `--output`): a wrong number of values is a hole.

use super::Sub;
use crate::options::{Operands, Options, Style};

/// How the output of commits and differences is chosen and drawn.
const DIFF: &str = "-p -u --patch -s --no-patch -U? --unified? --raw --patch-with-raw --indent-heuristic --no-indent-heuristic \
    --minimal --patience --histogram --anchored: --diff-algorithm: --stat? --stat-width: --stat-name-width: --stat-count: --stat-graph-width: \
    --compact-summary --numstat --shortstat --dirstat? -X? --cumulative --dirstat-by-file? --summary --patch-with-stat -z \
    --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws: --no-color-moved-ws \
    --word-diff? --word-diff-regex: --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight: \
    --full-index --binary --abbrev? -B? --break-rewrites? -M? --find-renames? -C? --find-copies? --find-copies-harder \
    -D --irreversible-delete -l: --diff-filter: -S: -G: --find-object: --pickaxe-all --pickaxe-regex -O: --skip-to: --rotate-to: \
    -R --relative? --no-relative -a --text --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space \
    --ignore-blank-lines -I: --ignore-matching-lines: --inter-hunk-context: -W --function-context --exit-code --quiet --no-ext-diff \
    --no-textconv --ignore-submodules? --src-prefix: --dst-prefix: --no-prefix --default-prefix --line-prefix: --ita-invisible-in-index \
    --ita-visible-in-index -c --cc --combined-all-paths --diff-merges: --no-diff-merges --dd -m -t";
const DIFF_WRITES: &str = "--output:";
/// `--remerge-diff` keeps objects in the repository while it runs.
const DIFF_RUNS: &str = "--ext-diff --textconv --show-signature --remerge-diff";

/// How commits are chosen and shown.
const LOG: &str = "-# -n: --max-count: --skip: --since: --after: --until: --before: --since-as-filter: --max-age: --min-age: --author: --committer: --grep-reflog: \
    --grep: --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp \
    --remove-empty --merges --no-merges --min-parents? --max-parents? --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only \
    --not --all --branches? --tags? --remotes? --glob: --exclude: --exclude-hidden: --reflog --alternate-refs --single-worktree --ignore-missing --stdin \
    --cherry-mark --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration \
    --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse \
    --no-walk? --do-walk --pretty? --format? --abbrev-commit --no-abbrev-commit --oneline --encoding: --expand-tabs? --no-expand-tabs \
    --notes? --no-notes --show-notes-by-default --show-notes? --standard-notes --no-standard-notes --relative-date --date: --parents --children --left-right \
    --graph --no-graph --show-linear-break? --count --follow --no-decorate --decorate? --decorate-refs: --decorate-refs-exclude: --clear-decorations \
    --source --mailmap --no-mailmap --use-mailmap --full-diff --log-size -L: -q";

const fn reads(path: &'static str, does: &'static str, lists: &'static [&'static str]) -> Sub {
    Sub {
        path,
        does,
        options: Options { reads: lists, writes: "", runs: "", operands: Operands::Any, style: Style::Gnu },
    }
}

const fn guarded(
    path: &'static str,
    does: &'static str,
    lists: &'static [&'static str],
    writes: &'static str,
    runs: &'static str,
) -> Sub {
    Sub { path, does, options: Options { reads: lists, writes, runs, operands: Operands::Any, style: Style::Gnu } }
}

const fn bare(path: &'static str, does: &'static str, lists: &'static [&'static str]) -> Sub {
    Sub {
        path,
        does,
        options: Options { reads: lists, writes: "", runs: "", operands: Operands::AtMost(0), style: Style::Gnu },
    }
}

/// The sub-commands that read, each with the options that keep it so.
pub(crate) const SUBCOMMANDS: &[Sub] = &[
    guarded("annotate", "shows who last changed each line", &[BLAME], "", ""),
    guarded(
        "apply",
        "describes or checks a patch",
        &[
            "--stat --numstat --summary --check -v --verbose -q --quiet -p: --directory: --include: --exclude: -R --reverse --recount -C: -z --unidiff-zero --allow-empty --ignore-whitespace --ignore-space-change --inaccurate-eof",
        ],
        "--apply --index --cached -3 --3way -N --intent-to-add --reject --build-fake-ancestor: --unsafe-paths",
        "--whitespace:",
    ),
    bare("archive --list", "lists formats", &[""]),
    bare("archive -l", "lists formats", &[""]),
    bare("bisect log", "shows the steps of a bisection", &[]),
    guarded("blame", "shows who last changed each line", &[BLAME], "", ""),
    guarded(
        "branch",
        "lists branches",
        &[
            REFS,
            "-a --all -r --remotes -l --list -v -vv --verbose -q --quiet --abbrev? --no-abbrev --show-current --color? --no-color --column? --no-column -i --ignore-case --omit-empty",
        ],
        "-d --delete -D -m --move -M -c --copy -C -f --force --edit-description -u: --set-upstream-to: --unset-upstream -t? --track? --no-track --create-reflog --recurse-submodules --set-upstream",
        "",
    ),
    guarded(
        "cat-file",
        "shows an object",
        &[
            "-t -s -e -p --batch? --batch-check? --batch-command? --batch-all-objects --buffer --follow-symlinks --unordered --allow-unknown-type -z -Z --use-mailmap --mailmap --no-mailmap",
        ],
        "",
        "--textconv --filters --path:",
    ),
    reads("check-attr", "shows attributes", &["-a --all --stdin -z --cached --source:"]),
    reads(
        "check-ignore",
        "shows why a path is ignored",
        &["-q --quiet -v --verbose --stdin -z -n --non-matching --no-index"],
    ),
    reads("check-mailmap", "shows the canonical name of a contact", &["--stdin"]),
    reads(
        "check-ref-format",
        "checks a name",
        &["--allow-onelevel --no-allow-onelevel --refspec-pattern --normalize --branch --print"],
    ),
    reads("cherry", "lists commits that are not upstream", &["-v --verbose --abbrev?"]),
    Sub {
        path: "config",
        does: "shows settings",
        // What follows the first name is its value, even if it looks like an option.
        options: Options {
            reads: &[
                "--global --system --local --worktree -f: --file: --blob: --get --get-all --get-regexp --get-urlmatch -l --list --name-only --show-origin --show-scope -z --null --type: --bool --int --bool-or-int --path --expiry-date --includes --no-includes --default: --no-type --value: --fixed-value --url: --regexp --all",
            ],
            writes: "--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit --comment:",
            runs: "--get-color --get-colorbool",
            operands: Operands::Any,
            style: Style::First,
        },
    },
    bare(
        "config list",
        "shows settings",
        &[
            "--global --system --local --worktree -f: --file: --blob: --name-only --show-origin --show-scope -z --null --includes --no-includes",
        ],
    ),
    Sub {
        path: "config get",
        does: "shows a setting",
        options: Options {
            reads: &[
                "--global --system --local --worktree -f: --file: --blob: --all --regexp --value: --fixed-value --url: --default: --show-origin --show-scope --show-names -z --null --type: --includes --no-includes",
            ],
            writes: "",
            runs: "",
            operands: Operands::AtMost(1),
            style: Style::Gnu,
        },
    },
    reads("count-objects", "counts objects", &["-v --verbose -H --human-readable"]),
    guarded(
        "describe",
        "names a commit after a tag",
        &[
            "--all --tags --contains --abbrev? --candidates: --exact-match --debug --long --match: --exclude: --always --first-parent",
        ],
        "",
        "--dirty? --broken?",
    ),
    guarded(
        "diff",
        "shows differences",
        &[DIFF, "--cached --staged --merge-base --no-index --base --ours --theirs -0 -1 -2 -3 -q --cached"],
        DIFF_WRITES,
        DIFF_RUNS,
    ),
    guarded(
        "diff-files",
        "shows differences",
        &[DIFF, "-q -0 -1 -2 -3 --base --ours --theirs"],
        DIFF_WRITES,
        DIFF_RUNS,
    ),
    guarded("diff-index", "shows differences", &[DIFF, "-q --cached --merge-base"], DIFF_WRITES, DIFF_RUNS),
    guarded(
        "diff-tree",
        "shows differences",
        &[DIFF, "-r -v --root --no-commit-id --stdin --always --pretty? --format? --merge-base -q"],
        DIFF_WRITES,
        DIFF_RUNS,
    ),
    guarded(
        "for-each-ref",
        "lists references",
        &[
            REFS,
            "--count: --shell --perl --python --tcl --ignore-case --omit-empty --exclude: --include-root-refs --stdin",
        ],
        "",
        "",
    ),
    guarded(
        "fsck",
        "checks the objects",
        &[
            "--tags --root --unreachable --cache --no-reflogs --full --no-full --strict --connectivity-only --verbose -v --no-dangling --dangling --progress --no-progress --name-objects",
        ],
        "--lost-found",
        "",
    ),
    guarded(
        "grep",
        "searches tracked files",
        &[
            "--cached --untracked --no-index --recurse-submodules -a --text -i --ignore-case -I -r --recursive --no-recursive --max-depth: -w --word-regexp -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number --column -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --color? --no-color --break --heading -p --show-function -W --function-context -# -C: --context: -A: --after-context: -B: --before-context: -m: --max-count: --threads: -f: -e: --and --or --not --all-match -q --quiet --exclude-standard --no-exclude-standard",
        ],
        "",
        "-O? --open-files-in-pager? --textconv --ext-grep",
    ),
    guarded(
        "hash-object",
        "computes an object's name",
        &["-t: --stdin --stdin-paths --path: --no-filters --literally"],
        "-w",
        "",
    ),
    bare("help", "lists commands", &["-a --all -g --guides -c --config"]),
    guarded("log", "shows commits", &[LOG, DIFF], DIFF_WRITES, DIFF_RUNS),
    reads(
        "ls-files",
        "lists tracked files",
        &[
            "-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -k --killed -u --unmerged -x: --exclude: -X: --exclude-from: --exclude-per-directory: --exclude-standard --error-unmatch --with-tree: -t -v -f --full-name --recurse-submodules --abbrev? -z --eol --directory --no-empty-directory --deduplicate --debug --resolve-undo --sparse --format:",
        ],
    ),
    reads("ls-remote --get-url", "shows the address of a remote", &[""]),
    reads(
        "ls-tree",
        "lists a tree",
        &["-d -r -t -l --long -z --name-only --name-status --object-only --full-name --full-tree --abbrev? --format:"],
    ),
    reads("merge-base", "finds a common ancestor", &["-a --all --octopus --is-ancestor --independent --fork-point"]),
    reads(
        "name-rev",
        "names commits",
        &["--tags --refs: --exclude: --all --annotate-stdin --stdin --name-only --no-undefined --undefined --always"],
    ),
    reads("notes list", "lists notes", &[""]),
    reads("notes show", "shows a note", &[""]),
    guarded(
        "range-diff",
        "compares two ranges of commits",
        &[DIFF, "--no-dual-color --creation-factor: --left-only --right-only --notes? --no-notes"],
        DIFF_WRITES,
        DIFF_RUNS,
    ),
    guarded("reflog", "shows where references were", &[LOG, DIFF], DIFF_WRITES, DIFF_RUNS),
    bare("remote", "lists remotes", &["-v --verbose"]),
    bare("remote show", "lists remotes", &[""]),
    reads("remote get-url", "shows the address of a remote", &["--push --all"]),
    reads("remote show -n", "shows what is known of a remote", &[""]),
    reads(
        "rev-list",
        "lists commits",
        &[
            LOG,
            "--objects --objects-edge --in-commit-order --unpacked --filter? --no-filter --filter-print-omitted --header --timestamp --bisect --bisect-vars --bisect-all --quiet --no-commit-header --commit-header --no-object-names --object-names --disk-usage? --missing? --use-bitmap-index --progress? --abbrev? --no-abbrev -z",
        ],
    ),
    guarded(
        "rev-parse",
        "resolves names",
        &[
            "--parseopt --sq-quote --keep-dashdash --revs-only --no-revs --flags --no-flags --default: --prefix: --verify -q --quiet --sq --short? --not --abbrev-ref? --symbolic --symbolic-full-name --all --branches? --tags? --remotes? --glob: --exclude: --disambiguate: --local-env-vars --path-format: --git-common-dir --git-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --resolve-git-dir: --git-path: --show-cdup --show-prefix --show-toplevel --show-superproject-working-tree --shared-index-path --absolute-git-dir --show-object-format? --since: --after: --until: --before: --show-ref-format",
        ],
        "",
        "",
    ),
    guarded(
        "shortlog",
        "counts commits by author",
        &["-n --numbered -s --summary -e --email -w? -c --committer --group:", LOG],
        DIFF_WRITES,
        "",
    ),
    guarded("show", "shows objects", &[LOG, DIFF], DIFF_WRITES, DIFF_RUNS),
    reads(
        "show-branch",
        "shows branches and their commits",
        &[
            "-a --all -r --remotes --current --topo-order --date-order --sparse --more: --list --merge-base --independent --no-name --sha1-name --topics -g? --reflog? --color? --no-color",
        ],
    ),
    reads(
        "show-ref",
        "lists references",
        &[
            "--head --heads --branches --tags -d --dereference -s --hash? --verify --exists --abbrev? -q --quiet --exclude-existing?",
        ],
    ),
    guarded("stash list", "lists stashes", &[LOG, DIFF], DIFF_WRITES, DIFF_RUNS),
    guarded(
        "stash show",
        "shows a stash",
        &[DIFF, "--include-untracked --only-untracked --no-include-untracked"],
        DIFF_WRITES,
        DIFF_RUNS,
    ),
    reads(
        "status",
        "shows what changed",
        &[
            "-s --short -b --branch --show-stash --porcelain? --long -v -vv --verbose -u? --untracked-files? --ignore-submodules? --ignored? -z --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames? -M?",
        ],
    ),
    bare("submodule", "lists submodules", &["-q --quiet"]),
    reads("submodule status", "lists submodules", &["--cached --recursive -q --quiet"]),
    guarded(
        "symbolic-ref",
        "shows what a reference points to",
        &["-q --quiet --short --recurse --no-recurse"],
        "-d --delete -m:",
        "",
    ),
    guarded(
        "tag",
        "lists tags",
        &[REFS, "-n? -l --list --column? --no-column -i --ignore-case --color? --omit-empty"],
        "-a --annotate -s --sign -u: --local-user: -f --force -d --delete -m: --message: -F: --file: -e --edit --cleanup: --create-reflog --no-sign --trailer:",
        "-v --verify",
    ),
    reads("var", "shows a value that git uses", &["-l"]),
    reads("verify-pack", "checks a pack", &["-v --verbose -s --stat-only --object-format:"]),
    bare("version", "shows the version", &["--build-options"]),
    guarded("whatchanged", "shows commits", &[LOG, DIFF, "--i-still-use-this"], DIFF_WRITES, DIFF_RUNS),
    bare("worktree list", "lists work trees", &["--porcelain -v --verbose -z --expire:"]),
];

const BLAME: &str = "--root --show-stats -L: -l -t -S: --reverse --first-parent -p --porcelain --line-porcelain --incremental \
    --encoding: --contents: --date: -M? -C? --ignore-rev: --ignore-revs-file: --color-lines --color-by-age --score-debug -f --show-name \
    -n --show-number -s -e --show-email -w --abbrev? -b --progress --no-progress -c --no-textconv --minimal --since:";
const REFS: &str = "--contains~ --no-contains~ --merged~ --no-merged~ --points-at~ --sort: --format:";
