//! Expressions: from what was written to nodes with types. Clauses 3.10 to 3.13.

mod cells;
mod choices;
mod compare;
mod fields;
mod hands;
mod log;
mod names;
mod rankings;
mod sets;
mod tallies;
mod walks;

pub(in crate::rules) use self::cells::Writable;

use super::compiler::{Compiler, Typed, made};
use super::locals::Locals;
use super::program::{Binder, Expr, Literal, Node, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, ExprKind, SequenceEnd};

impl Compiler<'_> {
    /// An expression with its type. `wanted` helps to understand bare names and is not enforced; `None`: the fault has been told.
    pub fn expression(&mut self, expr: &tree::Expr, wanted: Option<&Type>, locals: &mut Locals) -> Typed {
        let span = expr.span;
        let typed = |node, kind| Some((made(node, span), kind));
        match &*expr.it {
            ExprKind::Number(number) => typed(Node::Literal(Literal::Number(*number)), Type::Number),
            ExprKind::Truth(truth) => typed(Node::Literal(Literal::Truth(*truth)), Type::Truth),
            ExprKind::None | ExprKind::Nobody => typed(Node::Literal(Literal::None), Type::None),
            ExprKind::Seats => typed(Node::Seats, Type::Seat.set()),
            ExprKind::Text(text) => self.text(text, wanted, span),
            ExprKind::Owner => self.owner(span, locals),
            ExprKind::Hole => {
                self.faults.push(Diagnostic::new(Code::TypeMismatch, "`_` stands for anything, and only in a pattern of the log", span));
                None
            }
            ExprKind::Name { name, arguments: None } => self.name(name, wanted, locals),
            ExprKind::Name { name, arguments: Some(arguments) } => self.call(name, arguments, wanted, span, locals),
            ExprKind::Field { of, field } => self.field(of, field, span, locals),
            ExprKind::If { when, then, otherwise } => self.choice(when, [then, otherwise], span, wanted, locals),
            ExprKind::Table { of, rows } => self.table(of, rows, span, wanted, locals),
            ExprKind::Binary { word, left, right } => self.binary(*word, left, right, span, locals),
            ExprKind::Chain { first, rest } => {
                let rest: Vec<_> = rest.iter().map(|(word, expr)| (*word, expr)).collect();
                self.compare(first, &rest, span, locals)
            }
            ExprKind::Not(of) => typed(Node::Not(self.condition(of, locals)?), Type::Truth),
            ExprKind::Minus(of) => typed(Node::Minus(self.expected(of, &Type::Number, locals)?), Type::Number),
            ExprKind::Is { of, not, what } => self.is(of, *not, *what, span, locals),
            ExprKind::Quantified { every, binder, body } => self.quantified(*every, binder, body.as_ref(), span, locals),
            ExprKind::Those(binder) => self.those(binder, span, locals),
            ExprKind::Count(of) => typed(Node::Count(self.collection(of, locals)?.0), Type::Number),
            ExprKind::Sum { of, binder } => self.sum(of, binder, span, locals),
            ExprKind::Extreme { highest, of, along } => self.extreme(*highest, of, along.as_ref(), span, locals),
            ExprKind::Best { of, ranking, arguments } => self.best(of, ranking, arguments.as_deref(), span, locals),
            ExprKind::Only(of) => {
                let (of, member) = self.collection(of, locals)?;
                typed(Node::Only(of), member)
            }
            ExprKind::EndOf { end, of } => {
                let (of, member) = self.collection(of, locals)?;
                match end {
                    SequenceEnd::First | SequenceEnd::Bottom => typed(Node::FirstOf(of), member),
                    SequenceEnd::Last | SequenceEnd::Top => typed(Node::LastOf(of), member),
                }
            }
            ExprKind::Beside { left, of, among } => self.beside(*left, of, among.as_ref(), span, locals),
            ExprKind::Cycle { of, at } => self.cycle(of, at, span, locals),
            ExprKind::Set(items) => self.set(items, wanted, span, locals),
            ExprKind::List(items) => self.list(items, wanted, span, locals),
            ExprKind::CountOf { pattern, since } => {
                let (query, _) = self.pattern(pattern, false, since.as_ref(), locals)?;
                typed(Node::CountOf(query), Type::Number)
            }
            ExprKind::Log { word, unsettled, pattern, since } => self.log(*word, *unsettled, pattern, since.as_ref(), span, locals),
            ExprKind::During(names) => self.during(names, span),
            ExprKind::Reaches { of, class, key } => self.reaches(of, class, key.as_ref(), span, locals),
            ExprKind::Reckoned { of, through, entry } => self.reckoned(of, *through, entry, span, locals),
            ExprKind::Grouped { runs, of, by, within, least } => {
                let grouped = hands::Grouped { of, by, within: within.as_ref(), least: least.as_ref() };
                if *runs { self.runs(grouped, span, locals) } else { self.groups(grouped, span, locals) }
            }
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
        if matches!((found.sure(), wanted.sure()), (Type::List(_), Type::Set(_))) {
            let span = value.span;
            return Some(made(Node::Those(Binder { slot: locals.fresh(), of: value, filter: None }), span));
        }
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

    pub(super) fn member_type(&mut self, span: Span, found: &Type) -> Option<Type> {
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
        match (found, wanted.sure()) {
            (_, Type::Set(of)) if found.fits(of) => fault.with_help("write a set in braces, also of one value: `{ … }`"),
            (_, Type::List(of)) if found.fits(of) => fault.with_help("write a list in brackets, also of one value: `[ … ]`"),
            (Type::None, _) => fault.with_help("only what is declared as `maybe …` can be none"),
            (Type::Set(of), _) if of.fits(wanted) => fault.with_help("`the only of …` takes the one member of a set"),
            (Type::List(of), _) if of.fits(wanted) => fault.with_help("`first of …` or `last of …` takes one of a list"),
            _ => fault,
        }
    }

    fn text(&mut self, text: &str, wanted: Option<&Type>, span: Span) -> Typed {
        if wanted.is_some_and(|wanted| *wanted.sure() == Type::Text) {
            return Some((made(Node::Literal(Literal::Text(text.to_owned())), span), Type::Text));
        }
        let fault = Diagnostic::new(Code::TypeMismatch, "a text never decides anything", span);
        self.faults.push(fault.with_help("texts are for readers (clause 1.6)"));
        None
    }

    fn owner(&mut self, span: Span, locals: &Locals) -> Typed {
        if let Some(slot) = locals.owner() {
            return Some((made(Node::Local(slot), span), Type::Seat));
        }
        let fault = Diagnostic::new(Code::UnknownName, "nothing here has an `owner`", span);
        self.faults.push(fault.with_help("`owner` stands behind `seen by`, where there is one for each seat"));
        None
    }
}
