//! What a ranking looks at: the one attribute whose values matter, the one that need only be alike, and what may stand for what.
//!
//! Seen through a lens a hand is a multiset of *symbols* (a value, or a kind of wild piece) and whether its natural pieces are all alike.
//! There are a few thousand of these where there are millions of hands.

use std::fmt;

use super::model::{AttributeId, Deck, KeyWord, Pattern, PieceId, Ranking, ScaleId};

/// More values than this in the attribute that is looked at: no table.
pub(crate) const MOST_VALUES: usize = 32;
/// Larger hands than this: no table.
pub(crate) const MOST_PIECES: u8 = 15;
/// More classes than this: no table.
pub(crate) const MOST_CLASSES: usize = 64;

/// Why a ranking has no table. It is right all the same, only slower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slow {
    /// It looks at the values of two attributes.
    TwoAttributes(String, String),
    /// It asks for pieces alike in one attribute, and for pieces alike in another.
    TwoLikenesses(String, String),
    /// A question about classes stands inside a class.
    ClassInClass,
    /// The deck has no values.
    NoValues,
    /// The attribute has too many values.
    ManyValues(String),
    ManyClasses,
    /// Hands are empty or too large.
    HandSize(u8),
    /// More different hands than a table holds.
    ManyHands,
    /// So many wild pieces that their meanings cannot all be tried beforehand.
    ManyMeanings,
    /// The ties of this class look at more than fits.
    LongTies(String),
    /// The holder says what a wild piece stands for.
    Named,
    /// Pieces with values of their own are wild, but not freely, or the ranking tells wild from natural.
    WildValues,
    /// There are wild pieces, and the pack does not hold the same values in every value of this attribute.
    Uneven(String),
    /// Several wild pieces, of which some may double a held piece and some not, and doubles hang on more than the values.
    MixedDoubles,
}

impl fmt::Display for Slow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slow::TwoAttributes(a, b) => write!(f, "it looks at the {a} and at the {b} of the pieces"),
            Slow::TwoLikenesses(a, b) => write!(f, "it asks for pieces of one {a} and for pieces of one {b}"),
            Slow::ClassInClass => f.write_str("a class is defined by another class"),
            Slow::NoValues => f.write_str("the pieces have no values"),
            Slow::ManyValues(a) => write!(f, "{a} has more than {MOST_VALUES} values"),
            Slow::ManyClasses => write!(f, "it has more than {MOST_CLASSES} classes"),
            Slow::HandSize(n) => write!(f, "its hands have {n} pieces; a table takes 1 to {MOST_PIECES}"),
            Slow::ManyHands => f.write_str("there are too many different hands"),
            Slow::ManyMeanings => f.write_str("its wild pieces can stand for too many things at once"),
            Slow::LongTies(class) => write!(f, "the ties of {class} look at too many numbers"),
            Slow::Named => f.write_str("the holder says what a wild piece stands for"),
            Slow::WildValues => f.write_str("pieces that have a value of their own are wild, and it matters whether they stand for themselves"),
            Slow::Uneven(a) => write!(f, "there are wild pieces, and the pack does not hold the same pieces in every {a}"),
            Slow::MixedDoubles => f.write_str("one wild piece may repeat a held piece, another not"),
        }
    }
}

impl std::error::Error for Slow {}

/// How one kind of wild piece may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// Values it may stand for, a bit each.
    pub values: u32,
    /// Classes it may make, a bit each.
    pub classes: u64,
    pub may_double: bool,
}

/// Wild pieces that may be read alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub copies: u32,
    pub meanings: Vec<Meaning>,
    /// It may stand for nothing, being blank.
    pub blank: bool,
}

/// A ranking's hands of one size, seen by values.
#[derive(Clone, Debug)]
pub(crate) struct Lens {
    pub size: u8,
    pub attribute: AttributeId,
    pub alike: Option<AttributeId>,
    /// How many values the attribute has.
    pub values: usize,
    /// Natural pieces of each value, by column: the values of `alike` that occur, or one column if nothing need be alike.
    pub natural: Vec<Vec<u32>>,
    /// The same for every piece that a wild piece may stand for.
    pub whole: Vec<Vec<u32>>,
    pub kinds: Vec<Kind>,
    /// Each piece's symbol: its value, or `values` and more for the kinds.
    pub symbols: Vec<usize>,
    /// Each natural piece's column.
    pub columns: Vec<usize>,
}

impl Lens {
    /// Looks at the hands of one size.
    pub fn new(ranking: &Ranking, size: u8) -> Result<Lens, Slow> {
        if size == 0 || size > MOST_PIECES {
            return Err(Slow::HandSize(size));
        }
        if ranking.classes.len() > MOST_CLASSES {
            return Err(Slow::ManyClasses);
        }
        let deck = &ranking.deck;
        if deck.ids().any(|p| deck.copies(p) > 0 && ranking.must_be_named(p)) {
            return Err(Slow::Named);
        }
        let (attribute, alike) = attributes(ranking, size)?;
        let values = deck.attributes.get(attribute).map_or(0, |a| a.values.len());
        if values == 0 {
            return Err(Slow::NoValues);
        }
        if values > MOST_VALUES {
            return Err(Slow::ManyValues(name(deck, attribute)));
        }
        let mut lens = Lens {
            size,
            attribute,
            alike,
            values,
            natural: Vec::new(),
            whole: Vec::new(),
            kinds: Vec::new(),
            symbols: Vec::new(),
            columns: Vec::new(),
        };
        lens.sort_pieces(ranking);
        lens.accept_wild(ranking)?;
        Ok(lens)
    }

    /// Whether a question about hands of this ranking can be answered through the lens.
    pub fn shows(&self, ranking: &Ranking, question: &Pattern) -> bool {
        let mut used = Used { ranking, size: self.size, by_value: Vec::new(), alike: Vec::new() };
        used.pattern(question);
        // A piece with a value of its own looks like a blank here, although it may be natural.
        let blurred = asks_natural(question) && self.kinds.iter().any(|k| !k.blank && k.copies > 0);
        !blurred && used.by_value.iter().all(|a| *a == self.attribute) && used.alike.iter().all(|a| *a == self.attribute || Some(*a) == self.alike)
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.values + self.kinds.len()
    }

    pub fn column_count(&self) -> usize {
        self.natural.first().map_or(1, Vec::len)
    }

    /// How many pieces have this symbol.
    pub fn copies(&self, symbol: usize) -> u64 {
        match self.natural.get(symbol) {
            Some(by_column) => by_column.iter().map(|n| u64::from(*n)).sum(),
            None => self.kinds.get(symbol - self.values).map_or(0, |k| u64::from(k.copies)),
        }
    }

    /// How many pieces of this value a wild piece could stand for.
    pub fn whole_copies(&self, value: usize) -> u32 {
        self.whole.get(value).map_or(0, |by_column| by_column.iter().sum())
    }

    fn sort_pieces(&mut self, ranking: &Ranking) {
        let deck = &ranking.deck;
        let column_values: Vec<u8> = match self.alike {
            None => Vec::new(),
            Some(alike) => {
                let mut found: Vec<u8> = deck.ids().filter(|p| deck.copies(*p) > 0).filter_map(|p| deck.value(p, alike)).collect();
                found.sort_unstable();
                found.dedup();
                found
            }
        };
        let columns = column_values.len().max(1);
        self.natural = vec![vec![0; columns]; self.values];
        self.whole = self.natural.clone();
        for piece in deck.ids() {
            let copies = u32::from(deck.copies(piece));
            let column = self.alike.and_then(|a| deck.value(piece, a)).and_then(|v| column_values.iter().position(|c| *c == v)).unwrap_or(0);
            let value = deck.value(piece, self.attribute).map(usize::from).filter(|v| *v < self.values);
            if let Some(cell) = value.and_then(|v| self.whole.get_mut(v)?.get_mut(column)) {
                *cell += copies;
            }
            let symbol = match value {
                Some(v) if !ranking.is_wild(piece) => {
                    if let Some(cell) = self.natural.get_mut(v).and_then(|row| row.get_mut(column)) {
                        *cell += copies;
                    }
                    v
                }
                Some(_) | None => self.values + self.kind_of(ranking, piece),
            };
            self.symbols.push(symbol);
            self.columns.push(column);
        }
    }

    /// The kind of a wild piece, a new one if it is read like none before it.
    fn kind_of(&mut self, ranking: &Ranking, piece: PieceId) -> usize {
        let meanings: Vec<Meaning> =
            ranking.readings.iter().filter(|r| r.wild.names(&ranking.deck, piece)).map(|r| self.meaning_of(ranking, r)).collect();
        let (blank, copies) = (ranking.deck.is_blank(piece), u32::from(ranking.deck.copies(piece)));
        if let Some(at) = self.kinds.iter().position(|k| k.blank == blank && k.meanings == meanings) {
            if let Some(kind) = self.kinds.get_mut(at) {
                kind.copies += copies;
            }
            return at;
        }
        self.kinds.push(Kind { copies, meanings, blank });
        self.kinds.len() - 1
    }

    fn meaning_of(&self, ranking: &Ranking, reading: &super::model::Reading) -> Meaning {
        let all: Vec<u8> = (0..u8::try_from(self.values).unwrap_or(u8::MAX)).collect();
        let values = reading.stands_for.as_ref().map_or(&all, |(_, values)| values);
        let classes = (0..ranking.classes.len()).filter(|c| reading.makes(*c)).map(|c| 1_u64 << c).sum();
        Meaning { values: mask(values), classes, may_double: reading.may_double }
    }

    /// Refuses wild pieces whose effect hangs on more than a lens shows.
    fn accept_wild(&self, ranking: &Ranking) -> Result<(), Slow> {
        let all_classes = (0..ranking.classes.len()).map(|c| 1_u64 << c).sum::<u64>();
        let all_values = if self.values == MOST_VALUES { u32::MAX } else { (1 << self.values) - 1 };
        let in_play = || self.kinds.iter().filter(|k| k.copies > 0);
        let free = |k: &Kind| k.meanings.iter().any(|m| m.values == all_values && m.classes == all_classes);
        let doubles: Vec<bool> = in_play().flat_map(|k| k.meanings.iter().map(|m| m.may_double)).collect();
        let pure = doubles.iter().all(|d| *d) || doubles.iter().all(|d| !d);
        // A wild piece with a value of its own is like a blank if it may stand for anything, itself among it, and nobody can tell the two apart.
        if in_play().any(|k| !k.blank) && (sees_wild(ranking) != Sight::Nothing || !pure || !in_play().all(|k| k.blank || free(k))) {
            return Err(Slow::WildValues);
        }
        // What a wild piece can still stand for must be the same whichever value the natural pieces have in common.
        let even = self.whole.iter().all(|row| row.windows(2).all(|pair| pair.first() == pair.last()));
        if let (Some(alike), false) = (self.alike, even || in_play().all(|k| k.meanings.is_empty())) {
            return Err(Slow::Uneven(name(&ranking.deck, alike)));
        }
        Ok(())
    }
}

/// How much a ranking can tell of which pieces are wild.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sight {
    Nothing,
    /// Only how many there are.
    Number,
    /// Which values they stand for, or whether there are any.
    Pieces,
}

pub(crate) fn sees_wild(ranking: &Ranking) -> Sight {
    let keys = || ranking.classes.iter().flat_map(|c| &c.keys);
    if keys().any(|k| k.wild_up) || ranking.classes.iter().any(|c| asks_natural(&c.pattern)) {
        Sight::Pieces
    } else if keys().any(|k| k.word == KeyWord::Wild) {
        Sight::Number
    } else {
        Sight::Nothing
    }
}

fn asks_natural(pattern: &Pattern) -> bool {
    *pattern == Pattern::Natural || pattern.parts().iter().any(asks_natural)
}

fn asks_class(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Class(_)) || pattern.parts().iter().any(asks_class)
}

/// One bit for each value.
pub(crate) fn mask(values: &[u8]) -> u32 {
    values.iter().filter(|v| usize::from(**v) < MOST_VALUES).map(|v| 1_u32 << v).reduce(|a, b| a | b).unwrap_or(0)
}

fn name(deck: &Deck, attribute: AttributeId) -> String {
    deck.attributes.get(attribute).map_or_else(String::new, |a| a.name.clone())
}

/// The attribute whose values are looked at, and the one that need only be alike.
fn attributes(ranking: &Ranking, size: u8) -> Result<(AttributeId, Option<AttributeId>), Slow> {
    let mut used = Used { ranking, size, by_value: Vec::new(), alike: Vec::new() };
    for class in &ranking.classes {
        if asks_class(&class.pattern) {
            return Err(Slow::ClassInClass);
        }
        used.pattern(&class.pattern);
        for key in &class.keys {
            match &key.word {
                KeyWord::Groups(scale) | KeyWord::Singles(scale) | KeyWord::Every(scale) | KeyWord::Top(scale) => used.scale(*scale),
                KeyWord::Sum { attribute, .. } => used.by_value(*attribute),
                KeyWord::Wild | KeyWord::Count | KeyWord::TopOfRun => {}
            }
        }
    }
    let in_play = |r: &&super::model::Reading| ranking.deck.ids().any(|p| ranking.deck.copies(p) > 0 && r.wild.names(&ranking.deck, p));
    for (attribute, _) in ranking.readings.iter().filter(in_play).filter_map(|r| r.stands_for.as_ref()) {
        used.by_value(*attribute);
    }
    used.choose()
}

struct Used<'a> {
    ranking: &'a Ranking,
    size: u8,
    by_value: Vec<AttributeId>,
    alike: Vec<AttributeId>,
}

impl Used<'_> {
    fn by_value(&mut self, attribute: AttributeId) {
        if !self.by_value.contains(&attribute) {
            self.by_value.push(attribute);
        }
    }

    fn scale(&mut self, scale: ScaleId) {
        if let Some(scale) = self.ranking.scales.get(scale) {
            self.by_value(scale.attribute);
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Anything | Pattern::Natural | Pattern::Class(_) => {}
            Pattern::Not(_) | Pattern::All(_) | Pattern::Any(_) => {
                for part in pattern.parts() {
                    self.pattern(part);
                }
            }
            Pattern::Same { attribute, at_least } => match at_least.unwrap_or(self.size) {
                // One piece is alike with itself, and more than there are never are.
                0 | 1 => {}
                n if n > self.size => {}
                n if n == self.size => {
                    if !self.alike.contains(attribute) {
                        self.alike.push(*attribute);
                    }
                }
                _ => self.by_value(*attribute),
            },
            Pattern::Groups { attribute, .. } | Pattern::Values { attribute, .. } | Pattern::Holds { attribute, .. } => self.by_value(*attribute),
            Pattern::Run { scale, .. } | Pattern::Top { scale, .. } | Pattern::Bottom { scale, .. } => self.scale(*scale),
        }
    }

    fn choose(mut self) -> Result<(AttributeId, Option<AttributeId>), Slow> {
        let named = |a: &AttributeId| name(&self.ranking.deck, *a);
        if let [first, second, ..] = self.by_value.as_slice() {
            return Err(Slow::TwoAttributes(named(first), named(second)));
        }
        let attribute = self.by_value.first().or(self.alike.first()).copied().unwrap_or(0);
        self.alike.retain(|a| *a != attribute);
        if let [first, second, ..] = self.alike.as_slice() {
            let named = |a: &AttributeId| name(&self.ranking.deck, *a);
            return Err(Slow::TwoLikenesses(named(first), named(second)));
        }
        Ok((attribute, self.alike.first().copied()))
    }
}
