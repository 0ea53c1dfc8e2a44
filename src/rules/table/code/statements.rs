//! Statements one by one: `let`, `if`, blocks, stops without a choice, phases.

use super::super::program::Expr;
use super::super::program::{Code, Literal, Node, Step, Target, Type};
use super::{Home, Script};
use crate::diagnostic::{self, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, Block, Deed, Name, Statement, StatementKind, Tags};

impl<'d> Script<'_, 'd> {
    pub(super) fn statements(&mut self, statements: &'d [Statement]) {
        let mut unwound: Option<Span> = None;
        let mut rest = statements.iter().peekable();
        while let Some(statement) = rest.next() {
            if let Some(before) = unwound.take() {
                self.fault(
                    Diagnostic::new(diagnostic::Code::NeverReached, "nothing comes to this statement", statement.span)
                        .with_label(before, "what is open ends here")
                        .with_help("`end` and `void` are the last statement of a block"),
                );
            }
            // `void P; again;` is `void P, again;`.
            if let (StatementKind::Do { deed: Deed::Void { procedure, cause, again: _ }, tags }, Some(next)) = (&statement.it, rest.peek())
                && next.it == StatementKind::Again
            {
                self.void(procedure, cause.as_ref(), true, statement.span, tags);
                rest.next();
            } else {
                self.statement(statement);
            }
            if let StatementKind::Do { deed: Deed::End { .. } | Deed::Void { .. }, .. } = &statement.it {
                unwound = Some(statement.span);
            }
        }
    }

    fn statement(&mut self, statement: &'d Statement) {
        let span = statement.span;
        match &statement.it {
            StatementKind::Block(block) => self.block(block),
            StatementKind::Let { name, value } => self.bind(name, value, span),
            StatementKind::If { when, then, otherwise } => self.branch(when, then, otherwise.as_deref(), span),
            StatementKind::Each { over, filter, until, once, tags, body } => {
                self.scoped(|script| script.each(over, filter.as_ref(), until.as_ref(), *once, (span, tags), body));
            }
            StatementKind::Repeat { times, until, holds, tags, body, after } => {
                self.scoped(|script| script.repeat(times.as_ref(), [until.as_ref(), holds.as_ref(), after.as_ref()], (span, tags), body));
            }
            StatementKind::Offer { to, breach, tags, alternatives } => {
                self.scoped(|script| script.offer(to, breach.as_ref(), (span, Some(tags)), alternatives));
            }
            StatementKind::Duty { by, tags, alternatives } => self.scoped(|script| script.duty(by, (span, Some(tags)), alternatives)),
            StatementKind::SingleDuty { by, alternative } => {
                self.scoped(|script| script.duty(by, (span, None), std::slice::from_ref(&**alternative)));
            }
            StatementKind::Pause(tags) => {
                if self.may_stop("a pause", span) {
                    let source = self.source(span, tags);
                    self.emit(Step::Pause, span, source);
                }
            }
            StatementKind::Phase { name, tags, body } => self.phase(name, tags, body, span),
            StatementKind::Share { amount, among, to, rest, tags } => self.share(amount, among, [to, rest], span, tags),
            StatementKind::Close { headings, tally, tags } => self.close(headings, tally, span, tags),
            StatementKind::Settle(entry) => self.settle(entry, span),
            StatementKind::Again => {
                self.wrong(diagnostic::Code::MisplacedDeclaration, "`again` stands behind `void` alone", span, "write `void PROCEDURE, again;`")
            }
            StatementKind::When(_) | StatementKind::Is(_) => self.wrong(
                diagnostic::Code::MisplacedDeclaration,
                "`when` and `is` belong to a rule, in front of its deeds",
                span,
                "inside a script a condition is written `if C { … }`",
            ),
            StatementKind::Before(_) | StatementKind::After(_) => self.wrong(
                diagnostic::Code::MisplacedDeclaration,
                "`before` and `after` stand in a rule that amends another",
                span,
                "they are the whole of what such a rule does",
            ),
            StatementKind::Do { deed, tags } => self.deed(deed, span, tags),
        }
    }

    /// Whether somebody may be waited for here. Clause 5.1: an action is a script without stops.
    pub(super) fn may_stop(&mut self, what: &str, span: Span) -> bool {
        let (holder, help) = match self.home {
            Home::Procedure(_) | Home::Ruling => return true,
            Home::Action(_) => ("an action", "an action waits for nobody; make it a procedure"),
            Home::Supposing => ("what an event supposes", "what an event supposes sets sizes and nothing else"),
        };
        self.wrong(diagnostic::Code::StopInAction, format!("{what} stands in {holder}, which never stops"), span, help);
        false
    }

    fn bind(&mut self, name: &'d Name, value: &'d tree::Expr, span: Span) {
        if let Some(account) = self.making.compiler.account_behind(value, &mut self.locals) {
            return self.bind_account(name, account, span);
        }
        let read = self.any(value);
        let (value, kind) = match read {
            Some((value, kind)) => (Some(value), kind),
            None => (None, Type::BROKEN),
        };
        let slot = self.declare(name, kind);
        self.writable.push(slot);
        if let Some(value) = value {
            self.emit(Step::Let(slot, value), span, None);
        }
    }

    /// What lies there now, and which account it is: a name for both.
    fn bind_account(&mut self, name: &'d Name, account: Expr, span: Span) {
        let slot = self.declare(name, Type::Number);
        let which = self.locals.fresh();
        self.locals.pair(&name.it, Some(which));
        self.writable.push(slot);
        let place = account.span;
        self.emit(Step::Let(which, account), span, None);
        let local = Expr { node: Box::new(Node::Local(which)), span: place };
        self.emit(Step::Let(slot, Expr { node: Box::new(Node::Held(local)), span: place }), span, None);
    }

    fn branch(&mut self, when: &'d tree::Expr, then: &'d Block, otherwise: Option<&'d Statement>, span: Span) {
        let when = self.truth(when).unwrap_or_else(|| yes(span));
        let skip = self.emit(Step::Unless(when, 0), span, None);
        self.block(then);
        match otherwise {
            Some(otherwise) => {
                let over = self.emit(Step::Goto(0), span, None);
                self.land(skip);
                self.statement(otherwise);
                self.land(over);
            }
            None => self.land(skip),
        }
    }

    /// A phase is a procedure called in its place; it has the slots of this script. Clause 5.14.
    fn phase(&mut self, name: &'d Name, tags: &'d Tags, body: &'d Block, span: Span) {
        let found = self.making.compiler.signatures.procedures.iter().position(|procedure| std::ptr::eq(procedure.it.body, body));
        let Some(id) = found else { return };
        self.called(id, name.span);
        let source = self.source(span, tags);
        self.emit(Step::Phase(id), span, source);
        let outer = std::mem::take(&mut self.code);
        let loops = std::mem::take(&mut self.loops);
        let home = self.home;
        if let Home::Procedure(_) = home {
            self.home = Home::Procedure(id);
        }
        self.block(body);
        self.home = home;
        self.loops = loops;
        let mut code: Code = std::mem::replace(&mut self.code, outer);
        code.slots = self.locals.slots();
        self.making.phases.push((id, code));
    }

    pub(super) fn jump(&mut self, target: Target, span: Span) {
        self.emit(Step::Goto(target), span, None);
    }
}

pub(super) fn yes(span: Span) -> Expr {
    Expr { node: Box::new(Node::Literal(Literal::Truth(true))), span }
}
