//! Numbers, and what is higher than what. Clauses 3.1, 3.3 and 3.10.

use super::scalars::Scalar;
use super::{Eval, Found};
use crate::engine::trouble::FaultKind;
use crate::engine::value::{Truth, Value};
use crate::rules::table::program::{Arithmetic, Comparison, Expr, Node};

impl Eval<'_> {
    /// A number; `None`: unknown.
    pub fn number(&mut self, expr: &Expr) -> Found<Option<i64>> {
        if let Some(Scalar::Number(number)) = self.scalar(expr) {
            return Ok(Some(number));
        }
        self.begin(expr)?;
        let number = self.reckoned(expr);
        self.deep -= 1;
        number
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is no reckoning by its form is worked out as a value")]
    fn reckoned(&mut self, expr: &Expr) -> Found<Option<i64>> {
        match &*expr.node {
            Node::Minus(of) => match self.number(of)? {
                Some(number) => number.checked_neg().map_or_else(|| self.fault(FaultKind::Overflow, expr.span), |number| Ok(Some(number))),
                None => Ok(None),
            },
            Node::Arithmetic(word, left, right) => {
                let (Some(left), Some(right)) = (self.number(left)?, self.number(right)?) else { return Ok(None) };
                if right == 0 && matches!(word, Arithmetic::Divide | Arithmetic::Mod) {
                    return self.fault(FaultKind::DivisionByZero, expr.span);
                }
                let result = match word {
                    Arithmetic::Add => left.checked_add(right),
                    Arithmetic::Subtract => left.checked_sub(right),
                    Arithmetic::Multiply => left.checked_mul(right),
                    // Division rounds down, and the rest is never negative for a positive divisor.
                    Arithmetic::Divide => left.checked_div(right).map(|quotient| {
                        let inexact = left.checked_rem(right).is_some_and(|rest| rest != 0);
                        if inexact && (left < 0) != (right < 0) { quotient - 1 } else { quotient }
                    }),
                    Arithmetic::Mod => left.checked_rem(right).map(|rest| if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest }),
                };
                result.map_or_else(|| self.fault(FaultKind::Overflow, expr.span), |number| Ok(Some(number)))
            }
            Node::Count(of) => self.count(of),
            Node::Sum { of, binder } => self.sum(of, binder, expr.span),
            Node::CountOf(query) => self.count_of(*query),
            _ => Ok(self.value(expr)?.number()),
        }
    }

    /// A chain of comparisons.
    pub(super) fn compare(&mut self, first: &Expr, rest: &[(Comparison, Expr)], order: Option<usize>) -> Found<Truth> {
        if let Some(holds) = self.ready_comparison(first, rest, order) {
            return Ok(holds);
        }
        let mut left = self.value(first)?;
        let mut all = Truth::Yes;
        for (word, right) in rest {
            let right = self.value(right)?;
            let holds = match word {
                Comparison::Equal => self.same(&left, &right),
                Comparison::Unequal => self.same(&left, &right).opposite(),
                Comparison::Less | Comparison::AtMost | Comparison::Greater | Comparison::AtLeast => self.ordered(&left, *word, &right, order),
            };
            match holds {
                Truth::No => return Ok(Truth::No),
                Truth::Unknown => all = Truth::Unknown,
                Truth::Yes => {}
            }
            left = right;
        }
        Ok(all)
    }

    /// `a = b`. With `none` it is no, unless both are (3.8).
    pub fn same(&self, left: &Value, right: &Value) -> Truth {
        // What is compared most.
        match (left, right) {
            (Value::Member(one), Value::Member(other)) | (Value::Seat(one), Value::Seat(other)) => return Truth::from(one == other),
            (Value::Number(one), Value::Number(other)) => return Truth::from(one == other),
            (Value::Unknown, _) | (_, Value::Unknown) => return Truth::Unknown,
            (Value::None, _) | (_, Value::None) => return Truth::from(left == right),
            (_, _) => {}
        }
        if let (Value::Piece(one), Value::Piece(other)) = (left, right) {
            return self.same_piece(*one, *other);
        }
        if left == right {
            return Truth::Yes;
        }
        match (super::sets::as_set(left), super::sets::as_set(right)) {
            (Some(left), Some(right)) => Truth::from(super::sets::same_items(&left, &right)),
            (None, _) | (_, None) => Truth::No,
        }
    }

    fn same_piece(&self, one: u8, other: u8) -> Truth {
        if one == other {
            return Truth::Yes;
        }
        let lies = |piece: u8| self.state.piles.at(piece).is_some();
        let unseen = |piece: u8| piece >= crate::engine::value::UNSEEN;
        // Two that lie on the table are two pieces; one that lies nowhere yet may be the one that nobody has seen.
        Truth::from(false).or_unknown((unseen(one) && !lies(other)) || (unseen(other) && !lies(one)))
    }

    /// `a < b` of numbers, or of values by an order.
    pub(super) fn ordered(&self, left: &Value, word: Comparison, right: &Value, order: Option<usize>) -> Truth {
        let (Some(left), Some(right)) = (self.height(left, order), self.height(right, order)) else {
            // Comparing with none is no.
            return if *left == Value::Unknown || *right == Value::Unknown { Truth::Unknown } else { Truth::No };
        };
        Truth::from(super::scalars::stands(left, word, right))
    }

    /// What stands for a value in comparisons.
    pub(super) fn height(&self, value: &Value, order: Option<usize>) -> Option<i64> {
        match value {
            Value::Number(number) => Some(*number),
            Value::Member(member) => match order {
                Some(order) => self.game.program.orders.get(order)?.heights.get(usize::from(*member)).map(|height| i64::from(*height)),
                None => Some(i64::from(*member)),
            },
            Value::Seat(seat) => Some(i64::from(*seat)),
            Value::Truth(truth) => Some(i64::from(*truth)),
            Value::Unknown
            | Value::None
            | Value::Piece(_)
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
}

impl Truth {
    fn or_unknown(self, perhaps: bool) -> Truth {
        if perhaps { Truth::Unknown } else { self }
    }
}
