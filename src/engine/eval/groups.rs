//! Groups and runs of pieces. Clause 3.12.

use std::collections::BTreeMap;

use super::{Eval, Found};
use crate::engine::value::{Bits, UNSEEN, Value};
use crate::ranking::ValueId;
use crate::rules::table::program::Expr;
use crate::source::Span;

/// Pieces of one run, and how many different values they have.
type Run = (Bits, i64);

impl Eval<'_> {
    /// `groups of S by attr at least n`
    pub(super) fn groups(&mut self, of: &Expr, attribute: usize, least: Option<&Expr>, span: Span) -> Found<Value> {
        let Some((pieces, least)) = self.grouped(of, least)? else { return Ok(self.unknown(span)) };
        let groups = self.by_value(pieces, attribute).into_values();
        let large = groups.filter(|group| i64::from(group.count()) >= least);
        Ok(Value::list(large.map(Value::Pieces).collect()))
    }

    /// `run of S by scale within attr at least n`
    pub(super) fn runs(&mut self, of: &Expr, along: (usize, &[ValueId]), within: Option<usize>, least: Option<&Expr>, span: Span) -> Found<Value> {
        let Some((pieces, least)) = self.grouped(of, least)? else { return Ok(self.unknown(span)) };
        let (attribute, ladder) = along;
        let parts: Vec<Bits> = match within {
            Some(within) => self.by_value(pieces, within).into_values().collect(),
            None => vec![pieces],
        };
        let mut found = Vec::new();
        for part in parts {
            let runs = maximal(&self.by_value(part, attribute), ladder);
            found.extend(runs.into_iter().filter(|(_, length)| *length >= least).map(|(run, _)| Value::Pieces(run)));
        }
        Ok(Value::list(found))
    }

    /// The pieces and the smallest number that counts; `None`: some piece is unknown. Too few pieces make nothing, whatever they are.
    fn grouped(&mut self, of: &Expr, least: Option<&Expr>) -> Found<Option<(Bits, i64)>> {
        let least = match least {
            Some(least) => self.number(least)?,
            None => Some(1),
        };
        let (Some(least), Some(items)) = (least, self.items(of)?) else { return Ok(None) };
        let (mut pieces, mut count, mut known) = (Bits::EMPTY, 0i64, true);
        items.each_piece(|piece| {
            count += 1;
            match piece.filter(|piece| *piece < UNSEEN) {
                Some(piece) => pieces.insert(piece),
                None => known = false,
            }
        });
        if !known && count < least {
            return Ok(Some((Bits::EMPTY, least)));
        }
        Ok(known.then_some((pieces, least)))
    }

    /// The pieces of each value, in the order of the values. A blank has none.
    fn by_value(&self, pieces: Bits, attribute: usize) -> BTreeMap<ValueId, Bits> {
        let mut groups: BTreeMap<ValueId, Bits> = BTreeMap::new();
        for piece in pieces.iter() {
            let value = self.game.program.pieces.get(usize::from(piece)).and_then(|piece| piece.values.get(attribute));
            if let Some(value) = value {
                groups.entry(*value).or_default().insert(piece);
            }
        }
        groups
    }
}

/// The runs that no other run holds, from the lowest. Of values that also stand lowest each run takes the place that suits it.
fn maximal(held: &BTreeMap<ValueId, Bits>, ladder: &[ValueId]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut open: Option<(Bits, Vec<ValueId>)> = None;
    for value in ladder.iter().map(Some).chain([None]) {
        match value.and_then(|value| Some((value, held.get(value)?))) {
            Some((value, pieces)) => {
                let (run, values) = open.get_or_insert_default();
                *run = run.or(*pieces);
                if !values.contains(value) {
                    values.push(*value);
                }
            }
            None => runs.extend(open.take().map(|(run, values)| (run, i64::try_from(values.len()).unwrap_or(i64::MAX)))),
        }
    }
    let within = |small: &Bits, large: &Bits| small.without(*large).is_empty();
    let kept = runs.iter().enumerate().filter(|(at, (run, _))| {
        !runs.iter().enumerate().any(|(other, (larger, _))| other != *at && within(run, larger) && (!within(larger, run) || other < *at))
    });
    kept.map(|(_, run)| *run).collect()
}
