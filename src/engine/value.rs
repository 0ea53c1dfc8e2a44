//! What a place, a fact or an expression holds.

use std::sync::Arc;

use crate::ranking::ValueId;
use crate::rules::table::program::{AccountId, Literal, NameId, PieceId, SeatId, TallyId};

/// Anything that a game can speak of. `Unknown` is what the record does not say; `None` is a value of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Unknown,
    None,
    Number(i64),
    Truth(bool),
    Member(ValueId),
    Seat(SeatId),
    /// A piece in use, or from [`UNSEEN`] on a piece of which nobody can say which it is.
    Piece(PieceId),
    Pieces(Bits),
    Seats(u8),
    Members(Bits),
    /// A list, or a set of compound values in their order.
    List(Arc<[Value]>),
    /// An entry of the log by its serial number.
    Entry(NameId, u32),
    /// An entry of a tally by its serial number.
    Entered(TallyId, u32),
    Text(Arc<str>),
    /// Where counters lie.
    Account(Holder),
}

/// An account as a value. Clause 4.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Holder {
    /// One of a family, or a share of a joint account: its cell.
    Cell(usize),
    /// A joint account, whole.
    Whole(AccountId),
    /// A slice by its number, which no other slice of the record has.
    Slice(u32),
}

/// Numbers of pieces from here on are pieces whose face the record does not give: `UNSEEN + 3` is the fourth of them.
pub const UNSEEN: PieceId = 128;

/// What a truth can be when the record has gaps. Clause 6.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Truth {
    No,
    Yes,
    Unknown,
}

impl Truth {
    #[must_use]
    pub fn opposite(self) -> Truth {
        match self {
            Truth::No => Truth::Yes,
            Truth::Yes => Truth::No,
            Truth::Unknown => Truth::Unknown,
        }
    }
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Truth {
        if truth { Truth::Yes } else { Truth::No }
    }
}

impl From<Truth> for Value {
    fn from(truth: Truth) -> Value {
        match truth {
            Truth::No => Value::Truth(false),
            Truth::Yes => Value::Truth(true),
            Truth::Unknown => Value::Unknown,
        }
    }
}

impl Value {
    pub fn truth(&self) -> Truth {
        if let Value::Truth(truth) = self { Truth::from(*truth) } else { Truth::Unknown }
    }

    pub fn number(&self) -> Option<i64> {
        if let Value::Number(number) = self { Some(*number) } else { None }
    }

    pub fn seat(&self) -> Option<SeatId> {
        if let Value::Seat(seat) = self { Some(*seat) } else { None }
    }

    pub fn member(&self) -> Option<ValueId> {
        if let Value::Member(member) = self { Some(*member) } else { None }
    }

    pub fn piece(&self) -> Option<PieceId> {
        if let Value::Piece(piece) = self { Some(*piece) } else { None }
    }

    /// The seats of a set of seats, as a mask.
    pub fn mask(&self) -> Option<u8> {
        if let Value::Seats(mask) = self { Some(*mask) } else { None }
    }

    pub fn entry(&self) -> Option<(NameId, u32)> {
        if let Value::Entry(name, serial) = self { Some((*name, *serial)) } else { None }
    }

    pub fn holder(&self) -> Option<Holder> {
        if let Value::Account(holder) = self { Some(*holder) } else { None }
    }

    pub fn list(items: Vec<Value>) -> Value {
        Value::List(items.into())
    }
}

impl From<&Literal> for Value {
    fn from(literal: &Literal) -> Value {
        match literal {
            Literal::None => Value::None,
            Literal::Number(number) => Value::Number(*number),
            Literal::Truth(truth) => Value::Truth(*truth),
            Literal::Member(member) => Value::Member(*member),
            Literal::Seat(seat) => Value::Seat(*seat),
            Literal::Members(members) => Value::Members(members.iter().copied().collect()),
            Literal::Nothing => Value::List(Arc::from([])),
            Literal::Text(text) => Value::Text(text.as_str().into()),
        }
    }
}

/// A set of small numbers, 0 to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits([u64; 4]);

impl Bits {
    pub const EMPTY: Bits = Bits([0; 4]);

    #[inline]
    pub fn has(&self, number: u8) -> bool {
        self.0.get(usize::from(number >> 6)).is_some_and(|word| word >> (number & 63) & 1 == 1)
    }

    #[inline]
    pub fn insert(&mut self, number: u8) {
        if let Some(word) = self.0.get_mut(usize::from(number >> 6)) {
            *word |= 1 << (number & 63);
        }
    }

    #[inline]
    pub fn remove(&mut self, number: u8) {
        if let Some(word) = self.0.get_mut(usize::from(number >> 6)) {
            *word &= !(1 << (number & 63));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Whether a piece that nobody has seen is among them: whether it has a number from [`UNSEEN`] on.
    pub fn has_unseen(&self) -> bool {
        self.0.iter().skip(usize::from(UNSEEN / 64)).any(|word| *word != 0)
    }

    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub fn first(&self) -> Option<u8> {
        self.iter().next()
    }

    pub fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().zip([0u8, 64, 128, 192]).flat_map(|(word, start)| Ones(word).map(move |bit| start + bit))
    }

    #[must_use]
    pub fn and(self, other: Bits) -> Bits {
        Bits(zip(self.0, other.0, |a, b| a & b))
    }

    #[must_use]
    pub fn or(self, other: Bits) -> Bits {
        Bits(zip(self.0, other.0, |a, b| a | b))
    }

    #[must_use]
    pub fn without(self, other: Bits) -> Bits {
        Bits(zip(self.0, other.0, |a, b| a & !b))
    }
}

fn zip(a: [u64; 4], b: [u64; 4], with: impl Fn(u64, u64) -> u64) -> [u64; 4] {
    let mut b = b.into_iter();
    a.map(|a| with(a, b.next().unwrap_or(0)))
}

impl FromIterator<u8> for Bits {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Bits {
        let mut bits = Bits::EMPTY;
        for number in numbers {
            bits.insert(number);
        }
        bits
    }
}

/// Positions of the ones in a word, lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Ones(pub u64);

impl Iterator for Ones {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let bit = u8::try_from(self.0.trailing_zeros()).unwrap_or(63);
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// The seats of a mask, from A.
pub fn seats_of(mask: u8) -> impl Iterator<Item = SeatId> + Clone {
    (0..8).filter(move |seat| mask >> seat & 1 == 1)
}
