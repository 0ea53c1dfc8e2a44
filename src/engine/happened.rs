//! What happened, sorted by what it is: for printers, and for whoever holds it against what was expected.

use super::replay::{Done, Step};
use super::ruling::Ruling;
use super::state::Arguments;
use super::trace::Note;
use super::words::Words;
use crate::rules::table::program::{LogSort, NameId, PieceId, ProcedureId, SeatId};

/// Everything of some notes, in order within each sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// Acts, events and rights.
    pub acts: Vec<Logged>,
    pub signals: Vec<Logged>,
    pub breaches: Vec<Logged>,
    pub moves: Vec<Moved>,
    pub payments: Vec<Paid>,
    /// Points made: how many, and the tally cell.
    pub scores: Vec<(i64, usize)>,
    /// Pieces shown, and the seats that learn of them.
    pub shown: Vec<(Vec<PieceId>, u8)>,
    pub rulings: Vec<Ruling>,
    /// Statements carried out that cite something: positions among the program's sources.
    pub statements: Vec<usize>,
    pub voided: Vec<(ProcedureId, Option<String>)>,
    /// Procedures that ended, with the outcome's number.
    pub ended: Vec<(ProcedureId, usize)>,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    pub name: NameId,
    pub by: Option<SeatId>,
    pub arguments: Arguments,
}

/// Pieces that went from one place cell to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub pieces: Vec<PieceId>,
    pub from: usize,
    pub to: usize,
}

/// Counters that went from one account cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paid {
    pub amount: i64,
    pub from: usize,
    pub to: usize,
}

impl Happened {
    /// Everything of a step: on the way to its item, and by it.
    pub fn of_step(words: &Words<'_>, step: &Step) -> Happened {
        Happened::of(words, step.before.iter().chain(&step.done))
    }

    /// Everything of some deeds.
    pub fn of<'d>(words: &Words<'_>, done: impl IntoIterator<Item = &'d Done>) -> Happened {
        let mut happened = Happened::default();
        for note in done.into_iter().flat_map(|done| &done.notes) {
            happened.add(words, note);
        }
        happened
    }

    fn add(&mut self, words: &Words<'_>, note: &Note) {
        match note {
            Note::Logged { name, by, arguments, .. } => {
                let logged = Logged { name: *name, by: *by, arguments: arguments.clone() };
                match words.program.names.get(*name).map(|name| name.sort) {
                    Some(LogSort::Breach) => self.breaches.push(logged),
                    Some(LogSort::Signal) => self.signals.push(logged),
                    Some(LogSort::Act | LogSort::Event | LogSort::Right) => self.acts.push(logged),
                    Some(LogSort::Voided) | None => {}
                }
            }
            Note::Ruling(ruling) => self.rulings.push(ruling.clone()),
            Note::Statement(source) => self.statements.push(*source),
            Note::Moved { pieces, from, to } => self.moved(pieces, *from, *to),
            Note::Paid { amount, from, to } => self.payments.push(Paid { amount: *amount, from: *from, to: *to }),
            Note::Scored { amount, cell } => self.scores.push((*amount, *cell)),
            Note::Shown { pieces, to } => self.shown.push((pieces.clone(), *to)),
            Note::Ended(procedure, outcome) => self.ended.push((*procedure, *outcome)),
            Note::Voided { procedure, cause, .. } => self.voided.push((*procedure, cause.clone())),
            Note::Began(_) | Note::ByDefault => {}
        }
    }

    /// Pieces that go the same way one after the other go together.
    fn moved(&mut self, pieces: &[PieceId], from: usize, to: usize) {
        match self.moves.iter_mut().find(|moved| (moved.from, moved.to) == (from, to)) {
            Some(moved) => moved.pieces.extend(pieces),
            None => self.moves.push(Moved { pieces: pieces.to_vec(), from, to }),
        }
    }
}
