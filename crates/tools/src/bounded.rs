//! Text held to a bound, with what was cut said.

/// `text`, or its beginning and end with a line between them that says what was cut, in at most
/// `limit` bytes.
pub(crate) fn middle(text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    // Room for the line between.
    let half = limit.saturating_sub(60) / 2;
    let (head, tail) = (text.floor_char_boundary(half), text.ceil_char_boundary(text.len() - half));
    format!("{}\n[… {} of {} bytes cut here …]\n{}", &text[..head], tail - head, text.len(), &text[tail..])
}

/// `line`, or its first `chars` characters and how many follow.
pub(crate) fn line(line: &str, chars: usize) -> String {
    match line.char_indices().nth(chars) {
        None => line.to_owned(),
        Some((at, _)) => format!("{}… [{} more characters]", &line[..at], line[at..].chars().count()),
    }
}

/// `count` things, in words.
pub(crate) fn count(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_cut_between_characters() {
        for limit in 60..140 {
            let text = "é€𝄞x".repeat(40);
            let cut = middle(text.clone(), limit);
            assert!(cut.len() <= limit, "{limit}: {}", cut.len());
            assert!(cut.contains("of 400 bytes cut here"), "{cut}");
        }
        assert_eq!(middle("short".to_owned(), 5), "short");
    }

    #[test]
    fn long_lines() {
        assert_eq!(line("abc", 3), "abc");
        assert_eq!(line("äöüß", 3), "äöü… [1 more characters]");
    }
}
