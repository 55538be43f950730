//! Programs that list and describe files.

use super::{Row, Rule, checked, options, row};
use crate::check;
use crate::options::{Operands, Options, Style};

pub(super) const ROWS: &[Row] = &[
    row("ls dir vdir gls", "lists files", Rule::Names),
    row("stat", "describes files", Rule::Names),
    row("basename dirname realpath readlink pathchk namei", "takes paths apart", Rule::Names),
    row("du df", "sums up sizes", Rule::Names),
    row(
        "tree",
        "lists files as a tree",
        Rule::Options(Options {
            reads: &[
                "-a -d -f -i -l -x -C -n -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -X -J -S -A -L: -P: -I: -H: -T: --inodes --device --noreport --dirsfirst --filesfirst",
                "--prune --matchdirs --ignore-case --si --du --sort? --charset: --filelimit: --timefmt: --gitignore --gitfile: --infofile: --nolinks --hintro: --houtro:",
                "--metafirst --info --fromfile --fromtabfile --version --help --compress: --opt-toggle --hyperlink --scheme: --authority:",
            ],
            writes: "-o:",
            runs: "-R",
            operands: Operands::Any,
            style: Style::Apart,
        }),
    ),
    row(
        "eza exa lsd",
        "lists files",
        options(
            &[
                "-1 -l -a -A -d -r -R -T -F -h -H -i -s: -S -t: -u -U -m -n -B -b -g -x -X -@ -L: --long --all --tree --level: --oneline --grid --across --recurse --classify? --color: --colour:",
                "--icons? --group-directories-first --git --sort: --reverse --only-dirs --only-files --ignore-glob: --git-ignore --header --inode --links --modified --time: --time-style: --created --changed --no-permissions --no-filesize --no-user --no-time --list-dirs --almost-all --depth: --group-dirs: --version --help",
            ],
            "",
            "",
        ),
    ),
    row(
        "file",
        "tells what files hold",
        options(
            &[
                "-b --brief -c --checking-printout -e: --exclude: --exclude-quiet: --extension -F: --separator: -f: --files-from: -h --no-dereference -i --mime --mime-type --mime-encoding",
                "-k --keep-going -L --dereference -l --list -N --no-pad -n --no-buffer -0 --print0 -r --raw -v --version --help -P: --parameter: -E -d -I",
            ],
            "-C --compile",
            "-m: --magic-file: -z --uncompress -Z --uncompress-noreport -s --special-files -p --preserve-date -S --no-sandbox",
        ),
    ),
    row(
        "cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum md5 cmp",
        "computes or compares checksums",
        Rule::Always,
    ),
    checked("dd", "copies bytes", check::dd, "never proved"),
    checked(
        "find gfind",
        "finds files",
        check::find,
        "tests, -print*, -ls, -prune, -quit; -exec with a command that reads only",
    ),
    checked(
        "tar gtar bsdtar",
        "lists or prints what an archive holds",
        check::tar,
        "-t, or -x with -O, and -f with a local archive",
    ),
    checked("unzip", "lists or prints what an archive holds", check::unzip, "-l -v -t -Z -p -c"),
    row("zipinfo", "lists an archive", options(&["-1 -2 -s -m -l -v -h -M -t -T -z -C -x"], "", "")),
    checked(
        "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 pigz",
        "prints or tests compressed files",
        check::compressor,
        "-c, -l, -t, or in a pipe",
    ),
    row(
        "zcat gzcat bzcat xzcat zstdcat lzcat lz4cat",
        "prints compressed files",
        options(&["-f -q -v -k -h --help --version -V -d -c"], "", "-o: -r --rm"),
    ),
    row("cpio", "lists an archive", Rule::Exact(&["-t", "-it", "-itv", "-tv", "--list"])),
    row("ar", "lists or prints what an archive holds", Rule::Exact(&["t …", "tv …", "p … …", "-t …"])),
    row("jar", "lists an archive", Rule::Exact(&["tf …", "-tf …", "tvf …"])),
    row("7z 7za 7zz", "lists an archive", Rule::Exact(&["l …", "l -slt …"])),
    row(
        "zgrep zegrep zfgrep",
        "searches compressed files",
        options(&["-n -i -l -c -v -w -E -F -h -H -o -q -A: -B: -C: -e:"], "", ""),
    ),
    checked("xxd", "shows bytes", check::xxd, "its options, and at most one file: the second would be written"),
    row("hexdump hd od", "shows bytes", Rule::Always),
    row(
        "strings",
        "prints the texts in files",
        options(
            &[
                "-a --all -d --data -n: --bytes: -# -t: --radix: -o -w --include-all-whitespace -e: --encoding: -s: --output-separator: -f --print-file-name -U: --unicode: -v -V --version -h --help",
            ],
            "",
            "-T: --target:",
        ),
    ),
    row(
        "nm gnm",
        "lists symbols",
        options(
            &[
                "-a --debug-syms -A -o --print-file-name -B -C --demangle? -D --dynamic --defined-only -e -f: --format: -g --extern-only -h --help -l --line-numbers -n -v --numeric-sort -p --no-sort -P --portability -r --reverse-sort -S --print-size -s --print-armap --size-sort -t: --radix: -u --undefined-only -U -V --version --synthetic --special-syms --no-demangle",
            ],
            "",
            "--plugin: -X: --target:",
        ),
    ),
    row(
        "objdump",
        "takes object files apart",
        options(
            &[
                "-a --archive-headers -f --file-headers -p --private-headers -P: --private: -h --section-headers --headers -x --all-headers -d --disassemble? -D --disassemble-all -S --source? -s --full-contents -g --debugging -G --stabs -t --syms -T --dynamic-syms -r --reloc -R --dynamic-reloc -v --version -i --info -H --help",
                "-b: --target: -m: --architecture: -j: --section: -M: --disassembler-options: -EB -EL --endian: --file-start-context -l --line-numbers -F --file-offsets -C --demangle? -w --wide -z --disassemble-zeroes --start-address: --stop-address: --no-addresses --no-show-raw-insn --prefix-addresses --special-syms --inlines --adjust-vma: --insn-width: --visualize-jumps?",
            ],
            "",
            "-W? --dwarf? -L --process-links -e --debugging-tags",
        ),
    ),
    row(
        "readelf",
        "shows the parts of ELF files",
        options(
            &[
                "-a --all -h --file-header -l --program-headers --segments -S --section-headers --sections -g --section-groups -t --section-details -e --headers -s --syms --symbols --dyn-syms -n --notes -r --relocs -u --unwind -d --dynamic -V --version-info -A --arch-specific -c --archive-index -D --use-dynamic -x: --hex-dump: -p: --string-dump: -R: --relocated-dump: -I --histogram -v --version -W --wide -H --help -C --demangle? -T --silent-truncation",
            ],
            "",
            "-w? --debug-dump? -L --lint -P --process-links -z",
        ),
    ),
    row(
        "size",
        "shows section sizes",
        options(&["-A -B -G --format: -d -o -x --radix: -t --totals --common -V --version -h --help"], "", ""),
    ),
    row("otool", "shows object files", options(&["-L -l -h -f -a -D -v"], "", "")),
    row(
        "getfacl lsattr getcap getfattr",
        "shows attributes of files",
        options(
            &[
                "-a -d -c -e -R -L -P -n -p -l -v -r -h -m: --absolute-names --recursive --tabular --numeric --omit-header",
            ],
            "",
            "",
        ),
    ),
    row(
        "findmnt lsblk",
        "lists file systems",
        options(
            &[
                "-a -l -n -r -J -P -f -o: -t: -T: -b -d -p -s -m -S -D -e: -i -I: -x: --json --list --raw --output: --noheadings --all --bytes --fs --nodeps --paths --target: --types: --real --df --evaluate --mountpoint: --source: --tree?",
            ],
            "",
            "",
        ),
    ),
    row("mount", "lists mounts", Rule::Exact(&["", "-l", "-t …"])),
];
