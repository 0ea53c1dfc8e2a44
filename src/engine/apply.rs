//! An act is done, or refused. Clauses 5.2 to 5.5 and 5.7.

use super::eval::{Eval, Found};
use super::game::Game;
use super::machine::Machine;
use super::memo::Memo;
use super::ruling::Ruling;
use super::state::{Arguments, State, Stop};
use super::stops::{Act, Choice, What, standing};
use super::trace::Note;
use super::trouble::Trouble;
use super::value::{Truth, UNSEEN, Value};
use super::{Mode, Orders};
use crate::rules::table::program::{Alternative, Domain, NameId, Offer, OfferTo, SeatId, Type};

/// Why an act was not done. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It cannot be done at this stop.
    Impossible,
    /// It is possible and not regular, and the mode prevents that. The breach it would be, and the questions that forbid it, with their rules.
    Irregular { breach: Option<NameId>, rulings: Vec<Ruling> },
    /// What it would take to tell whether it can be done is itself in trouble.
    Trouble(Trouble),
}

/// How an act looks before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Looked {
    pub possible: Truth,
    pub regular: Truth,
    pub breach: Option<NameId>,
    /// Pieces that nobody had seen and that the act names.
    pub revealed: Vec<(u8, u8)>,
}

impl Eval<'_> {
    /// Sets the arguments of an alternative and looks whether it is possible and regular.
    pub(super) fn look(&mut self, offer: &Offer, alternative: &Alternative, by: Option<SeatId>, arguments: &[Value]) -> Found<Looked> {
        let mut looked = Looked { possible: Truth::No, regular: Truth::No, breach: alternative.breach, revealed: Vec::new() };
        let Some(in_turn) = self.take_turn(offer, by)? else { return Ok(looked) };
        if alternative.parameters.len() != arguments.len() {
            return Ok(looked);
        }
        let mut possible = Truth::Yes;
        for (parameter, value) in alternative.parameters.iter().zip(arguments) {
            match self.admits(parameter, value)? {
                Truth::No => return Ok(looked),
                Truth::Unknown => {
                    possible = Truth::Unknown;
                    self.reveal(&parameter.domain, value, &mut looked.revealed)?;
                }
                Truth::Yes => {}
            }
            self.set_local(parameter.slot, value.clone());
        }
        match alternative.when.as_ref().map_or(Ok(Truth::Yes), |when| self.truth(when))? {
            Truth::No => return Ok(looked),
            Truth::Unknown => possible = Truth::Unknown,
            Truth::Yes => {}
        }
        looked.possible = possible;
        looked.regular = self.regular(alternative)?;
        if !in_turn {
            looked.regular = Truth::No;
            looked.breach = offer.breach.map(|(breach, _)| breach);
        }
        Ok(looked)
    }

    /// Sets the variable of an offer to who acts: whether it is his turn; `None`: he cannot act here.
    pub(super) fn take_turn(&mut self, offer: &Offer, by: Option<SeatId>) -> Found<Option<bool>> {
        let mut turn = None;
        self.turns(offer, &mut |_, waiting| {
            let his = waiting == by;
            if his {
                turn = Some(true);
            }
            Ok(!his)
        })?;
        if let (None, Some((_, slot)), Some(by)) = (turn, offer.breach, by)
            && self.state.seated >> by & 1 == 1
        {
            self.set_local(slot, Value::Seat(by));
            return Ok(Some(false));
        }
        Ok(turn)
    }

    /// Written pieces that lie nowhere yet are among those that nobody has seen.
    fn reveal(&mut self, domain: &Domain, value: &Value, revealed: &mut Vec<(u8, u8)>) -> Found<()> {
        let (Domain::In(set) | Domain::Subsets(set, _, _)) = domain else { return Ok(()) };
        let Some(items) = self.items(set)? else { return Ok(()) };
        let mut unseen = items.collect().into_iter().filter_map(|item| item.piece().filter(|piece| *piece >= UNSEEN));
        let named = if value.piece().is_some() { vec![value.clone()] } else { super::eval::members(value) };
        for face in named {
            if let Value::Piece(face) = face
                && face < UNSEEN
                && self.state.piles.at(face).is_none()
                && let Some(piece) = unseen.next()
            {
                revealed.push((piece, face));
            }
        }
        Ok(())
    }
}

/// An evaluation in the innermost frame of a state, on locals of its own.
pub(super) fn looking<T>(game: &Game, state: &State, work: impl FnOnce(&mut Eval<'_>) -> Found<T>) -> Found<T> {
    let (mut locals, mut memo) = (state.locals.clone(), Memo::default());
    let base = state.frames.last().map_or(0, |frame| frame.base);
    let mut eval = Eval::new(game, state, &mut locals, &mut memo, base);
    work(&mut eval)
}

/// Does an act in place.
///
/// # Errors
/// The act is impossible, or irregular in mode `prevent`; the state is as it was.
pub fn act(
    game: &Game,
    state: &mut State,
    act: &Act,
    marked: Option<NameId>,
    mode: Mode,
    orders: &mut dyn Orders,
    notes: Option<&mut Vec<Note>>,
) -> Result<(), Refused> {
    match act.what {
        What::Hook(hook) => {
            let possible = looking(game, state, |eval| {
                let start = eval.locals.len();
                eval.locals.extend(act.arguments.iter().cloned());
                let slots = game.program.hooks.get(hook).map_or(0, |hook| usize::from(hook.slots));
                eval.locals.resize((start + slots).max(eval.locals.len()), Value::Unknown);
                eval.base = start;
                let Some(raised) = game.program.hooks.get(hook) else { return Ok(Truth::No) };
                for (parameter, value) in raised.parameters.iter().zip(&act.arguments) {
                    if eval.admits(parameter, value)? == Truth::No {
                        return Ok(Truth::No);
                    }
                }
                eval.hook_possible(hook, act.by)
            });
            match possible {
                Ok(Truth::No) => return Err(Refused::Impossible),
                Ok(Truth::Yes | Truth::Unknown) => {}
                Err(trouble) => return Err(Refused::Trouble(trouble)),
            }
            Machine::run(game, state, orders, notes, |machine| {
                machine.state.actor = act.by;
                machine.raise(hook, act.by, act.arguments.clone(), true)
            });
            Ok(())
        }
        What::Alternative(position) => {
            let Some((offer, base)) = standing(game, state) else { return Err(Refused::Impossible) };
            let Some(alternative) = offer.alternatives.get(position) else { return Err(Refused::Impossible) };
            let looked = looking(game, state, |eval| eval.look(offer, alternative, act.by, &act.arguments)).map_err(Refused::Trouble)?;
            if looked.possible == Truth::No {
                return Err(Refused::Impossible);
            }
            if looked.regular == Truth::No && mode == Mode::Prevent {
                return Err(Refused::Irregular { breach: looked.breach, rulings: forbidding(game, state, offer, alternative, act) });
            }
            let breach = match looked.regular {
                Truth::Yes => None,
                Truth::No => looked.breach,
                Truth::Unknown => marked,
            };
            for (unseen, face) in looked.revealed {
                state.bind(unseen, face);
            }
            Machine::run(game, state, orders, notes, |machine| machine.take(base, offer, alternative, act, breach));
            Ok(())
        }
    }
}

/// The questions that make an act irregular, as they are ruled on.
fn forbidding(game: &Game, state: &State, offer: &Offer, alternative: &Alternative, act: &Act) -> Vec<Ruling> {
    let rulings = looking(game, state, |eval| {
        eval.look(offer, alternative, act.by, &act.arguments)?;
        eval.notes = Some(Vec::new());
        eval.regular(alternative)?;
        Ok(eval.notes.take().unwrap_or_default())
    });
    rulings.unwrap_or_default()
}

impl Machine<'_> {
    /// The act is done: it stands in the log, and its deed begins.
    pub(super) fn take(&mut self, base: usize, offer: &Offer, alternative: &Alternative, act: &Act, breach: Option<NameId>) -> Found<()> {
        self.state.actor = act.by.or(self.state.actor);
        self.name_pieces(&act.arguments)?;
        if let (OfferTo::Each { seat, done, .. }, Some(by)) = (&offer.to, act.by) {
            let acted = self.locals.get(base + usize::from(*done)).and_then(Value::mask).unwrap_or(0);
            self.set(base, *done, Value::Seats(acted | 1 << by));
            self.set(base, *seat, Value::Seat(by));
        }
        if let (Some((_, slot)), Some(by)) = (offer.breach, act.by) {
            let turn = self.locals.get(base + usize::from(slot)).cloned().unwrap_or(Value::Unknown);
            if turn != Value::Seat(by)
                && let Some(frame) = self.state.frames.last_mut()
            {
                frame.aside = Some((frame.step, turn));
            }
            self.set(base, slot, Value::Seat(by));
        }
        for (parameter, value) in alternative.parameters.iter().zip(&act.arguments) {
            self.set(base, parameter.slot, value.clone());
        }
        self.log(alternative.act, act.by, act.arguments.clone());
        // Out of turn, and what it would not have been in turn either: both breaches.
        let besides = match breach {
            Some(breach) if offer.breach.is_some_and(|(aside, _)| aside == breach) => alternative.breach.filter(|own| *own != breach),
            Some(_) | None => None,
        };
        let besides = match besides {
            Some(own) if self.eval(base, |eval| eval.regular(alternative))? == Truth::No => Some(own),
            Some(_) | None => None,
        };
        for breach in breach.into_iter().chain(besides) {
            let arguments = self.breach_arguments(breach, alternative, act);
            self.log(breach, act.by, arguments);
        }
        self.goto(alternative.does);
        Ok(())
    }

    /// A breach has those arguments of the act that have its arguments' names; a seat that it wants besides is who acted.
    fn breach_arguments(&self, breach: NameId, alternative: &Alternative, act: &Act) -> Arguments {
        let wanted = self.game.program.names.get(breach).map_or(&[][..], |name| name.arguments.as_slice());
        let given =
            |name: &str| alternative.parameters.iter().position(|parameter| parameter.name == name).and_then(|at| act.arguments.get(at)).cloned();
        let actor = |kind: &Type| act.by.filter(|_| *kind == Type::Seat).map(Value::Seat);
        wanted.iter().map(|(name, kind)| given(name).or_else(|| actor(kind)).unwrap_or(Value::Unknown)).collect()
    }
}

/// Passes a pause, or does a duty by default: what a record need not say.
///
/// # Errors
/// Somebody must choose here, or play is over.
pub fn go_on(game: &Game, state: &mut State, orders: &mut dyn Orders, notes: Option<&mut Vec<Note>>) -> Result<(), Refused> {
    match state.stop {
        Stop::Pause => {
            Machine::run(game, state, orders, notes, |machine| {
                let at = machine.state.frames.last().map_or(0, |frame| frame.step);
                machine.goto(at + 1);
                Ok(())
            });
            Ok(())
        }
        Stop::Offer => {
            let Some(choice) = default(game, state).map_err(Refused::Trouble)? else { return Err(Refused::Impossible) };
            act(game, state, &choice.act, None, Mode::Adjudicate, orders, notes)
        }
        Stop::Over | Stop::NeedsRuling(_) | Stop::Stuck(_) => Err(Refused::Impossible),
    }
}

/// What is done by default at a duty; `None`: somebody must choose.
///
/// # Errors
/// Trouble in the rulebook while it is worked out.
pub fn default(game: &Game, state: &State) -> Result<Option<Choice>, Trouble> {
    let Some((offer, _)) = standing(game, state).filter(|(offer, _)| offer.duty) else { return Ok(None) };
    let first = looking(game, state, |eval| eval.first_regular(offer))?;
    // In a duty `else B` is what leaving it undone is called.
    Ok(first.map(|(act, alternative)| Choice { act, regular: Truth::Yes, breach: alternative.breach }))
}

/// Leaves a duty undone, where that is a breach that has a name.
///
/// # Errors
/// There is no such duty here.
pub fn leave_undone(
    game: &Game,
    state: &mut State,
    by: Option<SeatId>,
    breach: NameId,
    orders: &mut dyn Orders,
    notes: Option<&mut Vec<Note>>,
) -> Result<(), Refused> {
    let Some((offer, base)) = standing(game, state).filter(|(offer, _)| offer.duty) else { return Err(Refused::Impossible) };
    let left =
        offer.alternatives.iter().any(|alternative| alternative.breach == Some(breach) && alternative.regular.is_none() && !alternative.irregular);
    let his = looking(game, state, |eval| eval.take_turn(offer, by)).map_err(Refused::Trouble)?;
    if !left || his != Some(true) {
        return Err(Refused::Impossible);
    }
    let (to, next) = (&offer.to, offer.next);
    Machine::run(game, state, orders, notes, |machine| {
        machine.state.actor = by.or(machine.state.actor);
        machine.log(breach, by, Arguments::new());
        if let (OfferTo::Each { done, .. }, Some(by)) = (to, by) {
            let acted = machine.locals.get(base + usize::from(*done)).and_then(Value::mask).unwrap_or(0);
            machine.set(base, *done, Value::Seats(acted | 1 << by));
        } else {
            machine.goto(next);
        }
        Ok(())
    });
    Ok(())
}
