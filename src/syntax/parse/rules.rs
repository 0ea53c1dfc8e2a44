//! Builds rules: what they answer and which rules they replace, suspend, amend or yield to.

use super::cursor::{Built, Context, Fault, Node, Parts};
use super::grammar::Rule;
use super::statements::block;
use crate::syntax::tree::{self, At, Edge, EdgeTarget, EdgeWord};

pub(super) fn rule(p: &mut Parts<'_>) -> Built<tree::Rule> {
    Ok(tree::Rule {
        stock: p.mark(Rule::stock_mark),
        name: p.name()?,
        on: p.names(),
        edges: p.each(Rule::edge, edge)?,
        under: p.expr_in(Rule::under)?,
        tags: p.tags()?,
        body: p.one(Rule::block, block)?,
    })
}

fn edge(cx: Context, node: Node<'_>) -> Built<Edge> {
    let mut p = cx.parts(node)?;
    let word = match p.word {
        "replaces" => EdgeWord::Replaces,
        "suspends" => EdgeWord::Suspends,
        "amends" => EdgeWord::Amends,
        "yields" => EdgeWord::YieldsTo,
        _ => return Err(Fault::Odd(p.span)),
    };
    p.need(Rule::edge_word)?;
    Ok(Edge { word, targets: p.each(Rule::edge_target, edge_target)? })
}

fn edge_target(cx: Context, node: Node<'_>) -> Built<At<EdgeTarget>> {
    let mut p = cx.parts(node)?;
    let target = match p.name_in(Rule::every_rule_on)? {
        Some(question) => EdgeTarget::EveryRuleOn(question),
        None => EdgeTarget::Rule(p.name()?),
    };
    Ok(At::new(target, p.span))
}
