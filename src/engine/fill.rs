//! Written arguments at a stop: what was left out is filled in, and like pieces are told apart. Clause 5.18.

use super::eval::{Eval, Found};
use super::game::Game;
use super::state::{Arguments, State};
use super::stops::standing;
use super::trouble::Trouble;
use super::value::{Truth, UNSEEN, Value};
use super::words::{Given, Words};
use crate::rules::table::program::{Domain, Expr, HookBy, HookId, Node, Parameter, PieceFace, PieceId, SeatId, Slot, Type};

impl Eval<'_> {
    /// Arguments with nothing left open, set in their slots; `None`: they cannot be meant here.
    fn fill(&mut self, words: &Words<'_>, parameters: &[Parameter], given: &[Given], by: Option<SeatId>) -> Found<Option<Arguments>> {
        let mut arguments = Arguments::new();
        for (parameter, given) in parameters.iter().zip(given) {
            let value = match given {
                Given::Value(value) => Some(value.clone()),
                Given::Left => match (&parameter.domain, &parameter.kind, by) {
                    (Domain::Fixed(expr), _, _) => Some(self.value(expr)?),
                    (_, Type::Seat, Some(by)) => Some(Value::Seat(by)),
                    _ => None,
                },
                Given::Pieces { faces, many } => self.which(words, &parameter.domain, faces, *many)?,
            };
            let Some(value) = value else { return Ok(None) };
            self.set_local(parameter.slot, value.clone());
            arguments.push(value);
        }
        Ok(Some(arguments))
    }

    /// Which pieces are meant: of several alike one that can be meant here, and for `?` one that nobody has seen.
    fn which(&mut self, words: &Words<'_>, domain: &Domain, faces: &[Option<(usize, PieceFace)>], many: bool) -> Found<Option<Value>> {
        let there = self.pieces_of(domain)?;
        let mut used: Vec<PieceId> = Vec::new();
        for face in faces {
            let among = |piece: &PieceId| there.as_ref().is_some_and(|there| there.contains(piece));
            let fresh = |piece: &PieceId| !used.contains(piece);
            let piece = match face {
                None => there.iter().flatten().copied().filter(|piece| *piece >= UNSEEN).find(fresh),
                Some((kind, face)) => {
                    let copies = || words.copies(*kind, *face).filter(fresh);
                    // One that lies nowhere may be one that nobody has seen.
                    copies().find(among).or_else(|| copies().find(|piece| self.state.piles.at(*piece).is_none())).or_else(|| copies().next())
                }
            };
            let Some(piece) = piece else { return Ok(None) };
            used.push(piece);
        }
        Ok(if many { Some(super::eval::set_from(used.into_iter().map(Value::Piece).collect())) } else { used.first().copied().map(Value::Piece) })
    }

    /// The pieces that a domain names; `None`: it names none in particular.
    fn pieces_of(&mut self, domain: &Domain) -> Found<Option<Vec<PieceId>>> {
        let set: &Expr = match domain {
            Domain::In(set) | Domain::Subsets(set, _, _) | Domain::Fixed(set) => set,
            Domain::All | Domain::Range(..) => return Ok(None),
        };
        let value = self.value(set)?;
        let items = if value.piece().is_some() {
            vec![value]
        } else {
            let Some(items) = self.items(set)? else { return Ok(None) };
            items.collect()
        };
        Ok(Some(items.iter().filter_map(Value::piece).collect()))
    }
}

/// Fills in the arguments of an alternative of the stop, for a seat.
pub(super) fn alternative(
    game: &Game,
    state: &State,
    words: &Words<'_>,
    position: usize,
    by: Option<SeatId>,
    given: &[Given],
) -> Result<Option<Arguments>, Trouble> {
    let Some((offer, _)) = standing(game, state) else { return Ok(None) };
    let Some(alternative) = offer.alternatives.get(position) else { return Ok(None) };
    super::apply::looking(game, state, |eval| {
        if eval.take_turn(offer, by)?.is_none() {
            return Ok(None);
        }
        eval.fill(words, &alternative.parameters, given, by)
    })
}

/// Fills in the arguments of an event or a right, and says whether it is possible with them.
pub(super) fn hook(
    game: &Game,
    state: &State,
    words: &Words<'_>,
    hook: HookId,
    by: Option<SeatId>,
    given: &[Given],
) -> Result<Option<Arguments>, Trouble> {
    let Some(raised) = game.program.hooks.get(hook) else { return Ok(None) };
    super::apply::looking(game, state, |eval| {
        let start = eval.locals.len();
        eval.locals.resize(start + usize::from(raised.slots).max(raised.parameters.len()), Value::Unknown);
        eval.base = start;
        let Some(arguments) = eval.fill(words, &raised.parameters, given, by)? else { return Ok(None) };
        for (parameter, value) in raised.parameters.iter().zip(&arguments) {
            if eval.admits(parameter, value)? == Truth::No {
                return Ok(None);
            }
        }
        Ok((eval.hook_possible(hook, by)? != Truth::No).then_some(arguments))
    })
}

/// The argument of an event or a right that is the seat which acts.
pub(super) fn seat_that_acts(by: &HookBy) -> Option<Slot> {
    match by {
        HookBy::Slot(slot) => Some(*slot),
        HookBy::Of(of) => {
            if let Node::Local(slot) = *of.node {
                Some(slot)
            } else {
                None
            }
        }
        HookBy::Anybody => None,
    }
}
