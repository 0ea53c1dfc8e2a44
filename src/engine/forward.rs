//! From choice to choice without a detour: what programs that play millions of deals call.
//!
//! Nothing here is decided otherwise than by [`act`](super::act) and [`go_on`](super::go_on); what those look at twice is looked at once, and in
//! place.

use smallvec::SmallVec;

use super::Orders;
use super::eval::{Eval, Found};
use super::game::Game;
use super::machine::Machine;
use super::state::{Arguments, State, Stop};
use super::stops::{Act, Choice, What, standing};
use super::trouble::Trouble;
use super::value::{Truth, Value};
use crate::rules::table::program::{Alternative, Domain, Offer, OfferTo, Parameter, SeatId};

/// An evaluation in the innermost frame on the state's own locals. They come back as they were: equal positions are equal states, however
/// somebody looked at them.
pub(super) fn in_place<T>(game: &Game, state: &mut State, work: impl FnOnce(&mut Eval<'_>) -> Found<T>) -> Found<T> {
    let (mut locals, mut memo) = (std::mem::take(&mut state.locals), std::mem::take(&mut state.memo));
    let base = state.frames.last().map_or(0, |frame| frame.base);
    let before: SmallVec<[Value; 16]> = locals.iter().skip(base).cloned().collect();
    let result = work(&mut Eval::new(game, state, &mut locals, &mut memo, base));
    locals.truncate(base);
    locals.extend(before);
    state.locals = locals;
    state.memo = memo;
    result
}

/// The possible acts of the offer, into a list that is emptied first. As [`offers`](super::offers).
///
/// # Errors
/// Trouble in the rulebook while the acts are worked out.
pub fn choices(game: &Game, state: &mut State, found: &mut Vec<Choice>) -> Result<(), Trouble> {
    found.clear();
    match standing(game, state) {
        Some((offer, _)) => in_place(game, state, |eval| eval.choices(offer, found)),
        None => Ok(()),
    }
}

/// A regular act of the offer by chance, without counting up all there are: somebody whose turn it is, one of the alternatives, then its arguments.
/// `below(n)` is a number from 0 to n - 1. `None`: nothing that can be done is regular.
///
/// # Errors
/// Trouble in the rulebook while the act is worked out.
pub fn pick(game: &Game, state: &mut State, below: &mut dyn FnMut(usize) -> usize) -> Result<Option<Choice>, Trouble> {
    match standing(game, state) {
        Some((offer, _)) => in_place(game, state, |eval| eval.pick(offer, below)),
        None => Ok(None),
    }
}

/// Does one of the acts that [`choices`] or [`offers`](super::offers) gave for this very state, and then whatever comes [`forward`] of itself.
pub fn choose(game: &Game, state: &mut State, choice: &Choice, orders: &mut dyn Orders) {
    let Some((offer, base)) = standing(game, state) else { return };
    let What::Alternative(position) = choice.act.what else { return };
    let Some(alternative) = offer.alternatives.get(position) else { return };
    let breach = choice.breach.filter(|_| choice.regular == Truth::No);
    Machine::run_until(game, state, orders, None, true, |machine| machine.take(base, offer, alternative, &choice.act, breach));
}

/// Does duties by default and passes pauses, until somebody must choose, play is over, or trouble comes.
pub fn forward(game: &Game, state: &mut State, orders: &mut dyn Orders) {
    let begin: fn(&mut Machine<'_>) -> Found<()> = match state.stop {
        Stop::Pause => |machine| {
            let at = machine.state.frames.last().map_or(0, |frame| frame.step);
            machine.goto(at + 1);
            Ok(())
        },
        // The step is looked at once more, as one that is done by default.
        Stop::Offer if standing(game, state).is_some_and(|(offer, _)| offer.duty) => |_| Ok(()),
        Stop::Offer | Stop::Over | Stop::NeedsRuling(_) | Stop::Stuck(_) => return,
    };
    Machine::run_until(game, state, orders, None, true, begin);
}

/// So often an act is drawn before all are counted up.
const TRIES: usize = 64;

impl Eval<'_> {
    fn pick(&mut self, offer: &Offer, below: &mut dyn FnMut(usize) -> usize) -> Found<Option<Choice>> {
        let mut waiting = SmallVec::<[Option<SeatId>; 8]>::new();
        self.turns(offer, &mut |_, by| {
            waiting.push(by);
            Ok(true)
        })?;
        let open: SmallVec<[usize; 8]> =
            offer.alternatives.iter().enumerate().filter(|(_, alternative)| !alternative.irregular).map(|(position, _)| position).collect();
        if waiting.is_empty() || open.is_empty() {
            return Ok(None);
        }
        for _ in 0..TRIES {
            let by = waiting.get(below(waiting.len())).copied().flatten();
            if let (OfferTo::Each { seat, .. }, Some(by)) = (&offer.to, by) {
                self.set_local(*seat, Value::Seat(by));
            }
            let position = open.get(below(open.len())).copied().unwrap_or(0);
            let Some(alternative) = offer.alternatives.get(position) else { continue };
            if !self.draw(&alternative.parameters, below)? {
                continue;
            }
            let possible = alternative.when.as_ref().map_or(Ok(Truth::Yes), |when| self.truth(when))?;
            if possible != Truth::No && self.regular(alternative)? == Truth::Yes {
                let arguments: Arguments = alternative.parameters.iter().map(|parameter| self.local(parameter.slot).clone()).collect();
                let act = Act { by, what: What::Alternative(position), arguments };
                return Ok(Some(Choice { act, regular: Truth::Yes, breach: alternative.breach }));
            }
        }
        let mut all = Vec::new();
        self.choices(offer, &mut all)?;
        all.retain(|choice| choice.regular == Truth::Yes);
        let at = if all.is_empty() { 0 } else { below(all.len()) };
        Ok(all.into_iter().nth(at))
    }

    /// Draws each argument out of its domain, into its slot; whether there was one to draw.
    fn draw(&mut self, parameters: &[Parameter], below: &mut dyn FnMut(usize) -> usize) -> Found<bool> {
        for parameter in parameters {
            let drawn = match &parameter.domain {
                Domain::Fixed(expr) => Some(self.value(expr)?),
                Domain::In(set) => match self.items(set)? {
                    Some(items) if items.len() > 0 => {
                        let at = below(items.len());
                        items.at(at)
                    }
                    Some(_) | None => None,
                },
                Domain::Range(from, to) => match (self.number(from)?, self.number(to)?) {
                    (Some(from), Some(to)) if from <= to => {
                        let count = usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX).saturating_add(1);
                        i64::try_from(below(count)).ok().and_then(|above| from.checked_add(above)).map(Value::Number)
                    }
                    (_, _) => None,
                },
                Domain::Subsets(of, least, most) => match (self.items(of)?, self.number(least)?, self.number(most)?) {
                    (Some(items), Some(least), Some(most)) => subset(items.collect(), least, most, below),
                    (_, _, _) => None,
                },
                Domain::All => {
                    let all = self.all_of(&parameter.kind);
                    if all.is_empty() { None } else { all.get(below(all.len())).cloned() }
                }
            };
            let Some(drawn) = drawn else { return Ok(false) };
            self.set_local(parameter.slot, drawn);
        }
        Ok(true)
    }

    /// The first act of a duty that is regular.
    pub(super) fn first_regular<'o>(&mut self, offer: &'o Offer) -> Found<Option<(Act, &'o Alternative)>> {
        let mut found = None;
        self.turns(offer, &mut |eval, by| {
            for (position, alternative) in offer.alternatives.iter().enumerate().filter(|(_, alternative)| !alternative.irregular) {
                eval.combinations(&alternative.parameters, 0, &mut |eval| {
                    let possible = alternative.when.as_ref().map_or(Ok(Truth::Yes), |when| eval.truth(when))?;
                    if possible != Truth::No && eval.regular(alternative)? == Truth::Yes {
                        let arguments: Arguments = alternative.parameters.iter().map(|parameter| eval.local(parameter.slot).clone()).collect();
                        found = Some((Act { by, what: What::Alternative(position), arguments }, alternative));
                    }
                    Ok(found.is_none())
                })?;
                if found.is_some() {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        Ok(found)
    }
}

/// A set of these items: first how many, then which.
fn subset(mut items: Vec<Value>, least: i64, most: i64, below: &mut dyn FnMut(usize) -> usize) -> Option<Value> {
    let most = usize::try_from(most).ok()?.min(items.len());
    let least = usize::try_from(least.max(0)).ok()?;
    let count = least + below(most.checked_sub(least)? + 1);
    for at in 0..count {
        let other = at + below(items.len() - at);
        items.swap(at, other);
    }
    items.truncate(count);
    Some(super::eval::set_from(items))
}
