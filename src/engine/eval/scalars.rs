//! Single values that lie ready: an argument, a fact, a number of counters. They are read where they lie, and what is compared most is compared so.
//!
//! Nothing here decides anything: whatever is not at hand, or not known, is `None`, and is worked out in the ordinary way.

use super::Eval;
use crate::engine::value::{Truth, UNSEEN, Value};
use crate::rules::table::program::{Arithmetic, Cells, Comparison, Expr, Index, Literal, Node};

/// A single value that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Scalar {
    None,
    Number(i64),
    Truth(bool),
    Member(u8),
    Seat(u8),
    Piece(u8),
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Value {
        match scalar {
            Scalar::None => Value::None,
            Scalar::Number(number) => Value::Number(number),
            Scalar::Truth(truth) => Value::Truth(truth),
            Scalar::Member(member) => Value::Member(member),
            Scalar::Seat(seat) => Value::Seat(seat),
            Scalar::Piece(piece) => Value::Piece(piece),
        }
    }
}

fn of_value(value: &Value) -> Option<Scalar> {
    match value {
        Value::None => Some(Scalar::None),
        Value::Number(number) => Some(Scalar::Number(*number)),
        Value::Truth(truth) => Some(Scalar::Truth(*truth)),
        Value::Member(member) => Some(Scalar::Member(*member)),
        Value::Seat(seat) => Some(Scalar::Seat(*seat)),
        Value::Piece(piece) => Some(Scalar::Piece(*piece)),
        Value::Unknown
        | Value::Pieces(_)
        | Value::Seats(_)
        | Value::Members(_)
        | Value::List(_)
        | Value::Entry(..)
        | Value::Entered(..)
        | Value::Text(_)
        | Value::Account(_) => None,
    }
}

fn of_literal(literal: &Literal) -> Option<Scalar> {
    match literal {
        Literal::None => Some(Scalar::None),
        Literal::Number(number) => Some(Scalar::Number(*number)),
        Literal::Truth(truth) => Some(Scalar::Truth(*truth)),
        Literal::Member(member) => Some(Scalar::Member(*member)),
        Literal::Seat(seat) => Some(Scalar::Seat(*seat)),
        Literal::Members(_) | Literal::Nothing | Literal::Text(_) => None,
    }
}

impl Eval<'_> {
    /// A single value that lies ready.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is worked out in the ordinary way")]
    pub(in crate::engine) fn scalar(&self, expr: &Expr) -> Option<Scalar> {
        match &*expr.node {
            Node::Local(slot) => of_value(self.local(*slot)),
            Node::Literal(literal) => of_literal(literal),
            Node::Role(role) => of_value(self.state.roles.get(*role)?),
            Node::Fact(fact, indices) => {
                let declared = self.game.program.facts.get(*fact)?;
                of_value(self.state.facts.get(self.ready_cell(&declared.cells, indices)?)?)
            }
            Node::Tally(tally, indices) => {
                let declared = self.game.program.tallies.get(*tally)?;
                self.state.tallies.get(self.ready_cell(&declared.cells, indices)?).copied().map(Scalar::Number)
            }
            Node::Account(account, indices) => {
                let declared = self.game.program.accounts.get(*account).filter(|account| !account.joint || !indices.is_empty())?;
                self.state.accounts.get(self.ready_cell(&declared.cells, indices)?).copied().map(Scalar::Number)
            }
            Node::Attribute(of, attribute) => {
                let Scalar::Piece(piece) = self.scalar(of)? else { return None };
                let piece = self.game.program.pieces.get(usize::from(piece)).filter(|_| piece < UNSEEN)?;
                piece.values.get(*attribute).copied().map(Scalar::Member)
            }
            Node::Call(definition, arguments) => {
                let of = self.ready_argument(arguments)?;
                let stamp = self.memo.stamp(self.game.reads.definitions.get(*definition)?);
                of_value(self.memo.ready_definition(*definition, of, stamp)?)
            }
            Node::Ask(question, arguments) => {
                let of = self.ready_argument(arguments)?;
                let stamp = self.memo.stamp(self.game.reads.questions.get(*question)?);
                of_value(self.memo.ready_question(*question, of, stamp)?)
            }
            Node::Arithmetic(word, left, right) => {
                let (Scalar::Number(left), Scalar::Number(right)) = (self.scalar(left)?, self.scalar(right)?) else { return None };
                match word {
                    Arithmetic::Add => left.checked_add(right),
                    Arithmetic::Subtract => left.checked_sub(right),
                    Arithmetic::Multiply => left.checked_mul(right),
                    Arithmetic::Divide | Arithmetic::Mod => None,
                }
                .map(Scalar::Number)
            }
            Node::Count(of) => {
                if let Some(seats) = self.ready_seats(of) {
                    return Some(Scalar::Number(i64::from(seats.count_ones())));
                }
                let Node::Place(place, indices) = &*of.node else { return None };
                let declared = self.game.program.places.get(*place)?;
                let count = self.state.piles.order(self.ready_cell(&declared.cells, indices)?).len();
                i64::try_from(count).ok().map(Scalar::Number)
            }
            _ => None,
        }
    }

    /// A set of seats that lies ready, as a mask.
    #[expect(clippy::wildcard_enum_match_arm, reason = "everything else is worked out in the ordinary way")]
    pub(super) fn ready_seats(&self, expr: &Expr) -> Option<u8> {
        match &*expr.node {
            Node::Seats => Some(self.state.seated),
            Node::Local(slot) => self.local(*slot).mask(),
            Node::Call(definition, arguments) => {
                let of = self.ready_argument(arguments)?;
                let stamp = self.memo.stamp(self.game.reads.definitions.get(*definition)?);
                self.memo.ready_definition(*definition, of, stamp)?.mask()
            }
            _ => None,
        }
    }

    /// The seat that something is asked of alone; what was asked before is remembered by it. Where rulings are noted nothing is passed over.
    fn ready_argument(&self, arguments: &[Expr]) -> Option<Option<u8>> {
        match arguments {
            _ if self.notes.is_some() => None,
            [] => Some(None),
            [of] => match self.scalar(of)? {
                Scalar::Seat(seat) => Some(Some(seat)),
                Scalar::None | Scalar::Number(_) | Scalar::Truth(_) | Scalar::Member(_) | Scalar::Piece(_) => None,
            },
            [_, _, ..] => None,
        }
    }

    /// Position of a cell whose indices lie ready.
    pub(super) fn ready_cell(&self, cells: &Cells, indices: &[Expr]) -> Option<usize> {
        let mut offset = 0;
        for (at, expr) in indices.iter().enumerate() {
            let index = cells.indices.get(at)?;
            let at = match (index, self.scalar(expr)?) {
                (Index::Seat, Scalar::Seat(at)) | (Index::Kind(..), Scalar::Member(at)) => usize::from(at),
                (Index::Seat | Index::Kind(..), _) => return None,
            };
            offset = offset * index.size() + at;
        }
        Some(cells.first + offset)
    }

    /// A comparison of two values that lie ready. As [`Eval::compare`].
    pub(super) fn ready_comparison(&self, first: &Expr, rest: &[(Comparison, Expr)], order: Option<usize>) -> Option<Truth> {
        let [(word, right)] = rest else { return None };
        let (left, right) = (self.scalar(first)?, self.scalar(right)?);
        let holds = match word {
            Comparison::Equal => self.ready_same(left, right)?,
            Comparison::Unequal => !self.ready_same(left, right)?,
            Comparison::Less | Comparison::AtMost | Comparison::Greater | Comparison::AtLeast => match (left, right) {
                (Scalar::Number(left), Scalar::Number(right)) => stands(left, *word, right),
                (Scalar::Member(left), Scalar::Member(right)) if order.is_none() => stands(i64::from(left), *word, i64::from(right)),
                (_, _) => return None,
            },
        };
        Some(Truth::from(holds))
    }

    fn ready_same(&self, left: Scalar, right: Scalar) -> Option<bool> {
        if let (Scalar::Piece(one), Scalar::Piece(other)) = (left, right)
            && one != other
            && (one >= UNSEEN || other >= UNSEEN)
        {
            return None;
        }
        Some(left == right)
    }
}

pub(super) fn stands(left: i64, word: Comparison, right: i64) -> bool {
    match word {
        Comparison::Less => left < right,
        Comparison::AtMost => left <= right,
        Comparison::Greater => left > right,
        Comparison::AtLeast => left >= right,
        Comparison::Equal => left == right,
        Comparison::Unequal => left != right,
    }
}
