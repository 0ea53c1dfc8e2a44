//! Places, accounts, tallies, roles, facts, questions and names of the log, as the program holds them.

use super::super::cite::Provenance;
use super::compiler::Compiler;
use super::locals::Locals;
use super::program::{Account, Expr, Fact, Index, Life, LogMark, LogName, NameId, Place, Question, Role, Seen, SeenBy, Tally, Type};
use super::signatures::Declared;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree;

/// What is declared, in the order of the signatures.
#[derive(Clone, Debug, Default)]
pub(in crate::rules) struct DeclaredParts {
    pub places: Vec<Place>,
    pub accounts: Vec<Account>,
    pub tallies: Vec<Tally>,
    pub roles: Vec<Role>,
    pub facts: Vec<Fact>,
    /// Without their rules.
    pub questions: Vec<Question>,
}

impl<'d> Compiler<'d> {
    /// Everything that needs no script. What is wrong in it is among the faults; a list is then shorter than its signatures.
    pub fn declared(&mut self) -> DeclaredParts {
        DeclaredParts {
            places: self.places(),
            accounts: self.accounts(),
            tallies: self.tallies(),
            roles: self.roles(),
            facts: self.facts(),
            questions: self.questions(),
        }
    }

    pub fn provenance<T>(&self, declared: &Declared<'d, T>) -> Provenance {
        self.citing.provenance(declared.layer, declared.span, declared.tags)
    }

    fn places(&mut self) -> Vec<Place> {
        let mut places = Vec::new();
        for known in self.signatures.places.clone() {
            let seen = match known.it.seen {
                Some(seen) => self.seen(seen, &known.it.cells.indices, known.name.span),
                None => Some(Seen { by: SeenBy::Nobody, when: None, slots: 0 }),
            };
            let from = self.provenance(&known);
            places.extend(seen.map(|seen| Place { name: known.name.it.clone(), cells: known.it.cells, at_start: known.it.at_start, seen, from }));
        }
        places
    }

    /// Who sees something: the owner is the seat that it is numbered by first.
    fn seen(&mut self, written: &tree::Seen, indices: &[Index], at: Span) -> Option<Seen> {
        let mut locals = Locals::new();
        let slot = locals.fresh();
        let owned = indices.contains(&Index::Seat);
        if owned {
            locals.set_owner(slot);
        }
        let by = match &written.by {
            tree::SeenBy::Owner if owned => Some(SeenBy::Owner),
            tree::SeenBy::Owner => {
                let fault = Diagnostic::new(Code::TypeMismatch, "nobody owns this: there is not one for each seat", at);
                self.faults.push(fault.with_help("write `of seat` behind its name, or `seen by` with a seat or a set of seats"));
                None
            }
            tree::SeenBy::All => Some(SeenBy::All),
            tree::SeenBy::Nobody => Some(SeenBy::Nobody),
            tree::SeenBy::Seats(seats) => self.seats(seats, &mut locals).map(SeenBy::Seats),
        };
        let when = match &written.when {
            Some(when) => self.condition(when, &mut locals).map(Some),
            None => Some(None),
        };
        Some(Seen { by: by?, when: when?, slots: locals.slots() })
    }

    /// A seat or a set of seats.
    pub fn seats(&mut self, written: &tree::Expr, locals: &mut Locals) -> Option<Expr> {
        let (value, found) = self.expression(written, None, locals)?;
        let wanted = if found.member().is_some() || found == Type::Nothing { Type::Seat.set() } else { Type::Seat };
        self.fit(value, &found, &wanted, locals)
    }

    fn accounts(&self) -> Vec<Account> {
        let account = |known: &Declared<'d, super::signatures::AccountShape>| Account {
            name: known.name.it.clone(),
            cells: known.it.cells.clone(),
            joint: known.it.joint,
            may_owe: known.it.may_owe,
            from: self.provenance(known),
        };
        self.signatures.accounts.iter().map(account).collect()
    }

    fn tallies(&self) -> Vec<Tally> {
        let tally = |(id, known): (usize, &Declared<'d, super::signatures::TallyShape>)| Tally {
            name: known.name.it.clone(),
            cells: known.it.cells.clone(),
            life: known.it.life,
            headings: known.it.headings,
            reckoned: self.signatures.reckoned(id),
            from: self.provenance(known),
        };
        self.signatures.tallies.iter().enumerate().map(tally).collect()
    }

    fn roles(&mut self) -> Vec<Role> {
        let mut roles = Vec::new();
        for known in self.signatures.roles.clone() {
            let first = self.first(known.it.first, &known.it.kind);
            let from = self.provenance(&known);
            roles.extend(first.map(|first| Role { name: known.name.it.clone(), kind: known.it.kind, first, from }));
        }
        roles
    }

    fn facts(&mut self) -> Vec<Fact> {
        let mut facts = Vec::new();
        for known in self.signatures.facts.clone() {
            let first = self.first(known.it.first, &known.it.kind);
            let seen = match known.it.seen {
                Some(seen) => self.seen(seen, &known.it.cells.indices, known.name.span).map(Some),
                None => Some(None),
            };
            let from = self.provenance(&known);
            let (name, shape) = (known.name.it.clone(), known.it);
            facts.extend(first.zip(seen).map(|(first, seen)| Fact {
                name,
                cells: shape.cells,
                kind: shape.kind,
                first,
                life: shape.life,
                seen,
                from,
            }));
        }
        facts
    }

    /// A first value: nothing is local to it.
    fn first(&mut self, written: Option<&tree::Expr>, kind: &Type) -> Option<Option<Expr>> {
        match written {
            Some(written) => self.expected(written, kind, &mut Locals::new()).map(Some),
            None => Some(None),
        }
    }

    fn questions(&mut self) -> Vec<Question> {
        let mut questions = Vec::new();
        for known in self.signatures.questions.clone() {
            let from = self.provenance(&known);
            let shape = known.it;
            let otherwise = match shape.otherwise {
                Some(written) => self.expected(written, &shape.answer, &mut Locals::of(&shape.parameters)).map(Some),
                None => Some(None),
            };
            questions.extend(otherwise.map(|otherwise| Question {
                name: known.name.it.clone(),
                parameters: shape.parameters,
                answer: shape.answer,
                otherwise,
                rules: Vec::new(),
                from,
            }));
        }
        questions
    }

    /// Whatever can stand in the log. Call it when every query is known: what no query reads is not kept.
    pub fn log_names(&mut self) -> Vec<LogName> {
        let mut names = Vec::new();
        for id in 0..self.signatures.names.len() {
            let arguments = self.arguments_of(id);
            let kept_per = self.kept_per(id);
            let Some(known) = self.signatures.names.get(id) else { continue };
            let from = known.from.map(|from| self.citing.provenance(from.layer, from.span, from.tags));
            let kept = self.queries.iter().any(|query| query.names.contains(&id));
            names.push(LogName { name: known.name.clone(), sort: known.sort, arguments, kept, kept_per, from });
        }
        names
    }

    /// All queries ask since the start of one procedure, which nothing voids: what was before it is never asked for again.
    fn kept_per(&self, id: NameId) -> Life {
        // What is voided is not the newest any more, and an older one counts again.
        if !self.signatures.voids.procedures.is_empty() {
            return Life::Evening;
        }
        let mut lives = self.queries.iter().filter(|query| query.names.contains(&id)).map(|query| match query.since {
            Some(LogMark::Start(procedure) | LogMark::End(procedure)) => Life::Of(procedure),
            Some(LogMark::Entry(_)) | None => Life::Evening,
        });
        let first = lives.next().unwrap_or(Life::Evening);
        if lives.all(|life| life == first) { first } else { Life::Evening }
    }
}
