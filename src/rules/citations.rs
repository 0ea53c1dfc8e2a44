//! Holds citations against the inventory: clauses 2.9 and 9.1.

use std::collections::BTreeSet;

use super::advice::nearest;
use super::cite::Citing;
use super::place::describe;
use super::scripts::statement_tags;
use super::selection::{Layer, LayerKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{At, Declaration, Name, RankingItem, Tags};

/// The ids of all statements.
#[derive(Clone, Debug, Default)]
pub struct Statements(BTreeSet<String>);

impl<S: Into<String>> FromIterator<S> for Statements {
    fn from_iter<I: IntoIterator<Item = S>>(ids: I) -> Statements {
        Statements(ids.into_iter().map(Into::into).collect())
    }
}

impl Statements {
    pub fn has(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}

/// Something that can be cited for.
struct Element<'d> {
    tags: &'d Tags,
    span: Span,
    /// Clause 2.9 asks for a citation or a reason.
    bound: bool,
}

/// Faults of all citations of one layer. Without an inventory only missing ones are found.
pub(super) fn check(layer: &Layer<'_>, citing: &Citing<'_>, known: Option<&Statements>, faults: &mut Vec<Diagnostic>) {
    let of_book = layer.kind == LayerKind::Rulebook && !layer.prefix.is_empty();
    if let Some(tags) = layer.tags {
        tags.cites.iter().for_each(|id| citation(id, layer, citing, known, faults));
    }
    for declaration in &layer.declarations {
        for element in elements(declaration) {
            element.tags.cites.iter().for_each(|id| citation(id, layer, citing, known, faults));
            if of_book && element.bound && element.tags.cites.is_empty() && element.tags.inferred.is_empty() {
                let fault = Diagnostic::new(Code::Uncited, "nothing says where this comes from", element.span);
                faults.push(fault.with_help("write `cites ID`, or `inferred \"why\"` if the book does not say it"));
            }
        }
        if let Declaration::Claim(claim) = &declaration.it {
            citation(&claim.statement, layer, citing, known, faults);
        }
    }
}

fn elements(declaration: &At<Declaration>) -> Vec<Element<'_>> {
    let about = describe(&declaration.it);
    let span = about.name.map_or(declaration.span, |(name, _)| name.span);
    let mut found: Vec<Element<'_>> = about.tags.into_iter().map(|(tags, bound)| Element { tags, span, bound }).collect();
    if let Declaration::Choice(choice) = &declaration.it {
        found.extend(choice.branches.iter().map(|branch| Element { tags: &branch.tags, span: branch.name.span, bound: true }));
    } else if let Declaration::Ranking(ranking) = &declaration.it {
        items(&ranking.items, &mut found);
    } else if let Declaration::RankingEdit { items: edits, .. } = &declaration.it {
        items(edits, &mut found);
    } else {
        // What binds a script binds its statements.
        statement_tags(&declaration.it, &mut |tags, span| found.push(Element { tags, span, bound: false }));
    }
    found
}

fn items<'d>(all: &'d [At<RankingItem>], found: &mut Vec<Element<'d>>) {
    for item in all {
        let (tags, bound) = match &item.it {
            RankingItem::Under { items: inner, .. } => {
                items(inner, found);
                continue;
            }
            RankingItem::Class { tags, .. }
            | RankingItem::Beats { tags, .. }
            | RankingItem::Ties { tags, .. }
            | RankingItem::Wild { tags, .. }
            | RankingItem::WildNamed { tags, .. } => (tags, true),
            RankingItem::DropClass { tags, .. } | RankingItem::DropEdge { tags, .. } => (tags, false),
        };
        found.push(Element { tags, span: item.span, bound });
    }
}

fn citation(id: &Name, layer: &Layer<'_>, citing: &Citing<'_>, known: Option<&Statements>, faults: &mut Vec<Diagnostic>) {
    let Some(known) = known else { return };
    let full = citing.full(&layer.prefix, id);
    let prefixed = |full: &str| full.strip_prefix(layer.prefix.as_str()).is_some_and(|rest| rest.starts_with('.'));
    if known.has(&full) || known.has(&id.it) {
        let foreign = !layer.prefix.is_empty() && !prefixed(&full) || !known.has(&full);
        if foreign && layer.kind == LayerKind::Rulebook {
            let message = format!("`{}` is a statement of another book than `{}`", id.it, layer.prefix);
            faults.push(Diagnostic::new(Code::ForeignStatement, message, id.span));
        }
        return;
    }
    let mut fault = Diagnostic::new(Code::UnknownStatement, format!("there is no statement `{full}`"), id.span);
    let near = nearest(&full, known.0.iter().map(String::as_str).filter(|other| layer.prefix.is_empty() || prefixed(other)));
    if !near.is_empty() {
        // Short ids can be pasted as they are.
        let short = |other: &str| if prefixed(other) { other.get(layer.prefix.len() + 1..).unwrap_or(other).to_owned() } else { other.to_owned() };
        let near: Vec<String> = near.into_iter().map(short).collect();
        fault = fault.with_help(format!("did you mean {}?", super::advice::either(near.iter().map(String::as_str))));
    }
    faults.push(fault);
}
