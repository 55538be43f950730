//! HTML as markdown, however the HTML is made.
//!
//! The library walks the tree by recursion, and a tree of HTML can be far larger and deeper than the
//! text it is made from: a thousand open tags are opened again in each new paragraph. So the page
//! is parsed piece by piece, and the parsing ends where the tree becomes too large or too deep.

use std::rc::Rc;

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::{Element, HtmlToMarkdown, Node};
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{NodeData, RcDom};
use planwright_core::bounds;

use crate::walk::Stop;

/// Bytes that are parsed between two looks at the tree: with [`bounds::PAGE_DEPTH`] tags open, no
/// piece makes more than some hundred thousand nodes.
const PIECE: usize = 2048;

/// Elements with nothing to read in them.
const SKIPPED: &[&str] = &["script", "style", "svg", "iframe", "noscript", "template", "canvas", "object", "math"];

/// A page as markdown.
pub(super) struct Markdown {
    pub(super) text: String,
    /// Something of it was left out, because of how it is made.
    pub(super) cut: bool,
}

/// The error is a clause.
pub(super) fn of(html: &str, stop: &Stop) -> Result<Markdown, String> {
    let (tree, cut) = tree(html, stop)?;
    let pruned = prune(&tree);
    let converter = HtmlToMarkdown::builder().skip_tags(SKIPPED.to_vec()).add_handler(vec!["img"], image).build();
    Ok(Markdown { text: converter.tree_to_markdown(&tree), cut: cut || pruned })
}

/// A picture that stands in the page itself is bytes that say nothing.
fn image(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let inline = |attribute: &html5ever::Attribute| {
        &*attribute.name.local == "src" && attribute.value.trim_start().starts_with("data:")
    };
    if element.attrs.iter().any(inline) { None } else { handlers.fallback(element) }
}

/// The tree of a page, and whether it was ended early.
fn tree(html: &str, stop: &Stop) -> Result<(Rc<Node>, bool), String> {
    let mut parser = parse_document(RcDom::default(), ParseOpts::default());
    let mut rest = html;
    while !rest.is_empty() {
        if stop.is_set() {
            return Err("it was interrupted".to_owned());
        }
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(PIECE));
        parser.process(piece.into());
        rest = after;
        if !fits(&parser.tokenizer.sink.sink.document) {
            break;
        }
    }
    Ok((parser.finish().document, !rest.is_empty()))
}

/// Whether a tree may grow.
fn fits(tree: &Rc<Node>) -> bool {
    let (mut open, mut nodes) = (vec![(Rc::clone(tree), 0)], 0);
    while let Some((node, depth)) = open.pop() {
        nodes += 1;
        if depth > bounds::PAGE_DEPTH || nodes > bounds::PAGE_NODES {
            return false;
        }
        open.extend(node.children.borrow().iter().map(|child| (Rc::clone(child), depth + 1)));
        if let NodeData::Element { template_contents, .. } = &node.data {
            open.extend(template_contents.borrow().iter().map(|child| (Rc::clone(child), depth + 1)));
        }
    }
    true
}

/// Takes out what is too deep to be walked by recursion; whether there was any.
fn prune(tree: &Rc<Node>) -> bool {
    let (mut open, mut pruned) = (vec![(Rc::clone(tree), 0)], false);
    while let Some((node, depth)) = open.pop() {
        if depth == bounds::PAGE_DEPTH {
            pruned |= !node.children.take().is_empty();
        }
        open.extend(node.children.borrow().iter().map(|child| (Rc::clone(child), depth + 1)));
    }
    pruned
}
