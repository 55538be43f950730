//! Markdown as rows (CommonMark by `pulldown-cmark`, with tables, task lists and strikethrough).
//! Every row says which line of the source it shows, so that a comment on a row is a comment on a
//! line. What is not understood is shown as it was written; HTML is text.

use std::ops::Range;

use planwright_core::bounds;
use planwright_core::text::inert;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::theme::{Role, Theme};
use super::wrap::{Piece, Row, rows, shortened, width};

/// Colours the lines of a code block. Yields one list of pieces for each line of `code`.
pub trait Highlight {
    /// The pieces of each line, or `None` if the language is not known.
    fn lines(&self, code: &str, language: &str, theme: Theme) -> Option<Vec<Vec<(String, Role)>>>;
}

/// No colours for code.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainCode;

impl Highlight for PlainCode {
    fn lines(&self, _code: &str, _language: &str, _theme: Theme) -> Option<Vec<Vec<(String, Role)>>> {
        None
    }
}

/// How markdown is laid out.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// Columns of a row.
    pub columns: usize,
    /// The colours.
    pub theme: Theme,
    /// Who colours code.
    pub code: &'a dyn Highlight,
}

/// Lays markdown out.
pub fn render(markdown: &str, look: Look<'_>) -> Vec<Row> {
    let text = inert(markdown);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut page = Page::new(&text, look);
    for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
        page.take(event, &range);
    }
    page.flush();
    page.rows
}

/// A container that indents what is in it.
enum Container {
    Quote,
    /// The number of the next item, or a bullet.
    List(Option<u64>),
    /// An item: its mark, until it was shown.
    Item {
        mark: Option<String>,
        indent: usize,
    },
}

/// A table as it is read.
#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<(usize, Vec<String>)>,
    cell: String,
}

struct Page<'a> {
    look: Look<'a>,
    /// Offsets at which lines of the source begin.
    starts: Vec<usize>,
    rows: Vec<Row>,
    pieces: Vec<Piece>,
    containers: Vec<Container>,
    styles: Vec<Style>,
    link: Option<(String, String)>,
    code: Option<(String, String, usize)>,
    /// Bytes of code so far.
    code_bytes: usize,
    table: Option<Table>,
    /// A blank row is due before the next block.
    gap: bool,
    /// The last line of the source that was shown.
    at: usize,
}

impl<'a> Page<'a> {
    fn new(text: &str, look: Look<'a>) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self {
            look,
            starts,
            rows: Vec::new(),
            pieces: Vec::new(),
            containers: Vec::new(),
            styles: Vec::new(),
            link: None,
            code: None,
            code_bytes: 0,
            table: None,
            gap: false,
            at: 1,
        }
    }

    /// The line of the source that an offset is in, from 1.
    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    fn style(&self, role: Role) -> Style {
        self.look.theme.style(role)
    }

    fn take(&mut self, event: Event<'_>, range: &Range<usize>) {
        let line = self.line_of(range.start);
        match event {
            Event::Start(tag) => self.start(tag, line),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, line),
            Event::Code(text) => {
                let style = self.inline().patch(self.style(Role::Code));
                self.piece(&text, style, line);
            }
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text, line),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text, line),
            Event::FootnoteReference(name) => self.text(&format!("[{name}]"), line),
            Event::SoftBreak => self.piece(" ", self.inline(), line),
            Event::HardBreak => self.piece("\n", self.inline(), line),
            Event::Rule => {
                self.flush();
                self.open_block();
                let rule = Span::styled("───", self.style(Role::Dim));
                self.rows.push(Row { line: Line::from(vec![rule]), source: line });
                self.gap = true;
            }
            Event::TaskListMarker(done) => {
                let mark = if done { "[x] " } else { "[ ] " };
                self.piece(mark, self.style(Role::Sign), line);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, line: usize) {
        self.at = line;
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.flush(),
            Tag::Heading { level, .. } => {
                self.flush();
                let style = self.style(Role::Heading);
                self.styles.push(style);
                self.piece(&format!("{} ", "#".repeat(level as usize)), style, line);
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.open_block();
                self.containers.push(Container::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let (language, first) = match kind {
                    CodeBlockKind::Fenced(info) => {
                        (info.split([' ', ',']).next().unwrap_or_default().to_owned(), line + 1)
                    }
                    CodeBlockKind::Indented => (String::new(), line),
                };
                self.code = Some((String::new(), language, first));
            }
            Tag::List(first) => {
                self.flush();
                self.containers.push(Container::List(first));
            }
            Tag::Item => {
                self.flush();
                self.gap = self.gap && self.loose(line);
                let mark = self.next_mark();
                let indent = width(&mark);
                self.containers.push(Container::Item { mark: Some(mark), indent });
            }
            Tag::Emphasis => self.push(Role::Emphasis),
            Tag::Strong => self.push(Role::Strong),
            Tag::Strikethrough => self.push(Role::Struck),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link = Some((dest_url.to_string(), String::new()));
                self.push(Role::Link);
            }
            Tag::Table(alignments) => {
                self.flush();
                self.table = Some(Table { alignments, ..Table::default() });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push((line, Vec::new()));
                }
            }
            Tag::TableCell
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.gap = true;
            }
            TagEnd::Heading(_) => {
                self.styles.pop();
                self.flush();
                self.gap = true;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.containers.pop();
                self.gap = true;
            }
            TagEnd::List(_) => {
                self.flush();
                self.containers.pop();
                self.gap = true;
            }
            TagEnd::Item => {
                self.flush();
                // An item with nothing in it still shows its mark.
                if let Some(Container::Item { mark: Some(_), .. }) = self.containers.last() {
                    self.pieces.push(Piece::new("", Style::new(), self.at));
                    self.lay();
                }
                self.containers.pop();
            }
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => self.link_end(),
            TagEnd::Table => self.table_end(),
            TagEnd::TableCell => {
                if let Some(table) = &mut self.table {
                    let cell = std::mem::take(&mut table.cell);
                    if let Some((_, cells)) = table.rows.last_mut() {
                        cells.push(cell.replace('\n', " "));
                    }
                }
            }
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn push(&mut self, role: Role) {
        let style = self.inline().patch(self.style(role));
        self.styles.push(style);
    }

    fn inline(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn text(&mut self, text: &str, line: usize) {
        if let Some((code, ..)) = &mut self.code {
            code.push_str(text);
            return;
        }
        if let Some((_, shown)) = &mut self.link {
            shown.push_str(text);
        }
        self.piece(text, self.inline(), line);
    }

    fn piece(&mut self, text: &str, style: Style, line: usize) {
        match &mut self.table {
            Some(table) => table.cell.push_str(text),
            None => self.pieces.push(Piece::new(text, style, line)),
        }
    }

    /// The address of a link is shown, unless it is what stands there already: where one leads to
    /// must not hide behind what it says.
    fn link_end(&mut self) {
        self.styles.pop();
        let Some((address, shown)) = self.link.take() else { return };
        if !address.is_empty() && address != shown && address != format!("mailto:{shown}") {
            let (line, style) = (self.at, self.style(Role::Dim));
            self.piece(&format!(" ({address})"), style, line);
        }
    }

    /// Whether a blank line stands before this line of the source.
    fn loose(&self, line: usize) -> bool {
        let before = self.rows.last().map_or(0, |row| row.source);
        line > before + 1
    }

    fn next_mark(&mut self) -> String {
        match self.containers.last_mut() {
            Some(Container::List(Some(number))) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            Some(Container::List(None) | Container::Item { .. } | Container::Quote) | None => "• ".to_owned(),
        }
    }

    /// The spans before the first row of a block in the containers of now, and before its others.
    fn indents(&mut self) -> (Vec<Span<'static>>, Vec<Span<'static>>) {
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        let (quote, sign) = (self.style(Role::Dim), self.style(Role::Sign));
        for container in &mut self.containers {
            match container {
                Container::Quote => {
                    first.push(Span::styled("▌ ", quote));
                    rest.push(Span::styled("▌ ", quote));
                }
                Container::List(_) => {}
                Container::Item { mark, indent } => {
                    match mark.take() {
                        Some(mark) => first.push(Span::styled(mark, sign)),
                        None => first.push(Span::raw(" ".repeat(*indent))),
                    }
                    rest.push(Span::raw(" ".repeat(*indent)));
                }
            }
        }
        (first, rest)
    }

    /// The blank row that is due.
    fn open_block(&mut self) {
        if std::mem::take(&mut self.gap) && !self.rows.is_empty() {
            let quoted = self.containers.iter().filter(|container| matches!(container, Container::Quote)).count();
            let bars = Span::styled("▌ ".repeat(quoted), self.style(Role::Dim));
            self.rows.push(Row { line: Line::from(bars), source: 0 });
        }
    }

    /// Lays out what was gathered of a block.
    fn flush(&mut self) {
        if !self.pieces.is_empty() {
            self.lay();
        }
    }

    fn lay(&mut self) {
        self.open_block();
        let pieces = std::mem::take(&mut self.pieces);
        let (first, rest) = self.indents();
        self.rows.extend(rows(&pieces, self.look.columns, &first, &rest));
    }

    fn code_block(&mut self) {
        let Some((code, language, first_line)) = self.code.take() else { return };
        let code = code.strip_suffix('\n').unwrap_or(&code);
        self.open_block();
        self.code_bytes += code.len();
        let coloured = (self.code_bytes <= bounds::CODE_BYTES)
            .then(|| self.look.code.lines(code, &language, self.look.theme))
            .flatten();
        let plain = || code.split('\n').map(|line| vec![(line.to_owned(), Role::Code)]).collect();
        let lines: Vec<_> = coloured.unwrap_or_else(plain);
        for (n, line) in lines.into_iter().enumerate() {
            let (mut first, mut rest) = self.indents();
            first.push(Span::raw("  "));
            rest.push(Span::styled("↪ ", self.style(Role::Dim)));
            let pieces: Vec<_> =
                line.into_iter().map(|(text, role)| Piece::new(text, self.style(role), first_line + n)).collect();
            self.rows.extend(rows(&pieces, self.look.columns, &first, &rest));
        }
        self.gap = true;
    }

    /// A table: columns as wide as their widest cell, made narrower from the widest on until they fit.
    fn table_end(&mut self) {
        let Some(table) = self.table.take() else { return };
        self.open_block();
        let columns = table.rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..columns)
            .map(|n| table.rows.iter().filter_map(|(_, cells)| cells.get(n)).map(|cell| width(cell)).max().unwrap_or(0))
            .collect();
        let room = self.look.columns.saturating_sub(columns.saturating_sub(1) * 3);
        while widths.iter().sum::<usize>() > room {
            let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > 3) else { break };
            *widest -= 1;
        }
        for (n, (line, cells)) in table.rows.iter().enumerate() {
            let head = n == 0;
            let style = if head { self.style(Role::Strong) } else { Style::new() };
            let (mut spans, _) = self.indents();
            for (k, columns) in widths.iter().enumerate() {
                let alignment = table.alignments.get(k).copied().unwrap_or(Alignment::None);
                let cell = shortened(cells.get(k).map_or("", String::as_str), *columns);
                if k > 0 {
                    spans.push(Span::styled(" │ ", self.style(Role::Dim)));
                }
                spans.push(Span::styled(aligned(&cell, *columns, alignment), style));
            }
            self.rows.push(Row { line: Line::from(spans), source: *line });
            if head {
                let rule: Vec<_> = widths.iter().map(|columns| "─".repeat(*columns)).collect();
                let rule = Span::styled(rule.join("─┼─"), self.style(Role::Dim));
                self.rows.push(Row { line: Line::from(rule), source: *line });
            }
        }
        self.gap = true;
    }
}

fn aligned(cell: &str, columns: usize, alignment: Alignment) -> String {
    let spare = columns.saturating_sub(width(cell));
    let before = match alignment {
        Alignment::Right => spare,
        Alignment::Center => spare / 2,
        Alignment::None | Alignment::Left => 0,
    };
    format!("{}{cell}{}", " ".repeat(before), " ".repeat(spare - before))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown, a row a line, each behind the line of its source.
    fn shown(markdown: &str, columns: usize) -> String {
        let look = Look { columns, theme: Theme::Plain, code: &PlainCode };
        let rows = render(markdown, look);
        rows.iter().map(|row| format!("{:>2} {}", row.source, row.text()).trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn a_plan_is_laid_out() {
        let plan = "# Add *pagination*\n\nTwo callers need **all** posts; see\n[the feed](web/feed.py).\n\n\
                    ## Steps\n1. Change `list_posts`\n   - default: all\n   - `limit` cuts\n2. Test it\n\n\
                    ```py\ndef list_posts(posts):\n    return posts\n```\n\n> Callers first.\n\n- [x] read\n- [ ] write\n";
        assert_eq!(
            shown(plan, 32),
            " 1 # Add pagination\n 0\n 3 Two callers need all posts; see\n 4 the feed (web/feed.py).\n 0\n \
             6 ## Steps\n 7 1. Change list_posts\n 8    • default: all\n 9    • limit cuts\n10 2. Test it\n 0\n\
             13   def list_posts(posts):\n14       return posts\n 0\n17 ▌ Callers first.\n 0\n19 • [x] read\n20 • [ ] write\n"
        );
    }

    #[test]
    fn tables_fit_their_room() {
        let table = "| name | what it does |\n| :-- | --: |\n| a | reads |\n| 日本 | writes everything |\n";
        assert_eq!(
            shown(table, 40),
            " 1 name │      what it does\n 1 ─────┼──────────────────\n 3 a    │             reads\n 4 日本 │ writes everything\n"
        );
        assert!(shown(table, 16).lines().all(|line| width(&line[3..]) <= 16), "{}", shown(table, 16));
    }

    #[test]
    fn what_is_no_markdown_is_shown_as_it_is() {
        assert_eq!(shown("<b>bold</b> and \u{1b}[31mred", 60), " 1 <b>bold</b> and ␛[31mred\n");
        assert_eq!(shown("", 10), "");
        assert_eq!(shown("- \n- x", 10), " 1 •\n 2 • x\n");
        assert_eq!(shown("a  \nb", 10), " 1 a\n 2 b\n");
    }
}
