//! Programs that search.

use super::{Row, Rule, checked, options, row};
use crate::check;
use crate::options::{Operands, Options, Style};

/// The options of `fd`, but for those that start a command.
pub(crate) const FD: Options = Options {
    reads: &[
        "-H --hidden --no-hidden -I --no-ignore --ignore --no-ignore-vcs --ignore-vcs --no-require-git --no-ignore-parent --no-global-ignore-file -u --unrestricted -s --case-sensitive -i --ignore-case -g --glob --regex -F --fixed-strings --literal --and: -a --absolute-path --relative-path -l --list-details -L --follow --no-follow -p --full-path",
        "-0 --print0 -d: --max-depth: --maxdepth: --min-depth: --exact-depth: -E: --exclude: --prune -t: --type: -e: --extension: -S: --size: --changed-within: --changed-after: --newer: --change-newer-than: --changed-before: --older: --change-older-than: -o: --owner: --format: --max-buffer-time: --max-results: -1 -q --quiet --has-results --show-errors --search-path: --base-directory: --path-separator: --strip-cwd-prefix? --one-file-system --mount --xdev -c: --color: --hyperlink? -j: --threads: --ignore-file: --ignore-contain: -h --help -V --version --batch-size:",
    ],
    writes: "",
    runs: "-x: --exec: -X: --exec-batch: --gen-completions?",
    operands: Operands::Any,
    style: Style::Gnu,
};

pub(super) const ROWS: &[Row] = &[
    row("grep egrep fgrep ggrep", "searches text", Rule::Always),
    row(
        "rg",
        "searches text",
        options(
            &[
                "-A: --after-context: --auto-hybrid-regex --no-auto-hybrid-regex -B: --before-context: --binary --no-binary --block-buffered --no-block-buffered -b --byte-offset --no-byte-offset -s --case-sensitive --color: --colors: --column --no-column -C: --context: --context-separator: --no-context-separator",
                "-c --count --count-matches --crlf --no-crlf --debug --dfa-size-limit: -E: --encoding: --no-encoding --engine: --field-context-separator: --field-match-separator: -f: --file: --files -l --files-with-matches --files-without-match -F --fixed-strings --no-fixed-strings -L --follow --no-follow --generate: -g: --glob: --glob-case-insensitive --no-glob-case-insensitive",
                "--heading --no-heading -h --help -. --hidden --no-hidden --hyperlink-format: --iglob: -i --ignore-case --ignore-file: --ignore-file-case-insensitive --no-ignore-file-case-insensitive --include-zero --no-include-zero -v --invert-match --no-invert-match --json --no-json --line-buffered --no-line-buffered -n --line-number -N --no-line-number -x --line-regexp",
                "-M: --max-columns: --max-columns-preview --no-max-columns-preview -m: --max-count: -d: --max-depth: --maxdepth: --max-filesize: --mmap --no-mmap -U --multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-config --no-ignore --ignore --no-ignore-dot --ignore-dot --no-ignore-exclude --ignore-exclude --no-ignore-files --ignore-files --no-ignore-global --ignore-global --no-ignore-messages --ignore-messages",
                "--no-ignore-parent --ignore-parent --no-ignore-vcs --ignore-vcs --no-messages --messages --no-pcre2-unicode --pcre2-unicode --no-require-git --require-git --no-unicode --unicode -0 --null --null-data --one-file-system --no-one-file-system -o --only-matching --path-separator: --passthru --passthrough -P --pcre2 --no-pcre2 --pcre2-version --no-pre -p --pretty -q --quiet --regex-size-limit: -e: --regexp: -r: --replace:",
                "-S --smart-case --sort: --sortr: --sort-files --no-sort-files --stats --no-stats --stop-on-nonmatch -a --text --no-text -j: --threads: --trace --trim --no-trim -t: --type: --type-add: --type-clear: --type-list -T: --type-not: -u --unrestricted -V --version --vimgrep -H --with-filename -I --no-filename -w --word-regexp",
            ],
            "",
            "--pre: --pre-glob: --hostname-bin: -z --search-zip --no-search-zip",
        ),
    ),
    checked(
        "fd fdfind",
        "finds files",
        check::fd,
        "options that select and print; -x and -X with a command that reads only",
    ),
    row(
        "ag",
        "searches text",
        options(
            &[
                "-A: --after? -B: --before? -C: --context? -c --count -f --follow -F --fixed-strings -g: -G: --file-search-regex: -h -H --heading --nohead -i --ignore-case -l --files-with-matches -L --files-without-matches -m: --max-count: -n --norecurse -o --only-matching -p: --path-to-ignore: -Q --literal -s --case-sensitive -S --smart-case -t --all-text -U --skip-vcs-ignores -u --unrestricted -v --invert-match -w --word-regexp -0 --null -a --all-types",
                "--column --color --nocolor --group --nogroup --numbers --nonumbers --filename --nofilename --hidden --ignore: --ignore-dir: --depth: --stats --vimgrep --print-long-lines --silent --search-binary --list-file-types --nobreak --break --parallel --width: -W: --passthrough --passthru --rust --python --js --ts --go --cpp --cc --java --ruby --html --css --json --markdown --shell --yaml",
            ],
            "",
            "--pager: --nopager -z --search-zip -r -R -D --debug",
        ),
    ),
    row(
        "ack",
        "searches text",
        options(
            &[
                "-A: -B: -C? -c -i -l -L -n -o -Q -s -v -w -x -h -H -f -g -1 --count --ignore-case --files-with-matches --nocolor --color --group --nogroup --heading --noheading --column --ignore-dir: --type: --literal --word-regexp --js --python --rust --go --ruby --java --cpp --noenv",
            ],
            "",
            "--pager? --output: --ackrc: --create-ackrc --env --print0",
        ),
    ),
    row(
        "locate mlocate plocate",
        "finds files in an index",
        options(
            &[
                "-i --ignore-case -l: --limit: -n: -b --basename -c --count -r: --regexp: --regex -e --existing -0 --null -q --quiet -w --wholename",
            ],
            "",
            "-d: --database:",
        ),
    ),
    row(
        "tokei",
        "counts lines of code",
        options(
            &[
                "-e: --exclude: -f --files -s: --sort: -t: --types: -C --compact --hidden --no-ignore --by-file --no-cocomo -V --version -h --help",
            ],
            "",
            "-o: --output: --input: --format-multi:",
        ),
    ),
];
