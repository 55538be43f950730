//! What tool results and reminders say. Sentences pinned by plan-mode.md section 9 are kept byte
//! for byte in `results.md`.

use std::borrow::Cow;
use std::path::Path;

use super::notes::block;
use super::page::{disarm, fill, section};
use super::{bounded_plan, shown};
use crate::bounds::{ASIDE_SHOWN_BYTES, FETCH_PROMPT_CHARS, PAGE_SHOWN_BYTES, PLAN_CAP_LINES};
use crate::mode::Mode;
use crate::plan::Aside;
use crate::settings::Workflow;

const RESULTS: &str = include_str!("results.md");

fn say(name: &str, values: &[(&str, &str)]) -> String {
    fill(section(RESULTS, name), values)
}

/// A person's words, if there are any.
fn spoken(words: Option<&str>) -> Option<&str> {
    words.map(str::trim).filter(|words| !words.is_empty())
}

/// `EnterPlanMode` entered. The workflow itself comes by note, in the same batch.
pub fn entered_plan_mode(workflow: Workflow) -> String {
    let guide = match workflow {
        Workflow::Phases => "entered guide phases",
        Workflow::Interview => "entered guide interview",
    };
    say("entered_plan_mode", &[("guide", section(RESULTS, guide))])
}

/// The user was asked whether the model may enter plan mode, and said no, perhaps with a comment.
pub fn enter_refused_by_user(comment: Option<&str>) -> String {
    let comment = match spoken(comment) {
        Some(words) => format!("\n\n{}", say("enter refused comment", &[("words", words)])),
        None => String::new(),
    };
    say("enter_refused_by_user", &[("comment", &comment)])
}

/// `EnterPlanMode` while planning: a no-op.
pub fn already_planning() -> String {
    say("already_planning", &[])
}

/// `EnterPlanMode` from a subagent.
pub fn enter_from_agent() -> String {
    say("enter_from_agent", &[])
}

/// `ExitPlanMode` outside plan mode.
pub fn not_in_plan_mode() -> String {
    say("not_in_plan_mode", &[])
}

/// `ExitPlanMode` without a plan.
pub fn no_plan(path: &Path) -> String {
    say("no_plan", &[("path", &shown(path))])
}

/// `ExitPlanMode` without a plan, by a teammate that must have one.
pub fn no_plan_teammate(path: &Path) -> String {
    say("no_plan_teammate", &[("path", &shown(path))])
}

/// Leaving without a plan was approved (`plan.required = false`).
pub fn exited_without_plan() -> String {
    say("exited_without_plan", &[])
}

/// The plan was approved. `edited`: the user changed it first; `team`: the model has tools to give
/// work to others.
pub fn plan_approved(path: &Path, plan: &str, edited: bool, team: bool) -> String {
    let heading = if edited { "Approved Plan (edited by user)" } else { "Approved Plan" };
    let team = if team { format!(" {}", section(RESULTS, "team hint")) } else { String::new() };
    let values =
        [("path", &*shown(path)), ("team", &team), ("heading", heading), ("plan", &bounded_plan(plan, &shown(path)))];
    say("plan_approved", &values)
}

/// Follows an approval: the user's notes with it, if there are any.
pub fn approval_notes(notes: Option<&str>) -> String {
    spoken(notes).map(|notes| format!("\n\n{}", say("approval_notes", &[("notes", notes)]))).unwrap_or_default()
}

/// The user's notes with an approval, for a conversation that lost it.
pub fn approval_notes_again(notes: &str) -> String {
    block("approval_notes", &say("approval_notes", &[("notes", notes)]))
}

/// Stands for the result of the call whose plan is being read, in a request that asks about it.
pub fn plan_being_read() -> String {
    say("plan_being_read", &[])
}

/// A question about the plan that is being read; `before`: those answered before it.
pub fn aside(before: &[Aside], question: &str) -> String {
    let before = match asides(before) {
        told if told.is_empty() => told,
        told => format!("\n\n{}", say("aside before", &[("asides", &told)])),
    };
    block("aside", &say("aside", &[("before", &before), ("question", question.trim())]))
}

/// Follows a decision about a plan: what was asked about it meanwhile.
pub fn asked_while_reading(asked: &[Aside]) -> String {
    match asides(asked) {
        told if told.is_empty() => told,
        told => format!("\n\n{}", say("asked_while_reading", &[("asides", &told)])),
    }
}

fn asides(asides: &[Aside]) -> String {
    let one = |aside: &Aside| {
        let answer = shortened(&aside.answer, ASIDE_SHOWN_BYTES);
        say("one aside", &[("question", &shortened(&aside.question, ASIDE_SHOWN_BYTES)), ("answer", &answer)])
    };
    asides.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// At most so many bytes of a text, and a sign if there was more.
fn shortened(text: &str, bytes: usize) -> String {
    let text = text.trim();
    let end = text.floor_char_boundary(bytes);
    if end < text.len() { format!("{} […]", &text[..end]) } else { text.to_owned() }
}

/// The plan of an agent was approved.
pub fn plan_approved_agent() -> String {
    say("plan_approved_agent", &[])
}

/// The user wants to keep planning.
pub fn plan_rejected(feedback: Option<&str>) -> String {
    match spoken(feedback) {
        Some(feedback) => say("plan_rejected", &[("feedback", feedback)]),
        None => say("plan_rejected without feedback", &[]),
    }
}

/// What stands behind another result when the user edited the plan and did not approve it: the text
/// that the model goes on with.
pub fn plan_changed_by_user(plan: &str) -> String {
    let plan = bounded_plan(plan, section(RESULTS, "place of the plan"));
    format!("\n\n{}", say("plan_changed_by_user", &[("plan", &plan)]))
}

/// A comment of the user on lines of the plan. `lines` names them, `quote` is what they say.
pub fn review_comment(lines: &str, quote: &[&str], words: &str) -> String {
    say("review comment", &[("lines", lines), ("quote", &quoted(quote)), ("words", words.trim())])
}

/// Other text that the user suggests for lines of the plan; an empty one takes them out.
pub fn review_replacement(lines: &str, quote: &[&str], words: &str) -> String {
    let quote = quoted(quote);
    match words.trim_end() {
        "" => say("review deletion", &[("lines", lines), ("quote", &quote)]),
        words => say("review replacement", &[("lines", lines), ("quote", &quote), ("words", words)]),
    }
}

fn quoted(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// The plan is longer than `plan.length = "cap"` lets it be; `lines` is its count.
pub fn plan_too_long(lines: usize, path: &Path) -> String {
    let (lines, limit) = (lines.to_string(), PLAN_CAP_LINES.to_string());
    say("plan_too_long", &[("lines", &lines), ("limit", &limit), ("path", &shown(path))])
}

/// The plan file is there and cannot be read; `why` is a clause.
pub fn plan_unreadable(path: &Path, why: &str) -> String {
    say("plan_unreadable", &[("path", &shown(path)), ("why", why)])
}

/// Nobody is there to approve: the plan is kept, pending.
pub fn plan_unanswered(path: &Path) -> String {
    say("plan_unanswered", &[("path", &shown(path))])
}

/// The user left plan mode before the answer came, perhaps with words of their own; `mode` is on
/// now.
pub fn mode_changed_meanwhile(mode: Mode, words: Option<&str>) -> String {
    let words = match spoken(words) {
        Some(words) => format!("\n\n{}", say("mode changed words", &[("words", words)])),
        None => String::new(),
    };
    say("mode_changed_meanwhile", &[("mode", mode.name()), ("words", &words)])
}

/// A teammate's plan went to its lead.
pub fn plan_awaits_lead(path: &Path, request_id: &str) -> String {
    say("plan_awaits_lead", &[("path", &shown(path)), ("request_id", request_id)])
}

/// A call stood beside `boundary_tool` in one answer.
pub fn batch_refused(boundary_tool: &str) -> String {
    say("batch_refused", &[("tool", boundary_tool)])
}

/// The user answered: pairs of question and answer, each exactly as written.
pub fn questions_answered<Q: AsRef<str>, A: AsRef<str>>(answers: &[(Q, A)]) -> String {
    let pairs: Vec<_> =
        answers.iter().map(|(question, answer)| format!("\"{}\"=\"{}\"", question.as_ref(), answer.as_ref())).collect();
    say("questions_answered", &[("answers", &pairs.join(", "))])
}

/// The answer to give for one question that the user skipped while answering others.
pub fn question_skipped() -> String {
    say("question_skipped", &[])
}

/// The user answered none of the questions.
pub fn questions_declined(words: &str) -> String {
    let comment = match spoken(Some(words)) {
        Some(words) => format!(" {}", say("questions declined words", &[("words", words)])),
        None => String::new(),
    };
    say("questions_declined", &[("comment", &comment)])
}

/// What ran is not the call that the model wrote.
pub fn call_changed(tool: &str, argument: &str) -> String {
    say("call_changed", &[("tool", tool), ("argument", argument)])
}

/// The user or a hook changed a call into one that cannot be.
pub fn changed_call_invalid(tool: &str, why: &str) -> String {
    say("changed_call_invalid", &[("tool", tool), ("why", why)])
}

/// A yes came with something that cannot be done.
pub fn grant_unusable(tool: &str, why: &str) -> String {
    say("grant_unusable", &[("tool", tool), ("why", why)])
}

/// The hooks that want to hear of every call could not be asked.
pub fn hooks_unheard(tool: &str) -> String {
    say("hooks_unheard", &[("tool", tool)])
}

/// Nobody is there to answer questions.
pub fn questions_nobody() -> String {
    say("questions_nobody", &[])
}

/// The call was stopped, or never started, because the turn was interrupted.
pub fn interrupted() -> String {
    say("interrupted", &[])
}

/// The session ended before the call's result was recorded.
pub fn result_lost() -> String {
    say("result_lost", &[])
}

/// The model's answer was cut off; the call in it was not run.
pub fn truncated_call() -> String {
    say("truncated_call", &[])
}

/// Stands for the result of a call that has none, where a provider wants one for each.
pub fn no_result() -> &'static str {
    section(RESULTS, "no_result")
}

/// A result as a provider reads it that has no other place to say whether it is an error.
pub fn result_shown(content: &str, is_error: bool) -> Cow<'_, str> {
    if is_error { Cow::Owned(say("failed", &[("content", content)])) } else { Cow::Borrowed(content) }
}

/// Stands between an answer that was cut and what goes on with it.
pub fn go_on() -> &'static str {
    section(RESULTS, "go_on")
}

/// The one reminder when a turn ends in prose while planning.
pub fn unsubmitted_plan(path: &Path) -> String {
    block("reminder", &say("unsubmitted_plan", &[("path", &shown(path))]))
}

/// The request for a summary; `what_to_keep` is the user's wish.
pub fn compact(what_to_keep: Option<&str>) -> String {
    let keep = match spoken(what_to_keep) {
        Some(text) => format!("\n\n{}", say("compact keep", &[("text", text)])),
        None => String::new(),
    };
    block("compact", &say("compact", &[("keep", &keep)]))
}

/// How the summary opens the new context.
pub fn summary(text: &str) -> String {
    block("summary", &say("summary", &[("text", text.trim())]))
}

/// How a conversation begins that is handed an approved plan; `result` is what the approval came to.
pub fn handed_over(result: &str) -> String {
    block("handed_over", &say("handed_over", &[("result", result)]))
}

/// What stands in place of a part that was left out because the conversation did not fit.
pub fn left_out(bytes: usize) -> String {
    say("left_out", &[("bytes", &bytes.to_string())])
}

/// What the model is told of a command that the user ran (`!command`).
pub fn user_command(command: &str, output: &str) -> String {
    block("user_command", &say("user_command", &[("command", command), ("output", output)]))
}

/// What stands in place of the rest of a plan that is too long to show.
pub(super) fn cut(shown: usize, total: usize, path: &str) -> String {
    say("cut", &[("shown", &shown.to_string()), ("total", &total.to_string()), ("path", path)])
}

/// What stands behind the result of a command that ran in a scratch copy.
pub fn evidence(id: u32) -> String {
    format!("\n{}", say("evidence", &[("id", &id.to_string())]))
}

/// A page on the web, as `WebFetch` read it.
#[derive(Clone, Copy, Debug)]
pub struct WebPage<'a> {
    /// Where it came from in the end.
    pub url: &'a str,
    /// The status of the response, as `200 OK`.
    pub status: &'a str,
    /// Its type and size, in words.
    pub kind: &'a str,
    /// What the model wants to know.
    pub prompt: &'a str,
    /// Its text.
    pub text: &'a str,
    /// What is not as it seems, sentences of this room.
    pub notes: &'a [String],
}

/// `WebFetch` read a page: where from, what was asked, and the text in a block that it cannot leave.
pub fn web_page(page: &WebPage<'_>) -> String {
    let text = disarm(page.text.trim(), "web-page");
    let shown = &text[..text.floor_char_boundary(PAGE_SHOWN_BYTES)];
    let (shown_bytes, total) = (shown.len().to_string(), text.len().to_string());
    let cut = (shown.len() < text.len()).then(|| say("page_cut_shown", &[("shown", &shown_bytes), ("total", &total)]));
    let notes: String = cut.iter().chain(page.notes).map(|note| format!("\n{note}")).collect();
    let prompt: String = page.prompt.chars().take(FETCH_PROMPT_CHARS).collect();
    say(
        "web_page",
        &[
            ("url", page.url),
            ("status", page.status),
            ("kind", page.kind),
            ("prompt", prompt.trim()),
            ("text", if shown.is_empty() { "(no text)" } else { shown }),
            ("notes", &notes),
        ],
    )
}

/// A page was longer than is fetched.
pub fn page_cut_by_size(bytes: usize) -> String {
    say("page_cut_by_size", &[("bytes", &bytes.to_string())])
}

/// Part of a page was left out, because of how it is made.
pub fn page_cut_by_shape() -> String {
    say("page_cut_by_shape", &[])
}

/// Part of a page could not be decoded.
pub fn page_lossy() -> String {
    say("page_lossy", &[])
}

/// A page redirects to another host.
pub fn redirected(from: &str, to: &str) -> String {
    say("redirected", &[("from", from), ("to", to)])
}

/// A host is not on the public internet.
pub fn private_host(host: &str, address: &str, what: &str) -> String {
    say("private_host", &[("host", host), ("address", address), ("what", what)])
}

/// Follows an approval: what was tried in the scratch copy is applied to these files.
pub fn experiment_applied(files: &str) -> String {
    format!("\n\n{}", say("experiment_applied", &[("files", files)]))
}

/// Follows an approval: what was tried in the scratch copy could not be applied; `why` is a clause.
pub fn experiment_not_applied(why: &str) -> String {
    format!("\n\n{}", say("experiment_not_applied", &[("why", why)]))
}

/// Follows an approval: what was tried in the scratch copy is applied in part.
pub fn experiment_not_undone(why: &str, files: &str) -> String {
    format!("\n\n{}", say("experiment_not_undone", &[("why", why), ("files", files)]))
}

/// Stands for the result of an approval: the program ended while what was tried was applied.
pub fn experiment_cut_off(files: &str) -> String {
    say("experiment_cut_off", &[("files", files)])
}

/// The user took back what was applied.
pub fn experiment_undone(files: &str) -> String {
    block("experiment_undone", &say("experiment_undone", &[("files", files)]))
}

/// `TodoWrite` is done.
pub fn todos_updated(done: usize, all: usize) -> String {
    say("todos_updated", &[("done", &done.to_string()), ("all", &all.to_string())])
}

/// A tool that this conversation is not offered.
pub fn not_offered(tool: &str, tools: &[&str]) -> String {
    say("not_offered", &[("tool", tool), ("tools", &tools.join(", "))])
}

/// `Agent` with a type that is none.
pub fn no_agent_type(name: &str, types: &[&str]) -> String {
    say("no_agent_type", &[("name", name), ("types", &types.join(", "))])
}

/// `Agent` with a type whose own model cannot be had.
pub fn agent_model_unusable(name: &str, why: &str) -> String {
    say("agent_model_unusable", &[("name", name), ("why", why)])
}

/// `Agent` from an agent that is too deep to start another.
pub fn agents_too_deep() -> String {
    say("agents_too_deep", &[("depth", &crate::bounds::AGENT_DEPTH.to_string())])
}

/// The result of an agent that ended without a word.
pub fn agent_said_nothing() -> String {
    say("agent_said_nothing", &[])
}

/// The result of an agent that failed or reached a limit.
pub fn agent_unfinished(name: &str, why: &str, words: &str) -> String {
    say("agent_unfinished", &[("name", name), ("why", why), ("words", words)])
}
