//! What a word may become: slash commands, and files after `@`. Matching is fuzzy: the letters in
//! order, best where they begin words and stand together.

use planwright_core::command::COMMANDS;

/// Candidates that a menu shows.
pub const SHOWN: usize = 6;

/// A menu above the input line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Menu {
    /// Bytes before the cursor that a choice stands in place of.
    pub replaces: usize,
    /// The candidates, best first.
    pub entries: Vec<Entry>,
    /// The one that is marked.
    pub chosen: usize,
}

/// One candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What is put in.
    pub text: String,
    /// What it is.
    pub about: String,
}

/// The menu for the text before the cursor, if a word there can be completed.
pub fn menu(before: &str, files: &[String]) -> Option<Menu> {
    let entries = match before.strip_prefix('/') {
        Some(name) if !name.contains(char::is_whitespace) => commands(name),
        Some(_) | None => {
            let at = before.rfind('@')?;
            let starts = before[..at].chars().next_back().is_none_or(char::is_whitespace);
            let wanted = &before[at + 1..];
            if !starts || wanted.contains(char::is_whitespace) {
                return None;
            }
            return some(wanted.len() + 1, best(wanted, files.iter().map(|file| (file.as_str(), file_entry(file)))));
        }
    };
    some(before.len(), entries)
}

fn some(replaces: usize, entries: Vec<Entry>) -> Option<Menu> {
    (!entries.is_empty()).then_some(Menu { replaces, entries, chosen: 0 })
}

fn commands(name: &str) -> Vec<Entry> {
    best(
        name,
        COMMANDS.iter().map(|row| {
            let blank = if row.hint.is_empty() { "" } else { " " };
            let about = format!("{} {}", row.hint, row.description).trim().to_owned();
            (row.name, Entry { text: format!("/{}{blank}", row.name), about })
        }),
    )
}

fn file_entry(file: &str) -> Entry {
    let text = if file.contains(char::is_whitespace) { format!("@\"{file}\" ") } else { format!("@{file} ") };
    Entry { text, about: String::new() }
}

/// The best candidates for what was typed.
fn best<'a>(wanted: &str, candidates: impl Iterator<Item = (&'a str, Entry)>) -> Vec<Entry> {
    let mut scored: Vec<_> =
        candidates.filter_map(|(name, entry)| score(wanted, name).map(|score| (score, name.len(), entry))).collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then_with(|| a.2.text.cmp(&b.2.text)));
    scored.into_iter().take(SHOWN).map(|(_, _, entry)| entry).collect()
}

/// How well a name fits what was typed; `None` if its letters are not all there, in order.
fn score(wanted: &str, name: &str) -> Option<i32> {
    let mut score = 0;
    let mut before: Option<char> = None;
    let mut together = false;
    let mut letters = name.chars();
    for letter in wanted.chars().flat_map(char::to_lowercase) {
        loop {
            let here = letters.next()?;
            let begins = before.is_none_or(|before| !before.is_alphanumeric());
            before = Some(here);
            if here.to_lowercase().eq([letter]) {
                score += 1 + 3 * i32::from(begins) + 2 * i32::from(together);
                together = true;
                break;
            }
            together = false;
        }
    }
    // A file is meant by its name rather than by its folders.
    let last = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    Some(score + 10 * i32::from(!wanted.is_empty() && last.starts_with(&wanted.to_lowercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(before: &str) -> Vec<String> {
        let files =
            ["src/main.rs", "src/plan/mod.rs", "docs/plan.md", "my file.txt", "api/posts.py"].map(str::to_owned);
        menu(before, &files).map(|menu| menu.entries.into_iter().map(|entry| entry.text).collect()).unwrap_or_default()
    }

    #[test]
    fn words_are_completed_where_they_can_be() {
        let table: &[(&str, &[&str])] = &[
            ("/pl", &["/plan "]),
            ("/mo", &["/mode ", "/model ", "/permissions"]),
            ("/xyz", &[]),
            ("/plan some", &[]),
            ("look at @plan", &["@docs/plan.md ", "@src/plan/mod.rs "]),
            ("@posts", &["@api/posts.py "]),
            ("@apo", &["@api/posts.py "]),
            ("@my", &["@\"my file.txt\" "]),
            ("me@example", &[]),
            ("nothing", &[]),
            ("@a b", &[]),
        ];
        for (before, wanted) in table {
            assert_eq!(offered(before), *wanted, "{before}");
        }
        assert_eq!(menu("look at @plan", &["plan.md".to_owned()]).unwrap().replaces, 5);
        assert_eq!(offered("/").len(), SHOWN);
    }
}
