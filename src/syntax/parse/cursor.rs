//! Walks the parser library's nodes.
//!
//! The grammar guarantees what stands where, so a missing part is our own fault and not the writer's: it comes back as [`Fault::Odd`],
//! which the driver reports as a fault of this program.

use pest::iterators::{Pair, Pairs};

use super::grammar::Rule;
use crate::source::{FileId, Span};
use crate::syntax::tree::{At, Name, Number, Text};

pub(super) type Node<'t> = Pair<'t, Rule>;

/// Trees higher than this are refused. Brackets are limited to 64 before; this counts operators and prefix words as well.
pub(super) const HIGHEST_TREE: usize = 400;

/// Why no tree could be built from nodes that the grammar accepted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// The tree would be too high for those who walk it.
    TooDeep(Span),
    /// Grammar and tree builder disagree.
    Odd(Span),
}

pub(super) type Built<T> = Result<T, Fault>;

/// What every builder needs: the file, where in it the parsed piece begins, how deep the node lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub file: FileId,
    pub base: usize,
    pub depth: usize,
}

impl Context {
    pub fn span(self, node: &Node<'_>) -> Span {
        let span = node.as_span();
        Span::new(self.file, self.base + span.start(), self.base + span.end())
    }

    /// The parts of a node, one step deeper.
    pub fn parts(self, node: Node<'_>) -> Built<Parts<'_>> {
        self.parts_below(node, 1)
    }

    /// The parts of a node that will lie up to `steps` deeper, as the first operand of a long sum does.
    pub fn parts_below(self, node: Node<'_>, steps: usize) -> Built<Parts<'_>> {
        let span = self.span(&node);
        let depth = self.depth + steps;
        if depth > HIGHEST_TREE {
            return Err(Fault::TooDeep(span));
        }
        let word = first_word(node.as_str());
        Ok(Parts { cx: Context { depth, ..self }, span, word, next: None, rest: node.into_inner() })
    }

    pub fn name(self, node: &Node<'_>) -> Name {
        At::new(node.as_str().to_owned(), self.span(node))
    }

    pub fn text(self, node: &Node<'_>) -> Text {
        At::new(node.as_str().trim_matches('"').to_owned(), self.span(node))
    }

    /// A number that does not fit has been reported before parsing began; what stands in its place is never used.
    pub fn number(self, node: &Node<'_>) -> Number {
        At::new(node.as_str().parse().unwrap_or(i64::MAX), self.span(node))
    }
}

/// The word with which a node begins: it tells alternatives apart that differ in nothing else.
pub(super) fn first_word(text: &str) -> &str {
    let end = text.bytes().take_while(|&byte| crate::syntax::scan::is_word(byte)).count();
    text.get(..end).unwrap_or("")
}

/// Words and signs of the language choose an alternative and mean nothing more. They stand together in the grammar.
fn is_sign(rule: Rule) -> bool {
    (Rule::k_account..=Rule::p_dot).contains(&rule)
}

/// The parts of one node, words and signs left out, taken from left to right.
#[derive(Debug)]
pub(super) struct Parts<'t> {
    pub cx: Context,
    /// Of the whole node.
    pub span: Span,
    /// The word with which the node begins, empty if it begins with a sign.
    pub word: &'t str,
    next: Option<Node<'t>>,
    rest: Pairs<'t, Rule>,
}

impl<'t> Parts<'t> {
    fn peek(&mut self) -> Option<Rule> {
        if self.next.is_none() {
            self.next = self.rest.by_ref().find(|node| !is_sign(node.as_rule()));
        }
        self.next.as_ref().map(Node::as_rule)
    }

    /// The next part, whatever it is.
    pub fn take(&mut self) -> Option<Node<'t>> {
        self.peek();
        self.next.take()
    }

    /// The next part if it is of this rule.
    pub fn opt(&mut self, rule: Rule) -> Option<Node<'t>> {
        if self.peek() == Some(rule) { self.next.take() } else { None }
    }

    /// Whether the next part is of this rule; if so it is passed over.
    pub fn mark(&mut self, rule: Rule) -> bool {
        self.opt(rule).is_some()
    }

    pub fn need(&mut self, rule: Rule) -> Built<Node<'t>> {
        self.opt(rule).ok_or(Fault::Odd(self.span))
    }

    pub fn any(&mut self) -> Built<Node<'t>> {
        self.take().ok_or(Fault::Odd(self.span))
    }

    /// The parts of the next part if it is of this rule.
    pub fn inner(&mut self, rule: Rule) -> Built<Option<Parts<'t>>> {
        self.opt(rule).map(|node| self.cx.parts(node)).transpose()
    }

    /// The parts of the next part, which is of this rule.
    pub fn within(&mut self, rule: Rule) -> Built<Parts<'t>> {
        let node = self.need(rule)?;
        self.cx.parts(node)
    }

    /// Builds every following part of this rule.
    pub fn each<T>(&mut self, rule: Rule, build: impl Fn(Context, Node<'t>) -> Built<T>) -> Built<Vec<T>> {
        let mut built = Vec::new();
        while let Some(node) = self.opt(rule) {
            built.push(build(self.cx, node)?);
        }
        Ok(built)
    }

    /// Builds the next part if it is of this rule.
    pub fn maybe<T>(&mut self, rule: Rule, build: impl Fn(Context, Node<'t>) -> Built<T>) -> Built<Option<T>> {
        self.opt(rule).map(|node| build(self.cx, node)).transpose()
    }

    /// Builds the next part, which is of this rule.
    pub fn one<T>(&mut self, rule: Rule, build: impl Fn(Context, Node<'t>) -> Built<T>) -> Built<T> {
        let node = self.need(rule)?;
        build(self.cx, node)
    }

    pub fn name(&mut self) -> Built<Name> {
        self.one(Rule::name, |cx, node| Ok(cx.name(&node)))
    }

    pub fn maybe_name(&mut self) -> Option<Name> {
        self.opt(Rule::name).map(|node| self.cx.name(&node))
    }

    pub fn names(&mut self) -> Vec<Name> {
        std::iter::from_fn(|| self.maybe_name()).collect()
    }

    /// The names inside the next part if it is of this rule, and none otherwise.
    pub fn names_in(&mut self, rule: Rule) -> Built<Vec<Name>> {
        Ok(self.inner(rule)?.map(|mut parts| parts.names()).unwrap_or_default())
    }

    /// The one name inside the next part if it is of this rule.
    pub fn name_in(&mut self, rule: Rule) -> Built<Option<Name>> {
        self.inner(rule)?.map(|mut parts| parts.name()).transpose()
    }

    pub fn maybe_text(&mut self) -> Option<Text> {
        self.opt(Rule::text).map(|node| self.cx.text(&node))
    }

    pub fn text(&mut self) -> Built<Text> {
        self.maybe_text().ok_or(Fault::Odd(self.span))
    }

    pub fn maybe_number(&mut self) -> Option<Number> {
        self.opt(Rule::number).map(|node| self.cx.number(&node))
    }

    pub fn number(&mut self) -> Built<Number> {
        self.maybe_number().ok_or(Fault::Odd(self.span))
    }
}
