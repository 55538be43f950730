//! Comments on lines of a plan: how a reader's remarks become feedback that the model can place, and
//! how suggested replacements are taken over.

use crate::prompts;

/// What a reader says to some lines of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The first line, from 1.
    pub first: usize,
    /// The last line.
    pub last: usize,
    /// What is said.
    pub remark: Remark,
}

/// What is said to lines of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Words.
    Words(String),
    /// This text instead; an empty one takes the lines out.
    Replace(String),
}

impl Comment {
    /// The lines it is about, as they are in the plan. A line that is not there is left out.
    pub fn quote<'a>(&self, plan: &'a str) -> Vec<&'a str> {
        let count = (self.last + 1).saturating_sub(self.first);
        plan.lines().skip(self.first.saturating_sub(1)).take(count).collect()
    }
}

/// What the model reads: the general words first, then every comment with the lines it is about, in
/// the order of the plan. Empty if nothing was said.
pub fn feedback(general: &str, comments: &[Comment], plan: &str) -> String {
    let mut ordered: Vec<_> = comments.iter().collect();
    ordered.sort_by_key(|comment| (comment.first, comment.last));
    let general = Some(general.trim().to_owned()).filter(|general| !general.is_empty());
    let said = ordered.into_iter().map(|comment| {
        let lines = if comment.first == comment.last {
            format!("line {}", comment.first)
        } else {
            format!("lines {} to {}", comment.first, comment.last)
        };
        let quote = comment.quote(plan);
        match &comment.remark {
            Remark::Words(words) => prompts::review_comment(&lines, &quote, words),
            Remark::Replace(text) => prompts::review_replacement(&lines, &quote, text),
        }
    });
    general.into_iter().chain(said).collect::<Vec<_>>().join("\n\n")
}

/// The plan with every suggested replacement taken over; those that overlap one above them are left
/// out. Line ends stay as they are.
pub fn apply(plan: &str, comments: &[Comment]) -> String {
    let mut replacements: Vec<_> = comments
        .iter()
        .filter_map(|comment| match &comment.remark {
            Remark::Replace(text) => Some((comment.first, comment.last, text)),
            Remark::Words(_) => None,
        })
        .collect();
    replacements.sort_by_key(|(first, last, _)| (*first, *last));
    let end = if plan.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(plan.len());
    let mut next = replacements.into_iter().peekable();
    let mut skip_to = 0;
    for (number, line) in (1..).zip(plan.split_inclusive('\n')) {
        while next.peek().is_some_and(|(first, ..)| *first < number) {
            next.next();
        }
        if number > skip_to
            && let Some((_, last, text)) = next.next_if(|(first, ..)| *first == number)
        {
            skip_to = last;
            for line in text.lines() {
                out.push_str(line);
                out.push_str(end);
            }
        }
        if number > skip_to {
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "# Plan\n\n1. Change it\n2. Test it\n";

    fn words(first: usize, last: usize, words: &str) -> Comment {
        Comment { first, last, remark: Remark::Words(words.to_owned()) }
    }

    fn replace(first: usize, last: usize, text: &str) -> Comment {
        Comment { first, last, remark: Remark::Replace(text.to_owned()) }
    }

    #[test]
    fn comments_become_feedback_in_the_order_of_the_plan() {
        let comments = [
            words(4, 4, "with two callers"),
            words(1, 3, "too vague"),
            replace(3, 3, "1. Change `f`\n"),
            replace(2, 2, ""),
        ];
        assert_eq!(
            feedback(" Close. ", &comments, PLAN),
            "Close.\n\nOn lines 1 to 3 of the plan:\n> # Plan\n>\n> 1. Change it\ntoo vague\n\n\
             On line 2 of the plan:\n>\nSuggested: take this out.\n\n\
             On line 3 of the plan:\n> 1. Change it\nSuggested instead:\n1. Change `f`\n\n\
             On line 4 of the plan:\n> 2. Test it\nwith two callers"
        );
        assert_eq!(feedback("  ", &[], PLAN), "");
        assert_eq!(feedback("", &[words(9, 9, "beyond")], PLAN), "On line 9 of the plan:\n\nbeyond");
    }

    #[test]
    fn replacements_are_taken_over() {
        let table: &[(&[Comment], &str)] = &[
            (&[], PLAN),
            (&[words(1, 1, "no")], PLAN),
            (&[replace(3, 3, "1. Change `f`\n   and `g`")], "# Plan\n\n1. Change `f`\n   and `g`\n2. Test it\n"),
            (&[replace(2, 3, "")], "# Plan\n2. Test it\n"),
            (&[replace(3, 4, "x"), replace(4, 4, "y"), replace(1, 1, "# P")], "# P\n\nx\n"),
            (&[replace(9, 9, "x")], PLAN),
        ];
        for (comments, wanted) in table {
            assert_eq!(apply(PLAN, comments), *wanted, "{comments:?}");
        }
        assert_eq!(apply("a\r\nb\r\n", &[replace(1, 1, "x")]), "x\r\nb\r\n");
    }
}
