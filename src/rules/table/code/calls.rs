//! Calls of procedures and actions, and what both need to know of each other. Clauses 5.1 and 5.12.

use std::collections::BTreeSet;

use super::super::program::{Deed, Expr, HookId, ProcedureId, ProcedureSort, Step, Type};
use super::super::signatures::{HookWritten, Meaning};
use super::{Call, Home, Making, Script};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::place::Sort;
use crate::source::Span;
use crate::syntax::tree::{self, Argument, Name, Statement, StatementKind, Tags};

/// Names and types of arguments.
type Named = Vec<(String, Type)>;

impl<'d> Script<'_, 'd> {
    pub(super) fn called(&mut self, to: ProcedureId, span: Span) {
        let by = self.home.procedure();
        self.making.calls.push(Call { by, to, span });
    }

    pub(super) fn call(&mut self, name: &'d Name, arguments: &'d [Argument], span: Span, tags: &'d Tags) {
        let Some(Meaning::Procedure(id)) = self.making.compiler.signatures.meaning(&name.it) else {
            let fault = self.making.compiler.names.scope.missing(name, &[Sort::Procedure, Sort::Action], "a procedure or an action");
            self.fault(fault);
            return;
        };
        let Some(procedure) = self.making.compiler.signatures.procedures.get(id).cloned() else { return };
        self.called(id, name.span);
        if procedure.it.sort == ProcedureSort::Procedure && self.making.holds_stop(&procedure.it.body.it) {
            let held = matches!(self.home, Home::Action(_) | Home::Supposing);
            if held && !self.may_stop(&format!("a call of `{}`, which waits for somebody,", name.it), span) {
                return;
            }
        }
        let source = self.source(span, tags);
        if let Some(arguments) = self.arguments(name, arguments, &procedure.it.parameters, procedure.name.span) {
            self.emit(Step::Call(id, arguments), span, source);
        }
    }

    pub(super) fn announce(&mut self, signal: &'d Name, arguments: &'d [Argument], span: Span, source: Option<usize>) {
        let Some((id, wanted, place)) = self.hook(signal) else {
            let fault = self.making.compiler.names.scope.missing(signal, &[Sort::Signal], "a signal");
            self.fault(fault);
            return;
        };
        let arguments = self.arguments(signal, arguments, &wanted, place);
        if self.making.compiler.signatures.hooks.get(id).is_some_and(|hook| hook.it.reckons().is_some()) {
            let message = format!("`{}` is raised by the reckoning, for each entry of a tally", signal.it);
            self.wrong(Code::WrongKind, message, signal.span, "make an entry: `score n to X;`");
            return;
        }
        if let Some(arguments) = arguments {
            self.emit(Step::Deed(Deed::Announce { hook: id, arguments }), span, source);
        }
    }

    fn hook(&self, name: &Name) -> Option<(HookId, Named, Span)> {
        let Some(Meaning::Hook(id)) = self.making.compiler.signatures.meaning(&name.it) else { return None };
        let hook = self.making.compiler.signatures.hooks.get(id)?;
        matches!(hook.it.written, HookWritten::Signal(_)).then(|| (id, hook.it.parameters.clone(), hook.name.span))
    }

    fn arguments(&mut self, name: &Name, written: &'d [Argument], wanted: &[(String, Type)], declared: Span) -> Option<Vec<Expr>> {
        if written.len() != wanted.len() {
            let message = format!("`{}` takes {}, and gets {}", name.it, of_arguments(wanted.len()), written.len());
            self.fault(Diagnostic::new(Code::TypeMismatch, message, name.span).with_label(declared, "declared here"));
            return None;
        }
        let mut made = Vec::new();
        let mut sound = true;
        for (argument, (_, kind)) in written.iter().zip(wanted) {
            let value = match argument {
                Argument::Value(value) => self.expected(value, kind),
                Argument::All => {
                    self.wrong(Code::WrongKind, "`all` is no value here", name.span, "write what is meant");
                    None
                }
            };
            sound &= value.is_some();
            made.extend(value);
        }
        sound.then_some(made)
    }
}

fn of_arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        more => format!("{more} arguments"),
    }
}

impl Making<'_> {
    /// Whether somebody is waited for in a script, or in a procedure that it calls.
    pub fn holds_stop(&self, statements: &[Statement]) -> bool {
        self.stops(statements, &mut BTreeSet::new())
    }

    fn stops(&self, statements: &[Statement], seen: &mut BTreeSet<ProcedureId>) -> bool {
        statements.iter().any(|statement| match &statement.it {
            StatementKind::Offer { .. } | StatementKind::Duty { .. } | StatementKind::SingleDuty { .. } | StatementKind::Pause(_) => true,
            StatementKind::Block(body)
            | StatementKind::Before(body)
            | StatementKind::After(body)
            | StatementKind::Each { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Phase { body, .. } => self.stops(&body.it, seen),
            StatementKind::If { when: _, then, otherwise } => {
                self.stops(&then.it, seen) || otherwise.as_ref().is_some_and(|otherwise| self.stops(std::slice::from_ref(&**otherwise), seen))
            }
            StatementKind::Do { deed: tree::Deed::Call { name, .. }, .. } => self.stops_in(&name.it, seen),
            StatementKind::Do { .. }
            | StatementKind::Let { .. }
            | StatementKind::When(_)
            | StatementKind::Is(_)
            | StatementKind::Share { .. }
            | StatementKind::Close { .. }
            | StatementKind::Settle(_)
            | StatementKind::Again => false,
        })
    }

    fn stops_in(&self, name: &str, seen: &mut BTreeSet<ProcedureId>) -> bool {
        let Some(Meaning::Procedure(id)) = self.compiler.signatures.meaning(name) else { return false };
        seen.insert(id) && self.compiler.signatures.procedures.get(id).is_some_and(|procedure| self.stops(&procedure.it.body.it, seen))
    }
}
