//! A program that is spoken with: it answers, it cannot write, and it dies with whoever speaks with it.

use std::path::Path;

use planwright_sandbox::{Ending, Server, Spec, serve};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::unix::pipe::Receiver;

use crate::life::{expect, line, until};
use crate::table::Walls;
use crate::world::survivors;

/// Answers each line; tries to write at each; and says where it logs.
const PROGRAM: &str = "echo begun >&2; (setsid sleep 300 < /dev/null > /dev/null 2>&1 &); \
                       while read -r word; do (echo $word >> write) 2> /dev/null; echo \"you said $word\"; done; echo over >&2; exit 5";

pub fn run(root: &Path, walls: Walls) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for ends_by_itself in [true, false] {
            let mark = format!("server-{}-{walls:?}-{ends_by_itself}", std::process::id());
            let mut spec = line(walls, root, PROGRAM);
            spec.env = vec![("PW_ESCAPE".into(), Some(mark.clone().into()))];
            spec.timeout = None;
            let Server { mut input, output, process } = serve(spec).map_err(|error| error.to_string())?;
            let mut output = BufReader::new(output);
            for word in ["one", "two"] {
                input.write_all(format!("{word}\n").as_bytes()).await.map_err(|error| error.to_string())?;
                expect("answer", heard(&mut output).await, format!("you said {word}\n"))?;
            }
            if ends_by_itself {
                drop(input);
                expect("end", process.ended().await, Ending::Exited(5))?;
                expect("log", process.news().text(), "begun\nover\n")?;
                expect("rest", heard(&mut output).await, "")?;
            } else {
                drop(process);
                until("all are dead", || survivors(&mark).is_empty())?;
                expect("closed", heard(&mut output).await, "")?;
            }
            until("nothing is left", || survivors(&mark).is_empty())?;
        }
        Ok(())
    })
}

async fn heard(output: &mut BufReader<Receiver>) -> String {
    let mut text = String::new();
    output.read_line(&mut text).await.unwrap();
    text
}

/// Speaks with it for ever, for being killed.
pub fn hold(spec: Spec) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = serve(spec).unwrap();
        server.process.ended().await;
    });
}
