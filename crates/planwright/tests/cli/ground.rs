//! Ground to run the program on: a project, a config home and a user's home of its own, and no
//! other environment.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Seconds after which a run that says nothing more counts as hanging.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A project, a config home, a user's home.
pub struct Ground {
    folder: TempDir,
}

/// A run that is over.
#[derive(Debug)]
pub struct Ended {
    /// The exit code; 128 and the signal if a signal ended it.
    pub code: i32,
    /// What it wrote to standard output.
    pub out: String,
    /// What it wrote to standard error.
    pub err: String,
}

impl Ground {
    /// An empty project.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for name in ["project", "user", "tmp"] {
            fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        Self { folder }
    }

    /// A place beside the project.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there").join(name)
    }

    /// The project's folder.
    pub fn project(&self) -> PathBuf {
        self.beside("project")
    }

    /// The config home.
    pub fn home(&self) -> PathBuf {
        self.beside("home")
    }

    /// Writes a file of the project, or, with a path that begins with `../`, beside it.
    pub fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = match path.strip_prefix("../") {
            Some(beside) => self.beside(beside),
            None => self.project().join(path),
        };
        fs::create_dir_all(path.parent().expect("a file stands in a folder")).expect("a folder can be made");
        fs::write(&path, text).expect("a file can be written");
        path
    }

    /// Makes a pipe in the project, or beside it. What is opened to read it waits for a writer.
    pub fn pipe(&self, path: &str) -> PathBuf {
        let path = self.write(path, "");
        fs::remove_file(&path).expect("a file can be removed");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe can be made");
        path
    }

    /// Reads a file of the project.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.project().join(path)).expect("the file can be read")
    }

    /// Writes a script of these turns; yields the model's name.
    pub fn script(&self, turns: &[Value]) -> String {
        self.whole_script(&json!({"turns": turns}))
    }

    /// Writes a script; yields the model's name.
    pub fn whole_script(&self, script: &Value) -> String {
        let mut number = 1;
        while self.beside(&format!("script{number}.json")).exists() {
            number += 1;
        }
        format!("script:{}", self.write(&format!("../script{number}.json"), &script.to_string()).display())
    }

    /// The program, to be run in the project.
    pub fn planwright<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planwright"));
        self.place(&mut command);
        command.args(args);
        command
    }

    /// Gives a command this place and this environment.
    pub fn place(&self, command: &mut Command) {
        command
            .current_dir(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.beside("user"))
            .env("TMPDIR", self.beside("tmp"))
            .env("PLANWRIGHT_HOME", self.home());
    }

    /// Runs the program to its end, with `input` as all of its standard input.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S], input: &str) -> Ended {
        Running::start(self.planwright(args)).say(input).end()
    }

    /// Starts the program.
    pub fn start<S: AsRef<OsStr>>(&self, args: &[S]) -> Running {
        Running::start(self.planwright(args))
    }

    /// A file that holds what is to be typed.
    pub fn typed(&self, text: &str) -> fs::File {
        fs::File::open(self.write("../typed", text)).expect("a file can be read")
    }

    /// The session logs of the project, in no order.
    pub fn logs(&self) -> Vec<PathBuf> {
        let Ok(projects) = fs::read_dir(self.home().join("projects")) else { return Vec::new() };
        let files = projects.flatten().flat_map(|project| fs::read_dir(project.path()).into_iter().flatten().flatten());
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|is| is == "jsonl")).collect()
    }

    /// The ids of the sessions.
    pub fn ids(&self) -> Vec<String> {
        self.logs().iter().filter_map(|log| Some(log.file_stem()?.to_str()?.to_owned())).collect()
    }

    /// The id of the only session.
    pub fn id(&self) -> String {
        let ids = self.ids();
        assert_eq!(ids.len(), 1, "one session is expected: {ids:?}");
        ids.concat()
    }

    /// The entries of the only session.
    pub fn log(&self) -> Vec<Value> {
        self.log_of(&self.id())
    }

    /// The entries of a session.
    pub fn log_of(&self, id: &str) -> Vec<Value> {
        let logs = self.logs();
        let log = logs.iter().find(|log| log.ends_with(format!("{id}.jsonl"))).expect("the session has a log");
        let text = fs::read_to_string(log).expect("a log can be read");
        text.lines().map(|line| serde_json::from_str(line).expect("a line of the log is JSON")).collect()
    }

    /// The path of the only session's plan file.
    pub fn plan_path(&self) -> PathBuf {
        let entries = self.log();
        let named = of_type(&entries, "plan-slug").last().copied().expect("the plan has a name");
        PathBuf::from(named["path"].as_str().expect("a path is a string"))
    }

    /// The plan of the only session.
    pub fn plan(&self) -> String {
        fs::read_to_string(self.plan_path()).expect("the plan can be read")
    }
}

/// The entries of a type.
pub fn of_type<'a>(entries: &'a [Value], kind: &str) -> Vec<&'a Value> {
    entries.iter().filter(|entry| entry["type"] == kind).collect()
}

/// A turn of a script that only speaks.
pub fn say(text: &str) -> Value {
    json!({"text": text})
}

/// A turn of a script that calls one tool.
pub fn call(tool: &str, input: Value) -> Value {
    json!({"tools": [{"name": tool, "input": input}]})
}

/// The turns that write a plan and submit it.
pub fn planned(plan: &str) -> [Value; 2] {
    [call("Write", json!({"file_path": "{plan_file}", "content": plan})), call("ExitPlanMode", json!({}))]
}

/// A run that can be talked to.
pub struct Running {
    child: Child,
    input: Option<Box<dyn Write>>,
    lines: Receiver<(Stream, String)>,
    /// What it wrote to standard output so far.
    pub out: String,
    /// What it wrote to standard error so far.
    pub err: String,
}

#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

impl Running {
    /// Starts a command.
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped());
        let mut running = Self::start_as_it_is(command);
        running.input = running.child.stdin.take().map(|input| Box::new(input) as _);
        running
    }

    /// Starts a command whose standard input is a terminal.
    pub fn start_on_a_terminal(mut command: Command) -> Self {
        let terminal = nix::pty::openpty(None, None).expect("a terminal can be made");
        command.stdin(terminal.slave);
        let mut running = Self::start_as_it_is(command);
        running.input = Some(Box::new(fs::File::from(terminal.master)));
        running
    }

    fn start_as_it_is(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let (to, lines) = channel();
        pass_on(child.stdout.take().expect("standard output is piped"), Stream::Out, to.clone());
        pass_on(child.stderr.take().expect("standard error is piped"), Stream::Err, to);
        Self { child, input: None, lines, out: String::new(), err: String::new() }
    }

    /// Types. A program that is over hears nothing.
    pub fn say(mut self, text: &str) -> Self {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(text.as_bytes());
        }
        self
    }

    /// Ends its input.
    pub fn shut(mut self) -> Self {
        drop(self.input.take());
        self
    }

    /// Waits for a line, of output or errors, that contains `words`.
    #[track_caller]
    pub fn wait_for(mut self, words: &str) -> Self {
        while let Some(line) = self.line() {
            if line.contains(words) {
                return self;
            }
        }
        panic!("it ended without saying `{words}`; it said:\n{}--- err\n{}", self.out, self.err);
    }

    /// The next line it says, or `None` when it is over.
    fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok((stream, line)) => {
                match stream {
                    Stream::Out => self.out += &line,
                    Stream::Err => self.err += &line,
                }
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.child.kill();
                panic!("it hangs; it said:\n{}--- err\n{}", self.out, self.err);
            }
        }
    }

    /// Sends it a signal by name (`INT`).
    pub fn signal(self, name: &str) -> Self {
        let sent = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "the signal can be sent");
        self
    }

    /// Ends its input, and waits until it is over.
    pub fn end(self) -> Ended {
        self.shut().over()
    }

    /// Waits until it is over, leaving its input open.
    pub fn over(mut self) -> Ended {
        while self.line().is_some() {}
        let status = self.child.wait().expect("it can be waited for");
        Ended { code: code(status), out: self.out, err: self.err }
    }
}

/// Sends each line to the test, as it comes.
fn pass_on(from: impl Read + Send + 'static, stream: Stream, to: Sender<(Stream, String)>) {
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        while from.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            if to.send((stream, String::from_utf8_lossy(&line).into_owned())).is_err() {
                break;
            }
            line.clear();
        }
    });
}

/// The exit code; 128 and the signal if a signal ended it.
pub fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default())
}

impl Ended {
    /// Everything it said.
    pub fn all(&self) -> String {
        format!("exit code {}\n--- out\n{}--- err\n{}", self.code, self.out, self.err)
    }

    /// Fails unless it ended with this code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}", self.all());
        self
    }

    /// Fails unless these pieces stand in its output, in this order.
    #[track_caller]
    pub fn says(self, pieces: &[&str]) -> Self {
        in_order(&self.out, pieces);
        self
    }

    /// Fails unless these pieces stand in its errors, in this order.
    #[track_caller]
    pub fn warns(self, pieces: &[&str]) -> Self {
        in_order(&self.err, pieces);
        self
    }
}

/// Fails unless the pieces stand in the text, in this order.
#[track_caller]
pub fn in_order(text: &str, pieces: &[&str]) {
    let mut from = 0;
    for piece in pieces {
        match text[from..].find(piece) {
            Some(at) => from += at + piece.len(),
            None => panic!("`{piece}` is missing (after byte {from}) in:\n{text}"),
        }
    }
}

/// Every file below a folder, by path from it.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            } else {
                found.push(entry.path().strip_prefix(folder).expect("it is below").to_owned());
            }
        }
    }
    found.sort();
    found
}
