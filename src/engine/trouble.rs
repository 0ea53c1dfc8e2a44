//! Why an evaluation cannot go on.

use crate::rules::table::program::QuestionId;
use crate::source::Span;

use super::value::Value;

/// What stops an evaluation. None of these is a bug of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The rulebook asks for something that cannot be: a payment that is not there, a number that does not fit. An error with its place.
    Fault(Box<Fault>),
    /// A question was read that has no value: it is silent, in conflict, or unknown. The procedure stops, and the record may agree a value (6.8).
    Unruled(Box<Unruled>),
}

/// An impossible act of the rulebook itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    pub what: FaultKind,
    pub span: Span,
    /// The rule, procedure or definition that was at work.
    pub within: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A number that does not fit in 64 bits.
    Overflow,
    DivisionByZero,
    /// `the only of` a set of another size.
    NotOne(usize),
    /// `pay n` where less lies: wanted, held.
    CannotPay(i64, i64),
    /// `move top n` where fewer lie: wanted, held.
    CannotMove(i64, usize),
    /// A negative number where a number of things is wanted.
    Negative(i64),
    /// `nobody` or `none` where somebody or something is needed.
    Nobody,
    /// No row of a table fits.
    NoRow,
    /// The first or last of nothing.
    Nothing,
    /// More steps between two stops than clause 11.3 allows.
    Runaway,
    /// More procedures open within one another than clause 11.3 allows.
    TooDeep,
    /// More expressions within one another than clause 11.3 allows: questions are asked in a circle.
    AskedInCircle,
    /// More expressions in one than clause 11.3 allows.
    Endless,
    /// A value that the record does not give is needed here, and the procedure cannot go on without.
    Unknown,
    /// `end P` or `void P` where no P is open.
    NotOpen(String),
    /// `share` among no seats at all.
    NobodyToShare,
    /// A slice is wanted, and this account is none, or its loop has ended.
    NoSlice,
    /// An entry under a heading that is closed.
    HeadingClosed(String),
    /// An entry behind one that is not the last reckoned.
    NotLastReckoned,
    /// More entries of a tally than clause 11.3 allows.
    TooManyEntries(String),
    /// A procedure that a position runs waits for somebody.
    Waits,
    /// An answer that cannot stand here.
    Unfit,
}

/// A question that has no value where one is needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unruled {
    pub question: QuestionId,
    pub arguments: Vec<Value>,
    pub why: Why,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    Silent,
    Conflict,
    Unknown,
}
