//! Code in colours: `syntect` reads it by the grammars of `two-face`, and what it finds becomes one of our
//! roles, so that the plain theme and the user's palette hold. Grammars are unpacked when code is first seen.

use std::cell::RefCell;
use std::sync::LazyLock;

use planwright_core::bounds;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::markdown::Highlight;
use super::theme::{Role, Theme};

/// A line in colours.
type Pieces = Vec<(String, Role)>;

/// Every grammar.
static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// Scopes and what they are to us; the first that fits. Names of scopes: Sublime Text, "Scope Naming".
static ROLES: LazyLock<Vec<(Scope, Role)>> = LazyLock::new(|| {
    let rows = [
        ("comment", Role::Comment),
        ("string", Role::Literal),
        ("constant", Role::Literal),
        ("keyword.operator", Role::Text),
        ("keyword", Role::Keyword),
        ("storage", Role::Keyword),
        ("entity.name", Role::Name),
        ("entity.other.attribute-name", Role::Name),
        ("support", Role::Name),
        ("variable.function", Role::Name),
        ("markup.heading", Role::Heading),
        ("markup.inserted", Role::Added),
        ("markup.deleted", Role::Removed),
    ];
    rows.into_iter().filter_map(|(name, role)| Some((Scope::new(name).ok()?, role))).collect()
});

/// Colours by grammar. Remembers the block it coloured last: one that is still arriving is shown again and
/// again, each time a little longer.
#[derive(Default)]
pub struct Grammars {
    last: RefCell<Option<Block>>,
}

/// The whole lines of a block, read so far.
struct Block {
    language: String,
    code: String,
    lines: Vec<Pieces>,
    reader: Reader,
}

/// Where in the grammar a reader is.
#[derive(Clone)]
struct Reader {
    state: ParseState,
    scopes: ScopeStack,
}

impl Highlight for Grammars {
    fn lines(&self, code: &str, language: &str, _theme: Theme) -> Option<Vec<Pieces>> {
        let language = language.split([' ', ',', '{', '\t']).next().filter(|name| !name.is_empty())?;
        let syntax = GRAMMARS.find_syntax_by_token(language)?;
        let mut last = self.last.borrow_mut();
        let mut block = last
            .take()
            .filter(|block| block.language == language && code.starts_with(&block.code))
            .unwrap_or_else(|| Block::new(language, syntax));
        let lines = block.read(code);
        *last = Some(block);
        lines
    }
}

impl Block {
    fn new(language: &str, syntax: &SyntaxReference) -> Self {
        let reader = Reader { state: ParseState::new(syntax), scopes: ScopeStack::new() };
        Self { language: language.to_owned(), code: String::new(), lines: Vec::new(), reader }
    }

    /// Reads on from where it was. What is behind the last line end may still change, and is not kept.
    fn read(&mut self, code: &str) -> Option<Vec<Pieces>> {
        let whole = code.rfind('\n').map_or(0, |at| at + 1);
        for line in code[self.code.len()..whole].split_inclusive('\n') {
            self.lines.push(self.reader.line(line)?);
        }
        code[..whole].clone_into(&mut self.code);
        let mut lines = self.lines.clone();
        lines.push(self.reader.clone().line(&code[whole..])?);
        Some(lines)
    }
}

impl Reader {
    /// One line with its line end, if it has one. `None`: the grammar is at a loss.
    fn line(&mut self, line: &str) -> Option<Pieces> {
        let text = line.trim_end_matches('\n');
        if line.len() > bounds::CODE_LINE_BYTES {
            return Some(vec![(text.to_owned(), Role::Text)]);
        }
        let mut pieces = Pieces::new();
        let mut from = 0;
        for (at, change) in self.state.parse_line(line, &GRAMMARS).ok()? {
            self.piece(&mut pieces, text, from, at);
            from = at;
            self.scopes.apply(&change).ok()?;
        }
        self.piece(&mut pieces, text, from, text.len());
        Some(pieces)
    }

    fn piece(&self, pieces: &mut Pieces, line: &str, from: usize, to: usize) {
        let Some(text) = line.get(from..to.min(line.len())).filter(|text| !text.is_empty()) else { return };
        let role = self.role();
        match pieces.last_mut() {
            Some((before, same)) if *same == role => before.push_str(text),
            Some(_) | None => pieces.push((text.to_owned(), role)),
        }
    }

    /// By the innermost scope that says anything.
    fn role(&self) -> Role {
        let role = |scope: &Scope| ROLES.iter().find(|(known, _)| known.is_prefix_of(*scope)).map(|(_, role)| *role);
        self.scopes.as_slice().iter().rev().find_map(role).unwrap_or(Role::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines with each piece that is more than text in brackets, its role before it.
    fn shown(code: &str, language: &str) -> String {
        let Some(lines) = Grammars::default().lines(code, language, Theme::Plain) else { return "unknown".to_owned() };
        lines.iter().map(|line| line.iter().map(piece).collect::<String>() + "\n").collect()
    }

    fn piece((text, role): &(String, Role)) -> String {
        match role {
            Role::Text => text.clone(),
            role => format!("{role:?}[{text}]"),
        }
    }

    #[test]
    fn code_has_roles() {
        assert_eq!(
            shown("fn main() {\n    let a = \"x\"; // why\n}", "rust"),
            "Keyword[fn] Name[main]() {\n    Keyword[let] a = Literal[\"x\"]; Comment[// why]\n}\n"
        );
        assert_eq!(
            shown("def f(n):\n    return 1", "py"),
            "Keyword[def] Name[f](n):\n    Keyword[return] Literal[1]\n"
        );
        assert_eq!(shown("# c\n", "bash"), "Comment[# c]\n\n");
        assert_eq!(shown("-a\n+b\n", "diff"), "Removed[-a]\nAdded[+b]\n\n");
        assert_eq!(shown("let a = 1;", "rust,ignore"), "Keyword[let] a = Literal[1];\n");
        assert_eq!(shown("x", "no-such-language"), "unknown");
        assert_eq!(shown("x", ""), "unknown");
        assert_eq!(shown("", "rust"), "\n");
    }

    #[test]
    fn a_block_that_grows_is_what_it_is_at_once() {
        let code = "/* a\n b */ fn main() {\n    let s = \"日本 \\\"x\\\"\";\n}\nfn g() {}\n";
        let growing = Grammars::default();
        for end in (0..=code.len()).filter(|end| code.is_char_boundary(*end)) {
            let so_far = growing.lines(&code[..end], "rust", Theme::Plain);
            assert_eq!(so_far, Grammars::default().lines(&code[..end], "rust", Theme::Plain), "{end} bytes");
            let text: Vec<String> =
                so_far.into_iter().flatten().map(|line| line.into_iter().map(|(text, _)| text).collect()).collect();
            assert_eq!(text.join("\n"), code[..end], "no text is lost");
        }
        // Another block, and the same words in another language.
        assert_eq!(growing.lines("fn", "rust", Theme::Plain), Grammars::default().lines("fn", "rust", Theme::Plain));
        assert_eq!(growing.lines("fn", "py", Theme::Plain), Grammars::default().lines("fn", "py", Theme::Plain));
    }

    #[test]
    fn a_very_long_line_is_plain_and_ends_nothing() {
        let long = "x".repeat(bounds::CODE_LINE_BYTES + 1);
        assert_eq!(shown(&format!("{long}\n1"), "rust"), format!("{long}\nLiteral[1]\n"));
    }
}
