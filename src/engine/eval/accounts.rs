//! Accounts as values, and what a slice knows of itself. Clause 4.6.

use super::{Eval, Found};
use crate::engine::accounts::nobodys;
use crate::engine::trouble::FaultKind;
use crate::engine::value::{Holder, Value};
use crate::rules::table::program::{AccountId, Expr};
use crate::source::Span;

impl Eval<'_> {
    /// Which account is meant; `None`: an index is unknown.
    pub(super) fn holder(&mut self, account: AccountId, indices: &[Expr]) -> Found<Option<Holder>> {
        let Some(declared) = self.game.program.accounts.get(account) else { return Ok(None) };
        if !declared.joint {
            return Ok(self.cell(&declared.cells, indices)?.map(Holder::Cell));
        }
        let Some(of) = indices.first() else { return Ok(Some(Holder::Whole(account))) };
        let of = self.value(of)?;
        let share = of.seat().map(|seat| declared.cells.first + usize::from(seat));
        Ok(share.or_else(|| (of == Value::None).then(|| nobodys(declared))).map(Holder::Cell))
    }

    pub(super) fn counted(&mut self, holder: Option<Holder>, span: Span) -> Value {
        match holder {
            Some(holder) => Value::Number(self.state.lies_in(self.game, holder)),
            None => self.unknown(span),
        }
    }

    /// `s.claimants`, or `s.main`.
    pub(super) fn of_slice(&mut self, of: &Expr, main: bool, span: Span) -> Found<Value> {
        let Some(holder) = self.value(of)?.holder() else { return Ok(self.unknown(span)) };
        let slice = if let Holder::Slice(slice) = holder { self.state.slice(slice) } else { None };
        let Some(slice) = slice else { return self.fault(FaultKind::NoSlice, of.span) };
        Ok(if main { Value::Truth(slice.main) } else { Value::Seats(slice.claimants) })
    }

    /// `top n of X`: the pieces as they would be taken off, one by one.
    pub(super) fn ends(&mut self, of: &Expr, count: &Expr, bottom: bool) -> Found<Value> {
        let (items, wanted) = (self.items(of)?, self.number(count)?);
        let (Some(items), Some(wanted)) = (items, wanted) else { return Ok(Value::Unknown) };
        let mut pieces = items.collect();
        let held = pieces.len();
        let Ok(number) = usize::try_from(wanted) else { return self.fault(FaultKind::Negative(wanted), count.span) };
        if number > held {
            return self.fault(FaultKind::CannotMove(wanted, held), count.span);
        }
        if !bottom {
            pieces.reverse();
        }
        pieces.truncate(number);
        Ok(Value::list(pieces))
    }
}
