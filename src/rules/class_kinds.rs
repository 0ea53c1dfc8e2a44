//! The classes of a ranking as values: `class of R` is a kind whose order the settings decide. Clauses 3.9, 7.3 and 7.12.

use super::kinds::{Kind, KindId, KindSort, Kinds, Order, Value};
use super::lines::RankingDraft;
use super::selection::Layer;
use super::weave::RuledRanking;
use crate::ranking::{Term, ValueId};
use crate::syntax::tree::{At, Declaration, RankingItem};

/// What the kind of a ranking's classes is called. No name holds a blank, so that nothing else is called so.
pub(super) fn name_of(ranking: &str) -> String {
    format!("class of {ranking}")
}

/// The kind of a ranking's classes.
pub(super) fn find(kinds: &Kinds, ranking: &str) -> Option<KindId> {
    kinds.kind(&name_of(ranking))
}

/// Adds a kind for every ranking, with every class that some line of some layer declares: the order in which a draft numbers them.
pub(super) fn add(layers: &[Layer<'_>], kinds: &mut Kinds) {
    let declarations = || layers.iter().flat_map(|layer| &layer.declarations);
    for declaration in declarations() {
        let Declaration::Ranking(ranking) = &declaration.it else { continue };
        let name = name_of(&ranking.name.it);
        if kinds.kind(&name).is_some() {
            continue;
        }
        let mut members: Vec<Value> = Vec::new();
        classes(&ranking.items, &mut members);
        for edit in declarations() {
            if let Declaration::RankingEdit { ranking: edited, items } = &edit.it
                && edited.it == ranking.name.it
            {
                classes(items, &mut members);
            }
        }
        // That there are too many is said where the ranking is read.
        members.truncate(usize::from(ValueId::MAX));
        let ascending = (0..ValueId::MAX).take(members.len()).collect();
        kinds.orders.push(Order { name: name.clone(), kind: kinds.kinds.len(), ascending, also_lowest: Vec::new() });
        kinds.kinds.push(Kind { name, sort: KindSort::Classes, members, span: ranking.name.span });
    }
}

fn classes(items: &[At<RankingItem>], members: &mut Vec<Value>) {
    for item in items {
        if let RankingItem::Class { name, .. } = &item.it {
            if !members.iter().any(|member| member.name == name.it) {
                members.push(Value { name: name.it.clone(), written: Vec::new(), span: name.span });
            }
        } else if let RankingItem::Under { items, .. } = &item.it {
            classes(items, members);
        }
    }
}

/// How high each declared class stands under settings: those in use in their order, the lowest 0, and one that is not in use just below the lowest
/// class in use that beats it by any path of edges.
pub(super) fn heights(draft: &RankingDraft, woven: &RuledRanking<Term>) -> Vec<u8> {
    let in_use: Vec<&str> = woven.model.classes.iter().map(|class| class.name.as_str()).collect();
    let twice: Vec<usize> = draft
        .declared
        .iter()
        .map(|declared| {
            if let Some(at) = in_use.iter().position(|name| *name == declared.name) {
                return 2 * (in_use.len() - at) - 1;
            }
            // The classes in use stand best first.
            let beaten_by = in_use.iter().rposition(|above| woven.leads(above, &declared.name));
            beaten_by.map_or(2 * in_use.len(), |at| 2 * (in_use.len() - at) - 2)
        })
        .collect();
    let mut places = twice.clone();
    places.sort_unstable();
    places.dedup();
    let height = |place: &usize| places.binary_search(place).ok().and_then(|height| u8::try_from(height).ok()).unwrap_or(u8::MAX);
    twice.iter().map(height).collect()
}
