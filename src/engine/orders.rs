//! The order of the pieces is input: where it comes from, and what happens to pieces whose face nobody gives. Clauses 4.3 and 4.4.

use std::sync::Arc;

use super::deeds::Pieces;
use super::eval::Found;
use super::machine::Machine;
use super::state::{Arguments, Given, Piles, State};
use super::value::{Bits, UNSEEN, Value};
use crate::rules::table::program::{PieceId, SeatId};

/// What the world says of an order that is looked at for the first time since the pieces were arranged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Nobody says anything: the faces are unknown.
    #[default]
    Unknown,
    /// The pieces from the top; those that are not named lie below, unknown.
    Deck(Vec<Option<PieceId>>),
    /// Faces by the seat that receives them, in the order of arrival, and then those of the rest from the top.
    Hands(Given),
}

/// Where orders come from: a record, chance, or nowhere. The engine has no other input.
pub trait Orders {
    /// The order of these pieces, the topmost last as they lie. Each different piece stands for itself.
    fn next(&mut self, pieces: &[PieceId]) -> Order;
}

/// Nobody says how the pieces lie.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOrders;

impl Orders for NoOrders {
    fn next(&mut self, _: &[PieceId]) -> Order {
        Order::Unknown
    }
}

impl Machine<'_> {
    /// The pieces of a place are covered: nobody knows them any more, and nobody moved them there.
    pub fn forget(&mut self, cell: usize) {
        for piece in self.state.piles.order(cell).to_vec() {
            if let Some(known) = self.state.piles.known.get_mut(usize::from(piece)) {
                *known = 0;
            }
        }
    }

    /// Before a place that was arranged is looked at, its order comes from the world.
    pub fn look_at_order(&mut self) -> Found<()> {
        let Some(cell) = self.state.arranged.take() else { return Ok(()) };
        let pieces = self.state.piles.order(cell).to_vec();
        match self.orders.next(&pieces) {
            Order::Unknown => self.cover(cell, &[]),
            Order::Deck(from_top) => self.cover(cell, &from_top),
            Order::Hands(given) => {
                self.cover(cell, &[]);
                self.state.given = given;
            }
        }
        Ok(())
    }

    /// Lays the pieces of a place anew: those that are named from the top, then pieces that nobody has seen.
    fn cover(&mut self, cell: usize, from_top: &[Option<PieceId>]) {
        let count = self.state.piles.order(cell).len();
        let piles = &mut self.state.piles;
        for piece in piles.order(cell).to_vec() {
            piles.take(piece);
        }
        // What cannot be there, because it lies elsewhere or has come already, is as good as not given.
        let mut laid = Bits::EMPTY;
        let mut named: Vec<Option<PieceId>> = Vec::with_capacity(count);
        for piece in from_top.iter().copied().chain(std::iter::repeat(None)).take(count) {
            let piece = piece.filter(|piece| piles.at(*piece).is_none() && !laid.has(*piece));
            laid = piece.map_or(laid, |piece| {
                laid.insert(piece);
                laid
            });
            named.push(piece);
        }
        for piece in named.into_iter().rev() {
            if let Some(piece) = piece.or_else(|| piles.free_unseen()) {
                piles.put(piece, cell, false, None);
            }
        }
        self.memo.changed();
    }

    /// A piece that nobody has seen has come to a seat: the record may say which it is.
    pub fn given_face(&mut self, piece: PieceId, owner: Option<SeatId>) -> PieceId {
        let Some(owner) = owner else { return piece };
        let given = &mut self.state.given;
        if given.is_empty() {
            return piece;
        }
        // What is not for the seats is for the rest, once every seat has what is its own.
        let all_served = given.hands.iter().all(Vec::is_empty);
        let next = if all_served { Some(&mut given.rest) } else { given.hands.get_mut(usize::from(owner)) };
        let face = next.filter(|faces| !faces.is_empty()).and_then(|faces| faces.remove(0));
        let bound = face.filter(|face| self.state.piles.at(*face).is_none());
        if let Some(face) = bound {
            self.state.bind(piece, face);
        }
        bound.unwrap_or(piece)
    }

    /// What is supposed to have come to no seat had no face of those that came there: the record's next one for the seat is still to come. Clause 5.5.
    pub fn never_came(&mut self, piece: PieceId, owner: Option<SeatId>) {
        let hand = owner.and_then(|owner| self.state.given.hands.get_mut(usize::from(owner)));
        if let (Some(hand), Some(unseen), true) = (hand, self.state.piles.free_unseen(), piece < UNSEEN) {
            hand.insert(0, Some(piece));
            self.state.exchange(piece, unseen);
        }
    }

    /// A place that was arranged is looked at when pieces in it are named: they lie there, wherever nobody has seen one. Clause 5.17.
    pub fn name_pieces(&mut self, arguments: &[Value]) -> Found<()> {
        let Some(cell) = self.state.arranged else { return Ok(()) };
        let members = arguments.iter().flat_map(|value| if value.piece().is_some() { vec![value.clone()] } else { super::eval::members(value) });
        let named: Vec<PieceId> = members.filter_map(|value| value.piece()).filter(|piece| self.state.piles.at(*piece) == Some(cell)).collect();
        if named.is_empty() {
            return Ok(());
        }
        self.look_at_order()?;
        for face in named {
            let unseen = self.state.piles.order(cell).iter().rev().copied().find(|piece| *piece >= UNSEEN);
            if let Some(unseen) = unseen {
                self.state.bind(unseen, face);
            }
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// Pieces that are shown or looked at where they lie, in a place that is nobody's: the record may say which they are, from the top down.
    pub fn looked_at(&mut self, pieces: Pieces) -> Pieces {
        if self.state.given.rest.is_empty() || !self.state.given.hands.iter().all(Vec::is_empty) {
            return pieces;
        }
        let depth = |piece: PieceId| {
            let cell = self.state.piles.at(piece).filter(|cell| self.owner(*cell).is_none())?;
            let above = self.state.piles.order(cell).iter().rev().position(|other| *other == piece)?;
            Some((cell, above))
        };
        let mut unseen: Vec<(usize, usize, PieceId)> =
            pieces.iter().filter(|piece| **piece >= UNSEEN).filter_map(|piece| depth(*piece).map(|(cell, above)| (cell, above, *piece))).collect();
        unseen.sort_unstable();
        let mut known = pieces;
        for (_, _, piece) in unseen {
            let rest = &mut self.state.given.rest;
            let face = if rest.is_empty() { None } else { rest.remove(0) };
            if let Some(face) = face.filter(|face| self.state.piles.at(*face).is_none()) {
                self.state.bind(piece, face);
                known.iter_mut().filter(|known| **known == piece).for_each(|known| *known = face);
            }
        }
        known
    }
}

impl State {
    /// A piece that nobody had seen turns out to be this one.
    pub fn bind(&mut self, unseen: PieceId, face: PieceId) {
        if unseen >= UNSEEN && self.piles.at(face).is_none() {
            self.exchange(unseen, face);
        }
    }

    /// One piece lies where the other, which lies nowhere, was thought to be. Everything that spoke of it speaks of the other.
    fn exchange(&mut self, unseen: PieceId, face: PieceId) {
        bind_piles(&mut self.piles, unseen, face);
        self.memo.changed();
        let logged = self.log.iter_mut().flatten().flat_map(|entry| entry.arguments.iter_mut());
        let agreed = self.agreed.iter_mut().flat_map(|(_, with, value)| with.iter_mut().chain(std::iter::once(value)));
        let held = self.locals.iter_mut().chain(&mut self.facts).chain(&mut self.roles).chain(logged).chain(agreed);
        held.for_each(|value| bind_value(value, unseen, face));
        for frame in &mut self.frames {
            if let Some((_, turn)) = &mut frame.aside {
                bind_value(turn, unseen, face);
            }
            for waiting in &mut frame.queue {
                waiting.locals.iter_mut().for_each(|value| bind_value(value, unseen, face));
            }
            let closed = frame.closed.iter_mut().filter_map(|closed| closed.call.as_mut());
            for call in frame.call.iter_mut().chain(closed) {
                bind_arguments(&mut call.arguments, unseen, face);
                let snapshot = Arc::make_mut(&mut call.snapshot);
                if let Some(piles) = &mut snapshot.piles {
                    bind_piles(piles, unseen, face);
                }
                snapshot.locals.iter_mut().for_each(|value| bind_value(value, unseen, face));
            }
        }
    }
}

fn bind_arguments(arguments: &mut Arguments, unseen: PieceId, face: PieceId) {
    arguments.iter_mut().for_each(|value| bind_value(value, unseen, face));
}

fn bind_piles(piles: &mut Piles, unseen: PieceId, face: PieceId) {
    let Some(cell) = piles.at(unseen) else { return };
    if piles.at(face).is_some() {
        return;
    }
    if let (Some(order), Some(set)) = (piles.order.get_mut(cell), piles.sets.get_mut(cell)) {
        for piece in order.iter_mut().filter(|piece| **piece == unseen) {
            *piece = face;
        }
        set.remove(unseen);
        set.insert(face);
    }
    piles.at.swap(usize::from(unseen), usize::from(face));
    piles.mover.swap(usize::from(unseen), usize::from(face));
    piles.known.swap(usize::from(unseen), usize::from(face));
}

fn bind_value(value: &mut Value, unseen: PieceId, face: PieceId) {
    match value {
        Value::Piece(piece) if *piece == unseen => *piece = face,
        Value::Pieces(pieces) if pieces.has(unseen) => {
            pieces.remove(unseen);
            pieces.insert(face);
        }
        Value::List(items) => {
            if items.iter().any(|item| matches!(item, Value::Piece(piece) if *piece == unseen) || matches!(item, Value::List(_) | Value::Pieces(_))) {
                let bound: Vec<Value> = items
                    .iter()
                    .map(|item| {
                        let mut item = item.clone();
                        bind_value(&mut item, unseen, face);
                        item
                    })
                    .collect();
                *items = bound.into();
            }
        }
        Value::Piece(_)
        | Value::Pieces(_)
        | Value::Unknown
        | Value::None
        | Value::Number(_)
        | Value::Truth(_)
        | Value::Member(_)
        | Value::Seat(_)
        | Value::Seats(_)
        | Value::Members(_)
        | Value::Entry(..)
        | Value::Entered(..)
        | Value::Text(_)
        | Value::Account(_) => {}
    }
}
