//! Builds rankings, their items and the patterns of their classes.

use super::cursor::{Built, Context, Fault, Node, Parts};
use super::grammar::Rule;
use crate::syntax::tree::{
    At, Declaration, KeyWord, Name, Pattern, PatternKind, Ranking, RankingItem, RankingSize, SameCount, StandsFor, TieKey, TiesScope, ValuesCount,
    ValuesOf, WildWhich,
};

pub(super) fn ranking(p: &mut Parts<'_>) -> Built<Ranking> {
    let name = p.name()?;
    let parameters = p.parameters()?;
    let mut size = p.within(Rule::ranking_size)?;
    let size = match size.maybe_number() {
        Some(least) => RankingSize::Between(least, size.maybe_number()),
        None => RankingSize::Any,
    };
    Ok(Ranking { name, parameters, size, piece: p.name()?, by: p.maybe_name(), tags: p.tags()?, items: items(p)? })
}

pub(super) fn ranking_edit(p: &mut Parts<'_>) -> Built<Declaration> {
    Ok(Declaration::RankingEdit { ranking: p.name()?, items: items(p)? })
}

fn items(p: &mut Parts<'_>) -> Built<Vec<At<RankingItem>>> {
    p.each(Rule::ranking_item, item)
}

fn item(cx: Context, node: Node<'_>) -> Built<At<RankingItem>> {
    let mut outer = cx.parts(node)?;
    let inner = outer.any()?;
    let rule = inner.as_rule();
    let mut parts = outer.cx.parts(inner)?;
    let p = &mut parts;
    let item = match rule {
        Rule::under_block => RankingItem::Under { when: p.expr()?, items: items(p)? },
        Rule::class_item => RankingItem::Class {
            replaces: p.mark(Rule::replace_mark),
            name: p.name()?,
            under: p.expr_in(Rule::under)?,
            pattern: p.one(Rule::pattern, pattern)?,
            tags: p.tags()?,
        },
        Rule::drop_item => drop(p)?,
        Rule::beats_item => RankingItem::Beats { classes: p.names(), under: p.expr_in(Rule::under)?, tags: p.tags()? },
        Rule::ties_item => RankingItem::Ties {
            replaces: p.mark(Rule::replace_mark),
            scope: p.one(Rule::ties_scope, ties_scope)?,
            keys: p.each(Rule::tie_key, tie_key)?,
            under: p.expr_in(Rule::under)?,
            tags: p.tags()?,
        },
        Rule::wild_item => wild(p)?,
        _ => return Err(Fault::Odd(p.span)),
    };
    Ok(At::new(item, outer.span))
}

fn drop(p: &mut Parts<'_>) -> Built<RankingItem> {
    if let Some(name) = p.name_in(Rule::drop_class)? {
        return Ok(RankingItem::DropClass { name, tags: p.tags()? });
    }
    let mut edge = p.within(Rule::drop_edge)?;
    Ok(RankingItem::DropEdge { above: edge.name()?, below: edge.name()?, tags: p.tags()? })
}

fn ties_scope(cx: Context, node: Node<'_>) -> Built<TiesScope> {
    let mut p = cx.parts(node)?;
    Ok(match p.inner(Rule::ties_in)? {
        Some(mut classes) => TiesScope::In(classes.names()),
        None => TiesScope::Otherwise,
    })
}

fn tie_key(cx: Context, node: Node<'_>) -> Built<At<TieKey>> {
    let mut p = cx.parts(node)?;
    let word = if p.mark(Rule::key_top_of_run) {
        KeyWord::TopOfRun
    } else if let Some(mut sum) = p.inner(Rule::key_sum)? {
        KeyWord::Sum { function: sum.name()?, attribute: sum.name()? }
    } else {
        key_word(&mut p.within(Rule::key_word)?)?
    };
    let along = p.name_in(Rule::key_along)?;
    let key = TieKey { word, along, wild_up: p.mark(Rule::key_wild_up), low: p.mark(Rule::key_low) };
    Ok(At::new(key, p.span))
}

fn key_word(p: &mut Parts<'_>) -> Built<KeyWord> {
    Ok(match p.word {
        "groups" => KeyWord::Groups,
        "singles" => KeyWord::Singles,
        "every" => KeyWord::Every(p.name()?),
        "wild" => KeyWord::Wild,
        "count" => KeyWord::Count,
        "top" => KeyWord::Top,
        _ => return Err(Fault::Odd(p.span)),
    })
}

fn wild(p: &mut Parts<'_>) -> Built<RankingItem> {
    let replaces = p.mark(Rule::replace_mark);
    let mut which = p.within(Rule::wild_which)?;
    let which = match which.maybe(Rule::values_of, values_of)? {
        Some(values) => WildWhich::Values(values),
        None => WildWhich::Named(which.name()?),
    };
    if p.mark(Rule::wild_named) {
        return Ok(RankingItem::WildNamed { replaces, which, under: p.expr_in(Rule::under)?, tags: p.tags()? });
    }
    let mut stands = p.within(Rule::wild_stands)?;
    let stands_for = match stands.maybe(Rule::values_of, values_of)? {
        Some(values) => StandsFor::Values(values),
        None => StandsFor::Anything,
    };
    let into = stands.names_in(Rule::wild_into)?;
    let may_double = stands.mark(Rule::wild_double);
    Ok(RankingItem::Wild { replaces, which, stands_for, into, may_double, under: p.expr_in(Rule::under)?, tags: p.tags()? })
}

// ------------------------------------------------------------------------------------------------ patterns

/// `a and not b or c`: alternatives, each of them patterns that hold together.
pub(super) fn pattern(cx: Context, node: Node<'_>) -> Built<Pattern> {
    let mut p = cx.parts(node)?;
    let mut alternatives = Vec::new();
    let mut together = vec![single(&mut p)?];
    while let Some(word) = p.opt(Rule::join_word) {
        let next = single(&mut p)?;
        if word.as_str() == "and" {
            together.push(next);
        } else {
            alternatives.extend(gathered(std::mem::replace(&mut together, vec![next]), PatternKind::And));
        }
    }
    alternatives.extend(gathered(together, PatternKind::And));
    gathered(alternatives, PatternKind::Or).ok_or(Fault::Odd(p.span))
}

/// Several patterns as one; a lone one as itself.
fn gathered(mut patterns: Vec<Pattern>, several: fn(Vec<Pattern>) -> PatternKind) -> Option<Pattern> {
    let last = patterns.pop()?;
    let Some(first) = patterns.first() else {
        return Some(last);
    };
    let span = first.span.to(last.span);
    patterns.push(last);
    Some(At::new(Box::new(several(patterns)), span))
}

fn single(p: &mut Parts<'_>) -> Built<Pattern> {
    let not = p.opt(Rule::not_mark).map(|node| p.cx.span(&node));
    let mut inside = p.within(Rule::pattern_atom)?;
    let node = inside.any()?;
    let built = if node.as_rule() == Rule::pattern { pattern(inside.cx, node)? } else { At::new(Box::new(atom(inside.cx, node)?), inside.span) };
    Ok(match not {
        Some(start) => {
            let span = start.to(built.span);
            At::new(Box::new(PatternKind::Not(built)), span)
        }
        None => built,
    })
}

fn atom(cx: Context, node: Node<'_>) -> Built<PatternKind> {
    let rule = node.as_rule();
    let mut parts = cx.parts(node)?;
    let p = &mut parts;
    Ok(match rule {
        Rule::pat_anything => PatternKind::Anything,
        Rule::pat_no_groups => PatternKind::Groups { sizes: Vec::new(), by: p.name_in(Rule::pat_by)? },
        Rule::pat_groups => PatternKind::Groups { sizes: std::iter::from_fn(|| p.maybe_number()).collect(), by: p.name_in(Rule::pat_by)? },
        Rule::pat_run => PatternKind::Run {
            length: p.number()?,
            step: p.inner(Rule::run_step)?.map(|mut step| step.number()).transpose()?,
            around: p.mark(Rule::run_around),
            top: p.name_in(Rule::run_top)?,
            along: p.name_in(Rule::key_along)?,
        },
        Rule::pat_top => PatternKind::Top { values: value_set(p)?, along: p.name_in(Rule::key_along)? },
        Rule::pat_bottom => PatternKind::Bottom { values: value_set(p)?, along: p.name_in(Rule::key_along)? },
        Rule::pat_class => PatternKind::Class(p.name()?),
        Rule::pat_natural => PatternKind::Natural,
        Rule::pat_holds => PatternKind::Holds(value_set(p)?),
        Rule::pat_same => {
            let count = p.maybe_number().map_or(SameCount::All, SameCount::AtLeast);
            PatternKind::Same { count, attribute: p.name()? }
        }
        Rule::pat_values => {
            let count = match p.maybe_number() {
                Some(least) => ValuesCount::AtLeast(least),
                None if p.word == "every" => ValuesCount::Every,
                None => ValuesCount::Any,
            };
            PatternKind::Values { count, of: p.one(Rule::values_of, values_of)? }
        }
        _ => return Err(Fault::Odd(p.span)),
    })
}

fn values_of(cx: Context, node: Node<'_>) -> Built<ValuesOf> {
    let mut p = cx.parts(node)?;
    Ok(ValuesOf { attribute: p.name()?, values: p.within(Rule::value_list)?.names() })
}

/// One value, or several in braces.
fn value_set(p: &mut Parts<'_>) -> Built<Vec<Name>> {
    let mut set = p.within(Rule::value_set)?;
    match set.inner(Rule::value_list)? {
        Some(mut list) => Ok(list.names()),
        None => Ok(set.names()),
    }
}
