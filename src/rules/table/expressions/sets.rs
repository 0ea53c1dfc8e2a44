//! Sets and lists as they are written, cycles, and the seat beside another. Clauses 3.9, 3.12 and 4.1.

use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Expr, Literal, Node, Type};
use crate::source::Span;
use crate::syntax::tree::{self, Domain};

impl Compiler<'_> {
    /// `{ a, b }`
    pub(super) fn set(&mut self, items: &[tree::Expr], wanted: Option<&Type>, span: Span, locals: &mut Locals) -> Typed {
        if items.is_empty() {
            return Some((made(Node::Literal(Literal::Nothing), span), Type::Nothing));
        }
        let written: Vec<&tree::Expr> = items.iter().collect();
        let (values, kind) = self.alike(&written, wanted.and_then(Type::member), locals)?;
        Some((made(Node::Set(values), span), kind.set()))
    }

    /// `[ a, 1 to 5 ]`
    pub(super) fn list(&mut self, items: &[Domain], wanted: Option<&Type>, span: Span, locals: &mut Locals) -> Typed {
        if items.is_empty() {
            return Some((made(Node::Literal(Literal::Nothing), span), Type::Nothing));
        }
        if items.iter().all(|item| item.to.is_none()) {
            let written: Vec<&tree::Expr> = items.iter().map(|item| &item.from).collect();
            let (values, kind) = self.alike(&written, wanted.and_then(Type::member), locals)?;
            return Some((made(Node::List(values.into_iter().map(|value| (value, None)).collect()), span), kind.list()));
        }
        // Only numbers go from one to another.
        let mut values: Vec<Option<(Expr, Option<Expr>)>> = Vec::new();
        for item in items {
            let from = self.expected(&item.from, &Type::Number, locals);
            let to = match &item.to {
                Some(to) => self.expected(to, &Type::Number, locals).map(Some),
                None => Some(None),
            };
            values.push(from.zip(to));
        }
        Some((made(Node::List(values.into_iter().collect::<Option<Vec<_>>>()?), span), Type::Number.list()))
    }

    /// `cycle(a, b, c) at n`
    pub(super) fn cycle(&mut self, of: &[tree::Expr], at: &tree::Expr, span: Span, locals: &mut Locals) -> Typed {
        let written: Vec<&tree::Expr> = of.iter().collect();
        let values = self.alike(&written, None, locals);
        let at = self.expected(at, &Type::Number, locals);
        let (values, kind) = values?;
        Some((made(Node::Cycle(values, at?), span), kind))
    }

    /// `left of p among S`
    pub(super) fn beside(&mut self, left: bool, of: &tree::Expr, among: Option<&tree::Expr>, span: Span, locals: &mut Locals) -> Typed {
        let of = self.expected(of, &Type::Seat, locals);
        let (among, kind) = match among {
            // Among nobody there is nobody.
            Some(among) => (self.expected(among, &Type::Seat.set(), locals).map(Some), Type::Seat.maybe()),
            None => (Some(None), Type::Seat),
        };
        Some((made(Node::Left { right: !left, of: of?, among: among? }, span), kind))
    }
}
