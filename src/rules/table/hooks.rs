//! Events, rights and signals: when they can come, who brings them, and what they do themselves. Clauses 5.5, 5.6 and 5.12.

use super::code::{Home, Making};
use super::locals::Locals;
use super::program::{Domain, Hook, HookBy, Parameter, ProcedureId, Type};
use super::signatures::HookWritten;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::scope::unknown;
use crate::syntax::tree::{self, ExprKind, Name};

impl<'d> Making<'d> {
    pub fn hooks(&mut self) -> Vec<Hook> {
        self.one_reckoning();
        (0..self.compiler.signatures.hooks.len()).filter_map(|id| self.hook(id)).collect()
    }

    /// Each entry of a tally raises one signal. Clause 4.7.2.
    fn one_reckoning(&mut self) {
        let signatures = &self.compiler.signatures;
        for (id, hook) in signatures.hooks.iter().enumerate() {
            let first = hook.it.reckons().and_then(|tally| signatures.reckoned(tally));
            let Some(first) = first.filter(|first| *first != id).and_then(|first| signatures.hooks.get(first)) else { continue };
            let message = format!("another signal, `{}`, is raised for the entries of this tally", first.name.it);
            let fault = Diagnostic::new(Code::DuplicateName, message, hook.name.span).with_label(first.name.span, "declared here");
            self.compiler.faults.push(fault.with_help("let the rules stand on one signal"));
        }
    }

    fn hook(&mut self, id: usize) -> Option<Hook> {
        let declared = self.compiler.signatures.hooks.get(id)?.clone();
        let mut locals = Locals::new();
        let written = match declared.it.written {
            HookWritten::Event(event) => event.parameters.as_slice(),
            HookWritten::Right(right) => right.parameters.as_slice(),
            HookWritten::Signal(parameters) => parameters,
            HookWritten::Voided => &[],
        };
        let mut parameters: Vec<Parameter> = written.iter().filter_map(|parameter| self.compiler.parameter(parameter, &mut locals)).collect();
        if matches!(declared.it.written, HookWritten::Voided) {
            let brought = declared.it.parameters.iter();
            parameters.extend(brought.map(|(name, kind)| {
                let slot = locals.declare(name, kind.clone());
                Parameter { name: name.clone(), kind: kind.clone(), slot, domain: Domain::All }
            }));
        }
        locals.set_it(Type::Entry(vec![declared.it.log]));
        let (by, during, possible, body) = match declared.it.written {
            HookWritten::Event(event) => {
                let by = event.by.as_ref().map_or(HookBy::Anybody, |by| self.reporter(by, &parameters));
                let possible = self.condition_of(event.possible.as_ref(), &mut locals);
                let body = event.supposes.as_ref().map(|body| self.script(declared.layer, Home::Supposing, &mut locals, &[], &body.it));
                (by, self.procedures_named(&event.during), possible, body)
            }
            HookWritten::Right(right) => {
                let by = self.holder(right, &parameters, &mut locals);
                let possible = self.condition_of(right.holds.as_ref(), &mut locals);
                let body = right.body.as_ref().map(|body| self.script(declared.layer, Home::Ruling, &mut locals, &[], &body.it));
                (by, self.procedures_named(&right.during), possible, body)
            }
            HookWritten::Signal(_) | HookWritten::Voided => (HookBy::Anybody, Vec::new(), None, None),
        };
        let from = self.cite(declared.layer, declared.span, declared.tags);
        Some(Hook { name: declared.it.log, rules: Vec::new(), during, by, possible, body, slots: locals.slots(), parameters, from })
    }

    /// `event … by p`: p is one of its arguments.
    fn reporter(&mut self, by: &Name, parameters: &[Parameter]) -> HookBy {
        match parameters.iter().find(|parameter| parameter.name == by.it) {
            Some(parameter) if parameter.kind.fits(&Type::Seat) => HookBy::Slot(parameter.slot),
            Some(parameter) => {
                let fault = self.compiler.mismatch(by.span, &parameter.kind, &Type::Seat);
                self.compiler.faults.push(fault);
                HookBy::Anybody
            }
            None => {
                let fault = unknown(by, "an argument of the event", parameters.iter().map(|parameter| parameter.name.as_str()));
                self.compiler.faults.push(fault);
                HookBy::Anybody
            }
        }
    }

    /// `right … of who`: an argument, or an expression that says which seats have it.
    fn holder(&mut self, right: &tree::Right, parameters: &[Parameter], locals: &mut Locals) -> HookBy {
        if let ExprKind::Name { name, arguments: None } = &*right.of.it
            && let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name.it)
            && parameter.kind.fits(&Type::Seat)
        {
            return HookBy::Slot(parameter.slot);
        }
        let Some((of, kind)) = self.compiler.expression(&right.of, None, locals) else { return HookBy::Anybody };
        if kind.fits(&Type::Seat) || kind.fits(&Type::Seat.set()) {
            return HookBy::Of(of);
        }
        let fault = self.compiler.mismatch(right.of.span, &kind, &Type::Seat.set());
        self.compiler.faults.push(fault);
        HookBy::Anybody
    }

    fn procedures_named(&mut self, names: &[Name]) -> Vec<ProcedureId> {
        let mut found = Vec::new();
        for name in names {
            match self.compiler.signatures.procedure(&name.it) {
                Some(id) => found.push(id),
                None => {
                    let known = self.compiler.signatures.procedures.iter().map(|procedure| procedure.name.it.as_str());
                    let fault = unknown(name, "a procedure or a phase", known);
                    self.compiler.faults.push(fault);
                }
            }
        }
        found
    }
}
