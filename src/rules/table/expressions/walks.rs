//! Expressions that look at one member of a set after another. Clause 3.12.

use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Binder, Expr, Node, Ranks, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, ExtremeOf, Name};

impl Compiler<'_> {
    /// `any x in S where C: B`
    pub(super) fn quantified(&mut self, every: bool, binder: &tree::Binder, body: Option<&tree::Expr>, span: Span, locals: &mut Locals) -> Typed {
        self.bound(binder, locals, |compiler, locals| match body {
            Some(body) => compiler.condition(body, locals).map(Some),
            None => Some(None),
        })
        .map(|(binder, _, body)| (made(if every { Node::Every(binder, body) } else { Node::Any(binder, body) }, span), Type::Truth))
    }

    /// `those x in S where C`
    pub(super) fn those(&mut self, binder: &tree::Binder, span: Span, locals: &mut Locals) -> Typed {
        let (binder, member, ()) = self.bound(binder, locals, |_, _| Some(()))?;
        Some((made(Node::Those(binder), span), member.set()))
    }

    /// `sum of E for x in S where C`
    pub(super) fn sum(&mut self, of: &tree::Expr, binder: &tree::Binder, span: Span, locals: &mut Locals) -> Typed {
        let (binder, _, of) = self.bound(binder, locals, |compiler, locals| compiler.expected(of, &Type::Number, locals))?;
        Some((made(Node::Sum { of, binder }, span), Type::Number))
    }

    /// `highest q in S where C by E along rank`
    pub(super) fn extreme(&mut self, highest: bool, of: &ExtremeOf, along: Option<&Name>, span: Span, locals: &mut Locals) -> Typed {
        if let Some(along) = along.filter(|along| self.goes_along_a_ranking(along, locals)) {
            return self.extreme_along(highest, of, along, span, locals);
        }
        match of {
            ExtremeOf::Binder { binder, by } => {
                let (binder, member, (by, order)) = self.bound(binder, locals, |compiler, locals| {
                    let (by, kind) = compiler.expression(by, None, locals)?;
                    let order = compiler.along(along, &kind, by.span)?;
                    Some((by, order))
                })?;
                Some((made(Node::Extreme { highest, binder, by, order }, span), member.set()))
            }
            ExtremeOf::Set(of) => {
                let (of, member) = self.collection(of, locals)?;
                let order = self.along(along, &member, of.span)?;
                let slot = locals.fresh();
                let by = made(Node::Local(slot), of.span);
                Some((made(Node::Extreme { highest, binder: Binder { slot, of, filter: None }, by, order }, span), member.set()))
            }
        }
    }

    /// The order to go by: the one that is named, or that of the type.
    fn along(&mut self, along: Option<&Name>, found: &Type, span: Span) -> Option<Option<usize>> {
        let Some(name) = along else { return self.order(found, span) };
        let Some(position) = self.kinds.orders.iter().position(|order| order.name == name.it) else {
            let fault = self.names.scope.missing(name, &[super::super::super::place::Sort::Scale], "a scale");
            self.faults.push(fault);
            return None;
        };
        let ordered = self.kinds.orders.get(position).map(|order| Type::Member(order.kind))?;
        if found.fits(&ordered) {
            return Some(Some(position));
        }
        let message = format!("`{}` does not order {}", name.it, self.describe(found));
        self.fault(Code::TypeMismatch, message, name.span);
        None
    }

    /// Opens the scope of `x in S where C` for what stands inside it. All parts are read, also behind one that is wrong.
    pub(super) fn bound<T>(
        &mut self,
        written: &tree::Binder,
        locals: &mut Locals,
        inside: impl FnOnce(&mut Self, &mut Locals) -> Option<T>,
    ) -> Option<(Binder, Type, T)> {
        let of = self.collection(&written.of, locals);
        let member = of.as_ref().map_or(Type::BROKEN, |(_, member)| member.clone());
        locals.push();
        let slot = locals.declare(&written.name.it, member.clone());
        let filter = match &written.filter {
            Some(filter) => self.condition(filter, locals).map(Some),
            None => Some(None),
        };
        let inner = inside(self, locals);
        locals.pop();
        let (of, _) = of?;
        Some((Binder { slot, of, filter: filter? }, member, inner?))
    }

    /// `best of L under R(args)`
    pub(super) fn best(&mut self, of: &tree::Expr, ranking: &Name, arguments: Option<&[tree::Argument]>, span: Span, locals: &mut Locals) -> Typed {
        let ranked = self.ranks(ranking, arguments, locals)?;
        let (Ranks::Named(family, _), true) = (&ranked.ranks, ranked.of_one) else { return self.best_under(of, ranked, span, locals) };
        let (family, piece) = (*family, ranked.piece);
        let of = self.ranked(of, piece, locals)?;
        let Ranks::Named(_, arguments) = ranked.ranks else { return None };
        Some((made(Node::Best { of, family, arguments }, span), Type::Piece(piece).set()))
    }

    /// Pieces of the kind that a ranking orders.
    fn ranked(&mut self, of: &tree::Expr, piece: usize, locals: &mut Locals) -> Option<Expr> {
        let (value, member) = self.collection(of, locals)?;
        let wanted = Type::Piece(piece);
        if member.fits(&wanted) {
            return Some(value);
        }
        let fault = self.mismatch(of.span, &member.set(), &wanted.set());
        self.faults.push(Diagnostic { help: Vec::new(), ..fault });
        None
    }
}
