//! Cuts a mutation into the tree of a file.

use super::mutants::{Mutation, Part};
use crate::source::Span;
use crate::syntax::tree::{At, Declaration, Pattern, PatternKind, RankingItem, TieKey, TiesScope};

/// What is to be done, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut<'c> {
    pub line: Span,
    pub part: &'c Part,
    pub mutation: &'c Mutation,
}

/// Whether the cut was made here.
pub(super) fn operate(declarations: &mut Vec<At<Declaration>>, cut: &Cut<'_>) -> bool {
    if *cut.mutation == Mutation::Drop
        && let Some(index) =
            declarations.iter().position(|declaration| declaration.span == cut.line && matches!(declaration.it, Declaration::Pieces(_)))
    {
        declarations.remove(index);
        return true;
    }
    if super::operators::operate(declarations, cut) || super::table_surgery::operate(declarations, cut) {
        return true;
    }
    declarations.iter_mut().any(|declaration| {
        if let Declaration::Ranking(ranking) = &mut declaration.it {
            on_items(&mut ranking.items, cut)
        } else if let Declaration::RankingEdit { items, .. } = &mut declaration.it {
            on_items(items, cut)
        } else {
            false
        }
    })
}

fn on_items(items: &mut Vec<At<RankingItem>>, cut: &Cut<'_>) -> bool {
    if let (Part::Edge(index), Mutation::Swap) = (cut.part, cut.mutation) {
        let Some((above, below)) = edge(items, cut.line, *index) else { return false };
        exchange(items, &above, &below);
        return true;
    }
    let Some(at) = items.iter().position(|item| item.span == cut.line) else {
        return items.iter_mut().any(|item| if let RankingItem::Under { items, .. } = &mut item.it { on_items(items, cut) } else { false });
    };
    let span = cut.line;
    let Some(new) = items.get(at).and_then(|item| replaced(&item.it, cut)) else { return false };
    items.splice(at..=at, new.into_iter().map(|item| At::new(item, span)));
    true
}

/// What stands in the place of an item; `None` if nothing of the kind can be done to it.
fn replaced(item: &RankingItem, cut: &Cut<'_>) -> Option<Vec<RankingItem>> {
    match item {
        RankingItem::Under { .. } => None,
        RankingItem::Class { replaces, name, under, pattern, tags } => {
            // A class without a line would leave its edges hanging; one that no hand has keeps the order as it is.
            let (replaces, name, under, tags) = (*replaces, name.clone(), under.clone(), tags.clone());
            drops(cut).then(|| vec![RankingItem::Class { replaces, name, under, pattern: never(pattern), tags }])
        }
        RankingItem::Beats { classes, under, tags } => {
            let Part::Edge(index) = cut.part else { return None };
            let parts = [classes.get(..=*index)?, classes.get(index + 1..)?].into_iter().filter(|part| part.len() > 1);
            let lines = parts.map(|part| RankingItem::Beats { classes: part.to_vec(), under: under.clone(), tags: tags.clone() });
            drops(cut).then(|| lines.collect())
        }
        RankingItem::Ties { replaces, scope, keys, under, tags } => {
            let ties = |scope, keys| RankingItem::Ties { replaces: *replaces, scope, keys, under: under.clone(), tags: tags.clone() };
            let changed = if drops(cut) { None } else { Some(changed(keys, cut.mutation)?) };
            let (own, others) = parted(scope, cut.part)?;
            let others = others.map(|others| ties(others, keys.clone()));
            Some(others.into_iter().chain(changed.map(|keys| ties(own, keys))).collect())
        }
        RankingItem::Wild { replaces, which, stands_for, into, under, tags, may_double: _ } if *cut.mutation == Mutation::NoDouble => {
            let (replaces, which, stands_for, into) = (*replaces, which.clone(), stands_for.clone(), into.clone());
            let (under, tags) = (under.clone(), tags.clone());
            Some(vec![RankingItem::Wild { replaces, which, stands_for, into, may_double: false, under, tags }])
        }
        RankingItem::Wild { .. } | RankingItem::WildNamed { .. } | RankingItem::DropClass { .. } | RankingItem::DropEdge { .. } => {
            drops(cut).then(Vec::new)
        }
    }
}

fn drops(cut: &Cut<'_>) -> bool {
    *cut.mutation == Mutation::Drop
}

/// The one class whose keys are meant, and the others that the line names.
fn parted(scope: &TiesScope, part: &Part) -> Option<(TiesScope, Option<TiesScope>)> {
    let TiesScope::In(classes) = scope else { return Some((TiesScope::Otherwise, None)) };
    let Part::TiesOf(index) = part else { return None };
    let own = TiesScope::In(vec![classes.get(*index)?.clone()]);
    let others: Vec<_> = classes.iter().enumerate().filter(|(at, _)| at != index).map(|(_, class)| class.clone()).collect();
    Some((own, (!others.is_empty()).then_some(TiesScope::In(others))))
}

/// The pattern, and never: what it asks for can still be seen, a run for `top of run`.
fn never(pattern: &Pattern) -> Pattern {
    let span = pattern.span;
    let at = |kind| At::new(Box::new(kind), span);
    at(PatternKind::And(vec![pattern.clone(), at(PatternKind::Not(at(PatternKind::Anything)))]))
}

fn changed(keys: &[At<TieKey>], mutation: &Mutation) -> Option<Vec<At<TieKey>>> {
    let mut keys = keys.to_vec();
    match mutation {
        Mutation::TurnKey(index) => {
            let key = keys.get_mut(*index)?;
            key.it.low = !key.it.low;
        }
        Mutation::SwapKeys(index) if index + 1 < keys.len() => keys.swap(*index, index + 1),
        Mutation::DropKey(index) if *index < keys.len() => drop(keys.remove(*index)),
        Mutation::DropKey(_)
        | Mutation::SwapKeys(_)
        | Mutation::Drop
        | Mutation::Swap
        | Mutation::NoDouble
        | Mutation::PlayAs(_)
        | Mutation::Contradict
        | Mutation::FewerSeats
        | Mutation::MoreSeats
        | Mutation::Uncover
        | Mutation::Default(_)
        | Mutation::Slip(_)
        | Mutation::Ignore => return None,
    }
    Some(keys)
}

/// The two classes of an edge.
fn edge(items: &[At<RankingItem>], line: Span, index: usize) -> Option<(String, String)> {
    items.iter().find_map(|item| {
        if let RankingItem::Under { items, .. } = &item.it {
            return edge(items, line, index);
        }
        let RankingItem::Beats { classes, .. } = &item.it else { return None };
        (item.span == line).then_some(())?;
        Some((classes.get(index)?.it.clone(), classes.get(index + 1)?.it.clone()))
    })
}

/// Two classes change places in every edge: turning one edge alone would leave the classes around it without order.
fn exchange(items: &mut [At<RankingItem>], above: &str, below: &str) {
    for item in items {
        if let RankingItem::Under { items, .. } = &mut item.it {
            exchange(items, above, below);
        } else if let RankingItem::Beats { classes, .. } = &mut item.it {
            for class in classes {
                if class.it == above {
                    below.clone_into(&mut class.it);
                } else if class.it == below {
                    above.clone_into(&mut class.it);
                }
            }
        }
    }
}
