//! The slots of a frame while it is being laid out: names in scopes, each with its type.

use super::program::{Slot, Type};

/// A frame: what its names mean here, and how many slots it needs.
#[derive(Clone, Debug, Default)]
pub(in crate::rules) struct Locals {
    /// Innermost scope last; in it names and their slots, and the first slot that was free when it began.
    scopes: Vec<Scope>,
    next: Slot,
    most: Slot,
    /// What the word `owner` stands for.
    owner: Option<Slot>,
    /// The type of `it`, where an amendment or the rule on a happening speaks of one.
    it: Option<Type>,
}

#[derive(Clone, Debug, Default)]
struct Scope {
    names: Vec<Local>,
    first: Slot,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rules) struct Local {
    pub name: String,
    pub slot: Slot,
    pub kind: Type,
    /// Of a `let` of an account: the slot that holds which account it is, beside what lay there.
    pub account: Option<Slot>,
}

impl Locals {
    pub fn new() -> Locals {
        Locals { scopes: vec![Scope::default()], ..Locals::default() }
    }

    /// A frame whose first slots hold these parameters.
    pub fn of(parameters: &[(String, Type)]) -> Locals {
        let mut locals = Locals::new();
        for (name, kind) in parameters {
            locals.declare(name, kind.clone());
        }
        locals
    }

    /// A scope begins.
    pub fn push(&mut self) {
        self.scopes.push(Scope { names: Vec::new(), first: self.next });
    }

    /// The innermost scope ends; its slots are free again.
    pub fn pop(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.next = scope.first;
        }
    }

    /// A slot with a name, to be seen from here to the end of the scope.
    pub fn declare(&mut self, name: &str, kind: Type) -> Slot {
        let slot = self.fresh();
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(Local { name: name.to_owned(), slot, kind, account: None });
        }
        slot
    }

    /// From here on the name stands for this account as well (`None`: no longer).
    pub fn pair(&mut self, name: &str, account: Option<Slot>) {
        let known = self.scopes.iter_mut().rev().flat_map(|scope| scope.names.iter_mut().rev()).find(|local| local.name == name);
        if let Some(local) = known {
            local.account = account;
        }
    }

    /// A slot that nothing can name.
    pub fn fresh(&mut self) -> Slot {
        let slot = self.next;
        self.next = self.next.saturating_add(1);
        self.most = self.most.max(self.next);
        slot
    }

    /// What a name means here: the innermost one counts.
    pub fn find(&self, name: &str) -> Option<&Local> {
        self.scopes.iter().rev().flat_map(|scope| scope.names.iter().rev()).find(|local| local.name == name)
    }

    /// Every name that can be seen from here.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().flat_map(|scope| &scope.names).map(|local| local.name.as_str())
    }

    /// Slots that the frame needs.
    pub fn slots(&self) -> Slot {
        self.most
    }

    /// From here on `owner` stands for the seat in this slot.
    pub fn set_owner(&mut self, slot: Slot) {
        self.owner = Some(slot);
    }

    pub fn owner(&self) -> Option<Slot> {
        self.owner
    }

    /// From here on `it` is of this type.
    pub fn set_it(&mut self, kind: Type) {
        self.it = Some(kind);
    }

    pub fn it(&self) -> Option<&Type> {
        self.it.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_free_again_behind_their_scope() {
        let mut locals = Locals::of(&[("p".to_owned(), Type::Seat)]);
        locals.push();
        assert_eq!(locals.declare("n", Type::Number), 1);
        assert_eq!(locals.declare("p", Type::Number), 2);
        assert_eq!(locals.find("p").map(|local| local.slot), Some(2));
        locals.pop();
        assert_eq!(locals.find("p").map(|local| local.slot), Some(0));
        assert_eq!(locals.find("n"), None);
        assert_eq!(locals.fresh(), 1);
        assert_eq!(locals.slots(), 3);
    }
}
