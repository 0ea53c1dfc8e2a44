//! A table at one moment: one flat value. Clauses 4 and 5.1.

use std::sync::Arc;

use smallvec::SmallVec;

use super::accounts::Cut;
use super::memo::Memo;
use super::trouble::{Fault, Unruled};
use super::value::{Bits, UNSEEN, Value};
use crate::ranking::ValueId;
use crate::rules::table::program::{HookId, NameId, PieceId, ProcedureId, Program, QuestionId, RuleId, SeatId};

/// Arguments of an act or of an entry of the log.
pub type Arguments = SmallVec<[Value; 2]>;

/// The whole position. Two equal states go on alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Seats in use.
    pub(super) seated: u8,
    pub(super) piles: Piles,
    pub(super) accounts: Vec<i64>,
    /// Joint accounts that are cut into slices, the innermost loop last.
    pub(super) cuts: Vec<Cut>,
    /// The next slice's number.
    pub(super) slices: u32,
    /// Points made, reckoned or not.
    pub(super) tallies: Vec<i64>,
    /// By tally: its entries. Empty if no tally has any.
    pub(super) ledgers: Vec<Ledger>,
    pub(super) roles: Vec<Value>,
    pub(super) facts: Vec<Value>,
    /// By name: entries that some query may still ask for.
    pub(super) log: Vec<Vec<Entry>>,
    /// The next entry's number.
    pub(super) serial: u32,
    pub(super) marks: Vec<Mark>,
    pub(super) frames: Vec<Frame>,
    pub(super) locals: Vec<Value>,
    pub(super) stop: Stop,
    /// Whoever acted last: pieces are moved by him.
    pub(super) actor: Option<SeatId>,
    /// What the table agreed where the book has no answer. Clause 6.8.
    pub(super) agreed: Vec<(QuestionId, Vec<Value>, Value)>,
    /// A place that was arranged and has not been looked at since.
    pub(super) arranged: Option<usize>,
    /// Faces that the record gives to seats, and then to the rest, first to come first.
    pub(super) given: Given,
    pub(super) memo: Memo,
}

/// Where play stands still.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// Somebody has a choice or a duty: the step at which the innermost frame stands.
    Offer,
    Pause,
    /// The procedure that play began with has ended.
    Over,
    /// A question that has no answer was read. Clause 6.8.
    NeedsRuling(Box<Unruled>),
    /// Something is needed that the record does not give, or the rulebook asks for what cannot be.
    Stuck(Box<Fault>),
}

/// An entry of the log. Clause 5.13.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    pub serial: u32,
    pub by: Option<SeatId>,
    pub arguments: Arguments,
    pub settled: bool,
}

/// The entries of a tally in its present life. Clause 4.7.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ledger {
    /// Those that were reckoned, in that order, then those that wait, in the order in which they will be.
    pub entries: Vec<Entered>,
    /// How many of them were reckoned.
    pub reckoned: usize,
    /// Headings under which nothing comes any more.
    pub closed: Bits,
}

/// An entry of a tally.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entered {
    /// One of the numbers of the log's entries, which it shares with none.
    pub serial: u32,
    pub cell: usize,
    pub points: i64,
    /// 0 where the tally has no headings.
    pub head: ValueId,
    /// It was entered right behind this one.
    pub after: Option<u32>,
}

/// Of a procedure: when its newest instance began and ended, and how many of it are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    pub start: Option<u32>,
    pub end: Option<u32>,
    pub open: u8,
}

/// Which script a frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    Procedure(ProcedureId),
    Rule(RuleId, Part),
    /// An event, a right or a signal that is being ruled on: its body, the decision, then the scripts of the rules that stand.
    Hook(HookId),
    /// The body of a right, or what an event supposes.
    Body(HookId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Deed,
    Before,
    After,
}

/// A script that is open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    pub script: Script,
    pub step: usize,
    /// Its first local.
    pub base: usize,
    /// Where the locals are cut off when it ends.
    pub top: usize,
    /// It came on top of a procedure that stood at a stop: when it ends, that stop is asked anew. Clause 5.11.
    pub interrupts: bool,
    /// How it was called, of a procedure that some rule may void.
    pub call: Option<Box<Call>>,
    /// Scripts that run behind this one, in order: the rest of the rules on a signal or an event.
    pub queue: Vec<Waiting>,
    /// Somebody acts out of his turn at the offer of this step: until his deed is done the offer's variable stands for him, then for this seat
    /// again, and the offer is asked anew. Clause 5.2.
    pub aside: Option<(usize, Value)>,
    /// What is called anew when the rules on its voiding have run. Clause 5.10.
    pub again: Option<Box<(ProcedureId, Arguments)>>,
    /// Procedures that this one called and that have ended, for `outcome` and for voiding them.
    pub closed: Vec<Closed>,
}

/// A rule's script that waits, with its locals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waiting {
    pub script: Script,
    pub locals: Vec<Value>,
}

/// How a procedure was called, and what was there then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub arguments: Arguments,
    /// The step behind the call, in the caller.
    pub back: usize,
    pub snapshot: Arc<Snapshot>,
}

/// What a void brings back. Clause 5.10.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    pub piles: Option<Piles>,
    pub accounts: Option<Vec<i64>>,
    /// With the accounts come the slices into which they were cut; what was cut since is cut no more.
    pub cuts: Vec<Cut>,
    /// The caller's locals.
    pub locals: Vec<Value>,
    /// What voided instances began is not the newest of its kind (5.13).
    pub marks: Vec<Mark>,
}

/// A procedure that has ended while its caller is open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Closed {
    pub procedure: ProcedureId,
    pub outcome: usize,
    pub call: Option<Box<Call>>,
}

/// Nowhere on the table.
pub const NOWHERE: u16 = u16::MAX;

/// Where every piece is, who moved it there, and who knows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piles {
    /// By place cell, bottom first.
    pub order: Vec<Vec<PieceId>>,
    pub sets: Vec<Bits>,
    /// By piece.
    pub at: Vec<u16>,
    pub mover: Vec<Option<SeatId>>,
    /// Seats that know a piece besides those who see its place.
    pub known: Vec<u8>,
}

/// Faces that the record gives, by seat, and for the rest of the pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Given {
    pub hands: Vec<Vec<Option<PieceId>>>,
    pub rest: Vec<Option<PieceId>>,
}

impl Given {
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty() && self.hands.iter().all(Vec::is_empty)
    }
}

impl Piles {
    pub fn new(program: &Program) -> Piles {
        let cells: usize = program.places.iter().map(|place| place.cells.count()).sum();
        let mut piles = Piles {
            order: vec![Vec::new(); cells],
            sets: vec![Bits::EMPTY; cells],
            at: vec![NOWHERE; 256],
            mover: vec![None; 256],
            known: vec![0; 256],
        };
        if let Some(start) = program.places.iter().find(|place| place.at_start) {
            // The first piece of the declarations lies on top.
            for piece in (0..program.pieces.len()).rev().filter_map(|piece| PieceId::try_from(piece).ok()) {
                piles.put(piece, start.cells.first, false, None);
            }
        }
        piles
    }

    pub fn at(&self, piece: PieceId) -> Option<usize> {
        self.at.get(usize::from(piece)).filter(|at| **at != NOWHERE).map(|at| usize::from(*at))
    }

    pub fn order(&self, cell: usize) -> &[PieceId] {
        self.order.get(cell).map_or(&[], Vec::as_slice)
    }

    pub fn set(&self, cell: usize) -> Bits {
        self.sets.get(cell).copied().unwrap_or_default()
    }

    pub fn mover(&self, piece: PieceId) -> Option<SeatId> {
        self.mover.get(usize::from(piece)).copied().flatten()
    }

    pub fn known(&self, piece: PieceId) -> u8 {
        self.known.get(usize::from(piece)).copied().unwrap_or(0)
    }

    pub fn learn(&mut self, piece: PieceId, seats: u8) {
        if let Some(known) = self.known.get_mut(usize::from(piece)) {
            *known |= seats;
        }
    }

    /// Puts a piece that lies nowhere into a place.
    pub fn put(&mut self, piece: PieceId, cell: usize, bottom: bool, by: Option<SeatId>) {
        if let (Some(order), Some(set)) = (self.order.get_mut(cell), self.sets.get_mut(cell)) {
            if bottom {
                order.insert(0, piece);
            } else {
                order.push(piece);
            }
            set.insert(piece);
        }
        if let Some(at) = self.at.get_mut(usize::from(piece)) {
            *at = u16::try_from(cell).unwrap_or(NOWHERE);
        }
        if let Some(mover) = self.mover.get_mut(usize::from(piece)) {
            *mover = by;
        }
    }

    /// Takes a piece from wherever it lies.
    pub fn take(&mut self, piece: PieceId) {
        let Some(cell) = self.at(piece) else { return };
        if let (Some(order), Some(set)) = (self.order.get_mut(cell), self.sets.get_mut(cell)) {
            if order.last() == Some(&piece) {
                order.pop();
            } else if let Some(position) = order.iter().position(|other| *other == piece) {
                order.remove(position);
            }
            set.remove(piece);
        }
        if let Some(at) = self.at.get_mut(usize::from(piece)) {
            *at = NOWHERE;
        }
    }

    /// A number for a piece whose face nobody can say.
    pub fn free_unseen(&self) -> Option<PieceId> {
        (UNSEEN..=u8::MAX).find(|piece| self.at(*piece).is_none())
    }
}

impl State {
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Seats in use, as a mask; A is the lowest bit.
    pub fn seated(&self) -> u8 {
        self.seated
    }

    pub(super) fn mark(&self, procedure: ProcedureId) -> Mark {
        self.marks.get(procedure).copied().unwrap_or_default()
    }

    pub(super) fn entry(&self, name: NameId, serial: u32) -> Option<&Entry> {
        let entries = self.log.get(name)?;
        let at = entries.binary_search_by_key(&serial, |entry| entry.serial).ok()?;
        entries.get(at)
    }

    /// Writes a cell. What is no number is nothing that an account or a tally can hold.
    pub(super) fn hold(&mut self, cell: super::Cell, value: &Value) {
        match cell {
            super::Cell::Fact(at) => {
                if let Some(fact) = self.facts.get_mut(at) {
                    fact.clone_from(value);
                }
            }
            super::Cell::Account(at) | super::Cell::Tally(at) => {
                let cells = if matches!(cell, super::Cell::Account(_)) { &mut self.accounts } else { &mut self.tallies };
                if let (Some(held), Value::Number(number)) = (cells.get_mut(at), value) {
                    *held = *number;
                }
            }
        }
    }

    /// The pieces of a place cell, bottom first.
    pub fn order(&self, cell: usize) -> &[PieceId] {
        self.piles.order(cell)
    }

    /// What an account cell holds.
    pub fn account(&self, cell: usize) -> i64 {
        self.accounts.get(cell).copied().unwrap_or(0)
    }

    /// The points of a tally cell.
    pub fn tally(&self, cell: usize) -> i64 {
        self.tallies.get(cell).copied().unwrap_or(0)
    }

    pub fn role(&self, role: usize) -> &Value {
        self.roles.get(role).unwrap_or(&Value::Unknown)
    }

    pub fn fact(&self, cell: usize) -> &Value {
        self.facts.get(cell).unwrap_or(&Value::Unknown)
    }

    /// Procedures that are open, the outermost first.
    pub fn open(&self) -> impl Iterator<Item = ProcedureId> {
        self.frames.iter().filter_map(|frame| match frame.script {
            Script::Procedure(procedure) => Some(procedure),
            Script::Rule(..) | Script::Hook(_) | Script::Body(_) => None,
        })
    }

    /// Seats for which a record's order still has pieces, if there are any.
    pub(super) fn given_to(&self) -> Option<u8> {
        let waiting = self.given.hands.iter().enumerate().filter(|(_, pieces)| !pieces.is_empty());
        let mask = waiting.fold(0u8, |mask, (seat, _)| mask | 1u8.checked_shl(u32::try_from(seat).unwrap_or(8)).unwrap_or(0));
        (mask != 0).then_some(mask)
    }

    /// All counters on the table.
    pub fn counters(&self) -> i64 {
        self.accounts.iter().sum()
    }

    /// How many pieces lie somewhere.
    pub fn pieces(&self) -> usize {
        self.piles.order.iter().map(Vec::len).sum()
    }
}
