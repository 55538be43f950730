//! Compilers, package managers and interpreters: mostly what they say about themselves.

use super::{Row, Rule, Sub, checked, options, row, sub, unprovable};
use crate::check;

const PIP: &[Sub] = &[
    sub(
        "list",
        "lists packages",
        &[
            "-l --local --user --pre --path: -e --editable --exclude-editable --include-editable --not-required --format: --exclude: --disable-pip-version-check -v -q --verbose --quiet",
        ],
    ),
    sub(
        "show",
        "describes packages",
        &["-f --files --disable-pip-version-check -v -q --verbose --quiet"],
    ),
    sub(
        "freeze",
        "lists packages",
        &[
            "-l --local --user --path: --all --exclude-editable --exclude: --disable-pip-version-check",
        ],
    ),
    sub("--version", "shows the version", &[""]),
    sub("-V", "shows the version", &[""]),
];

const DOCKER: &[Sub] = &[
    sub(
        "ps",
        "lists containers",
        &[
            "-a --all -f: --filter: --format: -n: --last: -l --latest --no-trunc -q --quiet -s --size",
        ],
    ),
    sub(
        "container ls",
        "lists containers",
        &[
            "-a --all -f: --filter: --format: -n: --last: -l --latest --no-trunc -q --quiet -s --size",
        ],
    ),
    sub(
        "container list",
        "lists containers",
        &["-a --all -f: --filter: --format: --no-trunc -q --quiet -s --size"],
    ),
    sub(
        "container inspect",
        "describes containers",
        &["-f: --format: -s --size"],
    ),
    sub(
        "container logs",
        "shows what a container printed",
        &["--details --since: -n: --tail: -t --timestamps --until: -f --follow"],
    ),
    sub("container top", "lists processes", &[""]),
    sub("container port", "lists ports", &[""]),
    sub(
        "container stats",
        "shows usage",
        &["-a --all --format: --no-stream --no-trunc"],
    ),
    sub(
        "images",
        "lists images",
        &["-a --all --digests -f: --filter: --format: --no-trunc -q --quiet --tree"],
    ),
    sub(
        "image ls",
        "lists images",
        &["-a --all --digests -f: --filter: --format: --no-trunc -q --quiet --tree"],
    ),
    sub(
        "image inspect",
        "describes images",
        &["-f: --format: --platform:"],
    ),
    sub(
        "image history",
        "shows the layers of an image",
        &["--format: -H --human --no-trunc -q --quiet --platform:"],
    ),
    sub(
        "history",
        "shows the layers of an image",
        &["--format: -H --human --no-trunc -q --quiet --platform:"],
    ),
    sub(
        "inspect",
        "describes objects",
        &["-f: --format: -s --size --type:"],
    ),
    sub(
        "logs",
        "shows what a container printed",
        &["--details --since: -n: --tail: -t --timestamps --until: -f --follow"],
    ),
    sub("top", "lists processes", &[""]),
    sub("port", "lists ports", &[""]),
    sub("diff", "lists changed files of a container", &[""]),
    sub(
        "stats",
        "shows usage",
        &["-a --all --format: --no-stream --no-trunc"],
    ),
    sub("version", "shows versions", &["-f: --format:"]),
    sub("--version", "shows the version", &[""]),
    sub("info", "describes the system", &["-f: --format:"]),
    sub("system df", "shows disk usage", &["-v --verbose --format:"]),
    sub(
        "network ls",
        "lists networks",
        &["-f: --filter: --format: --no-trunc -q --quiet"],
    ),
    sub(
        "network inspect",
        "describes networks",
        &["-f: --format: -v --verbose"],
    ),
    sub(
        "volume ls",
        "lists volumes",
        &["-f: --filter: --format: -q --quiet"],
    ),
    sub("volume inspect", "describes volumes", &["-f: --format:"]),
    sub("context ls", "lists contexts", &["--format: -q --quiet"]),
    sub("context show", "shows the context", &[""]),
    sub(
        "compose ps",
        "lists containers",
        &["-a --all --filter: --format: --no-trunc --orphans -q --quiet --services --status:"],
    ),
    sub(
        "compose ls",
        "lists projects",
        &["-a --all --filter: --format: -q --quiet"],
    ),
    sub("compose images", "lists images", &["--format: -q --quiet"]),
    sub(
        "compose logs",
        "shows what containers printed",
        &[
            "-f --follow -n: --tail: -t --timestamps --since: --until: --no-color --no-log-prefix --index:",
        ],
    ),
    sub("compose top", "lists processes", &[""]),
    sub(
        "compose version",
        "shows the version",
        &["-f: --format: --short"],
    ),
];

const GO: &[Sub] = &[
    sub("version", "shows the version", &[""]),
    sub("env", "shows settings", &["-json -changed"]),
    sub("help", "explains commands", &[""]),
];

pub(super) const ROWS: &[Row] = &[
    checked(
        "git",
        "keeps versions",
        check::git,
        "from the repository that the caller answers for; options before the sub-command: --no-pager -P --no-optional-locks --*-pathspecs, -c with settings of the looks",
    ),
    row(
        "cargo",
        "builds Rust",
        Rule::Exact(&[
            "--version",
            "-V",
            "-Vv",
            "-vV",
            "version",
            "--version --verbose",
            "--list",
            "locate-project",
            "locate-project --workspace",
            "locate-project --message-format plain",
            "verify-project",
            "read-manifest",
        ]),
    ),
    row(
        "rustc",
        "compiles Rust",
        Rule::Exact(&[
            "--version",
            "-V",
            "-vV",
            "-Vv",
            "--version --verbose",
            "--print cfg",
            "--print sysroot",
            "--print target-list",
            "--print target-libdir",
            "--print host-tuple",
            "--print target-features",
            "--print target-cpus",
            "--help",
            "--explain …",
        ]),
    ),
    row(
        "rustup",
        "manages Rust",
        Rule::Exact(&[
            "--version",
            "-V",
            "toolchain list",
            "toolchain list -v",
            "target list",
            "target list --installed",
            "component list",
            "component list --installed",
            "which …",
            "--help",
        ]),
    ),
    row(
        "rustfmt clippy-driver rust-analyzer",
        "says its version",
        Rule::Exact(&["--version", "-V"]),
    ),
    row(
        "node deno bun nodejs tsc",
        "says its version",
        Rule::Exact(&["--version", "-v"]),
    ),
    row(
        "npm yarn pnpm npx corepack",
        "says its version",
        Rule::Exact(&["--version", "-v"]),
    ),
    row(
        "python python3 python2 python3.10 python3.11 python3.12 python3.13 pypy3",
        "says its version",
        Rule::Exact(&["--version", "-V", "-VV"]),
    ),
    row(
        "pip pip3",
        "lists Python packages",
        Rule::Subs {
            subs: PIP,
            writes: "install, uninstall, download, wheel, cache, config set, config unset",
        },
    ),
    row(
        "poetry uv pipenv conda pyenv rbenv nvm asdf mise virtualenv black ruff mypy flake8 pylint pytest isort",
        "says its version",
        Rule::Exact(&["--version", "-V"]),
    ),
    row(
        "ruby gem bundle bundler rake irb",
        "says its version",
        Rule::Exact(&["--version", "-v"]),
    ),
    row(
        "perl",
        "says its version",
        Rule::Exact(&["--version", "-v"]),
    ),
    row(
        "php composer",
        "says its version",
        Rule::Exact(&["--version", "-v", "-V"]),
    ),
    row("lua luajit", "says its version", Rule::Exact(&["-v"])),
    row(
        "java javac javap kotlin kotlinc scala",
        "says its version",
        Rule::Exact(&["-version", "--version"]),
    ),
    row(
        "mvn gradle ant sbt",
        "says its version",
        Rule::Exact(&["--version", "-v"]),
    ),
    row(
        "go",
        "builds Go",
        Rule::Subs {
            subs: GO,
            writes: "get, install, mod tidy, mod init, mod vendor, mod edit, clean, fmt, fix, generate",
        },
    ),
    row(
        "gofmt",
        "formats Go",
        Rule::Exact(&["-l …", "-d …", "-l -d …", "-l -s …", "-h"]),
    ),
    row(
        "dart flutter swift swiftc ghc cabal stack elixir mix erl zig nim crystal julia R Rscript ocaml opam",
        "says its version",
        Rule::Exact(&["--version", "-v", "version"]),
    ),
    row(
        "gcc g++ cc c++ cpp clang clang++ gfortran tcc",
        "compiles C",
        Rule::Exact(&[
            "--version",
            "-v",
            "-dumpversion",
            "-dumpfullversion",
            "-dumpmachine",
            "-print-search-dirs",
            "-print-sysroot",
            "-print-libgcc-file-name",
            "-print-multiarch",
            "--print-multiarch",
            "-print-resource-dir",
            "--help",
        ]),
    ),
    row(
        "ld gold lld as ranlib strip objcopy llvm-config clang-format clang-tidy",
        "says its version",
        Rule::Exact(&["--version", "-v", "-V"]),
    ),
    row(
        "make gmake",
        "builds by a makefile",
        Rule::Exact(&["--version", "-v"]),
    ),
    row(
        "cmake ctest cpack ninja meson bazel buck2 scons autoconf automake m4 bison flex pkg-config",
        "says its version",
        Rule::Exact(&["--version", "-version"]),
    ),
    row(
        "just task",
        "says its version",
        Rule::Exact(&["--version", "-V"]),
    ),
    row(
        "vim vi nvim nano emacs code less man git-lfs tmux screen gdb lldb valgrind",
        "says its version",
        Rule::Exact(&["--version", "-V"]),
    ),
    row(
        "apropos whatis",
        "searches the manual",
        options(
            &["-e --exact -w --wildcard -r --regex -a --and -l --long -s: --sections:"],
            "",
            "-C: --config-file: -M: --manpath: -m: --systems:",
        ),
    ),
    row(
        "openssl",
        "says its version",
        Rule::Exact(&[
            "version",
            "version -a",
            "version -v",
            "version -d",
            "ciphers",
            "ciphers -v",
            "list -commands",
        ]),
    ),
    row(
        "sqlite3 psql mysql redis-cli mongosh duckdb mariadb",
        "says its version",
        Rule::Exact(&["--version", "-version", "-V"]),
    ),
    row(
        "curl wget ssh gpg rsync",
        "says its version",
        Rule::Exact(&["--version", "-V"]),
    ),
    row(
        "terraform tofu helm vault consul packer ansible aws gcloud az",
        "says its version",
        Rule::Exact(&["version", "--version", "-version", "-v"]),
    ),
    row(
        "docker podman",
        "runs containers",
        Rule::Subs {
            subs: DOCKER,
            writes: "run, rm, rmi, kill, stop, start, restart, build, push, pull, cp, exec, create, commit, tag, save, load, import, export, prune, rename, update, login, logout, compose up, compose down, compose build, compose run, compose exec, compose restart, compose stop, compose rm, system prune, image rm, image prune, container rm, container prune, network create, network rm, volume create, volume rm, context use, context create",
        },
    ),
    row(
        "docker-compose",
        "runs containers",
        Rule::Exact(&["ps", "ps -a", "images", "version", "--version", "ls", "top"]),
    ),
    row(
        "shellcheck hadolint yamllint jsonlint",
        "says its version",
        Rule::Exact(&["--version", "-V"]),
    ),
    unprovable(
        "zsh fish ksh csh tcsh expect tclsh wish osascript pwsh powershell",
        "runs commands that are not in view",
        "",
    ),
    unprovable("xdg-open open start", "starts a program", ""),
    unprovable(
        "nc ncat netcat telnet ftp sftp scp dig nslookup host ping traceroute http https xh aria2c socat",
        "uses the network",
        "",
    ),
];
