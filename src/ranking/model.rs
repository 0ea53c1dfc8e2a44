//! What a ranking is, after names are resolved: small numbers only.
//!
//! Nothing here knows a game. A *piece* has a value in each of its attributes (or none at all: a blank); an attribute's values may be ordered by
//! one or more scales; a *class* is a pattern over a set of pieces; classes are ordered, best first.

use std::ops::RangeInclusive;

/// Position of an attribute in [`Deck::attributes`].
pub type AttributeId = usize;
/// Position of a value in its attribute's list.
pub type ValueId = u8;
/// Position of a class in [`Ranking::classes`]. Lower is better: classes are stored best first.
pub type ClassId = usize;
/// Position of a scale in [`Ranking::scales`].
pub type ScaleId = usize;
/// Position of a piece in [`Deck::pieces`].
pub type PieceId = u8;

/// No hand is larger than this. Clause 11.2.
pub const LARGEST_HAND: u8 = 32;

/// The pieces in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    pub attributes: Vec<Attribute>,
    /// Every different piece. At most 254.
    pub pieces: Vec<Piece>,
}

/// One attribute of the pieces: its name and its values' names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub name: String,
    pub values: Vec<String>,
}

/// One different piece, of which the pack holds `copies`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// How it is written, `Ah`.
    pub text: String,
    /// A value for each attribute of the deck; empty for a blank.
    pub values: Vec<ValueId>,
    pub copies: u8,
}

/// An order on the values of one attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    pub name: String,
    pub attribute: AttributeId,
    /// Values from lowest to highest, each once.
    pub ascending: Vec<ValueId>,
    /// Values that may also stand below the lowest (for runs): nearest to the lowest last.
    pub also_lowest: Vec<ValueId>,
}

/// A condition on a hand whose wild pieces have been given their meaning. Clause 7.4.
///
/// `V` is what stands where a value is asked for: a value, or a [`Term`](super::Term) that a parameter may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern<V = ValueId> {
    Anything,
    Not(Box<Pattern<V>>),
    All(Vec<Pattern<V>>),
    Any(Vec<Pattern<V>>),
    /// The groups of two or more equal values have exactly these sizes (descending); empty: no two values are equal.
    Groups {
        attribute: AttributeId,
        sizes: Vec<u8>,
    },
    /// All pieces (`None`), or at least so many, share one value of the attribute.
    Same {
        attribute: AttributeId,
        at_least: Option<u8>,
    },
    /// `length` different values, each `step` places above the last one; `around`: the scale closes into a ring.
    Run {
        scale: ScaleId,
        length: u8,
        step: u8,
        around: bool,
        top: Option<V>,
    },
    /// The highest value is one of these.
    Top {
        scale: ScaleId,
        values: Vec<V>,
    },
    /// The lowest value is one of these.
    Bottom {
        scale: ScaleId,
        values: Vec<V>,
    },
    /// At least so many pieces (`None`: all) have one of these values.
    Values {
        attribute: AttributeId,
        at_least: Option<u8>,
        values: Vec<V>,
    },
    /// Each of these values is present.
    Holds {
        attribute: AttributeId,
        values: Vec<V>,
    },
    /// No piece of the hand is wild.
    Natural,
    /// The hand is of this class (only in questions put to a ranking, never inside a class).
    Class(ClassId),
}

/// What decides between hands of one class. Clause 7.6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub word: KeyWord,
    /// A wild piece counts just above the natural piece it stands for.
    pub wild_up: bool,
    /// The lower value wins.
    pub low: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyWord {
    /// Values of the groups of two or more: larger groups first, then higher values.
    Groups(ScaleId),
    /// Values that stand alone, highest first.
    Singles(ScaleId),
    /// The value of every piece, highest first.
    Every(ScaleId),
    /// The number of wild pieces.
    Wild,
    /// The number of pieces.
    Count,
    /// The highest value.
    Top(ScaleId),
    /// The top of the run that the class asks for: its place on the scale, so that a value that also stands lowest counts as low there.
    TopOfRun,
    /// The sum of points, one number for each value of the attribute.
    Sum { attribute: AttributeId, points: Vec<i64> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class<V = ValueId> {
    pub name: String,
    pub pattern: Pattern<V>,
    pub keys: Vec<Key>,
}

/// Which pieces are wild.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wild<V = ValueId> {
    /// This blank piece.
    Blank(PieceId),
    /// Every piece with one of these values.
    Values { attribute: AttributeId, values: Vec<V> },
}

/// A way in which a wild piece may be read. Several readings of one piece are alternatives; the best result counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<V = ValueId> {
    pub wild: Wild<V>,
    /// It stands for a piece with one of these values; `None`: for any piece.
    pub stands_for: Option<(AttributeId, Vec<V>)>,
    /// Only to make one of these classes; `None`: any.
    pub into: Option<Vec<ClassId>>,
    /// It may stand for a piece that the holder has already.
    pub may_double: bool,
}

/// A checked ranking: every class in use, best first, each with its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking<V = ValueId> {
    pub name: String,
    pub deck: Deck,
    pub scales: Vec<Scale>,
    /// Hand sizes that may be compared.
    pub sizes: RangeInclusive<u8>,
    /// Classes in use, best first.
    pub classes: Vec<Class<V>>,
    pub readings: Vec<Reading<V>>,
    /// The holder says what a wild piece is; without his word the hand is not ranked.
    pub named_by_holder: Vec<Wild<V>>,
}

/// One piece of a hand, and what its holder calls it, if he does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Held {
    pub piece: PieceId,
    pub called: Option<PieceId>,
}

impl Deck {
    /// The piece's value in an attribute; a blank has none.
    #[must_use]
    pub fn value(&self, piece: PieceId, attribute: AttributeId) -> Option<ValueId> {
        self.pieces.get(usize::from(piece))?.values.get(attribute).copied()
    }

    /// Whether the piece has no values at all. A piece that the deck does not know counts as blank.
    #[must_use]
    pub fn is_blank(&self, piece: PieceId) -> bool {
        self.pieces.get(usize::from(piece)).is_none_or(|p| p.values.is_empty())
    }

    /// How many of this piece the pack holds.
    #[must_use]
    pub fn copies(&self, piece: PieceId) -> u8 {
        self.pieces.get(usize::from(piece)).map_or(0, |p| p.copies)
    }

    /// Every different piece, in deck order.
    pub fn ids(&self) -> impl Iterator<Item = PieceId> + Clone + use<> {
        let count = u8::try_from(self.pieces.len()).unwrap_or(u8::MAX);
        0..count
    }

    /// How many pieces the pack holds in all.
    #[must_use]
    pub fn total(&self) -> usize {
        self.pieces.iter().map(|p| usize::from(p.copies)).sum()
    }
}

impl Scale {
    /// How many values stand below this one; `None` if the scale does not name it.
    #[must_use]
    pub fn place(&self, value: ValueId) -> Option<usize> {
        self.ascending.iter().position(|v| *v == value)
    }
}

impl<V> Pattern<V> {
    /// The patterns of which this one is made.
    #[must_use]
    pub fn parts(&self) -> &[Pattern<V>] {
        match self {
            Pattern::Not(part) => std::slice::from_ref(part),
            Pattern::All(parts) | Pattern::Any(parts) => parts,
            Pattern::Anything
            | Pattern::Groups { .. }
            | Pattern::Same { .. }
            | Pattern::Run { .. }
            | Pattern::Top { .. }
            | Pattern::Bottom { .. }
            | Pattern::Values { .. }
            | Pattern::Holds { .. }
            | Pattern::Natural
            | Pattern::Class(_) => &[],
        }
    }
}

impl Wild {
    /// Whether this makes the piece wild.
    #[must_use]
    pub fn names(&self, deck: &Deck, piece: PieceId) -> bool {
        match self {
            Wild::Blank(blank) => *blank == piece,
            Wild::Values { attribute, values } => deck.value(piece, *attribute).is_some_and(|v| values.contains(&v)),
        }
    }
}

impl Reading {
    /// Whether this reading lets its piece stand for `meaning`, copies apart.
    #[must_use]
    pub fn reaches(&self, deck: &Deck, meaning: PieceId) -> bool {
        !deck.is_blank(meaning)
            && deck.copies(meaning) > 0
            && self.stands_for.as_ref().is_none_or(|(attribute, values)| deck.value(meaning, *attribute).is_some_and(|v| values.contains(&v)))
    }

    /// Whether this reading may be used to make the class.
    #[must_use]
    pub fn makes(&self, class: ClassId) -> bool {
        self.into.as_ref().is_none_or(|classes| classes.contains(&class))
    }
}

impl<V> Ranking<V> {
    /// Whether hands of every size are compared: `of any`. Such a ranking is never compiled. Clause 7.11.
    #[must_use]
    pub fn is_of_any(&self) -> bool {
        self.sizes == (1..=LARGEST_HAND)
    }
}

impl Ranking {
    /// Whether a piece is wild: some reading says so, or it is a blank.
    #[must_use]
    pub fn is_wild(&self, piece: PieceId) -> bool {
        self.deck.is_blank(piece) || self.readings.iter().any(|r| r.wild.names(&self.deck, piece))
    }

    /// Whether the holder must say what this piece stands for.
    #[must_use]
    pub fn must_be_named(&self, piece: PieceId) -> bool {
        self.is_wild(piece) && self.named_by_holder.iter().any(|w| w.names(&self.deck, piece))
    }
}
