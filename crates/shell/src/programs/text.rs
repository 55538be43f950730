//! Programs that print, cut and compare text.

use super::{Row, Rule, at_most, checked, options, row};
use crate::check;

pub(super) const ROWS: &[Row] = &[
    row("cat tac head tail gcat ghead gtail", "prints files", Rule::Always),
    row("wc nl rev fold expand unexpand fmt", "prints text in another form", Rule::Always),
    row("cut paste join comm tr column colrm tsort look", "cuts and joins lines", Rule::Always),
    row("diff", "compares files", Rule::Always),
    row(
        "diff3",
        "compares three files",
        options(
            &["-A -e -E -3 -x -X -i -m -a -T -L: --label: --show-all --merge --text --help --version"],
            "",
            "--diff-program:",
        ),
    ),
    row(
        "sdiff",
        "compares files side by side",
        options(
            &[
                "-i -E -Z -b -W -B -I: -a -l -s -t -d -H -w: --ignore-case --ignore-all-space --ignore-blank-lines --text --width: --left-column --suppress-common-lines --expand-tabs --minimal",
            ],
            "-o: --output:",
            "--diff-program:",
        ),
    ),
    row(
        "colordiff",
        "compares files",
        options(&["-u -U: -r -N -q -b -w -B -i -y --side-by-side --unified? --brief --recursive"], "", ""),
    ),
    row(
        "sort gsort",
        "sorts lines",
        options(
            &[
                "-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort",
                "--random-source: -r --reverse --sort: -V --version-sort --batch-size: -c --check? -C -k: --key: -m --merge -s --stable -t: --field-separator: -u --unique -z --zero-terminated --parallel: --debug --files0-from: --help --version",
            ],
            "-o: --output:",
            "--compress-program: -T: --temporary-directory: -S: --buffer-size:",
        ),
    ),
    row(
        "uniq guniq",
        "drops repeated lines",
        at_most(
            1,
            &[
                "-c --count -d --repeated -D --all-repeated? -f: --skip-fields: --group? -i --ignore-case -s: --skip-chars: -u --unique -z --zero-terminated -w: --check-chars: --help --version",
            ],
            "",
            "",
        ),
    ),
    row(
        "shuf",
        "shuffles lines",
        options(
            &[
                "-e --echo -i: --input-range: -n: --head-count: --random-source: -r --repeat -z --zero-terminated --help --version",
            ],
            "-o: --output:",
            "",
        ),
    ),
    row(
        "iconv",
        "converts text",
        options(
            &["-f: --from-code: -t: --to-code: -l --list -c -s --silent --verbose --help --version"],
            "-o: --output:",
            "",
        ),
    ),
    row("pr", "lays out pages", Rule::Always),
    checked(
        "sed gsed",
        "edits a stream",
        check::sed,
        "scripts of p d q = n s y a i c and the like; not w, W, e, r, R, -f, -i",
    ),
    checked(
        "awk gawk mawk nawk",
        "computes on lines",
        check::awk,
        "programs that print; not system, getline, pipes, files, @, -f",
    ),
    checked("jq gojq", "queries JSON", check::jq, "reads only, with any option but -i"),
    row(
        "yq",
        "queries YAML",
        options(
            &[
                "-r --raw-output -c --compact-output -n --null-input -M --no-colors -C --colors -e --exit-status -P --prettyPrint -o: --output-format: -p: --input-format: -y --yaml-output -Y --yaml-roundtrip -x --xml-output -t --toml-output",
                "-N --no-doc -j --tojson -S --sort-keys --indent: -I: --unwrapScalar? -V --version -h --help --slurp -a --ascii-output -w --width: --arg: --argjson: --explicit-start --explicit-end --indentless-lists",
            ],
            "-i --inplace --in-place",
            "-s: --split-exp: --split-exp-file: --from-file: -f: --security-enable-system-operator --front-matter:",
        ),
    ),
    row("xmllint xsltproc", "says its version", Rule::Exact(&["--version"])),
    row(
        "csvlook csvcut csvstat csvgrep csvsort csvjson",
        "queries tables",
        options(&["-c: -d: -r: -m: -n -l -H -I -t -x -i --columns: --names"], "", ""),
    ),
    row(
        "base64 base32 basenc",
        "encodes and decodes",
        options(
            &[
                "-d --decode -D -w: --wrap: -i --ignore-garbage --help --version --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 -b:",
            ],
            "-o: --output:",
            "",
        ),
    ),
    row("seq expr factor numfmt", "computes", Rule::Names),
    row("bc", "computes", Rule::Exact(&["", "-l", "-q", "-lq"])),
    row("yes", "prints the same line", Rule::Names),
    checked("tee", "copies its input to the output", check::tee, "no file but /dev/null, /dev/stdout, /dev/stderr"),
    row(
        "bat batcat",
        "prints files",
        options(
            &[
                "-p --plain -n --number -A --show-all -l: --language: -r: --line-range: -H: --highlight-line: --style: --theme: --color: --paging: -P -d --diff --wrap: --tabs: --decorations: --terminal-width: -L --list-languages --list-themes -f --force-colorization --file-name: -u --unbuffered -V --version -h --help",
            ],
            "",
            "--pager: --map-syntax: -m: --generate-config-file --config-file --diagnostic",
        ),
    ),
    row("more", "prints files", options(&["-d -l -e -f -p -c -s -u -n: -#"], "", "")),
    row("col ul", "filters text", options(&["-b -f -x -l: -p -h"], "", "")),
];
