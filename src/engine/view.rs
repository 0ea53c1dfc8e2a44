//! What a seat may know. Decision D11, clauses 4.2, 4.3 and 4.9.

use super::apply::looking;
use super::deeds::owner_of;
use super::game::Game;
use super::state::State;
use super::trouble::Trouble;
use super::value::{Truth, UNSEEN, Value, seats_of};
use crate::rules::table::program::{PieceId, SeatId, Seen, SeenBy};

/// The table as one seat sees it. Two states that differ only in what he may not know give equal views.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub seat: SeatId,
    /// By place cell, bottom first; `None`: a piece of which he sees only that it is there.
    pub places: Vec<Vec<Option<PieceId>>>,
    pub accounts: Vec<i64>,
    pub tallies: Vec<i64>,
    pub roles: Vec<Value>,
    /// By fact cell; `None`: he may not know it.
    pub facts: Vec<Option<Value>>,
}

/// What a seat sees of a state.
///
/// # Errors
/// Trouble in the rulebook where it says who sees something.
pub fn view(game: &Game, state: &State, seat: SeatId) -> Result<View, Trouble> {
    let mut places = Vec::new();
    for place in &game.program.places {
        for cell in place.cells.first..place.cells.first + place.cells.count() {
            let order = state.piles.order(cell);
            let sees = !order.is_empty() && sees(game, state, &place.seen, owner_of(game, cell), seat)?;
            let seen = |piece: &PieceId| (*piece < UNSEEN && (sees || state.piles.known(*piece) >> seat & 1 == 1)).then_some(*piece);
            places.push(order.iter().map(seen).collect());
        }
    }
    let mut facts = Vec::new();
    for fact in &game.program.facts {
        for cell in fact.cells.first..fact.cells.first + fact.cells.count() {
            let owner = match fact.cells.indices.as_slice() {
                [crate::rules::table::program::Index::Seat] => SeatId::try_from(cell - fact.cells.first).ok(),
                [] | [_, ..] => None,
            };
            let sees = match &fact.seen {
                None => true,
                Some(seen) => sees(game, state, seen, owner, seat)?,
            };
            facts.push(state.facts.get(cell).cloned().filter(|_| sees));
        }
    }
    // A fact that holds pieces tells no more than its pieces' places do.
    let hidden = |value: &Value| value.piece().is_some_and(|piece| piece >= UNSEEN);
    let facts = facts.into_iter().map(|fact| fact.filter(|value| !hidden(value))).collect();
    Ok(View { seat, places, accounts: state.accounts.clone(), tallies: state.tallies.clone(), roles: state.roles.clone(), facts })
}

fn sees(game: &Game, state: &State, seen: &Seen, owner: Option<SeatId>, seat: SeatId) -> Result<bool, Trouble> {
    looking(game, state, |eval| {
        let start = eval.locals.len();
        eval.locals.push(owner.map_or(Value::None, Value::Seat));
        eval.locals.resize(start + usize::from(seen.slots).max(1), Value::Unknown);
        eval.base = start;
        if let Some(when) = &seen.when
            && eval.truth(when)? != Truth::Yes
        {
            return Ok(false);
        }
        Ok(match &seen.by {
            SeenBy::Nobody => false,
            SeenBy::All => true,
            SeenBy::Owner => owner == Some(seat),
            SeenBy::Seats(expr) => eval.seats(expr)?.is_some_and(|mask| seats_of(mask).any(|other| other == seat)),
        })
    })
}
