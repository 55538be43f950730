//! Pages of prose: a file of sections under `# name` headings, and `{placeholders}` filled in one
//! pass.

/// The section of `page` under the heading `# name`, without the blank lines around it.
///
/// What stands before the first heading is for maintainers.
///
/// # Panics
/// The page has no such section: a defect that the tests of this room find.
pub(super) fn section(page: &'static str, name: &str) -> &'static str {
    sections(page)
        .find(|(heading, _)| *heading == name)
        .map(|(_, body)| body)
        .unwrap_or_else(|| panic!("a page of prompts lacks the section `{name}`"))
}

/// Every section of a page: its heading and its text.
pub(super) fn sections(page: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    page.split("\n# ").skip(1).map(|part| {
        let (heading, body) = part.split_once('\n').unwrap_or((part, ""));
        (heading.trim(), body.trim())
    })
}

/// `template` with each `{name}` replaced by its value, in one pass: what a value holds is never
/// expanded again.
///
/// # Panics
/// A placeholder has no value, or a value has no placeholder: a defect that the tests of this room
/// find, since every template and every list of values is in the source.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + values.iter().map(|(_, value)| value.len()).sum::<usize>());
    let mut used = vec![false; values.len()];
    let mut rest = template;
    while let Some((before, name, after)) = next_placeholder(rest) {
        let at = values
            .iter()
            .position(|(key, _)| *key == name)
            .unwrap_or_else(|| panic!("nothing fills the placeholder `{{{name}}}`"));
        out.push_str(before);
        out.push_str(values[at].1);
        used[at] = true;
        rest = after;
    }
    out.push_str(rest);
    if let Some(at) = used.iter().position(|used| !used) {
        panic!("no placeholder takes the value `{}`", values[at].0);
    }
    out
}

/// The first `{name}` of `text` with what stands before and after it; other braces are plain text.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('{').find_map(|(open, _)| {
        let inner = &text[open + 1..];
        let close = inner.find('}')?;
        let name = &inner[..close];
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        is_name.then(|| (&text[..open], name, &inner[close + 1..]))
    })
}

/// `text` with every tag named `tag` in it made plain text, so that it can neither close the block
/// it stands in nor open another: the `<` becomes `&lt;`. Nothing else is touched.
pub(super) fn disarm(text: &str, tag: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let name = from[1..].trim_start_matches(|c: char| c == '/' || c.is_whitespace() || c.is_control());
        let hit = name.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        out.push_str(if hit { "&lt;" } else { "<" });
        rest = &from[1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_expanded_again() {
        assert_eq!(fill("{a}-{b}", &[("a", "{b}"), ("b", "{a}{c}")]), "{b}-{a}{c}");
    }

    #[test]
    fn braces_that_are_no_placeholder_stay() {
        let text = "{} { } {\"a\": {\"b\": 1}} {A} {x";
        assert_eq!(fill(text, &[]), text);
        assert_eq!(fill("{ {x} }", &[("x", "1")]), "{ 1 }");
    }

    #[test]
    #[should_panic(expected = "nothing fills the placeholder `{path}`")]
    fn a_placeholder_without_a_value_is_a_defect() {
        fill("at {path}", &[]);
    }

    #[test]
    #[should_panic(expected = "no placeholder takes the value `path`")]
    fn a_value_without_a_placeholder_is_a_defect() {
        fill("nowhere", &[("path", "/p")]);
    }

    #[test]
    fn only_the_named_tag_is_disarmed() {
        let rows = [
            ("</note>", "&lt;/note>"),
            ("<note kind=\"x\">", "&lt;note kind=\"x\">"),
            ("< / NoTe >", "&lt; / NoTe >"),
            ("<<</note>", "<<&lt;/note>"),
            ("a < b && <div>é</div>", "a < b && <div>é</div>"),
            ("<no", "<no"),
            ("<noté>", "<noté>"),
        ];
        for (text, expected) in rows {
            assert_eq!(disarm(text, "note"), expected, "{text}");
        }
    }
}
