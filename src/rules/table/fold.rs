//! Folding: parameters and options become values, and what is then known before play is worked out. Clause 3.14.
//!
//! Whatever cannot be worked out here (a sum that does not fit, a table without a row) stays as it is: the table says so, with the rule's name.

use super::program::{Arithmetic, Comparison, Expr, Literal, Node, OrderTable, Step};
use super::walk::{below_mut, of_step_mut};
use crate::rules::constant::{Settings, Value};

/// The settings in force, and the orders that comparisons go by.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Folding<'f> {
    pub settings: &'f Settings,
    pub orders: &'f [OrderTable],
}

impl Folding<'_> {
    /// Works out what is constant, from the leaves up.
    pub fn expression(&self, expr: &mut Expr) {
        below_mut(&mut expr.node, &mut |part| self.expression(part));
        if let Some(node) = self.simpler(&expr.node) {
            *expr.node = node;
        }
    }

    /// Folds the expressions of a step. A condition that is settled keeps its step, so that all targets stay where they are.
    pub fn step(&self, step: &mut Step) {
        of_step_mut(step, &mut |expr| self.expression(expr));
        if let Step::Unless(condition, target) = step
            && truth(condition) == Some(false)
        {
            *step = Step::Goto(*target);
        }
    }

    fn simpler(&self, node: &Node) -> Option<Node> {
        match node {
            Node::Parameter(id) => self.settings.parameters.get(*id).map(|value| Node::Literal(literal(value))),
            Node::Option(id) => self.settings.options.get(*id).map(|branch| Node::Literal(Literal::Member(*branch))),
            Node::If(when, then, otherwise) => match truth(when)? {
                true => Some(Node::clone(&then.node)),
                false => Some(Node::clone(&otherwise.node)),
            },
            Node::And(all) => joined(all, true),
            Node::Or(all) => joined(all, false),
            Node::Not(of) => Some(Node::Literal(Literal::Truth(!truth(of)?))),
            Node::Minus(of) => number(of)?.checked_neg().map(counted),
            Node::Arithmetic(word, left, right) => arithmetic(*word, number(left)?, number(right)?).map(counted),
            Node::Compare(first, rest, order) => self.compared(first, rest, *order),
            Node::In(item, of) => among(known(item)?, of).map(|found| Node::Literal(Literal::Truth(found))),
            Node::IsKnown(of) => known(of).map(|_| Node::Literal(Literal::Truth(true))),
            Node::IsNone(of) => known(of).map(|literal| Node::Literal(Literal::Truth(*literal == Literal::None))),
            Node::IsEmpty(of) => size(of).map(|size| Node::Literal(Literal::Truth(size == 0))),
            Node::IsOdd(of) => number(of).map(|number| Node::Literal(Literal::Truth(number.rem_euclid(2) == 1))),
            Node::Count(of) => i64::try_from(size(of)?).ok().map(counted),
            Node::Together(left, right) => {
                let (left, right) = (members(left)?, members(right)?);
                let mut all: Vec<_> = left.iter().chain(right).copied().collect();
                all.sort_unstable();
                all.dedup();
                Some(Node::Literal(Literal::Members(all)))
            }
            Node::Without(left, right) => {
                let (left, right) = (members(left)?, members(right)?);
                Some(Node::Literal(Literal::Members(left.iter().filter(|member| !right.contains(member)).copied().collect())))
            }
            Node::Table { of, rows, otherwise, order } => {
                let value = known(of)?;
                for row in rows {
                    for (key, or_up) in &row.keys {
                        let fits = self.related(Comparison::Equal, value, known(key)?, *order)?
                            || (*or_up && self.related(Comparison::Greater, value, known(key)?, *order)?);
                        if fits {
                            return Some(Node::clone(&row.value.node));
                        }
                    }
                }
                otherwise.as_ref().map(|value| Node::clone(&value.node))
            }
            Node::Literal(_) | Node::Local(_) | Node::Seats | Node::Role(_) | Node::Fact(..) | Node::Place(..) | Node::Account(..) => None,
            Node::Tally(..)
            | Node::TallyAt { .. }
            | Node::EnteredPart(..)
            | Node::Call(..)
            | Node::Ask(..)
            | Node::Attribute(..)
            | Node::Argument(..)
            | Node::By(_)
            | Node::Mover(_) => None,
            Node::Cell(..) | Node::Held(_) | Node::Slice { .. } | Node::Ends { .. } => None,
            Node::SeatNumber(_) | Node::Left { .. } | Node::Set(_) | Node::List(_) | Node::Kind(_) | Node::Sum { .. } | Node::Any(..) => None,
            Node::Every(..) | Node::Those(_) | Node::Extreme { .. } | Node::Best { .. } | Node::Hand(_) | Node::Only(_) => None,
            Node::FirstOf(_)
            | Node::LastOf(_)
            | Node::Cycle(..)
            | Node::Has(_)
            | Node::CountOf(_)
            | Node::First(_)
            | Node::Last(_)
            | Node::During(_) => None,
            Node::Outcome(_) | Node::It | Node::Kept(..) | Node::Lengthened { .. } => None,
        }
    }

    fn compared(&self, first: &Expr, rest: &[(Comparison, Expr)], order: Option<usize>) -> Option<Node> {
        let mut left = known(first)?;
        for (word, right) in rest {
            let right = known(right)?;
            if !self.related(*word, left, right, order)? {
                return Some(Node::Literal(Literal::Truth(false)));
            }
            left = right;
        }
        Some(Node::Literal(Literal::Truth(true)))
    }

    /// Whether two values stand so; nothing if that is not for us to say.
    fn related(&self, word: Comparison, left: &Literal, right: &Literal, order: Option<usize>) -> Option<bool> {
        match word {
            Comparison::Equal => return Some(left == right || (is_empty(left) && is_empty(right))),
            Comparison::Unequal => return self.related(Comparison::Equal, left, right, order).map(|same| !same),
            Comparison::Less | Comparison::AtMost | Comparison::Greater | Comparison::AtLeast => {}
        }
        let (a, b) = match (left, right) {
            (Literal::Number(a), Literal::Number(b)) => (*a, *b),
            (Literal::Member(a), Literal::Member(b)) => {
                let heights = order.and_then(|order| self.orders.get(order)).map(|order| &order.heights);
                let height = |value: u8| heights.map_or(Some(value), |heights| heights.get(usize::from(value)).copied()).map(i64::from);
                (height(*a)?, height(*b)?)
            }
            _ => return None,
        };
        Some(match word {
            Comparison::Equal => a == b,
            Comparison::Unequal => a != b,
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Greater => a > b,
            Comparison::AtLeast => a >= b,
        })
    }
}

fn counted(number: i64) -> Node {
    Node::Literal(Literal::Number(number))
}

fn literal(value: &Value) -> Literal {
    match value {
        Value::Number(number) => Literal::Number(*number),
        Value::Truth(truth) => Literal::Truth(*truth),
        Value::Member(member) => Literal::Member(*member),
        Value::Set(members) => Literal::Members(members.iter().copied().collect()),
    }
}

pub(super) fn known(expr: &Expr) -> Option<&Literal> {
    if let Node::Literal(literal) = &*expr.node { Some(literal) } else { None }
}

/// `yes` or `no`, if it is settled.
pub(super) fn truth(expr: &Expr) -> Option<bool> {
    if let Literal::Truth(truth) = known(expr)? { Some(*truth) } else { None }
}

fn number(expr: &Expr) -> Option<i64> {
    if let Literal::Number(number) = known(expr)? { Some(*number) } else { None }
}

fn members(expr: &Expr) -> Option<&[u8]> {
    match known(expr)? {
        Literal::Members(members) => Some(members),
        Literal::Nothing => Some(&[]),
        Literal::None | Literal::Number(_) | Literal::Truth(_) | Literal::Member(_) | Literal::Seat(_) | Literal::Text(_) => None,
    }
}

fn is_empty(literal: &Literal) -> bool {
    match literal {
        Literal::Members(members) => members.is_empty(),
        Literal::Nothing => true,
        Literal::None | Literal::Number(_) | Literal::Truth(_) | Literal::Member(_) | Literal::Seat(_) | Literal::Text(_) => false,
    }
}

/// How many members, if that is settled.
fn size(expr: &Expr) -> Option<usize> {
    members(expr).map(<[u8]>::len)
}

/// `and` (`neutral` is yes) and `or` (`neutral` is no): neutral parts fall out, and the other truth settles it.
fn joined(all: &[Expr], neutral: bool) -> Option<Node> {
    if all.iter().any(|part| truth(part) == Some(!neutral)) {
        return Some(Node::Literal(Literal::Truth(!neutral)));
    }
    let rest: Vec<Expr> = all.iter().filter(|part| truth(part) != Some(neutral)).cloned().collect();
    match rest.as_slice() {
        [] => Some(Node::Literal(Literal::Truth(neutral))),
        [one] => Some(Node::clone(&one.node)),
        several if several.len() == all.len() => None,
        _ if neutral => Some(Node::And(rest)),
        _ => Some(Node::Or(rest)),
    }
}

/// Whether a value is among literal ones.
fn among(item: &Literal, of: &Expr) -> Option<bool> {
    if let Node::Set(all) = &*of.node {
        let all: Option<Vec<&Literal>> = all.iter().map(known).collect();
        return Some(all?.contains(&item));
    }
    match (item, known(of)?) {
        (Literal::Member(item), Literal::Members(members)) => Some(members.contains(item)),
        (Literal::None, Literal::Members(_)) | (_, Literal::Nothing) => Some(false),
        _ => None,
    }
}

fn arithmetic(word: Arithmetic, a: i64, b: i64) -> Option<i64> {
    match word {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        // Division rounds down, so the remainder has the divisor's sign.
        Arithmetic::Divide => a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }),
        Arithmetic::Mod => a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
    }
}
