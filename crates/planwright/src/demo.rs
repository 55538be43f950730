//! `planwright demo`: the pagination story on a throw-away copy, played by the real agent.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use planwright_model::script::{Placeholders, ScriptModel};
use planwright_sandbox::{Cancel, Confinement, Program, Spec};
use planwright_surfaces::line::LineOptions;

use crate::args::RunArgs;
use crate::failure::{Failure, out};
use crate::line::{Typed, colored, converse};
use crate::wiring::{Answers, Place, wire_with};

/// The project, file by file.
const PROJECT: &[(&str, &str)] = &[
    ("README.md", include_str!("../demo/project/README.md")),
    ("api/posts.py", include_str!("../demo/project/api/posts.py")),
    ("web/feed.py", include_str!("../demo/project/web/feed.py")),
    ("tests/__init__.py", include_str!("../demo/project/tests/__init__.py")),
    ("tests/test_feed.py", include_str!("../demo/project/tests/test_feed.py")),
    ("tests/test_pagination.py", include_str!("../demo/project/tests/test_pagination.py")),
];
/// What the model says.
const SCRIPT: &str = include_str!("../demo/script.json");
/// What the user of the story says.
const ANSWERS: &str = include_str!("../demo/answers");

/// Plays the story.
pub async fn run(yes: bool) -> Result<ExitCode, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("planwright-demo-")
        .tempdir()
        .map_err(|error| {
            Failure::run(
                format!("no temporary folder can be made: {error}"),
                "Set TMPDIR to a folder that can be written.",
            )
        })?
        .keep();
    let (root, home) = (folder.join("project"), folder.join("home"));
    for (path, text) in PROJECT {
        write(&root.join(path), text)?;
    }
    let script = folder.join("script.json");
    write(&script, SCRIPT)?;
    let root = root.canonicalize().map_err(Failure::output)?;
    let place = Place::at(home, root.clone())?;
    let mut answers: VecDeque<String> = ANSWERS.lines().map(str::to_owned).collect();
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !yes;
    let placeholders = Placeholders { cwd: root.clone(), home: place.user_home.clone().unwrap_or_default() };
    let model =
        ScriptModel::load(&script, placeholders).map_err(|error| Failure::run(error.to_string(), error.hint()))?;
    // A person may answer otherwise than the story does, which then goes on as if they had not.
    let model = if on_terminal { model.without_expectations() } else { model };
    let wired = wire_with(&place, &RunArgs::default(), Answers::Somebody, Some(Arc::new(model)))?;
    let options = LineOptions { echo: true, color: colored() };
    let (typed, first) = if on_terminal {
        out(
            "The model plays a script; you answer it. Answer as the story does: 1 (twenty), then keep planning with\n\
             \"existing callers must get all posts\", then approve with 1. /exit leaves.\n\n",
        )?;
        (Typed::stdin(), answers.pop_front())
    } else {
        (Typed::List(answers), None)
    };
    let (ended, code) = converse(wired, &place, options, typed, first).await?;
    if let Some(code) = code {
        return Ok(code);
    }
    let passed = test(&root).await?;
    out(&format!(
        "\nproject      {}\nplan         {}\nsession log  {}\nNothing else on this machine was touched.\n",
        root.display(),
        ended.plan.as_ref().map_or_else(|| "none".to_owned(), |(_, path)| path.display().to_string()),
        ended.log.display(),
    ))?;
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let parent = path.parent().expect("a file of the demo stands in a folder");
    std::fs::create_dir_all(parent).and_then(|()| std::fs::write(path, text)).map_err(|error| {
        Failure::run(
            format!("{} cannot be written: {error}", path.display()),
            "Set TMPDIR to a folder that can be written.",
        )
    })
}

/// Runs the demo's own test, if there is a Python to run it.
async fn test(root: &Path) -> Result<bool, Failure> {
    if which::which("python3").is_err() {
        out("\nThere is no python3 here, so the project's own test was not run.\n")?;
        return Ok(true);
    }
    let spec = Spec::new(
        Program::Argv(["python3", "-B", "-m", "unittest", "-q"].map(Into::into).to_vec()),
        root,
        Confinement::None,
    );
    let ended =
        planwright_sandbox::spawn(spec, &Cancel::new()).await.map_err(|error| Failure::run(error.to_string(), ""))?;
    let passed = ended.ending.success();
    out(&format!(
        "\n$ python3 -m unittest\n{}{}\n",
        ended.output.text(),
        if passed { "The project's own test passes." } else { "The project's own test FAILS." }
    ))?;
    Ok(passed)
}
