//! Variables: which a line may set without changing what later commands do, and which it sets.

use crate::judge::plain_text;
use crate::syntax::{Assigned as Value, Command, Kind, Piece, Script, Simple};

/// Names with a meaning to the shell.
const SHELL: &[&str] = &[
    "AWKPATH",
    "AWKLIBPATH",
    "CDPATH",
    "COLUMNS",
    "COMPREPLY",
    "COMP_LINE",
    "DIRSTACK",
    "EDITOR",
    "EMACS",
    "ENV",
    "EXECIGNORE",
    "FCEDIT",
    "FIGNORE",
    "FPATH",
    "FUNCNAME",
    "FUNCNEST",
    "GLOBIGNORE",
    "GLOBSORT",
    "GROUPS",
    "HOME",
    "HOSTFILE",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "IGNOREEOF",
    "INPUTRC",
    "INSIDE_EMACS",
    "LANG",
    "LANGUAGE",
    "LINES",
    "LOCPATH",
    "LOGNAME",
    "MAIL",
    "MAILCHECK",
    "MAILPATH",
    "MAKEFLAGS",
    "MANPATH",
    "NLSPATH",
    "NULLCMD",
    "OLDPWD",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "PATH",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PROMPT",
    "PROMPT_COMMAND",
    "PROMPT_DIRTRIM",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PWD",
    "RANDOM",
    "READNULLCMD",
    "REPLY",
    "RPROMPT",
    "SECONDS",
    "SHELL",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "SUDO_ASKPASS",
    "TERM",
    "TERMINFO",
    "TERMCAP",
    "TIMEFORMAT",
    "TMOUT",
    "TMP",
    "TMPDIR",
    "TEMP",
    "TZ",
    "TZDIR",
    "UID",
    "EUID",
    "USER",
    "VISUAL",
    "BROWSER",
    "ZDOTDIR",
    "WINEPREFIX",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "CFLAGS",
    "CPPFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "LIBS",
    "RUSTC",
    "DISPLAY",
    "aliases",
    "argv",
    "builtins",
    "cdpath",
    "chpwd",
    "commands",
    "dirstack",
    "fignore",
    "fpath",
    "functions",
    "galiases",
    "histchars",
    "history",
    "jobdirs",
    "jobstates",
    "jobtexts",
    "mailpath",
    "manpath",
    "module_path",
    "modules",
    "nameddirs",
    "options",
    "parameters",
    "patchars",
    "path",
    "periodic",
    "pipestatus",
    "precmd",
    "preexec",
    "prompt",
    "psvar",
    "reswords",
    "saliases",
    "signals",
    "status",
    "userdirs",
    "watch",
    "auto_resume",
];

/// Beginnings of the names that some program or library obeys.
const FAMILIES: &[&str] = &[
    "BASH",
    "ZSH",
    "KSH",
    "HIST",
    "LC_",
    "LD_",
    "DYLD_",
    "GLIBC_",
    "MALLOC_",
    "GCONV_",
    "GIT",
    "GPG",
    "SSH",
    "SVN",
    "HG",
    "LESS",
    "MORE",
    "MAN",
    "PAGER",
    "XDG_",
    "DBUS_",
    "PYTHON",
    "PIP_",
    "VIRTUAL_ENV",
    "CONDA",
    "POETRY_",
    "UV_",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "RAKE",
    "NODE",
    "NPM_",
    "YARN_",
    "PNPM_",
    "BUN_",
    "DENO_",
    "CARGO",
    "RUST",
    "GO",
    "CGO_",
    "JAVA",
    "JDK",
    "JVM",
    "_JAVA",
    "MAVEN_",
    "MVN_",
    "GRADLE_",
    "ANT_",
    "SBT_",
    "KUBE",
    "HELM_",
    "DOCKER",
    "COMPOSE_",
    "BUILDKIT",
    "AWS_",
    "AZURE_",
    "GOOGLE_",
    "CLOUDSDK_",
    "GCLOUD_",
    "GH_",
    "GITHUB_",
    "GITLAB_",
    "TF_",
    "TERRAFORM",
    "VAULT_",
    "ANSIBLE_",
    "TAR_",
    "TAPE",
    "GZIP",
    "BZIP",
    "XZ_",
    "ZSTD_",
    "ZIP",
    "UNZIP",
    "GREP_",
    "RIPGREP_",
    "FZF_",
    "BAT_",
    "FD_",
    "DELTA_",
    "JQ_",
    "LS_",
    "SQLITE_",
    "PG",
    "PSQL_",
    "MYSQL_",
    "CURL_",
    "WGET",
    "SSL_",
    "OPENSSL_",
    "PKG_",
    "CMAKE_",
    "MAKE",
    "CCACHE_",
    "LLVM_",
    "ASAN_",
    "TSAN_",
    "UBSAN_",
    "DEBUGINFOD_",
    "PHP",
    "LUA",
    "TCL",
    "R_",
    "JULIA_",
    "GHC",
    "STACK_",
    "CABAL_",
    "OPAM",
    "ERL_",
    "MIX_",
    "HEX_",
    "DOTNET_",
    "NUGET_",
    "MSBUILD",
    "SYSTEMD_",
    "NOTIFY_",
    "QT_",
    "GTK_",
    "npm_",
    "zsh",
    "dis_",
];

/// Whether a line may give `name` a value without changing what programs and the shell do.
pub(crate) fn plain(name: &str) -> bool {
    !(SHELL.contains(&name)
        || FAMILIES.iter().any(|family| name.starts_with(family))
        || name.to_ascii_lowercase().ends_with("_proxy")
        || name.ends_with("_HOME")
        || name.ends_with("PATH")
        || name.ends_with("_OPTS")
        || name.ends_with("_OPTIONS")
        || name.ends_with("FLAGS")
        || name.ends_with("_CONFIG")
        || name.starts_with('_'))
}

/// Whether `name=value` before a command only changes language, colours, widths or paging.
pub(crate) fn harmless_setting(name: &str, value: &str) -> bool {
    let simple = |extra: &[u8]| value.bytes().all(|byte| byte.is_ascii_alphanumeric() || extra.contains(&byte));
    match name {
        "LANG" | "LANGUAGE" => simple(b"_.@:-"),
        name if name.starts_with("LC_") => simple(b"_.@-"),
        "TZ" => simple(b"_+/-") && !value.starts_with('/') && !value.contains("//"),
        "NO_COLOR" | "CLICOLOR" | "CLICOLOR_FORCE" | "FORCE_COLOR" | "COLUMNS" | "LINES" | "GIT_TERMINAL_PROMPT" => {
            simple(b"")
        }
        "TERM" => simple(b"-"),
        "PAGER" | "GIT_PAGER" | "MANPAGER" => matches!(value, "cat" | ""),
        "GIT_OPTIONAL_LOCKS" => value == "0",
        _ => false,
    }
}

/// The variables that some commands set, and whether they go to another directory.
#[derive(Default)]
pub(crate) struct Assigned {
    pub names: Vec<String>,
    /// Those that arithmetic alone is assigned to.
    pub numbers: Vec<String>,
    pub moves: bool,
}

impl Assigned {
    pub(crate) fn script(&mut self, script: &Script) {
        for command in script.items.iter().flat_map(|chain| &chain.pipelines).flat_map(|pipeline| &pipeline.commands) {
            self.command(command);
        }
    }

    pub(crate) fn command(&mut self, command: &Command) {
        match &command.kind {
            Kind::Simple(simple) => self.simple(simple),
            Kind::Group(script) | Kind::Subshell(script) => self.script(script),
            Kind::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.script(condition);
                    self.script(body);
                }
                otherwise.iter().for_each(|script| self.script(script));
            }
            Kind::Loop { condition, body } => {
                self.script(condition);
                self.script(body);
            }
            Kind::For { name, body, .. } => {
                self.names.push(name.clone());
                self.script(body);
            }
            Kind::Case { arms, .. } => arms.iter().for_each(|(_, body)| self.script(body)),
            Kind::Test(_) => {}
        }
    }

    pub(crate) fn simple(&mut self, simple: &Simple) {
        if simple.words.is_empty() {
            for assignment in &simple.assignments {
                let number = match &assignment.value {
                    Value::Word(word) => {
                        !assignment.append && matches!(word.pieces.as_slice(), [Piece::Arithmetic { .. }])
                    }
                    Value::Array(_) => false,
                };
                let list = if number { &mut self.numbers } else { &mut self.names };
                list.push(assignment.name.clone());
            }
            return;
        }
        let texts: Vec<String> = simple.words.iter().filter_map(plain_text).collect();
        let has = |names: &[&str]| texts.iter().any(|text| names.contains(&text.as_str()));
        if has(&["cd", "pushd", "popd"]) {
            self.moves = true;
        }
        if has(&["read", "mapfile", "readarray", "getopts"]) {
            self.names.extend(texts);
        }
    }
}
