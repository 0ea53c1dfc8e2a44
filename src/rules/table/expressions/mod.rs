//! Expressions: from what was written to nodes with types. Clauses 3.10 to 3.13.

mod cells;

use super::compiler::{Compiler, Typed, made};
use super::locals::Locals;
use super::program::{Expr, Literal, Node, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, ExprKind};

impl Compiler<'_> {
    /// An expression with its type. `wanted` helps to understand bare names and is not enforced; `None`: the fault has been told.
    pub fn expression(&mut self, expr: &tree::Expr, wanted: Option<&Type>, locals: &mut Locals) -> Typed {
        let literal = |literal, kind| Some((made(Node::Literal(literal), expr.span), kind));
        match &*expr.it {
            ExprKind::Number(number) => literal(Literal::Number(*number), Type::Number),
            ExprKind::Truth(truth) => literal(Literal::Truth(*truth), Type::Truth),
            ExprKind::None | ExprKind::Nobody => literal(Literal::None, Type::None),
            _ => self.not_yet("this", expr.span),
        }
    }

    /// An expression of a type, made to fit it; what does not fit is a `type-mismatch`.
    pub fn expected(&mut self, expr: &tree::Expr, wanted: &Type, locals: &mut Locals) -> Option<Expr> {
        let (value, found) = self.expression(expr, Some(wanted), locals)?;
        self.fit(value, &found, wanted, locals)
    }

    /// Makes a value fit: a list, or a place, becomes a set where a set is wanted.
    pub fn fit(&mut self, value: Expr, found: &Type, wanted: &Type, locals: &mut Locals) -> Option<Expr> {
        if !found.fits(wanted) {
            let fault = self.mismatch(value.span, found, wanted);
            self.faults.push(fault);
            return None;
        }
        let _ = locals;
        Some(value)
    }

    /// A truth.
    pub fn condition(&mut self, expr: &tree::Expr, locals: &mut Locals) -> Option<Expr> {
        self.expected(expr, &Type::Truth, locals)
    }

    /// A set, a list, or a place; the type is that of its members.
    pub fn collection(&mut self, expr: &tree::Expr, locals: &mut Locals) -> Typed {
        let (of, found) = self.expression(expr, None, locals)?;
        let member = self.member_type(expr.span, &found)?;
        Some((of, member))
    }

    /// Whatever names pieces: a piece, a set or a list of them, a place.
    pub fn pieces(&mut self, expr: &tree::Expr, locals: &mut Locals) -> Option<Expr> {
        let (of, found) = self.expression(expr, None, locals)?;
        let kind = found.member().unwrap_or(found.sure());
        if matches!(kind, Type::Piece(_)) || kind.is_broken() || found == Type::Nothing {
            return Some(of);
        }
        let message = format!("{} stands where pieces are wanted", self.describe(&found));
        self.fault(Code::TypeMismatch, message, expr.span);
        None
    }

    /// An entry of the log, for `settle`.
    pub fn entry(&mut self, expr: &tree::Expr, locals: &mut Locals) -> Option<Expr> {
        let (of, found) = self.expression(expr, None, locals)?;
        if matches!(found.sure(), Type::Entry(_)) {
            return Some(of);
        }
        let message = format!("{} stands where an entry of the log is wanted", self.describe(&found));
        self.faults.push(Diagnostic::new(Code::TypeMismatch, message, expr.span).with_help("`last unsettled NAME` finds one"));
        None
    }

    fn member_type(&mut self, span: Span, found: &Type) -> Option<Type> {
        if let Some(member) = found.member() {
            return Some(member.clone());
        }
        if found.is_broken() || *found == Type::Nothing {
            return Some(Type::BROKEN);
        }
        let message = format!("{} stands where a set or a list is wanted", self.describe(found));
        self.fault(Code::TypeMismatch, message, span);
        None
    }

    pub(super) fn mismatch(&self, span: Span, found: &Type, wanted: &Type) -> Diagnostic {
        let message = format!("{} stands where {} is wanted", self.describe(found), self.describe(wanted));
        let fault = Diagnostic::new(Code::TypeMismatch, message, span);
        match (found, wanted) {
            (_, Type::Set(of)) if found.fits(of) => fault.with_help("write a set in braces, also of one value: `{ … }`"),
            (_, Type::List(of)) if found.fits(of) => fault.with_help("write a list in brackets, also of one value: `[ … ]`"),
            (Type::None, _) => fault.with_help("only what is declared as `maybe …` can be none"),
            (Type::Set(of), _) if of.fits(wanted) => fault.with_help("`the only of …` takes the one member of a set"),
            (Type::List(of), _) if of.fits(wanted) => fault.with_help("`first of …` or `last of …` takes one of a list"),
            _ => fault,
        }
    }
}
