//! Operators: logic, comparisons, membership, sums, sets. Clauses 3.8 and 3.10.

use super::super::super::kinds::KindSort;
use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Arithmetic, Comparison, Expr, Node, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, BinaryWord, ExprKind, IsWhat};

impl Compiler<'_> {
    pub(super) fn binary(&mut self, word: BinaryWord, left: &tree::Expr, right: &tree::Expr, span: Span, locals: &mut Locals) -> Typed {
        match word {
            BinaryWord::And | BinaryWord::Or => self.logic(word, left, right, span, locals),
            BinaryWord::Equal | BinaryWord::Unequal | BinaryWord::Less | BinaryWord::AtMost | BinaryWord::Greater | BinaryWord::AtLeast => {
                self.compare(left, &[(word, right)], span, locals)
            }
            BinaryWord::In => self.membership(left, right, span, locals),
            BinaryWord::NotIn => {
                let (holds, kind) = self.membership(left, right, span, locals)?;
                Some((made(Node::Not(holds), span), kind))
            }
            BinaryWord::Add => self.arithmetic(Arithmetic::Add, left, right, span, locals),
            BinaryWord::Subtract => self.arithmetic(Arithmetic::Subtract, left, right, span, locals),
            BinaryWord::Multiply => self.arithmetic(Arithmetic::Multiply, left, right, span, locals),
            BinaryWord::Divide => self.arithmetic(Arithmetic::Divide, left, right, span, locals),
            BinaryWord::Mod => self.arithmetic(Arithmetic::Mod, left, right, span, locals),
            BinaryWord::Together | BinaryWord::Without => self.sets(word, left, right, span, locals),
        }
    }

    /// `a and b and c` is one node.
    fn logic(&mut self, word: BinaryWord, left: &tree::Expr, right: &tree::Expr, span: Span, locals: &mut Locals) -> Typed {
        let mut written = vec![right];
        let mut at = left;
        while let ExprKind::Binary { word: inner, left, right } = &*at.it
            && *inner == word
        {
            written.push(right);
            at = left;
        }
        written.push(at);
        let read: Vec<Option<Expr>> = written.into_iter().rev().map(|one| self.condition(one, locals)).collect();
        let all = read.into_iter().collect::<Option<Vec<Expr>>>()?;
        Some((made(if word == BinaryWord::And { Node::And(all) } else { Node::Or(all) }, span), Type::Truth))
    }

    fn arithmetic(&mut self, word: Arithmetic, left: &tree::Expr, right: &tree::Expr, span: Span, locals: &mut Locals) -> Typed {
        let (a, b) = (self.expected(left, &Type::Number, locals), self.expected(right, &Type::Number, locals));
        Some((made(Node::Arithmetic(word, a?, b?), span), Type::Number))
    }

    /// A chain of comparisons: whichever of its values has a type of its own gives it to the others.
    pub(super) fn compare(&mut self, first: &tree::Expr, rest: &[(BinaryWord, &tree::Expr)], span: Span, locals: &mut Locals) -> Typed {
        let all: Vec<&tree::Expr> = std::iter::once(first).chain(rest.iter().map(|(_, expr)| *expr)).collect();
        let typed = all.iter().position(|expr| self.stands_alone(expr, locals)).unwrap_or(0);
        let (known, found) = self.expression(all.get(typed).copied()?, None, locals)?;
        let mut known = Some((known, found.clone()));
        let mut values: Vec<Option<(Expr, Type)>> = Vec::new();
        let mut common = found.clone();
        for (index, expr) in all.iter().enumerate() {
            if index == typed {
                values.push(known.take());
                continue;
            }
            let read = self.expression(expr, Some(found.sure()), locals);
            values.push(read.and_then(|(value, other)| {
                common = self.comparable(&found, &other, &common, expr.span)?;
                Some((value, other))
            }));
        }
        let ordered = rest.iter().any(|(word, _)| !matches!(word, BinaryWord::Equal | BinaryWord::Unequal));
        let order = if ordered { self.order(&common, span) } else { Some(None) };
        let values = values.into_iter().collect::<Option<Vec<_>>>()?;
        // A place is compared with a set as the set of its pieces.
        let fitted: Option<Vec<Expr>> = (values.into_iter())
            .map(|(value, kind)| if matches!(common.sure(), Type::Set(_)) { self.fit(value, &kind, &common, locals) } else { Some(value) })
            .collect();
        let mut values = fitted?.into_iter();
        let first = values.next()?;
        let rest = rest.iter().map(|(word, _)| comparison(*word)).zip(values).collect();
        Some((made(Node::Compare(first, rest, order?), span), Type::Truth))
    }

    /// Whether two types can be compared at all; gives the type of both.
    fn comparable(&mut self, one: &Type, other: &Type, common: &Type, span: Span) -> Option<Type> {
        if one.fits(other) || other.fits(one) {
            return common.join(other).or_else(|| Some(common.clone()));
        }
        if *one == Type::None || *other == Type::None {
            let known = if *one == Type::None { other } else { one };
            let message = format!("{} is never none", self.describe(known));
            self.faults.push(Diagnostic::new(Code::TypeMismatch, message, span).with_help("only what is declared as `maybe …` can be none"));
            return None;
        }
        let message = format!("{} cannot be compared with {}", self.describe(one), self.describe(other));
        self.fault(Code::TypeMismatch, message, span);
        None
    }

    /// The order of numbers (`None` inside), or of a scale by its position. Kinds, seats and pieces have none.
    pub(super) fn order(&mut self, found: &Type, span: Span) -> Option<Option<usize>> {
        if *found.sure() == Type::Number || found.is_broken() {
            return Some(None);
        }
        if let Type::Member(kind) = found.sure()
            && let Some(of) = self.kinds.get(*kind)
            && matches!(of.sort, KindSort::Ordered | KindSort::Classes)
        {
            return Some(self.kinds.orders.iter().position(|order| order.name == of.name));
        }
        let message = format!("{} has no order", self.describe(found));
        let help = if matches!(found.sure(), Type::List(of) if *of.sure() == Type::Number) {
            "`compare(a, b)` says which of two lists of numbers is above the other"
        } else {
            "numbers and the values of a scale can be compared so"
        };
        self.faults.push(Diagnostic::new(Code::TypeMismatch, message, span).with_help(help));
        None
    }

    /// `x in S`
    fn membership(&mut self, left: &tree::Expr, right: &tree::Expr, span: Span, locals: &mut Locals) -> Typed {
        if self.stands_alone(right, locals) {
            let (of, member) = self.collection(right, locals)?;
            let value = self.expected(left, &member.maybe(), locals)?;
            return Some((made(Node::In(value, of), span), Type::Truth));
        }
        let (value, found) = self.expression(left, None, locals)?;
        let of = self.expected(right, &found.sure().clone().set(), locals)?;
        Some((made(Node::In(value, of), span), Type::Truth))
    }

    /// `S together T`, `S without T`: a set; of lists that hold no pieces it will be a list.
    fn sets(&mut self, word: BinaryWord, left: &tree::Expr, right: &tree::Expr, span: Span, locals: &mut Locals) -> Typed {
        let right_first = !self.stands_alone(left, locals) && self.stands_alone(right, locals);
        let (first, second) = if right_first { (right, left) } else { (left, right) };
        let (a, found) = self.expression(first, None, locals)?;
        let member = self.member_type(first.span, &found)?;
        let (b, other) = self.expression(second, Some(&member.clone().set()), locals)?;
        self.member_type(second.span, &other)?;
        if let (Type::List(of), false) = (found.sure(), right_first)
            && !matches!(of.sure(), Type::Piece(_))
        {
            let kind = match other.member() {
                Some(other) => self.joined(of, other, second.span)?,
                None => Type::clone(of),
            };
            let node = Node::Lengthened { left: a, right: b, together: word == BinaryWord::Together };
            return Some((made(node, span), kind.list()));
        }
        let kind = match (found.member(), other.member()) {
            (Some(one), Some(other)) => self.joined(one, other, second.span)?.set(),
            (Some(one), None) | (None, Some(one)) => one.clone().set(),
            (None, None) => Type::Nothing,
        };
        let (a, b) = (self.fit(a, &found, &kind, locals)?, self.fit(b, &other, &kind, locals)?);
        let (left, right) = if right_first { (b, a) } else { (a, b) };
        let node = if word == BinaryWord::Together { Node::Together(left, right) } else { Node::Without(left, right) };
        Some((made(node, span), kind))
    }

    /// The type that both fit, or a fault.
    pub(super) fn joined(&mut self, one: &Type, other: &Type, span: Span) -> Option<Type> {
        let joined = one.join(other);
        if joined.is_none() {
            let message = format!("{} and {} stand where one type is wanted", self.describe(one), self.describe(other));
            self.fault(Code::TypeMismatch, message, span);
        }
        joined
    }

    /// `x is not known`
    pub(super) fn is(&mut self, of: &tree::Expr, not: bool, what: IsWhat, span: Span, locals: &mut Locals) -> Typed {
        let node = match what {
            IsWhat::Known => Node::IsKnown(self.expression(of, None, locals)?.0),
            IsWhat::Empty => Node::IsEmpty(self.collection(of, locals)?.0),
            IsWhat::None | IsWhat::Nobody => {
                let (value, found) = self.expression(of, None, locals)?;
                self.comparable(&found, &Type::None, &found, span)?;
                Node::IsNone(value)
            }
            IsWhat::Odd => Node::IsOdd(self.expected(of, &Type::Number, locals)?),
            IsWhat::Even => Node::Not(made(Node::IsOdd(self.expected(of, &Type::Number, locals)?), span)),
        };
        let node = if not { Node::Not(made(node, span)) } else { node };
        Some((made(node, span), Type::Truth))
    }
}

fn comparison(word: BinaryWord) -> Comparison {
    match word {
        BinaryWord::Unequal => Comparison::Unequal,
        BinaryWord::Less => Comparison::Less,
        BinaryWord::AtMost => Comparison::AtMost,
        BinaryWord::Greater => Comparison::Greater,
        BinaryWord::AtLeast => Comparison::AtLeast,
        // INVARIANT: the parser puts only comparisons into a chain, and `binary` sends only them here.
        BinaryWord::Equal
        | BinaryWord::Or
        | BinaryWord::And
        | BinaryWord::In
        | BinaryWord::NotIn
        | BinaryWord::Add
        | BinaryWord::Subtract
        | BinaryWord::Without
        | BinaryWord::Together
        | BinaryWord::Multiply
        | BinaryWord::Divide
        | BinaryWord::Mod => Comparison::Equal,
    }
}
