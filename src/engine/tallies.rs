//! Entries of tallies: made under headings, reckoned in their order. Clause 4.7.

use super::eval::{Eval, Found};
use super::game::Game;
use super::machine::{Machine, fault};
use super::state::{Arguments, Entered, Ledger, Script, State};
use super::trace::Note;
use super::trouble::FaultKind;
use super::value::{Bits, Value};
use super::{MOST_ENTRIES, MOST_FRAMES};
use crate::ranking::ValueId;
use crate::rules::table::program::{EnteredPart, Expr, HookId, Index, Program, Tally, TallyId};
use crate::source::Span;

/// Where entries are kept: nowhere, unless some tally has headings or a signal of its own.
pub(super) fn ledgers(program: &Program) -> Vec<Ledger> {
    let kept = program.tallies.iter().any(|tally| tally.headings.is_some() || tally.reckoned.is_some());
    if kept { vec![Ledger::default(); program.tallies.len()] } else { Vec::new() }
}

impl Ledger {
    /// Where an entry stands; entries of another life stand nowhere.
    fn position(&self, serial: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.serial == serial)
    }

    /// Puts a new entry among those that wait: behind what was entered after the same one, else in the order of headings and then of making.
    fn wait(&mut self, entry: Entered) {
        let waiting = self.entries.iter().enumerate().skip(self.reckoned);
        let passes = |other: &Entered| match entry.after {
            Some(_) => other.after == entry.after,
            None => other.after.is_some() || other.head <= entry.head,
        };
        let at = waiting.take_while(|(_, other)| passes(other)).last().map_or(self.reckoned, |(at, _)| at + 1);
        self.entries.insert(at, entry);
    }

    /// The next entry that can be reckoned: nothing can come before it any more. It counts as reckoned from now on.
    fn next(&mut self) -> Option<&Entered> {
        let entry = self.entries.get(self.reckoned)?;
        if entry.after.is_none() && !(0..entry.head).all(|earlier| self.closed.has(earlier)) {
            return None;
        }
        self.reckoned += 1;
        self.entries.get(self.reckoned - 1)
    }

    /// Points of a cell that stand at this place or behind it; nothing if they do not fit.
    fn from(&self, at: usize, cell: usize) -> Option<i64> {
        self.entries.iter().skip(at).filter(|entry| entry.cell == cell).try_fold(0i64, |sum, entry| sum.checked_add(entry.points))
    }
}

impl State {
    fn ledger(&self, tally: TallyId) -> Option<&Ledger> {
        self.ledgers.get(tally)
    }
}

impl Machine<'_> {
    /// `score n to marks(p) under h`, `… after e`
    pub fn score(
        &mut self,
        (base, at): (usize, usize),
        amount: &Expr,
        (tally, indices): (TallyId, &[Expr]),
        (under, after): (Option<&Expr>, Option<&Expr>),
    ) -> Found<()> {
        let game = self.game;
        let Some(declared) = game.program.tallies.get(tally) else { return Ok(()) };
        let Value::Number(points) = self.value(base, amount)? else { return fault(FaultKind::Unknown, amount.span) };
        let Some(cell) = self.eval(base, |eval| eval.cell(&declared.cells, indices))? else { return fault(FaultKind::Unknown, amount.span) };
        let (head, after) = match (under, after) {
            (_, Some(after)) => self.behind(base, tally, after)?,
            (Some(under), None) => (self.open_heading(base, tally, under)?, None),
            (None, None) => (0, None),
        };
        if let Some(total) = self.state.tallies.get_mut(cell) {
            let Some(sum) = total.checked_add(points) else { return fault(FaultKind::Overflow, amount.span) };
            *total = sum;
        }
        self.memo.changed();
        self.note(|| Note::Scored { amount: points, cell });
        self.goto(at + 1);
        if declared.reckoned.is_none() {
            return Ok(());
        }
        let serial = self.state.serial;
        if let Some(ledger) = self.state.ledgers.get_mut(tally) {
            if ledger.entries.len() >= MOST_ENTRIES {
                return fault(FaultKind::TooManyEntries(declared.name.clone()), amount.span);
            }
            self.state.serial += 1;
            ledger.wait(Entered { serial, cell, points, head, after });
        }
        self.reckon(tally)
    }

    /// The heading of an entry behind which something is entered: it must be the last that was reckoned, or what stood behind it would move.
    fn behind(&mut self, base: usize, tally: TallyId, after: &Expr) -> Found<(ValueId, Option<u32>)> {
        let Value::Entered(of, serial) = self.value(base, after)? else { return fault(FaultKind::Unknown, after.span) };
        let last = self.state.ledger(tally).and_then(|ledger| ledger.entries.get(ledger.reckoned.checked_sub(1)?));
        match last.filter(|last| of == tally && last.serial == serial) {
            Some(last) => Ok((last.head, Some(serial))),
            None => fault(FaultKind::NotLastReckoned, after.span),
        }
    }

    fn open_heading(&mut self, base: usize, tally: TallyId, under: &Expr) -> Found<ValueId> {
        let Some(head) = self.value(base, under)?.member() else { return fault(FaultKind::Unknown, under.span) };
        if self.state.ledger(tally).is_some_and(|ledger| ledger.closed.has(head)) {
            return fault(FaultKind::HeadingClosed(self.heading_name(tally, head)), under.span);
        }
        Ok(head)
    }

    fn heading_name(&self, tally: TallyId, head: ValueId) -> String {
        let program = &self.game.program;
        let kind = program.tallies.get(tally).and_then(|tally| tally.headings).and_then(|kind| program.kinds.get(kind));
        kind.and_then(|kind| kind.members.get(usize::from(head))).cloned().unwrap_or_default()
    }

    /// `close in-point, in-play of marks`
    pub fn close(&mut self, (base, at): (usize, usize), tally: TallyId, headings: &[Expr]) -> Found<()> {
        let mut closed = Bits::EMPTY;
        for written in headings {
            match self.value(base, written)?.member() {
                Some(head) => closed.insert(head),
                None => return fault(FaultKind::Unknown, written.span),
            }
        }
        if let Some(ledger) = self.state.ledgers.get_mut(tally) {
            ledger.closed = ledger.closed.or(closed);
        }
        self.memo.changed();
        self.goto(at + 1);
        self.reckon(tally)
    }

    /// Reckons one entry after the other, each when all that came of the one before it is done.
    fn reckon(&mut self, tally: TallyId) -> Found<()> {
        let game = self.game;
        let Some(hook) = game.program.tallies.get(tally).and_then(|tally| tally.reckoned) else { return Ok(()) };
        while !self.state.frames.iter().any(|frame| frame.script == Script::Hook(hook)) {
            if self.state.frames.len() >= MOST_FRAMES {
                return fault(FaultKind::TooDeep, Span::default());
            }
            let Some(next) = self.state.ledgers.get_mut(tally).and_then(Ledger::next) else { return Ok(()) };
            let entry = Value::Entered(tally, next.serial);
            self.memo.changed();
            let by = self.state.actor;
            self.raise(hook, by, Arguments::from_iter([entry]), false)?;
        }
        Ok(())
    }

    /// The ruling on a signal has come to its end: if it was on an entry, the next one is reckoned.
    pub fn reckon_on(&mut self, hook: HookId) -> Found<()> {
        match reckoning(self.game, hook) {
            Some(tally) => self.reckon(tally),
            None => Ok(()),
        }
    }

    /// A tally begins anew: nothing stands in it, and all its headings are open.
    pub fn reset_tally(&mut self, tally: TallyId) {
        let Some(declared) = self.game.program.tallies.get(tally) else { return };
        if let Some(cells) = self.state.tallies.get_mut(declared.cells.first..declared.cells.first + declared.cells.count()) {
            cells.fill(0);
        }
        if let Some(ledger) = self.state.ledgers.get_mut(tally) {
            *ledger = Ledger::default();
        }
        self.memo.changed();
    }
}

/// The tally for whose entries a signal is raised.
fn reckoning(game: &Game, hook: HookId) -> Option<TallyId> {
    game.program.tallies.iter().position(|tally| tally.reckoned == Some(hook))
}

impl Eval<'_> {
    /// `marks(p) before e`, `marks(p) through e`
    pub(super) fn tally_at(&mut self, tally: TallyId, indices: &[Expr], through: bool, entry: &Expr) -> Found<Value> {
        let Some(declared) = self.game.program.tallies.get(tally) else { return Ok(Value::Unknown) };
        let Some(cell) = self.cell(&declared.cells, indices)? else { return Ok(self.unknown(entry.span)) };
        let of = self.value(entry)?;
        let found = self.entered(&of).filter(|(of, ..)| *of == tally);
        let Some((_, ledger, at)) = found else { return Ok(self.nothing_of(&of, entry.span)) };
        let later = ledger.from(at + usize::from(through), cell);
        let total = self.state.tallies.get(cell).copied().unwrap_or(0);
        later
            .and_then(|later| total.checked_sub(later))
            .map_or_else(|| self.fault(FaultKind::Overflow, entry.span), |points| Ok(Value::Number(points)))
    }

    /// `e.points`, `e.head`, `e.seat`
    pub(super) fn entered_part(&mut self, of: &Expr, part: EnteredPart) -> Found<Value> {
        let value = self.value(of)?;
        let found = self.entered(&value).and_then(|(tally, ledger, at)| Some((self.game.program.tallies.get(tally)?, ledger.entries.get(at)?)));
        let found = found.and_then(|(declared, entry)| match part {
            EnteredPart::Points => Some(Value::Number(entry.points)),
            EnteredPart::Head => Some(Value::Member(entry.head)),
            EnteredPart::Index(at) => index(declared, entry.cell, at),
        });
        Ok(found.unwrap_or_else(|| self.nothing_of(&value, of.span)))
    }

    /// An entry by its tally, the ledger and where it stands there; entries of another life are not there any more.
    fn entered(&self, of: &Value) -> Option<(TallyId, &Ledger, usize)> {
        let Value::Entered(tally, serial) = of else { return None };
        let ledger = self.state.ledger(*tally)?;
        Some((*tally, ledger, ledger.position(*serial)?))
    }
}

/// Which seat, or which member, the index at a position is for a cell.
fn index(declared: &Tally, cell: usize, at: usize) -> Option<Value> {
    let behind: usize = declared.cells.indices.iter().skip(at + 1).map(|index| index.size()).product();
    let index = declared.cells.indices.get(at)?;
    let offset = cell.checked_sub(declared.cells.first)? / behind.max(1) % index.size().max(1);
    let number = u8::try_from(offset).ok()?;
    Some(match index {
        Index::Seat => Value::Seat(number),
        Index::Kind(..) => Value::Member(number),
    })
}
