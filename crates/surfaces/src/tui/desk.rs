//! The review desk: a plan that waits for its answer, on a page of its own. It is read, commented and
//! compared here; what is chosen is an answer, and comments go along with it.

use std::collections::BTreeSet;

use planwright_core::dialogue::{Answer, AsideHeard, Input, PlanChoice, PlanQuestion};
use planwright_core::plan::{self, Comment, Handoff, Remark};

use super::editor::Editor;
use super::keys::{Code, Key};
use super::markdown::{self, Look};
use super::part::{Act, Heard, Page};
use super::wrap::Row;

mod asked;
mod comments;
mod moves;
mod page;

use asked::Asked;

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// The plan.
    Plan,
    /// What changed since the submission before.
    SinceSubmission,
    /// What changed since the reader last decided about a plan.
    SinceReview,
    /// What was tried in the scratch copy.
    Experiment,
    /// What the plan cites.
    Evidence,
    /// What was asked about the plan.
    Asked,
    /// The headings.
    Outline,
    /// The keys.
    Keys,
}

impl View {
    /// The views in the order of the key that goes through them.
    const ALL: [Self; 6] =
        [Self::Plan, Self::SinceSubmission, Self::SinceReview, Self::Experiment, Self::Evidence, Self::Asked];
}

/// What is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typing {
    /// A comment on the lines.
    Comment { first: usize, last: usize },
    /// Other text for the lines.
    Replacement { first: usize, last: usize },
    /// A comment on the plan as a whole.
    General,
    /// A question to the model about the lines.
    Question { first: usize, last: usize },
    /// The model that does the work.
    Model,
    /// What should change, to keep planning.
    Feedback,
    /// What to look for.
    Find,
}

/// What a row of the body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// This row of the plan.
    Plan(usize),
    /// The comment on the plan as a whole.
    General,
    /// This comment.
    Comment(usize),
}

/// A plan on the desk.
pub struct Desk {
    question: PlanQuestion,
    /// What changed since the last review.
    reviewed: Option<String>,
    columns: usize,
    /// The plan as rows of `columns`.
    rows: Vec<Row>,
    /// What the body shows, in order: rows that are not folded away, and comments.
    body: Vec<Place>,
    /// The place of the body that the reader is at.
    at: usize,
    /// The first place that is seen.
    top: usize,
    /// Where a range of lines was begun.
    mark: Option<usize>,
    /// Headings whose section is folded away, by line.
    folded: BTreeSet<usize>,
    comments: Vec<Comment>,
    /// A comment on the plan as a whole.
    general: String,
    /// What was asked about the plan, in order.
    asked: Vec<Asked>,
    /// With what conversation and model the work goes on.
    handoff: Handoff,
    view: View,
    /// How far the view of a diff or of the keys is scrolled.
    scrolled: usize,
    /// The choice that Enter takes.
    chosen: usize,
    typing: Option<(Typing, Editor)>,
    /// Words that Esc put away: the key that began them brings them back.
    put_away: Option<(Typing, String)>,
    find: String,
    /// Something to say once.
    note: Option<String>,
}

impl Desk {
    /// Lays a plan on the desk. `before`: the text that the reader last decided about.
    pub fn new(question: PlanQuestion, before: Option<&str>) -> Self {
        let reviewed = before.and_then(|before| plan::diff(before, &question.plan));
        let keep = question.choices.iter().position(|choice| *choice == PlanChoice::KeepPlanning);
        let note = question.note.clone();
        Self {
            question,
            reviewed,
            columns: 0,
            rows: Vec::new(),
            body: Vec::new(),
            at: 0,
            top: 0,
            mark: None,
            folded: BTreeSet::new(),
            comments: Vec::new(),
            general: String::new(),
            asked: Vec::new(),
            handoff: Handoff::default(),
            view: View::Plan,
            scrolled: 0,
            // Nothing is approved by an Enter alone.
            chosen: keep.unwrap_or(0),
            typing: None,
            put_away: None,
            find: String::new(),
            note,
        }
    }

    /// The plan that lies here.
    pub const fn question(&self) -> &PlanQuestion {
        &self.question
    }

    /// Lays a newer text of the same plan on the desk (it was edited, or changed on disk). Comments stay
    /// with the lines they quote, if these are still there; the others become words about no line.
    pub fn renew(&mut self, question: PlanQuestion) {
        let moved = std::mem::take(&mut self.comments).into_iter().map(|comment| {
            let quote = comment.quote(&self.question.plan);
            let lines: Vec<_> = question.plan.lines().collect();
            let at = lines.windows(quote.len().max(1)).position(|window| window == quote.as_slice());
            let length = comment.last - comment.first;
            let first = at.map_or_else(|| comment.first.min(lines.len().max(1)), |at| at + 1);
            // Lines that are gone cannot be replaced by an approval.
            let remark = match comment.remark {
                Remark::Replace(text) if at.is_none() => Remark::Words(text),
                remark @ (Remark::Replace(_) | Remark::Words(_)) => remark,
            };
            Comment { first, last: (first + length).min(lines.len().max(1)), remark }
        });
        self.comments = moved.collect();
        self.note.clone_from(&question.note);
        self.question = question;
        self.columns = 0;
        self.put_away = None;
        self.folded.clear();
        self.mark = None;
    }

    /// The comments so far.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Hears what the model says of a question about the plan.
    pub fn hear(&mut self, heard: &AsideHeard) {
        let over = asked::hear(&mut self.asked, heard);
        if over && self.view != View::Asked {
            self.note = Some(crate::words::ANSWERED.to_owned());
        }
    }

    /// What an edit in the user's editor came to, to be said on the desk.
    pub fn say(&mut self, words: String) {
        self.note = Some(words);
    }

    /// Whether words are being typed here, so that a paste belongs to them.
    pub const fn typing(&self) -> bool {
        self.typing.is_some()
    }

    /// Takes pasted text. It is never a choice.
    pub fn paste(&mut self, text: &str) {
        if let Some((_, editor)) = &mut self.typing {
            editor.insert(text);
        }
    }

    /// Deals with a key.
    pub fn key(&mut self, key: Key) -> Heard {
        self.note = None;
        if self.typing.is_some() {
            return self.typed(key);
        }
        if self.view != View::Plan {
            return self.looked(key);
        }
        match key {
            Key { code: Code::Char(c), ctrl: false, alt: false, .. } => self.letter(c),
            Key { code: Code::Char('g'), ctrl: true, .. } => self.edit(),
            Key { code: Code::Char('n'), ctrl: true, .. } => self.move_by(1),
            Key { code: Code::Char('p'), ctrl: true, .. } => self.move_by(-1),
            Key { code: Code::Down, .. } => self.move_by(1),
            Key { code: Code::Up, .. } => self.move_by(-1),
            Key { code: Code::PageDown, .. } => self.move_by(page::STEP),
            Key { code: Code::PageUp, .. } => self.move_by(-page::STEP),
            Key { code: Code::Home, .. } => self.go_to(0),
            Key { code: Code::End, .. } => self.go_to(self.body.len()),
            Key { code: Code::Tab, shift: false, .. } | Key { code: Code::Right, .. } => self.choose_next(1),
            Key { code: Code::Tab, .. } => self.choose_next(self.question.choices.len().saturating_sub(1)),
            Key { code: Code::Left, .. } => self.choose_next(self.question.choices.len().saturating_sub(1)),
            Key { code: Code::Enter, .. } => self.choose(self.chosen),
            Key { code: Code::Esc, .. } if self.mark.is_some() => {
                self.mark = None;
                Heard::Taken
            }
            Key { code: Code::Esc, .. } => self.keep(""),
            _ => Heard::Ignored,
        }
    }

    fn letter(&mut self, letter: char) -> Heard {
        match letter {
            '1'..='9' => self.choose(letter as usize - '1' as usize),
            'j' => self.move_by(1),
            'k' => self.move_by(-1),
            'g' => self.go_to(0),
            'G' => self.go_to(self.body.len()),
            ' ' | 'z' => self.fold(),
            'Z' => self.fold_all(),
            'v' => {
                self.mark = if self.mark.is_some() { None } else { Some(self.at) };
                Heard::Taken
            }
            'c' => self.begin(|(first, last)| Typing::Comment { first, last }, String::new()),
            's' => {
                let text = self.lines().map(|(first, last)| self.source(first, last)).unwrap_or_default();
                self.begin(|(first, last)| Typing::Replacement { first, last }, text)
            }
            'C' => self.type_into(Typing::General, self.general.clone()),
            'a' => self.begin(|(first, last)| Typing::Question { first, last }, String::new()),
            'A' => self.look_at_asked(),
            'h' => {
                self.handoff.context = self.handoff.context.next();
                Heard::Taken
            }
            'm' => self.type_into(Typing::Model, self.handoff.model.clone().unwrap_or_default()),
            'o' => self.outline(),
            'y' => self.copy(),
            'x' => self.delete_comment(),
            'd' => self.next_view(),
            'e' => self.edit(),
            '/' => self.type_into(Typing::Find, String::new()),
            'n' => self.find_next(true),
            'N' => self.find_next(false),
            ']' => self.next_comment(true),
            '[' => self.next_comment(false),
            '?' => {
                self.view = View::Keys;
                self.scrolled = 0;
                Heard::Taken
            }
            _ => Heard::Ignored,
        }
    }

    /// A key while a diff or the keys are looked at.
    fn looked(&mut self, key: Key) -> Heard {
        if self.view == View::Outline
            && let Some(heard) = self.outline_key(key)
        {
            return heard;
        }
        match key.code {
            Code::Esc if self.view == View::Asked && asked::coming(&self.asked) => {
                return Heard::Act(Act::Say(Input::StopAside));
            }
            Code::Char('a') if self.view == View::Asked => {
                return self.begin(|(first, last)| Typing::Question { first, last }, String::new());
            }
            Code::Char('A') if self.view == View::Asked => self.view = View::Plan,
            Code::Down | Code::Char('j') => self.scrolled += 1,
            Code::Up | Code::Char('k') => self.scrolled = self.scrolled.saturating_sub(1),
            Code::PageDown | Code::Char(' ') => self.scrolled += page::STEP.unsigned_abs(),
            Code::PageUp => self.scrolled = self.scrolled.saturating_sub(page::STEP.unsigned_abs()),
            Code::Home => self.scrolled = 0,
            Code::Char('d') => return self.next_view(),
            Code::Char('q' | '?') | Code::Esc | Code::Enter => self.view = View::Plan,
            Code::Char(digit @ '1'..='9') if !key.ctrl && !key.alt => {
                return self.choose(digit as usize - '1' as usize);
            }
            _ => return Heard::Ignored,
        }
        Heard::Taken
    }

    /// A key while words are typed: digits are text here.
    fn typed(&mut self, key: Key) -> Heard {
        let Some((typing, mut editor)) = self.typing.take() else { return Heard::Ignored };
        let newline = matches!(key, Key { code: Code::Enter, shift, alt, .. } if shift || alt) || key == Key::ctrl('j');
        match key {
            _ if newline && typing != Typing::Find => editor.insert("\n"),
            Key { code: Code::Enter, .. } => return self.finish(typing, editor.text()),
            Key { code: Code::Esc, .. } => {
                if typing != Typing::Find && !editor.text().trim().is_empty() {
                    self.put_away = Some((typing, editor.text().to_owned()));
                    self.note = Some(crate::words::PUT_AWAY.to_owned());
                }
                return Heard::Taken;
            }
            key => _ = editor.key(key, self.columns.max(10)),
        }
        self.typing = Some((typing, editor));
        Heard::Taken
    }

    fn finish(&mut self, typing: Typing, text: &str) -> Heard {
        match typing {
            Typing::Comment { first, last } if !text.trim().is_empty() => {
                self.comment(Comment { first, last, remark: Remark::Words(text.trim().to_owned()) });
            }
            Typing::Comment { .. } => {}
            Typing::Replacement { first, last } if text.trim_end() == self.source(first, last).trim_end() => {}
            Typing::Replacement { first, last } => {
                self.comment(Comment { first, last, remark: Remark::Replace(text.to_owned()) });
            }
            Typing::General => {
                text.trim().clone_into(&mut self.general);
                self.lay_body();
            }
            Typing::Question { first, last } if !text.trim().is_empty() => {
                let asked = Comment { first, last, remark: Remark::Words(text.trim().to_owned()) };
                let question = plan::feedback("", std::slice::from_ref(&asked), &self.question.plan);
                self.asked.push(Asked::new(&asked));
                self.mark = None;
                self.look_at_asked();
                return Heard::Ask(question);
            }
            Typing::Question { .. } => {}
            Typing::Model => self.handoff.model = Some(text.trim().to_owned()).filter(|model| !model.is_empty()),
            Typing::Feedback => return self.keep(text),
            Typing::Find => {
                text.clone_into(&mut self.find);
                return self.find_next(true);
            }
        }
        Heard::Taken
    }

    fn begin(&mut self, typing: impl Fn((usize, usize)) -> Typing, text: String) -> Heard {
        match self.lines() {
            Some(lines) => self.type_into(typing(lines), text),
            None => Heard::Ignored,
        }
    }

    fn type_into(&mut self, typing: Typing, text: String) -> Heard {
        let mut editor = Editor::default();
        let put_away = self.put_away.take_if(|(before, _)| *before == typing);
        editor.set(&put_away.map_or(text, |(_, words)| words));
        self.typing = Some((typing, editor));
        Heard::Taken
    }

    fn copy(&mut self) -> Heard {
        let Some((first, last)) = self.lines() else { return Heard::Ignored };
        self.note = Some(crate::words::copied(first, last));
        Heard::Act(Act::Copy(self.source(first, last)))
    }

    fn next_view(&mut self) -> Heard {
        self.scrolled = 0;
        let there = |view: &View| match view {
            View::SinceSubmission => self.question.diff.is_some(),
            View::SinceReview => self.reviewed.is_some() && self.reviewed != self.question.diff,
            View::Experiment => self.question.experiment.is_some(),
            View::Evidence => !self.question.citations.is_empty(),
            View::Asked => !self.asked.is_empty(),
            View::Plan | View::Outline | View::Keys => true,
        };
        let here = View::ALL.iter().position(|view| *view == self.view).unwrap_or(0);
        let next = View::ALL[here + 1..].iter().copied().find(there).unwrap_or(View::Plan);
        if next == View::Plan && self.view == View::Plan {
            self.note = Some(crate::words::NOTHING_CHANGED.to_owned());
        }
        self.view = next;
        Heard::Taken
    }

    fn edit(&mut self) -> Heard {
        match self.question.choices.iter().position(|choice| *choice == PlanChoice::Edit) {
            Some(number) => self.choose(number),
            None => Heard::Ignored,
        }
    }

    fn choose_next(&mut self, by: usize) -> Heard {
        self.chosen = (self.chosen + by) % self.question.choices.len().max(1);
        Heard::Taken
    }

    /// Takes the choice of that place. An approval takes the suggested replacements over and brings the
    /// comments along.
    fn choose(&mut self, number: usize) -> Heard {
        let Some(choice) = self.question.choices.get(number).copied() else { return Heard::Ignored };
        match choice {
            PlanChoice::KeepPlanning => self.type_into(Typing::Feedback, String::new()),
            PlanChoice::Edit | PlanChoice::Approve(_) | PlanChoice::ApproveApply(_) => {
                let words = self.comments.iter().filter(|comment| matches!(comment.remark, Remark::Words(_)));
                let words: Vec<_> = words.cloned().collect();
                let edited = plan::apply(&self.question.plan, &self.comments);
                Heard::Answer(Answer::Plan {
                    choice: Some(choice),
                    feedback: plan::feedback(&self.general, &words, &self.question.plan),
                    handoff: self.handoff.clone(),
                    edited: (edited != self.question.plan && choice != PlanChoice::Edit).then_some(edited),
                    by: crate::words::BY_USER.to_owned(),
                })
            }
        }
    }

    /// All that was said of the plan so far.
    pub(super) fn remarks(&self) -> String {
        plan::feedback(&self.general, &self.comments, &self.question.plan)
    }

    fn keep(&self, words: &str) -> Heard {
        let general = format!("{}\n\n{}", self.general, words.trim());
        let feedback = plan::feedback(&general, &self.comments, &self.question.plan);
        Heard::Answer(Answer::keep_planning(feedback, crate::words::BY_USER))
    }

    fn look_at_asked(&mut self) -> Heard {
        (self.view, self.scrolled) = (View::Asked, 0);
        Heard::Taken
    }

    /// Lays the plan out for a width, once.
    fn lay(&mut self, look: Look<'_>) {
        let columns = look.columns.saturating_sub(page::gutter(look.columns)).max(1);
        if self.columns == columns {
            return;
        }
        let line = self.lines().map_or(1, |(first, _)| first);
        self.columns = columns;
        self.rows = markdown::render(&self.question.plan, Look { columns, ..look });
        self.lay_body();
        self.go_to_line(line);
    }

    /// Whether all its choices are seen on such a screen. Words being typed are no choice.
    pub(super) fn fits(&self, rows: usize, look: Look<'_>) -> bool {
        self.typing() || page::foot(self, rows, look).0.len() <= rows
    }

    /// The page, exactly as large as the screen.
    pub fn page(&mut self, rows: usize, look: Look<'_>) -> Page {
        self.lay(look);
        page::draw(self, rows, look)
    }
}
