//! Where an element comes from: citations, reasons, and its mark. Clauses 2.3, 2.7, 2.8 and part 9.

use std::collections::BTreeSet;

use super::selection::{Layer, LayerKind};
use crate::source::Span;
use crate::syntax::tree::{Name, Tags};

/// Who stands behind an element. Clause 2.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The book says so.
    Text,
    /// We decided, and say why.
    Inferred,
    /// A house, an amendment, or a rulebook that follows no book says so.
    House,
}

impl Mark {
    pub fn word(self) -> &'static str {
        match self {
            Mark::Text => "text",
            Mark::Inferred => "inferred",
            Mark::House => "house",
        }
    }
}

/// A statement of the inventory, by its full id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    pub id: String,
    pub span: Span,
}

/// Where an element stands and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    pub span: Span,
    pub cites: Vec<Citation>,
    /// Our reasons.
    pub inferred: Vec<String>,
    pub mark: Mark,
    /// The name of its layer.
    pub layer: String,
}

/// Reads tags as one layer means them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Citing<'a> {
    /// Prefixes of all books that some rulebook follows.
    pub books: &'a BTreeSet<&'a str>,
}

impl Citing<'_> {
    pub fn provenance(&self, layer: &Layer<'_>, span: Span, tags: &Tags) -> Provenance {
        let of_layer = layer.tags;
        let cites: Vec<Citation> = tags.cites.iter().map(|name| Citation { id: self.full(&layer.prefix, name), span: name.span }).collect();
        let inherited = of_layer.filter(|_| tags.cites.is_empty() && tags.inferred.is_empty());
        let cites = match inherited {
            Some(tags) => tags.cites.iter().map(|name| Citation { id: self.full(&layer.prefix, name), span: name.span }).collect(),
            None => cites,
        };
        let inferred: Vec<String> = inherited.unwrap_or(tags).inferred.iter().map(|text| text.it.clone()).collect();
        let book = match layer.kind {
            LayerKind::House | LayerKind::Asked | LayerKind::Library => false,
            LayerKind::Rulebook | LayerKind::Amendment => !layer.prefix.is_empty(),
        };
        let mark = match (book, inferred.is_empty(), cites.is_empty()) {
            (false, _, _) | (true, true, true) => Mark::House,
            (true, false, _) => Mark::Inferred,
            (true, true, false) => Mark::Text,
        };
        Provenance { span, cites, inferred, mark, layer: layer.name.clone() }
    }

    /// The full id of a citation: a short one gets the prefix of the book.
    pub fn full(&self, prefix: &str, id: &Name) -> String {
        let begins = |book: &str| id.it.strip_prefix(book).is_some_and(|rest| rest.starts_with('.'));
        if prefix.is_empty() || begins(prefix) || self.books.iter().any(|book| begins(book)) { id.it.clone() } else { format!("{prefix}.{}", id.it) }
    }
}
