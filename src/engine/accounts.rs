//! Counters: what is paid and shared, and joint accounts that are cut into slices. Clause 4.6.
//!
//! The counters of a slice stay in the shares of the joint account; a slice says how much of each share lies in it. So whatever ends a loop early,
//! nothing has to be put back, and counters are conserved by [`Machine::carry_over`] alone.

use std::ops::Range;

use super::eval::Found;
use super::game::Game;
use super::machine::{Machine, fault};
use super::state::State;
use super::trace::Note;
use super::trouble::FaultKind;
use super::value::{Holder, Value, seats_of};
use crate::rules::table::program::{Account, AccountId, Expr, SeatId};
use crate::source::Span;

/// Shares of a joint account: one for each seat, and the last for nobody.
const SHARES: usize = 9;
/// Nobody's among them.
const NOBODYS: usize = 8;

/// A joint account that a loop has cut.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cut {
    account: AccountId,
    /// Frames that were open when it was cut, the loop's own the last.
    frames: usize,
    /// The lowest first.
    slices: Vec<Slice>,
}

/// What lies between two neighbouring heights.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    number: u32,
    /// Seats whose shares reach its top.
    pub claimants: u8,
    pub main: bool,
    /// How much of each share lies in it.
    parts: [i64; SHARES],
}

/// Cells of a joint account: a share for each seat, and the last for nobody.
pub(super) fn shares(account: &Account) -> Range<usize> {
    account.cells.first..account.cells.first + account.cells.count() + 1
}

/// The cell of nobody's share.
pub(super) fn nobodys(account: &Account) -> usize {
    account.cells.first + account.cells.count()
}

/// The account that a cell belongs to.
fn account_of(game: &Game, cell: usize) -> Option<&Account> {
    let last = |account: &Account| account.cells.first + account.cells.count() + usize::from(account.joint);
    game.program.accounts.iter().find(|account| (account.cells.first..last(account)).contains(&cell))
}

impl Cut {
    /// Whether it is the work of the same loop, whatever was paid since.
    fn is_same(&self, other: &Cut) -> bool {
        let first = |cut: &Cut| cut.slices.first().map(|slice| slice.number);
        self.frames == other.frames && first(self) == first(other)
    }
}

impl State {
    /// A slice, while the loop that cut it is open.
    pub(super) fn slice(&self, number: u32) -> Option<&Slice> {
        self.cuts.iter().flat_map(|cut| &cut.slices).find(|slice| slice.number == number)
    }

    fn slice_at(&mut self, number: u32) -> Option<(AccountId, &mut Slice)> {
        self.cuts.iter_mut().find_map(|cut| {
            let account = cut.account;
            cut.slices.iter_mut().find(|slice| slice.number == number).map(|slice| (account, slice))
        })
    }

    /// What lies in an account. A slice whose loop has ended holds nothing.
    pub(super) fn lies_in(&self, game: &Game, holder: Holder) -> i64 {
        match holder {
            Holder::Cell(cell) => self.account(cell),
            Holder::Whole(account) => {
                let shares = game.program.accounts.get(account).and_then(|account| self.accounts.get(shares(account)));
                shares.map_or(0, |shares| shares.iter().sum())
            }
            Holder::Slice(slice) => self.slice(slice).map_or(0, |slice| slice.parts.iter().sum()),
        }
    }
}

impl Machine<'_> {
    /// The account that an expression comes to.
    fn holder(&mut self, base: usize, expr: &Expr) -> Found<Holder> {
        let value = self.value(base, expr)?;
        let Some(holder) = value.holder() else {
            return fault(if value == Value::None { FaultKind::Nobody } else { FaultKind::Unknown }, expr.span);
        };
        Ok(holder)
    }

    /// Counters are conserved: what one account loses another wins. Clause 4.6.
    pub(super) fn pay(&mut self, base: usize, amount: Option<&Expr>, from: &Expr, to: &Expr) -> Found<()> {
        let (wanted, span) = match amount {
            None => (None, from.span),
            Some(expr) => match self.value(base, expr)?.number() {
                Some(amount) => (Some(amount), expr.span),
                None => return fault(FaultKind::Unknown, expr.span),
            },
        };
        let from = self.holder(base, from)?;
        let to = self.holder(base, to)?;
        let amount = wanted.unwrap_or_else(|| self.state.lies_in(self.game, from));
        self.pay_out(amount, from, to, span)
    }

    /// `share X among S to A, rest to B;`
    pub(super) fn share(&mut self, base: usize, (of, among): (&Expr, &Expr), to: AccountId, rest: &Expr) -> Found<()> {
        let from = self.holder(base, of)?;
        let Some(seats) = self.eval(base, |eval| eval.seats(among))? else { return fault(FaultKind::Unknown, among.span) };
        let count = i64::from(seats.count_ones());
        if count == 0 {
            return fault(FaultKind::NobodyToShare, among.span);
        }
        let whole = self.state.lies_in(self.game, from);
        if whole < 0 {
            return fault(FaultKind::Negative(whole), of.span);
        }
        let game = self.game;
        let Some(family) = game.program.accounts.get(to) else { return Ok(()) };
        if let Holder::Whole(_) = from {
            // Part of the whole would come out of nobody's share alone.
            self.pay_out(whole, from, from, of.span)?;
        }
        for seat in seats_of(seats) {
            self.pay_out(whole / count, from, Holder::Cell(family.cells.first + usize::from(seat)), of.span)?;
        }
        // Where everything divides, nobody is asked where the odd ones go.
        if whole % count == 0 {
            return Ok(());
        }
        let rest = self.holder(base, rest)?;
        self.pay_out(whole % count, from, rest, of.span)
    }

    fn pay_out(&mut self, amount: i64, from: Holder, to: Holder, span: Span) -> Found<()> {
        let whole = self.state.lies_in(self.game, from);
        let game = self.game;
        let owes = |cell: usize| account_of(game, cell).is_some_and(|account| account.may_owe);
        match from {
            // As much as the whole empties every share, also those that owe.
            Holder::Whole(account) if amount == whole => {
                let shares = game.program.accounts.get(account).map(shares).unwrap_or_default();
                shares.into_iter().try_for_each(|share| self.out_of_cell(self.state.account(share), share, to, span))
            }
            Holder::Whole(account) => {
                let Some(cell) = game.program.accounts.get(account).map(nobodys) else { return Ok(()) };
                self.may_pay(amount, self.state.account(cell), owes(cell), span)?;
                self.out_of_cell(amount, cell, to, span)
            }
            Holder::Cell(cell) => {
                self.may_pay(amount, whole, owes(cell), span)?;
                self.out_of_cell(amount, cell, to, span)
            }
            Holder::Slice(slice) => {
                if self.state.slice(slice).is_none() {
                    return fault(FaultKind::NoSlice, span);
                }
                self.may_pay(amount, whole, false, span)?;
                self.out_of_slice(amount, slice, to, span)
            }
        }
    }

    fn may_pay(&self, amount: i64, held: i64, may_owe: bool, span: Span) -> Found<()> {
        if amount < 0 {
            return fault(FaultKind::Negative(amount), span);
        }
        if amount > held && !may_owe {
            return fault(FaultKind::CannotPay(amount, held), span);
        }
        Ok(())
    }

    fn out_of_cell(&mut self, amount: i64, from: usize, to: Holder, span: Span) -> Found<()> {
        let cell = self.into(amount, to, span)?;
        self.carry_over(amount, from, cell, span)?;
        self.clip(from);
        Ok(())
    }

    /// Nobody's part first, then those of the seats from A on.
    fn out_of_slice(&mut self, amount: i64, slice: u32, to: Holder, span: Span) -> Found<()> {
        let game = self.game;
        let mut left = amount;
        for share in std::iter::once(NOBODYS).chain(0..NOBODYS) {
            let Some((account, of)) = self.state.slice_at(slice) else { return Ok(()) };
            let Some(first) = game.program.accounts.get(account).map(|account| account.cells.first) else { return Ok(()) };
            let Some(part) = of.parts.get_mut(share) else { continue };
            let paid = left.min(*part);
            if paid == 0 {
                continue;
            }
            *part -= paid;
            left -= paid;
            let cell = self.into(paid, to, span)?;
            self.carry_over(paid, first + share, cell, span)?;
            self.clip(first + share);
        }
        Ok(())
    }

    /// The cell into which a payment goes. What is paid into a joint account, or into a slice of one, is nobody's.
    fn into(&mut self, amount: i64, to: Holder, span: Span) -> Found<usize> {
        let game = self.game;
        let account = match to {
            Holder::Cell(cell) => return Ok(cell),
            Holder::Whole(account) => account,
            Holder::Slice(slice) => {
                let Some((account, of)) = self.state.slice_at(slice) else { return fault(FaultKind::NoSlice, span) };
                if let Some(part) = of.parts.get_mut(NOBODYS) {
                    let Some(sum) = part.checked_add(amount) else { return fault(FaultKind::Overflow, span) };
                    *part = sum;
                }
                account
            }
        };
        Ok(game.program.accounts.get(account).map_or(0, nobodys))
    }

    fn carry_over(&mut self, amount: i64, from: usize, to: usize, span: Span) -> Found<()> {
        self.memo.changed_in(Some(super::reads::ACCOUNTS));
        if from == to || amount == 0 {
            return Ok(());
        }
        let (held, there) = (self.state.account(from), self.state.account(to));
        let (Some(left), Some(sum)) = (held.checked_sub(amount), there.checked_add(amount)) else { return fault(FaultKind::Overflow, span) };
        if let Some(cell) = self.state.accounts.get_mut(from) {
            *cell = left;
        }
        if let Some(cell) = self.state.accounts.get_mut(to) {
            *cell = sum;
        }
        self.note(|| Note::Paid { amount, from, to });
        Ok(())
    }

    /// What was taken out of a share came first out of what lies in no slice, then out of the highest slice.
    fn clip(&mut self, cell: usize) {
        let game = self.game;
        let held = self.state.account(cell).max(0);
        for cut in &mut self.state.cuts {
            let Some(account) = game.program.accounts.get(cut.account).filter(|account| shares(account).contains(&cell)) else { continue };
            let share = cell - account.cells.first;
            let mut left = held;
            for part in cut.slices.iter_mut().filter_map(|slice| slice.parts.get_mut(share)) {
                *part = (*part).min(left);
                left -= *part;
            }
        }
    }

    /// Cuts a joint account at the heights of the shares of some seats. Gives the slices, the lowest first.
    pub(super) fn cut(&mut self, base: usize, id: AccountId, among: &Expr) -> Found<Vec<Value>> {
        let game = self.game;
        let Some(account) = game.program.accounts.get(id) else { return Ok(Vec::new()) };
        let Some(seats) = self.eval(base, |eval| eval.seats(among))? else { return fault(FaultKind::Unknown, among.span) };
        // A share that owes counts as none.
        let held: Vec<i64> = shares(account).map(|cell| self.state.account(cell).max(0)).collect();
        let share = |at: usize| held.get(at).copied().unwrap_or(0);
        let of = |seat: SeatId| share(usize::from(seat));
        let mut heights: Vec<i64> = seats_of(seats).map(of).filter(|height| *height > 0).collect();
        heights.sort_unstable();
        heights.dedup();
        // Nobody of them has put in anything: what is nobody's can still be claimed by all of them.
        if heights.is_empty() && seats != 0 && share(NOBODYS) > 0 {
            heights.push(0);
        }
        let mut slices = Vec::new();
        let mut floor = 0;
        for top in heights {
            let mut parts = [0; SHARES];
            for (at, part) in parts.iter_mut().enumerate().take(NOBODYS) {
                *part = share(at).clamp(floor, top) - floor;
            }
            let main = slices.is_empty();
            if let (true, Some(part)) = (main, parts.get_mut(NOBODYS)) {
                *part = share(NOBODYS);
            }
            let claimants = seats_of(seats).filter(|seat| of(*seat) >= top).fold(0, |mask, seat| mask | 1 << seat);
            let number = self.state.slices;
            self.state.slices += 1;
            slices.push(Slice { number, claimants, main, parts });
            floor = top;
        }
        let values = slices.iter().map(|slice| Value::Account(Holder::Slice(slice.number))).collect();
        let frames = self.state.frames.len();
        self.state.cuts.push(Cut { account: id, frames, slices });
        self.memo.changed_in(Some(super::reads::ACCOUNTS));
        Ok(values)
    }

    /// A turn of the loop has ended: what it left in its slice stays in the joint account, and is nobody's.
    pub(super) fn slice_done(&mut self, slice: u32) -> Found<()> {
        let game = self.game;
        let Some((account, of)) = self.state.slice_at(slice) else { return Ok(()) };
        let parts = std::mem::take(&mut of.parts);
        let Some(account) = game.program.accounts.get(account) else { return Ok(()) };
        for (share, part) in shares(account).zip(parts) {
            if share != nobodys(account) {
                self.carry_over(part, share, nobodys(account), Span::default())?;
                self.clip(share);
            }
        }
        Ok(())
    }

    /// The loop that walked these slices has ended.
    pub(super) fn cut_done(&mut self, slices: &Value) {
        let frames = self.state.frames.len();
        let walked = super::eval::members(slices);
        let first = walked.first().and_then(Value::holder);
        let is = |cut: &Cut| cut.frames == frames && cut.slices.first().map(|slice| Holder::Slice(slice.number)) == first;
        if let Some(at) = self.state.cuts.iter().rposition(is) {
            self.state.cuts.remove(at);
        }
        self.memo.changed_in(Some(super::reads::ACCOUNTS));
    }

    /// Brings the slices back that there were, or (`all` is no) forgets those that were cut since.
    pub(super) fn restore_cuts(&mut self, then: &[Cut], all: bool) {
        if all {
            self.state.cuts = then.to_vec();
        } else {
            self.state.cuts.retain(|cut| then.iter().any(|other| other.is_same(cut)));
        }
    }

    /// What a script cut that is not open any more is not cut any more.
    pub(super) fn forget_cuts(&mut self) {
        let frames = self.state.frames.len();
        if self.state.cuts.iter().any(|cut| cut.frames > frames) {
            self.state.cuts.retain(|cut| cut.frames <= frames);
            self.memo.changed_in(Some(super::reads::ACCOUNTS));
        }
    }
}
