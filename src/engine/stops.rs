//! What can be done at a stop: the alternatives of an offer or a duty, the rights that are open, the events that may come. Clauses 5.2 to 5.6.

use smallvec::SmallVec;

use super::eval::{Eval, Found};
use super::game::Game;
use super::machine::{Machine, code};
use super::state::{Arguments, State, Stop};
use super::value::{Truth, Value, seats_of};
use crate::rules::table::program::{Alternative, Domain, Expr, HookBy, HookId, LogSort, NameId, Offer, OfferTo, Parameter, SeatId, Step, Type};

/// Something that can be done at a stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Act {
    pub by: Option<SeatId>,
    pub what: What,
    pub arguments: Arguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// An alternative of the offer or duty, by its position.
    Alternative(usize),
    /// An event, or a right.
    Hook(HookId),
}

/// A possible act, and whether it is regular.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub act: Act,
    /// Unknown: the record must say so.
    pub regular: Truth,
    /// What the log calls it if it is not.
    pub breach: Option<NameId>,
}

/// No more combinations of arguments than this are counted up for one alternative.
const MOST_CHOICES: usize = 20_000;

impl Machine<'_> {
    /// Whether anybody can do anything at an offer; one at which nobody can lapses.
    pub fn somebody_can(&mut self, base: usize, offer: &Offer) -> Found<bool> {
        self.eval(base, |eval| {
            let mut found = false;
            eval.turns(offer, &mut |eval, _| {
                for alternative in &offer.alternatives {
                    eval.combinations(&alternative.parameters, 0, &mut |eval| {
                        found = alternative.when.as_ref().map_or(Ok(Truth::Yes), |when| eval.truth(when))? != Truth::No;
                        Ok(!found)
                    })?;
                    // A number must be written, so there is nothing to count up.
                    found |= alternative.parameters.iter().any(must_be_written);
                    if found {
                        return Ok(false);
                    }
                }
                Ok(true)
            })?;
            Ok(found)
        })
    }
}

/// The first set, as a mask, from this one on that has so many members. Those that have not are skipped, not looked at: of a large hand there
/// are too many.
fn subset_from(first: u64, least: i64, most: i64) -> Option<u64> {
    let (least, most) = (u32::try_from(least.max(0)).ok()?, u32::try_from(most).ok()?);
    if least > most || least > u64::BITS {
        return None;
    }
    let mut mask = first;
    // Whatever lies between has the members of this one, and more.
    while mask.count_ones() > most {
        mask = mask.checked_add(mask & mask.wrapping_neg())?;
    }
    while mask.count_ones() < least {
        mask |= mask.checked_add(1)?;
    }
    Some(mask)
}

fn must_be_written(parameter: &Parameter) -> bool {
    matches!(parameter.domain, Domain::All) && !is_finite(&parameter.kind)
}

fn is_finite(kind: &Type) -> bool {
    match kind {
        Type::Seat | Type::Member(_) | Type::Truth | Type::Piece(_) => true,
        Type::Maybe(of) => is_finite(of),
        Type::Number | Type::Set(_) | Type::List(_) | Type::None | Type::Nothing | Type::Entry(_) | Type::Entered(_) | Type::Account => false,
        Type::Ranking { .. } | Type::Text => false,
    }
}

/// The offer at which a state stands.
pub(super) fn standing<'g>(game: &'g Game, state: &State) -> Option<(&'g Offer, usize)> {
    if state.stop != Stop::Offer {
        return None;
    }
    let frame = state.frames.last()?;
    let step = code(game, frame.script)?.steps.get(frame.step)?;
    if let Step::Offer(offer) = step { Some((offer, frame.base)) } else { None }
}

impl Eval<'_> {
    /// Calls back for every seat whose turn it is at an offer (`None`: the table), with the offer's variable set.
    pub fn turns(&mut self, offer: &Offer, visit: &mut dyn FnMut(&mut Self, Option<SeatId>) -> Found<bool>) -> Found<()> {
        match &offer.to {
            OfferTo::Nobody => {
                visit(self, None)?;
            }
            OfferTo::Seat(expr) => {
                let to = self.value(expr)?;
                if let Some(seat) = to.seat() {
                    visit(self, Some(seat))?;
                } else if to != Value::None {
                    return self.fault(super::trouble::FaultKind::Unknown, expr.span);
                }
            }
            OfferTo::Each { seat, of, any_order, done } => {
                let Some(all) = self.seats(of)? else { return self.fault(super::trouble::FaultKind::Unknown, of.span) };
                let acted = self.local(*done).mask().unwrap_or(0);
                for waiting in seats_of(all & !acted) {
                    self.set_local(*seat, Value::Seat(waiting));
                    if !visit(self, Some(waiting))? || !any_order {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Every combination of arguments that the domains allow, set in their slots. `visit` says whether to go on.
    pub fn combinations(&mut self, parameters: &[Parameter], at: usize, visit: &mut dyn FnMut(&mut Self) -> Found<bool>) -> Found<bool> {
        let Some(parameter) = parameters.get(at) else { return visit(self) };
        let mut again = |eval: &mut Self, value: Value| {
            eval.set_local(parameter.slot, value);
            eval.combinations(parameters, at + 1, visit)
        };
        match &parameter.domain {
            Domain::Fixed(expr) => {
                let value = self.value(expr)?;
                again(self, value)
            }
            Domain::In(expr) => {
                let Some(items) = self.items(expr)? else { return Ok(true) };
                for item in items.collect() {
                    if !again(self, item)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Domain::Range(from, to) => {
                let (Some(from), Some(to)) = (self.number(from)?, self.number(to)?) else { return Ok(true) };
                for number in (from..=to).take(MOST_CHOICES) {
                    if !again(self, Value::Number(number))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Domain::Subsets(of, least, most) => {
                let (Some(items), Some(least), Some(most)) = (self.items(of)?, self.number(least)?, self.number(most)?) else { return Ok(true) };
                let items = items.collect();
                let sets = 1u64.checked_shl(u32::try_from(items.len()).unwrap_or(u32::MAX)).unwrap_or(u64::MAX);
                let from = |first: u64| subset_from(first, least, most).filter(|chosen| *chosen < sets);
                for chosen in std::iter::successors(from(0), |chosen| from(chosen + 1)).take(MOST_CHOICES) {
                    let members = items.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, item)| item.clone()).collect();
                    if !again(self, super::eval::set_from(members))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Domain::All => {
                for value in self.all_of(&parameter.kind) {
                    if !again(self, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Every value of a finite type.
    pub(super) fn all_of(&self, kind: &Type) -> Vec<Value> {
        match kind {
            Type::Seat => seats_of(self.state.seated).map(Value::Seat).collect(),
            Type::Truth => vec![Value::Truth(true), Value::Truth(false)],
            Type::Member(kind) => {
                let count = self.game.program.kinds.get(*kind).map_or(0, |kind| kind.members.len());
                (0..=u8::MAX).take(count).map(Value::Member).collect()
            }
            Type::Piece(kind) => {
                let of_kind = self.game.program.pieces.iter().zip(0u8..).filter(|(piece, _)| piece.kind == *kind);
                of_kind.map(|(_, piece)| Value::Piece(piece)).collect()
            }
            Type::Maybe(of) => std::iter::once(Value::None).chain(self.all_of(of)).collect(),
            Type::Number | Type::Set(_) | Type::List(_) | Type::None | Type::Nothing | Type::Entry(_) | Type::Entered(_) => Vec::new(),
            Type::Account | Type::Ranking { .. } | Type::Text => Vec::new(),
        }
    }

    /// Whether a value, which a record may give, lies in the domain of a parameter. The slots of earlier parameters are set.
    pub fn admits(&mut self, parameter: &Parameter, value: &Value) -> Found<Truth> {
        match &parameter.domain {
            Domain::All => Ok(Truth::from(self.is_of_type(&parameter.kind, value))),
            Domain::Fixed(expr) => {
                let wanted = self.value(expr)?;
                Ok(self.same(&wanted, value))
            }
            Domain::Range(from, to) => {
                let (Some(from), Some(to)) = (self.number(from)?, self.number(to)?) else { return Ok(Truth::Unknown) };
                Ok(Truth::from(matches!(value, Value::Number(number) if (from..=to).contains(number))))
            }
            Domain::In(expr) => self.holds_item(expr, value),
            Domain::Subsets(of, least, most) => {
                let members = super::eval::members(value);
                let (Some(least), Some(most)) = (self.number(least)?, self.number(most)?) else { return Ok(Truth::Unknown) };
                if !i64::try_from(members.len()).is_ok_and(|count| (least..=most).contains(&count)) {
                    return Ok(Truth::No);
                }
                let mut all = Truth::Yes;
                for member in members {
                    match self.holds_item(of, &member)? {
                        Truth::No => return Ok(Truth::No),
                        Truth::Unknown => all = Truth::Unknown,
                        Truth::Yes => {}
                    }
                }
                Ok(all)
            }
        }
    }

    /// Whether a set or place holds a value. A piece that lies nowhere yet may be one that nobody has seen.
    fn holds_item(&mut self, set: &Expr, value: &Value) -> Found<Truth> {
        let Some(items) = self.items(set)? else { return Ok(Truth::Unknown) };
        let mut found = Truth::No;
        for item in items.collect() {
            match self.same(&item, value) {
                Truth::Yes => return Ok(Truth::Yes),
                Truth::Unknown => found = Truth::Unknown,
                Truth::No => {}
            }
        }
        Ok(found)
    }

    fn is_of_type(&self, kind: &Type, value: &Value) -> bool {
        match (kind, value) {
            (Type::Number, Value::Number(_)) | (Type::Truth, Value::Truth(_)) | (Type::Text, Value::Text(_)) => true,
            (Type::Seat, Value::Seat(seat)) => self.state.seated >> seat & 1 == 1,
            (Type::Member(kind), Value::Member(member)) => {
                self.game.program.kinds.get(*kind).is_some_and(|kind| usize::from(*member) < kind.members.len())
            }
            (Type::Piece(kind), Value::Piece(piece)) => self.game.program.pieces.get(usize::from(*piece)).is_some_and(|piece| piece.kind == *kind),
            (Type::Account, Value::Account(_)) | (Type::Maybe(_), Value::None) => true,
            (Type::Maybe(of), value) => self.is_of_type(of, value),
            (Type::Set(of) | Type::List(of), value) => super::eval::members(value).iter().all(|member| self.is_of_type(of, member)),
            (
                Type::Number
                | Type::Truth
                | Type::Text
                | Type::Seat
                | Type::Member(_)
                | Type::Piece(_)
                | Type::None
                | Type::Nothing
                | Type::Entry(_)
                | Type::Entered(_)
                | Type::Account
                | Type::Ranking { .. },
                _,
            ) => false,
        }
    }

    /// Whether the alternative whose arguments are set is regular.
    pub fn regular(&mut self, alternative: &Alternative) -> Found<Truth> {
        if alternative.irregular {
            return Ok(Truth::No);
        }
        match &alternative.regular {
            None => Ok(Truth::Yes),
            Some(regular) => match self.truth(regular) {
                Ok(truth) => Ok(truth),
                // Where the book is silent nobody can say that it is regular; where rules collide, nobody can say at all.
                Err(super::trouble::Trouble::Unruled(unruled)) => {
                    Ok(if unruled.why == super::trouble::Why::Silent { Truth::No } else { Truth::Unknown })
                }
                Err(trouble @ super::trouble::Trouble::Fault(_)) => Err(trouble),
            },
        }
    }

    /// Every possible act of an offer, with its regularity.
    pub fn choices(&mut self, offer: &Offer, found: &mut Vec<Choice>) -> Found<()> {
        self.turns(offer, &mut |eval, by| {
            for (position, alternative) in offer.alternatives.iter().enumerate() {
                let first = found.len();
                eval.combinations(&alternative.parameters, 0, &mut |eval| {
                    let possible = alternative.when.as_ref().map_or(Ok(Truth::Yes), |when| eval.truth(when))?;
                    if possible != Truth::No {
                        let arguments: Arguments = alternative.parameters.iter().map(|parameter| eval.local(parameter.slot).clone()).collect();
                        let regular = eval.regular(alternative)?;
                        let act = Act { by, what: What::Alternative(position), arguments };
                        found.push(Choice { act, regular, breach: alternative.breach });
                    }
                    Ok(found.len() - first < MOST_CHOICES)
                })?;
            }
            Ok(true)
        })
    }

    /// Seats that may do something under a right, or report an event, with these arguments in the frame.
    pub fn hook_possible(&mut self, hook: HookId, by: Option<SeatId>) -> Found<Truth> {
        let Some(raised) = self.game.program.hooks.get(hook) else { return Ok(Truth::No) };
        if !self.is_open(hook) {
            return Ok(Truth::No);
        }
        let may = match &raised.by {
            HookBy::Anybody => Truth::Yes,
            HookBy::Slot(slot) => {
                let wanted = self.local(*slot).clone();
                by.map_or(Truth::No, |by| self.same(&wanted, &Value::Seat(by)))
            }
            HookBy::Of(of) => match (self.seats(of)?, by) {
                (Some(seats), Some(by)) => Truth::from(seats >> by & 1 == 1),
                (Some(_), None) => Truth::No,
                (None, _) => Truth::Unknown,
            },
        };
        if may == Truth::No {
            return Ok(Truth::No);
        }
        let possible = raised.possible.as_ref().map_or(Ok(Truth::Yes), |possible| self.truth(possible))?;
        Ok(if possible == Truth::Yes { may } else { possible })
    }

    /// Whether one of the procedures during which it may come is open.
    pub fn is_open(&self, hook: HookId) -> bool {
        let Some(raised) = self.game.program.hooks.get(hook) else { return false };
        let sort = self.game.program.names.get(raised.name).map(|name| name.sort);
        let from_outside = matches!(sort, Some(LogSort::Event | LogSort::Right));
        from_outside && (raised.during.is_empty() || raised.during.iter().any(|procedure| self.state.mark(*procedure).open > 0))
    }

    /// Every right that is open, or every event that may come, for every combination of its arguments.
    pub fn hook_choices(&mut self, hook: HookId, found: &mut Vec<Choice>) -> Found<()> {
        let Some(raised) = self.game.program.hooks.get(hook) else { return Ok(()) };
        if !self.is_open(hook) || raised.parameters.iter().any(must_be_written) {
            return Ok(());
        }
        let start = self.locals.len();
        let slots = usize::from(raised.slots).max(raised.parameters.len());
        self.locals.resize(start + slots, Value::Unknown);
        let base = std::mem::replace(&mut self.base, start);
        let seated: SmallVec<[Option<SeatId>; 8]> = match raised.by {
            HookBy::Anybody => std::iter::once(None).collect(),
            HookBy::Slot(_) | HookBy::Of(_) => seats_of(self.state.seated).map(Some).collect(),
        };
        let first = found.len();
        self.combinations(&raised.parameters, 0, &mut |eval| {
            for by in &seated {
                if eval.hook_possible(hook, *by)? == Truth::Yes {
                    let arguments: Arguments = raised.parameters.iter().map(|parameter| eval.local(parameter.slot).clone()).collect();
                    found.push(Choice { act: Act { by: *by, what: What::Hook(hook), arguments }, regular: Truth::Yes, breach: None });
                }
            }
            Ok(found.len() - first < MOST_CHOICES)
        })?;
        self.leave(base);
        Ok(())
    }
}
