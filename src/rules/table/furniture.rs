//! Places, accounts, tallies, roles, facts, questions, and the names of the log. Clauses 4.2 to 4.9.

use super::code::Making;
use super::locals::Locals;
use super::program::{Account, Fact, Life, LogName, Place, Question, Role, Seen, SeenBy, Tally, Type};
use super::program::{Index, LogSort};
use super::signatures::Takes;
use crate::syntax::tree;

impl Making<'_> {
    pub fn places(&mut self) -> Vec<Place> {
        let mut made = Vec::new();
        for declared in self.compiler.signatures.places.clone() {
            let seat = declared.it.cells.indices.contains(&Index::Seat);
            let seen = declared.it.seen.and_then(|seen| self.seen(seen, seat)).unwrap_or(Seen { by: SeenBy::Nobody, when: None, slots: 1 });
            let from = self.cite(declared.layer, declared.span, declared.tags);
            made.push(Place { name: declared.name.it.clone(), cells: declared.it.cells, at_start: declared.it.at_start, seen, from });
        }
        made
    }

    pub fn accounts(&self) -> Vec<Account> {
        let declared = self.compiler.signatures.accounts.iter();
        let make = |declared: &super::signatures::Declared<'_, super::signatures::AccountShape>| Account {
            name: declared.name.it.clone(),
            cells: declared.it.cells.clone(),
            joint: declared.it.joint,
            may_owe: declared.it.may_owe,
            from: self.cite(declared.layer, declared.span, declared.tags),
        };
        declared.map(make).collect()
    }

    pub fn tallies(&self) -> Vec<Tally> {
        let declared = self.compiler.signatures.tallies.iter();
        let make = |declared: &super::signatures::Declared<'_, super::signatures::TallyShape>| Tally {
            name: declared.name.it.clone(),
            cells: declared.it.cells.clone(),
            life: declared.it.life,
            from: self.cite(declared.layer, declared.span, declared.tags),
        };
        declared.map(make).collect()
    }

    pub fn roles(&mut self) -> Vec<Role> {
        let mut made = Vec::new();
        for declared in self.compiler.signatures.roles.clone() {
            let first = declared.it.first.and_then(|first| self.compiler.expected(first, &declared.it.kind, &mut Locals::new()));
            let from = self.cite(declared.layer, declared.span, declared.tags);
            made.push(Role { name: declared.name.it.clone(), kind: declared.it.kind, first, from });
        }
        made
    }

    pub fn facts(&mut self) -> Vec<Fact> {
        let mut made = Vec::new();
        for declared in self.compiler.signatures.facts.clone() {
            let first = declared.it.first.and_then(|first| self.compiler.expected(first, &declared.it.kind, &mut Locals::new()));
            let seat = declared.it.cells.indices.contains(&Index::Seat);
            let seen = declared.it.seen.and_then(|seen| self.seen(seen, seat));
            let from = self.cite(declared.layer, declared.span, declared.tags);
            let (name, cells, kind) = (declared.name.it.clone(), declared.it.cells, declared.it.kind);
            made.push(Fact { name, cells, kind, first, life: declared.it.life, seen, from });
        }
        made
    }

    /// `seen by owner if C`: the owner is the first seat that the place belongs to.
    fn seen(&mut self, written: &tree::Seen, owned: bool) -> Option<Seen> {
        let mut locals = Locals::new();
        let owner = locals.fresh();
        if owned {
            locals.set_owner(owner);
        }
        let by = match &written.by {
            tree::SeenBy::Nobody => SeenBy::Nobody,
            tree::SeenBy::All => SeenBy::All,
            tree::SeenBy::Owner => SeenBy::Owner,
            tree::SeenBy::Seats(seats) => {
                let (made, kind) = self.compiler.expression(seats, None, &mut locals)?;
                if !kind.fits(&Type::Seat) && !kind.fits(&Type::Seat.set()) {
                    let fault = self.compiler.mismatch(seats.span, &kind, &Type::Seat.set());
                    self.compiler.faults.push(fault);
                }
                SeenBy::Seats(made)
            }
        };
        let when = self.condition_of(written.when.as_ref(), &mut locals);
        Some(Seen { by, when, slots: locals.slots() })
    }

    pub fn questions(&mut self) -> Vec<Question> {
        let mut made = Vec::new();
        for declared in self.compiler.signatures.questions.clone() {
            let mut locals = Locals::of(&declared.it.parameters);
            let otherwise = declared.it.otherwise.and_then(|value| self.compiler.expected(value, &declared.it.answer, &mut locals));
            let from = self.cite(declared.layer, declared.span, declared.tags);
            let (name, parameters, answer) = (declared.name.it.clone(), declared.it.parameters, declared.it.answer);
            made.push(Question { name, parameters, answer, otherwise, rules: Vec::new(), from });
        }
        made
    }

    /// Whatever can stand in the log. Who reads it is found when all queries are there.
    pub fn log_names(&mut self) -> Vec<LogName> {
        let mut made = Vec::new();
        for (id, known) in self.compiler.signatures.names.clone().into_iter().enumerate() {
            let arguments = match known.takes {
                Takes::Declared(parameters) => parameters,
                Takes::Offered(_) => self.compiler.arguments_of(id),
            };
            let from = if known.sort == LogSort::Breach { self.breach_from(&known.name) } else { None };
            made.push(LogName { name: known.name, sort: known.sort, arguments, kept: false, kept_per: Life::Evening, from });
        }
        made
    }

    fn breach_from(&self, name: &str) -> Option<crate::rules::Provenance> {
        self.breaches.iter().find(|(known, _)| known == name).map(|(_, from)| from.clone())
    }
}
