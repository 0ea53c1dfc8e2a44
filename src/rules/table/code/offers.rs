//! Offers and duties: who may choose, among what, and what can go wrong in it. Clauses 5.2 to 5.4.

use super::super::program::{Alternative, Expr, Literal, LogSort, NameId, Node, Offer, OfferTo, Parameter, Slot, Step, Type};
use super::Script;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, At, Does, DutyBy, ExprKind, Name, Tags};

type Tagged<'d> = (Span, Option<&'d Tags>);

impl<'d> Script<'_, 'd> {
    pub(super) fn offer(&mut self, to: &'d tree::OfferTo, breach: Option<&'d Name>, tagged: Tagged<'d>, alternatives: &'d [At<tree::Alternative>]) {
        if !self.may_stop("an offer", tagged.0) {
            return;
        }
        let stands_for = breach.and_then(|breach| {
            let id = self.breach(breach)?;
            Some((id, self.stands_for(to, breach)?))
        });
        let to = match to {
            tree::OfferTo::Seat(seat) => self.expected(seat, &Type::Seat).map(OfferTo::Seat),
            tree::OfferTo::Each { name, of, any_order } => self.each_of(name, of, *any_order),
        };
        self.stop(false, to, stands_for, tagged, alternatives);
    }

    pub(super) fn duty(&mut self, by: &'d DutyBy, tagged: Tagged<'d>, alternatives: &'d [At<tree::Alternative>]) {
        if !self.may_stop("a duty", tagged.0) {
            return;
        }
        let to = match by {
            DutyBy::Nobody => Some(OfferTo::Nobody),
            DutyBy::Each { name, of, any_order } => self.each_of(name, of, *any_order),
            DutyBy::Seat { name, arguments } => {
                let seat = At::new(Box::new(ExprKind::Name { name: name.clone(), arguments: arguments.clone() }), name.span);
                self.expected(&seat, &Type::Seat).map(OfferTo::Seat)
            }
        };
        self.stop(true, to, None, tagged, alternatives);
    }

    fn each_of(&mut self, name: &'d Name, of: &'d tree::Expr, any_order: bool) -> Option<OfferTo> {
        let of = self.expected(of, &Type::Seat.set());
        let seat = self.declare(name, Type::Seat);
        let done = self.locals.fresh();
        Some(OfferTo::Each { seat, of: of?, any_order, done })
    }

    /// `offer p else B`: p then stands for the seat that acts, so it must be a name of this script.
    fn stands_for(&mut self, to: &'d tree::OfferTo, breach: &Name) -> Option<Slot> {
        if let tree::OfferTo::Seat(seat) = to
            && let ExprKind::Name { name, arguments: None } = &*seat.it
            && let Some(local) = self.locals.find(&name.it)
        {
            return Some(local.slot);
        }
        let help = "write `offer p else BREACH`, where p is the seat of a loop or of a `let`";
        self.wrong(Code::WrongKind, "whoever acts in this seat's place needs a name to go by", breach.span, help);
        None
    }

    fn stop(
        &mut self,
        duty: bool,
        to: Option<OfferTo>,
        breach: Option<(NameId, Slot)>,
        (span, tags): Tagged<'d>,
        alternatives: &'d [At<tree::Alternative>],
    ) {
        let source = tags.and_then(|tags| self.source(span, tags));
        // Nobody has acted yet.
        let again = if let Some(OfferTo::Each { done, .. }) = &to {
            self.emit(Step::Let(*done, Expr { node: Box::new(Node::Literal(Literal::Nothing)), span }), span, None);
            Some(self.here())
        } else {
            None
        };
        let id = self.making.offers;
        self.making.offers += 1;
        let offer = Offer { id, duty, to: to.unwrap_or(OfferTo::Nobody), breach, alternatives: Vec::new(), loops: self.loops.clone(), next: 0 };
        let step = self.emit(Step::Offer(Box::new(offer)), span, source);
        let mut made = Vec::new();
        let mut ends = Vec::new();
        for alternative in alternatives {
            let place = alternative.span;
            made.extend(self.scoped(|script| script.alternative(alternative)));
            match again {
                Some(again) => self.jump(again, place),
                None => ends.push(self.emit(Step::Goto(0), place, None)),
            }
        }
        for end in ends {
            self.land(end);
        }
        let next = self.here();
        let takes = breach.map(|(id, _)| self.breach_takes(id)).unwrap_or_default();
        for (name, slot_of) in takes {
            for alternative in made.iter().filter(|alternative| !alternative.parameters.iter().any(|known| known.name == name)) {
                let place = alternative.from.span;
                self.fault(lacks(&name, &slot_of, place));
            }
        }
        if let Some(Step::Offer(offer)) = self.code.steps.get_mut(step) {
            offer.alternatives = made;
            offer.next = next;
        }
    }

    fn alternative(&mut self, written: &'d At<tree::Alternative>) -> Option<Alternative> {
        let it = &written.it;
        let act = self.making.compiler.signatures.log_name(&it.act.it);
        let mut parameters = Vec::new();
        for parameter in it.parameters.iter().flatten() {
            parameters.extend(self.making.compiler.act_parameter(parameter, &mut self.locals));
        }
        let when = it.when.as_ref().and_then(|when| self.truth(when));
        let heard = it.heard.as_ref().and_then(|heard| self.any(heard)).map(|(heard, _)| heard);
        let regular = it.regular.as_ref().and_then(|regular| self.truth(regular));
        let breach = it.breach.as_ref().and_then(|name| {
            let id = self.breach(name)?;
            for (argument, breach) in self.breach_takes(id) {
                if !parameters.iter().any(|known: &Parameter| known.name == argument) {
                    self.fault(lacks(&argument, &breach, name.span));
                }
            }
            Some(id)
        });
        let does = self.here();
        match &it.does {
            Does::Block(block) => self.block(block),
            Does::Deed(deed) => self.deed(&deed.it, deed.span, &it.tags),
        }
        let from = self.provenance(written.span, &it.tags);
        Some(Alternative { act: act?, parameters, when, heard, regular, breach, irregular: it.irregular, does, from })
    }

    fn breach(&mut self, name: &Name) -> Option<NameId> {
        let found = self.making.compiler.signatures.names.iter().position(|known| known.name == name.it && known.sort == LogSort::Breach);
        if found.is_none() {
            let fault = self.making.compiler.names.scope.missing(name, &[crate::rules::place::Sort::Breach], "a breach");
            self.fault(fault);
        }
        found
    }

    /// What a breach takes from the act, each with the name of the breach. A seat that the act has not is who acted.
    fn breach_takes(&mut self, id: NameId) -> Vec<(String, String)> {
        let name = self.making.compiler.signatures.names.get(id).map(|known| known.name.clone()).unwrap_or_default();
        let takes = self.making.compiler.arguments_of(id).into_iter().filter(|(_, kind)| *kind != Type::Seat);
        takes.map(|(argument, _)| (argument, name.clone())).collect()
    }
}

fn lacks(argument: &str, breach: &str, span: Span) -> Diagnostic {
    let message = format!("the breach `{breach}` takes `{argument}`, and the act has no argument of that name");
    Diagnostic::new(Code::UnknownName, message, span).with_help("a breach takes over the arguments of the act that have the same names")
}
