//! Definitions: each is compiled when it is first needed, and gets its type from its value. Clause 3.13.

use super::compiler::Compiler;
use super::locals::Locals;
use super::program::{Definition, DefinitionId, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// So many definitions may need one another, each the next. Clause 11.3.
const MOST_NESTED: usize = 64;

#[derive(Debug)]
pub(in crate::rules) struct Definitions {
    states: Vec<State>,
    /// Those being compiled, from the outside in, and where each names the next.
    open: Vec<(DefinitionId, Span)>,
}

#[derive(Debug)]
enum State {
    Waiting,
    Open,
    Done(Box<Definition>),
    /// The fault has been told.
    Broken,
}

impl Definitions {
    pub fn of(count: usize) -> Definitions {
        Definitions { states: (0..count).map(|_| State::Waiting).collect(), open: Vec::new() }
    }
}

impl Compiler<'_> {
    /// The type of a definition's value; `at` is where it is named.
    pub(super) fn definition_type(&mut self, id: DefinitionId, at: Span) -> Type {
        match self.definitions.states.get(id) {
            Some(State::Done(done)) => return done.answer.clone(),
            Some(State::Open) => {
                self.definition_ring(id, at);
                return Type::BROKEN;
            }
            Some(State::Broken) | None => return Type::BROKEN,
            Some(State::Waiting) => {}
        }
        if self.definitions.open.len() >= MOST_NESTED {
            let message = format!("definitions need one another more than {MOST_NESTED} deep");
            self.faults.push(Diagnostic::new(Code::TooDeep, message, at).with_help("write some of them out, or say it in fewer"));
            self.set_state(id, State::Broken);
            return Type::BROKEN;
        }
        self.compile_definition(id, at);
        match self.definitions.states.get(id) {
            Some(State::Done(done)) => done.answer.clone(),
            Some(State::Open | State::Broken | State::Waiting) | None => Type::BROKEN,
        }
    }

    fn compile_definition(&mut self, id: DefinitionId, at: Span) {
        let Some(shape) = self.signatures.definitions.get(id) else { return };
        let (name, value, parameters) = (shape.name.it.clone(), shape.it.value, shape.it.parameters.clone());
        let from = self.citing.provenance(shape.layer, shape.span, shape.tags);
        self.set_state(id, State::Open);
        self.definitions.open.push((id, at));
        // Whoever needs it may only be guessing; the definition itself is compiled once, for good.
        let guessing = std::mem::replace(&mut self.guessing, false);
        let outside = std::mem::take(&mut self.faults);
        let mut locals = Locals::of(&parameters);
        let account = self.is_account(value, &locals).then_some(&Type::Account);
        let read = self.expression(value, account, &mut locals);
        let mut own = std::mem::replace(&mut self.faults, outside);
        self.definition_faults.append(&mut own);
        self.guessing = guessing;
        self.definitions.open.pop();
        let state = match read {
            Some((value, answer)) => State::Done(Box::new(Definition { name, parameters, value, answer, slots: locals.slots(), from })),
            None => State::Broken,
        };
        self.set_state(id, state);
    }

    fn set_state(&mut self, id: DefinitionId, state: State) {
        if let Some(place) = self.definitions.states.get_mut(id) {
            *place = state;
        }
    }

    /// A definition that needs itself. Told once, however often the ring is met: the ring's definitions are open only while it is.
    fn definition_ring(&mut self, id: DefinitionId, at: Span) {
        let name = |id: DefinitionId| self.signatures.definitions.get(id).map_or("", |known| known.name.it.as_str());
        let ring: Vec<(DefinitionId, Span)> = self.definitions.open.iter().skip_while(|(open, _)| *open != id).skip(1).copied().collect();
        let way: Vec<String> = ring.iter().map(|(id, _)| format!("`{}`", name(*id))).collect();
        let message = match way.as_slice() {
            [] => format!("`{}` is defined by itself", name(id)),
            way => format!("`{}` is defined by itself, by way of {}", name(id), way.join(" and ")),
        };
        let mut fault = Diagnostic::new(Code::UseCycle, message, ring.first().map_or(at, |(_, span)| *span));
        for (index, (_, span)) in ring.iter().enumerate().skip(1) {
            fault = fault.with_label(*span, format!("{} is needed here", way.get(index).map_or("", String::as_str)));
        }
        if !ring.is_empty() {
            fault = fault.with_label(at, format!("`{}` is needed here", name(id)));
        }
        self.faults.push(fault.with_help("a definition is an expression that is written out in full; it cannot lead back to itself"));
    }

    /// Compiles every definition that nothing has needed yet.
    pub fn need_definitions(&mut self) {
        for id in 0..self.signatures.definitions.len() {
            let at = self.signatures.definitions.get(id).map(|known| known.name.span).unwrap_or_default();
            self.definition_type(id, at);
        }
    }

    /// Every definition; if one is broken, none.
    pub fn all_definitions(&mut self) -> Option<Vec<Definition>> {
        self.need_definitions();
        let mut own = std::mem::take(&mut self.definition_faults);
        self.faults.append(&mut own);
        let done = |state: &State| match state {
            State::Done(done) => Some((**done).clone()),
            State::Waiting | State::Open | State::Broken => None,
        };
        self.definitions.states.iter().map(done).collect()
    }
}
