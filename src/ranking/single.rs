//! Hands of one piece: there are so few of them that all can be looked at in the plainest way.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::fit::Meant;
use super::model::{AttributeId, ClassId, Held, KeyWord, PieceId, Ranking};
use super::naive::{Refusal, Standing};

/// A hand and how it stands.
type Stood = (Standing, Vec<PieceId>);

/// Every hand of one piece, worst first.
#[derive(Clone, Debug)]
pub(crate) struct Singles {
    pub hands: Vec<Stood>,
    /// A piece that no class fits.
    pub without: Option<PieceId>,
    /// Every piece has been judged: none must be named by its holder.
    pub complete: bool,
}

impl Singles {
    pub fn new(ranking: &Ranking) -> Singles {
        let mut singles = Singles { hands: Vec::new(), without: None, complete: true };
        for piece in ranking.deck.ids().filter(|piece| ranking.deck.copies(*piece) > 0) {
            match ranking.stand(&[Held { piece, called: None }]) {
                Ok(standing) => singles.hands.push((standing, vec![piece])),
                Err(Refusal::NoClass) => singles.without = singles.without.or(Some(piece)),
                Err(_) => singles.complete = false,
            }
        }
        singles.hands.sort_by(|(one, _), (other, _)| one.compare(other).0);
        singles
    }

    /// Two natural pieces of one class that are level, and differ in something that keys of the ranking look at. A class that is compared by the
    /// number of pieces is meant to be level.
    pub fn level<'s>(&'s self, ranking: &'s Ranking) -> impl Iterator<Item = (ClassId, [Vec<PieceId>; 2])> + 's {
        let compared = compared(ranking);
        let counts = |class: ClassId| ranking.classes.get(class).is_some_and(|class| class.keys.iter().any(|key| key.word == KeyWord::Count));
        let natural = move || self.hands.iter().filter(move |(standing, _)| standing.meanings.is_empty() && !counts(standing.class));
        let differ = move |one: &[PieceId], other: &[PieceId]| {
            let value = |hand: &[PieceId], attribute| hand.first().and_then(|piece| ranking.deck.value(*piece, attribute));
            compared.iter().any(|attribute| value(one, *attribute) != value(other, *attribute))
        };
        let level = move |((one, hand), (other, other_hand)): (&Stood, &Stood)| {
            let level = one.class == other.class && one.compare(other).0 == Ordering::Equal && differ(hand, other_hand);
            level.then(|| (one.class, [hand.clone(), other_hand.clone()]))
        };
        natural().zip(natural().skip(1)).filter_map(level)
    }

    /// The classes of the natural pieces that fit a class, but for itself.
    pub fn takers(&self, ranking: &Ranking, class: ClassId) -> BTreeSet<ClassId> {
        let Some(pattern) = ranking.classes.get(class).map(|class| &class.pattern) else { return BTreeSet::new() };
        let fits = |hand: &[PieceId]| {
            let meant: Vec<Meant> = hand.iter().map(|piece| Meant { piece: Some(*piece), wild: false }).collect();
            ranking.fits(pattern, &meant, None)
        };
        let natural = self.hands.iter().filter(|(standing, hand)| standing.meanings.is_empty() && fits(hand));
        natural.map(|(standing, _)| standing.class).filter(|other| *other != class).collect()
    }
}

/// The attributes that keys look at; all, if no class has a key.
fn compared(ranking: &Ranking) -> Vec<AttributeId> {
    let keys = || ranking.classes.iter().flat_map(|class| &class.keys);
    if keys().next().is_none() {
        return (0..ranking.deck.attributes.len()).collect();
    }
    let of_key = |word: &KeyWord| match word {
        KeyWord::Groups(scale) | KeyWord::Singles(scale) | KeyWord::Every(scale) | KeyWord::Top(scale) => {
            ranking.scales.get(*scale).map(|scale| scale.attribute)
        }
        KeyWord::Sum { attribute, .. } => Some(*attribute),
        KeyWord::Wild | KeyWord::Count | KeyWord::TopOfRun => None,
    };
    let mut compared: Vec<AttributeId> = keys().filter_map(|key| of_key(&key.word)).collect();
    compared.sort_unstable();
    compared.dedup();
    compared
}
