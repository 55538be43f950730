//! `then` lines.

use std::path::Path;
use std::time::Duration;

use planwright_core::state::State;
use serde_json::Value;

use super::files::{entries, plan_files, tree};
use super::line::{flat, unescaped};
use super::play::Player;
use super::recorded::lane_of;
use super::screenplay::lane;

/// Whether what a `then` line says is so; else what is.
pub async fn check(player: &mut Player, text: &str) -> Result<(), String> {
    let words: Vec<_> = text.split_whitespace().collect();
    match words.as_slice() {
        ["mode", wanted] => mode(player, wanted),
        ["before", wanted] => {
            let before = state(player).permissions().pre_plan_mode().map_or("none", |mode| mode.name());
            same("the mode before", before, wanted)
        }
        ["file", ..] => file(player, text.trim_start_matches("file").trim()),
        ["plan", "=" | "contains" | "lacks", ..] => file(player, &format!("{{plan_file}} {}", &text[4..].trim())),
        ["no", "plan"] => no_file(player, "{plan_file}"),
        ["no", "file", path] => no_file(player, path),
        ["no", "request"] => same("requests", &player.model.requests().len().to_string(), "0"),
        ["request", ..] => request(player, text),
        ["requests", "were", ..] => {
            let name = |lane: String| if lane.is_empty() { "main".to_owned() } else { lane };
            let were: Vec<_> = player.model.requests().iter().map(|request| name(lane_of(request))).collect();
            same("the requests", &were.join(", "), text.trim_start_matches("requests were").trim())
        }
        ["tools", how @ ("contain" | "lack"), tool] => {
            let requests = player.model.requests();
            let specs = &requests.last().ok_or("there was no request")?.tools;
            let names: Vec<_> = specs.iter().map(|spec| spec.name.as_str()).collect();
            told(names.contains(tool) == (*how == "contain"), || format!("the tools are {}", names.join(", ")))
        }
        ["log", ..] => log(player, text.trim_start_matches("log").trim()),
        ["nothing", "changed"] => {
            let now = tree(&player.world.project);
            let changed = now
                .iter()
                .chain(&player.world.begin)
                .find(|file| !(now.contains(file) && player.world.begin.contains(file)));
            told(changed.is_none(), || format!("{} changed", changed.unwrap().0.display()))
        }
        ["pipe", name, "closed"] => {
            let closed = player.world.pipes.get_mut(*name).and_then(|pipe| pipe.closed.take());
            let closed = closed.ok_or("there is no such pipe, or it was looked at before")?;
            let waited = tokio::time::timeout(Duration::from_secs(10), closed).await;
            told(waited.is_ok(), || "a process still holds it".to_owned())
        }
        ["the", "plan", "file", "is", "another"] => {
            let mine = plan_files(&player.log);
            let theirs = player.others.iter().flat_map(|other| plan_files(&other.log));
            let all: Vec<_> = theirs.chain(mine).collect();
            let distinct: std::collections::BTreeSet<_> = all.iter().collect();
            told(all.len() > 1 && distinct.len() == all.len(), || format!("the plan files are {all:?}"))
        }
        ["plan", "files", "named", count] => {
            same("plan files named", &plan_files(&player.log).len().to_string(), count)
        }
        _ => Err(format!("`then {text}` is not understood")),
    }
}

fn told(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn same(what: &str, is: &str, wanted: &str) -> Result<(), String> {
    told(is == wanted, || format!("{what}: wanted `{wanted}`, is `{is}`"))
}

fn state(player: &Player) -> State {
    State::fold(entries(&player.log).iter().map(|entry| &entry.fact))
}

/// The mode that was told last, and the mode that the log comes to, are this one.
fn mode(player: &Player, wanted: &str) -> Result<(), String> {
    same("the mode of the log", state(player).permissions().mode().name(), wanted)?;
    same("the mode told", player.told.map_or("none", |mode| mode.name()), wanted)
}

/// `= TEXT`, `contains TEXT`, `lacks TEXT`
fn holds(what: &str, is: &str, claim: &str) -> Result<(), String> {
    let (how, text) = claim.split_once(' ').unwrap_or((claim, ""));
    let text = unescaped(text);
    match how {
        "=" => told(is == text, || format!("{what} is {is:?}")),
        "contains" => told(flat(is).contains(&flat(&text)), || format!("{what} does not contain `{text}`")),
        "lacks" => told(!flat(is).contains(&flat(&text)), || format!("{what} contains `{text}`")),
        _ => Err(format!("`{claim}` is no claim")),
    }
}

fn file(player: &Player, rest: &str) -> Result<(), String> {
    // A path is one word, but for the name of a plan file with a number in it.
    let end = rest.find('}').map_or(0, |at| at + 1);
    let end = end + rest[end..].find(' ').ok_or("a path, and what is claimed of it")?;
    let path = player.world.path(&player.filled(&rest[..end]));
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    holds(&rest[..end], &planwright_core::text::decode(&bytes).text, rest[end..].trim_start())
}

fn no_file(player: &Player, path: &str) -> Result<(), String> {
    let filled = player.filled(path);
    let there = filled != "{plan_file}" && Path::new(&player.world.path(&filled)).symlink_metadata().is_ok();
    told(!there, || format!("{path} is there"))
}

/// `request [AGENT [N]] NUMBER|last contains|lacks TEXT`, or `has TEXT before TEXT` (where each
/// stands last)
fn request(player: &Player, text: &str) -> Result<(), String> {
    let (head, how) = ["contains", "lacks", "has"]
        .iter()
        .find_map(|how| Some((text.split_once(&format!(" {how} "))?.0, *how)))
        .ok_or("contains or lacks?")?;
    let claim = &text[head.len() + 1..];
    debug_assert!(claim.starts_with(how));
    let words: Vec<_> = head.split_whitespace().skip(1).collect();
    let (number, whose) = words.split_last().ok_or("which request?")?;
    let whose = lane(whose)?;
    let requests: Vec<_> = player.model.requests().into_iter().filter(|request| lane_of(request) == whose).collect();
    let request = match number.parse::<usize>() {
        Ok(number) => requests.get(number.wrapping_sub(1)),
        Err(_) if *number == "last" => requests.last(),
        Err(_) => return Err(format!("`{number}` is no request")),
    };
    let request = request.ok_or_else(|| format!("there were {} requests", requests.len()))?;
    let is = player.named(&request.as_text());
    match claim.strip_prefix("has ").and_then(|claim| claim.split_once(" before ")) {
        Some((one, other)) => told(is.rfind(one).is_some() && is.rfind(one) < is.rfind(other), || {
            format!("`{one}` stands at {:?}, `{other}` at {:?}", is.rfind(one), is.rfind(other))
        }),
        None => holds(head, &is, claim),
    }
}

/// `has|lacks [N] TYPE [FIELD=VALUE|FIELD~PART, …]`
fn log(player: &Player, text: &str) -> Result<(), String> {
    let (how, rest) = text.split_once(' ').ok_or("has or lacks?")?;
    let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
    let (count, kind, fields) = match first.parse::<usize>() {
        Ok(count) => {
            let (kind, fields) = after.split_once(' ').unwrap_or((after, ""));
            (Some(count), kind, fields)
        }
        Err(_) => (None, first, after),
    };
    let lines: Vec<Value> = entries(&player.log).iter().map(|entry| serde_json::to_value(entry).unwrap()).collect();
    let of_kind: Vec<_> = lines.iter().filter(|line| line["type"] == kind).collect();
    let fits = |line: &&&Value| {
        fields.split(", ").filter(|field| !field.is_empty()).all(|field| field_fits(player, line, field))
    };
    let found = of_kind.iter().filter(fits).count();
    let right = match (how, count) {
        ("has", None) => found > 0,
        ("has", Some(count)) => found == count,
        ("lacks", None) => found == 0,
        _ => return Err(format!("`then log {text}` is not understood")),
    };
    let all = of_kind.iter().map(|line| format!("\n            {}", player.named(&line.to_string())));
    told(right, || format!("the log has {found} such lines; {kind}:{}", all.collect::<String>()))
}

fn field_fits(player: &Player, line: &Value, field: &str) -> bool {
    let at = field.find(['=', '~']).unwrap_or(field.len());
    let value = field[..at].split('.').fold(line, |value, key| match key.parse::<usize>() {
        Ok(index) => &value[index],
        Err(_) => &value[key],
    });
    let is = player.named(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    let wanted = field[at..].get(1..).unwrap_or_default();
    if field[at..].starts_with('=') { is == wanted } else { flat(&is).contains(wanted) }
}
