//! The session that is killed, and what must hold of it afterwards: plan, feedback, approval, edit.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::ground::{Ground, call, of_type, say};
use crate::kill::{self, At, Outcome, Traced};

/// Every text that the plan ever had, in order.
const PLANS: [&str; 3] = [
    "# Greet\n\n1. Say hello.\n",
    "# Greet\n\n1. Say hello to the world.\n",
    "# Greet\n\n1. Say hello to the world, politely.\n",
];
const SOURCE: &str = "src/greeting.txt";
const BEFORE: &str = "Hello\n";
const AFTER: &str = "Good day, dear world\n";
const FEEDBACK: &str = "politely, please";

/// Where a session can stand when it is killed.
pub const PHASES: &[&str] = &["not begun", "default", "plan", "revision 1 waits", "revision 2 waits", "approved"];

/// How a session ended: the plan, the source file, the mode.
pub type End = (String, String, String);

/// How every session must end.
pub fn expected_end() -> End {
    (PLANS[2].to_owned(), AFTER.to_owned(), "acceptEdits".to_owned())
}

/// A session that was killed, or not.
pub struct Run {
    ground: Ground,
    pub traced: Traced,
}

/// How a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// As a new one.
    Fresh,
    /// Resumed: its plan waits since another process was over.
    Resumed,
}

/// Runs the session, and kills it where asked.
pub fn run(beginning: Beginning, at: Option<At>) -> Run {
    let ground = Ground::new();
    ground.write(SOURCE, BEFORE);
    // What this machine can enforce is found out by a trial run; what that does is not the session's, so
    // it is known beforehand.
    fs::create_dir(ground.home()).expect("a folder can be made");
    let known = ground.run(&["scratch", "--", "true"], "");
    assert!(crate::ground::files(&ground.home()) != Vec::<PathBuf>::new(), "nothing is remembered: {}", known.all());
    let traced = match beginning {
        Beginning::Fresh => {
            let turns = [planning(), revising(), implementing()].concat();
            let explore = [call("Grep", json!({"pattern": "Hello"})), say("In src/greeting.txt.")];
            let model = ground.whole_script(&json!({"turns": turns, "agents": {"Explore": explore}}));
            let typed = format!("/plan greet the world\n1\n{FEEDBACK}\n1\n/exit\n");
            kill::run(&ground.planwright(&["--model", &model]), at, &typed)
        }
        Beginning::Resumed => {
            let written = call("Write", json!({"file_path": "{plan_file}", "content": PLANS[1]}));
            let model = ground.script(&[written, call("ExitPlanMode", json!({}))]);
            ground.run(&["-p", "/plan greet the world", "--model", &model], "").exits(3);
            let model = ground.script(&[revising(), implementing()].concat());
            let args = ["--line", "--resume", &ground.id(), "--model", &model];
            kill::run(&ground.planwright(&args), at, &format!("{FEEDBACK}\n1\n/exit\n"))
        }
    };
    Run { ground, traced }
}

fn edit_plan(old: &str, new: &str) -> Value {
    call("Edit", json!({"file_path": "{plan_file}", "old_string": old, "new_string": new}))
}

/// The turns up to the first submission: an agent looks, the user is asked, the plan is written and
/// changed.
fn planning() -> Vec<Value> {
    let options =
        json!([{"label": "plainly", "description": "as before"}, {"label": "warmly", "description": "with feeling"}]);
    let question = json!({"question": "How?", "header": "Tone", "options": options, "multiSelect": false});
    vec![
        call(
            "Agent",
            json!({"subagent_type": "Explore", "description": "Find it", "prompt": "Where is the greeting?"}),
        ),
        call("AskUserQuestion", json!({"questions": [question]})),
        call("Write", json!({"file_path": "{plan_file}", "content": PLANS[0]})),
        edit_plan("hello.", "hello to the world."),
        call("ExitPlanMode", json!({})),
    ]
}

/// The turns that take the feedback in.
fn revising() -> Vec<Value> {
    vec![edit_plan("world.", "world, politely."), call("ExitPlanMode", json!({}))]
}

/// The turns after the approval.
fn implementing() -> Vec<Value> {
    let path = format!("{{cwd}}/{SOURCE}");
    let todo = json!({"content": "Greet", "activeForm": "Greeting", "status": "in_progress"});
    vec![
        call("TodoWrite", json!({"todos": [todo]})),
        call("Read", json!({"file_path": path})),
        call("Edit", json!({"file_path": path, "old_string": "Hello", "new_string": "Good day, dear world"})),
        say("Done."),
    ]
}

/// What the log says of a session.
struct Told {
    /// The mode in force.
    mode: String,
    /// The revision that waits.
    waits: Option<u64>,
    /// A submission was approved.
    approved: bool,
    /// The plan file.
    plan: Option<PathBuf>,
}

impl Told {
    fn by(entries: &[Value]) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let decisions = of_type(entries, "plan-decision");
        let decided = |revision: &Value| decisions.iter().any(|decision| decision["revision"] == *revision);
        let submitted = of_type(entries, "plan-submitted").last().map(|entry| entry["revision"].clone());
        let approved = decisions.iter().any(|decision| decision["decision"] == "approved");
        let mode = of_type(entries, "permission-mode").last().and_then(|entry| text(&entry["to"]));
        Self {
            // The approval and the change of mode are one write; torn, the approval is carried out.
            mode: if approved { "acceptEdits".to_owned() } else { mode.unwrap_or_else(|| "default".to_owned()) },
            waits: submitted.filter(|revision| !decided(revision)).and_then(|revision| revision.as_u64()),
            approved,
            plan: of_type(entries, "plan-slug").last().and_then(|entry| text(&entry["path"])).map(PathBuf::from),
        }
    }

    fn phase(&self) -> &'static str {
        match (self.approved, self.waits, self.mode.as_str()) {
            (true, _, _) => "approved",
            (false, Some(1), _) => "revision 1 waits",
            (false, Some(_), _) => "revision 2 waits",
            (false, None, "plan") => "plan",
            (false, None, _) => "default",
        }
    }
}

/// Fails the check of a run, with a reason.
macro_rules! must {
    ($holds:expr, $($reason:tt)+) => {
        if !$holds {
            return Err(format!($($reason)+));
        }
    };
}

impl Run {
    /// How the session ended.
    pub fn end(&self) -> End {
        let entries = self.entries();
        let told = Told::by(&entries);
        let mode = of_type(&entries, "permission-mode").last().map(|entry| entry["to"].clone()).unwrap_or_default();
        let plan = told.plan.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        (plan, self.ground.read(SOURCE), mode.as_str().unwrap_or_default().to_owned())
    }

    /// The whole lines of the log; what follows the last newline was torn.
    fn entries(&self) -> Vec<Value> {
        let Some(log) = self.ground.logs().pop() else { return Vec::new() };
        let text = fs::read_to_string(log).expect("a log can be read");
        let whole = text.rfind('\n').map_or("", |at| &text[..at]);
        whole.lines().map(|line| serde_json::from_str(line).expect("a whole line is JSON")).collect()
    }

    /// Checks what the kill left, resumes, and checks the end. Yields the phase it fell into.
    pub fn check(&self) -> Result<&'static str, String> {
        let what = match &self.traced.outcome {
            Outcome::Killed(call) => call.what.clone(),
            Outcome::Ended { code, .. } => format!("ended with {code}"),
        };
        self.left().and_then(|phase| self.resumed().map(|()| phase)).map_err(|why| {
            let left = crate::ground::files(&self.ground.home());
            format!("killed before `{what}`: {why}\n--- said before\n{}--- files\n{left:?}", self.traced.said)
        })
    }

    /// What a kill may leave.
    fn left(&self) -> Result<&'static str, String> {
        must!(self.ground.ids().len() <= 1, "more than one log: {:?}", self.ground.ids());
        let source = self.ground.read(SOURCE);
        must!([BEFORE, AFTER].contains(&&*source), "the source file is torn: {source:?}");
        let Some(id) = self.ground.ids().pop() else {
            must!(source == BEFORE, "the source file was edited without a log");
            return Ok("not begun");
        };
        let entries = self.entries();
        let told = Told::by(&entries);
        let plan = told.plan.as_ref().and_then(|path| fs::read_to_string(path).ok());
        must!(plan.as_deref().is_none_or(|plan| PLANS.contains(&plan)), "the plan is torn: {plan:?}");
        must!(source == BEFORE || told.approved, "the source file was edited before the log said it may be");
        must!(told.waits.is_none() || plan.is_some(), "a plan waits, but its file is not there");
        let shown = self.ground.run(&["session", "show", &id], "");
        must!(shown.code == 0, "the log does not open: {}", shown.all());
        Ok(told.phase())
    }

    /// The session goes on from where it was killed, to its end.
    fn resumed(&self) -> Result<(), String> {
        let before = Told::by(&self.entries());
        let (turns, typed) = self.rest(&before);
        let model = self.ground.script(&turns);
        let id = self.ground.ids().pop();
        let args = match &id {
            Some(id) => vec!["--line", "--echo", "--model", &model, "--resume", id],
            None => vec!["--line", "--echo", "--model", &model],
        };
        let ended = self.ground.run(&args, &typed);
        let all = || format!("{}\n--- typed\n{typed}", ended.all());
        must!(ended.code == 0, "resumed, it fails: {}", all());
        let head = format!("(mode {})\n", before.mode);
        must!(ended.out.contains(&head), "resumed, it is not in the mode {}: {}", before.mode, all());
        if let Some(revision) = before.waits {
            let first = ended.out.split('›').next().unwrap_or_default();
            let asked = first.contains(&format!("(revision {revision})")) && first.contains("Exit plan mode?");
            must!(asked && !first.contains('⏺'), "the plan that waits is not asked about first: {}", all());
        }
        let id = id.or_else(|| self.ground.ids().pop()).unwrap_or_default();
        must!(self.ground.ids() == [id.clone()], "there is another session now: {:?}", self.ground.ids());
        let (plan, source, mode) = self.end();
        must!((plan, source, mode.clone()) == expected_end(), "it ends otherwise, in {mode}: {}", all());
        whole(&self.entries(), &id).map_err(|why| format!("{why}: {}", all()))
    }

    /// What is left to do, as the model sees it, and what the user says to it.
    fn rest(&self, told: &Told) -> (Vec<Value>, String) {
        let plan = told.plan.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let mut turns = Vec::new();
        if !told.approved && told.waits != Some(2) {
            if plan.is_some() {
                turns.push(call("Read", json!({"file_path": "{plan_file}"})));
            }
            turns.push(call("Write", json!({"file_path": "{plan_file}", "content": PLANS[2]})));
            turns.push(call("ExitPlanMode", json!({})));
        }
        let edited = self.ground.read(SOURCE) != BEFORE;
        turns.extend(implementing().into_iter().filter(|turn| !edited || turn["tools"][0]["name"] != "Edit"));
        let typed = match (told.approved, told.waits, told.mode.as_str()) {
            (true, _, _) => "go on\n/exit\n".to_owned(),
            (false, Some(1), _) => format!("{FEEDBACK}\n1\n/exit\n"),
            (false, Some(_), _) => "1\n/exit\n".to_owned(),
            (false, None, "plan") => "go on\n1\n/exit\n".to_owned(),
            (false, None, _) => "/plan go on\n1\n/exit\n".to_owned(),
        };
        (turns, typed)
    }
}

/// What must hold of every log of a session that came to its end.
fn whole(entries: &[Value], id: &str) -> Result<(), String> {
    must!(entries.first().is_some_and(|entry| entry["session_id"] == id), "the log does not begin with its session");
    let assistants = of_type(entries, "assistant").into_iter();
    let blocks = assistants.flat_map(|entry| entry["blocks"].as_array().into_iter().flatten());
    let calls: Vec<_> = blocks.filter(|block| block["type"] == "tool_use").map(|block| &block["id"]).collect();
    for call in &calls {
        let results = of_type(entries, "tool-result").iter().filter(|entry| entry["tool_use_id"] == **call).count();
        must!(results == 1, "the call {call} has {results} results");
    }
    for submitted in of_type(entries, "plan-submitted") {
        let of_it = |entry: &&&Value| entry["revision"] == submitted["revision"];
        let decisions = of_type(entries, "plan-decision").iter().filter(of_it).count();
        must!(decisions == 1, "revision {} has {decisions} decisions", submitted["revision"]);
    }
    let approvals = of_type(entries, "plan-decision").iter().filter(|entry| entry["decision"] == "approved").count();
    must!(approvals == 1, "{approvals} approvals");
    let exits =
        of_type(entries, "attachment").iter().filter(|entry| entry["attachment"]["type"] == "plan_mode_exit").count();
    must!(exits == 1, "{exits} exit notes");
    Ok(())
}
