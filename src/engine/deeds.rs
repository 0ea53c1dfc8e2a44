//! What statements do. Clauses 4.2 to 4.9, 5.10 and 5.12.

use std::sync::Arc;

use smallvec::SmallVec;

use super::eval::{Found, Items};
use super::machine::{Machine, fault};
use super::reads;
use super::state::{Arguments, Closed, Frame, Script, Snapshot};
use super::trace::Note;
use super::trouble::FaultKind;
use super::value::{UNSEEN, Value};
use crate::rules::table::program::{Change, Deed, Expr, FactId, Index, LogSort, PieceId, PlaceCell, ProcedureId, SeatId, Type};
use crate::source::Span;

/// Pieces that are moved or shown together.
pub(super) type Pieces = SmallVec<[PieceId; 16]>;

impl Machine<'_> {
    /// One deed of the innermost script, which stands at it.
    pub fn deed(&mut self, base: usize, at: usize, deed: &Deed) -> Found<()> {
        match deed {
            Deed::Pay { amount, from, to } => self.pay(base, amount.as_ref(), from, to)?,
            Deed::Share { of, among, to, rest } => self.share(base, (of, among), *to, rest)?,
            Deed::Move { what, from, to, bottom } => self.move_these(base, what, from.as_ref(), to, *bottom)?,
            Deed::MoveEnd { bottom, count, of, to, to_bottom } => self.move_end(base, (*bottom, count, of), to, *to_bottom)?,
            Deed::MoveEvery { kind, slot, filter, to, bottom } => {
                let target = self.place(base, to)?;
                // What lies where all are to lie stays there, whatever its order is.
                let elsewhere = self.state.piles.order.iter().enumerate().any(|(cell, pieces)| cell != target && !pieces.is_empty());
                if elsewhere {
                    self.look_at_order()?;
                }
                let all: Pieces = self.state.piles.order.iter().flatten().copied().collect();
                let mut moved = Pieces::new();
                for piece in all {
                    if !self.is_of_kind(piece, *kind) || self.state.piles.at(piece) == Some(target) {
                        continue;
                    }
                    self.set(base, *slot, Value::Piece(piece));
                    if filter.as_ref().map_or(Ok(true), |filter| self.holds(base, filter))? {
                        moved.push(piece);
                    }
                }
                self.carry(moved, target, *bottom)?;
            }
            Deed::Score { amount, tally, indices, under, after } => {
                return self.score((base, at), amount, (*tally, indices), (under.as_ref(), after.as_ref()));
            }
            Deed::Close { tally, headings } => return self.close((base, at), *tally, headings),
            Deed::Mark { what, to, .. } => self.mark_known(base, what, to.as_ref())?,
            Deed::Arrange(place) => {
                let cell = self.place(base, place)?;
                // What is arranged twice needs one order (4.4).
                if self.state.arranged != Some(cell) {
                    self.look_at_order()?;
                }
                self.forget(cell);
                self.state.arranged = Some(cell);
            }
            Deed::Lift { count, of } => self.lift(base, count.as_ref(), of)?,
            Deed::Announce { hook, arguments } => {
                let mut given = Arguments::new();
                for argument in arguments {
                    given.push(self.value(base, argument)?);
                }
                self.goto(at + 1);
                let by = self.state.actor;
                return self.raise(*hook, by, given, false);
            }
            Deed::End { procedure, outcome } => return self.end(*procedure, *outcome),
            Deed::Void { procedure, cause, again } => return self.void(*procedure, cause.as_deref(), *again),
            Deed::Stands | Deed::Refuse => {}
            Deed::SetFact { fact, indices, change, value } => self.set_fact(base, *fact, indices, *change, value)?,
            Deed::SetRole { role, value } => {
                let value = self.value(base, value)?;
                if let Some(held) = self.state.roles.get_mut(*role) {
                    *held = value;
                }
                self.memo.changed_in(Some(reads::ROLES));
            }
            Deed::SetLocal { slot, change, value } => {
                let new = self.value(base, value)?;
                let old = self.locals.get(base + usize::from(*slot)).cloned().unwrap_or(Value::Unknown);
                let new = changed(&old, *change, new, value.span)?;
                self.set(base, *slot, new);
            }
            Deed::Settle(entry) => {
                if let Value::Entry(name, serial) = self.value(base, entry)? {
                    let entries = self.state.log.get_mut(name).map_or(&mut [][..], Vec::as_mut_slice);
                    if let Some(entry) = entries.iter_mut().find(|entry| entry.serial == serial) {
                        entry.settled = true;
                    }
                    self.memo.changed();
                }
            }
        }
        self.goto(at + 1);
        Ok(())
    }

    /// The cell of a place.
    pub fn place(&mut self, base: usize, place: &PlaceCell) -> Found<usize> {
        let span = place.indices.first().map_or_else(Span::default, |index| index.span);
        let game = self.game;
        let Some(declared) = game.program.places.get(place.place) else { return fault(FaultKind::Unknown, span) };
        match self.eval(base, |eval| Ok((eval.cell(&declared.cells, &place.indices)?, eval.missing)))? {
            (Some(cell), _) => Ok(cell),
            (None, missing) => fault(FaultKind::Unknown, missing.unwrap_or(span)),
        }
    }

    fn set_fact(&mut self, base: usize, fact: FactId, indices: &[Expr], change: Change, value: &Expr) -> Found<()> {
        let game = self.game;
        let Some(declared) = game.program.facts.get(fact) else { return Ok(()) };
        let new = self.value(base, value)?;
        let Some(cell) = self.eval(base, |eval| eval.cell(&declared.cells, indices))? else { return fault(FaultKind::Unknown, value.span) };
        if let Some(held) = self.state.facts.get_mut(cell) {
            *held = changed(held, change, new, value.span)?;
        }
        self.memo.changed_in(reads::fact(fact));
        Ok(())
    }

    fn move_these(&mut self, base: usize, what: &Expr, from: Option<&PlaceCell>, to: &PlaceCell, bottom: bool) -> Found<()> {
        self.look_at_order()?;
        let target = self.place(base, to)?;
        let source = match from {
            Some(from) => Some(self.place(base, from)?),
            None => None,
        };
        let Some(pieces) = self.pieces(base, what)? else { return fault(FaultKind::Unknown, what.span) };
        if source.is_some_and(|source| pieces.iter().any(|piece| self.state.piles.at(*piece) != Some(source))) {
            return fault(FaultKind::CannotMove(i64::try_from(pieces.len()).unwrap_or(0), 0), what.span);
        }
        self.carry(pieces, target, bottom)
    }

    /// Pieces that an expression names, in its order.
    fn pieces(&mut self, base: usize, what: &Expr) -> Found<Option<Pieces>> {
        self.eval(base, |eval| Ok(eval.items(what)?.map(Items::pieces)))
    }

    fn move_end(&mut self, base: usize, (bottom, count, of): (bool, &Expr, &PlaceCell), to: &PlaceCell, to_bottom: bool) -> Found<()> {
        self.look_at_order()?;
        let (source, target) = (self.place(base, of)?, self.place(base, to)?);
        let Value::Number(wanted) = self.value(base, count)? else { return fault(FaultKind::Unknown, count.span) };
        let held = self.state.piles.order(source).len();
        let Ok(number) = usize::try_from(wanted) else { return fault(FaultKind::Negative(wanted), count.span) };
        if number > held {
            return fault(FaultKind::CannotMove(wanted, held), count.span);
        }
        let order = self.state.piles.order(source);
        let pieces: Pieces = if bottom { order.iter().take(number).copied().collect() } else { order.iter().rev().take(number).copied().collect() };
        self.carry(pieces, target, to_bottom)
    }

    /// Pieces are conserved: only this changes where they are. Clause 4.5.
    fn carry(&mut self, pieces: Pieces, target: usize, bottom: bool) -> Found<()> {
        let by = self.state.actor;
        let owner = self.owner(target);
        let supposing = self.is_supposing();
        let mut from = None;
        let mut arrived = Vec::with_capacity(if self.notes.is_some() { pieces.len() } else { 0 });
        for piece in pieces {
            let source = self.state.piles.at(piece);
            if self.notes.is_some() && source != from && !arrived.is_empty() {
                let pieces = std::mem::take(&mut arrived);
                self.note(|| Note::Moved { pieces, from: from.unwrap_or(target), to: target });
            }
            from = source;
            self.state.piles.take(piece);
            self.state.piles.put(piece, target, bottom, by);
            if supposing {
                self.suppose(piece, source, target, bottom);
                if owner.is_none() {
                    self.never_came(piece, source.and_then(|source| self.owner(source)));
                }
            }
            let piece = if piece >= UNSEEN { self.given_face(piece, owner) } else { piece };
            if self.notes.is_some() {
                arrived.push(piece);
            }
        }
        self.memo.changed_in(Some(reads::PILES));
        if !arrived.is_empty() {
            self.note(|| Note::Moved { pieces: arrived, from: from.unwrap_or(target), to: target });
        }
        Ok(())
    }

    /// Whether what an event supposes is being carried out.
    fn is_supposing(&self) -> bool {
        let program = &self.game.program;
        // The body may call actions, which stand above it.
        let scripts = self.state.frames.iter().rev().map(|frame| frame.script);
        let ruled = scripts.take_while(|script| !matches!(script, Script::Hook(_))).last();
        let Some(Script::Body(hook)) = ruled else { return false };
        program.hooks.get(hook).and_then(|hook| program.names.get(hook.name)).is_some_and(|name| name.sort == LogSort::Event)
    }

    /// What is supposed was so before anything that may yet be voided began: it comes back with the rest. Clause 5.5.
    fn suppose(&mut self, piece: PieceId, source: Option<usize>, target: usize, bottom: bool) {
        for frame in &mut self.state.frames {
            let closed = frame.closed.iter_mut().filter_map(|closed| closed.call.as_mut());
            for call in frame.call.iter_mut().chain(closed) {
                // What began before the piece came there knows nothing of it.
                let snapshot = Arc::make_mut(&mut call.snapshot);
                if let Some(piles) = snapshot.piles.as_mut().filter(|piles| source.is_some() && piles.at(piece) == source) {
                    piles.take(piece);
                    piles.put(piece, target, bottom, None);
                }
            }
        }
    }

    /// The seat whose place a cell is.
    pub fn owner(&self, cell: usize) -> Option<SeatId> {
        owner_of(self.game, cell)
    }

    fn is_of_kind(&self, piece: PieceId, kind: usize) -> bool {
        match self.game.program.pieces.get(usize::from(piece)) {
            Some(piece) => piece.kind == kind,
            // A piece that nobody has seen: of the one kind there is, or of any.
            None => piece >= UNSEEN,
        }
    }

    fn mark_known(&mut self, base: usize, what: &Expr, to: Option<&Expr>) -> Found<()> {
        self.look_at_order()?;
        let Some(pieces) = self.pieces(base, what)? else { return fault(FaultKind::Unknown, what.span) };
        let to = match to {
            None => self.state.seated,
            Some(to) => match self.eval(base, |eval| eval.seats(to))? {
                Some(seats) => seats,
                None => return fault(FaultKind::Unknown, to.span),
            },
        };
        let pieces = self.looked_at(pieces);
        for piece in &pieces {
            self.state.piles.learn(*piece, to);
        }
        self.note(|| Note::Shown { pieces: pieces.to_vec(), to });
        Ok(())
    }

    fn lift(&mut self, base: usize, count: Option<&Expr>, of: &PlaceCell) -> Found<()> {
        let cell = self.place(base, of)?;
        // The order that the record gives is the one in which the pieces go out, after any cut.
        if self.state.arranged == Some(cell) {
            return Ok(());
        }
        let Some(count) = count else {
            self.look_at_order()?;
            self.state.arranged = Some(cell);
            return Ok(());
        };
        let Value::Number(wanted) = self.value(base, count)? else { return fault(FaultKind::Unknown, count.span) };
        let held = self.state.piles.order(cell).len();
        match usize::try_from(wanted) {
            Ok(number) if number <= held => {
                if let Some(order) = self.state.piles.order.get_mut(cell) {
                    order.rotate_right(number);
                }
                self.memo.changed();
                Ok(())
            }
            Ok(_) => fault(FaultKind::CannotMove(wanted, held), count.span),
            Err(_) => fault(FaultKind::Negative(wanted), count.span),
        }
    }

    /// `end P with O`: closes the innermost open P. Clause 5.10.
    fn end(&mut self, procedure: ProcedureId, outcome: usize) -> Found<()> {
        let Some(position) = self.state.frames.iter().rposition(|frame| frame.script == Script::Procedure(procedure)) else {
            return fault(FaultKind::NotOpen(self.name_of(procedure)), Span::default());
        };
        while self.state.frames.len() > position + 1 {
            self.drop_frame();
        }
        self.finish(outcome)
    }

    /// Closes the innermost frame without more ado: something below it ends.
    fn drop_frame(&mut self) {
        let Some(frame) = self.state.frames.pop() else { return };
        self.locals.truncate(frame.top);
        self.forget_cuts();
        if let Script::Procedure(procedure) = frame.script {
            self.ended(procedure);
        }
    }

    fn name_of(&self, procedure: ProcedureId) -> String {
        self.game.program.procedures.get(procedure).map_or_else(String::new, |procedure| procedure.name.clone())
    }

    /// `void P for CAUSE, again`. Clause 5.10.
    fn void(&mut self, procedure: ProcedureId, cause: Option<&str>, again: bool) -> Found<()> {
        let open = self.state.frames.iter().rposition(|frame| frame.script == Script::Procedure(procedure));
        let (caller, call) = match open {
            Some(position) => (position.checked_sub(1), self.state.frames.get(position).and_then(|frame| frame.call.clone())),
            None => {
                let of = |frame: &Frame| frame.closed.iter().rposition(|closed| closed.procedure == procedure);
                let Some((position, closed)) = self.state.frames.iter().enumerate().rev().find_map(|(at, frame)| Some((at, of(frame)?))) else {
                    return fault(FaultKind::NotOpen(self.name_of(procedure)), Span::default());
                };
                let frame = self.state.frames.get_mut(position);
                let call = frame.and_then(|frame| {
                    let call = frame.closed.get(closed).and_then(|closed| closed.call.clone());
                    // What ended after it is voided with it.
                    frame.closed.truncate(closed);
                    call
                });
                (Some(position), call)
            }
        };
        let Some(call) = call else { return fault(FaultKind::NotOpen(self.name_of(procedure)), Span::default()) };
        let keep = caller.map_or(0, |caller| caller + 1);
        while self.state.frames.len() > keep {
            self.drop_frame();
        }
        self.restore(&call.snapshot);
        self.goto(call.back);
        if !again && let Some(caller) = self.state.frames.last_mut() {
            caller.closed.retain(|closed| closed.procedure != procedure);
            caller.closed.push(Closed { procedure, outcome: 1, call: None });
        }
        self.memo.changed();
        self.note(|| Note::Voided { procedure, cause: cause.map(str::to_owned), again });
        let before = self.state.frames.len();
        self.raise_void(procedure, cause)?;
        if !again {
            return Ok(());
        }
        // The rules on the voiding come first.
        match self.state.frames.get_mut(before) {
            Some(ruling) => {
                ruling.again = Some(Box::new((procedure, call.arguments)));
                Ok(())
            }
            None => self.call(procedure, call.arguments),
        }
    }

    fn restore(&mut self, snapshot: &Arc<Snapshot>) {
        let state = &mut *self.state;
        if let Some(piles) = &snapshot.piles {
            // What a seat has learned it keeps.
            let known = std::mem::take(&mut state.piles.known);
            state.piles.clone_from(piles);
            state.piles.known = known;
            state.arranged = None;
        }
        if let Some(accounts) = &snapshot.accounts {
            state.accounts.clone_from(accounts);
        }
        self.memo.changed();
        state.marks.clone_from(&snapshot.marks);
        if let Some(base) = state.frames.last().map(|frame| frame.base) {
            self.locals.truncate(base);
            self.locals.extend(snapshot.locals.iter().cloned());
        }
        self.restore_cuts(&snapshot.cuts, snapshot.accounts.is_some());
    }

    /// `voided(what, cause)`: it is logged, and the rules on it will run. Clause 5.10.
    fn raise_void(&mut self, procedure: ProcedureId, cause: Option<&str>) -> Found<()> {
        let game = self.game;
        let Some(name) = game.program.names.iter().position(|name| name.sort == LogSort::Voided) else { return Ok(()) };
        let types = game.program.names.get(name).map_or(&[][..], |name| name.arguments.as_slice());
        let member = |at: usize, text: &str| match types.get(at).map(|(_, kind)| kind.sure()) {
            Some(Type::Member(kind)) => {
                let members = game.program.kinds.get(*kind).map_or(&[][..], |kind| kind.members.as_slice());
                let found = members.iter().position(|member| member == text).and_then(|at| u8::try_from(at).ok());
                found.map_or(Value::Unknown, Value::Member)
            }
            Some(_) | None => Value::Text(text.into()),
        };
        let given = Arguments::from_iter([member(0, &self.name_of(procedure)), cause.map_or(Value::None, |cause| member(1, cause))]);
        let by = self.state.actor;
        match game.program.hooks.iter().position(|hook| hook.name == name) {
            Some(hook) => self.raise(hook, by, given, false),
            None => {
                self.log(name, by, given);
                Ok(())
            }
        }
    }
}

/// The seat whose place a cell is: of a place with one index, a seat.
pub(super) fn owner_of(game: &super::Game, cell: usize) -> Option<SeatId> {
    let place = game.program.places.iter().find(|place| (place.cells.first..place.cells.first + place.cells.count()).contains(&cell))?;
    match place.cells.indices.as_slice() {
        [Index::Seat, rest @ ..] => {
            let inner: usize = rest.iter().map(|index| index.size()).product();
            SeatId::try_from((cell - place.cells.first) / inner.max(1)).ok()
        }
        [] | [Index::Kind(..), ..] => None,
    }
}

fn changed(old: &Value, change: Change, new: Value, span: Span) -> Found<Value> {
    match (change, old, &new) {
        (Change::Becomes, _, _) => Ok(new),
        (Change::Add, Value::Number(old), Value::Number(new)) => {
            old.checked_add(*new).map_or_else(|| fault(FaultKind::Overflow, span), |sum| Ok(Value::Number(sum)))
        }
        (Change::Subtract, Value::Number(old), Value::Number(new)) => {
            old.checked_sub(*new).map_or_else(|| fault(FaultKind::Overflow, span), |sum| Ok(Value::Number(sum)))
        }
        (Change::Add | Change::Subtract, _, _) => fault(FaultKind::Unknown, span),
    }
}
