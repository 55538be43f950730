//! Ordinary work: in a scratch copy it comes out as outside, and the real tree stays as it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use planwright_sandbox::{Ended, Ending, ScratchView, Spec};

use crate::life::{line, look};
use crate::table::{Walls, differences, run_spec};
use crate::world::files;

/// A project, the work on it, and what the result must contain.
struct Work {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    prepare: &'static str,
    work: &'static str,
    result: &'static str,
    build: Option<Build>,
}

/// Work that makes something which need not be made twice, until the user edits what it is made of.
struct Build {
    /// What it says only when it makes it.
    sign: &'static str,
    file: &'static str,
    /// An edit of the file, and how it is seen.
    edit: (&'static str, &'static str),
    seen: &'static str,
}

const WORKS: &[Work] = &[
    Work {
        name: "git",
        files: &[("a.txt", "one\n"), ("b.txt", "two\n")],
        prepare: "git init -q . && git add . && git -c user.name=t -c user.email=t@example.com commit -qm one && echo more >> a.txt",
        work: "git status --porcelain && git diff --stat | cat && git stash -q && git checkout -q -b x && git mv b.txt c.txt && \
               git -c user.name=t -c user.email=t@example.com commit -qam two && git log --oneline | wc -l && git gc -q && git fsck && echo fine",
        result: "fine",
        build: None,
    },
    Work {
        name: "python",
        files: &[(
            "test_all.py",
            "import unittest, tempfile, os, socket, threading, subprocess, sys\n\
             class All(unittest.TestCase):\n\
             \x20def test_files(self):\n\
             \x20 with tempfile.TemporaryDirectory() as d:\n\
             \x20  open(os.path.join(d, 'x'), 'w').write('x')\n\
             \x20 open('made', 'w').write('x'); os.rename('made', 'moved'); os.remove('moved')\n\
             \x20def test_sockets(self):\n\
             \x20 s = socket.create_server(('127.0.0.1', 0)); c = socket.create_connection(s.getsockname()); c.close(); s.close()\n\
             \x20 u = socket.socket(socket.AF_UNIX); u.bind('own.sock'); u.listen(); v = socket.socket(socket.AF_UNIX); v.connect('own.sock')\n\
             \x20def test_processes(self):\n\
             \x20 self.assertEqual(subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True).stdout, b'1\\n')\n\
             \x20 t = threading.Thread(target=lambda: None); t.start(); t.join()\n\
             unittest.main(verbosity=0)\n",
        )],
        prepare: ":",
        work: "rm -f own.sock; /usr/bin/python3 -W ignore test_all.py 2>&1 | sed 's/ in .*//'",
        result: "OK",
        build: None,
    },
    Work {
        name: "shell",
        files: &[(
            "Makefile.sh",
            "set -e\nmkdir -p out\nfor i in 1 2 3; do echo $i > out/$i; done\ncat out/* | sort -r > all\ntar czf all.tgz out\n",
        )],
        prepare: ":",
        work: "sh Makefile.sh && cat all && tar tzf all.tgz | wc -l && cat <<X\n$(seq 1 20000 | tail -1)\nX\nmktemp > /dev/null && echo fine",
        result: "fine",
        build: None,
    },
    Work {
        name: "git, branches",
        files: &[("a.txt", "one\n"), ("b.txt", "two\n"), (".gitconfig", "[user]\nname = t\nemail = t@example.com\n")],
        prepare: "export GIT_CONFIG_GLOBAL=$PWD/.gitconfig; git init -q -b main . && git add a.txt b.txt && git commit -qm one",
        work: "export GIT_CONFIG_GLOBAL=$PWD/.gitconfig GIT_AUTHOR_DATE='1000000000 +0000' GIT_COMMITTER_DATE='1000000000 +0000'; set -e; git checkout -q -b side; echo side >> a.txt; git commit -qam side; \
               git checkout -q main; echo main >> b.txt; git commit -qam main; echo loose >> b.txt; git stash -q; \
               git checkout -q side; git rebase -q main; git checkout -q main; git merge -q --ff-only side; git stash pop -q; \
               git branch -d side; git tag v1; git worktree add -q ../tree v1; cat ../tree/a.txt; git worktree remove ../tree; \
               git log --format=%s; git status --porcelain; git fsck && echo fine",
        result: "fine",
        build: None,
    },
    // One test fails, as it should.
    Work {
        name: "pytest",
        files: &[(
            "test_all.py",
            "import pytest, multiprocessing, os\n\
             def square(x): return x * x\n\
             def test_files(tmp_path):\n\
             \x20(tmp_path / 'x').write_text('x'); open('made', 'w').write('x'); os.remove('made')\n\
             def test_processes():\n\
             \x20with multiprocessing.Pool(2) as pool: assert pool.map(square, [1, 2]) == [1, 4]\n\
             def test_home():\n\
             \x20home = os.path.expanduser('~/.cache/tiny'); os.makedirs(home, exist_ok=True); open(home + '/x', 'w').write('x')\n\
             def test_wrong(): assert 1 == 2\n",
        )],
        prepare: ":",
        work: "PYTHONPATH=$PW_PACKAGES /usr/bin/python3 -m pytest -q 2>&1 | sed 's/ in .*//'; echo ${PIPESTATUS[0]}; ls -A . ~ | sort",
        result: "1 failed, 3 passed",
        build: None,
    },
    Work {
        name: "npm",
        files: &[
            (
                "package.json",
                "{\"name\":\"tiny\",\"version\":\"1.0.0\",\"scripts\":{\"pretest\":\"node make.js\",\"test\":\"node --test\"}}",
            ),
            (
                "make.js",
                "require('fs').mkdirSync('out', {recursive: true}); require('fs').writeFileSync('out/made', 'x')\n",
            ),
            (
                "all.test.js",
                "const test = require('node:test'), http = require('http'), fs = require('fs'), child = require('child_process');\n\
                 test('http', async () => { const s = http.createServer((q, r) => r.end('hi')).listen(0, '127.0.0.1');\n\
                 await new Promise(f => s.on('listening', f)); const r = await fetch('http://127.0.0.1:' + s.address().port);\n\
                 if (await r.text() !== 'hi') throw 1; s.closeAllConnections(); s.close(); });\n\
                 test('files', () => { fs.writeFileSync('snapshot', fs.readFileSync('out/made')); fs.renameSync('snapshot', 'moved'); fs.rmSync('moved'); });\n\
                 test('child', () => { if (child.execSync('echo 1') != '1\\n') throw 1; });\n\
                 test('wrong', () => { throw new Error('wrong'); });\n",
            ),
        ],
        prepare: ":",
        work: "npm test 2>&1 | grep -E '^# (tests|pass|fail) '; echo ${PIPESTATUS[0]}; ls",
        result: "# pass 3",
        build: None,
    },
    // With what it has compiled in the home folder.
    Work {
        name: "make",
        files: &[
            ("main.c", "#include <stdio.h>\nint main(void) { puts(\"old\"); return 0; }\n"),
            (
                "Makefile",
                "cache := $(HOME)/.cache/tiny-make\n\
                 test: main\n\t@./main\n\
                 main: $(cache)/main.o\n\tcc -o $@ $<\n\
                 $(cache)/main.o: main.c\n\tmkdir -p $(cache)\n\tcc -c -o $@ $<\n",
            ),
        ],
        prepare: ":",
        work: "make 2>&1",
        result: "old",
        build: Some(Build { sign: "cc -c", file: "main.c", edit: ("old", "new"), seen: "new" }),
    },
];

/// As whoever has a toolchain; the one that runs this test has one.
const CARGO: Work = Work {
    name: "cargo",
    files: &[
        ("Cargo.toml", "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"),
        (
            "src/lib.rs",
            "#[test]\nfn old_name() { std::fs::write(\"made\", \"x\").unwrap(); assert_eq!(1 + 1, 2); }\n\
             #[test]\nfn wrong() { let l = std::net::TcpListener::bind((\"127.0.0.1\", 0)).unwrap();\n\
             std::net::TcpStream::connect(l.local_addr().unwrap()).unwrap(); panic!(\"wrong\") }\n",
        ),
    ],
    prepare: ":",
    work: "unset CARGO_TARGET_DIR; cargo test --offline --lib 2>&1 | grep -E 'Compiling|^test ' | sed 's/finished.*//' | sort; \
           echo ${PIPESTATUS[0]}",
    result: "1 passed; 1 failed",
    build: Some(Build { sign: "Compiling", file: "src/lib.rs", edit: ("old_name", "new_name"), seen: "new_name" }),
};

pub fn run(roots: &[PathBuf]) -> Vec<String> {
    // SAFETY: it takes no pointer.
    let root = unsafe { libc::geteuid() } == 0;
    let mut wrong = Vec::new();
    for work in WORKS.iter().chain(root.then_some(&CARGO)) {
        let start = std::time::Instant::now();
        if let Err(error) = one(work, &roots[0], &roots[1]) {
            wrong.push(format!("{}: {error}", work.name));
        }
        println!("  {}: {:?}", work.name, start.elapsed());
    }
    wrong
}

/// A project and the home folder of who works on it.
struct Place {
    project: PathBuf,
    home: PathBuf,
}

impl Place {
    fn new(work: &Work, root: &Path, place: &Path) -> Self {
        let made = Self { project: root.join(work.name), home: place.join("home").join(work.name) };
        for folder in [&made.project, &made.home] {
            if folder.exists() {
                crate::world::remove(folder);
            }
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(made.home.join(".profile"), "as it was\n").unwrap();
        for (name, text) in work.files {
            let file = made.project.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        made
    }

    fn run(&self, walls: Walls, text: &str, view: Option<&ScratchView>) -> Result<Ended, String> {
        let mut spec = Spec { view: view.cloned(), ..line(walls, &self.project, text) };
        // The toolchain is in the home folder of whoever started this.
        let own = PathBuf::from(std::env::var_os("PW_HOME").unwrap_or_default());
        let rustup = std::env::var_os("RUSTUP_HOME").unwrap_or_else(|| own.join(".rustup").into());
        spec.env.push(("HOME".into(), Some(self.home.clone().into())));
        spec.env.push(("RUSTUP_HOME".into(), Some(rustup)));
        spec.env.push(("CARGO_HOME".into(), Some(self.home.join(".cargo").into())));
        run_spec(spec).map_err(|error| error.to_string())
    }

    fn look(&self) -> BTreeMap<String, String> {
        let mut seen = look(&self.project);
        files(&self.home, &mut seen);
        seen
    }
}

fn one(work: &Work, root: &Path, place: &Path) -> Result<(), String> {
    let at = Place::new(work, root, place);
    let prepared = at.run(Walls::None, work.prepare, None)?;
    if prepared.ending != Ending::Exited(0) {
        return Err(prepared.output.text());
    }
    let before = at.look();
    let view = ScratchView::new(&place.join("views")).map_err(|error| error.to_string())?;
    let first = at.run(Walls::Scratch, work.work, None)?;
    let kept = at.run(Walls::Scratch, work.work, Some(&view))?;
    if let Some(build) = &work.build {
        let again = at.run(Walls::Scratch, work.work, Some(&view))?.output.text();
        if !kept.output.text().contains(build.sign) || again.contains(build.sign) || !again.contains(work.result) {
            return Err(format!("made twice: {again}"));
        }
    }
    let changed = differences(&before, &at.look(), false);
    if !changed.is_empty() {
        return Err(changed.join("; "));
    }
    if let Some(build) = &work.build {
        edited(work, build, &at, &view)?;
    }
    let outside = at.run(Walls::None, work.work, None)?;
    for (how, inside) in [("thrown away", &first), ("kept", &kept)] {
        if (inside.ending, inside.output.text()) != (outside.ending, outside.output.text()) {
            return Err(format!("{how}: {}\n-- outside:\n{}", inside.output.text(), outside.output.text()));
        }
        if inside.changes.as_ref().is_none_or(|changes| changes.is_empty() || changes.incomplete) {
            return Err(format!("{how}: {:?}", inside.changes));
        }
    }
    if outside.output.text().contains(work.result) { Ok(()) } else { Err(outside.output.text()) }
}

/// The user edits what was built; the next build in the copy sees it. The edit is taken back.
fn edited(work: &Work, build: &Build, at: &Place, view: &ScratchView) -> Result<(), String> {
    let file = at.project.join(build.file);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(build.edit.0, build.edit.1)).unwrap();
    let before = at.look();
    let said = at.run(Walls::Scratch, work.work, Some(view))?.output.text();
    let changed = differences(&before, &at.look(), false);
    std::fs::write(&file, text).unwrap();
    if !said.contains(build.sign) || !said.contains(build.seen) || said.contains(build.edit.0) {
        return Err(format!("after an edit: {said}"));
    }
    if changed.is_empty() { Ok(()) } else { Err(changed.join("; ")) }
}
