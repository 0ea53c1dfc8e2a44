//! What a statement or an alternative does. Clauses 4.2 to 4.9 and 5.10.

use super::super::expressions::Writable;
use super::super::program::{Arithmetic, Change, Deed, Expr, Literal, Node, PlaceCell, Step, Type};
use super::super::signatures::Meaning;
use super::Script;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::place::Sort;
use crate::source::Span;
use crate::syntax::tree::{self, Argument, AssignWord, Destination, KnownTo, Moved, MovedCount, MovedPart, Name, PlaceEnd, Tags};

impl<'d> Script<'_, 'd> {
    pub(super) fn deed(&mut self, deed: &'d tree::Deed, span: Span, tags: &'d Tags) {
        if let tree::Deed::Call { name, arguments } = deed {
            return self.call(name, arguments, span, tags);
        }
        if let tree::Deed::Void { procedure, cause, again } = deed {
            return self.void(procedure, cause.as_ref(), *again, span, tags);
        }
        let source = self.source(span, tags);
        match deed {
            tree::Deed::Pay { amount, from, to } => {
                let amount = match amount {
                    Some(amount) => self.number(amount).map(Some),
                    None => Some(None),
                };
                let from = self.making.compiler.account_cell(from, &mut self.locals);
                let to = self.making.compiler.account_cell(to, &mut self.locals);
                if let (Some(amount), Some(from), Some(to)) = (amount, from, to) {
                    self.does(Deed::Pay { amount, from, to }, span, source);
                }
            }
            tree::Deed::Move { what, from, to } => self.moves(what, from.as_ref(), to, span, source),
            tree::Deed::Score { amount, to, under, after } => {
                let amount = self.number(amount);
                if let Some(score) = self.scored(amount, to, under.as_ref(), after.as_ref()) {
                    self.does(score, span, source);
                }
            }
            tree::Deed::Mark { what, to } => self.mark(what, to, false, span, source),
            tree::Deed::Show { what, to } => self.mark(what, to, true, span, source),
            tree::Deed::Arrange(place) => {
                if let Some(place) = self.place(place) {
                    self.does(Deed::Arrange(place), span, source);
                }
            }
            tree::Deed::Lift { count, of } => {
                let count = match count {
                    Some(count) => self.number(count).map(Some),
                    None => Some(None),
                };
                if let (Some(of), Some(count)) = (self.place(of), count) {
                    self.does(Deed::Lift { count, of }, span, source);
                }
            }
            tree::Deed::Announce { signal, arguments } => self.announce(signal, arguments.as_deref().unwrap_or_default(), span, source),
            tree::Deed::End { procedure, outcome } => {
                let Some(id) = self.opened(procedure) else { return };
                let outcomes =
                    self.making.compiler.signatures.procedures.get(id).map(|procedure| procedure.it.outcomes.as_slice()).unwrap_or_default();
                let named = outcome.as_ref().map_or("ended", |outcome| outcome.it.as_str());
                let outcome = outcomes.iter().position(|known| known == named).unwrap_or(0);
                self.does(Deed::End { procedure: id, outcome }, span, source);
            }
            tree::Deed::Stands => self.does(Deed::Stands, span, source),
            tree::Deed::Refuse => self.does(Deed::Refuse, span, source),
            tree::Deed::Assign { target, arguments, word, value } => {
                self.assign(target, arguments.as_deref(), *word, value, span, source);
            }
            // Both were seen to above.
            tree::Deed::Call { .. } | tree::Deed::Void { .. } => {}
        }
    }

    pub(super) fn does(&mut self, deed: Deed, span: Span, source: Option<usize>) {
        self.emit(Step::Deed(deed), span, source);
    }

    fn place(&mut self, place: &'d tree::Expr) -> Option<PlaceCell> {
        self.making.compiler.place_cell(place, &mut self.locals)
    }

    fn moves(&mut self, what: &'d Moved, from: Option<&'d tree::Expr>, to: &'d Destination, span: Span, source: Option<usize>) {
        let (to, bottom) = match to {
            Destination::End(end, place) => (self.place(place), *end == PlaceEnd::Bottom),
            Destination::Place(place) => (self.place(place), false),
        };
        let from = match from {
            Some(from) => match self.place(from) {
                Some(from) => Some(from),
                None => return,
            },
            None => None,
        };
        match what {
            Moved::These(all) => {
                for what in all {
                    let what = self.pieces(what);
                    if let (Some(what), Some(to)) = (what, to.clone()) {
                        self.does(Deed::Move { what, from: from.clone(), to, bottom }, span, source);
                    }
                }
            }
            Moved::End { end, count, of } => {
                let count = match count {
                    MovedCount::One => Some(Expr { node: Box::new(Node::Literal(Literal::Number(1))), span }),
                    MovedCount::Number(count) => self.number(count),
                    MovedCount::Some => {
                        self.not_yet("moves of a number that only the record knows", span);
                        None
                    }
                };
                if let (Some(count), Some(of), Some(to)) = (count, self.place(of), to) {
                    self.does(Deed::MoveEnd { bottom: *end == PlaceEnd::Bottom, count, of, to, to_bottom: bottom }, span, source);
                }
            }
            Moved::Every { piece, filter } => {
                let Some(kind) = self.making.compiler.pieces.iter().position(|known| known.name == piece.it) else {
                    let fault = self.making.compiler.names.scope.missing(piece, &[Sort::Piece], "a piece");
                    self.fault(fault);
                    return;
                };
                let (slot, filter) = self.scoped(|script| {
                    let slot = script.declare(piece, Type::Piece(kind));
                    (slot, filter.as_ref().and_then(|filter| script.truth(filter)))
                });
                if let Some(to) = to {
                    self.does(Deed::MoveEvery { kind, slot, filter, to, bottom }, span, source);
                }
            }
        }
    }

    fn pieces(&mut self, what: &'d tree::Expr) -> Option<Expr> {
        self.making.compiler.pieces(what, &mut self.locals)
    }

    fn mark(&mut self, what: &'d MovedPart, to: &'d KnownTo, shown: bool, span: Span, source: Option<usize>) {
        let what = match what {
            MovedPart::These(what) => self.pieces(what),
            MovedPart::End { end, count: None, of } => self.pieces(of).map(|of| {
                let place = of.span;
                let node = if *end == PlaceEnd::Top { Node::LastOf(of) } else { Node::FirstOf(of) };
                Expr { node: Box::new(node), span: place }
            }),
            MovedPart::End { end, count: Some(count), of } => {
                let count = self.number(count);
                let of = self.pieces(of);
                of.zip(count).map(|(of, count)| {
                    let place = of.span;
                    Expr { node: Box::new(Node::Ends { of, count, bottom: *end == PlaceEnd::Bottom }), span: place }
                })
            }
        };
        let to = match to {
            KnownTo::All => Some(None),
            KnownTo::Seats(seats) => self.any(seats).and_then(|(made, kind)| {
                if kind.fits(&Type::Seat) || kind.fits(&Type::Seat.set()) {
                    return Some(Some(made));
                }
                let message = format!("{} stands where seats are wanted", self.making.compiler.describe(&kind));
                self.fault(Diagnostic::new(Code::TypeMismatch, message, seats.span));
                None
            }),
        };
        if let (Some(what), Some(to)) = (what, to) {
            self.does(Deed::Mark { what, to, shown }, span, source);
        }
    }

    /// A procedure or a phase that `end` and `void` name.
    fn opened(&mut self, name: &Name) -> Option<usize> {
        let found = self.making.compiler.signatures.procedure(&name.it);
        if found.is_none() {
            let names = self.making.compiler.signatures.procedures.iter().map(|procedure| procedure.name.it.as_str());
            let fault = match self.making.compiler.names.scope.sort(&name.it) {
                Some(_) => self.making.compiler.names.scope.missing(name, &[Sort::Procedure], "a procedure or a phase"),
                None => crate::rules::scope::unknown(name, "a procedure or a phase", names),
            };
            self.fault(fault);
        }
        found
    }

    pub(super) fn void(&mut self, procedure: &'d Name, cause: Option<&'d Name>, again: bool, span: Span, tags: &'d Tags) {
        let source = self.source(span, tags);
        if let Some(procedure) = self.opened(procedure) {
            self.does(Deed::Void { procedure, cause: cause.map(|cause| cause.it.clone()), again }, span, source);
        }
    }

    /// `share X among S to A, rest to B;` Clause 4.6.
    pub(super) fn share(&mut self, what: &'d tree::Expr, among: &'d tree::Expr, [to, rest]: [&'d tree::Expr; 2], span: Span, tags: &'d Tags) {
        let source = self.source(span, tags);
        let compiler = &mut self.making.compiler;
        let of = compiler.account_cell(what, &mut self.locals);
        let among = compiler.expected(among, &Type::Seat.set(), &mut self.locals);
        let to = compiler.accounts_by_seat(to, &self.locals);
        let rest = compiler.account_cell(rest, &mut self.locals);
        if let (Some(of), Some(among), Some(to), Some(rest)) = (of, among, to, rest) {
            self.does(Deed::Share { of, among, to, rest }, span, source);
        }
    }

    pub(super) fn settle(&mut self, entry: &'d tree::Expr, span: Span) {
        if let Some(entry) = self.making.compiler.entry(entry, &mut self.locals) {
            self.does(Deed::Settle(entry), span, None);
        }
    }

    fn assign(
        &mut self,
        target: &'d Name,
        arguments: Option<&'d [Argument]>,
        word: AssignWord,
        value: &'d tree::Expr,
        span: Span,
        source: Option<usize>,
    ) {
        let change = match word {
            AssignWord::Becomes => Change::Becomes,
            AssignWord::Add => Change::Add,
            AssignWord::Subtract => Change::Subtract,
        };
        if let Some(local) = self.locals.find(&target.it).cloned() {
            if !self.is_written(target) {
                let help = "only what `let` declares, facts and roles can be written";
                self.wrong(Code::WrongKind, format!("`{}` belongs to who calls or loops, and cannot be written", target.it), target.span, help);
            } else if let Some(value) = self.changed(value, &local.kind, change) {
                // What is written is a number: which account it was is past.
                self.locals.pair(&target.it, None);
                self.does(Deed::SetLocal { slot: local.slot, change, value }, span, source);
            }
            return;
        }
        if !matches!(self.making.compiler.signatures.meaning(&target.it), Some(Meaning::Fact(_) | Meaning::Role(_))) {
            return self.cannot_be_written(target);
        }
        match self.making.compiler.writable(target, arguments, &mut self.locals) {
            Some(Writable::Fact(fact, indices, kind)) => {
                if let Some(value) = self.changed(value, &kind, change) {
                    self.does(Deed::SetFact { fact, indices, change, value }, span, source);
                }
            }
            Some(Writable::Role(role, kind)) => {
                let Some(value) = self.changed(value, &kind, change) else { return };
                let word = match change {
                    Change::Becomes => None,
                    Change::Add => Some(Arithmetic::Add),
                    Change::Subtract => Some(Arithmetic::Subtract),
                };
                let place = value.span;
                let held = Expr { node: Box::new(Node::Role(role)), span: target.span };
                let value = match word {
                    None => value,
                    Some(word) => Expr { node: Box::new(Node::Arithmetic(word, held, value)), span: place },
                };
                self.does(Deed::SetRole { role, value }, span, source);
            }
            None => drop(self.any(value)),
        }
    }

    /// The value of an assignment; `+=` and `-=` are for numbers.
    fn changed(&mut self, value: &'d tree::Expr, kind: &Type, change: Change) -> Option<Expr> {
        if change != Change::Becomes && !kind.fits(&Type::Number) {
            let message = format!("{} cannot be counted up or down", self.making.compiler.describe(kind));
            self.fault(Diagnostic::new(Code::TypeMismatch, message, value.span).with_help("write `:=`"));
            return None;
        }
        self.expected(value, kind)
    }

    fn cannot_be_written(&mut self, target: &Name) {
        let scope = self.making.compiler.names.scope;
        let help = match scope.sort(&target.it) {
            Some(Sort::Account) => "counters are moved: `pay n from X to Y;`",
            Some(Sort::Tally) => "points are made: `score n to X;`",
            Some(Sort::Place) => "pieces are moved: `move X to Y;`",
            Some(Sort::Parameter | Sort::Option) => "parameters and options are fixed when a rulebook is loaded",
            Some(_) | None => "facts, roles, and what `let` declares can be written",
        };
        let fault = scope.missing(target, &[Sort::Fact, Sort::Role], "a fact or a role").with_help(help);
        self.fault(fault);
    }
}
