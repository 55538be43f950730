//! How the desk looks: a head, the plan, and the choices, which are always seen.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use planwright_core::plan::{Comment, Remark};
use planwright_core::text::inert;
use ratatui_core::text::{Line, Span};

use super::{Desk, Place, Typing, View, asked};
use crate::tui::diff;
use crate::tui::markdown::Look;
use crate::tui::part::Page;
use crate::tui::theme::Role;
use crate::tui::wrap::{Piece, Row, cut, rows, shortened, width};
use crate::words;

/// Rows that a page key moves by.
pub(super) const STEP: isize = 8;
/// Rows at most for words being typed.
const TYPED_ROWS: usize = 5;

/// Columns left of the plan: a sign, and the number of the line where there is room.
pub(super) const fn gutter(columns: usize) -> usize {
    if columns >= 60 { 7 } else { 2 }
}

/// The headings of a plan: line and level. Those within fenced code are none.
pub(super) fn headings(plan: &str) -> Vec<(usize, usize)> {
    let mut fenced = false;
    let mut headings = Vec::new();
    for (number, line) in (1..).zip(plan.lines()) {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        }
        let level = line.chars().take_while(|c| *c == '#').count();
        if !fenced && (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']) {
            headings.push((number, level));
        }
    }
    headings
}

/// The lines that are folded away: each folded section but its heading.
pub(super) fn hidden(plan: &str, folded: &BTreeSet<usize>) -> Vec<RangeInclusive<usize>> {
    let headings = headings(plan);
    let folded = headings.iter().enumerate().filter(|(_, (line, _))| folded.contains(line));
    folded
        .map(|(n, (line, level))| {
            let next = headings[n + 1..].iter().find(|(_, other)| other <= level);
            line + 1..=next.map_or(usize::MAX, |(next, _)| next - 1)
        })
        .collect()
}

/// Draws the desk.
pub(super) fn draw(desk: &mut Desk, screen_rows: usize, look: Look<'_>) -> Page {
    let (foot, cursor) = foot(desk, screen_rows, look);
    let head_rows = usize::from(screen_rows > foot.len() + 1);
    let room = screen_rows.saturating_sub(foot.len() + head_rows);
    let body = match desk.view {
        View::Plan => plan_rows(desk, room, look),
        View::SinceSubmission => scrolled(desk, room, diff_rows(desk.question.diff.as_deref(), look)),
        View::SinceReview => scrolled(desk, room, diff_rows(desk.reviewed.as_deref(), look)),
        View::Experiment => scrolled(desk, room, experiment_rows(desk, look)),
        View::Evidence => scrolled(desk, room, evidence_rows(desk, look)),
        View::Asked => {
            let rows = asked::shown(&desk.asked, look);
            scrolled(desk, room, rows)
        }
        View::Outline => outline_rows(desk, room, look),
        View::Keys => scrolled(desk, room, key_rows(look)),
    };
    let mut page = Page::default();
    if head_rows > 0 {
        page.rows.push(head(desk, look));
    }
    let foot_at = head_rows + room;
    page.rows.extend(body);
    page.rows.resize(foot_at, Line::default());
    page.cursor = cursor.map(|(row, column)| (foot_at + row, column));
    page.rows.extend(foot);
    page.rows.truncate(screen_rows);
    page.rows = page.rows.into_iter().map(|line| cut(line, look.columns)).collect();
    page.cursor = page.cursor.filter(|(row, _)| *row < screen_rows);
    page
}

fn head(desk: &Desk, look: Look<'_>) -> Line<'static> {
    let name = desk.question.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let place = match desk.view {
        View::Plan => {
            let percent = (desk.at + 1) * 100 / desk.body.len().max(1);
            words::desk_place(desk.at + 1, desk.body.len(), percent)
        }
        View::SinceSubmission => words::SINCE_SUBMISSION.to_owned(),
        View::SinceReview => words::SINCE_REVIEW.to_owned(),
        View::Experiment => words::EXPERIMENT.to_owned(),
        View::Evidence => words::CITED.to_owned(),
        View::Asked => words::ASKED_ASIDE.to_owned(),
        View::Outline => words::OUTLINE.to_owned(),
        View::Keys => words::DESK_KEYS.to_owned(),
    };
    let left = words::desk_head(
        &inert(&name),
        desk.question.revision,
        desk.comments.len() + usize::from(!desk.general.is_empty()),
    );
    let left = shortened(&left, look.columns.saturating_sub(width(&place) + 1));
    let gap = look.columns.saturating_sub(width(&left) + width(&place));
    Line::from(vec![
        Span::styled(left, look.theme.style(Role::Heading)),
        Span::raw(" ".repeat(gap)),
        Span::styled(shortened(&place, look.columns), look.theme.style(Role::Dim)),
    ])
}

/// One row of the body.
fn body_row(desk: &Desk, place: usize, look: Look<'_>) -> Vec<Line<'static>> {
    let style = |role| look.theme.style(role);
    let here = place == desk.at;
    let marked = desk.mark.is_some_and(|mark| (mark.min(desk.at)..=mark.max(desk.at)).contains(&place));
    let sign = match (here, marked) {
        (true, _) => "▸ ",
        (false, true) => "┃ ",
        (false, false) => "  ",
    };
    let wide = gutter(look.columns) > 2;
    match desk.body[place] {
        Place::Plan(n) => {
            let row: &Row = &desk.rows[n];
            let first = n == 0 || desk.rows[n - 1].source != row.source;
            let mut spans = vec![Span::styled(sign, style(if here { Role::Sign } else { Role::Dim }))];
            if wide {
                let number = if first && row.source > 0 { format!("{:>4} ", row.source) } else { " ".repeat(5) };
                spans.push(Span::styled(number, style(Role::Dim)));
            }
            spans.extend(row.line.spans.iter().cloned());
            if desk.folded.contains(&row.source) && first {
                spans.push(Span::styled(words::FOLDED, style(Role::Dim)));
            }
            vec![Line::from(spans)]
        }
        Place::General | Place::Comment(_) => {
            let mut first = vec![Span::styled(sign, style(if here { Role::Sign } else { Role::Dim }))];
            first.push(Span::raw(" ".repeat(gutter(look.columns) - 2)));
            let rest = [Span::raw(" ".repeat(gutter(look.columns) + 2))];
            first.push(Span::styled("✎ ", style(Role::Warning)));
            let text = match desk.body[place] {
                Place::Comment(n) => comment_text(&desk.comments[n]),
                Place::General | Place::Plan(_) => desk.general.clone(),
            };
            let piece = Piece::new(inert(&text), style(Role::Warning), 0);
            rows(&[piece], look.columns, &first, &rest).into_iter().map(|row| row.line).collect()
        }
    }
}

fn comment_text(comment: &Comment) -> String {
    let lines = words::lines(comment.first, comment.last);
    match &comment.remark {
        Remark::Words(words) => format!("{lines}: {words}"),
        Remark::Replace(text) if text.trim().is_empty() => words::take_out(&lines),
        Remark::Replace(text) => words::instead(&lines, text.trim_end()),
    }
}

/// The rows of the plan around the reader.
fn plan_rows(desk: &mut Desk, room: usize, look: Look<'_>) -> Vec<Line<'static>> {
    if desk.body.is_empty() || room == 0 {
        return Vec::new();
    }
    desk.top = desk.top.min(desk.at);
    // A comment may take several rows, so that the first place that lets the reader's be seen is looked for.
    let heights = |from: usize, to: usize| -> usize { (from..=to).map(|n| height(desk, n, look)).sum() };
    let comments = desk.body[desk.at + 1..].iter().take_while(|place| matches!(place, Place::Comment(_))).count();
    let mut top = desk.top.max((desk.at + 1).saturating_sub(room));
    while top < desk.at && heights(top, desk.at + comments) > room {
        top += 1;
    }
    let mut lines = Vec::new();
    for place in top..desk.body.len() {
        lines.extend(body_row(desk, place, look));
        if lines.len() >= room {
            break;
        }
    }
    lines.truncate(room);
    desk.top = top;
    lines
}

fn height(desk: &Desk, place: usize, look: Look<'_>) -> usize {
    match desk.body[place] {
        Place::Plan(_) => 1,
        Place::General | Place::Comment(_) => body_row(desk, place, look).len(),
    }
}

fn diff_rows(diff: Option<&str>, look: Look<'_>) -> Vec<Line<'static>> {
    let rows = diff::render(diff.unwrap_or_default(), look.columns, look.theme);
    rows.into_iter().map(|row| row.line).collect()
}

/// What was tried, what commands left beside it, and why it cannot be applied.
fn experiment_rows(desk: &Desk, look: Look<'_>) -> Vec<Line<'static>> {
    let Some(tried) = &desk.question.experiment else { return Vec::new() };
    let mut lines = diff_rows(Some(&tried.diff), look);
    if let Some(why) = &tried.trouble {
        lines.splice(0..0, text(&words::experiment_trouble(why), Role::Warning, look));
    }
    if !tried.others.is_empty() {
        lines.extend(text(words::EXPERIMENT_OTHERS, Role::Strong, look));
        lines.extend(tried.others.iter().flat_map(|name| text(&format!("  {name}"), Role::Dim, look)));
    }
    lines
}

/// The headings, the chosen one marked; as many as there is room for.
fn outline_rows(desk: &Desk, room: usize, look: Look<'_>) -> Vec<Line<'static>> {
    let lines: Vec<_> = desk.question.plan.lines().collect();
    let row = |(n, (line, level)): (usize, (usize, usize))| {
        let chosen = n == desk.scrolled;
        let (sign, role) = if chosen { ("❯ ", Role::Strong) } else { ("  ", Role::Text) };
        let heading = lines.get(line - 1).map_or("", |text| text.trim_start_matches('#').trim());
        let text = format!("{}{}", "  ".repeat(level - 1), inert(heading));
        Line::from(vec![
            Span::styled(sign, look.theme.style(Role::Sign)),
            Span::styled(shortened(&text, look.columns.saturating_sub(2)), look.theme.style(role)),
        ])
    };
    let first = (desk.scrolled + 1).saturating_sub(room);
    headings(&desk.question.plan).into_iter().enumerate().skip(first).take(room).map(row).collect()
}

fn evidence_rows(desk: &Desk, look: Look<'_>) -> Vec<Line<'static>> {
    desk.question.citations.iter().flat_map(|citation| text(&words::citation(citation), Role::Text, look)).collect()
}

fn text(words: &str, role: Role, look: Look<'_>) -> Vec<Line<'static>> {
    let piece = Piece::new(inert(words), look.theme.style(role), 0);
    rows(&[piece], look.columns, &[], &[Span::raw("  ")]).into_iter().map(|row| row.line).collect()
}

fn key_rows(look: Look<'_>) -> Vec<Line<'static>> {
    let row = |(keys, does): &(&str, &str)| {
        let first = [Span::styled(format!("{keys:<12} "), look.theme.style(Role::Sign))];
        let piece = Piece::new(*does, look.theme.style(Role::Text), 0);
        rows(&[piece], look.columns, &first, &[Span::raw("  ")]).into_iter().map(|row| row.line).collect::<Vec<_>>()
    };
    words::DESK_KEY_TABLE.iter().flat_map(row).collect()
}

fn scrolled(desk: &mut Desk, room: usize, rows: Vec<Line<'static>>) -> Vec<Line<'static>> {
    desk.scrolled = desk.scrolled.min(rows.len().saturating_sub(room));
    rows.into_iter().skip(desk.scrolled).take(room).collect()
}

/// What stands below the plan: a note, the words being typed, the choices. The cursor is in the words.
/// What stands below the plan, and where in it the cursor is.
pub(super) fn foot(desk: &Desk, screen_rows: usize, look: Look<'_>) -> (Vec<Line<'static>>, Option<(usize, usize)>) {
    let style = |role| look.theme.style(role);
    let mut lines = Vec::new();
    let roomy = screen_rows >= 14;
    if roomy {
        lines.push(Line::from(Span::styled("─".repeat(look.columns), style(Role::Dim))));
    }
    if let Some(note) = &desk.note {
        lines.push(Line::from(Span::styled(shortened(&inert(note), look.columns), style(Role::Warning))));
    }
    let mut cursor = None;
    if let Some((typing, editor)) = &desk.typing {
        let label = match typing {
            Typing::Comment { first, last } => words::comment_on(&words::lines(*first, *last)),
            Typing::Replacement { first, last } => words::replacement_for(&words::lines(*first, *last)),
            Typing::General => words::COMMENT_ON_ALL.to_owned(),
            Typing::Question { first, last } => words::question_about(&words::lines(*first, *last)),
            Typing::Model => words::MODEL_FOR_WORK.to_owned(),
            Typing::Feedback => words::WHAT_SHOULD_CHANGE.to_owned(),
            Typing::Find => words::FIND.to_owned(),
        };
        lines.push(Line::from(Span::styled(shortened(&label, look.columns), style(Role::Strong))));
        let shown = editor.shown(look.columns.saturating_sub(2));
        let first = (shown.cursor.0 + 1).saturating_sub(TYPED_ROWS.min(screen_rows / 2).max(1));
        for (n, row) in shown.rows.iter().enumerate().skip(first).take(TYPED_ROWS.min(screen_rows / 2).max(1)) {
            if n == shown.cursor.0 {
                cursor = Some((lines.len(), shown.cursor.1 + 2));
            }
            let sign = if n == 0 { "› " } else { "  " };
            lines.push(Line::from(vec![Span::styled(sign, style(Role::Sign)), Span::raw(inert(row))]));
        }
    }
    let approves = desk.question.choices.iter().any(|choice| choice.mode().is_some());
    if approves && (roomy || !desk.handoff.is_plain()) {
        lines.extend(text(&words::handoff(&desk.handoff), Role::Dim, look));
    }
    lines.extend(choices(desk, look));
    if roomy {
        let hint = match (&desk.typing, desk.view) {
            (Some(_), _) => words::TYPING_HINT,
            (None, View::Asked) => words::ASKED_HINT,
            (None, View::Outline) => words::OUTLINE_HINT,
            (None, _) => words::DESK_HINT,
        };
        lines.push(Line::from(Span::styled(shortened(hint, look.columns), style(Role::Dim))));
    }
    (lines, cursor)
}

/// The choices, as many in a row as fit.
fn choices(desk: &Desk, look: Look<'_>) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    let mut used = 0;
    for (n, choice) in desk.question.choices.iter().enumerate() {
        let label = format!("{} {}", n + 1, words::desk_choice(*choice, look.columns >= 60));
        let label = shortened(&label, look.columns.saturating_sub(2));
        let chosen = n == desk.chosen && desk.typing.is_none();
        // Never by colour or reversal alone.
        let text = if chosen { format!("[{label}]") } else { format!(" {label} ") };
        if used > 0 && used + width(&text) > look.columns {
            lines.push(Line::default());
            used = 0;
        }
        used += width(&text);
        let role = if chosen { Role::Chosen } else { Role::Text };
        if let Some(line) = lines.last_mut() {
            line.push_span(Span::styled(text, look.theme.style(role)));
        }
    }
    lines
}
