//! Acts and events of an interface, in the rulebook's own. Clause 10.8.

use super::super::super::advice::did_you_mean;
use super::super::locals::Locals;
use super::super::program::{Answer, Code as Steps, HookBy, LogName, LogSort, NameId, Node, Program, Step, Type};
use super::read::{Mapper, Typed};
use super::{MappedAct, MappedArgument};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{Argument, ExprKind, InterfaceItem, MapTarget, Name};

impl Mapper<'_, '_> {
    pub fn act(&mut self, name: &Name, is_event: bool, parameters: &[Name], target: &MapTarget) -> Option<MappedAct> {
        let is_no = if is_event { "no event of the interface" } else { "no act of the interface" };
        let written = self.find(name, is_no, |item| {
            let (InterfaceItem::Act { name, parameters } | InterfaceItem::Event { name, parameters }) = item else { return None };
            (is_event == matches!(item, InterfaceItem::Event { .. })).then_some((name, parameters.as_slice()))
        })?;
        let parameters = self.parameters(name, parameters, written)?;
        let (id, wanted) = self.target(target)?;
        let given = target.arguments.as_deref().unwrap_or(&[]);
        if given.len() != wanted.len() {
            let words: Vec<String> = wanted.iter().map(|(name, kind)| format!("{} `{name}`", self.compiler.describe(kind))).collect();
            let words = if words.is_empty() { "nothing".to_owned() } else { words.join(" and ") };
            let message = format!("`{}` takes {words} here", target.name.it);
            self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, message, target.name.span));
            return None;
        }
        let mut arguments = Vec::new();
        for (argument, (_, kind)) in given.iter().zip(&wanted) {
            arguments.push(self.argument(argument, kind, &parameters, &target.name)?);
        }
        let by = match &target.by {
            Some(by) => {
                let mut locals = Locals::new();
                let by = self.compiler.expected(by, &Type::Seat, &mut locals)?;
                Some((by, locals.slots()))
            }
            None => None,
        };
        let irregular = always_irregular(self.program, id);
        Some(MappedAct { name: name.it.clone(), parameters, target: target.name.it.clone(), arguments, by, irregular })
    }

    /// What an act is mapped to, and what it takes beside who does it.
    fn target(&mut self, target: &MapTarget) -> Option<(NameId, Typed)> {
        let fits = |name: &LogName| matches!(name.sort, LogSort::Act | LogSort::Event | LogSort::Right);
        let names = &self.program.names;
        let Some((id, found)) = names.iter().enumerate().find(|(_, name)| fits(name) && name.name == target.name.it) else {
            let message = format!("`{}` is no act, event or right of this rulebook", target.name.it);
            let fault = Diagnostic::new(Code::UnmappedName, message, target.name.span);
            let advice = did_you_mean(&target.name.it, names.iter().filter(|name| fits(name)).map(|name| name.name.as_str()));
            self.compiler.faults.push(match advice {
                Some(advice) => fault.with_help(advice),
                None => fault,
            });
            return None;
        };
        let hook = self.program.hooks.iter().find(|hook| hook.name == id);
        let actor = hook.and_then(|hook| match hook.by {
            HookBy::Slot(slot) => hook.parameters.iter().position(|parameter| parameter.slot == slot),
            HookBy::Of(ref of) => {
                let Node::Local(slot) = &*of.node else { return None };
                hook.parameters.iter().position(|parameter| parameter.slot == *slot)
            }
            HookBy::Anybody => None,
        });
        let wanted = found.arguments.iter().enumerate().filter(|(at, _)| Some(*at) != actor).map(|(_, argument)| argument.clone());
        Some((id, wanted.collect()))
    }

    fn argument(&mut self, argument: &Argument, wanted: &Type, parameters: &Typed, target: &Name) -> Option<MappedArgument> {
        let Argument::Value(value) = argument else {
            self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, "`all` cannot stand here", target.span));
            return None;
        };
        if let ExprKind::Name { name, arguments: None } = &*value.it
            && let Some((at, (_, kind))) = parameters.iter().enumerate().find(|(_, (known, _))| *known == name.it)
        {
            if !kind.fits(wanted) && !wanted.fits(kind) {
                let (found, wanted) = (self.compiler.describe(kind), self.compiler.describe(wanted));
                let message = format!("`{}` is {found} in the interface, and `{}` takes {wanted}", name.it, target.it);
                self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, message, value.span));
                return None;
            }
            return Some(MappedArgument::Parameter(at));
        }
        let value = self.compiler.expected(value, wanted, &mut Locals::new())?;
        Some(MappedArgument::Value(value, wanted.clone()))
    }
}

/// Whether an act is irregular in every offer or duty where it stands.
fn always_irregular(program: &Program, act: NameId) -> bool {
    let rules = program.rules.iter().flat_map(|rule| match &rule.answer {
        Answer::Does(code) => vec![code],
        Answer::Around { before, after } => before.iter().chain(after).collect(),
        Answer::Is(_) | Answer::Stands | Answer::Refuse | Answer::Nothing => Vec::new(),
    });
    let bodies = program.hooks.iter().filter_map(|hook| hook.body.as_ref());
    let codes = program.procedures.iter().map(|procedure| &procedure.code).chain(rules).chain(bodies);
    let offers = codes.flat_map(|code: &Steps| &code.steps).filter_map(|step| if let Step::Offer(offer) = step { Some(offer) } else { None });
    let mut found = offers.flat_map(|offer| &offer.alternatives).filter(|alternative| alternative.act == act).peekable();
    found.peek().is_some() && found.all(|alternative| alternative.irregular)
}
