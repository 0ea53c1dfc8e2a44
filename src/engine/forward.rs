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
use crate::rules::table::program::{Alternative, Offer};

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

impl Eval<'_> {
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
