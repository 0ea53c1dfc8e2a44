//! Compares hands at a table: by the compiled table as soon as so many were compared that it is worth its making, and plainly otherwise.
//! Both give the same answers. Clauses 7.6, 7.11 and 7.12.

use std::cmp::Ordering;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering as Atomic};

use smallvec::SmallVec;

use super::fit::Meant;
use super::key::collect_runs;
use super::model::{AttributeId, ClassId, Held, Key, KeyWord, Pattern, PieceId, Ranking, ScaleId, ValueId};
use super::naive::Standing;
use super::table::Table;

/// So many hands are compared before a table is made: most rulebooks that are opened compare few.
const WORTH_A_TABLE: u32 = 256;

/// A ranking whose parameters are known, ready to compare one hand after another.
#[derive(Debug)]
pub struct Comparer {
    ranking: Ranking,
    /// By piece of the deck.
    wild: Vec<bool>,
    /// `Some(None)`: there can be none.
    table: OnceLock<Option<Box<Table>>>,
    compared: AtomicU32,
}

/// How good a hand is. Two can be compared if both were found in the same way, see [`Comparer::worth`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Of the compiled table; 0: the hand is not ranked.
    Strength(u32),
    /// `None`: the hand is not ranked.
    Standing(Option<Box<Standing>>),
}

impl Worth {
    /// `Greater`: better than the other. What is not ranked is below everything.
    #[must_use]
    pub fn compare(&self, other: &Worth) -> Ordering {
        match (self, other) {
            (Worth::Strength(one), Worth::Strength(other)) => one.cmp(other),
            (Worth::Standing(Some(one)), Worth::Standing(Some(other))) => one.compare(other).0,
            (one, other) => one.is_ranked().cmp(&other.is_ranked()),
        }
    }

    #[must_use]
    pub fn is_ranked(&self) -> bool {
        !matches!(self, Worth::Strength(0) | Worth::Standing(None))
    }
}

/// What the first key of a class can be compared with. Clause 7.12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstKey {
    /// The class has no key.
    None,
    Number,
    /// A value of this attribute.
    Value(AttributeId),
}

impl Comparer {
    #[must_use]
    pub fn new(ranking: Ranking) -> Comparer {
        let wild = ranking.deck.ids().map(|piece| ranking.is_wild(piece)).collect();
        Comparer { ranking, wild, table: OnceLock::new(), compared: AtomicU32::new(0) }
    }

    #[must_use]
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The table, for hands of a size of which `more` are going to be compared; `None`: they must be compared plainly.
    pub fn table(&self, size: usize, more: u32) -> Option<&Table> {
        if size != usize::from(*self.ranking.sizes.end()) {
            return None;
        }
        // Once there is a table nobody needs to count.
        if self.table.get().is_none() && self.compared.fetch_add(more, Atomic::Relaxed).saturating_add(more) < WORTH_A_TABLE {
            return None;
        }
        self.table.get_or_init(|| self.ranking.compile().ok().map(Box::new)).as_deref()
    }

    /// How good a hand is, by the table if there is one.
    #[must_use]
    pub fn worth(&self, table: Option<&Table>, hand: &[PieceId]) -> Worth {
        match table {
            Some(table) => Worth::Strength(table.strength(hand)),
            None => Worth::Standing(self.standing(hand).map(Box::new)),
        }
    }

    /// The class of a hand; `None`: it is not ranked.
    #[must_use]
    pub fn class(&self, table: Option<&Table>, hand: &[PieceId]) -> Option<ClassId> {
        match table {
            Some(table) => table.class_of(table.strength(hand)),
            None if self.holds_wild(hand) => self.standing(hand).map(|standing| standing.class),
            None => self.natural_class(hand, &meant(hand)),
        }
    }

    /// How a hand stands; `None`: it is not ranked. No holder says anything here.
    #[must_use]
    pub fn standing(&self, hand: &[PieceId]) -> Option<Standing> {
        if self.holds_wild(hand) {
            let held: SmallVec<[Held; 16]> = hand.iter().map(|piece| Held { piece: *piece, called: None }).collect();
            return self.ranking.stand(&held).ok();
        }
        // A hand without wild pieces can be read in one way only.
        let meant = meant(hand);
        let class = self.natural_class(hand, &meant)?;
        let of = self.ranking.classes.get(class)?;
        let low = of.keys.iter().map(|key| key.low).collect();
        Some(Standing { class, keys: self.ranking.keys(of, &meant), low, meanings: Vec::new() })
    }

    fn holds_wild(&self, hand: &[PieceId]) -> bool {
        hand.iter().any(|piece| self.wild.get(usize::from(*piece)) != Some(&false))
    }

    fn natural_class(&self, hand: &[PieceId], meant: &[Meant]) -> Option<ClassId> {
        if !u8::try_from(hand.len()).is_ok_and(|size| self.ranking.sizes.contains(&size)) {
            return None;
        }
        self.ranking.classes.iter().position(|class| self.ranking.fits(&class.pattern, meant, None))
    }

    /// The key values of a standing, one behind the other, so that the greater is always the better.
    #[must_use]
    pub fn key_values(&self, standing: &Standing) -> Vec<i64> {
        let keys = self.ranking.classes.get(standing.class).map_or(&[][..], |class| &class.keys);
        keys.iter().zip(&standing.keys).flat_map(|(key, numbers)| numbers.iter().map(|number| shown(key, *number))).collect()
    }

    /// How many of the first key values are known of every hand of a size without looking at it: the number of its pieces, where all hands are of
    /// one class.
    #[must_use]
    pub fn known_by_size(&self) -> usize {
        match self.ranking.classes.as_slice() {
            [class] if class.pattern == Pattern::Anything => class.keys.iter().take_while(|key| key.word == KeyWord::Count).count(),
            _ => 0,
        }
    }

    /// Those key values; `None`: such hands are not compared.
    #[must_use]
    pub fn values_by_size(&self, size: usize) -> Option<Vec<i64>> {
        let count = u8::try_from(size).ok().filter(|size| self.ranking.sizes.contains(size))?;
        let keys = self.ranking.classes.first().map_or(&[][..], |class| &class.keys);
        Some(keys.iter().take(self.known_by_size()).map(|key| shown(key, i64::from(count))).collect())
    }

    /// What the first key of a class is.
    #[must_use]
    pub fn first_key(&self, class: ClassId) -> FirstKey {
        let Some(key) = self.ranking.classes.get(class).and_then(|class| class.keys.first()) else { return FirstKey::None };
        let attribute = self.scale_of(class, key).and_then(|scale| self.ranking.scales.get(scale)).map(|scale| scale.attribute);
        match attribute {
            Some(attribute) => FirstKey::Value(attribute),
            None => FirstKey::Number,
        }
    }

    /// The number that stands for a value in the first key of a class, a natural piece having it; `None`: the key looks at no values, or the scale
    /// does not name it.
    #[must_use]
    pub fn number_of(&self, class: ClassId, value: ValueId) -> Option<i64> {
        let key = self.ranking.classes.get(class)?.keys.first()?;
        let place = i64::try_from(self.ranking.scales.get(self.scale_of(class, key)?)?.place(value)?).ok()?;
        Some(shown(key, if key.wild_up { place * 2 } else { place }))
    }

    /// A number as the first key of a class shows it: turned round if the lower wins.
    #[must_use]
    pub fn counted(&self, class: ClassId, number: i64) -> i64 {
        let low = self.ranking.classes.get(class).and_then(|class| class.keys.first()).is_some_and(|key| key.low);
        if low { number.saturating_neg() } else { number }
    }

    /// The scale on which a key's numbers are places.
    fn scale_of(&self, class: ClassId, key: &Key) -> Option<ScaleId> {
        match &key.word {
            KeyWord::Groups(scale) | KeyWord::Singles(scale) | KeyWord::Every(scale) | KeyWord::Top(scale) => Some(*scale),
            KeyWord::TopOfRun => {
                let mut runs = Vec::new();
                collect_runs(&self.ranking.classes.get(class)?.pattern, &mut runs);
                let Pattern::Run { scale, .. } = runs.first()? else { return None };
                Some(*scale)
            }
            KeyWord::Wild | KeyWord::Count | KeyWord::Sum { .. } => None,
        }
    }
}

fn meant(hand: &[PieceId]) -> SmallVec<[Meant; 16]> {
    hand.iter().map(|piece| Meant { piece: Some(*piece), wild: false }).collect()
}

/// A number of a key as players count: the lowest value of a scale is 1 (under `wild up` 2, and 3 for a wild piece in its place); where the lower
/// wins, below zero.
fn shown(key: &Key, number: i64) -> i64 {
    let counted = match key.word {
        KeyWord::Wild | KeyWord::Count | KeyWord::Sum { .. } => number,
        KeyWord::Groups(_) | KeyWord::Singles(_) | KeyWord::Every(_) | KeyWord::Top(_) | KeyWord::TopOfRun => {
            number.saturating_add(if key.wild_up { 2 } else { 1 })
        }
    };
    if key.low { counted.saturating_neg() } else { counted }
}
