//! Ordinary work: in a scratch copy it comes out as outside, and the real tree stays as it was.

use std::path::{Path, PathBuf};

use planwright_sandbox::{Ended, Ending, ScratchView, Spec};

use crate::life::{line, look};
use crate::table::{Walls, differences, run_spec};

/// A project, the work on it, and what the result must contain.
struct Work {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    prepare: &'static str,
    work: &'static str,
    result: &'static str,
}

const WORKS: &[Work] = &[
    Work {
        name: "git",
        files: &[("a.txt", "one\n"), ("b.txt", "two\n")],
        prepare: "git init -q . && git add . && git -c user.name=t -c user.email=t@example.com commit -qm one && echo more >> a.txt",
        work: "git status --porcelain && git diff --stat | cat && git stash -q && git checkout -q -b x && git mv b.txt c.txt && \
               git -c user.name=t -c user.email=t@example.com commit -qam two && git log --oneline | wc -l && git gc -q && git fsck && echo fine",
        result: "fine",
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
    },
];

/// As whoever has a toolchain; the one that runs this test has one.
const CARGO: Work = Work {
    name: "cargo",
    files: &[
        ("Cargo.toml", "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"),
        ("src/lib.rs", "#[test]\nfn it_works() { std::fs::write(\"made\", \"x\").unwrap(); assert_eq!(1 + 1, 2); }\n"),
    ],
    prepare: ":",
    work: "unset CARGO_TARGET_DIR; cargo test -q --offline --lib 2>&1 | grep 'test result' | sed 's/finished.*//'",
    result: "1 passed",
};

pub fn run(roots: &[PathBuf]) -> Vec<String> {
    // SAFETY: it takes no pointer.
    let root = unsafe { libc::geteuid() } == 0;
    let mut wrong = Vec::new();
    for work in WORKS.iter().chain(root.then_some(&CARGO)) {
        if let Err(error) = one(work, &roots[0], &roots[1]) {
            wrong.push(format!("{}: {error}", work.name));
        }
    }
    wrong
}

fn one(work: &Work, root: &Path, place: &Path) -> Result<(), String> {
    let project = root.join(work.name);
    if project.exists() {
        crate::world::remove(&project);
    }
    for (name, text) in work.files {
        let file = project.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let run = |walls, text: &str, view: Option<&ScratchView>| -> Result<Ended, String> {
        // The home folder of whoever started this, where the toolchain is.
        let mut spec = Spec { view: view.cloned(), ..line(walls, &project, text) };
        if work.name == "cargo" {
            spec.env.push(("HOME".into(), std::env::var_os("PW_HOME")));
        }
        run_spec(spec).map_err(|error| error.to_string())
    };
    let prepared = run(Walls::None, work.prepare, None)?;
    if prepared.ending != Ending::Exited(0) {
        return Err(prepared.output.text());
    }
    let before = look(&project);
    let view = ScratchView::new(&place.join("views")).map_err(|error| error.to_string())?;
    let first = run(Walls::Scratch, work.work, None)?;
    let kept = run(Walls::Scratch, work.work, Some(&view))?;
    let start = std::time::Instant::now();
    if work.name != "git" {
        run(Walls::Scratch, work.work, Some(&view))?;
        println!("{}: again {:?}", work.name, start.elapsed());
    }
    let changed = differences(&before, &look(&project), false);
    if !changed.is_empty() {
        return Err(changed.join("; "));
    }
    let outside = run(Walls::None, work.work, None)?;
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
